/* SPDX-License-Identifier: MIT */
/*
 * test_survey_file.h - surveys of no files, as they are kept.
 */
#ifndef TESTS_SUPPORT_TEST_SURVEY_FILE_H
#define TESTS_SUPPORT_TEST_SURVEY_FILE_H

#include "tests/support/test_dir.h"

#include "base/hash.h"
#include "catalogue/survey.h"
#include "supervisor/survey_place.h"

/*
 * shape:  a survey of this program with a label of `bytes`, that was used at a
 *         time since 1970
 */
static __attribute__((unused)) void
survey_file_make(const char *path, const char *label, size_t bytes,
		 time_t used_s)
{
	struct survey_head head = {
		.magic = SURVEY_MAGIC,
		.label_bytes = bytes,
		.label_sum = hash64(HASH64_BEGIN, label, bytes),
		.slot_nr = 16,
		.slots_off = TABLE_HEAD_BYTES,
		.contents_off = TABLE_HEAD_BYTES + 64,
		.entries_off = TABLE_HEAD_BYTES + 128,
		.paths_off = TABLE_HEAD_BYTES + 128,
		.chunks_off = TABLE_HEAD_BYTES + 128,
		.words_off = TABLE_HEAD_BYTES + 128,
		.past_off = TABLE_HEAD_BYTES + 128,
		.names_off = TABLE_HEAD_BYTES + 128,
		.bytes = TABLE_HEAD_BYTES + 128 + NAMES_ROOM_BYTES,
	};
	const struct timespec times[2] = { { .tv_sec = used_s },
					   { .tv_sec = used_s } };
	int fd = open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);

	assert_true(survey_build(head.build));
	head.sum = survey_head_sum(&head);
	assert_int_equal(ftruncate(fd, (off_t)head.bytes), 0);
	assert_int_equal(pwrite(fd, &head, sizeof(head), 0), sizeof(head));
	assert_int_equal(pwrite(fd, label, bytes, sizeof(head)), bytes);
	assert_int_equal(futimens(fd, times), 0);
	close(fd);
}

#endif
