/* SPDX-License-Identifier: MIT */
/*
 * names.h - what files define, import and have left to do, by chunk: names and
 * their entries, extents of each lane by turns.
 */
#ifndef CATALOGUE_NAMES_H
#define CATALOGUE_NAMES_H

#include "catalogue/facts.h"

#define NAMES_EXTENT_BYTES (1ull << 20) /* of a lane, side by side */
#define NAMES_FILE_BYTES (16u << 10)    /* of a file's entries, at most */

/* Where byte `off` of a lane's names lies: the lanes take turns by extents, so
 * that the table is no longer than what they hold. */
static inline uint64_t
names_place(uint32_t lane, uint32_t lane_nr, uint64_t off)
{
	return (off / NAMES_EXTENT_BYTES * lane_nr + lane) *
		       NAMES_EXTENT_BYTES +
	       off % NAMES_EXTENT_BYTES;
}

/* What is known of a file by names; its entries follow, in its order. */
struct names {
	uint32_t bytes; /* of the entries */
	uint32_t def_nr;
	uint32_t export_nr; /* names for others to use; not all are of these */
	uint32_t import_nr;
	uint32_t marker_nr; /* words of what is left to do, in comments */
	uint32_t left_nr;   /* counted above, or a chunk; no room for it */
	uint32_t package_nr;
	uint32_t chunk_nr; /* of which something is told */
	/* of its signatures, those that are of what is public */
	uint32_t public_lines;
	uint32_t pad;
};

static_assert(sizeof(struct names) == 40, "five words");

enum name_type {
	NAME_DEF = 0, /* the name of a definition */
	NAME_IMPORT,  /* what an import names, as it is written */
	NAME_MARKER,
	NAME_PACKAGE, /* what the file is of, or a manifest names: no line */
	NAME_CHUNK,   /* of no name: what it calls, a blank between two */
	NAME_TYPE_NR
};

/* Of name_entry.flags. */
#define NAME_EXPORTED 1
#define NAME_ANGLED 2 /* an import between < and > */
#define NAME_MEMBER 4 /* a definition that is part of a class */

/* Its bytes follow it, and then up to the next multiple of four nothing. */
struct name_entry {
	uint32_t line; /* 1-based, by it the chunk; of imports: 0 */
	uint8_t type;  /* enum name_type */
	uint8_t kind;  /* of a definition: by def_kind.def, from 1 */
	uint8_t flags; /* of a chunk, both: its branches (name_branches()) */
	uint8_t bytes; /* of the name, cut off where it is longer */
};

static_assert(sizeof(struct name_entry) == 8, "a word");

/* Of a NAME_CHUNK: words and signs that branch, 65,535 of more. */
static inline uint32_t
name_branches(const struct name_entry *entry)
{
	return entry->kind | (uint32_t)entry->flags << 8;
}

/* The names of a lane, for the one process that writes them. */
struct names_lane {
	uint32_t idx;
	uint32_t nr;         /* of lanes */
	uint64_t extents_nr; /* that this process has reserved */
};

/* Bytes of them, side by side. */
void *
catalogue_lane_names(const struct catalogue *catalogue,
		     const struct names_lane *lane, uint64_t off,
		     uint64_t bytes);

/* Makes the extent of a place safe to write, and those before it. */
bool
catalogue_reserve_names(const struct catalogue *catalogue,
			struct names_lane *lane, uint64_t off);

/* What is known of a file by names; NULL: nothing. */
static inline const struct names *
catalogue_names(const struct catalogue *catalogue,
		const struct file_facts *facts)
{
	if (facts->names_off == 0)
		return NULL;
	return table_at(&catalogue->names, facts->names_off - 1,
			sizeof(struct names) + NAMES_FILE_BYTES);
}

/*
 * shape:  the entry at *at, which goes on to the next; NULL: no more
 * units:  *at in bytes, 0 for the first; the name is what follows the entry
 */
static inline const struct name_entry *
names_next(const struct names *names, uint32_t *at)
{
	const struct name_entry *entry;

	if (*at >= names->bytes || names->bytes > NAMES_FILE_BYTES)
		return NULL;
	entry = (const void *)((const uint8_t *)(names + 1) + *at);
	*at += (uint32_t)sizeof(*entry) + (entry->bytes + 3u) / 4 * 4;
	return entry;
}

/* "function", of name_entry.kind; "none" out of range. Constant text. */
const char *
def_kind_text(uint8_t kind);

#endif
