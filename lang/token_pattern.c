/* SPDX-License-Identifier: MIT */
/*
 * token_pattern.c - whether tokens are as a pattern says.
 *
 * Does: goes along a pattern and tries what it leaves open, the longer way
 *       first; declaration.h has the language.
 * Limits: patterns are of this program, and what they repeat takes a token at
 *         least. Statements are a stranger's: a pattern that tries more than
 *         STEPS_MAX repetitions does not match. No pattern here needs more
 *         than 2,080; one whose repetitions overlap could need 2^64.
 */
#include "lang/declaration.h"

#include "base/ascii.h"

#define STEPS_MAX 16384

/* What has to follow what is in work: items from here on, and so on. */
struct rest {
	const char *items;
	bool repeated; /* the first of them has been there before */
	const struct rest *around;
};

struct matcher {
	const struct declaration *decl;
	struct token_match *match;
	uint32_t steps;
};

static bool
match_items(struct matcher *matcher, const char *at, uint32_t i, bool repeated,
	    const struct rest *rest);

/* Behind an atom: a word, [words], 'c', two signs, brackets or a letter. */
static const char *
behind_atom(const char *at)
{
	uint32_t nest = 0;

	if (*at == '\'')
		return at + 3;
	if (ascii_is_lower((uint8_t)*at) || *at == '_') {
		while (*at > ')' && *at != '|' && *at != '+' && *at != '?')
			at++;
		return at;
	}
	if (*at == '[')
		return strchr(at, ']') + 1;
	if (*at == '.' || *at == '<')
		return at + 2;
	if (*at != '(')
		return at + 1;
	do {
		at = *at == '\'' ? at + 2 : at;
		nest += *at == '(';
		nest -= *at == ')';
		at++;
	} while (nest > 0);
	return at;
}

/* Whether a word is one of those from `at` on, up to a bracket. */
static bool
is_listed(const uint8_t *word, size_t bytes, const char *at)
{
	for (;; at++) {
		size_t nr = strcspn(at, " ]");

		if (nr == bytes && memcmp(word, at, nr) == 0)
			return true;
		at += nr;
		if (*at == ']')
			return false;
	}
}

/* What tokens the letters mean: 1 + their type, and their bracket if it counts.
 */
static const struct {
	uint8_t type;
	uint8_t punct;
} classes[128] = {
	['W'] = { 1 + TOKEN_WORD, 0 },    ['S'] = { 1 + TOKEN_STRING, 0 },
	['N'] = { 1 + TOKEN_PUNCT, 0 },   ['C'] = { 1 + TOKEN_GROUP, 0 },
	['G'] = { 1 + TOKEN_GROUP, '(' }, ['B'] = { 1 + TOKEN_GROUP, '[' },
	['O'] = { 1 + TOKEN_OPEN, 0 },    ['P'] = { 1 + TOKEN_OPEN, '(' },
};

/* Whether token i is what an atom of one token says, which ends before
 * `behind`. */
static bool
is_token(const struct declaration *decl, const char *at, const char *behind,
	 uint32_t i)
{
	const struct lang *lang = decl->walk->lang;
	const struct token *token;
	const uint8_t *word;
	uint8_t letter = (uint8_t)*at;

	if (i >= decl->nr)
		return false;
	token = &decl->tokens[i];
	word = decl->walk->text + token->at;
	if (classes[letter].type != 0)
		return classes[letter].type == 1 + token->type &&
		       (classes[letter].punct == 0 ||
			classes[letter].punct == token->punct);
	switch (letter) {
	case '\'':
		return punct_is(decl, i, (uint8_t)at[1]);
	case 'T':
		return true;
	case 'U':
		return word_is_upper(decl, i);
	case 'F':
		return word_in(decl, i, lang->definers);
	case 'M':
		return word_in(decl, i, lang->modifiers);
	case '[':
		return token->type == TOKEN_WORD &&
		       is_listed(word, token->bytes, at + 1);
	default:
		return token->type == TOKEN_WORD &&
		       (size_t)(behind - at) == token->bytes &&
		       memcmp(word, at, token->bytes) == 0;
	}
}

/* Takes what an atom says that is no row in brackets. */
static bool
take(const struct declaration *decl, const char *at, const char *behind,
     uint32_t *i)
{
	uint32_t from = *i;

	switch (*at) {
	case '^':
		return from < decl->nr && decl->tokens[from].newline;
	case '$':
		return from >= decl->nr;
	case '<':
		*i = skip_angles(decl, from);
		return *i != from;
	default:
		*i += 1;
		return is_token(decl, at, behind, from);
	}
}

/* One of the rows between bars, then the rest. */
static bool
match_any(struct matcher *matcher, const char *at, uint32_t i,
	  const struct rest *rest)
{
	for (;; at++) {
		if (match_items(matcher, at, i, false, rest))
			return true;
		while (*at != '|' && *at != ')' && *at != '\0')
			at = *at == ' ' ? at + 1 : behind_atom(at);
		if (*at != '|')
			return false;
	}
}

/* An atom, which ends before `behind`, then the rest. */
static bool
match_atom(struct matcher *matcher, const char *at, const char *behind,
	   uint32_t i, const struct rest *rest)
{
	if (*at == '(')
		return match_any(matcher, at + 1, i, rest);
	return take(matcher->decl, at, behind, &i) &&
	       match_items(matcher, rest->items, i, rest->repeated,
			   rest->around);
}

/* Whether an atom is there. */
static bool
is_there(struct matcher *matcher, const char *at, const char *behind,
	 uint32_t i)
{
	static const struct rest nothing = { "", false, NULL };
	struct token_match match = *matcher->match;
	bool is = match_atom(matcher, at, behind, i, &nothing);

	*matcher->match = match;
	return is;
}

/* As few tokens as do, then the items. */
static bool
match_later(struct matcher *matcher, const char *at, uint32_t i,
	    const struct rest *rest)
{
	for (; i <= matcher->decl->nr; i++)
		if (match_items(matcher, at, i, false, rest))
			return true;
	return false;
}

/* An atom that may be there once, or more often, then the rest. */
static bool
match_some(struct matcher *matcher, const char *item, uint32_t i, bool repeated,
	   const struct rest *rest)
{
	const char *behind = behind_atom(item);
	struct rest once = { behind + 1, false, rest };
	struct rest again = { item, true, rest };

	if (++matcher->steps > STEPS_MAX)
		return false;
	return match_atom(matcher, item, behind, i,
			  *behind == '?' ? &once : &again) ||
	       ((*behind != '+' || repeated) &&
		match_items(matcher, behind + 1, i, false, rest));
}

static bool
match_items(struct matcher *matcher, const char *at, uint32_t i, bool repeated,
	    const struct rest *rest)
{
	for (;;) {
		const char *behind;
		char prefix;

		while (*at == ' ')
			at++;
		prefix = *at;
		if (prefix == '\0' || prefix == '|' || prefix == ')')
			break;
		if (prefix == '.')
			return match_later(matcher, at + 2, i, rest);
		if (prefix == '~')
			matcher->match->name = i;
		at += prefix == '~' || prefix == '!' || prefix == '&';
		behind = behind_atom(at);
		if (*behind == '?' || *behind == '*' || *behind == '+')
			return match_some(matcher, at, i, repeated, rest);
		if (prefix == '!' || prefix == '&') {
			if (is_there(matcher, at, behind, i) != (prefix == '&'))
				return false;
		} else if (*at == '(') {
			return match_any(matcher, at + 1, i,
					 &(struct rest){ behind, false, rest });
		} else if (!take(matcher->decl, at, behind, &i)) {
			return false;
		}
		at = behind;
	}
	if (rest != NULL)
		return match_items(matcher, rest->items, i, rest->repeated,
				   rest->around);
	matcher->match->end = i;
	return true;
}

bool
tokens_match(const struct declaration *decl, uint32_t i, const char *pattern,
	     struct token_match *match)
{
	struct matcher matcher = { decl, match, 0 };

	*match = (struct token_match){ 0, UINT32_MAX };
	return match_any(&matcher, pattern, i, NULL);
}
