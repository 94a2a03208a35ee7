/* SPDX-License-Identifier: MIT */
/*
 * test_chunk_kept.c - signatures that are kept from pass to pass.
 */
#include "tests/support/test_shm.h"

#include "stages/chunk/chunk_kept.h"

static struct chunk_kept kept;
static struct lang_signatures signatures;
static struct lang_signatures got;
static uint8_t big[KEPT_BYTES / 2 + 1];

static struct chunk_kept_of
of(uint32_t file_idx, const char *content)
{
	return (struct chunk_kept_of){ file_idx, (const uint8_t *)content,
				       strlen(content) };
}

static void
add(const struct chunk_kept_of *what, const void *text, size_t bytes,
    bool is_surveyed)
{
	const struct chunk_kept_file file = {
		.bytes = (uint32_t)bytes,
		.signature_nr = signatures.nr,
		.line_end = 7,
		.is_surveyed = is_surveyed,
	};

	chunk_kept_add(&kept, what, &file, text, &signatures);
}

static void
test_kept_is_found_for_its_file_and_content(void **state)
{
	const struct chunk_kept_of one = of(3, "int f(void) { }\n");
	const struct chunk_kept_of other_file = of(4, "int f(void) { }\n");
	const struct chunk_kept_of changed = of(3, "int g(void) { }\n");
	const struct chunk_kept_of longer = of(3, "int f(void) { }\n\n");
	const struct chunk_kept_file *found;

	signatures.nr = 2;
	signatures.list[0].line = 11;
	signatures.list[1].off = 5;
	signatures.list[1].line = 12;
	signatures.list[1].is_public = true;
	add(&one, "int f(void)\n", 12, true);
	found = chunk_kept_find(&kept, &one);
	ASSERT_TRUE(found != NULL);
	ASSERT_EQ(found->line_end, 7);
	ASSERT_EQ(found->bytes, 12);
	assert_memory_equal(chunk_kept_text(&kept, found, &got),
			    "int f(void)\n", 12);
	ASSERT_EQ(got.nr, 2);
	assert_memory_equal(got.list, signatures.list,
			    2 * sizeof(got.list[0]));
	ASSERT_TRUE(chunk_kept_find(&kept, &other_file) == NULL);
	ASSERT_TRUE(chunk_kept_find(&kept, &changed) == NULL);
	ASSERT_TRUE(chunk_kept_find(&kept, &longer) == NULL);
}

/* Which files of the same slot stand before it does not matter. */
static void
test_kept_of_many_files_are_told_apart(void **state)
{
	char content[16];

	for (uint32_t i = 0; i < KEPT_SLOTS / 2; i++) {
		struct chunk_kept_of file;

		snprintf(content, sizeof(content), "file %u", i);
		file = of(i * KEPT_SLOTS, content);
		add(&file, content, strlen(content), false);
	}
	for (uint32_t i = 0; i < KEPT_SLOTS / 2; i++) {
		const struct chunk_kept_file *found;
		struct chunk_kept_of file;

		snprintf(content, sizeof(content), "file %u", i);
		file = of(i * KEPT_SLOTS, content);
		found = chunk_kept_find(&kept, &file);
		ASSERT_TRUE(found != NULL);
		assert_memory_equal(chunk_kept_text(&kept, found, &got),
				    content, strlen(content));
	}
	/* and that was all there is room for */
	add(&(struct chunk_kept_of){ 1, big, 1 }, "a", 1, false);
	ASSERT_TRUE(chunk_kept_find(&kept, &(struct chunk_kept_of){
						   1, big, 1 }) == NULL);
}

/* A survey that is too large leaves nothing, and room for what is written. */
static void
test_kept_of_a_large_survey_makes_room_for_what_is_written(void **state)
{
	const struct chunk_kept_of first = of(1, "first");
	const struct chunk_kept_of second = of(2, "second");
	const struct chunk_kept_of third = of(3, "third");

	add(&first, big, sizeof(big), true);
	ASSERT_TRUE(chunk_kept_find(&kept, &first) != NULL);
	add(&second, big, sizeof(big), true);
	add(&third, "3", 1, true);
	ASSERT_TRUE(chunk_kept_find(&kept, &first) == NULL);
	ASSERT_TRUE(chunk_kept_find(&kept, &second) == NULL);
	ASSERT_TRUE(chunk_kept_find(&kept, &third) == NULL);
	add(&second, big, sizeof(big), false);
	add(&first, big, sizeof(big), false);
	ASSERT_TRUE(chunk_kept_find(&kept, &second) != NULL);
	ASSERT_TRUE(chunk_kept_find(&kept, &first) == NULL);
}

static int
setup(void **state)
{
	memset(&kept, 0, sizeof(kept));
	memset(&signatures, 0, sizeof(signatures));
	return 0;
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(
			test_kept_is_found_for_its_file_and_content, setup),
		cmocka_unit_test_setup(test_kept_of_many_files_are_told_apart,
				       setup),
		cmocka_unit_test_setup(
			test_kept_of_a_large_survey_makes_room_for_what_is_written,
			setup),
	};

	return cmocka_run_group_tests_name("chunk/kept", tests, NULL, NULL);
}
