/* SPDX-License-Identifier: MIT */
/*
 * head.c - reading the head of a statement as tokens.
 */
#include "lang/head.h"

#include <string.h>

#include "lang/preproc.h"

bool
head_in_tail(const struct walk *walk)
{
	const struct lang_frame *frame = walk_frame(walk);

	return frame != NULL && frame->brace == BRACE_TAIL;
}

void
head_end_tail(struct walk *walk, size_t end)
{
	size_t least = walk_index(walk, walk_frame(walk)->resume_off - 1);

	walk_pop(walk, end > least ? end : least);
}

#define KEPT_FIRST 40 /* tokens that are kept of a long head */

/* What the reading keeps besides the head. */
struct reader {
	struct walk *walk;
	struct head *head;
	size_t at;
	size_t lead;         /* comments just before `at`; SIZE_MAX: none */
	uint32_t opens;      /* brackets that are open, also those left out */
	uint32_t lost_opens; /* of these, left out by make_room() */
	uint8_t lines;  /* newlines since the last token or comment, up to 2 */
	bool line_seen; /* a line has begun in this head */
	bool no_endif;  /* looked for and not found */
	bool newline;   /* before the next token */
};

bool
token_in(const struct walk *walk, const struct token *token, const char *list,
	 char *letter)
{
	const uint8_t *word = walk->text + token->at;

	if (token->type != TOKEN_WORD)
		return false;
	for (size_t i = 0; i < LANG_WORDS_NR; i++) {
		const struct lang_word_set *words = &walk->words[i];

		if (list != words->list)
			continue;
		if (!(walk->lang->traits & TRAIT_ANY_CASE))
			return lang_words_have(words, word, token->bytes,
					       letter);
		if (!lang_words_may_have(words, word, token->bytes))
			return false;
	}
	if (walk->lang->traits & TRAIT_ANY_CASE)
		return lang_word_any_case(list, word, token->bytes, letter);
	return lang_word(list, word, token->bytes, letter);
}

bool
token_punct(const struct head *head, uint32_t i, uint8_t punct)
{
	return i < head->nr && head->tokens[i].type == TOKEN_PUNCT &&
	       head->tokens[i].punct == punct;
}

bool
token_group(const struct head *head, uint32_t i, uint8_t bracket)
{
	return i < head->nr && head->tokens[i].type == TOKEN_GROUP &&
	       head->tokens[i].punct == bracket;
}

uint32_t
head_open(const struct head *head)
{
	for (uint32_t i = head->nr; i-- > 0;)
		if (head->tokens[i].type == TOKEN_OPEN)
			return i + 1;
	return 0;
}

/* Keeps the first tokens and the last; those between are not looked at. */
static void
make_room(struct reader *reader)
{
	struct head *head = reader->head;
	const uint32_t nr = 12;

	head->lost = true;
	for (uint32_t i = KEPT_FIRST; i < KEPT_FIRST + nr; i++)
		reader->lost_opens += head->tokens[i].type == TOKEN_OPEN;
	memmove(&head->tokens[KEPT_FIRST], &head->tokens[KEPT_FIRST + nr],
		(HEAD_TOKENS - KEPT_FIRST - nr) * sizeof(head->tokens[0]));
	head->nr -= nr;
}

static void
add(struct reader *reader, size_t bytes, uint8_t type, uint8_t punct)
{
	struct head *head = reader->head;

	if (head->nr == HEAD_TOKENS)
		make_room(reader);
	if (head->nr == 0)
		head->lead = reader->lead;
	/* an escape at the end of the text is said to be longer than that */
	bytes = min_size(bytes, reader->walk->end - reader->at);
	head->tokens[head->nr++] = (struct token){
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
	reader->head->nr = 0;
	reader->head->lost = false;
	reader->opens = 0;
	reader->lost_opens = 0;
}

static bool
first_on_line(const struct walk *walk, size_t at)
{
	while (at > 0 && is_blank_byte(walk->text[at - 1]))
		at--;
	return at == 0 || walk->text[at - 1] == '\n';
}

/* The last open bracket was left out: all tokens kept behind it go, too. */
static void
close_lost(struct reader *reader)
{
	reader->lost_opens--;
	reader->opens--;
	reader->head->nr = KEPT_FIRST;
}

/*
 * The bracket was opened before the braces that the head begins behind:
 * [{ a: 1 }, b] - tokens before it begin no statement.
 */
static void
close_outer(struct reader *reader)
{
	struct head *head = reader->head;

	if (!(reader->walk->lang->traits & TRAIT_NEWLINE))
		return;
	reader->lead = SIZE_MAX;
	if (head->is_tail)
		head->nr = 1;
	else
		forget(reader);
}

static void
close_group(struct reader *reader, uint8_t bracket)
{
	struct head *head = reader->head;
	uint32_t first = reader->lost_opens > 0 ? KEPT_FIRST : 0;
	uint32_t i = head->nr;

	reader->at++;
	reader->newline = false;
	while (i-- > first) {
		struct token *token = &head->tokens[i];

		if (token->type != TOKEN_OPEN)
			continue;
		for (uint32_t k = i; k < head->nr; k++)
			reader->opens -= head->tokens[k].type == TOKEN_OPEN;
		token->type = TOKEN_GROUP;
		token->bytes = reader->at - token->at;
		head->nr = i + 1;
		return;
	}
	if (first > 0) {
		close_lost(reader);
		return;
	}
	/* the end of a group of types in Go */
	if (bracket == '(' &&
	    reader->walk->scan->aux[AUX_GROUP] != GROUP_NONE &&
	    reader->walk->scan->lang == LANG_GO &&
	    first_on_line(reader->walk, reader->at - 1)) {
		head->end = reader->at - 1;
		if (head->nr > 0)
			head_finish(reader->walk, head);
		reader->walk->scan->aux[AUX_GROUP] = GROUP_NONE;
		reader->lead = SIZE_MAX;
		forget(reader);
		return;
	}
	close_outer(reader);
}

/* Words that never begin a statement. */
static const char continues[] =
	"extends implements where with else catch finally throws is as in of "
	"from instanceof satisfies";

/* Of Kotlin and Scala: what an expression or a head lets hang. */
static bool
expression_goes_on(const struct reader *reader, uint8_t c)
{
	const struct walk *walk = reader->walk;
	const struct head *head = reader->head;
	const struct token *last = &head->tokens[head->nr - 1];

	if (last->type == TOKEN_GROUP && head->nr > 1 &&
	    token_in(walk, last - 1, "if while for", NULL))
		return true;
	/* further lists of arguments */
	if (c != '(' || last->type != TOKEN_GROUP)
		return false;
	for (uint32_t i = 0; i < head->nr; i++)
		if (token_punct(head, i, '='))
			return false;
	return token_in(walk, &head->tokens[0], walk->lang->definers, NULL) ||
	       token_in(walk, &head->tokens[0], walk->lang->modifiers, NULL);
}

/* { name => and case name => : what follows in the next line is for itself. */
static bool
ends_with_arrow(const struct reader *reader)
{
	const struct walk *walk = reader->walk;
	const struct head *head = reader->head;
	uint8_t arrow =
		walk->scan->lang == LANG_SCALA ? PUNCT_ARROW : PUNCT_RIGHT;

	return (walk->lang->traits & TRAIT_EXPRESSION_BODY) &&
	       token_punct(head, head->nr - 1, arrow) && !head->is_tail &&
	       !token_in(walk, &head->tokens[0], walk->lang->definers, NULL) &&
	       (token_is(walk, &head->tokens[0], "case") ||
		!token_in(walk, &head->tokens[0], walk->lang->modifiers,
			  NULL)) &&
	       !token_in(walk, &head->tokens[0], "val var", NULL);
}

static bool
is_one_of(const char *bytes, uint8_t c)
{
	return c != '\0' && strchr(bytes, c) != NULL;
}

/* Whether a line that ends with that sign wants another; `?` ends types. */
static bool
wants_more(const struct walk *walk, const struct token *last)
{
	if (last->type != TOKEN_PUNCT || last->punct == '>' ||
	    last->punct == '!')
		return false;
	return last->punct != '?' || (walk->lang->traits & TRAIT_METHODS);
}

/* = value, and nothing else of the words that want more */
static bool
ends_with_value(const struct reader *reader)
{
	const struct walk *walk = reader->walk;
	const struct head *head = reader->head;
	const struct token *last = &head->tokens[head->nr - 1];

	return last->type == TOKEN_WORD && head->nr > 1 &&
	       token_punct(head, head->nr - 2, '=') &&
	       !token_in(walk, last, continues, NULL) &&
	       (walk->lang->traits & TRAIT_EXPRESSION_BODY);
}

/* Whether a line ends with a word that something has to follow. */
static bool
word_goes_on(const struct reader *reader)
{
	const struct walk *walk = reader->walk;
	const struct head *head = reader->head;
	const struct token *last = &head->tokens[head->nr - 1];

	if (last->type != TOKEN_WORD || token_is(walk, last, "throws"))
		return false;
	/* as a name: import a as type, a.open */
	if (head->nr > 1 && (token_is(walk, last - 1, "as") ||
			     token_punct(head, head->nr - 2, '.')))
		return false;
	/* as a value of JavaScript: exports.get = get */
	if ((walk->lang->traits & TRAIT_METHODS) && head->nr > 1 &&
	    token_punct(head, head->nr - 2, '=') &&
	    token_in(walk, last, walk->lang->modifiers, NULL))
		return false;
	return token_in(walk, last, walk->lang->modifiers, NULL) ||
	       token_in(walk, last, continues, NULL) ||
	       token_in(walk, last, walk->lang->definers, NULL);
}

/* Whether a line that begins with c belongs to the one before it. */
static bool
byte_goes_on(const struct reader *reader, uint8_t c)
{
	bool methods = reader->walk->lang->traits & TRAIT_METHODS;

	if (is_one_of(".?:,=&|+*/%>)]", c) && !(c == '*' && methods))
		return true;
	return (c == '(' || c == '[') && methods &&
	       reader->head->frame != FRAME_CLASS;
}

/* Annotations and decorators stand before what they are of. */
static bool
is_annotation(const struct head *head)
{
	uint32_t i = 0;

	while (token_punct(head, i, '@')) {
		i += 2;
		while (token_punct(head, i, '.'))
			i += 2;
		i += token_group(head, i, '(');
		if (i >= head->nr)
			return true;
	}
	return false;
}

/* Whether the statement goes on although a line ended before c. */
static bool
goes_on(const struct reader *reader, uint8_t c)
{
	const struct walk *walk = reader->walk;
	const struct head *head = reader->head;

	/* import a.b.* */
	if (token_punct(head, head->nr - 1, '*') &&
	    token_is(walk, &head->tokens[0], "import"))
		return false;
	if (wants_more(walk, &head->tokens[head->nr - 1]))
		return true;
	if (ends_with_value(reader))
		return is_one_of(".?:,=&|+*/%>)]-", c);
	if ((walk->lang->traits & TRAIT_EXPRESSION_BODY) &&
	    expression_goes_on(reader, c))
		return true;
	if (c == '-' && walk_byte(walk, reader->at + 1) == '>')
		return true;
	return word_goes_on(reader) || byte_goes_on(reader, c) ||
	       is_annotation(head);
}

/* A token begins at reader->at: is it the first of a new statement? */
static void
maybe_end_statement(struct reader *reader, uint8_t c)
{
	struct walk *walk = reader->walk;
	struct head *head = reader->head;
	const struct token *last;

	if (head->nr == 0 || reader->opens > 0 || !reader->newline ||
	    !(walk->lang->traits & TRAIT_NEWLINE))
		return;
	if (ends_with_arrow(reader)) {
		forget(reader);
		return;
	}
	if (goes_on(reader, c))
		return;
	if (is_word_byte(c)) {
		struct token word = { .at = reader->at, .type = TOKEN_WORD };

		word.bytes = walk_word_end(walk, word.at) - word.at;
		if (token_in(walk, &word, continues, NULL))
			return;
	}
	last = &head->tokens[head->nr - 1];
	head->end = last->at + last->bytes;
	if (head->is_tail) {
		head_end_tail(walk, head->end);
		head->is_tail = false;
		head->frame = walk_frame_type(walk);
	} else {
		head_finish(walk, head);
	}
	forget(reader);
}

/* In objects, and among constants, a comma ends what it stands behind. */
static bool
comma_ends(const struct reader *reader)
{
	return reader->opens == 0 && (reader->head->frame == FRAME_OBJECT ||
				      reader->head->frame == FRAME_ENUM);
}

/* key: x => value, */
static void
end_pair(struct reader *reader)
{
	struct head *head = reader->head;

	if (head->nr == 0 || head->frame != FRAME_OBJECT)
		return;
	head->end = reader->at;
	head_finish(reader->walk, head);
}

static bool
is_access(const struct reader *reader)
{
	const struct head *head = reader->head;

	return (reader->walk->lang->traits & TRAIT_C) && head->nr > 0 &&
	       head->nr <= 2 && reader->opens == 0 &&
	       token_in(reader->walk, &head->tokens[0],
			"public private protected signals Q_SIGNALS default "
			"Q_SLOTS",
			NULL);
}

void
head_access(struct walk *walk, const struct token *word)
{
	struct lang_frame *frame = walk_frame(walk);

	if (frame == NULL)
		return;
	if (token_in(walk, word, "private protected", NULL))
		frame->shut = 1;
	else if (token_in(walk, word, "public signals Q_SIGNALS", NULL))
		frame->shut = 0;
}

static void
read_punct(struct reader *reader, uint8_t c)
{
	struct walk *walk = reader->walk;
	uint8_t next = walk_byte(walk, reader->at + 1);

	if (c == ',' && comma_ends(reader)) {
		end_pair(reader);
		reader->at++;
		reader->lines = 0;
		reader->newline = false;
		forget(reader);
	} else if (c == ':' && next != ':' && is_access(reader)) {
		head_access(reader->walk, &reader->head->tokens[0]);
		reader->at++;
		reader->lines = 0;
		forget(reader);
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

/*
 * Parentheses that are closed soon and hold nothing that needs a closer look
 * are one token at once. Returns its bytes, or 0.
 */
static size_t
plain_group(const struct reader *reader, uint8_t c)
{
	const uint8_t *text = reader->walk->text;
	size_t to = min_size(reader->walk->end, reader->at + 512);
	uint32_t nest = 0;

	if (c != '(')
		return 0;
	for (size_t i = reader->at; i < to; i++) {
		switch (text[i]) {
		case '(':
			nest++;
			break;
		case ')':
			if (--nest == 0)
				return i + 1 - reader->at;
			break;
		case '"':
		case '\'':
		case '`':
		case '/':
		case '#':
		case '{':
			return 0;
		default:
			break;
		}
	}
	return 0;
}

static void
read_open(struct reader *reader, uint8_t c)
{
	size_t bytes;

	if (c == '(' && head_begins_group(reader->walk, reader->head)) {
		reader->at++;
		forget(reader);
		return;
	}
	bytes = plain_group(reader, c);
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
	word = &reader->head->tokens[reader->head->nr - 1];
	/* statements begin behind <?php */
	if (reader->opens == 0 && (walk->lang->traits & TRAIT_EMBEDDED) &&
	    token_is(walk, word, "php") && word->at > 0 &&
	    walk->text[word->at - 1] == '?')
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
	reader->at = lex_resume(walk, reader->at);
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
		if (next == '/')
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
	if (reader->lead == SIZE_MAX &&
	    first_on_line(reader->walk, reader->at) &&
	    (reader->line_seen || reader->at == 0 ||
	     reader->walk->text[reader->at - 1] == '\n'))
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
	    first_on_line(walk, reader->at)) {
		skip_directive(reader);
		return true;
	}
	return false;
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
		add(reader, end - at,
		    end == at + 1 ? TOKEN_PUNCT : TOKEN_STRING, c);
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
read_outline(struct reader *reader, uint8_t c)
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
	if (!is_word_byte(c) && skip_aside(reader, c))
		return;
	maybe_end_statement(reader, c);
	if (is_word_byte(c) || c == '$')
		read_word(reader);
	else if (!read_quoted(reader, c))
		read_outline(reader, c);
}

/* What has been read of the expression stands as one token: its last brace. */
static void
begin_tail(struct walk *walk, size_t from, struct head *head)
{
	head->is_tail = head_in_tail(walk) && from > 0;
	if (!head->is_tail)
		return;
	head->tokens[0] = (struct token){
		.at = from - 1,
		.bytes = 1,
		.type = TOKEN_GROUP,
		.punct = '{',
	};
	head->nr = 1;
}

void
head_read(struct walk *walk, size_t from, size_t to, struct head *head)
{
	const struct lang_sink *sink = walk->sink;
	struct lang_mode mode = walk->scan->mode;
	size_t end = walk->end;
	bool at_end = walk->at_end;
	struct lang_sink quiet = { 0 };
	struct reader reader = {
		.walk = walk,
		.head = head,
		.at = from,
		.lead = SIZE_MAX,
	};

	/* a byte order mark is no word */
	if (walk->off + from == 0 && to >= 3 &&
	    memcmp(walk->text, "\xef\xbb\xbf", 3) == 0)
		reader.at = 3;
	head->nr = 0;
	head->lost = false;
	head->lead = SIZE_MAX;
	head->frame = walk_frame_type(walk);
	head->end = to;
	begin_tail(walk, from, head);
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
	head->end = to;
}
