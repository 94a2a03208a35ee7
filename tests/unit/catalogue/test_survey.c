/* SPDX-License-Identifier: MIT */
/*
 * test_survey.c - a survey that is damaged anywhere gives no wrong facts.
 */
#include "tests/support/test_shm.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>

#include "catalogue/survey.h"

#define ENTRIES 3
#define CHUNKS 2

static const uint8_t key[SURVEY_KEY_BYTES] = "of these settings";
static const char *const paths[ENTRIES] = { "a.c", "src/b.c", "c" };
static const struct chunk_record *chunks;

static const struct chunk_record *
chunk_of(const void *context, uint64_t idx)
{
	return chunks + idx;
}

/* A survey as it lies in a file, but for the hole at its start. */
static struct image {
	uint32_t slots[8];
	uint32_t contents[8];
	struct survey_entry entries[ENTRIES];
	char paths[16];
	struct chunk_record chunks[ENTRIES * CHUNKS];
	uint64_t words[3];
	struct names names;
	struct name_entry name;
	uint8_t text[8];
} image;

static struct survey_head head;
static struct content_record texts[ENTRIES];

static struct content_record
content_of(const char *text)
{
	struct content_record content;

	sha256_of(text, strlen(text), content.sha256);
	return content;
}

static void
make_image(void)
{
	uint64_t path_off = 0;

	texts[0] = content_of("int a;\n");
	texts[1] = content_of("int b;");
	texts[2] = content_of("int c;\n");

	chunks = image.chunks;
	head = (struct survey_head){
		.magic = SURVEY_MAGIC,
		.entry_nr = ENTRIES,
		.slot_nr = ARRAY_LEN(image.slots),
		.slots_off = TABLE_HEAD_BYTES,
		.contents_off =
			TABLE_HEAD_BYTES + offsetof(struct image, contents),
		.entries_off =
			TABLE_HEAD_BYTES + offsetof(struct image, entries),
		.paths_off = TABLE_HEAD_BYTES + offsetof(struct image, paths),
		.chunks_off = TABLE_HEAD_BYTES + offsetof(struct image, chunks),
		.words_off = TABLE_HEAD_BYTES + offsetof(struct image, words),
		.past_off = TABLE_HEAD_BYTES + offsetof(struct image, names),
		.names_off = TABLE_HEAD_BYTES + offsetof(struct image, names),
	};
	memcpy(head.key, key, sizeof(key));
	head.bytes = TABLE_HEAD_BYTES + sizeof(image) + NAMES_ROOM_BYTES;
	head.sum = survey_head_sum(&head);
	memset(&image, 0, sizeof(image));
	image.names.bytes = sizeof(image.name) + sizeof(image.text);
	memset(image.words, 0x5a, sizeof(image.words));
	for (uint32_t i = 0; i < ENTRIES; i++) {
		struct survey_entry *entry = &image.entries[i];
		struct surveyed surveyed = {
			.entry = entry,
			.path = (const uint8_t *)image.paths + path_off,
			.words = image.words,
			.names = &image.names,
		};
		uint64_t at = survey_slot(&head, 0, (const uint8_t *)paths[i],
					  strlen(paths[i]));

		while (image.slots[at] != 0)
			at = (at + 1) % ARRAY_LEN(image.slots);
		image.slots[at] = i + 1;
		*entry = (struct survey_entry){
			.file.path_off = path_off,
			.file.path_bytes = (uint32_t)strlen(paths[i]),
			.content = texts[i],
			.facts.tokens = 100 + i,
			.facts.chunk_first = (uint64_t)i * CHUNKS,
			.facts.chunk_nr = CHUNKS,
			.facts.word_nr = i == 0 ? 3 : 0,
			.facts.names_off = i == 0,
			.names_bytes = i == 0 ? (uint32_t)sizeof(image.names) +
							image.names.bytes
					      : 0,
		};
		memcpy(image.paths + path_off, paths[i], strlen(paths[i]));
		at = survey_content_slot(&head, &texts[i]);
		while (image.contents[at] != 0)
			at = (at + 1) % ARRAY_LEN(image.contents);
		image.contents[at] = i + 1;
		path_off += strlen(paths[i]);
		entry->sum = survey_sum(&surveyed, chunk_of, NULL);
	}
}

static void
write_image(int fd)
{
	ASSERT_EQ(pwrite(fd, &head, sizeof(head), 0), sizeof(head));
	ASSERT_EQ(pwrite(fd, &image, sizeof(image), TABLE_HEAD_BYTES),
		  sizeof(image));
	ASSERT_EQ(ftruncate(fd, (off_t)(TABLE_HEAD_BYTES + sizeof(image) +
					NAMES_ROOM_BYTES)),
		  0);
}

/* As survey_open() of such a file; there is no table after an error. */
static int
open_image(struct survey *survey)
{
	FILE *file = tmpfile();
	int fd = dup(fileno(file));
	int error;

	fclose(file);
	write_image(fd);
	error = survey_open(survey, fd, key);
	if (error != 0)
		close(fd);
	return error;
}

static uint32_t
found_in(const struct survey *survey, uint32_t i)
{
	return survey_find(survey, 0, paths[i], strlen(paths[i]));
}

static void
test_survey_finds_each_file_and_no_other(void **state)
{
	struct survey survey;

	make_image();
	ASSERT_EQ(open_image(&survey), 0);
	for (uint32_t i = 0; i < ENTRIES; i++) {
		struct surveyed got =
			survey_at(&survey, found_in(&survey, i) - 1);

		ASSERT_EQ(got.entry->facts.tokens, 100 + i);
		ASSERT_EQ(got.names != NULL, i == 0);
		ASSERT_EQ(got.words != NULL, i == 0);
		if (i == 0)
			assert_memory_equal(got.words, image.words,
					    sizeof(image.words));
	}
	ASSERT_EQ(survey_find(&survey, 1, "a.c", 3), 0);
	ASSERT_EQ(survey_find(&survey, 0, "a.", 2), 0);
	ASSERT_EQ(survey_find(&survey, 0, "d", 1), 0);
	ASSERT_EQ(survey_find(&survey, 0, "", 0), 0);
	table_close(&survey.table);
}

/* Whatever was found last: a guess, also one that is no entry, finds no other. */
static void
test_survey_finds_the_same_from_any_place(void **state)
{
	const uint32_t last[] = { 0, 1, 2, ENTRIES - 1, ENTRIES, UINT32_MAX };
	struct survey survey;

	make_image();
	ASSERT_EQ(open_image(&survey), 0);
	for (uint32_t i = 0; i < ENTRIES; i++)
		for (size_t k = 0; k < sizeof(last) / sizeof(last[0]); k++)
			ASSERT_EQ(survey_find_next(&survey, last[k], 0,
						   paths[i], strlen(paths[i])),
				  found_in(&survey, i));
	ASSERT_EQ(survey_find_next(&survey, 0, 1, paths[0], strlen(paths[0])),
		  0);
	ASSERT_EQ(survey_find_next(&survey, 0, 0, "d", 1), 0);
	table_close(&survey.table);
}

/* Whether another process could cut a file short now. */
static bool
others_can_write(const char *path)
{
	pid_t pid = fork();
	int status;

	if (pid == 0) {
		int fd = open(path, O_WRONLY | O_NONBLOCK | O_CLOEXEC);

		_exit(fd < 0 && errno == EWOULDBLOCK);
	}
	ASSERT_EQ(waitpid(pid, &status, 0), pid);
	return status == 0;
}

static void
test_survey_that_is_held_is_not_cut_short(void **state)
{
	char path[] = "/tmp/bale-survey-XXXXXX";
	int fd = mkstemp(path);
	struct survey survey;

	signal(SIGIO, SIG_IGN);
	make_image();
	write_image(fd);
	close(fd);
	ASSERT_EQ(survey_open(&survey, open(path, O_RDONLY | O_CLOEXEC), key),
		  0);
	ASSERT_TRUE(others_can_write(path));
	ASSERT_TRUE(survey_hold(&survey));
	ASSERT_TRUE(!others_can_write(path));
	table_close(&survey.table);
	ASSERT_TRUE(others_can_write(path));
	ASSERT_EQ(survey_open(&survey, open(path, O_RDONLY | O_CLOEXEC), key),
		  0);
	ASSERT_EQ(truncate(path, TABLE_HEAD_BYTES), 0);
	ASSERT_TRUE(!survey_hold(&survey));
	table_close(&survey.table);
	unlink(path);
	survey = (struct survey){ 0 };
	ASSERT_TRUE(survey_hold(&survey));
}

static void
test_survey_finds_a_content_wherever_it_is(void **state)
{
	struct content_record other = content_of("int d;\n");
	struct survey survey;

	make_image();
	ASSERT_EQ(open_image(&survey), 0);
	for (uint32_t i = 0; i < ENTRIES; i++)
		ASSERT_EQ(survey_find_content(&survey, &texts[i]), i + 1);
	ASSERT_EQ(survey_find_content(&survey, &other), 0);
	table_close(&survey.table);
}

/* The number of its file is that of an earlier run: nobody looks at it. */
static void
assert_chunk(const struct survey *survey, uint64_t idx,
	     const struct chunk_record *want)
{
	struct chunk_record got = *survey_chunk(survey, idx);

	got.file_idx = want->file_idx;
	assert_memory_equal(&got, want, sizeof(got));
}

/* Each bit of the file in turn is another: what is found is what was kept. */
static void
test_survey_that_is_damaged_gives_what_was_kept_or_nothing(void **state)
{
	struct image whole;
	uint64_t lost = 0;

	make_image();
	whole = image;
	for (size_t bit = 0; bit < 8 * sizeof(image); bit += 5) {
		struct survey survey;

		memcpy(&image, &whole, sizeof(image));
		((uint8_t *)&image)[bit / 8] ^= (uint8_t)(1 << bit % 8);
		ASSERT_EQ(open_image(&survey), 0);
		for (uint32_t i = 0; i < ENTRIES; i++) {
			uint32_t found =
				survey_find_content(&survey, &texts[i]);

			assert_true(found == 0 || found == i + 1);
			found = found_in(&survey, i);
			lost += found == 0;
			if (found == 0)
				continue;
			ASSERT_EQ(found, i + 1);
			assert_memory_equal(survey_entry(&survey, i),
					    &whole.entries[i],
					    sizeof(whole.entries[i]));
			if (i == 0)
				assert_memory_equal(survey_at(&survey, 0).words,
						    whole.words,
						    sizeof(whole.words));
			for (uint32_t c = 0; c < CHUNKS; c++)
				assert_chunk(&survey, i * CHUNKS + c,
					     &whole.chunks[i * CHUNKS + c]);
		}
		table_close(&survey.table);
	}
	/* most damage is to one of them */
	ASSERT_TRUE(lost > sizeof(image));
}

static void
test_survey_with_a_head_that_is_damaged_is_none(void **state)
{
	struct survey_head whole;

	make_image();
	whole = head;
	for (size_t bit = 0; bit < 8 * sizeof(head); bit += 3) {
		struct survey survey;

		head = whole;
		((uint8_t *)&head)[bit / 8] ^= (uint8_t)(1 << bit % 8);
		ASSERT_EQ(open_image(&survey), -EINVAL);
		ASSERT_EQ(survey.head.entry_nr, 0);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_survey_finds_each_file_and_no_other),
		cmocka_unit_test(test_survey_finds_the_same_from_any_place),
		cmocka_unit_test(test_survey_that_is_held_is_not_cut_short),
		cmocka_unit_test(test_survey_finds_a_content_wherever_it_is),
		cmocka_unit_test(
			test_survey_that_is_damaged_gives_what_was_kept_or_nothing),
		cmocka_unit_test(
			test_survey_with_a_head_that_is_damaged_is_none),
	};

	return cmocka_run_group_tests_name("catalogue/survey", tests, NULL,
					   NULL);
}
