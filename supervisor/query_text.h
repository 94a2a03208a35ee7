/* SPDX-License-Identifier: MIT */
/*
 * query_text.h - what --query says, or the file that it names.
 */
#ifndef SUPERVISOR_QUERY_TEXT_H
#define SUPERVISOR_QUERY_TEXT_H

#include "rank/query.h"

#define QUERY_TEXT_MAX (1u << 20)

/*
 * shape:  the terms of a text, or for "@name" of a file, "@-" of stdin;
 *         without any, *out is NULL
 * owner:  free() by the caller, or the end of the process
 * errors: -errno of reading; -EFBIG: more than QUERY_TEXT_MAX bytes; -ENOMEM
 * calls:  supervisor_set_up(), before any fork
 */
int
query_text_read(const char *text, struct query **out);

#endif
