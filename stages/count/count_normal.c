/* SPDX-License-Identifier: MIT */
/*
 * count_normal.c - white space that does not count, and SHA-256 of what does.
 */
#include "stages/count/count_normal.h"

#include <string.h>

#define LANE_BYTES 64 /* looked at together */
#define GATHER_BYTES 1024

static bool
is_blank(uint8_t c)
{
	return c == ' ' || c == '\t' || c == '\r';
}

static bool
is_space(uint8_t c)
{
	return is_blank(c) || c == '\n' || c == '\f' || c == '\v';
}

/* Whether one of text[from, end) is a newline behind a blank; 1 <= from. */
static inline bool
is_trailing(const uint8_t *text, size_t from, size_t end)
{
	uint8_t found = 0;

	/* no branch, so that the compiler takes many together */
	for (size_t i = from; i < end; i++)
		found |= (uint8_t)((text[i] == '\n') & ((text[i - 1] == ' ') |
							(text[i - 1] == '\t') |
							(text[i - 1] == '\r')));
	return found != 0;
}

/* Whether a newline stands behind a blank. */
static bool
has_trailing(const uint8_t *text, size_t bytes)
{
	size_t at = 1;

	for (; at + LANE_BYTES <= bytes; at += LANE_BYTES)
		if (is_trailing(text, at, at + LANE_BYTES))
			return true;
	return is_trailing(text, at, bytes);
}

bool
count_is_normal(enum normalize how, const uint8_t *text, size_t bytes)
{
	if (how == NORMALIZE_NONE)
		return true;
	if (how == NORMALIZE_WHITESPACE)
		return false;
	/* an empty text may be nowhere */
	if (bytes == 0)
		return true;
	return text[bytes - 1] == '\n' && !has_trailing(text, bytes);
}

/* ---- the digest --------------------------------------------------------- */

/* Small pieces are gathered: a call for each would cost more than they do. */
struct gather {
	struct count_digest *digest;
	size_t bytes;
	uint8_t text[GATHER_BYTES];
};

static void
flush(struct gather *gather)
{
	if (gather->bytes > 0)
		sha256_add(&gather->digest->sha, gather->text, gather->bytes);
	gather->bytes = 0;
}

static void
put(struct gather *gather, const uint8_t *text, size_t bytes)
{
	if (bytes > sizeof(gather->text) - gather->bytes)
		flush(gather);
	if (bytes > sizeof(gather->text)) {
		sha256_add(&gather->digest->sha, text, bytes);
		return;
	}
	memcpy(gather->text + gather->bytes, text, bytes);
	gather->bytes += bytes;
}

/* Blanks that end a part. */
static void
hold(struct gather *gather, const uint8_t *text, size_t bytes)
{
	struct count_digest *digest = gather->digest;

	flush(gather);
	if (!digest->has_blanks)
		digest->with_held = digest->sha;
	sha256_add(&digest->with_held, text, bytes);
	digest->has_blanks = 1;
}

static void
put_lines(struct gather *gather, const uint8_t *text, size_t bytes)
{
	struct count_digest *digest = gather->digest;
	const uint8_t *stop = text + bytes;

	while (text < stop) {
		const uint8_t *newline =
			memchr(text, '\n', (size_t)(stop - text));
		const uint8_t *end = newline == NULL ? stop : newline;
		const uint8_t *last = end;

		while (last > text && is_blank(last[-1]))
			last--;
		if (last > text && digest->has_blanks)
			/* of a part before: nothing is gathered yet */
			digest->sha = digest->with_held;
		if (last > text) {
			put(gather, text, (size_t)(last - text));
			digest->has_blanks = 0;
		}
		digest->in_line = newline == NULL;
		if (newline == NULL) {
			if (end > last)
				hold(gather, last, (size_t)(end - last));
			return;
		}
		digest->has_blanks = 0;
		put(gather, (const uint8_t *)"\n", 1);
		text = newline + 1;
	}
}

static void
put_words(struct gather *gather, const uint8_t *text, size_t bytes)
{
	struct count_digest *digest = gather->digest;
	const uint8_t *stop = text + bytes;

	while (text < stop) {
		const uint8_t *word;

		while (text < stop && is_space(*text)) {
			digest->in_word = 0;
			text++;
		}
		word = text;
		while (text < stop && !is_space(*text))
			text++;
		if (text == word)
			break;
		if (digest->any && !digest->in_word)
			put(gather, (const uint8_t *)" ", 1);
		digest->any = 1;
		digest->in_word = 1;
		put(gather, word, (size_t)(text - word));
	}
}

void
count_digest_init(struct count_digest *digest, enum normalize how)
{
	*digest = (struct count_digest){ .how = (uint8_t)how };
	sha256_init(&digest->sha);
}

static void
add(struct count_digest *digest, const uint8_t *text, size_t bytes,
    bool is_normal)
{
	struct gather gather;

	if (bytes == 0)
		return;
	gather.digest = digest;
	gather.bytes = 0;
	if (is_normal && !digest->has_blanks) {
		put(&gather, text, bytes);
		digest->in_line = 0; /* whole lines, if that matters */
	} else if (digest->how == NORMALIZE_WHITESPACE) {
		put_words(&gather, text, bytes);
	} else {
		put_lines(&gather, text, bytes);
	}
	flush(&gather);
}

void
count_digest_add(struct count_digest *digest, const uint8_t *text, size_t bytes)
{
	add(digest, text, bytes,
	    count_is_normal((enum normalize)digest->how, text, bytes));
}

void
count_digest_add_normal(struct count_digest *digest, const uint8_t *text,
			size_t bytes)
{
	add(digest, text, bytes, true);
}

void
count_digest_add_normal_and_of(struct count_digest *digest, const uint8_t *text,
			       size_t bytes, uint8_t of[SHA256_BYTES])
{
	if (digest->has_blanks || bytes == 0) {
		add(digest, text, bytes, true);
		sha256_of(text, bytes, of);
		return;
	}
	sha256_add_and_of(&digest->sha, text, bytes, of);
	digest->in_line = 0; /* as in add() */
}

void
count_digest_end(struct count_digest *digest, uint8_t out[SHA256_BYTES])
{
	if (digest->how == NORMALIZE_TRAILING && digest->in_line)
		sha256_add(&digest->sha, (const uint8_t *)"\n", 1);
	sha256_end(&digest->sha, out);
}

void
count_normal_sha256(enum normalize how, const uint8_t *text, size_t bytes,
		    uint8_t out[SHA256_BYTES])
{
	struct count_digest digest;

	count_digest_init(&digest, how);
	count_digest_add(&digest, text, bytes);
	count_digest_end(&digest, out);
}
