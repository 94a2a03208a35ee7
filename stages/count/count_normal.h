/* SPDX-License-Identifier: MIT */
/*
 * count_normal.h - treats contents that differ only in white space as equal.
 *
 * Does: computes the fingerprint of a text without the ignored differences.
 * Does not: change the text: the original is packed.
 */
#ifndef COUNT_COUNT_NORMAL_H
#define COUNT_COUNT_NORMAL_H

#include "stages/count/count.h"
#include "stages/job.h"

/*
 * shape:  whether the text is its own normal form, so that its SHA-256 is the
 *         fingerprint
 */
bool
count_is_normal(enum normalize how, const uint8_t *text, size_t bytes);

/* What contents are compared by: SHA-256 of the normal form. Blanks at the end
 * of a part are held: they count if what follows them is on their line. */
struct count_digest {
	struct sha256 sha;
	struct sha256 with_held; /* the same, and what is held */
	uint8_t how;             /* enum normalize */
	uint8_t has_blanks;      /* 1: some are held */
	uint8_t in_line;         /* 1: the last line has no end yet */
	uint8_t in_word;         /* 1: the last byte is of a word */
	uint8_t any;             /* 1: there has been a word */
	uint8_t pad[3];
};

/*
 * shape:  the digest of a text that comes in parts, wherever it is parted
 * owner:  the caller's; plain data, may be copied
 */
void
count_digest_init(struct count_digest *digest, enum normalize how);
void
count_digest_add(struct count_digest *digest, const uint8_t *text,
		 size_t bytes);

/* The same of a text for which count_is_normal() holds. */
void
count_digest_add_normal(struct count_digest *digest, const uint8_t *text,
			size_t bytes);

/* The same, and the SHA-256 of the text by itself. */
void
count_digest_add_normal_and_of(struct count_digest *digest, const uint8_t *text,
			       size_t bytes, uint8_t of[SHA256_BYTES]);

/* The digest of all that was added. */
void
count_digest_end(struct count_digest *digest, uint8_t out[SHA256_BYTES]);

/* The same of a whole text. */
void
count_normal_sha256(enum normalize how, const uint8_t *text, size_t bytes,
		    uint8_t out[SHA256_BYTES]);

#endif
