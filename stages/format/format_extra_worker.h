/* SPDX-License-Identifier: MIT */
/*
 * format_extra_worker.h - what stands in an output behind its files.
 */
#ifndef FORMAT_FORMAT_EXTRA_WORKER_H
#define FORMAT_FORMAT_EXTRA_WORKER_H

#include "markup/markup.h"
#include "stages/worker.h"

/* Files that stand in an output, by its places to cut at. */
struct format_files {
	uint64_t cut_first;
	uint64_t cut_end; /* behind the last one */
};

/*
 * shape:  the directory tree of what was packed, or of these files alone, and
 *         the user's instructions
 */
void
format_extras(struct worker *worker, struct markup_text *text,
	      const struct format_files *files);

/* The lines of a file in that tree, behind those of another; FILE_NONE: it is
 * the first. */
void
format_tree_lines(struct worker *worker, struct markup_text *text,
		  uint32_t file_before, uint32_t file_idx);

#endif
