/* SPDX-License-Identifier: MIT */
/*
 * test_shm_segment.c - the arena: where things lie in it, what it refuses,
 * and what is left of it when something goes wrong.
 */
#include "tests/support/test_shm.h"

#include <dirent.h>

#include "shm/ring.h"
#include "shm/segment.h"

static const uint32_t ring_sizes[] = { 1, 3, 64, 1000 };

static struct segment_plan
plan_of(uint32_t worker_nr, uint32_t slab_nr, uint64_t cache_bytes)
{
	struct segment_plan plan = {
		.worker_nr = worker_nr,
		.lane_nr = 1,
		.slab_nr = slab_nr,
		.ring_nr = ARRAY_LEN(ring_sizes),
		.cache_bytes = cache_bytes,
	};

	for (uint32_t i = 0; i < plan.ring_nr; i++) {
		plan.ring_entries[i] = ring_sizes[i];
		plan.ring_producer[i] = i % worker_nr;
		plan.ring_consumer[i] = (i + 1) % worker_nr;
	}
	return plan;
}

/* Names in /dev/shm, which no arena has. */
static int
count_names(void)
{
	DIR *dir = opendir("/dev/shm");
	int n = 0;

	while (dir != NULL && readdir(dir) != NULL)
		n++;
	if (dir != NULL)
		closedir(dir);
	return n;
}

/* Pieces of the arena, in the order in which they have to lie. */
struct piece {
	uint64_t off;
	uint64_t bytes;
	uint64_t alignment;
};

static size_t
pieces_of(const struct segment *segment, struct piece *pieces)
{
	const struct segment_shm *h = segment->header;
	size_t n = 0;

	pieces[n++] = (struct piece){ 0, sizeof(*h), 4096 };
	pieces[n++] = (struct piece){ h->control_off,
				      sizeof(struct control_shm), 4096 };
	pieces[n++] =
		(struct piece){ h->waits_off,
				h->worker_nr * sizeof(struct wait_shm), 4096 };
	for (uint32_t i = 0; i < h->worker_nr; i++)
		pieces[n++] = (struct piece){
			(uint64_t)((uint8_t *)segment_worker(segment, i) -
				   segment->base),
			sizeof(struct worker_shm), 4096
		};
	for (uint32_t i = 0; i < h->ring_nr; i++)
		pieces[n++] = (struct piece){
			h->ring_off[i],
			ring_bytes(segment_ring(segment, i)->entry_nr), 4096
		};
	pieces[n++] = (struct piece){ h->cache_off, h->cache_bytes, 4096 };
	pieces[n++] = (struct piece){ h->slabs_off,
				      (uint64_t)h->slab_nr * SLAB_BYTES, 4096 };
	return n;
}

static void
check_layout(const struct segment_plan *plan)
{
	struct segment segment = { 0 };
	struct piece pieces[RINGS_MAX + WORKERS_MAX + 8];
	uint64_t end = 0;
	size_t n;

	ASSERT_EQ(segment_create(&segment, plan), 0);
	ASSERT_EQ(segment.bytes, segment_bytes(plan));
	n = pieces_of(&segment, pieces);
	for (size_t i = 0; i < n; i++) {
		ASSERT_EQ(pieces[i].off % pieces[i].alignment, 0);
		ASSERT_TRUE(pieces[i].off >= end);
		end = pieces[i].off + pieces[i].bytes;
	}
	ASSERT_TRUE(end <= segment.bytes);
	for (uint32_t i = 0; i < plan->ring_nr; i++) {
		struct ring ring;

		ASSERT_EQ(ring_attach(&ring, segment_ring(&segment, i)), 0);
		ASSERT_TRUE(ring_valid(&ring));
		ASSERT_EQ(ring.entry_nr, plan->ring_entries[i]);
		ASSERT_EQ(ring.shm->producer, plan->ring_producer[i]);
		ASSERT_EQ(ring.shm->consumer, plan->ring_consumer[i]);
	}
	/* every byte may be touched */
	memset(segment.slabs.base, 1, (size_t)plan->slab_nr * SLAB_BYTES);
	ASSERT_EQ(segment.cache == NULL, plan->cache_bytes == 0);
	if (segment.cache != NULL)
		memset(segment.cache, 1, plan->cache_bytes);
	segment_destroy(&segment);
	segment_destroy(&segment); /* nothing: allowed */
}

static void
test_segment_pieces_lie_apart_and_in_order(void **state)
{
	static const struct {
		uint32_t worker_nr;
		uint32_t slab_nr;
		uint64_t cache_bytes;
	} cases[] = { { 1, 0, 0 },
		      { 1, 1, 1 },
		      { 8, 4, 4096 },
		      { WORKERS_MAX, 3, 100001 } };

	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct segment_plan plan =
			plan_of(cases[i].worker_nr, cases[i].slab_nr,
				cases[i].cache_bytes);

		check_layout(&plan);
	}
}

static void
test_segment_made_and_destroyed_leaves_nothing(void **state)
{
	struct segment_plan plan = plan_of(2, 1, 0);
	struct segment segment;
	int fds = open_fds();

	for (int i = 0; i < 20; i++) {
		ASSERT_EQ(segment_create(&segment, &plan), 0);
		segment_destroy(&segment);
	}
	ASSERT_EQ(open_fds(), fds);
}

/* A field of the header, overwritten. */
struct damage {
	const char *what;
	size_t off;
	size_t bytes;
	uint64_t value;
};

#define DAMAGE(field, value)                                              \
	{                                                                 \
#field " = " #value, offsetof(struct segment_shm, field), \
			sizeof(((struct segment_shm *)0)->field), value   \
	}

static const struct damage damages[] = {
	DAMAGE(magic, 0),
	DAMAGE(magic, LAYOUT_MAGIC + 1),
	DAMAGE(version, LAYOUT_VERSION + 1),
	DAMAGE(version, 0),
	DAMAGE(sizes, 0),
	DAMAGE(bytes, 0),
	DAMAGE(bytes, UINT64_MAX),
	DAMAGE(control_off, UINT64_MAX),
	DAMAGE(control_off, 1ull << 40),
	DAMAGE(control_off, 3),
	DAMAGE(workers_off, UINT64_MAX - 4095),
	DAMAGE(workers_off, 1ull << 40),
	DAMAGE(workers_off, 12345),
	DAMAGE(cache_off, UINT64_MAX),
	DAMAGE(cache_off, 1ull << 40),
	DAMAGE(slabs_off, UINT64_MAX),
	DAMAGE(slabs_off, 0),
	DAMAGE(ring_off[0], UINT64_MAX),
	DAMAGE(ring_off[0], 1ull << 40),
	DAMAGE(ring_off[3], 8),
	DAMAGE(worker_nr, WORKERS_MAX + 1),
	DAMAGE(worker_nr, UINT32_MAX),
	DAMAGE(worker_nr, WORKERS_MAX),
	DAMAGE(ring_nr, RINGS_MAX + 1),
	DAMAGE(ring_nr, UINT32_MAX),
	DAMAGE(ring_nr, RINGS_MAX),
	DAMAGE(slab_nr, 0),
	DAMAGE(slab_nr, UINT32_MAX),
	DAMAGE(cache_bytes, UINT64_MAX),
	DAMAGE(cache_bytes, 1ull << 40),
};

/* verifies: R7 */
static void
test_segment_attach_to_another_layout_is_refused(void **state)
{
	struct segment_plan plan = plan_of(2, 2, 4096);
	struct segment segment;
	struct segment other;

	ASSERT_EQ(segment_create(&segment, &plan), 0);
	for (size_t i = 0; i < ARRAY_LEN(damages); i++) {
		const struct damage *damage = &damages[i];
		uint8_t *field = segment.base + damage->off;
		uint64_t good = 0;
		int got;

		memcpy(&good, field, damage->bytes);
		memcpy(field, &damage->value, damage->bytes);
		got = segment_attach(&other, segment.base, segment.bytes);
		memcpy(field, &good, damage->bytes);
		if (got != -EPROTO)
			fail_msg("%s: got %d, want %d", damage->what, got,
				 -EPROTO);
	}
	ASSERT_EQ(segment_attach(&other, segment.base, segment.bytes), 0);
	ASSERT_EQ(segment_attach(&other, segment.base, segment.bytes - 1),
		  -EPROTO);
	ASSERT_EQ(segment_attach(&other, segment.base, 16), -EPROTO);
	segment_destroy(&segment);
}

/* verifies: R7 */
static void
test_segment_attach_to_rings_past_the_end_is_refused(void **state)
{
	struct segment_plan plan = plan_of(2, 0, 0);
	struct segment segment;
	struct segment other;
	struct ring_shm *last;

	ASSERT_EQ(segment_create(&segment, &plan), 0);
	last = segment_ring(&segment, plan.ring_nr - 1);
	last->entry_nr = last->slot_nr = 1u << 24;
	ASSERT_EQ(segment_attach(&other, segment.base, segment.bytes), -EPROTO);
	segment_destroy(&segment);
}

static void
child_asks_for_a_worker_too_many(void *arg)
{
	segment_worker(arg, ((struct segment *)arg)->header->worker_nr);
}

static void
child_asks_for_a_ring_too_many(void *arg)
{
	segment_ring(arg, ((struct segment *)arg)->header->ring_nr);
}

/* verifies: R7 */
static void
test_segment_index_out_of_range_ends_the_process(void **state)
{
	struct segment_plan plan = plan_of(2, 0, 0);
	struct segment segment;

	ASSERT_EQ(segment_create(&segment, &plan), 0);
	ASSERT_EQ(run_child(child_asks_for_a_worker_too_many, &segment),
		  -SIGABRT);
	ASSERT_EQ(run_child(child_asks_for_a_ring_too_many, &segment),
		  -SIGABRT);
	segment_destroy(&segment);
}

/* What the world does to segment_create(), and what has to come of it. */
static int
try_create(uint32_t slab_nr)
{
	struct segment_plan plan = plan_of(2, slab_nr, 0);
	struct segment segment;
	int fds = open_fds();
	int error = segment_create(&segment, &plan);

	if (error == 0) {
		memset(segment.slabs.base, 1, (size_t)slab_nr * SLAB_BYTES);
		segment_destroy(&segment);
	}
	CHILD_CHECK(open_fds() == fds);
	return error;
}

/* It lies in no file: neither the room in /dev/shm nor the limit of a file's
 * size is one for it. */
static void
child_with_a_full_dev_shm_and_small_files(void *arg)
{
	const struct rlimit small = { 1 << 20, 1 << 20 };

	child_mount_tmpfs("/dev/shm", "size=1m");
	setrlimit(RLIMIT_FSIZE, &small);
	CHILD_CHECK(try_create(64) == 0);
	CHILD_CHECK(count_names() == 2); /* . and .. */
}

static void
child_without_descriptors(void *arg)
{
	const struct rlimit none = { 3, 3 };
	struct segment_plan plan = plan_of(2, 1, 0);
	struct segment segment;

	if (under_valgrind())
		_exit(CHILD_SKIP);
	setrlimit(RLIMIT_NOFILE, &none);
	CHILD_CHECK(segment_create(&segment, &plan) == 0);
	segment_destroy(&segment);
}

static void
child_without_address_space(void *arg)
{
	const struct rlimit little = { 64 << 20, 64 << 20 };

	if (IS_SANITIZED || under_valgrind())
		_exit(CHILD_SKIP);
	setrlimit(RLIMIT_AS, &little);
	CHILD_CHECK(try_create(512) == -ENOMEM);
}

static void
test_segment_lies_in_no_file(void **state)
{
	run_child_or_skip(child_with_a_full_dev_shm_and_small_files, NULL);
}

static void
test_segment_needs_no_descriptor(void **state)
{
	run_child_or_skip(child_without_descriptors, NULL);
}

static void
test_segment_without_address_space_says_so(void **state)
{
	run_child_or_skip(child_without_address_space, NULL);
}

/* ---- rights ----------------------------------------------------------- */

static struct segment arena;
static const struct segment_rights chunk_like = {
	.worker_idx = 1,
	.control = CONTROL_NR,
	.uses_cache = true,
	.reads_slabs = true,
	.slab_first = 1,
	.slab_end = 3,
};
static const struct segment_rights select_like = {
	.worker_idx = 2,
	.control = CONTROL_SELECT,
};

/* A byte of the arena, and what may be done to it by those two. */
struct access_case {
	const char *what;
	uint8_t *(*at)(void);
	bool chunk_reads, chunk_writes, select_reads, select_writes;
};

#define AT(name, expression)                 \
	static uint8_t *name(void)           \
	{                                    \
		return (void *)(expression); \
	}

AT(at_header, arena.header)
AT(at_other_control,
   (uint8_t *)arena.control + CONTROL_COLLECT * LAYOUT_PAGE_BYTES)
AT(at_select_control,
   (uint8_t *)arena.control + CONTROL_SELECT * LAYOUT_PAGE_BYTES + 16)
AT(at_wait, segment_wait(&arena, 0))
AT(at_own_of_chunk, segment_worker(&arena, 1))
AT(at_own_of_select, &segment_worker(&arena, 2)->steps[1].state)
AT(at_ring_of_chunk, segment_ring(&arena, 0))
AT(at_ring_of_select, (uint8_t *)segment_ring(&arena, 2) + 64)
AT(at_cache, arena.cache + 5000)
AT(at_first_slab, arena.slabs.base + SLAB_BYTES - 1)
AT(at_own_slab, arena.slabs.base + SLAB_BYTES)
AT(at_last_own_slab, arena.slabs.base + 3 * SLAB_BYTES - 1)
AT(at_slab_behind, arena.slabs.base + 3 * SLAB_BYTES)

static const struct access_case accesses[] = {
	{ "the header", at_header, true, false, true, false },
	{ "collect's control", at_other_control, true, false, true, false },
	{ "select's control", at_select_control, true, false, true, true },
	{ "who sleeps", at_wait, true, true, true, true },
	{ "chunk's block", at_own_of_chunk, true, true, true, false },
	{ "select's block", at_own_of_select, true, false, true, true },
	{ "chunk's ring", at_ring_of_chunk, true, true, true, false },
	{ "select's ring", at_ring_of_select, true, false, true, true },
	{ "the token cache", at_cache, true, true, false, false },
	{ "another lane's slab", at_first_slab, true, false, false, false },
	{ "the lane's slab", at_own_slab, true, true, false, false },
	{ "its last one", at_last_own_slab, true, true, false, false },
	{ "the slab behind it", at_slab_behind, true, false, false, false },
};

struct attempt {
	const struct segment_rights *rights;
	uint8_t *at;
	bool writes;
};

static void
child_accesses(void *arg)
{
	const struct attempt *attempt = arg;
	volatile uint8_t *at = attempt->at;

	signal(SIGSEGV, SIG_DFL); /* cmocka has a handler */
	CHILD_CHECK(segment_protect(&arena, attempt->rights) == 0);
	if (attempt->writes)
		*at = *at;
	else
		(void)*at;
}

static bool
can(const struct segment_rights *rights, uint8_t *at, bool writes)
{
	struct attempt attempt = { rights, at, writes };
	int code = run_child(child_accesses, &attempt);

	if (code != CHILD_OK && code != -SIGSEGV)
		fail_msg("neither done nor refused: %d", code);
	return code == CHILD_OK;
}

static void
test_segment_protected_is_what_a_worker_has_a_right_to(void **state)
{
	struct segment_plan plan = plan_of(4, 5, 10000);

	if (IS_SANITIZED)
		skip(); /* its report of a SEGV is no SIGSEGV */
	plan.ring_producer[0] = 1;
	plan.ring_consumer[0] = 3;
	plan.ring_producer[2] = 0;
	plan.ring_consumer[2] = 2;
	ASSERT_EQ(segment_create(&arena, &plan), 0);
	for (size_t i = 0; i < ARRAY_LEN(accesses); i++) {
		const struct access_case *it = &accesses[i];
		bool got[] = { can(&chunk_like, it->at(), false),
			       can(&chunk_like, it->at(), true),
			       can(&select_like, it->at(), false),
			       can(&select_like, it->at(), true) };
		bool want[] = { it->chunk_reads, it->chunk_writes,
				it->select_reads, it->select_writes };

		for (size_t w = 0; w < ARRAY_LEN(got); w++)
			if (got[w] != want[w])
				fail_msg("%s, %s by %s: got %d, want %d",
					 it->what, w % 2 ? "written" : "read",
					 w < 2 ? "chunk" : "select", got[w],
					 want[w]);
	}
	segment_destroy(&arena);
}

/* Each lane has slabs of its own, and together they are all. */
static void
test_segment_slabs_of_lanes_lie_side_by_side(void **state)
{
	for (uint32_t nr = 1; nr < 200; nr += 7)
		for (uint32_t lane_nr = 1;
		     lane_nr <= nr && lane_nr <= LANES_MAX; lane_nr++) {
			const struct slabs slabs = { .nr = nr };
			uint32_t before = 0;

			for (uint32_t lane = 0; lane < lane_nr; lane++) {
				uint32_t first;
				uint32_t end;

				slabs_of_lane(&slabs, lane, lane_nr, &first,
					      &end);
				ASSERT_EQ(first, before);
				ASSERT_TRUE(end > first);
				ASSERT_TRUE(end - first <= nr / lane_nr + 1);
				before = end;
			}
			ASSERT_EQ(before, nr);
		}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_segment_pieces_lie_apart_and_in_order),
		cmocka_unit_test(
			test_segment_made_and_destroyed_leaves_nothing),
		cmocka_unit_test(
			test_segment_attach_to_another_layout_is_refused),
		cmocka_unit_test(
			test_segment_attach_to_rings_past_the_end_is_refused),
		cmocka_unit_test(
			test_segment_index_out_of_range_ends_the_process),
		cmocka_unit_test(test_segment_lies_in_no_file),
		cmocka_unit_test(test_segment_needs_no_descriptor),
		cmocka_unit_test(test_segment_without_address_space_says_so),
		cmocka_unit_test(
			test_segment_protected_is_what_a_worker_has_a_right_to),
		cmocka_unit_test(test_segment_slabs_of_lanes_lie_side_by_side),
	};

	return cmocka_run_group_tests_name("shm/segment", tests, NULL, NULL);
}
