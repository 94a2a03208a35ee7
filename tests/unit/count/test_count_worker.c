/* SPDX-License-Identifier: MIT */
/*
 * test_count_worker.c - runs of chunks through one count worker.
 *
 * The test plays chunk, dedup and collect. What the worker says of a chunk is
 * compared with counting and hashing all of it at once.
 */
#include "catalogue/desc.h"
#include "tests/support/test_stage_rig.h"
#include "stages/job.h"
#include "stages/stage.h"

#include <openssl/evp.h>

#define SLABS 4

static struct rig rig;
static uint8_t text[SLAB_BYTES];

static int
setup(void **state)
{
	uint64_t seed = 0x5eed5;

	rig_open(&rig, 1, SLABS);
	rig_attach(&rig, STAGE_COUNT, 0);
	for (size_t i = 0; i < sizeof(text); i++) {
		static const char letters[] =
			"etaoin shrdlu  \n\n(){};:=+\"'/\\ABC012\t\xc3\xa9";

		text[i] = (uint8_t)
			letters[random_next(&seed) % (sizeof(letters) - 1)];
	}
	return 0;
}

static int
teardown(void **state)
{
	rig_close(&rig);
	return 0;
}

static void
evp_sha256(const void *bytes, size_t nr, uint8_t digest[SHA256_BYTES])
{
	ASSERT_EQ(EVP_Digest(bytes, nr, digest, NULL, EVP_sha256(), NULL), 1);
}

static uint64_t
count_at_once(const uint8_t *bytes, size_t nr)
{
	return tokenizer_count(rig.run.tokenizer, NULL, bytes, nr);
}

static struct desc
make_run(uint8_t flags, uint32_t file_idx, uint32_t slab_idx, uint32_t off,
	 uint32_t bytes)
{
	rig_fill(&rig, slab_idx, SLAB_HEAD_BYTES + off, text + off, bytes);
	return (struct desc){ .kind = DESC_RUN,
			      .flags = flags,
			      .file_idx = file_idx,
			      .slab_idx = slab_idx,
			      .slab_off = SLAB_HEAD_BYTES + off,
			      .bytes = bytes,
			      .line_first = 1 + off,
			      .line_nr = 9,
			      .file_off = off };
}

static void
push_facts(uint8_t flags, uint8_t reason, uint32_t file_idx)
{
	struct desc_file file = { .kind = DESC_FILE,
				  .flags = flags,
				  .reason = reason,
				  .file_idx = file_idx,
				  .slab_idx = SLAB_NONE };

	rig_push(&rig, EDGE_CHUNKS, 0, &file);
}

static struct desc
pop(void)
{
	struct desc desc = { 0 };

	if (!rig_pop(&rig, EDGE_COUNTED, 0, &desc))
		fail_msg("got nothing counted, want an entry");
	return desc;
}

/* A chunk at [off, off + bytes) of the text, seen whole at its last run. */
static void
assert_counted(const struct desc *last, size_t off, size_t bytes)
{
	uint8_t digest[SHA256_BYTES];

	evp_sha256(text + off, bytes, digest);
	ASSERT_EQ(last->tokens, count_at_once(text + off, bytes));
	ASSERT_EQ(memcmp(last->fingerprint, digest, FINGERPRINT_BYTES), 0);
}

/* verifies: FR-016-37, FR-016-73, FR-016-95, AC-016c-022 */
static void
test_count_chunk_in_one_run_is_counted_whole(void **state)
{
	struct desc run = make_run(DESC_SCAN, 3, 0, 100, 5000);
	struct desc got;

	rig_push(&rig, EDGE_CHUNKS, 0, &run);
	ASSERT_EQ(rig_run(&rig), 1);
	got = pop();
	assert_counted(&got, 100, 5000);
	ASSERT_EQ(got.kind, DESC_RUN);
	ASSERT_EQ(got.file_idx, 3);
	ASSERT_EQ(got.file_off, 100);
	ASSERT_EQ(got.line_first, 101);
	ASSERT_EQ(got.line_nr, 9);
	ASSERT_EQ(got.bytes, 5000);
	ASSERT_EQ(got.slab_idx, SLAB_NONE); /* it is the last to look */
	ASSERT_EQ(rig_release_all(&rig, EDGE_COUNT_SLABS), 0);
}

/* What was counted once is known by its content: there is nothing to count it
 * with. */
/* verifies: FR-016c-04, AC-016c-003 */
static void
test_count_chunk_seen_before_is_not_counted_again(void **state)
{
	const struct desc again = make_run(DESC_SCAN, 4, 1, 100, 5000);
	struct desc run = make_run(DESC_SCAN, 3, 0, 100, 5000);
	struct desc first;
	struct desc second;

	rig.run.job.count_cache_entries = 10;
	job_resolve(&rig.run.job);
	rig_die(&rig); /* a worker with that many */
	rig_push(&rig, EDGE_CHUNKS, 0, &run);
	ASSERT_EQ(rig_run(&rig), 1);
	first = pop();
	rig_push(&rig, EDGE_CHUNKS, 0, &again);
	rig.run.tokenizer = NULL;
	ASSERT_EQ(rig_run(&rig), 1);
	second = pop();
	ASSERT_EQ(second.file_idx, 4);
	ASSERT_EQ(second.tokens, first.tokens);
	ASSERT_EQ(memcmp(second.fingerprint, first.fingerprint,
			 FINGERPRINT_BYTES),
		  0);
	ASSERT_EQ(stat_get(rig.worker.shm, STAT_cache_misses), 1);
	ASSERT_EQ(stat_get(rig.worker.shm, STAT_cache_hits), 1);
}

/*
 * Chains: tokens and fingerprint as of the joined text, wherever it is cut,
 * also if each step dies once and another process goes on.
 */
/* verifies: FR-016-73, FR-016-95, NFR-016-21, R5 */
static void
test_count_chain_of_runs_is_counted_as_joined(void **state)
{
	uint64_t seed = 0x5eed6;

	for (uint32_t round = 0; round < 30; round++) {
		uint32_t bytes = 1 + (uint32_t)(random_next(&seed) % 60000);
		uint32_t at = 0;
		struct desc got = { 0 };

		while (at < bytes) {
			uint32_t part =
				1 + (uint32_t)(random_next(&seed) % 20000);
			uint8_t flags = DESC_SCAN | DESC_MORE;
			struct desc run;

			if (part >= bytes - at) {
				part = bytes - at;
				flags = DESC_SCAN;
			}
			run = make_run(flags, round, 0, at, part);
			rig_push(&rig, EDGE_CHUNKS, 0, &run);
			ASSERT_EQ(round % 2 ? rig_step_twice(&rig)
					    : rig_step(&rig),
				  STEP_DONE);
			if (round % 3 == 0)
				rig_die(&rig); /* after the commit */
			got = pop();
			ASSERT_EQ(got.flags, flags);
			at += part;
		}
		assert_counted(&got, 0, bytes);
		push_facts(DESC_SCAN | DESC_LAST, REASON_NONE, round);
		ASSERT_EQ(rig_run(&rig), 1);
		pop();
	}
}

/* The digest of a file of `bytes` of the text, cut at random. */
static void
look_at_file(uint32_t file_idx, uint32_t bytes, uint64_t *seed,
	     uint8_t digest[SHA256_BYTES])
{
	struct desc_file file;
	struct desc got;

	for (uint32_t at = 0; at < bytes;) {
		uint32_t part = (uint32_t)min_u64(bytes - at,
						  1 + random_next(seed) % 9000);
		bool more = at + part < bytes && random_next(seed) % 4 == 0;
		struct desc run =
			make_run(more ? DESC_SCAN | DESC_MORE : DESC_SCAN,
				 file_idx, 0, at, part);

		rig_push(&rig, EDGE_CHUNKS, 0, &run);
		ASSERT_EQ(rig_step_twice(&rig), STEP_DONE);
		pop();
		at += part;
	}
	push_facts(DESC_SCAN | DESC_LAST, REASON_NONE, file_idx);
	ASSERT_EQ(rig_run(&rig), 1);
	got = pop();
	memcpy(&file, &got, sizeof(file));
	memcpy(digest, file.sha256, SHA256_BYTES);
}

/* verifies: FR-016-95 */
static void
test_count_file_looked_at_has_the_digest_of_its_text(void **state)
{
	uint64_t seed = 0x5eedb;
	uint8_t want[SHA256_BYTES];
	uint8_t got[SHA256_BYTES];

	evp_sha256(text, 20000, want);
	for (uint32_t round = 0; round < 20; round++) {
		look_at_file(round, 20000, &seed, got);
		ASSERT_EQ(memcmp(got, want, SHA256_BYTES), 0);
	}
	/* and nothing of it is left for the next file */
	memset(want, 0, sizeof(want));
	look_at_file(30, 0, &seed, got);
	ASSERT_EQ(memcmp(got, want, SHA256_BYTES), 0);
}

/* Where chunks are chosen a copy with other line ends has the same digest. */
static void
test_count_file_with_other_line_ends_has_the_same_digest(void **state)
{
	uint64_t seed = 0x5eedc;
	static uint8_t lines[20000];
	uint32_t bytes = 0;
	uint8_t want[SHA256_BYTES];
	uint8_t got[SHA256_BYTES];

	for (size_t i = 0; i < sizeof(lines); i++)
		lines[i] = i % 37 == 36 ? '\n' : 'a' + (uint8_t)(i % 26);
	lines[sizeof(lines) - 1] = '\n';
	evp_sha256(lines, sizeof(lines), want);
	for (size_t i = 0; i < sizeof(lines); i++) {
		if (lines[i] == '\n' && i % 3 == 0)
			text[bytes++] = '\t';
		if (lines[i] == '\n')
			text[bytes++] = '\r';
		text[bytes++] = lines[i];
	}
	rig.run.job.normalize = NORMALIZE_TRAILING;
	rig.run.job.budget_tokens = 1000;
	job_resolve(&rig.run.job);
	for (uint32_t round = 0; round < 20; round++) {
		look_at_file(round, bytes, &seed, got);
		ASSERT_EQ(memcmp(got, want, SHA256_BYTES), 0);
	}
	/* what is packed as it is comes back byte for byte */
	rig.run.job.budget_tokens = BUDGET_ALL;
	job_resolve(&rig.run.job);
	look_at_file(30, bytes, &seed, got);
	evp_sha256(text, bytes, want);
	ASSERT_EQ(memcmp(got, want, SHA256_BYTES), 0);
}

/* verifies: FR-016-95 */
static void
test_count_whole_file_to_be_written_becomes_facts_and_a_run(void **state)
{
	struct desc_file file = {
		.kind = DESC_FILE,
		.flags = DESC_EMIT | DESC_LAST | DESC_RELEASE | DESC_NO_NEWLINE,
		.file_idx = 5,
		.slab_idx = 1,
		.slab_off = SLAB_HEAD_BYTES,
		.bytes = 30000,
		.line_nr = 77,
		.mark_run = 3,
	};
	uint8_t want[SHA256_BYTES];
	struct desc got;
	uint64_t tokens;

	rig_fill(&rig, 1, SLAB_HEAD_BYTES, text, 30000);
	rig_push(&rig, EDGE_CHUNKS, 0, &file);
	ASSERT_EQ(rig_step_twice(&rig), STEP_DONE);
	got = pop();
	memcpy(&file, &got, sizeof(file));
	evp_sha256(text, 30000, want);
	ASSERT_EQ(memcmp(file.sha256, want, SHA256_BYTES), 0);
	ASSERT_EQ(file.kind, DESC_FILE);
	ASSERT_EQ(file.flags, DESC_EMIT | DESC_NO_NEWLINE);
	ASSERT_EQ(file.slab_idx, SLAB_NONE);
	ASSERT_EQ(file.bytes, 30000);
	ASSERT_EQ(file.mark_run, 3);
	got = pop();
	tokens = count_at_once(text, 30000);
	ASSERT_EQ(got.kind, DESC_RUN);
	ASSERT_EQ(got.flags, DESC_EMIT | DESC_LAST | DESC_RELEASE);
	ASSERT_EQ(got.slab_idx, 1);
	ASSERT_EQ(got.bytes, 30000);
	ASSERT_EQ(got.line_first, 1);
	ASSERT_EQ(got.line_nr, 77);
	ASSERT_EQ(got.tokens_alone, tokens);
	/* the slab goes on with the run */
	ASSERT_EQ(rig_release_all(&rig, EDGE_COUNT_SLABS), 0);
}

static void
test_count_empty_file_to_be_written_gives_its_slab_back(void **state)
{
	struct desc_file file = {
		.kind = DESC_FILE,
		.flags = DESC_EMIT | DESC_LAST | DESC_RELEASE,
		.file_idx = 5,
		.slab_idx = 0,
		.slab_off = SLAB_HEAD_BYTES,
	};
	struct desc got;

	rig_push(&rig, EDGE_CHUNKS, 0, &file);
	ASSERT_EQ(rig_run(&rig), 1);
	got = pop();
	ASSERT_EQ(got.kind, DESC_FILE);
	ASSERT_EQ(got.flags, DESC_EMIT | DESC_LAST);
	ASSERT_EQ(got.slab_idx, SLAB_NONE);
	ASSERT_EQ(rig_used(&rig, EDGE_COUNTED, 0), 0);
	ASSERT_EQ(rig_release_all(&rig, EDGE_COUNT_SLABS), 1);
	rig_assert_released(&rig, 1, 1);
}

/*
 * The span of a run to be written: head, middle and tail add up to the run
 * alone, and a stream that takes the span counts as one that looks at it all.
 */
/* verifies: NFR-016-21 */
static void
test_count_spans_join_to_the_count_of_the_whole(void **state)
{
	uint64_t seed = 0x5eed7;
	struct token_stream stream;
	uint32_t at = 0;

	token_stream_init(&stream);
	for (uint32_t i = 0; i < 40; i++) {
		uint32_t bytes = 1 + (uint32_t)(random_next(&seed) % 6000);
		struct desc run = make_run(DESC_EMIT, 1, 0, at, bytes);
		struct token_span span;
		struct desc got;

		rig_push(&rig, EDGE_CHUNKS, 0, &run);
		ASSERT_EQ(rig_run(&rig), 1);
		got = pop();
		ASSERT_TRUE(
			desc_valid(&got, SLABS, SLAB_BYTES, DESC_GROWTH_MAX));
		ASSERT_EQ(got.tokens_alone, count_at_once(text + at, bytes));
		ASSERT_EQ(got.tokens,
			  count_at_once(text + at + got.span_head,
					got.span_tail - got.span_head));
		span = (struct token_span){
			.head_len = got.span_head,
			.tail_off = got.span_tail,
			.tokens = got.tokens,
			.found = got.span_head < got.bytes,
		};
		if (!span.found)
			span = (struct token_span){ .found = false };
		token_stream_feed_span(rig.run.tokenizer, &stream, text + at,
				       bytes, &span);
		at += bytes;
	}
	ASSERT_EQ(token_stream_count(rig.run.tokenizer, &stream),
		  count_at_once(text, at));
}

/* verifies: FR-016-95 */
static void
test_count_planned_chunk_has_the_fingerprint_of_the_survey(void **state)
{
	struct desc got;
	struct desc run;
	uint8_t digest[SHA256_BYTES];

	rig.run.job.budget_tokens = 1000;
	job_resolve(&rig.run.job);
	evp_sha256(text, 9000, digest);
	/* in one piece, in three, and each chunk for itself */
	run = make_run(DESC_EMIT, 1, 0, 0, 9000);
	rig_push(&rig, EDGE_CHUNKS, 0, &run);
	for (uint32_t at = 0; at < 9000; at += 3000) {
		run = make_run(at < 6000 ? DESC_EMIT | DESC_MORE : DESC_EMIT, 1,
			       0, at, 3000);
		rig_push(&rig, EDGE_CHUNKS, 0, &run);
	}
	for (int i = 0; i < 4; i++)
		ASSERT_EQ(rig_step_twice(&rig), STEP_DONE);
	got = pop();
	ASSERT_EQ(memcmp(got.fingerprint, digest, FINGERPRINT_BYTES), 0);
	pop();
	pop();
	got = pop();
	ASSERT_EQ(memcmp(got.fingerprint, digest, FINGERPRINT_BYTES), 0);
}

/*
 * A chunk up to a line: what is not written is hashed with the rest, and
 * neither counted nor passed on.
 */
static void
test_count_planned_chunk_in_part_is_compared_as_a_whole(void **state)
{
	static const struct {
		uint32_t skip;
		uint32_t rest;
	} cases[] = { { 0, 0 },    { 0, 1 },       { 0, 4000 },
		      { 0, 8999 }, { 0, 9000 },    { 1, 0 },
		      { 5000, 0 }, { 5000, 1000 }, { 9000, 0 } };
	uint8_t digest[SHA256_BYTES];

	rig.run.job.budget_tokens = 1000;
	job_resolve(&rig.run.job);
	evp_sha256(text, 9000, digest);
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		uint32_t skip = cases[i].skip;
		uint32_t written = 9000 - cases[i].rest - skip;
		struct desc run = make_run(DESC_EMIT, 1, 0, 0, 9000);
		struct desc got;

		run.rest_bytes = cases[i].rest;
		run.skip_bytes = skip;
		rig_push(&rig, EDGE_CHUNKS, 0, &run);
		ASSERT_EQ(rig_run(&rig), 1);
		got = pop();
		ASSERT_TRUE(
			desc_valid(&got, SLABS, SLAB_BYTES, DESC_GROWTH_MAX));
		ASSERT_EQ(memcmp(got.fingerprint, digest, FINGERPRINT_BYTES),
			  0);
		ASSERT_EQ(got.bytes, written);
		ASSERT_EQ(got.slab_off, run.slab_off + skip);
		ASSERT_TRUE(got.span_tail <= written);
		ASSERT_EQ(got.tokens_alone,
			  count_at_once(text + skip, written));
	}
}

/*
 * A file goes bad in the middle of a chunk: what was begun is no part of the
 * next file's first chunk.
 */
static void
test_count_chunk_broken_off_leaves_nothing_behind(void **state)
{
	static const uint8_t ways[] = { DESC_SCAN, DESC_EMIT };

	for (size_t i = 0; i < ARRAY_LEN(ways); i++) {
		uint8_t way = ways[i];
		uint8_t digest[SHA256_BYTES];
		struct desc run;
		struct desc got;

		rig.run.job.budget_tokens = 1000;
		job_resolve(&rig.run.job);
		run = make_run(way | DESC_MORE, 1, 0, 0, 3000);
		rig_push(&rig, EDGE_CHUNKS, 0, &run);
		push_facts(way | DESC_LAST, REASON_VANISHED, 1);
		run = make_run(way, 2, 0, 5000, 3000);
		rig_push(&rig, EDGE_CHUNKS, 0, &run);
		ASSERT_EQ(rig_run(&rig), 3);
		pop();
		got = pop();
		ASSERT_EQ(got.kind, DESC_FILE);
		ASSERT_EQ(got.reason, REASON_VANISHED);
		got = pop();
		evp_sha256(text + 5000, 3000, digest);
		if (memcmp(got.fingerprint, digest, FINGERPRINT_BYTES) != 0)
			fail_msg("flags %u: got another fingerprint, want that "
				 "of the chunk alone",
				 way);
		push_facts(way | DESC_LAST, REASON_VANISHED, 2);
		ASSERT_EQ(rig_run(&rig), 1);
		pop();
	}
}

/* Each slab goes back once, when the last that points into it is counted. */
static void
test_count_gives_each_slab_back_once(void **state)
{
	struct desc run = make_run(DESC_SCAN, 0, 0, 0, 100);
	struct desc slab = { .kind = DESC_SLAB,
			     .flags = DESC_RELEASE,
			     .slab_idx = 2 };
	struct desc got;

	rig_push(&rig, EDGE_CHUNKS, 0, &run);
	run.flags |= DESC_RELEASE;
	rig_push(&rig, EDGE_CHUNKS, 0, &run);
	run.slab_idx = 1;
	rig_push(&rig, EDGE_CHUNKS, 0, &run);
	rig_push(&rig, EDGE_CHUNKS, 0, &slab);
	ASSERT_EQ(rig_step(&rig), STEP_DONE);
	ASSERT_EQ(rig_release_all(&rig, EDGE_COUNT_SLABS), 0);
	for (uint32_t i = 0; i < 3; i++) {
		ASSERT_EQ(rig_step_twice(&rig), STEP_DONE);
		ASSERT_EQ(rig_release_all(&rig, EDGE_COUNT_SLABS), 1);
		rig_assert_released(&rig, i + 1, 1);
	}
	/* three runs went on; the slab alone did not */
	for (int i = 0; i < 3; i++) {
		got = pop();
		ASSERT_EQ(got.kind, DESC_RUN);
		ASSERT_EQ(got.flags, DESC_SCAN);
	}
	ASSERT_EQ(rig_used(&rig, EDGE_COUNTED, 0), 0);
}

/* Within a chunk all of the state is committed, else only what matters. */
static void
test_count_state_is_short_between_chunks(void **state)
{
	const struct step_shm *steps = rig.worker.shm->steps;
	struct desc run = make_run(DESC_SCAN | DESC_MORE, 0, 0, 0, 4000);
	uint32_t within;
	uint32_t between;

	rig_push(&rig, EDGE_CHUNKS, 0, &run);
	ASSERT_EQ(rig_step(&rig), STEP_DONE);
	within = steps[rig.worker.committed & 1].state_bytes;
	run.flags = DESC_SCAN;
	rig_push(&rig, EDGE_CHUNKS, 0, &run);
	ASSERT_EQ(rig_step(&rig), STEP_DONE);
	between = steps[rig.worker.committed & 1].state_bytes;
	ASSERT_EQ(within, stage_table[STAGE_COUNT].ops->state_bytes);
	ASSERT_TRUE(within - between > sizeof(struct token_stream));
	pop();
	pop();
}

static void
test_count_poison_leaves_the_file_out(void **state)
{
	struct desc run = make_run(DESC_SCAN, 4, 0, 0, 4000);
	struct desc next = make_run(DESC_SCAN | DESC_RELEASE, 5, 1, 0, 500);
	struct desc got;

	rig_push(&rig, EDGE_CHUNKS, 0, &run);
	run.flags |= DESC_RELEASE;
	rig_push(&rig, EDGE_CHUNKS, 0, &run);
	push_facts(DESC_SCAN | DESC_LAST, REASON_NONE, 4);
	rig_push(&rig, EDGE_CHUNKS, 0, &next);
	rig_poison(&rig);
	got = pop();
	ASSERT_EQ(got.kind, DESC_FILE);
	ASSERT_EQ(got.reason, REASON_POISON);
	ASSERT_EQ(got.flags, DESC_SCAN | DESC_LAST);
	ASSERT_EQ(got.file_idx, 4);
	ASSERT_EQ(rig_run(&rig), 3);
	/* the rest of it gives its slab back and no more */
	got = pop();
	ASSERT_EQ(got.file_idx, 5);
	assert_counted(&got, 0, 500);
	ASSERT_EQ(rig_used(&rig, EDGE_COUNTED, 0), 0);
	ASSERT_EQ(rig_release_all(&rig, EDGE_COUNT_SLABS), 2);
	rig_assert_released(&rig, 2, 1);
}

/* Three deaths at an entry that is a slab say nothing about any file. */
static void
test_count_poison_at_a_slab_gives_it_back(void **state)
{
	struct desc slab = { .kind = DESC_SLAB,
			     .flags = DESC_RELEASE,
			     .slab_idx = 0 };
	struct desc run = make_run(DESC_SCAN, 0, 1, 0, 500);
	struct desc got;

	rig_push(&rig, EDGE_CHUNKS, 0, &slab);
	rig_push(&rig, EDGE_CHUNKS, 0, &run);
	rig_poison(&rig);
	ASSERT_EQ(rig_release_all(&rig, EDGE_COUNT_SLABS), 1);
	ASSERT_EQ(rig_used(&rig, EDGE_COUNTED, 0), 0);
	ASSERT_EQ(rig_run(&rig), 1);
	got = pop();
	assert_counted(&got, 0, 500);
}

static void
test_count_full_output_waits(void **state)
{
	struct desc got;
	uint32_t pushed = 0;

	for (uint32_t i = 0; i < 20000; i++) {
		if (rig_used(&rig, EDGE_CHUNKS, 0) ==
		    edge_table[EDGE_CHUNKS].entry_nr)
			rig_run(&rig);
		if (rig_used(&rig, EDGE_CHUNKS, 0) ==
		    edge_table[EDGE_CHUNKS].entry_nr)
			break;
		push_facts(DESC_SCAN | DESC_LAST, REASON_NONE, pushed++);
	}
	ASSERT_TRUE(pushed < 20000);
	for (uint32_t i = 0; i < pushed; i++) {
		if (rig_used(&rig, EDGE_COUNTED, 0) == 0)
			rig_run(&rig);
		got = pop();
		ASSERT_EQ(got.file_idx, i);
	}
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int
main(void)
{
	const struct CMUnitTest tests[] = {
		CASE(test_count_chunk_in_one_run_is_counted_whole),
		CASE(test_count_chunk_seen_before_is_not_counted_again),
		CASE(test_count_chain_of_runs_is_counted_as_joined),
		CASE(test_count_file_looked_at_has_the_digest_of_its_text),
		CASE(test_count_file_with_other_line_ends_has_the_same_digest),
		CASE(test_count_whole_file_to_be_written_becomes_facts_and_a_run),
		CASE(test_count_empty_file_to_be_written_gives_its_slab_back),
		CASE(test_count_spans_join_to_the_count_of_the_whole),
		CASE(test_count_planned_chunk_has_the_fingerprint_of_the_survey),
		CASE(test_count_planned_chunk_in_part_is_compared_as_a_whole),
		CASE(test_count_chunk_broken_off_leaves_nothing_behind),
		CASE(test_count_gives_each_slab_back_once),
		CASE(test_count_state_is_short_between_chunks),
		CASE(test_count_poison_leaves_the_file_out),
		CASE(test_count_poison_at_a_slab_gives_it_back),
		CASE(test_count_full_output_waits),
	};

	return cmocka_run_group_tests_name("count/worker", tests, NULL, NULL);
}
