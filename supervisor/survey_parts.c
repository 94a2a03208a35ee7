/* SPDX-License-Identifier: MIT */
/*
 * survey_parts.c - the surveys of shards, merged.
 */
#include "supervisor/survey_parts.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/array.h"
#include "base/exit_code.h"
#include "base/fd_io.h"
#include "base/new_file.h"
#include "base/number_format.h"
#include "catalogue/survey.h"
#include "supervisor/sandbox.h"
#include "supervisor/survey_move.h"
#include "supervisor/survey_place.h"
#include "supervisor/survey_write.h"

#define NAMED_MOST 8 /* parts that are missing */
#define CANNOT_MERGE "cannot merge the parts in $TMPDIR: %s"

/* What is merged. */
struct merging {
	struct run *run;
	const char *path; /* of their directory, or of one */
	int fd;           /* what they are merged into */
	bool needs_all;
	struct survey_writer writer;
	char *label;
	struct text_list paths;
	struct survey *surveys; /* of those that can be used */
	size_t nr;
	bool *is_there;   /* each of shard_nr parts */
	uint8_t *is_good; /* each entry of all surveys, one after another */
	uint64_t entry_nr;
	uint32_t shard_nr; /* 0: no part is known so far */
	uint64_t bad_nr;   /* parts that are damaged, or not there */
};

/* ---- which there are ------------------------------------------------------- */

static int
by_name(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* The files of a directory whose names are not hidden: 0 or -errno. */
static int
list_directory(struct text_list *paths, const char *path)
{
	const struct dirent *entry;
	char full[PATH_MAX];
	DIR *dir = opendir(path);
	int error = 0;

	if (dir == NULL)
		return -errno;
	while (error == 0 && (entry = readdir(dir)) != NULL)
		if (entry->d_name[0] != '.')
			error = (size_t)snprintf(full, sizeof(full), "%s/%s",
						 path,
						 entry->d_name) < sizeof(full)
					? text_list_add_copy(paths, full)
					: -ENAMETOOLONG;
	closedir(dir);
	if (error == 0 && paths->nr > 1)
		qsort(paths->items, paths->nr, sizeof(*paths->items), by_name);
	return error;
}

static int
list_parts(struct merging *merging)
{
	const char *path = merging->path;
	struct stat st;
	int error = stat(path, &st) != 0 ? -errno : 0;

	if (error == 0)
		error = S_ISDIR(st.st_mode)
				? list_directory(&merging->paths, path)
				: text_list_add_copy(&merging->paths, path);
	if (error == -ENOMEM)
		return exit_out_of_memory();
	return error == 0 ? 0
			  : exit_with(EXIT_USAGE, "cannot read %s: %s",
				      QUOTED(path), diag_errno(error));
}

/* ---- each of them ---------------------------------------------------------- */

/* A part that is left aside. */
static int
leave_aside(struct merging *merging, const char *path, const char *why)
{
	diag_log(DIAG_WARN, "%s: %s; it is not used", QUOTED(path), why);
	merging->bad_nr++;
	return 0;
}

/* All shards and the merge are one program: EXIT_USAGE, said. */
static int
refuse_build(const char *path)
{
	return exit_with(EXIT_USAGE,
			 "%s was written by another build of bale; use one "
			 "build for all shards and bale merge",
			 QUOTED(path));
}

/* Whether a part goes with the run, and with those before it: 0 or EXIT_USAGE. */
static int
check_part(const struct merging *merging, const char *path,
	   const struct survey_head *head, const char *label)
{
	const struct survey_head *own = &merging->writer.head;

	if (memcmp(head->build, own->build, sizeof(own->build)) != 0)
		return refuse_build(path);
	if (memcmp(head->key, own->key, SHA256_BYTES) != 0)
		return exit_with(EXIT_USAGE,
				 "%s was written with other options (%s) than "
				 "this run (%s); give bale merge the options "
				 "of the shards",
				 QUOTED(path), QUOTED(label),
				 QUOTED(merging->label));
	if (survey_count_roots(label, head->label_bytes) !=
	    merging->run->job.root_nr)
		return exit_with(EXIT_USAGE,
				 "%s covers another number of PATHs; name as "
				 "many, in the same order",
				 QUOTED(path));
	if (merging->shard_nr != 0 && merging->shard_nr != head->shard_nr)
		return exit_with(EXIT_USAGE,
				 "%s is one of %u parts, but others are of %u; "
				 "merge parts of one division only",
				 QUOTED(path), head->shard_nr,
				 merging->shard_nr);
	return 0;
}

/* Which entries of the survey that was added last can be used: 0 or -ENOMEM. */
static int
judge_entries(struct merging *merging, const char *path)
{
	const struct survey *survey = &merging->surveys[merging->nr - 1];
	uint64_t nr = survey->head.entry_nr;
	uint64_t damaged_nr = 0;
	uint8_t *is_good =
		realloc(merging->is_good, merging->entry_nr + nr + 1);

	if (is_good == NULL)
		return -ENOMEM;
	merging->is_good = is_good;
	is_good += merging->entry_nr;
	for (uint64_t i = 0; i < nr; i++) {
		is_good[i] = survey_entry_is_whole(survey, (uint32_t)i) &&
			     survey_entry_is_possible(survey, (uint32_t)i);
		damaged_nr += !is_good[i];
	}
	merging->entry_nr += nr;
	if (damaged_nr > 0) {
		diag_log(
			DIAG_WARN,
			"%s: its entries of %s file%s are damaged and not used",
			QUOTED(path), COUNT_TEXT(damaged_nr),
			damaged_nr == 1 ? "" : "s");
		merging->bad_nr++;
	}
	return 0;
}

/* Opens a part whose head is whole and goes with the others: 0 or -errno. */
static int
add_part(struct merging *merging, const char *path, int fd,
	 const struct survey_head *head)
{
	struct survey *surveys = reallocarray(merging->surveys, merging->nr + 1,
					      sizeof(*surveys));
	int error;

	if (surveys == NULL)
		return -ENOMEM;
	merging->surveys = surveys;
	if (merging->shard_nr == 0) {
		merging->shard_nr = head->shard_nr;
		merging->is_there =
			calloc(head->shard_nr, sizeof(*merging->is_there));
	}
	if (merging->is_there == NULL)
		return -ENOMEM;
	fd = fcntl(fd, F_DUPFD_CLOEXEC, 0);
	if (fd < 0)
		return -errno;
	error = survey_open(&surveys[merging->nr], fd, head->key);
	if (error != 0) {
		close(fd);
		return error;
	}
	merging->nr++;
	if (merging->is_there[head->shard_idx])
		diag_log(DIAG_WARN, "%s: part %u of %u is there twice",
			 QUOTED(path), head->shard_idx, head->shard_nr);
	merging->is_there[head->shard_idx] = true;
	return judge_entries(merging, path);
}

/* An open file that may be a part: 0 or an exit code. */
static int
take_part(struct merging *merging, const char *path, int fd)
{
	struct survey_head head;
	char *label = NULL;
	int error = survey_read_head(fd, &head);
	int code;

	if (error == -EPROTO)
		return refuse_build(path);
	if (error == 0)
		error = survey_read_label(fd, &head, &label);
	if (error == 0 &&
	    (head.shard_nr > SHARDS_MAX || head.shard_idx >= head.shard_nr))
		error = -EINVAL; /* a survey of all, at best */
	if (error != 0) {
		free(label);
		return leave_aside(merging, path,
				   error == -EINVAL ? "no part, or damaged"
						    : diag_errno(error));
	}
	code = check_part(merging, path, &head, label);
	free(label);
	if (code != 0)
		return code;
	error = add_part(merging, path, fd, &head);
	if (error == -ENOMEM)
		return exit_out_of_memory();
	return error == 0 ? 0 : leave_aside(merging, path, diag_errno(error));
}

static int
take_parts(struct merging *merging)
{
	int code = 0;

	for (size_t i = 0; i < merging->paths.nr && code == 0; i++) {
		const char *path = merging->paths.items[i];
		int fd = fd_open_input(path);

		if (fd == -EMFILE || fd == -ENFILE)
			return exit_with(EXIT_RESOURCES, "%s: %s", QUOTED(path),
					 diag_errno(fd));
		if (fd < 0) {
			leave_aside(merging, path, fd_open_error(fd));
			continue;
		}
		code = take_part(merging, path, fd);
		close(fd);
	}
	return code;
}

/* ---- all of them ------------------------------------------------------------ */

/* Names those that are missing: how many. */
static uint32_t
warn_of_missing(const struct merging *merging)
{
	char names[NAMED_MOST * 12 + 4] = "";
	size_t at = 0;
	uint32_t nr = 0;

	for (uint32_t i = 0; i < merging->shard_nr; i++) {
		if (merging->is_there[i])
			continue;
		if (nr < NAMED_MOST)
			at += (size_t)snprintf(names + at, sizeof(names) - at,
					       "%s%u", nr == 0 ? "" : ", ", i);
		else if (nr == NAMED_MOST)
			snprintf(names + at, sizeof(names) - at, "...");
		nr++;
	}
	if (nr > 0)
		diag_log(
			DIAG_WARN,
			"%u of %u parts %s missing (%s); %s files are read now",
			nr, merging->shard_nr, nr == 1 ? "is" : "are", names,
			nr == 1 ? "its" : "their");
	return nr;
}

/* Whether enough is there: 0 or an exit code. */
static int
check_all(const struct merging *merging)
{
	if (merging->nr == 0)
		return exit_with(EXIT_USAGE,
				 "%s has no part that can be used; bale pack "
				 "--shard writes them",
				 QUOTED(merging->path));
	if (warn_of_missing(merging) + merging->bad_nr == 0 ||
	    !merging->needs_all)
		return 0;
	return exit_with(EXIT_DEGRADED,
			 "--strict: parts are missing or damaged; nothing is "
			 "written");
}

/* A survey_next_fn: the entries that can be used. */
static bool
next_good(const void *context, uint64_t *at, struct survey_item *item)
{
	const struct merging *merging = context;
	const struct survey_list list = { merging->surveys, merging->nr };

	while (*at < merging->entry_nr && !merging->is_good[*at])
		(*at)++;
	return survey_next_of_list(&list, at, item);
}

/* Writes them: 0 or an exit code. */
static int
write_merged(struct merging *merging)
{
	struct survey_writer *writer = &merging->writer;
	int error;

	writer->next = next_good;
	writer->context = merging;
	error = survey_measure(writer);
	if (error == 0)
		error = survey_write_fd(writer, merging->fd);
	return error == 0 ? 0
			  : exit_with(EXIT_RESOURCES, CANNOT_MERGE,
				      diag_errno(error));
}

/* The work of a process that can open nothing but the parts: an exit code. */
static int
merge(void *context)
{
	struct merging *merging = context;
	int code = take_parts(merging);

	if (code == 0)
		code = check_all(merging);
	if (code == 0)
		code = write_merged(merging);
	for (size_t i = 0; i < merging->nr; i++)
		table_close(&merging->surveys[i].table);
	free(merging->surveys);
	free(merging->is_there);
	free(merging->is_good);
	return code;
}

/* The same, and the file that it has written, as the survey of the run. */
static int
merge_confined(struct merging *merging)
{
	const struct sandbox_place place = { .path = merging->path,
					     .access = SANDBOX_READS };
	const struct sandbox_child child = {
		.active = merging->run->sandbox_layers,
		.what = merging->path,
		.places = &place,
		.place_nr = 1,
		.work = merge,
		.context = merging,
	};
	int code;
	int error;

	merging->fd = temp_file_open();
	if (merging->fd < 0)
		return exit_with(EXIT_RESOURCES, CANNOT_MERGE,
				 diag_errno(merging->fd));
	code = sandbox_run_child(&child);
	if (code == 0) {
		error = survey_open(&merging->run->catalogue.survey,
				    merging->fd, merging->writer.head.key);
		if (error == 0)
			return 0;
		code = exit_with(EXIT_RESOURCES, CANNOT_MERGE,
				 diag_errno(error));
	}
	close(merging->fd);
	return code;
}

static int
begin(struct merging *merging)
{
	struct survey_writer *writer = &merging->writer;
	int error = survey_label(merging->run, &merging->label,
				 &writer->label_bytes);

	writer->label = merging->label;
	if (error != 0)
		return exit_out_of_memory();
	if (survey_key(merging->run, writer->head.key) &&
	    survey_build(writer->head.build))
		return 0;
	return exit_with(EXIT_INTERNAL, "the build of bale is not known");
}

int
survey_use_parts(struct run *run, const char *path,
		 const struct survey_parts_use *use)
{
	struct merging merging = {
		.run = run,
		.path = path,
		.needs_all = use->needs_all,
		.writer.head.flags =
			use->same_files ? SURVEY_SHARED : SURVEY_IMPORTED,
	};
	int code = begin(&merging);

	if (code == 0)
		code = list_parts(&merging);
	if (code == 0)
		code = merge_confined(&merging);
	free(merging.label);
	text_list_free(&merging.paths);
	return code;
}

uint64_t
survey_new_files(const struct run *run)
{
	const struct catalogue *catalogue = &run->catalogue;
	/* relaxed: all workers are gone */
	uint64_t file_nr = load_relaxed(&run->segment.control->files_seen);
	uint64_t nr = 0;

	for (uint32_t i = 0; i < file_nr; i++) {
		const struct file_facts *facts = catalogue_facts(catalogue, i);

		nr += facts->reason == REASON_NONE && facts->chunk_nr > 0 &&
		      !(facts->names_off & NAMES_SURVEYED) &&
		      !file_is_converted(catalogue_file(catalogue, i));
	}
	return nr;
}
