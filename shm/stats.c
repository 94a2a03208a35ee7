/* SPDX-License-Identifier: MIT */
/*
 * stats.c - names, units and help of the counters.
 */
#include "shm/stats.h"

static const struct {
	const char *name;
	const char *unit;
	const char *help;
} stats[STAT_NR] = {
#define STAT(name, unit, help) { #name, unit, help },
#include "shm/stats.def"
#undef STAT
};

const char *
stat_name(enum stat_id stat)
{
	ASSERT(stat < STAT_NR);
	return stats[stat].name;
}

const char *
stat_unit(enum stat_id stat)
{
	ASSERT(stat < STAT_NR);
	return stats[stat].unit;
}

const char *
stat_help(enum stat_id stat)
{
	ASSERT(stat < STAT_NR);
	return stats[stat].help;
}
