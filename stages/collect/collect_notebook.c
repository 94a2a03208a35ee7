/* SPDX-License-Identifier: MIT */
/*
 * collect_notebook.c - a Jupyter notebook, by the sources of its cells.
 *
 * Does: what jupytext calls the percent format: "# %%" before a cell of code,
 *       "# %% [markdown]" before another, whose lines are comments then, as the
 *       language of the code has them.
 * Does not: keep outputs, metadata and empty cells; check that it is JSON.
 * Invariants:
 * 1. However the bytes are cut into calls, the same bytes come out.
 * Limits: a cell whose "cell_type" follows its "source" counts as code.
 */
#include "stages/collect/collect.h"

#include <string.h>

#include "base/utf8.h"

#define BEGINNING_BYTES 4096 /* of a file, where a notebook has cells */

/*
 * Depths of what is looked at:   { "cells": [ { "source": [ "..." ] } ] }
 *                                1          2 3           4
 */
#define ROOT_DEPTH 1
#define CELL_DEPTH 3
#define LINES_DEPTH 4

static bool
is_key(const struct collect_notebook *notebook, const char *key)
{
	return strcmp(notebook->key, key) == 0;
}

static bool
is_object(const struct collect_notebook *notebook)
{
	return notebook->depth > 0 && notebook->depth <= 64 &&
	       (notebook->objects >> (notebook->depth - 1) & 1) != 0;
}

static bool
is_source(const struct collect_notebook *notebook)
{
	return notebook->in_cells && is_key(notebook, "source") &&
	       (notebook->depth == CELL_DEPTH ||
		(notebook->depth == LINES_DEPTH && !is_object(notebook)));
}

static void
put_text(struct collect_convert *convert, const char *text)
{
	collect_elide_run(convert, (const uint8_t *)text, strlen(text), false);
}

/* Bytes of a source, all of one line. */
static void
put_line(struct collect_convert *convert, const uint8_t *bytes, size_t nr)
{
	struct collect_notebook *notebook = &convert->notebook;

	const char *comment =
		notebook->comment == NULL ? "#" : notebook->comment;

	if (nr == 0)
		return;
	if (!notebook->has_marker) {
		put_text(convert, notebook->cells_nr++ > 0 ? "\n" : "");
		put_text(convert, comment);
		put_text(convert,
			 notebook->is_code ? " %%\n" : " %% [markdown]\n");
		notebook->has_marker = true;
		notebook->mid_line = false;
	}
	if (!notebook->mid_line && !notebook->is_code) {
		put_text(convert, comment);
		put_text(convert, bytes[0] == '\n' ? "" : " ");
	}
	collect_elide_run(convert, bytes, nr, false);
	notebook->mid_line = bytes[nr - 1] != '\n';
}

static void
put_code(struct collect_convert *convert, uint32_t c)
{
	uint8_t bytes[4];

	put_line(convert, bytes, utf8_put((char *)bytes, c));
}

/* The key or the type of a cell, as far as there is room. */
static void
take_word(struct collect_notebook *notebook, const uint8_t *bytes, size_t nr)
{
	size_t room = sizeof(notebook->word) - 1 - notebook->word_bytes;

	nr = min_size(nr, room);
	memcpy(notebook->word + notebook->word_bytes, bytes, nr);
	notebook->word_bytes += nr;
	notebook->word[notebook->word_bytes] = '\0';
}

/* Bytes of a string without an escape. */
static void
take_string(struct collect_convert *convert, const uint8_t *bytes, size_t nr)
{
	struct collect_notebook *notebook = &convert->notebook;

	if (notebook->of_source)
		put_line(convert, bytes, nr);
	else
		take_word(notebook, bytes, nr);
}

static void
take_escaped(struct collect_convert *convert, uint32_t c)
{
	struct collect_notebook *notebook = &convert->notebook;

	if (!notebook->of_source)
		return;
	if (notebook->surrogate != 0 && (c < 0xdc00 || c > 0xdfff)) {
		notebook->surrogate = 0;
		put_code(convert, 0xfffd);
	}
	if (c >= 0xd800 && c <= 0xdbff) {
		notebook->surrogate = c;
	} else if (c >= 0xdc00 && c <= 0xdfff) {
		put_code(convert,
			 notebook->surrogate == 0
				 ? 0xfffd
				 : 0x10000 +
					   ((notebook->surrogate - 0xd800)
					    << 10) +
					   (c - 0xdc00));
		notebook->surrogate = 0;
	} else {
		put_code(convert, c);
	}
}

/* A byte behind '\\'. */
static void
take_escape(struct collect_convert *convert, uint8_t c)
{
	static const char names[] = "bfnrt";
	static const char codes[] = "\b\f\n\r\t";
	struct collect_notebook *notebook = &convert->notebook;
	const char *name = strchr(names, c);

	if (notebook->hex_left > 0) {
		unsigned digit =
			c <= '9' ? c - (unsigned)'0' : (c | 0x20u) - 'a' + 10;

		notebook->hex = notebook->hex << 4 | (digit & 15);
		if (--notebook->hex_left == 0) {
			notebook->in_escape = false;
			take_escaped(convert, notebook->hex);
		}
		return;
	}
	if (c == 'u') {
		notebook->hex_left = 4;
		notebook->hex = 0;
		return;
	}
	notebook->in_escape = false;
	take_escaped(convert, c != '\0' && name != NULL
				      ? (uint8_t)codes[name - names]
				      : c);
}

static void
end_string(struct collect_convert *convert)
{
	struct collect_notebook *notebook = &convert->notebook;

	if (notebook->surrogate != 0)
		take_escaped(convert, ' ');
	notebook->in_string = false;
	if (notebook->wants_key) {
		notebook->wants_key = false;
		if (notebook->depth == ROOT_DEPTH ||
		    notebook->depth == CELL_DEPTH)
			memcpy(notebook->key, notebook->word,
			       sizeof(notebook->key));
	} else if (notebook->depth == CELL_DEPTH &&
		   is_key(notebook, "cell_type")) {
		notebook->is_code = strcmp(notebook->word, "markdown") != 0 &&
				    strcmp(notebook->word, "raw") != 0;
	}
}

/* The end of a source: its last line ends. */
static void
end_source(struct collect_convert *convert)
{
	struct collect_notebook *notebook = &convert->notebook;

	if (notebook->has_marker && notebook->mid_line)
		put_text(convert, "\n");
	notebook->mid_line = false;
}

static void
open_container(struct collect_notebook *notebook, bool is_object)
{
	notebook->depth++;
	if (notebook->depth <= 64) {
		notebook->objects &= ~(1ull << (notebook->depth - 1));
		notebook->objects |= (uint64_t)is_object
				     << (notebook->depth - 1);
	}
	notebook->wants_key = is_object;
	if (notebook->depth == 2 && !is_object)
		notebook->in_cells = is_key(notebook, "cells");
	if (notebook->depth != CELL_DEPTH)
		return;
	notebook->has_marker = false;
	notebook->is_code = true;
	memset(notebook->key, 0, sizeof(notebook->key));
}

static void
close_container(struct collect_convert *convert)
{
	struct collect_notebook *notebook = &convert->notebook;

	if (notebook->depth == CELL_DEPTH && notebook->in_cells)
		end_source(convert);
	if (notebook->depth > 0)
		notebook->depth--;
	if (notebook->depth == ROOT_DEPTH)
		notebook->in_cells = false;
	notebook->wants_key = false;
}

/* A byte outside strings. */
static void
take_mark(struct collect_convert *convert, uint8_t c)
{
	struct collect_notebook *notebook = &convert->notebook;

	if (c == '{' || c == '[') {
		open_container(notebook, c == '{');
	} else if (c == '}' || c == ']') {
		close_container(convert);
	} else if (c == ',') {
		notebook->wants_key = is_object(notebook);
	} else if (c == '"') {
		notebook->in_string = true;
		notebook->of_source =
			!notebook->wants_key && is_source(notebook);
		notebook->word_bytes = 0;
		notebook->word[0] = '\0';
	}
}

void
collect_notebook_run(struct collect_convert *convert, const uint8_t *from,
		     size_t bytes, bool is_last)
{
	struct collect_notebook *notebook = &convert->notebook;
	const uint8_t *end = from + bytes;

	while (from < end) {
		const uint8_t *at = from;

		if (!notebook->in_string || notebook->in_escape) {
			if (notebook->in_string)
				take_escape(convert, *from++);
			else
				take_mark(convert, *from++);
			continue;
		}
		while (at < end && *at != '"' && *at != '\\')
			at++;
		if (at > from && notebook->surrogate != 0)
			take_escaped(convert, *from++);
		take_string(convert, from, (size_t)(at - from));
		from = at;
		if (from == end)
			break;
		notebook->in_escape = *from == '\\';
		if (*from++ == '"')
			end_string(convert);
	}
	if (!is_last)
		return;
	end_source(convert);
	collect_elide_run(convert, end, 0, true);
}

/* Behind the string that begins here. */
static const uint8_t *
string_end(const uint8_t *at, const uint8_t *end)
{
	while (++at < end && *at != '"')
		at += *at == '\\';
	return at < end ? at + 1 : end;
}

static const uint8_t *
past_blanks(const uint8_t *at, const uint8_t *end)
{
	while (at < end && strchr(" \t\r\n", *at) != NULL && *at != '\0')
		at++;
	return at;
}

/* Whether what stands there is ":" and an array with an object in it. */
static bool
begins_cells(const uint8_t *at, const uint8_t *end)
{
	static const char marks[] = ":[{";

	for (size_t i = 0; i < sizeof(marks) - 1; i++) {
		at = past_blanks(at, end);
		if (at == end || *at++ != (uint8_t)marks[i])
			return false;
	}
	return true;
}

/* Whether the object itself has cells, not one within it: those of version 3 are
 * in worksheets, and it stays as it is. */
static bool
has_cells(const uint8_t *text, const uint8_t *end)
{
	static const char key[] = "\"cells\"";
	size_t key_bytes = sizeof(key) - 1;
	int depth = 0;

	for (const uint8_t *next; text < end; text = next) {
		next = *text == '"' ? string_end(text, end) : text + 1;
		depth += *text == '{' || *text == '[';
		depth -= *text == '}' || *text == ']';
		if (depth == 1 && (size_t)(next - text) == key_bytes &&
		    memcmp(text, key, key_bytes) == 0 &&
		    begins_cells(next, end))
			return true;
	}
	return false;
}

bool
collect_is_notebook(const char *name, size_t name_bytes, const uint8_t *text,
		    size_t bytes)
{
	static const char suffix[] = ".ipynb";
	size_t suffix_bytes = sizeof(suffix) - 1;

	return name_bytes > suffix_bytes &&
	       memcmp(name + name_bytes - suffix_bytes, suffix, suffix_bytes) ==
		       0 &&
	       has_cells(text, text + min_size(bytes, BEGINNING_BYTES));
}

/* Behind the last "key" of a text; NULL: there is none. */
static const uint8_t *
behind_key(const uint8_t *text, size_t bytes, const char *key)
{
	size_t key_bytes = strlen(key);
	const uint8_t *last = NULL;
	const uint8_t *at;

	while ((at = memmem(text, bytes, key, key_bytes)) != NULL) {
		last = at + key_bytes;
		bytes -= (size_t)(last - text);
		text = last;
	}
	return last;
}

/* The string that is the value of a key, in the object that begins behind
 * `text`, not in one within it; NULL: it has none. */
static const uint8_t *
value_of(const uint8_t *text, const uint8_t *end, const char *key, size_t *nr)
{
	size_t key_bytes = strlen(key);
	bool is_value = false;
	int depth = 0;

	for (const uint8_t *next; text < end; text = next) {
		next = *text == '"' ? string_end(text, end) : text + 1;
		depth += (*text == '{') - (*text == '}');
		if (next == end || (depth == 0 && *text == '}'))
			return NULL;
		if (depth != 1 || *text != '"')
			continue;
		*nr = (size_t)(next - text) - 2;
		if (is_value)
			return text + 1;
		is_value = *nr + 2 == key_bytes &&
			   memcmp(text, key, key_bytes) == 0;
	}
	return NULL;
}

const uint8_t *
collect_notebook_language(const uint8_t *text, size_t bytes, size_t *nr)
{
	static const char *const keys[][2] = {
		{ "\"kernelspec\"", "\"language\"" },
		{ "\"language_info\"", "\"name\"" },
	};

	for (size_t i = 0; i < ARRAY_LEN(keys); i++) {
		const uint8_t *at = behind_key(text, bytes, keys[i][0]);
		const uint8_t *value =
			at == NULL ? NULL
				   : value_of(at, text + bytes, keys[i][1], nr);

		if (value != NULL)
			return value;
	}
	return NULL;
}
