/* SPDX-License-Identifier: MIT */
/*
 * timeline.c - samples of the workers' blocks and of the rings.
 */
#include "supervisor/timeline.h"

#include <string.h>

#include "shm/stats.h"

void
timeline_init(struct timeline *timeline, uint64_t interval_ns)
{
	ASSERT(interval_ns > 0);
	timeline->interval_ns = interval_ns;
	timeline->next_ns = 0;
	timeline->nr = 0;
}

/* Every other sample goes. */
static void
thin_out(struct timeline *timeline)
{
	for (size_t i = 1; i < TIMELINE_SAMPLES / 2; i++)
		timeline->samples[i] = timeline->samples[2 * i];
	timeline->nr = TIMELINE_SAMPLES / 2;
	timeline->interval_ns *= 2;
}

struct timeline_sample *
timeline_next(struct timeline *timeline, uint64_t at_ns)
{
	struct timeline_sample *sample;

	if (timeline->nr == TIMELINE_SAMPLES)
		thin_out(timeline);
	sample = &timeline->samples[timeline->nr++];
	memset(sample, 0, sizeof(*sample));
	sample->at_ns = at_ns;
	timeline->next_ns = at_ns + timeline->interval_ns;
	return sample;
}

static void
take_workers(struct timeline_sample *sample, const struct run *run)
{
	uint32_t nr = stage_worker_nr(run->lane_nr);

	for (uint32_t i = 0; i < nr; i++) {
		const struct worker_shm *worker =
			segment_worker(&run->segment, i);
		struct timeline_stage *stage;
		enum stage_id id;
		uint32_t lane;

		stage_of_worker(i, run->lane_nr, &id, &lane);
		stage = &sample->stages[id];
		stage->items += stat_get(worker, STAT_items);
		stage->bytes += stat_get(worker, STAT_bytes);
		/* relaxed: see timeline_take() */
		stage->wait_ns += load_relaxed(&worker->wait_ns);
	}
}

/* What lies in a ring while both ends move: never less than nothing. */
static uint64_t
queued_in(const struct ring_shm *ring)
{
	/* relaxed: see timeline_take() */
	uint64_t head = load_relaxed(&ring->head);
	uint64_t tail = load_relaxed(&ring->tail);

	return tail - head > ring->entry_nr ? 0 : tail - head;
}

static void
take_queues(struct timeline_sample *sample, const struct run *run)
{
	for (int edge = 0; edge < EDGE_NR; edge++) {
		uint32_t nr = edge_ring_nr((enum edge_id)edge, run->lane_nr);

		if (!edge_table[edge].is_stream)
			continue;
		for (uint32_t lane = 0; lane < nr; lane++)
			sample->stages[edge_table[edge].to].queued +=
				queued_in(segment_ring(
					&run->segment,
					edge_ring_idx((enum edge_id)edge, lane,
						      run->lane_nr)));
	}
}

void
timeline_take(struct timeline *timeline, const struct run *run, uint64_t at_ns,
	      uint64_t pss_bytes, bool is_last)
{
	struct timeline_sample *sample;

	if (at_ns < timeline->next_ns && !is_last)
		return;
	sample = timeline_next(timeline, at_ns);
	sample->pass = load_relaxed(&run->segment.control->pass);
	sample->pss_bytes = pss_bytes;
	take_workers(sample, run);
	take_queues(sample, run);
}

static void
emit_sample(const struct timeline_sample *sample, struct emitter *out)
{
	emit_begin(out, NULL, '{');
	emit_u64(out, "at_ns", sample->at_ns);
	emit_u64(out, "pass", sample->pass);
	emit_u64(out, "pss_bytes", sample->pss_bytes);
	emit_begin(out, "stages", '[');
	for (int i = 0; i < STAGE_NR; i++) {
		const struct timeline_stage *stage = &sample->stages[i];

		emit_begin(out, NULL, '{');
		emit_u64(out, "items", stage->items);
		emit_u64(out, "bytes", stage->bytes);
		emit_u64(out, "wait_ns", stage->wait_ns);
		emit_u64(out, "queued", stage->queued);
		emit_end(out, '}');
	}
	emit_end(out, ']');
	emit_end(out, '}');
}

void
timeline_emit(const struct timeline *timeline, struct emitter *out)
{
	emit_begin(out, "timeline", '{');
	emit_u64(out, "interval_ns", timeline->interval_ns);
	emit_begin(out, "samples", '[');
	for (size_t i = 0; i < timeline->nr; i++)
		emit_sample(&timeline->samples[i], out);
	emit_end(out, ']');
	emit_end(out, '}');
}
