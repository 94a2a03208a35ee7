/* SPDX-License-Identifier: MIT */
/*
 * collect_io_past_paths.c - which file of the catalogue each changed path is.
 *
 * Runs in: collect, when the walk is over.
 */
#include "stages/collect/collect_io_past.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/sorted.h"
#include "catalogue/files.h"

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

int
past_find_files(struct history_ctx *history_ctx)
{
	size_t bytes =
		(history_ctx->path_nr + 1ul) * sizeof(*history_ctx->files);
	int error;

	if (history_ctx->path_nr == 0)
		return 0;
	history_ctx->files = malloc(bytes);
	if (history_ctx->files == NULL)
		return -ENOMEM;
	error = past_follow_renames(history_ctx);
	if (error != 0)
		return error;
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
