/* SPDX-License-Identifier: MIT */
/*
 * test_source_rig.h - sources as options name them, and what they ask for.
 *
 *   "a.c 12-14 search; 1:b.c all open"     root 0 is not said; texts as "@name"
 */
#ifndef TESTS_SUPPORT_TEST_SOURCE_RIG_H
#define TESTS_SUPPORT_TEST_SOURCE_RIG_H

#include "tests/support/test_dir.h"

#include "sources/source_list.h"

static const char *const rig_here[] = { "." };
static struct source_options rig_options;
static struct source_scope rig_scope;
static struct source_list rig_list;

/* For cmocka: a directory of the test's own, and no options. */
static __attribute__((unused)) int
rig_set_up(void **state)
{
	static const struct source_scope scope = {
		.roots = rig_here,
		.root_nr = 1,
		.memory_bytes = 256ull << 20,
		.weights = { 500000, 300000, 200000 },
	};

	rig_options = (struct source_options){ .timeout_s = 5,
					       .overlap_threshold = 500000 };
	rig_scope = scope;
	return dir_set_up(state);
}

static __attribute__((unused)) int
rig_tear_down(void **state)
{
	source_list_fini(&rig_list);
	free(rig_options.opens.items);
	free(rig_options.searches.items);
	free(rig_options.tools.items);
	free(rig_options.references.items);
	free(rig_options.source_files.items);
	return dir_tear_down(state);
}

/* What was asked for, in the order in which it is kept. */
static __attribute__((unused)) const char *
rig_build(void)
{
	static char text[8192];
	const struct sources *sources = &rig_list.sources;
	size_t at = 0;

	source_list_fini(&rig_list);
	assert_int_equal(source_list_build(&rig_list, &rig_options, &rig_scope),
			 0);
	text[0] = '\0';
	for (uint32_t i = 0; i < sources->file_nr; i++) {
		const struct source_file *file = &sources->files[i];

		for (uint32_t k = 0; k < file->request_nr; k++) {
			const struct source_request *request =
				&sources->requests[file->request_first + k];
			char root[16] = "";

			if (file->root == SOURCE_ROOT_TEXT)
				strcpy(root, "@");
			else if (file->root > 0)
				snprintf(root, sizeof(root), "%u:", file->root);
			at += (size_t)snprintf(text + at, sizeof(text) - at,
					       "%s%s%s ", at > 0 ? "; " : "",
					       root, file->path);
			if (request->line_last == SOURCE_LINES_ALL)
				at += (size_t)snprintf(
					text + at, sizeof(text) - at, "all ");
			else
				at += (size_t)snprintf(
					text + at, sizeof(text) - at,
					"%llu-%llu%s ",
					(unsigned long long)request->line_first,
					(unsigned long long)request->line_last,
					request->is_exact ? "!" : "");
			at += (size_t)snprintf(
				text + at, sizeof(text) - at, "%s",
				category_type(request->category));
			ASSERT_TRUE(at < sizeof(text));
		}
	}
	return text;
}

#define ASSERT_BUILT(want) assert_string_equal(rig_build(), want)

#define CASE(name) \
	cmocka_unit_test_setup_teardown(name, rig_set_up, rig_tear_down)

#endif
