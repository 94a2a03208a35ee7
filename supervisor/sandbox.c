/* SPDX-License-Identifier: MIT */
/*
 * sandbox.c - which layers there are, and the order they are put on in.
 */
#include "supervisor/sandbox.h"

#include <errno.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/resource.h>

#include "supervisor/sandbox_layers.h"

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) || \
	__has_feature(memory_sanitizer)
#define IS_SANITIZED true
#endif
#endif
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define IS_SANITIZED true
#endif
#ifndef IS_SANITIZED
#define IS_SANITIZED false
#endif

/* There in builds that measure coverage, which write files when they exit. */
extern void
__gcov_init(void *) __attribute__((weak));

static bool
is_instrumented(void)
{
	return IS_SANITIZED || __gcov_init != NULL;
}

unsigned
sandbox_probe(void)
{
	unsigned layers = SANDBOX_NO_NEW_PRIVS;

	if (is_instrumented())
		return layers;
	if (landlock_version() > 0)
		layers |= SANDBOX_LANDLOCK;
	if (seccomp_is_there())
		layers |= SANDBOX_SECCOMP;
	return layers;
}

const char *
sandbox_describe(char *out, size_t size, unsigned layers)
{
	unsigned missing = SANDBOX_ALL & ~layers;

	snprintf(out, size, "no_new_privs%s%s%s%s%s%s",
		 layers & SANDBOX_LANDLOCK ? " landlock" : "",
		 layers & SANDBOX_SECCOMP ? " seccomp" : "",
		 missing != 0 ? "; missing:" : "",
		 missing & SANDBOX_LANDLOCK ? " landlock" : "",
		 missing & SANDBOX_SECCOMP ? " seccomp" : "",
		 missing == 0        ? ""
		 : is_instrumented() ? " (instrumented build)"
				     : " (not in this kernel)");
	return out;
}

int
sandbox_worker_limits(void)
{
#ifndef BALE_DEBUG
	const struct rlimit one_byte = { .rlim_cur = 1, .rlim_max = 1 };

	if (setrlimit(RLIMIT_CORE, &one_byte) == 0)
		return 0;
	/* a lower hard limit was there before: as good, where files go */
	return errno == EPERM ? 0 : -errno;
#else
	return 0;
#endif
}

int
sandbox_shut_in(const struct run *run, enum stage_id stage,
		const struct reach *reach)
{
	unsigned layers = sandbox_probe();
	int error = 0;

	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0)
		return -errno;
	if (layers & SANDBOX_LANDLOCK)
		error = landlock_shut_in(run, stage, reach);
	if (error == 0 && layers & SANDBOX_SECCOMP)
		error = seccomp_shut_in(run, stage);
	return error;
}
