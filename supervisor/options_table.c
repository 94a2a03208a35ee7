/* SPDX-License-Identifier: MIT */
/*
 * options_table.c - commands.def and options.def as data.
 */
#include "supervisor/command_line.h"
#include "supervisor/encoding.h"

const struct command_spec command_table[COMMAND_NR] = {
#define COMMAND(id, name_, operands_, least_, most_, does_) \
	[COMMAND_##id] = { .name = name_,                   \
			   .operands = operands_,           \
			   .does = does_,                   \
			   .least = least_,                 \
			   .most = most_ },
#include "supervisor/commands.def"
};

const struct action_spec action_table[ACTION_NR] = {
#define ACTION(command_, id, name_, operands_, nr_, does_)            \
	[ACTION_##command_##_##id] = { .command = COMMAND_##command_, \
				       .name = name_,                 \
				       .operands = operands_,         \
				       .does = does_,                 \
				       .nr = nr_ },
#include "supervisor/commands.def"
};

const char *const group_titles[GROUP_NR] = {
#define GROUP(id, title) [GROUP_##id] = title,
#include "supervisor/options.def"
};

const struct option_spec option_table[OPTION_NR] = {
#define OPTION(id, name_, letter_, argument_, kind_, field_, min_, max_,   \
	       standard_, takers_, group_, help_)                          \
	[OPTION_##id] = { .name = name_,                                   \
			  .argument = argument_,                           \
			  .standard = standard_,                           \
			  .help = help_,                                   \
			  .min = min_,                                     \
			  .max = max_,                                     \
			  .offset = offsetof(struct command_line, field_), \
			  .takers = takers_,                               \
			  .kind = KIND_##kind_,                            \
			  .group = GROUP_##group_,                         \
			  .letter = letter_ },
#include "supervisor/options.def"
};

/* Where a KEY and a NO_KEY line are both missing, or both there, a test of the
 * tables fails. */
const char *const option_keys[OPTION_NR] = {
#define KEY(id, path) [OPTION_##id] = path,
#include "supervisor/options.def"
};

const char *const option_no_keys[OPTION_NR] = {
#define NO_KEY(id, why) [OPTION_##id] = why,
#include "supervisor/options.def"
};
