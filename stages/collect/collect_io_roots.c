/* SPDX-License-Identifier: MIT */
/*
 * collect_io_roots.c - makes a walk from its options.
 *
 * Does: opens what the user named, finds out what was named twice, compiles
 *       the patterns.
 * Does not: move the walk (collect_io_walk.c).
 * Invariants:
 * 1. A directory that was named may be a symbolic link: it was named. A file
 *    that was named may not, since links to files come from the tree's author.
 */
#include "stages/collect/collect_io_walk.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/diag.h"
#include "base/open_below.h"
#include "stages/collect/collect_io_names.h"

#define DEPTH_DEFAULT 256
#define FD_DEFAULT 16
#define FD_MIN 2
#define LISTING_BYTES_DEFAULT (8u << 20)

static int
identify(int fd, struct file_identity *identity)
{
	struct stat st;

	if (fstat(fd, &st) != 0)
		return -errno;
	identity->dev = st.st_dev;
	identity->ino = st.st_ino;
	return 0;
}

static int
open_dir_root(struct walk_root *root, const char *typed)
{
	root->fd = open(typed, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (root->fd < 0)
		return -errno;
	return identify(root->fd, &root->identity);
}

/* A file: the directory it is in, and its name there. */
static int
open_file_root(struct walk_root *root, const char *typed)
{
	const char *slash = strrchr(typed, '/');
	const char *name = slash == NULL ? typed : slash + 1;
	char *directory = slash == NULL
				  ? strdup(".")
				  : strndup(typed, (size_t)(name - typed));
	int error;

	if (directory == NULL)
		return -ENOMEM;
	error = open_dir_root(root, directory);
	free(directory);
	if (error != 0)
		return error;
	root->name = strdup(name);
	return root->name == NULL ? -ENOMEM : 0;
}

static int
open_root(struct collect_walk *walk, struct walk_root *root, const char *typed)
{
	struct stat st;
	int error = 0;

	if (stat(typed, &st) != 0) {
		error = -errno;
		/* A dangling link is a file of the tree, and told of as one. */
		if (lstat(typed, &st) != 0 || !S_ISLNK(st.st_mode))
			return error;
	}
	if (!S_ISDIR(st.st_mode))
		return open_file_root(root, typed);
	error = open_dir_root(root, typed);
	if (error == 0 && walk->rev_name == NULL)
		error = git_tree_open(&root->tree, &walk->user, root->fd, 0,
				      true);
	return error;
}

static bool
same_root(const struct walk_root *a, const struct walk_root *b)
{
	if (!same_identity(&a->identity, &b->identity))
		return false;
	if (a->name == NULL || b->name == NULL)
		return a->name == b->name;
	return strcmp(a->name, b->name) == 0;
}

/* What stands before their paths: nothing, where the root has no path. */
static int
name_roots(struct collect_walk *walk, const struct collect_options *options)
{
	char **names;
	int error = collect_names(options->roots, options->root_nr,
				  options->paths, &names);

	for (uint32_t i = 0; error == 0 && i < walk->root_nr; i++) {
		struct walk_root *root = &walk->roots[i];

		if (strlen(names[i]) >= PATH_MAX)
			names[i][0] = '\0';
		root->show = names[i];
		root->show_bytes = strlen(names[i]);
	}
	if (error == 0)
		free(names);
	return error;
}

static int
open_roots(struct collect_walk *walk, const struct collect_options *options,
	   uint32_t *bad_root)
{
	*bad_root = UINT32_MAX;
	walk->roots = calloc(options->root_nr, sizeof(*walk->roots));
	if (walk->roots == NULL)
		return -ENOMEM;
	for (uint32_t i = 0; i < options->root_nr; i++) {
		struct walk_root *root = &walk->roots[i];
		int error;

		root->fd = -1;
		walk->root_nr = i + 1;
		error = open_root(walk, root, options->roots[i]);
		if (error != 0) {
			*bad_root = i;
			return error;
		}
		for (uint32_t j = 0; j < i; j++)
			root->is_double |= same_root(root, &walk->roots[j]);
	}
	return name_roots(walk, options);
}

/* The files to take from the one root that there is. */
static int
open_list(struct collect_walk *walk, const struct collect_options *options,
	  uint32_t *bad)
{
	if (walk->root_nr != 1 || walk->roots[0].name != NULL) {
		*bad = 0;
		return -ENOTDIR;
	}
	return files_init(&walk->files, options->roots[0], options->files,
			  options->file_nr, bad);
}

static void
close_roots(struct collect_walk *walk)
{
	for (uint32_t i = 0; i < walk->root_nr; i++) {
		struct walk_root *root = &walk->roots[i];

		if (root->fd >= 0)
			close(root->fd);
		git_tree_close(&root->tree, &walk->rules);
		free(root->show);
		free(root->name);
	}
	free(walk->roots);
}

bool
walk_is_root(const struct collect_walk *walk,
	     const struct file_identity *directory)
{
	for (uint32_t i = 0; i < walk->root_nr; i++) {
		if (walk->roots[i].name == NULL &&
		    same_identity(&walk->roots[i].identity, directory))
			return true;
	}
	return false;
}

bool
walk_is_root_file(const struct collect_walk *walk,
		  const struct file_identity *directory, const char *name)
{
	for (uint32_t i = 0; i < walk->root_nr; i++) {
		if (walk->roots[i].name != NULL &&
		    same_identity(&walk->roots[i].identity, directory) &&
		    strcmp(walk->roots[i].name, name) == 0)
			return true;
	}
	return false;
}

/* All patterns as one file of rules; *out stays NULL without any. */
/* Adds a pattern as a line of rules. */
static int
add_rule(struct path *text, const char *pattern)
{
	/* A '#' at the start is no comment here. */
	int error = pattern[0] == '#' ? path_append(text, "\\", 1) : 0;

	if (error == 0)
		error = path_append(text, pattern, strlen(pattern));
	return error == 0 ? path_append(text, "\n", 1) : error;
}

/* The same, and as a name that has brackets. */
static int
add_pattern(struct path *text, const char *pattern)
{
	char *literal = glob_literal_brackets(pattern);
	int error = add_rule(text, pattern);

	if (error == 0 && literal != NULL)
		error = add_rule(text, literal);
	free(literal);
	return error;
}

static int
compile_patterns(struct collect_walk *walk, const struct rule_file **out,
		 const char *const *patterns, uint32_t nr)
{
	struct path text = { 0 };
	int error = 0;

	for (uint32_t i = 0; i < nr && error == 0; i++)
		error = add_pattern(&text, patterns[i]);
	if (text.bytes > IGNORE_RULES_BYTES_MAX)
		error = -E2BIG;
	if (error == 0 && nr > 0)
		error = rule_file_make(
			out, &(struct rule_place){ .budget = &walk->rules },
			text.text, text.bytes);
	free(text.text);
	return error;
}

static int
copy_outputs(struct collect_walk *walk, const struct collect_options *options)
{
	size_t nr = options->output_nr;

	if (nr == 0)
		return 0;
	walk->outputs = calloc(nr, sizeof(*walk->outputs));
	walk->output_inodes = calloc(nr, sizeof(*walk->output_inodes));
	if (walk->outputs == NULL || walk->output_inodes == NULL)
		return -ENOMEM;
	memcpy(walk->outputs, options->outputs, nr * sizeof(*walk->outputs));
	for (size_t i = 0; i < nr; i++)
		walk->output_inodes[i] = walk->outputs[i].ino;
	walk->output_nr = options->output_nr;
	walk->tools.output_inodes = walk->output_inodes;
	walk->tools.output_nr = nr;
	return 0;
}

static void
copy_settings(struct collect_walk *walk, const struct collect_options *options)
{
	struct collect_options *own = &walk->options;

	*own = *options;
	/* what they point to is not ours, and is not looked at again */
	own->roots = own->files = own->include = NULL;
	own->outputs = NULL;
	if (own->depth_max == 0)
		own->depth_max = DEPTH_DEFAULT;
	if (own->fd_max == 0)
		own->fd_max = FD_DEFAULT;
	own->fd_max = (uint32_t)max_u64(own->fd_max, FD_MIN);
	if (own->listing_bytes_max == 0)
		own->listing_bytes_max = LISTING_BYTES_DEFAULT;
	/* a commit has what git was told to keep */
	own->no_ignore |= own->rev != NULL;
	own->hidden |= own->rev != NULL;
	collect_kinds_init(&walk->kinds);
}

int
collect_walk_create(struct collect_walk **out,
		    const struct collect_options *options, uint32_t *bad_root)
{
	struct collect_walk *walk;
	int error;

	*bad_root = UINT32_MAX;
	if (options->root_nr == 0)
		return -EINVAL;
	walk = calloc(1, sizeof(*walk));
	if (walk == NULL)
		return -ENOMEM;
	copy_settings(walk, options);
	walk->rules.left_bytes = RULES_BYTES_MAX;
	error = list_tools_init(&walk->tools, walk->options.listing_bytes_max);
	walk->tools.reading = walk->options.walking;
	walk->tools.context = walk->options.context;
	if (options->rev != NULL)
		walk->tools.extra_bytes = COLLECT_OBJECT_BYTES;
	if (error == 0)
		error = git_user_init(&walk->user, &walk->rules);
	if (error == 0)
		error = copy_outputs(walk, options);
	if (error == 0)
		error = compile_patterns(walk, &walk->include, options->include,
					 options->include_nr);
	if (error == 0)
		error = compile_patterns(walk, &walk->exclude, options->exclude,
					 options->exclude_nr);
	if (error == 0 && options->rev != NULL) {
		walk->rev_name = strdup(options->rev);
		error = walk->rev_name == NULL ? -ENOMEM : 0;
	}
	if (error == 0)
		error = open_roots(walk, options, bad_root);
	if (error == 0 && options->rev != NULL)
		error = rev_create(walk, options, bad_root);
	if (error == 0 && options->file_nr > 0)
		error = open_list(walk, options, bad_root);
	if (error != 0) {
		collect_walk_destroy(walk);
		return error;
	}
	*out = walk;
	return 0;
}

void
collect_walk_destroy(struct collect_walk *walk)
{
	if (walk == NULL)
		return;
	while (walk->level_nr > 0)
		level_leave(walk);
	for (size_t i = 0; i < walk->level_room; i++)
		list_drop(&walk->levels[i].list, false);
	free(walk->levels);
	rev_destroy(walk);
	if (walk->root_nr > 0)
		files_free(&walk->files, walk->roots[0].fd);
	close_roots(walk);
	git_user_fini(&walk->user, &walk->rules);
	rule_file_close(walk->include, &walk->rules);
	rule_file_close(walk->exclude, &walk->rules);
	list_tools_fini(&walk->tools);
	free(walk->outputs);
	free(walk->output_inodes);
	free(walk->rev_name);
	free(walk->show.text);
	free(walk->full.text);
	free(walk);
}

int
collect_file_reopen(const struct collect_walk *walk, uint32_t root_idx,
		    const char *path, size_t path_bytes,
		    struct file_state *file)
{
	const struct walk_root *root;

	if (root_idx >= walk->root_nr)
		return -EINVAL;
	root = &walk->roots[root_idx];
	if (path_bytes <= root->show_bytes ||
	    memcmp(path, root->show, root->show_bytes) != 0)
		return -EINVAL;
	return open_regular_deep(root->fd, path + root->show_bytes,
				 path_bytes - root->show_bytes, file);
}

bool
collect_walk_is_outside_git(const struct collect_walk *walk)
{
	for (uint32_t i = 0; i < walk->root_nr; i++)
		if (walk->roots[i].tree.is_tree)
			return false;
	return true;
}

/* What is wrong with the repository of a directory, or should be known of it. */
static void
warn_of_root(const struct walk_root *root, const char *typed)
{
	if (git_tree_lost_index(&root->tree))
		diag_log(DIAG_WARN,
			 "git: the index of %s is damaged: tracked files that "
			 "an ignore rule names may be missing; see git status",
			 QUOTED(typed));
	if (root->name == NULL && !root->tree.is_tree &&
	    git_dir_is_bare(root->fd))
		diag_log(DIAG_WARN,
			 "git: %s is a repository without a work tree: git's "
			 "own files are read; --rev HEAD reads those of the "
			 "last commit",
			 QUOTED(typed));
}

void
collect_warn_of_git(const struct collect_walk *walk, const char *const *roots)
{
	const char *link = walk->rules.link;

	if (link[0] != '\0')
		diag_log(DIAG_WARN,
			 "git: %s is a symbolic link, and bale follows none in "
			 "a repository, as it can lead to another one; replace "
			 "it with what it points to",
			 QUOTED(link));
	for (uint32_t i = 0; i < walk->root_nr && walk->rev_name == NULL; i++)
		if (!walk->roots[i].is_double)
			warn_of_root(&walk->roots[i], roots[i]);
}
