#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Counts the same texts with bale's tokenizer and with its peers, in turns.

usage: bench/bench_tokenizer_peers.py BENCH_PROGRAM FILE...

BENCH_PROGRAM is the built bench_tokenizer_count; bench_tokenizer_corpora.sh
makes the files. Peers are the Python packages gigatoken, quicktok-v1 and
tiktoken, and the npm packages tiktoken and tokenizers (from NODE_PATH); what is
not installed is left out, and so is what PEERS does not name, if it is set.

All run on one core, in turns, ROUNDS (5) times. Figures are medians of
megabytes per second of processor time: `cold` with an empty cache (a tokenizer
that has just been made), `warm` behind a run over the same text. `ratio` is
bale's warm figure divided by this one. A number of tokens that differs from
bale's ends the comparison.
"""
import base64
import json
import os
import struct
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
ENCODINGS = os.environ.get("ENCODINGS", "cl100k_base o200k_base").split()
ROUNDS = int(os.environ.get("ROUNDS", "5"))
PEERS = os.environ.get("PEERS", "").split()
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


def last_merge(vocab, token):
    """The two tokens that a token is merged from."""
    parts = [token[i:i + 1] for i in range(len(token))]
    while len(parts) > 2:
        least = min(range(len(parts) - 1), key=lambda i: vocab.get(
            parts[i] + parts[i + 1], len(vocab) * 2))
        if parts[least] + parts[least + 1] not in vocab:
            break
        parts[least:least + 2] = [parts[least] + parts[least + 1]]
    return parts if len(parts) == 2 else None


def write_json(vocab, name, path):
    """The same tokenizer as a Hugging Face tokenizer.json."""
    plain = [c for c in range(256) if 33 <= c < 127 or 161 <= c < 173
             or c >= 174]
    letters = {c: chr(c) for c in plain}
    for c in range(256):
        letters.setdefault(c, chr(256 + len(letters) - len(plain)))
    spell = lambda token: "".join(letters[c] for c in token)
    merges = []
    for token in sorted(vocab, key=vocab.get):
        parts = last_merge(vocab, token) if len(token) > 1 else None
        if parts:
            merges.append([spell(parts[0]), spell(parts[1])])
    split = {"type": "Split", "pattern": {"Regex": PATTERNS[name]},
             "behavior": "Isolated", "invert": False}
    level = {"type": "ByteLevel", "add_prefix_space": False,
             "trim_offsets": True, "use_regex": False}
    with open(path, "w", encoding="utf-8") as out:
        json.dump({
            "version": "1.0", "added_tokens": [],
            "pre_tokenizer": {"type": "Sequence",
                              "pretokenizers": [split, level]},
            "model": {"type": "BPE", "ignore_merges": True, "merges": merges,
                      "vocab": {spell(t): r for t, r in vocab.items()}},
        }, out)


class InProcess:
    """A peer that is a Python package: `make` gives a function that counts."""

    def __init__(self, label, make):
        self.label, self.make, self.count = label, make, make()

    def run(self, _path, text, raw):
        times, fresh = [], self.make()
        for count in (fresh, fresh):
            start = time.process_time()
            tokens = count(text, raw)
            times.append(time.process_time() - start)
        return tokens, times


class Program:
    """A peer, or bale, that prints its tokens and the seconds of its runs."""

    def __init__(self, label, command, parse):
        self.label, self.command, self.parse = label, command, parse

    def run(self, path, _text, _raw):
        done = subprocess.run([path if word == "FILE" else word
                               for word in self.command], check=True,
                              text=True, stdout=subprocess.PIPE,
                              stderr=subprocess.DEVNULL)
        return self.parse(done.stdout)


def parse_node(out):
    words = out.split()
    times = [float(word) for word in words[1:]]
    return int(words[0]), [times[0], sorted(times[1:])[len(times[1:]) // 2]]


def bale(program, name):
    def parse(out):
        for line in out.split("\n"):
            words = line.split()
            if words and words[0] == name:
                size = int(words[3]) / 1e6
                return int(words[4]), [size / float(words[1]),
                                       size / float(words[2])]
        raise ValueError("no line of " + name)
    return Program("bale", [program, "-e", name, "FILE"], parse)


def peers(name, folder):
    """What there is to compare with."""
    vocab = ranks(name)

    def gigatoken():
        import gigatoken as package
        path = os.path.join(folder, name + ".tiktoken")
        with open(path, "w", encoding="ascii") as out:
            for token, rank in vocab.items():
                out.write(f"{base64.b64encode(token).decode()} {rank}\n")
        return InProcess("gigatoken", lambda: (
            lambda peer: lambda s, b: len(peer.encode(b)))(
                package.Tokenizer.from_tiktoken(path)))

    def quicktok():
        import quicktok as package
        return InProcess("quicktok", lambda: (
            lambda peer: lambda s, b: peer.count(s))(
                package.get_encoding(name)))

    def tiktoken():
        import tiktoken as package
        return InProcess("tiktoken", lambda: (
            lambda peer: lambda s, b: len(peer.encode_ordinary(s)))(
                package.Encoding(name, pat_str=PATTERNS[name],
                                 mergeable_ranks=vocab, special_tokens={})))

    def node(label, package, what):
        subprocess.run(["node", "-e", f"require('{package}')"], check=True,
                       stderr=subprocess.DEVNULL)
        return Program(label, ["node", os.path.join(
            HERE, "bench_tokenizer_peers.cjs"), package, what, "FILE", "2"],
                       parse_node)

    def npm_tokenizers():
        path = os.path.join(folder, name + ".json")
        found = node("npm:tokenizers", "tokenizers", path)
        write_json(vocab, name, path)
        return found

    makers = {"gigatoken": gigatoken, "quicktok": quicktok,
              "tiktoken": tiktoken,
              "npm:tiktoken": lambda: node("npm:tiktoken", "tiktoken", name),
              "npm:tokenizers": npm_tokenizers}
    found = []
    for label, maker in makers.items():
        if PEERS and label not in PEERS:
            continue
        try:
            found.append(maker())
        except (ImportError, OSError, subprocess.CalledProcessError):
            print(f"# {label} is not installed", file=sys.stderr)
    return found


def median(values):
    return sorted(values)[len(values) // 2]


def compare(program, name, path, others):
    with open(path, "rb") as file:
        text = file.read().decode("utf-8", "replace")
    raw = text.encode()
    times = {}
    tokens = {}
    for _ in range(ROUNDS):
        for peer in [bale(program, name)] + others:
            tokens[peer.label], pair = peer.run(path, text, raw)
            times.setdefault(peer.label, []).append(pair)
    own = median([pair[1] for pair in times["bale"]])
    for label, pairs in times.items():
        cold, warm = (median([pair[i] for pair in pairs]) for i in (0, 1))
        size = len(raw) / 1e6
        print(f"{name:12} {label:15} {size / cold:7.1f} {size / warm:7.1f} "
              f"{warm / own:6.2f} {tokens[label]:10}  "
              f"{os.path.basename(path)}", flush=True)
        if tokens[label] != tokens["bale"]:
            sys.exit(f"{label} counts {tokens[label]} tokens")


def main():
    program, files = sys.argv[1], sys.argv[2:]
    # One core, for those that would take more, too.
    os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    print(f"{'encoding':12} {'who':15} {'cold':>7} {'warm':>7} {'ratio':>6} "
          f"{'tokens':>10}  file (MB/s on one core)")
    with tempfile.TemporaryDirectory() as folder:
        for name in ENCODINGS:
            others = peers(name, folder)
            for path in files:
                compare(program, name, path, others)


if __name__ == "__main__":
    main()
