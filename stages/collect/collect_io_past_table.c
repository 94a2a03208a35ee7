/* SPDX-License-Identifier: MIT */
/*
 * collect_io_past_table.c - past commits as a table of the catalogue.
 *
 * Does: writes commits, files, and the texts that were built.
 * Runs in: collect, when the walk is over.
 */
#include "stages/collect/collect_io_past.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/fault.h"
#include "catalogue/files.h"
#include "rank/heat.h"

/* One commit behind what is there; where the next one goes. */
static uint64_t
write_commit(const struct history_ctx *history_ctx, const struct past *past,
	     uint64_t off, struct history_file *about)
{
	const struct table *table = &history_ctx->catalogue->history;
	uint64_t bytes = sizeof(struct history_commit) +
			 past->path_nr * sizeof(uint32_t) +
			 past->term_nr * sizeof(*history_ctx->terms);
	struct history_commit *commit = table_at(table, off, bytes);
	uint32_t *files = (void *)(commit + 1);
	uint32_t heat = heat_of_commit(past->age, past->path_nr);
	uint32_t nr = 0;

	for (uint32_t i = 0; i < past->path_nr; i++) {
		uint32_t file_idx = history_ctx->files[past->path_first + i];

		if (file_idx == FILE_NONE)
			continue;
		files[nr++] = file_idx;
		table_touched(table, 1);
		about[file_idx].commit_nr++;
		about[file_idx].heat += heat;
	}
	*commit = (struct history_commit){ .text_bytes = past->text_bytes,
					   .changed_nr = past->path_nr,
					   .file_nr = nr,
					   .term_nr = past->term_nr };
	if (past->term_nr > 0)
		memcpy(files + nr, history_ctx->terms + past->term_first,
		       past->term_nr * sizeof(*history_ctx->terms));
	return off + sizeof(*commit) + nr * sizeof(*files) +
	       past->term_nr * sizeof(*history_ctx->terms);
}

static int
write_all(struct history_ctx *history_ctx)
{
	const struct table *table = &history_ctx->catalogue->history;
	const struct job *job = history_ctx->options->job;
	struct history_head head = history_ctx->head;
	uint64_t files_bytes =
		history_ctx->file_nr * sizeof(struct history_file);
	uint64_t off = sizeof(head) + files_bytes;
	int error = table_reserve(
		table,
		off + history_ctx->commit_nr * sizeof(struct history_commit) +
			history_ctx->path_nr * sizeof(uint32_t) +
			history_ctx->term_nr * sizeof(struct history_term) +
			history_ctx->log.nr + history_ctx->diff.nr);

	if (error != 0)
		return error;
	head.is_read = 1;
	head.commit_nr = history_ctx->commit_nr;
	head.files_off = sizeof(head);
	head.file_nr = (uint32_t)history_ctx->file_nr;
	head.commits_off = off;
	/* of the head the commit may be there already, which others read */
	table_clear(table, sizeof(head), off - sizeof(head));
	history_ctx->about = table_at(table, head.files_off, files_bytes);
	for (uint32_t i = 0; i < history_ctx->commit_nr; i++) {
		head.text_bytes += history_ctx->commits[i].text_bytes;
		off = write_commit(history_ctx, &history_ctx->commits[i], off,
				   history_ctx->about);
	}
	head.log_off = off;
	head.log_bytes = history_ctx->log.nr;
	head.diff_off = off + history_ctx->log.nr;
	head.diff_bytes = history_ctx->diff.nr;
	if (history_ctx->log.nr > 0)
		memcpy(table_at(table, head.log_off, history_ctx->log.nr),
		       history_ctx->log.at, history_ctx->log.nr);
	if (history_ctx->diff.nr > 0)
		memcpy(table_at(table, head.diff_off, history_ctx->diff.nr),
		       history_ctx->diff.at, history_ctx->diff.nr);
	off = head.diff_off + history_ctx->diff.nr;
	if (history_ctx->path_nr > 0 && job->wants_message_lines)
		error = past_write_message(history_ctx, &head, off);
	else if (history_ctx->path_nr > 0 && job->wants_hot_lines)
		error = past_write_hot(history_ctx, &head, off);
	if (error != 0)
		return error;
	past_end_notes(history_ctx);
	FAULT("history_written");
	memcpy(table_at(table, 0, sizeof(head)), &head, sizeof(head));
	return 0;
}

int
past_write(struct history_ctx *history_ctx)
{
	int error = past_find_files(history_ctx);

	return error == 0 ? write_all(history_ctx) : error;
}
