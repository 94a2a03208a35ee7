/* SPDX-License-Identifier: MIT */
/*
 * test_chunk_work.h - one step of chunk without a worker: a slab, a file and
 *                     what is given lie in arrays.
 */
#ifndef TESTS_SUPPORT_TEST_CHUNK_WORK_H
#define TESTS_SUPPORT_TEST_CHUNK_WORK_H

#include "tests/support/test_shm.h"

#include "stages/chunk/chunk_work.h"

#define GOT_MAX 64

struct step_rig {
	struct job job;
	struct chunk_rules rules;
	struct chunk_state state;
	struct chunk_scratch scratch;
	struct slabs slabs;
	struct chunk_work work;
	struct chunk_file file;
	struct plan_entry entry; /* of all chunks and signatures */
	bool is_planned;
	struct desc got[GOT_MAX];
	uint32_t got_nr;
	uint8_t names[NAMES_EXTENT_BYTES];
};

static inline void
step_emit(void *context, const struct desc *desc)
{
	struct step_rig *rig = context;

	ASSERT_TRUE(rig->got_nr < GOT_MAX);
	rig->got[rig->got_nr++] = *desc;
}

static inline struct chunk_file
step_file(void *context, uint32_t file_idx)
{
	(void)file_idx;
	return ((struct step_rig *)context)->file;
}

static inline const struct plan_entry *
step_planned(void *context, uint32_t file_idx, uint32_t chunk_nr)
{
	struct step_rig *rig = context;

	(void)file_idx;
	(void)chunk_nr;
	return rig->is_planned ? &rig->entry : NULL;
}

static inline uint32_t
step_public_lines(void *context, uint32_t file_idx)
{
	(void)context;
	(void)file_idx;
	return 0;
}

static inline void *
step_names(void *context, uint64_t off, uint64_t bytes)
{
	struct step_rig *rig = context;

	ASSERT_TRUE(off + bytes <= sizeof(rig->names));
	return rig->names + off;
}

static inline bool
step_reserve_names(void *context, uint64_t off)
{
	(void)context;
	(void)off;
	return true;
}

/* Rules as of a budget, for a file in C. */
static inline void
step_rig_init(struct step_rig *rig)
{
	static const struct chunk_services services = {
		step_emit,         step_file,  step_planned,
		step_public_lines, step_names, step_reserve_names,
	};
	uint8_t *slab = rig->slabs.base;

	memset(rig, 0, sizeof(*rig));
	rig->slabs = (struct slabs){ slab, 1 };
	if (slab == NULL)
		rig->slabs.base = calloc(1, SLAB_BYTES);
	ASSERT_EQ(tokenizer_open(&rig->rules.fit.tokenizer, "cl100k_base"), 0);
	rig->rules.fit.max_tokens = CHUNK_MAX_TOKENS;
	rig->rules.fit.min_tokens = CHUNK_MIN_TOKENS;
	rig->rules.job = &rig->job;
	rig->job.whole_bytes = SLAB_BODY_BYTES / 2 / 4096 * 4096;
	rig->job.part_bytes = rig->job.whole_bytes;
	chunk_rules_fit(&rig->rules);
	rig->file = (struct chunk_file){
		.path = (const uint8_t *)"a.c",
		.hint = "c",
		.path_bytes = 3,
		.hint_bytes = 1,
	};
	rig->work = (struct chunk_work){
		.rules = &rig->rules,
		.services = &services,
		.context = rig,
		.slabs = &rig->slabs,
		.scratch = &rig->scratch,
		.state = &rig->state,
	};
}

/* A whole file of this text, at the start of the slab's body. */
static inline struct desc
step_whole_file(struct step_rig *rig, const char *text, uint8_t flags)
{
	struct desc in = {
		.kind = DESC_WHOLE,
		.flags = flags,
		.slab_off = SLAB_HEAD_BYTES,
		.bytes = (uint32_t)strlen(text),
	};

	memcpy(rig->slabs.base + SLAB_HEAD_BYTES, text, in.bytes);
	return in;
}

/* What a descriptor points at is this text. */
static inline void
step_assert_text(const struct step_rig *rig, const struct desc *desc,
		 const char *want)
{
	ASSERT_EQ(desc->bytes, strlen(want));
	assert_memory_equal(desc_content(&rig->slabs, desc), want, desc->bytes);
}

#endif
