/* SPDX-License-Identifier: MIT */
/*
 * templated.h - output by a user's template.
 *
 * Content is written while it is read, so a template places it once, in
 * {{#files}}; the text before it is written when a file begins, the text after
 * it when the file ends.
 */
#ifndef MARKUP_TEMPLATED_H
#define MARKUP_TEMPLATED_H

#include "markup/template.h"

struct templated {
	struct template template;
	/* steps of it; TEMPLATE_NO_STEP: it has none */
	uint32_t files;
	uint32_t chunks;
	uint32_t content;
	uint32_t tree;
	bool has_header;
	bool has_instructions;
	bool has_preamble; /* or its directories */
	enum markup_escape content_escape;
	enum markup_escape tree_escape;
};

/*
 * shape:  parses a template and checks its names and their places
 * owner:  as template_parse(); templated->template is to be freed
 * errors: likewise
 */
int
templated_parse(struct templated *templated, const char *source, size_t nr,
		struct template_error *error);

#endif
