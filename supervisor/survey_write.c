/* SPDX-License-Identifier: MIT */
/*
 * survey_write.c - the parts of a survey, each in a pass over its files.
 */
#include "supervisor/survey_write.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/hash.h"
#include "base/replace_file.h"
#include "base/stream.h"

/* ---- its files ------------------------------------------------------------ */

static const struct chunk_record *
item_chunk(const void *context, uint64_t idx)
{
	const struct survey_item *item = context;

	idx -= item->entry.facts.chunk_first;
	if (item->survey != NULL)
		return survey_chunk(item->survey, item->chunk_first + idx);
	if (idx < item->entry.facts.chunk_nr)
		return catalogue_chunk(item->catalogue,
				       item->chunk_first + idx);
	return catalogue_signature_line(item->catalogue,
					item->signature_line_first + idx -
						item->entry.facts.chunk_nr);
}

uint64_t
survey_item_sum(const struct survey_item *item)
{
	struct surveyed surveyed = item->surveyed;

	surveyed.entry = &item->entry;
	return survey_sum(&surveyed, item_chunk, item);
}

bool
survey_next_of_list(const void *context, uint64_t *at, struct survey_item *item)
{
	const struct survey_list *list = context;
	uint64_t idx = *at;

	for (size_t i = 0; i < list->nr; i++) {
		const struct survey *survey = &list->surveys[i];

		if (idx >= survey->head.entry_nr) {
			idx -= survey->head.entry_nr;
			continue;
		}
		*item = (struct survey_item){
			.surveyed = survey_at(survey, (uint32_t)idx),
			.survey = survey,
		};
		item->entry = *item->surveyed.entry;
		item->chunk_first = item->entry.facts.chunk_first;
		(*at)++;
		return true;
	}
	return false;
}

static void
begin(struct survey_writer *writer)
{
	writer->at = 0;
	writer->paths_bytes = 0;
	writer->chunk_nr = 0;
	writer->word_nr = 0;
	writer->names_bytes = 0;
}

/* The next file, and its place behind those before: false: there is none. */
static bool
next_item(struct survey_writer *writer, struct survey_item *item)
{
	struct survey_entry *entry = &item->entry;

	if (!writer->next(writer->context, &writer->at, item))
		return false;
	entry->file.path_off = writer->paths_bytes;
	entry->facts.chunk_first = writer->chunk_nr;
	entry->facts.word_first = writer->word_nr;
	entry->facts.names_off =
		entry->names_bytes == 0 ? 0 : writer->names_bytes + 1;
	writer->paths_bytes += entry->file.path_bytes;
	writer->chunk_nr += survey_record_nr(entry);
	writer->word_nr += entry->facts.word_nr;
	writer->names_bytes += round_up_u64(survey_names_bytes(entry), 8);
	return true;
}

/* ---- writing -------------------------------------------------------------- */

static void
place_parts(struct survey_writer *writer)
{
	struct survey_head *head = &writer->head;
	struct checksum past = checksum_begin();

	head->slot_nr = 16;
	while (head->slot_nr < 2 * head->entry_nr)
		head->slot_nr *= 2;
	head->slots_off = TABLE_HEAD_BYTES;
	head->contents_off = head->slots_off + head->slot_nr * sizeof(uint32_t);
	head->entries_off =
		head->contents_off + head->slot_nr * sizeof(uint32_t);
	head->paths_off = head->entries_off +
			  head->entry_nr * sizeof(struct survey_entry);
	head->chunks_off =
		round_up_u64(head->paths_off + writer->paths_bytes, 8);
	head->words_off = head->chunks_off +
			  writer->chunk_nr * sizeof(struct chunk_record);
	head->past_off = head->words_off + writer->word_nr * sizeof(uint64_t);
	head->names_off = head->past_off + writer->past_bytes;
	head->bytes = head->names_off + writer->names_bytes + NAMES_ROOM_BYTES;
	checksum_add(&past, writer->past, writer->past_bytes);
	head->past_sum = checksum_end(&past);
	head->sum = survey_head_sum(head);
}

static void
write_zeros(FILE *out, uint64_t nr)
{
	static const uint8_t zeros[8];

	fwrite(zeros, 1, nr, out);
}

/* The first empty slot for an entry, from that of its path on. */
static uint32_t *
path_slot(const struct survey_head *head, uint32_t *slots,
	  const struct survey_item *item)
{
	uint64_t at =
		survey_slot(head, item->entry.file.root_idx,
			    item->surveyed.path, item->entry.file.path_bytes);

	while (slots[at] != 0)
		at = (at + 1) & (head->slot_nr - 1);
	return &slots[at];
}

/* The same from that of its content on; NULL: one of the same content is there.
 * digests: the first bytes of each entry's */
static uint32_t *
content_slot(const struct survey_head *head, uint32_t *slots,
	     const uint64_t *digests, const struct content_record *content)
{
	uint64_t at = survey_content_slot(head, content);
	uint64_t digest;

	memcpy(&digest, content, sizeof(digest));
	for (; slots[at] != 0; at = (at + 1) & (head->slot_nr - 1))
		if (digests[slots[at] - 1] == digest)
			return NULL;
	return &slots[at];
}

static int
write_slots(struct survey_writer *writer, FILE *out)
{
	const struct survey_head *head = &writer->head;
	uint32_t *slots = calloc(head->slot_nr, 2 * sizeof(*slots));
	uint64_t *digests = calloc(head->entry_nr + 1, sizeof(*digests));
	int error = slots == NULL || digests == NULL ? -ENOMEM : 0;
	struct survey_item item;

	begin(writer);
	for (uint32_t idx = 1; error == 0 && next_item(writer, &item); idx++) {
		const struct content_record *content = &item.entry.content;
		uint32_t *slot = content_slot(head, slots + head->slot_nr,
					      digests, content);

		*path_slot(head, slots, &item) = idx;
		memcpy(&digests[idx - 1], content, sizeof(*digests));
		if (slot != NULL)
			*slot = idx;
	}
	if (error == 0)
		fwrite(slots, 2 * sizeof(*slots), head->slot_nr, out);
	free(slots);
	free(digests);
	return error;
}

static void
write_entries(struct survey_writer *writer, FILE *out)
{
	struct survey_item item;

	begin(writer);
	while (next_item(writer, &item)) {
		item.entry.sum = survey_item_sum(&item);
		fwrite(&item.entry, sizeof(item.entry), 1, out);
	}
}

static void
write_paths(struct survey_writer *writer, FILE *out)
{
	struct survey_item item;

	begin(writer);
	while (next_item(writer, &item))
		fwrite(item.surveyed.path, 1, item.entry.file.path_bytes, out);
	write_zeros(out,
		    round_up_u64(writer->paths_bytes, 8) - writer->paths_bytes);
}

static void
write_chunks(struct survey_writer *writer, FILE *out)
{
	struct survey_item item;

	begin(writer);
	while (next_item(writer, &item))
		for (uint32_t i = 0; i < survey_record_nr(&item.entry); i++) {
			struct chunk_record copy = *item_chunk(
				&item, item.entry.facts.chunk_first + i);

			copy.file_idx = 0;
			fwrite(&copy, sizeof(copy), 1, out);
		}
}

static void
write_words(struct survey_writer *writer, FILE *out)
{
	struct survey_item item;

	begin(writer);
	while (next_item(writer, &item))
		if (item.entry.facts.word_nr > 0)
			fwrite(item.surveyed.words, sizeof(uint64_t),
			       item.entry.facts.word_nr, out);
}

static void
write_names(struct survey_writer *writer, FILE *out)
{
	struct survey_item item;

	begin(writer);
	while (next_item(writer, &item)) {
		uint64_t nr = survey_names_bytes(&item.entry);

		if (nr > 0)
			fwrite(item.surveyed.names, 1, nr, out);
		write_zeros(out, round_up_u64(nr, 8) - nr);
	}
}

int
survey_write_fd(void *context, int fd)
{
	struct survey_writer *writer = context;
	struct stream stream;
	int error;

	if (lseek(fd, TABLE_HEAD_BYTES, SEEK_SET) < 0)
		return -errno;
	error = stream_open(&stream, fd);
	if (error != 0)
		return error;
	error = write_slots(writer, stream.file);
	if (error == 0) {
		write_entries(writer, stream.file);
		write_paths(writer, stream.file);
		write_chunks(writer, stream.file);
		write_words(writer, stream.file);
		if (writer->past_bytes > 0)
			fwrite(writer->past, 1, writer->past_bytes,
			       stream.file);
		write_names(writer, stream.file);
	}
	if (stream_close(&stream) != 0 || error != 0)
		return error != 0 ? error : stream.error;
	if (ftruncate(fd, (off_t)writer->head.bytes) != 0 ||
	    pwrite(fd, writer->label, writer->label_bytes,
		   sizeof(writer->head)) != (ssize_t)writer->label_bytes ||
	    pwrite(fd, &writer->head, sizeof(writer->head), 0) !=
		    (ssize_t)sizeof(writer->head))
		return errno == 0 ? -EIO : -errno;
	return 0;
}

int
survey_measure(struct survey_writer *writer)
{
	struct survey_head *head = &writer->head;
	struct survey_item item;

	if (writer->label_bytes > SURVEY_LABEL_BYTES)
		return -ENAMETOOLONG;
	memcpy(head->magic, SURVEY_MAGIC, sizeof(head->magic));
	head->label_bytes = writer->label_bytes;
	head->label_sum =
		hash64(HASH64_BEGIN, writer->label, writer->label_bytes);
	head->entry_nr = 0;
	head->content_bytes = 0;
	begin(writer);
	while (next_item(writer, &item)) {
		head->entry_nr++;
		head->content_bytes += item.entry.file.size_bytes;
	}
	place_parts(writer);
	return head->bytes > 1ull << NAMES_OFF_BITS ||
			       head->entry_nr > NAMES_ENTRIES_MAX
		       ? -EFBIG
		       : 0;
}

int
survey_write(struct survey_writer *writer, const char *path)
{
	return replace_file(path, survey_write_fd, writer);
}
