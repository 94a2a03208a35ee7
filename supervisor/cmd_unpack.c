/* SPDX-License-Identifier: MIT */
/*
 * cmd_unpack.c - `bale unpack`: the files of an output, as they were.
 *
 * Does: writes each file that is whole, copies those that are the same as an
 *       earlier one, converts back what was converted; names what is not
 *       whole, and what stands in the way.
 * Does not: overwrite without --force; leave the directory, whatever the
 *           output says; write a part of a file.
 * Runs in: the one process there is.
 */
#include "supervisor/cmd_unpack.h"

#include <errno.h>
#include <search.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "markup/read.h"
#include "shm/diag.h"
#include "supervisor/charset_back.h"
#include "supervisor/input.h"
#include "supervisor/supervisor.h"
#include "supervisor/unpack_dir.h"

#define PART_BYTES 4096
#define COPY_BYTES (64u << 10)
#define NAME_BYTES 1024

/* What came of the file in work. */
enum state { STATE_WRITES = 0, STATE_PARTIAL, STATE_FAILED };

struct unpack {
	const struct options *options;
	int dir_fd;
	void *written;           /* of tsearch(3): paths of this run */
	struct unpack_file file; /* in work */
	char *path;              /* of it, with a NUL */
	enum state state;
	bool goes_on;       /* it has more in the next part */
	uint64_t line_last; /* of what there is of it */
	bool converts;
	bool said_absolute;
	struct charset_back back;
	uint64_t written_nr;
	uint64_t partial_nr;
	uint64_t failed_nr;
	struct markup_part part; /* of what is read; nr 0: it has no parts */
	size_t given_nr;         /* of these parts */
};

static const char *
quoted(const char *path)
{
	static char name[NAME_BYTES];

	return diag_quote_text(name, sizeof(name), path);
}

static int
by_name(const void *a, const void *b)
{
	return strcmp(a, b);
}

/* The file in work cannot be written: why, for the user. */
static void
refuse(struct unpack *unpack, const char *why)
{
	if (unpack->state != STATE_FAILED)
		diag_log(DIAG_ERROR, "%s: %s: not written",
			 quoted(unpack->path), why);
	unpack->state = STATE_FAILED;
	unpack_file_drop(&unpack->file);
}

static void
leave_out(struct unpack *unpack, const char *why)
{
	if (unpack->state == STATE_WRITES)
		diag_log(DIAG_WARN, "%s: %s: not written", quoted(unpack->path),
			 why);
	if (unpack->state == STATE_WRITES)
		unpack->state = STATE_PARTIAL;
	unpack_file_drop(&unpack->file);
}

static void
write_bytes(struct unpack *unpack, const uint8_t *bytes, size_t nr)
{
	int error;

	if (unpack->state != STATE_WRITES)
		return;
	error = unpack_file_write(&unpack->file, bytes, nr);
	if (error != 0)
		refuse(unpack, strerror(-error));
}

/* The content of an earlier file of this run. */
static void
copy_same(struct unpack *unpack, const struct markup_file *file)
{
	static uint8_t bytes[COPY_BYTES];
	char why[NAME_BYTES + 128];
	char name[NAME_BYTES];
	char *same = strndup((const char *)file->same_as, file->same_as_bytes);
	ssize_t got = 0;
	int fd = -1;

	if (same == NULL) {
		refuse(unpack, strerror(ENOMEM));
		return;
	}
	snprintf(why, sizeof(why),
		 "it is the same as %s, which was not written%s",
		 diag_quote_text(name, sizeof(name), same),
		 unpack->part.nr > unpack->given_nr ? ": give all parts at once"
						    : "");
	if (unpack_path_wrong(file->same_as, file->same_as_bytes) != NULL ||
	    tfind(same, &unpack->written, by_name) == NULL)
		leave_out(unpack, why);
	else
		fd = unpack_file_open(unpack->dir_fd, same);
	while (fd >= 0 && unpack->state == STATE_WRITES &&
	       (got = read(fd, bytes, sizeof(bytes))) > 0)
		write_bytes(unpack, bytes, (size_t)got);
	if (unpack->state == STATE_WRITES && (fd < 0 || got < 0))
		refuse(unpack, strerror(fd < 0 ? -fd : errno));
	if (fd >= 0)
		close(fd);
	free(same);
}

static void
only_lines(struct unpack *unpack, const struct markup_file *file)
{
	char why[96];

	snprintf(why, sizeof(why), "only lines %llu-%llu of %llu",
		 (unsigned long long)file->line_first,
		 (unsigned long long)file->line_last,
		 (unsigned long long)file->line_nr);
	leave_out(unpack, why);
}

/* Whether what this output has of a file is all that is missing of it. */
static void
judge(struct unpack *unpack, const struct markup_file *file)
{
	uint64_t first = 1;

	if (file->empty || file->same_as_bytes > 0)
		return;
	if (file->continued != MARKUP_STARTS)
		first = unpack->line_last +
			(file->continued == MARKUP_CONTINUED);
	if (file->is_signatures)
		leave_out(unpack, "only its signatures (--compress)");
	else if (file->is_stripped)
		leave_out(unpack, "without its comments (--strip-comments)");
	else if (file->line_first != first ||
		 (!file->goes_on && file->line_last != file->line_nr))
		only_lines(unpack, file);
	else if (file->is_changed)
		leave_out(unpack, "some characters were escaped or removed");
}

/* The file in work is not gone on with. */
static void
give_up_rest(struct unpack *unpack)
{
	if (!unpack->goes_on)
		return;
	leave_out(unpack, "the rest is in a part that was not given");
	unpack->partial_nr += unpack->state == STATE_PARTIAL;
	unpack->failed_nr += unpack->state == STATE_FAILED;
	unpack->goes_on = false;
}

static bool
is_gone_on_with(const struct unpack *unpack, const struct markup_file *file)
{
	return unpack->goes_on && file->continued != MARKUP_STARTS &&
	       strlen(unpack->path) == file->path_bytes &&
	       memcmp(unpack->path, file->path, file->path_bytes) == 0;
}

static void
create_file(struct unpack *unpack, const struct markup_file *file)
{
	int error =
		unpack_file_create(unpack->dir_fd, unpack->path, &unpack->file);

	if (error == -ELOOP || error == -ENOTDIR)
		refuse(unpack, "a symbolic link or a file stands where a "
			       "directory should be");
	else if (error != 0)
		refuse(unpack, strerror(-error));
	else if (file->same_as_bytes > 0)
		copy_same(unpack, file);
}

/* The number of slashes that a path begins with. */
static size_t
path_slashes(const uint8_t *path, size_t nr)
{
	size_t slashes = 0;

	while (slashes < nr && path[slashes] == '/')
		slashes++;
	return slashes;
}

static int
begin_new(struct unpack *unpack, const struct markup_file *file)
{
	const char *wrong = unpack_path_wrong(file->path, file->path_bytes);

	free(unpack->path);
	unpack->path = strndup((const char *)file->path, file->path_bytes);
	if (unpack->path == NULL)
		return -ENOMEM;
	unpack->state = STATE_WRITES;
	unpack->back = (struct charset_back){ 0 };
	unpack->converts = file->charset[0] != '\0';
	if (unpack->converts)
		unpack->back.to = charset_of_name(file->charset);
	if (wrong != NULL)
		refuse(unpack, wrong);
	else if (unpack->converts && unpack->back.to == CHARSET_NR)
		refuse(unpack, "an unknown character set");
	else if (file->continued != MARKUP_STARTS)
		leave_out(unpack,
			  "its beginning is in a part that was not given");
	else
		judge(unpack, file);
	if (unpack->state == STATE_WRITES)
		create_file(unpack, file);
	return 0;
}

/* As tar does: what was packed by an absolute path comes below DIR, too. */
static struct markup_file
below_root(struct unpack *unpack, const struct markup_file *file)
{
	struct markup_file below = *file;

	below.path_bytes -= path_slashes(file->path, file->path_bytes);
	below.path += file->path_bytes - below.path_bytes;
	below.same_as_bytes -= path_slashes(file->same_as, file->same_as_bytes);
	below.same_as += file->same_as_bytes - below.same_as_bytes;
	if (below.path_bytes != file->path_bytes && !unpack->said_absolute)
		diag_log(DIAG_WARN, "leaving out the / that paths begin with");
	unpack->said_absolute |= below.path_bytes != file->path_bytes;
	return below;
}

static int
begin_file(void *context, const struct markup_file *as_written)
{
	struct unpack *unpack = context;
	const struct markup_file below = below_root(unpack, as_written);
	const struct markup_file *file = &below;
	int error = 0;

	if (is_gone_on_with(unpack, file)) {
		judge(unpack, file);
	} else {
		give_up_rest(unpack);
		error = begin_new(unpack, file);
	}
	unpack->goes_on = file->goes_on;
	unpack->line_last = file->line_last;
	return error;
}

static int
take_text(void *context, const uint8_t *text, size_t nr)
{
	struct unpack *unpack = context;
	uint8_t out[2 * (PART_BYTES + 4) + 2];

	if (!unpack->converts) {
		write_bytes(unpack, text, nr);
		return 0;
	}
	while (nr > 0 && unpack->state == STATE_WRITES) {
		size_t part = min_size(nr, PART_BYTES);
		size_t put = 0;

		if (charset_back_run(&unpack->back, text, part, out, &put) != 0)
			refuse(unpack, "a character that its set does not "
				       "have");
		else
			write_bytes(unpack, out, put);
		text += part;
		nr -= part;
	}
	return 0;
}

static int
take_gap(void *context)
{
	leave_out(context, "lines of it are left out");
	return 0;
}

static int
end_file(void *context)
{
	struct unpack *unpack = context;
	int error;

	if (unpack->goes_on)
		return 0;
	if (unpack->state == STATE_WRITES && unpack->back.held_nr > 0)
		refuse(unpack, "it ends within a character");
	if (unpack->state == STATE_WRITES) {
		error = unpack_file_commit(&unpack->file,
					   unpack->options->force);
		if (error == -EEXIST)
			refuse(unpack, "it is there already; --force replaces "
				       "it");
		else if (error != 0)
			refuse(unpack, strerror(-error));
	}
	unpack->partial_nr += unpack->state == STATE_PARTIAL;
	unpack->failed_nr += unpack->state == STATE_FAILED;
	if (unpack->state != STATE_WRITES)
		return 0;
	unpack->written_nr++;
	if (tsearch(unpack->path, &unpack->written, by_name) == NULL)
		return -ENOMEM;
	unpack->path = NULL; /* the tree keeps it, to the end */
	return 0;
}

/* One output: 0 or an exit code. */
static int
unpack_one(struct unpack *unpack, const char *path)
{
	const struct markup_sink sink = {
		.context = unpack,
		.file = begin_file,
		.text = take_text,
		.gap = take_gap,
		.end = end_file,
	};
	struct markup_error error = { 0 };
	enum markup_kind kind;
	struct input input;
	int result = input_open(&input, path);

	if (result != 0) {
		diag_log(
			DIAG_ERROR, "%s: %s", quoted(path),
			result == -EBADMSG
				? "its zstd is damaged or cut off; pack it again"
				: strerror(-result));
		return EXIT_USAGE;
	}
	result = markup_detect(input.bytes, input.nr, &kind);
	if (result != 0)
		error = (struct markup_error){ 1, "no output of bale pack" };
	else
		result =
			markup_read(kind, input.bytes, input.nr, &sink, &error);
	input_close(&input);
	if (result == 0)
		return EXIT_COMPLETE;
	unpack_file_drop(&unpack->file);
	if (result == -EBADMSG)
		diag_log(DIAG_ERROR, "%s: line %llu: %s%s", quoted(path),
			 (unsigned long long)error.line, error.what,
			 unpack->written_nr > 0
				 ? ""
				 : "; what --template wrote cannot be read "
				   "back");
	else
		diag_log(DIAG_ERROR, "%s: %s", quoted(path), strerror(-result));
	return result == -EBADMSG ? EXIT_USAGE : EXIT_RESOURCES;
}

/* Which part a file is; {0, 0}: it is whole, or cannot be read. */
static struct markup_part
part_of(const char *path)
{
	struct markup_part part = { 0, 0 };
	struct input input;

	if (input_open(&input, path) != 0)
		return part;
	if (!markup_read_part(input.bytes, input.nr, &part))
		part = (struct markup_part){ 0, 0 };
	input_close(&input);
	return part;
}

struct operand {
	const char *path;
	struct markup_part part;
	size_t given; /* where among the operands */
};

static int
by_part(const void *a, const void *b)
{
	const struct operand *one = a;
	const struct operand *other = b;

	if (one->part.number != other->part.number)
		return one->part.number < other->part.number ? -1 : 1;
	return one->given < other->given ? -1 : 1;
}

/* Parts of one output are taken in their order, whatever order they have on
 * the command line, where names of shells sort 10 before 9. */
static struct operand *
in_order(const struct options *options)
{
	size_t nr = options->operands.nr;
	struct operand *all = calloc(nr, sizeof(*all));
	bool are_parts = all != NULL;

	for (size_t i = 0; all != NULL && i < nr; i++) {
		all[i].path = options->operands.items[i];
		all[i].given = i;
		if (strcmp(all[i].path, "-") != 0)
			all[i].part = part_of(all[i].path);
		are_parts &=
			all[i].part.nr > 0 && all[i].part.nr == all[0].part.nr;
	}
	if (are_parts)
		qsort(all, nr, sizeof(*all), by_part);
	return all;
}

/* Parts of two outputs, put together, would be none of them: false. */
static bool
are_of_one(const struct operand *all, size_t nr)
{
	for (size_t i = 1; i < nr; i++) {
		char name[NAME_BYTES];

		if (all[i].part.nr == all[0].part.nr || all[i].part.nr == 0 ||
		    all[0].part.nr == 0)
			continue;
		diag_log(DIAG_ERROR,
			 "%s is part %llu of %llu, %s part %llu of %llu: they "
			 "are not of one output; unpack each by itself",
			 quoted(all[i].path),
			 (unsigned long long)all[i].part.number,
			 (unsigned long long)all[i].part.nr,
			 diag_quote_text(name, sizeof(name), all[0].path),
			 (unsigned long long)all[0].part.number,
			 (unsigned long long)all[0].part.nr);
		return false;
	}
	return true;
}

/* Names a part that is not there: the files of it are missing. */
static void
count_parts(struct unpack *unpack, const struct operand *all, size_t nr)
{
	uint64_t missing = 1; /* the first number that none has */

	for (size_t i = 0; i < nr; i++)
		if (all[i].part.nr == 0)
			return; /* stdin, or an output of another kind */
	unpack->part = all[0].part;
	for (size_t i = 0; i < nr; i++) {
		bool is_new =
			i == 0 || all[i].part.number != all[i - 1].part.number;

		unpack->given_nr += is_new;
		missing += is_new && all[i].part.number == missing;
	}
	if (unpack->given_nr < unpack->part.nr)
		diag_log(DIAG_WARN,
			 "%llu of %llu parts are not among what was given, "
			 "part %llu for one; their files are not written",
			 (unsigned long long)unpack->part.nr - unpack->given_nr,
			 (unsigned long long)unpack->part.nr,
			 (unsigned long long)missing);
}

int
cmd_unpack(const struct options *options)
{
	struct unpack unpack = {
		.options = options,
		.file = { .dir_fd = -1, .fd = -1 },
	};
	const char *dir = options->directory == NULL ? "." : options->directory;
	struct operand *all;
	int code = EXIT_COMPLETE;

	unpack.dir_fd = unpack_dir_open(dir);
	if (unpack.dir_fd < 0) {
		diag_log(DIAG_ERROR, "%s: %s", quoted(dir),
			 strerror(-unpack.dir_fd));
		return EXIT_OUTPUT;
	}
	all = in_order(options);
	if (all == NULL)
		code = EXIT_RESOURCES;
	else if (!are_of_one(all, options->operands.nr))
		code = EXIT_USAGE;
	else
		count_parts(&unpack, all, options->operands.nr);
	for (size_t i = 0; i < options->operands.nr && code == EXIT_COMPLETE;
	     i++)
		code = unpack_one(&unpack, all[i].path);
	give_up_rest(&unpack);
	free(all);
	close(unpack.dir_fd);
	free(unpack.path);
	tdestroy(unpack.written, free);
	if (!options->quiet)
		fprintf(stderr,
			"files %llu written, %llu not whole, %llu "
			"refused\n",
			(unsigned long long)unpack.written_nr,
			(unsigned long long)unpack.partial_nr,
			(unsigned long long)unpack.failed_nr);
	if (code == EXIT_COMPLETE && unpack.failed_nr > 0)
		return EXIT_OUTPUT;
	if (code == EXIT_COMPLETE &&
	    (unpack.partial_nr > 0 || unpack.given_nr < unpack.part.nr))
		code = EXIT_DEGRADED;
	return code;
}
