/* SPDX-License-Identifier: MIT */
/*
 * test_collect_order.c - the order of names against strcmp(3) of whole paths:
 * a directory's name with the slash that follows it.
 */
#include "tests/support/test_shm.h"

#include "stages/collect/collect.h"

#define NAMES 60

static char text[NAMES * 16];
static struct collect_name names[NAMES];
static uint64_t seed = 20261126;

/* The name as it stands in a path: static. */
static const char *
path_of(const struct collect_name *name, char out[static 32])
{
	snprintf(out, 32, "%.*s%s", (int)name->bytes, text + name->off,
		 name->type == COLLECT_DIR ? "/" : "");
	return out;
}

static int
sign(int value)
{
	return (value > 0) - (value < 0);
}

/* Names of few letters, so that many begin as others do. */
static void
make_names(void)
{
	static const char bytes[] = "ab-.0\xff";
	size_t at = 0;

	for (size_t i = 0; i < NAMES; i++) {
		size_t nr = 1 + random_next(&seed) % 12;
		bool is_long = random_next(&seed) % 2 == 0;

		names[i] = (struct collect_name){ 0 };
		for (size_t k = 0; k < nr; k++)
			text[at + k] = is_long && k < 8
					       ? 'a'
					       : bytes[random_next(&seed) % 6];
		names[i].off = (uint32_t)at;
		names[i].bytes = (uint16_t)nr;
		names[i].type = random_next(&seed) % 2 == 0 ? COLLECT_DIR
							    : COLLECT_FILE;
		names[i].key = collect_order_key(text + at, nr,
						 names[i].type == COLLECT_DIR);
		at += nr;
	}
}

static void
test_order_is_that_of_whole_paths(void **state)
{
	char a[32];
	char b[32];

	for (int round = 0; round < 20; round++) {
		make_names();
		for (size_t i = 0; i < NAMES; i++)
			for (size_t k = 0; k < NAMES; k++)
				ASSERT_EQ(sign(collect_order_compare(
						  &names[i], text, &names[k],
						  text)),
					  sign(strcmp(path_of(&names[i], a),
						      path_of(&names[k], b))));
		collect_order_sort(names, NAMES, text);
		for (size_t i = 1; i < NAMES; i++)
			ASSERT_TRUE(strcmp(path_of(&names[i - 1], a),
					   path_of(&names[i], b)) <= 0);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_order_is_that_of_whole_paths),
	};

	return cmocka_run_group_tests_name("collect/collect_order", tests, NULL,
					   NULL);
}
