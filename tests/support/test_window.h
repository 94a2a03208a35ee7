/* SPDX-License-Identifier: MIT */
/*
 * test_window.h - what the tests of window/ share.
 *
 * Texts of a known number of tokens: in o200k_base and cl100k_base " a" is one
 * token, and so is "a", so `nr` of them are nr tokens.
 */
#ifndef TESTS_SUPPORT_TEST_WINDOW_H
#define TESTS_SUPPORT_TEST_WINDOW_H

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "window/window.h"

#define SCRATCH_BYTES 256

/* A name for mkstemp(3) and mkdtemp(3) in this test's own folder. */
static inline char *
scratch_name(char out[static SCRATCH_BYTES], const char *name)
{
	const char *dir = getenv("TMPDIR");

	snprintf(out, SCRATCH_BYTES, "%s/%s.XXXXXX", dir != NULL ? dir : "/tmp",
		 name);
	return out;
}

/* A text of so many tokens: free(). */
static inline char *
text_of_tokens(size_t tokens)
{
	char *text = malloc(2 * tokens + 1);

	assert_non_null(text);
	for (size_t i = 0; i < tokens; i++)
		memcpy(text + 2 * i, " a", 2);
	text[2 * tokens] = '\0';
	return text;
}

static inline struct window *
new_window(const struct window_options *options)
{
	struct window_error error = { .text = "" };
	struct window *window = NULL;

	if (window_create(&window, options, &error) != 0)
		fail_msg("window_create: %s", error.text);
	return window;
}

static inline struct window *
window_of(uint64_t max_tokens)
{
	struct window_options options = window_defaults();

	options.max_tokens = max_tokens;
	return new_window(&options);
}

static inline struct window_item
item_of(enum window_type type, const char *id, const char *content)
{
	return (struct window_item){
		.id = id,
		.content = content,
		.content_bytes = strlen(content),
		.type = type,
		.priority = WINDOW_PRIORITY_DEFAULT,
	};
}

/* Adds what can be added, in order: how many were. */
static inline size_t
add_all(struct window *window, const struct window_item *items, size_t nr)
{
	size_t added = 0;

	for (size_t i = 0; i < nr; i++)
		added += window_add(window, &items[i], NULL, NULL) == 0;
	return added;
}

/* Adds an item of so many tokens; what window_add() returned. */
static inline int
add_tokens(struct window *window, enum window_type type, const char *id,
	   uint32_t priority, size_t tokens)
{
	struct window_error error;
	char *text = text_of_tokens(tokens);
	struct window_item item = item_of(type, id, text);
	int result;

	item.priority = priority;
	result = window_add(window, &item, NULL, &error);
	free(text);
	return result;
}

static inline uint64_t
tokens_in(struct window *window)
{
	struct window_stats stats;

	window_stats(window, &stats);
	return stats.tokens;
}

/* The ids of all items, in order, with a blank between: static. */
static inline const char *
ids_of(struct window *window)
{
	static char ids[4096];
	struct window_list list;
	size_t at = 0;

	assert_int_equal(window_list(window, NULL, &list), 0);
	ids[0] = '\0';
	for (size_t i = 0; i < list.nr && at < sizeof(ids); i++)
		at += (size_t)snprintf(ids + at, sizeof(ids) - at, "%s%s",
				       i > 0 ? " " : "", list.items[i].id);
	window_list_free(&list);
	return ids;
}

static inline void
assert_begins(const char *text, const char *begin)
{
	if (strncmp(text, begin, strlen(begin)) != 0)
		fail_msg("got: %s; want it to begin: %s", text, begin);
}

static inline void
assert_contains(const char *text, const char *part)
{
	if (strstr(text, part) == NULL)
		fail_msg("got: %s; want in it: %s", text, part);
}

#endif
