/* SPDX-License-Identifier: MIT */
/*
 * report_html.c - a report as a page.
 */
#include "report/report_show.h"

#include <errno.h>
#include <string.h>

#include "base/emit.h"
#include "markup/preamble.h"
#include "report/report_read.h"

#ifndef REPORT_PAGE
#define REPORT_PAGE "data/report.html"
#endif

#define SCORE_ONE 1000000
#define MARK "<!--report-->" /* where the report goes, in the page */

/* The page, as part of the program. */
__asm__(".pushsection .rodata\n"
	".globl report_page\n"
	".hidden report_page\n"
	"report_page:\n"
	".incbin \"" REPORT_PAGE "\"\n"
	".byte 0\n"
	".popsection\n");
extern const char report_page[] __attribute__((visibility("hidden")));

/* The path of the row before. */
struct rows {
	struct emitter *out;
	const char *before;
};

/* Units of UTF-16 that two texts begin with, and *bytes of them. */
static size_t
shared_units(const char *a, const char *b, size_t *bytes)
{
	size_t nr = 0;
	size_t units = 0;

	while (a[nr] != '\0' && a[nr] == b[nr])
		nr++;
	/* not within a character */
	while (nr > 0 && ((uint8_t)a[nr] & 0xc0) == 0x80)
		nr--;
	for (size_t i = 0; i < nr; i++) {
		uint8_t c = (uint8_t)a[i];

		units += ((c & 0xc0) == 0x80 ? 0u : 1u) + (c >= 0xf0 ? 1u : 0u);
	}
	*bytes = nr;
	return units;
}

static void
begin_row(struct rows *rows, const json_t *item)
{
	const char *path = report_text(item, "path");
	size_t bytes;

	emit_begin(rows->out, NULL, '[');
	emit_u64(rows->out, NULL, shared_units(path, rows->before, &bytes));
	emit_text(rows->out, NULL, path + bytes);
	emit_u64(rows->out, NULL, report_u64(item, "tokens"));
	rows->before = path;
}

static void
write_score(struct rows *rows, const json_t *item)
{
	const json_t *score = json_object_get(item, "score");

	if (json_is_number(score))
		emit_ratio(rows->out, NULL,
			   (uint64_t)(json_number_value(score) * SCORE_ONE),
			   SCORE_ONE);
	else
		emit_null(rows->out, NULL);
}

/* The tokens of the text that signatures are of; 0: an item is none. Reports of
 * before do not have them. */
static uint64_t
signatures_of(const json_t *item)
{
	if (strcmp(report_text(item, "tier"), "signatures") != 0)
		return 0;
	return max_u64(report_u64(item, "text_tokens"), 1);
}

static void
write_selected(struct rows *rows, const json_t *item)
{
	begin_row(rows, item);
	emit_u64(rows->out, NULL, signatures_of(item));
	write_score(rows, item);
	emit_end(rows->out, ']');
}

/* The place of a reason in the list of them, which it is added to. */
static size_t
place_of(json_t *reasons, const char *reason)
{
	size_t i = 0;

	while (i < json_array_size(reasons) &&
	       strcmp(json_string_value(json_array_get(reasons, i)), reason) !=
		       0)
		i++;
	if (i == json_array_size(reasons))
		json_array_append_new(reasons, json_string(reason));
	return i;
}

static void
write_excluded(struct rows *rows, const json_t *item, json_t *reasons)
{
	const char *same_as = report_text(item, "same_as");

	begin_row(rows, item);
	emit_u64(rows->out, NULL,
		 place_of(reasons, report_text(item, "reason")));
	write_score(rows, item);
	if (*same_as != '\0')
		emit_text(rows->out, NULL, same_as);
	emit_end(rows->out, ']');
}

static void
write_ranges(struct emitter *out, const json_t *report, const char *key,
	     json_t *reasons)
{
	struct rows rows = { out, "" };
	json_t *list;
	size_t nr = report_list(report, key, &list);

	emit_begin(out, key, '[');
	for (size_t i = 0; i < nr; i++) {
		const json_t *item = json_array_get(list, i);

		if (reasons != NULL)
			write_excluded(&rows, item, reasons);
		else
			write_selected(&rows, item);
	}
	emit_end(out, ']');
}

/* calls: json_dump_callback() */
static int
take_piece(const char *text, size_t bytes, void *out)
{
	emit_json_piece(out, text, bytes);
	return 0;
}

static void
write_json(struct emitter *out, const char *key, const json_t *json)
{
	emit_json_begin(out, key);
	json_dump_callback(json, take_piece, out,
			   JSON_COMPACT | JSON_ENSURE_ASCII);
}

static int
write_report(struct emitter *out, const json_t *report)
{
	json_t *rest = json_copy((json_t *)(uintptr_t)report);
	json_t *reasons = json_array();
	int error = rest == NULL || reasons == NULL ? -ENOMEM : 0;

	if (error == 0) {
		json_object_del(rest, "selected");
		json_object_del(rest, "excluded");
		emit_begin(out, NULL, '{');
		write_ranges(out, report, "selected", NULL);
		write_ranges(out, report, "excluded", reasons);
		write_json(out, "reasons", reasons);
		write_json(out, "report", rest);
		emit_end(out, '}');
	}
	json_decref(rest);
	json_decref(reasons);
	return error;
}

int
report_html_write(const json_t *report, int fd)
{
	const char *mark = strstr(report_page, MARK);
	struct emitter out;
	int error;

	ASSERT(mark != NULL);
	emit_init_html(&out, fd);
	emit_raw(&out, PAGE_BEGINS, strlen(PAGE_BEGINS));
	emit_raw(&out, report_page, (size_t)(mark - report_page));
	error = write_report(&out, report);
	mark += sizeof(MARK) - 1;
	emit_raw(&out, mark, strlen(mark));
	return error != 0 ? error : emit_finish(&out);
}
