/* SPDX-License-Identifier: MIT */
/*
 * test_base.c - a failed assertion ends the process, and says where; sums stick
 * at the top.
 */
#include "tests/support/test_shm.h"

#include "base/base.h"

/* What the hook was told, for the parent. */
struct told {
	int nr;
	int line;
	char what[64];
	char file[64];
};

static struct told *told;

static void
tell(const char *what, const char *file, int line)
{
	told->nr++;
	told->line = line;
	snprintf(told->what, sizeof(told->what), "%s", what);
	snprintf(told->file, sizeof(told->file), "%s", file);
}

static void
try_assert(void *arg)
{
	const bool *has_hook = arg;
	int one = 1;

	base_on_assert(*has_hook ? tell : NULL);
	ASSERT(one == 1);
	ASSERT(one == 2);
	told->nr = __LINE__;
}

static void
test_base_assert_tells_and_aborts(void **state)
{
	told = mmap(NULL, sizeof(*told), PROT_READ | PROT_WRITE,
		    MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	assert_true(told != MAP_FAILED);
	ASSERT_EQ(run_child(try_assert, &(bool){ false }), -SIGABRT);
	ASSERT_EQ(told->nr, 0);
	ASSERT_EQ(run_child(try_assert, &(bool){ true }), -SIGABRT);
	ASSERT_EQ(told->nr, 1);
	ASSERT_TRUE(told->line > 0);
	assert_string_equal(told->what, "one == 2");
	assert_non_null(strstr(told->file, "test_base.c"));
	munmap(told, sizeof(*told));
}

static void
test_base_sums_stick_at_the_top(void **state)
{
	ASSERT_TRUE(add_sat_u64(0, 0) == 0);
	ASSERT_TRUE(add_sat_u64(UINT64_MAX - 1, 1) == UINT64_MAX);
	ASSERT_TRUE(add_sat_u64(UINT64_MAX - 1, 2) == UINT64_MAX);
	ASSERT_TRUE(add_sat_u64(UINT64_MAX, UINT64_MAX) == UINT64_MAX);
	ASSERT_TRUE(add_sat_u64(1ull << 63, 1ull << 63) == UINT64_MAX);
}

static void
test_base_least_greatest_and_rounded(void **state)
{
	ASSERT_EQ(min_u64(1, 2), 1);
	ASSERT_EQ(min_u64(2, 1), 1);
	ASSERT_EQ(max_u64(1, 2), 2);
	ASSERT_EQ(max_u64(2, 1), 2);
	ASSERT_EQ(min_size(3, 3), 3);
	ASSERT_TRUE(min_u64(UINT64_MAX, 0) == 0);
	for (uint64_t n = 0; n < 100; n++) {
		for (uint64_t multiple = 1; multiple < 20; multiple++) {
			uint64_t want = n;

			while (want % multiple != 0)
				want++;
			ASSERT_EQ(round_up_u64(n, multiple), want);
		}
	}
}

static void
test_base_highest_byte_is_first(void **state)
{
	static const uint8_t bytes[] = { 0x80, 0x01, 0x02, 0x03 };

	ASSERT_TRUE(load_be32(bytes) == 0x80010203);
}

static void
test_base_text_is_among_others_or_not(void **state)
{
	static const char *const texts[] = { "one", "two" };

	ASSERT_TRUE(text_is_among("two", texts, 2));
	ASSERT_TRUE(!text_is_among("two", texts, 1));
	ASSERT_TRUE(!text_is_among("on", texts, 2));
	ASSERT_TRUE(bytes_are("two", 3, texts[1]));
	ASSERT_TRUE(!bytes_are("twos", 4, texts[1]));
	ASSERT_TRUE(!bytes_are("one", 3, texts[1]));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_base_assert_tells_and_aborts),
		cmocka_unit_test(test_base_sums_stick_at_the_top),
		cmocka_unit_test(test_base_least_greatest_and_rounded),
		cmocka_unit_test(test_base_highest_byte_is_first),
		cmocka_unit_test(test_base_text_is_among_others_or_not),
	};

	return cmocka_run_group_tests_name("base/base", tests, NULL, NULL);
}
