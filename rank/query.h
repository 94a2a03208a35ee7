/* SPDX-License-Identifier: MIT */
/*
 * query.h - the words of a task, and how often a text has them.
 *
 * Does: finds the words of a task but stop words (query_words.h), and counts
 *       them in a text.
 * Does not: rank (rank/match.h); read the file of --query.
 * Invariants:
 * 1. Counting is a function of the bytes alone, in linear time.
 * 2. Pairs of words that are adjacent in the query are terms too; in a text
 *    they may be QUERY_PAIR_BYTES apart.
 * Limits: QUERY_WORDS_MAX words, QUERY_PAIRS_MAX pairs.
 */
#ifndef RANK_QUERY_H
#define RANK_QUERY_H

#include "base/base.h"
#include "base/sieve.h"
#include "rank/anchor.h"
#include "rank/query_find.h"
#include "rank/query_text.h"
#include "rank/query_words.h"

#define QUERY_WORDS_MAX 96
#define QUERY_PAIRS_MAX 64
#define QUERY_TERMS_MAX (QUERY_WORDS_MAX + QUERY_PAIRS_MAX)
#define QUERY_PAIR_BYTES 8
#define QUERY_SLOTS 256 /* a power of two, more than twice the terms */

enum query_about {
	QUERY_ABOUT_TESTS = 1 << 0,
	QUERY_ABOUT_DOCS = 1 << 1,
	QUERY_ABOUT_CONFIG = 1 << 2
};

enum query_kind {
	QUERY_WORD = 0, /* a part of an identifier */
	QUERY_JOINED,   /* a whole identifier of several words */
	QUERY_PAIR      /* two words */
};

struct query_term {
	uint16_t times;        /* in the query */
	uint8_t bytes;         /* of the text; 0 for pairs */
	uint8_t kind;          /* enum query_kind */
	uint8_t in_first_line; /* 1: it is */
	uint8_t first;         /* of a pair: the index of either */
	uint8_t second;
	char text[QUERY_TERM_BYTES];
};

#define PHRASE_WINDOWS_MAX 256
#define PHRASE_BYTES_MAX 120
#define PHRASE_LINES_MAX 32

/* Three words of a line, side by side, or a line of code: rank/phrase.h. */
struct phrase_window {
	uint16_t off; /* in the text */
	uint8_t bytes;
	uint8_t term; /* that it has; QUERY_TERMS_MAX: none */
	bool goes_on; /* the window before is one word back */
};

struct phrases {
	uint32_t nr;
	uint32_t word_nr; /* of all lines */
	uint32_t text_bytes;
	uint32_t line_nr; /* of code; 0: the query is no code */
	bool is_word;     /* one line without blanks: "CVE-2021-44228" */
	struct phrase_window windows[PHRASE_WINDOWS_MAX];
	struct phrase_window lines[PHRASE_LINES_MAX];
	uint8_t text[PHRASE_WINDOWS_MAX * 32];
};

/* Owner: the supervisor, made before any fork and only read afterwards. */
struct query {
	uint32_t nr;
	uint32_t word_nr; /* the pairs follow the words */
	uint32_t about;   /* enum query_about: what it asks for besides code */
	uint32_t lines[QUERY_LINE_NR]; /* how many are what; but blank ones */
	struct query_term terms[QUERY_TERMS_MAX];
	uint8_t slots[QUERY_SLOTS]; /* index + 1 of a term; 0: none */
	uint8_t pairs[QUERY_WORDS_MAX][QUERY_WORDS_MAX]; /* likewise */
	uint64_t begins[512]; /* a bit for each beginning of a term */
	struct sieve sieve;
	/* the first bytes of each word, case aside, and how many are sure */
	uint64_t prefixes[QUERY_WORDS_MAX];
	uint64_t prefix_masks[QUERY_WORDS_MAX];
	struct anchors anchors; /* what it names; empty after query_init() */
	struct phrases phrases; /* likewise */
};

/*
 * shape:  the terms of a text; the first ones if there are too many
 * owner:  *query is the caller's; keeps nothing of the text
 * calls:  the supervisor, tests
 */
void
query_init(struct query *query, const uint8_t *text, size_t bytes);

/*
 * shape:  adds to counts[i] how often term i is in the text; they stop at 255
 * calls:  chunk worker for each chunk, collect for messages of commits,
 *         select for paths
 */
void
query_count(const struct query *query, const uint8_t *text, size_t bytes,
	    uint8_t counts[QUERY_TERMS_MAX]);

/*
 * shape:  enum query_about: what the first line of a text asks for besides
 *         code, as in "fix a flaky test", "docs: ...", "tests for the parser"
 */
uint32_t
query_about(const uint8_t *text, size_t bytes);

/* What each term is worth to the query, beside how rare it is. */
void
query_worth(const struct query *query, double worth[QUERY_TERMS_MAX]);

/*
 * shape:  how many words a name has, if they are different words of the query; 0:
 *         it is one word, or not all of them are
 */
uint32_t
query_name_words(const struct query *query, const uint8_t *name, size_t bytes);

/* Index of a stem, or -1. */
int
query_find(const struct query *query, const char *stem, size_t bytes);

#endif
