/* SPDX-License-Identifier: MIT */
/*
 * test_format_parse.h - reads packed output back, as a reader would who knows
 * CommonMark and the header line, and nothing of how it was written.
 */
#ifndef TESTS_SUPPORT_TEST_FORMAT_PARSE_H
#define TESTS_SUPPORT_TEST_FORMAT_PARSE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PARSED_PATH_BYTES 8192

struct parsed {
	char path[PARSED_PATH_BYTES]; /* unquoted */
	size_t path_bytes;
	char same_as[PARSED_PATH_BYTES];
	size_t same_as_bytes; /* 0: it is not */
	bool empty;
	bool no_newline;
	unsigned long long line_first;
	unsigned long long line_last;
	unsigned long long line_nr; /* 0: not told */
	const char *hint;
	size_t hint_bytes;
	const char *content; /* between the fences */
	size_t content_bytes;
};

struct parser {
	const char *at;
	const char *end;
};

/* Bytes of the line at `at`, its newline not counted. */
static inline size_t
parse_line_bytes(const struct parser *p)
{
	const char *at = p->at;

	while (at < p->end && *at != '\n')
		at++;
	return (size_t)(at - p->at);
}

static inline bool
parse_word(struct parser *p, const char *word)
{
	size_t nr = strlen(word);

	if ((size_t)(p->end - p->at) < nr || memcmp(p->at, word, nr) != 0)
		return false;
	p->at += nr;
	return true;
}

static inline bool
parse_number(struct parser *p, unsigned long long *n)
{
	const char *from = p->at;

	*n = 0;
	while (p->at < p->end && *p->at >= '0' && *p->at <= '9')
		*n = *n * 10 + (unsigned long long)(*p->at++ - '0');
	return p->at > from;
}

static inline int
parse_escape(struct parser *p)
{
	int c;

	if (p->at == p->end)
		return -1;
	c = *p->at++;
	switch (c) {
	case 'n':
		return '\n';
	case 't':
		return '\t';
	case 'r':
		return '\r';
	case '"':
	case '\\':
		return c;
	}
	if (c < '0' || c > '3' || p->end - p->at < 2)
		return -1;
	c = (c - '0') * 64 + (p->at[0] - '0') * 8 + (p->at[1] - '0');
	p->at += 2;
	return c;
}

/* A name up to what stands behind it: quoted, or without any " (" in it. */
static inline bool
parse_name(struct parser *p, char *name, size_t *nr)
{
	bool quoted = p->at < p->end && *p->at == '"';

	*nr = 0;
	p->at += quoted;
	while (p->at < p->end && *p->at != '\n') {
		int c = *p->at;

		if (quoted && c == '"') {
			p->at++;
			return true;
		}
		if (!quoted && (c == ')' || c == ' ') && *nr > 0 &&
		    (memcmp(p->at, ")\n\n", 3) == 0 ||
		     memcmp(p->at, " (", 2) == 0))
			return true;
		p->at++;
		if (quoted && c == '\\' && (c = parse_escape(p)) < 0)
			return false;
		if (*nr == PARSED_PATH_BYTES)
			return false;
		name[(*nr)++] = (char)c;
	}
	return false;
}

/* Whether this line closes a fence of so many backticks, in CommonMark. */
static inline bool
parse_is_closing(const char *line, size_t bytes, size_t fence)
{
	size_t indent = 0;
	size_t ticks = 0;

	while (indent < bytes && line[indent] == ' ')
		indent++;
	while (indent + ticks < bytes && line[indent + ticks] == '`')
		ticks++;
	if (indent > 3 || ticks < fence)
		return false;
	for (size_t i = indent + ticks; i < bytes; i++)
		if (line[i] != ' ' && line[i] != '\t')
			return false;
	return true;
}

static inline bool
parse_fenced(struct parser *p, struct parsed *section)
{
	size_t fence = 0;

	while (p->at < p->end && *p->at == '`') {
		fence++;
		p->at++;
	}
	section->hint = p->at;
	section->hint_bytes = parse_line_bytes(p);
	p->at += section->hint_bytes;
	if (fence < 3 || !parse_word(p, "\n"))
		return false;
	section->content = p->at;
	while (p->at < p->end) {
		size_t bytes = parse_line_bytes(p);

		if (parse_is_closing(p->at, bytes, fence)) {
			section->content_bytes =
				(size_t)(p->at - section->content);
			p->at += bytes;
			/* the newline before the fence is not the file's */
			section->content_bytes -= section->no_newline;
			return parse_word(p, "\n\n");
		}
		p->at += bytes;
		if (!parse_word(p, "\n"))
			return false;
	}
	return false;
}

/* The next section; false: what stands there is none. */
static inline bool
parse_section(struct parser *p, struct parsed *section)
{
	memset(section, 0, sizeof(*section));
	if (!parse_word(p, "## File: ") ||
	    !parse_name(p, section->path, &section->path_bytes))
		return false;
	if (parse_word(p, " (empty)\n\n")) {
		section->empty = true;
		return true;
	}
	if (parse_word(p, " (same as "))
		return parse_name(p, section->same_as,
				  &section->same_as_bytes) &&
		       parse_word(p, ")\n\n");
	if (!parse_word(p, " (lines ") ||
	    !parse_number(p, &section->line_first) || !parse_word(p, "-") ||
	    !parse_number(p, &section->line_last))
		return false;
	if (parse_word(p, " of ") && !parse_number(p, &section->line_nr))
		return false;
	section->no_newline = parse_word(p, ", no newline at end");
	return parse_word(p, ")\n") && parse_fenced(p, section);
}

#endif
