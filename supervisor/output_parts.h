/* SPDX-License-Identifier: MIT */
/*
 * output_parts.h - an output in parts: one file each, all of them or none.
 *
 * Does: names: of NAME.md the parts are NAME-001.md, NAME-002.md and so on,
 *       with as many digits as the last one needs, three at least; .zst stays
 *       at the end.
 * Invariants:
 * 1. All parts are written before the first one gets its name.
 */
#ifndef SUPERVISOR_OUTPUT_PARTS_H
#define SUPERVISOR_OUTPUT_PARTS_H

#include "supervisor/output.h"

/*
 * shape:  the name of part `number` of `nr`
 * owner:  the caller, free(3); NULL: no memory
 */
char *
output_part_name(const char *path, uint64_t number, uint64_t nr);

/* Parts of an earlier run that lie there are not packed. */
void
output_never_pack_parts(struct run *run, const char *path);

/*
 * shape:  gives each part its file: all of the catalogue's parts
 * errors: -errno; *failed: the name that it is about, free(3); what was there
 *         before is there, but for -errno of rename(2) itself
 * calls:  when the output is whole
 */
int
output_deliver_parts(const struct output *output,
		     const struct catalogue *catalogue, uint64_t nr,
		     const char *path, char **failed);

#endif
