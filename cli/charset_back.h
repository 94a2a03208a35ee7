/* SPDX-License-Identifier: MIT */
/*
 * charset_back.h - UTF-8 back into the character set that it came from.
 */
#ifndef CLI_CHARSET_BACK_H
#define CLI_CHARSET_BACK_H

#include "catalogue/catalogue.h"
#include "catalogue/files.h"

/* A conversion under way; zeroed, but for the set, at the start. */
struct charset_back {
	enum charset to;
	bool begun;
	uint8_t held_nr;
	uint8_t held[4];
};

/*
 * The set of that name; CHARSET_NR: none is called so. *is_repaired: what was
 * no character in it has been replaced, so that there is no way back.
 */
enum charset
charset_of_name(const char *name, bool *is_repaired);

/*
 * shape:  converts the next part, cut anywhere; UTF-16 begins with its mark
 * units:  `to` has room for 2 * (bytes + 4) + 2; *put of it are written
 * errors: -EILSEQ: no UTF-8, or a character that the set does not have
 */
int
charset_back_run(struct charset_back *back, const uint8_t *from, size_t bytes,
		 uint8_t *to, size_t *put);

#endif
