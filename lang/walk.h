/* SPDX-License-Identifier: MIT */
/*
 * walk.h - shared by the files of the scanner.
 *
 * Does: the walk over one piece of text, frames, modes, marks.
 * Does not: serve files outside the scanner.
 */
#ifndef LANG_WALK_H
#define LANG_WALK_H

#include <immintrin.h>
#include <string.h>

#include "base/ascii.h"
#include "lang/find.h"
#include "lang/scan.h"
#include "lang/text.h"

#define LOOKAHEAD 64 /* bytes that a decision may need */

/* The content between two brackets. */
enum frame_type {
	FRAME_TOP = 0,
	FRAME_CLASS,  /* members */
	FRAME_ENUM,   /* the same, constants first */
	FRAME_BODY,   /* statements */
	FRAME_OBJECT, /* keys and values */
	FRAME_EXPR    /* an initializer, a type; nothing to find */
};

/*
 * What closes a frame, if not its bracket. The body of `fun f() = a { ... }`
 * continues after its brace, to the end of the statement: until then its frame
 * is a tail, and resume_off is 1 + the earliest end.
 */
enum frame_brace {
	BRACE_AT_END = '@', /* Objective-C: @end */
	BRACE_FENCE = '-',  /* Astro: ---, which script.c looks for */
	BRACE_ARITIES =
		'(', /* Clojure: the function has ([a] ...) ([b c] ...) */
	BRACE_EXPRESSION = '=',
	BRACE_TAIL = '.'
};

enum mode_kind {
	MODE_CODE = 0,
	MODE_LINE_COMMENT,
	MODE_BLOCK_COMMENT, /* term ends it; nest counts */
	MODE_STRING,        /* quote, perhaps three, ends it */
	MODE_TERM,          /* term ends it */
	MODE_HEREDOC,       /* a line that is term ends it */
	MODE_PAIRED,        /* quote ends it, term[0] opens another */
	MODE_DIRECTIVE      /* a preprocessor line */
};

enum mode_flag {
	MODE_TRIPLE = 1 << 0,
	MODE_LINES = 1 << 1, /* may go over lines */
	MODE_RAW = 1 << 2,   /* no escapes */
	MODE_DOUBLED = 1 << 3,
	MODE_INTERP = 1 << 4, /* depth counts what is interpolated */
	MODE_INDENTED = 1 << 5,
	MODE_PAIR = 1 << 6, /* two quotes end it */
	MODE_IS_COMMENT = 1 << 7
};

enum quote_flag {
	QUOTE_TRIPLE = 1 << 0,
	QUOTE_LINES = 1 << 1,
	QUOTE_RAW = 1 << 2,
	QUOTE_DOUBLED = 1 << 3,
	QUOTE_DOLLAR = 1 << 4,
	QUOTE_HASH = 1 << 5,
	QUOTE_BACKSLASH = 1 << 6,
	QUOTE_CHAR = 1 << 7,
	QUOTE_LABEL = 1 << 8,
	QUOTE_PAIR = 1 << 9,
	QUOTE_BRACE = 1 << 10
};

enum event {
	EVENT_NONE = 0,
	EVENT_OPEN,
	EVENT_CLOSE,
	EVENT_SEMI,
	EVENT_SLASH,
	EVENT_QUOTE,
	EVENT_HASH,
	EVENT_AT,
	EVENT_LESS,
	EVENT_NEWLINE,
	EVENT_DASH,
	EVENT_BACKSLASH,
	EVENT_PERL,
	EVENT_OTHER
};

/* The bytes at which the scanner of a language stops. */
struct walk_events {
	struct lang_set set;
	uint16_t quotes[128]; /* enum quote_flag, for each byte */
	uint8_t event[256];
	bool is_made;
};

struct walk {
	struct lang_scan *scan;
	const struct lang *lang;
	const struct lang_sink *sink; /* NULL: only marks are wanted */
	const uint8_t *text;
	uint64_t off; /* of text[0], in the file */
	size_t at;    /* next byte to be read */
	size_t end;   /* as far as decisions can be made */
	size_t bytes; /* as far as there is text */
	size_t until;
	size_t line_start; /* of the last line asked for */
	size_t line_known; /* no newline from there up to here */
	size_t no_regex;   /* none begins in front of this */
	size_t no_tag;     /* one in front of this is short */
	bool at_end;
	bool declaring; /* the statement being judged only declares */
	const struct lang_word_set *words; /* by enum lang_words_of */
	struct lang_finder finder;
	struct walk_events *events; /* the language's */
};

/* How far what may not end is looked through: a line may be as long as the
 * text, and begin one at each byte. */
#define LANG_LOOK_BYTES 1024

/* The byte at `at`, or 0 after the end. */
static inline uint8_t
walk_byte(const struct walk *walk, size_t at)
{
	return at < walk->bytes ? walk->text[at] : 0;
}

/* Whether words of code have it; all of other scripts do. */
static inline bool
is_word_byte(uint8_t c)
{
	return ascii_is_word(c);
}

/* The mask of those of 16 bytes that belong to a word. */
static inline uint32_t
word_mask16(const uint8_t *bytes)
{
	const __m128i text = _mm_loadu_si128((const void *)bytes);
	const __m128i letter = _mm_sub_epi8(
		_mm_or_si128(text, _mm_set1_epi8(0x20)), _mm_set1_epi8('a'));
	const __m128i digit = _mm_sub_epi8(text, _mm_set1_epi8('0'));
	__m128i word = _mm_cmpeq_epi8(text, _mm_set1_epi8('_'));

	word = _mm_or_si128(
		word, _mm_cmpeq_epi8(_mm_min_epu8(letter, _mm_set1_epi8(25)),
				     letter));
	word = _mm_or_si128(
		word,
		_mm_cmpeq_epi8(_mm_min_epu8(digit, _mm_set1_epi8(9)), digit));
	/* those from 128 on have the bit that counts */
	return (uint32_t)_mm_movemask_epi8(_mm_or_si128(word, text));
}

/* The end of the word that begins or continues at `at`; `at` if none does. */
static inline size_t
walk_word_end(const struct walk *walk, size_t at)
{
	for (; at + 16 <= walk->bytes; at += 16) {
		uint32_t others = ~word_mask16(walk->text + at) & 0xffff;

		if (others != 0)
			return at + (size_t)__builtin_ctz(others);
	}
	while (is_word_byte(walk_byte(walk, at)))
		at++;
	return at;
}

/* Whether it is a blank that does not end a line. */
static inline bool
is_blank_byte(uint8_t c)
{
	return c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v';
}

/* The end of the blanks at `at`. */
static inline size_t
walk_skip_blanks(const struct walk *walk, size_t at)
{
	while (is_blank_byte(walk_byte(walk, at)))
		at++;
	return at;
}

/* Before the blanks that end at `end`, not before `from`. */
static inline size_t
walk_trim_blanks(const struct walk *walk, size_t from, size_t end)
{
	while (end > from && is_blank_byte(walk->text[end - 1]))
		end--;
	return end;
}

/* Where the word that ends at `end` begins, `most` bytes before it at most. */
static inline size_t
walk_word_start(const struct walk *walk, size_t end, size_t most)
{
	size_t at = end;

	while (at > 0 && end - at < most && is_word_byte(walk->text[at - 1]))
		at--;
	return at;
}

/* Before blanks and line ends, of which there are 256 at most. */
static inline size_t
walk_skip_space_back(const struct walk *walk, size_t at)
{
	size_t end = at;

	while (end > 0 && at - end < 256 &&
	       (is_blank_byte(walk->text[end - 1]) ||
		walk->text[end - 1] == '\n'))
		end--;
	return end;
}

/* Behind blanks and line ends. */
static inline size_t
walk_skip_space(const struct walk *walk, size_t at)
{
	while (is_blank_byte(walk_byte(walk, at)) ||
	       walk_byte(walk, at) == '\n')
		at++;
	return at;
}

/* Whether the word at `at` is this one. */
static inline bool
walk_word_is(const struct walk *walk, size_t at, size_t bytes, const char *word)
{
	return bytes_are(walk->text + at, bytes, word);
}

/* Makes the scanner of the language stop at a byte. */
static inline void
walk_add_event(struct walk *walk, uint8_t byte, uint8_t event)
{
	walk->events->event[byte] = event;
	lang_set_add(&walk->events->set, byte);
}

/* An offset of the file as an index of the text, cut to what is there. */
static inline size_t
walk_index(const struct walk *walk, uint64_t off)
{
	return off <= walk->off
		       ? 0
		       : min_size((size_t)(off - walk->off), walk->bytes);
}

/* Whether these bytes stand there. */
static inline bool
walk_has(const struct walk *walk, size_t at, const char *word)
{
	size_t bytes = strlen(word);

	return walk->bytes - at >= bytes &&
	       memcmp(walk->text + at, word, bytes) == 0;
}

/* Whether nothing but blanks stands before it on its line. */
static inline bool
walk_first_on_line(const struct walk *walk, size_t at)
{
	at = walk_trim_blanks(walk, 0, at);
	return at == 0 ? walk->off == 0 || walk->scan->at_line_start
		       : walk->text[at - 1] == '\n';
}

/* The next statement begins there. */
static inline void
walk_begin_statement(struct walk *walk, size_t at)
{
	walk->scan->stmt_off = walk->off + at;
}

/* The kind whose letter this is in a list of definers. */
uint8_t
walk_kind(char letter);

/* Keeps a place to cut at; of two that are close, the better. */
void
walk_mark(struct walk *walk, size_t at, uint8_t kind, uint32_t level);

/* The next line start after `at`, blank lines skipped, or SIZE_MAX if the
 * rest of the line has more than blanks and a comment; `*blank`: blank lines
 * were skipped. */
size_t
walk_line_behind(const struct walk *walk, size_t at, bool *blank);

/* Keeps the line start after `at` as a place to cut, if `at` ends a line. */
void
walk_mark_line(struct walk *walk, size_t at);

/* Where the line begins that `at` is in. */
size_t
walk_line_start(struct walk *walk, size_t at);

/* What follows is of that language. */
void
walk_set_language(struct walk *walk, uint32_t lang);

struct def_start {
	size_t lead;
	size_t decl; /* its attributes, or `at` */
	size_t at;
	size_t body;
	size_t name;
	size_t name_bytes;
	uint8_t kind;
	uint8_t flags;
};

/* Opens a frame; NULL start: only brackets. False: too deep, counted. */
bool
walk_push(struct walk *walk, uint8_t type, const struct def_start *start);

/* The signature of the innermost definition ends at `at`, if it has not yet. */
void
walk_body(struct walk *walk, size_t at);

/* Closes the innermost frame; its definition ends behind `end`. */
void
walk_pop(struct walk *walk, size_t end);

/* Reports a declaration, if the sink wants it. */
void
walk_declare(struct walk *walk, const struct def_start *start, size_t end);

/* Reports a member that is exported, if the sink wants it: once, however often
 * it is read. */
void
walk_member(struct walk *walk, const struct def_start *start, size_t end);

/* A definition without a frame of its own. */
void
walk_single(struct walk *walk, const struct def_start *start, size_t end);

/* Reports the name of an import. */
void
walk_import(struct walk *walk, size_t at, size_t bytes);

/* Reports exported names, or a word that lists them. */
void
walk_export(struct walk *walk, enum lang_export what, uint32_t nr);

/* Names in a list of what is exported. */
void
walk_listed(struct walk *walk, size_t at, size_t end);

/* Whether names here are visible outside the file: LANG_DEF_OUTER. */
bool
walk_is_outer(const struct walk *walk);

/* The innermost frame; NULL: there is none. */
static inline struct lang_frame *
walk_frame(const struct walk *walk)
{
	struct lang_scan *scan = walk->scan;

	return scan->depth == 0 ? NULL : &scan->frames[scan->depth - 1];
}

/* What the innermost brackets hold: enum frame_type. */
static inline uint8_t
walk_frame_type(const struct walk *walk)
{
	const struct lang_frame *frame = walk_frame(walk);

	return frame == NULL ? FRAME_TOP : frame->type;
}

/* lex.c: comments and strings. */
size_t
lex_resume(struct walk *walk, size_t at);

/* The text ends in the middle of something. */
void
lex_end(struct walk *walk);

/* Reports code up to `at`. */
void
lex_code(struct walk *walk, size_t at);

/* Records that there is no code up to `at`. */
void
lex_no_code(struct walk *walk, size_t at);

/*
 * The end of the construct at `at`: a comment up to the line's end, one up to
 * `term`, or anything up to it.
 */
size_t
lex_line_comment(struct walk *walk, size_t at);
size_t
lex_block_comment(struct walk *walk, size_t at, const char *term);
size_t
lex_term(struct walk *walk, size_t at, const uint8_t *term, size_t bytes);

/* A string begins at `at`; returns where to continue. */
size_t
lex_quote(struct walk *walk, size_t at);

/* What ends a literal that begins with it: of a bracket the other one. */
uint8_t
lex_closing(uint8_t c);

/* The end of the bracket that was opened before `at`. */
size_t
lex_paired(struct walk *walk, size_t at, uint8_t open, uint8_t close);

/* regex.c: a slash that begins no comment: the end of the regular expression that it
 * begins, or the byte after the slash. */
size_t
lex_regex(struct walk *walk, size_t at);

/* heredoc.c: behind the here-document at `at`, or behind the < that begins none. */
size_t
lex_heredoc(struct walk *walk, size_t at);

/* Perl: behind the newline at `at`, and behind the here-document that begins
 * there, if one does. */
size_t
lex_heredoc_begin(struct walk *walk, size_t at);

/* interpolate.c: whether code begins at a byte of a string: mode->nest is then
 * what its brackets are. */
bool
lex_opens_interpolation(struct walk *walk, size_t at);

/* Whether there may be code in a string, by the two bytes before its quote and
 * by what is usual for the quote. */
bool
lex_interpolates(const struct walk *walk, uint8_t before, uint8_t second,
		 bool is_usual);

/* interpolate.c: a byte of the code within a string; returns where to go on. */
size_t
lex_interpolated(struct walk *walk, size_t at);

/* perl.c: behind the quote whose word stands before the byte at `at`; 0: none
 * does. */
size_t
perl_quote(struct walk *walk, size_t at);

/* Behind the regular expression that the slash at `at` begins; 0: it divides. */
size_t
perl_regex(struct walk *walk, size_t at);

/* Behind the brackets at `at` that follow the name of a sub; 0: none does. */
size_t
perl_prototype(const struct walk *walk, size_t at);

/* Sets the events of the language's quotes. */
void
lex_quotes(struct walk *walk);

/*
 * script.c: the language of what is behind the start tag of a script in
 * markup, whose attributes lie in [at, end); LANG_NONE: not to be scanned.
 */
uint32_t
script_language(const struct walk *walk, size_t at, size_t end);

/* A script of that language begins at `at`, in the innermost frame. */
void
script_begin(struct walk *walk, size_t at, uint32_t lang);

/* Astro: begins the script between the fences at the start of the text, if there
 * is one. */
void
script_begin_fenced(struct walk *walk);

/* Goes on with the script from walk->at; false: not to its end. */
bool
script_scan(struct walk *walk);

/* The families. Each goes from walk->at to walk->until. */
void
scan_braces(struct walk *walk);
void
scan_lines(struct walk *walk);
void
scan_tags(struct walk *walk);

/* Closes what is open at the end of the text. */
void
scan_braces_end(struct walk *walk);

/* The text has ended: closes what is open. */
void
scan_lines_end(struct walk *walk);

#endif
