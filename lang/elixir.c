/* SPDX-License-Identifier: MIT */
/*
 * elixir.c - Elixir: definitions whose blocks come lines after them.
 */
#include "lang/words.h"

#include <string.h>

/* Bytes from a place to the definition that begins at `at`; 0: too many. */
static uint32_t
bytes_before(const struct walk *walk, uint64_t off, size_t at)
{
	uint64_t bytes = walk->off + at - off;

	return bytes > UINT32_MAX ? 0 : (uint32_t)bytes;
}

/* A definition begins; what stands between it and its block, or its end, is
 * not before it, and may be before the next. */
static void
elixir_begin(struct walk *walk, size_t at, size_t name, char letter)
{
	struct lang_scan *scan = walk->scan;
	bool has_head = scan->has_lead && scan->attr_off <= walk->off + at;

	scan->aux[AUX_KIND] = walk_kind(letter);
	scan->aux[AUX_NAME] = (uint32_t)(name - at);
	scan->aux[AUX_LEAD] =
		scan->has_lead ? bytes_before(walk, scan->lead_off, at) : 0;
	scan->aux[AUX_ATTR] =
		has_head ? bytes_before(walk, scan->attr_off, at) : 0;
	scan->stmt_off = walk->off + at;
	scan->has_lead = 0;
}

/* The place of the definition that has begun. */
static void
elixir_place(struct walk *walk, size_t name, size_t bytes,
	     struct def_start *start)
{
	struct lang_scan *scan = walk->scan;
	size_t at = walk_index(walk, scan->stmt_off);
	uint8_t has_lead = scan->has_lead;

	scan->has_lead = 0;
	lines_place(walk, at, name, bytes, start);
	scan->has_lead = has_lead;
	start->kind = (uint8_t)scan->aux[AUX_KIND];
	scan->aux[AUX_KIND] = 0;
	if (scan->aux[AUX_LEAD] > 0 && scan->aux[AUX_LEAD] <= at)
		start->lead = at - scan->aux[AUX_LEAD];
	if (scan->aux[AUX_ATTR] > 0 && scan->aux[AUX_ATTR] <= at)
		start->decl = at - scan->aux[AUX_ATTR];
}

/* The block of the definition that has begun. */
static void
elixir_open(struct walk *walk)
{
	struct def_start start = { 0 };
	size_t name = walk_index(walk, walk->scan->stmt_off) +
		      walk->scan->aux[AUX_NAME];
	size_t end = name;

	if (walk_byte(walk, name) == '"')
		name++;
	if (walk->text[name - 1] == '"')
		end = name + words_until(walk, name, "\"\n");
	while (is_word_byte(walk_byte(walk, end)) ||
	       walk_byte(walk, end) == '.' || walk_byte(walk, end) == '?' ||
	       walk_byte(walk, end) == '!')
		end++;
	elixir_place(walk, name, end - name, &start);
	walk_push(walk, FRAME_BODY, &start);
}

/* What stands in a block does not stand within the brackets around it. */
static void
leave_brackets(struct walk *walk)
{
	if (walk_frame(walk) != NULL)
		walk_frame(walk)->indent = walk->scan->brackets;
	walk->scan->brackets = 0;
}

/* :name, @name, name?, and what stands behind a dot: no words of Elixir. */
static bool
is_plain_name(const struct walk *walk, size_t at, uint8_t next)
{
	uint8_t prev = at > 0 ? walk->text[at - 1] : '\n';

	return walk->scan->aux[AUX_BEFORE] == BEFORE_DOT || prev == '@' ||
	       prev == ':' || next == '?' || next == '!';
}

static bool
is_definer(struct walk *walk, size_t at, size_t bytes, char *letter)
{
	uint8_t next = walk_byte(walk, at + bytes);

	return walk->scan->aux[AUX_BEFORE] == BEFORE_START &&
	       (walk->scan->brackets == 0 || at == words_first(walk, at)) &&
	       (is_blank_byte(next) || next == '(') &&
	       lang_words_have(&walk->words[LANG_WORDS_DEFINERS],
			       walk->text + at, bytes, letter);
}

/* do: of a definition that has begun, or of something else. */
static void
elixir_do(struct walk *walk)
{
	if (walk->scan->aux[AUX_KIND] != 0)
		elixir_open(walk);
	else
		walk_push(walk, FRAME_BODY, NULL);
	leave_brackets(walk);
}

static void
elixir_end(struct walk *walk, size_t end)
{
	if (walk_frame(walk) != NULL && walk_frame(walk)->indent > 0)
		walk->scan->brackets = walk_frame(walk)->indent;
	walk_pop(walk, end);
}

/* @type t :: a | b, @callback f(a) :: b: what they say is their signature. Other
 * attributes belong to what is behind them. */
static void
elixir_attribute(struct walk *walk, size_t at, size_t bytes)
{
	if (walk->scan->brackets == 0 && walk_first_on_line(walk, at - 1) &&
	    words_in(walk, at, bytes, "type opaque callback macrocallback"))
		words_member(walk, at - 1, 0,
			     words_statement_end(walk, at, ",|:+"));
}

/* alias A.{B, C}; use A, b: c */
static void
elixir_import(struct walk *walk, size_t at, size_t bytes)
{
	size_t name = walk_skip_blanks(walk, at + bytes);
	size_t end = name + words_until(walk, name, " ,\t\r\n");

	if (walk->scan->brackets > 0 || !ascii_is_upper(walk_byte(walk, name)))
		return;
	if (memchr(walk->text + name, '{', end - name) != NULL)
		end = name + words_until(walk, name, "}") + 1;
	walk_import(walk, name, min_size(end, walk->bytes) - name);
}

/* Elixir: def name(...) do ... end, def name(...), do: value */
size_t
words_elixir_word(struct walk *walk, size_t at, size_t bytes)
{
	uint32_t *before = &walk->scan->aux[AUX_BEFORE];
	uint8_t next = walk_byte(walk, at + bytes);
	bool starts = false;
	char letter;

	if (is_plain_name(walk, at, next)) {
		if (at > 0 && walk->text[at - 1] == '@')
			elixir_attribute(walk, at, bytes);
		*before = BEFORE_OPERAND;
		return at + bytes;
	}
	if (is_definer(walk, at, bytes, &letter)) {
		elixir_begin(walk, at, walk_skip_blanks(walk, at + bytes),
			     letter);
	} else if (*before == BEFORE_START && is_blank_byte(next) &&
		   words_in(walk, at, bytes, "defstruct defexception")) {
		words_member(walk, at, 0, words_statement_end(walk, at, ","));
	} else if (*before == BEFORE_START && is_blank_byte(next) &&
		   words_in(walk, at, bytes, "alias import use require")) {
		elixir_import(walk, at, bytes);
	} else if (walk_word_is(walk, at, bytes, "do") && next != ':') {
		elixir_do(walk);
		starts = true;
	} else if (walk_word_is(walk, at, bytes, "fn") && next != ':') {
		walk_push(walk, FRAME_BODY, NULL);
		leave_brackets(walk);
	} else if (walk_word_is(walk, at, bytes, "end") && next != ':') {
		elixir_end(walk, at + bytes);
	}
	*before = starts || words_in(walk, at, bytes, "else after rescue catch")
			  ? BEFORE_START
			  : BEFORE_OPERAND;
	return at + bytes;
}

/* Whether the word before `end` goes on in the next line. */
static bool
ends_with_operator(const struct walk *walk, size_t end)
{
	size_t from = walk_word_start(walk, end, 8);

	return lang_word("and or in not when", walk->text + from, end - from,
			 NULL);
}

/* A definition whose `do:` has gone by ends with its line. */
void
words_elixir_line(struct walk *walk, size_t at_line)
{
	struct lang_scan *scan = walk->scan;
	struct def_start start = { .flags = LANG_DEF_DECLARED };
	size_t end = walk_index(walk, scan->code_end);
	size_t at = walk_index(walk, scan->stmt_off);
	size_t name = at + scan->aux[AUX_NAME];

	if (scan->aux[AUX_KIND] == 0 || scan->brackets > 0 ||
	    walk_byte(walk, at_line) == '#' || ends_with_operator(walk, end) ||
	    words_in(walk, at_line, lines_word(walk, at_line),
		     "when do and or in") ||
	    strchr("|&=,<>+", walk_byte(walk, at_line)) != NULL ||
	    scan->last_byte == ',' || scan->last_byte == '\\' || end <= name)
		return;
	/* operators and `when` carry on; `do:` alone does too; >> ends */
	if (!(end > 1 && walk->text[end - 1] == '>' &&
	      walk->text[end - 2] == '>') &&
	    strchr("|=&+-*/<>:", scan->last_byte) != NULL)
		return;
	elixir_place(walk, name, lines_word(walk, name), &start);
	start.body = end;
	walk_single(walk, &start, end);
}

size_t
words_elixir_event(struct walk *walk, size_t at)
{
	uint8_t c = walk->text[at];
	size_t i = at + 1;

	if (c == '?') {
		/* ?" is a character */
		bool is_char = at == 0 || !is_word_byte(walk->text[at - 1]);

		if (is_char && walk_byte(walk, i) == '\\')
			i++;
		i += is_char;
		walk->scan->last_byte = '"';
		walk->scan->code_end = walk->off + i;
		return i;
	}
	while (is_word_byte(walk_byte(walk, i)))
		i++;
	if (i == at + 1)
		return i;
	walk->scan->last_byte = '"';
	for (const char *quote = "\"'"; *quote != '\0'; quote++) {
		const uint8_t term[] = { (uint8_t)*quote, (uint8_t)*quote,
					 (uint8_t)*quote };

		if (walk->bytes - i >= sizeof(term) &&
		    memcmp(walk->text + i, term, sizeof(term)) == 0)
			return lex_term(walk, i + sizeof(term), term,
					sizeof(term));
	}
	if (is_one_of("([{<|/\"'", walk_byte(walk, i)))
		return words_delimited(walk, i);
	return i;
}
