// SPDX-License-Identifier: MIT
/*
 * test_collect_git.c - work trees, with git at hand to make and list them.
 *
 * The tests that need git are skipped where there is none.
 */
#include "tests/support/test_collect_scratch.h"

#include "stages/collect/collect_io_walk.h"

#include "git/git.h"

static int back;

static int
setup(void **state)
{
	scratch_enter(&back);
	/* Nobody's own settings. */
	setenv("HOME", "/nonexistent", 1);
	unsetenv("XDG_CONFIG_HOME");
	setenv("GIT_CONFIG_NOSYSTEM", "1", 1);
	setenv("GIT_AUTHOR_NAME", "x", 1);
	setenv("GIT_AUTHOR_EMAIL", "x", 1);
	setenv("GIT_COMMITTER_NAME", "x", 1);
	setenv("GIT_COMMITTER_EMAIL", "x", 1);
	unsetenv("GIT_DIR");
	unsetenv("GIT_INDEX_FILE");
	return 0;
}

static int
teardown(void **state)
{
	scratch_leave(back);
	return 0;
}

/* A command of the shell, with no output; skips the test without git. */
static void
run(const char *command)
{
	char line[4096];

	if (system("git --version >/dev/null 2>&1") != 0) {
		print_message("there is no git\n");
		skip();
	}
	snprintf(line, sizeof(line), "{ %s; } >/dev/null 2>&1", command);
	assert_int_equal(system(line), 0);
}

/* What git lists, sorted. owner: the caller's */
static char *
git_lists(const char *folder)
{
	char command[1024];
	char *text = calloc(1, 1 << 16);
	FILE *pipe;

	snprintf(command, sizeof(command),
		 "cd %s && git ls-files -co --exclude-standard | "
		 "while read f; do [ -d \"$f\" ] || echo \"$f\"; done | "
		 "LC_ALL=C sort",
		 folder);
	pipe = popen(command, "r");
	assert_non_null(pipe);
	assert_non_null(text);
	text[fread(text, 1, (1 << 16) - 1, pipe)] = '\0';
	assert_int_equal(pclose(pipe), 0);
	return text;
}

static void
expect_as_git(const char *want)
{
	struct collect_options options = { SCRATCH_HERE };
	char *got = git_lists(".");

	assert_string_equal(got, want);
	free(got);
	scratch_expect(&options, want);
}

static void
test_tree_tracked_files_are_kept_although_ignored(void **state)
{
	scratch_file("a.o", "\n");
	scratch_file("b.o", "\n");
	scratch_file("out/x/kept", "\n");
	scratch_file("out/x/other", "\n");
	scratch_file("out/y", "\n");
	scratch_file(".gitignore", "*.o\nout/\n");
	run("git init -q && git add -f a.o out/x/kept");
	expect_as_git(".gitignore\na.o\nout/x/kept\n");
}

static void
test_tree_rules_hold_from_every_place(void **state)
{
	scratch_file("home/.config/git/ignore", "user\n");
	scratch_file("w/user", "\n");
	scratch_file("w/exclude", "\n");
	scratch_file("w/a/top", "\n");
	scratch_file("w/a/sub", "\n");
	scratch_file("w/a/kept", "\n");
	scratch_file("w/a/b/kept", "\n");
	scratch_file("w/.gitignore", "top\nkept\n");
	scratch_file("w/a/.gitignore", "sub\n!/kept\n");
	setenv("HOME", "home", 1);
	run("git init -q w && echo exclude >w/.git/info/exclude");
	{
		char home[4096];
		const char *const roots[] = { "w", "w/a/b" };
		struct collect_options options = { .roots = roots,
						   .root_nr = 1 };

		assert_non_null(getcwd(home, sizeof(home) - 8));
		strcat(home, "/home");
		setenv("HOME", home, 1);
		scratch_expect(&options, "w/.gitignore\nw/a/.gitignore\n"
					 "w/a/kept\n");
		/* ancestors' rules hold for a root within the tree, too */
		options.roots = roots + 1;
		scratch_expect(&options, "");
		setenv("HOME", "/nonexistent", 1);
		options.roots = roots;
		scratch_expect(&options, "w/.gitignore\nw/a/.gitignore\n"
					 "w/a/kept\nw/user\n");
	}
}

static void
test_tree_other_repositories_are_not_entered(void **state)
{
	struct collect_options options = { SCRATCH_HERE };

	scratch_file("a", "\n");
	scratch_file("nested/f", "\n");
	scratch_file("module/f", "\n");
	scratch_file("broken/.git/x", "\n");
	scratch_file("broken/f", "\n");
	run("git init -q && git init -q nested && git init -q module && "
	    "git -C module commit -q --allow-empty -m x && "
	    "git add module 2>/dev/null && rm -r module/.git");
	scratch_expect(&options, "a\nbroken/f\n[repository] module/\n"
				 "[repository] nested/\n");
}

static void
test_tree_worktree_and_gitdir_files_are_followed(void **state)
{
	const char *const roots[] = { "other" };
	struct collect_options options = { .roots = roots, .root_nr = 1 };

	scratch_file("main/a.o", "\n");
	scratch_file("main/.gitignore", "*.o\n");
	run("git init -q main && cd main && git add -f . && "
	    "git commit -q -m x && git worktree add -q ../other && "
	    "echo x >.git/info/exclude");
	scratch_file("other/x", "\n");
	scratch_file("other/b.o", "\n");
	scratch_file("other/y", "\n");
	scratch_expect(&options, "other/.gitignore\nother/a.o\nother/y\n");
}

/* A folder of several repositories: each is listed as git would. */
static void
test_tree_below_a_root_without_git_begins_there(void **state)
{
	struct collect_options options = { SCRATCH_HERE };

	scratch_file(".gitignore", "kept\n");
	scratch_file("kept", "\n");
	scratch_file("one/kept", "\n");
	scratch_file("one/.hidden", "\n");
	scratch_file("one/x", "\n");
	scratch_file("one/y/z.o", "\n");
	scratch_file("two/kept", "\n");
	run("git init -q one && echo x >one/.git/info/exclude && "
	    "echo '*.o' >one/.gitignore && git -C one add -f y/z.o");
	scratch_expect(&options, ".gitignore\none/.gitignore\none/.hidden\n"
				 "one/kept\none/y/z.o\n");
}

/* Who made the tree made its settings: they may not name files outside. */
static void
test_tree_own_settings_do_not_lead_out(void **state)
{
	scratch_file("outside", "a\n");
	scratch_file("w/inside", "b\n");
	scratch_file("w/a", "\n");
	scratch_file("w/b", "\n");
	run("git init -q w && cd w && "
	    "git config core.excludesFile \"$(dirname $PWD)/outside\" && "
	    "git config include.path ../../outside");
	{
		const char *const roots[] = { "w" };
		struct collect_options options = { .roots = roots,
						   .root_nr = 1 };

		scratch_expect(&options, "w/a\nw/b\nw/inside\n");
		run("git -C w config core.excludesFile inside");
		scratch_expect(&options, "w/a\nw/inside\n");
	}
}

static void
test_tree_index_of_every_version_is_read(void **state)
{
	static const char *const formats[] = { "sha1", "sha256" };
	char command[512];

	for (int version = 2; version <= 4; version++) {
		for (size_t i = 0; i < ARRAY_LEN(formats); i++) {
			char *got;

			snprintf(command, sizeof(command),
				 "rm -rf w && git init -q "
				 "--object-format=%s w && cd w && "
				 "mkdir -p long/path/of/names && "
				 "for i in `seq 300`; do "
				 "echo >long/path/of/names/file$i.o; done && "
				 "echo '*' >.gitignore && "
				 "git add -f long/path/of/names/*3.o && "
				 "git update-index --index-version %d",
				 formats[i], version);
			run(command);
			got = git_lists("w");
			assert_int_equal(chdir("w"), 0);
			scratch_expect(
				&(struct collect_options){ SCRATCH_HERE }, got);
			assert_int_equal(chdir(".."), 0);
			free(got);
		}
	}
}

static void
test_tree_broken_index_is_counted(void **state)
{
	struct collect_options options = { SCRATCH_HERE };
	struct collect_walk *walk;
	uint32_t bad_root;
	char *rest;

	scratch_file("a.o", "\n");
	scratch_file("b", "\n");
	scratch_file(".gitignore", "*.o\n");
	run("git init -q && git add -f a.o && echo junk >.git/index");
	assert_int_equal(collect_walk_create(&walk, &options, &bad_root), 0);
	rest = scratch_rest(walk);
	assert_string_equal(rest, ".gitignore\nb\n");
	assert_int_equal(walk->counts.rule_errors, 1);
	free(rest);
	collect_walk_destroy(walk);
}

/* "section|part|key|value" of every setting, '-' for one without a value. */
static void
check_config(const char *text, const char *want, int want_end)
{
	struct gitconfig config;
	char got[4096] = "";
	size_t bytes = 0;
	int end;

	gitconfig_init(&config, text, strlen(text));
	while ((end = gitconfig_next(&config)) == 1)
		bytes += (size_t)snprintf(
			got + bytes, sizeof(got) - bytes, "%s|%s|%s|%s\n",
			config.section, config.part, config.key,
			config.has_value ? config.value : "-");
	assert_string_equal(got, want);
	assert_int_equal(end, want_end);
}

static void
test_gitconfig_syntax_is_git_s(void **state)
{
	check_config("[core]\n\tkey = value\n[Core] KEY=v2 ; no\n",
		     "core||key|value\ncore||key|v2\n", 0);
	check_config("[a \"B\\\"c\"]\nx\ny = \"q  \\\" ; # \"  z  # no\n",
		     "a|B\"c|x|-\na|B\"c|y|q  \" ; #   z\n", 0);
	check_config("[a.B]\nx = one\\\n two\\tthree\\\\\r\ny=\n",
		     "a|b|x|one two\tthree\\\na|b|y|\n", 0);
	check_config("# only\n; comments\n\n", "", 0);
	check_config("[a]\nx = \"open\ny = 1\n", "", -EINVAL);
	check_config("[a\n", "", -EINVAL);
	check_config("[a]\nx = \\q\n", "", -EINVAL);
	check_config("[a]\n9 = x\n", "", -EINVAL);
	check_config("\xef\xbb\xbf[a]b=c", "a||b|c\n", 0);
}

/* A run of 2 words of ones, one word as it is; then a run of zeros. */
static void
test_index_bits_are_runs_and_words(void **state)
{
	static const uint8_t packed[] = {
		0, 0, 1, 64, 0,   0, 0, 3, /* 320 bits */
		0, 0, 0, 2,  0,   0, 0, 5, /* ones, 2; 1 */
		0, 0, 0, 0,  0,   0, 0, 6, /* 011 */
		0, 0, 0, 0,  0,   0, 0, 4, /* zeros, 2 */
		0, 0, 0, 2,  'x',
	};
	struct index_bits bits;
	size_t used = 0;

	assert_int_equal(index_bits_init(&bits, packed, sizeof(packed), &used),
			 0);
	assert_int_equal(used, sizeof(packed) - 1);
	for (int i = 0; i < 400; i++) {
		bool want = i < 128 || i == 129 || i == 130;

		if (index_bits_next(&bits) != want)
			fail_msg("bit %d: want %d", i, want);
	}
	assert_int_equal(index_bits_init(&bits, packed, 30, &used), -EINVAL);
	assert_int_equal(index_bits_init(&bits, packed, 5, &used), -EINVAL);
}

#define OBJECT "\1\2\3\4\5\6\7\10\11\12\13\14\15\16\17\20\21\22\23\24"

#define check_tree(text, want) \
	assert_int_equal(revtree_valid(text, sizeof(text) - 1), want)

static void
test_revtree_only_what_git_would_write_is_valid(void **state)
{
	check_tree("", true);
	check_tree("100644 a\0" OBJECT "40000 b\0" OBJECT, true);
	/* a folder's name ends with a slash: "a.b" is before "a/" */
	check_tree("100644 a.b\0" OBJECT "40000 a\0" OBJECT, true);
	check_tree("40000 a\0" OBJECT "100644 a.b\0" OBJECT, false);
	check_tree("40000 a\0" OBJECT "100644 a0\0" OBJECT, true);
	check_tree("100644 a\0" OBJECT "100644 a\0" OBJECT, false);
	check_tree("100644 b\0" OBJECT "100644 a\0" OBJECT, false);
	check_tree("100644 a/b\0" OBJECT, false);
	check_tree("100644 ..\0" OBJECT, false);
	check_tree("40000 .\0" OBJECT, false);
	check_tree("40000 .GIT\0" OBJECT, false);
	check_tree("100644 .gitignore\0" OBJECT, true);
	check_tree("100644 \0" OBJECT, false);
	check_tree("100648 a\0" OBJECT, false);
	check_tree("10064400 a\0" OBJECT, false);
	check_tree("100644 a\0too short", false);
	check_tree("100644 a", false);
	check_tree("100644", false);
}

int
main(void)
{
#define TEST(f) cmocka_unit_test_setup_teardown(f, setup, teardown)
	const struct CMUnitTest tests[] = {
		TEST(test_tree_tracked_files_are_kept_although_ignored),
		TEST(test_tree_rules_hold_from_every_place),
		TEST(test_tree_other_repositories_are_not_entered),
		TEST(test_tree_worktree_and_gitdir_files_are_followed),
		TEST(test_tree_below_a_root_without_git_begins_there),
		TEST(test_tree_own_settings_do_not_lead_out),
		TEST(test_tree_index_of_every_version_is_read),
		TEST(test_tree_broken_index_is_counted),
		TEST(test_gitconfig_syntax_is_git_s),
		TEST(test_index_bits_are_runs_and_words),
		TEST(test_revtree_only_what_git_would_write_is_valid),
	};

	return cmocka_run_group_tests_name("collect/git", tests, NULL, NULL);
}
