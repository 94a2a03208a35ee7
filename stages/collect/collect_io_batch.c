/* SPDX-License-Identifier: MIT */
/*
 * collect_io_batch.c - files of the walk, as many as fit a slab, read at once.
 *
 * Invariants:
 * 1. A file is whole or left out: what it was like is compared after reading.
 */
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "base/fault.h"
#include "catalogue/survey.h"
#include "lang/facts.h"
#include "shm/layout.h"
#include "stages/collect/collect_io_secrets.h"

/* Bytes of a file that a batch reads. */
static uint64_t
read_bytes(const struct collect_item *item)
{
	return item->surveyed == 0 ? item->file.bytes : item->terms.bytes;
}

static void
add_read(struct collect_batch *batch, const struct collect_files *files,
	 struct collect_item *item)
{
	const struct file_record *record =
		catalogue_file(files->catalogue, item->file_idx);

	item->slab_off = SLAB_HEAD_BYTES + batch->used;
	batch->watched[batch->read_nr] = item->file_idx;
	batch->reads[batch->read_nr++] = (struct collect_read){
		.to = batch->slab + item->slab_off,
		.off = collect_base_off(files, record) + item->terms.off,
		.bytes = read_bytes(item),
		.fd = item->fd,
	};
	batch->used += (uint32_t)read_bytes(item);
}

void
collect_batch_begin(struct collect_batch *batch, uint32_t limit)
{
	batch->item_nr = 0;
	batch->limit = limit;
	batch->used = 0;
	batch->read_nr = 0;
}

int
collect_batch_fill(struct collect_batch *batch, struct collect_files *files)
{
	files->bytes_before = files->place->content_bytes;
	while (batch->item_nr < batch->limit) {
		struct collect_item *item = &batch->items[batch->item_nr];
		uint64_t file_idx = files->place->file_nr + batch->item_nr;
		int result = collect_next_item(files, (uint32_t)file_idx, item);
		bool reads;

		if (result < 0) {
			/* short of descriptors: read what is open first */
			if (result != -EMFILE && result != -ENFILE)
				return result;
			return batch->item_nr > 0 ? 0 : result;
		}
		if (result == 0) {
			files->place->walk_over = 1;
			return 0;
		}
		reads = item->reason == REASON_NONE && collect_is_read(item);
		if (reads && (item->file.bytes > batch->room ||
			      read_bytes(item) > batch->room - batch->used ||
			      batch->alone_file == file_idx + 1)) {
			collect_queue_put_first(&files->queue, item, 1);
			return 0;
		}
		batch->item_nr++;
		if (item->reason == REASON_NONE)
			files->bytes_before = add_sat_u64(files->bytes_before,
							  item->file.bytes);
		if (reads)
			add_read(batch, files, item);
	}
	return 0;
}

/* Opens a file again that has changed; its record says what it is like now. An
 * open file, or -errno. */
static int
open_changed(struct collect_files *files, struct collect_item *item)
{
	struct file_record *record =
		catalogue_file(files->catalogue, item->file_idx);
	int fd = collect_file_reopen(files->walk, record->root_idx,
				     collect_record_path(files, record),
				     record->path_bytes, &item->file);

	if (fd < 0)
		return fd;
	record->size_bytes = item->file.bytes;
	record->mtime_ns = item->file.mtime_ns;
	record->ctime_ns = item->file.ctime_ns;
	record->ino = item->file.identity.ino;
	record->dev = item->file.identity.dev;
	return fd;
}

/* Reads a file again that changed while it was read, if it still fits. */
static uint8_t
read_again(const struct collect_batch *batch, struct collect_files *files,
	   struct collect_item *item)
{
	uint64_t room = item->file.bytes;
	struct collect_read read = { .to = batch->slab + item->slab_off };
	uint8_t reason = REASON_NONE;
	int fd = open_changed(files, item);

	if (fd < 0)
		return (uint8_t)collect_error_reason(fd);
	read.fd = fd;
	read.bytes = item->file.bytes;
	if (item->file.bytes <= room)
		collect_reader_run(files->reader, &read, 1);
	if (read.error != 0 || read.got != read.bytes ||
	    file_is_unchanged(fd, &item->file) != 0)
		reason = REASON_CHANGED;
	close(fd);
	return reason;
}

static void
look_for_secrets(struct collect_files *files, struct collect_item *item,
		 struct collect_part *whole)
{
	struct collect_large alone = { .file = item->file_idx + 1 };

	collect_secrets_look_at(files, &alone, whole);
	item->has_secrets = whole->has_secrets;
	if (whole->has_secrets && files->secrets_mode == SECRETS_EXCLUDE)
		item->reason = REASON_SECRET;
}

/* The part of a path behind the last dot of its name; "": none. */
static const char *
extension_of(const uint8_t *path, size_t bytes, size_t *nr)
{
	const uint8_t *dot = memrchr(path, '.', bytes);
	const uint8_t *slash = memrchr(path, '/', bytes);

	*nr = 0;
	if (dot == NULL || (slash != NULL && dot < slash))
		return "";
	*nr = (size_t)(path + bytes - dot);
	return (const char *)dot;
}

/*
 * Whether what was found out about an entry holds for a file of the same
 * content: besides it and the language, only the kind of a header and of a
 * manifest matter, which the name tells.
 */
static bool
is_of_its_kind(const struct survey *survey, uint32_t idx,
	       const struct file_record *file, const uint8_t *path)
{
	const struct surveyed kept = survey_at(survey, idx);
	const struct file_record *before = &kept.entry->file;
	size_t one_bytes;
	size_t other_bytes;
	const char *one =
		extension_of(kept.path, before->path_bytes, &one_bytes);
	const char *other = extension_of(path, file->path_bytes, &other_bytes);

	return before->language == file->language && one_bytes == other_bytes &&
	       memcmp(one, other, one_bytes) == 0 &&
	       lang_package_of(kept.path, before->path_bytes) ==
		       lang_package_of(path, file->path_bytes);
}

/*
 * Finds a file in the kept survey by its content: at the same path, or wherever
 * it was. Then it need not be cut and counted.
 */
static void
find_content(const struct collect_files *files, struct collect_item *item,
	     const struct content_record *content)
{
	const struct survey *survey = &files->catalogue->survey;
	const struct file_record *file =
		catalogue_file(files->catalogue, item->file_idx);
	const uint8_t *path = catalogue_path(files->catalogue, file);
	uint32_t found = survey_find(survey, file->root_idx,
				     (const char *)path + file->root_bytes,
				     file->path_bytes - file->root_bytes);

	if (found == 0 ||
	    !survey_content_is(survey_entry(survey, found - 1), content))
		found = survey_find_content(survey, content);
	if (found == 0 || !is_of_its_kind(survey, found - 1, file, path))
		return;
	item->surveyed = found;
	item->terms.off = 0;
	item->terms.bytes = files->sought == NULL ? 0 : item->file.bytes;
}

/* The digest of what was read, for the survey that is kept, and to find it in
 * the one that was. */
static void
use_content(const struct collect_files *files, struct collect_item *item,
	    const uint8_t *text)
{
	const struct file_record *file =
		catalogue_file(files->catalogue, item->file_idx);
	bool may_find = files->catalogue->survey.head.entry_nr > 0 &&
			!files->is_rev && !item->of_source &&
			file->path_bytes > file->root_bytes;
	struct content_record content;

	if (item->file.bytes == 0 || (!may_find && !files->keeps_contents))
		return;
	sha256_of(text, item->file.bytes, content.sha256);
	if (files->keeps_contents)
		*catalogue_content(files->catalogue, item->file_idx) = content;
	if (may_find)
		find_content(files, item, &content);
}

/* What has been read of a file: text, in what, and of which language? */
static void
look_at(const struct collect_batch *batch, struct collect_files *files,
	struct collect_item *item)
{
	struct collect_part whole = { .text = batch->slab + item->slab_off,
				      .bytes = item->file.bytes,
				      .is_first = true,
				      .is_last = true };
	uint32_t carried = 0;

	files->read_bytes += whole.bytes;
	item->finding_nr = files->finding_nr;
	item->findings_left_out = files->findings_left_out;
	item->has_secrets = false;
	item->is_whole = true;
	item->reason =
		collect_probe(whole.text, whole.bytes, true, &item->charset);
	if (item->reason != REASON_NONE)
		return;
	item->has_mistakes =
		collect_has_mistakes(files, item->charset, &whole, &carried);
	item->reason = collect_label(files, item->file_idx, item->charset,
				     whole.text, whole.bytes);
	if (item->charset != CHARSET_UTF8 || item->has_mistakes)
		return;
	whole.has_base64 = files->walk->options.elides &&
			   collect_has_base64(whole.text, whole.bytes, NULL);
	item->charset = collect_elision(files, item->file_idx, &whole);
	if (item->charset == CHARSET_UTF8)
		look_for_secrets(files, item, &whole);
	if (item->charset == CHARSET_UTF8 && !item->has_secrets &&
	    item->reason == REASON_NONE)
		use_content(files, item, whole.text);
}

/*
 * Where the survey has estimates and counts are wanted, or the other way round,
 * what was found is of no use: a file that was not read as a whole is taken
 * again. It is rare, as find_surveyed() has seen to that unless a file before
 * it in the batch turned out to be left out.
 */
static void
drop_other_estimates(struct collect_batch *batch,
		     const struct collect_files *files)
{
	uint64_t bytes = files->place->content_bytes;

	for (uint32_t i = 0; i < batch->item_nr; i++) {
		struct collect_item *item = &batch->items[i];

		if (item->reason != REASON_NONE)
			continue;
		if (item->surveyed != 0 &&
		    !collect_is_estimated_alike(files, item->surveyed, bytes)) {
			item->is_again = !item->is_whole;
			item->surveyed = 0;
			item->terms = (struct collect_span){ 0 };
		}
		/* with those behind it */
		if (item->is_again)
			return;
		bytes = add_sat_u64(bytes, item->file.bytes);
	}
}

/* The same of a file of the kept survey: it has been looked at before. */
static void
take_surveyed(struct collect_files *files, struct collect_item *item)
{
	files->read_bytes += item->terms.bytes;
	item->finding_nr = files->finding_nr;
	item->findings_left_out = files->findings_left_out;
}

/* It has changed since it was looked up: it is taken again. */
static void
forget_surveyed(struct collect_files *files, struct collect_item *item)
{
	int fd = open_changed(files, item);

	item->surveyed = 0;
	item->terms = (struct collect_span){ 0 };
	item->is_again = true;
	item->finding_nr = files->finding_nr;
	item->findings_left_out = files->findings_left_out;
	catalogue_file(files->catalogue, item->file_idx)->flags = item->marks;
	if (fd >= 0)
		close(fd);
}

/* Files that are made when they are read, as those of /proc, are said to have no
 * bytes. */
static bool
has_more(const struct collect_item *item)
{
	char byte;

	return item->file.bytes == 0 && !item->is_text && item->fd >= 0 &&
	       pread(item->fd, &byte, 1, 0) > 0;
}

/* What has been read of a file: its reason, if it cannot be taken. */
static void
check(const struct collect_batch *batch, struct collect_files *files,
      struct collect_item *item, const struct collect_read *read)
{
	if (read->error != 0) {
		item->reason = (uint8_t)collect_error_reason(read->error);
		files->read_errors++;
	} else if (!item->is_text &&
		   (read->got != read->bytes ||
		    file_is_unchanged(item->fd, &item->file) != 0)) {
		if (item->surveyed != 0) {
			forget_surveyed(files, item);
			return;
		}
		item->reason = read_again(batch, files, item);
	} else if (has_more(item)) {
		item->reason = REASON_CHANGED;
	}
	if (item->reason == REASON_NONE && item->surveyed == 0)
		look_at(batch, files, item);
}

static void
read_all(struct collect_batch *batch, struct collect_files *files)
{
	uint32_t at = 0;

	FAULT("read");
	if (!files->is_rev && batch->read_nr > 0)
		collect_reader_run(files->reader, batch->reads, batch->read_nr);
	batch->read_nr = 0;
	for (uint32_t i = 0; i < batch->item_nr; i++) {
		struct collect_item *item = &batch->items[i];

		if (item->reason != REASON_NONE)
			continue;
		if (files->is_rev) {
			files->at_file(files->context, item->file_idx);
			item->reason = collect_rev_read(
				files, item, batch->slab + item->slab_off);
			if (item->reason == REASON_NONE)
				look_at(batch, files, item);
			continue;
		}
		if (item->surveyed != 0)
			take_surveyed(files, item);
		if (!collect_is_read(item))
			continue;
		check(batch, files, item, &batch->reads[at++]);
		collect_close_fd(files, item->fd);
		item->fd = -1;
	}
}

/* Whether it cannot stay in the batch. */
static bool
is_to_repeat(const struct collect_item *item)
{
	return item->reason == REASON_NONE &&
	       (item->is_again || item->charset != CHARSET_UTF8 ||
		item->has_mistakes || item->has_secrets);
}

void
collect_batch_read(struct collect_batch *batch, struct collect_files *files)
{
	uint32_t i = 0;

	read_all(batch, files);
	drop_other_estimates(batch, files);
	while (i < batch->item_nr && !is_to_repeat(&batch->items[i]))
		i++;
	batch->most = (uint32_t)min_u64(2ull * batch->most, COLLECT_BATCH_MAX);
	if (i == batch->item_nr)
		return;
	if (!batch->items[i].is_again) {
		batch->most = 1;
		batch->alone_file = batch->items[i].file_idx + 1ull;
	}
	collect_queue_put_first(&files->queue, &batch->items[i],
				batch->item_nr - i);
	batch->item_nr = i;
	files->finding_nr = batch->items[i].finding_nr;
	files->findings_left_out = batch->items[i].findings_left_out;
	files->place->walk_over = 0;
}
