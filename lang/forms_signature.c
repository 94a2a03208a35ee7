/* SPDX-License-Identifier: MIT */
/*
 * forms_signature.c - what belongs to the signature of a form of Lisp.
 *
 * Does: finds the end of the arguments, the fields, behind a name.
 * Limits: FORM_BYTES from the name on; what ends behind that has none.
 */
#include "lang/words.h"

#include <string.h>

#include "lang/text.h"

#define FORM_BYTES 2048

/* What ends a word of Lisp. */
static const char word_ends[] = " \t\r\n()[]{}\"';";

/* Behind blanks and comments. */
static size_t
skip_space(const struct walk *walk, size_t at, size_t stop)
{
	for (;;) {
		at = min_size(walk_skip_space(walk, at), stop);
		if (at == stop || walk->text[at] != ';')
			return at;
		at = lang_line_end(walk->text, at, stop);
	}
}

/* Behind the list, string or word at `at`; 0: it does not end before `stop`. */
static size_t
form_end(const struct walk *walk, size_t at, size_t stop)
{
	uint32_t nest = 0;

	while (at < stop) {
		uint8_t c = walk->text[at];

		if (c == '"') {
			at = lang_skip_text(walk->text, at, stop);
		} else if (c == '\\') {
			at += 2;
		} else if (is_one_of("([{", c)) {
			nest++;
			at++;
		} else if (is_one_of(")]}", c)) {
			if (nest == 0)
				return 0;
			nest--;
			at++;
		} else if (c == ';' || is_blank_byte(c) || c == '\n') {
			at = skip_space(walk, at, stop);
			continue;
		} else {
			size_t bytes = words_until(walk, at, word_ends);

			at += bytes > 0 ? bytes : 1;
		}
		/* a tick belongs to what is behind it */
		if (nest == 0 && c != '\'')
			return min_size(at, stop);
	}
	return 0;
}

size_t
forms_end(const struct walk *walk, size_t at)
{
	return form_end(walk, at, min_size(walk->bytes, at + FORM_BYTES));
}

/* Clojure: name "words" {...} [a b], name "words" ([a] ...) ([a b] ...): where
 * the first thing is that is neither words nor a map; 0: none is. */
static size_t
clojure_rest(const struct walk *walk, size_t at, size_t stop)
{
	for (uint32_t i = 0; at != 0 && i < 3; i++) {
		at = skip_space(walk, at, stop);
		if (!is_one_of("\"{", walk_byte(walk, at)))
			return at;
		at = form_end(walk, at, stop);
	}
	return 0;
}

/* The first arguments behind words and a map; SIZE_MAX: there are none. */
static size_t
clojure_arguments(const struct walk *walk, size_t at, size_t stop)
{
	at = clojure_rest(walk, at, stop);
	if (walk_byte(walk, at) == '(')
		at = skip_space(walk, at + 1, stop);
	/* ^String [a b] */
	while (at != 0 && walk_byte(walk, at) == '^') {
		at = form_end(walk, at + 1, stop);
		at = at == 0 ? 0 : skip_space(walk, at, stop);
	}
	return at != 0 && walk_byte(walk, at) == '[' ? at : SIZE_MAX;
}

/* Up to the first arguments; a method has what it is for before them, and a
 * multimethod what tells its methods apart. */
static size_t
clojure_end(const struct walk *walk, size_t word, size_t bytes, size_t at,
	    size_t stop)
{
	if (walk_word_is(walk, word, bytes, "defmethod"))
		at = form_end(walk, skip_space(walk, at, stop), stop);
	if (walk_word_is(walk, word, bytes, "defmulti")) {
		at = clojure_rest(walk, at, stop);
		/* no function, whose body would follow */
		return at == 0 || is_one_of("(#", walk_byte(walk, at))
			       ? 0
			       : form_end(walk, at, stop);
	}
	if (at == 0)
		return 0;
	at = clojure_arguments(walk, at, stop);
	return at == SIZE_MAX ? 0 : form_end(walk, at, stop);
}

bool
forms_has_arities(const struct walk *walk, size_t at)
{
	size_t stop = min_size(walk->bytes, at + FORM_BYTES);

	if (walk->scan->lang != LANG_CLOJURE)
		return false;
	at = clojure_rest(walk, at, stop);
	return at != 0 && walk_byte(walk, at) == '(';
}

bool
forms_is_arity(const struct walk *walk, size_t at)
{
	const struct lang_frame *frame = walk_frame(walk);

	return frame != NULL && frame->brace == BRACE_ARITIES &&
	       walk->scan->brackets == 2 && walk->text[at] == '(' &&
	       walk->off + at >= frame->body_off;
}

void
forms_arity(struct walk *walk, size_t at)
{
	struct def_start start = { .flags = LANG_DEF_EXPORTED };
	size_t stop = min_size(walk->bytes, at + FORM_BYTES);
	size_t from = clojure_arguments(walk, at, stop);
	size_t end = from == SIZE_MAX ? 0 : form_end(walk, from, stop);

	if (end == 0)
		return;
	lines_place(walk, at, at, 1, &start);
	start.body = end;
	/* it is part of the function, and not local to it */
	walk->scan->depth--;
	walk_member(walk, &start, end);
	walk->scan->depth++;
}

/* The end of so many lists, behind words like :around. */
static size_t
lists_end(const struct walk *walk, size_t at, size_t stop, uint32_t nr)
{
	size_t end = 0;

	for (; nr > 0 && at < stop; nr--) {
		at = skip_space(walk, at, stop);
		while (walk_byte(walk, at) == ':')
			at = skip_space(walk,
					at + words_until(walk, at, word_ends),
					stop);
		/* (define f (lambda (a b) */
		if (walk_has(walk, at, "(lambda "))
			at = skip_space(walk, at + strlen("(lambda "), stop);
		if (walk_byte(walk, at) != '(')
			return end;
		at = form_end(walk, at, stop);
		if (at == 0)
			return end;
		end = at;
	}
	return end;
}

/* All that the form has, up to its bracket. */
static size_t
all_end(const struct walk *walk, size_t at, size_t stop)
{
	size_t end = at;

	while (at < stop && walk->text[at] != ')') {
		end = form_end(walk, at, stop);
		if (end == 0)
			return 0;
		at = skip_space(walk, end, stop);
	}
	return at < stop ? end : 0;
}

size_t
forms_signature_end(const struct walk *walk, size_t word, size_t name,
		    size_t end)
{
	size_t stop = min_size(walk->bytes, end + FORM_BYTES);
	static const char defines[] = "define define-syntax define-macro";
	size_t bytes = words_until(walk, word, word_ends);
	size_t found;

	/* (define (f a b), (defstruct (a (:b c)) d */
	if (walk->text[name - 1] == '(') {
		found = form_end(walk, name - 1, stop);
		if (found == 0 || words_in(walk, word, bytes, defines))
			return found == 0 ? end : found;
		end = found;
	}
	if (walk->scan->lang == LANG_CLOJURE)
		found = clojure_end(walk, word, bytes, end, stop);
	else if (lang_word("defstruct cl-defstruct define-record-type struct",
			   walk->text + word, bytes, NULL))
		found = all_end(walk, skip_space(walk, end, stop), stop);
	else if (words_in(walk, word, bytes, "defclass"))
		found = lists_end(walk, end, stop, 2);
	else if (words_in(walk, word, bytes, "define define-syntax") &&
		 !walk_has(walk, skip_space(walk, end, stop), "(lambda "))
		found = 0;
	else
		found = lists_end(walk, end, stop, 1);
	return found == 0 ? end : found;
}

bool
forms_is_method(const struct walk *walk, size_t at)
{
	const struct lang_frame *frame = walk_frame(walk);

	return walk->scan->lang == LANG_CLOJURE && frame != NULL &&
	       frame->kind == LANG_KIND_INTERFACE &&
	       walk->scan->brackets == 2 && walk->text[at] == '(' &&
	       is_word_byte(walk_byte(walk, at + 1));
}

void
forms_method(struct walk *walk, size_t at)
{
	struct def_start start = { .kind = LANG_KIND_METHOD };
	size_t stop = min_size(walk->bytes, at + FORM_BYTES);
	size_t name = at + 1;
	size_t behind = name + words_until(walk, name, word_ends);
	size_t end = form_end(walk, at, stop);

	lines_place(walk, at, name, behind - name, &start);
	start.body = behind;
	/* one with several lists of arguments has them all */
	for (;;) {
		behind = skip_space(walk, behind, stop);
		if (walk_byte(walk, behind) != '[')
			break;
		behind = form_end(walk, behind, stop);
		if (behind == 0)
			break;
		start.body = behind;
	}
	walk_single(walk, &start, max_u64(end, start.body));
}
