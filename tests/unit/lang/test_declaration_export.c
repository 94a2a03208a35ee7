/* SPDX-License-Identifier: MIT */
/*
 * test_declaration_export.c - what statements that are no definition make
 *                             known to others: how many names, and which.
 */
#include "tests/support/test_lang_told.h"

#include "lang/scan.h"

static void
add(struct told *told, const char *format, ...)
{
	va_list values;

	va_start(values, format);
	told->nr += (size_t)vsnprintf(told->text + told->nr,
				      sizeof(told->text) - told->nr, format,
				      values);
	va_end(values);
	assert_true(told->nr < sizeof(told->text));
}

static void
told_exports(void *context, enum lang_export what, uint32_t nr)
{
	static const char *const words[] = { "names", "declared", "all" };

	add(context, "%s %u;", words[what], nr);
}

static void
told_listed(void *context, uint64_t off, uint32_t bytes)
{
	struct told *told = context;

	add(told, "[%.*s]", (int)bytes, told->source + off);
}

/* A language, a text of it, and all that is told of that in its order. */
static const struct told_case cases[] = {
	{ "javascript", "export { a, b as c, };\n", "[ a, b as c]names 2;" },
	{ "javascript", "export default f;\n", "[f]names 1;" },
	{ "javascript", "export default f(1);\n", "names 1;" },
	{ "javascript", "export const a = 1, b = f(2, c), d = 3;\n",
	  "names 3;" },
	{ "javascript", "export * from 'a';\nexport * as b from 'c';\n",
	  "names 1;names 1;" },
	{ "typescript", "export declare const a: T, b: U;\n", "names 2;" },
	/* definitions are told as such, and what is not exported not at all */
	{ "javascript", "export function f() {\n}\nconst a = 1, b = 2;\n", "" },
	{ "javascript", "exports.a = 1;\nexports['b'] = 2;\nexports.c.d = 3;\n",
	  "[a]names 1;names 1;" },
	{ "javascript", "exports.a = exports.b = void 0;\n", "" },
	{ "javascript", "module.exports = f;\n", "[f]names 1;" },
	{ "javascript", "module.exports = {\n\ta,\n\tb: { c: 1 },\n\t...d\n};\n",
	  "[a]names 1;[b]names 1;" },
	{ "javascript",
	  "module.exports = {\n\tget a() { },\n\tasync b() { },\n"
	  "\t*c() { },\n\tget: 1,\n\tasync,\n};\n",
	  "[a]names 1;[b]names 1;[c]names 1;[get]names 1;[async]names 1;" },
	/* what exports is set to stands for it from then on */
	{ "javascript", "var a = module.exports = {};\na.b = f;\nc.d = f;\n",
	  "[b]names 1;" },
	{ "rust",
	  "pub const A: u8 = 1;\npub(crate) static B: u8 = 2;\n"
	  "pub use a::{b, c::{d, *}};\npub use f::g;\n"
	  "use h;\nconst I: u8 = 1;\n",
	  "names 1;names 1;names 3;names 1;" },
	{ "go", "const A, b = 1, 2\nvar (\n\tC int\n\td int\n)\nvar E = f()\n",
	  "names 1;names 1;names 1;" },
	{ "php", "<?php\nconst A = 1, B = 2;\ndefine('C', 3);\nf('D');\n",
	  "names 2;names 1;" },
	{ "kotlin", "val a = 1\nprivate val b = 2\nvar _c = 3\nf(val4)\n",
	  "names 1;names 1;" },
	{ "c",
	  "int a, b[3], *c, **d;\nextern int e;\nstatic int g;\nint f(void);\n"
	  "struct h;\nreturn k;\nl = 1;\n",
	  "names 4;declared 1;declared 1;" },
	{ "cpp", "using A = int;\nusing namespace b;\nnamespace n {\nint c;\n}\n",
	  "declared 1;names 1;" },
	{ "java", "class A {\n\tint b;\n}\n", "" },
};

static void
test_declaration_export_tells_names_and_lists(void **state)
{
	const struct lang_sink sink = { .exports = told_exports,
					.listed = told_listed };

	assert_told_to(&sink, cases, ARRAY_LEN(cases));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_declaration_export_tells_names_and_lists),
	};

	return cmocka_run_group_tests_name("lang/declaration_export", tests,
					   NULL, NULL);
}
