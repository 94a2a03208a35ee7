/* SPDX-License-Identifier: MIT */
/*
 * The writer of JSON: what it writes is read back by another one, and figures
 * are compared with those of printf().
 */
#include "base/emit.h"

#include <fcntl.h>
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cmocka.h>
#include <jansson.h>

/* Every byte string is a string of JSON, and good UTF-8 comes back as it is. */
static void
test_emit_bytes_of_any_bytes_can_be_read_back(void **state)
{
	static const struct {
		const char *bytes;
		const char *want;
	} rows[] = {
		{ "plain", "plain" },
		{ "\x01\x1f\x7f\"\\/", "\x01\x1f\x7f\"\\/" },
		{ "\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80",
		  "\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80" },
		{ "a\xe2\x80\xae\xf3\xa0\x81\x81z",
		  "a\xe2\x80\xae\xf3\xa0\x81\x81z" },
		{ "\xff\xc0\xaf", "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd" },
		{ "\xed\xa0\x80", "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd" },
		{ "x\xe2\x82", "x\xef\xbf\xbd\xef\xbf\xbd" },
	};

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		char text[512];
		struct emitter out;
		json_error_t error;
		json_t *root;
		ssize_t n;
		int ends[2];

		assert_int_equal(pipe2(ends, O_CLOEXEC), 0);
		emit_init(&out, ends[1]);
		emit_begin(&out, NULL, '[');
		emit_bytes(&out, NULL, (const uint8_t *)rows[i].bytes,
			   strlen(rows[i].bytes));
		emit_end(&out, ']');
		assert_int_equal(emit_finish(&out), 0);
		n = read(ends[0], text, sizeof(text));
		close(ends[0]);
		close(ends[1]);
		assert_true(n > 0);
		root = json_loadb(text, (size_t)n, 0, &error);
		assert_non_null(root);
		assert_string_equal(json_string_value(json_array_get(root, 0)),
				    rows[i].want);
		/* nothing that hides or turns the text stands there as it is */
		for (ssize_t c = 0; c < n; c++)
			assert_true(text[c] >= 0x20 || text[c] < 0);
		assert_null(memmem(text, (size_t)n, "\xe2\x80\xae", 3));
		json_decref(root);
	}
}

/* All of a file; the caller frees it. */
static char *
text_of(int fd, size_t *bytes)
{
	off_t end = lseek(fd, 0, SEEK_END);
	char *text = malloc((size_t)end + 1);

	assert_true(end >= 0 && text != NULL);
	assert_int_equal(pread(fd, text, (size_t)end, 0), end);
	text[end] = '\0';
	*bytes = (size_t)end;
	return text;
}

/* Strings of every length around that of the buffer, and what ends it. */
static void
test_emit_of_texts_longer_than_the_buffer_loses_nothing(void **state)
{
	static uint8_t long_text[3 * EMIT_BUFFER_BYTES];
	int fd = memfd_create("emit", MFD_CLOEXEC);
	struct emitter out;
	json_t *root;
	size_t bytes;
	char *text;

	assert_true(fd >= 0);
	for (size_t i = 0; i < sizeof(long_text); i++)
		long_text[i] = (uint8_t)(i % 97 == 0 ? '"' : 'a' + i % 26);
	emit_init(&out, fd);
	emit_begin(&out, NULL, '[');
	for (size_t i = 0; i < 64; i++)
		emit_bytes(&out, NULL, long_text + i,
			   EMIT_BUFFER_BYTES / 2 * (i % 5) + i);
	emit_end(&out, ']');
	assert_int_equal(emit_finish(&out), 0);
	text = text_of(fd, &bytes);
	root = json_loadb(text, bytes, 0, NULL);
	assert_non_null(root);
	assert_int_equal(json_array_size(root), 64);
	for (size_t i = 0; i < 64; i++) {
		const json_t *string = json_array_get(root, i);
		size_t nr = EMIT_BUFFER_BYTES / 2 * (i % 5) + i;

		assert_int_equal(json_string_length(string), nr);
		assert_memory_equal(json_string_value(string), long_text + i,
				    nr);
	}
	json_decref(root);
	free(text);
	close(fd);
}

static void
test_emit_of_numbers_gives_what_printf_gives(void **state)
{
	static const uint64_t numbers[] = {
		0,          1,         9,         10,         999999,
		1000000,    1000001,   123456789, UINT32_MAX, UINT32_MAX + 1ull,
		UINT64_MAX, INT64_MAX,
	};
	int fd = memfd_create("emit", MFD_CLOEXEC);
	char *want = malloc(1 << 20);
	struct emitter out;
	size_t used = 0;
	size_t bytes;
	char *text;

	assert_true(fd >= 0 && want != NULL);
	emit_init(&out, fd);
	for (size_t i = 0; i < ARRAY_LEN(numbers); i++) {
		emit_u64(&out, "n", numbers[i]);
		used += (size_t)sprintf(want + used, "%s\"n\":%" PRIu64,
					i > 0 ? "," : "", numbers[i]);
	}
	for (uint32_t i = 0, n = 0; i < 20000; i++, n += 214748 + i % 7) {
		emit_millionths(&out, NULL, n);
		used += (size_t)sprintf(want + used, ",%.6f",
					(double)n / 1000000);
	}
	emit_millionths(&out, NULL, 1000000);
	used += (size_t)sprintf(want + used, ",1.000000");
	assert_int_equal(emit_finish(&out), 0);
	text = text_of(fd, &bytes);
	assert_int_equal(bytes, used);
	assert_memory_equal(text, want, used);
	free(text);
	free(want);
	close(fd);
}

/* No < is left in what stands in a page, be it a string or JSON as it is. */
static void
test_emit_in_a_page_begins_no_tag(void **state)
{
	static const char json[] = "[\"</script>\",\"<\",\"<<a<\"]";
	int fd = memfd_create("emit", MFD_CLOEXEC);
	struct emitter out;
	json_t *root;
	json_t *want = json_loads(json, 0, NULL);
	size_t bytes;
	char *text;

	emit_init_html(&out, fd);
	emit_begin(&out, NULL, '[');
	emit_json_begin(&out, NULL);
	emit_json_piece(&out, json, sizeof(json) - 1);
	emit_text(&out, NULL, "a <b> \"<\" < ");
	emit_end(&out, ']');
	assert_int_equal(emit_finish(&out), 0);
	text = text_of(fd, &bytes);
	assert_null(memchr(text, '<', bytes));
	root = json_loadb(text, bytes, 0, NULL);
	assert_non_null(root);
	assert_true(json_equal(json_array_get(root, 0), want));
	assert_string_equal(json_string_value(json_array_get(root, 1)),
			    "a <b> \"<\" < ");
	json_decref(root);
	json_decref(want);
	free(text);
	close(fd);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_emit_bytes_of_any_bytes_can_be_read_back),
		cmocka_unit_test(
			test_emit_of_texts_longer_than_the_buffer_loses_nothing),
		cmocka_unit_test(test_emit_of_numbers_gives_what_printf_gives),
		cmocka_unit_test(test_emit_in_a_page_begins_no_tag),
	};

	return cmocka_run_group_tests_name("base/emit", tests, NULL, NULL);
}
