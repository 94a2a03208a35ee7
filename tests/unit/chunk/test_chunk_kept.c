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
	return (struct chunk_kept_of){
		.file_idx = file_idx,
		.bytes = (uint32_t)strlen(content),
		.hash = chunk_kept_hash((const uint8_t *)content,
					strlen(content), NULL, 0),
	};
}

static void
add(const struct chunk_kept_of *what, const void *text, size_t bytes,
    bool is_surveyed)
{
	const struct chunk_kept_parts parts = { .text = text,
						.signatures = &signatures,
						.state = "state" };
	const struct chunk_kept_text kept_text = {
		.bytes = (uint32_t)bytes,
		.signature_nr = signatures.nr,
		.line_end = 7,
		.state_bytes = 5,
		.is_surveyed = is_surveyed,
	};

	chunk_kept_add(&kept, what, &kept_text, &parts);
}

static void
test_kept_is_found_for_its_file_and_content(void **state)
{
	const struct chunk_kept_of one = of(3, "int f(void) { }\n");
	const struct chunk_kept_of other_file = of(4, "int f(void) { }\n");
	const struct chunk_kept_of changed = of(3, "int g(void) { }\n");
	const struct chunk_kept_of longer = of(3, "int f(void) { }\n\n");
	struct chunk_kept_of elsewhere = one;
	const void *scanner;
	const struct chunk_kept_text *found;

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
	assert_memory_equal(chunk_kept_get(&kept, found, &got, &scanner),
			    "int f(void)\n", 12);
	assert_memory_equal(scanner, "state", 5);
	ASSERT_EQ(got.nr, 2);
	assert_memory_equal(got.list, signatures.list, 2 * sizeof(got.list[0]));
	ASSERT_TRUE(chunk_kept_find(&kept, &other_file) == NULL);
	ASSERT_TRUE(chunk_kept_find(&kept, &changed) == NULL);
	ASSERT_TRUE(chunk_kept_find(&kept, &longer) == NULL);
	elsewhere.off = 100;
	ASSERT_TRUE(chunk_kept_find(&kept, &elsewhere) == NULL);
	elsewhere = one;
	elsewhere.line_first = 2;
	ASSERT_TRUE(chunk_kept_find(&kept, &elsewhere) == NULL);
	elsewhere = one;
	elsewhere.chunk_first = 1;
	ASSERT_TRUE(chunk_kept_find(&kept, &elsewhere) == NULL);
}

/* It follows another state: it is another text. */
static void
test_kept_hash_is_of_the_text_and_the_state_before_it(void **state)
{
	static const uint8_t text[] = "a text";
	uint64_t hash = chunk_kept_hash(text, 6, "one", 3);

	ASSERT_EQ(chunk_kept_hash(text, 6, "one", 3), hash);
	ASSERT_TRUE(chunk_kept_hash(text, 6, "two", 3) != hash);
	ASSERT_TRUE(chunk_kept_hash(text, 5, "one", 3) != hash);
	ASSERT_TRUE(chunk_kept_hash(text, 6, NULL, 0) != hash);
}

/* Which files of the same slot stand before it does not matter. */
static void
test_kept_of_many_files_are_told_apart(void **state)
{
	const struct chunk_kept_of late = of(1, "late");
	const void *scanner;
	char content[16];

	for (uint32_t i = 0; i < KEPT_SLOTS / 2; i++) {
		struct chunk_kept_of file;

		snprintf(content, sizeof(content), "file %u", i);
		file = of(i * KEPT_SLOTS, content);
		add(&file, content, strlen(content), false);
	}
	for (uint32_t i = 0; i < KEPT_SLOTS / 2; i++) {
		const struct chunk_kept_text *found;
		struct chunk_kept_of file;

		snprintf(content, sizeof(content), "file %u", i);
		file = of(i * KEPT_SLOTS, content);
		found = chunk_kept_find(&kept, &file);
		ASSERT_TRUE(found != NULL);
		assert_memory_equal(
			chunk_kept_get(&kept, found, &got, &scanner), content,
			strlen(content));
	}
	/* and that was all there is room for */
	add(&late, "a", 1, false);
	ASSERT_TRUE(chunk_kept_find(&kept, &late) == NULL);
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
		cmocka_unit_test_setup(
			test_kept_hash_is_of_the_text_and_the_state_before_it,
			setup),
		cmocka_unit_test_setup(test_kept_of_many_files_are_told_apart,
				       setup),
		cmocka_unit_test_setup(
			test_kept_of_a_large_survey_makes_room_for_what_is_written,
			setup),
	};

	return cmocka_run_group_tests_name("chunk/kept", tests, NULL, NULL);
}
