/* SPDX-License-Identifier: MIT */
/*
 * collect_large_worker.c - a file larger than a slab, part by part.
 *
 * Does: reads it once to be looked at and, in gather of everything, once more
 *       to be written; makes sure that it is the same file all the time.
 * Runs in: collect.
 */
#include <errno.h>

#include "shm/fault.h"
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

	if (worker->pass > PASS_FIRST && record->charset == CHARSET_UTF8 &&
	    record->size_bytes <= whole)
		return whole;
	return run_part_bytes(worker->run);
}

/* Reads the next part into a slab: bytes got, or -errno. */
static int64_t
read_part(struct worker *worker, uint32_t slab_idx,
	  const struct file_record *record)
{
	struct collect_state *state = worker->state;
	struct collect_scratch *scratch = worker->scratch;
	uint64_t left = record->size_bytes - state->large.off;
	struct collect_read read = {
		.to = slab_at(&worker->run->segment.slabs, slab_idx) +
		      SLAB_HEAD_BYTES,
		.off = state->large.off +
		       collect_base_off(worker,
					catalogue_file(&worker->catalogue,
						       state->large.file - 1)),
		.bytes = min_u64(left, part_bytes(worker, record)),
		.fd = scratch->open_fd,
	};
	int error;

	collect_run_reads(worker, &read, 1);
	error = read.error;
	if (error == 0 && read.got != read.bytes)
		error = -ESTALE;
	return error != 0 ? error : (int64_t)read.bytes;
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
		flags |= DESC_SIGN;
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

	if (record->charset != CHARSET_UTF8) {
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
look_at_first(struct worker *worker, uint32_t slab_idx, int64_t got,
	      bool *convert)
{
	struct collect_state *state = worker->state;
	struct file_record *record =
		catalogue_file(&worker->catalogue, state->large.file - 1);
	uint8_t charset;
	uint8_t reason;

	*convert = false;
	if (state->large.off != 0 || state->large.emits)
		return REASON_NONE;
	if (record->charset != CHARSET_UTF8)
		/* a byte order mark and nothing else */
		return got == 0 ? REASON_ENCODING : REASON_NONE;
	reason = collect_probe(slab_at(&worker->run->segment.slabs, slab_idx) +
				       SLAB_HEAD_BYTES,
			       (size_t)got, (uint64_t)got == record->size_bytes,
			       &charset);
	*convert = charset != CHARSET_UTF8;
	record->charset = charset;
	if (reason != REASON_NONE)
		return reason;
	return collect_mark(worker, state->large.file - 1, charset,
			    slab_at(&worker->run->segment.slabs, slab_idx) +
				    SLAB_HEAD_BYTES,
			    (size_t)got);
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
	return look_at_first(worker, slab_idx, got, convert);
}

int
collect_step_large(struct worker *worker)
{
	struct collect_state *state = worker->state;
	struct collect_scratch *scratch = worker->scratch;
	uint32_t file_idx = state->large.file - 1;
	uint32_t slab_idx = collect_free_slab(worker);
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
