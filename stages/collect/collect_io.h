/* SPDX-License-Identifier: MIT */
/*
 * collect_io.h - lists, opens and reads the files of the roots, safely.
 *
 * Does: the walk over the roots, opening one file, reading a batch of them.
 * Does not: decide about a file that cannot be read: it gives the reason; log;
 *           write anything anywhere.
 * Runs in: the collector; tests. Create the walk and the reader before the
 *          process enters its sandbox: they read git's settings outside the
 *          roots and set up io_uring.
 * Invariants:
 * 1. Below a root no symbolic link is followed and ".." is never opened: every
 *    opened file lies below the root, whatever happens in the tree meanwhile.
 * 2. The walk gives paths in canonical order: root after root, by bytes in
 *    each. It depends on the tree and the options alone.
 */
#ifndef COLLECT_COLLECT_IO_H
#define COLLECT_COLLECT_IO_H

#include "base/open_below.h"
#include "catalogue/desc.h"
#include "stages/collect/collect.h"
#include "stages/job.h"

#define COLLECT_WHY_BYTES 512
#define COLLECT_OBJECT_BYTES 20
#define COLLECT_REVS_MAX 32 /* roots, with rev */

/* ---- the walk: collect_io_walk.c --------------------------------------- */

struct collect_options {
	const char *const *roots; /* as the user typed them; files too */
	uint32_t root_nr;
	enum paths_mode paths;
	const char *const *files;   /* these alone, below the one root */
	uint32_t file_nr;           /* 0: all that is below the roots */
	const char *const *include; /* patterns as in .gitignore */
	uint32_t include_nr;
	const char *const *exclude; /* these three outlive the walk */
	uint32_t exclude_nr;
	const char *const *forced; /* taken whatever rules say */
	uint32_t forced_nr;
	const char *const *pins; /* of files that are packed as they are */
	uint32_t pin_nr;
	const struct file_identity *outputs; /* what this run writes */
	uint32_t output_nr;
	const char *rev; /* a commit instead of the directories; or NULL */
	char *why;       /* COLLECT_WHY_BYTES for what is wrong with a root */
	size_t rev_memory_bytes;    /* for objects of the repositories */
	uint32_t depth_max;         /* directories in one path; 0: 256 */
	uint32_t fd_max;            /* directories kept open; 0: 16 */
	uint32_t listing_bytes_max; /* of names kept at once; 0: 8 MiB */
	/* called with the number of each directory before it is opened,
	 * counted since the walk was made, sought or rewound; or NULL */
	void (*entering)(void *context, uint32_t nr);
	/* called now and then while the walk finds no entry; or NULL */
	void (*walking)(void *context);
	void *context;
	bool no_ignore;        /* look at no ignore file */
	bool default_excludes; /* leave out what left_out.def names, and files
				* with a reason in file_names.def */
	bool elides;           /* base64, and data behind its head */
	bool hidden;           /* directories ".name", outside git too */
	bool list_ignored;     /* an entry for all that a rule leaves out: for
			    * tests/oracle/collect.py */
};

/* What the walk skipped without an entry. A directory counts as one. */
struct collect_counts {
	uint64_t ignored_files;
	uint64_t ignored_dirs;
	uint64_t excluded_files; /* by --exclude, or not by --include */
	uint64_t excluded_dirs;
	uint64_t hidden_dirs;  /* ".name", outside of git */
	uint64_t excludes_met; /* a bit for each of the first --exclude */
};

struct collect_entry {
	const char *path; /* as outputs have it; no NUL at the end */
	size_t path_bytes;
	size_t root_bytes; /* of these, the root and its '/' */
	const char *name;  /* its last component, for dir_fd; NUL at the end */
	int dir_fd;        /* the directory it is in; with rev: -1 */
	const uint8_t *object; /* with rev: the name of its object */
	uint32_t root;         /* index in options.roots */
	uint8_t type;   /* enum collect_type; a path of DIR ends with '/' */
	uint8_t reason; /* enum reason: NONE: open it; else it is left out */
	uint8_t lang;   /* enum lang_id, by name */
	uint8_t marks;  /* enum mark, by name */
};

struct collect_walk;

/*
 * shape:  a walk, before its first entry
 * owner:  *out is the caller's, for collect_walk_destroy(); all strings and
 *         arrays of the options are copied
 * errors: -errno of a root that cannot be opened, its index in *bad_root;
 *         with files: -ENOTDIR unless there is one root, a directory; -EINVAL
 *         and its index for one that cannot be below it ("/x", "../x", "x/");
 *         -ENOMEM, -EMFILE, -EINVAL (no roots) with *bad_root UINT32_MAX
 */
int
collect_walk_create(struct collect_walk **out,
		    const struct collect_options *options, uint32_t *bad_root);

/* owner: NULL is accepted */
void
collect_walk_destroy(struct collect_walk *walk);

/*
 * shape:  1: *entry is the next one, valid until the next call of any
 *         function with this walk; 0: there are no more; -errno
 * errors: -EMFILE, -ENFILE, -ENOMEM: nothing is lost, close something and
 *         call again. All else is an entry with a reason: a directory that
 *         cannot be listed is an entry of type DIR.
 */
int
collect_walk_next(struct collect_walk *walk, struct collect_entry *entry);

/*
 * shape:  the walk stands behind this entry, or behind where it would be if
 *         it is gone
 * units:  root and path as an entry gave them
 * errors: as collect_walk_next(); -EINVAL: no entry can have this path
 * calls:  a replacement, with the last path of the catalogue. The counts go on
 *         from what they are: set them to what they were there.
 */
int
collect_walk_seek(struct collect_walk *walk, uint32_t root, const char *path,
		  size_t path_bytes);

/*
 * shape:  moves the walk before its first entry, its counts at zero; no_ignore:
 *         from now on as with that option
 * calls:  also in the sandbox: nothing outside is read
 */
void
collect_walk_rewind(struct collect_walk *walk, bool no_ignore);

/* Whether none of the roots lies in a work tree of git. */
bool
collect_walk_is_outside_git(const struct collect_walk *walk);

/* Whether it is one of the outputs: ask after opening, names may change. */
bool
collect_walk_is_output(const struct collect_walk *walk,
		       const struct file_identity *identity);

/* ---- one file -------------------------------------------------------- */

/*
 * shape:  the same by the path of an entry, when the walk is elsewhere
 * errors: the same; -EINVAL: no entry can have this path
 */
int
collect_file_reopen(const struct collect_walk *walk, uint32_t root,
		    const char *path, size_t path_bytes,
		    struct file_state *file);

/* Warns of what git has and was not read, though the user may think it was. */
void
collect_warn_of_git(const struct collect_walk *walk, const char *const *roots);

/* The reason to give for -errno of the functions above. */
enum reason
collect_error_reason(int error);

/* ---- files of a commit: collect_io_rev.c ------------------------------- */

/* A revision as it was resolved at first. */
struct collect_rev {
	uint8_t tree[COLLECT_OBJECT_BYTES];
	uint8_t commit[COLLECT_OBJECT_BYTES]; /* zero: it names a tree */
	int64_t time_s;                       /* of the commit */
};

/*
 * shape:  descriptors of folders outside the roots that must be readable; their
 *         number
 * owner:  the walk's
 * calls:  with rev, before the process enters its sandbox
 */
uint32_t
collect_walk_reach(const struct collect_walk *walk, int *fds, uint32_t room);

/* ---- reading: collect_io_uring.c --------------------------------------- */

struct collect_read {
	void *to;
	uint64_t off;
	size_t bytes; /* wanted */
	size_t got;   /* fewer than wanted only at the end of the file */
	int fd;
	int error; /* 0 or -errno; got is then what came before it */
};

struct collect_reader;

/*
 * shape:  a reader; IO_AUTO: io_uring, or read where that is refused
 * units:  depth: reads in flight, 1 to 4096
 * errors: -EINVAL, -ENOMEM; with URING what io_uring was refused with
 * calls:  once, after the fork, before the process shuts itself in
 */
int
collect_reader_create(struct collect_reader **out, enum io_kind kind,
		      uint32_t depth);

/* owner: NULL is accepted */
void
collect_reader_destroy(struct collect_reader *reader);

/* Why AUTO took READ: -errno of io_uring; 0: nothing was refused. */
int
collect_reader_refusal(const struct collect_reader *reader);

/*
 * shape:  from now on *waiting is set, before each wait, to a read that it is
 *         for: if the wait does not end, that one is stuck
 */
void
collect_reader_watch(struct collect_reader *reader,
		     void (*waiting)(void *context,
				     const struct collect_read *read),
		     void *context);

/*
 * shape:  runs all reads and returns when none is in flight; each has got and
 *         error set
 * errors: none of its own: if io_uring fails, pread() takes over
 * order:  they may end in any order; their results do not depend on it
 */
void
collect_reader_run(struct collect_reader *reader, struct collect_read *reads,
		   uint32_t nr);

#endif
