/* SPDX-License-Identifier: MIT */
/*
 * fuzz_tokenizer_hf.c - a tokenizer.json from a stranger.
 *
 * Input: a file, if it begins with a brace; it is refused or counts a text the
 * same in all ways. Else: one byte (bit 0 ignore_merges, bit 1 NFC), the
 * number of merges, three bytes for each (its parts, and its rank), then text,
 * a byte a letter. Of these a file is made, and ids are compared with those of
 * a plain pair-by-pair merging as the file has it.
 */
#include "tests/support/test_tokenizer_ways.h"
#include "tokenizer/pretoken.h"
#include "tokenizer/tokenizer_hf.h"

#define MERGES_MAX 48
#define TOKENS_MAX (LETTERS_NR + MERGES_MAX)
#define TEXT_BYTES 2000
#define JSON_BYTES 65536
#define CACHE_LOG2 8

int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t bytes_nr);

/* Letters of one byte, so that every merge is of whole letters. */
static const char letters[] = "abcd '1.";
#define LETTERS_NR (sizeof(letters) - 1)

struct merge {
	unsigned left;
	unsigned right;
	unsigned made;
	unsigned rank;
};

/* A vocabulary as the file has it: letters first, then what merges make. */
struct model {
	char texts[TOKENS_MAX][128];
	unsigned tokens_nr;
	struct merge merges[MERGES_MAX];
	unsigned merges_nr;
	bool ignore_merges;
	bool nfc;
};

static unsigned
token_of(const struct model *model, const char *text)
{
	unsigned id;

	for (id = 0; id < model->tokens_nr; id++)
		if (strcmp(model->texts[id], text) == 0)
			break;
	return id;
}

static void
add_merge(struct model *model, const uint8_t *bytes)
{
	struct merge merge = { .left = bytes[0] % model->tokens_nr,
			       .right = bytes[1] % model->tokens_nr,
			       .rank = bytes[2] };
	char joined[256];
	unsigned i, at;

	snprintf(joined, sizeof(joined), "%s%s", model->texts[merge.left],
		 model->texts[merge.right]);
	if (strlen(joined) >= 120)
		return;
	for (i = 0; i < model->merges_nr; i++)
		if (model->merges[i].left == merge.left &&
		    model->merges[i].right == merge.right)
			return;
	merge.made = token_of(model, joined);
	if (merge.made == model->tokens_nr)
		strcpy(model->texts[model->tokens_nr++], joined);
	for (at = model->merges_nr++; at > 0; at--) {
		if (model->merges[at - 1].rank <= merge.rank)
			break;
		model->merges[at] = model->merges[at - 1];
	}
	model->merges[at] = merge;
}

/* A text as the file has it: a blank is U+0120. */
static size_t
put_text(char *out, const char *text)
{
	size_t at = 0;

	for (; *text != '\0'; text++)
		at += (size_t)sprintf(out + at, *text == ' ' ? "\\u0120" : "%c",
				      *text);
	return at;
}

/* Ids of letters and made tokens are their places; all other bytes behind. */
static void
write_json(const struct model *model, char *json)
{
	unsigned byte, next = 0x100, id = TOKENS_MAX, i;
	size_t at = (size_t)sprintf(
		json,
		"{\"normalizer\":%s,\"pre_tokenizer\":{\"type\":\"ByteLevel\","
		"\"add_prefix_space\":false},\"model\":{\"type\":\"BPE\","
		"\"ignore_merges\":%s,\"vocab\":{\"\":99999",
		model->nfc ? "{\"type\":\"NFC\"}" : "null",
		model->ignore_merges ? "true" : "false");

	for (i = 0; i < model->tokens_nr; i++) {
		at += (size_t)sprintf(json + at, ",\"");
		at += put_text(json + at, model->texts[i]);
		at += (size_t)sprintf(json + at, "\":%u", i);
	}
	for (byte = 0; byte < 256; byte++) {
		bool itself = (byte >= 0x21 && byte <= 0x7e) ||
			      (byte >= 0xa1 && byte != 0xad);
		unsigned code = itself ? byte : next++;

		if (byte != 0 && strchr(letters, (int)byte) != NULL)
			continue;
		at += (size_t)sprintf(json + at, ",\"\\u%04x\":%u", code, id++);
	}
	at += (size_t)sprintf(json + at, "},\"merges\":[");
	for (i = 0; i < model->merges_nr; i++) {
		at += (size_t)sprintf(json + at, "%s[\"", i ? "," : "");
		at += put_text(json + at, model->texts[model->merges[i].left]);
		at += (size_t)sprintf(json + at, "\",\"");
		at += put_text(json + at, model->texts[model->merges[i].right]);
		at += (size_t)sprintf(json + at, "\"]");
	}
	sprintf(json + at, "]}}");
}

/* The first of the merges that two tokens have; merges_nr: none. */
static unsigned
rank_of(const struct model *model, unsigned left, unsigned right)
{
	unsigned i;

	for (i = 0; i < model->merges_nr; i++)
		if (model->merges[i].left == left &&
		    model->merges[i].right == right)
			break;
	return i;
}

/* Merges a piece pair by pair, the first of the list first; how many ids. */
static size_t
plain_piece(const struct model *model, const uint8_t *text, size_t len,
	    uint32_t *ids)
{
	size_t nr = len, i;
	char whole[128] = "";

	if (model->ignore_merges && len < sizeof(whole)) {
		memcpy(whole, text, len);
		ids[0] = token_of(model, whole);
		if (ids[0] < model->tokens_nr)
			return 1;
	}
	for (i = 0; i < len; i++)
		ids[i] = (uint32_t)(strchr(letters, text[i]) - letters);
	for (;;) {
		unsigned best = model->merges_nr;
		size_t best_at = 0;

		for (i = 0; i + 1 < nr; i++) {
			unsigned rank = rank_of(model, ids[i], ids[i + 1]);

			if (rank < best) {
				best = rank;
				best_at = i;
			}
		}
		if (best == model->merges_nr)
			return nr;
		ids[best_at] = model->merges[best].made;
		nr--;
		memmove(ids + best_at + 1, ids + best_at + 2,
			(nr - best_at - 1) * sizeof(*ids));
	}
}

static void
check_plain(const struct model *model, const uint8_t *text, size_t len,
	    const uint32_t *ids, size_t nr)
{
	static uint32_t want[TEXT_BYTES];
	size_t want_nr = 0, at = 0;
	bool is_open;

	while (at < len) {
		size_t end = pretoken_end(pretoken_rules(PRETOKEN_GPT2),
					  text + at, len - at, &is_open);

		want_nr += plain_piece(model, text + at, end, want + want_nr);
		at += end;
	}
	if (nr != want_nr || memcmp(ids, want, nr * sizeof(*ids)) != 0)
		ways_differ("ids", nr, want_nr);
}

static struct tokenizer_cache *
make_cache(void)
{
	void *mem = aligned_alloc(64, tokenizer_cache_bytes(CACHE_LOG2));

	if (mem == NULL)
		abort();
	return tokenizer_cache_init(mem, CACHE_LOG2);
}

static void
check_made(const uint8_t *bytes, size_t bytes_nr)
{
	static struct model model;
	static char json[JSON_BYTES];
	static uint8_t text[TEXT_BYTES];
	struct tokenizer_cache *cache;
	struct tokenizer *tok = NULL;
	size_t at, len = 0, nr;
	const char *why;
	uint32_t *ids;

	memset(&model, 0, sizeof(model));
	model.ignore_merges = bytes[0] & 1;
	model.nfc = bytes[0] >> 1 & 1;
	for (at = 0; at < LETTERS_NR; at++)
		model.texts[model.tokens_nr++][0] = letters[at];
	for (at = 2;
	     at + 3 <= bytes_nr && at < 2 + 3u * (bytes[1] % MERGES_MAX);
	     at += 3)
		add_merge(&model, bytes + at);
	for (; at < bytes_nr && len < TEXT_BYTES; at++)
		text[len++] = (uint8_t)letters[bytes[at] % LETTERS_NR];
	write_json(&model, json);
	if (tokenizer_hf_load(&tok, json, strlen(json), &why) != 0) {
		fprintf(stderr, "refused: %s\n", why);
		abort();
	}
	cache = make_cache();
	ids = ways_check(tok, cache, text, len, bytes[0], &nr);
	check_plain(&model, text, len, ids, nr);
	free(ids);
	free(cache);
	free(tok);
}

static void
check_file(const uint8_t *bytes, size_t bytes_nr)
{
	static const char text[] =
		"Text, tex\xcc\x81t 123's  \xe4\xb8\xad\xff\n";
	struct tokenizer *tok = NULL;
	const char *why = NULL;
	struct tokenizer_cache *cache;
	size_t nr;

	if (tokenizer_hf_load(&tok, (const char *)bytes, bytes_nr, &why) != 0) {
		if (why == NULL || tok != NULL)
			abort();
		return;
	}
	cache = make_cache();
	free(ways_check(tok, cache, (const uint8_t *)text, sizeof(text) - 1, 7,
			&nr));
	free(cache);
	free(tok);
}

int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t bytes_nr)
{
	if (bytes_nr < 2)
		return 0;
	if (bytes[0] == '{')
		check_file(bytes, bytes_nr);
	else
		check_made(bytes, bytes_nr);
	return 0;
}
