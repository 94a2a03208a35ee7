/* SPDX-License-Identifier: MIT */
/*
 * test_collect_io_diff.c - the work tree against a commit, against git diff.
 */
#include "tests/support/test_history_repo.h"

struct text {
	char at[1 << 16];
	size_t nr;
	size_t most;
};

static struct text patch;

static bool
take(void *context, const void *bytes, size_t nr)
{
	struct text *text = context;

	if (nr > text->most - text->nr)
		return false;
	memcpy(text->at + text->nr, bytes, nr);
	text->nr += nr;
	text->at[text->nr] = '\0';
	return true;
}

/* Without the names of objects: a file of the work tree has none yet. */
static void
drop_index_lines(char *text)
{
	char *to = text;

	while (*text != '\0') {
		size_t bytes = strcspn(text, "\n");

		bytes += text[bytes] == '\n';
		if (strncmp(text, "index ", 6) != 0) {
			memmove(to, text, bytes);
			to += bytes;
		}
		text += bytes;
	}
	*to = '\0';
}

static const char *second_root; /* NULL: there is one */

static int
diff(const char *root, const char *rev, struct history_differs *differs)
{
	const char *const roots[] = { root, second_root };
	char why[COLLECT_WHY_BYTES];
	struct history *history;
	int error;

	rig_walk_options.roots = roots;
	rig_walk_options.default_excludes = true;
	rig_walk_options.root_nr = second_root != NULL ? 2 : 1;
	rig_begin();
	assert_int_equal(history_find(&history, rig_files->walk, MEMORY_BYTES,
				      true, why),
			 0);
	assert_non_null(history);
	history_begin(history, 0, NULL);
	patch.nr = 0;
	patch.at[0] = '\0';
	*differs = (struct history_differs){ .take = take, .context = &patch };
	error = history_diff(history, 0, rev, differs);
	history_close(history);
	drop_index_lines(patch.at);
	return error;
}

/* What git says of these paths. */
static void
expect_as_git(const char *line)
{
	static char want[sizeof(patch.at)];

	snprintf(want, sizeof(want), "%s", said(line));
	drop_index_lines(want);
	assert_string_equal(patch.at, want);
}

static int
set_up(void **state)
{
	int error = past_set_up(state);

	patch.most = sizeof(patch.at) - 1;
	make_past(12);
	shell("cd r; seq 1 40 >long; printf no-newline >tail; echo s >id_rsa; "
	      "echo l >Cargo.lock; git add .; git -c user.name=a "
	      "-c user.email=a@b commit -qm base");
	return error;
}

static void
test_diff_is_that_of_git(void **state)
{
	struct history_differs differs;

	assert_int_equal(diff("r", "HEAD", &differs), 0);
	assert_false(differs.any);
	assert_string_equal(patch.at, "");
	/* changed, staged, new and staged, gone, of another mode, not known */
	shell("cd r; sed -i 's/^20$/twenty/; 5d' long; echo more >>tail; "
	      "echo staged >>a.txt; git add a.txt; echo new >d/new; "
	      "git add d/new; rm d/e/f.c; chmod +x m1.c || chmod +x d/e/*.c; "
	      "echo untracked >u");
	assert_int_equal(diff("r", "HEAD", &differs), 0);
	assert_true(differs.any);
	assert_true(strstr(patch.at, "+twenty\n") != NULL);
	expect_as_git("git -C r diff HEAD");
	/* staged, and changed again, or back */
	shell("cd r; echo more >>d/new; git show HEAD:a.txt >a.txt");
	assert_int_equal(diff("r", "HEAD", &differs), 0);
	assert_null(strstr(patch.at, "a.txt"));
	expect_as_git("git -C r diff HEAD");
	/* against an older one, and below a directory alone */
	assert_int_equal(diff("r", "HEAD~3", &differs), 0);
	expect_as_git("git -C r diff HEAD~3 -- . ':!id_rsa' ':!Cargo.lock'");
	assert_int_equal(diff("r/d", "HEAD~3", &differs), 0);
	expect_as_git("git -C r diff HEAD~3 -- d");
	/* and of all, if a second root is all of it */
	second_root = "r";
	assert_int_equal(diff("r/d", "HEAD", &differs), 0);
	second_root = NULL;
	expect_as_git("git -C r diff HEAD");
}

/* Files without a byte, whose line ends are to be converted: libgit2 gave back
 * what it had not taken. */
static void
test_diff_of_empty_files_with_line_ends(void **state)
{
	struct history_differs differs;

	shell("cd r; git config core.autocrlf true; echo '* text=auto' "
	      ">.gitattributes; git add . 2>/dev/null; : >new; : >long; "
	      "git add new; : >intended; git add -N intended; echo b >>a.txt");
	assert_int_equal(diff("r", "HEAD", &differs), 0);
	assert_non_null(strstr(patch.at, "b/new\n"));
	assert_non_null(strstr(patch.at, "b/intended\n"));
	assert_non_null(strstr(patch.at, "@@ -1,40 +0,0 @@\n-1\n"));
	assert_non_null(strstr(patch.at, "@@ -1 +1,2 @@\n 1\n+b\n"));
}

/* Both changed, both added, and one removed what the other changed. */
static void
test_diff_of_files_in_conflict(void **state)
{
	struct history_differs differs;

	shell("cd r; exec >/dev/null 2>&1; export GIT_AUTHOR_NAME=a "
	      "GIT_AUTHOR_EMAIL=a@b GIT_COMMITTER_NAME=a "
	      "GIT_COMMITTER_EMAIL=a@b; git checkout -qb other; "
	      "sed -i 's/^20$/theirs/' long; echo theirs >zboth; rm tail; "
	      "git add -A; git commit -qm theirs; git checkout -q -; "
	      "sed -i 's/^20$/ours/' long; echo ours >zboth; echo x >>tail; "
	      "git add -A; git commit -qm ours; ! git merge other");
	assert_int_equal(diff("r", "HEAD", &differs), 0);
	assert_true(differs.any);
	assert_non_null(strstr(patch.at, "+>>>>>>> other\n"));
	expect_as_git("git -C r diff HEAD");
}

/* What the user's own rules leave out, tracked or not, with what takes it in
 * again, below directories that are gone as well. */
static void
test_diff_does_not_show_what_rules_leave_out(void **state)
{
	struct history_differs differs;

	shell("cd r; mkdir -p priv/x pub; echo 1 >priv/x/a; echo 1 >pub/b; "
	      "echo 1 >pub/c; git add .; git -c user.name=a -c user.email=a@b "
	      "commit -qm 2; echo 2 >>priv/x/a; echo 2 >>pub/b; echo 2 >>pub/c;"
	      "echo 2 >>tail; echo priv/ >.baleignore; echo '*' >pub/.ignore; "
	      "echo '!c' >>pub/.ignore");
	assert_int_equal(diff("r", "HEAD", &differs), 0);
	expect_as_git("git -C r diff HEAD -- pub/c tail");
	/* but for a directory that is named itself */
	assert_int_equal(diff("r/priv", "HEAD", &differs), 0);
	expect_as_git("git -C r diff HEAD -- priv");
	shell("cd r; rm -r priv");
	assert_int_equal(diff("r", "HEAD", &differs), 0);
	expect_as_git("git -C r diff HEAD -- pub/c tail");
}

/* What a sparse checkout leaves out is not deleted, nor is what git was told
 * to take for unchanged; what is staged of it is shown. */
static void
test_diff_does_not_miss_what_git_does_not_look_for(void **state)
{
	struct history_differs differs;

	shell("cd r; git sparse-checkout set --cone d 2>/dev/null; test ! -e "
	      "m1.c; git update-index --assume-unchanged long; rm long; "
	      "git update-index --skip-worktree tail; rm tail");
	assert_int_equal(diff("r", "HEAD", &differs), 0);
	assert_false(differs.any);
	assert_string_equal(patch.at, "");
	/* behind the others */
	shell("cd r; git update-index --add --cacheinfo "
	      "100644,$(git rev-parse HEAD:long),zz; "
	      "git update-index --skip-worktree zz");
	shell("cd r; git update-index --no-assume-unchanged long; "
	      "git checkout -q long; echo more >>long");
	assert_int_equal(diff("r", "HEAD", &differs), 0);
	assert_non_null(strstr(patch.at, "b/zz\n"));
	expect_as_git("git -C r diff HEAD");
	assert_int_equal(diff("r", "HEAD~1", &differs), 0);
	assert_non_null(strstr(patch.at, "b/tail\n"));
}

/* Files whose bytes are not shown, staged and not, and by any attribute. */
static void
test_diff_of_binaries_names_them(void **state)
{
	struct history_differs differs;

	shell("cd r; echo '*.b -diff' >.gitattributes; echo 1 >a.b; "
	      "printf '1\\0' >'s p'; echo 1 >d.b; printf '3\\0' >mp; printf '1\\0' >'q\"'; "
	      "git add .; git -c user.name=a -c user.email=a@b commit -qm b; "
	      "echo 2 >>a.b; printf 2 >>'s p'; rm d.b; printf 2 >>'q\"'; "
	      "chmod +x mp; echo 7 >new.b; git add new.b; echo 2 >>new.b");
	assert_int_equal(diff("r", "HEAD", &differs), 0);
	assert_non_null(strstr(patch.at, "a/a.b and b/a.b differ\n"));
	expect_as_git("git -C r diff --no-renames HEAD");
}

/* The repository's settings are the user's, for the user's eyes. */
static void
test_diff_does_not_follow_settings(void **state)
{
	struct history_differs differs;
	char plain[4096];

	shell("cd r; sed -i 's/^20$/x/' long; git add -N a.txt; echo 2 >>tail");
	assert_int_equal(diff("r", "HEAD", &differs), 0);
	snprintf(plain, sizeof(plain), "%.4000s", patch.at);
	for (unsigned i = 0; i < 2; i++) {
		shell(i == 0 ? "git -C r config diff.mnemonicPrefix true; "
			       "git -C r config diff.context 9"
			     : "git -C r config diff.noprefix true");
		assert_int_equal(diff("r", "HEAD", &differs), 0);
		assert_string_equal(patch.at, plain);
	}
}

/* What a pack would not have is not shown, and counts as a change all the
 * same. */
static void
test_diff_does_not_show_what_is_left_out(void **state)
{
	static const char *const exclude[] = { "long" };
	struct history_differs differs;

	shell("cd r; echo x >id_rsa; echo x >Cargo.lock");
	assert_int_equal(diff("r", "HEAD", &differs), 0);
	assert_string_equal(patch.at, "");
	assert_true(differs.any);
	shell("cd r; echo x >>long; echo y >>tail");
	rig_walk_options.exclude = exclude;
	rig_walk_options.exclude_nr = 1;
	assert_int_equal(diff("r", "HEAD", &differs), 0);
	expect_as_git("git -C r diff HEAD -- tail");
	/* of a root that is a file that one alone */
	rig_walk_options.exclude_nr = 0;
	assert_int_equal(diff("r/long", "HEAD", &differs), 0);
	expect_as_git("git -C r diff HEAD -- long");
}

static void
test_diff_that_cannot_be_made_says_why(void **state)
{
	struct history_differs differs;

	shell("cd r; echo more >>tail");
	assert_int_equal(diff("r", "nosuch", &differs), -ENOENT);
	assert_int_equal(diff("r", "HEAD:tail", &differs), -EINVAL);
	patch.most = 20;
	assert_int_equal(diff("r", "HEAD", &differs), -EFBIG);
	patch.most = sizeof(patch.at) - 1;
	/* an object that a partial clone lacks is no wrong name */
	shell("git init -q p; cd p; echo 1 >a; git add a; git -c user.name=a "
	      "-c user.email=a@b commit -qm 1; echo 2 >a; o=$(git rev-parse "
	      "HEAD:a); rm -f .git/objects/${o%${o#??}}/${o#??}");
	assert_int_equal(diff("p", "HEAD", &differs), -ENODATA);
	shell("git clone -q --bare r bare.git");
	assert_int_equal(diff("bare.git", "HEAD", &differs), -ENOTDIR);
}

#define DIFF(name) cmocka_unit_test_setup_teardown(name, set_up, rig_tear_down)

int
main(void)
{
	const struct CMUnitTest tests[] = {
		DIFF(test_diff_is_that_of_git),
		DIFF(test_diff_does_not_show_what_is_left_out),
		DIFF(test_diff_of_empty_files_with_line_ends),
		DIFF(test_diff_of_files_in_conflict),
		DIFF(test_diff_does_not_show_what_rules_leave_out),
		DIFF(test_diff_does_not_miss_what_git_does_not_look_for),
		DIFF(test_diff_of_binaries_names_them),
		DIFF(test_diff_does_not_follow_settings),
		DIFF(test_diff_that_cannot_be_made_says_why),
	};

	if (past_skips())
		return 77;
	return cmocka_run_group_tests_name("collect/collect_io_diff", tests,
					   NULL, NULL);
}
