/* SPDX-License-Identifier: MIT */
/*
 * number_format.c - numbers as people read them.
 */
#include "base/number_format.h"

#include <stdio.h>
#include <string.h>

#include "base/clock.h"

const char *
figure_count(char *out, uint64_t n)
{
	char digits[FIGURE_BYTES];
	int nr =
		snprintf(digits, sizeof(digits), "%llu", (unsigned long long)n);
	char *p = out;

	for (int i = 0; i < nr; i++) {
		if (i > 0 && (nr - i) % 3 == 0)
			*p++ = ',';
		*p++ = digits[i];
	}
	*p = '\0';
	return out;
}

/* One decimal below ten, none from a hundred on. */
static const char *
scaled(char *out, uint64_t n, uint64_t step, const char *const *units)
{
	double value = (double)n;
	size_t unit = 0;

	while (value >= 999.5 && units[unit + 1] != NULL) {
		value /= (double)step;
		unit++;
	}
	snprintf(out, FIGURE_BYTES,
		 unit == 0 || value >= 99.95 ? "%.0f%s" : "%.1f%s", value,
		 units[unit]);
	return out;
}

const char *
figure_short(char *out, uint64_t n)
{
	static const char *const units[] = { "",  "k", "M", "G",
					     "T", "P", "E", NULL };

	return scaled(out, n, 1000, units);
}

const char *
figure_brief(char *out, uint64_t n)
{
	if (n < 1000)
		snprintf(out, FIGURE_BYTES, "%u", (unsigned)n);
	else if (n < 1000000)
		snprintf(out, FIGURE_BYTES, "%uk", (unsigned)(n / 1000));
	else
		snprintf(out, FIGURE_BYTES, "%llu.%uM",
			 (unsigned long long)(n / 1000000),
			 (unsigned)(n / 100000 % 10));
	return out;
}

const char *
figure_bytes(char *out, uint64_t bytes)
{
	static const char *const units[] = { " B",   " KiB", " MiB", " GiB",
					     " TiB", " PiB", " EiB", NULL };

	return scaled(out, bytes, 1024, units);
}

const char *
figure_clock(char *out, uint64_t ns)
{
	unsigned long long s = (ns + NS_PER_S / 2) / NS_PER_S;

	if (s < 3600)
		snprintf(out, FIGURE_BYTES, "%llu:%02llu", s / 60, s % 60);
	else
		snprintf(out, FIGURE_BYTES, "%llu:%02llu:%02llu", s / 3600,
			 s / 60 % 60, s % 60);
	return out;
}

const char *
figure_duration(char *out, uint64_t ns)
{
	unsigned long long s = ns / NS_PER_S;

	if (ns < 1000000)
		snprintf(out, FIGURE_BYTES, "%llu us",
			 (unsigned long long)ns / 1000);
	else if (ns < NS_PER_S)
		snprintf(out, FIGURE_BYTES, "%llu ms",
			 (unsigned long long)ns / 1000000);
	else if (s < 60)
		snprintf(out, FIGURE_BYTES, "%.2f s", (double)ns / 1e9);
	else
		snprintf(out, FIGURE_BYTES, "%llu min %llu s", s / 60, s % 60);
	return out;
}

const char *
figure_share(char *out, uint64_t part, uint64_t of)
{
	if (of == 0)
		strcpy(out, "-");
	else
		snprintf(out, FIGURE_BYTES, "%.1f %%",
			 100.0 * (double)part / (double)of);
	return out;
}

const char *
figure_hex(char *out, const uint8_t *bytes, size_t nr)
{
	for (size_t i = 0; i < nr; i++)
		snprintf(out + 2 * i, 3, "%02x", bytes[i]);
	return out;
}
