/* SPDX-License-Identifier: MIT */
/*
 * inherits.c - the head of a type, up to a name and behind it.
 */
#include "lang/inherits.h"

#include <string.h>

#include "base/ascii.h"

#define HEAD_LINES 4

struct word {
	const uint8_t *at;
	size_t bytes;
};

static bool
is_word(const struct word *word, const char *text)
{
	return word->bytes == strlen(text) &&
	       memcmp(word->at, text, word->bytes) == 0;
}

static bool
is_among(const struct word *word, const char *const *words, size_t nr)
{
	for (size_t i = 0; i < nr; i++)
		if (is_word(word, words[i]))
			return true;
	return false;
}

/* Words that begin the head of a type. */
static bool
is_opening(const struct word *word)
{
	static const char *const words[] = {
		"actor",     "class", "enum",   "extension",
		"interface", "mixin", "object", "protocol",
		"record",    "role",  "struct", "trait",
	};

	return is_among(word, words, ARRAY_LEN(words));
}

/* Words behind which the base types are. */
static bool
is_deriving(const struct word *word)
{
	static const char *const words[] = { "does", "extends", "implements",
					     "is", "with" };

	return is_among(word, words, ARRAY_LEN(words));
}

/* Words of a class that take in the members of what follows. */
static bool
is_mixing(const struct word *word)
{
	static const char *const words[] = { "extend", "include", "prepend" };

	return is_among(word, words, ARRAY_LEN(words));
}

/* The word at a byte that begins one. */
static struct word
word_at(const uint8_t *at, const uint8_t *end)
{
	struct word word = { .at = at };

	while (at + word.bytes < end && ascii_is_word(at[word.bytes]))
		word.bytes++;
	return word;
}

/* Brackets that are open where the name stands. */
struct depth {
	uint32_t round;
	uint32_t angle;
	bool has_colon; /* in the round ones: they hold parameters */
};

/* A bracket, or a colon in one. */
static void
count_bracket(struct depth *depth, uint8_t c)
{
	if (c == '(')
		depth->round++;
	else if (c == ')' && depth->round > 0)
		depth->round--;
	else if (c == '<')
		depth->angle++;
	else if (c == '>' && depth->angle > 0)
		depth->angle--;
	else if (c == ':' && depth->round > 0)
		depth->has_colon = true;
	if (depth->round == 0)
		depth->has_colon = false;
}

/* Whether the base types begin with a byte: at ":" but not "::", "(" as in
 * Python, "<" between blanks as in Ruby. */
static bool
begins_bases(const uint8_t *at, const uint8_t *end, const struct depth *depth)
{
	if (depth->round > 0 || depth->angle > 0)
		return false;
	if (*at == ':')
		return at[-1] != ':' && (at + 1 == end || at[1] != ':');
	return *at == '(' || (*at == '<' && at[-1] == ' ');
}

/* Whether what stands before a name, behind the word that opens a head, says that
 * it is a base. */
static bool
leads_to_base(const uint8_t *at, const uint8_t *end)
{
	struct depth depth = { 0 };
	bool has_bases = false;

	while (at < end) {
		struct word word = word_at(at, end);

		if (word.bytes > 0) {
			if (is_word(&word, "where"))
				return false;
			has_bases |= depth.round == 0 && is_deriving(&word);
			at += word.bytes;
			continue;
		}
		if (strchr("{};=", *at) != NULL && *at != '\0' &&
		    depth.round == 0)
			return false;
		has_bases |= begins_bases(at, end, &depth);
		/* of Ruby: nothing is opened */
		if (*at != '<' || at[-1] != ' ')
			count_bracket(&depth, *at);
		at++;
	}
	return has_bases && depth.angle == 0 && !depth.has_colon &&
	       end[-1] != '=';
}

/* Whether "for" is behind a name and its parameters, as in Rust. */
static bool
has_for(const uint8_t *at, const uint8_t *end)
{
	uint32_t depth = 0;
	struct word word;

	for (; at < end && (depth > 0 || *at == '<'); at++)
		depth += (uint32_t)(*at == '<') - (uint32_t)(*at == '>');
	while (at < end && ascii_is_blank(*at))
		at++;
	word = word_at(at, end);
	return is_word(&word, "for");
}

static bool
is_comment(const uint8_t *at, const uint8_t *end)
{
	while (at < end && ascii_is_blank(*at))
		at++;
	return at < end &&
	       (*at == '*' || *at == '#' ||
		(at + 1 < end && *at == '/' && (at[1] == '/' || at[1] == '*')));
}

enum head {
	HEAD_NOT_HERE, /* no word of the line opens one */
	HEAD_NO_BASE,
	HEAD_BASE
};

/* What the text from the beginning of a line up to a name says of it. */
static enum head
read_head(const uint8_t *line, const uint8_t *name, const uint8_t *behind,
	  const uint8_t *end)
{
	bool is_first = true;

	if (is_comment(line, name))
		return HEAD_NO_BASE;
	for (const uint8_t *at = line; at < name; at++) {
		struct word word = word_at(at, name);

		if (word.bytes == 0)
			continue;
		at += word.bytes;
		if (is_word(&word, "impl"))
			return has_for(behind, end) ? HEAD_BASE : HEAD_NO_BASE;
		if (is_opening(&word))
			return at < name && leads_to_base(at, name)
				       ? HEAD_BASE
				       : HEAD_NO_BASE;
		if (is_first && is_mixing(&word) && at < name && *at == ' ' &&
		    memchr(at, '\n', (size_t)(name - at)) == NULL)
			return HEAD_BASE;
		is_first = false;
	}
	return HEAD_NOT_HERE;
}

/* Whether nothing of a head is on a line before one that begins there. A colon
 * behind a blank is that of C++, others open a block. */
static bool
ends_before(const uint8_t *text, const uint8_t *line)
{
	const uint8_t *last = line - 1;

	while (last > text && ascii_is_blank(last[-1]) && last[-1] != '\n')
		last--;
	if (last == text || strchr("{};\n", last[-1]) != NULL)
		return true;
	return last[-1] == ':' && (last - 1 == text || last[-2] != ' ');
}

bool
lang_inherits(const uint8_t *text, size_t bytes, size_t at, size_t name_bytes)
{
	const uint8_t *name = text + at;
	const uint8_t *behind = name + name_bytes;
	const uint8_t *end =
		behind + min_size(INHERITS_REACH, bytes - at - name_bytes);
	const uint8_t *line = name;

	text = name - min_size(INHERITS_REACH, at);
	for (uint32_t i = 0; i < HEAD_LINES; i++) {
		enum head head;

		/* the line before it, behind the first */
		line -= i > 0;
		while (line > text && line[-1] != '\n')
			line--;
		head = read_head(line, name, behind, end);
		if (head != HEAD_NOT_HERE || line == text ||
		    ends_before(text, line))
			return head == HEAD_BASE;
	}
	return false;
}
