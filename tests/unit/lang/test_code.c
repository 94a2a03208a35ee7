/* SPDX-License-Identifier: MIT */
/*
 * test_chunk_code.c - branches and calls: worked examples, and against a slow
 *                     search.
 */
#include "tests/support/test_shm.h"

#include "lang/scan.h"

struct found {
	const struct lang_code *code;
	const char *text;
	size_t nr;
	uint32_t branch_nr;
	char calls[256];
};

static void
reported_code(void *context, uint64_t off, const struct lang_code_block *block)
{
	struct found *found = context;

	found->branch_nr += (uint32_t)__builtin_popcountll(block->branches);
	for (uint64_t left = block->brackets; left != 0; left &= left - 1) {
		size_t name;
		size_t bytes = lang_code_call(
			found->code, (const uint8_t *)found->text,
			(size_t)off + (size_t)__builtin_ctzll(left), &name);
		size_t used = strlen(found->calls);

		if (bytes > 0)
			snprintf(found->calls + used,
				 sizeof(found->calls) - used, "%.*s ",
				 (int)bytes, found->text + name);
	}
}

/* Of a text that is looked at in steps of so many bytes. */
static struct found
found_in(uint32_t lang, const char *source, size_t step)
{
	static struct lang_scan scan;
	struct lang_code code;
	struct found found = { .code = &code,
			       .text = source,
			       .nr = strlen(source) };
	struct lang_text text = { .bytes = (const uint8_t *)source,
				  .nr = found.nr,
				  .at_end = true };
	struct lang_sink sink = { .code = reported_code,
				  .words = &code,
				  .context = &found };

	lang_code_init(&code, lang_get(lang));
	lang_scan_init(&scan, lang, 4096);
	for (uint64_t until = step; until < text.nr; until += step)
		lang_scan_feed(&scan, &text, until, &sink);
	lang_scan_feed(&scan, &text, UINT64_MAX, &sink);
	return found;
}

/* Branches were counted by hand: they stand behind each line. */
static const struct {
	uint32_t lang;
	uint32_t branch_nr;
	const char *calls;
	const char *text;
} cases[] = {
	{ LANG_C, 8, "helper next puts diff ",
	  "/* if (a && b) for (;;) */\n"
	  "#define M(a) if (a) foo(a)\n"
	  "static int run(int a, char *p)\n"
	  "{\n"
	  "\tif (a > 1 && p || a<0)\n" /* 3 */
	  "\t\treturn helper(a);\n"
	  "\tfor (;;) { while (next(p)) p++; }\n"     /* 2 */
	  "\tswitch (a) {\n"                          /* 1 */
	  "\tcase 1: puts(\"if (a) && b\"); break;\n" /* 1 */
	  "\tcase 2: diff(forty, whiled); break;\n"   /* 1 */
	  "\tdefault: iffy = '(';\n"
	  "\t}\n"
	  "\treturn sizeof(a);\n"
	  "}\n" },
	{ LANG_CPP, 2, "f g ",
	  "void take(T &&a, T&& b)\n"
	  "{\n"
	  "\tif (f(a) && g(b))\n" /* 2 */
	  "\t\tx = 1;\n"
	  "}\n" },
	{ LANG_PYTHON, 8, "ok print exists area ",
	  "# if this and that or those\n"
	  "class Shape:\n"
	  "    \"\"\"if for while and\"\"\"\n"
	  "    def area(self, xs):\n"
	  "        for x in xs:\n"             /* 1 */
	  "            if x and self.ok(x):\n" /* 2 */
	  "                print(\"if (x) or y\", x)\n"
	  "            elif x or os.path.exists(x):\n" /* 2 */
	  "                while True:\n"              /* 1 */
	  "                    self.area(x)\n"
	  "        return [y for y in xs if y]\n" /* 2 */ },
	{ LANG_JAVASCRIPT, 5, "run each load Error ",
	  "// if for\n"
	  "function go(a) {\n"
	  "  const re = /if||&&(/;\n"
	  "  if (a&&b || c) { run(a); }\n"                       /* 3 */
	  "  for (const x of xs) x.each(`if ${y}`);\n"           /* 1 */
	  "  try { load() } catch (e) { throw new Error(e); }\n" /* 1 */
	  "}\n" },
	{ LANG_RUBY, 4, "go ",
	  "def run(a)\n"
	  "  if a && b\n"        /* 2 */
	  "    go(1) unless c\n" /* 1 */
	  "  end\n"
	  "  begin\n"
	  "    1\n"
	  "  rescue\n" /* 1 */
	  "    2\n"
	  "  end\n"
	  "end\n" },
	{ LANG_MARKDOWN, 0, "", "# if for(a) && b\n\nwhile call(x)\n" },
};

static void
test_chunk_code_worked_examples_in_steps_of_any_length(void **state)
{
	for (size_t i = 0; i < ARRAY_LEN(cases); i++)
		for (size_t step = 1; step < 600; step += step < 80 ? 1 : 37) {
			struct found found =
				found_in(cases[i].lang, cases[i].text, step);

			ASSERT_EQ(found.branch_nr, cases[i].branch_nr);
			assert_string_equal(found.calls, cases[i].calls);
		}
}

static bool
is_letter(char c)
{
	return c != '\0' && strchr("ifwhlecasx_9", c) != NULL;
}

/* Of C, without strings and comments: one place after the other. */
static uint64_t
slow_branches(const char *text, size_t nr)
{
	static const char *const words[] = { "if", "for", "while", "switch",
					     "case" };
	uint64_t found = 0;

	for (size_t i = 0; i < nr && i < 64; i++) {
		for (size_t w = 0; w < ARRAY_LEN(words); w++) {
			size_t k = strlen(words[w]);

			if (strncmp(text + i, words[w], k) == 0 &&
			    !is_letter(text[i + k]) &&
			    (i == 0 || !is_letter(text[i - 1])))
				found |= 1ull << i;
		}
		if ((text[i] == '&' || text[i] == '|') &&
		    text[i + 1] == text[i] &&
		    (i == 0 || text[i - 1] != text[i]))
			found |= 1ull << i;
	}
	return found;
}

static void
test_chunk_code_find_against_a_slow_search(void **state)
{
	static const char *const parts[] = { "if",  "while", "case", "&&",
					     "||",  "x",     "_",    " ",
					     "(",   "&",     "|",    "9",
					     "ifs", "\n",    ")",    "e" };
	struct lang_code code;
	char text[200];
	uint32_t seed = 3;

	lang_code_init(&code, lang_get(LANG_C));
	for (int round = 0; round < 40000; round++) {
		size_t bytes = 0;
		size_t nr;
		struct lang_code_block block;
		uint64_t wanted;

		while (bytes < 50 + (size_t)round % 60) {
			const char *part;

			seed = seed * 1664525 + 1013904223;
			part = parts[seed >> 28];
			memcpy(text + bytes, part, strlen(part));
			bytes += strlen(part);
		}
		text[bytes] = '\0';
		nr = min_size(bytes, 1 + (seed >> 8) % 64);
		wanted = slow_branches(text, bytes);
		if (nr < 64)
			wanted &= (1ull << nr) - 1;
		code.avx2 = lang_has_avx2() && round % 2 == 0;
		block = lang_code_find(&code, (const uint8_t *)text, 0, nr,
				       bytes);
		ASSERT_EQ(block.branches, wanted);
		for (size_t i = 0; i < nr; i++)
			ASSERT_EQ(block.brackets >> i & 1, text[i] == '(');
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
			test_chunk_code_worked_examples_in_steps_of_any_length),
		cmocka_unit_test(test_chunk_code_find_against_a_slow_search),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
