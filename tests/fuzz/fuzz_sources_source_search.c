/* SPDX-License-Identifier: MIT */
/*
 * fuzz_supervisor_search.c - search results, logs and references from anybody
 * (--search, --tool, --reference).
 *
 * Input: one byte for who reads it, then the text. Whatever it is, what comes
 * of it are places that could be opened, and as many as were counted.
 *
 * verifies: FR-016-30
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sources/source_parse.h"
#include "sources/source_scan.h"
#include "tests/fuzz/fuzz_expect.h"

struct reported {
	int64_t nr;
	int64_t stop_at; /* an error ends the parsing */
	unsigned sum;
};

/* A sanitizer sees a read past either end. */
static unsigned
touch(const char *at, size_t nr)
{
	return nr == 0 ? 0 : (unsigned)at[0] + (unsigned)at[nr - 1];
}

static int
take(void *context, const struct source_place *place)
{
	struct reported *reported = context;

	expect(place->path_bytes > 0 && place->path_bytes < PATH_BYTES_MAX,
	       "a path that could be opened");
	expect(place->line_first > 0 && place->line_last >= place->line_first,
	       "lines that there could be");
	expect(place->dir_nr <= SOURCE_DIRS_MAX + 1, "directories");
	reported->sum += touch(place->path, place->path_bytes);
	for (size_t i = 0; i < place->dir_nr; i++)
		reported->sum +=
			touch(place->dirs[i].path, place->dirs[i].bytes);
	if (place->line != NULL && place->line_end != NULL) {
		expect(place->line <= place->path &&
			       place->path + place->path_bytes <=
				       place->line_end,
		       "a path within its line");
		reported->sum += touch(place->line,
				       (size_t)(place->line_end - place->line));
	}
	return ++reported->nr == reported->stop_at ? -EDOM : 0;
}

int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t bytes_nr)
{
	struct reported reported = { .nr = 0 };
	struct source_place place;
	char name[256];
	char *text;
	int64_t result;

	if (bytes_nr < 1)
		return 0;
	bytes_nr--;
	/* colours are taken out of it; no byte behind it may be looked at */
	text = malloc(bytes_nr);
	expect(text != NULL || bytes_nr == 0, "memory");
	if (bytes_nr > 0)
		memcpy(text, bytes + 1, bytes_nr);
	reported.stop_at = bytes[0] >> 2;
	switch (bytes[0] & 3) {
	case 0:
	case 1:
		result = source_parse_search(text, bytes_nr, take, &reported);
		break;
	case 2:
		result = source_parse_tool(text, bytes_nr, take, &reported);
		break;
	default:
		snprintf(name, sizeof(name), "%.*s",
			 (int)min_size(bytes_nr, 255), text);
		source_parse_reference(name, &place);
		expect(place.path == name && place.path_bytes <= strlen(name),
		       "a path of the text");
		expect(place.line_first <= place.line_last, "a range");
		free(text);
		return 0;
	}
	if (reported.stop_at != 0 && reported.nr == reported.stop_at)
		expect(result == -EDOM, "what ends it is told");
	else
		expect(result == reported.nr, "as many as were given");
	expect(reported.nr <= SOURCE_PLACES_MAX, "not too many");
	free(text);
	return 0;
}
