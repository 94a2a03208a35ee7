/* SPDX-License-Identifier: MIT */
/*
 * collect_io_object.c - files of a commit in place of those that lie there.
 *
 * Does: finds the trees of the roots, once a run; looks at and reads files by
 *       the names of their objects, which the catalogue keeps.
 * Runs in: collect, with --rev. An object that is not to be had is logged here,
 *          where it is known why.
 * Invariants:
 * 1. The trees are part of the committed state: a replacement goes on with
 *    the same ones, although a branch may have moved.
 * Limits: an object is read whole, so memory bounds what can be taken.
 */
#include <errno.h>
#include <string.h>

#include "base/diag.h"
#include "git/io_repo.h"
#include "stages/collect/collect_io_walk.h"
#include "stages/collect/collect_io_record.h"

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
			 "of --memory that are for objects; give more",
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

/* Why an object cannot be had, said to people as well. */
static uint8_t
object_reason(const struct collect_files *files, const char *path, size_t bytes,
	      int error)
{
	char name[512];

	diag_quote(name, sizeof(name), (const uint8_t *)path, bytes);
	switch (error) {
	case -ENOMEM:
		diag_log(DIAG_WARN,
			 "%s: its object needs more than the %llu MiB of "
			 "--memory that are for objects; give more",
			 name, (unsigned long long)(files->object_bytes >> 20));
		return REASON_TOO_LARGE;
	case -ENOENT:
		diag_log(DIAG_WARN,
			 "%s: its object is not in the repository (a partial "
			 "clone?)",
			 name);
		return REASON_UNREADABLE;
	case -EPERM:
		diag_log(DIAG_WARN, "%s: its object is not read: %s", name,
			 gitlib_error());
		return REASON_UNREADABLE;
	default:
		diag_log(DIAG_WARN, "%s: its object is damaged", name);
		return REASON_UNREADABLE;
	}
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
	error = repo_size(rev_repo(files->walk, entry->root), &oid, &type,
			  &item->file.bytes);
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
	error = repo_read(rev_repo(files->walk, record->root_idx), &oid,
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
record_reason(const struct collect_files *files,
	      const struct file_record *record, int error)
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
