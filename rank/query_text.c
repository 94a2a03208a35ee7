/* SPDX-License-Identifier: MIT */
/*
 * query_text.c - what a line of a query is, by how it begins.
 */
#include "rank/query_text.h"

#include <string.h>

#include "base/ascii.h"

#define HEADING_BYTES 60 /* a longer one is a sentence */
#define WORD_BYTES 24

/* How far what is said of a machine goes. */
enum section { SECTION_TO_BLANK = 1, SECTION_TO_HEADING };

/* A line without the blanks around it. */
struct line {
	const uint8_t *text;
	const uint8_t *end;
};

static struct line
line_of(const uint8_t *text, const uint8_t *end)
{
	while (text < end && ascii_is_blank(*text))
		text++;
	while (end > text && ascii_is_blank(end[-1]))
		end--;
	return (struct line){ text, end };
}

static size_t
bytes_of(const struct line *line)
{
	return (size_t)(line->end - line->text);
}

/* Case aside. */
static bool
begins_with(const struct line *line, const char *begin)
{
	size_t bytes = strlen(begin);

	if (bytes_of(line) < bytes)
		return false;
	for (size_t i = 0; i < bytes; i++)
		if (ascii_lower(line->text[i]) != (uint8_t)begin[i])
			return false;
	return true;
}

static bool
ends_with(const struct line *line, const char *end)
{
	size_t bytes = strlen(end);

	return bytes_of(line) >= bytes &&
	       memcmp(line->end - bytes, end, bytes) == 0;
}

/* Behind a tag, or what else is there. */
static const uint8_t *
behind_tag(const struct line *line)
{
	const uint8_t *tag = line->text;
	const uint8_t *end = NULL;

	if (*tag == '<')
		end = memchr(tag, '>', (size_t)(line->end - tag));
	return end == NULL ? tag + 1 : end + 1;
}

/* The next word of letters, but not of tags, in small ones, at most so many bytes of it; false:
 * there is none. */
static bool
next_word(struct line *line, char word[WORD_BYTES])
{
	size_t bytes = 0;

	while (line->text < line->end && !ascii_is_word(*line->text))
		line->text = behind_tag(line);
	if (line->text == line->end)
		return false;
	for (; line->text < line->end && ascii_is_word(*line->text) &&
	       *line->text != '_';
	     line->text++)
		if (bytes + 1 < WORD_BYTES)
			word[bytes++] = (char)ascii_lower(*line->text);
	if (line->text < line->end && *line->text == '_')
		line->text++;
	word[bytes] = '\0';
	return true;
}

/* ---------------------------------------------------------- headings ---- */

/* A heading with one of these is of what follows it up to the next one. */
static const char *const machine_words[] = {
	"environment", "env",      "version",   "versions",
	"platform",    "system",   "pip",       "screenshot",
	"screenshots", "hardware", "checklist",
};

/* Headings of these words alone are a template's. */
static const char *const template_words[] = {
	"a",           "about",        "actual",       "additional",
	"and",         "any",          "are",          "behavior",
	"behaviour",   "bug",          "can",          "code",
	"complete",    "context",      "current",      "currently",
	"describe",    "description",  "details",      "did",
	"do",          "does",         "error",        "example",
	"expect",      "expected",     "feature",      "for",
	"full",        "happen",       "happened",     "happening",
	"happens",     "have",         "how",          "i",
	"info",        "information",  "instead",      "is",
	"issue",       "it",           "know",         "like",
	"log",         "logs",         "me",           "message",
	"minimal",     "need",         "notes",        "observed",
	"of",          "other",        "outcome",      "output",
	"possible",    "problem",      "proposed",     "relevant",
	"repro",       "reproduce",    "reproducible", "reproducer",
	"reproducing", "reproduction", "request",      "result",
	"results",     "sample",       "should",       "solution",
	"stack",       "steps",        "suggested",    "summary",
	"the",         "this",         "to",           "trace",
	"traceback",   "verifiable",   "was",          "we",
	"what",        "why",          "with",         "workaround",
	"would",       "you",          "your",
};

/* "## Heading", "**Heading**", "<summary>Heading</summary>", "Heading:" */
static bool
is_heading(struct line *line)
{
	size_t bytes = bytes_of(line);

	if (bytes > 9 && begins_with(line, "<summary>")) {
		line->text += 9;
		return true;
	}
	if (bytes > 18 && begins_with(line, "<details><summary>")) {
		line->text += 18;
		return true;
	}
	if (bytes == 0 || bytes > HEADING_BYTES)
		return false;
	return line->text[0] == '#' ||
	       (bytes > 4 && memcmp(line->text, "**", 2) == 0 &&
		(memcmp(line->end - 2, "**", 2) == 0 ||
		 memcmp(line->end - 2, "*:", 2) == 0)) ||
	       line->end[-1] == ':';
}

/* What a heading is of; *opens: what follows it is of the machine, as a longer
 * one says only within such a section. */
static enum query_line
kind_of_heading(struct line heading, bool is_within, bool *opens)
{
	char word[WORD_BYTES];
	bool all = true;
	uint32_t nr = 0;

	*opens = false;
	while (next_word(&heading, word)) {
		nr++;
		*opens |= text_is_among(word, machine_words,
					ARRAY_LEN(machine_words));
		all &= text_is_among(word, template_words,
				     ARRAY_LEN(template_words));
	}
	if (*opens && (nr <= 6 || is_within))
		return QUERY_LINE_MACHINE;
	*opens = false;
	return all ? QUERY_LINE_TEMPLATE : QUERY_LINE_TASK;
}

/* ------------------------------------------------- lines of a machine ---- */

static const char *const machine_begins[] = {
	/* what tools say of themselves */
	"requirement already ",
	"successfully installed ",
	"collecting ",
	"downloading ",
	"using cached ",
	"installing collected ",
	"plugins: ",
	"platform ",
	"cachedir: ",
	"rootdir: ",
	"collected ",
	"installed from ",
	/* what people are asked for */
	"os: ",
	"os:\t",
	"- os: ",
	"* os: ",
	"python: ",
	"- python: ",
	"* python: ",
	"python-bits: ",
	"os-release: ",
	"machine: ",
	"processor: ",
	"byteorder: ",
	"lc_all: ",
	"lang: ",
	"locale: ",
	"operating system: ",
	"browser: ",
	"- browser: ",
	"architecture: ",
	"kernel: ",
	"commit: none",
	"sys.version",
	"node: ",
	"- node: ",
};

/* "1.2", "v1.2.3rc1"; *at is behind it */
static bool
is_version(const uint8_t **at, const uint8_t *end)
{
	const uint8_t *c = *at;
	bool dot = false;

	if (c < end && *c == 'v')
		c++;
	if (c == end || !ascii_is_digit(*c))
		return false;
	for (; c < end && !ascii_is_blank(*c) && *c != '|'; c++)
		dot |= *c == '.' && c + 1 < end && ascii_is_digit(c[1]);
	*at = c;
	return dot;
}

/* Behind the bytes that are among these, or, if not `are`, that are none. */
static const uint8_t *
behind(const uint8_t *at, const uint8_t *end, const char *these, bool are)
{
	while (at < end && (memchr(these, *at, strlen(these)) != NULL) == are)
		at++;
	return at;
}

/* "name==1.2", "name: 1.2", "| name | 1.2 |", "name   1.2   /where", "name 1.2" */
static bool
is_version_line(struct line line)
{
	const uint8_t *name = behind(line.text, line.end, "|-* \t", true);
	const uint8_t *gap = behind(name, line.end, " \t=:|@(", false);
	const uint8_t *at = behind(gap, line.end, " \t=:|@", true);
	bool is_table = at - gap > 1 || (at > gap && *gap != ' ');

	return gap > name && !ascii_is_digit(*name) &&
	       is_version(&at, line.end) && (is_table || at == line.end);
}

/* "-----|-----", "=========" */
static bool
is_ruler(struct line line)
{
	if (bytes_of(&line) < 6)
		return false;
	while (line.text < line.end &&
	       strchr("-=~+|_:* ", *line.text) != NULL && *line.text != '\0')
		line.text++;
	return line.text == line.end;
}

static bool
is_of_machine(const struct line *line)
{
	for (size_t i = 0; i < ARRAY_LEN(machine_begins); i++)
		if (begins_with(line, machine_begins[i]))
			return true;
	return is_version_line(*line) || is_ruler(*line);
}

/* ------------------------------------------------------------- lines ---- */

static bool
is_check_box(const struct line *line)
{
	return bytes_of(line) >= 5 &&
	       (line->text[0] == '-' || line->text[0] == '*') &&
	       line->text[1] == ' ' && line->text[2] == '[' &&
	       line->text[4] == ']';
}

/* "Signed-off-by: A <b@c>" */
static bool
is_trailer(const struct line *line)
{
	const uint8_t *at = line->text;

	while (at < line->end && (ascii_is_word(*at) || *at == '-'))
		at++;
	return at - line->text > 3 && at + 1 < line->end && *at == ':' &&
	       at[1] == ' ' && memcmp(at - 3, "-by", 3) == 0;
}

static enum query_line
kind_of_text(struct query_text *text, struct line line)
{
	struct line heading = line;
	bool opens;

	if (is_heading(&heading)) {
		enum query_line kind = kind_of_heading(
			heading, text->section == SECTION_TO_HEADING, &opens);

		if (memchr("#*<", *line.text, 3) != NULL)
			text->section = opens ? SECTION_TO_HEADING : 0;
		else if (opens)
			text->section = SECTION_TO_BLANK;
		if (kind != QUERY_LINE_TASK)
			return kind;
	}
	if (is_check_box(&line))
		return QUERY_LINE_TEMPLATE;
	if (is_trailer(&line))
		return QUERY_LINE_TRAILER;
	if (line.text[0] == '>' && text->is_reply)
		return QUERY_LINE_QUOTE;
	text->is_reply = ends_with(&line, "wrote:");
	return QUERY_LINE_TASK;
}

/* What a whole line is. */
static enum query_line
kind_of_line(struct query_text *text, const uint8_t *begin, const uint8_t *end)
{
	struct line line = line_of(begin, end);
	enum query_line kind;

	if (bytes_of(&line) == 0) {
		if (text->section == SECTION_TO_BLANK)
			text->section = 0;
		return QUERY_LINE_TASK;
	}
	if (!text->is_begun) {
		text->is_begun = true;
		return QUERY_LINE_TASK;
	}
	if (begins_with(&line, "```") || begins_with(&line, "~~~")) {
		text->in_fence = !text->in_fence;
		return QUERY_LINE_TEMPLATE;
	}
	kind = text->in_fence ? QUERY_LINE_CODE : kind_of_text(text, line);
	if (query_line_counts(kind) &&
	    (text->section != 0 || is_of_machine(&line)))
		return QUERY_LINE_MACHINE;
	if (kind == QUERY_LINE_TASK &&
	    (line.text - begin >= 4 || *begin == '\t'))
		return QUERY_LINE_CODE;
	return kind;
}

static const uint8_t *
find(const uint8_t *at, const uint8_t *end, const char *what)
{
	return memmem(at, (size_t)(end - at), what, strlen(what));
}

/* Where a comment begins in what is left of a line, or ends; NULL: nowhere. */
static const uint8_t *
find_edge(struct query_text *text, const uint8_t *end)
{
	const uint8_t *edge;

	if (text->in_comment)
		return find(text->at, end, "-->");
	if (text->in_fence || text->never_ends)
		return NULL;
	edge = find(text->at, end, "<!--");
	if (edge != NULL && find(edge, text->end, "-->") == NULL) {
		text->never_ends = true;
		edge = NULL;
	}
	return edge;
}

bool
query_text_next(struct query_text *text, struct query_span *span)
{
	const uint8_t *newline;
	const uint8_t *end;
	const uint8_t *edge;

	if (text->at == text->end)
		return false;
	newline = memchr(text->at, '\n', (size_t)(text->end - text->at));
	end = newline == NULL ? text->end : newline + 1;
	if (!text->is_mid_line && !text->in_comment)
		text->of_line = kind_of_line(text, text->at, end);
	edge = find_edge(text, end);
	if (edge == text->at && !text->in_comment) {
		text->in_comment = true;
		edge = find_edge(text, end);
	}
	span->text = text->at;
	span->line = text->in_comment ? QUERY_LINE_COMMENT : text->of_line;
	if (edge != NULL) {
		end = edge + (text->in_comment ? 3 : 0);
		text->in_comment = !text->in_comment;
	}
	text->is_mid_line = end[-1] != '\n';
	span->bytes = (size_t)(end - text->at);
	text->at = end;
	return true;
}

/* Characters that are no part of words, by the UTF-8 of the first and the last
 * one; joiners are, in some scripts. */
static const struct {
	const char *first;
	const char *last;
} typeset[] = {
	{ "\xc2\xa0", "\xc2\xa0" },         /* no-break space */
	{ "\xc2\xab", "\xc2\xab" },         /* << */
	{ "\xc2\xbb", "\xc2\xbb" },         /* >> */
	{ "\xe2\x80\x80", "\xe2\x80\x8b" }, /* spaces */
	{ "\xe2\x80\x90", "\xe2\x81\x9f" }, /* dashes, quotes */
	{ "\xe3\x80\x80", "\xe3\x80\x83" }, /* of Chinese and Japanese */
	{ "\xe3\x80\x88", "\xe3\x80\x91" },
	{ "\xef\xbb\xbf", "\xef\xbb\xbf" }, /* a byte order mark */
	{ "\xef\xbc\x81", "\xef\xbc\x8f" }, /* full-width signs */
	{ "\xef\xbc\x9a", "\xef\xbc\xa0" },
};

/* Bytes of such a character; 0: it is another one. */
static size_t
typeset_at(const uint8_t *text, size_t bytes)
{
	for (size_t i = 0; i < ARRAY_LEN(typeset); i++) {
		size_t nr = strlen(typeset[i].first);

		if (nr <= bytes && memcmp(text, typeset[i].first, nr) >= 0 &&
		    memcmp(text, typeset[i].last, nr) <= 0)
			return nr;
	}
	return 0;
}

void
query_text_plain(uint8_t *text, size_t bytes)
{
	for (size_t at = 0; at < bytes; at++) {
		size_t nr =
			text[at] < 0x80 ? 0 : typeset_at(text + at, bytes - at);

		memset(text + at, ' ', nr);
	}
}
