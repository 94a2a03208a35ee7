/* SPDX-License-Identifier: MIT */
/*
 * collect_charset_worker.c - files that are not UTF-8, as UTF-8.
 *
 * Does: tells what a file is written in, and what its first bytes say; reads a converted file as if it were
 *       UTF-8, by offsets in what it becomes.
 * Runs in: collect.
 * Limits: going back in a converted file means converting it from its start.
 */
#include <errno.h>
#include <string.h>

#include "stages/collect/collect_worker.h"

#define PROBE_BYTES 8192

static bool
has_mark(const uint8_t *text, size_t bytes)
{
	return bytes >= 2 && ((text[0] == 0xff && text[1] == 0xfe) ||
			      (text[0] == 0xfe && text[1] == 0xff));
}

uint8_t
collect_probe(const uint8_t *text, size_t bytes, bool is_whole,
	      uint8_t *charset)
{
	size_t head = min_size(bytes, PROBE_BYTES);

	*charset = CHARSET_UTF8;
	switch (collect_text_probe(text, head, is_whole && head == bytes)) {
	case COLLECT_TEXT_UTF16_LE:
		*charset = has_mark(text, bytes) ? CHARSET_UTF16_LE
						 : CHARSET_UNMARKED_LE;
		return REASON_NONE;
	case COLLECT_TEXT_UTF16_BE:
		*charset = has_mark(text, bytes) ? CHARSET_UTF16_BE
						 : CHARSET_UNMARKED_BE;
		return REASON_NONE;
	case COLLECT_TEXT_WESTERN:
		*charset = CHARSET_WESTERN;
		return REASON_NONE;
	case COLLECT_TEXT_UNKNOWN:
		return REASON_ENCODING;
	case COLLECT_TEXT_BINARY:
		return REASON_BINARY;
	default:
		return REASON_NONE;
	}
}

bool
collect_has_mistakes(const struct worker *worker, uint8_t charset,
		     const struct collect_part *part, uint32_t *carried)
{
	return charset == CHARSET_UTF8 &&
	       worker->run->options.invalid_utf8 == INVALID_UTF8_REPLACE &&
	       !collect_text_goes_on(part->text, part->bytes, part->ahead,
				     part->ahead_bytes, carried);
}

uint8_t
collect_label(struct worker *worker, uint32_t file_idx, uint8_t charset,
	      const uint8_t *text, size_t bytes)
{
	const struct collect_scratch *scratch = worker->scratch;
	struct file_record *record =
		catalogue_file(&worker->catalogue, file_idx);
	const char *head = (const char *)text;
	size_t head_bytes = min_size(bytes, PROBE_BYTES);

	/* not to be judged here: better left out than shown */
	if ((record->flags & MARK_TOKEN) &&
	    (charset != CHARSET_UTF8 || bytes < record->size_bytes))
		return REASON_SECRET;
	if (charset != CHARSET_UTF8)
		return REASON_NONE;
	record->flags |= (uint8_t)collect_kind_head_labels(
		&scratch->kinds, (enum lang_id)record->language, head,
		head_bytes);
	/* its name promised none: what it holds has to be looked at */
	if ((record->flags & MARK_TOKEN) && collect_kind_has_token(head, bytes))
		return REASON_SECRET;
	return REASON_NONE;
}

void
collect_find_language(struct worker *worker, uint32_t file_idx,
		      const uint8_t *text, size_t bytes)
{
	struct collect_scratch *scratch = worker->scratch;
	struct file_record *record =
		catalogue_file(&worker->catalogue, file_idx);
	const char *hint;
	enum lang_id lang;
	uint8_t *path;

	if (record->language != LANG_NONE || bytes < 2 || text[0] != '#' ||
	    text[1] != '!')
		return;
	lang = collect_kind_shebang(&scratch->kinds, (const char *)text, bytes);
	hint = lang_row(lang)->hint;
	/* the record's path moves behind all others, with its hint */
	if (lang == LANG_NONE ||
	    table_reserve(&worker->catalogue.paths, scratch->next_path_off +
							    record->path_bytes +
							    strlen(hint)) != 0)
		return;
	path = table_at(&worker->catalogue.paths, scratch->next_path_off,
			record->path_bytes + strlen(hint));
	memcpy(path, catalogue_path(&worker->catalogue, record),
	       record->path_bytes);
	memcpy(path + record->path_bytes, hint, strlen(hint));
	record->path_off = scratch->next_path_off;
	record->language = (uint16_t)lang;
	record->hint_bytes = (uint8_t)strlen(hint);
	scratch->next_path_off += record->path_bytes + strlen(hint);
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
convert_block(struct worker *worker, const struct file_record *record)
{
	struct collect_scratch *scratch = worker->scratch;
	struct collect_converted *converted = &scratch->converted;
	uint64_t left = record->size_bytes - converted->source_off;
	struct collect_read read = {
		.to = converted->source,
		.off = converted->source_off + collect_base_off(worker, record),
		.bytes = min_u64(left, sizeof(converted->source)),
		.fd = scratch->open_fd,
	};

	collect_run_reads(worker, &read, 1);
	if (read.error != 0)
		return read.error;
	if (read.got != read.bytes)
		return -ESTALE;
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
collect_converted_read(struct worker *worker, uint32_t file_idx, uint64_t off,
		       uint8_t *to, size_t bytes)
{
	struct collect_scratch *scratch = worker->scratch;
	struct collect_converted *converted = &scratch->converted;
	const struct file_record *record =
		catalogue_file(&worker->catalogue, file_idx);
	size_t done = 0;

	if (converted->file != file_idx + 1 || off < converted->off)
		start(converted, file_idx, record->charset);
	while (done < bytes) {
		size_t nr = converted->held - converted->at;

		if (nr == 0) {
			int error;

			if (converted->source_off == record->size_bytes)
				break;
			error = convert_block(worker, record);
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
collect_converted_is_repaired(const struct worker *worker)
{
	const struct collect_scratch *scratch = worker->scratch;

	return scratch->converted.convert.repaired;
}

bool
collect_converted_at_end(const struct worker *worker, uint32_t file_idx)
{
	const struct collect_scratch *scratch = worker->scratch;
	const struct collect_converted *converted = &scratch->converted;

	return converted->at == converted->held &&
	       converted->source_off ==
		       catalogue_file(&worker->catalogue, file_idx)->size_bytes;
}
