/* SPDX-License-Identifier: MIT */
/*
 * conversation_input.c - what others of bale's commands write, as messages.
 */
#include "cli/conversation.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "base/json_values.h"
#include "window/chat.h"

/* What a text is, by the keys of its object. */
enum input_kind {
	INPUT_MESSAGES = 0, /* or something that is refused as such */
	INPUT_WINDOW,
	INPUT_BLOCK /* of rounds compress --json */
};

static enum input_kind
kind_of(const char *text, size_t bytes)
{
	enum input_kind kind = INPUT_MESSAGES;
	json_t *root;

	/* what is too long is refused later, and may not be there at all */
	if (bytes > CHAT_BYTES_MAX ||
	    !json_values_within(text, bytes, CHAT_VALUES_MAX))
		return INPUT_MESSAGES;
	root = json_loadb(text, bytes, JSON_ALLOW_NUL, NULL);
	if (json_object_get(root, "messages") == NULL &&
	    json_object_get(root, "input") == NULL) {
		if (json_is_array(json_object_get(root, "items")))
			kind = INPUT_WINDOW;
		else if (json_is_string(json_object_get(root, "text")) &&
			 json_is_object(json_object_get(root, "kept")))
			kind = INPUT_BLOCK;
	}
	json_decref(root);
	return kind;
}

static int
open_window(struct window **window, enum input_kind kind, const char *text,
	    size_t bytes, struct window_error *error)
{
	struct window_options options = window_defaults();
	struct window_stats stats;
	int result;

	options.max_tokens = WINDOW_TOKENS_MAX;
	if (kind == INPUT_WINDOW) {
		result = window_load(window, &options, text, bytes, error);
	} else {
		result = window_create(window, &options, error);
		if (result == 0)
			result = window_add_json(*window, text, bytes, NULL,
						 error);
	}
	if (result != 0)
		return result;
	/* all of it: how long it may be is for others to say */
	window_stats(*window, &stats);
	return window_set_limits(*window, WINDOW_TOKENS_MAX, stats.threshold,
				 stats.strategy, error);
}

int
conversation_as_messages(enum chat_format format, char **text, size_t *bytes,
			 bool *is_other, struct window_error *error)
{
	enum input_kind kind = kind_of(*text, *bytes);
	struct window_build_options build = window_build_defaults();
	struct window_built built = { .content = NULL };
	struct window *window = NULL;
	int result;

	*is_other = kind != INPUT_MESSAGES;
	if (!*is_other)
		return 0;
	build.format = format == CHAT_AUTO ? CHAT_OPENAI : format;
	build.history_max = WINDOW_ITEMS_MAX;
	build.reserve_tokens = 0;
	result = open_window(&window, kind, *text, *bytes, error);
	if (result == 0)
		result = window_build(window, &build, &built, error);
	if (result == 0) {
		free(*text);
		*text = built.content;
		*bytes = built.content_bytes;
		built.content = NULL;
	}
	window_built_free(&built);
	window_destroy(window);
	return result;
}
