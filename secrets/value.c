/* SPDX-License-Identifier: MIT */
/*
 * value.c - see value.h.
 */
#include "secrets/value.h"

#include <string.h>

#include "base/ascii.h"

#define VALUE_LOOKED_AT 256
#define FRACTION_BITS 16
#define CHANGES_MIN 3
#define CHANGES_OF 8 /* one in so many bytes */

/* What documentation and examples have where a secret would be. */
static const char *const placeholders[] = {
	"example",   "sample", "placeholder", "changeme", "change_me",
	"change-me", "your",   "xxxx",        "todo",     "dummy",
	"foobar",    "insert", "replace",     "redacted", "password",
	"passwd",    "secret", "fixme",       "notreal",  "not-real",
	"not_real",  "abcdef", "123456",      "00000000",
};

/* The logarithm to the base 2 of a number from 1 on, as a fixed-point number.
 * source: squaring a number doubles its logarithm, a bit at a time */
static uint32_t
log2_fixed(uint32_t number)
{
	uint32_t whole = 31u - (uint32_t)__builtin_clz(number);
	uint64_t rest = (uint64_t)number << (31 - whole); /* 1 to 2, of 2^31 */
	uint32_t log = whole;

	for (int i = 0; i < FRACTION_BITS; i++) {
		rest = rest * rest >> 31;
		log <<= 1;
		if (rest >> 32 != 0) {
			rest >>= 1;
			log |= 1;
		}
	}
	return log;
}

bool
value_has_entropy(const uint8_t *text, size_t bytes, uint8_t tenths)
{
	uint16_t times[256] = { 0 };
	uint32_t nr = (uint32_t)min_size(bytes, VALUE_LOOKED_AT);
	uint64_t sum = 0;

	if (tenths == 0)
		return true;
	if (nr == 0)
		return false;
	for (uint32_t i = 0; i < nr; i++)
		times[text[i]]++;
	for (uint32_t c = 0; c < 256; c++)
		if (times[c] > 1)
			sum += (uint64_t)times[c] * log2_fixed(times[c]);
	/* log2(nr) - sum / nr >= tenths / 10 */
	return ((uint64_t)nr * log2_fixed(nr) - sum) * 10 >=
	       (uint64_t)nr * tenths << FRACTION_BITS;
}

bool
value_has_digit(const uint8_t *text, size_t bytes)
{
	for (size_t i = 0; i < bytes; i++)
		if (ascii_is_digit(text[i]))
			return true;
	return false;
}

/* What a name has of a value that anybody may know. */
static const char *const public_names[] = {
	"sha1", "sha2",   "sha3",     "sha5",        "md5",
	"hash", "digest", "checksum", "fingerprint", "name",
};

/* Whether a word of small letters stands in a text, in any case. */
static bool
has_word(const uint8_t *text, size_t bytes, const char *word)
{
	size_t nr = strlen(word);

	for (size_t i = 0; i + nr <= bytes; i++) {
		size_t k = 0;

		while (k < nr && ascii_lower(text[i + k]) == (uint8_t)word[k])
			k++;
		if (k == nr)
			return true;
	}
	return false;
}

bool
value_is_placeholder(const uint8_t *text, size_t bytes)
{
	for (size_t i = 0; i < ARRAY_LEN(placeholders); i++)
		if (has_word(text, bytes, placeholders[i]))
			return true;
	return false;
}

bool
value_is_random(const uint8_t *text, size_t bytes)
{
	size_t changes = 0;

	for (size_t i = 1; i < bytes; i++)
		changes += (ascii_is_digit(text[i - 1]) &&
			    ascii_is_letter(text[i])) ||
			   (ascii_is_letter(text[i - 1]) &&
			    ascii_is_digit(text[i]));
	return changes >= CHANGES_MIN && changes * CHANGES_OF >= bytes;
}

bool
value_is_named_public(const uint8_t *rest, size_t bytes)
{
	for (size_t i = 0; i < ARRAY_LEN(public_names); i++)
		if (has_word(rest, bytes, public_names[i]))
			return true;
	/* Id, _id, but not "valid" */
	while (bytes > 0 && (rest[bytes - 1] == ' ' || rest[bytes - 1] == '\t'))
		bytes--;
	return bytes >= 2 && ascii_lower(rest[bytes - 1]) == 'd' &&
	       ascii_lower(rest[bytes - 2]) == 'i' &&
	       (rest[bytes - 2] == 'I' || bytes == 2 ||
		!ascii_is_letter(rest[bytes - 3]));
}
