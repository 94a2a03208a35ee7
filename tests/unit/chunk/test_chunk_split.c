/* SPDX-License-Identifier: MIT */
/*
 * test_chunk_split.c - where texts are cut, against a cutter that looks at
 * one byte after the other.
 */
#include "tests/support/test_shm.h"

#include "stages/chunk/chunk.h"

#define AIM_BYTES 6144
#define TEXT_BYTES 120000
#define LONGEST (AIM_BYTES + AIM_BYTES / 4)

/* Shapes of random texts. */
struct shape {
	const char *name;
	uint32_t line_max; /* 0: no newlines at all */
	uint32_t blanks;   /* of a hundred lines */
	bool crlf;         /* of lines some end with blanks, too */
	bool ends_with_newline;
};

static const struct shape shapes[] = {
	{ "short lines", 80, 5, false, true },
	{ "no blank lines", 80, 0, false, true },
	{ "blank lines only", 1, 100, false, true },
	{ "CRLF", 80, 10, true, true },
	{ "no newline at the end", 60, 8, false, false },
	{ "lines about as long as a chunk", 7000, 3, false, true },
	{ "lines longer than chunks", 30000, 2, false, false },
	{ "no newline", 0, 0, false, false },
	{ "few blank lines", 120, 1, false, true },
};

static uint8_t text[TEXT_BYTES];

static size_t
make_text(const struct shape *shape, size_t bytes, uint64_t *seed)
{
	size_t n = 0;

	while (n < bytes) {
		uint64_t line = shape->line_max == 0
					? bytes
					: random_next(seed) % shape->line_max;

		if (random_next(seed) % 100 < shape->blanks)
			line = 0;
		for (; line > 0 && n < bytes; line--)
			text[n++] = (uint8_t)('a' + random_next(seed) % 26);
		if (shape->line_max != 0 && shape->crlf && n < bytes &&
		    random_next(seed) % 8 == 0)
			text[n++] = random_next(seed) % 2 ? ' ' : '\t';
		if (shape->line_max != 0 && shape->crlf && n < bytes)
			text[n++] = '\r';
		if (shape->line_max != 0 && n < bytes)
			text[n++] = '\n';
	}
	if (n > 0 && !shape->ends_with_newline && text[n - 1] == '\n')
		text[n - 1] = '.';
	return n;
}

/*
 * The rule, said again: behind the last blank line in the second half of the
 * aim; else behind the last line within the aim; else behind the line that is
 * longer than it. A rest of a quarter more than the aim stays whole.
 */
static size_t
slow_next(const uint8_t *from, size_t bytes)
{
	size_t blank = 0;
	size_t line = 0;
	bool is_blank = true;

	if (bytes <= LONGEST)
		return bytes;
	for (size_t i = 0; i < bytes; i++) {
		if (from[i] != '\n') {
			is_blank &= strchr(" \t\r", from[i]) != NULL;
			continue;
		}
		if (i >= AIM_BYTES)
			return blank ? blank : line ? line : i + 1;
		/* the line before it ends in the second half, too */
		if (line > AIM_BYTES / 2 && is_blank)
			blank = i + 1;
		line = i + 1;
		is_blank = true;
	}
	return blank ? blank : line ? line : bytes;
}

/* verifies: FR-016-42, FR-016-47, FR-016-48 */
static void
test_chunk_next_joined_chunks_are_the_text(void **state)
{
	uint64_t seed = 0x5eed1;

	for (size_t s = 0; s < ARRAY_LEN(shapes); s++) {
		for (int round = 0; round < 12; round++) {
			size_t bytes = make_text(
				&shapes[s], random_next(&seed) % TEXT_BYTES,
				&seed);
			size_t at = 0;

			while (at < bytes) {
				size_t left = bytes - at;
				size_t got = chunk_next(text + at, left, true,
							AIM_BYTES);
				size_t want = slow_next(text + at, left);

				if (got != want)
					fail_msg("%s: chunk at %zu of %zu: got "
						 "%zu bytes, want %zu",
						 shapes[s].name, at, bytes, got,
						 want);
				at += got;
				if (at < bytes && text[at - 1] != '\n')
					fail_msg("%s: got a cut within a line "
						 "at %zu, want none",
						 shapes[s].name, at);
			}
			ASSERT_EQ(at, bytes);
		}
	}
}

/*
 * Without the end in sight: no answer, or the one that the whole text gives;
 * and an answer as soon as the text that decides it is there.
 */
static void
test_chunk_next_with_a_part_of_the_text_cuts_the_same(void **state)
{
	uint64_t seed = 0x5eed2;

	for (size_t s = 0; s < ARRAY_LEN(shapes); s++) {
		size_t bytes = make_text(&shapes[s], TEXT_BYTES, &seed);
		size_t at = 0;

		while (at < bytes) {
			size_t left = bytes - at;
			size_t want = slow_next(text + at, left);
			size_t decides = want > LONGEST ? want : LONGEST;

			for (size_t part = 1; part < left;
			     part += 1 + random_next(&seed) % 700) {
				size_t got = chunk_next(text + at, part, false,
							AIM_BYTES);

				if (got != (part < decides ? 0 : want))
					fail_msg("%s: %zu of %zu bytes at %zu: "
						 "got %zu, want %zu",
						 shapes[s].name, part, left, at,
						 got,
						 part < decides ? 0 : want);
			}
			at += want;
		}
	}
}

/* Worked examples: newlines at these places, or two of them in a row. */
static const struct {
	const char *what;
	size_t bytes;
	size_t blank[3]; /* offsets of "\n\n"; 0: none */
	size_t newline[3];
	size_t want;
} examples[] = {
	{ "empty", 0, { 0 }, { 0 }, 0 },
	{ "one byte", 1, { 0 }, { 0 }, 1 },
	{ "a short rest stays whole", 7680, { 4000 }, { 5000 }, 7680 },
	{ "one byte more is cut", 7681, { 4000 }, { 5000 }, 4002 },
	{ "the later blank line", 9000, { 3500, 5500 }, { 6000 }, 5502 },
	{ "a blank line too early", 9000, { 3000 }, { 5000 }, 5001 },
	{ "just too early", 9000, { 3071 }, { 5000 }, 5001 },
	{ "just late enough", 9000, { 3072 }, { 5000 }, 3074 },
	{ "just within the aim", 9000, { 6142 }, { 3500 }, 6144 },
	{ "a blank line beyond the aim", 9000, { 6143 }, { 3500 }, 6144 },
	{ "no blank line: the last line", 9000, { 0 }, { 10, 20, 30 }, 31 },
	{ "a newline first of all", 9000, { 0 }, { 0, 1, 8000 }, 2 },
	{ "a line longer than a chunk", 9000, { 0 }, { 8000, 8500 }, 8001 },
	{ "it ends the text", 9000, { 0 }, { 0 }, 9000 },
};

static void
test_chunk_next_examples_are_cut_as_said(void **state)
{
	for (size_t i = 0; i < ARRAY_LEN(examples); i++) {
		size_t got;

		memset(text, 'x', sizeof(text));
		for (int n = 0; n < 3; n++) {
			if (examples[i].newline[n] != 0)
				text[examples[i].newline[n]] = '\n';
			if (examples[i].blank[n] != 0)
				memset(text + examples[i].blank[n], '\n', 2);
		}
		got = chunk_next(text, examples[i].bytes, true, AIM_BYTES);
		if (got != examples[i].want)
			fail_msg("%s: got %zu, want %zu", examples[i].what, got,
				 examples[i].want);
	}
}

#define GUARDED_BYTES (1ull << 30)
#define READABLE_BYTES 8192 /* the aim and a quarter, in whole pages */

/* A gibibyte of text, of which two pages can be read. */
static void
child_cuts_before_a_wall(void *arg)
{
	size_t newline = *(size_t *)arg;
	uint8_t *wall =
		mmap(NULL, GUARDED_BYTES, PROT_NONE,
		     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	CHILD_CHECK(wall != MAP_FAILED);
	CHILD_CHECK(mprotect(wall, READABLE_BYTES, PROT_READ | PROT_WRITE) ==
		    0);
	memset(wall, 'x', READABLE_BYTES);
	wall[newline] = '\n';
	CHILD_CHECK(chunk_next(wall, GUARDED_BYTES, false, AIM_BYTES) ==
		    newline + 1);
	CHILD_CHECK(chunk_next(wall, GUARDED_BYTES, true, AIM_BYTES) ==
		    newline + 1);
}

/*
 * What a cut costs does not grow with the text behind it: so that all of them
 * together are linear. Shown without a clock, by a wall behind the chunk.
 */
static void
test_chunk_next_looks_no_further_than_the_chunk(void **state)
{
	static const size_t newlines[] = {
		0, 100, 3072, 6143, 6144, 7680, READABLE_BYTES - 1
	};

	for (size_t i = 0; i < ARRAY_LEN(newlines); i++) {
		size_t newline = newlines[i];
		int code = run_child(child_cuts_before_a_wall, &newline);

		if (code != CHILD_OK)
			fail_msg("newline at %zu: got %d, want %d", newline,
				 code, CHILD_OK);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_chunk_next_joined_chunks_are_the_text),
		cmocka_unit_test(
			test_chunk_next_with_a_part_of_the_text_cuts_the_same),
		cmocka_unit_test(test_chunk_next_examples_are_cut_as_said),
		cmocka_unit_test(
			test_chunk_next_looks_no_further_than_the_chunk),
	};

	return cmocka_run_group_tests_name("chunk/split", tests, NULL, NULL);
}
