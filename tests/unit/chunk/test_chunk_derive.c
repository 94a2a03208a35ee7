/* SPDX-License-Identifier: MIT */
/*
 * test_chunk_derive.c - texts made of the content of an entry.
 */
#include "tests/support/test_chunk_work.h"

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

/* What is kept of a content is altered, so that it is seen where it is used: the
 * first letter of a name is another one. */
static void
alter_kept(struct chunk_kept *kept, const char *content, const char *name)
{
	static struct lang_signatures signatures;
	static uint8_t text[SLAB_BYTES];
	static uint8_t after[16384];
	const struct chunk_kept_out out = { text, &signatures, after };
	uint32_t altered = 0;

	for (uint32_t i = 0; i < KEPT_SLOTS; i++) {
		struct chunk_kept_text one = kept->texts[i];
		const uint8_t *at = (const uint8_t *)content + one.of.off;
		const struct chunk_kept_parts parts = { at, text, &signatures,
							after };
		char *found;

		if (one.of.file_idx == 0)
			continue;
		chunk_kept_get(kept, &one, at, &out);
		found = memmem(text, one.bytes, name, strlen(name));
		if (found == NULL)
			continue;
		*found = 'F';
		one.of.file_idx--;
		chunk_kept_add(kept, &one.of, &one, &parts);
		altered++;
	}
	ASSERT_EQ(altered, 1);
}

static void
test_chunk_derive_takes_what_the_survey_has_derived(void **state)
{
	static const char text[] =
		"int\nf(int a)\n{\n\treturn a + a + a + a + a + a;\n}\n";
	const struct plan_entry signatures = { .tier = TIER_SIGNATURES };
	static struct chunk_kept kept;
	struct desc in = step_whole_file(&rig, text, DESC_SCAN | DESC_OUTLINE);
	char other[sizeof(text)];

	rig.work.kept = &kept;
	chunk_step_entry(&rig.work, &in);
	ASSERT_EQ(kept.text_nr, 1);
	alter_kept(&kept, text, "f(int");
	step_plan(&rig, &signatures);
	rig.got_nr = 0;
	in = written(text);
	chunk_step_entry(&rig.work, &in);
	ASSERT_EQ(rig.got[0].flags, DESC_EMIT | DESC_OUTLINE);
	ASSERT_EQ(rig.got[0].line_first, 1);
	step_assert_text(&rig, &rig.got[0], "int\nF(int a)\n");
	/* content that is another is scanned */
	memcpy(other, text, sizeof(text));
	other[4] = 'g';
	rig.got_nr = 0;
	in = written(other);
	chunk_step_entry(&rig.work, &in);
	step_assert_text(&rig, &rig.got[0], "int\ng(int a)\n");
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

/* The signatures of a text that comes in parts; what is kept is lost before the
 * part `lost`, as when another process goes on. */
static size_t
sign_parts(const char *text, uint32_t lost, char *out)
{
	const struct plan_entry signatures = { .tier = TIER_SIGNATURES };
	size_t bytes = 0;

	step_plan(&rig, &signatures);
	for (uint32_t i = 0; i < PARTS; i++) {
		struct desc in = {
			.kind = DESC_PART,
			.flags = DESC_EMIT | DESC_OUTLINE,
			.slab_idx = i % 2,
			.slab_off = SLAB_HEAD_BYTES,
			.bytes = PART_BYTES,
			.file_off = i * PART_BYTES,
		};

		if (i + 1 == PARTS)
			in.flags |= DESC_LAST;
		if (i == lost)
			memset(rig.work.kept, 0, sizeof(*rig.work.kept));
		memcpy(slab_at(&rig.slabs, in.slab_idx) + SLAB_HEAD_BYTES,
		       text + in.file_off, PART_BYTES);
		rig.got_nr = 0;
		rig.work.emit_nr = 0;
		chunk_step_entry(&rig.work, &in);
		for (uint32_t k = 0; k < rig.got_nr; k++) {
			const struct desc *run = &rig.got[k];

			if (run->kind != DESC_RUN)
				continue;
			memcpy(out + bytes, desc_content(&rig.slabs, run),
			       run->bytes);
			bytes += run->bytes;
		}
	}
	return bytes;
}

/* A part is derived once, and what follows it as if it had been scanned again. */
static void
test_chunk_derive_takes_parts_as_a_pass_before_has_derived_them(void **state)
{
	static struct chunk_kept kept;
	static char text[PARTS * PART_BYTES + 1];
	static char want[PARTS * PART_BYTES];
	static char got[PARTS * PART_BYTES];
	uint8_t *one = rig.slabs.base;
	size_t bytes;

	rig.slabs = (struct slabs){ calloc(2, SLAB_BYTES), 2 };
	rig.job.part_bytes = PART_BYTES;
	write_functions(text);
	bytes = sign_parts(text, PARTS, want);
	assert_true(memmem(want, bytes, "f100(int", 8) != NULL);
	assert_true(memmem(want, bytes, "f100(int", 8) != NULL);
	rig.work.kept = &kept;
	for (uint32_t pass = 0; pass < 2; pass++) {
		ASSERT_EQ(sign_parts(text, PARTS, got), bytes);
		assert_memory_equal(got, want, bytes);
		ASSERT_EQ(kept.text_nr, PARTS);
	}
	alter_kept(&kept, text, "f100(int");
	*(char *)memmem(want, bytes, "f100(int", 8) = 'F';
	ASSERT_EQ(sign_parts(text, PARTS, got), bytes);
	assert_memory_equal(got, want, bytes);
	*(char *)memmem(want, bytes, "F100(int", 8) = 'f';
	for (uint32_t lost = 0; lost < PARTS; lost++) {
		ASSERT_EQ(sign_parts(text, PARTS, got), bytes);
		ASSERT_EQ(sign_parts(text, lost, got), bytes);
		assert_memory_equal(got, want, bytes);
	}
	/* another text from the first part on is another one in all */
	*(char *)memmem(text, sizeof(text), "f0(", 3) = 'g';
	ASSERT_EQ(sign_parts(text, PARTS, got), bytes);
	assert_true(memmem(got, bytes, "g0(", 3) != NULL);
	free(rig.slabs.base);
	rig.slabs = (struct slabs){ one, 1 };
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
			test_chunk_derive_takes_parts_as_a_pass_before_has_derived_them,
			setup),
	};

	return cmocka_run_group_tests_name("chunk/derive", tests, setup, NULL);
}
