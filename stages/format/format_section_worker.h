/* SPDX-License-Identifier: MIT */
/*
 * format_section_worker.h - what the header of a file's section tells.
 */
#ifndef FORMAT_FORMAT_SECTION_WORKER_H
#define FORMAT_FORMAT_SECTION_WORKER_H

#include "markup/markup.h"
#include "stages/worker.h"

/* What of a file a section has. */
struct format_lines {
	uint64_t first;
	uint64_t last;
	bool signatures;
};

/*
 * shape:  all that is known of it; the caller says whether it is the first,
 *         and what of it stands in other parts
 * owner:  its paths are the catalogue's and the scratch's, until the next call
 */
struct markup_section
format_describe(struct worker *worker, uint32_t file_idx,
		const struct format_lines *lines);

#endif
