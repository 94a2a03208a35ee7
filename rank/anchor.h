/* SPDX-License-Identifier: MIT */
/*
 * anchor.h - what a query names: places, modules, definitions.
 *
 * Does: finds the names of a query that can be looked up: places of stack
 *       frames, paths, dotted modules, qualified names, identifiers; compares
 *       them with a path or a name.
 * Does not: look them up (stages/select/select_anchors.c); read logs
 *           (sources/source_log.c).
 * Invariants:
 * 1. All input is foreign: any bytes are read in time linear in the text.
 * Limits: the first ANCHOR_NAMES_MAX names; of ANCHOR_FRAMES_MAX frames, and of
 *         the other places, the first and the last ones.
 */
#ifndef RANK_ANCHOR_H
#define RANK_ANCHOR_H

#include "base/base.h"
#include "rank/near_name.h"

#define ANCHOR_NAMES_MAX 95
#define ANCHOR_PLACES_MAX 64
#define ANCHOR_FRAMES_MAX 40
#define ANCHOR_PATH_BYTES 120 /* of a longer path the end */
#define ANCHOR_NAME_BYTES 120 /* longer ones are none */
#define ANCHOR_NONE UINT8_MAX

/* How sure it is that a name is that of a definition. */
enum anchor_sure {
	ANCHOR_WORD = 0,   /* a word of the first line */
	ANCHOR_IDENTIFIER, /* looks like one, or is marked as code */
	ANCHOR_TITLE       /* and is in the first line */
};

struct anchor_name {
	char text[ANCHOR_NAME_BYTES];
	uint32_t hash;
	uint8_t bytes;
	uint8_t sure;  /* enum anchor_sure */
	uint8_t owner; /* the name before it, as in owner.name; ANCHOR_NONE */
	uint8_t place; /* that it stands beside; ANCHOR_NONE */
	uint8_t term;  /* of the query, one more: rank/query_declared.h; or 0 */
	bool is_literal; /* a string of code may have it: an option, a key */
};

enum anchor_kind {
	ANCHOR_FRAME = 0, /* a path with a line */
	ANCHOR_PATH,
	ANCHOR_MODULE /* dotted: of what it begins with, the longest counts */
};

struct anchor_place {
	char path[ANCHOR_PATH_BYTES]; /* components joined by / */
	uint32_t line;                /* 1-based; 0: none */
	uint8_t bytes;
	uint8_t kind; /* enum anchor_kind */
	uint8_t pad[2];
};

/* Owner: whoever has the query; zeroed before use. */
struct anchors {
	struct anchor_place places[ANCHOR_PLACES_MAX];
	struct anchor_name names[ANCHOR_NAMES_MAX];
	uint32_t place_nr;
	uint32_t frame_nr; /* of the places, the first ones */
	uint32_t name_nr;
	bool innermost_first;  /* of the frames: others than Python's */
	struct near_name near; /* the text, if it is short */
	/* what a query of one word may be as well; no bytes: none */
	struct anchor_place directory;
	bool asks_directory; /* it says so: "the http directory" */
	bool asks_uses;      /* is_all, and it asks who uses them */
	bool asks_heirs;     /* and of these for types derived from them */
	bool asks_tests;     /* and of these for tests */
	bool asks_member;    /* "f in C", "f in a/b.c": if there is one, it is
				* all */
	bool asks_one;       /* a short line with one name: likewise */
	bool is_literal;     /* it is one, without blanks, and nothing else */
	bool is_all;         /* there is nothing besides names but
				* ANCHOR_WORDs that ask for them; or it is a
				* path alone */
	/* by first byte, which lengths names have: bit length % 64 */
	uint64_t lengths[256];
};

/*
 * shape:  adds a frame: a path and a line in it
 * calls:  in the order of the text, before anchors_read()
 */
void
anchors_add_frame(struct anchors *anchors, const char *path, size_t bytes,
		  uint64_t line);

/*
 * shape:  adds a path; of too many, the first ones and the last are kept
 * units:  line: 0, none
 */
void
anchors_add_place(struct anchors *anchors, enum anchor_kind kind,
		  const char *path, size_t bytes, uint32_t line);

/* What the query may be as a directory: a path below the root. */
void
anchors_set_directory(struct anchors *anchors, const uint8_t *text,
		      size_t bytes);

/* Adds the names of a text, and its other paths. */
void
anchors_read(struct anchors *anchors, const uint8_t *text, size_t bytes);

/* The first name, from `from` on, that is this; ANCHOR_NONE: there is none. */
uint32_t
anchors_find(const struct anchors *anchors, const uint8_t *name, size_t bytes,
	     uint32_t from);

/*
 * shape:  how many components a path below the root and a place have in common:
 *         of paths at their ends, all of one of them or two and more; of a
 *         module at its beginning; 0: it is another file
 */
uint32_t
anchor_match(const struct anchor_place *place, const uint8_t *path,
	     size_t bytes);

/* Whether a path below the root is within a directory: 2, in it; 1, in one below
 * it; 0, in another. */
uint32_t
anchor_in_directory(const struct anchor_place *directory, const uint8_t *path,
		    size_t bytes);

#endif
