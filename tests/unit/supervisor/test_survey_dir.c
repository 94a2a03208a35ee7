/* SPDX-License-Identifier: MIT */
/*
 * test_survey_dir.c - the surveys that are kept, listed and removed.
 */
#include "tests/support/test_survey_file.h"

#include "supervisor/survey_dir.h"

#define NAME(digit) digit "0123456789abcdef0123456789abcde"

/* A survey of /src and of /doc/a, for all tests. */
static void
make(const char *name, time_t used_s)
{
	static const char label[] = "settings\0/src\0/doc/a";

	survey_file_make(name, label, sizeof(label), used_s);
}

static void
test_survey_dir_lists_surveys_the_one_used_last_first(void **state)
{
	struct survey_dir dir;

	make(NAME("1"), 100);
	make(NAME("3"), 300);
	make(NAME("2"), 200);
	dir_write("README", "not a survey");
	dir_write(NAME("g"), "neither is this");
	ASSERT_EQ(mkdir(NAME("4"), 0700), 0);
	ASSERT_EQ(symlink(NAME("1"), NAME("5")), 0);
	ASSERT_EQ(survey_dir_open(&dir, "."), 0);
	ASSERT_EQ(dir.nr, 3);
	survey_dir_read(&dir);
	for (size_t i = 0; i < 3; i++) {
		ASSERT_EQ(dir.files[i].name[0], '3' - (int)i);
		ASSERT_EQ(dir.files[i].state, SURVEY_WHOLE);
		assert_string_equal(survey_file_settings(&dir.files[i]),
				    "settings");
		assert_string_equal(survey_file_root(&dir.files[i], 0), "/src");
		assert_string_equal(survey_file_root(&dir.files[i], 1),
				    "/doc/a");
		assert_null(survey_file_root(&dir.files[i], 2));
		ASSERT_EQ(survey_file_check(&dir, &dir.files[i]), 0);
	}
	survey_dir_close(&dir);
	ASSERT_EQ(survey_dir_open(&dir, "none"), -ENOENT);
	survey_dir_close(&dir);
}

static void
test_survey_dir_tells_what_is_damaged_and_of_others(void **state)
{
	struct survey_dir dir;
	struct survey_head head;
	int fd;

	make(NAME("1"), 100);
	ASSERT_EQ(truncate(NAME("1"), 1000), 0);
	make(NAME("2"), 90);
	fd = open(NAME("2"), O_RDWR | O_CLOEXEC);
	ASSERT_EQ(pread(fd, &head, sizeof(head), 0), sizeof(head));
	head.build[0] ^= 1;
	head.sum = survey_head_sum(&head);
	ASSERT_EQ(pwrite(fd, &head, sizeof(head), 0), sizeof(head));
	close(fd);
	make(NAME("3"), 80);
	fd = open(NAME("3"), O_RDWR | O_CLOEXEC);
	ASSERT_EQ(pwrite(fd, "x", 1, sizeof(head) + 3), 1);
	close(fd);
	make(NAME("4"), 70);
	fd = open(NAME("4"), O_RDWR | O_CLOEXEC);
	/* the last digit says of which layout it is */
	ASSERT_EQ(pwrite(fd, "0", 1, sizeof(head.magic) - 1), 1);
	close(fd);
	ASSERT_EQ(survey_dir_open(&dir, "."), 0);
	survey_dir_read(&dir);
	ASSERT_EQ(dir.nr, 4);
	for (size_t i = 0; i < dir.nr; i++) {
		const struct survey_file *file = &dir.files[i];
		bool is_other = file->name[0] == '2' || file->name[0] == '4';

		ASSERT_EQ(file->state,
			  is_other ? SURVEY_OTHER_BUILD : SURVEY_DAMAGED);
	}
	survey_dir_close(&dir);
}

static void
test_survey_is_of_its_roots_and_what_is_above_them(void **state)
{
	struct survey_dir dir;

	make(NAME("1"), 100);
	ASSERT_EQ(survey_dir_open(&dir, "."), 0);
	survey_dir_read(&dir);
	assert_true(survey_file_is_of(&dir.files[0], "/"));
	assert_true(survey_file_is_of(&dir.files[0], "/src"));
	assert_true(survey_file_is_of(&dir.files[0], "/doc"));
	assert_true(survey_file_is_of(&dir.files[0], "/doc/a"));
	assert_false(survey_file_is_of(&dir.files[0], "/doc/a/b"));
	assert_false(survey_file_is_of(&dir.files[0], "/sr"));
	assert_false(survey_file_is_of(&dir.files[0], "settings"));
	survey_dir_close(&dir);
}

/* Blocks of a survey of no files: what the file system counts. */
static uint64_t
bytes_of_one(void)
{
	struct stat st;

	ASSERT_EQ(stat(NAME("1"), &st), 0);
	return (uint64_t)st.st_blocks * 512;
}

static void
test_survey_dir_make_room_removes_what_is_unused_for_longest(void **state)
{
	make(NAME("2"), 100);
	make(NAME("1"), 200);
	make(NAME("3"), 300);
	dir_write("README", "not a survey");
	survey_dir_make_room(".", 3 * bytes_of_one());
	assert_string_equal(dir_names("."),
			    NAME("1") " " NAME("2") " " NAME("3") " README");
	survey_dir_make_room(".", 3 * bytes_of_one() - 1);
	assert_string_equal(dir_names("."), NAME("1") " " NAME("3") " README");
	survey_dir_make_room(".", bytes_of_one());
	assert_string_equal(dir_names("."), NAME("3") " README");
	survey_dir_make_room("none", 0);
}

int
main(void)
{
#define CASE(name) cmocka_unit_test_setup_teardown(name, dir_set_up, dir_tear_down)
	const struct CMUnitTest tests[] = {
		CASE(test_survey_dir_lists_surveys_the_one_used_last_first),
		CASE(test_survey_dir_tells_what_is_damaged_and_of_others),
		CASE(test_survey_is_of_its_roots_and_what_is_above_them),
		CASE(test_survey_dir_make_room_removes_what_is_unused_for_longest),
	};

	return cmocka_run_group_tests_name("supervisor/survey_dir", tests, NULL,
					   NULL);
}
