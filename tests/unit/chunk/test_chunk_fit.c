/* SPDX-License-Identifier: MIT */
/*
 * test_chunk_fit.c - chunks within limits of tokens and lines, counted again
 *                    by the tokenizer, for texts of any density.
 */
#include "tests/support/test_shm.h"

#include "stages/chunk/chunk_fit.h"

#define TEXT_ROOM (64u << 10)

static uint8_t text[TEXT_ROOM + 1];
static size_t text_nr;
static const struct tokenizer *tokenizer;

static int
setup(void **state)
{
	return tokenizer_open(&tokenizer, "o200k_base");
}

static void
add(const char *piece)
{
	size_t nr = strlen(piece);

	if (nr <= TEXT_ROOM - text_nr) {
		memcpy(text + text_nr, piece, nr);
		text_nr += nr;
	}
}

/* Functions of C whose statements have no two tokens that join well. */
static void
make_dense(uint64_t *seed)
{
	char line[160];

	while (text_nr < TEXT_ROOM - 4000) {
		uint32_t lines = (uint32_t)(random_next(seed) % 90);

		snprintf(line, sizeof(line), "int f%zu(void)\n{\n", text_nr);
		add(line);
		for (uint32_t i = 0; i < lines; i++) {
			size_t nr = 1;

			line[0] = '\t';
			while (nr < 2 + random_next(seed) % 60)
				line[nr++] = "!;?,+-*%&|^~<>=.()[]xqz79"
					[random_next(seed) % 25];
			line[nr++] = '\n';
			line[nr] = '\0';
			add(line);
		}
		add("}\n\n");
	}
}

static void
make_chinese(uint64_t *seed)
{
	while (text_nr < TEXT_ROOM - 4000) {
		uint32_t nr = (uint32_t)(random_next(seed) % 80);

		for (uint32_t i = 0; i < nr; i++) {
			uint32_t c =
				0x4e00 + (uint32_t)(random_next(seed) % 0x5000);
			char utf8[4] = { (char)(0xe0 | c >> 12),
					 (char)(0x80 | (c >> 6 & 0x3f)),
					 (char)(0x80 | (c & 0x3f)), 0 };

			add(utf8);
		}
		add(random_next(seed) % 9 == 0 ? "\n\n" : "\n");
	}
}

/* Hardly a line break, as in what a minifier leaves. */
static void
make_minified(uint64_t *seed)
{
	char piece[64];

	while (text_nr < TEXT_ROOM - 4000) {
		snprintf(piece, sizeof(piece),
			 "function %c(a,b){return a?b:%u}",
			 (char)('a' + random_next(seed) % 26),
			 (unsigned)(random_next(seed) % 1000));
		add(piece);
		if (random_next(seed) % 200 == 0)
			add("\n");
	}
}

/* Wide tables: many bytes a token, so that few of them are many bytes. */
static void
make_sparse(uint64_t *seed)
{
	char line[200];

	while (text_nr < TEXT_ROOM - 4000) {
		snprintf(line, sizeof(line), "%*s|%*s;\n",
			 (int)(random_next(seed) % 80), "",
			 (int)(random_next(seed) % 80), "");
		add(line);
		if (random_next(seed) % 3 == 0)
			add("struct a {\n};\n\n");
	}
}

/* Where functions lie that were written one behind the other. */
static struct {
	size_t lead; /* their comments */
	size_t from;
	size_t end;
} functions[400];

static size_t
make_functions(uint64_t *seed, uint32_t lines_max)
{
	size_t nr = 0;
	char line[160];

	text_nr = 0;
	while (text_nr < TEXT_ROOM - 70 * (size_t)lines_max - 400 &&
	       nr < ARRAY_LEN(functions)) {
		uint64_t lines = random_next(seed) % lines_max;
		uint64_t words = random_next(seed) % 4 * (lines_max / 2);

		functions[nr].lead = text_nr;
		snprintf(line, sizeof(line), "/*\n * Number %zu.\n", nr);
		add(line);
		for (uint64_t i = 0; i < words; i++)
			add(i % 8 == 7 ? " * says nothing.\n"
				       : " * says nothing\n");
		add(" */\n");
		functions[nr].from = text_nr;
		snprintf(line, sizeof(line), "int f%zu(void)\n{\n", nr);
		add(line);
		for (uint64_t i = 0; i < lines; i++) {
			snprintf(line, sizeof(line),
				 "\tprintf(\"value %%d\\n\", a[%llu]);\n",
				 (unsigned long long)i);
			add(line);
		}
		add("\treturn 0;\n}\n");
		functions[nr++].end = text_nr;
		add("\n");
	}
	return nr;
}

/* Bytes that are no UTF-8: each is seen as more than it is. */
static void
make_broken(uint64_t *seed)
{
	while (text_nr < TEXT_ROOM - 4000) {
		uint32_t nr = (uint32_t)(random_next(seed) % 120);

		while (nr-- > 0)
			text[text_nr++] =
				(uint8_t)(0x80 + random_next(seed) % 128);
		text[text_nr++] = '\n';
	}
}

static const struct {
	const char *name;
	uint32_t lang;
	void (*make)(uint64_t *seed);
} texts[] = {
	{ "dense C", LANG_C, make_dense },
	{ "dense, by lines", LANG_NONE, make_dense },
	{ "Chinese", LANG_MARKDOWN, make_chinese },
	{ "Chinese, by lines", LANG_NONE, make_chinese },
	{ "minified", LANG_JAVASCRIPT, make_minified },
	{ "sparse", LANG_C, make_sparse },
	{ "no UTF-8", LANG_C, make_broken },
};

static uint64_t
count(size_t from, size_t bytes)
{
	return tokenizer_count(tokenizer, NULL, text + from, bytes);
}

static uint32_t
lines_in(size_t from, size_t bytes)
{
	uint32_t nr = 0;

	for (size_t i = from; i < from + bytes; i++)
		nr += text[i] == '\n';
	return nr;
}

static struct chunk_fit
fit_of(uint32_t max, uint32_t min, uint32_t lines)
{
	struct chunk_fit fit = {
		.tokenizer = tokenizer,
		.max_tokens = max,
		.min_tokens = min,
		.max_lines = lines,
	};

	chunk_limits_init(&fit.limits, max, min);
	return fit;
}

/* Bytes of the line that begins there. */
static size_t
line_at(size_t from)
{
	const uint8_t *newline = memchr(text + from, '\n', text_nr - from);

	return newline == NULL ? text_nr - from
			       : (size_t)(newline - text) + 1 - from;
}

static void
assert_chunk(const char *name, const struct chunk_fit *fit, size_t from,
	     size_t got, const struct chunk_size *size)
{
	uint64_t tokens = count(from, got);
	bool is_line = lines_in(from, got - 1) == 0;
	bool is_last = from + got == text_nr;

	if (size->tokens != 0)
		ASSERT_EQ(size->tokens, tokens);
	ASSERT_EQ(size->is_over, tokens > fit->max_tokens);
	if (tokens > fit->max_tokens && !is_line)
		fail_msg("%s: chunk at %zu of %zu bytes: got %llu tokens", name,
			 from, got, (unsigned long long)tokens);
	if (!is_last)
		ASSERT_EQ(text[from + got - 1], '\n');
	if (is_last || tokens >= min_u64(fit->min_tokens, fit->max_tokens / 2))
		return;
	/* with as much again it would have too many */
	if (got * 9 < line_at(from + got) * 8 ||
	    count(from, min_size(9 * got, text_nr - from)) > fit->max_tokens)
		return;
	fail_msg("%s: chunk at %zu of %zu bytes: got %llu tokens only", name,
		 from, got, (unsigned long long)tokens);
}

static void
cut_all(const char *name, uint32_t lang, const struct chunk_fit *fit)
{
	static struct chunk_cutter cutter;
	struct lang_text whole = { text, 0, text_nr, true };
	struct chunk_size size;
	size_t from = 0;
	size_t got;

	chunk_cutter_init(&cutter, lang, &fit->limits);
	while ((got = chunk_fit_next(fit, &cutter, &whole, NULL, &size)) > 0) {
		assert_true(got <= text_nr - from);
		assert_chunk(name, fit, from, got, &size);
		from += got;
	}
	ASSERT_EQ(from, text_nr);
}

/* verifies: FR-016-44, FR-016-45, FR-016-46, FR-016-48 */
static void
test_chunk_fit_no_chunk_has_more_tokens_than_it_may(void **state)
{
	static const uint32_t maxima[] = { 16, 100, 500, 2000, 19000 };

	for (size_t i = 0; i < ARRAY_LEN(texts); i++) {
		uint64_t seed = 40 + i;

		text_nr = 0;
		texts[i].make(&seed);
		for (size_t k = 0; k < ARRAY_LEN(maxima); k++) {
			struct chunk_fit fit = fit_of(maxima[k], 100, 0);

			cut_all(texts[i].name, texts[i].lang, &fit);
		}
	}
}

/* verifies: FR-016-42, FR-016-44 */
static void
test_chunk_fit_by_lines_has_so_many_lines(void **state)
{
	static struct chunk_cutter cutter;
	struct lang_text whole = { text, 0, 0, true };
	struct chunk_fit fit = fit_of(2000, 100, 7);
	uint64_t seed = 5;
	size_t from = 0;
	struct chunk_size size;
	size_t got;

	text_nr = 0;
	make_sparse(&seed);
	whole.nr = text_nr;
	chunk_cutter_init(&cutter, LANG_C, &fit.limits);
	while ((got = chunk_fit_next(&fit, &cutter, &whole, NULL, &size)) > 0) {
		ASSERT_EQ(size.tokens, count(from, got));
		if (from + got < text_nr)
			ASSERT_EQ(lines_in(from, got), 7);
		from += got;
	}
	ASSERT_EQ(from, text_nr);
}

/* Each has as many lines as fit: with the next one it would be too many.
 * verifies: FR-016-43, FR-016-44 */
static void
test_chunk_fit_by_tokens_has_as_many_lines_as_fit(void **state)
{
	static struct chunk_cutter cutter;
	struct chunk_fit fit = fit_of(300, 0, UINT32_MAX);

	for (size_t i = 0; i < ARRAY_LEN(texts); i++) {
		struct lang_text whole = { text, 0, 0, true };
		uint64_t seed = 60 + i;
		struct chunk_size size;
		size_t from = 0;
		size_t got;

		text_nr = 0;
		texts[i].make(&seed);
		whole.nr = text_nr;
		chunk_cutter_init(&cutter, texts[i].lang, &fit.limits);
		while ((got = chunk_fit_next(&fit, &cutter, &whole, NULL,
					     &size)) > 0) {
			size_t next = from + got;

			ASSERT_EQ(size.tokens, count(from, got));
			assert_true(size.tokens <= 300 ||
				    lines_in(from, got - 1) == 0);
			if (next < text_nr)
				assert_true(count(from, got + line_at(next)) >
					    300);
			from = next;
		}
		ASSERT_EQ(from, text_nr);
	}
}

/* What comes in parts is cut as the whole, by lines, by tokens and by
 * structure. verifies: NFR-016-12, NFR-016-26 */
static void
test_chunk_fit_in_parts_as_the_whole(void **state)
{
	static struct chunk_cutter one;
	static struct chunk_cutter other;
	static const uint32_t lines[] = { 1, 13, 5000, UINT32_MAX, 0 };

	for (size_t i = 0; i < ARRAY_LEN(lines); i++) {
		struct lang_text whole = { text, 0, 0, true };
		struct chunk_fit fit = fit_of(3000, 100, lines[i]);
		uint64_t seed = 9;
		size_t there = 0;
		struct chunk_size size;

		if (lines[i] == 0)
			make_functions(&seed, 300);
		else {
			text_nr = 0;
			make_sparse(&seed);
		}
		fit.keeps_whole = true;
		whole.nr = text_nr;
		chunk_cutter_init(&one, LANG_C, &fit.limits);
		chunk_cutter_init(&other, LANG_C, &fit.limits);
		while (one.start < text_nr) {
			struct lang_text part = { text + one.start, one.start,
						  0, false };
			size_t got;

			there = min_size(there + 3001, text_nr);
			part.nr = there - one.start;
			part.at_end = there == text_nr;
			while ((got = chunk_fit_next(&fit, &one, &part, NULL,
						     &size)) > 0)
				ASSERT_EQ(chunk_fit_next(&fit, &other, &whole,
							 NULL, &size),
					  got);
			assert_true(part.nr < 2 * CHUNK_CARRY_BYTES);
		}
	}
}

/* A line that is too much stands alone, and is said to be. */
static void
test_chunk_fit_line_that_does_not_fit_stands_alone(void **state)
{
	static struct chunk_cutter cutter;
	struct chunk_fit fit = fit_of(100, 20, 0);
	struct lang_text whole = { text, 0, 0, true };
	struct chunk_size size;

	text_nr = 0;
	add("int a;\n");
	for (int i = 0; i < 400; i++)
		add("f(1),");
	add("\nint b;\n");
	whole.nr = text_nr;
	for (uint32_t lang = LANG_NONE; lang <= LANG_C; lang++) {
		chunk_cutter_init(&cutter, lang, &fit.limits);
		ASSERT_EQ(chunk_fit_next(&fit, &cutter, &whole, NULL, &size),
			  7);
		assert_false(size.is_over);
		ASSERT_EQ(chunk_fit_next(&fit, &cutter, &whole, NULL, &size),
			  2001);
		assert_true(size.is_over);
		ASSERT_EQ(chunk_fit_next(&fit, &cutter, &whole, NULL, &size),
			  7);
		ASSERT_EQ(chunk_fit_next(&fit, &cutter, &whole, NULL, &size),
			  0);
	}
}

/*
 * With lines that chunks have to begin at, each of them does, and no chunk has
 * more tokens than it may; the tokens are those of its text.
 * verifies: FR-016-24, FR-016-100, FR-016-101, NFR-016-25
 */
static void
test_chunk_fit_stops_where_it_is_told_to(void **state)
{
	static struct chunk_cutter cutter;

	for (size_t i = 0; i < 2 * ARRAY_LEN(texts); i++) {
		struct lang_text whole = { text, 0, 0, true };
		struct chunk_fit fit = fit_of(300, 50, i % 2 ? 9 : 0);
		uint64_t seed = i + 1;
		uint64_t line = 1;
		uint64_t boundary = 4;
		size_t from = 0;
		struct chunk_size size;
		size_t got;

		text_nr = 0;
		texts[i / 2].make(&seed);
		whole.nr = text_nr;
		chunk_cutter_init(&cutter, texts[i / 2].lang, &fit.limits);
		for (;;) {
			fit.stop_lines = boundary - line;
			got = chunk_fit_next(&fit, &cutter, &whole, NULL,
					     &size);
			if (got == 0)
				break;
			assert_true(count(from, got) <= 300 ||
				    lines_in(from, got - 1) == 0);
			assert_true(size.tokens == 0 ||
				    size.tokens == count(from, got));
			line += lines_in(from, got);
			from += got;
			assert_true(line <= boundary || from == text_nr);
			if (line == boundary)
				boundary += 1 + random_next(&seed) % 60;
		}
		ASSERT_EQ(from, text_nr);
	}
}

/* Ends of all chunks. */
static size_t
ends_of(const struct chunk_fit *fit, uint32_t lang, size_t *ends, size_t max)
{
	static struct chunk_cutter cutter;
	struct lang_text whole = { text, 0, text_nr, true };
	struct chunk_size size;
	size_t from = 0;
	size_t nr = 0;
	size_t got;

	chunk_cutter_init(&cutter, lang, &fit->limits);
	while ((got = chunk_fit_next(fit, &cutter, &whole, NULL, &size)) > 0) {
		if (size.tokens != 0 && !fit->estimates)
			ASSERT_EQ(size.tokens, count(from, got));
		from += got;
		assert_true(nr < max);
		ends[nr++] = from;
	}
	ASSERT_EQ(from, text_nr);
	return nr;
}

static void
assert_not_torn(const struct chunk_fit *fit, size_t function_nr,
		const size_t *ends, size_t nr)
{
	for (size_t i = 0; i < function_nr; i++) {
		size_t from = functions[i].lead;

		/* with its comments, or else without them */
		if (count(from, functions[i].end - from) > fit->max_tokens)
			from = functions[i].from;
		if (count(from, functions[i].end - from) > fit->max_tokens)
			continue;
		for (size_t k = 0; k < nr; k++)
			if (ends[k] > from && ends[k] < functions[i].end)
				fail_msg("function %zu is cut in two at %u "
					 "tokens",
					 i, fit->max_tokens);
	}
}

/* No chunk is too small whose neighbour has room for it. */
static void
assert_not_small(const struct chunk_fit *fit, const size_t *ends, size_t nr)
{
	uint64_t least = min_u64(fit->min_tokens, fit->max_tokens / 2);
	size_t before = 0;

	for (size_t i = 0; i + 1 < nr; i++) {
		uint64_t one = count(before, ends[i] - before);
		uint64_t other = count(ends[i], ends[i + 1] - ends[i]);

		if (min_u64(one, other) < least &&
		    count(before, ends[i + 1] - before) <= fit->max_tokens)
			fail_msg("chunks of %llu and %llu tokens of %u",
				 (unsigned long long)one,
				 (unsigned long long)other, fit->max_tokens);
		before = ends[i];
	}
}

/* verifies: FR-016-45, FR-016-46, AC-016-006 */
static void
test_chunk_fit_keeps_functions_whole(void **state)
{
	static const uint32_t maxima[] = { 100, 400, 1200, 2000, 9000 };
	static size_t ends[4000];

	for (uint64_t seed = 1; seed <= 12; seed++) {
		uint64_t random = seed;
		uint32_t lines = (uint32_t)(10 + random_next(&random) % 140);
		size_t functions_nr = make_functions(&random, lines);

		for (size_t i = 0; i < ARRAY_LEN(maxima); i++) {
			struct chunk_fit fit = fit_of(maxima[i], 100, 0);
			size_t nr;

			fit.keeps_whole = true;
			fit.limits.join_bytes = (uint32_t)min_u64(
				2100, fit.limits.max_bytes / 3);
			nr = ends_of(&fit, LANG_C, ends, ARRAY_LEN(ends));
			assert_not_torn(&fit, functions_nr, ends, nr);
			assert_not_small(&fit, ends, nr);
		}
	}
}

/* A heading stands with what follows it. verifies: FR-016-41, FR-016-45 */
static void
test_chunk_fit_keeps_headings_with_their_text(void **state)
{
	static const uint32_t maxima[] = { 300, 1200, 2000 };
	static size_t ends[4000];

	for (size_t i = 0; i < ARRAY_LEN(maxima); i++) {
		struct chunk_fit fit = fit_of(maxima[i], 100, 0);
		uint64_t seed = 3 + i;
		size_t nr;

		text_nr = 0;
		while (text_nr < TEXT_ROOM - 12000) {
			uint64_t words = random_next(&seed) % 1800;
			bool is_one = random_next(&seed) % 2; /* paragraph */

			add("# Part\n\n## Chapter\n\n");
			for (uint64_t k = 0; k < words; k++)
				add(k % 14 != 13 ? "page "
				    : is_one     ? "page\n"
						 : "page.\n\n");
			add("\n\n");
		}
		fit.keeps_whole = true;
		nr = ends_of(&fit, LANG_MARKDOWN, ends, ARRAY_LEN(ends));
		assert_not_small(&fit, ends, nr);
		for (size_t k = 0; k + 1 < nr; k++)
			assert_int_not_equal(memcmp(text + ends[k] - 12,
						    "## Chapter\n\n", 12),
					     0);
	}
}

/*
 * With estimates the same holds of source text, and chunks are cut where they
 * are when all is counted; what is near a limit is counted.
 */
static void
test_chunk_fit_with_estimates_keeps_the_limits(void **state)
{
	static size_t ends[2][1000];
	struct chunk_fit fit = fit_of(2000, 100, 0);
	uint64_t seed = 91;
	size_t chunk_nr = 0;
	size_t other_nr = 0;

	fit.keeps_whole = true;
	for (int i = 0; i < 12; i++) {
		size_t nr[2];
		size_t from = 0;

		make_functions(&seed, 20 + 30 * (uint32_t)i);
		for (int k = 0; k < 2; k++) {
			fit.estimates = k == 1;
			nr[k] = ends_of(&fit, LANG_C, ends[k],
					ARRAY_LEN(ends[k]));
		}
		for (size_t k = 0; k < nr[1]; k++) {
			uint64_t tokens = count(from, ends[1][k] - from);

			ASSERT_TRUE(tokens <= fit.max_tokens);
			from = ends[1][k];
			other_nr += k >= nr[0] || ends[0][k] != from;
		}
		ASSERT_EQ(from, text_nr);
		assert_not_small(&fit, ends[1], nr[1]);
		chunk_nr += nr[1];
	}
	ASSERT_TRUE(chunk_nr > 100);
	ASSERT_TRUE(other_nr * 20 <= chunk_nr);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
			test_chunk_fit_no_chunk_has_more_tokens_than_it_may),
		cmocka_unit_test(test_chunk_fit_by_lines_has_so_many_lines),
		cmocka_unit_test(
			test_chunk_fit_by_tokens_has_as_many_lines_as_fit),
		cmocka_unit_test(test_chunk_fit_in_parts_as_the_whole),
		cmocka_unit_test(
			test_chunk_fit_line_that_does_not_fit_stands_alone),
		cmocka_unit_test(test_chunk_fit_stops_where_it_is_told_to),
		cmocka_unit_test(test_chunk_fit_keeps_functions_whole),
		cmocka_unit_test(test_chunk_fit_keeps_headings_with_their_text),
		cmocka_unit_test(test_chunk_fit_with_estimates_keeps_the_limits),
	};

	return cmocka_run_group_tests_name("chunk/fit", tests, setup, NULL);
}
