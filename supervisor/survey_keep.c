/* SPDX-License-Identifier: MIT */
/*
 * survey_keep.c - what of a survey is kept, and written.
 */
#include "supervisor/survey_keep.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/diag.h"
#include "catalogue/findings.h"
#include "catalogue/survey.h"
#include "catalogue/words.h"
#include "supervisor/survey_dir.h"
#include "supervisor/survey_place.h"
#include "supervisor/survey_write.h"

/* A survey of which less than one in so many bytes is new is not written again. */
#define NEW_SHARE 32
#define TICK_NS 50000000     /* times of files are no finer, */
#define COARSE_NS 2000000000 /* or much coarser, if they have no fraction */
#define SECOND_NS 1000000000

/* ---- what of it is kept --------------------------------------------------- */

/* Where the facts of a file come from. */
enum {
	FROM_NONE = 0, /* not kept */
	FROM_RUN,
	FROM_SURVEY /* and the index of its entry there */
};

struct keeping {
	const struct catalogue *catalogue;
	const struct survey_keeping *how;
	bool is_part; /* of a tree: all files of it are kept, since they are
		       * found by their content as well */
	uint32_t estimated_from; /* file_is_estimated() */
	uint32_t file_nr;
	uint32_t *from; /* of each file */
	struct survey_writer writer;
};

/* Whether a change to a file since `begun` would show in its times. */
static bool
is_old(const struct file_record *file, int64_t begun_ns)
{
	int64_t newest = file->ctime_ns > file->mtime_ns ? file->ctime_ns
							 : file->mtime_ns;
	int64_t tick = file->ctime_ns % SECOND_NS == 0 ? COARSE_NS : TICK_NS;

	return newest < begun_ns - tick;
}

/* Whether the chunks of a file are as the survey left them. */
static bool
is_as_surveyed(const struct keeping *keeping, uint32_t file_idx)
{
	const struct catalogue *catalogue = keeping->catalogue;
	const struct file_facts *facts = catalogue_facts(catalogue, file_idx);

	/* what was estimated may have been counted since */
	if (!file_is_estimated(keeping->estimated_from, file_idx))
		return true;
	for (uint32_t i = 0; i < facts->chunk_nr; i++)
		if (!catalogue_chunk(catalogue, facts->chunk_first + i)
			     ->is_estimated)
			return false;
	return true;
}

/* Whether a file that was read is kept: one that all is known of. */
static bool
is_worth_keeping(const struct keeping *keeping, uint32_t file_idx)
{
	const struct catalogue *catalogue = keeping->catalogue;
	const struct file_record *file = catalogue_file(catalogue, file_idx);
	const struct file_facts *facts = catalogue_facts(catalogue, file_idx);

	return file->reason == REASON_NONE && facts->reason == REASON_NONE &&
	       !file_is_converted(file) && file->root_idx != SOURCE_ROOT_TEXT &&
	       file->path_bytes > file->root_bytes && facts->chunk_nr > 0 &&
	       (keeping->is_part || is_old(file, keeping->how->begun_ns)) &&
	       is_as_surveyed(keeping, file_idx);
}

static uint32_t
judge(const struct keeping *keeping, uint32_t file_idx)
{
	const struct catalogue *catalogue = keeping->catalogue;
	const struct file_facts *facts = catalogue_facts(catalogue, file_idx);
	uint32_t entry_idx = names_entry(facts->names_off);

	if (!(facts->names_off & NAMES_SURVEYED))
		return is_worth_keeping(keeping, file_idx) ? FROM_RUN
							   : FROM_NONE;
	/* not what it was, after all: it is to be read by the next run */
	if (facts->reason != REASON_NONE ||
	    entry_idx >= catalogue->survey.head.entry_nr ||
	    !is_old(catalogue_file(catalogue, file_idx),
		    keeping->how->begun_ns))
		return FROM_NONE;
	return FROM_SURVEY + entry_idx;
}

static bool
is_same_state(const struct file_record *a, const struct file_record *b)
{
	return a->size_bytes == b->size_bytes && a->mtime_ns == b->mtime_ns &&
	       a->ctime_ns == b->ctime_ns && a->ino == b->ino &&
	       a->dev == b->dev;
}

/* Whether the survey that was read lacks what is known of a file now. */
static bool
is_new(const struct keeping *keeping, uint32_t file_idx)
{
	const struct survey *survey = &keeping->catalogue->survey;
	const struct file_record *file =
		catalogue_file(keeping->catalogue, file_idx);

	return keeping->from[file_idx] == FROM_RUN ||
	       (survey->head.flags & SURVEY_IMPORTED) ||
	       !is_same_state(&survey_entry(survey, keeping->from[file_idx] -
							    FROM_SURVEY)
				       ->file,
			      file);
}

/* Files with findings have to be looked at again: the report names them. */
static void
drop_findings(struct keeping *keeping, const struct control_shm *control)
{
	/* relaxed: all workers are gone */
	uint64_t nr = load_relaxed(&control->finding_nr);

	for (uint64_t i = 0; i < nr; i++) {
		uint32_t idx =
			catalogue_finding(keeping->catalogue, i)->file_idx;

		if (idx < keeping->file_nr)
			keeping->from[idx] = FROM_NONE;
	}
}

/* The signature lines of a file that any of its chunks has. */
static uint32_t
signature_line_nr(const struct catalogue *catalogue,
		  const struct file_facts *facts)
{
	uint32_t nr = 0;

	for (uint32_t i = 0; i < facts->chunk_nr; i++) {
		const struct chunk_record *chunk =
			catalogue_chunk(catalogue, facts->chunk_first + i);

		if (chunk->signature_line > nr)
			nr = chunk->signature_line;
	}
	return nr;
}

/* What the survey that was read has of a file. */
static void
take_from_survey(const struct keeping *keeping, uint32_t file_idx,
		 struct survey_item *kept)
{
	const struct survey *survey = &keeping->catalogue->survey;

	kept->surveyed =
		survey_at(survey, keeping->from[file_idx] - FROM_SURVEY);
	kept->entry = *kept->surveyed.entry;
	kept->survey = survey;
}

/* What the catalogue has of it. */
static void
take_from_run(const struct keeping *keeping, uint32_t file_idx,
	      struct survey_item *kept)
{
	const struct catalogue *catalogue = keeping->catalogue;
	const struct file_facts *facts = catalogue_facts(catalogue, file_idx);

	kept->entry = (struct survey_entry){
		.facts = *facts,
		.content = *catalogue_content(catalogue, file_idx),
		.is_estimated =
			file_is_estimated(keeping->estimated_from, file_idx),
	};
	/* what it has in common with others is found again */
	kept->entry.facts.same_as = FILE_NONE;
	kept->entry.facts.duplicate_of = FILE_NONE;
	kept->entry.facts.next_copy = FILE_NONE;
	kept->entry.facts.has_duplicates = 0;
	kept->entry.facts.signature_line_first = 0;
	kept->signature_line_first = facts->signature_line_first;
	kept->entry.signature_line_nr = signature_line_nr(catalogue, facts);
	if (facts->word_nr > 0)
		kept->surveyed.words = catalogue_words(
			catalogue, facts->word_first, facts->word_nr);
	kept->surveyed.names = catalogue_names(catalogue, facts);
	kept->entry.names_bytes = kept->surveyed.names == NULL
					  ? 0
					  : (uint32_t)sizeof(struct names) +
						    kept->surveyed.names->bytes;
}

/* A file as it will be written, but for the places of what belongs to it. */
static void
take_file(const struct keeping *keeping, uint32_t file_idx,
	  struct survey_item *kept)
{
	const struct catalogue *catalogue = keeping->catalogue;
	const struct file_record *file = catalogue_file(catalogue, file_idx);

	*kept = (struct survey_item){ .catalogue = catalogue };
	if (keeping->from[file_idx] < FROM_SURVEY)
		take_from_run(keeping, file_idx, kept);
	else
		take_from_survey(keeping, file_idx, kept);
	kept->entry.file = *file;
	if (!is_old(file, keeping->how->begun_ns))
		kept->entry.file.ctime_ns = INT64_MIN; /* of no file */
	kept->entry.file.path_bytes -= file->root_bytes;
	kept->entry.file.root_bytes = 0;
	kept->entry.file.hint_bytes = 0;
	kept->surveyed.path =
		catalogue_path(catalogue, file) + file->root_bytes;
	kept->chunk_first = kept->entry.facts.chunk_first;
}

/* The next file that is kept: a survey_next_fn. */
static bool
next_kept(const void *context, uint64_t *at, struct survey_item *item)
{
	const struct keeping *keeping = context;

	while (*at < keeping->file_nr && keeping->from[*at] == FROM_NONE)
		(*at)++;
	if (*at == keeping->file_nr)
		return false;
	take_file(keeping, (uint32_t)*at, item);
	/* nor does another machine take signatures: survey_move.c */
	if (keeping->is_part)
		item->entry.facts.signatures_bytes = 0;
	(*at)++;
	return true;
}

/* ---- what was kept before, beside what was found out --------------------- */

/* The entry of a file in a survey that would have been used for it; NULL. */
static const struct survey_entry *
entry_for(const struct survey *survey, const struct survey_entry *entry,
	  const uint8_t *path)
{
	uint32_t found =
		survey_find(survey, entry->file.root_idx, (const char *)path,
			    entry->file.path_bytes);
	const struct survey_entry *before;

	if (found == 0)
		return NULL;
	before = survey_entry(survey, found - 1);
	return is_same_state(&before->file, &entry->file) &&
			       before->is_estimated == entry->is_estimated
		       ? before
		       : NULL;
}

/* Whether a survey says of a file what this run has found out. */
static bool
is_as_kept(const struct keeping *keeping, const struct survey *survey,
	   uint32_t file_idx)
{
	const struct survey_entry *before;
	struct survey_item kept;

	take_file(keeping, file_idx, &kept);
	before = entry_for(survey, &kept.entry, kept.surveyed.path);
	if (before == NULL)
		return true;
	if (keeping->from[file_idx] == FROM_NONE)
		return false;
	/* where it lies is nothing that was found out */
	kept.entry.file.path_off = before->file.path_off;
	kept.entry.facts.chunk_first = before->facts.chunk_first;
	kept.entry.facts.word_first = before->facts.word_first;
	kept.entry.facts.names_off =
		kept.entry.names_bytes == 0 ? 0 : before->facts.names_off;
	/* nor are signatures, which an imported survey has none of */
	kept.entry.facts.signatures_bytes = before->facts.signatures_bytes;
	return survey_item_sum(&kept) == before->sum;
}

/* Names each file of which the survey says something else. */
static void
verify_all(const struct keeping *keeping, const struct survey *survey)
{
	for (uint32_t i = 0; i < keeping->file_nr; i++) {
		const struct file_record *file =
			catalogue_file(keeping->catalogue, i);
		char name[512];

		if ((keeping->from[i] == FROM_RUN || file_is_converted(file)) &&
		    file->path_bytes > file->root_bytes &&
		    !is_as_kept(keeping, survey, i))
			diag_log(DIAG_WARN,
				 "%s: the kept survey is of another content; "
				 "it is written anew",
				 diag_quote(name, sizeof(name),
					    catalogue_path(keeping->catalogue,
							   file),
					    file->path_bytes));
	}
}

static void
verify(const struct keeping *keeping)
{
	struct survey survey;
	char path[PATH_MAX];
	int fd;

	if (survey_path(path, sizeof(path), keeping->writer.head.key) != 0)
		return;
	fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
	if (fd < 0)
		return;
	if (survey_open(&survey, fd, keeping->writer.head.key) != 0) {
		close(fd);
		diag_log(DIAG_WARN,
			 "%s: the kept survey is damaged; it is "
			 "written anew",
			 QUOTED(path));
		return;
	}
	verify_all(keeping, &survey);
	table_close(&survey.table);
}

/* Decides on each file: whether enough is new to be worth the writing. */
static bool
judge_all(struct keeping *keeping, const struct control_shm *control)
{
	uint64_t bytes = 0;
	uint64_t new_bytes = 0;

	for (uint32_t i = 0; i < keeping->file_nr; i++)
		keeping->from[i] = judge(keeping, i);
	drop_findings(keeping, control);
	for (uint32_t i = 0; i < keeping->file_nr; i++) {
		uint64_t nr = catalogue_facts(keeping->catalogue, i)->bytes;

		bytes += keeping->from[i] == FROM_NONE ? 0 : nr;
		if (keeping->from[i] != FROM_NONE && is_new(keeping, i))
			new_bytes += nr;
	}
	return new_bytes > 0 && new_bytes >= bytes / NEW_SHARE &&
	       bytes >= keeping->how->least_bytes;
}

/* ---- writing -------------------------------------------------------------- */

/* What the survey is of. owner: *label: free(), whatever is returned */
static int
describe(struct survey_writer *writer, const struct run *run, char **label)
{
	int error = survey_label(run, label, &writer->label_bytes);

	writer->label = *label;
	if (error == 0 && !survey_build(writer->head.build))
		error = -EINVAL;
	return error;
}

/*
 * owner:  keeping->from: free(), whatever is returned
 * errors: -ENOMEM; -ENOTSUP: of such a run nothing is kept
 */
static int
begin_keeping(struct keeping *keeping, const struct run *run,
	      const struct survey_keeping *how)
{
	const struct control_shm *control = run->segment.control;

	/* relaxed, both: all workers are gone */
	*keeping = (struct keeping){
		.catalogue = &run->catalogue,
		.how = how,
		.estimated_from = load_relaxed(&control->estimated_from),
		.file_nr = (uint32_t)load_relaxed(&control->files_seen),
		.writer.next = next_kept,
		.writer.context = keeping,
	};
	if (!survey_key(run, keeping->writer.head.key))
		return -ENOTSUP;
	keeping->from = calloc(keeping->file_nr + 1ull, sizeof(*keeping->from));
	return keeping->from == NULL ? -ENOMEM : 0;
}

int
survey_write_part(const struct run *run, struct survey_part *part)
{
	const struct survey_keeping how = { .begun_ns = part->begun_ns };
	struct keeping keeping;
	struct survey_writer *writer = &keeping.writer;
	char *label = NULL;
	int error = begin_keeping(&keeping, run, &how);

	keeping.is_part = true;
	if (error == 0) {
		judge_all(&keeping, run->segment.control);
		error = describe(writer, run, &label);
	}
	writer->head.shard_idx = run->job.shard.idx;
	writer->head.shard_nr = run->job.shard.nr;
	if (error == 0)
		error = survey_measure(writer);
	if (error == 0)
		error = survey_write(writer, part->path);
	part->files = writer->head.entry_nr;
	free(label);
	free(keeping.from);
	return error;
}

int
survey_keep(const struct run *run, const struct survey_keeping *how)
{
	struct keeping keeping;
	char *label = NULL;
	int error = begin_keeping(&keeping, run, how);
	bool is_worth_it =
		error == 0 && judge_all(&keeping, run->segment.control);

	if (error == 0 && how->verifies)
		verify(&keeping);
	if (is_worth_it)
		error = describe(&keeping.writer, run, &label);
	if (is_worth_it && error == 0)
		error = survey_place(&keeping.writer, how->limit_bytes);
	free(label);
	free(keeping.from);
	return error == -ENOTSUP ? 0 : error;
}
