/* SPDX-License-Identifier: MIT */
/*
 * test_delta.c - texts out of others.
 */
#include "tests/support/test_shm.h"

#include <stdlib.h>
#include <string.h>

#include "base/delta.h"

#define TEXT_BYTES 20000

static char source[TEXT_BYTES];
static char text[TEXT_BYTES]; /* what was taken down */
static size_t text_bytes;
static uint8_t delta[2 * TEXT_BYTES + 64];
static uint8_t got[TEXT_BYTES];
static struct delta_writer writer;

static void
begin(const char *of, size_t room)
{
	struct delta_source whole = { (const uint8_t *)source, strlen(of) };

	memcpy(source, of, strlen(of) + 1);
	text_bytes = 0;
	delta_begin(&writer, &whole, delta, room);
}

static void
add(const void *bytes, size_t nr)
{
	delta_add(&writer, bytes, nr);
	memcpy(text + text_bytes, bytes, nr);
	text_bytes += nr;
}

/* Bytes of the delta, which gives the text again. */
static size_t
end(void)
{
	size_t nr = delta_end(&writer);

	memset(got, 0, sizeof(got));
	ASSERT_TRUE(delta_decode(&writer.source, delta, nr, got, text_bytes));
	assert_memory_equal(got, text, text_bytes);
	return nr;
}

static void
test_delta_of_what_lies_in_the_source_is_its_place(void **state)
{
	begin("one two three", sizeof(delta));
	add(source, 4);
	add(source + 4, 4); /* goes on */
	ASSERT_EQ(end(), 2);
	begin("one two three", sizeof(delta));
	add(source + 8, 5);
	add(source, 3); /* goes back */
	ASSERT_EQ(end(), 4);
}

/* The same bytes elsewhere are new: nothing is searched. */
static void
test_delta_of_what_lies_elsewhere_is_it(void **state)
{
	static const char elsewhere[] = "one";

	begin("one two three", sizeof(delta));
	add(elsewhere, 3);
	ASSERT_EQ(end(), 4);
	begin("", sizeof(delta));
	add("new", 3);
	ASSERT_EQ(end(), 4);
	begin("one", sizeof(delta));
	ASSERT_EQ(delta_end(&writer), 0);
}

/* Pieces of the source in any order, and new ones. */
static void
test_delta_gives_the_text_again(void **state)
{
	char letters[400];

	srand(1);
	for (size_t i = 0; i < sizeof(letters) - 1; i++)
		letters[i] = "\nab cd\te"[rand() % 8];
	letters[sizeof(letters) - 1] = '\0';
	for (int round = 0; round < 3000; round++) {
		size_t nr = (size_t)rand() % sizeof(letters);

		begin(letters + nr, sizeof(delta));
		nr = strlen(source);
		while (text_bytes < 3000 && rand() % 20 != 0) {
			size_t from = (size_t)rand() % (nr + 1);

			if (rand() % 3 == 0)
				add("...\n", (size_t)rand() % 5);
			else
				add(source + from,
				    (size_t)rand() % (nr + 1 - from));
		}
		end();
	}
}

static void
take_three(size_t room)
{
	begin("one line of it\nand another one\n", room);
	add(source + 4, 11);
	add(" is new\n", 8);
	add(source, 3);
}

static void
test_delta_without_room_is_none(void **state)
{
	size_t whole;

	take_three(sizeof(delta));
	whole = end();
	for (size_t room = 0; room < whole; room++) {
		take_three(room);
		delta[room] = 0xa5;
		ASSERT_EQ(delta_end(&writer), 0);
		ASSERT_EQ(delta[room], 0xa5);
	}
}

/* Whatever it is, nothing is read or written beyond what there is. */
static void
test_delta_that_is_damaged_is_refused(void **state)
{
	size_t nr;
	uint8_t *whole;
	uint8_t *exact;

	take_three(sizeof(delta));
	nr = end();
	whole = malloc(nr);
	exact = malloc(text_bytes);
	memcpy(whole, delta, nr);
	for (size_t cut = 0; cut < nr; cut++)
		ASSERT_TRUE(!delta_decode(&writer.source, whole, cut, exact,
					  text_bytes));
	srand(2);
	for (int round = 0; round < 20000; round++) {
		size_t at = (size_t)rand() % nr;
		uint8_t was = whole[at];

		whole[at] = (uint8_t)rand();
		(void)delta_decode(&writer.source, whole, nr, exact,
				   text_bytes);
		whole[at] = was;
	}
	free(exact);
	free(whole);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
			test_delta_of_what_lies_in_the_source_is_its_place),
		cmocka_unit_test(test_delta_of_what_lies_elsewhere_is_it),
		cmocka_unit_test(test_delta_gives_the_text_again),
		cmocka_unit_test(test_delta_without_room_is_none),
		cmocka_unit_test(test_delta_that_is_damaged_is_refused),
	};

	return cmocka_run_group_tests_name("base/delta", tests, NULL, NULL);
}
