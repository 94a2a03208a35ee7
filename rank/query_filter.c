/* SPDX-License-Identifier: MIT */
/*
 * query_filter.c - words into bits, 64 bytes of a text at a time.
 */
#include "rank/query_filter.h"

#include <immintrin.h>
#include <string.h>

#include "base/ascii.h"

#define HASH_BITS 5u  /* set for a beginning */
#define BIT_SHIFT 12u /* of the hash, from one of them to the next */
/* A filter is folded in half while at most so many of a hundred bits are set
 * afterwards: then one in 1000 that it has not seem to be there. */
#define DENSE_PERCENT 25u
#define LANE_BYTES 16u
#define SEEN_BYTES 16u /* longer words are not remembered */
#define SEEN_SHIFT (64 - QUERY_SEEN_BITS)
#define MIX 0x9e3779b97f4a7c15ull
#define MIX_MORE 0xc2b2ae3d27d4eb4full

/* ---- beginnings ---------------------------------------------------------- */

/* The first bytes of a text, as a number. */
static inline uint64_t
beginning(const uint8_t *text, uint32_t bytes)
{
	uint64_t all;

	memcpy(&all, text, sizeof(all));
	return bytes < sizeof(all) ? all & UINT64_MAX >> (64 - 8 * bytes) : all;
}

static inline uint64_t
hash_of(uint64_t beginning)
{
	uint64_t hash = beginning * MIX;

	hash = (hash ^ hash >> 32) * MIX_MORE;
	return hash ^ hash >> 29;
}

/* Bit i of a hash, in a filter of `mask` + 1 bits. */
static inline uint32_t
bit_of(uint64_t hash, uint32_t i, uint32_t mask)
{
	return (uint32_t)(hash >> BIT_SHIFT * i) & mask;
}

static void
add(struct query_filter *filter, uint64_t beginning)
{
	uint64_t hash = hash_of(beginning);

	for (uint32_t i = 0; i < HASH_BITS; i++) {
		uint32_t bit = bit_of(hash, i, 64 * QUERY_FILTER_WORDS - 1);

		filter->bits[bit / 64] |= 1ull << bit % 64;
	}
}

/* ---- a text -------------------------------------------------------------- */

/* Bytes of a text as small letters, and a bit each for what they are. */
struct window {
	uint8_t text[QUERY_BLOCK + 16]; /* zeros behind them */
	uint8_t as_is[QUERY_BLOCK + 16];
	uint64_t lower;
	uint64_t upper;
	uint64_t digit;
	uint64_t word;   /* of any word */
	uint64_t begins; /* of a part */
};

static inline __m128i
is_between(__m128i bytes, char first, char last)
{
	__m128i above = _mm_cmpgt_epi8(bytes, _mm_set1_epi8((char)(first - 1)));
	__m128i below = _mm_cmplt_epi8(bytes, _mm_set1_epi8((char)(last + 1)));

	return _mm_and_si128(above, below);
}

static inline uint64_t
mask_of(__m128i bytes, uint32_t at)
{
	return (uint64_t)(uint32_t)_mm_movemask_epi8(bytes) << at;
}

/* The next bytes of a text, QUERY_BLOCK at most. */
static void
read_window(struct window *window, const uint8_t *text, size_t bytes)
{
	uint8_t rest[QUERY_BLOCK] = { 0 };
	uint64_t letter;

	if (bytes < sizeof(rest)) {
		memcpy(rest, text, bytes);
		text = rest;
	}
	window->lower = 0;
	window->upper = 0;
	window->digit = 0;
	window->word = 0;
	for (uint32_t at = 0; at < QUERY_BLOCK; at += LANE_BYTES) {
		__m128i lane = _mm_loadu_si128(
			(const __m128i *)(const void *)(text + at));
		__m128i upper = is_between(lane, 'A', 'Z');

		_mm_storeu_si128((__m128i *)(void *)(window->as_is + at), lane);
		_mm_storeu_si128(
			(__m128i *)(void *)(window->text + at),
			_mm_or_si128(lane, _mm_and_si128(upper,
							 _mm_set1_epi8(0x20))));
		window->upper |= mask_of(upper, at);
		window->lower |= mask_of(
			_mm_or_si128(is_between(lane, 'a', 'z'), lane), at);
		window->digit |= mask_of(is_between(lane, '0', '9'), at);
		window->word |=
			mask_of(_mm_cmpeq_epi8(lane, _mm_set1_epi8('_')), at);
	}
	memset(window->text + QUERY_BLOCK, 0, 16);
	memset(window->as_is + QUERY_BLOCK, 0, 16);
	letter = window->lower | window->upper;
	window->word |= letter | window->digit;
	window->begins = (window->lower & ~(letter << 1)) |
			 (window->upper & ~(window->upper << 1)) |
			 (window->upper & (window->lower >> 1)) |
			 (window->digit & ~(window->digit << 1));
}

/* How many bits of a mask are set from there on, side by side. */
static inline uint32_t
run_of(uint64_t mask, uint32_t at)
{
	uint64_t ends = ~(mask >> at);

	return ends == 0 ? 64 : (uint32_t)__builtin_ctzll(ends);
}

/* Bytes of the part of letters that begins there: query_word_next(). */
static uint32_t
part_bytes(const struct window *window, uint32_t at)
{
	uint32_t nr;
	uint32_t lower;

	if (window->lower >> at & 1)
		return run_of(window->lower, at);
	nr = run_of(window->upper, at);
	lower = at + nr < 64 ? run_of(window->lower, at + nr) : 0;
	return lower == 0 ? nr : nr == 1 ? 1 + lower : nr - 1;
}

/* A text that is added. */
struct adding {
	struct query_filter *filter;
	struct query_words *words;
};

/* Whether a word of a window was added already; it is remembered that it is. */
static bool
was_added(const struct adding *adding, const struct window *window, uint32_t at,
	  uint32_t bytes)
{
	struct query_seen *seen;
	uint64_t text[2];

	if (bytes > SEEN_BYTES)
		return false;
	text[0] = beginning(window->as_is + at, bytes);
	text[1] = bytes > 8 ? beginning(window->as_is + at + 8, bytes - 8) : 0;
	seen = &adding->words->seen[(text[0] * MIX + text[1] * MIX_MORE) >>
				    SEEN_SHIFT];
	if (seen->text[0] == text[0] && seen->text[1] == text[1] &&
	    seen->filter_nr == adding->words->filter_nr)
		return true;
	memcpy(seen->text, text, sizeof(text));
	seen->filter_nr = adding->words->filter_nr;
	return false;
}

/* Adds a word without its underscores, small letters and digits. */
static void
add_joined(struct query_filter *filter, const uint8_t *text, size_t bytes)
{
	uint8_t begin[8] = { 0 };
	size_t nr = 0;

	for (size_t i = 0; i < bytes; i++) {
		if (text[i] == '_')
			continue;
		if (nr < sizeof(begin))
			begin[nr] = text[i];
		nr++;
		if (nr == sizeof(begin) && bytes <= QUERY_TERM_BYTES)
			break;
	}
	if (nr <= QUERY_TERM_BYTES)
		add(filter, beginning(begin, sizeof(begin)));
}

/* A word of a window: its parts, and if it has several, the whole. */
static void
add_word(const struct adding *adding, const struct window *window, uint32_t at,
	 uint32_t bytes)
{
	uint64_t begins = window->begins & (UINT64_MAX >> (64 - bytes)) << at;
	uint64_t letters = begins & ~window->digit;
	bool has_whole = false; /* it begins like its first part */

	if (was_added(adding, window, at, bytes))
		return;
	for (; letters != 0; letters &= letters - 1) {
		uint32_t part = (uint32_t)__builtin_ctzll(letters);
		uint32_t nr = part_bytes(window, part);

		if (nr < 2 || nr > QUERY_TERM_BYTES)
			continue;
		has_whole |= part == at && nr >= 8;
		add(adding->filter, beginning(window->text + part, nr));
	}
	if ((begins & (begins - 1)) != 0 && !has_whole)
		add_joined(adding->filter, window->text + at, bytes);
}

/* The words of a window; how many bytes are done with: all, or those before a
 * word that may go on behind it. */
static uint32_t
add_window(const struct adding *adding, const struct window *window,
	   bool at_end)
{
	uint64_t words = window->word;

	while (words != 0) {
		uint32_t at = (uint32_t)__builtin_ctzll(words);
		uint32_t bytes = run_of(words, at);

		if (at + bytes == QUERY_BLOCK && !at_end)
			return at;
		add_word(adding, window, at, bytes);
		words &= at + bytes == QUERY_BLOCK ? 0
						   : UINT64_MAX << (at + bytes);
	}
	return QUERY_BLOCK;
}

/* A word that no window holds; its bytes. */
static size_t
add_long_word(const struct adding *adding, const uint8_t *text, size_t bytes)
{
	struct query_word word = { .text = text };
	char stem[QUERY_TERM_BYTES];
	uint8_t begin[QUERY_BLOCK];
	size_t nr;

	while (word.bytes < bytes && query_class(text[word.bytes]) != NO_WORD)
		word.bytes++;
	while (query_word_next(&word, stem, &nr)) {
		uint8_t part[8] = { 0 };

		for (size_t i = word.from; i < word.at && i - word.from < 8;
		     i++)
			part[i - word.from] = ascii_lower(text[i]);
		if (nr > 0)
			add(adding->filter, beginning(part, sizeof(part)));
	}
	/* a longer one has more letters, or underscores enough to be cut off */
	nr = 0;
	for (size_t i = 0; i < word.bytes && nr < sizeof(begin); i++)
		if (text[i] != '_')
			begin[nr++] = ascii_lower(text[i]);
	if (word.parts > 1)
		add_joined(adding->filter, begin, nr);
	return word.bytes;
}

void
query_filter_add(struct query_filter *filter, struct query_words *words,
		 const uint8_t *text, size_t bytes)
{
	const struct adding adding = { filter, words };
	struct window window;

	for (size_t at = 0; at < bytes;) {
		uint32_t done;

		read_window(&window, text + at,
			    min_size(bytes - at, QUERY_BLOCK));
		done = add_window(&adding, &window, bytes - at <= QUERY_BLOCK);
		at += done > 0 ? done
			       : add_long_word(&adding, text + at, bytes - at);
	}
}

/* ---- filters ------------------------------------------------------------- */

/* Bits that would be set in the first half with those of the second. */
static uint32_t
folded_nr(const struct query_filter *filter, uint32_t half)
{
	uint32_t nr = 0;

	for (uint32_t i = 0; i < half; i++)
		nr += (uint32_t)__builtin_popcountll(filter->bits[i] |
						     filter->bits[half + i]);
	return nr;
}

uint32_t
query_filter_fold(struct query_filter *filter)
{
	uint32_t nr = QUERY_FILTER_WORDS;

	while (nr > 1 &&
	       100 * folded_nr(filter, nr / 2) <= DENSE_PERCENT * 64 * nr / 2) {
		nr /= 2;
		for (uint32_t i = 0; i < nr; i++)
			filter->bits[i] |= filter->bits[nr + i];
	}
	return nr;
}

/* What a word may begin with that has a stem. */
struct inflections {
	struct query_sought *sought;
	const struct query_term *term;
	uint32_t first; /* of the term's */
};

/* A word that may have the stem. */
static void
add_inflection(struct inflections *of, const char *word, size_t bytes)
{
	struct query_sought *sought = of->sought;
	char copy[QUERY_TERM_BYTES + 8];
	uint8_t begin[8] = { 0 };
	uint64_t hash;

	memcpy(copy, word, bytes);
	if (query_stem(copy, bytes) != of->term->bytes ||
	    memcmp(copy, of->term->text, of->term->bytes) != 0)
		return;
	memcpy(begin, word, min_size(bytes, sizeof(begin)));
	hash = hash_of(beginning(begin, sizeof(begin)));
	for (uint32_t i = of->first; i < sought->nr; i++)
		if (sought->hashes[i] == hash)
			return;
	sought->hashes[sought->nr++] = hash;
}

/* The word with each ending that would have been cut off. */
static void
add_endings(struct inflections *of, const char *word, size_t bytes)
{
	char longer[QUERY_TERM_BYTES + 8];
	const char *text;
	const char *instead;

	add_inflection(of, word, bytes);
	for (uint32_t i = 0; query_ending(i, &text, &instead); i++) {
		size_t cut = strlen(instead);

		if (bytes < cut ||
		    memcmp(word + bytes - cut, instead, cut) != 0)
			continue;
		memcpy(longer, word, bytes - cut);
		memcpy(longer + bytes - cut, text, strlen(text));
		add_inflection(of, longer, bytes - cut + strlen(text));
	}
}

static void
add_term(struct query_sought *sought, const struct query_term *term)
{
	struct inflections of = { sought, term, sought->nr };
	char word[QUERY_TERM_BYTES + 2];
	size_t bytes = term->bytes;

	memcpy(word, term->text, bytes);
	/* one of two letters was cut off, and an e before that */
	for (uint32_t twice = 0; twice < 2; twice++) {
		add_endings(&of, word, bytes);
		word[bytes] = 'e';
		add_endings(&of, word, bytes + 1);
		word[bytes] = word[bytes - 1];
		bytes++;
	}
}

void
query_sought_init(struct query_sought *sought, const struct query *query)
{
	sought->nr = 0;
	for (uint32_t i = 0; i < query->word_nr; i++)
		add_term(sought, &query->terms[i]);
}

bool
query_filter_may_have(const uint64_t *bits, uint32_t nr,
		      const struct query_sought *sought)
{
	for (uint32_t i = 0; i < sought->nr; i++) {
		uint32_t set = 0;

		while (set < HASH_BITS) {
			uint32_t bit =
				bit_of(sought->hashes[i], set, 64 * nr - 1);

			if (!(bits[bit / 64] >> bit % 64 & 1))
				break;
			set++;
		}
		if (set == HASH_BITS)
			return true;
	}
	return false;
}
