/* SPDX-License-Identifier: MIT */
/*
 * lang.h - the languages of lang.def and the structure of their texts.
 *
 * Does: offers the rows of lang.def, those with structure by the hint of a code
 *       fence.
 * Does not: detect the language of a file; collect does.
 */
#ifndef LANG_LANG_H
#define LANG_LANG_H

#include "base/base.h"

enum lang_family {
	FAMILY_NONE = 0, /* its structure is not known */
	FAMILY_BRACE,    /* { } */
	FAMILY_INDENT,   /* Python */
	FAMILY_KEYS,     /* YAML */
	FAMILY_LAYOUT,   /* Haskell, OCaml: items begin at one column */
	FAMILY_CLAUSES,  /* Erlang: until a dot */
	FAMILY_END,      /* Ruby, Lua: until `end` */
	FAMILY_SHELL,    /* braces that are words */
	FAMILY_HEADING,  /* Markdown, TOML, Makefile: until the next one */
	FAMILY_SQL,      /* statements */
	FAMILY_PARENS,   /* Lisps */
	FAMILY_TAGS      /* HTML, XML */
};

/* Properties of a language's texts: bits of struct lang, traits. */
#define TRAIT(bit) (UINT64_C(1) << (bit))

#define TRAIT_C TRAIT(0)              /* preprocessor; typedef; K&R */
#define TRAIT_TYPED TRAIT(1)          /* functions begin with a type */
#define TRAIT_CPP TRAIT(2)            /* templates, constructors, R"()" */
#define TRAIT_OBJC TRAIT(3)           /* @implementation ... @end */
#define TRAIT_MEMBERS TRAIT(4)        /* typed functions only within classes */
#define TRAIT_DECLARED TRAIT(5)       /* functions may end with a semicolon */
#define TRAIT_NEWLINE TRAIT(6)        /* a line's end may end a statement */
#define TRAIT_METHODS TRAIT(7)        /* name(...) { within classes, objects */
#define TRAIT_TYPES TRAIT(8)          /* TypeScript */
#define TRAIT_REGEX TRAIT(9)          /* a regular expression between slashes */
#define TRAIT_VERBATIM TRAIT(10)      /* @"" */
#define TRAIT_HASH_LINES TRAIT(11)    /* #if, #region */
#define TRAIT_HASH_COMMENTS TRAIT(12) /* # to the end of the line */
#define TRAIT_HASH_ATTRIBUTES TRAIT(13) /* #[...] */
#define TRAIT_BRACKET_ATTRIBUTES TRAIT(14)
#define TRAIT_NEST_COMMENTS TRAIT(15)
#define TRAIT_EXPRESSION_BODY TRAIT(16) /* def f = ... */
#define TRAIT_SLASH_OPERATOR TRAIT(17)  /* // is an operator */
#define TRAIT_RAW_HASHES TRAIT(18)      /* r#""# */
#define TRAIT_LINE_STRINGS TRAIT(19)
#define TRAIT_HEREDOC TRAIT(20)
#define TRAIT_EMBEDDED TRAIT(21) /* <?php ... ?> */
#define TRAIT_NO_SLASH TRAIT(22) /* a slash begins no comment */
#define TRAIT_ANY_CASE TRAIT(23)
#define TRAIT_RULES TRAIT(24)    /* CSS */
#define TRAIT_KEYS TRAIT(25)     /* JSON */
#define TRAIT_SECTIONS TRAIT(26) /* each block at the top is one */
#define TRAIT_ASSIGNED TRAIT(27) /* name <- function */
#define TRAIT_POD TRAIT(28)      /* =pod ... =cut */
/* of the families that go line by line */
#define TRAIT_DASH_COMMENTS TRAIT(29)
#define TRAIT_ML_COMMENTS TRAIT(30)
#define TRAIT_SLASHES TRAIT(31)
#define TRAIT_PERCENT_COMMENTS TRAIT(32)
#define TRAIT_SEMI_COMMENTS TRAIT(33)
#define TRAIT_RUBY TRAIT(34)
#define TRAIT_LUA TRAIT(35)
#define TRAIT_JULIA TRAIT(36)
#define TRAIT_ELIXIR TRAIT(37)
#define TRAIT_FISH TRAIT(38)
#define TRAIT_CMAKE TRAIT(39)
#define TRAIT_MARKDOWN TRAIT(40)
#define TRAIT_RST TRAIT(41)
#define TRAIT_STARS TRAIT(43)
#define TRAIT_BRACKETS TRAIT(44)
#define TRAIT_FROM TRAIT(45)
#define TRAIT_MAKE TRAIT(46)
#define TRAIT_TEX TRAIT(47)
#define TRAIT_HTML TRAIT(48)
#define TRAIT_BLOCKS TRAIT(49)
/* what it exports, if not every name without a leading _ */
#define TRAIT_EXPORTS_WORD TRAIT(50)     /* what a word says is for others */
#define TRAIT_EXPORTS_CAPITALS TRAIT(51) /* what begins with a capital */
#define TRAIT_EXPORTS_ALL TRAIT(52)      /* everything */
#define TRAIT_NO_TICKS TRAIT(53)         /* a tick begins no string */

/* What ends the signature of a function that the scanner gives with its body. */
enum lang_stop {
	STOP_NONE = 0,
	STOP_COLON, /* def f(a): - and the colon with it; of any definition */
	STOP_SIGN,  /* def f(a) = */
	STOP_FAT,   /* int F(a) => */
	STOP_ARROW, /* (a) => - and the arrow with it */
	STOP_PAREN, /* function f(a) */
	STOP_DO,    /* def f(a), do: */
	STOP_SEMI,  /* def f; - or a sign */
	STOP_RIGHT, /* f(a) -> - and the arrow with it */
	STOP_INIT   /* F(int a) : b(a) */
};

enum lang_id {
	LANG_NONE = 0, /* unknown: by lines */
#define LANG(id, ...) LANG_##id,
#define NAMED(id, ...) LANG_##id,
#include "lang/lang.def"
#undef LANG
#undef NAMED
	LANG_NR
};

/* A row of lang.def, which says what the columns are. */
struct lang {
	const char *name;
	const char *hint; /* fence */
	const char *suffixes;
	const char *names;
	const char *shebangs;
	const char *quotes;
	const char *definers;
	const char *modifiers;
	const char *control;
	uint64_t traits;
	uint8_t family;
	uint8_t stop;
};

/*
 * shape:  the row of a language, by its number; of LANG_NONE one of empty words
 * errors: a number out of range counts as LANG_NONE
 */
const struct lang *
lang_row(uint32_t id);

/* The same; NULL: its structure is unknown. */
const struct lang *
lang_get(uint32_t id);

/* Whether its texts are settings, of which no part says what the rest is: JSON,
 * YAML, TOML, INI. */
static inline bool
lang_is_settings(uint32_t id)
{
	const struct lang *lang = lang_row(id);

	return lang->family == FAMILY_KEYS ||
	       (lang->traits & (TRAIT_KEYS | TRAIT_BRACKETS)) != 0;
}

/*
 * shape:  hint of a code fence -> number of its language
 * units:  bytes of the hint, which needs no end
 * errors: LANG_NONE: structure not known
 */
uint32_t
lang_find(const char *hint, size_t bytes);

/* The language of a name as kernels of notebooks tell it, in any case: "R",
 * "julia", "C++17"; LANG_NONE: not known. */
uint32_t
lang_named(const uint8_t *name, size_t bytes);

/* What begins a comment to the end of the line; "#" where nothing is known. */
const char *
lang_line_comment(uint32_t id);

/*
 * shape:  the language of a file by its name and first bytes: a header with a
 *         name of C may be one of C++
 */
uint32_t
lang_of_text(uint32_t lang, const uint8_t *path, size_t path_bytes,
	     const uint8_t *text, size_t bytes);

#define LANG_WORDS_MAX 40
#define LANG_WORD_SLOTS 64

/* Words before parentheses that are no function's name. */
extern const char lang_not_names[];

/* A hashed list of words that rejects most others quickly. */
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
 */
const struct lang_word_set *
lang_words(uint32_t lang);

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
 * shape:  whether a word is in a list "word word=K | word"; *letter is the
 *         letter after its '=', or '|' if it is after the bar, or ' '
 * owner:  letter may be NULL
 */
bool
lang_word(const char *list, const uint8_t *word, size_t bytes, char *letter);

/* The same, capitals taken as small letters. */
bool
lang_word_any_case(const char *list, const uint8_t *word, size_t bytes,
		   char *letter);

#endif
