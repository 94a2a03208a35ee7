/* SPDX-License-Identifier: MIT */
/*
 * format_out_worker.h - text on its way into the output: counted, then
 * written at the offset that the state names.
 */
#ifndef FORMAT_FORMAT_OUT_WORKER_H
#define FORMAT_FORMAT_OUT_WORKER_H

#include <sys/uio.h>

#include "markup/markup.h"
#include "stages/worker.h"
#include "tokenizer/tokenizer.h"

#define FORMAT_ENTRIES_PER_STEP 32
#define FORMAT_PIECES_MAX (8 * FORMAT_ENTRIES_PER_STEP)
#define FORMAT_NAME_BYTES (256u << 10) /* a quoted path */
#define FORMAT_TEXT_BYTES (4 * FORMAT_NAME_BYTES)
#define FORMAT_SPECIAL_BYTES 72 /* the longest of them, and more */
#define FORMAT_ESCAPED_BYTES (1u << 20)

/* The state of the stage. */
struct format_state {
	uint64_t offset;     /* of the next byte of the output */
	uint64_t line_next;  /* what would follow without a gap */
	uint64_t section_nr; /* begun */
	uint32_t file_idx;
	uint32_t open;           /* 1: a section is open */
	uint32_t mark_run;       /* of the section's content */
	uint32_t dot_run;        /* likewise */
	uint32_t last_byte;      /* of the content; 256: none yet */
	uint32_t begun;          /* 1: what stands before the first section */
	struct markup_flow flow; /* of the section's content */
	struct token_stream stream; /* of the whole output */
	uint64_t verdict_pass;      /* the last pass that is over; 0: none */
	uint64_t verdict_tokens;    /* what it came to */
	uint64_t verdict_bytes;     /* likewise */
	uint64_t part_nr;           /* it was cut into */
	uint32_t no_part;           /* as in control_shm */
	uint32_t mid_chunk;         /* 1: the chunk goes on in the next run */
	uint64_t cut_nr;            /* records of places to cut at */
	uint64_t file_cut;          /* of these, the one of the section */
	/* of the section, for a template */
	uint64_t line_first;
	uint64_t line_last;
	uint64_t chunk_line;
	uint64_t gap_first;
	uint64_t gap_last;
	uint32_t special_nr; /* records of what looks like a special token */
	uint32_t special_left_out;
	uint32_t special_held; /* bytes of one that may go on in the next run */
	uint8_t special_bytes[FORMAT_SPECIAL_BYTES];
	uint32_t signatures;
	uint32_t mutes;        /* 1: its content is not written */
	uint32_t measures;     /* 1: this pass has told what a line comes to */
	uint32_t cost_line;    /* the one that is written */
	uint64_t line_cost_nr; /* records of that; kept to the next such pass */
};

/* What is made anew in each process. */
struct format_scratch {
	struct markup_text text; /* first: spill() comes back from it */
	struct worker *worker;
	int error; /* of a spill, for the end of the step */
	struct markup_rules rules;
	struct iovec pieces[FORMAT_PIECES_MAX];
	size_t piece_nr;
	uint64_t bytes; /* of the pieces */
	char *text_start;
	size_t escaped_nr; /* of `escaped`, in pieces */
	char path[FORMAT_NAME_BYTES];
	char other[FORMAT_NAME_BYTES];
	char text_bytes[FORMAT_TEXT_BYTES];
	uint8_t escaped[FORMAT_ESCAPED_BYTES];
};

/* Makes the scratch: 0 or -ENOMEM. */
int
format_out_init(struct worker *worker);

/*
 * shape:  table_reserve(), for a table of this stage's own
 * errors: -ENOBUFS: there is no room, and that has been logged: the output is
 *         not what lacks it; once a step
 */
int
format_reserve(const struct worker *worker, const struct table *table,
	       uint64_t bytes);

/* Begins a step: nothing is waiting. */
void
format_out_begin(struct worker *worker);

/* Where in the output the next text will stand. */
uint64_t
format_out_at(const struct worker *worker);

/* Counts the text made since the last call; it is written with the step. */
void
format_out_text(struct worker *worker);

/*
 * shape:  content of a run, escaped as the format wants it and counted
 * owner:  the bytes stay where they are until format_out_end()
 */
void
format_out_content(struct worker *worker, const struct desc *in,
		   uint8_t *content);

/* The end of a content: what was held of it. */
void
format_out_content_end(struct worker *worker);

/* Writes what waits: 0 or -errno, that of an earlier spill too. */
int
format_out_end(struct worker *worker);

#endif
