/* SPDX-License-Identifier: MIT */
/*
 * test_source_places.h - the places that a text names, as a text.
 */
#ifndef TESTS_SUPPORT_TEST_SOURCE_PLACES_H
#define TESTS_SUPPORT_TEST_SOURCE_PLACES_H

#include "tests/support/test_shm.h"

#include <stdio.h>
#include <stdlib.h>

#include "sources/source.h"
#include "sources/source_parse.h"

#define UNUSED __attribute__((unused))

static char got[4096];

/* "path:first-last " of each place, with a "!" if it is these lines. */
static UNUSED int
note(void *context, const struct source_place *place)
{
	size_t at = strlen(got);

	snprintf(got + at, sizeof(got) - at, "%.*s:%llu-%llu%s ",
		 (int)place->path_bytes, place->path,
		 (unsigned long long)place->line_first,
		 (unsigned long long)place->line_last,
		 place->is_exact ? "!" : "");
	for (size_t i = place->dir_nr; i-- > 0;) {
		at = strlen(got);
		snprintf(got + at, sizeof(got) - at, "in %.*s ",
			 (int)place->dirs[i].bytes, place->dirs[i].path);
	}
	return 0;
}

struct example {
	const char *text;
	const char *want;
};

static UNUSED void
check(const struct example *example,
      int64_t (*parse)(char *, size_t, source_place_fn *, void *))
{
	char *text = strdup(example->text);

	got[0] = '\0';
	parse(text, strlen(text), note, NULL);
	free(text);
	if (strcmp(got, example->want) != 0)
		fail_msg("%s: got '%s', want '%s'", example->text, got,
			 example->want);
}

/* Every place lies in the text, whatever the text. */
static UNUSED int
touch(void *context, const struct source_place *place)
{
	uint64_t *sum = context;

	ASSERT_TRUE(place->path_bytes > 0 && place->line_first > 0 &&
		    place->line_last >= place->line_first);
	for (size_t i = 0; i < place->path_bytes; i++)
		*sum += (unsigned char)place->path[i];
	return 0;
}

#endif
