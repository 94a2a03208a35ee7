/* SPDX-License-Identifier: MIT */
/*
 * test_supervisor_unpack.c - what is written of an output is what was packed,
 * or it is not written and said not to be: cut anywhere, changed anywhere.
 * LONG=1: at every byte; else at some of each output.
 *
 * verifies: FR-016-136
 */
#include "tests/support/test_shm.h"

#include <ftw.h>

#include "tests/support/test_unpack_rig.h"

#define OUTPUT_BYTES 65536

static char root[300];
static struct unpack_dir dir;
static char output[OUTPUT_BYTES];
static size_t output_nr;

static int
remove_one(const char *path, const struct stat *st, int type, struct FTW *ftw)
{
	return ftw->level == 0 ? 0 : remove(path);
}

static void
clean(void)
{
	unpack_dir_close(&dir, root);
	nftw(root, remove_one, 16, FTW_DEPTH | FTW_PHYS);
	assert_int_equal(unpack_dir_open(&dir, root), 0);
}

static int
set_up(void **state)
{
	const char *tmp = getenv("TMPDIR");

	snprintf(root, sizeof(root), "%s/unpack.XXXXXX",
		 tmp == NULL ? "/tmp" : tmp);
	if (mkdtemp(root) == NULL)
		return -1;
	return unpack_dir_open(&dir, root);
}

static int
tear_down(void **state)
{
	clean();
	unpack_dir_close(&dir, root);
	return rmdir(root);
}

#define TEXT(string) (const uint8_t *)(string), sizeof(string) - 1

static const struct rig_file files[] = {
	{ "a.c", TEXT("int a;\nint b;\n"), NULL },
	{ "d/b c", TEXT("x\r\n\ty ]]> & \" \\ ```\n// ... (lines 2-3)\nend"),
	  NULL },
	{ "d/empty", TEXT(""), NULL },
	{ "same", TEXT(""), "a.c" },
	{ "z", TEXT("\n\n\xc3\xa9\xf0\x9f\x98\x80\n"), NULL },
};

static void
pack(enum markup_kind kind, bool hashes, bool numbers)
{
	const struct markup_options options = {
		.kind = kind,
		.hashes = hashes,
		.numbers = numbers,
	};

	output_nr = rig_pack(&options, files, ARRAY_LEN(files), output,
			     sizeof(output));
	assert_int_not_equal(output_nr, 0);
}

/* Files that are there are as they were packed: how many there are. */
static size_t
check_files(const char *what)
{
	size_t nr = 0;

	for (size_t i = 0; i < ARRAY_LEN(files); i++) {
		const struct rig_file *want =
			files[i].same_as == NULL ? &files[i] : &files[0];
		uint8_t got[256];
		ssize_t bytes =
			rig_read(dir.fd, files[i].path, got, sizeof(got));

		nr += bytes >= 0;
		if (bytes >= 0 && ((size_t)bytes != want->nr ||
				   memcmp(got, want->text, want->nr) != 0))
			fail_msg("%s: %s is another", what, files[i].path);
	}
	return nr;
}

static void
test_unpack_gives_back_what_was_packed(void **state)
{
	for (int i = 0; i < MARKUP_NR * 4; i++) {
		struct unpack unpack;

		pack((enum markup_kind)(i / 4), i & 1, i & 2);
		unpack_init(&unpack, &dir);
		assert_int_equal(rig_unpack(&unpack, output, output_nr), 0);
		assert_int_equal(check_files("whole"), ARRAY_LEN(files));
		assert_int_equal(unpack.written_nr, ARRAY_LEN(files));
		clean();
	}
}

/* From one byte to the next that is looked at: no divisor of what repeats. */
static size_t
step(void)
{
	const char *is_long = getenv("LONG");

	return is_long == NULL || strcmp(is_long, "0") == 0 ? 13 : 1;
}

static void
test_unpack_cut_at_any_byte_writes_no_other_file(void **state)
{
	for (int kind = 0; kind < MARKUP_NR; kind++) {
		pack((enum markup_kind)kind, true, false);
		for (size_t nr = 0; nr + 1 < output_nr; nr += step()) {
			struct unpack unpack;
			char what[64];

			snprintf(what, sizeof(what), "%d cut at %zu", kind, nr);
			unpack_init(&unpack, &dir);
			if (rig_unpack(&unpack, output, nr) != -EBADMSG)
				fail_msg("%s is whole", what);
			assert_int_equal(check_files(what), unpack.written_nr);
			clean();
		}
	}
}

/*
 * A byte is another, there twice, or not there: each file that has its name
 * still has its content, for the hash is of that.
 */
static void
test_unpack_changed_at_any_byte_writes_no_other_file(void **state)
{
	static char changed[OUTPUT_BYTES + 1];
	size_t by = step();

	for (size_t i = 0; i < 3 * MARKUP_NR * sizeof(output); i++) {
		size_t at = i / 3 % sizeof(output);
		struct unpack unpack;
		char what[64];

		if (at == 0 && i % 3 == 0)
			pack((enum markup_kind)(i / 3 / sizeof(output)), true,
			     true);
		if (at >= output_nr || at % by != 0)
			continue;
		snprintf(what, sizeof(what), "byte %zu of\n%.20s", at, output);
		memcpy(changed, output, at + 1);
		changed[at] ^= (char)(i % 3 == 0 ? 1 : 0);
		memcpy(changed + at + (i % 3 != 2), output + at + (i % 3 != 1),
		       output_nr - at - (i % 3 != 1));
		unpack_init(&unpack, &dir);
		rig_unpack(&unpack, changed,
			   output_nr + (i % 3 == 1) - (i % 3 == 2));
		check_files(what);
		clean();
	}
}

/* What an output says, and what becomes of a file "a" in it. */
static const struct {
	const char *what;
	const char *bytes;
	int result;
	uint64_t written;
	uint64_t partial;
	uint64_t failed;
} cases[] = {
	{ "a hash that is another",
	  "{\"path\":\"a\",\"lines\":[1,1],\"hash\":5,\"chunks\":[{\"text\":"
	  "\"x\\n\"}]}\n{\"end\":1}",
	  0, 0, 1, 0 },
	{ "lines that are others", "## File: a (lines 1-2)\n```\nx\n```\n\n", 0,
	  0, 1, 0 },
	{ "signatures",
	  "## File: a (lines 1-9, signatures of 5 bytes)\n"
	  "```\nx\n```\n\n",
	  0, 0, 1, 0 },
	{ "twice", "## File: a (empty)\n\n## File: a (empty)\n\n", 0, 1, 0, 1 },
	{ "twice, by other names",
	  "## File: a (empty)\n\n## File: .//a (empty)\n\n"
	  "## File: /a (empty)\n\n",
	  0, 1, 0, 2 },
	{ "a file that is a directory, too",
	  "## File: a (empty)\n\n## File: a/b (empty)\n\n", 0, 1, 0, 1 },
	{ "a directory that is a file, too",
	  "## File: d/a (empty)\n\n## File: d (empty)\n\n"
	  "## File: a (empty)\n\n",
	  0, 2, 0, 1 },
	{ "the same as itself", "## File: a (same as a)\n\n", 0, 0, 1, 0 },
	{ "the same as what leads out", "## File: a (same as ../a)\n\n", 0, 0,
	  1, 0 },
	{ "the same as what was not written",
	  "## File: .git/b (empty)\n\n## File: a (same as .git/b)\n\n", 0, 0, 1,
	  1 },
	{ "half a surrogate, as pack gives it",
	  "## File: a (lines 1-1, from invalid UTF-16LE)\n```\nx\xef\xbf\xbdy\n"
	  "```\n\n",
	  0, 0, 1, 0 },
	{ "U+FFFD that was in the file",
	  "## File: a (lines 1-1, from UTF-16LE)\n```\nx\xef\xbf\xbdy\n"
	  "```\n\n",
	  0, 1, 0, 0 },
	{ "UTF-8 with it",
	  "## File: a (lines 1-1)\n```\nx\xef\xbf\xbdy\n"
	  "```\n\n",
	  0, 1, 0, 0 },
	{ "chunks twice",
	  "{\"files\":[{\"path\":\"a\",\"lines\":[1,1],\"chunks\":[{\"text\":"
	  "\"x\\n\"}],\"chunks\":[{\"text\":\"y\\n\"}]}]}",
	  -EBADMSG, 0, 0, 0 },
	{ "goes on, and then does not",
	  "## File: a (lines 1-1 of 2, goes on)\n```\nx\n```\n\n"
	  "## File: b (empty)\n\n",
	  0, 1, 1, 0 },
	{ "gone on with as another character set",
	  "## File: a (lines 1-1 of 2, goes on)\n```\nx\n```\n\n"
	  "## File: a (lines 2-2, from UTF-16LE, continued)\n```\nx\n```\n\n",
	  0, 0, 1, 0 },
	{ "pieces that go on",
	  "## File: a (lines 1-2 of 3, goes on, no newline at end)\n```\nx\ny\n```\n\n"
	  "## File: a (lines 2-2 of 3, continued within a line, goes on, no newline at end)\n```\nz\n```\n\n"
	  "## File: a (lines 2-3 of 3, continued within a line)\n```\nz\nw\n```\n\n",
	  0, 1, 0, 0 },
	{ "pieces that go on behind a line",
	  "## File: a (lines 1-2 of 3, goes on)\n```\nx\ny\n```\n\n"
	  "## File: a (lines 3-3 of 3, continued)\n```\nz\n```\n\n",
	  0, 1, 0, 0 },
	{ "gone on with as a file of fewer lines",
	  "## File: a (lines 1-2 of 100, goes on)\n```\nx\ny\n```\n\n"
	  "## File: a (lines 3-3 of 3, continued)\n```\nz\n```\n\n",
	  0, 0, 1, 0 },
	{ "gone on with as a file of more lines",
	  "## File: a (lines 1-2 of 3, goes on)\n```\nx\ny\n```\n\n"
	  "## File: a (lines 3-4 of 4, continued)\n```\nz\nw\n```\n\n",
	  0, 0, 1, 0 },
	{ "gone on with within a line that has ended",
	  "## File: a (lines 1-2 of 3, goes on)\n```\nx\ny\n```\n\n"
	  "## File: a (lines 2-3 of 3, continued within a line)\n```\nz\nw\n```\n\n",
	  0, 0, 1, 0 },
	{ "gone on with behind a line that has not ended",
	  "## File: a (lines 1-1 of 2, goes on, no newline at end)\n```\nx\n```\n\n"
	  "## File: a (lines 2-2 of 2, continued)\n```\nz\n```\n\n",
	  0, 0, 1, 0 },
	{ "a line that is missing between pieces",
	  "## File: a (lines 1-1 of 3, goes on)\n```\nx\n```\n\n"
	  "## File: a (lines 3-3 of 3, continued)\n```\nz\n```\n\n",
	  0, 0, 1, 0 },
	{ "pieces with other hashes",
	  "## File: a (lines 1-1 of 2, goes on, hash 159599944)\n```\nx\n```\n\n"
	  "## File: a (lines 2-2 of 2, continued, hash 2)\n```\ny\n```\n\n"
	  "## End of files: 2\n\n",
	  0, 0, 1, 0 },
	{ "gone on with as an empty file",
	  "{\"bale\":1,\"files\":[{\"path\":\"a\",\"lines\":[1,2],\"of\":100,\"goes_on\":true,\"chunks\":[{\"text\":\"x\\ny\\n\"}]},"
	  "{\"path\":\"a\",\"empty\":true,\"continued\":true}]}",
	  0, 0, 1, 0 },
	{ "gone on with as another file",
	  "{\"bale\":1,\"files\":[{\"path\":\"b\",\"empty\":true},{\"path\":\"a\",\"lines\":[1,2],\"of\":100,\"goes_on\":true,\"chunks\":[{\"text\":\"x\\ny\\n\"}]},"
	  "{\"path\":\"a\",\"same_as\":\"b\",\"continued\":true}]}",
	  0, 1, 1, 0 },
	{ "gone on with as an empty file of XML",
	  "<bale><files><file path=\"a\" lines=\"1-2\" of=\"100\" goes-on=\"yes\">x\ny\n</file>"
	  "<file path=\"a\" empty=\"yes\" continued=\"yes\"/></files></bale>",
	  0, 0, 1, 0 },
	{ "empty, and it goes on",
	  "{\"path\":\"a\",\"empty\":true,\"goes_on\":true}", 0, 0, 1, 0 },
	{ "empty, and it has lines",
	  "{\"path\":\"a\",\"empty\":true,\"of\":100}", 0, 0, 1, 0 },
};

static int entry_nr;

static int
count_one(const char *path, const struct stat *st, int type, struct FTW *ftw)
{
	entry_nr += type == FTW_F;
	return 0;
}

static void
test_unpack_of_what_is_not_so(void **state)
{
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct unpack unpack;
		int result;

		unpack_init(&unpack, &dir);
		result = rig_unpack(&unpack, cases[i].bytes,
				    strlen(cases[i].bytes));
		if (result != cases[i].result ||
		    unpack.written_nr != cases[i].written ||
		    unpack.partial_nr != cases[i].partial ||
		    unpack.failed_nr != cases[i].failed)
			fail_msg("%s: got %d, %llu written, %llu not whole, "
				 "%llu refused",
				 cases[i].what, result,
				 (unsigned long long)unpack.written_nr,
				 (unsigned long long)unpack.partial_nr,
				 (unsigned long long)unpack.failed_nr);
		/* and nothing that has no name of its own is left */
		entry_nr = 0;
		nftw(root, count_one, 16, FTW_PHYS);
		if ((uint64_t)entry_nr != cases[i].written)
			fail_msg("%s: %d files are there", cases[i].what,
				 entry_nr);
		clean();
	}
}

static void
test_unpack_writes_no_more_than_it_may(void **state)
{
	static const char bytes[] =
		"## File: a (lines 1-1)\n```\n0123456789\n```\n\n"
		"## File: b (same as a)\n\n## File: c (same as a)\n\n";
	struct unpack unpack;

	unpack_init(&unpack, &dir);
	unpack.bytes_max = 32;
	assert_int_equal(rig_unpack(&unpack, bytes, strlen(bytes)), -E2BIG);
	assert_int_equal(unpack.written_nr, 2);
	entry_nr = 0;
	nftw(root, count_one, 16, FTW_PHYS);
	assert_int_equal(entry_nr, 2);
	clean();
	unpack_init(&unpack, &dir);
	unpack.bytes_max = 33;
	assert_int_equal(rig_unpack(&unpack, bytes, strlen(bytes)), 0);
	assert_int_equal(unpack.written_nr, 3);
}

int
main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
	const struct CMUnitTest tests[] = {
		TEST(test_unpack_gives_back_what_was_packed),
		TEST(test_unpack_cut_at_any_byte_writes_no_other_file),
		TEST(test_unpack_changed_at_any_byte_writes_no_other_file),
		TEST(test_unpack_of_what_is_not_so),
		TEST(test_unpack_writes_no_more_than_it_may),
	};
	int null = open("/dev/null", O_WRONLY | O_CLOEXEC);

	diag_init(null, DIAG_ERROR, false, "");
	return cmocka_run_group_tests_name("supervisor/unpack", tests, NULL,
					   NULL);
}
