/* SPDX-License-Identifier: MIT */
/*
 * read.c - what reading back has in common for all formats.
 */
#include "markup/read.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "markup/preamble.h"

/* Where in the number before a line we are. */
enum number_state { NUMBER_FIRST = 0, NUMBER_MORE, NUMBER_COLON, NUMBER_PAST };

int
markup_fail(struct markup_reader *reader, const char *what)
{
	if (reader->what == NULL)
		reader->what = what;
	return -EBADMSG;
}

static bool
is_blank(uint8_t c)
{
	return c == ' ' || c == '\t' || c == '\r' || c == '\n';
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
	while (reader->at < reader->end && *reader->at >= '0' &&
	       *reader->at <= '9') {
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

void
markup_skip_blanks(struct markup_reader *reader)
{
	while (reader->at < reader->end && is_blank(*reader->at))
		reader->at++;
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

/* Past a byte order mark, which an editor may have put in front. */
static void
skip_mark(const uint8_t **bytes, size_t *nr)
{
	if (*nr >= 3 && memcmp(*bytes, "\xef\xbb\xbf", 3) == 0) {
		*bytes += 3;
		*nr -= 3;
	}
}

/* The memory for reading; NULL: there is none. Owner: free(3). */
static struct markup_reader *
reader_of(const uint8_t *bytes, size_t nr, const struct markup_sink *sink)
{
	struct markup_reader *reader = calloc(1, sizeof(*reader));

	if (reader == NULL)
		return NULL;
	reader->start = bytes;
	skip_mark(&bytes, &nr);
	reader->at = bytes;
	reader->end = bytes + nr;
	reader->sink = sink;
	return reader;
}

#define BEGINNING_BYTES 512 /* of an output, that tell that it is one */

static int
detect_json(const uint8_t *bytes, size_t nr, enum markup_kind *kind)
{
	struct markup_reader *reader = reader_of(bytes, nr, NULL);
	int result;

	if (reader == NULL)
		return -ENOMEM;
	result = markup_json_kind(reader, kind);
	free(reader);
	return result;
}

static const uint8_t *
skip_blanks(const uint8_t *at, const uint8_t *end)
{
	while (at < end && is_blank(*at))
		at++;
	return at;
}

/* Our element, or what XML may have before it. */
static bool
begins_xml(const uint8_t *at, const uint8_t *end)
{
	if (bytes_begin(at, end, "<?xml")) {
		at = memmem(at, (size_t)(end - at), "?>", 2);
		if (at == NULL)
			return false;
		at = skip_blanks(at + 2, end);
	}
	return bytes_begin(at, end, "<bale");
}

/* The first line that could be a header says which of the two it is. */
static int
detect_marked(const uint8_t *bytes, size_t nr, enum markup_kind *kind)
{
	const uint8_t *end = bytes + nr;
	bool has_preamble = false;

	while (bytes < end) {
		const uint8_t *newline =
			memchr(bytes, '\n', (size_t)(end - bytes));
		const uint8_t *until = newline == NULL ? end : newline;
		const char *line = (const char *)bytes;
		size_t line_bytes = (size_t)(until - bytes);

		has_preamble |= markup_begins_preamble(line, line_bytes);
		*kind = MARKUP_MARKDOWN;
		if (markup_begins_file(*kind, line, line_bytes) ||
		    (has_preamble &&
		     markup_begins_signatures(*kind, line, line_bytes)))
			return 0;
		*kind = MARKUP_PLAIN;
		if (markup_begins_file(*kind, line, line_bytes))
			return 0;
		bytes = newline == NULL ? end : newline + 1;
	}
	return -EBADMSG;
}

int
markup_detect(const uint8_t *bytes, size_t nr, enum markup_kind *kind)
{
	const uint8_t *end = bytes + nr;
	const uint8_t *at;
	int result;

	skip_mark(&bytes, &nr);
	at = skip_blanks(bytes, end);
	if (begins_xml(at, end)) {
		*kind = MARKUP_XML;
		return 0;
	}
	if (bytes_begin(at, end, "{")) {
		result = detect_json(at, (size_t)(end - at), kind);
		if (result != -EBADMSG)
			return result;
	}
	/* a text of the user's may stand in front of it, of any kind; blanks
	 * before a line make it none of ours */
	return detect_marked(bytes, nr, kind);
}

/* A record of JSON lines, if there is no preamble: {"path":...,"lines":[1, */
static bool
begins_record(const uint8_t *bytes, size_t nr)
{
	static const char lines[] = "\"lines\":[";
	const uint8_t *end = memchr(bytes, '\n', nr);

	if (end == NULL)
		end = bytes + nr;
	return bytes_begin(bytes, end, "{\"path\":\"") &&
	       memmem(bytes, (size_t)(end - bytes), lines, strlen(lines)) !=
		       NULL &&
	       memmem(bytes, (size_t)(end - bytes), "\"chunks\":[", 10) != NULL;
}

/* One of documents: {"id":...,"source":...,"metadata":{"path":...,"lines":[1, */
static bool
begins_document(const uint8_t *bytes, const uint8_t *end)
{
	static const char *const keys[] = { "\",\"source\":\"",
					    "\",\"metadata\":{\"path\":\"",
					    ",\"lines\":[" };
	const uint8_t *at = bytes;

	if (!bytes_begin(bytes, end, "{\"id\":\""))
		return false;
	for (size_t i = 0; at != NULL && i < ARRAY_LEN(keys); i++)
		at = memmem(at, (size_t)(end - at), keys[i], strlen(keys[i]));
	return at != NULL;
}

bool
markup_has_preamble(const uint8_t *bytes, size_t nr)
{
	static const char begins[] = "\n\n" PREAMBLE_BEGINS;
	const uint8_t *end = bytes + nr;
	const uint8_t *at = memmem(bytes, nr, begins, sizeof(begins) - 1);

	if (at == NULL)
		return false;
	at = memchr(at + 2, '\n', (size_t)(end - at - 2));
	return at != NULL && bytes_begin(at + 1, end, PREAMBLE_MARKS);
}

/* Behind "Part 2 of 7" and the empty line, if it stands there. */
static const uint8_t *
behind_part(const uint8_t *bytes, const uint8_t *end)
{
	const uint8_t *newline = memchr(bytes, '\n', (size_t)(end - bytes));

	if (newline == NULL ||
	    !markup_begins_part((const char *)bytes, (size_t)(newline - bytes)))
		return bytes;
	return skip_blanks(newline, end);
}

/* What a run writes besides: the manifest of parts, the report, the audit log,
 * metrics. */
static bool
begins_side_file(const uint8_t *bytes, const uint8_t *end)
{
	return bytes_begin(bytes, end, PAGE_BEGINS) ||
	       bytes_begin(bytes, end, "{\"bale_manifest\":") ||
	       bytes_begin(bytes, end,
			   "{\"event\":\"run\",\"correlation_id\":") ||
	       bytes_begin(bytes, end, "{\"id\":\"bale:header\",") ||
	       bytes_begin(bytes, end, "# TYPE bale_build_info gauge\n") ||
	       bytes_begin(bytes, end, "{\"version\":1,\"correlation_id\":\"");
}

bool
markup_begins_output(const uint8_t *bytes, size_t nr)
{
	const uint8_t *end;
	const uint8_t *newline;
	const char *line;

	skip_mark(&bytes, &nr);
	nr = min_size(nr, BEGINNING_BYTES);
	end = bytes + nr;
	bytes = behind_part(bytes, end);
	if (bytes_begin(bytes, end, PREAMBLE_BEGINS) ||
	    bytes_begin(bytes, end, "{\"bale\":") || begins_xml(bytes, end) ||
	    begins_record(bytes, (size_t)(end - bytes)) ||
	    begins_document(bytes, end) || begins_side_file(bytes, end))
		return true;
	line = (const char *)bytes;
	newline = memchr(bytes, '\n', (size_t)(end - bytes));
	if (newline == NULL)
		return false;
	nr = (size_t)(newline - bytes);
	return markup_begins_file(MARKUP_MARKDOWN, line, nr) ||
	       markup_begins_file(MARKUP_PLAIN, line, nr);
}

int
markup_set_part(struct markup_reader *reader, uint64_t number, uint64_t nr)
{
	if (number < 1 || number > nr)
		return markup_fail(reader, "a part that there cannot be");
	reader->part = (struct markup_part){ number, nr };
	return 0;
}

int
markup_read_part(const uint8_t *bytes, size_t nr, struct markup_part *part)
{
	struct markup_reader *reader = reader_of(bytes, nr, NULL);
	const uint8_t *from;
	int result;

	*part = (struct markup_part){ 0, 0 };
	if (reader == NULL)
		return -ENOMEM;
	from = skip_blanks(reader->at, reader->end);
	if (bytes_begin(from, reader->end, "{"))
		result = markup_part_json(reader);
	else if (begins_xml(from, reader->end))
		result = markup_part_xml(reader);
	else
		result = markup_part_marked(reader);
	if (result == 0)
		*part = reader->part;
	free(reader);
	return result;
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
	struct markup_reader *reader = reader_of(bytes, nr, sink);
	int result;

	if (reader == NULL)
		return -ENOMEM;
	if (kind == MARKUP_XML)
		result = markup_read_xml(reader);
	else if (kind == MARKUP_JSON || kind == MARKUP_JSONL)
		result = markup_read_json(reader, kind == MARKUP_JSONL);
	else
		result = markup_read_marked(reader, kind);
	if (result == 0 && reader->file_nr == 0)
		result = markup_fail(reader, "there is no file in it");
	/* XML and a document of JSON end with what opened them; those of
	 * version 1.1 do not say how many files they have */
	if (result == 0 && reader->wants_end && !reader->has_end &&
	    kind != MARKUP_XML && kind != MARKUP_JSON)
		result = markup_fail(reader, "the end of its files is missing");
	if (result == 0 && reader->has_end && reader->end_nr != reader->file_nr)
		result = markup_fail(reader, "there are files missing in it");
	error->what = reader->what == NULL ? "" : reader->what;
	error->line = result == -EBADMSG ? line_of(reader) : 0;
	free(reader);
	return result;
}
