/* SPDX-License-Identifier: MIT */
/*
 * test_chunk_export.c - how many names a file exports, counted by hand.
 *
 * verifies: CTX-02.3
 */
#include "tests/support/test_shm.h"

#include "lang/facts.h"

struct count {
	uint32_t lang;
	uint32_t nr;
	uint32_t all_nr;
	bool is_header;
};

static void
add_def(void *context, const struct lang_def *def)
{
	struct count *count = context;

	count->nr += lang_is_export(count->lang, count->is_header, def);
}

static void
add_declared(void *context, const struct lang_def *def)
{
	struct count *count = context;

	if (count->is_header)
		add_def(context, def);
}

static void
add_exports(void *context, enum lang_export what, uint32_t nr)
{
	struct count *count = context;

	if (what == LANG_EXPORT_ALL)
		count->all_nr += nr;
	else if (what == LANG_EXPORT_NAMES || count->is_header)
		count->nr += nr;
}

/* The text in parts of so many bytes, each with all that was before it. */
static uint32_t
exports_of(const char *hint, bool is_header, const char *text, size_t part)
{
	static struct lang_scan scan;
	struct count count = { .is_header = is_header };
	struct lang_sink sink = {
		.def = add_def,
		.declare = add_declared,
		.exports = add_exports,
		.context = &count,
	};
	size_t nr = strlen(text);

	count.lang = lang_find(hint, strlen(hint));
	assert_int_not_equal(count.lang, LANG_NONE);
	lang_scan_init(&scan, count.lang, nr);
	for (size_t end = 0; end < nr;) {
		struct lang_text piece = { (const uint8_t *)text, 0, 0, 0 };

		end = min_size(end + part, nr);
		piece.nr = end;
		piece.at_end = end == nr;
		lang_scan_feed(&scan, &piece, UINT64_MAX, &sink);
	}
	return count.all_nr > 0 ? count.all_nr : count.nr;
}

#define C_TEXT                                                          \
	"#ifndef A_H\n#define A_H\n#define ONE 1\n#define TWO(a) (a)\n" \
	"struct s { int a; };\nstruct later;\ntypedef int t;\n"         \
	"int f(void);\nextern int x;\n"                                 \
	"static inline int g(void) { return 1; }\n#endif\n"

static const struct {
	const char *hint;
	const char *text;
	uint32_t want;
	bool is_header;
} texts[] = {
	/* the forms of export */
	{ "javascript", "export const v = 1\n", 1, false },
	{ "javascript", "export const a = 1, b = [2, 3], c = f(4, d)\n", 3,
	  false },
	{ "javascript", "export let a = { b: 1, c: 2 };\nlet d = 1;\n", 1,
	  false },
	{ "javascript", "export const { a, b: c } = f();\n", 2, false },
	{ "javascript", "export const [a, b] = f();\n", 2, false },
	{ "javascript",
	  "const a = 1;\nfunction f() {}\nexport { a, f as g };\n", 2, false },
	{ "javascript", "export { a, b } from './c';\nexport * from './d'\n", 3,
	  false },
	{ "javascript", "export default { a: 1, b() {} };\n", 1, false },
	{ "javascript", "export default function () {\n}\n", 1, false },
	{ "javascript", "export default function f({ a }) {\n}\n", 1, false },
	{ "javascript", "export const f = ({ a }) => a\nexport const g = 1\n",
	  2, false },
	{ "javascript", "export const f = memo(() => {\n\treturn 1\n})\n", 1,
	  false },
	{ "javascript", "export async function* f(a) {\n\tconst b = 1\n}\n", 1,
	  false },
	/* members are of their class */
	{ "javascript", "class A {\n\tb() {}\n\tc() {}\n}\n", 0, false },
	{ "javascript", "export class A {\n\tb() {}\n\tc() {}\n}\n", 1, false },
	{ "javascript", "const a = { b() {}, c() {} };\n", 0, false },
	{ "javascript", "export class A {\n\tb = 1\n}\nnew A()\n", 1, false },
	/* CommonJS */
	{ "javascript", "module.exports = { a, b: 1, c() {}, d: () => 2 };\n",
	  4, false },
	{ "javascript",
	  "module.exports = {\n\ta,\n\t...b,\n\tc: { d: 1, e: 2 },\n\tf: "
	  "function () { g = { h: 1 } },\n\tasync i({ j }) { return j },\n};\n",
	  4, false },
	{ "javascript", "exports.x = 1;\nexports.f = function () {\n};\n", 2,
	  false },
	{ "javascript", "module.exports = f;\nfunction f() {}\n", 1, false },
	{ "javascript",
	  "module.exports.a = 1\nmodule.exports.b = { c: 1 }\nexports['d'] = 2\n"
	  "exports.a.e = 3\n",
	  3, false },
	{ "javascript",
	  "var app = exports = module.exports = {};\n"
	  "app.init = function init() {\n\tthis.a = 1;\n};\napp.x = 1;\n"
	  "app.y.z = 1;\nother.a = function () {};\n",
	  3, false },
	{ "javascript",
	  "var res = Object.create(null);\nmodule.exports = res;\n"
	  "res.send = function send(body) {\n};\n",
	  2, false },
	{ "javascript",
	  "function f() {\n\tvar exports = {};\n"
	  "\texports.a = 1;\n}\n",
	  0, false },
	{ "javascript",
	  "exports.a = exports.b = void 0;\nexports.a = 1;\n"
	  "exports.b = 2;\n",
	  2, false },
	/* TypeScript */
	{ "typescript",
	  "export type T = { a: 1 };\nexport interface I { a: number }\n"
	  "export enum E { A, B }\nexport const a: Map<string, T> = f();\n"
	  "export declare const b: number;\nexport abstract class C {\n"
	  "\tabstract d(): void\n}\ntype Own = 1\ninterface J {}\n",
	  6, false },
	{ "typescript", "export type { A, B } from './c'\nexport = f\n", 3,
	  false },
	{ "typescript",
	  "export namespace N {\n\texport const a = 1\n\tconst b = 2\n}\n"
	  "namespace M {\n\texport const a = 1\n}\n",
	  2, false },
	/* Python */
	{ "python",
	  "import a\nX = 1\nY: int = 2\n_z = 3\nA, B = 1, 2\nA == B\n"
	  "a.b = 1\nf(x=1)\nif X:\n    pass\nelse:\n    Q = 1\n"
	  "def f(a=1):\n    b = 1\n\ndef _g():\n    pass\n\n"
	  "class C:\n    D = 1\n    def m(self):\n        pass\n",
	  6, false },
	{ "python",
	  "\"\"\"Doc.\"\"\"\n__all__ = [\n    'a', \"b\",  # 'no'\n    'c',\n]\n"
	  "X = 'd'\n__all__ += ['e']\n@f('no')\ndef a(): pass\n",
	  4, false },
	/* Rust */
	{ "rust",
	  "#![deny(x)]\n\npub const A: [u8; 2] = [1, 2];\nconst B: u8 = 1;\n"
	  "pub static C: S = S { d: 1 };\npub use a::{b, c::{d, e}};\n"
	  "pub use f::g;\nuse h::i;\npub(crate) const J: u8 = 1;\n"
	  "pub fn k() {\n}\nfn l() {}\n#[derive(M)]\npub struct N { pub o: u8 }\n"
	  "impl N {\n\tpub fn p() {}\n\tpub const Q: u8 = 1;\n}\n"
	  "mod r {\n\tpub fn s() {}\n}\npub mod t {\n\tpub fn u() {}\n}\n",
	  11, false },
	/* Go */
	{ "go",
	  "package a\n\nconst A = 1\nvar b, C = 1, 2\n\nconst (\n"
	  "\t// D is one\n\tD = iota\n\te\n\tF\n)\n\nvar (\n"
	  "\tG = T{\n\t\tH: 1,\n\t}\n\tI string\n)\n\n// J does\n"
	  "func J() {\n\tconst K = 1\n\tvar (\n\t\tL = 1\n\t)\n}\n"
	  "func (t *T) M() {}\nfunc n() {}\ntype T struct {\n\tO int\n}\n",
	  8, false },
	/* C, C++ */
	{ "c", C_TEXT, 7, true },
	{ "c", C_TEXT, 0, false },
	{ "c",
	  "int a, b = 1;\nstatic int c;\nextern int d;\n"
	  "const struct ops ops = { .e = 1 };\nstatic int f(void);\n"
	  "int g(void)\n{\n\tint h = 1;\n\treturn h;\n}\n"
	  "static int f(void)\n{\n}\nstruct i { int j; };\nchar k[2][3];\n"
	  "EXPORT_SYMBOL(g);\n",
	  5, false },
	{ "cpp",
	  "namespace a {\nclass B {\npublic:\n\tvoid c();\n\tint d;\n};\n"
	  "void e();\nusing F = int;\nextern int g;\n}\n",
	  4, true },
	/* others */
	{ "java",
	  "public class A {\n\tpublic static final int B = 1;\n"
	  "\tpublic void c() {}\n}\nclass D {\n\tpublic void e() {}\n}\n",
	  1, false },
	{ "csharp",
	  "namespace A {\n\tpublic class B {\n\t\tpublic void C() {}\n\t}\n"
	  "\tinternal class D {}\n}\n",
	  1, false },
	{ "kotlin",
	  "const val A = 1\nprivate val b = 2\nval c by lazy { 1 }\n"
	  "fun d() {\n\tval e = 1\n}\nclass F {\n\tval g = 1\n\tfun h() {}\n}\n",
	  4, false },
	{ "swift",
	  "public let a = 1\nprivate var b = 2\npublic struct C {\n"
	  "\tpublic var d = 1\n\tpublic func e() {}\n}\n",
	  2, false },
	{ "php",
	  "<?php\nnamespace A;\nconst B = 1, C = 2;\ndefine('D', 3);\n"
	  "function e() {}\nclass F {\n\tconst G = 1;\n"
	  "\tpublic function h() {}\n}\n",
	  5, false },
	{ "ruby",
	  "module A\n  B = 1\n  class C\n    D = 1\n    def e\n    end\n  end\n"
	  "end\nF = 2\nG == 3\n",
	  4, false },
};

static void
test_export_count_is_as_counted_by_hand(void **state)
{
	uint32_t wrong = 0;

	for (size_t i = 0; i < ARRAY_LEN(texts); i++) {
		uint32_t got = exports_of(texts[i].hint, texts[i].is_header,
					  texts[i].text, SIZE_MAX / 2);

		if (got == texts[i].want)
			continue;
		print_error("%s: got %u, want %u:\n%s\n", texts[i].hint, got,
			    texts[i].want, texts[i].text);
		wrong++;
	}
	assert_int_equal(wrong, 0);
}

static void
test_export_count_does_not_depend_on_parts(void **state)
{
	for (size_t i = 0; i < ARRAY_LEN(texts); i++)
		for (size_t part = 65; part < 140; part += 9)
			assert_int_equal(exports_of(texts[i].hint,
						    texts[i].is_header,
						    texts[i].text, part),
					 texts[i].want);
}

/* More names than a head has tokens. */
static void
test_export_count_of_long_lists(void **state)
{
	static const char *const forms[][3] = {
		{ "javascript", "export {\n", "} from './a';\n" },
		{ "javascript", "module.exports = {\n", "};\n" },
		{ "typescript", "export type {\n", "} from './a'\n" },
		{ "rust", "pub use crate::{\n", "};\n" },
		{ "python", "__all__ = [\n", "]\n" },
	};
	char text[4096];

	for (size_t i = 0; i < ARRAY_LEN(forms); i++) {
		bool quoted = strcmp(forms[i][0], "python") == 0;
		size_t nr = (size_t)sprintf(text, "%s", forms[i][1]);

		for (int k = 0; k < 150; k++)
			nr += (size_t)sprintf(
				text + nr, quoted ? "\t'a%d',\n" : "\ta%d,\n",
				k);
		sprintf(text + nr, "%s", forms[i][2]);
		assert_int_equal(exports_of(forms[i][0], false, text, 4096),
				 150);
	}
}

static void
test_export_headers_are_known_by_their_names(void **state)
{
	static const struct {
		const char *path;
		bool want;
	} paths[] = { { "a/b.h", true },  { "b.hpp", true }, { "b.c", false },
		      { "b.h/c", false }, { "h", false },    { "", false } };

	for (size_t i = 0; i < ARRAY_LEN(paths); i++)
		assert_int_equal(lang_is_header((const uint8_t *)paths[i].path,
						strlen(paths[i].path)),
				 paths[i].want);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_export_count_is_as_counted_by_hand),
		cmocka_unit_test(test_export_count_does_not_depend_on_parts),
		cmocka_unit_test(test_export_count_of_long_lists),
		cmocka_unit_test(test_export_headers_are_known_by_their_names),
	};

	return cmocka_run_group_tests_name("chunk/export", tests, NULL, NULL);
}
