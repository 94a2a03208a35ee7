/* SPDX-License-Identifier: MIT */
/*
 * options_enough.c - what --enough needs, and what it cannot be given with.
 */
#include "cli/command_line.h"

int
options_check_enough(struct command_line *line)
{
	const struct job *pack = &line->run.pack;

	if (!pack->enough)
		return 0;
	if (line->run.query_text == NULL)
		return complain(line,
				"BALE-CLI-005 --enough needs --query: without "
				"a query nothing says what is enough");
	if (pack->budget_tokens == BUDGET_ALL)
		return complain(line,
				"BALE-CLI-005 --enough cannot be given with "
				"--budget all: nothing is ranked then; give a "
				"--budget of tokens, however many");
	if (pack->min_chunks > 1)
		return complain(line,
				"BALE-CLI-005 --enough cannot be given with "
				"--min-chunks: it asks for chunks, whatever "
				"there is evidence for");
	return 0;
}
