/* SPDX-License-Identifier: MIT */
/*
 * select_worded.c - names out of the words of a query.
 */
#include "stages/select/select_worded.h"

#include "rank/match.h"

#define SHORT_STRENGTH 0.6
#define LONG_STRENGTH 0.8

void
select_worded_meet(struct select_worded *worded, const struct query *query,
		   uint32_t file_idx, const struct name_entry *entry)
{
	uint32_t words;

	if (query->word_nr > SELECT_WORDED_QUERY ||
	    worded->nr == SELECT_WORDED_MAX)
		return;
	words = query_name_words(query, (const uint8_t *)(entry + 1),
				 entry->bytes);
	if (words == 0)
		return;
	worded->found[worded->nr].file_idx = file_idx;
	worded->found[worded->nr].line = entry->line;
	worded->found[worded->nr].is_long = words > 2;
	worded->nr++;
	worded->long_nr += words > 2;
}

double
select_worded_strength(const struct select_worded *worded, uint32_t i)
{
	bool is_long = worded->found[i].is_long;
	uint32_t nr = is_long ? worded->long_nr : worded->nr - worded->long_nr;

	/* the fourth root: several of them are pieces of one thing */
	return (is_long ? LONG_STRENGTH : SHORT_STRENGTH) /
	       match_root(match_root(nr));
}
