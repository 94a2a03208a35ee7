/* SPDX-License-Identifier: MIT */
/*
 * report_show.h - shows a report as tables.
 *
 * Does: prints the budget, categories, savings, the selection, and the work of
 *       the stages; or one of the five details.
 * Does not: read files. Names are quoted: they cannot move the cursor.
 * Runs in: the supervisor.
 *
 * All of these:
 *   shape:  writes to `out`
 *   errors: -ENOMEM, and the rest is not printed
 */
#ifndef REPORT_REPORT_SHOW_H
#define REPORT_REPORT_SHOW_H

#include <jansson.h>
#include <stdint.h>
#include <stdio.h>

/* The sections of `bale report`: 0 or -errno. */
int
report_show_budget(const json_t *report, FILE *out);
int
report_show_chunks(const json_t *report, FILE *out);
int
report_show_selection(const json_t *report, FILE *out);
int
report_show_dedup(const json_t *report, FILE *out);
int
report_show_specials(const json_t *report, FILE *out);
int
report_show_cache(const json_t *report, FILE *out);

/*
 * shape:  the report as a page that needs nothing but a browser: that of
 *         data/report.html, which is part of the program, shows it by its own
 *         script. Of ranges it gets what it shows, as rows, each path by what
 *         it has in common with the one before, in units of UTF-16:
 *
 *         {"report": what is left of it, "reasons": ["budget", ...],
 *          "selected": [[shared, "rest", tokens, signatures, score], ...],
 *          "excluded": [[shared, "rest", tokens, reason, "same as"?], ...]}
 *
 *         `signatures`: 0, or the tokens of the text that they are of.
 *         Nothing of it is taken for HTML or script: every < is written as
 *         \u003c, and the page shows names as text
 * errors: -errno of writing
 * calls:  cmd_report(), with what report_read() gave
 */
int
report_html_write(const json_t *report, int fd);

#endif
