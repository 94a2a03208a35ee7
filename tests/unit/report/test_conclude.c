/* SPDX-License-Identifier: MIT */
/*
 * test_conclude.c - how a run ends that is over: its exit code, its plan, its
 *                   report; in a child, for what is concluded is written.
 */
#include "tests/support/test_report_rig.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>

#include <jansson.h>

#include "report/conclude.h"
#include "report/warnings.h"
#include "supervisor/supervisor.h"

static struct options options;
static char out[65536];
static char err[65536];

static void
take(int fd, char *text, size_t size)
{
	ssize_t got = pread(fd, text, size - 1, 0);

	text[got < 0 ? 0 : got] = '\0';
	close(fd);
}

static _Noreturn void
child(void)
{
	static struct supervisor supervisor;
	int code;

	diag_init(STDERR_FILENO, DIAG_WARN, false, "run");
	warnings_keep();
	run.job.plan_only = options.pack.plan_only;
	supervisor.run = run;
	supervisor.options = &options;
	supervisor.output = OUTPUT_NONE;
	supervisor.parts = PART_SET_NONE;
	supervisor.run.memory_bytes = 1ull << 40;
	code = supervisor_conclude(&supervisor);
	fflush(NULL);
	_exit(code);
}

/* The exit code of the run; `out` and `err` have what it printed. */
static int
concluded(void)
{
	int fds[2];
	int status;
	pid_t pid;

	for (int i = 0; i < 2; i++)
		fds[i] = memfd_create("conclude", MFD_CLOEXEC);
	fflush(NULL);
	pid = fork();
	assert_true(pid >= 0);
	if (pid == 0) {
		dup2(fds[0], STDOUT_FILENO);
		dup2(fds[1], STDERR_FILENO);
		child();
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	take(fds[0], out, sizeof(out));
	take(fds[1], err, sizeof(err));
	return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

static void
ends(int code, const char *said)
{
	int got = concluded();

	if (got != code || strstr(err, said) == NULL ||
	    (*said == '\0' && *err != '\0'))
		fail_msg("ended with %d, want %d: %s\n%s%s", got, code, said,
			 out, err);
}

static int
begin(void **state)
{
	options = (struct options){ .kind = JOB_PREVIEW,
				    .encoding = "o200k_base",
				    .quiet = true };
	options.pack.plan_only = true;
	return set_up(state);
}

/* All that was read is packed. */
static void
test_conclude_of_a_whole_run_is_complete(void **state)
{
	add_file("a.c", REASON_NONE, 100);
	add_chunk(100, 1, true);
	ends(0, "");
	assert_string_equal(out, "100\tpacked\ta.c:1-10\n");
	options.json = true;
	ends(0, "");
	assert_non_null(strstr(out, "\"used\":100}"));
	options.kind = JOB_TREE;
	options.json = false;
	ends(0, "");
	assert_string_equal(out, "100  100.0 %  total\n");
}

/* What could not be read makes it degraded, and with --strict there is none. */
static void
test_conclude_without_a_file_is_degraded(void **state)
{
	add_file("a.c", REASON_NONE, 100);
	add_chunk(100, 1, true);
	add_file("b.c", REASON_UNREADABLE, 0);
	add_file("c.bin", REASON_BINARY, 0);
	ends(3, "the rest is shown: files are missing: 1 unreadable; --report "
		"FILE lists them");
	assert_non_null(strstr(out, "100\tpacked\ta.c:1-10\n"));
	assert_non_null(strstr(out, "0\tbinary\tc.bin\n"));
	options.kind = JOB_TREE;
	ends(3, "the rest is counted: files are missing: 1 unreadable; bale "
		"preview lists them");
	options.kind = JOB_PREVIEW;
	options.strict = true;
	ends(3, "--strict: nothing is written to stdout: files are missing: 1 "
		"unreadable");
	assert_string_equal(out, "");
}

static void
test_conclude_without_a_text_has_nothing(void **state)
{
	ends(9, "BALE-CTX-004: nothing to pack: no text files found; see "
		"--no-ignore, --hidden, --include");
	add_file("a.bin", REASON_BINARY, 1);
	add_file("b.bin", REASON_BINARY, 1);
	ends(9, "nothing to pack: a.bin: ");
	assert_non_null(strstr(err, ", and 1 more; --report lists them"));
	assert_string_equal(out, "");
}

/* There are chunks, and none is planned. */
static void
test_conclude_where_nothing_fits_is_a_matter_of_the_budget(void **state)
{
	add_file("a.c", REASON_NONE, 2000);
	add_chunk(2000, 1, false);
	ends(8, "BALE-BUD-001: not even the smallest chunk fits into 900 "
		"tokens; give a larger --budget or smaller reserves");
	assert_string_equal(out, "");
}

/* What a part cannot hold is named. */
static void
test_conclude_names_the_file_that_no_part_holds(void **state)
{
	add_file("a.c", REASON_NONE, 100);
	add_chunk(100, 1, true);
	run.job.split_tokens = 50;
	run.segment.control->verdict.no_part = 1;
	ends(8, "BALE-BUD-006: --split 50: a part cannot hold even one "
		"character of a.c");
	run.segment.control->verdict.no_part = 7;
	ends(8, "even one character of a file with");
}

/* A file of the plan, and the report of it beside. */
static void
test_conclude_gives_all_their_names(void **state)
{
	char plan[300];
	json_t *json;

	snprintf(plan, sizeof(plan), "%s/plan.txt", dir);
	options.output_path = plan;
	options.report_path = target;
	add_file("a.c", REASON_NONE, 100);
	add_chunk(100, 1, true);
	ends(0, "");
	assert_string_equal(out, "");
	json = json_load_file(target, 0, NULL);
	assert_non_null(json);
	json_decref(json);
	assert_int_equal(unlink(plan), 0);
	/* neither, if one of them cannot be had */
	unlink(target);
	options.output_path = "/proc/none";
	ends(4, "cannot write /proc/none: No such file or directory");
	assert_int_equal(access(target, F_OK), -1);
}

static void
test_conclude_explains_on_stderr(void **state)
{
	add_file("a.c", REASON_NONE, 100);
	add_chunk(100, 1, true);
	options.explain = true;
	ends(0, " score relev recen sourc prio");
}

#define CONCLUDE_TEST(name) \
	cmocka_unit_test_setup_teardown(test_##name, begin, tear_down)

int
main(void)
{
	const struct CMUnitTest tests[] = {
		CONCLUDE_TEST(conclude_of_a_whole_run_is_complete),
		CONCLUDE_TEST(conclude_without_a_file_is_degraded),
		CONCLUDE_TEST(conclude_without_a_text_has_nothing),
		CONCLUDE_TEST(
			conclude_where_nothing_fits_is_a_matter_of_the_budget),
		CONCLUDE_TEST(conclude_names_the_file_that_no_part_holds),
		CONCLUDE_TEST(conclude_gives_all_their_names),
		CONCLUDE_TEST(conclude_explains_on_stderr),
	};

	return cmocka_run_group_tests_name("report/conclude", tests, NULL,
					   NULL);
}
