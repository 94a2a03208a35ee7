/* SPDX-License-Identifier: MIT */
/*
 * collect_io_past_known.c - memos of past commits: what an earlier run has found
 * out, and what the next one may use.
 *
 * Does: finds a memo by its key; notes those that are used.
 * Does not: know what they say.
 * Runs in: collect, in the step of all past commits: one that is done again notes
 *          all of it again.
 */
#include "stages/collect/collect_io_past.h"

#include <stdlib.h>
#include <string.h>

#include "base/sha256.h"

void
past_key(uint8_t key[PAST_KEY_BYTES], enum past_kind kind, const void *of,
	 size_t bytes)
{
	const uint32_t what = kind;
	uint8_t digest[SHA256_BYTES];
	struct sha256 sha;

	sha256_init(&sha);
	sha256_add(&sha, &what, sizeof(what));
	sha256_add(&sha, of, bytes);
	sha256_end(&sha, digest);
	memcpy(key, digest, PAST_KEY_BYTES);
}

/* Whether the name of an object says what is read: where others replace it
 * (refs/replace/), it does not. */
static bool
is_named_for_ever(const struct history_ctx *history_ctx)
{
	return history_ctx->history->repo->replaced_nr == 0;
}

/* The memo that begins there, of those that were kept; NULL: what is there is
 * none. */
static const struct past_memo *
kept_at(const struct catalogue *catalogue, uint64_t at)
{
	uint64_t end = catalogue_past(catalogue)->kept_bytes;
	const struct past_memo *memo;

	if (end - at < sizeof(*memo))
		return NULL;
	memo = table_at(&catalogue->past, sizeof(struct past_head) + at,
			sizeof(*memo));
	return past_memo_bytes(memo) <= end - at ? memo : NULL;
}

static uint32_t
first_slot(const struct past_known *known, const uint8_t *key)
{
	uint32_t at;

	memcpy(&at, key, sizeof(at));
	return at & (known->slot_nr - 1);
}

/* Looks through all that were kept. */
static void
open_known(struct history_ctx *history_ctx)
{
	struct past_known *known = &history_ctx->known;
	const struct catalogue *catalogue = history_ctx->catalogue;
	uint64_t bytes = catalogue_past(catalogue)->kept_bytes;
	const struct past_memo *memo;

	known->is_open = true;
	if (bytes == 0)
		return;
	/* no memo is shorter than its head */
	known->slot_nr = 16;
	while (known->slot_nr < 2 * (bytes / sizeof(*memo)))
		known->slot_nr *= 2;
	known->slots = calloc(known->slot_nr, sizeof(*known->slots));
	if (known->slots == NULL) {
		known->slot_nr = 0;
		return;
	}
	for (uint64_t at = 0; (memo = kept_at(catalogue, at)) != NULL;
	     at += past_memo_bytes(memo)) {
		uint32_t slot = first_slot(known, memo->key);

		while (known->slots[slot] != 0)
			slot = (slot + 1) & (known->slot_nr - 1);
		known->slots[slot] = (uint32_t)at + 1;
	}
}

const struct past_memo *
past_find(struct history_ctx *history_ctx, const uint8_t key[PAST_KEY_BYTES])
{
	struct past_known *known = &history_ctx->known;

	if (!known->is_open)
		open_known(history_ctx);
	if (known->slot_nr == 0 || !is_named_for_ever(history_ctx))
		return NULL;
	for (uint32_t slot = first_slot(known, key); known->slots[slot] != 0;
	     slot = (slot + 1) & (known->slot_nr - 1)) {
		const struct past_memo *memo =
			kept_at(history_ctx->catalogue, known->slots[slot] - 1);

		if (memcmp(memo->key, key, PAST_KEY_BYTES) == 0)
			return table_at(&history_ctx->catalogue->past,
					sizeof(struct past_head) +
						known->slots[slot] - 1,
					past_memo_bytes(memo));
	}
	return NULL;
}

void
past_note(struct history_ctx *history_ctx, const struct past_memo *memo,
	  const void *says, bool is_fresh)
{
	struct past_known *known = &history_ctx->known;
	const struct table *table = &history_ctx->catalogue->past;
	uint64_t bytes = past_memo_bytes(memo);
	uint64_t off = sizeof(struct past_head) +
		       catalogue_past(history_ctx->catalogue)->kept_bytes +
		       known->used;
	uint8_t *to;

	if (!is_named_for_ever(history_ctx))
		return;
	known->is_full |= known->used + bytes > PAST_BYTES_MAX ||
			  table_reserve(table, off + bytes) != 0;
	if (known->is_full)
		return;
	to = table_at(table, off, bytes);
	memset(to + bytes - sizeof(uint64_t), 0, sizeof(uint64_t));
	memcpy(to, memo, sizeof(*memo));
	if (memo->bytes > 0)
		memcpy(to + sizeof(*memo), says, memo->bytes);
	known->used += bytes;
	known->fresh_nr += is_fresh;
}

void
past_end_notes(struct history_ctx *history_ctx)
{
	const struct past_known *known = &history_ctx->known;
	struct past_head *head = catalogue_past(history_ctx->catalogue);

	head->used_bytes = known->used;
	head->fresh_nr = known->fresh_nr;
	head->is_whole = !known->is_full;
}
