/* SPDX-License-Identifier: MIT */
/*
 * The configuration file: its form, its keys, what is refused, who beats whom.
 *
 * verifies: FR-016c-37, FR-016c-38, FR-016c-39, FR-016c-40, NFR-016c-12,
 * verifies: AC-016c-011, AC-016c-015, AC-016c-016, AC-016c-019
 */
#include "tests/support/test_config.h"

#include <time.h>

/* The first example of the documents, key by key. */
static void
test_config_the_example_with_total_is_understood(void **state)
{
	struct command_line out;

	loads("# .agent/config.yml\n"
	      "context:\n"
	      "  # Token budgets\n"
	      "  budget:\n"
	      "    total: 90000               # Total context window\n"
	      "    response_reserve: 7000     # Reserve for response\n"
	      "    system_reserve: 1500       # Reserve for system prompt\n"
	      "    \n"
	      "  # Source priorities (higher = more important)\n"
	      "  source_priority:\n"
	      "    tool_results: 99\n"
	      "    open_files: 81\n"
	      "    search_results: 61\n"
	      "    references: 41\n"
	      "    \n"
	      "  # Ranking weights\n"
	      "  ranking:\n"
	      "    relevance_weight: 0.6\n"
	      "    recency_weight: 0.25\n"
	      "    source_weight: 0.15\n"
	      "    \n"
	      "  # Chunking\n"
	      "  chunking:\n"
	      "    max_chunk_tokens: 1900\n"
	      "    min_chunk_tokens: 90\n"
	      "    prefer_structural: false\n");
	assert_int_equal(config.problem_nr, 0);
	apply(&out, "pack");
	assert_int_equal(out.run.pack.budget_tokens, 90000);
	assert_int_equal(out.run.pack.response_reserve_tokens, 7000);
	assert_int_equal(out.run.pack.system_reserve_tokens, 1500);
	/* verifies: FR-016-58 */
	assert_int_equal(out.run.pack.relevance_weight, 600000);
	assert_int_equal(out.run.pack.recency_weight, 250000);
	assert_int_equal(out.run.pack.source_weight, 150000);
	/* verifies: FR-016-44, FR-016-45 */
	assert_int_equal(out.run.pack.chunk_max_tokens, 1900);
	assert_int_equal(out.run.pack.chunk_min_tokens, 90);
	/* structure is not preferred: by tokens */
	assert_int_equal(out.run.pack.chunk_lines, UINT32_MAX);
	command_line_fini(&out);
	is_set(OPTION_PRIORITY_TOOL, "99");
	is_set(OPTION_PRIORITY_OPEN, "81");
	is_set(OPTION_PRIORITY_SEARCH, "61");
	is_set(OPTION_PRIORITY_REFERENCE, "41");
	is_set(OPTION_STRUCTURAL, "false");
}

static void
test_config_the_example_with_dedup_is_understood(void **state)
{
	struct command_line out;
	double shares[CATEGORY_NR];
	double sum;

	loads("context:\n"
	      "  budget:\n"
	      "    total_tokens: 100000\n"
	      "    system_prompt_reserve: 2500\n"
	      "    response_reserve: 8000\n"
	      "    categories:\n"
	      "      tool_results: 40      # CLI output, test results\n"
	      "      open_files: 30\n"
	      "      search_results: 20\n"
	      "      references: 10\n"
	      "  dedup:\n"
	      "    enabled: true\n"
	      "    overlap_threshold: 0.75\n"
	      "    merge_overlapping: true\n"
	      "  tokenizer:\n"
	      "    type: tiktoken\n"
	      "    model: gpt-4\n");
	assert_int_equal(config.problem_nr, 0);
	assert_true(config_categories(&config, shares, &sum));
	assert_true(sum == 100 && shares[0] == 40 && shares[3] == 10);
	apply(&out, "pack");
	assert_int_equal(out.run.pack.budget_tokens, 100000);
	assert_int_equal(out.run.pack.system_reserve_tokens, 2500);
	assert_string_equal(out.run.encoding, "cl100k_base");
	command_line_fini(&out);
}

/* verifies: FR-016c-38, AC-016c-016 */
static void
test_config_categories_have_to_add_up(void **state)
{
	static const char missing[] = "context:\n"
				      "  budget:\n"
				      "    total_tokens: 100000\n"
				      "    categories:\n"
				      "      tool_results: 40\n"
				      "      open_files: 30\n"
				      "      search_results: 20\n";
	double shares[CATEGORY_NR];
	double sum;

	refuses(missing, 5, 21, "BALE-BUD-005",
		"Category percentages sum to 90% (expected 100%): "
		"tool_results: 40%, open_files: 30%, search_results: 20%; "
		"Missing: 10%. Add missing category or adjust percentages to "
		"sum to 100%");
	refuses("categories:\n  tool_results: 40\n  open_files: 30\n"
		"  search_results: 20\n  references: 5\n",
		2, 17, "BALE-BUD-005",
		"Category percentages sum to 95% (expected 100%)");
	refuses("categories:\n  tool_results: 90\n  open_files: 30\n", 2, 17,
		"BALE-BUD-005", "sum to 120% (expected 100%)");
	/* those that are not named have none */
	loads("categories:\n  tool_results: 50\n  open_files: 30\n"
	      "  search_results: 20\n");
	loads("categories:\n  tool_results: 100\n");
	/* parts of 1 */
	loads("categories: {tool_results: 0.4, open_files: 0.3, "
	      "search_results: 0.2, references: 0.1}");
	assert_true(config_categories(&config, shares, &sum));
	assert_true(sum > 99.99 && sum < 100.01 && shares[0] == 40);
	loads("categories: {tool_results: 33.33, open_files: 33.33, "
	      "search_results: 33.34}");
	loads("categories: {tool_results: 33.33, open_files: 33.33, "
	      "search_results: 33.33}");
	loads("categories: {tool_results: 90, tree: 10}");
	assert_true(config_categories(&config, shares, &sum) &&
		    shares[CATEGORY_TREE] == 10);
	refuses("categories: {tool_results: 0.4, open_files: 0.3}", 1, 28,
		"BALE-BUD-005", "sum to 70% (expected 100%)");
	refuses("categories: {tool_results: 0}", 1, 28, "BALE-BUD-005",
		"sum to 0%");
}

/* verifies: FR-016c-39, AC-016c-019, NFR-016c-13 */
static void
test_config_bad_values_say_where_and_what_is_allowed(void **state)
{
	static const struct {
		const char *text;
		unsigned line;
		unsigned column;
		const char *code;
		const char *words;
	} rows[] = {
		{ "budget:\n  total_tokens: -5\n", 2, 17, "BALE-BUD-005",
		  "total_tokens: invalid value -5: expected 'all' or a "
		  "number of tokens from 1" },
		{ "budget: {response_reserve: -1}", 1, 28, "BALE-BUD-005",
		  "-1: expected a number of tokens from 0" },
		{ "budget: {system_prompt_reserve: many}", 1, 33,
		  "BALE-BUD-005", "many: expected a number of tokens" },
		{ "categories: {tool_results: -40}", 1, 28, "BALE-BUD-005",
		  "-40: expected a number from 0 to 100" },
		{ "ranking: {recency_weight: 2}", 1, 27, "BALE-CFG-003",
		  "2: expected a number from 0 to 1" },
		{ "ranking: {recency_weight: 1.2.3}", 1, 27, "BALE-CFG-003",
		  "1.2.3: expected a number" },
		{ "ranking: {recency_weight: .inf}", 1, 27, "BALE-CFG-003",
		  "expected a number" },
		{ "dedup:\n  overlap_threshold: 80\n", 2, 22, "BALE-CFG-003",
		  "80: expected a number from 0 to 1" },
		{ "dedup:\n  enabled: perhaps\n", 2, 12, "BALE-CFG-003",
		  "perhaps: expected yes or no" },
		{ "tokenizer:\n  type: sentencepiece\n", 2, 9, "BALE-CFG-003",
		  "sentencepiece: expected one of tiktoken" },
		{ "tokenizer:\n  model: gpt-99\n", 2, 10, "BALE-CFG-003",
		  "unknown model gpt-99" },
		{ "tokenizer:\n  encoding: /etc/x.json\n", 2, 13,
		  "BALE-CFG-003", "expected one of o200k_base" },
		{ "policy:\n  tier: gold\n", 2, 9, "BALE-CFG-003",
		  "gold: expected one of unrestricted, core, writerpro" },
		{ "context:\n  include:\n    - '*.c'\n    -\n", 4, 6,
		  "BALE-CFG-003", "an item of the list is empty" },
		{ "context:\n  include:\n    - [a]\n", 3, 7, "BALE-CFG-003",
		  "must be one value" },
		{ "context:\n  include: {a: b}\n", 2, 3, "BALE-CFG-003",
		  "takes a list of values, not a mapping" },
		{ "budget:\n  total_tokens: [1]\n", 2, 3, "BALE-CFG-003",
		  "takes one value, not a list" },
		{ "context: 5\n", 1, 10, "BALE-CFG-003",
		  "context is a section" },
		{ "context:\n  budget: [1]\n", 2, 3, "BALE-CFG-003",
		  "context.budget is a section: keys belong below it" },
		{ "ranking: {relevance_weight: 0, recency_weight: 0, "
		  "source_weight: 0}",
		  1, 29, "BALE-CFG-003", "all ranking weights are 0" },
		{ "budget: {total: 5}\ncontext: {max_tokens: 6}", 2, 23,
		  "BALE-CFG-005", "was set before, in line 1" },
	};

	for (size_t i = 0; i < ARRAY_LEN(rows); i++)
		refuses(rows[i].text, rows[i].line, rows[i].column,
			rows[i].code, rows[i].words);
}

static void
test_config_nothing_is_nothing(void **state)
{
	static const char *const rows[] = {
		"",
		"\n\n",
		"# nothing\n",
		"---\n",
		"--- ~\n",
		"{}\n",
		"context:\n",
		"context:\n  budget: ~\n",
		"budget:\n  total_tokens:\n",
		("\xef\xbb\xbf"
		 "budget: {}\n"),
	};

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		loads(rows[i]);
		assert_int_equal(config.problem_nr, 0);
		is_set(OPTION_TIER, NULL);
	}
}

/* Text that is no configuration, or no YAML, or wants to be too much. */
static void
test_config_hostile_yaml_is_an_error_with_its_place(void **state)
{
	static const struct {
		const char *text;
		unsigned line;
		const char *words;
	} rows[] = {
		{ "a: &x b\n", 1, "anchors and aliases are not supported" },
		{ "a: *x\n", 1, "anchors and aliases are not supported" },
		{ "a: &x [b]\nc: [*x, *x]\n", 1, "anchors and aliases" },
		{ "a: !!python/object b\n", 1, "tags are not supported" },
		{ "a: !x {b: c}\n", 1, "tags are not supported" },
		{ "a: b\n---\nc: d\n", 2, "a second document" },
		{ "- a\n- b\n", 1, "a configuration is a mapping" },
		{ "text\n", 1, "a configuration is a mapping" },
		{ "? [a, b]\n: c\n", 1, "a key must be a text" },
		{ "? {a: b}\n: c\n", 1, "a key must be a text" },
		{ "'': c\n", 1, "a key is empty" },
		{ "a: b\na: c\n", 2, "a is given twice, first in line 1" },
		{ "x:\n  maxTokens: 1\n  max_tokens: 2\n", 3,
		  "twice, first in line 2" },
		{ "a: [\n", 2, "not YAML: did not find expected node" },
		{ "a: b: c\n", 1, "not YAML: mapping values are not allowed" },
		{ "\ta: b\n", 1, "not YAML" },
		{ "a: 'b\n", 2, "not YAML" },
		{ "a: \"\\0\"\n", 1, "has a NUL in it" },
		{ "a: \xff\n", 1, "not YAML: invalid leading UTF-8 octet" },
		{ "a: \x01\n", 1, "not YAML: control characters" },
		{ "a: b\n# \xc3\xa9\n\nc: d\xe9\ne: f\n", 4,
		  "not YAML: invalid trailing UTF-8 octet" },
		{ "a: b\n# \xc3\xa9\x01\n", 2, "not YAML: control characters" },
	};

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		assert_int_equal(load(rows[i].text), -EINVAL);
		assert_int_equal(config.error_nr, 1);
		assert_string_equal(config.problems[0].code, "BALE-CFG-002");
		if (strstr(config.problems[0].fault.text, rows[i].words) ==
			    NULL ||
		    config.problems[0].fault.place.line != rows[i].line)
			fail_msg("%s: got %u: %s, want %u: %s", rows[i].text,
				 config.problems[0].fault.place.line,
				 config.problems[0].fault.text, rows[i].line,
				 rows[i].words);
	}
	/* a NUL in the middle */
	config_fini(&config);
	assert_int_equal(config_load_text(&config, "c", "a: b\0c: d", 9, 0),
			 -EINVAL);
}

/* A text of `n` times `piece` between two others; ended by NUL. */
static char *
repeat(const char *before, const char *piece, size_t n, const char *after)
{
	size_t piece_bytes = strlen(piece);
	char *text =
		malloc(strlen(before) + n * piece_bytes + strlen(after) + 1);
	char *p;

	assert_non_null(text);
	p = stpcpy(text, before);
	for (size_t i = 0; i < n; i++)
		p = mempcpy(p, piece, piece_bytes);
	strcpy(p, after);
	return text;
}

static void
test_config_what_is_too_much_is_refused_in_no_time(void **state)
{
	static const struct {
		const char *before;
		const char *piece;
		const char *after;
		size_t times;
		const char *words;
	} rows[] = {
		{ "", "[", "", 200000, "a configuration is a mapping" },
		{ "a: ", "[", "", 200000, "nested more than 16 deep" },
		{ "", "{a: ", "", 60000, "nested more than 16 deep" },
		{ "a: ", "- ", "", 100000, "not YAML" },
		{ "a: [", "b, ", "]", 80000, "more than 4096" },
		{ "", "# comment\n", "", 30000, "larger than 256 KiB" },
		{ "a: ", "b", "", 5000, "a value is longer" },
		{ "", "a", ": b", 100, "a key is longer than 64 bytes" },
		{ "a: \"", "\\x41", "\"", 60000, "a value is longer" },
		{ "", "? ", "", 100000, "a key must be a text" },
	};

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		char *text = repeat(rows[i].before, rows[i].piece,
				    rows[i].times, rows[i].after);
		clock_t begun = clock();

		if (load(text) != -EINVAL ||
		    strstr(config.problems[0].fault.text, rows[i].words) ==
			    NULL)
			fail_msg("%zu: got %s, want %s", i,
				 config.problems[0].fault.text, rows[i].words);
		free(text);
		/* it takes some 50 ms at most; sanitizers are slow */
		assert_true((clock() - begun) / CLOCKS_PER_SEC < 10);
	}
}

static void
test_config_many_problems_are_counted(void **state)
{
	char text[4096 * 8];
	size_t n = 0;

	for (int i = 0; i < 1000; i++)
		n += (size_t)snprintf(text + n, sizeof(text) - n, "k%d: 1\n",
				      i);
	loads(text);
	assert_int_equal(config.problem_nr, CONFIG_PROBLEMS_MAX);
	assert_int_equal(config.more_nr, 1000 - CONFIG_PROBLEMS_MAX);
	/* an error finds its place among them */
	snprintf(text + n, sizeof(text) - n, "budget: {total: 0}\n");
	refuses(text, 1001, 17, "BALE-BUD-005", "invalid value 0: expected");
}

/* verifies: FR-016c-10, AC-016c-011 */
static void
test_config_line_beats_environment_beats_file_beats_default(void **state)
{
	struct command_line out;

	loads("budget: {total: 30000, response_reserve: 3000, "
	      "system_reserve: 300}\n"
	      "context:\n  include: ['*.c', '*.h']\n  exclude: x\n");
	setenv("BALE_RESERVE_RESPONSE", "5000", 1);
	apply(&out, "pack --reserve-system 70 --exclude y --exclude z");
	unsetenv("BALE_RESERVE_RESPONSE");
	assert_int_equal(out.run.pack.budget_tokens, 30000);
	assert_int_equal(out.from[OPTION_TOTAL], FROM_FILE);
	assert_int_equal(out.run.pack.response_reserve_tokens, 5000);
	assert_int_equal(out.from[OPTION_RESERVE_RESPONSE], FROM_ENVIRONMENT);
	assert_int_equal(out.run.pack.system_reserve_tokens, 70);
	assert_int_equal(out.from[OPTION_RESERVE_SYSTEM], FROM_COMMAND_LINE);
	assert_int_equal(out.run.pack.include_nr, 2);
	assert_string_equal(out.run.pack.includes[1], "*.h");
	assert_int_equal(out.run.pack.exclude_nr, 2);
	assert_string_equal(out.run.pack.excludes[0], "y");
	assert_int_equal(out.from[OPTION_MAX_FILE_SIZE], FROM_DEFAULT);
	command_line_fini(&out);
}

/* What is said of a model comes with the place it is said in. */
static void
test_config_a_model_stands_where_it_is_named(void **state)
{
	static const struct {
		const char *text;
		const char *line;
		uint64_t budget;
		const char *encoding;
	} rows[] = {
		{ "tokenizer: {model: gpt-4}", "pack --reserve-response 0",
		  8192, "cl100k_base" },
		{ "tokenizer: {model: gpt-4}\nbudget: {total: 50k}", "pack",
		  50000, "cl100k_base" },
		{ "tokenizer: {model: gpt-4}", "pack --budget 60k", 60000,
		  "cl100k_base" },
		{ "budget: {total: 50k}\ntokenizer: {encoding: p50k_base}",
		  "pack --model gpt-4o", 128000, "o200k_base" },
		{ "budget: {total: 50k}", "pack --model gpt-4o --budget 9M",
		  9000000, "o200k_base" },
	};

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct command_line out;

		loads(rows[i].text);
		apply(&out, rows[i].line);
		assert_int_equal(out.run.pack.budget_tokens, rows[i].budget);
		assert_string_equal(out.run.encoding, rows[i].encoding);
		command_line_fini(&out);
	}
}

/* Each table names each key once, and what it names is there. */
static void
test_config_tables_agree(void **state)
{
	char wanted[OPTION_WANTED_BYTES];

	for (int i = 0; i < OPTION_NR; i++) {
		const struct option_spec *spec = &option_table[i];

		assert_true((option_table[i].key == NULL) !=
			    (option_table[i].no_key == NULL));
		assert_true(spec->name != NULL || option_table[i].key != NULL);
		if (spec->standard != NULL && spec->kind != KIND_REVISION)
			assert_int_equal(
				option_check(spec, spec->standard, wanted), 0);
		for (int j = 0; j < i && option_table[i].key != NULL; j++)
			if (option_table[j].key != NULL)
				assert_string_not_equal(option_table[i].key,
							option_table[j].key);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(config_the_example_with_total_is_understood),
		TEST(config_the_example_with_dedup_is_understood),
		TEST(config_categories_have_to_add_up),
		TEST(config_bad_values_say_where_and_what_is_allowed),
		TEST(config_nothing_is_nothing),
		TEST(config_hostile_yaml_is_an_error_with_its_place),
		TEST(config_what_is_too_much_is_refused_in_no_time),
		TEST(config_many_problems_are_counted),
		TEST(config_line_beats_environment_beats_file_beats_default),
		TEST(config_a_model_stands_where_it_is_named),
		TEST(config_tables_agree),
	};

	return cmocka_run_group_tests_name("supervisor/config", tests, NULL,
					   NULL);
}
