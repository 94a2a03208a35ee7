#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""How often bale find has the code first that has an option or a key.

Options, variables of the environment, routes and keys are string literals of
code without blanks, picked at random of each tree, which two lines at most
have. Each is a query; the range that holds one of them is looked for among the
first places. With --misses, those that are not first are listed. (Some of them
are names of functions as well, which come before strings.)

Usage: find_strings.py [--strings N] [--seed S] [--misses] TREE...
BALE=build/release/bale
"""
import collections
import re

from find_bench import ask, begin, parser, pick
from find_messages import strings

KINDS = {
    'option': r'["\'`](--[a-z][a-z0-9-]{3,40})["\'`=, ]',
    'variable': r'["\'`]([A-Z][A-Z0-9]*_[A-Z0-9_]{3,40})["\'`]',
    'route': r'["\'`](/[a-z][a-z0-9_-]*(?:/[:{}<>\w-]+){1,5})["\'`]',
    'dotted key': r'["\'`]([a-z][\w-]*(?:\.[a-z][\w-]*){1,4})["\'`]',
    'key': r'["\'`]([a-z]+(?:[_-][a-z0-9]+){1,4})["\'`]',
}


def main():
    options = begin(parser(__doc__, 'strings', 20, 11))
    total = collections.defaultdict(collections.Counter)
    for tree in options.trees:
        for kind, pattern in KINDS.items():
            places = strings(tree, re.compile(pattern), 2)
            for text in pick(options, sorted(places)):
                ask(options, total[kind], 'strings', tree, text, places[text])
        print(tree, flush=True)
    for kind, sums in total.items():
        print(kind, dict(sums))


if __name__ == '__main__':
    main()
