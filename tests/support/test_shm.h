/* SPDX-License-Identifier: MIT */
/*
 * test_shm.h - what the tests of shm/ and of the worker loop share.
 *
 * Does: runs a piece of a test in a child process and says how it ended, so
 *       that the parent alone asserts; a clock; pseudo-random numbers; waits
 *       for other processes.
 */
#ifndef TESTS_SUPPORT_TEST_SHM_H
#define TESTS_SUPPORT_TEST_SHM_H

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define CHILD_OK 0
#define CHILD_SKIP 77 /* the machine does not let us try */

#ifdef __SANITIZE_THREAD__
#define UNDER_TSAN 1
#else
#define UNDER_TSAN 0
#endif

/* valgrind runs one thread at a time and has limits of its own. */
static inline bool
under_valgrind(void)
{
	const char *preload = getenv("LD_PRELOAD");

	return preload != NULL && strstr(preload, "vgpreload") != NULL;
}

/* For main(): leaves out the whole program, visibly. */
static inline int
skip_all(const char *why)
{
	printf("1..0 # SKIP %s\n", why);
	return CHILD_SKIP;
}

/* For a child: ends it with the number of the line that was not so. */
#define CHILD_CHECK(cond) ((cond) ? (void)0 : child_failed(#cond, __LINE__))

/* Fails the test unless so; says what was got and what was wanted. */
#define ASSERT_EQ(got, want)                                            \
	do {                                                            \
		long long got_ = (long long)(got);                      \
		long long want_ = (long long)(want);                    \
                                                                        \
		if (got_ != want_)                                      \
			fail_msg("%s: got %lld, want %lld", #got, got_, \
				 want_);                                \
	} while (0)

#define ASSERT_TRUE(cond)                                       \
	do {                                                    \
		if (!(cond))                                    \
			fail_msg("got not so, want %s", #cond); \
	} while (0)

static inline _Noreturn void
child_failed(const char *what, int line)
{
	fprintf(stderr, "# in a child, line %d: not so: %s\n", line, what);
	_exit(1);
}

/* How a process ended: its exit code, or minus its signal. */
static inline int
wait_for(pid_t pid)
{
	int status;

	while (waitpid(pid, &status, 0) < 0)
		if (errno != EINTR)
			return -1000;
	return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

typedef void
child_fn(void *arg);

/* Starts fn(arg) in a child; it ends with CHILD_OK if fn returns. */
static inline pid_t
start_child(child_fn *fn, void *arg)
{
	static const int caught[] = { SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGSYS };
	const struct rlimit no_core = { 0, 0 };
	pid_t pid;

	fflush(NULL);
	pid = fork();
	if (pid != 0)
		return pid;
	setrlimit(RLIMIT_CORE, &no_core);
	prctl(PR_SET_PDEATHSIG, SIGKILL); /* nobody is left behind */
	/* cmocka catches these, and would go on with the tests of its parent */
	for (size_t i = 0; i < sizeof(caught) / sizeof(caught[0]); i++)
		signal(caught[i], SIG_DFL);
	fn(arg);
	_exit(CHILD_OK);
}

static inline int
run_child(child_fn *fn, void *arg)
{
	pid_t pid = start_child(fn, arg);

	return pid < 0 ? -1000 : wait_for(pid);
}

/* The same, and what the machine forbids is a test left out, visibly. */
static inline void
run_child_or_skip(child_fn *fn, void *arg)
{
	int code = run_child(fn, arg);

	if (code == CHILD_SKIP)
		skip();
	ASSERT_EQ(code, CHILD_OK);
}

/*
 * Until the kernel says that a process is in this state: S asleep, T stopped.
 * No wait in these tests has a limit of its own: run_tests.sh has one for all
 * of a program, which goes by how busy the machine is.
 */
static inline void
wait_for_state(pid_t pid, char state)
{
	char path[64];
	char text[512];
	const char *behind;

	snprintf(path, sizeof(path), "/proc/%d/stat", (int)pid);
	do {
		int fd = open(path, O_RDONLY | O_CLOEXEC);
		ssize_t got = fd < 0 ? 0 : read(fd, text, sizeof(text) - 1);

		if (fd >= 0)
			close(fd);
		text[got < 0 ? 0 : got] = '\0';
		behind = strrchr(text, ')');
		/* it has ended: the test will say so */
		if (behind == NULL || behind[2] == 'Z')
			return;
		sched_yield();
	} while (behind[2] != state);
}

/* xorshift64*: fixed seeds give fixed tests. */
static inline uint64_t
random_next(uint64_t *state)
{
	*state ^= *state >> 12;
	*state ^= *state << 25;
	*state ^= *state >> 27;
	return *state * 0x2545f4914f6cdd1dull;
}

static inline bool
write_text(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY | O_CLOEXEC);
	size_t bytes = strlen(text);
	bool ok = fd >= 0 && write(fd, text, bytes) == (ssize_t)bytes;

	if (fd >= 0)
		close(fd);
	return ok;
}

/* For a child: a tmpfs of this size on `where`, for it alone. */
static inline void
child_mount_tmpfs(const char *where, const char *options)
{
	char map[64];
	unsigned int uid = getuid();
	unsigned int gid = getgid();

	if (unshare(CLONE_NEWNS) != 0) {
		if (unshare(CLONE_NEWUSER | CLONE_NEWNS) != 0)
			_exit(CHILD_SKIP);
		snprintf(map, sizeof(map), "0 %u 1", uid);
		write_text("/proc/self/setgroups", "deny");
		if (!write_text("/proc/self/uid_map", map))
			_exit(CHILD_SKIP);
		snprintf(map, sizeof(map), "0 %u 1", gid);
		write_text("/proc/self/gid_map", map);
	}
	if (mount("none", "/", "none", MS_REC | MS_PRIVATE, "") != 0 ||
	    mount("tmpfs", where, "tmpfs", 0, options) != 0)
		_exit(CHILD_SKIP);
}

/* Descriptors of this process, for what must leave none behind. */
static inline int
open_fds(void)
{
	DIR *dir = opendir("/proc/self/fd");
	int n = 0;

	while (dir != NULL && readdir(dir) != NULL)
		n++;
	if (dir != NULL)
		closedir(dir);
	return n;
}

#endif
