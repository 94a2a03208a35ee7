/* SPDX-License-Identifier: MIT */
/*
 * words.c - languages whose blocks are known by words: Lua, fish,
 *                 CMake; and what is common to them all.
 *
 * Does: knows whether a statement begins at a word, which is what tells
 *       `if x` from `return if x`.
 * Does not: Ruby (ruby.c), Julia (julia.c), Elixir
 *           (elixir.c), the shell (shell.c), SQL and Lisps
 *           (forms.c).
 */
#include "lang/words.h"

#include <string.h>

void
words_set_events(struct walk *walk)
{
	uint64_t traits = walk->lang->traits;
	const char *bytes = traits & TRAIT_RUBY     ? "<%=?"
			    : traits & TRAIT_ELIXIR ? "~?"
			    : traits & TRAIT_JULIA  ? "'"
						    : "";

	if (walk->lang->family == FAMILY_SQL)
		bytes = ";$";
	else if (walk->lang->family == FAMILY_SHELL)
		bytes = "<$";
	for (; *bytes != '\0'; bytes++)
		walk_add_event(walk, (uint8_t)*bytes, EVENT_OTHER);
	if (traits & TRAIT_RUBY)
		walk_add_event(walk, '/', EVENT_SLASH);
}

bool
words_in(const struct walk *walk, size_t at, size_t bytes, const char *list)
{
	return walk->lang->traits & TRAIT_ANY_CASE
		       ? lang_word_any_case(list, walk->text + at, bytes, NULL)
		       : lang_word(list, walk->text + at, bytes, NULL);
}

/* Bytes up to the first of a list, LANG_LOOK_BYTES at most. */
size_t
words_until(const struct walk *walk, size_t at, const char *stop)
{
	size_t last = min_size(walk->bytes, at + LANG_LOOK_BYTES);
	size_t end = at;

	while (end < last && walk->text[end] != 0 &&
	       strchr(stop, walk->text[end]) == NULL)
		end++;
	return end - at;
}

void
words_def(struct walk *walk, size_t at, size_t name, size_t bytes, uint8_t kind)
{
	struct def_start start = { .kind = kind };

	lines_place(walk, at, name, bytes, &start);
	walk_push(walk, FRAME_BODY, &start);
}

void
words_member(struct walk *walk, size_t at, size_t value, size_t end)
{
	struct def_start start = { .kind = LANG_KIND_NONE };

	if (walk->sink == NULL || walk->sink->member == NULL || end <= at)
		return;
	/* public :a of Ruby, behind private, is for others */
	if (words_in(walk, at, lines_word(walk, at),
		     "public public_class_method"))
		start.flags = LANG_DEF_EXPORTED;
	lines_place(walk, at, at, end - at, &start);
	/* attributes of Elixir belong to definitions */
	start.decl = at;
	start.body = value == 0 ? end : min_size(value, end);
	if (value != 0 && is_one_of("([{|\\,", walk->text[end - 1]))
		start.flags |= LANG_DEF_CUT;
	walk_member(walk, &start, end);
}

size_t
words_statement_end(const struct walk *walk, size_t at, const char *signs)
{
	size_t stop = min_size(walk->bytes, at + LANG_LOOK_BYTES);
	uint32_t nest = 0;
	size_t end = at;
	uint8_t last = 0;

	for (; at < stop; at++) {
		uint8_t c = walk->text[at];

		if (c == '\n' && nest == 0 && !is_one_of(signs, last) &&
		    walk_byte(walk, walk_skip_space(walk, at)) != '|')
			break;
		if (c == '"')
			at += 1 + words_until(walk, at + 1, "\"\n");
		else if (c == '#')
			at += words_until(walk, at, "\n") - 1;
		nest += c == '(' || c == '[' || c == '{';
		nest -= nest > 0 && (c == ')' || c == ']' || c == '}');
		if (c == '\n' || c == '#' || is_blank_byte(c))
			continue;
		last = c;
		end = min_size(at + 1, walk->bytes);
	}
	return end;
}

/* Where the line's first word is: `private def x` begins there. Of a long line
 * where it begins itself. */
size_t
words_first(struct walk *walk, size_t at)
{
	size_t line = walk_line_start(walk, at);

	return at - line > LANG_LOOK_BYTES ? line
					   : walk_skip_blanks(walk, line);
}

/* Behind the word that ends a here-document: up to its quote if it has one. */
static size_t
skip_term(const struct walk *walk, size_t at, uint8_t quote)
{
	if (quote == 0) {
		while (is_word_byte(walk_byte(walk, at)))
			at++;
		return at;
	}
	return at + words_until(walk, at, (char[]){ (char)quote, '\n', '\0' });
}

/* Whether what was found is such a word, and << no operator. */
static bool
is_term(const struct walk *walk, size_t from, size_t end, bool must_be_upper)
{
	uint8_t first = walk_byte(walk, from);

	if (end == from || end - from > LANG_TERM_BYTES ||
	    (first >= '0' && first <= '9'))
		return false;
	return !must_be_upper || (first >= 'A' && first <= 'Z');
}

/* <<WORD, <<-'WORD', <<~WORD: a here-document begins at the next line. */
size_t
words_heredoc(struct walk *walk, size_t at)
{
	struct lang_mode *mode = walk->scan->pending;
	bool ruby = walk->lang->family == FAMILY_END;
	size_t from = at + 2;
	uint8_t quote = 0;
	uint8_t flags = 0;
	size_t end;

	if (walk_byte(walk, at + 1) != '<')
		return at + 1;
	if (walk_byte(walk, from) == '<')
		return at + 3;
	if (walk_byte(walk, from) == '-' || walk_byte(walk, from) == '~') {
		flags = MODE_INDENTED;
		from++;
	}
	if (!ruby)
		from = walk_skip_blanks(walk, from);
	if (walk_byte(walk, from) == '"' || walk_byte(walk, from) == '\'' ||
	    (ruby && walk_byte(walk, from) == '`'))
		quote = walk->text[from++];
	from += walk_byte(walk, from) == '\\';
	end = skip_term(walk, from, quote);
	if (!is_term(walk, from, end, ruby && flags == 0 && quote == 0))
		return at + 2;
	/* of more than there is room for the last one counts */
	for (size_t i = 1; i < LANG_PENDING && mode->kind != MODE_CODE; i++)
		mode++;
	*mode = (struct lang_mode){
		.kind = MODE_HEREDOC,
		.flags = flags,
		.term_bytes = (uint8_t)(end - from),
	};
	memcpy(mode->term, walk->text + from, end - from);
	walk->scan->aux[AUX_BEFORE] = BEFORE_OPERAND;
	return end + (quote != 0);
}

/* A literal between delimiters: the same byte, or brackets that nest. */
size_t
words_delimited(struct walk *walk, size_t at)
{
	uint8_t open = walk_byte(walk, at);
	uint8_t close = lex_closing(open);

	walk->scan->aux[AUX_BEFORE] = BEFORE_OPERAND;
	return lex_paired(walk, at + 1, open == close ? 0 : open, close);
}

/* t["name"]: where the bracket is that ends before `end`; or `end`. */
static size_t
before_index(const struct walk *walk, size_t end)
{
	size_t at = end;

	if (at > 0 && walk->text[at - 1] == ']')
		while (at > 0 && end - at < 64 && walk->text[at - 1] != '\n' &&
		       walk->text[at - 1] != '[')
			at--;
	if (at > 0 && at < end && walk->text[at - 1] == '[')
		at--;
	return at;
}

/* Lua: a.b.c = function(, the name before the sign. */
static size_t
name_before(const struct walk *walk, size_t at, size_t *bytes)
{
	size_t end = walk_trim_blanks(walk, 0, at);
	size_t from;

	if (end == 0 || walk->text[end - 1] != '=')
		return SIZE_MAX;
	end = walk_trim_blanks(walk, 0, end - 1);
	from = before_index(walk, end);
	while (from > 0 &&
	       (is_word_byte(walk->text[from - 1]) ||
		walk->text[from - 1] == '.' || walk->text[from - 1] == ':'))
		from--;
	*bytes = end - from;
	return from == end ? SIZE_MAX : from;
}

static void
lua_function(struct walk *walk, size_t at, size_t bytes)
{
	size_t name = walk_skip_blanks(walk, at + bytes);
	size_t end = name;

	while (is_word_byte(walk_byte(walk, end)) ||
	       walk_byte(walk, end) == '.' || walk_byte(walk, end) == ':')
		end++;
	if (end == name) {
		name = name_before(walk, at, &end);
		if (name == SIZE_MAX) {
			walk_push(walk, FRAME_BODY, NULL);
			return;
		}
		end += name;
	}
	words_def(walk, words_first(walk, at), name, end - name,
		  LANG_KIND_FUNCTION);
}

static size_t
lua_word(struct walk *walk, size_t at, size_t bytes)
{
	if (walk_word_is(walk, at, bytes, "function"))
		lua_function(walk, at, bytes);
	else if (words_in(walk, at, bytes, "if do repeat"))
		walk_push(walk, FRAME_BODY, NULL);
	else if (words_in(walk, at, bytes, "end until"))
		walk_pop(walk, at + bytes);
	return at + bytes;
}

static size_t
fish_word(struct walk *walk, size_t at, size_t bytes)
{
	uint32_t *before = &walk->scan->aux[AUX_BEFORE];
	size_t name = walk_skip_blanks(walk, at + bytes);

	if (*before == BEFORE_START) {
		if (walk_word_is(walk, at, bytes, "function"))
			words_def(walk, at, name,
				  words_until(walk, name, " \t\n;"),
				  LANG_KIND_FUNCTION);
		else if (words_in(walk, at, bytes, "if for while switch begin"))
			walk_push(walk, FRAME_BODY, NULL);
		else if (walk_word_is(walk, at, bytes, "end"))
			walk_pop(walk, at + bytes);
	}
	*before = words_in(walk, at, bytes, "and or not else if while")
			  ? BEFORE_START
			  : BEFORE_OPERAND;
	return at + bytes;
}

static size_t
cmake_word(struct walk *walk, size_t at, size_t bytes)
{
	size_t open = walk_skip_blanks(walk, at + bytes);
	size_t name = walk_skip_blanks(walk, open + 1);
	bool is_macro = words_in(walk, at, bytes, "macro");

	if (walk_byte(walk, open) != '(' || walk->scan->brackets > 0)
		return at + bytes;
	/* long lists of files are left out */
	if (words_in(walk, at, bytes,
		     "project option add_library add_executable "
		     "add_custom_target add_subdirectory find_package"))
		words_member(walk, at, name + words_until(walk, name, " \t\n)"),
			     words_statement_end(walk, at, ""));
	else if (is_macro || words_in(walk, at, bytes, "function"))
		words_def(walk, at, name, lines_word(walk, name),
			  is_macro ? LANG_KIND_MACRO : LANG_KIND_FUNCTION);
	else if (words_in(walk, at, bytes, "if foreach while block"))
		walk_push(walk, FRAME_BODY, NULL);
	else if (words_in(walk, at, bytes,
			  "endif endforeach endwhile endblock endfunction "
			  "endmacro"))
		walk_pop(walk, open);
	return at + bytes;
}

static size_t
one_word(struct walk *walk, size_t at, size_t bytes)
{
	uint64_t traits = walk->lang->traits;

	switch (walk->lang->family) {
	case FAMILY_SHELL:
		return words_shell_word(walk, at, bytes);
	case FAMILY_SQL:
		return words_sql_word(walk, at, bytes);
	case FAMILY_END:
		break;
	default:
		return at + bytes;
	}
	if (traits & TRAIT_LUA)
		return lua_word(walk, at, bytes);
	if (traits & TRAIT_JULIA)
		return words_julia_word(walk, at, bytes);
	if (traits & TRAIT_ELIXIR)
		return words_elixir_word(walk, at, bytes);
	if (traits & TRAIT_FISH)
		return fish_word(walk, at, bytes);
	if (traits & TRAIT_CMAKE)
		return cmake_word(walk, at, bytes);
	return words_ruby_word(walk, at, bytes);
}

/* What a byte that is neither blank nor of a word makes of the next word. */
static uint32_t
before_next(const struct walk *walk, size_t at)
{
	uint8_t c = walk->text[at];

	if (walk->lang->family == FAMILY_SHELL)
		return c == ';' || c == '&' || c == '|' || c == '!'
			       ? BEFORE_START
			       : BEFORE_OPERAND;
	if (walk->lang->family == FAMILY_SQL)
		return walk->scan->aux[AUX_BEFORE];
	if (c == ';')
		return BEFORE_START;
	if (c == '.')
		return walk_byte(walk, at + 1) == '.' ||
				       (at > 0 && walk->text[at - 1] == '.')
			       ? BEFORE_OPERATOR
			       : BEFORE_DOT;
	if (c == '-' && walk_byte(walk, at + 1) == '>')
		return BEFORE_OPERATOR;
	return c == '>' && (walk->lang->traits & TRAIT_ELIXIR)
		       ? BEFORE_START
		       : BEFORE_OPERATOR;
}

void
words_between(struct walk *walk, size_t from, size_t to)
{
	size_t at = from;

	if (walk->lang->family == FAMILY_PARENS) {
		words_lisp_between(walk, from, to);
		return;
	}
	while (at < to && walk->scan->mode.kind == MODE_CODE) {
		uint8_t c = walk->text[at];

		if (is_blank_byte(c)) {
			at++;
		} else if (is_word_byte(c) ||
			   (walk->lang->family == FAMILY_SHELL &&
			    words_is_shell_byte(c) && c != '!')) {
			size_t bytes = lines_word(walk, at);

			at = one_word(walk, at, bytes > 0 ? bytes : 1);
		} else {
			walk->scan->aux[AUX_BEFORE] = before_next(walk, at);
			at++;
		}
	}
	/* a word may have taken more than the code up to the event */
	walk->at = at;
}

void
words_line(struct walk *walk, size_t at)
{
	if (walk->lang->traits & TRAIT_ELIXIR)
		words_elixir_line(walk, at);
}

void
words_newline(struct walk *walk, size_t at)
{
	(void)at;
	if (walk->lang->family == FAMILY_SQL)
		return;
	walk->scan->aux[AUX_BEFORE] = BEFORE_START;
	walk->scan->aux[AUX_LOOP] = 0;
	/* comments belong to the line that follows them, and no other */
	if (!walk->scan->is_lead && walk->lang->family != FAMILY_PARENS)
		walk->scan->has_lead = 0;
}

static size_t
end_event(struct walk *walk, size_t at)
{
	struct lang_scan *scan = walk->scan;
	uint8_t c = walk->text[at];
	char term[LANG_TERM_BYTES + 1];
	size_t nr;

	switch (c) {
	case '(':
	case '[':
	case '{':
		/* Lua, CMake: [[ ... ]] */
		nr = walk->lang->traits & (TRAIT_LUA | TRAIT_CMAKE)
			     ? lines_long_bracket(walk, at, term)
			     : 0;
		if (nr > 0)
			return lex_term(walk, at + nr, (const uint8_t *)term,
					nr);
		scan->brackets++;
		scan->aux[AUX_BEFORE] = BEFORE_OPERATOR;
		if (c == '{')
			scan->aux[AUX_BEFORE] = BEFORE_START;
		return at + 1;
	case ')':
	case ']':
	case '}':
		if (scan->brackets > 0)
			scan->brackets--;
		scan->aux[AUX_BEFORE] = BEFORE_OPERAND;
		return at + 1;
	case '\'':
		/* Julia: 'x' is a character, x' is transposed */
		if (walk_byte(walk, at + 2) == '\'')
			return at + 3;
		return walk_byte(walk, at + 1) == '\\' ? at + 4 : at + 1;
	default:
		break;
	}
	if (walk->lang->traits & TRAIT_ELIXIR) {
		at = words_elixir_event(walk, at);
		if (scan->mode.kind == MODE_CODE)
			scan->code_end = walk->off + at;
		return at;
	}
	return words_ruby_event(walk, at);
}

size_t
words_event(struct walk *walk, size_t at)
{
	switch (walk->lang->family) {
	case FAMILY_SHELL:
		return words_shell_event(walk, at);
	case FAMILY_SQL:
		return words_sql_event(walk, at);
	case FAMILY_PARENS:
		return words_lisp_event(walk, at);
	case FAMILY_END:
		return end_event(walk, at);
	default:
		return at + 1;
	}
}
