/* SPDX-License-Identifier: MIT */
/*
 * survey_past.c - a survey of no files, but of past commits.
 */
#include "supervisor/survey_past.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/diag.h"
#include "catalogue/past.h"
#include "catalogue/survey.h"
#include "supervisor/survey_dir.h"
#include "supervisor/survey_place.h"
#include "supervisor/survey_write.h"

/* What a file holds, into the table: 0; -EINVAL: nothing that can be used. */
static int
read_into(const struct catalogue *catalogue, int fd,
	  const uint8_t key[SURVEY_KEY_BYTES])
{
	struct survey_head head;
	uint64_t bytes;
	int error = survey_read_head(fd, &head);

	if (error != 0 || memcmp(head.key, key, sizeof(head.key)) != 0)
		return -EINVAL;
	bytes = survey_past_bytes(&head);
	if (bytes > PAST_BYTES_MAX)
		return -EINVAL;
	error = table_reserve(&catalogue->past,
			      sizeof(struct past_head) + bytes);
	if (error == 0)
		error = survey_read_past(fd, &head,
					 table_at(&catalogue->past,
						  sizeof(struct past_head),
						  bytes));
	if (error == 0)
		catalogue_past(catalogue)->kept_bytes = bytes;
	return error;
}

void
survey_past_use(struct run *run)
{
	uint8_t key[SURVEY_KEY_BYTES];
	char path[PATH_MAX];
	int error;
	int fd;

	if (!run->job.reads_history || !survey_past_key(run, key) ||
	    survey_path(path, sizeof(path), key) != 0)
		return;
	fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
	if (fd < 0)
		return;
	error = read_into(&run->catalogue, fd, key);
	if (error == 0)
		futimens(fd, NULL); /* used now: the last to be removed */
	else
		diag_log(
			DIAG_INFO, "%s: %s; reading past commits", QUOTED(path),
			error == -EINVAL ? "nothing of past commits, or damaged"
					 : diag_errno(error));
	close(fd);
}

/* There are none. */
static bool
next_of_none(const void *context, uint64_t *at, struct survey_item *item)
{
	(void)context;
	(void)at;
	(void)item;
	return false;
}

/* Replaces the file of a key. */
static int
write_past(struct survey_writer *writer, const struct run *run,
	   uint64_t limit_bytes)
{
	char *label = NULL;
	int error = survey_past_label(run, &label, &writer->label_bytes);

	writer->label = label;
	if (error == 0 && !survey_build(writer->head.build))
		error = -EINVAL;
	if (error == 0)
		error = survey_place(writer, limit_bytes);
	free(label);
	return error;
}

int
survey_past_keep(const struct run *run, uint64_t limit_bytes)
{
	const struct catalogue *catalogue = &run->catalogue;
	const struct past_head *past = catalogue_past(catalogue);
	uint64_t off = sizeof(*past) + past->kept_bytes;
	struct survey_writer writer = { .next = next_of_none,
					.past_bytes = past->used_bytes };

	if (!past->is_whole || past->fresh_nr == 0 ||
	    !survey_past_key(run, writer.head.key))
		return 0;
	/* of a worker, and checked here */
	if (past->used_bytes > PAST_BYTES_MAX || past->used_bytes % 8 != 0 ||
	    off + past->used_bytes > table_backed_bytes(&catalogue->past))
		return -EINVAL;
	writer.past = table_at(&catalogue->past, off, past->used_bytes);
	return write_past(&writer, run, limit_bytes);
}
