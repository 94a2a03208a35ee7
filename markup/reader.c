/* SPDX-License-Identifier: MIT */
/*
 * reader.c - what reading back has in common for all formats.
 */
#include "markup/reader.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/ascii.h"

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
	if (!bytes_begin(reader->at, reader->end, word))
		return false;
	reader->at += strlen(word);
	return true;
}

bool
markup_take_number(struct markup_reader *reader, uint64_t *number)
{
	const uint8_t *from = reader->at;
	bool good = true;

	*number = 0;
	while (reader->at < reader->end && ascii_is_digit(*reader->at)) {
		good = good && !__builtin_mul_overflow(*number, 10, number) &&
		       !__builtin_add_overflow(
			       *number, (uint64_t)(*reader->at - '0'), number);
		reader->at++;
	}
	return good && reader->at > from;
}

bool
markup_take_range(struct markup_reader *reader, uint64_t *first, uint64_t *last)
{
	return markup_take_number(reader, first) && markup_take(reader, "-") &&
	       markup_take_number(reader, last) && *first >= 1 &&
	       *last >= *first;
}

const uint8_t *
markup_past_blanks(const uint8_t *at, const uint8_t *end)
{
	while (at < end && ascii_is_blank(*at))
		at++;
	return at;
}

void
markup_skip_blanks(struct markup_reader *reader)
{
	reader->at = markup_past_blanks(reader->at, reader->end);
}

bool
markup_take_hash(struct markup_reader *reader)
{
	uint64_t hash;

	if (!markup_take_number(reader, &hash) || hash > MARKUP_HASH_MAX)
		return false;
	reader->file.hash = (uint32_t)hash;
	reader->file.has_hash = true;
	return true;
}

bool
markup_note_key(struct markup_reader *reader, const char *key,
		const char *const *known)
{
	for (uint32_t bit = 1; *known != NULL; known++, bit <<= 1) {
		if (strcmp(key, *known) != 0)
			continue;
		if (reader->keys & bit)
			return false;
		reader->keys |= bit;
		return true;
	}
	reader->has_unknown = true;
	return true;
}

static bool
same_key(const char *a, const char *b)
{
	while (*a != '\0' && (*a == *b || (*a == '-' && *b == '_'))) {
		a++;
		b++;
	}
	return *a == *b;
}

void
markup_set_word(struct markup_reader *reader, const char *key)
{
	struct markup_file *file = &reader->file;
	const struct {
		const char *key;
		bool *is_said;
	} words[] = {
		{ "goes_on", &file->goes_on },
		{ "signatures_of", &file->is_signatures },
		{ "empty", &file->empty },
		{ "numbered", &reader->numbered },
		{ "without", &file->is_stripped },
		{ "escaped", &file->is_changed },
		{ "removed", &file->is_changed },
	};

	for (size_t i = 0; i < ARRAY_LEN(words); i++)
		*words[i].is_said |= same_key(key, words[i].key);
}

void
markup_mismatch(struct markup_reader *reader, const char *format, ...)
{
	va_list values;

	if (reader->mismatch[0] != '\0' || reader->unchecked)
		return;
	va_start(values, format);
	vsnprintf(reader->mismatch, sizeof(reader->mismatch), format, values);
	va_end(values);
}

/* Whether a file would have a hash if any has. */
static bool
lacks_hash(const struct markup_file *file)
{
	static const char repaired[] = "invalid "; /* and its character set */

	return !file->has_hash && file->line_first == 1 &&
	       file->line_last == file->line_nr && !file->is_changed &&
	       file->continued == MARKUP_STARTS &&
	       strncmp(file->charset, repaired, sizeof(repaired) - 1) != 0;
}

void
markup_begin_file(struct markup_reader *reader)
{
	reader->file = (struct markup_file){ 0 };
	reader->numbered = false;
	reader->has_unknown = false;
	reader->keys = 0;
	reader->chunks = NULL;
}

int
markup_emit_file(struct markup_reader *reader)
{
	struct markup_file *file = &reader->file;

	file->path = reader->path;
	file->same_as = reader->same_as;
	if (file->path_bytes == 0)
		return markup_fail(reader, "a file without a path");
	/* content of its own, another's, or none */
	if ((file->line_first > 0) + (file->same_as_bytes > 0) + file->empty !=
	    1)
		return markup_fail(reader, "a file of no kind");
	reader->mismatch[0] = '\0';
	reader->unchecked = false;
	if (reader->has_unknown)
		markup_mismatch(reader, "its header has a word that this "
					"version does not know");
	if (file->line_first == 0 && (file->continued != MARKUP_STARTS ||
				      file->goes_on || file->line_nr > 0))
		markup_mismatch(reader, "its header has lines, and it has "
					"none of its own");
	reader->line = file->line_first;
	reader->mid_line = file->continued == MARKUP_CONTINUED_MID;
	reader->unchecked = file->empty || file->same_as_bytes > 0 ||
			    file->is_signatures || file->is_stripped;
	if (!file->has_line_nr)
		file->line_nr = file->line_last;
	if (file->line_nr < file->line_last)
		markup_mismatch(reader,
				"its header has line %llu of a file of %llu",
				(unsigned long long)file->line_last,
				(unsigned long long)file->line_nr);
	/* the number stands before the start of the line */
	reader->number_state = reader->mid_line ? NUMBER_PAST : NUMBER_FIRST;
	reader->number = 0;
	reader->file_nr++;
	reader->wants_end |= file->has_hash;
	if (reader->wants_end && lacks_hash(file))
		markup_mismatch(reader, "it has no hash, and others have one");
	return reader->sink->file(reader->sink->context, file);
}

/* Content is on its way to the sink: the lines of it. */
static void
count_lines(struct markup_reader *reader, const uint8_t *text, size_t nr)
{
	const uint8_t *end = text + nr;

	if (nr == 0)
		return;
	reader->mid_line = end[-1] != '\n';
	for (; text < end; text++) {
		text = memchr(text, '\n', (size_t)(end - text));
		if (text == NULL)
			return;
		reader->line++;
	}
}

static int
emit(struct markup_reader *reader, const uint8_t *text, size_t nr)
{
	count_lines(reader, text, nr);
	return nr == 0 || reader->sink->text == NULL
		       ? 0
		       : reader->sink->text(reader->sink->context, text, nr);
}

static void
check_number(struct markup_reader *reader)
{
	if (reader->number != reader->line)
		markup_mismatch(reader, "the number before line %llu is %llu",
				(unsigned long long)reader->line,
				(unsigned long long)reader->number);
	reader->number = 0;
}

/* Takes of a number what there is of it; false: this is none. */
static bool
skip_number(struct markup_reader *reader, const uint8_t **at,
	    const uint8_t *end)
{
	for (; *at < end && reader->number_state != NUMBER_PAST; ++*at) {
		bool digit = **at >= '0' && **at <= '9';

		if (reader->number_state == NUMBER_COLON && **at == ' ') {
			reader->number_state = NUMBER_PAST;
			check_number(reader);
		} else if (reader->number_state == NUMBER_MORE && **at == ':') {
			reader->number_state = NUMBER_COLON;
		} else if (reader->number_state <= NUMBER_MORE && digit) {
			reader->number_state = NUMBER_MORE;
			/* what wraps is too large, and no line of a file */
			reader->number =
				reader->number * 10 + (uint64_t)(**at - '0');
		} else {
			return false;
		}
	}
	return true;
}

int
markup_emit_text(struct markup_reader *reader, const uint8_t *text, size_t nr)
{
	const uint8_t *end = text + nr;
	int result = 0;

	if (!reader->numbered)
		return emit(reader, text, nr);
	while (text < end && result == 0) {
		const uint8_t *newline;
		const uint8_t *until;

		if (!skip_number(reader, &text, end))
			return markup_fail(reader, "a line without a number");
		if (text == end)
			break;
		newline = memchr(text, '\n', (size_t)(end - text));
		until = newline == NULL ? end : newline + 1;
		result = emit(reader, text, (size_t)(until - text));
		if (newline != NULL)
			reader->number_state = NUMBER_FIRST;
		text = until;
	}
	return result;
}

int
markup_emit_gap(struct markup_reader *reader, uint64_t first, uint64_t last)
{
	reader->number_state = NUMBER_FIRST;
	reader->number = 0;
	if (first == 0)
		reader->unchecked = true;
	else if (reader->mid_line || first != reader->line)
		markup_mismatch(reader, "lines %llu-%llu are left out at %llu",
				(unsigned long long)first,
				(unsigned long long)last,
				(unsigned long long)reader->line);
	reader->line = last + 1;
	reader->mid_line = false;
	return reader->sink->gap == NULL
		       ? 0
		       : reader->sink->gap(reader->sink->context);
}

int
markup_emit_end(struct markup_reader *reader)
{
	const struct markup_sink *sink = reader->sink;
	uint64_t last = reader->line - !reader->mid_line;
	int result = 0;

	if (last != reader->file.line_last)
		markup_mismatch(reader,
				"its header ends with line %llu, its content "
				"with %llu",
				(unsigned long long)reader->file.line_last,
				(unsigned long long)last);
	if (reader->numbered && (reader->number_state == NUMBER_MORE ||
				 reader->number_state == NUMBER_COLON))
		markup_mismatch(reader, "it ends within a line's number");
	if (reader->mismatch[0] != '\0' && sink->mismatch != NULL)
		result = sink->mismatch(sink->context, reader->mismatch);
	return result == 0 && sink->end != NULL ? sink->end(sink->context)
						: result;
}

int
markup_take_end(struct markup_reader *reader, uint64_t file_nr)
{
	if (reader->has_end)
		return markup_fail(reader, "a second end of its files");
	reader->has_end = true;
	reader->end_nr = file_nr;
	return 0;
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

int
markup_set_part(struct markup_reader *reader, uint64_t number, uint64_t nr)
{
	if (number < 1 || number > nr)
		return markup_fail(reader, "an impossible part number");
	reader->part = (struct markup_part){ number, nr };
	return 0;
}
