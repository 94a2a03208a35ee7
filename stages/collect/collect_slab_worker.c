/* SPDX-License-Identifier: MIT */
/*
 * collect_slab_worker.c - slabs and lanes of the collector.
 *
 * Invariants:
 * 1. Which slabs are free is part of this worker's own state (R4).
 */
#include "shm/slab.h"
#include "stages/collect/collect_worker.h"

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
	uint32_t lane_nr = worker_lane_nr(worker);

	for (uint32_t lane = 0; lane < lane_nr; lane++) {
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

/* Whether content that went through a lane is not given back yet. */
static bool
has_work(const struct worker *worker, uint32_t lane)
{
	const struct collect_state *state = worker->state;
	uint32_t idx;
	uint32_t end;

	slabs_of_lane(&worker->run->segment.slabs, lane, worker->run->lane_nr,
		      &idx, &end);
	while (idx < end && (state->in_flight[idx / 64] >> idx % 64 & 1) == 0)
		idx++;
	return idx < end;
}

void
collect_emit_turn(struct worker *worker, uint32_t file_idx, uint32_t lane)
{
	struct desc turn = { .kind = DESC_LANE,
			     .lane = (uint8_t)lane,
			     .file_idx = file_idx,
			     .slab_idx = SLAB_NONE };

	/* of all lanes it is the one that has least to do */
	if (has_work(worker, lane))
		worker_ask_for_lanes(worker);
	worker_emit(worker, EDGE_ORDER, 0, &turn);
}

/* From which file on tokens are estimated. */
static void
add_content(struct worker *worker, const struct collect_item *item)
{
	struct collect_state *state = worker->state;
	struct control_shm *control = worker->run->segment.control;
	uint64_t *bytes = &state->place.content_bytes;

	/* relaxed, both: the entry that is sent next publishes it */
	if (*bytes > worker->run->job.counted_bytes &&
	    load_relaxed(&control->estimated_from) == 0)
		store_relaxed(&control->estimated_from, item->file_idx + 1);
	*bytes = add_sat_u64(*bytes, item->file.bytes);
}

void
collect_withdraw_content(struct worker *worker, uint32_t file_idx)
{
	struct collect_state *state = worker->state;
	uint64_t *bytes = &state->place.content_bytes;

	*bytes -= min_u64(
		*bytes,
		catalogue_file(&worker->catalogue, file_idx)->size_bytes);
}

void
collect_emit_content_turn(struct worker *worker,
			  const struct collect_item *item, uint32_t lane)
{
	add_content(worker, item);
	collect_emit_turn(worker, item->file_idx, lane);
}

void
collect_emit_surveyed(struct worker *worker, const struct collect_item *item)
{
	struct desc turn = { .kind = DESC_SURVEYED,
			     .file_idx = item->file_idx,
			     .slab_idx = SLAB_NONE,
			     .surveyed = item->surveyed };

	add_content(worker, item);
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
collect_emit_passed(struct worker *worker, const struct collect_item *item)
{
	if (item->reason == REASON_UNASKED)
		add_content(worker, item);
	collect_emit_left_out(worker, item->file_idx, item->reason);
}

static uint32_t
take_back(struct worker *worker, enum edge_id edge, uint32_t lane)
{
	struct collect_state *state = worker->state;
	struct desc in;
	uint32_t taken = 0;

	while (worker_peek(worker, edge, lane, &in)) {
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

uint32_t
collect_take_slabs_back(struct worker *worker)
{
	uint32_t taken = take_back(worker, EDGE_FORMAT_SLABS, 0);

	for (uint32_t lane = 0; lane < worker->run->lane_nr; lane++)
		taken += take_back(worker, EDGE_COUNT_SLABS, lane);
	return taken;
}
