/* SPDX-License-Identifier: MIT */
/*
 * tokenizer.c - opening an encoding, counting and encoding a text.
 *
 * Does: put pre-tokenising, cache and merging together for text that lies in
 *       memory as a whole.
 * Does not: take text in pieces (stream.c, span.c).
 */
#include "tokenizer/tokenizer.h"

#include <errno.h>
#include <string.h>

#include "tokenizer/bpe.h"
#include "tokenizer/cache.h"
#include "tokenizer/count.h"
#include "tokenizer/nfc.h"
#include "tokenizer/pretoken.h"
#include "tokenizer/unicode.h"
#include "tokenizer/vocab.h"
#include "tokenizer/vocab_images.h"

/* The image that was found to be whole, by this process or before its fork:
 * nobody can write it; and where it is. */
static const struct tokenizer *checked_image;
static const struct tokenizer *checked;

int
tokenizer_open(const struct tokenizer **out, const char *encoding)
{
	const struct tokenizer *tok;
	size_t len;

	tok = vocab_image(encoding, &len);
	if (tok == NULL)
		return -ENOENT;
	if (tok == checked_image) {
		*out = checked;
		return 0;
	}
	if (!vocab_valid(tok, len) || pretoken_rules(tok->pattern) == NULL ||
	    !unicode_tables_valid())
		tok = vocab_image_stand_in(encoding);
	else
		checked_image = checked = tok;
	*out = tok;
	return 0;
}

size_t
tokenizer_image_bytes(const char *encoding)
{
	const struct tokenizer *tok;

	if (tokenizer_open(&tok, encoding) != 0 || tokenizer_is_estimate(tok))
		return 0;
	return tok->image_bytes;
}

void
tokenizer_move(void *mem)
{
	memcpy(mem, checked_image, checked_image->image_bytes);
	checked = mem;
}

const char *
tokenizer_name(const struct tokenizer *tok)
{
	return tok->name;
}

/* What a cache begins with, in memory that is not touched yet: 80 KiB. */
#define CACHE_FIRST_LOG2 12

size_t
tokenizer_cache_bytes(unsigned entries_log2)
{
	return sizeof(struct tokenizer_cache) +
	       (sizeof(struct cache_short) << entries_log2) +
	       (sizeof(struct cache_long) << (entries_log2 - 4));
}

/* Of its 2^most_log2 entries the first 2^log2 are used. */
static struct tokenizer_cache *
cache_begin(void *mem, unsigned most_log2, unsigned log2)
{
	struct tokenizer_cache *cache = mem;

	cache->short_shift = 60 - most_log2;
	cache->short_most = ((UINT64_C(1) << most_log2) - 1) << 4;
	cache->short_mask = ((UINT64_C(1) << log2) - 1) << 4;
	cache->long_mask = (UINT64_C(1) << (log2 - 4)) - 1;
	cache->long_off =
		sizeof(*cache) + (sizeof(struct cache_short) << most_log2);
	cache->seal = __builtin_cpu_supports("avx") ? 0 : CACHE_SEAL;
	cache->grow_at = UINT64_C(1) << (log2 - 1);
	return cache;
}

struct tokenizer_cache *
tokenizer_cache_init(void *mem, unsigned entries_log2)
{
	memset(mem, 0, tokenizer_cache_bytes(entries_log2));
	return cache_begin(mem, entries_log2, entries_log2);
}

struct tokenizer_cache *
tokenizer_cache_init_zeroed(void *mem, unsigned entries_log2)
{
	return cache_begin(mem, entries_log2,
			   entries_log2 < CACHE_FIRST_LOG2 ? entries_log2
							   : CACHE_FIRST_LOG2);
}

/* Whether text is valid and, where this is asked for, in NFC. */
static bool
is_normal(const struct tokenizer *tok, const uint8_t *text, size_t len)
{
	return unicode_valid_len(text, len) == len &&
	       (!tok->is_nfc || nfc_is_normal(text, len));
}

size_t
tokenizer_valid_len(const uint8_t *text, size_t len)
{
	return unicode_valid_len(text, len);
}

size_t
tokenizer_repair(const uint8_t *text, size_t len, bool is_end, uint8_t *out,
		 size_t *out_len)
{
	return unicode_repair(text, len, is_end, out, out_len);
}

uint64_t
tokenizer_count(const struct tokenizer *tok, struct tokenizer_cache *cache,
		const uint8_t *text, size_t len)
{
	struct token_stream stream;

	if (tokenizer_is_estimate(tok))
		return tokenizer_estimate(len);
	if (is_normal(tok, text, len))
		return count_valid(tok, cache, text, len);
	token_stream_init(&stream);
	token_stream_feed(tok, cache, &stream, text, len);
	return token_stream_count(tok, &stream);
}

/* Where text is written to from its beginning. */
struct writing {
	uint8_t *at;
};

static void
put_text(void *to, const uint8_t *text, size_t len)
{
	struct writing *writing = to;

	memcpy(writing->at, text, len);
	writing->at += len;
}

/* Brings valid text to NFC; the length of it. */
static size_t
write_nfc(const uint8_t *text, size_t len, uint8_t *out)
{
	struct writing writing = { out };
	struct nfc nfc;

	nfc_init(&nfc);
	nfc_feed(&nfc, text, len, put_text, &writing);
	nfc_end(&nfc, put_text, &writing);
	return (size_t)(writing.at - out);
}

size_t
tokenizer_encode(const struct tokenizer *tok, const uint8_t *text, size_t len,
		 uint32_t *ids)
{
	const struct pretoken_rules *rules = pretoken_rules(tok->pattern);
	size_t at = 0, ids_nr = 0;
	/*
	 * Repaired text is at most three times as long, and so is text in NFC;
	 * it goes to the last three of the sixteen parts of the caller's room,
	 * of which ids can only take the first twelve. What is repaired first
	 * lies where the ids will.
	 */
	uint8_t *room = (uint8_t *)ids + 13 * len;

	if (tokenizer_is_estimate(tok))
		return 0;
	if (!is_normal(tok, text, len)) {
		uint8_t *repaired = tok->is_nfc ? (uint8_t *)ids : room;

		unicode_repair(text, len, true, repaired, &len);
		if (tok->is_nfc)
			len = write_nfc(repaired, len, room);
		text = room;
	}
	while (at < len) {
		bool is_open;
		size_t end = pretoken_end(rules, text + at, len - at, &is_open);

		ids_nr += bpe_encode(tok, text + at, end, ids + ids_nr);
		at += end;
	}
	if (tok->outer_off != 0) {
		const uint32_t *outer =
			(const void *)vocab_at(tok, tok->outer_off);

		for (at = 0; at < ids_nr; at++)
			ids[at] = outer[ids[at]];
	}
	return ids_nr;
}

bool
tokenizer_has_special(const struct tokenizer *tok, const uint8_t *text,
		      size_t len)
{
	const uint32_t *starts;

	if (tokenizer_is_estimate(tok))
		return false;
	starts = vocab_starts(tok);
	for (uint32_t id = tok->ranks_nr; id < tok->ids_nr; id++)
		if (starts[id + 1] - starts[id] == len &&
		    memcmp(vocab_at(tok, tok->bytes_off) + starts[id], text,
			   len) == 0)
			return true;
	return false;
}
