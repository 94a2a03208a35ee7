/* SPDX-License-Identifier: MIT */
/*
 * cmd_models.c - the table of models, for people.
 */
#include "supervisor/cmd_models.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "shm/diag.h"
#include "supervisor/supervisor.h"
#include "tokenizer/models.h"
#include "tokenizer/tokenizer.h"

/* Whether the vocabulary of an encoding is there and whole. */
static bool
is_whole(const char *encoding)
{
	const struct tokenizer *tok;

	return tokenizer_open(&tok, encoding) == 0 &&
	       !tokenizer_is_estimate(tok);
}

static void
print_count(const struct tokenizer_model *model, bool whole)
{
	if (!whole)
		printf("estimated: the vocabulary of %s is damaged\n",
		       model->encoding);
	else if (model->tokenizer == MODEL_BUILT_IN)
		printf("exact\n");
	else
		printf("estimated, with a margin of %u %%%s\n",
		       model->margin_percent,
		       model->tokenizer == MODEL_PUBLISHED
			       ? "; exact with its tokenizer.json"
			       : "");
}

int
cmd_models(void)
{
	const struct tokenizer_model *model;
	const char *seen = "";
	bool whole = false;

	printf("%-24s %-14s %10s  %s\n", "MODEL", "ENCODING", "WINDOW",
	       "COUNT");
	for (size_t i = 0; (model = tokenizer_model_at(i)) != NULL; i++) {
		printf("%-24s %-14s %10llu  ", model->name, model->encoding,
		       (unsigned long long)model->window_tokens);
		if (strcmp(seen, model->encoding) != 0)
			whole = is_whole(model->encoding);
		seen = model->encoding;
		print_count(model, whole);
	}
	if (fflush(stdout) != 0) {
		diag_log(DIAG_ERROR, "stdout: %s", strerror(errno));
		return EXIT_OUTPUT;
	}
	return EXIT_COMPLETE;
}
