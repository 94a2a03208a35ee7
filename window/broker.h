/* SPDX-License-Identifier: MIT */
/*
 * broker.h - a process that stays outside the sandbox for its confined parent.
 *
 * Does: opens, locks and replaces one file, appends lines to another one, and
 *       runs commands, for a parent that may do none of these: the parent reads
 *       the file, which may be anybody's.
 * Does not: accept names of files, or commands, from its parent after the
 *           start: it has those of the command line, and no others.
 * Runs in: bale window, compact and rounds. The broker is forked first of all,
 *          before anything is read; it ends when its parent does.
 *
 *       parent, confined                     broker
 *         window/store.h, child.h  --------->  the same, on the real file
 *         (window/store.h)       <---------  the result
 *
 * Invariants:
 * 1. The broker parses nothing but lengths and numbers, and checks each.
 * 2. A signal that ends the parent ends the broker first, and a command before
 *    that (child_process.h); the death of the parent ends them, too.
 * 3. Files made and not written are removed when broker_end() returns, or a
 *    signal has ended the parent; soon after a parent is killed.
 */
#ifndef WINDOW_BROKER_H
#define WINDOW_BROKER_H

#include "base/base.h"

#define BROKER_COMMANDS_MAX 4

/* The names given on the command line; NULL: none. */
struct broker_names {
	const char *store;  /* a file as of window/store.h */
	bool reads_only;    /* it; then no broker is needed for it */
	const char *append; /* a file that lines are added to */
	const char *commands[BROKER_COMMANDS_MAX];
};

/*
 * shape:  forks the broker; from now on window/store.h leads to it
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

/* Ends the broker, if there is one, and waits for that: once, at the end. */
void
broker_end(void);

#endif
