/* SPDX-License-Identifier: MIT */
/*
 * dedup_table.c - open addressing, linear probing.
 */
#include "stages/dedup/dedup.h"

#include <string.h>

void
dedup_probe_init(struct dedup_probe *probe, const struct dedup_table *table,
		 const uint8_t digest[SHA256_BYTES])
{
	uint64_t hash;

	memcpy(&hash, digest, sizeof(hash));
	memcpy(&probe->tag, digest + sizeof(hash), sizeof(probe->tag));
	probe->at = hash & (table->slot_nr - 1);
}

bool
dedup_probe_next(struct dedup_probe *probe, const struct dedup_table *table,
		 uint32_t *idx)
{
	uint64_t slot;

	while ((slot = table->slots[probe->at]) != 0) {
		uint64_t at = probe->at;

		probe->at = (at + 1) & (table->slot_nr - 1);
		if (slot >> 32 == probe->tag) {
			*idx = (uint32_t)slot - 1;
			return true;
		}
	}
	return false;
}

void
dedup_add(const struct dedup_probe *probe, struct dedup_table *table,
	  uint32_t idx)
{
	ASSERT(table->slots[probe->at] == 0);
	table->slots[probe->at] = (uint64_t)probe->tag << 32 | (idx + 1ull);
}
