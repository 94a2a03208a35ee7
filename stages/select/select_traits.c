/* SPDX-License-Identifier: MIT */
/*
 * select_traits.c - names of the catalogue, turned into traits, which give files
 * points.
 *
 * Does not: give points (priority.c); resolve imports (rank/imports*.c).
 */
#include "stages/select/select_plan.h"

#include <string.h>

#include "base/glob.h"
#include "rank/imports.h"
#include "rank/kind.h"
#include "rank/priority.h"
#include "catalogue/files.h"
#include "catalogue/names.h"
#include "catalogue/traits.h"

#define FILES_MAX (1u << 22) /* of more, importers are not counted */

struct finding {
	struct planner *planner;
	struct imports imports;
	bool counts; /* importers */
	struct rank_directory directory;
};

static const uint8_t *
path_of(const void *context, uint32_t file_idx, size_t *bytes)
{
	const struct catalogue *catalogue = context;
	const struct file_record *file = catalogue_file(catalogue, file_idx);

	*bytes = file->path_bytes;
	return catalogue_path(catalogue, file);
}

/* So much was used of the memory for counting. */
static void
touched(const void *context, uint32_t groups)
{
	const struct catalogue *catalogue = context;

	table_touched(&catalogue->traits, groups);
}

static const struct names *
names_of(const struct finding *finding, uint64_t file_idx)
{
	const struct catalogue *catalogue = finding->planner->catalogue;

	return catalogue_names(catalogue, catalogue_facts(catalogue, file_idx));
}

/* A file has been looked at: what there is of it lies beside that of the last. */
static void
passed(const struct finding *finding)
{
	touched(finding->planner->catalogue, 1);
}

/* ---- what can be imported ----------------------------------------------- */

/* Packages, and what is defined in the last one that was named. */
static void
add_names(struct imports *imports, const struct names *names)
{
	const struct name_entry *entry;
	const struct name_entry *package = NULL;
	uint32_t at = 0;

	while ((entry = names_next(names, &at)) != NULL) {
		const uint8_t *text = (const uint8_t *)(entry + 1);

		if (entry->type == NAME_PACKAGE) {
			package = entry;
			imports_add_package(imports, text, entry->bytes);
		} else if (entry->type == NAME_DEF && package != NULL &&
			   !(entry->flags & NAME_MEMBER)) {
			imports_add_class(imports,
					  (const uint8_t *)(package + 1),
					  package->bytes, text, entry->bytes);
		}
	}
}

static void
add_files(struct finding *finding)
{
	for (uint64_t i = 0; i < finding->planner->file_nr; i++) {
		const struct names *names = names_of(finding, i);

		imports_file(&finding->imports, (uint32_t)i);
		imports_add(&finding->imports);
		if (names != NULL && names->package_nr > 0)
			add_names(&finding->imports, names);
		passed(finding);
	}
}

/* ---- what is imported, and the rest ------------------------------------- */

static bool
is_main(const struct name_entry *entry)
{
	return entry->type == NAME_DEF && entry->bytes == 4 &&
	       (memcmp(entry + 1, "main", 4) == 0 ||
		memcmp(entry + 1, "Main", 4) == 0);
}

static void
find_of_names(struct finding *finding, const struct names *names,
	      struct file_traits *traits)
{
	struct imports *imports = &finding->imports;
	const struct name_entry *entry;
	uint32_t at = 0;

	traits->exports = (uint16_t)min_u64(names->export_nr, UINT16_MAX);
	traits->markers = (uint16_t)min_u64(names->marker_nr, UINT16_MAX);
	while ((entry = names_next(names, &at)) != NULL) {
		const uint8_t *text = (const uint8_t *)(entry + 1);

		if (is_main(entry) && traits->class == RANK_CLASS_CODE)
			traits->kinds |= RANK_KIND_ENTRY;
		if (!finding->counts)
			continue;
		if (entry->type == NAME_IMPORT)
			imports_count(imports, text, entry->bytes,
				      entry->flags & NAME_ANGLED);
		else if (entry->type == NAME_DEF)
			imports_count_module(imports, text, entry->bytes);
	}
}

/* What its path says of it, and the user. */
static void
find_of_path(struct finding *finding, uint64_t file_idx,
	     struct file_traits *traits)
{
	const struct job *job = finding->planner->job;
	const struct catalogue *catalogue = finding->planner->catalogue;
	const struct file_record *file = catalogue_file(catalogue, file_idx);
	const uint8_t *path =
		catalogue_path(catalogue, file) + file->root_bytes;
	size_t bytes = file->path_bytes - file->root_bytes;

	traits->kinds =
		(uint8_t)rank_kinds_next(&finding->directory, path, bytes);
	traits->class = (uint8_t)rank_class_of_file(file, traits->kinds);
	/* a page called index is no place where a program begins */
	if (traits->class != RANK_CLASS_CODE)
		traits->kinds &= (uint8_t)~RANK_KIND_ENTRY;
	if (job->pin_nr + job->boost_nr == 0)
		return;
	traits->is_pinned = job_pins(job, catalogue, file);
	traits->is_boosted =
		file->root_idx != SOURCE_ROOT_TEXT &&
		globs_name_path(job->boosts, job->boost_nr, path, bytes);
}

static void
find_files(struct finding *finding)
{
	const struct catalogue *catalogue = finding->planner->catalogue;

	for (uint64_t i = 0; i < finding->planner->file_nr; i++) {
		const struct names *names = names_of(finding, i);
		struct file_traits *traits = catalogue_traits(catalogue, i);

		*traits = (struct file_traits){ 0 };
		find_of_path(finding, i, traits);
		if (names != NULL && !finding->planner->job->places_only) {
			if (finding->counts)
				imports_file(&finding->imports, (uint32_t)i);
			find_of_names(finding, names, traits);
		}
		passed(finding);
	}
}

/* ---- where programs begin ----------------------------------------------- */

/* What manifests say; index.js is that of a package that does not say. */
static void
find_entries(struct finding *finding)
{
	static const char by_default[] = "\"main\": \"index\"";
	struct imports *imports = &finding->imports;

	for (uint64_t i = 0; i < finding->planner->file_nr; i++) {
		const struct names *names = names_of(finding, i);
		const struct name_entry *entry;
		uint32_t at = 0;
		bool has_entry = false;

		if (names == NULL || names->package_nr == 0)
			continue;
		imports_file(imports, (uint32_t)i);
		while ((entry = names_next(names, &at)) != NULL)
			if (entry->type == NAME_PACKAGE)
				has_entry |= imports_entry(
					imports, (const uint8_t *)(entry + 1),
					entry->bytes);
		if (!has_entry)
			imports_entry(imports, (const uint8_t *)by_default,
				      sizeof(by_default) - 1);
	}
}

/* ---- memory ------------------------------------------------------------- */

/* Enough for a thousand files. */
#define FEW_BYTES (512u << 10)

/* Traits, and behind them the memory for counting, all zero. Of few files this
 * is not in the table, whose space on disk takes longer to have and to free. */
static int
reserve(struct finding *finding, uint8_t **memory)
{
	const struct job *job = finding->planner->job;
	const struct table *table = &finding->planner->catalogue->traits;
	uint64_t traits = round_up_u64(
		finding->planner->file_nr * sizeof(struct file_traits), 64);
	static _Alignas(64) uint8_t few[FEW_BYTES];
	uint64_t bytes = 0;
	bool is_few;
	int error;

	/* with a query they are for whoever looks at the factors, and for tiers,
	 * which ask the points of a large file */
	finding->counts =
		finding->planner->file_nr <= FILES_MAX && !job->places_only &&
		(job->query == NULL || job->wants_scores || job->tiers);
	if (finding->counts)
		bytes = 64 + imports_bytes((uint32_t)finding->planner->file_nr);
	is_few = bytes <= FEW_BYTES;
	error = finding->planner->reserve(table, traits + (is_few ? 0 : bytes));
	if (error != 0)
		return error;
	*memory = is_few ? few : table_at(table, traits, bytes);
	/* it is all zero when it is new; what one left that died is not */
	if (**memory != 0 && is_few)
		memset(few, 0, sizeof(few));
	else if (**memory != 0)
		finding->planner->clear(table, traits, bytes);
	**memory = 1;
	*memory += 64;
	return 0;
}

/* What others say of a file. */
static void
take_counts(const struct finding *finding, uint64_t file_idx)
{
	const struct imports_count *count = &finding->imports.files[file_idx];
	struct file_traits *traits =
		catalogue_traits(finding->planner->catalogue, file_idx);

	traits->importers = count->importers;
	if (count->is_entry && traits->class == RANK_CLASS_CODE)
		traits->kinds |= RANK_KIND_ENTRY;
	passed(finding);
}

int
select_find_traits(struct planner *planner)
{
	struct finding finding = { .planner = planner };
	const struct imports_tree tree = {
		.path = path_of,
		.touched = touched,
		.context = planner->catalogue,
		.file_nr = (uint32_t)planner->file_nr,
	};
	uint8_t *memory = NULL;
	int error = reserve(&finding, &memory);

	if (error != 0)
		return error;
	if (finding.counts) {
		imports_init(&finding.imports, &tree, memory);
		add_files(&finding);
	}
	find_files(&finding);
	if (finding.counts) {
		find_entries(&finding);
		imports_end(&finding.imports);
		for (uint64_t i = 0; i < planner->file_nr; i++)
			take_counts(&finding, i);
	}
	return 0;
}
