/* SPDX-License-Identifier: MIT */
/*
 * report_html.h - a report as a page that needs nothing but a browser.
 *
 * Does: puts the report into the page of data/report.html, which is part of
 *       the program. The page shows it by its own script; it loads nothing.
 * Invariants:
 * 1. Nothing of the report is taken for HTML or script: every < in it is
 *    written as \u003c, and the page shows names as text.
 * Runs in: the supervisor.
 */
#ifndef SUPERVISOR_REPORT_HTML_H
#define SUPERVISOR_REPORT_HTML_H

/*
 * shape:  the report in the file `report_path`, which has been read before,
 *         as a page in `path`, whole or not at all; "-": to stdout
 * errors: -errno
 * calls:  cmd_report()
 */
int
report_html_write(const char *report_path, const char *path);

#endif
