/* SPDX-License-Identifier: MIT */
/*
 * test_supervisor_unpack_dir.c - files below one directory, whatever stands
 * there already, and whatever is to stand beside them.
 */
#include "tests/support/test_shm.h"

#include <ftw.h>
#include <sys/stat.h>

#include "base/fd_io.h"
#include "cli/unpack_dir.h"

static char scratch[256];
static char root[300];
static struct unpack_dir dir;

static int
remove_one(const char *path, const struct stat *st, int type, struct FTW *ftw)
{
	return remove(path);
}

static int
set_up(void **state)
{
	const char *tmp = getenv("TMPDIR");

	snprintf(scratch, sizeof(scratch), "%s/unpack.XXXXXX",
		 tmp == NULL ? "/tmp" : tmp);
	if (mkdtemp(scratch) == NULL)
		return -1;
	snprintf(root, sizeof(root), "%s/in", scratch);
	return unpack_dir_open(&dir, root);
}

static int
tear_down(void **state)
{
	unpack_dir_close(&dir, root);
	return nftw(scratch, remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

static const char *
path_of(const char *name)
{
	static char path[800];

	snprintf(path, sizeof(path), "%s/%s", root, name);
	return path;
}

/* Writes a file that holds its own name. */
static int
put(const char *path, bool replaces)
{
	struct unpack_file file;
	int error = unpack_file_create(&dir, path, &file);

	if (error != 0)
		return error;
	error = fd_write_all(file.file.fd, (const uint8_t *)path, strlen(path));
	assert_int_equal(error, 0);
	return unpack_file_commit(&dir, &file, replaces);
}

static void
put_old(const char *path, const char *text)
{
	FILE *file = fopen(path_of(path), "w");

	assert_non_null(file);
	fputs(text, file);
	assert_int_equal(fclose(file), 0);
}

static bool
holds(const char *path, const char *text)
{
	char got[64] = "";
	FILE *file = fopen(path_of(path), "r");
	size_t nr = file == NULL ? 0 : fread(got, 1, sizeof(got) - 1, file);

	if (file != NULL)
		fclose(file);
	return nr == strlen(text) && memcmp(got, text, nr) == 0;
}

/* Entries below the directory, itself left out. */
static int entry_nr;

static int
count_one(const char *path, const struct stat *st, int type, struct FTW *ftw)
{
	entry_nr += ftw->level > 0;
	return 0;
}

static int
entries(void)
{
	entry_nr = 0;
	assert_int_equal(nftw(root, count_one, 16, FTW_PHYS), 0);
	return entry_nr;
}

static void
test_file_has_its_name_when_it_is_whole(void **state)
{
	struct unpack_file file;

	assert_int_equal(unpack_file_create(&dir, "a/b/c", &file), 0);
	assert_int_equal(fd_write_all(file.file.fd, (const uint8_t *)"half", 4),
			 0);
	/* the file, if it has to have a name, and none of the directories */
	assert_true(entries() <= 1);
	unpack_file_drop(&file);
	assert_int_equal(entries(), 0);
	assert_int_equal(put("a/b/c", false), 0);
	assert_true(holds("a/b/c", "a/b/c"));
	assert_int_equal(entries(), 3);
}

static void
test_file_in_the_way_is_kept_or_replaced(void **state)
{
	put_old("old", "of before");
	assert_int_equal(put("old", false), -EEXIST);
	assert_true(holds("old", "of before"));
	assert_int_equal(put("old", true), 0);
	assert_true(holds("old", "old"));
	assert_int_equal(put("old/below", true), -ENOTDIR);
	assert_int_equal(mkdir(path_of("d"), 0777), 0);
	assert_int_equal(put("d", false), -EISDIR);
	assert_int_equal(put("d", true), -EISDIR);
	assert_int_equal(entries(), 2);
}

static void
test_link_is_never_followed(void **state)
{
	unsigned long no_dir[] = { ELOOP, ENOTDIR };
	char outside[300];

	snprintf(outside, sizeof(outside), "%s/outside", scratch);
	assert_int_equal(mkdir(outside, 0777), 0);
	assert_int_equal(symlink("../outside", path_of("link")), 0);
	assert_int_equal(symlink("../outside/new", path_of("to-file")), 0);
	assert_int_equal(symlink(".", path_of("self")), 0);
	/* which of the two it is, is for the kernel to say */
	assert_in_set((unsigned long)-put("link/x", true), no_dir,
		      ARRAY_LEN(no_dir));
	assert_in_set((unsigned long)-put("link/x/y", true), no_dir,
		      ARRAY_LEN(no_dir));
	assert_in_set((unsigned long)-put("self/x", true), no_dir,
		      ARRAY_LEN(no_dir));
	assert_int_equal(put("link", false), -EEXIST);
	assert_int_equal(put("to-file", true), 0);
	assert_true(holds("to-file", "to-file"));
	assert_int_equal(rmdir(outside), 0); /* nothing is in it */
}

/* What a file system that folds names would do, a hard link does, too. */
static void
test_file_of_this_run_is_not_replaced_by_another_name(void **state)
{
	char other[800];

	assert_int_equal(put("README", true), 0);
	snprintf(other, sizeof(other), "%s", path_of("readme"));
	assert_int_equal(link(path_of("README"), other), 0);
	assert_int_equal(put("readme", true), -ENOTUNIQ);
	assert_int_equal(put("readme", false), -ENOTUNIQ);
	assert_int_equal(put("README", true), -ENOTUNIQ);
	assert_true(holds("README", "README"));
}

/* ---- repositories ---- */

static const char *const layouts[][3] = {
	{ "HEAD", "objects/x", "refs/x" },
	{ "HEAD", "objects/info/packs", "refs/heads/main" },
	{ "head", "Objects/x", "REFS/x" },
};

/* Whichever comes last is refused, and what would make a room for it is not
 * made either. */
static void
test_repository_is_never_complete(void **state)
{
	static const int orders[][3] = {
		{ 0, 1, 2 }, { 0, 2, 1 }, { 1, 0, 2 },
		{ 1, 2, 0 }, { 2, 0, 1 }, { 2, 1, 0 }
	};

	for (size_t i = 0; i < ARRAY_LEN(layouts) * ARRAY_LEN(orders); i++) {
		const char *const *layout = layouts[i / ARRAY_LEN(orders)];
		const int *order = orders[i % ARRAY_LEN(orders)];

		for (int j = 0; j < 3; j++) {
			char path[64];
			/* on a file system that does not fold, only the names
			 * that git looks for are a danger */
			bool wants = j < 2 || i / ARRAY_LEN(orders) < 2;
			int got;

			snprintf(path, sizeof(path), "%zu/r.git/%s", i,
				 layout[order[j]]);
			got = put(path, false);
			if (got != (j < 2 || !wants ? 0 : -EKEYREJECTED))
				fail_msg("%s: got %d", path, got);
		}
	}
}

static void
test_repository_at_the_top_is_refused_as_well(void **state)
{
	assert_int_equal(put("refs/heads/x", false), 0);
	assert_int_equal(put("objects/x", false), 0);
	assert_int_equal(put("config", false), 0);
	assert_int_equal(put("HEAD", false), -EKEYREJECTED);
	assert_int_equal(put("HEAD/x", false), 0);
}

static void
test_repository_of_a_common_directory_is_refused(void **state)
{
	assert_int_equal(put("a/HEAD", false), 0);
	assert_int_equal(put("a/commondir", false), -EKEYREJECTED);
	assert_int_equal(put("b/commondir", false), 0);
	assert_int_equal(put("b/HEAD", false), -EKEYREJECTED);
}

/* Where a directory folds case, it leaves out what is ignored as well. */
static void
test_repository_of_a_name_that_folds_to_one_is_refused(void **state)
{
	assert_int_equal(put("a/objects/x", false), 0);
	assert_int_equal(put("a/HEAD", false), 0);
	assert_int_equal(put("a/re\xe2\x80\x8c"
			     "fs/x",
			     false),
			 -EKEYREJECTED);
	assert_int_equal(put("a/re_fs/x", false), 0);
}

static void
test_repository_that_is_there_gets_nothing(void **state)
{
	assert_int_equal(mkdir(path_of("r"), 0777), 0);
	assert_int_equal(mkdir(path_of("r/objects"), 0777), 0);
	assert_int_equal(mkdir(path_of("r/refs"), 0777), 0);
	put_old("r/HEAD", "ref: refs/heads/main\n");
	assert_int_equal(put("r/config", true), -EKEYREJECTED);
	assert_int_equal(put("r/hooks/x", true), -EKEYREJECTED);
	assert_int_equal(put("beside", true), 0);
}

/* ---- the directory ---- */

static void
test_directory_that_stays_empty_goes_again(void **state)
{
	struct unpack_dir other;
	char path[300];

	snprintf(path, sizeof(path), "%s/other", scratch);
	assert_int_equal(unpack_dir_open(&other, path), 0);
	unpack_dir_close(&other, path);
	assert_int_equal(access(path, F_OK), -1);
	assert_int_equal(mkdir(path, 0777), 0);
	assert_int_equal(unpack_dir_open(&other, path), 0);
	unpack_dir_close(&other, path);
	assert_int_equal(access(path, F_OK), 0);
}

int
main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
	const struct CMUnitTest tests[] = {
		TEST(test_file_has_its_name_when_it_is_whole),
		TEST(test_file_in_the_way_is_kept_or_replaced),
		TEST(test_link_is_never_followed),
		TEST(test_file_of_this_run_is_not_replaced_by_another_name),
		TEST(test_repository_is_never_complete),
		TEST(test_repository_at_the_top_is_refused_as_well),
		TEST(test_repository_of_a_common_directory_is_refused),
		TEST(test_repository_of_a_name_that_folds_to_one_is_refused),
		TEST(test_repository_that_is_there_gets_nothing),
		TEST(test_directory_that_stays_empty_goes_again),
	};

	return cmocka_run_group_tests_name("supervisor/unpack_dir", tests, NULL,
					   NULL);
}
