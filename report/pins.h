/* SPDX-License-Identifier: MIT */
/*
 * pins.h - what became of the files that are to be in full.
 */
#ifndef REPORT_PINS_H
#define REPORT_PINS_H

#include "report/report.h"

/*
 * shape:  whether there was room for all pinned files in full; says which are
 *         not, and why (binary, say); and which --pin names no file
 * units:  typed: the globs of --pin; NULL: they are of a configuration, which
 *         need not be in each part of the tree
 * calls:  the supervisor, at the end of a run
 */
bool
pins_had_room(const struct report *report, const char *const *typed);

#endif
