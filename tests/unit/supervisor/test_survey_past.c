/* SPDX-License-Identifier: MIT */
/*
 * test_survey_past.c - what a run has used of past commits is what the next one
 * gets.
 */
#include "tests/support/test_log.h"

#include "tests/support/test_survey_rig.h"

#include <fcntl.h>
#include <sys/stat.h>

#include "catalogue/past.h"
#include "catalogue/survey.h"
#include "supervisor/survey_past.h"

#define LIMIT (1ull << 30)
#define USED 4000 /* bytes of memos; not a multiple of a page */

static int
set_up_cache(void **state)
{
	uint8_t key[SURVEY_KEY_BYTES];

	set_up_run(state);
	assert_int_equal(table_create(&run.catalogue.past, 64u << 20), 0);
	run.job.reads_history = true;
	assert_true(survey_past_key(&run, key));
	assert_int_equal(survey_path(place, sizeof(place), key), 0);
	return 0;
}

static uint8_t
byte_at(uint64_t i, uint32_t seed)
{
	return (uint8_t)(i * 7 + seed);
}

/* As collect leaves it. */
static void
use(uint64_t kept, uint64_t used, uint32_t fresh, uint32_t seed)
{
	const struct table *table = &run.catalogue.past;
	uint8_t *at;

	assert_int_equal(
		table_reserve(table, sizeof(struct past_head) + kept + used),
		0);
	*catalogue_past(&run.catalogue) =
		(struct past_head){ kept, used, fresh, 1 };
	at = table_at(table, sizeof(struct past_head) + kept, used);
	for (uint64_t i = 0; i < used; i++)
		at[i] = byte_at(i, seed);
}

/* What the next run has. */
static uint64_t
used_next(uint32_t seed)
{
	struct past_head *head = catalogue_past(&run.catalogue);
	const uint8_t *at;

	*head = (struct past_head){ 0 };
	survey_past_use(&run);
	at = table_at(&run.catalogue.past, sizeof(*head), head->kept_bytes);
	for (uint64_t i = 0; i < head->kept_bytes; i++)
		assert_int_equal(at[i], byte_at(i, seed));
	return head->kept_bytes;
}

static void
test_survey_past_comes_back(void **state)
{
	struct stat st;

	assert_int_equal(used_next(0), 0);
	use(0, USED, 3, 1);
	assert_int_equal(survey_past_keep(&run, LIMIT), 0);
	assert_int_equal(stat(place, &st), 0);
	assert_int_equal(st.st_mode & 0777, 0600);
	assert_int_equal(used_next(1), USED);
	/* of what was kept nothing is left that was not used */
	use(USED, USED / 2, 1, 2);
	assert_int_equal(survey_past_keep(&run, LIMIT), 0);
	assert_int_equal(used_next(2), USED / 2);
	/* whoever reads no history has none */
	run.job.reads_history = false;
	assert_int_equal(used_next(2), 0);
}

static void
test_survey_past_without_anything_new_is_not_written(void **state)
{
	use(0, USED, 0, 1);
	assert_int_equal(survey_past_keep(&run, LIMIT), 0);
	use(0, USED, 3, 1);
	catalogue_past(&run.catalogue)->is_whole = 0;
	assert_int_equal(survey_past_keep(&run, LIMIT), 0);
	assert_int_not_equal(access(place, F_OK), 0);
	use(0, USED, 3, 1);
	assert_int_equal(survey_past_keep(&run, 1000), -EFBIG);
	assert_int_not_equal(access(place, F_OK), 0);
	/* more than there is */
	catalogue_past(&run.catalogue)->used_bytes = PAST_BYTES_MAX;
	assert_int_equal(survey_past_keep(&run, LIMIT), -EINVAL);
	catalogue_past(&run.catalogue)->used_bytes = USED + 1;
	assert_int_equal(survey_past_keep(&run, LIMIT), -EINVAL);
}

/* Each byte of it counts, and its length. */
static void
test_survey_past_that_is_damaged_is_none(void **state)
{
	struct survey_head head;
	int fd;

	use(0, USED, 3, 1);
	assert_int_equal(survey_past_keep(&run, LIMIT), 0);
	fd = open(place, O_RDWR | O_CLOEXEC);
	assert_int_equal(survey_read_head(fd, &head), 0);
	assert_int_equal(survey_past_bytes(&head), USED);
	for (uint64_t at = 0; at < USED; at += 333) {
		uint64_t off = head.past_off + at;
		uint8_t was = byte_at(at, 1);
		uint8_t now = (uint8_t)(was + 1);

		assert_int_equal(pwrite(fd, &now, 1, (off_t)off), 1);
		assert_int_equal(used_next(1), 0);
		assert_int_equal(pwrite(fd, &was, 1, (off_t)off), 1);
		assert_int_equal(used_next(1), USED);
	}
	assert_int_equal(ftruncate(fd, (off_t)head.bytes - 1), 0);
	assert_int_equal(used_next(1), 0);
	close(fd);
}

/* It is of its roots, and of no files. */
static void
test_survey_past_is_of_a_tree(void **state)
{
	static const char *const others[] = { "other" };
	uint8_t past[SURVEY_KEY_BYTES];
	uint8_t other[SURVEY_KEY_BYTES];

	assert_true(survey_past_key(&run, past));
	use(0, USED, 3, 1);
	assert_int_equal(survey_past_keep(&run, LIMIT), 0);
	run.job.roots = others;
	assert_true(survey_past_key(&run, other));
	assert_memory_equal(past, other, SHA256_BYTES);
	assert_true(memcmp(past, other, sizeof(past)) != 0);
	assert_int_equal(used_next(1), 0);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
#define CACHE_CASE(name) \
	cmocka_unit_test_setup_teardown(name, set_up_cache, tear_down_cache)
		CACHE_CASE(test_survey_past_comes_back),
		CACHE_CASE(
			test_survey_past_without_anything_new_is_not_written),
		CACHE_CASE(test_survey_past_that_is_damaged_is_none),
		CACHE_CASE(test_survey_past_is_of_a_tree),
	};

	return cmocka_run_group_tests_name("supervisor/survey_past", tests,
					   NULL, NULL);
}
