/* SPDX-License-Identifier: MIT */
/*
 * cmd_config.c - `bale config show|validate|init`.
 */
#include "cli/command_line.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <jansson.h>

#include "cli/config.h"
#include "cli/config_key.h"
#include "cli/help.h"
#include "base/diag.h"
#include "base/new_file.h"
#include "base/number_format.h"
#include "base/stream.h"
#include "base/exit_code.h"
#include "rank/budget.h"
#include "stages/job.h"

#define VALUE_BYTES 1024
#define FROM_BYTES 512
#define VARIABLE_BYTES 64

static const char *const from_words[] = {
	[FROM_DEFAULT] = "default",
	[FROM_MODEL] = "model",
	[FROM_FILE] = "file",
	[FROM_ENVIRONMENT] = "environment",
	[FROM_COMMAND_LINE] = "command line",
};

static bool
is_in_file(const struct config *config, enum option_id id)
{
	return config->places[id].line != 0;
}

/* A key, its value as it is now and where that is from. */
static void
print_row(const struct command_line *line, const struct config *config,
	  enum option_id id)
{
	const struct option_spec *spec = &option_table[id];
	enum option_id giver = option_giver(line, id);
	const struct option_spec *given = &option_table[giver];
	char variable[VARIABLE_BYTES];
	char value[VALUE_BYTES];
	char from[FROM_BYTES];

	switch (line->from[giver]) {
	case FROM_FILE:
		snprintf(from, sizeof(from), "file %s", config->path);
		if (is_in_file(config, id))
			snprintf(from + strlen(from),
				 sizeof(from) - strlen(from), ":%u",
				 config->places[id].line);
		break;
	case FROM_ENVIRONMENT:
		snprintf(from, sizeof(from), "environment %s",
			 option_variable(variable, sizeof(variable), given));
		break;
	case FROM_COMMAND_LINE:
		snprintf(from, sizeof(from), "command line --%s", given->name);
		break;
	default:
		snprintf(from, sizeof(from), "%s",
			 from_words[line->from[giver]]);
		break;
	}
	option_print(line, spec, value, sizeof(value));
	printf("%-44s %-20s %s\n", spec->key,
	       *value == '\0' ? "-" : QUOTED(value), from);
}

/* Numbers as such, what can be several as a list. */
static json_t *
json_value(const struct command_line *line, const struct option_spec *spec)
{
	const void *field = (const char *)line + spec->offset;
	const struct text_list *list = field;
	char value[VALUE_BYTES];
	json_t *array;

	if (spec->kind == KIND_LIST) {
		array = json_array();
		for (size_t i = 0; i < list->nr; i++)
			json_array_append_new(array,
					      json_string(list->items[i]));
		return array;
	}
	option_print(line, spec, value, sizeof(value));
	if (*value == '\0')
		return json_null();
	switch (spec->kind) {
	case KIND_NUMBER:
	case KIND_TOKENS:
	case KIND_BUDGET:
		if (strcmp(value, "all") == 0)
			return json_string(value);
		return json_integer(strtoll(value, NULL, 10));
	case KIND_RATIO:
		return json_real(strtod(value, NULL));
	case KIND_REVISION:
		if (strcmp(value, "yes") != 0 && strcmp(value, "no") != 0)
			return json_string(value);
		return json_boolean(*value == 'y');
	case KIND_FLAG:
	case KIND_NEGATE:
		return json_boolean(*value == 'y');
	default:
		return json_string(value);
	}
}

static json_t *
json_row(const struct command_line *line, const struct config *config,
	 enum option_id id)
{
	const struct option_spec *spec = &option_table[id];
	char variable[VARIABLE_BYTES];
	json_t *row = json_pack("{s:s, s:o*, s:s}", "key", spec->key, "value",
				json_value(line, spec), "from",
				from_words[line->from[option_giver(line, id)]]);

	if (spec->name != NULL) {
		json_object_set_new(row, "option",
				    json_sprintf("--%s", spec->name));
		option_variable(variable, sizeof(variable), spec);
		json_object_set_new(row, "environment", json_string(variable));
	}
	if (is_in_file(config, id)) {
		json_object_set_new(row, "line",
				    json_integer(config->places[id].line));
		json_object_set_new(row, "column",
				    json_integer(config->places[id].column));
	}
	return row;
}

static int
print_json(json_t *json)
{
	int error = json_dumpf(json, stdout,
			       JSON_COMPACT | JSON_REAL_PRECISION(15));

	json_decref(json);
	putchar('\n');
	if (error != 0 && !ferror(stdout))
		return exit_out_of_memory();
	return stream_finish_stdout();
}

static json_t *
json_path(const struct config *config)
{
	return config->path != NULL ? json_string(config->path) : json_null();
}

static int
show(const struct command_line *line, const struct config *config)
{
	json_t *rows = line->run.json ? json_array() : NULL;

	if (rows == NULL)
		printf("configuration file: %s\n\n%-44s %-20s %s\n",
		       config->path != NULL ? config->path : "none", "KEY",
		       "VALUE", "FROM");
	for (int i = 0; i < OPTION_NR; i++) {
		if (option_table[i].key == NULL)
			continue;
		if (rows == NULL)
			print_row(line, config, (enum option_id)i);
		else
			json_array_append_new(
				rows,
				json_row(line, config, (enum option_id)i));
	}
	if (rows == NULL)
		return stream_finish_stdout();
	return print_json(json_pack("{s:o,s:o}", "file", json_path(config),
				    "values", rows));
}

/* Shares that the file names, a line each. */
static void
print_shares(const struct command_line *line, const struct config *config,
	     const double shares[static CATEGORY_NR])
{
	uint64_t tokens[CATEGORY_NR];

	if (line != NULL)
		budget_allocate(
			budget_available(line->run.pack.budget_tokens,
					 line->run.pack.response_reserve_tokens,
					 line->run.pack.system_reserve_tokens),
			line->run.pack.shares, tokens);
	for (uint8_t i = 0; i < CATEGORY_NR; i++) {
		if (!is_in_file(config,
				(enum option_id)(OPTION_SHARE_TOOL + i)))
			continue;
		printf("  - %s: ", category_name(i));
		if (line != NULL)
			printf("%s tokens (%.12g%%)\n", COUNT_TEXT(tokens[i]),
			       shares[i]);
		else
			printf("%.12g%%\n", shares[i]);
	}
}

/* What was found good, in the words of the documents. */
static void
print_good(const struct command_line *line, const struct config *config)
{
	const struct job *pack = &line->run.pack;
	double shares[CATEGORY_NR];
	double sum;
	uint64_t reserved =
		pack->system_reserve_tokens + pack->response_reserve_tokens;

	puts("✓ Budget configuration valid");
	if (config_categories(config, shares, &sum))
		puts("✓ Category percentages sum to 100%");
	if (is_in_file(config, OPTION_TOKENIZER))
		printf("✓ Tokenizer '%s' available\n",
		       config_text(config, OPTION_TOKENIZER));
	if (is_in_file(config, OPTION_MODEL))
		printf("✓ Model '%s' supported\n", line->run.model);
	if (pack->budget_tokens != BUDGET_ALL)
		printf("✓ Total budget (%s) > reserves (%s)\n",
		       COUNT_TEXT(pack->budget_tokens), COUNT_TEXT(reserved));
	if (is_in_file(config, OPTION_OVERLAP))
		printf("✓ Overlap threshold (%.12g) in valid range [0.0, "
		       "1.0]\n",
		       config_number(config, OPTION_OVERLAP));
}

static void
print_available(const struct command_line *line, const struct config *config)
{
	const struct job *pack = &line->run.pack;
	double shares[CATEGORY_NR];
	double sum;
	uint64_t available;

	if (pack->budget_tokens == BUDGET_ALL) {
		puts("\nConfiguration OK. Everything is packed.");
		return;
	}
	available = pack->budget_tokens - pack->system_reserve_tokens -
		    pack->response_reserve_tokens;
	printf("\nConfiguration OK. Budget available for content: %s tokens\n",
	       COUNT_TEXT(available));
	if (!config_categories(config, shares, &sum))
		return;
	puts("Category allocations:");
	print_shares(line, config, shares);
}

/* The sum of the categories has a form of its own. */
static void
print_categories(const struct config *config)
{
	double shares[CATEGORY_NR];
	double sum;

	config_categories(config, shares, &sum);
	printf("✗ Error: Category percentages sum to %.12g%% (expected "
	       "100%%)\n",
	       sum);
	print_shares(NULL, config, shares);
	printf("  %s: %.12g%%\n\nSuggestion: Add missing category or adjust "
	       "percentages to sum to 100%%\n",
	       sum < 100 ? "Missing" : "Excess",
	       sum < 100 ? 100 - sum : sum - 100);
}

static void
print_problems(const struct config *config)
{
	for (size_t i = 0; i < config->problem_nr; i++) {
		const struct config_problem *problem = &config->problems[i];
		struct config_place place = problem->fault.place;

		if (strncmp(problem->fault.text, "Category percentages", 20) ==
		    0)
			print_categories(config);
		else
			printf("%s: %s\n",
			       problem->is_warning ? "⚠ Warning" : "✗ Error",
			       problem->fault.text);
		printf("  %s %s", problem->code, QUOTED(config->path));
		if (place.line > 0)
			printf(", line %u, column %u", place.line,
			       place.column);
		putchar('\n');
	}
	if (config->more_nr > 0)
		printf("and %zu more\n", config->more_nr);
}

#define CODE_BYTES 12 /* BALE-BUD-005 */

static bool
has_code(const char *error)
{
	return strncmp(error, "BALE-", 5) == 0 && strlen(error) > CODE_BYTES &&
	       error[CODE_BYTES] == ' ';
}

static json_t *
json_problem(const char *severity, const char *code, struct config_place place,
	     const char *message)
{
	json_t *row = json_pack("{s:s,s:s#}", "severity", severity, "code",
				code, CODE_BYTES);

	if (place.line > 0) {
		json_object_set_new(row, "line", json_integer(place.line));
		json_object_set_new(row, "column", json_integer(place.column));
	}
	json_object_set_new(row, "message", json_string(message));
	return row;
}

/* line->error: what only a run with all of it would refuse; "": nothing */
static int
validate_json(const struct command_line *line, const struct config *config)
{
	const char *error = line->error;
	json_t *rows = json_array();
	bool is_good = config->error_nr == 0 && *error == '\0';
	int code;

	for (size_t i = 0; i < config->problem_nr; i++) {
		const struct config_problem *it = &config->problems[i];

		json_array_append_new(
			rows, json_problem(it->is_warning ? "warning" : "error",
					   it->code, it->fault.place,
					   it->fault.text));
	}
	if (*error != '\0')
		json_array_append_new(
			rows,
			json_problem("error",
				     has_code(error) ? error : "BALE-CFG-003",
				     config_blamed(config, line),
				     error + (has_code(error) ? CODE_BYTES + 1
							      : 0)));
	code = print_json(json_pack("{s:o,s:b,s:o}", "file", json_path(config),
				    "valid", is_good, "problems", rows));
	return code == EXIT_COMPLETE && !is_good ? EXIT_USAGE : code;
}

static int
validate(struct command_line *line, const struct config *config)
{
	bool is_good = config->error_nr == 0;
	int code;

	if (is_good && config_complete(config, line) != 0)
		is_good = false;
	if (line->run.json)
		return validate_json(line, config);
	print_problems(config);
	if (is_good) {
		if (config->path == NULL)
			puts("no configuration file; these are the defaults");
		print_good(line, config);
		print_available(line, config);
	} else if (*line->error != '\0') {
		printf("✗ Error: %s\n", line->error);
	}
	code = stream_finish_stdout();
	return code == EXIT_COMPLETE && !is_good ? EXIT_USAGE : code;
}

/* ---- init: the tables as a YAML text ---- */

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

/* The text of the file that `bale config init` writes. */
static void
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
fail_init(const char *path, const char *what)
{
	return exit_with(EXIT_OUTPUT, "BALE-CFG-001 %s: %s", QUOTED(path),
			 what);
}

/* A file in which every key stands as a comment, with its default and what it
 * means; path NULL: .agent/config.yml. An existing file is left unchanged. */
static int
init(const char *path)
{
	struct new_file file = NEW_FILE_NONE;
	struct stream stream;
	struct stat there;
	int error;

	if (path == NULL && mkdir(".agent", 0777) != 0 && errno != EEXIST)
		return fail_init(".agent", strerrordesc_np(errno));
	path = path == NULL ? CONFIG_FILE : path;
	/* also a link that leads nowhere: a tree may bring one along */
	error = lstat(path, &there) == 0 ? -EEXIST
					 : new_file_create(&file, path);
	if (error == 0)
		error = stream_open(&stream, file.fd);
	if (error == 0) {
		config_print_template(stream.file);
		error = stream_close(&stream);
	}
	if (error == 0)
		error = new_file_commit(&file, new_file_mode(), false);
	new_file_drop(&file);
	if (error == -EEXIST)
		return fail_init(path, "already exists; left unchanged"),
		       EXIT_USAGE;
	if (error != 0)
		return fail_init(path, diag_errno(error));
	printf("%s\n", path);
	return stream_finish_stdout();
}

int
cmd_config(struct command_line *line)
{
	struct config config;
	int code;

	if (line->action == ACTION_CONFIG_INIT)
		return init(line->run.config_path);
	code = config_load(&config, line->run.config_path, line->run.no_config,
			   line->run.sandbox_layers);
	if (code == 0)
		code = config_apply(&config, line);
	if (code == -ENOMEM) {
		code = exit_out_of_memory();
	} else if (line->action == ACTION_CONFIG_VALIDATE) {
		code = validate(line, &config);
	} else if (config_log(&config) > 0) {
		code = EXIT_USAGE;
	} else if (config_complete(&config, line) != 0) {
		code = exit_with(EXIT_USAGE, "%s", line->error);
	} else {
		code = show(line, &config);
	}
	config_fini(&config);
	return code;
}
