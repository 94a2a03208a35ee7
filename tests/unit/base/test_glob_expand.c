/* SPDX-License-Identifier: MIT */
/*
 * test_glob_expand.c - commas and braces, as a shell spells them out.
 */
#include "tests/support/test_shm.h"

#include <errno.h>
#include <string.h>

#include "base/glob.h"

struct joined {
	char text[256];
	size_t bytes;
	size_t nr;
	size_t stop_at; /* 0: never */
};

/* Puts a blank between patterns, as echo does. */
static int
join(void *context, const char *pattern, size_t bytes)
{
	struct joined *joined = context;

	if (++joined->nr == joined->stop_at)
		return -EINTR;
	if (joined->bytes + bytes + 2 > sizeof(joined->text))
		return 0;
	if (joined->bytes > 0)
		joined->text[joined->bytes++] = ' ';
	memcpy(joined->text + joined->bytes, pattern, bytes);
	joined->bytes += bytes;
	joined->text[joined->bytes] = '\0';
	return 0;
}

/* Without top-level commas the right column is what bash 5.2 prints, but that
 * escapes are kept. */
static const struct {
	const char *pattern;
	const char *want;
} cases[] = {
	{ "*.c", "*.c" },
	{ "*.{ts,js}", "*.ts *.js" },
	{ "{a,b}/{c,d}", "a/c a/d b/c b/d" },
	{ "{a{1,2},b}x", "a1x a2x bx" },
	{ "a{b}c", "a{b}c" },
	{ "a{b", "a{b" },
	{ "a}b", "a}b" },
	{ "{,x}y", "y xy" },
	{ "{a,b", "{a b" }, /* the comma separates patterns */
	{ "\\{a,b\\}", "\\{a b\\}" },
	{ "{a\\,b,c}", "a\\,b c" },
	{ "a,b", "a b" },
	{ ",a,,b,", "a b" },
	{ "a\\,b", "a\\,b" },
	{ "a, b ,  c", "a b c" },
	{ " a,b ", " a b " },          /* these are beside no comma */
	{ "a\\ , \\ b", "a\\  \\ b" }, /* "a " and " b" */
	{ "a , , b", "a b" },
	{ "{a, b}", "a  b" }, /* as a shell has it */
	{ "[a,b].c", "[a,b].c" },
	{ "[{a,b}].c", "[{a,b}].c" },
	{ "a[b,c", "a[b c" },
	{ "a[/,b]", "a[/ b]" },
	{ "!*.{c,h}", "!*.c !*.h" },
	{ "src/*.{c,h},docs", "src/*.c src/*.h docs" },
	{ "", "" },
};

static void
test_glob_expand_spells_out_commas_and_braces(void **state)
{
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct joined joined = { .nr = 0 };

		ASSERT_EQ(glob_expand(cases[i].pattern, join, &joined), 0);
		if (strcmp(joined.text, cases[i].want) != 0)
			fail_msg("%s: got %s, want %s", cases[i].pattern,
				 joined.text, cases[i].want);
	}
}

static void
test_glob_expand_refuses_what_explodes(void **state)
{
	char pattern[5 * 4096];
	struct joined joined = { .nr = 0 };

	/* 2^12, and 2^13 */
	for (int i = 0; i < 13; i++)
		memcpy(pattern + 5 * i, "{a,b}", 6);
	ASSERT_EQ(glob_expand(pattern + 5, join, &joined), 0);
	ASSERT_EQ(joined.nr, GLOB_ALTERNATIVES_MAX);
	ASSERT_EQ(glob_expand(pattern, join, &joined), -E2BIG);
	memset(pattern, '{', sizeof(pattern));
	pattern[sizeof(pattern) - 1] = '\0';
	ASSERT_EQ(glob_expand(pattern, join, &joined), -E2BIG);
	pattern[4000] = '\0';
	joined.nr = 0;
	ASSERT_EQ(glob_expand(pattern, join, &joined), 0);
	ASSERT_EQ(joined.nr, 1);
}

static void
test_glob_expand_stops_when_the_caller_does(void **state)
{
	struct joined joined = { .stop_at = 2 };

	ASSERT_EQ(glob_expand("{a,b,c},d", join, &joined), -EINTR);
	ASSERT_EQ(joined.nr, 2);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_glob_expand_spells_out_commas_and_braces),
		cmocka_unit_test(test_glob_expand_refuses_what_explodes),
		cmocka_unit_test(test_glob_expand_stops_when_the_caller_does),
	};

	return cmocka_run_group_tests_name("base/glob_expand", tests, NULL,
					   NULL);
}
