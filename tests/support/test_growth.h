/* SPDX-License-Identifier: MIT */
/*
 * test_growth.h - whether so many times the work takes as much longer as was
 * promised, on a machine that others keep busy as well.
 *
 * Does: compares the least processor time of each of two sizes, and tries both
 *       again while the larger one took too long: what disturbs a try is gone
 *       in another, and work that grows with the square is too slow in each.
 * Does not: fail a test for how long anything takes by itself.
 */
#ifndef TESTS_SUPPORT_TEST_GROWTH_H
#define TESTS_SUPPORT_TEST_GROWTH_H

#include <stdbool.h>
#include <stddef.h>
#include <time.h>

#define GROWTH_TRIES 8

struct growth {
	/* processor seconds for so much of the work */
	double (*seconds)(const void *work, size_t nr);
	const void *work;
	size_t small;
	size_t large;
	double times;     /* that large may take longer than small */
	double too_short; /* seconds: what takes no longer tells nothing */
};

/* Processor time of this process so far. */
static inline double
processor_seconds(void)
{
	struct timespec now;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
	return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* As promised in one try of GROWTH_TRIES. */
static inline bool
growth_is_within(const struct growth *growth)
{
	double small = 0;
	double large = 0;

	for (int i = 0; i < GROWTH_TRIES; i++) {
		double seconds = growth->seconds(growth->work, growth->large);

		large = i == 0 || seconds < large ? seconds : large;
		if (large <= growth->too_short)
			return true;
		seconds = growth->seconds(growth->work, growth->small);
		small = i == 0 || seconds < small ? seconds : small;
		if (large <= growth->times * small)
			return true;
	}
	return false;
}

#endif
