/* SPDX-License-Identifier: MIT */
/*
 * relevance.c - terms and BM25.
 */
#include "window/relevance.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define K1 1.2
#define B 0.75

/* Terms are told apart by their hash alone: 64 bits do for one query. */
struct terms {
	uint64_t hashes[RELEVANCE_TERMS_MAX];
	size_t nr;
};

enum kind { KIND_NONE = 0, KIND_LOWER, KIND_UPPER, KIND_DIGIT };

static enum kind
kind_of(uint8_t c)
{
	if (c >= 'A' && c <= 'Z')
		return KIND_UPPER;
	if ((c >= 'a' && c <= 'z') || c >= 0x80)
		return KIND_LOWER;
	return c >= '0' && c <= '9' ? KIND_DIGIT : KIND_NONE;
}

/*
 * The hash of the next term from *at on, false at the end. A term ends where
 * a capital follows a small letter, and before the last capital of a row if
 * a small letter follows that: HTTPServer is http, server.
 */
static bool
next_term(const char *bytes, size_t nr, size_t *at, uint64_t *hash)
{
	const uint8_t *p = (const uint8_t *)bytes;
	enum kind before = KIND_NONE;
	size_t i = *at;
	size_t start;

	while (i < nr && kind_of(p[i]) == KIND_NONE)
		i++;
	*hash = 14695981039346656037ull;
	for (start = i; i < nr; i++) {
		enum kind kind = kind_of(p[i]);
		enum kind after = i + 1 < nr ? kind_of(p[i + 1]) : KIND_NONE;

		if (kind == KIND_NONE)
			break;
		if (i > start && kind == KIND_UPPER &&
		    (before != KIND_UPPER || after == KIND_LOWER))
			break;
		*hash ^= kind == KIND_UPPER ? p[i] | 0x20u : p[i];
		*hash *= 1099511628211ull;
		before = kind;
	}
	*at = i;
	return i > start;
}

static size_t
find_term(const struct terms *terms, uint64_t hash)
{
	size_t i = 0;

	while (i < terms->nr && terms->hashes[i] != hash)
		i++;
	return i;
}

static void
read_query(const char *query, struct terms *terms)
{
	size_t bytes = strlen(query);
	size_t at = 0;
	uint64_t hash;

	terms->nr = 0;
	while (terms->nr < RELEVANCE_TERMS_MAX &&
	       next_term(query, bytes, &at, &hash)) {
		if (find_term(terms, hash) == terms->nr)
			terms->hashes[terms->nr++] = hash;
	}
}

/* counts[t]: how often term t is in the text; returns all its terms. */
static uint64_t
count_terms(const struct terms *terms, const struct relevance_text *text,
	    uint32_t *counts)
{
	uint64_t length = 0;
	size_t at = 0;
	uint64_t hash;

	while (next_term(text->bytes, text->nr, &at, &hash)) {
		size_t term = find_term(terms, hash);

		if (term < terms->nr)
			counts[term]++;
		length++;
	}
	return length;
}

int
relevance_score(const char *query, const struct relevance_text *texts,
		size_t nr, double *scores)
{
	struct terms terms;
	uint32_t *counts; /* a row of terms.nr for each text */
	uint64_t *lengths;
	double mean = 0;
	int result = -ENOMEM;

	read_query(query, &terms);
	counts = calloc(nr * terms.nr + 1, sizeof(*counts));
	lengths = calloc(nr + 1, sizeof(*lengths));
	if (counts == NULL || lengths == NULL)
		goto out;
	for (size_t i = 0; i < nr; i++) {
		lengths[i] =
			count_terms(&terms, &texts[i], &counts[i * terms.nr]);
		mean += (double)lengths[i] / (double)nr;
		scores[i] = 0;
	}
	for (size_t t = 0; t < terms.nr; t++) {
		double with = 0;
		double weight;

		for (size_t i = 0; i < nr; i++)
			with += counts[i * terms.nr + t] > 0;
		weight = log(1 + ((double)nr - with + 0.5) / (with + 0.5));
		for (size_t i = 0; i < nr; i++) {
			double n = counts[i * terms.nr + t];
			double longer =
				mean > 0 ? (double)lengths[i] / mean : 1;

			if (n > 0)
				scores[i] += weight * n * (K1 + 1) /
					     (n + K1 * (1 - B + B * longer));
		}
	}
	result = 0;
out:
	free(counts);
	free(lengths);
	return result;
}
