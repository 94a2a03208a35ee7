/* SPDX-License-Identifier: MIT */
/*
 * sandbox.c - which layers there are, and the order they are put on in.
 */
#include "supervisor/sandbox.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>

#include "base/diag.h"
#include "supervisor/sandbox_layers.h"
#include "supervisor/supervisor.h"

/* There in builds that measure coverage, which write files when they exit. */
extern void
__gcov_init(void *) __attribute__((weak));

static bool
is_instrumented(void)
{
	return IS_SANITIZED || __gcov_init != NULL;
}

static int
no_new_privs(void)
{
	return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 ? 0 : -errno;
}

static const struct {
	const char *name;
	int (*probe)(void);
	const char *missing; /* what nothing guards without it */
	const char *remedy;
} layers[SANDBOX_LAYER_NR] = {
	{ "no_new_privs", no_new_privs,
	  "a process that is broken into could gain privileges by set-user-ID "
	  "programs",
	  "use Linux 3.5 or later or, in a container, a seccomp profile that "
	  "allows prctl(2)" },
	{ "landlock", landlock_probe,
	  "the kernel does not keep what reads files below the paths that were "
	  "named, only bale's own checks do",
	  "use Linux 5.13 or later with Landlock on or, in a container, a "
	  "seccomp profile that allows its calls" },
	{ "seccomp", seccomp_probe,
	  "the kernel does not keep a process that is broken into from any "
	  "system call",
	  "use Linux 4.14 or later or, in a container, a seccomp profile that "
	  "allows seccomp(2)" },
	{ "capabilities", caps_probe,
	  "a process that is broken into keeps the powers of root",
	  "do not start bale as root or, in a container, use a seccomp profile "
	  "that allows capset(2) and prctl(2)" },
};

void
sandbox_probe(struct sandbox *out)
{
	*out = (struct sandbox){ .layers = 0 };
	for (int i = 0; i < SANDBOX_LAYER_NR; i++) {
		unsigned layer = 1u << i;
		bool is_filter =
			layer == SANDBOX_LANDLOCK || layer == SANDBOX_SECCOMP;

		if (is_instrumented() && is_filter)
			continue;
		/* who is not root can put on neither without new privileges */
		out->errors[i] = is_filter && out->errors[0] != 0
					 ? out->errors[0]
					 : -layers[i].probe();
		if (out->errors[i] == 0)
			out->layers |= 1u << i;
	}
}

const char *
sandbox_layer_name(int idx)
{
	return layers[idx].name;
}

static const char *
why_missing(const struct sandbox *sandbox, int idx)
{
	int error = sandbox->errors[idx];

	return error == 0 ? "instrumented build" : strerrorname_np(error);
}

const char *
sandbox_describe(char *out, size_t size, const struct sandbox *sandbox)
{
	const char *before = "";
	size_t at = 0;

	*out = '\0';
	for (int i = 0; i < 2 * SANDBOX_LAYER_NR && at < size; i++) {
		int idx = i % SANDBOX_LAYER_NR;
		bool is_there = (sandbox->layers & 1u << idx) != 0;

		if (i == SANDBOX_LAYER_NR && sandbox->layers != SANDBOX_ALL)
			before = at > 0 ? "; missing: " : "missing: ";
		if (is_there != (i < SANDBOX_LAYER_NR))
			continue;
		at += (size_t)snprintf(out + at, size - at, "%s%s", before,
				       layers[idx].name);
		if (!is_there && at < size)
			at += (size_t)snprintf(out + at, size - at, " (%s)",
					       why_missing(sandbox, idx));
		before = " ";
	}
	return out;
}

int
sandbox_begin(enum sandbox_mode mode, unsigned *active)
{
	struct sandbox sandbox;
	int error = 0;

	*active = 0;
	if (mode == SANDBOX_OFF)
		return EXIT_COMPLETE;
	sandbox_probe(&sandbox);
	*active = sandbox.layers;
	for (int i = 0; i < SANDBOX_LAYER_NR; i++) {
		bool is_missing = (sandbox.layers & 1u << i) == 0;

		/* who made an instrumented build knows it */
		if (!is_missing || (mode == SANDBOX_AUTO && is_instrumented()))
			continue;
		if (mode == SANDBOX_REQUIRE)
			diag_log(
				DIAG_ERROR,
				"BALE-SBX-002 the sandbox lacks %s here (%s), "
				"which --sandbox=require asks for: %s; nothing "
				"was read",
				layers[i].name, why_missing(&sandbox, i),
				layers[i].remedy);
		else
			diag_log(DIAG_WARN,
				 "BALE-SBX-001 the sandbox lacks %s here (%s): "
				 "%s; %s (--sandbox=off turns all of it off, "
				 "and this warning)",
				 layers[i].name, why_missing(&sandbox, i),
				 layers[i].missing, layers[i].remedy);
	}
	if (mode == SANDBOX_REQUIRE && sandbox.layers != SANDBOX_ALL)
		return EXIT_RESOURCES;
	if (sandbox.layers & SANDBOX_CAPABILITIES)
		error = caps_keep(FILES_WRITE);
	if (error == 0)
		return EXIT_COMPLETE;
	return exit_with(
		EXIT_INTERNAL,
		"cannot give up capabilities: %s; --sandbox=off keeps them",
		diag_errno(error));
}

int
sandbox_put_on(unsigned active, const struct sandbox_keeps *keeps)
{
	int error = 0;

	if (active & SANDBOX_NO_NEW_PRIVS)
		error = no_new_privs();
	if (error == 0 && active & SANDBOX_CAPABILITIES)
		error = caps_keep(keeps->files);
	if (error == 0 && active & SANDBOX_LANDLOCK)
		error = landlock_confine(keeps->places, keeps->place_nr);
	if (error != 0 || !(active & SANDBOX_SECCOMP))
		return error;
	return keeps->run != NULL ? seccomp_confine(keeps->run, keeps->stage)
				  : seccomp_confine_command(keeps->files);
}

/* What collect reads below. */
static int
enter_collect(const struct run *run, const struct reach *reach,
	      struct sandbox_keeps *keeps)
{
	size_t nr = run->job.root_nr;
	struct sandbox_place *places = calloc(nr + reach->nr, sizeof(*places));
	int error;

	if (places == NULL)
		return -ENOMEM;
	for (size_t i = 0; i < nr; i++)
		places[i].path = run->job.roots[i];
	for (uint32_t i = 0; i < reach->nr; i++)
		places[nr + i].fd = reach->fds[i];
	keeps->files = FILES_READ;
	keeps->places = places;
	keeps->place_nr = nr + reach->nr;
	error = sandbox_put_on(run->sandbox_layers, keeps);
	free(places);
	return error;
}

int
sandbox_enter(const struct run *run, enum stage_id stage,
	      const struct reach *reach)
{
	struct sandbox_keeps keeps = { .run = run, .stage = stage };

	return stage == STAGE_COLLECT
		       ? enter_collect(run, reach, &keeps)
		       : sandbox_put_on(run->sandbox_layers, &keeps);
}
