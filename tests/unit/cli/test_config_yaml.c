/* SPDX-License-Identifier: MIT */
/*
 * A configuration that a child has parsed: the same as one parsed here, and
 * nothing that the child could leave does harm.
 */
#include "cli/config_yaml.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "supervisor/sandbox.h"

static const char *const texts[] = {
	"",
	"# nothing\n",
	"a: 1\n",
	"context:\n  budget:\n    total: 128k\n  exclude: [a, 'b c', \"\\n\"]\n",
	"a: {b: {c: {d: ~}}}\nlist:\n- 1\n-\n- x: y\n",
	"a: 1\na: 2\n",  /* twice */
	"a: &x 1\n",     /* an anchor */
	"a: [1, 2\n",    /* no YAML */
	"\xff\xfe: 1\n", /* no UTF-8 */
	"- a\n- b\n",    /* no mapping */
	"a: 1\n---\nb: 2\n",
};

static const char *
or_none(const char *text)
{
	return text == NULL ? "(none)" : text;
}

static void
expect_same(const struct config_entries *got, const struct config_entries *want)
{
	assert_int_equal(got->nr, want->nr);
	for (size_t i = 0; i < want->nr; i++) {
		const struct config_entry *a = &got->items[i];
		const struct config_entry *b = &want->items[i];

		assert_string_equal(config_entry_path(got, i),
				    config_entry_path(want, i));
		assert_string_equal(or_none(config_entry_value(got, i)),
				    or_none(config_entry_value(want, i)));
		assert_int_equal(a->kind, b->kind);
		assert_int_equal(a->depth, b->depth);
		assert_int_equal(a->parent, b->parent);
		assert_int_equal(a->place.line, b->place.line);
		assert_int_equal(a->place.column, b->place.column);
	}
}

static void
expect_same_of(const char *text, size_t bytes)
{
	struct config_entries *want = config_entries_new();
	struct config_entries *got = config_entries_new();
	struct sandbox sandbox;
	int error;

	assert_true(want != NULL && got != NULL);
	error = config_yaml_read(text, bytes, want);
	sandbox_probe(&sandbox);
	assert_int_equal(
		config_yaml_read_apart(sandbox.layers, text, bytes, got),
		error);
	if (error == 0)
		expect_same(got, want);
	assert_string_equal(got->fault.text, want->fault.text);
	assert_int_equal(got->fault.place.line, want->fault.place.line);
	config_entries_free(want);
	config_entries_free(got);
}

static void
test_config_yaml_apart_is_what_it_would_be_here(void **state)
{
	for (size_t i = 0; i < ARRAY_LEN(texts); i++)
		expect_same_of(texts[i], strlen(texts[i]));
}

/* As large as a file may be, and one byte more. */
static void
test_config_yaml_apart_of_any_size_is_what_it_would_be_here(void **state)
{
	char *text = malloc(CONFIG_BYTES_MAX + 64);
	size_t nr = 0;

	assert_non_null(text);
	nr += (size_t)sprintf(text, "a:\n");
	for (int i = 0; i < CONFIG_ENTRIES_MAX - 2; i++)
		nr += (size_t)sprintf(text + nr, "  k%d: %045d\n", i, i);
	assert_true(nr <= CONFIG_BYTES_MAX);
	expect_same_of(text, nr);
	memset(text + nr, '\n', CONFIG_BYTES_MAX + 1 - nr);
	expect_same_of(text, CONFIG_BYTES_MAX);
	expect_same_of(text, CONFIG_BYTES_MAX + 1);
	free(text);
}

/* Paths repeat the keys above them: more than there is room for. */
static void
test_config_yaml_apart_with_paths_beyond_all_bounds_is_refused(void **state)
{
	char *text = malloc(CONFIG_BYTES_MAX);
	struct config_entries *got = config_entries_new();
	struct sandbox sandbox;
	size_t nr = 0;

	assert_true(text != NULL && got != NULL);
	for (int i = 0; i < 7; i++)
		nr += (size_t)sprintf(text + nr, "%*s%060d:\n", i, "", i);
	for (int i = 0; i < 3900; i++)
		nr += (size_t)sprintf(text + nr, "%*sk%d: 1\n", 8, "", i);
	sandbox_probe(&sandbox);
	assert_int_equal(config_yaml_read_apart(sandbox.layers, text, nr, got),
			 -EBADMSG);
	assert_non_null(strstr(got->fault.text, "too long, or too deep"));
	config_entries_free(got);
	free(text);
}

/* Whatever lies in the memory, it is entries within their bounds or refused. */
static void
test_config_entries_of_any_bytes_are_valid_or_refused(void **state)
{
	struct config_entries *entries = config_entries_new();
	unsigned valid = 0;

	assert_non_null(entries);
	srand(1);
	for (int round = 0; round < 4000; round++) {
		uint8_t *bytes = (uint8_t *)entries;

		if (round % 8 == 0) {
			const char *text = texts[3 + round / 8 % 2];

			assert_int_equal(
				config_yaml_read(text, strlen(text), entries),
				0);
			assert_true(config_entries_valid(entries));
		}
		/* the head, and the first entries */
		for (int i = 0; i < 3; i++)
			bytes[(size_t)rand() % 700] = (uint8_t)rand();
		if (!config_entries_valid(entries))
			continue;
		valid++;
		for (size_t i = 0; i < entries->nr; i++) {
			const struct config_entry *it = &entries->items[i];

			assert_true(strlen(config_entry_path(entries, i)) <
				    CONFIG_PATH_BYTES);
			assert_true(it->kind <= CONFIG_LIST);
			assert_true(it->parent < entries->nr);
			assert_true(it->depth <= CONFIG_DEPTH_MAX);
		}
	}
	assert_true(valid > 0 && valid < 4000);
	config_entries_free(entries);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
			test_config_yaml_apart_is_what_it_would_be_here),
		cmocka_unit_test(
			test_config_yaml_apart_of_any_size_is_what_it_would_be_here),
		cmocka_unit_test(
			test_config_yaml_apart_with_paths_beyond_all_bounds_is_refused),
		cmocka_unit_test(
			test_config_entries_of_any_bytes_are_valid_or_refused),
	};

	return cmocka_run_group_tests_name("supervisor/config_apart", tests,
					   NULL, NULL);
}
