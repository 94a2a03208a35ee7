/* SPDX-License-Identifier: MIT */
/*
 * test_report_secret.c - where secrets are, in the report, the summary and the
 *                        log; never what they are.
 */
#include "tests/support/test_report_rig.h"

#include "base/emit.h"
#include "catalogue/findings.h"
#include "report/render.h"
#include "secrets/secrets.h"

/* The index of a rule. */
static uint16_t
rule_of(const char *name)
{
	uint16_t rule = 0;

	while (strcmp(secrets_rule_name(rule), name) != 0)
		rule++;
	return rule;
}

static void
add_text(const char *path)
{
	add_file(path, REASON_NONE, 100);
	report.run = &run;
	report.files_seen++;
}

static void
add_finding(uint32_t file_idx, uint32_t line, const char *rule, uint8_t action)
{
	struct table *table = &run.catalogue.findings;
	uint64_t nr = report.finding_nr++;

	assert_int_equal(
		table_reserve(table, (nr + 1) * sizeof(struct finding)), 0);
	*catalogue_finding(&run.catalogue, nr) = (struct finding){
		.file_idx = file_idx,
		.line = line,
		.rule = rule_of(rule),
		.action = action,
	};
}

static void
emit_all(FILE *file)
{
	static struct emitter out;

	emit_init(&out, fileno(file));
	emit_begin(&out, NULL, '{');
	report_emit_secrets(&report, &out);
	emit_end(&out, '}');
	assert_int_equal(emit_finish(&out), 0);
}

static void
test_secrets_are_told_of_by_place_and_rule(void **state)
{
	FILE *file = tmpfile();
	char text[1024] = "";

	add_text("a.c");
	add_finding(0, 7, "github-pat", FINDING_REDACTED);
	add_finding(FINDING_IN_GIT_LOG, 2, "jwt", FINDING_WARNED);
	/* of a writer that went wrong */
	add_finding(99, 2, "jwt", FINDING_WARNED);
	report.findings_left_out = 3;
	emit_all(file);
	rewind(file);
	assert_true(fread(text, 1, sizeof(text) - 1, file) > 0);
	fclose(file);
	assert_non_null(strstr(text, "\"path\":\"a.c\""));
	assert_non_null(strstr(text, "\"line\":7"));
	assert_non_null(strstr(text, "\"rule\":\"github-pat\""));
	assert_non_null(strstr(text, "\"action\":\"redacted\""));
	assert_non_null(strstr(text, "\"in\":\"git-log\""));
	assert_non_null(strstr(text, "\"secrets_left_out\":3"));
	assert_null(strstr(text, "99"));
}

static void
test_secrets_are_summed_by_action_and_rule(void **state)
{
	char *text = NULL;
	size_t bytes;
	FILE *file = open_memstream(&text, &bytes);

	add_text("a.c");
	add_text("b.c");
	add_finding(0, 7, "openai-api-key", FINDING_REDACTED);
	add_finding(0, 8, "openai-api-key", FINDING_REDACTED);
	add_finding(1, 8, "github-pat", FINDING_REDACTED);
	add_finding(1, 9, "jwt", FINDING_WARNED);
	report_print_secrets(&report, file);
	fclose(file);
	assert_string_equal(text, "secrets     3 redacted in 2 files: "
				  "1 github-pat, 2 openai-api-key\n"
				  "secrets     1 warned in 1 file: 1 jwt\n");
	free(text);
}

static void
test_secrets_end_a_run_only_if_asked_to(void **state)
{
	const char *lines[] = { "0000 jwt a.c" };

	add_text("a.c");
	add_finding(0, 7, "sumologic-access-id", FINDING_WARNED);
	assert_false(report_secrets_fail(&report));
	/* a rule that only warns ends nothing */
	run.job.secrets = SECRETS_FAIL;
	assert_false(report_secrets_fail(&report));
	add_finding(0, 9, "jwt", FINDING_WARNED);
	assert_true(report_secrets_fail(&report));
	run.job.secrets = SECRETS_WARN;
	assert_false(report_secrets_fail(&report));
	/* with fail, collect notes them as replaced: then that they are known */
	run.job.secrets = SECRETS_FAIL;
	catalogue_finding(&run.catalogue, 1)->action = FINDING_REDACTED;
	assert_true(report_secrets_fail(&report));
	report.known = &(struct text_list){ .items = lines, .nr = 1 };
	assert_false(report_secrets_fail(&report));
	report.findings_left_out = 1;
	assert_true(report_secrets_fail(&report));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(
			test_secrets_are_told_of_by_place_and_rule, set_up,
			tear_down),
		cmocka_unit_test_setup_teardown(
			test_secrets_are_summed_by_action_and_rule, set_up,
			tear_down),
		cmocka_unit_test_setup_teardown(
			test_secrets_end_a_run_only_if_asked_to, set_up,
			tear_down),
	};

	return cmocka_run_group_tests_name("report/report_secret", tests, NULL,
					   NULL);
}
