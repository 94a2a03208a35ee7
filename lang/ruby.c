/* SPDX-License-Identifier: MIT */
/*
 * ruby.c - Ruby and Crystal, as far as words and quotes go.
 */
#include "lang/text.h"
#include "lang/words.h"

#include <string.h>

/* Behind a method's name: self.name, name=, name?, operators. */
static size_t
ruby_name(const struct walk *walk, size_t at, size_t *name)
{
	size_t end = at;

	*name = at;
	while (is_word_byte(walk_byte(walk, end)) ||
	       walk_byte(walk, end) == ':' ||
	       (walk_byte(walk, end) == '.' &&
		is_word_byte(walk_byte(walk, end + 1)))) {
		if (walk_byte(walk, end) == '.')
			*name = end + 1;
		end++;
	}
	if (end == at) {
		while (is_one_of("+-*/<>=!~%&|^[]`", walk_byte(walk, end)))
			end++;
		return end;
	}
	if (walk_byte(walk, end) == '?' || walk_byte(walk, end) == '!' ||
	    (walk_byte(walk, end) == '=' && walk_byte(walk, end + 1) != ' ' &&
	     walk_byte(walk, end + 1) != '='))
		end++;
	return end;
}

/* def name(args) = value: has no end. */
static bool
is_endless(const struct walk *walk, size_t at)
{
	size_t stop = min_size(walk->bytes, at + LANG_LOOK_BYTES);
	uint32_t nest = 0;

	at = walk_skip_blanks(walk, at);
	if (walk_byte(walk, at) == '(') {
		for (; at < stop && walk->text[at] != '\n'; at++) {
			if (walk->text[at] == '(')
				nest++;
			else if (walk->text[at] == ')' && --nest == 0)
				break;
		}
		at = walk_skip_blanks(walk, at + 1);
	}
	return walk_byte(walk, at) == '=' && walk_byte(walk, at + 1) != '=' &&
	       walk_byte(walk, at + 1) != '~';
}

static size_t
ruby_definer(struct walk *walk, size_t at, size_t bytes, char letter)
{
	size_t name = walk_skip_blanks(walk, at + bytes);
	size_t end;

	if (letter != 'f' && walk_byte(walk, name) == '<') {
		/* class << self */
		walk_push(walk, FRAME_CLASS, NULL);
		return name + 2;
	}
	end = ruby_name(walk, name, &name);
	if (letter == 'f' && is_endless(walk, end)) {
		struct def_start start = { .kind = LANG_KIND_FUNCTION };
		size_t stop = lang_line_end(
			walk->text, end,
			min_size(walk->bytes, end + LANG_LOOK_BYTES));

		lines_place(walk, at, name, end - name, &start);
		start.body = stop;
		walk_single(walk, &start, stop);
	} else {
		size_t first = words_first(walk, at);
		size_t first_bytes = lines_word(walk, first);
		bool has_access =
			letter == 'f' && words_in(walk, first, first_bytes,
						  "private protected public "
						  "private_class_method");

		words_def(walk, has_access ? first : at, name, end - name,
			  walk_kind(letter));
		/* private def name */
		if (has_access && walk->scan->depth > 0 &&
		    words_in(walk, first, first_bytes,
			     "private private_class_method"))
			walk_frame(walk)->flags = 0;
		/* def self.name: what is said of methods is not said of it */
		else if (letter == 'f' && walk->scan->depth > 0 && name > 5 &&
			 walk_has(walk, name - 5, "self.") &&
			 walk_byte(walk, name) != '_')
			walk_frame(walk)->flags |= LANG_DEF_EXPORTED;
	}
	walk->scan->aux[AUX_BEFORE] = BEFORE_OPERAND;
	return end;
}

/* require "a", require("a"), autoload :B, "a" */
static void
import(struct walk *walk, size_t at, size_t bytes, size_t end)
{
	size_t name = walk_skip_blanks(walk, end);
	uint8_t quote;

	if (walk_byte(walk, name) == '(')
		name = walk_skip_blanks(walk, name + 1);
	if (walk_word_is(walk, at, bytes, "autoload")) {
		/* no farther than the name: a line may have many of them */
		name += walk_byte(walk, name) == ':';
		name = walk_skip_blanks(walk, walk_word_end(walk, name));
		if (walk_byte(walk, name) != ',')
			return;
		name = walk_skip_blanks(walk, name + 1);
	}
	quote = walk_byte(walk, name);
	if (quote == '"' || quote == '\'')
		walk_import(walk, name + 1,
			    words_until(walk, name + 1, "\"'\n"));
}

/* :name, @name, name:, and what stands behind a dot: no words of Ruby. */
static bool
is_plain_name(const struct walk *walk, size_t at, size_t end)
{
	uint8_t prev = at > 0 ? walk->text[at - 1] : '\n';

	return walk->scan->aux[AUX_BEFORE] == BEFORE_DOT || prev == '@' ||
	       prev == '$' ||
	       (prev == ':' && !(at > 1 && walk->text[at - 2] == ':')) ||
	       (walk_byte(walk, end) == ':' && walk_byte(walk, end + 1) != ':');
}

/* A method's name may end so; x != y does not. */
static bool
has_suffix(const struct walk *walk, size_t end)
{
	uint8_t c = walk_byte(walk, end);

	return (c == '?' || c == '!') && walk_byte(walk, end + 1) != '=';
}

/* def, and where it begins a statement class, module and the like. */
static bool
is_definer(const struct walk *walk, size_t at, size_t bytes, char *letter)
{
	*letter = 'f';
	return walk_word_is(walk, at, bytes, "def") ||
	       (walk->scan->aux[AUX_BEFORE] != BEFORE_OPERAND && bytes > 2 &&
		lang_words_have(&walk->words[LANG_WORDS_DEFINERS],
				walk->text + at, bytes, letter));
}

/* Words that begin or end a block: false if it is none. */
static bool
block_word(struct walk *walk, size_t at, size_t bytes)
{
	uint32_t *aux = walk->scan->aux;

	if (walk_word_is(walk, at, bytes, "end")) {
		walk_pop(walk, at + bytes);
		aux[AUX_BEFORE] = BEFORE_OPERAND;
		return true;
	}
	if (walk_word_is(walk, at, bytes, "do")) {
		if (!aux[AUX_LOOP])
			walk_push(walk, FRAME_BODY, NULL);
		aux[AUX_LOOP] = 0;
		aux[AUX_BEFORE] = BEFORE_START;
		return true;
	}
	if (aux[AUX_BEFORE] == BEFORE_OPERAND ||
	    !words_in(walk, at, bytes, "if unless while until case for begin"))
		return false;
	walk_push(walk, FRAME_BODY, NULL);
	aux[AUX_LOOP] = words_in(walk, at, bytes, "while until for");
	aux[AUX_BEFORE] = BEFORE_START;
	return true;
}

/* Alone on its line: for all that follows in the class. */
static bool
is_access(const struct walk *walk, size_t at, size_t bytes)
{
	return walk->scan->aux[AUX_BEFORE] == BEFORE_START &&
	       words_in(walk, at, bytes, "private protected public") &&
	       strchr("\r\n;#",
		      walk_byte(walk, walk_skip_blanks(walk, at + bytes))) !=
		       NULL;
}

/* NAME = value */
static bool
is_constant(const struct walk *walk, size_t at, size_t end)
{
	size_t sign = walk_skip_blanks(walk, end);
	uint8_t next = walk_byte(walk, sign + 1);

	return walk->text[at] >= 'A' && walk->text[at] <= 'Z' &&
	       walk_byte(walk, sign) == '=' && next != '=' && next != '~' &&
	       next != '>' && walk->scan->brackets == 0;
}

/* The end of the line at `at`, less blanks. */
static size_t
line_end(const struct walk *walk, size_t at)
{
	size_t end = lang_line_end(walk->text, at,
				   min_size(walk->bytes, at + LANG_LOOK_BYTES));

	return walk_trim_blanks(walk, at, end);
}

/* The end of a list, which goes on behind a comma at the end of a line. */
static size_t
list_end(const struct walk *walk, size_t at)
{
	size_t stop = min_size(walk->bytes, at + LANG_LOOK_BYTES);
	size_t end = line_end(walk, at);

	while (end > at && end < stop && walk->text[end - 1] == ',')
		end = line_end(walk, walk_skip_space(walk, end));
	return end;
}

/* define_method(:name) do |a| - less a block that is on the line. */
static size_t
block_end(const struct walk *walk, size_t at)
{
	size_t end = line_end(walk, at);

	for (size_t i = at; i + 3 < end; i++) {
		bool is_do =
			walk_has(walk, i, " do ") &&
			memmem(walk->text + i, end - i, "; end", 5) != NULL;

		/* "#{name}=" */
		if (is_do || walk_has(walk, i, " {"))
			return i;
	}
	return end;
}

/* Whether a class or module is right around it, and no block. */
static bool
is_in_class(const struct walk *walk)
{
	const struct lang_frame *frame = walk_frame(walk);

	return frame != NULL &&
	       (frame->kind != LANG_KIND_NONE || frame->type == FRAME_CLASS);
}

/* What adds to the class around: attributes, other names of methods, what is
 * mixed in, private :name. */
static void
class_word(struct walk *walk, size_t at, size_t bytes)
{
	static const char words[] =
		"attr_accessor=a attr_reader=a attr_writer=a alias=n "
		"alias_method=n delegate=n def_delegator=n def_delegators=n "
		"include=n extend=n prepend=n define_method=d "
		"define_singleton_method=d private=s protected=s public=s "
		"private_class_method=s public_class_method=s "
		"private_constant=s module_function=s";
	size_t next = walk_skip_blanks(walk, at + bytes);
	char letter;

	if (walk->sink == NULL || walk->sink->member == NULL ||
	    !lang_word(words, walk->text + at, bytes, &letter))
		return;
	next += walk_byte(walk, next) == '(';
	/* at the top, as a variable, or for all that follows */
	if (letter != 'a' && (next == at + bytes || !is_in_class(walk) ||
			      walk_byte(walk, next) == '='))
		return;
	if (letter == 'd')
		words_member(walk, at, 0, block_end(walk, at));
	else if (letter != 's' || is_one_of(":*%", walk_byte(walk, next)))
		words_member(walk, at, 0, list_end(walk, at));
}

size_t
words_ruby_word(struct walk *walk, size_t at, size_t bytes)
{
	uint32_t *before = &walk->scan->aux[AUX_BEFORE];
	size_t end = at + bytes;
	bool suffix = has_suffix(walk, end);
	char letter;

	if (*before == BEFORE_START && is_constant(walk, at, end)) {
		if (walk_is_outer(walk))
			walk_export(walk, LANG_EXPORT_NAMES, 1);
		words_member(walk, at, walk_skip_blanks(walk, end) + 1,
			     line_end(walk, at));
	} else if (*before == BEFORE_START) {
		class_word(walk, at, bytes);
	}
	if (suffix || is_plain_name(walk, at, end)) {
		*before = BEFORE_OPERAND;
		return end + suffix;
	}
	if (is_definer(walk, at, bytes, &letter))
		return ruby_definer(walk, at, bytes, letter);
	if (block_word(walk, at, bytes))
		return end;
	if (words_in(walk, at, bytes,
		     "then else and or not rescue ensure when elsif in")) {
		*before = BEFORE_START;
		return end;
	}
	if (is_access(walk, at, bytes)) {
		if (walk_frame(walk) != NULL)
			walk_frame(walk)->shut =
				walk_word_is(walk, at, bytes, "private");
		*before = BEFORE_OPERAND;
		return end;
	}
	if (walk_word_is(walk, at, bytes, "__END__") &&
	    (at == 0 || walk->text[at - 1] == '\n'))
		return lex_term(walk, end, (const uint8_t *)"\xff\xfe\xff", 3);
	*before = BEFORE_OPERAND;
	if (words_in(walk, at, bytes, "require require_relative load autoload"))
		import(walk, at, bytes, end);
	return end;
}

/* Whether an operand is expected: / and % are no operators then. */
static bool
expects_operand(const struct walk *walk, size_t at)
{
	uint8_t prev = at > 0 ? walk->text[at - 1] : '\n';
	uint8_t next = walk_byte(walk, at + 1);

	if (walk->scan->aux[AUX_BEFORE] != BEFORE_OPERAND)
		return true;
	/* puts /x/, but not a / b */
	return is_blank_byte(prev) && !is_blank_byte(next) && next != '=' &&
	       at > 1 && is_word_byte(walk->text[at - 2]);
}

/* After a regular expression that does not there is none on the line. */
static bool
closes_on_line(struct walk *walk, size_t at)
{
	/* one that is spread over lines begins with a newline */
	if (walk_byte(walk, at + 1) == '\n')
		return walk->scan->aux[AUX_BEFORE] != BEFORE_OPERAND;
	if (at < walk->no_regex)
		return false;
	for (at++; at < walk->bytes && walk->text[at] != '\n'; at++) {
		if (walk->text[at] == '/')
			return true;
		at += walk->text[at] == '\\';
	}
	walk->no_regex = at;
	return false;
}

/* Behind %w[...], %(...) and the like; SIZE_MAX: it is none. */
static size_t
skip_percent(struct walk *walk, size_t at)
{
	size_t i = at + 1;

	i += is_one_of("wWqQrixsI", walk_byte(walk, i));
	return is_one_of("([{<|!/^-", walk_byte(walk, i))
		       ? words_delimited(walk, i)
		       : SIZE_MAX;
}

/* =begin ... =end */
static bool
begins_comment(const struct walk *walk, size_t at)
{
	return (at == 0 || walk->text[at - 1] == '\n') &&
	       walk->bytes - at > 6 &&
	       memcmp(walk->text + at, "=begin", 6) == 0;
}

/* ?x is a character, a ? b an operator. */
static bool
is_character(const struct walk *walk, size_t at)
{
	return walk->scan->aux[AUX_BEFORE] != BEFORE_OPERAND &&
	       !is_word_byte(walk_byte(walk, at + 2)) &&
	       walk_byte(walk, at + 1) > ' ';
}

size_t
words_ruby_event(struct walk *walk, size_t at)
{
	uint8_t c = walk->text[at];
	uint8_t next = walk_byte(walk, at + 1);
	uint32_t *before = &walk->scan->aux[AUX_BEFORE];
	size_t end;

	if (c == '/' && expects_operand(walk, at) && closes_on_line(walk, at))
		return words_delimited(walk, at);
	if (c == '%' && expects_operand(walk, at)) {
		end = skip_percent(walk, at);
		if (end != SIZE_MAX)
			return end;
	}
	if (c == '<' && next == '<' && *before != BEFORE_DOT) {
		*before = BEFORE_OPERATOR; /* a << %(b) */
		return words_heredoc(walk, at);
	}
	if (c == '=' && begins_comment(walk, at))
		return lex_block_comment(walk, at, "\n=end");
	if (c == '?' && is_character(walk, at)) {
		*before = BEFORE_OPERAND;
		return at + 2;
	}
	*before = BEFORE_OPERATOR;
	return at + 1;
}
