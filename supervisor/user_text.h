/* SPDX-License-Identifier: MIT */
/*
 * user_text.h - texts of the user: the header, the instructions, the template,
 * the query, the list of files.
 */
#ifndef SUPERVISOR_USER_TEXT_H
#define SUPERVISOR_USER_TEXT_H

#include "rank/query.h"
#include "supervisor/options.h"

/*
 * shape:  reads --header, --instructions and --template into *markup, until the
 *         process ends; 0 or an exit code: a file cannot be read, is too large,
 *         or has a line that could pass for the beginning of a packed file or
 *         of another output
 * calls:  cmd_pack(), before the first fork
 */
int
own_text_read(const struct options *options, struct markup_options *markup);

/*
 * shape:  the terms of a text, or for "@name" of a file, "@-" of stdin;
 *         without any, *out is NULL
 * owner:  free() by the caller, or the end of the process
 * errors: -errno of reading; -EFBIG: more than a MiB; -ENOMEM
 */
int
query_text_read(const char *text, struct query **out);

/*
 * shape:  adds the lines of a file, or of stdin for "-", to a list; by_nul:
 *         what a NUL ends instead of a newline, with or without a carriage
 *         return; empty ones are passed over
 * units:  bytes_max: of memory, that the names may take in this process and
 *         in the walk
 * owner:  the process, until its end: the list points into it
 * errors: -errno of reading, -ENOMEM; -EFBIG: they take more
 */
int
file_list_read(const char *path, bool by_nul, uint64_t bytes_max,
	       struct text_list *list);

#endif
