/* SPDX-License-Identifier: MIT */
/*
 * explain_query.c - what of a query was used, and as what.
 */
#include "rank/query.h"
#include "rank/query_text.h"
#include "base/diag.h"
#include "report/render.h"

/* The words that texts were searched for; those of the first line with a *. */
static void
print_words(const struct query *query, FILE *out)
{
	fputs("query words:", out);
	for (uint32_t i = 0; i < query->word_nr; i++)
		fprintf(out, " %.*s%s", query->terms[i].bytes,
			query->terms[i].text,
			query->terms[i].in_first_line ? "*" : "");
	fprintf(out, " (and %u pairs)\n", query->nr - query->word_nr);
}

static void
print_names(const struct anchors *anchors, FILE *out)
{
	if (anchors->name_nr == 0)
		return;
	fputs("query names:", out);
	for (uint32_t i = 0; i < anchors->name_nr; i++)
		fprintf(out, " %.*s", anchors->names[i].bytes,
			anchors->names[i].text);
	fputs("\n", out);
}

static void
print_places(const struct anchors *anchors, FILE *out)
{
	if (anchors->place_nr == 0)
		return;
	fputs("query places:", out);
	for (uint32_t i = 0; i < anchors->place_nr; i++) {
		const struct anchor_place *place = &anchors->places[i];

		char path[DIAG_QUOTED_BYTES];

		fprintf(out, " %s",
			diag_quote(path, sizeof(path),
				   (const uint8_t *)place->path, place->bytes));
		if (place->line != 0)
			fprintf(out, ":%u", place->line);
	}
	fputs("\n", out);
}

/* How many lines were read as what. */
static void
print_lines(const struct query *query, FILE *out)
{
	static const char *const kinds[QUERY_LINE_NR] = {
		[QUERY_LINE_TASK] = "task",
		[QUERY_LINE_CODE] = "code",
		[QUERY_LINE_COMMENT] = "comment",
		[QUERY_LINE_TEMPLATE] = "template",
		[QUERY_LINE_MACHINE] = "machine",
		[QUERY_LINE_QUOTE] = "reply",
		[QUERY_LINE_TRAILER] = "trailer",
	};

	fputs("query lines:", out);
	for (uint32_t i = 0; i < QUERY_LINE_NR; i++)
		if (query->lines[i] > 0)
			fprintf(out, " %u %s%s", query->lines[i], kinds[i],
				query_line_counts(i) ? "" : " (not used)");
	if (query->about != 0)
		fprintf(out, "; asks for%s%s%s",
			query->about & QUERY_ABOUT_TESTS ? " tests" : "",
			query->about & QUERY_ABOUT_DOCS ? " texts" : "",
			query->about & QUERY_ABOUT_CONFIG ? " settings" : "");
	fputs("\n", out);
}

void
explain_query(const struct query *query, FILE *out)
{
	print_lines(query, out);
	print_words(query, out);
	print_names(&query->anchors, out);
	print_places(&query->anchors, out);
}
