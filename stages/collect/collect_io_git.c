/* SPDX-License-Identifier: MIT */
/*
 * collect_io_git.c - the work tree that a directory is in.
 *
 * Does: see collect_io_git.h.
 */
#include "stages/collect/collect_io_git.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>

int
git_tree_open(struct git_tree *tree, struct rules_budget *budget, int dir_fd,
	      size_t base_bytes)
{
	(void)budget;
	*tree = (struct git_tree){
		.is_tree = git_is_top(dir_fd),
		.base_bytes = base_bytes,
	};
	return 0;
}

void
git_tree_close(struct git_tree *tree, struct rules_budget *budget)
{
	(void)budget;
	free(tree->prefix);
	*tree = (struct git_tree){ 0 };
}

bool
git_is_top(int dir_fd)
{
	struct stat st;

	return fstatat(dir_fd, ".git", &st, AT_SYMLINK_NOFOLLOW) == 0;
}

enum git_tracked
git_tree_tracks(struct git_tree *tree, const char *path, size_t path_bytes)
{
	(void)tree;
	(void)path;
	(void)path_bytes;
	return GIT_UNTRACKED;
}
