/* SPDX-License-Identifier: MIT */
/*
 * pack.c - one run of `bale pack` or `bale preview`, from options to exit.
 *
 * Does: shares the memory out, makes arena, catalogue and output, starts the
 *       workers, judges what came of it.
 * Does not: watch (watch.c).
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/random.h>
#include <sys/signalfd.h>
#include <time.h>
#include <unistd.h>

#include "shm/diag.h"
#include "supervisor/audit.h"
#include "supervisor/encoding.h"
#include "supervisor/file_list.h"
#include "supervisor/last_report.h"
#include "supervisor/metrics.h"
#include "supervisor/output_parts.h"
#include "supervisor/own_text.h"
#include "supervisor/pins.h"
#include "supervisor/preview.h"
#include "supervisor/query_text.h"
#include "supervisor/report.h"
#include "supervisor/sandbox.h"
#include "supervisor/summary.h"
#include "supervisor/supervisor.h"
#include "supervisor/tree.h"
#include "tokenizer/tokenizer.h"

#define MIB (1ull << 20)
/* Entries of the token cache: 10 MiB; 5 where --memory is below the default. */
#define CACHE_LOG2 19
#define CACHE_SMALL_LOG2 18
#define CACHE_MIN (96 * MIB)

/*
 * Where --memory goes, besides slabs and rings; measured as Pss with the
 * kernel's sources and rounded up (docs/memory.md).
 */
#define FIXED_BYTES (24 * MIB) /* program, vocabulary, tables */
#define WORKER_BYTES (MIB)     /* each worker's own */
#define OBJECTS_SHARE 3        /* with --rev a third for objects of git */
#define OBJECTS_MIN (4 * MIB)  /* or less, but never less than this */
#define HISTORY_SHARE 8        /* an eighth for those of past commits, */
#define HISTORY_MAX (12 * MIB) /* but no more than this */
#define SLABS_MIN 4            /* a lane cannot do with fewer */
#define SLABS_USEFUL 48        /* a lane has no use for more */

/* How many slabs the limit leaves room for; 0: not enough. */
static uint32_t
share_memory(uint64_t memory_bytes, uint32_t lane_nr, uint64_t cache_bytes,
	     uint64_t object_bytes)
{
	struct segment_plan plan;
	uint64_t used;
	uint64_t slabs;

	stage_plan_segment(&plan, lane_nr, 0, cache_bytes);
	used = FIXED_BYTES + segment_bytes(&plan) +
	       (plan.worker_nr + 1) * WORKER_BYTES;
	/* a step block is as large as it could be, not as it is */
	used -= plan.worker_nr * sizeof(struct worker_shm);
	used += object_bytes;
	if (used >= memory_bytes)
		return 0;
	slabs = (memory_bytes - used) / SLAB_BYTES;
	if (slabs < (uint64_t)SLABS_MIN * lane_nr)
		return 0;
	return (uint32_t)min_u64(slabs, (uint64_t)SLABS_USEFUL * lane_nr);
}

/* Slabs and memory for objects of git, which take a third if they can. */
static uint32_t
share_with_objects(struct supervisor *supervisor, uint64_t cache_bytes)
{
	struct run *run = &supervisor->run;
	uint64_t memory_bytes = supervisor->options->memory_bytes;
	uint64_t object_bytes = memory_bytes / OBJECTS_SHARE;
	uint32_t slab_nr = 0;

	if (run->options.rev == NULL && !run->options.git_diff) {
		run->object_bytes =
			run_reads_git(run)
				? min_u64(memory_bytes / HISTORY_SHARE,
					  HISTORY_MAX)
				: 0;
		return share_memory(memory_bytes, run->lane_nr, cache_bytes,
				    run->object_bytes);
	}
	while (slab_nr == 0 && object_bytes >= OBJECTS_MIN) {
		slab_nr = share_memory(memory_bytes, run->lane_nr, cache_bytes,
				       object_bytes);
		run->object_bytes = object_bytes;
		object_bytes -= object_bytes / 4;
	}
	return slab_nr;
}

static int
create_segment(struct supervisor *supervisor)
{
	const struct options *options = supervisor->options;
	unsigned cache_log2 = options->memory_bytes < CACHE_MIN
				      ? CACHE_SMALL_LOG2
				      : CACHE_LOG2;
	uint64_t cache_bytes = tokenizer_cache_bytes(cache_log2);
	struct run *run = &supervisor->run;
	struct segment_plan plan;
	uint32_t slab_nr = share_with_objects(supervisor, cache_bytes);
	int error;

	/* a default gives way to a limit; what was asked for does not */
	while (slab_nr == 0 && run->lane_nr > 1 &&
	       !options->given[OPTION_WORKERS]) {
		run->lane_nr--;
		slab_nr = share_with_objects(supervisor, cache_bytes);
	}
	supervisor->member_nr = stage_worker_nr(run->lane_nr);

	if (slab_nr == 0) {
		diag_log(DIAG_ERROR,
			 "--memory: too little for %u workers a stage; give "
			 "more, or fewer --workers",
			 run->lane_nr);
		return EXIT_RESOURCES;
	}
	stage_plan_segment(&plan, run->lane_nr, slab_nr, cache_bytes);
	error = segment_create(&supervisor->run.segment, &plan);
	if (error != 0) {
		diag_log(DIAG_ERROR,
			 "shared memory of %llu bytes: %s; a smaller --memory "
			 "or a larger /dev/shm may help",
			 (unsigned long long)segment_bytes(&plan),
			 strerror(-error));
		return EXIT_RESOURCES;
	}
	tokenizer_cache_init(supervisor->run.segment.cache, cache_log2);
	return 0;
}

static int
create_catalogue(struct supervisor *supervisor)
{
	int error = catalogue_create(&supervisor->run.catalogue);

	if (error == 0)
		return 0;
	diag_log(DIAG_ERROR, "temporary file in $TMPDIR or /tmp: %s",
		 strerror(-error));
	return EXIT_RESOURCES;
}

static int
open_output(struct supervisor *supervisor)
{
	const char *path = supervisor->options->output_path;
	char name[512];
	int error;

	if (supervisor->options->command != COMMAND_PACK)
		path = "/dev/null"; /* nothing is pumped to it */
	output_never_pack(&supervisor->run, supervisor->options->report_path);
	output_never_pack(&supervisor->run, supervisor->options->metrics_path);
	output_never_pack(&supervisor->run, supervisor->options->audit_path);
	if (supervisor->run.options.split_tokens > 0)
		output_never_pack_parts(&supervisor->run, path);
	error = output_open(&supervisor->output, path, &supervisor->run);
	if (error == 0 && supervisor->run.options.split_tokens > 0 &&
	    supervisor->output.stream_fd >= 0) {
		diag_log(DIAG_ERROR,
			 "--split: %s is a pipe or a device; parts are files",
			 diag_quote(name, sizeof(name), (const uint8_t *)path,
				    strlen(path)));
		return EXIT_USAGE;
	}
	if (error == 0)
		return 0;
	if (path == NULL)
		path = "stdout";
	diag_log(DIAG_ERROR, "cannot write %s: %s",
		 diag_quote(name, sizeof(name), (const uint8_t *)path,
			    strlen(path)),
		 strerror(-error));
	return EXIT_OUTPUT;
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
		 diag_quote(name, sizeof(name), (const uint8_t *)path,
			    strlen(path)),
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
			 diag_quote(name, sizeof(name), (const uint8_t *)text,
				    strlen(text)),
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
	int error =
		source_list_build(&supervisor->sources, supervisor->options);

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

static int
set_up(struct supervisor *supervisor)
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
		code = create_segment(supervisor);
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

static void
tear_down(struct supervisor *supervisor)
{
	output_close(&supervisor->output);
	catalogue_close(&supervisor->run.catalogue);
	free(supervisor->run.outputs);
	source_list_fini(&supervisor->sources);
	segment_destroy(&supervisor->run.segment);
	if (supervisor->epoll_fd >= 0)
		close(supervisor->epoll_fd);
	if (supervisor->signal_fd >= 0)
		close(supervisor->signal_fd);
}

static int
cannot_write(const char *path, int error)
{
	char name[1024];

	diag_log(DIAG_ERROR, "cannot write %s: %s%s",
		 path == NULL ? "stdout"
			      : diag_quote(name, sizeof(name),
					   (const uint8_t *)path, strlen(path)),
		 strerror(-error),
		 error == -EBUSY    ? "; is it a mount point? use > instead"
		 : error == -EMFILE ? ": more parts than files can be open "
				      "(ulimit -n); give a larger --split"
				    : "");
	return EXIT_OUTPUT;
}

/* The parts to their places: 0 or an exit code. */
static int
deliver_parts(struct supervisor *supervisor)
{
	char *failed;
	/* relaxed: all workers are gone */
	int error = output_deliver_parts(
		&supervisor->output, &supervisor->run.catalogue,
		atomic_load_explicit(&supervisor->run.segment.control->part_nr,
				     memory_order_relaxed),
		supervisor->options->output_path, &failed);

	if (error != 0)
		cannot_write(failed, error);
	free(failed);
	return error == 0 ? 0 : EXIT_OUTPUT;
}

/* The whole output to its place: 0 or an exit code. */
static int
deliver(struct supervisor *supervisor)
{
	const struct control_shm *control = supervisor->run.segment.control;
	struct output *output = &supervisor->output;
	/* acquire: all workers are gone, all is written */
	uint64_t bytes = atomic_load_explicit(&control->verdict_bytes,
					      memory_order_acquire);
	const char *path = supervisor->options->output_path;
	int result = 1;

	if (supervisor->run.options.split_tokens > 0)
		return deliver_parts(supervisor);
	while (output->stream_fd >= 0) {
		struct signalfd_siginfo info;

		result = output_pump(output, bytes);
		if (result != 0)
			break;
		if (read(supervisor->signal_fd, &info, sizeof(info)) > 0) {
			supervisor->end_signal = (int)info.ssi_signo;
			return 128 + supervisor->end_signal;
		}
		usleep(1000); /* the reader is slow */
	}
	if (result == -EPIPE) {
		supervisor->end_signal = SIGPIPE;
		return 128 + SIGPIPE;
	}
	if (result > 0 && output->stream_fd < 0 && output_is_zstd(path)) {
		result = output_deflate(output, bytes);
		result = result == 0 ? 1 : result;
	}
	if (result > 0)
		result = output_commit(output);
	return result == 0 ? 0 : cannot_write(path, result);
}

static void
log_write_error(const struct supervisor *supervisor)
{
	const struct control_shm *control = supervisor->run.segment.control;
	/* relaxed: the format worker is dead */
	int error = atomic_load_explicit(&control->write_error,
					 memory_order_relaxed);
	const char *path = supervisor->options->output_path;

	/* 0: it was the stream, and that has been said */
	if (error != 0)
		diag_log(DIAG_ERROR, "cannot write %s: %s",
			 path == NULL ? "the temporary file in $TMPDIR" : path,
			 strerror(error));
}

static bool
is_plan_empty(const struct supervisor *supervisor)
{
	/* relaxed: all workers are gone */
	return !run_takes_all(&supervisor->run) &&
	       atomic_load_explicit(&supervisor->run.segment.control->plan_nr,
				    memory_order_relaxed) == 0;
}

/* The first file of the report. calls: report_each() */
static int
take_first(void *context, const struct report_item *item)
{
	*(struct report_item *)context = *item;
	return -ECANCELED;
}

/* Names the first file that was left out, since all were. */
static void
log_nothing(const struct report *report)
{
	struct report_item first = { 0 };
	char name[512];
	const uint8_t *path;
	size_t bytes;
	char more[64] = "";

	if (report_each(report, take_first, &first) != -ECANCELED ||
	    report_path(report, first.file_idx, &path, &bytes) != 0) {
		diag_log(DIAG_ERROR,
			 "BALE-CTX-004: nothing to pack: no text in what was "
			 "named; see --no-ignore, --hidden, --include");
		return;
	}
	if (report->files_seen > 1)
		snprintf(more, sizeof(more),
			 ", and %llu more; --report lists them",
			 (unsigned long long)report->files_seen - 1);
	diag_log(DIAG_ERROR, "BALE-CTX-004: nothing to pack: %s: %s%s",
		 diag_quote(name, sizeof(name), path, bytes),
		 first.reason < REASON_NR ? reason_told((uint8_t)first.reason)
					  : "empty",
		 more);
}

/* Names the file of which no part can hold a piece. */
static int
log_no_part(const struct supervisor *supervisor, const struct report *report,
	    uint32_t file_idx)
{
	const uint8_t *path;
	size_t bytes;
	char name[512] = "a file";

	if (report_path(report, file_idx, &path, &bytes) == 0)
		diag_quote(name, sizeof(name), path, bytes);
	diag_log(DIAG_ERROR,
		 "BALE-BUD-006: --split %llu: a part cannot hold even one "
		 "character of %s with what stands around it; give a larger N",
		 (unsigned long long)supervisor->run.options.split_tokens,
		 name);
	return EXIT_FRAME;
}

/* What the run came to, apart from how it ended: an exit code. */
static int
judge(struct supervisor *supervisor, const struct report *report)
{
	uint32_t no_part;

	if (report->chunks_seen == 0 && report->files_full == 0 &&
	    report->files_signatures == 0) {
		log_nothing(report);
		return EXIT_NOTHING;
	}
	if (is_plan_empty(supervisor)) {
		if (report->all_beyond)
			return EXIT_NOTHING; /* told of, one by one */
		diag_log(DIAG_ERROR,
			 "BALE-BUD-001: not even the smallest chunk fits into "
			 "%llu tokens; give a larger --budget or smaller "
			 "reserves",
			 (unsigned long long)report->available_tokens);
		return EXIT_FRAME;
	}
	/* relaxed: all workers are gone */
	no_part =
		atomic_load_explicit(&supervisor->run.segment.control->no_part,
				     memory_order_relaxed);
	if (no_part != 0)
		return log_no_part(supervisor, report, no_part - 1);
	return !pins_had_room(report, supervisor->options) ||
			       report_is_degraded(report) ||
			       supervisor->sources.is_degraded
		       ? EXIT_DEGRADED
		       : EXIT_COMPLETE;
}

/* 0 or an exit code. */
static int
wrote(const char *path, int error)
{
	char name[512];

	if (error == 0)
		return 0;
	diag_log(DIAG_ERROR, "cannot write %s: %s",
		 diag_quote(name, sizeof(name), (const uint8_t *)path,
			    strlen(path)),
		 strerror(-error));
	return EXIT_OUTPUT;
}

/* All that is written about the run besides its output. */
static int
write_reports(const struct options *options, const struct report *report,
	      int exit_code)
{
	int failed = 0;

	if (options->report_path != NULL)
		failed = wrote(options->report_path,
			       report_write(report, options->report_path));
	if (options->metrics_path != NULL && failed == 0)
		failed = wrote(options->metrics_path,
			       metrics_write(report, exit_code,
					     options->metrics_path));
	if (options->audit_path != NULL && failed == 0)
		failed = wrote(
			options->audit_path,
			audit_append(report, exit_code, options->audit_path));
	return failed;
}

/* The SHA-256 of each part; false: it could not be read. */
static bool
hash_parts(const struct supervisor *supervisor, struct report *report)
{
	report->part_sha256 = calloc(report->part_nr, SHA256_BYTES);
	if (report->part_sha256 == NULL)
		return false;
	for (uint64_t i = 0; i < report->part_nr; i++) {
		const struct part_record *part =
			catalogue_part(&supervisor->run.catalogue, i);

		if (output_sha256(&supervisor->output, part->off, part->bytes,
				  report->part_sha256 + i * SHA256_BYTES) != 0)
			return false;
	}
	return true;
}

static void
fill_report(struct supervisor *supervisor, struct report *report)
{
	const struct run *run = &supervisor->run;

	snprintf(report->correlation_id, sizeof(report->correlation_id), "%s",
		 diag_run_id());
	report->encoding = supervisor->options->encoding;
	report->output_path = supervisor->options->output_path;
	supervisor->warning = encoding_warning();
	report->warnings = &supervisor->warning;
	report->warning_nr = supervisor->warning != NULL;
	report->peak_pss_bytes = supervisor->peak_pss_bytes;
	report->wall_ns = supervisor_now_ns() - supervisor->begun_ns;
	report->started_s = supervisor->started_s;
	report->timeline = &supervisor->timeline;
	for (uint32_t i = 0; i < supervisor->member_nr; i++) {
		enum stage_id stage;
		uint32_t lane;

		stage_of_worker(i, run->lane_nr, &stage, &lane);
		report->stages[stage].death_nr +=
			(uint32_t)supervisor->members[i].deaths;
	}
}

static void
print_summary(const struct report *report)
{
	char text[SUMMARY_BYTES];
	size_t bytes = summary_render(text, sizeof(text), report);
	const char *at = text;

	/* to a terminal or a log; there is nobody to tell if it fails */
	while (bytes > 0) {
		ssize_t written = write(STDERR_FILENO, at, bytes);

		if (written <= 0)
			return;
		at += written;
		bytes -= (size_t)written;
	}
}

/* For bale report --last; that it cannot be kept ends no run. */
static void
keep_last(const struct options *options, const struct report *report)
{
	int error;

	if (!options->keeps_last || options->command == COMMAND_TREE)
		return;
	error = last_report_keep(report);
	if (error != 0)
		diag_log(DIAG_DEBUG, "the report is not kept: %s",
			 strerror(-error));
}

static int
print_plan(const struct supervisor *supervisor, const struct report *report,
	   FILE *out)
{
	const struct options *options = supervisor->options;
	const struct tree_options tree = { options->tree_threshold_tokens,
					   options->tree_depth_max };

	if (options->command == COMMAND_TREE)
		return tree_print(report, &tree, out);
	if (options->json)
		return report_write_fd(report, fileno(out));
	return preview_print(report,
			     options->order == ORDER_RANK ||
				     (options->order == ORDER_AUTO &&
				      options->query_text != NULL),
			     out);
}

/* What `bale preview` is for: to stdout or to the file of --output. */
static int
show_plan(struct supervisor *supervisor, const struct report *report)
{
	const char *path = supervisor->options->output_path;
	bool to_stdout = path == NULL || strcmp(path, "-") == 0;
	FILE *out = to_stdout ? stdout : fopen(path, "we");
	int error = out == NULL ? -errno : print_plan(supervisor, report, out);

	if (!to_stdout && out != NULL && fclose(out) != 0 && error == 0)
		error = -errno;
	if (error == 0)
		return 0;
	if (error == -EPIPE) {
		supervisor->end_signal = SIGPIPE;
		return 128 + SIGPIPE;
	}
	diag_log(DIAG_ERROR, "cannot write %s: %s", to_stdout ? "stdout" : path,
		 strerror(-error));
	return EXIT_OUTPUT;
}

/* After a run that came to its end: report, output, summary, exit code. */
static int
conclude(struct supervisor *supervisor)
{
	const struct options *options = supervisor->options;
	struct report report;
	int error = report_collect(&supervisor->run, &report);
	int code;
	int failed = 0;

	if (error != 0) {
		diag_log(DIAG_ERROR, "the catalogue of the run: %s",
			 strerror(-error));
		report_fini(&report);
		return EXIT_INTERNAL;
	}
	report_take_sources(&report, &supervisor->sources);
	code = judge(supervisor, &report);
	if (options->report_path != NULL && !options->pack.plan_only)
		report.has_sha256 =
			output_sha256(&supervisor->output, report.output_off,
				      report.output_bytes,
				      report.output_sha256) == 0 &&
			(report.part_nr == 0 ||
			 hash_parts(supervisor, &report));
	fill_report(supervisor, &report);
	if (code == EXIT_DEGRADED && options->strict)
		diag_log(DIAG_ERROR, "--strict: nothing is written");
	else if (code == EXIT_COMPLETE || code == EXIT_DEGRADED)
		failed = options->command == COMMAND_PACK
				 ? deliver(supervisor)
				 : show_plan(supervisor, &report);
	if (failed == 0)
		failed = write_reports(options, &report, code);
	audit_log(&report);
	keep_last(options, &report);
	if (options->explain && failed == 0)
		preview_explain(&report, stderr);
	if (!options->quiet && failed == 0)
		print_summary(&report);
	report_fini(&report);
	return failed != 0 ? failed : code;
}

static void
take_options(struct supervisor *supervisor, const struct options *options)
{
	supervisor->options = options;
	supervisor->run.options = options->pack;
	supervisor->run.lane_nr = (uint32_t)options->worker_nr;
	supervisor->run.memory_bytes = options->memory_bytes;
	if (options->pack.sandbox)
		supervisor->run.shut_in = sandbox_shut_in;
	supervisor->sources.texts.fd = -1;
	supervisor->epoll_fd = -1;
	supervisor->signal_fd = -1;
	supervisor->output.fd = -1;
	supervisor->output.stream_fd = -1;
	progress_open(&supervisor->bar, options->progress, STDERR_FILENO);
}

int
supervisor_pack(const struct options *options)
{
	/* static: too large for the stack, and there is one run a process */
	static struct supervisor supervisor;
	int code;

	supervisor.begun_ns = supervisor_now_ns();
	supervisor.started_s = time(NULL);
	/* a limit on the size of files is an errno, to the arena as well */
	signal(SIGXFSZ, SIG_IGN);
	take_options(&supervisor, options);
	code = set_up(&supervisor);
	if (code == 0) {
		code = supervisor_watch(&supervisor);
		if (code == EXIT_OUTPUT)
			log_write_error(&supervisor);
		if (code == 0)
			code = conclude(&supervisor);
	}
	tear_down(&supervisor);
	if (supervisor.end_signal != 0) {
		sigset_t mask;

		/* the shell sees a real death by the signal */
		signal(supervisor.end_signal, SIG_DFL);
		sigfillset(&mask);
		sigprocmask(SIG_UNBLOCK, &mask, NULL);
		raise(supervisor.end_signal);
	}
	return code;
}
