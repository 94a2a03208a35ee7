/* SPDX-License-Identifier: MIT */
/*
 * collect_heat.h - which lines of a text are not in earlier versions of it.
 *
 * Does: compares lines by a hash, less the blanks around them: a line that an
 *       earlier version has anywhere was there.
 * Does not: read versions; find what was taken away, or moved.
 * Limits: COLLECT_HEAT_LINES lines of a text, COLLECT_HEAT_VERSIONS versions.
 */
#ifndef COLLECT_COLLECT_HEAT_H
#define COLLECT_COLLECT_HEAT_H

#include "catalogue/history.h"

#define COLLECT_HEAT_LINES 32768
#define COLLECT_HEAT_VERSIONS 8
#define COLLECT_HEAT_SLOTS (2 * COLLECT_HEAT_LINES)

/* The commits between two versions. */
struct heat_span {
	uint64_t heat;      /* of all of them */
	uint32_t commit_nr; /* 0: each line has all of the heat */
	uint32_t line_nr;   /* of the text, that came with them */
};

/* A text and its versions. */
struct collect_heat {
	const uint8_t *text;
	size_t bytes;
	uint32_t line_nr;
	uint32_t version_nr;
	struct heat_span spans[COLLECT_HEAT_VERSIONS];
	uint64_t lines[COLLECT_HEAT_LINES]; /* hashes */
	uint8_t since[COLLECT_HEAT_LINES];  /* 1 + its span; 0: it is older */
	uint64_t slot_mask;                 /* of those in use */
	uint64_t slots[COLLECT_HEAT_SLOTS]; /* of the version in work */
};

/* Begins with the text as it is. Owner: the caller's, until the last version. */
void
collect_heat_begin(struct collect_heat *heat, const uint8_t *text,
		   size_t bytes);

/*
 * shape:  an earlier version, the newest first; what the commits were that came
 *         behind it, and before the version given last
 */
void
collect_heat_version(struct collect_heat *heat, const uint8_t *text,
		     size_t bytes, const struct heat_span *commits);

/*
 * shape:  lines that came with the versions, and those beside them, as the
 *         hotter of the two; `room` ranges at most
 */
uint32_t
collect_heat_lines(struct collect_heat *heat, struct history_lines *lines,
		   uint32_t room);

#endif
