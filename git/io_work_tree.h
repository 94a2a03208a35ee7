/* SPDX-License-Identifier: MIT */
/*
 * io_work_tree.h - git's facts about the work tree of a directory.
 *
 * Does: finds the work tree, the ignore rules that apply to all of it, and the
 *       names of tracked files, which no ignore rule can exclude.
 * Does not: run git, or anything else; write anything.
 * Runs in: the collector, below collect_io_walk.c.
 */
#ifndef GIT_IO_WORK_TREE_H
#define GIT_IO_WORK_TREE_H

#include <limits.h>

#include "git/io_rules.h"

/* A folder that others are opened below. */
#define FOLDER_FLAGS (O_PATH | O_DIRECTORY | O_CLOEXEC)

#define GIT_COMMIT_BYTES 20

struct gitindex;

/* Settings for all work trees: of the system and the user. */
struct git_user {
	struct rules_budget *budget;   /* of all rules */
	const struct rule_file *rules; /* core.excludesFile; NULL: none */
	char *path;                    /* of that file; NULL: none */
	char *home;                    /* NULL: none */
	char *xdg;                     /* where git keeps its own; NULL: none */
};

struct git_tree {
	bool is_tree; /* false: not in a work tree, and all else is empty */
	bool fold;    /* core.ignorecase */
	char *prefix; /* from the top to the directory: "" or "a/b/" */
	size_t prefix_bytes;
	size_t base_bytes;                /* of a full path, before the top */
	bool has_commit;                  /* false: the next is not known */
	uint8_t commit[GIT_COMMIT_BYTES]; /* that is checked out */
	const struct rule_file *outer[RULES_KIND_NR]; /* from above, or NULL */
	struct gitindex *index; /* NULL: nothing is tracked */
};

enum git_tracked {
	GIT_UNTRACKED = 0,
	GIT_TRACKED,  /* a file; or a directory with such files below */
	GIT_SUBMODULE /* a directory that is a commit of another repository */
};

/* ---- the work tree: io_work_tree.c ----------------------------------- */

/*
 * shape:  the work tree that an open directory lies in, if it is in one; with
 *         above, one that begins above the directory, too
 * units:  base_bytes: of the walk's full path, up to the top of the work tree
 * owner:  git_tree_close()
 * errors: -EMFILE, -ENFILE, -ENOMEM; what git would stumble over is
 *         passed over
 * calls:  above: before the process shuts itself in
 */
int
git_tree_open(struct git_tree *tree, const struct git_user *user, int dir_fd,
	      size_t base_bytes, bool above);

/* owner: an empty one is accepted */
void
git_tree_close(struct git_tree *tree, struct rules_budget *budget);

/* Whether a directory has a ".git" that makes it a repository's top. */
bool
git_is_top(int dir_fd);

/*
 * shape:  whether the index has this path; a directory's ends with '/'
 * units:  a full path of the walk
 * calls:  in canonical order; going back is slow
 */
enum git_tracked
git_tree_tracks(struct git_tree *tree, const char *path, size_t path_bytes);

/* ---- a repository's folder: io_repo.c ---------------------------- */

struct git_dir {
	int own_fd;    /* index, HEAD; -1: none */
	int common_fd; /* config, info, objects; the same for most */
};

/*
 * shape:  resolves the ".git" of a directory, a file or a folder
 * owner:  git_dir_close()
 * errors: -ENOENT: none that git would accept; -EMFILE, -ENFILE
 */
int
git_dir_open(struct git_dir *git, int dir_fd);

/*
 * shape:  the same of a folder that may be a repository itself
 * owner:  takes own_fd over, also if it is none; git_dir_close()
 * errors: -ENOENT: it is none
 */
int
git_dir_take(struct git_dir *git, int own_fd);

/* Closes both directories; accepts what is closed. */
void
git_dir_close(struct git_dir *git);

/*
 * shape:  the name of the commit that is checked out; false: there is none, or
 *         it cannot be told without the library
 */
bool
git_dir_commit(const struct git_dir *git, uint8_t commit[GIT_COMMIT_BYTES]);

/* Whether a directory is itself a repository without a work tree. */
bool
git_dir_is_bare(int dir_fd);

/*
 * shape:  a small file as a string; NULL: it is none, or too large
 * owner:  the caller's, for free()
 * calls:  for files of the user's; links are followed
 */
char *
git_read_text(int dir_fd, const char *path, size_t bytes_max, size_t *bytes);

/*
 * shape:  the same of a repository's own file in *text: no link is followed
 * errors: -ELOOP: there is one, -errno; *text is NULL then
 */
int
git_read_own(int dir_fd, const char *path, size_t bytes_max, char **text,
	     size_t *bytes);

/* Keeps the name of a repository's own file that is a link, and is passed over
 * for that, which the user did not mean. */
void
git_keep_link(struct rules_budget *budget, int dir_fd, const char *path);

/* A work tree that was found. */
struct git_found {
	struct git_dir git;
	int top_fd; /* the directory itself, or one above */
	bool owns_top;
	char prefix[PATH_MAX]; /* from the top to the directory */
};

/*
 * shape:  1: *found is the work tree that a directory lies in; 0: it is in
 *         none, or is a repository without one
 * owner:  git_found_close()
 * errors: -EMFILE, -ENFILE
 */
int
git_find_tree(struct git_found *found, int dir_fd, bool above);

/* Where a directory is; false: not known, or too deep. */
bool
git_path_of(int dir_fd, char path[PATH_MAX]);

/* ---- settings: io_settings.c ------------------------------------- */

struct git_settings {
	char *excludes;    /* core.excludesFile, as it was written; NULL: not */
	bool own_excludes; /* and the repository itself says so */
	bool fold;
	uint32_t hash_bytes;
};

/*
 * shape:  the settings of a repository (NULL: of none), and with shared those
 *         of system and user, which it overrides
 * owner:  git_settings_free()
 * errors: -ENOMEM; a malformed file counts up to there
 * calls:  shared: before the process shuts itself in
 */
int
git_settings_read(struct git_settings *settings, struct rules_budget *budget,
		  const struct git_user *user, const struct git_dir *git,
		  bool shared);

/* Frees what was read. */
void
git_settings_free(struct git_settings *settings);

/*
 * shape:  the path of the user's file of rules by these settings; NULL: none,
 *         or it is relative
 * owner:  the caller's, for free()
 */
char *
git_user_path(const struct git_user *user, const struct git_settings *settings);

/* The surroundings, and the rules that hold for all. errors: -ENOMEM */
int
git_user_init(struct git_user *user, struct rules_budget *budget);

/* Frees what was read, and gives its room back to the budget. */
void
git_user_fini(struct git_user *user, struct rules_budget *budget);

/* ---- the index: io_index.c ------------------------------------- */

/*
 * shape:  an index for questions, with the one that it is based on; NULL:
 *         *error says why
 * units:  folder_fd: where it lies
 * owner:  takes fd over
 * errors: -EINVAL: not an index, or its base is none; -ENOMEM; -EMFILE
 */
struct gitindex *
gitindex_open(int fd, int folder_fd, uint32_t hash_bytes, int *error);

/* owner: NULL is accepted */
void
gitindex_close(struct gitindex *index);

/* As git_tree_tracks(), from the top of the work tree. */
enum git_tracked
gitindex_tracks(struct gitindex *index, const char *path, size_t bytes);

#endif
