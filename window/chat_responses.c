/* SPDX-License-Identifier: MIT */
/*
 * chat_responses.c - items of the OpenAI responses interface.
 *
 *   {"type": "message", "role": ..., "content": ...}, the type may be missing
 *   {"type": "function_call", "call_id", "name", "arguments"}
 *   {"type": "function_call_output", "call_id", "output"}
 *   {"type": "reasoning", ...}: has to stand before the item it led to
 *
 * and other calls in the same way. Calls that the interface answers itself
 * (web_search_call and such) have their result in them.
 */
#include "window/chat_impl.h"

#include <string.h>

enum item_kind { ITEM_CALL = 0, ITEM_RESULT, ITEM_ALONE, ITEM_REASONING };

struct item_type {
	const char *name;
	enum item_kind kind;
	const char *id_key;
	const char *body_key; /* of a result: what may be pruned */
};

static const struct item_type item_types[] = {
	{ "function_call", ITEM_CALL, "call_id", "arguments" },
	{ "function_call_output", ITEM_RESULT, "call_id", "output" },
	{ "custom_tool_call", ITEM_CALL, "call_id", "input" },
	{ "custom_tool_call_output", ITEM_RESULT, "call_id", "output" },
	{ "computer_call", ITEM_CALL, "call_id", "action" },
	{ "computer_call_output", ITEM_RESULT, "call_id", NULL },
	{ "local_shell_call", ITEM_CALL, "call_id", "action" },
	{ "local_shell_call_output", ITEM_RESULT, "call_id", "output" },
	{ "shell_call", ITEM_CALL, "call_id", "action" },
	{ "shell_call_output", ITEM_RESULT, "call_id", NULL },
	{ "apply_patch_call", ITEM_CALL, "call_id", "operation" },
	{ "apply_patch_call_output", ITEM_RESULT, "call_id", "output" },
	{ "mcp_approval_request", ITEM_CALL, "id", "arguments" },
	{ "mcp_approval_response", ITEM_RESULT, "approval_request_id", NULL },
	{ "reasoning", ITEM_REASONING, NULL, NULL },
	{ "web_search_call", ITEM_ALONE, NULL, NULL },
	{ "file_search_call", ITEM_ALONE, NULL, NULL },
	{ "code_interpreter_call", ITEM_ALONE, NULL, NULL },
	{ "image_generation_call", ITEM_ALONE, NULL, NULL },
	{ "mcp_call", ITEM_ALONE, NULL, NULL },
	{ "mcp_list_tools", ITEM_ALONE, NULL, NULL },
	{ "item_reference", ITEM_ALONE, NULL, NULL },
	{ "compaction", ITEM_ALONE, NULL, NULL },
};

static const struct item_type *
find_type(const json_t *item)
{
	for (size_t i = 0; i < ARRAY_LEN(item_types); i++) {
		if (text_is(item, "type", item_types[i].name))
			return &item_types[i];
	}
	return NULL;
}

static bool
is_message(const json_t *item)
{
	const json_t *type = json_object_get(item, "type");

	return type == NULL ? json_object_get(item, "role") != NULL
			    : text_is(item, "type", "message");
}

static const struct part_form parts[] = {
	{ "input_text", PIECE_TEXT, NULL, "text", true, NULL },
	{ "output_text", PIECE_TEXT, NULL, "text", true, NULL },
	{ "text", PIECE_TEXT, NULL, "text", false, NULL },
	{ "summary_text", PIECE_TEXT, NULL, "text", false, NULL },
	{ "reasoning_text", PIECE_TEXT, NULL, "text", false, NULL },
	{ "refusal", PIECE_TEXT, NULL, "refusal", false, NULL },
	{ "input_image", PIECE_IMAGE, NULL, "image_url", true, NULL },
	{ "computer_screenshot", PIECE_IMAGE, NULL, "image_url", false, NULL },
	{ "input_file", PIECE_BLOB, NULL, "file_data", true, NULL },
};

static const struct part_forms part_forms = {
	.rows = parts,
	.nr = ARRAY_LEN(parts),
	.known = "input_text, output_text, input_image, input_file, refusal",
};

static int
visit_message(const json_t *item, struct visit *visit)
{
	if (!find_role(item, 0, 4, &visit->role))
		return visit_fail(visit, "its role is not one of system, "
					 "developer, user, assistant");
	if (json_object_get(item, "content") == NULL)
		return visit_fail(visit, "it has no content");
	return visit_content(json_object_get(item, "content"), &part_forms,
			     visit);
}

static int
visit_reasoning(const json_t *item, struct visit *visit)
{
	int result;

	visit->role = ROLE_ASSISTANT;
	visit->is_glued = true;
	result = visit_content(json_object_get(item, "summary"), &part_forms,
			       visit);
	if (result == 0)
		result = visit_content(json_object_get(item, "content"),
				       &part_forms, visit);
	if (result == 0)
		result = visit_json(visit,
				    json_object_get(item, "encrypted_content"));
	return result;
}

/* A text, parts, or an object such as a screenshot. */
static int
visit_output(const json_t *output, struct visit *visit)
{
	if (json_is_string(output) || json_is_array(output))
		return visit_content(output, &part_forms, visit);
	if (text_is(output, "type", "computer_screenshot"))
		return visit_part(output, &part_forms, visit);
	return visit_json(visit, output);
}

static int
visit_paired(const json_t *item, const struct item_type *type,
	     struct visit *visit)
{
	const char *id = text_of(item, type->id_key);
	bool is_own = strncmp(type->name, "mcp_", 4) == 0;
	int result;

	if (id == NULL) /* local_shell_call_output says it so */
		id = text_of(item, "id");
	if (type->kind == ITEM_CALL) {
		visit->role = ROLE_ASSISTANT;
		return visit_call(visit,
				  is_own ? PIECE_SERVER_CALL : PIECE_CALL, id,
				  text_of(item, "name"),
				  json_object_get(item, type->body_key));
	}
	visit->role = ROLE_TOOL;
	result = visit_call(visit, is_own ? PIECE_SERVER_RESULT : PIECE_RESULT,
			    id, NULL, NULL);
	if (result != 0)
		return result;
	if (strcmp(type->name, "shell_call_output") == 0)
		return visit_json(visit, json_object_get(item, "output"));
	return visit_output(json_object_get(item, "output"), visit);
}

static int
responses_visit(const json_t *item, struct visit *visit)
{
	const struct item_type *type = find_type(item);
	const char *name = text_of(item, "type");

	if (!json_is_object(item))
		return visit_fail(visit, "it is not an object");
	if (is_message(item))
		return visit_message(item, visit);
	if (type == NULL)
		return visit_fail(visit, "unknown type of item \"%.40s\"",
				  name != NULL ? name : "");
	if (type->kind == ITEM_REASONING)
		return visit_reasoning(item, visit);
	if (type->kind != ITEM_ALONE)
		return visit_paired(item, type, visit);
	visit->role = ROLE_ASSISTANT;
	return visit_json(visit, item);
}

static const char *
responses_result_key(const json_t *holder)
{
	const struct item_type *type = find_type(holder);

	return type != NULL && type->kind == ITEM_RESULT ? type->body_key
							 : NULL;
}

static bool
responses_is_mine(const json_t *item)
{
	return find_type(item) != NULL || text_is(item, "type", "message");
}

const struct format_ops responses_ops = {
	.name = "openai-responses",
	.array_key = "input",
	.text_part = "input_text",
	.answer_part = "output_text",
	.system_key = "instructions",
	.parts = &part_forms,
	.visit = responses_visit,
	.result_key = responses_result_key,
	.is_mine = responses_is_mine,
	.user_message = "{\"type\":\"message\",\"role\":\"user\","
			"\"content\":[{\"type\":\"input_text\"}]}",
};
