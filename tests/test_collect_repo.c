/* SPDX-License-Identifier: MIT */
/*
 * test_collect_repo.c - collect/repo: which repository may be read, and what
 * it says, compared with git itself.
 */
#include "tests/test_collect_scratch.h"

#include <sys/wait.h>

#include "stages/collect/collect_io_repo.h"

#define MEMORY_BYTES ((size_t)32 << 20)

static int back = -1;

/* Runs a line of shell with git far from anybody's settings. */
static void
shell(const char *line)
{
	char whole[4096];

	snprintf(whole, sizeof(whole),
		 "set -e; export HOME=$PWD/home GIT_CONFIG_NOSYSTEM=1 "
		 "GIT_AUTHOR_NAME=a GIT_AUTHOR_EMAIL=a@b GIT_COMMITTER_NAME=a "
		 "GIT_COMMITTER_EMAIL=a@b GIT_AUTHOR_DATE='1700000000 +0000' "
		 "GIT_COMMITTER_DATE='1700000000 +0000'; "
		 "exec >/dev/null 2>&1; %s",
		 line);
	if (system(whole) != 0)
		fail_msg("shell: %s", line);
}

/* What git says, a line. */
static void
ask_git(const char *line, char *out, int size)
{
	FILE *git = popen(line, "re");

	assert_non_null(git);
	if (fgets(out, size, git) == NULL)
		out[0] = '\0';
	out[strcspn(out, "\n")] = '\0';
	assert_int_equal(pclose(git), 0);
}

static int
set_up(void **state)
{
	if (system("git --version >/dev/null 2>&1") != 0)
		return 0;
	scratch_enter(&back);
	shell("git init -q -b main r; cd r; mkdir -p src/in; "
	      "echo one > a.txt; echo two > src/in/b.c; git add .; "
	      "git commit -qm first; echo three > a.txt; git commit -qam next; "
	      "git tag -a v1 -m v1; git branch side HEAD~1");
	assert_int_equal(gitlib_open(MEMORY_BYTES), 0);
	return 0;
}

static int
tear_down(void **state)
{
	int here;

	if (back < 0)
		return 0;
	here = open(".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	scratch_empty(here);
	close(here);
	assert_int_equal(fchdir(back), 0);
	close(back);
	back = -1;
	return 0;
}

static void
need_git(void)
{
	if (back < 0) {
		print_message("git is not installed\n");
		skip();
	}
}

static int
find(struct repo *repo, const char *path, const char *allowed,
     char why[REPO_WHY_BYTES])
{
	char real[4096];
	const char *paths[] = { real };
	struct repo_allowed list = { paths, 0 };
	int fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	int error;

	assert_true(fd >= 0);
	if (allowed != NULL) {
		assert_non_null(realpath(allowed, real));
		list.nr = 1;
	}
	error = repo_find(repo, fd, &list, why);
	close(fd);
	return error;
}

static void
expect_found(const char *path, const char *prefix)
{
	char why[REPO_WHY_BYTES];
	struct repo repo;
	int error = find(&repo, path, NULL, why);

	if (error != 0)
		fail_msg("%s: %s (%s)", path, strerror(-error), why);
	assert_string_equal(repo.prefix, prefix);
	assert_int_equal(repo_open(&repo), 0);
	repo_close(&repo);
}

static void
expect_refused(const char *path, int want, const char *text)
{
	char why[REPO_WHY_BYTES];
	struct repo repo;
	int error = find(&repo, path, NULL, why);

	if (error != want || strstr(why, text) == NULL)
		fail_msg("%s: got %d (%s), want %d (... %s ...)", path, error,
			 why, want, text);
	repo_close(&repo);
}

static void
test_repo_is_found_from_wherever_it_is_named(void **state)
{
	need_git();
	shell("cd r; git worktree add -q ../tree side; cd ..; "
	      "git clone -q --bare r bare.git; git init -q super; cd super; "
	      "git -c protocol.file.allow=always submodule add ../r sub");
	expect_found("r", "");
	expect_found("r/src/in", "src/in/");
	expect_found("r/.git", "");
	expect_found("bare.git", "");
	expect_found("tree", "");
	expect_found("super/sub/src", "src/");
}

static void
test_repo_elsewhere_that_does_not_name_the_tree_is_refused(void **state)
{
	need_git();
	shell("mkdir thief link common; "
	      "printf 'gitdir: %s/r/.git\\n' $PWD > thief/.git; "
	      "ln -s $PWD/r/.git link/.git; mkdir -p common/.git; "
	      "cp r/.git/HEAD common/.git; "
	      "echo $PWD/r/.git > common/.git/commondir");
	expect_refused("thief", -EPERM, "does not name it as its work tree");
	expect_refused("link", -EPERM, "does not name it as its work tree");
	expect_refused("common", -EPERM, "does not name it as its work tree");
	expect_refused("/", -ENOENT, "not in a git repository");
}

static void
test_repo_that_borrows_objects_needs_their_owner_named(void **state)
{
	char why[REPO_WHY_BYTES];
	struct repo repo;

	need_git();
	shell("git clone -q -s r shared; git clone -q -s shared twice");
	expect_refused("shared", -EPERM, "borrows objects from");
	expect_refused("twice", -EPERM, "borrows objects from");
	assert_int_equal(find(&repo, "twice", ".", why), 0);
	repo_close(&repo);
	/* of a repository elsewhere that names the tree it is its owner's word */
	shell("mkdir away; mv shared/.git away/home; "
	      "git -C away/home config core.bare false; "
	      "git -C away/home config core.worktree $PWD/shared; "
	      "echo \"gitdir: $PWD/away/home\" >shared/.git");
	expect_found("shared", "");
	shell("rm shared/.git; mv away/home shared/.git; "
	      "git -C shared config --unset core.worktree");
	expect_refused("shared", -EPERM, "borrows objects from");
	shell("rm -rf shared/.git/objects; "
	      "ln -s $PWD/r/.git/objects shared/.git/objects");
	expect_refused("shared", -EPERM, "borrows objects from");
}

static void
test_repo_of_sha256_is_refused(void **state)
{
	need_git();
	shell("git init -q --object-format=sha256 long");
	expect_refused("long", -ENOTSUP, "another sum than SHA-1");
}

static void
test_repo_revisions_are_what_git_takes_them_for(void **state)
{
	static const char *const revs[] = { "HEAD", "main", "v1",      "side",
					    "v1^0", "@~1",  "HEAD:src" };
	char why[REPO_WHY_BYTES];
	struct repo repo;
	git_oid commit;
	git_oid tree;
	int64_t time_s;

	need_git();
	assert_int_equal(find(&repo, "r", NULL, why), 0);
	assert_int_equal(repo_open(&repo), 0);
	for (size_t i = 0; i < ARRAY_LEN(revs); i++) {
		char line[256];
		char want[64];
		git_oid oid;
		int error =
			repo_resolve(&repo, revs[i], &tree, &commit, &time_s);

		snprintf(line, sizeof(line), "git -C r rev-parse '%s%s'",
			 revs[i], i == 6 ? "" : "^{tree}");
		ask_git(line, want, sizeof(want));
		assert_int_equal(gitlib.git_oid_fromstr(&oid, want), 0);
		if (error != 0 || memcmp(&oid, &tree, sizeof(oid)) != 0)
			fail_msg("%s: %d, want %s", revs[i], error, want);
		assert_int_equal(time_s, i == 6 ? 0 : 1700000000);
	}
	assert_int_equal(repo_resolve(&repo, "none", &tree, &commit, &time_s),
			 -ENOENT);
	assert_int_equal(
		repo_resolve(&repo, "HEAD:a.txt", &tree, &commit, &time_s),
		-EINVAL);
	repo_close(&repo);
}

/* The text of a blob by what git calls it. */
static void
expect_blob(const char *rev, const char *want)
{
	char why[REPO_WHY_BYTES];
	char line[256];
	char name[64];
	git_odb_object *object;
	struct repo repo;
	uint64_t bytes;
	git_object_t type;
	git_oid oid;

	snprintf(line, sizeof(line),
		 "GIT_NO_REPLACE_OBJECTS=1 git -C r rev-parse '%s'", rev);
	ask_git(line, name, sizeof(name));
	assert_int_equal(find(&repo, "r", NULL, why), 0);
	assert_int_equal(repo_open(&repo), 0);
	assert_int_equal(gitlib.git_oid_fromstr(&oid, name), 0);
	assert_int_equal(repo_size(&repo, &oid, &type, &bytes), 0);
	assert_int_equal(type, GIT_OBJECT_BLOB);
	assert_int_equal(bytes, strlen(want));
	assert_int_equal(repo_read(&repo, &oid, GIT_OBJECT_BLOB, &object), 0);
	assert_memory_equal(gitlib.git_odb_object_data(object), want, bytes);
	gitlib.git_odb_object_free(object);
	assert_int_equal(repo_read(&repo, &oid, GIT_OBJECT_TREE, &object),
			 -EINVAL);
	repo_close(&repo);
}

static void
test_repo_objects_are_read_as_what_replaces_them(void **state)
{
	need_git();
	expect_blob("HEAD:a.txt", "three\n");
	shell("cd r; git replace HEAD:a.txt HEAD~1:a.txt; "
	      "git replace HEAD~1:a.txt HEAD:src/in/b.c");
	expect_blob("HEAD:a.txt", "two\n");
}

/* An object of a few bytes that is a difference to a large one. */
static void
test_repo_object_beyond_the_memory_is_refused_and_the_next_is_read(void **state)
{
	char why[REPO_WHY_BYTES];
	git_odb_object *object;
	struct repo repo;
	char name[64];
	git_oid oid;

	need_git();
	shell("cd r; head -c 40000000 /dev/zero > big; git add big; "
	      "git commit -qm big");
	ask_git("git -C r rev-parse HEAD:big", name, sizeof(name));
	assert_int_equal(find(&repo, "r", NULL, why), 0);
	assert_int_equal(repo_open(&repo), 0);
	assert_int_equal(gitlib.git_oid_fromstr(&oid, name), 0);
	assert_int_equal(repo_read(&repo, &oid, GIT_OBJECT_BLOB, &object),
			 -ENOMEM);
	assert_true(gitlib_memory() < MEMORY_BYTES);
	repo_close(&repo);
	expect_blob("HEAD:a.txt", "three\n");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
		TEST(test_repo_is_found_from_wherever_it_is_named),
		TEST(test_repo_elsewhere_that_does_not_name_the_tree_is_refused),
		TEST(test_repo_that_borrows_objects_needs_their_owner_named),
		TEST(test_repo_of_sha256_is_refused),
		TEST(test_repo_revisions_are_what_git_takes_them_for),
		TEST(test_repo_objects_are_read_as_what_replaces_them),
		TEST(test_repo_object_beyond_the_memory_is_refused_and_the_next_is_read),
	};

	return cmocka_run_group_tests_name("collect/repo", tests, NULL, NULL);
}
