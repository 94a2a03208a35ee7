/* SPDX-License-Identifier: MIT */
/*
 * Programs of rules, run by a machine of a few lines and compared with going
 * through the rules one after the other.
 */
#include "supervisor/sandbox_bpf.h"

#include <errno.h>
#include <linux/audit.h>
#include <linux/seccomp.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define REFUSED (SECCOMP_RET_ERRNO | EPERM)
#define STEPS_MAX 64 /* two a level of the search, and a call's conditions */

static struct sock_filter lines[BPF_LINES_MAX];

/* What the kernel would make of the call; *steps: lines that were run. */
static uint32_t
run(size_t nr, const struct seccomp_data *data, unsigned *steps)
{
	uint32_t a = 0;

	*steps = 0;
	for (size_t at = 0; at < nr; at++) {
		const struct sock_filter *line = &lines[at];

		++*steps;
		switch (line->code) {
		case BPF_LD | BPF_W | BPF_ABS:
			assert_true(line->k + 4 <= sizeof(*data));
			memcpy(&a, (const char *)data + line->k, 4);
			break;
		case BPF_ALU | BPF_AND | BPF_K:
			a &= line->k;
			break;
		case BPF_JMP | BPF_JEQ | BPF_K:
			at += a == line->k ? line->jt : line->jf;
			break;
		case BPF_JMP | BPF_JGE | BPF_K:
			at += a >= line->k ? line->jt : line->jf;
			break;
		case BPF_JMP | BPF_JA:
			at += line->k;
			break;
		case BPF_RET | BPF_K:
			return line->k;
		default:
			fail_msg("line %zu: code %x", at, line->code);
		}
	}
	fail_msg("it goes on behind its end");
	return 0;
}

static bool
holds(const struct bpf_condition *is, const struct seccomp_data *data)
{
	return ((uint32_t)data->args[is->arg] & is->mask) == is->value;
}

static uint32_t
want(const struct bpf_rules *rules, const struct seccomp_data *data)
{
	uint32_t action = REFUSED;

	for (size_t i = 0; i < rules->nr; i++) {
		const struct bpf_rule *rule = &rules->items[i];

		if (rule->call != data->nr)
			continue;
		if (rule->condition_nr == 0)
			return rule->kills ? SECCOMP_RET_KILL_PROCESS
					   : SECCOMP_RET_ALLOW;
		if (holds(&rule->conditions[0], data) &&
		    (rule->condition_nr < 2 ||
		     holds(&rule->conditions[1], data)))
			action = SECCOMP_RET_ALLOW;
	}
	return action;
}

static void
expect_same(struct bpf_rules *rules, size_t nr, int call, uint64_t arg)
{
	struct seccomp_data data = { .nr = call, .arch = AUDIT_ARCH_X86_64 };
	unsigned steps;
	uint32_t got;

	for (int i = 0; i < 6; i++)
		data.args[i] = arg + (uint64_t)i;
	got = run(nr, &data, &steps);
	if (got != want(rules, &data))
		fail_msg("call %d, argument %llx: got %x, want %x", call,
			 (unsigned long long)arg, got, want(rules, &data));
	assert_true(steps <= STEPS_MAX);
}

static struct bpf_condition
condition(uint32_t bits)
{
	bool is_whole = bits >> 20 & 1;

	return (struct bpf_condition){ bits % 6,
				       is_whole ? UINT32_MAX : bits >> 8 & 3,
				       bits >> 16 & 3 };
}

/* Calls below `range`, most of them in some rule, of one kind a call. */
static void
make_rules(struct bpf_rules *rules, unsigned rule_nr, unsigned range)
{
	rules->nr = 0;
	for (unsigned i = 0; i < rule_nr; i++) {
		int call = (int)((unsigned)rand() % range);
		uint32_t bits = (uint32_t)rand();

		if (call % 3 == 0)
			bpf_kill(rules, call);
		else if (call % 3 == 1)
			bpf_allow(rules, call);
		else if (bits >> 24 & 1)
			bpf_allow_if(rules, call, condition(bits));
		else
			bpf_allow_if_both(rules, call, condition(bits),
					  condition((uint32_t)rand()));
	}
}

static void
test_bpf_any_rules_decide_as_one_after_the_other(void **state)
{
	static const unsigned sizes[] = { 0, 1, 2, 3, 7, 40, 200, 320 };
	struct bpf_rules rules;

	srand(1);
	for (size_t s = 0; s < ARRAY_LEN(sizes); s++) {
		for (unsigned range = 1; range < 500; range = range * 3 + 1) {
			size_t nr;

			make_rules(&rules, sizes[s], range);
			nr = bpf_assemble(&rules, lines);
			/* no more than a few rules a call, as there are */
			if (sizes[s] / range > 8)
				continue;
			for (int call = -1; call < (int)range + 2; call++)
				for (uint64_t arg = 0; arg < 5; arg++)
					expect_same(&rules, nr, call,
						    arg | 1ull << 40);
		}
	}
}

/* What many calls have in common, answers and conditions, stands once. */
static void
test_bpf_same_conditions_of_many_calls_stand_once(void **state)
{
	const struct bpf_condition is = { 0, UINT32_MAX, 0 };
	struct bpf_rules rules = { .nr = 0 };
	size_t nr;

	for (int call = 0; call < 40; call++)
		for (uint32_t fd = 3; fd < 9; fd++) {
			struct bpf_condition is_fd = is;

			is_fd.value = fd;
			bpf_allow_if(&rules, call, is_fd);
		}
	nr = bpf_assemble(&rules, lines);
	for (int call = -1; call < 42; call++)
		for (uint64_t fd = 0; fd < 12; fd++)
			expect_same(&rules, nr, call, fd);
	/* the search, one load and six tests, the answers, the beginning */
	assert_in_range(nr, 1, 41 + 7 + 3 + 6);
}

static void
test_bpf_call_of_another_machine_ends_the_process(void **state)
{
	struct bpf_rules rules = { .nr = 0 };
	struct seccomp_data data = { .nr = 1, .arch = AUDIT_ARCH_I386 };
	unsigned steps;
	size_t nr;

	bpf_allow(&rules, 1);
	nr = bpf_assemble(&rules, lines);
	assert_int_equal(run(nr, &data, &steps), SECCOMP_RET_KILL_PROCESS);
	data.arch = AUDIT_ARCH_X86_64;
	assert_int_equal(run(nr, &data, &steps), SECCOMP_RET_ALLOW);
#ifdef __x86_64__
	data.nr |= 0x40000000; /* x32 */
	assert_int_equal(run(nr, &data, &steps), SECCOMP_RET_KILL_PROCESS);
#endif
}

static void
test_bpf_call_that_the_machine_has_not_is_no_rule(void **state)
{
	struct bpf_rules rules = { .nr = 0 };

	bpf_allow(&rules, -1);
	bpf_kill(&rules, -1);
	assert_int_equal(rules.nr, 0);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
			test_bpf_any_rules_decide_as_one_after_the_other),
		cmocka_unit_test(
			test_bpf_same_conditions_of_many_calls_stand_once),
		cmocka_unit_test(
			test_bpf_call_of_another_machine_ends_the_process),
		cmocka_unit_test(
			test_bpf_call_that_the_machine_has_not_is_no_rule),
	};

	return cmocka_run_group_tests_name("supervisor/sandbox_bpf", tests,
					   NULL, NULL);
}
