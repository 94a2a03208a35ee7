/* SPDX-License-Identifier: MIT */
/*
 * test_shm_wait.c - sleeping and waking: nothing lost, nobody for ever.
 */
#include "tests/support/test_shm.h"

#include <pthread.h>

#include "base/clock.h"
#include "shm/wait.h"

#define MS 1000000ull
#define LONG_NS (100000 * MS) /* nobody sleeps so long but by a lost wake */
#define ROUNDS (UNDER_TSAN ? 3000 : 10000)

/* Two sleepers and a word to wait for, in memory that children share. */
struct arena {
	struct wait_shm waits[2];
	_Atomic uint64_t turn;
};

static struct arena *arena;

static int
setup(void **state)
{
	arena = mmap(NULL, sizeof(*arena), PROT_READ | PROT_WRITE,
		     MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	return arena == MAP_FAILED ? -1 : 0;
}

static int
teardown(void **state)
{
	return munmap(arena, sizeof(*arena));
}

static struct wait_shm *
fresh_wait(void)
{
	memset(arena, 0, sizeof(*arena));
	ASSERT_EQ(wait_init(&arena->waits[0]), 0);
	ASSERT_EQ(wait_init(&arena->waits[1]), 0);
	return &arena->waits[0];
}

/* How long it slept. */
static uint64_t
sleep_for(struct wait_shm *wait, uint64_t bound_ns)
{
	uint64_t begun = clock_now_ns();

	wait_sleep(wait, bound_ns);
	return clock_now_ns() - begun;
}

/* verifies: R6 */
static void
test_wait_without_a_wake_ends_at_its_bound(void **state)
{
	static const uint64_t bounds[] = { 0, 1, 20 * MS, 1100 * MS };
	struct wait_shm *wait = fresh_wait();

	for (size_t i = 0; i < ARRAY_LEN(bounds); i++) {
		uint64_t slept;

		wait_prepare(wait);
		slept = sleep_for(wait, bounds[i]);
		ASSERT_TRUE(slept >= bounds[i]);
		ASSERT_TRUE(slept < LONG_NS);
		/* and it no longer says that it sleeps */
		ASSERT_EQ(atomic_load(&wait->sleeping), 0);
	}
}

/* verifies: R6 */
static void
test_wait_woken_before_it_sleeps_does_not_sleep(void **state)
{
	struct wait_shm *wait = fresh_wait();

	for (int i = 0; i < 100; i++) {
		wait_prepare(wait);
		wait_wake(wait);
		ASSERT_TRUE(sleep_for(wait, LONG_NS) < LONG_NS);
	}
}

static void
test_wait_woken_while_nobody_sleeps_leaves_nothing_behind(void **state)
{
	struct wait_shm *wait = fresh_wait();

	for (int i = 0; i < 1000; i++)
		wait_wake(wait);
	wait_prepare(wait);
	ASSERT_TRUE(sleep_for(wait, 20 * MS) >= 20 * MS);
}

static void
test_wait_cancelled_is_not_woken(void **state)
{
	struct wait_shm *wait = fresh_wait();
	int value = -1;

	wait_prepare(wait);
	wait_cancel(wait);
	wait_wake(wait);
	ASSERT_EQ(sem_getvalue(&wait->sem, &value), 0);
	ASSERT_EQ(value, 0);
}

/* Woken between prepare and cancel: one empty wake, not more. */
static void
test_wait_woken_before_it_cancels_wakes_once_for_nothing(void **state)
{
	struct wait_shm *wait = fresh_wait();

	wait_prepare(wait);
	wait_wake(wait);
	wait_wake(wait);
	wait_cancel(wait);
	wait_prepare(wait);
	ASSERT_TRUE(sleep_for(wait, LONG_NS) < LONG_NS);
	wait_prepare(wait);
	ASSERT_TRUE(sleep_for(wait, 20 * MS) >= 20 * MS);
}

static void
child_wakes(void *arg)
{
	while (atomic_load(&arena->waits[0].sleeping) == 0)
		sched_yield();
	wait_for_state(getppid(), 'S');
	wait_wake(&arena->waits[0]);
}

static void
test_wait_is_woken_by_another_process(void **state)
{
	struct wait_shm *wait = fresh_wait();
	pid_t pid = start_child(child_wakes, NULL);

	wait_prepare(wait);
	ASSERT_TRUE(sleep_for(wait, LONG_NS) < LONG_NS);
	ASSERT_EQ(wait_for(pid), CHILD_OK);
}

static void
child_takes_the_flag_and_dies(void *arg)
{
	/* what wait_wake() has done when it is killed half-way */
	atomic_exchange(&arena->waits[0].sleeping, 0);
	kill(getpid(), SIGKILL);
}

/* verifies: R6 */
static void
test_wait_whose_waker_died_half_way_ends_at_its_bound(void **state)
{
	struct wait_shm *wait = fresh_wait();
	uint64_t slept;

	wait_prepare(wait);
	ASSERT_EQ(run_child(child_takes_the_flag_and_dies, NULL), -SIGKILL);
	slept = sleep_for(wait, WAIT_BOUND_NS);
	ASSERT_TRUE(slept >= WAIT_BOUND_NS);
	ASSERT_TRUE(slept < LONG_NS);
}

static void
child_sleeps(void *arg)
{
	wait_prepare(&arena->waits[0]);
	wait_sleep(&arena->waits[0], LONG_NS);
}

static void
test_wait_of_a_dead_sleeper_serves_its_replacement(void **state)
{
	struct wait_shm *wait = fresh_wait();
	pid_t pid = start_child(child_sleeps, NULL);

	while (atomic_load(&wait->sleeping) == 0)
		sched_yield();
	kill(pid, SIGKILL);
	ASSERT_EQ(wait_for(pid), -SIGKILL);
	/* a wake for the dead one */
	wait_wake(wait);
	ASSERT_EQ(wait_init(wait), 0);
	pid = start_child(child_sleeps, NULL);
	while (atomic_load(&wait->sleeping) == 0)
		sched_yield();
	wait_wake(wait);
	ASSERT_EQ(wait_for(pid), CHILD_OK);
}

static void
on_alarm(int signo)
{
}

static void
child_sleeps_until_a_signal(void *arg)
{
	const struct sigaction action = { .sa_handler = on_alarm };
	const struct itimerval in_20_ms = { .it_value = { 0, 20000 } };

	sigaction(SIGALRM, &action, NULL);
	setitimer(ITIMER_REAL, &in_20_ms, NULL);
	wait_prepare(&arena->waits[0]);
	CHILD_CHECK(sleep_for(&arena->waits[0], LONG_NS) < LONG_NS);
}

/* verifies: NFR-016-40 */
static void
test_wait_is_ended_by_a_signal(void **state)
{
	fresh_wait();
	ASSERT_EQ(run_child(child_sleeps_until_a_signal, NULL), CHILD_OK);
}

/*
 * Two take turns; each sleeps whenever it is not its turn. A lost wake shows
 * as a sleep of LONG_NS, which no schedule of a busy machine makes.
 */
static uint64_t
ping_pong(unsigned int me)
{
	struct wait_shm *mine = &arena->waits[me];
	struct wait_shm *other = &arena->waits[1 - me];
	uint64_t longest = 0;

	for (uint64_t round = 0; round < ROUNDS; round++) {
		uint64_t want = 2 * round + me;

		while (atomic_load_explicit(&arena->turn,
					    memory_order_acquire) != want) {
			uint64_t slept = 0;

			wait_prepare(mine);
			if (atomic_load_explicit(&arena->turn,
						 memory_order_acquire) == want)
				wait_cancel(mine);
			else
				slept = sleep_for(mine, LONG_NS);
			longest = max_u64(longest, slept);
		}
		/* release, and not more: wait_wake() has to do the rest */
		atomic_store_explicit(&arena->turn, want + 1,
				      memory_order_release);
		wait_wake(other);
	}
	return longest;
}

static void *
ping_pong_thread(void *arg)
{
	*(uint64_t *)arg = ping_pong(1);
	return NULL;
}

/* verifies: R6 */
static void
test_wait_two_threads_in_turn_lose_no_wake(void **state)
{
	uint64_t longest[2];
	pthread_t thread;

	fresh_wait();
	pthread_create(&thread, NULL, ping_pong_thread, &longest[1]);
	longest[0] = ping_pong(0);
	pthread_join(thread, NULL);
	ASSERT_TRUE(longest[0] < LONG_NS);
	ASSERT_TRUE(longest[1] < LONG_NS);
	ASSERT_EQ(atomic_load(&arena->turn), 2 * ROUNDS);
}

static void
ping_pong_child(void *arg)
{
	CHILD_CHECK(ping_pong(1) < LONG_NS);
}

/* verifies: R6 */
static void
test_wait_two_processes_in_turn_lose_no_wake(void **state)
{
	pid_t pid;

	fresh_wait();
	pid = start_child(ping_pong_child, NULL);
	ASSERT_TRUE(ping_pong(0) < LONG_NS);
	ASSERT_EQ(wait_for(pid), CHILD_OK);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_wait_without_a_wake_ends_at_its_bound),
		cmocka_unit_test(
			test_wait_woken_before_it_sleeps_does_not_sleep),
		cmocka_unit_test(
			test_wait_woken_while_nobody_sleeps_leaves_nothing_behind),
		cmocka_unit_test(test_wait_cancelled_is_not_woken),
		cmocka_unit_test(
			test_wait_woken_before_it_cancels_wakes_once_for_nothing),
		cmocka_unit_test(test_wait_is_woken_by_another_process),
		cmocka_unit_test(
			test_wait_whose_waker_died_half_way_ends_at_its_bound),
		cmocka_unit_test(
			test_wait_of_a_dead_sleeper_serves_its_replacement),
		cmocka_unit_test(test_wait_is_ended_by_a_signal),
		cmocka_unit_test(test_wait_two_threads_in_turn_lose_no_wake),
		cmocka_unit_test(test_wait_two_processes_in_turn_lose_no_wake),
	};

	return cmocka_run_group_tests_name("shm/wait", tests, setup, teardown);
}
