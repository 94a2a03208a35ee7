/* SPDX-License-Identifier: MIT */
/*
 * config.c - entries of a file to options.
 */
#include "cli/config.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/nearest.h"
#include "cli/config_key.h"
#include "tokenizer/models.h"

#define SHARE_SLACK 0.011 /* of per cent: 33.33 three times is 99.99 */

static size_t
entry_nr(const struct config *config)
{
	return config->entries == NULL ? 0 : config->entries->nr;
}

static const char *
path_of(const struct config *config, const struct config_entry *entry)
{
	return config_entry_path(config->entries,
				 (size_t)(entry - config->entries->items));
}

static const char *
value_of(const struct config *config, const struct config_entry *entry)
{
	return config_entry_value(config->entries,
				  (size_t)(entry - config->entries->items));
}

/* Keeps a problem; BALE-CFG-006 is the only warning. */
__attribute__((format(printf, 4, 5))) static void
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
	const char *what = entry->kind == CONFIG_MAP ? "section" : "key";

	if (config->problem_nr == CONFIG_PROBLEMS_MAX) {
		config->more_nr++; /* looking for a name takes its time */
		return;
	}
	config_key_nearest(path_of(config, entry), entry->kind == CONFIG_MAP,
			   meant);
	note(config, "BALE-CFG-006", entry->place,
	     "unknown %s %s ignored; did you mean %s? bale config show lists "
	     "all keys",
	     what, WORD_QUOTED(path_of(config, entry)), meant);
}

/* Keys that name what a file of a repository must not. */
static bool
refuse(struct config *config, const struct config_entry *entry)
{
	enum option_id option;
	const char *why = config_key_refused(path_of(config, entry), &option);

	if (why == NULL)
		return false;
	if (option == OPTION_NR)
		note(config, "BALE-CFG-004", entry->place,
		     "%s: a configuration file cannot name %s; give it on the "
		     "command line",
		     WORD_QUOTED(path_of(config, entry)), why);
	else
		note(config, "BALE-CFG-004", entry->place,
		     "%s: a configuration file cannot set it, because %s; give "
		     "--%s on the command line",
		     WORD_QUOTED(path_of(config, entry)), why,
		     option_table[option].name);
	return true;
}

/* Budgets have a code of their own. */
static const char *
code_of(enum option_id id)
{
	return config_path_is_below(option_table[id].key, "context.budget")
		       ? "BALE-BUD-005"
		       : "BALE-CFG-003";
}

/* One value of a key; true: it is good. */
static bool
check_value(struct config *config, enum option_id id,
	    const struct config_entry *entry)
{
	char wanted[OPTION_WANTED_BYTES];
	const char *quoted = WORD_QUOTED(value_of(config, entry));
	char hint[HINT_BYTES];

	if (option_check(&option_table[id], value_of(config, entry), wanted) !=
	    0)
		note(config, code_of(id), entry->place,
		     "%s: invalid value %s: %s", path_of(config, entry), quoted,
		     wanted);
	else if (id == OPTION_MODEL &&
		 tokenizer_model(value_of(config, entry)) == NULL)
		note(config, "BALE-CFG-003", entry->place,
		     "%s: unknown model %s; see bale models%s",
		     path_of(config, entry), quoted,
		     tokenizer_model_hint(value_of(config, entry), hint));
	else if (id == OPTION_ENCODING &&
		 !tokenizer_encoding_is_known(value_of(config, entry)))
		note(config, "BALE-CFG-003", entry->place,
		     "%s: unknown encoding %s: expected one of " TOKENIZER_ENCODINGS
		     "; a tokenizer.json is named on the command line%s",
		     path_of(config, entry), quoted,
		     TOKENIZER_ENCODING_HINT(value_of(config, entry)));
	else
		return true;
	return false;
}

/* Where a key was set first; a second time, by another spelling, is an error.
 */
static bool
claim(struct config *config, enum option_id id,
      const struct config_entry *entry)
{
	struct config_place *place = &config->places[id];

	if (place->line == 0) {
		*place = entry->place;
		return true;
	}
	note(config, "BALE-CFG-005", entry->place,
	     "%s was set before, in line %u, by another spelling of its key",
	     path_of(config, entry), place->line);
	return false;
}

/* What a key may be given: one value, a list, or nothing. */
static bool
check_form(struct config *config, const struct config_key *key,
	   const struct config_entry *entry)
{
	bool is_list =
		key->option >= 0 && option_table[key->option].kind == KIND_LIST;

	if (key->option < 0 && entry->kind == CONFIG_MAP)
		return true;
	if (key->option < 0) {
		if (entry->kind == CONFIG_SCALAR &&
		    value_of(config, entry) == NULL)
			return true;
		note(config, "BALE-CFG-003", entry->place,
		     "%s is a section: keys belong below it, not a %s",
		     path_of(config, entry),
		     entry->kind == CONFIG_LIST ? "list" : "value");
		return false;
	}
	if (entry->kind == CONFIG_MAP ||
	    (entry->kind == CONFIG_LIST && !is_list)) {
		note(config, "BALE-CFG-003", entry->place,
		     "%s takes %s, not a %s", path_of(config, entry),
		     is_list ? "a list of values" : "one value",
		     entry->kind == CONFIG_MAP ? "mapping" : "list");
		return false;
	}
	return true;
}

/* An entry that is no item of a list; true: those below it are looked at, or
 * its value, of the key *option. */
static bool
check_key(struct config *config, const struct config_entry *entry, int *option)
{
	struct config_key key = config_key_find(path_of(config, entry));

	*option = key.option;
	if (key.option < 0 && !key.is_section) {
		if (!refuse(config, entry))
			note_unknown(config, entry);
		return false;
	}
	/* `output: FILE` is no section `output:` with keys below it */
	if (key.option < 0 && entry->kind != CONFIG_MAP &&
	    value_of(config, entry) != NULL && refuse(config, entry))
		return false;
	if (!check_form(config, &key, entry))
		return false;
	if (key.option < 0)
		return true;
	if (entry->kind == CONFIG_SCALAR && value_of(config, entry) == NULL)
		return false; /* as if it was not there */
	return claim(config, (enum option_id)key.option, entry);
}

/*
 * One entry; true: those below it are to be looked at. *list is the option
 * whose list is being read.
 */
static bool
check_entry(struct config *config, size_t i, int *list)
{
	const struct config_entry *entry = &config->entries->items[i];
	int option = *list;

	if (entry->kind == CONFIG_ITEM) {
		if (value_of(config, entry) == NULL) {
			note(config, "BALE-CFG-003", entry->place,
			     "%s: an item of the list is empty",
			     path_of(config, entry));
			return false;
		}
	} else if (config->entries->items[entry->parent].kind == CONFIG_LIST) {
		note(config, "BALE-CFG-003", entry->place,
		     "%s: each item of the list must be one value",
		     path_of(config, entry));
		return false;
	} else {
		if (!check_key(config, entry, &option))
			return false;
		*list = option;
		if (option < 0 || entry->kind == CONFIG_LIST)
			return true;
	}
	if (check_value(config, (enum option_id)option, entry))
		config->option_of[i] = (int16_t)option;
	return false;
}

static void
check_entries(struct config *config)
{
	const struct config_entries *entries = config->entries;
	int list = -1;

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
config_text(const struct config *config, enum option_id id)
{
	for (size_t i = 0; i < entry_nr(config); i++) {
		if (config->option_of[i] == (int)id)
			return config_entry_value(config->entries, i);
	}
	return NULL;
}

double
config_number(const struct config *config, enum option_id id)
{
	const char *text = config_text(config, id);

	return strtod(text != NULL ? text : option_table[id].standard, NULL);
}

/* The share of a category, by its number. */
static enum option_id
share_id(int category)
{
	return (enum option_id)(OPTION_SHARE_TOOL + category);
}

bool
config_categories(const struct config *config,
		  double shares[static CATEGORY_NR], double *sum)
{
	bool is_named = false;
	double most = 0;

	*sum = 0;
	for (int i = 0; i < CATEGORY_NR; i++) {
		shares[i] = 0;
		if (config_text(config, share_id(i)) == NULL)
			continue;
		is_named = true;
		shares[i] = config_number(config, share_id(i));
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
	struct config_place place = { .line = 0 };
	char parts[256] = "";
	double shares[CATEGORY_NR];
	double sum;
	size_t n = 0;

	/* one that was refused has been reported */
	for (int i = 0; i < CATEGORY_NR; i++)
		if (config->places[share_id(i)].line != 0 &&
		    config_text(config, share_id(i)) == NULL)
			return;
	if (!config_categories(config, shares, &sum) ||
	    (sum > 100 - SHARE_SLACK && sum < 100 + SHARE_SLACK))
		return;
	for (int i = CATEGORY_NR - 1; i >= 0; i--)
		if (config->places[share_id(i)].line != 0)
			place = config->places[share_id(i)];
	for (uint8_t i = 0; i < CATEGORY_NR; i++)
		if (config->places[share_id(i)].line != 0)
			n += (size_t)snprintf(
				parts + n, sizeof(parts) - n, "%s%s: %.12g%%",
				n > 0 ? ", " : "", category_name(i), shares[i]);
	note(config, "BALE-BUD-005", place,
	     "Category percentages sum to %.12g%% (expected 100%%): %s; "
	     "%s: %.12g%%. Add missing category or adjust percentages to sum "
	     "to 100%%",
	     sum, parts, sum < 100 ? "Missing" : "Excess",
	     sum < 100 ? 100 - sum : sum - 100);
}

/* Three weights of 0; what is not said has a default that is none. */
static void
check_weights(struct config *config)
{
	static const enum option_id ids[] = { OPTION_RELEVANCE_WEIGHT,
					      OPTION_RECENCY_WEIGHT,
					      OPTION_SOURCE_WEIGHT };

	for (size_t i = 0; i < ARRAY_LEN(ids); i++)
		if (config_number(config, ids[i]) > 0)
			return;
	note(config, "BALE-CFG-003", config->places[OPTION_RELEVANCE_WEIGHT],
	     "all ranking weights are 0; at least one must be greater");
}

/* Settings that only make sense together. */
static void
check_together(struct config *config)
{
	double threshold = config_number(config, OPTION_CHAT_THRESHOLD);

	check_categories(config);
	check_weights(config);
	if (config_number(config, OPTION_CHAT_PRESERVE) >= threshold)
		note(config, "BALE-CFG-003",
		     config->places[OPTION_CHAT_PRESERVE],
		     "compaction.preserve is not below compaction.threshold "
		     "(%.12g), so nothing would be gained",
		     threshold);
	if (config_number(config, OPTION_CHAT_CRITICAL) < threshold)
		note(config, "BALE-CFG-003",
		     config->places[OPTION_CHAT_CRITICAL],
		     "compaction.critical is below compaction.threshold (%.12g)",
		     threshold);
}

int
config_load_text(struct config *out, const char *path, const char *text,
		 size_t bytes, unsigned layers)
{
	struct config_entries *entries = config_entries_new();
	int error;

	*out = (struct config){ .path = strdup(path), .entries = entries };
	if (out->path == NULL || entries == NULL)
		return -ENOMEM;
	error = config_yaml_read_apart(layers, text, bytes, entries);
	out->option_of =
		reallocarray(NULL, entries->nr + 1ul, sizeof(*out->option_of));
	if (error == -ENOMEM || out->option_of == NULL)
		return -ENOMEM;
	memset(out->option_of, -1, entries->nr * sizeof(*out->option_of));
	if (error != 0) {
		note(out, "BALE-CFG-002", entries->fault.place, "%s",
		     entries->fault.text);
		return -EINVAL;
	}
	check_entries(out);
	check_together(out);
	return out->error_nr > 0 ? -EINVAL : 0;
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
	path = path != NULL ? path : shown;
	if (error == 0) {
		error = config_load_text(out, path, text, bytes, layers);
		free(text);
		return error;
	}
	out->path = strdup(path);
	if (out->path == NULL || error == -ENOMEM)
		return -ENOMEM;
	note(out, "BALE-CFG-001", (struct config_place){ .line = 0 },
	     "cannot be read: %s", config_file_error(error));
	return -EINVAL;
}

void
config_fini(struct config *config)
{
	config_entries_free(config->entries);
	free(config->option_of);
	free(config->path);
	*config = (struct config){ .path = NULL };
}

/* Shares that add up to all there is; what rounding leaves, to the greatest. */
static void
take_shares(const double percents[static CATEGORY_NR],
	    uint32_t shares[CATEGORY_NR])
{
	uint32_t sum = 0;
	int greatest = 0;

	for (int i = 0; i < CATEGORY_NR; i++) {
		shares[i] = (uint32_t)(percents[i] * (SHARE_ALL / 100) + 0.5);
		sum += shares[i];
		if (shares[i] > shares[greatest])
			greatest = i;
	}
	shares[greatest] += SHARE_ALL - sum;
}

int
config_apply(const struct config *config, struct command_line *line)
{
	char wanted[OPTION_WANTED_BYTES];
	double percents[CATEGORY_NR];
	double sum;

	for (size_t i = 0; i < entry_nr(config); i++) {
		int id = config->option_of[i];
		int error;

		if (id < 0)
			continue;
		error = command_line_set(line, (enum option_id)id,
					 config_entry_value(config->entries, i),
					 wanted);
		if (error != 0)
			return error;
	}
	if (config_categories(config, percents, &sum) && sum > 0 &&
	    line->run.categories == NULL) {
		take_shares(percents, line->run.pack.shares);
		line->has_shares = true;
		for (int i = 0; i < CATEGORY_NR; i++) {
			line->share_percents[i] =
				(uint64_t)(percents[i] * RATIO_ONE + 0.5);
			line->from[OPTION_SHARE_TOOL + i] = FROM_FILE;
		}
	}
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

/* Whether a file has set an option that a sentence names. */
static bool
is_blamed(const struct command_line *line, int id, const char *sentence,
	  size_t bytes)
{
	return line->from[id] == FROM_FILE &&
	       option_is_of(line->command, (enum option_id)id) &&
	       names_option(sentence, bytes, option_table[id].name);
}

int
config_complete(const struct config *config, struct command_line *line)
{
	/* each line of a batch is completed by itself, as one of pack */
	int result = line->command == COMMAND_BATCH
			     ? 0
			     : command_line_complete(line);
	char *error = line->error;
	size_t sentence = strlen(error);

	for (int i = 0; i < OPTION_NR && result != 0; i++) {
		size_t bytes = strlen(error);

		if (!is_blamed(line, i, error, sentence))
			continue;
		snprintf(error + bytes, sizeof(line->error) - bytes,
			 "; %s is set in %s:%u:%u", option_table[i].key,
			 QUOTED(config->path), config->places[i].line,
			 config->places[i].column);
	}
	return result;
}

struct config_place
config_blamed(const struct config *config, const struct command_line *line)
{
	for (int i = 0; i < OPTION_NR; i++)
		if (is_blamed(line, i, line->error, strlen(line->error)))
			return config->places[i];
	return (struct config_place){ .line = 0 };
}

size_t
config_log(const struct config *config)
{
	for (size_t i = 0; i < config->problem_nr; i++) {
		const struct config_problem *problem = &config->problems[i];
		struct config_place place = problem->fault.place;
		char where[32] = "";

		if (place.line > 0)
			snprintf(where, sizeof(where), ":%u:%u", place.line,
				 place.column);
		diag_log(problem->is_warning ? DIAG_WARN : DIAG_ERROR,
			 "%s %s%s: %s", problem->code, QUOTED(config->path),
			 where, problem->fault.text);
	}
	if (config->more_nr > 0)
		diag_log(DIAG_WARN, "and %zu more", config->more_nr);
	return config->error_nr;
}
