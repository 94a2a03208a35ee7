/* SPDX-License-Identifier: MIT */
/*
 * unique.c - drawn from the kernel, or made up.
 */
#include "base/unique.h"

#include <sys/random.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"

/* All bits depend on all: the finaliser of MurmurHash3. */
static uint64_t
mix(uint64_t n)
{
	n = (n ^ n >> 33) * 0xff51afd7ed558ccdu;
	n = (n ^ n >> 33) * 0xc4ceb9fe1a85ec53u;
	return n ^ n >> 33;
}

uint64_t
unique_u64(void)
{
	static uint64_t drawn;
	uint64_t random;

	if (getrandom(&random, sizeof(random), GRND_NONBLOCK) == sizeof(random))
		return random;
	random = mix(clock_read_ns(CLOCK_REALTIME));
	random = mix(random + (uint64_t)getpid());
	return mix(random + ++drawn);
}
