/* SPDX-License-Identifier: MIT */
/*
 * chunk_struct.h - chunks that respect structure.
 *
 * Does: cuts a text that may come in parts into chunks at lines where a
 *       definition begins or ends, or else between statements, or else at a
 *       blank line, or else at a line.
 * Does not: count tokens: chunk_fit.c does. Sizes here are bytes, at
 *           CHUNK_TOKEN_BYTES a token.
 * Invariants:
 * 1. The chunks of a text, joined, are the text; each ends behind a newline or
 *    at the end of the text.
 * 2. No chunk but the last is smaller than min_bytes, unless what follows it
 *    is a line that does not fit it; none is larger than max_bytes, unless it
 *    is one line. Where no structure is known a short rest may be, too.
 */
#ifndef CHUNK_CHUNK_STRUCT_H
#define CHUNK_CHUNK_STRUCT_H

#include "lang/scan.h"

/*
 * Source text has three to four bytes a token (o200k_base: kernel C 3.1,
 * Python 4.2, Markdown 4.0); at three, a chunk of max_bytes is rarely more
 * than max_chunk_tokens.
 */
#define CHUNK_TOKEN_BYTES 3
#define CHUNK_MAX_TOKENS 2000
#define CHUNK_MIN_TOKENS 100
/* Scanned beyond a place: a signature that begins before it may be known late. */
#define CHUNK_SLACK_BYTES 512

struct chunk_limits {
	uint32_t max_bytes;
	uint32_t min_bytes;
	uint32_t join_bytes; /* neighbours are joined until there are so many */
};

/* A place to cut at that has been chosen. */
struct lang_end {
	size_t bytes;     /* from cutter->start on */
	uint32_t level;   /* brackets around it */
	bool is_boundary; /* of a definition */
};

#define CHUNK_COUNTED 4

/* A piece of the file whose tokens were counted: at least so many. */
struct chunk_counted {
	uint64_t off;
	uint64_t end;
	uint64_t tokens;
};

struct chunk_cutter {
	uint64_t start;        /* of the next chunk, in the file */
	uint32_t level;        /* brackets around that place */
	uint32_t is_boundary;  /* 1: a definition may begin there */
	uint32_t counted_next; /* replaces the oldest */
	uint32_t pad;
	struct chunk_counted counted[CHUNK_COUNTED]; /* chunk_fit.c */
	struct lang_scan scan;
};

/* Limits in tokens, as the configuration has them, in bytes. */
void
chunk_limits_init(struct chunk_limits *limits, uint32_t max_tokens,
		  uint32_t min_tokens);

/*
 * shape:  makes the cutter ready for a file in a language (LANG_NONE:
 *         by lines)
 * owner:  the caller's; plain data, which may lie in a step's state
 */
void
chunk_cutter_init(struct chunk_cutter *cutter, uint32_t lang,
		  const struct chunk_limits *limits);

/*
 * shape:  the end of the next chunk, which begins at cutter->start; 0 bytes: it
 *         cannot be found without more text, or no text is left
 * units:  limits may differ from call to call
 * owner:  text holds all from cutter->start on; sink may be NULL
 * errors: none; never 0 while text.at_end and text is left
 * order:  any number of times; then chunk_cutter_take()
 * calls:  chunk_fit.c
 */
struct lang_end
chunk_cutter_find(struct chunk_cutter *cutter, const struct lang_text *text,
		  const struct chunk_limits *limits,
		  const struct lang_sink *sink);

/* Moves past a chunk, or past the rest of a line too long to be held. */
void
chunk_cutter_take(struct chunk_cutter *cutter, struct lang_end place);

#endif
