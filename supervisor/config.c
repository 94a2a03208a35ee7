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

#include "supervisor/config_find.h"
#include "supervisor/words.h"
#include "tokenizer/models.h"
#include "tokenizer/tokenizer.h"

#define ALLOWED_BYTES 256
#define SHARE_SLACK 0.01 /* of per cent: 33.33 three times is 99.99 */

const struct option_spec setting_table[SETTING_NR] = {
#define SETTING(id, path_, option_, argument_, kind_, min_, max_, standard_, \
		does_)                                                       \
	[SETTING_##id] = { .name = path_,                                    \
			   .argument = argument_,                            \
			   .standard = standard_,                            \
			   .help = does_,                                    \
			   .min = min_,                                      \
			   .max = max_,                                      \
			   .kind = KIND_##kind_ },
#include "supervisor/config.def"
};

const char *const setting_options[SETTING_NR] = {
#define SETTING(id, path, option, ...) [SETTING_##id] = option,
#include "supervisor/config.def"
};

static const struct {
	const char *path;
	const char *other;
} also_table[] = {
#define ALSO(path, other) { path, other },
#include "supervisor/config.def"
};

static const struct {
	const char *word;
	const char *what;
} refused_table[] = {
#define REFUSED(word, what) { word, what },
#include "supervisor/config.def"
};

/* What a path stands for. */
struct key {
	const struct option_spec *spec; /* NULL: a section, or not known */
	int option;                     /* -1: none */
	int setting;                    /* -1: none */
	bool is_section;
};

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

/* Whether `path` is `section` and a dot and more. */
static bool
is_below(const char *path, const char *section)
{
	size_t bytes = strlen(section);

	return strncmp(path, section, bytes) == 0 && path[bytes] == '.';
}

static void
look_at(struct key *key, const char *known, const char *path, int option,
	int setting)
{
	if (known == NULL)
		return;
	key->is_section |= is_below(known, path);
	if (strcmp(known, path) != 0)
		return;
	key->option = option;
	key->setting = setting;
	key->spec =
		option >= 0 ? &option_table[option] : &setting_table[setting];
}

/* A path as it is written out in the tables. */
static struct key
find_exactly(const char *path)
{
	struct key key = { .option = -1, .setting = -1 };

	for (size_t i = 0; i < ARRAY_LEN(also_table); i++) {
		key.is_section |= is_below(also_table[i].path, path);
		if (strcmp(also_table[i].path, path) == 0)
			path = also_table[i].other;
	}
	for (int i = 0; i < OPTION_NR; i++)
		look_at(&key, option_key((enum option_id)i), path, i, -1);
	for (int i = 0; i < SETTING_NR; i++)
		look_at(&key, setting_table[i].name, path, -1, i);
	return key;
}

/* What may be left away in front. */
static const char *const fronts[] = { "", "context.", "context.budget." };

static struct key
find_key(const char *path)
{
	struct key key = { .option = -1, .setting = -1 };

	for (size_t i = 0; i < ARRAY_LEN(fronts); i++) {
		char whole[CONFIG_PATH_BYTES + 32];

		snprintf(whole, sizeof(whole), "%s%s", fronts[i], path);
		key = find_exactly(whole);
		if (key.spec != NULL || key.is_section)
			break;
	}
	return key;
}

static const char *
last_word(const char *path)
{
	const char *dot = strrchr(path, '.');

	return dot == NULL ? path : dot + 1;
}

/*
 * How far a path is from one that is known, with or without the sections in
 * front; 0 also for the right word in the wrong section.
 */
static unsigned
distance_to(const char *path, const char *known)
{
	unsigned best = edit_distance(path, known);

	if (strcmp(last_word(path), last_word(known)) == 0)
		return 0;
	for (size_t i = 1; i < ARRAY_LEN(fronts); i++) {
		size_t bytes = strlen(fronts[i]);

		if (strncmp(known, fronts[i], bytes) == 0) {
			unsigned distance = edit_distance(path, known + bytes);

			best = distance < best ? distance : best;
		}
	}
	return best;
}

/* Path number i of all that are known; NULL: an option without one. */
static const char *
known_at(size_t i)
{
	if (i < OPTION_NR)
		return option_key((enum option_id)i);
	i -= OPTION_NR;
	return i < SETTING_NR ? setting_table[i].name
			      : also_table[i - SETTING_NR].path;
}

/*
 * The nearest key, or for a mapping the nearest section, that can be meant;
 * false: none is near.
 */
static bool
nearest(const struct config_entry *entry, char out[static CONFIG_PATH_BYTES])
{
	unsigned best = (unsigned)(strlen(last_word(entry->path)) + 2) / 3 + 1;
	bool is_found = false;

	for (size_t i = 0; i < OPTION_NR + SETTING_NR + ARRAY_LEN(also_table);
	     i++) {
		const char *known = known_at(i);
		char path[CONFIG_PATH_BYTES];
		char *end;

		if (known == NULL)
			continue;
		snprintf(path, sizeof(path), "%s", known);
		end = path + strlen(path);
		do {
			unsigned distance;

			*end = '\0';
			distance = distance_to(entry->path, path);
			if (distance < best &&
			    (end == path + strlen(known)) ==
				    (entry->kind != CONFIG_MAP)) {
				best = distance;
				is_found = true;
				snprintf(out, CONFIG_PATH_BYTES, "%s", path);
			}
			end = strrchr(path, '.');
		} while (entry->kind == CONFIG_MAP && end != NULL);
	}
	return is_found;
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
	if (nearest(entry, meant))
		note(config, "BALE-CFG-006", entry->place,
		     "unknown %s %s is passed over; did you mean %s?", what,
		     quoted, meant);
	else
		note(config, "BALE-CFG-006", entry->place,
		     "unknown %s %s is passed over; bale config show lists "
		     "what is known",
		     what, quoted);
}

/* Sections of ours; what else a file has is for other programs. */
static bool
is_ours(const char *path)
{
	return strchr(path, '.') == NULL || strncmp(path, "context.", 8) == 0 ||
	       strncmp(path, "window.", 7) == 0 ||
	       strncmp(path, "compaction.", 11) == 0 ||
	       strncmp(path, "policy.", 7) == 0;
}

/* Keys that name what a file of a repository must not. */
static bool
refuse(struct config *config, const struct config_entry *entry)
{
	const char *word = last_word(entry->path);
	char quoted[WORD_QUOTE_BYTES];
	char name[CONFIG_KEY_BYTES * 2];

	if (!is_ours(entry->path))
		return false;
	word_quote(quoted, entry->path);
	for (size_t i = 0; i < ARRAY_LEN(refused_table); i++) {
		if (strcmp(refused_table[i].word, word) != 0)
			continue;
		note(config, "BALE-CFG-004", entry->place,
		     "%s: a configuration file cannot name %s; give it on the "
		     "command line",
		     quoted, refused_table[i].what);
		return true;
	}
	for (int i = 0; i < OPTION_NR; i++) {
		const char *why = option_no_key((enum option_id)i);

		config_snake_case(name, sizeof(name), option_table[i].name);
		if (why == NULL || strcmp(name, word) != 0)
			continue;
		note(config, "BALE-CFG-004", entry->place,
		     "%s: a configuration file cannot set it, for %s; give "
		     "--%s on the command line",
		     quoted, why, option_table[i].name);
		return true;
	}
	return false;
}

/* Budgets have a code of their own. */
static const char *
code_of(const struct key *key)
{
	const char *path = key->option >= 0
				   ? option_key((enum option_id)key->option)
				   : key->spec->name;

	return is_below(path, "context.budget") ? "BALE-BUD-005"
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
check_name(struct config *config, const struct key *key,
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
check_value(struct config *config, const struct key *key,
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
claim(struct config *config, const struct key *key,
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
check_form(struct config *config, const struct key *key,
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
check_entry(struct config *config, size_t i, struct key *list)
{
	const struct config_entry *entry = &config->entries.items[i];
	struct key key;

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
		key = find_key(entry->path);
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
	struct key list = { .option = -1, .setting = -1 };

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
config_categories(const struct config *config, double shares[static 4],
		  double *sum)
{
	bool is_named = false;

	*sum = 0;
	for (int i = 0; i < 4; i++) {
		enum setting_id id =
			(enum setting_id)(SETTING_TOOL_RESULTS + i);

		shares[i] = 0;
		if (config_setting(config, id) == NULL)
			continue;
		is_named = true;
		shares[i] = config_number(config, id);
		*sum += shares[i];
	}
	if (!is_named || *sum > 1 + SHARE_SLACK / 100)
		return is_named;
	*sum *= 100;
	for (int i = 0; i < 4; i++)
		shares[i] *= 100;
	return true;
}

/* The documents' sentence, and what it is made of, on one line. */
static void
check_categories(struct config *config)
{
	char parts[256] = "";
	double shares[4];
	double sum;
	size_t n = 0;

	if (!config_categories(config, shares, &sum) ||
	    (sum > 100 - SHARE_SLACK && sum < 100 + SHARE_SLACK))
		return;
	for (int i = 0; i < 4; i++) {
		const struct option_spec *spec =
			&setting_table[SETTING_TOOL_RESULTS + i];

		if (config->setting_places[SETTING_TOOL_RESULTS + i].line != 0)
			n += (size_t)snprintf(parts + n, sizeof(parts) - n,
					      "%s%s: %.12g%%",
					      n > 0 ? ", " : "",
					      last_word(spec->name), shares[i]);
	}
	for (int i = 0; i < 4; i++) {
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

int
config_load_text(struct config *out, const char *path, const char *text,
		 size_t bytes)
{
	struct config_fault fault = { .text = "" };
	size_t nr;
	int error;

	*out = (struct config){ .path = strdup(path) };
	if (out->path == NULL)
		return -ENOMEM;
	error = config_yaml_read(text, bytes, &out->entries, &fault);
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
config_load(struct config *out, const char *path, bool no_config)
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
		error = config_load_text(out, path != NULL ? path : shown, text,
					 bytes);
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

int
config_complete(const struct config *config, struct options *options,
		char *error, size_t error_size)
{
	static const enum option_id ids[] = { OPTION_BUDGET,
					      OPTION_RESERVE_SYSTEM,
					      OPTION_RESERVE_RESPONSE };
	int result = options_complete(options, error, error_size);
	char quoted[WORD_QUOTE_BYTES * 2];

	if (result == 0 || strncmp(error, "BALE-BUD-005", 12) != 0)
		return result;
	for (size_t i = 0; i < ARRAY_LEN(ids); i++) {
		struct config_place place = config->option_places[ids[i]];
		size_t bytes = strlen(error);

		if (options->from[ids[i]] != FROM_FILE)
			continue;
		snprintf(error + bytes, error_size - bytes,
			 "; %s is set in %s:%u:%u", option_key(ids[i]),
			 diag_quote(quoted, sizeof(quoted),
				    (const uint8_t *)config->path,
				    strlen(config->path)),
			 place.line, place.column);
	}
	return result;
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
	diag_quote(quoted, sizeof(quoted), (const uint8_t *)config->path,
		   strlen(config->path));
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
