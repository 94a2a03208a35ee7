/* SPDX-License-Identifier: MIT */
/*
 * test_chunk_weave.c - chunks in their places among the signatures of a file.
 */
#include "tests/support/test_shm.h"

#include "stages/chunk/chunk_weave.h"

#define HEAD "imports: a\n"
#define ONE "int one()\n"
#define TWO "int two()\n"
#define TEN "int ten()\n"

static const char text[] = HEAD ONE TWO TEN;

static struct lang_signatures signatures;
static struct desc chunks[2];
static char out[512];
static uint8_t last_flags;

/* Signatures of the lines 10, 20 and 30. */
static struct chunk_outline
outline_of(uint32_t chunk_nr)
{
	signatures.before = sizeof(HEAD) - 1;
	signatures.nr = 3;
	for (uint32_t i = 0; i < 3; i++) {
		signatures.list[i].off = i * (uint32_t)(sizeof(ONE) - 1);
		signatures.list[i].line = 10 * (i + 1);
	}
	return (struct chunk_outline){
		.signatures = &signatures,
		.text = (const uint8_t *)text,
		.bytes = sizeof(text) - 1,
		.chunk_nr = chunk_nr,
		.chunks = chunks,
	};
}

static struct desc
chunk_of(uint32_t first, uint32_t nr)
{
	return (struct desc){ .kind = DESC_RUN,
			      .flags = DESC_EMIT,
			      .line_first = first,
			      .line_nr = nr };
}

/* "[5-7]" for a chunk; of signatures what is taken, and of which lines. */
static void
add_run(void *context, const struct desc *run)
{
	size_t nr = strlen(out);

	(void)context;
	last_flags = run->flags;
	if (!(run->flags & DESC_OUTLINE)) {
		snprintf(out + nr, sizeof(out) - nr, "[%u-%u]", run->line_first,
			 run->line_first + run->line_nr - 1);
		return;
	}
	snprintf(out + nr, sizeof(out) - nr, "%.*s<%u+%u>%s",
		 (int)(run->bytes - run->rest_bytes), text + run->slab_off,
		 run->line_nr == 0 ? 0 : run->line_first, run->line_nr,
		 run->flags & DESC_MORE ? "" : ".");
}

static const char *
woven(const struct chunk_outline *outline,
      const struct lang_outline_span *spans, uint8_t flags)
{
	const struct desc whole = { .kind = DESC_RUN,
				    .flags = (uint8_t)(DESC_OUTLINE |
						       DESC_EMIT | flags),
				    .bytes = (uint32_t)outline->bytes,
				    .line_first = 1 };
	const struct chunk_weave_sink sink = { add_run, NULL };

	out[0] = '\0';
	chunk_weave(outline, &whole, spans, &sink);
	return out;
}

static void
test_chunk_weave_without_chunks_gives_what_is_taken(void **state)
{
	const struct chunk_outline outline = outline_of(0);
	static const struct lang_outline_span all[] = { { 41, 0 } };
	static const struct lang_outline_span some[] = { { 0, 11 }, { 10, 10 },
							 { 10, 0 } };

	assert_string_equal(woven(&outline, all, 0),
			    HEAD ONE TWO TEN "<10+21>.");
	assert_string_equal(woven(&outline, some, 0),
			    "<0+0>" ONE "<10+1>" TEN "<30+1>.");
	assert_string_equal(woven(&outline, some, DESC_MORE),
			    "<0+0>" ONE "<10+1>" TEN "<30+1>");
}

/* A chunk stands before the signatures of later lines; those of its own lines
 * are left out, and all are compared. */
static void
test_chunk_weave_puts_chunks_in_their_places(void **state)
{
	const struct chunk_outline outline = outline_of(2);
	static const struct lang_outline_span all[] = { { 41, 0 } };

	chunks[0] = chunk_of(12, 5);
	chunks[1] = chunk_of(19, 4);
	assert_string_equal(woven(&outline, all, 0),
			    HEAD ONE "<10+1>[12-16][19-22]<0+0>" TEN
				     "<30+1>.");
	chunks[0] = chunk_of(1, 10);
	chunks[1] = chunk_of(31, 4);
	assert_string_equal(woven(&outline, all, 0),
			    HEAD "<0+0>[1-10]<0+0>" TWO TEN "<20+11>.[31-34]");
	ASSERT_EQ(last_flags, DESC_EMIT);
}

/* Where signatures are not known one by one, chunks stand behind them. */
static void
test_chunk_weave_of_unknown_signatures_has_chunks_behind(void **state)
{
	const struct chunk_outline outline = outline_of(1);
	static const struct lang_outline_span first[] = { { 11, 30 } };

	chunks[0] = chunk_of(1, 10);
	signatures.nr = OUTLINE_SIGNATURES + 1;
	assert_string_equal(woven(&outline, first, 0), HEAD "<0+0>.[1-10]");
	signatures.nr = 0;
	assert_string_equal(woven(&outline, first, DESC_MORE),
			    HEAD "<0+0>[1-10]");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
			test_chunk_weave_without_chunks_gives_what_is_taken),
		cmocka_unit_test(test_chunk_weave_puts_chunks_in_their_places),
		cmocka_unit_test(
			test_chunk_weave_of_unknown_signatures_has_chunks_behind),
	};

	return cmocka_run_group_tests_name("chunk/chunk_weave", tests, NULL,
					   NULL);
}
