#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Counts the same texts with bale's tokenizer and with its peers, in turns.

usage: bench/bench_tokenizer_peers.py BENCH_PROGRAM FILE...

BENCH_PROGRAM is the built bench_tokenizer_count. The peers are Python packages
(gigatoken, quicktok-v1, tiktoken); what is not installed is left out. Figures
are megabytes per second of processor time on one core, the median of five runs
on the same text; `cold` is the first one.
"""
import base64
import os
import struct
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
ENCODINGS = ("o200k_base", "cl100k_base")
RUNS = 5
PATTERNS = {
    "cl100k_base": r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|"
    r"\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+",
    "o200k_base": r"[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*"
    r"[\p{Ll}\p{Lm}\p{Lo}\p{M}]+(?i:'s|'t|'re|'ve|'m|'ll|'d)?|"
    r"[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+"
    r"[\p{Ll}\p{Lm}\p{Lo}\p{M}]*(?i:'s|'t|'re|'ve|'m|'ll|'d)?|\p{N}{1,3}|"
    r" ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+",
}


def ranks(name):
    """The tokens of data/NAME.vocab.zst with their ranks."""
    path = os.path.join(HERE, "..", "data", name + ".vocab.zst")
    raw = subprocess.run(["zstd", "-dcq", path], check=True,
                         stdout=subprocess.PIPE).stdout
    tokens_nr = struct.unpack_from("<I", raw, 12)[0]
    at, found = 52, {}
    for rank in range(tokens_nr):
        size = raw[at]
        if size:
            found[raw[at + 1:at + 1 + size]] = rank
        at += 1 + size
    return found


def peers(name, folder):
    """(label, function from text to a number of tokens) of what there is."""
    vocab = ranks(name)
    found = []
    try:
        import gigatoken
        path = os.path.join(folder, name + ".tiktoken")
        with open(path, "w", encoding="ascii") as out:
            for token, rank in vocab.items():
                out.write(f"{base64.b64encode(token).decode()} {rank}\n")
        giga = gigatoken.Tokenizer.from_tiktoken(path)
        found.append(("gigatoken", lambda s, b: len(giga.encode(b))))
    except ImportError:
        pass
    try:
        import quicktok
        quick = quicktok.get_encoding(name)
        found.append(("quicktok", lambda s, b: quick.count(s)))
    except ImportError:
        pass
    try:
        import tiktoken
        tik = tiktoken.Encoding(name, pat_str=PATTERNS[name],
                                mergeable_ranks=vocab, special_tokens={})
        found.append(("tiktoken", lambda s, b: len(tik.encode_ordinary(s))))
    except ImportError:
        pass
    return found


def measure(count, text, raw, runs):
    times = []
    for _ in range(runs):
        start = time.process_time()
        tokens = count(text, raw)
        times.append(time.process_time() - start)
    cold = times[0]
    return cold, sorted(times)[len(times) // 2], tokens


def main():
    program, files = sys.argv[1], sys.argv[2:]
    print(f"{'encoding':12} {'who':10} {'cold':>7} {'median':>7} "
          f"{'tokens':>10}  file (MB/s on one core)")
    with tempfile.TemporaryDirectory() as folder:
        for path in files:
            with open(path, "rb") as file:
                text = file.read().decode("utf-8", "replace")
            raw = text.encode()
            own = subprocess.run([program, path], check=True, text=True,
                                 stdout=subprocess.PIPE).stdout.split("\n")
            for name in ENCODINGS:
                for line in own:
                    words = line.split()
                    if words and words[0] == name:
                        print(f"{name:12} {'bale':10} {words[1]:>7} "
                              f"{words[2]:>7} {words[4]:>10}  {path}")
                for label, count in peers(name, folder):
                    runs = RUNS if label == "gigatoken" else 3
                    cold, median, tokens = measure(count, text, raw, runs)
                    size = len(raw) / 1e6
                    print(f"{name:12} {label:10} {size / cold:7.1f} "
                          f"{size / median:7.1f} {tokens:10}  {path}",
                          flush=True)


main()
