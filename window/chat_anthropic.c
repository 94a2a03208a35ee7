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

#include <errno.h>
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

static int
visit_block(const json_t *block, struct visit *visit);

static const struct part_form parts[] = {
	{ "text", PIECE_TEXT, NULL, "text" },
	{ "thinking", PIECE_GUESS, NULL, "thinking" },
	{ "redacted_thinking", PIECE_GUESS, NULL, NULL },
	{ "compaction", PIECE_GUESS, NULL, NULL },
	{ "tool_reference", PIECE_GUESS, NULL, NULL },
	{ "container_upload", PIECE_BLOB, NULL, NULL },
};

static const struct part_forms part_forms = { .rows = parts,
					      .nr = ARRAY_LEN(parts),
					      .other = visit_block };

static const char *const own_parts[] = {
	"tool_use",     "tool_result", "thinking",      "redacted_thinking",
	"image",        "document",    "search_result", "server_tool_use",
	"mcp_tool_use", NULL,
};

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
visit_tool_use(const json_t *block, enum piece_kind kind, struct visit *visit)
{
	int result = visit_call(visit, kind, text_of(block, "id"),
				text_of(block, "name"));

	if (result != 0)
		return result;
	return visit_json(visit, json_object_get(block, "input"));
}

/* What a tool of the interface's own gave back. */
static int
visit_server_result(const json_t *block, struct visit *visit)
{
	int result = visit_call(visit, PIECE_SERVER_RESULT,
				text_of(block, "tool_use_id"), NULL);

	if (result != 0)
		return result;
	return visit_json(visit, json_object_get(block, "content"));
}

/* A call of a tool, or its result. */
static int
visit_client_tool(const json_t *block, bool is_call, struct visit *visit)
{
	int result;

	if (is_call && visit->role != ROLE_ASSISTANT)
		return visit_fail(visit,
				  "a tool_use is in a message of the user");
	if (is_call)
		return visit_tool_use(block, PIECE_CALL, visit);
	if (visit->role == ROLE_ASSISTANT)
		return visit_fail(visit, "a tool_result is in a message of "
					 "the assistant");
	result = visit_call(visit, PIECE_RESULT, text_of(block, "tool_use_id"),
			    NULL);
	return result != 0 ? result
			   : visit_content(json_object_get(block, "content"),
					   &part_forms, visit);
}

/* What is not one piece. */
static int
visit_block(const json_t *block, struct visit *visit)
{
	const char *type = text_of(block, "type");

	if (strcmp(type, "image") == 0)
		return visit_image(block, visit);
	if (strcmp(type, "document") == 0)
		return visit_document(block, visit);
	if (strcmp(type, "search_result") == 0)
		return visit_content(json_object_get(block, "content"),
				     &part_forms, visit);
	if (strcmp(type, "tool_use") == 0 || strcmp(type, "tool_result") == 0)
		return visit_client_tool(block, strcmp(type, "tool_use") == 0,
					 visit);
	if (strcmp(type, "server_tool_use") == 0 ||
	    strcmp(type, "mcp_tool_use") == 0)
		return visit_tool_use(block, PIECE_SERVER_CALL, visit);
	if (ends_with(type, "_tool_result"))
		return visit_server_result(block, visit);
	return visit_fail(visit,
			  "unknown type of block \"%.40s\"; known are text, "
			  "image, document, tool_use, tool_result, thinking "
			  "and their kin",
			  type);
}

/* Whether a message of the user's holds nothing but results. */
static bool
is_all_results(const json_t *content)
{
	size_t nr = json_array_size(content);
	size_t results = 0;

	for (size_t i = 0; i < nr; i++)
		results += text_is(json_array_get(content, i), "type",
				   "tool_result");
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

static int
anthropic_results(json_t *message, const struct result_visit *visit)
{
	json_t *content = json_object_get(message, "content");
	json_t *block;
	size_t i;

	json_array_foreach(content, i, block)
	{
		int result = 0;

		if (text_is(block, "type", "tool_result"))
			result = visit->result(visit->arg, block, "content");
		if (result != 0)
			return result;
	}
	return 0;
}

static json_t *
anthropic_user_message(const char *text)
{
	return json_pack("{s:s, s:[{s:s, s:s}]}", "role", "user", "content",
			 "type", "text", "text", text);
}

const struct format_ops anthropic_ops = {
	.name = "anthropic",
	.array_key = "messages",
	.text_part = "text",
	.message_tokens = 4,
	.reply_tokens = 3,
	.visit = anthropic_visit,
	.results = anthropic_results,
	.own_parts = own_parts,
	.user_message = anthropic_user_message,
};
