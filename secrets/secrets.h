/* SPDX-License-Identifier: MIT */
/*
 * secrets.h - finds keys, tokens and passwords in a text.
 *
 *   rules.def        which there are
 *   secrets_rules.c  the rules, compiled: once a process
 *   secrets_find.c   the next secret of a text
 *   secrets_redact.c a text without them, piece by piece
 *
 * Does: says which bytes of a text are a secret, and by which rule; writes
 *       [REDACTED:rule] in their place.
 * Does not: know files or processes; ask anybody whether a secret is valid;
 *           allocate, or keep anything of a text.
 * Invariants:
 * 1. What is found depends on the text alone, never on the parts that it comes
 *    in or on the processor.
 * 2. A decision on a place looks at no more than SECRETS_BEHIND bytes before it
 *    and SECRETS_AHEAD after it.
 * 3. A redacted text has as many lines as it had, and what stands around a
 *    secret (quotes, commas, escapes) is unchanged.
 */
#ifndef SECRETS_SECRETS_H
#define SECRETS_SECRETS_H

#include "base/base.h"
#include "base/sieve.h"
#include "secrets/pattern.h"

#define SECRETS_BEHIND 96
#define SECRETS_HELD 48
#define SECRETS_AHEAD 32768

#define SECRETS_RULES_MAX 320
#define SECRETS_ITEMS_MAX 1400
#define SECRETS_BEGINS_MAX 512
#define SECRETS_SLOT_BITS 13
#define SECRETS_SLOTS (1 << SECRETS_SLOT_BITS)
#define SECRETS_START_BITS 17
#define SECRETS_STARTS (1 << SECRETS_START_BITS)
#define SECRETS_BEGIN_BYTES 64
#define SECRETS_MARKER_BYTES 64

/* What is done about secrets. */
enum secrets_mode {
	SECRETS_REDACT = 0, /* they are replaced */
	SECRETS_EXCLUDE,    /* files that have one are left out */
	SECRETS_WARN,       /* they are told of */
	SECRETS_FAIL,       /* nothing is written */
	SECRETS_OFF         /* they are not looked for */
};

enum secrets_kind {
	SECRETS_TOKEN = 0,
	SECRETS_AFTER,
	SECRETS_ASSIGNED,
	SECRETS_VARIABLE,
	SECRETS_GENERIC,
	SECRETS_URL,
	SECRETS_KEY
};

/* A rule; rules.def says what the columns are. */
struct secrets_rule {
	const char *id;
	uint8_t kind;    /* enum secrets_kind */
	uint8_t entropy; /* in tenths of a bit */
	bool only_warns;
	struct pattern body;
	struct pattern before;
	uint16_t before_bytes;
};

/* One of the texts that a secret, or the name of one, begins with. */
struct secrets_begin {
	const char *text;
	uint32_t four; /* its first bytes, up to four; in any case: without the
			* bit of case */
	uint32_t four_mask; /* those that it has */
	uint8_t bytes;
	bool any_case;
	uint16_t rule;
	uint16_t next; /* of the same slot, by rule: index + 1; 0: none */
};

/* See secrets_rules(); only read afterwards. */
struct secrets_rules {
	struct secrets_rule rules[SECRETS_RULES_MAX];
	struct pattern_item items[SECRETS_ITEMS_MAX];
	struct secrets_begin begins[SECRETS_BEGINS_MAX];
	uint64_t starts[SECRETS_STARTS / 64]; /* a bit a beginning of four */
	uint16_t slots[SECRETS_SLOTS];        /* by three bytes, case aside */
	struct sieve sieve;
	uint32_t rule_nr;
	uint32_t item_nr;
	uint32_t begin_nr;
	bool no_avx2; /* set by tests: as on a processor without it */
};

enum secrets_result {
	SECRETS_NONE = 0, /* no more of them */
	SECRETS_FOUND,
	SECRETS_MORE /* more text is needed */
};

struct secrets_finding {
	size_t start;
	size_t end;    /* of a key: the start, where its body begins */
	uint16_t rule; /* index of it */
	bool is_key;
	bool is_wrapped; /* a key of which all is base64 */
};

/* Where a search is. */
struct secrets_cursor {
	size_t from;  /* of the next place to look at */
	size_t least; /* no secret begins before */
};

/*
 * shape:  all rules, made ready at the first call, by this process or before
 *         its fork
 * owner:  nobody: they stay until the process ends
 */
const struct secrets_rules *
secrets_rules(void);

/* The name of a rule, by its index; "": there is none. Constant text. */
const char *
secrets_rule_name(uint32_t rule);

/* How many rules there are. */
uint32_t
secrets_rule_nr(void);

/* Whether a rule only ever warns. */
bool
secrets_rule_warns(uint32_t rule);

/* The slot of the three lowest bytes of a number, case aside. */
static inline uint32_t
secrets_slot(uint32_t bytes)
{
	return ((bytes | 0x202020) & 0xffffff) * 2654435761u >>
	       (32 - SECRETS_SLOT_BITS);
}

/* The bit of four bytes, case aside. */
static inline uint32_t
secrets_start(uint32_t bytes)
{
	return (bytes | 0x20202020) * 2654435761u >> (32 - SECRETS_START_BITS);
}

/* ---- secrets_find.c ---- */

/*
 * shape:  the next secret, and the cursor behind it; MORE, or NONE at the end
 *         of the text: the cursor is at the first place that is not decided, or
 *         at the end. A secret may begin up to SECRETS_HELD bytes before it
 * units:  up to SECRETS_BEHIND bytes before the cursor are looked at
 * calls:  collect; secrets_redact.c
 */
enum secrets_result
secrets_find(const struct secrets_rules *rules, const struct secrets_text *text,
	     struct secrets_cursor *cursor, struct secrets_finding *finding);

/* ---- secrets_redact.c ---- */

/* How far a text has been redacted. Owner: the caller, who zeroes it first. */
struct secrets_redactor {
	size_t at; /* of the text in hand: all before is given */
	struct secrets_cursor cursor;
	struct secrets_finding finding; /* to be given next */
	bool has_finding;
	bool in_key;      /* its body is in work, */
	bool key_is_told; /* and its marker given */
	bool tells_only;  /* set by the caller: all stays as it is */
	uint32_t digest;  /* of the secret in work */
	char marker[SECRETS_MARKER_BYTES];
};

/* What comes next of a redacted text. */
struct secrets_piece {
	const uint8_t *at;
	size_t nr;
	bool is_found;   /* a secret, if it stays, or what stands for it */
	bool goes_on;    /* more of the key before, or of what stands for it */
	uint16_t rule;   /* of it */
	uint32_t digest; /* FNV-1a of the secret up to here */
};

/*
 * shape:  the next piece of the redacted text; MORE: the caller has to keep the
 *         text from redactor->at on, and SECRETS_BEHIND bytes before that, and
 *         call again with more behind it; NONE: the end
 * owner:  the text's or the redactor's, until the next call
 * calls:  collect, window
 */
enum secrets_result
secrets_redact_next(struct secrets_redactor *redactor,
		    const struct secrets_rules *rules,
		    const struct secrets_text *text,
		    struct secrets_piece *piece);

/* The text in hand moves: its first bytes are dropped. */
static inline void
secrets_redact_drop(struct secrets_redactor *redactor, size_t bytes)
{
	struct secrets_cursor *cursor = &redactor->cursor;

	redactor->at -= bytes;
	cursor->from -= min_size(cursor->from, bytes);
	cursor->least -= min_size(cursor->least, bytes);
}

#endif
