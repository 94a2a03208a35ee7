/* SPDX-License-Identifier: MIT */
/*
 * collect_source_worker.c - files that sources ask for and the walk does not
 * come by, and texts that came with them.
 *
 * Does: gives them, when the walk is over, in the order of their names.
 * Does not: open what lies outside the roots: it goes the way of every file
 *           that is opened again.
 * Runs in: collect, in the survey or in gather of everything.
 * Invariants:
 * 1. What has a record is not given again: which have one is looked up in the
 *    catalogue, so that a replacement goes on where the dead one stopped.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "stages/collect/collect_worker.h"

/* Marks the sources that the first `file_nr` records are about. */
static int
mark_given(struct worker *worker, uint32_t file_nr)
{
	const struct sources *sources = &worker->run->options.sources;
	const struct catalogue *catalogue = &worker->catalogue;
	struct collect_scratch *scratch = worker->scratch;

	free(scratch->given);
	scratch->given = calloc(sources->file_nr, 1);
	if (scratch->given == NULL)
		return -ENOMEM;
	for (uint32_t i = 0; i < file_nr; i++) {
		const struct file_record *file = catalogue_file(catalogue, i);
		const struct source_file *requested = source_find(
			sources, file->root_idx,
			catalogue_path(catalogue, file) + file->root_bytes,
			file->path_bytes - file->root_bytes);

		if (requested != NULL)
			scratch->given[requested - sources->files] = 1;
	}
	scratch->source_next = 0;
	return 0;
}

/* The entry of a file below a root, as the walk would have made it. */
static void
entry_of_file(struct collect_scratch *scratch, const struct source_file *source,
	      struct collect_entry *entry)
{
	const char *slash;
	size_t root_bytes;
	const char *root =
		collect_walk_show(scratch->walk, source->root, &root_bytes);

	/* room for both: what the supervisor lets through is short */
	ASSERT(root_bytes + source->path_bytes < sizeof(scratch->path));
	memcpy(scratch->path, root, root_bytes);
	memcpy(scratch->path + root_bytes, source->path, source->path_bytes);
	scratch->path[root_bytes + source->path_bytes] = '\0';
	slash = strrchr(scratch->path, '/');
	entry->root_bytes = root_bytes;
	entry->path_bytes = root_bytes + source->path_bytes;
	entry->name = slash == NULL ? scratch->path : slash + 1;
	entry->lang = (uint8_t)collect_kind_lang(&scratch->kinds, entry->name,
						 strlen(entry->name));
	entry->marks = (uint8_t)collect_kind_file_labels(
		&scratch->kinds, entry->name, strlen(entry->name));
	if (entry->marks & MARK_SECRET)
		entry->reason = REASON_SECRET;
}

/* A text may come under the name of the file that it is of: an editor's. */
static uint8_t
language_of(const struct collect_scratch *scratch,
	    const struct source_file *source)
{
	const char *slash = strrchr(source->path, '/');
	const char *name = slash == NULL ? source->path : slash + 1;

	return (uint8_t)collect_kind_lang(&scratch->kinds, name, strlen(name));
}

int
collect_next_source(struct worker *worker, uint32_t file_idx,
		    struct collect_entry *entry)
{
	const struct sources *sources = &worker->run->options.sources;
	struct collect_scratch *scratch = worker->scratch;
	const struct source_file *source;

	if (sources->file_nr == 0)
		return 0;
	if (scratch->given == NULL) {
		int error = mark_given(worker, file_idx);

		if (error != 0)
			return error;
	}
	while (scratch->source_next < sources->file_nr &&
	       scratch->given[scratch->source_next])
		scratch->source_next++;
	if (scratch->source_next == sources->file_nr)
		return 0;
	source = &sources->files[scratch->source_next++];
	*entry = (struct collect_entry){
		.path = scratch->path,
		.dir_fd = -1,
		.root = source->root,
		.type = COLLECT_FILE,
		.reason = REASON_NONE,
	};
	if (source->root != SOURCE_ROOT_TEXT) {
		entry_of_file(scratch, source, entry);
		return 1;
	}
	entry->path = source->path;
	entry->path_bytes = source->path_bytes;
	entry->name = source->path;
	entry->lang = language_of(scratch, source);
	return 1;
}

void
collect_forget_sources(struct collect_scratch *scratch)
{
	free(scratch->given);
	scratch->given = NULL;
}

uint64_t
collect_base_off(const struct worker *worker, const struct file_record *record)
{
	const struct source_file *source;

	if (record->root_idx != SOURCE_ROOT_TEXT)
		return 0;
	source = source_find(&worker->run->options.sources, SOURCE_ROOT_TEXT,
			     catalogue_path(&worker->catalogue, record),
			     record->path_bytes);
	ASSERT(source != NULL);
	return source->text_off;
}

int
collect_open_source(struct worker *worker, const struct collect_entry *entry,
		    struct file_state *file)
{
	const struct sources *sources = &worker->run->options.sources;
	struct collect_scratch *scratch = worker->scratch;
	const struct source_file *source;

	if (entry->root != SOURCE_ROOT_TEXT)
		return collect_file_reopen(scratch->walk, entry->root,
					   entry->path, entry->path_bytes,
					   file);
	source = source_find(sources, SOURCE_ROOT_TEXT,
			     (const uint8_t *)entry->path, entry->path_bytes);
	ASSERT(source != NULL);
	*file = (struct file_state){ .bytes = source->text_bytes };
	return sources->text_fd;
}

void
collect_close_fd(const struct worker *worker, int fd)
{
	if (fd != worker->run->options.sources.text_fd)
		close(fd);
}
