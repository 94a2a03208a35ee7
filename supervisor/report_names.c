/* SPDX-License-Identifier: MIT */
/*
 * report_names.c - the names of a file, by their lines.
 */
#include "supervisor/report_names.h"

#include <stdlib.h>

void
report_names_init(struct report_names *names)
{
	names->file_idx = FILE_NONE;
	names->import_nr = 0;
	names->line_nr = 0;
	names->found_nr = 0;
}

static int
by_place(const void *a, const void *b)
{
	const struct name_entry *one = *(const struct name_entry *const *)a;
	const struct name_entry *two = *(const struct name_entry *const *)b;

	return (one > two) - (one < two);
}

static int
by_line(const void *a, const void *b)
{
	const struct name_entry *one = *(const struct name_entry *const *)a;
	const struct name_entry *two = *(const struct name_entry *const *)b;

	if (one->line != two->line)
		return one->line < two->line ? -1 : 1;
	return by_place(a, b);
}

typedef int
compare_fn(const void *a, const void *b);

/* They nearly always are in order already. */
static void
sort(const struct name_entry **entries, uint32_t nr, compare_fn *compare)
{
	for (uint32_t i = 1; i < nr; i++) {
		if (compare(&entries[i - 1], &entries[i]) <= 0)
			continue;
		qsort(entries, nr, sizeof(*entries), compare);
		return;
	}
}

/* Takes over what is told of a file. */
static void
begin_file(struct report_names *names, const struct catalogue *catalogue,
	   uint32_t file_idx)
{
	const struct names *told = catalogue_names(
		catalogue, catalogue_facts(catalogue, file_idx));
	const struct name_entry *entry;
	uint32_t at = 0;

	report_names_init(names);
	names->file_idx = file_idx;
	while (told != NULL &&
	       names->import_nr + names->line_nr < REPORT_NAMES_MAX &&
	       (entry = names_next(told, &at)) != NULL) {
		if (entry->type == NAME_IMPORT)
			names->imports[names->import_nr++] = entry;
		else if (entry->type != NAME_PACKAGE)
			names->by_line[names->line_nr++] = entry;
	}
	sort(names->by_line, names->line_nr, by_line);
}

/* The first entry of that line, or behind it. */
static uint32_t
first_at(const struct report_names *names, uint64_t line)
{
	uint32_t from = 0;
	uint32_t nr = names->line_nr;

	while (nr > 0) {
		uint32_t half = nr / 2;

		if (names->by_line[from + half]->line < line) {
			from += half + 1;
			nr -= half + 1;
		} else {
			nr = half;
		}
	}
	return from;
}

void
report_names_find(struct report_names *names, const struct catalogue *catalogue,
		  uint32_t file_idx, const uint64_t lines[2])
{
	if (names->file_idx != file_idx)
		begin_file(names, catalogue, file_idx);
	names->found_nr = 0;
	for (uint32_t i = first_at(names, lines[0]);
	     i < names->line_nr && names->by_line[i]->line <= lines[1]; i++)
		names->found[names->found_nr++] = names->by_line[i];
	sort(names->found, names->found_nr, by_place);
}
