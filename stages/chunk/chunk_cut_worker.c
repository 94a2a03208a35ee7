/* SPDX-License-Identifier: MIT */
/*
 * chunk_cut_worker.c - the content of an entry into runs of chunks.
 *
 * Does: cuts; makes signatures and texts without comments, beside the content
 *       in its slab.
 * Does not: decide where to cut (chunk_struct.c; where no structure is known,
 *           chunk_split.c), or what a signature is (chunk_sign.c).
 * Runs in: chunk.
 * Invariants:
 * 1. Content is never written over: a step that is done again finds it as it
 *    was.
 * 2. A file gives the same chunks and the same made texts in gather as in the
 *    survey: it comes in the same parts.
 */
#include <string.h>

#include "shm/slab.h"
#include "stages/chunk/chunk_worker.h"

/* A text in the making, in a slab. */
struct made {
	uint8_t *slab;
	uint32_t off;
	uint32_t bytes;
	uint32_t room;
	bool is_short; /* not all of it fitted */
};

/* One entry in work. */
struct cut {
	struct worker *worker;
	const struct desc *in;
	struct chunk_text text;
	struct made signatures;
	struct made stripped;
	struct chunk_maker maker;
	struct chunk_sink sink;
	const struct chunk_sink *told; /* the sink, if anybody listens */
	struct chunk_place place;      /* for the lines of markers */
	bool keeps_names;
	bool collects; /* stripped chunks become one text, no runs */
};

/* The language of a file, as far as its structure is known. */
static uint32_t
language_of(struct worker *worker, uint32_t file_idx)
{
	const struct file_record *file =
		catalogue_file(&worker->catalogue, file_idx);

	worker_passed_file(worker);
	if (file->hint_bytes == 0)
		return CHUNK_LANG_NONE;
	return chunk_lang_find(catalogue_hint(&worker->catalogue, file),
			       file->hint_bytes);
}

static void
limits_for(const struct worker *worker, struct chunk_limits *limits,
	   uint32_t runs)
{
	bool pieces = run_asks(worker->run);

	chunk_limits_init(limits, CHUNK_MAX_TOKENS, CHUNK_MIN_TOKENS);
	limits->join_bytes = JOIN_BYTES;
	if (pieces) {
		limits->max_bytes = PIECE_MAX_BYTES;
		limits->min_bytes = PIECE_MIN_BYTES;
		limits->join_bytes = PIECE_JOIN_BYTES;
	}
	if (runs >= (pieces ? FINE_PIECES : FINE_RUNS)) {
		limits->max_bytes = CHUNK_MAX_TOKENS * CHUNK_TOKEN_BYTES;
		limits->min_bytes = COARSE_BYTES;
		limits->join_bytes = COARSE_BYTES;
	}
}

void
chunk_begin_file(struct worker *worker, uint32_t file_idx)
{
	struct chunk_state *state = worker->state;
	uint32_t dead_file = state->dead_file;
	uint64_t names_next = state->names.next;
	struct chunk_limits limits;

	memset(state, 0, offsetof(struct chunk_state, cutter));
	state->names.next = names_next;
	state->comments.nr = 0;
	state->comments.base_off = 0;
	state->file_idx = file_idx;
	state->line_next = 1;
	state->dead_file = dead_file;
	if (file_idx == FILE_NONE)
		return;
	limits_for(worker, &limits, 0);
	chunk_cutter_init(&state->cutter, language_of(worker, file_idx),
			  &limits);
}

/* ----------------------------------------------------------- made texts -- */

/*
 * Where the made text number nr of an entry lies (stages/stage.h draws it).
 * It has as much room as what it is made of.
 */
static void
make_room(struct cut *cut, uint32_t nr, struct made *made)
{
	const struct run *run = cut->worker->run;
	const struct desc *in = cut->in;
	uint32_t whole = run_whole_bytes(run);
	uint32_t part = run_part_bytes(run);

	made->slab = slab_at(&run->segment.slabs, in->slab_idx);
	if (cut->text.off == 0 && cut->text.at_end && in->bytes <= whole) {
		made->off = in->slab_off + (nr + 1) * whole;
		made->room = in->bytes;
	} else {
		made->off =
			SLAB_HEAD_BYTES + part + nr * (SLAB_HEAD_BYTES + part);
		made->room = SLAB_HEAD_BYTES + part;
	}
	ASSERT(made->off + made->room <= SLAB_BYTES);
}

static void
write_signature(void *context, const uint8_t *text, size_t bytes)
{
	struct made *made = context;

	if (bytes > made->room - made->bytes) {
		made->is_short = true;
		bytes = 0;
	}
	memcpy(made->slab + made->off + made->bytes, text, bytes);
	made->bytes += (uint32_t)bytes;
}

static void
told_open(void *context, const struct chunk_def *def)
{
	struct cut *cut = context;

	if (cut->keeps_names)
		chunk_names_def(cut->worker, &cut->text, def);
	chunk_maker_open(&cut->maker, def);
}

static void
told_import(void *context, uint64_t off, uint32_t bytes)
{
	struct cut *cut = context;

	if (cut->keeps_names)
		chunk_names_import(cut->worker, &cut->text, off, bytes);
	chunk_maker_import(&cut->maker, off, bytes);
}

static void
told_comment(void *context, uint64_t off, uint64_t end_off)
{
	struct cut *cut = context;

	if (cut->keeps_names)
		chunk_names_comment(cut->worker, &cut->text, &cut->place, off,
				    end_off);
	chunk_maker_comment(&cut->maker, off, end_off);
}

static void
begin_made(struct cut *cut)
{
	struct worker *worker = cut->worker;
	struct chunk_state *state = worker->state;
	const struct pack_options *options = &worker->run->options;
	uint32_t nr = 0;

	cut->maker.text = &cut->text;
	if (options->strip_comments)
		cut->maker.comments = &state->comments;
	if (run_strips(worker->run))
		make_room(cut, nr++, &cut->stripped);
	if (cut->in->flags & DESC_SIGN) {
		make_room(cut, nr, &cut->signatures);
		cut->maker.signer = &state->signer;
		cut->maker.write = write_signature;
		cut->maker.context = &cut->signatures;
		cut->maker.doc = options->doc;
	}
	cut->place.line = state->line_next;
	cut->keeps_names = (cut->in->flags & DESC_SCAN) &&
			   !run_takes_all(worker->run) &&
			   chunk_names_begin(worker);
	cut->sink = (struct chunk_sink){
		.open = told_open,
		.import = told_import,
		.comment = told_comment,
		.context = cut,
	};
	if (cut->keeps_names || cut->maker.signer != NULL ||
	    cut->maker.comments != NULL)
		cut->told = &cut->sink;
}

/* ----------------------------------------------------------------- runs -- */

static void
emit(struct worker *worker, const struct desc *desc)
{
	worker_emit(worker, EDGE_CHUNKS, worker->lane, desc);
}

/* What a run has of the query; nothing if it has nothing of it. */
static void
emit_terms(struct worker *worker, const struct desc *run, const uint8_t *text,
	   uint32_t bytes)
{
	const struct query *query = worker->run->options.query;
	uint8_t counts[QUERY_TERMS_MAX] = { 0 };
	struct desc_terms terms = {
		.kind = DESC_TERMS,
		.flags = run->flags & (DESC_SCAN | DESC_MORE),
		.file_idx = run->file_idx,
		.slab_idx = SLAB_NONE,
	};

	query_count(query, text, bytes, counts);
	for (uint32_t i = 0; i < query->nr && terms.nr < TERMS_OF_RUN; i++) {
		if (counts[i] == 0)
			continue;
		terms.found[terms.nr].term = (uint8_t)i;
		terms.found[terms.nr].times = counts[i];
		terms.nr++;
	}
	if (terms.nr > 0)
		emit(worker, (const struct desc *)(const void *)&terms);
}

/* A run of the next `bytes` of the file, which lie at slab offset `off`. */
static struct desc
next_run(struct worker *worker, const struct desc *in, uint32_t off,
	 uint32_t bytes)
{
	struct chunk_state *state = worker->state;
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
	const uint8_t *text = slab_content(&worker->run->segment.slabs, &run);
	uint64_t newlines = chunk_newlines(text, bytes);

	run.line_nr = (uint32_t)newlines + (text[bytes - 1] != '\n');
	state->line_next += (uint32_t)newlines;
	state->file_off += bytes;
	return run;
}

void
chunk_emit_run(struct worker *worker, const struct desc *in, uint32_t off,
	       uint32_t bytes, uint8_t more)
{
	struct chunk_state *state = worker->state;
	struct desc run = next_run(worker, in, off, bytes);

	run.flags |= more;
	state->in_chain = more != 0;
	emit(worker, &run);
}

/* Whether the next chunk of the file in work is to be written. */
static bool
is_planned(const struct worker *worker, uint32_t file_idx)
{
	const struct chunk_state *state = worker->state;
	const struct catalogue *catalogue = &worker->catalogue;
	const struct control_shm *control = worker->run->segment.control;
	uint64_t wanted;
	uint64_t from = 0;
	uint64_t nr;

	if (run_takes_all(worker->run))
		return true;
	wanted = catalogue_facts(catalogue, file_idx)->chunk_first +
		 state->chunk_next;
	/* relaxed: written before this pass was asked for */
	nr = atomic_load_explicit(&control->plan_nr, memory_order_relaxed);
	while (nr > 0) {
		uint64_t half = nr / 2;
		uint64_t there =
			catalogue_plan(catalogue, from + half)->chunk_idx;

		if (there == wanted)
			return true;
		if (there < wanted) {
			from += half + 1;
			nr -= half + 1;
		} else {
			nr = half;
		}
	}
	return false;
}

/* The chunk less its comments; one that is more than a slab could carry, and
 * so may have come in runs, stays as it is. */
static void
strip_run(struct cut *cut, struct desc *run)
{
	struct chunk_state *state = cut->worker->state;
	struct made *made = &cut->stripped;
	uint32_t bytes = run->bytes;

	if (!cut->collects && (state->in_chain || bytes > SLAB_HEAD_BYTES ||
			       (run->flags & DESC_MORE)))
		return;
	ASSERT(bytes <= made->room - made->bytes);
	run->slab_off = made->off + made->bytes;
	run->bytes = (uint32_t)chunk_strip_span(
		&state->comments, &state->cutter.scan, &cut->text,
		run->file_off, run->file_off + bytes,
		made->slab + run->slab_off);
	if (run->flags & DESC_SCAN)
		run->left_bytes = bytes - run->bytes;
	made->bytes += run->bytes;
}

static void
give_chunk(struct cut *cut, uint32_t off, uint32_t bytes, uint8_t more)
{
	struct worker *worker = cut->worker;
	struct chunk_state *state = worker->state;
	struct desc run = next_run(worker, cut->in, off, bytes);
	const struct desc source = run;

	run.flags |= more;
	if (run_strips(worker->run) && cut->in->slab_idx != SLAB_NONE &&
	    !((cut->in->flags & DESC_EMIT) && (cut->in->flags & DESC_SIGN)))
		strip_run(cut, &run);
	if (cut->maker.comments != NULL)
		chunk_comments_forget(&state->comments, state->file_off);
	if ((cut->in->flags & DESC_SCAN) ||
	    (!cut->collects && !(cut->in->flags & DESC_SIGN) &&
	     is_planned(worker, cut->in->file_idx)))
		emit(worker, &run);
	if ((cut->in->flags & DESC_SCAN) && run_asks(worker->run))
		emit_terms(worker, &run,
			   slab_content(&worker->run->segment.slabs, &source),
			   source.bytes);
	state->in_chain = more != 0;
	state->chunk_next += more == 0;
}

/* Bytes of the chunk that begins there; 0: not to be told yet. */
static size_t
next_chunk(struct cut *cut, uint32_t runs)
{
	struct chunk_state *state = cut->worker->state;
	struct chunk_cutter *cutter = &state->cutter;
	const struct chunk_text *text = &cut->text;
	size_t skip = (size_t)(cutter->start - text->off);
	struct chunk_limits limits;
	size_t bytes;

	if (cutter->scan.lang != CHUNK_LANG_NONE) {
		limits_for(cut->worker, &limits, runs);
		return chunk_cutter_next(cutter, text, &limits, cut->told);
	}
	bytes = chunk_next(text->bytes + skip, text->nr - skip, text->at_end);
	cutter->start += bytes;
	return bytes;
}

/* The rest of a line that has given runs, or 0 if it is not all here. */
static size_t
rest_of_line(struct cut *cut)
{
	struct chunk_state *state = cut->worker->state;
	const struct chunk_text *text = &cut->text;
	size_t skip = (size_t)(state->cutter.start - text->off);
	size_t left = text->nr - skip;
	const uint8_t *newline = memchr(text->bytes + skip, '\n', left);
	size_t bytes = text->at_end ? left : 0;

	if (newline != NULL)
		bytes = (size_t)(newline - text->bytes) + 1 - skip;
	chunk_cutter_skip(&state->cutter, bytes);
	return bytes;
}

static uint32_t
give_chunks(struct cut *cut, uint32_t off, uint32_t end)
{
	struct chunk_state *state = cut->worker->state;

	for (uint32_t runs = 0; off < end; runs++) {
		uint32_t left = end - off;
		size_t bytes = state->in_chain ? rest_of_line(cut)
					       : next_chunk(cut, runs);

		if (bytes != 0) {
			give_chunk(cut, off, (uint32_t)bytes, 0);
			off += (uint32_t)bytes;
		} else if (state->in_chain || left > SLAB_HEAD_BYTES) {
			/* a line longer than what can be carried: a chain */
			give_chunk(cut, off, left, DESC_MORE);
			chunk_cutter_skip(&state->cutter, left);
			off = end;
		} else {
			return off;
		}
	}
	return end;
}

static void
begin_cut(struct cut *cut, uint32_t off, uint32_t end, bool at_end)
{
	struct worker *worker = cut->worker;
	const struct chunk_state *state = worker->state;

	cut->text = (struct chunk_text){
		.bytes = slab_at(&worker->run->segment.slabs,
				 cut->in->slab_idx) +
			 off,
		.off = state->file_off,
		.nr = end - off,
		.at_end = at_end,
	};
	begin_made(cut);
}

/* What is told only when there is no more text. */
static void
end_scan(struct cut *cut)
{
	struct chunk_state *state = cut->worker->state;

	if (cut->told != NULL && cut->text.at_end &&
	    state->cutter.scan.lang != CHUNK_LANG_NONE)
		chunk_scan_feed(&state->cutter.scan, &cut->text, UINT64_MAX,
				cut->told);
}

/* What is left to be said of a text. */
static void
end_signatures(struct cut *cut)
{
	struct made *made = &cut->signatures;
	const struct chunk_text *text = &cut->text;

	if (cut->maker.signer == NULL)
		return;
	chunk_maker_end(&cut->maker);
	/* not shorter than the text: the text itself */
	if (text->at_end && text->off == 0 &&
	    (made->is_short || made->bytes >= text->nr)) {
		made->off = cut->in->slab_off;
		made->bytes = (uint32_t)text->nr;
	}
}

/* All signatures of a file are one chain; where it is written, the last run
 * of it ends it, whether there is anything in it or not. */
static void
emit_signatures(struct cut *cut)
{
	const struct desc *in = cut->in;
	const struct made *made = &cut->signatures;
	bool emits = in->flags & DESC_EMIT;
	struct desc run = {
		.kind = DESC_RUN,
		.flags = (uint8_t)((in->flags & (DESC_SCAN | DESC_EMIT)) |
				   DESC_SIGN),
		.file_idx = in->file_idx,
		.slab_idx = in->slab_idx,
		.slab_off = made->off,
		.bytes = made->bytes,
		.line_first = 1,
	};

	if (cut->maker.signer == NULL ||
	    (made->bytes == 0 && !(emits && cut->text.at_end)))
		return;
	if (emits && !cut->text.at_end)
		run.flags |= DESC_MORE;
	emit(cut->worker, &run);
}

uint32_t
chunk_cut(struct worker *worker, const struct desc *in, uint32_t off,
	  uint32_t end, bool at_end)
{
	struct cut cut = { .worker = worker, .in = in };
	uint32_t left;

	if (off == end && !at_end)
		return end;
	begin_cut(&cut, off, end, at_end);
	left = give_chunks(&cut, off, end);
	end_scan(&cut);
	end_signatures(&cut);
	emit_signatures(&cut);
	return left;
}

void
chunk_make_whole(struct worker *worker, const struct desc *in,
		 struct desc_file *file)
{
	struct cut cut = { .worker = worker, .in = in, .collects = true };
	const struct made *made = &cut.stripped;

	begin_cut(&cut, in->slab_off, in->slab_off + in->bytes, true);
	give_chunks(&cut, in->slab_off, in->slab_off + in->bytes);
	end_scan(&cut);
	end_signatures(&cut);
	if (in->flags & DESC_SIGN) {
		made = &cut.signatures;
		file->flags |= DESC_SIGN;
	}
	file->is_made = 1;
	file->made_off = made->off;
	file->made_bytes = made->bytes;
}
