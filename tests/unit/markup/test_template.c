/* SPDX-License-Identifier: MIT */
/*
 * test_markup_template.c - the language of templates, by hand. Random
 * templates, and the cases of its specification: tests/oracle/template.sh.
 */
#include "tests/support/test_shm.h"

#include "markup/templated.h"
#include "tests/support/test_markup_json_view.h"

static const struct {
	const char *template;
	const char *data;
	const char *want; /* NULL: a mistake */
} cases[] = {
	{ "", "{}", "" },
	{ "plain {text} }} \n", "{}", "plain {text} }} \n" },
	/* values and escapes */
	{ "{{a}}|{{ a }}|{{\ta\n}}", "{\"a\":\"x\"}", "x|x|x" },
	{ "{{a}} {{{a}}} {{&a}} {{& a }}", "{\"a\":\"<&>\\\"'\"}",
	  "&lt;&amp;&gt;&quot;&#39; <&>\"' <&>\"' <&>\"'" },
	{ "[{{none}}{{{none}}}{{a.b}}]", "{\"a\":{}}", "[]" },
	{ "{{a.b.c}}", "{\"a\":{\"b\":{\"c\":7}}}", "7" },
	{ "{{#a}}{{b.c}}{{/a}}", "{\"a\":{\"b\":{}},\"b\":{\"c\":\"no\"}}",
	  "" },
	/* sections */
	{ "{{#a}}yes{{/a}}{{^a}}no{{/a}}", "{\"a\":true}", "yes" },
	{ "{{#a}}yes{{/a}}{{^a}}no{{/a}}", "{\"a\":false}", "no" },
	{ "{{#a}}yes{{/a}}{{^a}}no{{/a}}", "{\"a\":[]}", "no" },
	{ "{{#a}}yes{{/a}}{{^a}}no{{/a}}", "{}", "no" },
	{ "{{#a}}{{.}},{{/a}}", "{\"a\":[1,2,\"<\"]}", "1,2,&lt;," },
	{ "{{#a}}{{b}}{{c}};{{/a}}", "{\"c\":9,\"a\":[{\"b\":1},{\"c\":2}]}",
	  "19;2;" },
	{ "{{#a}}{{#a}}{{b}}{{/a}}{{/a}}", "{\"a\":{\"b\":1,\"a\":{\"b\":2}}}",
	  "2" },
	/* a tag that is alone on its line takes it */
	{ "1\n{{#a}}\n2\n{{/a}}\n3\n", "{\"a\":true}", "1\n2\n3\n" },
	{ "1\r\n  {{#a}}  \r\n2\r\n\t{{/a}}", "{\"a\":true}", "1\r\n2\r\n" },
	{ "  {{a}}\n", "{\"a\":1}", "  1\n" },
	{ " {{#a}} {{/a}}\n", "{\"a\":true}", "  \n" },
	{ "x {{! c }}\n{{! all\n of it }}\ny", "{}", "x \ny" },
	/* delimiters */
	{ "{{=<% %>=}}<%a%>{{a}}<%={{ }}=%>{{a}}", "{\"a\":1}", "1{{a}}1" },
	{ "{{= | | =}}\n|#a|x|/a|\n|={{ }}=|\n{{a}}", "{\"a\":1}", "x\n1" },
	/* mistakes */
	{ "{{", "{}", NULL },
	{ "{{a", "{}", NULL },
	{ "{{{a}}", "{}", NULL },
	{ "{{}}", "{}", NULL },
	{ "{{a b}}", "{}", NULL },
	{ "{{#a}}", "{}", NULL },
	{ "{{/a}}", "{}", NULL },
	{ "{{#a}}{{#b}}{{/a}}{{/b}}", "{}", NULL },
	{ "{{=}}", "{}", NULL },
	{ "{{=a=}}", "{}", NULL },
	{ "{{=a b c=}}x", "{}", "x" },
	{ "{{> part}}", "{}", NULL },
	{ "{{< parent}}{{/parent}}", "{}", NULL },
	{ "{{$block}}{{/block}}", "{}", NULL },
	{ "{{%nothing known}}", "{}", NULL },
};

/* verifies: FR-016-139 */
static void
test_template_by_hand_gives_what_the_specification_says(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		json_t *data = json_loads(cases[i].data, 0, NULL);
		struct template_error error;
		char *got = json_view_render(cases[i].template,
					     strlen(cases[i].template), data,
					     &error);

		if ((got == NULL) != (cases[i].want == NULL) ||
		    (got != NULL && strcmp(got, cases[i].want) != 0))
			fail_msg("%s: got %s, want %s", cases[i].template,
				 got == NULL ? error.what : got,
				 cases[i].want == NULL ? "a mistake"
						       : cases[i].want);
		free(got);
		json_decref(data);
	}
}

/* verifies: FR-016-139 */
static void
test_template_mistake_is_told_with_its_line(void **state)
{
	static const struct {
		const char *template;
		uint32_t line;
		const char *what;
	} mistakes[] = {
		{ "a\n\n{{#files}}\nb\n", 3, "a section without end: files" },
		{ "a\n{{#files}}{{/files}}\n{{ nobody\n}}", 3,
		  "no such name: nobody; docs/formats.md lists them" },
		/* of a name, so much as a terminal may get */
		{ "{{\x1b[31m\xff}}", 1,
		  "no such name: ?[31m?; docs/formats.md lists them" },
		{ "{{#\x1b}}", 1, "a section without end: ?" },
		{ "{{path}}\n", 1, "no {{#files}}: nothing would be packed" },
		{ "{{#files}}\n{{content}}\n{{content}}{{/files}}", 3,
		  "files, chunks, content and tree go by once, so a template "
		  "has each of them once" },
		{ "{{#header}}\n{{#files}}{{/files}}{{/header}}", 2,
		  "{{#files}} stands in no section" },
		{ "{{#files}}{{#chunks}}{{line}}{{/chunks}}{{/files}}", 1,
		  "{{#chunks}} has to hold {{content}}" },
		{ "{{content}}{{#files}}{{/files}}", 1,
		  "{{content}} stands in {{#files}}" },
		{ "{{tree}}\n{{#files}}{{/files}}", 1,
		  "{{tree}} stands behind {{/files}}: it is known when all "
		  "files are" },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(mistakes); i++) {
		struct template_error error;
		struct templated templated;

		ASSERT_EQ(templated_parse(&templated, mistakes[i].template,
					  strlen(mistakes[i].template), &error),
			  -EINVAL);
		if (error.line != mistakes[i].line ||
		    strcmp(error.what, mistakes[i].what) != 0)
			fail_msg("%s: got line %u: %s, want line %u: %s",
				 mistakes[i].template, error.line, error.what,
				 mistakes[i].line, mistakes[i].what);
	}
}

static void
test_template_too_deep_is_refused(void **state)
{
	char source[8 * 40];
	struct template_error error;
	struct template template;
	size_t nr = 0;

	(void)state;
	for (int i = 0; i <= TEMPLATE_DEPTH_MAX; i++)
		nr += (size_t)sprintf(source + nr, "{{#a}}");
	ASSERT_EQ(template_parse(&template, source, nr, &error), -EINVAL);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
			test_template_by_hand_gives_what_the_specification_says),
		cmocka_unit_test(test_template_mistake_is_told_with_its_line),
		cmocka_unit_test(test_template_too_deep_is_refused),
	};

	return cmocka_run_group_tests_name("markup/template", tests, NULL,
					   NULL);
}
