/* SPDX-License-Identifier: MIT */
/*
 * vocab_build.c - makes the image of a vocabulary from a list of tokens.
 *
 * Does: lay out and fill the tables that vocab.h draws.
 * Does not: take memory, read files.
 * Runs in: the tool that makes images when bale is built, and a process that
 *          was given a vocabulary of its own.
 */
#include "tokenizer/vocab_build.h"

#include <errno.h>

#include "tokenizer/bpe.h"

static uint32_t
align64(uint64_t off)
{
	return (uint32_t)((off + 63) / 64 * 64);
}

/* Whether a token comes about before a part of it has its turn. */
static bool
has_late(const struct vocab_source *source)
{
	uint32_t id;

	for (id = 256; id < source->ranks_nr; id++)
		if (source->ids[id].has_parts &&
		    (source->ids[id].left > id || source->ids[id].right > id))
			return true;
	return false;
}

/* Fills in sizes and offsets; false if the source is out of bounds. */
static bool
lay_out(struct tokenizer *tok, const struct vocab_source *source)
{
	struct vocab_table tables[VOCAB_TABLES];
	uint64_t end = sizeof(*tok);
	uint64_t bytes = 0;
	uint32_t id;

	if (source->ids_nr > VOCAB_NOBODY || source->ranks_nr < 256 ||
	    source->ranks_nr > source->ids_nr ||
	    strlen(source->name) >= sizeof(tok->name))
		return false;
	tok->longest_bytes = 1;
	for (id = 0; id < source->ids_nr; id++) {
		size_t len = source->ids[id].len;

		bytes += len;
		if (len > 255 ||
		    (id < source->ranks_nr && len > VOCAB_TOKEN_BYTES))
			return false;
		if (id < source->ranks_nr && len > tok->longest_bytes)
			tok->longest_bytes = (uint32_t)len;
	}
	memcpy(tok->magic, VOCAB_MAGIC, 8);
	memcpy(tok->name, source->name, strlen(source->name));
	tok->layout = VOCAB_LAYOUT;
	tok->pattern = source->pattern;
	tok->is_nfc = source->is_nfc;
	tok->ids_nr = source->ids_nr;
	tok->ranks_nr = source->ranks_nr;
	tok->slots_log2 = 9;
	while ((uint64_t)source->ranks_nr * 5 / 4 > UINT64_C(1)
							    << tok->slots_log2)
		tok->slots_log2++;
	/* so that few buckets are full */
	tok->pairs_log2 = tok->slots_log2 + 1;
	vocab_tables(tok, bytes, tables);
	for (size_t i = 0; i < VOCAB_TABLES; i++) {
		if ((tables[i].off == &tok->outer_off &&
		     source->outer == NULL) ||
		    (tables[i].off == &tok->times_off && !has_late(source)))
			continue;
		*tables[i].off = align64(end);
		end = *tables[i].off + tables[i].bytes;
	}
	tok->image_bytes = align64(end);
	return true;
}

size_t
vocab_build_bytes(const struct vocab_source *source)
{
	struct tokenizer tok = { .magic = { 0 } };

	return lay_out(&tok, source) ? tok.image_bytes : 0;
}

static void
add_slot(struct tokenizer *tok, uint32_t id, const struct vocab_token *token)
{
	uint32_t *slots = (void *)((uint8_t *)tok + tok->slots_off);
	const uint32_t mask = (UINT32_C(1) << tok->slots_log2) - 1;
	uint64_t hash = vocab_hash(token->bytes, token->len);
	uint32_t idx = (uint32_t)hash & mask;

	while (slots[idx] != 0)
		idx = (idx + 1) & mask;
	slots[idx] = (uint32_t)(hash >> (64 - 14)) << VOCAB_ID_BITS | (id + 1);
}

static void
add_reach(struct tokenizer *tok, const struct vocab_token *token)
{
	uint8_t *reach = (uint8_t *)tok + tok->reach_off;
	uint8_t last = token->bytes[token->len - 1];
	uint8_t *at;

	if (token->len == 1)
		return;
	at = &reach[token->bytes[token->len - 2] << 8 | last];
	if (*at < token->len)
		*at = (uint8_t)token->len;
}

static void
add_pair(struct tokenizer *tok, uint32_t left, uint32_t right, uint32_t id)
{
	uint64_t *pairs = (void *)((uint8_t *)tok + tok->pairs_off);
	const uint64_t mask = (UINT64_C(1) << tok->pairs_log2) - 1;
	const uint64_t key = vocab_pair_key(left, right);
	uint64_t idx = vocab_pair_hash(tok, key);

	while (pairs[idx] != 0)
		idx = (idx + 1) & mask;
	pairs[idx] = key | id;
}

/* The length of the left part; 0: the source makes no sense. */
static size_t
known_parts(const struct vocab_source *source, const struct vocab_token *token)
{
	const struct vocab_token *left = &source->ids[token->left];

	if (token->left >= source->ranks_nr ||
	    token->right >= source->ranks_nr ||
	    left->len + source->ids[token->right].len != token->len)
		return 0;
	return left->len;
}

static int
add_merges(struct tokenizer *tok, const struct vocab_source *source)
{
	uint32_t *bytepairs = (void *)((uint8_t *)tok + tok->bytepairs_off);
	uint8_t *splits = (uint8_t *)tok + tok->splits_off;
	uint32_t id;

	for (id = 256; id < source->ranks_nr; id++) {
		const struct vocab_token *token = &source->ids[id];
		uint32_t left = token->left, right = token->right;
		size_t split;

		if (token->len == 0 || token->is_special || token->is_whole)
			continue;
		if (token->len < 2)
			return -EINVAL;
		/* or by the merges that come before its own */
		split = token->has_parts ? known_parts(source, token)
					 : bpe_split(tok, token->bytes,
						     token->len, &left, &right);
		if (split == 0)
			return -EINVAL;
		splits[id] = (uint8_t)split;
		add_pair(tok, left, right, id);
		if (token->len == 2)
			bytepairs[token->bytes[0] << 8 | token->bytes[1]] = id;
	}
	return 0;
}

/* A token comes about when the last of itself and its parts has its turn. */
static void
add_times(struct tokenizer *tok, const struct vocab_source *source)
{
	uint32_t *times = (void *)((uint8_t *)tok + tok->times_off);
	uint32_t id;
	size_t len;

	for (id = 0; id < source->ranks_nr; id++)
		times[id] = id;
	for (len = 2; len <= tok->longest_bytes; len++) {
		for (id = 256; id < source->ranks_nr; id++) {
			const struct vocab_token *token = &source->ids[id];

			if (token->len != len || !token->has_parts)
				continue;
			if (times[id] < times[token->left])
				times[id] = times[token->left];
			if (times[id] < times[token->right])
				times[id] = times[token->right];
		}
	}
}

/* The least code point from U+3000 on that has the len bytes known of it. */
static uint32_t
least_rune(const uint8_t *known, size_t len, bool is_left)
{
	const uint32_t low = len == 2 ? known[1] & 0x3f : 0;

	if (!is_left)
		return (uint32_t)(known[0] & 0x0f) << 12 | low << 6;
	return 0x3000 | (len == 2 ? (uint32_t)(known[0] & 0x3f) << 6 | low
				  : (uint32_t)(known[0] & 0x3f));
}

/*
 * Writes the next dense code point behind *code (the first one if that is 0)
 * that begins (or ends) with the len bytes that a token has of it, 1 or 2;
 * false behind the last one.
 */
static bool
next_dense(uint32_t *code, uint8_t *rune, const uint8_t *known, size_t len,
	   bool is_left)
{
	const uint32_t first = least_rune(known, len, is_left);
	const uint32_t step = is_left ? UINT32_C(1) << 6 * len : 1;
	const uint32_t end =
		is_left ? 0xa000 : first + (UINT32_C(1) << 6 * (3 - len));

	for (*code = *code == 0 ? first : *code + step; *code < end;
	     *code += step) {
		rune[0] = (uint8_t)(0xe0 | *code >> 12);
		rune[1] = (uint8_t)(0x80 | (*code >> 6 & 0x3f));
		rune[2] = (uint8_t)(0x80 | (*code & 0x3f));
		if (vocab_is_dense(rune) &&
		    memcmp(is_left ? rune + 3 - len : rune, known, len) == 0)
			return true;
	}
	return false;
}

/*
 * Notes the border at `at` inside of a token. A token may begin or end inside
 * of a code point: then all that could be meant are noted.
 */
static void
add_join(struct tokenizer *tok, const struct vocab_token *token, size_t at)
{
	uint64_t *joins = (void *)((uint8_t *)tok + tok->joins_off);
	const uint8_t *boundary = token->bytes + at;
	size_t left = at < 3 ? at : 3;
	size_t right = token->len - at < 3 ? token->len - at : 3;
	uint32_t code_left = 0, code_right;
	uint8_t both[6] = { 0 };

	/* Only what can be the end of one and the beginning of another. */
	if (boundary[0] < 0xe3 || boundary[0] > 0xe9 ||
	    (boundary[-1] & 0xc0) != 0x80)
		return;
	if (left == 3)
		memcpy(both, boundary - 3, 3);
	if (left == 3 && !vocab_is_dense(both))
		return;
	while (left == 3 ||
	       next_dense(&code_left, both, boundary - left, left, true)) {
		code_right = 0;
		if (right == 3)
			memcpy(both + 3, boundary, 3);
		while (right == 3 || next_dense(&code_right, both + 3, boundary,
						right, false)) {
			uint32_t bit = vocab_join_bit(both);

			joins[bit / 64] |= UINT64_C(1) << (bit % 64);
			if (right == 3)
				break;
		}
		if (left == 3)
			break;
	}
}

/* Whether there is a dense code point in a token. */
static bool
has_dense(const struct vocab_token *token)
{
	size_t at;

	for (at = 0; at + 3 <= token->len; at++)
		if (vocab_is_dense(token->bytes + at))
			return true;
	return false;
}

/*
 * A token that only a whole piece becomes must not be taken for a part of a
 * piece: where there is one in these scripts, nothing is taken apart.
 */
static void
add_joins(struct tokenizer *tok, const struct vocab_source *source)
{
	const uint8_t *splits = vocab_at(tok, tok->splits_off);
	uint32_t id;
	size_t at;

	for (id = 256; id < source->ranks_nr; id++) {
		const struct vocab_token *token = &source->ids[id];

		if (source->has_wholes && splits[id] == 0 && has_dense(token)) {
			memset((uint8_t *)tok + tok->joins_off, 0xff,
			       VOCAB_JOIN_BITS / 8);
			return;
		}
		for (at = 1; at < token->len; at++)
			add_join(tok, token, at);
	}
}

/* Whether no token has the beginning of four bytes behind another code point;
 * what only a whole piece becomes is one of them. */
static bool
four_are_apart(const struct vocab_source *source)
{
	uint32_t id;
	size_t at;

	for (id = 0; id < source->ranks_nr; id++)
		for (at = 1; at < source->ids[id].len; at++)
			if (source->ids[id].bytes[at] >= 0xf0 &&
			    (source->ids[id].bytes[at - 1] & 0xc0) == 0x80)
				return false;
	return true;
}

static int
add_bytes(struct tokenizer *tok, const struct vocab_source *source)
{
	uint32_t *starts = (void *)((uint8_t *)tok + tok->starts_off);
	uint32_t *byteids = (void *)((uint8_t *)tok + tok->byteids_off);
	uint8_t *bytes = (uint8_t *)tok + tok->bytes_off;
	uint32_t id, at = 0;

	for (id = 0; id < source->ids_nr; id++) {
		const struct vocab_token *token = &source->ids[id];

		starts[id] = at;
		if (token->len != 0)
			memcpy(bytes + at, token->bytes, token->len);
		at += (uint32_t)token->len;
		starts[id + 1] = at;
		if (id < 256 && token->len != 1)
			return -EINVAL;
		if (id < 256)
			byteids[token->bytes[0]] = id;
	}
	return 0;
}

/* Slots and reach, of tokens that merges make or that whole pieces are. */
static int
add_slots(struct tokenizer *tok, const struct vocab_source *source)
{
	const uint8_t *splits = vocab_at(tok, tok->splits_off);
	uint32_t id;

	for (id = 0; id < source->ranks_nr; id++) {
		const struct vocab_token *token = &source->ids[id];

		if (token->len == 0 || token->is_special)
			continue;
		if (id >= 256 && splits[id] == 0 && !source->has_wholes)
			continue;
		if (vocab_find(tok, token->bytes, token->len) != VOCAB_NONE) {
			if (!source->is_lenient)
				return -EINVAL;
			continue;
		}
		add_slot(tok, id, token);
		add_reach(tok, token);
	}
	return 0;
}

int
vocab_build(void *mem, const struct vocab_source *source)
{
	struct tokenizer *tok = mem;

	if (!lay_out(tok, source))
		return -EINVAL;
	memset((uint8_t *)mem + tok->reach_off, 1, 65536);
	memset((uint8_t *)mem + tok->bytepairs_off, 0xff, 4 * 65536);
	if (add_bytes(tok, source) != 0 || add_merges(tok, source) != 0 ||
	    add_slots(tok, source) != 0)
		return -EINVAL;
	if (source->outer != NULL)
		memcpy((uint8_t *)mem + tok->outer_off, source->outer,
		       4 * (size_t)source->ids_nr);
	add_joins(tok, source);
	tok->is_apart = four_are_apart(source);
	if (tok->times_off != 0)
		add_times(tok, source);
	tok->checksum = vocab_checksum(tok);
	return 0;
}
