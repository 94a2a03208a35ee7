/* SPDX-License-Identifier: MIT */
/*
 * test_secrets.h - secrets made when they are needed, so that no file of the
 * project looks as if it held one.
 */
#ifndef TESTS_SUPPORT_TEST_SECRETS_H
#define TESTS_SUPPORT_TEST_SECRETS_H

#include "tests/support/test_shm.h"

#include "secrets/secrets.h"

/* Characters at random: a digit every fourth, so that they look like it. */
static inline char *
secret_add(char *to, size_t nr, uint64_t *seed)
{
	static const char letters[] = "ABCDEFGHJKLMNPQRSTUVWXYZabcdefghjkmnpq"
				      "rstuvwxyz";

	for (size_t i = 0; i < nr; i++)
		*to++ = i % 4 == 3 ? (char)('2' + random_next(seed) % 6)
				   : letters[random_next(seed) %
					     (sizeof(letters) - 1)];
	*to = '\0';
	return to;
}

/* One byte that an item takes; of a digit and a letter, each in turn. */
static inline char
secret_byte(const struct pattern_item *item, size_t at, uint64_t *seed)
{
	uint8_t all[256];
	uint8_t liked[256];
	size_t nr = 0;
	size_t liked_nr = 0;

	for (unsigned c = 0; c < 256; c++) {
		bool is_digit = c >= '0' && c <= '9';
		bool is_letter = (c | 0x20) >= 'a' && (c | 0x20) <= 'z';

		if (!pattern_has(item, (uint8_t)c))
			continue;
		all[nr++] = (uint8_t)c;
		if (at % 3 == 1 ? is_digit : is_letter)
			liked[liked_nr++] = (uint8_t)c;
	}
	return liked_nr > 0 ? (char)liked[random_next(seed) % liked_nr]
			    : (char)all[random_next(seed) % nr];
}

/* A text that a pattern matches, with a few more bytes than the least. */
static inline char *
secret_of_pattern(const struct secrets_rules *rules,
		  const struct pattern *pattern, char *to, uint64_t *seed)
{
	for (uint32_t i = 0; i < pattern->nr; i++) {
		const struct pattern_item *item =
			&rules->items[pattern->first + i];
		size_t nr = item->least;

		if (item->most > nr && nr > 0)
			nr += random_next(seed) %
			      (min_size(item->most - nr, 20) + 1);
		for (size_t k = 0; k < nr; k++)
			*to++ = secret_byte(item, k, seed);
	}
	*to = '\0';
	return to;
}

/*
 * A text that a rule finds, and where in it the secret is; for one of the
 * beginnings that the rule has.
 */
struct made_secret {
	char text[8192];
	size_t start;
	size_t end;
};

static inline void
secret_make(const struct secrets_rules *rules, uint32_t begin_idx,
	    struct made_secret *made, uint64_t *seed)
{
	const struct secrets_begin *begin = &rules->begins[begin_idx];
	const struct secrets_rule *rule = &rules->rules[begin->rule];
	char *to = made->text;

	if (rule->kind == SECRETS_URL)
		to = stpcpy(to, "scheme");
	to = secret_of_pattern(rules, &rule->before, to, seed);
	made->start = 0;
	memcpy(to, begin->text, begin->bytes);
	to += begin->bytes;
	if (rule->kind == SECRETS_ASSIGNED || rule->kind == SECRETS_GENERIC)
		to = stpcpy(to, random_next(seed) % 2 ? " = \"" : "\": \"");
	else if (rule->kind == SECRETS_VARIABLE)
		to = stpcpy(to, "_X=");
	else if (rule->kind == SECRETS_URL)
		to = stpcpy(to, "bob:");
	if (rule->kind != SECRETS_TOKEN)
		made->start = (size_t)(to - made->text);
	to = secret_of_pattern(rules, &rule->body, to, seed);
	made->end = (size_t)(to - made->text);
	if (rule->kind == SECRETS_ASSIGNED || rule->kind == SECRETS_GENERIC)
		to = stpcpy(to, "\"");
	else if (rule->kind == SECRETS_URL)
		to = stpcpy(to, "@host");
}

/* A private key of so many lines, each followed by `joint`. */
static inline char *
secret_key(char *to, const char *kind, const char *before, const char *joint,
	   size_t lines, uint64_t *seed)
{
	to += sprintf(to, "%s-----BEGIN %sPRIVATE KEY-----%s", before, kind,
		      joint);
	for (size_t i = 0; i < lines; i++) {
		to = stpcpy(to, before);
		to = secret_add(to, i + 1 < lines ? 64 : 10, seed);
		to = stpcpy(to, joint);
	}
	return to + sprintf(to, "%s-----END %sPRIVATE KEY-----%s", before, kind,
			    joint);
}

#endif
