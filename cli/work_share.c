/* SPDX-License-Identifier: MIT */
/*
 * work_share.c - items taken by adding one to a word of shared memory.
 */
#include "cli/work_share.h"

#include <errno.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/base.h"

static size_t
share_bytes(uint64_t item_nr)
{
	return sizeof(struct work_share_shm) + item_nr * sizeof(int64_t);
}

static void
put_result(struct work_share *share, uint64_t idx, int64_t result)
{
	/* release: pairs with the load in work_share_result() */
	store_release(&share->shm->results[idx],
		      result < 0 ? result : result + 1);
}

/* Works on the next item; taken: NULL, or where a helper says which one. */
static bool
work_on_next(struct work_share *share, _Atomic uint64_t *taken)
{
	/* relaxed: it hands out numbers and nothing else */
	uint64_t idx = add_relaxed(&share->shm->next, 1);

	if (idx >= share->work.item_nr)
		return false;
	if (taken != NULL)
		store_relaxed(taken, idx + 1); /* read when this has ended */
	put_result(share, idx, share->work.item(share->work.context, idx));
	return true;
}

static _Noreturn void
help(struct work_share *share, uint32_t helper_idx)
{
	if (share->work.begin(share->work.context))
		while (work_on_next(share, &share->shm->taken[helper_idx]))
			;
	_exit(0);
}

bool
work_share_begin(struct work_share *share, const struct work *work)
{
	share->work = *work;
	share->helper_nr = 0;
	share->shm = helper_memory(share_bytes(work->item_nr));
	if (share->shm == NULL)
		return false;
	while (share->helper_nr < work->helper_nr) {
		uint32_t idx = share->helper_nr;
		pid_t pid = helper_fork(&share->helpers[idx], false);

		if (pid == 0)
			help(share, idx);
		if (pid < 0) /* those that there are do without */
			break;
		share->helper_nr++;
	}
	return true;
}

/* What the end of a helper means to the item that it was at work on. */
static void
reap(struct work_share *share, uint32_t helper_idx)
{
	uint64_t taken;
	int status = 0;

	if (helper_wait(&share->helpers[helper_idx], &status) != 0)
		status = SIGKILL;
	/* relaxed: the process has ended */
	taken = load_relaxed(&share->shm->taken[helper_idx]);
	if (taken != 0 && taken <= share->work.item_nr &&
	    load_relaxed(&share->shm->results[taken - 1]) == 0)
		put_result(share, taken - 1,
			   -(WORK_KILLED +
			     (WIFSIGNALED(status) ? WTERMSIG(status) : 0)));
}

static void
reap_all(struct work_share *share)
{
	while (share->helper_nr > 0)
		reap(share, --share->helper_nr);
}

int64_t
work_share_result(struct work_share *share, uint64_t idx)
{
	int64_t result;

	/* acquire: pairs with the store of put_result() */
	while ((result = load_acquire(&share->shm->results[idx])) == 0) {
		if (work_on_next(share, NULL))
			continue;
		if (share->helper_nr > 0)
			reap_all(share);
		else /* taken by a helper that was killed before it began */
			put_result(share, idx,
				   share->work.item(share->work.context, idx));
	}
	if (result > 0)
		return result - 1;
	return result < -(WORK_KILLED + SIGRTMAX) ? -EPROTO : result;
}

void
work_share_end(struct work_share *share)
{
	if (share->shm == NULL)
		return;
	reap_all(share);
	munmap(share->shm, share_bytes(share->work.item_nr));
	share->shm = NULL;
}
