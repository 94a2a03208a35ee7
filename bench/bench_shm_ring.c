/* SPDX-License-Identifier: MIT */
/*
 * bench_shm_ring.c - what it costs to hand a descriptor on.
 *
 * Items a second through one ring, between two threads and between two
 * processes, popped one by one and in batches; and the round trip of a wake,
 * there and back, when both sides sleep. The best of three.
 */
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bench/bench_clock.h"
#include "catalogue/desc.h"
#include "tests/support/test_ring.h"
#include "shm/wait.h"

#define ITEMS 5000000
#define TURNS 50000
#define ROUNDS 3
#define SPINS 64
#define ENTRIES_MAX 8192

struct arena {
	struct wait_shm waits[2];
	_Atomic uint64_t turn;
	uint8_t pad[CACHE_LINE_BYTES - 8];
	struct ring_shm ring;
	struct desc slots[ENTRIES_MAX];
};

static struct arena *arena;
static uint64_t batch; /* entries popped at once */

static void
step_aside(int *idle)
{
	if (++*idle % SPINS == 0)
		sched_yield();
}

static void *
produce(void *arg)
{
	struct desc desc = { .kind = DESC_RUN, .slab_idx = SLAB_NONE };
	struct ring ring;
	int idle = 0;

	(void)arg;
	if (ring_attach(&ring, &arena->ring) != 0)
		abort();
	for (uint32_t i = 0; i < ITEMS; i++) {
		desc.file_idx = i;
		while (!ring_push(&ring, &desc))
			step_aside(&idle);
	}
	return NULL;
}

static void
consume(void)
{
	struct ring ring;
	uint64_t taken = 0;
	int idle = 0;

	if (ring_attach(&ring, &arena->ring) != 0)
		abort();
	while (taken < ITEMS) {
		struct desc desc;
		uint64_t n = 0;

		while (n < batch && ring_peek(&ring, n, &desc)) {
			if (desc.file_idx != (uint32_t)(taken + n))
				abort();
			n++;
		}
		if (n == 0) {
			step_aside(&idle);
			continue;
		}
		taken += n;
		ring_pop_to(&ring, taken);
	}
}

static void *
answer(void *arg)
{
	(void)arg;
	for (uint64_t i = 0; i < TURNS; i++) {
		while (atomic_load_explicit(&arena->turn,
					    memory_order_acquire) !=
		       2 * i + 1) {
			wait_prepare(&arena->waits[1]);
			if (atomic_load_explicit(&arena->turn,
						 memory_order_acquire) ==
			    2 * i + 1)
				wait_cancel(&arena->waits[1]);
			else
				wait_sleep(&arena->waits[1], WAIT_BOUND_NS);
		}
		atomic_store_explicit(&arena->turn, 2 * i + 2,
				      memory_order_release);
		wait_wake(&arena->waits[0]);
	}
	return NULL;
}

static void
ask(void)
{
	for (uint64_t i = 0; i < TURNS; i++) {
		atomic_store_explicit(&arena->turn, 2 * i + 1,
				      memory_order_release);
		wait_wake(&arena->waits[1]);
		while (atomic_load_explicit(&arena->turn,
					    memory_order_acquire) !=
		       2 * i + 2) {
			wait_prepare(&arena->waits[0]);
			if (atomic_load_explicit(&arena->turn,
						 memory_order_acquire) ==
			    2 * i + 2)
				wait_cancel(&arena->waits[0]);
			else
				wait_sleep(&arena->waits[0], WAIT_BOUND_NS);
		}
	}
}

/* Seconds for both sides to end: `here` in this thread, `there` beside it. */
static double
both(void *(*there)(void *), void (*here)(void), bool as_process)
{
	double begun = now_s();
	pthread_t thread;
	pid_t pid = 0;

	if (!as_process) {
		if (pthread_create(&thread, NULL, there, NULL) != 0)
			abort();
	} else if ((pid = fork()) == 0) {
		there(NULL);
		_exit(0);
	}
	here();
	if (as_process)
		waitpid(pid, NULL, 0);
	else
		pthread_join(thread, NULL);
	return now_s() - begun;
}

static void
bench_items(uint32_t entry_nr, uint64_t batch_nr, bool as_process)
{
	double best = 1e9;

	batch = batch_nr;
	for (int i = 0; i < ROUNDS; i++) {
		double s;

		ring_init(&arena->ring, entry_nr, 0);
		s = both(produce, consume, as_process);
		best = s < best ? s : best;
	}
	printf("%-9s  %5u entries, batches of %3u  %7.2f M items/s  %6.1f ns\n",
	       as_process ? "processes" : "threads", entry_nr,
	       (unsigned int)batch_nr, ITEMS / best / 1e6, best / ITEMS * 1e9);
}

static void
bench_wakes(bool as_process)
{
	double best = 1e9;

	for (int i = 0; i < ROUNDS; i++) {
		double s;

		atomic_store(&arena->turn, 0);
		if (wait_init(&arena->waits[0]) != 0 ||
		    wait_init(&arena->waits[1]) != 0)
			abort();
		s = both(answer, ask, as_process);
		best = s < best ? s : best;
	}
	printf("%-9s  wake there and back  %6.2f us\n",
	       as_process ? "processes" : "threads", best / TURNS * 1e6);
}

int
main(void)
{
	static const struct {
		uint32_t entry_nr;
		uint64_t batch;
	} cases[] = { { 64, 1 }, { 1024, 1 }, { 1024, 32 }, { 8192, 64 } };

	arena = mmap(NULL, sizeof(*arena), PROT_READ | PROT_WRITE,
		     MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (arena == MAP_FAILED)
		return 1;
	memset(arena, 0, sizeof(*arena));
	for (int as_process = 0; as_process < 2; as_process++) {
		for (size_t i = 0; i < ARRAY_LEN(cases); i++)
			bench_items(cases[i].entry_nr, cases[i].batch,
				    as_process != 0);
		bench_wakes(as_process != 0);
	}
	return 0;
}
