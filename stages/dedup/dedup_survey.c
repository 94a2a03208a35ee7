/* SPDX-License-Identifier: MIT */
/*
 * dedup_survey.c - what a file has, written down.
 */
#include "stages/dedup/dedup_turn.h"

#include <errno.h>
#include <string.h>

#include "catalogue/chunks.h"
#include "catalogue/files.h"
#include "catalogue/survey.h"
#include "catalogue/terms.h"
#include "catalogue/words.h"

static int
write_facts(struct dedup *dedup, const struct desc_file *file)
{
	struct dedup_state *state = dedup->state;
	const struct catalogue *catalogue = dedup->catalogue;
	struct file_facts *facts;
	int error = dedup->reserve(&catalogue->facts,
				   (file->file_idx + 1ull) * sizeof(*facts));

	if (error != 0)
		return error;
	facts = catalogue_facts(catalogue, file->file_idx);
	*facts = (struct file_facts){
		.bytes = state->bytes,
		.tokens = state->tokens,
		.chunk_first = state->chunk_first,
		.chunk_nr = (uint32_t)(state->chunk_next - state->chunk_first),
		.line_nr = file->line_nr,
		.mark_run = file->mark_run,
		.dot_run = file->dot_run,
		.traits = file->traits,
		.same_as = FILE_NONE,
		.duplicate_of = FILE_NONE,
		.next_copy = FILE_NONE,
		.reason = file->reason,
		.no_newline = (file->flags & DESC_NO_NEWLINE) != 0,
	};
	/* of one that came in runs, or is longer than what is read at once, they are
	 * counted otherwise */
	if (state->has_long)
		state->word_next = state->word_first;
	facts->word_first = state->word_first;
	facts->word_nr = (uint32_t)(state->word_next - state->word_first);
	memcpy(facts->sha256, file->sha256, SHA256_BYTES);
	facts->hash = file->hash;
	facts->names_off = state->names_off;
	facts->signatures_bytes = state->signatures_bytes;
	facts->outline_tokens =
		(uint32_t)min_u64(state->outline_tokens, UINT32_MAX);
	facts->signature_line_first = state->signature_line_first;
	memcpy(facts->outline_fingerprint, state->outline_fingerprint,
	       FINGERPRINT_BYTES);
	if (file->reason != REASON_NONE || facts->bytes == 0)
		return 0;
	if (!dedup->job->no_dedup)
		dedup_find_duplicate(dedup, file->file_idx);
	return 0;
}

/* The file leaves no chunks behind: left out, or told as another. */
static void
drop_chunks(struct dedup *dedup, uint32_t file_idx)
{
	struct dedup_state *state = dedup->state;

	catalogue_facts(dedup->catalogue, file_idx)->chunk_nr = 0;
	state->chunk_next = state->chunk_first;
	state->term_next = state->term_first;
	state->word_next = state->word_first;
	state->signature_line_next = state->signature_line_first;
}

int
dedup_take_file(struct dedup *dedup, const struct desc *in)
{
	struct dedup_state *state = dedup->state;
	struct desc_file file;
	int error;

	memcpy(&file, in, sizeof(file));
	if (state->poison)
		file.reason = REASON_POISON;
	if (dedup_is_gather(dedup)) {
		catalogue_facts(dedup->catalogue, file.file_idx)->reason =
			file.reason;
		state->drop = 1;
		return 0;
	}
	if (file.kind == DESC_FILE && file.bytes > 0)
		state->bytes = file.bytes;
	error = write_facts(dedup, &file);
	if (error != 0)
		return error;
	state->drop =
		file.reason != REASON_NONE ||
		catalogue_facts(dedup->catalogue, file.file_idx)->same_as !=
			FILE_NONE;
	if (state->drop)
		drop_chunks(dedup, file.file_idx);
	if (dedup->job->takes_all) {
		file.flags |= DESC_EMIT;
		dedup->forward(dedup->context,
			       (const struct desc *)(const void *)&file);
	}
	return 0;
}

static int
write_chunk(struct dedup *dedup, const struct desc *run)
{
	struct dedup_state *state = dedup->state;
	const struct catalogue *catalogue = dedup->catalogue;
	struct chunk_record *chunk;
	int error = dedup->reserve(&catalogue->chunks,
				   (state->chunk_next + 1) * sizeof(*chunk));

	if (error != 0)
		return error;
	chunk = catalogue_chunk(catalogue, state->chunk_next);
	*chunk = (struct chunk_record){
		.file_off = state->chain_off,
		.bytes = state->chain_bytes,
		.file_idx = run->file_idx,
		.line_first = state->chain_line,
		.line_nr = state->chain_lines,
		.tokens = run->tokens,
		.signature_line = state->chain_signature_line,
		.branches = run->branches,
		.is_estimated =
			file_is_estimated(dedup->estimated_from, run->file_idx),
	};
	memcpy(chunk->fingerprint, run->fingerprint, FINGERPRINT_BYTES);
	state->chunk_next++;
	state->tokens = add_sat_u64(state->tokens, run->tokens);
	return 0;
}

/* Of the chunk that was written last. */
static int
write_signature_line(struct dedup *dedup, const struct desc *run)
{
	struct dedup_state *state = dedup->state;
	const struct catalogue *catalogue = dedup->catalogue;
	struct chunk_record *line;
	int error;

	if (state->signature_line_next == UINT32_MAX ||
	    state->chunk_next == state->chunk_first)
		return 0;
	error = dedup->reserve(&catalogue->signature_lines,
			       (state->signature_line_next + 1ull) *
				       sizeof(*line));
	if (error != 0)
		return error;
	line = catalogue_signature_line(catalogue,
					state->signature_line_next++);
	*line = (struct chunk_record){
		.file_off = run->file_off,
		.bytes = run->bytes,
		.file_idx = run->file_idx,
		.line_first = run->line_first,
		.line_nr = run->line_nr,
		.tokens = run->tokens,
		.in_chunk =
			(uint32_t)(state->chunk_next - 1 - state->chunk_first),
	};
	memcpy(line->fingerprint, run->fingerprint, FINGERPRINT_BYTES);
	return 0;
}

int
dedup_take_scanned(struct dedup *dedup, const struct desc *run)
{
	struct dedup_state *state = dedup->state;
	uint64_t bytes = (uint64_t)run->bytes + run->left_bytes;
	int error = 0;

	if (run->flags & DESC_OUTLINE) {
		state->outline_tokens = run->tokens;
		memcpy(state->outline_fingerprint, run->fingerprint,
		       FINGERPRINT_BYTES);
		return 0;
	}
	if (run->flags & DESC_SIGNATURE_LINE)
		return dedup->is_survey ? write_signature_line(dedup, run) : 0;
	state->bytes += bytes;
	if (state->chain_bytes == 0) {
		state->chain_signature_line = run->signature_line;
		state->chain_off = run->file_off;
		state->chain_line = run->line_first;
		state->chain_lines = 0;
	}
	state->chain_bytes += bytes;
	state->has_long |= state->chain_bytes > SLAB_HEAD_BYTES;
	state->chain_lines += run->line_nr;
	if (run->flags & DESC_MORE) {
		state->has_long = 1;
		/* a run that is not the last ends within its last line */
		state->chain_lines -= run->line_nr > 0;
		return 0;
	}
	if (dedup->is_survey)
		error = write_chunk(dedup, run);
	state->chain_bytes = 0;
	return error;
}

/* What a chunk of the file has of the query. */
int
dedup_take_terms(struct dedup *dedup, const struct desc *in)
{
	struct dedup_state *state = dedup->state;
	const struct catalogue *catalogue = dedup->catalogue;
	struct desc_terms terms;
	int error;

	memcpy(&terms, in, sizeof(terms));
	/* R7: of another process */
	if (terms.nr > TERMS_OF_RUN)
		return 0;
	error = dedup->reserve(&catalogue->terms,
			       (state->term_next + terms.nr) *
				       sizeof(struct term_record));
	if (error != 0)
		return error;
	for (uint32_t i = 0; i < terms.nr; i++)
		*catalogue_term(catalogue, state->term_next++) =
			term_record(state->chunk_first + terms.chunk,
				    terms.found[i].term, terms.found[i].times);
	return 0;
}

int
dedup_take_words(struct dedup *dedup, const struct desc *in)
{
	struct dedup_state *state = dedup->state;
	const struct catalogue *catalogue = dedup->catalogue;
	struct desc_words words;
	int error;

	memcpy(&words, in, sizeof(words));
	/* R7: of another process */
	if (words.nr > WORDS_OF_DESC ||
	    state->word_next - state->word_first > UINT32_MAX - words.nr)
		return 0;
	error = dedup->reserve(&catalogue->words,
			       (state->word_next + words.nr) *
				       sizeof(uint64_t));
	if (error != 0)
		return error;
	memcpy(catalogue_words(catalogue, state->word_next, words.nr),
	       words.words, words.nr * sizeof(uint64_t));
	state->word_next += words.nr;
	return 0;
}

/* Copies the signature lines of a kept survey behind those that are there. */
static int
copy_signature_lines(struct dedup *dedup, const struct survey_entry *entry,
		     uint32_t file_idx)
{
	struct dedup_state *state = dedup->state;
	const struct catalogue *catalogue = dedup->catalogue;
	uint32_t nr = entry->signature_line_nr;
	int error;

	if (nr == 0 || nr > UINT32_MAX - state->signature_line_next)
		return 0;
	error = dedup->reserve(&catalogue->signature_lines,
			       (state->signature_line_next + (uint64_t)nr) *
				       sizeof(struct chunk_record));
	if (error != 0)
		return error;
	for (uint32_t i = 0; i < nr; i++) {
		struct chunk_record *to = catalogue_signature_line(
			catalogue, state->signature_line_next++);

		*to = *survey_chunk(&catalogue->survey,
				    entry->facts.chunk_first +
					    entry->facts.chunk_nr + i);
		to->file_idx = file_idx;
	}
	return 0;
}

/* Copies the chunks of a kept survey behind those that are there. */
static int
copy_chunks(struct dedup *dedup, const struct survey_entry *entry,
	    uint32_t file_idx)
{
	struct dedup_state *state = dedup->state;
	const struct catalogue *catalogue = dedup->catalogue;
	uint32_t nr = entry->facts.chunk_nr;
	int error = dedup->reserve(&catalogue->chunks,
				   (state->chunk_next + nr) *
					   sizeof(struct chunk_record));

	if (error != 0)
		return error;
	for (uint32_t i = 0; i < nr; i++) {
		const struct chunk_record *from = survey_chunk(
			&catalogue->survey, entry->facts.chunk_first + i);
		struct chunk_record *to =
			catalogue_chunk(catalogue, state->chunk_next++);

		*to = *from;
		to->file_idx = file_idx;
	}
	return copy_signature_lines(dedup, entry, file_idx);
}

int
dedup_take_surveyed(struct dedup *dedup, const struct desc *in)
{
	struct dedup_state *state = dedup->state;
	const struct survey *survey = &dedup->catalogue->survey;
	const struct survey_entry *entry;
	const struct file_facts *facts;
	struct desc_file file;
	int error;

	/* R7: of another process */
	ASSERT(dedup->is_survey && in->surveyed - 1 < survey->head.entry_nr);
	/* collect has only found it */
	if (!survey_entry_is_whole(survey, in->surveyed - 1))
		return -ESTALE;
	entry = survey_entry(survey, in->surveyed - 1);
	facts = &entry->facts;
	error = copy_chunks(dedup, entry, in->file_idx);
	if (error != 0)
		return error;
	state->bytes = facts->bytes;
	state->tokens = facts->tokens;
	state->outline_tokens = facts->outline_tokens;
	memcpy(state->outline_fingerprint, facts->outline_fingerprint,
	       FINGERPRINT_BYTES);
	state->signatures_bytes = facts->signatures_bytes;
	state->names_off = names_surveyed(in->surveyed - 1,
					  facts->names_off == 0
						  ? 0
						  : survey->head.names_off +
							    facts->names_off);
	file = (struct desc_file){
		.kind = DESC_SURVEYED,
		.flags = DESC_LAST | (facts->no_newline ? DESC_NO_NEWLINE : 0),
		.traits = facts->traits,
		.file_idx = in->file_idx,
		.slab_idx = SLAB_NONE,
		.hash = facts->hash,
		.line_nr = facts->line_nr,
		.mark_run = facts->mark_run,
		.dot_run = facts->dot_run,
	};
	memcpy(file.sha256, facts->sha256, SHA256_BYTES);
	return dedup_take_file(dedup, (const struct desc *)(const void *)&file);
}

/* Behind the last of them, for whoever reads them until now. */
int
dedup_end_terms(struct dedup *dedup)
{
	const struct dedup_state *state = dedup->state;
	const struct catalogue *catalogue = dedup->catalogue;
	int error = dedup->reserve(&catalogue->terms,
				   (state->term_next + 1) *
					   sizeof(struct term_record));

	if (error == 0)
		*catalogue_term(catalogue, state->term_next) =
			term_record(CHUNK_NONE, 0, 0);
	return error;
}

/* Where the names of the file begin, and what is kept behind them. */
void
dedup_take_names(struct dedup *dedup, const struct desc *in)
{
	struct dedup_state *state = dedup->state;

	/* R7: of another process */
	ASSERT(in->bytes < NAMES_LANE_BYTES &&
	       in->signatures_bytes <= NAMES_SIGNATURES_BYTES);
	state->names_off =
		names_place(state->lane, dedup->lane_nr, in->bytes) + 1;
	state->signatures_bytes = in->signatures_bytes;
}

/* What it came to, when it has ended this stage too often. */
int
dedup_poison_file(struct dedup *dedup, uint32_t file_idx)
{
	struct desc_file file = {
		.kind = DESC_FILE,
		.flags = DESC_LAST,
		.file_idx = file_idx,
		.slab_idx = SLAB_NONE,
	};

	return dedup_take_file(dedup, (const struct desc *)(const void *)&file);
}
