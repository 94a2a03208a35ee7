/* SPDX-License-Identifier: MIT */
/*
 * desc.h - the 64-byte descriptor: all that ever travels through a ring.
 *
 * Does: names a file, its lines and the bytes of a slab, with the facts found
 *       so far.
 * Does not: carry content; that stays in the slab where it was read.
 *
 * The descriptors of a file come in one of two orders, and in gather of
 * everything, for a large file, in both, one after the other:
 *
 *   scan   run run run ... file      the facts come last; nothing is written
 *   emit   file run run run ...      the facts come first; runs are written
 *
 * A chunk that spans several slabs is a chain of runs, all but the last with
 * DESC_MORE. The signatures of a file are one such chain: beside its chunks in
 * a scan; when written, chunks may stand between its runs, each in its place.
 * A run without bytes may end a chain.
 * The last descriptor that points into a slab has DESC_RELEASE: whoever
 * finishes with it returns the slab to collect.
 */
#ifndef CATALOGUE_DESC_H
#define CATALOGUE_DESC_H

#include <assert.h>

#include "base/base.h"
#include "base/sha256.h"
#include "shm/slab.h"

/* The kinds of descriptors. Senders and receivers: stages/stage_table.c. */
enum desc_kind {
	DESC_NONE = 0,
	DESC_LANE,  /* collect to dedup: the next file comes from this lane */
	DESC_WHOLE, /* content: a whole file that fits a slab */
	DESC_PART,  /* content: a part of a file larger than a slab */
	DESC_RANGE, /* content: the bytes of one planned chunk, or a part */
	DESC_RUN,   /* a chunk, or a part of one */
	DESC_FILE,  /* facts on a whole file: struct desc_file */
	DESC_SLAB,  /* only a slab, to be returned */
	DESC_TERMS, /* words of the query in a chunk: struct desc_terms */
	DESC_NAMES, /* names of a scanned file: bytes, where they begin */
	DESC_WORDS, /* words that it may have: struct desc_words */
	DESC_SURVEYED, /* the file is as the kept survey has it: in the turns,
			* for it is not read, or behind its terms */
	DESC_KIND_NR
};

enum desc_flag {
	DESC_SCAN = 1 << 0,       /* to be scanned, not written */
	DESC_EMIT = 1 << 1,       /* to be written */
	DESC_MORE = 1 << 2,       /* the chunk continues in the next run */
	DESC_RELEASE = 1 << 3,    /* nothing after this points into the slab */
	DESC_LAST = 1 << 4,       /* the last descriptor of the file */
	DESC_NO_NEWLINE = 1 << 5, /* the file does not end with a newline */
	DESC_OUTLINE = 1 << 6,    /* its signatures; of content: derive them */
	/* no chunk: where a definition begins that goes on behind the chunk
	 * before */
	DESC_SIGNATURE_LINE = 1 << 7,
	/* with DESC_OUTLINE: its lines begin with their numbers */
	DESC_NUMBERED = 1 << 7
};

enum reason {
#define REASON(name, text, reported, degrades) REASON_##name,
#include "catalogue/reason.def"
#undef REASON
	REASON_NR
};

/* Where content comes from. */
enum category {
#define CATEGORY(id, name, type, percent, priority) CATEGORY_##id,
#include "catalogue/category.def"
#undef CATEGORY
	CATEGORY_NR
};

#define SHARE_ALL 10000u /* the whole budget, in hundredths of a per cent */

enum mark_idx {
#define MARK(name, text) MARK_IDX_##name,
#include "catalogue/label.def"
#undef MARK
	MARK_NR
};

/* Properties of a file: bits of file_record.flags. */
enum mark {
#define MARK(name, text) MARK_##name = 1 << MARK_IDX_##name,
#include "catalogue/label.def"
#undef MARK
};

#define FINGERPRINT_BYTES 16 /* the first half of a chunk's SHA-256 */

#define SLAB_NONE UINT32_MAX

/* The most bytes that one byte of content becomes: written unchanged, and
 * escaped by the format. */
#define DESC_GROWTH_NONE 1
#define DESC_GROWTH_MAX 64

struct desc {
	uint8_t kind;   /* enum desc_kind */
	uint8_t flags;  /* enum desc_flag */
	uint8_t reason; /* enum reason; not NONE: the file is left out */
	union {
		uint8_t lane; /* DESC_LANE: which lane the file goes through */
		uint8_t branches; /* scan: of the chunk, on its end; 255: more */
		uint8_t is_measured; /* emit, from dedup on: 1: what its lines
				      * come to is to be told */
	};
	uint32_t file_idx; /* record in the catalogue */
	uint32_t slab_idx; /* SLAB_NONE: points to no content */
	uint32_t slab_off; /* from the start of the slab, head room included */
	uint32_t bytes;    /* of content */
	union {
		uint32_t line_first; /* 1-based */
		uint32_t surveyed;   /* DESC_SURVEYED, DESC_WHOLE: 1 + its
				      * entry in the kept survey, for all but
				      * its terms; 0: it is to be looked at */
	};
	union {
		uint32_t line_nr; /* newlines begun in this run; of a range:
				   * lines of it that are to be written, 0:
				   * all */
		uint32_t signatures_bytes; /* DESC_NAMES: kept behind them */
	};
	union {
		uint32_t tokens;     /* scan: of the chunk so far; emit: of the
				  * middle */
		uint32_t skip_bytes; /* emit, until it is counted: before what
				      * is to be written, only compared */
	};
	union {
		uint64_t file_off;     /* of the first byte, in the file */
		uint64_t tokens_alone; /* emit, counted: of this run alone */
	};
	/* emit: of the escaped content in the format; none: unchanged */
	union {
		uint32_t span_head;  /* bytes before the middle */
		uint32_t left_bytes; /* scan: of the file, not in the run */
		uint32_t
			skip_lines; /* of a range: before those to be written */
	};
	union {
		uint32_t span_tail; /* offset of the bytes after the middle */
		uint32_t signature_line; /* scan: as of struct chunk_record */
		uint32_t rest_bytes; /* emit, until it is counted: at its end,
				      * to be compared and not written */
	};
	uint8_t fingerprint[FINGERPRINT_BYTES]; /* of the chunk, on its end */
};

/* Whether its content has the numbers of its lines in it. */
static inline bool
desc_is_numbered(const struct desc *desc)
{
	const uint8_t both = DESC_OUTLINE | DESC_NUMBERED;

	return (desc->flags & both) == both;
}

static_assert(sizeof(struct desc) == sizeof(struct ring_entry),
	      "a descriptor is what a ring carries");

/* The same 64 bytes when kind is DESC_FILE. */
struct desc_file {
	uint8_t kind;
	uint8_t flags;
	uint8_t reason;
	uint8_t traits; /* enum markup_trait */
	uint32_t file_idx;
	uint32_t slab_idx; /* the whole content, if it lies in one slab */
	union {
		uint32_t slab_off;
		uint32_t hash; /* counted, of the whole text; no slab */
	};
	uint32_t bytes;
	uint32_t line_nr;
	uint32_t mark_run; /* the longest run of the format's mark */
	uint32_t dot_run;  /* of dots where a gap mark has them */
	union {
		uint8_t sha256[SHA256_BYTES]; /* by count */
		struct {
			uint32_t is_made;  /* 1: derived text is written */
			uint32_t made_off; /* where it is in the slab */
			uint32_t made_bytes;
		};
	};
};

static_assert(sizeof(struct desc_file) == sizeof(struct desc), "one shape");
static_assert(offsetof(struct desc_file, bytes) == offsetof(struct desc, bytes),
	      "the common head of both");

#define TERMS_OF_RUN 24

/* The same 64 bytes when kind is DESC_TERMS. */
struct desc_terms {
	uint8_t kind;
	uint8_t flags;
	uint8_t reason;
	uint8_t nr; /* of those found, at most TERMS_OF_RUN */
	uint32_t file_idx;
	uint32_t slab_idx; /* SLAB_NONE */
	uint32_t chunk;    /* how many of the file come before its */
	struct {
		uint8_t term;  /* index in the query */
		uint8_t times; /* in the run; 255: or more */
	} found[TERMS_OF_RUN];
};

static_assert(sizeof(struct desc_terms) == sizeof(struct desc), "one shape");

#define WORDS_OF_DESC 6

/* The same 64 bytes when kind is DESC_WORDS. */
struct desc_words {
	uint8_t kind;
	uint8_t flags;
	uint8_t reason;
	uint8_t nr; /* of those that are there, at most WORDS_OF_DESC */
	uint32_t file_idx;
	uint32_t slab_idx; /* SLAB_NONE */
	uint32_t pad;
	uint64_t words[WORDS_OF_DESC]; /* the next of the file: words.h */
};

static_assert(sizeof(struct desc_words) == sizeof(struct desc), "one shape");

/*
 * shape:  reason -> its word in the reports ("too-large")
 * owner:  constant text
 * errors: a value out of range gives "unknown"
 */
const char *
reason_text(uint8_t reason);

/* Its sentence for users. */
const char *
reason_message(uint8_t reason);

/* Whether leaving a file out for this makes the run degraded (exit 3). */
bool
reason_degrades(uint8_t reason);

/* The word for a mark in the reports, by its index; owner: constant text */
const char *
mark_text(unsigned idx);

/*
 * shape:  the facts that end the turn of a file that is left out or skipped
 * units:  in: the current entry of the file; reason: enum reason
 * calls:  chunk, count
 */
struct desc_file
desc_end_of_lane(const struct desc *in, uint8_t reason);

/*
 * shape:  a descriptor that only returns a slab; flags: DESC_EMIT if format
 *         returns it, after the last content written from it
 * calls:  chunk, count
 */
struct desc
desc_slab_back(uint32_t file_idx, uint32_t slab_idx, uint8_t flags);

/*
 * shape:  whether every field of a descriptor is in range, for its kind
 * units:  slab_nr slabs of slab_bytes each, head room included; growth: what
 *         the run's format makes of a byte, DESC_GROWTH_NONE or _MAX
 * calls:  every consumer, on its own copy, before it uses one (R7)
 */
bool
desc_valid(const struct desc *desc, uint32_t slab_nr, uint32_t slab_bytes,
	   uint32_t growth);

/*
 * shape:  the content that a descriptor points at
 * owner:  the slab's, until DESC_RELEASE
 * errors: a descriptor without a slab has no bytes, at any address; out of
 *         range is our own bug
 */
static inline uint8_t *
desc_content(const struct slabs *slabs, const struct desc *desc)
{
	if (desc->slab_idx == SLAB_NONE) {
		ASSERT(desc->bytes == 0);
		return slabs->base;
	}
	ASSERT(desc->slab_off <= SLAB_BYTES &&
	       desc->bytes <= SLAB_BYTES - desc->slab_off);
	return slab_at(slabs, desc->slab_idx) + desc->slab_off;
}

#endif
