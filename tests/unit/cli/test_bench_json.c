/* SPDX-License-Identifier: MIT */
/*
 * test_bench_json.c - results that are written and read back; what is no result.
 */
#include "tests/support/test_dir.h"

#include <sys/mman.h>

#include "base/exit_code.h"
#include "cli/bench.h"

static struct bench_result result = {
	.machine = "a \"machine\"",
	.cpu_nr = 3,
	.run_nr = 2,
	.files = 5,
	.bytes = 600,
	.tokens = 70,
	.case_nr = 1,
	.cases = { { .name = "warm uring 1",
		     .worker_nr = 1,
		     .io = IO_URING,
		     .wall_ns = { 2, { 10, 12 } },
		     .cpu_ns = { 2, { 8, 9 } },
		     .disk_bytes = { 2, { 0, 0 } },
		     .other_ns = { 2, { 1, 2 } } } },
};

static void
write_result(const char *path, const struct bench_result *old)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);

	ASSERT_EQ(bench_write(&result, old, fd), 0);
	close(fd);
}

static void
test_results_come_back(void **state)
{
	struct bench_result *got = NULL;

	write_result("a.json", NULL);
	ASSERT_EQ(bench_load("a.json", 0, &got), EXIT_COMPLETE);
	assert_string_equal(got->machine, result.machine);
	ASSERT_EQ(got->cpu_nr, 3);
	ASSERT_EQ(got->files, 5);
	ASSERT_EQ(got->bytes, 600);
	ASSERT_EQ(got->case_nr, 1);
	assert_string_equal(got->cases[0].name, "warm uring 1");
	assert_memory_equal(&got->cases[0].wall_ns, &result.cases[0].wall_ns,
			    sizeof(struct bench_series));
	assert_memory_equal(&got->cases[0].cpu_ns, &result.cases[0].cpu_ns,
			    sizeof(struct bench_series));
	write_result("b.json", got);
	assert_non_null(strstr(dir_read("b.json"),
			       "\"name\":\"warm uring 1\",\"wall\":1"));
	munmap(got, sizeof(*got));
}

static void
test_what_is_no_result_is_refused(void **state)
{
	static const char *const bad[] = {
		"",
		"{}",
		"[1]",
		"{\"version\":2,\"cases\":[{}]}",
		"{\"version\":1,\"cases\":[]}",
		"{\"version\":1,\"cases\":[{\"name\":\"a\"}]}",
		"{\"version\":1,\"cases\":[{\"name\":\"a\",\"wall_ns\":[-1],"
		"\"cpu_ns\":[1],\"other_ns\":[1]}]}",
		"{\"version\":1,\"cases\":[{\"name\":\"a\",\"wall_ns\":[\"1\"],"
		"\"cpu_ns\":[1],\"other_ns\":[1]}]}",
		"{\"version\":1,\"cases\":[{\"name\":\"a\",\"wall_ns\":[1,1,1,1,"
		"1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1],\"cpu_ns\":[1],"
		"\"other_ns\":[1]}]}",
	};
	struct bench_result *got = NULL;

	for (size_t i = 0; i < ARRAY_LEN(bad); i++) {
		dir_write("bad.json", bad[i]);
		ASSERT_EQ(bench_load("bad.json", 0, &got), EXIT_USAGE);
		assert_null(got);
	}
	ASSERT_EQ(bench_load("nowhere.json", 0, &got), EXIT_USAGE);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_results_come_back,
						dir_set_up, dir_tear_down),
		cmocka_unit_test_setup_teardown(
			test_what_is_no_result_is_refused, dir_set_up,
			dir_tear_down),
	};

	return cmocka_run_group_tests_name("cli/bench_json", tests, NULL, NULL);
}
