/* SPDX-License-Identifier: MIT */
/*
 * cli_text.h - sentences about what a user gave.
 *
 * Does: quotes words, finds the word that was probably meant, wraps text for a
 *       terminal.
 * Does not: log or end anything.
 * Runs in: the supervisor.
 */
#ifndef CLI_CLI_TEXT_H
#define CLI_CLI_TEXT_H

#include <stdio.h>

#include "base/base.h"
#include "base/nearest.h"

#define WORD_QUOTE_BYTES 128

/* A word as people and terminals may see it; diag_quote(). */
const char *
word_quote(char out[static WORD_QUOTE_BYTES], const char *word);

/* The same in memory of its own, which lives as long as the block does. */
#define WORD_QUOTED(word) word_quote((char[WORD_QUOTE_BYTES]){ 0 }, word)

/*
 * shape:  words of `text`, from column `column` on, in lines of 79 columns;
 *         each after the first begins with `begin`; ends the line
 */
void
print_wrapped(FILE *out, const char *text, size_t column, const char *begin);

#endif
