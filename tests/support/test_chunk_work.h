/* SPDX-License-Identifier: MIT */
/*
 * test_chunk_work.h - one step of chunk without a worker: a slab and what is
 *                     given lie in arrays.
 */
#ifndef TESTS_SUPPORT_TEST_CHUNK_WORK_H
#define TESTS_SUPPORT_TEST_CHUNK_WORK_H

#include "tests/support/test_shm.h"

#include "catalogue/facts.h"
#include "catalogue/files.h"
#include "stages/chunk/chunk_work.h"

#define GOT_MAX 256

struct step_rig {
	struct job job;
	struct chunk_rules rules;
	struct chunk_state state;
	struct chunk_scratch scratch;
	struct slabs slabs;
	struct chunk_work work;
	struct catalogue catalogue;
	struct names_lane lane;
	struct desc got[GOT_MAX];
	uint32_t got_nr;
};

static inline void
step_emit(void *context, const struct desc *desc)
{
	struct step_rig *rig = context;

	ASSERT_TRUE(rig->got_nr < GOT_MAX);
	rig->got[rig->got_nr++] = *desc;
}

/* Puts what is planned of the one chunk into the catalogue. */
static inline void
step_plan(struct step_rig *rig, const struct plan_entry *entry)
{
	*catalogue_plan(&rig->catalogue, 0) = *entry;
	rig->work.plan_nr = 1;
}

/* A catalogue of one file, whose path is followed by its hint. */
static inline void
step_catalogue_init(struct step_rig *rig)
{
	const struct catalogue *catalogue = &rig->catalogue;

	if (catalogue->tables[0].view == NULL) {
		ASSERT_EQ(catalogue_create(&rig->catalogue), 0);
		ASSERT_EQ(table_reserve(&catalogue->files, 4096), 0);
		ASSERT_EQ(table_reserve(&catalogue->paths, 4096), 0);
		ASSERT_EQ(table_reserve(&catalogue->facts, 4096), 0);
		ASSERT_EQ(table_reserve(&catalogue->plan, 4096), 0);
	}
	memcpy(table_at(&catalogue->paths, 0, 4), "a.cc", 4);
	*catalogue_file(catalogue, 0) = (struct file_record){
		.path_bytes = 3,
		.hint_bytes = 1,
	};
	*catalogue_facts(catalogue, 0) = (struct file_facts){ .chunk_nr = 1 };
	rig->lane = (struct names_lane){ .nr = 1 };
}

/* Rules as of a budget, for a file in C. */
static inline void
step_rig_init(struct step_rig *rig)
{
	struct catalogue catalogue = rig->catalogue;
	uint8_t *slab = rig->slabs.base;

	memset(rig, 0, sizeof(*rig));
	rig->catalogue = catalogue;
	step_catalogue_init(rig);
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
	rig->work = (struct chunk_work){
		.rules = &rig->rules,
		.emit = step_emit,
		.context = rig,
		.catalogue = &rig->catalogue,
		.lane = &rig->lane,
		.reserve_names = catalogue_reserve_names,
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
