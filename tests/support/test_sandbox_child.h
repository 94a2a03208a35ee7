/* SPDX-License-Identifier: MIT */
/*
 * test_sandbox_child.h - a child in the sandbox of a stage, and what came of it.
 */
#ifndef TESTS_SUPPORT_TEST_SANDBOX_CHILD_H
#define TESTS_SUPPORT_TEST_SANDBOX_CHILD_H

#include "tests/support/test_sandbox.h"
#include "base/child_process.h"

#include <linux/openat2.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>

#include "base/diag.h"
#include "shm/table.h"
#include "shm/wait.h"
#include "catalogue/catalogue.h"

#define DIED 1000 /* + signal: what child() gives for a death */

static char root[256];

static char outside[300];

static char inside[300];

static char link_out[300];

static char output_path[300];

static struct run run;

static struct reach reach;

static struct wait_shm *waiter;

static const char *const stage_names[STAGE_NR] = {
	"collect", "chunk", "count", "dedup", "select", "format"
};

/* Small ones: valgrind has no room for the address space of real ones. */
static inline void
create_tables(struct catalogue *catalogue)
{
	assert_int_equal(catalogue_create(catalogue), 0);
}

static inline int
set_up(void **state)
{
	static const char *roots[1];
	char base[200];

	make_folder(base, sizeof(base), "bale-sandbox");
	snprintf(root, sizeof(root), "%s/root", base);
	snprintf(outside, sizeof(outside), "%s/outside", base);
	snprintf(inside, sizeof(inside), "%s/inside", root);
	snprintf(link_out, sizeof(link_out), "%s/link", root);
	snprintf(output_path, sizeof(output_path), "%s/output", base);
	assert_int_equal(mkdir(root, 0755), 0);
	make_file(outside);
	make_file(inside);
	assert_int_equal(symlink(outside, link_out), 0);
	roots[0] = root;
	run.job.roots = roots;
	run.job.root_nr = 1;
	run.output_fd = open(output_path, O_CREAT | O_RDWR | O_CLOEXEC, 0644);
	assert_true(run.output_fd > 2);
	create_tables(&run.catalogue);
	waiter = mmap(NULL, sizeof(*waiter), PROT_READ | PROT_WRITE,
		      MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	assert_true(waiter != MAP_FAILED);
	assert_int_equal(wait_init(waiter), 0);
	sandbox_probe(&sandbox);
	run.sandbox_layers = sandbox.layers;
	return 0;
}

static inline int
tear_down(void **state)
{
	catalogue_close(&run.catalogue);
	close(run.output_fd);
	unlink(link_out);
	unlink(inside);
	unlink(outside);
	unlink(output_path);
	rmdir(root);
	*strrchr(root, '/') = '\0';
	rmdir(root);
	return 0;
}

/* What `attempt` returns in a worker of that stage, or DIED + signal. */
static inline int
child(enum stage_id stage, int (*attempt)(void))
{
	pid_t pid = fork();
	int status;

	if (pid == 0) {
		if (child_process_no_core() != 0 ||
		    sandbox_enter(&run, stage, &reach) != 0)
			_exit(255);
		_exit(attempt());
	}
	assert_true(pid > 0);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	if (WIFSIGNALED(status)) {
		assert_false(WCOREDUMP(status));
		return DIED + WTERMSIG(status);
	}
	return WEXITSTATUS(status);
}

static inline void
expect(enum stage_id stage, int got, int want)
{
	if (got != want)
		fail_msg("%s: got %d, want %d", stage_names[stage], got, want);
}

static inline void
expect_everywhere(int (*attempt)(void), int want)
{
	for (int s = 0; s < STAGE_NR; s++)
		expect((enum stage_id)s, child((enum stage_id)s, attempt),
		       want);
}

static inline int
open_passwd(void)
{
	return try_open("/etc/passwd", O_RDONLY);
}

static inline int
open_inside(void)
{
	return try_open(inside, O_RDONLY);
}

static inline int
open_outside(void)
{
	return try_open(outside, O_RDONLY);
}

static inline int
try_ptrace(void)
{
	return ptrace(PTRACE_TRACEME, 0, NULL, NULL) == 0 ? 0 : errno;
}

#endif
