/* SPDX-License-Identifier: MIT */
/*
 * bpe.c - byte-pair merging of one piece of text.
 *
 * Does: count and encode one piece exactly, in time linear in its length.
 * Does not: know where pieces begin and end (pretoken.h).
 */
#include "tokenizer/bpe.h"

static uint32_t
bpe_least(const uint32_t *pairs, size_t len)
{
	uint32_t least = pairs[0];
	size_t i;

	for (i = 1; i < len; i++)
		least = pairs[i] < least ? pairs[i] : least;
	return least;
}

#include "tokenizer/bpe_merge.h"

size_t
bpe_split(const struct tokenizer *tok, const uint8_t *piece, size_t len,
	  uint32_t *left, uint32_t *right)
{
	struct bpe_job job;

	if (bpe_merge(tok, &job, piece, len) != 2)
		return 0;
	*left = job.ids[0];
	*right = job.ids[job.next[0]];
	return job.next[0];
}

/* The ids of the parts that a token was last merged from. */
static uint32_t
left_part(const struct tokenizer *tok, uint32_t id)
{
	const uint8_t *bytes =
		vocab_at(tok, tok->bytes_off) + vocab_starts(tok)[id];

	return vocab_find(tok, bytes, vocab_split(tok, id));
}

static uint32_t
right_part(const struct tokenizer *tok, uint32_t id)
{
	const uint32_t *starts = vocab_starts(tok);
	const uint8_t *bytes = vocab_at(tok, tok->bytes_off) + starts[id];
	size_t left = vocab_split(tok, id);

	return vocab_find(tok, bytes + left,
			  starts[id + 1] - starts[id] - left);
}

static uint32_t
later(uint32_t one, uint32_t other)
{
	return one > other ? one : other;
}

/*
 * The same where a token can come about later than its id says. The two inner
 * parts lie side by side from when the later of them is there until one is
 * merged with its outer part. What happens on that side in the meantime is its
 * outer part coming about, if that is still to come, and the merge itself: the
 * inner parts are merged with each other if they have their turn before one of
 * these.
 */
static bool
stay_apart_timed(const struct tokenizer *tok, uint32_t left, uint32_t right)
{
	uint32_t limit = VOCAB_NONE;

	for (;;) {
		const uint32_t left_time = vocab_time(tok, left);
		const uint32_t right_time = vocab_time(tok, right);
		uint32_t outer_time, inner;

		if (vocab_pair(tok, left, right) < limit)
			return false;
		if (left_time > right_time) {
			if (left < 256)
				return true;
			outer_time = vocab_time(tok, left_part(tok, left));
			inner = right_part(tok, left);
			limit = left;
			if (outer_time >
			    later(vocab_time(tok, inner), right_time))
				limit = later(limit, outer_time);
			left = inner;
		} else {
			if (right < 256)
				return true;
			outer_time = vocab_time(tok, right_part(tok, right));
			inner = left_part(tok, right);
			limit = right;
			if (outer_time >=
			    later(left_time, vocab_time(tok, inner)))
				limit = later(limit, outer_time);
			limit++;
			right = inner;
		}
	}
}

/* Whether two tokens that lie side by side stay as they are when their bytes
 * are merged together. */
static bool
stay_apart(const struct tokenizer *tok, uint32_t left, uint32_t right)
{
	uint32_t limit = VOCAB_NONE;

	if (tok->times_off != 0)
		return stay_apart_timed(tok, left, right);
	/*
	 * Goes back in time, merge by merge: whichever of the two tokens was
	 * made later is taken apart again, and before it was made its inner
	 * part must not have been merged with the other token. Of merges with
	 * the same id the left one comes first, hence the + 1.
	 */
	for (;;) {
		if (vocab_pair(tok, left, right) < limit)
			return false;
		if (left > right) {
			if (left < 256)
				return true;
			limit = left;
			left = right_part(tok, left);
		} else {
			if (right < 256)
				return true;
			limit = right + 1;
			right = left_part(tok, right);
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
	prefix->period = 0;
	prefix->period_tokens = 0;
	prefix->same_nr = 0;
	prefix->wrap_nr = 0;
	prefix->wrap_tokens = 0;
}

/*
 * The last token of the prefix if it is `len` long, VOCAB_NONE if it is not.
 */
static uint32_t
last_of_len(const struct tokenizer *tok, const struct bpe_prefix *prefix,
	    const uint8_t *end, size_t len)
{
	uint64_t before = prefix->bytes - len;
	uint32_t id = vocab_find(tok, end - len, len);

	if (id == VOCAB_NONE || (len > 1 && vocab_split(tok, id) == 0))
		return VOCAB_NONE;
	if (before == 0)
		return id;
	return stay_apart(tok, prefix->ids[before % VOCAB_TOKEN_BYTES], id)
		       ? id
		       : VOCAB_NONE;
}

/*
 * The last token and its length. A run of one letter or a word that grows
 * mostly makes the last token longer by a byte, so that is tried first.
 */
static uint32_t
find_last(const struct tokenizer *tok, const struct bpe_prefix *prefix,
	  const uint8_t *end, size_t *len)
{
	size_t guess = 1, most = 1;
	uint32_t id;

	if (prefix->bytes > 1) {
		most = vocab_reach(tok, end[-2], end[-1]);
		guess = prefix->lens[(prefix->bytes - 1) % VOCAB_TOKEN_BYTES] +
			(size_t)1;
	}
	if (most > prefix->bytes)
		most = (size_t)prefix->bytes;
	if (guess <= most) {
		id = last_of_len(tok, prefix, end, *len = guess);
		if (id != VOCAB_NONE)
			return id;
	}
	for (*len = 1;; ++*len) {
		id = last_of_len(tok, prefix, end, *len);
		if (id != VOCAB_NONE || *len >= most)
			return id;
	}
}

/* Compares the newest prefix with the one whose place it takes. */
static void
follow_wrap(struct bpe_prefix *prefix, uint32_t id, size_t len, uint32_t count)
{
	const size_t now = prefix->bytes % VOCAB_TOKEN_BYTES;
	const uint8_t *last = prefix->text + prefix->text_len - 1;
	uint32_t tokens;

	if (prefix->bytes < 2 * VOCAB_TOKEN_BYTES)
		return;
	tokens = count - prefix->counts[now];
	if (prefix->ids[now] != id || prefix->lens[now] != len ||
	    tokens != prefix->wrap_tokens ||
	    last[0] != *(last - VOCAB_TOKEN_BYTES))
		prefix->wrap_nr = 0;
	else if (prefix->wrap_nr < VOCAB_TOKEN_BYTES)
		prefix->wrap_nr++;
	prefix->wrap_tokens = tokens;
}

static void
add_byte(const struct tokenizer *tok, struct bpe_prefix *prefix, uint8_t byte)
{
	const size_t keep = 2 * VOCAB_TOKEN_BYTES;
	uint32_t before, now, id;
	size_t len;

	if (prefix->text_len == sizeof(prefix->text)) {
		memmove(prefix->text,
			prefix->text + sizeof(prefix->text) - keep, keep);
		prefix->text_len = (uint32_t)keep;
	}
	prefix->text[prefix->text_len++] = byte;
	prefix->bytes++;
	id = find_last(tok, prefix, prefix->text + prefix->text_len, &len);

	now = prefix->bytes % VOCAB_TOKEN_BYTES;
	before = (uint32_t)(prefix->bytes - len) % VOCAB_TOKEN_BYTES;
	before = prefix->counts[before] + 1;
	/* The difference is small: the low halves tell it with its sign. */
	prefix->tokens +=
		(uint64_t)(int32_t)(before - (uint32_t)prefix->tokens);
	follow_wrap(prefix, id, len, before);
	prefix->counts[now] = before;
	prefix->ids[now] = id;
	prefix->lens[now] = (uint8_t)len;
}

/* Whether the prefix `ago` bytes ago ended as the one `period` before it. */
static bool
is_same(const struct bpe_prefix *prefix, size_t ago, size_t period)
{
	const uint8_t *last = prefix->text + prefix->text_len - 1 - ago;
	size_t now = (size_t)(prefix->bytes - ago) % VOCAB_TOKEN_BYTES;
	size_t then =
		(size_t)(prefix->bytes - ago - period) % VOCAB_TOKEN_BYTES;

	return prefix->ids[now] == prefix->ids[then] &&
	       prefix->lens[now] == prefix->lens[then] &&
	       prefix->counts[now] - prefix->counts[then] ==
		       prefix->period_tokens &&
	       last[0] == *(last - period);
}

/* Looks for the shortest period that all prefixes that are known have. */
static void
find_period(struct bpe_prefix *prefix)
{
	size_t now = prefix->bytes % VOCAB_TOKEN_BYTES, period, ago;

	for (period = 1; period < VOCAB_TOKEN_BYTES; period++) {
		size_t then =
			(size_t)(prefix->bytes - period) % VOCAB_TOKEN_BYTES;

		prefix->period_tokens =
			prefix->counts[now] - prefix->counts[then];
		for (ago = 0; ago + period < VOCAB_TOKEN_BYTES; ago++)
			if (!is_same(prefix, ago, period))
				break;
		if (ago + period == VOCAB_TOKEN_BYTES) {
			prefix->period = (uint32_t)period;
			prefix->same_nr = (uint32_t)ago;
			return;
		}
	}
}

/* A period is looked for each time that so many bytes were added. */
#define PERIOD_BYTES 64

static void
follow_period(struct bpe_prefix *prefix)
{
	if (prefix->period == VOCAB_TOKEN_BYTES) {
		if (prefix->wrap_nr < VOCAB_TOKEN_BYTES)
			prefix->period = 0;
	} else if (prefix->period != 0) {
		if (!is_same(prefix, 0, prefix->period))
			prefix->period = 0;
		else if (prefix->same_nr < VOCAB_TOKEN_BYTES)
			prefix->same_nr++;
	} else if (prefix->wrap_nr == VOCAB_TOKEN_BYTES) {
		prefix->period = VOCAB_TOKEN_BYTES;
		prefix->period_tokens = prefix->wrap_tokens;
		prefix->same_nr = VOCAB_TOKEN_BYTES;
	} else if (prefix->bytes % PERIOD_BYTES == 0 &&
		   prefix->bytes >= 2 * VOCAB_TOKEN_BYTES) {
		find_period(prefix);
	}
}

/*
 * Passes over text that goes on as it did one period ago; returns how many
 * bytes, all of them whole periods.
 */
static size_t
pass_periods(struct bpe_prefix *prefix, const uint8_t *text, size_t len)
{
	struct bpe_prefix old;
	const size_t period = prefix->period;
	const uint8_t *then = prefix->text + prefix->text_len - period;
	uint64_t tokens;
	size_t at, i;

	if (period == 0 || prefix->same_nr < VOCAB_TOKEN_BYTES || len < period)
		return 0;
	if (memcmp(text, then, period) != 0)
		return 0;
	for (at = period; len - at >= 8; at += 8)
		if (vocab_load64(text + at) != vocab_load64(text + at - period))
			break;
	while (at < len && text[at] == text[at - period])
		at++;
	at -= at % period;
	tokens = (uint64_t)prefix->period_tokens * (at / period);
	old = *prefix;
	for (i = 0; i < VOCAB_TOKEN_BYTES; i++) {
		size_t to = (i + at) % VOCAB_TOKEN_BYTES;

		prefix->ids[to] = old.ids[i];
		prefix->lens[to] = old.lens[i];
		prefix->counts[to] = old.counts[i] + (uint32_t)tokens;
	}
	/* What the place of the newest prefix had before is not known now. */
	if (period != VOCAB_TOKEN_BYTES)
		prefix->wrap_nr = 0;
	prefix->bytes += at;
	prefix->tokens += tokens;
	return at;
}

void
bpe_prefix_add(const struct tokenizer *tok, struct bpe_prefix *prefix,
	       const uint8_t *text, size_t len)
{
	size_t at = 0;

	while (at < len) {
		at += pass_periods(prefix, text + at, len - at);
		if (at == len)
			break;
		add_byte(tok, prefix, text[at++]);
		follow_period(prefix);
	}
}

uint64_t
bpe_count(const struct tokenizer *tok, const uint8_t *piece, size_t len)
{
	if (len <= VOCAB_TOKEN_BYTES &&
	    vocab_find(tok, piece, len) != VOCAB_NONE)
		return 1;
	if (len <= BPE_SHORT_BYTES) {
		struct bpe_job job;

		return bpe_merge(tok, &job, piece, len);
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
	struct bpe_job job;
	size_t at, nr = 0;

	bpe_merge(tok, &job, piece, len);
	for (at = 0; at < len; at = job.next[at])
		ids[nr++] = job.ids[at];
	return nr;
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
