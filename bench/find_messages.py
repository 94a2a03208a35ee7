#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""How often bale find has the code that prints a message first.

Messages are string literals of code, picked at random: of 20 to 120 bytes and
four words, on one line, which no other line has. What a program would put into
one is put in, "error: " before it, and this is the query; the range that holds
the literal is looked for among the first places. With --misses, those that are
not first are listed.

Usage: find_messages.py [--messages N] [--seed S] [--misses] TREE...
BALE=build/release/bale
"""
import collections
import os
import re

from find_bench import ask, begin, parser, pick

CODE = {'.c', '.cc', '.cpp', '.cs', '.go', '.h', '.java', '.js', '.kt', '.php',
        '.py', '.rb', '.rs', '.ts'}
NOT_CODE = {'.git', 'deps', 'docs', 'examples', 'external', 'node_modules',
            'test', 'tests', 'third_party', 'vendor', 'website'}
LITERAL = re.compile(r'"([^"\\<]{20,120})"')
WORD = re.compile(r'[A-Za-z]{3,}')
VALUE = re.compile(r'%[-0-9.]*l*[sdiuvqxwTf+]|\{[^}]*\}')


def strings(tree, pattern, most):
    """What the pattern finds in lines of code to its places, paths and lines,
    where there are so many at most."""
    found = collections.defaultdict(list)
    for folder, folders, names in os.walk(tree):
        folders[:] = sorted(set(folders) - NOT_CODE)
        for name in names:
            path = os.path.join(folder, name)
            if os.path.splitext(name)[1] not in CODE or 'test' in name:
                continue
            with open(path, encoding='utf-8', errors='replace') as file:
                lines = file.read().split('\n')
            for number, line in enumerate(lines, 1):
                if line.lstrip().startswith(('//', '#', '*')):
                    continue
                for text in pattern.findall(line):
                    found[text].append((os.path.relpath(path, tree), number))
    return {text: at for text, at in found.items() if len(at) <= most}


def messages(tree):
    """Literal to its places, where there is only one."""
    return {text: at for text, at in strings(tree, LITERAL, 1).items()
            if len(WORD.findall(text)) >= 4 and ' ' in text}


def main():
    options = begin(parser(__doc__, 'messages', 30, 7))
    total = collections.Counter()
    for tree in options.trees:
        places = messages(tree)
        sums = collections.Counter()
        for text in pick(options, sorted(places)):
            values = iter(['foo.txt', '42', 'abc'] * len(text))
            query = 'error: ' + VALUE.sub(lambda _: next(values), text)
            ask(options, sums, 'messages', tree, query, places[text])
        print(tree, dict(sums), flush=True)
        total.update(sums)
    print('all', dict(total))


if __name__ == '__main__':
    main()
