# SPDX-License-Identifier: MIT
"""Trees with files that are not all UTF-8, and what should become of them.

    invalid_utf8.py make DIR SEED         writes such trees: DIR/few, and
                                          DIR/many, which takes longer
    invalid_utf8.py json|jsonl|xml|template OUTPUT
                                          compares all that OUTPUT has with the
                                          files it names: what Python's
                                          errors="replace" makes of them
    invalid_utf8.py report REPORT         the marks in it with the files
    invalid_utf8.py text FILE...          each is UTF-8

Prints what is wrong, nothing if all is right.
"""
import json
import os
import random
import sys
import xml.etree.ElementTree

PART = 256 << 10  # what is read at a time of a file that no slab can hold
GOOD = "Grüße — déjà vu 漢字 😀\n".encode()
MISTAKES = [
    b"\xff", b"\x80", b"\xbf\xbf", b"\xc3", b"\xc0\xaf", b"\xe2\x82",
    b"\xe0\x80\x80", b"\xed\xa0\x80", b"\xf0\x9f\x98", b"\xf0\x80\x80",
    b"\xf4\x90\x80\x80", b"\xf8\x88\x80\x80\x80", b"\xfe\xfe",
    b"\xf0\x9f\x98\xf0\x9f\x98\x80",
]


def text(size, chance=0.0):
    out = b""
    while len(out) < size:
        out += GOOD * random.randint(1, 3)
        if random.random() < chance:
            out += random.choice(MISTAKES)
            out += random.choice([b"", b"x", "é".encode(), b"\n", b"```"])
    return out


def put(path, content):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "wb") as file:
        file.write(content)


def make_few(folder):
    for i in range(20):
        content = text(random.randint(20, 4000), 0.2) + b"\xff"
        put(folder + "small%d.txt" % i, content)
    put(folder + "again.txt", content)
    valid = text(3000)
    put(folder + "valid.txt", valid)
    put(folder + "valid_again.txt", valid)
    # repaired, it has the text of another that had no mistake
    put(folder + "same.txt", valid + b"\xff")
    put(folder + "same_text.txt", valid + "\ufffd".encode())
    put(folder + "late.txt", b"int a;\n" * 2000 + b"\xe9t\xe9\n")
    put(folder + "run", b"#!/usr/bin/env python3\n# " + text(60) + b"\xff\n")
    put(folder + "late_large.txt", text(PART + 7) + b"\xff\n" + text(PART))


def make_many(folder):
    # each mistake at each place of a border between two parts
    for i, mistake in enumerate(MISTAKES):
        for before in range(4):
            start = text(PART - 200)[: PART - 200].decode("utf-8", "ignore")
            start = start.encode() + b"\n"
            start += b"a" * (PART - before - len(start))
            put(folder + "edge%d_%d.txt" % (i, before),
                start + mistake + b"\nmore\n" + text(3000))
    large = text(700000)
    put(folder + "valid_large.txt", large)
    put(folder + "late_large.txt", large + b"\xff\n" + large)
    put(folder + "cut_large.txt", large + b"\xf0\x9f\x98")


def wanted(path):
    with open(path, "rb") as file:
        content = file.read()
    return content.decode("utf-8", "replace"), content


def is_repaired(path):
    shown, content = wanted(path)
    return shown.encode() != content


def compare(path, shown, said):
    want, content = wanted(path)
    if shown != want:
        print("%s: other text" % path)
    if (said == "invalid UTF-8") != is_repaired(path) and said is not False:
        print("%s: from %s" % (path, said))


def compare_same(path, other):
    with open(path, "rb") as one, open(other, "rb") as two:
        if one.read() != two.read():
            print("%s: not the same as %s" % (path, other))


def check_json(files):
    for file in files:
        if "same_as" in file:
            compare_same(file["path"], file["same_as"])
        else:
            compare(file["path"], "".join(c["text"] for c in file["chunks"]),
                    file.get("from"))
    if len(files) < 25:
        print("only %d files" % len(files))


def check(kind, path):
    with open(path, encoding="utf-8", newline="") as file:
        output = file.read()
    if kind == "json":
        check_json(json.loads(output)["files"])
    elif kind == "jsonl":
        lines = [json.loads(line) for line in output.split("\n") if line]
        check_json([line for line in lines if "path" in line])
    elif kind == "template":
        for file in json.loads(output):
            if "same" in file:
                compare_same(file["path"], file["same"])
            else:
                compare(file["path"], file["text"], False)
    elif kind == "xml":
        for file in xml.etree.ElementTree.fromstring(output).iter("file"):
            if "same-as" in file.attrib:
                compare_same(file.get("path"), file.get("same-as"))
            else:
                compare(file.get("path"), "".join(file.itertext()),
                        file.get("from"))


def check_report(path):
    with open(path, encoding="utf-8") as file:
        report = json.load(file)
    for item in report["selected"]:
        marks = item.get("marks", [])
        if ("repaired" in marks) != is_repaired(item["path"]):
            print("%s: marks %s" % (item["path"], marks))


if sys.argv[1] == "make":
    random.seed(int(sys.argv[3]))
    make_few(sys.argv[2] + "/few/")
    make_many(sys.argv[2] + "/many/")
elif sys.argv[1] == "report":
    check_report(sys.argv[2])
elif sys.argv[1] == "text":
    for name in sys.argv[2:]:
        with open(name, "rb") as given:
            given.read().decode("utf-8")
else:
    check(sys.argv[1], sys.argv[2])
