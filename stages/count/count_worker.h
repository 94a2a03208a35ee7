/* SPDX-License-Identifier: MIT */
/*
 * count_worker.h - the callbacks of count, for stage_table.c.
 */
#ifndef COUNT_COUNT_WORKER_H
#define COUNT_COUNT_WORKER_H

#include "stages/worker.h"
#include "stages/stage.h"

extern const struct stage_ops count_ops;

#endif
