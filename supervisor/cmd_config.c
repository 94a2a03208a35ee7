/* SPDX-License-Identifier: MIT */
/*
 * cmd_config.c - `bale config show|validate|init`.
 */
#include "supervisor/cmd_config.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "supervisor/cmd_config_init.h"
#include "supervisor/cmd_window_args.h"
#include "supervisor/config.h"
#include "supervisor/figures.h"
#include "supervisor/stream.h"
#include "supervisor/supervisor.h"

#define VALUE_BYTES 1024
#define QUOTE_BYTES 512
#define FROM_BYTES 512
#define VARIABLE_BYTES 64
#define ERROR_BYTES 512

/* A value, as it is now and where it is from. */
struct shown {
	const char *key;
	const char *option; /* NULL: none */
	const struct option_spec *spec;
	enum option_from from;
	struct config_place place; /* FROM_FILE */
	char variable[VARIABLE_BYTES];
	char value[VALUE_BYTES];
};

static const char *const from_words[] = {
	[FROM_DEFAULT] = "default",
	[FROM_MODEL] = "model",
	[FROM_FILE] = "file",
	[FROM_ENVIRONMENT] = "environment",
	[FROM_COMMAND_LINE] = "command line",
};

static bool
fill_option(const struct options *options, const struct config *config,
	    enum option_id id, struct shown *out)
{
	const struct option_spec *spec = &option_table[id];

	*out = (struct shown){
		.key = option_key(id),
		.option = spec->name,
		.spec = spec,
		.from = (enum option_from)options->from[id],
		.place = config->option_places[id],
	};
	if (out->key == NULL)
		return false;
	option_variable(out->variable, sizeof(out->variable), spec);
	option_print(options, spec, out->value, sizeof(out->value));
	return true;
}

/* Settings of window and compact have variables of their options. */
static void
fill_setting(const struct config *config, enum setting_id id, struct shown *out)
{
	const struct option_spec *spec = &setting_table[id];
	const struct option_spec named = { .name = setting_options[id] };
	const char *text = NULL;
	size_t n = 0;

	*out = (struct shown){ .key = spec->name,
			       .option = setting_options[id],
			       .spec = spec,
			       .place = config->setting_places[id] };
	if (named.name != NULL)
		text = getenv(option_variable(out->variable,
					      sizeof(out->variable), &named));
	if (text != NULL && *text != '\0') {
		out->from = FROM_ENVIRONMENT;
	} else {
		text = spec->standard;
		for (size_t i = 0; i < config->entries.nr; i++) {
			if (config->setting_of[i] != (int)id)
				continue;
			out->from = FROM_FILE;
			text = config->entries.items[i].value;
			if (spec->kind == KIND_LIST && n < VALUE_BYTES)
				n += (size_t)snprintf(out->value + n,
						      VALUE_BYTES - n, "%s%s",
						      n > 0 ? ", " : "", text);
		}
	}
	if (n == 0)
		snprintf(out->value, VALUE_BYTES, "%s",
			 text == NULL ? "" : text);
}

static void
print_row(const struct config *config, const struct shown *shown)
{
	char from[FROM_BYTES];
	char quoted[QUOTE_BYTES];

	switch (shown->from) {
	case FROM_FILE:
		snprintf(from, sizeof(from), "file %s:%u", config->path,
			 shown->place.line);
		break;
	case FROM_ENVIRONMENT:
		snprintf(from, sizeof(from), "environment %s", shown->variable);
		break;
	case FROM_COMMAND_LINE:
		snprintf(from, sizeof(from), "command line --%s",
			 shown->option);
		break;
	default:
		snprintf(from, sizeof(from), "%s", from_words[shown->from]);
		break;
	}
	diag_quote_text(quoted, sizeof(quoted), shown->value);
	printf("%-44s %-20s %s\n", shown->key,
	       *shown->value == '\0' ? "-" : quoted, from);
}

/* A list of the options, or of the file for a setting. */
static json_t *
json_list(const struct options *options, const struct config *config,
	  const struct shown *shown, int setting)
{
	const void *field = (const char *)options + shown->spec->offset;
	const struct text_list *list = field;
	json_t *array = json_array();

	for (size_t i = 0; setting < 0 && i < list->nr; i++)
		json_array_append_new(array, json_string(list->items[i]));
	for (size_t i = 0; setting >= 0 && i < config->entries.nr; i++) {
		if (config->setting_of[i] == setting)
			json_array_append_new(
				array,
				json_string(config->entries.items[i].value));
	}
	return array;
}

/* Numbers as such, what can be several as a list. */
static json_t *
json_value(const struct options *options, const struct config *config,
	   const struct shown *shown, int setting)
{
	if (shown->spec->kind == KIND_LIST)
		return json_list(options, config, shown, setting);
	if (*shown->value == '\0')
		return json_null();
	switch (shown->spec->kind) {
	case KIND_NUMBER:
	case KIND_TOKENS:
	case KIND_BUDGET:
		if (shown->value[strspn(shown->value, "0123456789")] == '\0')
			return json_integer(strtoll(shown->value, NULL, 10));
		return json_string(shown->value);
	case KIND_RATIO:
		return json_real(strtod(shown->value, NULL));
	case KIND_REVISION:
		if (strcmp(shown->value, "yes") != 0 &&
		    strcmp(shown->value, "no") != 0)
			return json_string(shown->value);
		return json_boolean(shown->value[0] == 'y');
	case KIND_FLAG:
		return json_boolean(strchr("yYtT1oO", shown->value[0]) !=
					    NULL &&
				    strcasecmp(shown->value, "off") != 0);
	default:
		return json_string(shown->value);
	}
}

static json_t *
json_row(const struct options *options, const struct config *config,
	 const struct shown *shown, int setting)
{
	json_t *row = json_object();

	json_object_set_new(row, "key", json_string(shown->key));
	json_object_set_new(row, "value",
			    json_value(options, config, shown, setting));
	json_object_set_new(row, "from", json_string(from_words[shown->from]));
	if (shown->option != NULL) {
		char dashed[VARIABLE_BYTES];

		snprintf(dashed, sizeof(dashed), "--%s", shown->option);
		json_object_set_new(row, "option", json_string(dashed));
		json_object_set_new(row, "environment",
				    json_string(shown->variable));
	}
	if (shown->from == FROM_FILE) {
		json_object_set_new(row, "line",
				    json_integer(shown->place.line));
		json_object_set_new(row, "column",
				    json_integer(shown->place.column));
	}
	return row;
}

static int
print_json(json_t *json)
{
	int error = json_dumpf(json, stdout, JSON_COMPACT);

	json_decref(json);
	putchar('\n');
	if (error != 0 && !ferror(stdout)) {
		diag_log(DIAG_ERROR, "out of memory");
		return EXIT_RESOURCES;
	}
	return stream_finish_stdout();
}

static json_t *
json_path(const struct config *config)
{
	return config->path != NULL ? json_string(config->path) : json_null();
}

static int
show(const struct options *options, const struct config *config)
{
	json_t *rows = options->json ? json_array() : NULL;
	struct shown shown;

	if (rows == NULL)
		printf("configuration file: %s\n\n%-44s %-20s %s\n",
		       config->path != NULL ? config->path : "none", "KEY",
		       "VALUE", "FROM");
	for (int i = 0; i < OPTION_NR + SETTING_NR; i++) {
		int setting = i - OPTION_NR;

		if (i < OPTION_NR &&
		    !fill_option(options, config, (enum option_id)i, &shown))
			continue;
		if (i >= OPTION_NR)
			fill_setting(config, (enum setting_id)setting, &shown);
		if (rows == NULL)
			print_row(config, &shown);
		else
			json_array_append_new(rows, json_row(options, config,
							     &shown, setting));
	}
	if (rows == NULL)
		return stream_finish_stdout();
	return print_json(json_pack("{s:o,s:o}", "file", json_path(config),
				    "values", rows));
}

static bool
is_in_file(const struct config *config, enum option_id id)
{
	return config->option_places[id].line != 0;
}

/* What was found good, in the words of the documents. */
static void
print_good(const struct options *options, const struct config *config)
{
	const struct pack_options *pack = &options->pack;
	double shares[CATEGORY_NR];
	double sum;
	uint64_t reserved =
		pack->system_reserve_tokens + pack->response_reserve_tokens;

	puts("✓ Budget configuration valid");
	if (config_categories(config, shares, &sum))
		puts("✓ Category percentages sum to 100%");
	if (config->setting_places[SETTING_TOKENIZER].line != 0)
		printf("✓ Tokenizer '%s' available\n",
		       config_setting(config, SETTING_TOKENIZER));
	if (is_in_file(config, OPTION_MODEL))
		printf("✓ Model '%s' supported\n", options->model);
	if (pack->budget_tokens != BUDGET_ALL)
		printf("✓ Total budget (%s) > reserves (%s)\n",
		       COUNT_TEXT(pack->budget_tokens), COUNT_TEXT(reserved));
	if (config->setting_places[SETTING_OVERLAP].line != 0)
		printf("✓ Overlap threshold (%.12g) in valid range [0.0, "
		       "1.0]\n",
		       config_number(config, SETTING_OVERLAP));
}

static void
print_available(const struct options *options, const struct config *config)
{
	const struct pack_options *pack = &options->pack;
	double shares[CATEGORY_NR];
	double sum;
	uint64_t available;

	if (pack->budget_tokens == BUDGET_ALL) {
		puts("\nConfiguration OK. Everything is taken.");
		return;
	}
	available = pack->budget_tokens - pack->system_reserve_tokens -
		    pack->response_reserve_tokens;
	printf("\nConfiguration OK. Budget available for content: %s tokens\n",
	       COUNT_TEXT(available));
	if (!config_categories(config, shares, &sum))
		return;
	puts("Category allocations:");
	for (int i = 0; i < CATEGORY_NR; i++) {
		enum setting_id id =
			(enum setting_id)(SETTING_TOOL_RESULTS + i);

		if (config->setting_places[id].line != 0)
			printf("  - %s: %s tokens (%.12g%%)\n",
			       strrchr(setting_table[id].name, '.') + 1,
			       COUNT_TEXT(pack_share_tokens(pack, (uint8_t)i)),
			       shares[i]);
	}
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
	for (int i = 0; i < CATEGORY_NR; i++) {
		enum setting_id id =
			(enum setting_id)(SETTING_TOOL_RESULTS + i);

		if (config->setting_places[id].line != 0)
			printf("  - %s: %.12g%%\n",
			       strrchr(setting_table[id].name, '.') + 1,
			       shares[i]);
	}
	printf("  %s: %.12g%%\n\nSuggestion: Add missing category or adjust "
	       "percentages to sum to 100%%\n",
	       sum < 100 ? "Missing" : "Excess",
	       sum < 100 ? 100 - sum : sum - 100);
}

static void
print_problems(const struct config *config)
{
	char quoted[QUOTE_BYTES];

	for (size_t i = 0; i < config->problem_nr; i++) {
		const struct config_problem *problem = &config->problems[i];
		struct config_place place = problem->fault.place;

		diag_quote_text(quoted, sizeof(quoted), config->path);
		if (strncmp(problem->fault.text, "Category percentages", 20) ==
		    0)
			print_categories(config);
		else
			printf("%s: %s\n",
			       problem->is_warning ? "⚠ Warning" : "✗ Error",
			       problem->fault.text);
		printf("  %s %s", problem->code, quoted);
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

/* What only a run with all of it would refuse. */
static json_t *
json_error(const struct options *options, const struct config *config,
	   const char *error)
{
	struct config_place place = config_blamed(config, options, error);
	json_t *row =
		json_pack("{s:s,s:s#}", "severity", "error", "code",
			  has_code(error) ? error : "BALE-CFG-003", CODE_BYTES);

	if (place.line > 0) {
		json_object_set_new(row, "line", json_integer(place.line));
		json_object_set_new(row, "column", json_integer(place.column));
	}
	json_object_set_new(
		row, "message",
		json_string(error + (has_code(error) ? CODE_BYTES + 1 : 0)));
	return row;
}

static int
validate_json(const struct options *options, const struct config *config,
	      const char *error)
{
	json_t *rows = json_array();
	bool is_good = config->error_nr == 0 && *error == '\0';
	int code;

	for (size_t i = 0; i < config->problem_nr; i++) {
		const struct config_problem *problem = &config->problems[i];

		json_array_append_new(
			rows,
			json_pack("{s:s,s:s,s:i,s:i,s:s}", "severity",
				  problem->is_warning ? "warning" : "error",
				  "code", problem->code, "line",
				  (int)problem->fault.place.line, "column",
				  (int)problem->fault.place.column, "message",
				  problem->fault.text));
	}
	if (*error != '\0')
		json_array_append_new(rows, json_error(options, config, error));
	code = print_json(json_pack("{s:o,s:b,s:o}", "file", json_path(config),
				    "valid", is_good, "problems", rows));
	return code == EXIT_COMPLETE && !is_good ? EXIT_USAGE : code;
}

static int
validate(struct options *options, const struct config *config)
{
	char error[ERROR_BYTES] = "";
	bool is_good = config->error_nr == 0;
	int code;

	if (is_good &&
	    config_complete(config, options, error, sizeof(error)) != 0)
		is_good = false;
	if (options->json)
		return validate_json(options, config, error);
	print_problems(config);
	if (is_good) {
		if (config->path == NULL)
			puts("no configuration file; these are the defaults");
		print_good(options, config);
		print_available(options, config);
	} else if (*error != '\0') {
		printf("✗ Error: %s\n", error);
	}
	code = stream_finish_stdout();
	return code == EXIT_COMPLETE && !is_good ? EXIT_USAGE : code;
}

static int
check_complete(struct options *options, const struct config *config)
{
	char error[ERROR_BYTES];

	if (config_complete(config, options, error, sizeof(error)) == 0)
		return EXIT_COMPLETE;
	diag_log(DIAG_ERROR, "%s", error);
	return EXIT_USAGE;
}

int
cmd_config(struct options *options)
{
	const char *verb = options->operands.items[0];
	bool is_show = strcmp(verb, "show") == 0;
	char quoted[QUOTE_BYTES];
	struct config config;
	int code;

	if (strcmp(verb, "init") == 0)
		return config_init(options->config_path);
	if (!is_show && strcmp(verb, "validate") != 0) {
		diag_log(DIAG_ERROR,
			 "BALE-CLI-001 unknown action %s of config; there are "
			 "show, validate and init",
			 diag_quote_text(quoted, sizeof(quoted), verb));
		return EXIT_USAGE;
	}
	code = config_load(&config, options->config_path, options->no_config,
			   options->sandbox_layers);
	if (code == 0)
		code = config_apply(&config, options);
	if (code == -ENOMEM) {
		diag_log(DIAG_ERROR, "out of memory");
		code = EXIT_RESOURCES;
	} else if (!is_show) {
		code = validate(options, &config);
	} else if (config_log(&config) > 0) {
		code = EXIT_USAGE;
	} else {
		code = check_complete(options, &config);
		if (code == EXIT_COMPLETE)
			code = show(options, &config);
	}
	config_fini(&config);
	return code;
}
