/* SPDX-License-Identifier: MIT */
/*
 * query_filter.c - words into bits, 64 bytes of a text at a time.
 */
#include "rank/query_filter.h"

#include <immintrin.h>
#include <string.h>

#include "rank/query_find.h"

#define HASH_BITS 5u  /* set for a beginning */
#define BIT_SHIFT 12u /* of the hash, from one of them to the next */
/* A filter is folded in half while at most so many of a hundred bits are set
 * afterwards: then one in 1000 that it has not seem to be there. */
#define DENSE_PERCENT 25u
#define LANE_BYTES 16u
#define BEGIN_BYTES 8u /* of a word, that filters know */
#define HASHES_MAX 256u
#define SEEN_SHIFT (64 - QUERY_SEEN_BITS)
#define EACH_BYTE 0x0101010101010101ull
#define MIX 0x9e3779b97f4a7c15ull

/* ---- beginnings ---------------------------------------------------------- */

static inline uint64_t
load(const uint8_t *text)
{
	uint64_t all;

	memcpy(&all, text, sizeof(all));
	return all;
}

/* So many bytes of a text, 0 to BEGIN_BYTES, as a number: of letters the small
 * ones, of digits themselves. What is no ASCII may become the same. */
static inline uint64_t
beginning(uint64_t text, uint32_t bytes)
{
	return (text | ' ' * EACH_BYTE) &
	       ~((UINT64_MAX << 4 * bytes) << 4 * bytes);
}

static inline uint64_t
hash_of(uint64_t beginning)
{
	uint64_t hash = beginning * MIX;

	return hash ^ hash >> 32;
}

/* Bit i of a hash, in a filter of `mask` + 1 bits. */
static inline uint32_t
bit_of(uint64_t hash, uint32_t i, uint32_t mask)
{
	return (uint32_t)(hash >> BIT_SHIFT * i) & mask;
}

/* A text that is added. */
struct adding {
	struct query_filter *filter;
	struct query_words *words;
	uint32_t nr; /* of the hashes */
	uint64_t hashes[HASHES_MAX];
};

/* Adds those that were not added lately. */
static void
set_bits(struct adding *adding)
{
	struct query_filter *filter = adding->filter;

	for (uint32_t at = 0; at < adding->nr; at++)
		for (uint32_t i = 0; i < HASH_BITS; i++) {
			uint32_t bit = bit_of(adding->hashes[at], i,
					      64 * QUERY_FILTER_WORDS - 1);

			filter->bits[bit / 64] |= 1ull << bit % 64;
		}
	adding->nr = 0;
}

static inline void
add(struct adding *adding, uint64_t beginning)
{
	uint64_t hash = hash_of(beginning);
	uint64_t *seen = &adding->words->seen[hash >> SEEN_SHIFT];

	/* no branch: which words repeat cannot be foretold */
	adding->hashes[adding->nr] = hash;
	adding->nr += *seen != hash;
	*seen = hash;
}

/* ---- a text -------------------------------------------------------------- */

/* QUERY_BLOCK bytes of a text, and a bit each for what they are. */
struct window {
	const uint8_t *text; /* BEGIN_BYTES more can be read */
	uint64_t letter;
	uint64_t word;
	uint64_t begins; /* of a part: letters of one word, or digits */
	uint64_t digit;
};

static uint64_t
underscores(const uint8_t *text)
{
	uint64_t mask = 0;

	for (uint32_t at = 0; at < QUERY_BLOCK; at += LANE_BYTES) {
		__m128i lane = _mm_loadu_si128(
			(const __m128i *)(const void *)(text + at));
		__m128i equal = _mm_cmpeq_epi8(lane, _mm_set1_epi8('_'));

		mask |= (uint64_t)(uint32_t)_mm_movemask_epi8(equal) << at;
	}
	return mask;
}

static void
read_window(struct window *window, const uint8_t *text)
{
	struct query_masks masks;
	uint64_t letter;

	query_masks(text, &masks);
	letter = masks.lower | masks.upper;
	*window = (struct window){
		.text = text,
		.letter = letter,
		.word = letter | masks.digit | underscores(text),
		.digit = masks.digit,
		/* as query_word_next() has them */
		.begins = (masks.lower & ~(letter << 1)) |
			  (masks.upper & ~(masks.upper << 1)) |
			  (masks.upper & masks.lower >> 1) |
			  (masks.digit & ~(masks.digit << 1)),
	};
}

/* Adds the parts of the words of a window. */
static void
add_parts(struct adding *adding, const struct window *window, uint64_t words)
{
	uint64_t goes_on = window->letter & ~window->begins;
	/* a single letter is none */
	uint64_t parts = window->begins & window->letter & words & goes_on >> 1;

	for (; parts != 0; parts &= parts - 1) {
		uint32_t at = (uint32_t)__builtin_ctzll(parts);
		uint64_t end = ~(goes_on >> at >> 1) | 1u << (BEGIN_BYTES - 1);
		uint32_t bytes = 1 + (uint32_t)__builtin_ctzll(end);

		add(adding, beginning(load(window->text + at), bytes));
	}
}

/* The beginning of a word, without its underscores: `rest` are its letters and
 * digits from `text` on, the first of which is one. */
static inline uint64_t
joined(const uint8_t *text, uint64_t rest)
{
	uint64_t begin = 0;
	uint32_t nr = 0;

	/* three runs always: how many there are cannot be foretold */
	for (uint32_t i = 0; i < 3 || (nr < BEGIN_BYTES && rest != 0); i++) {
		uint32_t gap = rest == 0 ? 0 : (uint32_t)__builtin_ctzll(rest);
		uint32_t run;

		rest >>= gap;
		text += gap;
		run = (uint32_t)__builtin_ctzll(~rest | 1u << BEGIN_BYTES);
		begin |= (beginning(load(text), run) << 4 * nr) << 4 * nr;
		rest >>= run;
		text += run;
		nr = (uint32_t)min_u64(nr + run, BEGIN_BYTES);
	}
	return begin;
}

/* Adds those words as a whole that have several parts. */
static void
add_wholes(struct adding *adding, const struct window *window, uint64_t words)
{
	/* the carry of a beginning runs to the end of its word, so that those
	 * behind the first remain; and once more, those behind the second go */
	uint64_t begins = window->begins & words;
	uint64_t later = begins & (words + begins);
	uint64_t seconds = later & ~(words + later);

	for (; seconds != 0; seconds &= seconds - 1) {
		uint64_t before = (seconds & -seconds) - 1;
		uint64_t firsts = begins & ~later & before;
		uint32_t at = 63 - (uint32_t)__builtin_clzll(firsts);
		uint64_t word = words & ~(words + (1ull << at));

		word &= window->letter | window->digit;
		add(adding, joined(window->text + at, word >> at));
	}
}

/* Those words of a window that end in it, or if none does, all. */
static inline uint64_t
whole_words(const struct window *window, uint32_t *bytes)
{
	uint64_t others = ~window->word;

	*bytes = others == 0 ? 0 : 64 - (uint32_t)__builtin_clzll(others);
	return *bytes == 64 ? window->word
			    : window->word & ((1ull << *bytes) - 1);
}

/* A word that no window holds; its bytes. */
static size_t
add_long_word(struct adding *adding, const uint8_t *text, size_t bytes)
{
	struct query_word word = { .text = text };
	char stem[QUERY_TERM_BYTES];
	uint8_t begin[BEGIN_BYTES] = { 0 };
	uint32_t begin_nr = 0;
	size_t nr;

	while (word.bytes < bytes && query_class(text[word.bytes]) != NO_WORD)
		word.bytes++;
	while (query_word_next(&word, stem, &nr)) {
		uint64_t part = 0;
		size_t part_nr = min_size(word.at - word.from, BEGIN_BYTES);

		memcpy(&part, text + word.from, part_nr);
		if (nr > 0)
			add(adding, beginning(part, (uint32_t)part_nr));
		if (adding->nr == HASHES_MAX - 1)
			set_bits(adding);
	}
	for (size_t i = 0; i < word.bytes && begin_nr < BEGIN_BYTES; i++)
		if (text[i] != '_')
			begin[begin_nr++] = text[i];
	if (word.parts > 1)
		add(adding, beginning(load(begin), begin_nr));
	return word.bytes;
}

/* Adds the next words of a text; how many bytes are done with. */
static size_t
add_next(struct adding *adding, const uint8_t *text, size_t bytes)
{
	uint8_t last[QUERY_BLOCK + BEGIN_BYTES] = { 0 };
	const uint8_t *next = text;
	struct window window;
	uint64_t words;
	uint32_t done;

	if (bytes < sizeof(last))
		next = memcpy(last, text, bytes);
	read_window(&window, next);
	words = whole_words(&window, &done);
	if (bytes <= QUERY_BLOCK) {
		words = window.word;
		done = (uint32_t)bytes;
	}
	if (done == 0)
		return add_long_word(adding, text, bytes);
	add_parts(adding, &window, words);
	add_wholes(adding, &window, words);
	return done;
}

void
query_filter_begin(struct query_words *words)
{
	memset(words, 0, sizeof(*words));
}

void
query_filter_add(struct query_filter *filter, struct query_words *words,
		 const uint8_t *text, size_t bytes)
{
	struct adding adding;

	adding.filter = filter;
	adding.words = words;
	adding.nr = 0;
	for (size_t at = 0; at < bytes;) {
		at += add_next(&adding, text + at, bytes - at);
		if (adding.nr > HASHES_MAX - 2 * QUERY_BLOCK)
			set_bits(&adding);
	}
	set_bits(&adding);
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
	uint8_t begin[BEGIN_BYTES] = { 0 };
	uint64_t hash;

	memcpy(copy, word, bytes);
	if (query_stem(copy, bytes) != of->term->bytes ||
	    memcmp(copy, of->term->text, of->term->bytes) != 0)
		return;
	bytes = min_size(bytes, sizeof(begin));
	memcpy(begin, word, bytes);
	hash = hash_of(beginning(load(begin), (uint32_t)bytes));
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
