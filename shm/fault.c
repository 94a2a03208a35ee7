/* SPDX-License-Identifier: MIT */
/*
 * fault.c - failing on demand, in debug builds.
 */
#include "shm/fault.h"

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
fault_point(const char *point)
{
	unsigned long hits;

	if (fault.hits == NULL || strcmp(point, fault.point) != 0)
		return;
	hits = ++*fault.hits;
	if (fault.always ? hits < fault.hit : hits != fault.hit)
		return;
	if (strncmp(fault.action, "kill", 4) == 0)
		kill(getpid(), SIGKILL);
	else if (strncmp(fault.action, "segv", 4) == 0)
		kill(getpid(), SIGSEGV);
	else if (strncmp(fault.action, "abort", 5) == 0)
		abort();
	else if (strncmp(fault.action, "stop", 4) == 0)
		kill(getpid(), SIGSTOP);
	else
		_exit(5);
}
#else
typedef int fault_nothing_here; /* a file needs a declaration */
#endif
