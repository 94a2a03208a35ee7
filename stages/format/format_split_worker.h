/* SPDX-License-Identifier: MIT */
/*
 * format_split_worker.h - an output cut into parts of at most so many tokens.
 *
 * While the output is written, its files and chunks are remembered as places
 * to cut at. At the end of the pass it is cut, and the parts, each with what
 * stands before and behind its files, are written behind it.
 */
#ifndef FORMAT_FORMAT_SPLIT_WORKER_H
#define FORMAT_FORMAT_SPLIT_WORKER_H

#include "stages/format/format_section_worker.h"
#include "stages/worker.h"

/* Whether the output is in parts. */
static inline bool
format_splits(const struct worker *worker)
{
	return worker->run->job.split_tokens > 0;
}

/* Nothing of these happens if the output is not to be cut. */

/* A section begins here. */
void
format_cut_file(struct worker *worker, uint32_t file_idx,
		const struct format_lines *lines);

/* Another chunk of the section begins here, if a line does. */
void
format_cut_chunk(struct worker *worker, uint64_t line_first);

/* What stands before the content, or behind it, ends here. */
void
format_cut_content(struct worker *worker);

/* The content of the section ends here. */
void
format_cut_end(struct worker *worker, bool half_line);

/*
 * shape:  cuts what is written into parts, written behind it; verdict and
 *         number of parts are put into the state
 * errors: -errno; that no part can hold a piece of a file is no error, but
 *         `no_part`
 * calls:  at the end of a pass; done again it does the same
 */
int
format_split(struct worker *worker);

#endif
