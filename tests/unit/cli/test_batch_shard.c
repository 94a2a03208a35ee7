/* SPDX-License-Identifier: MIT */
/*
 * test_batch_shard.c - parts of a list.
 */
#include "tests/support/test_dir.h"

#include "cli/batch.h"

/* Each line is in one part, and no part has more than its share by much. */
static void
test_batch_shard_parts_are_all_of_a_list(void **state)
{
	static char text[64 * 1024];
	struct batch_list list;
	size_t nr[7] = { 0 };
	size_t at = 0;

	for (int i = 0; i < 700; i++)
		at += (size_t)snprintf(text + at, sizeof(text) - at,
				       "/src/repository_%d\n", i);
	ASSERT_EQ(batch_list_read(&list, text, at, ".md"), 0);
	for (uint32_t k = 0; k < 7; k++) {
		struct shard shard = { .idx = k, .nr = 7 };

		batch_shard_mark(&shard, &list);
		for (size_t i = 0; i < list.nr; i++)
			nr[k] += list.items[i].is_ours;
		assert_true(nr[k] > 70 && nr[k] < 130);
	}
	ASSERT_EQ(nr[0] + nr[1] + nr[2] + nr[3] + nr[4] + nr[5] + nr[6], 700);
	batch_list_fini(&list);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_batch_shard_parts_are_all_of_a_list),
	};

	return cmocka_run_group_tests_name("cli/batch_shard", tests, NULL,
					   NULL);
}
