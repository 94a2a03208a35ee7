/* SPDX-License-Identifier: MIT */
/*
 * json_values.h - how many values JSON has, before it is parsed.
 *
 * Does: counts by brackets and commas outside of strings; a parsed value takes
 *       up to a hundred times the bytes that stand for it, so who parses what
 *       others wrote asks this first.
 * Does not: parse: what is no JSON has some number as well.
 */
#ifndef BASE_JSON_VALUES_H
#define BASE_JSON_VALUES_H

#include "base/base.h"

/* A text that is counted in pieces; zeroed at its start. */
struct json_values {
	uint64_t nr;
	uint64_t bytes; /* that they stand in */
	bool in_string;
	bool escaped; /* the next byte, by a backslash */
};

/* Counts the next piece of the text. */
void
json_values_add(struct json_values *values, const char *bytes, size_t nr);

/* Whether a whole text has at most `max` values. */
bool
json_values_within(const char *bytes, size_t nr, uint64_t max);

#endif
