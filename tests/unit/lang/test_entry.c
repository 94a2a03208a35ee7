/* SPDX-License-Identifier: MIT */
/*
 * test_entry.c - the lines of a manifest that say where something begins.
 */
#include "tests/support/test_shm.h"

#include "lang/facts.h"

static const struct {
	enum lang_manifest manifest;
	const char *text;
	const char *want; /* a "|" behind each line */
} cases[] = {
	{ LANG_MANIFEST_CARGO,
	  "[package]\nname = \"a\"\npath = \"no\"\n\n[lib]\nname = \"b\"\n"
	  "path = \"src/b.rs\"\n[[bin]]\npath = \"c.rs\"\n[[bin]]\n"
	  "  path=\"d.rs\"\r\n[[example]]\npath = \"no\"\n",
	  "path = \"src/b.rs\"|path = \"c.rs\"|path=\"d.rs\"\r|" },
	{ LANG_MANIFEST_CARGO, "[lib]\npaths = \"no\"\npath\npath =\n", "" },
	{ LANG_MANIFEST_PYPROJECT,
	  "[project]\nname = \"A-b\"\nversion = \"1\"\n[project.scripts]\n"
	  "# c = \"no\"\nc = \"a_b.cli:main\"\n[tool.x]\nname = \"no\"\n"
	  "[tool.poetry.scripts]\nd = 'e:f'",
	  "name = \"A-b\"|c = \"a_b.cli:main\"|d = 'e:f'|" },
	{ LANG_MANIFEST_SETUP_CFG,
	  "[metadata]\nname = a\n[options.entry_points]\nconsole_scripts =\n"
	  "    b = a.c:main\n[options]\nd = no\n",
	  "name = a|b = a.c:main|" },
	{ LANG_MANIFEST_SETUP_CFG, "[metadata", "" },
	{ LANG_MANIFEST_SETUP_PY,
	  "from setuptools import setup\n# name = 'no'\nfull_name = 'no'\n"
	  "setup(name=\"a-b\", version='1=0',\n  py_name='no',\n"
	  "  entry_points={'console_scripts': ['c = a_b.c:main', \"d=e:f\"]},\n"
	  "  packages=find(where='src'), names, name\n)",
	  "name=\"a-b\", version='1=0',|'c = a_b.c:main'|\"d=e:f\"|" },
	{ LANG_MANIFEST_SETUP_PY, "setup(name='a", "name='a|" },
	{ LANG_MANIFEST_SETUP_PY, "setup('a=b:c'", "'a=b:c'|" },
	{ LANG_MANIFEST_SETUP_PY, "'", "" },
	{ LANG_MANIFEST_SETUP_PY, "'\n=:\n", "" },
	{ LANG_MANIFEST_NONE, "[project]\nname = \"no\"\n", "" },
	{ LANG_MANIFEST_PYPROJECT, "", "" },
};

static void
test_entry_lines_say_where_something_begins(void **state)
{
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		size_t end = strlen(cases[i].text);
		char got[200] = "";
		size_t bytes = 0;

		for (size_t at = 0;; at += bytes) {
			at = lang_entry_next(cases[i].manifest,
					     (const uint8_t *)cases[i].text, at,
					     end, &bytes);
			if (at == end)
				break;
			strncat(got, cases[i].text + at, bytes);
			strcat(got, "|");
		}
		assert_string_equal(got, cases[i].want);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_entry_lines_say_where_something_begins),
	};

	return cmocka_run_group_tests_name("lang/entry", tests, NULL, NULL);
}
