/* SPDX-License-Identifier: MIT */
/*
 * declaration.h - a statement that may declare something, as tokens.
 *
 * Does: turns the bytes between the end of one statement and the brace, or
 *       end, of the next into at most DECLARATION_TOKENS tokens, closed
 *       brackets as one token, and recognises the declaration in them.
 * Does not: serve files other than brace.c and declaration_*.c.
 */
#ifndef LANG_DECLARATION_H
#define LANG_DECLARATION_H

#include <string.h>

#include "lang/walk.h"

#define DECLARATION_TOKENS 64
#define RESUMES_MAX 24 /* the most times that one statement is read again */

/* Perl: what begins a statement that says what a package is and has. */
#define DECLARATION_PERL "package our use has extends with"

/* struct lang_scan, aux */
#define AUX_GROUP 0       /* Go: what the lines of ( ... ) are */
#define AUX_ALIAS 1       /* JavaScript: hash of what exports is set to */
#define AUX_GROUP_OFF 2   /* Go: 1 + where const ( ... ) begins; 0: reported */
#define AUX_GROUP_UPPER 3 /* the upper half */
#define AUX_LOCAL 4       /* Scala: the least column of a body; 0: in none */

enum aux_group {
	GROUP_NONE = 0,
	GROUP_TYPES, /* type ( ... ) */
	GROUP_VALUES /* const ( ... ), var ( ... ) */
};

enum token_type {
	TOKEN_WORD = 0,
	TOKEN_STRING,
	TOKEN_GROUP, /* ( ... ) and the like, closed */
	TOKEN_OPEN,  /* the same, not closed yet */
	TOKEN_PUNCT
};

/* Punctuation of two bytes. */
#define PUNCT_ARROW 'A' /* => */
#define PUNCT_RIGHT 'R' /* -> */
#define PUNCT_SCOPE 'D' /* :: */
#define PUNCT_OTHER 'O' /* == and its like, <- */

struct token {
	size_t at;
	size_t bytes;
	uint8_t type;
	uint8_t punct; /* the byte, or PUNCT_*; of brackets the opening one */
	bool newline;  /* a newline precedes it */
};

struct declaration {
	struct walk *walk;
	struct token tokens[DECLARATION_TOKENS];
	uint32_t nr;
	uint32_t open; /* index after the last open bracket; 0: none */
	size_t lead;   /* SIZE_MAX: no comments before it */
	size_t end;
	uint8_t frame; /* enum frame_type: where it stands */
	bool lost;     /* tokens in the middle were dropped */
	bool is_tail;  /* it goes on with the expression that a function is */

	/* declaration_judge(): what it is */
	uint8_t term;   /* it ends before '{' or ';' (or a line's end) */
	uint32_t first; /* the first token after attributes */
	struct def_start start; /* kind NONE: it defines nothing */
	uint8_t opens;          /* enum frame_type of what the brace opens */
	bool resume;            /* the statement continues after the brace */
	bool is_expression;     /* the same, and its body with it */
	bool is_local;          /* Scala: in a body that has no braces */
};

/*
 * shape:  reads [from, to) as a statement; reports statements in it that ended
 *         at a newline on the way
 * owner:  decl is the caller's
 */
void
declaration_read(struct walk *walk, size_t from, size_t to,
		 struct declaration *decl);

/* Whether the innermost frame is the tail of an expression. */
bool
declaration_in_tail(const struct walk *walk);

/* Ends the tail, after `end` or after its last brace. */
void
declaration_end_tail(struct walk *walk, size_t end);

/* declaration_line.c: whether the statement goes on at `at`, where the next line
 * begins. */
bool
declaration_goes_on(const struct declaration *decl, size_t at);

/* { name => and case name => : what follows in the next line is for itself. */
bool
declaration_ends_with_arrow(const struct declaration *decl);

/*
 * Parentheses that are closed soon and hold nothing that needs a closer look
 * are one token at once. Returns its bytes, or 0.
 */
size_t
declaration_plain_group(const struct walk *walk, size_t at);

/* What is declared before the byte `term`: '{' or ';' (or a line's end). */
void
declaration_judge(struct declaration *decl, uint8_t term);

/* A statement that ended without a brace; tells of it if it defines. */
void
declaration_finish(struct declaration *decl);

/* A prototype or a typedef, which C and its like only declare. */
void
declaration_declare(struct declaration *decl);

/* public: and its like, for what follows in the class around. */
void
declaration_access(struct walk *walk, size_t at, size_t bytes);

/* Reports the imports of the statement. */
void
declaration_import(const struct declaration *decl);

/*
 * declaration_export.c: reports the names that a statement exports, unless it
 * is a definition. True: they are in the braces after it.
 */
bool
declaration_export(const struct declaration *decl);

/*
 * declaration_member.c: reports what is no function and no class: a member of
 * the class around that is not private, or outside of classes a constant or
 * variable; is_exported: others can use it, is_declared: if it is in a header.
 */
void
declaration_member(const struct declaration *decl, bool is_exported,
		   bool is_declared);

/* Go: reports const ( or type ( before the first thing in it that is. */
void
declaration_member_group(const struct declaration *decl);

/* Whether it says in the script of a component what the component takes or
 * tells: const props = defineProps<A>(), let { a } = $props(), props: { a }. */
bool
declaration_is_component(const struct declaration *decl);

/* C++: whether the brace behind the statement begins a value: int a{1}; */
bool
declaration_is_braced(const struct declaration *decl);

/* Whether a comma ends what stands before it where the statement stands. */
bool
declaration_comma_ends(const struct declaration *decl);

/* The first token behind attributes, annotations, decorators. */
uint32_t
declaration_first(const struct declaration *decl);

/* JavaScript: whether name.a = ... exports a: exports, or what it is set to. */
bool
declaration_is_exports(const struct declaration *decl, uint32_t name);

/* Go: type ( A struct { ... } B int ), const ( A = 1 ) at the top. */
bool
declaration_begins_group(const struct declaration *decl);

/* declaration_typed.c: C, Java, C# and their like. */
void
declaration_judge_typed(struct declaration *decl);

/* declaration_script.c: JavaScript and TypeScript. */
void
declaration_judge_script(struct declaration *decl);

/* declaration_scala.c: a statement of a body without braces, an extension, a given;
 * false: it is none. */
bool
declaration_judge_scala(struct declaration *decl);

/* Whether the members of a class without braces follow. */
bool
declaration_ends_template(const struct declaration *decl);

/* A case of an enum without braces, or a given. */
bool
declaration_is_scala_case(const struct declaration *decl);

/* C: whether the brackets at i hold a pointer to a function or an array, with
 * its name: int (*f)(void), int (*a)[2]. */
bool
declaration_is_pointer(const struct declaration *decl, uint32_t i);

/* The token that names what a definer defines; decl->nr: none does. */
uint32_t
declaration_name(const struct declaration *decl, uint32_t definer,
		 uint8_t kind);

/*
 * shape:  records that a definition of this kind begins with token `first`, and
 *         the token of its name; decl->nr: no name
 */
void
declaration_place(struct declaration *decl, uint8_t kind, uint32_t first,
		  uint32_t name);

/* The statement continues after the brace, which opens a frame of that type. */
static inline bool
declaration_resume(struct declaration *decl, uint8_t opens)
{
	decl->opens = opens;
	decl->resume = true;
	return true;
}

/* Whether words alone say what is private in the language, and no name does. */
static inline bool
declaration_has_words(const struct declaration *decl)
{
	switch (decl->walk->scan->lang) {
	case LANG_KOTLIN:
	case LANG_SCALA:
	case LANG_SWIFT:
		return true;
	default:
		return false;
	}
}

/* Skips the < ... > at i; i if there is none. */
uint32_t
skip_angles(const struct declaration *decl, uint32_t i);

/* How many < are open behind token i, of which `nest` were before it. */
uint32_t
angles_behind(const struct declaration *decl, uint32_t i, uint32_t nest);

/* ---- tokens: false or 0 where there is no token ---- */

/* Whether a token of that type is there. */
static inline bool
type_is(const struct declaration *decl, uint32_t i, uint8_t type)
{
	return i < decl->nr && decl->tokens[i].type == type;
}

/* Inline: the compiler knows the length of a literal word. */
static inline bool
word_is(const struct declaration *decl, uint32_t i, const char *word)
{
	return type_is(decl, i, TOKEN_WORD) &&
	       bytes_are(decl->walk->text + decl->tokens[i].at,
			 decl->tokens[i].bytes, word);
}

/* Whether that sign is there. */
static inline bool
punct_is(const struct declaration *decl, uint32_t i, uint8_t punct)
{
	return type_is(decl, i, TOKEN_PUNCT) && decl->tokens[i].punct == punct;
}

/* The first such sign from token i on; decl->nr: there is none. */
static inline uint32_t
punct_from(const struct declaration *decl, uint32_t i, uint8_t punct)
{
	while (i < decl->nr && !punct_is(decl, i, punct))
		i++;
	return i;
}

/* Whether closed brackets of that kind are there. */
static inline bool
group_is(const struct declaration *decl, uint32_t i, uint8_t bracket)
{
	return type_is(decl, i, TOKEN_GROUP) &&
	       decl->tokens[i].punct == bracket;
}

/* ---- token_word.c ---- */

/* The letter of a word of the text in a list (lang_word()); 0: not in it. */
char
word_letter_at(const struct walk *walk, size_t at, size_t bytes,
	       const char *list);

/* The same of the word that is a token. */
char
word_letter(const struct declaration *decl, uint32_t i, const char *list);

/* Whether a word of a list is there. */
static inline bool
word_in(const struct declaration *decl, uint32_t i, const char *list)
{
	return word_letter(decl, i, list) != 0;
}

/* Whether the word is in capitals, as macros are. */
bool
word_is_upper(const struct declaration *decl, uint32_t i);

/* C: __printf(1, 2), DEPRECATED("x"): may stand before a function's type. */
bool
word_is_macro(const struct declaration *decl, uint32_t i);

/* ---- token_pattern.c: patterns of tokens ---- */

/*
 * A pattern is a row of items with blanks between them:
 *
 *   struct    this word             W  U     any word, one in capitals
 *   '='       this punctuation      F  M     definer, modifier by lang.def
 *   S         a string              G  B  C  ( ), [ ], any brackets, closed
 *   N         any punctuation       P  O     ( and any bracket, not closed
 *   T         any token             <> < and >, and what is between them
 *   [a b c]   one of these words    .. tokens of any kind, as few as do
 *   ( a | b ) one of these rows
 *   ^         a line begins here    $  the statement ends here
 *
 * Behind an item: ? * +. Before it: ! it does not follow, & it does (neither
 * takes a token), ~ here is the name.
 */
struct token_match {
	uint32_t end;  /* behind the last token */
	uint32_t name; /* that ~ stands before; UINT32_MAX: none */
};

/* Whether the tokens from i on match the pattern. */
bool
tokens_match(const struct declaration *decl, uint32_t i, const char *pattern,
	     struct token_match *match);

/* The same, without the match. */
static inline bool
tokens_are(const struct declaration *decl, uint32_t i, const char *pattern)
{
	struct token_match match;

	return tokens_match(decl, i, pattern, &match);
}

/* The index after the tokens that match; i if they do not. */
static inline uint32_t
tokens_skip(const struct declaration *decl, uint32_t i, const char *pattern)
{
	struct token_match match;

	return tokens_match(decl, i, pattern, &match) ? match.end : i;
}

/* C++: behind template <...> and what it requires; i: there is none. */
static inline uint32_t
tokens_skip_template(const struct declaration *decl, uint32_t i)
{
	if (!word_is(decl, i, "template"))
		return i;
	return tokens_skip(decl, i,
			   "template <> "
			   "(requires (requires G? C | G | W ('D' W | <>)*) "
			   "(('&' '&' | '|' '|') "
			   "(requires G? C | G | W ('D' W | <>)*))*)?");
}

#endif
