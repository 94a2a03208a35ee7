/* SPDX-License-Identifier: MIT */
/*
 * collect_queue_worker.c - files that the walk has given and no batch has
 * taken: they come before what it gives next.
 *
 * Runs in: collect.
 * Invariants:
 * 1. What is queued follows the last file that was dispatched, without a gap,
 *    and the walk stands behind it.
 * Limits: a batch, and the file that did not fit into it.
 */
#include <errno.h>
#include <string.h>

#include "stages/collect/collect_worker.h"

const struct collect_item *
collect_queue_first(const struct collect_queue *queue)
{
	return queue->next < queue->nr ? &queue->items[queue->next] : NULL;
}

void
collect_queue_put_first(struct collect_queue *queue,
			const struct collect_item *items, uint32_t nr)
{
	uint32_t left = queue->nr - queue->next;

	ASSERT(nr + left <= ARRAY_LEN(queue->items));
	memmove(queue->items + nr, queue->items + queue->next,
		left * sizeof(*items));
	memcpy(queue->items, items, nr * sizeof(*items));
	queue->next = 0;
	queue->nr = nr + left;
}

void
collect_queue_clear(struct worker *worker)
{
	struct collect_scratch *scratch = worker->scratch;
	struct collect_queue *queue = &scratch->queue;

	for (; queue->next < queue->nr; queue->next++)
		if (queue->items[queue->next].fd >= 0)
			collect_close_fd(worker, queue->items[queue->next].fd);
	queue->next = 0;
	queue->nr = 0;
}

int
collect_queue_take(struct worker *worker, struct collect_item *item)
{
	struct collect_scratch *scratch = worker->scratch;
	struct collect_queue *queue = &scratch->queue;
	int error = 0;

	*item = queue->items[queue->next];
	/* a batch that was given up has read it and closed it */
	if (item->reason == REASON_NONE && item->fd < 0 &&
	    !collect_is_rev(worker)) {
		worker_position(worker, item->file_idx);
		error = collect_reopen(worker, item->file_idx);
		if (error == -EMFILE || error == -ENFILE)
			return error;
		if (error != 0)
			item->reason = (uint8_t)collect_error_reason(error);
		item->fd = scratch->open_fd;
		scratch->open_fd = -1;
		scratch->open_file = 0;
	}
	queue->next++;
	return 1;
}
