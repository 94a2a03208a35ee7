/* SPDX-License-Identifier: MIT */
/*
 * test_set_up.c - what a run needs before its first worker: what is made of
 * the options, which of them end it, and the workers of the first lane.
 */
#include "tests/support/test_dir.h"
#include "tests/support/test_supervisor_rig.h"

/* A supervisor as the command has it before it is set up. */
static int
begin(void **state)
{
	ASSERT_EQ(dir_set_up(state), 0);
	options = (struct options){
		.kind = JOB_PACK,
		.output_path = "o.md",
		.encoding = "cl100k_base",
		.memory_bytes = 128u << 20,
	};
	supervisor = (struct supervisor){
		.options = &options,
		.output = OUTPUT_NONE,
		.epoll_fd = -1,
		.run = { .output_fd = -1,
			 .lane_nr = 2,
			 .memory_bytes = 128u << 20 },
	};
	supervisor.run.job.budget_tokens = 1000;
	supervisor.run.job.response_reserve_tokens = 100;
	log_begin(DIAG_INFO);
	return 0;
}

/* All that was made. */
static void
undo(void)
{
	if (supervisor.output.stream_fd > STDERR_FILENO)
		close(supervisor.output.stream_fd);
	output_close(&supervisor.output);
	segment_destroy(&supervisor.run.segment);
	supervisor.run.segment = (struct segment){ 0 };
	catalogue_close(&supervisor.run.catalogue);
	if (supervisor.epoll_fd >= 0)
		close(supervisor.epoll_fd);
	supervisor.epoll_fd = -1;
	if (supervisor.run.lanes_fd > 0)
		close(supervisor.run.lanes_fd);
	supervisor.run.lanes_fd = 0;
	free(supervisor.run.outputs);
	supervisor.run.outputs = NULL;
	supervisor.run.output_nr = 0;
}

static int
end(void **state)
{
	return dir_tear_down(state);
}

static void
test_set_up_makes_what_workers_need(void **state)
{
	const struct run *run = &supervisor.run;

	dir_write("report.json", "{}");
	options.report_path = "report.json";
	ASSERT_EQ(supervisor_set_up(&supervisor), 0);
	ASSERT_TRUE(run->tokenizer != NULL);
	ASSERT_EQ(run->job.available_tokens, 900);
	ASSERT_TRUE(!run->job.takes_all);
	ASSERT_TRUE(run->job.query == NULL);
	ASSERT_EQ(supervisor.worker_slot_nr, stage_worker_nr(2));
	ASSERT_TRUE(run->segment.slabs.nr > 0);
	ASSERT_TRUE(supervisor.epoll_fd >= 0 && run->lanes_fd > 0);
	ASSERT_TRUE(run->output_fd >= 0 && supervisor.output.stream_fd < 0);
	/* the output and the report are no input */
	ASSERT_EQ(run->output_nr, 2);
	ASSERT_EQ(table_reserve(&run->catalogue.files, 64), 0);
	ASSERT_SILENT();
	undo();
}

/* A preview writes no output, and takes nothing of an earlier one away. */
static void
test_set_up_of_a_preview_leaves_the_output_alone(void **state)
{
	dir_write("o.md", "old");
	options.kind = JOB_PREVIEW;
	ASSERT_EQ(supervisor_set_up(&supervisor), 0);
	ASSERT_TRUE(supervisor.output.stream_fd >= 0);
	ASSERT_EQ(supervisor.run.output_nr, 0);
	undo();
	ASSERT_TEXT("o.md", "old");
}

static void
test_set_up_reads_what_options_name(void **state)
{
	dir_write("l", "a.c\nb.c\n");
	dir_write("q", "render tables");
	options.files_from = "l";
	options.query_text = "@q";
	options.header = "Read this.";
	ASSERT_EQ(supervisor_set_up(&supervisor), 0);
	ASSERT_EQ(supervisor.run.job.file_nr, 2);
	assert_string_equal(supervisor.run.job.files[1], "b.c");
	ASSERT_TRUE(supervisor.run.job.query != NULL);
	ASSERT_TRUE(supervisor.run.job.counts_terms);
	ASSERT_EQ(supervisor.run.job.markup.header_bytes, 10);
	ASSERT_SILENT();
	undo();
	/* words that say nothing are no query, which is said */
	options.files_from = NULL;
	options.query_text = "the of and";
	ASSERT_EQ(supervisor_set_up(&supervisor), 0);
	ASSERT_TRUE(supervisor.run.job.query == NULL);
	ASSERT_SAID("--query has no usable words; ranking without it");
	undo();
	/* and nothing can be found by it */
	options.kind = JOB_FIND;
	ASSERT_EQ(supervisor_set_up(&supervisor), EXIT_USAGE);
	ASSERT_SAID("the of and: no word of this query can be looked for");
	undo();
	options.kind = JOB_PACK;
}

/* What ends a run before it begins; with what code, and what is said. */
static void
test_set_up_ends_with_what_is_wrong(void **state)
{
	static const struct options good = {
		.kind = JOB_PACK,
		.output_path = "o.md",
		.encoding = "cl100k_base",
		.memory_bytes = 128u << 20,
	};
	const struct {
		const char *files_from;
		const char *query_text;
		const char *encoding;
		const char *output_path;
		const char *header;
		uint64_t list_bytes;
		bool sources_only;
		int code;
		const char *said;
	} cases[] = {
		{ .encoding = "none",
		  .code = EXIT_USAGE,
		  .said = "unknown encoding none" },
		{ .files_from = "none",
		  .code = EXIT_USAGE,
		  .said = "--files-from none: No such file" },
		{ .files_from = "empty",
		  .code = EXIT_NOTHING,
		  .said = "--files-from empty: it lists no files" },
		{ .files_from = "l",
		  .list_bytes = 20,
		  .code = EXIT_RESOURCES,
		  .said = "take more than half of --memory" },
		{ .query_text = "@none",
		  .code = EXIT_USAGE,
		  .said = "the query @none: No such file or directory; @ names a file: put a blank before it to ask for the text" },
		{ .header = "## File: a.c",
		  .code = EXIT_USAGE,
		  .said = "--header: line 1" },
		{ .sources_only = true,
		  .code = EXIT_NOTHING,
		  .said = "BALE-CTX-004" },
		{ .output_path = "none/o.md",
		  .code = EXIT_OUTPUT,
		  .said = "none/o.md" },
	};

	dir_write("l", "a.c\n");
	dir_write("empty", "\n");
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		int code;

		options = good;
		options.files_from = cases[i].files_from;
		options.query_text = cases[i].query_text;
		options.header = cases[i].header;
		if (cases[i].encoding != NULL)
			options.encoding = cases[i].encoding;
		if (cases[i].output_path != NULL)
			options.output_path = cases[i].output_path;
		if (cases[i].list_bytes > 0)
			options.memory_bytes = cases[i].list_bytes;
		supervisor.run.job.sources_only = cases[i].sources_only;
		code = supervisor_set_up(&supervisor);
		if (code != cases[i].code)
			fail_msg("case %zu: got %d; %s", i, code, log_text());
		ASSERT_SAID(cases[i].said);
		ASSERT_NAMES(".", "empty l");
		if (i + 1 == ARRAY_LEN(cases))
			undo();
	}
}

/* Parts are files; a pipe cannot be cut. */
static void
test_set_up_of_parts_needs_a_file(void **state)
{
	int reader;

	ASSERT_EQ(mkfifo("p", 0600), 0);
	reader = open("p", O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	options.output_path = "p";
	supervisor.run.job.split_tokens = 100;
	ASSERT_EQ(supervisor_set_up(&supervisor), EXIT_USAGE);
	ASSERT_SAID("--split: p is a pipe or a device; parts are files");
	undo();
	close(reader);
	/* parts of an earlier run are no input */
	dir_write("o-001.md", "1");
	dir_write("o-002.md", "2");
	options.output_path = "o.md";
	ASSERT_EQ(supervisor_set_up(&supervisor), 0);
	ASSERT_EQ(supervisor.run.output_nr, 3);
	undo();
}

/* ---- workers ------------------------------------------------------------ */

/* Of each stage one, and no more. */
static void
test_set_up_starts_the_first_lane_and_the_first_pass(void **state)
{
	const struct control_shm *control = supervisor.run.segment.control;

	options.worker_nr = 2;
	ASSERT_EQ(supervisor_start(&supervisor), 0);
	ASSERT_EQ(supervisor.worker_slot_nr, stage_worker_nr(2));
	for (uint32_t i = 0; i < supervisor.worker_slot_nr; i++) {
		enum stage_id stage;
		uint32_t lane;

		stage_of_worker(i, 2, &stage, &lane);
		ASSERT_EQ(supervisor.worker_slots[i].pid > 0, lane == 0);
	}
	ASSERT_EQ(control->lanes_live, 1);
	ASSERT_EQ(control->lanes_settled, 0);
	ASSERT_EQ(control->pass, PASS_FIRST);
	ASSERT_SILENT();
}

/* Without even one of each there is no run, and no worker is left. */
static void
test_set_up_without_a_worker_of_each_is_no_run(void **state)
{
	struct rlimit limit;

	ASSERT_EQ(getrlimit(RLIMIT_NOFILE, &limit), 0);
	options.worker_nr = 2;
	supervisor.run.memory_bytes = 64u << 20;
	limit_descriptors(3);
	ASSERT_EQ(supervisor_start(&supervisor), EXIT_RESOURCES);
	ASSERT_EQ(setrlimit(RLIMIT_NOFILE, &limit), 0);
	ASSERT_EQ(waitpid(-1, NULL, WNOHANG), -1);
	ASSERT_EQ(errno, ECHILD);
	ASSERT_TRUE(strstr(log_text(), "ulimit -n") != NULL);
	ASSERT_SAID("cannot start even one worker of each stage");
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, begin, end)

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
		CASE(test_set_up_makes_what_workers_need),
		CASE(test_set_up_of_a_preview_leaves_the_output_alone),
		CASE(test_set_up_reads_what_options_name),
		CASE(test_set_up_ends_with_what_is_wrong),
		CASE(test_set_up_of_parts_needs_a_file),
		SUPERVISOR_CASE(
			test_set_up_starts_the_first_lane_and_the_first_pass),
		SUPERVISOR_CASE(test_set_up_without_a_worker_of_each_is_no_run),
	};

	return cmocka_run_group_tests_name("supervisor/set_up", tests, NULL,
					   NULL);
}
