/* SPDX-License-Identifier: MIT */
/*
 * wrong_clock.c - a library to preload: the clock of the day is CLOCK_OFFSET_NS
 * nanoseconds ahead, or behind if that is less than 0.
 */
#include <dlfcn.h>
#include <stdlib.h>
#include <time.h>

#define SECOND_NS 1000000000

int
clock_gettime(clockid_t id, struct timespec *out)
{
	static int (*real)(clockid_t, struct timespec *);
	const char *text = getenv("CLOCK_OFFSET_NS");
	int result;

	if (real == NULL)
		real = dlsym(RTLD_NEXT, "clock_gettime");
	result = real(id, out);
	if (result == 0 && id == CLOCK_REALTIME && text != NULL) {
		long long ns = out->tv_nsec + strtoll(text, NULL, 10);

		out->tv_sec += ns / SECOND_NS - (ns % SECOND_NS < 0);
		out->tv_nsec =
			ns % SECOND_NS + (ns % SECOND_NS < 0) * SECOND_NS;
	}
	return result;
}
