/* SPDX-License-Identifier: MIT */
/*
 * stream.h - what a count under way has to remember, for this folder only.
 *
 * A stream is in one of two states:
 *
 *             bytes -> hold[]            piece longer than STREAM_HOLD_BYTES
 *      no run  --------------------------------------------->  a run
 *        ^  pieces that more text cannot change are counted       |
 *        |  and leave hold[]                                      |
 *        +--------------------------------------------------------+
 *             the piece ended; what was not part of it is in hold[]
 *
 * In a run, bytes are merged as they come (struct bpe_prefix), and hold[] has
 * only what may be of the next piece. Where the end of the piece depends on
 * what follows, `whole` merges on as if the piece went on and `rest` as if it
 * had ended at the mark.
 */
#ifndef TOKENIZER_STREAM_H
#define TOKENIZER_STREAM_H

#include <stdbool.h>
#include <stdint.h>

#include "tokenizer/bpe.h"
#include "tokenizer/nfc.h"
#include "tokenizer/tokenizer.h"

#define STREAM_HOLD_BYTES 512

struct stream {
	uint64_t tokens;   /* of all pieces that have ended */
	uint32_t run;      /* enum piece_kind; 0: no run */
	uint32_t hold_len; /* valid UTF-8 in hold[], whole code points */
	uint32_t cut_len;  /* bytes of a code point that is not whole yet */
	uint8_t cut[4];
	uint32_t has_mark;       /* 0 or 1: the run may end at the mark */
	uint64_t mark_tokens;    /* tokens up to the mark */
	struct bpe_prefix whole; /* the piece from its beginning */
	struct bpe_prefix rest;  /* what is behind the mark */
	uint8_t hold[STREAM_HOLD_BYTES + 4];
	struct nfc nfc; /* what comes before all this, where it is asked for */
} __attribute__((may_alias)); /* it lies in a struct token_stream */

_Static_assert(sizeof(struct stream) <= sizeof(struct token_stream),
	       "a stream fits its public form");

/*
 * shape:  begins a run with the piece at text, which is longer than what is
 *         held; returns how many bytes were taken
 */
size_t
stream_run_begin(const struct tokenizer *tok, struct stream *stream,
		 const uint8_t *text, size_t len);

/*
 * shape:  goes on with a run; returns how many bytes were taken. What is left
 *         has to be given again: with more text behind it, or to no run if
 *         the run has ended
 * units:  len in bytes, whole code points; is_end: no more text follows
 */
size_t
stream_run_feed(const struct tokenizer *tok, struct stream *stream,
		const uint8_t *text, size_t len, bool is_end);

#endif
