/* SPDX-License-Identifier: MIT */
/*
 * chat_convert.c - a message of one interface as messages of another.
 *
 * Each interface is taken apart into texts, calls, results and other parts, and
 * put together from these: three readers and three writers. Messages of one
 * role in a row become one.
 *
 *   from          text   call    result   other parts
 *   a message --> text() call() result() other() --> the messages that it is
 */
#include "window/chat_impl.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "window/json_text.h"
#include "window/window_impl.h"

struct conversion {
	const struct chat_conversion *how;
	const char *role; /* of texts */
	json_t *messages;
};

struct call {
	const char *id;
	const char *name;
	const json_t *arguments; /* an object, or its text; NULL: none */
};

/* ---- writing --------------------------------------------------------------- */

static int
write_text(struct conversion *work, const char *text, size_t bytes)
{
	return chat_append_text(work->how->to, work->messages, work->role, text,
				bytes);
}

static int
write_string(struct conversion *work, const json_t *string)
{
	if (!json_is_string(string))
		return 0;
	return write_text(work, json_string_value(string),
			  json_string_length(string));
}

/* What a model has called with, as text: free(). */
static char *
arguments_text(const json_t *arguments)
{
	if (arguments == NULL)
		return strdup("{}");
	if (json_is_string(arguments))
		return strdup(json_string_value(arguments));
	return json_text(arguments, JSON_COMPACT | JSON_ENCODE_ANY);
}

/* The same as an object; a text that is none is one's only value. */
static json_t *
arguments_object(const json_t *arguments)
{
	json_t *object;

	if (arguments == NULL)
		return json_object();
	if (json_is_object(arguments))
		return json_incref((json_t *)(uintptr_t)arguments);
	object = json_is_string(arguments)
			 ? json_loads(json_string_value(arguments),
				      JSON_ALLOW_NUL, NULL)
			 : NULL;
	if (json_is_object(object))
		return object;
	json_decref(object);
	return json_pack("{s:O}", "input", (json_t *)(uintptr_t)arguments);
}

static bool
is_unpaired(const struct conversion *work, const char *id)
{
	return id == NULL || json_object_get(work->how->unpaired, id) != NULL;
}

static json_t *
call_message(const struct conversion *work, const struct call *call)
{
	const char *name = call->name != NULL ? call->name : "tool";
	char *text;
	json_t *message;

	if (work->how->to == CHAT_ANTHROPIC)
		return json_pack("{s:s, s:[{s:s, s:s, s:s, s:o}]}", "role",
				 "assistant", "content", "type", "tool_use",
				 "id", call->id, "name", name, "input",
				 arguments_object(call->arguments));
	text = arguments_text(call->arguments);
	if (work->how->to == CHAT_RESPONSES)
		message = json_pack("{s:s, s:s, s:s, s:s}", "type",
				    "function_call", "call_id", call->id,
				    "name", name, "arguments", text);
	else
		message =
			json_pack("{s:s, s:n, s:[{s:s, s:s, s:{s:s, s:s}}]}",
				  "role", "assistant", "content", "tool_calls",
				  "id", call->id, "type", "function",
				  "function", "name", name, "arguments", text);
	free(text);
	return message;
}

static int
write_call(struct conversion *work, const struct call *call)
{
	if (is_unpaired(work, call->id))
		return 0;
	return chat_append(chat_ops(work->how->to), work->messages,
			   call_message(work, call));
}

static json_t *
result_message(const struct conversion *work, const char *id, const char *text,
	       size_t bytes)
{
	switch (work->how->to) {
	case CHAT_ANTHROPIC:
		return json_pack("{s:s, s:[{s:s, s:s, s:s%}]}", "role", "user",
				 "content", "type", "tool_result",
				 "tool_use_id", id, "content", text, bytes);
	case CHAT_RESPONSES:
		return json_pack("{s:s, s:s, s:s%}", "type",
				 "function_call_output", "call_id", id,
				 "output", text, bytes);
	default:
		return json_pack("{s:s, s:s, s:s%}", "role", "tool",
				 "tool_call_id", id, "content", text, bytes);
	}
}

/* A result without any text has none to be refused for. */
#define EMPTY_RESULT "(no output)"

static int
write_result(struct conversion *work, const char *id, const char *text,
	     size_t bytes)
{
	char *labelled;
	int nr;
	int result;

	if (text_is_blank(text, bytes)) {
		text = EMPTY_RESULT;
		bytes = strlen(text);
	}
	if (!is_unpaired(work, id))
		return chat_append(chat_ops(work->how->to), work->messages,
				   result_message(work, id, text, bytes));
	nr = asprintf(&labelled, "[result of %s]\n%.*s", id != NULL ? id : "",
		      (int)bytes, text);
	if (nr < 0)
		return -ENOMEM;
	work->role = "user";
	result = write_text(work, labelled, (size_t)nr);
	free(labelled);
	return result;
}

/* Whether a part is half of a pair of the interface's own. */
static bool
is_half(const struct conversion *work, const json_t *part)
{
	const char *id = text_of(part, "tool_use_id");

	if (id == NULL)
		id = text_of(part, "id");
	return id != NULL && is_unpaired(work, id);
}

/* A part that the other interface has in another form, or not at all. */
static int
write_other(struct conversion *work, const json_t *part)
{
	const char *type = text_of(part, "type");
	char *label;
	int nr;
	int result;

	if (is_half(work, part))
		return 0;
	if (work->how->from == work->how->to)
		return chat_append(chat_ops(work->how->to), work->messages,
				   json_pack("{s:s, s:[O]}", "role", work->role,
					     "content",
					     (json_t *)(uintptr_t)part));
	/* what a model thought is for that model alone */
	if (type == NULL || strstr(type, "thinking") != NULL ||
	    strcmp(type, "reasoning") == 0)
		return 0;
	nr = asprintf(&label, "[%s]", type);
	if (nr < 0)
		return -ENOMEM;
	result = write_text(work, label, (size_t)nr);
	free(label);
	return result;
}

/* ---- reading ------------------------------------------------------------- */

static bool
is_text_part(const json_t *part)
{
	static const char *const types[] = { "text", "input_text",
					     "output_text" };

	for (size_t i = 0; i < ARRAY_LEN(types); i++)
		if (text_is(part, "type", types[i]))
			return true;
	return false;
}

static void
write_json(FILE *out, const json_t *json)
{
	char *text = json_text(json, JSON_COMPACT | JSON_ENCODE_ANY);

	if (text != NULL)
		fputs(text, out);
	free(text);
}

/* The text of a result: a string, texts of parts, or any JSON: free(). */
static char *
result_text(const json_t *content, size_t *bytes)
{
	char *text;
	FILE *out = open_memstream(&text, bytes);
	const json_t *part;
	size_t i;

	if (out == NULL)
		return NULL;
	if (json_is_string(content))
		fwrite(json_string_value(content), 1,
		       json_string_length(content), out);
	else if (!json_is_array(content) && !json_is_null(content))
		write_json(out, content);
	json_array_foreach((json_t *)(uintptr_t)content, i, part)
	{
		const json_t *string = json_object_get(part, "text");

		if (ftell(out) > 0)
			fputc('\n', out);
		if (is_text_part(part) && json_is_string(string))
			fwrite(json_string_value(string), 1,
			       json_string_length(string), out);
		else if (text_of(part, "type") != NULL)
			fprintf(out, "[%s]", text_of(part, "type"));
	}
	return text_end(out, &text);
}

static int
read_result(struct conversion *work, const char *id, const json_t *content)
{
	size_t bytes;
	char *text = result_text(content, &bytes);
	int result;

	if (text == NULL)
		return -ENOMEM;
	result = write_result(work, id, text, bytes);
	free(text);
	return result;
}

/* A part of a content, of any interface. */
static int
read_part(struct conversion *work, const json_t *part)
{
	if (is_text_part(part))
		return write_string(work, json_object_get(part, "text"));
	if (text_is(part, "type", "refusal"))
		return write_string(work, json_object_get(part, "refusal"));
	if (text_is(part, "type", "tool_use"))
		return write_call(work, &(struct call){
						text_of(part, "id"),
						text_of(part, "name"),
						json_object_get(part, "input"),
					});
	if (text_is(part, "type", "tool_result"))
		return read_result(work, text_of(part, "tool_use_id"),
				   json_object_get(part, "content"));
	return write_other(work, part);
}

static int
read_content(struct conversion *work, const json_t *content)
{
	int result = write_string(work, content);
	const json_t *part;
	size_t i;

	json_array_foreach((json_t *)(uintptr_t)content, i, part)
	{
		if (result == 0)
			result = read_part(work, part);
	}
	return result;
}

/* Calls of the chat interface, and the one of its first years. */
static int
read_calls(struct conversion *work, const json_t *message)
{
	const json_t *old = json_object_get(message, "function_call");
	json_t *calls = json_object_get(message, "tool_calls");
	const json_t *each;
	int result = 0;
	size_t i;

	if (json_is_object(old))
		result = write_call(work,
				    &(struct call){
					    text_of(old, "name"),
					    text_of(old, "name"),
					    json_object_get(old, "arguments"),
				    });
	json_array_foreach(calls, i, each)
	{
		const json_t *function = json_object_get(each, "function");
		const json_t *custom = json_object_get(each, "custom");

		if (result == 0)
			result = write_call(
				work,
				&(struct call){
					text_of(each, "id"),
					text_of(function != NULL ? function
								 : custom,
						"name"),
					function != NULL
						? json_object_get(function,
								  "arguments")
						: json_object_get(custom,
								  "input"),
				});
	}
	return result;
}

static int
read_message(struct conversion *work, const json_t *message)
{
	const json_t *content = json_object_get(message, "content");
	int result;

	if (text_is(message, "role", "tool"))
		return read_result(work, text_of(message, "tool_call_id"),
				   content);
	if (text_is(message, "role", "function"))
		return read_result(work, text_of(message, "name"), content);
	work->role =
		text_is(message, "role", "assistant") ? "assistant" : "user";
	result = read_content(work, content);
	return result == 0 ? read_calls(work, message) : result;
}

/* An item of the responses interface that is no message: a call has its
 * arguments under one of these keys. */
static int
read_item(struct conversion *work, const json_t *item)
{
	static const char *const keys[] = { "arguments", "input", "action",
					    "operation" };
	const char *type = text_of(item, "type");
	const char *id = text_of(item, "call_id");
	const char *name = text_of(item, "name");
	struct call call = { id, name != NULL ? name : type, NULL };

	for (size_t i = 0; i < ARRAY_LEN(keys) && call.arguments == NULL; i++)
		call.arguments = json_object_get(item, keys[i]);
	if (strstr(type, "_output") != NULL)
		return read_result(work, id, json_object_get(item, "output"));
	work->role = "assistant";
	return id != NULL ? write_call(work, &call) : 0;
}

int
chat_convert(const struct chat_conversion *how, const json_t *message,
	     json_t *messages)
{
	struct conversion work = {
		.how = how,
		.messages = messages,
	};

	if (json_object_get(message, "role") != NULL ||
	    text_of(message, "type") == NULL)
		return read_message(&work, message);
	return read_item(&work, message);
}
