#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Records what Hugging Face tokenizers makes of a set of texts.

usage: python3 tests/oracle/tokenizer_hf_record.py >tests/support/data/tokenizer_hf.json

Needs the Python package `tokenizers`. Trains a small byte-level vocabulary on
the project's own documents and on the texts below, then records ids for each
of the pre-tokenisers and normalisers of well-known files. What NFC makes of
texts is recorded from Python's unicodedata, for characters of Unicode 9: these
are what the reference knows.
"""
import glob
import json
import random
import unicodedata

from tokenizers import Regex, Tokenizer, models, pre_tokenizers, trainers

FOLD = "(?i:'s|'t|'re|'ve|'m|'ll|'d)"
REST = r" ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+"
UPPER = r"[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]"
LOWER = r"[\p{Ll}\p{Lm}\p{Lo}\p{M}]"
PREFIX = r"[^\r\n\p{L}\p{N}]?"
SLASHED = r" ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+"
LLAMA3 = FOLD + "|" + PREFIX + r"\p{L}+|\p{N}{1,3}|" + REST
QWEN = FOLD + "|" + PREFIX + r"\p{L}+|\p{N}|" + REST
GPTOSS = (PREFIX + UPPER + "*" + LOWER + "+" + FOLD + "?|" + PREFIX + UPPER + "+" + LOWER + "*" + FOLD + "?|" +
          r"\p{N}{1,3}|" + SLASHED)
NEMO = PREFIX + UPPER + "*" + LOWER + "+|" + PREFIX + UPPER + "+" + LOWER + r"*|\p{N}|" + SLASHED
DEEPSEEK = [
    r"\p{N}{1,3}",
    "[\u4e00-\u9fa5\u3040-\u309f\u30a0-\u30ff]+",
    "[!\"#$%&'()*+,\\-./:;<=>?@\\[\\\\\\]^_`{|}~][A-Za-z]+|[^\r\n\\p{L}\\p{P}\\p{S}]?[\\p{L}\\p{M}]+"
    "| ?[\\p{P}\\p{S}]+[\r\n]*|\\s*[\r\n]+|\\s+(?!\\S)|\\s+",
]
NFC = {"type": "NFC"}


def sequence(*patterns):
    steps = [{"type": "Split", "pattern": {"Regex": p}, "behavior": "Isolated", "invert": False} for p in patterns]
    steps.append({"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": True, "use_regex": False})
    return {"type": "Sequence", "pretokenizers": steps}


VARIANTS = {
    "gpt2": [{"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": True, "use_regex": True}, None, False],
    "llama3": [sequence(LLAMA3), None, True],
    "qwen": [sequence(QWEN), NFC, False],
    "gptoss": [sequence(GPTOSS), None, True],
    "nemo": [sequence(NEMO), {"type": "Sequence", "normalizers": [NFC]}, True],
    "deepseek": [sequence(*DEEPSEEK), {"type": "Sequence", "normalizers": []}, False],
}

PARTS = ["'s", "'S", "'re", "'LL", "'\u017f", "\u2019s", "'", "\r", "\n", "\r\n", " ", "  ", "\t", "\u00a0", "\u3000",
         "\u0085", "/", "//", "a", "B", "foo", "Foo", "FOO", "e", "o", "e\u0301", "\u00e9", "\u00c9", "\u01c5",
         "\u02b0", "\u4e2d", "\u6587", "\u65e5\u672c\u8a9e", "\u30ab\u3099", "\uf900", "\u0928", "\u093c", "\u0958",
         "\u0301", "\u0327", "\u0323", "\u1e69", "s", "\u212a", "\u037e", "=\u0338", "\u1100", "\u1161", "\u11a8",
         "\uac00", "\U0001d15e", "\u0344", "1", "12", "1234", "\u00b2", "\u2167", ".", ",", "(", "->", "==", "_",
         "\U0001f600", "\u200d", "\ufeff", "\x00", "<|endoftext|>", " the", "        ", "return 0;"]


def train():
    texts = [open(name, encoding="utf-8").read() for name in sorted(glob.glob("*.md") + glob.glob("docs/*.md"))]
    texts += ["\u65e5\u672c\u8a9e\u306e\u30c6\u30ad\u30b9\u30c8 \u4e2d\u6587 caf\u00e9 na\u00efve \u0928\u093f" * 20]
    tok = Tokenizer(models.BPE())
    tok.pre_tokenizer = pre_tokenizers.Sequence([
        pre_tokenizers.Split(Regex(LLAMA3), "isolated"), pre_tokenizers.ByteLevel(False, use_regex=False)])
    trainer = trainers.BpeTrainer(vocab_size=900, initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
                                  show_progress=False)
    tok.train_from_iterator(texts, trainer)
    base = json.loads(tok.to_str())
    # Tokens that no merge makes, as some files have them.
    for whole in ["\u00e6\u0139\u00a5\u00e6\u013e\u00ac", "FO", "\u0120\u0120\u0120\u0120\u0120\u0120\u0120\u0120"]:
        base["model"]["vocab"].setdefault(whole, len(base["model"]["vocab"]))
    return base


def variant(base, name):
    pre, normalizer, ignore = VARIANTS[name]
    made = json.loads(json.dumps(base))
    made["pre_tokenizer"], made["normalizer"] = pre, normalizer
    made["model"]["ignore_merges"] = ignore
    return made


def known(text):
    """Of Unicode 9, as the list of those that came later has it."""
    return all(unicodedata.ucd_3_2_0.category(c) != "Cn" for c in text)


def normal_pairs():
    marks = [chr(c) for c in range(0x110000) if unicodedata.ucd_3_2_0.combining(chr(c))]
    made = [chr(c) for c in range(0x110000) if unicodedata.ucd_3_2_0.decomposition(chr(c))]
    pool = marks + made + [chr(c) for c in range(0x1100, 0x1200)] + list("abcXYZ =<>/\n0123") * 40
    for _ in range(1200):
        some = random.sample(pool, random.choice((3, 8, 40)))
        text = "".join(random.choice(some) * (random.choice((1, 1, 1, 12)) if random.random() < .1 else 1)
                       for _ in range(random.randrange(1, 14)))
        if known(text):
            yield [text.encode().hex(), unicodedata.normalize("NFC", text).encode().hex()]


def main():
    random.seed(20261122)
    base = train()
    texts = [""] + PARTS + ["".join(random.choice(PARTS) for _ in range(random.randrange(2, 30))) for _ in range(90)]
    vectors = {}
    for name in VARIANTS:
        tok = Tokenizer.from_str(json.dumps(variant(base, name)))
        vectors[name] = [tok.encode(text, add_special_tokens=False).ids for text in texts]
    out = {"made_by": "tests/oracle/tokenizer_hf_record.py", "base": base,
           "variants": {name: {"pre_tokenizer": of[0], "normalizer": of[1], "ignore_merges": of[2]}
                        for name, of in VARIANTS.items()},
           "texts": [text.encode().hex() for text in texts], "ids": vectors, "nfc": list(normal_pairs())}
    body = ",\n".join(f"{json.dumps(key)}: {json.dumps(value, separators=(',', ':'))}" for key, value in out.items())
    print("{\n" + body + "\n}")


main()
