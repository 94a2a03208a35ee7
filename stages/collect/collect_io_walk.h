/* SPDX-License-Identifier: MIT */
/*
 * collect_io_walk.h - the state of the walk, shared by its two halves.
 *
 * Does: collect_io_roots.c creates the state from the options,
 *       collect_io_walk.c advances it.
 * Runs in: the collector.
 */
#ifndef COLLECT_COLLECT_IO_WALK_H
#define COLLECT_COLLECT_IO_WALK_H

#include "stages/collect/collect_io.h"
#include "stages/collect/collect_io_files.h"
#include "git/io_work_tree.h"
#include "stages/collect/collect_io_list.h"
#include "git/io_rules.h"

/* A path that grows; no NUL at the end. */
struct path {
	char *text;
	size_t bytes;
	size_t room;
};

/* Whether both are of one file. */
static inline bool
same_identity(const struct file_identity *a, const struct file_identity *b)
{
	return a->ino == b->ino && a->dev == b->dev;
}

/* A root: a path that the user named. */
struct walk_root {
	char *show; /* what stands before its paths: "", "dir/", "/" */
	size_t show_bytes;
	char *name; /* of a single file, in the directory; NULL: it is one */
	struct file_identity identity; /* of the directory */
	struct git_tree tree;          /* that the directory is in */
	int fd;                        /* the directory */
	bool is_double;                /* an earlier root is the same */
};

/* Mark of a name in a listing: a commit of another repository. With rev. */
#define MARK_MODULE UINT8_MAX

/* A directory on the way from the root to where the walk is. */
struct level {
	struct list list;
	const struct rule_file *chain[RULES_KIND_NR];
	const struct rule_file *own[RULES_KIND_NR]; /* NULL: has none */
	struct git_tree *tree;
	struct file_identity identity;
	size_t show_bytes;  /* of walk->show up to here, '/' included */
	size_t full_bytes;  /* of walk->full */
	size_t child_bytes; /* of the name it went on to last */
	int fd;             /* -1: closed for want of descriptors */
	uint8_t object[COLLECT_OBJECT_BYTES]; /* with rev: its tree */
	uint8_t marks;                        /* for all below */
	bool is_tracked_only; /* ignored, but git tracks files below */
	bool is_included;     /* named by --include, and so all below */
	uint8_t forced_from;  /* enum reason that all below is left out for, but
				 what --force-include names; REASON_NONE: none */
	bool is_named; /* the directory of a root that is a single file */
	bool owns_tree;
};

struct rev_walk;
struct repo;

struct collect_walk {
	struct walk_root *roots;
	uint32_t root_nr;
	uint32_t root_idx; /* the one that is being walked */
	bool root_begun;

	struct rev_walk *rev; /* NULL: directories, not a commit */
	char *rev_name;

	struct files files; /* paths is NULL: all that is there */

	struct level *levels;
	size_t level_nr;
	size_t level_room;
	size_t open_nr; /* levels with a descriptor of their own */

	struct path show;    /* as outputs have it */
	struct path full;    /* from the top of the work tree */
	size_t prefix_bytes; /* of walk->full, before the root's own paths */

	struct git_user user;
	struct rules_budget rules;
	const struct rule_file *include;
	const struct rule_file *exclude;
	struct file_identity *outputs;
	uint64_t *output_inodes;
	uint32_t output_nr;
	struct collect_options options; /* numbers, flags and callbacks */
	uint32_t passed_nr;             /* names looked at */
	uint32_t entered_nr; /* since the walk was made, sought or rewound */
	uint32_t skip_dir;   /* the one of this number is not entered */

	struct list_tools tools;
	struct collect_counts counts;
	struct collect_kinds kinds;
};

/* ---- collect_io_roots.c ------------------------------------------------ */

/* Whether a directory is one that the user named as well. */
bool
walk_is_root(const struct collect_walk *walk,
	     const struct file_identity *directory);

/* The same for a file in a directory. */
bool
walk_is_root_file(const struct collect_walk *walk,
		  const struct file_identity *directory, const char *name);

/* ---- collect_io_judge.c: all of the path of walk->full, a name of `level` */

enum judgement {
	JUDGE_KEEP = 0,
	JUDGE_KEEP_TRACKED, /* but only what git tracks below */
	JUDGE_KEEP_FORCED,  /* but only what --force-include names below */
	JUDGE_EXCLUDE,
	JUDGE_IGNORE,
	JUDGE_HIDE,
	JUDGE_SUBMODULE
};

/* What becomes of it. */
enum judgement
walk_judge(struct collect_walk *walk, struct level *level, bool is_dir);

/* Whether --include names it, or is not given. */
bool
walk_is_included(const struct collect_walk *walk, const struct level *level,
		 bool is_dir);

/* Whether --force-include does. */
bool
walk_is_forced(const struct collect_walk *walk);

/* Whether --force-include could name a file below it. */
bool
walk_forces_below(const struct collect_walk *walk);

/* Why a directory is left out by its name and what lies beside it. */
enum reason
walk_left_out_dir(struct collect_walk *walk, struct level *level,
		  const struct collect_name *name);

/* Notes which --exclude names a path below a root; a directory ends in '/'. */
void
walk_note_exclude(struct collect_walk *walk, const char *path, size_t bytes);

/* Language, marks and reason of an entry that is no directory. */
void
walk_finish_file(const struct collect_walk *walk, struct collect_entry *entry,
		 bool may_be_output, bool was_named);

/* Adds to a path. errors: -ENOMEM */
int
path_append(struct path *path, const char *text, size_t bytes);

/* ---- collect_io_rev.c --------------------------------------------------- */

/*
 * shape:  finds the repositories of the roots, which are open
 * errors: as repo_find(), with the reason in options->why; rev_destroy() then
 */
int
rev_create(struct collect_walk *walk, const struct collect_options *options,
	   uint32_t *bad_root);

/* owner: a walk without is accepted */
void
rev_destroy(struct collect_walk *walk);

/* The tree of the root in work, of collect_walk_resolve(). */
const uint8_t *
rev_root(const struct collect_walk *walk);

/* As list_fill(), of the tree level->object. errors: -EIO, -ENOMEM */
int
rev_fill(struct collect_walk *walk, struct level *level,
	 const struct list_from *from);

/* Counts a directory: whether there may be so many. */
bool
rev_may_enter(struct collect_walk *walk);

/* As walk_is_root() and walk_is_root_file(), of the path of walk->full. */
bool
rev_is_root(const struct collect_walk *walk);
bool
rev_is_root_file(const struct collect_walk *walk);

/* The entry of a path below the root in work, in place of a walk; walk->show is
 * set. */
void
rev_look_up(struct collect_walk *walk, const char *path, size_t bytes,
	    struct collect_entry *entry);

/* ---- collect_io_level.c ------------------------------------------------ */

/* A lack of descriptors or memory: not the tree's fault. */
bool
is_shortage(int error);

/* The level that the walk is in. */
static inline struct level *
top_level(struct collect_walk *walk)
{
	return &walk->levels[walk->level_nr - 1];
}

/*
 * shape:  opens a directory for level_enter(); gives up descriptors of
 *         shallower levels where they are short
 * errors: -errno
 */
int
level_open(struct collect_walk *walk, int dir_fd, const char *name);

/*
 * shape:  enters the directory of walk->show and walk->full; `like` has what
 *         it takes over from its parent. If it cannot be entered after all,
 *         *reason says why and the walk is where it was.
 * owner:  takes over fd, unless it is a root's
 * errors: is_shortage(), and the walk is where it was
 */
int
level_enter(struct collect_walk *walk, const struct level *like, int fd,
	    enum reason *reason);

/* The level of a root that is a single file. errors: is_shortage() */
int
level_enter_file(struct collect_walk *walk, const struct level *like);

/* Leaves the innermost level, and closes it. */
void
level_leave(struct collect_walk *walk);

/*
 * shape:  makes sure that the deepest level is open and has names to give, if
 *         there are any
 * errors: -errno: if not is_shortage(), the directory is lost
 */
int
level_refill(struct collect_walk *walk);

/* As level_refill(), from that name on. */
int
level_refill_from(struct collect_walk *walk, const struct list_from *from);

#endif
