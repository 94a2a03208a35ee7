/* SPDX-License-Identifier: MIT */
/*
 * pins.h - what became of the files that are to be in full.
 */
#ifndef REPORT_PINS_H
#define REPORT_PINS_H

#include "supervisor/options.h"
#include "report/report.h"

/*
 * shape:  whether there was room for all pinned files in full; says which are
 *         not, and why (binary, say); and which --pin names no file
 * errors: a catalogue that cannot be walked: another will say so
 * calls:  the supervisor, at the end of a run
 */
bool
pins_had_room(const struct report *report, const struct options *options);

#endif
