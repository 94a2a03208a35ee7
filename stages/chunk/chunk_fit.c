/* SPDX-License-Identifier: MIT */
/*
 * chunk_fit.c - counting chunks while they are cut.
 */
#include "stages/chunk/chunk_fit.h"

#include <string.h>

#include "stages/chunk/chunk.h"

/* Source text has no more bytes a token than this, blanks aside. */
#define SPARSE_BYTES 8
#define WIDER_MAX 4 /* attempts to make a small chunk larger */
#define LINE_SLACK 64
#define LONGER_BYTES 48000 /* so large at most for the least tokens */

static uint64_t
count(const struct chunk_fit *fit, const uint8_t *text, size_t bytes)
{
	return tokenizer_count(fit->tokenizer, fit->cache, text, bytes);
}

static bool
is_one_line(const uint8_t *text, size_t bytes)
{
	return bytes == 0 || memchr(text, '\n', bytes - 1) == NULL;
}

/* Whether a text may have more than so many tokens, at first sight: in ASCII
 * each has a byte at least; what is not UTF-8 becomes longer. */
static bool
may_have_more(const uint8_t *text, size_t bytes, uint64_t tokens)
{
	if (bytes < tokens / 3)
		return false;
	return bytes >= tokens || !chunk_is_ascii(text, bytes);
}

/* Whether it may have fewer: hardly anything but blanks, or little at all. */
static bool
may_have_fewer(const uint8_t *text, size_t bytes, uint64_t tokens)
{
	return !chunk_has_visible(text, bytes, tokens * SPARSE_BYTES);
}

/* ------------------------------------------------------------ by lines -- */

/*
 * As many lines as fit, one at least. One that ends beyond what can be
 * carried is not joined to others.
 */
static size_t
by_lines(const struct chunk_fit *fit, const struct chunk_text *text,
	 size_t from, struct chunk_size *size)
{
	size_t there = text->nr;
	struct token_stream stream;
	uint64_t max_lines = fit->max_lines;
	uint64_t tokens = 0;
	size_t at = from;

	if (fit->stop_lines > 0)
		max_lines = min_u64(max_lines, fit->stop_lines);
	/* the scanner, which looks ahead, must have seen the chunk */
	if (!text->at_end)
		there -= min_size(there - from, LINE_SLACK);
	token_stream_init(&stream);
	for (uint32_t line = 0; line < max_lines && at < there; line++) {
		const uint8_t *newline =
			memchr(text->bytes + at, '\n', there - at);
		size_t end = newline == NULL
				     ? there
				     : (size_t)(newline - text->bytes) + 1;
		uint64_t sum;

		if (at > from && end - from > CHUNK_CARRY_BYTES)
			break;
		if (newline == NULL && !text->at_end)
			return 0;
		token_stream_feed(fit->tokenizer, fit->cache, &stream,
				  text->bytes + at, end - at);
		sum = token_stream_count(fit->tokenizer, &stream);
		if (at > from && sum > fit->max_tokens)
			break;
		tokens = sum;
		at = end;
		if (at == there && !text->at_end)
			return 0;
	}
	size->tokens = (uint32_t)min_u64(tokens, UINT32_MAX);
	size->is_over = tokens > fit->max_tokens;
	return at - from;
}

/* -------------------------------------------------------- by structure -- */

struct fitting {
	const struct chunk_fit *fit;
	struct chunk_cutter *cutter;
	const struct chunk_text *text;
	const struct chunk_sink *sink;
	const uint8_t *at; /* where the chunk begins */
};

/* No farther than stop_lines; within a definition the chunk that follows then
 * begins, and ends where that does. */
static void
stop(const struct fitting *fitting, struct chunk_end *place)
{
	const uint8_t *end = fitting->at + place->bytes;
	const uint8_t *at = fitting->at;

	for (uint64_t line = 0; line < fitting->fit->stop_lines; line++) {
		at = memchr(at, '\n', (size_t)(end - at));
		if (at == NULL || ++at == end)
			return;
	}
	place->bytes = (size_t)(at - fitting->at);
	place->level = fitting->cutter->level;
}

static struct chunk_end
find(const struct fitting *fitting, const struct chunk_limits *limits)
{
	struct chunk_end place = chunk_cutter_find(
		fitting->cutter, fitting->text, limits, fitting->sink);

	if (fitting->fit->stop_lines > 0)
		stop(fitting, &place);
	return place;
}

/* No more than so many bytes, if there is a line's end. */
static struct chunk_end
find_shorter(const struct fitting *fitting, uint64_t max)
{
	struct chunk_limits limits = fitting->fit->limits;

	limits.max_bytes = (uint32_t)min_u64(limits.max_bytes, max);
	limits.min_bytes =
		(uint32_t)min_u64(limits.min_bytes, limits.max_bytes / 2);
	limits.join_bytes =
		(uint32_t)min_u64(limits.join_bytes, limits.max_bytes);
	return find(fitting, &limits);
}

/* So many bytes at least. */
static struct chunk_end
find_longer(const struct fitting *fitting, uint64_t min)
{
	struct chunk_limits limits = fitting->fit->limits;

	min = min_u64(min, LONGER_BYTES / 2);
	limits.max_bytes = (uint32_t)max_u64(limits.max_bytes, 2 * min);
	limits.min_bytes = (uint32_t)max_u64(limits.min_bytes, min);
	limits.join_bytes = (uint32_t)max_u64(limits.join_bytes, min);
	return find(fitting, &limits);
}

/* A chunk that has too many tokens, cut shorter. */
static struct chunk_end
shorten(const struct fitting *fitting, struct chunk_end place, uint64_t *tokens)
{
	uint64_t max = fitting->fit->max_tokens;
	uint64_t bytes = place.bytes;

	while (*tokens > max && !is_one_line(fitting->at, place.bytes)) {
		/* less than in proportion, so that it comes to an end */
		bytes = min_u64(bytes, place.bytes * max / *tokens) * 15 / 16;
		place = find_shorter(fitting, max_u64(bytes, 1));
		*tokens = count(fitting->fit, fitting->at, place.bytes);
	}
	return place;
}

/* A chunk that has too few, with what follows it, if that fits. */
static struct chunk_end
widen(const struct fitting *fitting, struct chunk_end place, uint64_t *tokens)
{
	uint64_t max = fitting->fit->max_tokens;
	uint64_t min = min_u64(fitting->fit->min_tokens, max / 2);

	for (int i = 0; i < WIDER_MAX && *tokens < min; i++) {
		uint64_t bytes = place.bytes * min / max_u64(*tokens, 1) + 1;
		struct chunk_end wider = find_longer(fitting, bytes);
		uint64_t sum;

		if (wider.bytes == 0)
			return wider; /* not to be told yet */
		if (wider.bytes <= place.bytes)
			break;
		sum = count(fitting->fit, fitting->at, wider.bytes);
		if (sum > max)
			break;
		place = wider;
		*tokens = sum;
	}
	return place;
}

static struct chunk_end
by_structure(const struct fitting *fitting, struct chunk_size *size)
{
	const struct chunk_fit *fit = fitting->fit;
	struct chunk_end place = find(fitting, &fit->limits);
	uint64_t tokens;

	if (place.bytes == 0 ||
	    (!may_have_more(fitting->at, place.bytes, fit->max_tokens) &&
	     !may_have_fewer(fitting->at, place.bytes, fit->min_tokens)))
		return place;
	tokens = count(fit, fitting->at, place.bytes);
	if (tokens > fit->max_tokens)
		place = shorten(fitting, place, &tokens);
	else
		place = widen(fitting, place, &tokens);
	size->tokens = (uint32_t)min_u64(tokens, UINT32_MAX);
	size->is_over = tokens > fit->max_tokens;
	return place;
}

size_t
chunk_fit_next(const struct chunk_fit *fit, struct chunk_cutter *cutter,
	       const struct chunk_text *text, const struct chunk_sink *sink,
	       struct chunk_size *size)
{
	size_t from = (size_t)(cutter->start - text->off);
	struct fitting fitting = { fit, cutter, text, sink,
				   text->bytes + from };
	struct chunk_end place = { 0 };

	*size = (struct chunk_size){ 0 };
	if (fit->max_lines == 0 || from == text->nr) {
		place = by_structure(&fitting, size);
	} else {
		place.bytes = by_lines(fit, text, from, size);
		if (place.bytes > 0 && sink != NULL)
			chunk_scan_feed(&cutter->scan, text,
					cutter->start + place.bytes, sink);
	}
	if (place.bytes > 0)
		chunk_cutter_take(cutter, place);
	return place.bytes;
}
