/* SPDX-License-Identifier: MIT */
/*
 * cmd_unpack.c - `bale unpack`: the files of an output, as they were.
 *
 * Does: opens what is given, each file once; puts the parts of an output in
 *       order, says which are missing, and unpacks them one after the other.
 * Does not: overwrite without --force; leave the directory, whatever the
 *           output says; write a part of a file (unpack.h, unpack_dir.h).
 * Runs in: the one process there is.
 */
#include "cli/command_line.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "markup/read.h"
#include "base/diag.h"
#include "cli/input.h"
#include "supervisor/sandbox.h"
#include "supervisor/supervisor.h"
#include "cli/unpack.h"

struct operand {
	const char *path;
	size_t given; /* where among the operands */
	struct input input;
	struct markup_part part;
};

struct operands {
	struct text_list paths; /* what is read, manifests for their parts */
	struct operand *at;
	size_t nr;
	struct input_limits limits;
	uint64_t read_nr;    /* bytes of all */
	uint64_t missing_nr; /* parts that a manifest names */
	uint64_t changed_nr; /* parts, not what their manifest says */
};

/* ---- which part each is ---- */

/* Looks at an operand: 0 or an exit code. */
static int
look_at(struct operands *operands, struct operand *operand)
{
	struct input *input = &operand->input;
	int result = input_open(input, operand->path, &operands->limits);

	if (result != 0)
		return input_complain(operand->path, result);
	operands->read_nr += input->read_nr;
	if (input->in_memory)
		operands->limits.memory_bytes -= input->nr;
	/* all of them share it; 0 would be a limit by the size */
	if (input->nr != input->read_nr && operands->limits.output_bytes > 0)
		operands->limits.output_bytes =
			operands->limits.output_bytes <= input->nr
				? 1
				: operands->limits.output_bytes - input->nr;
	result = markup_read_part(input->bytes, input->nr, &operand->part);
	if (result == -EBADMSG)
		return exit_with(EXIT_USAGE,
				 "%s: it claims an impossible part number",
				 QUOTED(operand->path));
	return result == 0
		       ? EXIT_COMPLETE
		       : exit_with(EXIT_RESOURCES, "%s: %s",
				   QUOTED(operand->path), diag_errno(result));
}

static int
by_part(const void *a, const void *b)
{
	const struct operand *one = a;
	const struct operand *other = b;

	if (one->part.number != other->part.number)
		return one->part.number < other->part.number ? -1 : 1;
	return one->given < other->given ? -1 : 1;
}

/* Opens the list: 0 or an exit code. Parts of one output are taken in their
 * order, whatever order shells sort their names in. */
static int
open_operands(struct operands *operands, const struct options *options)
{
	int code = EXIT_COMPLETE;

	operands->limits = (struct input_limits){
		.memory_bytes = options->memory_bytes,
		.output_bytes = options->max_output_bytes,
	};
	operands->at = calloc(operands->paths.nr + 1, sizeof(*operands->at));
	if (operands->at == NULL)
		return exit_out_of_memory();
	operands->nr = operands->paths.nr;
	for (size_t i = 0; i < operands->nr && code == EXIT_COMPLETE; i++) {
		operands->at[i].path = operands->paths.items[i];
		operands->at[i].given = i;
		code = look_at(operands, &operands->at[i]);
	}
	if (code == EXIT_COMPLETE)
		qsort(operands->at, operands->nr, sizeof(*operands->at),
		      by_part);
	return code;
}

static void
close_operands(struct operands *operands)
{
	for (size_t i = 0; i < operands->nr; i++)
		input_close(&operands->at[i].input);
	free(operands->at);
}

#define PART_BYTES 64

/* "part 2 of 5" */
static const char *
part_text(char out[static PART_BYTES], const struct operand *operand)
{
	if (operand->part.nr == 0)
		return "no part";
	snprintf(out, PART_BYTES, "part %ju of %ju", operand->part.number,
		 operand->part.nr);
	return out;
}

/* Two operands that cannot be read together. */
static void
complain_of_two(const struct operand *one, const struct operand *other,
		const char *why)
{
	char first[PART_BYTES];
	char second[PART_BYTES];

	diag_log(DIAG_ERROR, "%s is %s, and %s is %s: %s", QUOTED(one->path),
		 part_text(first, one), QUOTED(other->path),
		 part_text(second, other), why);
}

/* Parts of two outputs, put together, would be none of them: false. */
static bool
are_of_one(const struct operands *operands)
{
	const struct operand *all = operands->at;

	for (size_t i = 1; i < operands->nr; i++) {
		if (all[i].part.nr == all[0].part.nr)
			continue;
		complain_of_two(&all[0], &all[i],
				"they are parts of different outputs; unpack "
				"each separately");
		return false;
	}
	for (size_t i = 1; i < operands->nr && all[0].part.nr > 0; i++) {
		if (all[i].part.number != all[i - 1].part.number)
			continue;
		complain_of_two(&all[i - 1], &all[i], "give each part once");
		return false;
	}
	return true;
}

/* Names a part that is not there: the files of it are missing; true: one is. */
static bool
lacks_parts(const struct operands *operands)
{
	const struct operand *all = operands->at;
	uint64_t missing = 1; /* the first number that none has */

	if (operands->nr == 0 || operands->nr >= all[0].part.nr)
		return false; /* all, or it has no parts */
	while (missing <= operands->nr &&
	       all[missing - 1].part.number == missing)
		missing++;
	diag_log(
		DIAG_WARN,
		"missing parts: %ju of %ju, the first is part %ju; their files "
		"are not written",
		all[0].part.nr - operands->nr, all[0].part.nr, missing);
	return true;
}

/* ---- unpacking ---- */

/* Whether a part is what the manifest beside it says. */
static void
compare_part(struct operands *operands, const struct operand *operand)
{
	enum part_word word = part_operands_compare(operand->path);

	if (word == PART_WORD_NONE || word == PART_WORD_SAME)
		return;
	if (word == PART_WORD_DIFFERS)
		diag_log(DIAG_WARN,
			 "%s does not match its manifest: it was "
			 "changed, or is from another run",
			 QUOTED(operand->path));
	operands->changed_nr++;
}

/* One output: 0 or an exit code. */
static int
unpack_one(struct unpack *unpack, struct operand *operand)
{
	struct input *input = &operand->input;
	struct markup_error error;
	int result = unpack_read(unpack, input->bytes, input->nr, &error);

	input_close(input);
	if (result == 0)
		return EXIT_COMPLETE;
	if (result == -EBADMSG)
		return exit_with(EXIT_USAGE, "%s: line %ju: %s%s",
				 QUOTED(operand->path), error.line, error.what,
				 unpack->written_nr > 0
					 ? ""
					 : "; what --template wrote cannot be "
					   "read back");
	return exit_with(EXIT_RESOURCES, "%s: %s", QUOTED(operand->path),
			 result == -E2BIG
				 ? "its files are larger than --max-output, or "
				   "than 64 times its size and 1G if that is "
				   "not given; if it is to be trusted, raise "
				   "--max-output"
				 : diag_errno(result));
}

static int
unpack_all(struct unpack *unpack, struct operands *operands,
	   uint64_t max_output_bytes)
{
	int code = EXIT_COMPLETE;

	unpack->lacks_parts = lacks_parts(operands);
	unpack->bytes_max = max_output_bytes != 0
				    ? max_output_bytes
				    : input_default_limit(operands->read_nr);
	for (size_t i = 0; i < operands->nr && code == EXIT_COMPLETE; i++) {
		compare_part(operands, &operands->at[i]);
		code = unpack_one(unpack, &operands->at[i]);
	}
	unpack_fini(unpack);
	if (code == EXIT_COMPLETE && unpack->failed_nr > 0)
		return EXIT_OUTPUT;
	if (code == EXIT_COMPLETE &&
	    (unpack->partial_nr > 0 || unpack->lacks_parts ||
	     operands->missing_nr > 0 || operands->changed_nr > 0))
		return EXIT_DEGRADED;
	return code;
}

/* What is read, and where it goes. */
struct unpacking {
	const struct options *options;
	struct operands operands;
	struct unpack_dir dir;
};

/* calls: a process of its own; files are made below the directory, and nowhere
 * else */
static int
read_and_unpack(void *context)
{
	struct unpacking *unpacking = context;
	const struct options *options = unpacking->options;
	struct operands *operands = &unpacking->operands;
	struct unpack unpack;
	int code = part_operands_enter(options, &operands->paths,
				       unpacking->dir.fd);

	unpack_init(&unpack, &unpacking->dir);
	unpack.force = options->force;
	if (code == EXIT_COMPLETE)
		code = open_operands(operands, options);
	if (code == EXIT_COMPLETE && !are_of_one(operands))
		code = EXIT_USAGE;
	if (code == EXIT_COMPLETE)
		code = unpack_all(&unpack, operands, options->max_output_bytes);
	close_operands(operands);
	if (unpack.has_signatures)
		diag_log(DIAG_WARN, "signatures cannot be unpacked; pack "
				    "without --compress, or with --tiers off, "
				    "for text instead");
	if (!options->quiet)
		fprintf(stderr,
			"files %ju written, %ju incomplete, %ju "
			"refused\n",
			unpack.written_nr, unpack.partial_nr, unpack.failed_nr);
	return code;
}

/* Who is shut in cannot take a directory away that stayed empty. */
static int
unpack_apart(struct unpacking *unpacking)
{
	const struct sandbox_child child = {
		.active = unpacking->options->sandbox_layers,
		.what = unpacking->options->operands.items[0],
		.makes_files = true,
		.work = read_and_unpack,
		.context = unpacking,
	};

	return sandbox_run_child(&child);
}

int
cmd_unpack(struct command_line *line)
{
	const struct options *options = &line->run;
	const char *path =
		options->directory == NULL ? "." : options->directory;
	struct unpacking unpacking = { .options = options,
				       .dir = { .fd = -1 } };
	struct operands *operands = &unpacking.operands;
	int code = part_operands_expand(options, &operands->paths,
					&operands->missing_nr);
	int error = 0;

	if (code == EXIT_COMPLETE)
		error = unpack_dir_open(&unpacking.dir, path);
	if (error != 0)
		code = exit_with(EXIT_OUTPUT, "%s: %s", QUOTED(path),
				 diag_errno(error));
	if (code == EXIT_COMPLETE)
		code = unpack_apart(&unpacking);
	unpack_dir_close(&unpacking.dir, path);
	text_list_free(&operands->paths);
	return code;
}
