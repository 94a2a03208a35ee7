/* SPDX-License-Identifier: MIT */
/*
 * test_collect_io_tasks.c - past commits that are tasks, and those that are
 * none.
 */
#include "tests/support/test_history_repo.h"

#include "stages/collect/collect_io_tasks.h"

static struct commit_tasks *tasks;

/* A commit of all there is in r, with a message. */
#define COMMIT(message)                                           \
	"git -c user.name=a -c user.email=a@b -C r add -A; "      \
	"git -c user.name=a -c user.email=a@b -C r commit -qm '" \
	message "'; "

#define LONG " so that whoever reads this knows what it is all about"

static void
read_tasks(const char *root, const char *rev, uint32_t wanted, int want)
{
	const char *const roots[] = { root };
	char why[COLLECT_WHY_BYTES];
	struct history *history;

	memset(tasks, 0, sizeof(*tasks));
	tasks->wanted_nr = wanted;
	rig_walk_options.roots = roots;
	rig_walk_options.root_nr = 1;
	rig_walk_options.default_excludes = true;
	rig_begin();
	assert_int_equal(history_find(&history, rig_files->walk, MEMORY_BYTES,
				      false, why),
			 0);
	assert_non_null(history);
	assert_int_equal(tasks_read(tasks, history, rev), want);
	history_close(history);
}

/* "a.c 2-3 5-6 b.c 1-1", of a task */
static const char *
places(uint32_t idx)
{
	static char out[1024];
	const struct commit_task *task = &tasks->tasks[idx];
	size_t n = 0;

	assert_true(idx < tasks->nr);
	for (uint32_t i = 0; i < task->file_nr; i++) {
		const struct commit_file *file = &task->files[i];
		uint32_t line_nr = 0;

		n += (size_t)snprintf(out + n, sizeof(out) - n, "%s%s",
				      i > 0 ? " " : "",
				      tasks->text + file->path_off);
		for (uint32_t k = 0; k < file->range_nr; k++) {
			const struct commit_range *range =
				&tasks->ranges[file->range_first + k];

			line_nr += range->last - range->first + 1;
			n += (size_t)snprintf(out + n, sizeof(out) - n,
					      " %u-%u", range->first,
					      range->last);
		}
		assert_int_equal(line_nr, file->line_nr);
	}
	return out;
}

static void
make_repo(void)
{
	shell("git init -q -b main r; mkdir -p r/src r/tests; "
	      "seq 9 > r/src/a.c; seq 9 > r/src/b.py; echo x > r/NOTES.md; "
	      "echo 1 > r/tests/test_a.py; " COMMIT("first" LONG));
	/* a line changed, one taken away, one put between two, one at the end */
	shell("sed -i 's/^2$/two/; /^4$/d; s/^6$/6\\n6b/' r/src/a.c; "
	      "echo 10 >> r/src/b.py; echo y > r/NOTES.md; "
	      "echo 2 > r/tests/test_a.py; echo > r/src/new.c; " COMMIT(
		      "@parser: change" LONG));
}

static void
test_tasks_have_the_lines_that_git_diff_has(void **state)
{
	char parent[64];

	make_repo();
	read_tasks("r", NULL, 10, 0);
	assert_int_equal(tasks->nr, 1);
	/* neither tests, nor texts, nor what is new */
	assert_string_equal(places(0), "src/a.c 2-2 4-4 6-7 src/b.py 9-9");
	assert_string_equal(tasks->text + tasks->tasks[0].message_off,
			    " @parser: change" LONG "\n");
	for (int i = 0; i < COMMIT_OBJECT_BYTES; i++)
		snprintf(parent + 2 * i, 3, "%02x", tasks->tasks[0].parent[i]);
	assert_memory_equal(parent, said("git -C r rev-parse HEAD~1"), 40);
	assert_int_equal(tasks->left_out[COMMIT_NO_PARENT], 1);
	/* paths are those below the root */
	read_tasks("r/src", NULL, 10, 0);
	assert_string_equal(places(0), "a.c 2-2 4-4 6-7 b.py 9-9");
}

static void
test_tasks_are_not_of_every_commit(void **state)
{
	make_repo();
	shell("seq 3 > r/src/a.c; " COMMIT("fix"));
	shell("echo z > r/NOTES.md; " COMMIT("write the notes anew" LONG));
	shell("for i in 1 2 3 4 5 6 7; do echo > r/src/f$i.c; done; " COMMIT(
		"add seven files" LONG));
	shell("for i in 1 2 3 4 5 6 7; do echo $i > r/src/f$i.c; done; " COMMIT(
		"change seven files" LONG));
	shell("git -C r checkout -qb side HEAD~1; echo 7 > r/src/a.c; " COMMIT(
		"change it beside" LONG)
	      "git -C r checkout -q main; git -c user.name=a -c user.email=a@b "
	      "-C r merge -q --no-edit side");
	read_tasks("r", NULL, 10, 0);
	assert_int_equal(tasks->nr, 2);
	assert_string_equal(places(0), "src/a.c 1-3");
	assert_int_equal(tasks->left_out[COMMIT_MERGE], 1);
	assert_int_equal(tasks->left_out[COMMIT_MANY_FILES], 1);
	assert_int_equal(tasks->left_out[COMMIT_NO_CODE], 2);
	assert_int_equal(tasks->left_out[COMMIT_SHORT], 1);
	assert_int_equal(tasks->left_out[COMMIT_NO_PARENT], 1);
	/* no more than are wanted; none behind the revision */
	read_tasks("r", NULL, 1, 0);
	assert_int_equal(tasks->nr, 1);
	read_tasks("r", "side~3", 10, 0);
	assert_int_equal(tasks->nr, 1);
	assert_string_equal(places(0), "src/a.c 2-2 4-4 6-7 src/b.py 9-9");
	read_tasks("r", "nothing", 10, -ENOENT);
	assert_string_equal(tasks->why, "no such commit");
}

static void
test_tasks_have_no_lines_of_what_is_no_text(void **state)
{
	make_repo();
	shell("printf 'a\\0b' > r/src/a.c; " COMMIT("make it binary" LONG));
	shell("printf 'a\\0c' > r/src/a.c; " COMMIT("binary as before" LONG));
	shell("chmod +x r/src/b.py; " COMMIT("make it a program" LONG));
	read_tasks("r", NULL, 10, 0);
	assert_int_equal(tasks->nr, 1);
	assert_int_equal(tasks->left_out[COMMIT_LOST], 2);
	assert_int_equal(tasks->left_out[COMMIT_NO_CODE], 1);
}

static int
begin(void **state)
{
	tasks = calloc(1, sizeof(*tasks));
	assert_non_null(tasks);
	return rig_set_up(state);
}

static int
end(void **state)
{
	free(tasks);
	return rig_tear_down(state);
}

#define TASKS(name) cmocka_unit_test_setup_teardown(name, begin, end)

int
main(void)
{
	const struct CMUnitTest tests[] = {
		TASKS(test_tasks_have_the_lines_that_git_diff_has),
		TASKS(test_tasks_are_not_of_every_commit),
		TASKS(test_tasks_have_no_lines_of_what_is_no_text),
	};

	if (past_skips())
		return 77;
	return cmocka_run_group_tests_name("collect/collect_io_tasks", tests,
					   NULL, NULL);
}
