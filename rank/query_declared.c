/* SPDX-License-Identifier: MIT */
/*
 * query_declared.c - names of a query, and the lines they stand in.
 */
#include "rank/query_declared.h"

#include <string.h>

#include "base/ascii.h"
#include "lang/declares.h"
#include "lang/inherits.h"

/* The term of a name that other texts have least: all of it, or its longest
 * word; 0: none, else one more. */
static uint8_t
term_of(const struct query *query, const struct anchor_name *name)
{
	uint8_t counts[QUERY_TERMS_MAX] = { 0 };
	uint8_t best = 0;

	query_count(query, (const uint8_t *)name->text, name->bytes, counts);
	for (uint32_t i = 0; i < query->word_nr; i++)
		if (counts[i] > 0 &&
		    (best == 0 ||
		     query->terms[i].bytes > query->terms[best - 1].bytes))
			best = (uint8_t)(i + 1);
	return best;
}

void
query_declared_init(struct query *query)
{
	for (uint32_t i = 0; i < query->anchors.name_nr; i++) {
		struct anchor_name *name = &query->anchors.names[i];

		if (name->sure != ANCHOR_WORD)
			name->term = term_of(query, name);
	}
}

/* How often a text has a name, as a word of its own; are_heirs: what types are
 * derived from. */
static uint8_t
uses_of(const struct anchor_name *name, const uint8_t *text, size_t bytes,
	bool are_heirs)
{
	const uint8_t *end = text + bytes;
	const uint8_t *at = text;
	uint8_t nr = 0;

	while (nr < QUERY_DECLARED_PLACES &&
	       (at = memmem(at, (size_t)(end - at), name->text, name->bytes)) !=
		       NULL) {
		const uint8_t *behind = at + name->bytes;

		if ((at == text || !ascii_is_word(at[-1])) &&
		    (behind == end || !ascii_is_word(*behind)) &&
		    (!are_heirs ||
		     lang_inherits(text, bytes, (size_t)(at - text),
				   name->bytes)))
			nr++;
		at = behind;
	}
	return nr;
}

/* Whether a name has more than letters, digits and underscores. */
static bool
is_no_identifier(const struct anchor_name *name)
{
	for (uint32_t i = 0; i < name->bytes; i++)
		if (!ascii_is_word((uint8_t)name->text[i]))
			return true;
	return false;
}

/* What a text is to a name, one of whose words it has. */
static uint8_t
how_has(const struct query *query, const struct anchor_name *name,
	const uint8_t *text, size_t bytes)
{
	enum lang_declares how;

	if (query->anchors.asks_uses)
		return uses_of(name, text, bytes, query->anchors.asks_heirs);
	how = lang_find_declared(text, bytes, name->text, name->bytes,
				 QUERY_DECLARED_PLACES)
		      .how;
	/* a key of settings: no variable is called so */
	if (how == LANG_DECLARES_INNER && is_no_identifier(name))
		how = LANG_DECLARES_OUTER;
	return (uint8_t)how;
}

uint32_t
query_declared(const struct query *query, const uint8_t *text, size_t bytes,
	       const uint8_t counts[QUERY_TERMS_MAX],
	       struct query_declared found[QUERY_DECLARED_MAX])
{
	uint32_t nr = 0;

	for (uint32_t i = 0;
	     i < query->anchors.name_nr && nr < QUERY_DECLARED_MAX; i++) {
		const struct anchor_name *name = &query->anchors.names[i];
		uint8_t how = 0;

		if (name->term != 0 && counts[name->term - 1] > 0)
			how = how_has(query, name, text, bytes);
		if (how > 0)
			found[nr++] =
				(struct query_declared){ (uint8_t)i, how };
	}
	return nr;
}
