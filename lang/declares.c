/* SPDX-License-Identifier: MIT */
/*
 * declares.c - a name, and what is left and right of it.
 */
#include "lang/declares.h"

#include <string.h>

#include "base/ascii.h"

/* A piece of a line. */
struct piece {
	const uint8_t *at;
	const uint8_t *end;
};

/* Words that declare what follows. */
static const char *const declaring[] = {
	"abstract", "attribute", "auto",    "const",    "constexpr", "declare",
	"export",   "extern",    "field",   "final",    "global",    "internal",
	"late",     "lateinit",  "let",     "local",    "mut",       "my",
	"our",      "override",  "private", "property", "protected", "pub",
	"public",   "readonly",  "static",  "val",      "var",       "volatile",
};

/* Words that begin a statement which declares nothing. */
static const char *const using[] = {
	"and",    "as",     "assert",  "await",  "case",    "catch",  "delete",
	"echo",   "elif",   "else",    "except", "extends", "for",    "from",
	"go",     "goto",   "if",      "import", "in",      "is",     "new",
	"not",    "or",     "package", "print",  "raise",   "return", "require",
	"sizeof", "switch", "the",     "throw",  "typeof",  "use",    "using",
	"while",  "with",   "yield",
};

/* Words of lines that open a list of members. */
static const char *const opening[] = {
	"class",  "enum",   "extension", "impl",   "interface", "message",
	"mod",    "module", "namespace", "object", "protocol",  "record",
	"struct", "trait",  "type",      "union",
};

static bool
is_among(const struct piece *word, const char *const *words, size_t nr)
{
	size_t bytes = (size_t)(word->end - word->at);

	for (size_t i = 0; i < nr; i++)
		if (strlen(words[i]) == bytes &&
		    memcmp(words[i], word->at, bytes) == 0)
			return true;
	return false;
}

static bool
is_blank(uint8_t c)
{
	return c == ' ' || c == '\t' || c == '\r';
}

static void
trim(struct piece *piece)
{
	while (piece->at < piece->end && is_blank(*piece->at))
		piece->at++;
	while (piece->at < piece->end && is_blank(piece->end[-1]))
		piece->end--;
}

/* The next word from *at on, which moves behind it; false: there is none. */
static bool
next_word(const struct piece *piece, const uint8_t **at, struct piece *word)
{
	const uint8_t *c = *at;

	while (c < piece->end && !ascii_is_word(*c))
		c++;
	word->at = c;
	while (c < piece->end && ascii_is_word(*c))
		c++;
	word->end = c;
	*at = c;
	return word->at < word->end;
}

static bool
begins_with(const struct piece *piece, const char *text)
{
	size_t bytes = strlen(text);

	return (size_t)(piece->end - piece->at) >= bytes &&
	       memcmp(piece->at, text, bytes) == 0;
}

static bool
is_comment(const struct piece *piece)
{
	return begins_with(piece, "//") || begins_with(piece, "/*") ||
	       begins_with(piece, "#") || begins_with(piece, "--");
}

/* ------------------------------------------------- what is around it ---- */

/* The line that ends there, without its end. */
static struct piece
line_before(const uint8_t *text, const uint8_t *end)
{
	const uint8_t *newline = memrchr(text, '\n', (size_t)(end - text));

	return (struct piece){ newline == NULL ? text : newline + 1, end };
}

static size_t
indent_of(const struct piece *line)
{
	size_t nr = 0;

	while (line->at + nr < line->end && is_blank(line->at[nr]))
		nr++;
	return nr;
}

/* The last line before one that is indented less than it, a bracket alone aside;
 * empty: there is none. */
static struct piece
opening_line(const uint8_t *text, const struct piece *line)
{
	size_t indent = indent_of(line);
	const uint8_t *end = line->at;
	bool is_bracket = false;

	while (end > text) {
		struct piece before = line_before(text, --end);
		struct piece body = before;
		size_t less = indent_of(&before);

		end = before.at;
		trim(&body);
		if (body.at == body.end || *body.at == '#' ||
		    (is_bracket ? less > indent : less >= indent))
			continue;
		if (body.end - body.at > 1 || *body.at != '{')
			return body;
		/* what it belongs to stands no deeper */
		is_bracket = true;
		indent = less;
	}
	return (struct piece){ text, text };
}

enum around {
	AROUND_FILE,    /* nothing is */
	AROUND_UNKNOWN, /* what opens it is not in the text */
	AROUND_ENUM,
	AROUND_MEMBERS,
	AROUND_OTHER
};

/* `const (`, `export const LEVELS = {`; not the line of a function. */
static enum around
what_constants_open(const struct piece *line, const struct piece *word)
{
	static const char *const words[] = { "const", "final", "let", "val",
					     "var" };

	if (!is_among(word, words, ARRAY_LEN(words)) ||
	    memchr(line->at, ')', (size_t)(line->end - line->at)) != NULL)
		return AROUND_OTHER;
	switch (line->end[-1]) {
	case '(':
		return AROUND_ENUM;
	case '{':
		return AROUND_MEMBERS;
	default:
		return AROUND_OTHER;
	}
}

static bool
has_byte(const uint8_t *at, const uint8_t *end, char c)
{
	return memchr(at, c, (size_t)(end - at)) != NULL;
}

/* What a word says of what its line opens. */
static enum around
what_word_opens(const struct piece *line, const struct piece *word)
{
	bool is_enum = begins_with(word, "enum");

	if (!is_among(word, opening, ARRAY_LEN(opening)))
		return what_constants_open(line, word);
	/* `struct node *first(void)` is a function, `enum kind kinds[] = {` a
	 * list of values */
	if ((is_enum || begins_with(word, "struct") ||
	     begins_with(word, "union")) &&
	    (has_byte(word->end, line->end, '(') ||
	     (is_enum && has_byte(word->end, line->end, '='))))
		return AROUND_OTHER;
	return is_enum ? AROUND_ENUM : AROUND_MEMBERS;
}

/* Brackets that are open before a word of a line. */
static int
depth_of(const struct piece *line, const struct piece *word)
{
	int depth = 0;

	for (const uint8_t *c = line->at; c < word->at; c++)
		depth += (*c == '(') - (*c == ')');
	return depth;
}

static enum around
what_is_around(const uint8_t *text, const struct piece *line)
{
	enum around around = AROUND_OTHER;
	struct piece opened;
	struct piece word;
	const uint8_t *at;

	if (indent_of(line) == 0)
		return AROUND_FILE;
	opened = opening_line(text, line);
	if (opened.at == opened.end)
		return AROUND_UNKNOWN;
	at = opened.at;
	while (around == AROUND_OTHER && next_word(&opened, &at, &word))
		if (depth_of(&opened, &word) == 0)
			around = what_word_opens(&opened, &word);
	return around;
}

/* Whether a list of constants begins in the line before the name: `enum { A, `. */
static bool
is_in_enum(const struct piece *left)
{
	const uint8_t *at = left->at;
	size_t bytes = (size_t)(left->end - left->at);
	struct piece word;

	if (memchr(left->at, '{', bytes) == NULL ||
	    memchr(left->at, '}', bytes) != NULL)
		return false;
	while (next_word(left, &at, &word))
		if (begins_with(&word, "enum") && word.end - word.at == 4)
			return left->end[-1] == '{' || left->end[-1] == ',';
	return false;
}

/* ------------------------------------------------- left and right of it - */

static bool
is_assigned(const struct piece *right)
{
	return begins_with(right, "=") && !begins_with(right, "==") &&
	       !begins_with(right, "=>") && !begins_with(right, "=~");
}

/* A list goes on behind it, as those of constants do. */
static bool
is_listed(const struct piece *right)
{
	return right->at == right->end || begins_with(right, ",") ||
	       begins_with(right, "(") || is_comment(right);
}

/* A field, its type behind it. */
static bool
is_field(const struct piece *right)
{
	return right->at < right->end &&
	       (ascii_is_word(*right->at) ||
		memchr("*[?!", *right->at, 4) != NULL);
}

/* A name alone before what follows it. */
static enum lang_declares
declares_alone(const uint8_t *text, const struct piece *line,
	       const struct piece *right)
{
	bool is_assignment = is_assigned(right);

	if ((begins_with(right, "=") && !is_assignment) ||
	    begins_with(right, "::") || begins_with(right, "."))
		return LANG_DECLARES_NOT;
	switch (what_is_around(text, line)) {
	case AROUND_ENUM:
		return LANG_DECLARES_OUTER;
	case AROUND_FILE:
		if (is_assignment)
			return LANG_DECLARES_OUTER;
		return begins_with(right, ":") || begins_with(right, ",")
			       ? LANG_DECLARES_INNER
			       : LANG_DECLARES_NOT;
	case AROUND_MEMBERS:
		return is_assignment || begins_with(right, ":") ||
				       is_field(right)
			       ? LANG_DECLARES_OUTER
			       : LANG_DECLARES_NOT;
	case AROUND_UNKNOWN:
		if (is_listed(right) || is_field(right))
			return LANG_DECLARES_INNER;
		break;
	default:
		break;
	}
	return is_assignment || begins_with(right, ":") ? LANG_DECLARES_INNER
							: LANG_DECLARES_NOT;
}

/* Whether what is left of a name may be a type, and a word declares it. */
static bool
is_type(const struct piece *left, bool *is_declared)
{
	const uint8_t *at = left->at;
	bool is_first = true;
	struct piece word;
	int depth = 0;

	*is_declared = false;
	for (const uint8_t *c = left->at; c < left->end; c++) {
		depth += (*c == '<' || *c == '[') - (*c == '>' || *c == ']');
		if (!ascii_is_word(*c) && !is_blank(*c) &&
		    strchr("*&<>[].:@?$'", *c) == NULL &&
		    !(*c == ',' && depth > 0))
			return false;
	}
	while (next_word(left, &at, &word)) {
		if (is_first && is_among(&word, using, ARRAY_LEN(using)))
			return false;
		*is_declared |=
			is_among(&word, declaring, ARRAY_LEN(declaring));
		is_first = false;
	}
	return !is_first && (ascii_is_letter(*left->at) || *left->at == '_' ||
			     *left->at == '@');
}

/* A type, or words that declare, before it. */
static enum lang_declares
declares_typed(const uint8_t *text, const struct piece *line,
	       const struct piece *left, const struct piece *right)
{
	enum around around;
	bool is_declared;

	if ((strchr("*&>$]", left->end[-1]) == NULL && !is_blank(*left->end)) ||
	    !is_type(left, &is_declared) || begins_with(right, "(") ||
	    begins_with(right, ".") ||
	    (begins_with(right, "=") && !is_assigned(right)))
		return LANG_DECLARES_NOT;
	around = what_is_around(text, line);
	if (!is_declared && !is_assigned(right) && !begins_with(right, ";") &&
	    !begins_with(right, "[") &&
	    !(around == AROUND_MEMBERS && begins_with(right, ":")))
		return LANG_DECLARES_NOT;
	return around == AROUND_OTHER || around == AROUND_UNKNOWN
		       ? LANG_DECLARES_INNER
		       : LANG_DECLARES_OUTER;
}

/* Whether nothing is left of a name but the object whose attribute it is. */
static bool
is_attribute(const struct piece *left)
{
	static const char *const words[] = { "self.",   "this.", "this->",
					     "$this->", "@",     "@@" };

	for (size_t i = 0; i < ARRAY_LEN(words); i++)
		if (begins_with(left, words[i]) &&
		    (size_t)(left->end - left->at) == strlen(words[i]))
			return true;
	return false;
}

/* A variable of shells, Perl, PHP. */
static bool
is_variable(const struct piece *left)
{
	return left->end - left->at == 1 && *left->at == '$';
}

/* An attribute or a variable, if it gets a value or has a type. */
static enum lang_declares
declares_given(const struct piece *left, const struct piece *right)
{
	if (!is_assigned(right) && !begins_with(right, ":"))
		return LANG_DECLARES_NOT;
	return is_variable(left) ? LANG_DECLARES_INNER
				 : LANG_DECLARES_ATTRIBUTE;
}

static bool
is_quote(uint8_t c)
{
	return c == '"' || c == '\'' || c == '`';
}

/* Whether a name is an option in a string that begins with one: "-p, --port <port>",
 * "--port=". */
static bool
is_option(const struct piece *left, const uint8_t *name,
	  const struct piece *right)
{
	const uint8_t *at = left->end;

	if (*name != '-' || (right->at < right->end && *right->at == '-'))
		return false;
	while (at > left->at && !is_quote(at[-1]))
		at--;
	return at > left->at && *at == '-';
}

/* Whether a string is the name and nothing else, or it is that of an option. */
static bool
is_string(const struct piece *left, const uint8_t *name,
	  const struct piece *right)
{
	return is_option(left, name, right) ||
	       (left->at < left->end && right->at < right->end &&
		is_quote(*right->at) && *right->at == left->end[-1]);
}

/* Whether a name is a selector of a style sheet: ".a {", "#a,", with its sign or
 * without. */
static bool
is_selector(const struct piece *left, const uint8_t *name,
	    const struct piece *right)
{
	const uint8_t *sign = left->at == left->end ? name : left->at;

	return (*sign == '.' || *sign == '#') && left->end - left->at <= 1 &&
	       (begins_with(right, "{") || begins_with(right, ","));
}

/* "#define", "# define" */
static bool
is_macro(const struct piece *left)
{
	struct piece word = { left->at + 1, left->end };

	if (!begins_with(left, "#"))
		return false;
	trim(&word);
	return begins_with(&word, "define") && word.end - word.at == 6;
}

/* "pub(crate) " */
static void
skip_scope(struct piece *left)
{
	const uint8_t *end;

	trim(left);
	if (!begins_with(left, "pub("))
		return;
	end = memchr(left->at, ')', (size_t)(left->end - left->at));
	if (end != NULL)
		left->at = end + 1;
}

enum lang_declares
lang_declares(const uint8_t *text, size_t bytes, size_t at, size_t name_bytes)
{
	const uint8_t *name = text + at;
	const uint8_t *end = name + name_bytes;
	struct piece right = { end, text + bytes };
	const uint8_t *newline;
	struct piece line;
	struct piece left;
	bool is_quoted;

	if (at > DECLARES_REACH) {
		text = memchr(name - DECLARES_REACH, '\n', DECLARES_REACH);
		if (text == NULL)
			return LANG_DECLARES_NOT;
		text++;
	}
	line = line_before(text, name);
	left = line;
	if ((at > 0 && ascii_is_word(name[-1])) ||
	    (end < right.end && ascii_is_word(*end)))
		return LANG_DECLARES_NOT;
	newline = memchr(end, '\n', (size_t)(right.end - end));
	if (newline != NULL)
		right.end = newline;
	line.end = right.end;
	is_quoted = is_string(&left, name, &right);
	skip_scope(&left);
	trim(&left);
	trim(&right);
	if (is_macro(&left) || is_selector(&left, name, &right))
		return LANG_DECLARES_OUTER;
	if (is_comment(&left))
		return LANG_DECLARES_NOT;
	if (is_quoted)
		return LANG_DECLARES_QUOTED;
	if (is_in_enum(&left))
		return LANG_DECLARES_OUTER;
	if (left.at == left.end)
		return declares_alone(text, &line, &right);
	if (is_attribute(&left) || is_variable(&left))
		return declares_given(&left, &right);
	if (begins_with(&left, "case") && left.end - left.at == 4 &&
	    what_is_around(text, &line) == AROUND_ENUM)
		return LANG_DECLARES_OUTER;
	return declares_typed(text, &line, &left, &right);
}

struct lang_declared
lang_find_declared(const uint8_t *text, size_t bytes, const char *name,
		   size_t name_bytes, uint32_t places_max)
{
	struct lang_declared best = { .how = LANG_DECLARES_NOT };
	size_t off = 0;

	for (uint32_t i = 0; name_bytes > 0 && i < places_max; i++) {
		const uint8_t *at =
			memmem(text + off, bytes - off, name, name_bytes);
		enum lang_declares how;

		if (at == NULL)
			break;
		off = (size_t)(at - text);
		how = lang_declares(text, bytes, off, name_bytes);
		if (how > best.how)
			best = (struct lang_declared){ how, off, 0 };
		best.nr += how != LANG_DECLARES_NOT && how == best.how;
		off += name_bytes;
	}
	return best;
}
