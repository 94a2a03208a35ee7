/* SPDX-License-Identifier: MIT */
/*
 * test_lang_whole.h - the outline of a whole text, and it without comments,
 *                     as chunk makes them part by part.
 */
#ifndef TESTS_SUPPORT_TEST_LANG_WHOLE_H
#define TESTS_SUPPORT_TEST_LANG_WHOLE_H

#include <stdlib.h>

#include "lang/outline.h"

/* The word for a kind: "function". */
static inline const char *
lang_kind_word(uint8_t kind)
{
	static const char *const words[LANG_KIND_NR] = {
		"none",
#define KIND(id, letter, word) word,
#include "catalogue/def_kind.def"
#undef KIND
	};

	return kind < LANG_KIND_NR ? words[kind] : words[0];
}

/* The line that a byte is in, from 1 on. */
static inline uint32_t
line_at(const void *text, uint64_t off)
{
	const char *bytes = text;
	uint32_t line = 1;

	for (uint64_t i = 0; i < off; i++)
		line += bytes[i] == '\n';
	return line;
}

/* The line that a definition ends in. */
static inline uint32_t
end_line_of(const void *text, const struct lang_def *def)
{
	return line_at(text, def->end_off > 0 ? def->end_off - 1 : 0);
}

static inline void
put_nowhere(void *context, const uint8_t *text, size_t bytes)
{
	(void)context;
	(void)text;
	(void)bytes;
}

static inline void
emit_all(struct lang_maker *maker)
{
	struct lang_sink sink = {
		.open = lang_maker_open,
		.def = lang_maker_def,
		.declare = lang_maker_open,
		.member = lang_maker_member,
		.import = lang_maker_import,
		.listed = lang_maker_listed,
		.context = maker,
	};
	struct lang_scan scan;

	lang_scan_init(&scan, maker->lang, maker->text->nr);
	lang_scan_feed(&scan, maker->text, UINT64_MAX, &sink);
	lang_maker_end(maker);
}

/*
 * Writes the heads of the definitions, a line or more each, with the blanks
 * before them, and before them a line "imports: a, b"; returns the bytes.
 */
static inline size_t
lang_outline_of(struct lang_maker maker, const uint8_t *text, size_t bytes,
		lang_write_fn *write)
{
	struct lang_text whole = { text, 0, bytes, true };
	struct lang_outliner outliner = { 0 };
	uint8_t imports[OUTLINE_IMPORTS_BYTES];
	uint8_t line[OUTLINE_LINE_BYTES];
	size_t nr;

	maker.outliner = &outliner;
	maker.text = &whole;
	maker.write = put_nowhere;
	maker.imports_end = imports + sizeof(imports);
	/* once for what is imported, which comes first */
	emit_all(&maker);
	nr = lang_maker_imports(&maker, line);
	if (nr > 0)
		write(maker.context, line, nr);
	outliner = (struct lang_outliner){ 0 };
	maker.write = write;
	maker.in_line = false;
	emit_all(&maker);
	return nr + (size_t)outliner.written;
}

/* The same of a text that is no header. */
static inline size_t
lang_outline(uint32_t lang, const uint8_t *text, size_t bytes, bool doc,
	     lang_write_fn *write, void *context)
{
	struct lang_maker maker = {
		.context = context,
		.lang = lang,
		.doc = doc,
	};

	return lang_outline_of(maker, text, bytes, write);
}

/*
 * Writes the text without its comments; returns the bytes. Of more than
 * LANG_COMMENTS the others stay.
 */
static inline size_t
lang_strip(uint32_t lang, const uint8_t *text, size_t bytes,
	   lang_write_fn *write, void *context)
{
	struct lang_comments comments = { 0 };
	struct lang_text whole = { text, 0, bytes, true };
	struct lang_maker maker = {
		.comments = &comments,
		.text = &whole,
		.lang = lang,
	};
	struct lang_sink sink = {
		.comment = lang_maker_comment,
		.context = &maker,
	};
	struct lang_scan scan;
	uint8_t *out = malloc(bytes + 1);
	size_t nr;

	lang_scan_init(&scan, lang, bytes);
	lang_scan_feed(&scan, &whole, UINT64_MAX, &sink);
	nr = lang_strip_span(&maker, &scan, 0, bytes, out);
	if (nr > 0)
		write(context, out, nr);
	free(out);
	return nr;
}

#endif
