/* SPDX-License-Identifier: MIT */
/*
 * query.c - words of a query, found again in texts.
 *
 * Most words of a text are not of the query. A sieve tells most of them apart
 * 64 bytes at a time, then a bit for each beginning of a term, of its first
 * three letters, then its first eight; only a word that has a part with such a
 * beginning is split and looked up.
 */
#include "rank/query.h"

#include <string.h>

#include "base/ascii.h"
#include "base/hash.h"
#include "rank/match.h"

#define WORTH_PAIR 0.3       /* beside a word */
#define WORTH_FIRST_LINE 1.0 /* more, once, for what it is about */

static const struct {
	const char *text;
	bool is_alone; /* what has its stem is no stop word */
} stop_words[] = {
#define STOP(word) { word, false },
#define ALONE(word) { word, true },
#include "rank/query_stop.def"
#undef STOP
#undef ALONE
};

/* --------------------------------------------------------------- lookup -- */

static uint32_t
slot_of(const char *stem, size_t bytes)
{
	uint32_t hash = hash32(HASH32_BEGIN, stem, bytes);

	return (hash ^ hash >> 15) % QUERY_SLOTS;
}

int
query_find(const struct query *query, const char *stem, size_t bytes)
{
	uint32_t at = slot_of(stem, bytes);

	for (; query->slots[at] != 0; at = (at + 1) % QUERY_SLOTS) {
		int idx = query->slots[at] - 1;

		if (query->terms[idx].bytes == bytes &&
		    memcmp(query->terms[idx].text, stem, bytes) == 0)
			return idx;
	}
	return -1;
}

/* The bit of three bytes; case does not matter, nor does much else. */
static inline uint32_t
begin_of(uint8_t a, uint8_t b, uint8_t c)
{
	return (a & 31u) << 10 | (b & 31u) << 5 | (c & 31u);
}

static inline bool
may_begin(const struct query *query, const uint8_t *text, size_t left)
{
	uint32_t bit;

	if (left < 3)
		return left == 2;
	bit = begin_of(text[0], text[1], text[2]);
	return query->begins[bit / 64] >> bit % 64 & 1;
}

static void
add_bit(struct query *query, uint32_t bit)
{
	query->begins[bit / 64] |= 1ull << bit % 64;
}

/*
 * A term is looked for where its first three letters are: after two of them
 * anything may follow, and in a joined word an underscore between any two.
 */
static void
add_begin(struct query *query, const char *stem, size_t bytes)
{
	uint8_t a = (uint8_t)stem[0];
	uint8_t b = (uint8_t)stem[1];

	for (uint32_t any = 0; any < 32; any++) {
		add_bit(query, begin_of(a, '_', (uint8_t)any));
		if (bytes == 2)
			add_bit(query, begin_of(a, b, (uint8_t)any));
	}
	add_bit(query, begin_of(a, b, '_'));
	if (bytes > 2)
		add_bit(query, begin_of(a, b, (uint8_t)stem[2]));
}

/* A byte of a term, as a text may have it there. */
static void
sieve_byte(struct query *query, uint32_t group, uint32_t place, char c)
{
	sieve_add(&query->sieve, group, place, (uint8_t)c);
	if (c >= 'a' && c <= 'z')
		sieve_add(&query->sieve, group, place,
			  (uint8_t)(c - 'a' + 'A'));
}

/* The same beginnings for the sieve. Terms of one letter are of one group. */
static void
add_sieve(struct query *query, const char *stem, size_t bytes)
{
	uint32_t group = (uint8_t)stem[0];

	sieve_byte(query, group, 0, stem[0]);
	sieve_byte(query, group, 1, stem[1]);
	sieve_byte(query, group, 1, '_');
	if (bytes == 2) {
		sieve_add_any(&query->sieve, group, 2);
		return;
	}
	sieve_byte(query, group, 2, stem[2]);
	sieve_byte(query, group, 2, stem[1]);
	sieve_byte(query, group, 2, '_');
}

/* Letters as small ones; other bytes as some other, always the same. */
#define ANY_CASE 0x2020202020202020u

/*
 * What a word begins with whose stem it is: all of the stem but a `y`, which
 * may have been `ies`.
 */
static void
add_prefix(struct query *query, uint32_t idx, const char *stem, size_t bytes)
{
	size_t sure = min_size(bytes - (stem[bytes - 1] == 'y'), 8);
	uint8_t prefix[8] = { 0 };
	uint8_t mask[8] = { 0 };

	memcpy(prefix, stem, sure);
	memset(mask, 0xff, sure);
	memcpy(&query->prefixes[idx], prefix, 8);
	memcpy(&query->prefix_masks[idx], mask, 8);
	query->prefixes[idx] |= ANY_CASE;
}

/* The first bytes of a word, without underscores. */
static uint64_t
prefix_of(const uint8_t *text, size_t left)
{
	uint8_t prefix[8] = { 0 };
	size_t nr = 0;
	uint64_t all;

	memcpy(prefix, text, min_size(left, sizeof(prefix)));
	if (memchr(prefix, '_', sizeof(prefix)) != NULL) {
		memset(prefix, 0, sizeof(prefix));
		for (size_t i = 0; i < left && nr < sizeof(prefix); i++)
			if (text[i] != '_')
				prefix[nr++] = text[i];
	}
	memcpy(&all, prefix, 8);
	return all | ANY_CASE;
}

static bool
may_be_term(const struct query *query, const uint8_t *text, size_t left)
{
	uint64_t prefix = prefix_of(text, left);

	for (uint32_t i = 0; i < query->word_nr; i++)
		if (((prefix ^ query->prefixes[i]) & query->prefix_masks[i]) ==
		    0)
			return true;
	return false;
}

/* ---------------------------------------------------------------- words -- */

struct counting {
	const struct query *query;
	uint8_t *counts;
	const uint8_t *behind; /* the part found last */
	int last;              /* the term that it is; -1: none */
};

static void
count_term(const struct counting *counting, uint32_t idx)
{
	if (counting->counts[idx] < UINT8_MAX)
		counting->counts[idx]++;
}

/* A part that begins there is a term: with the last one it may be a pair. */
static void
count_part(struct counting *counting, uint32_t idx, const uint8_t *begin,
	   const uint8_t *end)
{
	size_t gap;

	count_term(counting, idx);
	if (counting->last >= 0) {
		uint8_t pair = counting->query->pairs[counting->last][idx];

		gap = (size_t)(begin - counting->behind);
		if (pair != 0 && gap <= QUERY_PAIR_BYTES &&
		    memchr(counting->behind, '\n', gap) == NULL)
			count_term(counting, pair - 1u);
	}
	counting->last = (int)idx;
	counting->behind = end;
}

static void
count_word(struct counting *counting, const uint8_t *text, size_t bytes)
{
	struct query_word word = { .text = text, .bytes = bytes };
	char stem[QUERY_TERM_BYTES];
	size_t stem_bytes;
	int idx;

	while (query_word_next(&word, stem, &stem_bytes)) {
		if (stem_bytes == 0)
			continue;
		idx = query_find(counting->query, stem, stem_bytes);
		if (idx >= 0)
			count_part(counting, (uint32_t)idx, text + word.from,
				   text + word.at);
	}
	stem_bytes = query_word_joined(&word, stem);
	idx = stem_bytes == 0 ? -1
			      : query_find(counting->query, stem, stem_bytes);
	if (idx >= 0)
		count_term(counting, (uint32_t)idx);
}

/*
 * Where parts begin in a block: small letters and digits at the first of a
 * run, capitals too, and the last of several before a small one.
 */
static uint64_t
begins_of(const struct query_masks *masks, enum byte_class before,
	  bool next_lower)
{
	uint64_t letter = masks->lower | masks->upper;
	uint64_t begins;

	begins = masks->lower &
		 ~(letter << 1 | (before == LOWER || before == UPPER));
	begins |= masks->upper & ~(masks->upper << 1 | (before == UPPER));
	begins |=
		masks->upper & (masks->lower >> 1 | (uint64_t)next_lower << 63);
	begins |= masks->digit & ~(masks->digit << 1 | (before == DIGIT));
	return begins;
}

/* A text that is gone through, and how far. */
struct places {
	const struct query *query;
	const uint8_t *text;
	size_t bytes;
	size_t block; /* where the next one begins */
	bool avx2;
};

/* Behind the blocks that the sieve lets nothing through of. */
static void
skip_blocks(struct places *places, uint64_t *found)
{
	const size_t beyond = SIEVE_PLACES - 1;
	size_t left = places->bytes - places->block;
	size_t blocks;

	*found = UINT64_MAX;
	if (!places->avx2 || left < QUERY_BLOCK + beyond)
		return;
	blocks = (left - beyond) / QUERY_BLOCK;
	places->block += QUERY_BLOCK * sieve_next(&places->query->sieve,
						  places->text + places->block,
						  blocks, found);
	/* the last one has less behind it */
	if (*found == 0)
		*found = UINT64_MAX;
}

/*
 * Where in the next block that has any a part begins that may be a term; false:
 * there is none left.
 */
static bool
next_begins(struct places *places, size_t *block, uint64_t *begins)
{
	const uint8_t *text = places->text;
	uint8_t rest[QUERY_BLOCK + SIEVE_PLACES - 1] = { 0 };
	struct query_masks masks;
	const uint8_t *at;
	uint64_t found;

	if (places->block >= places->bytes)
		return false;
	skip_blocks(places, &found);
	*block = places->block;
	at = text + *block;
	if (places->bytes - *block < sizeof(rest)) {
		memcpy(rest, at, places->bytes - *block);
		at = rest;
		if (places->avx2)
			sieve_next(&places->query->sieve, at, 1, &found);
	}
	query_masks(at, &masks);
	*begins = found & begins_of(&masks,
				    *block == 0 ? NO_WORD
						: query_class(text[*block - 1]),
				    query_class(at[QUERY_BLOCK]) == LOWER);
	places->block += QUERY_BLOCK;
	return true;
}

/* The word around a byte; its end. */
static size_t
count_around(struct counting *counting, const uint8_t *text, size_t bytes,
	     size_t at)
{
	size_t end = at;

	while (at > 0 && query_class(text[at - 1]) != NO_WORD)
		at--;
	while (end < bytes && query_class(text[end]) != NO_WORD)
		end++;
	count_word(counting, text + at, end - at);
	return end;
}

void
query_count(const struct query *query, const uint8_t *text, size_t bytes,
	    uint8_t counts[QUERY_TERMS_MAX])
{
	struct counting counting = { .query = query,
				     .counts = counts,
				     .last = -1 };
	struct places places = { .query = query,
				 .text = text,
				 .bytes = bytes,
				 .avx2 = sieve_has_avx2() };
	size_t done = 0; /* words that begin before this are counted */
	size_t block;
	uint64_t begins;

	while (next_begins(&places, &block, &begins)) {
		for (; begins != 0; begins &= begins - 1) {
			size_t at = block + (size_t)__builtin_ctzll(begins);

			if (at >= done &&
			    may_begin(query, text + at, bytes - at) &&
			    may_be_term(query, text + at, bytes - at))
				done = count_around(&counting, text, bytes, at);
		}
	}
}

uint32_t
query_name_words(const struct query *query, const uint8_t *name, size_t bytes)
{
	uint64_t seen[(QUERY_WORDS_MAX + 63) / 64] = { 0 };
	struct query_word word = { .text = name, .bytes = bytes };
	char stem[QUERY_TERM_BYTES];
	size_t stem_bytes;
	uint32_t nr = 0;

	while (query_word_next(&word, stem, &stem_bytes)) {
		uint32_t idx;

		if (stem_bytes == 0)
			continue;
		idx = (uint32_t)query_find(query, stem, stem_bytes);
		if (idx >= QUERY_WORDS_MAX || (seen[idx / 64] >> idx % 64 & 1))
			return 0;
		seen[idx / 64] |= 1ull << idx % 64;
		nr++;
	}
	return nr < 2 ? 0 : nr;
}

/* -------------------------------------------------------------- a query -- */

/* Whether the part of a word that was given last is this one, in any case. */
static bool
is_part(const struct query_word *word, const char *text, size_t bytes)
{
	const uint8_t *part = word->text + word->from;
	size_t i = 0;

	if (word->at - word->from != bytes)
		return false;
	while (i < bytes && ascii_lower(part[i]) == (uint8_t)text[i])
		i++;
	return i == bytes;
}

static bool
is_stop(const struct query_word *word, const char *stem, size_t bytes)
{
	for (size_t i = 0; i < ARRAY_LEN(stop_words); i++) {
		const char *stop = stop_words[i].text;
		char other[QUERY_TERM_BYTES];
		size_t nr = strlen(stop);

		if (is_part(word, stop, nr) ||
		    (nr == bytes && memcmp(stop, stem, nr) == 0))
			return true;
		if (stop_words[i].is_alone)
			continue;
		memcpy(other, stop, nr);
		nr = query_stem(other, nr);
		if (nr == bytes && memcmp(other, stem, nr) == 0)
			return true;
	}
	return false;
}

/* A query in the making. */
struct reading {
	struct query *query;
	bool in_first_line;
	bool in_flag; /* of a command: --collect-only */
	bool is_name; /* `main`, main() */
	bool keeps_stops;
	int last; /* the word just before, as a term; -1: none */
};

static void
seen_again(const struct reading *reading, struct query_term *term)
{
	if (term->times < UINT16_MAX)
		term->times++;
	term->in_first_line |= reading->in_first_line;
}

/* The term's index, or -1 if there are too many. */
static int
add_term(const struct reading *reading, const char *stem, size_t bytes,
	 enum query_kind kind)
{
	struct query *query = reading->query;
	int idx = query_find(query, stem, bytes);
	struct query_term *term;
	uint32_t at;

	if (idx < 0 && query->word_nr == QUERY_WORDS_MAX)
		return -1;
	if (idx < 0) {
		idx = (int)query->word_nr++;
		term = &query->terms[idx];
		term->bytes = (uint8_t)bytes;
		term->kind = (uint8_t)kind;
		memcpy(term->text, stem, bytes);
		at = slot_of(stem, bytes);
		while (query->slots[at] != 0)
			at = (at + 1) % QUERY_SLOTS;
		query->slots[at] = (uint8_t)(idx + 1);
		add_begin(query, stem, bytes);
		add_sieve(query, stem, bytes);
		add_prefix(query, (uint32_t)idx, stem, bytes);
	}
	seen_again(reading, &query->terms[idx]);
	return idx;
}

/* Pairs are kept apart until all words are known, and numbered from 0. */
static void
add_pair(const struct reading *reading, struct query_term *pairs, uint32_t *nr,
	 int second)
{
	uint8_t first = (uint8_t)reading->last;
	uint32_t i = 0;

	while (i < *nr &&
	       (pairs[i].first != first || pairs[i].second != (uint8_t)second))
		i++;
	if (i == QUERY_PAIRS_MAX)
		return;
	if (i == *nr) {
		pairs[(*nr)++] = (struct query_term){
			.kind = QUERY_PAIR,
			.first = first,
			.second = (uint8_t)second,
		};
	}
	seen_again(reading, &pairs[i]);
}

struct pairs {
	struct query_term terms[QUERY_PAIRS_MAX];
	uint32_t nr;
};

static void
add_word(struct reading *reading, struct pairs *pairs, const uint8_t *text,
	 size_t bytes)
{
	struct query_word word = { .text = text, .bytes = bytes };
	char stem[QUERY_TERM_BYTES];
	size_t stem_bytes;
	/* "__all__" is not "all" */
	bool is_name = reading->in_flag || reading->is_name ||
		       reading->keeps_stops || text[0] == '_' ||
		       text[bytes - 1] == '_';

	while (query_word_next(&word, stem, &stem_bytes)) {
		int idx;

		if (stem_bytes < 2 ||
		    (!is_name && is_stop(&word, stem, stem_bytes)))
			continue;
		idx = add_term(reading, stem, stem_bytes, QUERY_WORD);
		if (reading->last >= 0 && idx >= 0)
			add_pair(reading, pairs->terms, &pairs->nr, idx);
		reading->last = idx;
	}
	stem_bytes = query_word_joined(&word, stem);
	if (stem_bytes >= 2)
		add_term(reading, stem, stem_bytes, QUERY_JOINED);
}

/* Whether what stands between two words ends a sentence; lines are told. */
static bool
is_break(struct reading *reading, const uint8_t *text, size_t bytes)
{
	bool breaks = false;

	for (size_t i = 0; i < bytes; i++) {
		if (text[i] == '\n') {
			reading->in_first_line &= reading->query->word_nr == 0;
			breaks = true;
		}
		if (i + 1 < bytes && memchr(".;:", text[i], 3) != NULL &&
		    text[i + 1] == ' ')
			breaks = true;
	}
	return breaks;
}

/* The pairs get their places behind the words. */
static void
place_pairs(struct query *query, const struct pairs *pairs)
{
	query->nr = query->word_nr;
	for (uint32_t i = 0; i < pairs->nr; i++) {
		const struct query_term *pair = &pairs->terms[i];

		query->terms[query->nr++] = *pair;
		query->pairs[pair->first][pair->second] = (uint8_t)query->nr;
	}
}

/* What stands before a word, for whether it is of a flag. */
static void
note_flag(struct reading *reading, const uint8_t *gap, size_t bytes)
{
	bool goes_on = bytes == 1 && *gap == '-';

	reading->in_flag =
		(reading->in_flag && goes_on) ||
		(bytes >= 2 && memcmp(gap + bytes - 2, "--", 2) == 0 &&
		 (bytes == 2 || gap[bytes - 3] != '-'));
}

/* Whether the word that ends there is written as a name of code is. */
static bool
is_code(const uint8_t *text, size_t bytes, size_t begin, size_t end)
{
	bool is_quoted = begin > 0 && end < bytes && text[begin - 1] == '`' &&
			 text[end] == '`';

	return is_quoted ||
	       (bytes - end >= 2 && text[end] == '(' && text[end + 1] == ')');
}

/* The words of a part of the text. */
static void
read_words(struct reading *reading, struct pairs *pairs, const uint8_t *text,
	   size_t bytes)
{
	size_t at = 0;

	while (at < bytes) {
		size_t begin = at;

		while (at < bytes && query_class(text[at]) == NO_WORD)
			at++;
		if (is_break(reading, text + begin, at - begin) &&
		    reading->query->word_nr > 0)
			reading->last = -1;
		note_flag(reading, text + begin, at - begin);
		begin = at;
		while (at < bytes && query_class(text[at]) != NO_WORD)
			at++;
		reading->is_name = is_code(text, bytes, begin, at);
		if (at > begin)
			add_word(reading, pairs, text + begin, at - begin);
	}
}

/* Whether a query is one word, which is a name then, whatever it is. */
static bool
is_one_word(const uint8_t *text, size_t bytes)
{
	uint32_t words = 0;
	bool in_word = false;

	for (size_t i = 0; i < bytes; i++) {
		bool is_of_word = query_class(text[i]) != NO_WORD;

		words += is_of_word && !in_word;
		in_word = is_of_word;
	}
	return words == 1;
}

static void
read_text(struct query *query, const uint8_t *text, size_t bytes,
	  bool keeps_stops)
{
	struct reading reading = { .query = query,
				   .in_first_line = true,
				   .keeps_stops = keeps_stops,
				   .last = -1 };
	struct query_text lines = { .at = text, .end = text + bytes };
	struct query_span span;
	struct pairs pairs = { .nr = 0 };

	memset(query, 0, sizeof(*query));
	while (query_text_next(&lines, &span)) {
		query->lines[span.line] += span.bytes > 1;
		if (query_line_counts(span.line))
			read_words(&reading, &pairs, span.text, span.bytes);
	}
	place_pairs(query, &pairs);
}

void
query_init(struct query *query, const uint8_t *text, size_t bytes)
{
	read_text(query, text, bytes, false);
	if (query->word_nr == 0 && is_one_word(text, bytes))
		read_text(query, text, bytes, true);
	query->about = query_about(text, bytes);
}

void
query_worth(const struct query *query, double worth[QUERY_TERMS_MAX])
{
	for (uint32_t i = 0; i < query->nr; i++) {
		const struct query_term *term = &query->terms[i];

		worth[i] = match_root(term->times);
		if (term->kind == QUERY_PAIR)
			worth[i] *= WORTH_PAIR;
		else if (term->in_first_line)
			worth[i] += WORTH_FIRST_LINE;
	}
}
