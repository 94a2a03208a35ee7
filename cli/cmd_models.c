/* SPDX-License-Identifier: MIT */
/*
 * cmd_models.c - the table of models, for people or as JSON.
 */
#include "cli/command_line.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/emit.h"
#include "base/stream.h"
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

/* By enum model_tokenizer. */
static const char *const tokenizer_words[] = { "built-in", "published",
					       "closed" };

static void
emit_model(struct emitter *out, const struct tokenizer_model *model, bool whole)
{
	emit_begin(out, NULL, '{');
	emit_text(out, "name", model->name);
	emit_text(out, "encoding", model->encoding);
	emit_u64(out, "window", model->window_tokens);
	emit_bool(out, "exact", whole && model->tokenizer == MODEL_BUILT_IN);
	emit_u64(out, "margin_percent", model->margin_percent);
	emit_text(out, "tokenizer", tokenizer_words[model->tokenizer]);
	emit_end(out, '}');
}

/* The table: 0 or -errno. */
static int
print_table(struct emitter *json)
{
	const struct tokenizer_model *model;
	const char *seen = "";
	bool whole = false;

	for (size_t i = 0; (model = tokenizer_model_at(i)) != NULL; i++) {
		if (strcmp(seen, model->encoding) != 0)
			whole = is_whole(model->encoding);
		seen = model->encoding;
		if (json != NULL) {
			emit_model(json, model, whole);
			continue;
		}
		printf("%-24s %-14s %10ju  ", model->name, model->encoding,
		       model->window_tokens);
		print_count(model, whole);
	}
	return stream_finish(stdout);
}

static int
print_json(void)
{
	struct emitter out;

	emit_init(&out, STDOUT_FILENO);
	emit_begin(&out, NULL, '{');
	emit_u64(&out, "version", 1);
	emit_begin(&out, "models", '[');
	print_table(&out);
	emit_end(&out, ']');
	emit_end(&out, '}');
	emit_line(&out);
	return emit_finish(&out);
}

int
cmd_models(struct command_line *line)
{
	const struct options *options = &line->run;
	int error;

	if (options->json) {
		error = print_json();
	} else {
		printf("%-24s %-14s %10s  %s\n", "MODEL", "ENCODING", "WINDOW",
		       "COUNT");
		error = print_table(NULL);
	}
	return exit_cannot_write(NULL, error);
}
