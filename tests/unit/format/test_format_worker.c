/* SPDX-License-Identifier: MIT */
/*
 * test_format_worker.c - runs into the output, by one format worker.
 *
 * The test plays dedup (the catalogue, the runs), collect (the slabs) and the
 * reader: what lies in the output is read back and counted as one text.
 */
#include "catalogue/desc.h"
#include "tests/support/test_stage_rig.h"

#include <sys/stat.h>

#include "tests/support/test_format_parse.h"
#include "catalogue/chunks.h"
#include "catalogue/facts.h"
#include "catalogue/files.h"
#include "stages/stage.h"
#include "stages/job.h"

#define SLABS 4

static struct rig rig;
static uint32_t slab_next;
static bool dying; /* each step is done twice, the first time in vain */
static uint8_t *output;
static size_t output_bytes;

static int
setup(void **state)
{
	rig_open(&rig, 1, SLABS);
	rig.run.output_fd = memfd_create("output", MFD_CLOEXEC);
	rig_attach(&rig, STAGE_FORMAT, 0);
	slab_next = 0;
	dying = false;
	output = NULL;
	output_bytes = 0;
	return rig.run.output_fd < 0;
}

static int
teardown(void **state)
{
	close(rig.run.output_fd);
	rig_close(&rig);
	free(output);
	output = NULL;
	return 0;
}

static void
run_steps(void)
{
	int result;

	do
		result = dying ? rig_step_twice(&rig) : rig_step(&rig);
	while (result == STEP_DONE);
	ASSERT_EQ(result, STEP_AGAIN);
	rig_release_all(&rig, EDGE_FORMAT_SLABS);
}

static uint32_t
run_of_backticks(const uint8_t *content, size_t bytes)
{
	uint32_t longest = 0;
	uint32_t run = 0;

	for (size_t i = 0; i < bytes; i++) {
		run = content[i] == '`' ? run + 1 : 0;
		longest = run > longest ? run : longest;
	}
	return longest;
}

static uint32_t
newlines_of(const uint8_t *content, size_t bytes)
{
	uint32_t nr = 0;

	for (size_t i = 0; i < bytes; i++)
		nr += content[i] == '\n';
	return nr;
}

/* What dedup knows of the file when its runs come. */
static struct file_facts *
add_file(uint32_t file_idx, const char *path, const char *hint,
	 const void *content, size_t bytes)
{
	const uint8_t *text = content;
	struct file_facts *facts = rig_facts(&rig, file_idx);

	rig_add_file(&rig, file_idx, path, hint);
	*facts = (struct file_facts){
		.bytes = bytes,
		.mark_run = run_of_backticks(text, bytes),
		.same_as = FILE_NONE,
		.next_copy = FILE_NONE,
		.no_newline = bytes > 0 && text[bytes - 1] != '\n',
	};
	facts->line_nr = newlines_of(text, bytes) + facts->no_newline;
	return facts;
}

static void
push_facts(uint32_t file_idx, uint8_t reason)
{
	struct desc_file file = { .kind = DESC_FILE,
				  .flags = DESC_EMIT,
				  .reason = reason,
				  .file_idx = file_idx,
				  .slab_idx = SLAB_NONE };

	rig_push(&rig, EDGE_SELECTED, 0, &file);
}

/* A run of content in a slab of its own, with the span that count makes. */
static void
push_run(uint32_t file_idx, uint8_t flags, uint32_t line_first,
	 const void *content, size_t bytes)
{
	const uint8_t *text = content;
	struct token_span span;
	struct desc run = {
		.kind = DESC_RUN,
		.flags = (uint8_t)(DESC_EMIT | DESC_RELEASE | flags),
		.file_idx = file_idx,
		.slab_idx = slab_next++ % SLABS,
		.slab_off = SLAB_HEAD_BYTES,
		.bytes = (uint32_t)bytes,
		.line_first = line_first,
		.line_nr = newlines_of(text, bytes) + (text[bytes - 1] != '\n'),
	};

	tokenizer_span(rig.run.tokenizer, NULL, text, bytes, &span);
	if (!span.found)
		span.head_len = span.tail_off = bytes;
	run.span_head = (uint32_t)span.head_len;
	run.span_tail = (uint32_t)span.tail_off;
	run.tokens = (uint32_t)span.tokens;
	rig_fill(&rig, run.slab_idx, run.slab_off, content, bytes);
	rig_push(&rig, EDGE_SELECTED, 0, &run);
	if (slab_next % SLABS == 0)
		run_steps();
}

/* A whole file as it comes where everything is taken. */
static void
push_file(uint32_t file_idx, const char *path, const char *hint,
	  const void *content, size_t bytes)
{
	const uint8_t *text = content;
	uint32_t line = 1;

	add_file(file_idx, path, hint, content, bytes);
	push_facts(file_idx, REASON_NONE);
	for (size_t at = 0; at < bytes; at += SLAB_BODY_BYTES) {
		size_t part = min_size(bytes - at, SLAB_BODY_BYTES);

		push_run(file_idx, at + part == bytes ? DESC_LAST : DESC_MORE,
			 line, text + at, part);
		line += newlines_of(text + at, part);
	}
}

static void
read_output(void)
{
	struct stat about;

	free(output);
	ASSERT_EQ(fstat(rig.run.output_fd, &about), 0);
	output_bytes = (size_t)about.st_size;
	output = malloc(output_bytes + 4); /* the parser looks a bit ahead */
	ASSERT_TRUE(output != NULL);
	memset(output, 0, output_bytes + 4);
	ASSERT_EQ(pread(rig.run.output_fd, output, output_bytes, 0),
		  output_bytes);
}

static uint64_t
pass_judged(void)
{
	return atomic_load_explicit(&rig.run.segment.control->verdict_pass,
				    memory_order_acquire);
}

/*
 * Ends the pass; the verdict is that of counting the output as one text. It
 * is not given before the end is committed: with it the next pass begins, and
 * a replacement would end this one by that one's plan.
 */
static void
finish(uint64_t pass)
{
	const struct control_shm *control = rig.run.segment.control;

	run_steps();
	rig_close_inputs(&rig, pass);
	ASSERT_EQ(rig_step_uncommitted(&rig, false), STEP_DONE);
	ASSERT_TRUE(pass_judged() < pass);
	if (dying) {
		rig_die(&rig);
		ASSERT_EQ(rig_step_uncommitted(&rig, false), STEP_DONE);
	}
	worker_commit(&rig.worker);
	if (dying)
		rig_die(&rig);
	ASSERT_EQ(rig_step(&rig), STEP_AGAIN);
	ASSERT_EQ(pass_judged(), pass);
	read_output();
	ASSERT_EQ(control->verdict.bytes, output_bytes);
	ASSERT_EQ(
		control->verdict.tokens,
		tokenizer_count(rig.run.tokenizer, NULL, output, output_bytes));
}

static void
assert_output(const char *want)
{
	if (output_bytes != strlen(want) ||
	    memcmp(output, want, output_bytes) != 0)
		fail_msg("got\n%.*s\nwant\n%s", (int)output_bytes, output,
			 want);
}

#define TEXT(text) text, sizeof(text) - 1

/*
 * verifies: FR-016-122, FR-016-123, FR-016-124, FR-016-125, FR-016-126,
 * verifies: FR-016-127, FR-016-128, FR-016-129, FR-016-136, FR-016-138,
 * verifies: NFR-016-21, NFR-016-33, NFR-016-34, NFR-016-35
 */
static void
test_format_everything_is_the_golden_output(void **state)
{
	push_file(0, "a.c", "c", TEXT("int a;\n\nint b;\n"));
	push_file(1, "b.md", "markdown", TEXT("```c\nx\n```\n"));
	push_facts(2, REASON_NONE);
	add_file(2, "dir/copy.c", "c", TEXT("int a;\n\nint b;\n"))->same_as = 0;
	push_file(3, "empty", "", TEXT(""));
	push_file(4, "no newline \n.txt", "", TEXT("one\ntwo"));
	add_file(5, "gone", "", TEXT(""));
	push_facts(5, REASON_BINARY); /* nothing is said of it here */
	push_file(6, "z.c", "c", TEXT("\n"));
	add_file(7, "old.txt", "", TEXT("z"));
	catalogue_file(&rig.run.catalogue, 7)->charset = CHARSET_UTF16_BE;
	push_facts(7, REASON_NONE);
	push_run(7, DESC_LAST, 1, "z", 1);
	finish(1);
	assert_output("## File: a.c (lines 1-3)\n"
		      "```c\n"
		      "int a;\n"
		      "\n"
		      "int b;\n"
		      "```\n"
		      "\n"
		      "## File: b.md (lines 1-3)\n"
		      "````markdown\n"
		      "```c\n"
		      "x\n"
		      "```\n"
		      "````\n"
		      "\n"
		      "## File: dir/copy.c (same as a.c)\n"
		      "\n"
		      "## File: empty (empty)\n"
		      "\n"
		      "## File: \"no newline \\n.txt\" "
		      "(lines 1-2, no newline at end)\n"
		      "```\n"
		      "one\n"
		      "two\n"
		      "```\n"
		      "\n"
		      "## File: z.c (lines 1-1)\n"
		      "```c\n"
		      "\n"
		      "```\n"
		      "\n"
		      "## File: old.txt "
		      "(lines 1-1, from UTF-16BE, no newline at end)\n"
		      "```\n"
		      "z\n"
		      "```\n"
		      "\n");
}

/* Content that would like to be taken for what stands around it. */
static size_t
make_hostile(uint8_t *content, size_t max, uint64_t *seed)
{
	static const char *const bits[] = {
		"```",
		"`",
		"\n",
		"\n```\n",
		"~~~\n",
		"\n## File: x (lines 1-2)\n",
		"## File: ",
		"(empty)",
		"\n\n",
		"````\n\n",
		"   ```",
		"\r\n",
		"\n\t",
		"int x;\n",
		"\xff\xfe",
		"\xe2\x80\xae",
		"<|endoftext|>",
		"// ... (lines 3-9)\n",
	};
	size_t nr = 0;
	size_t bytes = random_next(seed) % max;

	while (nr < bytes) {
		const char *bit = bits[random_next(seed) % ARRAY_LEN(bits)];
		size_t part = min_size(strlen(bit), bytes - nr);

		memcpy(content + nr, bit, part);
		nr += part;
	}
	return nr;
}

static const char *const hostile_paths[] = {
	"a.c",
	"b (empty)",
	"c (lines 1-2)",
	"d (same as a.c)",
	"e (same as f",
	"g\n## File: h",
	"i\"quoted\"",
	"j\\n",
	" k ",
	"l)",
	"m (",
	"\xff\x80",
	"\xe2\x80\xaegpj.exe",
	"n\t`o`",
	"p # q",
};

/* verifies: FR-016-135, FR-016-136, NFR-016-45, NFR-016c-09 */
static void
test_format_of_hostile_files_is_read_back_as_it_was(void **state)
{
	static uint8_t contents[300][3000];
	static struct parsed section;
	size_t bytes[300];
	uint64_t seed = 0x5eee0;
	struct parser p;

	for (uint32_t i = 0; i < 300; i++) {
		const char *path = hostile_paths[i % ARRAY_LEN(hostile_paths)];

		bytes[i] =
			make_hostile(contents[i], sizeof(contents[i]), &seed);
		if (i % 10 != 9) {
			push_file(i, path, "c", contents[i], bytes[i]);
			continue;
		}
		/* the same as the one before */
		add_file(i, path, "c", contents[i], bytes[i])->same_as = i - 1;
		push_facts(i, REASON_NONE);
	}
	finish(1);
	p = (struct parser){ (const char *)output,
			     (const char *)output + output_bytes };
	for (uint32_t i = 0; i < 300; i++) {
		const char *path = hostile_paths[i % ARRAY_LEN(hostile_paths)];
		const char *before =
			hostile_paths[(i + ARRAY_LEN(hostile_paths) - 1) %
				      ARRAY_LEN(hostile_paths)];

		if (!parse_section(&p, &section))
			fail_msg("file %u: got no section, want that of %s", i,
				 path);
		ASSERT_EQ(section.path_bytes, strlen(path));
		ASSERT_EQ(memcmp(section.path, path, strlen(path)), 0);
		if (i % 10 == 9) {
			ASSERT_EQ(section.same_as_bytes, strlen(before));
			ASSERT_EQ(
				memcmp(section.same_as, before, strlen(before)),
				0);
			continue;
		}
		ASSERT_EQ(section.empty, bytes[i] == 0);
		if (section.content_bytes != bytes[i] ||
		    (bytes[i] > 0 &&
		     memcmp(section.content, contents[i], bytes[i]) != 0))
			fail_msg("file %u: got %zu bytes back, want the %zu "
				 "bytes that were put in",
				 i, section.content_bytes, bytes[i]);
		ASSERT_EQ(section.same_as_bytes, 0);
	}
	ASSERT_TRUE(p.at == p.end);
}

/* verifies: FR-016-137, NFR-016-30, R2, R3, R5 */
static void
test_format_steps_done_again_write_the_same(void **state)
{
	static uint8_t content[3000];
	uint8_t *first = NULL;
	size_t first_bytes = 0;

	for (int round = 0; round < 2; round++) {
		uint64_t seed = 0x5eee1;

		if (round == 1)
			setup(NULL);
		dying = round == 1;
		for (uint32_t i = 0; i < 100; i++)
			push_file(
				i, "some/path.c", "c", content,
				make_hostile(content, sizeof(content), &seed));
		finish(1);
		if (round == 1)
			break;
		first = output;
		first_bytes = output_bytes;
		output = NULL;
		teardown(NULL);
	}
	ASSERT_EQ(output_bytes, first_bytes);
	ASSERT_EQ(memcmp(output, first, first_bytes), 0);
	free(first);
}

/* ---- fences that are longer than anything foreseen ---- */

static void
assert_read_back(struct parser *p, const uint8_t *content, size_t bytes)
{
	static struct parsed section;

	ASSERT_TRUE(parse_section(p, &section));
	ASSERT_EQ(section.content_bytes, bytes);
	ASSERT_EQ(memcmp(section.content, content, bytes), 0);
}

/* A step takes many of them together. */
/* verifies: FR-016-136 */
static void
test_format_many_files_of_long_fences_are_written(void **state)
{
	const size_t bytes = 36000;
	uint8_t *content = malloc(bytes);
	struct parser p;

	ASSERT_TRUE(content != NULL);
	memset(content, '`', bytes);
	for (uint32_t i = 0; i < 20; i++) {
		struct desc run = { .kind = DESC_RUN,
				    .flags = DESC_EMIT | DESC_LAST,
				    .file_idx = i,
				    .slab_off = SLAB_HEAD_BYTES,
				    .bytes = (uint32_t)bytes,
				    .line_first = 1,
				    .line_nr = 1,
				    .span_head = (uint32_t)bytes,
				    .span_tail = (uint32_t)bytes };

		add_file(i, "a.md", "", content, bytes);
		push_facts(i, REASON_NONE);
		rig_fill(&rig, 0, SLAB_HEAD_BYTES, content, bytes);
		rig_push(&rig, EDGE_SELECTED, 0, &run);
	}
	dying = true;
	finish(1);
	p = (struct parser){ (const char *)output,
			     (const char *)output + output_bytes };
	for (uint32_t i = 0; i < 20; i++)
		assert_read_back(&p, content, bytes);
	ASSERT_TRUE(p.at == p.end);
	free(content);
}

/* verifies: FR-016-136 */
static void
test_format_fence_longer_than_any_buffer_is_written(void **state)
{
	const size_t bytes = 1200000;
	uint8_t *content = malloc(bytes);
	struct parser p;

	ASSERT_TRUE(content != NULL);
	memset(content, '`', bytes);
	push_file(0, "a.md", "markdown", content, bytes);
	push_file(1, "b.md", "markdown", TEXT("next\n"));
	finish(1);
	p = (struct parser){ (const char *)output,
			     (const char *)output + output_bytes };
	assert_read_back(&p, content, bytes);
	assert_read_back(&p, (const uint8_t *)"next\n", 5);
	ASSERT_TRUE(p.at == p.end);
	free(content);
}

/* ---- a plan ---- */

static const char lines[] = "1\n2\n3\n4\n5\n6\n7\n8\n9\n10";

/* Chunks of two lines each, of two files; of the plan those named. */
static void
make_plan(const uint64_t *plan, size_t nr)
{
	rig.run.job.budget_tokens = 1000;
	job_resolve(&rig.run.job);
	for (uint32_t f = 0; f < 2; f++) {
		add_file(f, f == 0 ? "a.c" : "b.c", "c", lines,
			 sizeof(lines) - 1);
		for (uint32_t c = 0; c < 5; c++)
			*rig_chunk(&rig, f * 5 + c) = (struct chunk_record){
				.file_idx = f,
				.file_off = c * 4,
				.bytes = c < 4 ? 4 : 4,
				.line_first = 1 + 2 * c,
				.line_nr = 2,
			};
	}
	rig_set_plan(&rig, plan, nr);
}

static void
push_planned(const uint64_t *plan, size_t nr)
{
	for (size_t i = 0; i < nr; i++) {
		uint32_t file_idx = (uint32_t)plan[i] / 5;
		uint32_t c = (uint32_t)plan[i] % 5;
		bool last = i + 1 == nr || plan[i + 1] / 5 != file_idx;

		push_run(file_idx, last ? DESC_LAST : 0, 1 + 2 * c,
			 lines + 4 * c, c < 4 ? 4 : sizeof(lines) - 17);
	}
}

static void
end_survey(void)
{
	const struct control_shm *control = rig.run.segment.control;

	rig_close_inputs(&rig, 1);
	ASSERT_EQ(rig_step(&rig), STEP_DONE);
	/* nothing was written, nothing is said */
	ASSERT_EQ(atomic_load_explicit(&control->verdict_pass,
				       memory_order_relaxed),
		  0);
}

/* verifies: FR-016-131, FR-016-132, FR-016-133, FR-016-134, NFR-016-27 */
static void
test_format_planned_ranges_are_grouped_with_gaps_shown(void **state)
{
	static const uint64_t plan[] = { 0, 1, 3, 6, 9 };

	make_plan(plan, ARRAY_LEN(plan));
	end_survey();
	dying = true;
	push_planned(plan, ARRAY_LEN(plan));
	finish(2);
	assert_output("## File: a.c (lines 1-8 of 10)\n"
		      "```c\n"
		      "1\n2\n3\n4\n"
		      "// ... (lines 5-6)\n"
		      "7\n8\n"
		      "```\n"
		      "\n"
		      "## File: b.c (lines 3-10 of 10, no newline at end)\n"
		      "```c\n"
		      "3\n4\n"
		      "// ... (lines 5-8)\n"
		      "9\n10\n"
		      "```\n"
		      "\n");
}

static void
test_format_pass_made_again_starts_afresh(void **state)
{
	static const uint64_t first[] = { 0, 1, 2, 3, 4, 5, 6, 7, 8, 9 };
	static const uint64_t second[] = { 7 };

	make_plan(first, ARRAY_LEN(first));
	end_survey();
	push_planned(first, ARRAY_LEN(first));
	finish(2);
	rig_set_plan(&rig, second, ARRAY_LEN(second));
	push_planned(second, ARRAY_LEN(second));
	finish(3);
	/* what the longer one wrote beyond is gone */
	assert_output("## File: b.c (lines 5-6 of 10)\n"
		      "```c\n"
		      "5\n6\n"
		      "```\n"
		      "\n");
}

/* A planned file that is dropped on the way has no section. */
static void
test_format_planned_file_that_does_not_come_is_passed(void **state)
{
	static const uint64_t plan[] = { 1, 5 };

	make_plan(plan, ARRAY_LEN(plan));
	end_survey();
	push_planned(plan + 1, 1);
	finish(2);
	assert_output("## File: b.c (lines 1-2 of 10)\n"
		      "```c\n"
		      "1\n2\n"
		      "```\n"
		      "\n");
}

/* A line of several runs: no gap within it, no newline between them. */
static void
test_format_runs_of_one_line_are_joined(void **state)
{
	static const char long_line[] = "abcdefghij\nk\n";

	add_file(0, "a.c", "c", TEXT(long_line));
	push_facts(0, REASON_NONE);
	push_run(0, DESC_MORE, 1, "abc", 3);
	push_run(0, DESC_MORE, 1, "def", 3);
	push_run(0, DESC_MORE, 1, "ghij\n", 5);
	push_run(0, DESC_LAST, 2, "k\n", 2);
	finish(1);
	assert_output("## File: a.c (lines 1-2)\n"
		      "```c\n"
		      "abcdefghij\nk\n"
		      "```\n"
		      "\n");
}

static void
test_format_file_that_goes_bad_says_so_and_is_closed(void **state)
{
	add_file(0, "a.c", "c", TEXT("one\ntwo\nthree\n"));
	push_facts(0, REASON_NONE);
	push_run(0, DESC_MORE, 1, "one\ntw", 6);
	push_facts(0, REASON_CHANGED);
	push_file(1, "b.c", "c", TEXT("b\n"));
	finish(1);
	assert_output("## File: a.c (lines 1-3)\n"
		      "```c\n"
		      "one\ntw\n"
		      "// ... (the rest is left out: changed)\n"
		      "```\n"
		      "\n"
		      "## File: b.c (lines 1-1)\n"
		      "```c\n"
		      "b\n"
		      "```\n"
		      "\n");
}

/* ---- slabs, the output, the end ---- */

static void
test_format_gives_each_slab_back_once(void **state)
{
	struct desc slab = { .kind = DESC_SLAB,
			     .flags = DESC_RELEASE,
			     .slab_idx = 3 };

	dying = true;
	add_file(0, "a.c", "c", TEXT("ab\n"));
	push_facts(0, REASON_NONE);
	push_run(0, DESC_MORE, 1, "a", 1);
	push_run(0, DESC_MORE, 1, "b", 1);
	push_run(0, DESC_LAST, 1, "\n", 1);
	rig_push(&rig, EDGE_SELECTED, 0, &slab);
	finish(1);
	rig_assert_released(&rig, 4, 1);
}

static void
test_format_poison_is_counted_and_its_slab_goes_back(void **state)
{
	const struct control_shm *control = rig.run.segment.control;

	add_file(0, "a.c", "c", TEXT("a\nb\n"));
	push_facts(0, REASON_NONE);
	run_steps();
	push_run(0, DESC_MORE, 1, "a\n", 2);
	rig_poison(&rig);
	ASSERT_EQ(rig_release_all(&rig, EDGE_FORMAT_SLABS), 1);
	ASSERT_EQ(
		atomic_load_explicit(&control->poisoned, memory_order_relaxed),
		1);
	push_run(0, DESC_LAST, 2, "b\n", 2);
	finish(1);
	rig_assert_released(&rig, 2, 1);
	/* the lines that are missing are said to be */
	assert_output("## File: a.c (lines 1-2)\n"
		      "```c\n"
		      "// ... (lines 1-1)\n"
		      "b\n"
		      "```\n"
		      "\n");
}

/* verifies: NFR-016-36 */
static void
test_format_of_nothing_is_nothing(void **state)
{
	finish(1);
	ASSERT_EQ(output_bytes, 0);
}

static void
test_format_output_that_cannot_be_written_is_an_error(void **state)
{
	int fd = rig.run.output_fd;

	rig.run.output_fd = -1;
	add_file(0, "a.c", "c", TEXT("a\n"));
	push_facts(0, REASON_NONE);
	push_run(0, DESC_LAST, 1, "a\n", 2);
	ASSERT_EQ(rig_step(&rig), -EBADF);
	rig.run.output_fd = fd;
}

/* Only what is committed may be pumped, and not too much may wait for it. */
static void
test_format_stream_waits_for_the_reader(void **state)
{
	struct control_shm *control = rig.run.segment.control;
	const size_t bytes = SLAB_BODY_BYTES;
	uint8_t *content = calloc(1, bytes);
	uint64_t written = 0;
	int pushed = 0;

	ASSERT_TRUE(content != NULL);
	memset(content, '\n', bytes);
	rig.run.output_streams = true;
	add_file(0, "a.c", "c", content, bytes);
	push_facts(0, REASON_NONE);
	run_steps();
	while (pushed < 1000) {
		struct desc run = { .kind = DESC_RUN,
				    .flags = DESC_EMIT | DESC_MORE,
				    .slab_off = SLAB_HEAD_BYTES,
				    .bytes = (uint32_t)bytes,
				    .line_first = 1,
				    .span_tail = (uint32_t)bytes,
				    .tokens = 1 };
		struct stat about;

		rig_push(&rig, EDGE_SELECTED, 0, &run);
		pushed++;
		ASSERT_EQ(fstat(rig.run.output_fd, &about), 0);
		if (rig_step(&rig) != STEP_DONE)
			break;
		written = atomic_load_explicit(&control->written_bytes,
					       memory_order_acquire);
		ASSERT_EQ(written, about.st_size); /* of the step before */
	}
	ASSERT_TRUE(pushed < 1000);
	ASSERT_TRUE(written > 32u << 20 && written < 128u << 20);
	atomic_store_explicit(&control->pumped_bytes, written,
			      memory_order_relaxed);
	ASSERT_EQ(rig_step(&rig), STEP_DONE);
	free(content);
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int
main(void)
{
	const struct CMUnitTest tests[] = {
		CASE(test_format_everything_is_the_golden_output),
		CASE(test_format_of_hostile_files_is_read_back_as_it_was),
		CASE(test_format_steps_done_again_write_the_same),
		CASE(test_format_many_files_of_long_fences_are_written),
		CASE(test_format_fence_longer_than_any_buffer_is_written),
		CASE(test_format_planned_ranges_are_grouped_with_gaps_shown),
		CASE(test_format_pass_made_again_starts_afresh),
		CASE(test_format_planned_file_that_does_not_come_is_passed),
		CASE(test_format_runs_of_one_line_are_joined),
		CASE(test_format_file_that_goes_bad_says_so_and_is_closed),
		CASE(test_format_gives_each_slab_back_once),
		CASE(test_format_poison_is_counted_and_its_slab_goes_back),
		CASE(test_format_of_nothing_is_nothing),
		CASE(test_format_output_that_cannot_be_written_is_an_error),
		CASE(test_format_stream_waits_for_the_reader),
	};

	return cmocka_run_group_tests_name("format/worker", tests, NULL, NULL);
}
