/* SPDX-License-Identifier: MIT */
/*
 * secrets_rules.c - the rules of rules.def, compiled.
 */
#include "secrets/secrets.h"

#include <assert.h>
#include <string.h>

#include "base/ascii.h"

#define REDACT false
#define WARN true

/* A row of the table. */
struct row {
	const char *id;
	enum secrets_kind kind;
	const char *before;
	const char *begins;
	const char *body; /* of a key: how the line behind it begins */
	uint8_t entropy;
	bool only_warns;
};

#define TOKEN(id, begins, body, entropy, action) \
	{ id, SECRETS_TOKEN, "", begins, body, entropy, action },
#define BEFORE(id, before, begins, body, entropy, action) \
	{ id, SECRETS_TOKEN, before, begins, body, entropy, action },
#define AFTER(id, begins, body, entropy, action) \
	{ id, SECRETS_AFTER, "", begins, body, entropy, action },
#define ASSIGNED(id, names, body, entropy, action) \
	{ id, SECRETS_ASSIGNED, "", names, body, entropy, action },
#define VARIABLE(id, names, body, entropy, action) \
	{ id, SECRETS_VARIABLE, "", names, body, entropy, action },
#define GENERIC(id, names, body, entropy, action) \
	{ id, SECRETS_GENERIC, "", names, body, entropy, action },
#define URL(id, begins, body, entropy, action) \
	{ id, SECRETS_URL, "", begins, body, entropy, action },
#define KEY(id, begins, action) { id, SECRETS_KEY, "", begins, "", 0, action },

static const struct row rows[] = {
#include "secrets/rules.def"
};

static_assert(ARRAY_LEN(rows) <= SECRETS_RULES_MAX, "they fit");

uint32_t
secrets_rule_nr(void)
{
	return ARRAY_LEN(rows);
}

const char *
secrets_rule_name(uint32_t rule)
{
	return rule < ARRAY_LEN(rows) ? rows[rule].id : "";
}

bool
secrets_rule_warns(uint32_t rule)
{
	return rule < ARRAY_LEN(rows) && rows[rule].only_warns;
}

static void
compile(struct secrets_rules *rules, const char *text, struct pattern *out)
{
	out->first = (uint16_t)rules->item_nr;
	out->nr = pattern_compile(text, rules->items + rules->item_nr,
				  SECRETS_ITEMS_MAX - rules->item_nr);
	rules->item_nr += out->nr;
}

/* What is compared first, all at once. */
static void
set_four(struct secrets_begin *begin)
{
	for (unsigned i = 0; i < 4 && i < begin->bytes; i++) {
		uint8_t c = (uint8_t)begin->text[i];
		bool folds = begin->any_case && ascii_is_letter(c);

		begin->four |= (uint32_t)(folds ? c & 0xdf : c) << 8 * i;
		begin->four_mask |= (folds ? 0xdfu : 0xffu) << 8 * i;
	}
}

static void
add_start(struct secrets_rules *rules, uint32_t four)
{
	uint32_t start = secrets_start(four);

	rules->starts[start / 64] |= 1ull << start % 64;
}

/* Behind three bytes may be any. */
static void
add_starts(struct secrets_rules *rules, const struct secrets_begin *begin)
{
	if (begin->bytes > 3)
		add_start(rules, begin->four);
	else
		for (uint32_t c = 0; c < 256; c++)
			add_start(rules, begin->four | c << 24);
}

/* Behind the others of its slot, so that these are by rule. */
static void
link_begin(struct secrets_rules *rules, const struct secrets_begin *begin)
{
	uint32_t slot = secrets_slot(begin->four);
	uint16_t *link = &rules->slots[slot];
	while (*link != 0)
		link = &rules->begins[*link - 1].next;
	*link = (uint16_t)(begin - rules->begins + 1);
}

/*
 * The group of the sieve for what begins with a character, by its five lowest
 * bits: those that together let the least through. Found by trying, over text
 * of the Linux kernel and of six programs in other languages: 8 of 100 places
 * pass, and 23 where bytes are looked up by nibbles in eight groups; of these,
 * by the three lowest bits alone, 32 did.
 */
static const uint8_t groups[32] = {
	0, 14, 6, 11, 7, 13, 11, 11, 15, 9, 10, 14, 2, 3, 6, 5,
	8, 13, 1, 3,  4, 13, 5,  3,  4,  9, 10, 0,  8, 8, 8, 12,
};

static void
add_to_sieve(struct sieve *sieve, const struct secrets_begin *begin)
{
	uint32_t group = groups[begin->text[0] & 31];

	for (uint32_t i = 0; i < SIEVE_PLACES; i++) {
		uint8_t c = (uint8_t)begin->text[i];

		sieve_add(sieve, group, i, c);
		if (begin->any_case && ascii_is_letter(c))
			sieve_add(sieve, group, i, c ^ 0x20);
	}
}

/* All alternatives of a row's beginning. */
static void
add_begins(struct secrets_rules *rules, const struct row *row)
{
	const char *at = row->begins;

	for (;;) {
		size_t nr = strcspn(at, "|");
		struct secrets_begin *begin = &rules->begins[rules->begin_nr];

		ASSERT(rules->begin_nr < SECRETS_BEGINS_MAX);
		ASSERT(nr >= SIEVE_PLACES && nr <= SECRETS_BEGIN_BYTES);
		*begin = (struct secrets_begin){
			.text = at,
			.bytes = (uint8_t)nr,
			.any_case = row->kind == SECRETS_AFTER ||
				    row->kind == SECRETS_ASSIGNED ||
				    row->kind == SECRETS_GENERIC,
			.rule = (uint16_t)(row - rows),
		};
		rules->begin_nr++;
		set_four(begin);
		link_begin(rules, begin);
		add_starts(rules, begin);
		add_to_sieve(&rules->sieve, begin);
		if (at[nr] == '\0')
			return;
		at += nr + 1;
	}
}

static void
make_rules(struct secrets_rules *rules)
{
	rules->rule_nr = ARRAY_LEN(rows);
	for (uint32_t i = 0; i < ARRAY_LEN(rows); i++) {
		const struct row *row = &rows[i];
		struct secrets_rule *rule = &rules->rules[i];

		rule->id = row->id;
		rule->kind = (uint8_t)row->kind;
		rule->entropy = row->entropy;
		rule->only_warns = row->only_warns;
		compile(rules, row->body, &rule->body);
		compile(rules, row->before, &rule->before);
		rule->before_bytes = pattern_bytes(
			rules->items + rule->before.first, rule->before.nr);
		add_begins(rules, row);
	}
}

const struct secrets_rules *
secrets_rules(void)
{
	static struct secrets_rules rules;

	if (rules.rule_nr == 0)
		make_rules(&rules);
	return &rules;
}
