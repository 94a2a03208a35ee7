/* SPDX-License-Identifier: MIT */
/*
 * test_batch_line.c - a line from its process to its class.
 */
#include "tests/support/test_command.h"

#include <sys/mman.h>
#include <sys/resource.h>

#include "cli/batch.h"

static struct command_line line;
static struct batch_scope scope;
static struct batch_run run;

static int
set_up(void **state)
{
	static char words[][8] = { "bale", "batch", "list" };
	char *argv[] = { words[0], words[1], words[2] };

	if (command_set_up(state) != 0 || mkdir("tree", 0755) != 0 ||
	    mkdir("out", 0755) != 0 ||
	    command_line_parse(3, argv, &line) != 0)
		return 1;
	dir_write("tree/a.c", "int a;\n");
	line.run.pack.sandbox = SANDBOX_OFF;
	scope = (struct batch_scope){ .line = &line,
				      .dir = "out",
				      .memory_bytes = 96u << 20,
				      .worker_nr = 1 };
	run = (struct batch_run){ .outcome = NULL };
	scope.runs = &run;
	scope.run_nr = 1;
	return batch_run_open(&run);
}

static int
tear_down(void **state)
{
	close(run.said_fd);
	munmap(run.outcome, sizeof(struct outcome));
	command_line_fini(&line);
	return dir_tear_down(state);
}

static struct batch_result
pack(struct batch_item *item)
{
	struct batch_result result;

	if (under_valgrind())
		skip();
	ASSERT_EQ(batch_run_begin(&run, item, &scope), 0);
	batch_run_end(&run, &result);
	return result;
}

static void
test_batch_line_packs_a_tree(void **state)
{
	struct batch_item item = { .path = "tree", .name = "tree.md" };
	struct batch_result result = pack(&item);

	assert_string_equal(result.said, "");
	ASSERT_EQ(result.class, BATCH_DONE);
	ASSERT_EQ(result.exit_code, 0);
	ASSERT_EQ(result.outcome.files_packed, 1);
	ASSERT_EQ(result.outcome.bytes, strlen(dir_read("out/tree.md")));
	assert_non_null(strstr(dir_read("out/tree.md"), "int a;\n"));
}

static void
test_batch_line_has_options_of_its_own(void **state)
{
	struct batch_setting small = { OPTION_BUDGET, "1" };
	struct batch_setting bad = { OPTION_BUDGET, "x" };
	struct batch_item item = { .path = "tree",
				   .name = "tree.md",
				   .settings = &small,
				   .setting_nr = 1 };
	struct batch_result result = pack(&item);

	ASSERT_EQ(result.class, BATCH_FAILED);
	assert_string_equal(result.code, "BALE-BUD-001");
	assert_string_equal(dir_names("out"), "");
	item.settings = &bad;
	result = pack(&item);
	ASSERT_EQ(result.exit_code, EXIT_USAGE);
	assert_string_equal(result.code, "BALE-CLI-002");
	assert_false(result.outcome.is_known);
}

static void
test_batch_line_says_why_there_is_no_output(void **state)
{
	struct batch_item item = { .path = "nowhere", .name = "x.md" };
	struct batch_result result = pack(&item);

	ASSERT_EQ(result.class, BATCH_FAILED);
	assert_non_null(strstr(result.said, "No such file"));
	item.path = "tree";
	item.name = "not/there.md";
	result = pack(&item);
	ASSERT_EQ(result.class, BATCH_RETRY);
	ASSERT_EQ(result.exit_code, EXIT_OUTPUT);
}

/* Bytes of the files that runs share one after another. */
static uint64_t
temp_bytes(void)
{
	uint64_t bytes = 0;
	struct stat st;

	for (size_t i = 0; i < run.temp_nr; i++) {
		ASSERT_EQ(fstat(run.temp_fds[i], &st), 0);
		bytes += (uint64_t)st.st_size + (uint64_t)st.st_blocks;
	}
	return bytes;
}

/* One that is larger than the heads of tables, then a small one. */
static void
test_batch_line_leaves_nothing_to_the_next(void **state)
{
	struct batch_item item = { .path = "large", .name = "large.md" };
	struct batch_item small = { .path = "tree", .name = "tree.md" };
	char name[32];

	ASSERT_EQ(mkdir("large", 0755), 0);
	for (int i = 0; i < 3000; i++) {
		snprintf(name, sizeof(name), "large/file_%d.c", i);
		dir_write(name, name);
	}
	ASSERT_EQ(pack(&item).outcome.files_seen, 3000);
	ASSERT_EQ(run.temp_nr, BATCH_TEMP_FILES);
	ASSERT_EQ(temp_bytes(), 0);
	ASSERT_EQ(pack(&small).outcome.files_seen, 1);
}

/* Its workers may live for a moment longer. */
static void
test_batch_line_that_is_killed_leaves_no_files(void **state)
{
	struct batch_item item = { .path = "tree", .name = "tree.md" };
	struct batch_result result;

	if (under_valgrind())
		skip();
	ASSERT_EQ(batch_run_begin(&run, &item, &scope), 0);
	ASSERT_EQ(run.temp_nr, BATCH_TEMP_FILES);
	ASSERT_EQ(kill(run.helper.pid, SIGKILL), 0);
	batch_run_end(&run, &result);
	ASSERT_EQ(result.class, BATCH_RETRY);
	ASSERT_EQ(result.exit_code, 128 + SIGKILL);
	ASSERT_EQ(run.temp_nr, 0);
	ASSERT_EQ(pack(&item).class, BATCH_DONE);
}

/* Of few descriptors none are kept for later. */
static void
test_batch_line_takes_no_descriptors_from_lines(void **state)
{
	struct batch_item item = { .path = "tree", .name = "tree.md" };
	static const struct batch_run many[5];
	struct rlimit before;
	struct rlimit few;

	ASSERT_EQ(getrlimit(RLIMIT_NOFILE, &before), 0);
	few = before;
	few.rlim_cur = 128;
	scope.runs = many;
	scope.run_nr = ARRAY_LEN(many);
	ASSERT_EQ(setrlimit(RLIMIT_NOFILE, &few), 0);
	ASSERT_EQ(pack(&item).class, BATCH_DONE);
	ASSERT_EQ(run.temp_nr, 0);
	ASSERT_EQ(setrlimit(RLIMIT_NOFILE, &before), 0);
	ASSERT_EQ(pack(&item).class, BATCH_DONE);
	ASSERT_EQ(run.temp_nr, BATCH_TEMP_FILES);
}

static void
test_batch_line_classes_are_those_of_exit_codes(void **state)
{
	static const enum batch_class want[] = {
		[EXIT_COMPLETE] = BATCH_DONE,  [EXIT_USAGE] = BATCH_FAILED,
		[EXIT_OUTPUT] = BATCH_RETRY,   [EXIT_RESOURCES] = BATCH_RETRY,
		[EXIT_INTERNAL] = BATCH_RETRY, [EXIT_SECRET] = BATCH_FAILED,
		[EXIT_FRAME] = BATCH_FAILED,   [EXIT_NOTHING] = BATCH_FAILED,
	};

	for (int i = 0; i < (int)ARRAY_LEN(want); i++)
		if (want[i] != BATCH_WAITING)
			ASSERT_EQ(batch_class_of(i, false), want[i]);
	ASSERT_EQ(batch_class_of(EXIT_DEGRADED, true), BATCH_DEGRADED);
	ASSERT_EQ(batch_class_of(EXIT_DEGRADED, false), BATCH_FAILED);
	ASSERT_EQ(batch_class_of(128 + 9, false), BATCH_RETRY);
}

static void
test_batch_line_codes_begin_messages(void **state)
{
	char code[BATCH_CODE_BYTES];

	assert_string_equal(batch_code_of("BALE-CTX-004: nothing", code),
			    "BALE-CTX-004");
	assert_string_equal(batch_code_of("BALE-CTX-00", code), "");
	assert_string_equal(batch_code_of("BALE-ctx-004", code), "");
	assert_string_equal(batch_code_of("", code), "");
}

static void
test_batch_line_options_are_checked_before_any(void **state)
{
	if (under_valgrind())
		skip();
	ASSERT_EQ(batch_check_options(&scope), EXIT_COMPLETE);
	line.run.categories = "nonsense=1";
	ASSERT_EQ(batch_check_options(&scope), EXIT_USAGE);
}

#define LINE_TEST(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)

int
main(void)
{
	const struct CMUnitTest tests[] = {
		LINE_TEST(test_batch_line_packs_a_tree),
		LINE_TEST(test_batch_line_has_options_of_its_own),
		LINE_TEST(test_batch_line_says_why_there_is_no_output),
		LINE_TEST(test_batch_line_leaves_nothing_to_the_next),
		LINE_TEST(test_batch_line_that_is_killed_leaves_no_files),
		LINE_TEST(test_batch_line_takes_no_descriptors_from_lines),
		LINE_TEST(test_batch_line_classes_are_those_of_exit_codes),
		LINE_TEST(test_batch_line_codes_begin_messages),
		LINE_TEST(test_batch_line_options_are_checked_before_any),
	};

	return cmocka_run_group_tests_name("cli/batch_line", tests, NULL, NULL);
}
