/* SPDX-License-Identifier: MIT */
/*
 * test_collect_init_worker.c - what the collector makes after the fork, and
 * what it says of what cannot be.
 */
#include "tests/support/test_collect_rig.h"

/* How a collector begins: 0 or -errno; what it logs is in *said. */
static int
begin(char said[512])
{
	int log[2];
	int before = dup(STDERR_FILENO);
	ssize_t got;
	int error;

	collector_drop();
	job_resolve(&rig.run.job);
	assert_int_equal(pipe(log), 0);
	dup2(log[1], STDERR_FILENO);
	assert_int_equal(worker_attach(&rig.worker, &rig.run, STAGE_COLLECT, 0,
				       rig.state),
			 0);
	error = stage_table[STAGE_COLLECT].ops->init(&rig.worker);
	rig.attached = true;
	dup2(before, STDERR_FILENO);
	close(before);
	close(log[1]);
	got = read(log[0], said, 511);
	said[got > 0 ? got : 0] = '\0';
	close(log[0]);
	if (error != 0) {
		/* what was made before is the process's, which ends */
		struct collect_scratch *scratch = rig.worker.scratch;

		collect_walk_destroy(scratch->files.walk);
		rig_detach(&rig);
	}
	return error;
}

static void
test_init_names_what_cannot_be_opened(void **state)
{
	static const char *const roots[] = { ".", "no\nwhere" };
	static const char *const files[] = { "a", "../b" };
	char said[512];

	rig.run.job.roots = roots;
	rig.run.job.root_nr = 2;
	assert_int_equal(begin(said), -EINVAL);
	if (strstr(said, "\"no\\nwhere\": No such file or directory") == NULL)
		fail_msg("said: %s", said);
	assert_null(strstr(said, "no\nwhere"));
	/* a list is of files below one directory */
	rig.run.job.files = files;
	rig.run.job.file_nr = 2;
	mkdir("no\nwhere", 0755);
	assert_int_equal(begin(said), -EINVAL);
	assert_non_null(strstr(said, "--files-from: give one directory"));
	rig.run.job.root_nr = 1;
	assert_int_equal(begin(said), -EINVAL);
	assert_non_null(strstr(
		said,
		"--files-from ../b: names no file below the directory that is packed"));
	/* and with a commit what is wrong with it */
	rig.run.job.file_nr = 0;
	rig.run.job.rev = "HEAD";
	assert_int_equal(begin(said), -EINVAL);
	assert_non_null(strstr(said, "--rev: .: it is not in a git "
				     "repository"));
}

/* The walk has the options of the run. */
static void
test_init_walk_has_the_options_of_the_run(void **state)
{
	static const char *const includes[] = { "*.c", "out.c" };
	static const char *const excludes[] = { "b.c" };
	struct run_file output;
	char said[512];
	struct stat st;

	scratch_file("a.c", "x");
	scratch_file("b.c", "x");
	scratch_file("c.h", "x");
	scratch_file("large.c", "more than it may have");
	scratch_file("out.c", "x");
	scratch_file(".v/d.c", "x");
	scratch_file("ignored.c", "x");
	scratch_file(".ignore", "ignored.c\n");
	assert_int_equal(stat("out.c", &st), 0);
	output = (struct run_file){ st.st_dev, st.st_ino };
	rig.run.outputs = &output;
	rig.run.output_nr = 1;
	rig.run.job.includes = includes;
	rig.run.job.include_nr = 2;
	rig.run.job.excludes = excludes;
	rig.run.job.exclude_nr = 1;
	rig.run.job.hidden = true;
	rig.run.job.no_ignore = true;
	rig.run.job.max_file_bytes = 10;
	assert_int_equal(begin(said), 0);
	assert_string_equal(said, "");
	collector_run_pass();
	assert_string_equal(collector_names(),
			    ".v/d.c a.c ignored.c [too-large] large.c "
			    "[output] out.c");
}

/* Where the walk is, and which file is in work, the supervisor knows. */
static void
test_init_positions_are_told(void **state)
{
	struct collect_files *files;
	uint64_t position;

	scratch_file("a", "1");
	scratch_file("d/e/f", "2");
	collector_begin();
	files = collect_files_of(&rig.worker);
	files->at_file(files->context, 7);
	position = load_relaxed(&rig.worker.shm->position);
	assert_int_equal(position, 8);
	/* on the way to the first file, in the third directory entered */
	files->walk->options.entering(files->walk->options.context, 3);
	position = load_relaxed(&rig.worker.shm->position);
	assert_int_equal(position >> 32, 3);
	assert_int_equal(position & UINT32_MAX, 1);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		COLLECTOR(test_init_names_what_cannot_be_opened),
		COLLECTOR(test_init_walk_has_the_options_of_the_run),
		COLLECTOR(test_init_positions_are_told),
	};

	return cmocka_run_group_tests_name("collect/collect_init_worker", tests,
					   NULL, NULL);
}
