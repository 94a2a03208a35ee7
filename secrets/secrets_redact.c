/* SPDX-License-Identifier: MIT */
/*
 * secrets_redact.c - a text without its secrets, piece by piece.
 */
#include "secrets/secrets.h"

#include <stdio.h>

#include "base/hash.h"
#include "secrets/key.h"

static void
give_text(struct secrets_redactor *redactor, const struct secrets_text *text,
	  size_t end, struct secrets_piece *piece)
{
	*piece = (struct secrets_piece){
		.at = text->at + redactor->at,
		.nr = end - redactor->at,
	};
	redactor->at = end;
}

/* Whether what has been found stays. */
static bool
stays(const struct secrets_redactor *redactor)
{
	return redactor->tells_only ||
	       secrets_rule_warns(redactor->finding.rule);
}

/* The secret in work has more bytes, up to `end`. */
static void
add_digest(struct secrets_redactor *redactor, const struct secrets_text *text,
	   size_t end)
{
	redactor->digest = hash32(redactor->digest, text->at + redactor->at,
				  end - redactor->at);
}

/* A marker in place of the text up to `end`, or that text. */
static void
give_found(struct secrets_redactor *redactor, const struct secrets_text *text,
	   size_t end, struct secrets_piece *piece)
{
	uint16_t rule = redactor->finding.rule;
	int nr = snprintf(redactor->marker, sizeof(redactor->marker),
			  "[REDACTED:%s]", secrets_rule_name(rule));

	add_digest(redactor, text, end);
	if (stays(redactor)) {
		give_text(redactor, text, end, piece);
	} else {
		*piece = (struct secrets_piece){
			.at = (const uint8_t *)redactor->marker,
			.nr = min_size((size_t)nr,
				       sizeof(redactor->marker) - 1),
		};
		redactor->at = end;
	}
	piece->is_found = true;
	piece->rule = rule;
	piece->digest = redactor->digest;
}

/* The next piece of a key: what lies between its lines, a marker in place of
 * the first of them, nothing in place of the others. */
static enum secrets_result
next_of_key(struct secrets_redactor *redactor, const struct secrets_text *text,
	    struct secrets_piece *piece)
{
	struct key_place place = {
		.at = redactor->at,
		.has_body = redactor->key_is_told,
		.is_wrapped = redactor->finding.is_wrapped,
	};
	enum pattern_result result =
		key_next_run(text->at, text->nr, text->at_end, &place);

	if (result == PATTERN_OPEN)
		return SECRETS_MORE;
	if (result == PATTERN_NO || place.start > redactor->at) {
		redactor->in_key = result == PATTERN_YES;
		give_text(redactor, text, place.start, piece);
	} else if (!redactor->key_is_told) {
		redactor->key_is_told = true;
		give_found(redactor, text, place.end, piece);
	} else {
		add_digest(redactor, text, place.end);
		if (!stays(redactor))
			redactor->at = place.end;
		give_text(redactor, text, place.end, piece);
		piece->goes_on = true;
		piece->digest = redactor->digest;
	}
	redactor->cursor =
		(struct secrets_cursor){ redactor->at, redactor->at };
	return SECRETS_FOUND;
}

/* What has been found: the text before it, and then what stands for it. */
static enum secrets_result
next_of_finding(struct secrets_redactor *redactor,
		const struct secrets_text *text, struct secrets_piece *piece)
{
	const struct secrets_finding *finding = &redactor->finding;

	if (redactor->at < finding->start) {
		give_text(redactor, text, finding->start, piece);
		return SECRETS_FOUND;
	}
	redactor->has_finding = false;
	redactor->digest = HASH32_BEGIN;
	if (finding->is_key) {
		redactor->in_key = true;
		redactor->key_is_told = false;
		return next_of_key(redactor, text, piece);
	}
	give_found(redactor, text, finding->end, piece);
	return SECRETS_FOUND;
}

enum secrets_result
secrets_redact_next(struct secrets_redactor *redactor,
		    const struct secrets_rules *rules,
		    const struct secrets_text *text,
		    struct secrets_piece *piece)
{
	enum secrets_result result;
	size_t sure;

	if (redactor->in_key)
		return next_of_key(redactor, text, piece);
	if (redactor->has_finding)
		return next_of_finding(redactor, text, piece);
	result = secrets_find(rules, text, &redactor->cursor,
			      &redactor->finding);
	redactor->has_finding = result == SECRETS_FOUND;
	if (redactor->has_finding)
		return next_of_finding(redactor, text, piece);
	sure = result == SECRETS_NONE
		       ? text->nr
		       : redactor->cursor.from -
				 min_size(redactor->cursor.from, SECRETS_HELD);
	if (sure <= redactor->at)
		return result;
	give_text(redactor, text, sure, piece);
	return SECRETS_FOUND;
}
