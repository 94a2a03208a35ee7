/* SPDX-License-Identifier: MIT */
/*
 * sentence.c - where the first sentence of a comment ends.
 */
#include "lang/sentence.h"

#include <string.h>

#include "base/ascii.h"
#include "lang/lang.h"
#include "lang/text.h"

static bool
is_letter(uint8_t c)
{
	return ((c | 0x20) >= 'a' && (c | 0x20) <= 'z') || c >= 0x80;
}

bool
lang_has_letters(const uint8_t *text, size_t at, size_t end)
{
	while (at < end && !is_letter(text[at]))
		at++;
	return at < end;
}

const char *
lang_closing_mark(const uint8_t *text, size_t at, size_t end)
{
	static const char *const marks[][2] = { { "/*", "*/" },
						{ "(*", "*)" },
						{ "{-", "-}" },
						{ "<!--", "-->" } };

	for (size_t i = 0; i < ARRAY_LEN(marks); i++)
		if (lang_has(text, at, end, marks[i][0]))
			return marks[i][1];
	return NULL;
}

/* cf. and its like, with the period at `at`. */
static bool
is_abbreviation(const uint8_t *text, size_t at)
{
	size_t from = at;

	while (from > 0 && ascii_is_word(text[from - 1]) && at - from < 8)
		from--;
	return lang_word("cf vs resp approx Fig Sec Eq", text + from, at - from,
			 NULL);
}

/* Whether a sentence ends with the byte at `at`; not with e.g. */
static bool
ends_sentence(const uint8_t *text, size_t at, size_t end)
{
	if (at > 1 && text[at - 2] == '.')
		return false;
	/* of Chinese and Japanese, which have no blanks */
	if (at > 1 && text[at] == 0x82 && text[at - 1] == 0x80 &&
	    text[at - 2] == 0xe3)
		return true;
	if (text[at] == '.' && is_abbreviation(text, at))
		return false;
	return (text[at] == '.' || text[at] == '!' || text[at] == '?') &&
	       (at + 1 == end || text[at + 1] <= ' ' || text[at + 1] == '<' ||
		text[at + 1] == '*');
}

/* What may follow the last sentence of a comment. */
static bool
closes_comment(const uint8_t *text, size_t at, size_t end)
{
	static const char *const marks[] = { "*/", "</", "*)", "-}", "\"\"\"" };

	at = lang_skip_blanks(text, at, end);
	for (size_t i = 0; i < ARRAY_LEN(marks); i++)
		if (lang_has(text, at, end, marks[i]))
			return true;
	return false;
}

/* Where the first sentence ends in a line of a comment; 0: it goes on. What
 * stands before its first letter ends none: //! and 1. */
static size_t
sentence_in_line(const uint8_t *text, size_t at, size_t end)
{
	bool has_begun = false;

	for (; at < end; at++) {
		if (closes_comment(text, at, end))
			return end;
		has_begun |= is_letter(text[at]);
		if (has_begun && ends_sentence(text, at, end))
			return closes_comment(text, at + 1, end) ? end : at + 1;
	}
	return 0;
}

/* Whether a comment that begins at `first` may go on in the line at `at`: all
 * of one kind of lines begin alike, and no tag is of the sentence. */
static bool
comment_goes_on(const uint8_t *text, size_t first, size_t at, size_t end)
{
	bool is_text = lang_closing_mark(text, first, end) != NULL ||
		       is_letter(text[first]);

	at = lang_skip_blanks(text, at, end);
	if (at >= end || (!is_text && text[at] != text[first]))
		return false;
	while (at < end && !is_letter(text[at]))
		if (text[at++] == '@')
			return false;
	return at < end;
}

size_t
lang_sentence_end(const uint8_t *text, size_t at, size_t end)
{
	size_t first = lang_skip_blanks(text, at, end);

	for (uint32_t lines = 0; lines < 3; lines++) {
		size_t next = lang_line_end(text, at, end);
		size_t stop = sentence_in_line(text, at, next);

		if (stop != 0)
			return stop;
		at = min_size(next + 1, end);
		if (at >= end || !comment_goes_on(text, first, at, end))
			return next;
	}
	return at;
}

/* Bytes of the mark that a line comment begins with: //, ///, //!, #', --. What
 * stands right behind it, as in //(a), is no part of it. */
static size_t
mark_bytes(const uint8_t *text, size_t at, size_t end)
{
	size_t from = at;

	if (at == end || text[at] <= ' ' || is_letter(text[at]))
		return 0;
	while (at < end && text[at] == text[from])
		at++;
	return at - from + (at < end && strchr("!|'^", text[at]) != NULL);
}

size_t
lang_comment_end(const uint8_t *text, size_t at, size_t end)
{
	size_t first = lang_skip_blanks(text, at, end);
	size_t bytes = mark_bytes(text, first, end);
	const char *close = lang_closing_mark(text, first, end);

	if (first < end && text[first] == '\n')
		return first + 1;
	/* words in quotes */
	if (bytes == 0 || text[first] == '@' || text[first] == '"')
		return end;
	if (close != NULL) {
		while (first < end && !lang_has(text, first, end, close))
			first++;
		return min_size(lang_line_end(text, first, end) + 1, end);
	}
	do {
		size_t mark;

		at = min_size(lang_line_end(text, at, end) + 1, end);
		mark = lang_skip_blanks(text, at, end);
		if (mark_bytes(text, mark, end) != bytes ||
		    text[mark] != text[first])
			break;
	} while (at < end);
	return at;
}

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

size_t
lang_comment_words(const uint8_t *text, size_t at, size_t end)
{
	while (at < end) {
		size_t next = min_size(lang_line_end(text, at, end) + 1, end);

		if (lang_has_letters(text, at, next) && !is_tag(text, at, next))
			break;
		at = next;
	}
	return at;
}
