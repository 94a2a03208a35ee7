/* SPDX-License-Identifier: MIT */
/*
 * test_kept_survey.h - a kept survey of one file, as an earlier run left it.
 */
#ifndef TESTS_SUPPORT_TEST_KEPT_SURVEY_H
#define TESTS_SUPPORT_TEST_KEPT_SURVEY_H

#include "tests/support/test_shm.h"

#include "catalogue/survey.h"

#define PATH_SLOTS 16

/* What is kept of the file. */
struct kept_file {
	const char *path;
	struct file_record file;
	struct file_facts facts; /* chunk_nr, word_nr */
	const struct chunk_record *chunks;
	const uint64_t *words;
	const struct names *names; /* NULL: none */
};

static inline const struct chunk_record *
kept_chunk(const void *context, uint64_t idx)
{
	return &((const struct chunk_record *)context)[idx];
}

/* owner: survey->table: table_close() */
static inline void
kept_survey_open(struct survey *survey, const struct kept_file *kept)
{
	size_t path_bytes = strlen(kept->path);
	struct survey_entry entry = { .file = kept->file,
				      .facts = kept->facts };
	const struct surveyed surveyed = {
		.entry = &entry,
		.path = (const uint8_t *)kept->path,
		.words = kept->words,
		.names = kept->names,
	};
	struct survey_head head = { .magic = SURVEY_MAGIC,
				    .entry_nr = 1,
				    .slot_nr = PATH_SLOTS };
	const uint8_t key[SURVEY_KEY_BYTES] = { 0 };
	uint32_t slots[2 * PATH_SLOTS] = { 0 };
	FILE *file = tmpfile();

	entry.file.path_off = 0;
	entry.file.path_bytes = (uint32_t)path_bytes;
	if (kept->names != NULL) {
		entry.names_bytes =
			(uint32_t)sizeof(*kept->names) + kept->names->bytes;
		entry.facts.names_off = 1;
	}
	entry.sum = survey_sum(&surveyed, kept_chunk, kept->chunks);
	head.slots_off = TABLE_HEAD_BYTES;
	head.contents_off = head.slots_off + sizeof(slots) / 2;
	head.entries_off = head.slots_off + sizeof(slots);
	head.paths_off = head.entries_off + sizeof(entry);
	head.chunks_off = round_up_u64(head.paths_off + path_bytes, 8);
	head.words_off = head.chunks_off +
			 entry.facts.chunk_nr * sizeof(struct chunk_record);
	head.past_off = head.words_off + entry.facts.word_nr * sizeof(uint64_t);
	head.names_off = head.past_off;
	head.bytes = head.names_off + round_up_u64(entry.names_bytes, 8) +
		     NAMES_ROOM_BYTES;
	head.sum = survey_head_sum(&head);
	slots[survey_slot(&head, 0, surveyed.path, path_bytes)] = 1;
	fwrite(&head, sizeof(head), 1, file);
	ASSERT_EQ(fseek(file, (long)head.slots_off, SEEK_SET), 0);
	fwrite(slots, sizeof(slots), 1, file);
	fwrite(&entry, sizeof(entry), 1, file);
	fwrite(kept->path, path_bytes, 1, file);
	ASSERT_EQ(fseek(file, (long)head.chunks_off, SEEK_SET), 0);
	if (entry.facts.chunk_nr > 0)
		fwrite(kept->chunks, sizeof(struct chunk_record),
		       entry.facts.chunk_nr, file);
	if (kept->words != NULL)
		fwrite(kept->words, sizeof(uint64_t), entry.facts.word_nr,
		       file);
	if (kept->names != NULL)
		fwrite(kept->names, 1, entry.names_bytes, file);
	ASSERT_EQ(fflush(file), 0);
	ASSERT_EQ(ftruncate(fileno(file), (off_t)head.bytes), 0);
	ASSERT_EQ(survey_open(survey, dup(fileno(file)), key), 0);
	fclose(file);
}

#endif
