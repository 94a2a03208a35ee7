/* SPDX-License-Identifier: MIT */
/*
 * fuzz_supervisor_config.c - a configuration file from a stranger.
 *
 * Whatever it is, it is refused with a place in it, or what it sets can be
 * run with; it never names a path.
 *
 * verifies: FR-016c-37
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "cli/config.h"
#include "stages/job.h"

int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t bytes_nr);

static void
use(const struct config *config)
{
	static char program[] = "bale";
	static char command[] = "pack";
	char *argv[] = { program, command, NULL };
	struct command_line line;
	double shares[CATEGORY_NR];
	double sum;

	if (command_line_parse(2, argv, &line) != 0 ||
	    config_apply(config, &line) != 0)
		abort();
	command_line_complete(&line);
	if (line.run.output_path != NULL || line.run.report_path != NULL ||
	    line.run.pack.sandbox != SANDBOX_AUTO || line.run.pack.no_ignore)
		abort();
	if (config_categories(config, shares, &sum) &&
	    (sum < 99.9 || sum > 100.1))
		abort();
	for (int i = 0; i < OPTION_NR; i++)
		config_text(config, (enum option_id)i);
	command_line_fini(&line);
}

int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t bytes_nr)
{
	struct config config;
	int result = config_load_text(&config, "fuzz.yml", (const char *)bytes,
				      bytes_nr, 0);

	if (result == 0)
		use(&config);
	else if (result == -EINVAL &&
		 (config.error_nr == 0 || config.problem_nr == 0))
		abort();
	config_fini(&config);
	return 0;
}
