/* SPDX-License-Identifier: MIT */
/*
 * collect_left_out.c - directories that are left out by default.
 *
 * Does: looks names and markers up in left_out.def.
 * Does not: know whether git tracks what lies below (the walk does).
 */
#include "stages/collect/collect.h"

#include <string.h>

#include "catalogue/facts.h"

#define LEFT_OUT_DIRS(...)
#define LEFT_OUT_WITH(...)
static const char *const markers[MARKER_NR] = {
#define MARKER(id, name) [MARKER_##id] = name,
#include "lang/left_out.def"
#undef MARKER
#undef LEFT_OUT_DIRS
};

#define MARKER(...)
static const struct {
	const char *names; /* blanks between */
	unsigned beside;   /* one of these; 0: anywhere */
	struct collect_left_out is;
} dirs[] = {
#define LEFT_OUT_DIRS(reason, names, beside, even_tracked) \
	{ names, beside, { REASON_##reason, even_tracked } },
#include "lang/left_out.def"
#undef LEFT_OUT_DIRS
#undef LEFT_OUT_WITH
};

#define LEFT_OUT_DIRS(...)
static const struct {
	unsigned inside;
	unsigned not_inside;
	uint8_t reason;
} with[] = {
#define LEFT_OUT_WITH(reason, inside, not_inside) \
	{ inside, not_inside, REASON_##reason },
#include "lang/left_out.def"
};

unsigned
collect_marker(const char *name, size_t bytes)
{
	for (unsigned i = 0; i < MARKER_NR; i++)
		if (markers[i][0] == name[0] && strlen(markers[i]) == bytes &&
		    memcmp(markers[i], name, bytes) == 0)
			return 1u << i;
	return 0;
}

struct collect_left_out
collect_left_out_dir(const char *name, size_t bytes, unsigned beside)
{
	for (size_t i = 0; i < ARRAY_LEN(dirs); i++)
		if ((dirs[i].beside == 0 || (dirs[i].beside & beside) != 0) &&
		    lang_word(dirs[i].names, (const uint8_t *)name, bytes,
			      NULL))
			return dirs[i].is;
	return (struct collect_left_out){ .reason = REASON_NONE };
}

uint8_t
collect_left_out_with(unsigned inside)
{
	for (size_t i = 0; i < ARRAY_LEN(with); i++)
		if ((with[i].inside & inside) != 0 &&
		    (with[i].not_inside & inside) == 0)
			return with[i].reason;
	return REASON_NONE;
}
