/* SPDX-License-Identifier: MIT */
/*
 * sandbox.h - what a process can still do once it has begun.
 *
 * Does: takes from a process, for good, all that its work has no use for:
 *       new privileges, the file system (Landlock), system calls (seccomp),
 *       what root may do beyond others (capabilities).
 * Does not: decide whether to: --sandbox is the user's.
 * Runs in: each worker, after its init() and before the first byte of
 *          anybody's content; commands that have no workers, before the first
 *          byte of a file; sandbox_begin() in the supervisor, before anything
 *          is read that the user did not write.
 *
 *   stage            Landlock                 system calls beyond waiting
 *   collect          read below the roots,    open to read, read, list, stat,
 *                    and its reach            io_uring_enter; grow tables
 *   chunk, count     nothing                  none
 *   dedup, select    nothing                  grow tables
 *   format           nothing                  write, size, sync the output
 *
 * Started as root, the supervisor keeps what reads and writes other users'
 * files, collect what reads them, and all others nothing.
 *
 * What is known to be a break-in (execve, socket, ptrace, fork, unlink ...)
 * ends a worker with SIGSYS; all else that is not allowed fails with EPERM,
 * for libc tries many things, and so does everything in a command that has no
 * workers. Lists: sandbox_seccomp.c.
 *
 * Invariants:
 * 1. A layer that sandbox_begin() finds is put on or the worker does not
 *    begin. One that it does not find is said to be missing, or ends the run.
 * 2. What a layer cannot see another one must: seccomp does not see what
 *    io_uring opens nor what is in openat2's structure, Landlock does.
 *    Landlock does not see stat(2) or open descriptors, seccomp does.
 *
 * Limits: in builds with a sanitizer or coverage Landlock and seccomp are not
 *         put on, since their reports need most of what is taken here, and
 *         nothing is said of it but by --version. Without Landlock (before Linux
 *         5.13, or turned off) the kernel lets the collector open what its
 *         user can; all others still can open nothing.
 */
#ifndef SUPERVISOR_SANDBOX_H
#define SUPERVISOR_SANDBOX_H

#include "stages/stage.h"
#include "stages/run.h"

enum sandbox_layer {
	SANDBOX_NO_NEW_PRIVS = 1 << 0,
	SANDBOX_LANDLOCK = 1 << 1,
	SANDBOX_SECCOMP = 1 << 2,
	SANDBOX_CAPABILITIES = 1 << 3
};

#define SANDBOX_LAYER_NR 4
#define SANDBOX_ALL ((1u << SANDBOX_LAYER_NR) - 1)
#define SANDBOX_TEXT_BYTES 256

/* The layers that this machine has. */
struct sandbox {
	unsigned layers;              /* bits of enum sandbox_layer */
	int errors[SANDBOX_LAYER_NR]; /* why not, by number of the bit: errno;
				       * 0: there, or the build's doing */
};

/*
 * shape:  asks the kernel for each call that a layer needs
 * calls:  sandbox_begin(), --version; the caller has no_new_privs from then
 *         on, which the other layers need
 */
void
sandbox_probe(struct sandbox *out);

/* "landlock"; idx: the number of its bit. */
const char *
sandbox_layer_name(int idx);

/*
 * shape:  "no_new_privs seccomp; missing: landlock (ENOSYS)"
 * owner:  written to `out`, cut to size
 */
const char *
sandbox_describe(char *out, size_t size, const struct sandbox *sandbox);

/*
 * shape:  compares the user's wish with the layers that exist: an exit code;
 *         *active: bits of the layers to be enabled
 * errors: EXIT_RESOURCES with a line for each missing and required layer; one
 *         that is not required is a warning; EXIT_INTERNAL with a line: an
 *         existing one cannot be enabled
 * calls:  each command, once, before it reads foreign data
 */
int
sandbox_begin(enum sandbox_mode mode, unsigned *active);

/* The access of a command to a place. */
enum sandbox_access {
	SANDBOX_READS = 0,  /* a file, or all below a directory */
	SANDBOX_MAKES_TEMP, /* files without names in a directory */
	SANDBOX_WRITES      /* all below a directory */
};

struct sandbox_place {
	const char *path; /* NULL: fd is it */
	int fd;
	enum sandbox_access access;
};

/*
 * shape:  confines the calling process to these places and to what is open:
 *         EXIT_COMPLETE
 * units:  active: of sandbox_begin()
 * errors: EXIT_INTERNAL, with a line
 * calls:  commands without workers, once, before the first byte of a file
 */
int
sandbox_enter_command(unsigned active, const struct sandbox_place *places,
		      size_t nr);

/*
 * shape:  confines a process that starts others, and these with it, to reading,
 *         and to files without names in the directories for such and shared
 *         memory: it executes no program, and reaches no TCP
 * units:  writes: a directory that it may write to as well; NULL: none
 * errors: EXIT_INTERNAL, with a line
 * calls:  the server of bale mcp, before it reads its first line; what it
 *         starts confines itself further. No seccomp: it has to fork
 */
int
sandbox_enter_server(unsigned active, const char *writes);

struct options;
struct text_list;

/*
 * shape:  the same for one that reads files and what its options name,
 *         --against and a tokenizer.json; and has some more places
 */
int
sandbox_enter_reading(const struct options *options,
		      const struct text_list *files,
		      const struct sandbox_place *more, size_t more_nr);

/* Work for a confined child. */
struct sandbox_child {
	unsigned active;  /* of sandbox_begin(); 0: there is no child */
	const char *what; /* what it reads, for people */
	const struct sandbox_place *places;
	size_t place_nr;
	bool makes_files; /* it confines itself, and takes away their names
			   * if a signal comes */
	int (*work)(void *context); /* an exit code */
	void *context;
};

/*
 * shape:  the exit code of the work, in a child unless there is no sandbox;
 *         stdio of the child is flushed; a signal that ends the caller ends
 *         the child first
 * errors: EXIT_RESOURCES: no child; EXIT_INTERNAL: it was not confined, or its
 *         input killed it; both with a line
 * calls:  processes that need more than a confined one may do: the supervisor,
 *         for what is parsed before there are workers
 */
int
sandbox_run_child(const struct sandbox_child *child);

/*
 * shape:  confines the calling worker by the layers of run->sandbox_layers
 * units:  reach: what its stage may read below besides the roots
 * errors: -errno: do not continue
 * calls:  worker_run() as run->confine, once
 * order:  after everything the stage opens for itself is open; log lines go
 *         to descriptor 2 from here on
 */
int
sandbox_enter(const struct run *run, enum stage_id stage,
	      const struct reach *reach);

#endif
