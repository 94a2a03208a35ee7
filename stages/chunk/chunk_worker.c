/* SPDX-License-Identifier: MIT */
/*
 * chunk_worker.c - content in, runs of chunks out.
 *
 * Does: whole files, parts of large files (what a slab's end cuts off goes in
 *       front of the next slab) and planned ranges; facts on each file.
 * Does not: decide where to cut (chunk_struct.c; where no structure is known,
 *           chunk_split.c).
 * Runs in: chunk, one worker a lane.
 * Invariants:
 * 1. What is carried stays in its slab, unreleased, until the step is
 *    committed that has copied it in front of the next one.
 * 2. An entry gives at most RUNS_MAX descriptors: one step, one entry.
 */
#include "stages/chunk/chunk_worker.h"

#include <string.h>

#include "markup/markup.h"
#include "shm/fault.h"
#include "shm/slab.h"
#include "stages/chunk/chunk.h"
#include "stages/chunk/chunk_struct.h"

/*
 * Neighbours are joined to about 700 tokens: smaller chunks would rank a
 * little better, but there would be many more of them to keep and to rank. In
 * an entry that has given FINE_RUNS, no chunk is smaller than COARSE_BYTES:
 * what is left of a slab then fits the step.
 */
#define JOIN_BYTES 2048
#define FINE_RUNS 64
#define COARSE_BYTES 2560
#define RUNS_MAX (FINE_RUNS + SLAB_BYTES / COARSE_BYTES + 8)

/*
 * With a query, what competes are pieces of some thirty lines: docs/ranking.md
 * has what other sizes do. Each may be followed by the terms that it has.
 */
#define PIECE_MAX_BYTES 1100
#define PIECE_MIN_BYTES 360
#define PIECE_JOIN_BYTES 540
#define FINE_PIECES 320
#define PIECES_MAX (FINE_PIECES + SLAB_BYTES / COARSE_BYTES + 8)
#define EMITS_NEEDED (2 * PIECES_MAX + 4)

static_assert(RUNS_MAX <= PIECES_MAX, "what is needed with a query is enough");
static_assert(EMITS_NEEDED <= EMITS_MAX, "an entry fits a step");
static_assert(SLAB_BYTES / (CHUNK_AIM_BYTES / 2) + 8 <= RUNS_MAX,
	      "by lines, too");
static_assert(CHUNK_MAX_TOKENS * CHUNK_TOKEN_BYTES + 1024 < SLAB_HEAD_BYTES,
	      "what a chunk may need can be carried");

struct chunk_state {
	struct chunk_tally tally; /* of the large file in work */
	uint64_t file_off;        /* of the next byte to be cut */
	uint32_t line_next;       /* its line */
	uint32_t file_idx;        /* FILE_NONE + 1 = 0: none */
	uint32_t dead_file;       /* index + 1 of a file that is passed over */
	uint32_t dead_reason;     /* why */
	uint32_t carry_slab;      /* index + 1 */
	uint32_t carry_off;
	uint32_t carry_bytes;
	uint32_t in_chain; /* 1: the chunk in work has given runs */
	uint32_t pad;
	struct chunk_cutter cutter; /* of the large file in work, if any */
};

static_assert(sizeof(struct chunk_state) <= STATE_BYTES_MAX, "fits a step");

static void
emit(struct worker *worker, const struct desc *desc)
{
	worker_emit(worker, EDGE_CHUNKS, worker->lane, desc);
}

static void
emit_slab(struct worker *worker, uint32_t slab_idx)
{
	struct desc desc = { .kind = DESC_SLAB,
			     .flags = DESC_RELEASE,
			     .slab_idx = slab_idx };

	emit(worker, &desc);
}

static void
emit_file(struct worker *worker, const struct desc *in,
	  const struct chunk_tally *tally, uint8_t flags)
{
	bool ends = tally->bytes == 0 || tally->last_byte == '\n';
	uint64_t lines = tally->newlines + !ends;
	struct desc_file file = {
		.kind = DESC_FILE,
		.flags = flags,
		.file_idx = in->file_idx,
		.slab_idx = SLAB_NONE,
		.line_nr = (uint32_t)min_u64(lines, UINT32_MAX),
		.mark_run = tally->mark_run,
		.dot_run = tally->dot_run,
		.traits = tally->traits,
	};

	if (!ends)
		file.flags |= DESC_NO_NEWLINE;
	if (in->kind == DESC_WHOLE) {
		file.slab_idx = in->slab_idx;
		file.slab_off = in->slab_off;
		file.bytes = in->bytes;
	}
	worker_emit(worker, EDGE_CHUNKS, worker->lane,
		    (const struct desc *)(const void *)&file);
}

/* What a run has of the query; nothing if it has nothing of it. */
static void
emit_terms(struct worker *worker, const struct desc *run, const uint8_t *text)
{
	const struct query *query = worker->run->options.query;
	uint8_t counts[QUERY_TERMS_MAX] = { 0 };
	struct desc_terms terms = {
		.kind = DESC_TERMS,
		.flags = run->flags & (DESC_SCAN | DESC_MORE),
		.file_idx = run->file_idx,
		.slab_idx = SLAB_NONE,
	};

	query_count(query, text, run->bytes, counts);
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

/* The run of `bytes` at slab offset `off`; counts its lines. */
static void
emit_run(struct worker *worker, const struct desc *in, uint32_t off,
	 uint32_t bytes, uint8_t more)
{
	struct chunk_state *state = worker->state;
	struct desc run = {
		.kind = DESC_RUN,
		.flags =
			(uint8_t)((in->flags & (DESC_SCAN | DESC_EMIT)) | more),
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
	state->in_chain = more != 0;
	emit(worker, &run);
	if ((in->flags & DESC_SCAN) && run_asks(worker->run))
		emit_terms(worker, &run, text);
}

/* The language of a file, as far as its structure is known. */
static uint32_t
language_of(const struct worker *worker, uint32_t file_idx)
{
	const struct file_record *file =
		catalogue_file(&worker->catalogue, file_idx);

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

/* Of the format: the longest run of it decides on fences. */
static uint8_t
mark_of(const struct worker *worker)
{
	enum markup_kind kind = worker->run->options.markup.kind;

	return (uint8_t)markup_table[kind]->mark;
}

static bool
strips(const struct worker *worker)
{
	return worker->run->options.markup.unicode == MARKUP_UNICODE_STRIP;
}

/* Bytes of the chunk that begins there; 0: not to be told yet. */
static size_t
next_chunk(const struct worker *worker, struct chunk_cutter *cutter,
	   const struct chunk_text *text, uint32_t runs)
{
	size_t skip = (size_t)(cutter->start - text->off);
	struct chunk_limits limits;
	size_t bytes;

	if (cutter->scan.lang != CHUNK_LANG_NONE) {
		limits_for(worker, &limits, runs);
		return chunk_cutter_next(cutter, text, &limits, NULL);
	}
	bytes = chunk_next(text->bytes + skip, text->nr - skip, text->at_end);
	cutter->start += bytes;
	return bytes;
}

/* The rest of a line that has given runs, or 0 if it is not all here. */
static size_t
rest_of_line(struct chunk_cutter *cutter, const struct chunk_text *text)
{
	size_t skip = (size_t)(cutter->start - text->off);
	size_t left = text->nr - skip;
	const uint8_t *newline = memchr(text->bytes + skip, '\n', left);
	size_t bytes = text->at_end ? left : 0;

	if (newline != NULL)
		bytes = (size_t)(newline - text->bytes) + 1 - skip;
	chunk_cutter_skip(cutter, bytes);
	return bytes;
}

/*
 * Cuts the bytes [off, end) of a slab into runs; gives back the offset of
 * what is left for the next slab, or `end`.
 */
static uint32_t
cut(struct worker *worker, const struct desc *in, struct chunk_cutter *cutter,
    uint32_t off, uint32_t end, bool at_end)
{
	struct chunk_state *state = worker->state;
	const struct chunk_text text = {
		.bytes = slab_at(&worker->run->segment.slabs, in->slab_idx) +
			 off,
		.off = state->file_off,
		.nr = end - off,
		.at_end = at_end,
	};

	for (uint32_t runs = 0; off < end; runs++) {
		uint32_t left = end - off;
		size_t bytes = state->in_chain ? rest_of_line(cutter, &text)
					       : next_chunk(worker, cutter,
							    &text, runs);

		if (bytes != 0) {
			emit_run(worker, in, off, (uint32_t)bytes, 0);
			off += (uint32_t)bytes;
		} else if (state->in_chain || left > SLAB_HEAD_BYTES) {
			/* a line longer than what can be carried: a chain */
			emit_run(worker, in, off, left, DESC_MORE);
			chunk_cutter_skip(cutter, left);
			off = end;
		} else {
			return off;
		}
	}
	return end;
}

/* A cutter for a file from its beginning. */
static void
begin_cutter(struct worker *worker, uint32_t file_idx,
	     struct chunk_cutter *cutter)
{
	struct chunk_limits limits;

	limits_for(worker, &limits, 0);
	chunk_cutter_init(cutter, language_of(worker, file_idx), &limits);
}

/*
 * The cutter is the larger part of the state, and of interest only between
 * two parts of a file that is looked at.
 */
static void
set_state_bytes(struct worker *worker, bool with_cutter)
{
	worker->state_bytes =
		(uint32_t)(with_cutter ? sizeof(struct chunk_state)
				       : offsetof(struct chunk_state, cutter));
}

static void
begin_file(struct chunk_state *state, uint32_t file_idx)
{
	uint32_t dead_file = state->dead_file;

	memset(state, 0, offsetof(struct chunk_state, cutter));
	state->file_idx = file_idx;
	state->line_next = 1;
	state->dead_file = dead_file;
}

static void
step_whole(struct worker *worker, const struct desc *in)
{
	struct chunk_state *state = worker->state;
	const uint8_t *text = slab_content(&worker->run->segment.slabs, in);
	struct chunk_tally tally = { .mark = mark_of(worker),
				     .strips = strips(worker) };
	uint8_t last = in->flags & DESC_RELEASE;
	struct chunk_cutter cutter;

	begin_file(state, in->file_idx);
	set_state_bytes(worker, false);
	chunk_tally_add(&tally, text, in->bytes);
	if (in->flags & DESC_EMIT) {
		/* count makes the run of it: one entry, one poison */
		emit_file(worker, in, &tally, DESC_EMIT | DESC_LAST | last);
		return;
	}
	begin_cutter(worker, in->file_idx, &cutter);
	cut(worker, in, &cutter, in->slab_off, in->slab_off + in->bytes, true);
	emit_file(worker, in, &tally, DESC_SCAN | DESC_LAST | last);
}

/* A part of a large file that is to be looked at. */
static void
scan_part(struct worker *worker, const struct desc *in)
{
	struct chunk_state *state = worker->state;
	const struct slabs *slabs = &worker->run->segment.slabs;
	bool at_end = in->flags & DESC_LAST;
	uint32_t end = in->slab_off + in->bytes;
	uint32_t off = in->slab_off - state->carry_bytes;
	uint32_t left;

	ASSERT(in->slab_off >= state->carry_bytes);
	if (state->carry_bytes > 0)
		memcpy(slab_at(slabs, in->slab_idx) + off,
		       slab_at(slabs, state->carry_slab - 1) + state->carry_off,
		       state->carry_bytes);
	FAULT("carried");
	chunk_tally_add(&state->tally, slab_content(slabs, in), in->bytes);
	left = cut(worker, in, &state->cutter, off, end, at_end);
	if (state->carry_slab != 0)
		emit_slab(worker, state->carry_slab - 1);
	state->carry_slab = 0;
	state->carry_bytes = end - left;
	if (state->carry_bytes > 0) {
		state->carry_slab = in->slab_idx + 1;
		state->carry_off = left;
	} else {
		emit_slab(worker, in->slab_idx);
	}
	if (at_end)
		emit_file(worker, in, &state->tally,
			  run_takes_all(worker->run)
				  ? DESC_SCAN
				  : (uint8_t)(DESC_SCAN | DESC_LAST));
}

/* A part of a large file, or a planned range: written as it is. */
static void
emit_part(struct worker *worker, const struct desc *in)
{
	struct chunk_state *state = worker->state;
	uint8_t flags = in->flags & (DESC_MORE | DESC_RELEASE | DESC_LAST);

	if (in->kind == DESC_RANGE) {
		state->line_next = in->line_first;
		state->file_off = in->file_off;
	}
	emit_run(worker, in, in->slab_off, in->bytes, flags);
	state->in_chain = 0;
}

/*
 * Whether the slab of a file that is passed over may hold others that are
 * still on their way to be written: then it has to go back behind them, by
 * format, and the file keeps its turn until its last entry. A part of a large
 * file has its slab alone.
 */
static bool
keeps_turn(const struct worker *worker, const struct desc *in)
{
	return (in->flags & DESC_EMIT) &&
	       (in->kind == DESC_WHOLE || !run_takes_all(worker->run));
}

/* Ends the turn of the file that is passed over. */
static void
emit_end(struct worker *worker, const struct desc *in)
{
	const struct chunk_state *state = worker->state;
	struct desc_file file = {
		.kind = DESC_FILE,
		.flags = (uint8_t)((in->flags & (DESC_SCAN | DESC_EMIT)) |
				   DESC_LAST),
		.reason = (uint8_t)state->dead_reason,
		.file_idx = in->file_idx,
		.slab_idx = SLAB_NONE,
	};

	worker_emit(worker, EDGE_CHUNKS, worker->lane,
		    (const struct desc *)(const void *)&file);
}

/* An entry of a file that is left out: only its slab matters. */
static void
pass_over(struct worker *worker, const struct desc *in)
{
	bool keeps = keeps_turn(worker, in);

	if ((in->flags & DESC_RELEASE) && keeps) {
		struct desc slab = { .kind = DESC_SLAB,
				     .flags = DESC_RELEASE | DESC_EMIT,
				     .file_idx = in->file_idx,
				     .slab_idx = in->slab_idx };

		emit(worker, &slab);
	} else if (in->flags & DESC_RELEASE) {
		emit_slab(worker, in->slab_idx);
	}
	if (keeps && (in->flags & DESC_LAST))
		emit_end(worker, in);
}

/* Leaves a file out: a fact instead of its content. */
static void
emit_left_out(struct worker *worker, const struct desc *in, uint8_t reason)
{
	struct chunk_state *state = worker->state;

	if (state->carry_slab != 0)
		emit_slab(worker, state->carry_slab - 1);
	begin_file(state, FILE_NONE);
	set_state_bytes(worker, false);
	state->dead_file = in->file_idx + 1;
	state->dead_reason = reason;
	if (!keeps_turn(worker, in))
		emit_end(worker, in);
	pass_over(worker, in);
}

static void
step_part(struct worker *worker, const struct desc *in)
{
	struct chunk_state *state = worker->state;

	if (in->reason != REASON_NONE) {
		emit_left_out(worker, in, in->reason);
		return;
	}
	if (state->file_idx != in->file_idx || in->file_off == 0) {
		begin_file(state, in->file_idx);
		state->tally.mark = mark_of(worker);
		state->tally.strips = strips(worker);
		if (in->flags & DESC_SCAN)
			begin_cutter(worker, in->file_idx, &state->cutter);
	}
	set_state_bytes(worker, in->flags & DESC_SCAN);
	if (in->flags & DESC_SCAN)
		scan_part(worker, in);
	else
		emit_part(worker, in);
}

static int
chunk_step(struct worker *worker)
{
	struct chunk_state *state = worker->state;
	struct desc in;

	if (!worker_peek(worker, EDGE_CONTENT, worker->lane, 0, &in))
		return worker_drained(worker) ? STEP_END : STEP_AGAIN;
	if (worker_room(worker, EDGE_CHUNKS, worker->lane) < EMITS_NEEDED)
		return STEP_AGAIN;
	worker_position(worker, in.file_idx);
	stat_add(worker->shm, STAT_bytes, in.bytes);
	if (state->dead_file == in.file_idx + 1) {
		pass_over(worker, &in);
	} else if (in.kind == DESC_WHOLE) {
		step_whole(worker, &in);
	} else if (in.kind == DESC_PART) {
		step_part(worker, &in);
	} else {
		ASSERT(in.kind == DESC_RANGE);
		emit_part(worker, &in);
	}
	FAULT("cut");
	worker_take(worker, EDGE_CONTENT, worker->lane);
	return STEP_DONE;
}

static int
chunk_poison(struct worker *worker)
{
	struct desc in;

	if (!worker_peek(worker, EDGE_CONTENT, worker->lane, 0, &in))
		return worker_drained(worker) ? STEP_END : STEP_AGAIN;
	if (worker_room(worker, EDGE_CHUNKS, worker->lane) < EMITS_NEEDED)
		return STEP_AGAIN;
	emit_left_out(worker, &in, REASON_POISON);
	worker_take(worker, EDGE_CONTENT, worker->lane);
	return STEP_DONE;
}

static int
chunk_init(struct worker *worker)
{
	(void)worker;
	return 0;
}

static int
chunk_flush(struct worker *worker)
{
	struct chunk_state *state = worker->state;

	/* a file left out of this pass may be read again in the next */
	state->dead_file = 0;
	return STEP_DONE;
}

const struct stage_ops chunk_ops = {
	.init = chunk_init,
	.step = chunk_step,
	.flush = chunk_flush,
	.poison = chunk_poison,
	.state_bytes = sizeof(struct chunk_state),
};
