/* SPDX-License-Identifier: MIT */
/*
 * test_outline_pick.c - which signatures are taken if not all have room.
 */
#include "tests/support/test_lang_out.h"

/* Signatures, where they begin, and how many are public. */
struct signatures {
	struct out out;
	struct lang_outliner outliner;
	struct lang_signatures signatures;
};

/* Those of a text, behind a line that stands before them. */
static void
outline_heads(struct signatures *to, const char *before, const char *hint,
	      bool is_header, const char *text)
{
	uint8_t imports[16];
	struct lang_text whole = { (const uint8_t *)text, 0, strlen(text),
				   true };
	struct lang_maker maker = {
		.outliner = &to->outliner,
		.text = &whole,
		.write = out_put,
		.context = &to->out,
		.imports_end = imports + sizeof(imports),
		.signatures = &to->signatures,
		.lang = lang_find(hint, strlen(hint)),
		.is_header = is_header,
	};
	struct lang_sink sink = {
		.open = lang_maker_open,
		.def = lang_maker_def,
		.declare = lang_maker_open,
		.member = lang_maker_member,
		.context = &maker,
	};
	static struct lang_scan scan;

	memset(to, 0, sizeof(*to));
	out_put(&to->out, (const uint8_t *)before, strlen(before));
	to->signatures.before = (uint32_t)strlen(before);
	to->outliner.public_lines = *before != '\0';
	lang_scan_init(&scan, maker.lang, whole.nr);
	lang_scan_feed(&scan, &whole, UINT64_MAX, &sink);
	lang_maker_end(&maker);
}

/* What is taken of them; the spans are all of the text. */
static void
assert_picked(const struct signatures *of, uint32_t lines, const char *want)
{
	struct lang_outline_span spans[OUTLINE_SPANS];
	struct lang_outline_room room;
	struct out got = { .nr = 0 };
	size_t at = 0;
	size_t nr;

	room.public_lines = (uint32_t)min_u64(lines, of->outliner.public_lines);
	room.other_lines = lines - room.public_lines;
	nr = lang_outline_pick(&of->signatures, (const uint8_t *)of->out.text,
			       of->out.nr, &room, spans);
	got.text[0] = '\0';
	for (size_t i = 0; i < nr; i++) {
		out_put(&got, (const uint8_t *)of->out.text + at,
			spans[i].taken_bytes);
		at += spans[i].taken_bytes + spans[i].left_bytes;
	}
	ASSERT_EQ(at, of->out.nr);
	assert_string_equal(got.text, want);
}

/* verifies: CTX-01.2 */
static void
test_chunk_sign_pick_takes_public_signatures_first(void **state)
{
	static const struct {
		const char *hint;
		bool is_header;
		const char *text;
		uint32_t lines;
		const char *want;
	} cases[] = {
		{ "c", false,
		  "struct s { int a; };\nstatic int f(void) { }\n"
		  "int g(void) { }\nstatic int h(void);\nint i(void) { }\n",
		  4, "struct s\n int a;\nint g(void)\nint i(void)\n" },
		{ "c", true,
		  "struct s { int a; };\nstatic inline int f(void) { }\n"
		  "int g(void);\n",
		  3, "struct s\n int a;\nstatic inline int f(void)\n" },
		{ "go", false,
		  "func a() {\n}\nfunc (x *X) B() {\n}\nfunc C() {\n}\n"
		  "type d struct {\n}\n",
		  2, "func (x *X) B()\nfunc C()\n" },
		{ "rust", false,
		  "fn a() {\n}\nmod m {\n  pub fn b() { }\n}\n"
		  "impl X {\n  pub fn c(&self) { }\n}\npub fn d() { }\n",
		  3, "impl X\n pub fn c(&self)\npub fn d()\n" },
		{ "python", false,
		  "def _a():\n  pass\nclass _B:\n  def c(self):\n    pass\n"
		  "class D:\n  def e(self):\n    pass\ndef f(): pass\n",
		  3, "class D:\n def e(self):\ndef f():\n" },
		{ "typescript", false,
		  "function a() {\n}\nexport function b() {\n}\n"
		  "class C {\n  d() { }\n}\nexport class E {\n  f() { }\n}\n",
		  3, "export function b()\nexport class E\n f()\n" },
		{ "java", false,
		  "class A {\n  public void b() { }\n}\n"
		  "public class C {\n  public void d() { }\n"
		  "  class E {\n    public void f() { }\n  }\n}\n",
		  2, "public class C\n public void d()\n" },
	};
	static struct signatures of;

	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		outline_heads(&of, "", cases[i].hint, cases[i].is_header,
			      cases[i].text);
		assert_picked(&of, cases[i].lines, cases[i].want);
	}
}

static void
test_chunk_sign_pick_cuts_only_the_last(void **state)
{
	static const char text[] = "static int\na(void)\n{\n}\n"
				   "int\nb(void)\n{\n}\n"
				   "static int\nc(void)\n{\n}\n";
	static const char *const want[] = {
		"",
		"before\n",
		"before\nint\n",
		"before\nint\nb(void)\n",
		/* a head that is cut would stand before a public one */
		"before\nint\nb(void)\n",
		"before\nstatic int\na(void)\nint\nb(void)\n",
		"before\nstatic int\na(void)\nint\nb(void)\nstatic int\n",
		("before\nstatic int\na(void)\nint\nb(void)\n"
		 "static int\nc(void)\n"),
	};
	static struct signatures of;

	outline_heads(&of, "before\n", "c", false, text);
	for (uint32_t lines = 0; lines < ARRAY_LEN(want); lines++)
		assert_picked(&of, lines, want[lines]);
}

static void
test_chunk_sign_pick_of_too_many_leaves_it_to_others(void **state)
{
	static struct lang_signatures signatures;
	struct lang_outline_span spans[OUTLINE_SPANS];
	struct lang_outline_room room = { OUTLINE_SPANS + 1, 0 };
	static uint8_t text[2 * OUTLINE_SIGNATURES];
	const uint32_t nr = 2 * OUTLINE_SPANS;

	for (size_t i = 0; i < sizeof(text); i++)
		text[i] = i % 2 == 0 ? 'a' : '\n';
	assert_true(lang_outline_pick(&signatures, text, 2, &room, spans) == 0);
	signatures.nr = OUTLINE_SIGNATURES + 1;
	assert_true(lang_outline_pick(&signatures, text, sizeof(text), &room,
				      spans) == 0);
	/* every other one: as many spans as there may be, and one more */
	for (uint32_t i = 0; i < nr + 2; i++) {
		signatures.list[i].off = 2 * i;
		signatures.list[i].is_public = i % 2 == 0;
	}
	signatures.nr = nr + 2;
	assert_true(lang_outline_pick(&signatures, text, 2 * nr + 4, &room,
				      spans) == 0);
	ASSERT_EQ(room.public_lines, OUTLINE_SPANS + 1);
	signatures.nr = nr;
	ASSERT_EQ(lang_outline_pick(&signatures, text, 2 * nr, &room, spans),
		  OUTLINE_SPANS);
	ASSERT_EQ(room.public_lines, 1);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
			test_chunk_sign_pick_takes_public_signatures_first),
		cmocka_unit_test(test_chunk_sign_pick_cuts_only_the_last),
		cmocka_unit_test(
			test_chunk_sign_pick_of_too_many_leaves_it_to_others),
	};

	return cmocka_run_group_tests_name("lang/outline_pick", tests, NULL,
					   NULL);
}
