/* SPDX-License-Identifier: MIT */
/*
 * options_chunk.c - how files are split: "structure", "lines:N",
 *                   "tokens:N", and how large the pieces may be.
 */
#include <stdio.h>
#include <string.h>

#include "cli/command_line.h"
#include "cli/cli_text.h"

#define CHUNK_LINES_MOST 1000000

static bool
starts_with(const char *text, const char *word)
{
	return strncmp(text, word, strlen(word)) == 0;
}

static bool
read_mode(struct command_line *line, char *problem, size_t size)
{
	const struct option_spec *max = &option_table[OPTION_MAX_CHUNK_TOKENS];
	struct pack_options *pack = &line->run.pack;
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
	snprintf(problem, size,
		 "--chunk: invalid value %s: expected structure, lines:N with "
		 "N from 1 to %d, or tokens:N with N from %llu to %llu%s",
		 WORD_QUOTED(text), CHUNK_LINES_MOST,
		 (unsigned long long)max->min, (unsigned long long)max->max,
		 HINT(&nearest, ""));
	return false;
}

bool
options_read_chunk(struct command_line *line, char *problem,
		   size_t problem_size)
{
	struct pack_options *pack = &line->run.pack;

	if (!read_mode(line, problem, problem_size))
		return false;
	if (pack->chunk_lines != 0 ||
	    pack->chunk_min_tokens <= pack->chunk_max_tokens)
		return true;
	/* the one that was not asked for gives way */
	if (!option_given(line, OPTION_MIN_CHUNK_TOKENS)) {
		pack->chunk_min_tokens = pack->chunk_max_tokens;
		return true;
	}
	snprintf(problem, problem_size,
		 "no chunk can have at least %llu tokens and at most %llu; "
		 "lower --min-chunk-tokens or raise --max-chunk-tokens",
		 (unsigned long long)pack->chunk_min_tokens,
		 (unsigned long long)pack->chunk_max_tokens);
	return false;
}
