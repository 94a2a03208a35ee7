/* SPDX-License-Identifier: MIT */
/*
 * shard.c - which part of N this process is to do, by options and schedulers.
 */
#include <stdlib.h>
#include <string.h>

#include "base/exit_code.h"
#include "cli/command_line.h"

/* A number of the environment; false: there is none. */
static bool
read_variable(const char *name, uint64_t *out)
{
	const char *text = getenv(name);

	return text != NULL &&
	       option_read_number(text, strlen(text), 0, SHARDS_MAX, out);
}

/* "3/64" */
static bool
read_shard(const char *text, uint64_t *idx, uint64_t *nr)
{
	const char *slash = strchr(text, '/');

	return slash != NULL &&
	       option_read_number(text, (size_t)(slash - text), 0, SHARDS_MAX,
				  idx) &&
	       option_read_number(slash + 1, strlen(slash + 1), 1, SHARDS_MAX,
				  nr);
}

/* An array is 0 to N-1 where N is said; else it is as long as it is, and begins
 * where it begins. */
static bool
read_slurm(uint64_t *idx, uint64_t *nr)
{
	uint64_t least = 0;
	uint64_t step = 1;

	if (!read_variable("SLURM_ARRAY_TASK_ID", idx))
		return false;
	if (*nr > 0)
		return true;
	if (!read_variable("SLURM_ARRAY_TASK_COUNT", nr) || *nr == 0)
		return false;
	read_variable("SLURM_ARRAY_TASK_MIN", &least);
	read_variable("SLURM_ARRAY_TASK_STEP", &step);
	*idx = *idx >= least ? (*idx - least) / (step > 0 ? step : 1) : *nr;
	return true;
}

int
shard_find(struct shard *shard, const struct shard_args *args)
{
	uint64_t nr = args->nr;
	uint64_t idx = 0;

	if (args->text != NULL) {
		if (!read_shard(args->text, &idx, &nr))
			return exit_with(EXIT_USAGE,
					 "BALE-CLI-002 --shard: invalid value "
					 "%s: expected I/N, from 0/N to N-1/N",
					 WORD_QUOTED(args->text));
	} else if (!read_slurm(&idx, &nr) && nr > 0 &&
		   !read_variable("JOB_COMPLETION_INDEX", &idx)) {
		return exit_with(
			EXIT_USAGE,
			"BALE-CLI-005 --shards %ju: nothing says which "
			"of them: neither SLURM_ARRAY_TASK_ID nor "
			"JOB_COMPLETION_INDEX is set; see --shard",
			nr);
	}
	if (nr == 0)
		nr = 1;
	if (idx >= nr)
		return exit_with(EXIT_USAGE,
				 "BALE-CLI-002 there is no part %ju of %ju; "
				 "they are 0 to %ju",
				 idx, nr, nr - 1);
	*shard = (struct shard){ .idx = (uint32_t)idx, .nr = (uint32_t)nr };
	return EXIT_COMPLETE;
}
