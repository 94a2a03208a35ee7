/* SPDX-License-Identifier: MIT */
/*
 * A window as JSON: saved, restored, checked against its schema, refused if
 * it is none.
 */
#include "tests/support/test_window.h"

#include <jansson.h>

#define SCHEMA "docs/window.schema.json"

/* ------------------------------------------------- a small JSON Schema -- */

static bool
has_type(const json_t *value, const char *type)
{
	if (strcmp(type, "object") == 0)
		return json_is_object(value);
	if (strcmp(type, "array") == 0)
		return json_is_array(value);
	if (strcmp(type, "string") == 0)
		return json_is_string(value);
	if (strcmp(type, "boolean") == 0)
		return json_is_boolean(value);
	if (strcmp(type, "integer") == 0)
		return json_is_integer(value);
	if (strcmp(type, "number") == 0)
		return json_is_number(value);
	if (strcmp(type, "null") == 0)
		return json_is_null(value);
	fail_msg("the schema has an unknown type %s", type);
	return false;
}

static bool
fits_type(const json_t *type, const json_t *value)
{
	if (json_is_string(type))
		return has_type(value, json_string_value(type));
	for (size_t i = 0; i < json_array_size(type); i++)
		if (has_type(value, json_string_value(json_array_get(type, i))))
			return true;
	return type == NULL;
}

static bool
fits_enum(const json_t *list, const json_t *value)
{
	for (size_t i = 0; i < json_array_size(list); i++)
		if (json_equal(json_array_get(list, i), value))
			return true;
	return list == NULL;
}

static bool
fits_bounds(const json_t *schema, const json_t *value)
{
	const json_t *least = json_object_get(schema, "minimum");
	const json_t *most = json_object_get(schema, "maximum");
	const json_t *above = json_object_get(schema, "exclusiveMinimum");
	const json_t *short_of = json_object_get(schema, "minLength");
	const json_t *long_of = json_object_get(schema, "maxLength");
	const json_t *items = json_object_get(schema, "maxItems");
	double number = json_number_value(value);

	/* bounds are of the type they are about, and of no other */
	if (!json_is_string(value))
		short_of = long_of = NULL;
	return (least == NULL || number >= json_number_value(least)) &&
	       (most == NULL || number <= json_number_value(most)) &&
	       (above == NULL || number > json_number_value(above)) &&
	       (short_of == NULL || (json_int_t)json_string_length(value) >=
					    json_integer_value(short_of)) &&
	       (long_of == NULL || (json_int_t)json_string_length(value) <=
					   json_integer_value(long_of)) &&
	       (items == NULL || (json_int_t)json_array_size(value) <=
					 json_integer_value(items));
}

static bool
fits(const json_t *root, const json_t *schema, const json_t *value);

static bool
fits_object(const json_t *root, const json_t *schema, const json_t *value)
{
	const json_t *required = json_object_get(schema, "required");
	const json_t *properties = json_object_get(schema, "properties");
	const char *key;
	json_t *each;

	for (size_t i = 0; i < json_array_size(required); i++)
		if (json_object_get(value, json_string_value(json_array_get(
						   required, i))) == NULL)
			return false;
	json_object_foreach((json_t *)(uintptr_t)value, key, each)
	{
		const json_t *own = json_object_get(properties, key);

		if (own == NULL && json_is_false(json_object_get(
					   schema, "additionalProperties")))
			return false;
		if (own != NULL && !fits(root, own, each))
			return false;
	}
	return true;
}

/* The part of JSON Schema that our schema uses. */
static bool
fits(const json_t *root, const json_t *schema, const json_t *value)
{
	const json_t *ref = json_object_get(schema, "$ref");
	const json_t *constant = json_object_get(schema, "const");
	const json_t *items = json_object_get(schema, "items");

	if (ref != NULL)
		return fits(root,
			    json_object_get(json_object_get(root, "$defs"),
					    json_string_value(ref) +
						    strlen("#/$defs/")),
			    value);
	if (!fits_type(json_object_get(schema, "type"), value) ||
	    !fits_enum(json_object_get(schema, "enum"), value) ||
	    !fits_bounds(schema, value) ||
	    (constant != NULL && !json_equal(constant, value)))
		return false;
	if (json_is_object(value) && !fits_object(root, schema, value))
		return false;
	for (size_t i = 0; items != NULL && i < json_array_size(value); i++)
		if (!fits(root, items, json_array_get(value, i)))
			return false;
	return true;
}

static bool
fits_schema(const char *text)
{
	json_t *schema = json_load_file(SCHEMA, 0, NULL);
	json_t *value = json_loads(text, JSON_ALLOW_NUL, NULL);
	bool result;

	assert_non_null(schema);
	assert_non_null(value);
	result = fits(schema, schema, value);
	json_decref(schema);
	json_decref(value);
	return result;
}

/* ------------------------------------------------------------------------ */

static struct window *
five(void)
{
	struct window *window = window_of(4096);
	struct window_item item = item_of(WINDOW_USER_MESSAGE, "u",
					  "Gr\xc3\xbc"
					  "\xc3\x9f");

	item.role = "user";
	item.source_ref = "m1";
	item.metadata = "{\"k\": [1, null]}";
	window_add(window, &item, NULL, NULL);
	add_tokens(window, WINDOW_SYSTEM_PROMPT, "s", 50, 5);
	add_tokens(window, WINDOW_TOOL_RESULT, "t1", 80, 5);
	add_tokens(window, WINDOW_TOOL_RESULT, "t2", 80, 5);
	add_tokens(window, WINDOW_TOOL_RESULT, "t3", 90, 5);
	window_set_pin(window, "s", true);
	return window;
}

/* verifies: WIN-10 */
static void
test_save_and_restore_keep_everything(void **state)
{
	struct window *window = five();
	struct window *other;
	char *saved;
	char *again;

	window_set_limits(window, 5000, 77, WINDOW_REMOVE_OLDEST, NULL);
	saved = window_save(window);
	assert_int_equal(window_clear(window, true), 5);
	assert_int_equal(window_restore(window, saved, strlen(saved), NULL), 0);
	assert_string_equal(ids_of(window), "s t3 t1 t2 u");
	again = window_save(window);
	/* but for the time it was saved */
	assert_string_equal(strstr(again, "\"encoding\""),
			    strstr(saved, "\"encoding\""));
	assert_int_equal(window_load(&other, NULL, saved, strlen(saved), NULL),
			 0);
	assert_string_equal(ids_of(other), "s t3 t1 t2 u");
	window_destroy(other);
	free(again);
	free(saved);
	window_destroy(window);
}

/* verifies: WIN-10 */
static void
test_save_fits_the_schema(void **state)
{
	struct window *window = five();
	char *saved = window_save(window);
	struct window_item item = { .content = "a\0b",
				    .content_bytes = 3,
				    .type = WINDOW_OTHER };

	assert_true(fits_schema(saved));
	free(saved);
	assert_int_equal(window_add(window, &item, NULL, NULL), 0);
	saved = window_save(window);
	assert_true(fits_schema(saved));
	assert_int_equal(window_restore(window, saved, strlen(saved), NULL), 0);
	free(saved);
	window_destroy(window);
}

#define HEAD "{\"version\":1,\"max_tokens\":100,\"items\":["
#define ITEM "{\"id\":\"a\",\"type\":\"other\",\"content\":\"x\"}"

/* What the schema refuses we refuse, and what it takes we take. */
static void
test_restore_refuses_what_the_schema_refuses(void **state)
{
	static const char *const bad[] = {
		"[]",
		"{\"items\":[]}",
		"{\"version\":2,\"items\":[]}",
		"{\"version\":1}",
		"{\"version\":1,\"items\":{}}",
		"{\"version\":1,\"max_tokens\":0,\"items\":[]}",
		"{\"version\":1,\"max_tokens\":-4,\"items\":[]}",
		"{\"version\":1,\"max_tokens\":1e400,\"items\":[]}",
		"{\"version\":1,\"threshold\":0,\"items\":[]}",
		"{\"version\":1,\"threshold\":\"x\",\"items\":[]}",
		"{\"version\":1,\"strategy\":\"pray\",\"items\":[]}",
		"{\"version\":1,\"encoding\":7,\"items\":[]}",
		HEAD "7]}",
		HEAD "{\"type\":\"other\"}]}",
		HEAD "{\"content\":\"x\"}]}",
		HEAD "{\"type\":\"dream\",\"content\":\"x\"}]}",
		HEAD "{\"type\":\"other\",\"content\":\"\"}]}",
		HEAD
		"{\"type\":\"other\",\"content\":\"x\",\"priority\":101}]}",
		HEAD "{\"type\":\"other\",\"content\":\"x\",\"tokens\":-1}]}",
		HEAD "{\"type\":\"other\",\"content\":\"x\",\"pinned\":1}]}",
		HEAD "{\"type\":\"other\",\"content\":\"x\",\"role\":1}]}",
		HEAD "{\"type\":\"other\",\"content\":\"x\",\"id\":\"\"}]}",
		HEAD "{\"type\":\"other\",\"content\":\"x\",\"metadata\":[]}]}",
	};
	static const char *const good[] = {
		"{\"version\":1,\"items\":[]}",
		HEAD ITEM "]}",
		HEAD "{\"type\":\"other\",\"content\":\"x\",\"role\":null}]}",
	};
	struct window *window = five();
	struct window_error error;

	for (size_t i = 0; i < ARRAY_LEN(bad); i++) {
		json_t *parsed = json_loads(bad[i], 0, NULL);

		error.text[0] = '\0';
		if (window_restore(window, bad[i], strlen(bad[i]), &error) !=
		    -EBADMSG)
			fail_msg("taken: %s", bad[i]);
		assert_begins(error.text, "BALE-WIN-0");
		assert_string_equal(ids_of(window), "s t3 t1 t2 u");
		if (parsed != NULL && fits_schema(bad[i]))
			fail_msg("the schema takes %s", bad[i]);
		json_decref(parsed);
	}
	for (size_t i = 0; i < ARRAY_LEN(good); i++) {
		if (!fits_schema(good[i]))
			fail_msg("the schema refuses %s", good[i]);
		if (window_restore(window, good[i], strlen(good[i]), &error) !=
		    0)
			fail_msg("refused: %s: %s", good[i], error.text);
	}
	window_destroy(window);
}

static void
test_restore_refuses_broken_text_at_every_byte(void **state)
{
	struct window *window = five();
	struct window *other = window_of(10);
	char *saved = window_save(window);
	size_t bytes = strlen(saved);
	struct window_error error;

	while (bytes > 0 && saved[bytes - 1] != '}')
		bytes--;
	for (size_t i = 0; i < bytes; i++)
		assert_int_equal(window_restore(other, saved, i, &error),
				 -EBADMSG);
	assert_int_equal(window_restore(other, saved, bytes, &error), 0);
	free(saved);
	window_destroy(other);
	window_destroy(window);
}

/* verifies: WIN-10 */
static void
test_restore_from_another_encoding_counts_anew(void **state)
{
	struct window_options options = window_defaults();
	struct window *window;
	struct window *other = window_of(1000);
	struct window_item item =
		item_of(WINDOW_OTHER, "a",
			"\xe6\xbc\xa2\xe5\xad\x97 internationalization");
	uint64_t own;
	char *saved;

	options.encoding = "r50k_base";
	window = new_window(&options);
	window_add(window, &item, NULL, NULL);
	window_add(other, &item, NULL, NULL);
	own = tokens_in(other);
	assert_int_not_equal(own, tokens_in(window));
	saved = window_save(window);
	assert_int_equal(window_restore(other, saved, strlen(saved), NULL), 0);
	assert_int_equal(tokens_in(other), own);
	free(saved);
	window_destroy(window);
	window_destroy(other);
}

static void
test_restore_ends_at_a_thousand_items(void **state)
{
	struct window *window = window_of(10);
	struct window_error error;
	char *text = malloc(64 * (WINDOW_ITEMS_MAX + 2));
	size_t at = (size_t)sprintf(text, HEAD);

	for (int i = 0; i <= WINDOW_ITEMS_MAX; i++)
		at += (size_t)sprintf(
			text + at, "%s{\"type\":\"other\",\"content\":\"x\"}",
			i > 0 ? "," : "");
	at += (size_t)sprintf(text + at, "]}");
	assert_int_equal(window_restore(window, text, at, &error), -EBADMSG);
	assert_begins(error.text, "BALE-WIN-005 ");
	free(text);
	window_destroy(window);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_save_and_restore_keep_everything),
		cmocka_unit_test(test_save_fits_the_schema),
		cmocka_unit_test(test_restore_refuses_what_the_schema_refuses),
		cmocka_unit_test(
			test_restore_refuses_broken_text_at_every_byte),
		cmocka_unit_test(
			test_restore_from_another_encoding_counts_anew),
		cmocka_unit_test(test_restore_ends_at_a_thousand_items),
	};

	return cmocka_run_group_tests_name("window/save", tests, NULL, NULL);
}
