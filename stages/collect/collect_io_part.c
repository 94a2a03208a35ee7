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

#include "lang/text.h"
#include "stages/collect/collect_io_secrets.h"

/* Converts a block to `to`: bytes written. */
static size_t
convert(struct collect_files *files, const struct file_record *record,
	size_t bytes, uint8_t *to)
{
	struct collect_converted *converted = &files->converted;

	if (record->charset == CHARSET_UTF8 &&
	    !(record->flags & MARK_REPAIRED)) {
		memcpy(to, converted->source, bytes);
		return bytes;
	}
	return collect_convert_run(&converted->convert, converted->source,
				   bytes, converted->at_end, (char *)to);
}

/* Moves what has to be kept of the text to its beginning. */
static void
drop_given(struct collect_converted *converted)
{
	size_t from = converted->redactor.at;

	from -= min_size(from, SECRETS_BEHIND);
	secrets_redact_drop(&converted->redactor, from);
	converted->held -= from;
	memmove(converted->text, converted->text + from, converted->held);
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
	drop_given(converted);
	converted->source_off += read.got;
	converted->at_end = converted->source_off == record->size_bytes;
	converted->held += convert(files, record, read.got,
				   converted->text + converted->held);
	return 0;
}

static void
start(struct collect_files *files, uint32_t file_idx,
      const struct file_record *record)
{
	struct collect_converted *converted = &files->converted;

	static_assert(COLLECT_CONVERT_ROOM(sizeof(converted->source)) +
				      SECRETS_AHEAD + 2 * SECRETS_BEHIND <=
			      sizeof(converted->text),
		      "a block, converted, behind what is kept");
	collect_convert_init(&converted->convert, record->charset);
	converted->convert.notebook.comment =
		lang_line_comment(record->language);
	converted->file = file_idx + 1;
	converted->source_off = 0;
	converted->off = 0;
	converted->held = 0;
	converted->at_end = false;
	converted->redactor = (struct secrets_redactor){
		.tells_only = files->secrets_mode != SECRETS_REDACT,
	};
	converted->line_nr = 0;
	converted->piece = (struct secrets_piece){ 0 };
	converted->piece_at = 0;
	converted->has_secrets = false;
}

/* All of the text in hand, where no secrets are looked for. */
static enum secrets_result
take_text(struct collect_converted *converted)
{
	size_t at = converted->redactor.at;

	if (at == converted->held)
		return SECRETS_MORE;
	converted->piece = (struct secrets_piece){
		.at = converted->text + at,
		.nr = converted->held - at,
	};
	converted->redactor.at = converted->held;
	return SECRETS_FOUND;
}

/* The next piece of what the open file becomes: 1; 0: the end; -errno */
static int
next_piece(struct collect_files *files, const struct file_record *record)
{
	struct collect_converted *converted = &files->converted;

	for (;;) {
		const struct secrets_text text = { converted->text,
						   converted->held,
						   converted->at_end };
		enum secrets_result result =
			files->secrets == NULL
				? take_text(converted)
				: secrets_redact_next(&converted->redactor,
						      files->secrets, &text,
						      &converted->piece);
		int error;

		if (result == SECRETS_FOUND) {
			converted->piece_at = 0;
			return 1;
		}
		if (converted->at_end)
			return 0;
		error = convert_block(files, record);
		if (error != 0)
			return error;
	}
}

/* Bytes of the piece in work that are left. */
static size_t
piece_left(const struct collect_converted *converted)
{
	return converted->piece.nr - converted->piece_at;
}

/* A piece begins to be taken, or to be passed over. */
static void
begin_piece(struct collect_files *files, bool is_taken)
{
	struct collect_converted *converted = &files->converted;
	const struct secrets_piece *piece = &converted->piece;

	if (!files->notes_secrets)
		return;
	if ((piece->is_found || piece->goes_on) && is_taken)
		collect_secrets_note(files, files->open_file - 1, piece,
				     converted->line_nr + 1);
	converted->has_secrets |=
		piece->is_found && !secrets_rule_warns(piece->rule);
	converted->line_nr += lang_newlines(piece->at, piece->nr);
}

/* The next bytes of the piece in work: skipped before `off`, or copied. */
static size_t
take_piece(struct collect_files *files, uint64_t off, uint8_t *to, size_t most)
{
	struct collect_converted *converted = &files->converted;
	bool is_taken = converted->off >= off;
	size_t nr = piece_left(converted);

	if (converted->piece_at == 0)
		begin_piece(files, is_taken);
	nr = min_size(nr, is_taken ? most : off - converted->off);
	if (is_taken)
		memcpy(to, converted->piece.at + converted->piece_at, nr);
	converted->piece_at += nr;
	converted->off += nr;
	return is_taken ? nr : 0;
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
		start(files, file_idx, record);
	while (done < bytes) {
		int result = piece_left(converted) > 0
				     ? 1
				     : next_piece(files, record);

		if (result < 0)
			return result;
		if (result == 0)
			break;
		if (piece_left(converted) > 0)
			done += take_piece(files, off, to + done, bytes - done);
		else
			begin_piece(files, converted->off >= off);
	}
	return (int64_t)done;
}

/* Whether all of it has been read: 1; 0; -errno. Only what follows tells. */
static int
is_at_end(struct collect_files *files)
{
	const struct collect_converted *converted = &files->converted;
	const struct file_record *record =
		catalogue_file(files->catalogue, files->open_file - 1);
	int result = 1;

	while (result > 0 && piece_left(converted) == 0) {
		result = next_piece(files, record);
		if (result > 0 && piece_left(converted) == 0)
			begin_piece(files, true);
	}
	return result < 0 ? result : result == 0;
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

	part->has_base64 = collect_has_base64(
		part->text, part->bytes, part->is_last ? NULL : &open_bytes);
	if (!part->has_base64)
		collect_part_cut(part, open_bytes);
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
	part->has_secrets = false;
	files->notes_secrets = !large->emits;
	if (large->converts) {
		int at_end;

		got = read_converted(files, large->off, part->text, most);
		at_end = got < 0 ? (int)got : is_at_end(files);
		if (at_end < 0)
			return at_end;
		part->is_last = at_end > 0;
	} else {
		got = read_plain(
			files, large, part,
			min_u64(record->size_bytes - large->off, most));
	}
	part->bytes = got < 0 ? 0 : (size_t)got;
	if (got > 0 && !large->converts && files->walk->options.elides)
		find_base64(part);
	/* what is written as it is ends where it did when it was looked at */
	if (got > 0 && !large->converts && !(large->emits && part->is_last))
		collect_secrets_look_at(files, large, part);
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

/* What is found is part of the committed state. */
static void
keep_findings(struct collect_files *files)
{
	files->place->finding_nr = files->finding_nr;
	files->place->findings_left_out = files->findings_left_out;
}

/* A file has secrets: it is left out, or to be read without them. */
static uint8_t
judge_secrets(const struct collect_files *files, struct file_record *record)
{
	if (files->secrets_mode == SECRETS_EXCLUDE)
		return REASON_SECRET;
	record->has_secrets = files->secrets_mode == SECRETS_REDACT;
	return REASON_NONE;
}

static uint8_t
look_at_converted(struct collect_files *files,
		  const struct collect_large *large,
		  const struct collect_part *part)
{
	struct file_record *record =
		catalogue_file(files->catalogue, large->file - 1);

	keep_findings(files);
	if (files->converted.convert.repaired)
		record->flags |= MARK_REPAIRED;
	/* a byte order mark and nothing else */
	if (large->off == 0 && part->bytes == 0)
		return REASON_ENCODING;
	return files->converted.has_secrets ? judge_secrets(files, record)
					    : REASON_NONE;
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
		return part->has_secrets ? REASON_CHANGED : REASON_NONE;
	if (large->converts)
		return look_at_converted(files, large, part);
	if (large->off == 0)
		reason = look_at_first(files, large->file - 1, part);
	if (reason == REASON_NONE && part->has_secrets)
		reason = judge_secrets(files, record);
	if (reason == REASON_NONE &&
	    collect_has_mistakes(files, record->charset, part, &large->carried))
		record->flags |= MARK_REPAIRED;
	else if (reason == REASON_NONE && large->off > 0 && part->has_base64)
		record->charset = collect_elision(files, large->file - 1, part);
	keep_findings(files);
	*is_again = reason == REASON_NONE && file_is_converted(record);
	large->converts = *is_again;
	if (reason == REASON_NONE && !*is_again && files->secrets != NULL)
		collect_secrets_keep(large, part);
	return reason;
}

void
collect_note_content(const struct collect_files *files,
		     struct collect_large *large,
		     const struct collect_part *part)
{
	if (!files->keeps_contents || large->emits)
		return;
	if (large->off == 0)
		sha256_init(&large->content);
	sha256_add(&large->content, part->text, part->bytes);
	if (part->is_last)
		sha256_end(&large->content,
			   catalogue_content(files->catalogue, large->file - 1)
				   ->sha256);
}
