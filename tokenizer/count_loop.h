/* SPDX-License-Identifier: MIT */
/*
 * count_loop.h - the hot loop: blocks to pieces, pieces to cache entries.
 *
 * Included by one file per instruction set, which brings scan_classify(),
 * scan_pieces(), and what batch.h wants.
 */
#ifndef TOKENIZER_COUNT_LOOP_H
#define TOKENIZER_COUNT_LOOP_H

#include <string.h>

#include "tokenizer/batch.h"
#include "tokenizer/bpe.h"
#include "tokenizer/bpe_merge.h"
#include "tokenizer/cache.h"
#include "tokenizer/count.h"
#include "tokenizer/scan.h"

/* Texts are gone through from two places at once if they are so long. */
#define LOOP_PAIR_BYTES 256
/* How far a place to begin at is looked for. */
#define LOOP_BORDER_BYTES 128
/* What is not longer is copied, so that blocks can be read beyond its end. */
#define LOOP_COPY_BYTES 2048

struct loop {
	const struct tokenizer *tok;
	struct tokenizer_cache *cache;
	const uint8_t *text;
	size_t len;     /* what can be read */
	uint64_t apart; /* all ones if tok->is_apart, else 0 */
	uint64_t tokens;
	struct batch pieces;
	struct batch parts; /* of pieces */
	struct bpe_job jobs[BPE_JOBS];
	uint32_t jobs_nr;
};

/* A part of the text, begin and end are where pieces begin. */
struct cursor {
	size_t at;
	size_t end;
	bool is_cut; /* the text goes on behind the end */
};

/* Pieces that are in no entry that was looked at. */
struct loop_misses {
	uint32_t nr;
	uint32_t at[BATCH_ROOM];
	uint64_t hashes[BATCH_ROOM];
};

/* Merges the pieces that have been collected; remembers their tokens. */
static __attribute__((noinline)) void
loop_jobs(struct loop *loop)
{
	uint32_t i;

	bpe_merge_all(loop->tok, loop->jobs, loop->jobs_nr);
	for (i = 0; i < loop->jobs_nr; i++) {
		const struct bpe_job *job = &loop->jobs[i];

		loop->tokens += job->nr;
		if (job->len <= CACHE_SHORT_BYTES)
			cache_put_short(loop->cache, job->key, job->nr);
		else if (job->len <= CACHE_LONG_BYTES)
			cache_put_long(loop->cache, job->piece, job->len,
				       job->hash, job->nr);
	}
	loop->jobs_nr = 0;
}

/*
 * A piece that is in no cache: a token, or one to be merged with others.
 * Without a key it is longer than those that have one.
 */
static void
loop_merge(struct loop *loop, const uint8_t *piece, size_t len, uint64_t hash,
	   const struct vocab_key *key)
{
	struct bpe_job *job = &loop->jobs[loop->jobs_nr];

	if (len > BPE_SHORT_BYTES) {
		loop->tokens += bpe_count(loop->tok, piece, len);
		return;
	}
	if (vocab_find_hashed(loop->tok, piece, len, hash) != VOCAB_NONE) {
		if (key != NULL)
			cache_put_short(loop->cache, *key, 1);
		else if (len <= CACHE_LONG_BYTES)
			cache_put_long(loop->cache, piece, len, hash, 1);
		loop->tokens++;
		return;
	}
	if (key != NULL)
		job->key = *key;
	job->piece = piece;
	job->hash = hash;
	bpe_job_begin(loop->tok, job, piece, len);
	if (++loop->jobs_nr == BPE_JOBS)
		loop_jobs(loop);
}

/*
 * A piece whose entry is not the one that was looked at; what will be looked
 * at next is asked for.
 */
static inline void
loop_miss(struct loop *loop, struct loop_misses *misses,
	  const struct batch *batch, uint32_t i)
{
	const uint8_t *piece = loop->text + batch->places[i];
	size_t len = batch->lens[i];
	uint64_t hash = 0;

	if (len <= CACHE_SHORT_BYTES) {
		uint64_t tokens = cache_get_short(loop->cache, batch->keys[i]);

		if (tokens != 0) {
			loop->tokens += tokens;
			return;
		}
		hash = vocab_hash_key(vocab_key(piece, len), len);
		vocab_prefetch(loop->tok, hash);
	} else if (len <= BPE_SHORT_BYTES) {
		hash = vocab_hash(piece, len);
		__builtin_prefetch(cache_long(loop->cache, hash));
	}
	misses->at[misses->nr] = i;
	misses->hashes[misses->nr++] = hash;
}

/* The tokens of what was not found so far. */
static __attribute__((noinline)) void
loop_misses(struct loop *loop, const struct loop_misses *misses,
	    const struct batch *batch)
{
	uint32_t i;

	for (i = 0; i < misses->nr; i++) {
		uint32_t miss = misses->at[i];
		const uint8_t *piece = loop->text + batch->places[miss];
		size_t len = batch->lens[miss];
		uint64_t tokens = 0;

		if (len <= CACHE_SHORT_BYTES) {
			loop_merge(loop, piece, len, misses->hashes[i],
				   &batch->keys[miss]);
			continue;
		}
		if (len <= CACHE_LONG_BYTES)
			tokens = cache_get_long(loop->cache, piece, len,
						misses->hashes[i]);
		if (tokens == 0)
			loop_merge(loop, piece, len, misses->hashes[i], NULL);
		loop->tokens += tokens;
	}
}

/* Counts the parts that have been collected. */
static __attribute__((noinline)) void
loop_parts(struct loop *loop)
{
	struct batch *parts = &loop->parts;
	struct loop_misses misses;
	uint32_t word;

	misses.nr = 0;
	batch_ask(parts, loop->cache, loop->text);
	loop->tokens += batch_look(parts, loop->cache);
	for (word = 0; word * 32 < parts->nr; word++) {
		uint64_t bits = parts->missed[word];

		for (; bits != 0; bits &= bits - 1)
			loop_miss(loop, &misses, parts,
				  word * 32 +
					  (uint32_t)__builtin_ctzll(bits) / 2);
	}
	loop_misses(loop, &misses, parts);
	parts->nr = 0;
}

/* Takes up a part, to be counted with others; a long one is counted at once. */
SCAN_INLINE void
loop_add_part(struct loop *loop, size_t begin, size_t end)
{
	struct batch *parts = &loop->parts;

	if (end - begin > UINT8_MAX || loop->len - begin < 16) {
		loop->tokens +=
			bpe_count(loop->tok, loop->text + begin, end - begin);
		return;
	}
	parts->places[parts->nr] = (uint32_t)begin;
	parts->lens[parts->nr++] = (uint8_t)(end - begin);
	if (parts->nr >= BATCH_PIECES)
		loop_parts(loop);
}

/* As many code points are looked at before it is asked whether parts fit. */
#define LOOP_DENSE_RUNES 32

/*
 * Adds the parts of the dense code points at text + at, of which there are
 * runes_nr; the part under way begins at `begin` and is short enough. Returns
 * where the part begins that is then under way. No branch depends on the text.
 */
SCAN_INLINE size_t
loop_dense_parts(struct loop *loop, size_t begin, size_t at, size_t runes_nr)
{
	const uint8_t *text = loop->text;
	uint32_t nr = loop->parts.nr;
	size_t i;

	for (i = 0; i < runes_nr; i++, at += 3) {
		bool is_boundary = !vocab_joins(loop->tok, text + at - 3);

		loop->parts.places[nr] = (uint32_t)begin;
		loop->parts.lens[nr] = (uint8_t)(at - begin);
		nr += is_boundary;
		begin = is_boundary ? at : begin;
	}
	loop->parts.nr = nr;
	if (nr >= BATCH_PIECES)
		loop_parts(loop);
	return begin;
}

/*
 * Takes apart a piece of a script without blanks, whose pieces are whole
 * clauses, where no token reaches over: the parts are words, and these do come
 * again.
 */
static __attribute__((noinline)) void
loop_dense(struct loop *loop, size_t begin, size_t end)
{
	const size_t most = UINT8_MAX - 3 * LOOP_DENSE_RUNES;
	const uint8_t *text = loop->text;
	const bool is_near_end = loop->len - end < 16;
	size_t at = begin, runes_nr;

	while (end - at >= 6) {
		if (!vocab_is_dense(text + at)) {
			at++;
			continue;
		}
		at += 3;
		for (runes_nr = 0; runes_nr < LOOP_DENSE_RUNES &&
				   end - at >= 3 * (runes_nr + 1) &&
				   vocab_is_dense(text + at + 3 * runes_nr);)
			runes_nr++;
		if (runes_nr != 0 && !is_near_end && at - begin <= most) {
			begin = loop_dense_parts(loop, begin, at, runes_nr);
			/* Its last one is looked at with what is behind it. */
			at += 3 * (runes_nr - 1);
			continue;
		}
		if (runes_nr == 0 || vocab_joins(loop->tok, text + at - 3))
			continue;
		loop_add_part(loop, begin, at);
		begin = at;
	}
	loop_add_part(loop, begin, end);
}

/* Counts the pieces that have been collected. */
static void
loop_pieces(struct loop *loop)
{
	struct batch *pieces = &loop->pieces;
	struct loop_misses misses;
	uint32_t word;

	misses.nr = 0;
	batch_ask(pieces, loop->cache, loop->text);
	loop->tokens += batch_look(pieces, loop->cache);
	for (word = 0; word * 32 < pieces->nr; word++) {
		uint64_t bits = pieces->missed[word];

		for (; bits != 0; bits &= bits - 1) {
			uint32_t i =
				word * 32 + (uint32_t)__builtin_ctzll(bits) / 2;
			size_t at = pieces->places[i];
			size_t end = at + pieces->lens[i];

			if (end - at > CACHE_SHORT_BYTES &&
			    vocab_is_dense(loop->text + end - 3))
				loop_dense(loop, at, end);
			else
				loop_miss(loop, &misses, pieces, i);
		}
	}
	loop_misses(loop, &misses, pieces);
	pieces->nr = 0;
}

/* Adds a piece, or a part of one; a long one is counted at once. */
static void
loop_add_piece(struct loop *loop, size_t begin, size_t end)
{
	struct batch *pieces = &loop->pieces;

	if (end - begin > UINT8_MAX) {
		loop->tokens +=
			bpe_count(loop->tok, loop->text + begin, end - begin);
		return;
	}
	if (pieces->nr >= BATCH_PIECES)
		loop_pieces(loop);
	pieces->places[pieces->nr] = (uint32_t)begin;
	pieces->lens[pieces->nr++] = (uint8_t)(end - begin);
}

/* Adds the parts of a piece that no token reaches over. */
static void
loop_add_apart(struct loop *loop, size_t begin, size_t end)
{
	const uint8_t *text = loop->text;
	size_t at;

	for (at = begin + 1; at < end && loop->apart != 0; at++) {
		if (text[at] < 0xf0 || (text[at - 1] & 0xc0) != 0x80)
			continue;
		loop_add_piece(loop, begin, at);
		begin = at;
	}
	loop_add_piece(loop, begin, end);
}

/*
 * A piece that the masks cannot tell the end of; false if more text could
 * change it.
 */
static __attribute__((noinline)) bool
loop_hard_piece(struct loop *loop, struct cursor *cursor, uint32_t pattern)
{
	const uint8_t *text = loop->text + cursor->at;
	bool is_open;
	size_t len = pretoken_end(pretoken_rules(pattern), text,
				  cursor->end - cursor->at, &is_open);

	if (is_open && !cursor->is_cut)
		return false;
	if (len > UINT8_MAX && vocab_is_dense(text + len - 3))
		loop_dense(loop, cursor->at, cursor->at + len);
	else
		loop_add_apart(loop, cursor->at, cursor->at + len);
	cursor->at += len;
	return true;
}

/*
 * Collects the pieces of a block; false if the end of the first one is open.
 * Pieces of one byte are one token.
 */
SCAN_INLINE bool
loop_block(struct loop *loop, struct cursor *cursor, uint32_t pattern)
{
	struct batch *pieces = &loop->pieces;
	size_t left = cursor->end - cursor->at;
	struct scan_block block;
	uint64_t begins, last, starts, single, ends;

	scan_classify(&block, loop->text + cursor->at, pattern);
	begins = scan_begins(&block, pattern);
	if (__builtin_expect(left < SCAN_BLOCK_BYTES, 0))
		begins &= (UINT64_C(2) << left) - 1;
	if (__builtin_expect(begins == 1, 0))
		return loop_hard_piece(loop, cursor, pattern);
	last = UINT64_C(1) << (63 - (unsigned)__builtin_clzll(begins));
	/* Parts of pieces that no token reaches over are counted as pieces. */
	begins |= block.four & loop->apart & (last - 1);
	ends = begins & (begins - 1);
	single = begins & ends >> 1;
	starts = begins & ~single & ~last;
	ends &= ~(single << 1);
	loop->tokens += (unsigned)__builtin_popcountll(single);
	scan_pieces(pieces, (uint32_t)cursor->at, starts, ends);
	cursor->at += (unsigned)__builtin_ctzll(last);
	return true;
}

/* As far as whole blocks can be read, or to the cut. */
SCAN_INLINE void
loop_one(struct loop *loop, struct cursor *cursor, uint32_t pattern)
{
	const size_t end = cursor->is_cut ? cursor->end
					  : cursor->end - SCAN_READ_BYTES + 1;

	while (cursor->at < end && loop_block(loop, cursor, pattern))
		if (loop->pieces.nr >= BATCH_PIECES)
			loop_pieces(loop);
}

/*
 * A place near the middle where a piece begins whatever is around it, with
 * room for a block behind it; 0 if there is none.
 */
static size_t
loop_middle(const struct loop *loop, size_t len, uint32_t pattern)
{
	const struct pretoken_rules *rules = pretoken_rules(pattern);
	size_t at = len / 2, most = at + LOOP_BORDER_BYTES;

	if (len < LOOP_PAIR_BYTES)
		return 0;
	most = most < len - SCAN_READ_BYTES ? most : len - SCAN_READ_BYTES;
	for (; at < most; at++)
		if (pretoken_is_boundary(rules, loop->text[at - 1],
					 loop->text[at]))
			return at;
	return 0;
}

/*
 * Counts closed pieces from the beginning of text as long as whole blocks can
 * be read, or to the cut; returns where it stopped, which is where a piece
 * begins. Each block has to wait for the end of the one before it, so two
 * halves of the text are gone through in turns: what one waits for, the other
 * computes.
 */
SCAN_INLINE size_t
loop_halves(struct loop *loop, size_t len, bool is_cut, uint32_t pattern)
{
	size_t middle = loop_middle(loop, len, pattern);
	struct cursor one = { 0, middle, true };
	struct cursor two = { middle, len, is_cut };
	const size_t end = is_cut ? len : len - SCAN_READ_BYTES + 1;

	while (one.at < one.end && two.at < end) {
		if (!loop_block(loop, &two, pattern))
			break;
		loop_block(loop, &one, pattern);
		if (loop->pieces.nr >= BATCH_PIECES)
			loop_pieces(loop);
	}
	loop_one(loop, &one, pattern);
	loop_one(loop, &two, pattern);
	/* places are of this text */
	loop_pieces(loop);
	loop_parts(loop);
	loop_jobs(loop);
	return two.at;
}

/*
 * A byte that begins a piece behind the last one of a text, so that with it
 * the text is cut as if it ended there; 0 if no byte is known to.
 */
static uint8_t
loop_behind(const uint8_t *text, size_t len, uint32_t pattern)
{
	const struct pretoken_rules *rules = pretoken_rules(pattern);

	if (pretoken_is_boundary(rules, text[len - 1], ' '))
		return ' ';
	return pretoken_is_boundary(rules, text[len - 1], 'a') ? 'a' : 0;
}

/* The whole text, or from `at` on, from a copy that goes on behind its end;
 * returns where it stopped. */
SCAN_INLINE size_t
loop_copy(struct loop *loop, size_t at, uint8_t behind, uint32_t pattern)
{
	uint8_t copy[LOOP_COPY_BYTES + SCAN_READ_BYTES];
	size_t len = loop->len - at;

	if (behind == 0 || len == 0 || len > LOOP_COPY_BYTES)
		return at;
	memcpy(copy, loop->text + at, len);
	memset(copy + len, behind, SCAN_READ_BYTES);
	loop->text = copy;
	loop->len = len + SCAN_READ_BYTES;
	return at + loop_halves(loop, len, true, pattern);
}

/* Counts what is whole; returns how many bytes that is. */
SCAN_INLINE size_t
loop_run(struct loop *loop, bool at_end, uint32_t pattern)
{
	size_t len = loop->len, at = 0;
	uint8_t behind = 0;

	if (at_end)
		behind = loop_behind(loop->text, len, pattern);
	if (len >= SCAN_READ_BYTES && (behind == 0 || len > LOOP_COPY_BYTES))
		at = loop_halves(loop, len, false, pattern);
	return loop_copy(loop, at, behind, pattern);
}

/*
 * shape:  see count_avx2() in count.h
 */
static inline size_t
loop_begin(const struct tokenizer *tok, struct tokenizer_cache *cache,
	   const struct count_text *text, uint64_t *tokens)
{
	struct loop loop;
	bool at_end = text->at_end;
	size_t at = 0;

	loop.tok = tok;
	loop.cache = cache;
	loop.text = text->bytes;
	loop.len = text->len;
	loop.apart = tok->is_apart ? UINT64_MAX : 0;
	loop.tokens = 0;
	loop.pieces.nr = 0;
	loop.parts.nr = 0;
	loop.jobs_nr = 0;
	/* Places are 32 bits wide. */
	if (loop.len > UINT32_MAX / 2) {
		loop.len = UINT32_MAX / 2;
		at_end = false;
	}
	/* A copy of the loop for each pattern. */
	switch (tok->pattern) {
	case PRETOKEN_GPT2:
		at = loop_run(&loop, at_end, PRETOKEN_GPT2);
		break;
	case PRETOKEN_O200K:
		at = loop_run(&loop, at_end, PRETOKEN_O200K);
		break;
	case PRETOKEN_CL100K:
		at = loop_run(&loop, at_end, PRETOKEN_CL100K);
		break;
	case PRETOKEN_QWEN:
		at = loop_run(&loop, at_end, PRETOKEN_QWEN);
		break;
	case PRETOKEN_TEKKEN:
		at = loop_run(&loop, at_end, PRETOKEN_TEKKEN);
		break;
	default:
		break;
	}
	*tokens += loop.tokens;
	return at;
}

#endif
