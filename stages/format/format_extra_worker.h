/* SPDX-License-Identifier: MIT */
/*
 * format_extra_worker.h - what stands in an output behind its files.
 */
#ifndef FORMAT_FORMAT_EXTRA_WORKER_H
#define FORMAT_FORMAT_EXTRA_WORKER_H

#include "stages/worker.h"

/* The directory tree of what was packed, and the user's instructions. */
void
format_extras(struct worker *worker);

#endif
