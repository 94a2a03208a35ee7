/* SPDX-License-Identifier: MIT */
/*
 * test_outline.c - texts of which only the signatures stay.
 */
#include "tests/support/test_lang_out.h"

static void
test_chunk_sign_text_without_structure_is_its_first_lines(void **state)
{
	char text[256];
	struct out out = { .nr = 0 };
	size_t nr = 0;

	for (int i = 1; i <= 30; i++)
		nr += (size_t)sprintf(text + nr, "line %d\n", i);
	ASSERT_EQ(lang_outline(LANG_NONE, (uint8_t *)text, nr, false, out_put,
			       &out),
		  out.nr);
	assert_true(strncmp(out.text, text, out.nr) == 0);
	assert_string_equal(out.text + out.nr - 8, "line 20\n");
}

static void
test_chunk_sign_leaves_out_private_methods_and_bodies(void **state)
{
	static const char text[] = "import a.B;\nimport c.D;\n"
				   "/** Says what. */\n"
				   "public class C extends B {\n"
				   "  private void hidden() { if (x) { } }\n"
				   "  @Override\n"
				   "  public int shown(int a) { return 1; }\n"
				   "}\n";
	struct out out = { .nr = 0 };

	lang_outline(LANG_JAVA, (const uint8_t *)text, strlen(text), true,
		     out_put, &out);
	assert_string_equal(out.text, "imports: a.B, c.D\n"
				      "/** Says what. */\n"
				      "public class C extends B\n"
				      " @Override\n"
				      " public int shown(int a)\n");
	out.nr = 0;
	lang_outline(LANG_JAVA, (const uint8_t *)text, strlen(text), false,
		     out_put, &out);
	assert_string_equal(out.text, "imports: a.B, c.D\n"
				      "public class C extends B\n"
				      " @Override\n"
				      " public int shown(int a)\n");
}

/* A text by the hint of its language, and its signatures. */
struct outlined {
	const char *hint;
	const char *text;
	const char *want;
};

static void
assert_outlines(const struct outlined *cases, size_t nr)
{
	for (size_t i = 0; i < nr; i++) {
		struct out out = { .nr = 0 };

		lang_outline(lang_find(cases[i].hint, strlen(cases[i].hint)),
			     (const uint8_t *)cases[i].text,
			     strlen(cases[i].text), false, out_put, &out);
		assert_string_equal(out.text, cases[i].want);
	}
}

/* A word that begins a class elsewhere, and a method that looks like signs. */
static void
test_chunk_sign_names_of_methods_may_be_words_of_the_language(void **state)
{
	static const struct outlined cases[] = {
		{ "java",
		  "public class A {\n  public void record(int b) { }\n"
		  "  protected abstract int record();\n"
		  "  public record C(int d) { }\n"
		  "  protected E delegate() { return e; }\n}\n",
		  "public class A\n public void record(int b)\n"
		  " protected abstract int record();\n"
		  " public record C(int d)\n protected E delegate()\n" },
		{ "typescript",
		  "@Component({\n  selector: 'app',\n"
		  "  template: '<div>{{ name }}</div>',\n})\n"
		  "export class Card {\n"
		  "  @Input({ required: true }) name!: string;\n"
		  "  #c(d) { }\n  get #e() { }\n  get f() { }\n}\n",
		  "@Component(...)\nexport class Card\n"
		  " @Input({ required: true }) name!: string;\n get f()\n" },
		{ "scala",
		  "class A {\n  def b: Int = c.##\n\n  def d = { 1 }\n}\n",
		  "class A\n def b: Int\n def d\n" },
	};

	assert_outlines(cases, ARRAY_LEN(cases));
}

/* Bodies that are as short as a signature, and what file is of. */
static void
test_chunk_sign_keeps_bodies_that_others_need(void **state)
{
	static const struct outlined cases[] = {
		{ "csharp",
		  "namespace A.B;\npublic class C\n{\n"
		  "    public int D { get; private set; } = 1;\n"
		  "    public int E\n    {\n        get { return 1; }\n    }\n"
		  "    public int F { get => 1; }\n"
		  "    public required string G { get; init; }\n}\n"
		  "public interface I { int J { get; } void K(); }\n",
		  "namespace A.B;\npublic class C\n"
		  " public int D { get; private set; }\n public int E\n"
		  " public int F\n public required string G { get; init; }\n"
		  "public interface I\n int J { get; }\n void K();\n" },
		{ "php",
		  "<?php\nnamespace A\\B;\nclass C { function d() { } }\n",
		  "namespace A\\B;\nclass C\n function d()\n" },
		{ "cpp",
		  "template <typename T>\nconcept A = requires(T a) {\n"
		  "  { a + a } -> B<T>;\n  requires C<T>;\n};\n"
		  "int D::e{1};\nF<int> D::g{\n  1,\n};\n"
		  "void D::h() { }\nnamespace i::j {\nint k;\n}\n",
		  "template <typename T>\nconcept A = requires(T a) {\n"
		  " { a + a } -> B<T>;\n requires C<T>;\n};\n"
		  "int D::e{1};\nF<int> D::g ...\nvoid D::h()\n"
		  "namespace i::j\nint k;\n" },
	};

	assert_outlines(cases, ARRAY_LEN(cases));
}

/* What constants of enums are made with may have braces, and may be long. */
static void
test_chunk_sign_has_constants_of_enums_with_braces(void **state)
{
	static const struct outlined cases[] = {
		{ "java",
		  "public enum A {\n    B(new byte[] {\n            1, 2,\n"
		  "            3\n    }, true),\n"
		  "    C(new byte[] { 4 }, true),\n    D(() -> { return 1; }),\n"
		  "    E(1) {\n        @Override\n"
		  "        public int f() { return 2; }\n    },\n    G;\n"
		  "    A(byte[] h, boolean i) { this.h = h; }\n}\n",
		  "public enum A\n B ...\n C(new byte[] { 4 }, true),\n"
		  " D(() -> { return 1; }),\n E(1)\n"
		  " @Override\n public int f()\n G;\n"
		  " A(byte[] h, boolean i)\n" },
		{ "kotlin",
		  "enum class A(val b: () -> Int) {\n    C({ 1 }),\n"
		  "    D({\n        val e = 2\n        e\n    }),\n"
		  "    F(::g);\n    fun h(): Int { return b() }\n}\n",
		  "enum class A(val b: () -> Int)\n C({ 1 }),\n D ...\n"
		  " F(::g);\n fun h(): Int\n" },
	};

	assert_outlines(cases, ARRAY_LEN(cases));
}

/* Files of settings and scripts that define little: what they take. */
static void
test_chunk_sign_has_variables_of_scripts(void **state)
{
	static const struct outlined cases[] = {
		{ "makefile",
		  "# words\nCC ?= gcc # more\nA := b \\\n\tc\nA += d\n"
		  "export E = f\nx: G = h\n\ti = j\n"
		  "ifdef K\nL ::= m\nendif\n$(N) = o\n"
		  "define P\nQ = r\nendef\n",
		  "CC ?= gcc\nA := ...\nexport E = f\nx: G = h\n"
		  "L ::= m\ndefine P\n" },
		{ "bash",
		  "#!/bin/sh\nset -e\nA=b # c\nD=\"${D:-e f}\"\ng=h\n"
		  "readonly i=j\nexport -n K='l m';\nN=$(date)\n"
		  "export O\nP=q command\nR=\"s\nt\"\nU+=v\nW='$(x)'\n"
		  "y() {\n\tZ=1\n}\nif true; then\n\tAA=1\nfi\n",
		  "A=b\nD=\"${D:-e f}\"\nreadonly i=j\nexport -n K='l m'\n"
		  "R= ...\nW='$(x)'\ny()\n" },
		{ "hcl",
		  "variable \"a\" {\n  description = \"b\"\n  type = string\n"
		  "  default = {\n    c = 1\n  }\n  validation {\n"
		  "    condition = true\n  }\n}\n"
		  "locals {\n  d = 1\n  e = { f = 2 }\n}\n"
		  "module \"g\" {\n  source = \"h\"\n  i = 3\n}\n"
		  "resource \"j\" \"k\" {\n  type = \"l\"\n}\n",
		  "variable \"a\"\n type = string\n default = ...\n"
		  "locals\n d = 1\n e = ...\n"
		  "module \"g\"\n source = \"h\"\nresource \"j\" \"k\"\n" },
	};

	assert_outlines(cases, ARRAY_LEN(cases));
}

/* What packages of Perl offer, and types that functions of Zig make. */
static void
test_chunk_sign_of_packages_and_made_types(void **state)
{
	static const struct outlined cases[] = {
		{ "perl",
		  "package A::B;\nuse strict;\nuse parent 'C';\n"
		  "use constant D => 1;\nuse constant {\n  E => 2,\n};\n"
		  "our $F = '1.0';\nour @EXPORT_OK = qw(\n  g\n  h i\n);\n"
		  "my $j = 3;\nhas k => (is => 'ro');\n"
		  "sub g { my $l = { m => 1 }; return $l; }\n"
		  "package N {\n  our $o = 4;\n  sub p { }\n}\n1;\n",
		  "exports: g h i\npackage A::B;\nuse parent 'C';\n"
		  "use constant D => 1;\nuse constant {\n E => 2,\n};\n"
		  "our $F = '1.0';\nhas k => (is => 'ro');\nsub g\n"
		  "package N\n our $o = 4;\n sub p\n" },
		{ "zig",
		  "pub fn A(comptime T: type) type {\n    const b = 1;\n"
		  "    return struct {\n        c: T,\n        d: u8 = 0,\n"
		  "        pub const E = T;\n"
		  "        pub fn f(self: *@This()) void {\n"
		  "            var g = self;\n        }\n"
		  "        fn h() void {}\n    };\n}\n"
		  "pub fn i(comptime T: type) T {\n"
		  "    return .{ .j = struct { k: u8 } };\n}\n",
		  "pub fn A(comptime T: type) type\n c: T,\n d: u8 = 0,\n"
		  " pub const E = T;\n pub fn f(self: *@This()) void\n"
		  "pub fn i(comptime T: type) T\n" },
	};

	assert_outlines(cases, ARRAY_LEN(cases));
}

/* The comment of a directive stands right before it, in lines of its own. */
static void
test_chunk_sign_has_words_of_directives(void **state)
{
	static const char text[] =
		"#ifndef A_H\n#define A_H\n"
		"/* How many. All of them. */\n#define B(b) 1\n"
		"#define C(c) 2 /* trailing */\n"
		"#define D(d) 3\n"
		"/**\n * The larger one.\n */\n"
		"#define E(a) a\n"
		"// one\n// two. three\r\n#  define F(f) 4\n\n"
		"// apart\n\n#define G(g) 5\n#endif\n";
	struct out out = { .nr = 0 };

	lang_outline(LANG_C, (const uint8_t *)text, strlen(text), true, out_put,
		     &out);
	assert_string_equal(out.text, "/* How many. */\n#define B(b)\n"
				      "#define C(c)\n#define D(d)\n"
				      " * The larger one.\n#define E(a)\n"
				      "// one\n// two.\n#  define F(f)\n"
				      "#define G(g)\n");
}

/* verifies: CTX-01.2 */
static void
test_chunk_sign_lists_what_heads_do_not_say_is_exported(void **state)
{
	static const struct outlined cases[] = {
		{ "javascript",
		  "const x = require('x');\nfunction a() { }\nclass B { }\n"
		  "module.exports = {\n  a,\n  b: B,\n  'c': 1,\n  ...x,\n};\n",
		  "imports: x\nexports: a, b, 'c'\nfunction a()\nclass B\n" },
		{ "javascript",
		  "exports.a = exports.b = void 0;\nfunction a() { }\n"
		  "exports.a = a;\nexports.b = function () { };\n",
		  "exports: a\nfunction a()\nexports.b = function ()\n" },
		{ "javascript",
		  "const a = require('b'), { c } = require('d'),\n"
		  "  { e: { f } } = require('g'), h = require('i').j;\n"
		  "var k = [1, { l: 1 }], m = require('n'), o = function () { };\n"
		  "const { p } = require('q'); f(() => { require('r'); });\n"
		  "s.forEach((t) => { console.log(t, 'and so on', k, m, o); });\n",
		  "imports: b, d, g, i, n, q, r\nvar k = [1, { l: 1 }], m = "
		  "require('n'), o = function ()\n" },
		{ "javascript", "class A { }\nmodule.exports = A;\n",
		  "exports: A\nclass A\n" },
		{ "typescript",
		  "/// <reference types=\"d\" />\n"
		  "declare module \"a\";\ndeclare const b: string;\n",
		  "declare module \"a\";\ndeclare const b: string;\n" },
		{ "typescript",
		  "function a() { }\nexport {\n  a,\n  b as c,\n};\n"
		  "export function d() { }\nexport default a;\n"
		  "export * from './e';\n",
		  "imports: ./e\nexports: a, b as c, a\n"
		  "function a()\nexport function d()\n" },
		{ "python",
		  "__all__ = ['a', \"B\"]\n__all__ += ['a']\n"
		  "def a(): pass\nclass B: pass\nc = 'd'\n",
		  "exports: a, B\ndef a():\nclass B:\nc = 'd'\n" },
		{ "typescript",
		  "export const { a, b: c } = d;\nexport let {\n  e,\n} = f;\n",
		  "exports: a, b: c, e\n" },
		/* nothing else but what others have */
		{ "typescript",
		  "export { a } from './b';\nexport type { C } from './d';\n",
		  "imports: ./b, ./d\nexports: a, C\n" },
	};

	assert_outlines(cases, ARRAY_LEN(cases));
}

static size_t got_put_nr;

static void
got_put(void *context, const uint8_t *text, size_t bytes)
{
	memcpy((uint8_t *)context + got_put_nr, text, bytes);
	got_put_nr += bytes;
}

static void
test_chunk_sign_settings_stay_as_they_are(void **state)
{
	static const char *const cases[][2] = {
		{ "json", "{\n  \"a\": { \"b\": 1 },\n  \"c\": [2]\n}\n" },
		{ "yaml", "# a\nb:\n  c: d\n" },
		{ "toml", "[a]\nb = 1\n\n[c]\nd = 2\n" },
		{ "ini", "; a\n[b]\nc=d\n" },
	};

	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct out out = { .nr = 0 };

		lang_outline(lang_find(cases[i][0], strlen(cases[i][0])),
			     (const uint8_t *)cases[i][1], strlen(cases[i][1]),
			     false, out_put, &out);
		assert_string_equal(out.text, cases[i][1]);
	}
}

static void
assert_documented(const struct outlined *cases, size_t nr)
{
	for (size_t i = 0; i < nr; i++) {
		struct out out = { .nr = 0 };

		lang_outline(lang_find(cases[i].hint, strlen(cases[i].hint)),
			     (const uint8_t *)cases[i].text,
			     strlen(cases[i].text), true, out_put, &out);
		assert_string_equal(out.text, cases[i].want);
	}
}

/* What the comment before says, or the string behind in Python. */
static void
test_chunk_sign_doc_is_the_first_sentence(void **state)
{
	static const struct outlined cases[] = {
		{ "java",
		  "class A {\n  /**\n   * Takes what is\n   * there, e.g. all. Not\n"
		  "   * more.\n   */\n  public int b() { }\n"
		  "  /** Says it\n   * @return c */\n  public int c() { }\n}\n",
		  "class A\n  * Takes what is\n  * there, e.g. all.\n"
		  " public int b()\n /** Says it */\n public int c()\n" },
		{ "csharp",
		  "/// <summary>A person.</summary>\npublic class A {\n}\n",
		  "/// <summary>A person.</summary>\npublic class A\n" },
		{ "go", "// F does a\n// and b. Then c.\nfunc F() {\n}\n",
		  "// F does a\n// and b.\nfunc F()\n" },
		{ "python",
		  "class A:\n    \"\"\"A thing. And more.\"\"\"\n"
		  "    b: int\n    def c(self):\n        r'''\n"
		  "        Does c\n        and d.\n        '''\n"
		  "    def e(self):\n        'Short'\n    def f(self): pass\n",
		  "class A:\n \"\"\"A thing.\"\"\"\n b: int\n def c(self):\n"
		  "  \"\"\"Does c\n  and d.\"\"\"\n def e(self):\n"
		  "  \"\"\"Short\"\"\"\n def f(self):\n" },
		/* of a module, behind its first comments; none is a definition */
		{ "python",
		  "#!/usr/bin/python\n# coding: utf-8\n\n\"\"\"Of all. More.\n\"\"\"\n"
		  "import a\n\nB = 1\n",
		  "imports: a\n\"\"\"Of all.\"\"\"\nB = 1\n" },
		{ "python", "import a\n'No.'\nB = 1\n", "imports: a\nB = 1\n" },
		{ "rust",
		  "pub enum A {\n    /// First. More.\n    B,\n    /// Second.\n"
		  "    C {\n        d: u8,\n    },\n}\n",
		  "pub enum A\n /// First.\n B,\n /// Second.\n"
		  " C {\n  d: u8,\n },\n" },
		{ "kotlin",
		  "class A {\n  /** Where. */\n  @get:B(\"c\")\n  val d: E = f\n}\n",
		  "class A\n /** Where. */\n @get:B(\"c\")\n val d: E = f\n" },
		/* the comment before, and one right before that */
		{ "typescript",
		  "/** Of something else. */\n\n/** Says it. Twice. */\n"
		  "export function a() { }\n"
		  "// lint: off\n/** Does it. */\nexport function b() { }\n"
		  "/* One. */\n/* Two. More. */\n/* Three. */\nclass C { }\n"
		  "// goes on\n// here. Not\n// here.\nfunction d() { }\n"
		  "/*\n * All.\n** not this.\n   nor this.\n */\nclass E { }\n",
		  "/** Says it. */\nexport function a()\n"
		  "// lint: off\n/** Does it. */\nexport function b()\n"
		  "/* Two. */\n/* Three. */\nclass C\n"
		  "// goes on\n// here.\nfunction d()\n * All.\nclass E\n" },
		{ "c", "struct a {\n\t/* how many */\n\tint n;\n};\n",
		  "struct a\n /* how many */\n int n;\n" },
	};

	assert_documented(cases, ARRAY_LEN(cases));
}

static void
test_outline_doc_is_known_by_its_marks(void **state)
{
	static const struct outlined cases[] = {
		/* marks of comments, and what begins like one */
		{ "cpp",
		  "//! Does it. Not this.\nint a(int b) { }\n"
		  "// 1. Does\n//(what c says) and\n//\"d\". No\n// more.\n"
		  "int e(int f) { }\n",
		  "//! Does it.\nint a(int b)\n"
		  "// 1. Does\n//(what c says) and\n//\"d\".\nint e(int f)\n" },
		{ "ocaml",
		  "(* One\n   two. Three. *)\nlet a b = b\n"
		  "(* Four. *)\nlet c d = d\n",
		  "(* One\n two. *)\nlet a b\n(* Four. *)\nlet c d\n" },
		{ "graphql",
		  "\"\"\"\nA user. Of all.\n\"\"\"\ntype User {\n"
		  "  \"The id.\"\n  id(\"how\" a: Int): ID!\n"
		  "  age: Int, \"none\" size: Int\n}\n"
		  "# note\n\"\"\"Roles\"\"\"\nenum Role { ADMIN }\n"
		  "\"of none\"\n\nscalar Date\n",
		  "\"\"\"A user.\"\"\"\ntype User\n"
		  " \"\"\"The id.\"\"\"\n id(\"how\" a: Int): ID!\n"
		  " age: Int, size: Int\n"
		  "# note\n\"\"\"Roles\"\"\"\nenum Role\n ADMIN\n"
		  "scalar Date\n" },
	};

	assert_documented(cases, ARRAY_LEN(cases));
}

/* Struct and variable in one, and what Python has a soft word for. */
static void
test_chunk_sign_declares_more_than_the_first_name(void **state)
{
	static const struct outlined cases[] = {
		{ "c",
		  "struct a {\n\tint n;\n} b, *c[2];\n"
		  "struct d {\n\tint n;\n} e = { 1 };\nstruct f {\n\tint n;\n} ;\n"
		  "typedef struct {\n\tint n;\n} g;\nint h(void)\n{\n}\n",
		  "struct a\n int n;\n} b, *c[2];\nstruct d\n int n;\n} e\n"
		  "struct f\n int n;\ntypedef struct\n int n;\n} g;\n"
		  "int h(void)\n" },
		{ "python",
		  "type A = int\ntype B[T] = list[T]\ntype = 1\ntype(2)\n"
		  "class C:\n    type D = str\n",
		  "type A = int\ntype B[T] = list[T]\ntype = 1\nclass C:\n"
		  " type D = str\n" },
	};

	assert_outlines(cases, ARRAY_LEN(cases));
}

/* Of a long list of members the first ones are there, and a mark. */
/* What lies in the braces of a type without a name is no part of the type before
 * it. */
static void
test_chunk_sign_types_without_a_name_are_those_of_what_follows(void **state)
{
	static const struct outlined cases[] = {
		{ "c",
		  "struct a {\n\tint n;\n};\n"
		  "static struct {\n\tint m;\n} b;\n"
		  "union {\n\tint k;\n} c = { 0 }, *d;\n"
		  "static enum { E, F } g;\nint x;\n",
		  "struct a\n int n;\nstatic struct {\n int m;\n} b;\n"
		  "union {\n int k;\n} c = ...\n"
		  "static enum { E, F } g;\nint x;\n" },
		/* a brace that ends a function is none of a type */
		{ "c", "int f(void)\n{\n}\nmacro;\nstatic int y;\n",
		  "int f(void)\n" },
	};

	assert_outlines(cases, ARRAY_LEN(cases));
}

static void
test_chunk_sign_shortens_what_is_long(void **state)
{
	static char text[8 * OUTLINE_MEMBERS_BYTES];
	static uint8_t got[sizeof(text)];
	struct out out = { .nr = 0 };
	size_t nr = (size_t)sprintf(text, "enum a {\n");

	while (nr < 4 * OUTLINE_MEMBERS_BYTES)
		nr += (size_t)sprintf(text + nr, "\tB%zu,\n", nr);
	nr += (size_t)sprintf(text + nr, "};\nint f(void) { }\n");
	got_put_nr = 0;
	lang_outline(lang_find("c", 1), (uint8_t *)text, nr, false, got_put,
		     got);
	assert_true(got_put_nr < OUTLINE_MEMBERS_BYTES + 64);
	assert_memory_equal(got, "enum a\n B9,\n", 12);
	assert_memory_equal(got + got_put_nr - 19, ",\n ...\nint f(void)\n",
			    19);

	nr = (size_t)sprintf(
		text,
		"@A(%060d, \")\")\n@B(1)\npublic class C {\n"
		"  public int d = %0100d;\n  @E(%060d) public int f;\n}\n",
		1, 2, 3);
	lang_outline(lang_find("java", 4), (uint8_t *)text, nr, false, out_put,
		     &out);
	assert_string_equal(out.text, "@A(...)\n@B(1)\npublic class C\n"
				      " public int d = ...\n"
				      " @E(...) public int f;\n");
}

/* The value of one name goes, and no other name with it. */
static void
test_outline_of_declarators_leaves_out_values_alone(void **state)
{
	static const struct outlined cases[] = {
		{ "c",
		  "int a = f(1, 2) + 3,\n"
		  "    *b = c == d ? 1 : 2,\n"
		  "    e[3], g = \"h, i = 1\";\n",
		  "int a = ..., *b = ..., e[3], g = ...\n" },
		/* arguments of a template are no names */
		{ "cpp", "int a =\n  f<b, c>(1), d;\n", "int a = ..., d;\n" },
		{ "java",
		  "class A {\n  public int b = f(\n    1, c), d = 2;\n}\n",
		  "class A\n public int b = ..., d = ...\n" },
	};

	assert_outlines(cases, ARRAY_LEN(cases));
}

/* A text whose lines begin with @ for each step that they are indented by. */
static size_t
indent(const char *text, const char *step, char out[static 512])
{
	size_t nr = 0;

	for (; *text != '\0'; text++)
		nr += (size_t)snprintf(out + nr, 512 - nr, "%.*s",
				       *text == '@' ? (int)strlen(step) : 1,
				       *text == '@' ? step : text);
	return nr;
}

/* The signatures are the same however the text is indented. */
static void
test_chunk_sign_lines_begin_with_a_blank_a_definition(void **state)
{
	static const struct outlined cases[] = {
		{ "python",
		  "class A(\n@B,\n):\n@def c(\n@@self,\n@@d=[\n@@@1,\n@@],\n@):\n"
		  "@@return\n@class E:\n@@f: int\n@@def g(self): pass\n"
		  "if h:\n@def i(): pass\n",
		  "class A(\n B,\n):\n def c(\n  self,\n  d=[\n  1,\n  ],\n ):\n"
		  " class E:\n  f: int\n  def g(self):\n def i():\n" },
		{ "cpp",
		  "namespace a {\nint b(int c,\n@int d);\n"
		  "class E {\npublic:\n@int f(\n@@int g) { }\n};\n}\n",
		  "namespace a\nint b(int c,\n int d);\nclass E\n"
		  " int f(\n  int g)\n" },
		{ "rust",
		  "impl A {\n@pub fn b<T>(\n@@c: T,\n@)\n@where\n@@T: D,\n@{\n@}\n}\n"
		  "pub fn e(\n@f: u8,\n) {\n}\n",
		  "impl A\n pub fn b<T>(\n  c: T,\n )\n where\n  T: D,\n"
		  "pub fn e(\n f: u8,\n)\n" },
		{ "go",
		  "type A struct {\n@B int\n@C struct {\n@@D int\n@}\n}\n"
		  "func (a *A) E(\n@b int,\n) error {\n@return nil\n}\n",
		  "type A struct\n B int\n C struct {\n  D int\n }\n"
		  "func (a *A) E(\n b int,\n) error\n" },
		{ "java",
		  "public class A {\n@@@@public class B {\n@@@@@@@@@@\n"
		  "@@@@@@public int c(\n@@@@@@@@int d) { }\n@@@@}\n}\n",
		  "public class A\n public class B\n  public int c(\n   int d)\n" },
		{ "typescript",
		  "export interface A {\n@b: {\n@@c: string\n@}\n}\n"
		  "export const d = (\n@e: A,\n) => {\n}\n",
		  "export interface A\n b: {\n  c: string\n }\n"
		  "export const d = (\n e: A,\n) =>\n" },
		{ "ruby",
		  "module A\n@class B\n@@def c(d,\n@@@@@e)\n@@end\n@end\nend\n",
		  "module A\n class B\n  def c(d,\n   e)\n" },
	};
	static const char *const steps[] = { " ", "  ", "    ", "\t" };

	for (size_t i = 0; i < ARRAY_LEN(cases) * ARRAY_LEN(steps); i++) {
		const struct outlined *one = &cases[i / ARRAY_LEN(steps)];
		struct out out = { .nr = 0 };
		char text[512];
		size_t nr =
			indent(one->text, steps[i % ARRAY_LEN(steps)], text);

		lang_outline(lang_find(one->hint, strlen(one->hint)),
			     (const uint8_t *)text, nr, false, out_put, &out);
		assert_string_equal(out.text, one->want);
	}
}

static void
test_chunk_sign_types_of_typescript_are_whole(void **state)
{
	static const struct outlined cases[] = {
		{ "typescript",
		  "type A =\n  | { a: 1 }\n  | { b: 2 };\n"
		  "type B<T = C | D> = E & {\n  f: T;\n} & { g: T };\n"
		  "type H = I extends J ? { k: 1 } : L;\n",
		  "type A =\n | { a: 1 }\n | { b: 2 };\n"
		  "type B<T = C | D> = E\n f: T;\n} & { g: T };\n"
		  "type H = I extends J ? { k: 1 } : L;\n" },
		{ "typescript",
		  "class A {\n  b: C<{ d: 1 }> = [];\n  e?: { f: 2 };\n"
		  "  g: { h: 3 } | { i: 4 } = j;\n  k(): (l: m) => n { }\n}\n",
		  "class A\n b: C<{ d: 1 }> = [];\n e?: { f: 2 };\n"
		  " g: { h: 3 } | { i: 4 } = j;\n k(): (l: m) => n\n" },
	};

	assert_outlines(cases, ARRAY_LEN(cases));
}

/* A line has the number of the line of the text that it comes from: what was left
 * out, shortened or joined is of the first. */
static void
test_chunk_sign_lines_may_have_their_numbers(void **state)
{
	static const struct outlined cases[] = {
		{ "python",
		  "#!/usr/bin/python\n"
		  "\"\"\"\nWhat it\nis. More.\n\"\"\"\n"
		  "TABLE = {\n  1: 2,\n}\n"
		  "class A:\n"
		  "    @a(\"123456789012345678901234567890123456789012345\",\n"
		  "       \"1\")\n"
		  "    def b(\n"
		  "        self,\n"
		  "    ):\n"
		  "        \"\"\"\n        Does it.\n        \"\"\"\n"
		  "        return 1\n",
		  "3: \"\"\"What it\n"
		  "4: is.\"\"\"\n"
		  "6: TABLE = ...\n"
		  "9: class A:\n"
		  "10:  @a(...)\n"
		  "12:  def b(\n"
		  "13:  self,\n"
		  "14:  ):\n"
		  "16:  \"\"\"Does it.\"\"\"\n" },
		{ "c",
		  "\n\nstruct a {\n\tint b; char c;\n"
		  "\tlong d;\n} e;\n\n"
		  "/* Does it. */\nstatic int\nf(int a,\n  int b)\n{\n}\n",
		  "3: struct a\n4:  int b; char c;\n5:  long d;\n6: } e;\n"
		  "8: /* Does it. */\n"
		  "9: static int\n10: f(int a,\n11:  int b)\n" },
		{ "", "one\n\nthree\n", "1: one\n2: \n3: three\n" },
	};

	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		const struct outlined *c = &cases[i];
		struct out out = { .nr = 0 };
		struct lang_maker maker = {
			.context = &out,
			.lang = lang_find(c->hint, strlen(c->hint)),
			.doc = true,
			.numbers = true,
			.line.line = 1,
		};

		lang_outline_of(maker, (const uint8_t *)c->text,
				strlen(c->text), out_put);
		assert_string_equal(out.text, c->want);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
			test_chunk_sign_lines_may_have_their_numbers),
		cmocka_unit_test(
			test_chunk_sign_text_without_structure_is_its_first_lines),
		cmocka_unit_test(
			test_chunk_sign_leaves_out_private_methods_and_bodies),
		cmocka_unit_test(
			test_chunk_sign_names_of_methods_may_be_words_of_the_language),
		cmocka_unit_test(
			test_chunk_sign_lists_what_heads_do_not_say_is_exported),
		cmocka_unit_test(test_chunk_sign_keeps_bodies_that_others_need),
		cmocka_unit_test(test_chunk_sign_has_words_of_directives),
		cmocka_unit_test(
			test_chunk_sign_has_constants_of_enums_with_braces),
		cmocka_unit_test(test_chunk_sign_has_variables_of_scripts),
		cmocka_unit_test(test_chunk_sign_of_packages_and_made_types),
		cmocka_unit_test(test_chunk_sign_settings_stay_as_they_are),
		cmocka_unit_test(test_chunk_sign_doc_is_the_first_sentence),
		cmocka_unit_test(test_outline_doc_is_known_by_its_marks),
		cmocka_unit_test(
			test_chunk_sign_declares_more_than_the_first_name),
		cmocka_unit_test(
			test_chunk_sign_types_without_a_name_are_those_of_what_follows),
		cmocka_unit_test(test_chunk_sign_shortens_what_is_long),
		cmocka_unit_test(
			test_outline_of_declarators_leaves_out_values_alone),
		cmocka_unit_test(
			test_chunk_sign_lines_begin_with_a_blank_a_definition),
		cmocka_unit_test(test_chunk_sign_types_of_typescript_are_whole),
	};

	return cmocka_run_group_tests_name("lang/outline", tests, NULL, NULL);
}
