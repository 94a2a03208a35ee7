#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Counts the same texts with bale's tokenizer and with its peers, in turns.

usage: bench/bench_tokenizer_peers.py BUILD FILE...

BUILD is the folder of the built program and bench_tokenizer_count, such as
build/release; bench_tokenizer_corpora.py makes the files. Peers are the Python
packages gigatoken, quicktok-v1 and tiktoken, and the npm packages tiktoken and
tokenizers (from NODE_PATH); what is not installed is left out, and so is what
PEERS does not name, if it is set.

All run on one core, in turns, ROUNDS (5) times. Figures are medians of
megabytes per second of processor time: `cold` with an empty cache (a tokenizer
that has just been made), `warm` after a run over the same text, `whole` a
process from its start to its end: `bale count FILE`, or the peer in an
interpreter that reads the file and counts it. The ratios are bale's figures
divided by these: below 1 bale is behind. `ids` says whether the ids of a Python
package are those of `bale count --ids`, and by how many tokens its count
differs where they are not.
"""
import array
import base64
import json
import os
import resource
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


def child_seconds():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def run_whole(command):
    """The processor seconds of a process."""
    before = child_seconds()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    return child_seconds() - before


class InProcess:
    """A peer that is a Python package: `make` gives a function for the ids,
    and one for their number."""

    def __init__(self, label, make, whole):
        self.label, self.make, self.whole = label, make, whole
        make()

    def run(self, path, text, raw):
        times, (_, fresh) = [], self.make()
        for count in (fresh, fresh):
            start = time.process_time()
            tokens = count(text, raw)
            times.append(time.process_time() - start)
        return tokens, times + [run_whole(self.whole + [path])]

    def ids(self, text, raw):
        return array.array("I", self.make()[0](text, raw))


class Program:
    """A peer, or bale, that prints its tokens and the seconds of its runs."""

    def __init__(self, label, command, parse, whole=None):
        self.label, self.command, self.parse = label, command, parse
        self.whole = whole

    def run(self, path, _text, _raw):
        done = subprocess.run([path if word == "FILE" else word
                               for word in self.command], check=True,
                              text=True, stdout=subprocess.PIPE,
                              stderr=subprocess.DEVNULL)
        tokens, times = self.parse(done.stdout)
        if self.whole:
            times.append(run_whole(self.whole + [path]))
        return tokens, times


def parse_node(out):
    words = out.split()
    times = [float(word) for word in words[1:]]
    return int(words[0]), [times[0], sorted(times[1:])[len(times[1:]) // 2]]


def bale(build, name):
    def parse(out):
        for line in out.split("\n"):
            words = line.split()
            if words and words[0] == name:
                size = int(words[3]) / 1e6
                return int(words[4]), [size / float(words[1]),
                                       size / float(words[2])]
        raise ValueError("no line of " + name)
    bench = os.path.join(build, "bench", "bench_tokenizer_count")
    return Program("bale", [bench, "-e", name, "FILE"], parse,
                   [os.path.join(build, "bale"), "count", "--encoding", name])


def gigatoken(_name, path):
    import gigatoken as package
    peer = package.Tokenizer.from_tiktoken(path)
    return lambda _s, b: peer.encode(b), lambda _s, b: len(peer.encode(b))


def quicktok(name, _path):
    import quicktok as package
    peer = package.get_encoding(name)
    return lambda s, _b: peer.encode_ordinary(s), lambda s, _b: peer.count(s)


def tiktoken(name, path):
    import tiktoken as package
    from tiktoken.load import load_tiktoken_bpe
    peer = package.Encoding(name, pat_str=PATTERNS[name], special_tokens={},
                            mergeable_ranks=load_tiktoken_bpe(path))
    return (lambda s, _b: peer.encode_ordinary(s),
            lambda s, _b: len(peer.encode_ordinary(s)))


PACKAGES = {"gigatoken": gigatoken, "quicktok": quicktok, "tiktoken": tiktoken}


def peers(name, folder):
    """What there is to compare with."""
    vocab = ranks(name)
    plain = os.path.join(folder, name + ".tiktoken")
    with open(plain, "w", encoding="ascii") as out:
        for token, rank in vocab.items():
            out.write(f"{base64.b64encode(token).decode()} {rank}\n")

    def python(label):
        return InProcess(label, lambda: PACKAGES[label](name, plain),
                         [sys.executable, __file__, "--whole", label, name,
                          plain])

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

    makers = {label: lambda label=label: python(label) for label in PACKAGES}
    makers["npm:tiktoken"] = lambda: node("npm:tiktoken", "tiktoken", name)
    makers["npm:tokenizers"] = npm_tokenizers
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


def own_ids(build, name, path):
    out = subprocess.run([os.path.join(build, "bale"), "count", "--ids",
                          "--encoding", name, path], check=True,
                         stdout=subprocess.PIPE).stdout
    return array.array("I", map(int, out.split()))


def exactness(peer, wanted, tokens, text, raw):
    if peer.label == "bale":
        return "-"
    if isinstance(peer, InProcess):
        return "same" if peer.ids(text, raw) == wanted else (
            f"{tokens - len(wanted):+d}")
    return "count" if tokens == len(wanted) else f"{tokens - len(wanted):+d}"


def figure(size, seconds):
    return f"{size / seconds:7.1f}" if seconds else f"{'':7}"


def compare(build, name, path, others):
    with open(path, "rb") as file:
        text = file.read().decode("utf-8", "replace")
    raw = text.encode()
    times, tokens = {}, {}
    runners = [bale(build, name)] + others
    for _ in range(ROUNDS):
        for peer in runners:
            tokens[peer.label], row = peer.run(path, text, raw)
            times.setdefault(peer.label, []).append(row)
    wanted = own_ids(build, name, path)
    middle = {label: [median(column) for column in zip(*rows)]
              for label, rows in times.items()}
    for peer in runners:
        row = middle[peer.label] + [None] * (3 - len(middle[peer.label]))
        ratios = " ".join(
            f"{theirs / ours:6.2f}" if theirs else f"{'':6}"
            for theirs, ours in zip(row, middle["bale"]))
        print(f"{os.path.basename(path):15} {name:12} {peer.label:15}",
              " ".join(figure(len(raw) / 1e6, s) for s in row), ratios,
              exactness(peer, wanted, tokens[peer.label], text, raw),
              flush=True)


def count_whole(label, name, plain, path):
    with open(path, "rb") as file:
        raw = file.read()
    text = "" if label == "gigatoken" else raw.decode("utf-8", "replace")
    print(PACKAGES[label](name, plain)[1](text, raw))


def main():
    if sys.argv[1:2] == ["--whole"]:
        count_whole(*sys.argv[2:])
        return
    build, files = sys.argv[1], sys.argv[2:]
    # One core, for those that would take more, too.
    os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    print(f"{'file':15} {'encoding':12} {'who':15} {'cold':>7} {'warm':>7} "
          f"{'whole':>7} {'ratios to bale':20} ids (MB/s on one core)")
    with tempfile.TemporaryDirectory() as folder:
        for name in ENCODINGS:
            others = peers(name, folder)
            for path in files:
                compare(build, name, path, others)


if __name__ == "__main__":
    main()
