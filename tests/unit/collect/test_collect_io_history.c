/* SPDX-License-Identifier: MIT */
/*
 * test_collect_io_history.c - commits and what they changed, against git log.
 */
#include "tests/support/test_history_repo.h"

static struct history *
find(const char *const *roots, uint32_t nr, char why[COLLECT_WHY_BYTES])
{
	struct history *history;

	rig_walk_options.roots = roots;
	rig_walk_options.root_nr = nr;
	rig_begin();
	assert_int_equal(history_find(&history, rig_files->walk, MEMORY_BYTES,
				      false, why),
			 0);
	return history;
}

static void
to_hex(const uint8_t id[COLLECT_OBJECT_BYTES], char out[41])
{
	for (int i = 0; i < COLLECT_OBJECT_BYTES; i++)
		snprintf(out + 2 * i, 3, "%02x", id[i]);
}

static void
test_history_is_in_the_order_of_git_log(void **state)
{
	static const char *const roots[] = { "r" };
	char why[COLLECT_WHY_BYTES];
	struct history_commit_at commit;
	struct history *history;
	const char *want;

	make_past(60);
	history = find(roots, 1, why);
	assert_non_null(history);
	for (int from = 0; from < 2; from++) {
		assert_int_equal(history_begin(history, 0,
					       from ? "HEAD~7" : NULL),
				 0);
		want = said(from ? "git -C r log --format=%H%n%an%n%at HEAD~7"
				 : "git -C r log --format=%H%n%an%n%at");
		while (*want != '\0') {
			char got[128];
			int nr;

			assert_int_equal(history_next(history, &commit), 1);
			to_hex(commit.id, got);
			nr = snprintf(got + 40, sizeof(got) - 40,
				      "\n%.*s\n%lld\n",
				      (int)commit.says.author_bytes,
				      commit.says.author,
				      (long long)commit.says.author_s);
			assert_memory_equal(got, want, (size_t)nr + 40);
			want += nr + 40;
		}
		assert_int_equal(history_next(history, &commit), 0);
		assert_false(history_is_cut(history));
	}
	history_close(history);
}

static bool
add_name(void *context, const char *path, size_t bytes)
{
	char *names = context;

	snprintf(names + strlen(names), 1024 - strlen(names), "%.*s\n",
		 (int)bytes, path);
	return true;
}

/* Of a commit that is no merge, against git log; of a merge, against its first
 * parent. */
static void
test_history_changes_are_those_of_git(void **state)
{
	static const char *const roots[] = { "r" };
	char why[COLLECT_WHY_BYTES];
	struct history_commit_at commit;
	struct history *history;
	int merges = 0;
	int others = 0;
	char *all;

	make_past(40);
	history = find(roots, 1, why);
	assert_int_equal(history_begin(history, 0, NULL), 0);
	all = strdup(said("git -C r log --no-merges --format=@%H --name-only"));
	while (history_next(history, &commit) == 1) {
		char names[1024] = "";
		char want[1024] = "";
		char id[41];
		char line[128];
		const char *at;

		assert_int_equal(history_changes(history, add_name, names), 0);
		to_hex(commit.id, id);
		if (commit.says.parent_nr > 1) {
			merges++;
			snprintf(line, sizeof(line),
				 "git -C r diff-tree -r --name-only %s~1 %s",
				 id, id);
			assert_string_equal(names, said(line));
			continue;
		}
		at = strstr(all, id);
		assert_non_null(at);
		at += 41;
		while (*at != '@' && *at != '\0') {
			size_t bytes = strcspn(at, "\n") + 1;

			if (bytes > 1)
				strncat(want, at, bytes);
			at += bytes;
		}
		assert_string_equal(names, want);
		others++;
	}
	assert_true(merges >= 3 && others >= 30);
	free(all);
	history_close(history);
}

static bool
enough(void *context, const char *path, size_t bytes)
{
	return ++*(int *)context < 2;
}

/* Whoever has heard enough is told no more. */
static void
test_history_changes_end_when_they_are_enough(void **state)
{
	static const char *const roots[] = { "r" };
	char why[COLLECT_WHY_BYTES];
	struct history_commit_at commit;
	struct history *history;
	int nr = 0;

	make_past(1);
	shell("cd r; for i in 1 2 3 4 5; do echo > n$i; mkdir d$i; "
	      "echo > d$i/n; done; git add .; git -c user.name=a "
	      "-c user.email=a@b commit -qm many");
	history = find(roots, 1, why);
	assert_int_equal(history_begin(history, 0, NULL), 0);
	assert_int_equal(history_next(history, &commit), 1);
	assert_int_equal(history_changes(history, enough, &nr), 0);
	assert_int_equal(nr, 2);
	history_close(history);
}

/* Roots of one repository, of none, and of another. */
static void
test_history_repositories_are_those_of_the_roots(void **state)
{
	static const char *const roots[] = { "r/d", "plain", "r", "other",
					     "r/d/e" };
	static const char *const none[] = { "plain" };
	static const struct {
		uint32_t repo;
		uint32_t root;
		const char *want;
	} rows[] = { { 0, 0, "d/" }, { 0, 1, NULL }, { 0, 2, "" },
		     { 0, 3, NULL }, { 1, 3, "" },   { 0, 4, "d/e/" },
		     { 1, 0, NULL }, { 0, 5, NULL } };
	char why[COLLECT_WHY_BYTES];
	struct history_commit_at commit;
	struct history *history;

	make_past(3);
	mkdir("plain", 0755);
	shell("git init -q other");
	history = find(roots, ARRAY_LEN(roots), why);
	assert_string_equal(why, "");
	assert_int_equal(history->repo_nr, 2);
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		size_t bytes;
		const char *got = history_prefix(history, rows[i].repo,
						 rows[i].root, &bytes);

		if (rows[i].want == NULL) {
			assert_null(got);
			continue;
		}
		assert_string_equal(got, rows[i].want);
		assert_int_equal(bytes, strlen(rows[i].want));
	}
	/* nothing was committed there */
	assert_int_equal(history_begin(history, 1, NULL), -ENOENT);
	assert_int_equal(history_begin(history, 0, "nosuch"), -ENOENT);
	assert_int_equal(history_begin(history, 0, NULL), 0);
	assert_int_equal(history_next(history, &commit), 1);
	history_close(history);
	assert_null(find(none, 1, why));
	assert_string_equal(why, "");
}

/* A shallow clone ends before the history does: what is missing is not known,
 * and no error. */
static void
test_history_of_a_shallow_clone_ends_where_it_does(void **state)
{
	static const char *const roots[] = { "s" };
	char why[COLLECT_WHY_BYTES];
	char names[1024] = "";
	struct history_commit_at commit;
	struct history *history;

	make_past(6);
	shell("git clone -q --depth 2 file://$PWD/r s");
	history = find(roots, 1, why);
	assert_int_equal(history_begin(history, 0, NULL), 0);
	assert_int_equal(history_next(history, &commit), 1);
	assert_int_equal(history_changes(history, add_name, names), 0);
	assert_true(names[0] != '\0');
	assert_int_equal(history_next(history, &commit), 1);
	assert_int_equal(history_changes(history, add_name, names), -ENOENT);
	assert_int_equal(history_next(history, &commit), 0);
	history_close(history);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		PAST(test_history_is_in_the_order_of_git_log),
		PAST(test_history_changes_are_those_of_git),
		PAST(test_history_changes_end_when_they_are_enough),
		PAST(test_history_repositories_are_those_of_the_roots),
		PAST(test_history_of_a_shallow_clone_ends_where_it_does),
	};

	if (past_skips())
		return 77;
	return cmocka_run_group_tests_name("collect/collect_io_history", tests,
					   NULL, NULL);
}
