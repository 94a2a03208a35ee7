/* SPDX-License-Identifier: MIT */
/*
 * collect_rev_worker.c - files of a commit in place of those that lie there.
 *
 * Does: finds the trees of the roots, once a run; looks at and reads files by
 *       the names of their objects, which the catalogue keeps.
 * Runs in: collect, with --rev.
 * Invariants:
 * 1. The trees are part of the committed state: a replacement goes on with
 *    the same ones, although a branch may have moved.
 * Limits: an object is read whole, so memory bounds what can be taken.
 */
#include <errno.h>
#include <string.h>

#include "base/diag.h"
#include "stages/collect/collect_worker.h"

int
collect_rev_init(struct worker *worker)
{
	const struct collect_scratch *scratch = worker->scratch;

	worker->reach.nr =
		collect_walk_reach(scratch->walk, worker->reach.fds, REACH_MAX);
	return 0;
}

static void
quote_root(const struct worker *worker, uint32_t root, char *out, size_t size)
{
	const char *path = worker->run->options.roots[root];

	diag_quote_text(out, size, path);
}

int
collect_rev_begin(struct worker *worker)
{
	struct collect_state *state = worker->state;
	struct collect_scratch *scratch = worker->scratch;
	char why[COLLECT_WHY_BYTES] = "";
	char name[512];
	uint32_t bad_root = 0;
	int error;

	if (scratch->revs_open)
		return 0;
	error = collect_walk_resolve(scratch->walk, state->revs,
				     state->revs_known != 0, &bad_root, why);
	quote_root(worker, bad_root, name, sizeof(name));
	if (error == -ENOMEM) {
		diag_log(DIAG_ERROR,
			 "%s: an object of --rev needs more than the %llu MiB "
			 "of --memory that are for objects; give more",
			 name,
			 (unsigned long long)(worker->run->object_bytes >> 20));
		return -ENOBUFS;
	}
	if (error != 0) {
		diag_log(DIAG_ERROR, "%s: %s", name, why);
		return -EINVAL;
	}
	state->revs_known = 1;
	scratch->revs_open = true;
	return 0;
}

/* Why an object cannot be had, said to people as well. */
static uint8_t
object_reason(const struct worker *worker, const char *path, size_t bytes,
	      int error)
{
	char name[512];

	diag_quote(name, sizeof(name), (const uint8_t *)path, bytes);
	switch (error) {
	case -ENOMEM:
		diag_log(DIAG_WARN,
			 "%s: its object needs more than the %llu MiB of "
			 "--memory that are for objects; give more",
			 name,
			 (unsigned long long)(worker->run->object_bytes >> 20));
		return REASON_TOO_LARGE;
	case -ENOENT:
		diag_log(DIAG_WARN,
			 "%s: its object is not in the repository (a partial "
			 "clone?)",
			 name);
		return REASON_UNREADABLE;
	case -EPERM:
		diag_log(DIAG_WARN, "%s: its object is not read: %s", name,
			 collect_blob_refused());
		return REASON_UNREADABLE;
	default:
		diag_log(DIAG_WARN, "%s: its object is damaged", name);
		return REASON_UNREADABLE;
	}
}

uint8_t
collect_rev_look(struct worker *worker, const struct collect_entry *entry,
		 struct collect_item *item)
{
	const struct collect_state *state = worker->state;
	struct collect_scratch *scratch = worker->scratch;
	const int64_t second_ns = 1000000000;
	int error = collect_blob_size(scratch->walk, entry->root, entry->object,
				      &item->file.bytes);

	if (error != 0)
		return object_reason(worker, entry->path, entry->path_bytes,
				     error);
	memcpy(item->object, entry->object, sizeof(item->object));
	if (state->revs[entry->root].time_s < INT64_MAX / second_ns)
		item->file.mtime_ns =
			state->revs[entry->root].time_s * second_ns;
	if (item->file.bytes > worker->run->options.max_file_bytes)
		return REASON_TOO_LARGE;
	return REASON_NONE;
}

static int
open_object(struct worker *worker, const struct file_record *record,
	    struct collect_blob **blob)
{
	struct collect_scratch *scratch = worker->scratch;

	return collect_blob_open(scratch->walk, record->root_idx,
				 record->object, record->size_bytes, blob);
}

static uint8_t
record_reason(const struct worker *worker, const struct file_record *record,
	      int error)
{
	const uint8_t *path = catalogue_path(&worker->catalogue, record);

	return object_reason(worker, (const char *)path, record->path_bytes,
			     error);
}

uint8_t
collect_rev_read(struct worker *worker, const struct collect_item *item,
		 uint8_t *to)
{
	const struct file_record *record =
		catalogue_file(&worker->catalogue, item->file_idx);
	struct collect_read read = { .to = to, .bytes = item->file.bytes };
	struct collect_blob *blob;
	int error = open_object(worker, record, &blob);

	if (error != 0)
		return record_reason(worker, record, error);
	collect_blob_run(blob, &read, 1);
	collect_blob_close(blob);
	return REASON_NONE;
}

int
collect_rev_reopen(struct worker *worker, uint32_t file_idx)
{
	struct collect_scratch *scratch = worker->scratch;
	const struct file_record *record =
		catalogue_file(&worker->catalogue, file_idx);
	int error = collect_rev_begin(worker);

	if (error != 0)
		return error;
	error = open_object(worker, record, &scratch->blob);
	if (error != 0)
		return record_reason(worker, record, error) == REASON_TOO_LARGE
			       ? -EFBIG
			       : -EIO;
	scratch->open_fd = -1;
	scratch->open_file = file_idx + 1;
	return 0;
}
