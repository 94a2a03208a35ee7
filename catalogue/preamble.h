/* SPDX-License-Identifier: MIT */
/*
 * preamble.h - what the output of a plan says of itself, by select.
 *
 *   | preamble_head | text, PREAMBLE_ROOM | directories |
 */
#ifndef CATALOGUE_PREAMBLE_H
#define CATALOGUE_PREAMBLE_H

#include "catalogue/catalogue.h"

struct preamble_head {
	uint32_t text_bytes;
	uint32_t directories_bytes; /* of the tree of directories; 0: none */
};

static_assert(sizeof(struct preamble_head) == 8, "no holes");

#define PREAMBLE_TEXT_OFF sizeof(struct preamble_head)
#define PREAMBLE_ROOM 2040 /* of the text */
#define PREAMBLE_DIRECTORIES_OFF (PREAMBLE_TEXT_OFF + PREAMBLE_ROOM)

/*
 * shape:  whether the text is within its room; table_at() checks the rest
 * calls:  format, of what select wrote
 */
static inline bool
preamble_head_valid(const struct preamble_head *head)
{
	return head->text_bytes <= PREAMBLE_ROOM;
}

/* The head; select has reserved the table up to its end. */
static inline struct preamble_head *
catalogue_preamble(const struct catalogue *catalogue)
{
	return table_at(&catalogue->preamble, 0, sizeof(struct preamble_head));
}

#endif
