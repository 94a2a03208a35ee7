/* SPDX-License-Identifier: MIT */
/*
 * pretoken.h - where the pieces of a text end.
 *
 * An encoding cuts text by a regular expression before anything is merged.
 * The expressions of all known encodings are of one make, so here they are
 * one scanner with switches:
 *
 *   gpt2    's|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+
 *           |\s+(?!\S)|\s+
 *   cl100k  (?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}
 *           | ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+
 *   o200k   [^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*
 *           [\p{Ll}\p{Lm}\p{Lo}\p{M}]+(?i:'s|'t|'re|'ve|'m|'ll|'d)?
 *           |[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+
 *           [\p{Ll}\p{Lm}\p{Lo}\p{M}]*(?i:'s|'t|'re|'ve|'m|'ll|'d)?
 *           |\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+
 *
 * DeepSeek V3 cuts three times, each time what the cuts before have left:
 *
 *   \p{N}{1,3}, then [U+4E00-U+9FA5 U+3040-U+30FF]+, then
 *   [ASCII punctuation][A-Za-z]+|[^\r\n\p{L}\p{P}\p{S}]?[\p{L}\p{M}]+
 *   | ?[\p{P}\p{S}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+
 *
 * and what no alternative takes is a piece as well.
 */
#ifndef TOKENIZER_PRETOKEN_H
#define TOKENIZER_PRETOKEN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tokenizer/unicode.h"

enum pretoken_pattern {
	PRETOKEN_NONE = 0, /* no vocabulary: nothing is split */
	PRETOKEN_GPT2 = 1,
	PRETOKEN_CL100K = 2,
	PRETOKEN_O200K = 3,
	PRETOKEN_QWEN = 4,   /* cl100k with single digits */
	PRETOKEN_TEKKEN = 5, /* o200k with single digits, no contractions */
	PRETOKEN_DEEPSEEK = 6,
	PRETOKEN_PATTERNS
};

/* The switches of a pattern. */
struct pretoken_rules {
	uint32_t word;  /* classes that words are made of */
	uint32_t punct; /* classes of runs that are neither word nor number */
	uint32_t
		prefix; /* classes that one code point before a word may have */
	uint32_t digits;   /* most numbers in a piece */
	bool blank_prefix; /* a prefix can be a blank only */
	bool blank_number; /* numbers may begin with a blank */
	bool cased;        /* upper case does not follow lower case in a word */
	bool newlines;     /* newlines end punctuation and white space */
	bool slashes;      /* ... and slashes go with them */
	bool contraction_first;  /* 's is a piece of its own */
	bool contraction_last;   /* 's belongs to the word before it */
	bool contraction_folded; /* 'S is the same */
	/*
	 * DeepSeek: runs of Chinese and Japanese are pieces (CLASS_DENSE); to
	 * what is before them and before numbers they are the end of the text.
	 */
	bool dense;
};

/*
 * shape:  the switches of a pattern; NULL if there is none
 */
const struct pretoken_rules *
pretoken_rules(uint32_t pattern);

/*
 * shape:  unicode_rune(), with the classes of the pattern
 */
struct rune
pretoken_rune(const struct pretoken_rules *rules, const uint8_t *text,
	      size_t len);

/* What a piece is made of behind a first code point that may differ. */
enum piece_kind {
	PIECE_WORD = 1,
	PIECE_CASED, /* letters, none of them surely lower case yet */
	PIECE_NUMBER,
	PIECE_CONTRACTION,
	PIECE_PUNCT,
	PIECE_PUNCT_NEWLINE, /* newlines at the end of punctuation */
	PIECE_SPACE,
	PIECE_DENSE,      /* Chinese and Japanese, where they are pieces */
	PIECE_ASCII_WORD, /* letters of ASCII behind punctuation */
	PIECE_OTHER,      /* what no alternative of the pattern takes */
};

/* Places that are not in the text. */
#define PIECE_NO_MARK SIZE_MAX
#define PIECE_BEFORE (SIZE_MAX - 1) /* before the text that is given */

/*
 * A piece that is looked for in a text, or in more text than was given before:
 * of that, kind, mark and is_begun are all that has to be remembered.
 */
struct piece {
	const struct pretoken_rules *rules;
	const uint8_t *text;
	size_t len;
	size_t mark;  /* it ends here after all, unless it goes on far enough */
	size_t taken; /* if it is open: what is before this surely is in it, or
			 behind the mark */
	enum piece_kind kind;
	bool is_begun; /* some of it was before the text */
	bool is_open;  /* the end of the text was looked at */
};

/*
 * shape:  where the piece that begins at text ends; *is_open tells that this
 *         could change if more text followed
 * units:  len in bytes, 1 or more
 */
size_t
pretoken_end(const struct pretoken_rules *rules, const uint8_t *text,
	     size_t len, bool *is_open);

/*
 * shape:  tells what kind of piece begins at the text; returns how many bytes
 *         are before what the kind says
 */
size_t
pretoken_begin(struct piece *piece);

/*
 * shape:  where a piece ends that goes on at `at`, if no more text follows;
 *         PIECE_BEFORE: at its mark, which is before the text
 */
size_t
pretoken_go_on(struct piece *piece, size_t at);

/*
 * shape:  the length of a contraction without its apostrophe, 0 if there is
 *         none; *is_open as above
 * units:  bytes
 */
size_t
pretoken_contraction(const struct pretoken_rules *rules, const uint8_t *text,
		     size_t len, bool *is_open);

/* Whether an ASCII byte is visible: neither white space nor control. */
static inline bool
pretoken_is_graphic(uint8_t byte)
{
	return byte > ' ' && byte < 0x7f;
}

/*
 * shape:  whether a piece begins between two bytes, whatever comes before and
 *         after them
 *
 * A place begins a new piece whatever surrounds the text if
 *   (a) a byte of ASCII that is neither white space nor a control character
 *       lies before it and a blank or a tab behind it: no pattern has white
 *       space but at the beginning of a piece or in a run of white space,
 *       and such a run has nothing else before it; or
 *   (b) a newline lies before it and such a byte of ASCII behind it: newlines
 *       are at the end of their piece, and no piece goes on behind its
 *       newlines but with more of them, or with slashes. Only for patterns
 *       that end white space at newlines: elsewhere the last character of the
 *       run would be a piece of its own here, but not at the end of a text.
 * In both cases what lies before the place is cut as if the text ended there.
 */
static inline bool
pretoken_is_boundary(const struct pretoken_rules *rules, uint8_t before,
		     uint8_t behind)
{
	if (pretoken_is_graphic(before))
		return behind == ' ' || behind == '\t';
	return rules->newlines && (before == '\n' || before == '\r') &&
	       pretoken_is_graphic(behind) && behind != '/';
}

#endif
