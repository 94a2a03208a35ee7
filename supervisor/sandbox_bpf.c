/* SPDX-License-Identifier: MIT */
/*
 * sandbox_bpf.c - rules to a binary search in classic BPF.
 *
 * Jumps of the kind that compares reach 255 lines ahead, so the right half of
 * a search is, where it is further away, reached by one of the kind that does
 * not:
 *
 *       call >= m ?  next : over the next
 *       go to the right half
 *       ... the left half
 *
 * The kernel checks, converts and compiles each line for each process, so there
 * are as few as may be: what neighbouring calls have in common stands once.
 */
#include "supervisor/sandbox_bpf.h"

#include <errno.h>
#include <linux/audit.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define CALLS_END 0x40000000 /* from there on the calls of x32 */
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

static uint8_t
condition_lines(const struct bpf_condition *is)
{
	return is->mask == UINT32_MAX ? 2 : 3;
}

/* Goes on behind its lines where one of them does not hold. */
static void
add_conditions(struct program *program, const struct bpf_rule *rule)
{
	uint8_t ahead = 1;

	for (unsigned i = 0; i < rule->condition_nr; i++)
		ahead += condition_lines(&rule->conditions[i]);
	for (unsigned i = 0; i < rule->condition_nr; i++) {
		const struct bpf_condition *is = &rule->conditions[i];

		add_line(program, LOAD,
			 (uint32_t)(offsetof(struct seccomp_data, args) +
				    is->arg * sizeof(uint64_t)));
		if (is->mask != UINT32_MAX)
			add_line(program, BPF_ALU | BPF_AND | BPF_K, is->mask);
		ahead -= condition_lines(is);
		add_jump(program, BPF_JEQ, is->value, 0, ahead);
	}
	add_return(program, SECCOMP_RET_ALLOW);
}

/* ---- spans -------------------------------------------------------------- */

/* Numbers of calls with one answer, or one call whose arguments decide. */
struct span {
	uint32_t first;
	uint32_t action; /* where no rule is to be asked */
	const struct bpf_rule *rules;
	size_t rule_nr;
};

#define SPANS_MAX (2 * BPF_RULES_MAX + 1)

struct spans {
	struct span items[SPANS_MAX];
	size_t nr;
};

/* Neighbours with the same answer are one. */
static void
add_span(struct spans *spans, struct span span)
{
	if (spans->nr > 0 && span.rule_nr == 0) {
		const struct span *last = &spans->items[spans->nr - 1];

		if (last->rule_nr == 0 && last->action == span.action)
			return;
	}
	ASSERT(spans->nr < SPANS_MAX);
	spans->items[spans->nr++] = span;
}

/* All numbers, in order; rules: sorted. */
static void
find_spans(struct spans *spans, const struct bpf_rules *rules)
{
	const struct span refused = { .action = REFUSED };

	add_span(spans, refused);
	for (size_t i = 0, next; i < rules->nr; i = next) {
		const struct bpf_rule *rule = &rules->items[i];
		struct span span = { .first = (uint32_t)rule->call };

		next = i + 1;
		while (next < rules->nr &&
		       rules->items[next].call == rule->call)
			next++;
		if (rule->condition_nr == 0) {
			span.action = rule->kills ? SECCOMP_RET_KILL_PROCESS
						  : SECCOMP_RET_ALLOW;
		} else {
			span.rules = rule;
			span.rule_nr = next - i;
		}
		add_span(spans, span);
		if (next == rules->nr ||
		    rules->items[next].call > rule->call + 1)
			add_span(spans, (struct span){
						.first = span.first + 1,
						.action = REFUSED,
					});
	}
}

/* Behind a test, which goes on at the next line or the one after it: over the
 * lines from the latter on, by the test itself if it reaches as far. */
static void
jump_over(struct program *program, size_t test)
{
	struct sock_filter *lines = &program->lines[test];
	size_t over = program->nr - test - 2;

	if (over > UINT8_MAX) {
		lines[1].k = (uint32_t)over;
		return;
	}
	lines[0].jt = (uint8_t)over;
	lines[0].jf = 0;
	memmove(&lines[1], &lines[2], over * sizeof(*lines));
	program->nr--;
}

/* As deep as the logarithm of the spans. */
static void
add_search(struct program *program, const struct span *spans, size_t nr)
{
	size_t middle = nr / 2;

	if (nr > 1) {
		size_t test = program->nr;

		add_jump(program, BPF_JGE, spans[middle].first, 0, 1);
		add_line(program, BPF_JMP | BPF_JA, 0);
		add_search(program, spans, middle);
		jump_over(program, test);
		add_search(program, spans + middle, nr - middle);
		return;
	}
	for (size_t i = 0; i < spans->rule_nr; i++)
		add_conditions(program, &spans->rules[i]);
	add_return(program, spans->rule_nr > 0 ? REFUSED : spans->action);
}

size_t
bpf_assemble(struct bpf_rules *rules, struct sock_filter *lines)
{
	struct program program = { .lines = lines };
	struct spans spans = { .nr = 0 };

	qsort(rules->items, rules->nr, sizeof(*rules->items), compare_rules);
	add_line(&program, LOAD, offsetof(struct seccomp_data, arch));
	add_jump(&program, BPF_JEQ, AUDIT_ARCH_X86_64, 1, 0);
	add_return(&program, SECCOMP_RET_KILL_PROCESS);
	add_line(&program, LOAD, offsetof(struct seccomp_data, nr));
	add_jump(&program, BPF_JGE, CALLS_END, 0, 3);
	/* what a tracer has made of a call that it does not let through */
	add_jump(&program, BPF_JEQ, UINT32_MAX, 0, 1);
	add_return(&program, REFUSED);
	add_return(&program, SECCOMP_RET_KILL_PROCESS);
	find_spans(&spans, rules);
	add_search(&program, spans.items, spans.nr);
	return program.nr;
}

int
bpf_load(struct bpf_rules *rules)
{
	struct sock_filter lines[BPF_LINES_MAX];
	struct sock_fprog program = { .filter = lines };

	program.len = (unsigned short)bpf_assemble(rules, lines);
	return syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &program) == 0
		       ? 0
		       : -errno;
}
