/* SPDX-License-Identifier: MIT */
/*
 * test_secrets_redact.c - what becomes of a text: the same in whatever parts it
 * comes, as many lines, and nothing around a secret is touched.
 */
#include "tests/support/test_secrets.h"

static struct secrets_rules rules;
static uint64_t seed = 20261127;

/* What the secrets of the text redacted last are known by. */
static uint32_t digests[4096];
static size_t digest_nr;

static void
note(const struct secrets_piece *piece)
{
	digest_nr += piece->is_found;
	ASSERT(digest_nr <= ARRAY_LEN(digests));
	if (piece->is_found || piece->goes_on)
		digests[digest_nr - 1] = piece->digest;
}

/* Redacts a text that comes in parts of up to `most` bytes; bytes written. */
static size_t
redact(const char *text, size_t nr, size_t most, bool tells_only, char *out)
{
	static uint8_t hand[1 << 20];
	struct secrets_redactor redactor = { .tells_only = tells_only };
	size_t given = 0; /* of the text to the hand */
	size_t held = 0;
	size_t put = 0;

	digest_nr = 0;
	for (;;) {
		struct secrets_piece piece;
		struct secrets_text part = { hand, held, given == nr };
		enum secrets_result result =
			secrets_redact_next(&redactor, &rules, &part, &piece);
		size_t from;
		size_t more;

		if (result == SECRETS_FOUND) {
			memcpy(out + put, piece.at, piece.nr);
			put += piece.nr;
			note(&piece);
			continue;
		}
		if (given == nr)
			return put;
		from = redactor.at - min_size(redactor.at, SECRETS_BEHIND);
		assert_true(held - redactor.at <= SECRETS_AHEAD);
		secrets_redact_drop(&redactor, from);
		held -= from;
		memmove(hand, hand + from, held);
		more = min_size(1 + random_next(&seed) % most, nr - given);
		memcpy(hand + held, text + given, more);
		held += more;
		given += more;
	}
}

static const char *
redacted(const char *text)
{
	static char out[1 << 16];

	out[redact(text, strlen(text), 1 << 15, false, out)] = '\0';
	return out;
}

static void
test_redact_leaves_all_around_a_secret(void **state)
{
	char secret[128];
	char text[1024];

	for (unsigned i = 0; i < 4; i++) {
		static const char *const forms[][2] = {
			{ "f(\"ghp_%s\", 1);\n", "f(\"%s\", 1);\n" },
			{ "a: ghp_%s # why\n", "a: %s # why\n" },
			{ "{\"k\":\"ghp_%s\\n\"}", "{\"k\":\"%s\\n\"}" },
			{ "<a>ghp_%s</a>", "<a>%s</a>" },
		};
		char want[1024];

		secret_add(secret, 36, &seed);
		snprintf(text, sizeof(text), forms[i][0], secret);
		snprintf(want, sizeof(want), forms[i][1],
			 "[REDACTED:github-pat]");
		assert_string_equal(redacted(text), want);
	}
}

static void
test_redact_key_leaves_lines_and_quotes(void **state)
{
	static const struct {
		const char *before;
		const char *joint;
		const char *want; /* of three lines of a body */
	} forms[] = {
		{ "", "\n", "%s\n\n\n" },
		{ "\t", "\r\n", "\t%s\r\n\t\r\n\t\r\n" },
		{ "\"", "\\n\"\n", "\"%s\\n\"\n\"\\n\"\n\"\\n\"\n" },
		{ "", "\\n", "%s\\n\\n\\n" },
		{ "+", "\n", "+%s\n+\n+\n" },
		{ "    '", "' +\n", "    '%s' +\n    '' +\n    '' +\n" },
	};

	for (size_t i = 0; i < ARRAY_LEN(forms); i++) {
		char text[1024];
		char want[1024];
		char body[512];
		const char *before = forms[i].before;
		const char *joint = forms[i].joint;

		secret_key(text, "RSA ", before, joint, 3, &seed);
		snprintf(body, sizeof(body), forms[i].want,
			 "[REDACTED:private-key]");
		snprintf(want, sizeof(want),
			 "%s-----BEGIN RSA PRIVATE KEY-----%s%s"
			 "%s-----END RSA PRIVATE KEY-----%s",
			 before, joint, body, before, joint);
		assert_string_equal(redacted(text), want);
	}
}

static void
test_redact_digest_is_of_all_lines_of_a_key(void **state)
{
	char text[1024];
	char out[1024];
	uint32_t digest;
	char *last;

	secret_key(text, "OPENSSH ", "", "\n", 3, &seed);
	redact(text, strlen(text), 1 << 15, false, out);
	assert_int_equal(digest_nr, 1);
	digest = digests[0];
	last = strstr(text, "\n-----END") - 1;
	*last = *last == 'a' ? 'b' : 'a';
	redact(text, strlen(text), 1 << 15, false, out);
	assert_int_equal(digest_nr, 1);
	assert_int_not_equal(digests[0], digest);
}

static void
test_redact_key_without_an_end_stops_at_other_text(void **state)
{
	char text[1024];
	char *to = secret_key(text, "EC ", "", "\n", 3, &seed);
	const char *out;

	*strstr(text, "-----END") = '\0';
	to = text + strlen(text);
	strcpy(to, "\nint main(void)\n{\n\treturn work_on_it_all_day();\n}\n");
	out = redacted(text);
	assert_non_null(strstr(out, "[REDACTED:private-key]\n"));
	assert_non_null(strstr(out, to));
}

static void
test_redact_key_in_base64_is_one_value(void **state)
{
	char text[4096] = "    client-key-data: ";
	char *to = text + strlen(text);

	/* of "-----BEGIN EC PRIVATE KEY-----" */
	to = stpcpy(to, "LS0tLS1CRUdJTiBFQyBQ");
	to = stpcpy(to, "UklWQVRFIEtFWS");
	to = secret_add(to, 300, &seed);
	strcpy(to, "\n    token: none\n");
	assert_string_equal(redacted(text),
			    "    client-key-data: [REDACTED:private-key-base64]"
			    "\n    token: none\n");
}

static size_t
lines_of(const char *text, size_t nr)
{
	size_t lines = 0;

	for (size_t i = 0; i < nr; i++)
		lines += text[i] == '\n';
	return lines;
}

/* Secrets, keys, halves of them and other text; its length. */
static size_t
mix(char *text)
{
	char *to = text;
	size_t parts = 1 + random_next(&seed) % 40;

	for (size_t i = 0; i < parts; i++) {
		uint32_t begin =
			(uint32_t)(random_next(&seed) % rules.begin_nr);
		struct made_secret made;
		size_t nr;

		switch (random_next(&seed) % 5) {
		case 0:
			to = secret_key(to, "", "", "\n",
					2 + random_next(&seed) % 60, &seed);
			break;
		case 1:
			to = secret_add(to, random_next(&seed) % 3000, &seed);
			break;
		default:
			if (rules.rules[rules.begins[begin].rule].kind ==
			    SECRETS_KEY)
				break;
			secret_make(&rules, begin, &made, &seed);
			nr = strlen(made.text);
			if (random_next(&seed) % 4 == 0)
				nr = random_next(&seed) % (nr + 1);
			memcpy(to, made.text, nr);
			to += nr;
		}
		*to++ = " \n\"',;=:-"[random_next(&seed) % 9];
	}
	return (size_t)(to - text);
}

static void
test_redact_is_the_same_in_parts(void **state)
{
	static char text[1 << 18];
	static char whole[1 << 19];
	static char parts[1 << 19];
	static uint32_t wants[ARRAY_LEN(digests)];

	for (int round = 0; round < 400; round++) {
		size_t nr = mix(text);
		size_t want = redact(text, nr, 1 << 18, false, whole);
		size_t want_nr = digest_nr;
		size_t got;

		memcpy(wants, digests, sizeof(wants));
		got = redact(text, nr, 1 << (round % 16), false, parts);
		ASSERT_EQ(got, want);
		ASSERT_EQ(digest_nr, want_nr);
		assert_memory_equal(digests, wants, want_nr * sizeof(*wants));
		assert_memory_equal(parts, whole, want);
		ASSERT_EQ(lines_of(whole, want), lines_of(text, nr));
		/* and what is only told of stays */
		ASSERT_EQ(redact(text, nr, 1 << (round % 16), true, parts), nr);
		assert_memory_equal(parts, text, nr);
		ASSERT_EQ(digest_nr, want_nr);
		assert_memory_equal(digests, wants, want_nr * sizeof(*wants));
	}
}

/* Bytes at random, of few letters, so that many places are looked at. */
static size_t
noise(char *to)
{
	static const char letters[] = "AKIAghp_sk-eyJ\n\"'=: 0123:/@.-xox";
	size_t nr = 1 + random_next(&seed) % 5000;

	for (size_t i = 0; i < nr; i++)
		to[i] = i % 64 == 63 ? (char)random_next(&seed)
				     : letters[random_next(&seed) %
					       (sizeof(letters) - 1)];
	return nr;
}

static void
test_redact_is_the_same_without_avx2(void **state)
{
	static char text[1 << 18];
	static char fast[1 << 19];
	static char plain[1 << 19];
	static uint32_t wants[ARRAY_LEN(digests)];
	size_t found_nr = 0;

	for (int round = 0; round < 400; round++) {
		size_t nr = round % 4 == 0 ? noise(text) : mix(text);
		size_t want = redact(text, nr, 1 << 18, false, fast);
		size_t want_nr = digest_nr;
		size_t got;

		found_nr += want_nr;
		memcpy(wants, digests, sizeof(wants));
		rules.no_avx2 = true;
		got = redact(text, nr, 1 << 18, false, plain);
		rules.no_avx2 = false;
		ASSERT_EQ(got, want);
		assert_memory_equal(plain, fast, want);
		ASSERT_EQ(digest_nr, want_nr);
		assert_memory_equal(digests, wants, want_nr * sizeof(*wants));
	}
	assert_true(found_nr > 1000);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_redact_leaves_all_around_a_secret),
		cmocka_unit_test(test_redact_key_leaves_lines_and_quotes),
		cmocka_unit_test(test_redact_digest_is_of_all_lines_of_a_key),
		cmocka_unit_test(
			test_redact_key_without_an_end_stops_at_other_text),
		cmocka_unit_test(test_redact_key_in_base64_is_one_value),
		cmocka_unit_test(test_redact_is_the_same_in_parts),
		cmocka_unit_test(test_redact_is_the_same_without_avx2),
	};

	rules = *secrets_rules();
	return cmocka_run_group_tests_name("secrets/secrets_redact", tests,
					   NULL, NULL);
}
