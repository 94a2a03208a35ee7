/* SPDX-License-Identifier: MIT */
/*
 * chunk_sign.c - signatures.
 */
#include "stages/chunk/chunk_sign.h"

#include <string.h>

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

static void
put(struct chunk_maker *maker, const void *text, size_t bytes)
{
	if (bytes == 0)
		return;
	maker->write(maker->context, text, bytes);
	maker->signer->written += bytes;
}

/* Where an offset of the file lies in the text; what is gone: its start. */
static size_t
place_of(const struct chunk_text *text, uint64_t off)
{
	if (off <= text->off)
		return 0;
	return (size_t)min_u64(off - text->off, text->nr);
}

/* A piece of a head; less the comments in it, if they are not wanted. */
static void
put_head(struct chunk_maker *maker, size_t from, size_t end)
{
	const struct chunk_comments *comments = maker->comments;
	const uint8_t *text = maker->text->bytes;
	uint32_t nr = comments == NULL ? 0 : comments->nr;

	for (uint32_t i = 0; i < nr && from < end; i++) {
		size_t off =
			place_of(maker->text,
				 comments->base_off + comments->spans[i].from);
		size_t behind =
			place_of(maker->text,
				 comments->base_off + comments->spans[i].end);

		if (behind <= from || off >= end)
			continue;
		if (off > from)
			put(maker, text + from, off - from);
		from = min_size(behind, end);
	}
	put(maker, text + from, end - from);
}

static void
end_imports(struct chunk_maker *maker)
{
	if (maker->signer->in_imports)
		put(maker, "\n", 1);
	maker->signer->in_imports = 0;
}

void
chunk_maker_import(void *context, uint64_t off, uint32_t bytes)
{
	struct chunk_maker *maker = context;
	size_t from = place_of(maker->text, off);
	size_t end = place_of(maker->text, off + bytes);

	if (maker->signer == NULL || from == end)
		return;
	if (maker->signer->in_imports)
		put(maker, ", ", 2);
	else
		put(maker, "imports: ", 9);
	maker->signer->in_imports = 1;
	put(maker, maker->text->bytes + from, end - from);
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
put_doc(struct chunk_maker *maker, const struct chunk_def *def)
{
	const uint8_t *text = maker->text->bytes;
	size_t off = place_of(maker->text, def->off);
	size_t head = line_start(text, off);
	bool wanted = maker->doc;

	for (size_t at = place_of(maker->text, def->lead_off); at < head;) {
		size_t next = next_line(text, at, head);

		if (is_attribute(text, at, next))
			return at;
		if (wanted && has_letters(text, at, next)) {
			put(maker, text + at, next - at);
			wanted = false;
		}
		at = next;
	}
	/* what stands before it on its line is not its own */
	for (size_t i = head; i < off; i++)
		if (!is_blank(text[i]))
			return off;
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

void
chunk_maker_open(void *context, const struct chunk_def *def)
{
	struct chunk_maker *maker = context;
	struct chunk_signer *signer = maker->signer;
	const uint8_t *text = maker->text->bytes;
	size_t end = place_of(maker->text, def->body_off);
	size_t from;

	/* within a function nothing is of interest */
	if (signer == NULL || (signer->function_depth != 0 &&
			       def->depth >= signer->function_depth))
		return;
	signer->function_depth = is_function(def) ? def->depth + 1u : 0;
	if (!is_wanted(def))
		return;
	end_imports(maker);
	from = put_doc(maker, def);
	while (end > from && (is_blank(text[end - 1]) || text[end - 1] == '\n'))
		end--;
	put_head(maker, from, end);
	put(maker, "\n", 1);
}

/* Its first lines, less a character that would be cut in two. */
static size_t
beginning(const uint8_t *text, size_t bytes)
{
	size_t end = chunk_first_lines(text, bytes, SIGN_FIRST_LINES);

	if (end <= SIGN_FIRST_BYTES)
		return end;
	end = SIGN_FIRST_BYTES;
	while (end > 0 && (text[end] & 0xc0) == 0x80)
		end--;
	return end;
}

void
chunk_maker_end(struct chunk_maker *maker)
{
	const struct chunk_text *text = maker->text;

	if (maker->signer == NULL)
		return;
	if (text->at_end)
		end_imports(maker);
	if (maker->signer->written == 0 && text->off == 0)
		put(maker, text->bytes, beginning(text->bytes, text->nr));
}

size_t
chunk_sign(uint32_t lang, const uint8_t *text, size_t bytes, bool doc,
	   chunk_write_fn *write, void *context)
{
	struct chunk_text whole = { text, 0, bytes, true };
	struct chunk_signer signer = { 0 };
	struct chunk_maker maker = {
		.signer = &signer,
		.text = &whole,
		.write = write,
		.context = context,
		.doc = doc,
	};
	struct chunk_sink sink = {
		.open = chunk_maker_open,
		.import = chunk_maker_import,
		.context = &maker,
	};
	struct chunk_scan scan;

	chunk_scan_init(&scan, lang, bytes);
	chunk_scan_feed(&scan, &whole, UINT64_MAX, &sink);
	chunk_maker_end(&maker);
	return (size_t)signer.written;
}
