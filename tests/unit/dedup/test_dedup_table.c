/* SPDX-License-Identifier: MIT */
/*
 * test_dedup_table.c - the hash table of digests, against a list that is
 * searched from its start.
 */
#include "tests/support/test_shm.h"

#include "stages/dedup/dedup.h"

#define SLOTS 4096
#define DIGESTS (SLOTS / 2)

static uint64_t slots[SLOTS];
static uint8_t digests[DIGESTS][SHA256_BYTES];
static uint32_t digest_nr;

static struct dedup_table
empty_table(uint64_t slot_nr)
{
	memset(slots, 0, sizeof(slots));
	digest_nr = 0;
	return (struct dedup_table){ .slots = slots, .slot_nr = slot_nr };
}

/* As the worker does: the first that is the same, else it is put in. */
static uint32_t
find_or_add(struct dedup_table *table, const uint8_t *digest, bool *is_new)
{
	struct dedup_probe probe;
	uint32_t idx;
	uint64_t steps = 0;

	dedup_probe_init(&probe, table, digest);
	*is_new = false;
	while (dedup_probe_next(&probe, table, &idx)) {
		ASSERT_TRUE(idx < digest_nr);
		ASSERT_TRUE(steps++ < table->slot_nr);
		if (memcmp(digests[idx], digest, SHA256_BYTES) == 0)
			return idx;
	}
	*is_new = true;
	memcpy(digests[digest_nr], digest, SHA256_BYTES);
	dedup_add(&probe, table, digest_nr);
	return digest_nr++;
}

/*
 * Digests of few different values in what the table looks at: places, tags,
 * or both. Everything else is for the caller to compare.
 */
static void
make_digest(uint8_t *digest, uint64_t *seed, uint64_t places, uint32_t tags)
{
	uint64_t place = random_next(seed) % places;
	uint32_t tag = (uint32_t)(random_next(seed) % tags);

	for (size_t i = 0; i < SHA256_BYTES; i++)
		digest[i] = (uint8_t)(random_next(seed) % 2);
	memcpy(digest, &place, sizeof(place));
	memcpy(digest + sizeof(place), &tag, sizeof(tag));
}

/* verifies: FR-016-94, FR-016-95, AC-016c-021, AC-016c-023 */
static void
test_table_finds_what_a_list_finds(void **state)
{
	static const struct {
		uint64_t places;
		uint32_t tags;
	} cases[] = {
		{ UINT64_MAX, UINT32_MAX }, /* as it should be */
		{ 1, UINT32_MAX },          /* all in one place */
		{ UINT64_MAX, 1 },          /* the same tag */
		{ 3, 2 },                   /* and both */
		{ SLOTS, 1 },
	};
	static uint8_t made[DIGESTS][SHA256_BYTES];
	uint64_t seed = 0x5eed8;

	for (size_t c = 0; c < ARRAY_LEN(cases); c++) {
		struct dedup_table table = empty_table(SLOTS);

		for (uint32_t n = 0; n < DIGESTS; n++) {
			uint32_t before = digest_nr;
			bool is_new;
			uint32_t got;
			uint32_t want = 0;

			/* every third has been there before */
			if (n > 0 && n % 3 == 0)
				memcpy(made[n], made[random_next(&seed) % n],
				       SHA256_BYTES);
			else
				make_digest(made[n], &seed, cases[c].places,
					    cases[c].tags);
			while (want < digest_nr &&
			       memcmp(digests[want], made[n], SHA256_BYTES) !=
				       0)
				want++;
			got = find_or_add(&table, made[n], &is_new);
			if (got != want || is_new != (want == before))
				fail_msg("case %zu, digest %u: got %u, want %u",
					 c, n, got, want);
		}
	}
}

/* The search goes on at the start when it comes to the end. */
static void
test_table_search_goes_round_the_end(void **state)
{
	struct dedup_table table = empty_table(16);
	uint8_t digest[SHA256_BYTES] = { 0 };
	bool is_new;

	for (uint8_t i = 0; i < 8; i++) {
		digest[0] = 15; /* the last slot */
		digest[8] = i;
		ASSERT_EQ(find_or_add(&table, digest, &is_new), i);
		ASSERT_TRUE(is_new);
	}
	for (uint8_t i = 0; i < 8; i++) {
		digest[8] = i;
		ASSERT_EQ(find_or_add(&table, digest, &is_new), i);
		ASSERT_TRUE(!is_new);
	}
	for (size_t i = 16; i < SLOTS; i++)
		ASSERT_EQ(slots[i], 0);
}

/* Index and tag at the ends of their ranges. */
static void
test_table_keeps_great_indices_and_tags(void **state)
{
	static const uint32_t indices[] = { 0, 1, UINT32_MAX - 2 };
	static const uint8_t tags[] = { 0x00, 0x01, 0xff };

	for (size_t i = 0; i < ARRAY_LEN(indices); i++) {
		for (size_t t = 0; t < ARRAY_LEN(tags); t++) {
			struct dedup_table table = empty_table(16);
			uint8_t digest[SHA256_BYTES] = { 0 };
			struct dedup_probe probe;
			uint32_t got = 0;

			memset(digest + 8, tags[t], 4);
			dedup_probe_init(&probe, &table, digest);
			ASSERT_TRUE(!dedup_probe_next(&probe, &table, &got));
			dedup_add(&probe, &table, indices[i]);
			dedup_probe_init(&probe, &table, digest);
			ASSERT_TRUE(dedup_probe_next(&probe, &table, &got));
			ASSERT_EQ(got, indices[i]);
			ASSERT_TRUE(!dedup_probe_next(&probe, &table, &got));
		}
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_table_finds_what_a_list_finds),
		cmocka_unit_test(test_table_search_goes_round_the_end),
		cmocka_unit_test(test_table_keeps_great_indices_and_tags),
	};

	return cmocka_run_group_tests_name("dedup/table", tests, NULL, NULL);
}
