/* SPDX-License-Identifier: MIT */
/*
 * mcp_prompts.c - prompts that users choose: a task, an overview.
 */
#include "cli/mcp.h"

#include <string.h>

#define MESSAGE_TASK                                                        \
	"%s\n\n"                                                            \
	"Find the code that this is about with the tool find, the task as " \
	"query. Read the places with the highest scores, by their lines, "  \
	"and what they lead to, by its definition. Say which files and "    \
	"lines you have relied on."
#define MESSAGE_OVERVIEW                                                     \
	"Call the tool pack without a query%s%s. Then say, in a page: what " \
	"this is for, its main parts and where they lie, how they work "     \
	"together, and where to begin reading."

static const struct prompt {
	const char *name;
	const char *title;
	const char *does;
	const char *argument;
	const char *about; /* it */
	bool is_required;
} prompts[] = {
	{ "task", "Work on a task", "Finds and reads the code of a task.",
	  "task", "the task, in your own words", true },
	{ "overview", "Get an overview", "Explains a source tree.", "path",
	  "a directory; default: all", false },
};

json_t *
mcp_prompts_list(bool is_modern)
{
	json_t *list = json_array();
	json_t *result;

	for (size_t i = 0; i < ARRAY_LEN(prompts); i++)
		json_array_append_new(
			list, json_pack("{s:s, s:s, s:s, s:[{s:s, s:s, s:b}]}",
					"name", prompts[i].name, "title",
					prompts[i].title, "description",
					prompts[i].does, "arguments", "name",
					prompts[i].argument, "description",
					prompts[i].about, "required",
					(int)prompts[i].is_required));
	result = json_pack("{s:o}", "prompts", list);
	mcp_list_finish(result, is_modern);
	return result;
}

/* The text of a prompt. Owner: free(); NULL: no memory. */
static char *
message_of(const struct prompt *prompt, const char *value)
{
	char *text = NULL;
	int bytes;

	if (strcmp(prompt->name, "task") == 0)
		bytes = asprintf(&text, MESSAGE_TASK, value);
	else
		bytes = asprintf(&text, MESSAGE_OVERVIEW,
				 value == NULL ? "" : ", with paths of only ",
				 value == NULL ? "" : value);
	return bytes < 0 ? NULL : text;
}

json_t *
mcp_prompts_get(const struct mcp_request *request)
{
	const char *name =
		json_string_value(json_object_get(request->params, "name"));
	const struct prompt *prompt = NULL;
	const char *value;
	json_t *result;
	char *text;

	for (size_t i = 0; name != NULL && i < ARRAY_LEN(prompts); i++)
		if (strcmp(name, prompts[i].name) == 0)
			prompt = &prompts[i];
	if (prompt == NULL)
		return mcp_error(request->id, MCP_INVALID_PARAMS,
				 "Unknown prompt: %s",
				 name == NULL ? "" : WORD_QUOTED(name));
	value = json_string_value(
		json_object_get(json_object_get(request->params, "arguments"),
				prompt->argument));
	if (value == NULL && prompt->is_required)
		return mcp_error(request->id, MCP_INVALID_PARAMS,
				 "%s is missing", prompt->argument);
	text = message_of(prompt, value);
	result = json_pack("{s:s, s:[{s:s, s:{s:s, s:s}}]}", "description",
			   prompt->does, "messages", "role", "user", "content",
			   "type", "text", "text", text == NULL ? "" : text);
	free(text);
	mcp_result_finish(result, request->is_modern);
	return mcp_answer(request->id, result);
}
