/* SPDX-License-Identifier: MIT */
/*
 * test_select_edge.c - the best chunks that there is no room for, whole and up
 * to a line, by costs said line by line.
 */
#include "tests/support/test_select_planner.h"

#include "catalogue/line_costs.h"

static struct plan_target aim;
static struct plan_result made;
static uint64_t output; /* that format has come to */

static void
note(uint32_t file_idx, uint32_t line)
{
	ASSERT_EQ(table_reserve(&rig.run.catalogue.line_costs,
				(planner->line_cost_nr + 1) *
					sizeof(struct line_cost)),
		  0);
	*catalogue_line_cost(&rig.run.catalogue, planner->line_cost_nr++) =
		(struct line_cost){ output, file_idx, line };
}

/* What format says of the lines of a chunk: each is so much. */
static void
measured(uint64_t chunk_idx, uint64_t each)
{
	const struct chunk_record *chunk =
		catalogue_chunk(&rig.run.catalogue, chunk_idx);

	output += 1000;
	note(chunk->file_idx, chunk->line_first - (chunk->line_first > 0));
	for (uint32_t i = 0; i < chunk->line_nr; i++) {
		output += each;
		note(chunk->file_idx, chunk->line_first + i);
	}
}

static void
take_edge(uint64_t available, enum rank_edges edges)
{
	aim.available = available;
	aim.edges = (uint8_t)edges;
	made = (struct plan_result){ .planned = 0 };
	ASSERT_EQ(plan_take_edge(&plan, &aim, &made), 0);
}

/* A file a chunk, the first one the best. */
static void
files(uint32_t nr, uint32_t tokens)
{
	for (uint32_t i = 0; i < nr; i++) {
		char path[20];

		snprintf(path, sizeof(path), "f%03u.c", i);
		add_file(path, (int64_t)(nr - i) * MONTH, REASON_NONE);
		add_chunk(tokens, chunk_nr);
	}
	plan_open(100000);
	plan_score();
	aim = (struct plan_target){ .off = 0 };
	output = 0;
}

static size_t
bits_set(const struct select_bits *bits)
{
	size_t nr = 0;

	for (uint64_t i = 0; i < bits->nr; i++)
		nr += select_bits_has(bits, i);
	return nr;
}

/* Those that come to twice the room and a sixteenth; 32 at least, 256 at most. */
static void
test_select_edge_measures_as_many_as_may_be_needed(void **state)
{
	static const struct {
		uint64_t available;
		uint32_t want;
	} cases[] = {
		{ 0, 0 },     { 100, 32 },  { 1505, 32 },
		{ 1507, 33 }, { 2352, 50 }, { 100000, 256 },
	};

	files(300, 100);
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		plan_close();
		plan_open(100000);
		plan_score();
		take_edge(cases[i].available, RANK_EDGES_MEASURED);
		if (made.edge_nr != cases[i].want)
			fail_msg("of %llu: got %u, want %u",
				 (unsigned long long)cases[i].available,
				 made.edge_nr, cases[i].want);
		ASSERT_EQ(made.edge_tokens, 100 * cases[i].want);
		ASSERT_EQ(bits_set(&plan.set.chunks), cases[i].want);
		ASSERT_EQ(bits_set(&plan.set.measured), cases[i].want);
		for (uint64_t c = 0; c < cases[i].want; c++)
			ASSERT_TRUE(select_bits_has(&plan.set.measured, c));
		ASSERT_EQ(plan.set.nr, cases[i].want);
		ASSERT_EQ(plan.set.truncated.lines, 0);
	}
}

/* What is in the plan, what is there twice, and what has no line that fits. */
static void
test_select_edge_is_of_what_is_left_and_new(void **state)
{
	struct rank_candidate it;
	uint64_t line = 0;

	files(6, 100);
	memcpy(rig_chunk(&rig, 3)->fingerprint, rig_chunk(&rig, 2)->fingerprint,
	       FINGERPRINT_BYTES);
	rig_chunk(&rig, 4)->tokens = 5000;
	rig_chunk(&rig, 5)->line_nr = 0; /* one line */
	it = candidate_of(0);
	it.category = CATEGORY_TREE;
	ASSERT_EQ(plan_consider(&plan, &it), 0);
	take_edge(400, RANK_EDGES_MEASURED);
	ASSERT_EQ(made.edge_nr, 3);
	ASSERT_TRUE(select_bits_has(&plan.set.measured, 1));
	ASSERT_TRUE(select_bits_has(&plan.set.measured, 2));
	ASSERT_TRUE(select_bits_has(&plan.set.measured, 5));
	plan_close();
	/* the room is what is left, and a sixteenth of what there is */
	rig_chunk(&rig, 0)->tokens = 2000;
	for (uint64_t missing = 0; missing < 2; missing++) {
		plan_open(100000);
		plan_score();
		it = candidate_of(0);
		line = plan_cost_around(&plan, &it,
					&(struct select_lines){ .nr = 1 }) +
		       200;
		aim.available = 1600;
		aim.edges = RANK_EDGES_MEASURED;
		made = (struct plan_result){
			.planned = 1700 - line + missing,
		};
		aim.off = 0;
		ASSERT_EQ(plan_take_edge(&plan, &aim, &made), 0);
		ASSERT_EQ(select_bits_has(&plan.set.measured, 0), missing == 0);
		plan_close();
	}
	/* what an output has beside its parts is taken off, or added */
	for (int64_t off = -1; off <= 1; off++) {
		plan_open(100000);
		plan_score();
		aim.off = off;
		made = (struct plan_result){ .planned = 1700 - line };
		ASSERT_EQ(plan_take_edge(&plan, &aim, &made), 0);
		ASSERT_EQ(select_bits_has(&plan.set.measured, 0), off <= 0);
		plan_close();
	}
	plan_open(1);
}

/* Of so many lines: their header, and what they are. */
static uint64_t
cost_of_part(uint64_t chunk_idx, uint32_t lines, uint64_t each)
{
	const struct rank_candidate it = candidate_of(chunk_idx);
	const struct select_lines some = { .nr = lines };

	return plan_cost_around(&plan, &it, &some) + lines * each;
}

/* The best one up to a line, if no whole one fits. */
static void
test_select_edge_takes_the_best_up_to_a_line(void **state)
{
	files(1, 900);
	for (uint32_t lines = 1; lines < 10; lines++) {
		for (uint64_t more = 0; more < 2; more++) {
			uint32_t want = lines - 1 + (uint32_t)more;
			uint64_t cost;
			uint64_t room;

			plan_close();
			plan_open(100000);
			plan_score();
			measured(0, 90);
			room = cost_of_part(0, lines, 90) - 1 + more;
			cost = cost_of_part(0, want, 90);
			take_edge(room, RANK_EDGES_CUT);
			if (lines == 1 && more == 0) {
				ASSERT_EQ(made.edge_nr, 0);
				ASSERT_EQ(plan.set.nr, 0);
				continue;
			}
			ASSERT_EQ(plan.set.truncated.lines, want);
			ASSERT_EQ(plan.set.truncated.chunk_idx, 0);
			ASSERT_EQ(plan.set.truncated.unit, RANK_CHUNK);
			ASSERT_EQ(made.edge_nr, 1);
			ASSERT_EQ(made.edge_tokens, cost);
			ASSERT_EQ(made.fills, more == 1);
			ASSERT_EQ(bits_set(&plan.set.measured), 0);
			ASSERT_TRUE(select_bits_has(&plan.set.chunks, 0));
		}
	}
}

/* Whole ones by rank, by what they came to; then one of the rest in part. */
static void
test_select_edge_takes_whole_ones_that_came_to_less(void **state)
{
	uint64_t header;
	uint64_t room;

	files(3, 100);
	/* thought to be 100: they are 90, 300 and 40 */
	measured(0, 9);
	measured(1, 30);
	measured(2, 4);
	header = header_cost(0);
	room = 90 + header + 40 + header;
	take_edge(room + 5, RANK_EDGES_CUT);
	ASSERT_TRUE(select_bits_has(&plan.set.chunks, 0));
	ASSERT_TRUE(!select_bits_has(&plan.set.chunks, 1));
	ASSERT_TRUE(select_bits_has(&plan.set.chunks, 2));
	ASSERT_EQ(made.edge_nr, 2);
	ASSERT_EQ(made.edge_tokens, room);
	ASSERT_EQ(plan.set.truncated.lines, 0);
	/* five of them unused is more than one of 200 */
	ASSERT_TRUE(!made.fills);
	plan_close();
	plan_open(100000);
	plan_score();
	measured(0, 9);
	measured(1, 30);
	measured(2, 4);
	take_edge(room, RANK_EDGES_CUT);
	ASSERT_EQ(made.edge_nr, 2);
	ASSERT_TRUE(made.fills);
}

/* A chunk within its file is told of from the line before it on. */
static void
test_select_edge_knows_the_lines_of_a_later_chunk(void **state)
{
	uint64_t room;

	add_file("a.c", 0, REASON_NONE);
	add_chunk(900, 1);
	add_chunk(900, 2);
	add_file("b.c", 0, REASON_NONE);
	add_chunk(900, 3);
	plan_open(100000);
	plan_score();
	aim = (struct plan_target){ .off = 0 };
	output = 0;
	measured(1, 30);
	room = 300 + header_cost(1);
	take_edge(room, RANK_EDGES_CUT);
	ASSERT_EQ(made.edge_nr, 1);
	ASSERT_EQ(made.edge_tokens, room);
	ASSERT_TRUE(select_bits_has(&plan.set.chunks, 1));
	ASSERT_TRUE(made.fills);
}

/* With more room than the second chunk's lines fill, it is the third's. */
static void
test_select_edge_takes_the_one_that_fills_it(void **state)
{
	uint64_t room;

	files(3, 2000);
	measured(0, 2000);
	measured(1, 300);
	measured(2, 299);
	/* 300 * 3 and 299 * 3: the first of them that leaves little */
	room = cost_of_part(2, 3, 299);
	take_edge(room + 1, RANK_EDGES_CUT);
	ASSERT_EQ(plan.set.truncated.chunk_idx, 2);
	ASSERT_EQ(plan.set.truncated.lines, 3);
	ASSERT_TRUE(made.fills);
	plan_close();
	plan_open(100000);
	plan_score();
	/* both fill it: the better one */
	room = cost_of_part(1, 3, 300);
	for (uint64_t c = 0; c < 3; c++)
		measured(c, c == 0 ? 2000 : c == 1 ? 300 : 299);
	take_edge(room, RANK_EDGES_CUT);
	ASSERT_EQ(plan.set.truncated.chunk_idx, 1);
	ASSERT_EQ(plan.set.truncated.lines, 3);
	plan_close();
	plan_open(100000);
	plan_score();
	/* neither does: the one that fills more of it */
	for (uint64_t c = 0; c < 3; c++)
		measured(c, c == 0 ? 2000 : c == 1 ? 300 : 310);
	room = cost_of_part(2, 3, 310) + 40;
	take_edge(room, RANK_EDGES_CUT);
	ASSERT_EQ(plan.set.truncated.chunk_idx, 2);
	ASSERT_TRUE(!made.fills);
}

/* Where no line was counted, the mean of what was thought has to do. */
static void
test_select_edge_of_what_was_not_measured_is_a_mean(void **state)
{
	uint64_t room;

	files(1, 905);
	room = cost_of_part(0, 4, 0) + 905 * 4 / 10;
	take_edge(room, RANK_EDGES_CUT);
	ASSERT_EQ(plan.set.truncated.lines, 4);
	ASSERT_EQ(made.edge_tokens, room);
	plan_close();
	plan_open(100000);
	plan_score();
	take_edge(room - 1, RANK_EDGES_CUT);
	ASSERT_EQ(plan.set.truncated.lines, 3);
	plan_close();
	/* so it is where the lines are not those of the chunk */
	plan_open(100000);
	plan_score();
	measured(0, 50);
	planner->line_cost_nr--; /* nine of ten */
	room = cost_of_part(0, 4, 0) + 450 * 4 / 10;
	take_edge(room, RANK_EDGES_CUT);
	ASSERT_EQ(plan.set.truncated.lines, 4);
}

/* What format was wrong by is taken off what there is room for. */
static void
test_select_edge_takes_off_what_was_wrong(void **state)
{
	uint64_t room;

	files(1, 900);
	measured(0, 90);
	room = cost_of_part(0, 5, 90);
	aim.wrong = 3;
	take_edge(room + 3, RANK_EDGES_CUT);
	ASSERT_EQ(plan.set.truncated.lines, 5);
	plan_close();
	plan_open(100000);
	plan_score();
	measured(0, 90);
	take_edge(room + 2, RANK_EDGES_CUT);
	ASSERT_EQ(plan.set.truncated.lines, 4);
	plan_close();
	plan_open(100000);
	plan_score();
	measured(0, 90);
	aim.wrong = -2;
	take_edge(room - 2, RANK_EDGES_CUT);
	ASSERT_EQ(plan.set.truncated.lines, 5);
}

/*
 * In part alone: whole ones are not taken, and what was given back, which has
 * not been measured, keeps its place before all of a lower score: it is cut
 * itself, by the mean of its lines.
 */
static void
test_select_edge_in_part_takes_nothing_below_what_was_given_back(void **state)
{
	files(3, 100);
	measured(1, 10);
	measured(2, 10);
	aim.is_part = true;
	take_edge(1000, RANK_EDGES_CUT);
	ASSERT_EQ(made.edge_nr, 1);
	ASSERT_EQ(plan.set.nr, 1);
	ASSERT_EQ(plan.set.truncated.chunk_idx, 0);
	ASSERT_EQ(plan.set.truncated.lines, 9);
	plan_close();
	plan_open(100000);
	plan_score();
	measured(0, 10);
	measured(2, 10);
	take_edge(1000, RANK_EDGES_CUT);
	ASSERT_EQ(made.edge_nr, 1);
	ASSERT_EQ(plan.set.truncated.chunk_idx, 0);
	ASSERT_EQ(plan.set.truncated.lines, 9);
	plan_close();
	/* nothing of the edge is needed where it is full without */
	plan_open(100000);
	plan_score();
	measured(0, 10);
	aim.available = 10000;
	aim.edges = RANK_EDGES_CUT;
	made = (struct plan_result){ .planned = 9950 };
	ASSERT_EQ(plan_take_edge(&plan, &aim, &made), 0);
	ASSERT_TRUE(made.fills);
	ASSERT_EQ(made.edge_nr, 0);
	aim.is_part = false;
	made = (struct plan_result){ .planned = 9950 };
	ASSERT_EQ(plan_take_edge(&plan, &aim, &made), 0);
	ASSERT_EQ(made.fills, made.edge_nr > 0);
}

/* The line before the chunk behind it is in it: the end is not cut off. */
static void
test_select_edge_keeps_the_line_that_another_chunk_needs(void **state)
{
	struct chunk_record *line;

	add_file("a.c", 0, REASON_NONE);
	add_chunk(900, 1);
	add_chunk(10, 2);
	plan_open(100000);
	plan_score();
	aim = (struct plan_target){ .off = 0 };
	ASSERT_EQ(table_reserve(&rig.run.catalogue.signature_lines,
				sizeof(*line)),
		  0);
	line = catalogue_signature_line(&rig.run.catalogue, 0);
	*line = (struct chunk_record){ .line_first = 9, .line_nr = 1 };
	rig_chunk(&rig, 1)->signature_line = 1;
	for (int needs = 0; needs < 2; needs++) {
		struct rank_candidate it = candidate_of(1);

		plan_close();
		plan_open(100000);
		plan_score();
		it.category = CATEGORY_TREE;
		ASSERT_EQ(plan_consider(&plan, &it), 0);
		if (needs == 0)
			select_bits_clear(&plan.set.signature_lines, 0);
		take_edge(500, RANK_EDGES_CUT);
		ASSERT_EQ(made.edge_nr, needs == 0);
	}
	/* of its signatures nothing is cut off that a chunk needs */
	rig_facts(&rig, 0)->outline_tokens = 400;
	rig.run.job.compress = true;
	plan_close();
	plan_open(100000);
	plan_score();
	ASSERT_EQ(select_bits_set(&plan.set.signature_lines, 0), 0);
	take_edge(200, RANK_EDGES_CUT);
	ASSERT_EQ(made.edge_nr, 1);
	ASSERT_EQ(plan.set.truncated.unit, RANK_SIGNATURES);
}

/* By tiers: first what is left of files, then of those for the end. */
static void
test_select_edge_by_tiers_goes_on_to_the_last_round(void **state)
{
	struct rank_candidate it;

	add_file("a.c", 2 * MONTH, REASON_NONE);
	add_chunk(900, 1);
	add_chunk(900, 2);
	add_file("large.c", 1 * MONTH, REASON_NONE);
	add_chunk(7000, 3);
	add_chunk(7000, 4);
	add_file("b.c", 0, REASON_NONE);
	add_chunk(900, 5);
	rig_facts(&rig, 2)->outline_tokens = 20;
	rig_facts(&rig, 2)->outline_fingerprint[0] = 9;
	plan_open(100000);
	plan_score();
	plan.by_tiers = true;
	aim = (struct plan_target){ .off = 0 };
	it = signatures_of(2);
	it.category = CATEGORY_TREE;
	ASSERT_EQ(plan_consider(&plan, &it), 0);
	take_edge(5000, RANK_EDGES_MEASURED);
	/* b.c is there by its signatures: its only chunk is no part of it */
	ASSERT_EQ(made.edge_nr, 4);
	ASSERT_TRUE(!select_bits_has(&plan.set.chunks, 4));
	ASSERT_TRUE(select_bits_has(&plan.set.chunks, 3));
	plan_close();
	/* not by tiers all of them are of one round */
	plan_open(100000);
	plan_score();
	take_edge(5000, RANK_EDGES_MEASURED);
	ASSERT_EQ(made.edge_nr, 5);
}

/* A log's end comes first of its chunks, and stays for a line of usual length. */
static void
test_select_edge_of_a_log_is_its_end(void **state)
{
	add_file("a.c", 99 * MONTH, REASON_NONE);
	add_chunk(4000, 9);
	add_file("log", 99 * MONTH, REASON_NONE);
	add_chunk(1000, 1);
	add_chunk(1000, 2);
	add_chunk(1000, 3);
	request_lines("log", 1, SOURCE_LINES_ALL, CATEGORY_TOOL);
	requested_files[0].line_nr = 30;
	plan_open(100000);
	plan_score();
	aim = (struct plan_target){ .off = 0 };
	output = 0;
	measured(3, 100);
	take_edge(cost_of_part(3, 4, 100) + 28, RANK_EDGES_CUT);
	/* the last lines of the last chunk */
	ASSERT_EQ(plan.set.truncated.chunk_idx, 3);
	ASSERT_EQ(plan.set.truncated.lines, 4);
	ASSERT_TRUE(made.keeps);
	plan_close();
	plan_open(100000);
	plan_score();
	output = 0;
	measured(3, 100);
	take_edge(cost_of_part(3, 4, 100) + 60, RANK_EDGES_CUT);
	ASSERT_TRUE(!made.keeps);
}

/* Lines of signatures count from 1, and are as many as were told of. */
static void
test_select_edge_of_signatures_is_their_first_lines(void **state)
{
	struct rank_candidate it;
	const struct select_lines some = { .nr = 3 };
	uint64_t room;

	add_file("a.c", 0, REASON_NONE);
	add_chunk(9000, 1);
	rig_facts(&rig, 0)->outline_tokens = 900;
	rig.run.job.compress = true;
	for (uint64_t missing = 0; missing < 2; missing++) {
		plan_open(100000);
		plan_score();
		aim = (struct plan_target){ .off = 0 };
		output = 50;
		for (uint32_t line = 0; line <= 9; line++) {
			note(0, line);
			output += 100;
		}
		it = signatures_of(0);
		room = plan_cost_around(&plan, &it, &some) + 300;
		take_edge(room - missing, RANK_EDGES_CUT);
		ASSERT_EQ(plan.set.truncated.unit, RANK_SIGNATURES);
		ASSERT_EQ(plan.set.truncated.lines, 3 - missing);
		ASSERT_EQ(made.edge_tokens, room - 100 * missing);
		plan_close();
	}
	/* lines of another section of the file are none of theirs */
	plan_open(100000);
	plan_score();
	output = 50;
	for (uint32_t line = 1; line <= 9; line++) {
		note(0, line);
		output += 100;
	}
	take_edge(room, RANK_EDGES_CUT);
	/* a token a line at most: by what was thought */
	ASSERT_TRUE(plan.set.truncated.lines >= 299);
	plan_close();
	/* where the survey has counted their lines, by the mean of them */
	add_name(0, (struct name_entry){ .type = NAME_DEF }, "f")
		->outline_lines = 9;
	plan_open(100000);
	plan_score();
	take_edge(room, RANK_EDGES_CUT);
	ASSERT_EQ(plan.set.truncated.unit, RANK_SIGNATURES);
	ASSERT_EQ(plan.set.truncated.lines, 3);
}

/* Of a tool's output, chunks that score alike, the last come first. */
static void
test_select_edge_of_a_tool_begins_at_the_end(void **state)
{
	add_file("out", 0, REASON_NONE);
	for (uint32_t c = 0; c < 40; c++)
		add_chunk(100, c);
	add_file("tree.c", 0, REASON_NONE);
	for (uint32_t c = 0; c < 40; c++)
		add_chunk(100, 100 + c);
	request_lines("out", 1, SOURCE_LINES_ALL, CATEGORY_TOOL);
	plan_open(100000);
	plan_score();
	aim = (struct plan_target){ .off = 0 };
	take_edge(100, RANK_EDGES_MEASURED);
	ASSERT_EQ(made.edge_nr, 32);
	for (uint64_t c = 0; c < 80; c++)
		ASSERT_EQ(select_bits_has(&plan.set.measured, c),
			  c >= 8 && c < 40);
	plan_close();
	/* what the tree has is in its order */
	rig.run.job.sources = (struct sources){ .text_fd = -1 };
	plan_open(100000);
	plan_score();
	take_edge(100, RANK_EDGES_MEASURED);
	for (uint64_t c = 0; c < 80; c++)
		ASSERT_EQ(select_bits_has(&plan.set.measured, c), c < 32);
}

/* The window that another plan has left is enough, or else those that come after
 * it are looked at as well. */
static void
test_select_edge_goes_on_behind_a_window_that_was_kept(void **state)
{
	enum { LEFT = 5, WANT = 32 };

	add_file("a.c", 0, REASON_NONE);
	for (uint64_t i = 0; i < RANK_CANDIDATES + WANT; i++)
		add_chunk(100, i + 1);
	plan_open(UINT32_MAX);
	plan_score();
	aim = (struct plan_target){ .off = 0 };
	ASSERT_EQ(plan_fill_window(&plan), 0);
	plan_end_windows(&plan);
	ASSERT_TRUE(plan.kept->windows[KEPT_ANY].is_kept);
	ASSERT_EQ(plan.stream.window.nr, RANK_CANDIDATES);
	take_edge(100, RANK_EDGES_MEASURED);
	ASSERT_EQ(made.edge_nr, WANT);
	ASSERT_TRUE(plan.kept->windows[KEPT_ANY].is_kept);
	for (uint64_t i = WANT; i < RANK_CANDIDATES - LEFT; i++) {
		const struct rank_candidate chunk = candidate_of(i);

		ASSERT_EQ(plan_consider(&plan, &chunk), 0);
	}
	ASSERT_EQ(bits_set(&plan.set.chunks), RANK_CANDIDATES - LEFT);
	take_edge(100, RANK_EDGES_MEASURED);
	ASSERT_EQ(made.edge_nr, WANT);
	ASSERT_EQ(bits_set(&plan.set.chunks), RANK_CANDIDATES - LEFT + WANT);
	ASSERT_TRUE(select_bits_has(&plan.set.chunks,
				    RANK_CANDIDATES - LEFT + WANT - 1));
	ASSERT_TRUE(!plan.kept->windows[KEPT_ANY].is_kept);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		PLAN_CASE(test_select_edge_measures_as_many_as_may_be_needed),
		PLAN_CASE(test_select_edge_is_of_what_is_left_and_new),
		PLAN_CASE(test_select_edge_takes_the_best_up_to_a_line),
		PLAN_CASE(test_select_edge_takes_whole_ones_that_came_to_less),
		PLAN_CASE(test_select_edge_knows_the_lines_of_a_later_chunk),
		PLAN_CASE(test_select_edge_takes_the_one_that_fills_it),
		PLAN_CASE(test_select_edge_of_what_was_not_measured_is_a_mean),
		PLAN_CASE(test_select_edge_takes_off_what_was_wrong),
		PLAN_CASE(
			test_select_edge_in_part_takes_nothing_below_what_was_given_back),
		PLAN_CASE(
			test_select_edge_keeps_the_line_that_another_chunk_needs),
		PLAN_CASE(test_select_edge_by_tiers_goes_on_to_the_last_round),
		PLAN_CASE(test_select_edge_of_a_log_is_its_end),
		PLAN_CASE(test_select_edge_of_a_tool_begins_at_the_end),
		PLAN_CASE(
			test_select_edge_goes_on_behind_a_window_that_was_kept),
		PLAN_CASE(test_select_edge_of_signatures_is_their_first_lines),
	};

	return cmocka_run_group_tests_name("select/edge", tests, NULL, NULL);
}
