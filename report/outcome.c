/* SPDX-License-Identifier: MIT */
/*
 * outcome.c - figures of a report, and the hash of an output.
 */
#include "report/outcome.h"

#include "catalogue/catalogue.h"
#include "catalogue/history.h"
#include "supervisor/output.h"

/* Entries that the input rings of a stage have room for. */
static uint64_t
ring_entries(int stage, uint32_t lane_nr)
{
	uint64_t nr = 0;

	for (int edge = 0; edge < EDGE_NR; edge++)
		if (edge_table[edge].is_stream &&
		    (int)edge_table[edge].to == stage)
			nr += (uint64_t)edge_table[edge].entry_nr *
			      edge_ring_nr((enum edge_id)edge, lane_nr);
	return nr;
}

static void
take_stage(struct outcome_stage *out, const struct report *report, int stage)
{
	const struct report_stage *from = &report->stages[stage];
	const struct timeline *timeline = report->timeline;

	out->worker_nr = from->worker_nr;
	out->cpu_ns = from->cpu_ns;
	out->busy_ns = from->busy_ns;
	out->wait_ns = from->wait_ns;
	for (size_t i = 0; timeline != NULL && i < timeline->nr; i++) {
		out->queued += timeline->samples[i].stages[stage].queued;
		out->room += ring_entries(stage, report->run->lane_nr);
	}
}

int
outcome_take(struct outcome *out, const struct report *report, int fd)
{
	const struct history_head *head =
		catalogue_history(&report->run->catalogue);
	int64_t bytes = 0;

	*out = (struct outcome){
		.tokens = report->used_tokens,
		.files_seen = report->files_seen,
		.files_packed = report->files_full + report->files_partial +
				report->files_signatures,
		.peak_pss_bytes = report->peak_pss_bytes,
		.content_bytes = report->content_bytes,
		.has_revision = head->has_commit != 0,
		.was_short = head->is_short != 0,
	};
	memcpy(out->files_left_out, report->files_left_out,
	       sizeof(out->files_left_out));
	for (int i = 0; i < STAGE_NR; i++)
		take_stage(&out->stages[i], report, i);
	memcpy(out->revision, head->commit, sizeof(out->revision));
	if (fd >= 0)
		bytes = output_sha256(fd, 0, UINT64_MAX, out->sha256);
	if (bytes < 0)
		return (int)bytes;
	out->bytes = (uint64_t)bytes;
	out->has_output = fd >= 0;
	out->is_known = true;
	return 0;
}
