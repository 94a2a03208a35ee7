/* SPDX-License-Identifier: MIT */
/*
 * dedup.h - a hash table of fingerprints in memory given by the caller.
 *
 * Does: finds which earlier entries may have the same digest.
 * Does not: hold digests: the caller compares them where they are.
 *
 *   slot: | tag, 32 bits of the digest | index + 1 |      0: empty
 *
 * Invariants:
 * 1. Never more than half full: every search ends.
 * 2. Adding what is there already changes nothing.
 */
#ifndef DEDUP_DEDUP_H
#define DEDUP_DEDUP_H

#include "base/base.h"
#include "catalogue/desc.h"

struct dedup_table {
	uint64_t *slots;
	uint64_t slot_nr; /* power of two */
};

/* A search under way. */
struct dedup_probe {
	uint64_t at;
	uint32_t tag;
};

/*
 * shape:  begins a search for a digest
 */
void
dedup_probe_init(struct dedup_probe *probe, const struct dedup_table *table,
		 const uint8_t digest[SHA256_BYTES]);

/*
 * shape:  the next index that may have the digest; false: there is none, and
 *         dedup_add() may put one here
 */
bool
dedup_probe_next(struct dedup_probe *probe, const struct dedup_table *table,
		 uint32_t *idx);

/* Stores an index at the place where the search ended. */
void
dedup_add(const struct dedup_probe *probe, struct dedup_table *table,
	  uint32_t idx);

#endif
