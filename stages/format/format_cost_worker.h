/* SPDX-License-Identifier: MIT */
/*
 * format_cost_worker.h - what the lines of a chunk come to in the output, for
 * those of which a part may be taken.
 */
#ifndef FORMAT_FORMAT_COST_WORKER_H
#define FORMAT_FORMAT_COST_WORKER_H

#include "stages/worker.h"

/* The first run of a chunk that is measured is at hand. */
void
format_cost_begin(struct worker *worker, const struct desc *in);

/* As format_out_content(), and what each line comes to is told. */
void
format_cost_lines(struct worker *worker, const struct desc *in, uint8_t *text);

#endif
