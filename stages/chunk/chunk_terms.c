/* SPDX-License-Identifier: MIT */
/*
 * chunk_terms.c - how often chunks have the words of the query.
 */
#include "catalogue/survey.h"
#include "lang/facts.h"
#include "rank/licence.h"
#include "rank/phrase.h"
#include "rank/query_declared.h"
#include "stages/chunk/chunk_work.h"

/* A run whose words are counted, and the names of its file. */
struct counted_run {
	const uint8_t *text;
	uint32_t bytes;
	uint32_t line_first;
	uint32_t line_nr;
	const uint8_t *names; /* entries; */
	uint32_t names_bytes; /* 0: there are none */
	uint32_t *names_at;   /* the first that may be of the run */
	uint32_t chunk;       /* which one of its file it is of */
	bool keeps_words;     /* for queries of later runs */
	uint8_t *counts;      /* of each term: QUERY_TERMS_MAX */
};

/* Whether the words of a name count once more. */
static bool
is_counted(const struct name_entry *entry, const struct counted_run *run)
{
	return entry->type == NAME_DEF && entry->kind != LANG_KIND_SECTION &&
	       !(entry->flags & NAME_LATE) && entry->line >= run->line_first;
}

/* A text counts for the chunk in work. */
static void
count_text(struct chunk_work *work, const struct counted_run *run,
	   const uint8_t *text, size_t bytes)
{
	query_count(work->rules->job->query, text, bytes, run->counts);
	if (run->keeps_words)
		chunk_words_add(work, text, bytes);
}

/* The text of the run, without the licences that its file begins with. */
static void
count_run(struct chunk_work *work, const struct counted_run *run)
{
	const uint8_t *text = run->text;
	size_t left = run->bytes;
	size_t from;
	size_t nr;

	while (run->line_first <= LICENCE_LINES_MAX &&
	       (nr = licence_find(text, left, &from)) > 0) {
		count_text(work, run, text, from);
		text += from + nr;
		left -= from + nr;
	}
	count_text(work, run, text, left);
}

static void
count_names(struct chunk_work *work, const struct counted_run *run)
{
	const struct name_entry *entry;
	uint32_t next = *run->names_at;

	while ((entry = names_entry_next(run->names, run->names_bytes,
					 &next)) != NULL) {
		if (entry->type == NAME_DEF &&
		    entry->line >= run->line_first + run->line_nr)
			return;
		if (is_counted(entry, run))
			count_text(work, run, (const uint8_t *)(entry + 1),
				   entry->bytes);
		*run->names_at = next;
	}
}

/* Names that it declares, and what it has of the query word for word. */
static void
add_named(const struct query *query, const struct counted_run *run,
	  struct desc_terms *terms)
{
	uint8_t words =
		phrase_longest(query, run->text, run->bytes, run->counts);
	struct query_declared found[QUERY_DECLARED_MAX];
	uint32_t nr = query_declared(query, run->text, run->bytes, run->counts,
				     found);

	for (uint32_t i = 0; i < nr; i++) {
		terms->found[terms->nr].term = QUERY_DECLARED + found[i].name;
		terms->found[terms->nr].times = found[i].how;
		terms->nr++;
	}
	if (words > 0) {
		terms->found[terms->nr].term = PHRASE_TERM;
		terms->found[terms->nr].times = words;
		terms->nr++;
	}
}

static void
emit_terms(struct chunk_work *work, uint32_t file_idx,
	   const struct counted_run *run)
{
	const struct query *query = work->rules->job->query;
	const uint8_t *counts = run->counts;
	struct desc_terms terms = {
		.kind = DESC_TERMS,
		.flags = DESC_SCAN,
		.file_idx = file_idx,
		.slab_idx = SLAB_NONE,
		.chunk = run->chunk,
	};

	count_run(work, run);
	add_named(query, run, &terms);
	count_names(work, run);
	for (uint32_t i = 0; i < query->nr && terms.nr < TERMS_OF_RUN; i++) {
		if (counts[i] == 0)
			continue;
		terms.found[terms.nr].term = (uint8_t)i;
		terms.found[terms.nr].times = counts[i];
		terms.nr++;
	}
	if (terms.nr > 0)
		chunk_emit(work, (const struct desc *)(const void *)&terms);
}

void
chunk_terms_emit(struct chunk_work *work, const struct desc *run,
		 bool has_names)
{
	struct chunk_state *state = work->state;
	struct chunk_names *names = &state->names;
	uint8_t counts[QUERY_TERMS_MAX] = { 0 };
	struct counted_run counted = {
		.counts = counts,
		.keeps_words = work->rules->job->keeps_words,
		.text = desc_content(work->slabs, run),
		.bytes = run->bytes,
		.line_first = run->line_first,
		.line_nr = run->line_nr,
		.names_at = &names->counted_at,
		.chunk = state->chunk_next,
	};

	if (has_names && names->head.bytes > 0) {
		counted.names = chunk_names_entries(work);
		counted.names_bytes = names->head.bytes;
	}
	emit_terms(work, run->file_idx, &counted);
}

/* A chunk of the survey that is here. */
static void
emit_chunk(struct chunk_work *work, const struct desc *in,
	   const struct chunk_record *chunk, const struct names *names)
{
	struct chunk_state *state = work->state;
	uint8_t counts[QUERY_TERMS_MAX] = { 0 };
	struct counted_run counted = {
		.counts = counts,
		.text = desc_content(work->slabs, in) + chunk->file_off -
			in->file_off,
		.bytes = (uint32_t)chunk->bytes,
		.line_first = chunk->line_first,
		.line_nr = chunk->line_nr,
		.names_at = &state->names.counted_at,
		.chunk = state->chunk_next,
	};

	if (names != NULL) {
		counted.names = (const uint8_t *)(names + 1);
		counted.names_bytes = names->bytes;
	}
	emit_terms(work, in->file_idx, &counted);
}

bool
chunk_terms_emit_surveyed(struct chunk_work *work, const struct desc *in)
{
	struct chunk_state *state = work->state;
	const struct survey *survey = &work->catalogue->survey;
	struct surveyed file;

	file = survey_at(survey, in->surveyed - 1);
	state->goes_on = 1;
	for (; state->chunk_next < file.entry->facts.chunk_nr;
	     state->chunk_next++) {
		const struct chunk_record *chunk =
			survey_chunk(survey, file.entry->facts.chunk_first +
						     state->chunk_next);

		if (work->emit_nr >= CUT_EMITS)
			return false;
		/* those behind are of the next entry, if it is read */
		if (chunk->file_off >= in->file_off + in->bytes)
			break;
		/* R7: the survey is a file */
		if (chunk->file_off >= in->file_off &&
		    chunk->bytes <= in->file_off + in->bytes - chunk->file_off)
			emit_chunk(work, in, chunk, file.names);
	}
	state->goes_on = 0;
	return true;
}
