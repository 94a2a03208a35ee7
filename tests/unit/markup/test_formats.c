/* SPDX-License-Identifier: MIT */
/*
 * test_formats.c - that a format leaves text as it is, is said of those alone
 * that do.
 */
#include "tests/support/test_shm.h"

#include "markup/markup.h"

/* All bytes twice, lines among them, as rules write them. */
static size_t
write_all(const struct markup_rules *rules, const uint8_t *text, size_t nr,
	  uint8_t *out)
{
	struct markup_flow flow = markup_flow_at(1);
	struct markup_rest rest = { text, text + nr };
	size_t put = 0;

	while (rest.at < rest.end)
		put += markup_escape_run(rules, &flow, &rest, out + put,
					 MARKUP_STEP_BYTES);
	return put + markup_escape_end(rules, &flow, out + put);
}

static void
test_formats_identity_is_what_the_bytes_say(void **state)
{
	static uint8_t text[512];
	static uint8_t out[sizeof(text) * MARKUP_STEP_BYTES];

	for (size_t i = 0; i < sizeof(text); i++)
		text[i] = (uint8_t)i;
	for (int kind = 0; kind < MARKUP_TEMPLATE; kind++)
		for (int how = 0; how < 4; how++) {
			const struct markup_options options = {
				.kind = (enum markup_kind)kind,
				.numbers = (how & 1) != 0,
				.unicode = (how & 2) != 0 ? MARKUP_UNICODE_STRIP
							  : MARKUP_UNICODE_MARK,
			};
			struct markup_rules rules;
			size_t nr;

			markup_rules_init(&rules, &options);
			nr = write_all(&rules, text, sizeof(text), out);
			ASSERT_EQ(markup_is_identity(&options),
				  nr == sizeof(text) &&
					  memcmp(out, text, nr) == 0);
		}
}

/* An extra is escaped as content of its format is, and nothing else. */
static void
test_formats_extras_are_escaped_only(void **state)
{
	static const uint8_t text[] = "a\n\"]]>\xe2\x80\xae";
	uint8_t plain[sizeof(text) * MARKUP_STEP_BYTES];
	uint8_t out[sizeof(text) * MARKUP_STEP_BYTES];

	for (int kind = 0; kind < MARKUP_TEMPLATE; kind++) {
		struct markup_options options = {
			.kind = (enum markup_kind)kind,
			.numbers = true,
			.unicode = MARKUP_UNICODE_STRIP,
		};
		struct markup_rules rules;
		size_t nr;

		markup_rules_init_extra(&rules, &options);
		nr = write_all(&rules, text, sizeof(text), out);
		options.numbers = false;
		options.unicode = MARKUP_UNICODE_MARK;
		markup_rules_init(&rules, &options);
		ASSERT_EQ(write_all(&rules, text, sizeof(text), plain), nr);
		ASSERT_EQ(memcmp(plain, out, nr), 0);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_formats_identity_is_what_the_bytes_say),
		cmocka_unit_test(test_formats_extras_are_escaped_only),
	};

	return cmocka_run_group_tests_name("markup/formats", tests, NULL, NULL);
}
