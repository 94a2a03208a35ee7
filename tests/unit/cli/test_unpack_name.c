/* SPDX-License-Identifier: MIT */
/*
 * test_supervisor_unpack_name.c - paths that no file may have, and those like
 * them that files have. What git itself refuses is compared in
 * test_command_unpack_names.sh.
 */
#include "tests/support/test_shm.h"

#include "cli/unpack_dir.h"

static const char *
wrong_of(const char *path)
{
	return unpack_path_wrong((const uint8_t *)path, strlen(path));
}

static const char *const good[] = {
	"a",
	"a/b.c",
	".github/x",
	".gitignore",
	".gitattributes",
	".gitmodules",
	"a/.gitkeep",
	"git",
	"git/config",
	".gi/t",
	"xgit~1",
	"git~x",
	"git~",
	"x.git/config",
	".git2/config",
	".gitx",
	".svnignore",
	".hgignore",
	"_darcs2",
	"...",
	"a..b",
	"..a",
	".. a",
	" ..",
	".hidden./x ",
	"back\\slash",
	"a:b",
	"new\nline",
	"\x1b[31m",
	"\xff\xfe",
	"\xe2\x80\x8b",
	"nul",
	"a//b",
	"./a",
	"a/./b",
};

static const char *const repository[] = {
	".git",
	".git/config",
	"a/b/.git/config",
	"a/.git",
	".GIT/config",
	".gIt/hooks/x",
	".git./config",
	".git /config",
	".git . ./config",
	".git::$INDEX_ALLOCATION/config",
	".git:x",
	".git :x",
	"git~1/config",
	"GIT~1",
	"git~1.",
	"Git~1 :x",
	"git~2/config",
	"git~10",
	"a\\.git\\config",
	"a\\b/.git",
	".git\\config",
	"\\.git",
	/* ignored by HFS+: zero width, direction, byte order mark */
	".g\xe2\x80\x8cit/config",
	".git\xe2\x80\x8d/config",
	"\xe2\x80\x8e.git",
	".\xe2\x80\x8fgit",
	".g\xe2\x80\xaait",
	".g\xe2\x80\xaeit",
	".gi\xe2\x81\xaat",
	".gi\xe2\x81\xaft",
	"\xef\xbb\xbf.git",
	".GI\xe2\x80\x8cT\xef\xbb\xbf\xe2\x80\x8c/config",
	/* by Linux, where a directory folds case: soft hyphen, selectors, tags */
	".g\xc2\xadit",
	".git\xef\xb8\x8f",
	".git\xf3\xa0\x81\xbf",
	".git\xe2\x80\x8c.\xe2\x80\x8c ",
	".hg/hgrc",
	"a/.HG./hgrc",
	"hg~1/hgrc",
	".jj/repo/config.toml",
	".svn/entries",
	".\xc5\xbfvn/entries", /* the long s */
	".bzr/x",
	"_darcs/prefs/defaults",
	"_DARCS ",
};

static const struct {
	const char *path;
	const char *why;
} others[] = {
	{ "", "is empty" },
	{ "/a", "is absolute" },
	{ "a/", "ends with a slash" },
	{ "..", "leads out of the directory with .." },
	{ "a/../b", "leads out of the directory with .." },
	{ "a/..", "leads out of the directory with .." },
	/* to Windows, which leaves out what stands behind */
	{ ".. /x", "leads out of the directory with .." },
	{ "a/..  \\x", "leads out of the directory with .." },
	{ "..:x/y", "leads out of the directory with .." },
	{ "..::$INDEX_ALLOCATION/y", "leads out of the directory with .." },
	{ "a\\..\\b", "leads out of the directory with .." },
	{ ".", "names a directory" },
	{ "a/.", "names a directory" },
};

static void
test_path_that_is_refused_says_why(void **state)
{
	for (size_t i = 0; i < ARRAY_LEN(good); i++)
		if (wrong_of(good[i]) != NULL)
			fail_msg("%s %s", good[i], wrong_of(good[i]));
	for (size_t i = 0; i < ARRAY_LEN(repository); i++) {
		const char *why = wrong_of(repository[i]);

		if (why == NULL || strstr(why, "repository") == NULL)
			fail_msg("%s: got %s", repository[i],
				 why == NULL ? "nothing" : why);
	}
	for (size_t i = 0; i < ARRAY_LEN(others); i++) {
		const char *why = wrong_of(others[i].path);

		if (why == NULL || strcmp(why, others[i].why) != 0)
			fail_msg("%s: got %s, want %s", others[i].path,
				 why == NULL ? "nothing" : why, others[i].why);
	}
	assert_non_null(unpack_path_wrong((const uint8_t *)"a\0b", 3));
}

static void
test_path_at_its_limits(void **state)
{
	char path[4 * UNPACK_DEPTH_MAX];
	size_t nr = 0;

	memset(path, 'x', 300);
	path[UNPACK_NAME_BYTES_MAX] = '\0';
	assert_null(wrong_of(path));
	path[UNPACK_NAME_BYTES_MAX] = 'x';
	path[UNPACK_NAME_BYTES_MAX + 1] = '\0';
	assert_string_equal(wrong_of(path),
			    "has a name of more than 255 bytes");
	for (size_t i = 0; i < UNPACK_DEPTH_MAX; i++) {
		path[nr++] = 'd';
		path[nr++] = '/';
	}
	path[nr - 1] = '\0';
	assert_null(wrong_of(path));
	path[nr - 1] = '/';
	path[nr++] = 'f';
	path[nr] = '\0';
	assert_string_equal(wrong_of(path),
			    "is more than 512 directories deep");
}

static void
test_path_device_of_windows(void **state)
{
	static const char *const devices[] = {
		"nul",    "NUL",    "a/aux.c", "con.txt", "prn .x",
		"com1",   "LPT9.x", "COM0",    "aux:x",   "conin$",
		"b\\nul", "aux.",   "x/con/y",
	};
	static const char *const files[] = { "null",   "auxiliary.c", "com",
					     "com10",  "lpt",         "xaux",
					     "c.aux",  "comx",        "con_",
					     "console" };

	for (size_t i = 0; i < ARRAY_LEN(devices); i++)
		if (!unpack_path_is_device((const uint8_t *)devices[i],
					   strlen(devices[i])))
			fail_msg("%s is a device", devices[i]);
	for (size_t i = 0; i < ARRAY_LEN(files); i++)
		if (unpack_path_is_device((const uint8_t *)files[i],
					  strlen(files[i])))
			fail_msg("%s is a file", files[i]);
}

static void
test_path_plain_has_no_parts_that_mean_nothing(void **state)
{
	static const char *const paths[][2] = {
		{ "a", "a" },
		{ "a/b", "a/b" },
		{ "a//b", "a/b" },
		{ "./a/./b", "a/b" },
		{ "a/.b/..c", "a/.b/..c" },
		{ "", "" },
		{ "/a", "a" },
		{ "a/.", "a" },
	};

	for (size_t i = 0; i < ARRAY_LEN(paths); i++) {
		char *plain = unpack_path_plain((const uint8_t *)paths[i][0],
						strlen(paths[i][0]));

		assert_string_equal(plain, paths[i][1]);
		free(plain);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_path_that_is_refused_says_why),
		cmocka_unit_test(test_path_at_its_limits),
		cmocka_unit_test(test_path_device_of_windows),
		cmocka_unit_test(
			test_path_plain_has_no_parts_that_mean_nothing),
	};

	return cmocka_run_group_tests_name("supervisor/unpack_name", tests,
					   NULL, NULL);
}
