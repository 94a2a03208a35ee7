/* SPDX-License-Identifier: MIT */
/*
 * test_shm_ring.c - the ring, alone and against a queue in an array.
 *
 * What happens between two processors is in test_shm_ring_stress.c.
 */
#include "tests/support/test_shm.h"

#include "catalogue/desc.h"
#include "tests/support/test_ring.h"

#define ENTRIES_MAX 64
#define PASSES 300

static const uint32_t sizes[] = { 1, 2, 3, 5, 64 };

/* Just below the wrap, so that each test runs over it, and plain zero. */
static const uint64_t starts[] = {
	0, 1, UINT64_MAX, UINT64_MAX - 1, UINT64_MAX - 64, UINT64_MAX / 2
};

/* A ring in memory that children share. */
static struct ring_shm *shared;

static int
setup(void **state)
{
	shared = mmap(NULL, ring_bytes(ENTRIES_MAX), PROT_READ | PROT_WRITE,
		      MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	return shared == MAP_FAILED ? -1 : 0;
}

static int
teardown(void **state)
{
	return munmap(shared, ring_bytes(ENTRIES_MAX));
}

static struct ring
fresh_ring(uint32_t entry_nr, uint64_t start)
{
	struct ring ring;

	memset(shared, 0, ring_bytes(ENTRIES_MAX));
	ring_init(shared, entry_nr, start);
	if (ring_attach(&ring, shared) != 0)
		abort();
	return ring;
}

/* All 64 bytes tell which one it is. */
static struct desc
desc_of(uint64_t seq)
{
	struct desc desc;
	uint64_t words[8];

	for (uint64_t i = 0; i < ARRAY_LEN(words); i++)
		words[i] = (seq + i) * 0x9e3779b97f4a7c15ull;
	memcpy(&desc, words, sizeof(desc));
	return desc;
}

static bool
is_desc_of(const struct desc *desc, uint64_t seq)
{
	struct desc want = desc_of(seq);

	return memcmp(desc, &want, sizeof(want)) == 0;
}

static void
check_worked(uint32_t entry_nr, uint64_t start)
{
	struct ring ring = fresh_ring(entry_nr, start);
	struct desc desc;

	ASSERT_EQ(ring_room(&ring), entry_nr);
	ASSERT_EQ(ring_peek(&ring, 0, &desc), false);
	for (uint64_t i = 0; i < entry_nr; i++) {
		desc = desc_of(i);
		ASSERT_EQ(ring_push(&ring, &desc), true);
		ASSERT_TRUE(ring_valid(&ring));
	}
	ASSERT_EQ(ring_room(&ring), 0);
	desc = desc_of(99);
	ASSERT_EQ(ring_push(&ring, &desc), false);
	for (uint64_t i = 0; i < entry_nr; i++) {
		ASSERT_EQ(ring_peek(&ring, i, &desc), true);
		ASSERT_TRUE(is_desc_of(&desc, i));
	}
	ASSERT_EQ(ring_peek(&ring, entry_nr, &desc), false);
	ring_pop_to(&ring, start + entry_nr);
	ASSERT_EQ(ring_room(&ring), entry_nr);
	ASSERT_EQ(ring_tail(&ring), start + entry_nr);
	ASSERT_EQ(ring_head(&ring), start + entry_nr);
	ASSERT_TRUE(ring_valid(&ring));
}

static void
test_ring_filled_and_emptied_gives_what_was_put(void **state)
{
	for (size_t i = 0; i < ARRAY_LEN(sizes); i++)
		for (size_t j = 0; j < ARRAY_LEN(starts); j++)
			check_worked(sizes[i], starts[j]);
}

/* The queue that the ring has to be: numbers first..end-1 lie in it. */
struct model {
	uint64_t first;
	uint64_t end;
};

static void
check_against_model(uint32_t entry_nr, uint64_t start, uint64_t *seed)
{
	struct ring ring = fresh_ring(entry_nr, start);
	struct model model = { 0, 0 };

	for (int op = 0; op < 20000; op++) {
		uint64_t random = random_next(seed);
		uint64_t used = model.end - model.first;
		uint64_t n = (random >> 8) % (entry_nr + 1);
		struct desc desc = desc_of(model.end);

		switch (random % 4) {
		case 0:
			ASSERT_EQ(ring_push(&ring, &desc), used < entry_nr);
			model.end += used < entry_nr;
			break;
		case 1: /* again what was pushed before: nothing happens */
			n = min_u64(n, model.end);
			desc = desc_of(12345678);
			if (n > 0)
				ring_push_at(&ring, start + model.end - n,
					     &desc);
			break;
		case 2:
			n = min_u64(n, used);
			model.first += n;
			ring_pop_to(&ring, start + model.first);
			break;
		default:
			ASSERT_EQ(ring_peek(&ring, n, &desc), n < used);
			if (n < used)
				ASSERT_TRUE(is_desc_of(&desc, model.first + n));
		}
		ASSERT_TRUE(ring_valid(&ring));
		ASSERT_EQ(ring_tail(&ring) - ring_head(&ring),
			  model.end - model.first);
		ASSERT_EQ(ring_room(&ring),
			  entry_nr - (model.end - model.first));
	}
}

/* verifies: R1, R8 */
static void
test_ring_random_operations_match_a_queue(void **state)
{
	uint64_t seed = 1;

	for (size_t i = 0; i < ARRAY_LEN(sizes); i++)
		for (size_t j = 0; j < ARRAY_LEN(starts); j++)
			check_against_model(sizes[i], starts[j], &seed);
}

/* verifies: R3 */
static void
test_ring_push_at_a_published_position_changes_nothing(void **state)
{
	struct ring ring = fresh_ring(64, UINT64_MAX - 2);
	struct desc desc;

	for (uint64_t i = 0; i < 8; i++) {
		desc = desc_of(i);
		ring_push_at(&ring, UINT64_MAX - 2 + i, &desc);
	}
	ring_pop_to(&ring, UINT64_MAX); /* two of them */
	/* a replacement says all of it again, other words even */
	for (uint64_t i = 0; i < 8; i++) {
		desc = desc_of(1000 + i);
		ring_push_at(&ring, UINT64_MAX - 2 + i, &desc);
	}
	ASSERT_EQ(ring_tail(&ring), 5);
	for (uint64_t i = 0; i < 6; i++) {
		ASSERT_TRUE(ring_peek(&ring, i, &desc));
		ASSERT_TRUE(is_desc_of(&desc, 2 + i));
	}
	ASSERT_EQ(ring_peek(&ring, 6, &desc), false);
}

static void
child_pushes_over_a_gap(void *arg)
{
	struct ring ring = fresh_ring(4, 10);
	struct desc desc = desc_of(0);

	ring_push_at(&ring, 11, &desc);
}

static void
child_pushes_a_full_ring(void *arg)
{
	struct ring ring = fresh_ring(1, 10);
	struct desc desc = desc_of(0);

	ring_push_at(&ring, 10, &desc);
	ring_push_at(&ring, 11, &desc);
}

static void
child_pops_what_is_not_there(void *arg)
{
	struct ring ring = fresh_ring(4, 10);
	struct desc desc = desc_of(0);

	ring_push_at(&ring, 10, &desc);
	ring_pop_to(&ring, 12);
}

static void
child_pops_backwards(void *arg)
{
	struct ring ring = fresh_ring(4, 10);

	ring_pop_to(&ring, 9);
}

static void
child_peeks_where_the_head_is_rubbish(void *arg)
{
	struct ring ring = fresh_ring(4, 10);
	struct desc desc;

	atomic_store(&shared->head, 3);
	ring_peek(&ring, 0, &desc);
}

static void
child_pushes_where_the_head_is_rubbish(void *arg)
{
	struct ring ring = fresh_ring(4, 10);
	struct desc desc = desc_of(0);

	atomic_store(&shared->head, 11);
	ring_push(&ring, &desc);
}

/* verifies: R7, R8 */
static void
test_ring_misuse_and_rubbish_end_the_process(void **state)
{
	static const struct {
		const char *what;
		child_fn *fn;
	} cases[] = {
		{ "gap", child_pushes_over_a_gap },
		{ "full", child_pushes_a_full_ring },
		{ "pop too far", child_pops_what_is_not_there },
		{ "pop backwards", child_pops_backwards },
		{ "peek, head", child_peeks_where_the_head_is_rubbish },
		{ "push, head", child_pushes_where_the_head_is_rubbish },
	};

	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		int code = run_child(cases[i].fn, NULL);

		if (code != -SIGABRT)
			fail_msg("%s: got %d, want %d", cases[i].what, code,
				 -SIGABRT);
	}
}

/* verifies: R7 */
static void
test_ring_attach_to_rubbish_is_refused(void **state)
{
	static const struct {
		uint32_t entry_nr;
		uint32_t slot_nr;
		int want;
	} cases[] = {
		{ 1, 1, 0 },
		{ 2, 2, 0 },
		{ 3, 4, 0 },
		{ 64, 64, 0 },
		{ 0, 0, -EPROTO },
		{ 0, 1, -EPROTO },
		{ 3, 3, -EPROTO },
		{ 3, 2, -EPROTO },
		{ 3, 8, -EPROTO },
		{ 64, 63, -EPROTO },
		{ UINT32_MAX, UINT32_MAX, -EPROTO },
		{ (1u << 24) + 1, 1u << 25, -EPROTO },
		{ UINT32_MAX, 0, -EPROTO },
	};
	struct ring ring;

	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		int got;

		fresh_ring(64, 0);
		shared->entry_nr = cases[i].entry_nr;
		shared->slot_nr = cases[i].slot_nr;
		got = ring_attach(&ring, shared);
		if (got != cases[i].want)
			fail_msg("%u entries in %u slots: got %d, want %d",
				 cases[i].entry_nr, cases[i].slot_nr, got,
				 cases[i].want);
	}
}

/* verifies: R8 */
static void
test_ring_valid_sees_every_broken_field(void **state)
{
	struct ring ring = fresh_ring(3, UINT64_MAX);
	struct ring_shm good = *shared;

	ASSERT_TRUE(ring_valid(&ring));
	shared->entry_nr = 4;
	ASSERT_EQ(ring_valid(&ring), false);
	*shared = good;
	shared->slot_nr = 8;
	ASSERT_EQ(ring_valid(&ring), false);
	*shared = good;
	atomic_store(&shared->head, 0); /* past the tail */
	ASSERT_EQ(ring_valid(&ring), false);
	*shared = good;
	atomic_store(&shared->tail, 3); /* four entries in a ring of three */
	ASSERT_EQ(ring_valid(&ring), false);
	*shared = good;
	ASSERT_TRUE(ring_valid(&ring));
}

static void
child_dies_half_way_through_an_entry(void *arg)
{
	struct ring *ring = arg;
	uint64_t slot = ring_tail(ring) & ring->mask;

	/* what ring_push_at() has done when it is killed before the end */
	memset(&ring->slots[slot], 0xee, sizeof(struct desc) / 2);
	kill(getpid(), SIGKILL);
}

/* verifies: R1 */
static void
test_ring_entry_half_written_by_a_dead_one_is_not_there(void **state)
{
	struct ring ring = fresh_ring(2, UINT64_MAX);
	struct desc desc = desc_of(0);

	ASSERT_TRUE(ring_push(&ring, &desc));
	ASSERT_EQ(run_child(child_dies_half_way_through_an_entry, &ring),
		  -SIGKILL);
	ASSERT_TRUE(ring_valid(&ring));
	ASSERT_EQ(ring_peek(&ring, 1, &desc), false);
	/* and its replacement puts there what it should have been */
	desc = desc_of(1);
	ASSERT_TRUE(ring_push(&ring, &desc));
	for (uint64_t i = 0; i < 2; i++) {
		ASSERT_TRUE(ring_peek(&ring, i, &desc));
		ASSERT_TRUE(is_desc_of(&desc, i));
	}
}

static void
child_dies_with_two_entries_in_hand(void *arg)
{
	struct ring ring;
	struct desc desc;

	CHILD_CHECK(ring_attach(&ring, shared) == 0);
	CHILD_CHECK(ring_peek(&ring, 0, &desc));
	CHILD_CHECK(ring_peek(&ring, 1, &desc));
	kill(getpid(), SIGKILL);
}

/* verifies: R2 */
static void
test_ring_entries_held_by_a_dead_one_are_still_at_the_head(void **state)
{
	struct ring ring = fresh_ring(3, UINT64_MAX);
	struct desc desc;

	for (uint64_t i = 0; i < 3; i++) {
		desc = desc_of(i);
		ASSERT_TRUE(ring_push(&ring, &desc));
	}
	ASSERT_EQ(run_child(child_dies_with_two_entries_in_hand, NULL),
		  -SIGKILL);
	ASSERT_EQ(ring_room(&ring), 0); /* nobody may overwrite the lease */
	for (uint64_t i = 0; i < 3; i++) {
		ASSERT_TRUE(ring_peek(&ring, i, &desc));
		ASSERT_TRUE(is_desc_of(&desc, i));
	}
}

static void
test_ring_closed_counts_passes(void **state)
{
	struct ring ring = fresh_ring(3, 0);

	ASSERT_EQ(ring_is_closed(&ring, 1), false);
	ring_close(&ring, 1);
	ASSERT_EQ(ring_is_closed(&ring, 1), true);
	ASSERT_EQ(ring_is_closed(&ring, 2), false);
	ring_close(&ring, 2);
	ASSERT_EQ(ring_is_closed(&ring, 1), true);
	ASSERT_EQ(ring_is_closed(&ring, 2), true);
}

static void
child_pushes_and_closes(void *arg)
{
	struct ring ring;

	CHILD_CHECK(ring_attach(&ring, shared) == 0);
	for (uint64_t pass = 1; pass <= PASSES; pass++) {
		struct desc desc = desc_of(pass);

		for (int i = 0; i < 3; i++)
			while (!ring_push(&ring, &desc))
				sched_yield();
		ring_close(&ring, pass);
		/* the next pass begins when this one is seen to be over */
		while (ring_head(&ring) != ring_tail(&ring))
			sched_yield();
	}
}

/* Closed is seen only after the last entry: closed, then empty, is the end. */
static void
test_ring_closed_between_processes_hides_no_entry(void **state)
{
	struct ring ring = fresh_ring(2, UINT64_MAX - 10);
	pid_t pid = start_child(child_pushes_and_closes, NULL);
	uint64_t seen = 0;

	for (uint64_t pass = 1; pass <= PASSES; pass++) {
		for (;;) {
			bool closed = ring_is_closed(&ring, pass);
			struct desc desc;

			if (ring_peek(&ring, 0, &desc)) {
				ASSERT_TRUE(is_desc_of(&desc, pass));
				seen++;
				/* the third opens the next pass */
				if (seen % 3 == 0)
					break;
				ring_pop_to(&ring, ring_head(&ring) + 1);
			} else if (closed) {
				fail_msg("pass %d: got its end, want entry %d",
					 (int)pass, (int)(seen % 3));
			}
		}
		while (!ring_is_closed(&ring, pass))
			sched_yield();
		ring_pop_to(&ring, ring_head(&ring) + 1);
	}
	ASSERT_EQ(wait_for(pid), CHILD_OK);
	ASSERT_EQ(seen, 3 * PASSES);
}

static void
test_ring_bytes_hold_the_slots(void **state)
{
	ASSERT_EQ(ring_bytes(1), 3 * 64 + 64);
	ASSERT_EQ(ring_bytes(3), 3 * 64 + 4 * 64);
	ASSERT_EQ(ring_bytes(64), 3 * 64 + 64 * 64);
	ASSERT_EQ(ring_bytes(65), 3 * 64 + 128 * 64);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
			test_ring_filled_and_emptied_gives_what_was_put),
		cmocka_unit_test(test_ring_random_operations_match_a_queue),
		cmocka_unit_test(
			test_ring_push_at_a_published_position_changes_nothing),
		cmocka_unit_test(test_ring_misuse_and_rubbish_end_the_process),
		cmocka_unit_test(test_ring_attach_to_rubbish_is_refused),
		cmocka_unit_test(test_ring_valid_sees_every_broken_field),
		cmocka_unit_test(
			test_ring_entry_half_written_by_a_dead_one_is_not_there),
		cmocka_unit_test(
			test_ring_entries_held_by_a_dead_one_are_still_at_the_head),
		cmocka_unit_test(test_ring_closed_counts_passes),
		cmocka_unit_test(
			test_ring_closed_between_processes_hides_no_entry),
		cmocka_unit_test(test_ring_bytes_hold_the_slots),
	};

	return cmocka_run_group_tests_name("shm/ring", tests, setup, teardown);
}
