/* SPDX-License-Identifier: MIT */
/*
 * tool_within.c - a time limit that a busy machine does not shorten.
 *
 *   tool_within SECONDS COMMAND...  runs it in a group of its own: its exit
 *                                   code, or 128 and its signal; 124 if it was
 *                                   not done in time and was ended, 137 if it
 *                                   took SIGKILL to end the group
 *   tool_within SECONDS -p PID      waits until that process has gone; 124 if
 *                                   it did not, and nothing is ended
 *   tool_within -n SECONDS          prints how many that makes now, whole ones
 *
 * SECONDS are those of a machine with nothing else to do. Every eighth of the
 * limit, or 10 seconds, a short computation shows how much slower than alone a
 * process gets on, and so much less is counted. A limit that is not reached
 * costs nothing before its first eighth.
 */
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define LOOKS 8          /* in one limit, at least */
#define LOOK_S 10.0      /* between two, at most */
#define SPIN_S 0.05      /* processor time of one */
#define SPIN_CLOCK_S 2.0 /* or so much, if it does not get that */
#define DEATH_S 5.0      /* from SIGTERM to SIGKILL */
#define EXIT_OVER 124    /* as timeout(1) has it */
#define EXIT_TROUBLE 125 /* likewise */
#define EXIT_NO_EXEC 127

static volatile sig_atomic_t reported; /* the signal that we are to end by */

static double
clock_s(clockid_t clock)
{
	struct timespec t;

	clock_gettime(clock, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

/* How many times as long as alone a computation takes now; *cpu_s: its own
 * processor time. */
static double
slowness(double *cpu_s)
{
	double clock = clock_s(CLOCK_MONOTONIC);
	double cpu = clock_s(CLOCK_PROCESS_CPUTIME_ID);
	double clock_took;
	double cpu_took;

	do {
		for (volatile int i = 0; i < 10000; i++)
			;
		clock_took = clock_s(CLOCK_MONOTONIC) - clock;
		cpu_took = clock_s(CLOCK_PROCESS_CPUTIME_ID) - cpu;
	} while (cpu_took < SPIN_S && clock_took < SPIN_CLOCK_S);
	if (cpu_took < 1e-3)
		cpu_took = 1e-3;
	*cpu_s = cpu_took;
	return clock_took > cpu_took ? clock_took / cpu_took : 1;
}

static void
trouble(const char *what)
{
	fprintf(stderr, "tool_within: %s: %s\n", what, strerror(errno));
	exit(EXIT_TROUBLE);
}

static void
on_signal(int signo)
{
	reported = signo;
}

/* To all of the group but us. */
static void
signal_group(int signo)
{
	signal(signo, SIG_IGN);
	kill(0, signo);
}

/* Whether the process has gone, so many seconds of an idle machine from now. */
static bool
is_gone_within(int pidfd, double limit_s)
{
	struct pollfd end = { .fd = pidfd, .events = POLLIN };
	double each_s = limit_s > LOOKS * LOOK_S ? LOOK_S : limit_s / LOOKS;
	struct timespec each = {
		(time_t)each_s, (long)((each_s - (double)(time_t)each_s) * 1e9)
	};
	double spun_s;
	sigset_t none;

	sigemptyset(&none);
	for (double counted_s = 0; counted_s < limit_s;) {
		int nr = ppoll(&end, 1, &each, &none);

		if (nr > 0)
			return true;
		if (nr < 0 && reported != 0)
			return false;
		if (nr == 0)
			counted_s += each_s / slowness(&spun_s) + spun_s;
	}
	return false;
}

/* What we are told to end by is not lost between two looks. */
static void
take_signals(void)
{
	static const int signals[] = { SIGTERM, SIGINT, SIGHUP };
	const struct sigaction action = { .sa_handler = on_signal };
	sigset_t set;

	sigemptyset(&set);
	for (size_t i = 0; i < sizeof(signals) / sizeof(signals[0]); i++) {
		struct sigaction before;

		/* one that is ignored stays so */
		if (sigaction(signals[i], NULL, &before) == 0 &&
		    before.sa_handler == SIG_IGN)
			continue;
		sigaction(signals[i], &action, NULL);
		sigaddset(&set, signals[i]);
	}
	sigprocmask(SIG_BLOCK, &set, NULL);
}

static pid_t
start(char **command)
{
	pid_t parent = getpid();
	sigset_t none;
	pid_t pid = fork();

	if (pid < 0)
		trouble("fork");
	if (pid > 0)
		return pid;
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != parent)
		_exit(EXIT_TROUBLE);
	execvp(command[0], command);
	fprintf(stderr, "tool_within: %s: %s\n", command[0], strerror(errno));
	_exit(EXIT_NO_EXEC);
}

static int
open_pidfd(pid_t pid)
{
	return (int)syscall(SYS_pidfd_open, pid, 0);
}

static int
watch(pid_t pid, double limit_s)
{
	int pidfd = open_pidfd(pid);

	if (pidfd < 0 && errno == ESRCH)
		return 0;
	if (pidfd < 0)
		trouble("pidfd_open");
	return is_gone_within(pidfd, limit_s) ? 0 : EXIT_OVER;
}

static int
run(char **command, double limit_s)
{
	bool is_over;
	int status;
	int pidfd;
	pid_t pid;

	/* whoever is to end us all has one group to end */
	setpgid(0, 0);
	prctl(PR_SET_PDEATHSIG, SIGTERM);
	take_signals();
	pid = start(command);
	pidfd = open_pidfd(pid);
	if (pidfd < 0)
		trouble("pidfd_open");
	is_over = !is_gone_within(pidfd, limit_s);
	if (is_over) {
		signal_group(reported != 0 ? reported : SIGTERM);
		/* one that is stopped dies when it goes on */
		kill(0, SIGCONT);
		reported = 0;
		if (!is_gone_within(pidfd, DEATH_S))
			kill(0, SIGKILL);
	}
	if (waitpid(pid, &status, 0) != pid)
		trouble("waitpid");
	if (is_over)
		return EXIT_OVER;
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

int
main(int argc, char **argv)
{
	double limit_s;
	double spun_s;

	if (argc == 3 && strcmp(argv[1], "-n") == 0) {
		printf("%.0f\n", 0.5 + atof(argv[2]) * slowness(&spun_s));
		return 0;
	}
	limit_s = argc < 3 ? 0 : atof(argv[1]);
	if (limit_s <= 0) {
		fprintf(stderr, "usage: tool_within SECONDS COMMAND...\n"
				"       tool_within SECONDS -p PID\n"
				"       tool_within -n SECONDS\n");
		return EXIT_TROUBLE;
	}
	if (argc == 4 && strcmp(argv[2], "-p") == 0)
		return watch(atoi(argv[3]), limit_s);
	return run(argv + 2, limit_s);
}
