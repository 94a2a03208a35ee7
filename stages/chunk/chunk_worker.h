/* SPDX-License-Identifier: MIT */
/*
 * chunk_worker.h - the callbacks of chunk, for stage_table.c.
 */
#ifndef CHUNK_CHUNK_WORKER_H
#define CHUNK_CHUNK_WORKER_H

#include "stages/worker.h"

extern const struct stage_ops chunk_ops;

#endif
