/* SPDX-License-Identifier: MIT */
/*
 * baseline.h - secrets that are known already.
 *
 *   8e21 github-pat src/login.c     a line a secret: digest, rule, place
 *
 * Does: reads such a file and says whether a finding is in it; writes one of
 *       all findings of a run.
 * Does not: keep what a secret is. The digest has 16 bits: one of 65,536
 *           guesses has the same, so that it confirms none, with or without a
 *           salt. Another secret in the place of a known one, in the same file
 *           and by the same rule, passes for it once in 65,536 times.
 * Runs in: the supervisor.
 */
#ifndef REPORT_BASELINE_H
#define REPORT_BASELINE_H

#include "catalogue/findings.h"
#include "report/report.h"
#include "supervisor/options.h"

/*
 * shape:  the lines of the file that --secrets-baseline names, sorted: 0 or an
 *         exit code, said; without the option none. Refuses to write one in
 *         a mode that does not read all of each secret
 * owner:  the process, until its end
 * calls:  cmd_pack(), before there are workers
 */
int
baseline_read(const struct options *options, struct text_list *known);

/* Whether a finding of a run is in report->known. */
bool
baseline_has(const struct report *report, const struct finding *finding);

/*
 * shape:  writes the lines of all findings, each once, sorted
 * errors: -errno
 * calls:  sidecars.c
 */
int
baseline_write(const struct report *report, int fd);

#endif
