/* SPDX-License-Identifier: MIT */
/*
 * grid.h - a table with lines around it, for people.
 *
 *   ┌──────┬────────┐
 *   │ Name │ Tokens │
 *   ├──────┼────────┤
 *   │ a.c  │     12 │
 *   └──────┴────────┘
 *
 * Does: makes each column as wide as its widest cell.
 * Runs in: the supervisor.
 * Limits: a character is taken for a column wide.
 */
#ifndef SUPERVISOR_GRID_H
#define SUPERVISOR_GRID_H

#include <stdio.h>

#include "shm/base.h"

#define GRID_COLUMNS_MAX 8

struct grid {
	size_t column_nr;
	const char *const *titles; /* the caller's; '>' first: to the right */
	size_t widths[GRID_COLUMNS_MAX];
	char **cells; /* column_nr for a row; NULL first: a rule */
	size_t row_nr;
	size_t cell_room;
	bool is_short_of_memory;
};

/* Begins a table with these titles, which stay the caller's. */
void
grid_init(struct grid *grid, const char *const *titles, size_t column_nr);

/* Adds a row: a copy of `cells`, one a column. */
void
grid_add(struct grid *grid, const char *const *cells);

/* Adds a line across. */
void
grid_rule(struct grid *grid);

/*
 * shape:  prints the table and frees what it holds
 * errors: -ENOMEM: a row was lost, and nothing is printed
 */
int
grid_print(struct grid *grid, FILE *out);

#endif
