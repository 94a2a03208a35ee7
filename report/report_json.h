/* SPDX-License-Identifier: MIT */
/*
 * report_json.h - what the files that write a report as JSON share.
 *
 * Runs in: the supervisor.
 */
#ifndef REPORT_REPORT_JSON_H
#define REPORT_REPORT_JSON_H

#include "report/report.h"
#include "base/emit.h"
#include "sources/source_impl.h"

/* What sources ask for of a file. */
struct report_requested {
	const struct source_entry *entries; /* as they came, by their lines */
	uint32_t entry_nr;
	const struct source_request *ranges; /* by their first lines */
	uint32_t range_nr;
	uint32_t file_idx;
	const struct file_facts *facts;
};

/*
 * shape:  the keys `merged` and `unmerged` of a report: ranges that sources ask
 *         for more than once, in whole or in part, and those that they became;
 *         ranges that stay and share lines
 * errors: -ENOMEM
 * calls:  report_write_fd(), after report_take_sources()
 */
int
report_emit_merged(const struct report *report, struct emitter *out);

/*
 * shape:  the keys special_tokens and special_tokens_left_out: what in files,
 *         in their names and in the texts beside them looks like one
 */
void
report_emit_specials(const struct report *report, struct emitter *out);

#endif
