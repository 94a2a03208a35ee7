/* SPDX-License-Identifier: MIT */
/*
 * test_survey_parts.c - the surveys of shards become one.
 */
#include "tests/support/test_log.h"

#include "tests/support/test_report_rig.h"

#include <fcntl.h>
#include <limits.h>
#include <sys/stat.h>

#include "base/exit_code.h"
#include "catalogue/survey.h"
#include "supervisor/survey_keep.h"
#include "supervisor/survey_parts.h"
#include "supervisor/survey_place.h"
#include "tokenizer/tokenizer.h"

#define BEGUN_NS 1000000000000 /* files of 1970 are old then */

static const struct survey_parts_use all = { .needs_all = true };
static const struct survey_parts_use any;
static const struct survey_parts_use same = { .same_files = true };

static int
set_up_run(void **state)
{
	static const char *const roots[] = { "src" };

	set_up(state);
	run.job.roots = roots;
	run.job.root_nr = 1;
	assert_int_equal(tokenizer_open(&run.tokenizer, "o200k_base"), 0);
	assert_int_equal(chdir(dir), 0);
	assert_int_equal(mkdir("parts", 0700), 0);
	return 0;
}

static int
tear_down_run(void **state)
{
	table_close(&run.catalogue.survey.table);
	assert_int_equal(system("rm -rf parts other"), 0);
	return tear_down(state);
}

/* A file as surveys have them. */
static void
add(const char *path)
{
	struct file_facts *facts = add_file(path, REASON_NONE, 30);
	struct file_record *file =
		catalogue_file(&run.catalogue, (uint32_t)file_nr - 1);

	add_chunk(30, (uint8_t)file_nr, false);
	file->size_bytes = 100;
	facts->bytes = 100;
	facts->line_nr = 10;
	facts->same_as = FILE_NONE;
	facts->duplicate_of = FILE_NONE;
	facts->next_copy = FILE_NONE;
	*catalogue_chunk(&run.catalogue, facts->chunk_first) =
		(struct chunk_record){ .bytes = 100,
				       .line_first = 1,
				       .line_nr = 10,
				       .tokens = 30,
				       .file_idx = (uint32_t)file_nr - 1 };
}

/* What has been added so far, as a part. */
static void
write_part(const char *path, uint32_t idx, uint32_t nr, uint64_t want)
{
	struct survey_part part = { .path = path, .begun_ns = BEGUN_NS };

	run.job.shard = (struct shard){ idx, nr };
	assert_int_equal(survey_write_part(&run, &part), 0);
	assert_int_equal(part.files, want);
	run.job.shard = (struct shard){ 0 };
}

static uint64_t
merged_nr(void)
{
	return run.catalogue.survey.head.entry_nr;
}

static void
test_survey_parts_are_one_survey(void **state)
{
	const struct survey *survey = &run.catalogue.survey;

	write_part("parts/1", 1, 2, 0);
	add("src/a.c");
	add("src/b.c");
	write_part("parts/0", 0, 2, 2);
	assert_int_equal(survey_use_parts(&run, "parts", &all), 0);
	assert_int_equal(merged_nr(), 2);
	assert_int_equal(survey->head.shard_nr, 0);
	assert_true(survey->head.flags & SURVEY_IMPORTED);
	for (uint32_t i = 0; i < 2; i++) {
		const char *path = i == 0 ? "src/a.c" : "src/b.c";
		uint32_t found = survey_find(survey, 0, path, strlen(path));

		assert_int_not_equal(found, 0);
		assert_int_equal(survey_entry(survey, found - 1)->facts.tokens,
				 30);
	}
	assert_int_equal(survey_new_files(&run), 2);
	catalogue_facts(&run.catalogue, 1)->names_off = names_surveyed(0, 0);
	assert_int_equal(survey_new_files(&run), 1);
}

/* Then what a file was like matters: of one that was written to while the shard
 * looked at it, it says nothing. */
static void
test_survey_parts_of_the_same_files(void **state)
{
	const struct survey *survey = &run.catalogue.survey;

	add("src/a.c");
	add("src/b.c");
	catalogue_file(&run.catalogue, 0)->ctime_ns = BEGUN_NS - 1000000000000;
	catalogue_file(&run.catalogue, 1)->ctime_ns = BEGUN_NS;
	write_part("parts/0", 0, 1, 2);
	assert_int_equal(survey_use_parts(&run, "parts", &same), 0);
	assert_int_equal(survey->head.flags, SURVEY_SHARED);
	for (int i = 0; i < 2; i++) {
		const char *path = i == 0 ? "src/a.c" : "src/b.c";
		uint32_t found = survey_find(survey, 0, path, strlen(path));

		assert_int_not_equal(found, 0);
		assert_int_equal(survey_entry(survey, found - 1)->file.ctime_ns,
				 i == 0 ? 0 : INT64_MIN);
	}
}

static void
test_survey_parts_that_are_missing(void **state)
{
	add("src/a.c");
	write_part("parts/2", 2, 3, 1);
	assert_int_equal(survey_use_parts(&run, "parts", &all), EXIT_DEGRADED);
	assert_int_equal(merged_nr(), 0);
	assert_int_equal(survey_use_parts(&run, "parts/2", &any), 0);
	assert_int_equal(merged_nr(), 1);
}

static void
test_survey_parts_that_are_damaged(void **state)
{
	char byte;
	int fd;

	add("src/a.c");
	write_part("parts/0", 0, 2, 1);
	write_part("parts/1", 1, 2, 1);
	fd = open("parts/1", O_RDWR | O_CLOEXEC);
	assert_int_equal(pread(fd, &byte, 1, 100), 1);
	byte ^= 1;
	assert_int_equal(pwrite(fd, &byte, 1, 100), 1);
	close(fd);
	assert_int_equal(survey_use_parts(&run, "parts", &all), EXIT_DEGRADED);
	assert_int_equal(survey_use_parts(&run, "parts/1", &any), EXIT_USAGE);
	assert_int_equal(survey_use_parts(&run, "parts", &any), 0);
	assert_int_equal(merged_nr(), 1);
}

static void
test_survey_parts_that_do_not_go_together(void **state)
{
	static const char *const roots[] = { "src", "doc" };

	write_part("parts/0", 0, 2, 0);
	write_part("parts/1", 1, 3, 0);
	assert_int_equal(survey_use_parts(&run, "parts", &any), EXIT_USAGE);
	assert_int_equal(survey_use_parts(&run, "nowhere", &any), EXIT_USAGE);
	run.job.compress = true;
	assert_int_equal(survey_use_parts(&run, "parts/0", &any), EXIT_USAGE);
	run.job.compress = false;
	run.job.roots = roots;
	run.job.root_nr = 2;
	assert_int_equal(survey_use_parts(&run, "parts/0", &any), EXIT_USAGE);
	assert_int_equal(merged_nr(), 0);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
#define RUN_TEST(name) \
	cmocka_unit_test_setup_teardown(name, set_up_run, tear_down_run)
		RUN_TEST(test_survey_parts_are_one_survey),
		RUN_TEST(test_survey_parts_of_the_same_files),
		RUN_TEST(test_survey_parts_that_are_missing),
		RUN_TEST(test_survey_parts_that_are_damaged),
		RUN_TEST(test_survey_parts_that_do_not_go_together),
	};

	return cmocka_run_group_tests_name("supervisor/survey_parts", tests,
					   NULL, NULL);
}
