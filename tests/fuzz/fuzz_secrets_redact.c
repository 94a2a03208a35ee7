/* SPDX-License-Identifier: MIT */
/*
 * fuzz_secrets_redact.c - any bytes, whole and in parts.
 *
 * Input: a size of parts, then the text. What it becomes does not depend on the
 * parts, has as many lines, and if all is only told of it is the text.
 */
#include <stdlib.h>
#include <string.h>

#include "secrets/secrets.h"

#define TEXT_MAX (64 << 10)
#define HAND_BYTES (TEXT_MAX + SECRETS_AHEAD + SECRETS_BEHIND)
#define OUT_BYTES (8 * TEXT_MAX)

int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t bytes_nr);

#define CHECK(cond) ((cond) ? (void)0 : abort())

static struct secrets_rules rules;
static uint8_t hand[HAND_BYTES];
static uint8_t whole[OUT_BYTES];
static uint8_t parts[OUT_BYTES];

static size_t
redact(const uint8_t *text, size_t nr, size_t most, bool tells_only,
       uint8_t *out)
{
	struct secrets_redactor redactor = { .tells_only = tells_only };
	size_t given = 0;
	size_t held = 0;
	size_t put = 0;

	for (;;) {
		const struct secrets_text part = { hand, held, given == nr };
		struct secrets_piece piece;
		size_t from;
		size_t more;

		if (secrets_redact_next(&redactor, &rules, &part, &piece) ==
		    SECRETS_FOUND) {
			CHECK(piece.nr <= OUT_BYTES - put);
			memcpy(out + put, piece.at, piece.nr);
			put += piece.nr;
			continue;
		}
		if (given == nr)
			return put;
		CHECK(held - redactor.at <= SECRETS_AHEAD);
		from = redactor.at - min_size(redactor.at, SECRETS_BEHIND);
		secrets_redact_drop(&redactor, from);
		held -= from;
		memmove(hand, hand + from, held);
		more = min_size(most, nr - given);
		memcpy(hand + held, text + given, more);
		held += more;
		given += more;
	}
}

static size_t
lines_of(const uint8_t *text, size_t nr)
{
	size_t lines = 0;

	for (size_t i = 0; i < nr; i++)
		lines += text[i] == '\n';
	return lines;
}

int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t bytes_nr)
{
	size_t most;
	size_t nr;
	size_t put;

	if (rules.rule_nr == 0)
		rules = *secrets_rules();
	if (bytes_nr < 1 || bytes_nr > TEXT_MAX)
		return 0;
	most = 1 + (size_t)bytes[0] * bytes[0];
	bytes++;
	nr = bytes_nr - 1;
	put = redact(bytes, nr, TEXT_MAX, false, whole);
	CHECK(redact(bytes, nr, most, false, parts) == put);
	CHECK(memcmp(whole, parts, put) == 0);
	CHECK(lines_of(whole, put) == lines_of(bytes, nr));
	CHECK(redact(bytes, nr, most, true, parts) == nr);
	CHECK(memcmp(parts, bytes, nr) == 0);
	return 0;
}
