/* SPDX-License-Identifier: MIT */
/*
 * template.h - a small Mustache: text with values and sections in it.
 *
 * Does: parses a template once, into a flat list of steps; walks it, all of
 *       it or from one step to another, with whatever has the values.
 * Does not: partials, inheritance, lambdas: a template is one file and calls
 *           nothing.
 * Invariants:
 * 1. Sections are balanced, and at most TEMPLATE_DEPTH_MAX deep.
 */
#ifndef MARKUP_TEMPLATE_H
#define MARKUP_TEMPLATE_H

#include "markup/markup.h"

#define TEMPLATE_DEPTH_MAX 32
#define TEMPLATE_NO_STEP UINT32_MAX

enum template_kind {
	TEMPLATE_TEXT = 0,
	TEMPLATE_VALUE,   /* {{name}} */
	TEMPLATE_RAW,     /* {{{name}}}, {{&name}} */
	TEMPLATE_SECTION, /* {{#name}} */
	TEMPLATE_INVERTED,
	TEMPLATE_END /* {{/name}} */
};

struct template_step {
	const char *at; /* the text or the name */
	uint32_t nr;
	uint32_t line; /* of the template, from 1 */
	uint32_t pair; /* a section's end, an end's section */
	uint8_t kind;  /* enum template_kind */
};

struct template
{
	struct template_step *steps; /* template_free() */
	uint32_t step_nr;
	size_t step_room;
	enum markup_escape escape; /* of {{name}} */
};

struct template_error {
	uint32_t line;
	char what[160]; /* names in it as template_shown() has them */
};

#define TEMPLATE_SHOWN 61 /* of a name, with its NUL */

/* A name for an error: cut short, without what no terminal should get. */
const char *
template_shown(char shown[TEMPLATE_SHOWN], const char *name, size_t nr);

/*
 * shape:  the steps of a template
 * owner:  `source` stays the caller's, as long as the steps are used
 * errors: -EINVAL: *error says where and what; -ENOMEM; nothing to be freed
 */
int
template_parse(struct template *template, const char *source, size_t nr,
	       struct template_error *error);

/* Accepts a template that holds nothing. */
void
template_free(struct template *template);

/*
 * Who has the values. A node is theirs: an object, a list, a text, false.
 */
struct template_view {
	void *context;
	/* what an object has by a name; false: nothing */
	bool (*find)(void *context, const void *node, const char *name,
		     size_t nr, const void **found);
	/* whether a section is shown; of a list: how often, else SIZE_MAX */
	bool (*is_true)(void *context, const void *node);
	size_t (*item_nr)(void *context, const void *node);
	const void *(*item)(void *context, const void *node, size_t at);
	/* writes a value, escaped if it is not raw; writes a text */
	void (*put)(void *context, const void *node, bool raw);
	void (*text)(void *context, const char *text, size_t nr);
};

/* What of a template is written. */
struct template_range {
	uint32_t from;  /* nothing before this step; TEMPLATE_NO_STEP: all */
	uint32_t until; /* this step and what is behind it no more; likewise */
};

/*
 * shape:  walks it from its first step on, with `node` as what names are
 *         looked up in first, and writes what lies in the range; whether the
 *         end of the range was come by
 */
bool
template_walk(const struct template *template, const struct template_view *view,
	      const void *root, const void *node, struct template_range range);

#endif
