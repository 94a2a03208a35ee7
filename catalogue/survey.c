/* SPDX-License-Identifier: MIT */
/*
 * survey.c - a survey that was kept, and is read.
 */
#include "catalogue/survey.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/fd_io.h"
#include "base/hash.h"

#define RECORDS_AT_ONCE (TABLE_GROUP_BYTES / sizeof(struct chunk_record))
#define PATH_SEED(root_idx) (HASH64_BEGIN ^ (root_idx))

/* Of an entry and its path, */
static struct checksum
begin_sum(const struct surveyed *surveyed)
{
	const struct survey_entry *entry = surveyed->entry;
	struct checksum sum = checksum_begin();

	checksum_add(&sum, surveyed->path, entry->file.path_bytes);
	checksum_add(&sum, entry, offsetof(struct survey_entry, sum));
	return sum;
}

/* then its chunks, and at last its words and names. */
static uint64_t
end_sum(struct checksum *sum, const struct surveyed *surveyed)
{
	const struct survey_entry *entry = surveyed->entry;

	if (entry->facts.word_nr > 0)
		checksum_add(sum, surveyed->words,
			     entry->facts.word_nr * sizeof(uint64_t));
	if (entry->names_bytes > 0)
		checksum_add(sum, surveyed->names, entry->names_bytes);
	return checksum_end(sum);
}

uint64_t
survey_sum(const struct surveyed *surveyed, survey_chunk_fn *chunk,
	   const void *context)
{
	const struct survey_entry *entry = surveyed->entry;
	struct checksum sum = begin_sum(surveyed);

	for (uint64_t i = 0; i < survey_record_nr(entry); i++) {
		struct chunk_record copy =
			*chunk(context, entry->facts.chunk_first + i);

		copy.file_idx = 0;
		checksum_add(&sum, &copy, sizeof(copy));
	}
	return end_sum(&sum, surveyed);
}

uint64_t
survey_head_sum(const struct survey_head *head)
{
	struct checksum sum = checksum_begin();

	checksum_add(&sum, head, offsetof(struct survey_head, sum));
	return checksum_end(&sum);
}

uint64_t
survey_slot(const struct survey_head *head, uint32_t root_idx,
	    const uint8_t *path, size_t bytes)
{
	uint64_t hash = hash64(PATH_SEED(root_idx), path, bytes);

	return (hash ^ hash >> 32) & (head->slot_nr - 1);
}

uint64_t
survey_content_slot(const struct survey_head *head,
		    const struct content_record *content)
{
	uint64_t hash;

	memcpy(&hash, content->sha256, sizeof(hash));
	return hash & (head->slot_nr - 1);
}

/* ---- reading ------------------------------------------------------------ */

/* Whether nr records of a size lie between two places of the file. */
static bool
is_between(uint64_t from, uint64_t nr, uint64_t size, uint64_t to)
{
	return from <= to && from % 8 == 0 && nr <= (to - from) / size;
}

/* Whether it is of a build whose files have another layout. */
static bool
has_other_layout(const struct survey_head *head)
{
	return memcmp(head->magic, SURVEY_MAGIC, sizeof(head->magic) - 1) ==
		       0 &&
	       memcmp(head->magic, SURVEY_MAGIC, sizeof(head->magic)) != 0;
}

/* Whether a head is one, of a file that is as long as it says. */
static bool
head_valid(const struct survey_head *head, uint64_t bytes)
{
	return memcmp(head->magic, SURVEY_MAGIC, sizeof(head->magic)) == 0 &&
	       head->sum == survey_head_sum(head) && head->bytes == bytes &&
	       head->label_bytes <= SURVEY_LABEL_BYTES &&
	       head->slot_nr > head->entry_nr &&
	       (head->slot_nr & (head->slot_nr - 1)) == 0 &&
	       head->slots_off >= TABLE_HEAD_BYTES &&
	       is_between(head->slots_off, head->slot_nr, sizeof(uint32_t),
			  head->contents_off) &&
	       is_between(head->contents_off, head->slot_nr, sizeof(uint32_t),
			  head->entries_off) &&
	       head->entry_nr <= NAMES_ENTRIES_MAX &&
	       bytes <= 1ull << NAMES_OFF_BITS &&
	       is_between(head->entries_off, head->entry_nr,
			  sizeof(struct survey_entry), head->paths_off) &&
	       is_between(head->paths_off, 0, 1, head->chunks_off) &&
	       is_between(head->chunks_off, 0, 1, head->words_off) &&
	       is_between(head->words_off, 0, 1, head->past_off) &&
	       is_between(head->past_off, 0, 1, head->names_off) &&
	       is_between(head->names_off, NAMES_ROOM_BYTES, 1, bytes);
}

int
survey_read_head(int fd, struct survey_head *head)
{
	off_t end = lseek(fd, 0, SEEK_END);

	if (end < 0)
		return -errno;
	if (fd_pread_all(fd, head, sizeof(*head), 0) != 0)
		return -EINVAL;
	if (has_other_layout(head))
		return -EPROTO;
	return head_valid(head, (uint64_t)end) ? 0 : -EINVAL;
}

int
survey_read_label(int fd, const struct survey_head *head, char **out)
{
	size_t nr = head->label_bytes;
	char *label = malloc(nr + 1);

	*out = NULL;
	if (label == NULL)
		return -ENOMEM;
	if (nr == 0 || fd_pread_all(fd, label, nr, sizeof(*head)) != 0 ||
	    hash64(HASH64_BEGIN, label, nr) != head->label_sum ||
	    label[nr - 1] != '\0') {
		free(label);
		return -EINVAL;
	}
	*out = label;
	return 0;
}

static bool
past_is_whole(const struct survey_head *head, const void *past)
{
	struct checksum sum = checksum_begin();

	checksum_add(&sum, past, survey_past_bytes(head));
	return checksum_end(&sum) == head->past_sum;
}

int
survey_read_past(int fd, const struct survey_head *head, void *out)
{
	uint64_t nr = survey_past_bytes(head);

	return fd_pread_all(fd, out, nr, head->past_off) == 0 &&
			       past_is_whole(head, out)
		       ? 0
		       : -EINVAL;
}

bool
survey_past_is_whole(const struct survey *survey)
{
	const struct survey_head *head = &survey->head;
	uint64_t nr = survey_past_bytes(head);

	return nr == 0 || past_is_whole(head, table_at(&survey->table,
						       head->past_off, nr));
}

int
survey_open(struct survey *survey, int fd, const uint8_t key[SURVEY_KEY_BYTES])
{
	struct survey_head head;
	int error = survey_read_head(fd, &head);

	*survey = (struct survey){ 0 };
	if (error != 0 || memcmp(head.key, key, sizeof(head.key)) != 0)
		return -EINVAL;
	error = table_open(&survey->table, fd, head.bytes);
	if (error == 0)
		survey->head = head;
	return error;
}

bool
survey_hold(const struct survey *survey)
{
	int fd = table_fd(&survey->table);

	if (fd >= 0)
		fcntl(fd, F_SETLEASE, F_RDLCK);
	return table_backed_bytes(&survey->table) >= survey->head.bytes;
}

bool
survey_entry_fits(const struct survey *survey, uint32_t idx)
{
	const struct survey_head *head = &survey->head;
	const struct survey_entry *entry = survey_entry(survey, idx);
	const struct file_record *file = &entry->file;
	const struct file_facts *facts = &entry->facts;
	uint64_t path_room = head->chunks_off - head->paths_off;
	uint64_t chunk_room = (head->words_off - head->chunks_off) /
			      sizeof(struct chunk_record);
	uint64_t word_room =
		(head->past_off - head->words_off) / sizeof(uint64_t);
	uint64_t names_room = head->bytes - head->names_off - NAMES_ROOM_BYTES;

	return file->path_off <= path_room &&
	       file->path_bytes <= path_room - file->path_off &&
	       facts->chunk_first <= chunk_room &&
	       survey_record_nr(entry) <= chunk_room - facts->chunk_first &&
	       facts->word_first <= word_room &&
	       facts->word_nr <= word_room - facts->word_first &&
	       (facts->names_off == 0) == (entry->names_bytes == 0) &&
	       facts->names_off <= names_room + 1 &&
	       entry->names_bytes <= sizeof(struct names) + NAMES_FILE_BYTES &&
	       facts->signatures_bytes <= NAMES_SIGNATURES_BYTES &&
	       file_record_valid(file);
}

uint64_t
survey_entry_sum(const struct survey *survey, const struct surveyed *found)
{
	uint64_t first = found->entry->facts.chunk_first;
	uint64_t left = survey_record_nr(found->entry);
	struct checksum sum = begin_sum(found);

	/* side by side, but no more of them at once than table_at() counts */
	while (left > 0) {
		uint64_t nr = min_u64(left, RECORDS_AT_ONCE);

		checksum_add(&sum, survey_chunks(survey, first, nr),
			     nr * sizeof(struct chunk_record));
		first += nr;
		left -= nr;
	}
	return end_sum(&sum, found);
}

bool
survey_entry_is_whole(const struct survey *survey, uint32_t idx)
{
	struct surveyed found;

	if (!survey_entry_fits(survey, idx))
		return false;
	found = survey_at(survey, idx);
	return survey_entry_sum(survey, &found) == found.entry->sum;
}

bool
survey_signatures_are_whole(const struct survey *survey, uint32_t idx)
{
	const struct surveyed found = survey_at(survey, idx);
	uint32_t bytes = found.entry->facts.signatures_bytes;

	return bytes == 0 || (found.names != NULL &&
			      names_are_sealed((const uint8_t *)found.names +
						       found.entry->names_bytes,
					       bytes));
}

/* Whether an entry is that of a path, and lies in the file. */
static bool
is_entry_of(const struct survey *survey, uint32_t idx, uint32_t root_idx,
	    const char *path, size_t bytes)
{
	const struct survey_entry *entry = survey_entry(survey, idx);
	struct surveyed found;

	if (entry->file.root_idx != root_idx ||
	    entry->file.path_bytes != bytes || !survey_entry_fits(survey, idx))
		return false;
	found = survey_at(survey, idx);
	return memcmp(found.path, path, bytes) == 0;
}

/* A slot of those from `off` on. */
static uint32_t
slot_at(const struct survey *survey, uint64_t off, uint64_t at)
{
	const uint32_t *slot = table_at(
		&survey->table, off + at * sizeof(*slot), sizeof(*slot));

	return *slot;
}

uint32_t
survey_find(const struct survey *survey, uint32_t root_idx, const char *path,
	    size_t bytes)
{
	const struct survey_head *head = &survey->head;
	uint64_t at;

	if (head->entry_nr == 0)
		return 0;
	at = survey_slot(head, root_idx, (const uint8_t *)path, bytes);
	for (uint64_t i = 0; i < head->slot_nr; i++) {
		uint32_t slot = slot_at(survey, head->slots_off, at);

		if (slot == 0 || slot > head->entry_nr)
			return 0;
		if (is_entry_of(survey, slot - 1, root_idx, path, bytes) &&
		    survey_entry_is_whole(survey, slot - 1))
			return slot;
		at = (at + 1) & (head->slot_nr - 1);
	}
	return 0;
}

uint32_t
survey_find_next(const struct survey *survey, uint32_t last, uint32_t root_idx,
		 const char *path, size_t bytes)
{
	if (last < survey->head.entry_nr &&
	    is_entry_of(survey, last, root_idx, path, bytes))
		return last + 1;
	return survey_find(survey, root_idx, path, bytes);
}

bool
survey_content_is(const struct survey_entry *entry,
		  const struct content_record *content)
{
	return memcmp(&entry->content, content, sizeof(*content)) == 0;
}

uint32_t
survey_find_content(const struct survey *survey,
		    const struct content_record *content)
{
	const struct survey_head *head = &survey->head;
	uint64_t at;

	if (head->entry_nr == 0)
		return 0;
	at = survey_content_slot(head, content);
	for (uint64_t i = 0; i < head->slot_nr; i++) {
		uint32_t slot = slot_at(survey, head->contents_off, at);

		if (slot == 0 || slot > head->entry_nr)
			return 0;
		if (survey_content_is(survey_entry(survey, slot - 1),
				      content) &&
		    survey_entry_is_whole(survey, slot - 1))
			return slot;
		at = (at + 1) & (head->slot_nr - 1);
	}
	return 0;
}

/* ---- of others ------------------------------------------------------------ */

/* Whether a chunk or a signature line lies within its file. */
static bool
is_within(const struct survey_entry *entry, const struct chunk_record *record)
{
	uint64_t size = entry->file.size_bytes;
	uint32_t lines = entry->facts.line_nr;

	return record->bytes > 0 && record->file_off <= size &&
	       record->bytes <= size - record->file_off &&
	       record->line_first >= 1 && record->line_first <= lines &&
	       record->line_nr <= lines - record->line_first + 1;
}

/* Whether the signature lines of a file lie within it, each in a chunk of it. */
static bool
are_signature_lines_possible(const struct survey *survey,
			     const struct survey_entry *entry)
{
	uint64_t first = entry->facts.chunk_first + entry->facts.chunk_nr;

	for (uint32_t i = 0; i < entry->signature_line_nr; i++) {
		const struct chunk_record *line =
			survey_chunk(survey, first + i);

		if (!is_within(entry, line) ||
		    line->in_chunk >= entry->facts.chunk_nr)
			return false;
	}
	return true;
}

/* Whether the chunks of a file follow one another within it. */
static bool
are_chunks_possible(const struct survey *survey,
		    const struct survey_entry *entry)
{
	uint64_t off = 0;
	uint64_t line = 1;

	for (uint32_t i = 0; i < entry->facts.chunk_nr; i++) {
		const struct chunk_record *chunk =
			survey_chunk(survey, entry->facts.chunk_first + i);

		if (!is_within(entry, chunk) || chunk->file_off < off ||
		    chunk->line_first < line || chunk->is_estimated > 1 ||
		    chunk->signature_line > entry->signature_line_nr)
			return false;
		off = chunk->file_off + chunk->bytes;
		line = chunk->line_first;
	}
	return true;
}

/* Whether a name is a text; that of an import may be of several lines. */
static bool
is_name_possible(const uint8_t *name, size_t bytes)
{
	for (size_t i = 0; i < bytes; i++)
		if ((name[i] < ' ' && memchr("\t\n\r", name[i], 3) == NULL) ||
		    name[i] == 0x7f)
			return false;
	return true;
}

/* Whether the entries of names end where they are said to. */
static bool
are_names_possible(const struct names *names, uint32_t bytes)
{
	uint32_t at = 0;

	if (bytes < sizeof(*names) || names->bytes > NAMES_FILE_BYTES ||
	    names->bytes != bytes - sizeof(*names))
		return false;
	while (at < names->bytes) {
		const struct name_entry *entry;

		if (names->bytes - at < sizeof(*entry))
			return false;
		entry = names_next(names, &at);
		if (at > names->bytes || entry->type >= NAME_TYPE_NR ||
		    !is_name_possible((const uint8_t *)(entry + 1),
				      entry->bytes))
			return false;
	}
	return true;
}

bool
survey_entry_is_possible(const struct survey *survey, uint32_t idx)
{
	const struct surveyed kept = survey_at(survey, idx);
	const struct survey_entry *entry = kept.entry;
	const struct file_record *file = &entry->file;
	const struct file_facts *facts = &entry->facts;

	return file->reason == REASON_NONE && facts->reason == REASON_NONE &&
	       !file_is_converted(file) && file->root_bytes == 0 &&
	       file->hint_bytes == 0 && facts->chunk_nr > 0 &&
	       facts->bytes <= file->size_bytes && facts->no_newline <= 1 &&
	       facts->line_nr <= facts->bytes && facts->has_duplicates == 0 &&
	       facts->same_as == FILE_NONE &&
	       facts->duplicate_of == FILE_NONE &&
	       facts->next_copy == FILE_NONE &&
	       (facts->signature_line_first | facts->signatures_bytes) == 0 &&
	       entry->is_estimated <= 1 && are_chunks_possible(survey, entry) &&
	       are_signature_lines_possible(survey, entry) &&
	       (kept.names == NULL ||
		are_names_possible(kept.names, entry->names_bytes));
}
