/* SPDX-License-Identifier: MIT */
/*
 * chat_fit.c - what Anthropic refuses although each message is valid: it comes
 * of messages of many requests, or of other interfaces, in one.
 *
 * Does: gives each call an id of its own, of the characters that are allowed;
 *       keeps CACHE_MAX marks of what is to be cached, those of the system
 *       prompt and the newest; ends what
 *       the assistant is to go on with where its last word does.
 */
#include "window/chat_impl.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/ascii.h"

#define CACHE_KEY "cache_control"
#define CACHE_MAX 4

/* Letters, digits, '_' and '-'; an id that had none of them is one. */
static bool
is_allowed(uint8_t c)
{
	return (c < 0x80 && ascii_is_word(c)) || c == '-';
}

/* The id as it may be, and as no earlier call has it: free(). */
static char *
free_id(const json_t *seen, const char *id)
{
	char *clean;
	char *next = NULL;

	if (asprintf(&clean, "%s", id[0] != '\0' ? id : "_") < 0)
		return NULL;
	for (char *at = clean; *at != '\0'; at++)
		if (!is_allowed((uint8_t)*at))
			*at = '_';
	if (json_object_get(seen, clean) == NULL)
		return clean;
	for (unsigned nr = 2; asprintf(&next, "%s_%u", clean, nr) >= 0; nr++) {
		if (json_object_get(seen, next) == NULL)
			break;
		free(next);
		next = NULL;
	}
	free(clean);
	return next;
}

/* Another value in a copy of a part: the part may belong to others as well. */
static int
change_part(json_t *content, size_t i, const char *key, json_t *value)
{
	json_t *copy = json_copy(json_array_get(content, i));
	int failed = value == NULL ? json_object_del(copy, key)
				   : json_object_set(copy, key, value);

	if (failed == 0)
		return json_array_set_new(content, i, copy) == 0 ? 0 : -ENOMEM;
	json_decref(copy);
	return -ENOMEM;
}

/* A call gets an id that is free; `now` has it by the one that it had. */
static int
name_call(json_t *seen, json_t *now, json_t *content, size_t i)
{
	const char *id = text_of(json_array_get(content, i), "id");
	char *name = id == NULL ? NULL : free_id(seen, id);
	json_t *value = name == NULL ? NULL : json_string(name);
	int failed = value == NULL || json_object_set(now, id, value) != 0 ||
		     json_object_set_new(seen, name, json_true()) != 0;
	int result = failed ? -ENOMEM : 0;

	if (id == NULL)
		result = 0;
	else if (result == 0 && strcmp(id, name) != 0)
		result = change_part(content, i, "id", value);
	json_decref(value);
	free(name);
	return result;
}

static int
name_parts(json_t *seen, json_t *now, json_t *content)
{
	const json_t *part;
	int result = 0;
	size_t i;

	json_array_foreach(content, i, part)
	{
		const char *id = text_of(part, "tool_use_id");
		json_t *name = id == NULL ? NULL : json_object_get(now, id);

		if (result == 0 && text_is(part, "type", "tool_use"))
			result = name_call(seen, now, content, i);
		else if (result == 0 && name != NULL &&
			 text_is(part, "type", "tool_result"))
			result = change_part(content, i, "tool_use_id", name);
	}
	return result;
}

static int
name_calls(json_t *messages)
{
	json_t *seen = json_object();
	json_t *now = json_object(); /* ids of the newest calls */
	const json_t *message;
	int result = seen == NULL || now == NULL ? -ENOMEM : 0;
	size_t i;

	json_array_foreach(messages, i, message)
	{
		if (text_is(message, "role", "assistant"))
			json_object_clear(now);
		if (result == 0)
			result = name_parts(
				seen, now, json_object_get(message, "content"));
	}
	json_decref(seen);
	json_decref(now);
	return result;
}

/* Of parts, and of those that a result has, the newest first. */
static int
keep_cached(json_t *content, unsigned *nr)
{
	int result = 0;

	for (size_t i = json_array_size(content); result == 0 && i-- > 0;) {
		json_t *part = json_array_get(content, i);

		if (json_object_get(part, CACHE_KEY) != NULL &&
		    ++*nr > CACHE_MAX)
			result = change_part(content, i, CACHE_KEY, NULL);
		if (result == 0 && text_is(part, "type", "tool_result"))
			result = keep_cached(json_object_get(part, "content"),
					     nr);
	}
	return result;
}

/* The answer goes on behind the text, if that is last; not behind a blank. */
static int
end_in_a_word(const json_t *message)
{
	json_t *content = json_object_get(message, "content");
	size_t last = json_array_size(content) - 1;
	const json_t *text =
		json_object_get(json_array_get(content, last), "text");
	size_t bytes = json_string_length(text);
	const char *at = json_string_value(text);
	json_t *cut;
	int result;

	if (!text_is(message, "role", "assistant") || bytes == 0)
		return 0;
	while (bytes > 1 && strchr(" \t\r\n", at[bytes - 1]) != NULL)
		bytes--;
	cut = json_stringn(at, bytes);
	result =
		cut == NULL ? -ENOMEM : change_part(content, last, "text", cut);
	json_decref(cut);
	return result;
}

int
chat_fit_anthropic(json_t *system, json_t *messages)
{
	size_t nr_messages = json_array_size(messages);
	int result = name_calls(messages);
	unsigned nr = 0;

	if (result == 0 && nr_messages > 0)
		result = end_in_a_word(
			json_array_get(messages, nr_messages - 1));
	if (result == 0)
		result = keep_cached(system, &nr);
	for (size_t i = nr_messages; result == 0 && i-- > 0;)
		result = keep_cached(
			json_object_get(json_array_get(messages, i), "content"),
			&nr);
	return result;
}
