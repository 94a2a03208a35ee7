/* SPDX-License-Identifier: MIT */
/*
 * collect_io_walk.c - moves the walk from one entry to the next.
 *
 * Does: descends, comes back, leaves out what rules and options name, and
 *       finds its place again after a restart.
 * Does not: open files; log.
 * Invariants:
 * 1. The deepest level has its descriptor and its names; shallower ones may
 *    have lost either for want of room, and get them back on the way back.
 *    A directory that is opened again must be the same (device and inode).
 * 2. The place in a level moves on only when all about a name is settled, so
 *    that a call that failed for want of descriptors can be made again.
 * 3. What is decided about a name depends on the tree and the options alone,
 *    never on how the walk came there.
 * Limits: memory is that of the names of one directory or listing_bytes_max,
 *         whichever is less, the rules that hold, and depth_max levels.
 */
#include "stages/collect/collect_io_walk.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/open_below.h"

#define NAMES_PER_TELL 4096

/* What became of a name. */
enum fate { FATE_PASSED = 0, FATE_ENTRY, FATE_ENTERED };

/* A name is looked at: many may be, before there is one to give. */
static void
pass(struct collect_walk *walk)
{
	if (++walk->passed_nr % NAMES_PER_TELL == 0 &&
	    walk->options.walking != NULL)
		walk->options.walking(walk->options.context);
}

static int
set_paths(struct collect_walk *walk, const struct level *level,
	  const char *text, size_t bytes)
{
	int error;

	walk->show.bytes = level->show_bytes;
	walk->full.bytes = level->full_bytes;
	error = path_append(&walk->show, text, bytes);
	if (error == 0)
		error = path_append(&walk->full, text, bytes);
	return error;
}

static int
end_paths(struct collect_walk *walk)
{
	int error = path_append(&walk->show, "/", 1);

	return error != 0 ? error : path_append(&walk->full, "/", 1);
}

/* With rev, what a name stands for. */
static const uint8_t *
object_of(struct collect_walk *walk, const struct collect_name *name)
{
	if (walk->rev == NULL)
		return NULL;
	return (const uint8_t *)top_level(walk)->list.text + name->off +
	       name->bytes + 1;
}

static enum fate
give_entry(struct collect_walk *walk, const struct collect_name *name,
	   enum reason reason, struct collect_entry *entry)
{
	struct level *level = top_level(walk);

	*entry = (struct collect_entry){
		.path = walk->show.text,
		.path_bytes = walk->show.bytes,
		.name = level->list.text + name->off,
		.dir_fd = level->fd,
		.object = object_of(walk, name),
		.root = walk->root_idx,
		.root_bytes = walk->roots[walk->root_idx].show_bytes,
		.type = name->type,
		.reason = (uint8_t)reason,
		.marks = level->marks,
	};
	return FATE_ENTRY;
}

/* A name that is left out without being looked at. */
static void
count_passed(struct collect_counts *counts, const struct collect_name *name,
	     enum judgement why)
{
	bool is_dir = name->type == COLLECT_DIR && name->mark != MARK_MODULE;

	if (why == JUDGE_HIDE)
		counts->hidden_dirs++;
	else if (why == JUDGE_EXCLUDE)
		*(is_dir ? &counts->excluded_dirs : &counts->excluded_files) +=
			1;
	else
		*(is_dir ? &counts->ignored_dirs : &counts->ignored_files) += 1;
}

static enum fate
give_file(struct collect_walk *walk, const struct collect_name *name,
	  struct collect_entry *entry)
{
	give_entry(walk, name, REASON_NONE, entry);
	walk_finish_file(walk, entry, (name->mark & MARK_OUTPUT) != 0,
			 top_level(walk)->is_named || walk_is_forced(walk));
	return FATE_ENTRY;
}

/* ---- directories ------------------------------------------------------- */

/* Counts a directory that is about to be entered, and tells who wants to know;
 * false: it is the one that is not to be. */
static bool
walk_may_enter(struct collect_walk *walk)
{
	walk->entered_nr++;
	if (walk->entered_nr == walk->skip_dir)
		return false;
	if (walk->options.entering != NULL)
		walk->options.entering(walk->options.context, walk->entered_nr);
	return true;
}

/* Opens a directory of the deepest level, and says which it is; -errno. */
static int
open_directory_of(struct collect_walk *walk, const char *name,
		  struct file_identity *identity)
{
	int fd = level_open(walk, top_level(walk)->fd, name);
	struct stat st;
	int error;

	if (fd < 0 || fstat(fd, &st) == 0) {
		if (fd >= 0)
			*identity =
				(struct file_identity){ st.st_dev, st.st_ino };
		return fd;
	}
	error = -errno;
	close(fd);
	return error;
}

/* A directory that no rule leaves out, or of which --force-include may name
 * something: then the reason that the rest is left out for. */
static int
enter(struct collect_walk *walk, const struct collect_name *name,
      enum judgement judgement, enum reason forced_from,
      struct collect_entry *entry)
{
	struct level *parent = top_level(walk);
	const char *text = parent->list.text + name->off;
	enum reason reason = REASON_NONE;
	struct level like = *parent;
	int fd = -1;
	int error;

	like.is_included = walk_is_included(walk, parent, true);
	error = end_paths(walk);
	if (error != 0)
		return error;
	if (walk->level_nr > walk->options.depth_max)
		return (int)give_entry(walk, name, REASON_DEPTH, entry);
	if (walk->rev != NULL && rev_is_root(walk))
		return FATE_PASSED;
	if (walk->rev != NULL && !rev_may_enter(walk))
		return (int)give_entry(walk, name, REASON_DEPTH, entry);
	if (!walk_may_enter(walk))
		return (int)give_entry(walk, name, REASON_TIMEOUT, entry);
	if (walk->rev != NULL) {
		memcpy(like.object, object_of(walk, name), sizeof(like.object));
	} else {
		fd = open_directory_of(walk, text, &like.identity);
		if (is_shortage(fd))
			return fd;
		if (fd < 0)
			return (int)give_entry(walk, name,
					       collect_error_reason(fd), entry);
		if (walk_is_root(walk, &like.identity)) {
			close(fd);
			return FATE_PASSED;
		}
	}
	like.marks |= (uint8_t)collect_kind_dir_labels(text, name->bytes);
	like.is_tracked_only |= judgement == JUDGE_KEEP_TRACKED;
	if (like.forced_from == REASON_NONE)
		like.forced_from = (uint8_t)forced_from;
	error = level_enter(walk, &like, fd, &reason);
	if (error != 0)
		return error;
	if (reason != REASON_NONE)
		return (int)give_entry(walk, name, reason, entry);
	return FATE_ENTERED;
}

/* Whether a directory that is not entered here is one of the other roots. */
static bool
is_other_root(struct collect_walk *walk, const struct collect_name *name)
{
	const char *text = top_level(walk)->list.text + name->off;
	struct file_identity identity;
	int fd;

	if (walk->root_nr < 2 || name->type != COLLECT_DIR)
		return false;
	if (walk->rev != NULL)
		return rev_is_root(walk);
	fd = open_directory_of(walk, text, &identity);
	if (fd < 0)
		return false;
	close(fd);
	return walk_is_root(walk, &identity);
}

/* The entry of a name of which nothing is looked at. */
static int
give_left_out(struct collect_walk *walk, const struct collect_name *name,
	      enum reason reason, struct collect_entry *entry)
{
	int error = name->type == COLLECT_DIR ? end_paths(walk) : 0;

	if (error == 0 && is_other_root(walk, name))
		return FATE_PASSED;
	return error != 0 ? error : (int)give_entry(walk, name, reason, entry);
}

/* A name that a rule or an option leaves out. */
static int
pass_over(struct collect_walk *walk, const struct collect_name *name,
	  enum judgement why, struct collect_entry *entry)
{
	enum reason reason = (enum reason)top_level(walk)->forced_from;

	if (is_other_root(walk, name))
		return FATE_PASSED;
	if (why == JUDGE_IGNORE && reason != REASON_NONE &&
	    reason != REASON_IGNORED)
		return give_left_out(walk, name, reason, entry);
	count_passed(&walk->counts, name, why);
	if (!walk->options.list_ignored)
		return FATE_PASSED;
	return give_left_out(walk, name, REASON_IGNORED, entry);
}

/* A name that none does. */
static int
take(struct collect_walk *walk, const struct collect_name *name,
     enum judgement judgement, struct collect_entry *entry)
{
	enum reason reason;

	if (name->type != COLLECT_DIR)
		return (int)give_file(walk, name, entry);
	reason = walk_is_forced(walk)
			 ? REASON_NONE
			 : walk_left_out_dir(walk, top_level(walk), name);
	if (reason != REASON_NONE && !walk_forces_below(walk))
		return give_left_out(walk, name, reason, entry);
	if (reason == REASON_NONE && judgement == JUDGE_KEEP_FORCED)
		reason = REASON_IGNORED;
	return enter(walk, name, judgement, reason, entry);
}

/* What becomes of one name: enum fate or -errno. */
static int
consider(struct collect_walk *walk, const struct collect_name *name,
	 struct collect_entry *entry)
{
	struct level *level = top_level(walk);
	const char *text = level->list.text + name->off;
	bool is_dir = name->type == COLLECT_DIR;
	enum judgement judgement;
	int error;

	if (name->bytes == 4 && memcmp(text, ".git", 4) == 0 &&
	    !level->is_named)
		return FATE_PASSED;
	error = set_paths(walk, level, text, name->bytes);
	if (error != 0)
		return error;
	if (level->is_named)
		return (int)give_file(walk, name, entry);
	if (!is_dir &&
	    (walk->rev != NULL
		     ? rev_is_root_file(walk)
		     : walk_is_root_file(walk, &level->identity, text)))
		return FATE_PASSED;
	judgement = walk_judge(walk, level, is_dir);
	if (judgement == JUDGE_SUBMODULE ||
	    (judgement == JUDGE_KEEP && name->mark == MARK_MODULE)) {
		error = end_paths(walk);
		return error != 0 ? error
				  : (int)give_entry(walk, name,
						    REASON_REPOSITORY, entry);
	}
	if (judgement != JUDGE_KEEP && judgement != JUDGE_KEEP_TRACKED &&
	    judgement != JUDGE_KEEP_FORCED)
		return pass_over(walk, name, judgement, entry);
	return take(walk, name, judgement, entry);
}

/* Settles the next name of the deepest level: enum fate or -errno. */
static int
step(struct collect_walk *walk, struct collect_entry *entry)
{
	size_t idx = walk->level_nr - 1;
	struct level *level = &walk->levels[idx];
	const struct collect_name *name = &level->list.names[level->list.pos];
	int fate;

	pass(walk);
	level->child_bytes = name->bytes;
	fate = consider(walk, name, entry);
	/* Entering may have cost this level its names. */
	level = &walk->levels[idx];
	if (fate >= 0 && level->list.is_known)
		level->list.pos++;
	return fate;
}

/* ---- roots ------------------------------------------------------------- */

static void
end_root(struct collect_walk *walk)
{
	while (walk->level_nr > 0)
		level_leave(walk);
	walk->root_begun = false;
}

static int
enter_root(struct collect_walk *walk, enum reason *reason)
{
	struct walk_root *root = &walk->roots[walk->root_idx];
	struct level like = {
		.fd = walk->rev != NULL ? -1 : root->fd,
		.identity = root->identity,
		.tree = &root->tree,
		.is_named = root->name != NULL,
	};
	int error;

	walk->show.bytes = 0;
	walk->full.bytes = 0;
	walk->prefix_bytes = root->tree.prefix_bytes;
	error = path_append(&walk->show, root->show, root->show_bytes);
	if (error == 0)
		error = path_append(&walk->full, root->tree.prefix,
				    root->tree.prefix_bytes);
	if (error != 0)
		return error;
	if (walk->rev != NULL)
		memcpy(like.object, rev_root(walk), sizeof(like.object));
	for (int kind = 0; kind < RULES_KIND_NR && !walk->options.no_ignore;
	     kind++)
		like.chain[kind] = root->tree.outer[kind];
	if (like.is_named)
		return level_enter_file(walk, &like);
	return level_enter(walk, &like, like.fd, reason);
}

/* An entry for a root or a directory on the way that is lost. */
static enum fate
give_lost(struct collect_walk *walk, size_t show_bytes, enum reason reason,
	  struct collect_entry *entry)
{
	walk->show.bytes = show_bytes;
	*entry = (struct collect_entry){
		.path = show_bytes > 0 ? walk->show.text : "./",
		.path_bytes = show_bytes > 0 ? show_bytes : 2,
		.name = "",
		.dir_fd = -1,
		.root = walk->root_idx,
		.root_bytes = walk->roots[walk->root_idx].show_bytes,
		.type = COLLECT_DIR,
		.reason = (uint8_t)reason,
	};
	return FATE_ENTRY;
}

/* With rev: the entry of a path that was named, of which no directory is
 * walked. */
static int
give_below_root(struct collect_walk *walk, const char *path, size_t bytes,
		struct collect_entry *entry)
{
	const struct walk_root *root = &walk->roots[walk->root_idx];

	walk->show.bytes = 0;
	if (path_append(&walk->show, root->show, root->show_bytes) != 0 ||
	    path_append(&walk->show, path, bytes) != 0)
		return -ENOMEM;
	rev_look_up(walk, path, bytes, entry);
	return FATE_ENTRY;
}

/* FATE_PASSED: the root at root_idx is begun; FATE_ENTRY: it cannot be. */
static int
begin_root(struct collect_walk *walk, struct collect_entry *entry)
{
	const struct walk_root *root = &walk->roots[walk->root_idx];
	enum reason reason = REASON_NONE;
	int error;

	if (walk->rev != NULL && root->name != NULL) {
		walk->root_begun = true;
		return give_below_root(walk, root->name, strlen(root->name),
				       entry);
	}
	error = enter_root(walk, &reason);
	if (error != 0)
		return error;
	walk->root_begun = true;
	if (reason == REASON_NONE)
		return FATE_PASSED;
	return (int)give_lost(walk, walk->show.bytes, reason, entry);
}

/* FATE_PASSED: the deepest level is whole; FATE_ENTRY: it was lost. */
static int
refill(struct collect_walk *walk, struct collect_entry *entry)
{
	int error = level_refill(walk);
	size_t show_bytes = top_level(walk)->show_bytes;

	if (error == 0 || is_shortage(error))
		return error;
	level_leave(walk);
	return (int)give_lost(walk, show_bytes, collect_error_reason(error),
			      entry);
}

/* ---- a list in place of a walk ------------------------------------------ */

static int
give_listed(struct collect_walk *walk, const char *path, size_t bytes,
	    struct collect_entry *entry)
{
	const struct walk_root *root = &walk->roots[0];
	const char *slash = memrchr(path, '/', bytes);
	int dir_fd = -1;
	int error;

	if (walk->rev != NULL)
		return give_below_root(walk, path, bytes, entry);
	walk->show.bytes = 0;
	if (path_append(&walk->show, root->show, root->show_bytes) != 0 ||
	    path_append(&walk->show, path, bytes) != 0)
		return -ENOMEM;
	error = files_open_dir(&walk->files, root->fd, &dir_fd);
	if (is_shortage(error))
		return error;
	*entry = (struct collect_entry){
		.path = walk->show.text,
		.path_bytes = walk->show.bytes,
		.root_bytes = root->show_bytes,
		.name = slash == NULL ? path : slash + 1,
		.dir_fd = dir_fd,
		.reason = (uint8_t)collect_error_reason(error),
	};
	if (error != 0)
		return FATE_ENTRY;
	entry->type = (uint8_t)list_look_at(dir_fd, entry->name);
	walk_finish_file(walk, entry, true, true);
	return FATE_ENTRY;
}

static int
next_listed(struct collect_walk *walk, struct collect_entry *entry)
{
	struct files *files = &walk->files;
	int fate = FATE_PASSED;

	while (fate == FATE_PASSED && files->pos < files->nr) {
		const struct files_path *it = &files->paths[files->pos];

		pass(walk);
		if (rule_chain_names(walk->exclude, it->text, it->bytes)) {
			walk_note_exclude(walk, it->text, it->bytes);
			walk->counts.excluded_files++;
		} else if (walk->include != NULL &&
			   !rule_chain_names(walk->include, it->text,
					     it->bytes)) {
			walk->counts.excluded_files++;
		} else {
			fate = give_listed(walk, it->text, it->bytes, entry);
		}
		if (fate >= 0)
			files->pos++;
	}
	return fate == FATE_ENTRY ? 1 : fate;
}

/* ---- the outside -------------------------------------------------------- */

int
collect_walk_next(struct collect_walk *walk, struct collect_entry *entry)
{
	int fate = FATE_PASSED;

	if (walk->files.paths != NULL)
		return next_listed(walk, entry);
	while (fate == FATE_PASSED || fate == FATE_ENTERED) {
		if (walk->level_nr > 0) {
			fate = refill(walk, entry);
			if (fate != FATE_PASSED)
				break;
			if (top_level(walk)->list.pos <
			    top_level(walk)->list.name_nr)
				fate = step(walk, entry);
			else
				level_leave(walk);
			continue;
		}
		if (walk->root_begun) {
			end_root(walk);
			walk->root_idx++;
		} else if (walk->root_idx == walk->root_nr) {
			return 0;
		} else if (walk->roots[walk->root_idx].is_double) {
			walk->root_idx++;
		} else {
			fate = begin_root(walk, entry);
		}
	}
	return fate == FATE_ENTRY ? 1 : fate;
}

/* ---- restart ----------------------------------------------------------- */

/*
 * Goes down along the path as far as it still is there, and leaves each level
 * behind the component that it went through.
 */
static int
descend(struct collect_walk *walk, const char *path, size_t bytes)
{
	struct collect_entry entry;
	int fate = FATE_ENTERED;

	while (fate == FATE_ENTERED && bytes > 0) {
		const char *slash = memchr(path, '/', bytes);
		size_t name_bytes =
			slash == NULL ? bytes : (size_t)(slash - path);
		size_t used = name_bytes + (slash != NULL);
		struct list_from from = {
			.text = path,
			.bytes = name_bytes,
			.is_dir = slash != NULL,
			.inclusive = slash != NULL && used < bytes,
		};
		struct level *level = top_level(walk);
		struct list *list = &level->list;
		int error;

		if (name_bytes > LIST_PART_BYTES_MAX)
			return -EINVAL;
		error = level_refill_from(walk, &from);
		if (error != 0)
			return error;
		if (!from.inclusive || list->name_nr == 0 ||
		    list->names[0].bytes != name_bytes ||
		    list->names[0].type != COLLECT_DIR ||
		    memcmp(list->text + list->names[0].off, path, name_bytes))
			return 0;
		fate = step(walk, &entry);
		path += used;
		bytes -= used;
	}
	return fate < 0 ? fate : 0;
}

int
collect_walk_seek(struct collect_walk *walk, uint32_t root_idx,
		  const char *path, size_t path_bytes)
{
	const struct collect_counts counts = walk->counts;
	const struct walk_root *root;
	struct collect_entry entry;
	int fate;

	if (root_idx >= walk->root_nr)
		return -EINVAL;
	root = &walk->roots[root_idx];
	if (root->show_bytes == 0 && path_bytes == 2 && path[0] == '.' &&
	    path[1] == '/')
		path_bytes = 0;
	if (path_bytes < root->show_bytes ||
	    memcmp(path, root->show, root->show_bytes) != 0)
		return -EINVAL;
	if (walk->files.paths != NULL) {
		files_seek(&walk->files, path + root->show_bytes,
			   path_bytes - root->show_bytes);
		return 0;
	}
	end_root(walk);
	walk->root_idx = root_idx;
	if (root->name != NULL || path_bytes == root->show_bytes) {
		walk->root_idx++;
		return 0;
	}
	walk->entered_nr = UINT32_MAX / 2; /* none is skipped on the way */
	fate = begin_root(walk, &entry);
	if (fate == FATE_PASSED)
		fate = descend(walk, path + root->show_bytes,
			       path_bytes - root->show_bytes);
	walk->counts = counts;
	walk->entered_nr = 0;
	return fate < 0 ? fate : 0;
}

void
collect_walk_rewind(struct collect_walk *walk, bool no_ignore)
{
	end_root(walk);
	walk->root_idx = 0;
	walk->files.pos = 0;
	walk->options.no_ignore |= no_ignore;
	walk->entered_nr = 0;
	walk->counts = (struct collect_counts){ 0 };
}
