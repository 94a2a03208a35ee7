/* SPDX-License-Identifier: MIT */
/*
 * test_shm_slab.c - content lies where descriptors say, and nowhere else.
 */
#include "catalogue/desc.h"
#include "tests/support/test_shm.h"

#include "shm/slab.h"

#define SLABS 3

static struct slabs slabs;

static int
setup(void **state)
{
	slabs.nr = SLABS;
	slabs.base = calloc(SLABS, SLAB_BYTES);
	return slabs.base == NULL ? -1 : 0;
}

static int
teardown(void **state)
{
	free(slabs.base);
	return 0;
}

static void
test_slab_places_are_apart(void **state)
{
	for (uint32_t i = 0; i < SLABS; i++)
		ASSERT_EQ(slab_at(&slabs, i) - slabs.base,
			  (ptrdiff_t)i * SLAB_BYTES);
}

static void
test_slab_content_is_where_the_descriptor_says(void **state)
{
	struct desc desc = { .slab_idx = 2, .slab_off = 5, .bytes = 10 };

	ASSERT_EQ(desc_content(&slabs, &desc) - slabs.base,
		  2 * (ptrdiff_t)SLAB_BYTES + 5);
	desc.slab_off = SLAB_BYTES;
	desc.bytes = 0;
	ASSERT_EQ(desc_content(&slabs, &desc) - slabs.base,
		  3 * (ptrdiff_t)SLAB_BYTES);
	desc.slab_idx = SLAB_NONE;
	/* of no bytes as well an end can be told */
	ASSERT_TRUE(desc_content(&slabs, &desc) != NULL);
}

static void
child_looks_outside(void *arg)
{
	desc_content(&slabs, arg);
}

static void
child_poisons_outside(void *arg)
{
	slab_poison(&slabs, SLABS);
}

/* verifies: R7 */
static void
test_slab_outside_the_arena_ends_the_process(void **state)
{
	static const struct desc cases[] = {
		{ .slab_idx = SLABS },
		{ .slab_idx = SLAB_NONE - 1 },
		{ .slab_idx = 0, .slab_off = SLAB_BYTES + 1 },
		{ .slab_idx = 0, .slab_off = 1, .bytes = SLAB_BYTES },
		{ .slab_idx = 0, .slab_off = UINT32_MAX, .bytes = 2 },
		{ .slab_idx = 0, .slab_off = 2, .bytes = UINT32_MAX },
	};

	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct desc desc = cases[i];
		int code = run_child(child_looks_outside, &desc);

		if (code != -SIGABRT)
			fail_msg("case %zu: got %d, want %d", i, code,
				 -SIGABRT);
	}
	ASSERT_EQ(run_child(child_poisons_outside, NULL), -SIGABRT);
}

/* verifies: R4 */
static void
test_slab_given_back_is_rubbish_in_debug_builds(void **state)
{
#ifdef BALE_DEBUG
	const uint8_t want = 0xdb;
#else
	const uint8_t want = 0x11;
#endif

	memset(slabs.base, 0x11, SLABS * (size_t)SLAB_BYTES);
	slab_poison(&slabs, 1);
	for (size_t i = 0; i < SLAB_BYTES; i++) {
		ASSERT_EQ(slab_at(&slabs, 0)[i], 0x11);
		ASSERT_EQ(slab_at(&slabs, 1)[i], want);
		ASSERT_EQ(slab_at(&slabs, 2)[i], 0x11);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_slab_places_are_apart),
		cmocka_unit_test(
			test_slab_content_is_where_the_descriptor_says),
		cmocka_unit_test(test_slab_outside_the_arena_ends_the_process),
		cmocka_unit_test(
			test_slab_given_back_is_rubbish_in_debug_builds),
	};

	return cmocka_run_group_tests_name("shm/slab", tests, setup, teardown);
}
