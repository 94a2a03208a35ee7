/* SPDX-License-Identifier: MIT */
/*
 * names.h - definitions, imports and open markers of files, by chunk: names and
 * their entries, in extents that the lanes use alternately.
 */
#ifndef CATALOGUE_NAMES_H
#define CATALOGUE_NAMES_H

#include "catalogue/facts.h"

#define NAMES_EXTENT_BYTES (128ull << 10) /* of a lane, side by side */
/* Of a file's entries, at most: those of chunks, which only a report asks for,
 * take no room from the others, which choose what goes in. */
#define NAMES_CHUNKS_BYTES (8u << 10)
#define NAMES_OTHERS_BYTES (16u << 10)
#define NAMES_FILE_BYTES (NAMES_CHUNKS_BYTES + NAMES_OTHERS_BYTES)
/* Of its signatures, which stand behind them: of more none are kept. */
#define NAMES_SIGNATURES_BYTES (16u << 10)
#define NAMES_SUM_BYTES 8u
/* Of all that may lie where the names of a file begin. */
#define NAMES_ROOM_BYTES \
	(sizeof(struct names) + NAMES_FILE_BYTES + NAMES_SIGNATURES_BYTES)

/* Where byte `off` of a lane's names lies. The lanes' extents alternate, so
 * that the table is no longer than its content. */
static inline uint64_t
names_place(uint32_t lane, uint32_t lane_nr, uint64_t off)
{
	return (off / NAMES_EXTENT_BYTES * lane_nr + lane) *
		       NAMES_EXTENT_BYTES +
	       off % NAMES_EXTENT_BYTES;
}

/* The names of a file; their entries follow, in the order of the file. */
struct names {
	uint32_t bytes; /* of the entries */
	uint32_t def_nr;
	uint32_t export_nr; /* exported names, definitions or not */
	uint32_t import_nr;
	uint32_t marker_nr; /* words of open work in comments */
	uint32_t package_nr;
	uint32_t chunk_nr; /* chunks with an entry */
	/* lines of its signatures, and those that are public */
	uint32_t outline_lines;
	uint32_t public_lines;
	uint32_t pad;
};

static_assert(sizeof(struct names) == 40, "five words");

enum name_type {
	NAME_DEF = 0, /* the name of a definition */
	NAME_IMPORT,  /* what an import names, as it is written */
	NAME_MARKER,
	NAME_PACKAGE, /* package of the file or of a manifest; no line */
	NAME_CHUNK,   /* a chunk: its calls, separated by blanks */
	NAME_TYPE_NR
};

/* Of name_entry.flags. */
#define NAME_EXPORTED 1
#define NAME_ANGLED 2 /* an import between < and > */
#define NAME_MEMBER 4 /* a definition that is part of a class */
#define NAME_LATE 8   /* told of when the chunk of its line had been given */

/* Its bytes follow, padded to a multiple of four. */
struct name_entry {
	uint32_t line; /* 1-based, determines the chunk; of imports: 0 */
	uint8_t type;  /* enum name_type */
	uint8_t kind;  /* of a definition: by def_kind.def, from 1 */
	uint8_t flags; /* of a chunk, with kind: name_branches() */
	uint8_t bytes; /* of the name, cut off where it is longer */
};

static_assert(sizeof(struct name_entry) == 8, "a word");

/* Of a NAME_CHUNK: words and operators that branch; 65,535: or more. */
static inline uint32_t
name_branches(const struct name_entry *entry)
{
	return entry->kind | (uint32_t)entry->flags << 8;
}

/* The names of a lane, for the process that writes them. */
struct names_lane {
	uint32_t idx;
	uint32_t nr;         /* of lanes */
	uint64_t extents_nr; /* that this process has reserved */
};

/* Bytes of them, side by side. */
static inline void *
catalogue_lane_names(const struct catalogue *catalogue,
		     const struct names_lane *lane, uint64_t off,
		     uint64_t bytes)
{
	return table_at(&catalogue->names,
			names_place(lane->idx, lane->nr, off), bytes);
}

/* Makes the extent of a place safe to write, and those before it: 0 or -errno of
 * table_reserve(). */
int
catalogue_reserve_names(const struct catalogue *catalogue,
			struct names_lane *lane, uint64_t off);

/* Of file_facts.names_off: the file is as an entry of the survey of an earlier
 * run has it, and its names are there, if it has any. */
#define NAMES_SURVEYED (1ull << 63)
#define NAMES_OFF_BITS 36 /* of where they begin; above it: the entry */
#define NAMES_ENTRIES_MAX (1ull << (63 - NAMES_OFF_BITS))

/* 1 + where they begin in the survey, 0: none; by an entry of it. */
static inline uint64_t
names_surveyed(uint32_t entry_idx, uint64_t off)
{
	return NAMES_SURVEYED | (uint64_t)entry_idx << NAMES_OFF_BITS | off;
}

/* The entry of such. */
static inline uint32_t
names_entry(uint64_t names_off)
{
	return (uint32_t)((names_off & ~NAMES_SURVEYED) >> NAMES_OFF_BITS);
}

/* The table that the names of a file lie in, and where they begin; NULL: it has
 * none. */
static inline const struct table *
catalogue_names_table(const struct catalogue *catalogue,
		      const struct file_facts *facts, uint64_t *off)
{
	bool is_surveyed = (facts->names_off & NAMES_SURVEYED) != 0;

	*off = facts->names_off;
	if (is_surveyed)
		*off &= (1ull << NAMES_OFF_BITS) - 1;
	if (*off == 0)
		return NULL;
	(*off)--;
	return is_surveyed ? &catalogue->survey.table : &catalogue->names;
}

/* The names of a file; NULL: none. */
static inline const struct names *
catalogue_names(const struct catalogue *catalogue,
		const struct file_facts *facts)
{
	uint64_t off;
	const struct table *table =
		catalogue_names_table(catalogue, facts, &off);

	return table == NULL
		       ? NULL
		       : table_at(table, off,
				  sizeof(struct names) + NAMES_FILE_BYTES);
}

/* Writes the sum of kept signatures, by which damage is found, before them: into the
 * first NAMES_SUM_BYTES. */
void
names_seal_signatures(uint8_t *signatures, uint32_t bytes);

/* Whether they are whole by it. */
bool
names_are_sealed(const uint8_t *signatures, uint32_t bytes);

/*
 * shape:  the signatures of a file as they are kept behind its names: the sum, and
 *         what chunk_kept_encode() has written; NULL: none are, or they are damaged
 * units:  facts->signatures_bytes of them
 */
const uint8_t *
catalogue_signatures(const struct catalogue *catalogue,
		     const struct file_facts *facts);

/*
 * shape:  the entry at *at of `bytes` of entries, and *at moves to the next;
 *         NULL: no more
 * units:  *at in bytes, 0 for the first; the name follows the entry
 */
static inline const struct name_entry *
names_entry_next(const uint8_t *entries, uint32_t bytes, uint32_t *at)
{
	const struct name_entry *entry;

	if (*at >= bytes || bytes > NAMES_FILE_BYTES)
		return NULL;
	entry = (const void *)(entries + *at);
	*at += (uint32_t)sizeof(*entry) + (entry->bytes + 3u) / 4 * 4;
	return entry;
}

/* The same of the names of a file. */
static inline const struct name_entry *
names_next(const struct names *names, uint32_t *at)
{
	return names_entry_next((const uint8_t *)(names + 1), names->bytes, at);
}

/* "function", of name_entry.kind; "none" out of range. Constant text. */
const char *
def_kind_text(uint8_t kind);

#endif
