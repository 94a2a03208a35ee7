# SPDX-License-Identifier: MIT
"""Whether an output, its report and its preview agree with the tree.

usage: pack_contract.py OUT.md REPORT.json PREVIEW.json

in the folder that the report's paths begin in.

Reads the tree and the Markdown itself, line by line, and prints one TAP line
for each promise. What bale calculated is calculated again here, from what the
files hold and what the documents say, not from another of bale's figures.
"""
import hashlib
import json
import os
import re
import sys

out, report, preview = sys.argv[1:]
report = json.load(open(report))
preview = json.load(open(preview))
number = 0


def is_same(got, want, name):
    global number
    number += 1
    print("ok" if got == want else "not ok", number, "-", name)
    if got != want:
        print("# got: ", str(got)[:300])
        print("# want:", str(want)[:300])


def lines_of(path):
    with open(path, "rb") as file:
        return file.read().decode().splitlines(keepends=True)


def ranges(places):
    """Lines of each file, as a set of their numbers."""
    found = {}
    for place in places:
        lines = found.setdefault(place["path"], [])
        lines.extend(range(place["start_line"], place["end_line"] + 1))
    return found


def sections(text):
    """Header, language and lines of each file in a Markdown output."""
    header = re.compile(r"## File: (\S+) \(lines (\d+)-(\d+)(?: of (\d+))?\)\n")
    gap = re.compile(r"(\.\.\.|…|\[).*")
    lines, at = text.splitlines(keepends=True), 0
    while at < len(lines):
        found = header.fullmatch(lines[at])
        if not found:
            at += 1
            continue
        fence, language = re.match("(`{3,})(.*)", lines[at + 1]).groups()
        end = next(i for i in range(at + 2, len(lines))
                   if lines[i].rstrip("\n") == fence)
        yield found, language, lines[at + 2:end]
        at = end + 1


with open(out, "rb") as file:
    raw = file.read()
chosen = ranges(report["selected"])
left = ranges(report["excluded"])
budget = report["budget"]
found = list(sections(raw.decode()))

# The content. verifies: FR-016-05, FR-016-06, FR-016-08, FR-016-34
is_same([f.group(1) for f, _, _ in found], sorted(chosen),
        "a section for each file that the report names, in order of paths")
for header, _, body in found:
    path = header.group(1)
    whole = lines_of(path)
    want = [whole[i - 1] for i in sorted(chosen[path])]
    # What is no line of the plan has to be a mark of a gap.
    rest, got = list(want), []
    for line in body:
        if rest and line == rest[0]:
            got.append(rest.pop(0))
        elif not re.fullmatch(r"\.\.\. \d+ lines? left out\n|\.\.\.\n|"
                              r"\[.*\]\n|.*lines? \d+.*\n|…\n", line):
            got.append(line)
    is_same(got, want, "the lines of %s that the report names" % path)
# Headers. verifies: AC-016-017, AC-016-018, AC-016-019, FR-016-140
is_same([(int(h.group(2)), int(h.group(3)),
          int(h.group(4) or h.group(3))) for h, _, _ in found],
        [(min(chosen[h.group(1)]), max(chosen[h.group(1)]),
          len(lines_of(h.group(1)))) for h, _, _ in found],
        "each header has the first line, the last, and the file's number")
is_same({h.group(1).rsplit(".")[-1]: language for h, language, _ in found
         if h.group(1).endswith((".c", ".py", ".md"))},
        {"c": "c", "py": "python", "md": "markdown"},
        "each fence says its language")

# Chunks. verifies: AC-016-005, FR-016-09, FR-016-117
is_same(sorted(set(chosen) | set(left)),
        sorted(os.path.join(folder, name)
               for folder, _, names in os.walk("tree") for name in names),
        "every file is taken or left out")
is_same({path: sorted(chosen.get(path, []) + left.get(path, []))
         for path in set(chosen) | set(left)},
        {path: list(range(1, len(lines_of(path)) + 1))
         for path in set(chosen) | set(left)},
        "every line is taken or left out, and none is both")
is_same({e["reason"] for e in report["excluded"]}, {"budget"},
        "what is left out says why")

# The sum. verifies: FR-016-07, FR-016-14, AC-016-011, AC-016-012, AC-016-013
is_same(report["output"]["bytes"], len(raw), "bytes of the output")
is_same(report["output"]["sha256"], hashlib.sha256(raw).hexdigest(),
        "its SHA-256")
is_same(budget["used"], report["output"]["tokens"], "its tokens are the used")
is_same(budget["available"], budget["total"] - budget["response_reserve"] -
        budget["system_reserve"], "the reserves are taken off")
is_same(budget["used"] <= budget["available"], True, "no more than there is")
is_same((report["chunks"]["packed"], report["chunks"]["seen"]),
        (len(report["selected"]),
         report["chunks"]["packed"] + report["chunks"]["rejected"]),
        "numbers of chunks")

# Scores. verifies: AC-016-008, AC-016-009, AC-016-010, FR-016c-47
off = [c["path"] for c in report["selected"]
       if abs(0.5 * c["factors"]["relevance"] + 0.3 * c["factors"]["recency"] +
              0.2 * c["factors"]["source"] - c["score"]) > 2e-6]
is_same(off, [], "a score is 0.5, 0.3 and 0.2 of its three factors")
is_same(len({c["score"] for c in report["selected"]}) > 3, True,
        "and not the same for all")

# The preview. verifies: FR-016-10, FR-016-11
place = ("path", "start_line", "end_line")
is_same(sorted(tuple(c[k] for k in place) for c in preview["selected"]),
        sorted(tuple(c[k] for k in place) for c in report["selected"]),
        "preview names what pack takes")
is_same(sorted(tuple(c[k] for k in place) for c in preview["excluded"]),
        sorted(tuple(c[k] for k in place) for c in report["excluded"]),
        "and what it leaves out")
