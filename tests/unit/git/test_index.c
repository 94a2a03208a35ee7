/* SPDX-License-Identifier: MIT */
/*
 * test_index.c - entries of indexes made by hand, whole and cut off; bitmaps as
 * git packs them (gitformat-index(5), EWAH).
 */
#include "tests/support/test_shm.h"

#include "base/base.h"
#include "git/git.h"

#define HASH_BYTES 20

static uint8_t bytes[4096];
static size_t nr;

static void
add_number(uint64_t number, int size)
{
	while (size-- > 0)
		bytes[nr++] = (uint8_t)(number >> 8 * size);
}

static int
init(uint32_t version, uint32_t entries, struct index_reader *reader)
{
	nr = 0;
	memcpy(bytes, "DIRC", 4);
	nr = 4;
	add_number(version, 4);
	add_number(entries, 4);
	return index_reader_init(reader, bytes, nr, HASH_BYTES);
}

/* One entry in front of its path. */
static void
add_entry(uint32_t mode, uint16_t flags)
{
	memset(bytes + nr, 0xab, 24);
	nr += 24;
	add_number(mode, 4);
	memset(bytes + nr, 0xcd, 12 + HASH_BYTES);
	nr += 12 + HASH_BYTES;
	add_number(flags, 2);
}

static void
test_index_head_is_one_of_a_version_there_is(void **state)
{
	struct index_reader reader;

	for (uint32_t version = 0; version < 7; version++)
		ASSERT_EQ(init(version, 3, &reader),
			  version >= 2 && version <= 4 ? 0 : -EINVAL);
	ASSERT_EQ(init(2, 3, &reader), 0);
	ASSERT_EQ(reader.left, 3);
	ASSERT_EQ(index_reader_init(&reader, bytes, 11, HASH_BYTES), -EINVAL);
	bytes[0] = 'd';
	ASSERT_EQ(index_reader_init(&reader, bytes, 12, HASH_BYTES), -EINVAL);
}

/* Paths of one to nine bytes: 1 to 8 NUL behind them. */
static void
test_index_entries_are_padded_to_eight(void **state)
{
	static const char path[] = "a/b/c/d/e";

	for (size_t len = 1; len < sizeof(path); len++) {
		for (int extended = 0; extended < 2; extended++) {
			struct index_reader reader;
			size_t begin, used = 0;

			ASSERT_EQ(init(2 + (uint32_t)extended, 1, &reader), 0);
			begin = nr;
			add_entry(0100644, extended ? 0x4000 : 0);
			if (extended)
				add_number(0x2000, 2);
			memcpy(bytes + nr, path, len);
			nr += len;
			do
				bytes[nr++] = 0;
			while ((nr - begin) % 8 != 0);
			for (size_t cut = 0; cut < nr - begin; cut++)
				ASSERT_EQ(index_reader_next(&reader,
							    bytes + begin, cut,
							    &used),
					  0);
			ASSERT_EQ(index_reader_next(&reader, bytes + begin,
						    nr - begin, &used),
				  1);
			ASSERT_EQ(used, nr - begin);
			ASSERT_EQ(reader.path_bytes, len);
			ASSERT_EQ(memcmp(reader.path, path, len), 0);
			ASSERT_EQ(reader.mode, 0100644);
			ASSERT_EQ(reader.left, 0);
		}
	}
}

static int
next_of_four(struct index_reader *reader, size_t drop, const char *tail)
{
	size_t begin = nr;
	size_t used = 0;
	int result;

	add_entry(0100755, 0);
	/* as offsets in packs: 128 is 80 00 */
	if (drop >= 128)
		add_number(0x80 | (drop - 128) >> 7, 1);
	add_number(drop & 0x7f, 1);
	memcpy(bytes + nr, tail, strlen(tail) + 1);
	nr += strlen(tail) + 1;
	result = index_reader_next(reader, bytes + begin, nr - begin, &used);
	if (result == 1)
		ASSERT_EQ(used, nr - begin);
	return result;
}

static void
test_index_of_version_four_goes_on_from_the_last_path(void **state)
{
	struct index_reader reader;
	char name[201] = "";

	memset(name, 'n', 200);
	ASSERT_EQ(init(4, 5, &reader), 0);
	ASSERT_EQ(next_of_four(&reader, 0, "src/a.c"), 1);
	ASSERT_EQ(next_of_four(&reader, 3, "b.c"), 1);
	ASSERT_EQ(reader.path_bytes, 7);
	ASSERT_EQ(memcmp(reader.path, "src/b.c", 7), 0);
	ASSERT_EQ(next_of_four(&reader, 7, name), 1);
	ASSERT_EQ(reader.path_bytes, 200);
	ASSERT_EQ(next_of_four(&reader, 199, "x"), 1);
	ASSERT_EQ(reader.path_bytes, 2);
	ASSERT_EQ(memcmp(reader.path, "nx", 2), 0);
	/* more than there is */
	ASSERT_EQ(next_of_four(&reader, 3, "x"), -EINVAL);
}

static void
test_index_bits_are_runs_and_words(void **state)
{
	struct index_bits bits;
	size_t used = 0;
	size_t at = 0;

	nr = 0;
	add_number(64 * 4, 4);
	add_number(4, 4);
	/* two words of ones, one as it is; then one of zeros */
	add_number(1 | 2ull << 1 | 1ull << 33, 8);
	add_number(0x8000000000000005, 8);
	add_number(0 | 1ull << 1 | 0ull << 33, 8);
	add_number(0 | 0ull << 1 | 0ull << 33, 8);
	add_number(3, 4);
	for (size_t cut = 0; cut < nr; cut++)
		ASSERT_EQ(index_bits_init(&bits, bytes, cut, &used), -EINVAL);
	ASSERT_EQ(index_bits_init(&bits, bytes, nr, &used), 0);
	ASSERT_EQ(used, nr);
	for (; at < 64 * 6; at++)
		ASSERT_EQ(index_bits_next(&bits),
			  at < 128 || at == 128 || at == 130 || at == 191);
}

static void
test_index_link_is_found_among_extensions(void **state)
{
	struct index_link link;

	nr = 0;
	memcpy(bytes, "TREE", 4);
	nr = 4;
	add_number(5, 4);
	nr += 5;
	memcpy(bytes + nr, "link", 4);
	nr += 4;
	add_number(HASH_BYTES, 4);
	memset(bytes + nr, 7, HASH_BYTES);
	nr += HASH_BYTES;
	memset(bytes + nr, 9, HASH_BYTES); /* of the file */
	nr += HASH_BYTES;
	ASSERT_EQ(index_link_find(&link, bytes, nr, HASH_BYTES), 1);
	ASSERT_EQ(link.base[0], 7);
	ASSERT_TRUE(!index_bits_next(&link.deleted));
	/* only the other one; cut off; larger than there is */
	ASSERT_EQ(index_link_find(&link, bytes, 13 + HASH_BYTES, HASH_BYTES),
		  0);
	ASSERT_EQ(index_link_find(&link, bytes, nr - 1, HASH_BYTES), -EINVAL);
	ASSERT_EQ(index_link_find(&link, bytes, 0, HASH_BYTES), 0);
}

/* A run of 2 words of ones, one word as it is; then a run of zeros. */
static void
test_index_bits_of_an_example_end_in_zeros(void **state)
{
	static const uint8_t packed[] = {
		0, 0, 1, 64, 0,   0, 0, 3, /* 320 bits */
		0, 0, 0, 2,  0,   0, 0, 5, /* ones, 2; 1 */
		0, 0, 0, 0,  0,   0, 0, 6, /* 011 */
		0, 0, 0, 0,  0,   0, 0, 4, /* zeros, 2 */
		0, 0, 0, 2,  'x',
	};
	struct index_bits bits;
	size_t used = 0;

	assert_int_equal(index_bits_init(&bits, packed, sizeof(packed), &used),
			 0);
	assert_int_equal(used, sizeof(packed) - 1);
	for (int i = 0; i < 400; i++) {
		bool want = i < 128 || i == 129 || i == 130;

		if (index_bits_next(&bits) != want)
			fail_msg("bit %d: want %d", i, want);
	}
	assert_int_equal(index_bits_init(&bits, packed, 30, &used), -EINVAL);
	assert_int_equal(index_bits_init(&bits, packed, 5, &used), -EINVAL);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_index_head_is_one_of_a_version_there_is),
		cmocka_unit_test(test_index_entries_are_padded_to_eight),
		cmocka_unit_test(
			test_index_of_version_four_goes_on_from_the_last_path),
		cmocka_unit_test(test_index_bits_are_runs_and_words),
		cmocka_unit_test(test_index_link_is_found_among_extensions),
		cmocka_unit_test(test_index_bits_of_an_example_end_in_zeros),
	};

	return cmocka_run_group_tests_name("git/index", tests, NULL, NULL);
}
