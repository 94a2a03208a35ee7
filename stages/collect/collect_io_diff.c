/* SPDX-License-Identifier: MIT */
/*
 * collect_io_diff.c - the work tree against a commit, as a patch.
 *
 * Does: what `git diff REV` says without settings: what is staged and what is
 *       not, of files that git tracks.
 * Does not: show what a pack would not: names of secrets, lock files, what
 *           --exclude leaves out; run filters, textconv or external programs;
 *           look into submodules; follow renames.
 * Limits: a file of more than FILE_BYTES_MAX is binary.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "stages/collect/collect_io_history.h"
#include "git/io_repo.h"
#include "stages/collect/collect_io_walk.h"

#define FILE_BYTES_MAX (4 << 20)
#define STOPPED 1 /* by ourselves */

/* A patch on its way out. */
struct patch {
	const struct history *history;
	uint32_t repo;
	struct history_differs *differs;
	const git_diff_delta *file; /* in work; NULL: none */
};

/* A file is done; there may not have been the memory for it. */
static void
end_file(struct patch *patch)
{
	const git_diff_delta *file = patch->file;

	if (file != NULL && gitlib_is_short() &&
	    patch->differs->without[0] == '\0')
		snprintf(patch->differs->without,
			 sizeof(patch->differs->without), "%s",
			 file->new_file.path);
}

static int
take_line(const git_diff_delta *delta, const git_diff_hunk *hunk,
	  const git_diff_line *line, void *payload)
{
	struct patch *patch = payload;
	bool is_marked = line->origin == GIT_DIFF_LINE_CONTEXT ||
			 line->origin == GIT_DIFF_LINE_ADDITION ||
			 line->origin == GIT_DIFF_LINE_DELETION;

	(void)hunk;
	if (line->origin == GIT_DIFF_LINE_FILE_HDR) {
		end_file(patch);
		patch->file = delta;
	}
	if (is_marked &&
	    !patch->differs->take(patch->differs->context, &line->origin, 1))
		return STOPPED;
	return patch->differs->take(patch->differs->context, line->content,
				    line->content_len)
		       ? 0
		       : STOPPED;
}

static int
lookup_tree(git_tree **out, git_repository *handle, const char *rev)
{
	git_object *named = NULL;
	git_object *tree = NULL;
	int result = gitlib.git_revparse_single(&named, handle, rev);

	if (result == 0)
		result = gitlib.git_object_peel(&tree, named, GIT_OBJECT_TREE);
	gitlib.git_object_free(named);
	*out = (git_tree *)tree;
	return result;
}

/* Whether a file is left out by the name of a directory above it, or its own;
 * what neighbours say is not looked at. */
static bool
is_left_out(const struct collect_walk *walk, const char *path)
{
	const char *name = path;
	const char *slash;

	if (!walk->options.default_excludes)
		return false;
	for (; (slash = strchr(name, '/')) != NULL; name = slash + 1)
		if (collect_left_out_dir(name, (size_t)(slash - name), 0)
			    .reason != REASON_NONE)
			return true;
	return collect_kind_file_labels(&walk->kinds, name, strlen(name))
		       .reason != REASON_NONE;
}

bool
history_may_show(const struct collect_walk *walk, const char *path)
{
	size_t bytes = strlen(path);
	const char *slash = strrchr(path, '/');
	const char *name = slash == NULL ? path : slash + 1;

	if (rule_chain_names(walk->exclude, path, bytes) ||
	    (collect_kind_file_labels(&walk->kinds, name, strlen(name)).marks &
	     (MARK_SECRET | MARK_TOKEN)) != 0)
		return false;
	if (globs_name_path(walk->options.forced, walk->options.forced_nr,
			    (const uint8_t *)path, bytes))
		return true;
	return !is_left_out(walk, path) &&
	       (walk->include == NULL ||
		rule_chain_names(walk->include, path, bytes));
}

/* The same for a path in the repository. */
static bool
is_shown(const struct patch *patch, const char *path)
{
	const struct collect_walk *walk = patch->history->walk;

	for (uint32_t i = 0; i < walk->root_nr; i++) {
		const char *name = walk->roots[i].name;
		size_t bytes;
		const char *prefix =
			history_prefix(patch->history, patch->repo, i, &bytes);

		if (prefix == NULL || strncmp(path, prefix, bytes) != 0 ||
		    (name != NULL && strcmp(path + bytes, name) != 0))
			continue;
		if (history_may_show(walk, path + bytes))
			return true;
	}
	return false;
}

/* Told of each file that differs: 0: it is shown; 1: it is not. */
static int
take_delta(const git_diff *diff, const git_diff_delta *delta,
	   const char *pathspec, void *payload)
{
	struct patch *patch = payload;

	(void)diff;
	(void)pathspec;
	patch->differs->any = true;
	return !is_shown(patch, delta->new_file.path);
}

/* The paths to look at: those of the roots in the repository. */
static size_t
list_paths(const struct history *history, uint32_t repo, const char **paths,
	   size_t room)
{
	size_t nr = 0;
	size_t bytes;

	for (uint32_t i = 0; nr < room; i++) {
		const char *prefix = history_prefix(history, repo, i, &bytes);

		if (prefix == NULL)
			break;
		if (bytes == 0)
			return 0;
		paths[nr++] = prefix;
	}
	return nr;
}

int
history_diff(struct history *history, uint32_t repo, const char *rev,
	     struct history_differs *differs)
{
	git_diff_options options;
	struct patch patch = { .history = history,
			       .repo = repo,
			       .differs = differs };
	struct repo *of = &history->repos[repo];
	const char *paths[HISTORY_ROOTS_MAX];
	git_tree *tree = NULL;
	git_diff *diff = NULL;
	int result;

	differs->any = false;
	differs->without[0] = '\0';
	if (history->tops[repo].path == NULL)
		return -ENOTDIR;
	if (gitlib.git_diff_options_init(&options, GIT_DIFF_OPTIONS_VERSION) !=
	    0)
		return -EIO;
	options.flags = GIT_DIFF_DISABLE_PATHSPEC_MATCH;
	options.ignore_submodules = GIT_SUBMODULE_IGNORE_ALL;
	options.max_size = FILE_BYTES_MAX;
	options.id_abbrev = 7;
	options.notify_cb = take_delta;
	options.payload = &patch;
	options.pathspec.strings = (char **)(uintptr_t)paths;
	options.pathspec.count =
		list_paths(history, repo, paths, HISTORY_ROOTS_MAX);
	result = repo_open(of);
	if (result == 0)
		result = gitguard_add(&of->guard, history->tops[repo].path,
				      history->tops[repo].fd, true);
	if (result != 0)
		return result;
	gitguard_use(&of->guard);
	gitlib_begin();
	result = gitlib.git_repository_set_workdir(of->handle,
						   history->tops[repo].path, 0);
	if (result == 0)
		result = lookup_tree(&tree, of->handle, rev);
	if (result == 0)
		result = gitlib.git_diff_tree_to_workdir_with_index(
			&diff, of->handle, tree, &options);
	if (result == 0)
		result = gitlib.git_diff_print(diff, GIT_DIFF_FORMAT_PATCH,
					       take_line, &patch);
	end_file(&patch);
	gitlib.git_diff_free(diff);
	gitlib.git_tree_free(tree);
	if (result == 0 && differs->without[0] != '\0')
		return -ENOMEM;
	return result == STOPPED ? -EFBIG : gitlib_errno(result);
}
