/* SPDX-License-Identifier: MIT */
/*
 * query.c - words of a query, found again in texts.
 *
 * Most words of a text are not of the query. A bit for each beginning of a
 * term, of its first three letters, tells most of them apart at once; only a
 * word that has a part with such a beginning is split and looked up.
 */
#include "stages/query.h"

#include <string.h>

enum byte_class { NO_WORD = 0, LOWER, UPPER, DIGIT, UNDERSCORE };

/* The class of a byte; bytes of other alphabets are small letters. */
static inline uint8_t
class_of(uint8_t c)
{
	if ((c >= 'a' && c <= 'z') || c >= 0x80)
		return LOWER;
	if (c >= 'A' && c <= 'Z')
		return UPPER;
	if (c >= '0' && c <= '9')
		return DIGIT;
	return c == '_' ? UNDERSCORE : NO_WORD;
}

static const char *const stop_words[] = {
#define STOP(word) word,
#include "stages/query_stop.def"
#undef STOP
};

/* ---------------------------------------------------------------- stems -- */

static const struct ending {
	const char *text;
	const char *instead;
} endings[] = {
	{ "ies", "y" }, { "sses", "ss" }, { "ing", "" }, { "edly", "" },
	{ "ed", "" },   { "es", "" },     { "s", "" },   { "ly", "" },
};

static bool
ends_with(const char *word, size_t bytes, const char *end, size_t end_bytes)
{
	return bytes >= end_bytes &&
	       memcmp(word + bytes - end_bytes, end, end_bytes) == 0;
}

size_t
query_stem(char *word, size_t bytes)
{
	if (bytes <= 3)
		return bytes;
	for (size_t i = 0; i < ARRAY_LEN(endings); i++) {
		size_t end = strlen(endings[i].text);
		size_t instead = strlen(endings[i].instead);

		if (!ends_with(word, bytes, endings[i].text, end) ||
		    bytes - end < 3 || ends_with(word, bytes, "ss", 2))
			continue;
		bytes -= end;
		memcpy(word + bytes, endings[i].instead, instead);
		bytes += instead;
		break;
	}
	if (bytes > 4 && word[bytes - 1] == 'e')
		bytes--;
	if (bytes > 4 && word[bytes - 1] == word[bytes - 2] &&
	    word[bytes - 1] != 's' && word[bytes - 1] != 'l')
		bytes--;
	return bytes;
}

/* --------------------------------------------------------------- lookup -- */

static uint32_t
slot_of(const char *stem, size_t bytes)
{
	uint32_t hash = 2166136261u;

	for (size_t i = 0; i < bytes; i++)
		hash = (hash ^ (uint8_t)stem[i]) * 16777619u;
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

/* ---------------------------------------------------------------- words -- */

/* What a word is split into. */
struct word {
	const uint8_t *text;
	size_t bytes;
	size_t at;      /* behind the part given last */
	uint32_t parts; /* given, and passed over, so far */
};

static inline uint8_t
small(uint8_t c)
{
	return c >= 'A' && c <= 'Z' ? c | 0x20 : c;
}

/* The end of the part that begins at `at`, which is a letter or a digit. */
static size_t
part_end(const struct word *word, size_t at)
{
	uint8_t class = class_of(word->text[at]);
	size_t end = at + 1;

	while (end < word->bytes && class_of(word->text[end]) == class)
		end++;
	if (class != UPPER || end == word->bytes ||
	    class_of(word->text[end]) != LOWER)
		return end;
	if (end - at > 1)
		return end - 1; /* HTTPServer: HTTP, Server */
	while (end < word->bytes && class_of(word->text[end]) == LOWER)
		end++;
	return end;
}

/* The next part, as a stem; false: there is none. Numbers give 0 bytes. */
static bool
next_part(struct word *word, char stem[QUERY_TERM_BYTES], size_t *bytes)
{
	size_t at = word->at;
	size_t end;

	while (at < word->bytes && word->text[at] == '_')
		at++;
	if (at == word->bytes)
		return false;
	end = part_end(word, at);
	word->at = end;
	word->parts++;
	*bytes = 0;
	if (class_of(word->text[at]) == DIGIT || end - at < 2 ||
	    end - at > QUERY_TERM_BYTES)
		return true;
	for (size_t i = at; i < end; i++)
		stem[i - at] = (char)small(word->text[i]);
	*bytes = query_stem(stem, end - at);
	return true;
}

/* The whole word without underscores; 0: too long, or a part of it alone. */
static size_t
joined(const struct word *word, char stem[QUERY_TERM_BYTES])
{
	size_t bytes = 0;

	if (word->parts < 2)
		return 0;
	for (size_t i = 0; i < word->bytes; i++) {
		if (word->text[i] == '_')
			continue;
		if (bytes == QUERY_TERM_BYTES)
			return 0;
		stem[bytes++] = (char)small(word->text[i]);
	}
	return query_stem(stem, bytes);
}

static void
count_stem(const struct query *query, const char *stem, size_t bytes,
	   uint8_t counts[QUERY_TERMS_MAX])
{
	int idx = query_find(query, stem, bytes);

	if (idx >= 0 && counts[idx] < UINT8_MAX)
		counts[idx]++;
}

static void
count_word(const struct query *query, const uint8_t *text, size_t bytes,
	   uint8_t counts[QUERY_TERMS_MAX])
{
	struct word word = { .text = text, .bytes = bytes };
	char stem[QUERY_TERM_BYTES];
	size_t stem_bytes;

	while (next_part(&word, stem, &stem_bytes))
		if (stem_bytes > 0)
			count_stem(query, stem, stem_bytes, counts);
	stem_bytes = joined(&word, stem);
	if (stem_bytes > 0)
		count_stem(query, stem, stem_bytes, counts);
}

void
query_count(const struct query *query, const uint8_t *text, size_t bytes,
	    uint8_t counts[QUERY_TERMS_MAX])
{
	size_t at = 0;

	while (at < bytes) {
		uint8_t before = NO_WORD;
		bool may = false;
		size_t begin;

		while (at < bytes && class_of(text[at]) == NO_WORD)
			at++;
		for (begin = at; at < bytes; at++) {
			uint8_t class = class_of(text[at]);

			if (class == NO_WORD)
				break;
			/* a part may begin wherever the class changes, and
			 * with the last capital of several */
			if (!may && class <= DIGIT &&
			    (class != before || class == UPPER))
				may = may_begin(query, text + at, bytes - at);
			before = class;
		}
		if (may)
			count_word(query, text + begin, at - begin, counts);
	}
}

/* -------------------------------------------------------------- a query -- */

static bool
is_stop(const char *stem, size_t bytes)
{
	for (size_t i = 0; i < ARRAY_LEN(stop_words); i++) {
		char word[QUERY_TERM_BYTES];
		size_t nr = strlen(stop_words[i]);

		memcpy(word, stop_words[i], nr);
		if (nr == bytes && memcmp(word, stem, nr) == 0)
			return true;
		nr = query_stem(word, nr);
		if (nr == bytes && memcmp(word, stem, nr) == 0)
			return true;
	}
	return false;
}

static void
add_term(struct query *query, const char *stem, size_t bytes, bool is_joined)
{
	int idx = query_find(query, stem, bytes);
	struct query_term *term;
	uint32_t at;

	if (idx >= 0) {
		term = &query->terms[idx];
		if (term->times < UINT16_MAX)
			term->times++;
		return;
	}
	if (query->nr == QUERY_TERMS_MAX)
		return;
	term = &query->terms[query->nr++];
	term->times = 1;
	term->bytes = (uint8_t)bytes;
	term->joined = is_joined;
	memcpy(term->text, stem, bytes);
	at = slot_of(stem, bytes);
	while (query->slots[at] != 0)
		at = (at + 1) % QUERY_SLOTS;
	query->slots[at] = (uint8_t)query->nr;
}

static const struct {
	const char *stem;
	uint32_t about;
} abouts[] = {
	{ "test", QUERY_ABOUT_TESTS },
	{ "unittest", QUERY_ABOUT_TESTS },
	{ "fixtur", QUERY_ABOUT_TESTS },
	{ "benchmark", QUERY_ABOUT_TESTS },
	{ "doc", QUERY_ABOUT_DOCS },
	{ "documentation", QUERY_ABOUT_DOCS },
	{ "readm", QUERY_ABOUT_DOCS },
	{ "changelog", QUERY_ABOUT_DOCS },
	{ "manpag", QUERY_ABOUT_DOCS },
	{ "tutorial", QUERY_ABOUT_DOCS },
	{ "workflow", QUERY_ABOUT_CONFIG },
	{ "yaml", QUERY_ABOUT_CONFIG },
	{ "toml", QUERY_ABOUT_CONFIG },
	{ "dockerfil", QUERY_ABOUT_CONFIG },
	{ "makefil", QUERY_ABOUT_CONFIG },
};

static void
note_about(struct query *query, const char *stem, size_t bytes)
{
	for (size_t i = 0; i < ARRAY_LEN(abouts); i++)
		if (strlen(abouts[i].stem) == bytes &&
		    memcmp(abouts[i].stem, stem, bytes) == 0)
			query->about |= abouts[i].about;
}

static void
add_word(struct query *query, const uint8_t *text, size_t bytes)
{
	struct word word = { .text = text, .bytes = bytes };
	char stem[QUERY_TERM_BYTES];
	size_t stem_bytes;

	while (next_part(&word, stem, &stem_bytes)) {
		note_about(query, stem, stem_bytes);
		if (stem_bytes < 2 || is_stop(stem, stem_bytes))
			continue;
		add_term(query, stem, stem_bytes, false);
		add_begin(query, stem, stem_bytes);
	}
	stem_bytes = joined(&word, stem);
	if (stem_bytes < 2)
		return;
	add_term(query, stem, stem_bytes, true);
	add_begin(query, stem, stem_bytes);
}

void
query_init(struct query *query, const uint8_t *text, size_t bytes)
{
	size_t at = 0;

	memset(query, 0, sizeof(*query));
	while (at < bytes) {
		size_t begin;

		while (at < bytes && class_of(text[at]) == NO_WORD)
			at++;
		begin = at;
		while (at < bytes && class_of(text[at]) != NO_WORD)
			at++;
		if (at > begin)
			add_word(query, text + begin, at - begin);
	}
}
