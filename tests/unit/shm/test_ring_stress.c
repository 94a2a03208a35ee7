/* SPDX-License-Identifier: MIT */
/*
 * test_shm_ring_stress.c - two threads on one ring, for long.
 *
 * Threads, not processes, because ThreadSanitizer sees one process only. The
 * number of items over all cases is RING_ITEMS of the environment; without it,
 * what takes some seconds, and three times as much with LONG=1. `RING_ITEMS=100000000 make MODE=tsan test-unit
 * T=ring_stress TIME_LIMIT=900` is the long form.
 */
#include "tests/support/test_shm.h"

#include <pthread.h>

#include "base/clock.h"
#include "catalogue/desc.h"
#include "tests/support/rounds.h"
#include "tests/support/test_ring.h"

#if defined(__SANITIZE_THREAD__) || defined(__SANITIZE_ADDRESS__) || \
	defined(BALE_DEBUG)
#define ITEMS_DEFAULT 400000
#else
#define ITEMS_DEFAULT 1800000
#endif

#define LOOK_NR 1024 /* items between two looks at the clock */
#define CASE_NS 700000000ull
#define LONG_TIMES 3
#define SPINS \
	(UNDER_TSAN ? 8 : 64) /* before the other one gets this processor */

enum pinning { PIN_NONE = 0, PIN_APART, PIN_TOGETHER, PINNING_NR };

static const struct {
	const char *name;
	uint64_t percent; /* of the items of a size */
} pinnings[PINNING_NR] = { { "unpinned", 45 },
			   { "pinned apart", 50 },
			   { "pinned together", 5 } };

struct stress {
	struct ring_shm *shm;
	uint64_t start;
	uint64_t item_nr;
	uint64_t
		until_ns; /* pushes no more then: a busy machine has done less */
	uint64_t pushed_nr;
	int cpu[2];     /* of producer and consumer; -1: any */
	uint64_t wrong; /* first item that was not right + 1, by the consumer */
	bool invalid;
};

static void
pin(int cpu)
{
	cpu_set_t set;

	if (cpu < 0)
		return;
	CPU_ZERO(&set);
	CPU_SET((size_t)cpu, &set);
	pthread_setaffinity_np(pthread_self(), sizeof(set), &set);
}

static uint64_t
word_of(uint64_t seq, uint64_t i)
{
	return (seq ^ i << 56) * 0x9e3779b97f4a7c15ull;
}

static void *
produce(void *arg)
{
	struct stress *stress = arg;
	struct ring ring;

	pin(stress->cpu[0]);
	if (ring_attach(&ring, stress->shm) != 0)
		abort();
	for (uint64_t seq = 0; seq < stress->item_nr; seq++) {
		if (seq % LOOK_NR == 0 && clock_now_ns() > stress->until_ns)
			break;
		union {
			struct desc desc;
			uint64_t words[8];
		} item;

		for (uint64_t i = 0; i < 8; i++)
			item.words[i] = word_of(seq, i);
		for (int n = 1; !ring_push(&ring, &item.desc); n++)
			if (n % SPINS == 0)
				sched_yield();
		stress->pushed_nr = seq + 1;
	}
	ring_close(&ring, 1);
	return NULL;
}

/* Takes what is there, checks each of its 64 bytes, gives it up at once. */
static uint64_t
consume_some(struct stress *stress, const struct ring *ring, uint64_t seq)
{
	uint64_t n = 0;
	union {
		struct desc desc;
		uint64_t words[8];
	} item;

	while (n < 16 && ring_peek(ring, n, &item.desc)) {
		for (uint64_t i = 0; i < 8; i++)
			if (item.words[i] != word_of(seq + n, i) &&
			    stress->wrong == 0)
				stress->wrong = seq + n + 1;
		n++;
	}
	return n;
}

static void *
consume(void *arg)
{
	struct stress *stress = arg;
	struct ring ring;
	uint64_t seq = 0;
	int idle = 0;

	pin(stress->cpu[1]);
	if (ring_attach(&ring, stress->shm) != 0)
		abort();
	for (;;) {
		bool closed = ring_is_closed(&ring, 1);
		uint64_t n = consume_some(stress, &ring, seq);

		if (n == 0 && closed)
			break;
		if (n == 0 && ++idle % SPINS == 0)
			sched_yield();
		if (n == 0)
			continue;
		seq += n;
		ring_pop_to(&ring, stress->start + seq);
	}
	/* closed behind the last of them, which is published by that */
	if (seq != stress->pushed_nr && stress->wrong == 0)
		stress->wrong = seq + 1;
	return NULL;
}

/* The two processors that a case wants; false: there are not enough. */
static bool
choose_cpus(enum pinning pinning, int cpu[2])
{
	cpu_set_t set;
	int found[2] = { -1, -1 };
	int n = 0;

	cpu[0] = cpu[1] = -1;
	if (pinning == PIN_NONE)
		return true;
	if (sched_getaffinity(0, sizeof(set), &set) != 0)
		return false;
	for (size_t i = 0; i < CPU_SETSIZE && n < 2; i++)
		if (CPU_ISSET(i, &set))
			found[n++] = (int)i;
	cpu[0] = found[0];
	cpu[1] = pinning == PIN_TOGETHER ? found[0] : found[1];
	return cpu[1] >= 0;
}

static uint64_t
items_in_all(void)
{
	const char *text = getenv("RING_ITEMS");

	return text != NULL ? strtoull(text, NULL, 10)
			    : ITEMS_DEFAULT * times_long(LONG_TIMES);
}

static void
run_stress(struct stress *stress, uint32_t entry_nr)
{
	pthread_t threads[2];
	struct ring ring;

	ring_init(stress->shm, entry_nr, stress->start);
	pthread_create(&threads[0], NULL, produce, stress);
	pthread_create(&threads[1], NULL, consume, stress);
	pthread_join(threads[0], NULL);
	pthread_join(threads[1], NULL);
	stress->invalid =
		ring_attach(&ring, stress->shm) != 0 || !ring_valid(&ring);
}

static void
stress_size(uint32_t entry_nr, uint64_t items)
{
	for (int p = 0; p < PINNING_NR; p++) {
		struct stress stress = {
			.start = UINT64_MAX - 1000,
			.item_nr = items / 100 * pinnings[p].percent,
			.until_ns = UINT64_MAX,
		};
		uint64_t begun = clock_now_ns();

		if (getenv("RING_ITEMS") == NULL)
			stress.until_ns =
				begun + CASE_NS * times_long(LONG_TIMES);

		if (!choose_cpus((enum pinning)p, stress.cpu)) {
			print_message("# %u entries, %s: left out\n", entry_nr,
				      pinnings[p].name);
			continue;
		}
		stress.shm =
			aligned_alloc(CACHE_LINE_BYTES, ring_bytes(entry_nr));
		assert_non_null(stress.shm);
		run_stress(&stress, entry_nr);
		free(stress.shm);
		print_message("# %u entries, %s: %llu items, %.0f ns each\n",
			      entry_nr, pinnings[p].name,
			      (unsigned long long)stress.pushed_nr,
			      (double)(clock_now_ns() - begun) /
				      (double)stress.pushed_nr);
		if (stress.wrong != 0)
			fail_msg("%u entries, %s: got another item, want %llu",
				 entry_nr, pinnings[p].name,
				 (unsigned long long)stress.wrong - 1);
		ASSERT_EQ(stress.invalid, false);
		/* over the wrap at the least */
		assert_true(stress.pushed_nr >=
			    min_u64(LOOK_NR, stress.item_nr));
	}
}

/* verifies: R1, R8, NFR-016-19 */
static void
test_ring_two_threads_over_the_wrap_keep_every_byte(void **state)
{
	static const struct {
		uint32_t entry_nr;
		uint32_t percent; /* of all items; a small ring is slow */
	} sizes[] = { { 1, 5 }, { 2, 10 }, { 3, 15 }, { 64, 70 } };

	for (size_t i = 0; i < ARRAY_LEN(sizes); i++)
		stress_size(sizes[i].entry_nr,
			    items_in_all() / 100 * sizes[i].percent);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
			test_ring_two_threads_over_the_wrap_keep_every_byte),
	};

	if (under_valgrind())
		return skip_all("valgrind runs one thread at a time");
	return cmocka_run_group_tests_name("shm/ring stress", tests, NULL,
					   NULL);
}
