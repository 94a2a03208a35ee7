/* SPDX-License-Identifier: MIT */
/*
 * sandbox_command.c - commands that have no workers, shut in as these are.
 *
 * Does: see sandbox.h.
 */
#include "supervisor/sandbox.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/diag.h"
#include "base/new_file.h"
#include "supervisor/encoding.h"
#include "base/child_process.h"
#include "supervisor/options.h"
#include "supervisor/sandbox_layers.h"
#include "supervisor/supervisor.h"

static int
cannot_confine(int error)
{
	return exit_with(
		EXIT_INTERNAL,
		"cannot enter the sandbox: %s; --sandbox=off runs without it",
		diag_errno(error));
}

int
sandbox_enter_server(unsigned active, const char *writes)
{
	struct sandbox_place places[4 + TEMP_FILE_DIRS] = {
		{ .path = "/", .access = SANDBOX_READS },
		{ .path = "/dev/null", .access = SANDBOX_WRITES },
		{ .path = "/dev/shm", .access = SANDBOX_WRITES },
	};
	const char *dirs[TEMP_FILE_DIRS];
	size_t nr = temp_file_dirs(dirs);
	struct sandbox_keeps keeps = { .places = places, .place_nr = 3 };
	int error;

	for (size_t i = 0; i < nr; i++)
		places[keeps.place_nr++] = (struct sandbox_place){
			.path = dirs[i],
			.access = SANDBOX_MAKES_TEMP,
		};
	if (writes != NULL)
		places[keeps.place_nr++] = (struct sandbox_place){
			.path = writes,
			.access = SANDBOX_WRITES,
		};
	error = sandbox_put_on(
		active & (SANDBOX_NO_NEW_PRIVS | SANDBOX_LANDLOCK), &keeps);
	return error == 0 ? EXIT_COMPLETE : cannot_confine(error);
}

int
sandbox_enter_command(unsigned active, const struct sandbox_place *places,
		      size_t nr)
{
	struct sandbox_keeps keeps = {
		.files = nr > 0 ? FILES_READ : FILES_NONE,
		.places = places,
		.place_nr = nr,
	};
	int error;

	for (size_t i = 0; i < nr; i++)
		if (places[i].access == SANDBOX_WRITES)
			keeps.files = FILES_WRITE;
	/* it would ask /dev/urandom, when it is out of reach */
	json_object_seed(0);
	error = sandbox_put_on(active, &keeps);
	return error == 0 ? EXIT_COMPLETE : cannot_confine(error);
}

/* Who writes below a directory moves what he has written to a deeper one. */
static int
leave_out_landlock(const struct options *options, unsigned *active)
{
	bool is_required = options->pack.sandbox == SANDBOX_REQUIRE;

	diag_log(is_required ? DIAG_ERROR : DIAG_WARN,
		 "%s Landlock is not used: with this kernel it forbids moving "
		 "files to another directory; Linux 5.19 and later allow it",
		 is_required ? "BALE-SBX-002" : "BALE-SBX-001");
	*active &= ~(unsigned)SANDBOX_LANDLOCK;
	return is_required ? EXIT_RESOURCES : EXIT_COMPLETE;
}

int
sandbox_enter_reading(const struct options *options,
		      const struct text_list *files,
		      const struct sandbox_place *more, size_t more_nr)
{
	size_t nr = files->nr;
	struct sandbox_place *places =
		calloc(nr + 2 + more_nr, sizeof(*places));
	unsigned active = options->sandbox_layers;
	bool writes = false;
	int code;

	if (places == NULL)
		return exit_out_of_memory();
	for (size_t i = 0; i < nr; i++)
		places[i].path = files->items[i];
	if (options->against != NULL)
		places[nr++].path = options->against;
	if (encoding_is_file(options->encoding))
		places[nr++].path = options->encoding;
	for (size_t i = 0; i < more_nr; i++) {
		places[nr++] = more[i];
		writes |= more[i].access == SANDBOX_WRITES;
	}
	code = EXIT_COMPLETE;
	if (writes && active & SANDBOX_LANDLOCK && !landlock_lets_move())
		code = leave_out_landlock(options, &active);
	if (code == EXIT_COMPLETE)
		code = sandbox_enter_command(active, places, nr);
	free(places);
	return code;
}

/* What became of a child: its exit code. */
static int
wait_for_child(struct helper *helper, const char *what)
{
	int status;
	int error = helper_wait(helper, &status);

	if (error != 0)
		return exit_with(EXIT_INTERNAL, "%s: %s", what,
				 diag_errno(error));
	if (WIFEXITED(status))
		return WEXITSTATUS(status);
	return exit_with(
		EXIT_INTERNAL,
		"%s: the process that reads it was killed by signal %d (%s)",
		what, WTERMSIG(status), strsignal(WTERMSIG(status)));
}

int
sandbox_run_child(const struct sandbox_child *child)
{
	struct helper helper;
	int code = EXIT_COMPLETE;
	pid_t pid;

	if (child->active == 0)
		return child->work(child->context);
	fflush(NULL);
	pid = helper_fork(&helper, child->makes_files);
	if (pid < 0)
		return exit_with(EXIT_RESOURCES, "%s: cannot fork: %s",
				 child->what, diag_errno(pid));
	if (pid > 0)
		return wait_for_child(&helper, child->what);
	if (!child->makes_files)
		code = sandbox_enter_command(child->active, child->places,
					     child->place_nr);
	if (code == EXIT_COMPLETE)
		code = child->work(child->context);
	fflush(NULL);
	_exit(code);
}
