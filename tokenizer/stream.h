/* SPDX-License-Identifier: MIT */
/*
 * stream.h - what a count under way has to remember, for this folder only.
 *
 * A stream is in one of two states:
 *
 *             bytes -> hold[]                 piece longer than hold[]
 *   STREAM_HOLD  ------------------------------------------->  a run
 *        ^  pieces that more text cannot change are counted       |
 *        |  and leave hold[]                                      |
 *        +--------------------------------------------------------+
 *             the piece ended; what was not part of it is in hold[]
 *
 * In a run, bytes are merged as they come (struct bpe_prefix). Where the end
 * of the piece depends on what follows, `whole` merges on as if the piece went
 * on and `rest` as if it had ended at the mark.
 */
#ifndef TOKENIZER_STREAM_H
#define TOKENIZER_STREAM_H

#include <stdint.h>

#include "tokenizer/bpe.h"
#include "tokenizer/nfc.h"
#include "tokenizer/tokenizer.h"

#define STREAM_HOLD_BYTES 512

enum stream_state {
	STREAM_HOLD = 0,    /* what is not yet counted lies in hold[] */
	STREAM_WORD,        /* letters */
	STREAM_CASED,       /* letters, none of them surely lower case yet */
	STREAM_CONTRACTION, /* a word, and in hold[] what may be 's */
	STREAM_NUMBER,
	STREAM_PUNCT,
	STREAM_PUNCT_NEWLINE, /* newlines at the end of punctuation */
	STREAM_SPACE,
	STREAM_DENSE,      /* Chinese and Japanese, where they are pieces */
	STREAM_ASCII_WORD, /* letters of ASCII behind punctuation */
	STREAM_OTHER,      /* what no alternative of the pattern takes */
};

struct stream {
	uint64_t tokens;   /* of all pieces that have ended */
	uint32_t state;    /* enum stream_state */
	uint32_t hold_len; /* valid UTF-8 in hold[], whole code points */
	uint32_t cut_len;  /* bytes of a code point that is not whole yet */
	uint8_t cut[4];
	/* STREAM_CASED, STREAM_SPACE: the place where the piece may end */
	uint64_t mark_tokens;  /* tokens up to the mark */
	uint32_t has_mark;     /* 0 or 1 */
	uint32_t runes_behind; /* 0, 1, or 2 for more, behind the mark */
	/* STREAM_SPACE: tokens behind the mark but for the last code point */
	uint64_t most_tokens;
	uint32_t last_len; /* the last code point */
	uint8_t last[4];
	struct bpe_prefix whole; /* the piece from its beginning */
	struct bpe_prefix rest;  /* what is behind the mark */
	uint8_t hold[STREAM_HOLD_BYTES];
	struct nfc nfc; /* what comes before all this, where it is asked for */
} __attribute__((may_alias)); /* it lies in a struct token_stream */

_Static_assert(sizeof(struct stream) <= sizeof(struct token_stream),
	       "a stream fits its public form");

/*
 * shape:  begins a run with the code points in hold[], which are all of one
 *         piece
 */
void
stream_run_begin(const struct tokenizer *tok, struct stream *stream);

/*
 * shape:  goes on with a run; returns how many bytes were taken. If they are
 *         not all, the run has ended
 * units:  len in bytes, whole code points
 */
size_t
stream_run_feed(const struct tokenizer *tok, struct stream *stream,
		const uint8_t *text, size_t len);

/*
 * shape:  the tokens of a run that ends here
 */
uint64_t
stream_run_count(const struct tokenizer *tok, const struct stream *stream);

#endif
