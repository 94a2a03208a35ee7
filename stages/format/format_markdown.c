/* SPDX-License-Identifier: MIT */
/*
 * format_markdown.c - headers, fences, gap marks.
 */
#include "stages/format/format.h"

#include <stdio.h>
#include <string.h>

uint32_t
format_fence(uint32_t backtick_run)
{
	return backtick_run < FORMAT_FENCE_MIN ? FORMAT_FENCE_MIN
					       : backtick_run + 1;
}

void
format_quote(char *name)
{
	size_t bytes = strlen(name);

	if (name[0] == '"' || strstr(name, " (") == NULL)
		return;
	memmove(name + 1, name, bytes);
	name[0] = '"';
	memcpy(name + 1 + bytes, "\"", 2);
}

/* Room for some of it at least: how much, or 0 if there will be none. */
static size_t
make_room(struct format_text *text, size_t nr)
{
	if (text->room == 0 && text->spill != NULL)
		text->spill(text);
	if (text->room == 0)
		text->short_of_room = true;
	return min_size(nr, text->room);
}

static void
add(struct format_text *text, const char *bytes, size_t nr)
{
	while (nr > 0) {
		size_t part = make_room(text, nr);

		if (part == 0)
			return;
		memcpy(text->at, bytes, part);
		text->at += part;
		text->room -= part;
		bytes += part;
		nr -= part;
	}
}

static void
add_string(struct format_text *text, const char *string)
{
	add(text, string, strlen(string));
}

static void
add_lines(struct format_text *text, uint64_t first, uint64_t last)
{
	char lines[64];

	snprintf(lines, sizeof(lines), "lines %llu-%llu",
		 (unsigned long long)first, (unsigned long long)last);
	add_string(text, lines);
}

/* May be longer than any room there is: contents are hostile. */
static void
add_fence(struct format_text *text, uint32_t fence)
{
	while (fence > 0) {
		size_t part = make_room(text, fence);

		if (part == 0)
			return;
		memset(text->at, '`', part);
		text->at += part;
		text->room -= part;
		fence -= (uint32_t)part;
	}
}

void
format_open(struct format_text *text, const struct format_section *section)
{
	add_string(text, "## File: ");
	add_string(text, section->path);
	if (section->same_as != NULL) {
		add_string(text, " (same as ");
		add_string(text, section->same_as);
		add_string(text, ")\n\n");
		return;
	}
	if (section->empty) {
		add_string(text, " (empty)\n\n");
		return;
	}
	add_string(text, " (");
	add_lines(text, section->line_first, section->line_last);
	if (section->charset != NULL) {
		add_string(text, ", from ");
		add_string(text, section->charset);
	}
	if (section->no_newline)
		add_string(text, ", no newline at end");
	add_string(text, ")\n");
	add_fence(text, section->fence);
	add(text, section->hint, section->hint_bytes);
	add_string(text, "\n");
}

void
format_close(struct format_text *text, uint32_t fence, bool needs_newline)
{
	if (needs_newline)
		add_string(text, "\n");
	add_fence(text, fence);
	add_string(text, "\n\n");
}

void
format_gap(struct format_text *text, uint64_t line_first, uint64_t line_last)
{
	add_string(text, "// ... (");
	add_lines(text, line_first, line_last);
	add_string(text, ")\n");
}

void
format_broken(struct format_text *text, const char *reason)
{
	add_string(text, "\n// ... (the rest is left out: ");
	add_string(text, reason);
	add_string(text, ")\n");
}
