/* SPDX-License-Identifier: MIT */
/*
 * format_special_worker.h - what in an output looks like a special token.
 *
 * It is text, and counted as text; but whoever passes it on unescaped to a
 * tokenizer that knows such tokens should know where they are.
 */
#ifndef FORMAT_FORMAT_SPECIAL_WORKER_H
#define FORMAT_FORMAT_SPECIAL_WORKER_H

#include "stages/worker.h"

/* Remembers those of a run that is written. */
void
format_special_run(struct worker *worker, const struct desc *in,
		   const uint8_t *content);

/* The end of them, for who reads them: 0 or -errno. */
int
format_special_end(struct worker *worker);

#endif
