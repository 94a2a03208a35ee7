/* SPDX-License-Identifier: MIT */
/*
 * chunk_peek.h - finds the ends of definitions that begin before a cut.
 *
 * Does: looks beyond the next chunk; finds the definition that a cut would
 *       divide.
 * Does not: cut; count.
 * Invariants:
 * 1. The cutter is not changed.
 * 2. Results depend on the text alone, not on the parts it comes in.
 */
#ifndef CHUNK_CHUNK_PEEK_H
#define CHUNK_CHUNK_PEEK_H

#include "stages/chunk/chunk_struct.h"

struct chunk_peek {
	const struct chunk_cutter *cutter;
	const struct lang_scan *scan; /* whose marks are looked at */
	uint64_t stop;                /* no boundary is known after it */
	bool ends_text;               /* the text ends there */
	struct lang_scan ahead;
};

/*
 * The text between two boundaries of definitions: one of them, or the text
 * between two.
 */
struct lang_span {
	struct lang_end from; /* 0 bytes: it begins the chunk */
	struct lang_end end;  /* 0 bytes: not known */
};

/*
 * shape:  looks this many bytes ahead, or to the end of the text; false: less
 *         of it is present
 * owner:  the caller's; refers to the cutter
 * order:  before cutter and text change
 */
bool
chunk_peek_open(struct chunk_peek *peek, const struct chunk_cutter *cutter,
		const struct lang_text *text, size_t bytes);

/*
 * shape:  the first boundary after `at` bytes with at most this many brackets
 *         around it, or the end of the text; 0 bytes: unknown
 */
struct lang_end
chunk_peek_boundary(const struct chunk_peek *peek, size_t at, uint32_t level);

/*
 * shape:  where a definition that begins `at` bytes behind the chunk's start is
 *         without its comments; 0 bytes: it has none, or that is not known
 */
struct lang_end
chunk_peek_declaration(const struct chunk_peek *peek, size_t at,
		       uint32_t level);

/* Where a definition begins. */
enum lang_peek_from {
	CHUNK_PEEK_LEAD = 0,    /* its comments */
	CHUNK_PEEK_DECLARATION, /* what is behind its comments */
	CHUNK_PEEK_FROM_NR
};

/*
 * shape:  the span that a cut after `at` bytes would divide, among those with
 *         at most this many brackets around them; false: none that begins here
 */
bool
chunk_peek_torn(const struct chunk_peek *peek, size_t at, uint32_t level,
		enum lang_peek_from from, struct lang_span *span);

/* The most brackets around the chunk's beginning and the borders behind it. */
uint32_t
chunk_peek_deepest(const struct chunk_peek *peek);

#endif
