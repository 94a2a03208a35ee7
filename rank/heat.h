/* SPDX-License-Identifier: MIT */
/*
 * heat.h - how much a past commit says of the files that it changed.
 *
 * A file's heat is the sum over the commits that changed it: each says half as
 * much as one that is HEAT_HALF_COMMITS newer, and the less the more files it
 * changed. Lines cool down faster.
 *
 * Does not: read commits; use floating-point numbers: every machine has the
 *           same heat.
 */
#ifndef RANK_HEAT_H
#define RANK_HEAT_H

#include "base/base.h"

#define HEAT_ONE 65536u /* of the newest commit, if it changed one file */
#define HEAT_HALF_COMMITS 400
#define HEAT_LINES_FASTER 2 /* so many times, in commits */
#define HEAT_FILES_MAX 30   /* a commit of more says nothing of any */

/*
 * shape:  what a commit adds to each file that it changed; 0: nothing
 * units:  age: commits that are newer; changed_nr: files that it changed;
 *         in units of 1/HEAT_ONE
 */
uint32_t
heat_of_commit(uint32_t age, uint32_t changed_nr);

/* The largest number whose square is no more; of less than 2^62. */
uint64_t
heat_root(uint64_t square);

#endif
