/* SPDX-License-Identifier: MIT */
/*
 * collect_io_record.c - the record of a file, and its file opened again.
 */
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "catalogue/survey.h"
#include "markup/read.h"
#include "stages/collect/collect_io_record.h"

#define LABEL_BYTES 8192 /* of a beginning that labels are looked for in */
#define NOTEBOOK_TAIL_BYTES 4096 /* of an end that its language is looked for */

/* A path and the hint behind it, moved behind all others. 0 or -errno */
static int
add_path(struct collect_files *files, struct file_record *record,
	 const char *path, enum lang_id lang)
{
	struct catalogue *catalogue = files->catalogue;
	const char *hint = lang_row(lang)->hint;
	size_t bytes = record->path_bytes + strlen(hint);
	int error =
		table_reserve(&catalogue->paths, files->next_path_off + bytes);
	uint8_t *to;

	if (error != 0)
		return error;
	to = table_at(&catalogue->paths, files->next_path_off, bytes);
	/* after a restart the path may lie there already */
	memmove(to, path, record->path_bytes);
	memcpy(to + record->path_bytes, hint, strlen(hint));
	record->path_off = files->next_path_off;
	record->language = (uint8_t)lang;
	record->hint_bytes = (uint8_t)strlen(hint);
	files->next_path_off += bytes;
	return 0;
}

int
collect_write_record(struct collect_files *files,
		     const struct collect_entry *entry,
		     const struct collect_item *item)
{
	struct file_record record = {
		.path_bytes = (uint32_t)entry->path_bytes,
		.root_bytes = (uint32_t)entry->root_bytes,
		.size_bytes = item->file.bytes,
		.mtime_ns = item->file.mtime_ns,
		.ctime_ns = item->file.ctime_ns,
		.ino = item->file.identity.ino,
		.dev = item->file.identity.dev,
		.root_idx = (uint16_t)entry->root,
		.reason = item->reason,
		.flags = entry->marks,
	};
	int error = table_reserve(&files->catalogue->files,
				  (item->file_idx + 1ull) * sizeof(record));

	if (error == 0 && files->keeps_contents)
		error = table_reserve(&files->catalogue->contents,
				      (item->file_idx + 1ull) *
					      sizeof(struct content_record));
	if (files->is_rev)
		memcpy(record.object, item->object, sizeof(item->object));
	if (error == 0)
		error = add_path(files, &record, entry->path,
				 (enum lang_id)entry->lang);
	if (error == 0)
		*catalogue_file(files->catalogue, item->file_idx) = record;
	return error;
}

struct file_state
collect_record_state(const struct file_record *record)
{
	return (struct file_state){
		.identity = { record->dev, record->ino },
		.bytes = record->size_bytes,
		.mtime_ns = record->mtime_ns,
		.ctime_ns = record->ctime_ns,
	};
}

void
collect_close(struct collect_files *files)
{
	if (files->open_file != 0 && files->open_fd >= 0)
		collect_close_fd(files, files->open_fd);
	collect_object_close(files->blob);
	files->blob = NULL;
	files->open_file = 0;
	files->open_fd = -1;
	files->converted.file = 0;
}

int
collect_reopen(struct collect_files *files, uint32_t file_idx)
{
	const struct file_record *record =
		catalogue_file(files->catalogue, file_idx);
	struct file_state before;
	struct file_state now;
	int fd;

	if (files->open_file == file_idx + 1)
		return 0;
	collect_close(files);
	if (files->is_rev)
		return collect_rev_reopen(files, file_idx);
	if (record->root_idx == SOURCE_ROOT_TEXT) {
		files->open_fd = files->sources->text_fd;
		files->open_file = file_idx + 1;
		return 0;
	}
	fd = collect_file_reopen(files->walk, record->root_idx,
				 collect_record_path(files, record),
				 record->path_bytes, &now);
	if (fd < 0)
		return fd;
	before = collect_record_state(record);
	if (!file_state_same(&now, &before)) {
		close(fd);
		return -ESTALE;
	}
	files->open_fd = fd;
	files->open_file = file_idx + 1;
	return 0;
}

int
collect_run_reads(struct collect_files *files, struct collect_read *reads,
		  uint32_t nr)
{
	if (files->blob != NULL)
		collect_object_run(files->blob, reads, nr);
	else
		collect_reader_run(files->reader, reads, nr);
	for (uint32_t i = 0; i < nr; i++) {
		if (reads[i].error != 0)
			return reads[i].error;
		if (reads[i].got != reads[i].bytes)
			return -ESTALE;
	}
	return 0;
}

int
collect_still_same(const struct collect_files *files,
		   const struct file_record *record)
{
	const struct file_state file = collect_record_state(record);

	/* an object never changes; a text of a source is nobody else's */
	if (files->blob != NULL || record->root_idx == SOURCE_ROOT_TEXT)
		return 0;
	return file_is_unchanged(files->open_fd, &file);
}

/* Moves the path, with the hint of a language that its content tells. */
static void
set_language(struct collect_files *files, struct file_record *record,
	     enum lang_id lang)
{
	(void)add_path(files, record, collect_record_path(files, record), lang);
}

/*
 * The language that the first line of a script tells, if its name tells none.
 * What the record says already may be of a process that died before its place
 * was committed: the path has to be moved again.
 */
static void
find_language(struct collect_files *files, struct file_record *record,
	      const char *text, size_t bytes)
{
	const struct collect_kinds *kinds = &files->walk->kinds;
	enum lang_id lang = collect_kind_shebang(kinds, text, bytes);
	const char *path = collect_record_path(files, record);
	const char *slash = memrchr(path, '/', record->path_bytes);
	const char *name = slash == NULL ? path : slash + 1;
	size_t name_bytes = (size_t)(path + record->path_bytes - name);

	if (lang != LANG_NONE &&
	    collect_kind_lang(kinds, name, name_bytes) == LANG_NONE)
		set_language(files, record, lang);
}

/* Whether somebody asked for this very file. */
static bool
is_named(const struct collect_files *files, const struct file_record *record)
{
	const struct collect_walk *walk = files->walk;
	const uint8_t *path = catalogue_path(files->catalogue, record);

	return walk->files.paths != NULL ||
	       record->root_idx == SOURCE_ROOT_TEXT ||
	       walk->roots[record->root_idx].name != NULL ||
	       globs_name_path(walk->options.forced, walk->options.forced_nr,
			       path + record->root_bytes,
			       record->path_bytes - record->root_bytes) ||
	       globs_name_path(walk->options.pins, walk->options.pin_nr,
			       path + record->root_bytes,
			       record->path_bytes - record->root_bytes) ||
	       source_find(files->sources, record->root_idx,
			   path + record->root_bytes,
			   record->path_bytes - record->root_bytes) != NULL;
}

void
collect_label_cells(struct collect_files *files, uint32_t file_idx,
		    const struct collect_part *part)
{
	struct file_record *record = catalogue_file(files->catalogue, file_idx);
	uint8_t tail[NOTEBOOK_TAIL_BYTES];
	struct collect_read read = {
		.to = tail,
		.bytes = min_u64(record->size_bytes, sizeof(tail)),
		.fd = files->open_fd,
	};
	size_t nr = 0;
	const uint8_t *name =
		collect_notebook_language(part->text, part->bytes, &nr);

	read.off = collect_base_off(files, record) + record->size_bytes -
		   read.bytes;
	/* its metadata is at its beginning or at its end */
	if (name == NULL && !part->is_last &&
	    collect_run_reads(files, &read, 1) == 0)
		name = collect_notebook_language(tail, read.got, &nr);
	set_language(files, record,
		     name == NULL ? LANG_PYTHON
				  : (enum lang_id)lang_named(name, nr));
}

uint8_t
collect_elision(const struct collect_files *files, uint32_t file_idx,
		const struct collect_part *part)
{
	const struct file_record *record =
		catalogue_file(files->catalogue, file_idx);
	const char *path = collect_record_path(files, record);

	if (!files->walk->options.elides)
		return CHARSET_UTF8;
	if (part->is_first && collect_is_notebook(path, record->path_bytes,
						  part->text, part->bytes))
		return CHARSET_NOTEBOOK;
	if (is_named(files, record))
		return CHARSET_UTF8;
	if ((record->language == LANG_JSON || record->language == LANG_CSV ||
	     record->language == LANG_TSV) &&
	    record->size_bytes >= ELIDE_DATA_MIN)
		return CHARSET_LARGE_DATA;
	return part->has_base64 ? CHARSET_WITH_BASE64 : CHARSET_UTF8;
}

/* Of no language, or of one that people write texts in. */
static bool
may_be_text(const struct file_record *record)
{
	return record->language == LANG_NONE ||
	       lang_row(record->language)->family == FAMILY_HEADING;
}

uint8_t
collect_label(struct collect_files *files, uint32_t file_idx, uint8_t charset,
	      const uint8_t *text, size_t bytes)
{
	struct file_record *record = catalogue_file(files->catalogue, file_idx);
	const char *head = (const char *)text;
	size_t head_bytes = min_size(bytes, LABEL_BYTES);

	if (charset == CHARSET_UTF8)
		find_language(files, record, head, bytes);
	/* not to be judged here: better left out than shown */
	if ((record->flags & MARK_TOKEN) &&
	    (charset != CHARSET_UTF8 || bytes < record->size_bytes))
		return REASON_SECRET;
	if (charset != CHARSET_UTF8)
		return REASON_NONE;
	record->flags |= (uint8_t)collect_kind_head_labels(
		&files->walk->kinds, (enum lang_id)record->language, head,
		head_bytes);
	/* its name promised none: what it holds has to be looked at */
	if ((record->flags & MARK_TOKEN) && collect_kind_has_token(head, bytes))
		return REASON_SECRET;
	if (!files->walk->options.default_excludes || is_named(files, record))
		return REASON_NONE;
	if (record->flags & MARK_MINIFIED)
		return REASON_MINIFIED;
	if (markup_begins_output(text, head_bytes) ||
	    (may_be_text(record) && markup_has_preamble(text, head_bytes)))
		return REASON_EARLIER_OUTPUT;
	return REASON_NONE;
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

void
collect_close_fd(const struct collect_files *files, int fd)
{
	if (fd != files->sources->text_fd)
		close(fd);
}

bool
collect_is_estimated_alike(const struct collect_files *files, uint32_t surveyed,
			   uint64_t content_bytes)
{
	const struct survey_entry *entry =
		survey_entry(&files->catalogue->survey, surveyed - 1);

	return (entry->is_estimated != 0) ==
	       (content_bytes > files->counted_bytes);
}
