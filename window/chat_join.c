/* SPDX-License-Identifier: MIT */
/*
 * chat_join.c - two messages of one role as one, where roles have to alternate.
 */
#include "window/chat_impl.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

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
	char *text;
	size_t bytes;
	FILE *out = open_memstream(&text, &bytes);
	json_t *joined;

	if (out == NULL)
		return NULL;
	fwrite(json_string_value(first), 1, json_string_length(first), out);
	fputs(BETWEEN_TEXTS, out);
	fwrite(json_string_value(second), 1, json_string_length(second), out);
	if (text_end(out, &text) == NULL)
		return NULL;
	joined = json_stringn(text, bytes);
	free(text);
	return joined;
}

/* Adds a content to an array of parts; false: no memory. */
static bool
add_parts(const struct format_ops *ops, json_t *parts, const json_t *content)
{
	json_t *shared = (json_t *)(uintptr_t)content;

	if (json_is_string(content))
		return json_array_append_new(parts,
					     json_pack("{s:s, s:O}", "type",
						       ops->text_part, "text",
						       shared)) == 0;
	return json_array_extend(parts, shared) == 0;
}

static json_t *
join_parts(const struct format_ops *ops, const json_t *first,
	   const json_t *second)
{
	json_t *parts = json_array();

	if (parts != NULL && add_parts(ops, parts, first) &&
	    add_parts(ops, parts, second))
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
	json_t *joined = NULL;

	if (!has_content(more))
		joined = have != NULL ? json_incref(have) : json_null();
	else if (!has_content(have))
		joined = json_incref(more);
	else if (json_is_string(have) && json_is_string(more))
		joined = join_texts(have, more);
	else
		joined = join_parts(ops, have, more);
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
