/* SPDX-License-Identifier: MIT */
/*
 * fuzz_supervisor_wish.c - lines of --sources from anybody.
 *
 * Input: the lines. Each is refused with a reason, or is a wish whose every
 * number is in range.
 *
 * verifies: FR-016-30
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "stages/stage.h"
#include "sources/source_parse.h"
#include "tests/fuzz/fuzz_expect.h"
#include "sources/source.h"

#define DAY_MS 86400000u
#define YEARS_MAX_S 9000000000ll

static void
check_wish(const struct source_json *wish)
{
	const struct source_place *place = &wish->place;

	expect(wish->category < CATEGORY_TREE, "a category that can be named");
	expect(wish->relevance <= SOURCE_ONE, "a relevance up to one");
	expect(wish->timeout_ms <= DAY_MS, "a time that it may take");
	expect(wish->time_ns == SOURCE_TIME_NONE ||
		       (wish->time_ns / 1000000000 <= YEARS_MAX_S &&
			wish->time_ns / 1000000000 >= -YEARS_MAX_S),
	       "a time that can be told");
	if (wish->content != NULL) {
		expect(strlen(wish->content) == wish->content_bytes,
		       "a content of its length");
		return;
	}
	expect(place->path != NULL && place->path_bytes > 0 &&
		       strlen(place->path) == place->path_bytes,
	       "a path or a content");
	expect(place->line_first <= place->line_last, "a range");
}

static void
parse(const char *line, size_t bytes)
{
	struct source_json wish;
	char why[128] = "";
	int error = source_parse_json(line, bytes, &wish, why, sizeof(why));

	if (error == 0)
		check_wish(&wish);
	else
		expect(error == -EINVAL && why[0] != '\0' &&
			       memchr(why, '\0', sizeof(why)) != NULL,
		       "a reason");
	source_json_fini(&wish);
}

int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t bytes_nr)
{
	const char *at = (const char *)bytes;
	const char *stop = at + bytes_nr;

	while (at < stop) {
		const char *end = memchr(at, '\n', (size_t)(stop - at));

		end = end == NULL ? stop : end;
		parse(at, (size_t)(end - at));
		at = end + 1;
	}
	return 0;
}
