/* SPDX-License-Identifier: MIT */
/*
 * options_shards.c - what pack --shard and bale merge do with their options.
 */
#include <string.h>

#include "cli/command_line.h"
#include "supervisor/output.h"

static bool
is_shard(const struct command_line *line)
{
	return line->command == COMMAND_PACK &&
	       (line->shard.text != NULL || line->shard.nr > 0);
}

void
options_set_shards(struct command_line *line)
{
	struct options *options = &line->run;
	struct job *pack = &options->pack;

	if (line->command == COMMAND_MERGE)
		options->parts_path = options_take_operand(line);
	if (!is_shard(line))
		return;
	options->kind = JOB_SHARD;
	pack->history = false;
	pack->git_log_nr = 0;
	pack->git_diff = NULL;
}

int
options_check_shard(struct command_line *line)
{
	const struct options *options = &line->run;

	if (options->kind != JOB_SHARD)
		return 0;
	if (options->output_path == NULL)
		return complain(line,
				"BALE-CLI-004 --shard needs a file for what it "
				"finds out, which bale merge reads: --output "
				"FILE");
	if (output_is_zstd(options->output_path))
		return complain(line,
				"BALE-CLI-005 --shard cannot be given with "
				"--output %s: what it writes is not "
				"compressed",
				WORD_QUOTED(options->output_path));
	return 0;
}
