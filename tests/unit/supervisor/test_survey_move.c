/* SPDX-License-Identifier: MIT */
/*
 * test_survey_move.c - surveys to other machines, and from them.
 */
#include "tests/support/test_survey_file.h"

#include "base/array.h"
#include "supervisor/survey_move.h"

#define NAME "0123456789abcdef0123456789abcdef"

static const char label[] = "settings\0/src\0/doc";
static const struct text_list none;

static struct text_list
two_roots(void)
{
	struct text_list roots = { 0 };

	ASSERT_EQ(text_list_add_copy(&roots, "/src"), 0);
	ASSERT_EQ(text_list_add_copy(&roots, "/doc"), 0);
	return roots;
}

static void
test_survey_of_roots_is_the_one_of_all_of_them_in_order(void **state)
{
	struct text_list roots = two_roots();
	struct survey_dir dir;

	survey_file_make(NAME, label, sizeof(label), 100);
	ASSERT_EQ(survey_dir_open(&dir, "."), 0);
	survey_dir_read(&dir);
	assert_ptr_equal(survey_find_of_roots(&dir, &roots), dir.files);
	roots.nr = 1;
	assert_null(survey_find_of_roots(&dir, &roots));
	assert_null(survey_find_of_roots(&dir, &none));
	roots.nr = 2;
	survey_dir_close(&dir);
	text_list_free(&roots);
}

static void
test_survey_import_is_of_the_roots_that_are_named(void **state)
{
	struct text_list roots = two_roots();
	struct survey_dir dir;
	uint64_t files = 1;
	int fd;

	survey_file_make(NAME, label, sizeof(label), 100);
	ASSERT_EQ(survey_dir_open(&dir, "."), 0);
	survey_dir_read(&dir);
	ASSERT_EQ(survey_export(&dir, dir.files, "exported"), 0);
	survey_dir_close(&dir);
	ASSERT_EQ(unlink(NAME), 0);
	fd = open("exported", O_RDONLY | O_CLOEXEC);
	ASSERT_EQ(survey_import(fd, &none, ".", &files), -EDOM);
	snprintf((char *)(uintptr_t)roots.items[1], 5, "/new");
	ASSERT_EQ(survey_import(fd, &roots, ".", &files), 0);
	ASSERT_EQ(files, 0);
	ASSERT_EQ(survey_dir_open(&dir, "."), 0);
	survey_dir_read(&dir);
	ASSERT_EQ(dir.nr, 1);
	assert_ptr_equal(survey_find_of_roots(&dir, &roots), dir.files);
	assert_true(dir.files->head.flags & SURVEY_IMPORTED);
	assert_string_equal(survey_file_settings(dir.files), "settings");
	survey_dir_close(&dir);
	close(fd);
	text_list_free(&roots);
}

static void
test_survey_import_of_another_build_or_of_none(void **state)
{
	struct text_list roots = two_roots();
	struct survey_head head;
	uint64_t files;
	int fd;

	survey_file_make("file", label, sizeof(label), 100);
	fd = open("file", O_RDWR | O_CLOEXEC);
	ASSERT_EQ(pread(fd, &head, sizeof(head), 0), sizeof(head));
	head.build[3] ^= 1;
	head.sum = survey_head_sum(&head);
	ASSERT_EQ(pwrite(fd, &head, sizeof(head), 0), sizeof(head));
	ASSERT_EQ(survey_import(fd, &roots, ".", &files), -EPROTO);
	ASSERT_EQ(ftruncate(fd, 1000), 0);
	ASSERT_EQ(survey_import(fd, &roots, ".", &files), -EINVAL);
	assert_string_equal(dir_names("."), "file");
	close(fd);
	text_list_free(&roots);
}

int
main(void)
{
#define CASE(name) \
	cmocka_unit_test_setup_teardown(name, dir_set_up, dir_tear_down)
	const struct CMUnitTest tests[] = {
		CASE(test_survey_of_roots_is_the_one_of_all_of_them_in_order),
		CASE(test_survey_import_is_of_the_roots_that_are_named),
		CASE(test_survey_import_of_another_build_or_of_none),
	};

	return cmocka_run_group_tests_name("supervisor/survey_move", tests,
					   NULL, NULL);
}
