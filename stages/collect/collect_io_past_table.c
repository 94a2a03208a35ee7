/* SPDX-License-Identifier: MIT */
/*
 * collect_io_past_table.c - past commits as a table of the catalogue.
 *
 * Does: finds which file of the catalogue each changed path is; writes commits,
 *       files, and the texts that were built.
 * Runs in: collect, when the walk is over.
 */
#include "stages/collect/collect_io_past.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/fault.h"
#include "base/hash.h"
#include "base/sorted.h"
#include "catalogue/files.h"
#include "rank/heat.h"

#define FILES_PER_BEAT 96

static int
compare_paths(const void *a, const void *b)
{
	const struct past_path *x = a;
	const struct past_path *y = b;

	if (x->key != y->key)
		return x->key < y->key ? -1 : 1;
	return x->at < y->at ? -1 : x->at > y->at;
}

static bool
is_before_key(const void *path, const void *key)
{
	return ((const struct past_path *)path)->key < *(const uint64_t *)key;
}

/* The first path of that key, or of a later one. */
static uint32_t
first_of(const struct history_ctx *history_ctx, uint64_t key)
{
	return (uint32_t)sorted_first(history_ctx->paths, history_ctx->path_nr,
				      sizeof(history_ctx->paths[0]), &key,
				      is_before_key);
}

/* All paths of that key are this file. */
static void
set_file(struct history_ctx *history_ctx, uint64_t key, uint32_t file_idx)
{
	for (uint32_t i = first_of(history_ctx, key);
	     i < history_ctx->path_nr && history_ctx->paths[i].key == key; i++)
		history_ctx->files[history_ctx->paths[i].at] = file_idx;
}

/* The key of a file of the catalogue; false: it is in no such repository. */
static bool
key_of(const struct history_ctx *history_ctx, const struct file_record *record,
       uint64_t *key)
{
	uint32_t nr = history_ctx->history->repo_nr;

	for (uint32_t repo = 0; repo < nr; repo++) {
		size_t bytes;
		const char *prefix = history_prefix(history_ctx->history, repo,
						    record->root_idx, &bytes);
		const char *path;

		if (prefix == NULL)
			continue;
		path = (const char *)catalogue_path(history_ctx->catalogue,
						    record);
		*key = hash64(HASH64_BEGIN, (const char *)&repo, sizeof(repo));
		*key = hash64(*key, prefix, bytes);
		*key = hash64(*key, path + record->root_bytes,
			      record->path_bytes - record->root_bytes);
		return true;
	}
	return false;
}

const struct past_path *
past_paths_of(const struct history_ctx *history_ctx, uint32_t file_idx,
	      uint32_t *nr)
{
	uint32_t from;
	uint64_t key;

	*nr = 0;
	if (!key_of(history_ctx,
		    catalogue_file(history_ctx->catalogue, file_idx), &key))
		return NULL;
	from = first_of(history_ctx, key);
	while (from + *nr < history_ctx->path_nr &&
	       history_ctx->paths[from + *nr].key == key)
		++*nr;
	return history_ctx->paths + from;
}

static int
find_files(struct history_ctx *history_ctx)
{
	size_t bytes =
		(history_ctx->path_nr + 1ul) * sizeof(*history_ctx->files);

	if (history_ctx->path_nr == 0)
		return 0;
	history_ctx->files = malloc(bytes);
	if (history_ctx->files == NULL)
		return -ENOMEM;
	memset(history_ctx->files, 0xff, bytes);
	qsort(history_ctx->paths, history_ctx->path_nr,
	      sizeof(*history_ctx->paths), compare_paths);
	for (uint64_t i = 0; i < history_ctx->file_nr; i++) {
		const struct file_record *record =
			catalogue_file(history_ctx->catalogue, i);
		uint64_t key;

		if (i % FILES_PER_BEAT == 0)
			history_ctx->options->beat(
				history_ctx->options->context);
		if (key_of(history_ctx, record, &key))
			set_file(history_ctx, key, (uint32_t)i);
	}
	return 0;
}

/* ---- writing ----------------------------------------------------------- */

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
	if (history_ctx->blobs != NULL)
		error = history_ctx->options->job->wants_message_lines
				? past_write_message(history_ctx, &head, off)
				: past_write_hot(history_ctx, &head, off);
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
	int error = find_files(history_ctx);

	return error == 0 ? write_all(history_ctx) : error;
}
