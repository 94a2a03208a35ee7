/* SPDX-License-Identifier: MIT */
/*
 * tokenizer_hf.c - a tokenizer from a Hugging Face tokenizer.json.
 *
 * Does: read the vocabulary, the merges and the pattern, put the tokens in
 *       the order in which they are merged, and make an image of them.
 */
#include "tokenizer/tokenizer_hf.h"

#include <errno.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "base/ascii.h"
#include "tokenizer/hf_merges.h"
#include "tokenizer/pretoken.h"
#include "tokenizer/vocab_build.h"

#define NOT_BYTE_LEVEL                                           \
	"its vocabulary is not byte-level: the characters that " \
	"stand for the 256 bytes are not all there"
#define TOO_LONG "a token has more than 128 bytes"
#define MAX_IDS (1u << VOCAB_ID_BITS)

#define CONTRACTIONS "(?i:'s|'t|'re|'ve|'m|'ll|'d)"
#define WORD_UPPER "[\\p{Lu}\\p{Lt}\\p{Lm}\\p{Lo}\\p{M}]"
#define WORD_LOWER "[\\p{Ll}\\p{Lm}\\p{Lo}\\p{M}]"
#define WORD_PREFIX "[^\\r\\n\\p{L}\\p{N}]?"
#define NOT_WORD " ?[^\\s\\p{L}\\p{N}]+"
#define SPACES "\\s*[\\r\\n]+|\\s+(?!\\S)|\\s+"

/* The patterns as the files have them. */
static const struct {
	const char *regex;
	uint32_t pattern;
} known[] = {
	{ CONTRACTIONS "|" WORD_PREFIX "\\p{L}+|\\p{N}{1,3}|" NOT_WORD
		       "[\\r\\n]*|" SPACES,
	  PRETOKEN_CL100K },
	{ CONTRACTIONS "|" WORD_PREFIX "\\p{L}+|\\p{N}|" NOT_WORD
		       "[\\r\\n]*|" SPACES,
	  PRETOKEN_QWEN },
	{ WORD_PREFIX WORD_UPPER "*" WORD_LOWER "+" CONTRACTIONS
				 "?|" WORD_PREFIX WORD_UPPER "+" WORD_LOWER
				 "*" CONTRACTIONS "?|\\p{N}{1,3}|" NOT_WORD
				 "[\\r\\n/]*|" SPACES,
	  PRETOKEN_O200K },
	{ WORD_PREFIX WORD_UPPER "*" WORD_LOWER "+|" WORD_PREFIX WORD_UPPER
				 "+" WORD_LOWER "*|\\p{N}|" NOT_WORD
				 "[\\r\\n/]*|" SPACES,
	  PRETOKEN_TEKKEN },
	{ "'s|'t|'re|'ve|'m|'ll|'d| ?\\p{L}+| ?\\p{N}+|" NOT_WORD
	  "|\\s+(?!\\S)|\\s+",
	  PRETOKEN_GPT2 },
};

/* A file on its way to an image. */
struct hf {
	const json_t *vocab;
	const json_t *merges;
	struct vocab_token *tokens; /* [MAX_IDS], in order of merging */
	uint32_t *outer;            /* [MAX_IDS] */
	uint32_t *inner; /* [MAX_IDS] by outer id, VOCAB_NONE if not placed */
	struct hf_merge *list; /* the merges, by outer ids */
	uint8_t *bytes;        /* of all tokens */
	size_t bytes_used;
	size_t bytes_cap;
	struct vocab_source source;
	const char *why; /* what is wrong with the file */
};

/* Says what is wrong with the file; the first to do so is right. */
static int
refuse(struct hf *hf, int error, const char *why)
{
	if (hf->why == NULL)
		hf->why = why;
	return error;
}

/*
 * The byte that a character of the file stands for: printable ones of Latin 1
 * are themselves, the others are U+0100 and up, in order.
 */
static int
byte_of(uint32_t code)
{
	uint32_t byte, next = 0x100;

	for (byte = 0; byte < 256; byte++) {
		bool itself = (byte >= 0x21 && byte <= 0x7e) ||
			      (byte >= 0xa1 && byte != 0xad);

		if (code == (itself ? byte : next))
			return (int)byte;
		next += !itself;
	}
	return -1;
}

/* Turns characters into bytes; false if one stands for none. */
static bool
to_bytes(struct hf *hf, const char *text, size_t len, struct vocab_token *token)
{
	const uint8_t *at = (const uint8_t *)text, *end = at + len;

	token->bytes = hf->bytes + hf->bytes_used;
	token->len = 0;
	while (at < end) {
		uint32_t code = *at++;
		int byte;

		if (code >= 0xc0 && at < end)
			code = (code & 0x1f) << 6 | (*at++ & 0x3f);
		byte = byte_of(code);
		if (byte < 0 || hf->bytes_used == hf->bytes_cap)
			return false;
		hf->bytes[hf->bytes_used++] = (uint8_t)byte;
		token->len++;
	}
	return true;
}

/* Gives the next inner id to an outer one. */
static int
place(struct hf *hf, uint32_t outer, const struct vocab_token *token)
{
	uint32_t id = hf->source.ids_nr;

	if (id + 1 >= MAX_IDS || outer >= MAX_IDS - 1)
		return refuse(hf, -ENOTSUP, "it has 2^18 tokens or more");
	hf->tokens[id] = *token;
	hf->outer[id] = outer;
	hf->inner[outer] = id;
	hf->source.ids_nr = id + 1;
	return 0;
}

static uint32_t
outer_id(const struct hf *hf, const char *text)
{
	const json_t *id = json_object_get(hf->vocab, text);
	json_int_t value = id ? json_integer_value(id) : -1;

	return value >= 0 && value < MAX_IDS - 1 ? (uint32_t)value : VOCAB_NONE;
}

/* The single bytes come first. */
static int
place_bytes(struct hf *hf)
{
	const char *text;
	json_t *id;
	uint32_t seen = 0;

	json_object_foreach((json_t *)(uintptr_t)hf->vocab, text, id)
	{
		struct vocab_token token = { .len = 0 };
		size_t len = strlen(text);
		int rc;

		if (len > 2 || (len == 2 && (text[0] & 0x80) == 0))
			continue;
		if (outer_id(hf, text) == VOCAB_NONE ||
		    !to_bytes(hf, text, len, &token))
			return refuse(hf, -ENOTSUP, NOT_BYTE_LEVEL);
		if (token.len != 1)
			continue;
		rc = place(hf, outer_id(hf, text), &token);
		if (rc != 0)
			return rc;
		seen++;
	}
	return seen == 256 ? 0 : refuse(hf, -ENOTSUP, NOT_BYTE_LEVEL);
}

/* The two sides of a merge: "a b" or ["a", "b"]. */
static bool
merge_sides(const json_t *merge, const char **left, size_t *left_len,
	    const char **right)
{
	const char *text = json_string_value(merge), *blank;

	if (text != NULL) {
		blank = strchr(text, ' ');
		if (blank == NULL)
			return false;
		*left = text;
		*left_len = (size_t)(blank - text);
		*right = blank + 1;
		return true;
	}
	*left = json_string_value(json_array_get(merge, 0));
	*right = json_string_value(json_array_get(merge, 1));
	if (*left == NULL || *right == NULL)
		return false;
	*left_len = strlen(*left);
	return true;
}

/* One merge of the file, as ids. */
static int
read_merge(struct hf *hf, const json_t *text, struct hf_merge *merge)
{
	char joined[2 * 2 * VOCAB_TOKEN_BYTES + 1];
	const char *left, *right;
	size_t left_len;

	if (!merge_sides(text, &left, &left_len, &right))
		return refuse(hf, -EBADMSG, "a merge is not two tokens");
	if (left_len + strlen(right) >= sizeof(joined))
		return refuse(hf, -ENOTSUP, TOO_LONG);
	memcpy(joined, left, left_len);
	joined[left_len] = '\0';
	merge->left = outer_id(hf, joined);
	strcpy(joined + left_len, right);
	merge->right = outer_id(hf, right);
	merge->made = outer_id(hf, joined);
	if (merge->left == VOCAB_NONE || merge->right == VOCAB_NONE ||
	    merge->made == VOCAB_NONE)
		return refuse(hf, -EBADMSG,
			      "a merge uses a token that is not in its "
			      "vocabulary");
	return 0;
}

/* The bytes of the token that a merge makes, from the file. */
static int
read_made(struct hf *hf, const json_t *text, struct vocab_token *token)
{
	const char *left, *right;
	struct vocab_token part;
	size_t left_len;

	if (!merge_sides(text, &left, &left_len, &right) ||
	    !to_bytes(hf, left, left_len, token) ||
	    !to_bytes(hf, right, strlen(right), &part))
		return refuse(hf, -ENOTSUP, NOT_BYTE_LEVEL);
	token->len += part.len;
	if (token->len > VOCAB_TOKEN_BYTES || part.len == 0 ||
	    token->len == part.len)
		return refuse(hf, -ENOTSUP, TOO_LONG);
	return 0;
}

/*
 * Gives places to the tokens that merges make, each by the one merge that it
 * comes about by.
 */
static int
place_made(struct hf *hf, const struct hf_merges *merges)
{
	uint32_t byte_ids[256], idx, id;
	int rc;

	for (id = 0; id < 256; id++)
		byte_ids[hf->tokens[id].bytes[0]] = hf->outer[id];
	for (idx = 0; idx < merges->nr; idx++) {
		const struct hf_merge *merge = &merges->list[idx];
		struct vocab_token token = { .has_parts = true };
		size_t bytes_before = hf->bytes_used;

		rc = read_made(hf, json_array_get(hf->merges, idx), &token);
		if (rc != 0)
			return rc;
		if (hf->inner[merge->made] != VOCAB_NONE ||
		    hf_merges_last(merges, byte_ids, token.bytes, token.len) !=
			    idx) {
			hf->bytes_used = bytes_before;
			continue;
		}
		token.left = merge->left;
		token.right = merge->right;
		rc = place(hf, merge->made, &token);
		if (rc != 0)
			return rc;
	}
	/* Parts may have got their places later. */
	for (id = 256; id < hf->source.ids_nr; id++) {
		hf->tokens[id].left = hf->inner[hf->tokens[id].left];
		hf->tokens[id].right = hf->inner[hf->tokens[id].right];
	}
	return 0;
}

static int
place_merges(struct hf *hf)
{
	uint32_t nr = (uint32_t)json_array_size(hf->merges), idx;
	struct hf_merges merges;
	int rc;

	if (json_array_size(hf->merges) > UINT32_MAX / 4)
		return refuse(hf, -ENOTSUP, "it has too many merges");
	hf->list = calloc((size_t)nr + 1, sizeof(*hf->list));
	if (hf->list == NULL)
		return -ENOMEM;
	for (idx = 0; idx < nr; idx++) {
		rc = read_merge(hf, json_array_get(hf->merges, idx),
				&hf->list[idx]);
		if (rc != 0)
			return rc;
	}
	rc = hf_merges_init(&merges, hf->list, nr);
	if (rc == 0)
		rc = place_made(hf, &merges);
	hf_merges_fini(&merges);
	return rc;
}

/* Tokens that no merge makes: whole pieces, or nothing but bytes. */
static int
place_rest(struct hf *hf)
{
	const char *text;
	json_t *id;

	json_object_foreach((json_t *)(uintptr_t)hf->vocab, text, id)
	{
		struct vocab_token token = { .is_whole = true };
		uint32_t outer = outer_id(hf, text);
		int rc;

		if (outer == VOCAB_NONE)
			return refuse(hf, -ENOTSUP,
				      "it has an id that is not a number below "
				      "2^18");
		if (hf->inner[outer] != VOCAB_NONE)
			continue;
		token.is_special = !hf->source.has_wholes;
		if (!to_bytes(hf, text, strlen(text), &token) ||
		    token.len == 0 || token.len > VOCAB_TOKEN_BYTES)
			continue;
		rc = place(hf, outer, &token);
		if (rc != 0)
			return rc;
	}
	return 0;
}

static bool
is_punctuation(char c)
{
	return c > ' ' && c < 0x7f && !ascii_is_word((uint8_t)c);
}

/*
 * Whether a text is a mark such as <think> or [INST] rather than one that files
 * are full of, such as four blanks: the former is text where it stands in a
 * file, as a special token is.
 */
static bool
is_mark(const char *text)
{
	size_t len = strlen(text);
	bool has_name = false;

	for (size_t i = 0; i < len; i++) {
		if (ascii_is_space((uint8_t)text[i]))
			return false;
		has_name |= !is_punctuation(text[i]);
	}
	return len == 0 || (has_name && is_punctuation(text[0]) &&
			    is_punctuation(text[len - 1]));
}

static int
place_added(struct hf *hf, const json_t *added)
{
	size_t i;

	for (i = 0; i < json_array_size(added); i++) {
		const json_t *entry = json_array_get(added, i);
		const char *text =
			json_string_value(json_object_get(entry, "content"));
		json_int_t outer =
			json_integer_value(json_object_get(entry, "id"));
		struct vocab_token token = { .is_special = true };
		int rc;

		if (text == NULL || outer < 0 || outer >= MAX_IDS - 1)
			return refuse(hf, -EBADMSG,
				      "an added token has no text or no id");
		if (!json_is_true(json_object_get(entry, "special")) &&
		    !is_mark(text))
			return refuse(
				hf, -ENOTSUP,
				"its added tokens, which are found before "
				"all others, are not only marks such as "
				"<think>, but texts such as blanks or "
				"words");
		token.bytes = (const uint8_t *)text;
		token.len = strlen(text);
		if (hf->inner[outer] != VOCAB_NONE || token.len > 255)
			continue;
		rc = place(hf, (uint32_t)outer, &token);
		if (rc != 0)
			return rc;
	}
	return 0;
}

static uint32_t
pattern_of_regex(const char *regex)
{
	size_t i;

	for (i = 0; regex != NULL && i < sizeof(known) / sizeof(known[0]); i++)
		if (strcmp(regex, known[i].regex) == 0)
			return known[i].pattern;
	return 0;
}

/* Whether a step makes pieces of what its pattern finds and of the rest. */
static bool
is_isolated(const json_t *step)
{
	const char *behavior =
		json_string_value(json_object_get(step, "behavior"));

	return behavior == NULL || strcmp(behavior, "Isolated") == 0;
}

/* The pattern of a step of pre-tokenising; 0: not known, or none. */
static uint32_t
pattern_of_step(const json_t *step, bool *is_known)
{
	const char *type = json_string_value(json_object_get(step, "type"));
	const json_t *regex;

	*is_known = false;
	if (type == NULL || json_is_true(json_object_get(step, "invert")) ||
	    json_is_true(json_object_get(step, "add_prefix_space")))
		return 0;
	if (strcmp(type, "ByteLevel") == 0) {
		*is_known = true;
		return json_is_false(json_object_get(step, "use_regex"))
			       ? 0
			       : PRETOKEN_GPT2;
	}
	if (strcmp(type, "Split") != 0 || !is_isolated(step))
		return 0;
	regex = json_object_get(json_object_get(step, "pattern"), "Regex");
	*is_known = pattern_of_regex(json_string_value(regex)) != 0;
	return pattern_of_regex(json_string_value(regex));
}

/* The three cuts of DeepSeek, one after the other. */
static const char *const deepseek[3] = {
	"\\p{N}{1,3}",
	"[\xe4\xb8\x80-\xe9\xbe\xa5\xe3\x81\x80-\xe3\x82\x9f"
	"\xe3\x82\xa0-\xe3\x83\xbf]+",
	"[!\"#$%&'()*+,\\-./:;<=>?@\\[\\\\\\]^_`{|}~][A-Za-z]+"
	"|[^\r\n\\p{L}\\p{P}\\p{S}]?[\\p{L}\\p{M}]+| ?[\\p{P}\\p{S}]+[\r\n]*"
	"|\\s*[\r\n]+|\\s+(?!\\S)|\\s+",
};

static bool
is_deepseek(const json_t *steps)
{
	bool is_known;
	size_t i;

	for (i = 0; i < 3; i++) {
		const json_t *step = json_array_get(steps, i);
		const char *regex = json_string_value(json_object_get(
			json_object_get(step, "pattern"), "Regex"));

		if (regex == NULL || strcmp(regex, deepseek[i]) != 0 ||
		    json_is_true(json_object_get(step, "invert")) ||
		    !is_isolated(step))
			return false;
	}
	return json_array_size(steps) == 4 &&
	       pattern_of_step(json_array_get(steps, 3), &is_known) == 0 &&
	       is_known;
}

/* Whether a step turns bytes into the characters that stand for them. */
static bool
is_byte_level(const json_t *step)
{
	const char *type = json_string_value(json_object_get(step, "type"));

	return type != NULL && strcmp(type, "ByteLevel") == 0;
}

/* A sequence may have one step with a pattern; bytes become characters at its
 * end and only there, since a later step would see those. */
static uint32_t
pattern_of(const json_t *pre)
{
	const json_t *steps = json_object_get(pre, "pretokenizers");
	size_t nr = json_array_size(steps);
	uint32_t pattern = 0, one;
	bool is_known;
	size_t i;

	if (steps == NULL) {
		pattern = pattern_of_step(pre, &is_known);
		return is_known && is_byte_level(pre) ? pattern : 0;
	}
	if (is_deepseek(steps))
		return PRETOKEN_DEEPSEEK;
	for (i = 0; i < nr; i++) {
		const json_t *step = json_array_get(steps, i);

		one = pattern_of_step(step, &is_known);
		if (!is_known || (one != 0 && pattern != 0) ||
		    is_byte_level(step) != (i + 1 == nr))
			return 0;
		pattern |= one;
	}
	return pattern;
}

/* Whether a normaliser is none, or NFC once. */
static bool
normaliser_fits(const json_t *normaliser, bool *is_nfc)
{
	const char *type =
		json_string_value(json_object_get(normaliser, "type"));
	const json_t *list = json_object_get(normaliser, "normalizers");

	if (normaliser == NULL || json_is_null(normaliser))
		return true;
	if (type == NULL)
		return false;
	if (strcmp(type, "Sequence") == 0 && json_array_size(list) < 2) {
		normaliser = json_array_get(list, 0);
		type = json_string_value(json_object_get(normaliser, "type"));
		if (normaliser == NULL)
			return true;
	}
	*is_nfc = type != NULL && strcmp(type, "NFC") == 0;
	return *is_nfc;
}

/* Whether a field of the model is there and says something. */
static bool
is_set(const json_t *model, const char *key)
{
	const json_t *value = json_object_get(model, key);

	if (json_is_string(value))
		return json_string_length(value) > 0;
	if (json_is_number(value))
		return json_number_value(value) != 0;
	return value != NULL && !json_is_null(value) && !json_is_false(value);
}

/* What there is in the file has to be what the rest of this folder does. */
static int
check_kind(struct hf *hf, const json_t *root, const json_t *model)
{
	const char *type = json_string_value(json_object_get(model, "type"));

	if (type != NULL && strcmp(type, "BPE") != 0)
		return refuse(hf, -ENOTSUP, "its model is not BPE");
	if (!json_is_object(hf->vocab) || !json_is_array(hf->merges))
		return refuse(hf, -EBADMSG,
			      "it has no model with a vocabulary and merges");
	if (is_set(model, "byte_fallback") || is_set(model, "dropout") ||
	    is_set(model, "continuing_subword_prefix") ||
	    is_set(model, "end_of_word_suffix"))
		return refuse(hf, -ENOTSUP,
			      "its model asks for byte_fallback, dropout, a "
			      "subword prefix or a word suffix, which "
			      "byte-level BPE does not have");
	if (!normaliser_fits(json_object_get(root, "normalizer"),
			     &hf->source.is_nfc))
		return refuse(hf, -ENOTSUP,
			      "its normalizer is not NFC; others (Prepend, "
			      "Replace, NFKC, ...) are not supported");
	hf->source.pattern = pattern_of(json_object_get(root, "pre_tokenizer"));
	if (hf->source.pattern == 0)
		return refuse(hf, -ENOTSUP,
			      "its pre_tokenizer is none of those of GPT-2, "
			      "Llama 3, Qwen, GPT-OSS, Mistral Nemo and "
			      "DeepSeek V3");
	return 0;
}

static int
read_model(struct hf *hf, const json_t *root)
{
	const json_t *model = json_object_get(root, "model");
	int rc;

	hf->vocab = json_object_get(model, "vocab");
	hf->merges = json_object_get(model, "merges");
	rc = check_kind(hf, root, model);
	if (rc != 0)
		return rc;
	hf->source.name = "tokenizer.json";
	hf->source.is_lenient = true;
	hf->source.has_wholes =
		json_is_true(json_object_get(model, "ignore_merges"));
	rc = place_bytes(hf);
	if (rc == 0)
		rc = place_merges(hf);
	if (rc == 0)
		rc = place_rest(hf);
	hf->source.ranks_nr = hf->source.ids_nr;
	if (rc == 0)
		rc = place_added(hf, json_object_get(root, "added_tokens"));
	return rc;
}

static int
make_image(struct hf *hf, struct tokenizer **out)
{
	size_t len;
	void *mem;

	hf->source.ids = hf->tokens;
	hf->source.outer = hf->outer;
	len = vocab_build_bytes(&hf->source);
	if (len == 0)
		return refuse(hf, -ENOTSUP, TOO_LONG);
	mem = aligned_alloc(64, len);
	if (mem == NULL)
		return -ENOMEM;
	memset(mem, 0, len);
	if (vocab_build(mem, &hf->source) != 0) {
		free(mem);
		return refuse(hf, -ENOTSUP,
			      "two of its tokens are the same, or its merges "
			      "contradict each other");
	}
	*out = mem;
	return 0;
}

int
tokenizer_hf_load(struct tokenizer **out, const char *json, size_t len,
		  const char **why)
{
	struct hf hf = { .vocab = NULL };
	json_t *root;
	int rc = -EBADMSG;

	*why = "the tables of Unicode in this program are damaged; install it "
	       "again";
	if (!unicode_tables_valid())
		return rc;
	*why = "it is not JSON";
	root = json_loadb(json, len, 0, NULL);
	if (root == NULL)
		return rc;
	hf.bytes_cap = len;
	hf.bytes = malloc(len + 1);
	hf.tokens = calloc(MAX_IDS, sizeof(*hf.tokens));
	hf.outer = calloc(MAX_IDS, sizeof(*hf.outer));
	hf.inner = malloc(MAX_IDS * sizeof(*hf.inner));
	if (hf.bytes == NULL || hf.tokens == NULL || hf.outer == NULL ||
	    hf.inner == NULL) {
		rc = refuse(&hf, -ENOMEM, "out of memory");
		goto out;
	}
	memset(hf.inner, 0xff, MAX_IDS * sizeof(*hf.inner));
	rc = read_model(&hf, root);
	if (rc == 0)
		rc = make_image(&hf, out);
out:
	*why = rc != 0 && hf.why == NULL ? "out of memory" : hf.why;
	free(hf.list);
	free(hf.bytes);
	free(hf.tokens);
	free(hf.outer);
	free(hf.inner);
	json_decref(root);
	return rc;
}
