/* SPDX-License-Identifier: MIT */
/*
 * chat_anthropic.c - messages of the Anthropic messages interface.
 *
 *   {"role": "user|assistant", "content": TEXT or [BLOCK...]}
 *   assistant: text, thinking, tool_use {id, name, input}, and tools that the
 *              interface runs: server_tool_use, mcp_tool_use, *_tool_result
 *   user:      text, image, document, search_result,
 *              tool_result {tool_use_id, content}
 *
 * The system prompt stands beside the messages.
 */
#include "window/chat_impl.h"

#include <string.h>

#include "window/image.h"

static bool
ends_with(const char *text, const char *end)
{
	size_t text_bytes = strlen(text);
	size_t end_bytes = strlen(end);

	return text_bytes >= end_bytes &&
	       strcmp(text + text_bytes - end_bytes, end) == 0;
}

static int
visit_image(const json_t *block, struct visit *visit)
{
	const json_t *source = json_object_get(block, "source");
	const json_t *data = json_object_get(source, "data");
	struct piece piece = { .kind = PIECE_IMAGE };
	uint32_t width = 0;
	uint32_t height = 0;

	if (!json_is_object(source))
		return visit_fail(visit, "an image has no source");
	piece.estimated =
		!json_is_string(data) ||
		!image_size(json_string_value(data), json_string_length(data),
			    &width, &height);
	if (piece.estimated)
		width = height = 0;
	piece.tokens = image_tokens_anthropic(width, height);
	return visit->piece(visit->arg, &piece);
}

static const struct part_forms part_forms;

static int
visit_document(const json_t *block, struct visit *visit)
{
	const json_t *source = json_object_get(block, "source");

	if (text_is(source, "type", "text"))
		return visit_text(visit, PIECE_TEXT,
				  json_object_get(source, "data"));
	if (text_is(source, "type", "content"))
		return visit_content(json_object_get(source, "content"),
				     &part_forms, visit);
	return visit_blob(visit,
			  json_string_length(json_object_get(source, "data")));
}

static int
visit_search_result(const json_t *block, struct visit *visit)
{
	return visit_content(json_object_get(block, "content"), &part_forms,
			     visit);
}

static int
visit_tool_result(const json_t *block, struct visit *visit)
{
	int result;

	if (visit->role == ROLE_ASSISTANT)
		return visit_fail(visit, "a tool_result is in a message of "
					 "the assistant");
	result = visit_call(visit, PIECE_RESULT, text_of(block, "tool_use_id"),
			    NULL, NULL);
	return result != 0 ? result
			   : visit_content(json_object_get(block, "content"),
					   &part_forms, visit);
}

/* What a tool of the interface's own gave back. */
static int
visit_other(const json_t *block, struct visit *visit)
{
	const char *type = text_of(block, "type");

	if (ends_with(type, "_tool_result"))
		return visit_call(visit, PIECE_SERVER_RESULT,
				  text_of(block, "tool_use_id"), NULL,
				  json_object_get(block, "content"));
	return visit_fail(visit,
			  "unknown type of block \"%.40s\"; known are text, "
			  "image, document, tool_use, tool_result, thinking "
			  "and their kin",
			  type);
}

static const struct part_form parts[] = {
	{ "text", PIECE_TEXT, NULL, "text", false, NULL },
	{ "thinking", PIECE_GUESS, NULL, "thinking", true, NULL },
	{ "redacted_thinking", PIECE_GUESS, NULL, NULL, true, NULL },
	{ "compaction", PIECE_GUESS, NULL, NULL, true, NULL },
	{ "tool_reference", PIECE_GUESS, NULL, NULL, false, NULL },
	{ "container_upload", PIECE_BLOB, NULL, NULL, true, NULL },
	{ "image", PIECE_IMAGE, NULL, NULL, true, visit_image },
	{ "document", PIECE_BLOB, NULL, NULL, true, visit_document },
	{ "search_result", PIECE_TEXT, NULL, NULL, true, visit_search_result },
	{ "tool_use", PIECE_CALL, NULL, "input", true, NULL },
	{ "tool_result", PIECE_RESULT, NULL, NULL, true, visit_tool_result },
	{ "server_tool_use", PIECE_SERVER_CALL, NULL, "input", true, NULL },
	{ "mcp_tool_use", PIECE_SERVER_CALL, NULL, "input", true, NULL },
};

static const struct part_forms part_forms = { .rows = parts,
					      .nr = ARRAY_LEN(parts),
					      .other = visit_other };

static const char *
anthropic_result_key(const json_t *holder)
{
	return text_is(holder, "type", "tool_result") ? "content" : NULL;
}

/* Whether a message of the user's holds nothing but results. */
static bool
is_all_results(const json_t *content)
{
	size_t nr = json_array_size(content);
	size_t results = 0;

	for (size_t i = 0; i < nr; i++)
		results += anthropic_result_key(json_array_get(content, i)) !=
			   NULL;
	return nr > 0 && results == nr;
}

static int
anthropic_visit(const json_t *message, struct visit *visit)
{
	const json_t *content = json_object_get(message, "content");
	int result;

	if (!json_is_object(message))
		return visit_fail(visit, "it is not an object");
	if (!find_role(message, 2, 2, &visit->role))
		return visit_fail(visit,
				  "its role is neither user nor assistant; the "
				  "system prompt stands beside the messages, "
				  "as \"system\"");
	if (content == NULL || json_is_null(content))
		return visit_fail(visit, "it has no content");
	result = visit_content(content, &part_forms, visit);
	if (result == 0 && visit->role == ROLE_USER && is_all_results(content))
		visit->role = ROLE_TOOL;
	return result;
}

const struct format_ops anthropic_ops = {
	.name = "anthropic",
	.array_key = "messages",
	.text_part = "text",
	.system_key = "system",
	.parts = &part_forms,
	.visit = anthropic_visit,
	.result_key = anthropic_result_key,
	.user_message = "{\"role\":\"user\","
			"\"content\":[{\"type\":\"text\"}]}",
};
