/* SPDX-License-Identifier: MIT */
/*
 * test_collect_io_past_lines.c - lines that came with versions of files, written
 * and found again.
 */
#include "tests/support/test_past_rig.h"

#include <stdlib.h>

static struct history objects;

static struct past_lines *
make_lines(void)
{
	struct past_lines *lines;

	make_past(1);
	assert_int_equal(read_past("r"), 0);
	past = (struct history_ctx){ .history = &objects,
				     .catalogue = &rig_catalogue };
	lines = past_lines_create(&past, 7);
	assert_non_null(lines);
	assert_int_equal(objects.left, 7);
	return lines;
}

/* A file of the lines x, a, b, c, x of which b came last. */
static void
add_file(struct past_lines *lines, uint32_t file_idx, uint32_t heat)
{
	const struct heat_span span = { .heat = heat };

	collect_heat_begin(&lines->heat, (const uint8_t *)"x\na\nb\nc\nx\n",
			   10);
	collect_heat_version(&lines->heat, (const uint8_t *)"x\na\nc\nx\n", 8,
			     &span);
	past_lines_end(lines, file_idx);
}

static void
test_past_lines_are_found_whatever_their_order(void **state)
{
	struct past_lines *lines = make_lines();
	struct history_head *head =
		table_at(&rig_catalogue.history, 0, sizeof(*head));

	add_file(lines, 9, 90);
	add_file(lines, 3, 30);
	/* one that was made then: all of it */
	collect_heat_begin(&lines->heat, (const uint8_t *)"a\nb\n", 4);
	assert_int_equal(past_lines_version(lines, NULL,
					    &(struct heat_span){ .heat = 50 }),
			 0);
	past_lines_end(lines, 5);
	assert_int_equal(past_lines_write(lines, head, 4001), 0);
	assert_int_equal(head->hot_nr, 3);
	for (uint32_t i = 0; i < 12; i++) {
		uint32_t nr;
		const struct history_lines *found =
			catalogue_hot_lines(&rig_catalogue, i, &nr);

		if (i != 3 && i != 5 && i != 9) {
			assert_null(found);
			continue;
		}
		assert_int_equal(nr, 1);
		assert_int_equal(found->first, i == 5 ? 1 : 2);
		assert_int_equal(found->nr, i == 5 ? 2 : 3);
		assert_int_equal(found->heat, 10 * i);
	}
	past_lines_free(lines);
}

/* No more objects may be read: nothing is known of the file before, either. */
static void
test_past_lines_of_what_cannot_be_read_are_none(void **state)
{
	struct past_lines *lines = make_lines();
	static uint8_t blobs[1][COLLECT_OBJECT_BYTES];
	const struct past_path path = { .at = 0 };

	add_file(lines, 3, 30);
	past.blobs = blobs;
	objects.left = 0;
	assert_int_equal(past_lines_begin(lines, &path), -EDQUOT);
	assert_int_equal(lines->heat.version_nr, 0);
	past_lines_free(lines);
	past_lines_free(NULL);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		WITH_JOB(test_past_lines_are_found_whatever_their_order),
		WITH_JOB(test_past_lines_of_what_cannot_be_read_are_none),
	};

	if (past_skips())
		return 77;
	return cmocka_run_group_tests_name("collect/collect_io_past_lines",
					   tests, NULL, NULL);
}
