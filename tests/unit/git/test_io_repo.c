/* SPDX-License-Identifier: MIT */
/*
 * test_collect_repo.c - collect/repo: which repository may be read, and what
 * it says, compared with git itself.
 */
#include "tests/support/test_collect_scratch.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <sys/wait.h>

#include "git/io_libgit2_guard.h"
#include "git/io_repo.h"

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

/* Reads HEAD and all that is reached from it: 0 or -errno. */
static int
read_all(struct repo *repo)
{
	git_odb_object *object;
	git_oid commit;
	git_oid tree;
	int64_t time_s;
	int error = repo_open(repo);

	if (error == 0)
		error = repo_resolve(repo, "HEAD~1", &tree, &commit, &time_s);
	if (error == 0)
		error = repo_read(repo, &tree, GIT_OBJECT_TREE, &object);
	if (error == 0)
		gitlib.git_odb_object_free(object);
	return error;
}

/* In a child: the library itself leaks where it cannot read what it borrows. */
static void
expect_link_refused(const char *path, const char *linked)
{
	char why[REPO_WHY_BYTES];
	char want[256];
	struct repo repo;
	int status;
	int error;
	pid_t pid = fork();

	snprintf(want, sizeof(want), "/.git/%s is a symbolic link", linked);
	if (pid == 0) {
		error = find(&repo, path, ".", why);
		if (error == 0)
			error = read_all(&repo);
		if (error == -EPERM && strstr(gitlib_error(), want) != NULL)
			_exit(0);
		print_message("%s: got %d (%s), want %d (%s)\n", linked, error,
			      gitlib_error(), -EPERM, want);
		_exit(1);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
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
}

/*
 * Each file of a repository in turn, and each folder, is a link to the same of
 * another one, which would be read through it. Nothing is, and it is named.
 */
static void
test_repo_link_below_git_is_refused_wherever_it_stands(void **state)
{
	static const char *const linked[] = {
		"config",
		"objects",
		"objects/pack",
		"objects/info",
		"objects/info/alternates",
		"objects/pack/multi-pack-index",
		"packed-refs",
		"refs",
		"refs/heads",
		"refs/heads/main",
		"refs/replace",
	};
	char line[1024];

	need_git();
	shell("git clone -q -s r whole; cd whole; git repack -qad; "
	      "rm -f .git/objects/info/alternates; "
	      "git replace -f HEAD HEAD~1; git pack-refs --all; "
	      "git commit-graph write; git multi-pack-index write; "
	      "mkdir -p .git/refs/heads .git/refs/replace; "
	      "git rev-parse main > ../m; mv ../m .git/refs/heads/main; "
	      "echo $PWD/../r/.git/objects > .git/objects/info/alternates");
	for (size_t i = 0; i < ARRAY_LEN(linked); i++) {
		snprintf(line, sizeof(line),
			 "rm -rf l; cp -r whole l; rm -rf l/.git/%s; "
			 "ln -s $PWD/whole/.git/%s l/.git/%s",
			 linked[i], linked[i], linked[i]);
		shell(line);
		expect_link_refused("l", linked[i]);
	}
	/* without its HEAD it is no repository */
	shell("rm -rf l; cp -r whole l; ln -sf $PWD/whole/.git/HEAD l/.git");
	expect_refused("l", -ENOENT, "not in a git repository");
}

/* Whether the library can read the HEAD of a repository; that there is one it
 * sees by stat(2). */
static bool
reads_head(const char *path)
{
	git_repository *handle = NULL;
	git_object *object = NULL;
	int result = gitlib.git_repository_open_ext(&handle, path, 0, NULL);

	if (result == 0)
		result = gitlib.git_revparse_single(&object, handle, "HEAD");
	if (object != NULL)
		gitlib.git_object_free(object);
	if (handle != NULL)
		gitlib.git_repository_free(handle);
	return result == 0;
}

/* What the library asks for while nobody says what it may have. */
static void
test_repo_library_opens_nothing_without_a_guard(void **state)
{
	char why[REPO_WHY_BYTES];
	struct repo repo;

	need_git();
	gitguard_use(NULL);
	assert_false(reads_head("r/.git"));
	assert_int_equal(find(&repo, "r", NULL, why), 0);
	assert_int_equal(repo_open(&repo), 0);
	assert_true(reads_head("r/.git"));
	/* that of another repository is none for this one */
	shell("cp -r r other");
	assert_false(reads_head("other/.git"));
	repo_close(&repo);
}

static void
test_repo_places_are_told_by_their_normal_form(void **state)
{
	static const struct {
		const char *path;
		bool want;
	} rows[] = {
		{ "/a/b", true },      { "/a/./b", true },
		{ "//a//b//", true },  { "/a/c/../b", true },
		{ "/../a/b", true },   { "/a/b/..", false },
		{ "/a/b/...", false }, { "/a/b/c", false },
		{ "/a", false },       { "a/b", false },
		{ "/a/b/c/..", true }, { "/.a/b", false },
	};
	struct gitguard guard = { .nr = 0 };
	char path[16];

	assert_int_equal(gitguard_add(&guard, "/x/../a//b/.", 7, false), 0);
	assert_int_equal(gitguard_add(&guard, "/a/b/", 8, false), 0);
	assert_int_equal(guard.nr, 1);
	for (size_t i = 0; i < ARRAY_LEN(rows); i++)
		if (gitguard_has(&guard, rows[i].path) != rows[i].want)
			fail_msg("%s: want %d", rows[i].path, rows[i].want);
	assert_int_equal(gitguard_add(&guard, "a", 7, false), -EINVAL);
	for (int i = 1; i < GITGUARD_PLACES_MAX; i++) {
		snprintf(path, sizeof(path), "/%d", i);
		assert_int_equal(gitguard_add(&guard, path, 7, false), 0);
	}
	assert_int_equal(gitguard_add(&guard, "/more", 7, false), -E2BIG);
	gitguard_fini(&guard);
}

static int opened;

static int
our_open(void)
{
	opened++;
	errno = EACCES;
	return -1;
}

/* What a library imports is its own: the program calls what it called. */
static void
test_import_is_replaced_in_one_library_alone(void **state)
{
	static const struct import none = { "no_such_function",
					    (import_function *)our_open };
	static const struct import import = { "open",
					      (import_function *)our_open };
	void *handle = dlopen("libz.so.1", RTLD_NOW | RTLD_LOCAL);
	void *(*open_file)(const char *, const char *);
	int fd;

	if (handle == NULL)
		skip();
	*(void **)(void *)&open_file = dlsym(handle, "gzopen");
	assert_non_null(open_file);
	assert_int_equal(import_replace(handle, &none, 1), 0);
	assert_true(import_replace(handle, &import, 1) > 0);
	assert_null(open_file("/dev/null", "r"));
	assert_int_equal(opened, 1);
	fd = open("/dev/null", O_RDONLY | O_CLOEXEC);
	assert_true(fd >= 0);
	close(fd);
	assert_int_equal(opened, 1);
	/* what was put there is not what the loader has found */
	assert_int_equal(import_replace(handle, &import, 1), -ENOEXEC);
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
		TEST(test_repo_link_below_git_is_refused_wherever_it_stands),
		TEST(test_repo_library_opens_nothing_without_a_guard),
		TEST(test_repo_places_are_told_by_their_normal_form),
		TEST(test_import_is_replaced_in_one_library_alone),
		TEST(test_repo_of_sha256_is_refused),
		TEST(test_repo_revisions_are_what_git_takes_them_for),
		TEST(test_repo_objects_are_read_as_what_replaces_them),
		TEST(test_repo_object_beyond_the_memory_is_refused_and_the_next_is_read),
	};

	return cmocka_run_group_tests_name("collect/repo", tests, NULL, NULL);
}
