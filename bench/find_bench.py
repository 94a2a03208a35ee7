# SPDX-License-Identifier: MIT
"""What the benches find_*.py share: options, and the places of a query."""
import argparse
import json
import os
import random
import subprocess

BALE = os.environ.get('BALE', 'build/release/bale')
SHOWN = 20


def parser(doc, what, number, seed):
    """For so many of what is picked in each tree; see begin()."""
    made = argparse.ArgumentParser(description=doc.split('\n')[0])
    made.add_argument(f'--{what}', type=int, default=number, dest='number')
    made.add_argument('--seed', type=int, default=seed)
    made.add_argument('--misses', action='store_true')
    made.add_argument('trees', nargs='+', metavar='TREE')
    return made


def begin(made):
    options = made.parse_args()
    random.seed(options.seed)
    return options


def pick(options, names):
    """So many of them at random, or all."""
    return random.sample(names, min(options.number, len(names)))


def ranges(tree, query):
    """The first places of a query, as bale find has them."""
    run = subprocess.run([BALE, 'find', '--json', '-n', str(SHOWN),
                          '--paths', 'root', '--', query, tree],
                         stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    return json.loads(run.stdout)['places'] if run.stdout else []


def holds(found, path, line):
    """Whether a range has a line of a path; None: any line."""
    return found['path'] == path and \
        (line is None or found['start_line'] <= line <= found['end_line'])


def ask(options, sums, what, tree, query, places):
    """Counts one more of what is asked for, by the first range that has one of
    its places, paths and lines."""
    at = next((i for i, found in enumerate(ranges(tree, query))
               if any(holds(found, path, line) for path, line in places)),
              SHOWN)
    sums[what] += 1
    sums['first'] += at == 0
    sums['first five'] += at < 5
    sums['first ten'] += at < 10
    if at != 0 and options.misses:
        print(f'  {tree} {at} {places[0]} {query}')
