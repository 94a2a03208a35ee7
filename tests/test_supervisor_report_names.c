/* SPDX-License-Identifier: MIT */
/*
 * The names of ranges of a file: against a search through all of them.
 */
#include "supervisor/report_names.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define FILES 3

static struct catalogue catalogue;
static struct report_names names;
static uint64_t seed = 20261122;

static uint32_t
draw(uint32_t below)
{
	seed = seed * 6364136223846793005u + 1442695040888963407u;
	return (uint32_t)((seed >> 33) % below);
}

/* Entries of any types in any order of lines, until there is no more room. */
static void
draw_names(uint32_t file_idx, uint32_t bytes, uint32_t name_bytes)
{
	uint64_t off = (uint64_t)file_idx * (2 * NAMES_FILE_BYTES);
	struct names *told = table_at(&catalogue.names, off,
				      sizeof(*told) + NAMES_FILE_BYTES);
	uint32_t at = 0;

	catalogue_facts(&catalogue, file_idx)->names_off = off + 1;
	while (at + sizeof(struct name_entry) + (name_bytes + 3) / 4 * 4 <=
	       bytes) {
		struct name_entry *entry = (void *)((uint8_t *)(told + 1) + at);

		entry->type = (uint8_t)draw(NAME_TYPE_NR);
		entry->line = entry->type == NAME_IMPORT ||
					      entry->type == NAME_PACKAGE
				      ? 0
				      : 1 + draw(200);
		entry->bytes = (uint8_t)name_bytes;
		at += (uint32_t)sizeof(*entry) + (name_bytes + 3) / 4 * 4;
	}
	told->bytes = at;
}

static int
setup(void **state)
{
	struct table *const tables[] = { &catalogue.facts, &catalogue.names };

	for (size_t i = 0; i < ARRAY_LEN(tables); i++) {
		assert_int_equal(table_create(tables[i], NULL, 1u << 20), 0);
		assert_int_equal(table_reserve(tables[i], 1u << 20), 0);
	}
	return 0;
}

static int
teardown(void **state)
{
	table_close(&catalogue.facts);
	table_close(&catalogue.names);
	return 0;
}

static bool
is_wanted(const struct name_entry *entry, const uint64_t lines[2])
{
	return entry->type != NAME_IMPORT && entry->type != NAME_PACKAGE &&
	       entry->line >= lines[0] && entry->line <= lines[1];
}

static void
check_range(uint32_t file_idx, const uint64_t lines[2])
{
	const struct names *told = catalogue_names(
		&catalogue, catalogue_facts(&catalogue, file_idx));
	const struct name_entry *entry;
	uint32_t at = 0;
	uint32_t found = 0;
	uint32_t imports = 0;

	report_names_find(&names, &catalogue, file_idx, lines);
	while (told != NULL && (entry = names_next(told, &at)) != NULL) {
		if (entry->type == NAME_IMPORT)
			assert_ptr_equal(names.imports[imports++], entry);
		else if (is_wanted(entry, lines))
			assert_ptr_equal(names.found[found++], entry);
	}
	assert_int_equal(names.import_nr, imports);
	assert_int_equal(names.found_nr, found);
}

static void
test_report_names_of_ranges_are_those_of_a_search(void **state)
{
	report_names_init(&names);
	for (int round = 0; round < 50; round++) {
		for (uint32_t i = 0; i < FILES; i++)
			draw_names(i, draw(NAMES_FILE_BYTES), draw(60));
		report_names_init(&names);
		for (int i = 0; i < 200; i++) {
			const uint64_t first = draw(210);
			const uint64_t lines[2] = { first, first + draw(80) };

			check_range(draw(FILES), lines);
		}
	}
}

static void
test_report_names_of_as_many_as_there_may_be_are_all_there(void **state)
{
	const uint64_t lines[2] = { 0, 200 };

	draw_names(0, NAMES_FILE_BYTES, 0);
	report_names_init(&names);
	check_range(0, lines);
	assert_true(names.found_nr + names.import_nr > REPORT_NAMES_MAX / 2);
}

static void
test_report_names_of_a_file_without_any_are_none(void **state)
{
	const uint64_t lines[2] = { 1, 200 };

	draw_names(0, 1000, 8);
	catalogue_facts(&catalogue, 1)->names_off = 0;
	report_names_init(&names);
	check_range(0, lines);
	check_range(1, lines);
	assert_int_equal(names.found_nr, 0);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
			test_report_names_of_ranges_are_those_of_a_search),
		cmocka_unit_test(
			test_report_names_of_as_many_as_there_may_be_are_all_there),
		cmocka_unit_test(
			test_report_names_of_a_file_without_any_are_none),
	};

	return cmocka_run_group_tests_name("supervisor/report_names", tests,
					   setup, teardown);
}
