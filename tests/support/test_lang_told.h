/* SPDX-License-Identifier: MIT */
/*
 * test_lang_told.h - what the scanner tells of a text: "function f 1-3;" for a
 * definition when it ends, with its lines, "import x;" for what is imported.
 */
#ifndef TESTS_SUPPORT_TEST_LANG_TOLD_H
#define TESTS_SUPPORT_TEST_LANG_TOLD_H

#include "tests/support/test_shm.h"

#include "tests/support/test_lang_whole.h"

struct told {
	const char *source;
	char text[4096];
	size_t nr;
};

struct told_case {
	const char *hint; /* a language, as lang_find() knows it */
	const char *source;
	const char *want;
};

static inline void
told_def(void *context, const struct lang_def *def)
{
	struct told *told = context;

	told->nr += (size_t)snprintf(
		told->text + told->nr, sizeof(told->text) - told->nr,
		"%s %.*s %u-%u;", lang_kind_word(def->kind),
		(int)def->name_bytes, told->source + def->name_off, def->line,
		end_line_of(told->source, def));
	assert_true(told->nr < sizeof(told->text));
}

static inline void
told_import(void *context, uint64_t off, uint32_t bytes)
{
	struct told *told = context;

	told->nr += (size_t)snprintf(
		told->text + told->nr, sizeof(told->text) - told->nr,
		"import %.*s;", (int)bytes, told->source + off);
	assert_true(told->nr < sizeof(told->text));
}

/* All that a sink is told of a text that comes in parts of so many bytes:
 * static. Its context is a struct told. */
static inline const char *
told_to(const struct lang_sink *to, const struct told_case *of, size_t part)
{
	static struct lang_scan scan;
	static struct told told;
	struct lang_sink sink = *to;
	size_t nr = strlen(of->source);

	sink.context = &told;
	told = (struct told){ .source = of->source };
	lang_scan_init(&scan, lang_find(of->hint, strlen(of->hint)), nr);
	for (size_t end = 0; end < nr;) {
		struct lang_text text = { (const uint8_t *)of->source, 0, 0,
					  false };

		end = min_size(nr, end + part);
		text.nr = end;
		text.at_end = end == nr;
		lang_scan_feed(&scan, &text, UINT64_MAX, &sink);
	}
	return told.text;
}

/* Each is told as is wanted, whole and in parts. */
static inline void
assert_told_to(const struct lang_sink *sink, const struct told_case *cases,
	       size_t nr)
{
	static const size_t parts[] = { SIZE_MAX / 2, 71, 131 };
	unsigned wrong = 0;

	for (size_t i = 0; i < nr; i++) {
		for (size_t p = 0; p < ARRAY_LEN(parts); p++) {
			const char *got = told_to(sink, &cases[i], parts[p]);

			if (strcmp(got, cases[i].want) == 0)
				continue;
			print_error("%s: got %s\nwant %s\n%s\n", cases[i].hint,
				    got, cases[i].want, cases[i].source);
			wrong++;
			break;
		}
	}
	assert_int_equal(wrong, 0);
}

static const struct lang_sink told_sink = { .def = told_def,
					    .import = told_import };

static inline const char *
told_of(const char *hint, const char *source, size_t part)
{
	const struct told_case of = { .hint = hint, .source = source };

	return told_to(&told_sink, &of, part);
}

static inline void
assert_told(const struct told_case *cases, size_t nr)
{
	assert_told_to(&told_sink, cases, nr);
}

#endif
