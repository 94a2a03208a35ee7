/* SPDX-License-Identifier: MIT */
/*
 * options_shares.c - shares of the budget and priorities, by the names of
 * categories.
 */
#include <stdio.h>
#include <string.h>

#include "supervisor/options.h"

/* "tool_results=40": the name's category; CATEGORY_NR: there is none. */
static uint8_t
category_of(const char *name, size_t bytes)
{
	uint8_t i = 0;

	while (i < CATEGORY_NR && (strlen(category_name(i)) != bytes ||
				   memcmp(category_name(i), name, bytes) != 0))
		i++;
	return i;
}

/* Digits that are all there is up to the end. */
static bool
read_percent(const char *text, const char *end, uint32_t *out)
{
	uint32_t n = 0;

	if (text == end)
		return false;
	for (; text < end; text++) {
		if (*text < '0' || *text > '9' || n > 100)
			return false;
		n = n * 10 + (uint32_t)(*text - '0');
	}
	*out = n;
	return n <= 100;
}

/* seen: the categories that were there before, a bit each */
static bool
read_share(const char *text, const char *end, uint32_t percents[CATEGORY_NR],
	   uint32_t *seen, char *problem, size_t size)
{
	const char *equals = memchr(text, '=', (size_t)(end - text));
	uint8_t category;

	if (equals == NULL) {
		snprintf(problem, size, "want NAME=N, such as tool_results=40");
		return false;
	}
	category = category_of(text, (size_t)(equals - text));
	if (category == CATEGORY_NR) {
		snprintf(problem, size,
			 "the categories are tool_results, open_files, "
			 "search_results, references, tree");
		return false;
	}
	if (*seen >> category & 1) {
		snprintf(problem, size, "%s is there twice",
			 category_name(category));
		return false;
	}
	*seen |= 1u << category;
	if (!read_percent(equals + 1, end, &percents[category])) {
		snprintf(problem, size, "%s is a whole number from 0 to 100",
			 category_name(category));
		return false;
	}
	return true;
}

/* "NAME=N,NAME=N" */
static bool
read_all(const char *text, uint32_t numbers[CATEGORY_NR], char *problem,
	 size_t problem_size)
{
	uint32_t seen = 0;

	for (const char *at = text;;) {
		const char *end = strchrnul(at, ',');

		if (!read_share(at, end, numbers, &seen, problem, problem_size))
			return false;
		if (*end == '\0')
			return true;
		at = end + 1;
	}
}

bool
options_read_priorities(const char *text, uint32_t priorities[CATEGORY_NR],
			char *problem, size_t problem_size)
{
	return text == NULL ||
	       read_all(text, priorities, problem, problem_size);
}

bool
options_read_shares(const char *text, uint32_t shares[CATEGORY_NR],
		    char *problem, size_t problem_size)
{
	uint32_t percents[CATEGORY_NR] = { 0 };
	uint32_t sum = 0;
	bool is_none = text != NULL && strcmp(text, "none") == 0;

	for (uint8_t i = 0; i < CATEGORY_NR && text == NULL; i++)
		percents[i] = category_percent(i);
	if (text != NULL && !is_none &&
	    !read_all(text, percents, problem, problem_size))
		return false;
	for (uint8_t i = 0; i < CATEGORY_NR; i++) {
		shares[i] = percents[i] * (SHARE_ALL / 100);
		sum += percents[i];
	}
	if (is_none)
		return true;
	if (sum == 100)
		return true;
	snprintf(problem, problem_size,
		 "the percentages add to %u; they have to add to 100", sum);
	return false;
}
