/* SPDX-License-Identifier: MIT */
/*
 * report_special.h - what in an output looks like a special token.
 *
 * Does: of files what format has remembered, of their names and of the texts
 *       that stand beside the files what is there.
 * Runs in: the supervisor.
 */
#ifndef SUPERVISOR_REPORT_SPECIAL_H
#define SUPERVISOR_REPORT_SPECIAL_H

#include "supervisor/report.h"
#include "supervisor/report_emit.h"

/*
 * shape:  the keys special_tokens and special_tokens_left_out of a report
 * errors: -EPROTO: the catalogue contradicts itself
 */
int
report_emit_specials(const struct report *report, struct emitter *out);

#endif
