/* SPDX-License-Identifier: MIT */
/*
 * bpe.c - byte-pair merging of one piece of text.
 *
 * Does: count and encode one piece exactly, in time linear in its length.
 * Does not: know where pieces begin and end (pretoken.h).
 */
#include "tokenizer/bpe.h"

/*
 * The parts of a short piece: starts[i] is where part i begins, pairs[i] the
 * id that parts i and i + 1 would merge into, VOCAB_NONE if they cannot.
 */
struct parts {
	const uint8_t *text;
	size_t nr;
	uint32_t pairs[VOCAB_TOKEN_BYTES + 1];
	uint8_t starts[VOCAB_TOKEN_BYTES + 2];
};

static uint32_t
pair_id(const struct tokenizer *tok, const struct parts *parts, size_t i)
{
	if (i + 2 > parts->nr)
		return VOCAB_NONE;
	return vocab_find(tok, parts->text + parts->starts[i],
			  (size_t)(parts->starts[i + 2] - parts->starts[i]));
}

/*
 * Merges until nothing can be merged, the smallest id first and of equal ones
 * the leftmost. Returns where the right part of the last merge began.
 */
static size_t
merge_parts(const struct tokenizer *tok, struct parts *parts, size_t len)
{
	size_t i, last = 0;

	parts->nr = len;
	for (i = 0; i <= len; i++)
		parts->starts[i] = (uint8_t)i;
	for (i = 0; i < len; i++)
		parts->pairs[i] = pair_id(tok, parts, i);
	for (;;) {
		size_t best = 0;

		for (i = 1; i + 1 < parts->nr; i++)
			if (parts->pairs[i] < parts->pairs[best])
				best = i;
		if (parts->nr < 2 || parts->pairs[best] == VOCAB_NONE)
			return last;
		last = parts->starts[best + 1];
		memmove(&parts->starts[best + 1], &parts->starts[best + 2],
			parts->nr - best - 1);
		memmove(&parts->pairs[best + 1], &parts->pairs[best + 2],
			(parts->nr - best - 2) * sizeof(parts->pairs[0]));
		parts->nr--;
		parts->pairs[best] = pair_id(tok, parts, best);
		if (best > 0)
			parts->pairs[best - 1] = pair_id(tok, parts, best - 1);
	}
}

size_t
bpe_last_merge(const struct tokenizer *tok, const uint8_t *text, size_t len)
{
	struct parts parts;
	size_t last;

	parts.text = text;
	last = merge_parts(tok, &parts, len);
	return parts.nr == 1 ? last : 0;
}

bool
bpe_stay_apart(const struct tokenizer *tok, const uint8_t *between, size_t left,
	       size_t right)
{
	uint32_t left_id = vocab_find(tok, between - left, left);
	uint32_t right_id = vocab_find(tok, between, right);
	uint32_t limit = VOCAB_NONE;

	/*
	 * Goes back in time, merge by merge: whichever of the two tokens was
	 * made later is taken apart again, and before it was made its inner
	 * part must not have been merged with the other token. Of merges with
	 * the same id the left one comes first, hence the + 1.
	 */
	for (;;) {
		if (vocab_find(tok, between - left, left + right) < limit)
			return false;
		if (left_id > right_id) {
			if (left == 1)
				return true;
			limit = left_id;
			left -= vocab_split(tok, left_id);
			left_id = vocab_find(tok, between - left, left);
		} else {
			if (right == 1)
				return true;
			limit = right_id + 1;
			right = vocab_split(tok, right_id);
			right_id = vocab_find(tok, between, right);
		}
	}
}

void
bpe_prefix_init(struct bpe_prefix *prefix)
{
	prefix->bytes = 0;
	prefix->tokens = 0;
	prefix->text_len = 0;
	prefix->counts[0] = 0;
	prefix->pad = 0;
}

/* Whether the last token of the prefix that ends at `end` is `len` long. */
static bool
is_last(const struct tokenizer *tok, const struct bpe_prefix *prefix,
	const uint8_t *end, size_t len)
{
	uint64_t before = prefix->bytes - len;

	if (vocab_find(tok, end - len, len) == VOCAB_NONE)
		return false;
	return before == 0 ||
	       bpe_stay_apart(tok, end - len,
			      prefix->lens[before % VOCAB_TOKEN_BYTES], len);
}

/*
 * The length of the last token. A run of one letter or a word that grows
 * mostly makes the last token longer by a byte, so that is tried first.
 */
static size_t
find_last(const struct tokenizer *tok, const struct bpe_prefix *prefix,
	  const uint8_t *end)
{
	size_t guess = 1, most = 1, len;

	if (prefix->bytes > 1) {
		most = vocab_reach(tok, end[-2], end[-1]);
		guess = prefix->lens[(prefix->bytes - 1) % VOCAB_TOKEN_BYTES] +
			(size_t)1;
	}
	if (most > prefix->bytes)
		most = (size_t)prefix->bytes;
	if (guess <= most && is_last(tok, prefix, end, guess))
		return guess;
	for (len = 1; len < most; len++)
		if (len != guess && is_last(tok, prefix, end, len))
			return len;
	return most;
}

static void
add_byte(const struct tokenizer *tok, struct bpe_prefix *prefix, uint8_t byte)
{
	const size_t keep = 2 * VOCAB_TOKEN_BYTES;
	uint32_t before, now;
	size_t len;

	if (prefix->text_len == sizeof(prefix->text)) {
		memmove(prefix->text,
			prefix->text + sizeof(prefix->text) - keep, keep);
		prefix->text_len = (uint32_t)keep;
	}
	prefix->text[prefix->text_len++] = byte;
	prefix->bytes++;
	len = find_last(tok, prefix, prefix->text + prefix->text_len);

	now = prefix->bytes % VOCAB_TOKEN_BYTES;
	before = (uint32_t)(prefix->bytes - len) % VOCAB_TOKEN_BYTES;
	before = prefix->counts[before] + 1;
	/* The difference is small: the low halves tell it with its sign. */
	prefix->tokens +=
		(uint64_t)(int32_t)(before - (uint32_t)prefix->tokens);
	prefix->counts[now] = before;
	prefix->lens[now] = (uint8_t)len;
}

void
bpe_prefix_add(const struct tokenizer *tok, struct bpe_prefix *prefix,
	       const uint8_t *text, size_t len)
{
	size_t i;

	for (i = 0; i < len; i++)
		add_byte(tok, prefix, text[i]);
}

uint64_t
bpe_count(const struct tokenizer *tok, const uint8_t *piece, size_t len)
{
	if (len <= VOCAB_TOKEN_BYTES &&
	    vocab_find(tok, piece, len) != VOCAB_NONE)
		return 1;
	if (len <= BPE_SHORT_BYTES) {
		struct parts parts;

		parts.text = piece;
		merge_parts(tok, &parts, len);
		return parts.nr;
	} else {
		struct bpe_prefix prefix;

		bpe_prefix_init(&prefix);
		bpe_prefix_add(tok, &prefix, piece, len);
		return prefix.tokens;
	}
}

static size_t
encode_short(const struct tokenizer *tok, const uint8_t *piece, size_t len,
	     uint32_t *ids)
{
	struct parts parts;
	size_t i;

	parts.text = piece;
	merge_parts(tok, &parts, len);
	for (i = 0; i < parts.nr; i++)
		ids[i] = vocab_find(
			tok, piece + parts.starts[i],
			(size_t)(parts.starts[i + 1] - parts.starts[i]));
	return parts.nr;
}

size_t
bpe_encode(const struct tokenizer *tok, const uint8_t *piece, size_t len,
	   uint32_t *ids)
{
	struct bpe_prefix prefix;
	size_t at, nr = 0;

	if (len <= VOCAB_TOKEN_BYTES) {
		ids[0] = vocab_find(tok, piece, len);
		if (ids[0] != VOCAB_NONE)
			return 1;
	}
	if (len <= BPE_SHORT_BYTES)
		return encode_short(tok, piece, len, ids);

	/* The lengths of all last tokens, then back along them from the end. */
	bpe_prefix_init(&prefix);
	for (at = 0; at < len; at++) {
		add_byte(tok, &prefix, piece[at]);
		ids[at] = prefix.lens[(at + 1) % VOCAB_TOKEN_BYTES];
	}
	while (at > 0) {
		size_t last = ids[at - 1];

		/* Never below what is still to be read: tokens have bytes. */
		at -= last;
		ids[len - ++nr] = vocab_find(tok, piece + at, last);
	}
	memmove(ids, ids + len - nr, nr * sizeof(ids[0]));
	return nr;
}
