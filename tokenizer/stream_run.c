/* SPDX-License-Identifier: MIT */
/*
 * stream_run.c - a piece longer than can be kept, merged as it comes.
 *
 * Does: go through a piece of any length with the same outcome as
 *       pretoken_end() and bpe_count() on the whole: one code point at a time
 *       where that may end it, else as many as there are, so that
 *       bpe_prefix_add() sees what repeats itself.
 * Limits: constant memory, constant time per byte.
 */
#include <string.h>

#include "tokenizer/count.h"
#include "tokenizer/pretoken.h"
#include "tokenizer/stream.h"

#define BLANK_CLASSES (CLASS_SPACE | CLASS_NEWLINE)

/* What a code point does to a run. */
enum step { STEP_TAKEN, STEP_END };

static void
add_whole(const struct tokenizer *tok, struct stream *stream,
	  const uint8_t *text, size_t len)
{
	bpe_prefix_add(tok, &stream->whole, text, len);
}

/* The piece has ended; its tokens are counted. */
static enum step
end_run(struct stream *stream, uint64_t tokens)
{
	stream->tokens += tokens;
	stream->state = STREAM_HOLD;
	return STEP_END;
}

static void
set_mark(struct stream *stream)
{
	stream->has_mark = 1;
	stream->mark_tokens = stream->whole.tokens;
	stream->runes_behind = 0;
	bpe_prefix_init(&stream->rest);
}

/* The tokens of a cased word that ends here, and of the word behind it. */
static uint64_t
cased_tokens(const struct stream *stream)
{
	if (stream->state != STREAM_CASED || !stream->has_mark ||
	    stream->runes_behind == 0)
		return stream->whole.tokens;
	return stream->mark_tokens + stream->rest.tokens;
}

static enum step
step_word(const struct tokenizer *tok, struct stream *stream,
	  const uint8_t *text, struct rune rune)
{
	const struct pretoken_rules *rules = pretoken_rules(tok->pattern);
	const uint32_t both = CLASS_LETTER | CLASS_MARK;
	const uint32_t goes_on =
		rules->cased ? CLASS_LOWER | both : rules->word;

	if (stream->state == STREAM_CASED &&
	    (rune.cls & (CLASS_UPPER | both))) {
		add_whole(tok, stream, text, rune.len);
		if (rune.cls & both) {
			set_mark(stream);
		} else {
			stream->runes_behind = 2;
			if (stream->has_mark)
				bpe_prefix_add(tok, &stream->rest, text,
					       rune.len);
		}
		return STEP_TAKEN;
	}
	if (rune.cls & goes_on) {
		/* Upper case that was in doubt is followed by lower case. */
		stream->state = STREAM_WORD;
		add_whole(tok, stream, text, rune.len);
		return STEP_TAKEN;
	}
	if (!rules->contraction_last || text[0] != '\'')
		return end_run(stream, cased_tokens(stream));
	if (stream->state == STREAM_CASED && stream->has_mark &&
	    stream->runes_behind != 0) {
		stream->tokens += stream->mark_tokens;
		stream->whole = stream->rest;
	}
	stream->state = STREAM_CONTRACTION;
	stream->hold[0] = '\'';
	stream->hold_len = 1;
	return STEP_TAKEN;
}

static enum step
step_contraction(const struct tokenizer *tok, struct stream *stream,
		 const uint8_t *text, struct rune rune)
{
	const struct pretoken_rules *rules = pretoken_rules(tok->pattern);
	uint32_t len = stream->hold_len;
	bool is_open = false;
	size_t more;

	memcpy(stream->hold + len, text, rune.len);
	len += rune.len;
	more = pretoken_contraction(rules, stream->hold + 1, len - 1, &is_open);
	if (more == 0 && is_open) {
		stream->hold_len = len;
		return STEP_TAKEN;
	}
	if (more == 0)
		return end_run(stream, stream->whole.tokens);
	add_whole(tok, stream, stream->hold, len);
	end_run(stream, stream->whole.tokens);
	stream->hold_len = 0;
	return STEP_TAKEN;
}

static enum step
step_punct(const struct tokenizer *tok, struct stream *stream,
	   const uint8_t *text, struct rune rune)
{
	const struct pretoken_rules *rules = pretoken_rules(tok->pattern);
	bool is_tail = rules->newlines && (rune.cls == CLASS_NEWLINE ||
					   (rules->slashes && text[0] == '/'));

	if (stream->state == STREAM_PUNCT && (rune.cls & rules->punct)) {
		add_whole(tok, stream, text, rune.len);
		return STEP_TAKEN;
	}
	if (!is_tail)
		return end_run(stream, stream->whole.tokens);
	stream->state = STREAM_PUNCT_NEWLINE;
	add_whole(tok, stream, text, rune.len);
	return STEP_TAKEN;
}

/* A run that ends where something else begins. */
static enum step
step_classes(const struct tokenizer *tok, struct stream *stream,
	     const uint8_t *text, struct rune rune, uint32_t classes)
{
	if ((rune.cls & classes) == 0)
		return end_run(stream, stream->whole.tokens);
	add_whole(tok, stream, text, rune.len);
	return STEP_TAKEN;
}

/* Adds a code point that may turn out to belong to the next piece. */
static void
add_last(const struct tokenizer *tok, struct stream *stream,
	 const uint8_t *text, struct rune rune)
{
	struct bpe_prefix *part =
		stream->has_mark ? &stream->rest : &stream->whole;

	stream->most_tokens = part->tokens;
	add_whole(tok, stream, text, rune.len);
	if (stream->has_mark)
		bpe_prefix_add(tok, &stream->rest, text, rune.len);
	if (stream->runes_behind < 2)
		stream->runes_behind++;
	stream->last_len = rune.len;
	memcpy(stream->last, text, rune.len);
}

/* The run ends before its last code point. */
static enum step
end_before_last(struct stream *stream)
{
	uint64_t tokens = stream->has_mark ? stream->mark_tokens : 0;

	if (stream->runes_behind >= 2)
		tokens += stream->most_tokens;
	if (stream->runes_behind >= 1) {
		memcpy(stream->hold, stream->last, stream->last_len);
		stream->hold_len = stream->last_len;
	}
	return end_run(stream, tokens);
}

/*
 * The mark is behind the last newline. Behind it (or in the whole run, if
 * there is none) the last code point goes with what follows.
 */
static enum step
step_space(const struct tokenizer *tok, struct stream *stream,
	   const uint8_t *text, struct rune rune)
{
	const struct pretoken_rules *rules = pretoken_rules(tok->pattern);

	if ((rune.cls & BLANK_CLASSES) == 0) {
		if (rules->dense && (rune.cls & (CLASS_NUMBER | CLASS_DENSE)))
			return end_run(stream, stream_run_count(tok, stream));
		return end_before_last(stream);
	}
	if (rules->newlines && rune.cls == CLASS_NEWLINE) {
		add_whole(tok, stream, text, rune.len);
		set_mark(stream);
		return STEP_TAKEN;
	}
	add_last(tok, stream, text, rune);
	return STEP_TAKEN;
}

static enum step
step_other(const struct tokenizer *tok, struct stream *stream,
	   const uint8_t *text, struct rune rune)
{
	const struct pretoken_rules *rules = pretoken_rules(tok->pattern);

	if (rune.cls & rules->word)
		return end_before_last(stream);
	if (rune.cls != CLASS_OTHER)
		return end_run(stream, stream->whole.tokens);
	add_last(tok, stream, text, rune);
	return STEP_TAKEN;
}

/* Of a piece whose first code point no run has: what may follow that. */
static enum stream_state
kind_behind(const struct pretoken_rules *rules, struct rune first,
	    struct rune next, bool is_blank, enum stream_state word)
{
	if (rules->dense && first.cls == CLASS_PUNCT && first.len == 1 &&
	    next.len == 1 && (next.cls & rules->word))
		return STREAM_ASCII_WORD;
	if ((next.cls & rules->word) &&
	    ((first.cls & rules->prefix) || (rules->blank_prefix && is_blank)))
		return word;
	if (rules->blank_number && is_blank && next.cls == CLASS_NUMBER)
		return STREAM_NUMBER;
	if ((first.cls & rules->punct) ||
	    (is_blank && (next.cls & rules->punct)))
		return STREAM_PUNCT;
	return first.cls == CLASS_OTHER ? STREAM_OTHER : STREAM_SPACE;
}

/* What kind of piece begins at text; *prefix_len bytes of it are no run. */
static enum stream_state
kind_of(const struct tokenizer *tok, const uint8_t *text, size_t len,
	size_t *prefix_len)
{
	const struct pretoken_rules *rules = pretoken_rules(tok->pattern);
	const enum stream_state word =
		rules->cased ? STREAM_CASED : STREAM_WORD;
	struct rune first = pretoken_rune(rules, text, len);
	struct rune next =
		pretoken_rune(rules, text + first.len, len - first.len);
	enum stream_state kind;

	*prefix_len = 0;
	if (first.cls & rules->word)
		return word;
	if (first.cls == CLASS_NUMBER)
		return STREAM_NUMBER;
	if (first.cls == CLASS_DENSE)
		return STREAM_DENSE;
	kind = kind_behind(rules, first, next, text[0] == ' ', word);
	if (kind != STREAM_OTHER && kind != STREAM_SPACE)
		*prefix_len = first.len;
	return kind;
}

void
stream_run_begin(const struct tokenizer *tok, struct stream *stream)
{
	uint8_t text[STREAM_HOLD_BYTES];
	size_t prefix_len, len = stream->hold_len;

	memcpy(text, stream->hold, len);
	stream->hold_len = 0;
	stream->state = kind_of(tok, text, len, &prefix_len);
	stream->has_mark = 0;
	stream->runes_behind = 0;
	bpe_prefix_init(&stream->whole);
	add_whole(tok, stream, text, prefix_len);
	stream_run_feed(tok, stream, text + prefix_len, len - prefix_len);
}

/* What code points a run takes without any question. */
struct sure {
	uint32_t classes;
	uint32_t marks; /* of these, those that set the mark */
	bool but_last;  /* the last one is a step of its own */
	bool ascii_only;
};

static struct sure
sure_of(const struct tokenizer *tok, const struct stream *stream)
{
	const struct pretoken_rules *rules = pretoken_rules(tok->pattern);
	const uint32_t both = CLASS_LETTER | CLASS_MARK;
	struct sure sure = { 0, 0, false, false };

	switch ((enum stream_state)stream->state) {
	case STREAM_WORD:
		sure.classes = rules->cased ? CLASS_LOWER | both : rules->word;
		break;
	case STREAM_CASED:
		sure.classes = CLASS_UPPER | both;
		sure.marks = both;
		break;
	case STREAM_NUMBER:
		sure.classes = CLASS_NUMBER;
		break;
	case STREAM_DENSE:
		sure.classes = CLASS_DENSE;
		break;
	case STREAM_ASCII_WORD:
		sure.classes = CLASS_UPPER | CLASS_LOWER;
		sure.ascii_only = true;
		break;
	case STREAM_PUNCT:
		sure.classes = rules->punct;
		break;
	case STREAM_PUNCT_NEWLINE:
		sure.classes = CLASS_NEWLINE;
		break;
	case STREAM_SPACE:
		sure.classes = BLANK_CLASSES;
		sure.marks = rules->newlines ? CLASS_NEWLINE : 0;
		sure.but_last = true;
		break;
	case STREAM_OTHER:
		sure.classes = CLASS_OTHER;
		sure.but_last = true;
		break;
	case STREAM_CONTRACTION:
	case STREAM_HOLD:
		break;
	}
	return sure;
}

/*
 * Takes the code points that change nothing but the tokens and the mark;
 * returns how many bytes.
 */
static size_t
feed_sure(const struct tokenizer *tok, struct stream *stream,
	  const uint8_t *text, size_t len)
{
	const struct pretoken_rules *rules = pretoken_rules(tok->pattern);
	const struct sure sure = sure_of(tok, stream);
	size_t at = 0, last = 0, mark = 0;

	while (at < len) {
		struct rune rune = pretoken_rune(rules, text + at, len - at);

		if ((rune.cls & sure.classes) == 0 ||
		    (sure.ascii_only && rune.len > 1))
			break;
		last = at;
		at += rune.len;
		if (rune.cls & sure.marks)
			mark = at;
	}
	if (mark != 0) {
		add_whole(tok, stream, text, mark);
		set_mark(stream);
		return mark;
	}
	if (sure.but_last)
		at = last;
	if (at == 0)
		return 0;
	add_whole(tok, stream, text, at);
	if (sure.marks != 0 || sure.but_last) {
		if (stream->has_mark)
			bpe_prefix_add(tok, &stream->rest, text, at);
		stream->runes_behind = 2;
	}
	return at;
}

size_t
stream_run_feed(const struct tokenizer *tok, struct stream *stream,
		const uint8_t *text, size_t len)
{
	const struct pretoken_rules *rules = pretoken_rules(tok->pattern);
	enum step step = STEP_TAKEN;
	size_t at = 0;

	while (at < len && stream->state != STREAM_HOLD) {
		struct rune rune;

		at += feed_sure(tok, stream, text + at, len - at);
		if (at == len)
			break;
		rune = pretoken_rune(rules, text + at, len - at);
		switch ((enum stream_state)stream->state) {
		case STREAM_WORD:
		case STREAM_CASED:
			step = step_word(tok, stream, text + at, rune);
			break;
		case STREAM_CONTRACTION:
			step = step_contraction(tok, stream, text + at, rune);
			break;
		case STREAM_ASCII_WORD:
			if (rune.len > 1)
				rune.cls = CLASS_END;
			__attribute__((fallthrough));
		case STREAM_NUMBER:
		case STREAM_DENSE:
			step = step_classes(tok, stream, text + at, rune,
					    sure_of(tok, stream).classes);
			break;
		case STREAM_OTHER:
			step = step_other(tok, stream, text + at, rune);
			break;
		case STREAM_PUNCT:
		case STREAM_PUNCT_NEWLINE:
			step = step_punct(tok, stream, text + at, rune);
			break;
		case STREAM_SPACE:
			step = step_space(tok, stream, text + at, rune);
			break;
		case STREAM_HOLD:
			break;
		}
		if (step == STEP_TAKEN)
			at += rune.len;
	}
	return at;
}

uint64_t
stream_run_count(const struct tokenizer *tok, const struct stream *stream)
{
	switch ((enum stream_state)stream->state) {
	case STREAM_CONTRACTION:
		return stream->whole.tokens +
		       count_valid(tok, NULL, stream->hold, stream->hold_len);
	case STREAM_SPACE:
		if (!stream->has_mark)
			return stream->whole.tokens;
		return stream->mark_tokens +
		       (stream->runes_behind ? stream->rest.tokens : 0);
	case STREAM_WORD:
	case STREAM_CASED:
	case STREAM_NUMBER:
	case STREAM_PUNCT:
	case STREAM_PUNCT_NEWLINE:
	case STREAM_DENSE:
	case STREAM_ASCII_WORD:
	case STREAM_OTHER:
	case STREAM_HOLD:
		break;
	}
	return cased_tokens(stream);
}
