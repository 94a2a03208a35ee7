/* SPDX-License-Identifier: MIT */
/*
 * assigned.h - what is assigned to a name.
 *
 *   aws_secret_key      =      "wJalr..."      name, rest, operator, value
 *   "slackToken"        :      'xoxb...'
 *   <password           >      hunter2</password>
 *
 * Does not: know a language: whatever looks like it in one of them.
 */
#ifndef SECRETS_ASSIGNED_H
#define SECRETS_ASSIGNED_H

#include "base/base.h"
#include "secrets/pattern.h"

struct assigned {
	size_t name_end; /* of the rest of the name */
	size_t value;    /* where it begins */
	uint8_t quote;   /* that it stands in; 0: none */
	uint8_t by;      /* the first byte of the operator */
	bool is_far;     /* the value is on another line */
};

/*
 * shape:  the value that is assigned to the name that ends at `at`; OPEN: more
 *         of the text is needed
 * source: the shape is the one that gitleaks has in its rules for names
 */
enum pattern_result
assigned_find(const uint8_t *text, size_t bytes, bool at_end, size_t at,
	      struct assigned *found);

/* Whether a value that begins as said may end before this byte. */
bool
assigned_ends(const struct assigned *found, uint8_t next);

#endif
