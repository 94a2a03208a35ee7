/* SPDX-License-Identifier: MIT */
/*
 * worker_lanes.c - lanes get their workers when there is work for them.
 *
 * A run begins with the first lane. When content comes and every lane is busy,
 * collect requests as many lanes again; the supervisor forks their workers and
 * stores how many lanes there are.
 *
 * Invariants:
 * 1. A lane has workers from the pass that requested them on, in all passes.
 *    Collect ends no pass before its request is answered: whoever sees the end
 *    of a pass in the first lane knows which lanes end it.
 * 2. The lane that a file takes never shows in the output.
 */
#include "stages/worker.h"

#include <unistd.h>

#include "base/fault.h"

uint32_t
worker_lane_nr(const struct worker *worker)
{
	/* acquire: the pass that they begin with is set */
	return load_acquire(&worker->run->segment.control->lanes_live);
}

static bool
are_settled(const struct worker *worker)
{
	/* acquire: how many there are is seen with it */
	return load_acquire(&worker->run->segment.control->lanes_settled) != 0;
}

bool
worker_awaits_lanes(const struct worker *worker)
{
	/* relaxed: this worker's own */
	uint32_t wanted =
		load_relaxed(&worker->run->segment.control->lanes_wanted);

	return !are_settled(worker) && wanted > worker_lane_nr(worker);
}

void
worker_ask_for_lanes(const struct worker *worker)
{
	const struct run *run = worker->run;
	struct control_shm *control = run->segment.control;
	const uint64_t one = 1;

	if (are_settled(worker) || worker_awaits_lanes(worker))
		return;
	/* relaxed: the next store publishes it */
	store_relaxed(&control->lanes_pass, worker->pass);
	/* release: and for which pass */
	store_release(
		&control->lanes_wanted,
		(uint32_t)min_u64(2ull * worker_lane_nr(worker), run->lane_nr));
	FAULT("lanes_asked");
	/* who is not told looks now and then */
	if (run->lanes_fd > 0)
		(void)!write(run->lanes_fd, &one, sizeof(one));
}
