/* SPDX-License-Identifier: MIT */
/*
 * cmd_config_init.c - the tables as a YAML text.
 */
#include "cli/commands.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/config.h"
#include "base/stream.h"
#include "base/exit_code.h"
#include "cli/cli_text.h"

static void
print_key(FILE *out, const struct option_spec *spec, const char *name,
	  int indent)
{
	const char *value = spec->standard;
	char begin[64];

	snprintf(begin, sizeof(begin), "%*s# ", indent, "");
	fputs(begin, out);
	print_wrapped(out, spec->help, strlen(begin), begin);
	if (value == NULL && spec->kind == KIND_LIST)
		value = "[]";
	if (value == NULL)
		value = spec->kind == KIND_FLAG || spec->kind == KIND_NEGATE ||
					spec->kind == KIND_REVISION
				? "no"
				: "null";
	fprintf(out, "%*s#%s: %s\n\n", indent, "", name, value);
}

/* Whether no key before number i lies below the section. */
static bool
is_first_below(int i, const char *section)
{
	for (int j = 0; j < i; j++)
		if (option_table[j].key != NULL &&
		    strncmp(option_table[j].key, section, strlen(section)) == 0)
			return false;
	return true;
}

/*
 * Keys right below `section`, which ends with a dot or is empty, then the
 * sections below it, in their order.
 */
static void
print_section(FILE *out, const char *section, int indent)
{
	size_t bytes = strlen(section);

	for (int i = 0; i < OPTION_NR; i++) {
		const char *path = option_table[i].key;

		if (path != NULL && strncmp(path, section, bytes) == 0 &&
		    strchr(path + bytes, '.') == NULL)
			print_key(out, &option_table[i], path + bytes, indent);
	}
	for (int i = 0; i < OPTION_NR; i++) {
		const char *path = option_table[i].key;
		char below[CONFIG_PATH_BYTES];
		const char *dot;

		if (path == NULL || strncmp(path, section, bytes) != 0)
			continue;
		dot = strchr(path + bytes, '.');
		if (dot == NULL)
			continue;
		snprintf(below, sizeof(below), "%.*s", (int)(dot - path + 1),
			 path);
		if (!is_first_below(i, below))
			continue;
		fprintf(out, "%*s%.*s:\n", indent, "",
			(int)(dot - path - (ptrdiff_t)bytes), path + bytes);
		print_section(out, below, indent + 2);
	}
}

void
config_print_template(FILE *out)
{
	fputs("# Defaults, where neither the command line nor the environment "
	      "says otherwise.\n"
	      "# Remove the # in front of a key to set it; bale config "
	      "validate checks the\n"
	      "# file, bale config show prints the values in effect.\n\n",
	      out);
	print_section(out, "", 0);
}

static int
fail(const char *path, const char *what)
{
	diag_log(DIAG_ERROR, "BALE-CFG-001 %s: %s", QUOTED(path), what);
	return EXIT_OUTPUT;
}

int
config_init(const char *path)
{
	struct stream stream;
	int error;
	int fd;

	if (path == NULL && mkdir(".agent", 0777) != 0 && errno != EEXIST)
		return fail(".agent", strerrordesc_np(errno));
	path = path == NULL ? CONFIG_FILE : path;
	fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
	if (fd < 0 && errno == EEXIST)
		return fail(path, "already exists; left unchanged"), EXIT_USAGE;
	if (fd < 0)
		return fail(path, strerrordesc_np(errno));
	error = stream_open(&stream, fd);
	if (error == 0) {
		config_print_template(stream.file);
		error = stream_close(&stream);
	}
	if (close(fd) != 0 && error == 0)
		error = -errno;
	if (error != 0) {
		unlink(path);
		return fail(path, strerrordesc_np(-error));
	}
	printf("%s\n", path);
	return stream_finish_stdout();
}
