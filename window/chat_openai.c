/* SPDX-License-Identifier: MIT */
/*
 * chat_openai.c - messages of the OpenAI chat completions interface.
 *
 *   {"role": "system|developer|user|assistant|tool|function", "content": ...}
 *   assistant: "tool_calls": [{"id", "type": "function",
 *              "function": {"name", "arguments"}}], or "function_call"
 *   tool:      "tool_call_id"; function: "name"
 */
#include "window/chat_impl.h"

static const struct part_form parts[] = {
	{ "text", PIECE_TEXT, NULL, "text", false, NULL },
	{ "refusal", PIECE_TEXT, NULL, "refusal", false, NULL },
	{ "image_url", PIECE_IMAGE, "image_url", "url", true, NULL },
	{ "input_audio", PIECE_BLOB, "input_audio", "data", true, NULL },
	{ "file", PIECE_BLOB, "file", "file_data", false, NULL },
};

static const struct part_forms part_forms = {
	.rows = parts,
	.nr = ARRAY_LEN(parts),
	.known = "text, image_url, input_audio, file, refusal",
};

static int
visit_tool_call(const json_t *call, struct visit *visit)
{
	const json_t *function = json_object_get(call, "function");
	const json_t *custom = json_object_get(call, "custom");
	const json_t *body = function != NULL ? function : custom;

	if (!json_is_object(body) || text_of(body, "name") == NULL)
		return visit_fail(visit, "a tool call has no function with a "
					 "name");
	return visit_call(visit, PIECE_CALL, text_of(call, "id"),
			  text_of(body, "name"),
			  json_object_get(body, function != NULL ? "arguments"
								 : "input"));
}

/* The interface of 2023: one function at a time, told by its name. */
static int
visit_function_call(const json_t *call, struct visit *visit)
{
	const char *name = text_of(call, "name");

	return visit_call(visit, PIECE_CALL, name, name,
			  json_object_get(call, "arguments"));
}

static int
visit_calls(const json_t *message, struct visit *visit)
{
	json_t *calls = json_object_get(message, "tool_calls");
	const json_t *call = json_object_get(message, "function_call");
	int result = 0;
	size_t i;

	if (call != NULL && !json_is_null(call))
		result = visit_function_call(call, visit);
	if (calls != NULL && !json_is_null(calls) && !json_is_array(calls))
		return visit_fail(visit, "tool_calls is not an array");
	json_array_foreach(calls, i, call)
	{
		if (result == 0)
			result = visit_tool_call(call, visit);
	}
	return result;
}

static int
openai_visit(const json_t *message, struct visit *visit)
{
	const json_t *name = json_object_get(message, "name");
	int result = 0;

	if (!json_is_object(message))
		return visit_fail(visit, "it is not an object");
	if (!find_role(message, 0, 6, &visit->role))
		return visit_fail(visit,
				  "its role is not one of system, developer, "
				  "user, assistant, tool, function");
	if (json_object_get(message, "content") == NULL &&
	    visit->role != ROLE_ASSISTANT)
		return visit_fail(visit, "it has no content");
	if (visit->role == ROLE_TOOL)
		result = visit_call(
			visit, PIECE_RESULT,
			text_of(message, text_is(message, "role", "tool")
						 ? "tool_call_id"
						 : "name"),
			NULL, NULL);
	else if (name != NULL && json_is_string(name))
		result = visit_text(visit, PIECE_GUESS, name);
	if (result == 0)
		result = visit_content(json_object_get(message, "content"),
				       &part_forms, visit);
	if (result == 0 && visit->role == ROLE_ASSISTANT)
		result = visit_calls(message, visit);
	return result;
}

static const char *
openai_result_key(const json_t *holder)
{
	return text_is(holder, "role", "tool") ||
			       text_is(holder, "role", "function")
		       ? "content"
		       : NULL;
}

static bool
openai_is_mine(const json_t *message)
{
	return openai_result_key(message) != NULL ||
	       json_object_get(message, "tool_calls") != NULL ||
	       json_object_get(message, "function_call") != NULL;
}

const struct format_ops openai_ops = {
	.name = "openai-chat",
	.array_key = "messages",
	.text_part = "text",
	.parts = &part_forms,
	.visit = openai_visit,
	.result_key = openai_result_key,
	.is_mine = openai_is_mine,
	.user_message = "{\"role\":\"user\",\"content\":\"\"}",
};
