/* SPDX-License-Identifier: MIT */
/*
 * test_select_traits.c - what files are worth without a query, by the names of
 * a small tree.
 */
#include "tests/support/test_select_planner.h"

#include "stages/select/select_plan.h"

static const struct file_traits *
traits_of(uint32_t file_idx)
{
	return catalogue_traits(&rig.run.catalogue, file_idx);
}

static void
add_import(uint32_t file_idx, const char *text)
{
	add_name(file_idx, (struct name_entry){ .type = NAME_IMPORT }, text);
}

static void
define(uint32_t file_idx, const char *text)
{
	add_name(file_idx, (struct name_entry){ .line = 1, .type = NAME_DEF },
		 text);
}

/* a.c and b.c include h.h, b.c twice; nobody includes itself. */
static void
small_tree(void)
{
	static const char *const paths[] = { "a.c", "b.c", "h.h", "z.txt" };
	struct names *names;

	for (uint32_t i = 0; i < ARRAY_LEN(paths); i++) {
		add_file(paths[i], 0, REASON_NONE);
		add_chunk(10, i);
	}
	add_import(0, "h.h");
	add_import(1, "h.h");
	add_import(1, "./h.h");
	add_import(2, "h.h");
	add_import(1, "a.c");
	define(1, "other");
	define(1, "main");
	define(2, "mains");
	define(2, "mail");
	define(2, "Mail");
	define(2, "min");
	names = add_name(2,
			 (struct name_entry){ .line = 3, .type = NAME_MARKER },
			 "TODO");
	names->export_nr = 5;
	names->marker_nr = 1;
}

static void
test_select_traits_are_what_the_names_say(void **state)
{
	small_tree();
	planner_open();
	/* a replacement finds what one that died has left */
	for (int round = 0; round < 3; round++) {
		ASSERT_EQ(select_find_traits(planner), 0);
		ASSERT_EQ(traits_of(0)->importers, 1);
		ASSERT_EQ(traits_of(1)->importers, 0);
		ASSERT_EQ(traits_of(2)->importers, 2);
		ASSERT_EQ(traits_of(3)->importers, 0);
		ASSERT_EQ(traits_of(0)->kinds & RANK_KIND_ENTRY, 0);
		ASSERT_EQ(traits_of(1)->kinds & RANK_KIND_ENTRY, RANK_KIND_ENTRY);
		ASSERT_EQ(traits_of(2)->kinds & RANK_KIND_ENTRY, 0);
		ASSERT_EQ(traits_of(2)->exports, 5);
		ASSERT_EQ(traits_of(2)->markers, 1);
		ASSERT_EQ(traits_of(1)->exports, 0);
		ASSERT_EQ(traits_of(2)->is_pinned, 0);
		ASSERT_EQ(traits_of(2)->is_boosted, 0);
	}
}

/* With a query nobody looks at importers, unless the factors are wanted. */
static void
test_select_traits_count_importers_where_they_count(void **state)
{
	static struct query query;

	query_init(&query, (const uint8_t *)"word", 4);
	rig.run.job.query = &query;
	small_tree();
	planner_open();
	ASSERT_EQ(select_find_traits(planner), 0);
	ASSERT_EQ(traits_of(2)->importers, 0);
	ASSERT_EQ(traits_of(2)->exports, 5);
	ASSERT_EQ(traits_of(1)->kinds & RANK_KIND_ENTRY, RANK_KIND_ENTRY);
	rig.run.job.wants_scores = true;
	ASSERT_EQ(select_find_traits(planner), 0);
	ASSERT_EQ(traits_of(2)->importers, 2);
}

/* Only <...> looks nowhere beside the file; Main is an entry point, too. */
static void
test_select_traits_know_angles_and_capitals(void **state)
{
	add_file("x/a.c", 0, REASON_NONE);
	add_chunk(10, 1);
	add_file("x/stdio.h", 0, REASON_NONE);
	add_chunk(10, 2);
	add_file("x/y.h", 0, REASON_NONE);
	add_chunk(10, 3);
	add_name(0,
		 (struct name_entry){ .type = NAME_IMPORT,
				      .flags = NAME_ANGLED },
		 "stdio.h");
	add_name(0,
		 (struct name_entry){ .type = NAME_IMPORT,
				      .flags = NAME_ANGLED },
		 "y.h");
	define(2, "Main");
	planner_open();
	ASSERT_EQ(select_find_traits(planner), 0);
	ASSERT_EQ(traits_of(1)->importers, 0);
	ASSERT_EQ(traits_of(2)->importers, 1);
	ASSERT_EQ(traits_of(2)->kinds & RANK_KIND_ENTRY, RANK_KIND_ENTRY);
	/* a header of that name beside the file is meant by "..." */
	add_import(0, "stdio.h");
	ASSERT_EQ(select_find_traits(planner), 0);
	ASSERT_EQ(traits_of(1)->importers, 1);
}

/* Packages, classes in the package that was named last, modules. */
static void
test_select_traits_know_packages_and_classes(void **state)
{
	const struct name_entry package = { .type = NAME_PACKAGE };
	const struct name_entry class = { .type = NAME_DEF };
	const struct name_entry member = { .type = NAME_DEF,
					   .flags = NAME_MEMBER };

	add_file("a.php", 0, REASON_NONE);
	add_chunk(10, 1);
	add_file("b.php", 0, REASON_NONE);
	add_chunk(10, 2);
	add_file("c.php", 0, REASON_NONE);
	add_chunk(10, 3);
	add_file("d.cs", 0, REASON_NONE);
	add_chunk(10, 4);
	add_file("e.cs", 0, REASON_NONE);
	add_chunk(10, 5);
	/* before a package is named, a class is of none */
	add_name(0, class, "Outside");
	add_name(0, package, "Lib\\Old");
	add_name(0, package, "Lib")->package_nr = 2;
	add_name(0, class, "Thing");
	add_name(0, member, "method");
	add_import(1, "Lib\\Thing");
	add_import(2, "Lib\\method");
	add_import(2, "Lib\\Outside");
	add_import(2, "Lib\\Old\\Thing");
	add_name(3, package, "Space")->package_nr = 1;
	add_import(4, "Space");
	planner_open();
	ASSERT_EQ(select_find_traits(planner), 0);
	ASSERT_EQ(traits_of(0)->importers, 1);
	ASSERT_EQ(traits_of(1)->importers, 0);
	ASSERT_EQ(traits_of(3)->importers, 1);
	ASSERT_EQ(traits_of(4)->importers, 0);
}

/* What the user says of files; a text of a source is none of them. */
static void
test_select_traits_say_what_is_pinned_and_boosted(void **state)
{
	static const char *const globs[] = { "h.*" };

	small_tree();
	rig.run.job.pins = globs;
	rig.run.job.pin_nr = 1;
	planner_open();
	ASSERT_EQ(select_find_traits(planner), 0);
	ASSERT_EQ(traits_of(2)->is_pinned, 1);
	ASSERT_EQ(traits_of(2)->is_boosted, 0);
	ASSERT_EQ(traits_of(1)->is_pinned, 0);
	rig.run.job.pin_nr = 0;
	rig.run.job.boosts = globs;
	rig.run.job.boost_nr = 1;
	ASSERT_EQ(select_find_traits(planner), 0);
	ASSERT_EQ(traits_of(2)->is_pinned, 0);
	ASSERT_EQ(traits_of(2)->is_boosted, 1);
	ASSERT_EQ(traits_of(0)->is_boosted, 0);
	catalogue_file(&rig.run.catalogue, 2)->root_idx = SOURCE_ROOT_TEXT;
	ASSERT_EQ(select_find_traits(planner), 0);
	ASSERT_EQ(traits_of(2)->is_boosted, 0);
	/* below its root, that is */
	catalogue_file(&rig.run.catalogue, 2)->root_idx = 0;
	catalogue_file(&rig.run.catalogue, 2)->root_bytes = 1;
	ASSERT_EQ(select_find_traits(planner), 0);
	ASSERT_EQ(traits_of(2)->is_boosted, 0);
}

static int
refuse(const struct table *table, uint64_t bytes)
{
	(void)table;
	(void)bytes;
	return -ENOSPC;
}

static void
test_select_traits_need_room(void **state)
{
	small_tree();
	planner_open();
	planner->reserve = refuse;
	ASSERT_EQ(select_find_traits(planner), -ENOSPC);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		PLAN_CASE(test_select_traits_are_what_the_names_say),
		PLAN_CASE(test_select_traits_count_importers_where_they_count),
		PLAN_CASE(test_select_traits_know_angles_and_capitals),
		PLAN_CASE(test_select_traits_know_packages_and_classes),
		PLAN_CASE(test_select_traits_say_what_is_pinned_and_boosted),
		PLAN_CASE(test_select_traits_need_room),
	};

	return cmocka_run_group_tests_name("select/traits", tests, NULL, NULL);
}
