#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""How many uses of a name bale find has among its first places.

Names are picked at random from what universal-ctags knows of each tree, of
those that git grep finds in two to ten lines beside their definitions. The
query is "callers of NAME"; the lines that the first 20 places have are counted.
With --misses, the others are listed.

Usage: find_uses.py [--names N] [--seed S] [--misses] TREE...
BALE=build/release/bale
"""
import collections
import itertools
import random
import subprocess

from find_bench import begin, holds, parser, ranges
from find_names import KINDS, definitions


def uses(tree, name, defined):
    """Paths and lines that have a name, but for its definitions."""
    found = subprocess.run(['git', '-C', tree, 'grep', '-nIwF', name],
                           stdout=subprocess.PIPE, text=True).stdout
    places = {tuple(line.split(':', 2)[:2]) for line in found.splitlines()}
    return {(path, int(line)) for path, line in places} - defined


def count(options, sums, found, lines):
    """Which of the lines the ranges have."""
    missed = [line for line in sorted(lines)
              if not any(holds(it, *line) for it in found)]
    sums['names'] += 1
    sums['lines'] += len(lines)
    sums['shown'] += len(lines) - len(missed)
    sums['first is one'] += any(holds(it, *line) for it in found[:1]
                                for line in lines)
    if missed and options.misses:
        print(f'  {missed}')


def main():
    options = begin(parser(__doc__, 'names', 15, 13))
    sums = collections.Counter()
    for tree in options.trees:
        # what is one lower-case word may be any word
        places = {name: at for name, at in
                  definitions(tree, KINDS.split(',')).items()
                  if '_' in name[1:] or name != name.lower()}
        names = sorted(places)
        random.shuffle(names)
        asked = ((name, uses(tree, name, places[name])) for name in names)
        some = ((name, lines) for name, lines in asked
                if 2 <= len(lines) <= 10)
        for name, lines in itertools.islice(some, options.number):
            count(options, sums, ranges(tree, f'callers of {name}'), lines)
        print(tree, dict(sums), flush=True)


if __name__ == '__main__':
    main()
