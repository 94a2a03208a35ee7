/* SPDX-License-Identifier: MIT */
/*
 * collect_io_git_text.c - see collect_io_git_text.h.
 */
#include "stages/collect/collect_io_git_text.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/array.h"
#include "base/diag.h"
#include "stages/collect/collect.h"

#define LINE_BYTES 8192
#define SUBJECT_BYTES 2000 /* of it; what is longer is cut */
#define PATH_BEFORE "      "

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

int
git_text_add_quoted(struct git_text *text, const char *before, const char *name,
		    size_t bytes)
{
	char quoted[LINE_BYTES];
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

/* " 2026-01-31T12:00:00+01:00 ": a time as the clock of its zone showed it. */
static void
write_date(char *out, size_t room, int64_t seconds, int zone)
{
	time_t local = seconds + (int64_t)zone * 60;
	unsigned away = (unsigned)abs(zone);
	struct tm tm = { 0 };
	size_t nr;

	gmtime_r(&local, &tm);
	nr = strftime(out, room, " %Y-%m-%dT%H:%M:%S", &tm);
	snprintf(out + nr, room - nr, "%c%02u:%02u ", zone < 0 ? '-' : '+',
		 away / 60 % 100, away % 60);
}

int
git_text_add_commit(struct git_text *text,
		    const struct history_commit_at *commit)
{
	const struct commit *says = &commit->says;
	char subject[SUBJECT_BYTES];
	char head[128];
	const char *first;
	size_t bytes;
	int error;

	for (size_t i = 0; i < COLLECT_OBJECT_BYTES; i++)
		snprintf(head + 2 * i, 3, "%02x", commit->id[i]);
	write_date(head + 2ul * COLLECT_OBJECT_BYTES,
		   sizeof(head) - 2ul * COLLECT_OBJECT_BYTES, says->author_s,
		   says->author_zone);
	error = git_text_add_quoted(text, head, says->author,
				    says->author_bytes);
	first = commit_subject(says, &bytes);
	bytes = join_lines(subject, first, bytes);
	return error == 0 ? git_text_add_quoted(text, "    ", subject, bytes)
			  : error;
}

int
git_text_clean(struct git_text *text)
{
	struct collect_convert convert;
	size_t room = COLLECT_CONVERT_ROOM(text->nr);
	char *clean;

	if (text->nr == 0)
		return 0;
	clean = malloc(room);
	if (clean == NULL)
		return -ENOMEM;
	collect_convert_init(&convert, CHARSET_UTF8);
	text->nr =
		collect_convert_run(&convert, text->at, text->nr, true, clean);
	free(text->at);
	text->at = clean;
	text->room = room;
	return 0;
}

int
git_text_add_path(struct git_text *text, const char *path, size_t bytes)
{
	return git_text_add_quoted(text, PATH_BEFORE, path, bytes);
}
