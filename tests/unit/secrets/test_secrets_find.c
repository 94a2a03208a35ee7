/* SPDX-License-Identifier: MIT */
/*
 * test_secrets_find.c - against PCRE2, with every rule at every place and
 * nothing sorted out beforehand.
 */
#define PCRE2_CODE_UNIT_WIDTH 8

#include "tests/support/test_secrets.h"

#include <pcre2.h>

#include "secrets/value.h"

static struct secrets_rules rules;
static uint64_t seed = 20261127;

/* ---- the rules, as regular expressions of PCRE2 ---- */

#define REDACT 0
#define WARN 0
#define ROW(kind, before, begins, body, entropy) \
	{ kind, before, begins, body, entropy },
#define TOKEN(id, begins, body, entropy, action) \
	ROW(SECRETS_TOKEN, "", begins, body, entropy)
#define BEFORE(id, before, begins, body, entropy, action) \
	ROW(SECRETS_TOKEN, before, begins, body, entropy)
#define AFTER(id, begins, body, entropy, action) \
	ROW(SECRETS_AFTER, "", begins, body, entropy)
#define ASSIGNED(id, names, body, entropy, action) \
	ROW(SECRETS_ASSIGNED, "", names, body, entropy)
#define VARIABLE(id, names, body, entropy, action) \
	ROW(SECRETS_VARIABLE, "", names, body, entropy)
#define GENERIC(id, names, body, entropy, action) \
	ROW(SECRETS_GENERIC, "", names, body, entropy)
#define URL(id, begins, body, entropy, action) \
	ROW(SECRETS_URL, "", begins, body, entropy)
#define KEY(id, begins, action) ROW(SECRETS_KEY, "", begins, "", 0)

static const struct {
	enum secrets_kind kind;
	const char *before;
	const char *begins;
	const char *body;
	uint8_t entropy;
} rows[] = {
#include "secrets/rules.def"
};

static pcre2_code *codes[ARRAY_LEN(rows)];
static pcre2_match_data *match;

/* A body whose repetitions give nothing back. */
static void
add_body(char *to, const char *body)
{
	to += strlen(to);
	for (; *body != '\0'; body++) {
		*to++ = *body;
		if (*body == '}')
			*to++ = '+';
	}
	*to = '\0';
}

/* The alternatives of a beginning, as they stand. */
static void
add_begins(char *to, const char *begins)
{
	strcat(to, "(?:\\Q");
	for (const char *at = begins; *at != '\0'; at++)
		strncat(to, *at == '|' ? "\\E|\\Q" : at, *at == '|' ? 6 : 1);
	strcat(to, "\\E)");
}

/* Where the secret begins, \K; what names it is before. */
static void
write_regex(char *to, size_t row)
{
	*to = '\0';
	if (rows[row].kind != SECRETS_TOKEN)
		strcat(to, "(?i)");
	if (rows[row].kind == SECRETS_TOKEN)
		strcat(to, "(?:(?<![A-Za-z0-9_])|(?<=\\\\[nrt])|"
			   "(?<=\\\\u[0-9A-Fa-f]{4}))");
	add_body(to, rows[row].before);
	add_begins(to, rows[row].begins);
	strcat(to, "(?-i)");
	if (rows[row].kind == SECRETS_ASSIGNED ||
	    rows[row].kind == SECRETS_GENERIC)
		strcat(to, "(?<rest>[A-Za-z0-9_. \\t-]{0,20}+)"
			   "(?:\\\\{0,3}+[\"']|\\s){0,3}+"
			   "(=>?+|>|,|\\|\\||\\?=|:{1,3}+=|:(?!:))"
			   "((?:\\\\{0,3}+[\"'`]|[\\s=]){0,5}+)");
	if (rows[row].kind != SECRETS_TOKEN)
		strcat(to, "\\K");
	strcat(to, "(?<body>");
	add_body(to, rows[row].body);
	strcat(to, ")(?![A-Za-z0-9_])");
}

static bool
is_wanted(size_t row)
{
	return rows[row].kind == SECRETS_TOKEN ||
	       rows[row].kind == SECRETS_AFTER ||
	       rows[row].kind == SECRETS_ASSIGNED ||
	       rows[row].kind == SECRETS_GENERIC;
}

static void
compile_all(void)
{
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		char regex[4096];
		int error;
		size_t at;

		if (!is_wanted(i))
			continue;
		write_regex(regex, i);
		codes[i] = pcre2_compile((PCRE2_SPTR)regex, strlen(regex), 0,
					 &error, &at, NULL);
		if (codes[i] == NULL)
			fail_msg("%s at %zu", regex, at);
	}
	match = pcre2_match_data_create(16, NULL);
}

/* ---- brute force ---- */

/* Whether the quote that a value begins with, or something else, ends it. */
static bool
is_closed(const char *text, size_t nr, const PCRE2_SIZE *ends)
{
	char quote = '\0';
	char next = ends[1] < nr ? text[ends[1]] : '\0';

	for (size_t i = ends[6]; i < ends[7]; i++)
		if (strchr("\"'`", text[i]) != NULL)
			quote = text[i];
	if (ends[1] == nr)
		return true;
	if (quote != '\0')
		return next == quote || next == '\\';
	return strchr(" \t\n\v\f\r;,<)&}]\\#\"'`", next) != NULL;
}

static bool
is_secret(size_t row, const char *text, size_t nr, const PCRE2_SIZE *ends)
{
	const uint8_t *value = (const uint8_t *)text + ends[0];
	size_t bytes = ends[1] - ends[0];
	bool has_quote = false;

	if (!value_has_entropy(value, bytes, rows[row].entropy))
		return false;
	if (rows[row].kind == SECRETS_TOKEN)
		return bytes < 7 ||
		       memcmp(value + bytes - 7, "EXAMPLE", 7) != 0;
	if (rows[row].kind == SECRETS_AFTER)
		return true;
	if (!value_has_digit(value, bytes) || !is_closed(text, nr, ends))
		return false;
	if (rows[row].kind == SECRETS_ASSIGNED)
		return true;
	for (size_t i = ends[6]; i < ends[7]; i++)
		has_quote |= strchr("\"'`", text[i]) != NULL;
	return has_quote && text[ends[4]] != ',' &&
	       value_is_random(value, bytes) &&
	       !value_is_placeholder(value, bytes) &&
	       !value_is_named_public((const uint8_t *)text + ends[2],
				      ends[3] - ends[2]);
}

/* The first rule that finds something at a place. */
static bool
find_at(const char *text, size_t nr, size_t at, struct secrets_finding *out)
{
	for (size_t row = 0; row < ARRAY_LEN(rows); row++) {
		size_t before = rules.rules[row].before_bytes;
		PCRE2_SIZE *ends = pcre2_get_ovector_pointer(match);

		if (codes[row] == NULL || at < before ||
		    pcre2_match(codes[row], (PCRE2_SPTR)text, nr, at - before,
				PCRE2_ANCHORED, match, NULL) < 0 ||
		    !is_secret(row, text, nr, ends))
			continue;
		*out = (struct secrets_finding){ .start = ends[0],
						 .end = ends[1],
						 .rule = (uint16_t)row };
		return true;
	}
	return false;
}

/* The next one from a place on; what overlaps it is joined. */
static bool
find_from(const char *text, size_t nr, size_t from,
	  struct secrets_finding *out)
{
	struct secrets_finding other;
	size_t at = from;
	size_t until;

	while (at < nr && (!find_at(text, nr, at, out) || out->start < from))
		at++;
	if (at == nr)
		return false;
	until = out->end;
	for (at++; at < until; at++) {
		if (!find_at(text, nr, at, &other) || other.start < from ||
		    other.start >= out->end)
			continue;
		out->start = min_size(out->start, other.start);
		if (other.end > out->end)
			out->end = other.end;
		if (other.rule < out->rule)
			out->rule = other.rule;
	}
	return true;
}

/* ---- texts ---- */

static size_t
make_text(char *text)
{
	static const char *const joints[] = { " ",	 "\"", "' , ", "\\n",
					      "=",	 ":",  "_",    "\n ",
					      "secret=", "x",  "->", "\\u00e9", ": \\\"" };
	char *to = text;
	size_t parts = 1 + random_next(&seed) % 6;

	*to++ = ' ';
	for (size_t i = 0; i < parts; i++) {
		uint32_t begin;
		struct made_secret made;
		size_t nr;

		do
			begin = (uint32_t)(random_next(&seed) % rules.begin_nr);
		while (!is_wanted(rules.begins[begin].rule));
		secret_make(&rules, begin, &made, &seed);
		nr = strlen(made.text);
		if (random_next(&seed) % 3 == 0)
			made.text[random_next(&seed) % nr] =
				" \"'=-_.aZ0"[random_next(&seed) % 10];
		memcpy(to, made.text, nr);
		to += nr;
		to = stpcpy(to,
			    joints[random_next(&seed) % ARRAY_LEN(joints)]);
	}
	return (size_t)(to - text);
}

static void
test_find_is_what_pcre2_finds(void **state)
{
	static char text[1 << 16];
	size_t found = 0;

	for (int round = 0; round < 300; round++) {
		size_t nr = make_text(text);
		const struct secrets_text whole = { (const uint8_t *)text, nr,
						    true };
		struct secrets_cursor cursor = { 0 };
		struct secrets_finding got;
		struct secrets_finding want;
		size_t from = 0;

		while (find_from(text, nr, from, &want)) {
			if (secrets_find(&rules, &whole, &cursor, &got) !=
			    SECRETS_FOUND)
				fail_msg("not found: %.*s",
					 (int)(want.end - want.start),
					 text + want.start);
			ASSERT_EQ(got.start, want.start);
			ASSERT_EQ(got.end, want.end);
			assert_string_equal(secrets_rule_name(got.rule),
					    secrets_rule_name(want.rule));
			from = want.end;
			found++;
		}
		ASSERT_EQ(secrets_find(&rules, &whole, &cursor, &got),
			  SECRETS_NONE);
	}
	assert_true(found > 300);
}

static void
test_find_at_the_end_of_a_part_asks_for_more(void **state)
{
	char token[64] = "x = \"ghp_";
	struct secrets_text part = { (const uint8_t *)token, 0, false };
	struct secrets_cursor cursor = { 0 };
	struct secrets_finding finding;

	secret_add(token + strlen(token), 36, &seed);
	part.nr = strlen(token);
	ASSERT_EQ(secrets_find(&rules, &part, &cursor, &finding),
		  SECRETS_MORE);
	assert_true(cursor.from <= 5);
	part.at_end = true;
	ASSERT_EQ(secrets_find(&rules, &part, &cursor, &finding),
		  SECRETS_FOUND);
	ASSERT_EQ(finding.start, 5);
	ASSERT_EQ(cursor.from, part.nr);
	ASSERT_EQ(secrets_find(&rules, &part, &cursor, &finding),
		  SECRETS_NONE);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_find_is_what_pcre2_finds),
		cmocka_unit_test(test_find_at_the_end_of_a_part_asks_for_more),
	};
	int result;

	rules = *secrets_rules();
	compile_all();
	result = cmocka_run_group_tests_name("secrets/secrets_find", tests,
					     NULL, NULL);
	pcre2_match_data_free(match);
	for (size_t i = 0; i < ARRAY_LEN(codes); i++)
		pcre2_code_free(codes[i]);
	return result;
}
