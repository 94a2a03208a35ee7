/* SPDX-License-Identifier: MIT */
/*
 * test_dedup_rig.h - a dedup worker, and files for it that are made from a
 * seed: the test plays collect (turns), the count workers of all lanes, and
 * select.
 */
#ifndef TESTS_SUPPORT_TEST_DEDUP_RIG_H
#define TESTS_SUPPORT_TEST_DEDUP_RIG_H

#include "tests/support/test_stage_rig.h"
#include "catalogue/chunks.h"
#include "catalogue/facts.h"
#include "catalogue/files.h"
#include "stages/stage.h"
#include "stages/job.h"

#define LANES 3
#define FILES_MAX 6000
#define SLABS 8

static struct rig rig;

/* A file as the test made it up. */
struct made_file {
	uint32_t content; /* files of the same number have the same bytes */
	uint32_t chunk_nr;
	uint32_t lane;
	uint8_t reason;  /* left out before it was read: no lane */
	uint8_t charset; /* matters where everything is packed */
	bool empty;
};

static struct made_file files[FILES_MAX];
static uint32_t file_nr;

static inline int
setup(void **state)
{
	rig_open(&rig, LANES, SLABS);
	rig.run.job.budget_tokens = 100000; /* a survey first */
	job_resolve(&rig.run.job);
	rig_attach(&rig, STAGE_DEDUP, 0);
	return 0;
}

static inline int
teardown(void **state)
{
	rig_close(&rig);
	return 0;
}

static inline void
make_files(uint32_t nr, uint32_t contents, uint64_t seed)
{
	file_nr = nr;
	for (uint32_t i = 0; i < nr; i++) {
		struct made_file *file = &files[i];

		*file = (struct made_file){ 0 };
		file->content = (uint32_t)(random_next(&seed) % contents);
		file->lane = (uint32_t)(random_next(&seed) % LANES);
		if (random_next(&seed) % 10 == 0)
			file->reason = REASON_BINARY;
		file->empty = random_next(&seed) % 12 == 0;
		file->chunk_nr = file->empty ? 0 : 1 + file->content % 4;
		if (random_next(&seed) % 8 == 0)
			file->charset = CHARSET_WESTERN;
		rig_add_file(&rig, i, "f", "")->charset = file->charset;
	}
}

/* Digests that share their first bytes, so that places and tags collide. */
static inline void
digest_of(uint32_t content, uint8_t digest[SHA256_BYTES])
{
	memset(digest, 0, SHA256_BYTES);
	digest[0] = (uint8_t)(content % 7);
	memcpy(digest + 16, &content, sizeof(content));
}

static inline uint32_t
tokens_of(uint32_t content, uint32_t chunk)
{
	return 100 + content % 50 + chunk;
}

static inline struct desc
scan_run(uint32_t file_idx, uint32_t chunk)
{
	const struct made_file *file = &files[file_idx];
	struct desc run = {
		.kind = DESC_RUN,
		.flags = DESC_SCAN,
		.file_idx = file_idx,
		.slab_idx = SLAB_NONE,
		.bytes = 1000,
		.line_first = 1 + 10 * chunk,
		.line_nr = 10,
		.tokens = tokens_of(file->content, chunk),
		.file_off = 1000ull * chunk,
	};

	memcpy(run.fingerprint, &file->content, sizeof(file->content));
	run.fingerprint[8] = (uint8_t)chunk;
	return run;
}

static inline struct desc_file
scan_facts(uint32_t file_idx)
{
	const struct made_file *file = &files[file_idx];
	struct desc_file facts = {
		.kind = DESC_FILE,
		.flags = DESC_SCAN | DESC_LAST,
		.reason = file->reason,
		.file_idx = file_idx,
		.slab_idx = SLAB_NONE,
		.line_nr = 10 * file->chunk_nr,
		.mark_run = file->content % 9,
	};

	digest_of(file->content, facts.sha256);
	return facts;
}

static inline void
push_turn(uint32_t file_idx)
{
	struct desc turn = { .kind = DESC_LANE,
			     .lane = (uint8_t)files[file_idx].lane,
			     .file_idx = file_idx,
			     .slab_idx = SLAB_NONE };
	struct desc_file gone = scan_facts(file_idx);

	if (files[file_idx].reason != REASON_NONE)
		rig_push(&rig, EDGE_ORDER, 0, &gone);
	else
		rig_push(&rig, EDGE_ORDER, 0, &turn);
}

/* Where a producer stands in what it has to push. */
struct cursor {
	uint32_t file_idx;
	uint32_t chunk;
};

/* The next entry of one lane; false: it has given all. */
static inline bool
push_next_of_lane(uint32_t lane, struct cursor *at)
{
	struct desc_file facts;
	struct desc run;

	while (at->file_idx < file_nr &&
	       (files[at->file_idx].lane != lane ||
		files[at->file_idx].reason != REASON_NONE))
		at->file_idx++;
	if (at->file_idx == file_nr)
		return false;
	if (at->chunk < files[at->file_idx].chunk_nr) {
		run = scan_run(at->file_idx, at->chunk++);
		rig_push(&rig, EDGE_COUNTED, lane, &run);
		return true;
	}
	facts = scan_facts(at->file_idx++);
	at->chunk = 0;
	rig_push(&rig, EDGE_COUNTED, lane, &facts);
	return true;
}

/* All entries of a survey, in an order that the seed says; steps between. */
static inline void
survey(uint64_t seed, bool dying)
{
	struct cursor lanes[LANES] = { { 0 } };
	uint32_t turns = 0;
	bool is_open[LANES + 1] = { true, true, true, true };
	int left = LANES + 1;

	while (left > 0) {
		uint32_t who = (uint32_t)(random_next(&seed) % (LANES + 1));
		uint64_t nr = random_next(&seed) % 200;

		for (; nr > 0 && is_open[who]; nr--) {
			if (who == LANES && turns < file_nr)
				push_turn(turns++);
			else if (who == LANES ||
				 !push_next_of_lane(who, &lanes[who]))
				is_open[who] = false;
			left -= !is_open[who];
		}
		if (random_next(&seed) % 2 == 0)
			continue;
		while ((dying ? rig_step_twice(&rig) : rig_step(&rig)) ==
		       STEP_DONE)
			;
	}
	while (rig_step(&rig) == STEP_DONE)
		;
	rig_close_inputs(&rig, 1);
	ASSERT_EQ(rig_step(&rig), STEP_DONE);
}

/* A file of one run, to be written as it is read. */
static inline void
push_emitted(uint32_t file_idx, uint32_t content, uint32_t slab_idx)
{
	struct desc turn = { .kind = DESC_LANE,
			     .file_idx = file_idx,
			     .slab_idx = SLAB_NONE };
	struct desc_file facts = {
		.kind = DESC_FILE,
		.flags = DESC_EMIT,
		.file_idx = file_idx,
		.slab_idx = SLAB_NONE,
		.bytes = 500,
		.line_nr = 5,
	};
	struct desc run = {
		.kind = DESC_RUN,
		.flags = DESC_EMIT | DESC_LAST | DESC_RELEASE,
		.file_idx = file_idx,
		.slab_idx = slab_idx,
		.slab_off = SLAB_HEAD_BYTES,
		.bytes = 500,
		.line_first = 1,
		.line_nr = 5,
		.tokens_alone = 111,
	};

	rig_add_file(&rig, file_idx, "f", "");
	digest_of(content, facts.sha256);
	rig_push(&rig, EDGE_ORDER, 0, &turn);
	rig_push(&rig, EDGE_COUNTED, 0, &facts);
	rig_push(&rig, EDGE_COUNTED, 0, &run);
}

/* Three surveyed files of two chunks each, all of them planned. */
static inline void
survey_three(void)
{
	static const uint64_t plan[] = { 0, 1, 2, 3, 4, 5 };
	struct desc desc;

	make_files(3, 9, 5);
	for (uint32_t i = 0; i < 3; i++)
		files[i] = (struct made_file){ .content = 10 + i,
					       .chunk_nr = 2,
					       .lane = i };
	survey(3, false);
	while (rig_pop(&rig, EDGE_UNIQUE, 0, &desc))
		;
	rig_set_plan(&rig, plan, ARRAY_LEN(plan));
}

static inline void
push_planned(uint32_t file_idx, uint32_t chunk, uint8_t flags)
{
	struct desc run = scan_run(file_idx, chunk);

	run.flags = (uint8_t)(DESC_EMIT | flags);
	run.slab_idx = file_idx;
	run.slab_off = SLAB_HEAD_BYTES;
	run.tokens_alone = 0;
	rig_push(&rig, EDGE_COUNTED, files[file_idx].lane, &run);
}

static inline void
assert_gathered_facts(uint32_t file_idx, uint8_t reason)
{
	uint8_t got = catalogue_facts(&rig.run.catalogue, file_idx)->reason;

	if (got != reason)
		fail_msg("file %u: got reason %s, want %s", file_idx,
			 reason_text(got), reason_text(reason));
}

/* The earliest file of the same content, as a list would find it. */
static inline uint32_t
first_of_same(uint32_t file_idx)
{
	for (uint32_t i = 0; i < file_idx; i++)
		if (files[i].reason == REASON_NONE && !files[i].empty &&
		    files[i].content == files[file_idx].content)
			return i;
	return FILE_NONE;
}

static inline void
assert_chunks(const struct file_facts *facts, uint32_t file_idx)
{
	uint64_t tokens = 0;

	for (uint32_t c = 0; c < facts->chunk_nr; c++) {
		const struct chunk_record *chunk = catalogue_chunk(
			&rig.run.catalogue, facts->chunk_first + c);

		ASSERT_EQ(chunk->file_idx, file_idx);
		ASSERT_EQ(chunk->file_off, 1000 * c);
		ASSERT_EQ(chunk->bytes, 1000);
		ASSERT_EQ(chunk->line_first, 1 + 10 * c);
		ASSERT_EQ(chunk->line_nr, 10);
		ASSERT_EQ(chunk->tokens, tokens_of(files[file_idx].content, c));
		ASSERT_EQ(chunk->fingerprint[8], c);
		tokens += chunk->tokens;
	}
	ASSERT_EQ(facts->tokens, tokens);
}

/* The first file for which the table would have to grow beyond `slots`. */
static inline uint32_t
first_not_compared(uint32_t slots)
{
	uint32_t contents = 0;

	for (uint32_t i = 0; i < file_nr; i++) {
		if (files[i].reason != REASON_NONE || files[i].empty)
			continue;
		if (contents == slots / 2)
			return i;
		contents += first_of_same(i) == FILE_NONE;
	}
	return file_nr;
}

/* The catalogue says what the list of files says, side by side. */
static inline void
assert_catalogue_compared(uint32_t compared_nr)
{
	uint64_t chunk_next = 0;

	for (uint32_t i = 0; i < file_nr; i++) {
		const struct file_facts *facts =
			catalogue_facts(&rig.run.catalogue, i);
		uint32_t duplicate_of = FILE_NONE;

		if (facts->reason != files[i].reason)
			fail_msg("file %u: got reason %u, want %u", i,
				 facts->reason, files[i].reason);
		if (files[i].reason != REASON_NONE) {
			ASSERT_EQ(facts->chunk_nr, 0);
			ASSERT_EQ(facts->duplicate_of, FILE_NONE);
			ASSERT_EQ(facts->has_duplicates, 0);
			continue;
		}
		if (!files[i].empty && i < compared_nr)
			duplicate_of = first_of_same(i);
		if (facts->duplicate_of != duplicate_of)
			fail_msg("file %u: got twin of %u, want %u", i,
				 facts->duplicate_of, duplicate_of);
		if (duplicate_of != FILE_NONE)
			ASSERT_EQ(catalogue_facts(&rig.run.catalogue,
						  duplicate_of)
					  ->has_duplicates,
				  1);
		ASSERT_EQ(facts->same_as, FILE_NONE);
		ASSERT_EQ(facts->bytes, 1000 * files[i].chunk_nr);
		ASSERT_EQ(facts->line_nr, 10 * files[i].chunk_nr);
		ASSERT_EQ(facts->mark_run, files[i].content % 9);
		ASSERT_EQ(facts->chunk_nr, files[i].chunk_nr);
		ASSERT_EQ(facts->chunk_first, chunk_next);
		assert_chunks(facts, i);
		chunk_next += facts->chunk_nr;
	}
}

static inline void
assert_catalogue(void)
{
	assert_catalogue_compared(file_nr);
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

#endif
