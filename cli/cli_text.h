/* SPDX-License-Identifier: MIT */
/*
 * cli_text.h - sentences about what a user gave.
 *
 * Does: keeps one sentence of what is wrong, quotes words, finds the word that
 *       was probably meant, wraps text for a terminal.
 * Does not: log or end anything.
 * Runs in: the supervisor.
 */
#ifndef CLI_CLI_TEXT_H
#define CLI_CLI_TEXT_H

#include <stdio.h>

#include "base/base.h"

#define WORD_BYTES 64 /* longer ones are like none we know */
#define WORD_QUOTE_BYTES 128

/* Where a sentence goes; the caller's. */
struct complaint {
	char *text;
	size_t size;
};

/* Writes the sentence; always -EINVAL. */
int
complain(const struct complaint *complaint, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* "out of memory"; always -ENOMEM. */
int
complain_memory(const struct complaint *complaint);

/* A word as people and terminals may see it; diag_quote(). */
const char *
word_quote(char out[static WORD_QUOTE_BYTES], const char *word);

/* The same in memory of its own, which lives as long as the block does. */
#define WORD_QUOTED(word) word_quote((char[WORD_QUOTE_BYTES]){ 0 }, word)

/*
 * shape:  edits (insert, delete, replace, swap of neighbours) between two
 *         words; words of WORD_BYTES and more are as far apart as can be
 * calls:  for "did you mean"
 */
unsigned
edit_distance(const char *a, const char *b);

/* The search for what was probably meant by a word that is not known. */
struct nearest {
	const char *word; /* the caller's */
	size_t bytes;     /* of it; 0: all */
	const char *found;
	size_t found_bytes;
	unsigned distance;
};

/* Looks at one more word that would have been right; 0 bytes: all of it. */
void
nearest_try(struct nearest *nearest, const char *known, size_t bytes);

#define HINT_BYTES (WORD_BYTES + 32)

/*
 * shape:  "; did you mean X?", or "" where no word that was looked at is a
 *         likely slip of the finger away; `before` stands before X
 */
const char *
nearest_hint(const struct nearest *nearest, const char *before,
	     char out[static HINT_BYTES]);

#define HINT(nearest, before) \
	nearest_hint(nearest, before, (char[HINT_BYTES]){ 0 })

/*
 * shape:  words of `text`, from column `column` on, in lines of 79 columns;
 *         each after the first begins with `begin`; ends the line
 */
void
print_wrapped(FILE *out, const char *text, size_t column, const char *begin);

#endif
