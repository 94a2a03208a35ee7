/* SPDX-License-Identifier: MIT */
/*
 * cmd_models.h - `bale models`: which models bale knows by name.
 */
#ifndef CLI_CMD_MODELS_H
#define CLI_CMD_MODELS_H

#include <stdbool.h>

/*
 * shape:  prints a line a model, or docs/models.schema.json; the exit code
 * calls:  main()
 */
int
cmd_models(bool as_json);

#endif
