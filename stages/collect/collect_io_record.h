/* SPDX-License-Identifier: MIT */
/*
 * collect_io_record.h - files and their records in the catalogue.
 *
 * Does: finds the next file, writes its record, opens and reads it, tells what
 *       it is written in; opens it again by its record.
 * Does not: know slabs, lanes and descriptors (collect_*_worker.c).
 * Runs in: the collector.
 *
 *   collect_io_record.c   the record, and its file opened again
 *   collect_io_entry.c    the next file: of the walk, the sources, the queue
 *   collect_io_batch.c    as many as fit a slab, read at once
 *   collect_io_part.c     one that does not fit, or is not UTF-8
 *   collect_terms.c       what of a file of the kept survey is to be read
 */
#ifndef COLLECT_COLLECT_IO_RECORD_H
#define COLLECT_COLLECT_IO_RECORD_H

#include "catalogue/catalogue.h"
#include "catalogue/files.h"
#include "rank/query_filter.h"
#include "secrets/secrets.h"
#include "sources/source.h"
#include "stages/collect/collect_io_walk.h"

#define COLLECT_BATCH_MAX 96 /* files, or ranges, of one slab */

/* Bytes of a file. */
struct collect_span {
	uint64_t off;
	uint64_t bytes;
};

/* A file on its way into a slab. */
struct collect_item {
	uint32_t file_idx;
	uint32_t slab_off;
	int fd;            /* -1: not open */
	uint32_t surveyed; /* 1 + its entry in the kept survey: it need not be
			    * read but for its terms; 0: it is to be looked
			    * at */
	struct collect_span terms; /* of such a file, what may have any */
	bool is_whole;             /* all of it has been read, and looked at */
	bool is_again; /* what was read of it is of no use: it is taken again */
	uint8_t marks; /* of its entry, without those of the survey */
	uint8_t reason;
	uint8_t charset;
	bool has_mistakes; /* it is not all UTF-8, and to be repaired */
	bool has_secrets;  /* that are to be replaced */
	bool of_source;    /* the walk is over */
	bool is_text;      /* it came with a source: its file cannot change */
	uint8_t object[COLLECT_OBJECT_BYTES]; /* with --rev */
	struct file_state file;
	uint64_t finding_nr; /* before it, and those left out */
	uint64_t findings_left_out;
	struct collect_counts counts; /* of the walk, behind it */
	uint32_t entered_nr;          /* directories, the same */
};

/* Files that the walk has given and no batch has taken: they follow the last
 * dispatched one without a gap, and the walk is after them. */
struct collect_queue {
	uint32_t next; /* the first one */
	uint32_t nr;   /* behind the last one */
	struct collect_item items[COLLECT_BATCH_MAX + 1];
};

#define COLLECT_SOURCE_BYTES (64u << 10)
#define COLLECT_AHEAD_BYTES 3 /* a character has at most one more */
/* A block, converted, behind what is kept of the one before. */
#define COLLECT_TEXT_BYTES \
	(4 * COLLECT_SOURCE_BYTES + SECRETS_AHEAD + 2 * SECRETS_BEHIND)

/* The state of the conversion of a file. */
struct collect_converted {
	uint32_t file;       /* index + 1; 0: none */
	uint64_t source_off; /* of the next block of the file */
	uint64_t off;        /* of the next byte to give, converted */
	size_t held;         /* bytes of `text` */
	bool at_end;         /* there is nothing behind `text` */
	struct collect_convert convert;
	struct secrets_redactor redactor;
	uint64_t line_nr;           /* newlines before the next byte to give */
	struct secrets_piece piece; /* in work, */
	size_t piece_at;            /* of which so much is given */
	bool has_secrets;           /* that are to be replaced */
	uint8_t source[COLLECT_SOURCE_BYTES];
	uint8_t text[COLLECT_TEXT_BYTES];
};

/* A large file in work. */
struct collect_large {
	uint64_t off;  /* of the next part; of the text it is converted to */
	uint32_t file; /* index + 1; 0: none */
	uint32_t lane;
	uint32_t emits;     /* 1: to be written; 0: to be looked at */
	uint32_t signs;     /* 1: its signatures are wanted */
	uint32_t surveyed;  /* as of its item */
	uint32_t converts;  /* 1: it is read as what it becomes */
	uint32_t carried;   /* bytes of the next part that end a character */
	uint64_t line_nr;   /* newlines before the next part, as it is */
	uint32_t before_nr; /* bytes kept of what is before it */
	uint8_t before[SECRETS_BEHIND];
	struct sha256 content; /* of the parts before, if it is kept */
};

/* The progress of the survey: part of the committed state. */
struct collect_place {
	uint64_t file_nr;    /* records in the catalogue */
	uint64_t path_bytes; /* used in its paths */
	uint32_t walk_over;  /* 1: there are no more files */
	uint32_t rules_off;  /* 1: ignore rules left nothing, they are off */
	uint32_t tree_over;  /* 1: only requests of sources remain */
	uint32_t revs_known; /* 1: revs are found */
	struct collect_counts counts; /* of the walk, up to file_nr */
	uint64_t content_bytes; /* of the files that are looked at, so far */
	uint64_t finding_nr;    /* secrets in the catalogue, */
	uint64_t findings_left_out; /* and that had no room there */
	struct collect_rev revs[COLLECT_REVS_MAX];
};

/* What each process creates anew. */
struct collect_files {
	/* of the run */
	struct catalogue *catalogue;
	struct collect_place *place;
	const struct sources *sources;
	const char *const *roots;
	bool is_rev; /* files come from a commit */
	bool sources_only;
	bool keeps_mistakes; /* what is not UTF-8 is left as it is */
	bool may_ignore_all; /* see collect_ignores_all() */
	bool keeps_contents; /* their digests: see job.keeps_survey */
	uint64_t max_file_bytes;
	uint64_t counted_bytes;            /* see struct job */
	struct shard shard;                /* the same */
	const struct query_sought *sought; /* NULL: no terms are counted */
	uint32_t whole_bytes;              /* see struct job, both */
	uint32_t part_bytes;
	uint64_t object_bytes; /* of memory, for objects */
	uint32_t lost_nr;      /* objects that could not be had */
	/* told of the file in work */
	void (*at_file)(void *context, uint32_t file_idx);
	void *context;

	struct collect_walk *walk;
	struct collect_reader *reader;
	uint64_t next_path_off; /* behind the paths written so far */
	uint64_t bytes_before;  /* of the next file: place->content_bytes, and
				 * all of the batch */
	uint32_t surveyed_last; /* see survey_find_next() */
	struct collect_queue queue;
	bool reported_git;   /* lines have said what of git was not read */
	bool at_place;       /* the walk stands behind the last record */
	uint64_t skip_file;  /* index + 1 that is poison; 0: none */
	uint8_t skip_reason; /* of it: POISON or TIMEOUT */
	uint32_t next_file;  /* index that the walk is on its way to */
	uint32_t way_base;   /* directories entered at the last one committed */
	int open_fd;         /* of the large or planned file in work; -1 */
	uint32_t open_file;  /* index + 1 of it */
	struct git_odb_object *blob; /* with --rev in place of open_fd */
	bool revs_open;
	uint8_t *given; /* a byte a source: it has a record; NULL: ask */
	uint32_t source_next;
	char path[2 * PATH_MAX]; /* of the source in work */
	struct collect_converted converted;
	const struct secrets_rules *secrets; /* NULL: they are not looked for */
	enum secrets_mode secrets_mode;
	uint64_t finding_nr;   /* as of the place, and those since */
	uint64_t finding_most; /* for which there is room */
	bool notes_secrets;    /* the file in work is looked at */
	uint64_t findings_left_out;
	uint64_t read_bytes;  /* of files that were looked at, */
	uint64_t read_errors; /* and that could not be read, to be counted */
};

/* ---- collect_io_record.c ------------------------------------------------ */

/* Appends the record of an item. 0 or -errno */
int
collect_write_record(struct collect_files *files,
		     const struct collect_entry *entry,
		     const struct collect_item *item);

/* What a file was like when its record was written. */
struct file_state
collect_record_state(const struct file_record *record);

/* The path of a record. */
static inline const char *
collect_record_path(const struct collect_files *files,
		    const struct file_record *record)
{
	return (const char *)catalogue_path(files->catalogue, record);
}

/*
 * shape:  opens a file of the catalogue again, if it is the one of its record
 * owner:  the descriptor stays here, until collect_close()
 * errors: -errno; -ESTALE: it is not what it was
 */
int
collect_reopen(struct collect_files *files, uint32_t file_idx);

/* Closes the file that is open for its next part, if there is one. */
void
collect_close(struct collect_files *files);

/* Reads of the file that collect_reopen() opened: 0; -ESTALE: one is shorter
 * than it was; -errno. */
int
collect_run_reads(struct collect_files *files, struct collect_read *reads,
		  uint32_t nr);

/* 0: the open file is what its record says; -errno */
int
collect_still_same(const struct collect_files *files,
		   const struct file_record *record);

/*
 * shape:  adds the language, if the name does not tell it, and labels to a
 *         file's record by its first bytes; the reason, if it is left out
 * units:  charset: their encoding; only UTF-8 is examined
 */
uint8_t
collect_label(struct collect_files *files, uint32_t file_idx, uint8_t charset,
	      const uint8_t *text, size_t bytes);

/* ---- collect_io_entry.c -------------------------------------------------- */

/*
 * shape:  1: *item is the next file, recorded; 0: there are no more
 * errors: -EMFILE, -ENFILE: it is still there; -errno
 */
int
collect_next_item(struct collect_files *files, uint32_t file_idx,
		  struct collect_item *item);

/* A replacement goes on behind the last file that was dispatched. 0 or -errno
 * calls: before collect_next_item() */
int
collect_find_place(struct collect_files *files);

/* All up to this item is dispatched. */
void
collect_pass_item(struct collect_files *files, const struct collect_item *item,
		  uint32_t nr);

/* The first of the queue; NULL: it is empty. */
const struct collect_item *
collect_queue_first(const struct collect_queue *queue);

/* Puts some in front of all others. */
void
collect_queue_put_first(struct collect_queue *queue,
			const struct collect_item *items, uint32_t nr);

/*
 * Whether a walk that gave nothing is to be made again without ignore rules:
 * outside of git, a .gitignore that leaves out all of what the user named was
 * meant for another place: Debian's kernel sources have one. Inside, it is what
 * git would do as well.
 */
bool
collect_ignores_all(bool may_ignore_all, const struct collect_walk *walk,
		    const struct collect_counts *counts);

/* ---- collect_io_batch.c -------------------------------------------------- */

/* Files of one slab. */
struct collect_batch {
	struct collect_item items[COLLECT_BATCH_MAX];
	uint32_t item_nr;
	uint32_t limit; /* of items */
	uint8_t *slab;  /* its first byte */
	uint32_t room;  /* bytes of it for files */
	uint32_t used;
	uint32_t read_nr;
	struct collect_read reads[COLLECT_BATCH_MAX];
	uint32_t watched[COLLECT_BATCH_MAX]; /* files the reads are of */
	uint64_t alone_file; /* index + 1 that is read like a large one */
	uint32_t most;       /* files of a batch: few behind such a one */
};

/* Empties it. limit: of items */
void
collect_batch_begin(struct collect_batch *batch, uint32_t limit);

/*
 * Fills it with the files that come next, until the slab, the batch or the tree
 * ends; 0, or -errno.
 */
int
collect_batch_fill(struct collect_batch *batch, struct collect_files *files);

/* Whether a file is to be read at all. */
static inline bool
collect_is_read(const struct collect_item *item)
{
	return item->surveyed == 0 || item->terms.bytes > 0;
}

/*
 * shape:  whether the kept survey has estimates of the tokens of a file behind
 *         so much content, if they are to be, and counts otherwise: as
 *         collect_emit_content_turn() decides when it is sent
 */
bool
collect_is_estimated_alike(const struct collect_files *files, uint32_t surveyed,
			   uint64_t content_bytes);

/*
 * Reads all of it. A file that has to be converted grows, and cannot stay: the
 * batch ends before it, and the rest is queued. Where there is one there may be
 * more, and each would have a batch read again: the next ones are small. It ends
 * as well before a file that is not, after all, as the kept survey has it.
 */
void
collect_batch_read(struct collect_batch *batch, struct collect_files *files);

/* ---- collect_terms.c ----------------------------------------------------- */

/*
 * shape:  the next bytes of a file of the kept survey that may have words of
 *         the query: whole chunks; false: none do
 * units:  from: in the file; most: bytes, side by side
 */
bool
collect_terms_next(const struct collect_files *files, uint32_t entry_idx,
		   struct collect_span *span, uint64_t most);

/* ---- collect_io_part.c --------------------------------------------------- */

/* A part of a file, as it was read. */
struct collect_part {
	uint8_t *text;
	size_t bytes;
	uint8_t ahead[COLLECT_AHEAD_BYTES]; /* what follows */
	size_t ahead_bytes; /* of that; fewer at the end of the file */
	bool is_first;
	bool is_last;
	bool has_base64;  /* a blob of it begins and ends here, or goes on */
	bool has_secrets; /* to be replaced, or that exclude the file */
	size_t head_room; /* bytes before `text` that may be written */
};

/*
 * shape:  how a file is converted that is UTF-8 but holds more than is worth
 *         its tokens; CHARSET_UTF8: not at all
 * units:  part: the first of the file that has mistakes or base64, or the very
 *         first
 */
uint8_t
collect_elision(const struct collect_files *files, uint32_t file_idx,
		const struct collect_part *part);

/* Adds the language of a notebook's cells to its record: Python, unless the
 * part, its first one, or its end says another. */
void
collect_label_cells(struct collect_files *files, uint32_t file_idx,
		    const struct collect_part *part);

/*
 * shape:  the next part of a file, into part->text
 * units:  most: bytes of it. It ends before what may be base64 in the next one
 * errors: -errno; -ESTALE: it is shorter than it was
 * calls:  after collect_reopen()
 */
int
collect_part_read(struct collect_files *files, struct collect_large *large,
		  struct collect_part *part, uint32_t most);

/*
 * shape:  examines a part: a reason, if its file is left out; *is_again: read
 *         the file again, converted
 */
uint8_t
collect_part_look_at(struct collect_files *files, struct collect_large *large,
		     const struct collect_part *part, bool *is_again);

/* The next part of a large file that is looked at: its digest, when it is the
 * last, if such are kept. */
void
collect_note_content(const struct collect_files *files,
		     struct collect_large *large,
		     const struct collect_part *part);

/*
 * shape:  whether a part of a file is not UTF-8 and has to be, so that it is
 *         read as what it becomes
 * units:  *carried: 0 for the first part; see collect_text_goes_on()
 */
bool
collect_has_mistakes(const struct collect_files *files, uint8_t charset,
		     const struct collect_part *part, uint32_t *carried);

/* As collect_run_reads(), of whatever the file is read as. */
int
collect_read_ranges(struct collect_files *files, struct collect_read *reads,
		    uint32_t nr);

/* ---- collect_io_entry.c -------------------------------------------------- */

/* The offset of a file's bytes in its descriptor. */
uint64_t
collect_base_off(const struct collect_files *files,
		 const struct file_record *record);

/* Closes it, unless it is the file of all texts. */
void
collect_close_fd(const struct collect_files *files, int fd);

/* Leaves bytes at the end of a part to the next one, unless they are all. */
static inline void
collect_part_cut(struct collect_part *part, size_t bytes)
{
	size_t ahead_bytes = min_size(bytes, sizeof(part->ahead));

	if (bytes == 0 || bytes >= part->bytes)
		return;
	part->bytes -= bytes;
	memmove(part->ahead + ahead_bytes, part->ahead,
		sizeof(part->ahead) - ahead_bytes);
	memcpy(part->ahead, part->text + part->bytes, ahead_bytes);
	part->ahead_bytes =
		min_size(part->ahead_bytes + ahead_bytes, sizeof(part->ahead));
}

/* ---- collect_io_rev.c: with --rev ---------------------------------------- */

/*
 * shape:  finds the trees of the roots, once a run; opens them, once a process
 * errors: -EINVAL: said already
 * calls:  before the walk is moved
 */
int
collect_rev_begin(struct collect_files *files);

/* Like opening a file: fills item->file. A reason, if it cannot be read. */
uint8_t
collect_rev_look(struct collect_files *files, const struct collect_entry *entry,
		 struct collect_item *item);

/* As reading a file, into a place with room for item->file.bytes. */
uint8_t
collect_rev_read(struct collect_files *files, const struct collect_item *item,
		 uint8_t *to);

/* As collect_reader_run(), from memory; fds are not looked at. */
void
collect_object_run(struct git_odb_object *object, struct collect_read *reads,
		   uint32_t nr);

/* owner: NULL is accepted */
void
collect_object_close(struct git_odb_object *object);

/* As collect_reopen(). */
int
collect_rev_reopen(struct collect_files *files, uint32_t file_idx);

#endif
