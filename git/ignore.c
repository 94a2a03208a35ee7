/* SPDX-License-Identifier: MIT */
/*
 * ignore.c - the rules of one .gitignore.
 *
 * Does: reads the rules exactly as git does, oddities included, and finds the
 *       last one that names a path.
 * Does not: open files or know which directory comes before which; that is
 *           the walk's (collect_io_walk.c).
 * Invariants:
 * 1. Rules point into the text, which is never changed.
 * 2. Chains run from later rules to earlier ones; each rule is in one chain.
 *
 * Most rules end in a byte that stands for itself ("*.o", "vmlinux"), so most
 * are out of question for a name that ends in another byte. Chains by last
 * byte turn the 130 rules at the top of a large tree into two or three.
 */
#include "git/ignore.h"

#include <string.h>

#include "base/ascii.h"
#include "base/utf8.h"

enum rule_flag {
	RULE_KEEP = 1 << 0,    /* began with '!' */
	RULE_DIR = 1 << 1,     /* ended with '/': directories alone */
	RULE_NAME = 1 << 2,    /* no slash: looked for at every depth */
	RULE_SUFFIX = 1 << 3,  /* '*' and then no other wild card */
	RULE_LITERAL = 1 << 4, /* no wild card at all */
	RULE_DEAD = 1 << 5     /* matches nothing */
};

static bool
is_glob(char c)
{
	return c == '*' || c == '?' || c == '[' || c == '\\';
}

static unsigned char
fold_byte(unsigned char c, bool fold)
{
	return fold ? ascii_lower(c) : c;
}

static bool
same_bytes(const char *a, const char *b, size_t bytes, bool fold)
{
	if (!fold)
		return memcmp(a, b, bytes) == 0;
	for (size_t i = 0; i < bytes; i++) {
		if (fold_byte((unsigned char)a[i], true) !=
		    fold_byte((unsigned char)b[i], true))
			return false;
	}
	return true;
}

size_t
ignore_rules_room(const char *text, size_t bytes)
{
	size_t nr = 1;
	const char *at = text;
	const char *end;

	bytes = min_size(bytes, IGNORE_RULES_BYTES_MAX);
	end = text + bytes;
	while (at < end &&
	       (at = memchr(at, '\n', (size_t)(end - at))) != NULL) {
		nr++;
		at++;
	}
	return nr;
}

/* Blanks at the end count only behind a backslash; tabs always do. */
static size_t
trim_blanks(const char *line, size_t bytes)
{
	size_t blanks = SIZE_MAX;

	for (size_t i = 0; i < bytes; i++) {
		if (line[i] == ' ') {
			if (blanks == SIZE_MAX)
				blanks = i;
			continue;
		}
		if (line[i] == '\\' && ++i == bytes)
			return bytes;
		blanks = SIZE_MAX;
	}
	return blanks == SIZE_MAX ? bytes : blanks;
}

/* One line, '!' and what follows included; at least one byte. */
static struct ignore_rule
parse_line(const char *text, size_t off, size_t bytes)
{
	const char *line = text + off;
	struct ignore_rule rule = { .pattern_off = (uint32_t)off };
	size_t literal = 0;

	if (bytes > 0 && *line == '!') {
		rule.flags |= RULE_KEEP;
		rule.pattern_off++;
		line++;
		bytes--;
	}
	while (literal < bytes && !is_glob(line[literal]))
		literal++;
	if (bytes > 0 && *line == '*') {
		size_t at = 1;

		while (at < bytes && !is_glob(line[at]))
			at++;
		if (at == bytes)
			rule.flags |= RULE_SUFFIX;
	}
	if (bytes > 0 && line[bytes - 1] == '/') {
		rule.flags |= RULE_DIR;
		bytes--;
	}
	if (memchr(line, '/', bytes) == NULL)
		rule.flags |= RULE_NAME;
	literal = min_size(literal, bytes);
	if (literal == bytes)
		rule.flags |= RULE_LITERAL;
	if (bytes == 0)
		rule.flags |= RULE_DEAD;
	rule.pattern_bytes = (uint32_t)bytes;
	rule.literal_bytes = (uint32_t)literal;
	return rule;
}

static void
chain_rule(struct ignore_rules *rules, struct ignore_rule *rule, uint32_t idx)
{
	const char *pattern = rules->text + rule->pattern_off;
	uint32_t *head = &rules->any;
	char last;

	if (rule->flags & RULE_DEAD)
		return;
	last = pattern[rule->pattern_bytes - 1];
	if (!is_glob(last) && last != ']')
		head = &rules->by_last[fold_byte((unsigned char)last,
						 rules->fold)];
	rule->next = *head;
	*head = idx + 1;
}

void
ignore_rules_parse(struct ignore_rules *rules, struct ignore_rule *room,
		   const char *text, size_t bytes, bool fold)
{
	size_t begin = utf8_mark_bytes(text, bytes);

	*rules = (struct ignore_rules){ .text = text, .fold = fold };
	rules->rules = room;
	bytes = min_size(bytes, IGNORE_RULES_BYTES_MAX);
	while (begin < bytes) {
		const char *line = text + begin;
		const char *newline = memchr(line, '\n', bytes - begin);
		size_t end = newline == NULL ? bytes : (size_t)(newline - text);
		size_t length = end - begin;
		size_t off = begin;
		const char *nul;

		begin = end + 1;
		if (length == 0 || *line == '#')
			continue;
		if (line[length - 1] == '\r')
			length--;
		/* For git a line is a C string. */
		nul = memchr(line, '\0', length);
		if (nul != NULL)
			length = (size_t)(nul - line);
		length = trim_blanks(line, length);
		room[rules->rule_nr] = parse_line(text, off, length);
		chain_rule(rules, &room[rules->rule_nr], rules->rule_nr);
		rules->rule_nr++;
	}
}

/* A rule without a slash, against the last component. */
static bool
match_name(const struct ignore_rules *rules, const struct ignore_rule *rule,
	   const char *name, size_t bytes)
{
	const char *pattern = rules->text + rule->pattern_off;
	size_t length = rule->pattern_bytes;

	if (rule->flags & RULE_LITERAL)
		return length == bytes &&
		       same_bytes(pattern, name, bytes, rules->fold);
	if (rule->flags & RULE_SUFFIX)
		return length - 1 <= bytes &&
		       same_bytes(pattern + 1, name + bytes - (length - 1),
				  length - 1, rules->fold);
	return glob_match(pattern, length, name, bytes,
			  rules->fold ? WILD_FOLD : 0);
}

/*
 * A rule with a slash, against the whole path. The literal beginning is cut
 * off before wild cards are looked at, as git does: so "a**" followed by
 * "/b" has its "**" at the beginning of what is left and may cross slashes.
 */
static bool
match_path(const struct ignore_rules *rules, const struct ignore_rule *rule,
	   const char *path, size_t bytes)
{
	const char *pattern = rules->text + rule->pattern_off;
	size_t length = rule->pattern_bytes;
	size_t literal = rule->literal_bytes;

	if (*pattern == '/') {
		pattern++;
		length--;
		literal--;
	}
	if (literal > bytes || !same_bytes(pattern, path, literal, rules->fold))
		return false;
	if (literal == length && literal == bytes)
		return literal > 0;
	return glob_match(pattern + literal, length - literal, path + literal,
			  bytes - literal,
			  WILD_PATH | (rules->fold ? WILD_FOLD : 0));
}

uint32_t
ignore_rules_find(const struct ignore_rules *rules, const char *path,
		  size_t path_bytes, size_t name_off, bool is_dir)
{
	unsigned char last =
		fold_byte((unsigned char)path[path_bytes - 1], rules->fold);
	uint32_t special = rules->by_last[last];
	uint32_t any = rules->any;

	while (special != 0 || any != 0) {
		uint32_t at = special > any ? special : any;
		const struct ignore_rule *rule = &rules->rules[at - 1];
		bool found;

		if (at == any)
			any = rule->next;
		else
			special = rule->next;
		if ((rule->flags & RULE_DIR) && !is_dir)
			continue;
		if (rule->flags & RULE_NAME)
			found = match_name(rules, rule, path + name_off,
					   path_bytes - name_off);
		else
			found = match_path(rules, rule, path, path_bytes);
		if (found)
			return at;
	}
	return 0;
}

enum ignore_verdict
ignore_rules_match(const struct ignore_rules *rules, const char *path,
		   size_t path_bytes, size_t name_off, bool is_dir)
{
	uint32_t at =
		ignore_rules_find(rules, path, path_bytes, name_off, is_dir);

	if (at == 0)
		return IGNORE_NO_RULE;
	return rules->rules[at - 1].flags & RULE_KEEP ? IGNORE_KEEP
						      : IGNORE_EXCLUDE;
}
