/* SPDX-License-Identifier: MIT */
/*
 * kill_worker_step.c - a worker is killed after every single instruction.
 *
 * A child takes entries from one ring, gives entries to two others and keeps
 * a state, by worker_commit(). It is run one instruction at a time and killed
 * after the k-th, for every k; a replacement attaches and goes on to the end.
 * Then each output is there once, in order, from one incarnation a step, the
 * inputs are gone and the state is right. In other cases the replacement dies,
 * too, while it publishes again, or the processes at the other ends of the
 * rings live on meanwhile.
 *
 * The same with mutants of the protocol, which have to be found out: a test
 * that cannot fail shows nothing.
 *
 * verifies: R1, R2, R3, R5, NFR-016-19
 */
#include "tests/support/test_shm.h"

#include <stdatomic.h>
#include <sys/ptrace.h>

/* The protocol's own source, with its two effects on rings in our hands. */
struct ring;
struct desc;
static void
mutable_push_at(struct ring *ring, uint64_t pos, const void *desc);
static void
mutable_pop_to(struct ring *ring, uint64_t pos);

#include "shm/ring.h"
#define ring_push_at mutable_push_at
#define ring_pop_to mutable_pop_to
#include "stages/worker.c"
#undef ring_push_at
#undef ring_pop_to

#define INPUTS 2
#define COUNTED_NR 3 /* one or two for each input */
#define LOG_NR 16
#define REPLAY_STEPS 500 /* instructions; publishing takes fewer */

struct state {
	uint64_t sum;
	uint32_t counted_nr;
	uint32_t slab_nr;
};

static int
fake_step(struct worker *worker);

static int
fake_nothing(struct worker *worker)
{
	return 0;
}

#define OPS(step)                                                     \
	{                                                             \
		fake_nothing, step, fake_nothing, fake_nothing, NULL, \
			sizeof(struct state)                          \
	}

static const struct stage_ops fake_ops[STAGE_NR] = {
	OPS(fake_nothing), OPS(fake_nothing), OPS(fake_step),
	OPS(fake_nothing), OPS(fake_nothing), OPS(fake_nothing),
};

#define FAKE_ENTRIES 8
#include "tests/support/fake_stages.h"

enum mutant {
	MUTANT_NONE = 0,
	MUTANT_PUSHES_AGAIN,  /* a replacement does not look at positions */
	MUTANT_NO_REPLAY,     /* it does not publish what was committed */
	MUTANT_POPS_EARLY,    /* inputs are given up when they are taken */
	MUTANT_COMMITS_EARLY, /* the commit word before the step block */
	MUTANT_STATE_BESIDE,  /* state in the arena, but not in the step */
	MUTANT_NR
};

static const char *const mutant_names[MUTANT_NR] = {
	"no mutant",  "pushes again",  "no replay",
	"pops early", "commits early", "state beside the step",
};

/* What the processes of a case share beside the arena. */
struct board {
	uint64_t state_beside;
	uint32_t log_nr[2]; /* outputs that a live consumer has taken */
	struct desc log[2][LOG_NR];
};

static struct run run;
static struct board *board;
static uint8_t *pristine; /* the arena before a case */
static uint8_t *shot;     /* and in the middle of one */
static enum mutant mutant;
static uint32_t incarnation; /* of this process */
static bool attaching;
static bool stop_at_replay; /* the tracer wants to step from there */

static void
mutable_push_at(struct ring *ring, uint64_t pos, const void *desc)
{
	if (attaching && stop_at_replay) {
		stop_at_replay = false;
		raise(SIGSTOP);
	}
	if (mutant == MUTANT_NO_REPLAY && attaching)
		return;
	if (mutant == MUTANT_PUSHES_AGAIN)
		pos = ring_tail(ring);
	ring_push_at(ring, pos, desc);
}

static void
mutable_pop_to(struct ring *ring, uint64_t pos)
{
	if (mutant == MUTANT_NO_REPLAY && attaching)
		return;
	ring_pop_to(ring, pos);
}

static uint64_t
next_sum(uint64_t sum, uint32_t input)
{
	return sum * 31 + input + 1;
}

static void
emit(struct worker *worker, enum edge_id edge, uint32_t ordinal, uint32_t input)
{
	const struct state *state = worker->state;
	const struct desc desc = {
		.kind = DESC_RUN,
		.slab_idx = SLAB_NONE,
		.file_idx = ordinal,
		.line_first = incarnation,
		.line_nr = input,
		.file_off = state->sum,
	};

	worker_emit(worker, edge, 0, &desc);
}

static int
fake_step(struct worker *worker)
{
	struct state *state = worker->state;
	struct desc desc;

	if (!worker_peek(worker, EDGE_CHUNKS, 0, &desc))
		return worker_drained(worker) ? STEP_END : STEP_AGAIN;
	if (worker_room(worker, EDGE_COUNTED, 0) < 2 ||
	    worker_room(worker, EDGE_COUNT_SLABS, 0) < 1)
		return STEP_AGAIN;
	if (mutant == MUTANT_STATE_BESIDE)
		state->sum = board->state_beside =
			next_sum(board->state_beside, desc.file_idx);
	else
		state->sum = next_sum(state->sum, desc.file_idx);
	emit(worker, EDGE_COUNTED, state->counted_nr++, desc.file_idx);
	emit(worker, EDGE_COUNT_SLABS, state->slab_nr++, desc.file_idx);
	if (desc.file_idx % 2 == 1)
		emit(worker, EDGE_COUNTED, state->counted_nr++, desc.file_idx);
	worker_take(worker, EDGE_CHUNKS, 0);
	return STEP_DONE;
}

/* What worker_run() does, without its sleeps. */
static void
drive(struct worker *worker)
{
	for (;;) {
		int result = fake_step(worker);

		if (result == STEP_AGAIN) {
			sched_yield();
			continue;
		}
		if (mutant == MUTANT_POPS_EARLY && result == STEP_DONE)
			ring_pop_to(&worker->ports[0].ring,
				    worker->ports[0].pos);
		if (mutant == MUTANT_COMMITS_EARLY)
			atomic_store(&worker->shm->committed,
				     worker->committed + 1);
		if (result == STEP_END)
			worker->pass++;
		worker_commit(worker);
		if (result == STEP_END)
			return;
	}
}

static void
attach_and_drive(bool stop_before_first_step)
{
	static struct worker worker;
	static struct state state;

	attaching = true;
	if (worker_attach(&worker, &run, STAGE_COUNT, 0, &state) != 0)
		_exit(1);
	attaching = false;
	if (stop_before_first_step)
		raise(SIGSTOP);
	if (worker.pass == 1)
		drive(&worker);
}

static void
child_first(void *arg)
{
	incarnation = 1;
	ptrace(PTRACE_TRACEME, 0, NULL, NULL);
	attach_and_drive(true);
}

static void
child_replacement(void *arg)
{
	incarnation = 2;
	attach_and_drive(false);
}

static void
child_traced_replacement(void *arg)
{
	incarnation = 3;
	ptrace(PTRACE_TRACEME, 0, NULL, NULL);
	stop_at_replay = true;
	attach_and_drive(false);
}

/*
 * Lets a stopped child go `steps` instructions and kills it; false: it ended
 * by itself before. *done: how many it went.
 */
static bool
step_and_kill(pid_t pid, long steps, long *done)
{
	int status = 0;

	if (waitpid(pid, &status, 0) != pid || !WIFSTOPPED(status))
		return false;
	for (*done = 0; *done < steps; ++*done) {
		if (ptrace(PTRACE_SINGLESTEP, pid, NULL, NULL) != 0 ||
		    waitpid(pid, &status, 0) != pid || !WIFSTOPPED(status))
			return false;
	}
	kill(pid, SIGKILL);
	while (waitpid(pid, &status, 0) == pid && WIFSTOPPED(status))
		;
	return true;
}

/* An arena as it was, with all inputs in it, or with none. */
static void
reset(bool with_inputs)
{
	memcpy(run.segment.base, pristine, run.segment.bytes);
	memset(board, 0, sizeof(*board));
	if (with_inputs) {
		struct ring ring = fake_ring(&run, EDGE_CHUNKS, 0);

		for (uint32_t i = 0; i < INPUTS; i++) {
			const struct desc desc = { .kind = DESC_RUN,
						   .slab_idx = SLAB_NONE,
						   .file_idx = i };

			ring_push(&ring, &desc);
		}
		ring_close(&ring, 1);
	}
}

/* Takes the outputs that are there now. */
static void
consume(void)
{
	static const enum edge_id edges[2] = { EDGE_COUNTED, EDGE_COUNT_SLABS };

	for (int e = 0; e < 2; e++) {
		struct ring ring = fake_ring(&run, edges[e], 0);
		struct desc desc;

		while (ring_peek(&ring, 0, &desc)) {
			if (board->log_nr[e] < LOG_NR)
				board->log[e][board->log_nr[e]] = desc;
			board->log_nr[e]++;
			ring_pop_to(&ring, ring_head(&ring) + 1);
		}
	}
}

/* What the outputs of input i have to be; NULL, or what is wrong. */
static const char *
check_outputs(void)
{
	uint32_t counted = 0;
	uint64_t sum = 0;

	if (board->log_nr[0] != COUNTED_NR || board->log_nr[1] != INPUTS)
		return "number of outputs";
	for (uint32_t input = 0; input < INPUTS; input++) {
		const struct desc *slab = &board->log[1][input];

		sum = next_sum(sum, input);
		if (slab->file_idx != input || slab->line_nr != input ||
		    slab->file_off != sum)
			return "second ring";
		for (uint32_t n = 0; n <= input % 2; n++, counted++) {
			const struct desc *desc = &board->log[0][counted];

			if (desc->file_idx != counted ||
			    desc->line_nr != input || desc->file_off != sum)
				return "first ring";
			if (desc->line_first != slab->line_first)
				return "a step of two incarnations";
		}
	}
	return NULL;
}

static const char *
check_end(void)
{
	const struct worker_shm *worker = fake_worker_shm(&run, STAGE_COUNT, 0);
	const struct step_shm *step = fake_last_step(worker);
	struct ring in = fake_ring(&run, EDGE_CHUNKS, 0);
	struct ring out = fake_ring(&run, EDGE_COUNTED, 0);
	struct state state;
	uint64_t sum = 0;

	for (uint32_t i = 0; i < INPUTS; i++)
		sum = next_sum(sum, i);
	memcpy(&state, step->state, sizeof(state));
	if (!fake_rings_valid(&run))
		return "a ring";
	if (ring_head(&in) != ring_tail(&in))
		return "inputs left";
	if (!ring_is_closed(&out, 1) || step->closed != 1)
		return "end of the pass";
	if (step->step != INPUTS + 1)
		return "number of steps";
	if (state.sum != sum || state.counted_nr != COUNTED_NR ||
	    state.slab_nr != INPUTS)
		return "state";
	return check_outputs();
}

/* Kills found, and what was wrong after them. */
struct tally {
	long points;
	long steps;
	long wrong;
	const char *first;
	long first_at;
};

static void
note(struct tally *tally, long at, const char *what)
{
	tally->points++;
	if (what == NULL)
		return;
	if (tally->wrong++ == 0) {
		tally->first = what;
		tally->first_at = at;
	}
}

/* One kill after k instructions; false: there are no more. */
static bool
kill_once(long k, struct tally *tally)
{
	long done;
	bool killed;
	int code;

	reset(true);
	killed = step_and_kill(start_child(child_first, NULL), k, &done);
	tally->steps += done;
	if (!fake_rings_valid(&run)) {
		note(tally, k, "a ring after the kill");
		return killed;
	}
	code = run_child(child_replacement, NULL);
	consume();
	note(tally, k, code != CHILD_OK ? "the replacement" : check_end());
	return killed;
}

/* So that slow builds end, too: every n-th instruction then. */
static long
stride_for(long total)
{
	long stride = total / 4000 + 1;

	return stride % 2 == 0 ? stride + 1 : stride;
}

static long
count_instructions(void)
{
	long total;

	reset(true);
	step_and_kill(start_child(child_first, NULL), 10000000, &total);
	return total;
}

/* Tracer and child hand over faster on one processor. */
static void
stay_on_one_cpu(bool stay)
{
	static cpu_set_t before;
	cpu_set_t one;

	if (!stay) {
		sched_setaffinity(0, sizeof(before), &before);
		return;
	}
	sched_getaffinity(0, sizeof(before), &before);
	CPU_ZERO(&one);
	CPU_SET((size_t)sched_getcpu(), &one);
	sched_setaffinity(0, sizeof(one), &one);
}

static void
kill_everywhere(long stride, struct tally *tally)
{
	*tally = (struct tally){ 0 };
	stay_on_one_cpu(true);
	for (long k = 0; kill_once(k, tally); k += stride)
		;
	stay_on_one_cpu(false);
}

static void
test_worker_killed_at_every_instruction_gives_each_output_once(void **state)
{
	long total = count_instructions();
	long stride = stride_for(total);
	struct tally tally;

	ASSERT_TRUE(total > 300);
	mutant = MUTANT_NONE;
	kill_everywhere(stride, &tally);
	print_message("# %ld instructions, killed at %ld, %ld steps\n", total,
		      tally.points, tally.steps);
	ASSERT_TRUE(tally.points >= total / stride);
	if (tally.wrong != 0)
		fail_msg("got %ld wrong ends, the first after %ld: %s; want 0",
			 tally.wrong, tally.first_at, tally.first);
}

/*
 * All that a death leaves is shared memory. So the replacement is stopped
 * after each instruction of its publishing, the arena as it is then goes to a
 * second replacement, and is put back before the next instruction.
 */
static void
die_all_along(pid_t pid, long k, struct tally *tally)
{
	int status = 0;

	waitpid(pid, &status, 0);
	for (int i = 0; i < REPLAY_STEPS && WIFSTOPPED(status); i++) {
		int code;

		memcpy(shot, run.segment.base, run.segment.bytes);
		code = run_child(child_replacement, NULL);
		consume();
		note(tally, k,
		     code != CHILD_OK ? "the replacement" : check_end());
		memcpy(run.segment.base, shot, run.segment.bytes);
		memset(board, 0, sizeof(*board));
		ptrace(PTRACE_SINGLESTEP, pid, NULL, NULL);
		waitpid(pid, &status, 0);
		tally->steps++;
	}
	kill(pid, SIGKILL);
	if (WIFSTOPPED(status))
		wait_for(pid);
}

static void
test_worker_whose_replacement_dies_too_gives_each_output_once(void **state)
{
	long total = count_instructions();
	struct tally tally = { 0 };

	mutant = MUTANT_NONE;
	for (long k = 97; k < total; k += total / 20 | 1) {
		long done = 0;

		reset(true);
		step_and_kill(start_child(child_first, NULL), k, &done);
		die_all_along(start_child(child_traced_replacement, NULL), k,
			      &tally);
	}
	print_message("# died twice at %ld pairs\n", tally.points);
	ASSERT_TRUE(tally.points > 1000);
	if (tally.wrong != 0)
		fail_msg("got %ld wrong ends, the first after %ld: %s; want 0",
			 tally.wrong, tally.first_at, tally.first);
}

static void
child_producer(void *arg)
{
	fake_give(&run, INPUTS);
}

static void
child_consumer(void *arg)
{
	struct ring ring = fake_ring(&run, EDGE_COUNTED, 0);

	while (!ring_is_closed(&ring, 1)) {
		consume();
		sched_yield();
	}
	consume();
}

/* The same while producer and consumer are at work; rings of two entries. */
static const char *
kill_among_the_living(long k, bool *killed)
{
	pid_t producer, consumer;
	long done = 0;
	int code;

	reset(false);
	for (uint32_t i = 0; i < run.segment.header->ring_nr; i++)
		ring_init(segment_ring(&run.segment, i), 2, UINT64_MAX - 2);
	for (int port = 0; port < PORTS_MAX; port++)
		fake_worker_shm(&run, STAGE_COUNT, 0)->steps[0].pos[port] =
			UINT64_MAX - 2;
	producer = start_child(child_producer, NULL);
	consumer = start_child(child_consumer, NULL);
	*killed = step_and_kill(start_child(child_first, NULL), k, &done);
	code = run_child(child_replacement, NULL);
	if (wait_for(producer) != CHILD_OK || wait_for(consumer) != CHILD_OK)
		return "a neighbour";
	return code != CHILD_OK ? "the replacement" : check_end();
}

static void
test_worker_killed_among_living_neighbours_gives_each_output_once(void **state)
{
	long total = count_instructions();
	struct tally tally = { 0 };
	bool killed = true;

	mutant = MUTANT_NONE;
	for (long k = 0; killed && tally.points < 1000; k += total / 200 | 1)
		note(&tally, k, kill_among_the_living(k, &killed));
	print_message("# killed at %ld points\n", tally.points);
	ASSERT_TRUE(tally.points > 50);
	if (tally.wrong != 0)
		fail_msg("got %ld wrong ends, the first after %ld: %s; want 0",
			 tally.wrong, tally.first_at, tally.first);
}

/* Each mutant of the protocol is found out, or the above shows nothing. */
static void
test_worker_with_a_broken_protocol_is_found_out(void **state)
{
	long total = count_instructions();

	for (int m = MUTANT_NONE + 1; m < MUTANT_NR; m++) {
		struct tally tally;

		mutant = (enum mutant)m;
		kill_everywhere(total / 150 | 1, &tally);
		print_message("# %s: %ld of %ld wrong, first after %ld: %s\n",
			      mutant_names[m], tally.wrong, tally.points,
			      tally.first_at, tally.first);
		mutant = MUTANT_NONE;
		if (tally.wrong == 0)
			fail_msg("%s: got 0 wrong ends, want more",
				 mutant_names[m]);
	}
}

static int
setup(void **state)
{
	diag_init(open("/dev/null", O_WRONLY | O_CLOEXEC), DIAG_ERROR, false,
		  "");
	if (fake_run_create(&run, 1, 0) != 0)
		return -1;
	/* the handles are the same in each case; only the bytes change */
	fake_run_start_at(&run, UINT64_MAX - 2);
	pristine = malloc(run.segment.bytes);
	shot = malloc(run.segment.bytes);
	board = mmap(NULL, sizeof(*board), PROT_READ | PROT_WRITE,
		     MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (pristine == NULL || shot == NULL || board == MAP_FAILED)
		return -1;
	memcpy(pristine, run.segment.base, run.segment.bytes);
	return 0;
}

static int
teardown(void **state)
{
	free(pristine);
	free(shot);
	munmap(board, sizeof(*board));
	fake_run_destroy(&run);
	return 0;
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
			test_worker_killed_at_every_instruction_gives_each_output_once),
		cmocka_unit_test(
			test_worker_whose_replacement_dies_too_gives_each_output_once),
		cmocka_unit_test(
			test_worker_killed_among_living_neighbours_gives_each_output_once),
		cmocka_unit_test(
			test_worker_with_a_broken_protocol_is_found_out),
	};

	return cmocka_run_group_tests_name("stages/worker killed", tests, setup,
					   teardown);
}
