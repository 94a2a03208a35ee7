/* SPDX-License-Identifier: MIT */
/*
 * test_source_log.c - ranges and references by hand. What logs name:
 * test_source.c.
 */
#include "tests/support/test_shm.h"

#include "base/base.h"
#include "sources/source_parse.h"

static const struct {
	const char *text;
	const char *path;
	uint64_t line_first;
	uint64_t line_last;
} cases[] = {
	{ "a.c", "a.c", 0, 0 },
	{ "a.c:12", "a.c", 12, 12 },
	{ "a.c:12-40", "a.c", 12, 40 },
	{ "a.c:12-12", "a.c", 12, 12 },
	{ "a:b.c:7", "a:b.c", 7, 7 },
	{ "a.c:x", "a.c:x", 0, 0 },
	{ "a.c:0", "a.c:0", 0, 0 },
	{ "a.c:40-12", "a.c:40-12", 0, 0 },
	{ "a.c:12-", "a.c:12-", 0, 0 },
	{ "a.c:-12", "a.c:-12", 0, 0 },
	{ "a.c:12x", "a.c:12x", 0, 0 },
	{ "a.c:", "a.c:", 0, 0 },
	{ "d/a.c:99999999999999999999999", "d/a.c:99999999999999999999999", 0,
	  0 },
};

static void
test_source_log_references_are_files_or_ranges(void **state)
{
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct source_place place = { 0 };

		source_parse_reference(cases[i].text, &place);
		if (place.path_bytes != strlen(cases[i].path) ||
		    memcmp(place.path, cases[i].path, place.path_bytes) != 0 ||
		    place.line_first != cases[i].line_first ||
		    place.line_last != cases[i].line_last)
			fail_msg("%s: got %.*s, %llu to %llu", cases[i].text,
				 (int)place.path_bytes, place.path,
				 (unsigned long long)place.line_first,
				 (unsigned long long)place.line_last);
	}
}

/* The first place, as text. */
static int
take(void *context, const struct source_place *place)
{
	snprintf(context, 64, "%.*s:%llu", (int)place->path_bytes, place->path,
		 (unsigned long long)place->line_first);
	return -ECANCELED;
}

static void
test_source_log_places_end_with_what_was_returned(void **state)
{
	char text[] = "make: x\nsrc/a.c:12:3: error: y\nsrc/b.c:4: z\n";
	char got[64] = "";

	ASSERT_EQ(source_parse_tool(text, sizeof(text) - 1, take, got),
		  -ECANCELED);
	assert_string_equal(got, "src/a.c:12");
	ASSERT_EQ(source_parse_tool(text, 0, take, got), 0);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
			test_source_log_references_are_files_or_ranges),
		cmocka_unit_test(
			test_source_log_places_end_with_what_was_returned),
	};

	return cmocka_run_group_tests_name("sources/source_log", tests, NULL,
					   NULL);
}
