/* SPDX-License-Identifier: MIT */
/*
 * collect_io_diff.c - the work tree against a commit, as a patch.
 *
 * Does: what `git diff REV` says without settings: what is staged and what is
 *       not, of files that git tracks.
 * Does not: show what a pack would not: names of secrets, lock files, what
 *           --exclude, .baleignore or .ignore leave out; run filters, textconv or external programs;
 *           look into submodules; follow renames.
 * Limits: a file of more than FILE_BYTES_MAX is binary.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/array.h"
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
	struct text_list merged;    /* paths that are in conflict */
	bool is_short;              /* of memory */
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

/* Whether --force-include names it. */
static bool
is_forced(const struct collect_walk *walk, const char *path)
{
	return globs_name_path(walk->options.forced, walk->options.forced_nr,
			       (const uint8_t *)path, strlen(path));
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
	if (is_forced(walk, path))
		return true;
	return !is_left_out(walk, path) &&
	       (walk->include == NULL ||
		rule_chain_names(walk->include, path, bytes));
}

/* What the rules before git's say of a name of the path. */
static enum ignore_verdict
rules_say(const struct rule_file *const chain[], const char *path, size_t bytes,
	  size_t name, bool is_dir)
{
	enum ignore_verdict verdict = IGNORE_NO_RULE;

	for (int kind = 0; kind < RULES_GIT && verdict == IGNORE_NO_RULE;
	     kind++)
		verdict = rule_chain_match(chain[kind], path, bytes, name,
					   is_dir);
	return verdict;
}

/* Takes the rules of a directory in front of those around it. */
static void
add_rules(const struct rule_file *chain[], const struct git_tree *tree,
	  struct rules_budget *budget, size_t base_bytes, int dir_fd)
{
	for (int kind = 0; kind < RULES_GIT && dir_fd >= 0; kind++) {
		const struct rule_place place = { budget, chain[kind],
						  base_bytes, tree->fold };

		(void)rule_file_open(&chain[kind], &place, dir_fd,
				     rules_names[kind], false);
	}
}

static void
drop_rules(const struct rule_file *chain[], const struct git_tree *tree,
	   struct rules_budget *budget)
{
	for (int kind = 0; kind < RULES_GIT; kind++)
		while (chain[kind] != tree->outer[kind]) {
			const struct rule_file *inner = chain[kind];

			chain[kind] = inner->outer;
			rule_file_close(inner, budget);
		}
}

/* Whether .baleignore or .ignore leave out a path, or a directory on its way:
 * they do so for what git tracks as well. */
static bool
is_ignored(const struct collect_walk *walk, const struct walk_root *root,
	   const char *below)
{
	const struct git_tree *tree = &root->tree;
	const struct rule_file *chain[RULES_GIT] = {
		[RULES_BALE] = tree->outer[RULES_BALE],
		[RULES_IGNORE] = tree->outer[RULES_IGNORE],
	};
	struct rules_budget budget = { .left_bytes = RULES_BYTES_MAX };
	size_t at = tree->prefix_bytes;
	bool is_out = false;
	char *path = NULL;
	char *slash;
	int fd = fcntl(root->fd, F_DUPFD_CLOEXEC, 0);

	if (walk->options.no_ignore ||
	    asprintf(&path, "%s%s", tree->prefix == NULL ? "" : tree->prefix,
		     below) < 0)
		path = NULL;
	while (path != NULL && !is_out) {
		int next = -1;

		add_rules(chain, tree, &budget, at, fd);
		slash = strchr(path + at, '/');
		is_out = rules_say(chain, path,
				   slash == NULL ? strlen(path)
						 : (size_t)(slash - path),
				   at, slash != NULL) == IGNORE_EXCLUDE;
		if (slash == NULL)
			break;
		*slash = '\0';
		if (fd >= 0)
			next = openat(fd, path + at, FOLDER_FLAGS | O_NOFOLLOW);
		*slash = '/';
		if (fd >= 0)
			close(fd);
		fd = next;
		at = (size_t)(slash - path) + 1;
	}
	if (fd >= 0)
		close(fd);
	drop_rules(chain, tree, &budget);
	free(path);
	return is_out;
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
		if (history_may_show(walk, path + bytes) &&
		    (name != NULL || is_forced(walk, path + bytes) ||
		     !is_ignored(walk, &walk->roots[i], path + bytes)))
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
	if (!is_shown(patch, delta->new_file.path))
		return 1;
	if (delta->status != GIT_DELTA_CONFLICTED)
		return 0;
	if (text_list_add_copy(&patch->merged, delta->new_file.path) != 0)
		patch->is_short = true;
	return 1;
}

/* Files in conflict have nothing in the index that could be compared: they are
 * compared as they are, behind the others. */
static int
print_merged(struct patch *patch, git_repository *handle, git_tree *tree,
	     git_diff_options *options)
{
	git_diff *diff = NULL;
	int result;

	if (patch->merged.nr == 0)
		return 0;
	options->flags |= GIT_DIFF_INCLUDE_UNTRACKED |
			  GIT_DIFF_RECURSE_UNTRACKED_DIRS |
			  GIT_DIFF_SHOW_UNTRACKED_CONTENT;
	options->notify_cb = NULL;
	options->pathspec.strings = (char **)(uintptr_t)patch->merged.items;
	options->pathspec.count = patch->merged.nr;
	result = gitlib.git_diff_tree_to_workdir(&diff, handle, tree, options);
	if (result == 0)
		result = gitlib.git_diff_print(diff, GIT_DIFF_FORMAT_PATCH,
					       take_line, patch);
	end_file(patch);
	patch->file = NULL;
	gitlib.git_diff_free(diff);
	return result;
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

static int
print_all(struct patch *patch, git_repository *handle, const char *rev,
	  git_diff_options *options)
{
	git_tree *tree = NULL;
	git_diff *diff = NULL;
	int result = lookup_tree(&tree, handle, rev);

	if (result == 0)
		result = gitlib.git_diff_tree_to_workdir_with_index(
			&diff, handle, tree, options);
	if (result == 0)
		result = gitlib.git_diff_print(diff, GIT_DIFF_FORMAT_PATCH,
					       take_line, patch);
	end_file(patch);
	patch->file = NULL;
	if (result == 0)
		result = print_merged(patch, handle, tree, options);
	gitlib.git_diff_free(diff);
	gitlib.git_tree_free(tree);
	return result;
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
		result = print_all(&patch, of->handle, rev, &options);
	text_list_free(&patch.merged);
	if (result == 0 && (patch.is_short || differs->without[0] != '\0'))
		return -ENOMEM;
	return result == STOPPED ? -EFBIG : gitlib_errno(result);
}
