/* SPDX-License-Identifier: MIT */
/*
 * preamble.h - the lines that an output begins with: what it is.
 *
 * Does: of which commit; how much of what was found is in it; how files, gaps
 *       and signatures are marked; the directories with the most text.
 * Does not: say anything of the machine or the time.
 * Invariants:
 * 1. A name from the tree stands within a line and is quoted as paths are, so
 *    that no line can be taken for a header.
 */
#ifndef MARKUP_PREAMBLE_H
#define MARKUP_PREAMBLE_H

#include <string.h>

#include "markup/markup.h"

#define PREAMBLE_BEGINS "Packed by bale: "

/* Whether a line is the first one of a preamble. */
static inline bool
markup_begins_preamble(const char *line, size_t nr)
{
	return nr >= sizeof(PREAMBLE_BEGINS) - 1 &&
	       memcmp(line, PREAMBLE_BEGINS, sizeof(PREAMBLE_BEGINS) - 1) == 0;
}

/* What its second line begins with, in Markdown and plain text. */
#define PREAMBLE_MARKS "Each file begins with a line "

/* And what the page of a report begins with. */
#define PAGE_BEGINS "<!-- Written by bale report. -->\n"
#define PREAMBLE_TEXT_BYTES 2040 /* the longest is shorter */
#define PREAMBLE_COMMIT_BYTES 4  /* of its name, that are shown */
#define PREAMBLE_NAME_BYTES 64   /* a quoted name, cut short, with its NUL */
#define PREAMBLE_DIRS 3

struct preamble_facts {
	enum markup_kind kind;
	bool is_whole;         /* nothing that could be packed is left out */
	bool is_filtered;      /* some of it was not to be packed */
	bool signatures;       /* there may be some, */
	bool short_headers;    /* whose headers are short */
	bool has_copies;       /* headers may name some */
	bool has_counts;       /* and what follows: known when it begins */
	uint64_t file_nr;      /* that were found */
	uint64_t packed_nr;    /* of these in the output, */
	uint64_t part_nr;      /* and not with all of their lines, */
	uint64_t sign_nr;      /* or with none, but their signatures */
	const uint8_t *commit; /* PREAMBLE_COMMIT_BYTES; NULL: none */
	bool is_dirty;         /* the work tree differs from it */
	/* the largest directories, largest first; of 0 tokens: none. These are
	 * about as many as their bytes come to: some of what is left out may not
	 * be counted, and an output does not depend on what is */
	struct preamble_dir {
		char name[PREAMBLE_NAME_BYTES];
		uint64_t tokens;
	} dirs[PREAMBLE_DIRS];
};

/* The lines, in `to`, which has PREAMBLE_TEXT_BYTES; how many bytes. */
size_t
preamble_text(char *to, const struct preamble_facts *facts);

#endif
