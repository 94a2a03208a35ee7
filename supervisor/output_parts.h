/* SPDX-License-Identifier: MIT */
/*
 * output_parts.h - an output in parts: one file each, all of them or none.
 *
 * Does: of NAME.md the parts are NAME-001.md, NAME-002.md and so on, with as
 *       many digits as the last one needs, three at least; .zst stays at the
 *       end. A manifest (manifest.h) says that all are there.
 * Invariants:
 * 1. All parts are written before the first one gets its name.
 */
#ifndef SUPERVISOR_OUTPUT_PARTS_H
#define SUPERVISOR_OUTPUT_PARTS_H

#include "supervisor/supervisor.h"

/* Excludes parts of an earlier run from packing. */
void
output_never_pack_parts(struct run *run, const char *path);

/*
 * shape:  writes all of the catalogue's parts, to be put in place; sha256: of
 *         each, NULL: not known yet
 * owner:  part_set_close(), whatever is returned
 * errors: -errno; *failed: the path that it is about, free(3)
 * calls:  when the output is whole
 */
int
output_parts_prepare(struct supervisor *supervisor, const uint8_t *sha256,
		     char **failed);

/* Says which files look like parts of this output and are of an earlier one. */
void
output_parts_warn(const char *path, uint64_t nr);

#endif
