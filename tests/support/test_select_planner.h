/* SPDX-License-Identifier: MIT */
/*
 * test_select_planner.h - a planner and a plan in the making, without a worker,
 * over the catalogue of test_select_rig.h.
 */
#ifndef TESTS_SUPPORT_TEST_SELECT_PLANNER_H
#define TESTS_SUPPORT_TEST_SELECT_PLANNER_H

#include "tests/support/test_select_rig.h"

#include "catalogue/names.h"
#include "catalogue/traits.h"
#include "rank/kind.h"
#include "stages/select/select_plan.h"
#include "stages/select/select_plan_parts.h"

static struct planner *planner;
static bool is_overview; /* that is planned */
static struct plan plan;

/* A budget, so that there is something to plan. */
static inline int
setup_plan(void **state)
{
	setup(state);
	is_overview = false;
	rig.run.job.budget_tokens = 100000;
	return 0;
}

/* A planner over the catalogue and the job as they are. */
static inline void
planner_open(void)
{
	static struct outline_scale scale;
	const struct planner of = { .job = &rig.run.job,
				    .tokenizer = rig.run.tokenizer,
				    .catalogue = &rig.run.catalogue,
				    .outline_scale = &scale,
				    .reserve = table_reserve,
				    .clear = table_clear,
				    .file_nr = file_nr };

	scale = (struct outline_scale){ 0 };
	job_resolve(&rig.run.job);
	rig.run.job.is_overview = is_overview;
	ASSERT_EQ(table_reserve(&rig.run.catalogue.traits,
				(file_nr + 1ull) * sizeof(struct file_traits)),
		  0);
	for (uint32_t i = 0; i < file_nr; i++) {
		const struct file_record *file =
			catalogue_file(&rig.run.catalogue, i);

		catalogue_traits(&rig.run.catalogue, i)->kinds =
			(uint8_t)rank_kinds(
				catalogue_path(&rig.run.catalogue, file) +
					file->root_bytes,
				file->path_bytes - file->root_bytes);
	}
	planner = select_planner_create(&of);
	ASSERT_TRUE(planner != NULL);
}

/* A plan of so many tokens that nothing is in, all of them for anybody. */
static inline void
plan_begin(uint64_t available)
{
	static const uint32_t none[CATEGORY_NR] = { 0 };

	plan = (struct plan){ .planner = planner, .kept = planner->kept };
	plan.stream.runs =
		(struct select_runs){ .table = &rig.run.catalogue.runs,
				      .reserve = table_reserve };
	plan_begin_windows(&plan, ROUND_ALL);
	select_cost_init(&plan.cost, planner);
	rank_budget_init(&plan.tokens.budget, available, none);
}

/* The first one of a planner. */
static inline void
plan_open(uint64_t available)
{
	planner_open();
	plan_begin(available);
}

/* What the chunks of a plan are ranked by. */
static inline void
plan_score(void)
{
	ASSERT_EQ(plan_make_scores(planner), 0);
	plan.scores = planner->kept->scores;
	plan.is_scored = true;
}

/* A chunk of the catalogue, as a candidate. */
static inline struct rank_candidate
candidate_of(uint64_t chunk_idx)
{
	const struct chunk_record *chunk =
		catalogue_chunk(&rig.run.catalogue, chunk_idx);

	return (struct rank_candidate){ .file_idx = chunk->file_idx,
					.chunk_idx = chunk_idx,
					.tokens = chunk->tokens };
}

/* The signatures of a file, as a candidate. */
static inline struct rank_candidate
signatures_of(uint32_t file_idx)
{
	const struct file_facts *facts = rig_facts(&rig, file_idx);

	return (struct rank_candidate){ .file_idx = file_idx,
					.chunk_idx = facts->chunk_first,
					.tokens = facts->outline_tokens,
					.unit = RANK_SIGNATURES };
}

/* One more name that a file has; its first one makes room for all. */
static inline struct names *
add_name(uint32_t file_idx, struct name_entry entry, const char *text)
{
	const struct table *table = &rig.run.catalogue.names;
	const uint64_t room = sizeof(struct names) + NAMES_FILE_BYTES;
	struct file_facts *facts = rig_facts(&rig, file_idx);
	struct names *names;
	uint8_t *at;

	ASSERT_EQ(table_reserve(table, (file_idx + 1) * room), 0);
	names = table_at(table, file_idx * room, room);
	if (facts->names_off == 0)
		*names = (struct names){ 0 };
	facts->names_off = 1 + file_idx * room;
	entry.bytes = (uint8_t)strlen(text);
	at = (uint8_t *)(names + 1) + names->bytes;
	memcpy(at, &entry, sizeof(entry));
	memcpy(at + sizeof(entry), text, entry.bytes);
	names->bytes += (uint32_t)sizeof(entry) + (entry.bytes + 3u) / 4 * 4;
	return names;
}

static struct source_file requested_files[8];
static struct source_request requests[32];

/* Somebody asks for these lines; of files and lines in order. */
static inline void
request_lines(const char *path, uint64_t first, uint64_t last, uint8_t category)
{
	struct sources *sources = &rig.run.job.sources;
	uint32_t nr = sources->file_nr;

	if (nr == 0 || strcmp(requested_files[nr - 1].path, path) != 0) {
		ASSERT_TRUE(nr < ARRAY_LEN(requested_files));
		requested_files[nr] = (struct source_file){
			.path = path,
			.path_bytes = (uint32_t)strlen(path),
			.request_first = sources->request_nr,
		};
		sources->file_nr = ++nr;
	}
	ASSERT_TRUE(sources->request_nr < ARRAY_LEN(requests));
	requests[sources->request_nr++] = (struct source_request){
		.line_first = first,
		.line_last = last,
		.time_ns = SOURCE_TIME_NONE,
		.relevance = SOURCE_ONE,
		.category = category,
	};
	requested_files[nr - 1].request_nr++;
	source_set_reach(requests + requested_files[nr - 1].request_first,
			 requested_files[nr - 1].request_nr);
	sources->files = requested_files;
	sources->requests = requests;
	sources->in_part = true;
	sources->text_fd = -1;
}

static inline void
plan_end(void)
{
	select_bits_free(&plan.set.files);
	select_bits_free(&plan.set.signs);
	select_bits_free(&plan.set.chunks);
	select_bits_free(&plan.set.signature_lines);
	select_bits_free(&plan.set.measured);
	select_bits_free(&plan.set.pinned);
	free(plan.overview.tokens);
	select_runs_fini(&plan.stream.runs);
	plan = (struct plan){ 0 };
}

static inline void
plan_close(void)
{
	plan_end();
	if (planner != NULL)
		select_plan_forget(planner);
	free(planner);
	planner = NULL;
}

static inline int
teardown_plan(void **state)
{
	plan_close();
	return teardown(state);
}

#define PLAN_CASE(name) \
	cmocka_unit_test_setup_teardown(name, setup_plan, teardown_plan)

#endif
