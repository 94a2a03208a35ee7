/* SPDX-License-Identifier: MIT */
/*
 * survey_past.h - what is known of past commits, from one run to the next.
 *
 * Does: gives a run what an earlier one has kept, and keeps what it has used: in
 *       a file beside the surveys, of no entries.
 * Does not: know what it says (catalogue/past.h).
 * Runs in: the supervisor.
 */
#ifndef SUPERVISOR_SURVEY_PAST_H
#define SUPERVISOR_SURVEY_PAST_H

#include "stages/run.h"

/*
 * shape:  puts what was kept into the catalogue, if there is any; what is damaged
 *         is none
 * calls:  once the catalogue is made, before the first fork
 */
void
survey_past_use(struct run *run);

/*
 * shape:  keeps what the run has used, if any of it is new
 * units:  limit_bytes: of all that is kept
 * errors: -errno: what was there stays; -EFBIG: it is larger than all may be
 * calls:  when all workers are gone and the run has succeeded
 */
int
survey_past_keep(const struct run *run, uint64_t limit_bytes);

#endif
