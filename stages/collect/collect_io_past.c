/* SPDX-License-Identifier: MIT */
/*
 * collect_io_past.c - reading past commits, and what a work tree has changed.
 */
#include "stages/collect/collect_io_past.h"
#include "stages/collect/collect_io_walk.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/diag.h"
#include "base/hash.h"

#define HISTORY_COMMITS_MAX 3000
#define HISTORY_FILES_MAX 1000
#define HISTORY_PATHS_MAX (1u << 17)
#define MESSAGE_BYTES_MAX 4096
#define QUOTED_BYTES 512
#define MISSING "an object is not in the repository (a partial clone?)"

/* Room for so many more paths. */
static int
reserve_paths(struct history_ctx *history_ctx, size_t nr)
{
	nr += history_ctx->path_nr;
	if (ARRAY_RESERVE(history_ctx->paths, history_ctx->path_room, nr) !=
		    0 ||
	    ARRAY_RESERVE(history_ctx->blobs, history_ctx->blob_room, nr) != 0)
		return -ENOMEM;
	return 0;
}

/* The path that is told of. */
static void
keep_path(struct history_ctx *history_ctx, const char *path, size_t bytes)
{
	const struct history *history = history_ctx->history;
	uint32_t at = history_ctx->path_nr++;
	enum past_what what = history->changed_from == NULL ? PAST_MADE
			      : history->changed_to == NULL ? PAST_GONE
							    : PAST_CHANGED;

	history_ctx->paths[at] =
		(struct past_path){ hash64(history_ctx->seed, path, bytes), at,
				    what };
	memcpy(history_ctx->blobs[at],
	       what == PAST_GONE ? history->changed_from : history->changed_to,
	       sizeof(history_ctx->blobs[0]));
}

static bool
add_path(void *context, const char *path, size_t bytes)
{
	struct history_ctx *history_ctx = context;

	if (++history_ctx->changed_nr > HISTORY_FILES_MAX) {
		if (history_ctx->is_reported)
			history_ctx->error =
				git_text_add_path(&history_ctx->log, "...", 3);
		return false;
	}
	if (history_ctx->is_reported)
		history_ctx->error =
			git_text_add_path(&history_ctx->log, path, bytes);
	if (history_ctx->error != 0 ||
	    !history_ctx->options->job->reads_history)
		return history_ctx->error == 0;
	history_ctx->error = reserve_paths(history_ctx, 1);
	if (history_ctx->error != 0)
		return false;
	keep_path(history_ctx, path, bytes);
	return true;
}

/* The words of the query in a message. */
static int
add_terms(struct history_ctx *history_ctx, const char *text, uint32_t bytes)
{
	const struct job *job = history_ctx->options->job;
	const struct query *query = job->counts_terms ? job->query : NULL;
	uint8_t counts[QUERY_TERMS_MAX] = { 0 };
	int error = ARRAY_RESERVE(history_ctx->terms, history_ctx->term_room,
				  history_ctx->term_nr + QUERY_TERMS_MAX + 1ul);

	if (error != 0 || query == NULL)
		return error;
	query_count(query, (const uint8_t *)text, bytes, counts);
	for (uint32_t i = 0; i < query->nr; i++)
		if (counts[i] > 0)
			history_ctx->terms[history_ctx->term_nr++] =
				(struct history_term){ (uint8_t)i, counts[i] };
	if (history_ctx->term_nr % 2 != 0)
		history_ctx->terms[history_ctx->term_nr++] =
			(struct history_term){ 0 };
	return 0;
}

/* Its changes, as they were found before: 0, or what history_skip_changes() says. */
static int
take_changes(struct history_ctx *history_ctx, const struct past_memo *memo)
{
	const struct history_cost cost = { memo->object_nr,
					   memo->object_bytes };
	const struct past_change *change = (const void *)(memo + 1);
	uint32_t nr = memo->bytes / sizeof(*change);
	int error = history_skip_changes(history_ctx->history, &cost);

	if (error != 0)
		return error;
	history_ctx->changed_nr =
		memo->kind == PAST_TOO_MANY ? HISTORY_FILES_MAX + 1 : nr;
	error = reserve_paths(history_ctx, nr);
	for (uint32_t i = 0; i < nr && error == 0; i++, change++) {
		uint32_t at = history_ctx->path_nr++;

		history_ctx->paths[at] =
			(struct past_path){ change->path, at, change->what };
		memcpy(history_ctx->blobs[at], change->blob,
		       sizeof(change->blob));
	}
	return error;
}

/* Notes what a commit changed, its paths from the first one on. */
static void
note_changes(struct history_ctx *history_ctx, struct past_memo *memo,
	     uint32_t first, bool is_fresh)
{
	uint32_t nr = history_ctx->path_nr - first;
	struct past_change *changes;

	memo->kind = PAST_CHANGES;
	if (history_ctx->changed_nr > HISTORY_FILES_MAX) {
		memo->kind = PAST_TOO_MANY;
		nr = 0;
	}
	changes = calloc(nr + 1ul, sizeof(*changes));
	if (changes == NULL)
		return; /* the next run reads it again */
	for (uint32_t i = 0; i < nr; i++) {
		const struct past_path *path = &history_ctx->paths[first + i];

		changes[i].path = path->key;
		changes[i].what = path->what;
		memcpy(changes[i].blob, history_ctx->blobs[first + i],
		       sizeof(changes[i].blob));
	}
	memo->bytes = nr * (uint32_t)sizeof(*changes);
	past_note(history_ctx, memo, changes, is_fresh);
	free(changes);
}

/* What the commit in work changed: as it is known, or as it is read. */
static int
find_changes(struct history_ctx *history_ctx, const uint8_t *commit)
{
	const struct job *job = history_ctx->options->job;
	struct history *history = history_ctx->history;
	const struct history_cost left = { history->left, history->left_bytes };
	struct history_cost cost;
	struct past_memo memo = { .kind = PAST_CHANGES };
	const struct past_memo *known = NULL;
	uint32_t first = history_ctx->path_nr;
	uint8_t of[COLLECT_OBJECT_BYTES + sizeof(uint32_t)];
	int error = -EAGAIN;

	memcpy(of, commit, COLLECT_OBJECT_BYTES);
	memcpy(of + COLLECT_OBJECT_BYTES, &history_ctx->repo,
	       sizeof(history_ctx->repo));
	past_key(memo.key, PAST_CHANGES, of, sizeof(of));
	if (job->reads_history)
		known = past_find(history_ctx, memo.key);
	/* a log has the paths themselves */
	if (known != NULL && !history_ctx->is_reported)
		error = take_changes(history_ctx, known);
	if (known != NULL && error == 0)
		past_note(history_ctx, known, known + 1, false);
	if (error != -EAGAIN)
		return error;
	error = history_changes(history, add_path, history_ctx);
	if (error == 0)
		error = history_ctx->error;
	cost = history_cost_since(history, &left);
	memo.object_nr = (uint32_t)cost.object_nr;
	memo.object_bytes = cost.bytes;
	/* what was cut short is not all of it */
	if (error == 0 && job->reads_history && history->left_bytes > 0)
		note_changes(history_ctx, &memo, first, known == NULL);
	return error;
}

/* A commit of a log stands there without its paths. */
static void
emit_unknown(struct history_ctx *history_ctx, const uint8_t *id)
{
	if (!history_ctx->is_reported)
		return;
	if (!history_ctx->head.is_partial)
		diag_log(DIAG_WARN,
			 "--git-log: the files that %02x%02x%02x%02x changed, "
			 "and maybe other commits, are unknown: " MISSING,
			 id[0], id[1], id[2], id[3]);
	history_ctx->head.is_partial = 1;
}

/* Why libgit2 could not go on: it knows best. */
static const char *
why(int error)
{
	return error == -EIO ? gitlib_error() : diag_errno(error);
}

/* A commit that is no merge: 0, -errno. */
static int
add_commit(struct history_ctx *history_ctx,
	   const struct history_commit_at *commit)
{
	const struct commit *says = &commit->says;
	uint32_t bytes =
		(uint32_t)min_size(says->message_bytes, MESSAGE_BYTES_MAX);
	struct past past = { .text_bytes = bytes,
			     .age = history_ctx->given_nr - 1,
			     .path_first = history_ctx->path_nr,
			     .term_first = history_ctx->term_nr };
	int error;

	history_ctx->changed_nr = 0;
	error = find_changes(history_ctx, commit->id);
	if (error == -ENODATA) {
		emit_unknown(history_ctx, commit->id);
		error = -ENOENT;
	}
	/* what is not known, or too much, says nothing */
	if (error == -ENOENT || history_ctx->changed_nr > HISTORY_FILES_MAX ||
	    !history_ctx->options->job->reads_history) {
		history_ctx->path_nr = past.path_first;
		return error == -ENOENT ? 0 : error;
	}
	if (error == 0)
		error = add_terms(history_ctx, says->message, bytes);
	if (error == 0)
		error = ARRAY_RESERVE(history_ctx->commits,
				      history_ctx->commit_room,
				      history_ctx->commit_nr + 1ul);
	if (error != 0) {
		history_ctx->path_nr = past.path_first;
		history_ctx->term_nr = past.term_first;
		return error;
	}
	past.path_nr = history_ctx->path_nr - past.path_first;
	past.term_nr = history_ctx->term_nr - past.term_first;
	history_ctx->commits[history_ctx->commit_nr++] = past;
	return 0;
}

/* The lines of a commit that is told of. */
static int
emit_commit(struct history_ctx *history_ctx,
	    const struct history_commit_at *commit)
{
	history_ctx->is_reported = history_ctx->log_left > 0;
	if (!history_ctx->is_reported)
		return 0;
	history_ctx->log_left--;
	return git_text_add_commit(&history_ctx->log, commit);
}

/* Whether a commit like that is read on: nr are, of this repository. */
static bool
wants_more(const struct history_ctx *history_ctx, uint32_t nr)
{
	return history_ctx->log_left > 0 ||
	       (history_ctx->options->job->reads_history &&
		nr < HISTORY_COMMITS_MAX &&
		history_ctx->path_nr < HISTORY_PATHS_MAX);
}

/* The name of the commit that all is about: of the first repository. */
static void
keep_head(struct history_ctx *history_ctx,
	  const struct history_commit_at *commit)
{
	if (history_ctx->head.has_commit)
		return;
	memcpy(history_ctx->head.commit, commit->id,
	       sizeof(history_ctx->head.commit));
	history_ctx->head.has_commit = 1;
}

/* The first root that is in a repository. */
static uint32_t
root_in(const struct history_ctx *history_ctx, uint32_t repo)
{
	const struct job *job = history_ctx->options->job;
	uint32_t i = 0;
	size_t bytes;

	while (i + 1 < job->root_nr &&
	       history_prefix(history_ctx->history, repo, i, &bytes) == NULL)
		i++;
	return i;
}

/* With --rev the commit that the roots of a repository are of. */
static const char *
rev_of(const struct history_ctx *history_ctx, uint32_t repo, char digits[64])
{
	const struct collect_rev *revs = history_ctx->options->revs;
	size_t bytes;

	for (uint32_t i = 0; revs != NULL && i < COLLECT_REVS_MAX; i++) {
		if (history_prefix(history_ctx->history, repo, i, &bytes) ==
		    NULL)
			continue;
		for (uint32_t j = 0; j < COLLECT_OBJECT_BYTES; j++)
			snprintf(digits + 2 * j, 3, "%02x", revs[i].commit[j]);
		return digits;
	}
	return NULL;
}

/* The commits of the repository in work begin, if there are any. */
static int
begin_commits(struct history_ctx *history_ctx)
{
	uint32_t repo = history_ctx->repo;
	char digits[64];
	int result = history_begin(history_ctx->history, repo,
				   rev_of(history_ctx, repo, digits));

	history_ctx->is_begun = true;
	history_ctx->given_nr = 0;
	if (result == -ENOENT)
		return 0; /* nothing was committed yet */
	history_ctx->log_left = history_ctx->options->job->git_log_nr;
	history_ctx->seed =
		hash64(HASH64_BEGIN, (const char *)&repo, sizeof(repo));
	if (result == 0 && history_ctx->log_left > 0 &&
	    history_ctx->history->repo_nr > 1) {
		uint32_t i = root_in(history_ctx, repo);
		const struct walk_root *root =
			&history_ctx->history->walk->roots[i];

		result = root->show_bytes > 0
				 ? git_text_add_quoted(&history_ctx->log, "in ",
						       root->show,
						       root->show_bytes - 1)
				 : git_text_add_quoted(&history_ctx->log, "in ",
						       ".", 1);
	}
	return result;
}

/* The next commit: 1; 0: there are no more, or no more are wanted; -errno. */
static int
read_commit(struct history_ctx *history_ctx)
{
	struct history_commit_at commit;
	int result;

	history_ctx->options->beat(history_ctx->options->context);
	result = history_next(history_ctx->history, &commit);
	if (result <= 0)
		return result;
	keep_head(history_ctx, &commit);
	if (!wants_more(history_ctx, history_ctx->given_nr))
		return 0;
	result = emit_commit(history_ctx, &commit);
	if (result == 0 && commit.says.parent_nr <= 1) {
		history_ctx->given_nr++;
		result = add_commit(history_ctx, &commit);
	}
	return result == 0 ? 1 : result;
}

/* No more objects are read: the same as no more commits, but for a log that
 * should have had them. */
static int
end_commits(struct history_ctx *history_ctx, int result)
{
	if ((result == 0 || result == -EDQUOT) && history_ctx->log_left > 0 &&
	    history_is_cut(history_ctx->history)) {
		history_ctx->head.is_partial = 1;
		diag_log(DIAG_WARN,
			 "--git-log: %llu commits fewer than requested: no "
			 "more objects of git are read; give a smaller N",
			 (unsigned long long)history_ctx->log_left);
	}
	return result == -EDQUOT ? 0 : result;
}

static bool
add_diff(void *context, const void *bytes, size_t nr)
{
	struct history_ctx *history_ctx = context;

	history_ctx->options->beat(history_ctx->options->context);
	history_ctx->error = git_text_add(&history_ctx->diff, bytes, nr);
	return history_ctx->error == 0;
}

/* Whether it is the commit that is checked out, and not one of the user's. */
static bool
diffs_last(const struct history_ctx *history_ctx)
{
	return strcmp(history_ctx->options->job->git_diff, REV_LAST) == 0;
}

/* Whether there is no such revision, and somebody asked for it by name. */
static bool
refuse_rev(struct history_ctx *history_ctx, uint32_t repo, const char *rev,
	   int error)
{
	const char *root =
		history_ctx->options->job->roots[root_in(history_ctx, repo)];
	char name[QUOTED_BYTES];
	char quoted[QUOTED_BYTES];

	if (diffs_last(history_ctx) || (error != -ENOENT && error != -EINVAL))
		return false;
	diag_quote(name, sizeof(name), (const uint8_t *)root, strlen(root));
	diag_quote(quoted, sizeof(quoted), (const uint8_t *)rev, strlen(rev));
	diag_log(DIAG_ERROR,
		 "--git-diff=%s: the repository of %s has no such commit or "
		 "tree; git rev-parse tells what a name stands for",
		 quoted, name);
	history_ctx->is_refused = true;
	return true;
}

/* A patch that lacks the changes of a file, or more. */
static void
emit_short(const struct history_ctx *history_ctx, const char *path)
{
	diag_log(
		DIAG_WARN,
		"--git-diff: the changes of %s need more than the %llu MiB of "
		"--memory that are for git, so the diff is incomplete; raise "
		"--memory",
		path[0] != '\0' ? QUOTED(path) : "the work tree",
		(unsigned long long)(history_ctx->options->object_bytes >> 20));
}

/* Whether texts of the repositories are sections of the output. */
static bool
tells_git(const struct history_ctx *history_ctx)
{
	return history_ctx->options->job->git_log_nr > 0 ||
	       history_ctx->options->job->git_diff != NULL;
}

/* A link in a repository, which may stand for another one. */
static void
emit_refused(struct history_ctx *history_ctx)
{
	const struct repo *repo = history_ctx->history->repo;

	if (repo == NULL || repo->guard.refused[0] == '\0' ||
	    history_ctx->reported_refused)
		return;
	diag_log(DIAG_WARN, "git: %s; %s", repo->guard.refused,
		 tells_git(history_ctx)
			 ? "--git-log or --git-diff is incomplete"
			 : "ranked with what was read of its history");
	history_ctx->reported_refused = true;
}

/* What differs from a commit; a line says what could not be had. */
static int
read_diff(struct history_ctx *history_ctx, uint32_t repo)
{
	const char *rev = history_ctx->options->job->git_diff;
	bool is_last = diffs_last(history_ctx);
	struct history_differs differs = { .take = add_diff,
					   .context = history_ctx };
	int error = history_diff(history_ctx->history, repo, rev, &differs);

	if (history_ctx->error != 0)
		error = history_ctx->error;
	history_ctx->error = 0;
	if (error == 0 && is_last &&
	    history_ctx->head.dirty != HISTORY_DIRTY_YES)
		history_ctx->head.dirty =
			differs.any ? HISTORY_DIRTY_YES : HISTORY_DIRTY_NO;
	if (error == 0)
		return 0;
	if (refuse_rev(history_ctx, repo, rev, error))
		return -EINVAL;
	/* without a commit there is nothing that it could say */
	history_ctx->head.is_partial |= error != -ENOENT;
	history_ctx->head.is_short |= error == -ENOMEM;
	if (error == -ENOMEM)
		emit_short(history_ctx, differs.without);
	else if (error == -EPERM)
		emit_refused(history_ctx);
	else if (error == -ENOENT)
		diag_log(DIAG_WARN,
			 "--git-diff: nothing was committed yet, so there is "
			 "no diff");
	else
		diag_log(DIAG_WARN, "--git-diff: %s; the diff is incomplete",
			 error == -ENOTDIR   ? "the repository has no work tree"
			 : error == -EFBIG   ? "more than 8 MiB of changes"
			 : error == -ENODATA ? MISSING
					     : why(error));
	return 0;
}

/* The next commit, or what ends a repository: 1: there is more; 0; -errno. */
static int
read_more(struct history_ctx *history_ctx)
{
	int result = 0;

	if (history_ctx->repo == history_ctx->history->repo_nr)
		return 0;
	if (!history_ctx->is_begun)
		result = begin_commits(history_ctx);
	if (result == 0)
		result = read_commit(history_ctx);
	if (result > 0)
		return 1;
	result = end_commits(history_ctx, result);
	if (result == 0 && history_ctx->options->job->git_diff != NULL)
		result = read_diff(history_ctx, history_ctx->repo);
	history_ctx->is_begun = false;
	history_ctx->repo++;
	return result == 0 ? 1 : result;
}

bool
past_read_ahead(struct history_ctx *history_ctx)
{
	if (history_ctx->is_over)
		return false;
	history_ctx->result = read_more(history_ctx);
	history_ctx->is_over = history_ctx->result <= 0;
	return true;
}

/* What is worth a line, for who wonders; the run goes on. */
static void
tell(struct history_ctx *history_ctx, int error)
{
	if (error == 0)
		return;
	history_ctx->head.is_partial = 1;
	history_ctx->head.is_short |= error == -ENOMEM;
	if (error == -EPERM)
		emit_refused(history_ctx);
	else if (tells_git(history_ctx))
		diag_log(DIAG_WARN,
			 "the history of git is damaged, too large or needs "
			 "more memory (%s): --git-log or --git-diff is "
			 "incomplete",
			 why(error));
	else
		diag_log(DIAG_WARN,
			 "the history of git is damaged or needs more memory "
			 "(%s): ranked with what was read of it; --no-history "
			 "does without",
			 why(error));
}

int
past_read(struct history_ctx *history_ctx)
{
	while (past_read_ahead(history_ctx))
		;
	if (history_ctx->is_refused)
		return history_ctx->result;
	tell(history_ctx, history_ctx->result);
	return git_text_clean(&history_ctx->diff);
}

void
past_free(struct history_ctx *history_ctx)
{
	free(history_ctx->commits);
	free(history_ctx->paths);
	free(history_ctx->terms);
	free(history_ctx->files);
	free(history_ctx->blobs);
	free(history_ctx->known.slots);
	free(history_ctx->log.at);
	free(history_ctx->diff.at);
}
