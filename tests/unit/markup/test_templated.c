/* SPDX-License-Identifier: MIT */
/*
 * test_templated.c - an output as a template has it, and templates that could
 * not be one.
 */
#include "tests/support/test_shm.h"

#include "markup/templated.h"

static char bytes[4096];
static struct markup_text text;

/* What is written of two files, the second of which is empty. */
static void
check(const char *source, const char *want)
{
	struct markup_section one = {
		.name = (const uint8_t *)"a<b",
		.name_bytes = 3,
		.path = "a<b",
		.hint = "c",
		.hint_bytes = 1,
		.line_first = 1,
		.line_last = 2,
		.line_nr = 2,
		.is_first = true,
		.is_whole = true,
	};
	struct markup_section two = {
		.name = (const uint8_t *)"e",
		.name_bytes = 1,
		.path = "e",
		.hint = "",
		.empty = true,
	};
	struct templated templated;
	struct template_error error;
	struct markup_options options = { .kind = MARKUP_TEMPLATE,
					  .templated = &templated };

	ASSERT_EQ(templated_parse(&templated, source, strlen(source), &error),
		  0);
	memset(bytes, 0, sizeof(bytes));
	text = (struct markup_text){ .at = bytes,
				     .room = sizeof(bytes) - 1,
				     .options = &options };
	markup_templated.begin(&text, &options, NULL);
	markup_templated.open(&text, &options, &one);
	if (!text.drops_content)
		markup_add_string(&text, "x\ny\n");
	markup_templated.close(&text, &one, false);
	text.drops_content = false;
	markup_templated.open(&text, &options, &two);
	markup_templated.close(&text, &two, false);
	markup_templated.files_end(&text, &options, 2);
	markup_templated.end(&text);
	if (strcmp(bytes, want) != 0)
		fail_msg("%s: got\n%s\nwant\n%s", source, bytes, want);
	template_free(&templated.template);
}

static void
test_templated_output_is_as_the_template_has_it(void **state)
{
	check("head\n{{#files}}\n= {{{path}}}\n{{{content}}}{{/files}}\nend\n",
	      "head\n= a<b\nx\ny\n= e\n\nend\n");
	check("{{#files}}{{path}}:{{line_first}}-{{line_last}};{{/files}}",
	      "a&lt;b:1-2;e:0-0;");
	check("{{#files}}{{#is_empty}}none{{/is_empty}}{{^is_empty}}"
	      "{{language}}{{/is_empty}} {{/files}}",
	      "c none ");
}

static void
test_templated_that_could_not_be_an_output_is_refused(void **state)
{
	static const struct {
		const char *source;
		uint32_t line;
		const char *what;
	} cases[] = {
		{ "", 1, "no {{#files}}: nothing would be packed" },
		{ "{{#files}}\n{{pth}}{{/files}}", 2, "no such name: pth" },
		{ "{{#files}}{{/files}}{{#files}}{{/files}}", 1,
		  "has each of them once" },
		{ "{{files}}", 1, "files must be {{#files}}" },
		{ "{{#tree}}{{#files}}{{/files}}{{/tree}}", 1,
		  "{{#files}} stands in no section" },
		{ "{{content}}\n{{#files}}{{/files}}", 1,
		  "{{content}} stands in {{#files}}" },
		{ "{{tree}}{{#files}}{{/files}}", 1,
		  "{{tree}} stands behind {{/files}}" },
		{ "{{#files}}{{#chunks}}{{/chunks}}{{/files}}", 1,
		  "{{#chunks}} has to hold {{content}}" },
	};

	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct templated templated;
		struct template_error error = { 0 };

		ASSERT_EQ(templated_parse(&templated, cases[i].source,
					  strlen(cases[i].source), &error),
			  -EINVAL);
		if (strstr(error.what, cases[i].what) == NULL ||
		    error.line != cases[i].line)
			fail_msg("%s: got line %u, %s", cases[i].source,
				 error.line, error.what);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
			test_templated_output_is_as_the_template_has_it),
		cmocka_unit_test(
			test_templated_that_could_not_be_an_output_is_refused),
	};

	return cmocka_run_group_tests_name("markup/templated", tests, NULL,
					   NULL);
}
