/* SPDX-License-Identifier: MIT */
/*
 * test_report_write.c - the report as JSON, whole or not at all.
 */
#include "tests/support/test_report_rig.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <jansson.h>

#include "catalogue/names.h"
#include "stages/job.h"

static json_t *
written(void)
{
	json_error_t error;
	json_t *root;

	assert_int_equal(report_write(&report, target), 0);
	root = json_load_file(target, JSON_REJECT_DUPLICATES, &error);
	if (root == NULL)
		fail_msg("line %d: %s", error.line, error.text);
	return root;
}

static void
has_numbers(json_t *object, const char *const *keys)
{
	for (; *keys != NULL; keys++) {
		if (!json_is_number(json_object_get(object, *keys)))
			fail_msg("%s is not a number", *keys);
	}
}

static void
is_item(json_t *list, size_t at, const char *path, int first, int last,
	const char *reason)
{
	json_t *item = json_array_get(list, at);
	json_t *said = json_object_get(item, "reason");

	assert_string_equal(json_string_value(json_object_get(item, "path")),
			    path);
	assert_int_equal(
		json_integer_value(json_object_get(item, "start_line")), first);
	assert_int_equal(json_integer_value(json_object_get(item, "end_line")),
			 last);
	if (reason == NULL)
		assert_null(said);
	else
		assert_string_equal(json_string_value(said), reason);
}

/* verifies: FR-016c-50, AC-016c-050, AC-016c-051 */
static void
test_report_write_lists_what_is_in_and_what_is_not(void **state)
{
	json_t *root;
	json_t *list;
	json_t *item;

	make_run();
	assert_int_equal(report_collect(&run, &report), 0);
	root = written();
	list = json_object_get(root, "selected");
	assert_int_equal(json_array_size(list), 4);
	is_item(list, 0, "src/a.c", 1, 10, NULL);
	is_item(list, 1, "src/a.c", 11, 20, NULL);
	is_item(list, 2, "src/c\n\".c", 1, 10, NULL);
	is_item(list, 3, "src/c\n\".c", 41, 50, NULL);
	list = json_object_get(root, "excluded");
	assert_int_equal(json_array_size(list), 7);
	is_item(list, 0, "src/b.bin", 0, 0, "binary");
	is_item(list, 1, "src/c\n\".c", 11, 30, "budget");
	is_item(list, 2, "src/c\n\".c", 31, 40, "duplicate");
	is_item(list, 3, "src/d\xef\xbf\xbd.c", 1, 20, "duplicate");
	is_item(list, 4, "src/e.c", 0, 0, "empty");
	is_item(list, 5, "src/f.c", 1, 10, "budget");
	is_item(list, 6, "src/g.c", 0, 0, "changed");
	assert_int_equal(json_integer_value(json_object_get(
				 json_array_get(list, 1), "tokens")),
			 900);
	item = json_array_get(list, 3);
	assert_string_equal(
		json_string_value(json_object_get(item, "path_base64")),
		"c3JjL2T/LmM=");
	assert_string_equal(json_string_value(json_object_get(item, "same_as")),
			    "src/a.c");
	assert_null(json_object_get(json_array_get(list, 0), "path_base64"));
	json_decref(root);
}

/* One more name of the file of which these are all. */
static void
add_name(struct names *names, enum name_type type, uint32_t line,
	 const char *name)
{
	struct name_entry *entry =
		(void *)((uint8_t *)(names + 1) + names->bytes);
	size_t nr = strlen(name);

	*entry = (struct name_entry){ .type = (uint8_t)type,
				      .line = line,
				      .bytes = (uint8_t)nr };
	memcpy(entry + 1, name, nr);
	names->bytes += (uint32_t)(sizeof(*entry) + (nr + 3) / 4 * 4);
}

/* How many elements a list of an item has; 0: there is no list. */
static size_t
length_of(const json_t *root, size_t item, const char *key)
{
	const json_t *list = json_object_get(root, "selected");

	return json_array_size(
		json_object_get(json_array_get(list, item), key));
}

static void
test_report_write_names_what_ranges_define(void **state)
{
	struct table *table = &run.catalogue.names;
	struct names *names;
	json_t *root;

	assert_int_equal(table_reserve(table, 1 << 16), 0);
	names = table_at(table, 0, sizeof(*names) + NAMES_FILE_BYTES);
	add_file("a.c", REASON_NONE, 100);
	add_chunk(100, 1, true);
	add_chunk(110, 2, true);
	add_chunk(110, 3, true);
	catalogue_facts(&run.catalogue, 0)->names_off = 1;
	add_name(names, NAME_IMPORT, 0, "os.path import join");
	add_name(names, NAME_PACKAGE, 0, "p");
	add_name(names, NAME_DEF, 10, "last_of_the_first");
	add_name(names, NAME_DEF, 11, "first_of_the_second");
	add_name(names, NAME_MARKER, 20, "TODO");
	add_name(names, NAME_CHUNK, 15, "f g f");
	for (uint32_t i = 0; i < 100; i++)
		add_name(names, NAME_DEF, 25, "many");
	assert_int_equal(report_collect(&run, &report), 0);
	root = written();
	assert_int_equal(length_of(root, 0, "imports"), 1);
	assert_int_equal(length_of(root, 0, "defines"), 1);
	assert_int_equal(length_of(root, 0, "markers"), 0);
	assert_int_equal(length_of(root, 1, "imports"), 0);
	assert_int_equal(length_of(root, 1, "defines"), 1);
	assert_int_equal(length_of(root, 1, "markers"), 1);
	assert_int_equal(length_of(root, 1, "calls"), 2);
	assert_int_equal(length_of(root, 2, "defines"), 64); /* those shown */
	assert_int_equal(length_of(root, 2, "calls"), 0);
	json_decref(root);
}

static json_int_t
sum_of(json_t *object)
{
	json_int_t sum = 0;
	const char *key;
	json_t *value;

	json_object_foreach(object, key, value) sum +=
		json_integer_value(value);
	return sum;
}

/* verifies: FR-016c-15, FR-016c-35 */
static void
test_report_write_has_every_key_that_tools_rely_on(void **state)
{
	static const char *const warnings[] = { "one \"warning\"", "two" };
	static const char *const budget[] = {
		"total",          "response_reserve",
		"system_reserve", "available",
		"used",           NULL
	};
	static const char *const files[] = { "seen",       "packed",  "full",
					     "signatures", "skipped", NULL };
	static const char *const dedup[] = {
		"exact_chunks",    "exact_removed",  "exact_tokens",
		"overlaps_merged", "overlap_tokens", NULL
	};
	static const char *const stage[] = { "workers", "busy_ns", "wait_ns",
					     "items",   "bytes",   "deaths",
					     NULL };
	static const char *const category[] = { "allocated", "used",
						"utilization", NULL };
	json_t *root;
	json_t *output;

	make_run();
	assert_int_equal(report_collect(&run, &report), 0);
	snprintf(report.correlation_id, sizeof(report.correlation_id),
		 "0123456789abcdef0123456789abcdef");
	report.encoding = "o200k_base";
	report.has_sha256 = true;
	memset(report.output_sha256, 0xa5, sizeof(report.output_sha256));
	report.peak_pss_bytes = 1 << 20;
	report.wall_ns = 5;
	report.warnings = warnings;
	report.warning_nr = ARRAY_LEN(warnings);
	report.stages[STAGE_CHUNK].death_nr = 3;
	root = written();
	assert_int_equal(json_integer_value(json_object_get(root, "version")),
			 REPORT_VERSION);
	assert_string_equal(
		json_string_value(json_object_get(root, "correlation_id")),
		report.correlation_id);
	assert_string_equal(
		json_string_value(json_object_get(root, "encoding")),
		"o200k_base");
	assert_true(json_is_false(json_object_get(root, "estimated")));
	assert_true(json_is_null(json_object_get(root, "commit")));
	has_numbers(json_object_get(root, "budget"), budget);
	has_numbers(json_object_get(root, "files"), files);
	assert_true(json_is_null(json_object_get(root, "started_at")));
	assert_int_equal(sum_of(json_object_get(json_object_get(root, "files"),
						"skipped_by_reason")),
			 json_integer_value(json_object_get(
				 json_object_get(root, "files"), "skipped")));
	has_numbers(json_object_get(root, "dedup"), dedup);
	has_numbers(json_array_get(json_object_get(root, "categories"), 0),
		    category);
	assert_int_equal(json_array_size(json_object_get(root, "stages")),
			 STAGE_NR);
	has_numbers(json_array_get(json_object_get(root, "stages"), 1), stage);
	output = json_object_get(root, "output");
	assert_int_equal(json_integer_value(json_object_get(output, "tokens")),
			 345);
	assert_int_equal(
		strlen(json_string_value(json_object_get(output, "sha256"))),
		64);
	assert_int_equal(
		json_integer_value(json_object_get(
			json_object_get(root, "memory"), "peak_pss_bytes")),
		1 << 20);
	assert_int_equal(json_integer_value(json_object_get(root, "wall_ns")),
			 5);
	assert_string_equal(json_string_value(json_array_get(
				    json_object_get(root, "warnings"), 0)),
			    warnings[0]);
	json_decref(root);
}

static void
test_report_write_of_a_preview_of_everything_has_no_numbers(void **state)
{
	json_t *root;
	json_t *budget;

	run.job.plan_only = true;
	run.job.budget_tokens = BUDGET_ALL;
	job_resolve(&run.job);
	make_run();
	assert_int_equal(report_collect(&run, &report), 0);
	root = written();
	budget = json_object_get(root, "budget");
	assert_true(json_is_null(json_object_get(budget, "total")));
	assert_true(json_is_null(json_object_get(budget, "available")));
	assert_true(json_is_null(json_object_get(root, "output")));
	assert_true(json_is_true(json_object_get(root, "estimated")));
	json_decref(root);
}

/* More items than the writer's buffer holds. */
static void
test_report_write_of_many_files_is_whole(void **state)
{
	char path[64];
	json_t *root;

	for (int i = 0; i < 5000; i++) {
		snprintf(path, sizeof(path), "dir/%d.c", i);
		add_file(path, REASON_NONE, 10);
		add_chunk(1, (uint8_t)(i % 200), i % 3 == 0);
	}
	assert_int_equal(report_collect(&run, &report), 0);
	root = written();
	assert_int_equal(json_array_size(json_object_get(root, "selected")),
			 1667);
	assert_int_equal(json_array_size(json_object_get(root, "excluded")),
			 3333);
	json_decref(root);
}

static void
test_report_write_that_fails_keeps_the_old_file(void **state)
{
	struct rlimit before;
	struct rlimit small = { .rlim_cur = 100 };
	struct stat status;
	FILE *old = fopen(target, "we");
	int error;

	assert_non_null(old);
	fputs("old\n", old);
	fclose(old);
	make_run();
	assert_int_equal(report_collect(&run, &report), 0);
	assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
	small.rlim_max = before.rlim_max;
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
	assert_true(signal(SIGXFSZ, SIG_IGN) != SIG_ERR);
	error = report_write(&report, target);
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
	assert_int_equal(error, -EFBIG);
	assert_int_equal(stat(target, &status), 0);
	assert_int_equal(status.st_size, 4);
	assert_int_equal(report_write(&report, "/no/such/dir/report"), -ENOENT);
}

static void
test_report_write_to_a_full_device_is_an_error(void **state)
{
	make_run();
	assert_int_equal(report_collect(&run, &report), 0);
	if (access("/dev/full", W_OK) != 0)
		skip();
	assert_int_equal(report_write(&report, "/dev/full"), -ENOSPC);
}

static void
test_report_write_gives_the_file_the_usual_mode(void **state)
{
	struct stat status;
	mode_t mask = umask(027);

	assert_int_equal(report_collect(&run, &report), 0);
	assert_int_equal(report_write(&report, target), 0);
	umask(mask);
	assert_int_equal(stat(target, &status), 0);
	assert_int_equal(status.st_mode & 0777, 0640);
}

/* The page names all the words that can stand in "reason". */
static void
test_report_reasons_are_all_in_the_page(void **state)
{
	static char page[65536];
	FILE *file = fopen("docs/report.md", "re");

	/* tests are run from the root of the project */
	assert_non_null(file);
	page[fread(page, 1, sizeof(page) - 1, file)] = '\0';
	fclose(file);
	for (unsigned i = 1; i < REPORT_REASON_NR; i++) {
		char word[64];

		snprintf(word, sizeof(word), "`%s`", report_reason_text(i));
		if (strstr(page, word) == NULL)
			fail_msg("docs/report.md does not name %s", word);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(report_write_lists_what_is_in_and_what_is_not),
		TEST(report_write_names_what_ranges_define),
		TEST(report_write_has_every_key_that_tools_rely_on),
		TEST(report_write_of_a_preview_of_everything_has_no_numbers),
		TEST(report_write_of_many_files_is_whole),
		TEST(report_write_that_fails_keeps_the_old_file),
		TEST(report_write_to_a_full_device_is_an_error),
		TEST(report_write_gives_the_file_the_usual_mode),
		TEST(report_reasons_are_all_in_the_page),
	};

	return cmocka_run_group_tests_name("report/report_write", tests, NULL,
					   NULL);
}
