/* SPDX-License-Identifier: MIT */
/*
 * report_html.h - a report as a page that needs nothing but a browser.
 *
 * Does: puts the report into the page of data/report.html, which is part of
 *       the program. The page shows it by its own script; it loads nothing.
 *       Of ranges it gets what it shows, as rows, each path by what it has in
 *       common with the one before:
 *
 *         {"report": what is left of it, "reasons": ["budget", ...],
 *          "selected": [[shared, "rest", tokens, 0|1 by signatures, score],
 *          "excluded": [[shared, "rest", tokens, reason, "same as"?], ...]}
 *
 *       shared is in units of UTF-16, as the page's script counts.
 * Invariants:
 * 1. Nothing of the report is taken for HTML or script: every < in it is
 *    written as \u003c, and the page shows names as text.
 * Runs in: the supervisor.
 */
#ifndef REPORT_REPORT_HTML_H
#define REPORT_REPORT_HTML_H

#include <jansson.h>

/*
 * shape:  the report as a page
 * errors: -errno of writing
 * calls:  cmd_report(), with what report_read() gave
 */
int
report_html_write(const json_t *report, int fd);

#endif
