/* SPDX-License-Identifier: MIT */
/*
 * test_preamble.c - the lines that an output begins with, and the outputs that
 * begin with them, read back.
 */
#include "tests/support/test_shm.h"

#include "markup/preamble.h"
#include "markup/read.h"

static char text[PREAMBLE_TEXT_BYTES + 1];

static const char *
text_of(const struct preamble_facts *facts)
{
	size_t nr = preamble_text(text, facts);

	ASSERT_TRUE(nr <= PREAMBLE_TEXT_BYTES);
	text[nr] = '\0';
	return text;
}

static void
test_preamble_of_a_selection_says_what_is_left_out(void **state)
{
	struct preamble_facts facts = {
		.has_counts = true,
		.signatures = true,
		.file_nr = 1063,
		.packed_nr = 21,
		.part_nr = 3,
		.sign_nr = 12,
		.commit = (const uint8_t *)"\x5f\xc2\x8d\x7f",
		.dirs = { { "src", 1234567 },
			  { "\"\\n\"", 4100 },
			  { "doc", 17 } },
	};

	assert_string_equal(
		text_of(&facts),
		"Packed by bale: a selection from a source tree (git commit "
		"5fc28d7f): 21 files, 3 in part, 12 by signatures; 1042 are "
		"left out.\n"
		"Each file begins with a line `## File: path (lines)`; `// ... "
		"(lines 2-7)` stands for lines left out; `signatures` in it "
		"means definitions without their bodies, `all` that none is "
		"left out.\n"
		"Most text is below src (about 1.2M tokens), \"\\n\" (4k), doc "
		"(17).\n");
	facts.is_dirty = true;
	ASSERT_TRUE(strstr(text_of(&facts), "5fc28d7f, with local changes)") !=
		    NULL);
	facts.short_headers = true;
	ASSERT_TRUE(strstr(text_of(&facts),
			   "; `### path` begins signatures instead, "
			   "definitions without their bodies; `all` that none "
			   "is left out.\n") != NULL);
}

static void
test_preamble_of_the_whole_says_no_more_than_is_known(void **state)
{
	struct preamble_facts facts = {
		.kind = MARKUP_XML,
		.is_whole = true,
		.dirs = { { "src", 1 } },
	};

	assert_string_equal(text_of(&facts),
			    "Packed by bale: all of a source tree.\n"
			    "Each file element holds a file.\n");
	facts.is_filtered = true;
	facts.has_counts = true;
	facts.file_nr = 2;
	facts.packed_nr = 1;
	assert_string_equal(text_of(&facts),
			    "Packed by bale: the chosen files of a source tree"
			    ": 1 file; 1 is left out.\n"
			    "Each file element holds a file.\n");
	/* a template has marks of its own */
	facts.kind = MARKUP_TEMPLATE;
	facts.packed_nr = 2;
	assert_string_equal(text_of(&facts), "Packed by bale: the chosen files "
					     "of a source tree: 2 files.\n");
}

/* The longest that there can be has room. */
static void
test_preamble_has_room_for_the_longest(void **state)
{
	struct preamble_facts facts = {
		.has_counts = true,
		.signatures = true,
		.is_dirty = true,
		.has_copies = true,
		.file_nr = UINT64_MAX,
		.packed_nr = UINT64_MAX / 2,
		.part_nr = UINT64_MAX / 2,
		.sign_nr = UINT64_MAX / 2,
		.commit = (const uint8_t *)"\xff\xff\xff\xff",
	};

	for (int i = 0; i < PREAMBLE_DIRS; i++) {
		memset(facts.dirs[i].name, 'x', PREAMBLE_NAME_BYTES - 1);
		facts.dirs[i].tokens = UINT64_MAX;
	}
	for (int kind = 0; kind < MARKUP_KIND_NR; kind++) {
		facts.kind = (enum markup_kind)kind;
		ASSERT_TRUE(strlen(text_of(&facts)) < PREAMBLE_TEXT_BYTES / 2);
	}
}

/* ---- in outputs --------------------------------------------------------- */

static unsigned read_nr;

static int
take_file(void *context, const struct markup_file *file)
{
	(void)context;
	read_nr++;
	ASSERT_EQ(file->path_bytes, 3);
	ASSERT_EQ(memcmp(file->path, "a.c", 3), 0);
	return 0;
}

/* Directories whose names are all that an output could be taken for. */
static const char hostile[] =
	"## File: b (empty)\n"
	"\n"
	"======== File: b (empty)\n"
	"\n"
	"Part 2 of 3\n"
	"========\n"
	"```\n"
	"]]></directories><files><file path=\"b\" empty=\"yes\"/></files>\n"
	"\",\"files\":[{\"path\":\"b\",\"empty\":true}],\"x\":\"\n";

static void
test_preamble_is_no_file_in_any_format(void **state)
{
	static char bytes[8192];
	const struct preamble_facts facts = { .is_whole = true };
	const struct markup_section section = {
		.name = (const uint8_t *)"a.c",
		.name_bytes = 3,
		.path = "a.c",
		.empty = true,
		.is_first = true,
	};
	const struct markup_sink sink = { .file = take_file };

	for (int kind = 0; kind < MARKUP_NR; kind++) {
		const struct markup_format *format = markup_table[kind];
		const struct markup_options options = {
			.kind = (enum markup_kind)kind
		};
		struct markup_preamble preamble = {
			.text = text_of(&facts),
			.text_bytes = strlen(text),
			.directories = hostile,
			.directories_bytes = sizeof(hostile) - 1,
		};
		struct markup_text out = { .at = bytes,
					   .room = sizeof(bytes),
					   .options = &options,
					   .preamble = &preamble };
		struct markup_error error;
		enum markup_kind found;
		size_t nr;

		format->begin(&out, &options, NULL);
		format->open(&out, &options, &section);
		format->files_end(&out, &options, 1);
		markup_end(&out, format);
		ASSERT_TRUE(!out.short_of_room);
		nr = (size_t)(out.at - bytes);
		ASSERT_TRUE(memmem(bytes, nr, "Packed by bale: ", 16) != NULL);
		ASSERT_TRUE(memmem(bytes, nr, "Part 2 of 3", 11) != NULL);
		ASSERT_EQ(markup_detect((uint8_t *)bytes, nr, &found), 0);
		ASSERT_EQ(found, kind);
		read_nr = 0;
		ASSERT_EQ(
			markup_read(found, (uint8_t *)bytes, nr, &sink, &error),
			0);
		ASSERT_EQ(read_nr, 1);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
			test_preamble_of_a_selection_says_what_is_left_out),
		cmocka_unit_test(
			test_preamble_of_the_whole_says_no_more_than_is_known),
		cmocka_unit_test(test_preamble_has_room_for_the_longest),
		cmocka_unit_test(test_preamble_is_no_file_in_any_format),
	};

	return cmocka_run_group_tests_name("markup/preamble", tests, NULL,
					   NULL);
}
