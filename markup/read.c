/* SPDX-License-Identifier: MIT */
/*
 * read.c - tells what a text is an output of, and has its format read it.
 */
#include "markup/read.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"
#include "markup/preamble.h"
#include "markup/reader.h"

/* Past a byte order mark, which an editor may have put in front. */
static void
skip_mark(const uint8_t **bytes, size_t *nr)
{
	size_t mark = utf8_mark_bytes(*bytes, *nr);

	*bytes += mark;
	*nr -= mark;
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

/* Our element, or what XML may have before it. */
static bool
begins_xml(const uint8_t *at, const uint8_t *end)
{
	if (bytes_begin(at, end, "<?xml")) {
		at = memmem(at, (size_t)(end - at), "?>", 2);
		if (at == NULL)
			return false;
		at = markup_past_blanks(at + 2, end);
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
	at = markup_past_blanks(bytes, end);
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
	return markup_past_blanks(newline, end);
}

/* The manifest of a batch: the id and the options of a line are 16 digits. */
static bool
begins_batch_line(const uint8_t *bytes, const uint8_t *end)
{
	static const char id[] = "{\"id\":\"";
	const uint8_t *path = bytes + sizeof(id) - 1 + 16;

	return bytes_begin(bytes, end, id) && path < end &&
	       bytes_begin(path, end, "\",\"path\":") &&
	       memmem(path, (size_t)(end - path), ",\"options\":\"", 12) !=
		       NULL;
}

/* What a run writes besides: the manifest of parts, the report, the audit log,
 * metrics; and a batch. */
static bool
begins_side_file(const uint8_t *bytes, const uint8_t *end)
{
	return bytes_begin(bytes, end, PAGE_BEGINS) ||
	       bytes_begin(bytes, end, "{\"bale_manifest\":") ||
	       bytes_begin(bytes, end,
			   "{\"event\":\"run\",\"correlation_id\":") ||
	       bytes_begin(bytes, end, "{\"id\":\"bale:header\",") ||
	       bytes_begin(bytes, end, "# TYPE bale_build_info gauge\n") ||
	       bytes_begin(bytes, end,
			   "{\"version\":1,\"correlation_id\":\"") ||
	       bytes_begin(bytes, end,
			   "[\n  {\n    \"name\": \"bale batch\",") ||
	       begins_batch_line(bytes, end);
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
markup_read_part(const uint8_t *bytes, size_t nr, struct markup_part *part)
{
	struct markup_reader *reader = reader_of(bytes, nr, NULL);
	const uint8_t *from;
	int result;

	*part = (struct markup_part){ 0, 0 };
	if (reader == NULL)
		return -ENOMEM;
	from = markup_past_blanks(reader->at, reader->end);
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
