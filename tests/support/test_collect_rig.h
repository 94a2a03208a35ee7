/* SPDX-License-Identifier: MIT */
/*
 * test_collect_rig.h - a collector over a tree of the test's own; the test is
 * all stages behind it, and gives its slabs back.
 */
#ifndef TESTS_SUPPORT_TEST_COLLECT_RIG_H
#define TESTS_SUPPORT_TEST_COLLECT_RIG_H

#include "tests/support/test_collect_scratch.h"
#include "tests/support/test_stage_rig.h"

#include "stages/collect/collect_worker.h"

#define TOLD_MAX 512

static struct rig rig;

/* A file as those behind hear of it. */
struct told {
	char path[64];
	uint8_t reason;
	uint32_t descs;    /* of content */
	uint32_t releases; /* of slabs, in these */
	uint32_t lasts;
	uint8_t flags; /* of all of them */
	uint32_t slab_idx;
	struct desc last;
	size_t bytes[2]; /* looked at; to be written */
	char *text[2];
};

static struct told told[TOLD_MAX];
static uint32_t told_nr;

static UNUSED void
collector_forget_told(void)
{
	for (uint32_t i = 0; i < told_nr; i++) {
		free(told[i].text[0]);
		free(told[i].text[1]);
	}
	memset(told, 0, sizeof(told));
	told_nr = 0;
}

/* What a process has open, which a death closes. */
static UNUSED void
collector_drop(void)
{
	struct collect_scratch *scratch =
		rig.attached ? rig.worker.scratch : NULL;

	if (scratch == NULL)
		return;
	collect_close(&scratch->files);
	for (struct collect_queue *queue = &scratch->files.queue;
	     queue->next < queue->nr; queue->next++)
		if (queue->items[queue->next].fd >= 0)
			close(queue->items[queue->next].fd);
	collect_walk_destroy(scratch->files.walk);
	collect_reader_destroy(scratch->files.reader);
	free(scratch->files.given);
	rig_detach(&rig);
}

static UNUSED int
collector_set_up(void **state)
{
	scratch_set_up(state);
	setenv("HOME", "/nonexistent", 1);
	rig_open(&rig, 2, 8);
	rig.run.job.roots = scratch_here;
	rig.run.job.root_nr = 1;
	rig.run.job.max_file_bytes = UINT64_MAX;
	rig.run.job.io = IO_READ;
	rig.run.job.sources.text_fd = -1;
	rig.run.object_bytes = 32u << 20;
	store_release(&rig.run.segment.control->pass, PASS_FIRST);
	return 0;
}

static UNUSED int
collector_tear_down(void **state)
{
	collector_drop();
	collector_forget_told();
	rig_close(&rig);
	return scratch_tear_down(state);
}

/* A process begins, or takes the place of a dead one. */
static UNUSED void
collector_begin(void)
{
	collector_drop();
	rig_attach(&rig, STAGE_COLLECT, 0);
}

static UNUSED struct told *
collector_told_of(uint32_t file_idx)
{
	const struct file_record *record =
		catalogue_file(&rig.worker.catalogue, file_idx);
	struct told *it = &told[told_nr++];

	ASSERT_TRUE(told_nr <= TOLD_MAX);
	snprintf(it->path, sizeof(it->path), "%.*s", (int)record->path_bytes,
		 (const char *)catalogue_path(&rig.worker.catalogue, record));
	return it;
}

static UNUSED void
collector_take_content(uint32_t lane)
{
	struct told *of;
	struct desc desc;

	while (rig_pop(&rig, EDGE_CONTENT, lane, &desc)) {
		bool emits = (desc.flags & DESC_EMIT) != 0;
		struct desc back = { .kind = DESC_SLAB,
				     .flags = DESC_RELEASE,
				     .slab_idx = desc.slab_idx };

		ASSERT_TRUE(desc_valid(&desc, rig.run.segment.slabs.nr,
				       SLAB_BYTES, DESC_GROWTH_NONE));
		/* its turn was told, the newest of that name */
		for (of = &told[told_nr - 1];; of--) {
			const struct file_record *record = catalogue_file(
				&rig.worker.catalogue, desc.file_idx);

			ASSERT_TRUE(of >= told);
			if (strlen(of->path) == record->path_bytes &&
			    memcmp(of->path,
				   catalogue_path(&rig.worker.catalogue,
						  record),
				   record->path_bytes) == 0)
				break;
		}
		of->descs++;
		of->flags |= desc.flags;
		of->last = desc;
		of->reason |= desc.reason;
		of->lasts += (desc.flags & DESC_LAST) != 0;
		of->releases += (desc.flags & DESC_RELEASE) != 0;
		of->slab_idx = desc.slab_idx;
		of->text[emits] = realloc(of->text[emits],
					  of->bytes[emits] + desc.bytes + 1);
		memcpy(of->text[emits] + of->bytes[emits],
		       desc_content(&rig.run.segment.slabs, &desc), desc.bytes);
		of->bytes[emits] += desc.bytes;
		of->text[emits][of->bytes[emits]] = '\0';
		if ((desc.flags & DESC_RELEASE) && desc.slab_idx != SLAB_NONE)
			rig_push(&rig, EDGE_COUNT_SLABS, lane, &back);
	}
}

/* Takes all that was given since. */
static UNUSED void
collector_take(void)
{
	struct desc turn;

	while (rig_pop(&rig, EDGE_ORDER, 0, &turn)) {
		struct told *it = collector_told_of(turn.file_idx);

		if (turn.kind == DESC_FILE)
			it->reason = turn.reason;
		else
			ASSERT_EQ(turn.kind, DESC_LANE);
	}
	for (uint32_t lane = 0; lane < rig.run.lane_nr; lane++)
		collector_take_content(lane);
}

/* All steps of a pass, each taken at once; how many. */
static UNUSED int
collector_run_pass(void)
{
	uint64_t pass = rig.worker.pass;
	int steps = 0;

	while (rig.worker.pass == pass) {
		ASSERT_EQ(rig_step(&rig), STEP_DONE);
		collector_take();
		ASSERT_TRUE(++steps < 10000);
	}
	return steps;
}

/* "a.c d/b.c [secret] id_rsa": all that was told, in order. */
static UNUSED const char *
collector_names(void)
{
	static char text[TOLD_MAX * 80];
	size_t at = 0;

	text[0] = '\0';
	for (uint32_t i = 0; i < told_nr; i++)
		at += (size_t)sprintf(
			text + at, "%s%s%s%s%s", i > 0 ? " " : "",
			told[i].reason != 0 ? "[" : "",
			told[i].reason != 0 ? reason_text(told[i].reason) : "",
			told[i].reason != 0 ? "] " : "", told[i].path);
	return text;
}

/* No slab is anybody's. */
static UNUSED void
collector_expect_all_slabs_back(void)
{
	const struct collect_state *state = rig.worker.state;

	collect_take_slabs_back(&rig.worker);
	for (size_t i = 0; i < ARRAY_LEN(state->in_flight); i++)
		ASSERT_EQ(state->in_flight[i], 0);
}

/* A large text in lines, no two the same. owner: the caller's */
static UNUSED char *
collector_text(size_t bytes)
{
	char *text = malloc(bytes + 1);

	ASSERT_TRUE(text != NULL);
	for (size_t at = 0; at < bytes;) {
		char line[24];
		size_t nr =
			(size_t)snprintf(line, sizeof(line), "line %zu\n", at);

		nr = min_size(nr, bytes - at);
		memcpy(text + at, line, nr);
		at += nr;
	}
	text[bytes] = '\0';
	return text;
}

#define COLLECTOR(name)                                         \
	cmocka_unit_test_setup_teardown(name, collector_set_up, \
					collector_tear_down)

#endif
