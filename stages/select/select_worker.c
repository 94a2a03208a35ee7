/* SPDX-License-Identifier: MIT */
/*
 * select_worker.c - the plan, and who is let through to format.
 *
 * Does: at the end of the survey, ranks all chunks of the catalogue and
 *       writes the plan; in gather, passes descriptors on; at its end, looks
 *       at what the output came to, and has it made again or ends the run.
 * Does not: score or sort (select_*.c).
 * Runs in: select.
 * Invariants:
 * 1. A plan is a pure function of the catalogue and the limit: a replacement
 *    makes the same one.
 */
#include "stages/select/select_worker.h"

#include <errno.h>
#include <stdlib.h>

#include "shm/fault.h"
#include "stages/select/select.h"
#include "tokenizer/tokenizer.h"

#define ENTRIES_PER_STEP 48
#define FILES_PER_BEAT 4096
#define FRAME_TOKENS 20      /* of a file's header and fences, less its path */
#define WORTH_TOKENS 8       /* less room than this is not worth a search */
#define SPOILT_PASSES_MAX 32 /* made again for changed files, at most */

#define ASK_END UINT64_MAX

struct select_state {
	struct select_limit limit;
	uint64_t awaiting;  /* the pass whose verdict is waited for; 0: none */
	uint64_t to_ask;    /* a pass to be asked for; ASK_END; 0: none */
	uint64_t more_left; /* 1: the plan left chunks out for the budget */
	uint64_t spoilt_passes;
};

/* A plan in the making. */
struct plan {
	struct worker *worker;
	struct select_window window;
	struct select_set taken;
	struct select_times times;
	uint8_t *file_taken;             /* a bit a file */
	struct select_candidate *chunks; /* that are taken */
	size_t chunk_nr;
	size_t chunk_max;
	uint64_t file_nr;
	uint64_t files_taken;
	uint64_t used_tokens;
	uint64_t limit_tokens;
	bool more_left;
};

static bool
is_usable(const struct file_facts *facts)
{
	return facts->reason == REASON_NONE && facts->same_as == FILE_NONE &&
	       facts->chunk_nr > 0;
}

static void
find_times(struct plan *plan)
{
	const struct catalogue *catalogue = &plan->worker->catalogue;
	bool any = false;

	for (uint64_t i = 0; i < plan->file_nr; i++) {
		int64_t time = catalogue_file(catalogue, i)->mtime_ns;

		if (!is_usable(catalogue_facts(catalogue, i)))
			continue;
		if (!any || time < plan->times.oldest_ns)
			plan->times.oldest_ns = time;
		if (!any || time > plan->times.newest_ns)
			plan->times.newest_ns = time;
		any = true;
	}
}

static uint32_t
depth_of(const struct catalogue *catalogue, const struct file_record *file)
{
	const uint8_t *path = catalogue_path(catalogue, file);
	uint32_t depth = 0;

	for (uint32_t i = file->root_bytes; i < file->path_bytes; i++)
		depth += path[i] == '/';
	return depth;
}

/* What a chunk is scored by; *category is where it comes from. */
static struct select_file
about_chunk(const struct plan *plan, const struct select_file *file,
	    const struct source_file *asked, const struct chunk_record *chunk,
	    uint8_t *category)
{
	struct select_file about = *file;
	const struct source_request *request = NULL;

	*category = CATEGORY_TREE;
	if (asked != NULL)
		request = source_best(&plan->worker->run->options.sources,
				      asked, chunk->line_first,
				      chunk->line_first +
					      max_u64(chunk->line_nr, 1) - 1);
	if (request != NULL) {
		*category = request->category;
		about.relevance = request->relevance;
		if (request->time_ns != SOURCE_TIME_NONE)
			about.mtime_ns = request->time_ns;
	}
	about.priority = category_priority(*category);
	return about;
}

/* All chunks of a file, as candidates. */
static void
add_file(struct plan *plan, uint32_t file_idx)
{
	const struct catalogue *catalogue = &plan->worker->catalogue;
	const struct file_record *file = catalogue_file(catalogue, file_idx);
	const struct file_facts *facts = catalogue_facts(catalogue, file_idx);
	const struct source_file *asked =
		source_find(&plan->worker->run->options.sources, file->root_idx,
			    catalogue_path(catalogue, file) + file->root_bytes,
			    file->path_bytes - file->root_bytes);
	const struct select_file of_file = {
		.bytes = facts->bytes,
		.mtime_ns = file->mtime_ns,
		.depth = depth_of(catalogue, file),
		.relevance = SELECT_RELEVANCE_NONE,
		.priority = category_priority(CATEGORY_TREE),
	};
	const uint32_t of_tree = select_score(&of_file, &plan->times);

	for (uint32_t c = 0; c < facts->chunk_nr; c++) {
		uint64_t idx = facts->chunk_first + c;
		const struct chunk_record *chunk =
			catalogue_chunk(catalogue, idx);
		struct select_candidate candidate = {
			.score = of_tree,
			.file_idx = file_idx,
			.chunk_idx = idx,
			.tokens = chunk->tokens,
			.category = CATEGORY_TREE,
		};

		if (asked != NULL) {
			struct select_file about =
				about_chunk(plan, &of_file, asked, chunk,
					    &candidate.category);

			candidate.score = select_score(&about, &plan->times);
		}
		select_window_add(&plan->window, &candidate);
	}
}

static void
fill_window(struct plan *plan)
{
	const struct catalogue *catalogue = &plan->worker->catalogue;

	select_window_next(&plan->window);
	for (uint64_t i = 0; i < plan->file_nr; i++) {
		const struct file_facts *facts = catalogue_facts(catalogue, i);

		if (i % FILES_PER_BEAT == 0)
			worker_beat(plan->worker);
		if (!is_usable(facts))
			continue;
		add_file(plan, (uint32_t)i);
	}
	select_window_sort(&plan->window);
	catalogue_trim(catalogue);
}

/* What a file costs before its first line. */
static uint64_t
header_tokens(const struct plan *plan, uint32_t file_idx)
{
	const struct catalogue *catalogue = &plan->worker->catalogue;
	const struct file_record *file = catalogue_file(catalogue, file_idx);

	return FRAME_TOKENS + tokenizer_count(plan->worker->run->tokenizer,
					      NULL,
					      catalogue_path(catalogue, file),
					      file->path_bytes);
}

static int
take(struct plan *plan, const struct select_candidate *candidate)
{
	if (plan->chunk_nr == plan->chunk_max) {
		size_t max = plan->chunk_max == 0 ? 1024 : plan->chunk_max * 2;
		struct select_candidate *chunks =
			realloc(plan->chunks, max * sizeof(*chunks));

		if (chunks == NULL)
			return -ENOMEM;
		plan->chunks = chunks;
		plan->chunk_max = max;
	}
	plan->chunks[plan->chunk_nr++] = *candidate;
	return 0;
}

/* Takes a candidate if there is room and it is new; 0 or -errno. */
static int
consider(struct plan *plan, const struct select_candidate *candidate)
{
	const struct chunk_record *chunk =
		catalogue_chunk(&plan->worker->catalogue, candidate->chunk_idx);
	uint8_t *bits = &plan->file_taken[candidate->file_idx / 8];
	uint8_t bit = (uint8_t)(1u << candidate->file_idx % 8);
	uint64_t room = plan->limit_tokens - plan->used_tokens;
	uint64_t cost = candidate->tokens;
	int result;

	if (cost <= room && !(*bits & bit))
		cost += header_tokens(plan, candidate->file_idx);
	if (cost > room) {
		plan->more_left = true;
		return 0;
	}
	result = select_set_add(&plan->taken, chunk->fingerprint);
	if (result <= 0)
		return result;
	plan->files_taken += !(*bits & bit);
	*bits |= bit;
	plan->used_tokens += cost;
	return take(plan, candidate);
}

static int
fill_plan(struct plan *plan)
{
	do {
		fill_window(plan);
		for (size_t i = 0; i < plan->window.nr; i++) {
			int error = consider(plan, &plan->window.heap[i]);

			if (error != 0)
				return error;
		}
	} while (plan->window.passed_over > 0 &&
		 plan->limit_tokens - plan->used_tokens >= WORTH_TOKENS);
	plan->more_left |= plan->window.passed_over > 0;
	return 0;
}

static int
write_plan(struct plan *plan)
{
	struct catalogue *catalogue = &plan->worker->catalogue;
	struct control_shm *control = plan->worker->run->segment.control;
	int error = table_reserve(&catalogue->plan,
				  plan->chunk_nr * sizeof(struct plan_entry));

	if (error != 0)
		return error;
	select_sort_place(plan->chunks, plan->chunk_nr);
	for (size_t i = 0; i < plan->chunk_nr; i++)
		*catalogue_plan(catalogue, i) = (struct plan_entry){
			.chunk_idx = plan->chunks[i].chunk_idx,
			.score = plan->chunks[i].score,
			.category = plan->chunks[i].category,
			.tier = TIER_FULL,
		};
	/* relaxed: the store of `pass` or `done` publishes them */
	atomic_store_explicit(&control->plan_nr, plan->chunk_nr,
			      memory_order_relaxed);
	atomic_store_explicit(&control->plan_files, plan->files_taken,
			      memory_order_relaxed);
	return 0;
}

/* Makes the plan for the limit as it is now. */
static int
make_plan(struct worker *worker)
{
	struct select_state *state = worker->state;
	const struct control_shm *control = worker->run->segment.control;
	struct plan plan = {
		.worker = worker,
		.limit_tokens = state->limit.limit,
		/* acquire: the records of these files are whole */
		.file_nr = atomic_load_explicit(&control->files_seen,
						memory_order_acquire),
	};
	int error = -ENOMEM;

	plan.window.heap = worker->scratch;
	plan.file_taken = calloc(plan.file_nr / 8 + 1, 1);
	if (plan.file_taken != NULL) {
		find_times(&plan);
		error = fill_plan(&plan);
	}
	if (error == 0)
		error = write_plan(&plan);
	state->more_left = plan.more_left;
	select_set_free(&plan.taken);
	free(plan.file_taken);
	free(plan.chunks);
	return error;
}

static void
wake_all(struct worker *worker)
{
	for (int stage = 0; stage < STAGE_NR; stage++)
		worker_wake_stage(worker, (enum stage_id)stage);
}

static void
end_run(struct worker *worker)
{
	/* release: the plan and all facts are whole */
	atomic_store_explicit(&worker->run->segment.control->done, 1,
			      memory_order_release);
	wake_all(worker);
}

static void
ask_for_pass(struct worker *worker, uint64_t pass)
{
	/* release: the plan of this pass is whole */
	atomic_store_explicit(&worker->run->segment.control->pass, pass,
			      memory_order_release);
	wake_all(worker);
}

/*
 * Plans. What is to follow is asked for in a step of its own: until then
 * nobody reads the plan, and a replacement may make it again.
 */
static int
plan_next(struct worker *worker, uint64_t pass)
{
	struct select_state *state = worker->state;
	const struct control_shm *control = worker->run->segment.control;
	int error = make_plan(worker);

	if (error != 0)
		return error;
	FAULT("planned");
	state->to_ask = pass;
	/* relaxed: just written by this process */
	if (worker->run->options.plan_only ||
	    atomic_load_explicit(&control->plan_nr, memory_order_relaxed) == 0)
		state->to_ask = ASK_END;
	return STEP_DONE;
}

static int
ask(struct worker *worker)
{
	struct select_state *state = worker->state;

	if (state->to_ask == ASK_END)
		end_run(worker);
	else
		ask_for_pass(worker, state->to_ask);
	state->to_ask = 0;
	return STEP_DONE;
}

static bool
is_spoilt(struct worker *worker)
{
	const struct catalogue *catalogue = &worker->catalogue;
	const struct control_shm *control = worker->run->segment.control;
	/* relaxed: this process's own, or that of the one it replaces */
	uint64_t nr =
		atomic_load_explicit(&control->plan_nr, memory_order_relaxed);

	for (uint64_t i = 0; i < nr; i++) {
		uint64_t chunk = catalogue_plan(catalogue, i)->chunk_idx;
		uint32_t file = catalogue_chunk(catalogue, chunk)->file_idx;

		if (catalogue_facts(catalogue, file)->reason != REASON_NONE)
			return true;
	}
	return false;
}

/* The output of a pass is made: is it the one? */
static int
judge(struct worker *worker)
{
	struct select_state *state = worker->state;
	const struct control_shm *control = worker->run->segment.control;
	uint64_t tokens;

	/* acquire: the verdict is whole */
	if (atomic_load_explicit(&control->verdict_pass, memory_order_acquire) <
	    state->awaiting)
		return STEP_AGAIN;
	tokens = atomic_load_explicit(&control->verdict_tokens,
				      memory_order_relaxed); /* as above */
	state->awaiting = 0;
	if (run_takes_all(worker->run)) {
		end_run(worker);
		return STEP_DONE;
	}
	if (tokens <= state->limit.available &&
	    state->spoilt_passes >= SPOILT_PASSES_MAX) {
		end_run(worker);
		return STEP_DONE;
	}
	if (is_spoilt(worker)) {
		/* the place of what changed goes to the next candidates */
		state->spoilt_passes++;
	} else if (select_limit_verdict(&state->limit, tokens,
					state->more_left)) {
		end_run(worker);
		return STEP_DONE;
	}
	return plan_next(worker, worker->pass);
}

static int
select_step(struct worker *worker)
{
	struct select_state *state = worker->state;
	struct desc in;
	int taken = 0;

	if (state->to_ask != 0)
		return ask(worker);
	if (state->awaiting != 0)
		return judge(worker);
	while (taken < ENTRIES_PER_STEP &&
	       worker_room(worker, EDGE_SELECTED, 0) > 0 &&
	       worker_peek(worker, EDGE_UNIQUE, 0, 0, &in)) {
		worker_emit(worker, EDGE_SELECTED, 0, &in);
		worker_take(worker, EDGE_UNIQUE, 0);
		taken++;
	}
	FAULT("selected");
	if (taken > 0)
		return STEP_DONE;
	return worker_drained(worker) ? STEP_END : STEP_AGAIN;
}

static int
select_flush(struct worker *worker)
{
	struct select_state *state = worker->state;
	const struct pack_options *options = &worker->run->options;

	if (worker->pass > PASS_FIRST || run_takes_all(worker->run)) {
		state->awaiting = worker->pass;
		return STEP_DONE;
	}
	select_limit_init(
		&state->limit,
		pack_counted_tokens(options, pack_available_tokens(options)));
	return plan_next(worker, worker->pass + 1);
}

/* What this stage passes on is not looked at: its slab has to go on. */
static int
select_poison(struct worker *worker)
{
	return select_step(worker);
}

static int
select_init(struct worker *worker)
{
	worker->scratch =
		calloc(SELECT_WINDOW, sizeof(struct select_candidate));
	return worker->scratch == NULL ? -ENOMEM : 0;
}

const struct stage_ops select_ops = {
	.init = select_init,
	.step = select_step,
	.flush = select_flush,
	.poison = select_poison,
	.state_bytes = sizeof(struct select_state),
};
