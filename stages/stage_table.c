/* SPDX-License-Identifier: MIT */
/*
 * stage_table.c - the wiring, on one screen.
 */
#include "stages/collect/collect_worker.h"
#include "stages/run.h"

#define T(NAME) TABLE_BIT(NAME)

const struct stage stage_table[STAGE_NR] = {
	/* name, callbacks, a worker a lane, what it does;
	 * what it writes: tables, control page, slabs; whether it counts */
	{ "collect", &collect_ops, false, "finds and reads files",
	  T(FILES) | T(PATHS) | T(HISTORY) | T(PAST) | T(FINDINGS) |
		  T(CONTENTS),
	  CONTROL_COLLECT, SLABS_WRITE, false },
	{ "chunk", &chunk_ops, true, "cuts them where they can be cut",
	  T(NAMES), CONTROL_NR, SLABS_WRITE_LANE, true },
	{ "count", &count_ops, true, "counts tokens, takes fingerprints", 0,
	  CONTROL_NR, SLABS_READ, true },
	{ "dedup", &dedup_ops, false, "puts in order, finds duplicates",
	  T(FACTS) | T(CHUNKS) | T(SIGNATURE_LINES) | T(TERMS) | T(WORDS) |
		  T(SEEN) | T(KEPT),
	  CONTROL_NR, SLABS_NONE, false },
	{ "select", &select_ops, false, "decides what is packed",
	  T(FACTS) | T(PLAN) | T(PREAMBLE) | T(TRAITS) | T(TAKEN) | T(RUNS),
	  CONTROL_SELECT, SLABS_NONE, false },
	{ "format", &format_ops, false, "writes it",
	  T(CUTS) | T(PARTS) | T(SPECIALS) | T(LINE_COSTS), CONTROL_FORMAT,
	  SLABS_READ, true },
};

#undef T

const struct edge edge_table[EDGE_NR] = {
	/* from, to, entries, wake after these or so many bytes, stream,
	 * what it carries */
	{ STAGE_COLLECT, STAGE_CHUNK, 512, 24, 64 << 10, true, "content" },
	{ STAGE_CHUNK, STAGE_COUNT, 2048, 32, 0, true, "chunks" },
	{ STAGE_COUNT, STAGE_DEDUP, 8192, 64, 0, true, "counted chunks" },
	{ STAGE_COLLECT, STAGE_DEDUP, 8192, 64, 0, true, "turns" },
	{ STAGE_DEDUP, STAGE_SELECT, 1024, 32, 0, true, "unique chunks" },
	{ STAGE_SELECT, STAGE_FORMAT, 1024, 32, 0, true, "selected chunks" },
	{ STAGE_COUNT, STAGE_COLLECT, 1024, 4, 0, false, "slabs" },
	{ STAGE_FORMAT, STAGE_COLLECT, 1024, 4, 0, false, "slabs" },
};

int
stage_list_files(const struct run *run, source_file_fn *fn, void *context)
{
	return collect_list(run, fn, context);
}

int
stage_list_commits(const struct run *run, struct commit_tasks *tasks)
{
	return collect_list_commits(run, tasks);
}
