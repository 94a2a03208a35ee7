/* SPDX-License-Identifier: MIT */
/*
 * add_lanes.c - the workers of further lanes, when collect asks for them.
 *
 * A run of a few files needs one lane alone. Each worker of another one would
 * cost it a fork and a sandbox, for nothing.
 */
#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include "base/diag.h"
#include "base/fault.h"
#include "shm/wait.h"
#include "supervisor/supervisor.h"

/* Descriptors that are left for what the supervisor opens later. */
#define SPARE_FDS 8

/* Of a lane, from its end: a count worker without one that gives it something
 * waits until the run is over. */
static const enum stage_id stages[] = { STAGE_COUNT, STAGE_CHUNK };

/* Fewer workers than were asked for are worth a line, none are an error. */
static void
say_only(const struct supervisor *supervisor, uint32_t lane_nr, int error)
{
	const struct options *options = supervisor->options;

	if (lane_nr < options->worker_nr && options->worker_nr_given)
		diag_log(DIAG_WARN, "--workers %llu: only %u, %s%s",
			 (unsigned long long)options->worker_nr, lane_nr,
			 error != 0 ? "as more cannot be started: "
				    : "as --memory is too little for more",
			 error != 0 ? diag_errno(error) : "");
}

/* Nobody is left to wait for lanes. */
static void
settle(struct control_shm *control)
{
	/* release: how many there are is stored before */
	store_release(&control->lanes_settled, 1);
}

void
lanes_begin(struct supervisor *supervisor)
{
	const struct run *run = &supervisor->run;
	struct control_shm *control = run->segment.control;

	/* relaxed, both: nobody else is there yet */
	store_relaxed(&control->lanes_live, 1);
	store_relaxed(&control->lanes_settled, run->lane_nr == 1);
	say_only(supervisor, run->lane_nr, 0);
}

static int
spawn_lane(struct supervisor *supervisor, uint32_t lane, uint64_t pass)
{
	const struct run *run = &supervisor->run;
	int error = 0;

	for (size_t i = 0; i < ARRAY_LEN(stages) && error == 0; i++) {
		uint32_t idx = stage_worker_idx(stages[i], lane, run->lane_nr);

		/* relaxed: the child sees it by the fork */
		store_relaxed(&segment_worker(&run->segment, idx)->first_pass,
			      pass);
		error = supervisor_spawn(supervisor, idx);
		FAULT("lane_spawned");
	}
	return error;
}

/* Whether so many can be opened, as copies of one: 0 or -errno. */
static int
look_for_descriptors(int fd, size_t wanted)
{
	int fds[SPARE_FDS + ARRAY_LEN(stages) * LANES_MAX];
	size_t nr = 0;
	int error = 0;

	ASSERT(wanted <= ARRAY_LEN(fds));
	while (nr < wanted && error == 0) {
		fds[nr] = fcntl(fd, F_DUPFD_CLOEXEC, 0);
		error = fds[nr] < 0 ? -errno : 0;
		nr += error == 0;
	}
	while (nr > 0)
		close(fds[--nr]);
	return error;
}

static int
spawn_lanes(struct supervisor *supervisor, uint32_t wanted, uint64_t pass)
{
	struct control_shm *control = supervisor->run.segment.control;
	/* relaxed: of this process */
	uint32_t live = load_relaxed(&control->lanes_live);
	int error = look_for_descriptors(supervisor->epoll_fd,
					 (wanted - live) * ARRAY_LEN(stages) +
						 SPARE_FDS);

	while (live < wanted && error == 0) {
		error = spawn_lane(supervisor, live, pass);
		live += error == 0;
	}
	/* release: their workers, and the pass they begin with */
	store_release(&control->lanes_live, live);
	return error;
}

void
lanes_add(struct supervisor *supervisor)
{
	struct run *run = &supervisor->run;
	struct control_shm *control = run->segment.control;
	/* acquire: for which pass */
	uint32_t wanted = load_acquire(&control->lanes_wanted);
	int error;

	/* relaxed, both: of this process */
	if (load_relaxed(&control->lanes_settled) ||
	    wanted <= load_relaxed(&control->lanes_live))
		return;
	error = spawn_lanes(supervisor, (uint32_t)min_u64(wanted, run->lane_nr),
			    load_relaxed(&control->lanes_pass));
	if (error != 0)
		say_only(supervisor, load_relaxed(&control->lanes_live), error);
	if (error != 0 || load_relaxed(&control->lanes_live) == run->lane_nr)
		settle(control);
	wait_wake(segment_wait(&run->segment, stage_worker_idx(STAGE_COLLECT, 0,
							       run->lane_nr)));
}
