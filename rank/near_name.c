/* SPDX-License-Identifier: MIT */
/*
 * near_name.c - letters, whatever stands between them.
 */
#include "rank/near_name.h"

#include <assert.h>
#include <string.h>

#include "base/ascii.h"
#include "base/nearest.h"

#define LETTERS_MIN 4 /* of a query */
#define PART_MIN 5    /* of a part of a name, or of what has a typing error */

static_assert(NEAR_NAME_BYTES < WORD_BYTES, "what edit_distance() compares");

static bool
is_letter(uint8_t c)
{
	return ascii_is_word(c) && c != '_';
}

/* The letters of a text, ended by a NUL; how many, or 0: they are too many. */
static size_t
letters_of(const uint8_t *text, size_t bytes, char out[NEAR_NAME_BYTES + 1])
{
	size_t nr = 0;

	for (size_t i = 0; i < bytes; i++) {
		if (!is_letter(text[i]))
			continue;
		if (nr == NEAR_NAME_BYTES)
			return 0;
		out[nr++] = (char)ascii_lower(text[i]);
	}
	out[nr] = '\0';
	return nr;
}

void
near_name_init(struct near_name *near, const uint8_t *text, size_t bytes)
{
	size_t nr = letters_of(text, bytes, near->letters);

	near->is_one_word = true;
	for (size_t i = 0; i < bytes; i++) {
		near->is_one_word &= !ascii_is_space(text[i]);
		if (text[i] == '\n')
			nr = 0;
	}
	near->nr = nr < LETTERS_MIN ? 0 : (uint8_t)nr;
}

/* Whether it may be like them at all, by what it begins or ends with. */
static bool
may_be(const struct near_name *near, const uint8_t *name, size_t bytes)
{
	if (bytes + 1 < near->nr || bytes == 0)
		return false;
	while (bytes > 1 && !is_letter(*name)) {
		name++;
		bytes--;
	}
	return (char)ascii_lower(*name) == near->letters[0] ||
	       (near->is_one_word && (char)ascii_lower(name[bytes - 1]) ==
					     near->letters[near->nr - 1]);
}

enum near_name_how
near_name_of(const struct near_name *near, const uint8_t *name, size_t bytes)
{
	char letters[NEAR_NAME_BYTES + 1];
	size_t nr;

	if (near->nr == 0 || !may_be(near, name, bytes))
		return NEAR_NAME_NOT;
	nr = letters_of(name, bytes, letters);
	if (nr == near->nr && memcmp(letters, near->letters, nr) == 0)
		return NEAR_NAME_SAME;
	if (!near->is_one_word || near->nr < PART_MIN || nr + 1 < near->nr)
		return NEAR_NAME_NOT;
	if (nr <= near->nr + 1u && edit_distance(letters, near->letters) == 1)
		return NEAR_NAME_TYPO;
	if (nr < near->nr)
		return NEAR_NAME_NOT;
	if (memcmp(letters, near->letters, near->nr) == 0)
		return NEAR_NAME_BEGIN;
	return memcmp(letters + nr - near->nr, near->letters, near->nr) == 0
		       ? NEAR_NAME_END
		       : NEAR_NAME_NOT;
}
