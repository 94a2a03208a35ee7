/* SPDX-License-Identifier: MIT */
/*
 * options_outputs.c - whether the files that a run writes are different ones.
 *
 * Does: compares the places that paths lead to, through links and whether a
 *       file is there yet or not, with the names of all parts that an output
 *       could have.
 * Does not: refuse two outputs that go to the same pipe or device.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/new_file.h"
#include "cli/command_line.h"
#include "supervisor/manifest.h"

struct written {
	const char *option;
	const char *path;
	bool has_place; /* it is a file, or will be one */
	struct new_file_place place;
};

/* What cannot be found now is said when it is written. */
static void
find(struct written *written)
{
	struct stat st;

	if (written->path == NULL ||
	    (stat(written->path, &st) == 0 && !S_ISREG(st.st_mode)))
		return;
	written->has_place = new_file_find(written->path, &written->place) == 0;
}

/* Parts lie beside the path itself, wherever it leads. */
static void
find_parts(struct written *written)
{
	const char *name = basename(written->path);
	size_t bytes = (size_t)(name - written->path);
	char *dir = strndup(bytes > 0 ? written->path : ".", max_u64(bytes, 1));
	struct stat st;

	if (strlen(name) < sizeof(written->place.name) && dir != NULL &&
	    stat(dir, &st) == 0) {
		strcpy(written->place.name, name);
		written->place.dev = st.st_dev;
		written->place.ino = st.st_ino;
		written->has_place = true;
	}
	free(dir);
}

static bool
are_in_one(const struct written *one, const struct written *other)
{
	return one->has_place && other->has_place &&
	       one->place.dev == other->place.dev &&
	       one->place.ino == other->place.ino;
}

static bool
is_same(const struct written *one, const struct written *other)
{
	return are_in_one(one, other) &&
	       strcmp(one->place.name, other->place.name) == 0;
}

/* Whether it has a name that a part or the manifest of the output could have. */
static bool
is_of_parts(const struct written *output, const struct written *other)
{
	char *owner;
	bool is_manifest;

	if (!are_in_one(output, other))
		return false;
	owner = manifest_owner(other->place.name);
	is_manifest = owner != NULL && strcmp(owner, output->place.name) == 0;
	free(owner);
	return is_manifest ||
	       manifest_is_part_name(output->place.name, other->place.name);
}

/* Whether it is the file that stdout goes to. */
static bool
is_stdout(const struct written *other)
{
	struct stat to;
	struct stat st;

	return other->has_place && fstat(STDOUT_FILENO, &to) == 0 &&
	       S_ISREG(to.st_mode) && stat(other->path, &st) == 0 &&
	       st.st_dev == to.st_dev && st.st_ino == to.st_ino;
}

static int
refuse_output(struct command_line *line, const struct written *one,
	      const struct written *other, const char *why)
{
	return complain(line, "BALE-CLI-005 %s %s cannot be given with %s: %s",
			other->option, WORD_QUOTED(other->path), one->option,
			why);
}

int
options_check_kept(struct command_line *line)
{
	struct written kept = { .option = "--in-place",
				.path = line->compact.in_place };
	struct written lines = { .option = "--record",
				 .path = line->compact.record };

	if (line->command == COMMAND_WINDOW) {
		kept = (struct written){ .option = "FILE",
					 .path = line->run.operands.items[0] };
		lines = (struct written){ .option = "--events",
					  .path = line->window.events };
	}
	find(&kept);
	find(&lines);
	return is_same(&kept, &lines)
		       ? refuse_output(line, &kept, &lines,
				       "both write the same file")
		       : 0;
}

/* What is written is text, or compressed by zstd: a name may not say that it is
 * something else. */
static int
check_ending(struct command_line *line, const char *path)
{
	static const char *const endings[] = { ".gz", ".xz", ".bz2" };
	size_t bytes = path == NULL ? 0 : strlen(path);

	for (size_t i = 0; i < ARRAY_LEN(endings); i++) {
		size_t nr = strlen(endings[i]);

		if (bytes > nr && strcmp(path + bytes - nr, endings[i]) == 0)
			return complain(line,
					"BALE-CLI-002 --output: invalid value "
					"%s: only .zst is compressed; name it "
					"so, or write to stdout and pipe that",
					WORD_QUOTED(path));
	}
	return 0;
}

int
options_check_outputs(struct command_line *line)
{
	const struct options *options = &line->run;
	struct written all[] = {
		{ .option = "--output", .path = options->output_path },
		{ .option = "--report", .path = options->report_path },
		{ .option = "--metrics", .path = options->metrics_path },
		{ .option = "--write-secrets-baseline",
		  .path = options->new_baseline_path },
		{ .option = "--audit-log", .path = options->audit_path },
	};
	bool has_parts = options->kind == JOB_PACK &&
			 options->pack.split_tokens > 0 &&
			 options->output_path != NULL;

	if (check_ending(line, options->output_path) != 0)
		return -EINVAL;
	for (size_t i = 1; i < ARRAY_LEN(all); i++)
		if (all[i].path != NULL && strcmp(all[i].path, "-") == 0)
			return complain(line,
					"BALE-CLI-005 %s -: stdout is "
					"/dev/stdout there, and a file of that "
					"name ./-",
					all[i].option);
	for (size_t i = 0; i < ARRAY_LEN(all); i++)
		if (i == 0 && has_parts)
			find_parts(&all[i]);
		else
			find(&all[i]);
	for (size_t i = 1; i < ARRAY_LEN(all); i++) {
		if (options->output_path == NULL && is_stdout(&all[i]))
			return complain(line,
					"BALE-CLI-005 %s writes the file that "
					"stdout goes to; give it another",
					all[i].option);
		if (has_parts && is_of_parts(&all[0], &all[i]))
			return refuse_output(
				line, &all[0], &all[i],
				"with --split that is the name of one of "
				"its parts or of their manifest");
		for (size_t k = has_parts ? 1 : 0; k < i; k++)
			if (is_same(&all[k], &all[i]))
				return refuse_output(
					line, &all[k], &all[i],
					"both write the same file");
	}
	return 0;
}
