/* SPDX-License-Identifier: MIT */
/*
 * watch.c - what the supervisor does while the workers work.
 *
 * Does: waits on deaths (pidfds) and time; replaces the dead, marks poison,
 *       kills the stuck, pumps the output, shows how far it is.
 * Does not: touch content; look for signals: base/signals.h.
 * Invariants:
 * 1. A worker is replaced only when waitid(2) has proved its death.
 */
#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/diag.h"
#include "base/fault.h"
#include "base/fd_io.h"
#include "shm/stats.h"
#include "shm/wait.h"
#include "supervisor/process.h"
#include "supervisor/supervisor.h"
#include "catalogue/files.h"

#define TICK_MS 50
#define TICK_STREAM_MS 2
#define PSS_EVERY_NS (200 * NS_PER_MS)
#define PSS_SHARE 100 /* so much longer than it takes, at least, */
#define PSS_SELDOM_NS (1000 * NS_PER_MS) /* but no longer than this */
#define SAME_STEP_MAX 3                  /* deaths at one entry: it is poison */
#define STUCK_MAX 1        /* the same, waiting in the kernel without end */
#define FOREIGN_KILL_MAX 8 /* the same, killed from outside */
#define EARLY_MAX 3        /* deaths before the first step: give up */
#define DEATHS_MAX 64      /* in one run */

/* When the watch last looked. */
struct watch_clock {
	uint64_t now_ns;
	uint64_t own_ns; /* its own processor time */
};

static bool
is_over(const struct supervisor *supervisor)
{
	/* acquire: what led to the end is seen with it */
	return load_acquire(&supervisor->run.segment.control->done) != 0;
}

static uint64_t
committed_of(const struct worker_shm *shm)
{
	/* acquire: the worker is dead; nothing of it comes later */
	return load_acquire(&shm->committed);
}

/* The name of the file that the dead one had in work, for people. */
static const char *
file_in_work(const struct supervisor *supervisor, const struct worker_shm *shm,
	     char *out, size_t size)
{
	const struct catalogue *catalogue = &supervisor->run.catalogue;
	/* relaxed: the worker is dead */
	uint64_t position = load_relaxed(&shm->position) & UINT32_MAX;
	uint64_t seen =
		load_acquire(&supervisor->run.segment.control->files_seen);
	struct job_place place;

	if (position == POSITION_HISTORY)
		return "the history of git";
	if (position == 0 || position > seen)
		return "no file";
	place = job_place_of(catalogue,
			     catalogue_file(catalogue, position - 1));
	return job_quote_place(&supervisor->run.job, &place, out, size);
}

static void
log_death(const struct supervisor *supervisor, uint32_t idx,
	  const siginfo_t *info, bool poison)
{
	struct worker_shm *shm = segment_worker(&supervisor->run.segment, idx);
	char name[32];
	char path[512];

	supervisor_name(supervisor, idx, name, sizeof(name));
	shm->panic[sizeof(shm->panic) - 1] = '\0';
	diag_log(poison ? DIAG_WARN : DIAG_INFO,
		 "%s %s %d (%s) while processing %s%s%s; %s", name,
		 info->si_code == CLD_EXITED ? "ended with exit code"
					     : "killed by signal",
		 info->si_status,
		 supervisor->worker_slots[idx].is_stuck ? "no sign of life"
		 : info->si_code == CLD_EXITED          ? "by itself"
					       : strsignal(info->si_status),
		 file_in_work(supervisor, shm, path, sizeof(path)),
		 shm->panic[0] != '\0' ? ": " : "", shm->panic,
		 poison ? "leaving that out" : "replacing the worker");
	shm->panic[0] = '\0';
}

/* Ends the run early; the first reason counts. */
static void
end_early(struct supervisor *supervisor, int exit_code)
{
	if (supervisor->exit_code == 0)
		supervisor->exit_code = exit_code;
}

/* Whether the run goes on: poison is marked, and too much is too much. */
static bool
count_death(struct supervisor *supervisor, uint32_t idx, bool foreign_kill,
	    bool *poison)
{
	struct worker_slot *worker_slot = &supervisor->worker_slots[idx];
	struct worker_shm *shm = segment_worker(&supervisor->run.segment, idx);
	uint64_t step = committed_of(shm);
	uint32_t limit = foreign_kill              ? FOREIGN_KILL_MAX
			 : worker_slot->is_waiting ? STUCK_MAX
						   : SAME_STEP_MAX;

	worker_slot->deaths++;
	supervisor->deaths++;
	/* relaxed: the worker is dead, its replacement not yet forked */
	worker_slot->early =
		load_relaxed(&shm->ready) ? 0 : worker_slot->early + 1;
	worker_slot->same_step = step == worker_slot->death_step
					 ? worker_slot->same_step + 1
					 : 1;
	worker_slot->death_step = step;
	if (worker_slot->early >= EARLY_MAX ||
	    supervisor->deaths > DEATHS_MAX ||
	    worker_slot->same_step >= 2 * max_u64(limit, SAME_STEP_MAX))
		return false;
	*poison = worker_slot->same_step == limit;
	/* release: seen by the replacement, which is forked after */
	store_release(&shm->retry, worker_slot->is_waiting ? 2 : 1);
	if (worker_slot->same_step >= limit) {
		store_release(&shm->skip_position,
			      load_relaxed(&shm->position));
		store_release(&shm->skip_step, step + 1);
	}
	return true;
}

/* What a worker that ended by itself says about the run. */
static bool
is_last_word(struct supervisor *supervisor, uint32_t idx, const siginfo_t *info)
{
	static const int codes[] = {
		[WORKER_EXIT_CONFIG] = EXIT_USAGE,
		[WORKER_EXIT_OUTPUT] = EXIT_OUTPUT,
		[WORKER_EXIT_RESOURCE] = EXIT_RESOURCES,
		[WORKER_EXIT_SANDBOX] = EXIT_INTERNAL,
		[WORKER_EXIT_SURVEY] = SUPERVISOR_AGAIN,
	};
	char name[32];

	if (info->si_code == CLD_KILLED || info->si_code == CLD_DUMPED) {
		if (info->si_status != SIGSYS)
			return false;
		supervisor_name(supervisor, idx, name, sizeof(name));
		diag_log(DIAG_ERROR,
			 "%s made a system call that its sandbox forbids, and "
			 "was killed; this is a bug, please report it "
			 "(--sandbox=off runs without this protection)",
			 name);
		end_early(supervisor, EXIT_INTERNAL);
		return true;
	}
	if (info->si_status == WORKER_EXIT_DONE)
		return is_over(supervisor);
	if (info->si_status == WORKER_EXIT_SANDBOX)
		diag_log(DIAG_ERROR,
			 "a worker could not enter its sandbox; --sandbox=off "
			 "runs without it");
	if (info->si_status < 0 || info->si_status >= (int)ARRAY_LEN(codes) ||
	    codes[info->si_status] == 0)
		return false;
	end_early(supervisor, codes[info->si_status]);
	return true;
}

/* Why no more replacements are made: what is known of it. */
static void
log_giving_up(const struct supervisor *supervisor, uint32_t idx)
{
	const struct worker_slot *worker_slot = &supervisor->worker_slots[idx];
	const struct job *job = &supervisor->run.job;

	/* before it is ready a worker of collect opens what was named */
	if (!worker_slot->is_stuck || worker_slot->early == 0)
		diag_log(DIAG_ERROR,
			 "workers keep crashing; giving up; --log-level info "
			 "logs which, and why");
	else if (job->root_nr != 1)
		diag_log(DIAG_ERROR,
			 "one of the PATHs does not answer within "
			 "--stage-timeout: is the file system there?");
	else
		diag_log(DIAG_ERROR,
			 "%s does not answer within --stage-timeout: is the "
			 "file system there?",
			 QUOTED(job->roots[0]));
}

static void
reap_worker(struct supervisor *supervisor, uint32_t idx)
{
	struct worker_slot *worker_slot = &supervisor->worker_slots[idx];
	siginfo_t info = { 0 };
	bool foreign_kill;
	bool poison = false;
	int error;

	if (waitid(P_PID, (id_t)worker_slot->pid, &info, WEXITED) != 0)
		return;
	worker_slot->pid = 0;
	epoll_ctl(supervisor->epoll_fd, EPOLL_CTL_DEL, worker_slot->pidfd,
		  NULL);
	close(worker_slot->pidfd);
	if (supervisor->exit_code != 0 || is_last_word(supervisor, idx, &info))
		return;
	foreign_kill = info.si_code == CLD_KILLED &&
		       info.si_status == SIGKILL && !worker_slot->is_stuck;
	if (!count_death(supervisor, idx, foreign_kill, &poison)) {
		log_death(supervisor, idx, &info, false);
		log_giving_up(supervisor, idx);
		end_early(supervisor, EXIT_INTERNAL);
		return;
	}
	log_death(supervisor, idx, &info, poison);
	error = supervisor_spawn(supervisor, idx);
	if (error != 0) {
		diag_log(DIAG_ERROR, "cannot fork: %s", diag_errno(error));
		end_early(supervisor, EXIT_RESOURCES);
	}
}

/*
 * It was killed and is not dead: it waits in the kernel for something that
 * does not come, and until it does nothing can take its place.
 */
static void
give_up_on(struct supervisor *supervisor, uint32_t idx)
{
	char name[32];

	if (supervisor->exit_code != 0)
		return;
	supervisor_name(supervisor, idx, name, sizeof(name));
	diag_log(DIAG_ERROR,
		 "%s cannot be killed: the kernel waits for a file system or a "
		 "disk that does not answer; --exclude what is mounted there",
		 name);
	end_early(supervisor, EXIT_INTERNAL);
}

/* Kills who is stuck; it is buried when it is dead. */
static void
look_for_stuck(struct supervisor *supervisor, uint64_t elapsed_ns)
{
	uint64_t limit = supervisor->options->stage_timeout_s * NS_PER_S;
	uint32_t collect =
		stage_worker_idx(STAGE_COLLECT, 0, supervisor->run.lane_nr);

	supervisor->unlooked_ns += elapsed_ns;
	if (supervisor->unlooked_ns < TICK_MS * NS_PER_MS)
		return;
	for (uint32_t i = 0; i < supervisor->worker_slot_nr; i++) {
		struct worker_slot *worker_slot = &supervisor->worker_slots[i];
		/* relaxed: a sign of life, nothing else */
		uint64_t beat = load_relaxed(
			&segment_worker(&supervisor->run.segment, i)
				 ->heartbeat);

		if (worker_slot->pid == 0)
			continue;
		liveness_look(&worker_slot->liveness, beat,
			      supervisor->unlooked_ns, worker_slot->pid);
		if (!liveness_is_stuck(&worker_slot->liveness, limit))
			continue;
		if (!worker_slot->is_stuck) {
			worker_slot->is_stuck = true;
			worker_slot->is_waiting =
				i == collect &&
				process_is_in_kernel(worker_slot->pid);
			kill(worker_slot->pid, SIGKILL);
		} else if (liveness_is_stuck(&worker_slot->liveness,
					     2 * limit)) {
			give_up_on(supervisor, i);
		}
	}
	supervisor->unlooked_ns = 0;
}

static void
measure_memory(struct supervisor *supervisor, uint64_t now)
{
	pid_t pids[WORKERS_MAX + 1] = { getpid() };
	size_t nr = 1;
	uint64_t begun;
	uint64_t took;
	uint64_t pss;

	if (now < supervisor->pss_next_ns)
		return;
	for (uint32_t i = 0; i < supervisor->worker_slot_nr; i++)
		if (supervisor->worker_slots[i].pid != 0)
			pids[nr++] = supervisor->worker_slots[i].pid;
	begun = clock_read_ns(CLOCK_PROCESS_CPUTIME_ID);
	pss = pss_now(pids, nr);
	took = clock_read_ns(CLOCK_PROCESS_CPUTIME_ID) - begun;
	supervisor->pss_bytes = pss;
	supervisor->peak_pss_bytes = max_u64(supervisor->peak_pss_bytes, pss);
	supervisor->pss_next_ns =
		now +
		max_u64(PSS_EVERY_NS, min_u64(took * PSS_SHARE, PSS_SELDOM_NS));
}

static void
show_progress(struct supervisor *supervisor, uint64_t now)
{
	const struct run *run = &supervisor->run;
	const struct control_shm *control = run->segment.control;
	uint32_t dedup = stage_worker_idx(STAGE_DEDUP, 0, run->lane_nr);
	/* relaxed: numbers to look at */
	struct progress progress = {
		.files_seen = load_relaxed(&control->files_seen),
		.files_total_known = load_relaxed(&control->walk_done),
		.files_done = load_relaxed(
			&segment_worker(&run->segment, dedup)->position),
		.elapsed_ns = now - supervisor->begun_ns,
	};

	if (!progress_is_on(&supervisor->bar))
		return;
	for (uint32_t lane = 0; lane < run->lane_nr; lane++) {
		const struct worker_shm *shm = segment_worker(
			&run->segment,
			stage_worker_idx(STAGE_COUNT, lane, run->lane_nr));

		progress.bytes += stat_get(shm, STAT_bytes);
		progress.tokens += stat_get(shm, STAT_tokens);
	}
	progress_update(&supervisor->bar, &progress);
}

/* Streams what is committed; wakes format, which may wait for it. */
static void
pump(struct supervisor *supervisor)
{
	const struct run *run = &supervisor->run;
	struct control_shm *control = run->segment.control;
	uint32_t format = stage_worker_idx(STAGE_FORMAT, 0, run->lane_nr);
	/* acquire: the bytes are in the file */
	uint64_t until = load_acquire(&control->written_bytes);
	uint64_t before = supervisor->output.pumped_bytes;
	int result;

	if (!run->output_streams)
		return;
	result = output_pump(&supervisor->output, until);
	/* relaxed: tells format when it may go on, nothing else */
	store_relaxed(&control->pumped_bytes, supervisor->output.pumped_bytes);
	if (supervisor->output.pumped_bytes != before)
		wait_wake(segment_wait(&run->segment, format));
	if (result == -EPIPE) {
		supervisor->has_no_reader = true;
		end_early(supervisor, 128 + SIGPIPE);
	} else if (result < 0) {
		end_early(supervisor,
			  exit_cannot_write(supervisor->options->output_path,
					    result));
	}
}

/* One more sample of how it goes. */
static void
look_at_stages(struct supervisor *supervisor, bool is_last)
{
	timeline_take(&supervisor->timeline, &supervisor->run,
		      clock_now_ns() - supervisor->begun_ns,
		      supervisor->pss_bytes, is_last);
}

static bool
any_alive(const struct supervisor *supervisor)
{
	for (uint32_t i = 0; i < supervisor->worker_slot_nr; i++)
		if (supervisor->worker_slots[i].pid != 0)
			return true;
	return false;
}

/* By its descriptor, as its number may be free again: see bury(). */
static void
kill_worker_slot(const struct worker_slot *worker_slot)
{
	syscall(SYS_pidfd_send_signal, worker_slot->pidfd, SIGKILL, NULL, 0);
}

void
supervisor_kill_all(struct supervisor *supervisor, int wait_ms)
{
	uint64_t end_ns =
		clock_now_ns() + (unsigned long long)wait_ms * NS_PER_MS;

	for (uint32_t i = 0; i < supervisor->worker_slot_nr; i++)
		if (supervisor->worker_slots[i].pid != 0)
			kill_worker_slot(&supervisor->worker_slots[i]);
	for (uint32_t i = 0; i < supervisor->worker_slot_nr; i++) {
		struct worker_slot *worker_slot = &supervisor->worker_slots[i];
		siginfo_t info;

		/* who waits in the kernel dies when that is over */
		if (worker_slot->pid == 0 ||
		    fd_wait(worker_slot->pidfd, end_ns) == -ETIMEDOUT)
			continue;
		while (waitid(P_PID, (id_t)worker_slot->pid, &info, WEXITED) !=
			       0 &&
		       errno == EINTR)
			;
		worker_slot->pid = 0;
		close(worker_slot->pidfd);
	}
}

static void
take_events(struct supervisor *supervisor, int timeout_ms)
{
	struct epoll_event events[16];
	int nr = epoll_wait(supervisor->epoll_fd, events, ARRAY_LEN(events),
			    timeout_ms);

	if (nr < 0 && errno != EINTR) {
		diag_log(DIAG_ERROR, "cannot wait for the workers: %s",
			 diag_errno(-errno));
		supervisor->exit_code = EXIT_INTERNAL;
	}
	for (int i = 0; i < nr; i++) {
		uint64_t times;

		if (events[i].data.u32 != LANES_EVENT)
			reap_worker(supervisor, events[i].data.u32);
		else
			(void)!read(supervisor->run.lanes_fd, &times,
				    sizeof(times));
	}
}

/*
 * The part of the time since the last turn that the watch meant to take: a
 * tick, and what it computed. For the rest the machine kept it waiting, or
 * stopped it, and the workers with it.
 */
static uint64_t
turn_ns(struct watch_clock *clock, uint64_t now, uint64_t tick_ns)
{
	uint64_t own = clock_read_ns(CLOCK_PROCESS_CPUTIME_ID);
	uint64_t meant = tick_ns + own - clock->own_ns;
	uint64_t elapsed = min_u64(now - clock->now_ns, meant);

	*clock = (struct watch_clock){ now, own };
	return elapsed;
}

int
supervisor_watch(struct supervisor *supervisor)
{
	uint32_t tick =
		supervisor->run.output_streams ? TICK_STREAM_MS : TICK_MS;
	struct watch_clock clock = { clock_now_ns(),
				     clock_read_ns(CLOCK_PROCESS_CPUTIME_ID) };

	timeline_init(&supervisor->timeline, TICK_MS * NS_PER_MS);
	while (supervisor->exit_code == 0 && any_alive(supervisor)) {
		uint64_t now;

		FAULT("watched");
		take_events(supervisor, (int)tick);
		lanes_add(supervisor);
		now = clock_now_ns();
		pump(supervisor);
		look_for_stuck(supervisor,
			       turn_ns(&clock, now, tick * NS_PER_MS));
		measure_memory(supervisor, now);
		show_progress(supervisor, now);
		look_at_stages(supervisor, false);
	}
	look_at_stages(supervisor, true);
	progress_clear(&supervisor->bar);
	supervisor_kill_all(supervisor, DEATH_MS);
	return supervisor->exit_code;
}
