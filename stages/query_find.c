/* SPDX-License-Identifier: MIT */
/*
 * query_find.c - classes of bytes as masks, one byte after the other.
 */
#include "stages/query_find.h"

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

#ifndef __x86_64__
void
query_masks_avx2(const uint8_t *bytes, struct query_masks *out)
{
	query_masks(bytes, out);
}
#endif
