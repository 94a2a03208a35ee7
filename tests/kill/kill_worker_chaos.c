/* SPDX-License-Identifier: MIT */
/*
 * kill_worker_chaos.c - all workers of a pipeline, each killed at random times
 * while the others go on.
 *
 * The shape is the real one (fake_stages.h), with two lanes, rings of three
 * entries and stages that are small but check what they are given: collect
 * hands out slabs and gets them back, each slab tells whose it is, dedup
 * brings the lanes into order by turns, format takes the files in order. This
 * process plays the supervisor: a worker is replaced when waitid() has proved
 * that it is gone. The workers linger between the statements of the protocol,
 * so that deaths come there. At the end each file has arrived once, in order, and each
 * slab is where it belongs, once.
 *
 * verifies: R1, R2, R3, R4, R5, R6, NFR-016-19, NFR-016-20
 */
#include "tests/support/test_shm.h"

#include "base/clock.h"
#include "base/fault.h"
#include "shm/slab.h"

/* Deaths come between two statements more often if it takes long there. */
static void
linger(void);
#undef FAULT
#define FAULT(point) linger()
#include "stages/worker.c"

#define LANES 2
#define SLABS 5
#define WORKERS (4 + 2 * LANES)
#define KILLS_WANTED 2000

struct collect_state {
	uint32_t next; /* file */
	uint32_t free_nr;
	uint32_t begun; /* 1: `free` is set up */
	uint32_t free[SLABS];
};

struct chunk_state {
	uint32_t half; /* 1: the first half of the file is given */
};

struct order_state {
	uint64_t sum;
	uint32_t next;
	uint32_t half;
};

#define DECLARE(stage) static int stage##_step(struct worker *worker)

DECLARE(collect);
DECLARE(chunk);
DECLARE(count);
DECLARE(dedup);
DECLARE(select);
DECLARE(format);

static int
nothing(struct worker *worker)
{
	return 0;
}

/* Each says what lies in its own page of the control block. */
static int
format_flush(struct worker *worker)
{
	atomic_store(&worker->run->segment.control->verdict_pass, 1);
	return 0;
}

static const struct stage_ops fake_ops[STAGE_NR] = {
	{ nothing, collect_step, nothing, nothing, NULL,
	  sizeof(struct collect_state) },
	{ nothing, chunk_step, nothing, nothing, NULL,
	  sizeof(struct chunk_state) },
	{ nothing, count_step, nothing, nothing, NULL,
	  sizeof(struct order_state) },
	{ nothing, dedup_step, nothing, nothing, NULL,
	  sizeof(struct order_state) },
	{ nothing, select_step, nothing, nothing, NULL,
	  sizeof(struct order_state) },
	{ nothing, format_step, format_flush, nothing, NULL,
	  sizeof(struct order_state) },
};

#include "tests/support/fake_stages.h"

static struct run run;

static void
linger(void)
{
	static uint64_t seed;
	struct timespec nap = { 0, 100000 };

	if (seed == 0)
		seed = clock_now_ns() | 1;
	if (random_next(&seed) % 8 == 0)
		nanosleep(&nap, NULL);
}

/* The supervisor has seen enough: no more files. */
static _Atomic uint64_t *
stop_word(void)
{
	return &run.segment.control->pumped_bytes;
}

static bool
take_slab_back(struct worker *worker, enum edge_id edge, uint32_t lane)
{
	struct collect_state *state = worker->state;
	struct desc desc;

	if (!worker_peek(worker, edge, lane, &desc))
		return false;
	ASSERT(desc.kind == DESC_SLAB && state->free_nr < SLABS);
	for (uint32_t i = 0; i < state->free_nr; i++)
		ASSERT(state->free[i] != desc.slab_idx);
	state->free[state->free_nr++] = desc.slab_idx;
	worker_take(worker, edge, lane);
	return true;
}

static int
collect_step(struct worker *worker)
{
	struct collect_state *state = worker->state;
	const struct slabs *slabs = &worker->run->segment.slabs;
	uint32_t lane = state->next % LANES;
	struct desc desc = { .kind = DESC_WHOLE, .file_idx = state->next };

	for (uint32_t i = 0; i < LANES; i++)
		if (take_slab_back(worker, EDGE_COUNT_SLABS, i))
			return STEP_DONE;
	if (worker->pass > 1)
		return STEP_AGAIN;
	if (!state->begun) {
		for (uint32_t i = 0; i < SLABS; i++)
			state->free[state->free_nr++] = i;
		state->begun = 1;
		return STEP_DONE;
	}
	if (atomic_load(stop_word()) != 0)
		return STEP_END;
	if (state->free_nr == 0 ||
	    worker_room(worker, EDGE_CONTENT, lane) < 1 ||
	    worker_room(worker, EDGE_ORDER, 0) < 1)
		return STEP_AGAIN;
	desc.slab_idx = state->free[--state->free_nr];
	desc.slab_off = SLAB_HEAD_BYTES;
	desc.bytes = sizeof(uint32_t);
	memcpy(desc_content(slabs, &desc), &state->next, sizeof(uint32_t));
	worker_emit(worker, EDGE_CONTENT, lane, &desc);
	desc = (struct desc){ .kind = DESC_LANE,
			      .lane = (uint8_t)lane,
			      .slab_idx = SLAB_NONE,
			      .file_idx = state->next++ };
	worker_emit(worker, EDGE_ORDER, 0, &desc);
	return STEP_DONE;
}

/* Whether what lies in the slab is still this file's. */
static void
check_slab(struct worker *worker, const struct desc *desc)
{
	uint32_t whose;

	memcpy(&whose, desc_content(&worker->run->segment.slabs, desc),
	       sizeof(whose));
	ASSERT(whose == desc->file_idx);
}

/* Two runs of each file, a step each; the second releases the slab. */
static int
chunk_step(struct worker *worker)
{
	struct chunk_state *state = worker->state;
	uint32_t lane = worker->lane;
	struct desc desc;

	if (!worker_peek(worker, EDGE_CONTENT, lane, &desc))
		return worker_drained(worker) ? STEP_END : STEP_AGAIN;
	if (worker_room(worker, EDGE_CHUNKS, lane) < 1)
		return STEP_AGAIN;
	check_slab(worker, &desc);
	desc.kind = DESC_RUN;
	desc.line_nr = state->half;
	if (state->half == 1) {
		desc.flags = DESC_RELEASE | DESC_LAST;
		worker_take(worker, EDGE_CONTENT, lane);
	}
	state->half ^= 1;
	worker_emit(worker, EDGE_CHUNKS, lane, &desc);
	return STEP_DONE;
}

static int
count_step(struct worker *worker)
{
	uint32_t lane = worker->lane;
	struct desc slab = { .kind = DESC_SLAB };
	struct desc desc;

	if (!worker_peek(worker, EDGE_CHUNKS, lane, &desc))
		return worker_drained(worker) ? STEP_END : STEP_AGAIN;
	if (worker_room(worker, EDGE_COUNTED, lane) < 1 ||
	    worker_room(worker, EDGE_COUNT_SLABS, lane) < 1)
		return STEP_AGAIN;
	check_slab(worker, &desc);
	if (desc.flags & DESC_RELEASE) {
		slab.slab_idx = desc.slab_idx;
		worker_emit(worker, EDGE_COUNT_SLABS, lane, &slab);
	}
	desc.slab_idx = SLAB_NONE;
	desc.flags &= (uint8_t)~DESC_RELEASE;
	worker_emit(worker, EDGE_COUNTED, lane, &desc);
	worker_take(worker, EDGE_CHUNKS, lane);
	return STEP_DONE;
}

static int
dedup_step(struct worker *worker)
{
	struct order_state *state = worker->state;
	struct desc turn;
	struct desc desc;

	if (!worker_peek(worker, EDGE_ORDER, 0, &turn))
		return worker_drained(worker) ? STEP_END : STEP_AGAIN;
	if (!worker_peek(worker, EDGE_COUNTED, turn.lane, &desc) ||
	    worker_room(worker, EDGE_UNIQUE, 0) < 1)
		return STEP_AGAIN;
	ASSERT(turn.file_idx == state->next);
	ASSERT(desc.file_idx == state->next && desc.line_nr == state->half);
	worker_take(worker, EDGE_COUNTED, turn.lane);
	state->half ^= 1;
	if (state->half == 0) {
		state->next++;
		state->sum = state->sum * 31 + desc.file_idx;
		desc.file_off = state->sum;
		worker_emit(worker, EDGE_UNIQUE, 0, &desc);
		worker_take(worker, EDGE_ORDER, 0);
	}
	return STEP_DONE;
}

/* Takes a file in its place, with the sum over all before it. */
static void
take_in_order(struct order_state *state, const struct desc *desc)
{
	ASSERT(desc->file_idx == state->next);
	state->next++;
	state->sum = state->sum * 31 + desc->file_idx;
	ASSERT(desc->file_off == state->sum);
}

static int
select_step(struct worker *worker)
{
	struct control_shm *control = worker->run->segment.control;
	uint32_t n = 0;
	struct desc desc;

	if (atomic_load(&control->verdict_pass) != 0) {
		atomic_store(&control->done, 1);
		return STEP_AGAIN;
	}
	/* as many as there are, in one step */
	while (worker_room(worker, EDGE_SELECTED, 0) > 0 &&
	       worker_peek(worker, EDGE_UNIQUE, 0, &desc)) {
		take_in_order(worker->state, &desc);
		worker_take(worker, EDGE_UNIQUE, 0);
		worker_emit(worker, EDGE_SELECTED, 0, &desc);
		n++;
	}
	if (n > 0)
		return STEP_DONE;
	return worker_drained(worker) ? STEP_END : STEP_AGAIN;
}

static int
format_step(struct worker *worker)
{
	struct desc desc;

	if (!worker_peek(worker, EDGE_SELECTED, 0, &desc))
		return worker_drained(worker) ? STEP_END : STEP_AGAIN;
	take_in_order(worker->state, &desc);
	worker_take(worker, EDGE_SELECTED, 0);
	return STEP_DONE;
}

static void
child_worker(void *arg)
{
	enum stage_id stage;
	uint32_t lane;

	stage_of_worker((uint32_t)(uintptr_t)arg, LANES, &stage, &lane);
	_exit(worker_run(&run, stage, lane));
}

struct pipeline {
	pid_t pids[WORKERS];
	uint32_t alive;
	uint32_t kills;
	uint32_t killed_of[WORKERS];
	int wrong; /* how a worker ended that nobody had killed */
	uint32_t wrong_worker;
};

static void
start(struct pipeline *pipeline, uint32_t idx)
{
	wait_init(segment_wait(&run.segment, idx));
	pipeline->pids[idx] = start_child(child_worker, (void *)(uintptr_t)idx);
	pipeline->alive++;
}

/* Replaces whom it has killed; notes who ended otherwise. */
static void
reap(struct pipeline *pipeline)
{
	for (uint32_t i = 0; i < WORKERS; i++) {
		int status;

		if (pipeline->pids[i] == 0 ||
		    waitpid(pipeline->pids[i], &status, WNOHANG) <= 0)
			continue;
		pipeline->pids[i] = 0;
		pipeline->alive--;
		if (WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL) {
			pipeline->kills++;
			pipeline->killed_of[i]++;
			start(pipeline, i);
		} else if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) {
			pipeline->wrong = status;
			pipeline->wrong_worker = i;
		}
	}
}

static void
run_chaos(struct pipeline *pipeline, uint64_t *seed)
{
	bool stopped = false;

	for (uint32_t i = 0; i < WORKERS; i++)
		start(pipeline, i);
	while (pipeline->alive > 0 && pipeline->wrong == 0) {
		uint64_t random = random_next(seed);
		struct timespec nap = { 0, (long)(random % 4000000) };

		nanosleep(&nap, NULL);
		reap(pipeline);
		if (!stopped && pipeline->kills < KILLS_WANTED) {
			pid_t pid = pipeline->pids[(random >> 32) % WORKERS];

			if (pid > 0)
				kill(pid, SIGKILL);
		} else if (!stopped) {
			atomic_store(stop_word(), 1);
			stopped = true;
		}
	}
	for (uint32_t i = 0; i < WORKERS; i++)
		if (pipeline->pids[i] > 0)
			kill(pipeline->pids[i], SIGKILL);
	for (uint32_t i = 0; i < WORKERS; i++)
		if (pipeline->pids[i] > 0)
			wait_for(pipeline->pids[i]);
}

static void
state_of(enum stage_id stage, void *state, size_t bytes)
{
	memcpy(state, fake_last_step(fake_worker_shm(&run, stage, 0))->state,
	       bytes);
}

/* Each slab is free, or on its way back; once. */
static void
check_slabs_are_all_there(const struct collect_state *collect)
{
	uint32_t seen[SLABS] = { 0 };

	for (uint32_t i = 0; i < collect->free_nr; i++)
		seen[collect->free[i]]++;
	for (uint32_t lane = 0; lane < LANES; lane++) {
		struct ring ring = fake_ring(&run, EDGE_COUNT_SLABS, lane);
		struct desc desc;

		for (uint64_t i = 0; ring_peek(&ring, i, &desc); i++)
			seen[desc.slab_idx]++;
	}
	for (uint32_t i = 0; i < SLABS; i++)
		ASSERT_EQ(seen[i], 1);
}

static void
test_pipeline_whose_workers_are_killed_delivers_all_once(void **state)
{
	struct pipeline pipeline = { .alive = 0 };
	struct collect_state collect;
	struct order_state format;
	uint64_t seed = 42;

	ASSERT_EQ(fake_run_create(&run, LANES, SLABS), 0);
	/* positions run over the wrap at once */
	fake_run_start_at(&run, UINT64_MAX - 50);
	run_chaos(&pipeline, &seed);
	if (pipeline.wrong != 0)
		fail_msg("worker %u: got status %x (%s), want 0",
			 pipeline.wrong_worker, (unsigned int)pipeline.wrong,
			 segment_worker(&run.segment, pipeline.wrong_worker)
				 ->panic);
	ASSERT_EQ(pipeline.alive, 0);
	state_of(STAGE_COLLECT, &collect, sizeof(collect));
	state_of(STAGE_FORMAT, &format, sizeof(format));
	print_message("# %u kills, %u files\n", pipeline.kills, collect.next);
	/* what was to be done to it has been done to it, to each worker */
	ASSERT_TRUE(pipeline.kills >= KILLS_WANTED);
	for (uint32_t i = 0; i < WORKERS; i++)
		ASSERT_TRUE(pipeline.killed_of[i] > 0);
	ASSERT_TRUE(collect.next > 100);
	ASSERT_EQ(format.next, collect.next);
	ASSERT_TRUE(fake_rings_valid(&run));
	check_slabs_are_all_there(&collect);
	fake_run_destroy(&run);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
			test_pipeline_whose_workers_are_killed_delivers_all_once),
	};

	return cmocka_run_group_tests_name("stages/worker chaos", tests, NULL,
					   NULL);
}
