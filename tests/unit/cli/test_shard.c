/* SPDX-License-Identifier: MIT */
/*
 * test_shard.c - which part of how many it is, by whom it is said.
 */
#include "tests/support/test_dir.h"

#include "base/exit_code.h"
#include "cli/command_line.h"

static const char *const variables[] = {
	"SLURM_ARRAY_TASK_ID",   "SLURM_ARRAY_TASK_COUNT",
	"SLURM_ARRAY_TASK_MIN",  "SLURM_ARRAY_TASK_STEP",
	"JOB_COMPLETION_INDEX",
};

static int
set_up(void **state)
{
	for (size_t i = 0; i < ARRAY_LEN(variables); i++)
		unsetenv(variables[i]);
	return 0;
}

/* What the variables have, in their order, and what options say. */
static const struct {
	const char *values[ARRAY_LEN(variables)];
	const char *shard;
	uint64_t shards;
	int idx; /* -1: an error */
	uint32_t nr;
} cases[] = {
	{ .idx = 0, .nr = 1 },
	{ .shard = "3/64", .idx = 3, .nr = 64 },
	{ .shard = "0/1", .idx = 0, .nr = 1 },
	{ .shard = "64/64", .idx = -1 },
	{ .shard = "3", .idx = -1 },
	{ .shard = "-1/3", .idx = -1 },
	{ .shard = "1/0", .idx = -1 },
	{ .values = { "7", "4", "5", "1" }, .idx = 2, .nr = 4 },
	{ .values = { "9", "3", "5", "2" }, .idx = 2, .nr = 3 },
	{ .values = { "0", "4" }, .idx = 0, .nr = 4 },
	/* a part of an array that is run again says too little by itself */
	{ .values = { "7", "2", "3" }, .shards = 8, .idx = 7, .nr = 8 },
	{ .values = { "7", "2", "3" }, .idx = -1 },
	{ .values = { "2", "1", "3" }, .idx = -1 },
	{ .values = { "8" }, .shards = 8, .idx = -1 },
	{ .values = { [4] = "6" }, .shards = 8, .idx = 6, .nr = 8 },
	{ .values = { [4] = "6" }, .idx = 0, .nr = 1 },
	{ .values = { [4] = "x" }, .shards = 8, .idx = -1 },
	{ .shards = 8, .idx = -1 },
	{ .values = { "7", "8" }, .shard = "1/2", .idx = 1, .nr = 2 },
};

static void
test_shard_is_what_somebody_says(void **state)
{
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct shard_args args = { .text = cases[i].shard,
					   .nr = cases[i].shards };
		struct shard shard = { .nr = 0 };
		int code;

		set_up(NULL);
		for (size_t k = 0; k < ARRAY_LEN(variables); k++)
			if (cases[i].values[k] != NULL)
				setenv(variables[k], cases[i].values[k], 1);
		code = shard_find(&shard, &args);
		if (code != (cases[i].idx < 0 ? EXIT_USAGE : EXIT_COMPLETE))
			fail_msg("case %zu: exit %d", i, code);
		if (code == EXIT_COMPLETE &&
		    ((int)shard.idx != cases[i].idx || shard.nr != cases[i].nr))
			fail_msg("case %zu: %u/%u", i, shard.idx, shard.nr);
	}
	set_up(NULL);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_shard_is_what_somebody_says),
	};

	return cmocka_run_group_tests_name("cli/shard", tests, NULL,
					   NULL);
}
