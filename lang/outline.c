/* SPDX-License-Identifier: MIT */
/*
 * outline.c - signatures.
 */
#include "lang/outline.h"

#include <string.h>

#include "base/ascii.h"
#include "lang/facts.h"
#include "lang/sentence.h"
#include "lang/text.h"

/* Bytes of the first lines of a text. */
static size_t
first_lines(const uint8_t *text, size_t bytes, uint32_t lines)
{
	size_t at = 0;

	for (uint32_t i = 0; i < lines && at < bytes; i++)
		at = min_size(lang_line_end(text, at, bytes) + 1, bytes);
	return at;
}

/* The number of a line of which nothing is written yet. It is not what members
 * in a row are many by. */
static void
put_number(struct lang_maker *maker)
{
	uint8_t number[LANG_NUMBER_BYTES];
	size_t bytes;

	if (!maker->numbers || maker->in_line)
		return;
	bytes = lang_put_number(
		lang_line_at(&maker->line, maker->text->bytes, maker->place),
		number);
	maker->write(maker->context, number, bytes);
	maker->outliner->written += bytes;
	maker->outliner->members_from += bytes;
}

static void
put(struct lang_maker *maker, const void *text, size_t bytes)
{
	if (bytes == 0)
		return;
	put_number(maker);
	maker->write(maker->context, text, bytes);
	maker->in_line = ((const uint8_t *)text)[bytes - 1] != '\n';
	maker->outliner->written += bytes;
	if (maker->is_public)
		maker->outliner->public_lines +=
			(uint32_t)lang_newlines(text, bytes);
}

/*
 * What stands for the blanks before a line: one a definition around it, and one
 * more if it is a further line of what is being written. In most vocabularies one
 * blank before a word is part of its token, and more are a token of their own.
 */
static void
put_blanks(struct lang_maker *maker, size_t blanks)
{
	size_t level = min_size(maker->level, blanks);

	level += blanks > maker->blanks;
	for (; level > 0; level--)
		put(maker, " ", 1);
}

/* Lines, each with the blanks that are due to it. */
static void
put_lines(struct lang_maker *maker, size_t from, size_t end)
{
	const uint8_t *text = maker->text->bytes;

	while (from < end) {
		size_t first = maker->in_line || lang_is_settings(maker->lang)
				       ? from
				       : lang_skip_blanks(text, from, end);
		size_t next =
			min_size(lang_line_end(text, first, end) + 1, end);

		maker->place = first;
		if (first == end || text[first] != '\n')
			put_blanks(maker, first - from);
		put(maker, text + first, next - first);
		from = next;
	}
}

/* A piece of a signature; less the comments in it, if they are not wanted. */
static void
put_piece(struct lang_maker *maker, size_t from, size_t end)
{
	const struct lang_comments *comments = maker->comments;
	uint32_t nr = comments == NULL ? 0 : comments->nr;

	for (uint32_t i = 0; i < nr && from < end; i++) {
		size_t off = lang_text_place(maker->text,
					     comments->base_off +
						     comments->spans[i].from);
		size_t behind = lang_text_place(maker->text,
						comments->base_off +
							comments->spans[i].end);

		if (behind <= from || off >= end)
			continue;
		put_lines(maker, from, off);
		from = min_size(behind, end);
	}
	put_lines(maker, from, end);
}

/* Behind the bracket that closes the one at `at`; `end` if none does. */
static size_t
group_end(const uint8_t *text, size_t at, size_t end)
{
	uint32_t nest = 0;

	while (at < end) {
		uint8_t c = text[at];

		if (c == '"' || c == '\'') {
			at = lang_skip_string(text, at, end);
			continue;
		}
		nest += c == '(';
		at++;
		if (c == ')' && --nest == 0)
			break;
	}
	return at;
}

/* What stands before a definition on its own: @a("b"), #[c(d)]. Long arguments
 * are left out. Returns `to`. */
static size_t
put_attributes(struct lang_maker *maker, size_t from, size_t to)
{
	const uint8_t *text = maker->text->bytes;
	size_t at = from;

	while (at < to) {
		size_t behind = text[at] == '(' ? group_end(text, at, to) : at;

		if (behind - at > OUTLINE_ARGUMENT_BYTES) {
			put_piece(maker, from, at);
			put(maker, "(...)", 5);
			from = behind;
		}
		at = behind > at ? behind : at + 1;
	}
	put_piece(maker, from, to > from ? to : from);
	return to > from ? to : from;
}

/* Ends the line of members that is open. */
static void
end_line(struct lang_maker *maker)
{
	if (maker->outliner->line_is_open)
		put(maker, "\n", 1);
	maker->outliner->line_is_open = 0;
}

/* --------- signatures -- */

/* The first sentence of the comment that begins in the line at `at`. */
static void
put_sentence(struct lang_maker *maker, size_t at, size_t end)
{
	const uint8_t *text = maker->text->bytes;
	size_t next = lang_sentence_end(text, at, end);
	const char *close;

	while (next > at && text[next - 1] <= ' ')
		next--;
	put_lines(maker, at, next);
	at = lang_skip_blanks(text, at, next);
	close = lang_closing_mark(text, at, next);
	if (close != NULL &&
	    memmem(text + at, next - at, close, strlen(close)) == NULL) {
		put(maker, " ", 1);
		put(maker, close, strlen(close));
	}
	put(maker, "\n", 1);
}

/* """words""", indented as what stands at `place`. */
static void
put_quoted(struct lang_maker *maker, size_t place, size_t from, size_t end)
{
	const uint8_t *text = maker->text->bytes;
	size_t line = lang_behind_newline(text, 0, place);

	while (end > from && text[end - 1] <= ' ')
		end--;
	if (from >= end)
		return;
	maker->place = from;
	put_blanks(maker, lang_skip_blanks(text, line, place) - line);
	put(maker, "\"\"\"", 3);
	put_lines(maker, from, end);
	put(maker, "\"\"\"\n", 4);
}

/* GraphQL: the first sentence of the string that begins in the line at `at`. */
static void
put_description(struct lang_maker *maker, size_t at, size_t end)
{
	const uint8_t *text = maker->text->bytes;
	size_t place = lang_skip_blanks(text, at, end);
	size_t bytes = lang_has(text, place, end, "\"\"\"") ? 3 : 1;
	size_t from = min_size(place + bytes, end);
	const uint8_t *close =
		memmem(text + from, end - from, text + place, bytes);

	if (close != NULL)
		end = (size_t)(close - text);
	while (from < end && text[from] <= ' ')
		from++;
	put_quoted(maker, place, from, lang_sentence_end(text, from, end));
}

/* The first sentences of the comments before [signature), if wanted: of the last
 * one, and of one right before it. */
static void
put_doc_before(struct lang_maker *maker, const struct lang_def *def,
	       size_t signature)
{
	const uint8_t *text = maker->text->bytes;
	size_t at = lang_text_place(maker->text, def->lead_off);
	size_t begin[2] = { 0 };
	size_t from[2] = { 0 };
	size_t end[2] = { 0 };

	while (maker->doc && at < signature) {
		size_t next = lang_comment_end(text, at, signature);

		size_t words = lang_comment_words(text, at, next);

		if (words < next) {
			from[0] = from[1];
			end[0] = end[1];
			begin[0] = begin[1];
			from[1] = words;
			end[1] = next;
			begin[1] = lang_skip_blanks(text, at, next);
		}
		at = next;
	}
	for (uint32_t i = 0; i < ARRAY_LEN(from); i++) {
		if (from[i] == end[i])
			continue;
		if (maker->lang == LANG_GRAPHQL && text[begin[i]] == '"')
			put_description(maker, begin[i], end[i]);
		else
			put_sentence(maker, from[i], end[i]);
	}
}

/* What follows is of a definition or a member, and begins at `at`. Returns where
 * its line does. */
static size_t
set_level(struct lang_maker *maker, const struct lang_def *def, size_t at)
{
	const uint8_t *text = maker->text->bytes;
	size_t line = lang_behind_newline(text, 0, at);
	struct lang_outline_level outer = { 0, 0 };

	if (def->depth > 0)
		outer = maker->outliner
				->levels[min_size(def->depth, OUTLINE_LEVELS) -
					 1];
	maker->blanks = lang_skip_blanks(text, line, at) - line;
	maker->level = outer.level;
	maker->level += maker->blanks > outer.blanks;
	/* classes without braces are not known to be around */
	if (maker->lang == LANG_SCALA && def->depth == 0)
		maker->level = maker->blanks / 2;
	maker->level = min_size(maker->level, maker->blanks);
	return line;
}

/* What a definition is indented by, for those within. */
static void
keep_level(const struct lang_maker *maker, uint16_t depth)
{
	const struct lang_outline_level level = {
		(uint8_t)min_size(maker->blanks, UINT8_MAX),
		(uint8_t)maker->level,
	};

	if (depth < OUTLINE_LEVELS)
		maker->outliner->levels[depth] = level;
}

/*
 * The comment before a definition in the line that begins at `line`. Returns where
 * its signature begins: with its attributes, and the blanks before.
 */
static size_t
put_doc(struct lang_maker *maker, const struct lang_def *def, size_t line)
{
	size_t off = lang_text_place(maker->text, def->decl_off);

	put_doc_before(maker, def, line);
	/* what stands before it on its line is not its own */
	return line + maker->blanks < off ? off : line;
}

/* Python: the first sentence of the string that a body begins with, or the
 * module, behind comments. */
static void
put_docstring(struct lang_maker *maker, size_t from)
{
	const uint8_t *text = maker->text->bytes;
	size_t end = min_size(from + 4096, maker->text->nr);
	size_t at;
	size_t stop;

	if (!maker->doc || lang_row(maker->lang)->family != FAMILY_INDENT)
		return;
	while (from < end && (text[from] <= ' ' || text[from] == '#'))
		from = text[from] == '#' ? lang_line_end(text, from, end)
					 : from + 1;
	at = from;
	while (at < end && strchr("rRuUbB", text[at]) != NULL && text[at] != 0)
		at++;
	if (end - at < 4 || (text[at] != '"' && text[at] != '\''))
		return;
	stop = lang_line_end(text, at, end);
	if (lang_has(text, at, end, "\"\"\"") ||
	    lang_has(text, at, end, "\'\'\'")) {
		const uint8_t *close =
			memmem(text + at + 3, end - at - 3, text + at, 3);

		stop = close == NULL ? end : (size_t)(close - text);
		at += 3;
	} else {
		stop = lang_skip_string(text, at, stop) - 1;
		at++;
	}
	while (at < stop && text[at] <= ' ')
		at++;
	put_quoted(maker, from, at, lang_sentence_end(text, at, stop));
}

/* What is private to a class is no part of its signature. */
static bool
is_wanted(const struct lang_maker *maker, const struct lang_def *def)
{
	/* of a class without braces */
	if (def->lang == LANG_SCALA && maker->blanks > 0 &&
	    !(def->flags & LANG_DEF_EXPORTED))
		return false;
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
		*outer = lang_is_export(def->lang, maker->is_header, def);
		break;
	}
	return *outer;
}

/* The line that a signature begins in, with its attributes. */
static uint32_t
first_line(const struct lang_maker *maker, const struct lang_def *def)
{
	size_t from = lang_text_place(maker->text, def->decl_off);
	size_t to = lang_text_place(maker->text, def->off);

	if (from >= to)
		return def->line;
	return def->line -
	       (uint32_t)min_u64(
		       lang_newlines(maker->text->bytes + from, to - from),
		       def->line - 1);
}

/* Whether changes of what follows are changes of it. */
static bool
has_body(const struct lang_def *def)
{
	return !(def->flags & LANG_DEF_DECLARED) &&
	       def->kind != LANG_KIND_NONE && def->kind != LANG_KIND_TYPE &&
	       def->kind != LANG_KIND_PROPERTY;
}

/* A signature begins here. */
static void
begin_signature(struct lang_maker *maker, const struct lang_def *def)
{
	struct lang_signatures *signatures = maker->signatures;

	end_line(maker);
	if (maker->outliner->written == 0 && maker->text->off == 0)
		put_docstring(maker, 0);
	maker->is_public = is_public(maker, def);
	maker->outliner->members_from = maker->outliner->written;
	maker->outliner->members_are_cut = 0;
	if (signatures == NULL)
		return;
	if (signatures->nr < OUTLINE_SIGNATURES) {
		signatures->list[signatures->nr].off =
			(uint32_t)(maker->outliner->written - signatures->base);
		signatures->list[signatures->nr].line = first_line(maker, def);
		signatures->list[signatures->nr].is_public = maker->is_public;
		signatures->list[signatures->nr].has_body = has_body(def);
	}
	signatures->nr += signatures->nr <= OUTLINE_SIGNATURES;
}

/* A member follows: it belongs to the signature before it, unless that is not
 * for others and the member is, or the other way about. */
static void
continue_signature(struct lang_maker *maker, const struct lang_def *def)
{
	if (maker->outliner->written == 0 ||
	    is_public(maker, def) != maker->is_public)
		begin_signature(maker, def);
}

/* Clojure has words before the arguments: they are left out, or their first
 * sentence stays. Returns where the rest begins. */
static size_t
put_up_to_words(struct lang_maker *maker, size_t from, size_t end)
{
	const uint8_t *text = maker->text->bytes;
	size_t at = from;
	size_t behind;
	size_t line;

	while (at < end && (text[at] == 0 || strchr("\"[{", text[at]) == NULL))
		at++;
	if (at == end || text[at] != '"' ||
	    (behind = lang_skip_text(text, at, end)) == end)
		return from;
	line = lang_behind_newline(text, 0, at);
	if (maker->doc) {
		at = lang_sentence_end(text, at + 1, behind - 1);
		while (text[at - 1] <= ' ')
			at--;
		put_piece(maker, from, at);
		put(maker, "\"", 1);
		return behind;
	}
	if (lang_skip_blanks(text, line, at) < at) {
		put_piece(maker, from, at);
		return lang_skip_blanks(text, behind, end);
	}
	put_piece(maker, from, max_u64(from, line));
	behind = lang_skip_blanks(text, behind, end);
	return behind + (behind < end && text[behind] == '\n');
}

/* The blanks before what begins at `at`, and more if the braces around begin on its
 * line. */
static void
put_indent(struct lang_maker *maker, size_t line, size_t at)
{
	maker->place = at;
	put_blanks(maker, maker->blanks);
	if (line + maker->blanks < at)
		put(maker, " ", 1);
}

static void
put_signature(struct lang_maker *maker, const struct lang_def *def, size_t line)
{
	const uint8_t *text = maker->text->bytes;
	size_t signature = lang_text_place(maker->text, def->off);
	size_t end = lang_text_place(maker->text, def->body_off);
	size_t from = put_doc(maker, def, line);

	if (def->depth > 0 && from > line)
		put_indent(maker, line, from);
	end = lang_signature_end(def->lang, def->kind, text,
				 signature > from ? signature : from,
				 end > from ? end : from);
	end = lang_signature_with_body(maker, def, end);
	from = put_attributes(maker, from, min_size(signature, end));
	if (def->lang == LANG_CLOJURE)
		from = put_up_to_words(maker, from, end);
	put_piece(maker, from, end);
	put(maker, "\n", 1);
	put_docstring(maker, lang_text_place(maker->text, def->body_off));
}

/* Whether it lies within a function, where nothing is of interest. */
static bool
is_local(const struct lang_outliner *outliner, const struct lang_def *def)
{
	return outliner->function_depth != 0 &&
	       def->depth >= outliner->function_depth;
}

void
lang_maker_open(void *context, const struct lang_def *def)
{
	struct lang_maker *maker = context;
	struct lang_outliner *outliner = maker->outliner;
	size_t line;

	if (outliner == NULL || is_local(outliner, def) ||
	    lang_is_settings(maker->lang))
		return;
	outliner->function_depth =
		lang_kind_is_function(def->kind) ? def->depth + 1u : 0;
	line = set_level(maker, def,
			 lang_text_place(maker->text, def->decl_off));
	keep_level(maker, def->depth);
	if (!is_wanted(maker, def))
		return;
	begin_signature(maker, def);
	put_signature(maker, def, line);
}

void
lang_maker_def(void *context, const struct lang_def *def)
{
	struct lang_maker *maker = context;
	size_t end = lang_declarator_end(maker, def);
	size_t brace = lang_text_place(maker->text, def->end_off) - 1;
	size_t line;

	if (end == 0 || maker->outliner == NULL ||
	    is_local(maker->outliner, def))
		return;
	line = set_level(maker, def, brace);
	if (line + maker->blanks < brace)
		line = brace;
	end_line(maker);
	put_piece(maker, line, end);
	maker->outliner->member_off = maker->text->off + end;
	put(maker, "\n", 1);
}

/* ------------------------------------------------------------- members -- */

/* Whether the member before it stands on the same line. */
static bool
joins_line(const struct lang_maker *maker, size_t from)
{
	const struct lang_outliner *outliner = maker->outliner;
	size_t before = lang_text_place(maker->text, outliner->member_off);

	return outliner->line_is_open && before <= from &&
	       memchr(maker->text->bytes + before, '\n', from - before) == NULL;
}

/* The comma or sign of a value from `at` on, outside of brackets; `end`: none. */
static size_t
next_declarator(const uint8_t *text, size_t at, size_t end)
{
	uint32_t nest = 0;

	while (at < end) {
		uint8_t c = text[at];

		if (c == '"' || c == '\'') {
			at = lang_skip_string(text, at, end);
			continue;
		}
		if (nest == 0 && (c == ',' || c == '='))
			break;
		nest += c == '(' || c == '[' || c == '{';
		nest -= nest > 0 && (c == ')' || c == ']' || c == '}');
		at++;
	}
	return min_size(at, end);
}

/* Whether *a, b[2] stands there, and no part of a value: a<b, c> */
static bool
is_declarator(const uint8_t *text, size_t at, size_t end)
{
	size_t name;

	while (at < end && (text[at] == '*' || lang_is_blank(text[at])))
		at++;
	name = at;
	while (at < end && ascii_is_word(text[at]))
		at++;
	if (at == name || (text[name] >= '0' && text[name] <= '9'))
		return false;
	at = lang_skip_blanks(text, at, end);
	return at == end || strchr("[,;", text[at]) != NULL ||
	       (text[at] == '=' && (at + 1 == end || text[at + 1] != '='));
}

/* int a = ..., *b = ..., c; - the names behind a value that is left out. */
static void
put_declarators(struct lang_maker *maker, size_t value, size_t end)
{
	const uint8_t *text = maker->text->bytes;
	size_t at = value;

	if (!(lang_row(maker->lang)->traits & TRAIT_TYPED))
		return;
	while ((at = next_declarator(text, at, end)) < end) {
		bool is_comma = text[at++] == ',';
		size_t from = lang_skip_space(text, at, end);
		size_t behind;

		if (!is_comma || !is_declarator(text, from, end))
			continue;
		behind = next_declarator(text, from, end);
		behind += behind < end && text[behind] == '=';
		put(maker, ", ", 2);
		put_piece(maker, from, behind);
		if (text[behind - 1] == '=')
			put(maker, " ...", 4);
		at = behind;
	}
}

/* The text of a member: a value that is long is left out. */
static void
put_member(struct lang_maker *maker, const struct lang_def *def, size_t from)
{
	const uint8_t *text = maker->text->bytes;
	size_t end = lang_text_place(maker->text, def->end_off);
	size_t value = lang_text_place(maker->text, def->body_off);
	size_t most = from + OUTLINE_MEMBER_BYTES;
	bool is_long = end > most || (def->flags & LANG_DEF_CUT) ||
		       memchr(text + value, '\n', end - value) != NULL;

	is_long &= value < end || (def->flags & LANG_DEF_CUT);
	if (is_long)
		end = value;
	from = put_attributes(maker, from,
			      lang_text_place(maker->text, def->off));
	if (end - from > OUTLINE_TYPE_BYTES) {
		end = from + OUTLINE_TYPE_BYTES;
		while (end > from && (text[end] & 0xc0) == 0x80)
			end--;
		is_long = true;
	}
	put_piece(maker, from, end);
	if (is_long)
		put(maker, " ...", 4);
	if (is_long && end == value)
		put_declarators(maker, value,
				lang_text_place(maker->text, def->end_off));
}

/* Of very many members in a row the first ones are written, and a mark. */
static bool
has_member_room(struct lang_maker *maker, size_t line, size_t at)
{
	struct lang_outliner *outliner = maker->outliner;

	if (outliner->written - outliner->members_from < OUTLINE_MEMBERS_BYTES)
		return true;
	if (!outliner->members_are_cut) {
		end_line(maker);
		put_indent(maker, line, at);
		put(maker, "...\n", 4);
	}
	outliner->members_are_cut = 1;
	return false;
}

void
lang_maker_member(void *context, const struct lang_def *def)
{
	struct lang_maker *maker = context;
	struct lang_outliner *outliner = maker->outliner;
	size_t from;
	size_t line;

	if (outliner == NULL || is_local(outliner, def) ||
	    ((def->flags & LANG_DEF_DECLARED) && !maker->is_header) ||
	    def->off < outliner->member_off)
		return;
	from = lang_text_place(maker->text, def->decl_off);
	line = set_level(maker, def, from);
	if (!has_member_room(maker, line, from))
		return;
	if (joins_line(maker, from)) {
		put(maker, " ", 1);
	} else {
		end_line(maker);
		continue_signature(maker, def);
		put_doc_before(maker, def, line);
		put_indent(maker, line, from);
	}
	put_member(maker, def, from);
	outliner->line_is_open = 1;
	if (maker->text->bytes[lang_text_place(maker->text, def->off)] != '#')
		outliner->member_off = def->end_off;
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

/* The beginning of a text without structure, as it is. */
static void
put_beginning(struct lang_maker *maker)
{
	const uint8_t *text = maker->text->bytes;
	size_t end = beginning(text, maker->text->nr);

	maker->place = 0;
	for (size_t next; maker->place < end; maker->place = next) {
		next = min_size(lang_line_end(text, maker->place, end) + 1,
				end);
		put(maker, text + maker->place, next - maker->place);
	}
	/* signatures of later parts do not go on with a line that is cut */
	if (maker->in_line && !maker->text->at_end)
		put(maker, "\n", 1);
}

/* What of a file without signatures is not written yet: all of it is. */
static void
put_all(struct lang_maker *maker)
{
	struct lang_outliner *outliner = maker->outliner;
	const struct lang_text *text = maker->text;

	put_piece(maker, lang_text_place(text, outliner->member_off), text->nr);
	outliner->member_off = text->off + text->nr;
}

void
lang_maker_end(struct lang_maker *maker)
{
	const struct lang_text *text = maker->text;

	if (maker->outliner == NULL)
		return;
	end_line(maker);
	if (lang_is_settings(maker->lang))
		put_all(maker);
	else if (maker->outliner->written == 0 && text->off == 0 &&
		 !lang_maker_has_listed(maker)) {
		maker->outliner->import_bytes = 0;
		put_beginning(maker);
	}
}
