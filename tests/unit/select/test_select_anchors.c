/* SPDX-License-Identifier: MIT */
/*
 * test_select_anchors.c - files, lines and definitions that a query names.
 */
#include "tests/support/test_select_planner.h"

#include "catalogue/terms.h"
#include "lang/declares.h"
#include "lang/scan.h"
#include "rank/phrase.h"
#include "rank/query_declared.h"
#include "stages/select/select_anchors.h"

static struct anchors anchors;
static struct select_anchors found;

static bool
counts_code(const void *context, uint32_t file_idx)
{
	(void)context;
	return file_idx != 3;
}

static void
define(uint32_t file_idx, uint32_t line, uint8_t kind, const char *text)
{
	add_name(file_idx,
		 (struct name_entry){
			 .line = line, .type = NAME_DEF, .kind = kind },
		 text);
}

/* Four files of three chunks of ten lines; the last one is a test. */
static void
make_tree(void)
{
	static const char *const paths[] = { "a/one.py", "a/two.py", "b/one.py",
					     "tests/three.py" };

	for (uint32_t i = 0; i < ARRAY_LEN(paths); i++) {
		add_file(paths[i], 0, REASON_NONE);
		for (uint32_t k = 0; k < 3; k++) {
			struct chunk_record *chunk;

			add_chunk(10, 3 * i + k);
			chunk = catalogue_chunk(&rig.run.catalogue, 3 * i + k);
			chunk->line_first = 1 + 10 * k;
			chunk->line_nr = 10;
		}
	}
	define(0, 12, LANG_KIND_FUNCTION, "run_it");
	define(0, 22, LANG_KIND_CLASS, "Parser");
	define(0, 24, LANG_KIND_METHOD, "__init__");
	define(1, 3, LANG_KIND_CLASS, "Lexer");
	define(1, 13, LANG_KIND_METHOD, "next");
	define(1, 23, LANG_KIND_FUNCTION, "parser");
	define(2, 3, LANG_KIND_METHOD, "next");
	define(3, 3, LANG_KIND_FUNCTION, "run_it");
	define(3, 13, LANG_KIND_FUNCTION, "test_it");
}

/* What the tree that is there has of the anchors. */
static void
look_up(void)
{
	ASSERT_EQ(select_anchors_find(planner, &anchors, counts_code, NULL,
				      &found),
		  0);
}

/* The same of another query. */
static void
find_here(const char *text)
{
	memset(&anchors, 0, sizeof(anchors));
	anchors_read(&anchors, (const uint8_t *)text, strlen(text));
	look_up();
}

static void
find(const char *text)
{
	anchors_read(&anchors, (const uint8_t *)text, strlen(text));
	make_tree();
	planner_open();
	look_up();
}

static double
chunk(uint32_t file_idx, uint32_t ordinal)
{
	return select_anchors_chunk(planner, &found, file_idx, ordinal);
}

static int
setup_anchors(void **state)
{
	memset(&anchors, 0, sizeof(anchors));
	return setup_plan(state);
}

static void
test_select_anchors_find_definitions_but_of_tests(void **state)
{
	find("it fails\nin run_it()");
	assert_float_equal(chunk(0, 1), 0.7, 1e-6);
	assert_float_equal(chunk(0, 0), 0, 1e-6);
	assert_float_equal(chunk(3, 0), 0, 1e-6);
	assert_float_equal(select_anchors_file(&found, 0), 0, 1e-6);
}

static void
write_term(uint64_t idx, uint64_t chunk_idx, uint8_t term, uint8_t times)
{
	const struct catalogue *catalogue = &rig.run.catalogue;

	ASSERT_EQ(table_reserve(&catalogue->terms,
				(idx + 1) * sizeof(struct term_record)),
		  0);
	*catalogue_term(catalogue, idx) = term_record(chunk_idx, term, times);
}

/* Looks for names of which chunks 0, 4 and 10, the last one of a test, declare
 * the first. */
static void
find_declared(const char *text, const uint8_t how[3])
{
	static const uint64_t chunks[3] = { 0, 4, 10 };
	uint64_t nr = 0;

	anchors_read(&anchors, (const uint8_t *)text, strlen(text));
	for (uint32_t i = 0; i < anchors.name_nr; i++)
		anchors.names[i].term = 1;
	make_tree();
	for (size_t i = 0; i < 3; i++)
		if (how[i] != LANG_DECLARES_NOT)
			write_term(nr++, chunks[i], QUERY_DECLARED, how[i]);
	write_term(nr, CHUNK_NONE, 0, 0);
	planner_open();
	look_up();
}

static void
test_select_anchors_find_what_is_only_declared(void **state)
{
	find_declared("MAX_LEN", (const uint8_t[]){ LANG_DECLARES_INNER,
						    LANG_DECLARES_OUTER,
						    LANG_DECLARES_OUTER });
	/* a member of its file rather than a variable; in code, not in tests */
	assert_float_equal(chunk(0, 0), 0, 1e-6);
	assert_float_equal(chunk(1, 1), 1, 1e-6);
	assert_float_equal(chunk(3, 1), 0, 1e-6);
}

static void
test_select_anchors_find_variables_if_nothing_else_is_asked_for(void **state)
{
	static const uint8_t how[] = { LANG_DECLARES_INNER, LANG_DECLARES_NOT,
				       LANG_DECLARES_NOT };

	find_declared("maxLen", how);
	assert_float_equal(chunk(0, 0), 0.5, 1e-6);
}

/* Of a task a constant counts half. */
static void
test_select_anchors_find_constants_of_a_task(void **state)
{
	static const uint8_t how[] = { LANG_DECLARES_OUTER, LANG_DECLARES_NOT,
				       LANG_DECLARES_OUTER };

	find_declared("maxLen is too small here", how);
	assert_float_equal(chunk(0, 0), 0.5, 1e-6);
	assert_float_equal(chunk(3, 1), 0, 1e-6);
}

static void
test_select_anchors_find_no_variables_of_a_task(void **state)
{
	static const uint8_t how[] = { LANG_DECLARES_INNER, LANG_DECLARES_NOT,
				       LANG_DECLARES_NOT };

	find_declared("maxLen is too small here", how);
	assert_float_equal(chunk(0, 0), 0, 1e-6);
}

/* A name in another style, or a part of one, if none is there as it is. */
static void
test_select_anchors_find_names_that_are_near(void **state)
{
	find("runIt");
	assert_float_equal(chunk(0, 1), 1, 1e-6);
	assert_float_equal(chunk(3, 0), 0, 1e-6);
	ASSERT_TRUE(found.is_all);
}

static void
test_select_anchors_find_no_names_by_a_few_letters(void **state)
{
	find("pars");
	ASSERT_TRUE(!found.is_all);
}

static void
test_select_anchors_find_names_with_typing_errors(void **state)
{
	find("Praser");
	/* both are as near: by the root of two */
	assert_float_equal(chunk(0, 2), 0.565685, 1e-5);
	assert_float_equal(chunk(1, 2), 0.565685, 1e-5);
	ASSERT_TRUE(found.is_all);
}

static void
test_select_anchors_find_names_by_their_words(void **state)
{
	find("test it");
	assert_float_equal(chunk(3, 1), 1, 1e-6);
	ASSERT_TRUE(found.is_all);
}

static void
test_select_anchors_of_names_come_before_those_that_are_near(void **state)
{
	find("Parser");
	ASSERT_TRUE(found.is_all);
	assert_float_equal(chunk(0, 2), 1, 1e-6);
	assert_float_equal(chunk(1, 2), 0, 1e-6);
}

/* Chunks that use a name, not that which defines it, unless it has it once more;
 * those of tests half. */
static void
test_select_anchors_find_uses(void **state)
{
	static const uint64_t chunks[] = { 0, 1, 5, 10 };
	static const uint8_t times[] = { 1, 1, 7, 1 };

	anchors_read(&anchors, (const uint8_t *)"callers of run_it", 17);
	ASSERT_TRUE(anchors.asks_uses);
	for (uint32_t i = 0; i < anchors.name_nr; i++)
		anchors.names[i].term = 1;
	make_tree();
	for (size_t i = 0; i < ARRAY_LEN(chunks); i++)
		write_term(i, chunks[i],
			   (uint8_t)(QUERY_DECLARED +
				     anchors_find(&anchors,
						  (const uint8_t *)"run_it", 6,
						  0)),
			   times[i]);
	write_term(ARRAY_LEN(chunks), CHUNK_NONE, 0, 0);
	planner_open();
	look_up();
	assert_float_equal(chunk(0, 0), 1, 1e-6);
	assert_float_equal(chunk(0, 1), 0, 1e-6);
	assert_float_equal(chunk(1, 2), 1, 1e-6);
	assert_float_equal(chunk(3, 1), 0.5, 1e-6);
	ASSERT_TRUE(found.is_all);
	/* or the other way round */
	anchors.asks_tests = true;
	look_up();
	assert_float_equal(chunk(1, 2), 0.5, 1e-6);
	assert_float_equal(chunk(3, 1), 1, 1e-6);
}

static void
test_select_anchors_of_what_nobody_uses_are_the_definition(void **state)
{
	find("callers of run_it");
	assert_float_equal(chunk(0, 1), 1, 1e-6);
}

/* A file that is called so, whatever is called so in it. */
static void
test_select_anchors_find_files_by_their_words(void **state)
{
	find("Two.py");
	assert_float_equal(select_anchors_file(&found, 1), 1, 1e-6);
	assert_float_equal(select_anchors_file(&found, 0), 0, 1e-6);
	ASSERT_TRUE(found.is_all);
}

static void
test_select_anchors_find_files_of_tests_last(void **state)
{
	find("thre.py");
	assert_float_equal(select_anchors_file(&found, 3), 0.8, 1e-6);
}

/* A string that a query without blanks is counts like a definition, wherever it
 * is; one of a task half, in code. */
static void
test_select_anchors_find_strings(void **state)
{
	static const uint8_t how[] = { LANG_DECLARES_QUOTED, LANG_DECLARES_NOT,
				       LANG_DECLARES_QUOTED };

	find_declared("max-len", how);
	assert_float_equal(chunk(0, 0), 1, 1e-6);
	assert_float_equal(chunk(3, 1), 0, 1e-6);
	ASSERT_TRUE(found.is_all);
}

static void
test_select_anchors_find_strings_of_tests_last(void **state)
{
	static const uint8_t how[] = { LANG_DECLARES_NOT, LANG_DECLARES_NOT,
				       LANG_DECLARES_QUOTED };

	find_declared("max-len", how);
	assert_float_equal(chunk(3, 1), 1, 1e-6);
	ASSERT_TRUE(found.is_all);
}

static void
test_select_anchors_find_options_of_a_task(void **state)
{
	static const uint8_t how[] = { LANG_DECLARES_QUOTED, LANG_DECLARES_NOT,
				       LANG_DECLARES_QUOTED };

	find_declared("--max-len has no effect", how);
	assert_float_equal(chunk(0, 0), 0.5, 1e-6);
	assert_float_equal(chunk(3, 1), 0, 1e-6);
	ASSERT_TRUE(!found.is_all);
}

static void
test_select_anchors_find_no_other_strings_of_a_task(void **state)
{
	static const uint8_t how[] = { LANG_DECLARES_QUOTED, LANG_DECLARES_NOT,
				       LANG_DECLARES_NOT };

	find_declared("maxLen is too small here", how);
	assert_float_equal(chunk(0, 0), 0, 1e-6);
}

/* The longest phrase that code has counts, by its words and by where it is. */
static void
test_select_anchors_find_the_longest_phrase(void **state)
{
	static const uint64_t chunks[] = { 0, 1, 4, 5, 8, 10 };
	static const uint8_t words[] = { 4, 5, 5, 5, 5, 9 };
	static struct query query;

	query_init(&query, (const uint8_t *)"it fails", 8);
	query.phrases.nr = 1;
	query.phrases.word_nr = 11;
	rig.run.job.query = &query;
	make_tree();
	for (uint64_t i = 0; i < ARRAY_LEN(chunks); i++)
		write_term(i, chunks[i], PHRASE_TERM, words[i]);
	write_term(ARRAY_LEN(chunks), CHUNK_NONE, 0, 0);
	planner_open();
	look_up();
	assert_float_equal(chunk(0, 0), 0, 1e-6);
	ASSERT_TRUE(!found.is_all);
	/* four of them share it, by the root */
	assert_float_equal(chunk(0, 1), 0.3, 1e-6);
	assert_float_equal(chunk(2, 2), 0.3, 1e-6);
	assert_float_equal(chunk(3, 1), 0, 1e-6);
	/* who asks for little more than a phrase asks for what prints it */
	query.phrases.word_nr = 10;
	look_up();
	ASSERT_TRUE(found.is_all);
	rig.run.job.query = NULL;
}

static void
test_select_anchors_find_declarations_of_tests_last(void **state)
{
	static const uint8_t how[] = { LANG_DECLARES_NOT, LANG_DECLARES_NOT,
				       LANG_DECLARES_OUTER };

	find_declared("MAX_LEN", how);
	assert_float_equal(chunk(3, 1), 1, 1e-6);
}

static void
test_select_anchors_of_definitions_come_before_declarations(void **state)
{
	find_declared("Parser", (const uint8_t[]){ LANG_DECLARES_OUTER,
						   LANG_DECLARES_OUTER,
						   LANG_DECLARES_OUTER });
	assert_float_equal(chunk(0, 0), 0, 1e-6);
	assert_float_equal(chunk(0, 2), 1, 1e-6);
}

/* Where nothing else is asked for, those of tests, if there are no others. */
static void
test_select_anchors_of_nothing_but_a_name_are_anywhere(void **state)
{
	find("test_it");
	assert_float_equal(chunk(3, 1), 1, 1e-6);
	assert_float_equal(chunk(3, 0), 0, 1e-6);
}

static void
test_select_anchors_of_code_come_before_those_of_tests(void **state)
{
	find("run_it test_it");
	assert_float_equal(chunk(0, 1), 1, 1e-6);
	assert_float_equal(chunk(3, 0), 0, 1e-6);
	assert_float_equal(chunk(3, 1), 1, 1e-6);
}

static void
test_select_anchors_of_a_class_alone_are_the_class(void **state)
{
	find("Parser");
	assert_float_equal(chunk(0, 2), 1, 1e-6);
}

static void
test_select_anchors_of_a_method_alone_are_the_method(void **state)
{
	find("Lexer.next");
	assert_float_equal(chunk(1, 0), 0.5, 1e-6);
	assert_float_equal(chunk(1, 1), 0.9, 1e-6);
}

/* "f in C" and "f in a/b.c" are the member; what is none is as if not said. */
static void
test_select_anchors_find_members(void **state)
{
	static const struct {
		const char *text;
		double class; /* Lexer, in the second file */
		double second;
		double third; /* the other next() */
		bool is_all;
	} rows[] = {
		{ "next in Lexer", 0.5, 0.9, 0.5, true },
		{ "the method next of the class Lexer", 0.5, 0.9, 0.5, true },
		{ "next in a/two.py", 0, 1, 0.5, true },
		{ "next in b/one.py", 0, 0.5, 1, true },
	};

	make_tree();
	planner_open();
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		find_here(rows[i].text);
		assert_float_equal(chunk(1, 0), rows[i].class, 1e-6);
		assert_float_equal(chunk(1, 1), rows[i].second, 1e-6);
		assert_float_equal(chunk(2, 0), rows[i].third, 1e-6);
		ASSERT_EQ(found.is_all, rows[i].is_all);
	}
	find_here("race in Lexer");
	assert_float_equal(chunk(1, 0), 0.5, 1e-6);
	ASSERT_TRUE(!found.is_all);
}

/* A member may come behind another class, which ended before it. */
static void
test_select_anchors_find_members_behind_another_class(void **state)
{
	make_tree();
	define(1, 25, LANG_KIND_CLASS, "Inner");
	define(1, 27, LANG_KIND_METHOD, "peek");
	planner_open();
	for (int is_all = 0; is_all < 2; is_all++) {
		float want = is_all ? 0.8f : 0.7f;
		const char *text =
			is_all ? "Lexer.peek" : "it fails\nLexer.peek";

		find_here(text);
		assert_float_equal(chunk(1, 2), want, 1e-6);
	}
}

/* The only name of a short line is looked for in tests as well, if no code has it. */
static void
test_select_anchors_find_the_only_name(void **state)
{
	find("how does test_it work");
	assert_float_equal(chunk(3, 1), 1, 1e-6);
	ASSERT_TRUE(found.is_all);
}

static void
test_select_anchors_find_the_only_name_in_code_first(void **state)
{
	find("how does run_it work");
	assert_float_equal(chunk(0, 1), 1, 1e-6);
	assert_float_equal(chunk(3, 0), 0, 1e-6);
	ASSERT_TRUE(!found.is_all);
}

/* A directory, if nothing else is called so, or it is asked for. */
static void
test_select_anchors_find_directories(void **state)
{
	static const struct {
		const char *text;
		double file; /* b/one.py */
		bool is_all;
	} rows[] = {
		{ "b", 1, true },
		{ "b/", 1, true },
		{ "the b directory", 1, true },
		{ "Lexer", 0, true },
		{ "the folder none", 0, false },
	};

	make_tree();
	planner_open();
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		find_here(rows[i].text);
		assert_float_equal(select_anchors_file(&found, 2), rows[i].file,
				   1e-6);
		ASSERT_EQ(found.is_all, rows[i].is_all);
	}
}

/* So are fields, of which the survey keeps no names: those below their class. */
static void
test_select_anchors_find_fields(void **state)
{
	static const uint64_t chunks[] = { 2, 4 };

	anchors_read(&anchors, (const uint8_t *)"Lexer.at_byte", 13);
	for (uint32_t i = 0; i < anchors.name_nr; i++)
		anchors.names[i].term = 1;
	make_tree();
	for (size_t i = 0; i < ARRAY_LEN(chunks); i++)
		write_term(i, chunks[i],
			   (uint8_t)(QUERY_DECLARED +
				     anchors_find(&anchors,
						  (const uint8_t *)"at_byte", 7,
						  0)),
			   LANG_DECLARES_OUTER);
	/* given to the object once more */
	write_term(ARRAY_LEN(chunks), 5,
		   (uint8_t)(QUERY_DECLARED +
			     anchors_find(&anchors, (const uint8_t *)"at_byte",
					  7, 0)),
		   LANG_DECLARES_ATTRIBUTE);
	write_term(ARRAY_LEN(chunks) + 1, CHUNK_NONE, 0, 0);
	planner_open();
	look_up();
	assert_float_equal(chunk(1, 1), 0.9, 1e-6);
	assert_float_equal(chunk(1, 2), 0.8, 1e-6);
	assert_float_equal(chunk(1, 0), 0.5, 1e-6);
	/* others by their name alone */
	assert_float_equal(chunk(0, 2), 0.5, 1e-6);
}

/* A query of code is found where it stands, in tests as well. */
static void
test_select_anchors_find_code(void **state)
{
	static struct query query;
	static const char text[] = "x = next(a);\ny = next(b);";

	query_init(&query, (const uint8_t *)text, strlen(text));
	phrase_init(&query, (const uint8_t *)text, strlen(text));
	ASSERT_EQ(query.phrases.line_nr, 2);
	rig.run.job.query = &query;
	make_tree();
	write_term(0, 1, PHRASE_TERM, 5);
	write_term(1, 9, PHRASE_TERM, PHRASE_LINES + 1);
	write_term(2, 10, PHRASE_TERM, PHRASE_LINES + 2);
	write_term(3, CHUNK_NONE, 0, 0);
	planner_open();
	look_up();
	assert_float_equal(chunk(0, 1), 0, 1e-6);
	assert_float_equal(chunk(3, 0), 0, 1e-6);
	assert_float_equal(chunk(3, 1), 1, 1e-6);
	ASSERT_TRUE(found.is_all);
	rig.run.job.query = NULL;
}

/* Types that are derived from a name; its uses and its definition are none. */
static void
test_select_anchors_find_heirs(void **state)
{
	anchors_read(&anchors, (const uint8_t *)"subclasses of Parser", 20);
	ASSERT_TRUE(anchors.asks_heirs);
	for (uint32_t i = 0; i < anchors.name_nr; i++)
		anchors.names[i].term = 1;
	make_tree();
	write_term(0, 2,
		   (uint8_t)(QUERY_DECLARED +
			     anchors_find(&anchors, (const uint8_t *)"Parser",
					  6, 0)),
		   1);
	write_term(1, CHUNK_NONE, 0, 0);
	planner_open();
	look_up();
	/* in the chunk of the definition, another one is derived from it */
	assert_float_equal(chunk(0, 2), 1, 1e-6);
	ASSERT_EQ(found.nr, 1);
}

/* A path alone asks for the file, and for no name like it. */
static void
test_select_anchors_of_a_path_alone_are_the_file(void **state)
{
	static const struct {
		const char *text;
		double want[4];
	} rows[] = {
		{ "two.py", { 0, 1, 0, 0 } },
		{ "one.py", { 0.5, 0, 0.5, 0 } },
		{ "a/one.py", { 1, 0, 0, 0 } },
		{ "three.py", { 0, 0, 0, 1 } },
	};

	make_tree();
	define(2, 13, LANG_KIND_FUNCTION, "two");
	planner_open();
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		find_here(rows[i].text);
		for (uint32_t k = 0; k < 4; k++)
			assert_float_equal(select_anchors_file(&found, k),
					   rows[i].want[k], 1e-6);
		assert_float_equal(chunk(2, 1), 0, 1e-6);
	}
}

/* A class brings its constructor, and its file. */
static void
test_select_anchors_of_a_class_have_its_constructor(void **state)
{
	find("Parser fails\nwith `Parser`");
	assert_float_equal(select_anchors_file(&found, 0), 0.6, 1e-6);
	assert_float_equal(chunk(0, 2), 0.7, 1e-6);
	assert_float_equal(chunk(0, 1), 0, 1e-6);
}

static void
test_select_anchors_of_a_class_have_its_methods(void **state)
{
	find("it fails\nin Lexer.next");
	assert_float_equal(chunk(1, 1), 0.9, 1e-6);
	assert_float_equal(chunk(2, 0), 0.7, 1e-6);
}

/* A frame: its file, its line, and what stands beside it. */
static void
test_select_anchors_of_frames_are_of_their_file(void **state)
{
	anchors_add_frame(&anchors, "/srv/a/two.py", 13, 25);
	anchors_add_frame(&anchors, "/srv/b/one.py", 13, 25);
	find("it fails\n"
	     "  File \"/srv/a/two.py\", line 25, in next\n"
	     "  File \"/srv/b/one.py\", line 25, in next\n");
	assert_float_equal(select_anchors_file(&found, 1), 0.72, 1e-6);
	ASSERT_TRUE(select_anchors_has(&found, 1));
	ASSERT_TRUE(!select_anchors_has(&found, 0));
	assert_float_equal(select_anchors_file(&found, 2), 0.8, 1e-6);
	assert_float_equal(select_anchors_file(&found, 0), 0, 1e-6);
	assert_float_equal(chunk(2, 2), 0.6, 1e-6);
	assert_float_equal(chunk(2, 0), 1, 1e-6);
	assert_float_equal(chunk(1, 1), 0.9, 1e-6);
}

/* One of two files of a name is no place. */
static void
test_select_anchors_of_paths_share_them(void **state)
{
	find("it fails\nin one.py and in a.two");
	assert_float_equal(select_anchors_file(&found, 0), 0.25, 1e-6);
	assert_float_equal(select_anchors_file(&found, 2), 0.25, 1e-6);
	assert_float_equal(select_anchors_file(&found, 1), 0.5, 1e-6);
}

/* The method that ran says more than its class, which its file is called by. */
static void
test_select_anchors_of_a_frame_are_less_of_the_class(void **state)
{
	anchors_add_frame(&anchors, "/srv/a/two.py", 13, 25);
	find("it fails\n   at Org.A.Lexer.next() in /srv/a/two.py:line 25");
	assert_float_equal(chunk(1, 1), 1, 1e-6);
	assert_float_equal(chunk(1, 0), 0.5, 1e-6);
	assert_float_equal(chunk(1, 2), 0.6, 1e-6);
}

#define TEST(name) \
	cmocka_unit_test_setup_teardown(name, setup_anchors, teardown_plan)

int
main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_select_anchors_find_what_is_only_declared),
		TEST(test_select_anchors_find_variables_if_nothing_else_is_asked_for),
		TEST(test_select_anchors_find_constants_of_a_task),
		TEST(test_select_anchors_find_no_variables_of_a_task),
		TEST(test_select_anchors_find_names_that_are_near),
		TEST(test_select_anchors_find_no_names_by_a_few_letters),
		TEST(test_select_anchors_find_names_with_typing_errors),
		TEST(test_select_anchors_find_names_by_their_words),
		TEST(test_select_anchors_of_names_come_before_those_that_are_near),
		TEST(test_select_anchors_find_files_by_their_words),
		TEST(test_select_anchors_find_files_of_tests_last),
		TEST(test_select_anchors_find_uses),
		TEST(test_select_anchors_of_what_nobody_uses_are_the_definition),
		TEST(test_select_anchors_find_strings),
		TEST(test_select_anchors_find_strings_of_tests_last),
		TEST(test_select_anchors_find_options_of_a_task),
		TEST(test_select_anchors_find_no_other_strings_of_a_task),
		TEST(test_select_anchors_find_the_longest_phrase),
		TEST(test_select_anchors_find_declarations_of_tests_last),
		TEST(test_select_anchors_of_definitions_come_before_declarations),
		TEST(test_select_anchors_of_nothing_but_a_name_are_anywhere),
		TEST(test_select_anchors_of_code_come_before_those_of_tests),
		TEST(test_select_anchors_of_a_path_alone_are_the_file),
		TEST(test_select_anchors_of_a_class_alone_are_the_class),
		TEST(test_select_anchors_of_a_method_alone_are_the_method),
		TEST(test_select_anchors_find_members),
		TEST(test_select_anchors_find_members_behind_another_class),
		TEST(test_select_anchors_find_the_only_name),
		TEST(test_select_anchors_find_the_only_name_in_code_first),
		TEST(test_select_anchors_find_directories),
		TEST(test_select_anchors_find_fields),
		TEST(test_select_anchors_find_code),
		TEST(test_select_anchors_find_heirs),
		TEST(test_select_anchors_find_definitions_but_of_tests),
		TEST(test_select_anchors_of_a_class_have_its_constructor),
		TEST(test_select_anchors_of_a_class_have_its_methods),
		TEST(test_select_anchors_of_frames_are_of_their_file),
		TEST(test_select_anchors_of_a_frame_are_less_of_the_class),
		TEST(test_select_anchors_of_paths_share_them),
	};

	return cmocka_run_group_tests_name("select/anchors", tests, NULL, NULL);
}
