/* SPDX-License-Identifier: MIT */
/*
 * conclude.c - what a run came to: its exit code, its reports, its output.
 */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/diag.h"
#include "base/fault.h"
#include "base/fd_io.h"
#include "base/number_format.h"
#include "base/replace_file.h"
#include "base/signals.h"
#include "base/stream.h"
#include "base/new_file.h"
#include "catalogue/cuts.h"
#include "report/conclude.h"
#include "report/hits.h"
#include "report/outcome.h"
#include "report/render.h"
#include "report/report.h"
#include "report/unmatched.h"
#include "report/warnings.h"
#include "shm/table.h"
#include "supervisor/output_parts.h"
#include "supervisor/process.h"
#include "supervisor/supervisor.h"

#define MISSING_NAMED 5
/* The workers are gone, and what they had of the tables with them. */
#define RESIDENT_BYTES (24u << 20)

/* Whether the context is written; else the plan, of `bale preview`, `find`
 * or `tree`. */
static bool
writes_context(const struct supervisor *supervisor)
{
	return supervisor->options->kind == JOB_PACK;
}

static bool
has_parts(const struct supervisor *supervisor)
{
	return writes_context(supervisor) &&
	       supervisor->run.job.split_tokens > 0;
}

static int
prepare_parts(struct supervisor *supervisor, const struct report *report)
{
	char *failed;
	int error = output_parts_prepare(
		supervisor, report->has_sha256 ? report->part_sha256 : NULL,
		&failed);
	int code = exit_cannot_write(failed, error);

	free(failed);
	return code;
}

/* All that is left of a stream: 0 or -errno. */
static int
pump_rest(struct output *output, uint64_t bytes)
{
	int result;

	while ((result = output_pump(output, bytes)) == 0)
		usleep(1000); /* the reader is slow */
	return result < 0 ? result : 0;
}

/* The plan of a run, to be written. */
struct plan {
	const struct supervisor *supervisor;
	const struct report *report;
};

static int
write_plan(void *context, int fd)
{
	const struct plan *plan = context;
	const struct options *options = plan->supervisor->options;
	const struct tree_options tree = {
		.threshold_tokens = options->tree_threshold_tokens,
		.depth_max = options->tree_depth_max,
		.files = options->tree_files,
		.totals = options->totals_only,
	};
	bool is_tree = options->kind == JOB_TREE;
	bool is_find = options->kind == JOB_FIND;
	bool by_rank =
		options->order == ORDER_RANK ||
		plan->supervisor->run.job.by_rank ||
		(options->order == ORDER_AUTO && options->query_text != NULL);
	struct stream stream;
	int error;
	int closed;

	if (options->json)
		return is_tree   ? tree_print_json(plan->report, &tree, fd)
		       : is_find ? find_print_json(plan->report,
						   options->places_nr, fd)
				 : report_write_fd(plan->report, fd);
	error = stream_open(&stream, fd);
	if (error != 0)
		return error;
	error = is_tree   ? tree_print(plan->report, &tree, stream.file)
		: is_find ? find_print(plan->report, options->places_nr,
				       stream.file)
			  : preview_print(plan->report, by_rank, stream.file);
	closed = stream_close(&stream);
	return closed != 0 ? closed : error;
}

/* A stream or a file, but not yet in its place: 0 or -errno. */
static int
write_result(struct supervisor *supervisor, const struct report *report)
{
	const struct control_shm *control = supervisor->run.segment.control;
	struct output *output = &supervisor->output;
	uint64_t bytes = control->verdict.bytes;
	const char *path = supervisor->options->output_path;
	struct plan plan = { supervisor, report };

	if (!writes_context(supervisor))
		return path == NULL ? write_plan(&plan, STDOUT_FILENO)
				    : replace_prepare(&output->target, path,
						      write_plan, &plan);
	if (supervisor->options->spares_terminal)
		return 0;
	if (output->stream_fd >= 0)
		return pump_rest(output, bytes);
	return output_is_zstd(path) ? output_deflate(output, bytes) : 0;
}

/*
 * shape:  what the run made as it is to be: the output, its parts or, for
 *         `bale preview`, `find` and `tree`, the plan; a stream has it then: 0 or
 *         an exit code, said
 * calls:  supervisor_conclude(), when all workers are gone
 */
static int
deliver_prepare(struct supervisor *supervisor, const struct report *report)
{
	int error;

	if (has_parts(supervisor))
		return prepare_parts(supervisor, report);
	error = write_result(supervisor, report);
	if (error == -EPIPE) {
		supervisor->has_no_reader = true;
		return 128 + SIGPIPE;
	}
	return exit_cannot_write(supervisor->options->output_path, error);
}

/*
 * shape:  all but the last step, and then that, to its place: 0 or an exit
 *         code, said, and what was there before is there; nothing is said
 *         where a signal waits
 * calls:  with the signals blocked
 */
static int
deliver_ready(struct supervisor *supervisor)
{
	const char *path = supervisor->options->output_path;
	char *failed = NULL;
	int error = has_parts(supervisor)
			    ? part_set_place(&supervisor->parts, &failed)
			    : replace_ready(&supervisor->output.target);
	int code = exit_cannot_write(failed != NULL ? failed : path, error);

	free(failed);
	return code;
}

static int
deliver_commit(struct supervisor *supervisor)
{
	int error = has_parts(supervisor)
			    ? part_set_commit(&supervisor->parts)
			    : replace_commit(&supervisor->output.target);

	return exit_cannot_write(supervisor->options->output_path, error);
}

static bool
is_plan_empty(const struct supervisor *supervisor)
{
	/* relaxed: all workers are gone */
	return !supervisor->run.job.takes_all &&
	       load_relaxed(&supervisor->run.segment.control->plan_nr) == 0;
}

/* The first file that was left out, or else a directory; NULL: none was. */
static const struct report_item *
first_left_out(const struct report *report, bool *is_dir)
{
	for (uint64_t i = 0; i < report->item_nr; i++) {
		size_t bytes;
		uint32_t file_idx = report_item(report, i)->file_idx;
		const uint8_t *path = report_path(report, file_idx, &bytes);

		*is_dir = bytes > 0 && path[bytes - 1] == '/';
		if (!*is_dir)
			return report_item(report, i);
	}
	return report->item_nr > 0 ? report_item(report, 0) : NULL;
}

/* Names the first file that was left out, since all were. */
static void
log_nothing(const struct report *report, const struct options *options)
{
	bool is_dir;
	const struct report_item *first = first_left_out(report, &is_dir);
	char place[DIAG_QUOTED_BYTES];
	char more[64] = "";

	if (first == NULL) {
		diag_log(DIAG_ERROR,
			 "BALE-CTX-004: nothing to pack: no text files "
			 "found; see --no-ignore, --hidden, --include");
		return;
	}
	/* directories are not entered, whatever is included */
	if (is_dir && options->includes.nr > 0) {
		diag_log(DIAG_ERROR, "BALE-CTX-004: nothing to pack: --include "
				     "matches no file that can be packed");
		return;
	}
	if (report->files_seen > 1)
		snprintf(more, sizeof(more),
			 ", and %ju more; --report lists them",
			 report->files_seen - 1);
	diag_log(DIAG_ERROR, "BALE-CTX-004: nothing to pack: %s: %s%s",
		 report_quote_place(report, first->file_idx, place,
				    sizeof(place)),
		 first->reason < REASON_NR
			 ? reason_message((uint8_t)first->reason)
			 : "empty",
		 more);
}

/* Names the file of which no part can hold a piece. */
static int
log_no_part(const struct supervisor *supervisor, const struct report *report,
	    uint32_t file_idx)
{
	return exit_with(
		EXIT_FRAME,
		"BALE-BUD-006: --split %ju: a part cannot hold even one "
		"character of %s with what stands around it; give a larger N",
		supervisor->run.job.split_tokens,
		file_idx < report->files_seen ? QUOTED_PATH(report, file_idx)
					      : "a file");
}

/* More than --fail-over is nobody's: 0 or an exit code. */
static int
check_size(const struct supervisor *supervisor, const struct report *report)
{
	const struct options *options = supervisor->options;
	uint64_t most = options->fail_over_tokens;
	uint64_t tokens = options->kind == JOB_TREE ? tree_tokens(report)
						    : report->used_tokens;

	if (most == 0 || tokens <= most)
		return 0;
	return exit_with(EXIT_FRAME,
			 "BALE-BUD-008: there are %s tokens, %s more than "
			 "--fail-over %s; nothing is written",
			 COUNT_TEXT(tokens), COUNT_TEXT(tokens - most),
			 COUNT_TEXT(most));
}

/* Whether a query found nothing in what was ranked. */
static bool
has_no_match(const struct report *report)
{
	for (uint64_t i = 0; i < report->item_nr; i++) {
		const struct report_item *item = report_item(report, i);

		if (item->has_score && item->factors.relevance > 0)
			return false;
	}
	return report->run->job.query != NULL;
}

static int
log_no_match(const struct supervisor *supervisor)
{
	return exit_with(EXIT_NOTHING,
			 supervisor->options->kind == JOB_FIND
				 ? "nothing of the query is in the tree"
				 : "nothing of --query is in the tree, so "
				   "--enough packs nothing");
}

/* What the run came to, apart from how it ended: an exit code. */
static int
judge(struct supervisor *supervisor, const struct report *report)
{
	uint32_t no_part;
	int code;

	unmatched_warn(supervisor, report);
	if (report->chunks_seen == 0 && report->files_full == 0 &&
	    report->files_signatures == 0) {
		log_nothing(report, supervisor->options);
		return EXIT_NOTHING;
	}
	if (is_plan_empty(supervisor)) {
		if (report->all_beyond)
			return exit_with(EXIT_NOTHING,
					 "BALE-CTX-004: nothing to pack: no "
					 "file has the lines that were asked "
					 "for");
		if (report->run->job.enough && has_no_match(report))
			return log_no_match(supervisor);
		return exit_with(
			EXIT_FRAME,
			"BALE-BUD-001: not even the smallest chunk fits into "
			"%s%ju tokens; give a larger --budget or smaller "
			"reserves",
			report->larger_nr > 0 &&
					report->run->job.no_redistribute
				? "its share of the "
				: "",
			report->available_tokens);
	}
	no_part = supervisor->run.segment.control->verdict.no_part;
	if (no_part != 0)
		return log_no_part(supervisor, report, no_part - 1);
	code = check_size(supervisor, report);
	if (code != 0)
		return code;
	if (report->evidence.is_known && report->evidence.best == 0)
		diag_log(DIAG_WARN,
			 "nothing of --query is in the tree: what is packed "
			 "has nothing to do with it");
	return !pins_had_room(report) || report_is_degraded(report) ||
			       supervisor->sources.is_degraded
		       ? EXIT_DEGRADED
		       : EXIT_COMPLETE;
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

		if (output_sha256(supervisor->output.fd, part->off, part->bytes,
				  report->part_sha256 + i * SHA256_BYTES) < 0)
			return false;
	}
	return true;
}

static const char *
command_of(enum job_kind kind)
{
	switch (kind) {
	case JOB_PREVIEW:
		return "preview";
	case JOB_FIND:
		return "find";
	case JOB_TREE:
		return "tree";
	default:
		return "pack";
	}
}

static void
fill_report(struct supervisor *supervisor, struct report *report)
{
	const struct run *run = &supervisor->run;

	snprintf(report->correlation_id, sizeof(report->correlation_id), "%s",
		 diag_run_id());
	report->encoding = supervisor->options->encoding;
	report->output_path =
		supervisor->options->kind == JOB_PACK
			? supervisor->options->output_path
			: NULL; /* of a preview it is the plan's */
	report->warning_nr = warnings_kept(&report->warnings);
	report->peak_pss_bytes = supervisor->peak_pss_bytes;
	report->wall_ns = clock_now_ns() - supervisor->begun_ns;
	report->started_s = supervisor->started_ns / (int64_t)NS_PER_S;
	report->command = command_of(supervisor->options->kind);
	report->roots = &supervisor->options->operands;
	if (getcwd(report->directory, sizeof(report->directory)) == NULL)
		report->directory[0] = '\0';
	report->timeline = &supervisor->timeline;
	for (uint32_t i = 0; i < supervisor->worker_slot_nr; i++) {
		enum stage_id stage;
		uint32_t lane;

		stage_of_worker(i, run->lane_nr, &stage, &lane);
		report->stages[stage].death_nr +=
			(uint32_t)supervisor->worker_slots[i].deaths;
	}
}

static void
print_summary(const struct report *report)
{
	char *text = NULL;
	size_t bytes;
	FILE *out = open_memstream(&text, &bytes);

	if (out == NULL)
		return;
	summary_print(report, out);
	/* to a terminal or a log; there is nobody to tell if it fails */
	if (fclose(out) == 0)
		(void)!fd_write_all(STDERR_FILENO, text, bytes);
	free(text);
}

/* For bale report --last; that it cannot be kept ends no run. */
static void
keep_last(const struct options *options, const struct report *report)
{
	int error;

	if (!options->keeps_last || options->kind == JOB_TREE ||
	    options->kind == JOB_FIND)
		return;
	error = last_report_keep(report);
	if (error != 0)
		diag_log(DIAG_DEBUG, "the report is not kept: %s",
			 diag_errno(error));
}

/* The first files that are missing, a line each. */
static void
name_missing(const struct report *report)
{
	uint64_t nr = 0;

	for (uint64_t i = 0; i < report->item_nr;
	     i = report_file_end(report, i)) {
		const struct report_item *item = report_item(report, i);
		char place[DIAG_QUOTED_BYTES];

		if (item->is_packed || item->reason >= REASON_NR ||
		    !reason_degrades((uint8_t)item->reason) ||
		    nr++ >= MISSING_NAMED)
			continue;
		diag_log(DIAG_WARN, "%s is left out: %s",
			 report_quote_place(report, item->file_idx, place,
					    sizeof(place)),
			 reason_message((uint8_t)item->reason));
	}
	if (nr > MISSING_NAMED)
		diag_log(DIAG_WARN,
			 "%ju more are left out; --report FILE lists them",
			 nr - MISSING_NAMED);
}

/* What became of the files that are there. */
static const char *
rest_message(enum job_kind kind)
{
	switch (kind) {
	case JOB_TREE:
		return "the rest is counted";
	case JOB_FIND:
		return "the rest is searched";
	case JOB_PREVIEW:
		return "the rest is shown";
	default:
		return "the rest is packed";
	}
}

/* What is missing; with --strict nothing is written for it. */
static void
emit_missing(const struct report *report, const struct options *options)
{
	const char *path = options->output_path;
	char text[512] = "";
	size_t n = 0;

	for (unsigned i = 0; i < REASON_NR && n < sizeof(text) / 2; i++) {
		if (report->files_left_out[i] == 0 ||
		    !reason_degrades((uint8_t)i))
			continue;
		n += (size_t)snprintf(text + n, sizeof(text) - n, "%s%ju %s",
				      n > 0 ? ", " : ": files are missing: ",
				      report->files_left_out[i],
				      report_reason_text(i));
	}
	name_missing(report);
	if (options->strict)
		diag_log(DIAG_ERROR,
			 "--strict: nothing is written to %s%s; --report FILE "
			 "lists them, and without --strict the rest is packed",
			 path == NULL ? "stdout" : QUOTED(path),
			 n > 0 ? text
			       : ": some of what was requested is missing");
	else if (n > 0)
		diag_log(DIAG_WARN, "%s%s%s", rest_message(options->kind), text,
			 options->kind == JOB_TREE || options->kind == JOB_FIND
				 ? "; bale preview lists them"
				 : "; --report FILE lists them");
}

/* What follows from a secret, with --secrets=fail. */
static void
emit_secret(const struct options *options)
{
	const char *path = options->output_path;

	diag_log(DIAG_ERROR,
		 "--secrets=fail: nothing is written to %s; --report FILE "
		 "lists the secrets, and --secrets=redact replaces them",
		 path == NULL ? "stdout" : QUOTED(path));
}

/* Whether there is something to be put in place. */
static bool
delivers(const struct supervisor *supervisor, int code)
{
	return code == EXIT_COMPLETE ||
	       (code == EXIT_DEGRADED && !supervisor->options->strict);
}

/* The figures for whoever started the run: 0 or an exit code. */
static int
tell_outcome(const struct supervisor *supervisor, const struct report *report,
	     int code)
{
	const struct options *options = supervisor->options;
	int fd = delivers(supervisor, code) ? supervisor->output.fd : -1;
	int error = 0;

	if (options->hits != NULL && delivers(supervisor, code))
		error = hits_take(options->hits, report);
	if (error != 0)
		return exit_out_of_memory();
	if (options->outcome == NULL)
		return 0;
	return exit_cannot_write(options->output_path,
				 outcome_take(options->outcome, report, fd));
}

/* What the run made, and what is written of it, all but in place. */
static int
prepare(struct supervisor *supervisor, struct sidecars *sidecars,
	const struct report *report, int code)
{
	int failed =
		sidecars_write(sidecars, supervisor->options, report, code);

	if (failed == 0 && delivers(supervisor, code))
		failed = deliver_prepare(supervisor, report);
	if (failed == 0)
		failed = tell_outcome(supervisor, report, code);
	FAULT("output_prepared");
	return failed;
}

/* All up to the step from where on the result stands. */
static int
make_ready(struct supervisor *supervisor, struct sidecars *sidecars, int code)
{
	int failed = sidecars_ready(sidecars);

	if (failed == 0 && delivers(supervisor, code))
		failed = deliver_ready(supervisor);
	FAULT("ready");
	return failed == 0 && signals_is_pending() ? EXIT_OUTPUT : failed;
}

/*
 * All of it takes its place. A signal comes before, and nothing has changed,
 * or it comes after: then the result stands.
 */
static int
commit(struct supervisor *supervisor, struct sidecars *sidecars, int code)
{
	bool is_delivered = delivers(supervisor, code);
	sigset_t before;
	int failed;

	signals_block(&before);
	failed = make_ready(supervisor, sidecars, code);
	if (failed == 0) {
		signals_commit(code);
		failed = sidecars_commit(sidecars);
	}
	FAULT("sidecars_committed");
	if (failed == 0 && is_delivered)
		failed = deliver_commit(supervisor);
	FAULT("output_committed");
	part_set_withdraw(&supervisor->parts);
	sidecars_close(sidecars, failed);
	if (failed != 0 && signals_is_committed())
		signals_commit(failed);
	signals_restore(&before);
	FAULT("committed");
	return failed;
}

/* For people, when all is in its place. */
static void
tell(const struct supervisor *supervisor, const struct report *report,
     int failed)
{
	const struct options *options = supervisor->options;

	audit_log(report);
	keep_last(options, report);
	FAULT("last_kept");
	if (failed != 0)
		return;
	if (report->part_nr > 0 && options->kind == JOB_PACK)
		output_parts_warn(options->output_path, report->part_nr);
	/* words of a query are for who asked, and for no log */
	if (options->explain && report->run->job.query != NULL &&
	    !report->run->job.takes_all && !options->log_json)
		explain_query(report->run->job.query, stderr);
	if (options->explain)
		preview_explain(report, stderr);
	if (!options->quiet && !options->log_json)
		print_summary(report);
	if (options->spares_terminal && report->output_bytes > 0)
		diag_log(DIAG_WARN,
			 "the context is not written to a terminal; give -o "
			 "FILE or a pipe, or -o - to see it here");
	FAULT("told");
}

/*
 * What was decided cannot be collected: it does not hold together, or the
 * machine lacks something, such as room where tables lie.
 */
static int
fail_collect(int error)
{
	const char *dirs[TEMP_FILE_DIRS];
	size_t nr = temp_file_dirs(dirs);

	if (error == -ENOSPC || error == -EDQUOT)
		return exit_with(EXIT_RESOURCES,
				 "the report on the files cannot be made: %s: "
				 "it is kept in %s%s%s; set TMPDIR to where "
				 "there is room",
				 diag_errno(error), QUOTED(dirs[0]),
				 nr > 1 ? " or " : "", nr > 1 ? dirs[1] : "");
	return exit_with(error == -EPROTO ? EXIT_INTERNAL : EXIT_RESOURCES,
			 "the catalogue of the files cannot be read: %s%s",
			 diag_errno(error),
			 error == -EPROTO ? "; this is a bug, please report it"
					  : "");
}

int
supervisor_conclude(struct supervisor *supervisor)
{
	const struct options *options = supervisor->options;
	struct report report;
	struct sidecars sidecars;
	int failed;
	int error;
	int code;

	table_set_resident(RESIDENT_BYTES);
	error = report_collect(&supervisor->run, &report);
	if (error != 0) {
		report_fini(&report);
		return fail_collect(error);
	}
	report_take_sources(&report, &supervisor->sources);
	FAULT("collected");
	code = judge(supervisor, &report);
	report.known = &supervisor->known;
	if (report_secrets_fail(&report))
		code = EXIT_SECRET;
	report.is_refused = !delivers(supervisor, code);
	warnings_of_run(&report);
	if (options->report_path != NULL && !options->pack.plan_only)
		report.has_sha256 =
			output_sha256(supervisor->output.fd, report.output_off,
				      report.output_bytes,
				      report.output_sha256) >= 0 &&
			(report.part_nr == 0 ||
			 hash_parts(supervisor, &report));
	FAULT("hashed");
	/* the sources are read when nobody measures yet */
	supervisor->peak_pss_bytes =
		max_u64(supervisor->peak_pss_bytes, rss_peak());
	if (!warnings_of_memory(supervisor->peak_pss_bytes,
				supervisor->run.memory_bytes))
		code = EXIT_INTERNAL;
	warnings_of_tables(table_memory_bytes(), supervisor->peak_pss_bytes,
			   supervisor->run.memory_bytes);
	fill_report(supervisor, &report);
	if (code == EXIT_DEGRADED)
		emit_missing(&report, options);
	else if (code == EXIT_SECRET)
		emit_secret(options);
	failed = prepare(supervisor, &sidecars, &report, code);
	if (failed == 0)
		failed = commit(supervisor, &sidecars, code);
	else
		sidecars_close(&sidecars, failed);
	tell(supervisor, &report, failed);
	report_fini(&report);
	return failed != 0 ? failed : code;
}
