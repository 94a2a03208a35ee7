/* SPDX-License-Identifier: MIT */
/*
 * set_up.c - what a run needs before its first worker is forked.
 *
 * Does: reads what the options name, makes catalogue and output, forks the
 *       workers.
 * Does not: share --memory out (memory.c); take anything down again: that is
 *           pack.c's, whatever was made.
 */
#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/signalfd.h>

#include "shm/diag.h"
#include "supervisor/encoding.h"
#include "supervisor/file_list.h"
#include "supervisor/memory.h"
#include "supervisor/output_parts.h"
#include "supervisor/own_text.h"
#include "supervisor/query_text.h"
#include "supervisor/supervisor.h"
#include "tokenizer/tokenizer.h"

static int
create_catalogue(struct supervisor *supervisor)
{
	int error = catalogue_create(&supervisor->run.catalogue);

	if (error == 0)
		return 0;
	diag_log(DIAG_ERROR,
		 "cannot make a temporary file in $TMPDIR or /tmp: %s; set "
		 "TMPDIR to a directory that can be written",
		 strerror(-error));
	return EXIT_RESOURCES;
}

static int
open_output(struct supervisor *supervisor)
{
	bool is_kept = supervisor->options->command == COMMAND_PACK;
	/* nothing is pumped to it */
	const char *path =
		is_kept ? supervisor->options->output_path : "/dev/null";
	bool has_parts = is_kept && supervisor->run.options.split_tokens > 0;
	char name[512];
	int error;

	output_never_pack(&supervisor->run, supervisor->options->report_path);
	output_never_pack(&supervisor->run, supervisor->options->metrics_path);
	output_never_pack(&supervisor->run, supervisor->options->audit_path);
	if (has_parts)
		output_never_pack_parts(&supervisor->run, path);
	error = output_open(&supervisor->output, path, &supervisor->run);
	if (error == 0 && has_parts && supervisor->output.stream_fd >= 0) {
		diag_log(DIAG_ERROR,
			 "--split: %s is a pipe or a device; parts are files",
			 diag_quote_text(name, sizeof(name), path));
		return EXIT_USAGE;
	}
	return error == 0 ? 0 : supervisor_cannot_write(path, error);
}

static int
open_tokenizer(struct supervisor *supervisor)
{
	return encoding_open(&supervisor->run.tokenizer,
			     &supervisor->run.options.margin_percent,
			     supervisor->options);
}

/* What --files-from names: 0 or an exit code. */
static int
read_file_list(struct supervisor *supervisor)
{
	const char *path = supervisor->options->files_from;
	struct text_list files = { 0 };
	char name[512];
	int error;

	if (path == NULL)
		return 0;
	error = file_list_read(path, supervisor->options->by_nul, &files);
	supervisor->run.options.files = files.items;
	supervisor->run.options.file_nr = files.nr;
	if (error == 0 && files.nr > 0)
		return 0;
	diag_log(DIAG_ERROR, "--files-from %s: %s",
		 diag_quote_text(name, sizeof(name), path),
		 error == 0 ? "it lists no files" : strerror(-error));
	return error == 0 ? EXIT_NOTHING : EXIT_USAGE;
}

/* What --query asks for: 0 or an exit code. */
static int
read_query(struct supervisor *supervisor)
{
	const char *text = supervisor->options->query_text;
	char name[512];
	struct query *query;
	int error;

	if (text == NULL)
		return 0;
	error = query_text_read(text, &query);
	if (error != 0) {
		diag_log(DIAG_ERROR, "--query %s: %s",
			 diag_quote_text(name, sizeof(name), text),
			 strerror(-error));
		return EXIT_USAGE;
	}
	if (query == NULL)
		diag_log(DIAG_WARN,
			 "--query has no word to go by: ranked without one");
	supervisor->run.options.query = query;
	return 0;
}

/* What is asked for besides the tree: 0 or an exit code. */
static int
read_sources(struct supervisor *supervisor)
{
	int error = source_list_build(&supervisor->sources, supervisor->options,
				      &supervisor->run);

	supervisor->run.options.sources = supervisor->sources.sources;
	if (error == 0 && supervisor->run.options.sources_only &&
	    supervisor->sources.sources.file_nr == 0) {
		diag_log(DIAG_ERROR,
			 "BALE-CTX-004: the sources name nothing that could be "
			 "packed; to pack the directory as well, name it: .");
		return EXIT_NOTHING;
	}
	if (error == 0)
		return 0;
	if (error == -EINVAL)
		return EXIT_USAGE;
	diag_log(DIAG_ERROR, "sources: %s", strerror(-error));
	return EXIT_RESOURCES;
}

/* The signals that end the run come through a descriptor. */
static int
open_events(struct supervisor *supervisor)
{
	static const int ending[] = { SIGINT, SIGTERM, SIGHUP };
	sigset_t mask;

	sigemptyset(&mask);
	for (size_t i = 0; i < ARRAY_LEN(ending); i++) {
		struct sigaction action;

		/* nohup(1) and the like: ignored stays ignored */
		if (sigaction(ending[i], NULL, &action) != 0 ||
		    action.sa_handler != SIG_IGN)
			sigaddset(&mask, ending[i]);
	}
	signal(SIGPIPE, SIG_IGN);
	sigprocmask(SIG_BLOCK, &mask, NULL);
	supervisor->signal_fd = signalfd(-1, &mask, SFD_CLOEXEC | SFD_NONBLOCK);
	supervisor->epoll_fd = epoll_create1(EPOLL_CLOEXEC);
	if (supervisor->signal_fd >= 0 && supervisor->epoll_fd >= 0)
		return 0;
	diag_log(DIAG_ERROR, "cannot wait for workers: %s", strerror(errno));
	return EXIT_RESOURCES;
}

static int
spawn_all(struct supervisor *supervisor)
{
	for (uint32_t i = 0; i < supervisor->member_nr; i++) {
		int error = supervisor_spawn(supervisor, i);

		if (error == 0)
			continue;
		diag_log(DIAG_ERROR,
			 "cannot fork worker %u of %u: %s; fewer --workers "
			 "may help",
			 i + 1, supervisor->member_nr, strerror(-error));
		supervisor_kill_all(supervisor);
		return EXIT_RESOURCES;
	}
	return 0;
}

int
supervisor_set_up(struct supervisor *supervisor)
{
	struct control_shm *control;
	int code = open_tokenizer(supervisor);

	if (code == 0)
		code = read_file_list(supervisor);
	if (code == 0)
		code = read_query(supervisor);
	if (code == 0)
		code = own_text_read(supervisor->options,
				     &supervisor->run.options.markup);
	if (code == 0)
		code = read_sources(supervisor);
	/* first of all: a limit on file sizes is an errno, not a signal */
	if (code == 0)
		code = open_events(supervisor);
	if (code == 0)
		code = memory_share(supervisor);
	if (code == 0)
		code = create_catalogue(supervisor);
	if (code == 0)
		code = open_output(supervisor);
	if (code != 0)
		return code;
	control = supervisor->run.segment.control;
	/* relaxed: the workers see it by the fork */
	atomic_store_explicit(&control->pass, PASS_FIRST, memory_order_relaxed);
	return spawn_all(supervisor);
}
