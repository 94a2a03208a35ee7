/* SPDX-License-Identifier: MIT */
/*
 * test_compact.h - a compaction of a text, for the tests of it.
 */
#ifndef TESTS_SUPPORT_TEST_COMPACT_H
#define TESTS_SUPPORT_TEST_COMPACT_H

#include "tests/support/test_chat.h"
#include "tests/support/test_window.h"

#include <jansson.h>

#include "window/window_impl.h"

/* Warnings of a run, one after the other. */
struct warnings {
	char text[2048];
	size_t at;
	size_t nr;
};

static inline void
keep_warning(void *arg, const char *text)
{
	struct warnings *warnings = arg;

	warnings->at += (size_t)snprintf(warnings->text + warnings->at,
					 sizeof(warnings->text) - warnings->at,
					 "%s\n", text);
	warnings->nr++;
	if (warnings->at >= sizeof(warnings->text))
		warnings->at = 0;
}

static inline struct chat_options
options_of(uint64_t limit, struct warnings *warnings)
{
	struct chat_options options = chat_defaults();

	*warnings = (struct warnings){ .at = 0 };
	options.model = "gpt-4o";
	options.limit_tokens = limit;
	options.reserve_tokens = limit / 10;
	options.reserve_given = true;
	options.time_limit_ms = 600000; /* hooks end before that */
	options.warn = keep_warning;
	options.arg = warnings;
	return options;
}

/* A run of bale compact on a text: the new text, free(). */
static inline char *
compact(const char *json, const struct chat_options *options,
	struct chat_report *report)
{
	struct window_error error = { .text = "" };
	struct chat *chat;
	char *out = NULL;
	size_t bytes;

	if (chat_open(&chat, json, strlen(json), options, &error) != 0)
		fail_msg("chat_open: %s", error.text);
	if (chat_compact(chat, &out, &bytes, report, &error) != 0)
		fail_msg("chat_compact: %s", error.text);
	assert_int_equal(bytes, strlen(out));
	chat_compacted(chat, report);
	chat_close(chat);
	return out;
}

/* So many exchanges of a question, a call, its result and an answer. */
static inline char *
exchanges(size_t nr, size_t result_bytes)
{
	char *text;
	size_t bytes;
	FILE *out = open_memstream(&text, &bytes);
	char *filler = malloc(result_bytes + 1);

	assert_non_null(filler);
	for (size_t i = 0; i < result_bytes; i++)
		filler[i] = "lorem ipsum "[i % 12];
	filler[result_bytes] = '\0';
	fputs("[\n {\"role\": \"system\", \"content\": \"Be brief.\"}", out);
	for (size_t i = 0; i < nr; i++)
		fprintf(out,
			",\n {\"role\":\"user\",\"content\":\"Question "
			"%zu?\"},\n {\"role\":\"assistant\",\"content\":"
			"null,\"tool_calls\":[{\"id\":\"c%zu\",\"type\":"
			"\"function\",\"function\":{\"name\":\"look\","
			"\"arguments\":\"{\\\"n\\\": %zu}\"}}]},\n "
			"{\"role\":\"tool\",\"tool_call_id\":\"c%zu\","
			"\"content\":\"%s\"},\n {\"role\":\"assistant\","
			"\"content\":\"Answer %zu.\"}",
			i, i, i, i, filler, i);
	fputs("\n]", out);
	free(filler);
	return text_end(out, &text);
}

static inline json_t *
load(const char *text)
{
	json_t *json = json_loads(text, 0, NULL);

	assert_non_null(json);
	return json;
}

#endif
