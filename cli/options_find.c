/* SPDX-License-Identifier: MIT */
/*
 * options_find.c - what bale find does with its operands, and with what a
 *                  configuration file says about outputs.
 */
#include <string.h>

#include "cli/command_line.h"

#define FIND_TOKENS_MOST 1000000000000

const char *
options_take_operand(struct command_line *line)
{
	struct text_list *operands = &line->run.operands;
	const char *first = operands->items[0];

	operands->nr--;
	memmove(operands->items, operands->items + 1,
		operands->nr * sizeof(*operands->items));
	return first;
}

void
options_set_find(struct command_line *line)
{
	struct options *options = &line->run;
	struct job *pack = &options->pack;

	if (line->command != COMMAND_FIND)
		return;
	options->kind = JOB_FIND;
	options->quiet = true;
	options->tiers = TIERS_OFF;
	options->pins.nr = 0;
	pack->enough = true;
	/* all that there is evidence for */
	if (pack->budget_tokens == BUDGET_ALL)
		pack->budget_tokens = FIND_TOKENS_MOST;
	pack->wants_scores = true;
	pack->places_only = true;
	pack->min_chunks = 1;
	pack->compress = false;
	pack->strip_comments = false;
	pack->git_log_nr = 0;
	pack->git_diff = NULL;
	pack->split_tokens = 0;
	if (!option_given(line, OPTION_PATHS))
		pack->paths = PATHS_CWD;
}
