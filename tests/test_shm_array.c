/* SPDX-License-Identifier: MIT */
/*
 * test_shm_array.c - an array that grows keeps what is in it.
 */
#include "tests/test_shm.h"

#include "shm/array.h"

static void
test_array_grows_and_keeps_its_elements(void **state)
{
	uint64_t *array = NULL;
	size_t room = 0;

	for (size_t nr = 0; nr < 10000; nr++) {
		ASSERT_EQ(ARRAY_RESERVE(array, room, nr + 1), 0);
		ASSERT_TRUE(room > nr);
		array[nr] = nr * nr;
	}
	ASSERT_TRUE(room < 20000 + ARRAY_ROOM_LEAST);
	for (size_t i = 0; i < 10000; i++)
		ASSERT_EQ(array[i], i * i);
	ASSERT_EQ(ARRAY_RESERVE(array, room, 123456), 0);
	ASSERT_EQ(room, 123456);
	ASSERT_EQ(array[9999], 9999 * 9999);
	free(array);
}

static void
test_array_without_memory_stays_as_it_was(void **state)
{
	uint64_t *array = NULL;
	uint64_t *before;
	size_t room = 0;
	size_t had;

	ASSERT_EQ(ARRAY_RESERVE(array, room, 1), 0);
	before = array;
	had = room;
	ASSERT_EQ(ARRAY_RESERVE(array, room, SIZE_MAX / 8 + 1), -ENOMEM);
	ASSERT_TRUE(array == before && room == had);
	free(array);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_array_grows_and_keeps_its_elements),
		cmocka_unit_test(test_array_without_memory_stays_as_it_was),
	};

	return cmocka_run_group_tests_name("shm/array", tests, NULL, NULL);
}
