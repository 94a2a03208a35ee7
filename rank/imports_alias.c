/* SPDX-License-Identifier: MIT */
/*
 * imports_alias.c - names of modules that a tsconfig.json or
 *                          jsconfig.json says the place of.
 *
 * Does: keeps "paths", "baseUrl" and "extends" of each such file, and "imports"
 *       of a package.json; finds what a name means to a file: by those of its own directory, then of the ones
 *       above; in each by the pattern with the longest beginning, as the
 *       compiler has it.
 * Limits: IMPORTS_CONFIGS files, IMPORTS_ALIASES patterns and
 *         IMPORTS_ALIAS_TEXT bytes of them in a tree; what is beyond is not
 *         known. Which files a configuration includes is not asked. No escapes
 *         in strings.
 */
#include <string.h>

#include "base/hash.h"
#include "rank/imports_find.h"

#define NEAR_MAX 8    /* configurations that a name is looked up in */
#define EXTENDS_MAX 4 /* one from another */
#define TRIED_MAX 8   /* for one name, all in all */

/* ---- keeping ------------------------------------------------------------ */

/* The next string of JSON; false: there is none. */
static bool
next_string(struct imports_text *rest, struct imports_text *string)
{
	const uint8_t *stop = rest->at + rest->bytes;
	const uint8_t *open = memchr(rest->at, '"', rest->bytes);
	const uint8_t *close =
		open == NULL ? NULL
			     : memchr(open + 1, '"', (size_t)(stop - open - 1));

	if (close == NULL)
		return false;
	*string = (struct imports_text){ open + 1, (size_t)(close - open) - 1 };
	*rest = (struct imports_text){ close + 1, (size_t)(stop - close) - 1 };
	return true;
}

static bool
keep_text(struct imports *imports, struct imports_text text,
	  struct imports_alias *alias)
{
	if (text.bytes > IMPORTS_ALIAS_TEXT - imports->alias_text_bytes)
		return false;
	memcpy(imports->alias_text + imports->alias_text_bytes, text.at,
	       text.bytes);
	*alias = (struct imports_alias){ .off = imports->alias_text_bytes,
					 .bytes = (uint32_t)text.bytes };
	imports->alias_text_bytes += (uint32_t)text.bytes;
	return true;
}

/* The configuration that the file in work is; NULL: there is no room. */
static struct imports_config *
config_of_file(struct imports *imports)
{
	uint32_t nr = imports->config_nr;

	if (nr > 0 && imports->configs[nr - 1].file_idx == imports->file_idx)
		return &imports->configs[nr - 1];
	if (nr == IMPORTS_CONFIGS)
		return NULL;
	imports->configs[nr] = (struct imports_config){
		.file_idx = imports->file_idx,
		.alias_first = imports->alias_nr,
	};
	imports_keep(
		imports,
		imports_hash(KEY_CONFIG, imports->path, imports->dir_bytes),
		nr);
	imports_keep(imports,
		     imports_hash(KEY_CONFIG_FILE, imports->path,
				  imports->path_bytes),
		     nr);
	return &imports->configs[imports->config_nr++];
}

bool
imports_is_config(struct imports_text name)
{
	return (imports_begins(name, "tsconfig") ||
		imports_begins(name, "jsconfig")) &&
	       imports_ends(name, ".json");
}

void
imports_add_config(struct imports *imports, struct imports_text text)
{
	struct imports_config *config = config_of_file(imports);
	struct imports_text rest = text;
	struct imports_text key;
	struct imports_text value;

	if (config == NULL || !next_string(&rest, &key))
		return;
	if (imports_text_is(key, "baseUrl")) {
		if (next_string(&rest, &value))
			config->has_base =
				keep_text(imports, value, &config->base);
	} else if (imports_text_is(key, "extends")) {
		/* of several the last one has the last word */
		while (next_string(&rest, &value))
			if (value.bytes > 0 && value.at[0] == '.')
				keep_text(imports, value, &config->extends);
	} else if (imports->alias_nr < IMPORTS_ALIASES &&
		   keep_text(imports, text,
			     &imports->aliases[imports->alias_nr])) {
		imports->alias_nr++;
		config->alias_nr++;
	}
}

/* ---- finding ------------------------------------------------------------ */

static struct imports_text
text_of(const struct imports *imports, const struct imports_alias *alias)
{
	return (struct imports_text){ imports->alias_text + alias->off,
				      alias->bytes };
}

/* Bytes before the star of a pattern that names the text, and what the star
 * stands for; -1: it does not. All of one without a star. */
static int64_t
match(struct imports_text pattern, struct imports_text text,
      struct imports_text *star)
{
	const uint8_t *at = memchr(pattern.at, '*', pattern.bytes);
	size_t before;
	size_t behind;

	*star = (struct imports_text){ text.at, 0 };
	if (at == NULL)
		return pattern.bytes == text.bytes &&
				       memcmp(pattern.at, text.at,
					      text.bytes) == 0
			       ? (int64_t)pattern.bytes + 1
			       : -1;
	before = (size_t)(at - pattern.at);
	behind = pattern.bytes - before - 1;
	if (text.bytes < before + behind ||
	    memcmp(pattern.at, text.at, before) != 0 ||
	    memcmp(at + 1, text.at + text.bytes - behind, behind) != 0)
		return -1;
	*star = (struct imports_text){ text.at + before,
				       text.bytes - before - behind };
	return (int64_t)before;
}

/* Where the paths of a configuration begin. */
static void
begin_path(const struct imports *imports, const struct imports_config *config,
	   struct imports_path *path)
{
	struct imports_text base = text_of(imports, &config->base);

	imports_path_beside(imports, config->file_idx, path);
	if (config->has_base)
		imports_path_go(path, base.at, base.bytes);
}

/* The file of a target, with what the star stands for in its place. */
static uint32_t
target_at(const struct imports *imports, const struct imports_config *config,
	  struct imports_text target, struct imports_text star)
{
	static const char own[] = "${configDir}/";
	uint8_t name[2 * UINT8_MAX];
	const uint8_t *at;
	struct imports_path path;
	size_t before;
	size_t bytes;

	if (imports_begins(target, own)) {
		target.at += sizeof(own) - 1;
		target.bytes -= sizeof(own) - 1;
	}
	at = memchr(target.at, '*', target.bytes);
	if (at == NULL)
		star.bytes = 0;
	before = at == NULL ? target.bytes : (size_t)(at - target.at);
	bytes = target.bytes - (at != NULL) + star.bytes;
	if (bytes > sizeof(name))
		return IMPORTS_NONE;
	memcpy(name, target.at, before);
	memcpy(name + before, star.at, star.bytes);
	if (at != NULL)
		memcpy(name + before + star.bytes, at + 1,
		       target.bytes - before - 1);
	begin_path(imports, config, &path);
	imports_path_go(&path, name, bytes);
	return imports_module_at(imports, &path);
}

static bool
is_manifest(const struct imports *imports, const struct imports_config *config)
{
	struct imports_text path;

	path.at = imports->tree.path(imports->tree.context, config->file_idx,
				     &path.bytes);
	return imports_ends(path, "package.json");
}

/* What one configuration says that a name is. */
static uint32_t
in_config(const struct imports *imports, const struct imports_config *config,
	  struct imports_text text)
{
	struct imports_text targets = { text.at, 0 };
	struct imports_text star = { text.at, 0 };
	struct imports_text target;
	int64_t longest = -1;
	uint32_t file_idx = IMPORTS_NONE;

	for (uint32_t i = 0; i < config->alias_nr; i++) {
		struct imports_text rest = text_of(
			imports, &imports->aliases[config->alias_first + i]);
		struct imports_text pattern;
		struct imports_text of_star;
		int64_t before;

		if (!next_string(&rest, &pattern))
			continue;
		before = match(pattern, text, &of_star);
		if (before > longest) {
			longest = before;
			targets = rest;
			star = of_star;
		}
	}
	while (file_idx == IMPORTS_NONE && next_string(&targets, &target)) {
		/* of a package.json: what is no path is a condition */
		if (text.at[0] == '#' && !imports_begins(target, "./") &&
		    is_manifest(imports, config))
			continue;
		file_idx = target_at(imports, config, target, star);
	}
	if (file_idx == IMPORTS_NONE && config->has_base) {
		struct imports_path path;

		begin_path(imports, config, &path);
		imports_path_go(&path, text.at, text.bytes);
		file_idx = imports_module_at(imports, &path);
	}
	return file_idx;
}

/* The configuration that one extends; NULL: none that is in the tree. */
static const struct imports_config *
extended(const struct imports *imports, const struct imports_config *config)
{
	struct imports_text text = text_of(imports, &config->extends);
	struct imports_path path;
	uint32_t nr;

	if (text.bytes == 0)
		return NULL;
	imports_path_beside(imports, config->file_idx, &path);
	imports_path_go(&path, text.at, text.bytes);
	if (!imports_ends((struct imports_text){ path.text, path.bytes },
			  ".json"))
		imports_path_add(&path, ".json");
	if (path.is_bad)
		return NULL;
	nr = imports_value(
		imports, imports_hash(KEY_CONFIG_FILE, path.text, path.bytes));
	return nr < imports->config_nr ? &imports->configs[nr] : NULL;
}

/* Hashes of the directories of the file in work that may have one, the last
 * NEAR_MAX from the top. */
static uint32_t
near_configs(const struct imports *imports, uint64_t hashes[static NEAR_MAX])
{
	uint64_t hash = imports_hash(KEY_CONFIG, NULL, 0);
	uint32_t nr = 0;

	for (size_t i = 0; i <= imports->dir_bytes; i++) {
		if ((i == 0 || imports->path[i - 1] == '/') &&
		    imports_value(imports, hash) != IMPORTS_NONE)
			hashes[nr++ % NEAR_MAX] = hash;
		if (i < imports->dir_bytes)
			hash = hash64(hash, imports->path + i, 1);
	}
	return nr;
}

uint32_t
imports_alias(const struct imports *imports, struct imports_text text)
{
	uint64_t hashes[NEAR_MAX];
	uint32_t nr =
		imports->config_nr == 0 ? 0 : near_configs(imports, hashes);
	uint32_t file_idx = IMPORTS_NONE;
	int tried = 0;

	for (uint32_t i = 0; i < min_u64(nr, NEAR_MAX); i++) {
		struct imports_value_walk walk = { 0 };
		uint32_t idx;

		walk.hash = hashes[(nr - 1 - i) % NEAR_MAX];
		while (file_idx == IMPORTS_NONE &&
		       (idx = imports_value_next(imports, &walk)) !=
			       IMPORTS_NONE) {
			const struct imports_config *config =
				&imports->configs[idx];

			for (int k = 0;
			     config != NULL && k <= EXTENDS_MAX &&
			     tried++ < TRIED_MAX && file_idx == IMPORTS_NONE;
			     k++) {
				file_idx = in_config(imports, config, text);
				config = extended(imports, config);
			}
		}
	}
	return file_idx;
}
