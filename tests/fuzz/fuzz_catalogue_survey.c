/* SPDX-License-Identifier: MIT */
/*
 * fuzz_catalogue_survey.c - a kept survey that somebody has scribbled over, or
 * made up.
 *
 * Input: seven numbers of two bytes for the head, which is right otherwise: how
 * many slots (by a power of two) and entries there are, and how long each part
 * is, by eight bytes; then what stands behind the hole. The highest bit of the
 * first number: the sums of the entries are made right. What is found lies
 * within the file.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "catalogue/survey.h"
#include "catalogue/words.h"

#define NUMBERS 7
#define FORGED 0x8000u /* of the first number */

static_assert(sizeof(struct survey_entry) == 264,
	      "those of the corpus are so long; others would be passed over");

int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t bytes_nr);

static volatile uint8_t sink;

static const uint8_t key[SURVEY_KEY_BYTES] = { 1 };
static const struct content_record nothing;

static struct survey_head
head_of(const uint16_t numbers[static NUMBERS])
{
	struct survey_head head = {
		.magic = SURVEY_MAGIC,
		.key = { 1 },
		.slot_nr = 1ull << (numbers[0] & ~FORGED) % 20,
		.entry_nr = numbers[1],
		.slots_off = TABLE_HEAD_BYTES,
		.contents_off = TABLE_HEAD_BYTES + numbers[2] * 8ull,
	};

	head.entries_off = head.contents_off + numbers[2] * 8ull;
	head.paths_off = head.entries_off + numbers[3] * 8ull;
	head.chunks_off = head.paths_off + numbers[4] * 8ull;
	head.words_off = head.chunks_off + numbers[5] * 8ull;
	head.past_off = head.words_off + numbers[6] * 8ull;
	head.names_off = head.past_off;
	head.bytes = head.names_off + sizeof(struct names) + NAMES_FILE_BYTES;
	head.sum = survey_head_sum(&head);
	return head;
}

/* Makes the sums of the entries right that fit. */
static void
forge(const struct survey *survey, int fd)
{
	for (uint32_t i = 0; i < survey->head.entry_nr; i++) {
		struct surveyed found;
		uint64_t sum;
		uint64_t at = survey->head.entries_off +
			      i * sizeof(struct survey_entry) +
			      offsetof(struct survey_entry, sum);

		if (!survey_entry_fits(survey, i))
			continue;
		found = survey_at(survey, i);
		sum = survey_entry_sum(survey, &found);
		if (pwrite(fd, &sum, sizeof(sum), (off_t)at) != sizeof(sum))
			abort();
		if (!survey_entry_is_whole(survey, i))
			abort();
	}
}

/* All that is found of a path. */
static void
look_at(const struct survey *survey, uint32_t found)
{
	struct surveyed got;

	if (found == 0)
		return;
	got = survey_at(survey, found - 1);
	sink = survey_entry_is_possible(survey, found - 1);
	for (uint32_t i = 0; i < got.entry->facts.chunk_nr; i++)
		sink = survey_chunk(survey, got.entry->facts.chunk_first + i)
			       ->branches;
	for (uint64_t at = 0;
	     words_next(got.words, got.entry->facts.word_nr, &at) != NULL;)
		sink = (uint8_t)at;
	for (uint32_t i = 0; i < got.entry->names_bytes; i++)
		sink = ((const uint8_t *)got.names)[i];
}

int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t bytes_nr)
{
	uint16_t numbers[NUMBERS] = { 0 };
	size_t used = min_size(bytes_nr, sizeof(numbers));
	struct survey survey;
	struct survey_head head;
	int fd = memfd_create("survey", MFD_CLOEXEC);

	if (bytes_nr > 0)
		memcpy(numbers, bytes, used);
	head = head_of(numbers);
	if (fd < 0 || ftruncate(fd, (off_t)head.bytes) != 0 ||
	    pwrite(fd, &head, sizeof(head), 0) != sizeof(head) ||
	    pwrite(fd, bytes + used,
		   min_size(bytes_nr - used, head.bytes - TABLE_HEAD_BYTES),
		   TABLE_HEAD_BYTES) < 0)
		abort();
	if (survey_open(&survey, fd, key) != 0) {
		close(fd);
		return 0;
	}
	if (numbers[0] & FORGED)
		forge(&survey, table_fd(&survey.table));
	look_at(&survey, survey_find(&survey, 0, "a.c", 3));
	look_at(&survey, survey_find(&survey, 0, "", 0));
	look_at(&survey, survey_find_content(&survey, &nothing));
	if (head.entry_nr > 0) {
		struct content_record first = survey_entry(&survey, 0)->content;

		look_at(&survey, survey_find_content(&survey, &first));
	}
	table_close(&survey.table);
	return 0;
}
