/* SPDX-License-Identifier: MIT */
/*
 * layout.c - languages whose definitions are known by where their lines
 *                  begin: Python, YAML, Haskell, OCaml, Erlang.
 */
#include "lang/lines.h"

#include <string.h>

#include "base/hash.h"
#include "lang/text.h"

static bool
definer_at(const struct walk *walk, size_t at, size_t bytes, char *letter)
{
	return bytes > 0 && lang_words_have(&walk->words[LANG_WORDS_DEFINERS],
					    walk->text + at, bytes, letter);
}

static void
push(struct walk *walk, const struct line *line, size_t name, size_t bytes,
     uint8_t kind)
{
	struct def_start start = { .kind = kind };

	lines_place(walk, line->at, name, bytes, &start);
	if (walk_push(walk, FRAME_CLASS, &start))
		walk_frame(walk)->indent = line->indent;
}

/* open A; import A (b): what is named. */
static void
import(struct walk *walk, size_t at, size_t end)
{
	size_t stop;

	at = walk_skip_blanks(walk, at);
	stop = at;
	while (stop < end && !is_blank_byte(walk->text[stop]) &&
	       walk->text[stop] != '\n' && walk->text[stop] != '(')
		stop++;
	walk_import(walk, at, stop - at);
}

/* Behind the words that may stand before a definer. */
static size_t
skip_modifiers(const struct walk *walk, size_t at)
{
	for (;;) {
		size_t bytes = lines_word(walk, at);

		if (bytes == 0 ||
		    !lang_words_have(&walk->words[LANG_WORDS_MODIFIERS],
				     walk->text + at, bytes, NULL) ||
		    !is_blank_byte(walk_byte(walk, at + bytes)))
			return at;
		at = walk_skip_blanks(walk, at + bytes);
	}
}

/* What a line has behind `at`, up to its comment: where it ends, and the first
 * sign outside of brackets. False: it goes on in the next line. */
static bool
read_line(const struct walk *walk, size_t at, size_t end,
	  struct def_start *start, size_t *behind)
{
	uint32_t nest = 0;

	*behind = at;
	while (at < end && walk->text[at] != '#') {
		uint8_t c = walk->text[at];

		if (c == '"' || c == '\'') {
			if (at + 2 < end && walk->text[at + 1] == c &&
			    walk->text[at + 2] == c)
				return false;
			at = min_size(lang_skip_string(walk->text, at, end),
				      end);
			*behind = at;
			continue;
		}
		nest += is_one_of("([{", c);
		nest -= is_one_of(")]}", c) && nest > 0;
		at++;
		if (c == '=' && nest == 0 && start->body == 0)
			start->body = at;
		if (!is_blank_byte(c))
			*behind = at;
	}
	return nest == 0 && (*behind == 0 || walk->text[*behind - 1] != '\\');
}

/* name = value, name: type = value: reported as a member. What stands behind
 * the name begins at `at`. */
static void
member(struct walk *walk, const struct line *line, size_t name, size_t at)
{
	struct def_start start = { 0 };
	size_t end;

	if (walk->sink == NULL || walk->sink->member == NULL)
		return;
	lines_place(walk, line->at, name, at - name, &start);
	start.body = 0;
	if (!read_line(walk, at, line->end, &start, &end))
		start.flags |= LANG_DEF_CUT;
	if (start.body == 0)
		start.body = end;
	walk_member(walk, &start, end);
}

/*
 * NAME = value, NAME: type = value, A, B = values at the top of a module. What
 * strings stand in a statement on __all__ are told of as they are met.
 */
static void
assignment(struct walk *walk, const struct line *line)
{
	static const char all[] = "__all__";
	size_t at = line->at;
	uint32_t nr = 0;

	for (;;) {
		size_t bytes = lines_word(walk, at);
		uint8_t c;

		if (bytes_are(walk->text + at, bytes, all)) {
			walk->scan->aux[AUX_ALL] = 1;
			return;
		}
		if (bytes == 0 ||
		    lang_words_have(&walk->words[LANG_WORDS_CONTROL],
				    walk->text + at, bytes, NULL))
			return;
		nr += walk->text[at] != '_';
		at = walk_skip_blanks(walk, at + bytes);
		c = walk_byte(walk, at);
		if (c == '=' || c == ':')
			break;
		if (c != ',')
			return;
		at = walk_skip_blanks(walk, at + 1);
	}
	if (walk_byte(walk, at + 1) == '=')
		return;
	if (line->indent == 0)
		walk_export(walk, LANG_EXPORT_NAMES, nr);
	/* within `if` or `try` constants and types alone */
	if (nr > 0 && (line->indent == 0 || walk->scan->depth > 0 ||
		       ascii_is_upper(walk->text[line->at])))
		member(walk, line, line->at, at);
}

/* type Name = value, type Name[T] = value. */
static bool
type_alias(struct walk *walk, const struct line *line)
{
	size_t name = walk_skip_blanks(walk, line->at + 4);
	size_t at = name + lines_word(walk, name);

	if (!walk_word_is(walk, line->at, lines_word(walk, line->at), "type") ||
	    name == line->at + 4 || at == name)
		return false;
	if (walk_byte(walk, at) != '[')
		at = walk_skip_blanks(walk, at);
	if (walk_byte(walk, at) != '[' &&
	    (walk_byte(walk, at) != '=' || walk_byte(walk, at + 1) == '='))
		return false;
	if (line->indent == 0)
		walk_export(walk, LANG_EXPORT_NAMES, walk->text[name] != '_');
	member(walk, line, name, at);
	return true;
}

/* Where the name of a module ends; Nim: those in std/[a, b] are one. */
static size_t
module_end(const struct walk *walk, size_t at)
{
	bool in_brackets = false;

	for (; at < walk->bytes && walk->text[at] != '\n'; at++) {
		uint8_t c = walk->text[at];

		if (c == '[')
			in_brackets = true;
		if (!in_brackets &&
		    (is_blank_byte(c) || is_one_of(",;(#\\", c)))
			break;
		if (c == ']')
			in_brackets = false;
	}
	return at;
}

/* import a, b as c: each of them; returns where the statement ends. */
static size_t
import_modules(struct walk *walk, size_t at)
{
	const uint8_t *text = walk->text;
	size_t end;

	do {
		at = lang_skip_joined(text, at, walk->bytes);
		end = module_end(walk, at);
		walk_import(walk, at, end - at);
		at = lang_skip_joined(text, end, walk->bytes);
		if (walk_word_is(walk, at, lines_word(walk, at), "as")) {
			at = lang_skip_joined(text, at + 2, walk->bytes);
			at += lines_word(walk, at);
			at = lang_skip_joined(text, at, walk->bytes);
		}
	} while (walk_byte(walk, at++) == ',');
	return at - 1;
}

/* from a import b: the module; returns where the statement ends. */
static size_t
import_from(struct walk *walk, size_t at)
{
	size_t end;

	at = lang_skip_joined(walk->text, at, walk->bytes);
	end = module_end(walk, at);
	walk_import(walk, at, end - at);
	while (end < walk->bytes && !is_one_of("\n;#", walk->text[end])) {
		size_t next = lang_skip_joined(walk->text, end, walk->bytes);

		end = next > end ? next : end + 1;
	}
	return end;
}

/* The imports of one line, whose first word is at `at`: import a; import b.
 * False: it is another word. */
static bool
import_line(struct walk *walk, size_t at)
{
	bool is_import = false;

	for (;;) {
		size_t bytes = lines_word(walk, at);

		if (walk_word_is(walk, at, bytes, "import"))
			at = import_modules(walk, at + bytes);
		else if (walk_word_is(walk, at, bytes, "from"))
			at = import_from(walk, at + bytes);
		else
			return is_import;
		is_import = true;
		if (walk_byte(walk, at) != ';')
			return true;
		at = walk_skip_blanks(walk, at + 1);
	}
}

static void
indent_line(struct walk *walk, const struct line *line)
{
	size_t at = skip_modifiers(walk, line->at);
	size_t bytes = lines_word(walk, at);
	char letter;
	size_t name;

	lines_dedent(walk, line->indent);
	/* comments farther in are of what has ended */
	if (walk->scan->aux[AUX_INDENT] > line->indent)
		walk->scan->has_lead = 0;
	if (definer_at(walk, at, bytes, &letter) &&
	    is_blank_byte(walk_byte(walk, at + bytes))) {
		name = walk_skip_blanks(walk, at + bytes);
		bytes = lines_word(walk, name);
		if (bytes > 0)
			push(walk, line, name, bytes, walk_kind(letter));
	} else if (!import_line(walk, at) && bytes > 0 &&
		   (walk_frame(walk) == NULL ||
		    walk_frame(walk)->kind == LANG_KIND_CLASS)) {
		if (!type_alias(walk, line))
			assignment(walk, line);
	}
	walk->scan->has_lead = 0;
}

/* ---------------------------------------------------------------- YAML -- */

/* A key at the line's first byte: its length; 0 if there is none. */
static size_t
yaml_key(const struct walk *walk, const struct line *line)
{
	size_t at = line->at;
	uint8_t first = walk->text[at];

	if (first == '-' || first == '#' || first == '{' || first == '[' ||
	    first == '|' || first == '>')
		return 0;
	for (; at < line->end; at++) {
		uint8_t next = walk_byte(walk, at + 1);

		if (walk->text[at] == ':' &&
		    (at + 1 >= line->end || is_blank_byte(next)))
			return at - line->at;
	}
	return 0;
}

static bool
begins_scalar(const struct walk *walk, const struct line *line)
{
	size_t end = line->end;

	while (end > line->at && (is_blank_byte(walk->text[end - 1]) ||
				  strchr("+-0123456789", walk->text[end - 1])))
		end--;
	return end > line->at + 1 &&
	       (walk->text[end - 1] == '|' || walk->text[end - 1] == '>') &&
	       is_blank_byte(walk->text[end - 2]);
}

static void
keys_line(struct walk *walk, const struct line *line)
{
	struct lang_scan *scan = walk->scan;
	size_t bytes;

	/* within a block scalar */
	if (scan->aux[AUX_EXTRA] != 0 && line->indent >= scan->aux[AUX_EXTRA])
		return;
	scan->aux[AUX_EXTRA] = 0;
	if (begins_scalar(walk, line))
		scan->aux[AUX_EXTRA] = line->indent + 1;
	if (line->end - line->at == 3 &&
	    memcmp(walk->text + line->at, "---", 3) == 0) {
		lines_dedent(walk, 0);
		return;
	}
	bytes = yaml_key(walk, line);
	if (bytes == 0) {
		/* - items belong to the key before them */
		lines_dedent(walk, line->indent + 1);
		return;
	}
	lines_dedent(walk, line->indent);
	if (scan->depth < 2 && (scan->depth > 0) == (line->indent > 0))
		push(walk, line, line->at, bytes, LANG_KIND_SECTION);
	scan->has_lead = 0;
}

/* ------------------------------------------------------ Haskell, OCaml -- */

static bool
is_container(uint8_t kind)
{
	return kind == LANG_KIND_MODULE || kind == LANG_KIND_CLASS;
}

static bool
same_name(const struct walk *walk, size_t at, size_t bytes)
{
	const struct lang_frame *frame = walk_frame(walk);

	return frame != NULL &&
	       frame->name_hash == hash32(HASH32_BEGIN, walk->text + at, bytes);
}

/* Behind the next such byte of the line, or `at`. */
static size_t
skip_byte(const struct walk *walk, size_t at, size_t end, uint8_t byte)
{
	const uint8_t *found =
		at < end ? memchr(walk->text + at, byte, end - at) : NULL;

	return found == NULL ? at : (size_t)(found - walk->text) + 1;
}

/* Behind attributes: [@a], [@@b]. */
static size_t
skip_attributes(const struct walk *walk, size_t at, size_t end)
{
	while (walk_byte(walk, at) == '[' && walk_byte(walk, at + 1) == '@') {
		size_t next = skip_byte(walk, at, end, ']');

		if (next == at)
			break;
		at = walk_skip_blanks(walk, next);
	}
	return at;
}

/* Behind what a type has before its name: 'a, +'a, ('a, 'b). */
static size_t
skip_parameters(const struct walk *walk, size_t at, size_t end)
{
	if (walk_byte(walk, at) == '(')
		at = skip_byte(walk, at, end, ')');
	if (is_one_of("'+-", walk_byte(walk, at)))
		at = skip_byte(walk, at, end, ' ');
	return at;
}

/* What is in the round brackets at `at`: ( >>= ), but () as a whole. */
static size_t
name_in_brackets(const struct walk *walk, size_t at, size_t end, size_t *bytes)
{
	size_t next = skip_byte(walk, at, end, ')');

	at = walk_skip_blanks(walk, at + 1);
	if (walk_byte(walk, at) == ')')
		at = next - 2;
	*bytes = lines_word(walk, at);
	if (*bytes > 0 || next <= at)
		return at;
	next -= walk->text[at] != '(';
	*bytes = walk_trim_blanks(walk, at, next) - at;
	return at;
}

/*
 * Where the name stands behind a definer: behind let%name, attributes, and
 * what a type has before it; F#: this.name. In round brackets stand
 * operators, or nothing, which is as good a name.
 */
static size_t
ml_name(const struct walk *walk, size_t at, size_t end, uint8_t kind,
	size_t *bytes)
{
	size_t next;

	if (walk_byte(walk, at) == '%')
		while (at < end && !is_blank_byte(walk->text[at]))
			at++;
	at = skip_modifiers(walk, walk_skip_blanks(walk, at));
	at = skip_attributes(walk, at, end);
	if (kind == LANG_KIND_TYPE)
		at = skip_parameters(walk, at, end);
	at = walk_skip_blanks(walk, at);
	if (walk_byte(walk, at) == '"')
		at++;
	if (walk_byte(walk, at) == '(')
		return name_in_brackets(walk, at, end, bytes);
	next = at + lines_word(walk, at);
	if (walk->scan->lang == LANG_FSHARP && next > at &&
	    walk_byte(walk, next) == '.')
		at = next + 1;
	*bytes = lines_word(walk, at);
	return at;
}

/* F#: static member this.Name, abstract Name: type, override this.Name: where
 * the name stands, or what is before it; 0: it is no member. */
static size_t
fsharp_member(const struct walk *walk, size_t at)
{
	bool is_member = false;
	size_t bytes;

	while (walk->scan->lang == LANG_FSHARP &&
	       (bytes = lines_word(walk, at)) > 0 &&
	       is_blank_byte(walk_byte(walk, at + bytes)) &&
	       lang_word("member abstract override default | static",
			 walk->text + at, bytes, NULL)) {
		is_member |= walk->text[at] != 's';
		at = walk_skip_blanks(walk, at + bytes);
	}
	return is_member ? at : 0;
}

/* OCaml, F#: member private, method private. */
static bool
is_private(const struct walk *walk, size_t at)
{
	return walk_word_is(walk, at, lines_word(walk, at), "private");
}

/* Whether a frame may have members: F# has them in types of any kind. */
static bool
has_members(const struct walk *walk, const struct lang_frame *frame)
{
	return frame != NULL && (frame->kind == LANG_KIND_CLASS ||
				 (frame->kind == LANG_KIND_TYPE &&
				  walk->scan->lang == LANG_FSHARP));
}

/* A member of a class in the line, whose name is at `at` or farther behind. */
static void
ml_member(struct walk *walk, const struct line *line, size_t at)
{
	size_t bytes;
	size_t name = ml_name(walk, at, line->end, LANG_KIND_FUNCTION, &bytes);

	lines_dedent(walk, line->indent);
	if (bytes > 0 && has_members(walk, walk_frame(walk)) &&
	    !is_private(walk, at))
		push(walk, line, name, bytes, LANG_KIND_METHOD);
	walk->scan->has_lead = 0;
}

/* OCaml, F#, SML: items begin with a word, at the top or within a module. */
static void
ml_line(struct walk *walk, const struct line *line)
{
	size_t bytes = lines_word(walk, line->at);
	size_t at = fsharp_member(walk, line->at);
	uint8_t kind;
	char letter;
	size_t name;

	if (walk_word_is(walk, line->at, bytes, "method"))
		at = walk_skip_blanks(walk, line->at + bytes);
	if (at != 0) {
		ml_member(walk, line, at);
		return;
	}
	if (walk_word_is(walk, line->at, bytes, "end")) {
		lines_dedent(walk, line->indent + 1);
		/* end = struct */
		if (walk_byte(walk, walk_skip_blanks(walk, line->at + 3)) ==
		    '=')
			return;
		if (walk->scan->depth > 0 &&
		    walk_frame(walk)->indent == line->indent)
			walk_pop(walk, line->at + bytes);
		return;
	}
	if (!definer_at(walk, line->at, bytes, &letter)) {
		if (bytes > 0)
			lines_dedent(walk, line->indent + 1);
		return;
	}
	lines_dedent(walk, line->indent);
	if (walk->scan->depth > 0 && !is_container(walk_frame(walk)->kind))
		return;
	if (letter == '-') {
		import(walk, line->at + bytes, line->end);
		return;
	}
	/* and: of what is before it */
	if (!walk_word_is(walk, line->at, bytes, "and") ||
	    walk->scan->aux[AUX_KIND] == LANG_KIND_NONE)
		walk->scan->aux[AUX_KIND] = walk_kind(letter);
	kind = (uint8_t)walk->scan->aux[AUX_KIND];
	name = ml_name(walk, line->at + bytes, line->end, kind, &bytes);
	if (bytes > 0)
		push(walk, line, name, bytes, kind);
	walk->scan->has_lead = 0;
}

/* What a class or a type is named: behind what it is only for, C a => */
static size_t
haskell_name(const struct walk *walk, size_t at, size_t end)
{
	const uint8_t *arrow = memmem(walk->text + at, end - at, "=>", 2);
	const uint8_t *sign = memchr(walk->text + at, '=', end - at);

	if (arrow != NULL && arrow == sign)
		at = (size_t)(arrow - walk->text) + 2;
	/* behind an arrow in the next line, perhaps */
	at = walk_skip_space(walk, at);
	if (walk_has(walk, at, "=>"))
		at = walk_skip_space(walk, at + 2);
	if (walk_word_is(walk, at, lines_word(walk, at), "family") ||
	    walk_word_is(walk, at, lines_word(walk, at), "instance"))
		at = walk_skip_blanks(walk, at + lines_word(walk, at));
	if (walk_byte(walk, at) == '(')
		at = walk_skip_blanks(walk, at + 1);
	return at;
}

/* The name in brackets, of an operator, or without them, at `at`, if a type
 * follows on its line or the next; *bytes: 0 if not. */
static size_t
typed_name(const struct walk *walk, const struct line *line, size_t *bytes)
{
	size_t name = line->at;
	size_t behind;

	*bytes = lines_name(walk, name);
	if (walk_byte(walk, name) == '(')
		name = name_in_brackets(walk, name, line->end, bytes);
	/* the bracket may not be closed */
	behind = min_size(name + *bytes + (name > line->at), walk->bytes);
	behind = walk_skip_space(walk, behind);
	/* a, b :: type */
	while (walk_byte(walk, behind) == ',' && behind < line->end) {
		behind = walk_skip_blanks(walk, behind + 1);
		behind += lines_name(walk, behind);
		behind = walk_skip_space(walk, behind);
	}
	if (!walk_has(walk, behind, "::"))
		*bytes = 0;
	return name;
}

/* The operator that a line defines whose first argument ends at `at`: a <+> b,
 * a `on` b; *bytes: 0 if it is another line. */
static size_t
infix_name(const struct walk *walk, size_t at, size_t end, size_t *bytes)
{
	static const char symbols[] = "!#$%&*+./<=>?@\\^|~:-";
	size_t behind;

	at = walk_skip_blanks(walk, at);
	behind = at;
	*bytes = 0;
	if (walk_byte(walk, at) == '`') {
		*bytes = lines_word(walk, at + 1);
		return at + 1;
	}
	while (behind < end && is_one_of(symbols, walk->text[behind]))
		behind++;
	if (is_blank_byte(walk_byte(walk, behind)) && behind > at &&
	    !walk_word_is(walk, at, behind - at, "|") &&
	    !lang_word("= : :: -> <-", walk->text + at, behind - at, NULL))
		*bytes = behind - at;
	return at;
}

/* Haskell: what a class says that its types have, name :: type. */
static void
class_line(struct walk *walk, const struct line *line)
{
	size_t bytes;
	size_t name = typed_name(walk, line, &bytes);

	if (walk->scan->depth == 0 ||
	    walk->scan->frames[0].kind != LANG_KIND_INTERFACE)
		return;
	lines_dedent(walk, line->indent);
	if (walk->scan->depth != 1)
		return;
	if (bytes > 0)
		push(walk, line, name, bytes, LANG_KIND_METHOD);
	walk->scan->has_lead = 0;
}

/* The name of a line that begins with no word of the language. */
static size_t
item_name(const struct walk *walk, const struct line *line, size_t *bytes)
{
	size_t operator_bytes;
	size_t name;

	if (walk_byte(walk, line->at) == '(')
		return typed_name(walk, line, bytes);
	*bytes = lines_name(walk, line->at);
	if (lang_word("infix infixl infixr", walk->text + line->at, *bytes,
		      NULL))
		*bytes = 0;
	name = infix_name(walk, line->at + *bytes, line->end, &operator_bytes);
	if (*bytes == 0 || operator_bytes == 0)
		return line->at;
	*bytes = operator_bytes;
	return name;
}

/* Haskell: items begin in the first column; clauses of one name are one. */
static void
haskell_line(struct walk *walk, const struct line *line)
{
	size_t bytes = lines_word(walk, line->at);
	uint8_t kind = LANG_KIND_FUNCTION;
	size_t name = line->at;
	bool is_definer;
	char letter;

	if (line->indent > 0) {
		class_line(walk, line);
		return;
	}
	is_definer = definer_at(walk, line->at, bytes, &letter);
	if (!is_definer)
		name = item_name(walk, line, &bytes);
	if (bytes == 0 || walk_word_is(walk, name, bytes, "where"))
		return;
	if (same_name(walk, name, bytes))
		return;
	lines_dedent(walk, 0);
	if (walk_word_is(walk, name, bytes, "import")) {
		name = walk_skip_blanks(walk, line->at + bytes);
		if (walk_word_is(walk, name, lines_word(walk, name),
				 "qualified"))
			name += 9;
		import(walk, name, line->end);
		walk->scan->has_lead = 0;
		return;
	}
	if (is_definer) {
		name = haskell_name(walk, line->at + bytes, line->end);
		kind = walk_kind(letter);
		bytes = lines_word(walk, name);
	}
	if (bytes > 0 && kind != LANG_KIND_MODULE)
		push(walk, line, name, bytes, kind);
	walk->scan->has_lead = 0;
}

/* -------------------------------------------------------------- Erlang -- */

static void
clause_line(struct walk *walk, const struct line *line)
{
	struct lang_scan *scan = walk->scan;
	size_t bytes = lines_word(walk, line->at);
	uint8_t first = walk->text[line->at];

	if (scan->last_byte == '.')
		lines_dedent(walk, 0);
	if (line->indent > 0)
		return;
	if (scan->depth == 0 && bytes > 0 && first >= 'a' && first <= 'z' &&
	    walk_byte(walk, walk_skip_blanks(walk, line->at + bytes)) == '(')
		push(walk, line, line->at, bytes, LANG_KIND_FUNCTION);
	scan->has_lead = 0;
}

void
layout_line(struct walk *walk, const struct line *line)
{
	switch (walk->lang->family) {
	case FAMILY_KEYS:
		keys_line(walk, line);
		break;
	case FAMILY_LAYOUT:
		if (walk->lang->traits & TRAIT_ML_COMMENTS)
			ml_line(walk, line);
		else
			haskell_line(walk, line);
		break;
	case FAMILY_CLAUSES:
		clause_line(walk, line);
		break;
	default:
		indent_line(walk, line);
		break;
	}
}
