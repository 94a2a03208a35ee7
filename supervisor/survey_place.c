/* SPDX-License-Identifier: MIT */
/*
 * survey_place.c - which survey belongs to a run, and where it lies.
 */
#include "supervisor/survey_keep.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/diag.h"
#include "base/user_file.h"
#include "catalogue/survey.h"
#include "tokenizer/tokenizer.h"

#define SURVEYS "surveys/"

/* ---- what it depends on -------------------------------------------------- */

/* The build id of the program: another one may find other facts. */
static int
add_build_id(struct dl_phdr_info *info, size_t size, void *sha)
{
	(void)size;
	for (int i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *part = &info->dlpi_phdr[i];
		const uint8_t *at =
			(const uint8_t *)(info->dlpi_addr + part->p_vaddr);
		const uint8_t *end = at + part->p_memsz;

		while (part->p_type == PT_NOTE &&
		       end - at >= (ptrdiff_t)sizeof(ElfW(Nhdr))) {
			const ElfW(Nhdr) *note = (const void *)at;
			size_t name = (note->n_namesz + 3u) / 4 * 4;
			size_t text = (note->n_descsz + 3u) / 4 * 4;

			if (note->n_type == NT_GNU_BUILD_ID) {
				sha256_add(sha, at + sizeof(*note) + name,
					   note->n_descsz);
				return 1;
			}
			at += sizeof(*note) + name + text;
		}
	}
	/* the first object is the program itself */
	return -1;
}

static void
add_text(struct sha256 *sha, const char *text)
{
	sha256_add(sha, text, strlen(text) + 1);
}

/* The roots, without a look at what they lead to: that might not answer. */
static bool
add_roots(struct sha256 *sha, const struct job *job)
{
	char here[PATH_MAX];

	if (getcwd(here, sizeof(here)) == NULL)
		return false;
	for (size_t i = 0; i < job->root_nr; i++) {
		add_text(sha, job->roots[i][0] == '/' ? "" : here);
		add_text(sha, job->roots[i]);
	}
	return true;
}

/* The settings that facts of files depend on. */
static void
add_settings(struct sha256 *sha, const struct run *run)
{
	const struct job *job = &run->job;
	const uint64_t settings[] = {
		job->invalid_utf8,     job->secrets,
		job->margin_percent,   job->normalize,
		job->no_dedup,         job->packs_all,
		job->drops_duplicates, job->whole_files,
		job->compress,         job->tiers,
		job->is_broad,         job->doc,
		job->strip_comments,   job->strips,
		job->outlines,         job->transforms,
		job->tells_code,       job->chunk_max_tokens,
		job->chunk_min_tokens, job->chunk_lines,
		job->whole_bytes,      job->part_bytes,
		job->markup.kind,      job->markup.unicode,
		job->markup.numbers,   job->markup.hashes,
	};

	sha256_add(sha, settings, sizeof(settings));
	add_text(sha, tokenizer_name(run->tokenizer));
}

/* Whether the facts of files depend on their content, path and settings
 * alone. */
static bool
is_kept(const struct run *run)
{
	const struct job *job = &run->job;

	return !job->takes_all && !job->counts_terms &&
	       !job->keeps_signature_lines && job->sources.file_nr == 0 &&
	       job->file_nr == 0 && job->pin_nr == 0 && job->forced_nr == 0 &&
	       job->rev == NULL && job->markup.kind != MARKUP_TEMPLATE &&
	       strchr(tokenizer_name(run->tokenizer), '/') == NULL;
}

bool
survey_key(const struct run *run, uint8_t key[SHA256_BYTES])
{
	struct sha256 sha;

	sha256_init(&sha);
	if (!is_kept(run) || dl_iterate_phdr(add_build_id, &sha) != 1 ||
	    !add_roots(&sha, &run->job))
		return false;
	add_settings(&sha, run);
	sha256_end(&sha, key);
	return true;
}

int
survey_path(char *out, size_t size, const uint8_t key[SHA256_BYTES])
{
	char name[sizeof(SURVEYS) + 2 * 16] = SURVEYS;

	for (int i = 0; i < 16; i++)
		snprintf(name + strlen(name), 3, "%02x", key[i]);
	return user_file_path(out, size, USER_FILE_CACHE, name);
}

void
survey_use(struct run *run)
{
	uint8_t key[SHA256_BYTES];
	char path[PATH_MAX];
	int error = 0;
	int fd;

	if (!survey_key(run, key) || survey_path(path, sizeof(path), key) != 0)
		return;
	fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
	if (fd < 0)
		return;
	error = survey_open(&run->catalogue.survey, fd, key);
	if (error == 0) {
		/* used now: the last to be removed */
		futimens(fd, NULL);
		return;
	}
	close(fd);
	diag_log(DIAG_INFO, "%s: %s; reading all files", QUOTED(path),
		 error == -EINVAL ? "no survey of these files, or damaged"
				  : diag_errno(error));
}

/* ---- the directory -------------------------------------------------------- */

/* The survey that is unused for longest, and the bytes of all. */
static uint64_t
find_oldest(DIR *dir, char oldest[NAME_MAX + 1])
{
	struct timespec first = { 0 };
	const struct dirent *entry;
	uint64_t bytes = 0;
	struct stat st;

	oldest[0] = '\0';
	rewinddir(dir);
	while ((entry = readdir(dir)) != NULL) {
		if (fstatat(dirfd(dir), entry->d_name, &st,
			    AT_SYMLINK_NOFOLLOW) != 0 ||
		    !S_ISREG(st.st_mode))
			continue;
		bytes += (uint64_t)st.st_blocks * 512;
		if (oldest[0] != '\0' &&
		    (st.st_mtim.tv_sec > first.tv_sec ||
		     (st.st_mtim.tv_sec == first.tv_sec &&
		      st.st_mtim.tv_nsec >= first.tv_nsec)))
			continue;
		first = st.st_mtim;
		snprintf(oldest, NAME_MAX + 1, "%s", entry->d_name);
	}
	return bytes;
}

void
survey_make_room(const char *path)
{
	char directory[PATH_MAX];
	char oldest[NAME_MAX + 1];
	DIR *dir;

	snprintf(directory, sizeof(directory), "%.*s",
		 (int)(strrchr(path, '/') - path), path);
	dir = opendir(directory);
	if (dir == NULL)
		return;
	while (find_oldest(dir, oldest) > SURVEYS_BYTES && oldest[0] != '\0' &&
	       unlinkat(dirfd(dir), oldest, 0) == 0)
		continue;
	closedir(dir);
}
