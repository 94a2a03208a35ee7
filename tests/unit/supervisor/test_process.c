/* SPDX-License-Identifier: MIT */
/*
 * What processes have in memory together.
 */
#include "supervisor/process.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

static void
test_report_pss_now_counts_shared_pages_once(void **state)
{
#ifdef __SANITIZE_THREAD__
	skip(); /* its shadow is larger than what is to be measured */
#endif
	const size_t bytes = 32u << 20;
	char *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
			    MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	pid_t pids[2] = { getpid(), 0 };
	uint64_t before = pss_now(pids, 1);
	uint64_t sum;
	char byte;
	int ends[2];

	assert_true(memory != MAP_FAILED);
	if (before == 0)
		skip(); /* no smaps_rollup in this kernel */
	memset(memory, 1, bytes);
	assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, ends), 0);
	pids[1] = fork();
	if (pids[1] == 0) {
		volatile char sink = 0;

		close(ends[1]);
		for (size_t i = 0; i < bytes; i += 4096)
			sink = (char)(sink + memory[i]);
		(void)!write(ends[0], "", 1);
		_exit((int)read(ends[0], &byte, 1)); /* until it is closed */
	}
	assert_int_equal(read(ends[1], &byte, 1), 1);
	sum = pss_now(pids, 2);
	close(ends[1]);
	waitpid(pids[1], NULL, 0);
	close(ends[0]);
	munmap(memory, bytes);
	/* others that start meanwhile take a share of the libraries */
	assert_true(sum + bytes / 4 >= before + bytes);
	assert_true(sum < before + bytes + bytes / 2);
	assert_int_equal(pss_now(&pids[1], 1), 0); /* is gone */
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_report_pss_now_counts_shared_pages_once),
	};

	return cmocka_run_group_tests_name("supervisor/pss", tests, NULL, NULL);
}
