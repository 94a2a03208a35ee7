/* SPDX-License-Identifier: MIT */
/*
 * clock.h - clocks, in nanoseconds.
 */
#ifndef BASE_CLOCK_H
#define BASE_CLOCK_H

#include <stdint.h>
#include <time.h>

#define NS_PER_MS 1000000ull
#define NS_PER_S 1000000000ull

/* The time of a clock of clock_gettime(2); 0: there is no such clock. */
static inline uint64_t
clock_read_ns(clockid_t clock)
{
	struct timespec t;

	if (clock_gettime(clock, &t) != 0)
		return 0;
	return (uint64_t)t.tv_sec * NS_PER_S + (uint64_t)t.tv_nsec;
}

/* A monotonic time, unaffected by changes of the system time. */
static inline uint64_t
clock_now_ns(void)
{
	return clock_read_ns(CLOCK_MONOTONIC);
}

/* The system time since 1970. */
static inline uint64_t
clock_wall_ms(void)
{
	return clock_read_ns(CLOCK_REALTIME) / NS_PER_MS;
}

#endif
