/* SPDX-License-Identifier: MIT */
/*
 * sandbox_seccomp.c - the system calls that are left to a stage.
 *
 * Does: a filter for each stage from lists of calls and from what the run says:
 *       which descriptor is the output, which ones are the tables.
 * Limits: seccomp sees numbers, never what a pointer points at.
 */
#include "supervisor/sandbox_layers.h"

#include "catalogue/catalogue.h"
#include "supervisor/sandbox_bpf.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/seccomp.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

#ifndef TCGETS
#endif

#define LOG_FD 2 /* where log lines of workers go */

/* What stands below #ifdef SYS_fork are calls that newer machines have not. */

/* For everyone: to wait, to end and to be told to, the clock and oneself (and
 * the memory there is, for qsort(3)), memory, and descriptors, which can only
 * become fewer. */
static const int common_calls[] = {
	SYS_futex,
	SYS_sched_yield,
	SYS_clock_nanosleep,
	SYS_nanosleep,
	SYS_restart_syscall,
	SYS_exit,
	SYS_exit_group,
	SYS_rt_sigreturn,
	SYS_rt_sigaction,
	SYS_rt_sigprocmask,
	SYS_sigaltstack,
	SYS_clock_gettime,
	SYS_clock_getres,
	SYS_gettimeofday,
	SYS_getrandom,
	SYS_getpid,
	SYS_getppid,
	SYS_gettid,
	SYS_getrusage,
	SYS_getcpu,
	SYS_sched_getaffinity,
	SYS_sysinfo,
	SYS_brk,
	SYS_munmap,
	SYS_mremap,
	SYS_madvise,
	SYS_close,
#ifdef SYS_fork
	SYS_time,
#endif
};

/* For collect: to find and read files, Landlock sees to it which; io_uring on a
 * ring that init() has made; readlink for realpath(3) in libgit2. */
static const int collect_calls[] = {
	SYS_openat2,   SYS_fstat,          SYS_newfstatat, SYS_statx,
	SYS_fstatfs,   SYS_getdents64,     SYS_readlinkat, SYS_faccessat2,
	SYS_getcwd,    SYS_read,           SYS_readv,      SYS_pread64,
	SYS_preadv,    SYS_preadv2,        SYS_lseek,      SYS_fadvise64,
	SYS_readahead, SYS_io_uring_enter,
#ifdef SYS_fork
	SYS_readlink,  SYS_access,
#endif
};

/* For a command: to read and to write what is open, to wait for a pipe or for a
 * process that was made before; memory where no file without a name can be
 * made. */
static const int command_calls[] = {
	SYS_rt_sigpending, SYS_fstat,     SYS_newfstatat,   SYS_fstatfs,
	SYS_read,          SYS_pread64,   SYS_lseek,        SYS_write,
	SYS_pwrite64,      SYS_ftruncate, SYS_memfd_create, SYS_flock,
	SYS_wait4,
#ifdef SYS_fork
	SYS_poll,
#endif
};

/* For a command that makes files below a directory, Landlock sees to it where;
 * renameat for glibc's renameat2() without flags. */
static const int writer_calls[] = {
	SYS_openat2,   SYS_getdents64, SYS_faccessat2, SYS_mkdirat,
	SYS_linkat,    SYS_renameat,   SYS_renameat2,  SYS_unlinkat,
	SYS_fallocate, SYS_fchmod,     SYS_umask,
#ifdef SYS_fork
	SYS_access,    SYS_mkdir,      SYS_rename,     SYS_unlink,
#endif
};

/* No worker has a use for the calls of these four lists: they end the process. */

/* Other programs, other processes. */
static const int process_calls[] = {
	SYS_execve,
	SYS_execveat,
	SYS_clone,
	SYS_clone3,
	SYS_ptrace,
	SYS_process_vm_readv,
	SYS_process_vm_writev,
	SYS_process_madvise,
	SYS_pidfd_open,
	SYS_pidfd_getfd,
	SYS_pidfd_send_signal,
	SYS_kcmp,
	SYS_rt_sigqueueinfo,
	SYS_rt_tgsigqueueinfo,
	SYS_tkill,
#ifdef SYS_fork
	SYS_fork,
	SYS_vfork,
#endif
};

/* The network, and other ways out. */
static const int network_calls[] = {
	SYS_socket,  SYS_socketpair, SYS_connect, SYS_bind,    SYS_listen,
	SYS_accept,  SYS_accept4,    SYS_sendto,  SYS_sendmsg, SYS_sendmmsg,
	SYS_recvmsg, SYS_shmget,     SYS_shmat,   SYS_msgget,  SYS_mq_open,
};

/* Other people's files. */
static const int file_calls[] = {
	SYS_truncate,
	SYS_renameat,
	SYS_renameat2,
	SYS_linkat,
	SYS_symlinkat,
	SYS_unlinkat,
	SYS_mkdirat,
	SYS_mknodat,
	SYS_fchmod,
	SYS_fchmodat,
	SYS_fchown,
	SYS_fchownat,
	SYS_setxattr,
	SYS_lsetxattr,
	SYS_fsetxattr,
	SYS_utimensat,
	SYS_open_by_handle_at,
#ifdef SYS_fork
	SYS_creat,
	SYS_rename,
	SYS_link,
	SYS_symlink,
	SYS_unlink,
	SYS_mkdir,
	SYS_rmdir,
	SYS_mknod,
	SYS_chmod,
	SYS_chown,
	SYS_lchown,
#endif
};

/* The machine. */
static const int machine_calls[] = {
	SYS_mount,           SYS_umount2,       SYS_move_mount,
	SYS_fsopen,          SYS_open_tree,     SYS_pivot_root,
	SYS_chroot,          SYS_unshare,       SYS_setns,
	SYS_setuid,          SYS_setgid,        SYS_setreuid,
	SYS_setregid,        SYS_setresuid,     SYS_setresgid,
	SYS_setgroups,       SYS_capset,        SYS_bpf,
	SYS_perf_event_open, SYS_userfaultfd,   SYS_keyctl,
	SYS_add_key,         SYS_request_key,   SYS_init_module,
	SYS_finit_module,    SYS_delete_module, SYS_kexec_load,
	SYS_kexec_file_load, SYS_reboot,        SYS_swapon,
	SYS_swapoff,         SYS_settimeofday,  SYS_clock_settime,
	SYS_adjtimex,
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

#define EACH(calls) calls, ARRAY_LEN(calls)

static void
add_each(struct bpf_rules *rules,
	 void (*add)(struct bpf_rules *rules, int call), const int *calls,
	 size_t nr)
{
	for (size_t i = 0; i < nr; i++)
		add(rules, calls[i]);
}

static void
allow_on_fd(struct bpf_rules *rules, const int *calls, size_t nr, int fd)
{
	for (size_t i = 0; i < nr && fd >= 0; i++)
		bpf_allow_if(rules, calls[i], is_int(0, fd));
}

/* What everyone may; signals are one's own. */
static void
add_common(struct bpf_rules *rules)
{
	const struct bpf_condition is_us = is_int(0, getpid());

	add_each(rules, bpf_allow, EACH(common_calls));
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
			allow_on_fd(rules, EACH(end),
				    table_fd(&catalogue->tables[i]));
	allow_on_fd(rules, EACH(end), table_fd(&catalogue->survey.table));
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
		allow_on_fd(rules, EACH(table_calls), table_fd(table));
		bpf_allow_if_both(rules, SYS_mmap, is_data,
				  is_int(4, table_fd(table)));
	}
}

static void
add_stage(struct bpf_rules *rules, const struct run *run, enum stage_id stage)
{
	add_writer(rules, &run->catalogue, stage);
	/* collect asks for the end of any file */
	if (stage == STAGE_COLLECT) {
		add_each(rules, bpf_allow, EACH(collect_calls));
		bpf_allow_if(rules, SYS_write, is_int(0, run->lanes_fd));
		add_reading(rules);
		add_fcntl(rules);
		return;
	}
	add_readers(rules, &run->catalogue);
	if (stage == STAGE_FORMAT)
		allow_on_fd(rules, EACH(output_calls), run->output_fd);
}

int
seccomp_confine(const struct run *run, enum stage_id stage)
{
	struct bpf_rules rules;

	rules.nr = 0;
	add_each(&rules, bpf_kill, EACH(process_calls));
	add_each(&rules, bpf_kill, EACH(network_calls));
	add_each(&rules, bpf_kill, EACH(file_calls));
	add_each(&rules, bpf_kill, EACH(machine_calls));
	add_common(&rules);
	add_memory(&rules);
	bpf_allow_if(&rules, SYS_write, is_int(0, LOG_FD));
	add_stage(&rules, run, stage);
	return bpf_load(&rules);
}

int
seccomp_confine_command(enum files_kept files)
{
	struct bpf_rules rules;

	rules.nr = 0;
	add_common(&rules);
	add_each(&rules, bpf_allow, EACH(command_calls));
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
		add_each(&rules, bpf_allow, EACH(writer_calls));
		bpf_allow(&rules, SYS_openat);
	}
	return bpf_load(&rules);
}
