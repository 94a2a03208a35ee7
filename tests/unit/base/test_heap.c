/* SPDX-License-Identifier: MIT */
/*
 * test_shm_heap.c - the last one is on top, whatever is added; sorted is sorted.
 */
#include "tests/support/test_shm.h"

#include "base/heap.h"

#define NR_MAX 300

struct element {
	uint32_t key;
	uint32_t place; /* where it was; what decides between equals */
	char rest[40];
};

static uint32_t seed = 20261124;

static uint32_t
draw(uint32_t below)
{
	seed = seed * 1664525 + 1013904223;
	return (seed >> 8) % below;
}

static bool
is_before(const void *context, const void *a, const void *b)
{
	const struct element *one = a;
	const struct element *two = b;
	uint32_t turned = *(const uint32_t *)context;

	if (one->key != two->key)
		return (one->key ^ turned) < (two->key ^ turned);
	return one->place < two->place;
}

static struct element elements[NR_MAX];
static uint32_t turned; /* all ones: the other way round */
static const struct heap heap = { elements, sizeof(elements[0]),
				  sizeof(elements[0]), is_before, &turned };

static void
fill(size_t i, uint32_t below)
{
	elements[i] =
		(struct element){ .key = draw(below), .place = (uint32_t)i };
	memset(elements[i].rest, (int)(elements[i].key & 127),
	       sizeof(elements[i].rest));
}

static void
test_heap_sort_of_any_array_sorts_it(void **state)
{
	for (size_t nr = 0; nr <= NR_MAX; nr++) {
		uint64_t sum = 0;

		turned = nr % 2 == 0 ? 0 : UINT32_MAX;
		for (size_t i = 0; i < nr; i++) {
			fill(i, nr % 3 == 0 ? 5 : 1000000);
			sum += elements[i].key + 7 * elements[i].place;
		}
		heap_make(&heap, nr);
		heap_unmake(&heap, nr);
		for (size_t i = 0; i < nr; i++) {
			sum -= elements[i].key + 7 * elements[i].place;
			ASSERT_EQ(elements[i].rest[39], elements[i].key & 127);
			if (i > 0)
				ASSERT_TRUE(is_before(&turned, &elements[i - 1],
						      &elements[i]));
		}
		ASSERT_EQ(sum, 0);
	}
}

static void
test_heap_has_the_last_one_on_top(void **state)
{
	struct element last = { 0 };

	turned = 0;
	for (size_t nr = 0; nr < NR_MAX; nr++) {
		fill(nr, 100);
		if (nr == 0 || is_before(&turned, &last, &elements[nr]))
			last = elements[nr];
		heap_sift_up(&heap, nr);
		ASSERT_EQ(elements[0].place, last.place);
		for (size_t i = 1; i <= nr; i++)
			ASSERT_TRUE(!heap_is_before(&heap, (i - 1) / 2, i));
	}
	/* what takes the place of the top goes down */
	for (int i = 0; i < 100; i++) {
		elements[0].key = draw(100);
		heap_sift_down(&heap, 0, NR_MAX);
		for (size_t k = 1; k < NR_MAX; k++)
			ASSERT_TRUE(!heap_is_before(&heap, (k - 1) / 2, k));
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_heap_sort_of_any_array_sorts_it),
		cmocka_unit_test(test_heap_has_the_last_one_on_top),
	};

	return cmocka_run_group_tests_name("shm/heap", tests, NULL, NULL);
}
