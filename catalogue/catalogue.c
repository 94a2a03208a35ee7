/* SPDX-License-Identifier: MIT */
/*
 * catalogue.c - making and closing the tables.
 */
#include "catalogue/catalogue.h"

#include "shm/layout.h"

const char *
charset_text(enum charset charset, bool is_repaired)
{
	static const char *const texts[CHARSET_NR][2] = {
		[CHARSET_UTF8] = { NULL, "invalid UTF-8" },
		[CHARSET_UTF16_LE] = { "UTF-16LE", "invalid UTF-16LE" },
		[CHARSET_UTF16_BE] = { "UTF-16BE", "invalid UTF-16BE" },
		[CHARSET_UNMARKED_LE] = { "unmarked UTF-16LE",
					  "invalid unmarked UTF-16LE" },
		[CHARSET_UNMARKED_BE] = { "unmarked UTF-16BE",
					  "invalid unmarked UTF-16BE" },
		/* of which each byte is a character */
		[CHARSET_WESTERN] = { "windows-1252", NULL },
	};

	return charset < CHARSET_NR ? texts[charset][is_repaired] : NULL;
}

const char *
charset_name(const struct file_record *file)
{
	return charset_text(file->charset, (file->flags & MARK_REPAIRED) != 0);
}

int
catalogue_create(struct catalogue *catalogue)
{
	int error = 0;

	*catalogue = (struct catalogue){ 0 };
#define TABLE(name, NAME, of, file_span, off)                                  \
	if (error == 0)                                                        \
		error = (file_span) > 0 ? table_create(&catalogue->name, NULL, \
						       (file_span))            \
					: table_part(&catalogue->name,         \
						     &catalogue->of, (off));
#include "catalogue/catalogue.def"
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
#include "catalogue/def_kind.def"
#undef KIND
	};

	return kind < ARRAY_LEN(words) ? words[kind] : words[0];
}

void
catalogue_close(struct catalogue *catalogue)
{
	/* parts before what they are part of */
	for (int i = TABLE_NR; i-- > 0;)
		table_close(&catalogue->tables[i]);
}

int
catalogue_protect(const struct catalogue *catalogue, uint32_t writable)
{
	int error = 0;

	for (int i = 0; i < TABLE_NR && error == 0; i++)
		if (!(writable & 1u << i))
			error = table_protect(&catalogue->tables[i]);
	return error;
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
