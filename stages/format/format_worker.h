/* SPDX-License-Identifier: MIT */
/*
 * format_worker.h - the callbacks of format, for stage_table.c.
 */
#ifndef FORMAT_FORMAT_WORKER_H
#define FORMAT_FORMAT_WORKER_H

#include "stages/worker.h"
#include "stages/stage.h"

extern const struct stage_ops format_ops;

#endif
