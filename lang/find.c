/* SPDX-License-Identifier: MIT */
/*
 * find.c - sets of bytes, and masks of 64 bytes at a time.
 */
#include "lang/find.h"

#include <string.h>

void
lang_set_add(struct lang_set *set, uint8_t byte)
{
	DASSERT(byte < 128);
	set->low[byte & 15] |= (uint8_t)(1u << (byte >> 4));
}

uint64_t
lang_mask64(const struct lang_set *set, const uint8_t *bytes)
{
	uint64_t mask = 0;

	for (unsigned i = 0; i < FIND_BLOCK; i++) {
		unsigned byte = bytes[i];
		/* the shift takes bytes from 128 on out of the set */
		uint64_t bit =
			((unsigned)set->low[byte & 15] >> (byte >> 4)) & 1u;

		mask |= bit << i;
	}
	return mask;
}

bool
lang_has_avx2(void)
{
	return __builtin_cpu_supports("avx2") &&
	       __builtin_cpu_supports("popcnt");
}

void
lang_finder_init(struct lang_finder *finder, const struct lang_set *set,
		 const uint8_t *text, size_t bytes)
{
	finder->set = *set;
	finder->text = text;
	finder->bytes = bytes;
	finder->block = SIZE_MAX;
	finder->mask = 0;
	finder->avx2 = lang_has_avx2();
}

uint64_t
lang_finder_load(struct lang_finder *finder, size_t block)
{
	const uint8_t *bytes = finder->text + block;
	size_t left = finder->bytes - block;
	uint8_t rest[FIND_BLOCK];

	if (left < FIND_BLOCK) {
		/* 0xff is in no set */
		memset(rest, 0xff, sizeof(rest));
		memcpy(rest, bytes, left);
		bytes = rest;
	}
	return finder->avx2 ? lang_mask64_avx2(&finder->set, bytes)
			    : lang_mask64(&finder->set, bytes);
}
