/* SPDX-License-Identifier: MIT */
/*
 * cmd_dedup.c - a list of chunks as JSON, in and out.
 */
#include "cli/command_line.h"

#include <errno.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/array.h"
#include "base/clock.h"
#include "base/diag.h"
#include "base/fd_io.h"
#include "base/json_values.h"
#include "cli/dedup_list.h"
#include "supervisor/encoding.h"
#include "supervisor/sandbox.h"
#include "sources/source_parse.h"
#include "sources/source_read.h"
#include "base/stream.h"
#include "supervisor/supervisor.h"
#include "tokenizer/tokenizer.h"

#define TIMEOUT_NS 3600000000000ull
#define LINES_BYTES 40     /* two numbers have no more */
#define VALUES_MAX 4000000 /* more than 64 MiB of chunks have */

struct list {
	struct dedup_chunk *chunks;
	uint32_t nr;
	size_t room;
	const struct tokenizer *tokenizer; /* NULL: not opened yet */
};

/* at: of the chunks, from 1 */
static int
say_bad(const char *path, uint64_t at, const char *what)
{
	return exit_with(EXIT_USAGE, "BALE-BUD-004 %s: chunk %ju: %s",
			 QUOTED(path), at, what);
}

/* "lines": "1-50", or "start_line" and "end_line". */
static bool
take_lines(const json_t *item, struct dedup_chunk *chunk)
{
	const char *lines = json_string_value(json_object_get(item, "lines"));
	json_int_t first =
		json_integer_value(json_object_get(item, "start_line"));
	json_int_t last = json_integer_value(json_object_get(item, "end_line"));
	struct source_place place = { .path = NULL };
	bool is_good = lines != NULL ? strlen(lines) <= LINES_BYTES &&
					       source_parse_lines(lines, &place)
				     : first > 0 && last >= first &&
					       last <= UINT32_MAX;

	chunk->first = lines != NULL ? place.line_first : (uint64_t)first;
	chunk->last = lines != NULL ? place.line_last : (uint64_t)last;
	return is_good;
}

/* A dedup_count_fn. */
static uint64_t
count(const void *tokenizer, const char *text, size_t bytes)
{
	return tokenizer_count(tokenizer, NULL, (const uint8_t *)text, bytes);
}

/* Tokens of a text, by the tokenizer that the first of them opens. */
static int
count_text(struct list *list, const struct options *options, const char *text,
	   size_t bytes, uint64_t *tokens)
{
	uint32_t margin_percent = 0;
	int code = 0;

	if (list->tokenizer == NULL)
		code = encoding_open(&list->tokenizer, &margin_percent,
				     options);
	if (code == 0)
		*tokens = count(list->tokenizer, text, bytes);
	return code;
}

/* Room for one more, which owns nothing yet. */
static struct dedup_chunk *
add_chunk(struct list *list)
{
	if (ARRAY_RESERVE(list->chunks, list->room, list->nr + 1ul) != 0)
		return NULL;
	list->chunks[list->nr] = (struct dedup_chunk){ .path = NULL };
	return &list->chunks[list->nr++];
}

/* The texts of a chunk, in one piece of memory that begins with its path. */
static int
take_texts(struct dedup_chunk *chunk, const json_t *item)
{
	const json_t *path = json_object_get(item, "path");
	const json_t *source = json_object_get(item, "source");
	const json_t *content = json_object_get(item, "content");
	size_t path_bytes = json_string_length(path) + 1;
	size_t source_bytes = json_string_length(source) + 1;
	char *texts;

	chunk->content_bytes = json_string_length(content);
	texts = malloc(path_bytes + source_bytes + chunk->content_bytes + 1);
	if (texts == NULL)
		return -ENOMEM;
	chunk->path = memcpy(texts, json_string_value(path), path_bytes);
	texts += path_bytes;
	chunk->source = texts;
	*texts = '\0';
	if (json_is_string(source))
		memcpy(texts, json_string_value(source), source_bytes);
	texts += source_bytes;
	if (json_is_string(content))
		chunk->content = memcpy(texts, json_string_value(content),
					chunk->content_bytes + 1);
	return 0;
}

/* A text, or not there. */
static bool
is_text(const json_t *item, const char *key)
{
	const json_t *value = json_object_get(item, key);

	return value == NULL || json_is_null(value) || json_is_string(value);
}

static int
take_chunk(struct list *list, const json_t *item, const char *path,
	   const struct options *options)
{
	struct dedup_chunk *chunk = add_chunk(list);
	const json_t *rank = json_object_get(item, "rank");
	const json_t *tokens = json_object_get(item, "tokens");

	if (chunk == NULL)
		return exit_out_of_memory();
	if (!json_is_string(json_object_get(item, "path")))
		return say_bad(path, list->nr, "it needs a \"path\"");
	if (!take_lines(item, chunk))
		return say_bad(path, list->nr,
			       "\"lines\" is such as \"1-50\", or there are "
			       "\"start_line\" and \"end_line\"");
	if (!is_text(item, "content") || !is_text(item, "source"))
		return say_bad(path, list->nr,
			       "\"content\" and \"source\" are texts");
	if (rank != NULL && !json_is_number(rank))
		return say_bad(path, list->nr, "\"rank\" is a number");
	if (tokens != NULL &&
	    (!json_is_integer(tokens) || json_integer_value(tokens) < 0))
		return say_bad(path, list->nr,
			       "\"tokens\" is a whole number, not negative");
	chunk->rank = json_number_value(rank);
	if (take_texts(chunk, item) != 0)
		return exit_out_of_memory();
	chunk->tokens = DEDUP_TOKENS_NONE;
	if (tokens != NULL)
		chunk->tokens = (uint64_t)json_integer_value(tokens);
	else if (chunk->content != NULL)
		return count_text(list, options, chunk->content,
				  chunk->content_bytes, &chunk->tokens);
	return 0;
}

static int
say_no_list(const char *path, const char *why)
{
	return exit_with(
		EXIT_USAGE,
		"BALE-BUD-004 %s: want a JSON array of chunks, each with "
		"path, lines, rank%s%s",
		QUOTED(path), *why == '\0' ? "" : ": ", why);
}

/* The chunks of an array, one by one: all of it at once would take ten times
 * the memory. */
static int
take_array(struct list *list, const struct options *options,
	   const struct source_text *text)
{
	const char *path = options->operands.items[0];
	size_t at = strspn(text->bytes, " \t\r\n") + 1; /* behind the [ */
	bool is_first = true;
	int code = 0;

	while (code == 0) {
		json_error_t error;
		json_t *item;

		at += strspn(text->bytes + at, " \t\r\n");
		if (text->bytes[at] == ']') {
			at++;
			break;
		}
		if (!is_first && text->bytes[at++] != ',')
			return say_bad(path, list->nr,
				       "after it, a , or a ] is missing");
		is_first = false;
		item = json_loadb(text->bytes + at, text->nr - at,
				  JSON_DISABLE_EOF_CHECK |
					  JSON_REJECT_DUPLICATES,
				  &error);
		if (item == NULL)
			return say_bad(path, list->nr + 1ull, error.text);
		at += (size_t)error.position;
		code = take_chunk(list, item, path, options);
		json_decref(item);
	}
	at += strspn(text->bytes + at, " \t\r\n");
	if (code == 0 && at < text->nr)
		return say_no_list(path, "there is more behind its end");
	return code;
}

/* {"chunks": [...]} */
static int
take_object(struct list *list, const struct options *options,
	    const struct source_text *text)
{
	const char *path = options->operands.items[0];
	json_error_t error;
	json_t *root = json_loadb(text->bytes, text->nr, JSON_REJECT_DUPLICATES,
				  &error);
	const json_t *items = json_object_get(root, "chunks");
	int code = 0;

	if (!json_is_array(items))
		code = say_no_list(path, root == NULL ? error.text : "");
	for (size_t i = 0; code == 0 && i < json_array_size(items); i++)
		code = take_chunk(list, json_array_get(items, i), path,
				  options);
	json_decref(root);
	return code;
}

static int
read_list(struct list *list, const struct options *options)
{
	const char *path = options->operands.items[0];
	struct source_text text;
	int error = source_read(path, clock_now_ns() + TIMEOUT_NS,
				SOURCE_BYTES_MAX, &text);
	int code;

	if (error != 0)
		return exit_with(EXIT_USAGE, "%s: %s", QUOTED(path),
				 error == -EFBIG ? "larger than 64 MiB"
						 : diag_errno(error));
	text_drop_mark(text.bytes, &text.nr);
	if (!json_values_within(text.bytes, text.nr, VALUES_MAX)) {
		free(text.bytes);
		return say_no_list(path, "it has far too many values");
	}
	if (text.bytes[strspn(text.bytes, " \t\r\n")] == '[')
		code = take_array(list, options, &text);
	else
		code = take_object(list, options, &text);
	free(text.bytes);
	return code;
}

/* What is merged is counted as it is now, where its text is known. */
static int
count_joined(struct list *list, const struct options *options)
{
	int code = 0;

	for (uint32_t i = 0; i < list->nr && code == 0; i++) {
		struct dedup_chunk *it = &list->chunks[i];

		if (it->joined != NULL)
			code = count_text(list, options, it->joined,
					  it->joined_bytes, &it->merged_tokens);
	}
	return code;
}

/* All chunks, and what is theirs. */
static void
list_fini(struct list *list)
{
	for (uint32_t i = 0; i < list->nr; i++) {
		free(list->chunks[i].joined);
		free((void *)(uintptr_t)list->chunks[i].path);
	}
	free(list->chunks);
}

static int
print(const struct list *list, const struct options *options,
      const struct dedup_settings *settings)
{
	const struct dedup_result result = {
		.chunks = list->chunks,
		.nr = list->nr,
		.settings = *settings,
		.max_tokens = options->pack.chunk_max_tokens,
		.count = count,
		.tokenizer = list->tokenizer,
	};
	int error = options->json ? dedup_print_json(&result, STDOUT_FILENO)
				  : dedup_print_text(&result, stdout);

	if (error == -ENOMEM)
		return exit_out_of_memory();
	if (error == 0)
		error = stream_finish(stdout);
	return exit_cannot_write(NULL, error);
}

int
cmd_dedup(struct command_line *line)
{
	const struct options *options = &line->run;
	struct list list = { .chunks = NULL };
	const struct dedup_settings settings = {
		.normalize = options->pack.normalize,
		.threshold = (uint32_t)options->sources.overlap_threshold,
		.merge = !options->sources.no_merge,
	};
	int code = sandbox_enter_reading(options, &options->operands, NULL, 0);

	if (code == 0)
		code = read_list(&list, options);
	if (code == 0 && dedup_list_run(list.chunks, list.nr, &settings) != 0)
		code = exit_out_of_memory();
	if (code == 0)
		code = count_joined(&list, options);
	if (code == 0)
		code = print(&list, options, &settings);
	list_fini(&list);
	return code;
}
