/* SPDX-License-Identifier: MIT */
/*
 * options_globs.c - the patterns of --include and the like, spelt out.
 *
 * Does: commas and braces become patterns of their own, so that a message can
 *       name the one that matched nothing; "./a" becomes "/a".
 */
#include "cli/command_line.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/glob.h"

struct glob_list {
	struct command_line *line;
	struct text_list *out;
};

static int
add_pattern(void *context, const char *pattern, size_t bytes)
{
	struct glob_list *list = context;
	size_t dot = bytes > 2 && memcmp(pattern, "./", 2) == 0;
	struct text_list *copies = &list->line->copies;
	/* "./a" is "/a": the a of no other directory */
	char *copy = strndup(pattern + dot, bytes - dot);
	int error = copy == NULL ? -ENOMEM : text_list_add_copy(copies, copy);

	free(copy);
	if (error != 0)
		return error;
	return text_list_add(list->out, copies->items[copies->nr - 1]);
}

static int
expand_list(struct command_line *line, const char *option,
	    struct text_list *globs)
{
	struct text_list expanded = { 0 };
	struct glob_list list = { line, &expanded };

	for (size_t i = 0; i < globs->nr; i++) {
		int error = glob_expand(globs->items[i], add_pattern, &list);

		if (error == 0)
			continue;
		free(expanded.items);
		if (error != -E2BIG)
			return error;
		return complain(line,
				"BALE-CLI-002 --%s %s: stands for more than %d "
				"patterns, or is longer than a path can be",
				option, WORD_QUOTED(globs->items[i]),
				GLOB_ALTERNATIVES_MAX);
	}
	free(globs->items);
	*globs = expanded;
	return 0;
}

int
options_expand_globs(struct command_line *line)
{
	struct options *run = &line->run;
	const struct {
		enum option_id id;
		struct text_list *globs;
		bool *is_typed;
	} lists[] = {
		{ OPTION_INCLUDE, &run->includes, &run->includes_typed },
		{ OPTION_EXCLUDE, &run->excludes, &run->excludes_typed },
		{ OPTION_FORCE_INCLUDE, &run->forced, &run->forced_typed },
		{ OPTION_PIN, &run->pins, &run->pins_typed },
		{ OPTION_BOOST, &run->boosts, &run->boosts_typed },
	};

	for (size_t i = 0; i < ARRAY_LEN(lists); i++) {
		int error = expand_list(line, option_table[lists[i].id].name,
					lists[i].globs);

		if (error != 0)
			return error;
		*lists[i].is_typed = option_requested(line, lists[i].id);
	}
	return 0;
}
