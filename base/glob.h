/* SPDX-License-Identifier: MIT */
/*
 * glob.h - patterns with wild cards, as git understands them.
 */
#ifndef BASE_GLOB_H
#define BASE_GLOB_H

#include "base/base.h"

enum wild_flag {
	WILD_PATH = 1 << 0, /* '*' and '?' stop at '/', "**" does not */
	WILD_FOLD = 1 << 1  /* core.ignorecase */
};

/*
 * shape:  whether the whole text is matched, by the rules of git's wildmatch
 * units:  bytes; flags are enum wild_flag
 * errors: a malformed pattern matches nothing
 * source: gitignore(5), gitglossary(7); compared with git itself in
 *         tests/oracle/collect.py. Time grows with pattern times text.
 */
bool
glob_match(const char *pattern, size_t pattern_bytes, const char *text,
	   size_t text_bytes, unsigned flags);

/*
 * shape:  whether a pattern names a file or a directory above it, as a line
 *         of .gitignore would: with a slash, other than the last, from the
 *         top; without, by the name alone. Brackets are a class, or part of a
 *         name: "[id].tsx" also names the file [id].tsx
 * units:  path: below the root
 */
bool
glob_names_path(const char *pattern, const char *path, size_t bytes);

/* Whether one of the patterns does. */
bool
globs_name_path(const char *const *patterns, size_t nr, const uint8_t *path,
		size_t bytes);

/* Whether one of the patterns could name a file below that directory. */
bool
globs_reach_below(const char *const *patterns, size_t nr, const char *dir,
		  size_t bytes);

/*
 * shape:  the pattern with its brackets escaped, so that they are part of a
 *         name; NULL: it has none, or none that is not escaped already
 * owner:  the caller frees it
 * errors: NULL without memory, too
 */
char *
glob_literal_brackets(const char *pattern);

/* ---- glob_expand.c ------------------------------------------------------ */

#define GLOB_ALTERNATIVES_MAX 4096

/* Takes one pattern; not 0: glob_expand() stops and returns that. */
typedef int (*glob_fn)(void *context, const char *pattern, size_t bytes);

/*
 * shape:  calls `add` for each of the patterns that one with commas and braces
 *         stands for: "a,b" is a and b, "*.{c,h}" is *.c and *.h. A comma or
 *         brace after '\' or within brackets is itself, as is a brace that
 *         has no partner or no comma. Blanks beside a comma outside braces
 *         are none of a pattern, but after '\'
 * owner:  the pattern that `add` gets is valid during its call
 * errors: -E2BIG: more than GLOB_ALTERNATIVES_MAX; -ENOMEM; that of `add`
 */
int
glob_expand(const char *pattern, glob_fn add, void *context);

#endif
