/* SPDX-License-Identifier: MIT */
/*
 * format.h - selected runs of content into one text, counted as it is written.
 *
 * Does: sections with their headers and gap marks (format_section.c), what
 *       stands behind them (format_extra.c); counts all of it as one text and
 *       has it written (format_out.c); remembers what looks like a special
 *       token (format_special.c), what lines come to (format_cost.c) and where
 *       the output may be cut (format_cut.c); cuts it (format_split.c).
 * Does not: know what sections look like (markup/), rings or processes.
 * Runs in: format.
 * Invariants:
 * 1. A step writes at offsets that its state names: done again, it writes
 *    the same bytes in the same place.
 */
#ifndef FORMAT_FORMAT_H
#define FORMAT_FORMAT_H

#include "catalogue/catalogue.h"
#include "catalogue/desc.h"
#include "markup/preamble.h"
#include "stages/format/format_io_output.h"
#include "stages/job.h"
#include "tokenizer/tokenizer.h"

#define FORMAT_ENTRIES_PER_STEP 32
#define FORMAT_PIECES_MAX (4 * FORMAT_ENTRIES_PER_STEP)
#define FORMAT_NAME_BYTES (256u << 10) /* a quoted path */
#define FORMAT_TEXT_BYTES (1u << 20)
#define FORMAT_SPECIAL_BYTES 72 /* the longest of them, and more */

struct worker;

/* The state of the stage. */
struct format_state {
	uint64_t offset;     /* of the next byte of the output */
	uint64_t line_next;  /* the next line without a gap */
	uint64_t section_nr; /* begun */
	uint32_t file_idx;
	uint32_t open;           /* 1: a section is open */
	uint32_t last_byte;      /* of the content */
	uint32_t begun;          /* 1: what stands before the first section */
	struct markup_flow flow; /* of the section's content */
	struct token_stream stream; /* of the whole output */
	uint64_t verdict_pass;      /* the last pass that is over; 0: none */
	struct verdict_shm verdict; /* what it came to */
	uint64_t cut_nr;            /* records of places to cut at */
	uint64_t file_cut;          /* of these, the one of the section */
	struct section_lines lines; /* of the section */
	uint64_t chunk_line;        /* these three: for a template */
	uint64_t gap_first;
	uint64_t gap_last;
	uint32_t special_nr; /* records of what looks like a special token */
	uint32_t special_left_out;
	uint32_t special_held; /* bytes of one that may go on in the next run */
	uint8_t special_bytes[FORMAT_SPECIAL_BYTES];
	uint32_t mid_chunk; /* 1: the chunk goes on in the next run */
	uint32_t
		mid_outline; /* 1: so do the signatures, behind chunks or not */
	uint32_t in_lines;   /* 1: the last run was none of signatures */
	uint32_t mutes;      /* 1: its content is not written */
	uint32_t measures;   /* 1: this pass has reported the cost of a line */
	uint32_t cost_line;  /* the one that is written */
};

/* The tools and inputs of an output; made anew in each process. */
struct format {
	struct markup_text text; /* first: spill() comes back from it */
	const struct job *job;
	const struct markup_format *markup;
	const struct catalogue *catalogue;
	const struct slabs *slabs;
	const struct tokenizer *tokenizer;
	struct tokenizer_cache *cache; /* what count has counted */
	struct format_state *state;
	uint64_t plan_nr; /* entries of the plan of this pass */
	uint64_t file_nr; /* in the catalogue */
	/* those of format_io_output.h; table_reserve() */
	int (*write)(int fd, struct iovec *pieces, size_t nr, uint64_t offset);
	int (*read)(int fd, void *to, size_t nr, uint64_t offset);
	int (*truncate)(int fd, uint64_t bytes);
	int (*reserve)(const struct table *table, uint64_t bytes);
	int fd;
	void (*beat)(struct worker *worker); /* a sign of life */
	struct worker *worker;
	int error;   /* of a step, for its end; -ENOBUFS: a table has no room */
	int no_room; /* and why */
	uint64_t written; /* bytes, in this step */
	struct markup_rules rules;
	struct markup_rules numbered_rules; /* of what has its numbers */
	struct markup_preamble preamble;    /* of text, if there is one */
	struct iovec pieces[FORMAT_PIECES_MAX];
	size_t piece_nr;
	uint64_t bytes;   /* of the pieces */
	char *text_start; /* what lies behind it is not counted yet */
	char path[FORMAT_NAME_BYTES];
	char other[FORMAT_NAME_BYTES];
	char preamble_text[PREAMBLE_TEXT_BYTES]; /* if everything is taken */
	char text_bytes[FORMAT_TEXT_BYTES];
};

/* ---- format_out.c ---- */

/* Derives settings from the job, once. */
void
format_out_init(struct format *format);

/* Begins a step: nothing is waiting. */
void
format_out_begin(struct format *format);

/* Where in the output the next text will stand. */
uint64_t
format_out_at(const struct format *format);

/* Counts the text made since the last call; it is written with the step. */
void
format_out_text(struct format *format);

/*
 * shape:  content of a run, escaped as the format wants it and counted
 * owner:  the bytes stay where they are until format_out_end()
 */
void
format_out_content(struct format *format, const struct desc *in,
		   uint8_t *content);

/* The end of a content: what was held of it. */
void
format_out_content_end(struct format *format);

/* Writes what waits: 0 or -errno, that of an earlier write too. */
int
format_out_end(struct format *format);

/* Room in a table of this stage's own: 0, or -ENOBUFS, and `no_room` says why. */
int
format_reserve(struct format *format, const struct table *table,
	       uint64_t bytes);

/* ---- format_describe.c ---- */

/*
 * shape:  makes what an output of everything says of itself when it begins
 * order:  behind the first that comes of collect, which knows the commit
 */
void
format_describe_all(struct format *format);

/*
 * shape:  describes a file; the caller sets whether it is the first, and what
 *         other parts have of it
 * owner:  its paths are the catalogue's and the format's, until the next call
 */
struct markup_section
format_describe(struct format *format, uint32_t file_idx,
		const struct section_lines *lines);

/* ---- format_section.c ---- */

/* A run of content, or what is known of a file, as it comes from select. */
void
format_take(struct format *format, const struct desc *in);

/*
 * shape:  writes what stands after the last section, and cuts it if it is to
 *         be cut; the verdict is put into the state, which is otherwise as at
 *         the start if there is another pass
 * errors: -errno
 */
int
format_finish(struct format *format, uint64_t pass);

/* ---- format_extra.c ---- */

/* The files of an output, by its places to cut at. */
struct format_files {
	uint64_t cut_first;
	uint64_t cut_end; /* behind the last one */
};

/*
 * shape:  the directory tree of what was packed, or of these files alone, what
 *         git says, and the user's instructions
 */
void
format_extras(struct format *format, struct markup_text *text,
	      const struct format_files *files);

/* The lines of a file in that tree, behind those of another; FILE_NONE: it is
 * the first. */
void
format_tree_lines(struct format *format, struct markup_text *text,
		  uint32_t file_before, uint32_t file_idx);

/* ---- format_special.c ---- */

/*
 * shape:  records text of a run that looks like a special token. It is counted
 *         as text; but a program that passes it unescaped to a tokenizer that
 *         knows such tokens should know where they are
 */
void
format_special_run(struct format *format, const struct desc *in,
		   const uint8_t *content);

/* The end of them, for who reads them: 0 or -errno. */
int
format_special_end(struct format *format);

/* ---- format_cost.c ---- */

/* The first run of a chunk that is measured is at hand. */
void
format_cost_begin(struct format *format, const struct desc *in);

/* As format_out_content(), and records the cost of each line. */
void
format_cost_lines(struct format *format, const struct desc *in, uint8_t *text);

/* ---- format_cut.c: nothing of these happens if all is in one part ---- */

/* Whether the output is in parts. */
static inline bool
format_splits(const struct format *format)
{
	return format->job->split_tokens > 0;
}

/* A section begins here. */
void
format_cut_file(struct format *format, uint32_t file_idx,
		const struct markup_section *section);

/* Another chunk of the section begins here, if a line does. */
void
format_cut_chunk(struct format *format, uint64_t line_first);

/* The text before the content, or after it, ends here. */
void
format_cut_content(struct format *format);

/* The content of the section ends here. */
void
format_cut_end(struct format *format, bool half_line);

/* ---- format_split.c ---- */

/*
 * shape:  cuts what is written into parts of at most so many tokens, each with
 *         what stands before and behind its files, written behind it; verdict
 *         and number of parts are put into the state; *end: where the last one
 *         ends
 * errors: -errno; that no part can hold a piece of a file is no error, but
 *         `no_part`
 * calls:  at the end of a pass; done again it does the same
 */
int
format_split(struct format *format, uint64_t *end);

#endif
