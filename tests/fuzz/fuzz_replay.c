// SPDX-License-Identifier: MIT
/*
 * fuzz_replay.c: main() for a fuzz target that is built without libFuzzer.
 *
 * Does: feeds the target every file of tests/fuzz/corpus/<name>/ once, in order of
 *       names, and an empty input before them; prints one TAP line.
 * Does not: look for new inputs (that is `make fuzz`).
 *
 * <name> is the program's own name without `fuzz_`. Files named on the command
 * line are fed instead, to look into one crash.
 */
#include <dirent.h>
#include <errno.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t bytes_nr);

static int
replay_file(const char *path)
{
	FILE *file = fopen(path, "rb");
	uint8_t *bytes = NULL;
	long size;
	int rc = -1;

	if (file == NULL)
		goto out;
	if (fseek(file, 0, SEEK_END) != 0 || (size = ftell(file)) < 0)
		goto out;
	rewind(file);
	/* Exactly as long as the input, so that ASan sees one byte more. */
	bytes = malloc(size > 0 ? (size_t)size : 1);
	if (bytes == NULL)
		goto out;
	if (fread(bytes, 1, (size_t)size, file) != (size_t)size)
		goto out;
	/* Last words, should the target crash on this one. */
	fprintf(stderr, "# %s\n", path);
	LLVMFuzzerTestOneInput(bytes, (size_t)size);
	rc = 0;
out:
	if (rc != 0)
		printf("not ok 1 - %s: %s\n", path, strerror(errno));
	free(bytes);
	if (file != NULL)
		fclose(file);
	return rc;
}

static int
is_visible(const struct dirent *entry)
{
	return entry->d_name[0] != '.';
}

static int
replay_folder(const char *folder, size_t *files_nr)
{
	struct dirent **entries = NULL;
	int n = scandir(folder, &entries, is_visible, alphasort);
	int rc = 0;

	/* A target without a corpus has seen the empty input. */
	for (int i = 0; i < n; i++) {
		char path[4096];

		snprintf(path, sizeof(path), "%s/%s", folder,
			 entries[i]->d_name);
		if (rc == 0)
			rc = replay_file(path);
		*files_nr += 1;
		free(entries[i]);
	}
	free(entries);
	return rc;
}

int
main(int argc, char **argv)
{
	const char *slash = strrchr(argv[0], '/');
	const char *name = slash != NULL ? slash + 1 : argv[0];
	char folder[512];
	size_t files_nr = 0;
	int rc = 0;

	if (strncmp(name, "fuzz_", 5) == 0)
		name += 5;
	if (argc > 1) {
		for (int i = 1; i < argc && rc == 0; i++, files_nr++)
			rc = replay_file(argv[i]);
	} else {
		LLVMFuzzerTestOneInput((const uint8_t *)"", 0);
		snprintf(folder, sizeof(folder), "tests/fuzz/corpus/%s", name);
		rc = replay_folder(folder, &files_nr);
	}
	if (rc != 0)
		return 1;
	printf("ok 1 - corpus of %s, %zu inputs\n", name, files_nr);
	return 0;
}
