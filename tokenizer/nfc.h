/* SPDX-License-Identifier: MIT */
/*
 * nfc.h - brings text that comes in pieces to NFC.
 *
 * Does: put combining marks into their order and compose what has a composed
 *       form, as the normaliser of a tokenizer.json asks for. Text that is
 *       normal already is passed on where it lies.
 * Invariants:
 *   1. What comes out depends on all that was fed, not on where it was cut.
 *   2. Before a byte of ASCII nothing is held back that could still change:
 *      no character of ASCII is composed with one before it.
 * Limits: behind one character NFC_RUNS runs of combining marks, each of the
 *         same mark, are put into order together; more of them begin anew.
 *         Constant memory, constant time per byte.
 * Source: Unicode Standard Annex 15; the tables are those of Unicode 9, by
 *         which Hugging Face tokenizers normalises (data/NOTICE).
 */
#ifndef TOKENIZER_NFC_H
#define TOKENIZER_NFC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tokenizer/unicode.h"

/* What is known about a code point. */
enum nfc_fact_flags {
	NFC_NEVER = 1 << 0,  /* it is not part of any normal text */
	NFC_BEHIND = 1 << 1, /* it may be composed with what is before it */
};

struct nfc_fact {
	uint32_t first;  /* what it is made of, 0: of itself */
	uint32_t second; /* 0: of `first` alone */
	uint16_t ccc;    /* canonical combining class */
	uint16_t flags;
};

struct nfc_pair {
	uint32_t first;
	uint32_t second;
	uint32_t composed;
};

/*
 * The table: for each block of 128 code points where the numbers of their
 * facts begin; facts; pairs, sorted by their two parts. Fact 0 is that there
 * is nothing to know.
 */
struct nfc_table {
	char magic[8];
	uint32_t image_bytes;
	uint32_t checksum; /* unicode_checksum() of all that follows */
	uint32_t facts_off;
	uint32_t pairs_off;
	uint32_t pairs_nr;
	uint32_t pad;
	uint16_t blocks[UNICODE_BLOCKS];
	uint16_t numbers[];
};

#define NFC_RUNS 254

/* The text held back: a character and the marks after it, in order. */
struct nfc {
	uint32_t starter;
	uint16_t has_starter;
	uint16_t runs_nr;
	uint32_t runs[NFC_RUNS]; /* a mark, and how many of it but one */
};

/* Accepts normal text: whole code points. */
typedef void
nfc_put(void *to, const uint8_t *text, size_t len);

/*
 * shape:  begins a text
 */
void
nfc_init(struct nfc *nfc);

/*
 * shape:  continues a text; text that is normal and cannot change is passed on
 * units:  text is valid UTF-8, whole code points; len in bytes
 */
void
nfc_feed(struct nfc *nfc, const uint8_t *text, size_t len, nfc_put *put,
	 void *to);

/*
 * shape:  ends a text: what was held back is put
 */
void
nfc_end(struct nfc *nfc, nfc_put *put, void *to);

/*
 * shape:  whether a whole text is surely in NFC; if not, it may be so as well
 * units:  as for nfc_feed()
 */
bool
nfc_is_normal(const uint8_t *text, size_t len);

#endif
