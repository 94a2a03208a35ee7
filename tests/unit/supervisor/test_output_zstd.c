/* SPDX-License-Identifier: MIT */
/*
 * test_output_zstd.c - outputs that are compressed, given back by zstd.
 */
#include "tests/support/test_dir.h"

#include <zstd.h>

#include "supervisor/output.h"

static void
test_output_is_compressed_by_its_name(void **state)
{
	ASSERT_TRUE(output_is_zstd("a.zst") && output_is_zstd("d/a.md.zst"));
	ASSERT_TRUE(!output_is_zstd(".zst") && !output_is_zstd("a.md"));
	ASSERT_TRUE(!output_is_zstd("a.zst/b") && !output_is_zstd(NULL));
}

/* Sizes around those of a block of 256 KiB. */
static void
test_output_is_what_zstd_gives_back(void **state)
{
	static const size_t sizes[] = { 0,      1,      100,    262143,
					262144, 262145, 700000, 524288 };
	static char text[700100];
	static char packed[710000];
	static char back[700100];
	uint64_t seed = 9;

	for (size_t i = 0; i < sizeof(text); i++)
		text[i] = (char)('a' + random_next(&seed) % 20);
	for (size_t i = 0; i < ARRAY_LEN(sizes); i++) {
		struct output output = OUTPUT_NONE;
		int to =
			open("z", O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
		ssize_t nr;

		output.fd =
			open("o", O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
		ASSERT_TRUE(to >= 0 && output.fd >= 0);
		ASSERT_EQ(write(output.fd, text, sizes[i] + 100),
			  (ssize_t)sizes[i] + 100);
		/* a part that begins behind the first bytes */
		ASSERT_EQ(output_compress(&output, 50, sizes[i], to), 0);
		nr = pread(to, packed, sizeof(packed), 0);
		ASSERT_TRUE(nr > 0);
		ASSERT_EQ(
			ZSTD_decompress(back, sizeof(back), packed, (size_t)nr),
			sizes[i]);
		assert_memory_equal(back, text + 50, sizes[i]);
		/* it is shorter than it should be */
		ASSERT_EQ(output_compress(&output, 101, sizes[i], to),
			  sizes[i] == 0 ? 0 : -EIO);
		close(output.fd);
		close(to);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_output_is_compressed_by_its_name),
		cmocka_unit_test_setup_teardown(
			test_output_is_what_zstd_gives_back, dir_set_up,
			dir_tear_down),
	};

	return cmocka_run_group_tests_name("supervisor/output_zstd", tests,
					   NULL, NULL);
}
