/* SPDX-License-Identifier: MIT */
/*
 * lines.h - what the files for languages that go line by line share.
 *
 * Does not: concern anybody but lines.c, words.c, layout.c,
 *           layout_signature.c and headings.c.
 */
#ifndef LANG_LINES_H
#define LANG_LINES_H

#include "lang/walk.h"

/* The context before a word: struct lang_scan, aux[0]. */
enum word_before {
	BEFORE_START = 0, /* nothing: a statement begins */
	BEFORE_OPERATOR,
	BEFORE_OPERAND,
	BEFORE_DOT
};

#define AUX_BEFORE 0
#define AUX_LOOP 1      /* a `do` that belongs to a loop is still to come */
#define AUX_DELIMITER 1 /* SQL: its bytes; 0: a semicolon */
#define AUX_KIND 2      /* kind of a definition whose block is still to come */
#define AUX_NAME 3      /* bytes of its name */
#define AUX_NEST 4      /* SQL: BEGIN and CASE; headings: what a fence is of */
#define AUX_LEAD 4      /* Elixir: bytes from its comments to it; 0: none */
#define AUX_ALL 4       /* Python: 1: the statement is of __all__ */
#define AUX_EXTRA 5
#define AUX_INDENT 5 /* Python: columns before the comments that may lead */
#define AUX_ATTR 5   /* Elixir: the same from its attributes */

struct line {
	size_t at;       /* first byte that is not blank */
	size_t begin;    /* of the line */
	size_t end;      /* its CR or newline, or the end of the text */
	uint32_t indent; /* columns, tabs to 8 */
};

/* A line begins outside of brackets and strings. */
void
layout_line(struct walk *walk, const struct line *line);

/* Haskell, OCaml: whether the signature of the innermost definition goes on in
 * the line behind the newline at `at`. */
bool
layout_goes_on(const struct walk *walk, size_t at);

/* Returns false if the rest of the line needs no scan. */
bool
heading_line(struct walk *walk, const struct line *line);

/* The code between two events, and its effect on what follows. */
void
words_between(struct walk *walk, size_t from, size_t to);

/* A line begins that is not blank. */
void
words_line(struct walk *walk, size_t at);

/* A line ends. */
void
words_newline(struct walk *walk, size_t at);

/* Brackets, dollars, angles and other bytes of these languages; returns
 * where to go on. */
size_t
words_event(struct walk *walk, size_t at);

/* Makes the scanner stop at the bytes that the language needs. */
void
words_set_events(struct walk *walk);

/* Fills in the place of a definition on a line; uses up the lead. */
void
lines_place(struct walk *walk, size_t at, size_t name, size_t name_bytes,
	    struct def_start *start);

/* Closes frames whose indent is `indent` or more, at the last code. */
void
lines_dedent(struct walk *walk, uint32_t indent);

/* Bytes of the word there; 0: there is none. */
size_t
lines_word(const struct walk *walk, size_t at);

/* The same of a name that may have ticks in it: foldl'. */
size_t
lines_name(const struct walk *walk, size_t at);

/* Lua, CMake: [[ or [==[, its bytes, and what ends it; 0: there is none. */
size_t
lines_long_bracket(const struct walk *walk, size_t at,
		   char term[static LANG_TERM_BYTES + 1]);

#endif
