/* SPDX-License-Identifier: MIT */
/*
 * test_declaration_member.c - fields, constants, constants of enums: which are
 *                             told, and where they end.
 */
#include "tests/support/test_lang_told.h"

#include "lang/scan.h"

static void
told_member(void *context, const struct lang_def *def)
{
	struct told *told = context;

	told->nr += (size_t)snprintf(
		told->text + told->nr, sizeof(told->text) - told->nr, "%.*s%s|",
		(int)(def->end_off - def->off), told->source + def->off,
		def->flags & LANG_DEF_CUT ? "~" : "");
}

/* What is told: with a wave whose value goes on. */
static const struct told_case cases[] = {
	{ "c",
	  "struct a {\n\tint b, *c;\n\tint (*d)(int);\n\tunion {\n\t\tint e;\n"
	  "\t} f;\n\tunsigned g:3;\n\tMACRO(h);\n};\n",
	  "int b, *c;|int (*d)(int);|union {|int e;|} f;|unsigned g:3;|" },
	{ "c",
	  "void (*a)(int) = 0;\nb_t (*c)(void), *d;\nint (*e[8])(struct f *);\n"
	  "int (*g(int))(int) { }\nstruct h {\n\tstruct { int i; } *j[2];\n};\n",
	  "void (*a)(int) = 0;|b_t (*c)(void), *d;|int (*e[8])(struct f *);|"
	  "struct {|int i;|} *j[2];|" },
	{ "c",
	  "struct a {\n\tstruct { int b; } ATTR(1) *c;\n"
	  "\tstruct { int d; } __attr e[2];\n"
	  "\tgroup(f, int g; int h;);\n\tMACRO(i);\n\tint j;\n};\n"
	  "__packed struct k { int l; };\n",
	  "struct {|int b;|} ATTR(1) *c;|struct {|int d;|} __attr e[2];|"
	  "group(f, int g; int h;);|int j;|int l;|" },
	/* a type in capitals behind a method */
	{ "cpp",
	  "struct a {\n\tvoid b() { }\n\tHANDLE c;\n\tHANDLE d[2];\n};\n",
	  "HANDLE c;|HANDLE d[2];|" },
	{ "c", "enum a { B, C = 1 << 2, D };\nenum {\n\tE,\n\tF\n};\n",
	  "B,|C = 1 << 2,|D|enum {|E,|F|" },
	{ "c", "int a[] = { 1, 2 };\nint b = 3;\nint f(int c) { int d = 1; }\n",
	  "int a[] =~|int b = 3;|" },
	{ "c", "#define A 1 /* b */\n#define C\n#define D 2 + \\\n3\n",
	  "#define A 1|#define D 2 + \\~|" },
	/* told of at once, the constants around it later */
	{ "c", "enum {\n\tA,\n#define A A\n\tB,\n};\n",
	  "enum {|#define A A|A,|B,|" },
	{ "cpp",
	  "class A {\n\tint b;\npublic:\n\tint c = 1;\n\tusing D = int;\n"
	  "\tvoid e();\nprivate:\n\tint f;\nprotected:\n\tint g;\n};\n"
	  "template <int N>\nusing H = I<N>;\n",
	  "int c = 1;|using D = int;|int g;|template <int N>\nusing H = I<N>;|" },
	{ "c", "struct a {\n\tvoid *private;\n\tint private:1;\n};\n",
	  "void *private;|int private:1;|" },
	{ "cpp",
	  "struct a {\n\tint b{0}; bool c{false};\n\tstd::atomic<int> d{0};\n"
	  "\te f{{1}, 2};\n\tint *g{nullptr}, h{2};\n\talignas(8) int i[2]{1};\n"
	  "\tvoid j() const { int k{1}; }\n};\nint l{3};\nnamespace m {\n"
	  "std::string n{\"o\"};\nnamespace p { }\n}\n",
	  "int b{0};|bool c{false};|std::atomic<int> d{0};|e f~|int *g~|"
	  "alignas(8) int i[2]{1};|int l{3};|std::string n~|" },
	{ "java",
	  "class A {\n\tprivate int b;\n\tprotected int c;\n"
	  "\tpublic static final int D = 1;\n\tint[] e = { 1 };\n"
	  "\t@F(1) Map<A, B> g;\n\tvoid h() { int i = 1; }\n}\n",
	  "protected int c;|public static final int D = 1;|int[] e =~|"
	  "Map<A, B> g;|" },
	{ "cpp",
	  "template <class T>\nconstexpr T pi = T(3.14);\n"
	  "template <class T> requires A<T> && (b<T> || c)\n"
	  "inline constexpr bool d = e<T>::f;\n"
	  "template <class T> void g(T);\ntemplate class h<int>;\n"
	  "template <class T> const int j<T>::k[] = { 1 };\n"
	  "template <class T> class i;\n",
	  "template <class T>\nconstexpr T pi = T(3.14);|"
	  "template <class T> requires A<T> && (b<T> || c)\n"
	  "inline constexpr bool d = e<T>::f;|" },
	{ "java", "enum A {\n\tB(1), C { void d() { } }, E;\n\tint f;\n}\n",
	  "B(1),|C|E;|int f;|" },
	{ "csharp",
	  "class A {\n\tint b;\n\tpublic const int C = 1;\n"
	  "\tpublic int D => 2;\n\tpublic event E F;\n}\nenum G { H = 1, I }\n",
	  "public const int C = 1;|public int D => 2;|public event E F;|"
	  "H = 1,|I|" },
	{ "go",
	  "type A struct {\n\tB, C int `d`\n\te int\n\t*f.G\n"
	  "\tH map[string]struct{}\n\tI interface{} // j\n}\n"
	  "type K interface {\n\tL(m int) error\n\tN\n}\n",
	  "B, C int `d`|*f.G|H map[string]struct{}|I interface{}|"
	  "L(m int) error|N|" },
	{ "go", "const (\n\tA B = iota\n\tC\n\td\n)\nvar e = 1\nvar F = G{1}\n",
	  "const (|A B = iota|C|var F = G~|" },
	{ "go",
	  "type (\n\tA struct {\n\t\tB int\n\t}\n\tC int\n)\ntype D int\n",
	  "type (|B int|" },
	{ "javascript",
	  "class A {\n\tstatic {\n\t\tb();\n\t}\n\tstatic c = 1;\n}\n",
	  "static c = 1;|" },
	{ "rust",
	  "pub struct A<T> {\n\tpub b: HashMap<T, u8>,\n\tc: [u8; 3],\n"
	  "\t#[d]\n\tpub(crate) e: u8,\n}\nconst F: u8 = 1;\n"
	  "pub const G: u8 = 2;\n",
	  "pub b: HashMap<T, u8>,|pub(crate) e: u8,|pub const G: u8 = 2;|" },
	{ "rust",
	  "enum A {\n\tB,\n\tC(u8),\n\tD { e: u8, f: u8 },\n}\n"
	  "trait G {\n\ttype H;\n\tconst I: u8;\n}\n",
	  "B,|C(u8),|D { e: u8, f: u8 },|type H;|const I: u8;|" },
	{ "typescript",
	  "interface A {\n\tb: string;\n\tc?: { d: number },\n\te(f: any): void\n"
	  "\t[g: string]: any\n}\ntype H = {\n\ti: 'j' | 'k'\n}\n",
	  "b: string;|c?: { d: number },|e(f: any): void|[g: string]: any|"
	  "i: 'j' | 'k'|" },
	{ "typescript",
	  "class A {\n\tprivate b = 1;\n\t#c = 2;\n\tstatic readonly D = 3;\n"
	  "\te: Map<string, number>;\n}\nenum F { G = 'g', H }\n"
	  "export const I = 4;\nconst j = 5;\nexport const K = l({\n\tm: 1\n});\n"
	  "declare const N: string;\n",
	  "static readonly D = 3;|e: Map<string, number>;|G = 'g',|H|"
	  "export const I = 4;|export const K = l(~|declare const N: string;|" },
	{ "php",
	  "<?php\nclass A {\n\tuse B;\n\tconst C = 1;\n\tprivate $d;\n"
	  "\tprotected ?int $e = null;\n}\nenum F: string { case G = 'g'; }\n",
	  "use B;|const C = 1;|protected ?int $e = null;|case G = 'g';|" },
	{ "php",
	  "<?php\nclass A {\n\tuse B, C { d as e; }\n\tuse F;\n"
	  "\tpublic string $g { get => $this->h; set { $this->h = 1; } }\n"
	  "\tprivate int $i;\n}\n",
	  "use B, C|use F;|public string $g|" },
	{ "zig",
	  "const std = @import(\"std\");\npub const A = struct {\n"
	  "\tb: f32 = 0,\n\tc: []const u8,\n\tconst D = 1;\n"
	  "\tpub const e: A = .{ .b = 1 };\n\tpub fn f() void {\n"
	  "\t\tconst g = 1;\n\t}\n};\n"
	  "pub const H = union(enum) { i: u8, j };\n"
	  "const K = enum(u8) { l = 1, m, _ };\n"
	  "pub const N = error{ O, P };\npub var q: u8 = 1;\nconst r = 2;\n",
	  "b: f32 = 0,|c: []const u8,|pub const e: A = .~|i: u8,|j|l = 1,|m,|_|"
	  "pub const N = error{ O, P };|pub var q: u8 = 1;|" },
	{ "dart",
	  "const a = 1;\nfinal List<int> b = [];\nString? c;\nint _d = 2;\n"
	  "final e = {\n\t'f': 1,\n};\nclass G {\n\tfinal int h;\n"
	  "\tfinal String? _i;\n}\nvoid j() { int k = 1; }\n",
	  "const a = 1;|final List<int> b = [];|String? c;|final e =~|"
	  "final int h;|" },
	{ "kotlin",
	  "class A {\n\tval b: Int = 1\n\tprivate val c = 2\n"
	  "\tvar d: Map<Int, Int> by lazy { e }\n\tinit { f() }\n}\n"
	  "enum class G(val h: Int) { I(1), J(2); fun k(): Map<A, B> { } }\n"
	  "val l = 3\n",
	  "val b: Int = 1|var d: Map<Int, Int> by lazy~|I(1),|J(2);|val l = 3|" },
	{ "swift",
	  "public struct A {\n\tlet b: Int\n\tprivate var c = 1\n"
	  "\tvar d: Int { 2 }\n\tpublic private(set) var e = 3\n}\n"
	  "enum F { case g, h(Int)\n\tcase i = 4 }\n",
	  "let b: Int|var d: Int|public private(set) var e = 3|case g,|h(Int)|"
	  "case i = 4|" },
	{ "scala",
	  "class A {\n  val b = 1\n  private val c = 2\n  lazy val d = new E {\n"
	  "    f()\n  }\n  g()\n  private[this] var h = 5\n"
	  "  protected[this] var i = 6\n}\n",
	  "val b = 1|lazy val d = new E~|protected[this] var i = 6|" },
	{ "python",
	  "A = 1\n_b = 2\nC = {\n    'd': 1,\n}\nif e:\n    F = 3 # g\n    h = 4\n"
	  "    Ii = Jj\n"
	  "class I:\n    j: int = 5\n    k: int\n    def l(self):\n        m = 6\n",
	  "A = 1|C = {~|F = 3|Ii = Jj|j: int = 5|k: int|" },
	{ "ruby",
	  "class A\n  B = 1\n  C = [\n    2\n  ]\n  attr_reader :d, :e\n  private\n"
	  "  attr_reader :f\nend\n",
	  "B = 1|C = [~|attr_reader :d, :e|" },
	{ "protobuf",
	  "message A {\n  string b = 1;\n  bool private = 2 [deprecated = true];\n"
	  "  oneof c {\n    string d = 3;\n    E e = 4 [json_name = \"f\"];\n  }\n"
	  "  repeated int32 g = 5 [(rules).int32 = {gt: 0}];\n}\n",
	  "string b = 1;|bool private = 2 [deprecated = true];|string d = 3;|"
	  "E e = 4 [json_name = \"f\"];|repeated int32 g = 5 [(rules).int32 =~|" },
	{ "graphql",
	  "type User implements Node @key(fields: \"id\") {\n  id: ID!\n"
	  "  \"Its name.\"\n  type(upper: Boolean = false): String!\n"
	  "  posts(\n    first: Int = 10\n  ): [Post!]! @deprecated(reason: \"a\")\n"
	  "}\ninput New { name: String!, at: Place = {x: 1}, age: Int = 3 }\n"
	  "enum Role {\n  ADMIN\n  USER @deprecated\n}\n"
	  "query Get($id: ID!) {\n  user(id: $id) {\n    name\n  }\n}\n"
	  "extend type Query { user(id: ID!): User }\nschema {\n  query: Query\n}\n",
	  "id: ID!|type(upper: Boolean = false): String!|"
	  "posts(\n    first: Int = 10\n  ): [Post!]! @deprecated(reason: \"a\")|"
	  "name: String!,|at: Place = {x: 1},|age: Int = 3|ADMIN|USER @deprecated|"
	  "user(id: ID!): User|query: Query|" },
};

static void
test_declaration_member_is_told_if_it_is_for_others(void **state)
{
	const struct lang_sink sink = { .member = told_member };

	assert_told_to(&sink, cases, ARRAY_LEN(cases));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
			test_declaration_member_is_told_if_it_is_for_others),
	};

	return cmocka_run_group_tests_name("lang/declaration_member", tests,
					   NULL, NULL);
}
