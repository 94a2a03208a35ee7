/* SPDX-License-Identifier: MIT */
/*
 * collect_io_source.c - files that sources ask for and the walk does not
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

#include "stages/collect/collect_io_record.h"

/* Marks the sources that the first `file_nr` records are about. */
static int
mark_given(struct collect_files *files, uint32_t file_nr)
{
	const struct sources *sources = files->sources;
	const struct catalogue *catalogue = files->catalogue;

	free(files->given);
	files->given = calloc(sources->file_nr, 1);
	if (files->given == NULL)
		return -ENOMEM;
	for (uint32_t i = 0; i < file_nr; i++) {
		const struct file_record *file = catalogue_file(catalogue, i);
		const struct source_file *requested = source_find(
			sources, file->root_idx,
			catalogue_path(catalogue, file) + file->root_bytes,
			file->path_bytes - file->root_bytes);

		if (requested != NULL)
			files->given[requested - sources->files] = 1;
	}
	files->source_next = 0;
	return 0;
}

/* The entry of a file below a root, as the walk would have made it. */
static void
entry_of_file(struct collect_files *files, const struct source_file *source,
	      struct collect_entry *entry)
{
	const char *slash;
	const struct walk_root *root = &files->walk->roots[source->root];
	size_t root_bytes = root->show_bytes;

	/* room for both: what the supervisor lets through is short */
	ASSERT(root_bytes + source->path_bytes < sizeof(files->path));
	memcpy(files->path, root->show, root_bytes);
	memcpy(files->path + root_bytes, source->path, source->path_bytes);
	files->path[root_bytes + source->path_bytes] = '\0';
	slash = strrchr(files->path, '/');
	entry->root_bytes = root_bytes;
	entry->path_bytes = root_bytes + source->path_bytes;
	entry->name = slash == NULL ? files->path : slash + 1;
	entry->lang = (uint8_t)collect_kind_lang(&files->kinds, entry->name,
						 strlen(entry->name));
	entry->marks = (uint8_t)collect_kind_file_labels(
		&files->kinds, entry->name, strlen(entry->name));
	if (entry->marks & MARK_SECRET)
		entry->reason = REASON_SECRET;
}

/* A text may come under the name of the file that it is of: an editor's. */
static uint8_t
language_of(const struct collect_files *files, const struct source_file *source)
{
	const char *slash = strrchr(source->path, '/');
	const char *name = slash == NULL ? source->path : slash + 1;

	return (uint8_t)collect_kind_lang(&files->kinds, name, strlen(name));
}

int
collect_next_source(struct collect_files *files, uint32_t file_idx,
		    struct collect_entry *entry)
{
	const struct sources *sources = files->sources;
	const struct source_file *source;

	if (sources->file_nr == 0)
		return 0;
	if (files->given == NULL) {
		int error = mark_given(files, file_idx);

		if (error != 0)
			return error;
	}
	while (files->source_next < sources->file_nr &&
	       files->given[files->source_next])
		files->source_next++;
	if (files->source_next == sources->file_nr)
		return 0;
	source = &sources->files[files->source_next++];
	*entry = (struct collect_entry){
		.path = files->path,
		.dir_fd = -1,
		.root = source->root,
		.type = COLLECT_FILE,
		.reason = REASON_NONE,
	};
	if (source->root != SOURCE_ROOT_TEXT) {
		entry_of_file(files, source, entry);
		return 1;
	}
	entry->path = source->path;
	entry->path_bytes = source->path_bytes;
	entry->name = source->path;
	entry->lang = language_of(files, source);
	return 1;
}

void
collect_forget_sources(struct collect_files *files)
{
	free(files->given);
	files->given = NULL;
}

uint64_t
collect_base_off(const struct collect_files *files,
		 const struct file_record *record)
{
	const struct source_file *source;

	if (record->root_idx != SOURCE_ROOT_TEXT)
		return 0;
	source = source_find(files->sources, SOURCE_ROOT_TEXT,
			     catalogue_path(files->catalogue, record),
			     record->path_bytes);
	ASSERT(source != NULL);
	return source->text_off;
}

int
collect_open_source(struct collect_files *files,
		    const struct collect_entry *entry, struct file_state *file)
{
	const struct sources *sources = files->sources;
	const struct source_file *source;

	if (entry->root != SOURCE_ROOT_TEXT)
		return collect_file_reopen(files->walk, entry->root,
					   entry->path, entry->path_bytes,
					   file);
	source = source_find(sources, SOURCE_ROOT_TEXT,
			     (const uint8_t *)entry->path, entry->path_bytes);
	ASSERT(source != NULL);
	*file = (struct file_state){ .bytes = source->text_bytes };
	return sources->text_fd;
}

void
collect_close_fd(const struct collect_files *files, int fd)
{
	if (fd != files->sources->text_fd)
		close(fd);
}
