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
	assert_int_equal(table_create(&table, NULL, bytes), 0);
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

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_imports_path_holds_what_it_has_room_for),
		cmocka_unit_test(
			test_imports_of_many_files_are_kept_with_few_faults),
	};

	return cmocka_run_group_tests_name("rank/imports_find", tests, NULL,
					   NULL);
}
