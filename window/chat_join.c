/* SPDX-License-Identifier: MIT */
/*
 * chat_join.c - two messages of one role as one, where roles have to alternate.
 */
#include "window/chat_impl.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "window/window_impl.h"

#define BETWEEN_TEXTS "\n\n"

/* Whether there is anything in it. */
static bool
has_content(const json_t *content)
{
	if (json_is_string(content))
		return !text_is_blank(json_string_value(content),
				      json_string_length(content));
	return json_array_size(content) > 0;
}

static json_t *
join_texts(const json_t *first, const json_t *second)
{
	size_t between = sizeof(BETWEEN_TEXTS) - 1;
	size_t from = json_string_length(first);
	size_t nr = json_string_length(second);
	char *text = malloc(from + between + nr);
	json_t *joined;

	if (text == NULL)
		return NULL;
	memcpy(text, json_string_value(first), from);
	memcpy(text + from, BETWEEN_TEXTS, between);
	memcpy(text + from + between, json_string_value(second), nr);
	/* both have been parsed: they are UTF-8 */
	joined = json_stringn_nocheck(text, from + between + nr);
	free(text);
	return joined;
}

/* Adds a content to an array of parts; type: of a text. false: no memory. */
static bool
add_parts(json_t *parts, const char *type, const json_t *content)
{
	json_t *shared = (json_t *)(uintptr_t)content;

	if (json_is_string(content))
		return json_array_append_new(
			       parts, json_pack("{s:s, s:O}", "type", type,
						"text", shared)) == 0;
	return json_array_extend(parts, shared) == 0;
}

static json_t *
join_parts(const char *type, const json_t *first, const json_t *second)
{
	json_t *parts = json_array();

	if (parts != NULL && add_parts(parts, type, first) &&
	    add_parts(parts, type, second))
		return parts;
	json_decref(parts);
	return NULL;
}

/* What both have under a key, as one array in the first. */
static int
join_arrays(json_t *first, const json_t *second, const char *key)
{
	json_t *have = json_object_get(first, key);
	json_t *more = json_object_get(second, key);
	json_t *all;
	int failed;

	if (json_array_size(more) == 0)
		return 0;
	all = json_array();
	failed = all == NULL ||
		 (json_is_array(have) && json_array_extend(all, have) != 0) ||
		 json_array_extend(all, more) != 0;
	if (failed) {
		json_decref(all);
		return -ENOMEM;
	}
	return json_object_set_new(first, key, all) == 0 ? 0 : -ENOMEM;
}

int
chat_join(const struct format_ops *ops, json_t *first, const json_t *second)
{
	json_t *have = json_object_get(first, "content");
	json_t *more = json_object_get(second, "content");
	bool is_answer = text_is(first, "role", "assistant");
	json_t *joined = NULL;

	if (!has_content(more))
		joined = have != NULL ? json_incref(have) : json_null();
	else if (!has_content(have))
		joined = json_incref(more);
	else if (json_is_string(have) && json_is_string(more))
		joined = join_texts(have, more);
	else
		joined = join_parts(is_answer && ops->answer_part != NULL
					    ? ops->answer_part
					    : ops->text_part,
				    have, more);
	/* sets what it takes over, and frees it where it cannot */
	if (joined == NULL ||
	    json_object_set_new(first, "content", joined) != 0)
		return -ENOMEM;
	if (join_arrays(first, second, "tool_calls") != 0)
		return -ENOMEM;
	return json_object_update_missing(first, (json_t *)(uintptr_t)second) ==
			       0
		       ? 0
		       : -ENOMEM;
}

/* Whether a message is one of the user's or of the assistant's. */
static bool
is_joinable(const json_t *message)
{
	return text_is(message, "role", "user") ||
	       text_is(message, "role", "assistant");
}

/* Whether both are of the same speaker, as far as they are named. */
static bool
are_of_one(const json_t *a, const json_t *b)
{
	const char *role = text_of(b, "role");
	const char *name = text_of(b, "name");

	return role != NULL && text_is(a, "role", role) &&
	       (name == NULL ? text_of(a, "name") == NULL
			     : text_is(a, "name", name));
}

int
chat_append(const struct format_ops *ops, json_t *messages, json_t *message)
{
	json_t *last = json_array_get(messages, json_array_size(messages) - 1);
	int result;

	if (message == NULL)
		return -ENOMEM;
	if (last == NULL || !is_joinable(message) || !is_joinable(last) ||
	    !are_of_one(last, message))
		return json_array_append_new(messages, message) == 0 ? 0
								     : -ENOMEM;
	result = chat_join(ops, last, message);
	json_decref(message);
	return result;
}

int
chat_append_text(enum chat_format format, json_t *messages, const char *role,
		 const char *text, size_t bytes)
{
	const struct format_ops *ops = chat_ops(format);

	if (text_is_blank(text, bytes))
		return 0;
	if (format == CHAT_ANTHROPIC)
		return chat_append(ops, messages,
				   json_pack("{s:s, s:[{s:s, s:s%}]}", "role",
					     role, "content", "type", "text",
					     "text", text, bytes));
	return chat_append(
		ops, messages,
		json_pack("{s:s, s:s%}", "role", role, "content", text, bytes));
}
