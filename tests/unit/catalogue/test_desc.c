/* SPDX-License-Identifier: MIT */
/*
 * test_shm_desc.c - which descriptors are let through, and the reasons.
 */
#include "tests/support/test_shm.h"

#include "catalogue/desc.h"
#include "shm/slab.h"

#define SLABS 4

/* A good descriptor of content; cases change one thing each. */
static struct desc
good_desc(void)
{
	return (struct desc){
		.kind = DESC_RUN,
		.flags = DESC_EMIT,
		.slab_idx = 1,
		.slab_off = 1000,
		.bytes = 500,
		.span_head = 10,
		.span_tail = 490,
	};
}

enum field {
	FIELD_NOTHING = 0,
	FIELD_KIND,
	FIELD_FLAGS,
	FIELD_REASON,
	FIELD_SLAB_IDX,
	FIELD_SLAB_OFF,
	FIELD_BYTES,
	FIELD_SPAN_HEAD,
	FIELD_SPAN_TAIL
};

static void
set_field(struct desc *desc, enum field field, uint32_t value)
{
	switch (field) {
	case FIELD_NOTHING:
		break;
	case FIELD_KIND:
		desc->kind = (uint8_t)value;
		break;
	case FIELD_FLAGS:
		desc->flags = (uint8_t)value;
		break;
	case FIELD_REASON:
		desc->reason = (uint8_t)value;
		break;
	case FIELD_SLAB_IDX:
		desc->slab_idx = value;
		break;
	case FIELD_SLAB_OFF:
		desc->slab_off = value;
		break;
	case FIELD_BYTES:
		desc->bytes = value;
		break;
	case FIELD_SPAN_HEAD:
		desc->span_head = value;
		break;
	case FIELD_SPAN_TAIL:
		desc->span_tail = value;
		break;
	}
}

/* verifies: R7 */
static void
test_desc_with_one_field_changed_is_let_through_or_not(void **state)
{
	static const struct {
		enum field field;
		uint32_t value;
		bool want;
	} cases[] = {
		/* what is written has content, what gives a slab back has one */
		{ FIELD_SLAB_IDX, SLAB_NONE, false },
		{ FIELD_NOTHING, 0, true },
		{ FIELD_KIND, DESC_NONE, false },
		{ FIELD_KIND, DESC_FILE, true },
		{ FIELD_KIND, DESC_SLAB, true },
		/* these lead to no slab */
		{ FIELD_KIND, DESC_LANE, false },
		{ FIELD_KIND, DESC_TERMS, false },
		{ FIELD_KIND, DESC_NAMES, false },
		{ FIELD_KIND, DESC_KIND_NR, false },
		{ FIELD_KIND, UINT8_MAX, false },
		{ FIELD_REASON, REASON_NR - 1, true },
		{ FIELD_REASON, REASON_NR, false },
		{ FIELD_REASON, UINT8_MAX, false },
		{ FIELD_SLAB_IDX, SLABS - 1, true },
		{ FIELD_SLAB_IDX, SLABS, false },
		{ FIELD_SLAB_IDX, SLAB_NONE - 1, false },
		{ FIELD_SLAB_OFF, SLAB_BYTES - 500, true },
		{ FIELD_SLAB_OFF, SLAB_BYTES - 499, false },
		{ FIELD_SLAB_OFF, SLAB_BYTES + 1, false },
		{ FIELD_SLAB_OFF, UINT32_MAX, false },
		{ FIELD_SLAB_OFF, UINT32_MAX - 499, false },
		{ FIELD_BYTES, SLAB_BYTES - 1000, true },
		{ FIELD_BYTES, SLAB_BYTES - 999, false },
		{ FIELD_BYTES, UINT32_MAX, false },
		{ FIELD_BYTES, UINT32_MAX - 999, false },
		/* the middle would end past all that it can become */
		{ FIELD_BYTES, 8, true },
		{ FIELD_BYTES, 7, false },
		{ FIELD_SPAN_HEAD, 490, true },
		{ FIELD_SPAN_HEAD, 491, false },
		{ FIELD_SPAN_HEAD, UINT32_MAX, false },
		{ FIELD_SPAN_TAIL, 500 * DESC_GROWTH_MAX, true },
		{ FIELD_SPAN_TAIL, 500 * DESC_GROWTH_MAX + 1, false },
		{ FIELD_SPAN_TAIL, 9, false },
		{ FIELD_SPAN_TAIL, UINT32_MAX, false },
	};

	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct desc desc = good_desc();
		bool got;

		set_field(&desc, cases[i].field, cases[i].value);
		got = desc_valid(&desc, SLABS, SLAB_BYTES, DESC_GROWTH_MAX);
		if (got != cases[i].want)
			fail_msg("field %d = %u: got %d, want %d",
				 cases[i].field, cases[i].value, got,
				 cases[i].want);
	}
}

static void
test_desc_without_content_cannot_release_it(void **state)
{
	struct desc desc = good_desc();

	desc.slab_idx = SLAB_NONE;
	desc.flags = DESC_SCAN | DESC_RELEASE;
	ASSERT_EQ(desc_valid(&desc, SLABS, SLAB_BYTES, DESC_GROWTH_MAX), false);
	desc.flags = DESC_SCAN;
	ASSERT_EQ(desc_valid(&desc, SLABS, SLAB_BYTES, DESC_GROWTH_MAX), true);
}

/* verifies: R7 */
static void
test_desc_without_a_slab_has_nothing_to_be_read(void **state)
{
	static const struct {
		uint8_t kind;
		uint8_t flags;
		uint32_t bytes;
		bool want;
	} cases[] = {
		{ DESC_LANE, 0, 0, true },
		{ DESC_WHOLE, DESC_SCAN, 0, true },
		{ DESC_WHOLE, DESC_SCAN, 1, false },
		{ DESC_PART, DESC_SCAN, 0, true },
		{ DESC_PART, DESC_EMIT, 1, false },
		{ DESC_RANGE, DESC_EMIT, 0, true },
		{ DESC_RANGE, DESC_EMIT, 1, false },
		/* facts on what has been looked at */
		{ DESC_RUN, DESC_SCAN, 500, true },
		{ DESC_RUN, DESC_EMIT, 0, true },
		{ DESC_RUN, DESC_EMIT, 500, false },
		{ DESC_FILE, DESC_SCAN, 500, true },
		{ DESC_FILE, DESC_EMIT, 500, true },
		{ DESC_SLAB, 0, 0, false },
		{ DESC_SLAB, DESC_EMIT, 0, false },
		{ DESC_NAMES, 0, 500, true },
	};

	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		const struct desc desc = { .kind = cases[i].kind,
					   .flags = cases[i].flags,
					   .slab_idx = SLAB_NONE,
					   .bytes = cases[i].bytes };

		if (desc_valid(&desc, SLABS, SLAB_BYTES, DESC_GROWTH_NONE) !=
		    cases[i].want)
			fail_msg("kind %u, flags %u, %u bytes: want %d",
				 cases[i].kind, cases[i].flags, cases[i].bytes,
				 cases[i].want);
	}
}

/* verifies: R7 */
static void
test_desc_of_terms_has_no_more_than_fit(void **state)
{
	static const struct {
		uint8_t nr;
		bool want;
	} cases[] = { { 0, true },
		      { TERMS_OF_RUN, true },
		      { TERMS_OF_RUN + 1, false },
		      { UINT8_MAX, false } };

	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		const struct desc_terms terms = { .kind = DESC_TERMS,
						  .slab_idx = SLAB_NONE,
						  .nr = cases[i].nr };
		struct desc desc;

		memcpy(&desc, &terms, sizeof(desc));
		ASSERT_EQ(
			desc_valid(&desc, SLABS, SLAB_BYTES, DESC_GROWTH_NONE),
			cases[i].want);
	}
}

/* The middle of what is written as it is lies in the content. verifies: R7 */
static void
test_desc_written_as_it_is_has_its_middle_in_its_content(void **state)
{
	struct desc desc = good_desc();

	desc.span_tail = desc.bytes;
	ASSERT_EQ(desc_valid(&desc, SLABS, SLAB_BYTES, DESC_GROWTH_NONE), true);
	desc.span_tail++;
	ASSERT_EQ(desc_valid(&desc, SLABS, SLAB_BYTES, DESC_GROWTH_NONE),
		  false);
	ASSERT_EQ(desc_valid(&desc, SLABS, SLAB_BYTES, DESC_GROWTH_MAX), true);
}

/*
 * Random bytes, and random bytes that are near enough to something good to be
 * let through often: whatever is let through points into the slabs.
 */
static struct desc
random_desc(uint64_t *seed)
{
	struct desc desc = good_desc();
	uint64_t words[8];

	for (size_t i = 0; i < ARRAY_LEN(words); i++)
		words[i] = random_next(seed);
	if (words[0] % 4 == 0) {
		memcpy(&desc, words, sizeof(desc));
		return desc;
	}
	desc.kind = (uint8_t)(words[1] % (DESC_KIND_NR + 1));
	desc.flags = (uint8_t)words[1] >> 2;
	desc.slab_idx = (uint32_t)(words[2] % (SLABS + 1));
	desc.slab_off = (uint32_t)words[3] % (SLAB_BYTES + 2);
	desc.bytes = (uint32_t)words[4] >> words[5] % 32;
	desc.span_head = (uint32_t)words[6] >> words[5] / 32 % 32;
	desc.span_tail = (uint32_t)words[7] >> words[5] / 1024 % 32;
	return desc;
}

/* verifies: R7 */
static void
test_desc_let_through_points_into_the_slabs(void **state)
{
	static uint8_t memory[1]; /* only its address is used */
	const struct slabs slabs = { .base = memory, .nr = SLABS };
	uint64_t seed = 7;
	int let_through = 0;

	for (int i = 0; i < 1000000; i++) {
		struct desc desc = random_desc(&seed);
		uintptr_t off;

		if (!desc_valid(&desc, SLABS, SLAB_BYTES, DESC_GROWTH_MAX))
			continue;
		let_through++;
		if (desc.slab_idx == SLAB_NONE) {
			if (desc.bytes == 0)
				ASSERT_TRUE(desc_content(&slabs, &desc) ==
					    memory);
			continue;
		}
		off = (uintptr_t)desc_content(&slabs, &desc) -
		      (uintptr_t)memory;
		ASSERT_TRUE(off / SLAB_BYTES == desc.slab_idx ||
			    desc.slab_off == SLAB_BYTES);
		ASSERT_TRUE(off + desc.bytes <=
			    (desc.slab_idx + 1ull) * SLAB_BYTES);
	}
	/* or nothing has been shown */
	ASSERT_TRUE(let_through > 10000);
}

static void
test_desc_as_a_file_shares_the_common_head(void **state)
{
	struct desc_file file = { .kind = DESC_FILE,
				  .flags = DESC_RELEASE,
				  .file_idx = 3,
				  .slab_idx = SLABS - 1,
				  .slab_off = 1,
				  .bytes = SLAB_BYTES };
	struct desc desc;

	memcpy(&desc, &file, sizeof(desc));
	ASSERT_EQ(desc_valid(&desc, SLABS, SLAB_BYTES, DESC_GROWTH_MAX), false);
	file.bytes--;
	/* a checksum is no span: any bytes are right there */
	memset(file.sha256, 0xff, sizeof(file.sha256));
	memcpy(&desc, &file, sizeof(desc));
	ASSERT_EQ(desc_valid(&desc, SLABS, SLAB_BYTES, DESC_GROWTH_MAX), true);
}

static void
test_reason_words_are_there_and_differ(void **state)
{
	for (int i = 0; i < REASON_NR; i++) {
		const char *text = reason_text((uint8_t)i);

		ASSERT_TRUE(text[0] != '\0');
		ASSERT_TRUE(reason_message((uint8_t)i)[0] != '\0');
		ASSERT_EQ(strspn(text, "abcdefghijklmnopqrstuvwxyz-"),
			  strlen(text));
		for (int j = 0; j < i; j++)
			assert_string_not_equal(text, reason_text((uint8_t)j));
	}
	assert_string_equal(reason_text(REASON_NR), "unknown");
	assert_string_equal(reason_text(UINT8_MAX), "unknown");
	assert_string_equal(reason_message(UINT8_MAX), "unknown reason");
}

static void
test_reason_of_what_went_wrong_degrades_the_run(void **state)
{
	ASSERT_EQ(reason_degrades(REASON_NONE), false);
	ASSERT_EQ(reason_degrades(REASON_BINARY), false);
	ASSERT_EQ(reason_degrades(REASON_BUDGET), false);
	ASSERT_EQ(reason_degrades(REASON_UNREADABLE), true);
	ASSERT_EQ(reason_degrades(REASON_POISON), true);
	ASSERT_EQ(reason_degrades(UINT8_MAX), false);
}

/* Only of signatures does the flag say so. */
static void
test_desc_of_signatures_may_be_numbered(void **state)
{
	const struct desc line = { .flags = DESC_SIGNATURE_LINE };
	const struct desc plain = { .flags = DESC_OUTLINE };
	const struct desc both = { .flags = DESC_OUTLINE | DESC_NUMBERED };

	assert_false(desc_is_numbered(&line));
	assert_false(desc_is_numbered(&plain));
	assert_true(desc_is_numbered(&both));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
			test_desc_with_one_field_changed_is_let_through_or_not),
		cmocka_unit_test(test_desc_without_content_cannot_release_it),
		cmocka_unit_test(
			test_desc_without_a_slab_has_nothing_to_be_read),
		cmocka_unit_test(test_desc_of_terms_has_no_more_than_fit),
		cmocka_unit_test(
			test_desc_written_as_it_is_has_its_middle_in_its_content),
		cmocka_unit_test(test_desc_let_through_points_into_the_slabs),
		cmocka_unit_test(test_desc_of_signatures_may_be_numbered),
		cmocka_unit_test(test_desc_as_a_file_shares_the_common_head),
		cmocka_unit_test(test_reason_words_are_there_and_differ),
		cmocka_unit_test(
			test_reason_of_what_went_wrong_degrades_the_run),
	};

	return cmocka_run_group_tests_name("shm/desc", tests, NULL, NULL);
}
