/* SPDX-License-Identifier: MIT */
/*
 * test_names.c - entries of names one by one; lanes side by side; signatures.
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
}

/* Signatures stand behind the entries, and nothing of them is used that is not
 * whole. */
static void
test_names_have_signatures_behind_them_that_are_whole(void **state)
{
	struct catalogue catalogue = { 0 };
	struct names_lane lane = { .nr = 1 };
	struct file_facts facts = { .names_off = 1, .signatures_bytes = 20 };
	const uint8_t *found;
	struct names *names;
	uint8_t *signatures;

	ASSERT_EQ(catalogue_create(&catalogue), 0);
	ASSERT_EQ(catalogue_reserve_names(&catalogue, &lane, 0), 0);
	names = catalogue_lane_names(&catalogue, &lane, 0, NAMES_ROOM_BYTES);
	names->bytes = 16;
	signatures = (uint8_t *)(names + 1) + names->bytes;
	memcpy(signatures + NAMES_SUM_BYTES, "signatures..", 12);
	names_seal_signatures(signatures, facts.signatures_bytes);
	found = catalogue_signatures(&catalogue, &facts);
	ASSERT_TRUE(found == signatures);
	for (uint32_t i = 0; i < facts.signatures_bytes; i++) {
		signatures[i] ^= 1;
		ASSERT_TRUE(catalogue_signatures(&catalogue, &facts) == NULL);
		signatures[i] ^= 1;
	}
	/* of another length, of none, or of more than there can be */
	for (uint32_t bytes = 0; bytes < facts.signatures_bytes; bytes++)
		ASSERT_TRUE(!names_are_sealed(signatures, bytes));
	facts.signatures_bytes = NAMES_SIGNATURES_BYTES + 1;
	ASSERT_TRUE(catalogue_signatures(&catalogue, &facts) == NULL);
	facts.signatures_bytes = 20;
	names->bytes = NAMES_FILE_BYTES + 1;
	ASSERT_TRUE(catalogue_signatures(&catalogue, &facts) == NULL);
	facts.names_off = 0;
	ASSERT_TRUE(catalogue_signatures(&catalogue, &facts) == NULL);
	catalogue_close(&catalogue);
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
		cmocka_unit_test(
			test_names_have_signatures_behind_them_that_are_whole),
		cmocka_unit_test(test_def_kind_text_out_of_range_is_none),
	};

	return cmocka_run_group_tests_name("catalogue/names", tests, NULL,
					   NULL);
}
