/* SPDX-License-Identifier: MIT */
/*
 * find.c - the places of a query, from the plan of a pack that stops where the
 *          query says nothing more.
 *
 * Does: prints a line for each chunk of the plan, the best first, as editors
 *       read the matches of grep: that of a definition which the query names,
 *       or the first one; names what the chunk declares of the query
 *       and what it defines, else what it lies within.
 */
#include "report/render.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/sorted.h"
#include "base/stream.h"
#include "catalogue/chunks.h"
#include "catalogue/names.h"
#include "catalogue/terms.h"
#include "rank/query_declared.h"

#define NAME_BYTES 8192
#define DEFINITIONS_SHOWN 3

/* The chunks of the plan, in order. Owner: free(list). */
struct places {
	const struct report_item **list;
	size_t nr;
	uint64_t term_nr; /* records of the catalogue's terms */
};

/* How many records there are, which end with that of no chunk. */
static uint64_t
count_terms(const struct report *report)
{
	const struct catalogue *catalogue = &report->run->catalogue;
	uint64_t max = table_backed_bytes(&catalogue->terms) /
		       sizeof(struct term_record);
	uint64_t nr = 0;

	if (report->run->job.query == NULL)
		return 0;
	while (nr < max &&
	       term_chunk(catalogue_term(catalogue, nr)) < CHUNK_NONE)
		nr++;
	return nr;
}

static int
find_places(const struct report *report, uint64_t limit, struct places *places)
{
	size_t nr;
	size_t kept = 0;

	places->list = report_rank(report, true, &nr);
	if (places->list == NULL)
		return -ENOMEM;
	/* a signature line is there for the chunk that lies within it */
	for (size_t i = 0; i < nr; i++)
		if (places->list[i]->tier == TIER_FULL)
			places->list[kept++] = places->list[i];
	places->nr = limit == 0 ? kept : min_u64(limit, kept);
	places->term_nr = count_terms(report);
	return 0;
}

static bool
begins_before(const void *chunk, const void *line)
{
	return ((const struct chunk_record *)chunk)->line_first <
	       *(const uint64_t *)line;
}

/* The chunk that a place begins with; NULL: there is none. */
static const struct chunk_record *
chunk_of(const struct report *report, const struct report_item *item)
{
	const struct catalogue *catalogue = &report->run->catalogue;
	const struct file_facts *facts =
		catalogue_facts(catalogue, item->file_idx);
	const struct chunk_record *chunks =
		catalogue_chunk(catalogue, facts->chunk_first);
	uint64_t i = sorted_first(chunks, facts->chunk_nr, sizeof(*chunks),
				  &item->line_first, begins_before);

	return i == facts->chunk_nr ? NULL : &chunks[i];
}

/* The line of the definition that a place begins within; 0: of none. */
static uint64_t
enclosing_line(const struct report *report, const struct report_item *item)
{
	const struct catalogue *catalogue = &report->run->catalogue;
	const struct file_facts *facts =
		catalogue_facts(catalogue, item->file_idx);
	const struct chunk_record *chunk = chunk_of(report, item);
	uint64_t line_idx;

	if (chunk == NULL || chunk->signature_line == 0)
		return 0;
	line_idx = facts->signature_line_first +
		   (uint64_t)chunk->signature_line - 1;
	if (line_idx >= table_backed_bytes(&catalogue->signature_lines) /
				sizeof(struct chunk_record))
		return 0;
	return catalogue_signature_line(catalogue, line_idx)->line_first;
}

/* Names as "a, b, ...", for which there is room. */
struct name_list {
	FILE *out;
	unsigned nr;
};

static void
list_name(struct name_list *list, const void *name, size_t bytes)
{
	char text[4 * UINT8_MAX + 3]; /* each byte escaped, in quotes */

	if (list->nr++ > DEFINITIONS_SHOWN)
		return;
	if (list->nr > DEFINITIONS_SHOWN)
		fputs(", ...", list->out);
	else
		fprintf(list->out, "%s%s", list->nr > 1 ? ", " : "",
			diag_quote(text, sizeof(text), name, bytes));
}

static bool
is_term_before(const void *term, const void *chunk_idx)
{
	return term_chunk(term) < *(const uint64_t *)chunk_idx;
}

/* Names of the query that a place declares. */
static void
list_declared(const struct report *report, const struct report_item *item,
	      uint64_t term_nr, struct name_list *list)
{
	const struct catalogue *catalogue = &report->run->catalogue;
	const struct chunk_record *chunk = chunk_of(report, item);
	const struct term_record *terms;
	uint64_t chunk_idx;

	if (chunk == NULL || term_nr == 0 ||
	    report->run->job.query->anchors.asks_uses)
		return;
	terms = catalogue_term(catalogue, 0);
	chunk_idx = (uint64_t)(chunk - catalogue_chunk(catalogue, 0));
	for (uint64_t i = sorted_first(terms, term_nr, sizeof(*terms),
				       &chunk_idx, is_term_before);
	     i < term_nr && term_chunk(&terms[i]) == chunk_idx; i++) {
		const struct anchors *anchors =
			&report->run->job.query->anchors;
		uint32_t name = terms[i].term - (uint32_t)QUERY_DECLARED;

		if (name < anchors->name_nr)
			list_name(list, anchors->names[name].text,
				  anchors->names[name].bytes);
	}
}

/* Definitions of a file in a range of lines. */
static void
list_definitions(const struct report *report, const struct report_item *item,
		 uint64_t first, uint64_t last, struct name_list *list)
{
	const struct catalogue *catalogue = &report->run->catalogue;
	const struct names *names = catalogue_names(
		catalogue, catalogue_facts(catalogue, item->file_idx));
	const struct name_entry *entry;
	uint32_t at = 0;

	while (names != NULL && (entry = names_next(names, &at)) != NULL)
		if (entry->type == NAME_DEF && entry->line >= first &&
		    entry->line <= last)
			list_name(list, entry + 1, entry->bytes);
}

/* The line that an editor goes to: of the first definition that the query names,
 * else that the place begins with. */
static uint64_t
line_of(const struct report *report, const struct report_item *item)
{
	const struct catalogue *catalogue = &report->run->catalogue;
	const struct query *query = report->run->job.query;
	const struct names *names = catalogue_names(
		catalogue, catalogue_facts(catalogue, item->file_idx));
	const struct name_entry *entry;
	uint32_t at = 0;

	while (query != NULL && names != NULL &&
	       (entry = names_next(names, &at)) != NULL) {
		uint32_t idx;

		if (entry->type != NAME_DEF || entry->line < item->line_first ||
		    entry->line > item->line_last)
			continue;
		idx = anchors_find(&query->anchors,
				   (const uint8_t *)(entry + 1), entry->bytes,
				   0);
		if (idx != ANCHOR_NONE &&
		    query->anchors.names[idx].sure != ANCHOR_WORD)
			return entry->line;
	}
	return item->line_first;
}

static int
print_place(const struct report *report, const struct report_item *item,
	    uint64_t term_nr, FILE *out)
{
	uint64_t within = enclosing_line(report, item);
	struct name_list list = { out, 0 };
	char name[NAME_BYTES];

	report_quote_path(report, item->file_idx, name, sizeof(name));
	fprintf(out, "%s:%ju: ", name, line_of(report, item));
	list_declared(report, item, term_nr, &list);
	list_definitions(report, item, item->line_first, item->line_last,
			 &list);
	if (list.nr == 0 && within != 0)
		list_definitions(report, item, within, within, &list);
	if (list.nr == 0)
		fputc('-', out);
	return fprintf(out, "  %ju  %.3f\n", item->tokens,
		       (double)item->score / SCORE_MAX) < 0
		       ? -errno
		       : 0;
}

int
find_print(const struct report *report, uint64_t limit, FILE *out)
{
	struct places places;
	int error = find_places(report, limit, &places);

	for (size_t i = 0; error == 0 && i < places.nr; i++)
		error = print_place(report, places.list[i], places.term_nr,
				    out);
	free(places.list);
	return error == 0 ? stream_finish(out) : error;
}

int
find_print_json(const struct report *report, uint64_t limit, int fd)
{
	struct places places;
	struct emitter out;
	int error = find_places(report, limit, &places);

	if (error != 0)
		return error;
	emit_init(&out, fd);
	emit_begin(&out, NULL, '{');
	emit_u64(&out, "version", 1);
	emit_text(&out, "encoding", report->encoding);
	emit_text(&out, "confidence",
		  match_confidence_text(
			  match_confidence_best(report->evidence.best)));
	emit_begin(&out, "places", '[');
	for (size_t i = 0; i < places.nr && out.error == 0; i++)
		report_emit_item(report, &out, places.list[i]);
	emit_end(&out, ']');
	emit_end(&out, '}');
	emit_line(&out);
	free(places.list);
	return emit_finish(&out);
}
