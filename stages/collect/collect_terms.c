/* SPDX-License-Identifier: MIT */
/*
 * collect_terms.c - what of a file of the kept survey may have words of the
 * query.
 */
#include "catalogue/survey.h"
#include "catalogue/words.h"
#include "stages/collect/collect_io_record.h"

/* Chunks of a file, block by block. */
struct blocks {
	const struct survey *survey;
	const struct query_sought *sought;
	struct surveyed file;
	uint64_t word_at;
	uint32_t chunk; /* of the file, the next one */
	uint32_t end;   /* of the block */
	bool may_have;  /* any of its chunks */
};

/* A block that is none may have anything, to the end of the file. */
static void
begin_block(struct blocks *blocks)
{
	const struct survey_entry *entry = blocks->file.entry;
	uint32_t left = entry->facts.chunk_nr - blocks->chunk;
	const struct words_block *block = words_next(
		blocks->file.words, entry->facts.word_nr, &blocks->word_at);

	blocks->may_have = true;
	blocks->end = entry->facts.chunk_nr;
	if (block == NULL || block->chunk_nr > left)
		return;
	blocks->end = blocks->chunk + block->chunk_nr;
	blocks->may_have =
		query_filter_may_have((const uint64_t *)(block + 1),
				      block->filter_nr, blocks->sought);
}

/* The next chunk, and whether it may have any; NULL: there is none. */
static const struct chunk_record *
next_chunk(struct blocks *blocks)
{
	const struct survey_entry *entry = blocks->file.entry;

	if (blocks->chunk == entry->facts.chunk_nr)
		return NULL;
	if (blocks->chunk == blocks->end)
		begin_block(blocks);
	return survey_chunk(blocks->survey,
			    entry->facts.chunk_first + blocks->chunk++);
}

bool
collect_terms_next(const struct collect_files *files, uint32_t entry_idx,
		   struct collect_span *span, uint64_t most)
{
	const struct survey *survey = &files->catalogue->survey;
	struct blocks blocks = { .survey = survey,
				 .sought = files->sought,
				 .file = survey_at(survey, entry_idx) };
	uint64_t from = span->off;
	const struct chunk_record *chunk;

	span->bytes = 0;
	while ((chunk = next_chunk(&blocks)) != NULL) {
		uint64_t end = chunk->file_off + chunk->bytes;

		if (!blocks.may_have || chunk->file_off < from)
			continue;
		if (span->bytes == 0)
			span->off = chunk->file_off;
		else if (end - span->off > most)
			break;
		span->bytes = end - span->off;
	}
	return span->bytes > 0;
}
