#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""How often bale find has a member of a class first, or what is derived from it.

From what universal-ctags knows of each tree: members of classes whose name
others have as well, asked for as "C.f", "C::f", "C#f", "f in C" and "f in
file.c"; and classes that one to eight others inherit, asked for as "subclasses
of C" and "classes that extend C". With --misses, those that are not first are
listed.

Usage: find_members.py [--members N] [--seed S] [--misses] TREE...
BALE=build/release/bale
"""
import collections
import json
import os
import re
import subprocess

from find_bench import ask, begin, parser, pick

MEMBERS = ('method', 'func', 'function', 'member')
MEMBER_FORMS = {
    'C.f': lambda member, path: f'{member[0]}.{member[1]}',
    'C::f': lambda member, path: f'{member[0]}::{member[1]}',
    'C#f': lambda member, path: f'{member[0]}#{member[1]}',
    'f in C': lambda member, path: f'{member[1]} in {member[0]}',
    'f in file': lambda member, path:
        f'{member[1]} in {os.path.basename(path)}',
}
CLASS_FORMS = {
    'subclasses of C': 'subclasses of {}',
    'classes that extend C': 'classes that extend {}',
}


def tags_of(tree):
    lines = subprocess.run(
        ['ctags', '-R', '--output-format=json', '--fields=+nKsi', '--quiet',
         '--exclude=*.min.js', '-f', '-', tree], stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL, check=True, text=True).stdout
    for line in lines.splitlines():
        tag = json.loads(line)
        # ctags makes names up for what has none
        if 'nonymous' not in line and '__anon' not in line:
            yield tag, (os.path.relpath(tag['path'], tree), tag['line'])


def last_name(text):
    return re.split(r'[.:#]+', text)[-1]


def members_and_classes(tree):
    members = collections.defaultdict(set)
    classes = collections.defaultdict(set)
    names = collections.Counter()
    for tag, place in tags_of(tree):
        name = tag.get('name', '')
        owner = last_name(tag.get('scope', ''))
        if tag.get('kind') in MEMBERS and len(name) > 2 and \
                name.isidentifier() and owner.isidentifier():
            members[owner, name].add(place)
            names[name] += 1
        for base in re.split(r'[ ,]+', tag.get('inherits') or ''):
            base = last_name(re.sub('<.*', '', base))
            if len(base) >= 5 and base.isidentifier():
                classes[base].add(place)
    return ({member: at for member, at in members.items()
             if len(at) == 1 and names[member[1]] > 1},
            {name: at for name, at in classes.items() if len(at) <= 8})


def main():
    options = begin(parser(__doc__, 'members', 10, 3))
    total = collections.defaultdict(collections.Counter)
    for tree in options.trees:
        members, classes = members_and_classes(tree)
        for member in pick(options, sorted(members)):
            places = sorted(members[member])
            for form, query in MEMBER_FORMS.items():
                ask(options, total[form], 'queries', tree,
                    query(member, places[0][0]), places)
        for name in pick(options, sorted(classes)):
            for form, query in CLASS_FORMS.items():
                ask(options, total[form], 'queries', tree, query.format(name),
                    sorted(classes[name]))
        print(tree, flush=True)
    for form, sums in total.items():
        print(form, dict(sums))


if __name__ == '__main__':
    main()
