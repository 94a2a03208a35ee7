/* SPDX-License-Identifier: MIT */
/*
 * options_table.c - options.def as data.
 */
#include "supervisor/options.h"

#define FOR(id) (1u << COMMAND_##id)
#define FOR_ALL (~0u)

const struct command_spec command_table[COMMAND_NR] = {
#define COMMAND(id, name_, operands_, least_, most_, does_) \
	[COMMAND_##id] = { .name = name_,                   \
			   .operands = operands_,           \
			   .does = does_,                   \
			   .least = least_,                 \
			   .most = most_ },
#include "supervisor/options.def"
};

const char *const group_titles[GROUP_NR] = {
#define GROUP(id, title) [GROUP_##id] = title,
#include "supervisor/options.def"
};

const struct option_spec option_table[OPTION_NR] = {
#define OPTION(id, name_, letter_, argument_, kind_, field_, min_, max_, \
	       standard_, commands_, group_, help_)                      \
	[OPTION_##id] = { .name = name_,                                 \
			  .argument = argument_,                         \
			  .standard = standard_,                         \
			  .help = help_,                                 \
			  .min = min_,                                   \
			  .max = max_,                                   \
			  .offset = offsetof(struct options, field_),    \
			  .commands = commands_,                         \
			  .kind = KIND_##kind_,                          \
			  .group = GROUP_##group_,                       \
			  .letter = letter_ },
#include "supervisor/options.def"
};

/*
 * An option without a KEY or NO_KEY line in options.def does not get past the
 * compiler here: it says that the value is not handled in the switch.
 */
const char *
option_key(enum option_id id)
{
	switch (id) {
#define KEY(id, path)     \
	case OPTION_##id: \
		return path;
#define NO_KEY(id, why)   \
	case OPTION_##id: \
		return NULL;
#include "supervisor/options.def"
	case OPTION_NR:
		break;
	}
	return NULL;
}

const char *
option_no_key(enum option_id id)
{
	switch (id) {
#define KEY(id, path)     \
	case OPTION_##id: \
		return NULL;
#define NO_KEY(id, why)   \
	case OPTION_##id: \
		return why;
#include "supervisor/options.def"
	case OPTION_NR:
		break;
	}
	return NULL;
}
