/* SPDX-License-Identifier: MIT */
/*
 * regex.c - regular expressions between slashes.
 *
 * Does: tells them from divisions, and from the ends of tags, by what stands
 *       before the slash.
 */
#include "lang/walk.h"

#include <string.h>

/* Whether a slash before > ends a tag of JSX: <br />, </>. What stands before a
 * regular expression stands in no tag. */
static bool
ends_tag(const struct walk *walk, size_t end)
{
	uint8_t before = walk->text[end - 1];

	if (before == '>')
		return end < 2 || walk->text[end - 2] != '=';
	return !is_word_byte(before) && !is_one_of("(,=:[!&|?{;+-*%~^", before);
}

/* Whether a slash begins a regular expression: by what stands before it. */
static bool
regex_may_begin(const struct walk *walk, size_t at)
{
	static const char before[] = "return typeof case in of delete void "
				     "throw new else do yield await";
	bool may_be_tag = walk_byte(walk, at + 1) == '>';
	size_t end = walk_skip_space_back(walk, at);
	size_t from;

	if (end == 0)
		return true;
	if (may_be_tag && ends_tag(walk, end))
		return false;
	/* Awk: behind a rule begins the next one */
	if (walk->text[end - 1] == '}' && walk->scan->lang == LANG_AWK)
		return walk_first_on_line(walk, at);
	if (!is_word_byte(walk->text[end - 1]))
		return strchr(")]}\"'`$", walk->text[end - 1]) == NULL;
	from = walk_word_start(walk, end, 16);
	return lang_word(may_be_tag ? "return" : before, walk->text + from,
			 end - from, NULL);
}

/* After one that does not end with its line there is none on it. */
static size_t
skip_regex(struct walk *walk, size_t at)
{
	bool in_class = false;
	size_t i;

	for (i = at + 1; i < walk->end; i++) {
		uint8_t c = walk->text[i];

		if (c == '\n')
			break;
		if (c == '\\')
			i++;
		else if (c == '[')
			in_class = true;
		else if (c == ']')
			in_class = false;
		else if (c == '/' && !in_class)
			return i + 1;
	}
	walk->no_regex = i;
	return at + 1;
}

size_t
lex_regex(struct walk *walk, size_t at)
{
	if (!(walk->lang->traits & TRAIT_REGEX) || at < walk->no_regex ||
	    (at > 0 && walk->text[at - 1] == '<') || !regex_may_begin(walk, at))
		return at + 1;
	return skip_regex(walk, at);
}
