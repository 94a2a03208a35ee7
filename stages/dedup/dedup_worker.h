/* SPDX-License-Identifier: MIT */
/*
 * dedup_worker.h - the callbacks of dedup, for stage_table.c.
 */
#ifndef DEDUP_DEDUP_WORKER_H
#define DEDUP_DEDUP_WORKER_H

#include "stages/worker.h"
#include "stages/stage.h"

extern const struct stage_ops dedup_ops;

#endif
