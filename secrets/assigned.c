/* SPDX-License-Identifier: MIT */
/*
 * assigned.c - see assigned.h.
 */
#include "secrets/assigned.h"

#include <string.h>

#include "base/ascii.h"

#define REST_MAX 20   /* of the name, behind what is known of it */
#define CLOSE_MAX 3   /* quotes and blanks between it and the operator */
#define BEFORE_MAX 5  /* the same between that and the value */
#define ESCAPES_MAX 3 /* before a quote, as in JSON in a string */

static bool
is_blank(uint8_t c)
{
	return c == ' ' || (c >= '\t' && c <= '\r');
}

static bool
is_quote(uint8_t c)
{
	return c == '"' || c == '\'' || c == '`';
}

static bool
is_of_name(uint8_t c)
{
	return ascii_is_letter(c) || ascii_is_digit(c) || c == '_' ||
	       c == '.' || c == '-' || c == ' ' || c == '\t';
}

/* A text that is read forward. */
struct reading {
	const uint8_t *text;
	size_t bytes;
	size_t at;
};

static uint8_t
look(const struct reading *reading)
{
	return reading->at < reading->bytes ? reading->text[reading->at] : 0;
}

/* The quote that stands here, behind what escapes it; 0: none. */
static uint8_t
look_for_quote(const struct reading *reading, size_t *bytes)
{
	struct reading behind = *reading;
	uint8_t c;

	while (look(&behind) == '\\' && behind.at < reading->at + ESCAPES_MAX)
		behind.at++;
	c = look(&behind);
	*bytes = behind.at + 1 - reading->at;
	return is_quote(c) ? c : 0;
}

/* The operator: = > , || ?= => :=, with one to three colons, or a colon. */
static bool
read_operator(struct reading *reading, struct assigned *found)
{
	size_t colons = 0;

	found->by = look(reading);
	switch (found->by) {
	case '=':
		reading->at++;
		if (look(reading) == '>')
			reading->at++;
		return true;
	case '>':
	case ',':
		reading->at++;
		return true;
	case '|':
	case '?':
		reading->at++;
		if (look(reading) != (found->by == '|' ? '|' : '='))
			return false;
		reading->at++;
		return true;
	case ':':
		while (colons < 3 && look(reading) == ':') {
			reading->at++;
			colons++;
		}
		if (look(reading) == '=')
			reading->at++;
		else if (colons > 1)
			return false;
		return true;
	default:
		return false;
	}
}

/* What stands between the operator and the value. */
static void
read_before(struct reading *reading, struct assigned *found)
{
	for (unsigned i = 0; i < BEFORE_MAX; i++) {
		uint8_t c = look(reading);
		size_t bytes;
		uint8_t quote = look_for_quote(reading, &bytes);

		if (c == '\n')
			found->is_far = true;
		if (quote != 0)
			found->quote = quote;
		else if (is_blank(c) || c == '=')
			bytes = 1;
		else
			return;
		reading->at += bytes;
	}
}

/* What ends a name: quotes, but no backticks, and blanks. */
static void
read_close(struct reading *reading)
{
	for (unsigned i = 0; i < CLOSE_MAX; i++) {
		size_t bytes;
		uint8_t quote = look_for_quote(reading, &bytes);

		if (is_blank(look(reading)))
			bytes = 1;
		else if (quote == 0 || quote == '`')
			return;
		reading->at += bytes;
	}
}

enum pattern_result
assigned_find(const uint8_t *text, size_t bytes, bool at_end, size_t at,
	      struct assigned *found)
{
	struct reading reading = { text, bytes, at };
	bool fits;

	*found = (struct assigned){ 0 };
	while (reading.at < at + REST_MAX && is_of_name(look(&reading)))
		reading.at++;
	found->name_end = reading.at;
	read_close(&reading);
	fits = read_operator(&reading, found);
	if (fits)
		read_before(&reading, found);
	if (!at_end && reading.at + ESCAPES_MAX + 1 >= bytes)
		return PATTERN_OPEN;
	found->value = reading.at;
	return fits && reading.at < bytes ? PATTERN_YES : PATTERN_NO;
}

bool
assigned_ends(const struct assigned *found, uint8_t next)
{
	if (found->quote != 0)
		return next == found->quote || next == '\\';
	return is_blank(next) || strchr(";,<)&}]\\#", next) != NULL ||
	       is_quote(next);
}
