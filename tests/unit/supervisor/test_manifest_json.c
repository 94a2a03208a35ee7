/* SPDX-License-Identifier: MIT */
/*
 * test_manifest_json.c - a manifest as any program may write it.
 */
#include "tests/support/test_manifest_parts.h"

static void
test_manifest_of_another_program_is_read(void **state)
{
	static const char *const others[] = {
		"{\"bale_manifest\":1,\"parts\":[" PART(1) "," PART(2) "]}",
		"{\"bale_manifest\":1,\"parts\":[\n" PART(1) "," PART(2) "]}\n",
		"{\"bale_manifest\":1,\"parts\":[\n" PART(1) ",\n" PART(2) "]}",
		"{ \"parts\": [\n " PART(1) ", " PART(
			2) "\n],\n"
			   "\"encoding\": \"o200k_base\", \"bale_manifest\": 1\n}\n\n",
		"{\"bale_manifest\":1,\"parts\":[{\"sha256\":\"" ABC
		"\",\"tokens\":1,\"more\":[],\"bytes\":3}," PART(2) "]}",
	};
	struct manifest manifest;

	for (size_t i = 0; i < ARRAY_LEN(others); i++) {
		dir_write("m", others[i]);
		/* in no case a part of it */
		ASSERT_EQ(manifest_read(&manifest, AT_FDCWD, "m"), -EPROTO);
		manifest_fini(&manifest);
		ASSERT_EQ(manifest_read_any(&manifest, AT_FDCWD, "m"), 0);
		ASSERT_EQ(manifest.nr, 2);
		for (uint64_t k = 0; k < 2; k++) {
			ASSERT_EQ(manifest.parts[k].bytes, 3);
			ASSERT_EQ(manifest.parts[k].tokens, k + 1);
		}
		assert_memory_equal(manifest.parts[0].sha256,
				    manifest.parts[1].sha256, SHA256_BYTES);
		dir_write("a", "abc");
		ASSERT_TRUE(
			manifest_matches(&manifest.parts[0], AT_FDCWD, "a"));
		manifest_fini(&manifest);
	}
}

/* On one line, which is longer than any that this program writes. */
static void
test_manifest_on_one_long_line_has_all_parts(void **state)
{
	struct manifest manifest;

	for (int nr = 1; nr < 800; nr += 7) {
		FILE *file = fopen("m", "w");

		ASSERT_TRUE(file != NULL);
		fputs("{\"bale_manifest\":1,\"encoding\":\"o\",\"parts\":[",
		      file);
		for (int i = 0; i < nr; i++)
			fputs(i == 0 ? PART(1) : "," PART(1), file);
		fputs("]}\n", file);
		ASSERT_EQ(fclose(file), 0);
		ASSERT_EQ(manifest_read_any(&manifest, AT_FDCWD, "m"), 0);
		ASSERT_EQ(manifest.nr, nr);
		manifest_fini(&manifest);
	}
}

static void
test_manifest_too_large_for_another_form_is_told(void **state)
{
	struct manifest manifest;

	dir_write("m", "[");
	ASSERT_EQ(truncate("m", 4 << 20), 0);
	ASSERT_EQ(manifest_read_any(&manifest, AT_FDCWD, "m"), -EPROTO);
	manifest_fini(&manifest);
	ASSERT_EQ(truncate("m", (4 << 20) + 1), 0);
	ASSERT_EQ(manifest_read_any(&manifest, AT_FDCWD, "m"), -EFBIG);
	manifest_fini(&manifest);
}

int
main(void)
{
#define TEST(name) \
	cmocka_unit_test_setup_teardown(name, dir_set_up, dir_tear_down)
	const struct CMUnitTest tests[] = {
		TEST(test_manifest_of_another_program_is_read),
		TEST(test_manifest_on_one_long_line_has_all_parts),
		TEST(test_manifest_too_large_for_another_form_is_told),
	};

	return cmocka_run_group_tests_name("supervisor/manifest_json", tests,
					   NULL, NULL);
}
