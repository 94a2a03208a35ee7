/* SPDX-License-Identifier: MIT */
/*
 * test_count_normal.c - contents that differ in white space, against normal
 * forms that are made plainly.
 */
#include "tests/support/test_shm.h"

#include "stages/count/count_normal.h"

static void
digest_of(enum normalize how, const char *text, uint8_t *digest)
{
	size_t bytes = strlen(text);

	if (count_is_normal(how, (const uint8_t *)text, bytes))
		sha256_of((const uint8_t *)text, bytes, digest);
	else
		count_normal_sha256(how, (const uint8_t *)text, bytes, digest);
}

static bool
are_same(enum normalize how, const char *a, const char *b)
{
	uint8_t of_a[SHA256_BYTES];
	uint8_t of_b[SHA256_BYTES];

	digest_of(how, a, of_a);
	digest_of(how, b, of_b);
	return memcmp(of_a, of_b, sizeof(of_a)) == 0;
}

/* verifies: FR-016-94, FR-016-95, FR-016c-21, AC-016c-021, AC-016c-022 */
static void
test_normal_contents_are_the_same_as_told(void **state)
{
	static const struct {
		const char *a;
		const char *b;
		bool same[3]; /* none, trailing, whitespace */
	} cases[] = {
		{ "a\nb\n", "a\nb\n", { true, true, true } },
		{ "a\nb\n", "a\r\nb\r\n", { false, true, true } },
		{ "a\nb\n", "a \nb\t \n", { false, true, true } },
		{ "a\nb\n", "a\nb", { false, true, true } },
		{ "a\nb\n", "a\n b\n", { false, false, true } },
		{ "a\nb\n", "a\n\nb\n", { false, false, true } },
		{ "a b\n", "a\tb\n", { false, false, true } },
		{ "a\n", "b\n", { false, false, false } },
		{ "ab\n", "a b\n", { false, false, false } },
		{ "", "", { true, true, true } },
		{ " \n", "\n", { false, true, true } },
		{ "public class User { }",
		  "public class User { }",
		  { true, true, true } },
	};

	for (size_t i = 0; i < ARRAY_LEN(cases); i++)
		for (int how = 0; how < 3; how++)
			if (are_same((enum normalize)how, cases[i].a,
				     cases[i].b) != cases[i].same[how])
				fail_msg("case %zu, way %d", i, how);
}

/* What is normal has the same fingerprint either way. */
static void
test_normal_form_of_what_is_normal_is_itself(void **state)
{
	uint64_t seed = 0x9012a1;

	/* an empty file has no slab */
	ASSERT_EQ(count_is_normal(NORMALIZE_TRAILING, NULL, 0), true);
	for (int round = 0; round < 20000; round++) {
		/* of every other text one byte at most is blank */
		static const char letters[] = "ab\nab\n \t\r";
		uint64_t letter_nr = round % 2 ? 9 : 6;
		uint8_t text[300];
		size_t bytes = random_next(&seed) % sizeof(text);
		uint8_t raw[SHA256_BYTES];
		uint8_t normal[SHA256_BYTES];
		bool same;

		for (size_t i = 0; i < bytes; i++)
			text[i] = (uint8_t)
				letters[random_next(&seed) % letter_nr];
		if (bytes > 0)
			text[random_next(&seed) % bytes] =
				(uint8_t)letters[random_next(&seed) % 9];
		sha256_of(text, bytes, raw);
		count_normal_sha256(NORMALIZE_TRAILING, text, bytes, normal);
		same = memcmp(raw, normal, sizeof(raw)) == 0;
		ASSERT_EQ(count_is_normal(NORMALIZE_TRAILING, text, bytes),
			  same);
	}
}

/* The normal form, made plainly: a line, or a word, at a time. */
static size_t
make_normal(enum normalize how, const char *text, size_t bytes, char *out)
{
	size_t nr = 0;
	size_t line = 0;
	bool in_word = false;

	for (size_t i = 0; i < bytes; i++) {
		bool is_end = text[i] == '\n';
		bool is_blank = strchr(" \t\r", text[i]) != NULL;

		if (how == NORMALIZE_WHITESPACE) {
			if (!is_end && !is_blank && !in_word && nr > 0)
				out[nr++] = ' ';
			in_word = !is_end && !is_blank;
			if (in_word)
				out[nr++] = text[i];
			continue;
		}
		while (how == NORMALIZE_TRAILING && is_end && nr > line &&
		       strchr(" \t\r", out[nr - 1]) != NULL)
			nr--;
		out[nr++] = text[i];
		if (is_end)
			line = nr;
	}
	if (how != NORMALIZE_TRAILING || bytes == 0 ||
	    text[bytes - 1] == '\n')
		return nr;
	while (nr > line && strchr(" \t\r", out[nr - 1]) != NULL)
		nr--;
	out[nr++] = '\n';
	return nr;
}

/*
 * However a text is parted, its digest is that of its normal form.
 * verifies: FR-016-94, FR-016c-21, AC-016c-021
 */
static void
test_digest_of_parts_is_that_of_the_normal_form(void **state)
{
	uint64_t seed = 0x9012a2;

	for (int round = 0; round < 60000; round++) {
		static const char letters[] = "ab\n \t\rab\n";
		enum normalize how = (enum normalize)(round % 3);
		char text[60];
		char normal[2 * sizeof(text)];
		size_t bytes = random_next(&seed) % sizeof(text);
		struct count_digest digest;
		uint8_t want[SHA256_BYTES];
		uint8_t got[SHA256_BYTES];

		for (size_t i = 0; i < bytes; i++)
			text[i] = letters[random_next(&seed) %
					  (sizeof(letters) - 1)];
		sha256_of((const uint8_t *)normal,
			     make_normal(how, text, bytes, normal), want);
		count_digest_init(&digest, how);
		for (size_t at = 0; at < bytes;) {
			size_t part = random_next(&seed) % (bytes - at + 1);

			count_digest_add(&digest, (const uint8_t *)text + at,
					 part);
			at += part;
		}
		count_digest_end(&digest, got);
		if (memcmp(got, want, sizeof(got)) != 0)
			fail_msg("round %d: got another digest of %.*s", round,
				 (int)bytes, text);
	}
}

/* Lines and words longer than what is gathered at once. */
static void
test_digest_of_long_lines_is_that_of_the_normal_form(void **state)
{
	enum { LINE = 5000, LINES = 40 };
	static char text[LINES * (LINE + 1)];
	static char normal[2 * sizeof(text)];
	uint64_t seed = 0x9012a3;

	for (int how = 0; how < 3; how++) {
		size_t bytes = 0;
		uint8_t want[SHA256_BYTES];
		uint8_t got[SHA256_BYTES];

		for (int line = 0; line < LINES; line++) {
			size_t long_nr = random_next(&seed) % LINE;

			memset(text + bytes, line % 3 ? 'x' : ' ', long_nr);
			bytes += long_nr;
			text[bytes++] = line % 5 ? '\n' : 'y';
		}
		sha256_of((const uint8_t *)normal,
			     make_normal((enum normalize)how, text, bytes,
					 normal),
			     want);
		count_normal_sha256((enum normalize)how,
				    (const uint8_t *)text, bytes, got);
		assert_memory_equal(got, want, sizeof(got));
	}
}

/* Of "abc", as FIPS 180-2 has it. */
static const uint8_t sum_of_abc[SHA256_BYTES] = {
	0xba, 0x78, 0x16, 0xbf, 0x8f, 0x01, 0xcf, 0xea, 0x41, 0x41, 0x40,
	0xde, 0x5d, 0xae, 0x22, 0x23, 0xb0, 0x03, 0x61, 0xa3, 0x96, 0x17,
	0x7a, 0x9c, 0xb4, 0x10, 0xff, 0x61, 0xf2, 0x00, 0x15, 0xad,
};

static void
test_digest_of_a_normal_text_is_that_of_its_bytes(void **state)
{
	uint8_t sum[SHA256_BYTES];

	count_normal_sha256(NORMALIZE_NONE, (const uint8_t *)"abc", 3, sum);
	assert_memory_equal(sum, sum_of_abc, sizeof(sum));
}

static void
test_digest_does_not_depend_on_parts(void **state)
{
	static const char bytes[] = " \t\r\na\nb  \n";
	uint8_t text[3000];
	uint64_t seed = 20261126;

	for (int how = 0; how <= NORMALIZE_WHITESPACE; how++)
		for (int round = 0; round < 30; round++) {
			size_t nr = random_next(&seed) % sizeof(text);
			struct count_digest digest;
			uint8_t want[SHA256_BYTES];
			uint8_t got[SHA256_BYTES];

			for (size_t i = 0; i < nr; i++)
				text[i] =
					(uint8_t)bytes[random_next(&seed) % 10];
			count_normal_sha256((enum normalize)how, text, nr,
					    want);
			count_digest_init(&digest, (enum normalize)how);
			for (size_t at = 0; at < nr;) {
				size_t part = min_size(
					1 + random_next(&seed) % 400, nr - at);

				count_digest_add(&digest, text + at, part);
				at += part;
			}
			count_digest_end(&digest, got);
			assert_memory_equal(got, want, sizeof(got));
		}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_normal_contents_are_the_same_as_told),
		cmocka_unit_test(test_normal_form_of_what_is_normal_is_itself),
		cmocka_unit_test(
			test_digest_of_parts_is_that_of_the_normal_form),
		cmocka_unit_test(
			test_digest_of_long_lines_is_that_of_the_normal_form),
		cmocka_unit_test(
			test_digest_of_a_normal_text_is_that_of_its_bytes),
		cmocka_unit_test(test_digest_does_not_depend_on_parts),
	};

	return cmocka_run_group_tests_name("count/normal", tests, NULL, NULL);
}
