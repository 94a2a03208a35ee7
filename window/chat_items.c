/* SPDX-License-Identifier: MIT */
/*
 * chat_items.c - messages of a conversation as items of a window.
 *
 * The content of an item is what a message says, as text; the message itself is
 * kept as metadata where it says more than that:
 *
 *   {"format": "openai-chat", "messages": [MESSAGE...]}
 *
 * Several messages are one item where the interface wants them together, as a
 * thought and what it led to.
 */
#include "window/chat_impl.h"

#include <errno.h>
#include <stdlib.h>

#include "window/json_text.h"
#include "window/window_impl.h"

static const struct {
	enum window_type type;
	const char *role; /* NULL: none, so that a text has no label */
} kinds[ROLE_NR] = {
	[ROLE_SYSTEM] = { WINDOW_SYSTEM_PROMPT, NULL },
	[ROLE_USER] = { WINDOW_USER_MESSAGE, "user" },
	[ROLE_ASSISTANT] = { WINDOW_ASSISTANT_MESSAGE, "assistant" },
	[ROLE_TOOL] = { WINDOW_TOOL_RESULT, "tool" },
};

struct import {
	struct window *window;
	const struct window_messages *messages;
	struct chat *chat;
	size_t added;
};

/* The text of a message that is nothing but its role and that; NULL: it is
 * more. */
static const json_t *
plain_text(const json_t *message)
{
	const json_t *content = json_object_get(message, "content");
	const json_t *part = json_array_get(content, 0);

	if (text_of(message, "role") == NULL || json_object_size(message) != 2)
		return NULL;
	if (json_is_string(content))
		return content;
	if (json_array_size(content) == 1 && json_object_size(part) == 2 &&
	    text_is(part, "type", "text"))
		return json_object_get(part, "text");
	return NULL;
}

/* Messages first..end as metadata: free(). */
static char *
metadata_of(const struct chat *chat, size_t first, size_t end)
{
	json_t *array = json_array();
	json_t *metadata;
	char *text = NULL;

	for (size_t i = first; i < end; i++)
		json_array_append(array, chat->messages[i].json);
	metadata = json_pack("{s:s, s:o}", "format",
			     chat_format_name(chat->format), "messages", array);
	if (json_array_size(array) == end - first)
		text = json_text(metadata, JSON_COMPACT);
	json_decref(metadata);
	return text;
}

/* What messages first..end say and call, without blanks at the end: free(). */
static char *
content_of(const struct chat *chat, size_t first, size_t end, size_t *bytes)
{
	char *text;
	FILE *out = open_memstream(&text, bytes);
	int result = 0;

	for (size_t i = first; out != NULL && i < end && result == 0; i++)
		result = chat_describe(chat->ops, chat->messages[i].json, out);
	if (out == NULL || text_end(out, &text) == NULL)
		return NULL;
	while (result == 0 && *bytes > 0 && text_is_blank(text + *bytes - 1, 1))
		--*bytes;
	if (result == 0)
		return text;
	free(text);
	return NULL;
}

/* Adds an item, unless it says nothing. */
static int
add_item(struct import *import, struct window_item *item,
	 struct window_error *error)
{
	int result = 0;

	item->priority = import->messages->priority;
	item->pinned = import->messages->pinned;
	if (!text_is_blank(item->content, item->content_bytes)) {
		result = window_add(import->window, item, NULL, error);
		import->added += result == 0;
	}
	return result;
}

/* Messages first..end as an item. */
static int
add_messages(struct import *import, size_t first, size_t end,
	     struct window_error *error)
{
	const struct chat *chat = import->chat;
	const struct message *message = &chat->messages[end - 1];
	const json_t *plain =
		end - first == 1 ? plain_text(message->json) : NULL;
	struct window_item item = {
		.type = kinds[message->role].type,
		.role = kinds[message->role].role,
		.content = json_string_value(plain),
		.content_bytes = json_string_length(plain),
	};
	char *metadata = NULL;
	char *content = NULL;
	int result = -ENOMEM;

	if (plain != NULL)
		return add_item(import, &item, error);
	item.content = content =
		content_of(chat, first, end, &item.content_bytes);
	if (message->role != ROLE_SYSTEM)
		item.metadata = metadata = metadata_of(chat, first, end);
	for (size_t i = first; metadata != NULL && i < end; i++)
		item.tokens += chat->messages[i].tokens;
	if (content != NULL &&
	    (metadata != NULL || message->role == ROLE_SYSTEM))
		result = add_item(import, &item, error);
	else
		window_fail(error, result, "out of memory");
	free(metadata);
	free(content);
	return result;
}

/* A system prompt of parts that are more than texts, such as marks of what is to
 * be cached, as metadata: free(); NULL: it is texts alone, or no memory. */
static char *
system_metadata(const struct chat *chat, const json_t *prompt)
{
	json_t *metadata;
	char *text = NULL;
	bool is_more = false;
	json_t *part;
	size_t i;

	json_array_foreach(prompt, i, part) is_more |=
		json_object_size(part) > 2;
	if (!is_more)
		return NULL;
	metadata = json_pack("{s:s, s:O}", "format",
			     chat_format_name(chat->format),
			     chat->ops->system_key, prompt);
	text = json_text(metadata, JSON_COMPACT);
	json_decref(metadata);
	return text;
}

/* The system prompt that stands beside the messages of a request. */
static int
add_system(struct import *import, struct window_error *error)
{
	const struct format_ops *ops = import->chat->ops;
	struct window_item item = { .type = WINDOW_SYSTEM_PROMPT };
	json_t *prompt =
		ops->system_key == NULL
			? NULL
			: json_object_get(import->chat->root, ops->system_key);
	char *metadata;
	char *text;
	FILE *out;
	int result;
	json_t *part;
	size_t i;

	if (prompt == NULL)
		return 0;
	out = open_memstream(&text, &item.content_bytes);
	if (out == NULL)
		return window_fail(error, -ENOMEM, "out of memory");
	if (json_is_string(prompt))
		fwrite(json_string_value(prompt), 1, json_string_length(prompt),
		       out);
	json_array_foreach(prompt, i, part) fprintf(
		out, "%s%s", i > 0 ? "\n\n" : "",
		text_of(part, "text") != NULL ? text_of(part, "text") : "");
	if (text_end(out, &text) == NULL)
		return window_fail(error, -ENOMEM, "out of memory");
	item.content = text;
	item.metadata = metadata = system_metadata(import->chat, prompt);
	result = add_item(import, &item, error);
	free(metadata);
	free(text);
	return result;
}

/* Behind the message at `first` and those that belong to it. */
static size_t
end_of(const struct chat *chat, size_t first)
{
	size_t end = first + 1;

	while (end < chat->nr && chat->messages[end].is_glued)
		end++;
	return end;
}

int
window_add_messages(struct window *window,
		    const struct window_messages *messages, size_t *added,
		    struct window_error *error)
{
	const struct chat_options options = {
		.format = messages->format,
		.is_part = true,
		.encoding = window->options.encoding,
		.threshold = 1,
		.critical = 1,
		.preserve = 0.5,
	};
	struct import import = { .window = window, .messages = messages };
	int result = chat_open(&import.chat, messages->json, messages->bytes,
			       &options, error);

	if (result != 0)
		return result;
	result = add_system(&import, error);
	for (size_t i = 0; result == 0 && i < import.chat->nr;) {
		size_t end = end_of(import.chat, i);

		result = add_messages(&import, i, end, error);
		i = end;
	}
	*added = import.added;
	chat_close(import.chat);
	return result;
}
