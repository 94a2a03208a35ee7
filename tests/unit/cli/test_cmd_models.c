/* SPDX-License-Identifier: MIT */
/*
 * test_cmd_models.c - the table of models, in both its forms.
 */
#include "tests/support/test_command.h"

#include "cli/command_line.h"
#include "tokenizer/models.h"

static const json_t *
model_called(const json_t *models, const char *name)
{
	for (size_t i = 0; i < json_array_size(models); i++) {
		const json_t *model = json_array_get(models, i);

		if (strcmp(json_string_value(json_object_get(model, "name")),
			   name) == 0)
			return model;
	}
	return NULL;
}

/* Of models that everybody can look up. */
static void
test_models_as_json_have_what_is_published(void **state)
{
	static const struct {
		const char *name;
		const char *encoding;
		json_int_t window;
		const char *tokenizer;
	} rows[] = {
		{ "gpt-4o", "o200k_base", 128000, "built-in" },
		{ "gpt-4", "cl100k_base", 8192, "built-in" },
		{ "claude", "cl100k_base", 200000, "closed" },
	};
	json_t *all;
	const json_t *models;
	size_t nr = 0;

	ASSERT_RUN(cmd_models, "models --json", NULL, EXIT_COMPLETE, "");
	all = command_json();
	ASSERT_EQ(json_integer_value(json_object_get(all, "version")), 1);
	models = json_object_get(all, "models");
	while (tokenizer_model_at(nr) != NULL)
		nr++;
	ASSERT_EQ(json_array_size(models), nr);
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		const json_t *model = model_called(models, rows[i].name);
		bool is_exact = strcmp(rows[i].tokenizer, "built-in") == 0;
		json_int_t margin = json_integer_value(
			json_object_get(model, "margin_percent"));

		if (model == NULL)
			fail_msg("there is no %s", rows[i].name);
		assert_string_equal(
			json_string_value(json_object_get(model, "encoding")),
			rows[i].encoding);
		ASSERT_EQ(json_integer_value(json_object_get(model, "window")),
			  rows[i].window);
		assert_string_equal(
			json_string_value(json_object_get(model, "tokenizer")),
			rows[i].tokenizer);
		ASSERT_EQ(json_is_true(json_object_get(model, "exact")),
			  is_exact);
		ASSERT_EQ(margin == 0, is_exact);
	}
	json_decref(all);
}

/* A heading, and a line for each. */
static void
test_models_have_a_line_each(void **state)
{
	size_t lines = 0;
	size_t nr = 0;

	ASSERT_RUN(cmd_models, "models", NULL, EXIT_COMPLETE, "");
	while (tokenizer_model_at(nr) != NULL)
		nr++;
	for (const char *at = command_out; (at = strchr(at, '\n')) != NULL;
	     at++)
		lines++;
	ASSERT_EQ(lines, nr + 1);
	ASSERT_TRUE(strstr(command_out, "damaged") == NULL);
	ASSERT_SAYS("MODEL                    ENCODING           WINDOW  "
		    "COUNT\n");
	ASSERT_SAYS("\ngpt-4o                   o200k_base         128000  "
		    "exact\n");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		COMMAND_TEST(models_as_json_have_what_is_published),
		COMMAND_TEST(models_have_a_line_each),
	};

	return cmocka_run_group_tests_name("cli/cmd_models", tests, NULL, NULL);
}
