/* SPDX-License-Identifier: MIT */
/*
 * lang.h - what a language's text is like, as far as structure goes.
 *
 * Does: offers the rows of lang.def, found by the hint of a code fence.
 * Does not: tell the language of a file; collect does.
 */
#ifndef LANG_LANG_H
#define LANG_LANG_H

#include "base/base.h"

enum lang_family {
	FAMILY_BRACE = 0, /* { } */
	FAMILY_INDENT,    /* Python */
	FAMILY_KEYS,      /* YAML */
	FAMILY_LAYOUT,    /* Haskell, OCaml: items begin at one column */
	FAMILY_CLAUSES,   /* Erlang: until a dot */
	FAMILY_END,       /* Ruby, Lua: until `end` */
	FAMILY_SHELL,     /* braces that are words */
	FAMILY_HEADING,   /* Markdown, TOML, Makefile: until the next one */
	FAMILY_SQL,       /* statements */
	FAMILY_PARENS,    /* Lisps */
	FAMILY_TAGS       /* HTML, XML */
};

enum lang_trait {
	TRAIT_C = 1u << 0,           /* preprocessor; typedef; K&R */
	TRAIT_TYPED = 1u << 1,       /* functions begin with a type */
	TRAIT_CPP = 1u << 2,         /* templates, constructors, R"()" */
	TRAIT_OBJC = 1u << 3,        /* @implementation ... @end */
	TRAIT_MEMBERS = 1u << 4,     /* typed functions only within classes */
	TRAIT_DECLARED = 1u << 5,    /* functions may end with a semicolon */
	TRAIT_NEWLINE = 1u << 6,     /* a line's end may end a statement */
	TRAIT_METHODS = 1u << 7,     /* name(...) { within classes, objects */
	TRAIT_TYPES = 1u << 8,       /* TypeScript */
	TRAIT_REGEX = 1u << 9,       /* a regular expression between slashes */
	TRAIT_VERBATIM = 1u << 10,   /* @"" */
	TRAIT_HASH_LINES = 1u << 11, /* #if, #region */
	TRAIT_HASH_COMMENTS = 1u << 12,   /* # to the end of the line */
	TRAIT_HASH_ATTRIBUTES = 1u << 13, /* #[...] */
	TRAIT_BRACKET_ATTRIBUTES = 1u << 14,
	TRAIT_NEST_COMMENTS = 1u << 15,
	TRAIT_EXPRESSION_BODY = 1u << 16, /* def f = ... */
	TRAIT_RAW_TICK = 1u << 17,
	TRAIT_RAW_HASHES = 1u << 18, /* r#""# */
	TRAIT_LINE_STRINGS = 1u << 19,
	TRAIT_HEREDOC = 1u << 20,
	TRAIT_EMBEDDED = 1u << 21, /* <?php ... ?> */
	TRAIT_NO_SLASH = 1u << 22, /* a slash begins no comment */
	TRAIT_ANY_CASE = 1u << 23,
	TRAIT_RULES = 1u << 24,    /* CSS */
	TRAIT_KEYS = 1u << 25,     /* JSON */
	TRAIT_SECTIONS = 1u << 26, /* each block at the top is one */
	TRAIT_ASSIGNED = 1u << 27, /* name <- function */
	TRAIT_POD = 1u << 28,

	/* of the families that go line by line: numbers anew */
	TRAIT_DASH_COMMENTS = 1u << 0,
	TRAIT_ML_COMMENTS = 1u << 1,
	TRAIT_SLASHES = 1u << 2,
	TRAIT_PERCENT_COMMENTS = 1u << 3,
	TRAIT_SEMI_COMMENTS = 1u << 4,
	TRAIT_RUBY = 1u << 5,
	TRAIT_LUA = 1u << 6,
	TRAIT_JULIA = 1u << 7,
	TRAIT_ELIXIR = 1u << 8,
	TRAIT_FISH = 1u << 9,
	TRAIT_CMAKE = 1u << 10,
	TRAIT_MARKDOWN = 1u << 11,
	TRAIT_RST = 1u << 13,
	TRAIT_EQUALS = 1u << 14,
	TRAIT_STARS = 1u << 15,
	TRAIT_BRACKETS = 1u << 16,
	TRAIT_FROM = 1u << 17,
	TRAIT_MAKE = 1u << 18,
	TRAIT_TEX = 1u << 19,
	TRAIT_HTML = 1u << 21,
	TRAIT_BLOCKS = 1u << 22
};

#define LANG_NONE 0 /* unknown: by lines */

enum lang_id {
	LANG_NONE_ID = LANG_NONE,
#define LANG(id, hint, family, traits, quotes, definers, modifiers, control) \
	LANG_##id,
#include "lang/lang.def"
#undef LANG
	LANG_NR
};

struct lang {
	const char *hint;
	const char *quotes;
	const char *definers;
	const char *modifiers;
	const char *control;
	uint32_t traits;
	uint8_t family;
};

/*
 * shape:  the row of a language, by its number
 * errors: a number out of range, or LANG_NONE, gives NULL
 */
const struct lang *
lang_get(uint32_t id);

/*
 * shape:  hint of a code fence -> number of its language
 * units:  bytes of the hint, which needs no end
 * errors: LANG_NONE: structure not known
 */
uint32_t
lang_find(const char *hint, size_t bytes);

/*
 * shape:  the language of a file by its name and first bytes: a header that
 *         is named as one of C may be one of C++
 */
uint32_t
lang_of_text(uint32_t lang, const uint8_t *path, size_t path_bytes,
	     const uint8_t *text, size_t bytes);

#define LANG_WORDS_MAX 40
#define LANG_WORD_SLOTS 64

/* The words of a list, to know most others at sight and to find these. */
struct lang_word_set {
	const char *list; /* NULL: not made yet */
	uint32_t first;   /* bit of each first letter, case aside */
	uint32_t lengths; /* bit of each length */
	uint32_t nr;
	struct {
		uint8_t at; /* in the list */
		uint8_t bytes;
		char letter;
	} words[LANG_WORDS_MAX];
	uint8_t slots[LANG_WORD_SLOTS]; /* index + 1; 0: none */
};

enum lang_words_of {
	LANG_WORDS_DEFINERS = 0,
	LANG_WORDS_MODIFIERS,
	LANG_WORDS_CONTROL,
	LANG_WORDS_NOT_NAMES, /* before parentheses that are no function's */
	LANG_WORDS_NR
};

/*
 * shape:  the lists of a language, LANG_WORDS_NR of them
 * owner:  a table of the process, filled when a language is first asked for
 * calls:  scan_braces()
 */
const struct lang_word_set *
lang_words(uint32_t lang, const char *not_names);

/* False: not in the list. True: perhaps. */
static inline bool
lang_words_may_have(const struct lang_word_set *words, const uint8_t *word,
		    size_t bytes)
{
	return bytes < 32 && (words->first >> (word[0] & 31) & 1) != 0 &&
	       (words->lengths >> bytes & 1) != 0;
}

/* As lang_word() of the list. */
bool
lang_words_have(const struct lang_word_set *words, const uint8_t *word,
		size_t bytes, char *letter);

/*
 * shape:  whether a word stands in a list "word word=K | word"; *letter is
 *         what follows its '=', or '|' if it stands behind the bar, or ' '
 * owner:  letter may be NULL
 */
bool
lang_word(const char *list, const uint8_t *word, size_t bytes, char *letter);

/* The same, capitals taken as small letters. */
bool
lang_word_any_case(const char *list, const uint8_t *word, size_t bytes,
		   char *letter);

#endif
