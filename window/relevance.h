/* SPDX-License-Identifier: MIT */
/*
 * relevance.h - how much texts have to do with a query, without a model.
 *
 * Does: BM25 over the parts of identifiers: parseHttpHeader,
 *       parse_http_header and "parse http header" are the same three terms.
 * Does not: stem words, know languages.
 * Limits: the first RELEVANCE_TERMS_MAX different terms of a query count.
 */
#ifndef WINDOW_RELEVANCE_H
#define WINDOW_RELEVANCE_H

#include "shm/base.h"

#define RELEVANCE_TERMS_MAX 256

struct relevance_text {
	const char *bytes;
	size_t nr;
};

/*
 * shape:  scores[i] is that of texts[i]; 0: no term in common
 * errors: -ENOMEM
 * source: Robertson, Zaragoza: The Probabilistic Relevance Framework: BM25
 *         and Beyond (2009); k1 1.2, b 0.75
 */
int
relevance_score(const char *query, const struct relevance_text *texts,
		size_t nr, double *scores);

#endif
