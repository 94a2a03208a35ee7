/* SPDX-License-Identifier: MIT */
/*
 * key.c - see key.h.
 */
#include "secrets/key.h"

#include <string.h>

#include "base/ascii.h"

#define BEGIN_BYTES 10     /* "-----BEGIN" */
#define NAME_MAX_BYTES 100 /* between BEGIN and PRIVATE KEY */
#define RUN_MIN 16         /* a shorter run is the last one, or none */
#define FIRST_MIN 24
#define WRAPPED_MIN 32
#define RUN_MOST 8192 /* of one piece; what is longer comes in several */
#define SIGNS_MAX 3   /* + / = alone are the text's */

static const char name[] = "PRIVATE KEY";
static const char block[] = " BLOCK";
static const char end_line[] = "-----END";

static bool
is_base64(uint8_t c)
{
	return ascii_is_letter(c) || ascii_is_digit(c) || c == '+' ||
	       c == '/' || c == '=';
}

static bool
is_of_head(uint8_t c)
{
	return ascii_is_upper(c) || ascii_is_digit(c) || c == ' ' || c == '_' ||
	       c == '-';
}

static bool
stands_at(const uint8_t *text, size_t bytes, size_t at, const char *word)
{
	size_t nr = strlen(word);

	return at + nr <= bytes && memcmp(text + at, word, nr) == 0;
}

/* The end of the line that a key begins with; 0: it is none. */
static size_t
head_end(const uint8_t *text, size_t bytes, size_t at)
{
	size_t from = at + BEGIN_BYTES;

	for (size_t i = from; i < bytes && i <= from + NAME_MAX_BYTES; i++) {
		if (stands_at(text, bytes, i, name)) {
			i += sizeof(name) - 1;
			if (stands_at(text, bytes, i, block))
				i += sizeof(block) - 1;
			return stands_at(text, bytes, i, "-----") ? i + 5 : 0;
		}
		if (!is_of_head(text[i]))
			return 0;
	}
	return 0;
}

/* A run of base64: a line of a key, or part of one. */
struct run {
	size_t start;
	size_t end;
};

static bool
is_signs(const uint8_t *text, const struct run *run)
{
	for (size_t i = run->start; i < run->end; i++)
		if (ascii_is_letter(text[i]) || ascii_is_digit(text[i]))
			return false;
	return run->end - run->start <= SIGNS_MAX;
}

/*
 * The next run from `at` on, before `stop`; false: there is none. What escapes
 * a character, and the mark of a line in a patch, are no part of it.
 */
static bool
find_run(const uint8_t *text, size_t stop, size_t at, struct run *run)
{
	while (at < stop) {
		bool is_escaped = false;

		while (at < stop && text[at] == '\\') {
			is_escaped = true;
			at++;
		}
		if (is_escaped && at < stop && ascii_is_lower(text[at])) {
			at++;
			continue;
		}
		if (at < stop && text[at] == '+' && at > 0 &&
		    text[at - 1] == '\n')
			at++;
		if (at >= stop)
			break;
		run->start = at;
		while (at < stop && at - run->start < RUN_MOST &&
		       is_base64(text[at]))
			at++;
		run->end = at;
		if (run->start == run->end)
			at++;
		else if (!is_signs(text, run))
			return true;
	}
	return false;
}

/* Where the line that ends a key stands between two places; `to`: it does not.
 */
static size_t
find_end_line(const uint8_t *text, size_t bytes, size_t from, size_t to)
{
	while (from < to && !stands_at(text, bytes, from, end_line))
		from++;
	return from;
}

enum pattern_result
key_begins(const uint8_t *text, size_t bytes, bool at_end, size_t at,
	   size_t *end)
{
	size_t head = head_end(text, bytes, at);
	struct run run;
	size_t stop;

	if (!at_end &&
	    bytes - at < NAME_MAX_BYTES + KEY_FIELDS_MAX + 2 * FIRST_MIN)
		return PATTERN_OPEN;
	if (head == 0)
		return PATTERN_NO;
	stop = min_size(bytes, head + KEY_FIELDS_MAX);
	for (size_t from = head; find_run(text, stop, from, &run);
	     from = run.end) {
		if (run.end - run.start < FIRST_MIN)
			continue;
		if (find_end_line(text, bytes, head, run.start) < run.start)
			return PATTERN_NO;
		*end = head;
		return PATTERN_YES;
	}
	return PATTERN_NO;
}

/* Whether the key ends right behind a short run: "-----END" is near. */
static bool
is_last(const uint8_t *text, size_t bytes, size_t at)
{
	size_t stop = min_size(bytes, at + KEY_GAP_MAX);

	for (; at < stop; at++)
		if (stands_at(text, bytes, at, end_line))
			return true;
	return false;
}

/* Whether a run is one of the key's. */
static bool
belongs(const uint8_t *text, size_t bytes, const struct run *run,
	const struct key_place *place)
{
	size_t nr = run->end - run->start;

	if (!place->has_body)
		return nr >= FIRST_MIN;
	/* what was said of the run when the text before it was given; or a long
	 * one that goes on */
	if (place->at == run->start)
		return true;
	if (place->is_wrapped)
		return nr >= WRAPPED_MIN;
	return nr >= RUN_MIN || is_last(text, bytes, run->end);
}

enum pattern_result
key_next_run(const uint8_t *text, size_t bytes, bool at_end,
	     struct key_place *place)
{
	size_t gap = place->has_body ? KEY_GAP_MAX : KEY_FIELDS_MAX;
	size_t stop = min_size(bytes, place->at + gap + RUN_MOST);
	size_t from = place->at;
	struct run run;

	if (!at_end && bytes - from < gap + RUN_MOST + 2 * KEY_GAP_MAX)
		return PATTERN_OPEN;
	place->start = place->at;
	while (find_run(text, stop, from, &run) &&
	       run.start - place->at <= gap) {
		size_t end = find_end_line(text, bytes, from, run.start);

		if (end < run.start) {
			place->start = end;
			return PATTERN_NO;
		}
		if (belongs(text, bytes, &run, place)) {
			place->start = run.start;
			place->end = run.end;
			return PATTERN_YES;
		}
		/* in the head are fields; the body has no other words */
		if (place->has_body)
			return PATTERN_NO;
		from = run.end;
	}
	return PATTERN_NO;
}
