/* SPDX-License-Identifier: MIT */
/*
 * test_supervisor_manifest.c - names of parts, and the list of them.
 */
#include "tests/support/test_manifest_parts.h"

#include "tests/support/test_dir.h"

static void
test_manifest_names_lead_both_ways(void **state)
{
	static const struct {
		const char *name;
		uint64_t number;
		uint64_t nr;
		const char *part;
	} table[] = {
		{ "out.md", 1, 1, "out-001.md" },
		{ "out.md", 12, 999, "out-012.md" },
		{ "out.md", 12, 1000, "out-0012.md" },
		{ "out.md.zst", 3, 7, "out-003.md.zst" },
		{ "out", 3, 7, "out-003" },
		{ ".out", 3, 7, ".out-003" },
		{ "a.b.c", 3, 7, "a.b-003.c" },
		{ "d.x/out", 3, 7, "d.x/out-003" },
		{ "d/out-1.md", 3, 7, "d/out-1-003.md" },
		{ "out-001.md", 3, 7, "out-001-003.md" },
	};

	for (size_t i = 0; i < ARRAY_LEN(table); i++) {
		char *part = manifest_part_name(table[i].name, table[i].number,
						table[i].nr);
		char *name = manifest_output_name(table[i].part);
		char *manifest = manifest_name(table[i].name);
		char *owner = manifest_owner(manifest);

		assert_string_equal(part, table[i].part);
		assert_string_equal(name, table[i].name);
		assert_string_equal(owner, table[i].name);
		ASSERT_TRUE(manifest_is_part_name(name, part));
		ASSERT_EQ(manifest_part_number(name, part, table[i].nr),
			  table[i].number);
		free(part);
		free(name);
		free(manifest);
		free(owner);
	}
}

static void
test_manifest_other_names_are_of_no_part(void **state)
{
	static const char *const others[] = {
		"out.md",
		"out-1.md",
		"out-01.md",
		"out-001.txt",
		"out-001.md.md",
		"out-001",
		"out-001x.md",
		"xout-001.md",
		"out-1234567890.md",
		"out--001.md",
		"out-notes.md",
		"out-001.md.zst",
		"out_001.md",
		"",
		"-001.md",
		"out-001.md/a",
	};

	for (size_t i = 0; i < ARRAY_LEN(others); i++)
		ASSERT_TRUE(!manifest_is_part_name("out.md", others[i]));
	ASSERT_EQ(manifest_part_number("out.md", "out-008.md", 7), 0);
	ASSERT_EQ(manifest_part_number("out.md", "out-000.md", 7), 0);
	ASSERT_EQ(manifest_part_number("out.md", "out-0001.md", 7), 0);
	ASSERT_TRUE(manifest_output_name("out.md") == NULL);
	ASSERT_TRUE(manifest_output_name("-001.md") == NULL);
	ASSERT_TRUE(manifest_output_name("d/-001.md") == NULL);
	ASSERT_TRUE(manifest_owner("out.json") == NULL);
	ASSERT_TRUE(manifest_owner(".manifest.json") == NULL);
}

static void
write_manifest(const struct manifest *manifest, const char *name)
{
	int fd = open("m", O_CREAT | O_TRUNC | O_WRONLY | O_CLOEXEC, 0666);

	ASSERT_TRUE(fd >= 0);
	ASSERT_EQ(manifest_write(manifest, name, "o200k_base", fd), 0);
	close(fd);
}

static void
test_manifest_is_read_as_it_was_written(void **state)
{
	/* what JSON escapes, and what a careless reader would take for a key */
	static const char *const names[] = {
		"out.md",
		"a\"b\\c.md",
		"line\nbreak.md",
		"\xff\xfe.md",
		"x\",\"bytes\":7,\"tokens\":7.md",
	};

	for (size_t k = 0; k < ARRAY_LEN(names); k++)
		for (uint64_t nr = 1; nr < 40; nr += 9) {
			struct manifest written;
			struct manifest read;

			ASSERT_EQ(manifest_init(&written, nr), 0);
			for (uint64_t i = 0; i < nr; i++) {
				written.parts[i].bytes = i * i * 1000000007;
				written.parts[i].tokens = i;
				memset(written.parts[i].sha256, (int)(i * 31),
				       SHA256_BYTES);
			}
			write_manifest(&written, names[k]);
			ASSERT_EQ(manifest_read(&read, AT_FDCWD, "m"), 0);
			ASSERT_EQ(read.nr, nr);
			assert_memory_equal(read.parts, written.parts,
					    nr * sizeof(*read.parts));
			manifest_fini(&read);
			manifest_fini(&written);
		}
}

static void
test_manifest_that_is_cut_off_or_something_else_is_none(void **state)
{
	static const char *const others[] = {
		"",
		"\n",
		"{",
		"{}\n",
		"{\"bale\":1,\"files\":[]}\n",
		"{\"bale_manifest\":1,\"parts\":[]}\n",
		"{\"bale_manifest\":2,\"parts\":[\n"
		"{\"file\":\"a-001\",\"bytes\":1,\"tokens\":1,\"sha256\":\"" ABC
		"\"}]}\n",
		"{\"bale_manifest\":1,\"parts\":[\n"
		"{\"file\":\"a-001\",\"bytes\":1,\"tokens\":1,\"sha256\":\"ab\"}"
		"]}\n",
		"{\"bale_manifest\":1,\"parts\":[\n"
		"{\"file\":\"a-001\",\"bytes\":-,\"tokens\":1,\"sha256\":\"" ABC
		"\"}]}\n",
		"{\"bale_manifest\":1,\"parts\":[\n"
		"{\"file\":\"a-001\",\"bytes\":1,\"tokens\":1,\"sha256\":\"" ABC
		"\"}]}\n{}\n",
		"{\"bale_manifest\":1,\"parts\":[\n"
		"{\"file\":\"a-001\",\"bytes\":-1,\"tokens\":1,\"sha256\":"
		"\"" ABC "\"}]}\n",
		"{\"bale_manifest\":1,\"bale_manifest\":1,\"parts\":[\n"
		"{\"bytes\":1,\"tokens\":1,\"sha256\":\"" ABC "\"}]}\n",
	};
	struct manifest manifest;
	char text[DIR_TEXT_BYTES];
	size_t nr;

	for (size_t i = 0; i < ARRAY_LEN(others); i++) {
		dir_write("m", others[i]);
		ASSERT_EQ(manifest_read(&manifest, AT_FDCWD, "m"), -EPROTO);
		manifest_fini(&manifest);
		ASSERT_EQ(manifest_read_any(&manifest, AT_FDCWD, "m"), -EPROTO);
		manifest_fini(&manifest);
	}
	ASSERT_EQ(manifest_read(&manifest, AT_FDCWD, "none"), -ENOENT);
	ASSERT_EQ(manifest_read(&manifest, AT_FDCWD, "."), -EPROTO);
	ASSERT_EQ(manifest_init(&manifest, 3), 0);
	write_manifest(&manifest, "out.md");
	manifest_fini(&manifest);
	strcpy(text, dir_read("m"));
	nr = strlen(text);
	/* but for the newline behind it, whatever is missing is seen */
	for (size_t i = 0; i < nr; i++) {
		text[nr - i - 1] = '\0';
		dir_write("m", text);
		ASSERT_EQ(manifest_read(&manifest, AT_FDCWD, "m"), -EPROTO);
		manifest_fini(&manifest);
	}
}

static void
test_manifest_matches_the_same_bytes_alone(void **state)
{
	struct manifest manifest;
	const struct manifest_part *part;

	dir_write("m", "{\"bale_manifest\":1,\"parts\":[\n"
		       "{\"file\":\"a-001\",\"bytes\":3,\"tokens\":1,"
		       "\"sha256\":\"" ABC "\"}]}\n");
	ASSERT_EQ(manifest_read(&manifest, AT_FDCWD, "m"), 0);
	part = &manifest.parts[0];
	dir_write("a", "abc");
	ASSERT_TRUE(manifest_matches(part, AT_FDCWD, "a"));
	dir_write("a", "abd");
	ASSERT_TRUE(!manifest_matches(part, AT_FDCWD, "a"));
	dir_write("a", "abcc");
	ASSERT_TRUE(!manifest_matches(part, AT_FDCWD, "a"));
	ASSERT_TRUE(!manifest_matches(part, AT_FDCWD, "none"));
	ASSERT_TRUE(!manifest_matches(part, AT_FDCWD, "."));
	ASSERT_EQ(mkfifo("f", 0666), 0);
	ASSERT_TRUE(!manifest_matches(part, AT_FDCWD, "f"));
	manifest_fini(&manifest);
}

int
main(void)
{
#define TEST(name) \
	cmocka_unit_test_setup_teardown(name, dir_set_up, dir_tear_down)
	const struct CMUnitTest tests[] = {
		TEST(test_manifest_names_lead_both_ways),
		TEST(test_manifest_other_names_are_of_no_part),
		TEST(test_manifest_is_read_as_it_was_written),
		TEST(test_manifest_that_is_cut_off_or_something_else_is_none),
		TEST(test_manifest_matches_the_same_bytes_alone),
	};

	return cmocka_run_group_tests_name("supervisor/manifest", tests, NULL,
					   NULL);
}
