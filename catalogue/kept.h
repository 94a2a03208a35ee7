/* SPDX-License-Identifier: MIT */
/*
 * kept.h - what chunks and signatures that are packed in part come to: a record
 * an entry of the plan, by dedup in the last pass.
 */
#ifndef CATALOGUE_KEPT_H
#define CATALOGUE_KEPT_H

#include "catalogue/catalogue.h"

struct kept_part {
	uint64_t tokens; /* of the lines that are packed */
};

/* The record of an entry of the plan, by its index. */
CATALOGUE_RECORDS(kept, kept_part, 8, catalogue_kept);

#endif
