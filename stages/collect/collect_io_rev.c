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
 * 3. They are part of the committed state: a replacement goes on with the same
 *    ones, although a branch may have moved.
 * Limits: an object is read whole, so memory bounds what can be taken.
 *         DIRS_MAX directories, the rest is named and left out: a few trees can
 *         name each other so that they stand for more files than there are
 *         atoms.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/diag.h"
#include "git/git.h"
#include "git/io_repo.h"
#include "stages/collect/collect_io_record.h"
#include "stages/collect/collect_io_walk.h"

#define DIRS_MAX (1u << 20)

static_assert(COLLECT_OBJECT_BYTES == GIT_OID_RAWSZ, "SHA-1");
static_assert(REVTREE_NAME_BYTES == GIT_OID_RAWSZ, "SHA-1");
static_assert(COLLECT_WHY_BYTES == REPO_WHY_BYTES, "one text");

/* A root in its repository. */
struct rev_root {
	struct repo repo;
	git_oid tree;
};

struct rev_walk {
	struct rev_root *roots; /* one a root of the walk */
	uint32_t root_nr;
	uint64_t dir_nr; /* directories read */
	git_oid named;   /* of a path that was named */
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
	if (rev->roots == NULL) {
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

void
rev_destroy(struct collect_walk *walk)
{
	struct rev_walk *rev = walk->rev;

	if (rev == NULL)
		return;
	for (uint32_t i = 0; i < rev->root_nr; i++)
		repo_close(&rev->roots[i].repo);
	free(rev->roots);
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
			 error == -ENOTDIR
				 ? "it names a file; name a commit, and the "
				   "file as PATH or by --include"
				 : gitlib_error());
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

/*
 * shape:  opens the repositories of all roots and finds their trees; with
 *         known they are those of revs, else revs becomes what they are
 * units:  revs: one a root
 * errors: -errno, the root's index in *bad_root, and the reason in why
 * calls:  with rev, when the process is shut in, before collect_walk_next()
 */
static int
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

const uint8_t *
rev_root(const struct collect_walk *walk)
{
	return walk->rev->roots[walk->root_idx].tree.id;
}

bool
rev_may_enter(struct collect_walk *walk)
{
	return walk->rev->dir_nr < DIRS_MAX;
}

static enum collect_type
type_of(uint32_t mode)
{
	switch (mode & REVTREE_MODE_KIND) {
	case REVTREE_MODE_FILE:
		return COLLECT_FILE;
	case REVTREE_MODE_LINK:
		return COLLECT_LINK;
	case REVTREE_MODE_DIR:
	case REVTREE_MODE_SUBMODULE:
		return COLLECT_DIR;
	default:
		return COLLECT_SPECIAL;
	}
}

int
rev_fill(struct collect_walk *walk, struct level *level,
	 const struct list_from *from)
{
	struct rev_root *root = &walk->rev->roots[walk->root_idx];
	struct revtree_entry it;
	git_odb_object *object;
	struct revtree tree;
	git_oid oid;
	int error;

	list_drop(&level->list, true);
	walk->rev->dir_nr += from->text == NULL;
	memcpy(oid.id, level->object, sizeof(oid.id));
	if (read_tree(root, &oid, &object) != 0)
		return -EIO;
	tree.at = gitlib.git_odb_object_data(object);
	tree.end = tree.at + gitlib.git_odb_object_size(object);
	error = 0;
	while (error == 0 && revtree_next(&tree, &it) == 1) {
		bool is_module =
			(it.mode & REVTREE_MODE_KIND) == REVTREE_MODE_SUBMODULE;
		const struct list_entry entry = {
			.name = it.name,
			.bytes = it.bytes,
			.type = type_of(it.mode),
			.mark = is_module ? MARK_MODULE : 0,
			.extra = it.object,
		};

		error = list_add(&level->list, &walk->tools, &entry, from);
	}
	gitlib.git_odb_object_free(object);
	return list_end(&level->list, error);
}

/* Whether the path of walk->full is `name` in the directory of a root, of the
 * same repository. */
static bool
is_root_path(const struct collect_walk *walk, uint32_t i, const char *name)
{
	const struct repo *own = &walk->rev->roots[walk->root_idx].repo;
	const struct repo *other = &walk->rev->roots[i].repo;
	const struct path *path = &walk->full;
	size_t own_bytes = strlen(own->prefix);
	size_t bytes = strlen(other->prefix);

	/* a root above ours, or beside it, is none below */
	return strcmp(own->path, other->path) == 0 && bytes >= own_bytes &&
	       memcmp(own->prefix, other->prefix, own_bytes) == 0 &&
	       path->bytes == bytes - own_bytes + strlen(name) &&
	       memcmp(path->text, other->prefix + own_bytes,
		      bytes - own_bytes) == 0 &&
	       memcmp(path->text + bytes - own_bytes, name, strlen(name)) == 0;
}

bool
rev_is_root(const struct collect_walk *walk)
{
	for (uint32_t i = 0; i < walk->rev->root_nr; i++)
		if (i != walk->root_idx && walk->roots[i].name == NULL &&
		    is_root_path(walk, i, ""))
			return true;
	return false;
}

bool
rev_is_root_file(const struct collect_walk *walk)
{
	for (uint32_t i = 0; i < walk->rev->root_nr; i++)
		if (walk->roots[i].name != NULL &&
		    is_root_path(walk, i, walk->roots[i].name))
			return true;
	return false;
}

void
rev_look_up(struct collect_walk *walk, const char *path, size_t bytes,
	    struct collect_entry *entry)
{
	struct rev_root *root = &walk->rev->roots[walk->root_idx];
	const char *slash = memrchr(path, '/', bytes);
	uint32_t mode = REVTREE_MODE_DIR;
	int got;

	walk->rev->named = root->tree;
	got = look_up(root, path, bytes, &mode, &walk->rev->named);
	*entry = (struct collect_entry){
		.path = walk->show.text,
		.path_bytes = walk->show.bytes,
		.root_bytes = walk->roots[walk->root_idx].show_bytes,
		.name = slash == NULL ? path : slash + 1,
		.dir_fd = -1,
		.object = walk->rev->named.id,
		.root = walk->root_idx,
		.type = COLLECT_FILE,
		.reason = got < 0 ? REASON_UNREADABLE : REASON_VANISHED,
	};
	if (got != 1)
		return;
	entry->reason = REASON_NONE;
	/* a submodule that was named is no directory that could be listed */
	entry->type = (mode & REVTREE_MODE_KIND) == REVTREE_MODE_SUBMODULE
			      ? COLLECT_SPECIAL
			      : (uint8_t)type_of(mode);
	walk_finish_file(walk, entry, false, true);
}

int
collect_rev_begin(struct collect_files *files)
{
	char why[COLLECT_WHY_BYTES] = "";
	char name[512];
	uint32_t bad_root = 0;
	int error;

	if (files->revs_open)
		return 0;
	error = collect_walk_resolve(files->walk, files->place->revs,
				     files->place->revs_known != 0, &bad_root,
				     why);
	diag_quote_text(name, sizeof(name), files->roots[bad_root]);
	if (error == -ENOMEM) {
		diag_log(DIAG_ERROR,
			 "%s: an object of --rev needs more than the %llu MiB "
			 "of --memory that are for objects; raise --memory",
			 name, (unsigned long long)(files->object_bytes >> 20));
		return -ENOBUFS;
	}
	if (error != 0) {
		diag_log(DIAG_ERROR, "%s: %s", name, why);
		return -EINVAL;
	}
	files->place->revs_known = 1;
	files->revs_open = true;
	return 0;
}

/* Why an object cannot be had. */
static void
say_object(const struct collect_files *files, const char *name, int error)
{
	switch (error) {
	case -ENOMEM:
		diag_log(DIAG_WARN,
			 "%s: its object needs more than the %llu MiB of "
			 "--memory that are for objects; raise --memory",
			 name, (unsigned long long)(files->object_bytes >> 20));
		break;
	case -ENOENT:
		diag_log(DIAG_WARN,
			 "%s: its object is not in the repository (a partial "
			 "clone?)",
			 name);
		break;
	case -EPERM:
		diag_log(DIAG_WARN, "%s: its object is not read: %s", name,
			 gitlib_error());
		break;
	default:
		diag_log(DIAG_WARN, "%s: its object is damaged", name);
	}
}

/* Lines about objects; a partial clone may have none at all. */
#define LOST_NAMED 5

/* The reason for a file whose object cannot be had, said to people as well. */
static uint8_t
object_reason(struct collect_files *files, const char *path, size_t bytes,
	      int error)
{
	char name[512];

	diag_quote(name, sizeof(name), (const uint8_t *)path, bytes);
	if (files->lost_nr < LOST_NAMED)
		say_object(files, name, error);
	else if (files->lost_nr == LOST_NAMED)
		diag_log(DIAG_WARN,
			 "more objects cannot be read; --report FILE lists "
			 "their files");
	files->lost_nr++;
	return error == -ENOMEM ? REASON_TOO_LARGE : REASON_UNREADABLE;
}

uint8_t
collect_rev_look(struct collect_files *files, const struct collect_entry *entry,
		 struct collect_item *item)
{
	const int64_t second_ns = 1000000000;
	git_object_t type;
	git_oid oid;
	int error;

	memcpy(oid.id, entry->object, sizeof(oid.id));
	error = repo_size(&files->walk->rev->roots[entry->root].repo, &oid,
			  &type, &item->file.bytes);
	if (error == 0 && type != GIT_OBJECT_BLOB)
		error = -EINVAL;
	if (error != 0)
		return object_reason(files, entry->path, entry->path_bytes,
				     error);
	memcpy(item->object, entry->object, sizeof(item->object));
	if (files->place->revs[entry->root].time_s < INT64_MAX / second_ns)
		item->file.mtime_ns =
			files->place->revs[entry->root].time_s * second_ns;
	if (item->file.bytes > files->max_file_bytes)
		return REASON_TOO_LARGE;
	return REASON_NONE;
}

static int
open_object(struct collect_files *files, const struct file_record *record,
	    git_odb_object **object)
{
	git_oid oid;
	int error;

	memcpy(oid.id, record->object, sizeof(oid.id));
	error = repo_read(&files->walk->rev->roots[record->root_idx].repo, &oid,
			  GIT_OBJECT_BLOB, object);
	/* the head of a difference in a pack can say anything */
	if (error == 0 &&
	    gitlib.git_odb_object_size(*object) != record->size_bytes) {
		collect_object_close(*object);
		error = -EIO;
	}
	if (error != 0)
		*object = NULL;
	return error;
}

void
collect_object_run(git_odb_object *object, struct collect_read *reads,
		   uint32_t nr)
{
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
collect_object_close(git_odb_object *object)
{
	if (object != NULL)
		gitlib.git_odb_object_free(object);
}

static uint8_t
record_reason(struct collect_files *files, const struct file_record *record,
	      int error)
{
	return object_reason(files, collect_record_path(files, record),
			     record->path_bytes, error);
}

uint8_t
collect_rev_read(struct collect_files *files, const struct collect_item *item,
		 uint8_t *to)
{
	const struct file_record *record =
		catalogue_file(files->catalogue, item->file_idx);
	struct collect_read read = { .to = to, .bytes = item->file.bytes };
	git_odb_object *object;
	int error = open_object(files, record, &object);

	if (error != 0)
		return record_reason(files, record, error);
	collect_object_run(object, &read, 1);
	collect_object_close(object);
	return REASON_NONE;
}

int
collect_rev_reopen(struct collect_files *files, uint32_t file_idx)
{
	const struct file_record *record =
		catalogue_file(files->catalogue, file_idx);
	int error = collect_rev_begin(files);

	if (error != 0)
		return error;
	error = open_object(files, record, &files->blob);
	if (error != 0)
		return record_reason(files, record, error) == REASON_TOO_LARGE
			       ? -EFBIG
			       : -EIO;
	files->open_fd = -1;
	files->open_file = file_idx + 1;
	return 0;
}
