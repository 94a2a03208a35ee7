/* SPDX-License-Identifier: MIT */
/*
 * anchor.c - names in a text, told by their form.
 */
#include "rank/anchor.h"

#include <stdio.h>
#include <string.h>

#include "base/ascii.h"
#include "base/hash.h"
#include "rank/asking.h"
#include "rank/query_text.h"

#define EXTENSION_BYTES 6
#define SHORT_TOKENS 8
#define MEMBER_TOKENS 9 /* of "show the method f of the class C" and the like */

static bool
is_word(uint8_t c)
{
	return ascii_is_word(c) || c == '$' || c >= 0x80;
}

/* ------------------------------------------------------------- names ---- */

uint32_t
anchors_find(const struct anchors *anchors, const uint8_t *name, size_t bytes,
	     uint32_t from)
{
	uint32_t hash;

	if (bytes == 0 || !(anchors->lengths[name[0]] >> bytes % 64 & 1))
		return ANCHOR_NONE;
	hash = hash32(HASH32_BEGIN, name, bytes);
	for (uint32_t i = from; i < anchors->name_nr; i++)
		if (anchors->names[i].hash == hash &&
		    anchors->names[i].bytes == bytes &&
		    memcmp(anchors->names[i].text, name, bytes) == 0)
			return i;
	return ANCHOR_NONE;
}

/* A text that names are looked for in. */
struct scan {
	struct anchors *anchors;
	uint32_t next_frame; /* that has not been passed */
	uint8_t place;       /* of this line, or the last one */
	bool in_first_line;
	bool in_code;   /* within back-quotes */
	bool is_alone;  /* a word, and there is no other */
	bool has_names; /* that look like it */
	bool asks_uses; /* has words that do */
	bool asks_heirs;
	bool has_words;  /* that say more than a name, or paths */
	bool asks_place; /* has words that do */
	bool asks_kind;  /* "class Parser": the word before the last one did */
	bool has_for;    /* any word that stands between others */
	uint32_t token_nr;
	uint32_t other_nr; /* of the words that say more, */
	uint8_t other;     /* and the last one as a name */
};

/* The index of a name, which is new or not; ANCHOR_NONE: no room. */
static uint8_t
add_name(const struct scan *scan, const uint8_t *text, size_t bytes,
	 enum anchor_sure sure, uint8_t owner)
{
	struct anchors *anchors = scan->anchors;
	struct anchor_name *name;
	uint32_t idx = anchors_find(anchors, text, bytes, 0);

	if (bytes < 2 || bytes > ANCHOR_NAME_BYTES)
		return ANCHOR_NONE;
	/* beside another place it is another one */
	while (idx != ANCHOR_NONE && scan->place != ANCHOR_NONE &&
	       anchors->names[idx].place != ANCHOR_NONE &&
	       anchors->names[idx].place != scan->place)
		idx = anchors_find(anchors, text, bytes, idx + 1);
	if (idx == ANCHOR_NONE) {
		if (anchors->name_nr == ANCHOR_NAMES_MAX)
			return ANCHOR_NONE;
		idx = anchors->name_nr++;
		name = &anchors->names[idx];
		*name = (struct anchor_name){
			.hash = hash32(HASH32_BEGIN, text, bytes),
			.bytes = (uint8_t)bytes,
			.sure = (uint8_t)sure,
			.owner = ANCHOR_NONE,
			.place = ANCHOR_NONE,
		};
		memcpy(name->text, text, bytes);
		anchors->lengths[text[0]] |= 1ull << bytes % 64;
	}
	name = &anchors->names[idx];
	/* a word of the first line, and elsewhere an identifier */
	if (sure != name->sure)
		name->sure = ANCHOR_TITLE;
	if (owner != ANCHOR_NONE && owner != idx)
		name->owner = owner;
	if (name->place == ANCHOR_NONE)
		name->place = scan->place;
	return (uint8_t)idx;
}

/* lowerUpper, UPPERLower or with_underscores. */
static bool
is_identifier(const uint8_t *text, size_t bytes)
{
	bool lower = false;

	for (size_t i = 0; i < bytes; i++) {
		if (text[i] == '_' && bytes > 2)
			return true;
		if (ascii_is_upper(text[i]) && lower)
			return true;
		if (ascii_is_upper(text[i]) && i > 0 && i + 1 < bytes &&
		    ascii_is_upper(text[i - 1]) && ascii_is_lower(text[i + 1]))
			return true;
		lower |= ascii_is_lower(text[i]);
	}
	return false;
}

/* Words joined by dots or colons, or a path. */
struct token {
	const uint8_t *text;
	const uint8_t *end;
	bool is_path;   /* has a slash */
	bool is_dotted; /* has a dot, or two colons */
};

/* Behind "#": a name, and no number or line, as in an address. */
static bool
is_member_at(const uint8_t *at, const uint8_t *end)
{
	if (*at == 'L')
		at++;
	return at < end && is_word(*at) && !ascii_is_digit(*at);
}

/* What stands between two words of a token: its bytes; 0: the token ends. */
static size_t
joint_at(const uint8_t *at, const uint8_t *end, struct token *token)
{
	if (at + 1 >= end)
		return 0;
	if (*at == '.' && is_word(at[1])) {
		token->is_dotted = true;
		return 1;
	}
	if (at + 2 < end && at[0] == ':' && at[1] == ':' && is_word(at[2])) {
		token->is_dotted = true;
		return 2;
	}
	if (*at == '#' && !token->is_path && is_member_at(at + 1, end)) {
		token->is_dotted = true;
		return 1;
	}
	if ((*at == '/' || *at == '\\') && (is_word(at[1]) || at[1] == '.')) {
		token->is_path = true;
		return 1;
	}
	return (*at == '-' || *at == '.') && token->is_path ? 1 : 0;
}

/* The next one from *at on; false: there is none. */
static bool
next_token(const uint8_t **at, const uint8_t *end, struct token *token)
{
	const uint8_t *c = *at;
	size_t joint;

	while (c < end && !is_word(*c) && !(*c == '/' && c + 1 < end))
		c++;
	if (c == end)
		return false;
	*token = (struct token){ .text = c };
	do {
		while (c < end && is_word(*c))
			c++;
		joint = joint_at(c, end, token);
		c += joint;
	} while (joint > 0);
	if (c == token->text) /* a slash alone */
		c++;
	token->end = c;
	*at = c;
	return true;
}

/* "3.8.2": a number, of a version or of anything. */
static bool
is_number(const struct token *token)
{
	for (const uint8_t *c = token->text; c < token->end; c++)
		if (is_word(*c) && !ascii_is_digit(*c))
			return false;
	return true;
}

/* "name.ext": what is behind the last dot looks like an extension. */
static bool
has_extension(const struct token *token)
{
	size_t bytes = (size_t)(token->end - token->text);
	const uint8_t *dot = memrchr(token->text, '.', bytes);

	return dot != NULL && dot > token->text &&
	       token->end - dot - 1 <= EXTENSION_BYTES;
}

static void
add_module(const struct scan *scan, const struct token *token)
{
	char path[ANCHOR_PATH_BYTES];
	size_t bytes = 0;

	for (const uint8_t *c = token->text;
	     c < token->end && bytes < sizeof(path); c++) {
		if (*c == ':' && c[1] == ':')
			continue;
		path[bytes++] = *c == '.' || *c == ':' ? '/' : (char)*c;
	}
	if (bytes < sizeof(path))
		anchors_add_place(scan->anchors, ANCHOR_MODULE, path, bytes, 0);
}

static enum anchor_sure
how_sure(const struct scan *scan, const struct token *token,
	 const uint8_t *word, size_t bytes, bool is_called)
{
	if (!is_identifier(word, bytes) && !scan->in_code &&
	    !token->is_dotted && scan->place == ANCHOR_NONE && !is_called &&
	    !scan->is_alone)
		return ANCHOR_WORD;
	return scan->in_first_line ? ANCHOR_TITLE : ANCHOR_IDENTIFIER;
}

/* Whether a word asks for a name; if so, what it asks. */
static bool
read_asking(struct scan *scan, const uint8_t *word, size_t bytes)
{
	enum asking asking = asking_of(word, bytes);

	/* "implement a cache" is a task */
	if (scan->token_nr == 1 && asking_is_task(word, bytes))
		asking = ASKING_NOT;
	scan->asks_kind = asking == ASKING_KIND ||
			  (scan->asks_kind && asking == ASKING_NOT &&
			   ascii_is_upper(*word));
	scan->asks_place |= asking == ASKING_PLACE;
	scan->asks_heirs |= asking == ASKING_HEIRS;
	scan->asks_uses |= asking == ASKING_USES || asking == ASKING_TESTS;
	scan->anchors->asks_tests |= asking == ASKING_TESTS;
	scan->has_for |= asking == ASKING_WORD;
	return asking != ASKING_NOT;
}

/* Each word of a token; those behind a joint have the one before as owner. */
static void
add_words(struct scan *scan, const struct token *token, bool is_called)
{
	const uint8_t *at = token->text;
	uint8_t owner = ANCHOR_NONE;

	while (at < token->end) {
		const uint8_t *begin;
		enum anchor_sure sure;
		bool is_other;
		size_t bytes;

		while (at < token->end && !is_word(*at))
			at++;
		begin = at;
		while (at < token->end && is_word(*at))
			at++;
		bytes = (size_t)(at - begin);
		if (bytes == 0)
			break;
		if (begin[0] >= '0' && begin[0] <= '9')
			continue;
		sure = how_sure(scan, token, begin, bytes,
				is_called && at == token->end);
		scan->has_names |= sure != ANCHOR_WORD;
		is_other =
			sure == ANCHOR_WORD && !read_asking(scan, begin, bytes);
		scan->other_nr += is_other;
		if (sure == ANCHOR_WORD && (!scan->in_first_line || bytes <= 2))
			continue;
		owner = add_name(scan, begin, bytes, sure, owner);
		if (is_other)
			scan->other = owner;
	}
}

/* "at f (a.js:1:2)", "#0 f () at a.c:1", "a.go:1 +0x1d": the innermost frame comes
 * first. */
static bool
is_innermost_first(const struct query_span *span)
{
	const uint8_t *at = span->text;
	const uint8_t *end = span->text + span->bytes;

	while (at < end && (*at == ' ' || *at == '\t'))
		at++;
	return (end - at > 3 &&
		(memcmp(at, "at ", 3) == 0 ||
		 (*at == '#' && at[1] >= '0' && at[1] <= '9'))) ||
	       memmem(at, (size_t)(end - at), " +0x", 4) != NULL;
}

/* Whether a line has the path of a frame, and the number of its line. */
static bool
has_frame(const struct query_span *span, const struct anchor_place *place)
{
	const uint8_t *end = span->text + span->bytes;
	const uint8_t *at =
		memmem(span->text, span->bytes, place->path, place->bytes);
	char number[16];
	int nr = snprintf(number, sizeof(number), "%u", place->line);

	if (at == NULL)
		return false;
	at += place->bytes;
	return place->line == 0 ||
	       memmem(at, (size_t)(end - at), number, (size_t)nr) != NULL;
}

/* Which frame a line has. */
static void
find_frame(struct scan *scan, const struct query_span *span)
{
	struct anchors *anchors = scan->anchors;

	scan->place = ANCHOR_NONE;
	while (scan->next_frame < anchors->frame_nr) {
		if (!has_frame(span, &anchors->places[scan->next_frame]))
			return;
		scan->place = (uint8_t)scan->next_frame++;
		anchors->innermost_first |= is_innermost_first(span);
	}
}

/* Three words and more up to the next back-quote, and nothing but words. */
static bool
is_sentence(const uint8_t *at, const uint8_t *end)
{
	uint32_t gaps = 0;

	for (; at < end && *at != '`' && *at != '\n'; at++) {
		if (*at == ' ')
			gaps++;
		else if (strchr("()[]{}=<>/;|-", *at) != NULL && *at != '\0')
			return false;
	}
	return gaps >= 2;
}

/* Whether a token of the line of a frame is no name: it is of the path, or before
 * it unless the innermost frame comes first, or a word that all frames have. */
static bool
is_of_form(const struct query_span *span, const struct anchor_place *place,
	   const struct token *token)
{
	static const char *const words[] = { "File", "at", "from", "in",
					     "line" };
	size_t bytes = (size_t)(token->end - token->text);
	const uint8_t *path =
		memmem(span->text, span->bytes, place->path, place->bytes);

	if (path != NULL && token->text < path + place->bytes &&
	    (token->text >= path || !is_innermost_first(span)))
		return true;
	for (size_t i = 0; i < ARRAY_LEN(words); i++)
		if (bytes == strlen(words[i]) &&
		    memcmp(token->text, words[i], bytes) == 0)
			return true;
	return false;
}

/* The path or the names of a token; is_called: a bracket follows. */
static void
read_token(struct scan *scan, const struct query_span *span,
	   const struct token *token, bool is_called)
{
	if (scan->place == ANCHOR_NONE &&
	    (token->is_path || has_extension(token)))
		anchors_add_place(scan->anchors, ANCHOR_PATH,
				  (const char *)token->text,
				  (size_t)(token->end - token->text), 0);
	if (token->is_path)
		return;
	if (token->is_dotted)
		add_module(scan, token);
	if (scan->place == ANCHOR_NONE ||
	    !is_of_form(span, &scan->anchors->places[scan->place], token))
		add_words(scan, token, is_called);
}

/* What a string of code may be, as it stands: an option, a key, a route. */
static void
add_literal(const struct scan *scan, const uint8_t *text, size_t bytes,
	    enum anchor_sure sure)
{
	uint8_t idx = add_name(scan, text, bytes, sure, ANCHOR_NONE);

	if (idx != ANCHOR_NONE)
		scan->anchors->names[idx].is_literal = true;
}

/* Bytes of an option: "--no-color". */
static size_t
option_bytes(const uint8_t *at, const uint8_t *end)
{
	const uint8_t *c = at;

	while (c < end &&
	       (ascii_is_letter(*c) || ascii_is_digit(*c) || *c == '-'))
		c++;
	while (c > at && c[-1] == '-')
		c--;
	return c - at > 3 && at[0] == '-' && at[1] == '-' &&
			       ascii_is_lower(at[2])
		       ? (size_t)(c - at)
		       : 0;
}

/* A query without blanks; of an option without its dashes as well, or with them. */
static void
read_literal(const struct scan *scan, const uint8_t *text, size_t bytes)
{
	uint8_t option[ANCHOR_NAME_BYTES] = "--";
	size_t dashes = 0;

	while (dashes < bytes && text[dashes] == '-')
		dashes++;
	if (memchr(text, '/', bytes) != NULL)
		anchors_add_place(scan->anchors, ANCHOR_PATH,
				  (const char *)text, bytes, 0);
	add_literal(scan, text, bytes, ANCHOR_TITLE);
	if (dashes > 0) {
		add_literal(scan, text + dashes, bytes - dashes,
			    ANCHOR_IDENTIFIER);
	} else if (bytes + 2 <= sizeof(option) &&
		   memchr(text, '-', bytes) != NULL) {
		memcpy(option + 2, text, bytes);
		if (option_bytes(option, option + 2 + bytes) == bytes + 2)
			add_literal(scan, option, bytes + 2, ANCHOR_IDENTIFIER);
	}
	scan->anchors->is_literal = bytes > 0;
}

/* The options of commands that a line has. */
static void
read_options(const struct scan *scan, const struct query_span *span)
{
	const uint8_t *end = span->text + span->bytes;
	const uint8_t *at = span->text;
	size_t bytes;

	while ((at = memmem(at, (size_t)(end - at), "--", 2)) != NULL) {
		bytes = at > span->text && (is_word(at[-1]) || at[-1] == '-')
				? 0
				: option_bytes(at, end);
		if (bytes > 0)
			add_literal(scan, at, bytes,
				    scan->in_first_line ? ANCHOR_TITLE
							: ANCHOR_IDENTIFIER);
		at += max_u64(bytes, 2);
	}
}

static void
read_span(struct scan *scan, const struct query_span *span)
{
	const uint8_t *end = span->text + span->bytes;
	const uint8_t *at = span->text;
	const uint8_t *before = at;
	struct token token;

	find_frame(scan, span);
	read_options(scan, span);
	scan->in_code = false;
	while (next_token(&at, end, &token)) {
		scan->token_nr++;
		scan->has_words |=
			(token.is_path && !scan->is_alone) || is_number(&token);
		if (is_number(&token))
			continue;
		for (; before < token.text; before++)
			if (*before == '`' &&
			    (before + 1 == end || before[1] != '`'))
				scan->in_code = !scan->in_code &&
						!is_sentence(before + 1, end);
		read_token(scan, span, &token, at < end && *at == '(');
	}
	if (memchr(span->text, '\n', span->bytes) != NULL && at > span->text)
		scan->in_first_line = false;
}

/*
 * The only word of a query that does not ask, if it may be a string of code: "the
 * --no-color option", "GET /users/:id", "npm run build"; no bytes: there is none.
 */
static struct token
string_asked(const uint8_t *text, size_t bytes)
{
	const uint8_t *end = text + bytes;
	const struct token none = { .text = text, .end = text };
	struct token found = none;
	bool is_string = false;

	for (const uint8_t *at = text; at < end;) {
		const uint8_t *word = at;
		enum asking_string around;

		while (at < end && !ascii_is_space(*at))
			at++;
		around = asking_string_of(word, (size_t)(at - word));
		is_string |= around == ASKING_STRING_SURE;
		if (around == ASKING_STRING_NOT) {
			if (found.end > found.text)
				return none;
			found = (struct token){ .text = word, .end = at };
		}
		while (at < end && ascii_is_space(*at))
			at++;
	}
	for (const uint8_t *at = found.text; at < found.end; at++)
		is_string |= !is_word(*at);
	return is_string ? found : none;
}

static bool
token_asks(const struct token *token)
{
	return asking_of(token->text, (size_t)(token->end - token->text)) !=
	       ASKING_NOT;
}

/* "the http directory", "what is in the folder src/http" */
static void
read_directory(struct anchors *anchors, const uint8_t *text, size_t bytes)
{
	static const char *const words[] = { "dir", "directory", "folder" };
	struct token name = { 0 };
	const uint8_t *at = text;
	struct token token;
	bool asks = false;

	while (next_token(&at, text + bytes, &token)) {
		size_t nr = (size_t)(token.end - token.text);
		bool is_asking = false;

		for (size_t i = 0; i < ARRAY_LEN(words); i++)
			is_asking |= strlen(words[i]) == nr &&
				     memcmp(token.text, words[i], nr) == 0;
		asks |= is_asking;
		if (is_asking || token_asks(&token) ||
		    asking_is_within(token.text, nr))
			continue;
		if (name.text != NULL)
			return;
		name = token;
	}
	if (!asks || name.text == NULL)
		return;
	anchors->asks_directory = true;
	anchors_set_directory(anchors, name.text,
			      (size_t)(name.end - name.text));
}

/* A query that may be one name or string, however it is written. */
static void
read_short(const struct scan *scan, const uint8_t *text, size_t bytes)
{
	struct near_name *near = &scan->anchors->near;
	struct token string;

	while (bytes > 0 && ascii_is_space(text[bytes - 1]))
		bytes--;
	while (bytes > 0 && ascii_is_space(*text)) {
		text++;
		bytes--;
	}
	near_name_init(near, text, bytes);
	if (near->is_one_word)
		anchors_set_directory(scan->anchors, text, bytes);
	string = string_asked(text, bytes);
	if (!near->is_one_word && string.end > string.text) {
		text = string.text;
		bytes = (size_t)(string.end - string.text);
		near_name_init(near, text, bytes);
	}
	if (near->is_one_word)
		read_literal(scan, text, bytes);
}

/* Where the words of "f in C" are. */
struct member {
	struct token tokens[MEMBER_TOKENS];
	uint32_t nr;
	uint32_t within; /* which one is "in" */
};

/* Of a short query the tokens; whether one of them is "in" or the like. */
static bool
split_member(struct member *member, const uint8_t *text, size_t bytes)
{
	const uint8_t *at = text;
	struct token token;

	*member = (struct member){ 0 };
	while (next_token(&at, text + bytes, &token)) {
		if (member->nr == MEMBER_TOKENS)
			return false;
		if (member->within == 0 &&
		    asking_is_within(token.text,
				     (size_t)(token.end - token.text)))
			member->within = member->nr;
		member->tokens[member->nr++] = token;
	}
	return member->within > 0;
}

/*
 * "f in C", "the method f of the class C", "f in a/b.c": f is a member of the class,
 * or of the file. What else the query has are words that ask.
 */
static void
read_member(struct scan *scan, const uint8_t *text, size_t bytes)
{
	struct member member;
	const struct token *of = NULL; /* the class, or the file */
	const struct token *name;
	uint8_t owner = ANCHOR_NONE;

	if (scan->anchors->frame_nr > 0 || !split_member(&member, text, bytes))
		return;
	name = &member.tokens[member.within - 1];
	for (uint32_t i = 0; i < member.nr; i++) {
		const struct token *token = &member.tokens[i];

		if (i == member.within || token == name || token_asks(token))
			continue;
		if (i < member.within || of != NULL)
			return;
		of = token;
	}
	if (of == NULL || token_asks(name) || name->is_path ||
	    name->is_dotted || is_number(name))
		return;
	if (of->is_path || has_extension(of)) {
		anchors_add_place(scan->anchors, ANCHOR_PATH,
				  (const char *)of->text,
				  (size_t)(of->end - of->text), 0);
		if (scan->anchors->place_nr != 1)
			return;
		scan->place = 0;
	} else {
		owner = add_name(scan, of->text, (size_t)(of->end - of->text),
				 ANCHOR_TITLE, ANCHOR_NONE);
	}
	add_name(scan, name->text, (size_t)(name->end - name->text),
		 ANCHOR_TITLE, owner);
	scan->place = ANCHOR_NONE;
	scan->anchors->asks_member = true;
}

/* Whether a text is one word, or several that are joined. */
static bool
is_one_word(const uint8_t *text, size_t bytes)
{
	const uint8_t *at = text;
	struct token token;

	return next_token(&at, text + bytes, &token) &&
	       !next_token(&at, text + bytes, &token);
}

/* "how does parse_it work": a short line with one name. */
static bool
asks_one(const struct scan *scan)
{
	const struct anchors *anchors = scan->anchors;
	uint32_t nr = 0;

	if (scan->token_nr > SHORT_TOKENS || !scan->in_first_line ||
	    anchors->place_nr > 0)
		return false;
	for (uint32_t i = 0; i < anchors->name_nr; i++)
		nr += anchors->names[i].sure != ANCHOR_WORD;
	return nr == 1;
}

/* Whether a query asks for a name, however it looks: "callers of parse", "where is
 * parse", "class Parser", but no "test runner" and "type checker". */
static bool
asks_for_name(const struct scan *scan)
{
	if (scan->anchors->asks_tests)
		return scan->has_for;
	return scan->asks_place || scan->asks_uses || scan->asks_heirs ||
	       scan->asks_kind;
}

/* The only word that does not ask is the name that the others ask for. */
static void
read_asked(struct scan *scan)
{
	if (scan->other_nr == 1 && !scan->has_names && !scan->has_words &&
	    scan->other != ANCHOR_NONE && asks_for_name(scan)) {
		scan->anchors->names[scan->other].sure = ANCHOR_TITLE;
		scan->has_names = true;
	} else {
		scan->has_words |= scan->other_nr > 0;
	}
}

void
anchors_read(struct anchors *anchors, const uint8_t *text, size_t bytes)
{
	struct query_text lines = { .at = text, .end = text + bytes };
	struct scan scan = { .anchors = anchors,
			     .in_first_line = true,
			     .is_alone = is_one_word(text, bytes) };
	struct query_span span;

	scan.place = ANCHOR_NONE;
	scan.other = ANCHOR_NONE;
	read_short(&scan, text, bytes);
	read_directory(anchors, text, bytes);
	read_member(&scan, text, bytes);
	while (query_text_next(&lines, &span))
		if (query_line_counts(span.line))
			read_span(&scan, &span);
	read_asked(&scan);
	anchors->is_all = !scan.has_words && anchors->frame_nr == 0 &&
			  (scan.has_names || anchors->place_nr > 0);
	anchors->asks_one = asks_one(&scan);
	anchors->asks_heirs =
		anchors->is_all && scan.asks_heirs && scan.has_names;
	anchors->asks_uses =
		anchors->asks_heirs ||
		(anchors->is_all && scan.asks_uses && scan.has_names);
	anchors->asks_tests &= anchors->asks_uses;
}
