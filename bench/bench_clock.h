/* SPDX-License-Identifier: MIT */
/*
 * bench_clock.h - the time that benches take, as a floating-point number.
 */
#ifndef BENCH_CLOCK_H
#define BENCH_CLOCK_H

#include <time.h>

/* Seconds of a clock of clock_gettime(2). */
static inline double
clock_s(clockid_t clock)
{
	struct timespec now;

	clock_gettime(clock, &now);
	return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

/* Seconds, from some moment on. */
static inline double
now_s(void)
{
	return clock_s(CLOCK_MONOTONIC);
}

/* Milliseconds, from the same moment on. */
static inline double
now_ms(void)
{
	return now_s() * 1e3;
}

#endif
