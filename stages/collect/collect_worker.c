/* SPDX-License-Identifier: MIT */
/*
 * collect_worker.c - slabs, lanes and passes of the collector.
 *
 * Does: takes slabs back, chooses what to read next, begins and ends passes.
 * Does not: walk or read (collect_io.h).
 * Runs in: collect.
 * Invariants:
 * 1. Which slabs are free is part of this worker's own state (R4).
 * 2. Records of files are written before the step is committed that counts
 *    them; what lies behind `file_nr` is nobody's.
 */
#include "stages/collect/collect_worker.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/diag.h"
#include "base/fault.h"
#include "shm/slab.h"

#define READS_IN_FLIGHT 64

/* The first that is free: a few are used again and again, and stay warm. */
uint32_t
collect_free_slab(struct worker *worker, uint32_t lane)
{
	const struct collect_state *state = worker->state;
	uint32_t idx;
	uint32_t end;

	slabs_of_lane(&worker->run->segment.slabs, lane, worker->run->lane_nr,
		      &idx, &end);
	while (idx < end) {
		uint64_t is_free = ~state->in_flight[idx / 64] >> idx % 64;

		if (is_free != 0) {
			idx += (uint32_t)__builtin_ctzll(is_free);
			return idx < end ? idx : SLAB_NONE;
		}
		idx = (idx / 64 + 1) * 64;
	}
	return SLAB_NONE;
}

void
collect_use_slab(struct worker *worker, uint32_t slab_idx)
{
	struct collect_state *state = worker->state;

	state->in_flight[slab_idx / 64] |= 1ull << (slab_idx % 64);
}

uint32_t
collect_pick_lane(struct worker *worker, uint32_t nr, uint32_t *slab_idx)
{
	uint32_t best = LANES_MAX;
	uint32_t most = nr - 1;

	for (uint32_t lane = 0; lane < worker->run->lane_nr; lane++) {
		uint32_t room = worker_lane_room(worker, EDGE_CONTENT, lane);
		uint32_t idx = SLAB_NONE;

		if (room <= most)
			continue;
		if (slab_idx != NULL)
			idx = collect_free_slab(worker, lane);
		if (slab_idx != NULL && idx == SLAB_NONE)
			continue;
		most = room;
		best = lane;
		if (slab_idx != NULL)
			*slab_idx = idx;
	}
	return best;
}

void
collect_emit_turn(struct worker *worker, uint32_t file_idx, uint32_t lane)
{
	struct desc turn = { .kind = DESC_LANE,
			     .lane = (uint8_t)lane,
			     .file_idx = file_idx,
			     .slab_idx = SLAB_NONE };

	worker_emit(worker, EDGE_ORDER, 0, &turn);
}

void
collect_emit_left_out(struct worker *worker, uint32_t file_idx, uint8_t reason)
{
	struct desc_file file = { .kind = DESC_FILE,
				  .flags = DESC_LAST,
				  .reason = reason,
				  .file_idx = file_idx,
				  .slab_idx = SLAB_NONE };

	worker_emit(worker, EDGE_ORDER, 0,
		    (const struct desc *)(const void *)&file);
}

void
collect_close(struct worker *worker)
{
	struct collect_scratch *scratch = worker->scratch;

	if (scratch->open_file != 0 && scratch->open_fd >= 0)
		collect_close_fd(worker, scratch->open_fd);
	collect_blob_close(scratch->blob);
	scratch->blob = NULL;
	scratch->open_file = 0;
	scratch->open_fd = -1;
	scratch->converted.file = 0;
}

int
collect_reopen(struct worker *worker, uint32_t file_idx)
{
	struct collect_scratch *scratch = worker->scratch;
	const struct file_record *record =
		catalogue_file(&worker->catalogue, file_idx);
	struct file_state now;
	int fd;

	if (scratch->open_file == file_idx + 1)
		return 0;
	collect_close(worker);
	if (collect_is_rev(worker))
		return collect_rev_reopen(worker, file_idx);
	if (record->root_idx == SOURCE_ROOT_TEXT) {
		scratch->open_fd = worker->run->options.sources.text_fd;
		scratch->open_file = file_idx + 1;
		return 0;
	}
	fd = collect_file_reopen(
		scratch->walk, record->root_idx,
		(const char *)catalogue_path(&worker->catalogue, record),
		record->path_bytes, &now);
	if (fd < 0)
		return fd;
	if (now.identity.dev != record->dev ||
	    now.identity.ino != record->ino ||
	    now.bytes != record->size_bytes ||
	    now.mtime_ns != record->mtime_ns ||
	    now.ctime_ns != record->ctime_ns) {
		close(fd);
		return -ESTALE;
	}
	scratch->open_fd = fd;
	scratch->open_file = file_idx + 1;
	return 0;
}

void
collect_run_reads(struct worker *worker, struct collect_read *reads,
		  uint32_t nr)
{
	struct collect_scratch *scratch = worker->scratch;

	if (scratch->blob != NULL)
		collect_blob_run(scratch->blob, reads, nr);
	else
		collect_reader_run(scratch->reader, reads, nr);
}

int
collect_still_same(struct worker *worker, const struct file_record *record)
{
	const struct collect_scratch *scratch = worker->scratch;
	const struct file_state file = {
		.identity = { record->dev, record->ino },
		.bytes = record->size_bytes,
		.mtime_ns = record->mtime_ns,
		.ctime_ns = record->ctime_ns,
	};

	/* an object never changes */
	if (scratch->blob != NULL)
		return 0;
	return file_is_unchanged(scratch->open_fd, &file);
}

static uint32_t
take_back(struct worker *worker, enum edge_id edge, uint32_t lane)
{
	struct collect_state *state = worker->state;
	struct desc in;
	uint32_t taken = 0;

	while (worker_peek(worker, edge, lane, 0, &in)) {
		uint64_t *word = &state->in_flight[in.slab_idx / 64];
		uint64_t bit = 1ull << (in.slab_idx % 64);

		ASSERT(in.kind == DESC_SLAB && (*word & bit));
		*word &= ~bit;
		slab_poison(&worker->run->segment.slabs, in.slab_idx);
		worker_take(worker, edge, lane);
		taken++;
	}
	return taken;
}

static uint32_t
take_slabs_back(struct worker *worker)
{
	uint32_t taken = take_back(worker, EDGE_FORMAT_SLABS, 0);

	for (uint32_t lane = 0; lane < worker->run->lane_nr; lane++)
		taken += take_back(worker, EDGE_COUNT_SLABS, lane);
	return taken;
}

static int
step_pass(struct worker *worker)
{
	const struct collect_state *state = worker->state;
	const struct control_shm *control = worker->run->segment.control;

	/* acquire: the plan of the pass is whole */
	if (atomic_load_explicit(&control->pass, memory_order_acquire) <
	    worker->pass)
		return STEP_AGAIN;
	if (worker->pass > PASS_FIRST)
		return collect_step_plan(worker);
	if (state->large.file != 0)
		return collect_step_large(worker);
	return collect_step_tree(worker);
}

static int
collect_step(struct worker *worker)
{
	struct collect_state *state = worker->state;
	struct control_shm *control = worker->run->segment.control;
	uint32_t taken = take_slabs_back(worker);
	int result;

	/* relaxed: for the progress line; select reads it after the pass */
	atomic_store_explicit(&control->files_seen, state->file_nr,
			      memory_order_relaxed);
	result = step_pass(worker);
	FAULT("collected");
	/* slabs taken back are a step as well */
	if (result == STEP_AGAIN && taken > 0)
		return STEP_DONE;
	if (result == STEP_END && taken > 0)
		return STEP_DONE;
	return result;
}

/* The file that ended this worker three times is left out by its name. */
static int
collect_poison(struct worker *worker)
{
	struct collect_scratch *scratch = worker->scratch;

	/* acquire: set by the supervisor before this process was forked */
	uint64_t position = atomic_load_explicit(&worker->shm->skip_position,
						 memory_order_acquire);
	bool was_stuck = atomic_load_explicit(&worker->shm->retry,
					      memory_order_acquire) > 1;

	scratch->skip_reason = was_stuck ? REASON_TIMEOUT : REASON_POISON;
	if (position == POSITION_HISTORY)
		collect_history_drop(worker);
	else if (position >> 32 == 0)
		scratch->skip_file = position;
	else
		collect_walk_skip_dir(scratch->walk,
				      (uint32_t)(position >> 32));
	return collect_step(worker);
}

/* Says what is wrong with what the user named: -EINVAL, or the error. */
static int
say_bad_root(const struct collect_options *options, uint32_t bad_root,
	     int error)
{
	bool is_file = error == -EINVAL && bad_root < options->file_nr;
	bool has_why = options->rev != NULL && options->why[0] != '\0';
	const char *path;
	char name[512];

	if (error == -ENOTDIR && options->file_nr > 0) {
		diag_log(DIAG_ERROR, "--files-from: give one directory that "
				     "the files are below");
		return -EINVAL;
	}
	if (!is_file && bad_root >= options->root_nr)
		return error;
	path = is_file ? options->files[bad_root] : options->roots[bad_root];
	diag_quote_text(name, sizeof(name), path);
	diag_log(DIAG_ERROR, "%s%s: %s", has_why ? "--rev: " : "", name,
		 is_file   ? "not below the directory that is packed"
		 : has_why ? options->why
			   : strerror(-error));
	return -EINVAL;
}

/* Where the walk is, should it stay there for good. */
static void
emit_way(void *context, uint32_t nr)
{
	struct worker *worker = context;
	const struct collect_scratch *scratch = worker->scratch;

	worker_set_walk_position(worker, scratch->next_file,
				 nr - scratch->way_base);
	worker_beat(worker);
}

static void
emit_alive(void *context)
{
	worker_beat(context);
}

/* Which file of a batch a wait is for. */
static void
emit_read(void *context, const struct collect_read *read)
{
	struct worker *worker = context;
	const struct collect_scratch *scratch = worker->scratch;
	size_t idx = (size_t)(read - scratch->reads);

	if (idx < scratch->watched_nr)
		worker_position(worker, scratch->watched[idx]);
}

void
collect_walk_options(const struct run *run, struct collect_options *options)
{
	*options = (struct collect_options){
		.roots = run->options.roots,
		.root_nr = (uint32_t)run->options.root_nr,
		.files = run->options.files,
		.file_nr = (uint32_t)run->options.file_nr,
		.include = run->options.includes,
		.include_nr = (uint32_t)run->options.include_nr,
		.exclude = run->options.excludes,
		.exclude_nr = (uint32_t)run->options.exclude_nr,
		.rev = run->options.rev,
		.rev_memory_bytes = run->object_bytes,
		.no_ignore = run->options.no_ignore,
		.hidden = run->options.hidden,
	};
}

static int
create_walk(struct worker *worker)
{
	const struct run *run = worker->run;
	const struct collect_state *state = worker->state;
	struct collect_scratch *scratch = worker->scratch;
	struct file_identity *outputs =
		calloc(run->output_nr + 1, sizeof(*outputs));
	char why[COLLECT_WHY_BYTES] = "";
	struct collect_options options;
	uint32_t bad_root;
	int error;

	if (outputs == NULL)
		return -ENOMEM;
	collect_walk_options(run, &options);
	options.outputs = outputs;
	options.output_nr = run->output_nr;
	options.why = why;
	options.entering = emit_way;
	options.walking = emit_alive;
	options.context = worker;
	options.no_ignore |= state->rules_off != 0;
	for (uint32_t i = 0; i < run->output_nr; i++)
		outputs[i] = (struct file_identity){ run->outputs[i].dev,
						     run->outputs[i].ino };
	error = collect_walk_create(&scratch->walk, &options, &bad_root);
	free(outputs); /* the walk has a copy */
	return error == 0 ? 0 : say_bad_root(&options, bad_root, error);
}

static int
create_reader(struct worker *worker)
{
	static const enum collect_reader_kind kinds[] = {
		[IO_AUTO] = COLLECT_READER_AUTO,
		[IO_URING] = COLLECT_READER_URING,
		[IO_READ] = COLLECT_READER_READ,
	};
	struct collect_scratch *scratch = worker->scratch;
	int error = collect_reader_create(&scratch->reader,
					  kinds[worker->run->options.io],
					  READS_IN_FLIGHT);
	int refusal;

	if (error != 0) {
		diag_log(DIAG_ERROR, "io_uring: %s; use --io=read",
			 strerror(-error));
		return -EINVAL;
	}
	collect_reader_watch(scratch->reader, emit_read, worker);
	refusal = collect_reader_refusal(scratch->reader);
	if (refusal != 0 && worker->committed == 0)
		diag_log(DIAG_INFO, "io_uring unavailable (%s); using read(2)",
			 strerror(-refusal));
	return 0;
}

static int
collect_init(struct worker *worker)
{
	const struct collect_state *state = worker->state;
	struct collect_scratch *scratch = calloc(1, sizeof(*scratch));
	int error;

	if (scratch == NULL)
		return -ENOMEM;
	worker->scratch = scratch;
	scratch->open_fd = -1;
	scratch->batch_most = COLLECT_BATCH_MAX;
	scratch->next_path_off = state->path_bytes;
	ASSERT(worker->run->segment.slabs.nr <= COLLECT_SLABS_MAX);
	collect_kinds_init(&scratch->kinds);
	error = create_walk(worker);
	if (error == 0 && collect_is_rev(worker))
		error = collect_rev_init(worker);
	if (error == 0)
		error = collect_history_init(worker);
	if (error == 0)
		error = create_reader(worker);
	return error;
}

/* relaxed: read when all workers are gone */
static void
publish_counts(struct control_shm *control, const struct collect_counts *counts)
{
	atomic_store_explicit(&control->ignored_files,
			      counts->ignored_files + counts->excluded_files,
			      memory_order_relaxed);
	atomic_store_explicit(&control->ignored_dirs,
			      counts->ignored_dirs + counts->excluded_dirs,
			      memory_order_relaxed);
	atomic_store_explicit(&control->hidden_dirs, counts->hidden_dirs,
			      memory_order_relaxed);
}

static int
collect_flush(struct worker *worker)
{
	struct collect_state *state = worker->state;
	struct control_shm *control = worker->run->segment.control;

	state->plan_next = 0;
	state->turn_next = 0;
	state->range_off = 0;
	state->plan_file = 0;
	publish_counts(control, &state->counts);
	/* release: the records are whole; closing the rings follows */
	atomic_store_explicit(&control->files_seen, state->file_nr,
			      memory_order_release);
	atomic_store_explicit(&control->walk_done, 1, memory_order_release);
	return STEP_DONE;
}

const struct stage_ops collect_ops = {
	.init = collect_init,
	.step = collect_step,
	.flush = collect_flush,
	.poison = collect_poison,
	.list = collect_list,
	.state_bytes = sizeof(struct collect_state),
};
