/* SPDX-License-Identifier: MIT */
/*
 * test_imports_find.c - paths in the making, and files by what they are called.
 */
#include "tests/support/test_imports_tree.h"

#include <stdio.h>
#include <sys/resource.h>

#include "shm/table.h"

static void
test_imports_path_holds_what_it_has_room_for(void **state)
{
	static char text[IMPORTS_PATH_BYTES + 2];
	struct imports_path path;

	(void)state;
	memset(text, 'x', sizeof(text) - 1);
	for (size_t nr = IMPORTS_PATH_BYTES - 1; nr <= IMPORTS_PATH_BYTES + 1;
	     nr++) {
		memset(&path, 0, sizeof(path));
		imports_path_add(&path, text + sizeof(text) - 1 - nr);
		assert_int_equal(path.is_bad, nr > IMPORTS_PATH_BYTES);
		assert_int_equal(path.bytes, path.is_bad ? 0 : nr);
	}
}

static const char *const few_paths[] = {
	"a.py",          "a/b.py",   "a/b/c.py",     "a/b/c/a.py",
	"b/__init__.py", "b/a/c.py", "b/a/c/b/a.py", "c.py",
	"ab.py",         "ab/c.py",  "c/a/a/a.py",   "c/ab.py",
};

static const uint8_t *
path_of_few(const void *context, uint32_t file_idx, size_t *bytes)
{
	(void)context;
	*bytes = strlen(few_paths[file_idx]);
	return (const uint8_t *)few_paths[file_idx];
}

/* By looking at all of them. */
static uint32_t
few_at(const struct imports_path *path)
{
	for (uint32_t i = 0; i < ARRAY_LEN(few_paths); i++)
		if (strlen(few_paths[i]) == path->bytes &&
		    memcmp(few_paths[i], path->text, path->bytes) == 0)
			return i;
	return IMPORTS_NONE;
}

static bool
few_have_dir(const struct imports_path *path)
{
	size_t bytes = path->bytes;

	bytes -= bytes > 0 && path->text[bytes - 1] == '/';
	for (uint32_t i = 0; i < ARRAY_LEN(few_paths); i++)
		if (bytes == 0 ||
		    (strlen(few_paths[i]) > bytes &&
		     few_paths[i][bytes] == '/' &&
		     memcmp(few_paths[i], path->text, bytes) == 0))
			return true;
	return false;
}

/* Made longer, shorter, longer in another way: each time what is looked for is
 * the path as it is then. */
static void
test_imports_at_is_the_file_of_a_path_as_it_is_now(void **state)
{
	static const char *const parts[] = { "a",  "b",   "c",
					     "ab", ".py", "__init__.py" };
	const struct imports_tree tree = { .path = path_of_few,
					   .file_nr = ARRAY_LEN(few_paths) };
	void *memory = calloc(1, imports_bytes(tree.file_nr));
	struct imports_path path;
	struct imports imports;
	uint32_t found = 0;

	(void)state;
	imports_init(&imports, &tree, memory);
	for (uint32_t i = 0; i < tree.file_nr; i++) {
		imports_file(&imports, i);
		imports_add(&imports);
	}
	imports_index_sort(&imports.names, &tree);
	imports_path_dir(&path, NULL, 0);
	srand(7);
	for (uint32_t round = 0; round < 200000; round++) {
		const char *part = parts[(uint32_t)rand() % ARRAY_LEN(parts)];
		uint32_t way = (uint32_t)rand() % 8;
		uint32_t want;

		if (way == 0)
			path.bytes = (size_t)rand() % (path.bytes + 1);
		else if (way == 1)
			imports_path_up(&path);
		else if (way < 5)
			imports_path_go(&path, (const uint8_t *)part,
					strlen(part));
		else if (way == 5)
			imports_at_with(&imports, &path, part);
		if (path.bytes > 30)
			path.bytes = 0;
		want = few_at(&path);
		found += want != IMPORTS_NONE;
		assert_int_equal(imports_at(&imports, &path), want);
		/* one that it has is never denied; most others are */
		if (few_have_dir(&path))
			assert_true(imports_has_dir(&imports, &path));
	}
	assert_in_range(found, 200, UINT32_MAX);
	imports_path_dir(&path, (const uint8_t *)"b/none/x", 8);
	assert_false(imports_has_dir(&imports, &path));
	free(memory);
}

#define TREE_FILES 200000u

static const uint8_t *
path_of_many(const void *context, uint32_t file_idx, size_t *bytes)
{
	static char path[32];

	(void)context;
	*bytes = (size_t)snprintf(path, sizeof(path), "d%03u/f%u.c",
				  file_idx / 500, file_idx);
	return (const uint8_t *)path;
}

static uint64_t
faults_now(void)
{
	struct rusage usage;

	assert_int_equal(getrusage(RUSAGE_SELF, &usage), 0);
	return (uint64_t)usage.ru_minflt + (uint64_t)usage.ru_majflt;
}

/*
 * In a table whose pages are given back, as in select: a fault for each of
 * the three names of a file would be 600,000 of them.
 */
static void
test_imports_of_many_files_are_kept_with_few_faults(void **state)
{
	const struct imports_tree tree = { .path = path_of_many,
					   .file_nr = TREE_FILES };
	uint64_t bytes = imports_bytes(TREE_FILES);
	struct imports imports;
	struct table table;
	uint64_t faults;

	(void)state;
	assert_int_equal(table_create(&table, bytes), 0);
	assert_int_equal(table_reserve(&table, bytes), 0);
	imports_init(&imports, &tree, table_at(&table, 0, bytes));
	faults = faults_now();
	for (uint32_t i = 0; i < TREE_FILES; i++) {
		imports_file(&imports, i);
		imports_add(&imports);
		table_touched(&table, 4);
	}
	faults = faults_now() - faults;
	if (!IS_SANITIZED)
		assert_in_range(faults, 1, TREE_FILES / 2);
	/* each is found, by its path and by its name */
	for (uint32_t i = 0; i + 1 < TREE_FILES; i += 97) {
		char name[32];
		int nr = snprintf(name, sizeof(name), "f%u.c", i + 1);

		imports_file(&imports, i);
		imports_count(&imports, (const uint8_t *)name, (size_t)nr,
			      i % 2 == 0);
		assert_int_equal(imports.files[i + 1].importers, 1);
		table_touched(&table, 4);
	}
	table_close(&table);
}

#define COPY_FILES 24000u /* of a tree, in 240 directories */
#define COPIES 4

static char copies_paths[COPIES * COPY_FILES][24];

/* kK/dDDD/fF.c, and in place of each twentieth kK/dDDD/hH.h */
static void
name_copies(void)
{
	for (uint32_t i = 0; i < COPIES * COPY_FILES; i++) {
		uint32_t nr = i % COPY_FILES;
		char kind = nr % 20 == 0 ? 'h' : 'f';

		snprintf(copies_paths[i], sizeof(copies_paths[i]),
			 "k%u/d%03u/%c%u.%c", i / COPY_FILES % COPIES,
			 nr / 100 % 1000, kind, nr, kind == 'h' ? 'h' : 'c');
	}
}

static const uint8_t *
path_of_copies(const void *context, uint32_t file_idx, size_t *bytes)
{
	(void)context;
	*bytes = strlen(copies_paths[file_idx]);
	return (const uint8_t *)copies_paths[file_idx];
}

/* Each of so many copies of a tree includes ten headers of its own; what it
 * takes, in faults per thousand includes. */
static uint64_t
faults_of_copies(uint32_t copies)
{
	const struct imports_tree tree = { .path = path_of_copies,
					   .file_nr = copies * COPY_FILES };
	uint64_t bytes = imports_bytes(tree.file_nr);
	struct imports imports;
	struct table table;
	uint64_t faults;
	uint64_t importers = 0;

	assert_int_equal(table_create(&table, bytes), 0);
	assert_int_equal(table_reserve(&table, bytes), 0);
	imports_init(&imports, &tree, table_at(&table, 0, bytes));
	for (uint32_t i = 0; i < tree.file_nr; i++) {
		imports_file(&imports, i);
		imports_add(&imports);
		table_touched(&table, 4);
	}
	faults = faults_now();
	for (uint32_t i = 0; i < tree.file_nr; i++) {
		imports_file(&imports, i);
		for (uint32_t k = 0; k < 10; k++) {
			char name[32];
			int nr = snprintf(name, sizeof(name), "h%u.h",
					  i % COPY_FILES % 7919 * (k + 1) %
						  COPY_FILES / 20 * 20);

			imports_count(&imports, (const uint8_t *)name,
				      (size_t)nr, true);
			table_touched(&table, 4);
		}
	}
	faults = (faults_now() - faults) / (tree.file_nr / 100);
	/* in each copy the same, of it alone */
	for (uint32_t i = 0; i < tree.file_nr; i++) {
		assert_int_equal(imports.files[i].importers,
				 imports.files[i % COPY_FILES].importers);
		importers += imports.files[i].importers;
	}
	assert_in_range(importers, tree.file_nr, 10 * tree.file_nr);
	table_close(&table);
	return faults;
}

/* What was found last lies at the beginning, which is in memory but for a page. */
#ifdef BALE_DEBUG
#define FAULTS_MAX 1000
#else
#define FAULTS_MAX 500
#endif

/*
 * All headers of a name are looked at by who includes one of them: in a table
 * whose pages are given back, one after the other is a fault for each.
 */
static void
test_imports_of_copies_of_a_tree_take_no_more_for_each(void **state)
{
	uint64_t faults;

	(void)state;
	name_copies();
	faults = faults_of_copies(COPIES);
	if (!IS_SANITIZED && faults > FAULTS_MAX)
		fail_msg("faults of a thousand includes: %ju",
			 (uintmax_t)faults);
}

#define NEAR_FILES 400u

/* How many directories from the top are the same. */
static uint32_t
common_of(const char *a, const char *b)
{
	uint32_t nr = 0;

	for (size_t i = 0; a[i] == b[i] && a[i] != '\0'; i++)
		nr += a[i] == '/';
	return nr;
}

static uint32_t
depth_of(const char *path)
{
	uint32_t nr = 0;

	for (; *path != '\0'; path++)
		nr += *path == '/';
	return nr;
}

static bool
is_end_of(const char *text, const char *path)
{
	size_t bytes = strlen(path);
	size_t nr = strlen(text);

	return nr <= bytes && strcmp(path + bytes - nr, text) == 0 &&
	       (nr == bytes || path[bytes - nr - 1] == '/');
}

static char near_paths[NEAR_FILES][32];

static const uint8_t *
near_path_of(const void *context, uint32_t file_idx, size_t *bytes)
{
	(void)context;
	*bytes = strlen(near_paths[file_idx]);
	return (const uint8_t *)near_paths[file_idx];
}

/* What is meant, by looking at all files. */
static uint32_t
nearest_of_all(uint32_t importer, const char *text)
{
	uint32_t best = IMPORTS_NONE;
	uint32_t nr = 0;
	bool is_tie = false;

	for (uint32_t i = 0; i < NEAR_FILES; i++) {
		int more = 1;

		if (!is_end_of(text, near_paths[i]))
			continue;
		if (++nr > 64)
			return IMPORTS_NONE;
		if (i == importer)
			continue;
		if (best != IMPORTS_NONE) {
			more = (int)common_of(near_paths[importer],
					      near_paths[i]) -
			       (int)common_of(near_paths[importer],
					      near_paths[best]);
			if (more == 0)
				more = (int)depth_of(near_paths[best]) -
				       (int)depth_of(near_paths[i]);
		}
		is_tie = more == 0 || (is_tie && more < 0);
		if (more > 0)
			best = i;
	}
	return is_tie ? IMPORTS_NONE : best;
}

/* Whoever asked before, and wherever that was. */
static void
test_imports_of_a_name_mean_the_nearest_file(void **state)
{
	static const char *const texts[] = { "n0.h",    "n1.h",    "n2.h",
					     "d0/n0.h", "d1/n3.h", "d0/d1/n1.h",
					     "d2/n2.h", "none.h",  "many.h" };
	const struct imports_tree tree = { .path = near_path_of,
					   .file_nr = NEAR_FILES };
	char *memory = calloc(1, imports_bytes(NEAR_FILES));
	struct imports imports;
	uint32_t seed = 1;

	(void)state;
	assert_non_null(memory);
	for (uint32_t i = 0; i < NEAR_FILES; i++) {
		char *path = near_paths[i];

		seed = seed * 1103515245 + 12345;
		for (uint32_t deep = seed >> 16 & 3; deep > 0; deep--)
			path += sprintf(path, "d%u/",
					seed >> (16 + 3 * deep) & 3);
		if (i % 4 == 0)
			sprintf(path, "many.h");
		else
			sprintf(path, "n%u.%c", seed >> 27,
				i % 8 == 1 ? 'c' : 'h');
	}
	qsort(near_paths, NEAR_FILES, sizeof(near_paths[0]),
	      (int (*)(const void *, const void *))strcmp);
	imports_init(&imports, &tree, memory);
	for (uint32_t i = 0; i < NEAR_FILES; i++) {
		imports_file(&imports, i);
		imports_add(&imports);
	}
	imports_count(&imports, (const uint8_t *)"x", 1, true);
	for (uint32_t round = 0; round < 50 * NEAR_FILES; round++) {
		const char *text = texts[round / 7 % ARRAY_LEN(texts)];
		uint32_t importer = round / 3 * (1 + round % 2) % NEAR_FILES;
		uint32_t want = nearest_of_all(importer, text);
		uint32_t got;

		imports_file(&imports, importer);
		got = imports_ending(&imports, (const uint8_t *)text,
				     strlen(text));
		if (got != want)
			fail_msg("%s of %s: %s, not %s", text,
				 near_paths[importer],
				 got == IMPORTS_NONE ? "-" : near_paths[got],
				 want == IMPORTS_NONE ? "-" : near_paths[want]);
	}
	free(memory);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_imports_path_holds_what_it_has_room_for),
		cmocka_unit_test(
			test_imports_at_is_the_file_of_a_path_as_it_is_now),
		cmocka_unit_test(
			test_imports_of_many_files_are_kept_with_few_faults),
		cmocka_unit_test(
			test_imports_of_copies_of_a_tree_take_no_more_for_each),
		cmocka_unit_test(test_imports_of_a_name_mean_the_nearest_file),
	};

	return cmocka_run_group_tests_name("rank/imports_find", tests, NULL,
					   NULL);
}
