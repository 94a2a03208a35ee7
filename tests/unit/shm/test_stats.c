/* SPDX-License-Identifier: MIT */
/*
 * test_shm_stats.c - the counters of a worker.
 */
#include "tests/support/test_shm.h"

#include "shm/stats.h"

static struct worker_shm *
map_worker(void)
{
	struct worker_shm *worker =
		mmap(NULL, sizeof(*worker), PROT_READ | PROT_WRITE,
		     MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	assert_ptr_not_equal(worker, MAP_FAILED);
	return worker;
}

static void
test_stat_names_units_and_help_are_there_and_differ(void **state)
{
	for (int i = 0; i < STAT_NR; i++) {
		const struct stat_text *text = &stat_texts[i];
		size_t end = strlen(text->metric) - strlen(text->unit);

		ASSERT_EQ(strspn(text->name, "abcdefghijklmnopqrstuvwxyz_"),
			  strlen(text->name));
		assert_string_equal(text->metric + end, text->unit);
		ASSERT_EQ(text->help[strlen(text->help) - 1], '.');
		for (int j = 0; j < i; j++) {
			assert_string_not_equal(text->name, stat_texts[j].name);
			assert_string_not_equal(text->metric,
						stat_texts[j].metric);
		}
	}
}

/* What a page says; "": this does not run from the root of the project. */
static const char *
page_of(const char *path)
{
	static char page[1 << 17];
	FILE *file = fopen(path, "re");

	if (file == NULL)
		return "";
	page[fread(page, 1, sizeof(page) - 1, file)] = '\0';
	fclose(file);
	return page;
}

static void
test_stats_are_all_in_the_docs(void **state)
{
	char word[128];

	for (int i = 0; i < STAT_NR; i++) {
		const char *page = page_of("docs/report.schema.json");

		assert_true(*page != '\0');
		snprintf(word, sizeof(word), "\"%s\": {", stat_texts[i].name);
		if (strstr(page, word) == NULL)
			fail_msg("the schema has no %s", word);
		page = page_of("docs/metrics.md");
		snprintf(word, sizeof(word), "`bale_stage_%s`",
			 stat_texts[i].metric);
		if (strstr(page, word) == NULL)
			fail_msg("docs/metrics.md has no %s", word);
	}
}

static void
test_stat_added_to_leaves_the_others_alone(void **state)
{
	struct worker_shm *worker = map_worker();

	for (int i = 0; i < STAT_NR; i++)
		for (int n = 0; n <= i; n++)
			stat_add(worker, (enum stat_id)i, 10);
	for (int i = 0; i < STAT_NR; i++)
		ASSERT_EQ(stat_get(worker, (enum stat_id)i), 10 * (i + 1));
	munmap(worker, sizeof(*worker));
}

/* verifies: R8 */
static void
test_stat_over_32_bits_goes_on(void **state)
{
	struct worker_shm *worker = map_worker();

	stat_add(worker, STAT_bytes, UINT32_MAX);
	stat_add(worker, STAT_bytes, UINT32_MAX);
	ASSERT_EQ(stat_get(worker, STAT_bytes), 2ull * UINT32_MAX);
	munmap(worker, sizeof(*worker));
}

static void
child_counts(void *arg)
{
	for (int i = 0; i < 100000; i++)
		stat_add(arg, STAT_items, 1);
}

static void
test_stat_of_another_process_only_grows(void **state)
{
	struct worker_shm *worker = map_worker();
	pid_t pid = start_child(child_counts, worker);
	uint64_t last = 0;

	while (last < 100000) {
		uint64_t now = stat_get(worker, STAT_items);

		ASSERT_TRUE(now >= last);
		last = now;
	}
	ASSERT_EQ(wait_for(pid), CHILD_OK);
	ASSERT_EQ(stat_get(worker, STAT_items), 100000);
	munmap(worker, sizeof(*worker));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
			test_stat_names_units_and_help_are_there_and_differ),
		cmocka_unit_test(test_stat_added_to_leaves_the_others_alone),
		cmocka_unit_test(test_stat_over_32_bits_goes_on),
		cmocka_unit_test(test_stat_of_another_process_only_grows),
		cmocka_unit_test(test_stats_are_all_in_the_docs),
	};

	return cmocka_run_group_tests_name("shm/stats", tests, NULL, NULL);
}
