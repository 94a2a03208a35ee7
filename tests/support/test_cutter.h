/* SPDX-License-Identifier: MIT */
/*
 * test_cutter.h - the next chunk of a text, found and taken at once.
 */
#ifndef TESTS_SUPPORT_TEST_CUTTER_H
#define TESTS_SUPPORT_TEST_CUTTER_H

#include "stages/chunk/chunk_struct.h"

/* Returns its bytes, 0 behind the last. */
static inline size_t
chunk_cutter_next(struct chunk_cutter *cutter, const struct lang_text *text,
		  const struct chunk_limits *limits,
		  const struct lang_sink *sink)
{
	struct lang_end place = chunk_cutter_find(cutter, text, limits, sink);

	if (place.bytes > 0)
		chunk_cutter_take(cutter, place);
	return place.bytes;
}

#endif
