/* SPDX-License-Identifier: MIT */
/*
 * format_worker.c - selected runs into the output, counted as one text.
 *
 * Does: opens and closes sections, writes content straight from the slabs,
 *       counts the whole, gives slabs back, says what a pass came to.
 * Does not: know what sections look like (format_markdown.c) or how bytes
 *           are written (format_io_output.c).
 * Runs in: format.
 * Invariants:
 * 1. A step writes at offsets that its state names: done again, it writes
 *    the same bytes in the same place.
 * 2. `written_bytes` is published only for what is committed.
 */
#include "stages/format/format_worker.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "shm/diag.h"
#include "shm/fault.h"
#include "shm/slab.h"
#include "stages/format/format.h"
#include "stages/format/format_io_output.h"
#include "tokenizer/tokenizer.h"

#define ENTRIES_PER_STEP 32
#define PIECES_MAX (4 * ENTRIES_PER_STEP)
#define NAME_BYTES (256u << 10) /* a quoted path */
#define TEXT_BYTES (4 * NAME_BYTES)
#define AHEAD_BYTES_MAX (64u << 20) /* of what is written and not yet pumped */

struct format_state {
	uint64_t offset;    /* of the next byte of the output */
	uint64_t line_next; /* what would follow without a gap */
	uint32_t file_idx;
	uint32_t open; /* 1: a section is open */
	uint32_t fence;
	uint32_t last_byte;         /* of the content; 256: none yet */
	uint64_t plan_next;         /* entry of the plan, in gather of a plan */
	struct token_stream stream; /* of the whole output */
};

/* What is made anew in each process. */
struct format_scratch {
	struct format_text text; /* first: spill() comes back from it */
	struct worker *worker;
	int error; /* of a spill, for the end of the step */
	struct iovec pieces[PIECES_MAX];
	size_t piece_nr;
	uint64_t bytes; /* of the pieces */
	char *text_start;
	char path[NAME_BYTES];
	char other[NAME_BYTES];
	char text_bytes[TEXT_BYTES];
};

static void
begin_pieces(struct format_scratch *scratch)
{
	scratch->piece_nr = 0;
	scratch->bytes = 0;
	scratch->text.at = scratch->text_bytes;
	scratch->text.room = sizeof(scratch->text_bytes);
	scratch->text.short_of_room = false;
	scratch->text_start = scratch->text.at;
}

static void
add_piece(struct format_scratch *scratch, void *bytes, size_t nr)
{
	ASSERT(scratch->piece_nr < PIECES_MAX);
	scratch->pieces[scratch->piece_nr++] =
		(struct iovec){ .iov_base = bytes, .iov_len = nr };
	scratch->bytes += nr;
}

/* The text made since the last call becomes a piece, and is counted. */
static void
add_text(struct worker *worker)
{
	struct format_state *state = worker->state;
	struct format_scratch *scratch = worker->scratch;
	size_t nr = (size_t)(scratch->text.at - scratch->text_start);

	ASSERT(!scratch->text.short_of_room);
	if (nr == 0)
		return;
	token_stream_feed(worker->run->tokenizer, NULL, &state->stream,
			  (const uint8_t *)scratch->text_start, nr);
	add_piece(scratch, scratch->text_start, nr);
	scratch->text_start = scratch->text.at;
}

static int
write_pieces(struct worker *worker)
{
	struct format_state *state = worker->state;
	struct format_scratch *scratch = worker->scratch;
	struct control_shm *control = worker->run->segment.control;
	int error = format_write_all(worker->run->output_fd, scratch->pieces,
				     scratch->piece_nr, state->offset);

	FAULT("written");
	if (error != 0) {
		/* relaxed: read when this process is dead */
		atomic_store_explicit(&control->write_error, -error,
				      memory_order_relaxed);
		return error;
	}
	stat_add(worker->shm, STAT_bytes, scratch->bytes);
	state->offset += scratch->bytes;
	return 0;
}

/*
 * The text is full before its step is: what there is of it goes out first.
 * Where is a matter of the state, so done again it lands in the same place.
 */
static void
spill(struct format_text *text)
{
	struct format_scratch *scratch = (struct format_scratch *)(void *)text;
	int error;

	add_text(scratch->worker);
	error = write_pieces(scratch->worker);
	if (scratch->error == 0)
		scratch->error = error;
	begin_pieces(scratch);
}

static void
quote_path(struct worker *worker, char *out, uint32_t file_idx)
{
	const struct file_record *file =
		catalogue_file(&worker->catalogue, file_idx);

	diag_quote(out, NAME_BYTES - 2,
		   catalogue_path(&worker->catalogue, file), file->path_bytes);
	format_quote(out);
}

static void
open_section(struct worker *worker, uint32_t file_idx, uint64_t line_first,
	     uint64_t line_last)
{
	struct format_state *state = worker->state;
	struct format_scratch *scratch = worker->scratch;
	const struct catalogue *catalogue = &worker->catalogue;
	const struct file_record *file = catalogue_file(catalogue, file_idx);
	const struct file_facts *facts = catalogue_facts(catalogue, file_idx);
	struct format_section section = {
		.path = scratch->path,
		.charset = charset_name(file->charset),
		.hint = catalogue_hint(catalogue, file),
		.hint_bytes = file->hint_bytes,
		.line_first = line_first,
		.line_last = line_last,
		.fence = format_fence(facts->backtick_run),
		.empty = facts->bytes == 0,
		.no_newline = facts->no_newline && line_last == facts->line_nr,
	};

	quote_path(worker, scratch->path, file_idx);
	if (facts->same_as != FILE_NONE) {
		quote_path(worker, scratch->other, facts->same_as);
		section.same_as = scratch->other;
	}
	format_open(&scratch->text, &section);
	add_text(worker);
	state->file_idx = file_idx;
	state->open = !section.empty && section.same_as == NULL;
	state->fence = section.fence;
	state->line_next = line_first;
	state->last_byte = '\n';
}

static void
close_section(struct worker *worker)
{
	struct format_state *state = worker->state;
	struct format_scratch *scratch = worker->scratch;

	if (!state->open)
		return;
	format_close(&scratch->text, state->fence, state->last_byte != '\n');
	add_text(worker);
	state->open = 0;
}

/* The lines that the plan takes of the file that its cursor stands on. */
static void
planned_lines(struct worker *worker, uint64_t *first, uint64_t *last)
{
	struct format_state *state = worker->state;
	const struct catalogue *catalogue = &worker->catalogue;
	const struct control_shm *control = worker->run->segment.control;
	/* relaxed: written before this pass was asked for */
	uint64_t nr =
		atomic_load_explicit(&control->plan_nr, memory_order_relaxed);
	uint64_t at = state->plan_next;
	const struct chunk_record *chunk = catalogue_chunk(
		catalogue, catalogue_plan(catalogue, at)->chunk_idx);
	uint32_t file_idx = chunk->file_idx;

	*first = chunk->line_first;
	for (; at < nr; at++) {
		chunk = catalogue_chunk(
			catalogue, catalogue_plan(catalogue, at)->chunk_idx);
		if (chunk->file_idx != file_idx)
			break;
		*last = chunk->line_first + max_u64(chunk->line_nr, 1) - 1;
	}
	state->plan_next = at;
}

/* Moves the plan's cursor to this file; passes what has been dropped. */
static void
find_planned(struct worker *worker, uint32_t file_idx)
{
	struct format_state *state = worker->state;
	const struct catalogue *catalogue = &worker->catalogue;

	while (catalogue_chunk(
		       catalogue,
		       catalogue_plan(catalogue, state->plan_next)->chunk_idx)
		       ->file_idx < file_idx)
		state->plan_next++;
}

static void
begin_file(struct worker *worker, const struct desc *in)
{
	const struct file_facts *facts =
		catalogue_facts(&worker->catalogue, in->file_idx);
	uint64_t first = 1;
	uint64_t last = facts->line_nr;

	close_section(worker);
	if (!run_takes_all(worker->run)) {
		find_planned(worker, in->file_idx);
		planned_lines(worker, &first, &last);
	}
	open_section(worker, in->file_idx, first, last);
}

static void
take_run(struct worker *worker, const struct desc *in)
{
	struct format_state *state = worker->state;
	struct format_scratch *scratch = worker->scratch;
	uint8_t *text = slab_content(&worker->run->segment.slabs, in);
	struct token_span span = {
		.head_len = in->span_head,
		.tail_off = in->span_tail,
		.tokens = in->tokens,
		.found = in->span_head < in->bytes,
	};

	if (!state->open || state->file_idx != in->file_idx)
		begin_file(worker, in);
	if (in->line_first > state->line_next) {
		format_gap(&scratch->text, state->line_next,
			   in->line_first - 1ull);
		add_text(worker);
	}
	if (!span.found)
		span = (struct token_span){ .found = false };
	token_stream_feed_span(worker->run->tokenizer, NULL, &state->stream,
			       text, in->bytes, &span);
	add_piece(scratch, text, in->bytes);
	state->last_byte = text[in->bytes - 1];
	/* a run that ends within a line is gone on with on that line */
	state->line_next =
		in->line_first + in->line_nr -
		((in->flags & DESC_MORE) != 0 && state->last_byte != '\n');
	if (in->flags & DESC_LAST)
		close_section(worker);
}

static void
take_file(struct worker *worker, const struct desc *in)
{
	struct format_state *state = worker->state;
	struct format_scratch *scratch = worker->scratch;

	if (in->reason == REASON_NONE) {
		close_section(worker);
		open_section(worker, in->file_idx, 1,
			     catalogue_facts(&worker->catalogue, in->file_idx)
				     ->line_nr);
	} else if (state->open && state->file_idx == in->file_idx) {
		/* it was being written when it went bad */
		format_broken(&scratch->text, reason_text(in->reason));
		add_text(worker);
		state->last_byte = '\n';
		close_section(worker);
	}
}

static void
release(struct worker *worker, const struct desc *in)
{
	struct desc slab = { .kind = DESC_SLAB,
			     .flags = DESC_RELEASE,
			     .slab_idx = in->slab_idx };

	if (in->flags & DESC_RELEASE)
		worker_emit(worker, EDGE_FORMAT_SLABS, 0, &slab);
}

/* stdout is slower than we are: let the supervisor catch up. */
static bool
is_far_ahead(const struct worker *worker)
{
	const struct format_state *state = worker->state;
	const struct control_shm *control = worker->run->segment.control;
	/* relaxed: a hint on when to wait; the supervisor wakes us */
	uint64_t pumped = atomic_load_explicit(&control->pumped_bytes,
					       memory_order_relaxed);

	return worker->run->output_streams &&
	       state->offset - min_u64(pumped, state->offset) > AHEAD_BYTES_MAX;
}

/* The end of a step: all that has not been written yet. */
static int
write_rest(struct worker *worker)
{
	const struct format_scratch *scratch = worker->scratch;

	return scratch->error != 0 ? scratch->error : write_pieces(worker);
}

static void
publish_written(struct worker *worker)
{
	struct format_state *state = worker->state;

	if (!worker->run->output_streams)
		return;
	/* release: the bytes are in the file */
	atomic_store_explicit(&worker->run->segment.control->written_bytes,
			      state->offset, memory_order_release);
}

static int
format_step(struct worker *worker)
{
	struct format_state *state = worker->state;
	struct desc in;
	int taken = 0;
	int error;

	/* of the step before: it is committed */
	publish_written(worker);
	if (is_far_ahead(worker))
		return STEP_AGAIN;
	if (state->offset == 0)
		token_stream_init(&state->stream);
	begin_pieces(worker->scratch);
	while (taken < ENTRIES_PER_STEP &&
	       worker_room(worker, EDGE_FORMAT_SLABS, 0) > 0 &&
	       worker_peek(worker, EDGE_SELECTED, 0, 0, &in)) {
		worker_position(worker, in.file_idx);
		if (in.kind == DESC_RUN)
			take_run(worker, &in);
		else if (in.kind == DESC_FILE)
			take_file(worker, &in);
		release(worker, &in);
		worker_take(worker, EDGE_SELECTED, 0);
		taken++;
	}
	if (taken == 0)
		return worker_drained(worker) ? STEP_END : STEP_AGAIN;
	error = write_rest(worker);
	return error != 0 ? error : STEP_DONE;
}

/* What cannot be written is left out; its slab goes back all the same. */
static int
format_poison(struct worker *worker)
{
	struct desc in;

	if (!worker_peek(worker, EDGE_SELECTED, 0, 0, &in))
		return worker_drained(worker) ? STEP_END : STEP_AGAIN;
	if (worker_room(worker, EDGE_FORMAT_SLABS, 0) == 0)
		return STEP_AGAIN;
	release(worker, &in);
	worker_take(worker, EDGE_SELECTED, 0);
	/* relaxed: read when all workers are gone */
	atomic_fetch_add_explicit(&worker->run->segment.control->poisoned, 1,
				  memory_order_relaxed);
	return STEP_DONE;
}

static int
format_init(struct worker *worker)
{
	struct format_scratch *scratch = malloc(sizeof(*scratch));

	if (scratch == NULL)
		return -ENOMEM;
	scratch->text.spill = spill;
	scratch->worker = worker;
	scratch->error = 0;
	worker->scratch = scratch;
	return 0;
}

/* The pass is over: the verdict, and a fresh start if there is another. */
static int
format_flush(struct worker *worker)
{
	struct format_state *state = worker->state;
	struct control_shm *control = worker->run->segment.control;
	int error;

	if (worker->pass == PASS_FIRST && !run_takes_all(worker->run))
		return STEP_DONE;
	begin_pieces(worker->scratch);
	close_section(worker);
	error = write_rest(worker);
	if (error == 0)
		error = format_truncate(worker->run->output_fd, state->offset);
	if (error != 0)
		return error;
	publish_written(worker);
	/* relaxed: `verdict_pass` publishes both */
	atomic_store_explicit(&control->verdict_bytes, state->offset,
			      memory_order_relaxed);
	atomic_store_explicit(
		&control->verdict_tokens,
		state->offset == 0 ? 0
				   : token_stream_count(worker->run->tokenizer,
							&state->stream),
		memory_order_relaxed);
	/* release: all about the pass is whole */
	atomic_store_explicit(&control->verdict_pass, worker->pass,
			      memory_order_release);
	worker_wake_stage(worker, STAGE_SELECT);
	if (!run_takes_all(worker->run))
		*state = (struct format_state){ 0 };
	return STEP_DONE;
}

const struct stage_ops format_ops = {
	.init = format_init,
	.step = format_step,
	.flush = format_flush,
	.poison = format_poison,
	.state_bytes = sizeof(struct format_state),
};
