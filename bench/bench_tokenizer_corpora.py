#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Makes the texts that tokenizers are compared on.

usage: bench/bench_tokenizer_corpora.py FOLDER SOURCE...

A SOURCE is an unpacked package, or a folder of them: Debian's linux-source-6.1
gives C, English and Chinese, libreoffice-l10n-{ar,hi,ja,ko,zh-cn} (dpkg-deb -x)
the other scripts, npm's monaco-editor and plotly.js-dist-min minified
JavaScript, emojibase-data and world-countries JSON, and any tree other
languages. Logs, emoji and base64 are made from a seed. A text for which the
sources have nothing is left out. Nothing is downloaded.
"""
import base64
import os
import random
import struct
import sys

MEGABYTE = 1000000
# Most bytes of a text; of code.txt, of each language.
LIMITS = {"kernel": 100 * MEGABYTE, "code": 2 * MEGABYTE}
LIMIT = 24 * MEGABYTE
MADE = 6 * MEGABYTE
CODE = ("c cpp cs go java js jl kt lua php pl py rb rs scala sh swift tcl "
        "ts").split()
SCRIPTS = {"zh_CN": "cjk", "ja": "cjk", "ko": "cjk", "ar": "arabic",
           "hi": "devanagari", "ru": "cyrillic"}


def files(sources):
    """All regular files, in the order of their names."""
    for source in sources:
        for folder, names, found in os.walk(source):
            names.sort()
            for name in sorted(found):
                path = os.path.join(folder, name)
                if os.path.isfile(path) and not os.path.islink(path):
                    yield path


def messages(raw):
    """The translated texts of a .mo file of gettext."""
    _, _, nr, _, table = struct.unpack_from("<5I", raw)
    for i in range(nr):
        size, at = struct.unpack_from("<2I", raw, table + 8 * i)
        yield raw[at:at + size] + b"\n"


def is_minified(raw):
    return len(raw) > 20000 and len(raw) > 1000 * (raw.count(b"\n") + 1)


def kinds(path, raw):
    """The texts that a file belongs to."""
    parts = path.split(os.sep)
    end = path.rsplit(".", 1)[-1]
    if end == "mo":
        return [SCRIPTS[p] for p in parts if p in SCRIPTS][:1]
    if end in ("rst", "md"):
        if "translations" not in parts:
            return ["english"]
        return ["cjk"] if "zh_CN" in parts else []
    if end == "json":
        return ["json"]
    if end == "js" and is_minified(raw):
        return ["minified"]
    if end in CODE:
        return ["code " + end] + (["kernel"] if end == "c" else [])
    return ["kernel"] if end == "h" else []


def collect(sources):
    texts = {}
    for path in files(sources):
        end = path.rsplit(".", 1)[-1]
        if end not in CODE + ["h", "rst", "md", "json", "mo"]:
            continue
        with open(path, "rb") as file:
            raw = file.read()
        for kind in kinds(path, raw):
            text = texts.setdefault(kind, bytearray())
            if end == "mo":
                raw = b"".join(messages(raw))
            left = LIMITS.get(kind.split()[0], LIMIT) - len(text)
            text += raw[:max(left, 0)]
    code = [texts.pop(kind) for kind in sorted(texts)
            if kind.startswith("code ")]
    if code:
        texts["code"] = b"".join(code)
    scripts = [texts[kind] for kind in sorted(set(SCRIPTS.values()))
               if kind in texts]
    if scripts:
        texts["scripts"] = b"".join(bytes(text[:700000]) for text in scripts)
    return texts


def logs(rng):
    paths = ["/api/v1/users", "/static/app.js", "/login", "/search?q=lamp"]
    while True:
        yield (f"2026-{rng.randint(1, 12):02}-{rng.randint(1, 28):02}T"
               f"{rng.randint(0, 23):02}:{rng.randint(0, 59):02}:"
               f"{rng.randint(0, 59):02}.{rng.randint(0, 999):03}Z "
               f"{rng.choice(['INFO', 'WARN', 'ERROR', 'DEBUG'])} "
               f"[worker-{rng.randint(1, 16)}] 10.{rng.randint(0, 255)}."
               f"{rng.randint(0, 255)}.{rng.randint(0, 255)} "
               f"\"GET {rng.choice(paths)}/{rng.randint(1, 99999)} HTTP/1.1\" "
               f"{rng.choice([200, 200, 200, 304, 404, 500])} "
               f"{rng.randint(100, 99999)} trace={rng.getrandbits(64):016x} "
               f"{rng.random() * 9:.3f}ms\n")


def emoji(rng):
    faces = [chr(c) for c in [*range(0x1f600, 0x1f650),
                              *range(0x1f300, 0x1f5ff),
                              *range(0x1f900, 0x1f9ff), *range(0x2600, 0x26ff)]]
    tones = ["", "\U0001f3fb", "\U0001f3fd", "\U0001f3ff", "\ufe0f"]
    words = "so happy lunch with the team today great news see you".split()
    while True:
        yield rng.choice(words) + " "
        for _ in range(rng.randint(0, 5)):
            yield rng.choice(faces) + rng.choice(tones)
        if rng.random() < 0.1:
            yield "\u200d".join(rng.choice(faces) for _ in range(3))
        yield " " if rng.random() < 0.9 else "\n"


def base64_lines(rng):
    while True:
        yield base64.encodebytes(rng.randbytes(5700)).decode() + "\n"


def made(lines):
    text = bytearray()
    for line in lines(random.Random(22)):
        text += line.encode()
        if len(text) >= MADE:
            return text


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    folder = sys.argv[1]
    os.makedirs(folder, exist_ok=True)
    texts = collect(sys.argv[2:])
    texts.update(logs=made(logs), emoji=made(emoji), base64=made(base64_lines))
    for name, text in sorted(texts.items()):
        # no code point is cut
        text = bytes(text).decode("utf-8", "ignore").encode()
        with open(os.path.join(folder, name + ".txt"), "wb") as out:
            out.write(text)
        print(f"{len(text):10} {name}.txt")


if __name__ == "__main__":
    main()
