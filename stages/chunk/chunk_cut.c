/* SPDX-License-Identifier: MIT */
/*
 * chunk_cut.c - the content of an entry into runs of chunks.
 *
 * Does: cuts, a step's worth of chunks at a time.
 * Does not: decide where to cut (chunk_fit.c), or make texts of the content
 *           (chunk_derive.c).
 * Invariants:
 * 1. Content is never written over: a step that is done again finds it as it
 *    was.
 * 2. A file gives the same chunks and the same made texts in gather as in the
 *    survey: it comes in the same parts.
 */
#include <string.h>

#include "lang/facts.h"
#include "stages/chunk/chunk_cut.h"
#include "stages/chunk/chunk_estimate.h"
#include "catalogue/facts.h"
#include "catalogue/files.h"
#include "catalogue/plan.h"

void
chunk_rules_fit(struct chunk_rules *rules)
{
	struct chunk_fit *fit = &rules->fit;
	struct chunk_limits *limits = &fit->limits;
	uint64_t min;

	fit->keeps_whole = !rules->job->counts_terms;
	chunk_limits_init(limits, fit->max_tokens, fit->min_tokens);
	min = limits->min_bytes;
	limits->join_bytes = (uint32_t)max_u64(
		min_u64(JOIN_BYTES, limits->max_bytes / 3), min);
	if (!rules->job->counts_terms)
		return;
	min = min_u64(max_u64(min, PIECE_MIN_BYTES), limits->max_bytes / 2);
	limits->min_bytes = (uint32_t)min;
	limits->join_bytes = (uint32_t)max_u64(min, PIECE_JOIN_BYTES);
	limits->max_bytes = (uint32_t)min_u64(
		limits->max_bytes, max_u64(2 * min, PIECE_MAX_BYTES));
	limits->join_bytes =
		(uint32_t)min_u64(limits->join_bytes, limits->max_bytes);
}

void
chunk_begin_file(struct chunk_work *work, uint32_t file_idx)
{
	struct chunk_state *state = work->state;
	uint32_t dead_file = state->dead_file;
	uint64_t names_next = state->names.next;
	const struct catalogue *catalogue = work->catalogue;
	const struct file_record *file;

	memset(state, 0, offsetof(struct chunk_state, cutter));
	state->names.next = names_next;
	state->comments.nr = 0;
	state->comments.base_off = 0;
	state->comments.kept_off = 0;
	state->file_idx = file_idx;
	state->line_next = 1;
	state->dead_file = dead_file;
	if (file_idx == FILE_NONE)
		return;
	file = catalogue_file(catalogue, file_idx);
	ASSERT(file_record_valid(file));
	state->names.is_header = lang_is_header(catalogue_path(catalogue, file),
						file->path_bytes);
	chunk_cutter_init(
		&state->cutter,
		lang_find(catalogue_hint(catalogue, file), file->hint_bytes),
		&work->rules->fit.limits);
}

/* ----------------------------------------------------------------- runs -- */

/* A run of the next `bytes` of the file, which lie at slab offset `off`. */
static struct desc
next_run(struct chunk_work *work, const struct desc *in, uint32_t off,
	 uint32_t bytes)
{
	struct chunk_state *state = work->state;
	struct desc run = {
		.kind = DESC_RUN,
		.flags = (uint8_t)(in->flags & (DESC_SCAN | DESC_EMIT)),
		.file_idx = in->file_idx,
		.slab_idx = in->slab_idx,
		.slab_off = off,
		.bytes = bytes,
		.line_first = state->line_next,
		.file_off = state->file_off,
	};
	const uint8_t *text = desc_content(work->slabs, &run);
	uint64_t newlines = lang_newlines(text, bytes);

	/* R7: that there are bytes is what another process says */
	run.line_nr =
		(uint32_t)newlines + (bytes > 0 && text[bytes - 1] != '\n');
	state->line_next += (uint32_t)newlines;
	state->file_off += bytes;
	return run;
}

/*
 * Of a run only so many lines are to be written, behind those that are
 * skipped; the rest is compared.
 */
static void
cut_off(const struct chunk_work *work, struct desc *run, uint32_t skip,
	uint32_t lines)
{
	const uint8_t *text = desc_content(work->slabs, run);

	/* R7: of another process */
	if (lines == 0 || lines >= run->line_nr || skip > run->line_nr - lines)
		return;
	/* the last line may have no newline */
	if (skip + lines < run->line_nr)
		run->rest_bytes = run->bytes -
				  (uint32_t)lang_lines_bytes(text, run->bytes,
							     skip + lines);
	run->skip_bytes = (uint32_t)lang_lines_bytes(text, run->bytes, skip);
	run->line_first += skip;
	run->line_nr = lines;
}

void
chunk_emit_run(struct chunk_work *work, const struct desc *in, uint32_t off,
	       uint32_t bytes, uint8_t more)
{
	struct chunk_state *state = work->state;
	struct desc run = next_run(work, in, off, bytes);

	if (in->kind == DESC_RANGE)
		cut_off(work, &run, in->skip_lines, in->line_nr);
	run.flags |= more;
	state->in_chain = more != 0;
	chunk_emit(work, &run);
}

/* Chunks that wait for the signatures of their part. */
static void
give_waiting(struct chunk_work *work)
{
	struct chunk_scratch *scratch = work->scratch;

	for (uint32_t i = 0; i < scratch->waiting_nr; i++)
		chunk_emit(work, &scratch->waiting[i]);
	scratch->waiting_nr = 0;
}

/* A run that is written: at once, or when the signatures are known that stand
 * before it. */
static void
write_run(struct cut *cut, const struct desc *run)
{
	struct chunk_scratch *scratch = cut->work->scratch;

	if (!(cut->in->flags & DESC_OUTLINE)) {
		chunk_emit(cut->work, run);
		return;
	}
	if (scratch->waiting_nr == WEAVE_CHUNKS)
		give_waiting(cut->work);
	scratch->waiting[scratch->waiting_nr++] = *run;
}

/*
 * Writes a chunk that was cut, if that is planned; `whole` is all of it, as it
 * was read.
 */
static void
emit_planned(struct cut *cut, const struct desc *whole, struct desc *run)
{
	struct chunk_work *work = cut->work;
	const struct plan_entry *entry;

	if (work->rules->job->takes_all) {
		write_run(cut, run);
		return;
	}
	entry = catalogue_plan_chunk(
		work->catalogue, work->plan_nr,
		catalogue_facts(work->catalogue, run->file_idx)->chunk_first +
			work->state->chunk_next);
	if (entry == NULL)
		return;
	if (entry->kept_lines != 0 && run->slab_off != whole->slab_off)
		chunk_derive_part(cut, whole, run, entry->kept_lines);
	else
		cut_off(work, run, 0, entry->kept_lines);
	write_run(cut, run);
}

/*
 * Functions that begin in a chunk and go on behind it: their first lines, for those
 * chunks that will begin within them.
 */
static void
emit_signature_lines(struct cut *cut, const struct desc *chunk)
{
	struct chunk_state *state = cut->work->state;
	const uint8_t *text = desc_content(cut->work->slabs, chunk);
	const struct chunk_open *open;

	while ((open = chunk_signature_lines_cut(
			&state->signature_lines, chunk->file_off,
			chunk->file_off + chunk->bytes)) != NULL) {
		uint32_t at = (uint32_t)(open->off - chunk->file_off);
		uint32_t bytes = open->bytes;
		struct desc line = *chunk;

		line.flags = DESC_SCAN | DESC_SIGNATURE_LINE;
		line.slab_off += at;
		line.file_off += at;
		line.bytes = bytes;
		line.line_first += (uint32_t)lang_newlines(text, at);
		line.line_nr = (uint32_t)lang_newlines(text + at, bytes);
		line.tokens = 0;
		line.signature_line = 0;
		chunk_emit(cut->work, &line);
	}
}

/* The first line of the function that the chunk goes on with, and its branches. */
static void
add_facts(struct cut *cut, struct desc *run)
{
	struct chunk_work *work = cut->work;
	const struct chunk_state *state = work->state;

	if (cut->keeps_signature_lines && !state->in_chain)
		run->signature_line = chunk_signature_lines_of(
			&state->signature_lines, run->file_off,
			run->file_off + run->bytes);
	if (cut->sink.code != NULL && !(run->flags & DESC_MORE))
		run->branches = (uint8_t)min_u64(
			chunk_names_chunk(work, &cut->text, &cut->code, run),
			UINT8_MAX);
}

/* What a run of a chunk that is looked at has of the query. */
static void
count_terms(struct cut *cut, const struct desc *source, bool has_more)
{
	chunk_terms_emit(cut->work, source, cut->keeps_names);
	if (cut->work->rules->job->keeps_words && !has_more)
		chunk_words_end_chunk(cut->work, source->file_idx,
				      source->bytes);
}

/* A chunk of the next bytes, or a run of it if there is more to come. */
static void
give_chunk(struct cut *cut, uint32_t bytes, uint8_t more,
	   const struct chunk_size *size)
{
	struct chunk_work *work = cut->work;
	struct chunk_state *state = work->state;
	struct desc run = next_run(work, cut->in, state->cut_at, bytes);
	const struct desc source = run;

	run.flags |= more;
	if (cut->in->flags & DESC_SCAN)
		run.tokens = size->tokens;
	add_facts(cut, &run);
	if (work->rules->job->strips && cut->gives_chunks)
		chunk_derive_strip(cut, &run);
	state->cut_at += bytes;
	if ((cut->in->flags & DESC_SCAN) && cut->fit.estimates &&
	    run.tokens == 0)
		run.tokens = (uint32_t)chunk_estimate(
			desc_content(work->slabs, &run), run.bytes);
	if (cut->in->flags & DESC_SCAN)
		chunk_emit(work, &run);
	else if (!cut->collects && cut->gives_chunks)
		emit_planned(cut, &source, &run);
	if (cut->maker.comments != NULL)
		lang_comments_forget(&state->comments, state->file_off);
	if ((cut->in->flags & DESC_SCAN) && work->rules->job->counts_terms)
		count_terms(cut, &source, more != 0);
	if (cut->keeps_signature_lines && more == 0 && !state->in_chain)
		emit_signature_lines(cut, &source);
	if ((cut->in->flags & DESC_SCAN) && size->is_over)
		work->long_lines++;
	state->in_chain = more != 0;
	state->chunk_next += more == 0;
}

/* Bytes of the chunk that begins there; 0: not to be told yet. */
static size_t
next_chunk(struct cut *cut, struct chunk_size *size)
{
	struct chunk_state *state = cut->work->state;
	uint64_t boundary = cut->requested == NULL
				    ? 0
				    : source_next_boundary(
					      &cut->work->rules->job->sources,
					      cut->requested, state->line_next);

	cut->fit.stop_lines = boundary == 0 ? 0 : boundary - state->line_next;
	return chunk_fit_next(&cut->fit, &state->cutter, &cut->text,
			      cut->reported, size);
}

static void
skip(struct cut *cut, size_t bytes)
{
	struct chunk_state *state = cut->work->state;
	struct lang_end place = { .bytes = bytes,
				  .level = state->cutter.level };

	chunk_cutter_take(&state->cutter, place);
}

/* The rest of a line that has given runs, or 0 if it is not all here. */
static size_t
rest_of_line(struct cut *cut)
{
	struct chunk_state *state = cut->work->state;
	const struct lang_text *text = &cut->text;
	size_t from = (size_t)(state->cutter.start - text->off);
	size_t left = text->nr - from;
	const uint8_t *newline = memchr(text->bytes + from, '\n', left);
	size_t bytes = text->at_end ? left : 0;

	if (newline != NULL)
		bytes = (size_t)(newline - text->bytes) + 1 - from;
	skip(cut, bytes);
	return bytes;
}

/*
 * Whether the step has as many descriptors as one may give: the entry stays,
 * and the next step goes on with it. Where signatures follow, they need room.
 */
static bool
is_full(const struct cut *cut)
{
	bool signs = (cut->in->flags & (DESC_EMIT | DESC_OUTLINE)) ==
		     (DESC_EMIT | DESC_OUTLINE);

	return cut->work->emit_nr >= (signs ? 1 : CUT_EMITS);
}

/* A planned chunk behind the signatures of its file, n from 0, as the survey has
 * it; false: there are no more before `end` in the file. */
static bool
find_planned(const struct cut *cut, uint64_t first, uint64_t n, uint64_t end,
	     struct chunk_record *chunk)
{
	const struct chunk_work *work = cut->work;
	uint64_t at = first + 1 + n;

	if (!cut->gives_chunks || at >= work->plan_nr)
		return false;
	*chunk = *catalogue_chunk(
		work->catalogue,
		catalogue_plan(work->catalogue, at)->chunk_idx);
	return chunk->file_idx == cut->in->file_idx && chunk->file_off < end;
}

/* Where the planned chunks begin that are of the text: nr of them, where the survey
 * has found them, and no more than wait together for their signatures. false: they
 * have to be cut. */
static bool
are_known(const struct cut *cut, uint64_t end, uint64_t *first, uint64_t *nr)
{
	struct chunk_record chunk;

	*first = cut->plan_first;
	*nr = 0;
	while (find_planned(cut, *first, 0, cut->text.off, &chunk))
		(*first)++;
	for (; find_planned(cut, *first, *nr, end, &chunk); (*nr)++)
		/* R7: of another process */
		if (*nr == WEAVE_CHUNKS || chunk.bytes > SLAB_HEAD_BYTES ||
		    catalogue_plan(cut->work->catalogue, *first + 1 + *nr)
				    ->tier != TIER_FULL ||
		    chunk.bytes > end - chunk.file_off)
			return false;
	return true;
}

/* Those chunks, which are part of the entry. */
static void
give_planned(struct cut *cut, uint64_t first, uint64_t nr)
{
	struct chunk_work *work = cut->work;
	struct chunk_state *state = work->state;

	for (uint64_t n = 0; n < nr; n++) {
		const struct plan_entry *entry =
			catalogue_plan(work->catalogue, first + 1 + n);
		const struct chunk_record chunk =
			*catalogue_chunk(work->catalogue, entry->chunk_idx);
		struct desc run;

		state->file_off = chunk.file_off;
		state->line_next = chunk.line_first;
		run = next_run(work, cut->in,
			       state->cut_from + (uint32_t)(chunk.file_off -
							    cut->text.off),
			       (uint32_t)chunk.bytes);
		cut_off(work, &run, 0, entry->kept_lines);
		write_run(cut, &run);
	}
}

/* Where what is done of the part in work ends: as in the survey, if its signatures
 * are kept; of a whole file, behind it. */
static struct chunk_kept_part
find_done(const struct cut *cut)
{
	const struct chunk_state *state = cut->work->state;
	const struct lang_text *text = &cut->text;

	if (cut->is_kept)
		return cut->kept.part;
	return (struct chunk_kept_part){
		.done = (uint32_t)text->nr,
		.line_end = state->line_next +
			    (uint32_t)lang_newlines(text->bytes, text->nr),
	};
}

/* Whether no part of the file that begins here has to be scanned: what is planned
 * beside its signatures is known, and these are kept. */
static bool
is_known(const struct cut *cut)
{
	uint64_t first;
	uint64_t nr;

	return chunk_derive_knows(cut) &&
	       are_known(cut, UINT64_MAX, &first, &nr);
}

/* Gives what is planned of a text whose chunks, if any are written beside its
 * signatures, are known: it is scanned for these alone, if they are not kept. False:
 * it has to be cut. (Where it comes in parts, chunks say what is carried to the next
 * one; and with comments left out, how many of them are known when signatures are
 * derived.) */
static bool
give_uncut(struct cut *cut)
{
	struct chunk_state *state = cut->work->state;
	struct chunk_kept_part part;
	uint64_t first;
	uint64_t nr;

	if ((cut->in->flags & (DESC_SCAN | DESC_OUTLINE)) != DESC_OUTLINE ||
	    cut->maker.comments != NULL || state->cut_at != state->cut_from)
		return false;
	if (cut->text.off == 0)
		state->recalls = is_known(cut);
	if (!state->recalls && (cut->text.off != 0 || !cut->text.at_end))
		return false;
	cut->is_kept = state->recalls && chunk_derive_find(cut, &cut->kept);
	part = find_done(cut);
	if (are_known(cut, cut->text.off + part.done, &first, &nr))
		give_planned(cut, first, nr);
	else if (!state->recalls)
		return false;
	state->cut_at = state->cut_from + part.done;
	state->file_off = cut->text.off + part.done;
	state->line_next = part.line_end;
	cut->is_uncut = true;
	return true;
}

/* Chunks up to `end`, or as many as a step can give. */
static void
give_chunks(struct cut *cut, uint32_t end)
{
	struct chunk_work *work = cut->work;
	struct chunk_state *state = work->state;

	if (give_uncut(cut))
		return;
	while (state->cut_at < end && !is_full(cut)) {
		uint32_t left = end - state->cut_at;
		struct chunk_size size = { 0 };
		size_t bytes = state->in_chain ? rest_of_line(cut)
					       : next_chunk(cut, &size);

		if (bytes != 0) {
			give_chunk(cut, (uint32_t)bytes, 0, &size);
		} else if (state->in_chain || left > SLAB_HEAD_BYTES) {
			/* a line longer than what can be carried: a chain */
			size.is_over = !state->in_chain;
			give_chunk(cut, left, DESC_MORE, &size);
			skip(cut, left);
		} else {
			return;
		}
	}
}

/* What is told only when there is no more text. */
static void
end_scan(struct cut *cut)
{
	struct chunk_state *state = cut->work->state;

	if (cut->reported != NULL && cut->text.at_end &&
	    state->cutter.scan.lang != LANG_NONE)
		lang_scan_feed(&state->cutter.scan, &cut->text, UINT64_MAX,
			       cut->reported);
}

/* The language of a header by the beginning of its text. */
static void
refine_language(const struct cut *cut)
{
	const struct chunk_work *work = cut->work;
	struct lang_scan *scan = &work->state->cutter.scan;
	const struct file_record *file;

	if (scan->lang != LANG_C)
		return;
	file = catalogue_file(work->catalogue, cut->in->file_idx);
	scan->lang =
		lang_of_text(LANG_C, catalogue_path(work->catalogue, file),
			     file->path_bytes, cut->text.bytes, cut->text.nr);
}

/* Whether chunks of the file are given, be it beside its signatures; where these
 * are planned. */
static bool
gives_chunks(const struct cut *cut, uint64_t *plan_first)
{
	const struct chunk_work *work = cut->work;
	uint64_t next;

	if (!(cut->in->flags & DESC_OUTLINE) || (cut->in->flags & DESC_SCAN))
		return true;
	if (work->rules->job->takes_all)
		return false;
	*plan_first = catalogue_plan_first(work->catalogue, work->plan_nr,
					   cut->in->file_idx);
	/* signatures stand before the chunks of their file */
	next = 1 + *plan_first;
	return next < work->plan_nr &&
	       catalogue_chunk(work->catalogue,
			       catalogue_plan(work->catalogue, next)->chunk_idx)
			       ->file_idx == cut->in->file_idx;
}

/* Makes what a step needs to know of the entry, new or taken up again. */
static void
begin_cut(struct cut *cut, uint32_t off, uint32_t end, bool at_end)
{
	struct chunk_work *work = cut->work;
	struct chunk_state *state = work->state;

	if (!state->goes_on) {
		state->cut_from = off;
		state->cut_at = off;
		state->marked = (struct lang_place){ .line = state->line_next };
	}
	cut->text = (struct lang_text){
		.bytes = slab_at(work->slabs, cut->in->slab_idx) +
			 state->cut_from,
		.off = state->file_off - (state->cut_at - state->cut_from),
		.nr = end - state->cut_from,
		.at_end = at_end,
	};
	if (cut->text.off == 0 && !state->goes_on)
		refine_language(cut);
	cut->requested = job_requested_for(work->rules->job, work->catalogue,
					   cut->in->file_idx);
	cut->gives_chunks = gives_chunks(cut, &cut->plan_first);
	work->scratch->waiting_nr = 0;
	cut->fit = work->rules->fit;
	cut->fit.estimates =
		file_is_estimated(work->estimated_from, cut->in->file_idx);
	chunk_derive_begin(cut);
	state->goes_on = 0;
}

bool
chunk_cut(struct chunk_work *work, const struct desc *in, uint32_t off,
	  bool at_end, uint32_t *left)
{
	struct chunk_state *state = work->state;
	struct cut cut = { .work = work, .in = in };
	uint32_t end = in->slab_off + in->bytes;

	*left = end;
	if (off == end && !at_end && !state->goes_on)
		return true;
	begin_cut(&cut, off, end, at_end);
	give_chunks(&cut, end);
	if (state->cut_at < end && is_full(&cut)) {
		give_waiting(work);
		state->goes_on = 1;
		return false;
	}
	if (!cut.is_uncut || !chunk_derive_recall(&cut)) {
		end_scan(&cut);
		chunk_derive_end(&cut);
	}
	chunk_derive_emit(&cut);
	*left = state->cut_at;
	return true;
}

void
chunk_make_whole(struct chunk_work *work, const struct desc *in,
		 struct desc_file *file)
{
	struct cut cut = { .work = work, .in = in, .collects = true };

	begin_cut(&cut, in->slab_off, in->slab_off + in->bytes, true);
	give_chunks(&cut, in->slab_off + in->bytes);
	end_scan(&cut);
	chunk_derive_end(&cut);
	chunk_derive_tell(&cut, file);
}
