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

int
cmd_models(void)
{
	const struct tokenizer_model *model;

	printf("%-24s %-14s %10s  %s\n", "MODEL", "ENCODING", "WINDOW",
	       "COUNT");
	for (size_t i = 0; (model = tokenizer_model_at(i)) != NULL; i++) {
		printf("%-24s %-14s %10llu  ", model->name, model->encoding,
		       (unsigned long long)model->window_tokens);
		if (model->margin_percent == 0)
			printf("exact\n");
		else
			printf("estimated, with a margin of %u %%\n",
			       model->margin_percent);
	}
	if (fflush(stdout) != 0) {
		diag_log(DIAG_ERROR, "stdout: %s", strerror(errno));
		return EXIT_OUTPUT;
	}
	return EXIT_COMPLETE;
}
