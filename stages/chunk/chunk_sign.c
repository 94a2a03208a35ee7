/* SPDX-License-Identifier: MIT */
/*
 * chunk_sign.c - signatures, and texts without comments.
 */
#include "stages/chunk/chunk_sign.h"

#include <string.h>

struct writer {
	const uint8_t *text;
	size_t bytes;
	size_t done; /* strip: written or left out up to here */
	size_t written;
	chunk_write_fn *write;
	void *context;
	uint32_t function_depth; /* 1 + depth of the function around; 0 */
	bool doc;
	bool in_imports;
};

static void
put(struct writer *writer, const void *text, size_t bytes)
{
	if (bytes == 0)
		return;
	writer->write(writer->context, text, bytes);
	writer->written += bytes;
}

static bool
is_blank(uint8_t c)
{
	return c == ' ' || c == '\t' || c == '\r';
}

static size_t
line_start(const uint8_t *text, size_t at)
{
	const uint8_t *newline = at == 0 ? NULL : memrchr(text, '\n', at);

	return newline == NULL ? 0 : (size_t)(newline - text) + 1;
}

size_t
chunk_first_lines(const uint8_t *text, size_t bytes, uint32_t lines)
{
	size_t at = 0;

	for (uint32_t i = 0; i < lines && at < bytes; i++) {
		const uint8_t *newline = memchr(text + at, '\n', bytes - at);

		if (newline == NULL)
			return bytes;
		at = (size_t)(newline - text) + 1;
	}
	return at;
}

/* ----------------------------------------------------------- signatures -- */

static void
end_imports(struct writer *writer)
{
	if (writer->in_imports)
		put(writer, "\n", 1);
	writer->in_imports = false;
}

static void
sign_import(void *context, uint64_t off, uint32_t bytes)
{
	struct writer *writer = context;

	if (writer->in_imports)
		put(writer, ", ", 2);
	else
		put(writer, "imports: ", 9);
	writer->in_imports = true;
	put(writer, writer->text + off, bytes);
}

static size_t
next_line(const uint8_t *text, size_t at, size_t end)
{
	const uint8_t *newline = memchr(text + at, '\n', end - at);

	return newline == NULL ? end : (size_t)(newline - text) + 1;
}

/* An attribute or a decorator, as they stand before definitions. */
static bool
is_attribute(const uint8_t *text, size_t at, size_t end)
{
	while (at < end && is_blank(text[at]))
		at++;
	return at < end &&
	       (text[at] == '@' || text[at] == '[' ||
		(text[at] == '#' && at + 1 < end && text[at + 1] == '['));
}

static bool
has_letters(const uint8_t *text, size_t at, size_t end)
{
	for (; at < end; at++) {
		uint8_t c = text[at] | 0x20;

		if ((c >= 'a' && c <= 'z') || c >= 0x80)
			return true;
	}
	return false;
}

/*
 * The first line of words of the comment before a definition, if wanted.
 * Returns where its head begins: with its attributes.
 */
static size_t
put_doc(struct writer *writer, const struct chunk_def *def)
{
	size_t head = line_start(writer->text, (size_t)def->off);
	bool wanted = writer->doc;

	for (size_t at = (size_t)def->lead_off; at < head;) {
		size_t next = next_line(writer->text, at, head);

		if (is_attribute(writer->text, at, next))
			return at;
		if (wanted && has_letters(writer->text, at, next)) {
			put(writer, writer->text + at, next - at);
			wanted = false;
		}
		at = next;
	}
	/* what stands before it on its line is not its own */
	for (size_t i = head; i < def->off; i++)
		if (!is_blank(writer->text[i]))
			return (size_t)def->off;
	return head;
}

/* What is private to a class is no part of its signature. */
static bool
is_wanted(const struct chunk_def *def)
{
	return (def->kind != CHUNK_KIND_METHOD &&
		def->kind != CHUNK_KIND_PROPERTY) ||
	       (def->flags & CHUNK_DEF_EXPORTED);
}

static bool
is_function(const struct chunk_def *def)
{
	return def->kind == CHUNK_KIND_FUNCTION ||
	       def->kind == CHUNK_KIND_METHOD || def->kind == CHUNK_KIND_TEST ||
	       def->kind == CHUNK_KIND_MACRO;
}

static void
sign_open(void *context, const struct chunk_def *def)
{
	struct writer *writer = context;
	size_t end = (size_t)def->body_off;
	size_t from;

	/* within a function nothing is of interest */
	if (writer->function_depth != 0 && def->depth >= writer->function_depth)
		return;
	writer->function_depth = is_function(def) ? def->depth + 1u : 0;
	if (!is_wanted(def))
		return;
	end_imports(writer);
	from = put_doc(writer, def);
	while (end > def->off && (is_blank(writer->text[end - 1]) ||
				  writer->text[end - 1] == '\n'))
		end--;
	put(writer, writer->text + from, end - from);
	put(writer, "\n", 1);
}

size_t
chunk_sign(uint32_t lang, const uint8_t *text, size_t bytes, bool doc,
	   chunk_write_fn *write, void *context)
{
	struct writer writer = {
		.text = text,
		.bytes = bytes,
		.write = write,
		.context = context,
		.doc = doc,
	};
	struct chunk_sink sink = {
		.open = sign_open,
		.import = sign_import,
		.context = &writer,
	};
	struct chunk_text whole = { text, 0, bytes, true };
	struct chunk_scan scan;

	chunk_scan_init(&scan, lang, bytes);
	chunk_scan_feed(&scan, &whole, UINT64_MAX, &sink);
	end_imports(&writer);
	if (writer.written == 0)
		put(&writer, text,
		    chunk_first_lines(text, bytes, SIGN_FIRST_LINES));
	return writer.written;
}

/* ------------------------------------------------------------- comments -- */

static bool
is_word(uint8_t c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
	       (c >= '0' && c <= '9') || c == '_' || c >= 0x80;
}

static void
strip_comment(void *context, uint64_t off, uint64_t end_off)
{
	struct writer *writer = context;
	const uint8_t *text = writer->text;
	size_t from = (size_t)off;
	size_t end = (size_t)end_off;
	size_t before = from;
	size_t behind = end;

	if (from < writer->done ||
	    (from == 0 && end > 1 && memcmp(text, "#!", 2) == 0))
		return;
	while (before > writer->done && is_blank(text[before - 1]))
		before--;
	while (behind < writer->bytes && is_blank(text[behind]))
		behind++;
	if (behind < writer->bytes && text[behind] != '\n') {
		/* code follows on the line */
		put(writer, text + writer->done, from - writer->done);
		if (from > 0 && is_word(text[from - 1]) && is_word(text[end]))
			put(writer, " ", 1);
		writer->done = end;
		return;
	}
	put(writer, text + writer->done, before - writer->done);
	writer->done = behind;
	/* nothing else on the line: its newline goes, too */
	if ((before == 0 || text[before - 1] == '\n') && behind < writer->bytes)
		writer->done = behind + 1;
}

size_t
chunk_strip(uint32_t lang, const uint8_t *text, size_t bytes,
	    chunk_write_fn *write, void *context)
{
	struct writer writer = {
		.text = text,
		.bytes = bytes,
		.write = write,
		.context = context,
	};
	struct chunk_sink sink = {
		.comment = strip_comment,
		.context = &writer,
	};
	struct chunk_text whole = { text, 0, bytes, true };
	struct chunk_scan scan;

	chunk_scan_init(&scan, lang, bytes);
	chunk_scan_feed(&scan, &whole, UINT64_MAX, &sink);
	put(&writer, text + writer.done, bytes - writer.done);
	return writer.written;
}
