/* SPDX-License-Identifier: MIT */
/*
 * test_history_repo.h - a repository with some past, as git itself makes it,
 * and what git says of it.
 */
#ifndef TESTS_SUPPORT_TEST_HISTORY_REPO_H
#define TESTS_SUPPORT_TEST_HISTORY_REPO_H

#include "tests/support/test_collect_files.h"

#include "stages/collect/collect_io_history.h"

#define MEMORY_BYTES ((size_t)32 << 20)

/* Runs a line of shell with git far from anybody's settings. */
static UNUSED void
shell(const char *line)
{
	char whole[4096];

	snprintf(whole, sizeof(whole),
		 "set -e; export GIT_CONFIG_NOSYSTEM=1 HOME=/nonexistent; "
		 "exec >/dev/null 2>&1; %s",
		 line);
	if (system(whole) != 0)
		fail_msg("shell: %s", line);
}

/* What a line of shell says. owner: valid until the next call */
static UNUSED const char *
said(const char *line)
{
	static char text[1 << 17];
	FILE *pipe = popen(line, "re");

	assert_non_null(pipe);
	text[fread(text, 1, sizeof(text) - 1, pipe)] = '\0';
	assert_int_equal(pclose(pipe), 0);
	return text;
}

/*
 * A repository "r" of so many commits with branches and merges, each of which
 * changes, adds or takes away a few files. Some have the same time, and their
 * authors are all over the world and the years.
 */
static UNUSED void
make_past(int commits)
{
	static const char *const zones[] = { "+0130", "-0330", "+0000", "+1400",
					     "-1200" };
	FILE *stream = fopen("stream", "we");
	uint64_t seed = 0x9a57;

	assert_non_null(stream);
	fprintf(stream, "commit refs/heads/main\nmark :1\n"
			"author Ann Other <a@b> 1600000000 +0130\n"
			"committer a <a@b> 1600000000 +0000\ndata 5\nfirst\n"
			"M 100644 inline d/e/f.c\ndata 2\n1\n\n"
			"M 100644 inline a.txt\ndata 2\n1\n\n");
	for (int i = 2; i <= commits; i++) {
		int from = i - 1;

		seed = seed * 6364136223846793005u + 1442695040888963407u;
		/* now and then of an older one, which is merged the next time */
		if (i % 7 == 0)
			from = i - 4;
		fprintf(stream,
			"commit refs/heads/main\nmark :%d\n"
			"author Ann Other <a@b> %d %s\n"
			"committer a <a@b> %d +0000\n"
			"data <<END\nsubject %d\nof two lines\n\nbody cache\nEND\n"
			"from :%d\n",
			i, 1600000000 + i % 60 * 97 * 86399,
			zones[i % (int)ARRAY_LEN(zones)],
			1600000000 + i / 3 * 10, i, from);
		if (i % 7 == 1 && i > 7)
			fprintf(stream, "merge :%d\n", i - 2);
		for (unsigned k = 0; k <= (seed >> 40) % 3; k++)
			fprintf(stream,
				"M 100644 inline %s%u.c\ndata %d\n%d\n\n",
				k == 0   ? "d/e/n"
				: k == 1 ? "d/e-"
					 : "m",
				(unsigned)(seed >> (20 + k)) % 9,
				snprintf(NULL, 0, "%d\n", i), i);
		if (i % 5 == 0)
			fprintf(stream, "D d/e/n%u.c\n",
				(unsigned)(seed >> 50) % 9);
	}
	fclose(stream);
	shell("git init -q -b main r; cd r; git fast-import --quiet <../stream; "
	      "git reset -q --hard; git config core.abbrev 7");
}

static UNUSED int
past_set_up(void **state)
{
	setenv("HOME", "/nonexistent", 1);
	setenv("GIT_CONFIG_NOSYSTEM", "1", 1);
	return rig_set_up(state);
}

#define PAST(name) \
	cmocka_unit_test_setup_teardown(name, past_set_up, rig_tear_down)

/* For main(): whether git is not there, which is said. */
static UNUSED bool
past_skips(void)
{
	if (system("git --version >/dev/null 2>&1") == 0)
		return false;
	printf("1..0 # SKIP git is not installed\n");
	return true;
}

#endif
