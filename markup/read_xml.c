/* SPDX-License-Identifier: MIT */
/*
 * read_xml.c - our XML read back: one element for each file, its content in
 * CDATA sections or as text.
 */
#include <stdio.h>
#include <string.h>

#include "base/utf8.h"
#include "markup/reader.h"

#define NAME_BYTES 32
#define VALUE_BYTES 64

/* "#x1b;", "#13;", "lt;": the character; -1: none of them. */
static int64_t
take_entity(struct markup_reader *reader)
{
	static const struct {
		const char *name;
		char c;
	} names[] = { { "lt;", '<' },
		      { "gt;", '>' },
		      { "amp;", '&' },
		      { "quot;", '"' },
		      { "apos;", '\'' } };
	unsigned base = 10;
	uint64_t value = 0;

	for (size_t i = 0; i < ARRAY_LEN(names); i++)
		if (markup_take(reader, names[i].name))
			return names[i].c;
	if (!markup_take(reader, "#"))
		return -1;
	if (markup_take(reader, "x"))
		base = 16;
	for (; reader->at < reader->end && *reader->at != ';'; reader->at++) {
		unsigned c = *reader->at | 0x20u;
		unsigned digit = c >= 'a' ? c - 'a' + 10 : c - '0';

		/* below '0' it wraps, and is too large as well */
		if (digit >= base)
			return -1;
		value = value * base + digit;
		if (value > 0x10ffff)
			return -1;
	}
	if (!markup_take(reader, ";") || value == 0 ||
	    (value >= 0xd800 && value < 0xe000))
		return -1;
	return (int64_t)value;
}

/* A name, then ="; false: there is no further attribute. */
static bool
take_attribute(struct markup_reader *reader, char name[NAME_BYTES])
{
	size_t nr = 0;

	markup_skip_blanks(reader);
	while (reader->at < reader->end &&
	       ((*reader->at >= 'a' && *reader->at <= 'z') ||
		*reader->at == '-')) {
		if (nr + 1 == NAME_BYTES)
			return false;
		name[nr++] = (char)*reader->at++;
	}
	name[nr] = '\0';
	return nr > 0 && markup_take(reader, "=\"");
}

/* A value up to its closing quote; false: malformed or too long. */
static bool
take_value(struct markup_reader *reader, uint8_t *value, size_t room,
	   size_t *value_bytes)
{
	*value_bytes = 0;
	while (reader->at < reader->end && *reader->at != '<') {
		uint8_t bytes[4] = { *reader->at++ };
		size_t nr = 1;

		if (bytes[0] == '"')
			return true;
		if (bytes[0] == '&') {
			int64_t c = take_entity(reader);

			if (c < 0)
				return false;
			nr = utf8_put((char *)bytes, (uint32_t)c);
		}
		if (nr > room - *value_bytes)
			return false;
		memcpy(value + *value_bytes, bytes, nr);
		*value_bytes += nr;
	}
	return false;
}

/* A path that is quoted as in C, within the value of an attribute. */
static bool
unquote(struct markup_reader *reader, uint8_t *path, size_t *path_bytes)
{
	const uint8_t *at = reader->at;
	const uint8_t *end = reader->end;
	size_t nr = 0;
	bool good;

	/* what comes out is never longer than what goes in */
	reader->at = path;
	reader->end = path + *path_bytes;
	good = markup_take_quoted(reader, path, &nr) &&
	       reader->at == reader->end;
	reader->at = at;
	reader->end = end;
	*path_bytes = nr;
	return good;
}

static bool
take_numbers(struct markup_reader *reader, uint64_t *first, uint64_t *last)
{
	return markup_take_range(reader, first, last) &&
	       markup_take(reader, "\"");
}

/* Names of files that are not there. */
static bool
skip_value(struct markup_reader *reader)
{
	const uint8_t *end =
		memchr(reader->at, '"', (size_t)(reader->end - reader->at));

	if (end == NULL)
		return false;
	reader->at = end + 1;
	return true;
}

/* What may be said of a file; a bit each, by its place. */
static const char *const attributes[] = {
	"path",    "path-quoted",   "same-as", "same-as-quoted", "lines",
	"of",      "from",          "hash",    "continued",      "goes-on",
	"empty",   "signatures-of", "escaped", "removed",        "numbered",
	"without", "language",      "in-part", "characters",     "also",
	NULL,
};

/* A path, or the one that this file is the same as. */
static bool
take_path(struct markup_reader *reader, uint8_t *path, size_t *path_bytes,
	  bool is_quoted)
{
	/* by another name it would be there twice */
	if (*path_bytes > 0 ||
	    !take_value(reader, path, MARKUP_PATH_BYTES_MAX, path_bytes))
		return false;
	return !is_quoted || unquote(reader, path, path_bytes);
}

/* What is true or not, or of a few words. */
static void
set_word(struct markup_reader *reader, const char *name, const char *value)
{
	struct markup_file *file = &reader->file;

	if (strcmp(name, "from") == 0)
		snprintf(file->charset, sizeof(file->charset), "%.31s", value);
	if (strcmp(name, "continued") == 0)
		file->continued = strcmp(value, "yes") == 0
					  ? MARKUP_CONTINUED
					  : MARKUP_CONTINUED_MID;
	markup_set_word(reader, name);
}

static bool
take_file_attribute(struct markup_reader *reader, const char *name)
{
	struct markup_file *file = &reader->file;
	uint8_t value[VALUE_BYTES];
	size_t nr;

	if (!markup_note_key(reader, name, attributes))
		return false;
	if (strcmp(name, "path") == 0 || strcmp(name, "path-quoted") == 0)
		return take_path(reader, reader->path, &file->path_bytes,
				 name[4] != '\0');
	if (strcmp(name, "same-as") == 0 || strcmp(name, "same-as-quoted") == 0)
		return take_path(reader, reader->same_as, &file->same_as_bytes,
				 name[7] != '\0');
	if (strcmp(name, "lines") == 0)
		return take_numbers(reader, &file->line_first,
				    &file->line_last);
	if (strcmp(name, "of") == 0) {
		file->has_line_nr = true;
		return markup_take_number(reader, &file->line_nr) &&
		       markup_take(reader, "\"");
	}
	if (strcmp(name, "also") == 0)
		return skip_value(reader);
	if (strcmp(name, "hash") == 0)
		return markup_take_hash(reader) && markup_take(reader, "\"");
	if (!take_value(reader, value, sizeof(value) - 1, &nr))
		return false;
	value[nr] = '\0';
	set_word(reader, name, (const char *)value);
	return true;
}

/* What stands in a CDATA section, past its end. */
static int
take_cdata(struct markup_reader *reader)
{
	const uint8_t *from = reader->at;
	const uint8_t *found =
		memmem(from, (size_t)(reader->end - from), "]]>", 3);

	if (found == NULL)
		return markup_fail(reader, "a CDATA section without end");
	reader->at = found + 3;
	return markup_emit_text(reader, from, (size_t)(found - from));
}

static int
take_byte(struct markup_reader *reader)
{
	static const char digits[] = "0123456789abcdef";
	uint8_t byte = 0;

	for (int i = 0; i < 2; i++) {
		const char *digit = reader->at < reader->end && *reader->at != 0
					    ? strchr(digits, *reader->at)
					    : NULL;

		if (digit == NULL)
			return markup_fail(reader, "a byte of no kind");
		byte = (uint8_t)(byte << 4 | (digit - digits));
		reader->at++;
	}
	if (!markup_take(reader, "\"/>"))
		return markup_fail(reader, "a byte of no kind");
	return markup_emit_text(reader, &byte, 1);
}

static int
take_character(struct markup_reader *reader)
{
	int64_t c = take_entity(reader);
	char bytes[4];

	if (c < 0)
		return markup_fail(reader, "a character of no kind");
	return markup_emit_text(reader, (const uint8_t *)bytes,
				utf8_put(bytes, (uint32_t)c));
}

static int
take_plain(struct markup_reader *reader)
{
	const uint8_t *from = reader->at;

	while (reader->at < reader->end && *reader->at != '<' &&
	       *reader->at != '&')
		reader->at++;
	if (reader->at == from)
		return markup_fail(reader, "an element of no kind");
	return markup_emit_text(reader, from, (size_t)(reader->at - from));
}

/* Behind "<gap" or "<broken": which lines, if it says so. */
static int
take_gap(struct markup_reader *reader)
{
	char name[NAME_BYTES];
	uint64_t first = 0;
	uint64_t last = 0;
	bool good = true;

	while (good && take_attribute(reader, name)) {
		uint8_t value[VALUE_BYTES];
		size_t nr;

		if (strcmp(name, "lines") == 0 && first == 0)
			good = take_numbers(reader, &first, &last);
		else
			good = take_value(reader, value, sizeof(value), &nr);
	}
	markup_skip_blanks(reader);
	if (!good || !markup_take(reader, "/>"))
		return markup_fail(reader, "a gap of no kind");
	return markup_emit_gap(reader, first, last);
}

/* Up to </file>. */
static int
take_content(struct markup_reader *reader)
{
	int result = 0;

	while (result == 0 && !markup_take(reader, "</file>")) {
		if (reader->at == reader->end)
			return markup_fail(reader, "a file without end");
		if (markup_take(reader, "<![CDATA[")) {
			result = take_cdata(reader);
		} else if (markup_take(reader, "&")) {
			result = take_character(reader);
		} else if (markup_take(reader, "<byte hex=\"")) {
			result = take_byte(reader);
		} else if (markup_take(reader, "<gap") ||
			   markup_take(reader, "<broken")) {
			result = take_gap(reader);
		} else {
			result = take_plain(reader);
		}
	}
	return result;
}

/* Behind "<file". */
static int
take_file(struct markup_reader *reader)
{
	char name[NAME_BYTES];
	int result;

	markup_begin_file(reader);
	while (take_attribute(reader, name))
		if (!take_file_attribute(reader, name))
			return markup_fail(reader, "an attribute of no kind");
	markup_skip_blanks(reader);
	if (markup_take(reader, "/>")) {
		if (!reader->file.empty && reader->file.same_as_bytes == 0)
			return markup_fail(reader, "a file without content");
		result = markup_emit_file(reader);
		return result == 0 ? markup_emit_end(reader) : result;
	}
	if (!markup_take(reader, ">") || reader->file.line_first == 0)
		return markup_fail(reader, "a file of no kind");
	result = markup_emit_file(reader);
	if (result == 0)
		result = take_content(reader);
	return result == 0 ? markup_emit_end(reader) : result;
}

/*
 * Up to a tag, over CDATA sections that may look like it. A file on the way is
 * none of <files>, and would be lost without a word.
 */
static bool
skip_to(struct markup_reader *reader, const char *tag)
{
	while (reader->at < reader->end) {
		const uint8_t *next = memchr(
			reader->at, '<', (size_t)(reader->end - reader->at));

		if (next == NULL)
			return false;
		reader->at = next;
		if (markup_take(reader, tag))
			return true;
		if (markup_take(reader, "<file "))
			return false;
		if (markup_take(reader, "<![CDATA[")) {
			next = memmem(reader->at,
				      (size_t)(reader->end - reader->at), "]]>",
				      3);
			if (next == NULL)
				return false;
			reader->at = next + 3;
		} else {
			reader->at++;
		}
	}
	return false;
}

int
markup_part_xml(struct markup_reader *reader)
{
	char name[NAME_BYTES];
	uint8_t other[VALUE_BYTES];
	size_t other_nr;
	uint64_t number = 0;
	uint64_t nr = 0;
	bool says = false;

	if (!skip_to(reader, "<bale"))
		return 0;
	while (take_attribute(reader, name)) {
		uint64_t *value = strcmp(name, "part") == 0 ? &number
				  : strcmp(name, "of") == 0 ? &nr
							    : NULL;

		if (value == NULL
			    ? !take_value(reader, other, sizeof(other),
					  &other_nr)
			    : *value != 0 ||
				      !markup_take_number(reader, value) ||
				      !markup_take(reader, "\""))
			return markup_fail(reader, "a part of no kind");
		says |= value != NULL;
	}
	return says ? markup_set_part(reader, number, nr) : 0;
}

/* <end files="12"/>, which outputs without hashes do not have. */
static int
take_end(struct markup_reader *reader)
{
	uint64_t nr;

	markup_skip_blanks(reader);
	if (!markup_take(reader, "<end "))
		return 0;
	markup_skip_blanks(reader);
	if (!markup_take(reader, "files=\"") ||
	    !markup_take_number(reader, &nr) || !markup_take(reader, "\""))
		return markup_fail(reader, "an end of no kind");
	markup_skip_blanks(reader);
	if (!markup_take(reader, "/>"))
		return markup_fail(reader, "an end of no kind");
	return markup_take_end(reader, nr);
}

int
markup_read_xml(struct markup_reader *reader)
{
	int result = 0;

	if (!skip_to(reader, "<files>"))
		return markup_fail(reader, "no files element");
	while (result == 0) {
		markup_skip_blanks(reader);
		if (markup_take(reader, "<file"))
			result = take_file(reader);
		else if (markup_take(reader, "</files>"))
			break;
		else
			result = markup_fail(reader, "no file element");
	}
	if (result == 0)
		result = take_end(reader);
	if (result == 0 && !skip_to(reader, "</bale>"))
		result = markup_fail(reader, "the end is missing");
	return result;
}
