/* SPDX-License-Identifier: MIT */
/*
 * header.c - the language of a header by its text: its name says C, and C++ and
 *            Objective-C use the same.
 *
 * Does: looks at the first word of each line, and for names in scopes and
 *       operators; comments and directives are passed over.
 */
#include "lang/lang.h"

#include <string.h>

#include "base/ascii.h"
#include "lang/text.h"

#define SNIFF_BYTES 65536

/* A line of the header, from its first byte that is no blank. */
struct header_line {
	const uint8_t *text;
	size_t at;
	size_t end;
	bool is_indented;
};

static const char operator_word[] = "operator";

/* The next of these bytes from `at` on, or `bytes`. */
static size_t
next_of(const uint8_t *text, size_t at, size_t bytes, const char *what)
{
	size_t nr = strlen(what);
	const uint8_t *found = NULL;

	if (at < bytes)
		found = nr == 1 ? memchr(text + at, *what, bytes - at)
				: memmem(text + at, bytes - at, what, nr);
	return found == NULL ? bytes : (size_t)(found - text);
}

static size_t
word_end(const struct header_line *line, size_t at)
{
	while (at < line->end && ascii_is_word(line->text[at]))
		at++;
	return at;
}

/* Behind the word that the line begins with and the blanks after it; 0: it is
 * another one. */
static size_t
behind_word(const struct header_line *line, const char *word)
{
	size_t end = word_end(line, line->at);

	if (end - line->at != strlen(word) ||
	    memcmp(line->text + line->at, word, end - line->at) != 0)
		return 0;
	return lang_skip_blanks(line->text, end, line->end);
}

static bool
has_byte(const struct header_line *line, size_t at, const char *bytes)
{
	return at < line->end && is_one_of(bytes, line->text[at]);
}

/* Behind a name and the blanks after it; `at` if none stands there. */
static size_t
behind_name(const struct header_line *line, size_t at)
{
	return lang_skip_blanks(line->text, word_end(line, at), line->end);
}

/* namespace a {, class A : B, class A; - words that go on like prose are none
 * unless they begin at the first column, as in class EXPORT A. */
static bool
begins_scope(const struct header_line *line)
{
	size_t name = behind_word(line, "namespace");
	size_t next;

	if (name == 0)
		name = behind_word(line, "class");
	if (name == 0)
		return false;
	next = behind_name(line, name);
	if (next == name)
		return has_byte(line, name, "{[");
	return !line->is_indented || next == line->end ||
	       has_byte(line, next, "{:;=") ||
	       lang_has(line->text, next, line->end, "final");
}

/* using a = b; using a::b; using namespace a; */
static bool
begins_using(const struct header_line *line)
{
	size_t name = behind_word(line, "using");
	size_t next;

	if (name == 0)
		return false;
	next = behind_name(line, name);
	return next > name &&
	       (has_byte(line, next, "=") ||
		lang_has(line->text, next, line->end, "::") ||
		lang_has(line->text, name, line->end, "namespace "));
}

/* public: */
static bool
is_access(const struct header_line *line)
{
	size_t at = behind_word(line, "public");

	if (at == 0)
		at = behind_word(line, "private");
	if (at == 0)
		at = behind_word(line, "protected");
	return at != 0 && has_byte(line, at, ":") &&
	       lang_skip_blanks(line->text, at + 1, line->end) == line->end;
}

/* a::b, no string or comment before it on its line. */
static bool
is_scope(const struct header_line *line, size_t at)
{
	const uint8_t *text = line->text;

	return at > line->at && at + 2 < line->end && text[at + 1] == ':' &&
	       ascii_is_word(text[at - 1]) &&
	       (ascii_is_word(text[at + 2]) || text[at + 2] == '~') &&
	       memchr(text + line->at, '"', at - line->at) == NULL &&
	       memchr(text + line->at, '/', at - line->at) == NULL;
}

static bool
has_scope(const struct header_line *line, size_t at)
{
	while (at < line->end) {
		if (is_scope(line, at))
			return true;
		at = next_of(line->text, at + 1, line->end, ":");
	}
	return false;
}

/* operator==( */
static bool
is_operator(const struct header_line *line, size_t at)
{
	size_t from = word_end(line, at);
	size_t end = from;

	while (has_byte(line, end, "=!<>+-*/%&|^~[]"))
		end++;
	return from - at == strlen(operator_word) && end > from &&
	       has_byte(line, end, "(");
}

/* Whether the line begins as none of C does. */
static bool
begins_cpp(const struct header_line *line)
{
	size_t at;

	switch (line->text[line->at]) {
	case 'n':
	case 'c':
		return begins_scope(line) ||
		       behind_word(line, "constexpr") != 0;
	case 't':
		at = behind_word(line, "template");
		return at != 0 && has_byte(line, at, "<");
	case 'u':
		return begins_using(line);
	case 'p':
		return is_access(line);
	default:
		return false;
	}
}

static bool
begins_objc(const struct header_line *line)
{
	static const char *const words[] = { "@interface ", "@protocol ",
					     "@class ", "#import " };

	for (size_t i = 0; i < ARRAY_LEN(words); i++)
		if (lang_has(line->text, line->at, line->end, words[i]))
			return true;
	return false;
}

/* Behind the comment that begins there, or else behind the line. */
static size_t
skip_aside(const uint8_t *text, size_t at, size_t bytes)
{
	if (!lang_has(text, at, bytes, "/*"))
		return lang_line_end(text, at, bytes) + 1;
	return next_of(text, at + 2, bytes, "*/") + 2;
}

/* The language that the lines from `at` on are of. */
static uint32_t
sniff_lines(const uint8_t *text, size_t bytes)
{
	struct header_line line = { .text = text };
	uint32_t lang = LANG_C;
	size_t colon = next_of(text, 0, bytes, ":");
	size_t word = next_of(text, 0, bytes, operator_word);

	for (size_t at = 0; at < bytes; at = line.end + 1) {
		uint8_t c;

		line.at = lang_skip_blanks(text, at, bytes);
		line.is_indented = line.at > at;
		line.end = lang_line_end(text, line.at, bytes);
		c = line.at < line.end ? text[line.at] : '\n';
		if ((c == '@' || c == '#') && begins_objc(&line))
			return LANG_OBJC;
		if (c == '/' || c == '*' || c == '#') {
			line.end = skip_aside(text, line.at, bytes) - 1;
			continue;
		}
		if (colon < line.at)
			colon = next_of(text, line.at, bytes, ":");
		if (word < line.at)
			word = next_of(text, line.at, bytes, operator_word);
		if (begins_cpp(&line) || has_scope(&line, colon) ||
		    (word < line.end && is_operator(&line, word)))
			lang = LANG_CPP;
	}
	return lang;
}

uint32_t
lang_of_text(uint32_t lang, const uint8_t *path, size_t path_bytes,
	     const uint8_t *text, size_t bytes)
{
	if (lang != LANG_C || path_bytes < 2 ||
	    memcmp(path + path_bytes - 2, ".h", 2) != 0)
		return lang;
	return sniff_lines(text, min_size(bytes, SNIFF_BYTES));
}
