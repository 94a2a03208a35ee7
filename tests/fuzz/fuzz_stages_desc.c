/* SPDX-License-Identifier: MIT */
/*
 * fuzz_stages_desc.c - descriptors that somebody has scribbled over, as the
 * stages themselves use them.
 *
 * Input: four bytes (which stage, what of a run, the format, how many), the
 * descriptors, each behind a byte for its ring, and content for the slabs.
 * Whatever it is, a step does its work, or ends by an assertion of ours, which
 * is the death of a worker; it touches nothing that is not its own. Files are
 * those of the catalogue: their numbers are checked where its tables are.
 *
 * verifies: R7
 */
#include "tests/support/test_stage_rig.h"

#include <sys/stat.h>

#include "markup/markup.h"
#include "shm/wait.h"
#include "stages/stage.h"
#include "catalogue/chunks.h"
#include "catalogue/facts.h"
#include "stages/job.h"

#define LANES 2
#define SLABS 1 /* alone in its memory, which a sanitizer watches */
#define FILES 8
#define CHUNKS 64
#define PLANNED 6
#define DESCS_MAX 24
#define STEPS_MAX 64
#define HEAD_BYTES 4

int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t bytes_nr);

static struct rig rig;
static jmp_buf refused;

static void
on_assert(const char *what, const char *file, int line)
{
	longjmp(refused, 1);
}

/* ---- a run that all inputs share ----------------------------------------- */

static void
make_catalogue(void)
{
	static const uint64_t planned[PLANNED] = { 0, 1, 2, 9, 20, 63 };
	char path[32];

	for (uint32_t i = 0; i < FILES; i++) {
		snprintf(path, sizeof(path), "src/f%u.c", i);
		rig_add_file(&rig, i, path, "c");
		rig_facts(&rig, i);
	}
	for (uint64_t i = 0; i < CHUNKS; i++)
		rig_chunk(&rig, i);
	rig_set_plan(&rig, planned, PLANNED);
}

static void
set_up(void)
{
	if (rig.run.output_fd > 0)
		return;
	rig_open(&rig, LANES, SLABS);
	rig.run.segment.slabs.base = malloc(SLABS * SLAB_BYTES);
	rig.run.output_fd = memfd_create("output", MFD_CLOEXEC);
	if (rig.run.output_fd < 0 || rig.run.segment.slabs.base == NULL)
		abort();
	make_catalogue();
}

/* As the first step of a process finds it, whatever the last input did. */
static void
set_back(enum stage_id stage, bool is_gather)
{
	const struct segment *segment = &rig.run.segment;
	uint32_t idx = stage_worker_idx(stage, 0, LANES);
	struct worker_shm *worker = segment_worker(segment, idx);

	for (uint32_t i = 0; i < segment->header->ring_nr; i++) {
		struct ring_shm *ring = segment_ring(segment, i);

		ring_init(ring, ring->entry_nr, 0);
	}
	memset(worker, 0, sizeof(*worker));
	wait_init(segment_wait(segment, idx));
	worker->steps[0].closed = is_gather;
	memset(segment->control, 0, sizeof(*segment->control));
	atomic_store(&segment->control->pass, 1u + is_gather);
	atomic_store(&segment->control->plan_nr, PLANNED);
	for (uint32_t i = 0; i < FILES; i++)
		*catalogue_facts(&rig.run.catalogue, i) = (struct file_facts){
			.bytes = 50,
			.chunk_first = i * 8,
			.chunk_nr = 8,
			.line_nr = 80,
			.same_as = FILE_NONE,
			.next_copy = FILE_NONE,
			.duplicate_of = FILE_NONE,
		};
	for (uint64_t i = 0; i < CHUNKS; i++)
		*catalogue_chunk(&rig.run.catalogue, i) = (struct chunk_record){
			.file_idx = (uint32_t)i / 8,
			.line_first = (uint32_t)i % 8 * 10 + 1,
			.line_nr = 10,
			.bytes = 6,
			.file_off = i % 8 * 6,
		};
	if (ftruncate(rig.run.output_fd, 0) != 0)
		abort();
}

static void
set_options(uint8_t what, uint8_t format)
{
	struct job *job = &rig.run.job;

	job->budget_tokens = what & 1 ? BUDGET_ALL : 30000;
	job->compress = what & 2;
	job->strip_comments = what & 4;
	job->by_rank = what & 8;
	job->no_dedup = what & 16;
	job->markup = (struct markup_options){
		.kind = (enum markup_kind)(format % MARKUP_TEMPLATE),
		.unicode = (enum markup_unicode)((format >> 3 & 3) % 3),
		.numbers = format & 0x20,
		.tree = format & 0x40,
	};
}

/* ---- descriptors --------------------------------------------------------- */

static const struct {
	enum stage_id stage;
	enum edge_id edges[2];
} stages[] = {
	{ STAGE_CHUNK, { EDGE_CONTENT, EDGE_CONTENT } },
	{ STAGE_COUNT, { EDGE_CHUNKS, EDGE_CHUNKS } },
	{ STAGE_DEDUP, { EDGE_ORDER, EDGE_COUNTED } },
	{ STAGE_FORMAT, { EDGE_SELECTED, EDGE_SELECTED } },
};

/* What follows the descriptors becomes the content of the slab. */
static void
give_content(const uint8_t *bytes, size_t nr)
{
	static const char text[] = "int\nf(void)\n{\n\t/* <|x|> ]]> ``` */\n"
				   "\treturn \"\\u202e\";\n}\n";

	uint8_t *slab = slab_at(&rig.run.segment.slabs, 0);

	/* a step may have changed some of it */
	memset(slab, 'x', SLAB_BYTES);
	for (size_t at = 0; at < 8192; at += sizeof(text) - 1)
		memcpy(slab + SLAB_HEAD_BYTES + at, text, sizeof(text) - 1);
	nr = min_size(nr, SLAB_BODY_BYTES);
	memcpy(slab + SLAB_HEAD_BYTES, bytes, nr);
}

static void
give(size_t which, uint8_t to, const uint8_t *bytes)
{
	enum edge_id edge = stages[which].edges[to & 1];
	uint32_t lane = edge == EDGE_COUNTED ? to >> 1 & 1 : 0;
	struct desc desc;

	memcpy(&desc, bytes, sizeof(desc));
	desc.file_idx %= FILES;
	rig_push(&rig, edge, lane, &desc);
}

static void
drain(void)
{
	struct desc desc;

	for (int e = 0; e < EDGE_NR; e++)
		for (uint32_t lane = 0;
		     edge_table[e].from == rig.stage &&
		     lane < edge_ring_nr((enum edge_id)e, LANES);
		     lane++)
			while (rig_pop(&rig, (enum edge_id)e, lane, &desc))
				;
}

static void
run_steps(void)
{
	for (int i = 0; i < STEPS_MAX; i++) {
		if (rig_step(&rig) != STEP_DONE)
			return;
		drain();
	}
}

static void
try_all(const uint8_t *bytes, size_t bytes_nr)
{
	const size_t each = 1 + sizeof(struct desc);
	size_t which = bytes[0] % ARRAY_LEN(stages);
	size_t nr = min_size(bytes[3] % (DESCS_MAX + 1),
			     (bytes_nr - HEAD_BYTES) / each);
	const uint8_t *at = bytes + HEAD_BYTES;

	rig_attach(&rig, stages[which].stage, 0);
	for (size_t i = 0; i < nr; i++, at += each)
		give(which, at[0], at + 1);
	give_content(at, bytes_nr - HEAD_BYTES - nr * each);
	rig_close_inputs(&rig, rig.worker.pass);
	run_steps();
}

int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t bytes_nr)
{
	if (bytes_nr < HEAD_BYTES)
		return 0;
	set_up();
	set_back(stages[bytes[0] % ARRAY_LEN(stages)].stage, bytes[0] & 0x80);
	set_options(bytes[1], bytes[2]);
	base_on_assert(on_assert);
	if (setjmp(refused) == 0)
		try_all(bytes, bytes_nr);
	base_on_assert(NULL);
	rig_detach(&rig);
	return 0;
}
