/* SPDX-License-Identifier: MIT */
/*
 * lex.c - what is no code: comments, strings, here-documents.
 *
 * Does: finds their ends, over the ends of pieces of text too: what the text
 *       is in the middle of is the mode.
 * Invariants:
 * 1. A search begins before walk->end and may look LOOKAHEAD bytes further.
 */
#include "lang/raw_string.h"
#include "lang/walk.h"

#include <string.h>

static uint16_t
quote_flag(char c)
{
	static const char letters[] = "3mrd$#\\clp{";
	const char *found = c == '\0' ? NULL : strchr(letters, c);

	if (found == NULL)
		return 0;
	return (uint16_t)(1u << (unsigned)(found - letters));
}

void
lex_quotes(struct walk *walk)
{
	const char *q = walk->lang->quotes;

	while (*q != '\0') {
		uint8_t quote = (uint8_t)*q++;
		uint16_t flags = 0;

		while (*q != '\0' && quote_flag(*q) != 0)
			flags = (uint16_t)(flags | quote_flag(*q++));
		walk_add_event(walk, quote, EVENT_QUOTE);
		walk->events->quotes[quote] = flags;
	}
}

void
lex_code(struct walk *walk, size_t at)
{
	const struct lang_sink *sink = walk->sink;
	struct lang_scan *scan = walk->scan;
	size_t from;

	/* nothing to be found in one byte */
	if (sink == NULL || sink->code == NULL || sink->words->nr == 0 ||
	    walk->off + at < scan->code_off + 2)
		return;
	from = walk_index(walk, scan->code_off);
	scan->code_off = walk->off + at;
	for (; from < at; from += 64) {
		struct lang_code_block block =
			lang_code_find(sink->words, walk->text, from,
				       min_size(at - from, 64), walk->bytes);

		if ((block.branches | block.brackets) != 0)
			sink->code(sink->context, walk->off + from, &block);
	}
}

void
lex_no_code(struct walk *walk, size_t at)
{
	if (walk->sink != NULL && walk->sink->code != NULL)
		walk->scan->code_off =
			max_u64(walk->scan->code_off, walk->off + at);
}

static void
begin(struct walk *walk, uint8_t kind, size_t at)
{
	lex_code(walk, at);
	walk->scan->mode = (struct lang_mode){ .kind = kind };
	walk->scan->mode_off = walk->off + at;
}

static void
set_term(struct lang_mode *mode, const uint8_t *term, size_t bytes)
{
	mode->term_bytes = (uint8_t)min_size(bytes, LANG_TERM_BYTES);
	memcpy(mode->term, term, mode->term_bytes);
}

static void
emit_comment(const struct walk *walk, uint64_t off, size_t end)
{
	if (walk->sink != NULL && walk->sink->comment != NULL &&
	    !walk->scan->unsure)
		walk->sink->comment(walk->sink->context, off, walk->off + end);
}

/* The end of a mode: back to code, behind `at`. */
static size_t
done(struct walk *walk, size_t at)
{
	struct lang_scan *scan = walk->scan;
	uint8_t kind = scan->mode.kind;
	bool is_comment = kind == MODE_LINE_COMMENT ||
			  kind == MODE_BLOCK_COMMENT ||
			  (scan->mode.flags & MODE_IS_COMMENT);

	/* a comment over lines does not end the directive that it is in */
	scan->mode.kind = kind == MODE_BLOCK_COMMENT && scan->mode.begun
				  ? MODE_DIRECTIVE
				  : MODE_CODE;
	lex_no_code(walk, at);
	if (is_comment)
		emit_comment(walk, scan->mode_off, at);
	return at;
}

static size_t
not_yet(const struct walk *walk, size_t at)
{
	return at > walk->end ? at : walk->end;
}

/* The term, from `at` on; SIZE_MAX if it does not begin before the end. */
static size_t
find_term(const struct walk *walk, size_t at, const uint8_t *term, size_t bytes)
{
	size_t stop = min_size(walk->bytes, walk->end + bytes - 1);
	const uint8_t *found;

	if (at >= stop)
		return SIZE_MAX;
	found = memmem(walk->text + at, stop - at, term, bytes);
	return found == NULL ? SIZE_MAX : (size_t)(found - walk->text);
}

/* The star and slash that end a comment: most of what they are, slashes are
 * rarer than stars. */
static size_t
find_star_slash(const struct walk *walk, size_t at)
{
	size_t stop = min_size(walk->bytes, walk->end + 1);

	while (at + 1 < stop) {
		const uint8_t *slash =
			memchr(walk->text + at + 1, '/', stop - at - 1);

		if (slash == NULL)
			break;
		at = (size_t)(slash - walk->text);
		if (walk->text[at - 1] == '*')
			return at - 1;
	}
	return SIZE_MAX;
}

static size_t
resume_line(struct walk *walk, size_t at)
{
	const uint8_t *newline;

	if (at >= walk->end)
		return at;
	newline = memchr(walk->text + at, '\n', walk->end - at);
	if (walk->lang->traits & TRAIT_EMBEDDED) {
		size_t line = newline == NULL ? walk->end
					      : (size_t)(newline - walk->text);
		const uint8_t *close =
			memmem(walk->text + at,
			       min_size(line + 1, walk->bytes) - at, "?>", 2);

		if (close != NULL)
			return done(walk, (size_t)(close - walk->text));
	}
	if (newline != NULL)
		return done(walk, (size_t)(newline - walk->text));
	return walk->at_end ? done(walk, walk->end) : walk->end;
}

/* What opens where this byte closes. */
static uint8_t
mirrored(uint8_t c)
{
	switch (c) {
	case ')':
		return '(';
	case ']':
		return '[';
	case '}':
		return '{';
	default:
		return c;
	}
}

/* Comments that nest: they open with the term backwards. */
static size_t
resume_nested(struct walk *walk, size_t at)
{
	struct lang_mode *mode = &walk->scan->mode;
	uint8_t a = mode->term[0];
	uint8_t b = mode->term[1];
	uint8_t open_a = mirrored(b);
	uint8_t open_b = mirrored(a);

	while (at < walk->end) {
		uint8_t c = walk->text[at];

		if (c == a && walk_byte(walk, at + 1) == b) {
			at += 2;
			if (--mode->nest == 0)
				return done(walk, at);
		} else if (c == open_a && walk_byte(walk, at + 1) == open_b) {
			at += 2;
			mode->nest++;
		} else {
			at++;
		}
	}
	return at;
}

static size_t
resume_block(struct walk *walk, size_t at)
{
	struct lang_mode *mode = &walk->scan->mode;
	size_t found;

	if (mode->nest > 0)
		return resume_nested(walk, at);
	if (mode->term_bytes == 2 && mode->term[0] == '*')
		found = find_star_slash(walk, at);
	else
		found = find_term(walk, at, mode->term, mode->term_bytes);
	if (found != SIZE_MAX)
		return done(walk, found + mode->term_bytes);
	return not_yet(walk, at);
}

static bool
ends_string(const struct walk *walk, size_t at)
{
	const struct lang_mode *mode = &walk->scan->mode;

	if (mode->flags & MODE_PAIR)
		return walk_byte(walk, at + 1) == mode->quote;
	return !(mode->flags & MODE_TRIPLE) ||
	       (walk_byte(walk, at + 1) == mode->quote &&
		walk_byte(walk, at + 2) == mode->quote);
}

/*
 * SQL: a backslash before a quote in '...' is a character of the standard, and
 * takes the quote away in MySQL. What follows says which is likelier; comments
 * are not certain from here on.
 */
static bool
is_sql_escape(struct walk *walk, size_t at)
{
	uint8_t next = walk_byte(walk, at + 2);

	if (walk->scan->lang != LANG_SQL || walk_byte(walk, at + 1) != '\'')
		return false;
	walk->scan->unsure = 1;
	return next != 0 && next != '\n' && !is_blank_byte(next) &&
	       !is_one_of(";,)", next);
}

/* Whether the byte takes away the meaning of the next one. */
static bool
is_escape(struct walk *walk, size_t at)
{
	uint8_t c = walk->text[at];

	/* {{ of what braces interpolate is a brace */
	if (c == '{')
		return (walk->scan->mode.flags & MODE_INTERP) &&
		       walk->scan->lang != LANG_PHP &&
		       walk_byte(walk, at + 1) == '{';
	if (walk->scan->mode.flags & MODE_RAW)
		return c == '\\' && is_sql_escape(walk, at);
	return c == (walk->scan->lang == LANG_POWERSHELL ? '`' : '\\');
}

/* Behind the quotes that end a string; *ends: they do. */
static size_t
behind_quotes(const struct walk *walk, size_t at, bool *ends)
{
	const struct lang_mode *mode = &walk->scan->mode;

	if (mode->flags & MODE_PAIR) {
		*ends = !is_one_of("'$\\", walk_byte(walk, at + 2));
		return at + (*ends ? 2 : 3);
	}
	at += mode->flags & MODE_TRIPLE ? 3 : 1;
	*ends = !(mode->flags & MODE_DOUBLED) ||
		walk_byte(walk, at) != mode->quote;
	return at + !*ends;
}

/* Bytes that may mean something in a string of some language. */
static const bool string_bytes[256] = {
	['\n'] = true, ['\\'] = true, ['"'] = true, ['\''] = true, ['`'] = true,
	['$'] = true,  ['#'] = true,  ['|'] = true, ['{'] = true,
};

/* Whether a string does not end with the line whose newline is at `at`. */
static bool
spans_lines(const struct walk *walk, size_t at)
{
	const struct lang_mode *mode = &walk->scan->mode;

	if (mode->flags & MODE_LINES)
		return true;
	if (walk->scan->lang == LANG_KOTLIN)
		return mode->depth > 0;
	/* Lua: \z */
	return walk->scan->lang == LANG_LUA && at > 1 &&
	       walk->text[at - 1] == 'z' && walk->text[at - 2] == '\\';
}

static size_t
resume_string(struct walk *walk, size_t at)
{
	struct lang_mode *mode = &walk->scan->mode;
	const uint8_t *text = walk->text;
	const size_t end = walk->end;
	const uint8_t quote = mode->quote;
	bool ends;

	for (; at < end; at++) {
		uint8_t c = text[at];

		if (!string_bytes[c] && mode->depth == 0)
			continue;
		if (c == '\n' && !spans_lines(walk, at))
			return done(walk, at);
		if (mode->depth > 0) {
			at = lex_interpolated(walk, at) - 1;
		} else if (c == quote && ends_string(walk, at)) {
			at = behind_quotes(walk, at, &ends);
			if (ends)
				return done(walk, at);
			at--;
		} else if ((mode->flags & MODE_INTERP) &&
			   lex_opens_interpolation(walk, at)) {
			mode->depth = 1;
			mode->begun = 0;
			at += c != '{';
		} else if ((c == '\\' || c == '`' || c == '{') &&
			   is_escape(walk, at)) {
			at++;
		}
	}
	return at;
}

/* %w[...], ${...}: brackets that nest, and a backslash that takes away. */
static size_t
resume_paired(struct walk *walk, size_t at)
{
	struct lang_mode *mode = &walk->scan->mode;

	while (at < walk->end) {
		uint8_t c = walk->text[at++];

		if (c == '\\') {
			at++;
		} else if (c == '"' && walk->lang->family == FAMILY_SHELL) {
			mode->begun = !mode->begun;
		} else if (mode->begun) {
			continue;
		} else if (c == mode->quote) {
			if (--mode->nest == 0)
				return done(walk, at);
		} else if (c == mode->term[0]) {
			mode->nest++;
		}
	}
	return at;
}

uint8_t
lex_closing(uint8_t c)
{
	switch (c) {
	case '(':
		return ')';
	case '[':
		return ']';
	case '{':
		return '}';
	case '<':
		return '>';
	default:
		return c;
	}
}

size_t
lex_paired(struct walk *walk, size_t at, uint8_t open, uint8_t close)
{
	begin(walk, MODE_PAIRED, at);
	walk->scan->mode.quote = close;
	walk->scan->mode.term[0] = open;
	walk->scan->mode.nest = 1;
	return resume_paired(walk, at);
}

/* Whether the line at `at` is the end of a here-document. */
static size_t
heredoc_end(const struct walk *walk, size_t at)
{
	const struct lang_mode *mode = &walk->scan->mode;

	if (mode->flags & MODE_INDENTED)
		at = walk_skip_blanks(walk, at);
	if (walk->bytes - at < mode->term_bytes ||
	    memcmp(walk->text + at, mode->term, mode->term_bytes) != 0)
		return SIZE_MAX;
	at += mode->term_bytes;
	/* Perl: nothing else stands on the line */
	if (walk->scan->lang == LANG_PERL)
		return at == walk->bytes || is_one_of("\r\n", walk->text[at])
			       ? at
			       : SIZE_MAX;
	return is_word_byte(walk_byte(walk, at)) ? SIZE_MAX : at;
}

static size_t
resume_heredoc(struct walk *walk, size_t at)
{
	struct lang_mode *mode = &walk->scan->mode;

	while (at < walk->end) {
		const uint8_t *newline;

		if (mode->begun) {
			size_t end = heredoc_end(walk, at);

			if (end != SIZE_MAX && mode->nest > 0)
				walk_begin_statement(walk, end);
			if (end != SIZE_MAX)
				return done(walk, end);
		}
		newline = memchr(walk->text + at, '\n', walk->end - at);
		mode->begun = newline != NULL;
		if (newline == NULL)
			return walk->end;
		at = (size_t)(newline - walk->text) + 1;
	}
	return at;
}

/* Behind a string of a directive's line; one that does not end is none. */
static size_t
skip_quoted(const struct walk *walk, size_t at, size_t end)
{
	uint8_t quote = walk->text[at];

	for (size_t i = at + 1; i < end; i++) {
		if (walk->text[i] == quote)
			return i + 1;
		i += walk->text[i] == '\\';
	}
	return at + 1;
}

/*
 * A comment that begins within a directive's line and does not end there; the
 * others are told, but one that takes the mark with it that the directive goes
 * on, and those of a line that is not here from its beginning to its end.
 */
static size_t
open_comment(const struct walk *walk, size_t at, size_t end, bool is_line)
{
	const uint8_t *close;

	if (end == at || memchr(walk->text + at, '/', end - at) == NULL)
		return SIZE_MAX;
	while (at + 1 < end) {
		uint8_t c = walk->text[at];

		if (c == '"' || c == '\'') {
			at = skip_quoted(walk, at, end);
		} else if (c != '/') {
			at++;
		} else if (walk->text[at + 1] == '/') {
			if (is_line && walk->text[end - 1] != '\\')
				emit_comment(walk, walk->off + at, end);
			break;
		} else if (walk->text[at + 1] != '*') {
			at++;
		} else {
			close = memmem(walk->text + at + 2, end - at - 2, "*/",
				       2);
			if (close == NULL)
				return at;
			close += 2;
			if (is_line)
				emit_comment(walk, walk->off + at,
					     (size_t)(close - walk->text));
			at = (size_t)(close - walk->text);
		}
	}
	return SIZE_MAX;
}

/* The directive goes on behind it, though not as a whole line. */
static size_t
comment_of_directive(struct walk *walk, size_t at)
{
	begin(walk, MODE_BLOCK_COMMENT, at);
	set_term(&walk->scan->mode, (const uint8_t *)"*/", 2);
	walk->scan->mode.begun = 1;
	return resume_block(walk, at + 2);
}

static size_t
resume_directive(struct walk *walk, size_t at)
{
	struct lang_mode *mode = &walk->scan->mode;

	while (at < walk->end) {
		const uint8_t *found =
			memchr(walk->text + at, '\n', walk->end - at);
		size_t line = found == NULL ? walk->end
					    : (size_t)(found - walk->text);
		bool is_line = !mode->begun && (found != NULL || walk->at_end);
		size_t last =
			line - (line > at && walk->text[line - 1] == '\r');
		size_t comment = open_comment(walk, at, last, is_line);

		if (comment != SIZE_MAX)
			return comment_of_directive(walk, comment);
		mode->begun = found == NULL;
		if (found == NULL)
			return walk->at_end ? done(walk, line) : line;
		if (last == at || walk->text[last - 1] != '\\')
			return done(walk, line);
		at = line + 1;
	}
	return at;
}

size_t
lex_resume(struct walk *walk, size_t at)
{
	switch (walk->scan->mode.kind) {
	case MODE_LINE_COMMENT:
		return resume_line(walk, at);
	case MODE_BLOCK_COMMENT:
	case MODE_TERM:
		return resume_block(walk, at);
	case MODE_STRING:
		return resume_string(walk, at);
	case MODE_PAIRED:
		return resume_paired(walk, at);
	case MODE_HEREDOC:
		return resume_heredoc(walk, at);
	case MODE_DIRECTIVE:
		return resume_directive(walk, at);
	default:
		return at;
	}
}

void
lex_end(struct walk *walk)
{
	if (walk->scan->mode.kind != MODE_CODE)
		done(walk, walk->bytes);
}

size_t
lex_line_comment(struct walk *walk, size_t at)
{
	begin(walk, MODE_LINE_COMMENT, at);
	return resume_line(walk, at);
}

size_t
lex_block_comment(struct walk *walk, size_t at, const char *term)
{
	bool nests =
		walk->lang->traits & (TRAIT_NEST_COMMENTS | TRAIT_ML_COMMENTS);

	begin(walk, MODE_BLOCK_COMMENT, at);
	set_term(&walk->scan->mode, (const uint8_t *)term, strlen(term));
	walk->scan->mode.nest = nests && walk->scan->mode.term_bytes == 2;
	return resume_block(walk, at + 2);
}

size_t
lex_term(struct walk *walk, size_t at, const uint8_t *term, size_t bytes)
{
	begin(walk, MODE_TERM, at);
	/* Perl: what ends with =cut */
	if (walk->lang->traits & TRAIT_POD)
		walk->scan->mode.flags = MODE_IS_COMMENT;
	set_term(&walk->scan->mode, term, bytes);
	return resume_block(walk, at);
}

/* Ruby, Perl: $' and its like are variables; Erlang: $" is a character. */
static bool
is_behind_dollar(const struct walk *walk)
{
	return walk->lang->family == FAMILY_CLAUSES ||
	       walk->scan->lang == LANG_PERL ||
	       (walk->lang->family == FAMILY_END &&
		(walk->lang->traits & TRAIT_RUBY));
}

/* JavaScript: Don't - in the text of an element, and no word of the language
 * that a string may follow. */
static bool
is_apostrophe(const struct walk *walk, size_t at)
{
	static const char words[] =
		"return case typeof in of from import default as else throw "
		"delete void new await yield do instanceof extends export";
	size_t from;

	if (!(walk->lang->traits & TRAIT_METHODS) || walk->text[at] != '\'')
		return false;
	from = walk_word_start(walk, at, SIZE_MAX);
	return !lang_word(words, walk->text + from, at - from, NULL);
}

/* A quote that begins no string: 1'000, 'label, &'a. */
static bool
is_no_quote(const struct walk *walk, size_t at, uint16_t flags)
{
	uint8_t before = at > 0 ? walk->text[at - 1] : 0;
	uint8_t next = walk_byte(walk, at + 1);

	if (before == '$' && is_behind_dollar(walk))
		return true;
	if (is_word_byte(before) && is_word_byte(next)) {
		if (is_apostrophe(walk, at))
			return true;
		/* u'x' and L'x' are characters, 0x7f'ff is a number */
		if (flags & QUOTE_CHAR)
			return !((before == 'u' || before == 'U' ||
				  before == 'L' || before == '8') &&
				 walk_byte(walk, at + 2) == '\'');
	}
	if (flags & QUOTE_PAIR)
		return next != walk->text[at] || is_word_byte(before);
	if (!(flags & QUOTE_LABEL) || next == '\\')
		return false;
	if (next >= 0x80)
		return false;
	return walk_byte(walk, at + 2) != '\'';
}

/* The flags of a string by what stands before its quote: @"", r"", E''. */
static __attribute__((noinline)) uint8_t
prefixed_flags(const struct walk *walk, size_t at, uint8_t flags)
{
	uint8_t before = walk->text[at - 1];
	uint8_t second = at > 1 ? walk->text[at - 2] : 0;

	if ((walk->lang->traits & TRAIT_VERBATIM) &&
	    (before == '@' || (before == '$' && second == '@')))
		flags |= MODE_RAW | MODE_DOUBLED | MODE_LINES;
	if (lex_interpolates(walk, before, second, flags & MODE_INTERP))
		flags |= MODE_INTERP;
	else
		flags &= (uint8_t)~MODE_INTERP;
	switch (walk->scan->lang) {
	case LANG_DART:
		if (before == 'r' && !is_word_byte(second))
			flags |= MODE_RAW;
		break;
	case LANG_NIM:
		if (is_word_byte(before))
			flags |= MODE_RAW;
		break;
	case LANG_SQL:
		if ((before == 'E' || before == 'e') && !is_word_byte(second))
			flags &= (uint8_t)~MODE_RAW;
		break;
	default:
		break;
	}
	return flags;
}

static uint8_t
string_flags(const struct walk *walk, size_t at, uint16_t quote)
{
	uint8_t flags = 0;

	if (quote & QUOTE_LINES)
		flags |= MODE_LINES;
	/* $'...' has escapes, '...' has none */
	if ((quote & QUOTE_RAW) && !(walk->lang->family == FAMILY_SHELL &&
				     at > 0 && walk->text[at - 1] == '$'))
		flags |= MODE_RAW;
	if (quote & QUOTE_DOUBLED)
		flags |= MODE_DOUBLED;
	if ((quote & (QUOTE_DOLLAR | QUOTE_HASH | QUOTE_BACKSLASH)) ||
	    ((quote & QUOTE_BRACE) && walk->scan->lang == LANG_PHP))
		flags |= MODE_INTERP;
	/* nearly all strings stand behind a mark or a blank */
	return at > 0 && (is_word_byte(walk->text[at - 1]) ||
			  walk->text[at - 1] == '@' ||
			  walk->text[at - 1] == '$')
		       ? prefixed_flags(walk, at, flags)
		       : flags;
}

/* The end of a raw string; SIZE_MAX: none. Apart, as few strings are. */
static __attribute__((noinline)) size_t
raw_string(struct walk *walk, size_t at)
{
	struct raw_string raw;

	return raw_string_at(walk, at, &raw)
		       ? lex_term(walk, raw.at, raw.term, raw.bytes)
		       : SIZE_MAX;
}

/* Whether """\""" is a string, of a backslash. */
static bool
is_raw_if_tripled(uint32_t lang)
{
	return lang == LANG_KOTLIN || lang == LANG_SCALA ||
	       lang == LANG_FSHARP || lang == LANG_NIM;
}

size_t
lex_quote(struct walk *walk, size_t at)
{
	uint8_t quote = walk->text[at];
	uint16_t flags = walk->events->quotes[quote & 127];
	uint8_t before = at > 0 ? walk->text[at - 1] : 0;
	struct lang_mode *mode = &walk->scan->mode;

	if (is_no_quote(walk, at, flags))
		return at + 1;
	/* whatever the language, one of these stands before it */
	if (before == 'R' || before == 'r' || before == '#' || before == '@') {
		size_t end = raw_string(walk, at);

		if (end != SIZE_MAX)
			return end;
	}
	begin(walk, MODE_STRING, at);
	mode->quote = quote;
	mode->flags = string_flags(walk, at, flags);
	if (flags & QUOTE_PAIR) {
		mode->flags |= MODE_PAIR | MODE_RAW;
		return resume_string(walk, at + 2);
	}
	if ((flags & QUOTE_TRIPLE) && walk_byte(walk, at + 1) == quote &&
	    walk_byte(walk, at + 2) == quote && !(mode->flags & MODE_DOUBLED)) {
		if (walk->scan->lang == LANG_CSHARP)
			return raw_string(walk, at);
		mode->flags |= MODE_TRIPLE | MODE_LINES;
		if (is_raw_if_tripled(walk->scan->lang))
			mode->flags |= MODE_RAW;
		return resume_string(walk, at + 3);
	}
	return resume_string(walk, at + 1);
}
