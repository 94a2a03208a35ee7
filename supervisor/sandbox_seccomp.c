/* SPDX-License-Identifier: MIT */
/*
 * sandbox_seccomp.c - the system calls that are left to a stage.
 *
 * Does: a filter for each stage from sandbox.def and from what the run says:
 *       which descriptor is the output, which ones are the tables.
 * Limits: seccomp sees numbers, never what a pointer points at.
 */
#include "supervisor/sandbox_layers.h"

#include "supervisor/sandbox_bpf.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/seccomp.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

#ifndef TCGETS
#include <asm/termbits.h>
#endif

#define LOG_FD 2 /* where log lines of workers go */

/* Bits of who a call is for. */
enum who { COLLECT = 1 << 0, COMMAND = 1 << 1, WRITER = 1 << 2 };

#define EVERYONE (~0u)

struct allowed {
	int call;
	unsigned who;
};

static const struct allowed allowed_calls[] = {
#define ALLOW(name, who) { SYS_##name, who },
#include "supervisor/sandbox.def"
};

static const int break_ins[] = {
#define BREAK_IN(name) SYS_##name,
#include "supervisor/sandbox.def"
#include "catalogue/catalogue.h"
};

/* What posix_fallocate(3) does to a table, with its way around where the
 * file system has no fallocate(2). */
static const int table_calls[] = {
	SYS_fallocate,  SYS_ftruncate, SYS_fstat,   SYS_fstatfs,
	SYS_newfstatat, SYS_fcntl,     SYS_pread64, SYS_pwrite64,
};

static const int output_calls[] = {
	SYS_write,     SYS_writev,    SYS_pwrite64,        SYS_pwritev,
	SYS_pwritev2,  SYS_read,      SYS_pread64,         SYS_lseek,
	SYS_fstat,     SYS_fallocate, SYS_ftruncate,       SYS_newfstatat,
	SYS_fdatasync, SYS_fsync,     SYS_sync_file_range,
};

int
seccomp_probe(void)
{
	const uint32_t action = SECCOMP_RET_KILL_PROCESS;

	if (syscall(SYS_seccomp, SECCOMP_GET_ACTION_AVAIL, 0, &action) != 0)
		return -errno;
	/* without a filter: whoever lets the call through finds fault with it */
	if (syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, NULL) != 0 &&
	    errno != EFAULT)
		return -errno;
	return 0;
}

static const struct bpf_condition is_data = { 2, PROT_EXEC, 0 };

static struct bpf_condition
is_int(unsigned arg, int value)
{
	return (struct bpf_condition){ arg, UINT32_MAX, (uint32_t)value };
}

static void
allow_on_fd(struct bpf_rules *rules, const int *calls, size_t nr, int fd)
{
	for (size_t i = 0; i < nr && fd >= 0; i++)
		bpf_allow_if(rules, calls[i], is_int(0, fd));
}

/* `who`: bits; 0: what everyone may. */
static void
add_allowed(struct bpf_rules *rules, unsigned who)
{
	for (size_t i = 0; i < ARRAY_LEN(allowed_calls); i++)
		if (allowed_calls[i].who == EVERYONE ||
		    (allowed_calls[i].who & who) != 0)
			bpf_allow(rules, allowed_calls[i].call);
}

/* Signals are one's own. */
static void
add_common(struct bpf_rules *rules)
{
	const struct bpf_condition is_us = is_int(0, getpid());

	bpf_allow_if(rules, SYS_kill, is_us);
	bpf_allow_if(rules, SYS_tgkill, is_us);
}

static void
add_reading(struct bpf_rules *rules)
{
	const struct bpf_condition is_reading = { 2,
						  O_ACCMODE | O_CREAT | O_TRUNC,
						  O_RDONLY };

	bpf_allow_if(rules, SYS_openat, is_reading);
}

/* Files without names: where, Landlock sees to it. */
static void
add_temp(struct bpf_rules *rules)
{
	const struct bpf_condition is_temp = {
		2, O_TMPFILE | O_ACCMODE | O_CREAT | O_TRUNC, O_TMPFILE | O_RDWR
	};

	bpf_allow_if(rules, SYS_openat, is_temp);
}

static void
add_fcntl(struct bpf_rules *rules)
{
	static const int commands[] = { F_DUPFD_CLOEXEC, F_GETFD, F_SETFD,
					F_GETFL, F_SETFL };

	for (size_t i = 0; i < ARRAY_LEN(commands); i++)
		bpf_allow_if(rules, SYS_fcntl, is_int(1, commands[i]));
}

/* Memory is never code. What is shared with others cannot be mapped to be
 * written: they would see it. */
static void
add_memory(struct bpf_rules *rules)
{
	const struct bpf_condition is_read = { 2, PROT_EXEC | PROT_WRITE, 0 };
	const struct bpf_condition is_own = { 3, MAP_ANONYMOUS, MAP_ANONYMOUS };

	bpf_allow_if(rules, SYS_mmap, is_read);
	bpf_allow_if_both(rules, SYS_mmap, is_data, is_own);
	bpf_allow_if(rules, SYS_mprotect, is_read);
}

/* Whoever reads a table asks how much of it lies in its file. */
static void
add_readers(struct bpf_rules *rules, const struct catalogue *catalogue)
{
	static const int end[] = { SYS_lseek };

	for (int i = 0; i < TABLE_NR; i++)
		if (!catalogue->tables[i].is_part)
			allow_on_fd(rules, end, ARRAY_LEN(end),
				    catalogue->tables[i].fd);
}

/* The tables that a stage writes grow, and are mapped further. */
static void
add_writer(struct bpf_rules *rules, const struct catalogue *catalogue,
	   enum stage_id stage)
{
	for (int i = 0; i < TABLE_NR; i++) {
		const struct table *table = &catalogue->tables[i];

		/* of tables in one file the first stands for all */
		if (!(stage_table[stage].tables & 1u << i) || table->is_part)
			continue;
		allow_on_fd(rules, table_calls, ARRAY_LEN(table_calls),
			    table->fd);
		bpf_allow_if_both(rules, SYS_mmap, is_data,
				  is_int(4, table->fd));
	}
}

static void
add_stage(struct bpf_rules *rules, const struct run *run, enum stage_id stage)
{
	add_writer(rules, &run->catalogue, stage);
	/* collect asks for the end of any file */
	if (stage == STAGE_COLLECT) {
		add_reading(rules);
		add_fcntl(rules);
		return;
	}
	add_readers(rules, &run->catalogue);
	if (stage == STAGE_FORMAT)
		allow_on_fd(rules, output_calls, ARRAY_LEN(output_calls),
			    run->output_fd);
}

int
seccomp_confine(const struct run *run, enum stage_id stage)
{
	struct bpf_rules rules = { .nr = 0 };

	add_allowed(&rules, stage == STAGE_COLLECT ? COLLECT : 0);
	for (size_t i = 0; i < ARRAY_LEN(break_ins); i++)
		bpf_kill(&rules, break_ins[i]);
	add_common(&rules);
	add_memory(&rules);
	bpf_allow_if(&rules, SYS_write, is_int(0, LOG_FD));
	add_stage(&rules, run, stage);
	return bpf_load(&rules);
}

int
seccomp_confine_command(enum files_kept files)
{
	struct bpf_rules rules = { .nr = 0 };

	add_allowed(&rules, COMMAND | (files == FILES_WRITE ? WRITER : 0));
	add_common(&rules);
	add_fcntl(&rules);
	/* it shares no memory with anybody */
	bpf_allow_if(&rules, SYS_mmap, is_data);
	bpf_allow_if(&rules, SYS_mprotect, is_data);
	/* stdio asks whether it writes to a terminal */
	bpf_allow_if(&rules, SYS_ioctl, is_int(1, TCGETS));
	if (files == FILES_READ) {
		add_reading(&rules);
		add_temp(&rules);
	} else if (files == FILES_WRITE) {
		bpf_allow(&rules, SYS_openat);
	}
	return bpf_load(&rules);
}
