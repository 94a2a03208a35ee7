#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Compares ids of random vocabularies with those of Hugging Face tokenizers.

usage: python3 tests/oracle/tokenizer_merges.py PROGRAM [VOCABULARIES]

PROGRAM is tokenizer_ids. Needs the Python package `tokenizers`. Merges are
listed as training would list them, shuffled, or all that make a token one after
the other, as the files made of tiktoken vocabularies have them.
"""
import json
import os
import random
import struct
import subprocess
import sys
import tempfile

try:
    from tokenizers import Tokenizer
except ImportError:
    print("SKIP: the Python package tokenizers is not there")
    sys.exit(77)


def byte_characters():
    itself = [b for b in range(256) if 33 <= b < 127 or (b >= 161 and b != 173)]
    others = [b for b in range(256) if b not in itself]
    return {**{b: chr(b) for b in itself}, **{b: chr(256 + i) for i, b in enumerate(others)}}


def draw_merges(alphabet, vocab):
    tokens, merges = list(alphabet), []
    for _ in range(random.randrange(1, 40)):
        left, right = random.choice(tokens), random.choice(tokens)
        if len(left + right) > 12 or (left, right) in merges:
            continue
        merges.append((left, right))
        if left + right not in vocab:
            vocab[left + right] = len(vocab)
            tokens.append(left + right)
    kind = random.randrange(3)
    if kind == 1:
        random.shuffle(merges)
    if kind == 2:
        if random.random() < .5:
            random.shuffle(tokens)
        merges = [(t[:k], t[k:]) for t in tokens for k in range(1, len(t)) if t[:k] in vocab and t[k:] in vocab]
    return merges


def draw_file(alphabet):
    characters = byte_characters()
    vocab = {characters[b]: b for b in range(256)}
    merges = draw_merges(alphabet, vocab)
    return json.dumps({
        "version": "1.0", "truncation": None, "padding": None, "added_tokens": [], "normalizer": None,
        "pre_tokenizer": {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": True, "use_regex": True},
        "post_processor": None, "decoder": None,
        "model": {"type": "BPE", "dropout": None, "unk_token": None, "continuing_subword_prefix": None,
                  "end_of_word_suffix": None, "fuse_unk": False, "byte_fallback": False,
                  "ignore_merges": random.random() < .3, "vocab": vocab, "merges": [list(m) for m in merges]}})


def ids_of(program, path, texts):
    frames = b"".join(struct.pack("<I", len(text)) + text.encode() for text in texts)
    ran = subprocess.run([program, path], input=frames, capture_output=True, check=True)
    words = struct.unpack(f"<{len(ran.stdout) // 4}I", ran.stdout)
    at = 0
    for _ in texts:
        yield list(words[at + 1:at + 1 + words[at]])
        at += 1 + words[at]


def main():
    program, wanted = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 300
    random.seed(int(os.environ.get("ORACLE_SEED", "1")))
    seen = differences = 0
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "tokenizer.json")
        for _ in range(wanted):
            alphabet = random.sample("abcdef", random.choice((1, 2, 2, 3, 4)))
            text = draw_file(alphabet)
            with open(path, "w", encoding="utf-8") as file:
                file.write(text)
            reference = Tokenizer.from_str(text)
            texts = ["".join(random.choice(alphabet) for _ in range(random.choice((1, 3, 5, 8, 12, 20, 60, 130, 700))))
                     for _ in range(40)]
            for of, ids in zip(texts, ids_of(program, path, texts)):
                seen += 1
                if ids != reference.encode(of, add_special_tokens=False).ids:
                    differences += 1
                    if differences <= 3:
                        print(f"different ids for {of} with {text}", file=sys.stderr)
    print(f"{'not ok' if differences else 'ok'} merges: {wanted} vocabularies, {seen} texts, {differences} differences")
    sys.exit(1 if differences else 0)


main()
