/* SPDX-License-Identifier: MIT */
/*
 * test_baseline.c - what is written of secrets, and which are known by it.
 */
#include "tests/support/test_report_rig.h"

#include "base/exit_code.h"
#include "base/fd_io.h"
#include "report/baseline.h"
#include "secrets/secrets.h"

static void
add_finding(uint32_t file_idx, uint16_t rule, uint32_t digest)
{
	struct table *table = &run.catalogue.findings;
	uint64_t nr = report.finding_nr++;

	assert_int_equal(
		table_reserve(table, (nr + 1) * sizeof(struct finding)), 0);
	*catalogue_finding(&run.catalogue, nr) = (struct finding){
		.file_idx = file_idx,
		.line = 1,
		.digest = digest,
		.rule = rule,
	};
}

static void
write_text(const char *text)
{
	FILE *file = fopen(target, "w");

	assert_non_null(file);
	fputs(text, file);
	fclose(file);
}

static void
test_baseline_has_what_was_written_and_no_more(void **state)
{
	const struct options options = { .baseline_path = target };
	struct text_list known = { 0 };
	FILE *file = fopen(target, "w+");
	char text[512] = "";
	char want[512];
	struct finding other;

	report.run = &run;
	add_file("b.c", REASON_NONE, 100);
	add_file("a \"b\".c", REASON_NONE, 100);
	report.files_seen = 2;
	add_finding(0, 3, 0x12345678);
	add_finding(0, 3, 0x12345678); /* twice the same is one line */
	add_finding(1, 4, 0x00010001);
	add_finding(FINDING_IN_GIT_LOG, 3, 0xffff0000);
	add_finding(77, 3, 5); /* of a file that is not known */
	assert_int_equal(baseline_write(&report, fileno(file)), 0);
	rewind(file);
	assert_true(fread(text, 1, sizeof(text) - 1, file) > 0);
	fclose(file);
	snprintf(want, sizeof(want),
		 "# bale: known secrets, by digest, rule and place\n"
		 "0000 %s \"a \\\"b\\\".c\"\n444c %s b.c\nffff %s git-log\n",
		 secrets_rule_name(4), secrets_rule_name(3),
		 secrets_rule_name(3));
	assert_string_equal(text, want);

	assert_false(baseline_has(&report, report_finding(&report, 0)));
	assert_int_equal(baseline_read(&options, &known), 0);
	assert_int_equal(known.nr, 3);
	report.known = &known;
	for (uint64_t i = 0; i < 4; i++)
		assert_true(baseline_has(&report, report_finding(&report, i)));
	other = *report_finding(&report, 0);
	other.line = 99;
	assert_true(baseline_has(&report, &other));
	other.digest++;
	assert_false(baseline_has(&report, &other));
	other.digest--;
	other.file_idx = 1;
	assert_false(baseline_has(&report, &other));
	other.file_idx = 0;
	other.rule = 9;
	assert_false(baseline_has(&report, &other));
	free(known.items);
}

static void
test_baseline_lines_have_a_form(void **state)
{
	static const char *const bad[] = {
		"444 jwt a\n",  "4444x jwt a\n", "4444 jwt\n", "4444 jwt \n",
		"4444  a\n",    "44G4 jwt a\n",  "x\n",        "4444 JWT a\n",
		"\n# a\n4444 ",
	};
	struct options options = { .baseline_path = target };
	struct text_list known = { 0 };

	for (size_t i = 0; i < ARRAY_LEN(bad); i++) {
		write_text(bad[i]);
		assert_int_equal(baseline_read(&options, &known), EXIT_USAGE);
	}
	options.baseline_path = "/nowhere/at/all";
	assert_int_equal(baseline_read(&options, &known), EXIT_USAGE);
	options.baseline_path = target;
	write_text("# a\r\n\r\nffff jwt b c\r\n0000 jwt-base64 a");
	assert_int_equal(baseline_read(&options, &known), 0);
	assert_int_equal(known.nr, 2);
	assert_string_equal(known.items[0], "0000 jwt-base64 a");
	assert_string_equal(known.items[1], "ffff jwt b c");
	options.baseline_path = NULL;
	options.new_baseline_path = target;
	assert_int_equal(baseline_read(&options, &known), 0);
	assert_int_equal(known.nr, 2);
	options.pack.secrets = SECRETS_WARN;
	assert_int_equal(baseline_read(&options, &known), EXIT_USAGE);
	free(known.items);
}

/* What is read is kept to the end of the process: no leaks. */
int
__lsan_is_turned_off(void);

int
__lsan_is_turned_off(void)
{
	return 1;
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(
			test_baseline_has_what_was_written_and_no_more, set_up,
			tear_down),
		cmocka_unit_test_setup_teardown(test_baseline_lines_have_a_form,
						set_up, tear_down),
	};

	return cmocka_run_group_tests_name("report/baseline", tests, NULL,
					   NULL);
}
