/* SPDX-License-Identifier: MIT */
/*
 * commit.c - the lines of a commit object of git.
 *
 *   tree <name>
 *   parent <name>                  none, one or more
 *   author <name> <<mail>> <seconds> <zone>
 *   committer ...                  the same
 *   <others>                       such as gpgsig, over several lines
 *                                  an empty line
 *   <message>
 *
 * source: git-hash-object(1), git-fsck(1)
 */
#include "git/git.h"

#include <errno.h>
#include <string.h>

#define PARENT "parent "
#define PARENT_BYTES (sizeof(PARENT) - 1 + COMMIT_NAME_DIGITS + 1)
#define SECONDS_MAX (INT64_C(1) << 53)

/* What is left of the text, line by line. */
struct lines {
	const char *at;
	const char *end;
};

/* The next line, without its end; NULL: there is none that has one. */
static const char *
take_line(struct lines *lines, size_t *bytes)
{
	const char *line = lines->at;
	const char *end = memchr(line, '\n', (size_t)(lines->end - line));

	if (end == NULL)
		return NULL;
	*bytes = (size_t)(end - line);
	lines->at = end + 1;
	return line;
}

/* The name behind a word that begins a line; NULL: it is another line. */
static const char *
take_name(struct lines *lines, const char *word)
{
	size_t skip = strlen(word);
	size_t bytes;
	const char *line;

	if (!bytes_begin(lines->at, lines->end, word))
		return NULL;
	line = take_line(lines, &bytes);
	if (line == NULL || bytes != skip + COMMIT_NAME_DIGITS)
		return NULL;
	return line + skip;
}

/* Digits up to `end`; *at is behind them. */
static int64_t
take_number(const char **at, const char *end)
{
	int64_t number = 0;

	for (; *at < end && **at >= '0' && **at <= '9'; (*at)++)
		if (number < SECONDS_MAX)
			number = number * 10 + (**at - '0');
	return number < SECONDS_MAX ? number : 0;
}

/* "Name <mail> 1700000000 +0130": what is not there is empty or 0 */
static void
parse_person(struct commit *commit, const char *line, size_t bytes,
	     bool is_author)
{
	const char *end = line + bytes;
	const char *mail = memchr(line, '<', bytes);
	const char *at = memrchr(line, '>', bytes);
	bool west;
	int64_t seconds;
	int64_t zone;

	at = at == NULL ? end : at + 1;
	while (at < end && *at == ' ')
		at++;
	seconds = take_number(&at, end);
	if (!is_author) {
		commit->time_s = seconds;
		return;
	}
	zone = 0;
	west = false;
	if (end - at > 2 && at[0] == ' ') {
		west = at[1] == '-';
		at += 2;
		zone = take_number(&at, end);
	}
	zone = zone > 9999 ? 0 : zone / 100 * 60 + zone % 100;
	commit->author_s = seconds;
	commit->author_zone = (int)(west ? -zone : zone);
	commit->author = line;
	commit->author_bytes = mail == NULL ? 0 : (size_t)(mail - line);
	while (commit->author_bytes > 0 &&
	       line[commit->author_bytes - 1] == ' ')
		commit->author_bytes--;
}

/* All lines up to the empty one. */
static int
parse_people(struct commit *commit, struct lines *lines)
{
	static const char author[] = "author ";
	static const char committer[] = "committer ";
	bool has_author = false;
	bool has_committer = false;
	const char *line;
	size_t bytes;

	while ((line = take_line(lines, &bytes)) != NULL && bytes > 0) {
		struct lines whole = { line, line + bytes };

		if (!has_author && bytes_begin(whole.at, whole.end, author)) {
			parse_person(commit, line + sizeof(author) - 1,
				     bytes - sizeof(author) + 1, true);
			has_author = true;
		} else if (!has_committer &&
			   bytes_begin(whole.at, whole.end, committer)) {
			parse_person(commit, line + sizeof(committer) - 1,
				     bytes - sizeof(committer) + 1, false);
			has_committer = true;
		}
	}
	return has_author && has_committer ? 0 : -EINVAL;
}

int
commit_parse(struct commit *commit, const char *text, size_t bytes)
{
	struct lines lines = { text, text + bytes };
	int error;

	*commit = (struct commit){ 0 };
	commit->tree = take_name(&lines, "tree ");
	if (commit->tree == NULL)
		return -EINVAL;
	commit->parents = lines.at;
	while (take_name(&lines, PARENT) != NULL)
		commit->parent_nr++;
	error = parse_people(commit, &lines);
	commit->message = lines.at;
	commit->message_bytes = (size_t)(lines.end - lines.at);
	return error;
}

const char *
commit_parent(const struct commit *commit, uint32_t i)
{
	ASSERT(i < commit->parent_nr);
	return commit->parents + i * PARENT_BYTES + sizeof(PARENT) - 1;
}

static bool
is_blank(const char *text, size_t bytes)
{
	for (size_t i = 0; i < bytes; i++)
		if (text[i] != ' ' && (text[i] < '\t' || text[i] > '\r'))
			return false;
	return true;
}

const char *
commit_subject(const struct commit *commit, size_t *bytes)
{
	struct lines lines = { commit->message,
			       commit->message + commit->message_bytes };
	const char *first = NULL;
	const char *end = NULL;

	while (lines.at < lines.end) {
		const char *line = lines.at;
		size_t nr;

		if (take_line(&lines, &nr) == NULL) {
			nr = (size_t)(lines.end - line);
			lines.at = lines.end;
		}
		if (is_blank(line, nr)) {
			if (first != NULL)
				break;
			continue;
		}
		if (first == NULL)
			first = line;
		end = line + nr;
	}
	*bytes = first == NULL ? 0 : (size_t)(end - first);
	return first == NULL ? commit->message : first;
}
