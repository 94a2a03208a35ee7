/* SPDX-License-Identifier: MIT */
/*
 * test_licence.c - which lines at the beginning of a file are a licence.
 */
#include "tests/support/test_shm.h"

#include "rank/licence.h"

/* What is left of a text; "|" marks a place where a licence was. */
static const char *
without(const char *text)
{
	static char out[4096];
	size_t left = strlen(text);
	size_t n = 0;
	size_t from;
	size_t nr;

	while ((nr = licence_find((const uint8_t *)text, left, &from)) > 0) {
		ASSERT_TRUE(from + nr <= left);
		n += (size_t)snprintf(out + n, sizeof(out) - n, "%.*s|",
				      (int)from, text);
		text += from + nr;
		left -= from + nr;
	}
	snprintf(out + n, sizeof(out) - n, "%s", text);
	return out;
}

static void
test_licence_is_the_rest_of_its_comment(void **state)
{
	static const struct {
		const char *text;
		const char *want;
	} cases[] = {
		{ "/* SPDX-License-Identifier: MIT */\n/*\n * a.c - does it\n */\n"
		  "int a;\n",
		  "|/*\n * a.c - does it\n */\nint a;\n" },
		{ "/*\n * a.c - does it\n *\n * COPYRIGHT 2001 me\n * no warranty\n"
		  " */\nint a;\n",
		  "/*\n * a.c - does it\n *\n|int a;\n" },
		{ "/*\n  in no form\n  Copyright me\n\n  as it is\n*/\nint a;\n",
		  "/*\n  in no form\n|int a;\n" },
		{ "// Copyright 2001 me.\n// Use of it is free.\n\n// Package a.\n"
		  "package a\n",
		  "|\n// Package a.\npackage a\n" },
		{ "#!/bin/sh\n# Copyright me\n#\n# under a licence\n\nset -e\n",
		  "#!/bin/sh\n|\nset -e\n" },
		{ "<!--\nCopyright me\n-->\n<p>\n", "<!--\n|<p>\n" },
		{ "-- Copyright me\n;; and a licence\nselect\n", "|select\n" },
		/* the rest of a block that began before */
		{ " * free software\n WITHOUT ANY WARRANTY\n */\nint a;\n",
		  " * free software\n|int a;\n" },
		/* two, one after the other */
		{ "// Copyright me\n\n// Copyright you\nint a;\n",
		  "|\n|int a;\n" },
	};

	for (size_t i = 0; i < ARRAY_LEN(cases); i++)
		assert_string_equal(without(cases[i].text), cases[i].want);
}

static void
test_licence_is_in_comments_before_anything_else(void **state)
{
	static const char *const texts[] = {
		"",
		"\n\n",
		"/* a.c - does it */\nint a;\n",
		"int a; /* Copyright me */\n",
		"#include \"license.h\"\n// license\n",
		"license = 'MIT'\n# Copyright me\n",
		"\"\"\"How licenses are checked.\"\"\"\nimport a\n",
		"/* opyright, arranty, SPD */\n",
	};

	for (size_t i = 0; i < ARRAY_LEN(texts); i++)
		assert_string_equal(without(texts[i]), texts[i]);
}

/* A text that is cut off anywhere is read no further than it goes. */
static void
test_licence_ends_with_the_text(void **state)
{
	static const char text[] = "/*\n * (C)\n * Copyright me, no warranty\n"
				   " * of any kind\n */\nint a;\n";

	for (size_t bytes = 0; bytes < sizeof(text); bytes++) {
		uint8_t *copy = malloc(bytes + (bytes == 0));
		size_t from = 0;
		size_t nr;

		ASSERT_TRUE(copy != NULL);
		memcpy(copy, text, bytes);
		nr = licence_find(copy, bytes, &from);
		ASSERT_TRUE(from + nr <= bytes);
		free(copy);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_licence_is_the_rest_of_its_comment),
		cmocka_unit_test(
			test_licence_is_in_comments_before_anything_else),
		cmocka_unit_test(test_licence_ends_with_the_text),
	};

	return cmocka_run_group_tests_name("rank/licence", tests, NULL, NULL);
}
