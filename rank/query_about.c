/* SPDX-License-Identifier: MIT */
/*
 * query_about.c - what the first line of a query asks for besides code.
 *
 * That something is of tests, or documented, is no wish to see those: the word
 * begins the line, or somebody asks for it just before.
 */
#include <string.h>

#include "base/ascii.h"
#include "rank/query.h"

static const struct about {
	const char *stem;
	uint32_t about;
} abouts[] = {
	{ "test", QUERY_ABOUT_TESTS },
	{ "unittest", QUERY_ABOUT_TESTS },
	{ "fixtur", QUERY_ABOUT_TESTS },
	{ "benchmark", QUERY_ABOUT_TESTS },
	{ "doc", QUERY_ABOUT_DOCS },
	{ "document", QUERY_ABOUT_DOCS },
	{ "documentation", QUERY_ABOUT_DOCS },
	{ "readm", QUERY_ABOUT_DOCS },
	{ "manpag", QUERY_ABOUT_DOCS },
	{ "tutorial", QUERY_ABOUT_DOCS },
	{ "yaml", QUERY_ABOUT_CONFIG },
	{ "toml", QUERY_ABOUT_CONFIG },
	{ "dockerfil", QUERY_ABOUT_CONFIG },
	{ "makefil", QUERY_ABOUT_CONFIG },
};

/* Whoever says one of these, and then what of, asks for that. */
static const char *const asking[] = {
	"add",    "writ",   "extend", "fix",   "updat",   "improv", "mov",
	"renam",  "remov",  "clean",  "flaky", "fail",    "delet",  "miss",
	"broken", "rewrit", "cover",  "typo",  "correct",
};

/* What may stand between the two. */
static const char *const fillers[] = {
	"a",    "an",   "and", "for",  "in",         "integration",
	"mor",  "new",  "of",  "our",  "regression", "som",
	"some", "more", "the", "that", "to",         "unit",
};

static bool
is_one_of(const char *const *words, size_t nr, const char *stem, size_t bytes)
{
	for (size_t i = 0; i < nr; i++)
		if (bytes_are(stem, bytes, words[i]))
			return true;
	return false;
}

static uint32_t
about_of(const char *stem, size_t bytes)
{
	for (size_t i = 0; i < ARRAY_LEN(abouts); i++)
		if (is_one_of(&abouts[i].stem, 1, stem, bytes))
			return abouts[i].about;
	return 0;
}

/* A line, and how far it has been read. */
struct line {
	const uint8_t *at;
	const uint8_t *end;
	char stem[QUERY_TERM_BYTES];
	size_t bytes; /* of the stem; 0: a name, or too long */
};

static bool
is_part_of_name(uint8_t c)
{
	return ascii_is_word(c) || c >= 0x80;
}

/* The next word, as a stem; false: there is none. */
static bool
next_word(struct line *line)
{
	const uint8_t *begin;
	bool is_name = false;

	while (line->at < line->end && !is_part_of_name(*line->at))
		line->at++;
	if (line->at == line->end)
		return false;
	begin = line->at;
	for (; line->at < line->end && is_part_of_name(*line->at); line->at++)
		is_name |= *line->at == '_' || *line->at >= 0x80;
	/* "test.local", "--docs" */
	is_name |= line->at + 1 < line->end && *line->at == '.' &&
		   is_part_of_name(line->at[1]);
	line->bytes = (size_t)(line->at - begin);
	if (is_name || line->bytes >= sizeof(line->stem)) {
		line->bytes = 0;
		return true;
	}
	for (size_t i = 0; i < line->bytes; i++)
		line->stem[i] = (char)ascii_lower(begin[i]);
	line->bytes = query_stem(line->stem, line->bytes);
	return true;
}

static struct line
first_line(const uint8_t *text, size_t bytes)
{
	struct line line = { .at = text, .end = text + bytes };
	const uint8_t *newline;

	while (line.at < line.end && *line.at <= ' ')
		line.at++;
	newline = memchr(line.at, '\n', (size_t)(line.end - line.at));
	if (newline != NULL)
		line.end = newline;
	return line;
}

uint32_t
query_about(const uint8_t *text, size_t bytes)
{
	struct line line = first_line(text, bytes);
	uint32_t first = 0; /* what the first word asks for if one like "for"
			     * follows */
	uint32_t about = 0;
	bool asks = false;

	for (uint32_t nr = 0; next_word(&line); nr++) {
		uint32_t of = about_of(line.stem, line.bytes);
		bool fills = is_one_of(fillers, ARRAY_LEN(fillers), line.stem,
				       line.bytes);

		if (asks || (nr == 0 && line.at < line.end &&
			     memchr(":(/", *line.at, 3) != NULL))
			about |= of;
		if (nr == 1 && fills)
			about |= first;
		if (nr == 0)
			first = of;
		if (!fills)
			asks = is_one_of(asking, ARRAY_LEN(asking), line.stem,
					 line.bytes);
	}
	return about;
}
