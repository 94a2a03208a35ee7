/* SPDX-License-Identifier: MIT */
/*
 * heat.c - powers and roots of whole numbers.
 */
#include "rank/heat.h"

#include <assert.h>

#define AGE_MAX 8191 /* of older commits nothing is left */

/* 2^32 times 1/2 to the power of 2^n / HEAT_HALF_COMMITS, rounded. */
static const uint32_t powers[] = {
	4287531130, 4280107838, 4265299790, 4235837212, 4177521189,
	4063286653, 3844103409, 3440568926, 2756136128, 1768648242,
	728321402,  123505496,  3551507,
};

static_assert(AGE_MAX < 1u << ARRAY_LEN(powers), "a power for each bit");

uint64_t
heat_root(uint64_t square)
{
	uint64_t root = 0;

	for (uint64_t bit = 1ull << 31; bit > 0; bit /= 2)
		if ((root + bit) * (root + bit) <= square)
			root += bit;
	return root;
}

uint32_t
heat_of_commit(uint32_t age, uint32_t changed_nr)
{
	uint64_t weight = 1ull << 31;

	if (age > AGE_MAX || changed_nr == 0 || changed_nr > HEAT_FILES_MAX)
		return 0;
	for (size_t bit = 0; bit < ARRAY_LEN(powers); bit++)
		if (age >> bit & 1)
			weight = weight * powers[bit] >> 32;
	return (uint32_t)(heat_root(weight * weight / changed_nr) >> 15);
}
