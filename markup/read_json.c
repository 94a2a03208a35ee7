/* SPDX-License-Identifier: MIT */
/*
 * read_json.c - our JSON and JSON lines read back.
 *
 * Texts go on to the sink as they are read, so that a file's path and lines
 * have to stand before its chunks, as we write them.
 */
#include <errno.h>
#include <string.h>

#include "markup/read.h"

#define DEPTH_MAX 64
#define KEY_BYTES 32
#define PART_BYTES 4096 /* of a string, told together */

/* Where the bytes of a string go. */
struct target {
	int (*put)(struct markup_reader *reader, struct target *target,
		   const uint8_t *bytes, size_t nr);
	uint8_t *to;
	size_t room;
	size_t nr;
};

static void
skip_blanks(struct markup_reader *reader)
{
	while (reader->at < reader->end &&
	       (*reader->at == ' ' || *reader->at == '\n' ||
		*reader->at == '\t' || *reader->at == '\r'))
		reader->at++;
}

static bool
take_sign(struct markup_reader *reader, const char *sign)
{
	skip_blanks(reader);
	return markup_take(reader, sign);
}

static int
put_memory(struct markup_reader *reader, struct target *target,
	   const uint8_t *bytes, size_t nr)
{
	if (nr > target->room - target->nr)
		return markup_fail(reader, "a string that is too long");
	memcpy(target->to + target->nr, bytes, nr);
	target->nr += nr;
	return 0;
}

static int
put_text(struct markup_reader *reader, struct target *target,
	 const uint8_t *bytes, size_t nr)
{
	(void)target;
	return markup_tell_text(reader, bytes, nr);
}

static int
put_nowhere(struct markup_reader *reader, struct target *target,
	    const uint8_t *bytes, size_t nr)
{
	(void)reader;
	(void)target;
	(void)bytes;
	(void)nr;
	return 0;
}

/* Four hexadecimal digits; -1: they are none. */
static int32_t
take_hex(struct markup_reader *reader)
{
	int32_t value = 0;

	if (reader->end - reader->at < 4)
		return -1;
	for (int i = 0; i < 4; i++) {
		uint8_t c = reader->at[i];
		int digit = c >= '0' && c <= '9'   ? c - '0'
			    : c >= 'a' && c <= 'f' ? c - 'a' + 10
			    : c >= 'A' && c <= 'F' ? c - 'A' + 10
						   : -1;

		if (digit < 0)
			return -1;
		value = value << 4 | digit;
	}
	reader->at += 4;
	return value;
}

/* Behind "\u": bytes; 0: malformed. A lone U+DC80 to U+DCFF is a byte. */
static size_t
take_unit(struct markup_reader *reader, uint8_t bytes[4])
{
	int32_t unit = take_hex(reader);
	int32_t low;

	if (unit >= 0xdc80 && unit <= 0xdcff) {
		bytes[0] = (uint8_t)unit;
		return 1;
	}
	if (unit < 0 || (unit >= 0xdc00 && unit < 0xe000))
		return 0;
	if (unit < 0xd800 || unit >= 0xe000)
		return markup_put_utf8(bytes, (uint32_t)unit);
	if (!markup_take(reader, "\\u"))
		return 0;
	low = take_hex(reader);
	if (low < 0xdc00 || low >= 0xe000)
		return 0;
	return markup_put_utf8(bytes,
			       0x10000u + ((uint32_t)(unit - 0xd800) << 10) +
				       (uint32_t)(low - 0xdc00));
}

/* Behind a backslash: bytes; 0: malformed. */
static size_t
take_escape(struct markup_reader *reader, uint8_t bytes[4])
{
	static const char letters[] = "bfnrt\"\\/";
	static const char meant[] = "\b\f\n\r\t\"\\/";
	const char *letter;

	if (reader->at == reader->end)
		return 0;
	if (*reader->at == 'u') {
		reader->at++;
		return take_unit(reader, bytes);
	}
	letter = *reader->at == 0 ? NULL : strchr(letters, *reader->at);
	if (letter == NULL)
		return 0;
	reader->at++;
	bytes[0] = (uint8_t)meant[letter - letters];
	return 1;
}

/* A string, whose bytes go to the target. */
static int
take_string(struct markup_reader *reader, struct target *target)
{
	uint8_t part[PART_BYTES + 4];
	size_t nr = 0;
	int result = 0;

	if (!take_sign(reader, "\""))
		return markup_fail(reader, "no string");
	while (result == 0 && !markup_take(reader, "\"")) {
		if (reader->at == reader->end || *reader->at < 0x20)
			return markup_fail(reader, "a string without end");
		if (*reader->at == '\\') {
			size_t got;

			reader->at++;
			got = take_escape(reader, part + nr);
			if (got == 0)
				return markup_fail(reader,
						   "an escape of no kind");
			nr += got;
		} else {
			part[nr++] = *reader->at++;
		}
		if (nr >= PART_BYTES) {
			result = target->put(reader, target, part, nr);
			nr = 0;
		}
	}
	return result == 0 && nr > 0 ? target->put(reader, target, part, nr)
				     : result;
}

static int
take_key(struct markup_reader *reader, char key[KEY_BYTES])
{
	struct target target = { .put = put_memory,
				 .to = (uint8_t *)key,
				 .room = KEY_BYTES - 1 };
	int result = take_string(reader, &target);

	key[target.nr] = '\0';
	if (result == 0 && !take_sign(reader, ":"))
		result = markup_fail(reader, "no colon");
	return result;
}

static int
skip_string(struct markup_reader *reader)
{
	struct target target = { .put = put_nowhere };

	return take_string(reader, &target);
}

/* Any value, of no interest. */
static int
skip_value(struct markup_reader *reader)
{
	unsigned depth = 0;

	do {
		int result = 0;

		skip_blanks(reader);
		if (reader->at == reader->end)
			return markup_fail(reader, "a value without end");
		switch (*reader->at) {
		case '"':
			result = skip_string(reader);
			break;
		case '[':
		case '{':
			depth++;
			reader->at++;
			break;
		case ']':
		case '}':
			if (depth == 0)
				return markup_fail(reader, "no value");
			depth--;
			reader->at++;
			break;
		default:
			if (depth == 0 &&
			    (*reader->at == ',' || *reader->at == ':'))
				return markup_fail(reader, "no value");
			reader->at++;
			while (depth == 0 && reader->at < reader->end &&
			       memchr(",]} \n\t\r", *reader->at, 7) == NULL)
				reader->at++;
			break;
		}
		if (result != 0)
			return result;
		if (depth > DEPTH_MAX)
			return markup_fail(reader, "too deep");
	} while (depth > 0);
	return 0;
}

typedef int
member_fn(struct markup_reader *reader, const char *key);

/* An object, a call for the value of each member. */
static int
take_object(struct markup_reader *reader, member_fn *member)
{
	char key[KEY_BYTES];
	int result = 0;

	if (!take_sign(reader, "{"))
		return markup_fail(reader, "no object");
	if (take_sign(reader, "}"))
		return 0;
	do {
		result = take_key(reader, key);
		if (result == 0)
			result = member(reader, key);
	} while (result == 0 && take_sign(reader, ","));
	if (result == 0 && !take_sign(reader, "}"))
		result = markup_fail(reader, "an object without end");
	return result;
}

typedef int
item_fn(struct markup_reader *reader);

static int
take_array(struct markup_reader *reader, item_fn *item)
{
	int result = 0;

	if (!take_sign(reader, "["))
		return markup_fail(reader, "no array");
	if (take_sign(reader, "]"))
		return 0;
	do
		result = item(reader);
	while (result == 0 && take_sign(reader, ","));
	if (result == 0 && !take_sign(reader, "]"))
		result = markup_fail(reader, "an array without end");
	return result;
}

static int
take_number(struct markup_reader *reader, uint64_t *number)
{
	skip_blanks(reader);
	return markup_take_number(reader, number)
		       ? 0
		       : markup_fail(reader, "no number");
}

static int
take_lines(struct markup_reader *reader)
{
	struct markup_file *file = &reader->file;
	int result = 0;

	if (!take_sign(reader, "["))
		return markup_fail(reader, "no lines");
	result = take_number(reader, &file->line_first);
	if (result == 0 && !take_sign(reader, ","))
		return markup_fail(reader, "no lines");
	if (result == 0)
		result = take_number(reader, &file->line_last);
	if (result == 0 && (!take_sign(reader, "]") || file->line_first == 0 ||
			    file->line_last < file->line_first))
		return markup_fail(reader, "no lines");
	return result;
}

static int
take_chunk_member(struct markup_reader *reader, const char *key)
{
	struct target text = { .put = put_text };
	int result;

	if (strcmp(key, "text") == 0)
		return take_string(reader, &text);
	result = skip_value(reader);
	if (result == 0 &&
	    (strcmp(key, "gap") == 0 || strcmp(key, "broken") == 0))
		result = markup_tell_gap(reader);
	return result;
}

static int
take_chunk(struct markup_reader *reader)
{
	return take_object(reader, take_chunk_member);
}

static int
take_file_member(struct markup_reader *reader, const char *key)
{
	struct markup_file *file = &reader->file;
	struct target target = { .put = put_memory,
				 .to = reader->path,
				 .room = MARKUP_PATH_BYTES_MAX };
	int result;

	if (strcmp(key, "path") == 0) {
		result = take_string(reader, &target);
		file->path_bytes = target.nr;
		return result;
	}
	if (strcmp(key, "same_as") == 0) {
		target.to = reader->same_as;
		result = take_string(reader, &target);
		file->same_as_bytes = target.nr;
		return result;
	}
	if (strcmp(key, "from") == 0) {
		target.to = (uint8_t *)file->charset;
		target.room = sizeof(file->charset) - 1;
		return take_string(reader, &target);
	}
	if (strcmp(key, "lines") == 0)
		return take_lines(reader);
	if (strcmp(key, "of") == 0)
		return take_number(reader, &file->line_nr);
	if (strcmp(key, "chunks") == 0) {
		if (file->line_first == 0)
			return markup_fail(reader, "chunks before the lines");
		result = markup_tell_file(reader);
		if (result == 0)
			result = take_array(reader, take_chunk);
		reader->told = true;
		return result;
	}
	if (strcmp(key, "continued") == 0)
		file->continued = take_sign(reader, "\"") ? MARKUP_CONTINUED_MID
							  : MARKUP_CONTINUED;
	if (file->continued == MARKUP_CONTINUED_MID &&
	    strcmp(key, "continued") == 0)
		return markup_take(reader, "within-line\"")
			       ? 0
			       : markup_fail(reader, "continued in no way");
	file->goes_on |= strcmp(key, "goes_on") == 0;
	file->is_signatures |= strcmp(key, "signatures_of") == 0;
	file->empty |= strcmp(key, "empty") == 0;
	reader->numbered |= strcmp(key, "numbered") == 0;
	file->is_stripped |= strcmp(key, "without") == 0;
	file->is_changed |=
		strcmp(key, "escaped") == 0 || strcmp(key, "removed") == 0;
	return skip_value(reader);
}

static int
take_file(struct markup_reader *reader)
{
	int result;

	reader->file = (struct markup_file){ 0 };
	reader->numbered = false;
	reader->told = false;
	result = take_object(reader, take_file_member);
	if (result != 0)
		return result;
	if (!reader->told) {
		if (!reader->file.empty && reader->file.same_as_bytes == 0)
			return markup_fail(reader, "a file without content");
		result = markup_tell_file(reader);
	}
	return result == 0 ? markup_tell_end(reader) : result;
}

static int
take_document_member(struct markup_reader *reader, const char *key)
{
	if (strcmp(key, "files") == 0)
		return take_array(reader, take_file);
	return skip_value(reader);
}

/* A line of JSON lines that is not a file's has another first member. */
static int
take_line(struct markup_reader *reader)
{
	const uint8_t *from = reader->at;
	char key[KEY_BYTES];
	int result;

	if (!take_sign(reader, "{"))
		return markup_fail(reader, "no object");
	result = take_key(reader, key);
	reader->at = from;
	if (result != 0)
		return result;
	return strcmp(key, "path") == 0 ? take_file(reader)
					: skip_value(reader);
}

int
markup_read_json(struct markup_reader *reader, bool lines)
{
	int result = 0;

	if (!lines) {
		result = take_object(reader, take_document_member);
		skip_blanks(reader);
		if (result == 0 && reader->at < reader->end)
			result = markup_fail(reader, "text behind the end");
		return result;
	}
	for (skip_blanks(reader); result == 0 && reader->at < reader->end;
	     skip_blanks(reader))
		result = take_line(reader);
	return result;
}
