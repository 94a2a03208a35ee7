/* SPDX-License-Identifier: MIT */
/*
 * summary.h - a run in a dozen lines, for people.
 *
 * Does: lays out the sums of a report.
 * Does not: count anything; name any file.
 * Runs in: the supervisor.
 */
#ifndef REPORT_SUMMARY_H
#define REPORT_SUMMARY_H

#include <stdio.h>

#include "report/report.h"

/* The summary, lines of plain ASCII that end with newlines. */
void
summary_print(const struct report *report, FILE *out);

#endif
