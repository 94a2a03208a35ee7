/* SPDX-License-Identifier: MIT */
/*
 * tokenizer_hf.h - a tokenizer from a Hugging Face tokenizer.json.
 *
 * Does: byte-level BPE with one of the known pre-tokenising patterns (GPT-2,
 *       cl100k and Llama 3, Qwen, o200k and GPT-OSS, Mistral Nemo,
 *       DeepSeek V3); text is brought to NFC where the file asks for it.
 * Does not: know other normalisers or models; such a file is refused.
 * Limits: tokens of 128 bytes, 2^18 - 1 ids.
 */
#ifndef TOKENIZER_TOKENIZER_HF_H
#define TOKENIZER_TOKENIZER_HF_H

#include <stddef.h>

struct tokenizer;

/*
 * shape:  makes a tokenizer of the text of a tokenizer.json; added tokens are
 *         text like any other when they are counted
 * units:  len in bytes
 * owner:  the caller, who gives it to free(); it does not change
 *         any more and is shared by fork; *why is a constant: what is wrong
 *         with the file, NULL if nothing is
 * errors: -EBADMSG no JSON or not of this form; -ENOTSUP a model, a pattern
 *         or a normaliser that is not known; -ENOMEM
 */
int
tokenizer_hf_load(struct tokenizer **out, const char *json, size_t len,
		  const char **why);

#endif
