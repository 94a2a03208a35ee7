/* SPDX-License-Identifier: MIT */
/*
 * supervisor.h - the state of a run in the supervisor.
 *
 *   pack.c      the run, from options to exit
 *   set_up.c    what it needs: arena, catalogue, output, workers
 *   memory.c    shares --memory out, and makes the arena
 *   list_trees.c  what collect finds in a process of its own, before a run
 *   spawn.c     forks a worker, or its replacement
 *   watch.c     waits for deaths, signals and time; decides what follows
 *   output.c    where the output goes
 */
#ifndef SUPERVISOR_SUPERVISOR_H
#define SUPERVISOR_SUPERVISOR_H

#include <sys/types.h>

#include "base/exit_code.h"
#include "stages/run.h"
#include "supervisor/liveness.h"
#include "supervisor/options.h"
#include "supervisor/output.h"
#include "supervisor/part_set.h"
#include "supervisor/progress.h"
#include "sources/source_list.h"
#include "supervisor/timeline.h"

/* What collect says by run.lanes_fd; not the index of a worker. */
#define LANES_EVENT UINT32_MAX
#define DEATH_MS 2000 /* from SIGKILL, if nothing delays it */
/* No exit code: supervisor_start_again() may do it. */
#define SUPERVISOR_AGAIN 256

/* A worker, through all its incarnations. */
struct worker_slot {
	pid_t pid; /* 0: has ended, and is not to be replaced */
	int pidfd;
	bool is_stuck;       /* killed by the watch, for want of heartbeats */
	bool is_waiting;     /* and waited in the kernel, as collect does */
	uint32_t same_step;  /* deaths in a row at one step */
	uint32_t early;      /* deaths in a row before it was ready */
	uint64_t death_step; /* `committed` at the last death */
	uint64_t deaths;     /* all of them */
	struct liveness liveness;
};

struct supervisor {
	struct run run;
	const struct options *options;
	struct output output;
	struct part_set parts;      /* with --split */
	struct source_list sources; /* requests besides the tree */
	struct text_list known;     /* secrets, of --secrets-baseline */
	struct progress_bar bar;
	uint32_t worker_slot_nr;
	struct worker_slot worker_slots[WORKERS_MAX];
	int epoll_fd;
	bool has_no_reader;   /* of the output: the run ends by SIGPIPE */
	int exit_code;        /* that ends the run early; 0: none */
	uint64_t deaths;      /* of all members */
	uint64_t unlooked_ns; /* since the workers were looked at */
	uint64_t begun_ns;
	int64_t started_ns; /* since 1970 */
	uint64_t peak_pss_bytes;
	uint64_t pss_next_ns; /* when to measure again */
	uint64_t pss_bytes;   /* as last measured */
	struct timeline timeline;
};

/*
 * shape:  reads what the options name, shares --memory out, makes arena,
 *         catalogue and output: 0 or an exit code, said
 * owner:  what was made stays, to be taken down by pack.c
 */
int
supervisor_set_up(struct supervisor *supervisor);

/*
 * shape:  makes the segment; sets lanes, members and the bytes for objects of
 *         git, whether or not there is a repository: to look would be to touch
 *         a tree that may not answer
 * owner:  the supervisor, segment_destroy()
 * errors: an exit code, and an error is logged
 * calls:  supervisor_set_up(); supervisor_start_again(), once the segment is
 *         destroyed
 */
int
memory_share(struct supervisor *supervisor);

/*
 * shape:  calls fn, in the other process, for each file that a run would find
 * units:  trees: struct run; deadline_ns as of clock_now_ns()
 * errors: -ETIMEDOUT: not by the deadline; -ECHILD: the process ended by
 *         itself, or by another's hand; -errno, of fn as well
 */
int
list_trees(const void *trees, uint64_t deadline_ns, source_file_fn *fn,
	   void *context);

/*
 * shape:  the past commits of the one root, as tasks, into memory that both
 *         processes share
 * units:  trees: with object_bytes; as list_trees()
 * errors: as list_trees(), with a sentence in tasks->why or none
 */
int
list_commits(const struct run *trees, uint64_t deadline_ns,
	     struct commit_tasks *tasks);

/* Forks the workers: 0 or an exit code, said, and no child is left. */
int
supervisor_start(struct supervisor *supervisor);

/*
 * shape:  the first lane alone has workers; says so if --memory is too little
 *         for as many as were wanted
 * calls:  supervisor_start(), before it forks
 */
void
lanes_begin(struct supervisor *supervisor);

/*
 * shape:  forks the workers of the lanes that collect asks for, and tells it how
 *         many there are; what cannot be forked is said, and no more is tried
 * calls:  supervisor_watch(), at each turn
 */
void
lanes_add(struct supervisor *supervisor);

/*
 * shape:  the same, without the kept survey and what was found out so far: 0 or
 *         an exit code, said
 * calls:  when supervisor_watch() was SUPERVISOR_AGAIN, once
 */
int
supervisor_start_again(struct supervisor *supervisor);

/*
 * shape:  forks worker `idx`
 * errors: -errno of fork(2) or pidfd_open(2)
 * calls:  supervisor_watch(), pack
 */
int
supervisor_spawn(struct supervisor *supervisor, uint32_t idx);

/*
 * shape:  runs until all workers have ended: 0, or the exit code of a run
 *         that was ended early; SUPERVISOR_AGAIN: the kept survey cannot be
 *         read any more
 * owner:  no child is left when it returns
 */
int
supervisor_watch(struct supervisor *supervisor);

/*
 * Kills all workers and waits for them; one that waits in the kernel for
 * longer dies when that is over. Async-signal-safe.
 */
void
supervisor_kill_all(struct supervisor *supervisor, int wait_ms);

/* "count.1"; the name of a stage alone where it has one worker. */
void
supervisor_name(const struct supervisor *supervisor, uint32_t idx, char *out,
		size_t size);

#endif
