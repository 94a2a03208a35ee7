/* SPDX-License-Identifier: MIT */
/*
 * test_report_html.c - the page has the whole report, and says nothing that a
 *                      browser could take for anything else.
 *
 * The JSON in the page is put together again by what report_show.h promises.
 */
#include "tests/support/test_shm.h"

#include <jansson.h>

#include "base/base.h"
#include "report/report_show.h"

#define PAGE_BYTES (1u << 20)
#define BEGIN "<script type=\"application/json\" id=\"report\">"

/* The page of a report. */
static const char *
page_of(const json_t *report)
{
	static char page[PAGE_BYTES];
	int fd = memfd_create("page", MFD_CLOEXEC);
	ssize_t got;

	ASSERT_EQ(report_html_write(report, fd), 0);
	got = pread(fd, page, sizeof(page) - 1, 0);
	close(fd);
	ASSERT_TRUE(got > 0);
	page[got] = '\0';
	return page;
}

/* What the script of the page gets. */
static json_t *
data_of(const char *page)
{
	const char *begin = strstr(page, BEGIN);
	const char *end;
	json_t *data;

	ASSERT_TRUE(begin != NULL);
	begin += strlen(BEGIN);
	end = strstr(begin, "</script>");
	data = json_loadb(begin, (size_t)(end - begin), 0, NULL);
	ASSERT_TRUE(data != NULL);
	return data;
}

/* The bytes of so many units of UTF-16. */
static size_t
bytes_of_units(const char *text, json_int_t units)
{
	size_t at = 0;

	while (units > 0) {
		units -= (uint8_t)text[at] >= 0xf0 ? 2 : 1;
		at++;
		while (((uint8_t)text[at] & 0xc0) == 0x80)
			at++;
	}
	ASSERT_EQ(units, 0);
	return at;
}

static const char *const paths[] = {
	"src/a.c",
	"src/ab.c",
	"src/\xc3\xa4.c",         /* two characters that share a byte */
	"src/\xc3\xb6.c",         /* */
	"src/\xf0\x9f\x98\x80/x", /* four bytes, two units */
	"src/\xf0\x9f\x98\x80/y",
	"src/\xf0\x9f\x98\x81/y", /* differs in its last byte */
	"src/\xf0\x9f\x98\x81/y",
	"</script><script>alert(1)</script>",
	"",
};

static json_t *
make_report(void)
{
	json_t *report = json_pack("{s:i,s:[],s:[],s:s}", "version", 1,
				   "selected", "excluded", "note", "<b>");
	static const char *const reasons[] = { "budget", "binary", "budget" };

	for (size_t i = 0; i < ARRAY_LEN(paths); i++) {
		json_t *item = json_pack("{s:s,s:i,s:s}", "path", paths[i],
					 "tokens", (int)i + 1, "tier",
					 i % 2 == 0 ? "full" : "signatures");

		if (i % 4 == 1)
			json_object_set_new(item, "text_tokens",
					    json_integer(1000 + (int)i));
		if (i > 0)
			json_object_set_new(item, "score",
					    json_real(0.25 * (double)(i % 5)));
		json_array_append_new(json_object_get(report, "selected"),
				      item);
		item = json_pack("{s:s,s:i,s:s}", "path", paths[i], "tokens",
				 (int)i, "reason", reasons[i % 3]);
		if (i == 4)
			json_object_set_new(item, "same_as", json_string("b"));
		json_array_append_new(json_object_get(report, "excluded"),
				      item);
	}
	return report;
}

static void
test_page_has_every_range(void **state)
{
	json_t *report = make_report();
	json_t *data = data_of(page_of(report));
	const json_t *reasons = json_object_get(data, "reasons");
	static const char *const keys[] = { "selected", "excluded" };

	for (size_t k = 0; k < 2; k++) {
		const json_t *rows = json_object_get(data, keys[k]);
		const json_t *items = json_object_get(report, keys[k]);
		char before[256] = "";

		ASSERT_EQ(json_array_size(rows), json_array_size(items));
		for (size_t i = 0; i < json_array_size(rows); i++) {
			json_t *row = json_array_get(rows, i);
			json_t *item = json_array_get(items, i);
			json_t *score = json_object_get(item, "score");
			const char *rest;
			json_int_t shared;
			json_int_t tokens;
			json_int_t word;

			ASSERT_EQ(json_unpack(row, "[I,s,I,I]", &shared, &rest,
					      &tokens, &word),
				  0);
			snprintf(before + bytes_of_units(before, shared),
				 sizeof(before) - 100, "%s", rest);
			assert_string_equal(before, paths[i]);
			ASSERT_EQ(tokens, json_integer_value(json_object_get(
						  item, "tokens")));
			if (k == 0)
				/* reports of before do not say of what */
				ASSERT_EQ(word, i % 2 == 0   ? 0
						: i % 4 == 1 ? 1000 + i
							     : 1);
			else
				assert_string_equal(
					json_string_value(json_array_get(
						reasons, (size_t)word)),
					json_string_value(json_object_get(
						item, "reason")));
			ASSERT_TRUE(json_number_value(json_array_get(row, 4)) ==
				    json_number_value(score));
			ASSERT_EQ(json_is_null(json_array_get(row, 4)),
				  score == NULL);
			ASSERT_EQ(json_array_size(row),
				  k == 1 && i == 4 ? 6 : 5);
		}
	}
	ASSERT_EQ(json_array_size(reasons), 2);
	json_decref(report);
	json_decref(data);
}

/* All else of the report is there as it was, and without the two lists. */
static void
test_page_has_the_rest_of_the_report(void **state)
{
	json_t *report = make_report();
	json_t *want = json_copy(report);
	json_t *data = data_of(page_of(report));

	json_object_del(want, "selected");
	json_object_del(want, "excluded");
	ASSERT_TRUE(json_equal(json_object_get(data, "report"), want));
	/* the report that was given has them still */
	ASSERT_TRUE(json_object_get(report, "selected") != NULL);
	json_decref(report);
	json_decref(want);
	json_decref(data);
}

/* No < of the report is one of the page. */
static void
test_page_takes_no_name_for_a_tag(void **state)
{
	json_t *report = make_report();
	const char *page = page_of(report);
	const char *begin = strstr(page, BEGIN) + strlen(BEGIN);
	const char *tag = strchr(begin, '<');

	ASSERT_TRUE(strncmp(tag, "</script>", 9) == 0);
	ASSERT_TRUE(tag[-1] == '}');
	ASSERT_TRUE(strncmp(page, "<!--", 4) == 0); /* whose it is */
	ASSERT_TRUE(strstr(page, "-->\n<!DOCTYPE html>") != NULL);
	ASSERT_TRUE(strstr(tag, "</html>") != NULL);
	json_decref(report);
}

static void
test_page_to_a_full_disk_is_an_error(void **state)
{
	json_t *report = make_report();
	int fd = open("/dev/full", O_WRONLY | O_CLOEXEC);

	if (fd >= 0)
		ASSERT_EQ(report_html_write(report, fd), -ENOSPC);
	close(fd);
	json_decref(report);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_page_has_every_range),
		cmocka_unit_test(test_page_has_the_rest_of_the_report),
		cmocka_unit_test(test_page_takes_no_name_for_a_tag),
		cmocka_unit_test(test_page_to_a_full_disk_is_an_error),
	};

	return cmocka_run_group_tests_name("report/report_html", tests, NULL,
					   NULL);
}
