/* SPDX-License-Identifier: MIT */
/*
 * grid.c - a table with lines around it.
 */
#include "supervisor/grid.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "shm/array.h"

static size_t
characters_of(const char *text)
{
	size_t nr = 0;

	for (; *text != '\0'; text++)
		nr += ((unsigned char)*text & 0xc0) != 0x80;
	return nr;
}

static const char *
title_of(const struct grid *grid, size_t column)
{
	const char *title = grid->titles[column];

	return *title == '>' ? title + 1 : title;
}

void
grid_init(struct grid *grid, const char *const *titles, size_t column_nr)
{
	ASSERT(column_nr > 0 && column_nr <= GRID_COLUMNS_MAX);
	*grid = (struct grid){ .column_nr = column_nr, .titles = titles };
	for (size_t i = 0; i < column_nr; i++)
		grid->widths[i] = characters_of(title_of(grid, i));
}

/* The cells of one more row, all NULL; NULL: no memory. */
static char **
add_row(struct grid *grid)
{
	size_t cell_nr = grid->row_nr * grid->column_nr;

	if (ARRAY_RESERVE(grid->cells, grid->cell_room,
			  cell_nr + grid->column_nr) != 0) {
		grid->is_short_of_memory = true;
		return NULL;
	}
	memset(&grid->cells[grid->row_nr * grid->column_nr], 0,
	       grid->column_nr * sizeof(*grid->cells));
	return &grid->cells[grid->row_nr++ * grid->column_nr];
}

void
grid_add(struct grid *grid, const char *const *cells)
{
	char **row = add_row(grid);

	for (size_t i = 0; row != NULL && i < grid->column_nr; i++) {
		row[i] = strdup(cells[i]);
		if (row[i] == NULL) {
			grid->is_short_of_memory = true;
			return;
		}
		if (characters_of(cells[i]) > grid->widths[i])
			grid->widths[i] = characters_of(cells[i]);
	}
}

void
grid_rule(struct grid *grid)
{
	add_row(grid);
}

static void
print_rule(const struct grid *grid, FILE *out, const char *left,
	   const char *middle, const char *right)
{
	for (size_t i = 0; i < grid->column_nr; i++) {
		fputs(i == 0 ? left : middle, out);
		for (size_t n = 0; n < grid->widths[i] + 2; n++)
			fputs("─", out);
	}
	fprintf(out, "%s\n", right);
}

static void
print_cell(const struct grid *grid, FILE *out, size_t column, const char *text)
{
	int gap = (int)(grid->widths[column] - characters_of(text));

	if (*grid->titles[column] == '>')
		fprintf(out, "│ %*s%s ", gap, "", text);
	else
		fprintf(out, "│ %s%*s ", text, gap, "");
}

static void
print_rows(const struct grid *grid, FILE *out)
{
	for (size_t row = 0; row < grid->row_nr; row++) {
		char *const *cells = &grid->cells[row * grid->column_nr];

		if (cells[0] == NULL) {
			print_rule(grid, out, "├", "┼", "┤");
			continue;
		}
		for (size_t i = 0; i < grid->column_nr; i++)
			print_cell(grid, out, i, cells[i]);
		fputs("│\n", out);
	}
}

int
grid_print(struct grid *grid, FILE *out)
{
	bool is_whole = !grid->is_short_of_memory;

	if (is_whole) {
		print_rule(grid, out, "┌", "┬", "┐");
		for (size_t i = 0; i < grid->column_nr; i++)
			print_cell(grid, out, i, title_of(grid, i));
		fputs("│\n", out);
		print_rule(grid, out, "├", "┼", "┤");
		print_rows(grid, out);
		print_rule(grid, out, "└", "┴", "┘");
	}
	for (size_t i = 0; i < grid->row_nr * grid->column_nr; i++)
		free(grid->cells[i]);
	free(grid->cells);
	grid->cells = NULL;
	grid->row_nr = 0;
	return is_whole ? 0 : -ENOMEM;
}
