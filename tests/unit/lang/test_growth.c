/* SPDX-License-Identifier: MIT */
/*
 * test_growth.c - four times the text takes about four times as long, whatever
 * begins in it at each byte and never ends.
 *
 * A scanner that looks for the end of a construct at each of its beginnings
 * takes sixteen times as long; a line of minified code or of data is enough.
 */
#include "tests/support/rounds.h"
#include "tests/support/test_growth.h"
#include "tests/support/test_shm.h"

#include "stages/chunk/chunk_struct.h"
#include "tests/support/test_cutter.h"

#define SHORT_BYTES 2048
#define LONG_BYTES (4 * SHORT_BYTES)

static const char *const rows[] = {
	"/[",        "/\\/",       "/a",        "<a ",       "<a \"",
	"<a \"\" ",  "</a",        "<!--",      "<script>",  "a<b<c<",
	"template<", "(",          "[",         "{",         ")",
	"}",         "a(",         "a[",        "$((",       "${",
	"\"",        "'",          "`",         "\\",        "\"\"\"",
	"r#\"",      "R\"a(",      "[=[",       "--[[",      "/*",
	"(*",        "{-",         "#|",        "<<A ",      "<<A\n",
	"q{",        "%{",         "#if a\n",   "#else\n",   "\\\n",
	"@a.",       "@a\n",       "a ",        "a\n",       "a.",
	"a, ",       "a = ",       "\t",        " \n",       "a: ",
	"- a\n",     "| a ",       "# a\n",     "a\n---\n",  "struct a b ",
	"def a(",    "def a()=a ", "fn a(",     "class a ",  "class a\n",
	"function ", "const a = ", "import (",  "import a ", "use a::{",
	"export {",  "new a ",     "forall a.", "where ",    "do ",
	"end ",      "if a ",      "case a\n",  "begin\n",   "=begin\n",
	"operator ", "require(",   "(define ",  "(ns ",      "static ",
};

static void
see_import(void *context, uint64_t off, uint32_t nr)
{
	(void)context;
	(void)off;
	(void)nr;
}

struct row {
	uint32_t lang;
	const uint8_t *text;
};

static double
scan_seconds(const void *work, size_t bytes)
{
	static struct chunk_cutter cutter;
	const struct row *row = work;
	const struct lang_sink sink = { .import = see_import };
	struct lang_text whole = { row->text, 0, bytes, true };
	double begun = processor_seconds();
	struct chunk_limits limits;

	chunk_limits_init(&limits, 6144, 300);
	chunk_cutter_init(&cutter, row->lang, &limits);
	while (chunk_cutter_next(&cutter, &whole, &limits, &sink) > 0)
		;
	return processor_seconds() - begun;
}

static void
test_growth_is_that_of_the_text_in_each_language(void **state)
{
	static uint8_t text[LONG_BYTES];

	for (size_t i = 0; i < ARRAY_LEN(rows); i += 4 / ROUNDS(4)) {
		for (size_t at = 0; at < sizeof(text); at++)
			text[at] = (uint8_t)rows[i][at % strlen(rows[i])];
		for (uint32_t lang = 1; lang < LANG_NR; lang++) {
			const struct row row = { lang, text };

			if (!growth_is_within(
				    &(struct growth){ .seconds = scan_seconds,
						      .work = &row,
						      .small = SHORT_BYTES,
						      .large = LONG_BYTES,
						      .times = 8,
						      .too_short = 0.001 }))
				fail_msg("%s: %s", lang_row(lang)->hint,
					 rows[i]);
		}
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
			test_growth_is_that_of_the_text_in_each_language),
	};

	return cmocka_run_group_tests_name("lang/growth", tests, NULL, NULL);
}
