/* SPDX-License-Identifier: MIT */
/*
 * select_worker.h - the callbacks of select, for stage_table.c.
 */
#ifndef SELECT_SELECT_WORKER_H
#define SELECT_SELECT_WORKER_H

#include "stages/worker.h"
#include "stages/stage.h"

extern const struct stage_ops select_ops;

#endif
