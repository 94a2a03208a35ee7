/* SPDX-License-Identifier: MIT */
/*
 * survey_keep.c - what of a survey is kept, and written.
 */
#include "supervisor/survey_keep.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/diag.h"
#include "base/hash.h"
#include "base/replace_file.h"
#include "base/stream.h"
#include "base/user_file.h"
#include "catalogue/findings.h"
#include "catalogue/survey.h"
#include "supervisor/survey_dir.h"
#include "supervisor/survey_place.h"

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
	const struct survey_keeping *how;
	uint32_t estimated_from; /* file_is_estimated() */
	uint32_t file_nr;
	uint32_t *from; /* of each file */
	char *label;
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
	uint32_t signature_line_first;
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
	       is_old(file, keeping->how->begun_ns) &&
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

static const struct chunk_record *
kept_chunk(const void *context, uint64_t idx)
{
	const struct kept_file *kept = context;

	idx -= kept->entry.facts.chunk_first;
	if (kept->chunks != NULL)
		return survey_chunk(kept->chunks, kept->chunk_first + idx);
	if (idx < kept->entry.facts.chunk_nr)
		return catalogue_chunk(kept->catalogue,
				       kept->chunk_first + idx);
	return catalogue_signature_line(kept->catalogue,
					kept->signature_line_first + idx -
						kept->entry.facts.chunk_nr);
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
		 struct kept_file *kept)
{
	const struct survey *survey = &keeping->catalogue->survey;

	kept->surveyed =
		survey_at(survey, keeping->from[file_idx] - FROM_SURVEY);
	kept->entry = *kept->surveyed.entry;
	kept->chunks = survey;
}

/* What the catalogue has of it. */
static void
take_from_run(const struct keeping *keeping, uint32_t file_idx,
	      struct kept_file *kept)
{
	const struct catalogue *catalogue = keeping->catalogue;
	const struct file_facts *facts = catalogue_facts(catalogue, file_idx);

	kept->entry = (struct survey_entry){
		.facts = *facts,
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
	kept->surveyed.names = catalogue_names(catalogue, facts);
	kept->entry.names_bytes = kept->surveyed.names == NULL
					  ? 0
					  : (uint32_t)sizeof(struct names) +
						    kept->surveyed.names->bytes;
}

/* A file as it will be written, but for the places of what belongs to it. */
static void
take_file(const struct keeping *keeping, uint32_t file_idx,
	  struct kept_file *kept)
{
	const struct catalogue *catalogue = keeping->catalogue;
	const struct file_record *file = catalogue_file(catalogue, file_idx);

	*kept = (struct kept_file){ .catalogue = catalogue };
	if (keeping->from[file_idx] < FROM_SURVEY)
		take_from_run(keeping, file_idx, kept);
	else
		take_from_survey(keeping, file_idx, kept);
	kept->entry.file = *file;
	kept->entry.file.path_bytes -= file->root_bytes;
	kept->entry.file.root_bytes = 0;
	kept->entry.file.hint_bytes = 0;
	kept->surveyed.path =
		catalogue_path(catalogue, file) + file->root_bytes;
	kept->chunk_first = kept->entry.facts.chunk_first;
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
	take_file(keeping, *file_idx, kept);
	(*file_idx)++;
	kept->surveyed.entry = &kept->entry;
	kept->entry.file.path_off = keeping->paths_bytes;
	kept->entry.facts.chunk_first = keeping->chunk_nr;
	kept->entry.facts.names_off =
		kept->entry.names_bytes == 0 ? 0 : keeping->names_bytes + 1;
	keeping->paths_bytes += kept->entry.file.path_bytes;
	keeping->chunk_nr += survey_record_nr(&kept->entry);
	keeping->names_bytes += round_up_u64(kept->entry.names_bytes, 8);
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
	struct kept_file kept;

	take_file(keeping, file_idx, &kept);
	before = entry_for(survey, &kept.entry, kept.surveyed.path);
	if (before == NULL)
		return true;
	if (keeping->from[file_idx] == FROM_NONE)
		return false;
	/* where it lies is nothing that was found out */
	kept.surveyed.entry = &kept.entry;
	kept.entry.file.path_off = before->file.path_off;
	kept.entry.facts.chunk_first = before->facts.chunk_first;
	kept.entry.facts.names_off =
		kept.entry.names_bytes == 0 ? 0 : before->facts.names_off;
	return survey_sum(&kept.surveyed, kept_chunk, &kept) == before->sum;
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

	if (survey_path(path, sizeof(path), keeping->head.key) != 0)
		return;
	fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
	if (fd < 0)
		return;
	if (survey_open(&survey, fd, keeping->head.key) != 0) {
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

/* ---- all of it ------------------------------------------------------------ */

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
		if (keeping->from[i] != FROM_NONE && is_new(keeping, i))
			new_bytes += nr;
	}
	return new_bytes > 0 && new_bytes >= bytes / NEW_SHARE;
}

/* Adds up what is kept. */
static void
take_all(struct keeping *keeping)
{
	struct kept_file kept;
	uint32_t file_idx = 0;

	begin(keeping);
	while (next_kept(keeping, &file_idx, &kept)) {
		keeping->head.entry_nr++;
		keeping->head.content_bytes += kept.entry.file.size_bytes;
	}
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
	head->contents_off = head->slots_off + head->slot_nr * sizeof(uint32_t);
	head->entries_off =
		head->contents_off + head->slot_nr * sizeof(uint32_t);
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

/* The first empty slot for an entry, from that of its path on. */
static uint32_t *
path_slot(const struct survey_head *head, uint32_t *slots,
	  const struct kept_file *kept)
{
	uint64_t at =
		survey_slot(head, kept->entry.file.root_idx,
			    kept->surveyed.path, kept->entry.file.path_bytes);

	while (slots[at] != 0)
		at = (at + 1) & (head->slot_nr - 1);
	return &slots[at];
}

/* The same from that of its content on; NULL: one of the same content is there.
 * digests: the first bytes of each entry's */
static uint32_t *
content_slot(const struct survey_head *head, uint32_t *slots,
	     const uint64_t *digests, const uint8_t sha256[SHA256_BYTES])
{
	uint64_t at = survey_content_slot(head, sha256);
	uint64_t digest;

	memcpy(&digest, sha256, sizeof(digest));
	for (; slots[at] != 0; at = (at + 1) & (head->slot_nr - 1))
		if (digests[slots[at] - 1] == digest)
			return NULL;
	return &slots[at];
}

static int
write_slots(struct keeping *keeping, FILE *out)
{
	const struct survey_head *head = &keeping->head;
	uint32_t *slots = calloc(head->slot_nr, 2 * sizeof(*slots));
	uint64_t *digests = calloc(head->entry_nr + 1, sizeof(*digests));
	int error = slots == NULL || digests == NULL ? -ENOMEM : 0;
	struct kept_file kept;
	uint32_t file_idx = 0;

	begin(keeping);
	for (uint32_t idx = 1;
	     error == 0 && next_kept(keeping, &file_idx, &kept); idx++) {
		const uint8_t *sha256 = kept.entry.facts.sha256;
		uint32_t *slot;

		*path_slot(head, slots, &kept) = idx;
		slot = head->flags & SURVEY_BY_CONTENT
			       ? content_slot(head, slots + head->slot_nr,
					      digests, sha256)
			       : NULL;
		memcpy(&digests[idx - 1], sha256, sizeof(*digests));
		if (slot != NULL)
			*slot = idx;
	}
	if (error == 0)
		fwrite(slots, 2 * sizeof(*slots), head->slot_nr, out);
	free(slots);
	free(digests);
	return error;
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
		for (uint64_t i = 0; i < survey_record_nr(&kept.entry); i++)
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
	    pwrite(fd, keeping->label, keeping->head.label_bytes,
		   sizeof(keeping->head)) !=
		    (ssize_t)keeping->head.label_bytes ||
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

	place_parts(keeping);
	if (error == 0 && (keeping->head.bytes > keeping->how->limit_bytes ||
			   keeping->head.bytes > 1ull << NAMES_OFF_BITS ||
			   keeping->head.entry_nr > NAMES_ENTRIES_MAX))
		error = -EFBIG;
	if (error == 0)
		error = user_file_make_parents(path);
	if (error != 0)
		return error;
	mask = umask(0077);
	error = replace_file(path, write_all, keeping);
	umask(mask);
	*strrchr(path, '/') = '\0';
	survey_dir_make_room(path, keeping->how->limit_bytes);
	return error;
}

/* What the survey is of, into its head. */
static int
describe(struct keeping *keeping, const struct run *run)
{
	struct survey_head *head = &keeping->head;
	size_t bytes = 0;
	int error = survey_label(run, &keeping->label, &bytes);

	if (error != 0 || !survey_build(head->build))
		return error != 0 ? error : -EINVAL;
	head->label_bytes = bytes;
	head->label_sum = hash64(HASH64_BEGIN, keeping->label, bytes);
	return bytes <= SURVEY_LABEL_BYTES ? 0 : -ENAMETOOLONG;
}

int
survey_keep(const struct run *run, const struct survey_keeping *how)
{
	const struct control_shm *control = run->segment.control;
	/* relaxed, both: all workers are gone */
	struct keeping keeping = {
		.catalogue = &run->catalogue,
		.how = how,
		.estimated_from = load_relaxed(&control->estimated_from),
		.file_nr = (uint32_t)load_relaxed(&control->files_seen),
		.head.magic = SURVEY_MAGIC,
		/* white space may be another, and the digest the same */
		.head.flags = run->job.normalize == NORMALIZE_WHITESPACE ||
					      run->job.no_dedup
				      ? 0
				      : SURVEY_BY_CONTENT,
	};
	bool is_worth_it;
	int error = 0;

	if (!survey_key(run, keeping.head.key) || keeping.file_nr == 0)
		return 0;
	keeping.from = calloc(keeping.file_nr, sizeof(*keeping.from));
	if (keeping.from == NULL)
		return -ENOMEM;
	is_worth_it = judge_all(&keeping, control);
	if (how->verifies)
		verify(&keeping);
	if (is_worth_it) {
		take_all(&keeping);
		error = describe(&keeping, run);
		if (error == 0)
			error = write_survey(&keeping);
		free(keeping.label);
	}
	free(keeping.from);
	return error;
}
