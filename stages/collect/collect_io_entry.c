/* SPDX-License-Identifier: MIT */
/*
 * collect_io_entry.c - the next file: of the queue, of the walk, and when that
 * is over, of the sources: those that the walk does not come by, and texts that
 * came with them, in the order of their names.
 *
 * Does not: open what lies outside the roots: it goes the way of every file
 *           that is opened again.
 * Invariants:
 * 1. What has a record is not given again: which have one is looked up in the
 *    catalogue, so that a replacement goes on where the dead one stopped.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/diag.h"
#include "base/fault.h"
#include "base/hash.h"
#include "catalogue/survey.h"
#include "stages/collect/collect_io.h"
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
	walk_finish_file(files->walk, entry, false, true);
}

/* A text may come under the name of the file that it is of: an editor's. */
static uint8_t
language_of(const struct collect_files *files, const struct source_file *source)
{
	const char *slash = strrchr(source->path, '/');
	const char *name = slash == NULL ? source->path : slash + 1;

	return (uint8_t)collect_kind_lang(&files->walk->kinds, name,
					  strlen(name));
}

/*
 * shape:  1: *entry is a file or text that a source asks for and that none of
 *         the first `file_idx` records is about; 0: there are no more
 * owner:  the entry's, until the next call
 * errors: -ENOMEM
 */
static int
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

/* As open_regular(), for an entry of collect_next_source(). */
static int
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

/* ---- files given too early ---------------------------------------------- */

const struct collect_item *
collect_queue_first(const struct collect_queue *queue)
{
	return queue->next < queue->nr ? &queue->items[queue->next] : NULL;
}

void
collect_queue_put_first(struct collect_queue *queue,
			const struct collect_item *items, uint32_t nr)
{
	uint32_t left = queue->nr - queue->next;

	ASSERT(nr + left <= ARRAY_LEN(queue->items));
	memmove(queue->items + nr, queue->items + queue->next,
		left * sizeof(*items));
	memcpy(queue->items, items, nr * sizeof(*items));
	queue->next = 0;
	queue->nr = nr + left;
}

/* Gives all of them up: the walk comes by them again. */
static void
clear_queue(struct collect_files *files)
{
	struct collect_queue *queue = &files->queue;

	for (; queue->next < queue->nr; queue->next++)
		if (queue->items[queue->next].fd >= 0)
			collect_close_fd(files, queue->items[queue->next].fd);
	queue->next = 0;
	queue->nr = 0;
}

/* Takes the first one, opened: 1; -EMFILE, -ENFILE: it is still there. A file
 * that is not what it was has its reason. */
static int
take_queued(struct collect_files *files, struct collect_item *item)
{
	struct collect_queue *queue = &files->queue;
	int error = 0;

	*item = queue->items[queue->next];
	item->is_again = false;
	item->is_whole = false;
	/* a batch that was given up has read it and closed it */
	if (item->reason == REASON_NONE && item->fd < 0 && !files->is_rev &&
	    collect_is_read(item)) {
		files->at_file(files->context, item->file_idx);
		error = collect_reopen(files, item->file_idx);
		if (error == -EMFILE || error == -ENFILE)
			return error;
		if (error != 0)
			item->reason = (uint8_t)collect_error_reason(error);
		item->fd = files->open_fd;
		files->open_fd = -1;
		files->open_file = 0;
	}
	queue->next++;
	return 1;
}

/* ---- what the walk gives ------------------------------------------------- */

bool
collect_ignores_all(bool may_ignore_all, const struct collect_walk *walk,
		    const struct collect_counts *counts)
{
	return may_ignore_all &&
	       counts->ignored_files + counts->ignored_dirs > 0 &&
	       collect_walk_is_outside_git(walk);
}

static void
log_timeout(const struct collect_entry *entry)
{
	char name[512];

	diag_log(DIAG_WARN, "%s: no answer within --stage-timeout; left out",
		 diag_quote(name, sizeof(name), (const uint8_t *)entry->path,
			    entry->path_bytes));
}

/* Why a file in this state is left out, whatever it holds. */
static enum reason
state_reason(const struct collect_files *files, const struct file_state *file)
{
	if (collect_walk_is_output(files->walk, &file->identity))
		return REASON_OUTPUT;
	return file->bytes > files->max_file_bytes ? REASON_TOO_LARGE
						   : REASON_NONE;
}

/* Opens the file of an entry: its reason in the item, if it is left out. */
static int
open_file(struct collect_files *files, const struct collect_entry *entry,
	  struct collect_item *item)
{
	item->fd =
		item->of_source
			? collect_open_source(files, entry, &item->file)
			: open_regular(entry->dir_fd, entry->name, &item->file);
	if (item->fd == -EMFILE || item->fd == -ENFILE)
		return item->fd;
	if (item->fd < 0)
		item->reason = (uint8_t)collect_error_reason(item->fd);
	else if (item->is_text)
		return 0; /* whatever its size */
	else
		item->reason = (uint8_t)state_reason(files, &item->file);
	if (item->fd >= 0 && item->reason != REASON_NONE)
		close(item->fd);
	if (item->reason != REASON_NONE)
		item->fd = -1;
	return 0;
}

/* What is to be read of a file of the kept survey; false: that is not known. */
static bool
find_terms(const struct collect_files *files, uint32_t entry_idx,
	   struct collect_item *item)
{
	const struct survey_entry *entry =
		survey_entry(&files->catalogue->survey, entry_idx);
	/* a large one is read part by part, from the first of them on */
	uint64_t most = item->file.bytes <= files->whole_bytes
				? files->whole_bytes
				: files->part_bytes;

	if (entry->facts.word_nr == 0)
		return false;
	collect_terms_next(files, entry_idx, &item->terms, most);
	return true;
}

/* Finds the file of an entry in the kept survey, if that has it as it is now. */
static void
find_surveyed(struct collect_files *files, const struct collect_entry *entry,
	      struct collect_item *item)
{
	const struct survey *survey = &files->catalogue->survey;
	struct file_state state;
	uint32_t found;

	found = survey_find_next(survey, files->surveyed_last, entry->root,
				 entry->path + entry->root_bytes,
				 entry->path_bytes - entry->root_bytes);
	if (found == 0)
		return;
	files->surveyed_last = found;
	state = collect_record_state(&survey_entry(survey, found - 1)->file);
	if (survey->head.flags & SURVEY_SHARED)
		state.identity.dev = item->file.identity.dev;
	if (file_state_same(&state, &item->file) &&
	    state_reason(files, &item->file) == REASON_NONE &&
	    collect_is_estimated_alike(files, found, files->bytes_before) &&
	    (files->sought == NULL || find_terms(files, found - 1, item)))
		item->surveyed = found;
}

/* Opens the file of an entry that the kept survey has, if it is still that. */
static int
open_surveyed(struct collect_files *files, const struct collect_entry *entry,
	      struct collect_item *item)
{
	struct file_state before = item->file;
	int error = open_file(files, entry, item);

	if (!file_state_same(&before, &item->file)) {
		item->surveyed = 0;
		item->terms = (struct collect_span){ 0 };
	}
	return error;
}

/*
 * Opens the file of an entry, unless the kept survey has it as it is now and
 * nothing of it is to be read. What only its content tells goes into the entry.
 */
static int
open_or_find(struct collect_files *files, struct collect_entry *entry,
	     struct collect_item *item)
{
	const struct survey *survey = &files->catalogue->survey;
	const struct file_record *before;
	int error = 0;

	/* what files are like on another machine says nothing here */
	if (survey->head.entry_nr > 0 && !item->of_source &&
	    !(survey->head.flags & SURVEY_IMPORTED) &&
	    file_state_at(entry->dir_fd, entry->name, &item->file) == 0)
		find_surveyed(files, entry, item);
	if (item->surveyed == 0)
		return open_file(files, entry, item);
	if (collect_is_read(item))
		error = open_surveyed(files, entry, item);
	if (item->surveyed == 0)
		return error;
	before = &survey_entry(survey, item->surveyed - 1)->file;
	entry->lang = before->language;
	entry->marks |= before->flags;
	return error;
}

/* Whether an entry is of another part of the tree than this run surveys. */
static bool
is_of_other_shard(const struct collect_files *files,
		  const struct collect_entry *entry)
{
	return files->shard.nr > 0 &&
	       !shard_has(&files->shard,
			  hash64(HASH64_BEGIN ^ entry->root,
				 entry->path + entry->root_bytes,
				 entry->path_bytes - entry->root_bytes));
}

/* It is not opened: its size alone matters, to what is behind it. */
static void
pass_other_shard(const struct collect_files *files,
		 const struct collect_entry *entry, struct collect_item *item)
{
	int error = file_state_at(entry->dir_fd, entry->name, &item->file);

	item->reason = (uint8_t)(error != 0 ? collect_error_reason(error)
					    : state_reason(files, &item->file));
	if (item->reason == REASON_NONE)
		item->reason = REASON_UNASKED;
}

/* Opens what an entry names, unless it is left out already. */
static int
open_entry(struct collect_files *files, struct collect_entry *entry,
	   struct collect_item *item)
{
	item->fd = -1;
	item->surveyed = 0;
	item->terms = (struct collect_span){ 0 };
	item->is_again = false;
	item->is_whole = false;
	item->marks = entry->marks;
	item->has_secrets = false;
	item->charset = CHARSET_UTF8;
	item->has_mistakes = false;
	item->reason = entry->reason;
	memset(&item->file, 0, sizeof(item->file));
	if (files->skip_file == item->file_idx + 1ull)
		item->reason = files->skip_reason;
	if (item->reason == REASON_TIMEOUT)
		log_timeout(entry);
	if (item->reason != REASON_NONE)
		return 0;
	files->at_file(files->context, item->file_idx);
	FAULT("open");
	if (is_of_other_shard(files, entry)) {
		pass_other_shard(files, entry, item);
		return 0;
	}
	if (!files->is_rev)
		return open_or_find(files, entry, item);
	item->reason = collect_rev_look(files, entry, item);
	return 0;
}

int
collect_find_place(struct collect_files *files)
{
	const struct collect_place *place = files->place;
	const struct file_record *last;

	if (files->at_place)
		return 0;
	files->at_place = true;
	clear_queue(files);
	/* which sources have been given is looked up again */
	free(files->given);
	files->given = NULL;
	if (place->tree_over || files->sources_only) {
		files->walk->counts = place->counts;
		return 0;
	}
	files->way_base = 0;
	if (place->file_nr == 0) {
		collect_walk_rewind(files->walk, false);
		return 0;
	}
	last = catalogue_file(files->catalogue, place->file_nr - 1);
	files->walk->counts = place->counts;
	return collect_walk_seek(files->walk, last->root_idx,
				 collect_record_path(files, last),
				 last->path_bytes);
}

/* The next entry: of the walk, and when that is over, of the sources. */
static int
next_entry(struct collect_files *files, uint32_t file_idx,
	   struct collect_item *item, struct collect_entry *entry)
{
	const struct collect_place *place = files->place;
	int result = 0;

	item->of_source = false;
	item->is_text = false;
	if (!place->tree_over && !files->sources_only) {
		result = collect_walk_next(files->walk, entry);
		/* it begins again before the sources */
		if (result == 0 && file_idx == 0 && !place->rules_off &&
		    collect_ignores_all(files->may_ignore_all, files->walk,
					&files->walk->counts))
			return 0;
	}
	if (result != 0)
		return result;
	result = collect_next_source(files, file_idx, entry);
	item->of_source = true;
	item->is_text = result > 0 && entry->root == SOURCE_ROOT_TEXT;
	return result;
}

int
collect_next_item(struct collect_files *files, uint32_t file_idx,
		  struct collect_item *item)
{
	const struct collect_item *queued = collect_queue_first(&files->queue);
	struct collect_entry entry;
	int result;

	if (queued != NULL) {
		ASSERT(queued->file_idx == file_idx);
		return take_queued(files, item);
	}
	files->next_file = file_idx;
	result = next_entry(files, file_idx, item, &entry);
	if (result <= 0)
		return result;
	if (entry.path_bytes > UINT32_MAX / 2 || file_idx >= FILE_NONE - 1)
		return -EFBIG;
	item->file_idx = file_idx;
	result = open_entry(files, &entry, item);
	/* not taken: the walk has to come by again */
	if (result == -EMFILE || result == -ENFILE)
		files->at_place = false;
	if (result == 0)
		result = collect_write_record(files, &entry, item);
	item->counts = files->walk->counts;
	item->entered_nr = files->walk->entered_nr;
	return result < 0 ? result : 1;
}

void
collect_pass_item(struct collect_files *files, const struct collect_item *item,
		  uint32_t nr)
{
	struct collect_place *place = files->place;

	place->file_nr += nr;
	place->path_bytes = files->next_path_off;
	place->finding_nr = files->finding_nr;
	place->findings_left_out = files->findings_left_out;
	place->counts = item->counts;
	place->tree_over |= item->of_source;
	files->way_base = item->entered_nr;
}
