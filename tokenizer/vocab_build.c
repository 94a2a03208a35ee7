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

/* Fills in sizes and offsets; false if the source is out of bounds. */
static bool
lay_out(struct tokenizer *tok, const struct vocab_source *source)
{
	uint64_t bytes = 0;
	uint32_t id;

	if (source->ids_nr >= 1u << VOCAB_ID_BITS || source->ranks_nr < 256 ||
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
	tok->ids_nr = source->ids_nr;
	tok->ranks_nr = source->ranks_nr;
	tok->slots_log2 = 9;
	while ((uint64_t)source->ranks_nr * 5 / 4 > UINT64_C(1)
							    << tok->slots_log2)
		tok->slots_log2++;
	tok->slots_off = align64(sizeof(*tok));
	tok->starts_off =
		align64(tok->slots_off + (UINT64_C(4) << tok->slots_log2));
	tok->splits_off =
		align64(tok->starts_off + 4 * ((uint64_t)tok->ids_nr + 1));
	tok->reach_off = align64((uint64_t)tok->splits_off + tok->ranks_nr);
	tok->bytes_off = align64((uint64_t)tok->reach_off + 65536);
	tok->image_bytes = align64(tok->bytes_off + bytes);
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

int
vocab_build(void *mem, const struct vocab_source *source)
{
	struct tokenizer *tok = mem;
	uint32_t *starts, at = 0, id;
	uint8_t *bytes, *splits;

	if (!lay_out(tok, source))
		return -EINVAL;
	starts = (void *)((uint8_t *)mem + tok->starts_off);
	bytes = (uint8_t *)mem + tok->bytes_off;
	splits = (uint8_t *)mem + tok->splits_off;
	memset((uint8_t *)mem + tok->reach_off, 1, 65536);

	for (id = 0; id < source->ids_nr; id++) {
		const struct vocab_token *token = &source->ids[id];

		starts[id] = at;
		if (token->len != 0)
			memcpy(bytes + at, token->bytes, token->len);
		at += (uint32_t)token->len;
		if (id < 256 && token->len != 1)
			return -EINVAL;
		if (id >= source->ranks_nr || token->len == 0 ||
		    token->is_special)
			continue;
		if (vocab_find(tok, token->bytes, token->len) != VOCAB_NONE)
			return -EINVAL;
		starts[id + 1] = at;
		add_slot(tok, id, token);
		add_reach(tok, token);
	}
	starts[source->ids_nr] = at;

	for (id = 256; id < source->ranks_nr; id++) {
		size_t left;

		if (source->ids[id].len == 0 || source->ids[id].is_special)
			continue;
		left = bpe_last_merge(tok, source->ids[id].bytes,
				      source->ids[id].len);
		if (left == 0)
			return -EINVAL;
		splits[id] = (uint8_t)left;
	}
	tok->checksum = vocab_checksum(tok);
	return 0;
}
