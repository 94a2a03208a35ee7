/* SPDX-License-Identifier: MIT */
/*
 * script.c - scripts in markup: the script of a component, of a page.
 *
 * Does: scans them as the language that they are in, up to the tag that ends
 *       them, with the element around it as the outermost frame; Astro's, up to
 *       the fence, with a frame that is none of the text's.
 * Does not: know a tag; tags.c does.
 * Invariants:
 * 1. scan->lang is that of the file whenever a feed has ended.
 */
#include "lang/walk.h"

#include <string.h>

#define SCRIPT_END "</script"
#define FENCE "---"

/* Values of the attributes `lang` and `type`. */
static const struct {
	const char *value;
	uint32_t lang;
} values[] = {
	{ "ts", LANG_TYPESCRIPT },
	{ "typescript", LANG_TYPESCRIPT },
	{ "text/typescript", LANG_TYPESCRIPT },
	{ "tsx", LANG_TSX },
	{ "jsx", LANG_JSX },
	{ "text/babel", LANG_JSX },
	{ "js", LANG_JAVASCRIPT },
	{ "javascript", LANG_JAVASCRIPT },
	{ "module", LANG_JAVASCRIPT },
	{ "text/javascript", LANG_JAVASCRIPT },
	{ "application/javascript", LANG_JAVASCRIPT },
};

static bool
is_space(uint8_t c)
{
	return is_blank_byte(c) || c == '\n';
}

struct attribute {
	size_t name;
	size_t name_bytes;
	size_t value;
	size_t value_bytes;
};

/* Reads the attribute at `at`; returns where the next one may begin. */
static size_t
read_attribute(const struct walk *walk, size_t at, size_t end,
	       struct attribute *attribute)
{
	const uint8_t *text = walk->text;
	uint8_t quote = 0;

	attribute->name = at;
	while (at < end && !is_space(text[at]) && text[at] != '=')
		at++;
	attribute->name_bytes = at - attribute->name;
	at = min_size(walk_skip_space(walk, at), end);
	attribute->value = at;
	attribute->value_bytes = 0;
	if (at == end || text[at] != '=')
		return at;
	at = min_size(walk_skip_space(walk, at + 1), end);
	if (at < end && (text[at] == '"' || text[at] == '\''))
		quote = text[at++];
	attribute->value = at;
	while (at < end &&
	       (quote == 0 ? !is_space(text[at]) : text[at] != quote))
		at++;
	attribute->value_bytes = at - attribute->value;
	return min_size(at + 1, end);
}

static uint32_t
language_of_value(const struct walk *walk, const struct attribute *attribute)
{
	for (size_t i = 0; i < ARRAY_LEN(values); i++)
		if (walk_word_is(walk, attribute->value, attribute->value_bytes,
				 values[i].value))
			return values[i].lang;
	return LANG_NONE;
}

uint32_t
script_language(const struct walk *walk, size_t at, size_t end)
{
	uint32_t lang = LANG_JAVASCRIPT;
	struct attribute attribute;

	while ((at = walk_skip_space(walk, at)) < end) {
		at = read_attribute(walk, at, end, &attribute);
		if (walk_word_is(walk, attribute.name, attribute.name_bytes,
				 "lang"))
			return language_of_value(walk, &attribute);
		if (walk_word_is(walk, attribute.name, attribute.name_bytes,
				 "type"))
			lang = language_of_value(walk, &attribute);
	}
	return lang;
}

void
script_begin(struct walk *walk, size_t at, uint32_t lang)
{
	struct lang_scan *scan = walk->scan;

	walk_frame(walk)->type = FRAME_TOP;
	scan->script = lang;
	scan->script_end = 0;
	scan->script_seen = walk->off + at;
	scan->floor = scan->depth;
	scan->attr_off = UINT64_MAX;
	scan->has_lead = 0;
	scan->resumes = 0;
	memset(scan->aux, 0, sizeof(scan->aux));
	walk_begin_statement(walk, at);
}

void
script_begin_fenced(struct walk *walk)
{
	size_t at = walk_skip_space(walk, 0);

	if (!walk_has(walk, at, FENCE))
		return;
	walk_push(walk, FRAME_TOP, NULL);
	walk_frame(walk)->brace = BRACE_FENCE;
	walk->at = at + strlen(FENCE);
	script_begin(walk, walk->at, LANG_TYPESCRIPT);
}

/* Whether the script is one between fences. */
static bool
is_fenced(const struct lang_scan *scan)
{
	return scan->frames[scan->floor - 1].brace == BRACE_FENCE;
}

/* What ends the script. */
static const char *
term_of(const struct lang_scan *scan)
{
	return is_fenced(scan) ? "\n" FENCE : SCRIPT_END;
}

/* Looks for the end in what has not been looked through yet. */
static void
find_end(const struct walk *walk)
{
	struct lang_scan *scan = walk->scan;
	const char *term = term_of(scan);
	const size_t term_bytes = strlen(term);
	size_t from = walk_index(walk, scan->script_seen);
	const uint8_t *found;

	if (scan->script_end != 0)
		return;
	found = memmem(walk->text + from, walk->bytes - from, term, term_bytes);
	if (found != NULL)
		scan->script_end = walk->off + (uint64_t)(found - walk->text);
	else if (walk->at_end)
		scan->script_end = walk->off + walk->bytes;
	else if (walk->bytes - from >= term_bytes)
		scan->script_seen = walk->off + walk->bytes - term_bytes + 1;
}

/* The walk over what is known of the script. */
static struct walk
inner_walk(const struct walk *walk)
{
	const struct lang_scan *scan = walk->scan;
	struct walk inner = *walk;

	inner.at_end = scan->script_end != 0 &&
		       scan->script_end <= walk->off + walk->bytes;
	if (inner.at_end) {
		inner.bytes = walk_index(walk, scan->script_end);
		inner.end = inner.bytes;
		inner.until = min_size(walk->until, inner.end);
	} else if (scan->script_end == 0) {
		/* a part of the term may lie there */
		inner.bytes -= min_size(strlen(term_of(scan)), walk->bytes);
	}
	walk_set_language(&inner, scan->script);
	return inner;
}

bool
script_scan(struct walk *walk)
{
	struct lang_scan *scan = walk->scan;
	uint32_t lang = scan->lang;
	struct walk inner;
	bool ends;

	find_end(walk);
	inner = inner_walk(walk);
	scan_braces(&inner);
	ends = inner.at_end && inner.at >= inner.end;
	if (ends) {
		lex_end(&inner);
		scan_braces_end(&inner);
		/* an escape may take the byte behind the script with it */
		inner.at = inner.end;
		scan->script = LANG_NONE;
		scan->over = 0;
		/* no tag closes what a fence has opened */
		if (is_fenced(scan))
			scan->depth = scan->floor - 1;
		scan->floor = 0;
	}
	if (scan->mode.kind == MODE_CODE)
		lex_code(&inner, min_size(inner.at, inner.bytes));
	scan->lang = lang;
	walk->at = inner.at;
	walk->line_start = inner.line_start;
	walk->line_known = inner.line_known;
	return ends;
}
