/* SPDX-License-Identifier: MIT */
/*
 * test_io_pack.c - commits and trees from packs, compared with those that the
 * library reads.
 */
#include "tests/support/test_git_repo.h"

/* Packs of so many commits with chains of differences, some to bases by name,
 * and a loose commit on top; each object but blobs is a line of "objects". */
static void
make_packs(int nr)
{
	char line[512];

	need_git();
	snprintf(line, sizeof(line),
		 "cd r; mkdir -p d/e; git config maintenance.auto false; "
		 "for i in $(seq 1 40); do echo $i > d/e/f$i; done; "
		 "for i in $(seq 1 %d); do echo $i >> d/e/f$((i %% 40 + 1)); "
		 "echo $i > d/g$i; git add d; git commit -qm \"number $i\"; "
		 "[ $i != %d ] || git repack -adfq --depth=20 --window=50; "
		 "done",
		 nr, nr / 2);
	shell(line);
	shell("cd r; "
	      "git config repack.useDeltaBaseOffset false; git repack -dfq; "
	      "git commit -qm loose --allow-empty");
	shell("cd r; git rev-list --all --objects | cut -d ' ' -f 1 | "
	      "git cat-file --batch-check='%(objecttype) %(objectname)' | "
	      "grep -v blob | grep -v tag > ../objects");
}

/* Reads all that is in "objects" both ways; how many came from packs. */
static int
compare_all(size_t memory_bytes)
{
	FILE *list = fopen("objects", "re");
	char why[REPO_WHY_BYTES];
	char type[16];
	char name[64];
	struct repo repo;
	int nr = 0;

	assert_non_null(list);
	assert_int_equal(find(&repo, "r", NULL, why), 0);
	assert_int_equal(repo_open(&repo), 0);
	repo_use_packs(&repo, memory_bytes);
	while (fscanf(list, "%15s %63s", type, name) == 2) {
		git_object_t want = strcmp(type, "tree") == 0
					    ? GIT_OBJECT_TREE
					    : GIT_OBJECT_COMMIT;
		struct repo_object object;
		git_odb_object *library;
		git_oid oid;

		assert_int_equal(gitlib.git_oid_fromstr(&oid, name), 0);
		assert_int_equal(repo_read(&repo, &oid, want, &library), 0);
		assert_int_equal(repo_read_object(&repo, &oid, want, &object),
				 0);
		assert_int_equal(object.bytes,
				 gitlib.git_odb_object_size(library));
		assert_memory_equal(object.data,
				    gitlib.git_odb_object_data(library),
				    object.bytes);
		nr += object.packed != NULL;
		repo_object_close(&object);
		gitlib.git_odb_object_free(library);
		/* one of another type is none */
		assert_int_equal(repo_read_object(&repo, &oid,
						  (git_object_t)(3 - want),
						  &object),
				 -EINVAL);
		assert_null(object.library);
	}
	fclose(list);
	repo_close(&repo);
	return nr;
}

/* Also when next to nothing is kept. */
static void
test_packs_have_what_the_library_reads(void **state)
{
	make_packs(46);
	assert_in_range(compare_all((size_t)1 << 20), 180, 1000);
	assert_in_range(compare_all(1), 180, 1000);
}

/* Nobody reads it just to learn that it is too large. */
static void
test_packs_say_which_blobs_are_large(void **state)
{
	char why[REPO_WHY_BYTES];
	struct repo_object object;
	git_odb_object *library;
	struct repo repo;
	git_oid oid;
	char name[64];
	FILE *list;

	need_git();
	shell("cd r; seq 1 400000 > large; git add large; git commit -qm x; "
	      "git repack -adfq; git rev-parse HEAD:large > ../large");
	list = fopen("large", "re");
	assert_non_null(list);
	assert_int_equal(fscanf(list, "%63s", name), 1);
	fclose(list);
	assert_int_equal(find(&repo, "r", NULL, why), 0);
	assert_int_equal(repo_open(&repo), 0);
	repo_use_packs(&repo, (size_t)1 << 20);
	assert_int_equal(gitlib.git_oid_fromstr(&oid, name), 0);
	assert_int_equal(
		repo_read_object(&repo, &oid, GIT_OBJECT_BLOB, &object),
		-EFBIG);
	assert_int_equal(repo_read(&repo, &oid, GIT_OBJECT_BLOB, &library), 0);
	assert_true(gitlib.git_odb_object_size(library) > PACK_OBJECT_MAX);
	gitlib.git_odb_object_free(library);
	repo_close(&repo);
}

/* Whatever is unusual is for the library. */
static void
test_packs_that_are_not_known_are_not_used(void **state)
{
	make_packs(6);
	shell("cd r/.git/objects/pack; for i in *.idx; do chmod +w $i; "
	      "printf '\\0' | dd of=$i bs=1 count=1 conv=notrunc; "
	      "cp $i other.idx; done");
	{
		struct packs *packs;
		int fd = open("r/.git", O_RDONLY | O_DIRECTORY | O_CLOEXEC);

		assert_int_equal(packs_open(&packs, fd, 1 << 20), 0);
		assert_null(packs);
		close(fd);
	}
}

/* Puts a byte into a file whose size it leaves; gives the one that was there. */
static char
put_byte(const char *path, off_t off, char byte)
{
	int fd = open(path, O_RDWR | O_CLOEXEC);
	char was;

	assert_true(fd >= 0);
	assert_int_equal(pread(fd, &was, 1, off), 1);
	assert_int_equal(pwrite(fd, &byte, 1, off), 1);
	close(fd);
	return was;
}

/* A byte of another value is found out, or changes nothing. */
static void
test_packs_that_are_damaged_give_nothing_else(void **state)
{
	struct packs *packs;
	int fd;

	make_packs(6);
	shell("cd r; git repack -adfq; chmod +w .git/objects/pack/*; "
	      "mv .git/objects/pack/*.pack .git/objects/pack/x.pack; "
	      "mv .git/objects/pack/*.idx .git/objects/pack/x.idx");
	for (int off = 13; off < 2000; off += 37) {
		FILE *list = fopen("objects", "re");
		char was = put_byte("r/.git/objects/pack/x.pack", off, 'x');
		char type[16];
		char name[64];

		fd = open("r/.git", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
		assert_int_equal(packs_open(&packs, fd, 1 << 20), 0);
		assert_non_null(packs);
		close(fd);
		while (fscanf(list, "%15s %63s", type, name) == 2) {
			git_oid oid;
			struct packed *object;

			gitlib.git_oid_fromstr(&oid, name);
			if (packs_read(packs, oid.id, PACK_COMMIT, &object) ==
			    0)
				assert_memory_equal(object->data, "tree ", 5);
			packed_release(object);
		}
		fclose(list);
		packs_close(packs);
		put_byte("r/.git/objects/pack/x.pack", off, was);
	}
}

/* A link in place of a pack, or of their folder, is not followed. */
static void
test_packs_behind_links_are_not_read(void **state)
{
	static const char *const lines[] = {
		"cd r/.git/objects/pack; for i in *.pack; do mv $i ../$i; "
		"ln -s ../$i $i; done",
		"cd r/.git/objects; mv pack elsewhere; ln -s elsewhere pack",
	};

	make_packs(6);
	for (size_t i = 0; i < ARRAY_LEN(lines); i++) {
		struct packs *packs;
		int fd;

		shell(lines[i]);
		fd = open("r/.git", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
		assert_int_equal(packs_open(&packs, fd, 1 << 20), 0);
		assert_null(packs);
		close(fd);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_packs_have_what_the_library_reads),
		TEST(test_packs_say_which_blobs_are_large),
		TEST(test_packs_that_are_not_known_are_not_used),
		TEST(test_packs_that_are_damaged_give_nothing_else),
		TEST(test_packs_behind_links_are_not_read),
	};

	return cmocka_run_group_tests_name("git/io_pack", tests, NULL, NULL);
}
