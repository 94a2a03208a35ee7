/* SPDX-License-Identifier: MIT */
/*
 * cmd_cache.c - what pack --cache has kept.
 *
 * Does: lists it, adds it up, checks it, removes it. The process that reads
 *       surveys can open nothing but them.
 */
#include "cli/command_line.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/absolute_path.h"
#include "base/diag.h"
#include "base/emit.h"
#include "base/exit_code.h"
#include "base/fd_io.h"
#include "base/new_file.h"
#include "base/number_format.h"
#include "base/stream.h"
#include "base/user_file.h"
#include "supervisor/sandbox.h"
#include "supervisor/survey_dir.h"
#include "supervisor/survey_move.h"

#define SECOND_NS 1000000000
#define TIME_BYTES 32

/* By enum survey_state. */
static const char *const state_words[] = { "whole", "damaged", "other build" };

/* ---- what is printed ------------------------------------------------------ */

static const char *
print_time(char out[static TIME_BYTES], const char *format, int64_t ns)
{
	time_t seconds = ns / SECOND_NS;
	struct tm tm;

	if (gmtime_r(&seconds, &tm) == NULL ||
	    strftime(out, TIME_BYTES, format, &tm) == 0)
		snprintf(out, TIME_BYTES, "-");
	return out;
}

static uint64_t
sum_bytes(const struct survey_dir *dir)
{
	uint64_t bytes = 0;

	for (size_t i = 0; i < dir->nr; i++)
		bytes += dir->files[i].bytes;
	return bytes;
}

/* The table of a survey: what of it cannot be read is "-". */
static void
print_file(const struct survey_file *file)
{
	bool is_known = file->label != NULL;
	char used[TIME_BYTES];
	const char *root;

	printf("%s  %10s  %10s  %-11s  ",
	       print_time(used, "%Y-%m-%d %H:%M", file->used_ns),
	       is_known ? COUNT_TEXT(file->head.entry_nr) : "-",
	       BYTES_TEXT(file->bytes), state_words[file->state]);
	if (!is_known)
		printf("%s", file->name);
	for (size_t i = 0; (root = survey_file_root(file, i)) != NULL; i++)
		printf("%s%s", i == 0 ? "" : " ", QUOTED(root));
	if (is_known)
		printf(" (%s)", QUOTED(survey_file_settings(file)));
	putchar('\n');
}

static void
emit_file(struct emitter *out, const struct survey_file *file, bool is_checked)
{
	char used[TIME_BYTES];
	const char *root;

	emit_begin(out, NULL, '{');
	emit_text(out, "name", file->name);
	emit_text(out, "state", state_words[file->state]);
	emit_u64(out, "bytes", file->bytes);
	emit_text(out, "used",
		  print_time(used, "%Y-%m-%dT%H:%M:%SZ", file->used_ns));
	if (file->label != NULL) {
		emit_text(out, "settings", survey_file_settings(file));
		emit_begin(out, "roots", '[');
		for (size_t i = 0; (root = survey_file_root(file, i)) != NULL;
		     i++)
			emit_text(out, NULL, root);
		emit_end(out, ']');
		emit_u64(out, "files", file->head.entry_nr);
		emit_u64(out, "content_bytes", file->head.content_bytes);
	}
	if (is_checked)
		emit_u64(out, "damaged_files", file->damaged_nr);
	emit_end(out, '}');
}

static int
print_json(const struct survey_dir *dir, const char *path, bool is_checked,
	   bool lists)
{
	struct emitter out;

	emit_init(&out, STDOUT_FILENO);
	emit_begin(&out, NULL, '{');
	emit_u64(&out, "version", 1);
	emit_path(&out, "directory", (const uint8_t *)path, strlen(path));
	emit_u64(&out, "bytes", sum_bytes(dir));
	if (lists) {
		emit_begin(&out, "surveys", '[');
		for (size_t i = 0; i < dir->nr; i++)
			emit_file(&out, &dir->files[i], is_checked);
		emit_end(&out, ']');
	} else {
		emit_u64(&out, "surveys", dir->nr);
	}
	emit_end(&out, '}');
	emit_line(&out);
	return emit_finish(&out);
}

static int
print_list(const struct survey_dir *dir)
{
	if (dir->nr > 0)
		printf("%-16s  %10s  %10s  %-11s  %s\n", "USED (UTC)", "FILES",
		       "SIZE", "STATE", "TREE (SETTINGS)");
	for (size_t i = 0; i < dir->nr; i++)
		print_file(&dir->files[i]);
	return stream_finish(stdout);
}

static int
print_size(const struct survey_dir *dir, const char *path)
{
	printf("%s in %zu survey%s, in %s\n", BYTES_TEXT(sum_bytes(dir)),
	       dir->nr, dir->nr == 1 ? "" : "s", QUOTED(path));
	return stream_finish(stdout);
}

/* ---- actions -------------------------------------------------------------- */

/* Compares all sums; *is_damaged: one at least differs. 0 or -errno. */
static int
check(struct survey_dir *dir, bool *is_damaged)
{
	*is_damaged = false;
	for (size_t i = 0; i < dir->nr; i++) {
		struct survey_file *file = &dir->files[i];
		int error = survey_file_check(dir, file);

		/* another run has removed or replaced it */
		if (error != 0 && error != -ENOENT && error != -EINVAL)
			return error;
		*is_damaged |= file->state == SURVEY_DAMAGED;
	}
	return 0;
}

static int
fail_to_read(const char *path, int error)
{
	return exit_with(EXIT_RESOURCES, "cannot read %s: %s", QUOTED(path),
			 diag_errno(error));
}

/* list, size or check. */
static int
show(const struct command_line *line, struct survey_dir *dir, const char *path)
{
	bool checks = line->action == ACTION_CACHE_CHECK;
	bool lists = line->action != ACTION_CACHE_SIZE;
	bool is_damaged = false;
	int error = checks ? check(dir, &is_damaged) : 0;

	if (error != 0)
		return fail_to_read(path, error);
	if (line->run.json)
		error = print_json(dir, path, checks, lists);
	else
		error = lists ? print_list(dir) : print_size(dir, path);
	if (error != 0)
		return exit_cannot_write(NULL, error);
	return is_damaged ? EXIT_DEGRADED : EXIT_COMPLETE;
}

/* Whether the action takes a FILE, and then the PATHs of one tree. */
static bool
moves(const struct command_line *line)
{
	return line->action == ACTION_CACHE_EXPORT ||
	       line->action == ACTION_CACHE_IMPORT;
}

/* The operands behind the action, as roots are kept: an exit code. */
static int
find_roots(const struct command_line *line, struct text_list *roots)
{
	const struct text_list *operands = &line->run.operands;
	char root[PATH_MAX];

	size_t first = moves(line) ? 2 : 1;
	size_t end = operands->nr;

	if (moves(line) && end == first)
		end++; /* the current directory */
	for (size_t i = first; i < end; i++) {
		const char *path = i < operands->nr ? operands->items[i] : ".";
		int error = absolute_path(root, sizeof(root), path);

		if (error != 0)
			return exit_with(EXIT_USAGE, "%s: %s", QUOTED(path),
					 diag_errno(error));
		if (text_list_add_copy(roots, root) != 0)
			return exit_out_of_memory();
	}
	return EXIT_COMPLETE;
}

/* Whether a survey is of one of the roots; of any, if none is named. */
static bool
is_wanted(const struct survey_file *file, const struct text_list *roots)
{
	for (size_t i = 0; i < roots->nr; i++)
		if (survey_file_is_of(file, roots->items[i]))
			return true;
	return roots->nr == 0;
}

static int
clear(const struct survey_dir *dir, const struct text_list *roots)
{
	uint64_t bytes = 0;
	size_t nr = 0;

	for (size_t i = 0; i < dir->nr; i++) {
		const struct survey_file *file = &dir->files[i];

		if (!is_wanted(file, roots))
			continue;
		if (unlinkat(dir->fd, file->name, 0) != 0 && errno != ENOENT)
			return exit_cannot_write(file->name, -errno);
		bytes += file->bytes;
		nr++;
	}
	if (roots->nr == 0)
		new_file_sweep(dir->fd, NULL);
	printf("removed %zu survey%s, %s\n", nr, nr == 1 ? "" : "s",
	       BYTES_TEXT(bytes));
	return exit_cannot_write(NULL, stream_finish(stdout));
}

static int export(const struct command_line *line, const struct survey_dir *dir,
		  const struct text_list *roots)
{
	const char *path = line->run.operands.items[1];
	const struct survey_file *file = survey_find_of_roots(dir, roots);
	int error;

	if (file == NULL)
		return exit_with(
			EXIT_NOTHING,
			"nothing is kept of %s that this build can use; "
			"pack it with --cache on, and see: bale cache "
			"list",
			QUOTED(roots->items[0]));
	/* its head is written last, over its beginning */
	error = strcmp(path, "-") == 0 ? -ESPIPE
				       : survey_export(dir, file, path);
	if (error == -ESPIPE)
		return exit_with(EXIT_USAGE,
				 "%s: cache export writes a regular file, not "
				 "stdout or a pipe: name one",
				 QUOTED(path));
	if (error == -EINVAL)
		return exit_with(EXIT_DEGRADED,
				 "what is kept of %s is damaged; pack it with "
				 "--cache verify",
				 QUOTED(roots->items[0]));
	if (error != 0)
		return exit_cannot_write(path, error);
	printf("%s files, %s\n", COUNT_TEXT(file->head.entry_nr),
	       survey_file_settings(file));
	return exit_cannot_write(NULL, stream_finish(stdout));
}

static int
import(const struct command_line *line, int fd, const char *directory,
       const struct text_list *roots)
{
	const char *path = QUOTED(line->run.operands.items[1]);
	uint64_t files = 0;
	int error = survey_import(fd, roots, directory, &files);

	if (error == -EINVAL)
		return exit_with(EXIT_USAGE,
				 "%s is not a survey, or is damaged; nothing "
				 "is imported",
				 path);
	if (error == -EPROTO)
		return exit_with(EXIT_USAGE,
				 "%s was written by another build of bale; "
				 "nothing is imported",
				 path);
	if (error == -EDOM)
		return exit_with(EXIT_USAGE,
				 "%s covers another number of PATHs; name as "
				 "many, in the same order",
				 path);
	if (error != 0)
		return exit_cannot_write(directory, error);
	printf("%s files\n", COUNT_TEXT(files));
	return exit_cannot_write(NULL, stream_finish(stdout));
}

/* The directory of a path that is to be written. */
static const char *
directory_of(char out[static PATH_MAX], const char *path)
{
	const char *slash = strrchr(path, '/');

	if (slash == NULL)
		return ".";
	snprintf(out, PATH_MAX, "%.*s", (int)(slash - path + 1), path);
	return out;
}

/* What an action needs is opened, and then no more can be than what it writes. */
static int
begin(const struct command_line *line, struct survey_dir *dir, const char *path,
      int *fd)
{
	const char *const *operands = line->run.operands.items;
	char target[PATH_MAX + 2];
	struct sandbox_place places[] = {
		{ .path = path, .access = SANDBOX_READS },
		{ .access = SANDBOX_WRITES },
	};
	size_t nr = 1;
	int error;

	if (line->action == ACTION_CACHE_IMPORT) {
		*fd = fd_open_input(operands[1]);
		if (*fd < 0)
			return exit_with(EXIT_USAGE, "cannot read %s: %s",
					 QUOTED(operands[1]),
					 fd_open_error(*fd));
		snprintf(target, sizeof(target), "%s/", path);
		error = user_file_make_parents(target);
		if (error != 0)
			return exit_cannot_write(path, error);
	}
	if (line->action == ACTION_CACHE_IMPORT ||
	    line->action == ACTION_CACHE_CLEAR)
		places[0].access = SANDBOX_WRITES;
	if (line->action == ACTION_CACHE_EXPORT)
		places[nr++].path = directory_of(target, operands[1]);
	error = survey_dir_open(dir, path);
	if (error != 0 && error != -ENOENT)
		return fail_to_read(path, error);
	/* what is not there cannot be named to the sandbox */
	return sandbox_enter_command(line->run.sandbox_layers, places,
				     error == 0 ? nr : 0);
}

static int
run_action(const struct command_line *line, struct survey_dir *dir,
	   const char *path, const struct text_list *roots)
{
	int fd = -1;
	int code = begin(line, dir, path, &fd);

	if (code == EXIT_COMPLETE) {
		survey_dir_read(dir);
		switch (line->action) {
		case ACTION_CACHE_CLEAR:
			code = clear(dir, roots);
			break;
		case ACTION_CACHE_EXPORT:
			code = export(line, dir, roots);
			break;
		case ACTION_CACHE_IMPORT:
			code = import(line, fd, path, roots);
			break;
		default:
			code = show(line, dir, path);
		}
	}
	fd_close(fd);
	return code;
}

int
cmd_cache(struct command_line *line)
{
	struct survey_dir dir = SURVEY_DIR_NONE;
	struct text_list roots = { 0 };
	char path[PATH_MAX];
	int code = find_roots(line, &roots);

	if (code == EXIT_COMPLETE && survey_dir_path(path, sizeof(path)) != 0)
		code = exit_with(EXIT_USAGE,
				 "surveys are kept below $XDG_CACHE_HOME or "
				 "$HOME, and neither is an absolute path");
	if (code == EXIT_COMPLETE)
		code = run_action(line, &dir, path, &roots);
	survey_dir_close(&dir);
	text_list_free(&roots);
	return code;
}
