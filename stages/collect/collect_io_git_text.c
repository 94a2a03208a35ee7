/* SPDX-License-Identifier: MIT */
/*
 * collect_io_git_text.c - the log of git, line by line.
 *
 *   <name of the commit> <when> <who>
 *       <subject>
 *         <a path that it changed>       one a line; of a merge none
 *
 * Invariants:
 * 1. What people, subjects and paths say is quoted as diag_quote() does: each
 *    takes one line, and none can pass for another.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/diag.h"
#include "stages/collect/collect_io_git_text.h"

#define QUOTED_BYTES 8192
#define SUBJECT_BYTES 2000 /* of it; what is longer is cut */

int
git_text_add(struct git_text *text, const void *bytes, size_t nr)
{
	if (nr > GIT_TEXT_BYTES_MAX - text->nr)
		return -EFBIG;
	if (ARRAY_RESERVE(text->at, text->room, text->nr + nr) != 0)
		return -ENOMEM;
	if (nr > 0)
		memcpy(text->at + text->nr, bytes, nr);
	text->nr += nr;
	return 0;
}

/* What a repository says, behind something of ours, to the end of a line. */
static int
add_quoted(struct git_text *text, const char *before, const char *name,
	   size_t bytes)
{
	char quoted[QUOTED_BYTES];
	int error = git_text_add(text, before, strlen(before));

	diag_quote(quoted, sizeof(quoted), (const uint8_t *)name, bytes);
	if (error == 0)
		error = git_text_add(text, quoted, strlen(quoted));
	return error == 0 ? git_text_add(text, "\n", 1) : error;
}

/* A subject of several lines on one, as git shows it; bytes of it. */
static size_t
join_lines(char out[SUBJECT_BYTES], const char *subject, size_t bytes)
{
	size_t nr = 0;

	for (size_t i = 0; i < bytes && nr < SUBJECT_BYTES; i++)
		out[nr++] = subject[i] == '\n' ? ' ' : subject[i];
	while (nr > 0 && (out[nr - 1] == ' ' || out[nr - 1] == '\r'))
		nr--;
	return nr;
}

int
git_text_commit(struct git_text *text, const struct history_commit_at *commit)
{
	const struct commit *says = &commit->says;
	char subject[SUBJECT_BYTES];
	char date[COMMIT_DATE_BYTES];
	char head[128];
	const char *first;
	size_t bytes;
	int error;

	for (size_t i = 0; i < COLLECT_OBJECT_BYTES; i++)
		snprintf(head + 2 * i, 3, "%02x", commit->id[i]);
	commit_date(date, says->author_s, says->author_zone);
	snprintf(head + 2ul * COLLECT_OBJECT_BYTES,
		 sizeof(head) - 2ul * COLLECT_OBJECT_BYTES, " %s ", date);
	error = add_quoted(text, head, says->author, says->author_bytes);
	first = commit_subject(says, &bytes);
	bytes = join_lines(subject, first, bytes);
	return error == 0 ? add_quoted(text, "    ", subject, bytes) : error;
}

int
git_text_path(struct git_text *text, const char *path, size_t bytes)
{
	return add_quoted(text, "      ", path, bytes);
}

int
git_text_root(struct git_text *text, const char *root)
{
	return add_quoted(text, "in ", root, strlen(root));
}

int
git_text_clean(struct git_text *text)
{
	struct collect_convert convert;
	size_t room = collect_convert_room(COLLECT_TEXT_UTF8_BAD, text->nr);
	char *clean;

	if (text->nr == 0)
		return 0;
	clean = malloc(room);
	if (clean == NULL)
		return -ENOMEM;
	collect_convert_init(&convert, COLLECT_TEXT_UTF8_BAD);
	text->nr =
		collect_convert_run(&convert, text->at, text->nr, true, clean);
	free(text->at);
	text->at = clean;
	text->room = room;
	return 0;
}
