/* SPDX-License-Identifier: MIT */
/*
 * count_cache.c - counts by content: a hash table of chains over a list in
 * the order of last use.
 */
#include "stages/count/count.h"

#include <stdlib.h>
#include <string.h>

#define ENTRY_NONE UINT32_MAX

static uint32_t
bucket_of(const struct count_cache *cache, const uint8_t *fingerprint)
{
	uint32_t hash;

	memcpy(&hash, fingerprint, sizeof(hash));
	return hash & cache->bucket_mask;
}

struct count_cache *
count_cache_create(uint32_t entry_max)
{
	struct count_cache *cache;
	uint32_t bucket_nr = 1;
	size_t entries_bytes = entry_max * sizeof(*cache->entries);

	while (bucket_nr < entry_max)
		bucket_nr *= 2;
	cache = malloc(sizeof(*cache) + entries_bytes +
		       bucket_nr * sizeof(*cache->buckets));
	if (cache == NULL)
		return NULL;
	*cache = (struct count_cache){
		.entries = (struct count_cache_entry *)(cache + 1),
		.bucket_mask = bucket_nr - 1,
		.entry_max = entry_max,
		.newest = ENTRY_NONE,
		.oldest = ENTRY_NONE,
	};
	cache->buckets = (uint32_t *)(void *)(cache->entries + entry_max);
	memset(cache->buckets, 0xff, bucket_nr * sizeof(*cache->buckets));
	return cache;
}

static void
unlink_use(struct count_cache *cache, uint32_t idx)
{
	struct count_cache_entry *entry = &cache->entries[idx];

	if (entry->newer != ENTRY_NONE)
		cache->entries[entry->newer].older = entry->older;
	else
		cache->newest = entry->older;
	if (entry->older != ENTRY_NONE)
		cache->entries[entry->older].newer = entry->newer;
	else
		cache->oldest = entry->newer;
}

static void
link_newest(struct count_cache *cache, uint32_t idx)
{
	struct count_cache_entry *entry = &cache->entries[idx];

	entry->newer = ENTRY_NONE;
	entry->older = cache->newest;
	if (cache->newest != ENTRY_NONE)
		cache->entries[cache->newest].newer = idx;
	else
		cache->oldest = idx;
	cache->newest = idx;
}

bool
count_cache_find(struct count_cache *cache, const uint8_t *fingerprint,
		 uint32_t *tokens)
{
	uint32_t idx;

	if (cache->entry_max == 0)
		return false;
	for (idx = cache->buckets[bucket_of(cache, fingerprint)];
	     idx != ENTRY_NONE; idx = cache->entries[idx].chain) {
		if (memcmp(cache->entries[idx].fingerprint, fingerprint,
			   FINGERPRINT_BYTES) != 0)
			continue;
		*tokens = cache->entries[idx].tokens;
		unlink_use(cache, idx);
		link_newest(cache, idx);
		cache->hits++;
		return true;
	}
	cache->misses++;
	return false;
}

/* Takes the entry that was used longest ago out of its chain. */
static uint32_t
evict(struct count_cache *cache)
{
	uint32_t idx = cache->oldest;
	uint32_t *at = &cache->buckets[bucket_of(
		cache, cache->entries[idx].fingerprint)];

	while (*at != idx)
		at = &cache->entries[*at].chain;
	*at = cache->entries[idx].chain;
	unlink_use(cache, idx);
	cache->evictions++;
	return idx;
}

void
count_cache_add(struct count_cache *cache, const uint8_t *fingerprint,
		uint32_t tokens)
{
	struct count_cache_entry *entry;
	uint32_t *bucket;
	uint32_t idx;

	if (cache->entry_max == 0)
		return;
	idx = cache->entry_nr < cache->entry_max ? cache->entry_nr++
						 : evict(cache);
	bucket = &cache->buckets[bucket_of(cache, fingerprint)];
	entry = &cache->entries[idx];
	memcpy(entry->fingerprint, fingerprint, FINGERPRINT_BYTES);
	entry->tokens = tokens;
	entry->chain = *bucket;
	*bucket = idx;
	link_newest(cache, idx);
}
