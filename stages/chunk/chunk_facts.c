/* SPDX-License-Identifier: MIT */
/*
 * chunk_facts.c - counting words.
 */
#include "stages/chunk/chunk_facts.h"

#include <string.h>

static bool
is_word(uint8_t c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
	       (c >= '0' && c <= '9') || c == '_' || c >= 0x80;
}

static bool
is_upper(uint8_t c)
{
	return c >= 'A' && c <= 'Z';
}

uint32_t
chunk_facts_hash(const uint8_t *word, size_t bytes)
{
	uint32_t hash = 2166136261u;

	for (size_t i = 0; i < bytes; i++)
		hash = (hash ^ word[i]) * 16777619u;
	return hash;
}

/*
 * The end of the part that begins at `at`: HTTPServer -> HTTP Server,
 * readFile2 -> read File2, snake_case -> snake case.
 */
static size_t
part_end(const uint8_t *word, size_t at, size_t bytes)
{
	size_t end = at + 1;

	if (end < bytes && is_upper(word[at]) && is_upper(word[end])) {
		while (end < bytes && is_upper(word[end]))
			end++;
		/* the last capital begins the next part */
		if (end < bytes && word[end] != '_' && end > at + 1)
			end--;
		return end;
	}
	while (end < bytes && word[end] != '_' && !is_upper(word[end]))
		end++;
	return end;
}

static uint8_t
lower(uint8_t c)
{
	return is_upper(c) ? (uint8_t)(c + 32) : c;
}

/* Index of a part in the query; nr: not there. */
static uint32_t
find_term(const struct chunk_query *query, const uint8_t *part, size_t bytes)
{
	for (uint32_t i = 0; i < query->nr; i++) {
		size_t k = 0;

		if (query->bytes[i] != bytes)
			continue;
		while (k < bytes && query->words[i][k] == lower(part[k]))
			k++;
		if (k == bytes)
			return i;
	}
	return query->nr;
}

static void
add_term(struct chunk_query *query, const uint8_t *part, size_t bytes)
{
	if (bytes < 2 || bytes > FACTS_TERM_BYTES || query->nr == FACTS_TERMS ||
	    find_term(query, part, bytes) < query->nr)
		return;
	for (size_t i = 0; i < bytes; i++)
		query->words[query->nr][i] = lower(part[i]);
	query->bytes[query->nr++] = (uint8_t)bytes;
}

void
chunk_query_add(struct chunk_query *query, const uint8_t *text, size_t bytes)
{
	for (size_t at = 0; at < bytes;) {
		size_t end = at;

		while (end < bytes && is_word(text[end]))
			end++;
		while (at < end) {
			size_t part;

			if (text[at] == '_') {
				at++;
				continue;
			}
			part = part_end(text, at, end);
			add_term(query, text + at, part - at);
			at = part;
		}
		at = end + (end < bytes);
	}
}

static void
count_terms(struct chunk_facts *facts, const struct chunk_query *query,
	    const uint8_t *word, size_t bytes)
{
	for (size_t at = 0; at < bytes;) {
		size_t end;
		uint32_t i;

		if (word[at] == '_') {
			at++;
			continue;
		}
		end = part_end(word, at, bytes);
		i = find_term(query, word + at, end - at);
		if (i < query->nr)
			facts->terms[i]++;
		at = end;
	}
}

static void
add_call(struct chunk_facts *facts, const uint8_t *word, size_t bytes)
{
	uint32_t hash = chunk_facts_hash(word, bytes);

	for (uint32_t i = 0; i < facts->call_nr; i++)
		if (facts->calls[i] == hash)
			return;
	if (facts->call_nr < FACTS_CALLS)
		facts->calls[facts->call_nr++] = hash;
}

static void
code_word(struct chunk_facts *facts, const struct chunk_lang *lang,
	  const uint8_t *text, size_t at, size_t end, size_t bytes)
{
	char letter;

	if (lang != NULL &&
	    chunk_lang_word(lang->control, text + at, end - at, &letter)) {
		/* what stands before the bar is a branch */
		facts->branches += letter == ' ';
		return;
	}
	if (text[at] >= '0' && text[at] <= '9')
		return;
	while (end < bytes && text[end] == ' ')
		end++;
	if (end < bytes && text[end] == '(') {
		size_t nr = 0;

		while (is_word(text[at + nr]))
			nr++;
		add_call(facts, text + at, nr);
	}
}

static bool
is_marker(const uint8_t *word, size_t bytes)
{
	static const char markers[] =
#define MARKER(word) word " "
#include "stages/chunk/chunk_marker.def"
#undef MARKER
		;

	return chunk_lang_word(markers, word, bytes, NULL);
}

void
chunk_facts_add(struct chunk_facts *facts, const struct chunk_lang *lang,
		const struct chunk_query *query, const uint8_t *text,
		size_t bytes, bool comment)
{
	for (size_t at = 0; at < bytes;) {
		size_t end = at;

		while (end < bytes && is_word(text[end]))
			end++;
		if (end == at) {
			if (!comment && at + 1 < bytes &&
			    (text[at] == '&' || text[at] == '|') &&
			    text[at] == text[at + 1]) {
				facts->branches++;
				at++;
			}
			at++;
			continue;
		}
		if (comment)
			facts->markers += is_marker(text + at, end - at);
		else
			code_word(facts, lang, text, at, end, bytes);
		if (query != NULL)
			count_terms(facts, query, text + at, end - at);
		at = end;
	}
}
