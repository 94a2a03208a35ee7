/* SPDX-License-Identifier: MIT */
/*
 * test_report_show.c - reports made up by hand, as people read them.
 */
#include "tests/support/test_shm.h"

#include <jansson.h>

#include "base/base.h"
#include "report/report_show.h"

typedef int
show_fn(const json_t *report, FILE *out);

/* What a report of this JSON looks like. Owner: free() */
static char *
shown(show_fn *show, const char *json)
{
	json_error_t error;
	json_t *report = json_loads(json, 0, &error);
	char *text = NULL;
	size_t bytes;
	FILE *out = open_memstream(&text, &bytes);

	if (report == NULL)
		fail_msg("line %d, column %d: %s", error.line, error.column,
			 error.text);
	ASSERT_EQ(show(report, out), 0);
	fclose(out);
	json_decref(report);
	return text;
}

static void
shows(show_fn *show, const char *json, const char *want)
{
	char *text = shown(show, json);

	if (strcmp(text, want) != 0)
		fail_msg("got:\n%s\nwant:\n%s", text, want);
	free(text);
}

static void
has(const char *text, const char *words)
{
	if (strstr(text, words) == NULL)
		fail_msg("not in it: %s\n%s", words, text);
}

/* 100 of 1,200 are saved: 8.3 %; 40 tokens of the used are of no category. */
static void
test_show_budget_has_all_sums(void **state)
{
	char *text = shown(
		report_show_budget,
		"{\"correlation_id\":\"0123456789abcdef\","
		"\"started_at\":\"2026-01-02T03:04:05Z\","
		"\"encoding\":\"o200k_base\",\"estimated\":true,"
		"\"budget\":{\"total\":2000,\"system_reserve\":0,"
		"\"response_reserve\":800,\"available\":1200,\"used\":1100},"
		"\"categories\":[{\"name\":\"open_files\",\"allocated\":1000,"
		"\"used\":1060}],"
		"\"dedup\":{\"exact_removed\":2,\"exact_tokens\":60,"
		"\"overlaps_merged\":1,\"overlap_tokens\":30,"
		"\"overlaps_unmerged\":1,\"unmerged_tokens\":10},"
		"\"files\":{\"seen\":12,\"packed\":10},"
		"\"chunks\":{\"seen\":30,\"packed\":25,\"rejected\":3},"
		"\"special_tokens\":[{\"in_encoding\":true},{}],"
		"\"special_tokens_left_out\":1,"
		"\"stages\":[{\"name\":\"chunk\",\"workers\":2,"
		"\"busy_ns\":62000000,\"wait_ns\":0,\"items\":1234,"
		"\"bytes\":2048,\"deaths\":0}],"
		"\"wall_ns\":3210000000,\"memory\":{\"peak_pss_bytes\":1048576},"
		"\"warnings\":[\"a\\u001b[2J\"]}");

	has(text, "Token Budget Report (run 01234567, 2026-01-02T03:04:05Z)\n"
		  "════════════════════════════"
		  "════════════════════════════"
		  "\n\n");
	has(text, "  Total Context Window: 2,000 tokens\n"
		  "  System Prompt Reserve: 0 tokens\n"
		  "  Response Reserve: 800 tokens\n"
		  "  Available for Content: 1,200 tokens\n"
		  "  Encoding: o200k_base (estimated)\n");
	has(text, "│ Category    │ Allocated │  Used │ Wasted │  Fill % │\n"
		  "├─────────────┼───────────┼───────┼────────┼─────────┤\n"
		  "│ Open Files  │     1,000 │ 1,060 │      0 │ 106.0 % │\n"
		  "│ Around Them │         - │    40 │      - │       - │\n"
		  "├─────────────┼───────────┼───────┼────────┼─────────┤\n"
		  "│ TOTAL       │     1,200 │ 1,100 │    100 │  91.7 % │\n");
	has(text, "  Exact Duplicates Removed: 2 (-60 tokens)\n"
		  "  Overlapping Chunks Merged: 1 (-30 tokens)\n"
		  "  Overlapping Chunks Not Merged: 1 (-10 tokens)\n"
		  "  Total Savings: 100 tokens (8.3 % of original)\n");
	has(text, "  Files: 12 seen, 10 packed\n"
		  "  Chunks Considered: 30\n"
		  "  Chunks Selected: 25\n"
		  "  Chunks Rejected: 3 (insufficient budget)\n");
	has(text, "Text Like Special Tokens: 3 (1 of them tokens of the "
		  "encoding)");
	has(text, "│ Chunk │       2 │ 62 ms │  0 us │ 1,234 │ 2.0 KiB │");
	has(text, "  Total: 3.21 s\n  Peak memory: 1.0 MiB\n"
		  "Warning: \"a\\033[2J\"\n");
	free(text);
}

/* A key that is missing is 0 or all; advice only where it helps. */
static void
test_show_budget_of_everything_has_no_shares(void **state)
{
	char *text = shown(report_show_budget,
			   "{\"budget\":{\"total\":null,\"used\":7},"
			   "\"chunks\":{\"rejected\":5},\"categories\":"
			   "[{\"name\":\"tree\",\"allocated\":null,"
			   "\"used\":7}]}");

	has(text, "  Total Context Window: everything\n");
	has(text, "│ Tree     │       all │    7 │      - │      - │\n");
	ASSERT_TRUE(strstr(text, "Around Them") == NULL);
	ASSERT_TRUE(strstr(text, "Peak memory") == NULL);
	ASSERT_TRUE(strstr(text, "Special Tokens") == NULL);
	free(text);
	text = shown(report_show_budget,
		     "{\"budget\":{\"available\":1000,\"used\":990},"
		     "\"chunks\":{\"rejected\":2}}");
	has(text, "\n2 chunks omitted due to budget constraints.");
	ASSERT_TRUE(strstr(text, "Budget exceeded") == NULL);
	free(text);
	text = shown(report_show_budget,
		     "{\"budget\":{\"available\":1000,\"used\":980},"
		     "\"chunks\":{\"rejected\":2}}");
	ASSERT_TRUE(strstr(text, "omitted") == NULL);
	free(text);
	text = shown(report_show_budget,
		     "{\"budget\":{\"available\":1000,\"used\":1003}}");
	has(text, "\nBudget exceeded by 3 tokens.\n");
	free(text);
}

static void
test_show_chunks_is_a_row_each(void **state)
{
	shows(report_show_chunks,
	      "{\"selected\":[{\"path\":\"a\\n.c\",\"start_line\":1,"
	      "\"end_line\":9,\"tokens\":1234,\"score\":0.875,"
	      "\"category\":\"tree\",\"tier\":\"full\",\"complexity\":3,"
	      "\"defines\":[{\"kind\":\"function\",\"name\":\"f\"},"
	      "{\"kind\":\"class\",\"name\":\"C\"}]},"
	      "{\"path\":\"b\",\"tokens\":1}]}",
	      "Selected Chunks (2):\n"
	      "┌──────┬─────────┬───────┬────────┬──────────┬──────┬────────────"
	      "┬─────────────────────┐\n"
	      "│ Rank │ Path    │ Lines │ Tokens │ Category │ Tier │ Complexity "
	      "│ Defines             │\n"
	      "├──────┼─────────┼───────┼────────┼──────────┼──────┼────────────"
	      "┼─────────────────────┤\n"
	      "│ 87.5 │ \"a\\n.c\" │ 1-9   │  1,234 │ tree     │ full │          3 "
	      "│ function f, class C │\n"
	      "│    - │ b       │ -     │      1 │          │      │          - "
	      "│                     │\n"
	      "└──────┴─────────┴───────┴────────┴──────────┴──────┴────────────"
	      "┴─────────────────────┘\n");
}

/* Six names are told. */
static void
test_show_chunks_ends_long_lists_of_names(void **state)
{
	char json[1024] = "{\"selected\":[{\"defines\":[";
	char *text;

	for (int i = 0; i < 7; i++)
		snprintf(json + strlen(json), 64,
			 "%s{\"kind\":\"k\",\"name\":\"n%d\"}",
			 i > 0 ? "," : "", i);
	strcat(json, "]}]}");
	text = shown(report_show_chunks, json);
	has(text, "k n0, k n1, k n2, k n3, k n4, k n5, ... ");
	free(text);
}

/* A report may be a stranger's: nothing of it reaches the terminal as is. */
static void
test_show_quotes_what_is_no_word(void **state)
{
	static const struct {
		show_fn *show;
		const char *json;
	} cases[] = {
		{ report_show_budget, "{\"encoding\":\"E\"}" },
		{ report_show_chunks, "{\"selected\":[{\"category\":\"E\"}]}" },
		{ report_show_chunks, "{\"selected\":[{\"tier\":\"E\"}]}" },
		{ report_show_chunks,
		  "{\"selected\":[{\"defines\":[{\"kind\":\"E\"}]}]}" },
		{ report_show_selection,
		  "{\"excluded\":[{\"reason\":\"E\"}]}" },
		{ report_show_dedup,
		  "{\"dedup\":{\"merged\":[{\"start_line\":1,\"end_line\":2,"
		  "\"category\":\"E\",\"requests\":["
		  "{\"start_line\":1,\"end_line\":2,\"category\":\"E\"},"
		  "{\"start_line\":1,\"end_line\":2,\"category\":\"E\"}"
		  "]}]}}" },
	};

	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		char *json = strdup("");
		char *text;

		for (const char *c = cases[i].json; *c != '\0'; c++) {
			char *old = json;

			if (*c == 'E')
				ASSERT_EQ(asprintf(&json, "%s\\u001b[31m",
						   old) > 0,
					  1);
			else
				ASSERT_EQ(asprintf(&json, "%s%c", old, *c) > 0,
					  1);
			free(old);
		}
		text = shown(cases[i].show, json);
		has(text, "\\033[31m");
		assert_null(strchr(text, '\033'));
		free(text);
		free(json);
	}
}

/* Long names of many bytes each: the list ends after half of its room. */
static void
test_show_chunks_ends_lists_of_long_names(void **state)
{
	char json[8192] = "{\"selected\":[{\"defines\":[";
	char *text;

	for (int i = 0; i < 6; i++)
		snprintf(json + strlen(json), 1100,
			 "%s{\"kind\":\"%0500d\",\"name\":\"%0500d\"}",
			 i > 0 ? "," : "", i, i);
	strcat(json, "]}]}");
	text = shown(report_show_chunks, json);
	has(text, "0..., ... ");
	free(text);
}

/* The best first, and equals as they are in the report. */
static void
test_show_selection_is_by_rank(void **state)
{
	shows(report_show_selection,
	      "{\"selected\":[{\"path\":\"a\",\"tokens\":1,\"score\":0.1},"
	      "{\"path\":\"b\",\"tokens\":2,\"score\":0.2,\"start_line\":3,"
	      "\"end_line\":4},{\"path\":\"c\",\"tokens\":3,\"score\":0.1}],"
	      "\"excluded\":[{\"path\":\"d\",\"tokens\":4,\"score\":0.3,"
	      "\"reason\":\"duplicate\",\"same_as\":\"b\"}]}",
	      "Selected Chunks (3):\n"
	      "  Rank 20.0: b:3-4 (2 tokens)\n"
	      "  Rank 10.0: a:- (1 tokens)\n"
	      "  Rank 10.0: c:- (3 tokens)\n"
	      "\nRejected Chunks (1):\n"
	      "  Rank 30.0: d:- (4 tokens) - duplicate of b\n");
}

#define AT(first, last, more) \
	"{\"start_line\":" #first ",\"end_line\":" #last more "}"

/*
 * The same lines twice, two ranges merged, two that are not: 11 of the 41
 * lines of the shorter are shared, and 2 of 5.
 */
static void
test_show_dedup_tells_each_kind(void **state)
{
	shows(report_show_dedup,
	      "{\"budget\":{\"used\":900},\"excluded\":["
	      "{\"path\":\"d.c\",\"reason\":\"duplicate\",\"same_as\":\"a.c\","
	      "\"tokens\":40,\"start_line\":1,\"end_line\":9},"
	      "{\"path\":\"e.c\",\"reason\":\"budget\"}],"
	      "\"dedup\":{\"exact_removed\":2,\"exact_tokens\":50,"
	      "\"overlaps_merged\":1,\"overlap_tokens\":30,"
	      "\"overlaps_unmerged\":1,\"unmerged_tokens\":20,"
	      "\"merged_left_out\":3,\"merged\":["
	      "{\"path\":\"a.c\",\"start_line\":1,\"end_line\":5,"
	      "\"category\":\"open_files\",\"saved_tokens\":10,"
	      "\"requests\":[" AT(1, 5, ",\"category\":\"open_files\",\"score\":0.5") "," AT(
		      1, 5,
		      ",\"category\":\"references\",\"score\":0.25") "]},"
								     "{\"path\":\"b.c\",\"start_line\":1,\"end_line\":80,"
								     "\"tokens\":100,\"category\":\"open_files\",\"score\":1,"
								     "\"saved_tokens\":30,\"requests\":[" AT(
									     1,
									     50,
									     ",\"tokens\":70,\"category\":\"open_files\","
									     "\"score\":1") "," AT(40,
												   80,
												   ",\"tokens\":60,\"category\":\"references\"") "]}],"
																		 "\"unmerged\":[{\"path\":\"c.c\",\"saved_tokens\":20,"
																		 "\"requests\":[" AT(1, 10, ",\"tokens\":10,\"category\":\"tree\"") "," AT(
																			 9,
																			 13,
																			 ",\"tokens\":5,\"category\":\"tree\"") "]}]}}",
	      "Deduplication Report\n════════════════════\n\n"
	      "Exact Duplicates Removed (2):\n"
	      "  1. d.c:1-9\n"
	      "     - Kept: a.c\n"
	      "     - Saved: 40 tokens\n"
	      "  2. a.c:1-5\n"
	      "     - Found in: open_files (rank 50.0), references (rank "
	      "25.0)\n"
	      "     - Kept: the one of open_files\n"
	      "     - Saved: 10 tokens\n"
	      "\nOverlapping Chunks Merged (1): 30 tokens saved\n"
	      "  1. b.c\n"
	      "     - Range 1: lines 1-50 (70 tokens, open_files (rank "
	      "100.0))\n"
	      "     - Range 2: lines 40-80 (60 tokens, references (rank -))\n"
	      "     - Overlap: lines 40-50 (26.8 % of the shorter one)\n"
	      "     - Merged: lines 1-80 (100 tokens, open_files (rank "
	      "100.0))\n"
	      "     - Saved: 30 tokens\n"
	      "  and 3 more\n"
	      "\nOverlapping Chunks Not Merged (1): 20 tokens saved\n"
	      "  1. c.c\n"
	      "     - Range 1: lines 1-10 (10 tokens, tree (rank -))\n"
	      "     - Range 2: lines 9-13 (5 tokens, tree (rank -))\n"
	      "     - Overlap: lines 9-10 (40.0 % of the shorter one)\n"
	      "     - Saved: 20 tokens\n"
	      "\nTotal Savings: 100 tokens (10.0 % reduction)\n");
}

static void
test_show_specials_names_the_place(void **state)
{
	shows(report_show_specials,
	      "{\"special_tokens\":[{\"in\":\"file\",\"path\":\"a\","
	      "\"line\":3,\"token\":\"<|x|>\",\"count\":2,"
	      "\"in_encoding\":true},"
	      "{\"in\":\"name\",\"path\":\"b\",\"line\":null,"
	      "\"token\":\"<|y|>\",\"count\":1},"
	      "{\"in\":\"git-log\",\"line\":1,\"token\":\"<|z|>\","
	      "\"count\":1}],\"special_tokens_left_out\":4}",
	      "Text That Looks Like a Special Token (7):\n"
	      "┌───────┬───────────┬──────┬───────┬───────────────────────┐\n"
	      "│ Text  │ In        │ Line │ Times │ Token of the encoding │\n"
	      "├───────┼───────────┼──────┼───────┼───────────────────────┤\n"
	      "│ <|x|> │ a         │    3 │     2 │ yes                   │\n"
	      "│ <|y|> │ b         │ name │     1 │ no                    │\n"
	      "│ <|z|> │ (git log) │    1 │     1 │ no                    │\n"
	      "└───────┴───────────┴──────┴───────┴───────────────────────┘\n"
	      "and 4 more\n");
}

/* 40 per cent of hits are enough. */
static void
test_show_cache_gives_advice(void **state)
{
	static const struct {
		int hits;
		int misses;
		int evictions;
		const char *advice;
	} rows[] = {
		{ 40, 60, 9, "Recommendation: none, the cache does well" },
		{ 39, 61, 9, "Recommendation: a larger --count-cache" },
		{ 39, 61, 0,
		  "Recommendation: none, the content does not "
		  "repeat" },
	};
	char *text;

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		char json[256];

		snprintf(json, sizeof(json),
			 "{\"count_cache\":{\"hits\":%d,\"misses\":%d,"
			 "\"evictions\":%d,\"entries\":50,\"capacity\":200}}",
			 rows[i].hits, rows[i].misses, rows[i].evictions);
		text = shown(report_show_cache, json);
		has(text, rows[i].advice);
		has(text, "Total Requests: 100\n");
		has(text, "Cache Size: 50 / 200 entries (25.0 % full)\n");
		free(text);
	}
	text = shown(report_show_cache, "{}");
	has(text, "Cache Hits: 0 (-)\n");
	ASSERT_TRUE(strstr(text, "Recommendation") == NULL);
	free(text);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_show_budget_has_all_sums),
		cmocka_unit_test(test_show_budget_of_everything_has_no_shares),
		cmocka_unit_test(test_show_chunks_is_a_row_each),
		cmocka_unit_test(test_show_chunks_ends_long_lists_of_names),
		cmocka_unit_test(test_show_chunks_ends_lists_of_long_names),
		cmocka_unit_test(test_show_quotes_what_is_no_word),
		cmocka_unit_test(test_show_selection_is_by_rank),
		cmocka_unit_test(test_show_dedup_tells_each_kind),
		cmocka_unit_test(test_show_specials_names_the_place),
		cmocka_unit_test(test_show_cache_gives_advice),
	};

	return cmocka_run_group_tests_name("report/report_show", tests, NULL,
					   NULL);
}
