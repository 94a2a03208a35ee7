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

#include "supervisor/output.h"
#include "supervisor/part_set.h"
#include "catalogue/catalogue.h"

/* What an output in parts is made of. */
struct output_parts_source {
	const struct output *output;
	const struct job *job;
	const struct catalogue *catalogue;
	const char *encoding;
	const uint8_t *sha256; /* of each part; NULL: not known yet */
	const char *path;      /* NAME.md */
	uint64_t nr;
};

/* Excludes parts of an earlier run from packing. */
void
output_never_pack_parts(struct run *run, const char *path);

/*
 * shape:  writes all of the catalogue's parts, to be put in place
 * owner:  part_set_close(), whatever is returned; the source's path lives as
 *         long
 * errors: -errno; *failed: the path that it is about, free(3)
 * calls:  when the output is whole
 */
int
output_parts_prepare(struct part_set *set,
		     const struct output_parts_source *source, char **failed);

/* Says which files look like parts of this output and are of an earlier one. */
void
output_parts_warn(const char *path, uint64_t nr);

#endif
