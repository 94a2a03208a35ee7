/* SPDX-License-Identifier: MIT */
/*
 * outline.c - signatures.
 */
#include "lang/outline.h"

#include <string.h>

#include "lang/text.h"
#include "lang/facts.h"

/* Bytes of the first lines of a text. */
static size_t
first_lines(const uint8_t *text, size_t bytes, uint32_t lines)
{
	size_t at = 0;

	for (uint32_t i = 0; i < lines && at < bytes; i++)
		at = min_size(lang_line_end(text, at, bytes) + 1, bytes);
	return at;
}

static void
put(struct lang_maker *maker, const void *text, size_t bytes)
{
	if (bytes == 0)
		return;
	maker->write(maker->context, text, bytes);
	maker->outliner->written += bytes;
	if (maker->is_public)
		maker->outliner->public_lines +=
			(uint32_t)lang_newlines(text, bytes);
}

/* Where an offset of the file lies in the text; what is gone: its start. */
static size_t
place_of(const struct lang_text *text, uint64_t off)
{
	if (off <= text->off)
		return 0;
	return (size_t)min_u64(off - text->off, text->nr);
}

/* A piece of a signature; less the comments in it, if they are not wanted. */
static void
put_piece(struct lang_maker *maker, size_t from, size_t end)
{
	const struct lang_comments *comments = maker->comments;
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

/* -------------------------------------------------- imports and exports -- */

/* The first byte of what is kept. */
enum named { NAMED_IMPORT = 'i', NAMED_EXPORT = 'e' };

static uint32_t *
left_of(struct lang_outliner *outliner, enum named what)
{
	return what == NAMED_IMPORT ? &outliner->import_left
				    : &outliner->listed_left;
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
	size_t from = place_of(maker->text, off);
	size_t end = place_of(maker->text, off + bytes);
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
		if (*at == what) {
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

size_t
lang_maker_imports(struct lang_maker *maker,
		   uint8_t line[static OUTLINE_LINE_BYTES])
{
	struct lang_outliner *outliner = maker->outliner;
	uint8_t *out = put_named(maker, NAMED_IMPORT, "imports: ", line);

	out = put_named(maker, NAMED_EXPORT, "exports: ", out);
	outliner->import_bytes = 0;
	outliner->import_left = 0;
	outliner->listed_left = 0;
	return (size_t)(out - line);
}

/* --------- signatures -- */

/* @doc """ - the words come in the next line. */
static bool
is_tag(const uint8_t *text, size_t at, size_t end)
{
	at = lang_skip_blanks(text, at, end);
	while (end > at &&
	       (lang_is_blank(text[end - 1]) || text[end - 1] == '\n'))
		end--;
	return at < end && text[at] == '@' && end - at > 3 &&
	       memcmp(text + end - 3, "\"\"\"", 3) == 0;
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
 * Returns where its signature begins: with its attributes, and the blanks before.
 */
static size_t
put_doc(struct lang_maker *maker, const struct lang_def *def)
{
	const uint8_t *text = maker->text->bytes;
	size_t off = place_of(maker->text, def->decl_off);
	size_t signature = lang_behind_newline(text, 0, off);
	size_t at = place_of(maker->text, def->lead_off);

	while (maker->doc && at < signature) {
		size_t next = min_size(lang_line_end(text, at, signature) + 1,
				       signature);

		if (has_letters(text, at, next) && !is_tag(text, at, next)) {
			put(maker, text + at, next - at);
			break;
		}
		at = next;
	}
	/* what stands before it on its line is not its own */
	return lang_skip_blanks(text, signature, off) < off ? off : signature;
}

/* What is private to a class is no part of its signature. */
static bool
is_wanted(const struct lang_def *def)
{
	return (def->kind != LANG_KIND_METHOD &&
		def->kind != LANG_KIND_PROPERTY) ||
	       (def->flags & LANG_DEF_EXPORTED);
}

/* What is outside of classes says it for all that is in it. */
static bool
is_public(const struct lang_maker *maker, const struct lang_def *def)
{
	const uint8_t reached = LANG_DEF_EXPORTED | LANG_DEF_REACHED;
	uint32_t *outer = &maker->outliner->outer_is_public;

	if (!(def->flags & LANG_DEF_OUTER))
		return *outer && (def->flags & reached) == reached;
	switch (def->kind) {
	case LANG_KIND_IMPL: /* only what is public in it is written */
		*outer = 1;
		break;
	case LANG_KIND_METHOD: /* of Go; of C++ outside of its class */
	case LANG_KIND_PROPERTY:
	case LANG_KIND_MODULE:
	case LANG_KIND_SECTION:
		*outer = (def->flags & LANG_DEF_EXPORTED) != 0;
		break;
	default:
		*outer = lang_is_export(maker->lang, maker->is_header, def);
		break;
	}
	return *outer;
}

/* A signature begins here. */
static void
begin_signature(struct lang_maker *maker, const struct lang_def *def)
{
	struct lang_signatures *signatures = maker->signatures;

	maker->is_public = is_public(maker, def);
	if (signatures == NULL)
		return;
	if (signatures->nr < OUTLINE_SIGNATURES) {
		signatures->list[signatures->nr].off =
			(uint32_t)(maker->outliner->written - signatures->base);
		signatures->list[signatures->nr].is_public = maker->is_public;
	}
	signatures->nr += signatures->nr <= OUTLINE_SIGNATURES;
}

/*
 * What is written when it ends: typedefs, whose names come last, and
 * interfaces, of which all is a signature.
 */
static bool
comes_whole(const struct lang_maker *maker, const struct lang_def *def)
{
	size_t at = place_of(maker->text, def->decl_off);

	switch (maker->lang) {
	case LANG_C:
	case LANG_CPP:
	case LANG_OBJC:
		return maker->text->nr - at > 8 &&
		       memcmp(maker->text->bytes + at, "typedef ", 8) == 0;
	case LANG_GO:
	case LANG_TYPESCRIPT:
	case LANG_TSX:
		return def->kind == LANG_KIND_INTERFACE;
	default:
		return false;
	}
}

/* A line or more of the text, as they are. */
static void
put_lines(struct lang_maker *maker, size_t from, size_t end)
{
	put_piece(maker, from, end);
	put(maker, "\n", 1);
}

static void
put_signature(struct lang_maker *maker, const struct lang_def *def)
{
	const uint8_t *text = maker->text->bytes;
	size_t signature = place_of(maker->text, def->off);
	size_t end = place_of(maker->text, def->body_off);
	size_t from = put_doc(maker, def);

	end = lang_signature_end(maker->lang, def->kind, text,
				 signature > from ? signature : from,
				 end > from ? end : from);
	put_lines(maker, from, end);
}

void
lang_maker_open(void *context, const struct lang_def *def)
{
	struct lang_maker *maker = context;
	struct lang_outliner *outliner = maker->outliner;
	bool whole;

	/* within a function nothing is of interest */
	if (outliner == NULL || (outliner->function_depth != 0 &&
				 def->depth >= outliner->function_depth))
		return;
	whole = comes_whole(maker, def);
	outliner->function_depth =
		whole || lang_kind_is_function(def->kind) ? def->depth + 1u : 0;
	if (whole || !is_wanted(def))
		return;
	begin_signature(maker, def);
	put_signature(maker, def);
}

/* typedef struct { ... } name; - the signature, and what comes behind. */
static void
put_typedef(struct lang_maker *maker, const struct lang_def *def)
{
	const uint8_t *text = maker->text->bytes;
	size_t end = place_of(maker->text, def->end_off);
	size_t stop = min_size(end + 256, maker->text->nr);
	const uint8_t *semi = memchr(text + end, ';', stop - end);
	size_t from = put_doc(maker, def);
	size_t body = place_of(maker->text, def->body_off);

	while (body > from &&
	       (lang_is_blank(text[body - 1]) || text[body - 1] == '\n'))
		body--;
	put_piece(maker, from, body);
	if (semi != NULL) {
		put(maker, " ", 1);
		while (lang_is_blank(text[end]))
			end++;
		put_piece(maker, end, (size_t)(semi - text) + 1);
	}
	put(maker, "\n", 1);
}

void
lang_maker_def(void *context, const struct lang_def *def)
{
	struct lang_maker *maker = context;
	struct lang_outliner *outliner = maker->outliner;

	if (outliner == NULL || outliner->function_depth != def->depth + 1u ||
	    def->body_off == def->end_off || !comes_whole(maker, def))
		return;
	begin_signature(maker, def);
	if (def->kind != LANG_KIND_INTERFACE)
		put_typedef(maker, def);
	else if (def->end_off - def->decl_off > OUTLINE_WHOLE_BYTES)
		put_signature(maker, def);
	else
		put_lines(maker, put_doc(maker, def),
			  place_of(maker->text, def->end_off));
}

/* ---------------------------------------------------- some of the signatures -- */

/* Bytes that are taken, then bytes that are not; false: too many spans. */
static bool
add_span(struct lang_outline_span *spans, size_t *nr, size_t taken, size_t left)
{
	if (*nr == 0 || (taken > 0 && spans[*nr - 1].left_bytes > 0)) {
		if (*nr == OUTLINE_SPANS)
			return false;
		spans[(*nr)++] = (struct lang_outline_span){ 0 };
	}
	spans[*nr - 1].taken_bytes += (uint32_t)taken;
	spans[*nr - 1].left_bytes += (uint32_t)left;
	return true;
}

/* Where the n-th signature begins in the text; of what is before them, n is 0. */
static size_t
signature_at(const struct lang_signatures *signatures, uint32_t n, size_t bytes)
{
	if (n == 0)
		return 0;
	return n > signatures->nr
		       ? bytes
		       : signatures->before + signatures->list[n - 1].off;
}

size_t
lang_outline_pick(const struct lang_signatures *signatures, const uint8_t *text,
		  size_t bytes, struct lang_outline_room *room,
		  struct lang_outline_span spans[static OUTLINE_SPANS])
{
	struct lang_outline_room left = *room;
	size_t nr = 0;

	if (signatures->nr == 0 || signatures->nr > OUTLINE_SIGNATURES)
		return 0;
	for (uint32_t n = 0; n <= signatures->nr; n++) {
		bool first = n == 0 || signatures->list[n - 1].is_public;
		uint32_t *lines =
			first ? &left.public_lines : &left.other_lines;
		size_t from = signature_at(signatures, n, bytes);
		size_t all = signature_at(signatures, n + 1, bytes) - from;
		uint32_t of = (uint32_t)lang_newlines(text + from, all);
		uint32_t some = (uint32_t)min_u64(of, *lines);
		size_t taken;

		/* none that is cut stands before a public one */
		if (some < of && !first && left.public_lines > 0)
			some = 0;
		*lines = some == of ? *lines - of : 0;
		taken = lang_lines_bytes(text + from, all, some);
		if (!add_span(spans, &nr, taken, all - taken))
			return 0;
	}
	*room = left;
	return nr;
}

/* Its first lines, less a character that would be cut in two. */
static size_t
beginning(const uint8_t *text, size_t bytes)
{
	size_t end = first_lines(text, bytes, OUTLINE_FIRST_LINES);

	if (end <= OUTLINE_FIRST_BYTES)
		return end;
	end = OUTLINE_FIRST_BYTES;
	while (end > 0 && (text[end] & 0xc0) == 0x80)
		end--;
	return end;
}

void
lang_maker_end(struct lang_maker *maker)
{
	const struct lang_text *text = maker->text;

	if (maker->outliner == NULL)
		return;
	if (maker->outliner->written == 0 && text->off == 0) {
		maker->outliner->import_bytes = 0;
		put(maker, text->bytes, beginning(text->bytes, text->nr));
	}
}
