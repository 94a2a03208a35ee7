/* SPDX-License-Identifier: MIT */
/*
 * glob.c - wild cards as git understands them.
 *
 * Does: '*', '?', "**" between slashes, classes, escapes, folded case;
 *       brackets in a name that a user types.
 * Does not: recurse: git's own matcher takes exponential time on patterns
 *           that a hostile tree may well hold.
 * Invariants:
 * 1. Two places to go back to are enough. A '*' never has to be tried again
 *    once a later one was reached, because what the later one can swallow is
 *    a superset; the same holds for "**". When a '*' would have to swallow a
 *    slash, only the last "**" can help.
 */
#include "base/glob.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/ascii.h"

typedef unsigned char uchar;

struct wild {
	const uchar *begin;
	const uchar *pattern; /* where we are */
	const uchar *pattern_end;
	const uchar *text;
	const uchar *text_end;
	const uchar *star; /* what follows the last '*', NULL: none */
	const uchar *star_text;
	const uchar *deep; /* what follows the last "**", NULL: none */
	const uchar *deep_text;
	bool path;
	bool fold;
};

enum step { STEP_ON, STEP_FAIL, STEP_MATCH, STEP_NEVER };

/* Unlike isspace(3). */
static int
is_space(int c)
{
	return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

/* As no locale is ever set, these know ASCII alone. */
static const struct {
	const char name[7];
	int (*has)(int c);
} classes[] = {
	{ "alnum", isalnum },  { "alpha", isalpha }, { "blank", isblank },
	{ "cntrl", iscntrl },  { "digit", isdigit }, { "graph", isgraph },
	{ "lower", islower },  { "print", isprint }, { "punct", ispunct },
	{ "space", is_space }, { "upper", isupper }, { "xdigit", isxdigit },
};

/* -1: there is no such class. */
static int
in_named_class(const uchar *name, size_t bytes, uchar c, bool fold)
{
	for (size_t i = 0; i < ARRAY_LEN(classes); i++)
		if (bytes_are(name, bytes, classes[i].name))
			return classes[i].has(c) != 0 ||
			       (fold && ascii_is_lower(c) &&
				classes[i].has == isupper);
	return -1;
}

static bool
in_range(uchar first, uchar last, uchar c, bool fold)
{
	uchar upper = (uchar)(c - 'a' + 'A');

	if (c >= first && c <= last)
		return true;
	return fold && ascii_is_lower(c) && upper >= first && upper <= last;
}

/*
 * One "[:name:]" within a class; *at is at its '['. 1 or 0: c is in it, and
 * *at is at its last ']'. -1: malformed. 2: it is no such thing.
 */
static int
match_named(const uchar **at, const uchar *end, uchar c, bool fold)
{
	const uchar *name = *at + 2;
	const uchar *close = name;
	int in;

	while (close < end && *close != ']')
		close++;
	if (close == end)
		return -1;
	if (close == name || close[-1] != ':')
		return 2;
	in = in_named_class(name, (size_t)(close - name) - 1, c, fold);
	*at = close;
	return in;
}

/* A byte of a class, behind its '\\' if it has one; false: there is none. */
static bool
take_escaped(const uchar **at, const uchar *end)
{
	return **at != '\\' || ++*at < end;
}

/*
 * One element of a class, of which *at is at its first byte and then at its
 * last. 1 or 0: whether c is in it; -1: malformed. *before is the byte that a
 * range can start at, 0 if none can.
 */
static int
match_element(const uchar **at, const uchar *end, uchar c, bool fold,
	      uchar *before)
{
	uchar first = *before;
	int named = 2;

	*before = 0;
	if (**at == '[' && end - *at > 1 && (*at)[1] == ':')
		named = match_named(at, end, c, fold);
	if (named != 2)
		return named;
	if (**at == '-' && first != 0 && end - *at > 1 && (*at)[1] != ']') {
		++*at;
		if (!take_escaped(at, end))
			return -1;
		return in_range(first, **at, c, fold);
	}
	if (!take_escaped(at, end))
		return -1;
	*before = **at;
	return c == **at;
}

/*
 * A whole class; w->pattern is at its '[' and then after its ']'. 1 or 0:
 * whether c is in it; -1: malformed, the pattern can never match.
 */
static int
match_class(struct wild *w, uchar c)
{
	const uchar *at = w->pattern + 1;
	const uchar *end = w->pattern_end;
	bool negated = at < end && (*at == '!' || *at == '^');
	bool in = false;
	uchar before = 0;

	at += negated;
	do {
		int found;

		if (at == end)
			return -1;
		found = match_element(&at, end, c, w->fold, &before);
		if (found == -1)
			return -1;
		in |= found == 1;
		at++;
	} while (at == end || *at != ']');
	w->pattern = at + 1;
	return in != negated && !(w->path && c == '/');
}

/* Stars; w->pattern is at the first of them. */
static enum step
match_star(struct wild *w)
{
	const uchar *first = w->pattern;
	const uchar *rest = first;
	const uchar *end = w->pattern_end;
	bool deep = !w->path;
	size_t left = (size_t)(w->text_end - w->text);

	while (rest < end && *rest == '*')
		rest++;
	if (w->path && rest - first > 1)
		deep = (first == w->begin || first[-1] == '/') &&
		       (rest == end || *rest == '/' ||
			(end - rest > 1 && rest[0] == '\\' && rest[1] == '/'));
	if (rest == end)
		return deep || memchr(w->text, '/', left) == NULL ? STEP_MATCH
								  : STEP_FAIL;
	w->pattern = rest;
	w->star = NULL;
	if (!deep) {
		w->star = rest;
		w->star_text = w->text;
		return STEP_ON;
	}
	w->deep = rest;
	w->deep_text = w->text;
	if (w->path && *rest == '/')
		w->pattern++; /* the slash too: "**" between is nothing */
	else if (w->text < w->text_end)
		w->deep_text++;
	else
		w->deep = NULL;
	return STEP_ON;
}

/* One element of the pattern that is not a star, against one byte. */
static enum step
match_one(struct wild *w)
{
	uchar c = *w->text;
	uchar want = *w->pattern;
	int in;

	if (w->fold && ascii_is_upper(c))
		c = (uchar)(c - 'A' + 'a');
	if (w->fold && ascii_is_upper(want))
		want = (uchar)(want - 'A' + 'a');
	switch (want) {
	case '[':
		in = match_class(w, c);
		if (in != 1)
			return in == -1 ? STEP_NEVER : STEP_FAIL;
		w->text++;
		return STEP_ON;
	case '?':
		if (w->path && c == '/')
			return STEP_FAIL;
		break;
	case '\\':
		if (++w->pattern == w->pattern_end)
			return STEP_NEVER;
		want = *w->pattern;
		/* fall through */
	default:
		if (c != want)
			return STEP_FAIL;
	}
	w->pattern++;
	w->text++;
	return STEP_ON;
}

/* Lets the last star swallow one byte more; false: nothing is left to try. */
static bool
go_back(struct wild *w)
{
	if (w->star != NULL && w->star_text < w->text_end &&
	    *w->star_text != '/') {
		w->text = ++w->star_text;
		w->pattern = w->star;
		return true;
	}
	w->star = NULL;
	if (w->deep == NULL)
		return false;
	if (w->path && *w->deep == '/') {
		size_t left = (size_t)(w->text_end - w->deep_text);
		const uchar *slash = memchr(w->deep_text, '/', left);

		if (slash == NULL)
			return false;
		w->deep_text = slash;
	}
	w->text = w->deep_text;
	w->pattern = w->deep;
	if (w->deep_text == w->text_end)
		w->deep = NULL;
	else
		w->deep_text++;
	return true;
}

bool
glob_match(const char *pattern, size_t pattern_bytes, const char *text,
	   size_t text_bytes, unsigned flags)
{
	struct wild w = {
		.begin = (const uchar *)pattern,
		.pattern = (const uchar *)pattern,
		.pattern_end = (const uchar *)pattern + pattern_bytes,
		.text = (const uchar *)text,
		.text_end = (const uchar *)text + text_bytes,
		.path = (flags & WILD_PATH) != 0,
		.fold = (flags & WILD_FOLD) != 0,
	};

	for (;;) {
		enum step step = STEP_FAIL;

		if (w.pattern == w.pattern_end) {
			if (w.text == w.text_end)
				return true;
		} else if (*w.pattern == '*') {
			step = match_star(&w);
		} else if (w.text < w.text_end) {
			step = match_one(&w);
		}
		if (step == STEP_MATCH)
			return true;
		if (step == STEP_NEVER)
			return false;
		if (step == STEP_FAIL && !go_back(&w))
			return false;
	}
}

/* A part of a path, as far as `end`, and whether it is a directory. */
static bool
names(const char *pattern, size_t pattern_bytes, const char *path, size_t end)
{
	const char *name = path;

	if (memchr(pattern, '/', pattern_bytes) == NULL) {
		const char *slash = memrchr(path, '/', end);

		name = slash == NULL ? path : slash + 1;
	}
	return glob_match(pattern, pattern_bytes, name,
			  end - (size_t)(name - path), WILD_PATH);
}

static bool
names_path(const char *pattern, const char *path, size_t bytes)
{
	size_t pattern_bytes = strlen(pattern);
	bool is_dir = pattern_bytes > 0 && pattern[pattern_bytes - 1] == '/';

	pattern_bytes -= is_dir;
	/* "/a" is from the top although there is no other slash */
	if (pattern_bytes > 0 && pattern[0] == '/') {
		pattern++;
		pattern_bytes--;
		if (memchr(pattern, '/', pattern_bytes) == NULL) {
			const char *slash = memchr(path, '/', bytes);
			size_t end =
				slash == NULL ? bytes : (size_t)(slash - path);

			return (slash != NULL || !is_dir) &&
			       names(pattern, pattern_bytes, path, end);
		}
	}
	for (size_t i = 0; i < bytes; i++)
		if (path[i] == '/' && names(pattern, pattern_bytes, path, i))
			return true;
	return !is_dir && names(pattern, pattern_bytes, path, bytes);
}

char *
glob_literal_brackets(const char *pattern)
{
	char *literal = malloc(2 * strlen(pattern) + 1);
	char *to = literal;
	bool has_any = false;

	if (literal == NULL)
		return NULL;
	for (const char *at = pattern; *at != '\0'; at++) {
		bool is_bracket = *at == '[' || *at == ']';

		has_any |= is_bracket;
		if (is_bracket)
			*to++ = '\\';
		*to++ = *at;
		if (*at == '\\' && at[1] != '\0')
			*to++ = *++at;
	}
	*to = '\0';
	if (has_any)
		return literal;
	free(literal);
	return NULL;
}

typedef bool (*path_test)(const char *pattern, const char *path, size_t bytes);

/* Whether a pattern passes the test, or does with its brackets in a name. */
static bool
passes(path_test test, const char *pattern, const char *path, size_t bytes)
{
	bool found = test(pattern, path, bytes);
	char *literal;

	if (found || strchr(pattern, '[') == NULL)
		return found;
	literal = glob_literal_brackets(pattern);
	found = literal != NULL && test(literal, path, bytes);
	free(literal);
	return found;
}

bool
glob_names_path(const char *pattern, const char *path, size_t bytes)
{
	return passes(names_path, pattern, path, bytes);
}

static bool
reaches_below(const char *pattern, const char *dir, size_t bytes)
{
	const char *pattern_end = pattern + strlen(pattern);
	const char *dir_end = dir + bytes;

	/* "name" and "name/" are looked for everywhere */
	if (strchrnul(pattern, '/') >= pattern_end - 1)
		return true;
	pattern += *pattern == '/';
	while (dir < dir_end) {
		const char *slash = strchrnul(pattern, '/');
		const char *end = memchr(dir, '/', (size_t)(dir_end - dir));
		size_t name_bytes =
			(size_t)((end == NULL ? dir_end : end) - dir);

		if (slash - pattern == 2 && memcmp(pattern, "**", 2) == 0)
			return true;
		if (slash == pattern_end ||
		    !names(pattern, (size_t)(slash - pattern), dir, name_bytes))
			return false;
		pattern = slash + 1;
		dir += name_bytes + 1;
	}
	return true;
}

bool
globs_reach_below(const char *const *patterns, size_t nr, const char *dir,
		  size_t bytes)
{
	for (size_t i = 0; i < nr; i++)
		if (passes(reaches_below, patterns[i], dir, bytes))
			return true;
	return false;
}

bool
globs_name_path(const char *const *patterns, size_t nr, const uint8_t *path,
		size_t bytes)
{
	for (size_t i = 0; i < nr; i++)
		if (glob_names_path(patterns[i], (const char *)path, bytes))
			return true;
	return false;
}
