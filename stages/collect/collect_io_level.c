/* SPDX-License-Identifier: MIT */
/*
 * collect_io_level.c - the directories between the root and the walk's place.
 *
 * Does: opens and lists them, reads their ignore files, gives up what there
 *       is no room for and gets it back.
 * Does not: decide about names (collect_io_walk.c).
 * Invariants:
 * 1. The deepest level has its descriptor and its names; shallower ones may
 *    have lost either for want of room, and get them back on the way back.
 *    A directory that is opened again must be the same (device and inode).
 * Limits: memory is that of the names of one directory or listing_bytes_max,
 *         whichever is less, the rules that hold, and depth_max levels.
 */
#include "stages/collect/collect_io_walk.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/array.h"
#include "base/open_below.h"

bool
is_shortage(int error)
{
	return error == -EMFILE || error == -ENFILE || error == -ENOMEM;
}

/* Closes the shallowest directory but the deepest; false: there is none. */
static bool
close_one(struct collect_walk *walk)
{
	for (size_t i = 1; i + 1 < walk->level_nr; i++) {
		if (walk->levels[i].fd >= 0) {
			close(walk->levels[i].fd);
			walk->levels[i].fd = -1;
			walk->open_nr--;
			return true;
		}
	}
	return false;
}

int
level_open(struct collect_walk *walk, int dir_fd, const char *name)
{
	int fd;

	do {
		fd = open_directory(dir_fd, name);
	} while ((fd == -EMFILE || fd == -ENFILE) && close_one(walk));
	return fd;
}

/* Gives up the names of shallower levels where memory is short. */
static void
drop_names(struct collect_walk *walk)
{
	size_t memory = 0;

	for (size_t i = walk->level_nr; i-- > 0;) {
		struct level *level = &walk->levels[i];

		memory += list_memory(&level->list);
		if (i + 1 < walk->level_nr &&
		    memory > walk->options.listing_bytes_max)
			list_drop(&level->list, false);
	}
}

static void
level_close(struct collect_walk *walk, struct level *level)
{
	for (int kind = 0; kind < RULES_KIND_NR; kind++) {
		rule_file_close(level->own[kind], &walk->rules);
		level->own[kind] = NULL;
	}
	if (level->owns_tree) {
		git_tree_close(level->tree, &walk->rules);
		free(level->tree);
	}
	list_drop(&level->list, true);
	if (level != walk->levels && level->fd >= 0) {
		close(level->fd);
		walk->open_nr--;
	}
	level->fd = -1;
}

static int
level_read_rules(struct collect_walk *walk, struct level *level)
{
	static const unsigned has[RULES_KIND_NR] = {
		[RULES_BALE] = LIST_HAS_BALEIGNORE,
		[RULES_IGNORE] = LIST_HAS_IGNORE,
		[RULES_GIT] = LIST_HAS_GITIGNORE,
	};

	for (int kind = 0; kind < RULES_KIND_NR; kind++) {
		const struct rule_file *outer = level->chain[kind];
		const struct rule_place place = { &walk->rules, outer,
						  level->full_bytes,
						  level->tree->fold };
		int error;

		if (walk->options.no_ignore || !(level->list.has & has[kind]))
			continue;
		error = rule_file_open(&level->chain[kind], &place, level->fd,
				       rules_names[kind], false);
		if (error != 0)
			return error;
		if (level->chain[kind] != outer)
			level->own[kind] = level->chain[kind];
	}
	return 0;
}

/* A level for the deepest directory, without its names and rules. */
static int
level_push(struct collect_walk *walk, const struct level *like)
{
	struct level *level;
	struct list list;

	size_t room = walk->level_room;

	if (ARRAY_RESERVE(walk->levels, walk->level_room, walk->level_nr + 1) !=
	    0)
		return -ENOMEM;
	memset(walk->levels + room, 0,
	       (walk->level_room - room) * sizeof(*walk->levels));
	level = &walk->levels[walk->level_nr++];
	list = level->list;
	*level = *like;
	level->list = list; /* its memory is used again */
	level->show_bytes = walk->show.bytes;
	level->full_bytes = walk->full.bytes;
	memset(level->own, 0, sizeof(level->own));
	level->owns_tree = false;
	return 0;
}

void
level_leave(struct collect_walk *walk)
{
	level_close(walk, top_level(walk));
	walk->level_nr--;
}

/* Names of a directory, or of a tree of a commit. */
static int
fill(struct collect_walk *walk, struct level *level,
     const struct list_from *from)
{
	return walk->rev != NULL
		       ? rev_fill(walk, level, from)
		       : list_fill(&level->list, &walk->tools, level->fd, from);
}

int
level_refill_from(struct collect_walk *walk, const struct list_from *from)
{
	return fill(walk, top_level(walk), from);
}

/*
 * After coming back to a level: opens it again and lists it again, if need
 * be. The name of the directory that was left is still in walk->show.
 */
static int
level_revive(struct collect_walk *walk)
{
	struct level *level = top_level(walk);
	const struct walk_root *root = &walk->roots[walk->root_idx];
	const struct list_from from = {
		.text = walk->show.text + level->show_bytes,
		.bytes = level->child_bytes,
		.is_dir = true,
	};
	struct stat st;

	if (level->fd < 0 && walk->rev == NULL) {
		int fd = open_directory_deep(
			root->fd, walk->show.text + root->show_bytes,
			level->show_bytes - root->show_bytes - 1);

		if (fd < 0)
			return fd;
		if (fstat(fd, &st) != 0 || st.st_dev != level->identity.dev ||
		    st.st_ino != level->identity.ino) {
			close(fd);
			return -ESTALE;
		}
		level->fd = fd;
		walk->open_nr++;
	}
	if (level->list.is_known)
		return 0;
	return level_refill_from(walk, &from);
}

/* The next window of a directory that is larger than one. */
static int
level_next_window(struct collect_walk *walk, struct level *level)
{
	char last[LIST_PART_BYTES_MAX];
	const struct collect_name *name =
		&level->list.names[level->list.name_nr - 1];
	const struct list_from from = {
		.text = last,
		.bytes = name->bytes,
		.is_dir = name->type == COLLECT_DIR,
	};

	memcpy(last, level->list.text + name->off, name->bytes);
	return level_refill_from(walk, &from);
}

/* A work tree that begins below a root that is in none. */
static int
level_begin_tree(struct collect_walk *walk, struct level *level)
{
	struct git_tree *tree = calloc(1, sizeof(*tree));
	int error;

	if (tree == NULL)
		return -ENOMEM;
	error = git_tree_open(tree, &walk->user, level->fd, level->full_bytes,
			      false);
	if (error != 0 || !tree->is_tree) {
		git_tree_close(tree, &walk->rules);
		free(tree);
		return error;
	}
	level->tree = tree;
	level->owns_tree = true;
	if (!walk->options.no_ignore)
		level->chain[RULES_GIT] = tree->outer[RULES_GIT];
	return 0;
}

/* A repository that is no part of the one around it, as git sees it. */
static bool
is_foreign(const struct collect_walk *walk, const struct level *level)
{
	const struct path *full = &walk->full;

	return (level->list.has & LIST_HAS_GIT) && level->tree->is_tree &&
	       git_is_top(level->fd) &&
	       git_tree_tracks(level->tree, full->text, full->bytes) ==
		       GIT_UNTRACKED;
}

/* Why a directory is left out by what it holds, unless git tracks that. */
static enum reason
left_out_with(const struct collect_walk *walk, const struct level *level)
{
	enum reason reason =
		(enum reason)collect_left_out_with(level->list.has);
	bool is_tracked = walk->rev != NULL ||
			  git_tree_tracks(level->tree, walk->full.text,
					  walk->full.bytes) == GIT_TRACKED;

	return is_tracked ? REASON_NONE : reason;
}

/* Names and rules of the deepest directory. */
static int
level_fill(struct collect_walk *walk, enum reason *reason)
{
	const struct list_from from = { 0 };
	struct level *level = top_level(walk);
	int error = fill(walk, level, &from);

	if (error != 0) {
		*reason = collect_error_reason(error);
		return is_shortage(error) ? error : 0;
	}
	if (walk->level_nr > 1 && is_foreign(walk, level))
		*reason = REASON_REPOSITORY;
	else if (walk->level_nr > 1 &&
		 collect_walk_is_output(walk, &level->identity))
		*reason = REASON_OUTPUT;
	if (*reason != REASON_NONE)
		return 0;
	if (walk->level_nr > 1 && walk->options.default_excludes)
		*reason = left_out_with(walk, level);
	if (*reason != REASON_NONE && walk_forces_below(walk)) {
		level->forced_from = (uint8_t)*reason;
		*reason = REASON_NONE;
	}
	if (*reason != REASON_NONE)
		return 0;
	if ((level->list.has & LIST_HAS_GIT) && !level->tree->is_tree)
		error = level_begin_tree(walk, level);
	if (error == 0)
		error = level_read_rules(walk, level);
	if (error == 0)
		drop_names(walk);
	return error;
}

int
level_enter(struct collect_walk *walk, const struct level *like, int fd,
	    enum reason *reason)
{
	int error = level_push(walk, like);

	if (error != 0) {
		if (walk->level_nr > 0 && fd >= 0)
			close(fd);
		return error;
	}
	top_level(walk)->fd = fd;
	walk->open_nr += walk->level_nr > 1 && fd >= 0;
	while (walk->open_nr > walk->options.fd_max && close_one(walk))
		;
	error = level_fill(walk, reason);
	if (error != 0 || *reason != REASON_NONE)
		level_leave(walk);
	return error;
}

int
level_enter_file(struct collect_walk *walk, const struct level *like)
{
	const struct walk_root *root = &walk->roots[walk->root_idx];
	int error = level_push(walk, like);

	if (error != 0)
		return error;
	top_level(walk)->fd = root->fd;
	error = list_fill_one(&top_level(walk)->list, &walk->tools, root->fd,
			      root->name);
	if (error != 0)
		level_leave(walk);
	return error;
}

int
level_refill(struct collect_walk *walk)
{
	struct level *level = top_level(walk);
	struct list *list = &level->list;

	if ((level->fd < 0 && walk->rev == NULL) || !list->is_known)
		return level_revive(walk);
	if (list->pos == list->name_nr && list->is_cut)
		return level_next_window(walk, level);
	return 0;
}
