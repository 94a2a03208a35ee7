/* SPDX-License-Identifier: MIT */
/*
 * preproc.h - lines of the preprocessor, within statements and between them.
 */
#ifndef LANG_PREPROC_H
#define LANG_PREPROC_H

#include "lang/walk.h"

/* Whether the directive at this # begins with that word. */
bool
preproc_is(const struct walk *walk, size_t at, const char *word);

/* Whether the # that begins a line begins a directive; Swift: no macro, no
 * #"string"#. */
bool
preproc_is_directive(const struct walk *walk, size_t at);

/*
 * Skips from an #else to its #endif, since the first branch counts; SIZE_MAX:
 * the #endif is not before `to`.
 */
size_t
preproc_skip_else(const struct walk *walk, size_t at, size_t to);

/* A # at a line's beginning; returns where to go on. */
size_t
preproc_directive(struct walk *walk, size_t at);

#endif
