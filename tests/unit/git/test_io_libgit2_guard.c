/* SPDX-License-Identifier: MIT */
/*
 * test_io_libgit2_guard.c - the library opens what it was told it may, by no link.
 */
#include "tests/support/test_git_repo.h"

#include <dlfcn.h>
#include <sys/wait.h>

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

/* The program, and any other library, gets what it asks for. */
static void
test_repo_guard_is_for_the_library_alone(void **state)
{
	void *handle = dlopen("libz.so.1", RTLD_NOW | RTLD_LOCAL);
	void *(*gz_open)(const char *, const char *);
	int (*gz_write)(void *, const void *, unsigned);
	int (*gz_read)(void *, void *, unsigned);
	int (*gz_close)(void *);
	char text[8] = "";
	struct stat st;
	void *file;
	DIR *dir;
	int fd;

	need_git();
	gitguard_use(NULL);
	umask(022);
	fd = open("made", O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0640);
	assert_true(fd >= 0);
	assert_int_equal(fstat(fd, &st), 0);
	assert_int_equal(st.st_mode & 0777, 0640);
	close(fd);
	assert_int_equal(open("nowhere", O_RDONLY), -1);
	assert_int_equal(errno, ENOENT);
	dir = opendir(".");
	assert_non_null(dir);
	assert_non_null(readdir(dir));
	closedir(dir);
	assert_null(opendir("made"));
	assert_int_equal(errno, ENOTDIR);
	if (handle == NULL)
		skip();
	*(void **)(void *)&gz_open = dlsym(handle, "gzopen");
	*(void **)(void *)&gz_write = dlsym(handle, "gzwrite");
	*(void **)(void *)&gz_read = dlsym(handle, "gzread");
	*(void **)(void *)&gz_close = dlsym(handle, "gzclose");
	file = gz_open("made", "w");
	assert_non_null(file);
	assert_int_equal(gz_write(file, "inside", 6), 6);
	assert_int_equal(gz_close(file), 0);
	file = gz_open("made", "r");
	assert_non_null(file);
	assert_int_equal(gz_read(file, text, 7), 6);
	assert_string_equal(text, "inside");
	gz_close(file);
}

/* One that opens by fopen(3), or not at all, is none that could be kept in. */
static void
test_repo_library_that_opens_otherwise_is_not_used(void **state)
{
	static const char *const others[] = { "libm.so.6", "libcrypto.so.3" };

	for (size_t i = 0; i < ARRAY_LEN(others); i++) {
		void *handle = dlopen(others[i], RTLD_NOW | RTLD_LOCAL);

		if (handle != NULL)
			assert_int_equal(gitguard_install(handle), -ENOEXEC);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_repo_link_below_git_is_refused_wherever_it_stands),
		TEST(test_repo_library_opens_nothing_without_a_guard),
		TEST(test_repo_places_are_told_by_their_normal_form),
		TEST(test_repo_guard_is_for_the_library_alone),
		TEST(test_repo_library_that_opens_otherwise_is_not_used),
	};

	return cmocka_run_group_tests_name("git/io_libgit2_guard", tests, NULL,
					   NULL);
}
