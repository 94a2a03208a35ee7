/* SPDX-License-Identifier: MIT */
/*
 * mcp_result.c - results of tools, within the tokens of a call.
 */
#include "cli/mcp.h"

#include <string.h>

#include "tokenizer/tokenizer.h"

static uint64_t
count_text(const struct mcp_scope *scope, const char *text, size_t bytes)
{
	return tokenizer_count(scope->tokenizer, NULL, (const uint8_t *)text,
			       bytes);
}

uint64_t
mcp_result_tokens(const struct mcp_scope *scope, const json_t *result)
{
	json_t *rest = json_deep_copy(result);
	json_t *content = json_object_get(rest, "content");
	uint64_t tokens = 0;
	char *text;

	if (content == NULL)
		content = json_object_get(rest, "contents");
	for (size_t i = 0; i < json_array_size(content); i++) {
		json_t *block = json_array_get(content, i);
		const json_t *own = json_object_get(block, "text");

		tokens += count_text(scope, json_string_value(own),
				     json_string_length(own));
		json_object_set_new(block, "text", json_string(""));
	}
	text = json_dumps(rest, MCP_JSON);
	json_decref(rest);
	if (text == NULL)
		return UINT64_MAX;
	tokens += count_text(scope, text, strlen(text));
	free(text);
	/* whole tokens of an estimate, upwards */
	return tokens + (tokens * scope->margin_percent + 99) / 100;
}

json_t *
mcp_text_result(const struct mcp_call *call, const char *text, size_t bytes)
{
	json_t *result = json_pack("{s:[{s:s, s:s%}]}", "content", "type",
				   "text", "text", text, bytes);

	mcp_result_finish(result, call->is_modern);
	return result;
}

json_t *
mcp_value_result(const struct mcp_call *call, json_t *value)
{
	char *text = json_dumps(value, MCP_JSON);
	json_t *result = mcp_text_result(call, text == NULL ? "" : text,
					 text == NULL ? 0 : strlen(text));

	free(text);
	json_object_set(result, "structuredContent", value);
	return result;
}

json_t *
mcp_structured_text(const struct mcp_call *call, json_t *value,
		    const char *text, size_t bytes)
{
	json_t *result;

	json_object_set_new(value, "note", json_string(MCP_DATA));
	json_object_set_new(value, "text", json_stringn(text, bytes));
	result = mcp_value_result(call, value);
	json_decref(value);
	return result;
}

/* How many are tried next, of least to most, where `nr` had so many tokens and
 * `limit` may be: as many as that would be of, and now and then the middle. */
static size_t
next_nr(const size_t range[2], size_t nr, uint64_t tokens, uint64_t limit,
	unsigned tried)
{
	double guess = (double)nr * (double)limit / (double)max_u64(tokens, 1);

	if (tried % 4 == 3)
		return range[0] + (range[1] - range[0]) / 2;
	if (guess >= (double)range[1])
		return range[1];
	return max_u64((uint64_t)guess, range[0]);
}

json_t *
mcp_fit(const struct mcp_call *call, size_t least, size_t most,
	mcp_parts_fn *parts, void *context)
{
	json_t *best = NULL;
	size_t range[2] = { least, most };
	size_t nr = most;

	for (unsigned tried = 0; range[0] <= range[1]; tried++) {
		json_t *result = parts(call, context, nr);
		uint64_t tokens =
			result == NULL ? UINT64_MAX
				       : mcp_result_tokens(call->scope, result);

		if (tokens <= call->tokens) {
			json_decref(best);
			best = result;
			range[0] = nr + 1;
		} else {
			json_decref(result);
			if (nr == 0)
				break;
			range[1] = nr - 1;
		}
		nr = next_nr(range, nr, tokens, call->tokens, tried);
	}
	return best;
}

/* A list of a value, and all that it may have. */
struct list_part {
	json_t *value;
	json_t *all;
	const char *key;
};

static json_t *
first_items(const struct mcp_call *call, void *context, size_t nr)
{
	struct list_part *list = context;
	json_t *some = json_array();

	for (size_t i = 0; i < nr; i++)
		json_array_append(some, json_array_get(list->all, i));
	json_object_set_new(list->value, list->key, some);
	return mcp_value_result(call, list->value);
}

json_t *
mcp_fit_list(const struct mcp_call *call, json_t *value, const char *key)
{
	struct list_part list = {
		.value = value,
		.all = json_incref(json_object_get(value, key)),
		.key = key,
	};
	json_t *result =
		mcp_fit(call, 0, json_array_size(list.all), first_items, &list);

	json_decref(list.all);
	return result;
}
