/* SPDX-License-Identifier: MIT */
/*
 * sieve.c - making a sieve.
 */
#include "base/sieve.h"

bool
sieve_has_avx2(void)
{
	return __builtin_cpu_supports("avx2");
}

bool
sieve_has_avx512(void)
{
	return __builtin_cpu_supports("avx512vbmi") &&
	       __builtin_cpu_supports("avx512bw");
}

size_t
sieve_next(const struct sieve *sieve, const uint8_t *text, size_t blocks,
	   uint64_t *mask)
{
	return sieve_has_avx512() ? sieve_next_avx512(sieve, text, blocks, mask)
				  : sieve_next_avx2(sieve, text, blocks, mask);
}

void
sieve_add(struct sieve *sieve, uint32_t group, uint32_t place, uint8_t c)
{
	uint8_t bit = (uint8_t)(1u << group % SIEVE_GROUPS);

	sieve->low[place][c & 15] |= bit;
	sieve->high[place][c >> 4] |= bit;
	sieve->whole[group / SIEVE_GROUPS % SIEVE_HALVES][place][c & 127] |=
		bit;
}

void
sieve_add_any(struct sieve *sieve, uint32_t group, uint32_t place)
{
	for (uint32_t c = 0; c < 256; c++)
		sieve_add(sieve, group, place, (uint8_t)c);
}
