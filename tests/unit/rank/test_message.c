/* SPDX-License-Identifier: MIT */
/*
 * test_message.c - messages of commits, against the formula of BM25.
 */
#include "tests/support/test_shm.h"

#include <math.h>

#include "rank/message.h"

static const struct history_term apple[] = { { 0, 2 }, { 0, 0 } };
static const struct history_term both[] = { { 0, 1 }, { 1, 1 } };

/* Three messages of 30 bytes, on average. */
static struct match_set
messages(void)
{
	const struct message some[] = {
		{ .terms = apple, .term_nr = 2, .bytes = 30 },
		{ .terms = both, .term_nr = 2, .bytes = 20 },
		{ .bytes = 40 },
	};
	const double worth[] = { 1, 2 };
	struct match_set set = { .nr = 0 };

	for (size_t i = 0; i < ARRAY_LEN(some); i++)
		message_count(&set, &some[i]);
	match_weigh(&set, worth, 2);
	return set;
}

static void
test_message_counts_are_of_messages(void **state)
{
	struct match_set set = messages();

	assert_int_equal(set.nr, 3);
	assert_int_equal(set.length, 90);
	assert_int_equal(set.with[0], 2);
	assert_int_equal(set.with[1], 1);
}

static void
test_message_of_many_files_says_less_of_each(void **state)
{
	struct match_set set = messages();
	struct message message = {
		.terms = apple, .term_nr = 2, .bytes = 30, .changed_nr = 1
	};
	/* twice, in a text of the usual length */
	double score = log(1 + 1.5 / 2.5) * 2 * 2.6 / (2 + 1.6);

	assert_true(fabs(message_square(&set, &message) - score * score) <
		    1e-6);
	message.changed_nr = 4;
	assert_true(fabs(message_square(&set, &message) - score * score / 4) <
		    1e-6);
	message.changed_nr = MESSAGE_FILES_MAX;
	assert_true(message_square(&set, &message) > 0);
	message.changed_nr = MESSAGE_FILES_MAX + 1;
	assert_false(message_square(&set, &message) > 0);
	message.changed_nr = 0;
	assert_false(message_square(&set, &message) > 0);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_message_counts_are_of_messages),
		cmocka_unit_test(test_message_of_many_files_says_less_of_each),
	};

	return cmocka_run_group_tests_name("rank/message", tests, NULL, NULL);
}
