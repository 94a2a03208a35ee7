/* SPDX-License-Identifier: MIT */
/*
 * survey_keep.c - what of a survey is kept, and written.
 */
#include "supervisor/survey_keep.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/replace_file.h"
#include "base/stream.h"
#include "base/user_file.h"
#include "catalogue/findings.h"
#include "catalogue/survey.h"

#define NEW_SHARE \
	32 /* a survey of which less than one in so many bytes is \
		      * new is not written again */
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
	int64_t begun_ns;
	uint32_t estimated_from; /* file_is_estimated() */
	uint32_t file_nr;
	uint32_t *from; /* of each file */
	uint64_t paths_bytes;
	uint64_t chunk_nr;
	uint64_t names_bytes; /* each rounded up to eight */
	struct survey_head head;
};

/* A file that is kept. */
struct kept_file {
	struct survey_entry entry; /* as it will be written */
	struct surveyed surveyed;
	const void *chunks; /* a survey, or NULL: the catalogue */
	const struct catalogue *catalogue;
	uint64_t chunk_first; /* there */
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
	       is_old(file, keeping->begun_ns) &&
	       is_as_surveyed(keeping, file_idx);
}

static uint32_t
judge(const struct keeping *keeping, uint32_t file_idx)
{
	const struct file_facts *facts =
		catalogue_facts(keeping->catalogue, file_idx);

	if (!(facts->names_off & NAMES_SURVEYED))
		return is_worth_keeping(keeping, file_idx) ? FROM_RUN
							   : FROM_NONE;
	/* not what it was, after all: it is to be read by the next run */
	return facts->reason != REASON_NONE ? FROM_NONE : FROM_SURVEY;
}

/* Finds the entry of a file of the survey that was read. */
static uint32_t
find_entry(const struct catalogue *catalogue, uint32_t file_idx)
{
	const struct file_record *file = catalogue_file(catalogue, file_idx);
	uint32_t found =
		survey_find(&catalogue->survey, file->root_idx,
			    (const char *)catalogue_path(catalogue, file) +
				    file->root_bytes,
			    file->path_bytes - file->root_bytes);

	return found == 0 ? FROM_NONE : FROM_SURVEY + found - 1;
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

static const struct chunk_record *
kept_chunk(const void *context, uint64_t idx)
{
	const struct kept_file *kept = context;

	idx = idx - kept->entry.facts.chunk_first + kept->chunk_first;
	return kept->chunks != NULL ? survey_chunk(kept->chunks, idx)
				    : catalogue_chunk(kept->catalogue, idx);
}

/* A file as the survey has it, and as it is in the catalogue. */
static void
take_from_survey(const struct keeping *keeping, uint32_t file_idx,
		 struct kept_file *kept)
{
	const struct survey *survey = &keeping->catalogue->survey;

	kept->surveyed =
		survey_at(survey, keeping->from[file_idx] - FROM_SURVEY);
	kept->entry = *kept->surveyed.entry;
	kept->chunks = survey;
}

static void
take_from_run(const struct keeping *keeping, uint32_t file_idx,
	      struct kept_file *kept)
{
	const struct catalogue *catalogue = keeping->catalogue;
	const struct file_record *file = catalogue_file(catalogue, file_idx);
	const struct file_facts *facts = catalogue_facts(catalogue, file_idx);

	kept->entry = (struct survey_entry){
		.file = *file,
		.facts = *facts,
		.is_estimated =
			file_is_estimated(keeping->estimated_from, file_idx),
	};
	kept->entry.file.path_bytes -= file->root_bytes;
	kept->entry.file.root_bytes = 0;
	kept->entry.file.hint_bytes = 0;
	/* what it has in common with others is found again */
	kept->entry.facts.same_as = FILE_NONE;
	kept->entry.facts.duplicate_of = FILE_NONE;
	kept->entry.facts.next_copy = FILE_NONE;
	kept->entry.facts.has_duplicates = 0;
	kept->entry.facts.signature_line_first = 0;
	kept->surveyed.path =
		catalogue_path(catalogue, file) + file->root_bytes;
	kept->surveyed.names = catalogue_names(catalogue, facts);
	kept->entry.names_bytes = kept->surveyed.names == NULL
					  ? 0
					  : (uint32_t)sizeof(struct names) +
						    kept->surveyed.names->bytes;
}

/* The next file that is kept, and its place behind those before: false: there is
 * none. */
static bool
next_kept(struct keeping *keeping, uint32_t *file_idx, struct kept_file *kept)
{
	while (*file_idx < keeping->file_nr &&
	       keeping->from[*file_idx] == FROM_NONE)
		(*file_idx)++;
	if (*file_idx == keeping->file_nr)
		return false;
	*kept = (struct kept_file){ .catalogue = keeping->catalogue };
	if (keeping->from[*file_idx] == FROM_RUN)
		take_from_run(keeping, *file_idx, kept);
	else
		take_from_survey(keeping, *file_idx, kept);
	(*file_idx)++;
	kept->surveyed.entry = &kept->entry;
	kept->chunk_first = kept->entry.facts.chunk_first;
	kept->entry.file.path_off = keeping->paths_bytes;
	kept->entry.facts.chunk_first = keeping->chunk_nr;
	kept->entry.facts.names_off =
		kept->entry.names_bytes == 0 ? 0 : keeping->names_bytes + 1;
	keeping->paths_bytes += kept->entry.file.path_bytes;
	keeping->chunk_nr += kept->entry.facts.chunk_nr;
	keeping->names_bytes += round_up_u64(kept->entry.names_bytes, 8);
	return true;
}

static void
begin(struct keeping *keeping)
{
	keeping->paths_bytes = 0;
	keeping->chunk_nr = 0;
	keeping->names_bytes = 0;
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
		new_bytes += keeping->from[i] == FROM_RUN ? nr : 0;
	}
	return new_bytes > 0 && new_bytes >= bytes / NEW_SHARE;
}

/* Finds what stays of the survey that was read, and adds all up. */
static void
take_all(struct keeping *keeping)
{
	struct kept_file kept;
	uint32_t file_idx = 0;

	for (uint32_t i = 0; i < keeping->file_nr; i++)
		if (keeping->from[i] == FROM_SURVEY)
			keeping->from[i] = find_entry(keeping->catalogue, i);
	begin(keeping);
	while (next_kept(keeping, &file_idx, &kept))
		keeping->head.entry_nr++;
}

/* ---- writing -------------------------------------------------------------- */

static void
place_parts(struct keeping *keeping)
{
	struct survey_head *head = &keeping->head;

	head->slot_nr = 16;
	while (head->slot_nr < 2 * head->entry_nr)
		head->slot_nr *= 2;
	head->slots_off = TABLE_HEAD_BYTES;
	head->entries_off = head->slots_off + head->slot_nr * sizeof(uint32_t);
	head->paths_off = head->entries_off +
			  head->entry_nr * sizeof(struct survey_entry);
	head->chunks_off =
		round_up_u64(head->paths_off + keeping->paths_bytes, 8);
	head->names_off = head->chunks_off +
			  keeping->chunk_nr * sizeof(struct chunk_record);
	head->bytes = head->names_off + keeping->names_bytes +
		      sizeof(struct names) + NAMES_FILE_BYTES;
	head->sum = survey_head_sum(head);
}

static void
write_zeros(FILE *out, uint64_t nr)
{
	static const uint8_t zeros[8];

	fwrite(zeros, 1, nr, out);
}

static int
write_slots(struct keeping *keeping, FILE *out)
{
	const struct survey_head *head = &keeping->head;
	uint32_t *slots = calloc(head->slot_nr, sizeof(*slots));
	struct kept_file kept;
	uint32_t file_idx = 0;

	if (slots == NULL)
		return -ENOMEM;
	begin(keeping);
	for (uint32_t idx = 1; next_kept(keeping, &file_idx, &kept); idx++) {
		uint64_t at = survey_slot(head, kept.entry.file.root_idx,
					  kept.surveyed.path,
					  kept.entry.file.path_bytes);

		while (slots[at] != 0)
			at = (at + 1) & (head->slot_nr - 1);
		slots[at] = idx;
	}
	fwrite(slots, sizeof(*slots), head->slot_nr, out);
	free(slots);
	return 0;
}

static void
write_entries(struct keeping *keeping, FILE *out)
{
	struct kept_file kept;
	uint32_t file_idx = 0;

	begin(keeping);
	while (next_kept(keeping, &file_idx, &kept)) {
		kept.entry.sum = survey_sum(&kept.surveyed, kept_chunk, &kept);
		fwrite(&kept.entry, sizeof(kept.entry), 1, out);
	}
}

static void
write_paths(struct keeping *keeping, FILE *out)
{
	struct kept_file kept;
	uint32_t file_idx = 0;

	begin(keeping);
	while (next_kept(keeping, &file_idx, &kept))
		fwrite(kept.surveyed.path, 1, kept.entry.file.path_bytes, out);
	write_zeros(out, round_up_u64(keeping->paths_bytes, 8) -
				 keeping->paths_bytes);
}

static void
write_chunks(struct keeping *keeping, FILE *out)
{
	struct kept_file kept;
	uint32_t file_idx = 0;

	begin(keeping);
	while (next_kept(keeping, &file_idx, &kept))
		for (uint32_t i = 0; i < kept.entry.facts.chunk_nr; i++)
			fwrite(kept_chunk(&kept,
					  kept.entry.facts.chunk_first + i),
			       sizeof(struct chunk_record), 1, out);
}

static void
write_names(struct keeping *keeping, FILE *out)
{
	struct kept_file kept;
	uint32_t file_idx = 0;

	begin(keeping);
	while (next_kept(keeping, &file_idx, &kept)) {
		uint64_t nr = kept.entry.names_bytes;

		if (nr > 0)
			fwrite(kept.surveyed.names, 1, nr, out);
		write_zeros(out, round_up_u64(nr, 8) - nr);
	}
}

/* All of it: 0 or -errno. */
static int
write_all(void *context, int fd)
{
	struct keeping *keeping = context;
	struct stream stream;
	int error;

	place_parts(keeping);
	if (lseek(fd, TABLE_HEAD_BYTES, SEEK_SET) < 0)
		return -errno;
	error = stream_open(&stream, fd);
	if (error != 0)
		return error;
	error = write_slots(keeping, stream.file);
	if (error == 0) {
		write_entries(keeping, stream.file);
		write_paths(keeping, stream.file);
		write_chunks(keeping, stream.file);
		write_names(keeping, stream.file);
	}
	if (stream_close(&stream) != 0 || error != 0)
		return error != 0 ? error : stream.error;
	if (ftruncate(fd, (off_t)keeping->head.bytes) != 0 ||
	    pwrite(fd, &keeping->head, sizeof(keeping->head), 0) !=
		    (ssize_t)sizeof(keeping->head))
		return errno == 0 ? -EIO : -errno;
	return 0;
}

/* Replaces the survey of a key: 0 or -errno. */
static int
write_survey(struct keeping *keeping)
{
	char path[PATH_MAX];
	mode_t mask;
	int error = survey_path(path, sizeof(path), keeping->head.key);

	if (error == 0)
		error = user_file_make_parents(path);
	if (error != 0)
		return error;
	mask = umask(0077);
	error = replace_file(path, write_all, keeping);
	umask(mask);
	survey_make_room(path);
	return error;
}

int
survey_keep(const struct run *run, int64_t begun_ns)
{
	const struct control_shm *control = run->segment.control;
	/* relaxed, both: all workers are gone */
	struct keeping keeping = {
		.catalogue = &run->catalogue,
		.begun_ns = begun_ns,
		.estimated_from = load_relaxed(&control->estimated_from),
		.file_nr = (uint32_t)load_relaxed(&control->files_seen),
		.head.magic = SURVEY_MAGIC,
	};
	int error = 0;

	if (!survey_key(run, keeping.head.key) || keeping.file_nr == 0)
		return 0;
	keeping.from = calloc(keeping.file_nr, sizeof(*keeping.from));
	if (keeping.from == NULL)
		return -ENOMEM;
	if (judge_all(&keeping, control)) {
		take_all(&keeping);
		error = write_survey(&keeping);
	}
	free(keeping.from);
	return error;
}
