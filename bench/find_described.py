#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""How often bale find has a function of Python by what its docstring says.

Each TREE is copied without its docstrings, tests and pages; the queries are the
first sentences of docstrings, of 6 to 20 words, picked at random. A range that
has a line of the function is looked for among the first places.

Usage: find_described.py [--functions N] [--seed S] TREE...
BALE=build/release/bale
"""
import argparse
import ast
import collections
import os
import random
import re
import tempfile

from find_names import rank

LEFT_OUT = {'doc', 'docs', 'examples', 'test', 'tests', 'test-data', 'typeshed'}
SENTENCE = re.compile(r'(?<=[.!?])\s|\n\n')
FUNCTIONS = (ast.AsyncFunctionDef, ast.FunctionDef)


def strip(path):
    """The text without docstrings, and what they said: function, sentence."""
    with open(path, encoding='utf-8', errors='replace') as file:
        text = file.read()
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError):
        return text, []
    lines = text.split('\n')
    said = []
    for node in ast.walk(tree):
        if not isinstance(node, (*FUNCTIONS, ast.ClassDef, ast.Module)):
            continue
        doc = ast.get_docstring(node)
        if not doc:
            continue
        first = SENTENCE.split(doc.strip())[0].replace('\n', ' ')
        if isinstance(node, FUNCTIONS) and len(node.body) > 2 and \
                6 <= len(first.split()) <= 20:
            said.append((node, first))
        string = node.body[0]
        begin = lines[string.lineno - 1]
        lines[string.lineno - 1:string.end_lineno] = \
            [begin[:len(begin) - len(begin.lstrip())] + 'pass'] + \
            [''] * (string.end_lineno - string.lineno)
    return '\n'.join(lines), said


def copy(tree, to):
    """The functions of a tree that is copied, with their sentences."""
    tasks = []
    for folder, folders, names in os.walk(tree):
        folders[:] = sorted(name for name in folders
                            if name not in LEFT_OUT and name[0] != '.')
        for name in sorted(names):
            if not name.endswith('.py'):
                continue
            path = os.path.relpath(os.path.join(folder, name), tree)
            text, said = strip(os.path.join(folder, name))
            os.makedirs(os.path.dirname(os.path.join(to, path)), exist_ok=True)
            with open(os.path.join(to, path), 'w', encoding='utf-8') as file:
                file.write(text)
            tasks += [(path, node, sentence) for node, sentence in said]
    return tasks


def main():
    parser = argparse.ArgumentParser(description=__doc__.split('\n')[0])
    parser.add_argument('--functions', type=int, default=25)
    parser.add_argument('--seed', type=int, default=17)
    parser.add_argument('trees', nargs='+', metavar='TREE')
    options = parser.parse_args()
    bale = os.environ.get('BALE', 'build/release/bale')
    random.seed(options.seed)
    sums = collections.Counter()
    for tree in options.trees:
        with tempfile.TemporaryDirectory() as to:
            tasks = copy(tree, to)
            for path, node, sentence in random.sample(
                    tasks, min(options.functions, len(tasks))):
                lines = range(node.lineno, node.end_lineno + 1)
                at = rank(bale, to, sentence, [(path, i) for i in lines])
                sums['functions'] += 1
                sums['first'] += at == 0
                sums['first five'] += at is not None and at < 5
                sums['first ten'] += at is not None and at < 10
        print(tree, dict(sums), flush=True)


if __name__ == '__main__':
    main()
