/* SPDX-License-Identifier: MIT */
/*
 * dedup_print.c - duplicates and overlaps of a list, told one by one.
 *
 * Limits: of ranges that overlap by less than the threshold, each is told with
 *         the one before it that reaches furthest.
 */
#include "cli/dedup_list.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/diag.h"
#include "base/number_format.h"
#include "base/emit.h"

struct sums {
	uint32_t exact;
	uint32_t merged;
	uint64_t exact_tokens;
	uint64_t overlap_tokens;
	uint64_t tokens; /* of all that was given */
};

/* Tokens that are there once now; what is not known saves none. */
static struct sums
sums_of(const struct dedup_result *result)
{
	struct sums sums = { 0 };

	for (uint32_t i = 0; i < result->nr; i++) {
		const struct dedup_chunk *it = &result->chunks[i];

		sums.exact += it->fate == DEDUP_EXACT;
		sums.merged += it->fate == DEDUP_MERGED;
		if (it->fate == DEDUP_KEPT &&
		    it->merged_tokens != DEDUP_TOKENS_NONE)
			sums.overlap_tokens = add_sat_u64(
				sums.overlap_tokens,
				it->before_tokens - min_u64(it->before_tokens,
							    it->merged_tokens));
		if (it->tokens == DEDUP_TOKENS_NONE)
			continue;
		sums.tokens = add_sat_u64(sums.tokens, it->tokens);
		if (it->fate == DEDUP_EXACT)
			sums.exact_tokens =
				add_sat_u64(sums.exact_tokens, it->tokens);
	}
	return sums;
}

/* Chunks by what became of them: those of one other side by side. */
static int
by_other(const void *left, const void *right, void *chunks)
{
	const struct dedup_chunk *list = chunks;
	uint32_t a = *(const uint32_t *)left;
	uint32_t b = *(const uint32_t *)right;

	if (list[a].other != list[b].other)
		return list[a].other < list[b].other ? -1 : 1;
	return a < b ? -1 : a > b;
}

static int
by_lines(const void *left, const void *right, void *chunks)
{
	const struct dedup_chunk *a =
		(struct dedup_chunk *)chunks + *(const uint32_t *)left;
	const struct dedup_chunk *b =
		(struct dedup_chunk *)chunks + *(const uint32_t *)right;
	int order = strcmp(a->path, b->path);

	if (order != 0)
		return order;
	if (a->first != b->first)
		return a->first < b->first ? -1 : 1;
	if (a->last != b->last)
		return a->last < b->last ? -1 : 1;
	return a < b ? -1 : a > b;
}

/* Indices of the chunks of a fate, sorted; owner: the caller's, for free(). */
static uint32_t *
sorted(const struct dedup_result *result, enum dedup_fate fate,
       int (*compare)(const void *, const void *, void *), uint32_t *nr)
{
	uint32_t *list = calloc(result->nr + 1ull, sizeof(*list));

	*nr = 0;
	for (uint32_t i = 0; list != NULL && i < result->nr; i++)
		if (result->chunks[i].fate == fate)
			list[(*nr)++] = i;
	if (list != NULL)
		qsort_r(list, *nr, sizeof(*list), compare,
			(void *)(uintptr_t)result->chunks);
	return list;
}

/* ---- for people -------------------------------------------------------- */

/* Its source, as people may see it; "" where it has none. */
#define source_of(chunk) \
	(*(chunk)->source == '\0' ? "" : QUOTED((chunk)->source))

/* "(1,200 tokens, rank 100, tool_results)", and the end of the line */
static void
print_about(const struct dedup_chunk *chunk, uint64_t tokens, FILE *out)
{
	fputs(" (", out);
	if (tokens != DEDUP_TOKENS_NONE)
		fprintf(out, "%s token%s, ", COUNT_TEXT(tokens),
			tokens == 1 ? "" : "s");
	fprintf(out, "rank %g%s%s)\n", chunk->rank,
		*chunk->source == '\0' ? "" : ", ", source_of(chunk));
}

/* "tool_results (rank 85)", with the place if that is another */
static void
print_found(const struct dedup_chunk *chunk, const struct dedup_chunk *kept,
	    FILE *out)
{
	if (strcmp(chunk->path, kept->path) != 0 ||
	    chunk->first != kept->first || chunk->last != kept->last)
		fprintf(out, "%s:%ju-%ju ", QUOTED(chunk->path), chunk->first,
			chunk->last);
	fprintf(out, "%s%s(rank %g)", source_of(chunk),
		*chunk->source == '\0' ? "" : " ", chunk->rank);
}

static void
print_kept(const struct dedup_chunk *kept, const struct dedup_chunk *next,
	   FILE *out)
{
	if (kept->rank > next->rank && *kept->source != '\0')
		fprintf(out, "     - Kept: %s copy (higher rank)\n",
			QUOTED(kept->source));
	else if (kept->rank > next->rank)
		fprintf(out, "     - Kept: the one of rank %g\n", kept->rank);
	else
		fprintf(out,
			"     - Kept: first occurrence (rank %g), by source, "
			"path and line\n",
			kept->rank);
}

static int
print_exact(const struct dedup_result *result, uint32_t all, FILE *out)
{
	const struct dedup_chunk *chunks = result->chunks;
	uint32_t nr;
	uint32_t *list = sorted(result, DEDUP_EXACT, by_other, &nr);
	uint32_t end;

	if (list == NULL)
		return -ENOMEM;
	fprintf(out, "Exact Duplicates Removed (%u):\n", all);
	for (uint32_t i = 0, group = 0; i < nr; i = end) {
		const struct dedup_chunk *kept = &chunks[chunks[list[i]].other];
		uint64_t saved = 0;

		fprintf(out, "  %u. %s:%ju-%ju\n     - Found in: ", ++group,
			QUOTED(kept->path), kept->first, kept->last);
		print_found(kept, kept, out);
		for (end = i;
		     end < nr && &chunks[chunks[list[end]].other] == kept;
		     end++) {
			const struct dedup_chunk *it = &chunks[list[end]];

			fputs(", ", out);
			print_found(it, kept, out);
			if (it->tokens != DEDUP_TOKENS_NONE)
				saved = add_sat_u64(saved, it->tokens);
		}
		fputs("\n", out);
		print_kept(kept, &chunks[list[i]], out);
		fprintf(out, "     - Saved: %s tokens\n\n", COUNT_TEXT(saved));
	}
	free(list);
	return 0;
}

/* A chunk of a group: 'A' and on; of more, numbers. */
static const char *
letter(uint32_t n, char out[16])
{
	if (n < 26)
		snprintf(out, 16, "%c", (char)('A' + n));
	else
		snprintf(out, 16, "%u", n + 1);
	return out;
}

static void
print_member(const struct dedup_chunk *it, uint32_t n, FILE *out)
{
	char name[16];

	fprintf(out, "     - Chunk %s: lines %ju-%ju", letter(n, name),
		it->first, it->last);
	print_about(it, it->tokens, out);
}

struct overlap {
	uint64_t first;
	uint64_t last;
	uint64_t of; /* lines of the shorter */
	bool of_second;
};

static struct overlap
overlap_of(uint64_t a_first, uint64_t a_last, const struct dedup_chunk *b)
{
	uint64_t a_lines = a_last - a_first + 1;
	uint64_t b_lines = b->last - b->first + 1;

	return (struct overlap){ .first = max_u64(a_first, b->first),
				 .last = min_u64(a_last, b->last),
				 .of = min_u64(a_lines, b_lines),
				 .of_second = b_lines <= a_lines };
}

/* Where a merged range is too large: its parts. */
static void
print_parts(const struct dedup_result *result, const struct dedup_chunk *whole,
	    FILE *out)
{
	const char *text = whole->joined;
	size_t left = whole->joined_bytes;
	uint64_t line = whole->merged_first;
	const char *separator = "     - Split: ";

	if (text == NULL || whole->merged_tokens <= result->max_tokens)
		return;
	while (left > 0) {
		struct dedup_part part =
			dedup_next_part(text, left, result->max_tokens,
					result->count, result->tokenizer);

		fprintf(out, "%slines %ju-%ju (%s tokens)", separator, line,
			(line + part.lines - 1), COUNT_TEXT(part.tokens));
		separator = ", ";
		text += part.bytes;
		left -= part.bytes;
		line += part.lines;
	}
	fputs("\n", out);
}

/* How two chunks of a group overlap, or the n-th and those before it. */
static void
print_overlap(const struct overlap *both, uint32_t n, FILE *out)
{
	uint64_t lines = both->last - both->first + 1;
	char name[16];

	fprintf(out,
		"     - Overlap: lines %ju-%ju (%ju/%ju = %.1f%% of %s%s)\n",
		both->first, both->last, lines, both->of,
		100 * (double)lines / (double)both->of,
		both->of_second || n == 1 ? "chunk " : "those",
		both->of_second ? letter(n, name)
		: n == 1        ? "A"
				: "");
}

/* One range and those that went into it: nr indices, by their lines. */
static void
print_merged(const struct dedup_result *result, const struct dedup_chunk *whole,
	     const uint32_t *list, uint32_t nr, FILE *out)
{
	uint64_t last = 0;
	uint64_t before = 0;

	for (uint32_t i = 0; i < nr; i++) {
		const struct dedup_chunk *it = &result->chunks[list[i]];
		struct overlap both = overlap_of(result->chunks[list[0]].first,
						 max_u64(last, 1), it);

		print_member(it, i, out);
		if (it->tokens != DEDUP_TOKENS_NONE)
			before = add_sat_u64(before, it->tokens);
		if (i > 0 && both.first <= both.last)
			print_overlap(&both, i, out);
		last = max_u64(last, it->last);
	}
	fprintf(out, "     - %s: lines %ju-%ju",
		result->settings.merge ? "Merged" : "Kept", whole->merged_first,
		whole->merged_last);
	print_about(whole, whole->merged_tokens, out);
	print_parts(result, whole, out);
	if (whole->merged_tokens != DEDUP_TOKENS_NONE)
		fprintf(out, "     - Saved: %s%s tokens\n",
			result->settings.merge && whole->joined == NULL
				? "about "
				: "",
			COUNT_TEXT(before -
				   min_u64(before, whole->merged_tokens)));
	fputs("\n", out);
}

static int
print_overlaps(const struct dedup_result *result, uint32_t all, FILE *out)
{
	const struct dedup_chunk *chunks = result->chunks;
	uint32_t nr;
	uint32_t *list = sorted(result, DEDUP_MERGED, by_other, &nr);
	uint32_t *group = calloc(nr + 1ull, sizeof(*group));
	uint32_t end;
	int error = list == NULL || group == NULL ? -ENOMEM : 0;

	fprintf(out, "Overlapping Chunks %s (%u):\n",
		result->settings.merge ? "Merged" : "Removed", all);
	for (uint32_t i = 0, n = 0; error == 0 && i < nr; i = end) {
		uint32_t whole = chunks[list[i]].other;
		uint32_t members = 0;

		group[members++] = whole;
		for (end = i; end < nr && chunks[list[end]].other == whole;
		     end++)
			group[members++] = list[end];
		qsort_r(group, members, sizeof(*group), by_lines,
			(void *)(uintptr_t)chunks);
		fprintf(out, "  %u. %s\n", ++n, QUOTED(chunks[whole].path));
		print_merged(result, &chunks[whole], group, members, out);
	}
	free(list);
	free(group);
	return error;
}

/* calls: each_below() */
typedef int
below_fn(const struct dedup_result *result, const struct dedup_chunk *a,
	 const struct dedup_chunk *b, void *context);

/* Ranges that are kept and overlap, with the one before that reaches
 * furthest. */
static int
each_below(const struct dedup_result *result, below_fn *fn, void *context)
{
	uint32_t nr;
	uint32_t *list = sorted(result, DEDUP_KEPT, by_lines, &nr);
	const struct dedup_chunk *furthest = NULL;
	int error = 0;

	if (list == NULL)
		return -ENOMEM;
	for (uint32_t i = 0; i < nr && error == 0; i++) {
		const struct dedup_chunk *it = &result->chunks[list[i]];

		if (furthest != NULL && strcmp(furthest->path, it->path) != 0)
			furthest = NULL;
		if (furthest != NULL && furthest->last >= it->first)
			error = fn(result, furthest, it, context);
		if (furthest == NULL || it->last > furthest->last)
			furthest = it;
	}
	free(list);
	return error;
}

struct below {
	FILE *out;
	uint32_t nr;
};

static int
print_below(const struct dedup_result *result, const struct dedup_chunk *a,
	    const struct dedup_chunk *b, void *context)
{
	struct below *below = context;
	struct overlap both = overlap_of(a->first, a->last, b);
	uint64_t lines = both.last - both.first + 1;

	if (below->nr++ == 0)
		fputs("Overlaps Below the Threshold:\n", below->out);
	fprintf(below->out, "  %u. %s\n", below->nr, QUOTED(a->path));
	print_member(a, 0, below->out);
	print_member(b, 1, below->out);
	fprintf(below->out,
		"     - Overlap: lines %ju-%ju (%ju line%s)\n"
		"     - Overlap %%: %ju/%ju = %.1f%% < %g%% threshold\n"
		"     - Action: NOT merged (below threshold)\n\n",
		both.first, both.last, lines, lines == 1 ? "" : "s", lines,
		both.of, 100 * (double)lines / (double)both.of,
		(double)result->settings.threshold / 1e4);
	return 0;
}

int
dedup_print_text(const struct dedup_result *result, FILE *out)
{
	const struct sums sums = sums_of(result);
	const uint64_t saved =
		add_sat_u64(sums.exact_tokens, sums.overlap_tokens);
	struct below below = { .out = out };
	int error = print_exact(result, sums.exact, out);

	if (error == 0)
		error = print_overlaps(result, sums.merged, out);
	if (error == 0)
		error = each_below(result, print_below, &below);
	if (error != 0)
		return error;
	fprintf(out, "Chunks left: %u of %u\n",
		result->nr - sums.exact - sums.merged, result->nr);
	fprintf(out, "Exact duplicates removed: %u (-%s tokens)\n", sums.exact,
		COUNT_TEXT(sums.exact_tokens));
	fprintf(out, "Overlapping chunks merged: %u (-%s tokens)\n",
		sums.merged, COUNT_TEXT(sums.overlap_tokens));
	fprintf(out, "Total savings: %s tokens (%s reduction)\n",
		COUNT_TEXT(saved), SHARE_TEXT(saved, sums.tokens));
	return 0;
}

/* ---- for programs ------------------------------------------------------ */

static void
emit_chunk(struct emitter *out, const struct dedup_chunk *chunk)
{
	emit_text(out, "path", chunk->path);
	emit_u64(out, "start_line", chunk->first);
	emit_u64(out, "end_line", chunk->last);
	emit_double(out, "rank", chunk->rank);
	emit_text(out, "source", chunk->source);
	if (chunk->tokens != DEDUP_TOKENS_NONE)
		emit_u64(out, "tokens", chunk->tokens);
}

/* What is kept of a chunk: all of it, or its parts. */
static void
emit_kept(struct emitter *out, const struct dedup_result *result,
	  const struct dedup_chunk *chunk)
{
	bool is_joined = chunk->joined != NULL;
	const char *text = is_joined ? chunk->joined : chunk->content;
	size_t left = is_joined ? chunk->joined_bytes : chunk->content_bytes;
	uint64_t line = chunk->merged_first;

	/* a merged range without the text of all of it has none */
	if (chunk->merged_nr > 0 && !is_joined)
		text = NULL;
	do {
		struct dedup_part part = {
			.bytes = left,
			.lines = chunk->merged_last - line + 1,
			.tokens = chunk->merged_tokens,
		};
		struct dedup_chunk shown = *chunk;

		if (is_joined && chunk->merged_tokens > result->max_tokens)
			part = dedup_next_part(text, left, result->max_tokens,
					       result->count,
					       result->tokenizer);
		shown.first = line;
		shown.last = line + part.lines - 1;
		shown.tokens = part.tokens;
		emit_begin(out, NULL, '{');
		emit_chunk(out, &shown);
		emit_u64(out, "merged", chunk->merged_nr);
		if (text != NULL) {
			emit_bytes(out, "content", (const uint8_t *)text,
				   part.bytes);
			text += part.bytes;
		}
		emit_end(out, '}');
		left -= part.bytes;
		line += part.lines;
	} while (text != NULL && left > 0);
}

static void
emit_removed(struct emitter *out, const struct dedup_result *result,
	     const struct dedup_chunk *chunk)
{
	emit_begin(out, NULL, '{');
	emit_chunk(out, chunk);
	emit_text(out, "reason",
		  chunk->fate == DEDUP_EXACT ? "duplicate" : "overlap");
	emit_begin(out, "kept", '{');
	emit_chunk(out, &result->chunks[chunk->other]);
	emit_end(out, '}');
	emit_end(out, '}');
}

static int
emit_below(const struct dedup_result *result, const struct dedup_chunk *a,
	   const struct dedup_chunk *b, void *context)
{
	struct emitter *out = context;
	struct overlap both = overlap_of(a->first, a->last, b);

	(void)result;
	emit_begin(out, NULL, '{');
	emit_begin(out, "chunks", '[');
	for (int i = 0; i < 2; i++) {
		emit_begin(out, NULL, '{');
		emit_chunk(out, i == 0 ? a : b);
		emit_end(out, '}');
	}
	emit_end(out, ']');
	emit_u64(out, "start_line", both.first);
	emit_u64(out, "end_line", both.last);
	emit_ratio(out, "overlap", both.last - both.first + 1, both.of);
	emit_end(out, '}');
	return out->error;
}

int
dedup_print_json(const struct dedup_result *result, int fd)
{
	const struct sums sums = sums_of(result);
	struct emitter out;
	int error;

	emit_init(&out, fd);
	emit_begin(&out, NULL, '{');
	emit_begin(&out, "chunks", '[');
	for (uint32_t i = 0; i < result->nr; i++)
		if (result->chunks[i].fate == DEDUP_KEPT)
			emit_kept(&out, result, &result->chunks[i]);
	emit_end(&out, ']');
	emit_begin(&out, "removed", '[');
	for (uint32_t i = 0; i < result->nr; i++)
		if (result->chunks[i].fate != DEDUP_KEPT)
			emit_removed(&out, result, &result->chunks[i]);
	emit_end(&out, ']');
	emit_begin(&out, "below_threshold", '[');
	error = each_below(result, emit_below, &out);
	emit_end(&out, ']');
	emit_begin(&out, "dedup", '{');
	emit_u64(&out, "exact_removed", sums.exact);
	emit_u64(&out, "exact_tokens", sums.exact_tokens);
	emit_u64(&out, "overlaps_merged", sums.merged);
	emit_u64(&out, "overlap_tokens", sums.overlap_tokens);
	emit_end(&out, '}');
	emit_end(&out, '}');
	emit_end(&out, '\n');
	return error == -ENOMEM ? error : emit_finish(&out);
}
