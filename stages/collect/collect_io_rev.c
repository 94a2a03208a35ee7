/* SPDX-License-Identifier: MIT */
/*
 * collect_io_rev.c - a walk over the tree of a commit in place of directories.
 *
 * Does: the same entries in the same order as a walk over a checkout of the
 *       commit would give, but for ignore rules, which do not count here.
 * Does not: write a checkout, run filters, or follow submodules.
 * Invariants:
 * 1. The trees are those that collect_walk_resolve() found, whatever becomes
 *    of the branch meanwhile.
 * 2. A tree that git would not write is left out whole, under its own name.
 * Limits: DIRS_MAX directories, the rest is named and left out: a few trees can
 *         name each other so that they stand for more files than there are
 *         atoms.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "git/git.h"
#include "git/io_repo.h"
#include "stages/collect/collect_io_walk.h"

#define DIRS_MAX (1u << 20)

static_assert(COLLECT_OBJECT_BYTES == GIT_OID_RAWSZ, "SHA-1");
static_assert(REVTREE_NAME_BYTES == GIT_OID_RAWSZ, "SHA-1");
static_assert(COLLECT_WHY_BYTES == REPO_WHY_BYTES, "one text");

/* A directory of the commit that the walk is in. */
struct rev_level {
	git_odb_object *object;
	struct revtree tree;
	size_t show_bytes; /* of walk->show up to here, '/' included */
	uint8_t marks;     /* for all below */
	bool is_included;
};

/* A root in its repository. */
struct rev_root {
	struct repo repo;
	git_oid tree;
};

struct rev_walk {
	struct rev_root *roots; /* one a root of the walk */
	uint32_t root_nr;
	struct rev_level *levels;
	size_t level_nr;
	uint64_t dir_nr; /* directories read */
};

/* ---- roots ------------------------------------------------------------- */

int
rev_create(struct collect_walk *walk, const struct collect_options *options,
	   uint32_t *bad_root)
{
	char **paths = calloc(options->root_nr, sizeof(*paths));
	struct repo_allowed allowed = { (const char *const *)paths, 0 };
	char ignored[COLLECT_WHY_BYTES];
	char *why = options->why != NULL ? options->why : ignored;
	struct rev_walk *rev = calloc(1, sizeof(*rev));
	int error = 0;

	walk->rev = rev;
	if (paths == NULL || rev == NULL) {
		error = -ENOMEM;
		goto out;
	}
	rev->roots = calloc(options->root_nr, sizeof(*rev->roots));
	rev->levels = calloc(walk->depth_max + 1ul, sizeof(*rev->levels));
	if (rev->roots == NULL || rev->levels == NULL) {
		error = -ENOMEM;
		goto out;
	}
	*bad_root = 0;
	if (options->root_nr > COLLECT_REVS_MAX) {
		snprintf(why, COLLECT_WHY_BYTES,
			 "--rev takes no more than %d paths", COLLECT_REVS_MAX);
		error = -E2BIG;
		goto out;
	}
	error = gitlib_open(options->rev_memory_bytes);
	if (error != 0) {
		snprintf(why, COLLECT_WHY_BYTES, "--rev needs libgit2: %.400s",
			 gitlib_error());
		goto out;
	}
	for (uint32_t i = 0; i < options->root_nr; i++) {
		paths[allowed.nr] = realpath(options->roots[i], NULL);
		allowed.nr += paths[allowed.nr] != NULL;
	}
	for (uint32_t i = 0; i < walk->root_nr && error == 0; i++) {
		*bad_root = i;
		rev->root_nr = i + 1;
		error = repo_find(&rev->roots[i].repo, walk->roots[i].fd,
				  &allowed, why);
	}
out:
	for (size_t i = 0; i < allowed.nr; i++)
		free(paths[i]);
	free(paths);
	return error;
}

static void
leave(struct rev_walk *rev)
{
	gitlib.git_odb_object_free(rev->levels[--rev->level_nr].object);
}

void
rev_end_root(struct collect_walk *walk)
{
	while (walk->rev->level_nr > 0)
		leave(walk->rev);
}

void
rev_destroy(struct collect_walk *walk)
{
	struct rev_walk *rev = walk->rev;

	if (rev == NULL)
		return;
	rev_end_root(walk);
	for (uint32_t i = 0; i < rev->root_nr; i++)
		repo_close(&rev->roots[i].repo);
	free(rev->roots);
	free(rev->levels);
	free(rev);
}

uint32_t
collect_walk_reach(const struct collect_walk *walk, int *fds, uint32_t room)
{
	const struct rev_walk *rev = walk->rev;
	uint32_t nr = 0;

	for (uint32_t i = 0; i < rev->root_nr; i++) {
		if (nr + 2 + REPO_BORROWED_MAX > room)
			break;
		nr += repo_reach(&rev->roots[i].repo, fds + nr);
	}
	return nr;
}

/* ---- trees ------------------------------------------------------------- */

/* A tree that is one: 0 or -errno; -EINVAL: it is not. */
static int
read_tree(struct rev_root *root, const git_oid *oid, git_odb_object **object)
{
	int error = repo_read(&root->repo, oid, GIT_OBJECT_TREE, object);

	if (error == 0 && !revtree_valid(gitlib.git_odb_object_data(*object),
					 gitlib.git_odb_object_size(*object))) {
		gitlib.git_odb_object_free(*object);
		return -EINVAL;
	}
	return error;
}

/*
 * What a path leads to from a tree: 1: in *mode and *oid; 0: nothing; -errno
 */
static int
look_up(struct rev_root *root, const char *path, size_t bytes, uint32_t *mode,
	git_oid *oid)
{
	while (bytes > 0) {
		const char *slash = memchr(path, '/', bytes);
		size_t name = slash == NULL ? bytes : (size_t)(slash - path);
		struct revtree_entry entry;
		git_odb_object *object;
		bool found;
		int error;

		if (*mode != REVTREE_MODE_DIR)
			return 0;
		error = read_tree(root, oid, &object);
		if (error != 0)
			return error;
		found = revtree_find(gitlib.git_odb_object_data(object),
				     gitlib.git_odb_object_size(object), path,
				     name, &entry);
		if (found) {
			memcpy(oid->id, entry.object, sizeof(oid->id));
			*mode = entry.mode & REVTREE_MODE_KIND;
		}
		gitlib.git_odb_object_free(object);
		if (!found)
			return 0;
		name += slash != NULL;
		path += name;
		bytes -= name;
	}
	return 1;
}

static int
resolve(struct rev_root *root, const char *rev, struct collect_rev *what,
	char *why)
{
	git_oid commit;
	git_oid tree;
	int error =
		repo_resolve(&root->repo, rev, &tree, &commit, &what->time_s);

	if (error != 0) {
		snprintf(why, COLLECT_WHY_BYTES, "--rev %.200s: %.200s", rev,
			 gitlib_error());
		return error;
	}
	memcpy(what->commit, commit.id, sizeof(what->commit));
	memcpy(what->tree, tree.id, sizeof(what->tree));
	return 0;
}

/* The directory of a root in its tree. */
static int
enter_prefix(struct rev_root *root, const char *rev, char *why)
{
	const char *prefix = root->repo.prefix;
	uint32_t mode = REVTREE_MODE_DIR;
	int got = look_up(root, prefix, strlen(prefix), &mode, &root->tree);

	if (got == 1 && mode == REVTREE_MODE_DIR)
		return 0;
	if (got < 0)
		snprintf(why, COLLECT_WHY_BYTES, "--rev %.200s: %.200s", rev,
			 got == -EINVAL ? "damaged tree" : gitlib_error());
	else
		snprintf(why, COLLECT_WHY_BYTES,
			 "--rev %.200s has no directory %.200s", rev, prefix);
	return got < 0 ? got : -ENOENT;
}

int
collect_walk_resolve(struct collect_walk *walk, struct collect_rev *revs,
		     bool known, uint32_t *bad_root,
		     char why[COLLECT_WHY_BYTES])
{
	int error = 0;

	for (uint32_t i = 0; i < walk->rev->root_nr && error == 0; i++) {
		struct rev_root *root = &walk->rev->roots[i];

		*bad_root = i;
		error = repo_open(&root->repo);
		if (error != 0)
			snprintf(why, COLLECT_WHY_BYTES, "%.400s",
				 gitlib_error());
		if (error == 0 && !known)
			error = resolve(root, walk->rev_name, &revs[i], why);
		if (error != 0)
			break;
		memcpy(root->tree.id, revs[i].tree, sizeof(root->tree.id));
		/* a tree that was named stands for what was named with it */
		if (memcmp(revs[i].commit, (git_oid){ 0 }.id, GIT_OID_RAWSZ))
			error = enter_prefix(root, walk->rev_name, why);
	}
	return error;
}

/* ---- the walk ---------------------------------------------------------- */

static struct rev_level *
top(struct rev_walk *rev)
{
	return &rev->levels[rev->level_nr - 1];
}

/* Goes into the tree of walk->show: 0, or -errno. */
static int
enter(struct collect_walk *walk, const git_oid *oid, uint8_t marks,
      bool is_included)
{
	struct rev_walk *rev = walk->rev;
	git_odb_object *object;
	const uint8_t *data;
	int error;

	rev->dir_nr++;
	error = read_tree(&rev->roots[walk->root_idx], oid, &object);
	if (error != 0)
		return error;
	data = gitlib.git_odb_object_data(object);
	rev->levels[rev->level_nr++] = (struct rev_level){
		.object = object,
		.tree = { data, data + gitlib.git_odb_object_size(object) },
		.show_bytes = walk->show.bytes,
		.marks = marks,
		.is_included = is_included,
	};
	return 0;
}

/* An entry of what walk->show names. */
static void
give(struct collect_walk *walk, const struct revtree_entry *it,
     enum reason reason, struct collect_entry *entry)
{
	const struct walk_root *root = &walk->roots[walk->root_idx];

	*entry = (struct collect_entry){
		.path = walk->show.text,
		.path_bytes = walk->show.bytes,
		.root_bytes = root->show_bytes,
		.name = it->name,
		.dir_fd = -1,
		.object = it->object,
		.root = walk->root_idx,
		.type = COLLECT_DIR,
		.reason = (uint8_t)reason,
		.marks = walk->rev->level_nr > 0 ? top(walk->rev)->marks : 0,
	};
}

static void
give_file(struct collect_walk *walk, const struct revtree_entry *it,
	  bool was_named, struct collect_entry *entry)
{
	give(walk, it, REASON_NONE, entry);
	switch (it->mode & REVTREE_MODE_KIND) {
	case REVTREE_MODE_FILE:
		entry->type = COLLECT_FILE;
		break;
	case REVTREE_MODE_LINK:
		entry->type = COLLECT_LINK;
		break;
	case REVTREE_MODE_DIR:
		entry->type = COLLECT_DIR;
		break;
	default:
		entry->type = COLLECT_SPECIAL;
	}
	walk_finish_file(walk, entry, false, was_named);
}

/* Whether another root is this directory of the same repository. */
static bool
is_other_root(const struct collect_walk *walk, const char *path, size_t bytes)
{
	const struct rev_walk *rev = walk->rev;
	const struct repo *own = &rev->roots[walk->root_idx].repo;
	size_t prefix = strlen(own->prefix);

	for (uint32_t i = 0; i < rev->root_nr; i++) {
		const struct repo *other = &rev->roots[i].repo;
		size_t whole = strlen(other->prefix);

		if (i != walk->root_idx && walk->roots[i].name == NULL &&
		    strcmp(own->path, other->path) == 0 &&
		    whole == prefix + bytes &&
		    memcmp(other->prefix, own->prefix, prefix) == 0 &&
		    memcmp(other->prefix + prefix, path, bytes) == 0)
			return true;
	}
	return false;
}

/* The same for a file that was named. */
static bool
is_other_file(const struct collect_walk *walk, const char *path, size_t bytes)
{
	const struct rev_walk *rev = walk->rev;
	const struct repo *own = &rev->roots[walk->root_idx].repo;
	size_t own_bytes = strlen(own->prefix);

	for (uint32_t i = 0; i < rev->root_nr; i++) {
		const struct repo *other = &rev->roots[i].repo;
		const char *name = walk->roots[i].name;
		size_t prefix = strlen(other->prefix);
		size_t dir;

		if (name == NULL || strlen(name) > bytes ||
		    strcmp(own->path, other->path) != 0)
			continue;
		dir = bytes - strlen(name);
		if (prefix == own_bytes + dir &&
		    memcmp(other->prefix, own->prefix, own_bytes) == 0 &&
		    memcmp(other->prefix + own_bytes, path, dir) == 0 &&
		    memcmp(path + dir, name, bytes - dir) == 0)
			return true;
	}
	return false;
}

/* A directory that no option leaves out: 1: an entry for it; 0; -errno */
static int
consider_dir(struct collect_walk *walk, const struct revtree_entry *it,
	     bool is_included, struct collect_entry *entry)
{
	struct rev_walk *rev = walk->rev;
	uint8_t marks = top(rev)->marks;
	git_oid oid;
	int error;

	if (rev->level_nr > walk->depth_max || rev->dir_nr >= DIRS_MAX) {
		give(walk, it, REASON_DEPTH, entry);
		return 1;
	}
	if (!walk_may_enter(walk)) {
		give(walk, it, REASON_TIMEOUT, entry);
		return 1;
	}
	memcpy(oid.id, it->object, sizeof(oid.id));
	marks |= (uint8_t)collect_kind_dir_labels(it->name, it->bytes);
	error = enter(walk, &oid, marks, is_included);
	if (error == 0)
		return 0;
	give(walk, it, REASON_UNREADABLE, entry);
	return 1;
}

/* One name of the deepest level: 1: an entry for it; 0; -errno */
static int
consider(struct collect_walk *walk, const struct revtree_entry *it,
	 struct collect_entry *entry)
{
	const struct rev_level *level = top(walk->rev);
	size_t root = walk->roots[walk->root_idx].show_bytes;
	bool is_dir = revtree_is_dir(it);
	bool is_module =
		(it->mode & REVTREE_MODE_KIND) == REVTREE_MODE_SUBMODULE;
	bool is_included = level->is_included;
	const char *path;
	size_t bytes;

	walk->show.bytes = level->show_bytes;
	if (path_append(&walk->show, it->name, it->bytes) != 0)
		return -ENOMEM;
	path = walk->show.text + root;
	bytes = walk->show.bytes - root;
	if (rule_chain_match(walk->exclude, path, bytes,
			     level->show_bytes - root,
			     is_dir || is_module) == IGNORE_EXCLUDE) {
		*(is_dir ? &walk->counts.excluded_dirs
			 : &walk->counts.excluded_files) += 1;
		return 0;
	}
	if (walk->include != NULL && !is_included)
		is_included = rule_chain_match(walk->include, path, bytes,
					       level->show_bytes - root,
					       is_dir) == IGNORE_EXCLUDE;
	if (!is_dir && !is_module) {
		if (is_other_file(walk, path, bytes))
			return 0;
		if (walk->include != NULL && !is_included) {
			walk->counts.excluded_files++;
			return 0;
		}
		give_file(walk, it, false, entry);
		return 1;
	}
	if (path_append(&walk->show, "/", 1) != 0)
		return -ENOMEM;
	path = walk->show.text + root;
	if (is_dir && is_other_root(walk, path, bytes + 1))
		return 0;
	if (is_dir)
		return consider_dir(walk, it, is_included, entry);
	give(walk, it, REASON_REPOSITORY, entry);
	return 1;
}

/* The entry of a path that was named; `name` is what its rules go by: 1. */
static int
give_named(struct collect_walk *walk, struct rev_root *root, const char *path,
	   size_t bytes, const char *name, struct collect_entry *entry)
{
	struct revtree_entry it = {
		.name = name,
		.bytes = bytes - (size_t)(name - path),
	};
	static git_oid oid; /* outlives the entry */
	uint32_t mode = REVTREE_MODE_DIR;
	int got;

	oid = root->tree;
	got = look_up(root, path, bytes, &mode, &oid);
	it.object = oid.id;
	it.mode = mode;
	if (got == 1) {
		give_file(walk, &it, true, entry);
		return 1;
	}
	give(walk, &it, got < 0 ? REASON_UNREADABLE : REASON_VANISHED, entry);
	entry->type = COLLECT_FILE;
	return 1;
}

/* The file that was named, in its directory. */
static int
begin_file(struct collect_walk *walk, struct collect_entry *entry)
{
	const char *name = walk->roots[walk->root_idx].name;
	size_t bytes = strlen(name);

	if (path_append(&walk->show, name, bytes) != 0)
		return -ENOMEM;
	return give_named(walk, &walk->rev->roots[walk->root_idx], name, bytes,
			  name, entry);
}

/* 1: an entry in place of the root; 0: it is begun; -errno */
int
rev_begin_root(struct collect_walk *walk, struct collect_entry *entry)
{
	const struct walk_root *root = &walk->roots[walk->root_idx];
	struct rev_root *in = &walk->rev->roots[walk->root_idx];
	struct revtree_entry it = { .name = "" };
	int error;

	walk->show.bytes = 0;
	if (path_append(&walk->show, root->show, root->show_bytes) != 0)
		return -ENOMEM;
	walk->root_begun = true;
	if (root->name != NULL)
		return begin_file(walk, entry);
	error = enter(walk, &in->tree, 0, false);
	if (error == 0)
		return 0;
	if (walk->show.bytes == 0 && path_append(&walk->show, "./", 2) != 0)
		return -ENOMEM;
	give(walk, &it, REASON_UNREADABLE, entry);
	return 1;
}

int
rev_next(struct collect_walk *walk, struct collect_entry *entry)
{
	struct rev_walk *rev = walk->rev;
	int got = 0;

	while (got == 0) {
		struct revtree_entry it;

		if (rev->level_nr > 0) {
			if (revtree_next(&top(rev)->tree, &it) == 1)
				got = consider(walk, &it, entry);
			else
				leave(rev);
		} else if (walk->root_begun) {
			walk->root_begun = false;
			walk->root_idx++;
		} else if (walk->root_idx == walk->root_nr) {
			return 0;
		} else if (walk->roots[walk->root_idx].is_double) {
			walk->root_idx++;
		} else {
			got = rev_begin_root(walk, entry);
		}
	}
	return got;
}

/* Puts the deepest level behind a name; whether that is a directory. */
static bool
pass_name(struct rev_level *level, const char *name, size_t bytes,
	  struct revtree_entry *it)
{
	while (revtree_next(&level->tree, it) == 1) {
		if (it->bytes == bytes && memcmp(it->name, name, bytes) == 0)
			return revtree_is_dir(it);
	}
	return false;
}

/* What was passed already counts as it did when it was. */
int
rev_descend(struct collect_walk *walk, const char *path, size_t bytes)
{
	uint64_t dir_nr = walk->rev->dir_nr;
	int got = 0;

	while (bytes > 0 && walk->rev->level_nr > 0) {
		const char *slash = memchr(path, '/', bytes);
		size_t name = slash == NULL ? bytes : (size_t)(slash - path);
		size_t used = name + (slash != NULL);
		struct collect_entry entry;
		struct revtree_entry it;

		if (!pass_name(top(walk->rev), path, name, &it) ||
		    used == bytes)
			break;
		got = consider(walk, &it, &entry);
		if (got != 0)
			break;
		path += used;
		bytes -= used;
	}
	walk->rev->dir_nr = dir_nr;
	return got < 0 ? got : 0;
}

int
rev_look_up(struct collect_walk *walk, const char *path, size_t bytes,
	    struct collect_entry *entry)
{
	const char *slash = memrchr(path, '/', bytes);

	return give_named(walk, &walk->rev->roots[0], path, bytes,
			  slash == NULL ? path : slash + 1, entry);
}

/* ---- files ------------------------------------------------------------- */

int
collect_blob_size(struct collect_walk *walk, uint32_t root,
		  const uint8_t *object, uint64_t *bytes)
{
	git_object_t type;
	git_oid oid;
	int error;

	memcpy(oid.id, object, sizeof(oid.id));
	error = repo_size(&walk->rev->roots[root].repo, &oid, &type, bytes);
	return error == 0 && type != GIT_OBJECT_BLOB ? -EINVAL : error;
}

const char *
collect_blob_refused(void)
{
	return gitlib_error();
}

int
collect_blob_open(struct collect_walk *walk, uint32_t root,
		  const uint8_t *object, uint64_t bytes,
		  struct collect_blob **out)
{
	git_odb_object *blob;
	git_oid oid;
	int error;

	memcpy(oid.id, object, sizeof(oid.id));
	error = repo_read(&walk->rev->roots[root].repo, &oid, GIT_OBJECT_BLOB,
			  &blob);
	if (error != 0)
		return error;
	/* the head of a difference in a pack can say anything */
	if (gitlib.git_odb_object_size(blob) != bytes) {
		gitlib.git_odb_object_free(blob);
		return -EIO;
	}
	*out = (struct collect_blob *)(void *)blob;
	return 0;
}

void
collect_blob_run(const struct collect_blob *blob, struct collect_read *reads,
		 uint32_t nr)
{
	git_odb_object *object = (git_odb_object *)(uintptr_t)blob;
	const uint8_t *data = gitlib.git_odb_object_data(object);
	size_t bytes = gitlib.git_odb_object_size(object);

	for (uint32_t i = 0; i < nr; i++) {
		struct collect_read *read = &reads[i];

		read->error = 0;
		read->got = 0;
		if (read->off < bytes)
			read->got = min_size(read->bytes, bytes - read->off);
		if (read->got > 0)
			memcpy(read->to, data + read->off, read->got);
	}
}

void
collect_blob_close(struct collect_blob *blob)
{
	if (blob != NULL)
		gitlib.git_odb_object_free((git_odb_object *)(void *)blob);
}
