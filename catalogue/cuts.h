/* SPDX-License-Identifier: MIT */
/*
 * cuts.h - where format may cut its output, and the parts that it has cut it
 * into.
 */
#ifndef CATALOGUE_CUTS_H
#define CATALOGUE_CUTS_H

#include "catalogue/catalogue.h"

enum cut_kind {
	CUT_FILE = 0, /* a file's section begins */
	CUT_CHUNK,    /* another chunk of that file begins */
	CUT_END       /* its content ends */
};

/* A place of the output where it may be cut. */
struct cut_record {
	uint64_t off;         /* end of the text before the cut */
	uint64_t content_off; /* where what follows begins: behind a header, a
			       * gap mark, a closing fence */
	uint32_t file_idx;
	uint32_t line_first;  /* of what follows */
	uint32_t line_before; /* the last line before it, of this file */
	uint32_t line_last;   /* of the section */
	uint64_t end_cut;     /* of a CUT_FILE: its CUT_END */
	uint8_t kind;         /* enum cut_kind */
	uint8_t signatures;   /* 1: lines are those of signatures */
	uint8_t half_line;    /* CUT_END: the content ends without a newline */
	uint8_t pad[5];
};

/*
 * shape:  whether every field is in range
 * calls:  readers: the process that wrote it may be dead
 */
static inline bool
cut_record_valid(const struct cut_record *cut)
{
	return cut->kind <= CUT_END && cut->off <= cut->content_off &&
	       cut->signatures <= 1 && cut->half_line <= 1 &&
	       (cut->end_cut == 0 || cut->kind == CUT_FILE);
}

/* Where a part begins in the cuts; it ends where the next one begins. */
struct cut_place {
	uint64_t cut;      /* the last one before it, or the one it is at */
	uint64_t file_cut; /* the CUT_FILE of its section */
	uint64_t off;      /* in the uncut output */
	uint32_t line;
	uint32_t mid_line; /* 1: within that line */
};

struct part_record {
	struct cut_place from;
	struct cut_place until;
	uint64_t off; /* of the part, in the output file */
	uint64_t bytes;
	uint64_t tokens;
};

/* A cut, by its index. */
CATALOGUE_RECORDS(cuts, cut_record, 48, catalogue_cut);

/* A part of the output, by its index. */
CATALOGUE_RECORDS(parts, part_record, 88, catalogue_part);

#endif
