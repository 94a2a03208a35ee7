/* SPDX-License-Identifier: MIT */
/*
 * test_collect_io_part.c - parts and ranges of a file, as it is and as UTF-8,
 * against iconv(3).
 */
#include "tests/support/test_collect_files.h"

#include <iconv.h>

#define TEXT_BYTES 300000u
#define ROOM (4 * TEXT_BYTES)

static char text[TEXT_BYTES];
static uint8_t parts[ROOM];

static void
write_file(const char *path, const void *bytes, size_t nr)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);

	assert_true(fd >= 0);
	assert_int_equal(write(fd, bytes, nr), nr);
	close(fd);
}

/* All parts of the one file, of `most` bytes each, one behind the other; its
 * reason. */
static uint8_t
read_parts(struct collect_large *large, uint32_t most, size_t *nr)
{
	uint8_t reason = REASON_NONE;
	struct collect_part part;

	*nr = 0;
	do {
		bool is_again;

		part.text = parts + large->off;
		assert_int_equal(collect_reopen(rig_files, large->file - 1), 0);
		assert_int_equal(collect_part_read(rig_files, large, &part,
						   most),
				 0);
		assert_true(part.bytes <= most);
		reason = collect_part_look_at(rig_files, large, &part,
					      &is_again);
		if (is_again) {
			/* from its beginning, as what it becomes */
			assert_true(large->converts);
			large->off = 0;
			*nr = 0;
			part.is_last = false;
			continue;
		}
		large->off += part.bytes;
		*nr += part.bytes;
	} while (!part.is_last && reason == REASON_NONE);
	collect_close(rig_files);
	return reason;
}

static uint8_t
read_file(const void *bytes, size_t bytes_nr, uint32_t most, size_t *nr)
{
	struct collect_large large = { .file = 1 };

	write_file("a", bytes, bytes_nr);
	rig_place = (struct collect_place){ 0 };
	rig_begin();
	rig_pass_to("a");
	return read_parts(&large, most, nr);
}

/* Text with characters of one to four bytes, and no other. */
static size_t
make_text(void)
{
	static const char *const words[] = { "int ", "\xc3\xa9", "x;\n",
					     "\xe2\x82\xac", "\xf0\x9f\x98\x80" };
	uint64_t seed = 0x9a47;
	size_t at = 0;

	while (at + 8 < TEXT_BYTES) {
		const char *word;

		seed = seed * 6364136223846793005u + 1442695040888963407u;
		word = words[(seed >> 33) % ARRAY_LEN(words)];
		memcpy(text + at, word, strlen(word));
		at += strlen(word);
	}
	return at;
}

/* However it is cut: a character on a border is no mistake. */
static void
test_part_by_part_is_the_file(void **state)
{
	size_t bytes = make_text();
	/* the last one leaves two bytes for a part */
	const uint32_t mosts[] = { 4096, 4097, 10001, TEXT_BYTES,
				   (uint32_t)bytes - 2 };

	for (size_t i = 0; i < ARRAY_LEN(mosts); i++) {
		size_t nr;

		assert_int_equal(read_file(text, bytes, mosts[i], &nr),
				 REASON_NONE);
		assert_int_equal(nr, bytes);
		assert_memory_equal(parts, text, bytes);
		assert_int_equal(catalogue_file(&rig_catalogue, 0)->flags, 0);
	}
}

/* What the C library makes of a text. owner: the caller's */
static char *
by_iconv(const char *from, const char *to, const char *bytes, size_t nr,
	 size_t *got)
{
	char *in = (char *)(uintptr_t)bytes;
	size_t left = ROOM;
	char *out = malloc(left);
	char *at = out;
	iconv_t cd = iconv_open(to, from);

	assert_true(cd != (iconv_t)-1);
	assert_non_null(out);
	assert_int_equal(iconv(cd, &in, &nr, &at, &left), 0);
	iconv_close(cd);
	*got = (size_t)(at - out);
	return out;
}

static void
test_part_of_another_charset_is_read_as_utf8(void **state)
{
	static const char *const sets[] = { "UTF-16", "UTF-16BE", "UTF-16LE" };
	size_t bytes = make_text();

	for (size_t i = 0; i < ARRAY_LEN(sets); i++) {
		size_t wide_nr;
		size_t nr;
		char *wide;

		/* without a mark it is known by its plain letters alone */
		if (i > 0)
			for (size_t k = 0; k < bytes; k++)
				text[k] = k % 40 == 39 ? '\n' : 'a';
		wide = by_iconv("UTF-8", sets[i], text, bytes, &wide_nr);
		assert_int_equal(read_file(wide, wide_nr, 5001, &nr),
				 REASON_NONE);
		assert_int_equal(nr, bytes);
		assert_memory_equal(parts, text, bytes);
		assert_true(file_is_converted(
			catalogue_file(&rig_catalogue, 0)));
		free(wide);
	}
}

/* A mistake far behind the beginning makes it be read again, from there. */
static void
test_part_with_a_mistake_is_repaired(void **state)
{
	size_t bytes = make_text();
	size_t at = 200000;
	size_t nr;

	while ((text[at] & 0xc0) == 0x80)
		at++;
	memmove(text + at + 1, text + at, bytes - at);
	text[at] = '\xff';
	assert_int_equal(read_file(text, bytes + 1, 10000, &nr), REASON_NONE);
	assert_int_equal(nr, bytes + 3);
	assert_memory_equal(parts, text, at);
	assert_memory_equal(parts + at, "\xef\xbf\xbd", 3);
	assert_memory_equal(parts + at + 3, text + at + 1, bytes - at);
	assert_int_equal(catalogue_file(&rig_catalogue, 0)->flags,
			 MARK_REPAIRED);
}

static void
test_part_reasons_are_those_of_the_beginning(void **state)
{
	size_t nr;

	assert_int_equal(read_file("\x7f" "ELF and more", 12, 8, &nr),
			 REASON_BINARY);
	/* a mark, and nothing behind it */
	assert_int_equal(read_file("\xff\xfe", 2, 8, &nr), REASON_ENCODING);
}

/* Of a converted file in any order, too: going back is from its start. */
static void
test_part_ranges_are_those_of_the_text(void **state)
{
	static const struct {
		uint64_t off;
		size_t bytes;
	} rows[] = { { 100, 50 }, { 150000, 70000 }, { 7, 0 }, { 5, 290000 },
		     { 299000, 500 } };
	size_t bytes = make_text();
	size_t wide_nr;
	char *wide = by_iconv("UTF-8", "UTF-16", text, bytes, &wide_nr);

	for (int as_wide = 0; as_wide < 2; as_wide++) {
		struct collect_read read = { .to = parts, .off = bytes,
					     .bytes = 1 };
		size_t nr;

		if (as_wide)
			read_file(wide, wide_nr, 10000, &nr);
		else
			read_file(text, bytes, 10000, &nr);
		assert_int_equal(collect_reopen(rig_files, 0), 0);
		for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
			struct collect_read range = {
				.to = parts,
				.off = rows[i].off,
				.bytes = rows[i].bytes,
				.fd = rig_files->open_fd,
			};

			assert_int_equal(collect_read_ranges(rig_files, &range,
							     1),
					 0);
			assert_memory_equal(parts, text + rows[i].off,
					    rows[i].bytes);
		}
		/* behind its end there is nothing */
		read.fd = rig_files->open_fd;
		assert_int_equal(collect_read_ranges(rig_files, &read, 1),
				 -ESTALE);
	}
	free(wide);
}

static void
test_part_file_that_changes_meanwhile_is_given_up(void **state)
{
	struct collect_large large = { .file = 1 };
	struct collect_part part = { .text = parts };
	bool is_again;

	write_file("a", "0123456789", 10);
	rig_begin();
	rig_pass_to("a");
	assert_int_equal(collect_reopen(rig_files, 0), 0);
	assert_int_equal(collect_part_read(rig_files, &large, &part, 6), 0);
	assert_int_equal(part.bytes, 6);
	assert_false(part.is_last);
	assert_int_equal(part.ahead_bytes, 3);
	assert_memory_equal(part.ahead, "678", 3);
	assert_int_equal(truncate("a", 8), 0);
	large.off = 6;
	assert_int_equal(collect_part_read(rig_files, &large, &part, 6),
			 -ESTALE);
	write_file("a", "0123456789", 10);
	assert_int_equal(collect_part_read(rig_files, &large, &part, 6), 0);
	assert_true(part.is_last);
	assert_int_equal(collect_part_look_at(rig_files, &large, &part,
					      &is_again),
			 REASON_CHANGED);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		CASE(test_part_by_part_is_the_file),
		CASE(test_part_of_another_charset_is_read_as_utf8),
		CASE(test_part_with_a_mistake_is_repaired),
		CASE(test_part_reasons_are_those_of_the_beginning),
		CASE(test_part_ranges_are_those_of_the_text),
		CASE(test_part_file_that_changes_meanwhile_is_given_up),
	};

	return cmocka_run_group_tests_name("collect/collect_io_part", tests,
					   NULL, NULL);
}
