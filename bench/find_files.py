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
import collections
import os
import re
import subprocess

from find_bench import ask, begin, parser, pick
from find_names import WORD, middle, other_style

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
    options = begin(parser(__doc__, 'files', 15, 9))
    total = collections.defaultdict(collections.Counter)
    for tree in options.trees:
        for path in pick(options, files(tree)):
            for form, change in AS.items():
                ask(options, total[form], 'files', tree, change(path),
                    [(path, None)])
        print(tree, flush=True)
    for form, sums in total.items():
        print(form, dict(sums))


if __name__ == '__main__':
    main()
