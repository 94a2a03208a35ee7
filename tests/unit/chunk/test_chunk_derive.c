/* SPDX-License-Identifier: MIT */
/*
 * test_chunk_derive.c - texts made of the content of an entry.
 */
#include "tests/support/test_chunk_work.h"

#include "base/sha256.h"

static struct step_rig rig;

static void
test_chunk_derive_strips_comments_beside_what_was_read(void **state)
{
	static const char text[] = "/* one */\nint a; /* two */\n";
	struct desc in = step_whole_file(&rig, text, DESC_SCAN);

	rig.job.strips = true;
	rig.job.strip_comments = true;
	chunk_step_entry(&rig.work, &in);
	ASSERT_EQ(rig.got[0].kind, DESC_RUN);
	step_assert_text(&rig, &rig.got[0], "int a;\n");
	ASSERT_EQ(rig.got[0].left_bytes, strlen(text) - strlen("int a;\n"));
	/* what was read stays as it is */
	step_assert_text(&rig, &in, text);
}

static void
test_chunk_derive_gives_signatures_as_one_run(void **state)
{
	struct desc in = step_whole_file(&rig,
					 "int\nf(int a)\n{\n\treturn a + a + "
					 "a + a + a + a;\n}\n",
					 DESC_SCAN | DESC_OUTLINE);

	chunk_step_entry(&rig.work, &in);
	ASSERT_EQ(rig.got_nr, 4);
	ASSERT_EQ(rig.got[1].flags, DESC_SCAN | DESC_OUTLINE);
	step_assert_text(&rig, &rig.got[1], "int\nf(int a)\n");
}

/* The entry of a pass that writes the signatures of a file. */
static struct desc
written(const char *text)
{
	struct desc in = step_whole_file(&rig, text,
					 DESC_EMIT | DESC_OUTLINE | DESC_LAST);

	in.kind = DESC_PART;
	return in;
}

/* What count and dedup know of the file, by what a survey of it gave: 0 if it has
 * kept no signatures. */
static uint32_t
take_facts(const char *signatures)
{
	struct file_facts *facts = catalogue_facts(&rig.catalogue, 0);
	uint8_t digest[SHA256_BYTES];

	sha256_of(signatures, strlen(signatures), digest);
	memcpy(facts->outline_fingerprint, digest, FINGERPRINT_BYTES);
	for (uint32_t i = 0; i < rig.got_nr; i++)
		if (rig.got[i].kind == DESC_NAMES) {
			facts->names_off = rig.got[i].bytes + 1ull;
			facts->signatures_bytes = rig.got[i].signatures_bytes;
		}
	return facts->signatures_bytes;
}

/* They are taken as they are kept: another language would give none of the text. */
static void
test_chunk_derive_takes_what_the_survey_has_derived(void **state)
{
	static const char text[] =
		"#include <a.h>\nint\nf(int a)\n{\n\treturn a + a + a;\n}\n";
	static const char want[] = "imports: a.h\nint\nf(int a)\n";
	const struct plan_entry signatures = { .tier = TIER_SIGNATURES };
	struct desc in = step_whole_file(&rig, text, DESC_SCAN | DESC_OUTLINE);
	char other[sizeof(text)];

	chunk_step_entry(&rig.work, &in);
	ASSERT_TRUE(take_facts(want) > 0);
	catalogue_facts(&rig.catalogue, 0)->bytes = strlen(text);
	step_plan(&rig, &signatures);
	catalogue_file(&rig.catalogue, 0)->hint_bytes = 0;
	rig.got_nr = 0;
	in = written(text);
	chunk_step_entry(&rig.work, &in);
	ASSERT_EQ(rig.got[0].flags, DESC_EMIT | DESC_OUTLINE);
	ASSERT_EQ(rig.got[0].line_first, 2);
	step_assert_text(&rig, &rig.got[0], want);
	/* content that is another is scanned */
	catalogue_file(&rig.catalogue, 0)->hint_bytes = 1;
	memcpy(other, text, sizeof(text));
	*strstr(other, "f(") = 'g';
	rig.got_nr = 0;
	in = written(other);
	chunk_step_entry(&rig.work, &in);
	step_assert_text(&rig, &rig.got[0], "imports: a.h\nint\ng(int a)\n");
}

/* A text that no signatures are shorter than stands for them. */
static void
test_chunk_derive_takes_the_file_itself_where_the_survey_did(void **state)
{
	static const char text[] = "int f(int);\n";
	const struct plan_entry signatures = { .tier = TIER_SIGNATURES };
	struct desc in = step_whole_file(&rig, text, DESC_SCAN | DESC_OUTLINE);

	chunk_step_entry(&rig.work, &in);
	ASSERT_TRUE(take_facts(text) > 0);
	catalogue_facts(&rig.catalogue, 0)->bytes = strlen(text);
	step_plan(&rig, &signatures);
	rig.got_nr = 0;
	in = written(text);
	chunk_step_entry(&rig.work, &in);
	step_assert_text(&rig, &rig.got[0], text);
	ASSERT_EQ(rig.got[0].slab_off, in.slab_off);
}

/* Signatures have their numbers in them, and keep them; a text that stands for them
 * has none, and begins with its first line. */
static void
test_chunk_derive_numbers_what_it_derives(void **state)
{
	static const char text[] =
		"\n#include <a.h>\nint\nf(int a)\n{\n\treturn a + a + a;\n}\n";
	static const char want[] = "2: imports: a.h\n3: int\n4: f(int a)\n";
	static const char full[] = "int f(int);\nint g(int);\n";
	const struct plan_entry signatures = { .tier = TIER_SIGNATURES };
	struct desc in = step_whole_file(&rig, text, DESC_SCAN | DESC_OUTLINE);

	rig.job.markup.numbers = true;
	chunk_step_entry(&rig.work, &in);
	ASSERT_TRUE(take_facts(want) > 0);
	catalogue_facts(&rig.catalogue, 0)->bytes = strlen(text);
	step_plan(&rig, &signatures);
	for (uint8_t pass = 0; pass < 2; pass++) {
		/* in no language a scan would find no function */
		catalogue_file(&rig.catalogue, 0)->hint_bytes = pass;
		rig.got_nr = 0;
		in = written(text);
		chunk_step_entry(&rig.work, &in);
		ASSERT_TRUE(desc_is_numbered(&rig.got[0]));
		step_assert_text(&rig, &rig.got[0], want);
	}
	step_rig_init(&rig);
	rig.job.markup.numbers = true;
	in = step_whole_file(&rig, full, DESC_SCAN | DESC_OUTLINE);
	chunk_step_entry(&rig.work, &in);
	ASSERT_EQ(rig.got[1].flags, DESC_SCAN | DESC_OUTLINE);
	ASSERT_EQ(rig.got[1].line_first, 1);
	step_assert_text(&rig, &rig.got[1], full);
}

#define PARTS 4u
#define PART_BYTES 30000u

/* Functions, some of which begin in one part and end in the next. */
static void
write_functions(char *text)
{
	size_t at = 0;

	for (uint32_t i = 0; at < PARTS * PART_BYTES - 4000; i++) {
		at += (size_t)sprintf(
			text + at, "/* of %u */\nstatic int\nf%u(int a)\n{\n",
			i, i);
		for (uint32_t line = 0; line < 1 + i * 7 % 90; line++)
			at += (size_t)sprintf(text + at,
					      "\ta += a * %u; /* %u */\n", line,
					      i);
		at += (size_t)sprintf(text + at, "\treturn a;\n}\n\n");
	}
	memset(text + at, '\n', PARTS * PART_BYTES - at);
}

/* Passes a text in parts; what is given of its signatures is put into `out`. */
static size_t
pass_parts(const char *text, uint8_t flags, char *out)
{
	size_t bytes = 0;

	for (uint32_t i = 0; i < PARTS; i++) {
		struct desc in = {
			.kind = DESC_PART,
			.flags = flags,
			.slab_idx = i % 2,
			.slab_off = SLAB_HEAD_BYTES,
			.bytes = PART_BYTES,
			.file_off = i * PART_BYTES,
		};

		if (i + 1 == PARTS)
			in.flags |= DESC_LAST;
		memcpy(slab_at(&rig.slabs, in.slab_idx) + SLAB_HEAD_BYTES,
		       text + in.file_off, PART_BYTES);
		rig.got_nr = 0;
		rig.work.emit_nr = 0;
		chunk_step_entry(&rig.work, &in);
		for (uint32_t k = 0; k < rig.got_nr; k++) {
			const struct desc *run = &rig.got[k];

			if (run->kind != DESC_RUN ||
			    !(run->flags & DESC_OUTLINE))
				continue;
			memcpy(out + bytes, desc_content(&rig.slabs, run),
			       run->bytes);
			bytes += run->bytes;
		}
	}
	return bytes;
}

/* The signatures of all parts are as a scan of them gives them, and of another text
 * they are none that the survey has seen. */
static void
test_chunk_derive_takes_parts_as_the_survey_has_derived_them(void **state)
{
	const struct plan_entry signatures = { .tier = TIER_SIGNATURES };
	static char text[PARTS * PART_BYTES + 1];
	static char want[PARTS * PART_BYTES];
	static char got[PARTS * PART_BYTES];
	uint8_t *one = rig.slabs.base;
	size_t bytes;

	rig.slabs = (struct slabs){ calloc(2, SLAB_BYTES), 2 };
	rig.job.part_bytes = PART_BYTES;
	write_functions(text);
	bytes = pass_parts(text, DESC_SCAN | DESC_OUTLINE, want);
	want[bytes] = '\0';
	ASSERT_TRUE(strstr(want, "f100(int") != NULL);
	ASSERT_TRUE(take_facts(want) > 0);
	catalogue_facts(&rig.catalogue, 0)->bytes = PARTS * PART_BYTES;
	step_plan(&rig, &signatures);
	/* in no language, as a scan would find no functions */
	catalogue_file(&rig.catalogue, 0)->hint_bytes = 0;
	for (uint32_t pass = 0; pass < 2; pass++) {
		ASSERT_EQ(pass_parts(text, DESC_EMIT | DESC_OUTLINE, got),
			  bytes);
		assert_memory_equal(got, want, bytes);
	}
	memmove(text + 90000, text + 90003, PARTS * PART_BYTES - 90003);
	bytes = pass_parts(text, DESC_EMIT | DESC_OUTLINE, got);
	got[bytes] = '\0';
	ASSERT_TRUE(strcmp(got, want) != 0);
	/* of a file that is longer than what is kept nothing is known */
	catalogue_facts(&rig.catalogue, 0)->bytes++;
	bytes = pass_parts(text, DESC_EMIT | DESC_OUTLINE, got);
	got[bytes] = '\0';
	ASSERT_TRUE(strstr(got, "f100(int") == NULL);
	free(rig.slabs.base);
	rig.slabs = (struct slabs){ one, 1 };
}

/* Where the first part has no definition, and its first line is cut, that of a later
 * part begins a line. */
static void
test_chunk_derive_of_parts_ends_a_line_that_is_cut(void **state)
{
	static const char later[] = ";\nint f(int a)\n{\n\treturn a;\n}\n";
	static char text[PARTS * PART_BYTES + 1];
	static char got[2 * PARTS * PART_BYTES];
	uint8_t *one = rig.slabs.base;

	rig.slabs = (struct slabs){ calloc(2, SLAB_BYTES), 2 };
	rig.job.part_bytes = PART_BYTES;
	memset(text, 'x', PART_BYTES + 9);
	memset(text + PART_BYTES + 9, '\n', PARTS * PART_BYTES - PART_BYTES - 9);
	memcpy(text + PART_BYTES + 9, later, strlen(later));
	got[pass_parts(text, DESC_SCAN | DESC_OUTLINE, got)] = '\0';
	assert_string_equal(got + OUTLINE_FIRST_BYTES, "\nint f(int a)\n");
	free(rig.slabs.base);
	rig.slabs = (struct slabs){ one, 1 };
}

/* Of settings in parts each part stands for itself, as it is: their numbers may have
 * no room. Of definitions that have none whole lines are left out. */
static void
test_chunk_derive_of_parts_has_numbers_as_far_as_there_is_room(void **state)
{
	static char text[PARTS * PART_BYTES + 1];
	static char got[2 * PARTS * PART_BYTES];
	uint8_t *one = rig.slabs.base;
	uint32_t line = 0;
	size_t bytes;

	rig.slabs = (struct slabs){ calloc(2, SLAB_BYTES), 2 };
	rig.job.part_bytes = PART_BYTES;
	rig.job.markup.numbers = true;
	memcpy(table_at(&rig.catalogue.paths, 0, 7), "a.jjson", 7);
	catalogue_file(&rig.catalogue, 0)->hint_bytes = 4;
	for (size_t at = 0; at < PARTS * PART_BYTES; at += 4)
		memcpy(text + at, " 1,\n", 4);
	bytes = pass_parts(text, DESC_SCAN | DESC_OUTLINE, got);
	ASSERT_EQ(bytes, PARTS * PART_BYTES);
	assert_memory_equal(got, text, bytes);
	step_rig_init(&rig);
	free(one);
	free(rig.slabs.base);
	rig.slabs = (struct slabs){ calloc(2, SLAB_BYTES), 2 };
	rig.job.part_bytes = PART_BYTES;
	rig.job.markup.numbers = true;
	write_functions(text);
	bytes = pass_parts(text, DESC_SCAN | DESC_OUTLINE, got);
	got[bytes] = '\0';
	/* each line is one of the text, by its number */
	for (char *at = got; *at != '\0'; at = strchr(at, '\n') + 1) {
		char *begin = text;
		uint32_t number = (uint32_t)strtoul(at, &at, 10);

		ASSERT_TRUE(number > line);
		for (line = 1; line < number; line++)
			begin = strchr(begin, '\n') + 1;
		ASSERT_EQ(memcmp(at, ": ", 2), 0);
		assert_memory_equal(at + 2, begin,
				    strcspn(begin, "\n"));
	}
	ASSERT_TRUE(line > 1000);
	free(rig.slabs.base);
	rig.slabs = (struct slabs){ calloc(1, SLAB_BYTES), 1 };
}

static int
setup(void **state)
{
	step_rig_init(&rig);
	return 0;
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(
			test_chunk_derive_strips_comments_beside_what_was_read,
			setup),
		cmocka_unit_test_setup(
			test_chunk_derive_gives_signatures_as_one_run, setup),
		cmocka_unit_test_setup(
			test_chunk_derive_takes_what_the_survey_has_derived,
			setup),
		cmocka_unit_test_setup(
			test_chunk_derive_takes_the_file_itself_where_the_survey_did,
			setup),
		cmocka_unit_test_setup(
			test_chunk_derive_takes_parts_as_the_survey_has_derived_them,
			setup),
		cmocka_unit_test_setup(
			test_chunk_derive_numbers_what_it_derives, setup),
		cmocka_unit_test_setup(
			test_chunk_derive_of_parts_ends_a_line_that_is_cut,
			setup),
		cmocka_unit_test_setup(
			test_chunk_derive_of_parts_has_numbers_as_far_as_there_is_room,
			setup),
	};

	return cmocka_run_group_tests_name("chunk/derive", tests, setup, NULL);
}
