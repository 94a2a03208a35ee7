/* SPDX-License-Identifier: MIT */
/*
 * warnings.c - sentences kept, and those about the budget.
 */
#include "report/warnings.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/diag.h"
#include "rank/budget.h"
#include "base/number_format.h"

#define TOLD_MAX 5   /* chunks larger than their shares */
#define NAMED_MAX 10 /* files; of more, how many */

struct pins {
	const struct report *report;
	uint32_t file_idx; /* of the last one that was looked at */
	bool is_pinned;    /* that one */
	bool is_reported;  /* that one is not in full */
	uint64_t short_nr; /* files that are not */
	bool no_room;      /* for some of these */
};

static void
tell(struct pins *pins, const struct report_item *item)
{
	bool no_room = item->is_packed || item->reason == REASON_BUDGET;

	pins->is_reported = true;
	pins->no_room |= no_room;
	if (pins->short_nr++ >= NAMED_MAX)
		return;
	diag_log(DIAG_WARN, "BALE-BUD-007 %s is pinned and not in full: %s",
		 report_quote_place(pins->report, item->file_idx,
				    (char[DIAG_QUOTED_BYTES]){ 0 },
				    DIAG_QUOTED_BYTES),
		 no_room ? "there is no room for all of it; give a larger "
			   "--budget, or pin less"
			 : reason_message((uint8_t)item->reason));
}

static void
take(struct pins *pins, const struct report_item *item)
{
	const struct run *run = pins->report->run;
	bool is_whole = item->is_packed ? item->tier != TIER_SIGNATURES
					: item->reason == REPORT_EMPTY;

	if (item->file_idx != pins->file_idx) {
		pins->file_idx = item->file_idx;
		pins->is_reported = false;
		pins->is_pinned = job_pins(
			&run->job, &run->catalogue,
			catalogue_file(&run->catalogue, item->file_idx));
	}
	/* signatures may be followed by all lines that there was room for */
	if (pins->is_pinned && !is_whole && !pins->is_reported)
		tell(pins, item);
}

bool
pins_had_room(const struct report *report)
{
	struct pins pins = { .report = report, .file_idx = FILE_NONE };

	if (report->run->job.pin_nr == 0)
		return true;
	for (uint64_t i = 0; i < report->item_nr; i++)
		take(&pins, report_item(report, i));
	if (pins.short_nr > NAMED_MAX)
		diag_log(DIAG_WARN,
			 "BALE-BUD-007 %ju more pinned files are not in full; "
			 "--report lists them",
			 pins.short_nr - NAMED_MAX);
	return !pins.no_room;
}

#ifdef BALE_DEBUG
#define PEAK_LEVEL DIAG_ERROR
#else
#define PEAK_LEVEL DIAG_WARN
#endif

static struct {
	char *texts[WARNINGS_MAX + 1];
	size_t nr;
	uint64_t more_nr; /* that there is no room for */
} kept;

static void
keep(const char *text)
{
	char *copy = kept.nr < WARNINGS_MAX ? strdup(text) : NULL;

	if (copy != NULL)
		kept.texts[kept.nr++] = copy;
	else
		kept.more_nr++;
}

void
warnings_keep(void)
{
	diag_keep_warnings(keep);
}

size_t
warnings_kept(const char *const **out)
{
	char *more = NULL;

	*out = (const char *const *)kept.texts;
	if (kept.more_nr == 0)
		return kept.nr;
	free(kept.texts[kept.nr]);
	kept.texts[kept.nr] = NULL;
	if (asprintf(&more, "and %ju more", kept.more_nr) < 0)
		return kept.nr;
	kept.texts[kept.nr] = more;
	return kept.nr + 1;
}

static void
emit_larger(const struct report *report, const struct report_item *item)
{
	diag_log(
		DIAG_WARN,
		"BALE-BUD-002 %s:%ju-%ju (%s%s tokens) is left out: a chunk of "
		"it is larger than all that %s may have, %s tokens; give them a "
		"larger share (--categories) or a larger --budget",
		QUOTED_PATH(report, item->file_idx), item->line_first,
		item->line_last, item->is_estimated ? "about " : "",
		COUNT_TEXT(item->tokens), category_name(item->category),
		COUNT_TEXT(report_most_of(report, item->category)));
}

/* `tokens`, the sum of all items, with the text of the file of item `i` in place of
 * its items, if signatures are among them. These are less than the text, or beside
 * parts of it. */
static uint64_t
with_text_of_signatures(const struct report *report, uint64_t i,
			uint64_t tokens)
{
	uint32_t file_idx = report_item(report, i)->file_idx;
	uint64_t end = report_file_end(report, i);
	uint64_t listed = 0;
	bool has_signatures = false;

	for (; i < end; i++) {
		const struct report_item *item = report_item(report, i);

		has_signatures |=
			item->is_packed && item->tier == TIER_SIGNATURES;
		if (item->is_packed || item->reason == REASON_BUDGET)
			listed = add_sat_u64(listed, item->tokens);
	}
	if (!has_signatures)
		return tokens;
	return add_sat_u64(tokens - min_u64(tokens, listed),
			   report_file_tokens(report, file_idx));
}

/* Not for the log: that there is more than fits is what a budget is for. */
static void
note_left_out(const struct report *report)
{
	uint64_t content = report->rejected_tokens;
	char text[512];

	for (uint8_t i = 0; i < CATEGORY_NR; i++)
		content = add_sat_u64(content, report->categories[i].used);
	for (uint64_t i = 0; i < report->item_nr;
	     i = report_file_end(report, i))
		content = with_text_of_signatures(report, i, content);
	snprintf(text, sizeof(text),
		 "content (%s%s tokens) exceeds the available budget (%s "
		 "tokens): %s of %s chunks omitted, the lowest-ranked; "
		 "increase --budget or narrow what is packed",
		 report->has_estimates ? "about " : "", COUNT_TEXT(content),
		 COUNT_TEXT(report->available_tokens),
		 COUNT_TEXT(report->chunks_rejected),
		 COUNT_TEXT(report->chunks_rejected + report->chunks_packed));
	keep(text);
}

void
warnings_of_run(const struct report *report)
{
	uint64_t nr = 0;

	for (uint64_t i = 0; report->larger_nr > 0 && i < report->item_nr; i++)
		if (report_item(report, i)->larger_nr > 0 && nr++ < TOLD_MAX)
			emit_larger(report, report_item(report, i));
	if (nr > TOLD_MAX)
		diag_log(DIAG_WARN,
			 "BALE-BUD-002 %ju more ranges have a chunk that is "
			 "larger than what it may have; --report lists them",
			 nr - TOLD_MAX);
	if (report->chunks_rejected > 0 &&
	    report->available_tokens != BUDGET_ALL)
		note_left_out(report);
	/* why was for collect to say, and for dedup */
	if (report->git_is_partial)
		diag_log(
			DIAG_WARN,
			"the section of --git-log or --git-diff is incomplete");
	if (report->stats[STAT_not_compared] > 0)
		diag_log(DIAG_WARN, "some duplicates may remain: there "
				    "was no memory to compare more files");
}

bool
warnings_of_memory(uint64_t peak_bytes, uint64_t memory_bytes)
{
	if (IS_SANITIZED || peak_bytes <= memory_bytes)
		return true;
	diag_log(PEAK_LEVEL,
		 "peak memory %s, more than --memory %s: this is a bug, please "
		 "report it with the options and the size of the tree",
		 BYTES_TEXT(peak_bytes), BYTES_TEXT(memory_bytes));
	return PEAK_LEVEL != DIAG_ERROR;
}

void
warnings_of_tables(uint64_t table_bytes, uint64_t peak_bytes,
		   uint64_t memory_bytes)
{
	if (table_bytes == 0 || table_bytes + peak_bytes <= memory_bytes)
		return;
	diag_log(DIAG_WARN,
		 "tables of %s lie in memory and do not count in --memory %s: "
		 "$TMPDIR is on a tmpfs; set it to a directory on a disk",
		 BYTES_TEXT(table_bytes), BYTES_TEXT(memory_bytes));
}
