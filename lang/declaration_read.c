/* SPDX-License-Identifier: MIT */
/*
 * declaration_read.c - reading a statement as tokens.
 */
#include "lang/declaration.h"

#include <string.h>

#include "lang/preproc.h"

bool
declaration_in_tail(const struct walk *walk)
{
	const struct lang_frame *frame = walk_frame(walk);

	return frame != NULL && frame->brace == BRACE_TAIL;
}

void
declaration_end_tail(struct walk *walk, size_t end)
{
	size_t least = walk_index(walk, walk_frame(walk)->resume_off - 1);

	walk_pop(walk, end > least ? end : least);
}

#define KEPT_FIRST 40 /* tokens that are kept of a long statement */

/* What the reading keeps besides the tokens. */
struct reader {
	struct walk *walk;
	struct declaration *decl;
	size_t at;
	size_t lead;         /* comments just before `at`; SIZE_MAX: none */
	uint32_t opens;      /* brackets that are open, also those left out */
	uint32_t lost_opens; /* of these, left out by make_room() */
	uint8_t lines;  /* newlines since the last token or comment, up to 2 */
	bool line_seen; /* a line has begun in this statement */
	bool no_endif;  /* looked for and not found */
	bool newline;   /* before the next token */
};

/* Behind the last bracket that is open; 0: none is. */
static uint32_t
find_open(const struct declaration *decl)
{
	for (uint32_t i = decl->nr; i-- > 0;)
		if (decl->tokens[i].type == TOKEN_OPEN)
			return i + 1;
	return 0;
}

/* Keeps the first tokens and the last; those between are not looked at. */
static void
make_room(struct reader *reader)
{
	struct declaration *decl = reader->decl;
	const uint32_t nr = 12;

	decl->lost = true;
	for (uint32_t i = KEPT_FIRST; i < KEPT_FIRST + nr; i++)
		reader->lost_opens += decl->tokens[i].type == TOKEN_OPEN;
	memmove(&decl->tokens[KEPT_FIRST], &decl->tokens[KEPT_FIRST + nr],
		(DECLARATION_TOKENS - KEPT_FIRST - nr) *
			sizeof(decl->tokens[0]));
	decl->nr -= nr;
}

static void
add(struct reader *reader, size_t bytes, uint8_t type, uint8_t punct)
{
	struct declaration *decl = reader->decl;

	if (decl->nr == DECLARATION_TOKENS)
		make_room(reader);
	if (decl->nr == 0)
		decl->lead = reader->lead;
	/* an escape at the end of the text is said to be longer than that */
	bytes = min_size(bytes, reader->walk->end - reader->at);
	decl->tokens[decl->nr++] = (struct token){
		.at = reader->at,
		.bytes = bytes,
		.type = type,
		.punct = punct,
		.newline = reader->newline,
	};
	reader->opens += type == TOKEN_OPEN;
	reader->lead = SIZE_MAX;
	reader->newline = false;
	reader->lines = 0;
	reader->at += bytes;
}

static void
forget(struct reader *reader)
{
	reader->decl->nr = 0;
	reader->decl->lost = false;
	reader->opens = 0;
	reader->lost_opens = 0;
}

static bool
first_on_line(const struct walk *walk, size_t at)
{
	at = walk_trim_blanks(walk, 0, at);
	return at == 0 || walk->text[at - 1] == '\n';
}

/* Whether the bracket ends a group of types or values in Go. */
static bool
ends_group(const struct reader *reader, uint8_t bracket)
{
	const struct lang_scan *scan = reader->walk->scan;

	return bracket == '(' && scan->lang == LANG_GO &&
	       scan->aux[AUX_GROUP] != GROUP_NONE &&
	       first_on_line(reader->walk, reader->at - 1);
}

/*
 * A bracket closes that is none of the tokens'. One that was left out: all
 * tokens kept behind it go, too. One opened before the braces that the
 * statement begins behind, [{ a: 1 }, b]: tokens before it begin no statement.
 */
static void
close_unknown(struct reader *reader, uint8_t bracket)
{
	struct declaration *decl = reader->decl;

	if (reader->lost_opens > 0) {
		reader->lost_opens--;
		reader->opens--;
		decl->nr = KEPT_FIRST;
	} else if (ends_group(reader, bracket)) {
		decl->end = reader->at - 1;
		if (decl->nr > 0)
			declaration_finish(decl);
		reader->walk->scan->aux[AUX_GROUP] = GROUP_NONE;
		reader->lead = SIZE_MAX;
		forget(reader);
	} else if (reader->walk->lang->traits & TRAIT_NEWLINE) {
		reader->lead = SIZE_MAX;
		if (decl->is_tail)
			decl->nr = 1;
		else
			forget(reader);
	}
}

static void
close_group(struct reader *reader, uint8_t bracket)
{
	struct declaration *decl = reader->decl;
	uint32_t first = reader->lost_opens > 0 ? KEPT_FIRST : 0;
	uint32_t i = decl->nr;

	reader->at++;
	reader->newline = false;
	while (i-- > first) {
		struct token *token = &decl->tokens[i];

		if (token->type != TOKEN_OPEN)
			continue;
		for (uint32_t k = i; k < decl->nr; k++)
			reader->opens -= decl->tokens[k].type == TOKEN_OPEN;
		token->type = TOKEN_GROUP;
		token->bytes = reader->at - token->at;
		decl->nr = i + 1;
		return;
	}
	close_unknown(reader, bracket);
}

/* A token begins at reader->at: is it the first of a new statement? */
static void
maybe_end_statement(struct reader *reader)
{
	struct walk *walk = reader->walk;
	struct declaration *decl = reader->decl;
	const struct token *last;

	if (decl->nr == 0 || reader->opens > 0 || !reader->newline ||
	    !(walk->lang->traits & TRAIT_NEWLINE))
		return;
	if (declaration_ends_with_arrow(decl)) {
		forget(reader);
		return;
	}
	if (declaration_goes_on(decl, reader->at))
		return;
	last = &decl->tokens[decl->nr - 1];
	decl->end = last->at + last->bytes;
	if (decl->is_tail) {
		declaration_end_tail(walk, decl->end);
		decl->is_tail = false;
		decl->frame = walk_frame_type(walk);
	} else {
		declaration_finish(decl);
	}
	forget(reader);
}

/* The token before has ended a statement, or a part of it like key: value. */
static void
forget_up_to(struct reader *reader)
{
	reader->at++;
	reader->lines = 0;
	forget(reader);
}

/* What stands before a comma ends: key: value, or a constant. */
static void
end_at_comma(struct declaration *decl)
{
	if (decl->frame == FRAME_OBJECT) {
		declaration_finish(decl);
		return;
	}
	decl->term = ',';
	decl->first = declaration_first(decl);
	declaration_member(decl, false, false);
}

static bool
is_access(const struct reader *reader)
{
	const struct declaration *decl = reader->decl;

	return (reader->walk->lang->traits & TRAIT_C) && decl->nr <= 2 &&
	       reader->opens == 0 &&
	       word_in(decl, 0,
		       "public private protected signals Q_SIGNALS default "
		       "Q_SLOTS");
}

void
declaration_access(struct walk *walk, size_t at, size_t bytes)
{
	struct lang_frame *frame = walk_frame(walk);

	if (frame == NULL)
		return;
	if (word_letter_at(walk, at, bytes, "private"))
		frame->shut = 1;
	else if (word_letter_at(walk, at, bytes,
				"public protected signals Q_SIGNALS"))
		frame->shut = 0;
}

static void
read_punct(struct reader *reader, uint8_t c)
{
	struct declaration *decl = reader->decl;
	uint8_t next = walk_byte(reader->walk, reader->at + 1);

	if (c == ',' && reader->opens == 0 && declaration_comma_ends(decl)) {
		/* key: x => value, */
		decl->end = reader->at;
		if (decl->nr > 0)
			end_at_comma(decl);
		reader->newline = false;
		forget_up_to(reader);
	} else if (c == ':' && next != ':' && is_access(reader)) {
		declaration_access(reader->walk, decl->tokens[0].at,
				   decl->tokens[0].bytes);
		forget_up_to(reader);
	} else if (c == '=' && next == '>') {
		add(reader, 2, TOKEN_PUNCT, PUNCT_ARROW);
	} else if (c == '-' && next == '>') {
		add(reader, 2, TOKEN_PUNCT, PUNCT_RIGHT);
	} else if (c == ':' && next == ':') {
		add(reader, 2, TOKEN_PUNCT, PUNCT_SCOPE);
	} else if ((next == '=' && strchr("=!<>", c) != NULL) ||
		   (c == '<' && next == '-')) {
		add(reader, 2, TOKEN_PUNCT, PUNCT_OTHER);
	} else {
		add(reader, 1, TOKEN_PUNCT, c);
	}
}

static void
read_open(struct reader *reader, uint8_t c)
{
	size_t bytes;

	if (c == '(' && declaration_begins_group(reader->decl)) {
		reader->at++;
		forget(reader);
		return;
	}
	bytes = declaration_plain_group(reader->walk, reader->at);
	if (bytes > 0)
		add(reader, bytes, TOKEN_GROUP, c);
	else
		add(reader, 1, TOKEN_OPEN, c);
}

static void
read_word(struct reader *reader)
{
	struct walk *walk = reader->walk;
	size_t at = walk_word_end(walk, reader->at);
	struct token *word;

	while (walk_byte(walk, at) == '$')
		at = walk_word_end(walk, at + 1);
	add(reader, at - reader->at, TOKEN_WORD, 0);
	word = &reader->decl->tokens[reader->decl->nr - 1];
	/* statements begin behind <?php */
	if (reader->opens == 0 && (walk->lang->traits & TRAIT_EMBEDDED) &&
	    word_is(reader->decl, reader->decl->nr - 1, "php") &&
	    word->at > 0 && walk->text[word->at - 1] == '?')
		forget(reader);
}

static void
skip_directive(struct reader *reader)
{
	struct walk *walk = reader->walk;
	size_t to = walk->end;
	size_t end;

	reader->lead = SIZE_MAX;
	if (preproc_is(walk, reader->at, "el") && !reader->no_endif) {
		end = preproc_skip_else(walk, reader->at, to);
		if (end != SIZE_MAX) {
			reader->at = end;
			return;
		}
		reader->no_endif = true;
		forget(reader);
	}
	/* a comment that begins on the line may end on another */
	walk->scan->mode = (struct lang_mode){ .kind = MODE_DIRECTIVE };
	do
		reader->at = lex_resume(walk, reader->at);
	while (walk->scan->mode.kind != MODE_CODE && reader->at < to);
	walk->scan->mode.kind = MODE_CODE;
}

/* A comment of any kind at reader->at: its end, or SIZE_MAX. */
static size_t
skip_comment(struct reader *reader, uint8_t c)
{
	struct walk *walk = reader->walk;
	uint64_t traits = walk->lang->traits;
	uint8_t next = walk_byte(walk, reader->at + 1);

	if (c == '/' && !(traits & TRAIT_NO_SLASH)) {
		if (next == '/' && !(traits & TRAIT_SLASH_OPERATOR))
			return lex_line_comment(walk, reader->at);
		if (next == '*')
			return lex_block_comment(walk, reader->at, "*/");
	}
	if (c == '#' && (traits & TRAIT_HASH_COMMENTS) && next != '[')
		return lex_line_comment(walk, reader->at);
	if (c == '<' && next == '#' && (traits & TRAIT_ANY_CASE))
		return lex_block_comment(walk, reader->at, "#>");
	return SIZE_MAX;
}

static void
note_comment(struct reader *reader, size_t end)
{
	if (reader->lead == SIZE_MAX && reader->line_seen &&
	    first_on_line(reader->walk, reader->at))
		reader->lead = walk_line_start(reader->walk, reader->at);
	reader->at = end;
	reader->lines = 0;
}

/* =pod ... =cut */
static void
skip_pod(struct reader *reader)
{
	const struct walk *walk = reader->walk;
	const uint8_t *cut = memmem(walk->text + reader->at,
				    walk->end - reader->at, "\n=cut", 5);

	reader->at = cut == NULL ? walk->end : (size_t)(cut - walk->text) + 5;
}

static void
read_newline(struct reader *reader)
{
	reader->line_seen = true;
	reader->newline = true;
	if (++reader->lines >= 2) {
		reader->lead = SIZE_MAX;
		reader->lines = 2;
	}
	reader->at++;
}

/* What is no part of the statement at reader->at: false if there is none. */
static bool
skip_aside(struct reader *reader, uint8_t c)
{
	const struct walk *walk = reader->walk;
	uint64_t traits = walk->lang->traits;
	size_t comment = skip_comment(reader, c);

	if (comment != SIZE_MAX) {
		note_comment(reader, comment);
		return true;
	}
	if (c == '=' && (traits & TRAIT_POD) &&
	    (reader->at == 0 || walk->text[reader->at - 1] == '\n')) {
		skip_pod(reader);
		return true;
	}
	if (c == '#' && (traits & (TRAIT_C | TRAIT_HASH_LINES)) &&
	    first_on_line(walk, reader->at) &&
	    preproc_is_directive(walk, reader->at)) {
		skip_directive(reader);
		return true;
	}
	return false;
}

/* Swift, Kotlin: `in` is a name. */
static enum token_type
quoted_type(const struct walk *walk, uint8_t c, size_t bytes)
{
	if (bytes == 1)
		return TOKEN_PUNCT;
	return c == '`' && (walk->scan->lang == LANG_SWIFT ||
			    walk->scan->lang == LANG_KOTLIN)
		       ? TOKEN_WORD
		       : TOKEN_STRING;
}

/* A string, or a regular expression: false if none begins at reader->at. */
static bool
read_quoted(struct reader *reader, uint8_t c)
{
	struct walk *walk = reader->walk;
	size_t at = reader->at;
	size_t end;

	if (c < 128 && walk->events->event[c] == EVENT_QUOTE) {
		end = lex_quote(walk, at);
		walk->scan->mode.kind = MODE_CODE;
		/* GraphQL: what begins a statement describes it */
		if (walk->scan->lang == LANG_GRAPHQL && reader->decl->nr == 0) {
			note_comment(reader, end);
			return true;
		}
		add(reader, end - at, (uint8_t)quoted_type(walk, c, end - at),
		    c);
		return true;
	}
	if (c != '/' || walk->lang->family != FAMILY_BRACE)
		return false;
	end = lex_regex(walk, at);
	if (end <= at + 1)
		return false;
	add(reader, end - at, TOKEN_STRING, c);
	return true;
}

/* What is neither blank nor a word, a comment, a string. */
static void
read_sign(struct reader *reader, uint8_t c)
{
	switch (c) {
	case '(':
	case '[':
	case '{':
		read_open(reader, c);
		break;
	case ')':
		close_group(reader, '(');
		break;
	case ']':
		close_group(reader, '[');
		break;
	case '}':
		close_group(reader, '{');
		break;
	default:
		read_punct(reader, c);
	}
}

static void
read_one(struct reader *reader)
{
	uint8_t c = reader->walk->text[reader->at];

	if (c == '\n') {
		read_newline(reader);
		return;
	}
	if (is_blank_byte(c)) {
		reader->at++;
		return;
	}
	/* a blank that does not break is no word */
	if (c == 0xc2 && walk_byte(reader->walk, reader->at + 1) == 0xa0) {
		reader->at += 2;
		return;
	}
	if (!is_word_byte(c) && skip_aside(reader, c))
		return;
	maybe_end_statement(reader);
	if (is_word_byte(c) || c == '$')
		read_word(reader);
	else if (!read_quoted(reader, c))
		read_sign(reader, c);
}

/* What has been read of the expression stands as one token: its last brace. */
static void
begin_tail(struct walk *walk, size_t from, struct declaration *decl)
{
	decl->is_tail = declaration_in_tail(walk) && from > 0;
	if (!decl->is_tail)
		return;
	decl->tokens[0] = (struct token){
		.at = from - 1,
		.bytes = 1,
		.type = TOKEN_GROUP,
		.punct = '{',
	};
	decl->nr = 1;
}

void
declaration_read(struct walk *walk, size_t from, size_t to,
		 struct declaration *decl)
{
	const struct lang_sink *sink = walk->sink;
	struct lang_mode mode = walk->scan->mode;
	size_t end = walk->end;
	bool at_end = walk->at_end;
	struct lang_sink quiet = { 0 };
	struct reader reader = {
		.walk = walk,
		.decl = decl,
		.at = from,
		.lead = SIZE_MAX,
		.line_seen = from == 0 || walk->text[from - 1] == '\n',
	};

	/* a byte order mark is no word */
	if (walk->off + from == 0 && to >= 3 &&
	    memcmp(walk->text, "\xef\xbb\xbf", 3) == 0)
		reader.at = 3;
	decl->walk = walk;
	decl->nr = 0;
	decl->open = 0; /* what ends before `to` has none */
	decl->lost = false;
	decl->lead = SIZE_MAX;
	decl->frame = walk_frame_type(walk);
	decl->end = to;
	begin_tail(walk, from, decl);
	if (sink != NULL) {
		/* comments have been told of before */
		quiet = *sink;
		quiet.comment = NULL;
		walk->sink = &quiet;
	}
	walk->end = to;
	walk->at_end = true;
	while (reader.at < to)
		read_one(&reader);
	walk->sink = sink;
	walk->end = end;
	walk->at_end = at_end;
	walk->scan->mode = mode;
	decl->end = to;
	decl->open = find_open(decl);
}
