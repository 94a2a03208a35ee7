/* SPDX-License-Identifier: MIT */
/*
 * outline_names.c - the lines "imports: a, b" and "exports: a, b".
 *
 * Does: keeps what is imported and what is listed as exported, each once, until
 *       the part ends.
 */
#include "lang/outline.h"

#include <string.h>

#include "lang/text.h"

/* The first byte of what is kept. */
enum named { NAMED_IMPORT = 'i', NAMED_EXPORT = 'e' };

static uint32_t *
left_of(struct lang_outliner *outliner, enum named what)
{
	return what == NAMED_IMPORT ? &outliner->import_left
				    : &outliner->listed_left;
}

/* The line that the first of a kind stands in. */
static void
note_line(struct lang_maker *maker, enum named what, size_t at)
{
	uint32_t *line = what == NAMED_IMPORT ? &maker->outliner->import_line
					      : &maker->outliner->listed_line;

	if (maker->numbers && *line == 0)
		*line = lang_line_at(&maker->line, maker->text->bytes, at);
}

/* An import as one line: blanks are one, and none within braces. */
static uint32_t
tidy(const uint8_t *text, size_t bytes, uint8_t *out)
{
	uint32_t nr = 0;

	for (size_t i = 0; i < bytes && nr < OUTLINE_IMPORTS_BYTES; i++) {
		uint8_t c = text[i];

		if (lang_is_blank(c) || c == '\n' || c == 0) {
			if (nr > 0 && out[nr - 1] != ' ' && out[nr - 1] != '{')
				out[nr++] = ' ';
			continue;
		}
		while (c == '}' && nr > 0 &&
		       (out[nr - 1] == ' ' || out[nr - 1] == ','))
			nr--;
		out[nr++] = c;
	}
	while (nr > 0 && out[nr - 1] == ' ')
		nr--;
	return nr;
}

/* Whether it is kept already. */
static bool
is_kept(const struct lang_maker *maker, const uint8_t *name, uint32_t bytes)
{
	const uint8_t *at = maker->imports_end - maker->outliner->import_bytes;

	while (at < maker->imports_end) {
		size_t nr = strlen((const char *)at);

		if (nr == bytes && memcmp(at, name, bytes) == 0)
			return true;
		at += nr + 1;
	}
	return false;
}

/* Keeps it before imports_end, behind a byte that says what it is; the next one
 * lies before it. */
static void
keep(struct lang_maker *maker, enum named what, uint64_t off, uint32_t bytes)
{
	struct lang_outliner *outliner = maker->outliner;
	uint8_t name[OUTLINE_IMPORTS_BYTES + 1];
	size_t from = lang_text_place(maker->text, off);
	size_t end = lang_text_place(maker->text, off + bytes);
	uint32_t nr;

	if (outliner == NULL || from == end)
		return;
	name[0] = (uint8_t)what;
	nr = 1 + tidy(maker->text->bytes + from, end - from, name + 1);
	if (nr == 1 || is_kept(maker, name, nr))
		return;
	if (nr + 1 > OUTLINE_IMPORTS_BYTES - outliner->import_bytes) {
		*left_of(outliner, what) += 1;
		return;
	}
	note_line(maker, what, from);
	outliner->import_bytes += nr + 1;
	memcpy(maker->imports_end - outliner->import_bytes, name, nr);
	maker->imports_end[(int64_t)nr - outliner->import_bytes] = '\0';
}

void
lang_maker_import(void *maker, uint64_t off, uint32_t bytes)
{
	keep(maker, NAMED_IMPORT, off, bytes);
}

void
lang_maker_listed(void *maker, uint64_t off, uint32_t bytes)
{
	keep(maker, NAMED_EXPORT, off, bytes);
}

/* Whether a name has no room behind what is in its line. */
static bool
is_too_long(const struct lang_maker *maker, enum named what, size_t line_bytes,
	    size_t bytes)
{
	return maker->is_brief && what == NAMED_IMPORT && line_bytes > 0 &&
	       line_bytes + bytes > OUTLINE_BRIEF_BYTES;
}

/* A line of what is kept of one kind, in the order in which it was told. */
static uint8_t *
put_named(const struct lang_maker *maker, enum named what, const char *word,
	  uint8_t *line)
{
	struct lang_outliner *outliner = maker->outliner;
	const uint8_t *first = maker->imports_end - outliner->import_bytes;
	const uint8_t *end = maker->imports_end;
	uint8_t *out = line;

	while (end > first) {
		const uint8_t *at = end - 1;

		while (at > first && at[-1] != '\0')
			at--;
		if (*at == what &&
		    is_too_long(maker, what, (size_t)(out - line),
				(size_t)(end - at))) {
			*left_of(outliner, what) += 1;
		} else if (*at == what) {
			out = out == line ? mempcpy(out, word, strlen(word))
					  : mempcpy(out, ", ", 2);
			out = mempcpy(out, at + 1, (size_t)(end - 2 - at));
		}
		end = at;
	}
	if (out == line)
		return line;
	if (*left_of(outliner, what) > 0)
		out = mempcpy(out, ", ...", 5);
	*out++ = '\n';
	return out;
}

/* The same behind the number of that line; where it ends. */
static uint8_t *
put_numbered(const struct lang_maker *maker, enum named what, const char *word,
	     uint32_t number, uint8_t *line)
{
	uint8_t *from = line;
	uint8_t *end;

	if (maker->numbers)
		from += lang_put_number(number, line);
	end = put_named(maker, what, word, from);
	return end == from ? line : end;
}

size_t
lang_maker_imports(struct lang_maker *maker,
		   uint8_t line[static OUTLINE_LINE_BYTES])
{
	struct lang_outliner *outliner = maker->outliner;
	uint8_t *out = put_numbered(maker, NAMED_IMPORT,
				    "imports: ", outliner->import_line, line);

	out = put_numbered(maker, NAMED_EXPORT,
			   "exports: ", outliner->listed_line, out);
	outliner->import_line = 0;
	outliner->listed_line = 0;
	outliner->import_bytes = 0;
	outliner->import_left = 0;
	outliner->listed_left = 0;
	return (size_t)(out - line);
}

bool
lang_maker_has_listed(const struct lang_maker *maker)
{
	const uint8_t *at = maker->imports_end - maker->outliner->import_bytes;

	while (at < maker->imports_end && *at != NAMED_EXPORT)
		at += strlen((const char *)at) + 1;
	return at < maker->imports_end;
}
