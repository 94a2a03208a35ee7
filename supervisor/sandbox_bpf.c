/* SPDX-License-Identifier: MIT */
/*
 * sandbox_bpf.c - rules to a binary search in classic BPF.
 *
 * Jumps of the kind that compares reach 255 lines ahead, so the right half of
 * a search is reached by one of the kind that does not:
 *
 *       call >= m ?  next : over the next
 *       go to the right half
 *       ... the left half
 */
#include "supervisor/sandbox_bpf.h"

#include <errno.h>
#include <linux/audit.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdlib.h>
#include <unistd.h>

#if defined(__x86_64__)
#define OWN_ARCH AUDIT_ARCH_X86_64
#define CALLS_END 0x40000000 /* from there on the calls of x32 */
#elif defined(__aarch64__)
#define OWN_ARCH AUDIT_ARCH_AARCH64
#define CALLS_END UINT32_MAX
#else
#define OWN_ARCH 0
#define CALLS_END UINT32_MAX
#endif

#if __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error "the low half of an argument is the first one"
#endif

#define LOAD (BPF_LD | BPF_W | BPF_ABS)
#define REFUSED (SECCOMP_RET_ERRNO | EPERM)

struct program {
	struct sock_filter *lines;
	size_t nr;
};

static void
add_rule(struct bpf_rules *rules, struct bpf_rule rule)
{
	if (rule.call < 0)
		return;
	ASSERT(rules->nr < BPF_RULES_MAX);
	rules->items[rules->nr++] = rule;
}

void
bpf_allow(struct bpf_rules *rules, int call)
{
	add_rule(rules, (struct bpf_rule){ .call = call });
}

void
bpf_allow_if(struct bpf_rules *rules, int call, struct bpf_condition condition)
{
	add_rule(rules, (struct bpf_rule){ .call = call,
					   .condition_nr = 1,
					   .conditions = { condition } });
}

void
bpf_allow_if_both(struct bpf_rules *rules, int call, struct bpf_condition a,
		  struct bpf_condition b)
{
	add_rule(rules, (struct bpf_rule){ .call = call,
					   .condition_nr = 2,
					   .conditions = { a, b } });
}

void
bpf_kill(struct bpf_rules *rules, int call)
{
	add_rule(rules, (struct bpf_rule){ .call = call, .kills = true });
}

/* By call, and of one call what does not depend on anything first. */
static int
compare_rules(const void *left, const void *right)
{
	const struct bpf_rule *a = left;
	const struct bpf_rule *b = right;

	if (a->call != b->call)
		return a->call < b->call ? -1 : 1;
	return (a->condition_nr > 0) - (b->condition_nr > 0);
}

/* ---- lines -------------------------------------------------------------- */

static void
add_line(struct program *program, uint16_t code, uint32_t k)
{
	ASSERT(program->nr < BPF_LINES_MAX);
	program->lines[program->nr++] =
		(struct sock_filter){ .code = code, .k = k };
}

/* Goes on at one of the lines behind the next one: 0 is the next. */
static void
add_jump(struct program *program, uint16_t test, uint32_t k, uint8_t if_true,
	 uint8_t if_false)
{
	add_line(program, BPF_JMP | test | BPF_K, k);
	program->lines[program->nr - 1].jt = if_true;
	program->lines[program->nr - 1].jf = if_false;
}

static void
add_return(struct program *program, uint32_t action)
{
	add_line(program, BPF_RET | BPF_K, action);
}

#define CONDITION_LINES 3

/* Goes on behind its lines where one of them does not hold. */
static void
add_conditions(struct program *program, const struct bpf_rule *rule)
{
	for (unsigned i = 0; i < rule->condition_nr; i++) {
		const struct bpf_condition *is = &rule->conditions[i];
		unsigned left = rule->condition_nr - i - 1;

		add_line(program, LOAD,
			 (uint32_t)(offsetof(struct seccomp_data, args) +
				    is->arg * sizeof(uint64_t)));
		add_line(program, BPF_ALU | BPF_AND | BPF_K, is->mask);
		add_jump(program, BPF_JEQ, is->value, 0,
			 (uint8_t)(left * CONDITION_LINES + 1));
	}
	add_return(program, SECCOMP_RET_ALLOW);
}

/* All rules of one call. */
static void
add_call(struct program *program, const struct bpf_rule *rule, size_t nr)
{
	add_jump(program, BPF_JEQ, (uint32_t)rule->call, 1, 0);
	add_return(program, REFUSED);
	if (rule->condition_nr == 0) {
		add_return(program, rule->kills ? SECCOMP_RET_KILL_PROCESS
						: SECCOMP_RET_ALLOW);
		return;
	}
	for (size_t i = 0; i < nr; i++)
		add_conditions(program, &rule[i]);
	add_return(program, REFUSED);
}

/* The first rule of the call that the middle one is of. */
static size_t
middle_of(const struct bpf_rule *rules, size_t nr)
{
	size_t at = nr / 2;

	while (at > 0 && rules[at - 1].call == rules[at].call)
		at--;
	if (at > 0)
		return at;
	while (at < nr && rules[at].call == rules[0].call)
		at++;
	return at;
}

/* As deep as the logarithm of the rules. */
static void
add_search(struct program *program, const struct bpf_rule *rules, size_t nr)
{
	size_t middle = middle_of(rules, nr);
	size_t jump;

	if (middle == nr) {
		add_call(program, rules, nr);
		return;
	}
	add_jump(program, BPF_JGE, (uint32_t)rules[middle].call, 0, 1);
	jump = program->nr;
	add_line(program, BPF_JMP | BPF_JA, 0);
	add_search(program, rules, middle);
	program->lines[jump].k = (uint32_t)(program->nr - jump - 1);
	add_search(program, rules + middle, nr - middle);
}

size_t
bpf_assemble(struct bpf_rules *rules, struct sock_filter *lines)
{
	struct program program = { .lines = lines };

	qsort(rules->items, rules->nr, sizeof(*rules->items), compare_rules);
	add_line(&program, LOAD, offsetof(struct seccomp_data, arch));
	add_jump(&program, BPF_JEQ, OWN_ARCH, 1, 0);
	add_return(&program, SECCOMP_RET_KILL_PROCESS);
	add_line(&program, LOAD, offsetof(struct seccomp_data, nr));
	add_jump(&program, BPF_JGE, CALLS_END, 0, 3);
	/* what a tracer has made of a call that it does not let through */
	add_jump(&program, BPF_JEQ, UINT32_MAX, 0, 1);
	add_return(&program, REFUSED);
	add_return(&program, SECCOMP_RET_KILL_PROCESS);
	if (rules->nr > 0)
		add_search(&program, rules->items, rules->nr);
	else
		add_return(&program, REFUSED);
	return program.nr;
}

int
bpf_load(struct bpf_rules *rules)
{
	struct sock_filter lines[BPF_LINES_MAX];
	struct sock_fprog program = { .filter = lines };

	if (OWN_ARCH == 0)
		return -ENOSYS;
	program.len = (unsigned short)bpf_assemble(rules, lines);
	return syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &program) == 0
		       ? 0
		       : -errno;
}
