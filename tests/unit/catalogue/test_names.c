/* SPDX-License-Identifier: MIT */
/*
 * test_names.c - entries of names one by one; lanes side by side.
 */
#include "tests/support/test_shm.h"

#include "catalogue/names.h"

/* Names and entries of one file, as chunk writes them. */
static union {
	struct names names;
	uint8_t bytes[256];
} of_file;

/* Adds an entry; its name is filled up to a multiple of four. */
static void
add(const char *name, uint8_t type)
{
	struct name_entry entry = { .type = type,
				    .bytes = (uint8_t)strlen(name) };
	uint8_t *at = (uint8_t *)(&of_file.names + 1) + of_file.names.bytes;

	memcpy(at, &entry, sizeof(entry));
	memcpy(at + sizeof(entry), name, entry.bytes);
	of_file.names.bytes +=
		(uint32_t)sizeof(entry) + (entry.bytes + 3u) / 4 * 4;
}

static void
test_names_next_gives_all_and_ends(void **state)
{
	static const char *const texts[] = { "a", "four", "", "fives" };
	uint32_t at = 0;

	memset(&of_file, 0, sizeof(of_file));
	ASSERT_EQ(names_next(&of_file.names, &at) == NULL, true);
	for (size_t i = 0; i < ARRAY_LEN(texts); i++)
		add(texts[i], (uint8_t)i);
	for (size_t i = 0; i < ARRAY_LEN(texts); i++) {
		const struct name_entry *entry =
			names_next(&of_file.names, &at);

		ASSERT_EQ(entry != NULL, true);
		ASSERT_EQ(entry->type, i);
		ASSERT_EQ(entry->bytes, strlen(texts[i]));
		ASSERT_EQ(memcmp(entry + 1, texts[i], entry->bytes), 0);
	}
	ASSERT_EQ(names_next(&of_file.names, &at) == NULL, true);
}

static void
test_names_next_of_more_than_a_file_has_is_none(void **state)
{
	uint32_t at = 0;

	of_file.names.bytes = NAMES_FILE_BYTES + 1;
	ASSERT_EQ(names_next(&of_file.names, &at) == NULL, true);
}

static void
test_names_place_is_by_turns(void **state)
{
	const uint64_t extent = NAMES_EXTENT_BYTES;

	ASSERT_EQ(names_place(0, 1, 5 * extent + 3), 5 * extent + 3);
	ASSERT_EQ(names_place(2, 4, 17), 2 * extent + 17);
	ASSERT_EQ(names_place(2, 4, extent - 1), 3 * extent - 1);
	ASSERT_EQ(names_place(2, 4, extent), 6 * extent);
	for (uint32_t lane = 0; lane < 4; lane++)
		ASSERT_EQ(names_lane_at(names_place(lane, 4, 3 * extent - 1),
					4),
			  lane);
}

static void
test_def_kind_text_out_of_range_is_none(void **state)
{
	assert_string_equal(def_kind_text(0), "none");
	assert_string_equal(def_kind_text(255), "none");
	assert_string_equal(def_kind_text(1), "function");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_names_next_gives_all_and_ends),
		cmocka_unit_test(
			test_names_next_of_more_than_a_file_has_is_none),
		cmocka_unit_test(test_names_place_is_by_turns),
		cmocka_unit_test(test_def_kind_text_out_of_range_is_none),
	};

	return cmocka_run_group_tests_name("catalogue/names", tests, NULL,
					   NULL);
}
