/* SPDX-License-Identifier: MIT */
/*
 * names.c - words for the kinds of definitions.
 */
#include "catalogue/names.h"

const char *
def_kind_text(uint8_t kind)
{
	static const char *const words[] = {
		"none",
#define KIND(id, letter, word) word,
#include "catalogue/def_kind.def"
#undef KIND
	};

	return kind < ARRAY_LEN(words) ? words[kind] : words[0];
}

int
catalogue_reserve_names(const struct catalogue *catalogue,
			struct names_lane *lane, uint64_t off)
{
	const struct table *table = &catalogue->names;
	int error = 0;

	while (error == 0 && lane->extents_nr <= off / NAMES_EXTENT_BYTES) {
		uint64_t from = lane->extents_nr * NAMES_EXTENT_BYTES;

		error = table_reserve_at(table,
					 names_place(lane->idx, lane->nr, from),
					 NAMES_EXTENT_BYTES);
		lane->extents_nr += error == 0;
	}
	return error;
}
