/* SPDX-License-Identifier: MIT */
/*
 * test_sandbox_seccomp.c - which calls a stage may make, tried in a child each.
 */
#include "tests/support/test_sandbox_child.h"

static int
try_execve(void)
{
	char *argv[] = { (char[]){ "true" }, NULL };

	execve("/bin/true", argv, NULL);
	return errno;
}

static int
try_socket(void)
{
	return socket(AF_UNIX, SOCK_STREAM, 0) >= 0 ? 0 : errno;
}

static int
try_fork(void)
{
	pid_t pid = fork();

	if (pid == 0)
		_exit(0);
	return pid > 0 ? 0 : errno;
}

static int
try_unlink(void)
{
	return unlink(inside) == 0 ? 0 : errno;
}

static int
try_rename(void)
{
	return rename(inside, outside) == 0 ? 0 : errno;
}

static int
try_int80(void)
{
#ifdef __x86_64__
	long result;

	/* getpid by the door of 32-bit programs */
	__asm__ volatile("int $0x80" : "=a"(result) : "a"(20) : "memory");
	return result == -ENOSYS ? 0 : 1;
#else
	kill(getpid(), SIGSYS);
	return 1;
#endif
}

static void
test_sandbox_break_in_dies_of_sigsys(void **state)
{
	static int (*const attempts[])(void) = {
		try_execve, try_socket, try_ptrace, try_fork,
		try_unlink, try_rename, try_int80,
	};

	need(SANDBOX_SECCOMP);
	for (size_t i = 0; i < ARRAY_LEN(attempts); i++)
		expect_everywhere(attempts[i], DIED + SIGSYS);
	assert_int_equal(access(inside, F_OK), 0);
}

static int
map_code(void)
{
	void *memory = mmap(NULL, 4096, PROT_READ | PROT_EXEC,
			    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	return memory != MAP_FAILED ? 0 : errno;
}

static int
make_code(void)
{
	void *memory = mmap(NULL, 4096, PROT_READ | PROT_WRITE,
			    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	return mprotect(memory, 4096, PROT_READ | PROT_EXEC) == 0 ? 0 : errno;
}

static int
signal_the_parent(void)
{
	return kill(getppid(), SIGTERM) == 0 ? 0 : errno;
}

static void
test_sandbox_code_and_foreign_signals_are_refused(void **state)
{
	need(SANDBOX_SECCOMP);
	expect_everywhere(map_code, EPERM);
	expect_everywhere(make_code, EPERM);
	expect_everywhere(signal_the_parent, EPERM);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_sandbox_break_in_dies_of_sigsys),
		cmocka_unit_test(
			test_sandbox_code_and_foreign_signals_are_refused),
	};

	return cmocka_run_group_tests_name("supervisor/sandbox_seccomp", tests,
					   set_up, tear_down);
}
