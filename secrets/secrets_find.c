/* SPDX-License-Identifier: MIT */
/*
 * secrets_find.c - the next secret of a text.
 *
 * Does: looks at the few places that the sieve lets through; a rule is tried
 *       only where one of its beginnings stands.
 */
#include "secrets/secrets.h"

#include <endian.h>
#include <string.h>

#include "base/ascii.h"
#include "secrets/assigned.h"
#include "secrets/key.h"
#include "secrets/value.h"

#define USER_MAX 64   /* bytes of a name in an address */
#define NAME_MAX 48   /* of a variable before what is known of it, */
#define INDENT_MAX 24 /* and before that */

/* A rule tried at a place. */
struct trial {
	const struct secrets_rules *rules;
	const struct secrets_text *text;
	const struct secrets_rule *rule;
	size_t at;     /* where its beginning stands, */
	size_t behind; /* and ends */
	size_t start;  /* of the secret */
	size_t end;
};

static uint8_t
byte_at(const struct trial *trial, size_t at)
{
	return at < trial->text->nr ? trial->text->at[at] : 0;
}

static bool
is_alphanumeric(uint8_t c)
{
	return ascii_is_letter(c) || ascii_is_digit(c);
}

/* Whether \u and four digits end here. */
static bool
ends_unicode_escape(const uint8_t *text, size_t at)
{
	if (at < 6 || text[at - 6] != '\\' || text[at - 5] != 'u')
		return false;
	for (size_t i = at - 4; i < at; i++)
		if (!ascii_is_digit(text[i]) &&
		    (ascii_lower(text[i]) < 'a' || ascii_lower(text[i]) > 'f'))
			return false;
	return true;
}

/* Whether a name or number begins here: what an escape ends with, as the n of
 * \n, is no part of it. */
static bool
begins_word(const struct trial *trial, size_t at)
{
	const uint8_t *text = trial->text->at;

	if (at == 0 || (!is_alphanumeric(text[at - 1]) && text[at - 1] != '_'))
		return true;
	if (at >= 2 && text[at - 2] == '\\' &&
	    strchr("nrt", text[at - 1]) != NULL && text[at - 1] != 0)
		return true;
	return ends_unicode_escape(text, at);
}

/* The body of the rule from `from` on, and what may not follow it. */
static enum pattern_result
match_body(struct trial *trial, size_t from)
{
	const struct secrets_text *text = trial->text;
	const struct pattern *body = &trial->rule->body;
	struct secrets_text rest;
	size_t bytes;
	enum pattern_result result;
	uint8_t next;

	if (from > text->nr)
		return text->at_end ? PATTERN_NO : PATTERN_OPEN;
	rest = (struct secrets_text){ text->at + from, text->nr - from,
				      text->at_end };
	result = pattern_match(trial->rules->items + body->first, body->nr,
			       &rest, &bytes);
	if (result != PATTERN_YES)
		return result;
	trial->end = from + bytes;
	if (trial->end == text->nr)
		return text->at_end ? PATTERN_YES : PATTERN_OPEN;
	next = text->at[trial->end];
	if (bytes >= PATTERN_MOST)
		return PATTERN_YES;
	return is_alphanumeric(next) || next == '_' ? PATTERN_NO : PATTERN_YES;
}

static bool
has_entropy(const struct trial *trial)
{
	return value_has_entropy(trial->text->at + trial->start,
				 trial->end - trial->start,
				 trial->rule->entropy);
}

static bool
ends_with(const struct trial *trial, const char *word)
{
	size_t nr = strlen(word);

	return trial->end - trial->start >= nr &&
	       memcmp(trial->text->at + trial->end - nr, word, nr) == 0;
}

/* ---- a rule of each kind ------------------------------------------------- */

static enum pattern_result
try_token(struct trial *trial)
{
	const struct secrets_rule *rule = trial->rule;
	const struct secrets_text *text = trial->text;
	struct secrets_text before;
	enum pattern_result result;
	size_t bytes;

	if (rule->before_bytes > trial->at)
		return PATTERN_NO;
	trial->start = trial->at - rule->before_bytes;
	before = (struct secrets_text){ text->at + trial->start,
					rule->before_bytes, true };
	if (pattern_match(trial->rules->items + rule->before.first,
			  rule->before.nr, &before, &bytes) != PATTERN_YES)
		return PATTERN_NO;
	if (!begins_word(trial, trial->start))
		return PATTERN_NO;
	result = match_body(trial, trial->behind);
	if (result != PATTERN_YES)
		return result;
	return has_entropy(trial) && !ends_with(trial, "EXAMPLE") ? PATTERN_YES
								  : PATTERN_NO;
}

static enum pattern_result
try_after(struct trial *trial)
{
	enum pattern_result result = match_body(trial, trial->behind);

	trial->start = trial->behind;
	if (result != PATTERN_YES)
		return result;
	return has_entropy(trial) ? PATTERN_YES : PATTERN_NO;
}

/* Whether the value is followed by what may follow it. */
static bool
is_closed(const struct trial *trial, const struct assigned *found)
{
	return trial->end == trial->text->nr ||
	       assigned_ends(found, trial->text->at[trial->end]);
}

static enum pattern_result
try_assigned(struct trial *trial)
{
	const struct secrets_text *text = trial->text;
	bool is_generic = trial->rule->kind == SECRETS_GENERIC;
	struct assigned found;
	enum pattern_result result = assigned_find(
		text->at, text->nr, text->at_end, trial->behind, &found);
	const uint8_t *value;
	size_t bytes;

	if (result != PATTERN_YES)
		return result;
	/* a name, not a text, may be assigned as well */
	if (is_generic && (found.quote == 0 || found.by == ','))
		return PATTERN_NO;
	result = match_body(trial, found.value);
	if (result != PATTERN_YES)
		return result;
	trial->start = found.value;
	value = text->at + trial->start;
	bytes = trial->end - trial->start;
	if (!is_closed(trial, &found) || !value_has_digit(value, bytes) ||
	    !has_entropy(trial))
		return PATTERN_NO;
	if (is_generic &&
	    (!value_is_random(value, bytes) ||
	     value_is_placeholder(value, bytes) ||
	     value_is_named_public(text->at + trial->behind,
				   found.name_end - trial->behind)))
		return PATTERN_NO;
	return PATTERN_YES;
}

static bool
is_of_variable(uint8_t c)
{
	return ascii_is_upper(c) || ascii_is_digit(c) || c == '_';
}

/* Whether a variable begins a line: alone or exported, indented, in a patch or
 * a list. */
static bool
begins_line(const struct trial *trial, size_t at)
{
	const uint8_t *text = trial->text->at;
	const char word[] = "export ";

	while (at > 0 && at + NAME_MAX > trial->at &&
	       is_of_variable(text[at - 1]))
		at--;
	if (at >= sizeof(word) - 1 &&
	    memcmp(text + at - (sizeof(word) - 1), word, sizeof(word) - 1) == 0)
		at -= sizeof(word) - 1;
	for (unsigned i = 0; i < INDENT_MAX && at > 0; i++, at--)
		if (text[at - 1] == 0 || strchr(" \t+-", text[at - 1]) == NULL)
			break;
	return at == 0 || text[at - 1] == '\n';
}

static enum pattern_result
try_variable(struct trial *trial)
{
	const struct secrets_text *text = trial->text;
	size_t at = trial->behind;
	enum pattern_result result;
	uint8_t quote;
	uint8_t next;

	if (!begins_line(trial, trial->at))
		return PATTERN_NO;
	while (at < trial->behind + NAME_MAX &&
	       is_of_variable(byte_at(trial, at)))
		at++;
	if (at + 2 >= text->nr && !text->at_end)
		return PATTERN_OPEN;
	if (byte_at(trial, at++) != '=')
		return PATTERN_NO;
	quote = byte_at(trial, at);
	if (quote == '"' || quote == '\'')
		at++;
	else
		quote = 0;
	result = match_body(trial, at);
	if (result != PATTERN_YES)
		return result;
	trial->start = at;
	next = byte_at(trial, trial->end);
	if (quote != 0 ? next != quote
		       : trial->end < text->nr && next > ' ' && next != '\\')
		return PATTERN_NO;
	return value_has_digit(text->at + at, trial->end - at) &&
			       has_entropy(trial) &&
			       !value_is_placeholder(text->at + at,
						     trial->end - at)
		       ? PATTERN_YES
		       : PATTERN_NO;
}

static bool
is_of_user(uint8_t c)
{
	return is_alphanumeric(c) || (c != 0 && strchr("._~%+-", c) != NULL);
}

/* scheme://user:password@host, without the user as well */
static enum pattern_result
try_url(struct trial *trial)
{
	const struct secrets_text *text = trial->text;
	size_t at = trial->behind;
	size_t user = at;
	enum pattern_result result;
	size_t bytes;

	if (trial->at == 0 || !is_alphanumeric(text->at[trial->at - 1]))
		return PATTERN_NO;
	while (at < user + USER_MAX && is_of_user(byte_at(trial, at)))
		at++;
	if (at >= text->nr)
		return text->at_end ? PATTERN_NO : PATTERN_OPEN;
	if (text->at[at] != ':')
		return PATTERN_NO;
	trial->start = at + 1;
	result = match_body(trial, trial->start);
	if (result != PATTERN_YES)
		return result;
	bytes = trial->end - trial->start;
	if (trial->end + 1 >= text->nr && !text->at_end)
		return PATTERN_OPEN;
	if (byte_at(trial, trial->end) != '@' ||
	    !is_alphanumeric(byte_at(trial, trial->end + 1)) ||
	    !has_entropy(trial))
		return PATTERN_NO;
	/* the user's name again is a default that everybody knows */
	if (bytes == at - user &&
	    memcmp(text->at + user, text->at + trial->start, bytes) == 0)
		return PATTERN_NO;
	return value_is_placeholder(text->at + trial->start, bytes)
		       ? PATTERN_NO
		       : PATTERN_YES;
}

static enum pattern_result
try_key(struct trial *trial)
{
	const struct secrets_text *text = trial->text;
	struct key_place place = { .at = trial->at, .is_wrapped = true };
	enum pattern_result result;

	/* a key in base64 begins with its own body */
	if (text->at[trial->at] == '-') {
		result = key_begins(text->at, text->nr, text->at_end, trial->at,
				    &trial->start);
	} else {
		result = key_next_run(text->at, text->nr, text->at_end, &place);
		trial->start = place.start;
	}
	trial->end = trial->start;
	return result;
}

static enum pattern_result
try_rule(struct trial *trial)
{
	switch ((enum secrets_kind)trial->rule->kind) {
	case SECRETS_TOKEN:
		return try_token(trial);
	case SECRETS_AFTER:
		return try_after(trial);
	case SECRETS_ASSIGNED:
	case SECRETS_GENERIC:
		return try_assigned(trial);
	case SECRETS_VARIABLE:
		return try_variable(trial);
	case SECRETS_URL:
		return try_url(trial);
	default:
		return try_key(trial);
	}
}

/* ---- the places ---------------------------------------------------------- */

/* Places where something may begin, in their order. */
struct places {
	const struct secrets_rules *rules;
	const struct secrets_text *text;
	size_t block;  /* of the text, the one that the mask is of */
	uint64_t mask; /* places of it that are not yet given */
	bool avx2;
};

/* Up to four bytes, the first one lowest. */
static uint32_t
load_four(const struct secrets_text *text, size_t at)
{
	uint32_t four = 0;

	if (text->nr - at >= sizeof(four))
		memcpy(&four, text->at + at, sizeof(four));
	else
		memcpy(&four, text->at + at, text->nr - at);
	return le32toh(four);
}

/* Of the places of a mask those where four bytes begin something. */
static uint64_t
keep_starts(const struct places *places, uint64_t mask)
{
	uint64_t kept = 0;

	for (; mask != 0; mask &= mask - 1) {
		unsigned i = (unsigned)__builtin_ctzll(mask);
		uint32_t start = secrets_start(
			load_four(places->text, places->block + i));

		kept |= (places->rules->starts[start / 64] >> start % 64 & 1)
			<< i;
	}
	return kept;
}

/* The same for a whole block, by nothing but these. */
static uint64_t
all_places(const struct places *places)
{
	size_t left = places->text->nr - places->block;

	return left >= SIEVE_BLOCK ? UINT64_MAX : (1ull << left) - 1;
}

/* The next block with a place in it; false: there is none. */
static bool
load_block(struct places *places)
{
	const struct secrets_text *text = places->text;
	const size_t beyond = SIEVE_PLACES - 1;

	for (; places->block < text->nr; places->block += SIEVE_BLOCK) {
		size_t left = text->nr - places->block;
		uint64_t mask = all_places(places);

		if (places->avx2 && left >= SIEVE_BLOCK + beyond) {
			places->block +=
				SIEVE_BLOCK *
				sieve_next(&places->rules->sieve,
					   text->at + places->block,
					   (left - beyond) / SIEVE_BLOCK,
					   &mask);
			if (mask == 0) {
				places->block -= SIEVE_BLOCK;
				continue;
			}
		}
		places->mask = keep_starts(places, mask);
		if (places->mask != 0)
			return true;
	}
	return false;
}

/* The next place where something may begin. */
static bool
next_place(struct places *places, size_t *at)
{
	if (places->mask == 0) {
		places->block += SIEVE_BLOCK;
		if (!load_block(places))
			return false;
	}
	*at = places->block + (size_t)__builtin_ctzll(places->mask);
	places->mask &= places->mask - 1;
	return true;
}

static bool
stands_here(const struct secrets_begin *begin, const uint8_t *at)
{
	if (!begin->any_case)
		return memcmp(at, begin->text, begin->bytes) == 0;
	for (unsigned i = 0; i < begin->bytes; i++)
		if (ascii_lower(at[i]) != ascii_lower((uint8_t)begin->text[i]))
			return false;
	return true;
}

/* What any rule finds at a place: the first of those that find something. */
static enum secrets_result
try_place(const struct places *places, size_t at,
	  struct secrets_finding *finding)
{
	const struct secrets_rules *rules = places->rules;
	const struct secrets_text *text = places->text;
	uint32_t four = load_four(text, at);
	uint16_t link = rules->slots[secrets_slot(four)];

	for (; link != 0; link = rules->begins[link - 1].next) {
		const struct secrets_begin *begin = &rules->begins[link - 1];
		struct trial trial = {
			.rules = rules,
			.text = text,
			.rule = &rules->rules[begin->rule],
			.at = at,
			.behind = at + begin->bytes,
		};
		enum pattern_result result;

		if ((four & begin->four_mask) != begin->four ||
		    begin->bytes > text->nr - at ||
		    !stands_here(begin, text->at + at))
			continue;
		result = try_rule(&trial);
		if (result == PATTERN_OPEN)
			return SECRETS_MORE;
		if (result == PATTERN_NO)
			continue;
		*finding = (struct secrets_finding){
			.start = trial.start,
			.end = trial.end,
			.rule = begin->rule,
			.is_key = trial.rule->kind == SECRETS_KEY,
			.is_wrapped = text->at[at] != '-',
		};
		return SECRETS_FOUND;
	}
	return SECRETS_NONE;
}

/* How far all beginnings are there whole: one that is cut off at the end of the
 * text is not looked for. */
static size_t
sure_end(const struct secrets_text *text)
{
	if (text->at_end)
		return text->nr;
	return text->nr - min_size(text->nr, SECRETS_BEGIN_BYTES);
}

/* Joins what overlaps; the rule that comes first in the table names both. */
static void
join(struct secrets_finding *into, const struct secrets_finding *other)
{
	into->start = min_size(into->start, other->start);
	into->end = other->end > into->end ? other->end : into->end;
	if (other->rule < into->rule)
		into->rule = other->rule;
}

/* Where a search stops: all before it is decided. */
static enum secrets_result
stop_at(struct secrets_cursor *cursor, const struct secrets_text *text,
	size_t at)
{
	cursor->from = at > cursor->from ? at : cursor->from;
	return text->at_end ? SECRETS_NONE : SECRETS_MORE;
}

static enum secrets_result
found(struct secrets_cursor *cursor, const struct secrets_finding *finding)
{
	cursor->from = finding->end;
	cursor->least = finding->end;
	return SECRETS_FOUND;
}

enum secrets_result
secrets_find(const struct secrets_rules *rules, const struct secrets_text *text,
	     struct secrets_cursor *cursor, struct secrets_finding *finding)
{
	size_t sure = sure_end(text);
	struct places places = { .rules = rules,
				 .text = text,
				 .block = cursor->from,
				 .avx2 = !rules->no_avx2 && sieve_has_avx2() };
	struct secrets_finding other;
	size_t first = sure; /* where the finding was met, */
	size_t until = 0;    /* and ended */
	size_t at;

	finding->end = 0;
	if (!load_block(&places))
		return stop_at(cursor, text, sure);
	while (next_place(&places, &at) && at < sure) {
		enum secrets_result result;

		if (until != 0 && at >= until)
			return found(cursor, finding);
		result = try_place(&places, at, &other);
		if (result == SECRETS_MORE)
			return stop_at(cursor, text, first < at ? first : at);
		if (result == SECRETS_NONE || other.start < cursor->least)
			continue;
		if (until == 0) {
			*finding = other;
			first = at;
			until = other.end;
		} else if (other.start < finding->end && !other.is_key) {
			join(finding, &other);
		}
		if (finding->is_key)
			return found(cursor, finding);
	}
	if (until != 0 && until <= sure)
		return found(cursor, finding);
	return stop_at(cursor, text, first);
}
