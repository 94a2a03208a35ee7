/* SPDX-License-Identifier: MIT */
/*
 * select_traits.h - finds the properties that give files points.
 *
 * Does: walks the names of each file, has imports counted, and writes the
 *       traits of each file into the catalogue.
 * Does not: give points (priority.c); resolve imports (rank/imports*.c).
 * Runs in: select, once, at the end of the survey.
 * Invariants:
 * 1. The traits are a pure function of the rest of the catalogue.
 */
#ifndef SELECT_SELECT_TRAITS_H
#define SELECT_SELECT_TRAITS_H

#include "stages/select/select_planner.h"

/*
 * shape:  the traits of files [0, file_nr) are there
 * errors: -errno of the table
 * calls:  select's worker, before the first plan; again by a replacement
 */
int
select_find_traits(struct planner *planner);

#endif
