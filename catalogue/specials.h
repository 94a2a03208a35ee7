/* SPDX-License-Identifier: MIT */
/*
 * specials.h - text of the output that looks like a special token, by format;
 * the last record belongs to no file.
 */
#ifndef CATALOGUE_SPECIALS_H
#define CATALOGUE_SPECIALS_H

#include "catalogue/catalogue.h"
#include "catalogue/files.h"

#define SPECIAL_TEXT_BYTES 47

/* Text that looks like a special token, in a run of content. */
struct special {
	uint32_t file_idx; /* FILE_NONE: no more of them */
	uint32_t line;     /* of the first one */
	uint32_t times;
	uint32_t left_out; /* with FILE_NONE: how many more had no room */
	uint8_t bytes;     /* of the text, cut off where it is longer */
	char text[SPECIAL_TEXT_BYTES];
};

/* What was found of a special token, by its index. */
CATALOGUE_RECORDS(specials, special, 64, catalogue_special);

#endif
