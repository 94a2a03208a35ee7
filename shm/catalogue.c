/* SPDX-License-Identifier: MIT */
/*
 * catalogue.c - making and closing the tables.
 */
#include "shm/catalogue.h"

#include "shm/layout.h"

/* Address space only; the files grow as needed. */
#define RECORDS_SPAN_BYTES (1ull << 33)
#define PATHS_SPAN_BYTES (1ull << 34)
#define HISTORY_SPAN_BYTES (1ull << 32)

const char *
charset_name(uint8_t charset)
{
	static const char *const names[CHARSET_NR] = {
		[CHARSET_UTF16_LE] = "UTF-16LE",
		[CHARSET_UTF16_BE] = "UTF-16BE",
		[CHARSET_UNMARKED_LE] = "unmarked UTF-16LE",
		[CHARSET_UNMARKED_BE] = "unmarked UTF-16BE",
		[CHARSET_WESTERN] = "windows-1252",
	};

	return charset < CHARSET_NR ? names[charset] : NULL;
}

int
catalogue_create(struct catalogue *catalogue)
{
	const struct {
		struct table *table;
		uint64_t span_bytes;
	} tables[] = {
		{ &catalogue->files, RECORDS_SPAN_BYTES },
		{ &catalogue->paths, PATHS_SPAN_BYTES },
		{ &catalogue->facts, RECORDS_SPAN_BYTES },
		{ &catalogue->chunks, RECORDS_SPAN_BYTES },
		{ &catalogue->plan, 2 * TRAITS_OFF + 2 * RECORDS_SPAN_BYTES },
		{ &catalogue->seen, RECORDS_SPAN_BYTES },
		{ &catalogue->terms, 2 * RECORDS_SPAN_BYTES },
		{ &catalogue->names, LANES_MAX * NAMES_LANE_BYTES },
		{ &catalogue->history, HISTORY_SPAN_BYTES },
		{ &catalogue->cuts, 2 * RECORDS_SPAN_BYTES },
		{ &catalogue->specials, RECORDS_SPAN_BYTES },
	};

	int error = 0;

	*catalogue = (struct catalogue){ 0 };
	for (size_t i = 0; i < ARRAY_LEN(tables) && error == 0; i++)
		error = table_create(tables[i].table, NULL,
				     tables[i].span_bytes);
	if (error == 0) {
		/* all by select; both by dedup; both by format */
		table_part(&catalogue->runs, &catalogue->plan,
			   2 * TRAITS_OFF + RECORDS_SPAN_BYTES);
		table_part(&catalogue->taken, &catalogue->plan, 2 * TRAITS_OFF);
		table_part(&catalogue->heads, &catalogue->terms,
			   RECORDS_SPAN_BYTES);
		table_part(&catalogue->parts, &catalogue->cuts,
			   RECORDS_SPAN_BYTES);
	}
	/* its head is read whether or not anybody wrote it */
	if (error == 0)
		error = table_reserve(&catalogue->history,
				      sizeof(struct history_head));
	if (error != 0)
		catalogue_close(catalogue);
	return error;
}

const char *
def_kind_text(uint8_t kind)
{
	static const char *const words[] = {
		"none",
#define KIND(id, letter, word) word,
#include "shm/def_kind.def"
#undef KIND
	};

	return kind < ARRAY_LEN(words) ? words[kind] : words[0];
}

void
catalogue_close(struct catalogue *catalogue)
{
	table_close(&catalogue->files);
	table_close(&catalogue->paths);
	table_close(&catalogue->facts);
	table_close(&catalogue->chunks);
	table_close(&catalogue->runs);
	table_close(&catalogue->taken);
	table_close(&catalogue->plan);
	table_close(&catalogue->seen);
	table_close(&catalogue->heads);
	table_close(&catalogue->terms);
	table_close(&catalogue->names);
	table_close(&catalogue->history);
	table_close(&catalogue->parts);
	table_close(&catalogue->cuts);
	table_close(&catalogue->specials);
}

void
catalogue_trim(const struct catalogue *catalogue)
{
	table_trim(&catalogue->files);
	table_trim(&catalogue->paths);
	table_trim(&catalogue->facts);
	table_trim(&catalogue->chunks);
	table_trim(&catalogue->heads);
	table_trim(&catalogue->plan);
	table_trim(&catalogue->taken);
	table_trim(&catalogue->runs);
	table_trim(&catalogue->seen);
	table_trim(&catalogue->terms);
	table_trim(&catalogue->names);
	table_trim(&catalogue->history);
	table_trim(&catalogue->cuts);
	table_trim(&catalogue->parts);
	table_trim(&catalogue->specials);
}

uint64_t
catalogue_plan_first(const struct catalogue *catalogue, uint64_t plan_nr,
		     uint32_t file_idx)
{
	uint64_t from = 0;

	while (plan_nr > 0) {
		uint64_t half = plan_nr / 2;
		uint64_t chunk_idx =
			catalogue_plan(catalogue, from + half)->chunk_idx;

		if (catalogue_chunk(catalogue, chunk_idx)->file_idx <
		    file_idx) {
			from += half + 1;
			plan_nr -= half + 1;
		} else {
			plan_nr = half;
		}
	}
	return from;
}
