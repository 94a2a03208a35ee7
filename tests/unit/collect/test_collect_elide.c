/* SPDX-License-Identifier: MIT */
/*
 * test_collect_elide.c - base64 and data, cut short, however they come.
 */
#include "tests/support/test_convert.h"

#include <stdio.h>

#define TEXT_BYTES (128u << 10)

static uint8_t text[TEXT_BYTES];
static char got[TEXT_BYTES + COLLECT_CONVERT_ROOM(0)];
static char want[TEXT_BYTES];

static void
expect(uint8_t set, size_t bytes, size_t want_bytes)
{
	static const size_t pieces[] = { 1, 7, 511, 4096, 5000, TEXT_BYTES };

	for (size_t i = 0; i < ARRAY_LEN(pieces); i++) {
		struct collect_convert convert;
		size_t nr = convert_in_pieces(&convert, set, text, bytes,
					      pieces[i], got);

		if (nr != want_bytes || memcmp(got, want, nr) != 0)
			fail_msg("in pieces of %zu: got %.200s", pieces[i],
				 got);
	}
}

/* `nr` bytes of what base64 looks like. */
static size_t
put_base64(size_t at, size_t nr)
{
	for (size_t i = 0; i < nr; i++)
		text[at + i] = (uint8_t)"iVBORw0KGgo+/A9"[i % 15];
	return at + nr;
}

static size_t
put(size_t at, const char *words)
{
	memcpy(text + at, words, strlen(words));
	return at + strlen(words);
}

static void
test_elide_base64_leaves_its_length(void **state)
{
	size_t at = put(0, "a = \"data:image/png;base64,");
	int nr;

	at = put_base64(at, 5120);
	at = put(at, "\";\nb = \"");
	at = put_base64(at, ELIDE_BASE64_MIN - 1);
	at = put(at, "\"\n\xc3\xa4\xff ");
	at = put_base64(at, ELIDE_BASE64_MIN);
	nr = snprintf(want, sizeof(want),
		      "a = \"data:image/png;base64,[base64, 5,120 bytes]\";\n"
		      "b = \"%.*s\"\n\xc3\xa4\xef\xbf\xbd [base64, 512 bytes]",
		      (int)ELIDE_BASE64_MIN - 1,
		      text + strlen("a = \"data:image/png;base64,"));
	ASSERT_TRUE(collect_has_base64(text, at, NULL));
	expect(CHARSET_WITH_BASE64, at, (size_t)nr);
}

/* Long runs of other letters are text: lines of 'x', hexadecimal, bases. */
static void
test_elide_leaves_other_runs(void **state)
{
	static const char *const kinds[] = { "x", "0123456789abcdef", "GATC",
					     "aB", "A1" };

	for (size_t i = 0; i < ARRAY_LEN(kinds); i++) {
		for (size_t j = 0; j < 3000; j++)
			text[j] = (uint8_t)kinds[i][j % strlen(kinds[i])];
		ASSERT_TRUE(!collect_has_base64(text, 3000, NULL));
		memcpy(want, text, 3000);
		expect(CHARSET_WITH_BASE64, 3000, 3000);
	}
}

/* Wherever it lies, a run of the least length is found, and none shorter. */
static void
test_elide_finds_a_run_anywhere(void **state)
{
	for (size_t at = 0; at < 3 * ELIDE_BASE64_MIN; at += 3) {
		memset(text, ' ', 6 * ELIDE_BASE64_MIN);
		put_base64(at, ELIDE_BASE64_MIN);
		ASSERT_TRUE(collect_has_base64(text, 6 * ELIDE_BASE64_MIN, NULL));
		text[at + ELIDE_BASE64_MIN - 1] = '\n';
		ASSERT_TRUE(!collect_has_base64(text, 6 * ELIDE_BASE64_MIN, NULL));
	}
	put_base64(0, ELIDE_BASE64_MIN);
	ASSERT_TRUE(collect_has_base64(text, ELIDE_BASE64_MIN, NULL));
	ASSERT_TRUE(!collect_has_base64(text, ELIDE_BASE64_MIN - 1, NULL));
	ASSERT_TRUE(!collect_has_base64(text, 0, NULL));
}

/* The text is a blob of `lines` lines of `nr` bytes and a last one of 20, each
 * behind `before` and before `joint`, between two other lines. */
static size_t
put_blob(const char *before, const char *joint, int lines, size_t nr)
{
	size_t at = put(0, "first\n");

	for (int i = 0; i < lines; i++)
		at = put(put_base64(put(at, before), nr), joint);
	at = put_base64(put(at, before), 20);
	return put(at, ");\nlast: 1\n");
}

/* Wrapped as PEM and as MIME, in a style sheet, in literals of C, JavaScript,
 * Go and JSON, indented. */
static void
test_elide_base64_of_lines_is_one_blob(void **state)
{
	static const struct {
		const char *before;
		const char *joint;
		size_t nr;
		size_t more; /* of the joint before the first line */
	} rows[] = {
		{ "", "\n", 64, 0 },	     { "", "\r\n", 76, 0 },
		{ "", "\\\n", 76, 0 },	     { "\t    ", "\n", 64, 5 },
		{ "\"", "\\n\"\n", 64, 1 }, { "  \"", "\\n\" +\n", 64, 3 },
		{ "'", "'\n\t\t", 48, 1 },  { "", "\\r\\n", 64, 0 },
	};

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		size_t bytes = put_blob(rows[i].before, rows[i].joint, 20,
					rows[i].nr);
		size_t nr = 20 * rows[i].nr + 20;
		int want_nr = sprintf(want,
				      "first\n%.*s[base64, %s%zu bytes]);\n"
				      "last: 1\n",
				      (int)rows[i].more, rows[i].before,
				      nr >= 1000 ? "1," : "", nr % 1000);

		ASSERT_TRUE(collect_has_base64(text, bytes, NULL));
		expect(CHARSET_WITH_BASE64, bytes, (size_t)want_nr);
	}
}

/* A certificate's frame stays, and two of them are two. */
static void
test_elide_leaves_the_frame_of_pem(void **state)
{
	size_t at = 0;
	int nr;

	for (int i = 0; i < 2; i++) {
		at = put(at, "-----BEGIN CERTIFICATE-----\n");
		for (int j = 0; j < 16; j++)
			at = put(put_base64(at, 64), "\n");
		at = put(at, "QQ==\n-----END CERTIFICATE-----\n");
	}
	nr = sprintf(want, "%s%s",
		     "-----BEGIN CERTIFICATE-----\n[base64, 1,028 bytes]\n"
		     "-----END CERTIFICATE-----\n",
		     "-----BEGIN CERTIFICATE-----\n[base64, 1,028 bytes]\n"
		     "-----END CERTIFICATE-----\n");
	expect(CHARSET_WITH_BASE64, at, (size_t)nr);
}

/* A word right behind a blob is no line of it, but what may be its end is. */
static void
test_elide_leaves_a_word_behind(void **state)
{
	static const struct {
		const char *text;
		bool is_line;
	} rows[] = {
		{ "end\n", false },   { "return\n", false },
		{ "ReadOnly\n", false }, { "KEY==\n", false },
		{ "next;\n", false },  { "int8 a;\n", false },
		{ "sha256\n", false }, { "a1b2: c\n", false },
		{ "QQ==\n", true },    { "a1b2\n", true },
		{ "Q29k\"", true },
	};

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		size_t at = 0;
		int nr = sprintf(want, "[base64, %s bytes]%s%s",
				 rows[i].is_line ? "1,028" : "1,024",
				 rows[i].is_line ? "" : "\n",
				 rows[i].text + (rows[i].is_line ? 4 : 0));

		for (int j = 0; j < 16; j++)
			at = put(put_base64(at, 64), "\n");
		expect(CHARSET_WITH_BASE64, put(at, rows[i].text), (size_t)nr);
	}
}

/* Lines of other lengths, too short, of fingerprints, of addresses, values of
 * a list, and less than a blob in all. */
static void
test_elide_leaves_other_lines(void **state)
{
	static const char *const joints[] = { "\",\n\"", " ", "\n\n-\n",
					      ": \n" };
	size_t at = 0;

	for (size_t i = 0; i < ARRAY_LEN(joints); i++) {
		size_t bytes = put_blob("", joints[i], 20, 64);

		ASSERT_TRUE(!collect_has_base64(text, bytes, NULL));
		memcpy(want, text, bytes);
		expect(CHARSET_WITH_BASE64, bytes, bytes);
	}
	at = put_blob("", "\n", 100, ELIDE_LINE_MIN - 1);
	ASSERT_TRUE(!collect_has_base64(text, at, NULL));
	at = put_blob("", "\n", 7, 64);
	ASSERT_TRUE(!collect_has_base64(text, at, NULL));
	at = 0;
	for (size_t i = 0; i < 100; i++)
		at = put(put_base64(at, 40 + i % 3), "\n");
	ASSERT_TRUE(!collect_has_base64(text, at, NULL));
	at = 0;
	for (size_t i = 0; i < 100; i++)
		at = put(at, "0x52908400098527886E0F7030069857D2E4169EE7\n");
	text[at] = '\0';
	for (char *c = (char *)text; (c = strchr(c, 'x')) != NULL;)
		*c = '0';
	ASSERT_TRUE(!collect_has_base64(text, at, NULL));
}

/* Words, lines of base64, and what may stand between them. */
static size_t
put_anything(uint64_t *seed)
{
	static const char *const pieces[] = { "\n", "\\n\"\n\"", "=", " ",
					      "word", "\xc3\xa4", ": ", "\\\n" };
	size_t at = 0;

	while (at < 3000) {
		uint32_t kind;

		*seed = *seed * 6364136223846793005u + 1442695040888963407u;
		kind = (uint32_t)(*seed >> 40);
		if (kind % 1024 == 0)
			for (uint32_t i = 0; i < kind / 1024 % 20; i++)
				at = put(put_base64(at, 64), "\n");
		else if (kind % 1024 == 1)
			at = put_base64(at, kind / 1024 % 600);
		else
			at = put(at, pieces[kind / 1024 % ARRAY_LEN(pieces)]);
	}
	return at;
}

/* What is found is what is cut, and parts end where nothing is open. */
static void
test_elide_finds_what_it_cuts(void **state)
{
	uint64_t seed = 0xb64;
	int found_nr = 0;

	for (int i = 0; i < 1000; i++) {
		struct collect_convert convert;
		size_t bytes = put_anything(&seed);
		size_t part = 2000 + (seed >> 50) % 1000;
		size_t nr = convert_in_pieces(&convert, CHARSET_WITH_BASE64,
					      text, bytes, bytes, got);
		bool is_cut = nr != bytes || memcmp(got, text, nr) != 0;
		size_t open_bytes;
		bool has;

		ASSERT_EQ(collect_has_base64(text, bytes, NULL), is_cut);
		has = collect_has_base64(text, part, &open_bytes);
		if (!has && open_bytes < part)
			has = collect_has_base64(text + part - open_bytes,
						 bytes - part + open_bytes,
						 NULL);
		ASSERT_EQ(has, is_cut);
		found_nr += is_cut;
	}
	ASSERT_TRUE(found_nr > 100);
	ASSERT_TRUE(found_nr < 900);
}

static void
test_elide_data_keeps_whole_lines_of_its_head(void **state)
{
	size_t at = 0;
	size_t head = 0;
	int nr;

	for (int i = 0; at < 100000; i++) {
		at += (size_t)sprintf((char *)text + at, "%d,%d,\xc3\xa4\n", i,
				      i * 7);
		if (at <= ELIDE_HELD_BYTES)
			head = at;
	}
	nr = snprintf(want, sizeof(want), "%.*s[data, %zu,%03zu more bytes]\n",
		      (int)head, text, (at - head) / 1000, (at - head) % 1000);
	expect(CHARSET_LARGE_DATA, at, (size_t)nr);
}

/* A line that is longer than the head is cut between characters. */
static void
test_elide_data_of_one_line_keeps_whole_characters(void **state)
{
	for (size_t first = 0; first < 4; first++) {
		size_t head = first;
		int nr;

		memset(text, '1', first);
		for (size_t at = first; at < 80000; at += 3)
			memcpy(text + at, "\xe2\x82\xac", 3);
		while (head + 3 <= ELIDE_HELD_BYTES)
			head += 3;
		head -= head == ELIDE_HELD_BYTES ? 3 : 0;
		nr = snprintf(want, sizeof(want),
			      "%.*s\n[data, %zu,%03zu more bytes]\n", (int)head,
			      text, (79998 + first - head) / 1000,
			      (79998 + first - head) % 1000);
		expect(CHARSET_LARGE_DATA, 79998 + first, (size_t)nr);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_elide_base64_leaves_its_length),
		cmocka_unit_test(test_elide_leaves_other_runs),
		cmocka_unit_test(test_elide_finds_a_run_anywhere),
		cmocka_unit_test(test_elide_base64_of_lines_is_one_blob),
		cmocka_unit_test(test_elide_leaves_the_frame_of_pem),
		cmocka_unit_test(test_elide_leaves_a_word_behind),
		cmocka_unit_test(test_elide_leaves_other_lines),
		cmocka_unit_test(test_elide_finds_what_it_cuts),
		cmocka_unit_test(test_elide_data_keeps_whole_lines_of_its_head),
		cmocka_unit_test(
			test_elide_data_of_one_line_keeps_whole_characters),
	};

	return cmocka_run_group_tests_name("collect/elide", tests, NULL, NULL);
}
