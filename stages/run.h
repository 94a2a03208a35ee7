/* SPDX-License-Identifier: MIT */
/*
 * run.h - all that a worker is born with.
 */
#ifndef STAGES_RUN_H
#define STAGES_RUN_H

#include "catalogue/commit_tasks.h"
#include "shm/segment.h"
#include "stages/job.h"
#include "stages/stage.h"

struct tokenizer;

#define REACH_MAX 64

/* Folders that a worker has opened and must be able to read below. */
struct reach {
	int fds[REACH_MAX];
	uint32_t nr;
};

/* Owner: the supervisor, before any fork. */
struct run {
	struct segment segment;
	struct catalogue catalogue;
	struct job job;
	const struct tokenizer *tokenizer;
	uint32_t lane_nr; /* that may be: see control_shm.lanes_live */
	int lanes_fd;  /* eventfd(2): collect wants more; 0: nobody listens */
	int output_fd; /* where format writes */
	bool output_streams; /* it is pumped to stdout while it grows */
	struct run_file {
		uint64_t dev;
		uint64_t ino;
	} * outputs; /* never packed: what this run writes */
	uint32_t output_nr;
	uint64_t memory_bytes;
	uint64_t object_bytes;   /* of these for objects of git */
	uint64_t table_bytes;    /* and mapped of the tables, by each process */
	uint64_t place_bytes;    /* and of the places that sources name */
	unsigned sandbox_layers; /* bits: those that workers put on */
	/* puts the calling worker into its sandbox: 0 or -errno; NULL: none */
	int (*confine)(const struct run *run, enum stage_id stage,
		       const struct reach *reach);
};

/*
 * shape:  the names of all files that a walk of the trees would take, without
 *         a run; shuts the calling process in
 * errors: -errno, fn's too: it ends with that
 */
int
stage_list_files(const struct run *run, source_file_fn *fn, void *context);

/*
 * shape:  the last commits of the repository that the one root is in, as tasks,
 *         the newest first: tasks->wanted_nr, if there are so many; shuts the
 *         calling process in
 * errors: -errno, with a sentence in tasks->why
 */
int
stage_list_commits(const struct run *run, struct commit_tasks *tasks);

#endif
