/* SPDX-License-Identifier: MIT */
/*
 * phrase.c - three words at a time, and lines of code as they stand.
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

/* ------------------------------------------------------- lines of code ---- */

static bool
is_one_of(const char *bytes, uint8_t c)
{
	return c != '\0' && strchr(bytes, c) != NULL;
}

/* What a line is that may be code. */
struct line_marks {
	uint32_t words;
	bool is_comment;
	bool has_mark;    /* of code */
	bool has_between; /* a word behind one, or behind a blank */
	bool has_other;   /* than words and blanks */
};

static void
mark_line(struct line_marks *marks, const uint8_t *line, size_t bytes)
{
	*marks = (struct line_marks){ .is_comment = is_one_of("#*", *line) };
	marks->is_comment |=
		bytes > 1 && *line == '/' && is_one_of("/*", line[1]);
	for (size_t i = 0; i < bytes; i++) {
		bool is_word = ascii_is_word(line[i]) || line[i] >= 0x80;

		marks->words += is_word && (i == 0 || line[i - 1] == ' ');
		marks->has_between |= is_word && i > 0 &&
				      (marks->has_mark || line[i - 1] == ' ');
		marks->has_mark |= is_one_of("(){}[]<>=;", line[i]);
		marks->has_other |= !is_word && line[i] != ' ';
	}
}

/*
 * Whether a line is code, or prose that is quoted as it stands: one alone by
 * anything but words; one of several by what prose seldom has. Behind the
 * first, few words may be either.
 */
static bool
is_code(const struct line_marks *marks, bool is_alone, bool is_first)
{
	if (is_alone)
		return marks->has_other;
	return marks->has_mark || marks->is_comment ||
	       (!is_first && marks->words < WORDS);
}

/* The next line that is not blank, without blanks around it; its bytes. */
static size_t
next_line(const uint8_t **at, const uint8_t *end, const uint8_t **line)
{
	const uint8_t *last;

	while (*at < end && ascii_is_space(**at))
		++*at;
	*line = *at;
	last = memchr(*at, '\n', (size_t)(end - *at));
	last = last == NULL ? end : last;
	*at = last;
	while (last > *line && ascii_is_space(last[-1]))
		last--;
	return (size_t)(last - *line);
}

static void
add_line(struct query *query, const uint8_t *line, size_t bytes)
{
	struct phrases *phrases = &query->phrases;
	uint32_t term = term_of(query, line, bytes);

	/* one without words is everywhere */
	if (term == QUERY_TERMS_MAX)
		return;
	phrases->lines[phrases->line_nr++] = (struct phrase_window){
		.off = (uint16_t)phrases->text_bytes,
		.bytes = (uint8_t)bytes,
		.term = (uint8_t)term,
	};
	memcpy(phrases->text + phrases->text_bytes, line, bytes);
	phrases->text_bytes += (uint32_t)bytes;
}

/* The lines of a query that is nothing but code. */
static void
read_code(struct query *query, const uint8_t *text, size_t bytes)
{
	struct phrases *phrases = &query->phrases;
	const uint8_t *end = text + bytes;
	const uint8_t *at = text;
	const uint8_t *line;
	const uint8_t *first = text;
	struct line_marks marks;
	bool is_alone;
	size_t nr;

	next_line(&at, end, &first);
	is_alone = next_line(&at, end, &line) == 0;
	for (at = text; (nr = next_line(&at, end, &line)) > 0;) {
		mark_line(&marks, line, nr);
		if (phrases->line_nr == PHRASE_LINES_MAX || nr > UINT8_MAX ||
		    nr > sizeof(phrases->text) - phrases->text_bytes ||
		    !is_code(&marks, is_alone, line == first)) {
			phrases->line_nr = 0;
			return;
		}
		add_line(query, line, nr);
		phrases->is_word =
			phrases->line_nr > 0 && is_alone && !marks.has_between;
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
	read_code(query, text, bytes);
}

/* --------------------------------------------------------------- a text ---- */

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

/* How many lines of the query it has. */
static uint32_t
lines_in(const struct phrases *phrases, const struct place *place)
{
	uint32_t nr = 0;

	for (uint32_t i = 0; i < phrases->line_nr; i++)
		nr += has_window(phrases, &phrases->lines[i], place, false);
	return nr;
}

uint8_t
phrase_longest(const struct query *query, const uint8_t *text, size_t bytes,
	       const uint8_t counts[QUERY_TERMS_MAX])
{
	const struct phrases *phrases = &query->phrases;
	struct place place = { text, bytes, counts };
	struct found found = { 0 };
	uint32_t longest = lines_in(phrases, &place);

	if (longest > 0)
		return (uint8_t)(PHRASE_LINES + longest);
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
		       : (uint8_t)min_u64(longest, PHRASE_LINES - 1);
}

bool
phrase_is_most(const struct phrases *phrases, uint32_t longest)
{
	return longest > PHRASE_LINES
		       ? 2 * (longest - PHRASE_LINES) >= phrases->line_nr
		       : 2 * longest >= phrases->word_nr;
}

double
phrase_strength(const struct phrases *phrases, uint32_t longest)
{
	if (longest > PHRASE_LINES)
		return (double)(longest - PHRASE_LINES) /
		       (double)phrases->line_nr;
	return 0.2 * (double)min_u64(longest, 7) - 0.4;
}
