#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""How often bale find has the definition of a name first.

Names are picked at random from what universal-ctags knows of each tree:
functions, methods, classes and types, or with --kinds others, of five letters
and more that are defined at most twice. Each is a query; a range that holds a
definition is looked for among the first places. With --misses, those that are
not first are listed. With --as, names of three words and more are asked for as
people misremember them: in another style, in lower case, as words, without
their last or their first word, without a letter, with two letters swapped.

Usage: find_names.py [--names N] [--seed S] [--kinds K,...] [--misses] TREE...
       find_names.py --as style|lower|words|begin|end|left_out|swapped TREE...
BALE=build/release/bale
"""
import collections
import json
import os
import re
import subprocess

from find_bench import ask, begin, parser, pick

WORD = re.compile(r'[A-Z]?[a-z0-9]+|[A-Z]+(?![a-z])')


def other_style(name):
    words = [word.lower() for word in WORD.findall(name)]
    snake = '_'.join(words)
    return words[0] + ''.join(map(str.title, words[1:])) \
        if snake == name else snake


def middle(name, put):
    at = len(name) // 2
    return name[:at] + put(name[at], name[at + 1]) + name[at + 2:]


AS = {
    'style': other_style,
    'lower': str.lower,
    'words': lambda name: ' '.join(WORD.findall(name)).lower(),
    'begin': lambda name: name[:name.rindex(WORD.findall(name)[-1])],
    'end': lambda name: name[name.index(WORD.findall(name)[1]):],
    'left_out': lambda name: middle(name, lambda a, b: b),
    'swapped': lambda name: middle(name, lambda a, b: b + a),
}
KINDS = 'class,func,function,interface,method,struct,trait,type'


def definitions(tree, kinds):
    """Name to the places of its definitions: paths and lines."""
    tags = subprocess.run(
        ['ctags', '-R', '--output-format=json', '--fields=+nK', '--quiet',
         '-f', '-', tree], stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL, check=True, text=True).stdout
    found = collections.defaultdict(set)
    for line in tags.splitlines():
        tag = json.loads(line)
        name = tag.get('name', '')
        # ctags makes names up for what has none
        if tag.get('kind') in kinds and len(name) >= 5 and \
                name.isidentifier() and \
                not name.startswith(('Anonymous', '__anon')):
            path = os.path.relpath(tag['path'], tree)
            found[name].add((path, tag['line']))
    return {name: at for name, at in found.items() if len(at) <= 2}


def main():
    made = parser(__doc__, 'names', 40, 5)
    made.add_argument('--kinds', default=KINDS)
    made.add_argument('--as', choices=AS, dest='form')
    options = begin(made)
    total = collections.Counter()
    for tree in options.trees:
        places = definitions(tree, options.kinds.split(','))
        if options.form:
            places = {name: at for name, at in places.items()
                      if len(WORD.findall(name)) >= 3}
        sums = collections.Counter()
        for name in pick(options, sorted(places)):
            query = AS[options.form](name) if options.form else name
            ask(options, sums, 'names', tree, query, sorted(places[name]))
        print(tree, dict(sums), flush=True)
        total.update(sums)
    print('all', dict(total))


if __name__ == '__main__':
    main()
