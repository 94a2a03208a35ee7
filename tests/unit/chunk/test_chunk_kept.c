/* SPDX-License-Identifier: MIT */
/*
 * test_chunk_kept.c - signatures that are kept beside the names of their file.
 */
#include "tests/support/test_shm.h"

#include "catalogue/names.h"
#include "stages/chunk/chunk_kept.h"

static const char file[] = "import os\n\nint f(int a)\n{\n\treturn a;\n}\n";
static const char text[] = "imports: os\nint f(int a)\n";
static struct lang_signatures signatures; /* the places, to be kept */
static struct lang_signatures places;     /* that are given back */
static uint8_t delta[256];
static uint8_t encoded[NAMES_SIGNATURES_BYTES];
static uint8_t got[NAMES_SIGNATURES_BYTES];

static const struct delta_source source = { (const uint8_t *)file,
					    sizeof(file) - 1 };

/* The line of the function, taken down as it is derived. */
static struct chunk_kept
derived(void)
{
	struct delta_writer writer;

	delta_begin(&writer, &source, delta, sizeof(delta));
	delta_add(&writer, source.bytes + 11, 12);
	delta_add(&writer, (const uint8_t *)"\n", 1);
	signatures.nr = 1;
	signatures.list[0].line = 3;
	return (struct chunk_kept){
		.part = { .off = 70000, .done = 35, .line_end = 9 },
		.text = (const uint8_t *)text,
		.bytes = sizeof(text) - 1,
		.written = 13,
		.signatures = &signatures,
		.delta = delta,
		.delta_bytes = delta_end(&writer),
	};
}

static struct chunk_kept_out
room(uint32_t bytes)
{
	return (struct chunk_kept_out){
		.text = got,
		.room = bytes,
		.signatures = &places,
	};
}

/* Decodes the first part of so many bytes. */
static bool
decode(const uint8_t *from, uint32_t bytes, const struct delta_source *of,
       struct chunk_kept_out *out)
{
	struct chunk_kept_found found;
	uint32_t at = 0;

	return chunk_kept_next(from, bytes, &at, &found) &&
	       chunk_kept_decode(&found, of, out);
}

static void
test_kept_signatures_come_back(void **state)
{
	struct chunk_kept kept = derived();
	struct chunk_kept_out out = room(sizeof(text) - 1);
	uint32_t bytes =
		chunk_kept_encode(&kept, encoded, NAMES_SIGNATURES_BYTES);

	/* the line is told by its place */
	ASSERT_TRUE(bytes > 0);
	ASSERT_TRUE(memmem(encoded, bytes, "int a", 5) == NULL);
	ASSERT_TRUE(decode(encoded, bytes, &source, &out));
	ASSERT_EQ(out.bytes, sizeof(text) - 1);
	ASSERT_EQ(out.written, 13);
	ASSERT_TRUE(!out.is_file);
	assert_memory_equal(got, text, out.bytes);
	ASSERT_EQ(places.nr, 1);
	ASSERT_EQ(places.list[0].line, 3);
	out = room(sizeof(text) - 2);
	ASSERT_TRUE(!decode(encoded, bytes, &source, &out));
}

/* Signatures that are no shorter than their file: that is told, and of which. */
static void
test_kept_file_itself_is_of_its_length(void **state)
{
	const struct chunk_kept kept = { .bytes = sizeof(file) - 1,
					 .is_file = true,
					 .signatures = &signatures };
	const struct delta_source shorter = { source.bytes, source.nr - 1 };
	struct chunk_kept_out out = room(sizeof(file));
	uint32_t bytes =
		chunk_kept_encode(&kept, encoded, NAMES_SIGNATURES_BYTES);

	ASSERT_TRUE(decode(encoded, bytes, &source, &out));
	ASSERT_TRUE(out.is_file);
	ASSERT_EQ(out.bytes, source.nr);
	ASSERT_TRUE(!decode(encoded, bytes, &shorter, &out));
}

/* One behind the other; each says where it begins and ends. */
static void
test_kept_parts_are_found_in_their_order(void **state)
{
	struct chunk_kept kept = derived();
	struct chunk_kept_found found;
	uint32_t bytes = 0;
	uint32_t at = 0;

	for (uint32_t i = 0; i < 3; i++) {
		kept.part.off = i * 100000ull << 20;
		bytes += chunk_kept_encode(&kept, encoded + bytes,
					   NAMES_SIGNATURES_BYTES - bytes);
	}
	for (uint32_t i = 0; i < 3; i++) {
		struct chunk_kept_out out = room(sizeof(text));

		ASSERT_TRUE(chunk_kept_next(encoded, bytes, &at, &found));
		ASSERT_EQ(found.part.off, i * 100000ull << 20);
		ASSERT_EQ(found.part.done, 35);
		ASSERT_EQ(found.part.line_end, 9);
		ASSERT_TRUE(chunk_kept_decode(&found, &source, &out));
		assert_memory_equal(got, text, out.bytes);
	}
	ASSERT_EQ(at, bytes);
	ASSERT_TRUE(!chunk_kept_next(encoded, bytes, &at, &found));
}

/* Lines need not be in order; places are. */
static void
test_kept_places_are_those_that_were_added(void **state)
{
	struct chunk_kept kept = derived();
	struct chunk_kept_out out = room(sizeof(text));
	uint32_t bytes;

	srand(3);
	signatures.nr = 500;
	for (uint32_t i = 0; i < signatures.nr; i++) {
		signatures.list[i].off = i / 50;
		signatures.list[i].line = (uint32_t)rand() << (i % 2);
		signatures.list[i].is_public = rand() % 2;
		signatures.list[i].has_body = rand() % 2;
	}
	bytes = chunk_kept_encode(&kept, encoded, NAMES_SIGNATURES_BYTES);
	ASSERT_TRUE(bytes > 0);
	ASSERT_TRUE(decode(encoded, bytes, &source, &out));
	ASSERT_EQ(places.nr, signatures.nr);
	assert_memory_equal(places.list, signatures.list,
			    signatures.nr * sizeof(places.list[0]));
	/* one that goes back */
	signatures.list[100].off = 0;
	ASSERT_EQ(chunk_kept_encode(&kept, encoded, NAMES_SIGNATURES_BYTES), 0);
}

static void
test_kept_signatures_without_room_are_none(void **state)
{
	struct chunk_kept kept = derived();
	uint32_t whole =
		chunk_kept_encode(&kept, encoded, NAMES_SIGNATURES_BYTES);

	for (uint32_t bytes = 0; bytes < whole; bytes++) {
		encoded[bytes] = 0xa5;
		ASSERT_EQ(chunk_kept_encode(&kept, encoded, bytes), 0);
		ASSERT_EQ(encoded[bytes], 0xa5);
	}
	/* nor are those of which not all are known */
	signatures.nr = OUTLINE_SIGNATURES + 1;
	ASSERT_EQ(chunk_kept_encode(&kept, encoded, NAMES_SIGNATURES_BYTES), 0);
	kept = derived();
	kept.delta_bytes = 0;
	ASSERT_EQ(chunk_kept_encode(&kept, encoded, NAMES_SIGNATURES_BYTES), 0);
}

/* Whatever it is, nothing is read or written beyond what there is, and no place
 * lies behind the signatures. */
static void
test_kept_signatures_that_are_damaged_are_refused(void **state)
{
	struct chunk_kept kept = derived();
	uint32_t nr = chunk_kept_encode(&kept, encoded, NAMES_SIGNATURES_BYTES);
	uint8_t *whole = malloc(nr);
	uint8_t *exact = malloc(sizeof(text));

	memcpy(whole, encoded, nr);
	for (uint32_t cut = 0; cut < nr; cut++) {
		struct chunk_kept_out out = room(sizeof(text));

		out.text = exact;
		ASSERT_TRUE(!decode(whole, cut, &source, &out));
	}
	srand(2);
	for (int round = 0; round < 50000; round++) {
		struct chunk_kept_out out = room(sizeof(text));
		uint32_t at = (uint32_t)rand() % nr;
		uint8_t was = whole[at];

		out.text = exact;
		whole[at] = (uint8_t)rand();
		if (decode(whole, nr, &source, &out) && !out.is_file)
			for (uint32_t i = 0; i < places.nr; i++)
				ASSERT_TRUE(places.list[i].off <= out.written);
		whole[at] = was;
	}
	free(exact);
	free(whole);
}

static int
setup(void **state)
{
	memset(&signatures, 0, sizeof(signatures));
	return 0;
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(test_kept_signatures_come_back, setup),
		cmocka_unit_test_setup(test_kept_file_itself_is_of_its_length,
				       setup),
		cmocka_unit_test_setup(test_kept_parts_are_found_in_their_order,
				       setup),
		cmocka_unit_test_setup(
			test_kept_places_are_those_that_were_added, setup),
		cmocka_unit_test_setup(
			test_kept_signatures_without_room_are_none, setup),
		cmocka_unit_test_setup(
			test_kept_signatures_that_are_damaged_are_refused,
			setup),
	};

	return cmocka_run_group_tests_name("chunk/kept", tests, NULL, NULL);
}
