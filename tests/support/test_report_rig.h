/* SPDX-License-Identifier: MIT */
/*
 * test_report_rig.h - a run made up by hand, for a report of it.
 */
#ifndef TESTS_SUPPORT_TEST_REPORT_RIG_H
#define TESTS_SUPPORT_TEST_REPORT_RIG_H

#include "report/report.h"
#include "catalogue/files.h"
#include "catalogue/history.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#define LANES 2

static struct run run;
static struct report report;
static char dir[256];
static char target[300];
static uint64_t file_nr;
static uint64_t chunk_nr;
static uint64_t plan_nr;
static uint64_t path_bytes;

static void
store(_Atomic uint64_t *field, uint64_t value)
{
	atomic_store_explicit(field, value, memory_order_relaxed);
}

/* Small ones: valgrind has no room for the address space of real ones. */
static void
create_tables(struct catalogue *catalogue)
{
	struct table *const tables[] = {
		&catalogue->files,    &catalogue->paths,    &catalogue->facts,
		&catalogue->chunks,   &catalogue->plan,     &catalogue->seen,
		&catalogue->history,  &catalogue->names,    &catalogue->kept,
		&catalogue->findings, &catalogue->contents, &catalogue->words,
	};

	for (size_t i = 0; i < ARRAY_LEN(tables); i++)
		assert_int_equal(table_create(tables[i], 16u << 20), 0);
	assert_int_equal(
		table_reserve(&catalogue->history, sizeof(struct history_head)),
		0);
}

static int
set_up(void **state)
{
	struct segment_plan *plan = calloc(1, sizeof(*plan));
	const char *scratch = getenv("TMPDIR");

	file_nr = chunk_nr = plan_nr = path_bytes = 0;
	memset(&run, 0, sizeof(run));
	memset(&report, 0, sizeof(report));
	run.lane_nr = LANES;
	run.job.budget_tokens = 1000;
	run.job.response_reserve_tokens = 80;
	run.job.system_reserve_tokens = 20;
	job_resolve(&run.job);
	assert_non_null(plan);
	stage_plan_segment(plan, LANES, 2, 4096);
	assert_int_equal(segment_create(&run.segment, plan), 0);
	free(plan);
	create_tables(&run.catalogue);
	snprintf(dir, sizeof(dir), "%s/bale-report.XXXXXX",
		 scratch == NULL ? "/tmp" : scratch);
	assert_non_null(mkdtemp(dir));
	snprintf(target, sizeof(target), "%s/report.json", dir);
	return 0;
}

static int
tear_down(void **state)
{
	report_fini(&report);
	catalogue_close(&run.catalogue);
	segment_destroy(&run.segment);
	unlink(target);
	return rmdir(dir); /* fails if something was left behind */
}

/* A file of the catalogue; its chunks are those added after it. */
static struct file_facts *
add_file(const char *path, enum reason reason, uint64_t bytes)
{
	struct catalogue *c = &run.catalogue;
	size_t nr = strlen(path);
	struct file_facts *facts;

	assert_int_equal(
		table_reserve(&c->files,
			      (file_nr + 1) * sizeof(struct file_record)),
		0);
	assert_int_equal(
		table_reserve(&c->facts, (file_nr + 1) * sizeof(*facts)), 0);
	assert_int_equal(
		table_reserve(&c->contents,
			      (file_nr + 1) * sizeof(struct content_record)),
		0);
	assert_int_equal(table_reserve(&c->paths, path_bytes + nr), 0);
	*catalogue_file(c, file_nr) = (struct file_record){
		.path_off = path_bytes,
		.path_bytes = (uint32_t)nr,
		.reason = (uint8_t)reason,
	};
	memcpy(table_at(&c->paths, path_bytes, nr), path, nr);
	path_bytes += nr;
	facts = catalogue_facts(c, file_nr);
	*facts = (struct file_facts){
		.bytes = bytes,
		.chunk_first = chunk_nr,
		.same_as = FILE_NONE,
		.next_copy = FILE_NONE,
		.reason = (uint8_t)reason,
	};
	store(&run.segment.control->files_seen, ++file_nr);
	return facts;
}

/* A chunk of ten lines; `like` gives its fingerprint. */
static void
add_chunk(uint32_t tokens, uint8_t like, bool planned)
{
	struct catalogue *c = &run.catalogue;
	struct file_facts *facts = catalogue_facts(c, file_nr - 1);
	struct chunk_record *chunk;

	assert_int_equal(
		table_reserve(&c->chunks, (chunk_nr + 1) * sizeof(*chunk)), 0);
	chunk = catalogue_chunk(c, chunk_nr);
	*chunk = (struct chunk_record){
		.file_idx = (uint32_t)file_nr - 1,
		.line_first = facts->line_nr + 1,
		.line_nr = 10,
		.tokens = tokens,
	};
	memset(chunk->fingerprint, like, FINGERPRINT_BYTES);
	facts->line_nr += 10;
	facts->chunk_nr++;
	facts->tokens += tokens;
	if (planned) {
		assert_int_equal(table_reserve(&c->plan,
					       (plan_nr +
						1) * sizeof(struct plan_entry)),
				 0);
		catalogue_plan(c, plan_nr)->chunk_idx = chunk_nr;
		store(&run.segment.control->plan_nr, ++plan_nr);
	}
	chunk_nr++;
}

/* The run that most tests look at. */
static inline void
make_run(void)
{
	struct file_facts *facts;

	add_file("src/a.c", REASON_NONE, 400);
	add_chunk(100, 1, true);
	add_chunk(110, 2, true);
	add_file("src/b.bin", REASON_BINARY, 0);
	add_file("src/c\n\".c", REASON_NONE, 900);
	add_chunk(50, 3, true);
	add_chunk(400, 4, false);
	add_chunk(500, 5, false);
	add_chunk(100, 1, false); /* is in src/a.c */
	add_chunk(60, 6, true);
	facts = add_file("src/d\xff.c", REASON_NONE, 400);
	facts->same_as = 0;
	facts->line_nr = 20;
	facts->tokens = 210;
	add_file("src/e.c", REASON_NONE, 0);
	add_file("src/f.c", REASON_NONE, 70);
	add_chunk(70, 7, false);
	facts = add_file("src/g.c", REASON_NONE, 10);
	facts->reason = REASON_CHANGED;
	run.segment.control->verdict.tokens = 345;
	run.segment.control->verdict.bytes = 1234;
}

/* The items of make_run() with these scores, in thousandths. */
static inline void
give_scores(const uint32_t *scores, size_t nr)
{
	assert_int_equal(report.item_nr, nr);
	for (size_t i = 0; i < nr; i++) {
		struct report_item *item = table_at(
			&report.items, i * sizeof(*item), sizeof(*item));

		item->has_score = scores[i] > 0;
		item->score = scores[i] * 1000;
	}
}

#define TEST(name) \
	cmocka_unit_test_setup_teardown(test_##name, set_up, tear_down)

#endif
