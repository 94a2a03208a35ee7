/* SPDX-License-Identifier: MIT */
/*
 * test_source_entry.c - places are kept within the memory there is for them.
 */
#include "tests/support/test_source_rig.h"

/* What places may take is a part of --memory: no more than that is kept. */
static void
test_entry_leaves_out_what_memory_has_no_room_for(void **state)
{
	FILE *hits = fopen("hits", "we");

	assert_non_null(hits);
	dir_write("a.c", "1\n2\n3\n");
	for (int i = 1; i <= 20000; i++)
		fprintf(hits, "a.c:%d:x\n", i);
	fclose(hits);
	text_list_add(&rig_options.searches, "hits");
	/* one MiB for places */
	rig_scope.memory_bytes = 40u << 20;
	rig_scope.no_dedup = true;
	assert_int_equal(
		source_list_build(&rig_list, &rig_options, &rig_scope), 0);
	ASSERT_TRUE(rig_list.entry_bytes <= 1u << 20);
	ASSERT_TRUE(rig_list.entry_bytes > (1u << 20) - 4096);
	ASSERT_EQ(rig_list.statuses[0].places + rig_list.left_out, 20000);
	ASSERT_EQ(rig_list.entry_nr, rig_list.statuses[0].places);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		CASE(test_entry_leaves_out_what_memory_has_no_room_for),
	};

	return cmocka_run_group_tests_name("sources/source_entry", tests, NULL,
					   NULL);
}
