#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""How often bale find has the code first that is pasted as the query.

Lines of code, of comments and of declarations, which no other line of the tree
is, and five lines side by side, picked at random of each tree's code without
its tests. Each is a query; the range that holds one of them is looked for among
the first places. With --misses, those that are not first are listed.

Usage: find_lines.py [--lines N] [--seed S] [--misses] TREE...
BALE=build/release/bale
"""
import collections
import os
import random
import re

from find_bench import ask, begin, parser, pick

CODE = re.compile(r'\.(c|h|cc|cpp|cs|go|java|js|kt|php|pl|pm|py|rb|rs|scala|'
                  r'swift|ts|tsx|zig)$')
LEFT_OUT = re.compile(r'(^|/)(\.git|tests?|specs?|vendor|testdata|examples?|'
                      r'node_modules)(/|$)|\.min\.js$')
COMMENT = re.compile(r'(?://|#) ?(?=[A-Za-z])')
DECLARES = re.compile(
    r'(?:export |pub |public |private |protected |static |async |override |'
    r'open |internal |final )*(?:def|func|fn|function|fun|sub|class|struct|'
    r'interface|trait|enum) \w+')
SIDE_BY_SIDE = 5


def kind_of(line):
    if not 25 <= len(line) <= 110:
        return None
    if COMMENT.match(line):
        return 'comment' if len(line.split()) >= 5 else None
    if re.match(r'[/*"\'=#-]', line):
        return None
    if DECLARES.match(line):
        return 'declaration'
    words = re.findall(r'[A-Za-z_]\w+', line)
    return 'code' if len(words) >= 3 and re.search(r'[(=;{]', line) else None


def texts(tree):
    for folder, folders, names in os.walk(tree):
        folders.sort()
        for name in sorted(names):
            path = os.path.relpath(os.path.join(folder, name), tree)
            if CODE.search(path) and not LEFT_OUT.search(path):
                with open(os.path.join(tree, path), errors='replace') as file:
                    yield path, file.read().split('\n')


def queries(tree):
    """By kind, queries to their places."""
    found = collections.defaultdict(lambda: collections.defaultdict(list))
    for path, lines in texts(tree):
        for number, line in enumerate(lines, 1):
            kind = kind_of(line.strip())
            if kind:
                text = COMMENT.sub('', line.strip())
                found[kind][text].append((path, number))
        at = random.randrange(max(len(lines) - SIDE_BY_SIDE, 1))
        text = '\n'.join(lines[at:at + SIDE_BY_SIDE]).strip('\n')
        if len(text.strip()) >= 60:
            found['lines'][text] = [(path, at + 1 + i)
                                    for i in range(SIDE_BY_SIDE)]
    return {kind: {text: places for text, places in of.items()
                   if kind == 'lines' or len(places) == 1}
            for kind, of in found.items()}


def main():
    options = begin(parser(__doc__, 'lines', 10, 3))
    total = collections.defaultdict(collections.Counter)
    for tree in options.trees:
        for kind, places in sorted(queries(tree).items()):
            for text in pick(options, sorted(places)):
                ask(options, total[kind], 'queries', tree, text, places[text])
        print(tree, flush=True)
    for kind, sums in total.items():
        print(kind, dict(sums))


if __name__ == '__main__':
    main()
