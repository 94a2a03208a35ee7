/* SPDX-License-Identifier: MIT */
/*
 * pretoken.c - where the pieces of a text end, one code point after the other.
 */
#include "tokenizer/pretoken.h"

#include "base/base.h"

#define WORD (CLASS_UPPER | CLASS_LOWER | CLASS_LETTER)
#define NOT_WORD (CLASS_OTHER | CLASS_PUNCT | CLASS_MARK)
#define PREFIX (NOT_WORD | CLASS_SPACE)
#define BLANK ((uint8_t)' ')

static const struct pretoken_rules all_rules[PRETOKEN_PATTERNS] = {
	[PRETOKEN_GPT2] = {
		.word = WORD,
		.punct = NOT_WORD,
		.digits = UINT32_MAX,
		.blank_prefix = true,
		.blank_number = true,
		.contraction_first = true,
	},
	[PRETOKEN_CL100K] = {
		.word = WORD,
		.punct = NOT_WORD,
		.prefix = PREFIX,
		.digits = 3,
		.newlines = true,
		.contraction_first = true,
		.contraction_folded = true,
	},
	[PRETOKEN_O200K] = {
		.word = WORD | CLASS_MARK,
		.punct = NOT_WORD,
		.prefix = PREFIX,
		.digits = 3,
		.cased = true,
		.newlines = true,
		.slashes = true,
		.contraction_last = true,
		.contraction_folded = true,
	},
	[PRETOKEN_QWEN] = {
		.word = WORD,
		.punct = NOT_WORD,
		.prefix = PREFIX,
		.digits = 1,
		.newlines = true,
		.contraction_first = true,
		.contraction_folded = true,
	},
	[PRETOKEN_TEKKEN] = {
		.word = WORD | CLASS_MARK,
		.punct = NOT_WORD,
		.prefix = PREFIX,
		.digits = 1,
		.cased = true,
		.newlines = true,
		.slashes = true,
	},
	[PRETOKEN_DEEPSEEK] = {
		.word = WORD | CLASS_MARK,
		.punct = CLASS_PUNCT,
		.prefix = CLASS_SPACE | CLASS_OTHER,
		.digits = 3,
		.newlines = true,
		.dense = true,
	},
};

const struct pretoken_rules *
pretoken_rules(uint32_t pattern)
{
	if (pattern == 0 || pattern >= PRETOKEN_PATTERNS)
		return NULL;
	return &all_rules[pattern];
}

struct rune
pretoken_rune(const struct pretoken_rules *rules, const uint8_t *text,
	      size_t len)
{
	struct rune rune = unicode_rune(text, len);
	uint32_t code;

	if (!rules->dense || rune.len != 3)
		return rune;
	code = (uint32_t)(text[0] & 0x0f) << 12 |
	       (uint32_t)(text[1] & 0x3f) << 6 | (text[2] & 0x3f);
	if ((code >= 0x4e00 && code <= 0x9fa5) ||
	    (code >= 0x3040 && code <= 0x30ff))
		rune.cls = CLASS_DENSE;
	return rune;
}

/* The rune at `at`. */
static struct rune
rune_at(struct piece *piece, size_t at)
{
	struct rune rune =
		pretoken_rune(piece->rules, piece->text + at, piece->len - at);

	if (rune.cls == CLASS_END)
		piece->is_open = true;
	return rune;
}

/* Behind code points from U+5000 to U+9FFF, which are all of CLASS_LETTER. */
static size_t
skip_han(const struct piece *piece, size_t at)
{
	if (!piece->rules->dense)
		while (at < piece->len && (uint8_t)(piece->text[at] - 0xe5) < 5)
			at += 3;
	return at;
}

/* Behind bytes of ASCII that are of some classes. */
static size_t
skip_ascii(const struct piece *piece, size_t at, uint32_t classes)
{
	while (at < piece->len && piece->text[at] < 0x80 &&
	       (unicode_ascii[piece->text[at]] & classes) != 0)
		at++;
	return at;
}

/* ASCII is nearly all there is, and runs can be long. */
static size_t
skip_classes(struct piece *piece, size_t at, uint32_t classes)
{
	struct rune rune;

	for (;; at += rune.len) {
		at = skip_ascii(piece, at, classes);
		if (classes & CLASS_LETTER)
			at = skip_han(piece, at);
		rune = rune_at(piece, at);
		if ((rune.cls & classes) == 0)
			return at;
	}
}

size_t
pretoken_contraction(const struct pretoken_rules *rules, const uint8_t *text,
		     size_t len, bool *is_open)
{
	const uint8_t fold = rules->contraction_folded ? 0x20 : 0;
	uint8_t first, second;

	if (len == 0) {
		*is_open = true;
		return 0;
	}
	first = text[0] | fold;
	if (first == 's' || first == 't' || first == 'm' || first == 'd')
		return 1;
	/* U+017F, the long s, folds to s. */
	if (fold && text[0] == 0xc5 && text[1] == 0xbf)
		return 2;
	if (first != 'r' && first != 'v' && first != 'l')
		return 0;
	if (len == 1) {
		*is_open = true;
		return 0;
	}
	second = text[1] | fold;
	return second == (first == 'l' ? 'l' : 'e') ? 2 : 0;
}

/* A contraction whose apostrophe is at `at`: its end; `at` if it is none. */
static size_t
contraction_end(struct piece *piece, size_t at)
{
	size_t more =
		pretoken_contraction(piece->rules, piece->text + at + 1,
				     piece->len - at - 1, &piece->is_open);

	piece->taken = at;
	return more ? at + 1 + more : at;
}

#define LOWER_OR_BOTH (CLASS_LOWER | CLASS_LETTER | CLASS_MARK)

/* The end of a word of lower and upper case. */
static size_t
cased_word_end(struct piece *piece, size_t at)
{
	const uint32_t both = CLASS_LETTER | CLASS_MARK;
	struct rune rune;

	for (;;) {
		size_t han = skip_han(piece, at);

		if (han != at)
			piece->mark = at = han;
		rune = rune_at(piece, at);
		if ((rune.cls & (CLASS_UPPER | both)) == 0)
			break;
		at += rune.len;
		if (rune.cls & both)
			piece->mark = at;
	}
	if (rune.cls == CLASS_LOWER) {
		piece->kind = PIECE_WORD;
		piece->mark = PIECE_NO_MARK;
		return skip_classes(piece, at, LOWER_OR_BOTH);
	}
	/* The first alternative needs one at its end that counts as lower. */
	return piece->mark != PIECE_NO_MARK ? piece->mark : at;
}

static size_t
word_end(struct piece *piece, size_t at)
{
	const struct pretoken_rules *rules = piece->rules;

	if (!rules->cased)
		return skip_classes(piece, at, rules->word);
	at = piece->kind == PIECE_CASED
		     ? cased_word_end(piece, at)
		     : skip_classes(piece, at, LOWER_OR_BOTH);
	if (!rules->contraction_last || at == PIECE_BEFORE)
		return at;
	if (at == piece->len) {
		piece->is_open = true;
		return at;
	}
	return piece->text[at] == '\'' ? contraction_end(piece, at) : at;
}

static size_t
punct_end(struct piece *piece, size_t at)
{
	const uint8_t *text = piece->text;

	if (piece->kind == PIECE_PUNCT)
		at = skip_classes(piece, at, piece->rules->punct);
	if (!piece->rules->newlines)
		return at;
	while (at < piece->len &&
	       (text[at] == '\r' || text[at] == '\n' ||
		(piece->rules->slashes && text[at] == '/'))) {
		piece->kind = PIECE_PUNCT_NEWLINE;
		at++;
	}
	if (at == piece->len)
		piece->is_open = true;
	return at;
}

static size_t
number_end(struct piece *piece, size_t at)
{
	uint32_t nr;

	for (nr = 0; nr < piece->rules->digits; nr++) {
		struct rune rune = rune_at(piece, at);

		if (rune.cls != CLASS_NUMBER)
			break;
		at += rune.len;
	}
	return at;
}

/* White space that begins no word, number or punctuation. */
static size_t
space_end(struct piece *piece)
{
	const uint8_t *text = piece->text;
	size_t at = 0, last = 0;
	struct rune rune;

	for (;;) {
		/* A run of blanks; the last one is looked at below. */
		while (piece->len - at > 1 && text[at] == BLANK &&
		       text[at + 1] == BLANK)
			at++;
		rune = rune_at(piece, at);
		if ((rune.cls & (CLASS_SPACE | CLASS_NEWLINE)) == 0)
			break;
		last = at;
		at += rune.len;
		if (piece->rules->newlines && rune.cls == CLASS_NEWLINE)
			last = piece->mark = at;
	}
	piece->taken = last;
	if (piece->mark != PIECE_NO_MARK)
		return piece->mark;
	/* The last one is left to what follows, if it is not the only one. */
	if (piece->rules->dense && (rune.cls & (CLASS_NUMBER | CLASS_DENSE)))
		return at;
	return rune.cls == CLASS_END || (last == 0 && !piece->is_begun) ? at
									: last;
}

/* ASCII punctuation takes letters along, but of ASCII only. */
static size_t
ascii_word_end(struct piece *piece, size_t at)
{
	at = skip_ascii(piece, at, WORD);
	if (at == piece->len)
		piece->is_open = true;
	return at;
}

/* What no alternative takes, but for the last if it is a word's prefix. */
static size_t
other_end(struct piece *piece)
{
	size_t at = 0, last = 0;
	struct rune rune;

	for (;; at += rune.len) {
		rune = rune_at(piece, at);
		if (rune.cls != CLASS_OTHER)
			break;
		last = at;
	}
	piece->taken = last;
	return (rune.cls & piece->rules->word) && (last != 0 || piece->is_begun)
		       ? last
		       : at;
}

/* Whether the first code point is one that a word may have before it. */
static bool
leads_word(const struct piece *piece, struct rune first, struct rune next)
{
	const struct pretoken_rules *rules = piece->rules;

	return (next.cls & rules->word) &&
	       ((first.cls & rules->prefix) ||
		(rules->blank_prefix && piece->text[0] == BLANK));
}

/* The same where words of ASCII stand behind its punctuation. */
static bool
leads_ascii_word(const struct piece *piece, struct rune first)
{
	const uint8_t *text = piece->text;

	return piece->rules->dense && first.cls == CLASS_PUNCT &&
	       text[0] < 0x80 && first.len < piece->len && text[1] < 0x80 &&
	       (unicode_ascii[text[1]] & WORD) != 0;
}

static enum piece_kind
word_kind(const struct piece *piece)
{
	return piece->rules->cased ? PIECE_CASED : PIECE_WORD;
}

/* What begins with neither word, number nor contraction. */
static size_t
begin_mixed(struct piece *piece, struct rune first)
{
	const struct pretoken_rules *rules = piece->rules;
	bool is_blank = piece->text[0] == BLANK;
	struct rune next = rune_at(piece, first.len);

	if (leads_ascii_word(piece, first))
		piece->kind = PIECE_ASCII_WORD;
	else if (leads_word(piece, first, next))
		piece->kind = word_kind(piece);
	else if (rules->blank_number && is_blank && next.cls == CLASS_NUMBER)
		piece->kind = PIECE_NUMBER;
	else if ((first.cls & rules->punct) ||
		 (is_blank && (next.cls & rules->punct)))
		piece->kind = PIECE_PUNCT;
	else {
		piece->kind =
			first.cls == CLASS_OTHER ? PIECE_OTHER : PIECE_SPACE;
		return 0;
	}
	return first.len;
}

size_t
pretoken_begin(struct piece *piece)
{
	struct rune first = rune_at(piece, 0);
	size_t end;

	if (first.cls & piece->rules->word) {
		piece->kind = word_kind(piece);
		return 0;
	}
	if (first.cls == CLASS_NUMBER) {
		piece->kind = PIECE_NUMBER;
		return 0;
	}
	if (piece->rules->contraction_first && piece->text[0] == '\'') {
		end = contraction_end(piece, 0);
		piece->kind = PIECE_CONTRACTION;
		if (end > 0)
			return end;
	}
	if (first.cls == CLASS_DENSE) {
		piece->kind = PIECE_DENSE;
		return 0;
	}
	return begin_mixed(piece, first);
}

size_t
pretoken_go_on(struct piece *piece, size_t at)
{
	piece->taken = piece->len;
	switch (piece->kind) {
	case PIECE_WORD:
	case PIECE_CASED:
		return word_end(piece, at);
	case PIECE_NUMBER:
		return number_end(piece, at);
	case PIECE_CONTRACTION:
		return at;
	case PIECE_PUNCT:
	case PIECE_PUNCT_NEWLINE:
		return punct_end(piece, at);
	case PIECE_SPACE:
		return space_end(piece);
	case PIECE_DENSE:
		return skip_classes(piece, at, CLASS_DENSE);
	case PIECE_ASCII_WORD:
		return ascii_word_end(piece, at);
	case PIECE_OTHER:
		return other_end(piece);
	}
	ASSERT(false);
}

size_t
pretoken_end(const struct pretoken_rules *rules, const uint8_t *text,
	     size_t len, bool *is_open)
{
	struct piece piece = {
		.rules = rules, .text = text, .len = len, .mark = PIECE_NO_MARK
	};
	size_t end = pretoken_go_on(&piece, pretoken_begin(&piece));

	*is_open = piece.is_open;
	return end;
}
