/* SPDX-License-Identifier: MIT */
/*
 * options_chunk.c - how files are to be cut: "structure", "lines:N",
 *                   "tokens:N", and how large the pieces may be.
 */
#include <stdio.h>
#include <string.h>

#include "supervisor/options.h"
#include "supervisor/words.h"

#define CHUNK_LINES_MOST 1000000

static bool
starts_with(const char *text, const char *word)
{
	return strncmp(text, word, strlen(word)) == 0;
}

/* Digits alone, within a range. */
static bool
read_number(const char *text, uint64_t min, uint64_t max, uint64_t *out)
{
	uint64_t n = 0;

	if (*text == '\0')
		return false;
	for (; *text != '\0'; text++) {
		if (*text < '0' || *text > '9' || n > max)
			return false;
		n = n * 10 + (uint64_t)(*text - '0');
	}
	*out = n;
	return n >= min && n <= max;
}

static bool
read_mode(struct options *options, char *problem, size_t size)
{
	const struct option_spec *max = &option_table[OPTION_MAX_CHUNK_TOKENS];
	struct pack_options *pack = &options->pack;
	const char *text = options->chunk_text;
	char quoted[WORD_QUOTE_BYTES];
	uint64_t n = 0;

	pack->chunk_lines = options->no_structure ? UINT32_MAX : 0;
	if (text == NULL || !options->given[OPTION_CHUNK])
		return true;
	pack->chunk_lines = 0;
	if (strcmp(text, "structure") == 0)
		return true;
	if (starts_with(text, "lines:") &&
	    read_number(text + 6, 1, CHUNK_LINES_MOST, &n)) {
		pack->chunk_lines = (uint32_t)n;
		return true;
	}
	if (starts_with(text, "tokens:") &&
	    read_number(text + 7, max->min, max->max, &n)) {
		pack->chunk_lines = UINT32_MAX;
		if (!options->given[OPTION_MAX_CHUNK_TOKENS] ||
		    n < pack->chunk_max_tokens)
			pack->chunk_max_tokens = n;
		return true;
	}
	snprintf(
		problem, size,
		"--chunk %s: want structure, lines:N with N from 1 to %d, or tokens:N "
		"with N from %llu to %llu",
		word_quote(quoted, text), CHUNK_LINES_MOST,
		(unsigned long long)max->min, (unsigned long long)max->max);
	return false;
}

bool
options_read_chunk(struct options *options, char *problem, size_t problem_size)
{
	struct pack_options *pack = &options->pack;

	if (!read_mode(options, problem, problem_size))
		return false;
	if (pack->chunk_lines != 0 ||
	    pack->chunk_min_tokens <= pack->chunk_max_tokens)
		return true;
	/* the one that was not asked for gives way */
	if (!options->given[OPTION_MIN_CHUNK_TOKENS]) {
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
