/* SPDX-License-Identifier: MIT */
/*
 * collect_worker.h - the callbacks of collect, for stage_table.c, and what
 * its three ways of filling slabs share.
 *
 *   collect_worker.c        slabs, lanes, passes
 *   collect_tree_worker.c   the walk: batches of files that fit a slab
 *   collect_source_worker.c what sources ask for beyond the walk
 *   collect_queue_worker.c  what the walk has given too early
 *   collect_large_worker.c  one file that does not, part by part
 *   collect_plan_worker.c   the ranges that the plan names
 *   collect_charset_worker.c  files that are not UTF-8, as UTF-8
 *   collect_rev_worker.c    files of a commit in place of those that lie there
 *   collect_history_worker.c  what past commits say of the files
 *   collect_list_worker.c   their names alone, before a run
 */
#ifndef COLLECT_COLLECT_WORKER_H
#define COLLECT_COLLECT_WORKER_H

#include "stages/collect/collect_io.h"
#include "stages/worker.h"
#include "catalogue/files.h"

extern const struct stage_ops collect_ops;

#define COLLECT_BATCH_MAX 96 /* files, or ranges, of one slab */
#define COLLECT_SLABS_MAX 8192
#define COLLECT_TURN_ROOM (COLLECT_BATCH_MAX + 1)

static_assert(2 * COLLECT_TURN_ROOM <= EMITS_MAX, "a batch fits a step");

/* A large file in work. */
struct collect_large {
	uint64_t off;  /* of the next part; of the text it is converted to */
	uint32_t file; /* index + 1; 0: none */
	uint32_t lane;
	uint32_t emits;    /* 1: to be written; 0: to be looked at */
	uint32_t signs;    /* 1: its signatures are wanted */
	uint32_t converts; /* 1: it is read as what it becomes */
	uint32_t carried;  /* bytes of the next part that end a character */
};

struct history;

struct collect_state {
	uint64_t file_nr;    /* records in the catalogue */
	uint64_t path_bytes; /* used in its paths */
	uint64_t plan_next;  /* entry of the plan */
	uint64_t turn_next;  /* section of it, by rank */
	uint64_t range_off;  /* of that entry, read already */
	uint32_t plan_file;  /* index + 1 whose turn has been told; 0: none */
	uint32_t plan_lane;
	uint32_t walk_over; /* 1: there are no more files */
	uint32_t rules_off; /* 1: ignore rules left nothing, they are off */
	uint32_t tree_over; /* 1: what comes now is asked for by sources */
	struct collect_large large;
	struct collect_counts counts; /* of the walk, up to file_nr */
	uint32_t revs_known;          /* 1: revs are found */
	uint32_t history_known;       /* 1: it is in the catalogue, or not */
	struct collect_rev revs[COLLECT_REVS_MAX];
	uint64_t in_flight[COLLECT_SLABS_MAX / 64]; /* a bit a slab */
};

/* A file on its way into a slab. */
struct collect_item {
	uint32_t file_idx;
	uint32_t slab_off;
	int fd; /* -1: not open */
	uint8_t reason;
	uint8_t charset;
	bool has_mistakes; /* it is not all UTF-8, and to be repaired */
	bool of_source;    /* the walk is over */
	bool is_text;      /* it came with a source: its file cannot change */
	uint8_t object[COLLECT_OBJECT_BYTES]; /* with --rev */
	struct file_state file;
	struct collect_counts counts; /* of the walk, behind it */
	uint32_t entered_nr;          /* directories, the same */
};

struct collect_queue {
	uint32_t next; /* the first one */
	uint32_t nr;   /* behind the last one */
	struct collect_item items[COLLECT_BATCH_MAX + 1];
};

#define COLLECT_SOURCE_BYTES (64u << 10)
#define COLLECT_AHEAD_BYTES 3 /* a character has at most one more */

/* A file that is being converted: where the conversion stands. */
struct collect_converted {
	uint32_t file;       /* index + 1; 0: none */
	uint64_t source_off; /* of the next block of the file */
	uint64_t off;        /* of the next byte to give, converted */
	size_t at;           /* of it, in `text` */
	size_t held;         /* bytes of `text` */
	struct collect_convert convert;
	uint8_t source[COLLECT_SOURCE_BYTES];
	char text[4 * COLLECT_SOURCE_BYTES];
};

/* What each process makes anew. */
struct collect_scratch {
	struct collect_walk *walk;
	struct collect_reader *reader;
	struct collect_kinds kinds;
	uint64_t next_path_off;     /* behind the paths written so far */
	struct collect_queue queue; /* written down, not dispatched */
	bool reported_link;         /* a line has named a link of git's */
	bool at_place;              /* the walk stands behind the last record */
	uint64_t skip_file;         /* index + 1 that is poison; 0: none */
	uint32_t next_file;         /* index that the walk is on its way to */
	uint32_t way_base;   /* directories entered at the last one committed */
	uint32_t watched_nr; /* of reads that are of a batch */
	uint32_t watched[COLLECT_BATCH_MAX]; /* files they are of */
	uint8_t skip_reason;                 /* of it: POISON or TIMEOUT */
	int open_fd;        /* of the large or planned file in work; -1 */
	uint32_t open_file; /* index + 1 of it */
	struct collect_blob *blob; /* with --rev in place of open_fd */
	bool revs_open;
	struct history *history; /* NULL: there is none */
	uint64_t alone_file;     /* index + 1 that is read like a large one */
	uint32_t batch_most;     /* files of a batch: few behind such a one */
	uint8_t ahead[COLLECT_AHEAD_BYTES]; /* behind the part in work */
	uint32_t ahead_nr;
	uint8_t *given; /* a byte a source: it has a record; NULL: ask */
	uint32_t source_next;
	char path[2 * PATH_MAX]; /* of the source in work */
	struct collect_converted converted;
	struct collect_item items[COLLECT_BATCH_MAX];
	struct collect_read reads[COLLECT_BATCH_MAX];
};

/* What the options of a run say of its walk: but for outputs and context. */
void
collect_walk_options(const struct run *run, struct collect_options *options);

/*
 * Whether a walk that gave nothing is to be made again without ignore rules:
 * outside of git, a .gitignore that leaves out all of what the user named was
 * meant for another place: Debian's kernel sources have one. Inside, it is what
 * git would do as well.
 */
bool
collect_ignores_all(const struct run *run, const struct collect_walk *walk,
		    const struct collect_counts *counts);

/* ---- collect_list_worker.c: as stage_ops.list --------------------------- */

/* Tells fn of each file that a run would find. */
int
collect_list(const struct run *run, source_file_fn *fn, void *context);

/* A slab of the lane that nobody uses; SLAB_NONE: all are in flight. */
uint32_t
collect_free_slab(struct worker *worker, uint32_t lane);

/* Marks it as in flight, from this step on. */
void
collect_use_slab(struct worker *worker, uint32_t slab_idx);

/*
 * shape:  a lane with room for nr descriptors, the emptiest, and a free slab of
 *         it; LANES_MAX: none
 * units:  slab_idx: NULL: no slab is needed yet
 */
uint32_t
collect_pick_lane(struct worker *worker, uint32_t nr, uint32_t *slab_idx);

/* Says that the next file comes through this lane. */
void
collect_emit_turn(struct worker *worker, uint32_t file_idx, uint32_t lane);

/* Says that a file is left out, in its turn. */
void
collect_emit_left_out(struct worker *worker, uint32_t file_idx, uint8_t reason);

/*
 * shape:  opens a file of the catalogue again, if it is the one of its record
 * owner:  the descriptor stays with the scratch
 * errors: -errno; -ESTALE: it is not what it was
 */
int
collect_reopen(struct worker *worker, uint32_t file_idx);

/* Closes the file that is open for its next part, if there is one. */
void
collect_close(struct worker *worker);

/* ---- collect_source_worker.c ------------------------------------------- */

/*
 * shape:  1: *entry is a file or text that a source asks for and that none of
 *         the first `file_idx` records is about; 0: there are no more
 * owner:  the entry's, until the next call
 * errors: -ENOMEM
 */
int
collect_next_source(struct worker *worker, uint32_t file_idx,
		    struct collect_entry *entry);

/* The records have changed: which have been given is looked up again. */
void
collect_forget_sources(struct collect_scratch *scratch);

/* As open_regular(), for an entry of collect_next_source(). */
int
collect_open_source(struct worker *worker, const struct collect_entry *entry,
		    struct file_state *file);

/* Where a file's bytes begin, in what is opened for it. */
uint64_t
collect_base_off(const struct worker *worker, const struct file_record *record);

/* Closes it, unless it is the file of all texts. */
void
collect_close_fd(const struct worker *worker, int fd);

/* Reads of the file that collect_reopen() opened; as collect_reader_run(). */
void
collect_run_reads(struct worker *worker, struct collect_read *reads,
		  uint32_t nr);

/* 0: the open file is what its record says; -errno */
int
collect_still_same(struct worker *worker, const struct file_record *record);

/* ---- collect_queue_worker.c --------------------------------------------- */

/* NULL: it is empty. */
const struct collect_item *
collect_queue_first(const struct collect_queue *queue);

/*
 * shape:  takes the first one, opened: 1
 * errors: -EMFILE, -ENFILE: it is still there. A file that is not what it was
 *         has its reason
 */
int
collect_queue_take(struct worker *worker, struct collect_item *item);

/* Puts some in front of all others. */
void
collect_queue_put_first(struct collect_queue *queue,
			const struct collect_item *items, uint32_t nr);

/* Gives all of them up: the walk comes by them again. */
void
collect_queue_clear(struct worker *worker);

/* Whether files come from a commit. */
static inline bool
collect_is_rev(const struct worker *worker)
{
	return worker->run->options.rev != NULL;
}

/* ---- collect_rev_worker.c: with --rev ----------------------------------- */

/*
 * shape:  makes the repositories readable for a process that is shut in
 * calls:  init, when the walk is there
 */
int
collect_rev_init(struct worker *worker);

/*
 * shape:  finds the trees of the roots, once a run; opens them, once a process
 * errors: -EINVAL: said already
 * calls:  before the walk is moved
 */
int
collect_rev_begin(struct worker *worker);

/* As opening a file: fills item->file. A reason, if it cannot be had. */
uint8_t
collect_rev_look(struct worker *worker, const struct collect_entry *entry,
		 struct collect_item *item);

/* As reading a file, into a place with room for item->file.bytes. */
uint8_t
collect_rev_read(struct worker *worker, const struct collect_item *item,
		 uint8_t *to);

/* As collect_reopen(). */
int
collect_rev_reopen(struct worker *worker, uint32_t file_idx);

/* ---- collect_history_worker.c ------------------------------------------ */

/*
 * shape:  finds the repositories, and makes them readable for a process that
 *         is shut in
 * calls:  init, when the walk is there
 */
int
collect_history_init(struct worker *worker);

/* Does without the history from now on. */
void
collect_history_drop(struct worker *worker);

/* One step each; as stage_ops.step. */
int
collect_step_history(struct worker *worker);
int
collect_step_tree(struct worker *worker);
int
collect_step_large(struct worker *worker);
int
collect_step_plan(struct worker *worker);

/*
 * shape:  what a file is written in, by its first bytes; the reason, if it
 *         cannot be taken
 * units:  is_whole: these bytes are all of it
 */
uint8_t
collect_probe(const uint8_t *text, size_t bytes, bool is_whole,
	      uint8_t *charset);

/* A part of a file, as it was read. */
struct collect_part {
	const uint8_t *text;
	size_t bytes;
	const uint8_t *ahead; /* what follows, COLLECT_AHEAD_BYTES of it */
	size_t ahead_bytes;   /* fewer at the end of the file */
};

/*
 * shape:  whether a part of a file is not UTF-8 and has to be, so that it is
 *         read as what it becomes
 * units:  *carried: 0 for the first part; see collect_text_goes_on()
 */
bool
collect_has_mistakes(const struct worker *worker, uint8_t charset,
		     const struct collect_part *part, uint32_t *carried);

/*
 * shape:  the language that the first line of a script tells, if its name
 *         tells none; its path moves behind all others
 */
void
collect_find_language(struct worker *worker, uint32_t file_idx,
		      const uint8_t *text, size_t bytes);

/*
 * shape:  adds to a file's marks what its first bytes say; the reason, if it
 *         is left out for that
 * units:  charset: what they are written in; only UTF-8 is looked at
 */
uint8_t
collect_label(struct worker *worker, uint32_t file_idx, uint8_t charset,
	      const uint8_t *text, size_t bytes);

/*
 * shape:  bytes of an open file that is converted to UTF-8, from offset `off`
 *         of what it becomes; fewer than wanted only at its end
 * errors: -errno of reading; -ESTALE: shorter than it was
 * calls:  after collect_reopen()
 */
int64_t
collect_converted_read(struct worker *worker, uint32_t file_idx, uint64_t off,
		       uint8_t *to, size_t bytes);

/* Whether of what has been read something was no character. */
bool
collect_converted_is_repaired(const struct worker *worker);

/* Whether all of it has been read. */
bool
collect_converted_at_end(const struct worker *worker, uint32_t file_idx);

#endif
