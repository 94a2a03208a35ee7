/* SPDX-License-Identifier: MIT */
/*
 * test_bench_show.c - the tables of results that are made up.
 */
#include "tests/support/test_shm.h"

#include <stdio.h>

#include "cli/bench.h"

#define MS UINT64_C(1000000)

static struct bench_result now;
static struct bench_result before;
static char shown[1u << 20];

/* 100 MB in 1 s with one worker, of which format takes 400 ms. */
static void
make_results(void)
{
	memset(&now, 0, sizeof(now));
	snprintf(now.machine, sizeof(now.machine), "this one");
	now.cpu_nr = now.run_nr = 4;
	now.files = 12;
	now.bytes = 100000000;
	now.tokens = 30000000;
	now.case_nr = 2;
	for (uint32_t i = 0; i < 2; i++) {
		struct bench_case *it = &now.cases[i];

		snprintf(it->name, sizeof(it->name), "case %u", i);
		it->worker_nr = 1;
		it->is_cold = i == 1;
		it->wall_ns.nr = it->cpu_ns.nr = it->disk_bytes.nr = 4;
		for (uint32_t k = 0; k < 4; k++) {
			it->wall_ns.values[k] = 1000 * MS + k;
			it->cpu_ns.values[k] = 900 * MS + k;
		}
		for (int k = 0; k < STAGE_NR; k++) {
			it->stages[k].worker_nr = 1;
			it->stages[k].cpu_ns =
				(k == STAGE_FORMAT ? 1600u : 400u) * MS;
			it->stages[k].busy_ns = 4 * 500 * MS;
			it->stages[k].wait_ns = 4 * 500 * MS;
		}
	}
	before = now;
}

static void
show(const struct bench_result *old)
{
	FILE *file = fmemopen(shown, sizeof(shown), "w");

	assert_non_null(file);
	ASSERT_EQ(bench_show(&now, old, file), 0);
	fclose(file);
}

#define ASSERT_SHOWN(words)                                             \
	do {                                                            \
		if (strstr(shown, words) == NULL)                       \
			fail_msg("not in it: %s", words);               \
	} while (0)

static void
test_tables_have_rates_and_what_limits(void **state)
{
	make_results();
	show(NULL);
	ASSERT_SHOWN("12 files, 95.4 MiB, 30,000,000 tokens; this one, 4 "
		     "processors; medians of 4 runs");
	ASSERT_SHOWN("│ case 0 │ 1.00 s │ -0..+0 % │  100 │    30.0M │        "
		     "9.00 │");
	/* 0.4 s of processor time for 100 MB */
	ASSERT_SHOWN("│ format  │       1 │        4.00 │        250 │");
	ASSERT_SHOWN("From 3 processors on format is the limit; going "
		     "further needs several writers");
	ASSERT_SHOWN("case 1: not cold");
	assert_null(strstr(shown, "Other programs"));
}

static void
test_comparison_says_what_is_noise(void **state)
{
	make_results();
	for (uint32_t k = 0; k < 4; k++)
		before.cases[0].wall_ns.values[k] = 2000 * MS + k;
	for (uint32_t k = 0; k < 4; k++)
		before.cases[0].other_ns.values[k] = 3000 * MS;
	before.cases[0].other_ns.nr = 4;
	show(&before);
	ASSERT_SHOWN("│ case 0 │      2.00 s │ 1.00 s │        -50.0 % │ +0.0 % "
		     "(noise) │");
	ASSERT_SHOWN("of the processors before: times say little");
	before.bytes++;
	snprintf(before.machine, sizeof(before.machine), "\033[31mother");
	show(&before);
	ASSERT_SHOWN("the differences mean nothing");
	ASSERT_SHOWN("The other machine: ");
	assert_null(strchr(shown, '\033'));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_tables_have_rates_and_what_limits),
		cmocka_unit_test(test_comparison_says_what_is_noise),
	};

	return cmocka_run_group_tests_name("cli/bench_show", tests, NULL, NULL);
}
