#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""How often bale find has the code first that has an option or a key.

Options, variables of the environment, routes and keys are string literals of
code without blanks, picked at random of each tree, which two lines at most
have. Each is a query; the range that holds one of them is looked for among the
first places. With --misses, those that are not first are listed. (Some of them
are names of functions as well, which come before strings.) With --asked, the
query asks for them in words: "the --no-color option", "GET /users/:id".

Usage: find_strings.py [--strings N] [--seed S] [--asked] [--misses] TREE...
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
ASKED = {
    'option': 'the {} option',
    'variable': 'where is {} read',
    'route': 'GET {}',
    'dotted key': 'config key {}',
    'key': 'setting {}',
}


def main():
    made = parser(__doc__, 'strings', 20, 11)
    made.add_argument('--asked', action='store_true')
    options = begin(made)
    total = collections.defaultdict(collections.Counter)
    for tree in options.trees:
        for kind, pattern in KINDS.items():
            places = strings(tree, re.compile(pattern), 2)
            for text in pick(options, sorted(places)):
                query = ASKED[kind].format(text) if options.asked else text
                ask(options, total[kind], 'strings', tree, query, places[text])
        print(tree, flush=True)
    for kind, sums in total.items():
        print(kind, dict(sums))


if __name__ == '__main__':
    main()
