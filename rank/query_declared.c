/* SPDX-License-Identifier: MIT */
/*
 * query_declared.c - names of a query, and the lines they stand in.
 */
#include "rank/query_declared.h"

#include "lang/declares.h"

/* The term of a name that other texts have least: all of it, or its longest
 * word; 0: none, else one more. */
static uint8_t
term_of(const struct query *query, const struct anchor_name *name)
{
	uint8_t counts[QUERY_TERMS_MAX] = { 0 };
	uint8_t best = 0;

	query_count(query, (const uint8_t *)name->text, name->bytes, counts);
	for (uint32_t i = 0; i < query->word_nr; i++)
		if (counts[i] > 0 &&
		    (best == 0 ||
		     query->terms[i].bytes > query->terms[best - 1].bytes))
			best = (uint8_t)(i + 1);
	return best;
}

void
query_declared_init(struct query *query)
{
	for (uint32_t i = 0; i < query->anchors.name_nr; i++) {
		struct anchor_name *name = &query->anchors.names[i];

		if (name->sure != ANCHOR_WORD)
			name->term = term_of(query, name);
	}
}

uint32_t
query_declared(const struct query *query, const uint8_t *text, size_t bytes,
	       const uint8_t counts[QUERY_TERMS_MAX],
	       struct query_declared found[QUERY_DECLARED_MAX])
{
	uint32_t nr = 0;

	for (uint32_t i = 0;
	     i < query->anchors.name_nr && nr < QUERY_DECLARED_MAX; i++) {
		const struct anchor_name *name = &query->anchors.names[i];
		enum lang_declares how = LANG_DECLARES_NOT;

		if (name->term != 0 && counts[name->term - 1] > 0)
			how = lang_find_declared(text, bytes, name->text,
						 name->bytes,
						 QUERY_DECLARED_PLACES)
				      .how;
		if (how != LANG_DECLARES_NOT)
			found[nr++] = (struct query_declared){ (uint8_t)i,
							       (uint8_t)how };
	}
	return nr;
}
