/* SPDX-License-Identifier: MIT */
/*
 * test_chunk_worker.c - files through one chunk worker, whole and in parts.
 *
 * The test plays collect (fills slabs, pushes parts) and count (reads what
 * the runs point at, gives slabs back). There are few slabs, and one that is
 * given back is filled with rubbish at once.
 */
#include "tests/support/test_stage_rig.h"

#include "stages/chunk/chunk_fit.h"
#include "tests/support/rounds.h"

#define AIM_BYTES 6000 /* of 2,000 tokens */
#define SLABS 3
#define FILE_BYTES_MAX (1500u << 10)
#define DESCS_MAX 4096
#define MIXED 1000003 /* short lines, and a very long one now and then */

static struct rig rig;
static uint8_t file[FILE_BYTES_MAX];
static size_t file_bytes;
static uint8_t joined[FILE_BYTES_MAX];
static struct desc got[DESCS_MAX];
static size_t got_nr;
static bool in_use[SLABS];
static size_t cuts[DESCS_MAX]; /* of the file, as far as they are known */
static size_t cuts_nr;

static int
setup(void **state)
{
	rig_open(&rig, 1, SLABS);
	rig_attach(&rig, STAGE_CHUNK, 0);
	memset(in_use, 0, sizeof(in_use));
	got_nr = 0;
	return 0;
}

static int
teardown(void **state)
{
	rig_close(&rig);
	return 0;
}

static void
make_file(size_t bytes, uint32_t line_max, uint32_t blanks, bool crlf,
	  uint64_t seed)
{
	size_t n = 0;

	cuts_nr = 0;
	while (n < bytes) {
		uint64_t line =
			line_max == 0 ? bytes : random_next(&seed) % line_max;

		if (line_max == MIXED)
			line = random_next(&seed) % 300 == 0 ? 150000
							     : line % 80;
		if (random_next(&seed) % 100 < blanks)
			line = 0;
		for (; line > 0 && n < bytes; line--) {
			uint64_t c = random_next(&seed) % 24;

			file[n++] = c < 4 ? ' ' : (uint8_t)('a' + c - 4);
		}
		if (line_max != 0 && crlf && n < bytes)
			file[n++] = '\r';
		if (line_max != 0 && n < bytes)
			file[n++] = '\n';
	}
	file_bytes = bytes;
}

/* What count would do with an entry: look at its content, then give back. */
static void
take_output(void)
{
	struct desc desc;

	while (rig_pop(&rig, EDGE_CHUNKS, 0, &desc)) {
		ASSERT_TRUE(got_nr < DESCS_MAX);
		ASSERT_TRUE(
			desc_valid(&desc, SLABS, SLAB_BYTES, DESC_GROWTH_MAX));
		if (desc.kind == DESC_RUN) {
			ASSERT_TRUE(in_use[desc.slab_idx]);
			ASSERT_TRUE(desc.file_off + desc.bytes <= file_bytes);
			memcpy(joined + desc.file_off,
			       desc_content(&rig.run.segment.slabs, &desc),
			       desc.bytes);
		}
		got[got_nr++] = desc;
		if (!(desc.flags & DESC_RELEASE))
			continue;
		if (!in_use[desc.slab_idx])
			fail_msg("slab %u: got released twice, want once",
				 desc.slab_idx);
		in_use[desc.slab_idx] = false;
		rig.released[desc.slab_idx]++;
		memset(slab_at(&rig.run.segment.slabs, desc.slab_idx), 0xdb,
		       SLAB_BYTES);
	}
}

static uint32_t
use_slab(void)
{
	for (uint32_t i = 0; i < SLABS; i++) {
		if (in_use[i])
			continue;
		in_use[i] = true;
		return i;
	}
	fail_msg("got no slab back, want one of %d", SLABS);
	return 0;
}

static uint32_t
slabs_out(void)
{
	uint32_t nr = 0;

	for (uint32_t i = 0; i < SLABS; i++)
		nr += in_use[i];
	return nr;
}

/* Pushes bytes [off, off + bytes) of the file as one entry. */
static void
push_content(uint8_t kind, uint8_t flags, uint32_t file_idx, size_t off,
	     size_t bytes)
{
	struct desc desc = {
		.kind = kind,
		.flags = flags,
		.file_idx = file_idx,
		.slab_idx = use_slab(),
		.slab_off = SLAB_HEAD_BYTES,
		.bytes = (uint32_t)bytes,
		.file_off = off,
	};

	rig_fill(&rig, desc.slab_idx, desc.slab_off, file + off, bytes);
	rig_push(&rig, EDGE_CONTENT, 0, &desc);
}

/* The file in parts, looked at; every step dies once if `dying`. */
static void
scan_in_parts(uint32_t file_idx, size_t part, bool dying)
{
	memset(joined, 0, sizeof(joined));
	for (size_t off = 0; off < file_bytes; off += part) {
		size_t bytes =
			file_bytes - off < part ? file_bytes - off : part;
		uint8_t last = off + bytes == file_bytes ? DESC_LAST : 0;

		push_content(DESC_PART,
			     (uint8_t)(DESC_SCAN | DESC_RELEASE | last),
			     file_idx, off, bytes);
		ASSERT_EQ(dying ? rig_step_twice(&rig) : rig_step(&rig),
			  STEP_DONE);
		take_output();
	}
	ASSERT_EQ(rig_step(&rig), STEP_AGAIN);
}

static uint32_t
lines_in(size_t off, size_t bytes)
{
	uint32_t nr = 0;

	for (size_t i = off; i < off + bytes; i++)
		nr += file[i] == '\n';
	return nr;
}

/* One chunk: no more tokens than it may have, unless it is one line. */
static void
assert_size(size_t from, size_t bytes)
{
	uint64_t tokens =
		tokenizer_count(rig.run.tokenizer, NULL, file + from, bytes);

	if (tokens > rig.run.job.chunk_max_tokens &&
	    lines_in(from, bytes - 1) > 0)
		fail_msg("chunk at %zu: got %llu tokens in %zu bytes", from,
			 (unsigned long long)tokens, bytes);
}

/* What chunk number k has to have, which got so many bytes: found out once. */
static size_t
cut_wanted(size_t k, size_t at, size_t bytes, struct chunk_fit *fit,
	   struct chunk_cutter *cutter)
{
	struct lang_text whole = { file, 0, file_bytes, true };
	struct chunk_size size;

	if (k == cuts_nr) {
		assert_size(at, bytes);
		cuts[cuts_nr++] =
			chunk_fit_next(fit, cutter, &whole, NULL, &size);
	}
	return cuts[k];
}

/*
 * The descriptors are those of the whole text, cut as chunk_fit_next() cuts
 * it: parts do not show but for chunks in chains of runs.
 */
static void
assert_chunks_of_file(uint32_t file_idx, size_t *chains)
{
	static struct chunk_cutter cutter;
	struct chunk_fit fit = {
		.tokenizer = rig.run.tokenizer,
		.max_tokens = (uint32_t)rig.run.job.chunk_max_tokens,
		.min_tokens = (uint32_t)rig.run.job.chunk_min_tokens,
		.max_lines = rig.run.job.chunk_lines,
		.keeps_whole = true,
	};
	size_t chunk_nr = 0;
	size_t chunk_at = 0;
	size_t at = 0;
	uint32_t line = 1;

	chunk_limits_init(&fit.limits, fit.max_tokens, fit.min_tokens);
	chunk_cutter_init(&cutter, LANG_NONE, &fit.limits);
	*chains = 0;
	for (size_t i = 0; i < got_nr; i++) {
		const struct desc *run = &got[i];
		size_t want;

		if (run->kind != DESC_RUN)
			continue;
		ASSERT_EQ(run->file_idx, file_idx);
		ASSERT_EQ(run->file_off, at);
		ASSERT_EQ(run->line_first, line);
		ASSERT_EQ(run->line_nr,
			  lines_in(at, run->bytes) +
				  (file[at + run->bytes - 1] != '\n'));
		ASSERT_TRUE(run->flags & DESC_SCAN);
		line += lines_in(at, run->bytes);
		at += run->bytes;
		if (run->flags & DESC_MORE) {
			*chains += 1;
			continue;
		}
		want = cut_wanted(chunk_nr++, chunk_at, at - chunk_at, &fit,
				  &cutter);
		if (at - chunk_at != want)
			fail_msg("chunk at %zu: got %zu bytes, want %zu",
				 chunk_at, at - chunk_at, want);
		chunk_at = at;
	}
	ASSERT_EQ(chunk_at, file_bytes);
	ASSERT_EQ(memcmp(joined, file, file_bytes), 0);
}

static void
assert_facts(const struct desc *last, uint32_t file_idx, uint8_t flags)
{
	struct desc_file facts;
	bool ends = file_bytes == 0 || file[file_bytes - 1] == '\n';
	uint32_t run = 0;
	uint32_t longest = 0;

	for (size_t i = 0; i < file_bytes; i++) {
		run = file[i] == '`' ? run + 1 : 0;
		longest = run > longest ? run : longest;
	}
	memcpy(&facts, last, sizeof(facts));
	ASSERT_EQ(facts.kind, DESC_FILE);
	ASSERT_EQ(facts.reason, REASON_NONE);
	ASSERT_EQ(facts.file_idx, file_idx);
	ASSERT_EQ(facts.line_nr, lines_in(0, file_bytes) + !ends);
	ASSERT_EQ(facts.mark_run, longest);
	ASSERT_EQ(facts.flags, flags | (ends ? 0 : DESC_NO_NEWLINE));
}

static const struct {
	const char *name;
	size_t bytes;
	uint32_t line_max; /* 0: one line */
	uint32_t blanks;
	bool crlf;
	bool has_chains;
} large_files[] = {
	{ "short lines", 900000, 80, 5, false, false },
	{ "CRLF", 400000, 60, 5, true, false },
	{ "lines of a few chunks", 900000, 40000, 1, false, false },
	{ "lines longer than can be carried", 1200000, 150000, 0, false, true },
	{ "lines longer than slabs", 1400000, 600000, 0, false, true },
	{ "very long lines among short ones", 1500000, MIXED, 3, false, true },
	{ "one line", 700000, 0, 0, false, true },
	{ "one newline after the other", 300000, 1, 100, false, false },
};

static const size_t part_sizes[] = { SLAB_BODY_BYTES, SLAB_BODY_BYTES - 1,
				     70001, 6144 };

/* verifies: FR-016-32, FR-016-33, FR-016-35, FR-016-36, FR-016-48 */
/* verifies: NFR-016-12, NFR-016-25, NFR-016-26, NFR-016-27 */
static void
test_chunk_large_file_in_parts_of_any_size_is_cut_as_the_whole(void **state)
{
	for (size_t f = 0; f < ARRAY_LEN(large_files); f++) {
		size_t whole_chains = 0;

		make_file(large_files[f].bytes, large_files[f].line_max,
			  large_files[f].blanks, large_files[f].crlf, 77 + f);
		/* with a sanitizer, only some sizes for each file */
		for (size_t p = f % (4 / ROUNDS(4)); p < ARRAY_LEN(part_sizes);
		     p += 4 / ROUNDS(4)) {
			size_t chains;

			got_nr = 0;
			scan_in_parts((uint32_t)f, part_sizes[p], p == 1);
			assert_chunks_of_file((uint32_t)f, &chains);
			whole_chains += chains;
			assert_facts(&got[got_nr - 1], (uint32_t)f, DESC_SCAN);
			ASSERT_EQ(slabs_out(), 0);
		}
		if ((whole_chains > 0) != large_files[f].has_chains)
			fail_msg("%s: got %zu runs with more to come, want %s",
				 large_files[f].name, whole_chains,
				 large_files[f].has_chains ? "some" : "none");
	}
}

/* verifies: R2, R3 */
static void
test_chunk_step_done_again_gives_the_same(void **state)
{
	static struct desc first[DESCS_MAX];
	size_t first_nr;

	make_file(900000, 9000, 2, false, 5);
	scan_in_parts(0, 200000, false);
	memcpy(first, got, sizeof(first));
	first_nr = got_nr;
	got_nr = 0;
	scan_in_parts(0, 200000, true);
	ASSERT_EQ(got_nr, first_nr);
	ASSERT_EQ(memcmp(first, got, first_nr * sizeof(*got)), 0);
}

static void
test_chunk_large_file_when_all_is_taken_is_not_done_when_looked_at(void **state)
{
	/* budget: all; it is read once more, to be written */
	make_file(300000, 80, 5, false, 6);
	scan_in_parts(4, SLAB_BODY_BYTES, false);
	assert_facts(&got[got_nr - 1], 4, DESC_SCAN);
	got_nr = 0;
	rig.run.job.budget_tokens = 1000;
	job_resolve(&rig.run.job);
	rig_attach(&rig, STAGE_CHUNK, 0);
	scan_in_parts(5, SLAB_BODY_BYTES, false);
	assert_facts(&got[got_nr - 1], 5, DESC_SCAN | DESC_LAST);
}

/* verifies: NFR-016-26, NFR-016-27 */
static void
test_chunk_large_file_to_be_written_keeps_its_parts(void **state)
{
	const size_t part = 100000;
	size_t nr = 0;
	uint32_t line = 1;

	make_file(450000, 300, 5, false, 8);
	scan_in_parts(2, part, false);
	got_nr = 0;
	memset(joined, 0, sizeof(joined));
	for (size_t off = 0; off < file_bytes; off += part, nr++) {
		size_t bytes =
			file_bytes - off < part ? file_bytes - off : part;
		uint8_t last =
			off + bytes == file_bytes ? DESC_LAST : DESC_MORE;

		push_content(DESC_PART,
			     (uint8_t)(DESC_EMIT | DESC_RELEASE | last), 2, off,
			     bytes);
		ASSERT_EQ(rig_step(&rig), STEP_DONE);
		take_output();
		ASSERT_EQ(got_nr, nr + 1);
		ASSERT_EQ(got[nr].kind, DESC_RUN);
		ASSERT_EQ(got[nr].flags, DESC_EMIT | DESC_RELEASE | last);
		ASSERT_EQ(got[nr].line_first, line);
		line += lines_in(off, bytes);
	}
	ASSERT_EQ(memcmp(joined, file, file_bytes), 0);
	ASSERT_EQ(slabs_out(), 0);
}

/* verifies: FR-016-35 */
static void
test_chunk_whole_file_looked_at_gives_chunks_then_facts(void **state)
{
	static const size_t sizes[] = { 0,    1,      7680,
					7681, 100000, SLAB_BODY_BYTES };

	for (size_t i = 0; i < ARRAY_LEN(sizes); i++) {
		size_t chains;

		got_nr = 0;
		make_file(sizes[i], 90, 4, false, 9 + i);
		if (sizes[i] > 20)
			memset(file + 10, '`', 7);
		push_content(DESC_WHOLE, DESC_SCAN | DESC_RELEASE, 3, 0,
			     file_bytes);
		ASSERT_EQ(rig_step_twice(&rig), STEP_DONE);
		take_output();
		assert_chunks_of_file(3, &chains);
		ASSERT_EQ(chains, 0);
		assert_facts(&got[got_nr - 1], 3,
			     DESC_SCAN | DESC_LAST | DESC_RELEASE);
		ASSERT_EQ(slabs_out(), 0);
	}
}

static void
test_chunk_whole_file_to_be_written_goes_on_as_facts_alone(void **state)
{
	make_file(5000, 90, 4, false, 11);
	push_content(DESC_WHOLE, DESC_EMIT | DESC_RELEASE, 3, 0, file_bytes);
	ASSERT_EQ(rig_step(&rig), STEP_DONE);
	take_output();
	ASSERT_EQ(got_nr, 1);
	assert_facts(&got[0], 3, DESC_EMIT | DESC_LAST | DESC_RELEASE);
	ASSERT_EQ(got[0].slab_off, SLAB_HEAD_BYTES);
	ASSERT_EQ(got[0].bytes, file_bytes);
}

static void
test_chunk_planned_ranges_keep_their_lines_and_flags(void **state)
{
	struct desc range = { .kind = DESC_RANGE,
			      .flags = DESC_EMIT,
			      .file_idx = 7,
			      .slab_idx = 1,
			      .slab_off = SLAB_HEAD_BYTES,
			      .bytes = 12,
			      .line_first = 40,
			      .file_off = 1000 };

	file_bytes = FILE_BYTES_MAX;
	in_use[1] = true;
	rig_fill(&rig, 1, SLAB_HEAD_BYTES, "one\ntwo\nthr\nfour\nfive", 21);
	rig_push(&rig, EDGE_CONTENT, 0, &range);
	range.slab_off += 12;
	range.bytes = 9;
	range.line_first = 90;
	range.file_off = 3000;
	range.flags = DESC_EMIT | DESC_RELEASE | DESC_LAST;
	rig_push(&rig, EDGE_CONTENT, 0, &range);
	ASSERT_EQ(rig_run(&rig), 2);
	take_output();
	ASSERT_EQ(got_nr, 2);
	ASSERT_EQ(got[0].flags, DESC_EMIT);
	ASSERT_EQ(got[0].line_first, 40);
	ASSERT_EQ(got[0].line_nr, 3);
	ASSERT_EQ(got[0].file_off, 1000);
	ASSERT_EQ(got[1].flags, DESC_EMIT | DESC_RELEASE | DESC_LAST);
	ASSERT_EQ(got[1].line_first, 90);
	ASSERT_EQ(got[1].line_nr, 2);
	ASSERT_EQ(got[1].bytes, 9);
	ASSERT_EQ(memcmp(joined + 3000, "four\nfive", 9), 0);
}

/* Of a range only so many lines are to be written; if it has no more, all. */
static void
test_chunk_planned_range_up_to_a_line_says_what_is_not_written(void **state)
{
	static const struct {
		uint32_t skip;
		uint32_t lines;
		uint32_t line_nr;
		uint32_t rest_bytes;
		uint32_t skip_bytes;
	} cases[] = {
		{ 0, 0, 4, 0, 0 },
		{ 0, 1, 1, 12, 0 },
		{ 0, 2, 2, 8, 0 },
		{ 0, 3, 3, 4, 0 },
		{ 0, 4, 4, 0, 0 },
		{ 0, 90, 4, 0, 0 },
		{ 1, 2, 2, 4, 4 },
		{ 3, 1, 1, 0, 12 },
		{ 4, 0, 4, 0, 0 },
		/* what no plan says: all of it */
		{ 3, 2, 4, 0, 0 },
		{ UINT32_MAX, 3, 4, 0, 0 },
	};

	file_bytes = FILE_BYTES_MAX;
	in_use[1] = true;
	rig_fill(&rig, 1, SLAB_HEAD_BYTES, "one\ntwo\nthr\nfour", 16);
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		const struct desc range = { .kind = DESC_RANGE,
					    .flags = DESC_EMIT,
					    .file_idx = 7,
					    .slab_idx = 1,
					    .slab_off = SLAB_HEAD_BYTES,
					    .bytes = 16,
					    .line_first = 40,
					    .skip_lines = cases[i].skip,
					    .line_nr = cases[i].lines };
		bool is_skipped = cases[i].skip_bytes > 0;
		struct desc run;

		rig_push(&rig, EDGE_CONTENT, 0, &range);
		ASSERT_EQ(rig_run(&rig), 1);
		ASSERT_TRUE(rig_pop(&rig, EDGE_CHUNKS, 0, &run));
		ASSERT_TRUE(
			desc_valid(&run, SLABS, SLAB_BYTES, DESC_GROWTH_MAX));
		/* all of it goes on: it is to be compared */
		ASSERT_EQ(run.bytes, 16);
		ASSERT_EQ(run.line_first, 40 + is_skipped * cases[i].skip);
		ASSERT_EQ(run.line_nr, cases[i].line_nr);
		ASSERT_EQ(run.rest_bytes, cases[i].rest_bytes);
		ASSERT_EQ(run.skip_bytes, cases[i].skip_bytes);
	}
}

/* The only fact is why; what was carried goes back, later parts too. */
static void
assert_left_out(uint32_t file_idx, uint8_t reason, size_t at)
{
	ASSERT_TRUE(got_nr > at);
	for (size_t i = at; i < got_nr; i++) {
		if (got[i].kind == DESC_SLAB)
			continue;
		ASSERT_EQ(got[i].kind, DESC_FILE);
		ASSERT_EQ(got[i].reason, reason);
		ASSERT_EQ(got[i].flags, DESC_SCAN | DESC_LAST);
		ASSERT_EQ(got[i].file_idx, file_idx);
		ASSERT_EQ(got[i].slab_idx, SLAB_NONE);
	}
}

static void
push_reason(uint32_t file_idx, uint8_t reason)
{
	struct desc desc = { .kind = DESC_PART,
			     .flags = DESC_SCAN | DESC_LAST,
			     .reason = reason,
			     .file_idx = file_idx,
			     .slab_idx = SLAB_NONE,
			     .file_off = 1 };

	rig_push(&rig, EDGE_CONTENT, 0, &desc);
}

/* verifies: NFR-016-43 */
static void
test_chunk_part_with_a_reason_ends_the_file_there(void **state)
{
	size_t chains;
	size_t before;

	/* the first part leaves a tail to be carried, or a chain open */
	for (uint32_t file_idx = 1; file_idx <= 3; file_idx += 2) {
		make_file(200000, file_idx == 1 ? 10000 : 1000000, 0, false,
			  12);
		push_content(DESC_PART, DESC_SCAN | DESC_RELEASE, file_idx, 0,
			     100000);
		ASSERT_EQ(rig_step(&rig), STEP_DONE);
		take_output();
		before = got_nr;
		push_reason(file_idx, REASON_CHANGED);
		ASSERT_EQ(rig_step_twice(&rig), STEP_DONE);
		take_output();
		assert_left_out(file_idx, REASON_CHANGED, before);
		ASSERT_EQ(slabs_out(), 0);
		/* the next file begins afresh: no carry, no chain */
		got_nr = 0;
		make_file(300000, 50, 3, false, 13);
		scan_in_parts(file_idx + 1, 150000, false);
		assert_chunks_of_file(file_idx + 1, &chains);
		ASSERT_EQ(slabs_out(), 0);
		got_nr = 0;
	}
}

static void
test_chunk_poison_leaves_the_file_out_and_gives_slabs_back(void **state)
{
	size_t chains;
	size_t before;

	make_file(400000, 10000, 0, false, 14);
	push_content(DESC_PART, DESC_SCAN | DESC_RELEASE, 1, 0, 100000);
	ASSERT_EQ(rig_step(&rig), STEP_DONE);
	take_output();
	ASSERT_EQ(slabs_out(), 1); /* its tail is carried */
	before = got_nr;
	push_content(DESC_PART, DESC_SCAN | DESC_RELEASE, 1, 100000, 100000);
	rig_poison(&rig);
	take_output();
	assert_left_out(1, REASON_POISON, before);
	ASSERT_EQ(slabs_out(), 0);
	/* what is still to come of it is passed over, and once more */
	before = got_nr;
	push_content(DESC_PART, DESC_SCAN | DESC_RELEASE, 1, 200000, 100000);
	push_content(DESC_PART, DESC_SCAN | DESC_RELEASE | DESC_LAST, 1, 300000,
		     100000);
	ASSERT_EQ(rig_run(&rig), 2);
	take_output();
	ASSERT_EQ(got_nr, before + 2);
	ASSERT_EQ(got[before].kind, DESC_SLAB);
	ASSERT_EQ(got[before + 1].kind, DESC_SLAB);
	ASSERT_EQ(slabs_out(), 0);
	/* poison once more: what went back is not given back again */
	got_nr = 0;
	push_content(DESC_WHOLE, DESC_SCAN | DESC_RELEASE, 3, 0, 5000);
	rig_poison(&rig);
	take_output();
	assert_left_out(3, REASON_POISON, 0);
	ASSERT_EQ(slabs_out(), 0);
	/* the next one is cut, and in the next pass this one, too */
	for (uint32_t file_idx = 2; file_idx > 0; file_idx--) {
		got_nr = 0;
		scan_in_parts(file_idx, 150000, false);
		assert_chunks_of_file(file_idx, &chains);
		rig_close_inputs(&rig, 3 - file_idx);
		ASSERT_EQ(rig_step(&rig), STEP_DONE);
	}
}

static void
test_chunk_whole_file_that_is_poison_is_left_out(void **state)
{
	make_file(50000, 90, 4, false, 15);
	push_content(DESC_WHOLE, DESC_SCAN | DESC_RELEASE, 6, 0, file_bytes);
	rig_poison(&rig);
	take_output();
	assert_left_out(6, REASON_POISON, 0);
	ASSERT_EQ(slabs_out(), 0);
}

/* The most chunks that a slab can hold still fit one step. */
static void
test_chunk_slab_of_the_smallest_chunks_fits_a_step(void **state)
{
	size_t chunks = 0;
	size_t chains;

	/* one line of more tokens than a chunk, one of a byte, and again */
	for (size_t at = 0; at < SLAB_BODY_BYTES; at++)
		file[at] = at % 2 ? '1' : 'x';
	for (size_t at = AIM_BYTES; at + 2 < SLAB_BODY_BYTES;
	     at += AIM_BYTES + 1) {
		file[at - 1] = '\n';
		file[at] = '\n';
	}
	file_bytes = SLAB_BODY_BYTES;
	push_content(DESC_WHOLE, DESC_SCAN | DESC_RELEASE, 0, 0, file_bytes);
	ASSERT_EQ(rig_step(&rig), STEP_DONE);
	take_output();
	assert_chunks_of_file(0, &chains);
	for (size_t i = 0; i < got_nr; i++)
		chunks += got[i].kind == DESC_RUN;
	ASSERT_TRUE(chunks > SLAB_BODY_BYTES / AIM_BYTES);
}

/*
 * More chunks than a step can give: the entry stays, and what a dead worker
 * had done of it is not done again.
 *
 * verifies: R2, R3, FR-016-42
 */
static void
test_chunk_entry_of_more_chunks_than_a_step_can_give_goes_on(void **state)
{
	size_t chains;
	int steps = 0;

	rig.run.job.chunk_lines = 1;
	job_resolve(&rig.run.job);
	make_file(12000, 10, 30, false, 31);
	push_content(DESC_WHOLE, DESC_SCAN | DESC_RELEASE, 0, 0, file_bytes);
	while (rig_step_twice(&rig) == STEP_DONE) {
		take_output();
		steps++;
	}
	ASSERT_TRUE(steps > 4);
	assert_chunks_of_file(0, &chains);
	ASSERT_EQ(got_nr,
		  lines_in(0, file_bytes) + 1 + (file[file_bytes - 1] != '\n'));
	assert_facts(&got[got_nr - 1], 0, DESC_SCAN | DESC_LAST | DESC_RELEASE);
	ASSERT_EQ(slabs_out(), 0);
}

/* The same of parts, what is carried from one to the next included. */
static void
test_chunk_parts_of_more_chunks_than_a_step_can_give_go_on(void **state)
{
	size_t chains;

	rig.run.job.chunk_lines = 3;
	job_resolve(&rig.run.job);
	make_file(60000, 20, 10, false, 32);
	memset(joined, 0, sizeof(joined));
	for (size_t off = 0; off < file_bytes; off += 25000) {
		size_t bytes =
			file_bytes - off < 25000 ? file_bytes - off : 25000;
		uint8_t last = off + bytes == file_bytes ? DESC_LAST : 0;

		push_content(DESC_PART,
			     (uint8_t)(DESC_SCAN | DESC_RELEASE | last), 0, off,
			     bytes);
		while (rig_step_twice(&rig) == STEP_DONE)
			take_output();
	}
	assert_chunks_of_file(0, &chains);
	assert_facts(&got[got_nr - 1], 0, DESC_SCAN);
	ASSERT_EQ(slabs_out(), 0);
}

static void
test_chunk_full_output_waits_and_nothing_is_lost(void **state)
{
	uint32_t pushed = 0;
	uint64_t files = 0;
	uint32_t rounds = 0;
	struct desc desc;

	make_file(30000, 60, 0, false, 16);
	rig_fill(&rig, 0, SLAB_HEAD_BYTES, file, file_bytes);
	while (pushed < 500) {
		struct desc whole = { .kind = DESC_WHOLE,
				      .flags = DESC_SCAN,
				      .file_idx = pushed,
				      .slab_idx = 0,
				      .slab_off = SLAB_HEAD_BYTES,
				      .bytes = (uint32_t)file_bytes };

		rig_push(&rig, EDGE_CONTENT, 0, &whole);
		pushed++;
	}
	/* nobody takes: it stops while a whole step would still fit */
	for (uint32_t round = 0; files < pushed; round++) {
		ASSERT_TRUE(round < 100);
		while (rig_step(&rig) == STEP_DONE)
			;
		ASSERT_TRUE(rig_used(&rig, EDGE_CHUNKS, 0) > 0);
		while (rig_pop(&rig, EDGE_CHUNKS, 0, &desc)) {
			ASSERT_EQ(desc.file_idx, files);
			files += desc.kind == DESC_FILE;
			rounds = round;
		}
	}
	ASSERT_TRUE(rounds > 1);
}

static void
test_chunk_pass_ends_when_all_is_taken(void **state)
{
	struct ring ring = rig_ring(&rig, EDGE_CHUNKS, 0);

	make_file(100, 20, 0, false, 1);
	push_content(DESC_WHOLE, DESC_SCAN | DESC_RELEASE, 0, 0, file_bytes);
	rig_close_inputs(&rig, 1);
	ASSERT_EQ(rig_step(&rig), STEP_DONE);
	ASSERT_TRUE(!ring_is_closed(&ring, 1));
	ASSERT_EQ(rig_step(&rig), STEP_DONE); /* the end */
	ASSERT_TRUE(ring_is_closed(&ring, 1));
	ASSERT_EQ(rig_step(&rig), STEP_AGAIN);
	take_output();
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int
main(void)
{
	const struct CMUnitTest tests[] = {
		CASE(test_chunk_large_file_in_parts_of_any_size_is_cut_as_the_whole),
		CASE(test_chunk_step_done_again_gives_the_same),
		CASE(test_chunk_large_file_when_all_is_taken_is_not_done_when_looked_at),
		CASE(test_chunk_large_file_to_be_written_keeps_its_parts),
		CASE(test_chunk_whole_file_looked_at_gives_chunks_then_facts),
		CASE(test_chunk_whole_file_to_be_written_goes_on_as_facts_alone),
		CASE(test_chunk_planned_ranges_keep_their_lines_and_flags),
		CASE(test_chunk_planned_range_up_to_a_line_says_what_is_not_written),
		CASE(test_chunk_part_with_a_reason_ends_the_file_there),
		CASE(test_chunk_poison_leaves_the_file_out_and_gives_slabs_back),
		CASE(test_chunk_whole_file_that_is_poison_is_left_out),
		CASE(test_chunk_slab_of_the_smallest_chunks_fits_a_step),
		CASE(test_chunk_entry_of_more_chunks_than_a_step_can_give_goes_on),
		CASE(test_chunk_parts_of_more_chunks_than_a_step_can_give_go_on),
		CASE(test_chunk_full_output_waits_and_nothing_is_lost),
		CASE(test_chunk_pass_ends_when_all_is_taken),
	};

	return cmocka_run_group_tests_name("chunk/worker", tests, NULL, NULL);
}
