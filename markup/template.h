/* SPDX-License-Identifier: MIT */
/*
 * template.h - a small Mustache: text with values and sections.
 *
 * Does: parses a template once, into a flat list of steps; walks it, completely
 *       or from one step to another, for whoever has the values.
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
 * The provider of values. A node is its own: an object, a list, a text, false.
 */
struct template_view {
	void *context;
	/* finds a value of an object by its name; false: none */
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

/* The part of a template that is written. */
struct template_range {
	uint32_t from;  /* the first step; TEMPLATE_NO_STEP: all */
	uint32_t until; /* the step after the last; likewise */
};

/*
 * shape:  walks the template from its first step, looking names up in `node`
 *         first, and writes the steps in the range; whether the end of the
 *         range was reached
 */
bool
template_walk(const struct template *template, const struct template_view *view,
	      const void *root, const void *node, struct template_range range);

#endif
