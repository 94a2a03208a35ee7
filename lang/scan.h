/* SPDX-License-Identifier: MIT */
/*
 * scan.h - the structure of a text: its definitions, and where it can
 *                be cut.
 *
 * Does: goes once over a text that may come in parts; tells of definitions,
 *       imports, and keeps marks at lines where a cut would not hurt.
 * Does not: parse. Comments, strings, brackets, indentation and a few words
 *           are all it knows; docs/chunking.md says how far that gets.
 * Invariants:
 * 1. The state is plain data: no pointers, no allocation, the same for the
 *    same bytes however they were cut into parts.
 * 2. Time is linear in the text, whatever the text.
 * Limits: LANG_DEPTH nested brackets; what is deeper is counted, not named.
 */
#ifndef LANG_SCAN_H
#define LANG_SCAN_H

#include "lang/code.h"

#define LANG_DEPTH 64
#define LANG_CONDS 16  /* nested #if */
#define LANG_MARKS 480 /* kept at once */
#define LANG_TERM_BYTES 30
#define LANG_PENDING 3 /* here-documents that begin on one line */

enum lang_kind {
	LANG_KIND_NONE = 0,
#define KIND(id, letter, word) LANG_KIND_##id,
#include "catalogue/def_kind.def"
#undef KIND
	LANG_KIND_NR
};

/* Whether it is a function of any kind. */
static inline bool
lang_kind_is_function(uint8_t kind)
{
	return kind == LANG_KIND_FUNCTION || kind == LANG_KIND_METHOD ||
	       kind == LANG_KIND_MACRO || kind == LANG_KIND_TEST;
}

enum lang_def_flag {
	LANG_DEF_EXPORTED = 1 << 0, /* for others to use */
	LANG_DEF_DECLARED = 1 << 1, /* has no body */
	LANG_DEF_REACHED = 1 << 2,  /* what is around it is exported, too */
	LANG_DEF_OUTER = 1 << 3, /* only modules, or the file, are around it */
	LANG_DEF_CUT =
		1 << 4 /* of a member: its value goes on behind end_off */
};

/* The kind of names that an export declares besides definitions. */
enum lang_export {
	LANG_EXPORT_NAMES = 0, /* constants, variables, names of a list */
	LANG_EXPORT_DECLARED,  /* only in a header: extern, #define */
	LANG_EXPORT_ALL        /* Python's __all__: these and no others */
};

/* One definition. Offsets are of the file, lines 1-based. */
struct lang_def {
	uint64_t lead_off; /* its comments and attributes; begins a line */
	uint64_t decl_off; /* the same without the comments before them */
	uint64_t off;      /* the definition proper */
	uint64_t body_off; /* what opens the body; end_off if there is none */
	uint64_t end_off;  /* after its last byte */
	uint64_t name_off;
	uint32_t name_bytes;
	uint32_t line;  /* of `off` */
	uint32_t lang;  /* enum lang_id: of a script in markup its own */
	uint16_t depth; /* definitions around it */
	uint8_t kind;   /* enum lang_kind */
	uint8_t flags;  /* enum lang_def_flag */
};

/* Receives the reports. Any of the functions may be NULL. */
struct lang_sink {
	/* when its body begins: its end is not known yet */
	void (*open)(void *context, const struct lang_def *def);
	/* when it ends: inner ones before outer ones */
	void (*def)(void *context, const struct lang_def *def);
	/* the same for declarations of C and the like: prototypes, typedefs */
	void (*declare)(void *context, const struct lang_def *def);
	/* what others can use and is neither function nor class: a field, a
	 * constant; body_off: its value, or end_off. Without name and kind */
	void (*member)(void *context, const struct lang_def *def);
	/* the name in an import, as written; the place of a comment */
	void (*import)(void *context, uint64_t off, uint32_t bytes);
	/* exported names that are not definitions */
	void (*exports)(void *context, enum lang_export what, uint32_t nr);
	/* a list of exported names, as written */
	void (*listed)(void *context, uint64_t off, uint32_t bytes);
	void (*comment)(void *context, uint64_t off, uint64_t end_off);
	/* findings in 64 bytes of code, in order; `words` are searched for */
	void (*code)(void *context, uint64_t off,
		     const struct lang_code_block *block);
	const struct lang_code *words;
	void *context;
};

enum lang_mark_kind {
	LANG_MARK_DECLARATION = 0, /* between a definition and its comments */
	LANG_MARK_LINE,            /* between statements */
	LANG_MARK_BLANK,           /* the same, at a blank line */
	LANG_MARK_DEF              /* where a definition begins or ends */
};

#define LANG_MARK_OFF_MAX (UINT64_MAX >> 16)

struct lang_mark {
	uint64_t off : 48;
	uint64_t level : 14; /* brackets around it */
	uint64_t kind : 2;
};

struct lang_frame {
	uint64_t lead_off;
	uint64_t decl_off;
	uint64_t off;
	uint64_t body_off;
	uint64_t name_off;
	uint64_t resume_off; /* 1 + where the continuing statement began */
	uint32_t line;
	uint32_t name_hash;
	uint32_t indent;
	uint16_t name_bytes;
	uint8_t type; /* enum frame_type of walk.h */
	uint8_t kind; /* enum lang_kind; NONE: only brackets */
	uint8_t flags;
	uint8_t brace;    /* what closes it */
	uint8_t declares; /* the current statement declares names */
	uint8_t shut;     /* 1: the next members are private to it */
};

/* An #if that is open: where its branches begin, and what the first left. */
struct lang_cond {
	uint64_t stmt_off;
	uint32_t depth;
	uint32_t over;
	uint32_t end_depth;
	uint32_t end_over;
	uint8_t is_else;
	uint8_t pad[7];
};

/* The construct that the text is in the middle of. */
struct lang_mode {
	uint8_t kind; /* enum mode_kind of walk.h; 0: code */
	uint8_t quote;
	uint8_t flags;
	uint8_t term_bytes;
	uint32_t nest;
	uint8_t term[LANG_TERM_BYTES];
	uint8_t begun; /* here-documents: the first line has begun */
	uint8_t depth; /* of interpolation */
};

struct lang_scan {
	uint64_t pos;         /* the next byte to be read */
	uint64_t stmt_off;    /* where the current statement begins */
	uint64_t line_off;    /* `line` is the line of this byte */
	uint64_t lead_off;    /* comments before a statement */
	uint64_t attr_off;    /* attributes before it; UINT64_MAX: none */
	uint64_t code_end;    /* after the last byte of code */
	uint64_t over;        /* brackets open beyond LANG_DEPTH */
	uint64_t mode_off;    /* where the current comment began */
	uint64_t code_off;    /* code is reported up to here */
	uint64_t mark_after;  /* no marks before this */
	uint64_t member_end;  /* members before this are reported */
	uint64_t script_end;  /* of the script that it is in; 0: not known */
	uint64_t script_seen; /* it does not end before this */
	uint32_t line;
	uint32_t depth;
	uint32_t brackets; /* within a line's brackets, for those by lines */
	uint32_t lang;
	uint32_t script; /* language of the script that it is in; 0: none */
	uint32_t floor;  /* frames around the script, which it cannot close */
	uint32_t cond_nr;
	uint32_t mark_nr;
	uint32_t mark_step; /* bytes between marks at least */
	uint32_t aux[6];    /* each family's own */
	uint8_t has_lead;
	uint8_t resumes; /* how often a statement was resumed */
	uint8_t at_line_start;
	uint8_t declares;  /* frame.declares, of the top */
	uint8_t is_lead;   /* the current line is a comment or the like */
	uint8_t last_byte; /* of code, blanks aside */
	uint8_t has_ended; /* 1: the end of the text has been reported */
	uint8_t unsure;    /* 1: comments are no longer certain, or reported */
	struct lang_mode mode;
	/* here-documents that begin at the newline, in order */
	struct lang_mode pending[LANG_PENDING];
	struct lang_cond conds[LANG_CONDS];
	struct lang_frame frames[LANG_DEPTH];
	struct lang_mark marks[LANG_MARKS];
};

/* A piece of the file that lies in memory. */
struct lang_text {
	const uint8_t *bytes;
	uint64_t off; /* of bytes[0], in the file */
	size_t nr;
	bool at_end; /* nothing follows it */
};

/*
 * shape:  initialises the state for a file
 * units:  window_bytes: the greatest distance of two cuts
 * owner:  the caller's; any memory
 */
void
lang_scan_init(struct lang_scan *scan, uint32_t lang, uint64_t window_bytes);

/*
 * shape:  continues the scan, to the offset `until` or a little further
 * owner:  the text holds scan->pos, and everything from the current statement
 *         on if possible; a definition whose beginning is no longer there
 *         begins where the text does
 * errors: none; stops up to 64 bytes before the end of a text that is not the
 *         last; after the end of the last it does nothing
 * calls:  chunk_struct.c, outline.c, strip.c, tests
 */
void
lang_scan_feed(struct lang_scan *scan, const struct lang_text *text,
	       uint64_t until, const struct lang_sink *sink);

#endif
