/* SPDX-License-Identifier: MIT */
/*
 * test_stages_query.c - terms of a query, and counts against looking at every
 * word of a text in the plainest way there is.
 */
#include "tests/support/test_shm.h"

#include <ctype.h>

#include "rank/query.h"

static void
query_of(struct query *query, const char *text)
{
	query_init(query, (const uint8_t *)text, strlen(text));
}

/* The terms, joined by blanks; a joined identifier has a + before it. */
static const char *
terms_of(const struct query *query)
{
	static char out[8192];
	size_t at = 0;

	out[0] = '\0';
	for (uint32_t i = 0; i < query->word_nr; i++)
		at += (size_t)snprintf(
			out + at, sizeof(out) - at, "%s%s%.*s",
			i == 0 ? "" : " ",
			query->terms[i].kind == QUERY_JOINED ? "+" : "",
			query->terms[i].bytes, query->terms[i].text);
	return out;
}

static void
test_query_terms_are_as_worked_by_hand(void **state)
{
	static const struct {
		const char *text;
		const char *want;
	} cases[] = {
		{ "", "" },
		{ "Fix the bug, please: it is still there", "" },
		{ "parseHTTPHeader", "pars http header +parsehttpheader" },
		{ "slab_bytes SLAB_BYTES slabBytes", "slab byt +slabbyt" },
		{ "__init__", "init" },
		{ "__all__ of all", "all" },
		{ "--collect-only, if only - all", "collect only" },
		{ "name of main, mainly; turned a turn", "name main turn" },
		{ "the current one, `current`, or all() of it", "current all" },
		{ "current", "current" },
		{ " exactly.", "exact" },
		{ "utf8 2 x y2k", "utf +utf8 +y2k" },
		{ "caches caching cached", "cach" },
		{ "stopped stopping stops", "stop" },
		{ "queries classes class", "query class" },
		{ "a_b", "+ab" },
		{ "caf\xc3\xa9", "caf\xc3\xa9" },
	};

	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct query query;

		query_of(&query, cases[i].text);
		assert_string_equal(terms_of(&query), cases[i].want);
	}
}

static void
test_query_too_long_keeps_what_comes_first(void **state)
{
	static char text[QUERY_TERMS_MAX * 16];
	struct query query;
	size_t at = 0;

	for (int i = 0; i < 2 * QUERY_TERMS_MAX; i++)
		at += (size_t)snprintf(text + at, sizeof(text) - at, "q%c%c ",
				       'a' + i / 26, 'a' + i % 26);
	query_of(&query, text);
	assert_int_equal(query.word_nr, QUERY_WORDS_MAX);
	assert_int_equal(query.nr, QUERY_TERMS_MAX);
	assert_true(query_find(&query, "qaa", 3) == 0);
	assert_true(query_find(&query, "qhr", 3) < 0);
}

/* ------------------------------------------------------- the plain way -- */

static bool
is_word(uint8_t c)
{
	return isalnum(c) || c == '_' || c >= 0x80;
}

static void
plain_add(const struct query *query, const char *word, size_t bytes,
	  uint32_t *counts)
{
	char stem[64];
	int idx;

	if (bytes > QUERY_TERM_BYTES || bytes == 0)
		return;
	memcpy(stem, word, bytes);
	idx = query_find(query, stem, query_stem(stem, bytes));
	if (idx >= 0)
		counts[idx]++;
}

/* Is there a border between two bytes of a word? c is what follows them. */
static bool
is_boundary(uint8_t a, uint8_t b, uint8_t c)
{
	bool a_letter = isalpha(a) || a >= 0x80;
	bool b_letter = isalpha(b) || b >= 0x80;

	if (a == '_' || b == '_' || a_letter != b_letter)
		return true;
	if (!a_letter)
		return false;
	if (!isupper(a) && isupper(b))
		return true;
	return isupper(a) && isupper(b) && c != 0 && !isupper(c) &&
	       (isalpha(c) || c >= 0x80);
}

static void
plain_word(const struct query *query, const uint8_t *text, size_t bytes,
	   uint32_t *counts)
{
	char whole[4096];
	char part[4096];
	size_t whole_bytes = 0;
	size_t part_bytes = 0;
	int parts = 0;

	for (size_t i = 0; i < bytes; i++) {
		uint8_t c = text[i];
		bool ends = i + 1 == bytes ||
			    is_boundary(c, text[i + 1],
					i + 2 < bytes ? text[i + 2] : 0);

		if (c == '_')
			continue;
		whole[whole_bytes++] = (char)tolower(c);
		part[part_bytes++] = (char)tolower(c);
		if (!ends)
			continue;
		parts++;
		if (part_bytes > 1 && !isdigit(c))
			plain_add(query, part, part_bytes, counts);
		part_bytes = 0;
	}
	if (parts > 1)
		plain_add(query, whole, whole_bytes, counts);
}

static void
plain_count(const struct query *query, const uint8_t *text, size_t bytes,
	    uint32_t *counts)
{
	for (size_t at = 0; at < bytes;) {
		size_t end = at;

		while (end < bytes && is_word(text[end]))
			end++;
		if (end > at)
			plain_word(query, text + at, end - at, counts);
		at = end + 1;
	}
}

static void
assert_counts(const struct query *query, const uint8_t *text, size_t bytes)
{
	uint32_t want[QUERY_TERMS_MAX] = { 0 };
	uint8_t got[QUERY_TERMS_MAX] = { 0 };

	plain_count(query, text, bytes, want);
	query_count(query, text, bytes, got);
	for (uint32_t i = 0; i < query->word_nr; i++)
		if (got[i] != min_u64(want[i], 255))
			fail_msg("term %u of \"%.*s\": got %u, want %u", i,
				 (int)bytes, (const char *)text, got[i],
				 want[i]);
}

/* verifies: FR-016-55 */
static void
test_query_counts_as_the_plain_way(void **state)
{
	static const char alphabet[] = "aaabbcdesigyABCS_09 .\n\xc3(";
	uint64_t seed = 7;

	for (int round = 0; round < 4000; round++) {
		uint8_t text[200];
		size_t bytes;
		struct query query;

		seed = seed * 6364136223846793005u + 1442695040888963407u;
		bytes = (size_t)(seed >> 40) % sizeof(text);
		for (size_t i = 0; i < bytes; i++) {
			seed = seed * 6364136223846793005u + 1;
			text[i] = (uint8_t)
				alphabet[(seed >> 33) % (sizeof(alphabet) - 1)];
		}
		query_init(&query, text, bytes / 2);
		assert_counts(&query, text, bytes);
	}
}

/* How often a text has the one pair that a query has; -1: it has none. */
static int
pairs_in(const char *query_text, const char *text)
{
	uint8_t counts[QUERY_TERMS_MAX] = { 0 };
	struct query query;

	query_of(&query, query_text);
	if (query.nr == query.word_nr)
		return -1;
	query_count(&query, (const uint8_t *)text, strlen(text), counts);
	return counts[query.word_nr];
}

static void
test_query_pairs_are_words_side_by_side(void **state)
{
	assert_int_equal(pairs_in("client tracking", "tracking_client"), 0);
	assert_int_equal(pairs_in("client tracking", "clientTracking"), 1);
	assert_int_equal(pairs_in("client tracking", "client_tracking()"), 1);
	assert_int_equal(pairs_in("the client of tracking",
				  "client is tracked; client tracking"),
			 2);
	assert_int_equal(pairs_in("client tracking", "client\ntracking"), 0);
	assert_int_equal(pairs_in("client tracking", "client (abcdef) track"),
			 0);
	assert_int_equal(pairs_in("client. Tracking", ""), -1);
	assert_int_equal(pairs_in("client\ntracking", ""), -1);
	assert_int_equal(pairs_in("clientTracking", "client-tracking"), 1);
}

/* A name of two words and more, all of them words of the query. */
static void
test_query_has_the_words_of_a_name(void **state)
{
	static const struct {
		const char *name;
		uint32_t want;
	} cases[] = {
		{ "refreshSession", 2 },   { "session_refreshing_keys", 3 },
		{ "REFRESH_SESSION2", 2 }, { "refresh", 0 },
		{ "refresh_cookie", 0 },   { "session_sessions", 0 },
		{ "s_refresh", 0 },        { "", 0 },
		{ "the_session", 0 },
	};
	static struct query query;

	query_init(&query, (const uint8_t *)"refresh the session keys", 24);
	for (size_t i = 0; i < ARRAY_LEN(cases); i++)
		if (query_name_words(&query, (const uint8_t *)cases[i].name,
				     strlen(cases[i].name)) != cases[i].want)
			fail_msg("%s", cases[i].name);
}

static void
test_query_counts_stop_at_255(void **state)
{
	static uint8_t text[600 * 5];
	uint8_t counts[QUERY_TERMS_MAX] = { 0 };
	struct query query;

	query_of(&query, "ring");
	for (size_t i = 0; i < sizeof(text); i += 5)
		memcpy(text + i, "ring ", 5);
	query_count(&query, text, sizeof(text), counts);
	assert_int_equal(counts[0], 255);
}

/* The root of how often it is there, 1 more in the first line; a pair 0.3. */
static void
test_query_worth_is_as_worked_by_hand(void **state)
{
	double worth[QUERY_TERMS_MAX] = { 0 };
	struct query query;

	query_of(&query, "ring buffer\n\nslot. slot. slot. slot");
	query_worth(&query, worth);
	assert_int_equal(query.word_nr, 3);
	assert_int_equal(query.nr, 4);
	assert_true(worth[0] > 1.999 && worth[0] < 2.001);
	assert_true(worth[2] > 1.999 && worth[2] < 2.001);
	assert_true(worth[3] > 0.299 && worth[3] < 0.301);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_query_terms_are_as_worked_by_hand),
		cmocka_unit_test(test_query_too_long_keeps_what_comes_first),
		cmocka_unit_test(test_query_counts_as_the_plain_way),
		cmocka_unit_test(test_query_pairs_are_words_side_by_side),
		cmocka_unit_test(test_query_has_the_words_of_a_name),
		cmocka_unit_test(test_query_counts_stop_at_255),
		cmocka_unit_test(test_query_worth_is_as_worked_by_hand),
	};

	return cmocka_run_group_tests_name("stages/query", tests, NULL, NULL);
}
