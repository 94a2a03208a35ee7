/* SPDX-License-Identifier: MIT */
/*
 * sandbox_seccomp.c - the system calls that are left to a stage.
 *
 * Does: a filter for each stage from sandbox.def and from what the run says:
 *       which descriptor is the output, which ones are the tables.
 * Limits: seccomp sees numbers, never what a pointer points at.
 */
#include "supervisor/sandbox_layers.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/seccomp.h>
#include <seccomp.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#define LOG_FD 2 /* where log lines of workers go */

enum who { EVERYONE = 0, COLLECT };

struct allowed {
	int call;
	enum who who;
};

static const struct allowed allowed_calls[] = {
#define ALLOW(name, who) { SCMP_SYS(name), who },
#include "supervisor/sandbox.def"
};

static const int break_ins[] = {
#define BREAK_IN(name) SCMP_SYS(name),
#include "supervisor/sandbox.def"
};

/* What posix_fallocate(3) does to a table, with its way around where the
 * file system has no fallocate(2). */
static const int table_calls[] = {
	SCMP_SYS(fallocate), SCMP_SYS(ftruncate),  SCMP_SYS(fstat),
	SCMP_SYS(fstatfs),   SCMP_SYS(newfstatat), SCMP_SYS(fcntl),
	SCMP_SYS(pread64),   SCMP_SYS(pwrite64),
};

static const int output_calls[] = {
	SCMP_SYS(write),     SCMP_SYS(writev),    SCMP_SYS(pwrite64),
	SCMP_SYS(pwritev),   SCMP_SYS(pwritev2),  SCMP_SYS(read),
	SCMP_SYS(pread64),   SCMP_SYS(lseek),     SCMP_SYS(fstat),
	SCMP_SYS(fallocate), SCMP_SYS(ftruncate), SCMP_SYS(newfstatat),
	SCMP_SYS(fdatasync), SCMP_SYS(fsync),     SCMP_SYS(sync_file_range),
};

bool
seccomp_is_there(void)
{
	const uint32_t action = SECCOMP_RET_KILL_PROCESS;

	return syscall(SYS_seccomp, SECCOMP_GET_ACTION_AVAIL, 0, &action) == 0;
}

struct condition {
	unsigned arg;
	uint64_t mask;
	uint64_t value;
};

/* Allows a call if its argument, masked, has that value. */
static int
allow_if(scmp_filter_ctx filter, int call, struct condition condition)
{
	const struct scmp_arg_cmp compare = {
		.arg = condition.arg,
		.op = SCMP_CMP_MASKED_EQ,
		.datum_a = condition.mask,
		.datum_b = condition.value,
	};

	return seccomp_rule_add_array(filter, SCMP_ACT_ALLOW, call, 1,
				      &compare);
}

/* An int: the kernel does not look at the upper half of the register. */
static struct condition
is_int(unsigned arg, int value)
{
	return (struct condition){ arg, UINT32_MAX, (uint32_t)value };
}

static int
allow_on_fd(scmp_filter_ctx filter, const int *calls, size_t nr, int fd)
{
	int error = 0;

	if (fd < 0)
		return 0;
	for (size_t i = 0; i < nr && error == 0; i++)
		error = allow_if(filter, calls[i], is_int(0, fd));
	return error;
}

static int
add_lists(scmp_filter_ctx filter, enum stage_id stage)
{
	int error = 0;

	for (size_t i = 0; i < ARRAY_LEN(allowed_calls) && error == 0; i++) {
		if (allowed_calls[i].who == EVERYONE || stage == STAGE_COLLECT)
			error = seccomp_rule_add(filter, SCMP_ACT_ALLOW,
						 allowed_calls[i].call, 0);
	}
	for (size_t i = 0; i < ARRAY_LEN(break_ins) && error == 0; i++)
		error = seccomp_rule_add(filter, SCMP_ACT_KILL_PROCESS,
					 break_ins[i], 0);
	return error;
}

/* Memory is never code; signals and log lines are one's own. */
static int
add_common(scmp_filter_ctx filter)
{
	const struct condition is_data = { 2, PROT_EXEC, 0 };
	const struct condition is_us = is_int(0, getpid());
	int error = allow_if(filter, SCMP_SYS(write), is_int(0, LOG_FD));

	if (error == 0)
		error = allow_if(filter, SCMP_SYS(mmap), is_data);
	if (error == 0)
		error = allow_if(filter, SCMP_SYS(mprotect), is_data);
	if (error == 0)
		error = allow_if(filter, SCMP_SYS(kill), is_us);
	if (error == 0)
		error = allow_if(filter, SCMP_SYS(tgkill), is_us);
	return error;
}

static int
add_collect(scmp_filter_ctx filter)
{
	const int commands[] = { F_DUPFD_CLOEXEC, F_GETFD, F_SETFD, F_GETFL,
				 F_SETFL };
	const struct condition is_reading = { 2, O_ACCMODE | O_CREAT | O_TRUNC,
					      O_RDONLY };
	int error = allow_if(filter, SCMP_SYS(openat), is_reading);

	for (size_t i = 0; i < ARRAY_LEN(commands) && error == 0; i++)
		error = allow_if(filter, SCMP_SYS(fcntl),
				 is_int(1, commands[i]));
	return error;
}

static int
add_tables(scmp_filter_ctx filter, const struct catalogue *catalogue)
{
	const int fds[] = {
		catalogue->files.fd, catalogue->paths.fd,
		catalogue->facts.fd, catalogue->chunks.fd,
		catalogue->plan.fd,  catalogue->seen.fd,
		catalogue->terms.fd, catalogue->history.fd,
	};
	int error = 0;

	for (size_t i = 0; i < ARRAY_LEN(fds) && error == 0; i++)
		error = allow_on_fd(filter, table_calls, ARRAY_LEN(table_calls),
				    fds[i]);
	return error;
}

static int
add_stage(scmp_filter_ctx filter, const struct run *run, enum stage_id stage)
{
	int error = 0;

	switch (stage) {
	case STAGE_COLLECT:
		error = add_collect(filter);
		if (error != 0)
			return error;
		return add_tables(filter, &run->catalogue);
	case STAGE_DEDUP:
	case STAGE_SELECT:
		return add_tables(filter, &run->catalogue);
	case STAGE_CHUNK:
		return allow_on_fd(filter, table_calls, ARRAY_LEN(table_calls),
				   run->catalogue.names.fd);
	case STAGE_FORMAT:
		error = allow_on_fd(filter, table_calls, ARRAY_LEN(table_calls),
				    run->catalogue.cuts.fd);
		if (error == 0)
			error = allow_on_fd(filter, table_calls,
					    ARRAY_LEN(table_calls),
					    run->catalogue.specials.fd);
		if (error != 0)
			return error;
		return allow_on_fd(filter, output_calls,
				   ARRAY_LEN(output_calls), run->output_fd);
	default:
		return 0;
	}
}

static int
set_attributes(scmp_filter_ctx filter)
{
	int error = seccomp_attr_set(filter, SCMP_FLTATR_ACT_BADARCH,
				     SCMP_ACT_KILL_PROCESS);

	/* a binary tree: the same few comparisons for every call */
	if (error == 0)
		error = seccomp_attr_set(filter, SCMP_FLTATR_CTL_OPTIMIZE, 2);
	return error;
}

int
seccomp_shut_in(const struct run *run, enum stage_id stage)
{
	scmp_filter_ctx filter = seccomp_init(SCMP_ACT_ERRNO(EPERM));
	int error;

	if (filter == NULL)
		return -ENOMEM;
	error = set_attributes(filter);
	if (error == 0)
		error = add_lists(filter, stage);
	if (error == 0)
		error = add_common(filter);
	if (error == 0)
		error = add_stage(filter, run, stage);
	if (error == 0)
		error = seccomp_load(filter);
	seccomp_release(filter);
	return error;
}
