/* SPDX-License-Identifier: MIT */
/*
 * relevance.c - BM25 of texts, as select has it of files.
 */
#include "window/relevance.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "rank/query.h"
#include "rank/match.h"

static_assert(QUERY_TERMS_MAX <= MATCH_TERMS_MAX, "a weight for each term");

/* What is kept while texts are compared with a query. */
struct relevance {
	struct query query;
	struct match_set set; /* lengths in bytes */
	double worth[QUERY_TERMS_MAX];
	uint8_t counts[][QUERY_TERMS_MAX]; /* of each text */
};

static double
score_of(const struct relevance *relevance, const uint8_t *counts, size_t nr)
{
	double score = 0;

	for (uint32_t term = 0; term < relevance->query.nr; term++)
		if (counts[term] > 0)
			score += match_term(&relevance->set, term, counts[term],
					    nr);
	return score;
}

int
relevance_score(const char *query, const struct relevance_text *texts,
		size_t nr, double *scores)
{
	struct relevance *relevance =
		calloc(1, sizeof(*relevance) + nr * QUERY_TERMS_MAX);

	if (relevance == NULL)
		return -ENOMEM;
	query_init(&relevance->query, (const uint8_t *)query, strlen(query));
	relevance->set.nr = nr;
	for (uint32_t term = 0; term < QUERY_TERMS_MAX; term++)
		relevance->worth[term] = 1;
	for (size_t i = 0; i < nr; i++) {
		query_count(&relevance->query, (const uint8_t *)texts[i].bytes,
			    texts[i].nr, relevance->counts[i]);
		relevance->set.length += texts[i].nr;
		for (uint32_t term = 0; term < relevance->query.nr; term++)
			relevance->set.with[term] +=
				relevance->counts[i][term] > 0;
	}
	match_weigh(&relevance->set, relevance->worth, relevance->query.nr);
	for (size_t i = 0; i < nr; i++)
		scores[i] =
			score_of(relevance, relevance->counts[i], texts[i].nr);
	free(relevance);
	return 0;
}
