/* SPDX-License-Identifier: MIT */
/*
 * relevance.h - scores texts against a query, without a model.
 *
 * Does: BM25 over stems of the parts of identifiers: parseHttpHeader,
 *       parse_http_header and "parsing http headers" are the same three terms.
 * Does not: score stop words ("of", "the").
 * Limits: those of rank/query.h.
 */
#ifndef WINDOW_RELEVANCE_H
#define WINDOW_RELEVANCE_H

#include "base/base.h"

struct relevance_text {
	const char *bytes;
	size_t nr;
};

/*
 * shape:  scores[i] is that of texts[i]; 0: no term in common
 * errors: -ENOMEM
 * source: rank/match.h
 */
int
relevance_score(const char *query, const struct relevance_text *texts,
		size_t nr, double *scores);

#endif
