/* SPDX-License-Identifier: MIT */
/*
 * test_markup_json_view.h - values for a template from JSON, to look at the
 * language alone, apart from what bale's own templates may name.
 */
#ifndef TESTS_SUPPORT_TEST_MARKUP_JSON_VIEW_H
#define TESTS_SUPPORT_TEST_MARKUP_JSON_VIEW_H

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "markup/template.h"

static bool
json_view_find(void *context, const void *node, const char *name, size_t nr,
	       const void **found)
{
	json_t *value = json_object_getn(node, name, nr);

	(void)context;
	if (value == NULL)
		return false;
	*found = value;
	return true;
}

static bool
json_view_is_true(void *context, const void *node)
{
	(void)context;
	if (json_is_string((const json_t *)node))
		return json_string_length(node) > 0;
	return !json_is_false((const json_t *)node) &&
	       !json_is_null((const json_t *)node);
}

static size_t
json_view_item_nr(void *context, const void *node)
{
	(void)context;
	return json_is_array((const json_t *)node) ? json_array_size(node)
						   : SIZE_MAX;
}

static const void *
json_view_item(void *context, const void *node, size_t at)
{
	(void)context;
	return json_array_get(node, at);
}

static void
json_view_text(void *context, const char *text, size_t nr)
{
	fwrite(text, 1, nr, context);
}

static void
json_view_put(void *context, const void *node, bool raw)
{
	const char *from;
	char number[64];
	char *out;
	struct markup_text text = { 0 };
	struct markup_rules rules;
	size_t room;

	if (json_is_string((const json_t *)node)) {
		from = json_string_value(node);
	} else if (json_is_integer((const json_t *)node)) {
		snprintf(number, sizeof(number), "%lld",
			 (long long)json_integer_value(node));
		from = number;
	} else if (json_is_real((const json_t *)node)) {
		snprintf(number, sizeof(number), "%.15g",
			 json_real_value(node));
		from = number;
	} else {
		return;
	}
	room = strlen(from) * 8 + 1;
	out = malloc(room);
	text.at = out;
	text.room = room;
	markup_rules_of_escape(&rules,
			       raw ? MARKUP_ESCAPE_NONE : MARKUP_ESCAPE_HTML);
	markup_add_escaped(&text, &rules, from, strlen(from));
	fwrite(out, 1, (size_t)(text.at - out), context);
	free(out);
}

/* What a template makes of a value: free(3); NULL: a mistake in it. */
static char *
json_view_render(const char *source, size_t nr, const json_t *data,
		 struct template_error *error)
{
	const struct template_range all = { TEMPLATE_NO_STEP,
					    TEMPLATE_NO_STEP };
	struct template_view view = {
		.find = json_view_find,
		.is_true = json_view_is_true,
		.item_nr = json_view_item_nr,
		.item = json_view_item,
		.put = json_view_put,
		.text = json_view_text,
	};
	struct template template;
	char *out = NULL;
	size_t out_nr;
	FILE *file;

	if (template_parse(&template, source, nr, error) != 0)
		return NULL;
	file = open_memstream(&out, &out_nr);
	view.context = file;
	template_walk(&template, &view, data, NULL, all);
	fclose(file);
	template_free(&template);
	return out;
}

#endif
