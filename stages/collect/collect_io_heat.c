/* SPDX-License-Identifier: MIT */
/*
 * collect_io_heat.c - the lines of the files that the last commits changed most.
 *
 * Does: reads each of these files as the last commit has it, and a few earlier
 *       versions, at commits between which its heat is much the same.
 * Does not: read or compare texts itself (collect_io_past_lines.c).
 * Runs in: collect, when the history is written.
 * Limits: HOT_FILES_MAX files, of the repository read last.
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

#define HOT_FILES_MAX PAST_LINES_FILES_MAX
#define HOT_VERSIONS 4 /* of the hottest */
#define HOT_FILES_MIN 32u
#define HOT_FILE_TOKENS 100 /* a file for so many of the budget */
#define HOT_PART 10         /* one file in so many by all its versions */

struct hot_file {
	uint32_t file_idx;
	uint32_t heat;
};

struct hot_ctx {
	struct history_ctx *past;
	struct past_lines *lines;
	struct hot_file files[HOT_FILES_MAX]; /* the hottest, sorted by heat */
	uint32_t file_nr;
	uint32_t hottest_nr; /* of these, by all their versions */
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

/* What a commit that changed a file says of its lines. */
static uint32_t
heat_at(const struct history_ctx *past, const struct past_path *path)
{
	/* the last commit whose paths begin there or before */
	const struct past *commit =
		past->commits +
		sorted_first(past->commits + 1, past->commit_nr - 1,
			     sizeof(past->commits[0]), &path->at, begins_by);

	return heat_of_commit(commit->age * HEAT_LINES_FASTER, commit->path_nr);
}

/* The versions of a file that are compared, and what came with the commits before
 * each. */
struct versions {
	uint32_t nr;
	struct {
		uint8_t blob[COLLECT_OBJECT_BYTES];
		struct heat_span span; /* of the first: none */
	} list[HOT_VERSIONS + 1];
	const struct past_path *paths[HOT_VERSIONS + 1];
};

static void
add_version(const struct hot_ctx *ctx, struct versions *versions,
	    const struct past_path *path, const struct heat_span *span)
{
	versions->paths[versions->nr] = path;
	versions->list[versions->nr].span = *span;
	memcpy(versions->list[versions->nr++].blob, ctx->past->blobs[path->at],
	       COLLECT_OBJECT_BYTES);
}

/* The versions of a file: after equal parts of the heat of its lines; of most,
 * which are not the hottest, only the first. */
static void
find_versions(const struct hot_ctx *ctx, const struct hot_file *file,
	      const struct past_path *paths, uint32_t nr,
	      struct versions *versions)
{
	bool is_hottest = file < ctx->files + ctx->hottest_nr;
	struct heat_span span = { 0 };
	uint64_t part = 0;

	for (uint32_t i = 0; i < nr; i++)
		part += heat_at(ctx->past, &paths[i]);
	part = part / (is_hottest ? HOT_VERSIONS : 1) + 1;
	memset(versions, 0, sizeof(*versions));
	add_version(ctx, versions, &paths[0], &span);
	for (uint32_t i = 0; i + 1 < nr && versions->nr <= HOT_VERSIONS; i++) {
		span.heat += heat_at(ctx->past, &paths[i]);
		span.commit_nr++;
		if (span.heat < part && i + 2 < nr)
			continue;
		add_version(ctx, versions, &paths[i + 1], &span);
		span = (struct heat_span){ 0 };
	}
}

static int
read_versions(struct hot_ctx *ctx, const struct versions *versions)
{
	int error = past_lines_begin(ctx->lines, versions->paths[0]);

	for (uint32_t i = 1; i < versions->nr && error == 0; i++)
		error = past_lines_version(ctx->lines, versions->paths[i],
					   &versions->list[i].span);
	return error;
}

/* Reads a file, and notes what is found if all of it could be read. What cannot be
 * read says nothing; -EDQUOT: nor does what follows. */
static int
read_file(struct hot_ctx *ctx, uint32_t file_idx,
	  const struct versions *versions, struct past_memo *memo)
{
	const struct history *history = ctx->past->history;
	const struct history_cost left = { history->left, history->left_bytes };
	struct history_cost cost;
	uint32_t first = ctx->lines->line_nr;
	int error = read_versions(ctx, versions);

	if (error == -EDQUOT || error == -ENOMEM)
		return error;
	if (error != 0 && ctx->lines->heat.version_nr == 0)
		return 0;
	past_lines_end(ctx->lines, file_idx);
	cost = history_cost_since(history, &left);
	memo->object_nr = (uint32_t)cost.object_nr;
	memo->object_bytes = cost.bytes;
	memo->bytes = (ctx->lines->line_nr - first) *
		      (uint32_t)sizeof(ctx->lines->lines[0]);
	/* what was cut short is not all of it */
	if (error == 0 && history->left_bytes > 0 &&
	    ctx->lines->line_nr < PAST_LINES_MAX)
		past_note(ctx->past, memo, ctx->lines->lines + first, true);
	return 0;
}

/* The lines of a file: as they are known, or as they are read. */
static int
add_file(struct hot_ctx *ctx, const struct hot_file *file)
{
	struct past_memo memo = { .kind = PAST_LINES };
	const struct past_memo *known;
	struct versions versions;
	uint32_t nr;
	const struct past_path *paths =
		past_paths_of(ctx->past, file->file_idx, &nr);

	if (nr < 2)
		return 0;
	find_versions(ctx, file, paths, nr, &versions);
	past_key(memo.key, PAST_LINES, versions.list,
		 versions.nr * sizeof(versions.list[0]));
	known = past_find(ctx->past, memo.key);
	if (known == NULL ||
	    past_lines_take(ctx->lines, file->file_idx, known) != 0)
		return read_file(ctx, file->file_idx, &versions, &memo);
	past_note(ctx->past, known, known + 1, false);
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
	ctx->file_nr = 0;
	ctx->lines =
		past_lines_create(past, HOT_FILES_MAX * (HOT_VERSIONS + 2));
	if (ctx->lines == NULL)
		error = -ENOMEM;
	else
		find_files(ctx);
	for (uint32_t i = 0; i < ctx->file_nr && error == 0; i++) {
		past->options->beat(past->options->context);
		error = add_file(ctx, &ctx->files[i]);
	}
	if (error == 0 || error == -EDQUOT)
		error = past_lines_write(ctx->lines, head, off);
	past_lines_free(ctx->lines);
	free(ctx);
	return error;
}
