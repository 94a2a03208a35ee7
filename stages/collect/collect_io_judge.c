/* SPDX-License-Identifier: MIT */
/*
 * collect_io_judge.c - what rules and options say about a name of the walk.
 *
 * Does: --exclude, --force-include, --include, hidden directories, ignore
 *       files, what git tracks, and what is left out by default, in this order.
 *       What becomes of a file that is kept by these.
 * Does not: move the walk.
 * Invariants:
 * 1. A verdict depends on the tree and the options alone, never on how the
 *    walk came to the name.
 */
#include "stages/collect/collect_io_walk.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>

#include "base/array.h"

enum reason
collect_error_reason(int error)
{
	switch (error) {
	case 0:
		return REASON_NONE;
	case -ENOENT:
	case -ENOTDIR: /* a directory of its path was replaced */
		return REASON_VANISHED;
	case -ELOOP:
	case -EXDEV:
		return REASON_SYMLINK;
	case -ENXIO:
	case -ENODEV:
		return REASON_SPECIAL;
	case -ESTALE:
	case -EISDIR:
		return REASON_CHANGED;
	case -ETIMEDOUT:
		return REASON_TIMEOUT;
	case -EFBIG:
		return REASON_TOO_LARGE;
	default:
		return REASON_UNREADABLE;
	}
}

int
path_append(struct path *path, const char *text, size_t bytes)
{
	if (ARRAY_RESERVE(path->text, path->room, path->bytes + bytes) != 0)
		return -ENOMEM;
	if (bytes > 0)
		memcpy(path->text + path->bytes, text, bytes);
	path->bytes += bytes;
	return 0;
}

/* Whether git has the path of walk->full in its index. */
static enum git_tracked
is_tracked(struct collect_walk *walk, struct level *level, bool is_dir)
{
	struct path *full = &walk->full;
	enum git_tracked tracked;

	if (level->tree->index == NULL)
		return GIT_UNTRACKED;
	if (is_dir && path_append(full, "/", 1) != 0)
		return GIT_UNTRACKED;
	tracked = git_tree_tracks(level->tree, full->text, full->bytes);
	full->bytes -= is_dir;
	return tracked;
}

/* Whether --include names the path of walk->full, or is not given. */
bool
walk_is_included(const struct collect_walk *walk, const struct level *level,
		 bool is_dir)
{
	const struct path *full = &walk->full;
	size_t root = walk->prefix_bytes;

	return walk->include == NULL || level->is_included ||
	       rule_chain_match(walk->include, full->text + root,
				full->bytes - root, level->full_bytes - root,
				is_dir) == IGNORE_EXCLUDE;
}

/* .clang-format belongs to a tree as git sees it; .venv does not. */
static bool
is_hidden(const struct collect_walk *walk, const struct level *level,
	  bool is_dir)
{
	return is_dir && !walk->options.hidden && !level->tree->is_tree &&
	       walk->full.text[level->full_bytes] == '.';
}

/* What the rules before git's say: the first that has an opinion. */
static enum ignore_verdict
own_rules_say(const struct collect_walk *walk, const struct level *level,
	      bool is_dir)
{
	enum ignore_verdict verdict = IGNORE_NO_RULE;

	for (int kind = 0; kind < RULES_GIT && verdict == IGNORE_NO_RULE;
	     kind++)
		verdict = rule_chain_match(level->chain[kind], walk->full.text,
					   walk->full.bytes, level->full_bytes,
					   is_dir);
	return verdict;
}

bool
walk_forces_below(const struct collect_walk *walk)
{
	const char *path = walk->full.text + walk->prefix_bytes;
	size_t bytes = walk->full.bytes - walk->prefix_bytes;

	/* between its names a directory of the walk ends with '/' */
	bytes -= bytes > 0 && path[bytes - 1] == '/';
	return globs_reach_below(walk->options.forced, walk->options.forced_nr,
				 path, bytes);
}

/* Whether --force-include names the path of walk->full. */
bool
walk_is_forced(const struct collect_walk *walk)
{
	size_t root = walk->prefix_bytes;

	return globs_name_path(walk->options.forced, walk->options.forced_nr,
			       (const uint8_t *)walk->full.text + root,
			       walk->full.bytes - root);
}

/* What ignore files say about the path of walk->full. */
static enum judgement
judge_by_rules(struct collect_walk *walk, struct level *level, bool is_dir)
{
	const struct path *full = &walk->full;
	size_t name = level->full_bytes;
	enum ignore_verdict verdict;
	enum git_tracked tracked;

	if (is_hidden(walk, level, is_dir))
		return JUDGE_HIDE;
	if (walk->options.no_ignore)
		return JUDGE_KEEP;
	verdict = own_rules_say(walk, level, is_dir);
	if (verdict == IGNORE_EXCLUDE)
		return JUDGE_IGNORE;
	if (verdict == IGNORE_NO_RULE)
		verdict = rule_chain_match(level->chain[RULES_GIT], full->text,
					   full->bytes, name, is_dir);
	if (verdict != IGNORE_EXCLUDE && !level->is_tracked_only && !is_dir)
		return JUDGE_KEEP;
	tracked = is_tracked(walk, level, is_dir);
	if (tracked == GIT_SUBMODULE)
		return JUDGE_SUBMODULE;
	if (verdict != IGNORE_EXCLUDE && !level->is_tracked_only)
		return JUDGE_KEEP;
	return tracked == GIT_TRACKED ? JUDGE_KEEP_TRACKED : JUDGE_IGNORE;
}

/* Notes which --exclude names a path below a root; a directory ends in '/'. */
void
walk_note_exclude(struct collect_walk *walk, const char *path, size_t bytes)
{
	const struct collect_options *options = &walk->options;
	uint64_t *met = &walk->counts.excludes_met;

	for (uint32_t i = 0; i < options->exclude_nr; i++)
		if (i < EXCLUDES_NOTED_MAX && (*met >> i & 1) == 0 &&
		    glob_names_path(options->exclude[i], path, bytes))
			*met |= 1ull << i;
}

/* Whether --exclude names the path of walk->full. */
static bool
is_excluded(struct collect_walk *walk, const struct level *level, bool is_dir)
{
	struct path *full = &walk->full;
	size_t root = walk->prefix_bytes;

	if (rule_chain_match(walk->exclude, full->text + root,
			     full->bytes - root, level->full_bytes - root,
			     is_dir) != IGNORE_EXCLUDE)
		return false;
	if (!is_dir) {
		walk_note_exclude(walk, full->text + root, full->bytes - root);
	} else if (path_append(full, "/", 1) == 0) {
		walk_note_exclude(walk, full->text + root, full->bytes - root);
		full->bytes--;
	}
	return true;
}

/* What rules and options say about it. */
enum judgement
walk_judge(struct collect_walk *walk, struct level *level, bool is_dir)
{
	enum judgement judgement = JUDGE_IGNORE;

	if (is_excluded(walk, level, is_dir))
		return JUDGE_EXCLUDE;
	if (walk_is_forced(walk))
		return JUDGE_KEEP;
	if (!is_dir && !walk_is_included(walk, level, false))
		return JUDGE_EXCLUDE;
	if (level->forced_from == REASON_NONE)
		judgement = judge_by_rules(walk, level, is_dir);
	if ((judgement == JUDGE_IGNORE || judgement == JUDGE_HIDE) && is_dir &&
	    walk_forces_below(walk))
		return JUDGE_KEEP_FORCED;
	return judgement;
}

/* Why a directory is left out by its name and what lies beside it. */
enum reason
walk_left_out_dir(struct collect_walk *walk, struct level *level,
		  const struct collect_name *name)
{
	struct collect_left_out it = collect_left_out_dir(
		level->list.text + name->off, name->bytes, level->list.has);

	if (it.reason == REASON_NONE || !walk->options.default_excludes ||
	    name->mark == MARK_MODULE)
		return REASON_NONE;
	if (!it.even_tracked &&
	    (walk->rev != NULL ||
	     is_tracked(walk, level, true) != GIT_UNTRACKED))
		return REASON_NONE;
	return (enum reason)it.reason;
}

bool
collect_walk_is_output(const struct collect_walk *walk,
		       const struct file_identity *identity)
{
	for (uint32_t i = 0; i < walk->output_nr; i++) {
		if (same_identity(&walk->outputs[i], identity))
			return true;
	}
	return false;
}

/* Whether a marked name is an output; its number alone can be another's. */
static bool
is_output(const struct collect_walk *walk, const struct collect_entry *entry)
{
	struct file_identity identity;
	struct stat st;

	if (fstatat(entry->dir_fd, entry->name, &st, AT_SYMLINK_NOFOLLOW) != 0)
		return false;
	identity.dev = st.st_dev;
	identity.ino = st.st_ino;
	return collect_walk_is_output(walk, &identity);
}

void
walk_finish_file(const struct collect_walk *walk, struct collect_entry *entry,
		 bool may_be_output, bool was_named)
{
	size_t bytes = strlen(entry->name);
	struct collect_labels labels =
		collect_kind_file_labels(&walk->kinds, entry->name, bytes);

	entry->lang =
		(uint8_t)collect_kind_lang(&walk->kinds, entry->name, bytes);
	entry->marks |= labels.marks;
	if (may_be_output && is_output(walk, entry))
		entry->reason = REASON_OUTPUT;
	else if (entry->type == COLLECT_LINK)
		entry->reason = REASON_SYMLINK;
	else if (entry->type == COLLECT_DIR)
		entry->reason = REASON_DIRECTORY;
	else if (entry->type != COLLECT_FILE)
		entry->reason = REASON_SPECIAL;
	else if (entry->marks & MARK_SECRET)
		entry->reason = REASON_SECRET;
	else if (walk->options.default_excludes && !was_named)
		entry->reason = labels.reason;
}
