/* SPDX-License-Identifier: MIT */
/*
 * test_io_libgit2.c - the library that is loaded when it is needed: it has all
 * functions of the table, and no more memory than it was given.
 */
#include "tests/support/test_git_repo.h"

/* Bytes that this process has read so far. */
static uint64_t
bytes_read(void)
{
	FILE *io = fopen("/proc/self/io", "re");
	unsigned long long bytes = 0;

	assert_non_null(io);
	assert_int_equal(fscanf(io, "rchar: %llu", &bytes), 1);
	fclose(io);
	return bytes;
}

/* Those that a machine trusts are some 200 KB; nobody asks a network here. */
static void
test_library_reads_no_certificates(void **state)
{
	uint64_t before = bytes_read();

	assert_int_equal(gitlib_open(MEMORY_BYTES), 0);
	assert_in_range(bytes_read() - before, 1, 100000);
}

static void
test_library_has_every_function_of_the_table(void **state)
{
	need_git();
#define GITLIB(name) assert_true(gitlib.name != NULL);
#include "git/libgit2.def"
#undef GITLIB
	/* a second time changes nothing */
	assert_int_equal(gitlib_open(MEMORY_BYTES), 0);
}

static void
test_library_says_what_went_wrong(void **state)
{
	git_repository *handle = NULL;

	need_git();
	assert_true(gitlib.git_repository_open_ext(&handle, "/", 0, NULL) < 0);
	assert_null(handle);
	assert_true(strlen(gitlib_error()) > 0);
}

/* What it has is given back when what it was for is closed. */
static void
test_library_memory_is_counted(void **state)
{
	char why[REPO_WHY_BYTES];
	struct repo repo;
	size_t before;

	need_git();
	before = gitlib_memory();
	assert_int_equal(find(&repo, "r", NULL, why), 0);
	assert_int_equal(repo_open(&repo), 0);
	assert_true(gitlib_memory() > before);
	assert_true(gitlib_memory() <= MEMORY_BYTES);
	repo_close(&repo);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		/* first: it is initialised once */
		cmocka_unit_test(test_library_reads_no_certificates),
		TEST(test_library_has_every_function_of_the_table),
		TEST(test_library_says_what_went_wrong),
		TEST(test_library_memory_is_counted),
	};

	return cmocka_run_group_tests_name("git/io_libgit2", tests, NULL, NULL);
}
