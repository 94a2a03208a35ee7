/* SPDX-License-Identifier: MIT */
/*
 * chunk_words.c - which words chunks may have, for queries of later runs.
 */
#include <string.h>

#include "stages/chunk/chunk_work.h"

void
chunk_words_add(struct chunk_work *work, const uint8_t *text, size_t bytes)
{
	query_filter_add(&work->state->words.filter, &work->scratch->words,
			 text, bytes);
}

/* Emits the next words of the file, as many as there are. */
static void
emit_words(struct chunk_work *work, uint32_t file_idx, const uint64_t *words,
	   uint32_t nr)
{
	struct desc_words desc = {
		.kind = DESC_WORDS,
		.flags = DESC_SCAN,
		.file_idx = file_idx,
		.slab_idx = SLAB_NONE,
	};

	for (uint32_t i = 0; i < nr; i += desc.nr) {
		desc.nr = (uint8_t)min_u64(nr - i, WORDS_OF_DESC);
		memcpy(desc.words, words + i, desc.nr * sizeof(uint64_t));
		chunk_emit(work, (const struct desc *)(const void *)&desc);
	}
}

void
chunk_words_end(struct chunk_work *work, uint32_t file_idx)
{
	struct chunk_words *words = &work->state->words;
	struct {
		struct words_block block;
		struct query_filter filter;
	} all = { .block.chunk_nr = words->chunk_nr };

	if (words->chunk_nr == 0)
		return;
	all.block.filter_nr = query_filter_fold(&words->filter);
	all.filter = words->filter;
	emit_words(work, file_idx, (const uint64_t *)(const void *)&all,
		   1 + all.block.filter_nr);
	memset(words, 0, sizeof(*words));
	query_filter_begin(&work->scratch->words);
}

void
chunk_words_end_chunk(struct chunk_work *work, uint32_t file_idx,
		      uint32_t bytes)
{
	struct chunk_words *words = &work->state->words;

	words->bytes += bytes;
	words->chunk_nr++;
	if (words->bytes >= WORDS_BLOCK_BYTES)
		chunk_words_end(work, file_idx);
}
