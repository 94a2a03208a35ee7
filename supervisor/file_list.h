/* SPDX-License-Identifier: MIT */
/*
 * file_list.h - the paths that --files-from names.
 */
#ifndef SUPERVISOR_FILE_LIST_H
#define SUPERVISOR_FILE_LIST_H

#include "supervisor/options.h"

/*
 * shape:  adds the lines of a file, or of stdin for "-", to a list; by_nul:
 *         what a NUL ends instead of a newline; empty ones are passed over
 * units:  bytes_max: of memory, that the names may take in this process and
 *         in the walk
 * owner:  the process, until its end: the list points into it
 * errors: -errno of reading, -ENOMEM; -EFBIG: they take more
 * calls:  supervisor_set_up(), before any fork
 */
int
file_list_read(const char *path, bool by_nul, uint64_t bytes_max,
	       struct text_list *list);

#endif
