/* SPDX-License-Identifier: MIT */
/*
 * collect_io_part.c - a file, or some of it, as it is or as UTF-8.
 *
 * Does: reads the next part of a file larger than a slab, or ranges of one, by
 *       offsets in what it becomes, and says what a part tells of the file the
 *       first time that it is read.
 * Limits: going back in a converted file means converting it from its start.
 */
#include <errno.h>
#include <string.h>

#include "stages/collect/collect_io_record.h"

/* The next block, converted, behind what is held. 0 or -errno. */
static int
convert_block(struct collect_files *files, const struct file_record *record)
{
	struct collect_converted *converted = &files->converted;
	uint64_t left = record->size_bytes - converted->source_off;
	struct collect_read read = {
		.to = converted->source,
		.off = converted->source_off + collect_base_off(files, record),
		.bytes = min_u64(left, sizeof(converted->source)),
		.fd = files->open_fd,
	};
	int error;

	error = collect_run_reads(files, &read, 1);
	if (error != 0)
		return error;
	converted->source_off += read.got;
	converted->at = 0;
	converted->held = collect_convert_run(
		&converted->convert, converted->source, read.got,
		converted->source_off == record->size_bytes, converted->text);
	return 0;
}

static void
start(struct collect_converted *converted, uint32_t file_idx,
      const struct file_record *record)
{
	static_assert(COLLECT_CONVERT_ROOM(sizeof(converted->source)) <=
			      sizeof(converted->text),
		      "a block, converted");
	collect_convert_init(&converted->convert, record->charset);
	converted->convert.notebook.comment =
		lang_line_comment(record->language);
	converted->file = file_idx + 1;
	converted->source_off = 0;
	converted->off = 0;
	converted->at = 0;
	converted->held = 0;
}

/*
 * Bytes of an open file that is converted to UTF-8, from offset `off` of what
 * it becomes; fewer than wanted only at its end. -errno
 */
static int64_t
read_converted(struct collect_files *files, uint64_t off, uint8_t *to,
	       size_t bytes)
{
	uint32_t file_idx = files->open_file - 1;
	struct collect_converted *converted = &files->converted;
	const struct file_record *record =
		catalogue_file(files->catalogue, file_idx);
	size_t done = 0;

	if (converted->file != file_idx + 1 || off < converted->off)
		start(converted, file_idx, record);
	while (done < bytes) {
		size_t nr = converted->held - converted->at;

		if (nr == 0) {
			int error;

			if (converted->source_off == record->size_bytes)
				break;
			error = convert_block(files, record);
			if (error != 0)
				return error;
			continue;
		}
		if (converted->off < off) {
			nr = min_size(nr, off - converted->off);
		} else {
			nr = min_size(nr, bytes - done);
			memcpy(to + done, converted->text + converted->at, nr);
			done += nr;
		}
		converted->at += nr;
		converted->off += nr;
	}
	return (int64_t)done;
}

/* Whether all of it has been read. */
static bool
is_at_end(const struct collect_files *files)
{
	const struct collect_converted *converted = &files->converted;

	return converted->at == converted->held &&
	       converted->source_off ==
		       catalogue_file(files->catalogue, files->open_file - 1)
			       ->size_bytes;
}

int
collect_read_ranges(struct collect_files *files, struct collect_read *reads,
		    uint32_t nr)
{
	const struct file_record *record =
		catalogue_file(files->catalogue, files->open_file - 1);
	uint64_t base = collect_base_off(files, record);

	if (!file_is_converted(record))
		return collect_run_reads(files, reads, nr);
	for (uint32_t i = 0; i < nr; i++) {
		int64_t got = read_converted(files, reads[i].off - base,
					     reads[i].to, reads[i].bytes);

		if (got < 0)
			return (int)got;
		if ((uint64_t)got != reads[i].bytes)
			return -ESTALE;
	}
	return 0;
}

bool
collect_has_mistakes(const struct collect_files *files, uint8_t charset,
		     const struct collect_part *part, uint32_t *carried)
{
	return charset == CHARSET_UTF8 && !files->keeps_mistakes &&
	       !collect_text_goes_on(part->text, part->bytes, part->ahead,
				     part->ahead_bytes, carried);
}

/* Looks for base64. What may be the beginning of a blob is of the next part. */
static void
find_base64(struct collect_part *part)
{
	size_t open_bytes = 0;
	size_t ahead_bytes;

	part->has_base64 = collect_has_base64(
		part->text, part->bytes, part->is_last ? NULL : &open_bytes);
	if (part->has_base64 || open_bytes >= part->bytes)
		return;
	part->bytes -= open_bytes;
	ahead_bytes = min_size(open_bytes, sizeof(part->ahead));
	memmove(part->ahead + ahead_bytes, part->ahead,
		sizeof(part->ahead) - ahead_bytes);
	memcpy(part->ahead, part->text + part->bytes, ahead_bytes);
	part->ahead_bytes =
		min_size(part->ahead_bytes + ahead_bytes, sizeof(part->ahead));
}

/*
 * Reads the part as it is, and to look at it, the few bytes behind it: bytes
 * got, or -errno.
 */
static int64_t
read_plain(struct collect_files *files, struct collect_large *large,
	   struct collect_part *part, uint64_t bytes)
{
	const struct file_record *record =
		catalogue_file(files->catalogue, large->file - 1);
	uint64_t left = record->size_bytes - large->off - bytes;
	uint64_t base = collect_base_off(files, record) + large->off;
	struct collect_read reads[] = {
		{ .to = part->text,
		  .off = base,
		  .bytes = bytes,
		  .fd = files->open_fd },
		{ .to = part->ahead,
		  .off = base + bytes,
		  .bytes =
			  large->emits ? 0 : min_u64(left, sizeof(part->ahead)),
		  .fd = files->open_fd },
	};
	int error = collect_run_reads(files, reads, reads[1].bytes > 0 ? 2 : 1);

	part->ahead_bytes = reads[1].bytes;
	part->is_last = left == 0;
	return error == 0 ? (int64_t)bytes : error;
}

int
collect_part_read(struct collect_files *files, struct collect_large *large,
		  struct collect_part *part, uint32_t most)
{
	const struct file_record *record =
		catalogue_file(files->catalogue, large->file - 1);
	int64_t got;

	part->ahead_bytes = 0;
	part->is_first = large->off == 0;
	part->has_base64 = false;
	if (large->converts) {
		got = read_converted(files, large->off, part->text, most);
		part->is_last = is_at_end(files);
	} else {
		got = read_plain(
			files, large, part,
			min_u64(record->size_bytes - large->off, most));
	}
	part->bytes = got < 0 ? 0 : (size_t)got;
	if (got > 0 && !large->converts && files->walk->options.elides)
		find_base64(part);
	return got < 0 ? (int)got : 0;
}

/* What the first part tells of the file: a reason, if it is left out. */
static uint8_t
look_at_first(struct collect_files *files, uint32_t file_idx,
	      const struct collect_part *part)
{
	struct file_record *record = catalogue_file(files->catalogue, file_idx);
	uint32_t carried = 0;
	uint8_t reason =
		collect_probe(part->text, part->bytes, part->ahead_bytes == 0,
			      &record->charset);

	if (reason == REASON_NONE)
		reason = collect_label(files, file_idx, record->charset,
				       part->text, part->bytes);
	if (reason == REASON_NONE && record->charset == CHARSET_UTF8 &&
	    !collect_has_mistakes(files, record->charset, part, &carried))
		record->charset = collect_elision(files, file_idx, part);
	if (record->charset == CHARSET_NOTEBOOK)
		collect_label_cells(files, file_idx, part);
	files->place->path_bytes = files->next_path_off;
	return reason;
}

uint8_t
collect_part_look_at(struct collect_files *files, struct collect_large *large,
		     const struct collect_part *part, bool *is_again)
{
	struct file_record *record =
		catalogue_file(files->catalogue, large->file - 1);
	uint8_t reason = REASON_NONE;

	*is_again = false;
	if (part->is_last && collect_still_same(files, record) != 0)
		return REASON_CHANGED;
	if (large->emits)
		return REASON_NONE;
	if (large->converts) {
		if (files->converted.convert.repaired)
			record->flags |= MARK_REPAIRED;
		/* a byte order mark and nothing else */
		return large->off == 0 && part->bytes == 0 ? REASON_ENCODING
							   : REASON_NONE;
	}
	if (large->off == 0)
		reason = look_at_first(files, large->file - 1, part);
	if (reason == REASON_NONE &&
	    collect_has_mistakes(files, record->charset, part, &large->carried))
		record->flags |= MARK_REPAIRED;
	else if (reason == REASON_NONE && large->off > 0 && part->has_base64)
		record->charset = collect_elision(files, large->file - 1, part);
	*is_again = reason == REASON_NONE && file_is_converted(record);
	large->converts = *is_again;
	return reason;
}
