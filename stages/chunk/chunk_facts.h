/* SPDX-License-Identifier: MIT */
/*
 * chunk_facts.h - what a chunk says of itself, for ranking.
 *
 * Does: counts open markers, branches, and words of a query; keeps the first
 *       names that look like calls.
 * Does not: know chunks: it is fed spans, code or comment, in any portions
 *           that end between words.
 */
#ifndef CHUNK_CHUNK_FACTS_H
#define CHUNK_CHUNK_FACTS_H

#include "stages/chunk/chunk_lang.h"

#define FACTS_CALLS 32 /* kept of a chunk */
#define FACTS_TERMS 16 /* of a query */
#define FACTS_TERM_BYTES 32

/* The words of a query: identifiers split at case and underscore, small. */
struct chunk_query {
	uint32_t nr;
	uint8_t bytes[FACTS_TERMS];
	uint8_t words[FACTS_TERMS][FACTS_TERM_BYTES];
};

struct chunk_facts {
	uint32_t markers;  /* words of chunk_marker.def in comments */
	uint32_t branches; /* words like if, for, case; && and || too */
	uint32_t call_nr;  /* names kept */
	uint32_t calls[FACTS_CALLS]; /* FNV-1a of names before a bracket */
	uint32_t terms[FACTS_TERMS]; /* how often each word of the query is */
};

/*
 * shape:  adds the words of a text to a query; words that are there already,
 *         of one letter, or beyond FACTS_TERMS are left out
 * owner:  the caller's, zeroed before
 */
void
chunk_query_add(struct chunk_query *query, const uint8_t *text, size_t bytes);

/*
 * shape:  goes on with the facts by a span of code, or of a comment
 * owner:  the caller's, zeroed at the start of a chunk; query may be NULL
 */
void
chunk_facts_add(struct chunk_facts *facts, const struct chunk_lang *lang,
		const struct chunk_query *query, const uint8_t *text,
		size_t bytes, bool comment);

/*
 * shape:  where the next word of chunk_marker.def stands in a comment, from
 *         `from` on; bytes: there is none
 * units:  *word_bytes is how long it is
 */
size_t
chunk_marker_next(const uint8_t *text, size_t from, size_t bytes,
		  size_t *word_bytes);

/*
 * shape:  how long an import is with the names that it takes of a module:
 *         "a.b import c, d", "a::{b, c}"; bytes: there are none
 * units:  the text of [at, at + bytes) is what the scanner told of; nothing
 *         is looked at from `end` on
 */
size_t
chunk_import_extent(const uint8_t *text, size_t at, size_t bytes, size_t end);

/*
 * shape:  where the name of the next package or namespace stands that a file
 *         is of, or that a manifest names, from `from` on; end: there is none
 * units:  path: of the file, which says how it is written
 * calls:  with the beginning of a file
 */
size_t
chunk_package_next(const uint8_t *path, size_t path_bytes, const uint8_t *text,
		   size_t from, size_t end, size_t *name_bytes);

/* FNV-1a, as in chunk_facts.calls. */
uint32_t
chunk_facts_hash(const uint8_t *word, size_t bytes);

#endif
