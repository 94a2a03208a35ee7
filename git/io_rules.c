/* SPDX-License-Identifier: MIT */
/*
 * io_rules.c - files of ignore rules, chained from the inside out.
 *
 * Does: see io_rules.h.
 * Does not: understand rules (ignore.c).
 */
#include "git/io_rules.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/fd_io.h"
#include "git/io_git_dir.h"

const char *const rules_names[RULES_KIND_NR] = {
	[RULES_BALE] = ".baleignore",
	[RULES_IGNORE] = ".ignore",
	[RULES_GIT] = ".gitignore",
};

/* The structure, the rules and then the text lie in one piece of memory. */
int
rule_file_make(const struct rule_file **out, const struct rule_place *place,
	       const char *text, size_t bytes)
{
	size_t rule_nr = ignore_rules_room(text, bytes);
	size_t memory = sizeof(struct rule_file) +
			rule_nr * sizeof(struct ignore_rule) + bytes;
	struct rules_budget *budget = place->budget;
	struct rule_file *file =
		memory <= budget->left_bytes ? malloc(memory) : NULL;
	struct ignore_rule *room;
	char *copy;

	ASSERT(bytes <= IGNORE_RULES_BYTES_MAX);
	if (file == NULL)
		return -ENOMEM;
	room = (struct ignore_rule *)(file + 1);
	copy = (char *)(room + rule_nr);
	memcpy(copy, text, bytes);
	ignore_rules_parse(&file->rules, room, copy, bytes, place->fold);
	file->memory = memory;
	file->text_bytes = bytes;
	file->outer = place->outer;
	file->base_bytes = place->base_bytes;
	budget->left_bytes -= memory;
	*out = file;
	return 0;
}

int
rule_file_take(const struct rule_file **out, const struct rule_place *place,
	       int fd)
{
	size_t bytes = 0;
	char *text;
	int error;

	*out = place->outer;
	if (fd == -EMFILE || fd == -ENFILE || fd == -ENOMEM)
		return fd;
	if (fd < 0)
		return 0;
	error = fd_read_regular(fd, IGNORE_RULES_BYTES_MAX, &text, &bytes);
	close(fd);
	if (error == -ENOMEM)
		return error;
	if (error == 0)
		(void)rule_file_make(out, place, text, bytes);
	free(text);
	return 0;
}

int
rule_file_open(const struct rule_file **out, const struct rule_place *place,
	       int dir_fd, const char *name, bool follow)
{
	int flags = O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY |
		    (follow ? 0 : O_NOFOLLOW);
	int fd = openat(dir_fd, name, flags);

	return rule_file_take(out, place, fd < 0 ? -errno : fd);
}

void
rule_file_close(const struct rule_file *file, struct rules_budget *budget)
{
	if (file == NULL)
		return;
	budget->left_bytes += file->memory;
	free((void *)(uintptr_t)file);
}

enum ignore_verdict
rule_chain_match(const struct rule_file *chain, const char *path,
		 size_t path_bytes, size_t name_off, bool is_dir)
{
	enum ignore_verdict verdict = IGNORE_NO_RULE;

	for (; chain != NULL && verdict == IGNORE_NO_RULE;
	     chain = chain->outer) {
		size_t base = chain->base_bytes;

		verdict = ignore_rules_match(&chain->rules, path + base,
					     path_bytes - base, name_off - base,
					     is_dir);
	}
	return verdict;
}

bool
rule_chain_names(const struct rule_file *chain, const char *path, size_t bytes)
{
	size_t name = 0;

	while (name < bytes) {
		const char *slash = memchr(path + name, '/', bytes - name);
		size_t end = slash == NULL ? bytes : (size_t)(slash - path);

		if (rule_chain_match(chain, path, end, name, slash != NULL) ==
		    IGNORE_EXCLUDE)
			return true;
		name = end + 1;
	}
	return false;
}

void
rules_keep_link(struct rules_budget *budget, int dir_fd, const char *path)
{
	char folder[PATH_MAX];

	if (budget->link[0] != '\0')
		return;
	if (!git_path_of(dir_fd, folder))
		memcpy(folder, ".git", sizeof(".git"));
	snprintf(budget->link, sizeof(budget->link), "%.400s/%.64s", folder,
		 path);
}
