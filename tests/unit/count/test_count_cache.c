/* SPDX-License-Identifier: MIT */
/*
 * The cache of counts against a list that is searched from end to end.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "stages/count/count.h"

#define MODEL_MAX 64
#define CONTENTS 200
#define STEPS 20000

/* What a cache of this size should hold, the newest first. */
struct model {
	uint32_t content[MODEL_MAX];
	uint32_t nr;
	uint32_t max;
};

static void
fingerprint_of(uint32_t content, uint8_t out[FINGERPRINT_BYTES])
{
	memset(out, 0, FINGERPRINT_BYTES);
	/* few buckets, so that chains are long */
	out[0] = (uint8_t)(content % 5);
	memcpy(out + 4, &content, sizeof(content));
}

static bool
model_use(struct model *model, uint32_t content)
{
	uint32_t i = 0;
	bool known;

	while (i < model->nr && model->content[i] != content)
		i++;
	known = i < model->nr;
	if (!known && model->nr < model->max)
		i = model->nr++;
	else if (!known)
		i = model->nr - 1;
	memmove(model->content + 1, model->content, i * sizeof(uint32_t));
	model->content[0] = content;
	return known;
}

/* verifies: FR-016-75, FR-016c-04, NFR-016-16, NFR-016-17, NFR-016-18 */
static void
test_count_cache_any_use_keeps_the_newest(void **state)
{
	static const uint32_t sizes[] = { 1, 2, 3, 7, 64 };

	(void)state;
	for (size_t s = 0; s < ARRAY_LEN(sizes); s++) {
		struct model model = { .max = sizes[s] };
		struct count_cache *cache = count_cache_create(sizes[s]);
		uint64_t hits = 0;
		uint32_t seed = 1;

		assert_non_null(cache);
		for (int i = 0; i < STEPS; i++) {
			uint8_t fingerprint[FINGERPRINT_BYTES];
			uint32_t content;
			uint32_t tokens = 0;
			bool known;

			seed = seed * 1103515245u + 12345u;
			/* some come back more often than others */
			content = (seed >> 16) % CONTENTS;
			content = content * content / CONTENTS;
			fingerprint_of(content, fingerprint);
			known = model_use(&model, content);
			hits += known;
			assert_int_equal(
				count_cache_find(cache, fingerprint, &tokens),
				known);
			if (known)
				assert_int_equal(tokens, content * 3);
			else
				count_cache_add(cache, fingerprint,
						content * 3);
		}
		assert_int_equal(cache->hits, hits);
		assert_int_equal(cache->misses, STEPS - hits);
		assert_int_equal(cache->evictions,
				 cache->misses - cache->entry_nr);
		free(cache);
	}
}

/*
 * What is one too many costs the entry that was used the longest ago.
 * verifies: FR-016c-51, FR-016c-52, AC-016c-009
 */
static void
test_count_cache_of_ten_thousand_gives_up_the_oldest(void **state)
{
	const uint32_t max = 10000;
	struct count_cache *cache = count_cache_create(max);
	uint8_t fingerprint[FINGERPRINT_BYTES];
	uint32_t tokens;

	(void)state;
	assert_non_null(cache);
	for (uint32_t i = 0; i < max; i++) {
		fingerprint_of(i, fingerprint);
		count_cache_add(cache, fingerprint, i);
	}
	assert_int_equal(cache->evictions, 0);
	fingerprint_of(0, fingerprint); /* used: now 1 is the oldest */
	assert_true(count_cache_find(cache, fingerprint, &tokens));
	fingerprint_of(max, fingerprint);
	count_cache_add(cache, fingerprint, max);
	assert_int_equal(cache->evictions, 1);
	for (uint32_t i = 0; i <= max; i++) {
		fingerprint_of(i, fingerprint);
		assert_int_equal(count_cache_find(cache, fingerprint, &tokens),
				 i != 1);
		if (i != 1)
			assert_int_equal(tokens, i);
	}
	free(cache);
}

static void
test_count_cache_of_no_entries_keeps_nothing(void **state)
{
	uint8_t fingerprint[FINGERPRINT_BYTES] = { 1 };
	struct count_cache *cache = count_cache_create(0);
	uint32_t tokens;

	(void)state;
	assert_non_null(cache);
	count_cache_add(cache, fingerprint, 1);
	assert_false(count_cache_find(cache, fingerprint, &tokens));
	free(cache);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_count_cache_any_use_keeps_the_newest),
		cmocka_unit_test(
			test_count_cache_of_ten_thousand_gives_up_the_oldest),
		cmocka_unit_test(test_count_cache_of_no_entries_keeps_nothing),
	};

	return cmocka_run_group_tests_name("count/cache", tests, NULL, NULL);
}
