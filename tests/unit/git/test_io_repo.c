/* SPDX-License-Identifier: MIT */
/*
 * test_io_repo.c - what a repository says, compared with git itself.
 */
#include "tests/support/test_git_repo.h"

#include <sys/resource.h>

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
		-ENOTDIR);
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

static long
page_faults(void)
{
	struct rusage usage;

	assert_int_equal(getrusage(RUSAGE_SELF, &usage), 0);
	return usage.ru_minflt;
}

/* Pages of a small pack stay where they are: giving them up every few objects
 * would fault each of them in again. */
static void
test_repo_a_small_pack_is_faulted_in_once(void **state)
{
	enum { BLOBS = 400, ROUNDS = 32 };
	static git_oid ids[BLOBS];
	char why[REPO_WHY_BYTES];
	git_odb_object *object;
	struct repo repo;
	char name[64];
	FILE *list;
	long before = 0;
	long faults;

	need_git();
	shell("cd r; mkdir many; seq 4000 | split -a 3 -l 10 - many/; "
	      "git add many; git commit -qm many; git repack -adq; "
	      "git ls-tree HEAD:many | cut -c13-52 > ../ids");
	list = fopen("ids", "re");
	assert_non_null(list);
	for (int i = 0; i < BLOBS; i++) {
		assert_int_equal(fscanf(list, "%63s", name), 1);
		assert_int_equal(gitlib.git_oid_fromstr(&ids[i], name), 0);
	}
	fclose(list);
	assert_int_equal(find(&repo, "r", NULL, why), 0);
	assert_int_equal(repo_open(&repo), 0);
	for (int round = 0; round <= ROUNDS; round++) {
		for (int i = 0; i < BLOBS; i++) {
			assert_int_equal(repo_read(&repo, &ids[i],
						   GIT_OBJECT_BLOB, &object),
					 0);
			gitlib.git_odb_object_free(object);
		}
		if (round == 0)
			before = page_faults();
	}
	faults = page_faults() - before;
	repo_close(&repo);
	/* one every 32 objects would be as many as BLOBS; a sanitizer's own
	 * memory is faulted in, too */
	if (!IS_SANITIZED)
		assert_in_range(faults, 0, BLOBS - 1);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {

		TEST(test_repo_revisions_are_what_git_takes_them_for),
		TEST(test_repo_objects_are_read_as_what_replaces_them),
		TEST(test_repo_object_beyond_the_memory_is_refused_and_the_next_is_read),
		TEST(test_repo_a_small_pack_is_faulted_in_once),
	};

	return cmocka_run_group_tests_name("git/io_repo", tests, NULL, NULL);
}
