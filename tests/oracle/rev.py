#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
#
# Compares `bale pack --rev` with git: the paths are those of
# `git ls-tree -r`, and the output has the same bytes as that of packing a
# folder into which `git cat-file` has written the same commit; both without
# the history, which such a folder has none of.
#
#   tests/oracle/rev.py [--rev REV] REPOSITORY...
#
# REPOSITORY: a work tree, or a repository without one. Prints TAP and, for
# each, how many files and bytes there were and how long both ways took.
import argparse
import json
import os
import subprocess
import sys
import tempfile
import time

BALE = os.path.join(os.getcwd(), os.environ.get(
    'BALE', os.path.join(os.environ.get('BUILD', 'build'),
                         os.environ.get('MODE', 'release'), 'bale')))


def git(repository, *args, **kwargs):
    return subprocess.run(
        ['git', '-c', 'safe.directory=*', *args], cwd=repository, check=True,
        stdout=subprocess.PIPE, **kwargs).stdout


def ls_tree(repository, rev):
    for line in git(repository, 'ls-tree', '-r', '-z', rev).split(b'\0'):
        if line:
            what, path = line.split(b'\t', 1)
            mode, kind, name = what.split()
            yield mode, kind, name, path


def write_out(repository, rev, folder, seconds):
    """The commit as files, by git cat-file alone."""
    entries = [e for e in ls_tree(repository, rev)]
    blobs = [e for e in entries if e[1] == b'blob']
    batch = subprocess.Popen(
        ['git', '-c', 'safe.directory=*', 'cat-file', '--batch'],
        cwd=repository, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    total = 0
    for mode, _, name, path in blobs:
        batch.stdin.write(name + b'\n')
        batch.stdin.flush()
        head = batch.stdout.readline().split()
        if head[1] == b'missing':  # a mirror need not be whole
            continue
        size = int(head[2])
        text = batch.stdout.read(size + 1)[:-1]
        total += size
        target = os.path.join(os.fsencode(folder), path)
        os.makedirs(os.path.dirname(target), exist_ok=True)
        if mode == b'120000':
            os.symlink(text, target)
        else:
            with open(target, 'wb') as out:
                out.write(text)
            os.utime(target, (seconds, seconds))
    batch.stdin.close()
    batch.wait()
    return entries, total


def pack(folder, out, *args):
    begun = time.monotonic()
    done = subprocess.run(
        [BALE, 'pack', '-q', '-o', out + '.md', '--report', out + '.json',
         *args, '.'], cwd=folder, stderr=subprocess.PIPE)
    if done.returncode not in (0, 3):
        return None, None, done.stderr.decode(), 0
    with open(out + '.md', 'rb') as text, open(out + '.json') as report:
        return text.read(), json.load(report), '', time.monotonic() - begun



def paths_of(report):
    """Every path of a report, once; bytes that are not UTF-8 as U+FFFD."""
    return {e['path'] for e in report['selected'] + report['excluded']}


def compare(repository, rev, work):
    seconds = int(git(repository, 'log', '-1', '--format=%ct', rev))
    tree = os.path.join(work, 'tree')
    os.mkdir(tree)
    entries, total = write_out(repository, rev, tree, seconds)
    want = {os.fsdecode(e[3]) + ('/' if e[1] == b'commit' else '')
            for e in entries}
    problems = []
    taken = 0
    for budget in ['all', '60k']:
        there, _, error, _ = pack(tree, os.path.join(work, 'there'),
                                  '--no-ignore', '--hidden',
                                  '--no-history', '--budget', budget)
        if there is None:
            return [error], len(want), total, 0
        for workers in ['1', '2', '8']:
            text, report, error, spent = pack(
                repository, os.path.join(work, 'rev'), '--rev', rev,
                '--no-default-excludes', '--no-history', '--budget', budget,
                '--workers', workers)
            if text is None:
                problems.append(error)
                continue
            taken = max(taken, spent) if budget == 'all' else taken
            if text != there:
                problems.append(f'--budget {budget} --workers {workers}: '
                                'other bytes than from files')
        if budget == 'all' and text is not None:
            got = paths_of(report)
            for path in sorted(got ^ want)[:5]:
                problems.append(('only git has ' if path in want else
                                 'only bale has ') + repr(path))
    return problems, len(want), total, taken


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('--rev', default='HEAD')
    parser.add_argument('repositories', nargs='+')
    args = parser.parse_args()
    failed = 0
    for number, repository in enumerate(args.repositories, 1):
        with tempfile.TemporaryDirectory() as work:
            problems, files, total, taken = compare(
                os.path.abspath(repository), args.rev, work)
        name = os.path.basename(os.path.normpath(repository))
        print(f'{"not ok" if problems else "ok"} {number} - {name} '
              f'{args.rev}: {files} files, {total / 1e6:.1f} MB, '
              f'{taken:.2f} s')
        for problem in problems:
            print('# ' + problem.strip())
        failed += bool(problems)
        sys.stdout.flush()
    print(f'1..{len(args.repositories)}')
    return failed > 0


if __name__ == '__main__':
    sys.exit(main())
