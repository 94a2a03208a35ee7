/* SPDX-License-Identifier: MIT */
/*
 * words.h - sentences about what a user gave.
 *
 * Does: keeps one sentence of what is wrong, quotes words, knows how far a
 *       word is from another, wraps text for a terminal.
 * Does not: log or end anything.
 * Runs in: the supervisor.
 */
#ifndef SUPERVISOR_WORDS_H
#define SUPERVISOR_WORDS_H

#include <stdio.h>

#include "shm/base.h"

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

/*
 * shape:  edits (insert, delete, replace, swap of neighbours) between two
 *         words; words of WORD_BYTES and more are as far apart as can be
 * calls:  for "did you mean"
 */
unsigned
edit_distance(const char *a, const char *b);

/* Whether a word so far away is a likely slip of the finger. */
bool
word_is_near(const char *word, unsigned distance);

/*
 * shape:  words of `text`, from column `column` on, in lines of 79 columns
 *         that begin at `indent`; ends the line
 */
void
print_wrapped(FILE *out, const char *text, size_t column, size_t indent);

#endif
