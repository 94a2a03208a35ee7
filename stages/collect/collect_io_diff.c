/* SPDX-License-Identifier: MIT */
/*
 * collect_io_diff.c - the work tree against a commit, as a patch.
 *
 * Does: what `git diff REV` says without settings: what is staged and what is
 *       not, of files that git tracks.
 * Does not: show what a pack would not: names of secrets, lock files, what
 *           --exclude, .baleignore or .ignore leave out; run filters, textconv or external programs;
 *           look into submodules; follow renames; tell of a file that the
 *           user told git not to look for (a sparse checkout).
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
#define OLD_MODE "\nold mode 0\n"
#define NO_FILE " and /dev/null differ\n"

/* A patch on its way out. */
struct patch {
	const struct history *history;
	uint32_t repo;
	struct history_differs *differs;
	const git_diff_delta *file; /* in work; NULL: none */
	char *new_name;             /* of it, as its header has it; NULL */
	char *names; /* the lines of its names, until there is a hunk; NULL */
	bool is_mode_alone; /* of it has changed */
	git_index *index;
	struct text_list merged; /* paths that are in conflict */
	struct text_list unseen; /* that git does not look for */
	bool is_short;           /* of memory */
	bool has_rev;            /* the revision names something */
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
give(struct patch *patch, const void *bytes, size_t nr)
{
	return patch->differs->take(patch->differs->context, bytes, nr)
		       ? 0
		       : STOPPED;
}

/* The header of a file, but the lines "--- a/x" and "+++ b/x": of an empty one
 * there is no more. */
static int
give_header(struct patch *patch, const git_diff_line *line)
{
	const char *names =
		memmem(line->content, line->content_len, "\n--- ", 5);
	size_t bytes = names == NULL ? line->content_len
				     : (size_t)(names + 1 - line->content);

	if (names != NULL) {
		patch->names = strndup(names + 1, line->content_len - bytes);
		patch->is_short |= patch->names == NULL;
	}
	return give(patch, line->content, bytes);
}

/* "diff --git a/x b/x": two names of the same length. If no other line follows,
 * the file is again what it was before it was staged. */
static int
begin_file(struct patch *patch, const git_diff_delta *delta,
	   const git_diff_line *line)
{
	const char *end = memchr(line->content, '\n', line->content_len);
	size_t both = end == NULL ? 0 : (size_t)(end - line->content);
	size_t before = sizeof("diff --git ") - 1;
	size_t bytes = both > before ? (both - before - 1) / 2 : 0;

	end_file(patch);
	patch->file = delta;
	free(patch->new_name);
	free(patch->names);
	patch->names = NULL;
	patch->new_name = bytes == 0 ? NULL : strndup(end - bytes, bytes);
	patch->is_short |= bytes > 0 && patch->new_name == NULL;
	patch->is_mode_alone =
		delta->status == GIT_DELTA_MODIFIED &&
		memmem(line->content, line->content_len, "\nindex ", 7) == NULL;
	if (both + 1 == line->content_len)
		return 0;
	/* the library takes what it has not read for what is not there */
	if (delta->status == GIT_DELTA_ADDED && delta->new_file.mode != 0 &&
	    memmem(line->content, line->content_len, OLD_MODE,
		   sizeof(OLD_MODE) - 1) != NULL) {
		char mode[32];

		snprintf(mode, sizeof(mode), "new file mode %06o\n",
			 delta->new_file.mode);
		return give(patch, line->content, both + 1) == 0
			       ? give(patch, mode, strlen(mode))
			       : STOPPED;
	}
	return give_header(patch, line);
}

/* "Binary files a/x and b/x differ": the library says /dev/null of a file of
 * the work tree that it did not have to read. */
static int
take_binary(struct patch *patch, const git_diff_delta *delta,
	    const git_diff_line *line)
{
	const char *at = memmem(line->content, line->content_len, NO_FILE,
				sizeof(NO_FILE) - 1);
	int result;

	if (patch->is_mode_alone)
		return 0;
	if (delta->status == GIT_DELTA_DELETED || at == NULL ||
	    patch->new_name == NULL)
		return give(patch, line->content, line->content_len);
	result = give(patch, line->content, (size_t)(at - line->content));
	if (result == 0)
		result = give(patch, " and ", 5);
	if (result == 0)
		result = give(patch, patch->new_name, strlen(patch->new_name));
	return result == 0 ? give(patch, " differ\n", 8) : result;
}

/* "@@ -1,2 +3,4 @@ what it is in": the library cuts the words short after it has
 * looked for blanks at their end. */
static int
take_hunk(struct patch *patch, const git_diff_line *line)
{
	size_t end = line->content_len;
	size_t bytes = patch->names == NULL ? 0 : strlen(patch->names);

	if (bytes > 0 && give(patch, patch->names, bytes) != 0)
		return STOPPED;
	free(patch->names);
	patch->names = NULL;
	while (end > 0 && ascii_is_space((uint8_t)line->content[end - 1]))
		end--;
	return give(patch, line->content, end) == 0 ? give(patch, "\n", 1)
						    : STOPPED;
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
	if (line->origin == GIT_DIFF_LINE_FILE_HDR)
		return begin_file(patch, delta, line);
	if (line->origin == GIT_DIFF_LINE_HUNK_HDR)
		return take_hunk(patch, line);
	if (line->origin == GIT_DIFF_LINE_BINARY)
		return take_binary(patch, delta, line);
	if (is_marked && give(patch, &line->origin, 1) != 0)
		return STOPPED;
	return give(patch, line->content, line->content_len);
}

static int
lookup_tree(struct patch *patch, git_tree **out, git_repository *handle,
	    const char *rev)
{
	git_object *named = NULL;
	git_object *tree = NULL;
	int result = gitlib.git_revparse_single(&named, handle, rev);

	patch->has_rev = result == 0;
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

/* Whether git takes a file of the work tree for what its index has, whatever is
 * there: a sparse checkout has left it out. */
static bool
is_unseen(const struct patch *patch, const char *path)
{
	const git_index_entry *entry =
		gitlib.git_index_get_bypath(patch->index, path, 0);

	return entry != NULL &&
	       ((entry->flags & GIT_INDEX_ENTRY_VALID) != 0 ||
		(entry->flags_extended & GIT_INDEX_ENTRY_SKIP_WORKTREE) != 0);
}

/* Told of each file that differs: 0: it is shown; 1: it is not. */
static int
take_delta(const git_diff *diff, const git_diff_delta *delta,
	   const char *pathspec, void *payload)
{
	struct patch *patch = payload;
	struct text_list *later = NULL;

	(void)diff;
	(void)pathspec;
	if (delta->status == GIT_DELTA_CONFLICTED)
		later = &patch->merged;
	else if (is_unseen(patch, delta->new_file.path))
		later = &patch->unseen;
	/* it is in the index, and not in the work tree */
	if (later == &patch->unseen && delta->status == GIT_DELTA_DELETED)
		return 1;
	patch->differs->any = true;
	if (!is_shown(patch, delta->new_file.path))
		return 1;
	if (later == NULL)
		return 0;
	if (text_list_add_copy(later, delta->new_file.path) != 0)
		patch->is_short = true;
	return 1;
}

static int
print(struct patch *patch, int result, git_diff *diff)
{
	if (result == 0)
		result = gitlib.git_diff_print(diff, GIT_DIFF_FORMAT_PATCH,
					       take_line, patch);
	end_file(patch);
	patch->file = NULL;
	gitlib.git_diff_free(diff);
	return result;
}

/* Behind the others: files whose work tree is the index's, and those in
 * conflict, which have nothing in the index that could be compared. */
static int
print_later(struct patch *patch, git_repository *handle, git_tree *tree,
	    git_diff_options *options)
{
	git_diff *diff = NULL;
	int result = 0;

	options->notify_cb = NULL;
	options->pathspec.strings = (char **)(uintptr_t)patch->unseen.items;
	options->pathspec.count = patch->unseen.nr;
	if (patch->unseen.nr > 0) {
		result = gitlib.git_diff_tree_to_index(&diff, handle, tree,
						       patch->index, options);
		result = print(patch, result, diff);
		diff = NULL;
	}
	if (result != 0 || patch->merged.nr == 0)
		return result;
	options->flags |= GIT_DIFF_INCLUDE_UNTRACKED |
			  GIT_DIFF_RECURSE_UNTRACKED_DIRS |
			  GIT_DIFF_SHOW_UNTRACKED_CONTENT;
	options->pathspec.strings = (char **)(uintptr_t)patch->merged.items;
	options->pathspec.count = patch->merged.nr;
	result = gitlib.git_diff_tree_to_workdir(&diff, handle, tree, options);
	return print(patch, result, diff);
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
	int result = lookup_tree(patch, &tree, handle, rev);

	if (result == 0)
		result = gitlib.git_repository_index(&patch->index, handle);
	if (result == 0)
		result = gitlib.git_diff_tree_to_workdir_with_index(
			&diff, handle, tree, options);
	result = print(patch, result, diff);
	if (result == 0)
		result = print_later(patch, handle, tree, options);
	gitlib.git_index_free(patch->index);
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
	int error;

	differs->any = false;
	differs->without[0] = '\0';
	if (history->tops[repo].path == NULL)
		return -ENOTDIR;
	if (gitlib.git_diff_options_init(&options, GIT_DIFF_OPTIONS_VERSION) !=
	    0)
		return -EIO;
	options.flags =
		GIT_DIFF_DISABLE_PATHSPEC_MATCH | GIT_DIFF_INDENT_HEURISTIC;
	options.ignore_submodules = GIT_SUBMODULE_IGNORE_ALL;
	options.max_size = FILE_BYTES_MAX;
	options.id_abbrev = 7;
	/* whatever diff.noprefix says */
	options.old_prefix = "a";
	options.new_prefix = "b";
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
	text_list_free(&patch.unseen);
	free(patch.new_name);
	free(patch.names);
	if (result == 0 && (patch.is_short || differs->without[0] != '\0'))
		return -ENOMEM;
	if (result == STOPPED)
		return -EFBIG;
	error = gitlib_errno(result);
	return error == -ENOENT && patch.has_rev ? -ENODATA : error;
}
