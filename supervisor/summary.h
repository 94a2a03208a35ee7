/* SPDX-License-Identifier: MIT */
/*
 * summary.h - a run in a dozen lines, for people.
 *
 * Does: lays out the sums of a report.
 * Does not: count or write anything; name any file.
 * Runs in: the supervisor.
 */
#ifndef SUPERVISOR_SUMMARY_H
#define SUPERVISOR_SUMMARY_H

#include "supervisor/report.h"

#define SUMMARY_BYTES 4096 /* enough for every line there can be */

/*
 * shape:  the summary, lines of plain ASCII that end with newlines; returns
 *         its length, cut to size - 1
 * owner:  the caller writes it to stderr
 */
size_t
summary_render(char *out, size_t size, const struct report *report);

#endif
