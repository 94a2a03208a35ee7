/* SPDX-License-Identifier: MIT */
/*
 * options_texts.c - values with a form of their own: shares of the budget and
 *                   priorities by the names of categories, and how files are
 *                   split: "structure", "lines:N", "tokens:N".
 */
#include <stdio.h>
#include <string.h>

#include "cli/command_line.h"
#include "cli/cli_text.h"
#include "stages/job.h"

#define PROBLEM_BYTES 256

/* "tool_results": its category; CATEGORY_NR: there is none, and `problem` says
 * which there are. */
static uint8_t
category_of(const char *name, size_t bytes, char problem[static PROBLEM_BYTES])
{
	struct nearest nearest = { .word = name, .bytes = bytes };

	for (uint8_t i = 0; i < CATEGORY_NR; i++) {
		const char *known = category_name(i);

		if (strlen(known) == bytes && memcmp(known, name, bytes) == 0)
			return i;
		nearest_try(&nearest, known, 0);
	}
	snprintf(problem, PROBLEM_BYTES,
		 "the categories are tool_results, open_files, "
		 "search_results, references, tree%s",
		 HINT(&nearest, ""));
	return CATEGORY_NR;
}

/* seen: the categories that were there before, a bit each */
static bool
read_share(const char *text, const char *end, uint32_t percents[CATEGORY_NR],
	   uint32_t *seen, char problem[static PROBLEM_BYTES])
{
	const char *equals = memchr(text, '=', (size_t)(end - text));
	uint64_t percent;
	uint8_t category;

	if (equals == NULL) {
		snprintf(problem, PROBLEM_BYTES,
			 "expected NAME=N, such as tool_results=40");
		return false;
	}
	category = category_of(text, (size_t)(equals - text), problem);
	if (category == CATEGORY_NR)
		return false;
	if (*seen >> category & 1) {
		snprintf(problem, PROBLEM_BYTES, "%s is given twice",
			 category_name(category));
		return false;
	}
	*seen |= 1u << category;
	if (!option_read_number(equals + 1, (size_t)(end - equals - 1), 0, 100,
				&percent)) {
		snprintf(problem, PROBLEM_BYTES,
			 "%s: expected a whole number from 0 to 100",
			 category_name(category));
		return false;
	}
	percents[category] = (uint32_t)percent;
	return true;
}

/* "NAME=N,NAME=N" */
static bool
read_all(const char *text, uint32_t numbers[CATEGORY_NR],
	 char problem[static PROBLEM_BYTES])
{
	uint32_t seen = 0;

	for (const char *at = text;;) {
		const char *end = strchrnul(at, ',');

		if (!read_share(at, end, numbers, &seen, problem))
			return false;
		if (*end == '\0')
			return true;
		at = end + 1;
	}
}

/* "none" is no share for anything; NULL: the defaults */
static bool
read_shares(const char *text, uint32_t shares[CATEGORY_NR],
	    char problem[static PROBLEM_BYTES])
{
	uint32_t percents[CATEGORY_NR] = { 0 };
	uint32_t sum = 0;
	bool is_none = text != NULL && strcmp(text, "none") == 0;

	for (uint8_t i = 0; i < CATEGORY_NR && text == NULL; i++)
		percents[i] = category_percent(i);
	if (text != NULL && !is_none && !read_all(text, percents, problem))
		return false;
	for (uint8_t i = 0; i < CATEGORY_NR; i++) {
		shares[i] = percents[i] * (SHARE_ALL / 100);
		sum += percents[i];
	}
	if (is_none || sum == 100)
		return true;
	snprintf(problem, PROBLEM_BYTES,
		 "the percentages add up to %u; they must add up to 100", sum);
	return false;
}

#define CHUNK_LINES_MOST 1000000

static bool
starts_with(const char *text, const char *word)
{
	return strncmp(text, word, strlen(word)) == 0;
}

static bool
read_mode(struct command_line *line, char problem[static PROBLEM_BYTES])
{
	const struct option_spec *max = &option_table[OPTION_MAX_CHUNK_TOKENS];
	struct job *pack = &line->run.pack;
	const char *text = line->run.lang_text;
	struct nearest nearest = { .word = text };
	uint64_t n = 0;

	pack->chunk_lines = line->no_structure ? UINT32_MAX : 0;
	if (text == NULL || !option_given(line, OPTION_CHUNK))
		return true;
	pack->chunk_lines = 0;
	if (strcmp(text, "structure") == 0)
		return true;
	if (starts_with(text, "lines:") &&
	    option_read_number(text + 6, strlen(text) - 6, 1, CHUNK_LINES_MOST,
			       &n)) {
		pack->chunk_lines = (uint32_t)n;
		return true;
	}
	if (starts_with(text, "tokens:") &&
	    option_read_number(text + 7, strlen(text) - 7, max->min, max->max,
			       &n)) {
		pack->chunk_lines = UINT32_MAX;
		if (!option_given(line, OPTION_MAX_CHUNK_TOKENS) ||
		    n < pack->chunk_max_tokens)
			pack->chunk_max_tokens = n;
		return true;
	}
	nearest.bytes = strcspn(text, ":");
	nearest_try(&nearest, "structure", 0);
	nearest_try(&nearest, "lines", 0);
	nearest_try(&nearest, "tokens", 0);
	snprintf(problem, PROBLEM_BYTES,
		 "--chunk: invalid value %s: expected structure, lines:N with "
		 "N from 1 to %d, or tokens:N with N from %ju to %ju%s",
		 WORD_QUOTED(text), CHUNK_LINES_MOST, max->min, max->max,
		 HINT(&nearest, ""));
	return false;
}

static bool
read_chunk(struct command_line *line, char problem[static PROBLEM_BYTES])
{
	struct job *pack = &line->run.pack;

	if (!read_mode(line, problem))
		return false;
	if (pack->chunk_lines != 0 ||
	    pack->chunk_min_tokens <= pack->chunk_max_tokens)
		return true;
	/* the one that was not asked for gives way */
	if (!option_given(line, OPTION_MIN_CHUNK_TOKENS)) {
		pack->chunk_min_tokens = pack->chunk_max_tokens;
		return true;
	}
	snprintf(problem, PROBLEM_BYTES,
		 "no chunk can have at least %ju tokens and at most %ju; "
		 "lower --min-chunk-tokens or raise --max-chunk-tokens",
		 pack->chunk_min_tokens, pack->chunk_max_tokens);
	return false;
}

int
options_read_texts(struct command_line *line)
{
	struct options *run = &line->run;
	char problem[PROBLEM_BYTES];

	if (!(line->has_shares && run->categories == NULL) &&
	    !read_shares(run->categories, run->pack.shares, problem))
		return complain(line, "BALE-BUD-005 --categories %s: %s",
				WORD_QUOTED(run->categories), problem);
	for (int i = 0; i < CATEGORY_NR; i++)
		run->priorities[i] = (uint32_t)line->priorities[i];
	if (run->priorities_text != NULL &&
	    !read_all(run->priorities_text, run->priorities, problem))
		return complain(line, "BALE-CLI-002 --source-priority %s: %s",
				WORD_QUOTED(run->priorities_text), problem);
	if (!read_chunk(line, problem))
		return complain(line, "BALE-BUD-005 %s", problem);
	return 0;
}
