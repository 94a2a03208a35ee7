/* SPDX-License-Identifier: MIT */
/*
 * brace.h - what brace.c, head.c and preproc.c share.
 */
#ifndef LANG_BRACE_H
#define LANG_BRACE_H

#include "lang/head.h"

/* The next statement begins there. */
void
brace_begin_statement(struct walk *walk, size_t at);

/* Whether nothing but blanks stands before it on its line. */
bool
brace_first_on_line(const struct walk *walk, size_t at);

/* Whether these bytes stand there. */
bool
brace_word_at(const struct walk *walk, size_t at, const char *word);

/* Whether the directive whose # is there begins with that word. */
bool
brace_directive_is(const struct walk *walk, size_t at, const char *word);

/*
 * From an #else to its #endif, since the first branch is the one that counts;
 * SIZE_MAX: the #endif is not before `to`.
 */
size_t
brace_behind_else(const struct walk *walk, size_t at, size_t to);

/* A # at a line's beginning; returns where to go on. */
size_t
brace_directive(struct walk *walk, size_t at);

#endif
