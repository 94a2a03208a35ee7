/* SPDX-License-Identifier: MIT */
/*
 * config_budget.c - settings that are no options one by one.
 */
#include <strings.h>

#include "supervisor/config.h"

/* Shares that add to all there is, what rounding leaves to the greatest. */
static void
take_shares(const double percents[static CATEGORY_NR],
	    uint32_t shares[CATEGORY_NR])
{
	uint32_t sum = 0;
	int greatest = 0;

	for (int i = 0; i < CATEGORY_NR; i++) {
		shares[i] = (uint32_t)(percents[i] * (SHARE_ALL / 100) + 0.5);
		sum += shares[i];
		if (shares[i] > shares[greatest])
			greatest = i;
	}
	shares[greatest] += SHARE_ALL - sum;
}

/* What the file says of a flag, false if it is silent. */
static bool
is_off(const struct config *config, enum setting_id id)
{
	static const char *const words[] = { "no", "0", "false", "off" };
	const char *text = config_setting(config, id);

	for (size_t i = 0; text != NULL && i < ARRAY_LEN(words); i++)
		if (strcasecmp(text, words[i]) == 0)
			return true;
	return false;
}

/* Those that the file names; the command line may say others. */
static void
take_priorities(const struct config *config, uint32_t priorities[CATEGORY_NR])
{
	static const enum setting_id ids[CATEGORY_NR] = {
		[CATEGORY_TOOL] = SETTING_PRIORITY_TOOL,
		[CATEGORY_OPEN] = SETTING_PRIORITY_OPEN,
		[CATEGORY_SEARCH] = SETTING_PRIORITY_SEARCH,
		[CATEGORY_REFERENCE] = SETTING_PRIORITY_REFERENCE,
		[CATEGORY_TREE] = SETTING_PRIORITY_TREE,
	};

	for (int i = 0; i < CATEGORY_NR; i++)
		if (config_setting(config, ids[i]) != NULL)
			priorities[i] = (uint32_t)config_number(config, ids[i]);
}

void
config_apply_budget(const struct config *config, struct options *options)
{
	double percents[CATEGORY_NR];
	double sum;

	if (config_categories(config, percents, &sum) && sum > 0 &&
	    options->categories == NULL) {
		take_shares(percents, options->pack.shares);
		options->has_shares = true;
	}
	if (config_setting(config, SETTING_OVERLAP) != NULL &&
	    !options->given[OPTION_OVERLAP_THRESHOLD] &&
	    !options->given[OPTION_DEDUP_THRESHOLD])
		options->overlap_threshold =
			(uint64_t)(config_number(config, SETTING_OVERLAP) *
					   1e6 +
				   0.5);
	take_priorities(config, options->priorities);
	options->no_structure = is_off(config, SETTING_STRUCTURAL);
	if (!options->given[OPTION_NO_MERGE])
		options->no_merge = is_off(config, SETTING_MERGE);
	if (!options->given[OPTION_NO_DEDUP])
		options->pack.no_dedup = is_off(config, SETTING_DEDUP);
}
