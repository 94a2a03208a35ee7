/* SPDX-License-Identifier: MIT */
/*
 * outcome.h - the figures of a run that the process which started it wants.
 *
 * Does: a struct without pointers, for memory that both processes map.
 * Does not: name files: that is for a report.
 */
#ifndef REPORT_OUTCOME_H
#define REPORT_OUTCOME_H

#include "report/report.h"

/* Of a stage: all but `queued` and `room` are sums over its workers. */
struct outcome_stage {
	uint64_t worker_nr;
	uint64_t cpu_ns;
	uint64_t busy_ns;
	uint64_t wait_ns;
	uint64_t queued; /* entries in its input rings, over all samples */
	uint64_t room;   /* and what these rings could have held; 0: unknown */
};

struct outcome {
	bool is_known;     /* the run came to its end */
	bool has_output;   /* and wrote one */
	bool has_revision; /* of git */
	bool was_short;    /* with more memory it might be another one */
	uint8_t revision[20];
	uint8_t sha256[SHA256_BYTES]; /* of the file of the output */
	uint64_t bytes;               /* of the same */
	uint64_t tokens;
	uint64_t files_seen;
	uint64_t files_packed; /* in full, in part or by their signatures */
	uint64_t files_left_out[REPORT_REASON_NR];
	uint64_t peak_pss_bytes;
	uint64_t content_bytes; /* of all files that were read */
	struct outcome_stage stages[STAGE_NR];
};

/*
 * shape:  takes the figures of a run and reads its output to hash it
 * units:  fd: of the output that is ready to get its name; -1: there is none
 * errors: -errno: the output cannot be read
 * calls:  supervisor_conclude(), before the output is in its place
 */
int
outcome_take(struct outcome *out, const struct report *report, int fd);

#endif
