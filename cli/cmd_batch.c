/* SPDX-License-Identifier: MIT */
/*
 * cmd_batch.c - `bale batch`: which lines are packed when, and what is said of
 *               them.
 */
#include "cli/batch.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/diag.h"
#include "base/exit_code.h"
#include "base/fault.h"
#include "base/fd_io.h"
#include "base/hash.h"
#include "base/new_file.h"
#include "base/number_format.h"
#include "base/version.h"
#include "secrets/secrets.h"
#include "supervisor/encoding.h"

#define USUAL_MEMORY (96ull << 20) /* of a job, or of a processor */
#define JOBS_A_CPU 2ull

static struct batch {
	struct command_line *line;
	struct batch_scope scope;
	struct batch_list list;
	struct batch_manifest manifest;
	struct shard shard;
	struct batch_run runs[BATCH_JOBS_MAX];
	size_t run_nr;  /* lines at a time */
	size_t busy_nr; /* that are being packed */
	uint64_t memory_bytes;
	uint64_t failure_nr;
	uint64_t again_nr; /* lines that are tried once more, alone */
	bool is_again;     /* it is their turn */
	bool is_ended;     /* by --max-failures, or an error */
	int code;
} batch;

/* ---- options ------------------------------------------------------------- */

/* What decides on the bytes of an output, and is not of one line. */
static uint64_t
hash_options(const struct command_line *line)
{
	static char text[4 * PATH_MAX];
	uint64_t hash =
		hash64(HASH64_BEGIN, BALE_VERSION, strlen(BALE_VERSION));

	for (int i = 0; i < OPTION_NR; i++) {
		const struct option_spec *spec = &option_table[i];

		/* a SETTING has no name */
		if (spec->name != NULL &&
		    (!option_is_of(COMMAND_BATCH, (enum option_id)i) ||
		     spec->group == GROUP_RUN || spec->group == GROUP_TELL))
			continue;
		if (spec->kind == KIND_HELP || spec->kind == KIND_VERSION)
			continue;
		option_print(line, spec, text, sizeof(text));
		hash = hash64(hash, text, strlen(text) + 1);
	}
	return hash;
}

static const char *
suffix_of(const struct command_line *line)
{
	static const char *const suffixes[] = {
		[MARKUP_MARKDOWN] = ".md", [MARKUP_XML] = ".xml",
		[MARKUP_JSON] = ".json",   [MARKUP_JSONL] = ".jsonl",
		[MARKUP_PLAIN] = ".txt",   [MARKUP_DOCUMENTS] = ".jsonl",
	};
	static char suffix[16];
	unsigned kind = line->run.pack.markup.kind;

	snprintf(suffix, sizeof(suffix), "%s%s",
		 line->run.template_path != NULL || kind >= ARRAY_LEN(suffixes)
			 ? ".txt"
			 : suffixes[kind],
		 line->batch.compresses ? ".zst" : "");
	return suffix;
}

/* Lines at a time, and what each may have. */
static void
share_memory(const struct command_line *line)
{
	const struct batch_args *args = &line->batch;
	uint32_t cpu_nr = options_cpu_nr();
	/* a line does not keep a processor busy from its start to its end */
	uint64_t jobs = args->job_nr != 0
				? args->job_nr
				: min_u64(JOBS_A_CPU * cpu_nr, BATCH_JOBS_MAX);
	uint64_t bytes = args->memory_bytes != 0 ? args->memory_bytes
			 : args->job_nr != 0     ? jobs * USUAL_MEMORY
						 : cpu_nr * USUAL_MEMORY;

	if (jobs > bytes / BATCH_LINE_MEMORY) {
		jobs = max_u64(1, bytes / BATCH_LINE_MEMORY);
		if (args->job_nr != 0)
			diag_log(DIAG_WARN,
				 "--jobs %ju: running %ju, because --memory is "
				 "too small for more",
				 args->job_nr, jobs);
	}
	batch.run_nr = (size_t)jobs;
	batch.memory_bytes = bytes;
	batch.scope.memory_bytes = bytes / jobs;
	batch.scope.run_nr = (size_t)jobs;
	batch.scope.worker_nr = (cpu_nr + jobs - 1) / jobs;
}

/* Whether no other batch writes to DIR: parts of a list on other machines do,
 * whose locks may not be seen here, and then each line looks for what was left
 * of its own output. */
static bool
owns_dir(void)
{
	return batch.shard.nr == 1;
}

/* For all lines at once what killed ones left. */
static void
sweep_again(void)
{
	if (owns_dir())
		new_file_sweep(batch.manifest.dir_fd, NULL);
}

/* ---- lines --------------------------------------------------------------- */

/* The directory of an output that has one of its own below DIR. */
static int
make_parents(const char *name)
{
	char path[NAME_MAX + 1];

	for (const char *slash = strchr(name, '/'); slash != NULL;
	     slash = strchr(slash + 1, '/')) {
		snprintf(path, sizeof(path), "%.*s", (int)(slash - name), name);
		if (mkdirat(batch.manifest.dir_fd, path, 0777) != 0 &&
		    errno != EEXIST)
			return -errno;
	}
	return 0;
}

static void
end_batch(int code)
{
	batch.is_ended = true;
	batch.code = code;
}

/* "list:7: ... (failed)" */
static void
warn(const struct batch_item *item, const struct batch_result *result)
{
	if (result->class != BATCH_DONE)
		diag_log(DIAG_WARN, "%s:%ju: %s (%s)",
			 QUOTED(batch.line->run.operands.items[0]),
			 item->number,
			 *result->said != '\0' ? result->said : "no message",
			 batch_class_name(result->class));
}

/* An error of writing to the manifest: an exit code. */
static int
cannot_write_manifest(int error)
{
	char path[PATH_MAX];

	snprintf(path, sizeof(path), "%s/%s", batch.scope.dir,
		 batch.manifest.name);
	return exit_cannot_write(path, error);
}

/* What became of a line, in the manifest. */
static void
record(struct batch_item *item, const struct batch_result *result)
{
	int error;

	warn(item, result);
	error = batch_manifest_add(&batch.manifest, item, result);
	if (error != 0) {
		end_batch(cannot_write_manifest(error));
		return;
	}
	if (result->class != BATCH_FAILED && result->class != BATCH_RETRY)
		return;
	batch.failure_nr++;
	if (batch.failure_nr == batch.line->batch.failure_nr) {
		diag_log(DIAG_ERROR,
			 "--max-failures %ju: the batch ends here; run again, "
			 "it goes on",
			 batch.failure_nr);
		end_batch(EXIT_DEGRADED);
	}
}

/* A line that never had a process. */
static void
record_refused(struct batch_item *item, enum batch_class class, int exit_code,
	       const char *why)
{
	struct batch_result result = { .class = class, .exit_code = exit_code };

	snprintf(result.said, sizeof(result.said), "%s", why);
	batch_code_of(result.said, result.code);
	record(item, &result);
}

static void
begin_line(struct batch_run *run, struct batch_item *item)
{
	int error = 0;

	if (item->error != NULL) {
		record_refused(item, BATCH_FAILED, EXIT_USAGE, item->error);
		return;
	}
	if (strchr(item->name, '/') != NULL)
		error = make_parents(item->name);
	if (error == 0)
		error = batch_run_begin(run, item, &batch.scope);
	if (error != 0)
		record_refused(item, BATCH_RETRY, EXIT_RESOURCES,
			       diag_errno(error));
	else
		batch.busy_nr++;
}

/* Whether it may go otherwise when nothing else runs. */
static bool
is_worth_another(const struct batch_result *result)
{
	return result->class == BATCH_RETRY || result->outcome.was_short;
}

/* What may go otherwise when nothing else runs is tried once more. */
static void
end_line(struct batch_run *run)
{
	struct batch_item *item = run->item;
	struct batch_result result;

	batch_run_end(run, &result);
	batch.busy_nr--;
	if (result.exit_code > 128)
		sweep_again();
	FAULT("line_ended");
	if (is_worth_another(&result) && !batch.is_again) {
		item->class = BATCH_RETRY;
		batch.again_nr++;
		return;
	}
	record(item, &result);
}

static struct batch_run *
free_run(void)
{
	for (size_t i = 0; i < batch.run_nr; i++)
		if (batch.runs[i].item == NULL)
			return &batch.runs[i];
	return NULL;
}

static void
wait_for_lines(void)
{
	struct pollfd polled[BATCH_JOBS_MAX];

	for (size_t i = 0; i < batch.run_nr; i++)
		polled[i] = (struct pollfd){
			.fd = batch.runs[i].item == NULL
				      ? -1
				      : batch.runs[i].helper.pidfd,
			.events = POLLIN,
		};
	if (poll(polled, batch.run_nr, -1) <= 0)
		return;
	for (size_t i = 0; i < batch.run_nr; i++)
		if (polled[i].revents != 0)
			end_line(&batch.runs[i]);
}

/* All lines of a class, so many at a time. */
static void pack_lines(enum batch_class class)
{
	for (size_t i = 0; i < batch.list.nr && !batch.is_ended; i++) {
		struct batch_item *item = &batch.list.items[i];

		if (!item->is_ours || item->class != class)
			continue;
		while (batch.busy_nr == batch.run_nr)
			wait_for_lines();
		if (!batch.is_ended)
			begin_line(free_run(), item);
	}
	while (batch.busy_nr > 0)
		wait_for_lines();
}

/* ---- start and end ------------------------------------------------------- */

static int
open_dir(const char *path)
{
	int fd;

	if (path == NULL)
		return exit_with(EXIT_USAGE,
				 "BALE-CLI-004 bale batch needs a directory "
				 "for its outputs: bale batch LIST -d DIR");
	if (mkdir(path, 0777) != 0 && errno != EEXIST)
		return exit_cannot_write(path, -errno);
	fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (fd < 0)
		return exit_cannot_write(path, -errno);
	batch.manifest.dir_fd = fd;
	batch.scope.dir = path;
	if (owns_dir())
		new_file_sweep_once(fd);
	return EXIT_COMPLETE;
}

static int
read_list(const char *path)
{
	char *text = NULL;
	size_t bytes = 0;
	int error = file_read_all(path, BATCH_LIST_MAX, &text, &bytes);

	if (error != 0)
		return exit_with(EXIT_USAGE, "%s: %s", QUOTED(path),
				 fd_open_error(error));
	error = batch_list_read(&batch.list, text, bytes,
				suffix_of(batch.line));
	free(text);
	if (error != 0)
		return exit_out_of_memory();
	if (batch.list.nr == 0)
		return exit_with(EXIT_NOTHING, "%s has no lines", QUOTED(path));
	return EXIT_COMPLETE;
}

static int
open_manifest(void)
{
	int error = batch_shard_open(&batch.shard, &batch.manifest);

	batch_shard_mark(&batch.shard, &batch.list);
	batch.manifest.options = hash_options(batch.line);
	if (error == 0)
		error = batch_manifest_open(&batch.manifest, &batch.list);
	if (error == -EBUSY)
		return exit_with(EXIT_RESOURCES,
				 "another bale batch is writing to %s",
				 QUOTED(batch.scope.dir));
	return error == 0 ? EXIT_COMPLETE : cannot_write_manifest(error);
}

/* What each process finds there: it is made once. */
static int
open_runs(void)
{
	for (size_t i = 0; i < batch.run_nr; i++) {
		int error = batch_run_open(&batch.runs[i]);

		if (error != 0)
			return exit_with(EXIT_RESOURCES,
					 "cannot pack %zu lines at a time: %s",
					 batch.run_nr, diag_errno(error));
	}
	encoding_use_large_pages(batch.line->run.encoding);
	if (batch.line->run.pack.secrets != SECRETS_OFF)
		secrets_rules();
	return EXIT_COMPLETE;
}

/* Lines that went wrong for want of something get all there is. */
static void
pack_again(void)
{
	if (batch.again_nr == 0 || batch.is_ended)
		return;
	batch.is_again = true;
	batch.scope.memory_bytes = batch.memory_bytes;
	batch.scope.worker_nr = 0;
	batch.run_nr = 1;
	pack_lines(BATCH_RETRY);
}

/* For people; `nr` is by class. */
static void
print_summary(const uint64_t nr[static BATCH_CLASS_NR], uint64_t lines)
{
	char part[64] = "";

	if (batch.line->run.quiet || batch.line->run.log_json)
		return;
	if (batch.shard.nr > 1)
		snprintf(part, sizeof(part), " of part %u of %u",
			 batch.shard.idx, batch.shard.nr);
	fprintf(stderr,
		"lines       %s%s: %s done, %s degraded, %s failed, %s to try "
		"again%s%s%s\n",
		COUNT_TEXT(lines), part, COUNT_TEXT(nr[BATCH_DONE]),
		COUNT_TEXT(nr[BATCH_DEGRADED]), COUNT_TEXT(nr[BATCH_FAILED]),
		COUNT_TEXT(nr[BATCH_RETRY]), nr[BATCH_WAITING] > 0 ? ", " : "",
		nr[BATCH_WAITING] > 0 ? COUNT_TEXT(nr[BATCH_WAITING]) : "",
		nr[BATCH_WAITING] > 0 ? " not begun" : "");
}

static int
conclude(void)
{
	uint64_t nr[BATCH_CLASS_NR] = { 0 };
	uint64_t lines = 0;
	bool is_whole = false;
	int error = batch_manifest_sort(&batch.manifest, &batch.list);

	sweep_again(); /* those of a batch that was dying when this one began */
	for (size_t i = 0; i < batch.list.nr; i++) {
		nr[batch.list.items[i].class] += batch.list.items[i].is_ours;
		lines += batch.list.items[i].is_ours;
	}
	if (error == 0 && nr[BATCH_WAITING] + nr[BATCH_RETRY] == 0)
		error = batch_shard_end(&batch.shard, &batch.manifest,
					&batch.list, &is_whole);
	if (error != 0)
		return exit_cannot_write(batch.scope.dir, error);
	print_summary(nr, lines);
	if (is_whole && batch.shard.nr > 1 && !batch.line->run.quiet &&
	    !batch.line->run.log_json)
		fprintf(stderr, "all %u parts are complete\n", batch.shard.nr);
	if (batch.code != EXIT_COMPLETE)
		return batch.code;
	if (nr[BATCH_RETRY] > 0)
		return EXIT_RESOURCES;
	return nr[BATCH_FAILED] + nr[BATCH_DEGRADED] > 0 ? EXIT_DEGRADED
							 : EXIT_COMPLETE;
}

static bool
has_waiting(void)
{
	for (size_t i = 0; i < batch.list.nr; i++)
		if (batch.list.items[i].is_ours &&
		    batch.list.items[i].class == BATCH_WAITING)
			return true;
	return false;
}

/* What has failed stays so: whoever has mended it has to say so. */
static void
warn_of_failed(void)
{
	uint64_t nr = 0;

	for (size_t i = 0; i < batch.list.nr; i++)
		nr += batch.list.items[i].is_ours &&
		      batch.list.items[i].class == BATCH_FAILED;
	if (nr > 0)
		diag_log(DIAG_WARN, "%s %s/%s",
			 nr == 1 ? "a line that failed before is not tried "
				   "again: remove it from"
				 : "lines that failed before are not tried "
				   "again: remove them from",
			 QUOTED(batch.scope.dir), batch.manifest.name);
}

/* All lines that have none in the manifest: an exit code. */
static int
pack_all(void)
{
	int error = 0;

	warn_of_failed();
	if (has_waiting())
		error = batch_shard_begin(&batch.shard, &batch.manifest);
	if (error != 0)
		return exit_cannot_write(batch.scope.dir, error);
	pack_lines(BATCH_WAITING);
	pack_again();
	return conclude();
}

/* What cannot be given together. */
static int
check_options(const struct batch_args *args)
{
	if (!args->keeps_going || args->failure_nr == 0)
		return EXIT_COMPLETE;
	return exit_with(
		EXIT_USAGE,
		"BALE-CLI-005 --max-failures cannot be given with "
		"--keep-going: one ends the batch, the other does not");
}

int
cmd_batch(struct command_line *line)
{
	int code;

	batch.line = line;
	batch.scope.line = line;
	batch.scope.runs = batch.runs;
	batch.manifest = BATCH_MANIFEST_NONE;
	share_memory(line);
	code = check_options(&line->batch);
	if (code == EXIT_COMPLETE)
		code = shard_find(&batch.shard, &line->shard);
	/* of the list, not of its lines */
	line->shard = (struct shard_args){ .text = NULL };
	if (code == EXIT_COMPLETE)
		code = batch_check_options(&batch.scope);
	if (code == EXIT_COMPLETE)
		code = read_list(line->run.operands.items[0]);
	if (code == EXIT_COMPLETE)
		code = open_dir(line->batch.dir);
	if (code == EXIT_COMPLETE)
		code = open_manifest();
	if (code == EXIT_COMPLETE)
		code = open_runs();
	if (code == EXIT_COMPLETE)
		code = pack_all();
	batch_manifest_close(&batch.manifest);
	batch_list_fini(&batch.list);
	return code;
}
