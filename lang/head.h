/* SPDX-License-Identifier: MIT */
/*
 * head.h - the head of a statement: what stands before its brace.
 *
 * Does: turns the bytes between the end of one statement and the brace, or
 *       end, of the next into at most HEAD_TOKENS tokens, brackets that are
 *       closed as one token, and says from them what it is.
 * Does not: concern anybody but brace.c and chunk_head*.c.
 */
#ifndef LANG_HEAD_H
#define LANG_HEAD_H

#include <string.h>

#include "lang/walk.h"

#define HEAD_TOKENS 64
#define RESUMES_MAX 24 /* how often one statement is read again */

/* struct lang_scan, aux */
#define AUX_GROUP 0 /* Go: what the lines of ( ... ) are */
#define AUX_ALIAS 1 /* JavaScript: hash of what exports is set to */

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
	bool newline;  /* stands before it */
};

struct head {
	struct token tokens[HEAD_TOKENS];
	size_t lead; /* SIZE_MAX: no comments before it */
	size_t end;
	uint32_t nr;
	uint8_t frame; /* enum frame_type: where it stands */
	bool lost;     /* tokens were left out in the middle */
	bool is_tail;  /* it goes on with the expression that a function is */
};

/* What a head turned out to be. */
struct verdict {
	struct def_start start; /* kind NONE: no definition */
	uint8_t frame;          /* enum frame_type of what the brace opens */
	bool resume;            /* the statement goes on behind the brace */
	bool is_expression;     /* the same, and its body with it */
};

/*
 * shape:  reads [from, to) as the head of a statement; statements in it that
 *         ended at a newline are told of as they are met
 * owner:  the head is the caller's
 */
void
head_read(struct walk *walk, size_t from, size_t to, struct head *head);

/* Whether the innermost frame is the tail of an expression. */
bool
head_in_tail(const struct walk *walk);

/* Ends it, behind `end` or behind its last brace. */
void
head_end_tail(struct walk *walk, size_t end);

/* What the head is before the byte `term`: '{' or ';' (or a line's end). */
void
head_judge(struct walk *walk, const struct head *head, uint8_t term,
	   struct verdict *verdict);

/* Behind the < ... > at i, or i if there is none. */
uint32_t
skip_angles(const struct head *head, uint32_t i);

/* The token that names what a definer defines; head->nr: none does. */
uint32_t
head_name_behind(const struct walk *walk, const struct head *head,
		 uint32_t definer, uint8_t kind);

/* A statement that ended without a brace; tells of it if it defines. */
void
head_finish(struct walk *walk, const struct head *head);

/* A prototype or a typedef, which C and its like only declare. */
void
head_declare(struct walk *walk, const struct head *head);

/* public: and its like, for what follows in the class around. */
void
head_access(struct walk *walk, const struct token *word);

/* Tells of what the statement imports, if it does. */
void
head_import(struct walk *walk, const struct head *head);

/*
 * head_export.c: tells of the names that a statement makes known to
 * others, if it is no definition. True: they stand in the braces behind it.
 */
bool
head_export(struct walk *walk, const struct head *head, uint8_t term,
	    bool is_def);

/* JavaScript: whether name.a = ... exports a: exports, or what it is set to. */
bool
head_is_exports(struct walk *walk, const struct token *name);

/* head_typed.c: C, Java, C# and their like. */
void
head_judge_typed(struct walk *walk, const struct head *head, uint32_t first,
		 uint8_t term, struct verdict *verdict);

/* head_script.c: JavaScript and TypeScript. */
void
head_judge_script(struct walk *walk, const struct head *head, uint32_t first,
		  struct verdict *verdict);

/* Whether a word is in capitals, as macros are. */
bool
head_is_upper(const struct walk *walk, const struct token *token);

/* Words before parentheses that are no function's name. */
extern const char head_not_names[];

/* In line: of a word spelt out the compiler knows the length. */
static inline bool
token_is(const struct walk *walk, const struct token *token, const char *word)
{
	return token->type == TOKEN_WORD && strlen(word) == token->bytes &&
	       memcmp(walk->text + token->at, word, token->bytes) == 0;
}

/* Whether there is such a token at i. */
static inline bool
token_type(const struct head *head, uint32_t i, uint8_t type)
{
	return i < head->nr && head->tokens[i].type == type;
}

/* Whether this word is at i. */
static inline bool
token_word(const struct walk *walk, const struct head *head, uint32_t i,
	   const char *word)
{
	return i < head->nr && token_is(walk, &head->tokens[i], word);
}

/* Whether the token is a word of a list, and its letter. */
bool
token_in(const struct walk *walk, const struct token *token, const char *list,
	 char *letter);

/* Whether that sign is at i. */
bool
token_punct(const struct head *head, uint32_t i, uint8_t punct);

/* Whether closed brackets of that kind are at i. */
bool
token_group(const struct head *head, uint32_t i, uint8_t bracket);

/* Index behind the last bracket that is open; 0 if none is. */
uint32_t
head_open(const struct head *head);

/* Fills the place of a definition whose first token is `first`. */
void
head_place(struct walk *walk, const struct head *head, uint32_t first,
	   uint32_t name, struct def_start *start);

/* Go: type ( A struct { ... } B int ), const ( A = 1 ) at the top. */
bool
head_begins_group(const struct walk *walk, const struct head *head);

#endif
