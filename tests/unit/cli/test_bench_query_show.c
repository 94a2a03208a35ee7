/* SPDX-License-Identifier: MIT */
/*
 * test_bench_query_show.c - figures of two tasks, computed by hand.
 */
#include "tests/support/test_shm.h"

#include <jansson.h>
#include <stdio.h>

#include "cli/bench_query.h"

static struct commit_tasks tasks;
static struct bench_query made;
static char shown[1u << 16];

static void
add_file(struct commit_task *task, const char *path, uint32_t line_nr)
{
	struct commit_file *file = &task->files[task->file_nr++];

	file->path_off = tasks.text_bytes;
	file->line_nr = line_nr;
	file->range_first = tasks.range_nr;
	file->range_nr = 1;
	tasks.ranges[tasks.range_nr++] = (struct commit_range){ 1, line_nr };
	memcpy(tasks.text + tasks.text_bytes, path, strlen(path) + 1);
	tasks.text_bytes += (uint32_t)strlen(path) + 1;
}

/* Of the first task one of two files, 3 of 12 lines; of the second nothing but
 * a line that is none of those. */
static void
make(void)
{
	memset(&tasks, 0, sizeof(tasks));
	memset(&made, 0, sizeof(made));
	tasks.nr = 2;
	tasks.left_out[COMMIT_MERGE] = 7;
	tasks.left_out[COMMIT_SHORT] = 1;
	add_file(&tasks.tasks[0], "a.c", 4);
	add_file(&tasks.tasks[0], "b.c", 8);
	add_file(&tasks.tasks[1], "c.c", 5);
	made.tasks = &tasks;
	made.budget_nr = 2;
	made.budgets[0] = 8000;
	made.budgets[1] = 32000;
	made.hits[0][1][1] = (struct hits_of_file){ true, 3 };
	made.hits[1][1][0].is_packed = true;
}

static void
test_figures_are_means_over_tasks(void **state)
{
	struct bench_query_figures figures;

	make();
	bench_query_figures(&made, 0, &figures);
	assert_true(figures.files == 0 && figures.spots == 0 &&
		    figures.lines == 0);
	bench_query_figures(&made, 1, &figures);
	assert_true(figures.files == 0.75);
	assert_true(figures.spots == 0.25);
	assert_true(figures.lines == 0.125);
	tasks.nr = 0;
	bench_query_figures(&made, 1, &figures);
	assert_true(figures.files == 0);
}

static void
test_figures_are_shown_with_what_was_left_out(void **state)
{
	FILE *file = fmemopen(shown, sizeof(shown), "w");

	assert_non_null(file);
	make();
	assert_int_equal(bench_query_show(&made, file), 0);
	fclose(file);
	assert_non_null(strstr(shown, "2 past commits; left out 8: 7 merges, 1 "
				      "with too short a message\n"));
	assert_non_null(strstr(shown, "│ 32,000 │ 75.0 % │ 25.0 % │ 12.5 % │"));
}

static void
test_json_has_each_task(void **state)
{
	FILE *file = tmpfile();
	const char *path;
	json_t *root;
	json_int_t lines;
	json_int_t last;

	assert_non_null(file);
	make();
	assert_int_equal(bench_query_write(&made, fileno(file)), 0);
	rewind(file);
	root = json_loadf(file, 0, NULL);
	assert_non_null(root);
	assert_int_equal(json_unpack(root,
				     "{s:[{},{s:[{s:s,s:[[i,I]],s:[{},{s:I}]}]}]"
				     "}",
				     "tasks", "files", "path", &path, "ranges",
				     &(int){ 0 }, &last, "hits", "lines",
				     &lines),
			 0);
	assert_string_equal(path, "c.c");
	assert_int_equal(last, 5);
	assert_int_equal(lines, 0);
	assert_int_equal(json_unpack(root, "{s:{s:I}}", "left_out", "merge",
				     &lines),
			 0);
	assert_int_equal(lines, 7);
	json_decref(root);
	fclose(file);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_figures_are_means_over_tasks),
		cmocka_unit_test(test_figures_are_shown_with_what_was_left_out),
		cmocka_unit_test(test_json_has_each_task),
	};

	return cmocka_run_group_tests_name("cli/bench_query_show", tests, NULL,
					   NULL);
}
