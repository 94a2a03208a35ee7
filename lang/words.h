/* SPDX-License-Identifier: MIT */
/*
 * words.h - shared by the scanners of languages whose blocks are words.
 *
 * Does not: serve files other than words.c, ruby.c, julia.c, elixir.c,
 *           shell.c, forms.c and forms_signature.c.
 */
#ifndef LANG_WORDS_H
#define LANG_WORDS_H

#include "lang/lines.h"

/* Whether the word at `at` is one of a list. */
bool
words_in(const struct walk *walk, size_t at, size_t bytes, const char *list);

/* Bytes up to the first of a list. */
size_t
words_until(const struct walk *walk, size_t at, const char *stop);

/* A definition begins, and its block. */
void
words_def(struct walk *walk, size_t at, size_t name, size_t bytes,
	  uint8_t kind);

/*
 * Reports a member in [at, end) whose value begins at `value`, and is left out if
 * it goes on behind `end`; value 0: it has none.
 */
void
words_member(struct walk *walk, size_t at, size_t value, size_t end);

/* The end of a statement that goes on in the next line within brackets, behind one
 * of some signs, or if that line begins with a bar. */
size_t
words_statement_end(const struct walk *walk, size_t at, const char *signs);

/* The first word of the line: `private def x` begins there. */
size_t
words_first(struct walk *walk, size_t at);

/* <<WORD, <<-'WORD', <<~WORD: a here-document begins at the next line. */
size_t
words_heredoc(struct walk *walk, size_t at);

/* A literal between delimiters: the same byte, or brackets that nest. */
size_t
words_delimited(struct walk *walk, size_t at);

/* Words and events of one language; they return where to go on. */
size_t
words_ruby_word(struct walk *walk, size_t at, size_t bytes);
size_t
words_ruby_event(struct walk *walk, size_t at);
size_t
words_julia_word(struct walk *walk, size_t at, size_t bytes);
size_t
words_elixir_word(struct walk *walk, size_t at, size_t bytes);
size_t
words_elixir_event(struct walk *walk, size_t at);

/* A line of Elixir begins, which may have ended the one before. */
void
words_elixir_line(struct walk *walk, size_t at_line);

/* Words and events of the shell. */
size_t
words_shell_word(struct walk *walk, size_t at, size_t bytes);
size_t
words_shell_event(struct walk *walk, size_t at);

/* Whether words of the shell have it. */
bool
words_is_shell_byte(uint8_t c);

/* Words and events of Lisps and of SQL. */
void
words_lisp_between(struct walk *walk, size_t from, size_t to);
size_t
words_lisp_event(struct walk *walk, size_t at);
size_t
words_sql_word(struct walk *walk, size_t at, size_t bytes);
size_t
words_sql_event(struct walk *walk, size_t at);

/* ---- forms_signature.c: Lisp ---------------------------------------- */

/*
 * shape:  where the signature of a form ends whose first word is at `word`, and
 *         its name in [name, end)
 */
size_t
forms_signature_end(const struct walk *walk, size_t word, size_t name,
		    size_t end);

/* Behind the list, string or word at `at`; 0: it does not end soon. */
size_t
forms_end(const struct walk *walk, size_t at);

/* Clojure: whether the name that ends before `at` is of a function whose lists of
 * arguments are in brackets of their own, ([a] ...) ([a b] ...). */
bool
forms_has_arities(const struct walk *walk, size_t at);

/* Whether the bracket at `at` begins a further one of them. */
bool
forms_is_arity(const struct walk *walk, size_t at);

/* Reports it as a member. */
void
forms_arity(struct walk *walk, size_t at);

/* Whether the bracket at `at` begins a method of a protocol. */
bool
forms_is_method(const struct walk *walk, size_t at);

/* Reports it. */
void
forms_method(struct walk *walk, size_t at);

#endif
