/* SPDX-License-Identifier: MIT */
/*
 * collect_io_heat.c - the lines of the files that the last commits changed most.
 *
 * Does: reads each of these files as the last commit has it, and a few earlier
 *       versions, at commits between which its heat is much the same.
 * Does not: compare texts (collect_heat.h); look at the work tree: where that
 *           differs from the last commit, lines are off by a few.
 * Runs in: collect, when the history is written.
 * Limits: HEAT_FILES_MAX_NR files, of the repository read last; versions of
 *         HEAT_VERSION_BYTES.
 */
#include "stages/collect/collect_io_past.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/sorted.h"
#include "catalogue/files.h"
#include "rank/heat.h"
#include "rank/kind.h"
#include "rank/priority.h"
#include "stages/collect/collect_heat.h"

#define HOT_FILES_MAX 512u
#define HOT_FILES_MIN 32u
#define HOT_FILE_TOKENS 200 /* a file for so many of the budget */
#define HOT_PART 5          /* one file in so many by all its versions */
#define HOT_LINES_MAX (1u << 17)
#define HOT_BYTES ((size_t)1 << 20) /* of a version */
#define HOT_BYTES_ALL (64ull << 20)

struct hot_file {
	uint32_t file_idx;
	uint32_t heat;
};

struct hot_ctx {
	struct history_ctx *past;
	struct hot_file files[HOT_FILES_MAX]; /* the hottest, sorted by heat */
	uint32_t file_nr;
	uint32_t hottest_nr;         /* of these, by all their versions */
	struct history_lines *lines; /* of all of them */
	uint32_t line_nr;
	struct history_hot hots[HOT_FILES_MAX]; /* lines_off: in lines */
	uint32_t hot_nr;
	struct collect_heat heat;
};

/* Keeps the hottest, of equals the first. */
static void
offer(struct hot_ctx *ctx, uint32_t most, const struct hot_file *file)
{
	uint32_t at = ctx->file_nr;

	if (at == most && ctx->files[at - 1].heat >= file->heat)
		return;
	if (at == most)
		at--;
	else
		ctx->file_nr++;
	for (; at > 0 && ctx->files[at - 1].heat < file->heat; at--)
		ctx->files[at] = ctx->files[at - 1];
	ctx->files[at] = *file;
}

static void
find_files(struct hot_ctx *ctx)
{
	const struct catalogue *catalogue = ctx->past->catalogue;
	uint64_t available = ctx->past->options->job->available_tokens;
	uint32_t most = (uint32_t)min_u64(
		max_u64(available / HOT_FILE_TOKENS, HOT_FILES_MIN),
		HOT_FILES_MAX);

	ctx->hottest_nr = most / HOT_PART;
	for (uint64_t i = 0; i < ctx->past->file_nr; i++) {
		const struct file_record *file = catalogue_file(catalogue, i);
		const uint8_t *path = catalogue_path(catalogue, file);
		struct hot_file hot = { (uint32_t)i, ctx->past->about[i].heat };

		if (hot.heat == 0 || (ctx->file_nr == most &&
				      ctx->files[most - 1].heat >= hot.heat))
			continue;
		if (rank_class_of_file(
			    file,
			    rank_kinds(path + file->root_bytes,
				       file->path_bytes - file->root_bytes)) ==
		    RANK_CLASS_CODE)
			offer(ctx, most, &hot);
	}
}

static bool
begins_by(const void *commit, const void *at)
{
	return ((const struct past *)commit)->path_first <=
	       *(const uint32_t *)at;
}

/* What a commit that changed a file says of it. */
static uint32_t
heat_at(const struct history_ctx *past, const struct past_path *path)
{
	/* the last commit whose paths begin there or before */
	const struct past *commit =
		past->commits +
		sorted_first(past->commits + 1, past->commit_nr - 1,
			     sizeof(past->commits[0]), &path->at, begins_by);

	return heat_of_commit(commit->age, commit->path_nr);
}

/* Owner: *object is the caller's, for repo_object_close(), also if this fails. */
static int
read_version(struct hot_ctx *ctx, const struct past_path *path,
	     struct repo_object *object)
{
	int error = history_read_blob(ctx->past->history,
				      ctx->past->blobs[path->at], object);

	return error == 0 && object->bytes > HOT_BYTES ? -EFBIG : error;
}

static int
add_version(struct hot_ctx *ctx, const struct past_path *path,
	    const struct heat_span *commits)
{
	struct repo_object object = { 0 };
	int error = read_version(ctx, path, &object);

	if (error == 0)
		collect_heat_version(&ctx->heat, object.data, object.bytes,
				     commits);
	repo_object_close(&object);
	return error;
}

/* The versions of a file: after equal parts of its heat; of most, which are not
 * the hottest, only the first. */
static int
add_versions(struct hot_ctx *ctx, const struct hot_file *file,
	     const struct past_path *paths, uint32_t nr)
{
	bool is_hottest = file < ctx->files + ctx->hottest_nr;
	uint64_t part =
		file->heat / (is_hottest ? COLLECT_HEAT_VERSIONS : 1) + 1;
	struct heat_span span = { 0 };
	struct repo_object text = { 0 };
	int error = read_version(ctx, &paths[0], &text);

	if (error == 0)
		collect_heat_begin(&ctx->heat, text.data, text.bytes);
	for (uint32_t i = 0; i + 1 < nr && error == 0; i++) {
		span.heat += heat_at(ctx->past, &paths[i]);
		span.commit_nr++;
		if (span.heat < part && i + 2 < nr)
			continue;
		error = add_version(ctx, &paths[i + 1], &span);
		span = (struct heat_span){ 0 };
	}
	repo_object_close(&text);
	return error;
}

/* What cannot be read says nothing; -EDQUOT: nor does what follows. */
static int
add_file(struct hot_ctx *ctx, const struct hot_file *file)
{
	uint32_t nr;
	const struct past_path *paths =
		past_paths_of(ctx->past, file->file_idx, &nr);
	int error;

	if (nr < 2)
		return 0;
	error = add_versions(ctx, file, paths, nr);
	if (error == -EDQUOT || error == -ENOMEM)
		return error;
	if (error != 0 && ctx->heat.version_nr == 0)
		return 0;
	nr = collect_heat_lines(&ctx->heat, ctx->lines + ctx->line_nr,
				HOT_LINES_MAX - ctx->line_nr);
	ctx->hots[ctx->hot_nr++] = (struct history_hot){
		.file_idx = file->file_idx,
		.lines_off = ctx->line_nr * sizeof(struct history_lines),
		.lines_nr = nr,
	};
	ctx->line_nr += nr;
	return 0;
}

static int
compare_hots(const void *a, const void *b)
{
	const struct history_hot *x = a;
	const struct history_hot *y = b;

	return x->file_idx < y->file_idx ? -1 : x->file_idx > y->file_idx;
}

/* Behind what is there, at `off`. */
static int
write_hots(struct hot_ctx *ctx, struct history_head *head, uint64_t off)
{
	const struct table *table = &ctx->past->catalogue->history;
	uint64_t bytes = ctx->line_nr * sizeof(struct history_lines);
	int error;

	off = round_up_u64(off, 8);
	head->hot_off = round_up_u64(off + bytes, 8);
	error = table_reserve(
		table, head->hot_off + ctx->hot_nr * sizeof(ctx->hots[0]));
	if (error != 0 || ctx->hot_nr == 0)
		return error;
	for (uint32_t i = 0; i < ctx->hot_nr; i++)
		ctx->hots[i].lines_off += off;
	qsort(ctx->hots, ctx->hot_nr, sizeof(ctx->hots[0]), compare_hots);
	if (bytes > 0)
		memcpy(table_at(table, off, bytes), ctx->lines, bytes);
	memcpy(table_at(table, head->hot_off,
			ctx->hot_nr * sizeof(ctx->hots[0])),
	       ctx->hots, ctx->hot_nr * sizeof(ctx->hots[0]));
	head->hot_nr = ctx->hot_nr;
	return 0;
}

int
past_write_hot(struct history_ctx *past, struct history_head *head,
	       uint64_t off)
{
	struct hot_ctx *ctx = malloc(sizeof(*ctx));
	int error = 0;

	if (ctx == NULL)
		return -ENOMEM;
	ctx->past = past;
	past->history->left = HOT_FILES_MAX * (COLLECT_HEAT_VERSIONS + 2);
	past->history->left_bytes = HOT_BYTES_ALL;
	ctx->file_nr = 0;
	ctx->hot_nr = 0;
	ctx->line_nr = 0;
	ctx->lines = malloc(HOT_LINES_MAX * sizeof(ctx->lines[0]));
	if (ctx->lines == NULL)
		error = -ENOMEM;
	else
		find_files(ctx);
	for (uint32_t i = 0; i < ctx->file_nr && error == 0; i++) {
		past->options->beat(past->options->context);
		error = add_file(ctx, &ctx->files[i]);
	}
	if (error == 0 || error == -EDQUOT)
		error = write_hots(ctx, head, off);
	free(ctx->lines);
	free(ctx);
	return error;
}
