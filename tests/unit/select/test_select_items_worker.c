/* SPDX-License-Identifier: MIT */
/*
 * test_select_items.c - the items that the end of a plan is filled with: those
 * of a section side by side, the section of the best item first.
 */
#include "tests/support/test_shm.h"

#include "stages/select/select_plan_worker.h"

#define ITEMS 40

static bool
is_of_section(const struct top_place *a, const struct top_place *b)
{
	return a->file_idx == b->file_idx && a->unit == b->unit;
}

static uint32_t
front_of(const struct top_place *ranked, const struct top_place *place)
{
	uint32_t front = UINT32_MAX;

	for (uint32_t i = 0; i < ITEMS; i++)
		if (is_of_section(&ranked[i], place) && ranked[i].item < front)
			front = ranked[i].item;
	return front;
}

static bool
has_chunk_before(const struct top_place *ranked, const struct top_place *place)
{
	for (uint32_t i = 0; i < ITEMS; i++)
		if (is_of_section(&ranked[i], place) &&
		    ranked[i].chunk_idx + 1 == place->chunk_idx)
			return true;
	return false;
}

/* Chunks of a few files, each once; costs that tell them apart. */
static void
make_places(struct plan *plan, uint64_t *seed)
{
	bool is_there[4][30] = { { false } };

	for (uint32_t i = 0; i < ITEMS; i++) {
		uint32_t file = (uint32_t)(random_next(seed) % 4);
		uint32_t chunk = (uint32_t)(random_next(seed) % 30);

		while (is_there[file][chunk]) {
			chunk = (chunk + 1) % 30;
			file = (file + (chunk == 0)) % 4;
		}
		is_there[file][chunk] = true;
		plan->ranked[i] = (struct top_place){
			.chunk_idx = 100 * file + chunk,
			.file_idx = file / 2,
			.unit = file % 2 ? RANK_CHUNK : RANK_SIGNATURES,
			.item = i * 3,
			.costs = { .first = 1000 * i + 3,
				   .apart = 1000 * i + 2,
				   .beside = 1000 * i + 1 },
		};
	}
}

static void
test_items_of_a_section_stand_together_and_know_their_neighbours(void **state)
{
	struct plan *plan = calloc(1, sizeof(*plan));
	uint64_t seed = 0x17e35;

	ASSERT_TRUE(plan != NULL);
	for (int round = 0; round < 200; round++) {
		make_places(plan, &seed);
		plan_sort_items(plan, ITEMS);
		for (uint32_t i = 0; i < ITEMS; i++) {
			const struct top_place *place = &plan->places[i];
			const struct rank_item *item = &plan->items[i];
			bool beside = has_chunk_before(plan->ranked, place);

			ASSERT_EQ(item->section, front_of(plan->ranked, place));
			ASSERT_EQ(item->first, place->costs.first);
			ASSERT_EQ(item->apart, place->costs.apart);
			ASSERT_EQ(item->beside, beside ? place->costs.beside
						       : place->costs.apart);
			if (i == 0)
				continue;
			ASSERT_TRUE(item->section >= item[-1].section);
			if (item->section == item[-1].section)
				ASSERT_TRUE(place->chunk_idx >
					    place[-1].chunk_idx);
		}
	}
	free(plan);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
			test_items_of_a_section_stand_together_and_know_their_neighbours),
	};

	return cmocka_run_group_tests_name("select/items", tests, NULL, NULL);
}
