/* SPDX-License-Identifier: MIT */
/*
 * collect_large_worker.c - a file larger than a slab, part by part.
 *
 * Does: reads it once to be looked at and, in gather of everything, once more
 *       to be written; makes sure that it is the same file all the time.
 * Runs in: collect.
 */
#include <errno.h>

#include "base/fault.h"
#include "shm/slab.h"
#include "stages/collect/collect_worker.h"

static void
end_large(struct worker *worker)
{
	struct collect_state *state = worker->state;

	collect_close(worker);
	state->large = (struct collect_large){ 0 };
}

/* The file cannot be had, or not as it was: it ends here. */
static int
give_up(struct worker *worker, uint8_t reason)
{
	struct collect_state *state = worker->state;
	struct desc part = {
		.kind = DESC_PART,
		.flags =
			(uint8_t)(DESC_LAST |
				  (state->large.emits ? DESC_EMIT : DESC_SCAN)),
		.reason = reason,
		.file_idx = state->large.file - 1,
		.slab_idx = SLAB_NONE,
		.file_off = state->large.off,
	};

	worker_emit(worker, EDGE_CONTENT, state->large.lane, &part);
	end_large(worker);
	return STEP_DONE;
}

/*
 * Bytes of a part at most: in gather of a plan a file comes as it came in the
 * survey, where a small one was read as a whole.
 */
static uint32_t
part_bytes(const struct worker *worker, const struct file_record *record)
{
	uint32_t whole = run_whole_bytes(worker->run);

	if (worker->pass > PASS_FIRST && !file_is_converted(record) &&
	    record->size_bytes <= whole)
		return whole;
	return run_part_bytes(worker->run);
}

/*
 * Reads the next part into a slab, and to look at it, the few bytes behind it:
 * bytes got, or -errno.
 */
static int64_t
read_part(struct worker *worker, uint32_t slab_idx,
	  const struct file_record *record)
{
	struct collect_state *state = worker->state;
	struct collect_scratch *scratch = worker->scratch;
	uint64_t left = record->size_bytes - state->large.off;
	uint64_t base = collect_base_off(worker, record) + state->large.off;
	uint64_t bytes = min_u64(left, part_bytes(worker, record));
	struct collect_read reads[] = {
		{ .to = slab_at(&worker->run->segment.slabs, slab_idx) +
			SLAB_HEAD_BYTES,
		  .off = base,
		  .bytes = bytes,
		  .fd = scratch->open_fd },
		{ .to = scratch->ahead,
		  .off = base + bytes,
		  .bytes = state->large.emits ? 0
					      : min_u64(left - bytes,
							sizeof(scratch->ahead)),
		  .fd = scratch->open_fd },
	};

	collect_run_reads(worker, reads, reads[1].bytes > 0 ? 2 : 1);
	for (uint32_t i = 0; i < ARRAY_LEN(reads); i++) {
		if (reads[i].error != 0)
			return reads[i].error;
		if (reads[i].got != reads[i].bytes)
			return -ESTALE;
	}
	scratch->ahead_nr = (uint32_t)reads[1].bytes;
	return (int64_t)bytes;
}

static bool
is_unchanged(struct worker *worker, const struct file_record *record)
{
	/* a text that came with a source is nobody else's */
	return record->root_idx == SOURCE_ROOT_TEXT ||
	       collect_still_same(worker, record) == 0;
}

static uint8_t
part_flags(const struct worker *worker, bool is_last)
{
	const struct collect_state *state = worker->state;
	uint8_t flags = DESC_RELEASE;

	flags |= state->large.emits ? DESC_EMIT : DESC_SCAN;
	if (is_last)
		flags |= DESC_LAST;
	else if (state->large.emits)
		flags |= DESC_MORE;
	if (state->large.signs)
		flags |= DESC_OUTLINE;
	return flags;
}

/* After the last part: once more to be written, or the next file. */
static void
next_reading(struct worker *worker)
{
	struct collect_state *state = worker->state;

	if (run_takes_all(worker->run) && !state->large.emits) {
		state->large.emits = 1;
		state->large.signs = worker->run->options.compress;
		state->large.off = 0;
		state->large.carried = 0;
	} else {
		end_large(worker);
	}
}

/* Of the next part: bytes got and whether it is the last; or -errno. */
static int64_t
next_part(struct worker *worker, uint32_t slab_idx, bool *is_last)
{
	struct collect_state *state = worker->state;
	uint32_t file_idx = state->large.file - 1;
	const struct file_record *record =
		catalogue_file(&worker->catalogue, file_idx);
	uint8_t *to = slab_at(&worker->run->segment.slabs, slab_idx) +
		      SLAB_HEAD_BYTES;
	int64_t got;

	if (state->large.converts) {
		got = collect_converted_read(worker, file_idx, state->large.off,
					     to, part_bytes(worker, record));
		*is_last = collect_converted_at_end(worker, file_idx);
		return got;
	}
	got = read_part(worker, slab_idx, record);
	*is_last = got >= 0 &&
		   state->large.off + (uint64_t)got == record->size_bytes;
	return got;
}

/* What the first part tells of the file: a reason, if it is left out. */
static uint8_t
look_at_first(struct worker *worker, const struct collect_part *part)
{
	struct collect_state *state = worker->state;
	const struct collect_scratch *scratch = worker->scratch;
	uint32_t file_idx = state->large.file - 1;
	struct file_record *record =
		catalogue_file(&worker->catalogue, file_idx);
	uint8_t reason =
		collect_probe(part->text, part->bytes, part->ahead_bytes == 0,
			      &record->charset);

	if (reason != REASON_NONE)
		return reason;
	if (record->charset == CHARSET_UTF8)
		collect_find_language(worker, file_idx, part->text,
				      part->bytes);
	state->path_bytes = scratch->next_path_off;
	return collect_label(worker, file_idx, record->charset, part->text,
			     part->bytes);
}

/*
 * What a part tells of a file that is read for the first time: a reason, if
 * it is left out. *convert: the part is to be read again, as what it becomes.
 */
static uint8_t
look_at(struct worker *worker, uint32_t slab_idx, size_t got, bool *convert)
{
	struct collect_state *state = worker->state;
	const struct collect_scratch *scratch = worker->scratch;
	struct file_record *record =
		catalogue_file(&worker->catalogue, state->large.file - 1);
	const struct collect_part part = {
		.text = slab_at(&worker->run->segment.slabs, slab_idx) +
			SLAB_HEAD_BYTES,
		.bytes = got,
		.ahead = scratch->ahead,
		.ahead_bytes = scratch->ahead_nr,
	};
	uint8_t reason = REASON_NONE;

	if (state->large.converts) {
		if (collect_converted_is_repaired(worker))
			record->flags |= MARK_REPAIRED;
		/* a byte order mark and nothing else */
		return state->large.off == 0 && got == 0 ? REASON_ENCODING
							 : REASON_NONE;
	}
	if (state->large.off == 0)
		reason = look_at_first(worker, &part);
	if (reason == REASON_NONE &&
	    collect_has_mistakes(worker, record->charset, &part,
				 &state->large.carried))
		record->flags |= MARK_REPAIRED;
	*convert = reason == REASON_NONE && file_is_converted(record);
	state->large.converts = *convert;
	return reason;
}

static int
check_part(struct worker *worker, uint32_t slab_idx, int64_t got, bool is_last,
	   bool *convert)
{
	struct collect_state *state = worker->state;

	*convert = false;
	if (got < 0)
		return (int)collect_error_reason((int)got);
	if (is_last &&
	    !is_unchanged(worker, catalogue_file(&worker->catalogue,
						 state->large.file - 1)))
		return REASON_CHANGED;
	return state->large.emits
		       ? REASON_NONE
		       : look_at(worker, slab_idx, (size_t)got, convert);
}

int
collect_step_large(struct worker *worker)
{
	struct collect_state *state = worker->state;
	struct collect_scratch *scratch = worker->scratch;
	uint32_t file_idx = state->large.file - 1;
	uint32_t slab_idx = collect_free_slab(worker, state->large.lane);
	struct desc part;
	int64_t got;
	bool is_last;
	bool convert;
	int result;

	if (slab_idx == SLAB_NONE ||
	    worker_room(worker, EDGE_CONTENT, state->large.lane) < 1)
		return STEP_AGAIN;
	worker_position(worker, file_idx);
	if (scratch->skip_file == state->large.file)
		return give_up(worker, scratch->skip_reason);
	result = collect_reopen(worker, file_idx);
	if (result != 0)
		return give_up(worker, (uint8_t)collect_error_reason(result));
	got = next_part(worker, slab_idx, &is_last);
	FAULT("read_part");
	result = check_part(worker, slab_idx, got, is_last, &convert);
	if (result != REASON_NONE)
		return give_up(worker, (uint8_t)result);
	if (convert)
		return STEP_DONE; /* once more, as what it becomes */
	part = (struct desc){
		.kind = DESC_PART,
		.flags = part_flags(worker, is_last),
		.file_idx = file_idx,
		.slab_idx = slab_idx,
		.slab_off = SLAB_HEAD_BYTES,
		.bytes = (uint32_t)got,
		.file_off = state->large.off,
	};
	stat_add(worker->shm, STAT_bytes, (uint64_t)got);
	collect_use_slab(worker, slab_idx);
	worker_emit(worker, EDGE_CONTENT, state->large.lane, &part);
	state->large.off += (uint64_t)got;
	if (is_last)
		next_reading(worker);
	return STEP_DONE;
}
