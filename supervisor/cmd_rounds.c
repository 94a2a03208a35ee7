/* SPDX-License-Identifier: MIT */
/*
 * cmd_rounds.c - `bale rounds compress` and `bale rounds usage`.
 */
#include "supervisor/cmd_rounds.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "supervisor/broker.h"
#include "supervisor/cmd_window_args.h"
#include "supervisor/stream.h"
#include "supervisor/supervisor.h"
#include "window/rounds.h"

#define LIMIT_MAX 1000000000000

enum rounds_verb { VERB_COMPRESS = 0, VERB_USAGE, VERB_NR };

static const char *const verbs[VERB_NR] = { "compress", "usage" };

struct rounds_args {
	uint64_t max_tokens;
	const char *encoding;
	bool json;
	struct rounds_usage usage;
};

#define ON(verb) (1u << VERB_##verb)
#define FIELD(field) offsetof(struct rounds_args, field)

/* clang-format off */
static const struct arg_spec specs[] = {
	{ "max-tokens", "N", KIND_TOKENS, FIELD(max_tokens), 1, LIMIT_MAX,
	  ON(COMPRESS), "the block has no more (default: 2000)" },
	{ "encoding", "NAME", KIND_TEXT, FIELD(encoding), 0, 0, ON(COMPRESS),
	  "to count with (default: o200k_base)" },
	{ "json", NULL, KIND_FLAG, FIELD(json), 0, 0, ON(COMPRESS),
	  "the block and what was left out, as JSON" },
	{ "round", "N", KIND_NUMBER, FIELD(usage.round), 1, 1000000000, ON(USAGE),
	  "number of the round" },
	{ "input", "N", KIND_TOKENS, FIELD(usage.input_tokens), 0, LIMIT_MAX,
	  ON(USAGE), "tokens that went in" },
	{ "output", "N", KIND_TOKENS, FIELD(usage.output_tokens), 0, LIMIT_MAX,
	  ON(USAGE), "tokens that came out" },
	{ "context", "N", KIND_TOKENS, FIELD(usage.context_tokens), 0,
	  LIMIT_MAX, ON(USAGE), "of the input, from rounds before" },
	{ "files", "N", KIND_TOKENS, FIELD(usage.file_tokens), 0, LIMIT_MAX,
	  ON(USAGE), "of the input, content of files" },
	{ "budget", "N", KIND_TOKENS, FIELD(usage.budget_tokens), 1, LIMIT_MAX,
	  ON(USAGE), "tokens that the round may take" },
};
/* clang-format on */

static void
name_outside(const void *fields, const struct args *args,
	     struct broker_names *out)
{
	(void)fields;
	*out = (struct broker_names){ .store = NULL };
	if (args->verb == VERB_USAGE && args->operands.nr > 1)
		out->store = args->operands.items[1];
	out->reads_only = args->operands.nr > 2 &&
			  strcmp(args->operands.items[2], "report") == 0;
}

const struct arg_command rounds_command = {
	.name = "rounds",
	.usage = "bale rounds compress [OPTIONS] < round.json\n"
		 "       bale rounds usage FILE record --round N --input N "
		 "--budget N [OPTIONS]\n"
		 "       bale rounds usage FILE report",
	.verbs = verbs,
	.verb_nr = VERB_NR,
	.verb_place = 0,
	.specs = specs,
	.spec_nr = ARRAY_LEN(specs),
	.name_outside = name_outside,
};

static int
fail(int result, const struct window_error *error)
{
	diag_log(DIAG_ERROR, "%s", error->text);
	return window_exit_code(result);
}

static int
fail_file(int result, const char *path, const struct window_error *error)
{
	if (result == -ENOENT)
		diag_log(DIAG_ERROR, "%s; `record` makes one", error->text);
	else
		args_log_about(path, error->text);
	return window_exit_code(result);
}

static int
fail_operands(void)
{
	diag_log(DIAG_ERROR,
		 "BALE-CLI-004 rounds takes: compress, usage FILE record, or "
		 "usage FILE report; see: bale rounds --help");
	return EXIT_USAGE;
}

static int
print_block(const struct rounds_args *args, const struct rounds_block *block)
{
	char *json;

	if (!args->json) {
		fwrite(block->text, 1, block->text_bytes, stdout);
		return stream_finish_stdout();
	}
	json = rounds_block_json(block, args->max_tokens);
	if (json == NULL) {
		diag_log(DIAG_ERROR, "out of memory");
		return EXIT_RESOURCES;
	}
	puts(json);
	free(json);
	return stream_finish_stdout();
}

static int
compress(const struct rounds_args *args)
{
	struct window_error error;
	struct rounds_block block;
	char *text;
	size_t bytes;
	int code;
	int result = rounds_read_fd(STDIN_FILENO, &text, &bytes, &error);

	if (result != 0)
		return fail(result, &error);
	result = rounds_compress(text, bytes, args->encoding, args->max_tokens,
				 &block, &error);
	free(text);
	if (result != 0)
		return fail(result, &error);
	if (block.estimated)
		diag_log(DIAG_WARN, "BALE-RND-006 the vocabulary in this "
				    "program is damaged (checksum): tokens "
				    "are estimates; install bale again");
	code = print_block(args, &block);
	rounds_block_free(&block);
	return code;
}

static int
record(const char *path, const struct rounds_usage *usage)
{
	struct window_error error;
	int result = rounds_record(path, usage, &error);

	if (result != 0)
		return fail_file(result, path, &error);
	if (rounds_is_near_limit(usage))
		diag_log(DIAG_WARN,
			 "BALE-RND-005 round %llu: %.0f%% of the token budget "
			 "used (%llu of %llu tokens), %lld remain",
			 (unsigned long long)usage->round,
			 100.0 * (double)usage->input_tokens /
				 (double)usage->budget_tokens,
			 (unsigned long long)usage->input_tokens,
			 (unsigned long long)usage->budget_tokens,
			 (long long)usage->budget_tokens -
				 (long long)usage->input_tokens);
	return EXIT_COMPLETE;
}

static int
report(const char *path)
{
	struct window_error error;
	char *json;
	int result = rounds_report(path, &json, &error);

	if (result != 0)
		return fail_file(result, path, &error);
	puts(json);
	free(json);
	return stream_finish_stdout();
}

static int
run(const struct rounds_args *own, const struct args *args)
{
	const struct text_list *operands = &args->operands;

	if (args->verb == VERB_COMPRESS)
		return operands->nr == 1 ? compress(own) : fail_operands();
	if (operands->nr != 3)
		return fail_operands();
	if (strcmp(operands->items[2], "record") == 0)
		return record(operands->items[1], &own->usage);
	if (strcmp(operands->items[2], "report") == 0)
		return report(operands->items[1]);
	return fail_operands();
}

int
cmd_rounds(int argc, char **argv)
{
	struct rounds_args own = { .max_tokens = 2000 };
	struct args args;
	int code;

	if (args_begin(&rounds_command, argc, argv, &own, &args, &code))
		code = run(&own, &args);
	args_fini(&args);
	return code;
}
