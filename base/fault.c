/* SPDX-License-Identifier: MIT */
/*
 * fault.c - failing on demand, in debug builds.
 */
#include "base/fault.h"

#ifdef BALE_DEBUG
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static struct {
	char point[32];
	char action[16];
	unsigned long hit;
	bool always;
	_Atomic unsigned long *hits;
	pid_t target; /* of signals; 0: who passes the point */
} fault;

void
fault_init(const char *name, _Atomic unsigned long *hits)
{
	const char *text = getenv("BALE_FAULT");
	char wanted[32];

	memset(&fault, 0, sizeof(fault));
	if (text == NULL || sscanf(text, "%31[^:]:%31[^:]:%lu:%15s", wanted,
				   fault.point, &fault.hit, fault.action) != 4)
		return;
	if (strcmp(wanted, name) != 0)
		return;
	fault.always = fault.action[strlen(fault.action) - 1] == '!';
	fault.hits = hits;
}

void
fault_stand_for(pid_t pid)
{
	fault.target = pid;
}

static bool
is_action(const char *name)
{
	size_t bytes = strlen(name);

	return strncmp(fault.action, name, bytes) == 0 &&
	       (fault.action[bytes] == '\0' || fault.action[bytes] == '!');
}

static void
act(void)
{
	static const struct {
		const char *name;
		int signal_nr;
	} signals[] = {
		{ "kill", SIGKILL }, { "segv", SIGSEGV }, { "abort", SIGABRT },
		{ "stop", SIGSTOP }, { "int", SIGINT },   { "term", SIGTERM },
		{ "hup", SIGHUP },
	};

	for (size_t i = 0; i < sizeof(signals) / sizeof(signals[0]); i++) {
		if (is_action(signals[i].name)) {
			kill(fault.target != 0 ? fault.target : getpid(),
			     signals[i].signal_nr);
			return;
		}
	}
	if (is_action("wait"))
		(void)!write(STDERR_FILENO, "fault: waits\n", 13);
	while (is_action("wait"))
		pause();
	while (is_action("spin"))
		++*fault.hits;
	_exit(5);
}

void
fault_point(const char *point)
{
	unsigned long hits;

	if (fault.hits != NULL && is_action("say"))
		dprintf(STDERR_FILENO, "fault: %s\n", point);
	if (fault.hits == NULL || strcmp(point, fault.point) != 0)
		return;
	hits = ++*fault.hits;
	if (fault.always ? hits < fault.hit : hits != fault.hit)
		return;
	act();
}
#else
typedef int fault_nothing_here; /* a file needs a declaration */
#endif
