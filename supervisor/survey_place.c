/* SPDX-License-Identifier: MIT */
/*
 * survey_place.c - which survey belongs to a run, and where it lies.
 */
#include "supervisor/survey_place.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/absolute_path.h"
#include "base/array.h"
#include "base/diag.h"
#include "base/number_format.h"
#include "base/user_file.h"
#include "catalogue/survey.h"
#include "tokenizer/tokenizer.h"

#define PAST_COMMITS "past commits"

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

bool
survey_build(uint8_t out[SHA256_BYTES])
{
	struct sha256 sha;

	sha256_init(&sha);
	if (dl_iterate_phdr(add_build_id, &sha) != 1)
		return false;
	sha256_end(&sha, out);
	return true;
}

static void
add_text(struct sha256 *sha, const char *text)
{
	sha256_add(sha, text, strlen(text) + 1);
}

void
survey_key_of_roots(const char *const *roots, size_t nr,
		    uint8_t key[SURVEY_KEY_BYTES])
{
	struct sha256 sha;

	sha256_init(&sha);
	for (size_t i = 0; i < nr; i++)
		add_text(&sha, roots[i]);
	sha256_end(&sha, key + SHA256_BYTES);
}

/* The part of a key that is of the roots of a run. */
static bool
add_roots(const struct job *job, uint8_t key[SURVEY_KEY_BYTES])
{
	struct text_list roots = { 0 };
	char root[PATH_MAX];
	int error = 0;

	for (size_t i = 0; error == 0 && i < job->root_nr; i++) {
		error = absolute_path(root, sizeof(root), job->roots[i]);
		if (error == 0)
			error = text_list_add_copy(&roots, root);
	}
	survey_key_of_roots(roots.items, roots.nr, key);
	text_list_free(&roots);
	return error == 0;
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
		job->counts_terms,     job->keeps_signature_lines,
		job->default_excludes, /* base64 is left out with them */
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

	return !job->takes_all && job->sources.file_nr == 0 &&
	       job->file_nr == 0 && job->pin_nr == 0 && job->forced_nr == 0 &&
	       job->rev == NULL && job->markup.kind != MARKUP_TEMPLATE &&
	       strchr(tokenizer_name(run->tokenizer), '/') == NULL;
}

bool
survey_key(const struct run *run, uint8_t key[SURVEY_KEY_BYTES])
{
	uint8_t build[SHA256_BYTES];
	struct sha256 settings;

	sha256_init(&settings);
	if (!is_kept(run) || !survey_build(build) || !add_roots(&run->job, key))
		return false;
	sha256_add(&settings, build, sizeof(build));
	add_settings(&settings, run);
	sha256_end(&settings, key);
	return true;
}

bool
survey_past_key(const struct run *run, uint8_t key[SURVEY_KEY_BYTES])
{
	uint8_t build[SHA256_BYTES];
	struct sha256 sha;

	sha256_init(&sha);
	if (!survey_build(build) || !add_roots(&run->job, key))
		return false;
	sha256_add(&sha, build, sizeof(build));
	add_text(&sha, PAST_COMMITS);
	sha256_end(&sha, key);
	return true;
}

/* The settings of a survey that people tell one from another by. */
static void
put_settings(FILE *out, const struct run *run)
{
	const struct job *job = &run->job;
	const struct {
		bool is_on;
		const char *word;
	} words[] = {
		{ job->compress, "signatures" },
		{ !job->compress && job->is_broad, "overview" },
		{ !job->compress && job->tiers && !job->is_broad, "tiers" },
		{ job->doc, "doc" },
		{ job->strip_comments, "no comments" },
		{ job->no_dedup, "no dedup" },
		{ job->markup.numbers, "line numbers" },
		{ job->markup.hashes, "hashes" },
		{ job->counts_terms, "query" },
		{ job->tells_code, "report" },
		{ job->secrets == SECRETS_OFF, "secrets off" },
		{ !job->default_excludes, "no default excludes" },
	};

	fprintf(out, "%s, %s", tokenizer_name(run->tokenizer),
		markup_table[job->markup.kind]->name);
	if (job->chunk_lines > 0)
		fprintf(out, ", chunks of %ju lines",
			(uintmax_t)job->chunk_lines);
	for (size_t i = 0; i < ARRAY_LEN(words); i++)
		if (words[i].is_on)
			fprintf(out, ", %s", words[i].word);
	fputc('\0', out);
}

static void
put_past(FILE *out, const struct run *run)
{
	(void)run;
	fwrite(PAST_COMMITS, 1, sizeof(PAST_COMMITS), out);
}

static int
make_label(const struct run *run, void (*put)(FILE *, const struct run *),
	   char **out, size_t *bytes)
{
	FILE *text = open_memstream(out, bytes);
	char root[PATH_MAX];

	if (text == NULL)
		return -ENOMEM;
	put(text, run);
	for (size_t i = 0; i < run->job.root_nr; i++) {
		if (absolute_path(root, sizeof(root), run->job.roots[i]) == 0)
			fputs(root, text);
		fputc('\0', text);
	}
	return fclose(text) == 0 ? 0 : -ENOMEM;
}

int
survey_label(const struct run *run, char **out, size_t *bytes)
{
	return make_label(run, put_settings, out, bytes);
}

int
survey_past_label(const struct run *run, char **out, size_t *bytes)
{
	return make_label(run, put_past, out, bytes);
}

void
survey_name(char out[SURVEY_NAME_BYTES + 1],
	    const uint8_t key[SURVEY_KEY_BYTES])
{
	figure_hex(out, key, SURVEY_NAME_BYTES / 4);
	figure_hex(out + SURVEY_NAME_BYTES / 2, key + SHA256_BYTES,
		   SURVEY_NAME_BYTES / 4);
}

int
survey_path(char *out, size_t size, const uint8_t key[SURVEY_KEY_BYTES])
{
	char name[sizeof(SURVEYS "/") + SURVEY_NAME_BYTES] = SURVEYS "/";

	survey_name(name + strlen(SURVEYS "/"), key);
	return user_file_path(out, size, USER_FILE_CACHE, name);
}

void
survey_use(struct run *run)
{
	uint8_t key[SURVEY_KEY_BYTES];
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
