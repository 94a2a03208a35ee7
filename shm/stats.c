/* SPDX-License-Identifier: MIT */
/*
 * stats.c - names, units and help of the counters.
 */
#include "shm/stats.h"

const struct stat_text stat_texts[STAT_NR] = {
#define STAT(name, metric, unit, help) { #name, #metric, unit, help },
#include "shm/stats.def"
#undef STAT
};
