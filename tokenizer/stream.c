/* SPDX-License-Identifier: MIT */
/*
 * stream.c - counting text that comes in pieces cut anywhere.
 *
 * Does: give pieces that no more text can change to the counter, keep the
 *       rest in fixed memory; repair invalid UTF-8 and bring text to NFC,
 *       where the vocabulary asks for it, on the way.
 * Invariants:
 *   1. Everything behind repair is valid UTF-8, whole code points.
 *   2. What is in hold[] begins where a piece begins.
 */
#include "tokenizer/stream.h"

#include <string.h>

#include "tokenizer/count.h"
#include "tokenizer/pretoken.h"
#include "tokenizer/unicode.h"
#include "tokenizer/vocab.h"

/* What is being fed, and with what. */
struct feed {
	const struct tokenizer *tok;
	struct tokenizer_cache *cache;
	struct stream *stream;
};

static struct stream *
stream_of(struct token_stream *stream)
{
	return (struct stream *)stream->opaque;
}

bool
tokenizer_is_estimate(const struct tokenizer *tok)
{
	return tok->pattern == PRETOKEN_NONE;
}

void
token_stream_init(struct token_stream *stream)
{
	memset(stream, 0, sizeof(*stream));
}

/* The longest beginning of text that fits into cap bytes, whole code points. */
static size_t
whole_runes(const uint8_t *text, size_t len, size_t cap)
{
	if (len <= cap)
		return len;
	while (cap > 0 && (text[cap] & 0xc0) == 0x80)
		cap--;
	return cap;
}

/* Counts what is certain in text; returns how many bytes are done with. */
static size_t
feed_pieces(const struct feed *feed, const uint8_t *text, size_t len)
{
	struct stream *stream = feed->stream;
	size_t done;

	if (stream->run != 0)
		return stream_run_feed(feed->tok, stream, text, len, false);
	done = count_closed(feed->tok, feed->cache, text, len, &stream->tokens);
	if (len - done > STREAM_HOLD_BYTES)
		done += stream_run_begin(feed->tok, stream, text + done,
					 len - done);
	return done;
}

static void
feed_normal(const struct feed *feed, const uint8_t *text, size_t len)
{
	struct stream *stream = feed->stream;

	while (len > 0) {
		const uint8_t *all = text;
		size_t held = stream->hold_len, some = len, done;
		bool was_run = stream->run != 0;

		if (held > 0) {
			all = stream->hold;
			some = whole_runes(text, len,
					   sizeof(stream->hold) - held);
			memcpy(stream->hold + held, text, some);
		}
		done = feed_pieces(feed, all, held + some);
		stream->hold_len = 0;
		if (done < held ||
		    (held == 0 && was_run == (stream->run != 0))) {
			stream->hold_len = (uint32_t)(held + some - done);
			memmove(stream->hold, all + done, stream->hold_len);
			done = held + some;
		}
		text += done - held;
		len -= done - held;
	}
}

static void
put_normal(void *feed, const uint8_t *text, size_t len)
{
	feed_normal(feed, text, len);
}

static void
feed_valid(struct feed *feed, const uint8_t *text, size_t len)
{
	if (feed->tok->is_nfc)
		nfc_feed(&feed->stream->nfc, text, len, put_normal, feed);
	else
		feed_normal(feed, text, len);
}

/* Feeds text that may be invalid; returns the bytes taken, all but a cut. */
static size_t
feed_any(struct feed *feed, const uint8_t *text, size_t len, bool is_end)
{
	uint8_t repaired[2048];
	size_t at = 0, some, out_len, taken;

	while (at < len) {
		size_t good = unicode_valid_len(text + at, len - at);

		feed_valid(feed, text + at, good);
		at += good;
		if (at == len)
			break;
		some = len - at < sizeof(repaired) / 3 ? len - at
						       : sizeof(repaired) / 3;
		taken = unicode_repair(text + at, some,
				       is_end && some == len - at, repaired,
				       &out_len);
		if (taken == 0)
			break;
		feed_valid(feed, repaired, out_len);
		at += taken;
	}
	return at;
}

/* Completes a code point that was cut; returns the bytes of text used. */
static size_t
feed_cut(struct feed *feed, const uint8_t *text, size_t len)
{
	struct stream *stream = feed->stream;
	uint8_t joined[8];
	size_t old = stream->cut_len, some, taken;

	some = len < 4 ? len : 4;
	memcpy(joined, stream->cut, old);
	memcpy(joined + old, text, some);
	stream->cut_len = 0;
	/* Only up to the end of the first code point or bad part. */
	for (some = 1;; some++) {
		taken = feed_any(feed, joined, old + some, false);
		if (taken != 0 || some == len)
			break;
	}
	if (taken < old) {
		/* A bad part inside of the cut, or nothing is certain yet. */
		stream->cut_len = (uint32_t)(old + some - taken);
		memcpy(stream->cut, joined + taken, stream->cut_len);
		return some;
	}
	return taken - old;
}

void
token_stream_feed(const struct tokenizer *tok, struct tokenizer_cache *cache,
		  struct token_stream *stream, const uint8_t *text, size_t len)
{
	struct feed feed = { tok, cache, stream_of(stream) };
	size_t at = 0;

	if (tokenizer_is_estimate(tok)) {
		feed.stream->tokens +=
			len; /* bytes, until they are asked for */
		return;
	}
	while (feed.stream->cut_len > 0 && at < len)
		at += feed_cut(&feed, text + at, len - at);
	if (at == len)
		return;
	at += feed_any(&feed, text + at, len - at, false);
	feed.stream->cut_len = (uint32_t)(len - at);
	memcpy(feed.stream->cut, text + at, len - at);
}

/* The same where the end of the text decides more than the last pieces: on a
 * copy, which is ended. */
static uint64_t
count_ended(const struct tokenizer *tok, const struct token_stream *stream)
{
	struct token_stream copy = *stream;
	struct feed feed = { tok, NULL, stream_of(&copy) };
	size_t at = 0;

	if (feed.stream->cut_len > 0)
		feed_any(&feed, feed.stream->cut, feed.stream->cut_len, true);
	if (tok->is_nfc)
		nfc_end(&feed.stream->nfc, put_normal, &feed);
	if (feed.stream->run != 0)
		at = stream_run_feed(tok, feed.stream, feed.stream->hold,
				     feed.stream->hold_len, true);
	return feed.stream->tokens + count_valid(tok, NULL,
						 feed.stream->hold + at,
						 feed.stream->hold_len - at);
}

uint64_t
token_stream_count(const struct tokenizer *tok,
		   const struct token_stream *stream)
{
	const struct stream *at = (const struct stream *)stream->opaque;

	if (tokenizer_is_estimate(tok))
		return tokenizer_estimate(at->tokens);
	if (at->cut_len > 0 || at->run != 0 || tok->is_nfc)
		return count_ended(tok, stream);
	return at->tokens + count_valid(tok, NULL, at->hold, at->hold_len);
}
