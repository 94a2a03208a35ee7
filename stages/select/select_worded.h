/* SPDX-License-Identifier: MIT */
/*
 * select_worded.h - definitions whose names are words of a short query.
 *
 * Does: "refresh the session when it is stale" may be about refresh_session():
 *       keeps the names of two words and more that are all in the query.
 * Does not: concern long queries, which have the words of any name.
 * Runs in: select.
 * Limits: the first SELECT_WORDED_MAX names, by file.
 */
#ifndef SELECT_SELECT_WORDED_H
#define SELECT_SELECT_WORDED_H

#include "catalogue/names.h"
#include "rank/query.h"

#define SELECT_WORDED_MAX 512
#define SELECT_WORDED_QUERY 10 /* words of a query that is short */

struct select_worded {
	struct {
		uint32_t file_idx;
		uint32_t line;
		bool is_long; /* three words and more */
	} found[SELECT_WORDED_MAX];
	uint32_t nr;
	uint32_t long_nr;
};

/* Keeps a definition if its name is such. */
void
select_worded_meet(struct select_worded *worded, const struct query *query,
		   uint32_t file_idx, const struct name_entry *entry);

/*
 * shape:  how strongly the query names the definition i: less if it names many
 * calls:  when all have been met
 */
double
select_worded_strength(const struct select_worded *worded, uint32_t i);

#endif
