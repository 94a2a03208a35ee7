/* SPDX-License-Identifier: MIT */
/*
 * collect_io_message.c - the lines that came with the past commits whose
 * messages match the query best.
 *
 * Does: finds these commits; of each file of code that one of them changed,
 *       reads it as it is, as the commit left it and as it was before.
 * Does not: score messages (rank/message.h); read or compare texts itself
 *           (collect_io_past_lines.c).
 * Runs in: collect, when the history is written.
 * Limits: BEST_COMMITS commits; the limits of collect_io_past_lines.c. A line
 *         that a later one of them brought is that one's alone.
 */
#include "stages/collect/collect_io_past.h"

#include <errno.h>
#include <stdlib.h>

#include "catalogue/files.h"
#include "rank/kind.h"
#include "rank/message.h"
#include "rank/priority.h"

#define BEST_COMMITS 15u
#define CHANGES_MAX (BEST_COMMITS * MESSAGE_FILES_MAX)

struct best_commit {
	const struct past *commit;
	double square;
};

/* A file that one of the commits changed. */
struct change {
	uint32_t file_idx;
	uint32_t at; /* of the path: the smaller, the newer */
	uint32_t heat;
};

struct message_ctx {
	struct history_ctx *past;
	struct past_lines *lines;
	struct match_set messages;
	struct best_commit best[BEST_COMMITS]; /* the best first */
	uint32_t best_nr;
	struct change changes[CHANGES_MAX];
	uint32_t change_nr;
};

static struct message
message_of(const struct history_ctx *past, const struct past *commit)
{
	return (struct message){ .terms = past->terms + commit->term_first,
				 .term_nr = commit->term_nr,
				 .bytes = commit->text_bytes,
				 .changed_nr = commit->path_nr };
}

/* Keeps the best, of equals the newest. */
static void
offer(struct message_ctx *ctx, const struct past *commit, double square)
{
	uint32_t at = ctx->best_nr;

	if (!(square > 0) ||
	    (at == BEST_COMMITS && ctx->best[at - 1].square >= square))
		return;
	if (at == BEST_COMMITS)
		at--;
	else
		ctx->best_nr++;
	for (; at > 0 && ctx->best[at - 1].square < square; at--)
		ctx->best[at] = ctx->best[at - 1];
	ctx->best[at] = (struct best_commit){ commit, square };
}

static void
find_commits(struct message_ctx *ctx)
{
	const struct history_ctx *past = ctx->past;
	double worth[QUERY_TERMS_MAX];

	for (uint32_t i = 0; i < past->commit_nr; i++) {
		struct message message = message_of(past, &past->commits[i]);

		message_count(&ctx->messages, &message);
	}
	query_worth(past->options->job->query, worth);
	match_weigh(&ctx->messages, worth, past->options->job->query->nr);
	for (uint32_t i = 0; i < past->commit_nr; i++) {
		struct message message = message_of(past, &past->commits[i]);

		offer(ctx, &past->commits[i],
		      message_square(&ctx->messages, &message));
	}
}

static bool
is_code(const struct history_ctx *past, uint32_t file_idx)
{
	const struct file_record *file =
		catalogue_file(past->catalogue, file_idx);
	const uint8_t *path = catalogue_path(past->catalogue, file);

	return rank_class_of_file(
		       file, rank_kinds(path + file->root_bytes,
					file->path_bytes - file->root_bytes)) ==
	       RANK_CLASS_CODE;
}

static int
compare_changes(const void *a, const void *b)
{
	const struct change *x = a;
	const struct change *y = b;

	if (x->file_idx != y->file_idx)
		return x->file_idx < y->file_idx ? -1 : 1;
	return x->at < y->at ? -1 : x->at > y->at;
}

/* What they changed, file by file, the newest first. */
static void
find_changes(struct message_ctx *ctx)
{
	for (uint32_t i = 0; i < ctx->best_nr; i++) {
		const struct past *commit = ctx->best[i].commit;
		double share = ctx->best[i].square / ctx->best[0].square;

		for (uint32_t at = commit->path_first;
		     at < commit->path_first + commit->path_nr; at++) {
			uint32_t file_idx = ctx->past->files[at];

			if (file_idx == FILE_NONE ||
			    !is_code(ctx->past, file_idx))
				continue;
			ctx->changes[ctx->change_nr++] = (struct change){
				file_idx, at, (uint32_t)(share * HISTORY_ONE)
			};
		}
	}
	qsort(ctx->changes, ctx->change_nr, sizeof(ctx->changes[0]),
	      compare_changes);
}

/* The two versions around a change; that of paths[*next] was read last. */
static int
add_change(struct message_ctx *ctx, const struct change *change,
	   const struct past_path *paths, uint32_t nr, uint32_t *next)
{
	struct heat_span others = { 0 };
	struct heat_span its = { .heat = change->heat };
	uint32_t i = *next;
	int error = 0;

	while (i < nr && paths[i].at != change->at)
		i++;
	/* without a path what was before is not known */
	if (i == nr || (i + 1 == nr && paths[i].what != PAST_MADE))
		return 0;
	if (i > *next)
		error = past_lines_version(ctx->lines, &paths[i], &others);
	if (error == 0)
		error = past_lines_version(
			ctx->lines,
			paths[i].what == PAST_MADE ? NULL : &paths[i + 1],
			&its);
	*next = i + 1;
	return error;
}

/* The changes of a file; what cannot be read says nothing; -EDQUOT: nor does
 * what follows. */
static int
add_file(struct message_ctx *ctx, const struct change *changes, uint32_t nr)
{
	uint32_t path_nr;
	const struct past_path *paths =
		past_paths_of(ctx->past, changes->file_idx, &path_nr);
	uint32_t next = 0;
	int error;

	if (path_nr == 0)
		return 0;
	error = past_lines_begin(ctx->lines, &paths[0]);
	for (uint32_t i = 0; i < nr && error == 0; i++)
		error = add_change(ctx, &changes[i], paths, path_nr, &next);
	if (error == -EDQUOT || error == -ENOMEM)
		return error;
	past_lines_end(ctx->lines, changes->file_idx);
	return 0;
}

static int
add_files(struct message_ctx *ctx)
{
	uint32_t nr;
	int error = 0;

	for (uint32_t i = 0; i < ctx->change_nr && error == 0; i += nr) {
		const struct change *first = &ctx->changes[i];

		for (nr = 1; i + nr < ctx->change_nr &&
			     first[nr].file_idx == first->file_idx;)
			nr++;
		ctx->past->options->beat(ctx->past->options->context);
		error = add_file(ctx, first, nr);
	}
	return error == -EDQUOT ? 0 : error;
}

int
past_write_message(struct history_ctx *past, struct history_head *head,
		   uint64_t off)
{
	struct message_ctx *ctx = calloc(1, sizeof(*ctx));
	int error = 0;

	if (ctx == NULL)
		return -ENOMEM;
	ctx->past = past;
	find_commits(ctx);
	find_changes(ctx);
	ctx->lines = past_lines_create(past, CHANGES_MAX);
	if (ctx->lines == NULL)
		error = -ENOMEM;
	if (error == 0)
		error = add_files(ctx);
	if (error == 0)
		error = past_lines_write(ctx->lines, head, off);
	past_lines_free(ctx->lines);
	free(ctx);
	return error;
}
