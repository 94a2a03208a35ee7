/* SPDX-License-Identifier: MIT */
/*
 * io_settings.c - the few of git's settings that decide what it lists.
 *
 * Does: core.excludesFile, core.ignorecase, extensions.objectFormat, in the
 *       files of system, user and repository, with the user's includes.
 * Does not: follow includes of the repository's own file: who made the tree
 *           made that file, and may not have other files read.
 * Limits: GIT_CONFIG_COUNT and conditions other than gitdir are not looked at.
 */
#include "git/io_settings.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "git/git.h"

#define CONFIG_BYTES_MAX (1u << 20)
#define INCLUDES_MAX 10 /* within each other, as in git */
#define SHA1_BYTES 20
#define SHA256_HASH_BYTES 32

struct reading {
	struct git_settings *settings;
	struct rules_budget *budget;
	const struct git_user *user;
	char git_path[PATH_MAX]; /* "": none, or unknown */
	bool is_own;             /* it is the repository's own file */
	bool worktree_config;
	int depth;
	int error;
};

static void
read_file(struct reading *reading, int dir_fd, const char *path);

/* "~/x" and what is relative to a file's folder, as a path; NULL: neither. */
static char *
expand(const struct git_user *user, const char *value, const char *beside)
{
	const char *slash = beside == NULL ? NULL : strrchr(beside, '/');
	char *path = NULL;
	int got = -1;

	if (value[0] == '/')
		return strdup(value);
	if (value[0] == '~') {
		if (value[1] == '/' && user->home != NULL)
			got = asprintf(&path, "%s%s", user->home, value + 1);
	} else if (slash != NULL) {
		got = asprintf(&path, "%.*s/%s", (int)(slash - beside), beside,
			       value);
	}
	return got < 0 ? NULL : path;
}

/* [includeIf "gitdir:~/work/"] */
static bool
condition_holds(struct reading *reading, const char *condition,
		const char *beside)
{
	unsigned flags = WILD_PATH;
	char pattern[PATH_MAX + 8];
	char *path = NULL;
	const char *from;
	size_t bytes;
	int got;

	if (strncmp(condition, "gitdir/i:", 9) == 0)
		flags |= WILD_FOLD;
	else if (strncmp(condition, "gitdir:", 7) != 0)
		return false;
	from = strchr(condition, ':') + 1;
	if (from[0] == '~' || (from[0] == '.' && from[1] == '/'))
		path = expand(reading->user, from[0] == '.' ? from + 2 : from,
			      beside);
	if (path != NULL)
		from = path;
	got = snprintf(pattern, sizeof(pattern) - 2, "%s%s",
		       from[0] == '/' ? "" : "**/", from);
	free(path);
	if (got < 0 || (size_t)got >= sizeof(pattern) - 2)
		return false;
	bytes = (size_t)got;
	if (bytes > 0 && pattern[bytes - 1] == '/') {
		memcpy(pattern + bytes, "**", 3);
		bytes += 2;
	}
	return glob_match(pattern, bytes, reading->git_path,
			  strlen(reading->git_path), flags);
}

static void
include(struct reading *reading, const struct gitconfig *config,
	const char *beside)
{
	char *path;

	if (reading->is_own || !config->has_value ||
	    reading->depth >= INCLUDES_MAX)
		return;
	if (strcmp(config->section, "includeif") == 0 &&
	    !condition_holds(reading, config->part, beside))
		return;
	path = expand(reading->user, config->value, beside);
	if (path != NULL) {
		reading->depth++;
		read_file(reading, AT_FDCWD, path);
		reading->depth--;
	}
	free(path);
}

static void
take_setting(struct reading *reading, const struct gitconfig *config,
	     const char *beside)
{
	struct git_settings *settings = reading->settings;

	if (gitconfig_is(config, "core", "excludesfile")) {
		free(settings->excludes);
		settings->excludes = strdup(config->value);
		settings->own_excludes = reading->is_own;
		if (settings->excludes == NULL)
			reading->error = -ENOMEM;
	} else if (gitconfig_is(config, "core", "ignorecase")) {
		settings->fold = gitconfig_true(config);
	} else if (gitconfig_is(config, "extensions", "objectformat")) {
		settings->hash_bytes = strcmp(config->value, "sha256") == 0
					       ? SHA256_HASH_BYTES
					       : SHA1_BYTES;
	} else if (gitconfig_is(config, "extensions", "worktreeconfig")) {
		reading->worktree_config = gitconfig_true(config);
	} else if (gitconfig_is(config, "include", "path") ||
		   gitconfig_is(config, "includeif", "path")) {
		include(reading, config, beside);
	}
}

static void
read_file(struct reading *reading, int dir_fd, const char *path)
{
	struct gitconfig config;
	size_t bytes = 0;
	char *text;

	if (!reading->is_own)
		text = git_read_text(dir_fd, path, CONFIG_BYTES_MAX, &bytes);
	else if (git_read_own(dir_fd, path, CONFIG_BYTES_MAX, &text, &bytes) ==
		 -ELOOP)
		rules_keep_link(reading->budget, dir_fd, path);
	if (text == NULL)
		return;
	gitconfig_init(&config, text, bytes);
	while (gitconfig_next(&config) == 1)
		take_setting(reading, &config, path);
	free(text);
}

/* A file in the user's own folder. */
static void
read_in(struct reading *reading, const char *folder, const char *name)
{
	char *path = NULL;

	if (folder == NULL)
		return;
	if (asprintf(&path, "%s/%s", folder, name) < 0) {
		reading->error = -ENOMEM;
		return;
	}
	read_file(reading, AT_FDCWD, path);
	free(path);
}

static bool
is_set(const char *name)
{
	const char *value = getenv(name);

	return value != NULL && *value != '\0' && strcmp(value, "0") != 0 &&
	       strcmp(value, "false") != 0;
}

static void
read_shared(struct reading *reading)
{
	const char *system = getenv("GIT_CONFIG_SYSTEM");
	const char *global = getenv("GIT_CONFIG_GLOBAL");

	if (!is_set("GIT_CONFIG_NOSYSTEM"))
		read_file(reading, AT_FDCWD,
			  system != NULL ? system : "/etc/gitconfig");
	if (global != NULL) {
		read_file(reading, AT_FDCWD, global);
		return;
	}
	read_in(reading, reading->user->xdg, "config");
	read_in(reading, reading->user->home, ".gitconfig");
}

int
git_settings_read(struct git_settings *settings, struct rules_budget *budget,
		  const struct git_user *user, const struct git_dir *git,
		  bool shared)
{
	struct reading reading = {
		.settings = settings,
		.budget = budget,
		.user = user,
	};

	*settings = (struct git_settings){ .hash_bytes = SHA1_BYTES };
	if (git == NULL || !shared ||
	    !git_path_of(git->own_fd, reading.git_path))
		reading.git_path[0] = '\0';
	else
		strcat(reading.git_path, "/");
	if (shared)
		read_shared(&reading);
	if (git != NULL) {
		reading.is_own = true;
		read_file(&reading, git->common_fd, "config");
		if (reading.worktree_config)
			read_file(&reading, git->own_fd, "config.worktree");
	}
	if (reading.error != 0)
		git_settings_free(settings);
	return reading.error;
}

void
git_settings_free(struct git_settings *settings)
{
	free(settings->excludes);
	settings->excludes = NULL;
}

char *
git_user_path(const struct git_user *user, const struct git_settings *settings)
{
	char *path = NULL;

	if (settings->excludes != NULL)
		return expand(user, settings->excludes, NULL);
	if (user->xdg == NULL || asprintf(&path, "%s/ignore", user->xdg) < 0)
		return NULL;
	return path;
}

int
git_user_init(struct git_user *user, struct rules_budget *budget)
{
	const char *home = getenv("HOME");
	const char *xdg = getenv("XDG_CONFIG_HOME");
	struct git_settings settings;
	int error;

	*user = (struct git_user){ .budget = budget };
	if (home != NULL && *home != '\0')
		user->home = strdup(home);
	if (xdg != NULL && *xdg != '\0') {
		if (asprintf(&user->xdg, "%s/git", xdg) < 0)
			user->xdg = NULL;
	} else if (user->home != NULL) {
		if (asprintf(&user->xdg, "%s/.config/git", home) < 0)
			user->xdg = NULL;
	}
	error = git_settings_read(&settings, budget, user, NULL, true);
	if (error != 0)
		return error;
	user->path = git_user_path(user, &settings);
	if (user->path != NULL)
		error = rule_file_open(
			&user->rules,
			&(struct rule_place){ .budget = budget,
					      .fold = settings.fold },
			AT_FDCWD, user->path, true);
	git_settings_free(&settings);
	return error;
}

void
git_user_fini(struct git_user *user, struct rules_budget *budget)
{
	rule_file_close(user->rules, budget);
	free(user->home);
	free(user->xdg);
	free(user->path);
	*user = (struct git_user){ 0 };
}
