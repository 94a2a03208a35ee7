/* SPDX-License-Identifier: MIT */
/*
 * broker.h - a process that stays outside when its parent shuts itself in.
 *
 * Does: opens, locks and replaces one file, adds lines to another one, and
 *       runs commands, for a parent that may do none of these: it reads what
 *       is in the file, which may be anybody's.
 * Does not: take the names of files, or commands, from its parent once that
 *           has begun: it has those of the command line, and no others.
 * Runs in: bale window, compact and rounds. The broker is forked first of all,
 *          before anything is read; it ends when its parent does.
 *
 *       parent, shut in                      broker
 *         window/store.h, child.h  --------->  the same, on the real thing
 *         (window/outside.h)       <---------  what came of it
 *
 * Invariants:
 * 1. The broker parses nothing but lengths and numbers, and looks at each.
 * 2. A signal that ends the parent ends the broker first, and a command before
 *    that (child_process.h); a parent that is killed ends them, too.
 * 3. What was made and not written is gone when broker_end() returns, or a
 *    signal has ended the parent; soon after a parent is killed.
 */
#ifndef WINDOW_BROKER_H
#define WINDOW_BROKER_H

#include "base/base.h"

#define BROKER_COMMANDS_MAX 4

/* What the command line has named; NULL: nothing. */
struct broker_names {
	const char *store;  /* a file as of window/store.h */
	bool reads_only;    /* it; then no broker is needed for it */
	const char *append; /* a file that lines are added to */
	const char *commands[BROKER_COMMANDS_MAX];
};

/*
 * shape:  forks the broker; from now on window/outside.h leads to it
 * owner:  the names outlive it
 * errors: -errno: there is none
 * calls:  once, before sandbox_begin()
 */
int
broker_begin(const struct broker_names *names);

/*
 * shape:  adds lines to names->append, each by one write(2), so that lines of
 *         several processes stay whole; without a broker the caller does it
 * units:  text: lines, each ended by a newline
 * errors: -errno
 */
int
broker_append(const char *path, const char *text, size_t bytes);

/* Ends the broker, if there is one, and waits for that. */
void
broker_end(void);

#endif
