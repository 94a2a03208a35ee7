/* SPDX-License-Identifier: MIT */
/*
 * config.c - entries of a file to options and settings.
 */
#include "supervisor/config.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "supervisor/config_apart.h"
#include "supervisor/config_find.h"
#include "supervisor/config_key.h"
#include "supervisor/words.h"
#include "tokenizer/models.h"
#include "tokenizer/tokenizer.h"

#define ALLOWED_BYTES 256
#define SHARE_SLACK 0.011 /* of per cent: 33.33 three times is 99.99 */

static void
note(struct config *config, const char *code, struct config_place place,
     const char *format, ...) __attribute__((format(printf, 4, 5)));

/* Keeps a problem; BALE-CFG-006 is the only warning. */
static void
note(struct config *config, const char *code, struct config_place place,
     const char *format, ...)
{
	struct config_problem *problem;
	bool is_warning = strcmp(code, "BALE-CFG-006") == 0;
	va_list args;

	config->error_nr += !is_warning;
	if (config->problem_nr == CONFIG_PROBLEMS_MAX) {
		config->more_nr++;
		/* an error is worth more than a warning */
		if (is_warning || config->error_nr > 1)
			return;
		config->problem_nr--;
	}
	problem = &config->problems[config->problem_nr++];
	problem->code = code;
	problem->is_warning = is_warning;
	problem->fault.place = place;
	va_start(args, format);
	vsnprintf(problem->fault.text, sizeof(problem->fault.text), format,
		  args);
	va_end(args);
}

static void
note_unknown(struct config *config, const struct config_entry *entry)
{
	char meant[CONFIG_PATH_BYTES];
	char quoted[WORD_QUOTE_BYTES];
	const char *what = entry->kind == CONFIG_MAP ? "section" : "key";

	if (config->problem_nr == CONFIG_PROBLEMS_MAX) {
		config->more_nr++; /* looking for a name takes its time */
		return;
	}
	word_quote(quoted, entry->path);
	if (config_key_nearest(entry->path, entry->kind == CONFIG_MAP, meant))
		note(config, "BALE-CFG-006", entry->place,
		     "unknown %s %s is passed over; did you mean %s?", what,
		     quoted, meant);
	else
		note(config, "BALE-CFG-006", entry->place,
		     "unknown %s %s is passed over; the nearest that is known "
		     "is %s; bale config show lists all",
		     what, quoted, meant);
}

/* Keys that name what a file of a repository must not. */
static bool
refuse(struct config *config, const struct config_entry *entry)
{
	char quoted[WORD_QUOTE_BYTES];
	enum option_id option;
	const char *why = config_key_refused(entry->path, &option);

	if (why == NULL)
		return false;
	word_quote(quoted, entry->path);
	if (option == OPTION_NR)
		note(config, "BALE-CFG-004", entry->place,
		     "%s: a configuration file cannot name %s; give it on the "
		     "command line",
		     quoted, why);
	else
		note(config, "BALE-CFG-004", entry->place,
		     "%s: a configuration file cannot set it, for %s; give "
		     "--%s on the command line",
		     quoted, why, option_table[option].name);
	return true;
}

/* Budgets have a code of their own. */
static const char *
code_of(const struct config_key *key)
{
	const char *path = key->option >= 0
				   ? option_key((enum option_id)key->option)
				   : key->spec->name;

	return config_path_is_below(path, "context.budget") ? "BALE-BUD-005"
							    : "BALE-CFG-003";
}

/* Opening one looks over all of it, so ask the table of models first. */
static bool
is_encoding(const char *name)
{
	const struct tokenizer_model *model;
	const struct tokenizer *tokenizer;

	for (size_t i = 0; (model = tokenizer_model_at(i)) != NULL; i++) {
		if (strcmp(model->encoding, name) == 0)
			return true;
	}
	return tokenizer_open(&tokenizer, name) == 0;
}

/* Names that only their tables can judge. */
static bool
check_name(struct config *config, const struct config_key *key,
	   const struct config_entry *entry)
{
	char quoted[WORD_QUOTE_BYTES];

	if (key->option == OPTION_MODEL &&
	    tokenizer_model(entry->value) == NULL) {
		note(config, "BALE-CFG-003", entry->place,
		     "%s: %s is not a model that is known; see: bale models",
		     entry->path, word_quote(quoted, entry->value));
		return false;
	}
	if (key->option == OPTION_ENCODING && !is_encoding(entry->value)) {
		note(config, "BALE-CFG-003", entry->place,
		     "%s: %s is not one of o200k_base, o200k_harmony, "
		     "cl100k_base, p50k_base, p50k_edit, r50k_base, gpt2; a "
		     "tokenizer.json is named on the command line",
		     entry->path, word_quote(quoted, entry->value));
		return false;
	}
	return true;
}

/* One value of a key; true: it is good. */
static bool
check_value(struct config *config, const struct config_key *key,
	    const struct config_entry *entry)
{
	char allowed[ALLOWED_BYTES];
	char quoted[WORD_QUOTE_BYTES];

	if (option_check(key->spec, entry->value, allowed, sizeof(allowed)) !=
	    0) {
		note(config, code_of(key), entry->place, "%s: %s is not %s",
		     entry->path, word_quote(quoted, entry->value), allowed);
		return false;
	}
	return check_name(config, key, entry);
}

/* Where a key was set first; a second time, by another spelling, is an error.
 */
static bool
claim(struct config *config, const struct config_key *key,
      const struct config_entry *entry)
{
	struct config_place *place =
		key->option >= 0 ? &config->option_places[key->option]
				 : &config->setting_places[key->setting];

	if (place->line == 0) {
		*place = entry->place;
		return true;
	}
	note(config, "BALE-CFG-005", entry->place,
	     "%s was set before, in line %u, by another spelling of its key",
	     entry->path, place->line);
	return false;
}

/* What a key may be given: one value, a list, or nothing. */
static bool
check_form(struct config *config, const struct config_key *key,
	   const struct config_entry *entry)
{
	if (key->spec == NULL && entry->kind == CONFIG_MAP)
		return true;
	if (key->spec == NULL) {
		if (entry->kind == CONFIG_SCALAR && entry->value == NULL)
			return true;
		note(config, "BALE-CFG-003", entry->place,
		     "%s is a section: keys belong below it, not a %s",
		     entry->path,
		     entry->kind == CONFIG_LIST ? "list" : "value");
		return false;
	}
	if (entry->kind == CONFIG_MAP ||
	    (entry->kind == CONFIG_LIST && key->spec->kind != KIND_LIST)) {
		note(config, "BALE-CFG-003", entry->place,
		     "%s takes %s, not a %s", entry->path,
		     key->spec->kind == KIND_LIST ? "a list of values"
						  : "one value",
		     entry->kind == CONFIG_MAP ? "mapping" : "list");
		return false;
	}
	return true;
}

/*
 * One entry; true: those below it are to be looked at. *list is the key whose
 * list is being read.
 */
static bool
check_entry(struct config *config, size_t i, struct config_key *list)
{
	const struct config_entry *entry = &config->entries.items[i];
	struct config_key key;

	if (entry->kind == CONFIG_ITEM) {
		key = *list;
		if (entry->value == NULL) {
			note(config, "BALE-CFG-003", entry->place,
			     "%s: an item of the list is empty", entry->path);
			return false;
		}
	} else if (config->entries.items[entry->parent].kind == CONFIG_LIST) {
		note(config, "BALE-CFG-003", entry->place,
		     "%s: an item of the list has to be one value",
		     entry->path);
		return false;
	} else {
		key = config_key_find(entry->path);
		if (key.spec == NULL && !key.is_section) {
			if (!refuse(config, entry))
				note_unknown(config, entry);
			return false;
		}
		/* `output: FILE` is no section `output:` with keys below it */
		if (key.spec == NULL && entry->kind != CONFIG_MAP &&
		    entry->value != NULL && refuse(config, entry))
			return false;
		if (!check_form(config, &key, entry))
			return false;
		if (key.spec == NULL)
			return true;
		if (entry->kind == CONFIG_SCALAR && entry->value == NULL)
			return false; /* as if it was not there */
		if (!claim(config, &key, entry))
			return false;
		*list = key;
		if (entry->kind == CONFIG_LIST)
			return true;
	}
	if (check_value(config, &key, entry)) {
		config->option_of[i] = (int16_t)key.option;
		config->setting_of[i] = (int16_t)key.setting;
	}
	return false;
}

static void
check_entries(struct config *config)
{
	const struct config_entries *entries = &config->entries;
	struct config_key list = { .option = -1, .setting = -1 };

	/* the first is the root */
	for (size_t i = 1; i < entries->nr;) {
		uint32_t depth = entries->items[i].depth;
		bool goes_on = check_entry(config, i++, &list);

		while (!goes_on && i < entries->nr &&
		       entries->items[i].depth > depth)
			i++;
	}
}

const char *
config_setting(const struct config *config, enum setting_id id)
{
	for (size_t i = 0; i < config->entries.nr; i++) {
		if (config->setting_of[i] == (int)id)
			return config->entries.items[i].value;
	}
	return NULL;
}

double
config_number(const struct config *config, enum setting_id id)
{
	const char *text = config_setting(config, id);

	return strtod(text != NULL ? text : setting_table[id].standard, NULL);
}

enum setting_id
config_find_setting(const char *path)
{
	int i = 0;

	while (i < SETTING_NR && strcmp(setting_table[i].name, path) != 0)
		i++;
	return (enum setting_id)i;
}

bool
config_categories(const struct config *config,
		  double shares[static CATEGORY_NR], double *sum)
{
	bool is_named = false;
	double most = 0;

	*sum = 0;
	for (int i = 0; i < CATEGORY_NR; i++) {
		enum setting_id id =
			(enum setting_id)(SETTING_TOOL_RESULTS + i);

		shares[i] = 0;
		if (config_setting(config, id) == NULL)
			continue;
		is_named = true;
		shares[i] = config_number(config, id);
		*sum += shares[i];
		most = shares[i] > most ? shares[i] : most;
	}
	/* no share is more than one: they are parts of one */
	if (!is_named || most > 1)
		return is_named;
	*sum *= 100;
	for (int i = 0; i < CATEGORY_NR; i++)
		shares[i] *= 100;
	return true;
}

/* The documents' sentence, and what it is made of, on one line. */
static void
check_categories(struct config *config)
{
	char parts[256] = "";
	double shares[CATEGORY_NR];
	double sum;
	size_t n = 0;

	/* one that was refused has been told of */
	for (int i = SETTING_TOOL_RESULTS;
	     i < SETTING_TOOL_RESULTS + CATEGORY_NR; i++)
		if (config->setting_places[i].line != 0 &&
		    config_setting(config, (enum setting_id)i) == NULL)
			return;
	if (!config_categories(config, shares, &sum) ||
	    (sum > 100 - SHARE_SLACK && sum < 100 + SHARE_SLACK))
		return;
	for (int i = 0; i < CATEGORY_NR; i++) {
		const struct option_spec *spec =
			&setting_table[SETTING_TOOL_RESULTS + i];

		if (config->setting_places[SETTING_TOOL_RESULTS + i].line != 0)
			n += (size_t)snprintf(
				parts + n, sizeof(parts) - n, "%s%s: %.12g%%",
				n > 0 ? ", " : "", config_last_word(spec->name),
				shares[i]);
	}
	for (int i = 0; i < CATEGORY_NR; i++) {
		struct config_place place =
			config->setting_places[SETTING_TOOL_RESULTS + i];

		if (place.line == 0)
			continue;
		note(config, "BALE-BUD-005", place,
		     "Category percentages sum to %.12g%% (expected 100%%): %s; "
		     "%s: %.12g%%. Add missing category or adjust percentages "
		     "to sum to 100%%",
		     sum, parts, sum < 100 ? "Missing" : "Excess",
		     sum < 100 ? 100 - sum : sum - 100);
		return;
	}
}

/* Three weights of 0; what is not said has a default that is none. */
static void
check_weights(struct config *config)
{
	struct config_place place = { .line = 0 };
	int zeros = 0;

	for (size_t i = 0; i < config->entries.nr; i++) {
		const struct config_entry *entry = &config->entries.items[i];
		int id = config->option_of[i];

		if ((id != OPTION_RELEVANCE_WEIGHT &&
		     id != OPTION_RECENCY_WEIGHT &&
		     id != OPTION_SOURCE_WEIGHT) ||
		    strtod(entry->value, NULL) > 0)
			continue;
		if (id == OPTION_RELEVANCE_WEIGHT)
			place = entry->place;
		zeros++;
	}
	if (zeros == 3)
		note(config, "BALE-CFG-003", place,
		     "all ranking weights are 0; at least one has to be "
		     "greater");
}

/* Settings that only make sense together. */
static void
check_together(struct config *config)
{
	check_categories(config);
	check_weights(config);
	if (config_number(config, SETTING_COMPACTION_PRESERVE) >=
	    config_number(config, SETTING_COMPACTION_THRESHOLD))
		note(config, "BALE-CFG-003",
		     config->setting_places[SETTING_COMPACTION_PRESERVE],
		     "compaction.preserve is not below compaction.threshold "
		     "(%.12g), so nothing would be gained",
		     config_number(config, SETTING_COMPACTION_THRESHOLD));
	if (config_number(config, SETTING_COMPACTION_CRITICAL) <
	    config_number(config, SETTING_COMPACTION_THRESHOLD))
		note(config, "BALE-CFG-003",
		     config->setting_places[SETTING_COMPACTION_CRITICAL],
		     "compaction.critical is below compaction.threshold (%.12g)",
		     config_number(config, SETTING_COMPACTION_THRESHOLD));
}

/* A text that may be a stranger's. */
struct config_text {
	const char *path;
	const char *at;
	size_t bytes;
};

static int
load_text(struct config *out, const struct config_text *text, unsigned layers)
{
	struct config_fault fault = { .text = "" };
	size_t nr;
	int error;

	*out = (struct config){ .path = strdup(text->path) };
	if (out->path == NULL)
		return -ENOMEM;
	error = config_yaml_read_apart(layers, text->at, text->bytes,
				       &out->entries, &fault);
	nr = out->entries.nr;
	out->option_of = reallocarray(NULL, nr + 1, sizeof(*out->option_of));
	out->setting_of = reallocarray(NULL, nr + 1, sizeof(*out->setting_of));
	if (error == -ENOMEM || out->option_of == NULL ||
	    out->setting_of == NULL)
		return -ENOMEM;
	memset(out->option_of, -1, nr * sizeof(*out->option_of));
	memset(out->setting_of, -1, nr * sizeof(*out->setting_of));
	if (error != 0) {
		note(out, "BALE-CFG-002", fault.place, "%s", fault.text);
		return -EINVAL;
	}
	check_entries(out);
	check_together(out);
	return out->error_nr > 0 ? -EINVAL : 0;
}

int
config_load_text(struct config *out, const char *path, const char *text,
		 size_t bytes)
{
	const struct config_text all = { path, text, bytes };

	return load_text(out, &all, 0);
}

int
config_load(struct config *out, const char *path, bool no_config,
	    unsigned layers)
{
	char shown[CONFIG_SHOWN_BYTES];
	char *text = NULL;
	size_t bytes = 0;
	int error;

	*out = (struct config){ .path = NULL };
	if (no_config)
		return 0;
	error = path != NULL ? config_file_read(path, &text, &bytes)
			     : config_file_find(shown, &text, &bytes);
	if (error == -ENOENT && path == NULL)
		return 0;
	if (error == 0) {
		const struct config_text all = { path != NULL ? path : shown,
						 text, bytes };

		error = load_text(out, &all, layers);
		free(text);
		return error;
	}
	out->path = strdup(path != NULL ? path : shown);
	if (out->path == NULL || error == -ENOMEM)
		return -ENOMEM;
	note(out, "BALE-CFG-001", (struct config_place){ .line = 0 },
	     "cannot be read: %s", config_file_error(error));
	return -EINVAL;
}

void
config_fini(struct config *config)
{
	config_entries_free(&config->entries);
	free(config->option_of);
	free(config->setting_of);
	free(config->path);
	*config = (struct config){ .path = NULL };
}

int
config_apply(const struct config *config, struct options *options)
{
	char allowed[ALLOWED_BYTES];

	for (size_t i = 0; i < config->entries.nr; i++) {
		int id = config->option_of[i];
		int error;

		if (id < 0)
			continue;
		error = options_set_file(options, (enum option_id)id,
					 config->entries.items[i].value,
					 allowed, sizeof(allowed));
		if (error != 0)
			return error;
	}
	config_apply_budget(config, options);
	return 0;
}

/* Whether the first `bytes` of a sentence have --name. */
static bool
names_option(const char *sentence, size_t bytes, const char *name)
{
	size_t name_bytes = strlen(name);

	for (const char *at = sentence;
	     (at = strstr(at, "--")) != NULL && at < sentence + bytes;) {
		at += 2;
		if (strncmp(at, name, name_bytes) == 0 &&
		    at[name_bytes] != '-' &&
		    !(at[name_bytes] >= 'a' && at[name_bytes] <= 'z'))
			return true;
	}
	return false;
}

int
config_complete(const struct config *config, struct options *options,
		char *error, size_t error_size)
{
	int result = options_complete(options, error, error_size);
	char quoted[WORD_QUOTE_BYTES * 2];
	size_t sentence = strlen(error);

	for (int i = 0; i < OPTION_NR && result != 0; i++) {
		struct config_place place = config->option_places[i];
		size_t bytes = strlen(error);

		if (options->from[i] != FROM_FILE ||
		    !names_option(error, sentence, option_table[i].name))
			continue;
		snprintf(error + bytes, error_size - bytes,
			 "; %s is set in %s:%u:%u",
			 option_key((enum option_id)i),
			 diag_quote_text(quoted, sizeof(quoted), config->path),
			 place.line, place.column);
	}
	return result;
}

struct config_place
config_blamed(const struct config *config, const struct options *options,
	      const char *error)
{
	for (int i = 0; i < OPTION_NR; i++)
		if (options->from[i] == FROM_FILE &&
		    names_option(error, strlen(error), option_table[i].name))
			return config->option_places[i];
	return (struct config_place){ .line = 0 };
}

const char *
config_sentence(const struct config *config, size_t i,
		char out[static CONFIG_SENTENCE_BYTES])
{
	const struct config_problem *problem = &config->problems[i];
	struct config_place place = problem->fault.place;
	char quoted[WORD_QUOTE_BYTES * 2];
	char where[32] = "";

	if (place.line > 0)
		snprintf(where, sizeof(where), ":%u:%u", place.line,
			 place.column);
	diag_quote_text(quoted, sizeof(quoted), config->path);
	snprintf(out, CONFIG_SENTENCE_BYTES, "%s %s%s: %s", problem->code,
		 quoted, where, problem->fault.text);
	return out;
}

size_t
config_log(const struct config *config)
{
	char sentence[CONFIG_SENTENCE_BYTES];

	for (size_t i = 0; i < config->problem_nr; i++)
		diag_log(config->problems[i].is_warning ? DIAG_WARN
							: DIAG_ERROR,
			 "%s", config_sentence(config, i, sentence));
	if (config->more_nr > 0)
		diag_log(DIAG_WARN, "and %zu more", config->more_nr);
	return config->error_nr;
}
