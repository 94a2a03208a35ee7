/* SPDX-License-Identifier: MIT */
/*
 * rounds_find.c - the round that a model answered with, in a conversation.
 *
 * A model that is asked for a round gives JSON, by itself, in a fence, or with
 * words around it. The newest such answer is the round.
 */
#include "window/rounds.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/json_values.h"
#include "window/chat_impl.h"
#include "window/json_text.h"

#define OBJECTS_TRIED 100 /* in one answer: text may have braces, too */

static const char *const round_keys[] = { "modules", "findings",
					  "relationships", "openQuestions",
					  "open_questions" };

static bool
is_round(const json_t *json)
{
	for (size_t i = 0; i < ARRAY_LEN(round_keys); i++)
		if (json_is_array(json_object_get(json, round_keys[i])))
			return true;
	return false;
}

/* The first object in a text that is a round, as JSON: free(); NULL: none. */
static char *
find_in_text(const char *text, size_t bytes)
{
	const char *at = text;
	const char *end = text + bytes;
	char *found = NULL;

	if (!json_values_within(text, bytes, CHAT_VALUES_MAX))
		return NULL;
	for (int i = 0; i < OBJECTS_TRIED && found == NULL && at < end; i++) {
		json_error_t where = { .position = 1 };
		json_t *json;

		at = memchr(at, '{', (size_t)(end - at));
		if (at == NULL)
			break;
		json = json_loadb(at, (size_t)(end - at),
				  JSON_DISABLE_EOF_CHECK | JSON_ALLOW_NUL,
				  &where);
		if (is_round(json))
			found = json_text(json, JSON_COMPACT);
		/* behind an object that is whole, else into it */
		at += json != NULL ? where.position : 1;
		json_decref(json);
	}
	return found;
}

bool
rounds_is_conversation(const char *json, size_t bytes)
{
	json_t *root = json_values_within(json, bytes, CHAT_VALUES_MAX)
			       ? json_loadb(json, bytes, JSON_ALLOW_NUL, NULL)
			       : NULL;
	const json_t *first = json_array_get(root, 0);
	bool is_it = text_of(first, "role") != NULL ||
		     text_of(first, "type") != NULL ||
		     (!is_round(root) &&
		      (json_is_array(json_object_get(root, "messages")) ||
		       json_is_array(json_object_get(root, "input")) ||
		       json_is_array(json_object_get(root, "items"))));

	if (root == NULL) {
		char *round = find_in_text(json, bytes);

		is_it = round != NULL;
		free(round);
	}
	json_decref(root);
	return is_it;
}

/* Of a window: free(); NULL: none. */
static int
find_in_window(const char *json, size_t bytes, char **out,
	       struct window_error *error)
{
	const struct window_options options = window_defaults();
	const struct window_filter filter = {
		.by_type = true,
		.type = WINDOW_ASSISTANT_MESSAGE,
	};
	struct window *window;
	struct window_list list;
	uint64_t newest = 0;
	int result = window_load(&window, &options, json, bytes, error);

	if (result != 0)
		return result;
	result = window_list(window, &filter, &list);
	for (size_t i = 0; result == 0 && i < list.nr; i++) {
		const struct window_item *item = &list.items[i];
		char *found;

		if (*out != NULL && item->added_ms < newest)
			continue;
		found = find_in_text(item->content, item->content_bytes);
		if (found == NULL)
			continue;
		free(*out);
		*out = found;
		newest = item->added_ms;
	}
	if (result == 0)
		window_list_free(&list);
	else
		window_fail(error, result, "out of memory");
	window_destroy(window);
	return result;
}

static int
find_in_message(const struct chat *chat, const json_t *message, char **out,
		struct window_error *error)
{
	char *text;
	size_t bytes;
	FILE *stream = open_memstream(&text, &bytes);
	int result = -ENOMEM;

	if (stream != NULL)
		result = chat_describe(chat->ops, message, stream);
	if (stream == NULL || text_end(stream, &text) == NULL)
		return window_fail(error, -ENOMEM, "out of memory");
	if (result == 0)
		*out = find_in_text(text, bytes);
	free(text);
	return result;
}

static int
find_in_messages(const char *json, size_t bytes, char **out,
		 struct window_error *error)
{
	const struct chat_options options = {
		.is_part = true,
		.encoding = "o200k_base",
		.threshold = 1,
		.critical = 1,
		.preserve = 0.5,
	};
	struct chat *chat;
	int result = chat_open(&chat, json, bytes, &options, error);

	if (result != 0)
		return result;
	for (size_t i = chat->nr; result == 0 && *out == NULL && i-- > 0;)
		if (chat->messages[i].role == ROLE_ASSISTANT)
			result = find_in_message(chat, chat->messages[i].json,
						 out, error);
	chat_close(chat);
	return result;
}

int
rounds_find(const char *json, size_t bytes, char **out,
	    struct window_error *error)
{
	json_t *root = json_loadb(json, bytes, JSON_ALLOW_NUL, NULL);
	bool is_window = json_is_array(json_object_get(root, "items"));
	int result = 0;

	*out = NULL;
	if (root == NULL)
		*out = find_in_text(json, bytes);
	else
		result = is_window ? find_in_window(json, bytes, out, error)
				   : find_in_messages(json, bytes, out, error);
	json_decref(root);
	if (result != 0 || *out != NULL)
		return result;
	return window_fail(error, -EBADMSG,
			   "BALE-RND-007 no answer in this conversation has a "
			   "round: a JSON object with modules, findings, "
			   "relationships or openQuestions");
}
