/* SPDX-License-Identifier: MIT */
/*
 * test_collect_io_past_known.c - what is known of past commits, against what is
 * read of them.
 */
#include "tests/support/test_past_rig.h"

#include <stdlib.h>
#include <string.h>

static uint8_t table_before[1 << 16];
static uint64_t bytes_before;

/* Commits that change code, the last one also what others have changed. */
static void
make_commits(void)
{
	make_past(1);
	shell("cd r; export GIT_AUTHOR_NAME=a GIT_AUTHOR_EMAIL=a@b "
	      "GIT_COMMITTER_NAME=a GIT_COMMITTER_EMAIL=a@b; mkdir -p src; "
	      "for i in $(seq 12); do for j in $(seq $i 40); do "
	      "echo \"int a$j($i);\"; done >src/a$((i % 3)).c; "
	      "echo $i >>b.txt; git add .; git commit -qm \"change $i\"; done; "
	      "for i in $(seq 1200); do echo $i >many$i; done; git add .; "
	      "git commit -qm many; git rm -q src/a2.c; git commit -qam last");
	job.reads_history = true;
	job.wants_hot_lines = true;
}

/* What this run has used is what the next one finds. */
static void
keep_used(void)
{
	struct past_head *head = catalogue_past(&rig_catalogue);
	uint8_t *kept = table_at(&rig_catalogue.past, sizeof(*head),
				 head->kept_bytes + head->used_bytes);

	memmove(kept, kept + head->kept_bytes, head->used_bytes);
	*head = (struct past_head){ .kept_bytes = head->used_bytes };
}

static uint64_t
history_bytes(void)
{
	const struct history_head *head = catalogue_history(&rig_catalogue);

	return head->hot_off + head->hot_nr * sizeof(struct history_hot);
}

static void
remember(void)
{
	bytes_before = history_bytes();
	assert_in_range(bytes_before, 1, sizeof(table_before));
	memcpy(table_before, table_at(&rig_catalogue.history, 0, bytes_before),
	       bytes_before);
}

static bool
is_as_before(void)
{
	return history_bytes() == bytes_before &&
	       memcmp(table_before,
		      table_at(&rig_catalogue.history, 0, bytes_before),
		      bytes_before) == 0;
}

/* Trees and texts that a history is read of are gone: what is known of it is all
 * that there is. */
static void
lose_objects(void)
{
	shell("cd r/.git/objects; git cat-file --batch-all-objects "
	      "--batch-check='%(objecttype) %(objectname)' | "
	      "while read -r type o; do [ $type = commit ] || "
	      "rm -f ${o%${o#??}}/${o#??}; done");
}

static void
test_past_that_is_known_is_not_read(void **state)
{
	const struct past_head *head = catalogue_past(&rig_catalogue);

	make_commits();
	assert_int_equal(read_past("r"), 0);
	assert_int_equal(head->is_whole, 1);
	/* 15 commits, and two files of code */
	assert_int_equal(head->fresh_nr, 17);
	assert_int_equal(catalogue_history(&rig_catalogue)->hot_nr, 2);
	remember();
	keep_used();
	lose_objects();
	assert_int_equal(read_past("r"), 0);
	assert_true(is_as_before());
	assert_int_equal(head->fresh_nr, 0);
	assert_int_equal(head->used_bytes, head->kept_bytes);
	/* and without it */
	*catalogue_past(&rig_catalogue) = (struct past_head){ 0 };
	assert_int_equal(read_past("r"), 0);
	assert_true(!is_as_before());
	assert_int_equal(head->fresh_nr, 0);
}

static void
test_past_that_is_new_is_read_besides(void **state)
{
	const struct past_head *head = catalogue_past(&rig_catalogue);

	make_commits();
	assert_int_equal(read_past("r"), 0);
	keep_used();
	shell("cd r; echo 'int z;' >>src/a1.c; git -c user.name=a "
	      "-c user.email=a@b commit -qam new");
	assert_int_equal(read_past("r"), 0);
	remember();
	/* the commit; and the files, which are all older by one */
	assert_in_range(head->fresh_nr, 2, 3);
	*catalogue_past(&rig_catalogue) = (struct past_head){ 0 };
	assert_int_equal(read_past("r"), 0);
	assert_true(is_as_before());
}

/* A log has the names of paths, which nothing that is kept has. */
static void
test_past_of_a_log_is_read_and_known(void **state)
{
	const struct past_head *head = catalogue_past(&rig_catalogue);

	make_commits();
	assert_int_equal(read_past("r"), 0);
	keep_used();
	job.git_log_nr = 3;
	assert_int_equal(read_past("r"), 0);
	remember();
	assert_int_equal(head->fresh_nr, 0);
	assert_int_equal(head->used_bytes, head->kept_bytes);
	*catalogue_past(&rig_catalogue) = (struct past_head){ 0 };
	assert_int_equal(read_past("r"), 0);
	assert_true(is_as_before());
}

/* Its name stays, and what is read of it is another. */
static void
test_past_of_replaced_objects_is_not_known(void **state)
{
	const struct past_head *head = catalogue_past(&rig_catalogue);

	make_commits();
	assert_int_equal(read_past("r"), 0);
	remember();
	keep_used();
	shell("cd r; git replace HEAD~3 HEAD~5");
	assert_int_equal(read_past("r"), 0);
	assert_true(!is_as_before());
	assert_int_equal(head->used_bytes, 0);
	remember();
	*catalogue_past(&rig_catalogue) = (struct past_head){ 0 };
	assert_int_equal(read_past("r"), 0);
	assert_true(is_as_before());
	shell("cd r; git replace -d $(git replace -l)");
	assert_int_equal(read_past("r"), 0);
	assert_int_equal(head->fresh_nr, 17);
}

/* Whatever its lengths say, nothing is read beyond it. */
static void
test_past_that_is_cut_or_damaged_is_read_again(void **state)
{
	struct past_head *head = catalogue_past(&rig_catalogue);
	uint64_t bytes;

	make_commits();
	assert_int_equal(read_past("r"), 0);
	remember();
	bytes = head->used_bytes;
	for (int round = 0; round < 12; round++) {
		struct past_memo *memo;
		uint64_t at = 0;

		/* what is there may be damaged: from the start */
		*head = (struct past_head){ 0 };
		assert_int_equal(read_past("r"), 0);
		assert_int_equal(head->used_bytes, bytes);
		keep_used();
		for (int i = 0; i < round; i++) {
			memo = table_at(&rig_catalogue.past, sizeof(*head) + at,
					sizeof(*memo));
			at += past_memo_bytes(memo);
		}
		memo = table_at(&rig_catalogue.past, sizeof(*head) + at,
				sizeof(*memo));
		if (round % 2 == 0)
			memo->bytes = UINT32_MAX - (uint32_t)round;
		else
			head->kept_bytes = at + 50;
		assert_int_equal(read_past("r"), 0);
		assert_true(is_as_before());
		assert_true(head->fresh_nr > 0);
	}
}

/* A replacement that takes as much as may be read comes to the same end. */
static void
test_past_that_is_known_costs_what_it_did(void **state)
{
	const struct past_memo *memo;

	make_commits();
	assert_int_equal(read_past("r"), 0);
	memo = table_at(&rig_catalogue.past, sizeof(struct past_head),
			sizeof(*memo));
	/* of the last commit: two trees on each side */
	assert_int_equal(memo->kind, PAST_CHANGES);
	assert_int_equal(memo->object_nr, 4);
	assert_true(memo->object_bytes > 1200 * 28);
	assert_int_equal(memo->bytes, sizeof(struct past_change));
	/* and the one before, of which nothing more is known */
	memo = (const void *)((const uint8_t *)memo + past_memo_bytes(memo));
	assert_int_equal(memo->kind, PAST_TOO_MANY);
	assert_int_equal(memo->bytes, 0);
}

static void
test_past_keys_are_of_kind_and_content(void **state)
{
	uint8_t one[PAST_KEY_BYTES];
	uint8_t other[PAST_KEY_BYTES];

	past_key(one, PAST_CHANGES, "ab", 2);
	past_key(other, PAST_CHANGES, "ab", 2);
	assert_memory_equal(one, other, sizeof(one));
	past_key(other, PAST_LINES, "ab", 2);
	assert_true(memcmp(one, other, sizeof(one)) != 0);
	past_key(other, PAST_CHANGES, "a", 1);
	assert_true(memcmp(one, other, sizeof(one)) != 0);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		WITH_JOB(test_past_that_is_known_is_not_read),
		WITH_JOB(test_past_that_is_new_is_read_besides),
		WITH_JOB(test_past_of_a_log_is_read_and_known),
		WITH_JOB(test_past_of_replaced_objects_is_not_known),
		WITH_JOB(test_past_that_is_cut_or_damaged_is_read_again),
		WITH_JOB(test_past_that_is_known_costs_what_it_did),
		WITH_JOB(test_past_keys_are_of_kind_and_content),
	};

	if (past_skips())
		return 77;
	return cmocka_run_group_tests_name("collect/past_known", tests, NULL,
					   NULL);
}
