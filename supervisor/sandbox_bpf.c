/* SPDX-License-Identifier: MIT */
/*
 * sandbox_bpf.c - rules to a binary search in classic BPF.
 *
 * Jumps go ahead only, and those of the kind that compares no further than 255
 * lines. So a program is made from its end: where a line may jump to is there
 * already, and what is the same for many calls, an answer or a list of
 * conditions, stands once, or once more where it would be too far away.
 *
 * The kernel checks, converts and compiles each line for each process, so there
 * are as few as may be.
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

#define NEAR UINT8_MAX

/* A program from its end: line 0 is the last one. */
struct program {
	struct sock_filter *end;
	size_t nr;
	size_t returns[3]; /* the nearest one of each action, and one more;
			    * 0: none yet */
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

static struct sock_filter *
line_at(const struct program *program, size_t line)
{
	return program->end - 1 - line;
}

/* Before all others; its number. */
static size_t
add_line(struct program *program, uint16_t code, uint32_t k)
{
	ASSERT(program->nr < BPF_LINES_MAX);
	*line_at(program, program->nr) =
		(struct sock_filter){ .code = code, .k = k };
	return program->nr++;
}

/* How many lines the next one, with `more` before it, skips to come to one. */
static size_t
distance(const struct program *program, size_t line, size_t more)
{
	return program->nr + more - line - 1;
}

static size_t
add_load(struct program *program, size_t offset)
{
	return add_line(program, LOAD, (uint32_t)offset);
}

/* The same line, or one that comes to the same and is near enough for the next
 * line, or the one before that. */
static size_t
near_line(struct program *program, size_t line)
{
	const struct sock_filter *there = line_at(program, line);

	if (distance(program, line, 1) <= NEAR)
		return line;
	return there->code == (BPF_RET | BPF_K)
		       ? add_line(program, there->code, there->k)
		       : add_line(program, BPF_JMP | BPF_JA,
				  (uint32_t)distance(program, line, 0));
}

/* A test that goes on at one of two lines. */
static size_t
add_test(struct program *program, uint16_t test, uint32_t k, size_t if_true,
	 size_t if_false)
{
	size_t yes = near_line(program, if_true);
	size_t no = near_line(program, if_false);
	size_t line = add_line(program, BPF_JMP | test | BPF_K, k);

	line_at(program, line)->jt = (uint8_t)(line - yes - 1);
	line_at(program, line)->jf = (uint8_t)(line - no - 1);
	return line;
}

static size_t *
return_of(struct program *program, uint32_t action)
{
	return &program->returns[action == REFUSED             ? 0
				 : action == SECCOMP_RET_ALLOW ? 1
							       : 2];
}

/* A line that ends the program with this answer. */
static size_t
return_line(struct program *program, uint32_t action)
{
	size_t *known = return_of(program, action);

	if (*known == 0 || distance(program, *known - 1, 1) > NEAR)
		*known = add_line(program, BPF_RET | BPF_K, action) + 1;
	return *known - 1;
}

/* Whether a rule whose condition does not hold leaves loaded what the next one
 * looks at first. */
static bool
leaves_loaded(const struct bpf_rule *rule, const struct bpf_rule *next)
{
	return rule->condition_nr == 1 &&
	       rule->conditions[0].mask == UINT32_MAX &&
	       rule->conditions[0].arg == next->conditions[0].arg;
}

/* All conditions of a rule, one after the other: their first line. */
static size_t
add_conditions(struct program *program, const struct bpf_rule *rule,
	       bool is_loaded, size_t otherwise)
{
	size_t line = return_line(program, SECCOMP_RET_ALLOW);

	for (unsigned i = rule->condition_nr; i-- > 0;) {
		const struct bpf_condition *is = &rule->conditions[i];

		line = add_test(program, BPF_JEQ, is->value, line, otherwise);
		if (is->mask != UINT32_MAX)
			line = add_line(program, BPF_ALU | BPF_AND | BPF_K,
					is->mask);
		if (i > 0 || !is_loaded)
			line = add_load(program,
					offsetof(struct seccomp_data, args) +
						is->arg * sizeof(uint64_t));
	}
	return line;
}

/* ---- spans -------------------------------------------------------------- */

/* Numbers of calls with one answer, or one call whose arguments decide. */
struct span {
	uint32_t first;
	uint32_t action; /* where no rule is to be asked */
	const struct bpf_rule *rules;
	size_t rule_nr;
	size_t line; /* where they stand, once they do */
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

static bool
has_same_rules(const struct span *a, const struct span *b)
{
	if (a->rule_nr != b->rule_nr)
		return false;
	for (size_t i = 0; i < a->rule_nr; i++)
		if (a->rules[i].condition_nr != b->rules[i].condition_nr ||
		    memcmp(a->rules[i].conditions, b->rules[i].conditions,
			   sizeof(a->rules[i].conditions)) != 0)
			return false;
	return true;
}

/* The first line of what a call's arguments decide: those of a span behind this
 * one that are the same, if there is any. */
static size_t
add_rules(struct program *program, struct span *span, const struct span *end)
{
	for (const struct span *other = span + 1; other < end; other++) {
		if (!has_same_rules(span, other))
			continue;
		span->line = other->line;
		return span->line;
	}
	span->line = return_line(program, REFUSED);
	for (size_t i = span->rule_nr; i-- > 0;) {
		const struct bpf_rule *rule = &span->rules[i];
		bool is_loaded = i > 0 && leaves_loaded(rule - 1, rule);

		span->line =
			add_conditions(program, rule, is_loaded, span->line);
	}
	return span->line;
}

/* As deep as the logarithm of the spans: its first line. end: of all spans. */
static size_t
add_search(struct program *program, struct span *spans, size_t nr,
	   const struct span *end)
{
	size_t middle = nr / 2;
	size_t left, right;

	if (nr == 1)
		return spans->rule_nr > 0 ? add_rules(program, spans, end)
					  : return_line(program, spans->action);
	right = add_search(program, spans + middle, nr - middle, end);
	left = add_search(program, spans, middle, end);
	return add_test(program, BPF_JGE, spans[middle].first, right, left);
}

/* What stands before the search: other machines, and calls of x32 but for what
 * a tracer has made of a call that it does not let through. */
static void
add_beginning(struct program *program, size_t search)
{
	size_t killed = return_line(program, SECCOMP_RET_KILL_PROCESS);
	size_t refused = return_line(program, REFUSED);
	size_t line = add_test(program, BPF_JEQ, UINT32_MAX, refused, killed);

	line = add_test(program, BPF_JGE, CALLS_END, line, search);
	line = add_load(program, offsetof(struct seccomp_data, nr));
	add_test(program, BPF_JEQ, AUDIT_ARCH_X86_64, line,
		 return_line(program, SECCOMP_RET_KILL_PROCESS));
	add_load(program, offsetof(struct seccomp_data, arch));
}

size_t
bpf_assemble(struct bpf_rules *rules, struct sock_filter *lines)
{
	struct program program = { .end = lines + BPF_LINES_MAX };
	struct spans spans;

	spans.nr = 0;
	qsort(rules->items, rules->nr, sizeof(*rules->items), compare_rules);
	find_spans(&spans, rules);
	add_beginning(&program, add_search(&program, spans.items, spans.nr,
					   spans.items + spans.nr));
	memmove(lines, program.end - program.nr, program.nr * sizeof(*lines));
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
