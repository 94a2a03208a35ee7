/* SPDX-License-Identifier: MIT */
/*
 * select_places.c - paths of the catalogue compared with places.
 */
#include "stages/select/select_places.h"

#include <string.h>

#include "catalogue/files.h"

static void
meet_directory(struct select_places *places, uint32_t file_idx,
	       const uint8_t *path, size_t bytes)
{
	const struct anchor_place *directory = &places->anchors->directory;
	uint32_t within = 0;

	if (directory->bytes > 0 && places->within_nr < SELECT_DIRECTORY_FILES)
		within = anchor_in_directory(directory, path, bytes);
	if (within == 0)
		return;
	places->within[places->within_nr].file_idx = file_idx;
	places->within[places->within_nr].is_below = within == 1;
	places->within_nr++;
}

void
select_places_meet(struct select_places *places,
		   const struct catalogue *catalogue, uint32_t file_idx)
{
	const struct file_record *file = catalogue_file(catalogue, file_idx);
	const uint8_t *path =
		catalogue_path(catalogue, file) + file->root_bytes;
	size_t bytes = file->path_bytes - file->root_bytes;

	meet_directory(places, file_idx, path, bytes);
	for (uint32_t i = 0; i < places->anchors->place_nr; i++) {
		struct select_place *place = &places->places[i];
		uint32_t common =
			anchor_match(&places->anchors->places[i], path, bytes);

		if (common == 0 || common < place->common)
			continue;
		if (common > place->common)
			*place = (struct select_place){ .common = common };
		if (place->nr < SELECT_PLACE_FILES)
			place->files[place->nr] = file_idx;
		place->nr++;
	}
}

/* Files that a place is; 0: there is none, or too many. */
static uint32_t
files_of(const struct select_place *place)
{
	return place->nr <= SELECT_PLACE_FILES ? place->nr : 0;
}

bool
select_places_has(const struct select_places *places, uint8_t place,
		  uint32_t file_idx)
{
	const struct select_place *at = &places->places[place];

	for (uint32_t i = 0; i < files_of(at); i++)
		if (at->files[i] == file_idx)
			return true;
	return false;
}

double
select_places_depth(const struct select_places *places, uint32_t place)
{
	const struct anchors *anchors = places->anchors;
	bool first = anchors->innermost_first;
	uint32_t nr = 0;

	for (uint32_t i = first ? 0 : place + 1;
	     i < (first ? place : anchors->place_nr); i++)
		nr += anchors->places[i].kind == ANCHOR_FRAME &&
		      files_of(&places->places[i]) > 0;
	return 1 - 0.1 * (double)min_u64(nr, 6);
}

bool
select_places_are_all(const struct select_places *places)
{
	const struct anchors *anchors = places->anchors;

	for (uint32_t i = 0; anchors->is_all && i < anchors->place_nr; i++)
		if (anchors->places[i].kind == ANCHOR_PATH &&
		    files_of(&places->places[i]) > 0)
			return true;
	return false;
}

bool
select_places_add_directory(const struct select_places *places,
			    struct select_anchors *out)
{
	for (uint32_t i = 0; i < places->within_nr; i++)
		select_anchors_add(out, places->within[i].file_idx, 0,
				   places->within[i].is_below ? 0.8 : 1);
	return places->within_nr > 0;
}

static double
strength_of(const struct select_places *places, uint32_t idx)
{
	const struct anchor_place *place = &places->anchors->places[idx];
	uint32_t common = places->places[idx].common;

	switch (place->kind) {
	case ANCHOR_FRAME:
		return 0.8 * select_places_depth(places, idx);
	case ANCHOR_PATH:
		if (places->anchors->is_all)
			return 1;
		return common >= 2 ? 0.8 : 0.5;
	default:
		if (memchr(place->path, '/', place->bytes) == NULL)
			return 0;
		return common >= 2 ? 0.5 : 0.2;
	}
}

void
select_places_add(const struct select_places *places,
		  struct select_anchors *out)
{
	for (uint32_t i = 0; i < places->anchors->place_nr; i++) {
		const struct anchor_place *place = &places->anchors->places[i];
		const struct select_place *at = &places->places[i];
		bool has_line = place->kind == ANCHOR_FRAME && place->line != 0;
		double depth = select_places_depth(places, i);

		for (uint32_t k = 0; k < files_of(at); k++) {
			select_anchors_add(out, at->files[k], 0,
					   strength_of(places, i) /
						   (double)at->nr);
			if (has_line)
				select_anchors_add(
					out, at->files[k], place->line,
					0.6 * depth / (double)at->nr);
		}
	}
}
