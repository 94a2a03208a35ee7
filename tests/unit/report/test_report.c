/* SPDX-License-Identifier: MIT */
/*
 * The report on runs made up by hand: sums, items, JSON; and on catalogues that
 * contradict themselves.
 */
#include "tests/support/test_report_rig.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include <jansson.h>

#include "base/emit.h"
#include "catalogue/names.h"
#include "catalogue/plan.h"
#include "stages/job.h"
#include "stages/stage.h"

static void
test_report_collect_of_a_plan_sums_it_up(void **state)
{
	make_run();
	assert_int_equal(report_collect(&run, &report), 0);
	assert_int_equal(report.files_seen, 7);
	assert_int_equal(report.files_full, 1);
	assert_int_equal(report.files_partial, 1);
	assert_int_equal(report_files_skipped(&report), 5);
	assert_int_equal(report.files_left_out[REASON_BINARY], 1);
	assert_int_equal(report.files_left_out[REASON_DUPLICATE], 1);
	assert_int_equal(report.files_left_out[REASON_BUDGET], 1);
	assert_int_equal(report.files_left_out[REASON_CHANGED], 1);
	assert_int_equal(report.files_left_out[REPORT_EMPTY], 1);
	assert_int_equal(report.chunks_seen, 8);
	assert_int_equal(report.chunks_packed, 4);
	assert_int_equal(report.duplicate_files, 1);
	assert_int_equal(report.duplicate_chunks, 1);
	assert_int_equal(report.duplicate_tokens, 310);
	assert_int_equal(report.used_tokens, 345);
	assert_int_equal(report.available_tokens, 900);
	assert_int_equal(report.output_bytes, 1234);
	assert_int_equal(report.content_bytes, 400 + 900 + 400 + 70 + 10);
	assert_true(report_is_degraded(&report));
	assert_false(report.estimated);
}

/* Files of any number of chunks, some of which are planned, and signatures. */
/* 345 and ten of a hundred more: no token less than there may be. */
static void
test_report_collect_for_a_model_adds_its_margin(void **state)
{
	run.job.margin_percent = 10;
	make_run();
	assert_int_equal(report_collect(&run, &report), 0);
	assert_int_equal(report.used_tokens, 380);
	assert_true(report.estimated);
}

static void
test_report_items_are_in_order_and_have_each_chunk_once(void **state)
{
	uint32_t random = 20261122;
	const struct report_item *before = NULL;
	uint64_t packed_nr = 0;
	uint64_t chunks_in_files = 0;
	uint64_t chunks_in_items = 0;

	for (int i = 0; i < 300; i++) {
		uint32_t chunks = 1 + (uint32_t)(i % 9);
		uint64_t first = plan_nr;

		add_file("f", i % 13 == 5 ? REASON_BINARY : REASON_NONE, 10);
		if (i % 13 == 5)
			continue;
		chunks_in_files += chunks;
		for (uint32_t k = 0; k < chunks; k++) {
			random = random * 1664525 + 1013904223;
			add_chunk(10 + k, (uint8_t)(random >> 16),
				  random >> 29 < (uint32_t)(i % 4) * 2);
		}
		/* the first one of a file may stand for its signatures */
		if (i % 7 == 3 && plan_nr > first &&
		    catalogue_plan(&run.catalogue, first)->chunk_idx ==
			    chunk_nr - chunks) {
			catalogue_plan(&run.catalogue, first)->tier =
				TIER_SIGNATURES;
		}
	}
	assert_int_equal(report_collect(&run, &report), 0);
	for (uint64_t i = 0; i < report.item_nr; i++) {
		const struct report_item *item = report_item(&report, i);

		packed_nr += item->is_packed;
		chunks_in_items += item->chunk_nr;
		if (before != NULL && before->file_idx == item->file_idx &&
		    before->tier != TIER_SIGNATURES)
			assert_true(before->line_last < item->line_first);
		else if (before != NULL)
			assert_true(before->file_idx <= item->file_idx);
		before = item;
	}
	assert_int_equal(packed_nr, plan_nr);
	assert_int_equal(chunks_in_items, chunks_in_files);
	assert_int_equal(chunks_in_items, report.chunks_seen);
}

/* verifies: FR-016c-24, FR-016c-33, FR-016c-34 */
static void
test_report_collect_of_a_preview_sums_the_plan(void **state)
{
	run.job.plan_only = true;
	job_resolve(&run.job);
	make_run();
	assert_int_equal(report_collect(&run, &report), 0);
	assert_true(report.estimated);
	assert_int_equal(report.used_tokens, 100 + 110 + 50 + 60);
	assert_int_equal(report.duplicate_tokens, 310);
}

static void
test_report_collect_of_everything_needs_no_plan(void **state)
{
	struct file_facts *facts;

	run.job.budget_tokens = BUDGET_ALL;
	job_resolve(&run.job);
	facts = add_file("a", REASON_NONE, 100);
	facts->line_nr = 7;
	facts->tokens = 30;
	add_file("b", REASON_NONE, 0);
	facts = add_file("c", REASON_NONE, 100);
	facts->line_nr = 7;
	facts->tokens = 30;
	facts->same_as = 0;
	add_file("d", REASON_SYMLINK, 0);
	assert_int_equal(report_collect(&run, &report), 0);
	assert_int_equal(report.files_full, 2);
	assert_int_equal(report.files_partial, 0);
	assert_int_equal(report.files_left_out[REASON_DUPLICATE], 1);
	assert_int_equal(report.files_left_out[REASON_SYMLINK], 1);
	assert_int_equal(report.duplicate_tokens, 30);
	assert_true(report.available_tokens == BUDGET_ALL);
	assert_false(report_is_degraded(&report));
}

static void
test_report_collect_of_nothing_is_nothing(void **state)
{
	assert_int_equal(report_collect(&run, &report), 0);
	assert_int_equal(report.files_seen, 0);
	assert_int_equal(report_files_skipped(&report), 0);
}

static void
test_report_collect_adds_the_workers_of_a_stage(void **state)
{
	uint32_t nr = stage_worker_nr(LANES);

	for (uint32_t i = 0; i < nr; i++) {
		struct worker_shm *worker = segment_worker(&run.segment, i);

		store(&worker->busy_ns, 1000);
		store(&worker->wait_ns, i == 0 ? 2000 : 300);
		stat_add(worker, STAT_items, 5);
		stat_add(worker, STAT_cache_hits, 2);
	}
	assert_int_equal(report_collect(&run, &report), 0);
	assert_int_equal(report.stages[STAGE_COLLECT].worker_nr, 1);
	assert_int_equal(report.stages[STAGE_COLLECT].busy_ns, 0);
	assert_int_equal(report.stages[STAGE_COUNT].worker_nr, LANES);
	assert_int_equal(report.stages[STAGE_COUNT].busy_ns, LANES * 700);
	assert_int_equal(report.stages[STAGE_COUNT].wait_ns, LANES * 300);
	assert_int_equal(report.stages[STAGE_COUNT].stats[STAT_items],
			 LANES * 5);
	assert_int_equal(report.stats[STAT_cache_hits], nr * 2);
}

static void
spoil_chunk_range(void)
{
	catalogue_facts(&run.catalogue, 0)->chunk_nr = 1u << 31;
}

static void
spoil_chunk_start(void)
{
	catalogue_facts(&run.catalogue, 0)->chunk_first = UINT64_MAX - 1;
}

static void
spoil_chunk_owner(void)
{
	catalogue_chunk(&run.catalogue, 1)->file_idx = 5;
}

static void
spoil_plan_order(void)
{
	catalogue_plan(&run.catalogue, 1)->chunk_idx = 0;
}

static void
spoil_plan_entry(void)
{
	catalogue_plan(&run.catalogue, 3)->chunk_idx = 1ull << 40;
}

/* So many lines of a chunk are all of it. */
static void
spoil_parted_lines(void)
{
	struct plan_entry *entry = catalogue_plan(&run.catalogue, 0);

	entry->kept_lines =
		catalogue_chunk(&run.catalogue, entry->chunk_idx)->line_nr;
}

static void
spoil_plan_nr(void)
{
	store(&run.segment.control->plan_nr, 1ull << 50);
}

static void
spoil_rest_nr(void)
{
	store(&run.segment.control->rest_nr, UINT64_MAX - 2);
}

/* Behind the plan, two entries that go back. */
static void
spoil_rest_order(void)
{
	struct catalogue *c = &run.catalogue;

	assert_int_equal(
		table_reserve(&c->plan,
			      (plan_nr + 2) * sizeof(struct plan_entry)),
		0);
	*catalogue_plan(c, plan_nr) = (struct plan_entry){ .chunk_idx = 1 };
	*catalogue_plan(c, plan_nr + 1) = (struct plan_entry){ .chunk_idx = 0 };
	store(&run.segment.control->rest_nr, 2);
}

static void
spoil_files_seen(void)
{
	store(&run.segment.control->files_seen, 1ull << 31);
}

static void
spoil_reason(void)
{
	catalogue_facts(&run.catalogue, 0)->reason = 250;
}

static void
spoil_missing_chunks(void)
{
	catalogue_facts(&run.catalogue, 0)->chunk_nr = 0;
}

static void
spoil_path_place(void)
{
	catalogue_file(&run.catalogue, 0)->path_off = 1ull << 40;
}

static void
spoil_path_bytes(void)
{
	catalogue_file(&run.catalogue, 6)->path_bytes = UINT32_MAX;
}

static void
spoil_root_bytes(void)
{
	catalogue_file(&run.catalogue, 1)->root_bytes = 1000;
}

static void
spoil_duplicate(void)
{
	catalogue_facts(&run.catalogue, 3)->same_as = 7;
}

static void
test_report_collect_of_rubbish_is_refused(void **state)
{
	static void (*const spoils[])(void) = {
		spoil_chunk_range,  spoil_chunk_start,    spoil_chunk_owner,
		spoil_plan_order,   spoil_plan_entry,     spoil_plan_nr,
		spoil_rest_nr,      spoil_rest_order,     spoil_files_seen,
		spoil_reason,       spoil_missing_chunks, spoil_path_place,
		spoil_path_bytes,   spoil_root_bytes,     spoil_duplicate,
		spoil_parted_lines,
	};

	for (size_t i = 0; i < ARRAY_LEN(spoils); i++) {
		int got;

		make_run();
		spoils[i]();
		got = report_collect(&run, &report);
		if (got != -EPROTO)
			fail_msg("%zu: got %d, want -EPROTO", i, got);
		report_fini(&report);
		store(&run.segment.control->plan_nr, 0);
		store(&run.segment.control->rest_nr, 0);
		store(&run.segment.control->files_seen, 0);
		file_nr = chunk_nr = plan_nr = path_bytes = 0;
	}
}

static json_t *
written(void)
{
	json_error_t error;
	json_t *root;

	assert_int_equal(report_write(&report, target), 0);
	root = json_load_file(target, JSON_REJECT_DUPLICATES, &error);
	if (root == NULL)
		fail_msg("line %d: %s", error.line, error.text);
	return root;
}

static void
has_numbers(json_t *object, const char *const *keys)
{
	for (; *keys != NULL; keys++) {
		if (!json_is_number(json_object_get(object, *keys)))
			fail_msg("%s is not a number", *keys);
	}
}

static void
is_item(json_t *list, size_t at, const char *path, int first, int last,
	const char *reason)
{
	json_t *item = json_array_get(list, at);
	json_t *said = json_object_get(item, "reason");

	assert_string_equal(json_string_value(json_object_get(item, "path")),
			    path);
	assert_int_equal(
		json_integer_value(json_object_get(item, "start_line")), first);
	assert_int_equal(json_integer_value(json_object_get(item, "end_line")),
			 last);
	if (reason == NULL)
		assert_null(said);
	else
		assert_string_equal(json_string_value(said), reason);
}

/* verifies: FR-016c-50, AC-016c-050, AC-016c-051 */
static void
test_report_write_lists_what_is_in_and_what_is_not(void **state)
{
	json_t *root;
	json_t *list;
	json_t *item;

	make_run();
	assert_int_equal(report_collect(&run, &report), 0);
	root = written();
	list = json_object_get(root, "selected");
	assert_int_equal(json_array_size(list), 4);
	is_item(list, 0, "src/a.c", 1, 10, NULL);
	is_item(list, 1, "src/a.c", 11, 20, NULL);
	is_item(list, 2, "src/c\n\".c", 1, 10, NULL);
	is_item(list, 3, "src/c\n\".c", 41, 50, NULL);
	list = json_object_get(root, "excluded");
	assert_int_equal(json_array_size(list), 7);
	is_item(list, 0, "src/b.bin", 0, 0, "binary");
	is_item(list, 1, "src/c\n\".c", 11, 30, "budget");
	is_item(list, 2, "src/c\n\".c", 31, 40, "duplicate");
	is_item(list, 3, "src/d\xef\xbf\xbd.c", 1, 20, "duplicate");
	is_item(list, 4, "src/e.c", 0, 0, "empty");
	is_item(list, 5, "src/f.c", 1, 10, "budget");
	is_item(list, 6, "src/g.c", 0, 0, "changed");
	assert_int_equal(json_integer_value(json_object_get(
				 json_array_get(list, 1), "tokens")),
			 900);
	item = json_array_get(list, 3);
	assert_string_equal(
		json_string_value(json_object_get(item, "path_base64")),
		"c3JjL2T/LmM=");
	assert_string_equal(json_string_value(json_object_get(item, "same_as")),
			    "src/a.c");
	assert_null(json_object_get(json_array_get(list, 0), "path_base64"));
	json_decref(root);
}

/* One more name of the file of which these are all. */
static void
add_name(struct names *names, enum name_type type, uint32_t line,
	 const char *name)
{
	struct name_entry *entry =
		(void *)((uint8_t *)(names + 1) + names->bytes);
	size_t nr = strlen(name);

	*entry = (struct name_entry){ .type = (uint8_t)type,
				      .line = line,
				      .bytes = (uint8_t)nr };
	memcpy(entry + 1, name, nr);
	names->bytes += (uint32_t)(sizeof(*entry) + (nr + 3) / 4 * 4);
}

/* How many elements a list of an item has; 0: there is no list. */
static size_t
length_of(const json_t *root, size_t item, const char *key)
{
	const json_t *list = json_object_get(root, "selected");

	return json_array_size(
		json_object_get(json_array_get(list, item), key));
}

static void
test_report_write_names_what_ranges_define(void **state)
{
	struct table *table = &run.catalogue.names;
	struct names *names;
	json_t *root;

	assert_int_equal(table_reserve(table, 1 << 16), 0);
	names = table_at(table, 0, sizeof(*names) + NAMES_FILE_BYTES);
	add_file("a.c", REASON_NONE, 100);
	add_chunk(100, 1, true);
	add_chunk(110, 2, true);
	add_chunk(110, 3, true);
	catalogue_facts(&run.catalogue, 0)->names_off = 1;
	add_name(names, NAME_IMPORT, 0, "os.path import join");
	add_name(names, NAME_PACKAGE, 0, "p");
	add_name(names, NAME_DEF, 10, "last_of_the_first");
	add_name(names, NAME_DEF, 11, "first_of_the_second");
	add_name(names, NAME_MARKER, 20, "TODO");
	add_name(names, NAME_CHUNK, 15, "f g f");
	for (uint32_t i = 0; i < 100; i++)
		add_name(names, NAME_DEF, 25, "many");
	assert_int_equal(report_collect(&run, &report), 0);
	root = written();
	assert_int_equal(length_of(root, 0, "imports"), 1);
	assert_int_equal(length_of(root, 0, "defines"), 1);
	assert_int_equal(length_of(root, 0, "markers"), 0);
	assert_int_equal(length_of(root, 1, "imports"), 0);
	assert_int_equal(length_of(root, 1, "defines"), 1);
	assert_int_equal(length_of(root, 1, "markers"), 1);
	assert_int_equal(length_of(root, 1, "calls"), 2);
	assert_int_equal(length_of(root, 2, "defines"), 64); /* those shown */
	assert_int_equal(length_of(root, 2, "calls"), 0);
	json_decref(root);
}

static json_int_t
sum_of(json_t *object)
{
	json_int_t sum = 0;
	const char *key;
	json_t *value;

	json_object_foreach(object, key, value)
		sum += json_integer_value(value);
	return sum;
}

/* verifies: FR-016c-15, FR-016c-35 */
static void
test_report_write_has_every_key_that_tools_rely_on(void **state)
{
	static const char *const warnings[] = { "one \"warning\"", "two" };
	static const char *const budget[] = {
		"total",          "response_reserve",
		"system_reserve", "available",
		"used",           NULL
	};
	static const char *const files[] = { "seen",       "packed",  "full",
					     "signatures", "skipped", NULL };
	static const char *const dedup[] = { "exact_removed", "exact_tokens",
					     "overlaps_merged",
					     "overlap_tokens", NULL };
	static const char *const stage[] = { "workers", "busy_ns", "wait_ns",
					     "items",   "bytes",   "deaths",
					     NULL };
	static const char *const category[] = { "allocated", "used",
						"utilization", NULL };
	json_t *root;
	json_t *output;

	make_run();
	assert_int_equal(report_collect(&run, &report), 0);
	snprintf(report.correlation_id, sizeof(report.correlation_id),
		 "0123456789abcdef0123456789abcdef");
	report.encoding = "o200k_base";
	report.has_sha256 = true;
	memset(report.output_sha256, 0xa5, sizeof(report.output_sha256));
	report.peak_pss_bytes = 1 << 20;
	report.wall_ns = 5;
	report.warnings = warnings;
	report.warning_nr = ARRAY_LEN(warnings);
	report.stages[STAGE_CHUNK].death_nr = 3;
	root = written();
	assert_int_equal(json_integer_value(json_object_get(root, "version")),
			 REPORT_VERSION);
	assert_string_equal(
		json_string_value(json_object_get(root, "correlation_id")),
		report.correlation_id);
	assert_string_equal(
		json_string_value(json_object_get(root, "encoding")),
		"o200k_base");
	assert_true(json_is_false(json_object_get(root, "estimated")));
	assert_true(json_is_null(json_object_get(root, "commit")));
	has_numbers(json_object_get(root, "budget"), budget);
	has_numbers(json_object_get(root, "files"), files);
	assert_true(json_is_null(json_object_get(root, "started_at")));
	assert_int_equal(sum_of(json_object_get(json_object_get(root, "files"),
						"skipped_by_reason")),
			 json_integer_value(json_object_get(
				 json_object_get(root, "files"), "skipped")));
	has_numbers(json_object_get(root, "dedup"), dedup);
	has_numbers(json_array_get(json_object_get(root, "categories"), 0),
		    category);
	assert_int_equal(json_array_size(json_object_get(root, "stages")),
			 STAGE_NR);
	has_numbers(json_array_get(json_object_get(root, "stages"), 1), stage);
	output = json_object_get(root, "output");
	assert_int_equal(json_integer_value(json_object_get(output, "tokens")),
			 345);
	assert_int_equal(
		strlen(json_string_value(json_object_get(output, "sha256"))),
		64);
	assert_int_equal(
		json_integer_value(json_object_get(
			json_object_get(root, "memory"), "peak_pss_bytes")),
		1 << 20);
	assert_int_equal(json_integer_value(json_object_get(root, "wall_ns")),
			 5);
	assert_string_equal(json_string_value(json_array_get(
				    json_object_get(root, "warnings"), 0)),
			    warnings[0]);
	json_decref(root);
}

static void
test_report_write_of_a_preview_of_everything_has_no_numbers(void **state)
{
	json_t *root;
	json_t *budget;

	run.job.plan_only = true;
	run.job.budget_tokens = BUDGET_ALL;
	job_resolve(&run.job);
	make_run();
	assert_int_equal(report_collect(&run, &report), 0);
	root = written();
	budget = json_object_get(root, "budget");
	assert_true(json_is_null(json_object_get(budget, "total")));
	assert_true(json_is_null(json_object_get(budget, "available")));
	assert_true(json_is_null(json_object_get(root, "output")));
	assert_true(json_is_true(json_object_get(root, "estimated")));
	json_decref(root);
}

/* More items than the writer's buffer holds. */
static void
test_report_write_of_many_files_is_whole(void **state)
{
	char path[64];
	json_t *root;

	for (int i = 0; i < 5000; i++) {
		snprintf(path, sizeof(path), "dir/%d.c", i);
		add_file(path, REASON_NONE, 10);
		add_chunk(1, (uint8_t)(i % 200), i % 3 == 0);
	}
	assert_int_equal(report_collect(&run, &report), 0);
	root = written();
	assert_int_equal(json_array_size(json_object_get(root, "selected")),
			 1667);
	assert_int_equal(json_array_size(json_object_get(root, "excluded")),
			 3333);
	json_decref(root);
}

static void
test_report_write_that_fails_keeps_the_old_file(void **state)
{
	struct rlimit before;
	struct rlimit small = { .rlim_cur = 100 };
	struct stat status;
	FILE *old = fopen(target, "we");
	int error;

	assert_non_null(old);
	fputs("old\n", old);
	fclose(old);
	make_run();
	assert_int_equal(report_collect(&run, &report), 0);
	assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
	small.rlim_max = before.rlim_max;
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
	assert_true(signal(SIGXFSZ, SIG_IGN) != SIG_ERR);
	error = report_write(&report, target);
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
	assert_int_equal(error, -EFBIG);
	assert_int_equal(stat(target, &status), 0);
	assert_int_equal(status.st_size, 4);
	assert_int_equal(report_write(&report, "/no/such/dir/report"), -ENOENT);
}

static void
test_report_write_to_a_full_device_is_an_error(void **state)
{
	make_run();
	assert_int_equal(report_collect(&run, &report), 0);
	if (access("/dev/full", W_OK) != 0)
		skip();
	assert_int_equal(report_write(&report, "/dev/full"), -ENOSPC);
}

static void
test_report_write_gives_the_file_the_usual_mode(void **state)
{
	struct stat status;
	mode_t mask = umask(027);

	assert_int_equal(report_collect(&run, &report), 0);
	assert_int_equal(report_write(&report, target), 0);
	umask(mask);
	assert_int_equal(stat(target, &status), 0);
	assert_int_equal(status.st_mode & 0777, 0640);
}

/* The page names all the words that can stand in "reason". */
static void
test_report_reasons_are_all_in_the_page(void **state)
{
	static char page[65536];
	FILE *file = fopen("docs/report.md", "re");

	if (file == NULL)
		skip(); /* not run from the root of the project */
	page[fread(page, 1, sizeof(page) - 1, file)] = '\0';
	fclose(file);
	for (unsigned i = 1; i < REPORT_REASON_NR; i++) {
		char word[64];

		snprintf(word, sizeof(word), "`%s`", report_reason_text(i));
		if (strstr(page, word) == NULL)
			fail_msg("docs/report.md does not name %s", word);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(report_collect_of_a_plan_sums_it_up),
		TEST(report_collect_for_a_model_adds_its_margin),
		TEST(report_items_are_in_order_and_have_each_chunk_once),
		TEST(report_collect_of_a_preview_sums_the_plan),
		TEST(report_collect_of_everything_needs_no_plan),
		TEST(report_collect_of_nothing_is_nothing),
		TEST(report_collect_adds_the_workers_of_a_stage),
		TEST(report_collect_of_rubbish_is_refused),
		TEST(report_write_lists_what_is_in_and_what_is_not),
		TEST(report_write_names_what_ranges_define),
		TEST(report_write_has_every_key_that_tools_rely_on),
		TEST(report_write_of_a_preview_of_everything_has_no_numbers),
		TEST(report_write_of_many_files_is_whole),
		TEST(report_write_that_fails_keeps_the_old_file),
		TEST(report_write_to_a_full_device_is_an_error),
		TEST(report_write_gives_the_file_the_usual_mode),
		TEST(report_reasons_are_all_in_the_page),
	};

	return cmocka_run_group_tests_name("supervisor/report", tests, NULL,
					   NULL);
}
