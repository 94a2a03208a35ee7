/* SPDX-License-Identifier: MIT */
/*
 * pins.c - what became of the files that are to be in full.
 */
#include "report/pins.h"

#include <stdlib.h>
#include <string.h>

#include "base/diag.h"
#include "catalogue/files.h"

#define NAMED_MAX 10 /* files; of more, how many */

struct pins {
	const struct report *report;
	uint32_t file_idx; /* of the last one that was looked at */
	bool is_pinned;    /* that one */
	bool is_reported;  /* that one is not in full */
	uint64_t short_nr; /* files that are not */
	bool no_room;      /* for some of these */
	bool *met;         /* of each pattern: it names a file */
};

/* Whether it is pinned; its patterns are met. */
static bool
look_at(struct pins *pins, uint32_t file_idx)
{
	const struct run *run = pins->report->run;
	const struct pack_options *options = &run->options;
	const struct file_record *file =
		catalogue_file(&run->catalogue, file_idx);
	size_t bytes;
	const uint8_t *path = report_path(pins->report, file_idx, &bytes);
	bool is_pinned = false;

	if (file->root_idx == SOURCE_ROOT_TEXT)
		return false;
	for (size_t i = 0; i < options->pin_nr; i++) {
		if (!pack_globs_name(&options->pins[i], 1,
				     path + file->root_bytes,
				     bytes - file->root_bytes))
			continue;
		pins->met[i] = true;
		is_pinned = true;
	}
	return is_pinned;
}

static void
tell(struct pins *pins, const struct report_item *item)
{
	bool no_room = item->is_packed || item->reason == REASON_BUDGET;

	pins->is_reported = true;
	pins->no_room |= no_room;
	if (pins->short_nr++ >= NAMED_MAX)
		return;
	diag_log(DIAG_WARN, "BALE-BUD-007 %s is pinned and not in full: %s",
		 QUOTED_PATH(pins->report, item->file_idx),
		 no_room ? "there is no room for all of it; give a larger "
			   "--budget, or pin less"
			 : reason_message((uint8_t)item->reason));
}

static void
take(struct pins *pins, const struct report_item *item)
{
	bool is_whole = item->is_packed ? item->tier != TIER_SIGNATURES
					: item->reason == REPORT_EMPTY;

	if (item->file_idx != pins->file_idx) {
		pins->file_idx = item->file_idx;
		pins->is_reported = false;
		pins->is_pinned = look_at(pins, item->file_idx);
	}
	/* signatures may be followed by all lines that there was room for */
	if (pins->is_pinned && !is_whole && !pins->is_reported)
		tell(pins, item);
}

bool
pins_had_room(const struct report *report, const char *const *typed)
{
	struct pins pins = { .report = report, .file_idx = FILE_NONE };
	size_t nr = report->run->options.pin_nr;

	if (nr == 0)
		return true;
	pins.met = calloc(nr, sizeof(*pins.met));
	if (pins.met == NULL)
		return true;
	for (uint64_t i = 0; i < report->item_nr; i++)
		take(&pins, report_item(report, i));
	if (pins.short_nr > NAMED_MAX)
		diag_log(DIAG_WARN,
			 "BALE-BUD-007 %ju more pinned files are not in full; "
			 "--report lists them",
			 pins.short_nr - NAMED_MAX);
	for (size_t i = 0; i < nr; i++)
		if (!pins.met[i] && typed != NULL)
			diag_log(DIAG_WARN,
				 "--pin %s matched no file; patterns are "
				 "matched below each PATH",
				 QUOTED(typed[i]));
	free(pins.met);
	return !pins.no_room;
}
