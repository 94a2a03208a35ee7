/* SPDX-License-Identifier: MIT */
/*
 * test_supervisor_liveness.c - who is stuck, and who is only kept waiting.
 *
 * Hours pass by the argument of a look, not by the clock: no test here waits
 * for time, and none depends on how fast the machine is.
 */
#include "tests/support/test_shm.h"

#include "base/base.h"
#include "supervisor/liveness.h"

#define S 1000000000ull
#define LIMIT (30 * S)
#define LOOK (S / 20)

/* One state of a worker at each look; R: with so much processor time. */
struct look {
	char state;
	uint64_t cpu_ns;
	uint64_t faults;
};

/* Looks, again and again, until it is stuck: how long that took. */
static uint64_t
stuck_after(const struct look *each, uint64_t looks_max)
{
	struct process_use use = { .state = each->state };
	struct liveness liveness;
	uint64_t i;

	liveness_begin(&liveness, 0);
	for (i = 0; i < looks_max && !liveness_is_stuck(&liveness, LIMIT);
	     i++) {
		use.cpu_ns += each->cpu_ns;
		use.faults += each->faults;
		liveness_count(&liveness, LOOK, &use);
	}
	return i * LOOK;
}

/* verifies: NFR-016-41 */
static void
test_liveness_counts_what_a_worker_could_have_used(void **state)
{
	static const struct {
		const char *name;
		struct look look;
		uint64_t seconds; /* until it is stuck */
	} cases[] = {
		{ "stopped", { 'T', 0, 0 }, 30 },
		{ "asleep", { 'S', 0, 0 }, 30 },
		{ "asleep in the kernel", { 'D', 0, 0 }, 30 },
		{ "computes all the time", { 'R', LOOK, 0 }, 30 },
		{ "gets half a processor", { 'R', LOOK / 2, 0 }, 60 },
		{ "gets a tenth of it", { 'R', LOOK / 10, 0 }, 300 },
		{ "waits for its pages", { 'D', LOOK / 5, 3 }, 150 },
		/* never longer than so many limits */
		{ "gets no processor", { 'R', 0, 0 }, 30 * LIVENESS_PATIENCE },
		{ "reads pages for ever",
		  { 'D', 0, 1 },
		  30 * LIVENESS_PATIENCE },
	};

	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		uint64_t want = cases[i].seconds * S;
		uint64_t got = stuck_after(&cases[i].look, 1u << 20);

		/* the first look and a second of rounding */
		if (got + S < want || got > want + S)
			fail_msg("%s: stuck after %llu ms, want %llu ms",
				 cases[i].name,
				 (unsigned long long)got / 1000000,
				 (unsigned long long)want / 1000000);
	}
}

static void
test_liveness_of_a_worker_that_beats_is_as_new(void **state)
{
	const struct process_use stopped = { .state = 'T' };
	struct liveness liveness;

	liveness_begin(&liveness, 7);
	for (int i = 0; i < 100; i++) {
		liveness_count(&liveness, LIMIT - 1, &stopped);
		ASSERT_TRUE(!liveness_is_stuck(&liveness, LIMIT));
		liveness_look(&liveness, 8 + (uint64_t)i, LIMIT, getpid());
		ASSERT_EQ(liveness.used_ns, 0);
		ASSERT_EQ(liveness.silent_ns, 0);
	}
}

/* Where /proc does not say, the clock has to do. */
static void
test_liveness_of_a_process_that_is_not_known_goes_by_the_clock(void **state)
{
	struct liveness liveness;
	struct process_use use;

	ASSERT_TRUE(!process_use(INT32_MAX, &use));
	liveness_begin(&liveness, 0);
	for (int i = 0; i < 31; i++) {
		ASSERT_TRUE(!liveness_is_stuck(&liveness, LIMIT));
		liveness_look(&liveness, 0, S, INT32_MAX);
	}
	ASSERT_TRUE(liveness_is_stuck(&liveness, LIMIT));
}

static void
child_spins(void *arg)
{
	for (;;)
		*(volatile int *)arg += 1;
}

static void
child_stops(void *arg)
{
	/* a name that looks like the fields behind it */
	prctl(PR_SET_NAME, "a) S 1 2 3 4");
	raise(SIGSTOP);
}

static void
child_sleeps(void *arg)
{
	pause();
}

/* Ten looks, an hour after each other: the hours that were counted. */
static uint64_t
hours_of(pid_t pid)
{
	struct liveness liveness;

	liveness_begin(&liveness, 0);
	for (int i = 0; i < 10; i++)
		liveness_look(&liveness, 0, 3600 * S, pid);
	ASSERT_EQ(liveness.silent_ns, 36000 * S);
	return liveness.used_ns / (3600 * S);
}

static void
end_child(pid_t pid)
{
	kill(pid, SIGKILL);
	ASSERT_EQ(wait_for(pid), -SIGKILL);
}

/* verifies: NFR-016-41 */
static void
test_liveness_of_processes_is_what_the_kernel_says(void **state)
{
	int counter = 0;
	pid_t spins = start_child(child_spins, &counter);
	pid_t stops = start_child(child_stops, NULL);
	pid_t sleeps = start_child(child_sleeps, NULL);

	wait_for_state(spins, 'R');
	wait_for_state(stops, 'T');
	wait_for_state(sleeps, 'S');
	/* two looks before its processor time is known */
	ASSERT_EQ(hours_of(spins), 2);
	ASSERT_EQ(hours_of(stops), 10);
	ASSERT_EQ(hours_of(sleeps), 10);
	ASSERT_TRUE(!process_is_in_kernel(spins));
	ASSERT_TRUE(!process_is_in_kernel(stops));
	ASSERT_TRUE(process_is_in_kernel(sleeps));
	end_child(spins);
	end_child(stops);
	end_child(sleeps);
}

static void
test_process_use_counts_time_and_pages(void **state)
{
	struct process_use before;
	struct process_use now;
	size_t bytes = 64 * (size_t)sysconf(_SC_PAGESIZE);
	char *pages = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
			   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	ASSERT_TRUE(pages != MAP_FAILED);
	madvise(pages, bytes, MADV_NOHUGEPAGE);
	ASSERT_TRUE(process_use(getpid(), &before));
	memset(pages, 1, bytes);
	do
		ASSERT_TRUE(process_use(getpid(), &now));
	while (now.cpu_ns < before.cpu_ns + S / 20);
	ASSERT_EQ(now.state, 'R');
	ASSERT_TRUE(now.faults >= before.faults + 64);
	munmap(pages, bytes);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
			test_liveness_counts_what_a_worker_could_have_used),
		cmocka_unit_test(
			test_liveness_of_a_worker_that_beats_is_as_new),
		cmocka_unit_test(
			test_liveness_of_a_process_that_is_not_known_goes_by_the_clock),
		cmocka_unit_test(
			test_liveness_of_processes_is_what_the_kernel_says),
		cmocka_unit_test(test_process_use_counts_time_and_pages),
	};

	return cmocka_run_group_tests_name("supervisor/liveness", tests, NULL,
					   NULL);
}
