/* SPDX-License-Identifier: MIT */
/*
 * test_survey_place.c - which survey belongs to a run, and where it lies.
 */
#include "tests/support/test_shm.h"

#include <limits.h>

#include "supervisor/survey_place.h"
#include "tokenizer/tokenizer.h"

static void
test_survey_path_lies_in_the_cache_directory(void **state)
{
	static const uint8_t key[SURVEY_KEY_BYTES] = { 0xab, 1 };
	static const char want[] =
		"/c/bale/surveys/ab010000000000000000000000000000";
	char path[PATH_MAX];

	setenv("XDG_CACHE_HOME", "/c", 1);
	ASSERT_EQ(survey_path(path, sizeof(path), key), 0);
	assert_string_equal(path, want);
	ASSERT_EQ(survey_path(path, sizeof(want) - 1, key), -ENAMETOOLONG);
}

static struct run
a_run(void)
{
	static const char *const roots[] = { "src", "doc" };
	struct run run = { .job = { .roots = roots,
				    .root_nr = 1,
				    .budget_tokens = 1000,
				    .default_excludes = true } };

	ASSERT_EQ(tokenizer_open(&run.tokenizer, "o200k_base"), 0);
	return run;
}

/* Whether the survey of a run is the one of a_run(). */
static bool
has_the_same_key(struct run run)
{
	struct run other = a_run();
	uint8_t keys[2][SURVEY_KEY_BYTES];

	job_resolve(&run.job);
	job_resolve(&other.job);
	return survey_key(&run, keys[0]) && survey_key(&other, keys[1]) &&
	       memcmp(keys[0], keys[1], SURVEY_KEY_BYTES) == 0;
}

static bool
have_the_same_key(const struct query *one, const struct query *other)
{
	uint8_t keys[2][SURVEY_KEY_BYTES];
	struct run run = a_run();

	run.job.query = one;
	job_resolve(&run.job);
	assert_true(survey_key(&run, keys[0]));
	run.job.query = other;
	assert_true(survey_key(&run, keys[1]));
	return memcmp(keys[0], keys[1], SURVEY_KEY_BYTES) == 0;
}

static void
test_survey_key_is_that_of_the_settings_that_matter(void **state)
{
	static struct query queries[2];
	struct run run = a_run();

	query_init(&queries[0], (const uint8_t *)"one", 3);
	query_init(&queries[1], (const uint8_t *)"two", 3);
	assert_true(has_the_same_key(run));
	run.job.budget_tokens = 2000;
	assert_true(has_the_same_key(run));
	run.job.markup.tree = true;
	assert_true(has_the_same_key(run));
#define IS_ANOTHER(change)                           \
	do {                                         \
		run = a_run();                       \
		run.change;                          \
		assert_false(has_the_same_key(run)); \
	} while (0)
	IS_ANOTHER(job.root_nr = 2);
	IS_ANOTHER(job.chunk_lines = 5);
	IS_ANOTHER(job.chunk_max_tokens = 5);
	IS_ANOTHER(job.secrets = SECRETS_OFF + 1);
	IS_ANOTHER(job.normalize = NORMALIZE_WHITESPACE);
	IS_ANOTHER(job.compress = true);
	IS_ANOTHER(job.strip_comments = true);
	IS_ANOTHER(job.tiers = true);
	IS_ANOTHER(job.tells_code = true);
	IS_ANOTHER(job.default_excludes = false);
	IS_ANOTHER(job.markup.kind = MARKUP_JSON);
	IS_ANOTHER(job.markup.unicode = MARKUP_UNICODE_STRIP);
	IS_ANOTHER(job.markup.hashes = true);
	run = a_run();
	ASSERT_EQ(tokenizer_open(&run.tokenizer, "cl100k_base"), 0);
	assert_false(has_the_same_key(run));
	/* with a query chunks are smaller, whatever it asks for */
	IS_ANOTHER(job.query = &queries[0]);
	assert_true(have_the_same_key(&queries[0], &queries[1]));
}

/* What names files has other facts. */
static void
test_survey_key_of_runs_that_are_not_kept(void **state)
{
	static const char *const globs[] = { "*.c" };
	uint8_t key[SURVEY_KEY_BYTES];
	struct run run;

#define IS_NOT_KEPT(change)                          \
	do {                                         \
		run = a_run();                       \
		run.change;                          \
		job_resolve(&run.job);               \
		assert_false(survey_key(&run, key)); \
	} while (0)
	IS_NOT_KEPT(job.rev = "HEAD");
	IS_NOT_KEPT(job.budget_tokens = BUDGET_ALL);
	IS_NOT_KEPT(job.markup.kind = MARKUP_TEMPLATE);
	IS_NOT_KEPT(job.sources.file_nr = 1);
	run = a_run();
	run.job.pins = globs;
	IS_NOT_KEPT(job.pin_nr = 1);
	IS_NOT_KEPT(job.forced_nr = 1);
	IS_NOT_KEPT(job.file_nr = 1);
}

/* However a tree is named, its survey is one. */
static void
test_survey_key_is_that_of_the_tree_not_of_its_name(void **state)
{
	static const char *const long_ways[] = { ".//src/" };
	struct run run = a_run();

	run.job.roots = long_ways;
	assert_true(has_the_same_key(run));
	run.job.roots = &(const char *){ "src/.." };
	assert_false(has_the_same_key(run));
}

static void
test_survey_label_names_settings_and_roots(void **state)
{
	struct run run = a_run();
	char want[PATH_MAX + 64];
	char here[PATH_MAX];
	char *label;
	size_t bytes;
	int nr;

	run.job.compress = true;
	assert_non_null(getcwd(here, sizeof(here)));
	nr = snprintf(want, sizeof(want),
		      "o200k_base, markdown, signatures%c%s/src", '\0', here);
	ASSERT_EQ(survey_label(&run, &label, &bytes), 0);
	ASSERT_EQ(bytes, nr + 1);
	assert_memory_equal(label, want, bytes);
	free(label);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_survey_path_lies_in_the_cache_directory),
		cmocka_unit_test(
			test_survey_key_is_that_of_the_settings_that_matter),
		cmocka_unit_test(test_survey_key_of_runs_that_are_not_kept),
		cmocka_unit_test(
			test_survey_key_is_that_of_the_tree_not_of_its_name),
		cmocka_unit_test(test_survey_label_names_settings_and_roots),
	};

	return cmocka_run_group_tests_name("supervisor/survey_place", tests,
					   NULL, NULL);
}
