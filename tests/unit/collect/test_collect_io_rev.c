/* SPDX-License-Identifier: MIT */
/*
 * test_collect_io_rev.c - the files of a commit, against git ls-tree and git
 * cat-file.
 */
#include "tests/support/test_history_repo.h"

static void
use(const char *const *roots, uint32_t nr, const char *rev)
{
	rig_walk_options.roots = roots;
	rig_walk_options.root_nr = nr;
	rig_walk_options.rev = rev;
	rig_walk_options.rev_memory_bytes = MEMORY_BYTES;
}

static int
begin(void)
{
	rig_begin();
	return collect_rev_begin(rig_files);
}

/* The text of a file as it is read for a slab. */
static const char *
text_of(const struct collect_item *item)
{
	static char text[4096];

	assert_true(item->file.bytes < sizeof(text));
	assert_int_equal(collect_rev_read(rig_files, item, (uint8_t *)text),
			 REASON_NONE);
	text[item->file.bytes] = '\0';
	return text;
}

/* What git has checked out elsewhere. */
static const char *
text_in(const char *path)
{
	static char text[4096];
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t got;

	assert_true(fd >= 0);
	got = read(fd, text, sizeof(text) - 1);
	assert_true(got >= 0);
	close(fd);
	text[got] = '\0';
	return text;
}

/* Every file, by its path below "r/" and its text, as git has them. */
static void
expect_as_git(const char *rev, const char *below)
{
	struct collect_item item;
	char line[256];
	char *names;
	char *rest;
	char *name;

	snprintf(line, sizeof(line),
		 "rm -rf out; mkdir out; git -C r archive '%s' | "
		 "tar -xf - -C out",
		 rev);
	shell(line);
	snprintf(line, sizeof(line),
		 "git -C r ls-tree -r --name-only '%s' %s", rev, below);
	names = rest = strdup(said(line));
	assert_int_equal(begin(), 0);
	while ((name = strsep(&rest, "\n")) != NULL && *name != '\0') {
		const char *got = rig_next(&item);

		assert_string_equal(got + 2, name);
		snprintf(line, sizeof(line), "out/%s", name);
		assert_string_equal(text_of(&item), text_in(line));
		/* and again, as in gather */
		assert_int_equal(collect_reopen(rig_files, item.file_idx), 0);
		assert_non_null(rig_files->blob);
		collect_close(rig_files);
		collect_pass_item(rig_files, &item, 1);
	}
	assert_string_equal(rig_pass(), "");
	free(names);
}

static void
test_rev_files_are_those_of_git(void **state)
{
	static const char *const roots[] = { "r" };
	static const char *const below[] = { "r/d/e" };
	static const char *const revs[] = { "HEAD", "HEAD~9", "main^{tree}" };

	make_past(20);
	/* what lies there now is nobody's business */
	shell("echo other >r/a.txt; echo new >r/new");
	for (size_t i = 0; i < ARRAY_LEN(revs); i++) {
		rig_place = (struct collect_place){ 0 };
		use(roots, 1, revs[i]);
		expect_as_git(revs[i], ".");
	}
	rig_place = (struct collect_place){ 0 };
	use(below, 1, "HEAD");
	expect_as_git("HEAD", "d/e");
}

static const char *
all(void)
{
	static char text[4096];
	const char *got;

	text[0] = '\0';
	rig_place = (struct collect_place){ 0 };
	assert_int_equal(begin(), 0);
	while (*(got = rig_pass()) != '\0')
		snprintf(text + strlen(text), sizeof(text) - strlen(text),
			 "%s ", got);
	return text;
}

static void
commit_kinds(void)
{
	shell("git init -q -b main r; cd r; mkdir -p d s; echo 1 >a; "
	      "echo 2 >d/b; ln -s a l; echo 1234567890 >large; "
	      "git init -q s; export GIT_AUTHOR_NAME=a GIT_AUTHOR_EMAIL=a@b "
	      "GIT_COMMITTER_NAME=a GIT_COMMITTER_EMAIL=a@b; "
	      "git -C s commit -q --allow-empty -m x; git add .; "
	      "git commit -qm one");
}

/* What was named by itself comes once, there. */
static void
test_rev_roots_are_given_each_once(void **state)
{
	static const char *const roots[] = { "r", "r/d", "r/a", "r/gone" };
	static const char *const files[] = { "d/b", "nosuch", "l", "d" };

	commit_kinds();
	scratch_file("r/gone", "not in the commit\n");
	use(roots, 1, "HEAD");
	assert_string_equal(all(), "r/a r/d/b [symlink] r/l r/large "
				   "[repository] r/s/ ");
	use(roots, 4, "HEAD");
	assert_string_equal(all(), "[symlink] r/l r/large [repository] r/s/ "
				   "r/d/b r/a [vanished] r/gone ");
	use(roots, 1, "HEAD");
	rig_walk_options.files = files;
	rig_walk_options.file_nr = ARRAY_LEN(files);
	assert_string_equal(all(), "[directory] r/d r/d/b [symlink] r/l "
				   "[vanished] r/nosuch ");
}

/* A replacement reads the commit that the first process found. */
static void
test_rev_stays_when_the_branch_moves(void **state)
{
	static const char *const roots[] = { "r" };
	struct collect_item item;

	commit_kinds();
	use(roots, 1, "main");
	assert_int_equal(begin(), 0);
	assert_string_equal(rig_pass(), "r/a");
	assert_true(rig_place.revs_known);
	assert_true(rig_place.revs[0].time_s > 1600000000);
	shell("cd r; echo 3 >d/b; echo 4 >d/c; git add .; git -c user.name=a "
	      "-c user.email=a@b commit -qm two");
	assert_int_equal(begin(), 0);
	assert_string_equal(rig_next(&item), "r/d/b");
	assert_string_equal(text_of(&item), "2\n");
	collect_pass_item(rig_files, &item, 1);
	assert_string_equal(rig_pass(), "[symlink] r/l");
}

static void
test_rev_objects_that_cannot_be_had_have_reasons(void **state)
{
	static const char *const roots[] = { "r" };
	struct collect_item item;

	commit_kinds();
	use(roots, 1, "HEAD");
	assert_int_equal(begin(), 0);
	rig_files->max_file_bytes = 5;
	assert_string_equal(rig_pass(), "r/a");
	shell("cd r; o=$(git rev-parse HEAD:d/b); "
	      "rm -f .git/objects/$(echo $o | sed 's,^..,&/,')");
	assert_string_equal(rig_pass(), "[unreadable] r/d/b");
	assert_string_equal(rig_pass(), "[symlink] r/l");
	assert_string_equal(rig_pass(), "[too-large] r/large");
	/* one that goes between the look and the reading */
	rig_place = (struct collect_place){ 0 };
	assert_int_equal(begin(), 0);
	assert_string_equal(rig_next(&item), "r/a");
	catalogue_file(&rig_catalogue, 0)->size_bytes++;
	assert_int_equal(collect_reopen(rig_files, 0), -EIO);
}

static void
test_rev_that_names_nothing_is_refused(void **state)
{
	static const char *const roots[] = { "r" };
	static const char *const below[] = { "r/new" };
	char why[COLLECT_WHY_BYTES] = "";
	struct collect_walk *walk;
	uint32_t bad;

	commit_kinds();
	use(roots, 1, "nosuch");
	assert_int_equal(begin(), -EINVAL);
	assert_false(rig_place.revs_known);
	/* a directory that the commit has not */
	assert_int_equal(mkdir("r/new", 0755), 0);
	use(below, 1, "HEAD");
	assert_int_equal(begin(), -EINVAL);
	/* outside of any repository */
	use(scratch_here, 1, "HEAD");
	rig_walk_options.why = why;
	assert_int_equal(collect_walk_create(&walk, &rig_walk_options, &bad),
			 -ENOENT);
	assert_int_equal(bad, 0);
	assert_non_null(strstr(why, "not in a git repository"));
	rig_walk_options.why = NULL;
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		PAST(test_rev_files_are_those_of_git),
		PAST(test_rev_roots_are_given_each_once),
		PAST(test_rev_stays_when_the_branch_moves),
		PAST(test_rev_objects_that_cannot_be_had_have_reasons),
		PAST(test_rev_that_names_nothing_is_refused),
	};

	if (past_skips())
		return 77;
	return cmocka_run_group_tests_name("collect/collect_io_rev", tests,
					   NULL, NULL);
}
