/* SPDX-License-Identifier: MIT */
/*
 * test_output_parts.c - parts of an output, each in a file of its own: their
 * bytes, what the manifest says of them, and which name failed.
 */
#include "tests/support/test_dir.h"
#include "tests/support/test_log.h"

#include "catalogue/cuts.h"
#include "supervisor/output_parts.h"

/* Of "one", "two" and "three", which the output has with others. */
static const char text[] = "-one--two---three-";
static const struct part_record records[] = {
	{ .off = 1, .bytes = 3, .tokens = 10 },
	{ .off = 6, .bytes = 3, .tokens = 20 },
	{ .off = 12, .bytes = 5, .tokens = 30 },
};

static struct options options = { .encoding = "o200k_base" };
static struct control_shm control = { .verdict.part_nr = ARRAY_LEN(records) };
static struct supervisor supervisor = { .options = &options,
					.run.segment.control = &control };
static struct catalogue *const catalogue = &supervisor.run.catalogue;
static struct output *const output = &supervisor.output;
static struct job *const job = &supervisor.run.job;
static struct part_set *const set = &supervisor.parts;
static char *failed;

static int
set_up(void **state)
{
	ASSERT_EQ(dir_set_up(state), 0);
	ASSERT_EQ(catalogue_create(catalogue), 0);
	ASSERT_EQ(table_reserve(&catalogue->parts, sizeof(records)), 0);
	for (size_t i = 0; i < ARRAY_LEN(records); i++)
		*catalogue_part(catalogue, i) = records[i];
	*output = OUTPUT_NONE;
	/* beside the parts, as of one file system */
	output->fd = open(".", O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
	ASSERT_EQ(write(output->fd, text, sizeof(text)), sizeof(text));
	*job = (struct job){ 0 };
	*set = PART_SET_NONE;
	log_begin(DIAG_INFO);
	return 0;
}

static int
tear_down(void **state)
{
	part_set_close(set);
	close(output->fd);
	catalogue_close(catalogue);
	free(failed);
	failed = NULL;
	return dir_tear_down(state);
}

static int
prepare(const char *path, const uint8_t *sha256)
{
	options.output_path = path;
	free(failed);
	return output_parts_prepare(&supervisor, sha256, &failed);
}

static void
publish(void)
{
	char *name;

	ASSERT_EQ(part_set_place(set, &name), 0);
	ASSERT_EQ(part_set_commit(set), 0);
}

static void
test_output_parts_are_what_lies_between_their_bounds(void **state)
{
	struct manifest manifest;

	job->margin_percent = 10;
	ASSERT_EQ(prepare("o.md", NULL), 0);
	ASSERT_TRUE(failed == NULL);
	/* none has its name before all are written */
	ASSERT_NAMES(".", ".o.md.parts.tmp");
	publish();
	part_set_close(set);
	ASSERT_NAMES(".", "o-001.md o-002.md o-003.md o.md.manifest.json");
	ASSERT_TEXT("o-001.md", "one");
	ASSERT_TEXT("o-002.md", "two");
	ASSERT_TEXT("o-003.md", "three");
	ASSERT_EQ(manifest_read(&manifest, AT_FDCWD, "o.md.manifest.json"), 0);
	ASSERT_EQ(manifest.nr, 3);
	ASSERT_TRUE(manifest_matches(&manifest.parts[0], AT_FDCWD, "o-001.md"));
	ASSERT_TRUE(manifest_matches(&manifest.parts[2], AT_FDCWD, "o-003.md"));
	/* tokens as the model has them: a tenth more */
	ASSERT_EQ(manifest.parts[0].tokens, 11);
	ASSERT_EQ(manifest.parts[2].tokens, 33);
	manifest_fini(&manifest);
}

/* What is hashed already is not hashed again, where it lies as it is. */
static void
test_output_parts_take_a_hash_that_is_known(void **state)
{
	uint8_t sha256[3 * SHA256_BYTES];
	struct manifest manifest;

	for (size_t i = 0; i < sizeof(sha256); i++)
		sha256[i] = (uint8_t)i;
	ASSERT_EQ(prepare("d.md", sha256), 0);
	publish();
	part_set_close(set);
	ASSERT_EQ(manifest_read(&manifest, AT_FDCWD, "d.md.manifest.json"), 0);
	for (size_t i = 0; i < 3; i++) {
		ASSERT_EQ(manifest.parts[i].bytes, records[i].bytes);
		assert_memory_equal(manifest.parts[i].sha256,
				    sha256 + i * SHA256_BYTES, SHA256_BYTES);
	}
	manifest_fini(&manifest);
	/* compressed it lies otherwise */
	ASSERT_EQ(prepare("d.md.zst", sha256), 0);
	publish();
	part_set_close(set);
	ASSERT_EQ(manifest_read(&manifest, AT_FDCWD, "d.md.zst.manifest.json"),
		  0);
	ASSERT_TRUE(
		manifest_matches(&manifest.parts[2], AT_FDCWD, "d-003.md.zst"));
	ASSERT_TRUE(manifest.parts[2].bytes > 5);
	manifest_fini(&manifest);
}

/* The name that an error is about; nothing is left behind. */
static void
test_output_parts_say_which_one_failed(void **state)
{
	ASSERT_EQ(mkdir("o-002.md", 0700), 0);
	ASSERT_EQ(prepare("o.md", NULL), -EISDIR);
	assert_string_equal(failed, "o-002.md");
	part_set_close(set);
	ASSERT_NAMES(".", "o-002.md");
	ASSERT_EQ(prepare("none/o.md", NULL), -ENOENT);
	assert_string_equal(failed, "none/o.md");
	part_set_close(set);
	/* the output is shorter than its parts */
	ASSERT_EQ(ftruncate(output->fd, 14), 0);
	ASSERT_EQ(prepare("p.md", NULL), -EIO);
	assert_string_equal(failed, "p-003.md");
	part_set_close(set);
	ASSERT_NAMES(".", "o-002.md");
}

static void
test_output_parts_that_lie_there_are_not_packed(void **state)
{
	struct run run = { .output_fd = -1 };

	dir_write("o-001.md", "1");
	dir_write("o-0002.md", "2");
	dir_write("o.md.manifest.json", "{}");
	dir_write("o-01.md", "none");
	dir_write("o.md", "none");
	output_never_pack_parts(&run, "o.md");
	ASSERT_EQ(run.output_nr, 3);
	free(run.outputs);
}

/* Of other runs: named once, the first of them, and how many more. */
static void
test_output_parts_of_an_earlier_run_are_told_of(void **state)
{
	dir_write("o-001.md", "1");
	dir_write("o-002.md", "2");
	output_parts_warn("o.md", 2);
	ASSERT_SILENT();
	dir_write("o-003.md", "3");
	output_parts_warn("o.md", 2);
	ASSERT_SAID("o-003.md is left over from an earlier run and none of "
		    "these 2 parts; remove it");
	dir_write("o-0001.md", "1");
	dir_write("o-010.md", "1");
	output_parts_warn("./o.md", 2);
	ASSERT_SAID("o-0001.md and 2 more are left over from an earlier run "
		    "and none of these 2 parts; remove them");
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int
main(void)
{
	const struct CMUnitTest tests[] = {
		CASE(test_output_parts_are_what_lies_between_their_bounds),
		CASE(test_output_parts_take_a_hash_that_is_known),
		CASE(test_output_parts_say_which_one_failed),
		CASE(test_output_parts_that_lie_there_are_not_packed),
		CASE(test_output_parts_of_an_earlier_run_are_told_of),
	};

	return cmocka_run_group_tests_name("supervisor/output_parts", tests,
					   NULL, NULL);
}
