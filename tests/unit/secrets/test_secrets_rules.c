/* SPDX-License-Identifier: MIT */
/*
 * test_secrets_rules.c - each rule finds what it says, and nothing near it.
 */
#include "tests/support/test_secrets.h"

static struct secrets_rules rules;
static uint64_t seed = 20261127;

/* The first secret of a text. */
static bool
find(const char *text, struct secrets_finding *finding)
{
	const struct secrets_text whole = { (const uint8_t *)text, strlen(text),
					    true };
	struct secrets_cursor cursor = { 0 };

	return secrets_find(&rules, &whole, &cursor, finding) == SECRETS_FOUND;
}

static void
test_each_rule_finds_what_it_is_for(void **state)
{
	for (uint32_t i = 0; i < rules.begin_nr; i++) {
		const struct secrets_rule *rule =
			&rules.rules[rules.begins[i].rule];
		struct secrets_finding finding;
		struct made_secret made;
		int tries = 0;

		if (rule->kind == SECRETS_KEY)
			continue;
		/* one in some has too little entropy, or names a placeholder */
		do
			secret_make(&rules, i, &made, &seed);
		while (!find(made.text, &finding) && ++tries < 50);
		if (tries == 50)
			fail_msg("%s finds nothing", rule->id);
		assert_true(finding.start <= made.start);
		assert_true(finding.end >= made.end);
		/* another rule may be meant as well: the first one names it */
		assert_true(finding.rule <= rules.begins[i].rule);
	}
}

static void
test_no_rule_finds_a_secret_cut_short(void **state)
{
	for (uint32_t i = 0; i < rules.begin_nr; i++) {
		const struct secrets_rule *rule =
			&rules.rules[rules.begins[i].rule];
		struct secrets_finding finding;
		struct made_secret made;

		if (rule->kind == SECRETS_KEY)
			continue;
		secret_make(&rules, i, &made, &seed);
		made.text[made.start + 3] = '\0';
		assert_false(find(made.text, &finding));
	}
}

static void
test_ordinary_text_has_no_secrets(void **state)
{
	static const char *const texts[] = {
		"git commit 109f6aef2bb2a2f9d6d0d3bb6b0b7d3a0f3c9c11\n",
		"sha256: e3b0c44298fc1c149afbf4c8996fb92427ae41e4649\n",
		"\"integrity\": \"sha512-z3PUz0vRmuzGbpvWlZ4Fz3AyUkvXHJuuqA==\"",
		"password = get_password(user_name)",
		"api_key = os.environ['SERVICE_API_KEY_2']",
		"const token: TokenKind = lexer.next_token_2()",
		"http://localhost:8080/a@b",
		"https://user@example.org/x",
		"postgres://postgres:postgres@localhost/db",
		"API_TOKEN=$(cat token)\nSECRET=${OTHER}\nPASSWORD=changeme1\n",
		"#define MAX_SECRET_LEN 1024\nkey->value_of_the_thing_1\n",
		"-----BEGIN PUBLIC KEY-----\nMIIBIjANBgkqhkiG9w0BAQEFAAOC\n",
		"\"-----BEGIN RSA PRIVATE KEY-----\" marks the beginning\n",
		"0x1f2e3d4c5b6a79880716253443526170",
	};
	struct secrets_finding finding;

	for (size_t i = 0; i < ARRAY_LEN(texts); i++)
		if (find(texts[i], &finding))
			fail_msg("%s: %s", texts[i],
				 secrets_rule_name(finding.rule));
}

static void
test_rules_have_names_for_users(void **state)
{
	assert_true(secrets_rule_nr() > 200);
	ASSERT_EQ(secrets_rule_nr(), rules.rule_nr);
	for (uint32_t i = 0; i < secrets_rule_nr(); i++) {
		const char *name = secrets_rule_name(i);

		assert_true(strlen(name) + 12 < SECRETS_MARKER_BYTES);
		ASSERT_EQ(strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789-"),
			  strlen(name));
		ASSERT_EQ(secrets_rule_warns(i), rules.rules[i].only_warns);
	}
	assert_string_equal(secrets_rule_name(secrets_rule_nr()), "");
	assert_false(secrets_rule_warns(secrets_rule_nr()));
}

static void
test_no_set_has_what_ends_a_string(void **state)
{
	static const char ends[] = "\"'`\\\n";

	for (uint32_t i = 0; i < rules.item_nr; i++)
		for (size_t k = 0; k < sizeof(ends) - 1; k++)
			assert_false(pattern_has(&rules.items[i],
						 (uint8_t)ends[k]));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_each_rule_finds_what_it_is_for),
		cmocka_unit_test(test_no_rule_finds_a_secret_cut_short),
		cmocka_unit_test(test_ordinary_text_has_no_secrets),
		cmocka_unit_test(test_rules_have_names_for_users),
		cmocka_unit_test(test_no_set_has_what_ends_a_string),
	};

	rules = *secrets_rules();
	return cmocka_run_group_tests_name("secrets/secrets_rules", tests, NULL,
					   NULL);
}
