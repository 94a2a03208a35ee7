/* SPDX-License-Identifier: MIT */
/*
 * phrase.c - three words at a time.
 */
#include "rank/phrase.h"

#include <string.h>

#include "base/ascii.h"

#define WORDS 3 /* of a window */
#define GAP_BYTES 3

/* The last words of a line, side by side. */
struct run {
	const uint8_t *begins[WORDS];
	const uint8_t *end;
	uint32_t nr;  /* of words, WORDS at most */
	bool goes_on; /* the window before is one word back */
};

/* A blank between words, with a comma or the like. */
static bool
is_gap(const uint8_t *at, const uint8_t *end)
{
	bool has_blank = false;

	if (end - at > GAP_BYTES)
		return false;
	for (; at < end; at++) {
		if (*at == ' ')
			has_blank = true;
		else if (*at == '\0' || strchr(",.'`:;-\"()", *at) == NULL)
			return false;
	}
	return has_blank;
}

/* The longest term of a window, by index; QUERY_TERMS_MAX: it has none. */
static uint32_t
term_of(const struct query *query, const uint8_t *text, size_t bytes)
{
	uint8_t counts[QUERY_TERMS_MAX] = { 0 };
	uint32_t best = QUERY_TERMS_MAX;

	query_count(query, text, bytes, counts);
	for (uint32_t i = 0; i < query->word_nr; i++)
		if (counts[i] > 0 &&
		    (best == QUERY_TERMS_MAX ||
		     query->terms[i].bytes > query->terms[best].bytes))
			best = i;
	return best;
}

/* The window that ends with the run; false: it is none. */
static bool
add_window(struct query *query, const struct run *run)
{
	struct phrases *phrases = &query->phrases;
	size_t bytes = (size_t)(run->end - run->begins[0]);

	if (phrases->nr == PHRASE_WINDOWS_MAX || bytes > PHRASE_BYTES_MAX ||
	    bytes > sizeof(phrases->text) - phrases->text_bytes)
		return false;
	phrases->windows[phrases->nr++] = (struct phrase_window){
		.off = (uint16_t)phrases->text_bytes,
		.bytes = (uint8_t)bytes,
		.term = (uint8_t)term_of(query, run->begins[0], bytes),
		.goes_on = run->goes_on,
	};
	memcpy(phrases->text + phrases->text_bytes, run->begins[0], bytes);
	phrases->text_bytes += (uint32_t)bytes;
	return true;
}

/* A word goes to the end of the run. */
static void
add_word(struct run *run, const uint8_t *begin, const uint8_t *end)
{
	if (run->nr > 0 && !is_gap(run->end, begin)) {
		run->nr = 0;
		run->goes_on = false;
	}
	if (run->nr == WORDS) {
		memmove(run->begins, run->begins + 1,
			(WORDS - 1) * sizeof(run->begins[0]));
		run->nr--;
	}
	run->begins[run->nr++] = begin;
	run->end = end;
}

static void
read_line(struct query *query, const struct query_span *span)
{
	const uint8_t *end = span->text + span->bytes;
	const uint8_t *at = span->text;
	struct run run = { 0 };

	for (;;) {
		const uint8_t *begin;

		while (at < end && !ascii_is_word(*at))
			at++;
		if (at == end)
			return;
		begin = at;
		while (at < end && ascii_is_word(*at))
			at++;
		query->phrases.word_nr++;
		add_word(&run, begin, at);
		if (run.nr == WORDS)
			run.goes_on = add_window(query, &run);
	}
}

void
phrase_init(struct query *query, const uint8_t *text, size_t bytes)
{
	struct query_text lines = { .at = text, .end = text + bytes };
	struct query_span span;

	while (query_text_next(&lines, &span))
		if (query_line_counts(span.line))
			read_line(query, &span);
}

/* A phrase that a text has so far. */
struct found {
	uint32_t words;
	uint8_t term;   /* of its first window */
	bool says_more; /* another one has another term */
};

/* A text that windows are looked for in. */
struct place {
	const uint8_t *text;
	size_t bytes;
	const uint8_t *counts; /* of each term */
};

/* Whether a text has a window. One without a term is never what a phrase begins
 * with, so it is looked for only behind another. */
static bool
has_window(const struct phrases *phrases, const struct phrase_window *window,
	   const struct place *place, bool is_begun)
{
	if (window->term == QUERY_TERMS_MAX ? !is_begun
					    : place->counts[window->term] == 0)
		return false;
	return memmem(place->text, place->bytes, phrases->text + window->off,
		      window->bytes) != NULL;
}

uint8_t
phrase_longest(const struct query *query, const uint8_t *text, size_t bytes,
	       const uint8_t counts[QUERY_TERMS_MAX])
{
	const struct phrases *phrases = &query->phrases;
	struct place place = { text, bytes, counts };
	struct found found = { 0 };
	uint32_t longest = 0;

	for (uint32_t i = 0; i < phrases->nr; i++) {
		const struct phrase_window *window = &phrases->windows[i];

		if (!window->goes_on)
			found.words = 0;
		if (!has_window(phrases, window, &place, found.words > 0)) {
			found.words = 0;
			continue;
		}
		if (found.words == 0)
			found = (struct found){ WORDS - 1, window->term,
						false };
		found.words++;
		found.says_more |= window->term != found.term &&
				   window->term != QUERY_TERMS_MAX;
		if (found.says_more && found.words > longest)
			longest = found.words;
	}
	return longest < PHRASE_WORDS_MIN
		       ? 0
		       : (uint8_t)min_u64(longest, UINT8_MAX);
}
