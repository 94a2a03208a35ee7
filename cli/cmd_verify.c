/* SPDX-License-Identifier: MIT */
/*
 * cmd_verify.c - `bale verify`: an output counted again.
 *
 * Does: counts the bytes of a file as one text, by itself and from nothing
 *       but them; says whether they are within the budget, and whether the
 *       report of --against tells the same.
 * Runs in: the one process there is.
 */
#include "cli/command_line.h"

#include <errno.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/diag.h"
#include "base/fd_io.h"
#include "base/number_format.h"
#include "base/sha256.h"
#include "base/stream.h"
#include "cli/input.h"
#include "markup/read.h"
#include "rank/budget.h"
#include "report/report_read.h"
#include "stages/job.h"
#include "supervisor/encoding.h"
#include "supervisor/sandbox.h"
#include "supervisor/supervisor.h"
#include "tokenizer/tokenizer.h"

#define CACHE_LOG2 16
#define WHY_BYTES 256
#define MARGIN_PERCENT_MAX 1000 /* of a report */

struct verify {
	const struct options *options;
	uint64_t budget_tokens; /* BUDGET_ALL: it is not checked */
	struct job pack;        /* for the margin of a model */
	const struct tokenizer *tokenizer;
	struct tokenizer_cache *cache;
	size_t parts_seen; /* of the output that the report is of */
	size_t parts_nr;   /* in all; 0: it has none */
	json_t *report;    /* of --against; NULL: not read yet, or none */
};

static void
hex_of(const struct input *input, char hex[2 * SHA256_BYTES + 1])
{
	uint8_t digest[SHA256_BYTES];

	sha256_of(input->bytes, input->nr, digest);
	figure_hex(hex, digest, sizeof(digest));
}

/* One figure of the report: 0, or 1 and a line about it. */
static int
compare(const char *what, const json_t *reported, uint64_t counted)
{
	if (json_is_integer(reported) &&
	    (uint64_t)json_integer_value(reported) == counted)
		return 0;
	printf("  report     %s %lld, counted %ju\n", what,
	       (long long)json_integer_value(reported), counted);
	return 1;
}

/*
 * What the report tells of a file: of the output or, if it is a part of one,
 * of that part; what the part says of itself is all that it is known by.
 */
static const json_t *
reported_of(const json_t *output, const struct input *input)
{
	const json_t *parts = json_object_get(output, "parts");
	struct markup_part part;

	if (!json_is_array(parts))
		return output;
	if (markup_read_part(input->bytes, input->nr, &part) != 0 ||
	    part.nr != json_array_size(parts))
		return NULL;
	return json_array_get(parts, part.number - 1);
}

/* The report of --against: 0 or an exit code. */
static int
read_report(struct verify *verify)
{
	const char *path = verify->options->against;
	char why[WHY_BYTES] = "";
	int fd = fd_open_input(path);
	FILE *file = fd < 0 ? NULL : fdopen(fd, "r");
	int error = fd < 0 ? fd : -ENOMEM;

	if (file != NULL) {
		error = report_load(file, &verify->report, why, sizeof(why));
		fclose(file);
	}
	if (error == 0)
		error = report_check(verify->report, why, sizeof(why));
	if (error == 0 &&
	    json_is_object(json_object_get(verify->report, "output")))
		return EXIT_COMPLETE;
	return exit_with(EXIT_USAGE, "--against %s: %s", QUOTED(path),
			 error == -EPROTO ? why
			 : error != 0
				 ? fd_open_error(error)
				 : "it is not a report of an output; bale pack "
				   "--report writes one");
}

/* 0: the report tells the same; an exit code */
static int
compare_report(struct verify *verify, const struct input *input,
	       uint64_t tokens)
{
	char hex[2 * SHA256_BYTES + 1];
	const json_t *all = json_object_get(verify->report, "output");
	const json_t *output = reported_of(all, input);
	const json_t *sha256 = json_object_get(output, "sha256");
	int different = 0;

	if (json_is_object(all) && output == NULL) {
		printf("  report     lists %zu parts, and this is none of "
		       "them\n",
		       json_array_size(json_object_get(all, "parts")));
		return EXIT_DEGRADED;
	}
	different +=
		compare("tokens", json_object_get(output, "tokens"), tokens);
	different +=
		compare("bytes", json_object_get(output, "bytes"), input->nr);
	hex_of(input, hex);
	if (json_is_string(sha256) &&
	    strcmp(json_string_value(sha256), hex) != 0) {
		printf("  report     SHA-256 differs: %s\n", hex);
		different++;
	}
	if (output != all) {
		verify->parts_nr =
			json_array_size(json_object_get(all, "parts"));
		verify->parts_seen++;
	}
	if (different == 0)
		printf("  report     matches\n");
	return different == 0 ? EXIT_COMPLETE : EXIT_DEGRADED;
}

/* The manifest that lies beside a part: 0, or an exit code and a line. */
static int
compare_manifest(const char *path)
{
	static const char *const words[] = {
		[PART_WORD_SAME] = "matches",
		[PART_WORD_DIFFERS] = "does not match this file",
		[PART_WORD_UNKNOWN] = "cannot be read",
	};
	enum part_word word = part_operands_compare(path);

	if (word == PART_WORD_NONE)
		return EXIT_COMPLETE;
	printf("  manifest   %s\n", words[word]);
	return word == PART_WORD_SAME ? EXIT_COMPLETE : EXIT_DEGRADED;
}

/*
 * What the report was counted by, unless the user says something else. Of a
 * report that is somebody's, no more than the name of an encoding is taken.
 */
static int
open_encoding(struct verify *verify, struct command_line *line)
{
	const char *encoding =
		json_string_value(json_object_get(verify->report, "encoding"));
	json_int_t margin = json_integer_value(
		json_object_get(verify->report, "margin_percent"));

	if (encoding == NULL || option_requested(line, OPTION_ENCODING) ||
	    option_requested(line, OPTION_MODEL))
		return encoding_open(&verify->tokenizer,
				     &verify->pack.margin_percent, &line->run);
	if (tokenizer_open(&verify->tokenizer, encoding) != 0)
		return exit_with(EXIT_USAGE,
				 "--against %s: it was counted by the "
				 "encoding %s, which is none of bale's own; "
				 "name that with --encoding",
				 QUOTED(verify->options->against),
				 WORD_QUOTED(encoding));
	if (margin >= 0 && margin <= MARGIN_PERCENT_MAX)
		verify->pack.margin_percent = (uint32_t)margin;
	return EXIT_COMPLETE;
}

/* What an output may have, if anybody says so: the user, the report, or the
 * model; BUDGET_ALL: nobody does. */
static uint64_t
budget_of(const struct command_line *line, const json_t *report)
{
	const json_t *available =
		json_object_get(json_object_get(report, "budget"), "available");

	if (option_given(line, OPTION_BUDGET))
		return line->run.budget_tokens;
	if (json_is_integer(available) && json_integer_value(available) >= 0)
		return (uint64_t)json_integer_value(available);
	if (report == NULL && line->from[OPTION_TOTAL] == FROM_MODEL)
		return line->run.window_tokens;
	return BUDGET_ALL;
}

/* Counts a file and says what it comes to: an exit code. */
static int
verify_one(struct verify *verify, const char *path)
{
	uint64_t budget = verify->budget_tokens;
	const struct input_limits limits = {
		.memory_bytes = verify->options->memory_bytes,
		.output_bytes = verify->options->max_output_bytes,
	};
	struct input input;
	uint64_t tokens;
	int code = EXIT_COMPLETE;
	int error = input_open(&input, path, &limits);

	if (error != 0)
		return input_complain(path, error);
	tokens = tokenizer_count(verify->tokenizer, verify->cache, input.bytes,
				 input.nr);
	tokens = budget_model_tokens(tokens, verify->pack.margin_percent);
	printf("%s\n  tokens     %ju\n  bytes      %zu\n", QUOTED(path), tokens,
	       input.nr);
	if (budget != BUDGET_ALL && tokens > budget) {
		printf("  budget     %ju: over by %ju\n", budget,
		       (tokens - budget));
		code = EXIT_FRAME;
	} else if (budget != BUDGET_ALL) {
		printf("  budget     %ju: holds, %ju left\n", budget,
		       (budget - tokens));
	}
	if (verify->options->against != NULL) {
		int reported = compare_report(verify, &input, tokens);

		code = code == EXIT_COMPLETE ? reported : code;
	}
	if (code == EXIT_COMPLETE)
		code = compare_manifest(path);
	input_close(&input);
	return code;
}

int
cmd_verify(struct command_line *line)
{
	const struct options *options = &line->run;
	struct verify verify = { .options = options };
	struct text_list files;
	uint64_t missing_nr;
	int code = part_operands_expand(options, &files, &missing_nr);
	void *memory;

	if (code == EXIT_COMPLETE)
		code = part_operands_enter(options, &files, -1);
	if (code == EXIT_COMPLETE && options->against != NULL)
		code = read_report(&verify);
	if (code == EXIT_COMPLETE)
		code = open_encoding(&verify, line);
	if (code != EXIT_COMPLETE) {
		text_list_free(&files);
		json_decref(verify.report);
		return code;
	}
	verify.budget_tokens = budget_of(line, verify.report);
	memory = aligned_alloc(64, tokenizer_cache_bytes(CACHE_LOG2));
	if (memory != NULL)
		verify.cache = tokenizer_cache_init(memory, CACHE_LOG2);
	for (size_t i = 0; i < files.nr; i++) {
		int result = verify_one(&verify, files.items[i]);

		code = code == EXIT_COMPLETE ? result : code;
	}
	if (code == EXIT_COMPLETE && missing_nr > 0)
		code = EXIT_DEGRADED;
	text_list_free(&files);
	free(memory);
	json_decref(verify.report);
	if (verify.parts_seen != verify.parts_nr) {
		printf("the report lists %zu parts; these are %zu\n",
		       verify.parts_nr, verify.parts_seen);
		code = code == EXIT_COMPLETE ? EXIT_DEGRADED : code;
	}
	return stream_finish_stdout() == 0 ? code : EXIT_OUTPUT;
}
