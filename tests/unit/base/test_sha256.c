/* SPDX-License-Identifier: MIT */
/*
 * test_sha256.c - SHA-256 against the examples of FIPS 180-4 and
 * against libcrypto's newer interface.
 */
#include "tests/support/test_shm.h"

#include <openssl/evp.h>

#include "base/base.h"
#include "base/sha256.h"

static void
assert_digest(const uint8_t *got, const char *want)
{
	char hex[2 * SHA256_BYTES + 1];

	for (size_t i = 0; i < SHA256_BYTES; i++)
		snprintf(hex + 2 * i, 3, "%02x", got[i]);
	if (strcmp(hex, want) != 0)
		fail_msg("digest: got %s, want %s", hex, want);
}

/* verifies: AC-016c-022 */
static void
test_sha256_of_the_published_examples(void **state)
{
	static const struct {
		const char *text;
		const char *digest;
	} examples[] = {
		{ "", "e3b0c44298fc1c149afbf4c8996fb924"
		      "27ae41e4649b934ca495991b7852b855" },
		{ "abc", "ba7816bf8f01cfea414140de5dae2223"
			 "b00361a396177a9cb410ff61f20015ad" },
		{ "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
		  "248d6a61d20638b8e5c026930c3e6039"
		  "a33ce45964ff2167f6ecedd419db06c1" },
		{ "abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmn"
		  "hijklmnoijklmnopjklmnopqklmnopqrlmnopqrsmnopqrstnopqrstu",
		  "cf5b16a778af8380036ce59e7b049237"
		  "0b249b11e8f07a51afac45037afee9d1" },
	};
	uint8_t digest[SHA256_BYTES];

	for (size_t i = 0; i < ARRAY_LEN(examples); i++) {
		sha256_of((const uint8_t *)examples[i].text,
			     strlen(examples[i].text), digest);
		assert_digest(digest, examples[i].digest);
	}
}

/* The long example: a million times the letter a, in odd parts. */
static void
test_sha256_of_a_million_letters_in_parts(void **state)
{
	uint8_t part[997];
	uint8_t digest[SHA256_BYTES];
	struct sha256 sha;
	size_t left = 1000000;

	memset(part, 'a', sizeof(part));
	sha256_init(&sha);
	while (left > 0) {
		size_t bytes = min_size(left, sizeof(part));

		sha256_add(&sha, part, bytes);
		left -= bytes;
	}
	sha256_end(&sha, digest);
	assert_digest(digest, "cdc76e5c9914fb9281a1c7e284d73e67"
			      "f1809a48a497200e046d39ccc7112cd0");
}

/*
 * Any cuts; and at each of them the state moves to other memory, as it does
 * when another process goes on.
 */
static void
test_sha256_cut_anywhere_equals_evp_at_once(void **state)
{
	static uint8_t text[20000];
	uint64_t seed = 0x5eed4;

	for (int round = 0; round < 200; round++) {
		size_t bytes = random_next(&seed) % sizeof(text);
		size_t part_max = 1 + random_next(&seed) % 4000;
		uint8_t got[SHA256_BYTES];
		uint8_t want[SHA256_BYTES];
		struct sha256 sha;

		for (size_t i = 0; i < bytes; i++)
			text[i] = (uint8_t)random_next(&seed);
		sha256_init(&sha);
		for (size_t at = 0; at < bytes;) {
			size_t part = min_size(bytes - at,
					       random_next(&seed) % part_max);
			struct sha256 moved;

			sha256_add(&sha, text + at, part);
			memcpy(&moved, &sha, sizeof(sha));
			memset(&sha, 0xdd, sizeof(sha));
			memcpy(&sha, &moved, sizeof(sha));
			at += part;
			if (part_max == 1)
				part_max = 2;
		}
		sha256_end(&sha, got);
		ASSERT_EQ(
			EVP_Digest(text, bytes, want, NULL, EVP_sha256(), NULL),
			1);
		ASSERT_EQ(memcmp(got, want, SHA256_BYTES), 0);
	}
}

/* Texts of all lengths around whole blocks, added behind others; both digests
 * are those of libcrypto, and the state goes on. */
static void
test_sha256_added_and_by_itself_is_as_one_after_the_other(void **state)
{
	static uint8_t text[3 * 700];
	uint64_t seed = 0x5eed5;

	for (size_t i = 0; i < sizeof(text); i++)
		text[i] = (uint8_t)random_next(&seed);
	for (size_t bytes = 0; bytes < 700; bytes++) {
		size_t first = random_next(&seed) % 700;
		const uint8_t *at = text + first;
		uint8_t own[SHA256_BYTES];
		uint8_t all[SHA256_BYTES];
		uint8_t want[SHA256_BYTES];
		struct sha256 sha;

		sha256_init(&sha);
		sha256_add(&sha, text, first);
		sha256_add_and_of(&sha, at, bytes, own);
		sha256_add(&sha, at + bytes, bytes);
		sha256_end(&sha, all);
		EVP_Digest(at, bytes, want, NULL, EVP_sha256(), NULL);
		ASSERT_EQ(memcmp(own, want, SHA256_BYTES), 0);
		EVP_Digest(text, first + 2 * bytes, want, NULL, EVP_sha256(),
			   NULL);
		ASSERT_EQ(memcmp(all, want, SHA256_BYTES), 0);
	}
}

/* More than 2^32 bits before: the length is of 64. */
static void
test_sha256_pair_behind_half_a_gigabyte_has_its_length(void **state)
{
	static uint8_t text[1 << 20];
	uint8_t own[SHA256_BYTES];
	uint8_t got[SHA256_BYTES];
	uint8_t want[SHA256_BYTES];
	struct sha256 sha;
	struct sha256 other;

	sha256_init(&sha);
	for (int i = 0; i < 511; i++)
		sha256_add(&sha, text, sizeof(text));
	other = sha;
	for (int i = 0; i < 2; i++) {
		sha256_add_and_of(&sha, text, sizeof(text), own);
		sha256_add(&other, text, sizeof(text));
	}
	sha256_end(&sha, got);
	sha256_end(&other, want);
	ASSERT_EQ(memcmp(got, want, SHA256_BYTES), 0);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_sha256_of_the_published_examples),
		cmocka_unit_test(test_sha256_of_a_million_letters_in_parts),
		cmocka_unit_test(test_sha256_cut_anywhere_equals_evp_at_once),
		cmocka_unit_test(
			test_sha256_added_and_by_itself_is_as_one_after_the_other),
		cmocka_unit_test(
			test_sha256_pair_behind_half_a_gigabyte_has_its_length),
	};

	return cmocka_run_group_tests_name("base/sha256", tests, NULL, NULL);
}
