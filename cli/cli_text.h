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
#include "base/diag.h"
#include "base/nearest.h"

#define WORD_QUOTE_BYTES 128

/* As QUOTED(), of a word, that is cut sooner. */
#define WORD_QUOTED(word) \
	diag_quote_text((char[WORD_QUOTE_BYTES]){ 0 }, WORD_QUOTE_BYTES, word)

/*
 * shape:  words of `text`, from column `column` on, in lines of 79 columns;
 *         each after the first begins with `begin`; ends the line
 */
void
print_wrapped(FILE *out, const char *text, size_t column, const char *begin);

#endif
