/* SPDX-License-Identifier: MIT */
/*
 * stage.c - arithmetic over the stage and edge tables.
 */
#include "base/glob.h"
#include "stages/stage.h"

uint32_t
stage_worker_nr(uint32_t lane_nr)
{
	uint32_t nr = 0;

	for (int stage = 0; stage < STAGE_NR; stage++)
		nr += stage_table[stage].per_lane ? lane_nr : 1;
	return nr;
}

uint32_t
stage_worker_idx(enum stage_id stage, uint32_t lane, uint32_t lane_nr)
{
	uint32_t idx = 0;

	for (int before = 0; before < (int)stage; before++)
		idx += stage_table[before].per_lane ? lane_nr : 1;
	return idx + (stage_table[stage].per_lane ? lane : 0);
}

void
stage_of_worker(uint32_t worker_idx, uint32_t lane_nr, enum stage_id *stage,
		uint32_t *lane)
{
	for (int i = 0; i < STAGE_NR; i++) {
		uint32_t nr = stage_table[i].per_lane ? lane_nr : 1;

		if (worker_idx < nr) {
			*stage = (enum stage_id)i;
			*lane = worker_idx;
			return;
		}
		worker_idx -= nr;
	}
	base_assert_failed("worker index in range", __FILE__, __LINE__);
}

uint32_t
edge_ring_nr(enum edge_id edge, uint32_t lane_nr)
{
	bool lanes = stage_table[edge_table[edge].from].per_lane ||
		     stage_table[edge_table[edge].to].per_lane;

	return lanes ? lane_nr : 1;
}

uint32_t
edge_ring_idx(enum edge_id edge, uint32_t lane, uint32_t lane_nr)
{
	uint32_t idx = 0;

	for (int before = 0; before < (int)edge; before++)
		idx += edge_ring_nr((enum edge_id)before, lane_nr);
	ASSERT(lane < edge_ring_nr(edge, lane_nr));
	return idx + lane;
}

void
stage_plan_segment(struct segment_plan *plan, uint32_t lane_nr,
		   uint32_t slab_nr, uint64_t cache_bytes)
{
	ASSERT(lane_nr >= 1 && lane_nr <= LANES_MAX);
	*plan = (struct segment_plan){
		.worker_nr = stage_worker_nr(lane_nr),
		.lane_nr = lane_nr,
		.slab_nr = slab_nr,
		.cache_bytes = cache_bytes,
	};
	for (int i = 0; i < EDGE_NR; i++) {
		enum edge_id edge = (enum edge_id)i;
		const struct edge *e = &edge_table[edge];

		for (uint32_t lane = 0; lane < edge_ring_nr(edge, lane_nr);
		     lane++) {
			uint32_t ring = plan->ring_nr++;

			plan->ring_entries[ring] = e->entry_nr;
			plan->ring_producer[ring] =
				stage_worker_idx(e->from, lane, lane_nr);
			plan->ring_consumer[ring] =
				stage_worker_idx(e->to, lane, lane_nr);
		}
	}
}

bool
pack_globs_name(const char *const *globs, size_t nr, const uint8_t *path,
		size_t bytes)
{
	for (size_t i = 0; i < nr; i++)
		if (glob_names_path(globs[i], (const char *)path, bytes))
			return true;
	return false;
}

bool
pack_is_pinned(const struct pack_options *options,
	       const struct catalogue *catalogue,
	       const struct file_record *file)
{
	return file->root_idx != SOURCE_ROOT_TEXT &&
	       pack_globs_name(options->pins, options->pin_nr,
			       catalogue_path(catalogue, file) +
				       file->root_bytes,
			       file->path_bytes - file->root_bytes);
}

uint64_t
pack_available_tokens(const struct pack_options *options)
{
	uint64_t reserves = add_sat_u64(options->response_reserve_tokens,
					options->system_reserve_tokens);

	if (options->budget_tokens == BUDGET_ALL)
		return BUDGET_ALL;
	return options->budget_tokens -
	       min_u64(options->budget_tokens, reserves);
}

uint64_t
pack_model_tokens(const struct pack_options *options, uint64_t counted)
{
	uint64_t margin = options->margin_percent;

	/* in two parts, so that nothing wraps; rounded up */
	return add_sat_u64(add_sat_u64(counted, counted / 100 * margin),
			   (counted % 100 * margin + 99) / 100);
}

uint64_t
pack_counted_tokens(const struct pack_options *options, uint64_t tokens)
{
	uint64_t percent = 100 + options->margin_percent;

	if (tokens == BUDGET_ALL)
		return BUDGET_ALL;
	return tokens / percent * 100 + tokens % percent * 100 / percent;
}

/* Rounded down, without an overflow on the way. */
static uint64_t
share_of(uint64_t available, uint32_t share)
{
	return available / SHARE_ALL * share +
	       available % SHARE_ALL * share / SHARE_ALL;
}

uint64_t
pack_share_tokens(const struct pack_options *options, uint8_t category)
{
	const uint32_t *shares = options->shares;
	uint64_t available = pack_available_tokens(options);
	uint64_t left = available;

	if (available == BUDGET_ALL)
		return BUDGET_ALL;
	for (uint8_t i = 0; i < CATEGORY_NR; i++)
		left -= share_of(available, shares[i]);
	/* the first `left` shares that there are have one more */
	for (uint8_t i = 0; i < category; i++)
		left -= left > 0 && shares[i] > 0;
	return share_of(available, shares[category]) +
	       (left > 0 && shares[category] > 0);
}

uint64_t
pack_allocated_tokens(const struct pack_options *options, uint8_t category)
{
	uint64_t available = pack_available_tokens(options);

	if (available == BUDGET_ALL)
		return BUDGET_ALL;
	if (options->sources.file_nr == 0)
		return category == CATEGORY_TREE ? available : 0;
	return pack_share_tokens(options, category);
}
