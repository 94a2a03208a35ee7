/* SPDX-License-Identifier: MIT */
/*
 * sandbox_bpf.h - a filter of system calls as a program for the kernel.
 *
 * Does: takes rules in any order, sorts them by call, and makes a binary
 *       search of them, so that the kernel, which runs the program once for
 *       each number there is when it takes it, is done at once.
 * Does not: know which call is for whom (sandbox_seccomp.c).
 * Runs in: a process that is about to be shut in; tests.
 *
 *            call >= m?                  what is in no rule fails with EPERM,
 *           /          \                 calls of another machine's kind end
 *     call >= a?    call >= z?           the process
 *      /    \         /   \
 *   EPERM  ALLOW   EPERM   argument & mask == value? ALLOW : EPERM
 *
 * Limits: the low 32 bits of an argument: it is for those that are ints.
 *         BPF_RULES_MAX rules.
 * source: seccomp(2), linux/filter.h. libseccomp was here before: it took 0.5
 *         ms for each process, which is more than a small run has to spare.
 */
#ifndef SUPERVISOR_SANDBOX_BPF_H
#define SUPERVISOR_SANDBOX_BPF_H

#include <linux/filter.h>
#include <sys/syscall.h>

#include "base/base.h"

#define BPF_RULES_MAX 320
#define BPF_LINES_MAX 2048

/* An argument that, masked, has a value. */
struct bpf_condition {
	unsigned arg;
	uint32_t mask;
	uint32_t value;
};

struct bpf_rule {
	int call; /* SYS_...; below 0: this machine has no such call */
	bool kills;
	unsigned condition_nr; /* 0: whatever the arguments */
	struct bpf_condition conditions[2];
};

struct bpf_rules {
	struct bpf_rule items[BPF_RULES_MAX];
	size_t nr;
};

/* Allows a system call, whatever its arguments. */
void
bpf_allow(struct bpf_rules *rules, int call);

/* Allows a call on a condition; of several conditions one must hold. */
void
bpf_allow_if(struct bpf_rules *rules, int call, struct bpf_condition condition);

/* Allows a call if both conditions hold. */
void
bpf_allow_if_both(struct bpf_rules *rules, int call, struct bpf_condition a,
		  struct bpf_condition b);

/* Kills the process at this call. */
void
bpf_kill(struct bpf_rules *rules, int call);

/*
 * shape:  the program of these rules; how many lines it has
 * owner:  sorts the rules; lines: BPF_LINES_MAX
 */
size_t
bpf_assemble(struct bpf_rules *rules, struct sock_filter *lines);

/*
 * shape:  puts the filter on the calling process: 0, -errno
 * errors: -ENOSYS: on this machine numbers of calls are not known here
 */
int
bpf_load(struct bpf_rules *rules);

#endif
