/* SPDX-License-Identifier: MIT */
/*
 * test_work_share.c - items of several processes, and processes that die.
 */
#include "tests/support/test_dir.h"

#include <sched.h>

#include "cli/work_share.h"

#define ITEMS 1000

/* What the processes of a test see of each other. */
static struct {
	_Atomic uint64_t by_helpers; /* items */
} * seen;
static pid_t caller;

static bool
begin_helping(void *context)
{
	return true;
}

static bool
begin_nothing(void *context)
{
	return false;
}

static bool
begin_and_die(void *context)
{
	raise(SIGKILL);
	return true;
}

/* Every third one is an error. */
static int64_t
result_of(uint64_t idx)
{
	return idx % 3 == 2 ? -ENOENT : (int64_t)idx;
}

static int64_t
work_item(void *context, uint64_t idx)
{
	if (getpid() != caller)
		add_relaxed(&seen->by_helpers, 1);
	return result_of(idx);
}

/* The caller's items last until a helper has taken one. */
static int64_t
wait_for_helper(void *context, uint64_t idx)
{
	while (getpid() == caller && load_relaxed(&seen->by_helpers) == 0)
		sched_yield();
	return work_item(context, idx);
}

static int64_t
die_in_helper(void *context, uint64_t idx)
{
	int64_t result = wait_for_helper(context, idx);

	if (getpid() != caller)
		raise(SIGKILL);
	return result;
}

static void
begin_share(struct work_share *share, struct work work)
{
	seen = helper_memory(sizeof(*seen));
	ASSERT_TRUE(seen != NULL);
	caller = getpid();
	ASSERT_TRUE(work_share_begin(share, &work));
}

/* How many items were lost so; the results of all others are theirs. */
static uint64_t
end_share(struct work_share *share, int lost_result)
{
	uint64_t lost = 0;

	for (uint64_t i = 0; i < share->work.item_nr; i++) {
		int64_t got = work_share_result(share, i);

		if (got == lost_result)
			lost++;
		else
			ASSERT_EQ(got, result_of(i));
	}
	work_share_end(share);
	work_share_end(share);
	ASSERT_TRUE(waitpid(-1, NULL, 0) < 0 && errno == ECHILD);
	return lost;
}

static void
test_work_share_results_are_those_of_one_process(void **state)
{
	static struct work_share share;

	for (uint32_t helpers = 0; helpers < 4; helpers++) {
		begin_share(&share, (struct work){ .item_nr = ITEMS,
						   .helper_nr = helpers,
						   .begin = begin_helping,
						   .item = work_item });
		ASSERT_EQ(end_share(&share, -WORK_KILLED), 0);
	}
}

static void
test_work_share_helpers_take_a_part_of_the_items(void **state)
{
	static struct work_share share;

	begin_share(&share, (struct work){ .item_nr = ITEMS,
					   .helper_nr = 2,
					   .begin = begin_helping,
					   .item = wait_for_helper });
	ASSERT_EQ(end_share(&share, -WORK_KILLED), 0);
	ASSERT_TRUE(load_relaxed(&seen->by_helpers) > 0);
}

/* One item a helper, and the signal that ended it. */
static void
test_work_share_item_of_a_killed_helper_is_an_error(void **state)
{
	static struct work_share share;

	begin_share(&share, (struct work){ .item_nr = ITEMS,
					   .helper_nr = 1,
					   .begin = begin_helping,
					   .item = die_in_helper });
	ASSERT_EQ(end_share(&share, -(WORK_KILLED + SIGKILL)), 1);
}

static void
test_work_share_goes_on_without_helpers_that_take_nothing(void **state)
{
	static struct work_share share;

	begin_share(&share, (struct work){ .item_nr = ITEMS,
					   .helper_nr = 2,
					   .begin = begin_nothing,
					   .item = work_item });
	ASSERT_EQ(end_share(&share, -WORK_KILLED), 0);
	begin_share(&share, (struct work){ .item_nr = ITEMS,
					   .helper_nr = 2,
					   .begin = begin_and_die,
					   .item = work_item });
	ASSERT_EQ(end_share(&share, -WORK_KILLED), 0);
	ASSERT_EQ(load_relaxed(&seen->by_helpers), 0);
}

static void
test_work_share_item_taken_by_nobody_is_worked_on(void **state)
{
	static struct work_share share;

	begin_share(&share, (struct work){ .item_nr = ITEMS,
					   .begin = begin_helping,
					   .item = work_item });
	/* as a helper leaves it that dies before it has said which one */
	add_relaxed(&share.shm->next, 1);
	ASSERT_EQ(end_share(&share, -WORK_KILLED), 0);
}

static void
test_work_share_refuses_results_that_no_item_has(void **state)
{
	static struct work_share share;

	begin_share(&share, (struct work){ .item_nr = 1,
					   .begin = begin_helping,
					   .item = work_item });
	store_relaxed(&share.shm->results[0], INT64_MIN);
	ASSERT_EQ(work_share_result(&share, 0), -EPROTO);
	work_share_end(&share);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
			test_work_share_results_are_those_of_one_process),
		cmocka_unit_test(
			test_work_share_helpers_take_a_part_of_the_items),
		cmocka_unit_test(
			test_work_share_item_of_a_killed_helper_is_an_error),
		cmocka_unit_test(
			test_work_share_goes_on_without_helpers_that_take_nothing),
		cmocka_unit_test(
			test_work_share_item_taken_by_nobody_is_worked_on),
		cmocka_unit_test(
			test_work_share_refuses_results_that_no_item_has),
	};

	return cmocka_run_group_tests_name("cli/work_share", tests, NULL, NULL);
}
