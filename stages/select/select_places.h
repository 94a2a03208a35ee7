/* SPDX-License-Identifier: MIT */
/*
 * select_places.h - the files of the paths that a query names.
 *
 * Does: compares the paths of the catalogue with the places of a query, and
 *       says how strongly it names the files that match best.
 * Does not: look names up (select_anchors.h).
 * Runs in: select.
 * Limits: SELECT_PLACE_FILES files of a place; if it may be more, none is meant.
 */
#ifndef SELECT_SELECT_PLACES_H
#define SELECT_SELECT_PLACES_H

#include "rank/anchor.h"
#include "stages/select/select_anchors_strength.h"

#define SELECT_PLACE_FILES 3
#define SELECT_DIRECTORY_FILES 512 /* the first ones, by path */

/* The files that a place may be. */
struct select_place {
	uint32_t files[SELECT_PLACE_FILES];
	uint32_t nr;     /* may be more than there is room for */
	uint32_t common; /* components */
};

/* Those of all places; zeroed before use but for the anchors. */
struct select_places {
	const struct anchors *anchors;
	struct select_place places[ANCHOR_PLACES_MAX];
	struct {
		uint32_t file_idx;
		bool is_below; /* in a directory of it */
	} within[SELECT_DIRECTORY_FILES];
	uint32_t within_nr; /* files of the directory */
};

/* Compares a file with all places. */
void
select_places_meet(struct select_places *places,
		   const struct catalogue *catalogue, uint32_t file_idx);

/*
 * The rest is for when all files have been met.
 */

/* Whether a file is that of a place. */
bool
select_places_has(const struct select_places *places, uint8_t place,
		  uint32_t file_idx);

/* How much a frame counts: the innermost that is found in full, those six and more
 * around it 0.4 of it. */
double
select_places_depth(const struct select_places *places, uint32_t place);

/* Whether nothing is asked for but a file, which is there. */
bool
select_places_are_all(const struct select_places *places);

/* Adds the files of the directory; whether there are any. */
bool
select_places_add_directory(const struct select_places *places,
			    struct select_anchors *out);

/* Adds the files, and the lines of frames. */
void
select_places_add(const struct select_places *places,
		  struct select_anchors *out);

#endif
