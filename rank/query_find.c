/* SPDX-License-Identifier: MIT */
/*
 * query_find.c - classes of bytes as masks, one byte after the other.
 */
#include "rank/query_find.h"

void
query_masks(const uint8_t *bytes, struct query_masks *out)
{
	*out = (struct query_masks){ 0 };
	for (unsigned i = 0; i < QUERY_BLOCK; i++) {
		uint64_t bit = 1ull << i;
		uint8_t c = bytes[i];

		if ((c >= 'a' && c <= 'z') || c >= 0x80)
			out->lower |= bit;
		else if (c >= 'A' && c <= 'Z')
			out->upper |= bit;
		else if (c >= '0' && c <= '9')
			out->digit |= bit;
	}
}

bool
query_has_avx2(void)
{
#ifdef __x86_64__
	return __builtin_cpu_supports("avx2");
#else
	return false;
#endif
}

void
query_sieve_add(struct query_sieve *sieve, uint32_t group, uint32_t place,
		uint8_t c)
{
	uint8_t bit = (uint8_t)(1u << group % QUERY_SIEVE_GROUPS);

	sieve->low[place][c & 15] |= bit;
	sieve->high[place][c >> 4] |= bit;
}

void
query_sieve_add_any(struct query_sieve *sieve, uint32_t group, uint32_t place)
{
	for (uint32_t c = 0; c < 256; c += 17)
		query_sieve_add(sieve, group, place, (uint8_t)c);
}

#ifndef __x86_64__
void
query_masks_avx2(const uint8_t *bytes, struct query_masks *out)
{
	query_masks(bytes, out);
}

size_t
query_sieve_avx2(const struct query_sieve *sieve, const uint8_t *text,
		 size_t blocks, uint64_t *mask)
{
	(void)sieve, (void)text, (void)blocks;
	*mask = UINT64_MAX;
	return 0;
}
#endif
