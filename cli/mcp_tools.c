/* SPDX-License-Identifier: MIT */
/*
 * mcp_tools.c - the tools, as clients and models read of them.
 *
 * Does: checks arguments by the same schemas that clients get.
 */
#include "cli/mcp.h"

#include <string.h>

#define TEXT_MAX 16384 /* bytes of an argument */
#define LIST_MAX 64
#define INTEGERS_TO 9007199254740992.0 /* that a double has all of */

#define PATHS                                                              \
	"\"paths\":{\"type\":\"array\",\"items\":{\"type\":\"string\"},"   \
	"\"description\":\"files or directories; default: all\"},"         \
	"\"include\":{\"type\":\"array\",\"items\":{\"type\":\"string\"}," \
	"\"description\":\"globs, as src/*.c\"},"                          \
	"\"exclude\":{\"type\":\"array\",\"items\":{\"type\":\"string\"}},"
#define TOKENS                                                  \
	"\"max_tokens\":{\"type\":\"integer\",\"minimum\":300," \
	"\"description\":\"of the whole answer\"}"
#define PART_OF_PACK                                                           \
	"{\"type\":\"object\",\"properties\":{\"pack\":{\"type\":\"string\"}," \
	"\"text\":{\"type\":\"string\"},\"next\":{\"type\":\"string\"}},"      \
	"\"required\":[\"text\"]}"
#define READ_ONLY                                                           \
	"\"annotations\":{\"readOnlyHint\":true,\"destructiveHint\":false," \
	"\"idempotentHint\":true,\"openWorldHint\":false}}"

/* By enum mcp_tool. */
static const char *const tools[] = {
	[MCP_TOOL_PACK] =
		"{\"name\":\"pack\",\"title\":\"Pack a source tree\","
		"\"description\":\"The text of the files and pieces that matter "
		"most, within max_tokens. With a query: what a task is about. "
		"Without: an overview of the tree.\","
		"\"inputSchema\":{\"type\":\"object\",\"properties\":{"
		"\"query\":{\"type\":\"string\",\"description\":\"the task, in "
		"your own words\"}," PATHS
		"\"compress\":{\"type\":\"boolean\",\"description\":"
		"\"signatures instead of text\"},"
		"\"format\":{\"type\":\"string\",\"enum\":[\"markdown\","
		"\"xml\",\"json\",\"jsonl\",\"plain\"]},"
		"\"budget\":{\"type\":\"integer\",\"minimum\":300,"
		"\"maximum\":1000000,\"description\":\"tokens of the pack, "
		"if more than the answer; see page\"}," TOKENS "}}," READ_ONLY,
	[MCP_TOOL_FIND] =
		"{\"name\":\"find\",\"title\":\"Find the places of a task\","
		"\"description\":\"Ranked places for a task, without their "
		"text: path, lines, what they define, tokens. Read the best "
		"with read.\","
		"\"inputSchema\":{\"type\":\"object\",\"properties\":{"
		"\"query\":{\"type\":\"string\",\"description\":\"a task in "
		"your own words, a name (of code, an option, a key, a file), "
		"a message, code as it stands, CLASS.NAME, callers of NAME, "
		"subclasses of NAME\"}," PATHS
		"\"limit\":{\"type\":\"integer\",\"minimum\":1,\"maximum\":"
		"200,\"default\":20}," TOKENS "},\"required\":[\"query\"]},"
		"\"outputSchema\":{\"type\":\"object\",\"properties\":{"
		"\"confidence\":{\"type\":\"string\"},"
		"\"places\":{\"type\":\"array\",\"items\":{\"type\":\"object\","
		"\"properties\":{\"path\":{\"type\":\"string\"},\"lines\":{"
		"\"type\":\"string\"},\"defines\":{\"type\":\"array\",\"items\":"
		"{\"type\":\"string\"}},\"tokens\":{\"type\":\"integer\"},"
		"\"score\":{\"type\":\"number\"},\"why\":{\"type\":\"string\"}},"
		"\"required\":[\"path\",\"lines\",\"tokens\",\"score\"]}},"
		"\"more\":{\"type\":\"boolean\"}},\"required\":[\"confidence\","
		"\"places\",\"more\"]}," READ_ONLY,
	[MCP_TOOL_READ] =
		"{\"name\":\"read\",\"title\":\"Read a file\","
		"\"description\":\"Lines or a definition of a file. The first "
		"line of the answer has the hash of the file; with it as "
		"if_hash the answer is 'unchanged' if it is.\","
		"\"inputSchema\":{\"type\":\"object\",\"properties\":{"
		"\"path\":{\"type\":\"string\"},"
		"\"lines\":{\"type\":\"string\",\"description\":\"as 10-40\"},"
		"\"definition\":{\"type\":\"string\",\"description\":\"name of a "
		"function, type, constant ..., or Owner.name\"},"
		"\"if_hash\":{\"type\":\"string\"}," TOKENS
		"},\"required\":[\"path\"]}," READ_ONLY,
	[MCP_TOOL_PAGE] =
		"{\"name\":\"page\",\"title\":\"More of a pack\","
		"\"description\":\"Text of a pack that was made: what "
		"follows, or lines with a pattern.\","
		"\"inputSchema\":{\"type\":\"object\",\"properties\":{"
		"\"pack\":{\"type\":\"string\",\"description\":\"its id, or "
		"the cursor of an answer\"},"
		"\"pattern\":{\"type\":\"string\",\"description\":\"text of a "
		"line; * is any text\"}," TOKENS
		"},\"required\":[\"pack\"]}," READ_ONLY,
	[MCP_TOOL_COUNT] =
		"{\"name\":\"count\",\"title\":\"Count tokens\","
		"\"description\":\"Exact tokens of files or directories.\","
		"\"inputSchema\":{\"type\":\"object\",\"properties\":{" PATHS
			TOKENS "}},"
		"\"outputSchema\":{\"type\":\"object\",\"properties\":{"
		"\"tokens\":{\"type\":\"integer\"},\"paths\":{\"type\":"
		"\"array\",\"items\":{\"type\":\"object\",\"properties\":{"
		"\"path\":{\"type\":\"string\"},\"tokens\":{\"type\":"
		"\"integer\"}},\"required\":[\"path\",\"tokens\"]}}},"
		"\"required\":[\"tokens\",\"paths\"]}," READ_ONLY,
};

/* What they are answered with where texts are structuredContent as well. */
static const char *const text_schemas[] = {
	[MCP_TOOL_PACK] = PART_OF_PACK,
	[MCP_TOOL_READ] =
		"{\"type\":\"object\",\"properties\":{\"path\":{\"type\":"
		"\"string\"},\"hash\":{\"type\":\"string\"},\"unchanged\":{"
		"\"type\":\"boolean\"},\"empty\":{\"type\":\"boolean\"},\"lines\":{\"type\":\"string\"},"
		"\"of\":{\"type\":\"integer\"},\"next\":{\"type\":"
		"\"string\"},\"others\":{\"type\":\"string\"},"
		"\"line_bytes\":{\"type\":\"integer\"},\"text\":{\"type\":\"string\"}},\"required\":["
		"\"path\",\"hash\"]}",
	[MCP_TOOL_PAGE] = PART_OF_PACK,
	[MCP_TOOL_COUNT] = NULL,
};

/* The description of a tool. Owner: json_decref() */
static json_t *
tool_of(enum mcp_tool tool)
{
	return json_loads(tools[tool], 0, NULL);
}

enum mcp_tool
mcp_tool_named(const char *name)
{
	for (size_t i = 1; i < ARRAY_LEN(tools); i++) {
		json_t *tool = tool_of((enum mcp_tool)i);
		const char *own =
			json_string_value(json_object_get(tool, "name"));
		bool is_it = own != NULL && strcmp(name, own) == 0;

		json_decref(tool);
		if (is_it)
			return (enum mcp_tool)i;
	}
	return MCP_TOOL_NONE;
}

json_t *
mcp_tools_list(const struct mcp_scope *scope, bool is_modern)
{
	json_t *list = json_array();
	json_t *result;

	for (size_t i = 1; i < ARRAY_LEN(tools); i++) {
		json_t *tool = tool_of((enum mcp_tool)i);

		if (scope->is_structured && text_schemas[i] != NULL)
			json_object_set_new(
				tool, "outputSchema",
				json_loads(text_schemas[i], 0, NULL));
		json_array_append_new(list, tool);
	}
	result = json_pack("{s:o}", "tools", list);
	mcp_list_finish(result, is_modern);
	return result;
}

#define WANTED_BYTES 256

/* One of the words that a schema names. */
static void
want_word(const json_t *value, const json_t *words, char wanted[WANTED_BYTES])
{
	size_t nr = 0;

	for (size_t i = 0; i < json_array_size(words); i++)
		if (json_equal(value, json_array_get(words, i)))
			return;
	for (size_t i = 0; i < json_array_size(words) && nr < WANTED_BYTES; i++)
		nr += (size_t)snprintf(
			wanted + nr, WANTED_BYTES - nr, "%s%s",
			i == 0 ? "one of " : ", ",
			json_string_value(json_array_get(words, i)));
}

/* A text that no word of a command line would be cut in; NULL: it is one. */
static const char *
text_refused(const json_t *value)
{
	size_t bytes = json_string_length(value);

	if (!json_is_string(value))
		return "a string";
	if (bytes > TEXT_MAX)
		return "a string of at most 16384 bytes";
	return bytes == 0 ? "a string that is not empty" : NULL;
}

static const char *
list_refused(const json_t *value)
{
	const char *wanted = NULL;

	if (!json_is_array(value) || json_array_size(value) > LIST_MAX)
		return "an array of at most 64 strings";
	for (size_t i = 0; i < json_array_size(value) && wanted == NULL; i++)
		wanted = text_refused(json_array_get(value, i));
	return wanted == NULL ? NULL : "an array of strings that are not empty";
}

static void
want_number(const json_t *value, const json_t *schema,
	    char wanted[WANTED_BYTES])
{
	json_int_t min = json_integer_value(json_object_get(schema, "minimum"));
	const json_t *max = json_object_get(schema, "maximum");

	if (!json_is_integer(value))
		snprintf(wanted, WANTED_BYTES, "an integer");
	else if (json_integer_value(value) < min)
		snprintf(wanted, WANTED_BYTES, "at least %lld", (long long)min);
	else if (max != NULL &&
		 json_integer_value(value) > json_integer_value(max))
		snprintf(wanted, WANTED_BYTES, "at most %lld",
			 (long long)json_integer_value(max));
}

/* What an argument should be, in `wanted`; "": it is. */
static void
want(const json_t *value, const json_t *schema, char wanted[WANTED_BYTES])
{
	const char *type = json_string_value(json_object_get(schema, "type"));
	const char *text = NULL;

	wanted[0] = '\0';
	if (json_object_get(schema, "enum") != NULL)
		want_word(value, json_object_get(schema, "enum"), wanted);
	else if (strcmp(type, "integer") == 0)
		want_number(value, schema, wanted);
	else if (strcmp(type, "string") == 0)
		text = text_refused(value);
	else if (strcmp(type, "array") == 0)
		text = list_refused(value);
	else if (!json_is_boolean(value))
		text = "true or false";
	if (text != NULL)
		snprintf(wanted, WANTED_BYTES, "%s", text);
}

/* Refuses an argument by name, if it is to be. */
static void
refuse(const char *key, const json_t *value, const json_t *schema, char *out,
       size_t size)
{
	char wanted[WANTED_BYTES];

	if (schema == NULL) {
		snprintf(out, size, "%.64s: no argument of this tool", key);
		return;
	}
	want(value, schema, wanted);
	if (wanted[0] != '\0')
		snprintf(out, size, "%.64s: expected %s", key, wanted);
}

void
mcp_tool_tidy(json_t *arguments)
{
	const char *key;
	json_t *value;
	void *next;

	json_object_foreach_safe(arguments, next, key, value)
	{
		double number = json_real_value(value);

		if (json_is_null(value))
			json_object_del(arguments, key);
		else if (json_is_real(value) && number >= -INTEGERS_TO &&
			 number <= INTEGERS_TO &&
			 number == (double)(json_int_t)number)
			json_object_set_new(arguments, key,
					    json_integer((json_int_t)number));
	}
}

bool
mcp_tool_refuses(enum mcp_tool tool, const json_t *arguments, char *out,
		 size_t size)
{
	json_t *own = tool_of(tool);
	const json_t *input = json_object_get(own, "inputSchema");
	const json_t *required = json_object_get(input, "required");
	json_t *properties = json_object_get(input, "properties");
	const char *key;
	json_t *value;

	*out = '\0';
	json_object_foreach((json_t *)(uintptr_t)arguments, key, value)
	{
		if (*out == '\0')
			refuse(key, value, json_object_get(properties, key),
			       out, size);
	}
	for (size_t i = 0; i < json_array_size(required) && *out == '\0'; i++) {
		key = json_string_value(json_array_get(required, i));
		if (json_object_get(arguments, key) == NULL)
			snprintf(out, size, "%s is missing", key);
	}
	json_decref(own);
	return *out != '\0';
}
