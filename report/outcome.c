/* SPDX-License-Identifier: MIT */
/*
 * outcome.c - figures of a report, and the hash of an output.
 */
#include "report/outcome.h"

#include "catalogue/catalogue.h"
#include "catalogue/history.h"
#include "supervisor/output.h"

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
		.has_revision = head->has_commit != 0,
	};
	memcpy(out->files_left_out, report->files_left_out,
	       sizeof(out->files_left_out));
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
