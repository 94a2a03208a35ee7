/* SPDX-License-Identifier: MIT */
/*
 * test_collect_worker.c - a pass over a tree, step by step and death by death.
 */
#include "tests/support/test_collect_rig.h"

static const char in_order[] = "a.c d/b.py [secret] d/id_rsa d/large "
			       "[binary] e.png empty z.txt";

static char *large;
static size_t large_bytes;

static void
make_tree(void)
{
	large_bytes = 3 * SLAB_BYTES + 77;
	large = collector_text(large_bytes);
	scratch_file("a.c", "int a;\n");
	scratch_file("d/b.py", "b\n");
	scratch_file("d/id_rsa", "secret\n");
	scratch_file("d/large", large);
	scratch_file("e.png", "\x89PNG\r\n\x1a\nx");
	scratch_file("empty", "");
	scratch_file("z.txt", "last\n");
	scratch_file("ignored.o", "x");
	scratch_file(".ignore", "*.o\n.ignore\n");
}

static void
expect_all(void)
{
	static const char *const texts[] = { "int a;\n", "b\n", NULL, NULL,
					     NULL,	 "",	"last\n" };

	assert_string_equal(collector_names(), in_order);
	for (size_t i = 0; i < ARRAY_LEN(texts); i++) {
		if (texts[i] == NULL)
			continue;
		assert_string_equal(told[i].text[0], texts[i]);
		assert_int_equal(told[i].lasts, 1);
	}
	assert_int_equal(told[3].bytes[0], large_bytes);
	assert_memory_equal(told[3].text[0], large, large_bytes);
	assert_int_equal(told[3].lasts, 1);
	collector_expect_all_slabs_back();
}

static void
test_collect_pass_tells_of_all_files_in_order(void **state)
{
	const struct control_shm *control = rig.run.segment.control;

	make_tree();
	rig.run.job.budget_tokens = 1000;
	collector_begin();
	collector_run_pass();
	expect_all();
	assert_int_equal(load_relaxed(&control->files_seen), 7);
	assert_int_equal(load_relaxed(&control->walk_done), 1);
	assert_int_equal(load_relaxed(&control->ignored_files), 2);
	/* the next pass is not asked for yet */
	assert_int_equal(rig_step(&rig), STEP_AGAIN);
	free(large);
}

/* A death before any commit is as if nothing had happened. */
static void
test_collect_pass_is_the_same_if_every_step_dies_once(void **state)
{
	make_tree();
	rig.run.job.budget_tokens = 1000;
	collector_begin();
	while (rig.worker.pass == PASS_FIRST) {
		/* dies with its step in hand */
		if (rig_step_uncommitted(&rig, false) != STEP_DONE)
			fail_msg("a step had nothing to do");
		collector_begin();
		assert_int_equal(rig_step(&rig), STEP_DONE);
		collector_take();
	}
	expect_all();
	free(large);
}

static void
test_collect_waits_for_its_pass(void **state)
{
	scratch_file("a", "x");
	store_release(&rig.run.segment.control->pass, 0);
	collector_begin();
	assert_int_equal(rig_step(&rig), STEP_AGAIN);
	store_release(&rig.run.segment.control->pass, PASS_FIRST);
	assert_int_equal(rig_step(&rig), STEP_DONE);
	collector_take();
	assert_string_equal(collector_names(), "a");
}

/* Whoever asked for lanes ends no pass before it knows which there are, in
 * whatever process. */
static void
test_collect_pass_with_lanes_awaited_does_not_end(void **state)
{
	struct control_shm *control = rig.run.segment.control;
	int steps = 0;

	scratch_file("a", "x");
	store_release(&control->lanes_live, 1);
	store_release(&control->lanes_settled, 0);
	store_release(&control->lanes_wanted, 2);
	collector_begin();
	while (rig_step(&rig) == STEP_DONE) {
		collector_take();
		ASSERT_TRUE(++steps < 100);
	}
	assert_string_equal(collector_names(), "a");
	assert_int_equal(rig.worker.pass, PASS_FIRST);
	collector_begin();
	assert_int_equal(rig_step(&rig), STEP_AGAIN);
	/* there will be no more */
	store_release(&control->lanes_settled, 1);
	assert_int_equal(rig_step(&rig), STEP_DONE);
	assert_int_equal(rig.worker.pass, PASS_FIRST + 1);
	assert_string_equal(collector_names(), "a");
}

/* The file that ended three processes is left out under its name. */
static void
test_collect_poison_leaves_a_file_out(void **state)
{
	static const struct {
		uint64_t position;
		uint32_t retry;
		const char *want;
	} rows[] = {
		{ 2, 1, "a [poison] b c d/e" },
		{ 3, 2, "a b [timeout] c d/e" },
		/* the first directory entered, on the way to the fourth file */
		{ 1ull << 32 | 4, 2, "a b c [timeout] d/" },
	};

	scratch_file("a", "1");
	scratch_file("b", "2");
	scratch_file("c", "3");
	scratch_file("d/e", "4");
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		if (i > 0) {
			collector_tear_down(state);
			collector_set_up(state);
			scratch_file("a", "1");
			scratch_file("b", "2");
			scratch_file("c", "3");
			scratch_file("d/e", "4");
		}
		collector_begin();
		store_release(&rig.worker.shm->skip_position,
			      rows[i].position);
		store_release(&rig.worker.shm->retry, rows[i].retry);
		rig_poison(&rig);
		collector_take();
		store_release(&rig.worker.shm->retry, 0);
		collector_run_pass();
		assert_string_equal(collector_names(), rows[i].want);
	}
}

/* What was ignored by rules that were meant for elsewhere is packed, in git
 * nothing is. */
static void
test_collect_rules_that_leave_nothing_are_off(void **state)
{
	scratch_file(".gitignore", "*\n");
	scratch_file("a", "1");
	collector_begin();
	collector_run_pass();
	assert_string_equal(collector_names(), ".gitignore a");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		COLLECTOR(test_collect_pass_tells_of_all_files_in_order),
		COLLECTOR(test_collect_pass_is_the_same_if_every_step_dies_once),
		COLLECTOR(test_collect_waits_for_its_pass),
		COLLECTOR(test_collect_pass_with_lanes_awaited_does_not_end),
		COLLECTOR(test_collect_poison_leaves_a_file_out),
		COLLECTOR(test_collect_rules_that_leave_nothing_are_off),
	};

	return cmocka_run_group_tests_name("collect/collect_worker", tests,
					   NULL, NULL);
}
