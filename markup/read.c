/* SPDX-License-Identifier: MIT */
/*
 * read.c - what reading back has in common for all formats.
 */
#include "markup/read.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Where in the number before a line we are. */
enum number_state { NUMBER_FIRST = 0, NUMBER_MORE, NUMBER_COLON, NUMBER_PAST };

int
markup_fail(struct markup_reader *reader, const char *what)
{
	if (reader->what == NULL)
		reader->what = what;
	return -EBADMSG;
}

bool
markup_take(struct markup_reader *reader, const char *word)
{
	size_t nr = strlen(word);

	if ((size_t)(reader->end - reader->at) < nr ||
	    memcmp(reader->at, word, nr) != 0)
		return false;
	reader->at += nr;
	return true;
}

bool
markup_take_number(struct markup_reader *reader, uint64_t *number)
{
	const uint8_t *from = reader->at;

	*number = 0;
	while (reader->at < reader->end && *reader->at >= '0' &&
	       *reader->at <= '9') {
		if (__builtin_mul_overflow(*number, 10, number) ||
		    __builtin_add_overflow(
			    *number, (uint64_t)(*reader->at - '0'), number))
			return false;
		reader->at++;
	}
	return reader->at > from;
}

bool
markup_take_range(struct markup_reader *reader, uint64_t *first, uint64_t *last)
{
	return markup_take_number(reader, first) && markup_take(reader, "-") &&
	       markup_take_number(reader, last) && *first >= 1 &&
	       *last >= *first;
}

int
markup_tell_file(struct markup_reader *reader)
{
	struct markup_file *file = &reader->file;

	file->path = reader->path;
	file->same_as = reader->same_as;
	if (file->path_bytes == 0)
		return markup_fail(reader, "a file without a path");
	if (file->line_nr == 0)
		file->line_nr = file->line_last;
	/* the number stands before the start of the line */
	reader->number_state = file->continued == MARKUP_CONTINUED_MID
				       ? NUMBER_PAST
				       : NUMBER_FIRST;
	return reader->sink->file(reader->sink->context, file);
}

/* Takes of a number what there is of it; false: this is none. */
static bool
skip_number(struct markup_reader *reader, const uint8_t **at,
	    const uint8_t *end)
{
	for (; *at < end && reader->number_state != NUMBER_PAST; ++*at) {
		bool digit = **at >= '0' && **at <= '9';

		if (reader->number_state == NUMBER_COLON && **at == ' ')
			reader->number_state = NUMBER_PAST;
		else if (reader->number_state == NUMBER_MORE && **at == ':')
			reader->number_state = NUMBER_COLON;
		else if (reader->number_state <= NUMBER_MORE && digit)
			reader->number_state = NUMBER_MORE;
		else
			return false;
	}
	return true;
}

int
markup_tell_text(struct markup_reader *reader, const uint8_t *text, size_t nr)
{
	const struct markup_sink *sink = reader->sink;
	const uint8_t *end = text + nr;
	int result = 0;

	if (!reader->numbered)
		return nr == 0 ? 0 : sink->text(sink->context, text, nr);
	while (text < end && result == 0) {
		const uint8_t *newline;
		const uint8_t *until;

		if (!skip_number(reader, &text, end))
			return markup_fail(reader, "a line without a number");
		if (text == end)
			break;
		newline = memchr(text, '\n', (size_t)(end - text));
		until = newline == NULL ? end : newline + 1;
		result =
			sink->text(sink->context, text, (size_t)(until - text));
		if (newline != NULL)
			reader->number_state = NUMBER_FIRST;
		text = until;
	}
	return result;
}

int
markup_tell_gap(struct markup_reader *reader)
{
	reader->number_state = NUMBER_FIRST;
	return reader->sink->gap(reader->sink->context);
}

int
markup_tell_end(struct markup_reader *reader)
{
	return reader->sink->end(reader->sink->context);
}

bool
markup_path_add(uint8_t *path, size_t *path_bytes, const uint8_t *bytes,
		size_t nr)
{
	if (nr > MARKUP_PATH_BYTES_MAX - *path_bytes)
		return false;
	memcpy(path + *path_bytes, bytes, nr);
	*path_bytes += nr;
	return true;
}

/* What a backslash and what follows stand for; -1: nothing. */
static int
take_escape(struct markup_reader *reader)
{
	static const char letters[] = "ntr\"\\";
	static const char meant[] = "\n\t\r\"\\";
	const char *letter;
	int value = 0;

	if (reader->at == reader->end)
		return -1;
	letter = *reader->at == 0 ? NULL : strchr(letters, *reader->at);
	if (letter != NULL) {
		reader->at++;
		return meant[letter - letters];
	}
	if (reader->end - reader->at < 3)
		return -1;
	for (int i = 0; i < 3; i++) {
		if (*reader->at < '0' || *reader->at > '7')
			return -1;
		value = value * 8 + (*reader->at++ - '0');
	}
	return value > 0 && value < 256 ? value : -1;
}

bool
markup_take_quoted(struct markup_reader *reader, uint8_t *path,
		   size_t *path_bytes)
{
	if (!markup_take(reader, "\""))
		return false;
	while (reader->at < reader->end && *reader->at != '\n') {
		int c = *reader->at++;
		uint8_t byte;

		if (c == '"')
			return true;
		if (c == '\\')
			c = take_escape(reader);
		byte = (uint8_t)c;
		if (c < 0 || !markup_path_add(path, path_bytes, &byte, 1))
			return false;
	}
	return false;
}

size_t
markup_put_utf8(uint8_t *to, uint32_t c)
{
	unsigned more = c < 0x80 ? 0 : c < 0x800 ? 1 : c < 0x10000 ? 2 : 3;
	static const uint8_t leads[] = { 0, 0xc0, 0xe0, 0xf0 };

	to[0] = (uint8_t)(leads[more] | c >> 6 * more);
	for (unsigned i = 1; i <= more; i++)
		to[i] = (uint8_t)(0x80 | (c >> 6 * (more - i) & 0x3f));
	return more + 1;
}

static bool
begins(const uint8_t *bytes, size_t nr, const char *word)
{
	return nr >= strlen(word) && memcmp(bytes, word, strlen(word)) == 0;
}

int
markup_detect(const uint8_t *bytes, size_t nr, enum markup_kind *kind)
{
	const uint8_t *end = bytes + nr;

	*kind = MARKUP_NR;
	if (begins(bytes, nr, "<bale") || begins(bytes, nr, "<?xml")) {
		*kind = MARKUP_XML;
	} else if (begins(bytes, nr, "{")) {
		const uint8_t *newline = memchr(bytes, '\n', nr);
		size_t line = newline == NULL ? nr : (size_t)(newline - bytes);

		/* a document has lines of its own in its array of files */
		*kind = line > 0 && bytes[line - 1] == '}' ? MARKUP_JSONL
							   : MARKUP_JSON;
	}
	while (bytes < end && *kind == MARKUP_NR) {
		const uint8_t *newline =
			memchr(bytes, '\n', (size_t)(end - bytes));
		const uint8_t *until = newline == NULL ? end : newline;
		const char *line = (const char *)bytes;
		size_t line_bytes = (size_t)(until - bytes);

		if (markup_begins_file(MARKUP_MARKDOWN, line, line_bytes))
			*kind = MARKUP_MARKDOWN;
		else if (markup_begins_file(MARKUP_PLAIN, line, line_bytes))
			*kind = MARKUP_PLAIN;
		bytes = newline == NULL ? end : newline + 1;
	}
	return *kind == MARKUP_NR ? -EBADMSG : 0;
}

/* A word and a number behind it; NULL: they are not there. */
static const uint8_t *
take_counted(const uint8_t *at, const uint8_t *end, const char *word,
	     uint64_t *number)
{
	const uint8_t *from;

	if (at == NULL || !begins(at, (size_t)(end - at), word))
		return NULL;
	at += strlen(word);
	*number = 0;
	for (from = at; at < end && *at >= '0' && *at <= '9'; at++) {
		if (*number > UINT32_MAX)
			return NULL;
		*number = *number * 10 + (*at - '0');
	}
	return at > from && at < end ? at : NULL;
}

bool
markup_read_part(const uint8_t *bytes, size_t nr, struct markup_part *part)
{
	/* before the first number, before the second, and behind it */
	static const char *const forms[][3] = {
		{ "Part ", " of ", "\n" },
		{ "<bale part=\"", "\" of=\"", "\"" },
		{ "{\"bale\":1,\"part\":", ",\"of\":", ",}" },
	};
	const uint8_t *end = bytes + nr;

	for (size_t i = 0; i < ARRAY_LEN(forms); i++) {
		const uint8_t *at =
			take_counted(bytes, end, forms[i][0], &part->number);

		at = take_counted(at, end, forms[i][1], &part->nr);
		if (at != NULL && *at != 0 && strchr(forms[i][2], *at) != NULL)
			return part->number >= 1 && part->number <= part->nr;
	}
	return false;
}

static uint64_t
line_of(const struct markup_reader *reader)
{
	uint64_t line = 1;

	for (const uint8_t *at = reader->start; at < reader->at; at++)
		line += *at == '\n';
	return line;
}

int
markup_read(enum markup_kind kind, const uint8_t *bytes, size_t nr,
	    const struct markup_sink *sink, struct markup_error *error)
{
	struct markup_reader *reader = calloc(1, sizeof(*reader));
	int result;

	if (reader == NULL)
		return -ENOMEM;
	reader->start = bytes;
	reader->at = bytes;
	reader->end = bytes + nr;
	reader->sink = sink;
	if (kind == MARKUP_XML)
		result = markup_read_xml(reader);
	else if (kind == MARKUP_JSON || kind == MARKUP_JSONL)
		result = markup_read_json(reader, kind == MARKUP_JSONL);
	else
		result = markup_read_marked(reader, kind);
	error->what = reader->what == NULL ? "" : reader->what;
	error->line = result == -EBADMSG ? line_of(reader) : 0;
	free(reader);
	return result;
}
