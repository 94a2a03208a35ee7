#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""How often bale find has a function of Python by what its docstring says.

Each TREE is copied without its docstrings, tests and pages; the queries are the
first sentences of docstrings, of 6 to 20 words, picked at random. A range that
has a line of the function is looked for among the first places. With --misses,
those that are not first are listed.

Usage: find_described.py [--functions N] [--seed S] [--misses] TREE...
BALE=build/release/bale
"""
import ast
import collections
import os
import re
import tempfile

from find_bench import ask, begin, parser, pick

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
    options = begin(parser(__doc__, 'functions', 25, 17))
    sums = collections.Counter()
    for tree in options.trees:
        with tempfile.TemporaryDirectory() as to:
            for path, node, sentence in pick(options, copy(tree, to)):
                lines = range(node.lineno, node.end_lineno + 1)
                ask(options, sums, 'functions', to, sentence,
                    [(path, line) for line in lines])
        print(tree, dict(sums), flush=True)


if __name__ == '__main__':
    main()
