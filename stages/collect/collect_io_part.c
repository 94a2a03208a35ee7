/* SPDX-License-Identifier: MIT */
/*
 * collect_io_part.c - a file larger than a slab, one part of it.
 *
 * Does: reads it, as it is or as what it becomes, and says what it tells of the
 *       file, the first time that it is read.
 */
#include <errno.h>

#include "stages/collect/collect_io_record.h"

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
	if (large->converts) {
		got = collect_converted_read(files, large->off, part->text,
					     most);
		part->is_last = collect_converted_at_end(files);
	} else {
		got = read_plain(
			files, large, part,
			min_u64(record->size_bytes - large->off, most));
	}
	part->bytes = got < 0 ? 0 : (size_t)got;
	return got < 0 ? (int)got : 0;
}

/* What the first part tells of the file: a reason, if it is left out. */
static uint8_t
look_at_first(struct collect_files *files, uint32_t file_idx,
	      const struct collect_part *part)
{
	struct file_record *record = catalogue_file(files->catalogue, file_idx);
	uint8_t reason =
		collect_probe(part->text, part->bytes, part->ahead_bytes == 0,
			      &record->charset);

	if (reason == REASON_NONE)
		reason = collect_label(files, file_idx, record->charset,
				       part->text, part->bytes);
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
	*is_again = reason == REASON_NONE && file_is_converted(record);
	large->converts = *is_again;
	return reason;
}
