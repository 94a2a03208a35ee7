/* SPDX-License-Identifier: MIT */
/*
 * What is left of root's capabilities to a worker of each stage, tried in a
 * child each.
 */
#include "supervisor/sandbox.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "supervisor/supervisor.h"

static bool begins;      /* so does a supervisor */
static char theirs[256]; /* a file for its owner alone, who is not we */

static int
set_up(void **state)
{
	const char *dir = getenv("TMPDIR");
	int fd;

	snprintf(theirs, sizeof(theirs), "%s/bale-caps.XXXXXX",
		 dir == NULL ? "/tmp" : dir);
	fd = mkstemp(theirs); /* 0600 */
	assert_true(fd >= 0);
	close(fd);
	return 0;
}

static int
tear_down(void **state)
{
	return unlink(theirs);
}

/* What `attempt` returns in a worker that has given up no more than this: the
 * other layers would refuse it all. */
static int
child(enum stage_id stage, int (*attempt)(void))
{
	static struct run run = {
		.sandbox_layers = SANDBOX_NO_NEW_PRIVS | SANDBOX_CAPABILITIES,
	};
	static const struct reach reach;
	pid_t pid = fork();
	int status;
	unsigned active;

	if (pid == 0) {
		/* a worker of a supervisor that has begun, which may do less */
		if (begins && sandbox_begin(SANDBOX_AUTO, &active) != 0)
			_exit(253);
		if (sandbox_enter(&run, stage, &reach) != 0)
			_exit(255);
		_exit(attempt());
	}
	assert_true(pid > 0);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFEXITED(status));
	return WEXITSTATUS(status);
}

static int
open_theirs(void)
{
	return open(theirs, O_RDONLY | O_CLOEXEC) >= 0 ? 0 : errno;
}

static int
become_other(void)
{
	return setresuid(65534, 65534, 65534) == 0 ? 0 : errno;
}

/* All sets of capabilities, together; 254: the one that reads. */
static int
find_capabilities(void)
{
	unsigned long long all = 0;
	FILE *status = fopen("/proc/self/status", "re");
	char line[256];
	int sets = 0;

	while (status != NULL && fgets(line, sizeof(line), status) != NULL) {
		if (strncmp(line, "Cap", 3) != 0)
			continue;
		all |= strtoull(line + strlen("CapXxx:"), NULL, 16);
		sets++;
	}
	if (sets != 5)
		return 1;
	/* containers often have the second alone */
	if (all == 1 << CAP_DAC_READ_SEARCH || all == 1 << CAP_DAC_OVERRIDE)
		return 254;
	return all != 0 ? 2 : 0;
}

static void
test_caps_are_left_to_collect_alone(void **state)
{
	if (geteuid() != 0)
		skip();
	assert_int_equal(chown(theirs, 65534, 65534), 0);
	for (int s = 0; s < 2 * STAGE_NR; s++) {
		enum stage_id stage = (enum stage_id)(s % STAGE_NR);
		bool reads = stage == STAGE_COLLECT;

		begins = s >= STAGE_NR;
		assert_int_equal(child(stage, open_theirs), reads ? 0 : EACCES);
		assert_int_equal(child(stage, become_other), EPERM);
		assert_int_equal(child(stage, find_capabilities),
				 reads ? 254 : 0);
	}
}

static bool
refuse_to_drop(void)
{
	struct sock_filter lines[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS,
			 offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_prctl, 0, 3),
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS,
			 offsetof(struct seccomp_data, args)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, PR_CAPBSET_DROP, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	const struct sock_fprog program = { ARRAY_LEN(lines), lines };

	return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
	       prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
}

/* An exit code that says what was not as it should be. */
static int
try_refused(void)
{
	static const struct run run = { .sandbox_layers =
						SANDBOX_CAPABILITIES };
	static const struct reach reach;
	struct sandbox sandbox;
	unsigned active;

	if (!refuse_to_drop())
		return 77;
	sandbox_probe(&sandbox);
	if ((sandbox.layers & SANDBOX_CAPABILITIES) != 0)
		return 1;
	if (sandbox_begin(SANDBOX_REQUIRE, &active) != EXIT_RESOURCES)
		return 2;
	/* that was found before it was refused */
	return sandbox_enter(&run, STAGE_COUNT, &reach) == -EPERM ? 0 : 3;
}

static void
test_caps_that_cannot_be_dropped_are_told(void **state)
{
	pid_t pid;
	int status;

	if (geteuid() != 0)
		skip();
	pid = fork();
	if (pid == 0)
		_exit(try_refused());
	assert_true(pid > 0);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFEXITED(status));
	if (WEXITSTATUS(status) == 77)
		skip();
	assert_int_equal(WEXITSTATUS(status), 0);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_caps_are_left_to_collect_alone),
		cmocka_unit_test(test_caps_that_cannot_be_dropped_are_told),
	};

	return cmocka_run_group_tests_name("supervisor/sandbox_caps", tests,
					   set_up, tear_down);
}
