/* SPDX-License-Identifier: MIT */
/*
 * collect_io_charset.c - files that are not UTF-8, as UTF-8.
 *
 * Does: reads a converted file as if it were UTF-8, by offsets in what it
 *       becomes.
 * Runs in: collect.
 * Limits: going back in a converted file means converting it from its start.
 */
#include <errno.h>
#include <string.h>

#include "stages/collect/collect_io_record.h"

bool
collect_has_mistakes(const struct collect_files *files, uint8_t charset,
		     const struct collect_part *part, uint32_t *carried)
{
	return charset == CHARSET_UTF8 && !files->keeps_mistakes &&
	       !collect_text_goes_on(part->text, part->bytes, part->ahead,
				     part->ahead_bytes, carried);
}

static enum collect_text
text_of(uint8_t charset)
{
	switch (charset) {
	case CHARSET_UTF8:
		return COLLECT_TEXT_UTF8_BAD;
	case CHARSET_UTF16_LE:
	case CHARSET_UNMARKED_LE:
		return COLLECT_TEXT_UTF16_LE;
	case CHARSET_UTF16_BE:
	case CHARSET_UNMARKED_BE:
		return COLLECT_TEXT_UTF16_BE;
	default:
		return COLLECT_TEXT_WESTERN;
	}
}

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
	ASSERT(converted->held <= sizeof(converted->text));
	return 0;
}

static void
start(struct collect_converted *converted, uint32_t file_idx, uint8_t charset)
{
	collect_convert_init(&converted->convert, text_of(charset));
	ASSERT(collect_convert_room(text_of(charset),
				    sizeof(converted->source)) <=
	       sizeof(converted->text));
	converted->file = file_idx + 1;
	converted->source_off = 0;
	converted->off = 0;
	converted->at = 0;
	converted->held = 0;
}

int64_t
collect_converted_read(struct collect_files *files, uint64_t off, uint8_t *to,
		       size_t bytes)
{
	uint32_t file_idx = files->open_file - 1;
	struct collect_converted *converted = &files->converted;
	const struct file_record *record =
		catalogue_file(files->catalogue, file_idx);
	size_t done = 0;

	if (converted->file != file_idx + 1 || off < converted->off)
		start(converted, file_idx, record->charset);
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

bool
collect_converted_at_end(const struct collect_files *files)
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
		int64_t got =
			collect_converted_read(files, reads[i].off - base,
					       reads[i].to, reads[i].bytes);

		if (got < 0)
			return (int)got;
		if ((uint64_t)got != reads[i].bytes)
			return -ESTALE;
	}
	return 0;
}
