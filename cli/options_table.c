/* SPDX-License-Identifier: MIT */
/*
 * options_table.c - commands.def and options.def as data.
 */
#include "cli/command_line.h"
#include "tokenizer/models.h"

const struct command_spec command_table[COMMAND_NR] = {
#define COMMAND(id, name_, run, operands_, least_, most_, does_) \
	[COMMAND_##id] = { .name = name_,                        \
			   .operands = operands_,                \
			   .does = does_,                        \
			   .least = least_,                      \
			   .most = most_ },
#include "cli/commands.def"
};

const struct action_spec action_table[ACTION_NR] = {
#define ACTION(command_, id, name_, operands_, nr_, does_)            \
	[ACTION_##command_##_##id] = { .command = COMMAND_##command_, \
				       .name = name_,                 \
				       .operands = operands_,         \
				       .does = does_,                 \
				       .nr = nr_ },
#include "cli/commands.def"
};

const char *const group_titles[GROUP_NR] = {
#define GROUP(id, title) [GROUP_##id] = title,
#include "cli/options.def"
};

#define KEY(path) .key = path
#define NO_KEY(why) .no_key = why

const struct option_spec option_table[OPTION_NR] = {
#define OPTION(id, name_, letter_, argument_, kind_, field_, min_, max_,   \
	       standard_, takers_, group_, key_, help_)                    \
	[OPTION_##id] = { .name = name_,                                   \
			  .argument = argument_,                           \
			  .standard = standard_,                           \
			  key_,                                            \
			  .help = help_,                                   \
			  .min = min_,                                     \
			  .max = max_,                                     \
			  .offset = offsetof(struct command_line, field_), \
			  .takers = takers_,                               \
			  .kind = KIND_##kind_,                            \
			  .group = GROUP_##group_,                         \
			  .letter = letter_ },
#include "cli/options.def"
};
