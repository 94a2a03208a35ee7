/* SPDX-License-Identifier: MIT */
/*
 * signals.h - a signal ends the process at once, and nothing is left behind.
 *
 * Does: for the signals that people, terminals and batch systems send to end
 *       a process, takes away what has a name only while it is being made,
 *       ends child processes, and lets the signal end the process: the shell
 *       sees a real death by the signal. So work of any length can be
 *       interrupted at any instruction, and no loop has to ask. Where there is
 *       nothing to be done nothing is caught: the kernel ends a process that
 *       waits for a file system only by a signal that nobody handles.
 * Does not: catch what was ignored from the start, as by nohup(1); SIGPIPE.
 * Runs in: the one thread of the supervisor, or of any other command; lists
 *          may be changed by several.
 * Invariants:
 * 1. A name is listed before a signal can come that would leave it: it is
 *    made and listed with the signals blocked.
 * 2. While names are taken away the signals are blocked, for a moment, so
 *    that a second one cannot leave some of them. Where the hook has to wait
 *    for longer, a second signal ends the process at once.
 * 3. From signals_commit() on the result stands: a signal ends the process at
 *    once, with the exit code of that result.
 * Limits: SIGNALS_NAMED_MAX names at a time; more are not listed.
 */
#ifndef BASE_SIGNALS_H
#define BASE_SIGNALS_H

#include <signal.h>
#include <stdbool.h>

#define SIGNALS_NAMED_MAX 16

/* Removed last from a directory: whoever locks it next finds it empty. */
#define SIGNALS_LOCK "lock"

/* Those that end the process: of these signals, what is not ignored. */
void
signals_ending(sigset_t *out);

/* Records which signals are ignored. calls: main(), before anything else */
void
signals_init(void);

/*
 * shape:  restores the default action of these signals; empties the list
 * calls:  a forked child that is not a worker, first; signals are blocked
 *         before the fork and unblocked after it
 */
void
signals_reset(void);

/* Blocks the signals that are handled; signals_restore() lets them in. */
void
signals_block(sigset_t *before);
void
signals_restore(const sigset_t *before);

/*
 * shape:  whether a signal is pending and the result does not stand yet, so
 *         that everything must be undone
 * calls:  with the signals blocked, where a result is made in several steps
 */
bool
signals_is_pending(void);

/*
 * shape:  lists a name that a signal removes: a file, or a directory with its
 *         files, SIGNALS_LOCK last. A number for signals_unlist(); -1: the list
 *         is full
 * owner:  dir_fd, which `name` is below, stays the caller's and open
 * calls:  with the signals blocked
 */
int
signals_list(int dir_fd, const char *name, bool is_dir);
void
signals_unlist(int number);

/* Ends child processes and waits for them, so many milliseconds at most. */
typedef void
signals_hook_fn(int wait_ms);

/*
 * shape:  sets a function that the handler calls as well; NULL: none
 * calls:  processes with children; the hook must be async-signal-safe
 */
void
signals_set_hook(signals_hook_fn *hook);

/* The result stands, and `exit_code` is what it is; see invariant 3. */
void
signals_commit(int exit_code);
bool
signals_is_committed(void);

/* Dies as by this signal, even if it is ignored. */
_Noreturn void
signals_die(int signal_nr);

#endif
