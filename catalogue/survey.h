/* SPDX-License-Identifier: MIT */
/*
 * survey.h - what a survey found out, kept in a file for the next run.
 *
 * Does: finds the entry of a file by its path, and what belongs to it: its
 *       record, facts, chunks, words and names, as the catalogue has
 *       them.
 * Does not: know whether a file has changed (collect does), or write
 *           (supervisor/survey_keep.h).
 * Runs in: collect, chunk and dedup, which read it; the supervisor.
 *
 *   head | label | a hole up to TABLE_HEAD_BYTES | slots by path | slots by
 *   content | entries | paths | chunks | words | past commits | names | a
 *   hole, as long as the names of a file can be
 *
 * Invariants:
 * 1. Of an entry nothing but its path, its times and its filters is used before its
 *    sum has been compared, and no signatures before catalogue_signatures() has
 *    compared theirs: damage means that files are read, and nothing else.
 * 2. It holds no content: paths, names of definitions and imports, numbers,
 *    fingerprints, bits of words, and where signatures stand in their file.
 * Limits: its layout is that of the program that wrote it, which is part of its
 *         key: no other program reads it.
 */
#ifndef CATALOGUE_SURVEY_H
#define CATALOGUE_SURVEY_H

#include "catalogue/chunks.h"
#include "catalogue/facts.h"
#include "catalogue/files.h"
#include "catalogue/names.h"

#define SURVEY_MAGIC "BALESVY8"
#define SURVEY_LABEL_BYTES (TABLE_HEAD_BYTES - sizeof(struct survey_head))

/* Of survey_head.flags. IMPORTED: of another machine or checkout, so what its files
 * are like says nothing about those here. SHARED: of these files, as other
 * machines see them: only the number of the device may be another. */
#define SURVEY_IMPORTED 1
#define SURVEY_SHARED 2

struct survey_entry {
	struct file_record file; /* path_off: in the paths of the survey */
	struct file_facts facts; /* chunk_first: in its chunks, word_first: in
				  * its words; names_off: 1 + in its names, 0:
				  * none */
	struct content_record content;
	uint32_t names_bytes;
	uint32_t signature_line_nr; /* they follow its chunks */
	uint32_t is_estimated; /* 1: the tokens of its chunks are estimates */
	uint32_t pad;
	uint64_t sum; /* survey_sum() */
};

static_assert(sizeof(struct survey_entry) == 264, "no holes");

/* A file with all that is known of it, wherever that lies. */
struct surveyed {
	const struct survey_entry *entry;
	const uint8_t *path;   /* file.path_bytes of it, without the hint */
	const uint64_t *words; /* facts.word_nr of them */
	const struct names *names;
};

/* Its chunks and signature lines, side by side. */
static inline uint64_t
survey_record_nr(const struct survey_entry *entry)
{
	return (uint64_t)entry->facts.chunk_nr + entry->signature_line_nr;
}

/* A chunk or a signature line of a file, by its number. */
typedef const struct chunk_record *
survey_chunk_fn(const void *context, uint64_t idx);

/* The checksum of an entry, without its sum, and of all that belongs to it; the
 * same file has another number in each run, so that of its chunks counts 0. */
uint64_t
survey_sum(const struct surveyed *surveyed, survey_chunk_fn *chunk,
	   const void *context);

/* The checksum of a head, without its sum. */
uint64_t
survey_head_sum(const struct survey_head *head);

/*
 * shape:  the head of a file: whether it is one, and whole
 * errors: -EINVAL: it is not; -EPROTO: it is of a build whose files have another
 *         layout; -errno
 */
int
survey_read_head(int fd, struct survey_head *head);

/*
 * shape:  what a survey is of, for people: texts that each end with a NUL, first
 *         the settings, then the roots
 * owner:  *out: free(); NULL after an error
 * errors: -EINVAL: it is damaged; -ENOMEM
 */
int
survey_read_label(int fd, const struct survey_head *head, char **out);

/*
 * shape:  what a file has of past commits, whole, into `out`, which has room for
 *         survey_past_bytes()
 * errors: -EINVAL: it is damaged
 */
int
survey_read_past(int fd, const struct survey_head *head, void *out);

/* Whether that of an open survey is. */
bool
survey_past_is_whole(const struct survey *survey);

/* Bytes of that. */
static inline uint64_t
survey_past_bytes(const struct survey_head *head)
{
	return head->names_off - head->past_off;
}

/* Where the entry of a path is looked for first. */
uint64_t
survey_slot(const struct survey_head *head, uint32_t root_idx,
	    const uint8_t *path, size_t bytes);

/* The same of a content. */
uint64_t
survey_content_slot(const struct survey_head *head,
		    const struct content_record *content);

/*
 * shape:  opens the file of a survey that was kept with this key
 * owner:  survey->table, which catalogue_close() closes; fd as well
 * errors: -EINVAL: it is none, or damaged, or of another key; -errno. Then
 *         there are no entries
 */
int
survey_open(struct survey *survey, int fd, const uint8_t key[SURVEY_KEY_BYTES]);

/*
 * shape:  has whoever cuts the file short wait until this process has closed it,
 *         where the file system can do that; whether it is whole still
 * calls:  with SIGIO ignored, which tells of who waits; survey may have no file
 * source: fcntl(2), leases
 */
bool
survey_hold(const struct survey *survey);

/*
 * shape:  1 + the index of the entry of a path; 0: there is none, or it is
 *         damaged
 */
uint32_t
survey_find(const struct survey *survey, uint32_t root_idx, const char *path,
	    size_t bytes);

/*
 * shape:  the same; where files come in the order in which they were kept, of
 *         the entry after that of the last one, nothing is looked up, and it may
 *         be damaged: whoever uses it asks survey_entry_is_whole()
 * units:  last: 1 + the index of an entry, or 0
 */
uint32_t
survey_find_next(const struct survey *survey, uint32_t last, uint32_t root_idx,
		 const char *path, size_t bytes);

/* The same of an entry of a content, whatever its path. */
uint32_t
survey_find_content(const struct survey *survey,
		    const struct content_record *content);

/* Whether an entry is of a content. */
bool
survey_content_is(const struct survey_entry *entry,
		  const struct content_record *content);

/* Whether all that an entry, by its index, names lies in the file. */
bool
survey_entry_fits(const struct survey *survey, uint32_t idx);

/* Whether it does, and is whole by its sum. */
bool
survey_entry_is_whole(const struct survey *survey, uint32_t idx);

/* Whether the signatures are, if there are any, of an entry that is whole. */
bool
survey_signatures_are_whole(const struct survey *survey, uint32_t idx);

/*
 * shape:  whether an entry that is whole says what a file can be: for one that
 *         somebody else has written, whose sums prove nothing
 * calls:  survey_import()
 */
bool
survey_entry_is_possible(const struct survey *survey, uint32_t idx);

/* An entry that survey_find() found. */
static inline const struct survey_entry *
survey_entry(const struct survey *survey, uint32_t idx)
{
	return table_at(&survey->table,
			survey->head.entries_off +
				idx * sizeof(struct survey_entry),
			sizeof(struct survey_entry));
}

/* Bytes of its names and of the signatures that are kept behind them. */
static inline uint32_t
survey_names_bytes(const struct survey_entry *entry)
{
	return entry->names_bytes + entry->facts.signatures_bytes;
}

/* It, with what belongs to it. */
static inline struct surveyed
survey_at(const struct survey *survey, uint32_t idx)
{
	const struct survey_head *head = &survey->head;
	const struct survey_entry *entry = survey_entry(survey, idx);
	struct surveyed found = {
		.entry = entry,
		.path = table_at(&survey->table,
				 head->paths_off + entry->file.path_off,
				 entry->file.path_bytes),
	};

	if (entry->facts.word_nr > 0)
		found.words =
			table_at(&survey->table,
				 head->words_off + entry->facts.word_first *
							   sizeof(uint64_t),
				 entry->facts.word_nr * sizeof(uint64_t));
	if (entry->names_bytes > 0)
		found.names =
			table_at(&survey->table,
				 head->names_off + entry->facts.names_off - 1,
				 survey_names_bytes(entry));
	return found;
}

/* Chunks or signature lines of an entry: facts.chunk_first of it and up, without
 * the number of the file. */
static inline const struct chunk_record *
survey_chunks(const struct survey *survey, uint64_t idx, uint64_t nr)
{
	return table_at(&survey->table,
			survey->head.chunks_off +
				idx * sizeof(struct chunk_record),
			nr * sizeof(struct chunk_record));
}

/* One of them. */
static inline const struct chunk_record *
survey_chunk(const struct survey *survey, uint64_t idx)
{
	return survey_chunks(survey, idx, 1);
}

/* The checksum of an entry that fits, as survey_sum(): survey_at() gave it. */
uint64_t
survey_entry_sum(const struct survey *survey, const struct surveyed *found);

#endif
