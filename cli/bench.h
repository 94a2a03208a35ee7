/* SPDX-License-Identifier: MIT */
/*
 * bench.h - what this machine can do with a tree, stage by stage.
 *
 *   cmd_bench.c      which runs there are, in which order
 *   bench_run.c      one run of pack, in a process of its own
 *   bench_read.c     the files alone: read by the kernel's quickest way, or put
 *                    out of its cache
 *   bench_figures.c  medians, whether two series differ, the model
 *   bench_json.c     results as JSON, and read back
 *   bench_show.c     results as tables
 *
 * Invariants:
 * 1. What is measured is `bale pack` as users have it: what a stage costs is
 *    what the workers of such a run have counted.
 * 2. Cases are run in turn, each once in a round, so that what else the machine
 *    does meets all of them.
 */
#ifndef CLI_BENCH_H
#define CLI_BENCH_H

#include <stdio.h>

#include "base/child_process.h"
#include "cli/command_line.h"
#include "report/outcome.h"

#define BENCH_RUNS_MAX 25
#define BENCH_CASES_MAX 16
#define BENCH_READS_MAX 2
#define BENCH_NAME_BYTES 32
#define BENCH_TEXT_BYTES 96

/* A number for each run. */
struct bench_series {
	uint32_t nr;
	uint64_t values[BENCH_RUNS_MAX];
};

/* A way to run, and how it went. */
struct bench_case {
	char name[BENCH_NAME_BYTES]; /* "warm uring 2" */
	uint32_t worker_nr;          /* and processors */
	uint32_t io;                 /* enum job_io */
	bool is_cold;
	struct bench_series wall_ns;
	struct bench_series cpu_ns;
	struct bench_series disk_bytes; /* read from the disk */
	struct bench_series other_ns;   /* processor time of other programs */
	uint64_t peak_bytes;
	struct outcome_stage stages[STAGE_NR]; /* sums over all runs */
};

/* The files alone. */
struct bench_read {
	char name[BENCH_NAME_BYTES];
	uint64_t bytes;
	struct bench_series wall_ns;
};

/* All that is measured: no pointers, for memory that processes share. */
struct bench_result {
	char machine[BENCH_TEXT_BYTES];
	uint32_t cpu_nr;
	uint32_t run_nr; /* rounds */
	uint64_t files;
	uint64_t bytes; /* of content */
	uint64_t tokens;
	uint32_t case_nr;
	uint32_t read_nr;
	struct bench_case cases[BENCH_CASES_MAX];
	struct bench_read reads[BENCH_READS_MAX];
};

/* ---- bench_figures.c ----------------------------------------------------- */

/* The middle of a series, or the mean of the two that are; 0: it is empty. */
uint64_t
bench_median(const struct bench_series *series);

/*
 * shape:  whether two series differ by more than chance explains: the rank sum
 *         test of Mann and Whitney, exact, two-sided, at 5 %
 * source: H. B. Mann, D. R. Whitney, 1947; the counts of sums are the
 *         coefficients of a Gaussian binomial
 */
bool
bench_differs(const struct bench_series *one, const struct bench_series *other);

/* What a run costs, for the model. */
struct bench_costs {
	uint64_t fixed_ns;           /* before and after the workers */
	uint64_t stage_ns[STAGE_NR]; /* processor time, of all workers */
};

#define BENCH_LIMIT_CPUS STAGE_NR /* all processors are busy */

struct bench_forecast {
	uint64_t wall_ns;
	int limit; /* enum stage_id that is busy all the time, or CPUS */
};

/* What the model has of a case; bytes that a run reads do not matter here. */
void
bench_costs_of(const struct bench_case *it, struct bench_costs *costs);

/*
 * shape:  how long a run takes on so many processors, with as many workers of
 *         chunk and of count
 * source: R. L. Graham, 1966, for the longest that it can take; docs/scaling.md
 *         has all of it and how it was checked
 */
void
bench_predict(const struct bench_costs *costs, uint32_t cpu_nr,
	      struct bench_forecast *out);

/* Processors beyond which nothing gets faster. */
uint32_t
bench_saturates_at(const struct bench_costs *costs);

/* The warm case with so many workers; NULL. */
const struct bench_case *
bench_case_of(const struct bench_result *result, uint32_t worker_nr);

/* The one of a name, as JSON has it; NULL. */
const struct bench_case *
bench_case_named(const struct bench_result *result, const char *name);

/* ---- bench_run.c --------------------------------------------------------- */

#define BENCH_SAID_BYTES 512

/* What a run has beside the options that were given, in its own process: an
 * exit code, said; but for 0 there is no run. */
typedef int
bench_alter_fn(struct command_line *line, const void *context);

/*
 * shape:  packs in a process of its own, and keeps no output: its exit code,
 *         and the first line it logged, "" or that there was none
 */
int
bench_pack(const struct command_line *line, bench_alter_fn *alter,
	   const void *context, char said[static BENCH_SAID_BYTES]);

/*
 * shape:  one run of a case: an exit code, said
 * calls:  cmd_bench(), with nothing else running
 */
int
bench_run(const struct command_line *line, struct bench_case *it,
	  struct bench_result *result);

/* ---- bench_read.c -------------------------------------------------------- */

struct bench_files; /* names, in memory that processes share */

/*
 * shape:  the files that a run would read
 * owner:  bench_files_free()
 * errors: -errno; -E2BIG: their names are too long for it
 */
int
bench_files_list(const struct command_line *line, struct bench_files **out);
void
bench_files_free(struct bench_files *files);

enum bench_reading {
	BENCH_DIRECT = 0, /* past the page cache */
	BENCH_CACHED,     /* through it */
	BENCH_EVICT       /* reads nothing: takes them out of it */
};

/*
 * shape:  goes over all files, by some processes at a time: *bytes of them
 * errors: -errno; -EINVAL: a file system has no O_DIRECT
 */
int
bench_files_read(const struct bench_files *files, enum bench_reading how,
		 uint64_t *bytes, uint64_t *wall_ns);

/* ---- bench_json.c -------------------------------------------------------- */

/* Results, and what is new beside `old`, which may be NULL: 0 or -errno. */
int
bench_write(const struct bench_result *result, const struct bench_result *old,
	    int fd);

/*
 * shape:  the results in a file, read in a process of its own: an exit code,
 *         said
 * owner:  munmap(2)
 */
int
bench_load(const char *path, unsigned sandbox_layers,
	   struct bench_result **out);

/* ---- bench_show.c -------------------------------------------------------- */

/* The same for people: 0 or -errno. */
int
bench_show(const struct bench_result *result, const struct bench_result *old,
	   FILE *out);

#endif
