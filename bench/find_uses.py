#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""How many uses of a name bale find has among its first places.

Names are picked at random from what universal-ctags knows of each tree, of
those that git grep finds in two to ten lines beside their definitions. The
query is "callers of NAME"; the lines that the first 20 places have are counted.

Usage: find_uses.py [--names N] [--seed S] TREE...
BALE=build/release/bale
"""
import argparse
import collections
import json
import os
import random
import subprocess

from find_names import KINDS, SHOWN, definitions


def uses(tree, name, defined):
    """Paths and lines that have a name, but for its definitions."""
    found = subprocess.run(['git', '-C', tree, 'grep', '-nIwF', name],
                           stdout=subprocess.PIPE, text=True).stdout
    places = {tuple(line.split(':', 2)[:2]) for line in found.splitlines()}
    return {(path, int(line)) for path, line in places} - defined


def shown(bale, tree, name):
    run = subprocess.run([bale, 'find', '--json', '-n', str(SHOWN), '--paths',
                          'root', f'callers of {name}', tree],
                         stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    return json.loads(run.stdout)['places'] if run.stdout else []


def main():
    parser = argparse.ArgumentParser(description=__doc__.split('\n')[0])
    parser.add_argument('--names', type=int, default=15)
    parser.add_argument('--seed', type=int, default=13)
    parser.add_argument('trees', nargs='+', metavar='TREE')
    options = parser.parse_args()
    bale = os.environ.get('BALE', 'build/release/bale')
    random.seed(options.seed)
    sums = collections.Counter()
    for tree in options.trees:
        # what is one lower-case word may be any word
        places = {name: at for name, at in
                  definitions(tree, KINDS.split(',')).items()
                  if '_' in name[1:] or name != name.lower()}
        names = sorted(places)
        random.shuffle(names)
        taken = 0
        for name in names:
            lines = uses(tree, name, places[name])
            if not 2 <= len(lines) <= 10:
                continue
            ranges = shown(bale, tree, name)
            sums['lines'] += len(lines)
            sums['shown'] += sum(
                any(it['path'] == path and
                    it['start_line'] <= line <= it['end_line']
                    for it in ranges) for path, line in lines)
            sums['names'] += 1
            sums['first is one'] += any(
                it['path'] == path and
                it['start_line'] <= line <= it['end_line']
                for it in ranges[:1] for path, line in lines)
            taken += 1
            if taken == options.names:
                break
        print(tree, dict(sums), flush=True)


if __name__ == '__main__':
    main()
