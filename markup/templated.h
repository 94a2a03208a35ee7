/* SPDX-License-Identifier: MIT */
/*
 * templated.h - an output as a user's template has it.
 *
 * Content goes by as it is read, so a template says once where it stands, in
 * {{#files}}; what is before that is written when a file begins, what is
 * behind it when the file ends.
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
	enum markup_escape content_escape;
	enum markup_escape tree_escape;
};

/*
 * shape:  a template whose names are all known, and where they may stand
 * owner:  as template_parse(); templated->template is to be freed
 * errors: likewise
 */
int
templated_parse(struct templated *templated, const char *source, size_t nr,
		struct template_error *error);

#endif
