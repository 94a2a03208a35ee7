/* SPDX-License-Identifier: MIT */
/*
 * signals.c - one handler, a list of names, a hook.
 */
#include "base/signals.h"

#include <dirent.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/base.h"

#define ENTRIES_BYTES 4096
#define HOOK_SOON_MS 100  /* children that nothing is in the way of */
#define HOOK_LATE_MS 2000 /* those that wait in the kernel */

/* Ctrl-C, kill(1), a closed terminal, Ctrl-\, a limit on processor time. */
static const int ending[] = { SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGXCPU };

enum use { USE_NONE = 0, USE_CLAIMED, USE_LISTED };

static struct {
	sigset_t handled; /* of `ending`, what was not ignored */
	volatile sig_atomic_t is_handled; /* by on_signal() */
	signals_hook_fn *volatile hook;
	volatile sig_atomic_t has_result;
	volatile sig_atomic_t exit_code;
	struct {
		_Atomic int use; /* enum use */
		int dir_fd;
		bool is_dir;
		char name[NAME_MAX + 1];
	} named[SIGNALS_NAMED_MAX];
} state;

/* getdents64(2) instead of readdir(3), which may allocate. */
static void
remove_entries(int fd)
{
	union {
		struct dirent64 first; /* for its alignment */
		char bytes[ENTRIES_BYTES];
	} entries;
	bool is_removed = true;

	/* what is removed while it is read may hide others: read again */
	while (is_removed) {
		long got;

		is_removed = false;
		if (lseek(fd, 0, SEEK_SET) != 0)
			return;
		while ((got = syscall(SYS_getdents64, fd, entries.bytes,
				      sizeof(entries))) > 0) {
			for (long at = 0; at < got;) {
				const struct dirent64 *entry =
					(void *)(entries.bytes + at);

				if (strcmp(entry->d_name, SIGNALS_LOCK) != 0 &&
				    unlinkat(fd, entry->d_name, 0) == 0)
					is_removed = true;
				at += entry->d_reclen;
			}
		}
	}
}

static void
remove_dir(int dir_fd, const char *name)
{
	int fd = openat(dir_fd, name,
			O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);

	if (fd < 0)
		return;
	remove_entries(fd);
	unlinkat(fd, SIGNALS_LOCK, 0);
	close(fd);
	unlinkat(dir_fd, name, AT_REMOVEDIR);
}

static void
remove_named(void)
{
	for (int i = 0; i < SIGNALS_NAMED_MAX; i++) {
		/* acquire: what is listed was written before */
		if (atomic_load_explicit(&state.named[i].use,
					 memory_order_acquire) != USE_LISTED)
			continue;
		if (state.named[i].is_dir)
			remove_dir(state.named[i].dir_fd, state.named[i].name);
		else
			unlinkat(state.named[i].dir_fd, state.named[i].name, 0);
	}
}

static void
set_default(void)
{
	state.is_handled = 0;
	for (size_t i = 0; i < ARRAY_LEN(ending); i++)
		if (sigismember(&state.handled, ending[i]) == 1)
			signal(ending[i], SIG_DFL);
}

void
signals_die(int signal_nr)
{
	sigset_t one;

	pthread_sigmask(SIG_BLOCK, &state.handled, NULL);
	remove_named();
	if (state.hook != NULL)
		state.hook(HOOK_SOON_MS);
	set_default();
	pthread_sigmask(SIG_UNBLOCK, &state.handled, NULL);
	if (state.hook != NULL)
		state.hook(HOOK_LATE_MS);
	signal(signal_nr, SIG_DFL);
	sigemptyset(&one);
	sigaddset(&one, signal_nr);
	pthread_sigmask(SIG_UNBLOCK, &one, NULL);
	raise(signal_nr);
	_exit(128 + signal_nr);
}

static void
on_signal(int signal_nr)
{
	if (state.has_result) {
		remove_named();
		_exit(state.exit_code);
	}
	signals_die(signal_nr);
}

void
signals_ending(sigset_t *out)
{
	sigemptyset(out);
	for (size_t i = 0; i < ARRAY_LEN(ending); i++) {
		struct sigaction before;

		/* nohup(1) and the like: ignored stays ignored */
		if (sigaction(ending[i], NULL, &before) == 0 &&
		    before.sa_handler != SIG_IGN)
			sigaddset(out, ending[i]);
	}
}

void
signals_init(void)
{
	signals_ending(&state.handled);
	/* a limit on the size of files is an errno, to the arena as well */
	signal(SIGXFSZ, SIG_IGN);
}

static bool
is_any_listed(void)
{
	for (int i = 0; i < SIGNALS_NAMED_MAX; i++)
		/* relaxed: by this thread, where there is one */
		if (atomic_load_explicit(&state.named[i].use,
					 memory_order_relaxed) != USE_NONE)
			return true;
	return false;
}

/* A handler where there is something to do, and only there: see the header. */
static void
handle_if_needed(void)
{
	struct sigaction action = { .sa_handler = on_signal };
	bool is_needed =
		state.hook != NULL || state.has_result || is_any_listed();

	if (is_needed == (state.is_handled != 0))
		return;
	if (!is_needed) {
		set_default();
		return;
	}
	action.sa_mask = state.handled;
	state.is_handled = 1;
	for (size_t i = 0; i < ARRAY_LEN(ending); i++)
		if (sigismember(&state.handled, ending[i]) == 1)
			sigaction(ending[i], &action, NULL);
}

void
signals_reset(void)
{
	state.hook = NULL;
	for (int i = 0; i < SIGNALS_NAMED_MAX; i++)
		/* relaxed: by this thread. What is read only is not copied
		 * after a fork */
		if (atomic_load_explicit(&state.named[i].use,
					 memory_order_relaxed) != USE_NONE)
			atomic_store_explicit(&state.named[i].use, USE_NONE,
					      memory_order_relaxed);
	set_default();
}

void
signals_block(sigset_t *before)
{
	pthread_sigmask(SIG_BLOCK, &state.handled, before);
}

void
signals_restore(const sigset_t *before)
{
	pthread_sigmask(SIG_SETMASK, before, NULL);
}

bool
signals_is_pending(void)
{
	sigset_t pending;

	if (state.has_result || sigpending(&pending) != 0)
		return false;
	for (size_t i = 0; i < ARRAY_LEN(ending); i++)
		if (sigismember(&state.handled, ending[i]) == 1 &&
		    sigismember(&pending, ending[i]) == 1)
			return true;
	return false;
}

int
signals_list(int dir_fd, const char *name, bool is_dir)
{
	size_t bytes = strlen(name) + 1;

	for (int i = 0; i < SIGNALS_NAMED_MAX; i++) {
		int use = USE_NONE;

		/* acquire: whoever had the slot before has done with it */
		if (bytes > sizeof(state.named[i].name) ||
		    !atomic_compare_exchange_strong_explicit(
			    &state.named[i].use, &use, USE_CLAIMED,
			    memory_order_acquire, memory_order_relaxed))
			continue;
		memcpy(state.named[i].name, name, bytes);
		state.named[i].dir_fd = dir_fd;
		state.named[i].is_dir = is_dir;
		/* release: the handler sees it whole */
		atomic_store_explicit(&state.named[i].use, USE_LISTED,
				      memory_order_release);
		handle_if_needed();
		return i;
	}
	return -1;
}

void
signals_unlist(int number)
{
	/* release: to whoever has the slot next */
	atomic_store_explicit(&state.named[number].use, USE_NONE,
			      memory_order_release);
	handle_if_needed();
}

void
signals_set_hook(signals_hook_fn *hook)
{
	state.hook = hook;
	handle_if_needed();
}

void
signals_commit(int exit_code)
{
	state.exit_code = exit_code;
	state.has_result = 1;
	handle_if_needed();
}

bool
signals_is_committed(void)
{
	return state.has_result;
}
