/* SPDX-License-Identifier: MIT */
/*
 * test_delta.c - texts out of others.
 */
#include "tests/support/test_shm.h"

#include <stdlib.h>
#include <string.h>

#include "base/delta.h"

#define TEXT_BYTES 20000

static uint8_t delta[2 * TEXT_BYTES + 64];
static uint8_t got[TEXT_BYTES];

/* Bytes of the delta, which gives the text again. */
static size_t
encode(const char *source, size_t source_bytes, const char *text, size_t bytes)
{
	const struct delta_source of = { (const uint8_t *)source,
					 source_bytes };
	size_t nr = delta_encode(&of, (const uint8_t *)text, bytes, delta,
				 sizeof(delta));

	memset(got, 0, sizeof(got));
	ASSERT_TRUE(delta_decode(&of, delta, nr, got, bytes));
	assert_memory_equal(got, text, bytes);
	return nr;
}

static void
test_delta_of_lines_that_are_there_is_short(void **state)
{
	static const char source[] = "#include <stdio.h>\n"
				     "static int first_of_two(int number)\n"
				     "{\n\treturn number;\n}\n"
				     "\tvoid second_of_two(void) { }\n";
	static const char text[] = "static int first_of_two(int number)\n"
				   " void second_of_two(void)\n";

	ASSERT_TRUE(encode(source, strlen(source), text, strlen(text)) < 14);
	ASSERT_EQ(encode(source, strlen(source), source, strlen(source)), 3);
}

static void
test_delta_of_what_is_not_there_is_it(void **state)
{
	ASSERT_EQ(encode("", 0, "nothing of it\n", 14), 16);
	ASSERT_EQ(encode("in another\norder\n", 17, "x\n", 2), 4);
	ASSERT_EQ(encode("a", 1, "", 0), 0);
}

/* Lines out of the source, cut, indented, or new, of few letters, so that much is
 * there by chance. */
static void
test_delta_gives_the_text_again(void **state)
{
	static char source[TEXT_BYTES];
	static char text[TEXT_BYTES];

	srand(1);
	for (int round = 0; round < 3000; round++) {
		size_t source_bytes = (size_t)rand() % 400;
		size_t bytes = 0;
		int letters = 2 + rand() % 6;

		for (size_t i = 0; i < source_bytes; i++)
			source[i] = "\nab cd\te"[rand() % letters];
		while (bytes < 300 && rand() % 20 != 0) {
			size_t from = (size_t)rand() % (source_bytes + 1);
			size_t nr = min_size((size_t)rand() % 60,
					     source_bytes - from);

			memcpy(text + bytes, source + from, nr);
			bytes += nr;
			if (rand() % 3 == 0)
				text[bytes++] = "\n\t x"[rand() % 4];
		}
		encode(source, source_bytes, text, bytes);
	}
}

static void
test_delta_without_room_is_none(void **state)
{
	static const char source[] = "one line of it\nand another one\n";
	static const char text[] = "one line of it\nis new\n";
	const struct delta_source of = { (const uint8_t *)source,
					 strlen(source) };
	size_t whole = encode(source, strlen(source), text, strlen(text));

	for (size_t room = 0; room < whole; room++)
		ASSERT_EQ(delta_encode(&of, (const uint8_t *)text, strlen(text),
				       delta, room),
			  0);
}

/* Whatever it is, nothing is read or written beyond what there is. */
static void
test_delta_that_is_damaged_is_refused(void **state)
{
	static const char source[] = "one line of it\nand another one\n";
	static const char text[] = "one line of it\n new\nand another one\n";
	const struct delta_source of = { (const uint8_t *)source,
					 strlen(source) };
	size_t bytes = strlen(text);
	size_t nr = encode(source, strlen(source), text, bytes);
	uint8_t *whole = malloc(nr);
	uint8_t *exact = malloc(bytes);

	memcpy(whole, delta, nr);
	for (size_t cut = 0; cut < nr; cut++)
		ASSERT_TRUE(!delta_decode(&of, whole, cut, exact, bytes));
	srand(2);
	for (int round = 0; round < 20000; round++) {
		size_t at = (size_t)rand() % nr;
		uint8_t was = whole[at];

		whole[at] = (uint8_t)rand();
		(void)delta_decode(&of, whole, nr, exact, bytes);
		whole[at] = was;
	}
	free(exact);
	free(whole);
}

/* A line that is not there is looked for once: a source of 1 MiB and 64 KiB of such
 * lines would be 20 GB to look through, a window for each. */
static void
test_delta_effort_is_that_of_the_source(void **state)
{
	enum { SOURCE_BYTES = 1 << 20, LINES = 1000 };
	char *source = malloc(SOURCE_BYTES);
	char *text = malloc(LINES * 20 + 1);
	size_t bytes = 0;

	memset(source, 'a', SOURCE_BYTES);
	for (int i = 0; i < LINES; i++)
		bytes += (size_t)sprintf(text + bytes, "aaaaaaaa%08d\n", i);
	ASSERT_TRUE(encode(source, SOURCE_BYTES, text, bytes) <= bytes + 16);
	free(text);
	free(source);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_delta_of_lines_that_are_there_is_short),
		cmocka_unit_test(test_delta_of_what_is_not_there_is_it),
		cmocka_unit_test(test_delta_gives_the_text_again),
		cmocka_unit_test(test_delta_without_room_is_none),
		cmocka_unit_test(test_delta_that_is_damaged_is_refused),
		cmocka_unit_test(test_delta_effort_is_that_of_the_source),
	};

	return cmocka_run_group_tests_name("base/delta", tests, NULL, NULL);
}
