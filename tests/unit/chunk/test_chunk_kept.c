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
static uint8_t text_got[sizeof(big)];
static uint8_t state_to_keep[10000];
static uint8_t state_got[sizeof(state_to_keep)];
static const struct chunk_kept_out out = { text_got, &got, state_got };

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
add(const struct chunk_kept_of *what, const char *content, const void *text,
    size_t bytes, bool is_surveyed)
{
	const struct chunk_kept_parts parts = {
		.content = (const uint8_t *)content,
		.text = text,
		.signatures = &signatures,
		.state = state_to_keep,
	};
	const struct chunk_kept_text kept_text = {
		.bytes = (uint32_t)bytes,
		.signature_nr = signatures.nr,
		.line_end = 7,
		.state_bytes = sizeof(state_to_keep),
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
	const struct chunk_kept_text *found;

	signatures.nr = 2;
	signatures.list[0].line = 11;
	signatures.list[1].off = 5;
	signatures.list[1].line = 12;
	signatures.list[1].is_public = true;
	add(&one, "int f(void) { }\n", "int f(void)\n", 12, true);
	found = chunk_kept_find(&kept, &one);
	ASSERT_TRUE(found != NULL);
	ASSERT_EQ(found->line_end, 7);
	ASSERT_EQ(found->bytes, 12);
	chunk_kept_get(&kept, found, (const uint8_t *)"int f(void) { }\n",
		       &out);
	assert_memory_equal(state_got, state_to_keep, sizeof(state_got));
	assert_memory_equal(text_got, "int f(void)\n", 12);
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
	char content[16];

	for (uint32_t i = 0; i < KEPT_SLOTS / 2; i++) {
		struct chunk_kept_of file;

		snprintf(content, sizeof(content), "file %u", i);
		file = of(i * KEPT_SLOTS, content);
		add(&file, content, "some text", 9, false);
	}
	for (uint32_t i = 0; i < KEPT_SLOTS / 2; i++) {
		const struct chunk_kept_text *found;
		struct chunk_kept_of file;

		snprintf(content, sizeof(content), "file %u", i);
		file = of(i * KEPT_SLOTS, content);
		found = chunk_kept_find(&kept, &file);
		ASSERT_TRUE(found != NULL);
		memset(text_got, 0, 9);
		chunk_kept_get(&kept, found, (const uint8_t *)content, &out);
		assert_memory_equal(text_got, "some text", 9);
	}
	/* and that was all there is room for */
	add(&late, "late", "a", 1, false);
	ASSERT_TRUE(chunk_kept_find(&kept, &late) == NULL);
}

/* Whatever they are: places need not be in order. */
static void
test_kept_places_are_those_that_were_added(void **state)
{
	const struct chunk_kept_of one = of(1, "one");
	const struct chunk_kept_text *found;

	srand(3);
	signatures.nr = 1000;
	for (uint32_t i = 0; i < signatures.nr; i++) {
		signatures.list[i].off = (uint32_t)rand() << (i % 3);
		signatures.list[i].line = (uint32_t)rand() << (i % 2);
		signatures.list[i].is_public = rand() % 2;
		signatures.list[i].has_body = rand() % 2;
	}
	add(&one, "one", "text", 4, false);
	found = chunk_kept_find(&kept, &one);
	ASSERT_TRUE(found != NULL);
	chunk_kept_get(&kept, found, (const uint8_t *)"one", &out);
	ASSERT_EQ(got.nr, signatures.nr);
	assert_memory_equal(got.list, signatures.list,
			    signatures.nr * sizeof(got.list[0]));
}

/* Mostly zero, or not at all. */
static void
test_kept_state_is_the_one_that_was_added(void **state)
{
	for (int zeros = 0; zeros < 8; zeros++) {
		const struct chunk_kept_of one = of((uint32_t)zeros, "one");
		const struct chunk_kept_text *found;

		for (size_t i = 0; i < sizeof(state_to_keep); i++)
			state_to_keep[i] =
				rand() % 8 < zeros ? 0 : (uint8_t)rand();
		add(&one, "one", "text", 4, false);
		found = chunk_kept_find(&kept, &one);
		ASSERT_TRUE(found != NULL);
		memset(state_got, 0xa5, sizeof(state_got));
		chunk_kept_get(&kept, found, (const uint8_t *)"one", &out);
		assert_memory_equal(state_got, state_to_keep,
				    sizeof(state_got));
	}
}

/* What its content has costs next to nothing, so that far more have room. */
static void
test_kept_texts_of_their_content_take_little_room(void **state)
{
	char content[4096] = "";

	for (int i = 0; strlen(content) < sizeof(content) - 40; i++)
		sprintf(content + strlen(content),
			"int f%d(int i, int j)\n{\n}\n", i);
	for (uint32_t i = 0; i < KEPT_SLOTS / 2; i++) {
		const struct chunk_kept_of file = of(i, content);

		add(&file, content, content, strlen(content), true);
	}
	ASSERT_TRUE(!kept.is_over);
	ASSERT_EQ(kept.text_nr, KEPT_SLOTS / 2);
	ASSERT_TRUE(kept.used < KEPT_SLOTS * 16);
}

/* A survey that is too large leaves nothing, and room for what is written. */
static void
test_kept_of_a_large_survey_makes_room_for_what_is_written(void **state)
{
	const struct chunk_kept_of first = of(1, "first");
	const struct chunk_kept_of second = of(2, "second");
	const struct chunk_kept_of third = of(3, "third");

	add(&first, "first", big, sizeof(big), true);
	ASSERT_TRUE(chunk_kept_find(&kept, &first) != NULL);
	add(&second, "second", big, sizeof(big), true);
	add(&third, "third", "3", 1, true);
	ASSERT_TRUE(chunk_kept_find(&kept, &first) == NULL);
	ASSERT_TRUE(chunk_kept_find(&kept, &second) == NULL);
	ASSERT_TRUE(chunk_kept_find(&kept, &third) == NULL);
	add(&second, "second", big, sizeof(big), false);
	add(&first, "first", big, sizeof(big), false);
	ASSERT_TRUE(chunk_kept_find(&kept, &second) != NULL);
	ASSERT_TRUE(chunk_kept_find(&kept, &first) == NULL);
}

static int
setup(void **state)
{
	memset(&kept, 0, sizeof(kept));
	memset(state_to_keep, 0, sizeof(state_to_keep));
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
			test_kept_places_are_those_that_were_added, setup),
		cmocka_unit_test_setup(
			test_kept_state_is_the_one_that_was_added, setup),
		cmocka_unit_test_setup(
			test_kept_texts_of_their_content_take_little_room,
			setup),
		cmocka_unit_test_setup(
			test_kept_of_a_large_survey_makes_room_for_what_is_written,
			setup),
	};

	return cmocka_run_group_tests_name("chunk/kept", tests, NULL, NULL);
}
