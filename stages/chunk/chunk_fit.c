/* SPDX-License-Identifier: MIT */
/*
 * chunk_fit.c - counting chunks while they are cut.
 */
#include "stages/chunk/chunk_fit.h"

#include <string.h>

#include "stages/chunk/chunk.h"
#include "stages/chunk/chunk_estimate.h"
#include "stages/chunk/chunk_peek.h"

/* Source text has no more bytes a token than this, blanks aside. */
#define SPARSE_BYTES 10
#define BLANK_BYTES 16 /* nor does a page of lines and blanks */
#define DENSE_BYTES 2  /* few texts have fewer, and source hardly any */
#define ACROSS_TOKENS 64
#define WIDER_MAX 4 /* attempts to make a small chunk larger */
#define LINE_SLACK 64
#define COUNT_BYTES 1024 /* counted at once where it may be too many */

/* Whether so many tokens, and a rest that is estimated, are clear of both
 * limits, or above them. */
static bool
is_clear(const struct chunk_fit *fit, uint64_t tokens, uint64_t rest)
{
	uint64_t least = tokens + rest - rest / 3;

	return least > fit->max_tokens ||
	       (least > fit->min_tokens &&
		tokens + rest + rest / 2 < fit->max_tokens);
}

/* Counts as much of a text as it takes to know that. */
static uint64_t
count_until_clear(const struct chunk_fit *fit, const uint8_t *text,
		  size_t bytes)
{
	uint64_t rest = chunk_estimate(text, bytes);
	uint64_t tokens = 0;
	struct token_stream stream;

	token_stream_init(&stream);
	for (size_t at = 0; at < bytes && !is_clear(fit, tokens, rest);) {
		size_t next = min_size(COUNT_BYTES, bytes - at);

		rest -= min_u64(rest, chunk_estimate(text + at, next));
		token_stream_feed(fit->tokenizer, fit->cache, &stream,
				  text + at, next);
		tokens = token_stream_count(fit->tokenizer, &stream);
		at += next;
		rest = at == bytes ? 0 : rest;
	}
	return tokens + rest;
}

static uint64_t
count(const struct chunk_fit *fit, const uint8_t *text, size_t bytes)
{
	return fit->estimates ? count_until_clear(fit, text, bytes)
			      : tokenizer_count(fit->tokenizer, fit->cache,
						text, bytes);
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
	return bytes >= tokens || !lang_is_ascii(text, bytes);
}

/* Whether it may have fewer: hardly anything but blanks, or little at all. */
static bool
may_have_fewer(const uint8_t *text, size_t bytes, uint64_t tokens)
{
	return !lang_has_visible(text, bytes, tokens * SPARSE_BYTES);
}

/* ------------------------------------------------------------ by lines -- */

/*
 * As many lines as fit, one at least. One that ends beyond what can be
 * carried is not joined to others.
 */
static size_t
by_lines(const struct chunk_fit *fit, const struct lang_text *text, size_t from,
	 struct chunk_size *size)
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
	const struct lang_text *text;
	const struct lang_sink *sink;
	const uint8_t *at; /* where the chunk begins */
};

/* No farther than stop_lines; within a definition the chunk that follows then
 * begins, and ends where that does. */
static void
stop(const struct fitting *fitting, struct lang_end *place)
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

static struct lang_end
find(const struct fitting *fitting, const struct chunk_limits *limits)
{
	struct lang_end place = chunk_cutter_find(
		fitting->cutter, fitting->text, limits, fitting->sink);

	if (fitting->fit->stop_lines > 0)
		stop(fitting, &place);
	return place;
}

/* No more than so many bytes, if there is a line's end. */
static struct lang_end
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
static struct lang_end
find_longer(const struct fitting *fitting, uint64_t min)
{
	struct chunk_limits limits = fitting->fit->limits;

	min = min_u64(min, CHUNK_WHOLE_BYTES / 2);
	limits.max_bytes = (uint32_t)max_u64(limits.max_bytes, 2 * min);
	limits.min_bytes = (uint32_t)max_u64(limits.min_bytes, min);
	limits.join_bytes = (uint32_t)max_u64(limits.join_bytes, min);
	return find(fitting, &limits);
}

/* A chunk that has too many tokens, cut shorter. */
static struct lang_end
shorten(const struct fitting *fitting, struct lang_end place, uint64_t *tokens)
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

/* A piece of a definition that has too few, with as many lines as fit. */
static struct lang_end
up_to_a_line(const struct fitting *fitting, struct lang_end place,
	     uint64_t *tokens)
{
	const struct lang_text *text = fitting->text;
	struct chunk_fit fit = *fitting->fit;
	struct chunk_size size = { 0 };
	size_t bytes;

	fit.max_lines = UINT32_MAX;
	bytes = by_lines(&fit, text, (size_t)(fitting->at - text->bytes),
			 &size);
	if (bytes != 0 && (bytes <= place.bytes || size.is_over))
		return place;
	place.bytes = bytes;
	*tokens = size.tokens;
	return place;
}

/* A chunk that has too few, with what follows it, if that fits. */
static struct lang_end
widen(const struct fitting *fitting, struct lang_end place, uint64_t *tokens)
{
	uint64_t max = fitting->fit->max_tokens;
	uint64_t min = min_u64(fitting->fit->min_tokens, max / 2);

	for (int i = 0; i < WIDER_MAX && *tokens < min; i++) {
		uint64_t bytes = place.bytes * min / max_u64(*tokens, 1) + 1;
		struct lang_end wider = find_longer(fitting, bytes);
		uint64_t sum;

		if (wider.bytes == 0)
			return wider; /* not to be told yet */
		sum = wider.bytes <= place.bytes
			      ? max + 1
			      : count(fitting->fit, fitting->at, wider.bytes);
		if (sum > max)
			return place.is_boundary || !fitting->fit->keeps_whole
				       ? place
				       : up_to_a_line(fitting, place, tokens);
		place = wider;
		*tokens = sum;
	}
	return place;
}

/* --------------------------------------------------- whole definitions -- */

/* What is known of the tokens of a piece; NULL: it was not counted. */
static const struct chunk_counted *
find_counted(const struct fitting *fitting, size_t from, size_t end)
{
	const struct chunk_cutter *cutter = fitting->cutter;

	for (size_t i = 0; i < CHUNK_COUNTED; i++)
		if (cutter->counted[i].off == cutter->start + from &&
		    cutter->counted[i].end == cutter->start + end)
			return &cutter->counted[i];
	return NULL;
}

/* Tokens of what lies between; somewhere above the most where it is more. */
static uint64_t
count_between(const struct fitting *fitting, size_t from, size_t end)
{
	const struct chunk_fit *fit = fitting->fit;
	const struct chunk_counted *known = find_counted(fitting, from, end);
	struct chunk_cutter *cutter = fitting->cutter;
	struct token_stream stream;
	struct chunk_counted *piece;

	if (known != NULL)
		return known->tokens;
	piece = &cutter->counted[cutter->counted_next++ % CHUNK_COUNTED];
	*piece = (struct chunk_counted){ .off = cutter->start + from,
					 .end = cutter->start + end };
	if (fit->estimates) {
		piece->tokens =
			count_until_clear(fit, fitting->at + from, end - from);
		return piece->tokens;
	}
	token_stream_init(&stream);
	while (from < end && piece->tokens <= fit->max_tokens + ACROSS_TOKENS) {
		size_t bytes = min_size(COUNT_BYTES, end - from);

		token_stream_feed(fit->tokenizer, fit->cache, &stream,
				  fitting->at + from, bytes);
		piece->tokens = token_stream_count(fit->tokenizer, &stream);
		from += bytes;
	}
	return piece->tokens;
}

/* The same of a chunk, to the end. */
static uint64_t
count_all(const struct fitting *fitting, size_t bytes)
{
	const struct chunk_counted *known = find_counted(fitting, 0, bytes);

	if (known != NULL && known->tokens <= fitting->fit->max_tokens)
		return known->tokens;
	return count(fitting->fit, fitting->at, bytes);
}

/* Whether so much is a chunk: it has the least tokens. */
static bool
is_enough(const struct fitting *fitting, size_t from, size_t end)
{
	uint64_t min = fitting->fit->min_tokens;

	return lang_has_visible(fitting->at + from, end - from,
				min * BLANK_BYTES) ||
	       count_between(fitting, from, end) >= min;
}

/* Whether so much may be one chunk. */
static bool
is_room(const struct fitting *fitting, size_t from, size_t end)
{
	uint64_t max = fitting->fit->max_tokens;

	if (!may_have_more(fitting->at + from, end - from, max))
		return true;
	return !lang_has_visible(fitting->at + from, end - from,
				 max * SPARSE_BYTES) &&
	       count_between(fitting, from, end) <= max;
}

/* The same from the chunk's beginning, where there is room for the end of it,
 * and rather by counting what comes before that. */
static bool
is_room_before(const struct fitting *fitting, size_t from, size_t end)
{
	uint64_t max = fitting->fit->max_tokens;
	uint64_t sum;

	if (from == 0)
		return true;
	sum = count_between(fitting, from, end);
	if (sum < max &&
	    lang_has_visible(fitting->at, from, (max - sum) * SPARSE_BYTES))
		return false;
	sum += count_between(fitting, 0, from);
	/* tokens that lie across the border */
	if (sum > max + ACROSS_TOKENS)
		return false;
	return sum + ACROSS_TOKENS <= max || is_room(fitting, 0, end);
}

/* At first sight: enough for a chunk, and hardly more than one. */
static bool
is_fair(const struct fitting *fitting, size_t from, size_t end)
{
	return end - from <= fitting->fit->limits.max_bytes / 2 &&
	       !may_have_fewer(fitting->at + from, end - from,
			       fitting->fit->min_tokens);
}

static bool
is_end(const struct fitting *fitting, const struct lang_end *place)
{
	const struct lang_text *text = fitting->text;

	return text->at_end &&
	       fitting->at + place->bytes == text->bytes + text->nr;
}

static bool
has_headings(const struct fitting *fitting)
{
	const struct lang *lang = lang_get(fitting->cutter->scan.lang);

	return lang->family == FAMILY_HEADING;
}

/* Whether a definition begins in the chunk, and the cut goes through it. */
static bool
is_tearing(const struct chunk_peek *peek, struct lang_end place)
{
	/* spans around a border have fewer brackets around them */
	uint32_t levels =
		place.is_boundary ? place.level : chunk_peek_deepest(peek) + 1;
	struct lang_span span;

	for (uint32_t level = 0; level < levels; level++)
		for (int from = 0; from < CHUNK_PEEK_FROM_NR; from++)
			if (chunk_peek_torn(peek, place.bytes, level,
					    (enum lang_peek_from)from, &span))
				return true;
	return false;
}

/* Where a cut goes that does not go through a span that is a chunk. */
static struct lang_end
keep_whole(const struct fitting *fitting, const struct lang_span *span,
	   struct lang_end place)
{
	if (is_room_before(fitting, span->from.bytes, span->end.bytes))
		return span->end;
	if (!has_headings(fitting) || is_enough(fitting, 0, span->from.bytes))
		return span->from;
	return place;
}

/*
 * Of what a cut goes through, the outermost that is no more than a chunk, with
 * its comments or else without: the cut goes behind it, or before it if it
 * does not fit what comes before. Of what is more than a chunk: before it, if
 * there is enough for a chunk.
 */
static struct lang_end
spare(const struct fitting *fitting, const struct chunk_peek *peek,
      struct lang_end place)
{
	uint32_t steps =
		(chunk_peek_deepest(peek) + 1) * (uint32_t)CHUNK_PEEK_FROM_NR;
	struct lang_end before = { 0 };
	struct lang_span last = { 0 };
	struct lang_span span;

	for (uint32_t step = 0; step < steps; step++) {
		enum lang_peek_from from = step % CHUNK_PEEK_FROM_NR;

		if (!chunk_peek_torn(peek, place.bytes,
				     step / CHUNK_PEEK_FROM_NR, from, &span) ||
		    (span.from.bytes == last.from.bytes &&
		     span.end.bytes == last.end.bytes))
			continue;
		last = span;
		if (span.end.bytes != 0 &&
		    is_room(fitting, span.from.bytes, span.end.bytes))
			return keep_whole(fitting, &span, place);
		if (before.bytes == 0 && span.from.bytes != 0 &&
		    from == CHUNK_PEEK_LEAD &&
		    is_enough(fitting, 0, span.from.bytes))
			before = span.from;
	}
	return before.bytes != 0 ? before : place;
}

/*
 * Where comments end that the place lies in or before, if the definition
 * behind them is a chunk without them alone; 0 bytes: there are none such.
 */
static struct lang_end
end_of_comments(const struct fitting *fitting, const struct chunk_peek *peek,
		struct lang_end place)
{
	struct lang_end decl =
		chunk_peek_declaration(peek, place.bytes, place.level);
	struct lang_end end =
		chunk_peek_boundary(peek, place.bytes, place.level);

	if (decl.bytes == 0 || end.bytes <= decl.bytes ||
	    is_room(fitting, place.bytes, end.bytes) ||
	    !is_room(fitting, decl.bytes, end.bytes))
		return (struct lang_end){ 0 };
	return decl;
}

/* A cut within a definition leaves enough of it for a chunk, or nothing. */
static struct lang_end
leave_enough(const struct fitting *fitting, const struct chunk_peek *peek,
	     struct lang_end place)
{
	uint64_t min_tokens = fitting->fit->min_tokens;
	struct lang_end shorter;
	struct lang_end end;

	if (place.is_boundary)
		return place;
	end = end_of_comments(fitting, peek, place);
	if (end.bytes == 0)
		end = chunk_peek_boundary(peek, place.bytes, place.level);
	if (end.bytes == 0 || is_enough(fitting, place.bytes, end.bytes))
		return place;
	if (is_room(fitting, 0, end.bytes))
		return end;
	shorter = find_shorter(
		fitting, end.bytes - min_u64(end.bytes - 1, 4 * min_tokens));
	if (shorter.bytes != 0 && is_enough(fitting, 0, shorter.bytes) &&
	    is_enough(fitting, shorter.bytes, end.bytes))
		return shorter;
	return place;
}

/*
 * What follows and is too little for a chunk, where what follows that has no
 * room for it.
 */
static struct lang_end
take_little(const struct fitting *fitting, const struct chunk_peek *peek,
	    struct lang_end place)
{
	struct lang_end little = place;
	struct lang_end next =
		chunk_peek_boundary(peek, place.bytes, place.level);

	if (next.is_boundary && next.level == place.level) {
		next = chunk_peek_boundary(peek, next.bytes, place.level);
		if (next.is_boundary &&
		    is_fair(fitting, place.bytes, next.bytes))
			return place;
	}
	/* all that is too little together, up to what is enough */
	while (little.is_boundary && little.level == place.level) {
		next = chunk_peek_boundary(peek, little.bytes, place.level);
		if (next.bytes != 0 &&
		    !is_enough(fitting, place.bytes, next.bytes)) {
			little = next;
			continue;
		}
		if (little.bytes == place.bytes ||
		    (next.bytes != 0 &&
		     is_room(fitting, place.bytes, next.bytes)))
			return place;
		break;
	}
	return is_room(fitting, 0, little.bytes) ? little : place;
}

/*
 * Comments before a definition that is a chunk without them alone, where they
 * are too little for one.
 */
static struct lang_end
take_comments(const struct fitting *fitting, const struct chunk_peek *peek,
	      struct lang_end place)
{
	struct lang_end decl = end_of_comments(fitting, peek, place);

	if (decl.bytes == 0 || is_enough(fitting, place.bytes, decl.bytes) ||
	    !is_room(fitting, 0, decl.bytes))
		return place;
	return decl;
}

/* So far is looked for a little rest. */
static size_t
near_bytes(const struct fitting *fitting)
{
	return (size_t)fitting->fit->min_tokens * BLANK_BYTES;
}

/* Whether what follows a border may be too little, at first sight. */
static bool
may_leave_little(const struct fitting *fitting, const struct chunk_peek *peek,
		 struct lang_end place)
{
	struct lang_end next;

	if (!place.is_boundary)
		return false;
	next = chunk_peek_boundary(peek, place.bytes, place.level);
	return next.bytes != 0 &&
	       next.bytes - place.bytes <= near_bytes(fitting) &&
	       !(next.is_boundary && is_fair(fitting, place.bytes, next.bytes));
}

/* Whether comments are left that may be too little, at first sight. */
static bool
may_leave_comments(const struct fitting *fitting, const struct chunk_peek *peek,
		   struct lang_end place)
{
	uint64_t dense = DENSE_BYTES * (uint64_t)fitting->fit->max_tokens;
	struct lang_end decl;
	struct lang_end end;

	if (!place.is_boundary)
		return false;
	decl = chunk_peek_declaration(peek, place.bytes, place.level);
	end = chunk_peek_boundary(peek, place.bytes, place.level);
	return decl.bytes != 0 &&
	       decl.bytes - place.bytes <= near_bytes(fitting) &&
	       (end.bytes == 0 || end.bytes - place.bytes > dense);
}

/* Looks at the marks up to so many bytes behind the chunk's beginning. */
static bool
look(const struct fitting *fitting, struct chunk_peek *peek, size_t bytes)
{
	return chunk_peek_open(peek, fitting->cutter, fitting->text,
			       min_size(bytes, CHUNK_REACH_BYTES));
}

/*
 * A place moved so that no definition is cut in two that would be a chunk, and
 * nothing is left that is none.
 */
static struct lang_end
settle(const struct fitting *fitting, struct lang_end place)
{
	struct chunk_peek peek;
	size_t last;

	if (place.bytes == 0 || !fitting->fit->keeps_whole ||
	    fitting->fit->stop_lines != 0 ||
	    fitting->cutter->scan.lang == LANG_NONE || is_end(fitting, &place))
		return place;
	if (!look(fitting, &peek, place.bytes + near_bytes(fitting)))
		return (struct lang_end){ 0 };
	if (is_tearing(&peek, place)) {
		if (!look(fitting, &peek, CHUNK_WHOLE_BYTES))
			return (struct lang_end){ 0 };
		place = spare(fitting, &peek, place);
	}
	place = leave_enough(fitting, &peek, place);
	while (may_leave_little(fitting, &peek, place)) {
		if (!look(fitting, &peek,
			  place.bytes + fitting->fit->limits.max_bytes))
			return (struct lang_end){ 0 };
		last = place.bytes;
		place = take_little(fitting, &peek, place);
		if (place.bytes == last)
			break;
	}
	if (!may_leave_comments(fitting, &peek, place))
		return place;
	if (!look(fitting, &peek, CHUNK_WHOLE_BYTES))
		return (struct lang_end){ 0 };
	return take_comments(fitting, &peek, place);
}

static struct lang_end
by_structure(const struct fitting *fitting, struct chunk_size *size)
{
	const struct chunk_fit *fit = fitting->fit;
	struct lang_end place = settle(fitting, find(fitting, &fit->limits));
	struct lang_end better;
	uint64_t tokens;

	if (place.bytes == 0 ||
	    (!may_have_more(fitting->at, place.bytes, fit->max_tokens) &&
	     !may_have_fewer(fitting->at, place.bytes, fit->min_tokens)))
		return place;
	tokens = count_all(fitting, place.bytes);
	better = tokens > fit->max_tokens ? shorten(fitting, place, &tokens)
					  : widen(fitting, place, &tokens);
	if (better.bytes != place.bytes) {
		place = settle(fitting, better);
		if (place.bytes != better.bytes)
			tokens = count_all(fitting, place.bytes);
	}
	size->tokens = (uint32_t)min_u64(tokens, UINT32_MAX);
	size->is_over = tokens > fit->max_tokens;
	return place;
}

size_t
chunk_fit_next(const struct chunk_fit *fit, struct chunk_cutter *cutter,
	       const struct lang_text *text, const struct lang_sink *sink,
	       struct chunk_size *size)
{
	size_t from = (size_t)(cutter->start - text->off);
	struct fitting fitting = { fit, cutter, text, sink,
				   text->bytes + from };
	struct lang_end place = { 0 };

	*size = (struct chunk_size){ 0 };
	if (fit->max_lines == 0 || from == text->nr) {
		place = by_structure(&fitting, size);
	} else {
		place.bytes = by_lines(fit, text, from, size);
		if (place.bytes > 0 && sink != NULL)
			lang_scan_feed(&cutter->scan, text,
				       cutter->start + place.bytes, sink);
	}
	if (place.bytes > 0)
		chunk_cutter_take(cutter, place);
	return place.bytes;
}
