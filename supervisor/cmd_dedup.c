/* SPDX-License-Identifier: MIT */
/*
 * cmd_dedup.c - a list of chunks as JSON, in and out.
 */
#include "supervisor/cmd_dedup.h"

#include <errno.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "shm/diag.h"
#include "supervisor/dedup_list.h"
#include "supervisor/encoding.h"
#include "supervisor/figures.h"
#include "supervisor/source_parse.h"
#include "supervisor/source_read.h"
#include "supervisor/supervisor.h"
#include "tokenizer/tokenizer.h"

#define TIMEOUT_NS 3600000000000ull
#define NAME_BYTES 512

struct list {
	json_t *root;
	struct dedup_chunk *chunks;
	uint32_t nr;
	const struct tokenizer *tokenizer; /* NULL: not opened yet */
};

static int
say_bad(const char *path, size_t at, const char *what)
{
	char name[NAME_BYTES];

	diag_log(DIAG_ERROR, "BALE-BUD-004 %s: chunk %zu: %s",
		 diag_quote_text(name, sizeof(name), path), at + 1, what);
	return EXIT_USAGE;
}

/* "lines": "1-50", or "start_line" and "end_line". */
static bool
take_lines(const json_t *item, struct dedup_chunk *chunk)
{
	const char *lines = json_string_value(json_object_get(item, "lines"));
	json_int_t first =
		json_integer_value(json_object_get(item, "start_line"));
	json_int_t last = json_integer_value(json_object_get(item, "end_line"));
	struct source_place place;
	char text[64];

	if (lines == NULL) {
		chunk->first = (uint64_t)first;
		chunk->last = (uint64_t)last;
		return first > 0 && last >= first && last <= UINT32_MAX;
	}
	snprintf(text, sizeof(text), "f:%s", lines);
	source_parse_reference(text, &place);
	chunk->first = place.line_first;
	chunk->last = place.line_last;
	return place.line_first > 0;
}

static int
take_tokens(struct list *list, const json_t *item,
	    const struct options *options, struct dedup_chunk *chunk)
{
	const json_t *tokens = json_object_get(item, "tokens");
	uint32_t margin_percent = 0;
	int code = 0;

	chunk->tokens = DEDUP_TOKENS_NONE;
	if (json_is_integer(tokens) && json_integer_value(tokens) >= 0) {
		chunk->tokens = (uint64_t)json_integer_value(tokens);
		return 0;
	}
	if (chunk->content == NULL)
		return 0;
	if (list->tokenizer == NULL)
		code = encoding_open(&list->tokenizer, &margin_percent,
				     options);
	if (code == 0)
		chunk->tokens = tokenizer_count(list->tokenizer, NULL,
						(const uint8_t *)chunk->content,
						chunk->content_bytes);
	return code;
}

static int
take_chunk(struct list *list, const json_t *item, const char *path,
	   const struct options *options)
{
	struct dedup_chunk *chunk = &list->chunks[list->nr];
	const json_t *content = json_object_get(item, "content");
	const json_t *rank = json_object_get(item, "rank");
	const json_t *tokens = json_object_get(item, "tokens");

	chunk->path = json_string_value(json_object_get(item, "path"));
	chunk->source = json_string_value(json_object_get(item, "source"));
	if (chunk->source == NULL)
		chunk->source = "";
	if (chunk->path == NULL)
		return say_bad(path, list->nr, "it needs a \"path\"");
	if (!take_lines(item, chunk))
		return say_bad(path, list->nr,
			       "\"lines\" is such as \"1-50\", or there are "
			       "\"start_line\" and \"end_line\"");
	if (rank != NULL && !json_is_number(rank))
		return say_bad(path, list->nr, "\"rank\" is a number");
	if (tokens != NULL &&
	    (!json_is_integer(tokens) || json_integer_value(tokens) < 0))
		return say_bad(path, list->nr,
			       "\"tokens\" is a whole number, not negative");
	chunk->rank = json_number_value(rank);
	chunk->content = json_string_value(content);
	chunk->content_bytes = json_string_length(content);
	return take_tokens(list, item, options, chunk);
}

static int
read_list(struct list *list, const struct options *options)
{
	const char *path = options->operands.items[0];
	struct source_text text;
	json_error_t at;
	const json_t *items;
	char name[NAME_BYTES];
	int code = 0;
	int error = source_read(path, supervisor_now_ns() + TIMEOUT_NS, &text);

	diag_quote_text(name, sizeof(name), path);
	if (error != 0) {
		diag_log(DIAG_ERROR, "%s: %s", name, strerror(-error));
		return EXIT_USAGE;
	}
	list->root = json_loadb(text.bytes, text.nr, 0, &at);
	free(text.bytes);
	items = json_is_object(list->root)
			? json_object_get(list->root, "chunks")
			: list->root;
	if (!json_is_array(items)) {
		diag_log(DIAG_ERROR,
			 "BALE-BUD-004 %s: want a JSON array of chunks, each "
			 "with path, lines, rank%s%s",
			 name, list->root == NULL ? ": " : "",
			 list->root == NULL ? at.text : "");
		return EXIT_USAGE;
	}
	list->chunks =
		calloc(json_array_size(items) + 1, sizeof(*list->chunks));
	if (list->chunks == NULL)
		return EXIT_RESOURCES;
	for (size_t i = 0; i < json_array_size(items) && code == 0; i++) {
		code = take_chunk(list, json_array_get(items, i), path,
				  options);
		list->nr++;
	}
	return code;
}

/* ---- what came of it --------------------------------------------------- */

static void
print_chunk(const char *what, const struct dedup_chunk *chunk)
{
	char name[NAME_BYTES];
	char figure[FIGURE_BYTES];

	diag_quote_text(name, sizeof(name), chunk->path);
	printf("     - %s%s:%llu-%llu (", what, name,
	       (unsigned long long)chunk->first,
	       (unsigned long long)chunk->last);
	if (chunk->tokens != DEDUP_TOKENS_NONE)
		printf("%s tokens, ", figure_count(figure, chunk->tokens));
	diag_quote_text(name, sizeof(name), chunk->source);
	printf("rank %g%s%s)\n", chunk->rank, *chunk->source ? ", " : "",
	       *chunk->source ? name : "");
}

/* Tokens that are there once now; what is not known saves none. */
static uint64_t
exact_tokens(const struct list *list)
{
	uint64_t sum = 0;

	for (uint32_t i = 0; i < list->nr; i++)
		if (list->chunks[i].fate == DEDUP_EXACT &&
		    list->chunks[i].tokens != DEDUP_TOKENS_NONE)
			sum = add_sat_u64(sum, list->chunks[i].tokens);
	return sum;
}

static uint64_t
overlap_tokens(const struct list *list)
{
	uint64_t before = 0;
	uint64_t after = 0;

	for (uint32_t i = 0; i < list->nr; i++) {
		const struct dedup_chunk *it = &list->chunks[i];
		const struct dedup_chunk *whole =
			&list->chunks[it->fate == DEDUP_MERGED ? it->other : i];

		if (it->fate == DEDUP_EXACT ||
		    it->tokens == DEDUP_TOKENS_NONE ||
		    whole->merged_tokens == DEDUP_TOKENS_NONE)
			continue;
		before = add_sat_u64(before, it->tokens);
		if (it->fate == DEDUP_KEPT)
			after = add_sat_u64(after, it->merged_tokens);
	}
	return before - min_u64(before, after);
}

static uint32_t
count_fate(const struct list *list, enum dedup_fate fate)
{
	uint32_t nr = 0;

	for (uint32_t i = 0; i < list->nr; i++)
		nr += list->chunks[i].fate == fate;
	return nr;
}

static void
print_fates(const struct list *list, enum dedup_fate fate, bool merge)
{
	for (uint32_t i = 0, nr = 0; i < list->nr; i++) {
		const struct dedup_chunk *it = &list->chunks[i];
		const struct dedup_chunk *other = &list->chunks[it->other];

		if (it->fate != fate)
			continue;
		printf("  %u.\n", ++nr);
		print_chunk("Kept: ", other);
		print_chunk(fate == DEDUP_EXACT ? "Removed: "
			    : merge             ? "Merged: "
						: "Left out: ",
			    it);
		if (fate == DEDUP_MERGED && merge)
			printf("     - Now: lines %llu-%llu\n",
			       (unsigned long long)other->merged_first,
			       (unsigned long long)other->merged_last);
	}
}

static void
print_text(const struct list *list, const struct options *options)
{
	uint32_t exact = count_fate(list, DEDUP_EXACT);
	uint32_t merged = count_fate(list, DEDUP_MERGED);
	char figure[FIGURE_BYTES];

	printf("Exact Duplicates Removed (%u):\n", exact);
	print_fates(list, DEDUP_EXACT, true);
	printf("Overlapping Chunks Merged (%u), threshold %g:\n", merged,
	       (double)options->overlap_threshold / 1e6);
	print_fates(list, DEDUP_MERGED, !options->no_merge);
	printf("Chunks left: %u of %u\n", list->nr - exact - merged, list->nr);
	printf("Saved: %s tokens of exact duplicates",
	       figure_count(figure, exact_tokens(list)));
	printf(", about %s of overlaps\n",
	       figure_count(figure, overlap_tokens(list)));
}

static json_t *
json_of(const struct dedup_chunk *chunk)
{
	json_t *item =
		json_pack("{s:s, s:I, s:I, s:f, s:s}", "path", chunk->path,
			  "start_line", (json_int_t)chunk->merged_first,
			  "end_line", (json_int_t)chunk->merged_last, "rank",
			  chunk->rank, "source", chunk->source);

	if (chunk->merged_tokens != DEDUP_TOKENS_NONE)
		json_object_set_new(
			item, "tokens",
			json_integer((json_int_t)chunk->merged_tokens));
	json_object_set_new(item, "merged", json_integer(chunk->merged_nr));
	return item;
}

static int
print_json(const struct list *list)
{
	json_t *chunks = json_array();
	json_t *root;
	int result;

	for (uint32_t i = 0; i < list->nr; i++)
		if (list->chunks[i].fate == DEDUP_KEPT)
			json_array_append_new(chunks,
					      json_of(&list->chunks[i]));
	root = json_pack("{s:o, s:{s:i, s:I, s:i, s:I}}", "chunks", chunks,
			 "dedup", "exact_removed",
			 (int)count_fate(list, DEDUP_EXACT), "exact_tokens",
			 (json_int_t)exact_tokens(list), "overlaps_merged",
			 (int)count_fate(list, DEDUP_MERGED), "overlap_tokens",
			 (json_int_t)overlap_tokens(list));
	result = root == NULL ? -1 : json_dumpf(root, stdout, JSON_INDENT(2));
	json_decref(root);
	if (result == 0)
		putchar('\n');
	return result;
}

int
cmd_dedup(const struct options *options)
{
	struct list list = { .root = NULL };
	const struct dedup_settings settings = {
		.normalize = options->pack.normalize,
		.threshold = (uint32_t)options->overlap_threshold,
		.merge = !options->no_merge,
	};
	int code = read_list(&list, options);

	if (code == 0 && dedup_list_run(list.chunks, list.nr, &settings) != 0) {
		diag_log(DIAG_ERROR, "out of memory");
		code = EXIT_RESOURCES;
	}
	if (code == 0 && options->json && print_json(&list) != 0)
		code = EXIT_OUTPUT;
	else if (code == 0 && !options->json)
		print_text(&list, options);
	if (code == 0 && fflush(stdout) != 0)
		code = EXIT_OUTPUT;
	free(list.chunks);
	json_decref(list.root);
	return code;
}
