/* SPDX-License-Identifier: MIT */
/*
 * test_collect_io_secrets.c - secrets noted in parts, whatever they are, and
 * texts of git without any.
 */
#include "tests/support/test_collect_files.h"
#include "tests/support/test_secrets.h"

#include "catalogue/findings.h"
#include "stages/collect/collect_io_secrets.h"

#define HEAD_ROOM 256

static uint64_t seed = 20261127;
static uint8_t hand[1 << 17];

static void
begin(enum secrets_mode mode)
{
	rig_begin();
	rig_files->secrets = secrets_rules();
	rig_files->secrets_mode = mode;
	assert_int_equal(collect_secrets_reserve(rig_files), 0);
}

/* A text of so many lines, in three of which is a secret. */
static size_t
plant(char *text, unsigned lines)
{
	char *to = text;

	for (unsigned i = 1; i <= lines; i++) {
		to = stpcpy(to, i % 3 == 0 ? "\tx = y;" : "no secret");
		if (i == 2 || i == lines / 2 || i == lines) {
			to = stpcpy(to, " \"ghp_");
			to = secret_add(to, 36, &seed);
			to = stpcpy(to, "\";");
		}
		*to++ = '\n';
	}
	return (size_t)(to - text);
}

/* Looks at all of a text, in parts of at most so many bytes. */
static bool
look(const char *text, size_t nr, size_t most)
{
	struct collect_large large = { .file = 1 };
	bool has_secrets = false;
	size_t off = 0;

	while (off < nr && !has_secrets) {
		struct collect_part part = { .text = hand + HEAD_ROOM,
					     .head_room = HEAD_ROOM };

		part.bytes = min_size(most, nr - off);
		part.is_last = off + part.bytes == nr;
		memcpy(part.text, text + off, part.bytes);
		collect_secrets_look_at(rig_files, &large, &part);
		collect_secrets_keep(&large, &part);
		has_secrets = part.has_secrets;
		off += part.bytes;
	}
	return has_secrets;
}

static void
test_secrets_are_noted_by_line_in_any_parts(void **state)
{
	static char text[60000];
	static const size_t parts[] = { 60000, 4096, 700, 331 };
	size_t nr = plant(text, 600);

	for (size_t i = 0; i < ARRAY_LEN(parts); i++) {
		static const uint32_t lines[] = { 2, 300, 600 };

		begin(SECRETS_WARN);
		assert_false(look(text, nr, parts[i]));
		assert_int_equal(rig_files->finding_nr, 3);
		for (size_t k = 0; k < 3; k++) {
			const struct finding *it =
				catalogue_finding(&rig_catalogue, k);

			assert_int_equal(it->line, lines[k]);
			assert_int_equal(it->file_idx, 0);
			assert_int_equal(it->action, FINDING_WARNED);
			assert_string_equal(secrets_rule_name(it->rule),
					    "github-pat");
		}
	}
}

static void
test_secrets_to_be_replaced_are_not_noted_yet(void **state)
{
	static char text[60000];
	size_t nr = plant(text, 600);

	begin(SECRETS_REDACT);
	assert_true(look(text, nr, 700));
	assert_int_equal(rig_files->finding_nr, 0);
	begin(SECRETS_EXCLUDE);
	assert_true(look(text, nr, 700));
	assert_int_equal(rig_files->finding_nr, 1);
	assert_int_equal(catalogue_finding(&rig_catalogue, 0)->action,
			 FINDING_EXCLUDED);
	rig_files->secrets = NULL;
	assert_false(look(text, nr, 700));
}

static void
test_secrets_beyond_the_room_are_counted(void **state)
{
	const struct secrets_piece piece = { .is_found = true };

	begin(SECRETS_WARN);
	for (unsigned i = 0; i < FINDINGS_STEP_MAX + 5; i++)
		collect_secrets_note(rig_files, 0, &piece, 1);
	assert_int_equal(rig_files->finding_nr, FINDINGS_STEP_MAX);
	assert_int_equal(rig_files->findings_left_out, 5);
	/* the next step has room again */
	assert_int_equal(collect_secrets_reserve(rig_files), 0);
	collect_secrets_note(rig_files, 0, &piece, 1);
	assert_int_equal(rig_files->finding_nr, FINDINGS_STEP_MAX + 1);
}

static void
test_secrets_of_a_text_of_git_are_replaced(void **state)
{
	static char text[60000];
	struct git_text log = { 0 };
	size_t nr = plant(text, 30);

	begin(SECRETS_REDACT);
	assert_int_equal(git_text_add(&log, text, nr), 0);
	assert_int_equal(collect_secrets_clean(rig_files, FINDING_IN_GIT_LOG,
					       &log),
			 0);
	assert_null(memmem(log.at, log.nr, "ghp_", 4));
	assert_non_null(memmem(log.at, log.nr, "[REDACTED:github-pat]", 21));
	assert_int_equal(rig_files->finding_nr, 3);
	assert_int_equal(catalogue_finding(&rig_catalogue, 1)->line, 15);
	assert_int_equal(catalogue_finding(&rig_catalogue, 1)->file_idx,
			 FINDING_IN_GIT_LOG);
	free(log.at);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(
			test_secrets_are_noted_by_line_in_any_parts, rig_set_up,
			rig_tear_down),
		cmocka_unit_test_setup_teardown(
			test_secrets_to_be_replaced_are_not_noted_yet,
			rig_set_up, rig_tear_down),
		cmocka_unit_test_setup_teardown(
			test_secrets_beyond_the_room_are_counted, rig_set_up,
			rig_tear_down),
		cmocka_unit_test_setup_teardown(
			test_secrets_of_a_text_of_git_are_replaced, rig_set_up,
			rig_tear_down),
	};

	return cmocka_run_group_tests_name("collect/collect_io_secrets", tests,
					   NULL, NULL);
}
