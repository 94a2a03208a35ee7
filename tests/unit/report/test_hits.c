/* SPDX-License-Identifier: MIT */
/*
 * test_hits.c - what a plan made up by hand has of lines that are looked for.
 */
#include "tests/support/test_report_rig.h"

#include "report/hits.h"

static struct commit_tasks tasks;
static uint32_t range_nr;

static void
add_wanted(struct commit_task *task, const char *path, uint32_t first,
	   uint32_t last)
{
	struct commit_file *file = &task->files[task->file_nr++];

	*file = (struct commit_file){ .path_off = tasks.text_bytes,
				      .range_first = range_nr,
				      .range_nr = 1,
				      .line_nr = last - first + 1 };
	tasks.ranges[range_nr++] = (struct commit_range){ first, last };
	memcpy(tasks.text + tasks.text_bytes, path, strlen(path) + 1);
	tasks.text_bytes += (uint32_t)strlen(path) + 1;
}

/* Lines of what is packed, each once; nothing of other files. */
static void
test_hits_are_the_lines_that_are_packed(void **state)
{
	struct commit_task *task = &tasks.tasks[0];
	struct hits hits = { .tasks = &tasks, .task = task };
	const struct report_item *item = NULL;
	const uint8_t *path;
	size_t bytes;
	char name[256];

	make_run();
	assert_int_equal(report_collect(&run, &report), 0);
	for (uint64_t i = 0; i < report.item_nr; i++) {
		const struct report_item *it = report_item(&report, i);

		if (it->is_packed && it->tier == TIER_FULL &&
		    it->line_last > it->line_first)
			item = it;
	}
	assert_non_null(item);
	path = report_path(&report, item->file_idx, &bytes);
	snprintf(name, sizeof(name), "%.*s", (int)bytes, path);
	add_wanted(task, name, (uint32_t)item->line_last,
		   (uint32_t)item->line_last + 3);
	add_wanted(task, name, 1000000, 1000001);
	add_wanted(task, "nowhere", 1, 9);
	name[bytes - 1] = '\0';
	add_wanted(task, name, 1, 9);
	assert_int_equal(hits_take(&hits, &report), 0);
	assert_true(hits.is_known);
	assert_true(hits.files[0].is_packed);
	assert_int_equal(hits.files[0].line_nr, 1);
	assert_true(hits.files[1].is_packed);
	assert_int_equal(hits.files[1].line_nr, 0);
	assert_false(hits.files[2].is_packed || hits.files[3].is_packed);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(
			test_hits_are_the_lines_that_are_packed, set_up,
			tear_down),
	};

	return cmocka_run_group_tests_name("report/hits", tests, NULL, NULL);
}
