#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""How often bale find has a file first that is called so, or nearly so.

Files are picked at random of what git has of each tree: source files and pages
whose names have two words and more, and no other file's. Each is asked for by
its name and as people misremember it; the file is looked for among the first
places. With --misses, those that are not first are listed.

Usage: find_files.py [--files N] [--seed S] [--misses] TREE...
BALE=build/release/bale
"""
import argparse
import collections
import os
import random
import re
import subprocess

from find_names import WORD, middle, other_style, rank

SOURCE = re.compile(r'\.(c|cc|cs|go|h|java|js|md|php|py|rb|rs|ts)$')


def by_stem(change):
    """The name with another stem."""
    def changed(path):
        stem, extension = os.path.splitext(os.path.basename(path))
        return change(stem) + extension
    return changed


def stem(path):
    return os.path.splitext(os.path.basename(path))[0]


AS = {
    'name': os.path.basename,
    'directory and name': lambda path: '/'.join(path.split('/')[-2:]),
    'without extension': stem,
    'directory, without':
        lambda path: os.path.splitext('/'.join(path.split('/')[-2:]))[0],
    'words': lambda path: ' '.join(WORD.findall(stem(path))).lower(),
    'other style': by_stem(other_style),
    'a letter left out': by_stem(lambda text: middle(text, lambda a, b: b)),
}


def files(tree):
    """Paths of files whose names are told apart by their stems."""
    listed = subprocess.run(['git', '-C', tree, 'ls-files', '-z'], check=True,
                            stdout=subprocess.PIPE, text=True).stdout
    paths = [path for path in listed.split('\0')
             if SOURCE.search(path) and '/' in path and
             os.path.isfile(os.path.join(tree, path)) and
             os.path.getsize(os.path.join(tree, path)) > 300]
    stems = collections.Counter(stem(path).lower() for path in paths)
    return sorted(path for path in paths if stems[stem(path).lower()] == 1 and
                  len(WORD.findall(stem(path))) >= 2)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split('\n')[0])
    parser.add_argument('--files', type=int, default=15)
    parser.add_argument('--seed', type=int, default=9)
    parser.add_argument('--misses', action='store_true')
    parser.add_argument('trees', nargs='+', metavar='TREE')
    options = parser.parse_args()
    bale = os.environ.get('BALE', 'build/release/bale')
    random.seed(options.seed)
    total = collections.defaultdict(collections.Counter)
    for tree in options.trees:
        paths = files(tree)
        for path in random.sample(paths, min(options.files, len(paths))):
            for form, change in AS.items():
                at = rank(bale, tree, change(path), [(path, None)])
                total[form]['files'] += 1
                total[form]['first'] += at == 0
                total[form]['first five'] += at is not None and at < 5
                if at != 0 and options.misses:
                    print(f'  {tree} {at} {path} {change(path)}')
        print(tree, flush=True)
    for form, sums in total.items():
        print(form, dict(sums))


if __name__ == '__main__':
    main()
