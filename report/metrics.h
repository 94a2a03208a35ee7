/* SPDX-License-Identifier: MIT */
/*
 * metrics.h - a run as OpenMetrics text, for a collector of text files.
 *
 * Does: writes what the report says as metrics: names with their unit, help,
 *       types, one histogram; docs/metrics.md lists them. The file is read by
 *       the node exporter's textfile collector and by any OpenMetrics parser.
 * Does not: name files: labels come from closed lists alone.
 * Runs in: the supervisor.
 */
#ifndef REPORT_METRICS_H
#define REPORT_METRICS_H

#include "report/report.h"

/*
 * shape:  the metrics of a run to a descriptor
 * units:  seconds, bytes, tokens and ratios, as the names say
 * errors: -errno
 * calls:  the supervisor, when the run is over
 */
int
metrics_write(const struct report *report, int exit_code, int fd);

#endif
