/* SPDX-License-Identifier: MIT */
/*
 * io_work_tree.c - the work tree that a directory is in.
 *
 * Does: looks for it upwards as git does, chains the rules that hold from
 *       outside the directory, and opens the index.
 * Does not: look above the file system the directory is in; follow GIT_DIR.
 *
 *   ancestors' .gitignore, inner first -> .git/info/exclude -> excludesFile
 */
#include "git/io_work_tree.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/open_below.h"

/*
 * The nearest work tree above; path is the directory's own and is cut. 1: it
 * is in *found; 0: there is none.
 */
static int
find_above(struct git_found *found, char path[PATH_MAX], int dir_fd)
{
	size_t whole = strlen(path);
	size_t bytes = whole;
	struct stat start;

	memcpy(found->prefix, path, whole + 1);
	if (fstat(dir_fd, &start) != 0)
		return 0;
	while (bytes > 1) {
		struct stat st;
		int error;
		int fd;

		while (path[bytes - 1] != '/')
			bytes--;
		path[bytes > 1 ? --bytes : 1] = '\0';
		fd = open(path, FOLDER_FLAGS);
		if (fd < 0)
			return errno == EMFILE || errno == ENFILE ? -errno : 0;
		if (fstat(fd, &st) != 0 || st.st_dev != start.st_dev) {
			close(fd);
			return 0;
		}
		error = git_dir_open(&found->git, fd);
		if (error == 0) {
			size_t skip = bytes > 1 ? bytes + 1 : 1;

			memmove(found->prefix, found->prefix + skip,
				whole - skip);
			memcpy(found->prefix + whole - skip, "/", 2);
			found->top_fd = fd;
			found->owns_top = true;
			return 1;
		}
		if (error != -ENOENT || git_dir_is_bare(fd)) {
			close(fd);
			return error == -ENOENT ? 0 : error;
		}
		close(fd);
	}
	return 0;
}

int
git_find_tree(struct git_found *found, int dir_fd, bool above)
{
	char path[PATH_MAX];
	int error = git_dir_open(&found->git, dir_fd);

	found->top_fd = dir_fd;
	found->owns_top = false;
	found->prefix[0] = '\0';
	if (error == 0)
		return 1;
	if (error != -ENOENT)
		return error;
	if (!above || git_dir_is_bare(dir_fd) || !git_path_of(dir_fd, path))
		return 0;
	return find_above(found, path, dir_fd);
}

/* Closes what was found. */
static void
git_found_close(struct git_found *found)
{
	git_dir_close(&found->git);
	if (found->owns_top)
		close(found->top_fd);
}

/* Where the rules of a tree hold that stand in front of `outer`. */
static struct rule_place
place_in(const struct git_tree *tree, const struct git_user *user,
	 const struct rule_file *outer)
{
	return (struct rule_place){ user->budget, outer, tree->base_bytes,
				    tree->fold };
}

/* The rules of the user, once more for a tree, if there is room for them. */
static void
add_users(const struct rule_file **out, const struct rule_place *place,
	  const struct git_user *user)
{
	if (user->rules != NULL)
		(void)rule_file_make(out, place, user->rules->rules.text,
				     user->rules->text_bytes);
}

/*
 * core.excludesFile, in front of nothing. What the repository itself names
 * has to lie in its work tree.
 */
static int
add_excludes(struct git_tree *tree, const struct git_user *user,
	     const struct git_settings *settings, int top_fd)
{
	const struct rule_file **out = &tree->outer[RULES_GIT];
	const struct rule_place place = place_in(tree, user, NULL);
	const char *own = settings->excludes;
	struct file_state file;
	char *path;
	int error = 0;

	if (own != NULL && *own == '\0')
		return 0;
	if (own != NULL && settings->own_excludes)
		return rule_file_take(
			out, &place,
			open_regular_deep(top_fd, own, strlen(own), &file));
	path = git_user_path(user, settings);
	if (path == NULL && own != NULL)
		path = strdup(own); /* relative to the top */
	if (path == NULL)
		return 0;
	if (user->path != NULL && strcmp(path, user->path) == 0)
		add_users(out, &place, user);
	else
		error = rule_file_open(out, &place, top_fd, path, true);
	free(path);
	return error;
}

/* .git/info/exclude, in front of core.excludesFile. */
static int
add_info(struct git_tree *tree, const struct git_user *user, int common_fd)
{
	static const char path[] = "info/exclude";
	const struct rule_file **out = &tree->outer[RULES_GIT];
	const struct rule_place place = place_in(tree, user, *out);
	struct file_state file;
	int fd = open_regular_deep(common_fd, path, strlen(path), &file);

	if (fd == -ELOOP)
		rules_keep_link(user->budget, common_fd, path);
	return rule_file_take(out, &place, fd);
}

/* The ignore files of one directory in front of what there is. */
static int
add_files(struct git_tree *tree, const struct git_user *user, int dir_fd,
	  size_t prefix_bytes)
{
	int error = 0;

	for (int kind = 0; kind < RULES_KIND_NR && error == 0; kind++) {
		struct rule_place place =
			place_in(tree, user, tree->outer[kind]);

		place.base_bytes += prefix_bytes;
		error = rule_file_open(&tree->outer[kind], &place, dir_fd,
				       rules_names[kind], false);
	}
	return error;
}

/* The ignore files from the top down to the directory's parent. */
static int
add_ancestors(struct git_tree *tree, const struct git_user *user, int top_fd)
{
	size_t at = 0;
	int fd = top_fd;
	int error = 0;

	while (at < tree->prefix_bytes && error == 0) {
		char *name = tree->prefix + at;
		char *slash = strchr(name, '/');
		int next;

		error = add_files(tree, user, fd, at);
		*slash = '\0';
		next = openat(fd, name, FOLDER_FLAGS | O_NOFOLLOW);
		if (next < 0 && error == 0)
			error = errno == EMFILE || errno == ENFILE ? -errno : 0;
		*slash = '/';
		if (fd != top_fd)
			close(fd);
		fd = next;
		if (fd < 0)
			return error;
		at = (size_t)(slash - tree->prefix) + 1;
	}
	if (fd != top_fd)
		close(fd);
	return error;
}

static int
open_index(struct git_tree *tree, struct rules_budget *budget,
	   const struct git_dir *git, uint32_t hash_bytes)
{
	struct file_state file;
	int fd = open_regular(git->own_fd, "index", &file);
	int error;

	if (fd == -ELOOP)
		rules_keep_link(budget, git->own_fd, "index");
	if (fd < 0)
		return fd == -EMFILE || fd == -ENFILE ? fd : 0;
	tree->index = gitindex_open(fd, git->own_fd, hash_bytes, &error);
	tree->is_index_bad = error == -EINVAL;
	return error == -EINVAL ? 0 : error;
}

static int
fill_tree(struct git_tree *tree, const struct git_user *user,
	  const struct git_found *found, bool above)
{
	struct rules_budget *budget = user->budget;
	struct rule_place place;
	struct git_settings settings;
	int error;

	tree->prefix = strdup(found->prefix);
	if (tree->prefix == NULL)
		return -ENOMEM;
	tree->prefix_bytes = strlen(tree->prefix);
	error = git_settings_read(&settings, budget, user, &found->git, above);
	if (error != 0)
		return error;
	tree->fold = settings.fold;
	if (above || settings.own_excludes)
		error = add_excludes(tree, user, &settings, found->top_fd);
	place = place_in(tree, user, NULL);
	if (!above && !settings.own_excludes)
		add_users(&tree->outer[RULES_GIT], &place, user);
	if (error == 0)
		error = add_info(tree, user, found->git.common_fd);
	if (error == 0)
		error = add_ancestors(tree, user, found->top_fd);
	tree->has_commit = git_dir_commit(&found->git, tree->commit);
	if (error == 0)
		error = open_index(tree, budget, &found->git,
				   settings.hash_bytes);
	git_settings_free(&settings);
	return error;
}

int
git_tree_open(struct git_tree *tree, const struct git_user *user, int dir_fd,
	      size_t base_bytes, bool above)
{
	struct git_found found;
	int got;
	int error;

	*tree = (struct git_tree){ .base_bytes = base_bytes };
	got = git_find_tree(&found, dir_fd, above);
	if (got <= 0)
		return got;
	tree->is_tree = true;
	error = fill_tree(tree, user, &found, above);
	git_found_close(&found);
	if (error != 0)
		git_tree_close(tree, user->budget);
	return error;
}

void
git_tree_close(struct git_tree *tree, struct rules_budget *budget)
{
	for (int kind = 0; kind < RULES_KIND_NR; kind++) {
		const struct rule_file *file = tree->outer[kind];

		while (file != NULL) {
			const struct rule_file *outer = file->outer;

			rule_file_close(file, budget);
			file = outer;
		}
	}
	gitindex_close(tree->index);
	free(tree->prefix);
	*tree = (struct git_tree){ 0 };
}

enum git_tracked
git_tree_tracks(struct git_tree *tree, const char *path, size_t path_bytes)
{
	if (tree->index == NULL || path_bytes <= tree->base_bytes)
		return GIT_UNTRACKED;
	return gitindex_tracks(tree->index, path + tree->base_bytes,
			       path_bytes - tree->base_bytes);
}

bool
git_tree_lost_index(const struct git_tree *tree)
{
	return tree->is_index_bad ||
	       (tree->index != NULL && gitindex_is_cut(tree->index));
}
