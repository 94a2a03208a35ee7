/* SPDX-License-Identifier: MIT */
/*
 * tokenizer.h - bytes in, exact token counts and ids out.
 *
 * Does: count and encode text by the byte-level BPE of a named encoding;
 *       count text that arrives in pieces cut anywhere; count a part
 *       of a text so that it can be joined exactly with what lies around it.
 * Does not: know processes, read files, take memory from the heap.
 * Invariants:
 *   1. A vocabulary is a read-only image that is used in place: a
 *      `const struct tokenizer *` can be shared by fork and by threads.
 *   2. Every way to count gives the same number for the same bytes: at once,
 *      in pieces, by spans, with or without a cache, on any processor.
 *   3. Text that looks like a special token is text.
 *   4. Invalid UTF-8 counts as the text that a reader would see: each maximal
 *      ill-formed part is U+FFFD, as in Python's errors="replace" and in the
 *      WHATWG decoder.
 *   5. Time is linear in the length, whatever the text.
 * Limits: a token has at most 128 bytes; ids are below 2^18.
 */
#ifndef TOKENIZER_TOKENIZER_H
#define TOKENIZER_TOKENIZER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct tokenizer;
struct tokenizer_cache;

#define TOKENIZER_TOKEN_BYTES 128 /* of a token, at most */

/*
 * The margin of an estimate in per cent, where there is no vocabulary: a
 * quarter of the bytes is too little for source text (3.2 bytes a token) and
 * for scripts that a vocabulary covers badly.
 */
#define TOKENIZER_ESTIMATE_MARGIN 35

/*
 * shape:  the tokenizer of a named encoding: o200k_base, cl100k_base,
 *         p50k_base, r50k_base; and of those that split and merge text like one
 *         of these: o200k_harmony, p50k_edit, gpt2 If the image of the encoding
 *         is damaged, the tokenizer counts a quarter of the bytes: see
 *         tokenizer_is_estimate()
 * owner:  nobody: it is part of the program and never closed
 * errors: -ENOENT no such encoding
 * calls:  any process, at start
 */
int
tokenizer_open(const struct tokenizer **out, const char *encoding);

/*
 * shape:  what the image of a named encoding takes; 0: there is none, or it is
 *         damaged
 * units:  bytes
 */
size_t
tokenizer_image_bytes(const char *encoding);

/*
 * shape:  copies the image that was asked for last: tokenizer_open() of its
 *         encoding gives the copy from then on
 * units:  mem has room for tokenizer_image_bytes(), which is not 0, and is
 *         aligned to 64
 * owner:  mem is the caller's, and stays as it is until the process ends
 * calls:  a process that forks many others which count
 */
void
tokenizer_move(void *mem);

/*
 * shape:  whether a tokenizer has no vocabulary: its counts are
 *         tokenizer_estimate() of the bytes, and it has no ids. Every place
 *         that shows such a count calls it an estimate
 */
bool
tokenizer_is_estimate(const struct tokenizer *tok);

/*
 * shape:  the name of the encoding
 * owner:  the tokenizer
 */
const char *
tokenizer_name(const struct tokenizer *tok);

/*
 * shape:  the bytes that a cache of 2^entries_log2 entries needs
 * units:  bytes; 20 for each entry, of which 16 are for short pieces
 */
size_t
tokenizer_cache_bytes(unsigned entries_log2);

/*
 * shape:  makes an empty cache for one encoding in the caller's memory, which
 *         may be shared by processes that count at the same time; a writer
 *         may die at any instruction, a torn or foreign entry is never used
 * units:  mem holds tokenizer_cache_bytes(entries_log2), aligned to 64
 * owner:  the caller owns mem and keeps it as long as the cache is used
 * errors: none; entries_log2 is 6 to 30
 */
struct tokenizer_cache *
tokenizer_cache_init(void *mem, unsigned entries_log2);

/* The same in memory that is all zeros, of which no more is touched than the
 * pieces of the text need. */
struct tokenizer_cache *
tokenizer_cache_init_zeroed(void *mem, unsigned entries_log2);

/*
 * shape:  the exact number of tokens of a whole text; cache may be NULL, and
 *         must not have been used with another tokenizer
 * units:  len in bytes, result in tokens
 * calls:  any process; takes no memory, makes no system call
 */
uint64_t
tokenizer_count(const struct tokenizer *tok, struct tokenizer_cache *cache,
		const uint8_t *text, size_t len);

/*
 * shape:  how many bytes from the beginning are whole, valid characters of
 *         UTF-8
 * units:  bytes
 */
size_t
tokenizer_valid_len(const uint8_t *text, size_t len);

/*
 * shape:  the text as which invalid UTF-8 is counted: U+FFFD for each maximal
 *         ill-formed part; stops before a character that is cut off at the end,
 *         unless it is the end of the text
 * units:  out has room for 3 * len bytes, *out_len of them are written;
 *         returns the bytes of text that were consumed
 */
size_t
tokenizer_repair(const uint8_t *text, size_t len, bool is_end, uint8_t *out,
		 size_t *out_len);

/*
 * shape:  the estimated number of tokens where there is no vocabulary: a
 *         quarter of the bytes, rounded up
 * units:  len in bytes, result in tokens
 */
static inline uint64_t
tokenizer_estimate(uint64_t len)
{
	return len / 4 + (len % 4 != 0);
}

/*
 * shape:  room that tokenizer_encode() needs for a text of len bytes
 * units:  len in bytes, result in ids
 */
static inline size_t
tokenizer_encode_bound(size_t len)
{
	return len * 4;
}

/*
 * shape:  the ids of a text, in order; returns how many, none where there is
 *         no vocabulary
 * units:  ids has room for tokenizer_encode_bound(len); all of it may be
 *         written to
 */
size_t
tokenizer_encode(const struct tokenizer *tok, const uint8_t *text, size_t len,
		 uint32_t *ids);

/*
 * shape:  whether a text is that of a special token, which no text is ever
 *         encoded as; false where there is no vocabulary
 */
bool
tokenizer_has_special(const struct tokenizer *tok, const uint8_t *text,
		      size_t len);

/*
 * An unfinished count. Plain data without pointers: it may be copied, kept in
 * shared memory as a checkpoint and continued by another process of the same
 * program.
 */
#define TOKEN_STREAM_BYTES 5120

struct token_stream {
	_Alignas(8) uint8_t opaque[TOKEN_STREAM_BYTES];
};

/*
 * The result of tokenizer_span(): at head_len and tail_off a piece begins
 * whatever stands before and after the text, and the text between them has
 * `tokens` tokens. If found is false there are no such places and the other
 * fields are 0.
 */
struct token_span {
	uint64_t head_len;
	uint64_t tail_off;
	uint64_t tokens;
	bool found;
};

/*
 * shape:  begins a count
 * owner:  the caller's memory
 */
void
token_stream_init(struct token_stream *stream);

/*
 * shape:  continues a count with the next bytes, cut anywhere
 * units:  len in bytes
 */
void
token_stream_feed(const struct tokenizer *tok, struct tokenizer_cache *cache,
		  struct token_stream *stream, const uint8_t *text, size_t len);

/*
 * shape:  the same as token_stream_feed(), with a span made by
 *         tokenizer_span() from the same bytes: looks at what lies outside of
 *         the span only, which is too little to be worth a cache
 */
void
token_stream_feed_span(const struct tokenizer *tok, struct token_stream *stream,
		       const uint8_t *text, size_t len,
		       const struct token_span *span);

/*
 * shape:  the number of tokens so far, if the text ended here; the stream is
 *         not changed and may be continued
 * units:  tokens
 */
uint64_t
token_stream_count(const struct tokenizer *tok,
		   const struct token_stream *stream);

/*
 * shape:  counts the inside of a text so that it can be joined with others
 * units:  len in bytes
 */
void
tokenizer_span(const struct tokenizer *tok, struct tokenizer_cache *cache,
	       const uint8_t *text, size_t len, struct token_span *span);

#endif
