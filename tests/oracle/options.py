#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
#
# Random options of `bale pack` on whole trees, and on a tree of pieces of their
# files, cut, joined, encoded and spoilt. Each run is compared with what is
# promised of any: no worker dies, the output has no more tokens than the budget
# by `bale count`, `bale verify` accepts it, and it has the same bytes with other
# workers, with a kept survey and whatever is written beside it.
#
#   tests/oracle/options.py [--rounds N] [--seconds S] [--seed S] [--spoilt N]
#                           [TREE...]
#
# Without a TREE: the current directory. N rounds (200), or as many as there is
# time for; --spoilt: so many files of pieces (300), 0: none. Prints TAP; of a
# failure, the command that repeats it.
#
# verifies: NFR-016c-17
import argparse
import base64
import hashlib
import json
import os
import random
import shlex
import subprocess
import sys
import tempfile
import time

BALE = os.path.realpath(os.environ.get('BALE', os.path.join(
    os.environ.get('BUILD', 'build'), os.environ.get('MODE', 'release'),
    'bale')))
BUDGETS = ['all', '1500', '4000', '8000', '20k', '32k', '64k', '128k', '500k']
# of a list, one is chosen
OPTIONS = [
    ['--compress'], ['--compress', '--doc'], ['--strip-comments'],
    ['--tiers', ['on', 'off']],
    ['--query', ['memory leak in expire', 'worker blocks and never wakes up',
                 'fix the crash of the parser', 'add a test']],
    ['--enough'], ['--order', ['rank', 'path']], ['--line-numbers'],
    ['--no-history'], ['--no-preamble'], ['--memory', ['48M', '64M']],
    ['--max-chunk-tokens', ['200', '8000']], ['--min-chunk-tokens', '100'],
    ['--chunk', ['lines:40', 'tokens:300']], ['--no-dedup'],
    ['--dedup-normalize'], ['--no-merge'], ['--overlap-threshold', '0.5'],
    ['--unicode', ['strip', 'escape']], ['--invalid-utf8', 'keep'],
    ['--include', '*.c,*.h,*.ts,*.py,*.rs,*.md'], ['--exclude', 'test*'],
    ['--force-include', '*.lock'], ['--pin', ['README*', '*.toml', '*.h']],
    ['--boost', 'src'], ['--no-ignore'], ['--hidden'],
    ['--no-default-excludes'], ['--max-file-size', '20k'],
    ['--git-log', '20'], ['--git-diff'], ['--git-diff=HEAD~3'],
    ['--rev', ['HEAD', 'HEAD~3']], ['--secrets', ['off', 'exclude']],
    ['--format', ['json', 'xml', 'jsonl', 'plain', 'markdown']],
    ['--encoding', ['cl100k_base', 'gpt2']], ['--split', '20000'],
    ['--min-chunks', '3'], ['--strict'], ['--balance'], ['--tree'],
    ['--hashes', ['on', 'off']], ['--header', 'Hello'],
    ['--count-cache', '1000'], ['--io', 'read'],
    ['--paths', ['absolute', 'root']], ['--reserve-response', '500'],
    ['--relevance-weight', '0.9'], ['--recency-weight', '0.6'],
    ['--source-priority', 'search_results=90'],
    ['--categories', ['none', 'open_files=50,search_results=50']],
    ['--no-redistribute'], ['--search-context', '3'], ['--exact-report'],
    ['open'], ['reference'], ['search'], ['tool'], ['sources'],
]
BESIDE = [[], ['--explain'], ['--metrics', 'metrics'], ['--audit-log', 'audit'],
          ['--report', 'report'], ['--progress', 'always'],
          ['--log-level', 'error']]
# complete, degraded, a wrong option, more than --fail-over or the least, nothing
# to pack
CODES = (0, 3, 2, 8, 9)


def files_of(tree, bytes_max=400000):
    """The regular files of a tree that are not too large."""
    found = []
    for top, dirs, names in os.walk(tree):
        dirs[:] = sorted(set(dirs) - {'.git'})
        for name in sorted(names):
            path = os.path.join(top, name)
            if not os.path.islink(path) and os.path.isfile(path) and \
                    os.path.getsize(path) < bytes_max:
                found.append(path)
    return found


def read(path):
    with open(path, 'rb') as file:
        return file.read()


def spoil(rng, text, pool):
    """A text, and one thing done to it."""
    at = rng.randrange(len(text) + 1)
    numbers = b','.join(b'%d' % rng.randrange(1000)
                        for _ in range(rng.choice((100, 5000, 40000))))
    marks = (b'/*', b'"""', b"'''", b'`', b'{' * 300, b'(', b'<!--', b'#if 0\n',
             b'```\n', b'## File: x (lines 1-2)\n', b'<|endoftext|>', b'\0',
             '\u202e'.encode(), b'\xff\xfe', b'\n' * 5000,
             b'x' * rng.choice((5000, 70000, 250000)))

    def encoded(charset):
        try:
            return text.decode().encode(charset, 'ignore')
        except UnicodeDecodeError:
            return text

    return rng.choice((
        lambda: text[:at], lambda: text[at:],
        lambda: text + read(rng.choice(pool)),
        lambda: text[:at] + base64.b64encode(rng.randbytes(
            rng.choice((200, 3000, 60000)))) + text[at:],
        lambda: text[:at] + numbers + text[at:],
        lambda: text[:at] + rng.choice(marks) + text[at:],
        lambda: text.replace(b'\n', b'\r\n'),
        lambda: text.replace(b'\n', b' '),
        lambda: text * rng.choice((2, 3, 20)),
        lambda: text.rstrip(b'\n'),
        lambda: encoded(rng.choice(('utf-16', 'latin-1', 'cp1251', 'shift-jis',
                                    'gb18030', 'euc-kr'))),
    ))()[:3000000]


def make_spoilt(rng, pool, tree, nr):
    """Files of pieces of others, below directories of usual and odd names."""
    dirs = ('a', 'src', 'test', 'docs', 'lib', 'vendor', 'x y', 'é')
    for i in range(nr):
        path = rng.choice(pool)
        text = read(path)
        for _ in range(rng.choice((0, 1, 1, 2, 4))):
            text = spoil(rng, text, pool)
        ends = (os.path.splitext(path)[1], '.c', '.h', '.py', '.ts', '.go',
                '.rs', '.java', '.md', '.json', '.svg', '.ipynb', '.csv', '')
        name = rng.choice(('f%d', 'test_%d', 'a(b)%d', '[id]%d', 'README%d'))
        where = os.path.join(tree, *rng.choices(dirs, k=rng.randrange(5)))
        os.makedirs(where, exist_ok=True)
        with open(os.path.join(where, name % i + rng.choice(ends)), 'wb') as f:
            f.write(text)


class Round:
    """One command, and what comes of it."""

    def __init__(self, rng, tree, files, place):
        self.rng, self.tree, self.files = rng, tree, files
        self.place = place  # a directory for outputs, and what is written beside
        self.budget = rng.choice(BUDGETS)
        self.options = []
        for option in rng.sample(OPTIONS, rng.randrange(7)):
            self.options += self.spell(option)
        self.command = ['pack', '.', '-q', '--no-last', '-o',
                        os.path.join(place, 'out'), '--budget', self.budget,
                        *self.options]

    def line(self):
        """A file of the tree, and a line that it may have."""
        path = self.rng.choice(self.files)
        nr = read(path).count(b'\n') + 1
        return os.path.relpath(path, self.tree), self.rng.randint(1, nr)

    def written(self, name, lines):
        path = os.path.join(self.place, name)
        with open(path, 'w', errors='surrogateescape') as file:
            file.writelines(line + '\n' for line in lines)
        return path

    def spell(self, option):
        rng = self.rng
        places = [self.line() for _ in range(rng.randint(1, 20))]
        path, line = places[0]
        if option == ['open']:
            return ['--open', path]
        if option == ['reference']:
            return ['--reference', f'{path}:{max(1, line - 5)}-{line}']
        if option in (['search'], ['tool']):
            return ['--' + option[0], self.written(option[0], [
                f'{p}:{n}: error: something in the code' for p, n in places])]
        if option == ['sources']:
            kinds = ('open_file', 'search_result', 'reference')
            return ['--sources', self.written('sources', [json.dumps({
                'type': rng.choice(kinds), 'path': p,
                'lines': [max(1, n - 3), n],
                'relevance': rng.randrange(100) / 100}) for p, n in places])]
        return [rng.choice(word) if isinstance(word, list) else word
                for word in option]

    def run(self, *more):
        """Exit code, what it says, and the bytes of each output."""
        for name in os.listdir(self.place):
            if name.startswith('out'):
                os.remove(os.path.join(self.place, name))
        done = subprocess.run(
            [BALE, *self.command, *more], cwd=self.tree, stderr=subprocess.PIPE,
            stdin=subprocess.DEVNULL, timeout=600,
            env={**os.environ, 'XDG_CACHE_HOME': self.place})
        outputs = {name: hashlib.sha256(read(os.path.join(self.place, name)))
                   .hexdigest() for name in sorted(os.listdir(self.place))
                   if name.startswith('out')}
        return done.returncode, done.stderr.decode(errors='replace'), outputs

    def complaint(self):
        """What is wrong; None: nothing; '': it cannot be run like that."""
        code, said, outputs = self.run(
            '--no-cache', '--workers', self.rng.choice('138'))
        if code not in CODES or 'killed by' in said or 'bug' in said:
            return f'exit code {code}: {said.strip()[:400]}'
        if code in (2, 8, 9):
            return ''
        wrong = self.wrong_output() if 'out' in outputs else None
        beside = [os.path.join(self.place, word)
                  if word in ('metrics', 'audit', 'report') else word
                  for word in self.rng.choice(BESIDE)]
        more = ['--cache', 'on', '--workers', self.rng.choice('138'), *beside]
        for time_nr in (1, 2):
            again = self.run(*more)
            if wrong is None and (code, outputs) != (again[0], again[2]):
                wrong = f'time {time_nr} with {shlex.join(more)}: ' \
                        f'{again[0]}, another output'
        return wrong

    def wrong_output(self):
        out = os.path.join(self.place, 'out')
        if '--split' in self.options or self.budget == 'all':
            return None
        encoding = []
        if '--encoding' in self.options:
            at = self.options.index('--encoding')
            encoding = self.options[at:at + 2]
        counted = subprocess.run([BALE, 'count', out, *encoding], check=True,
                                 stdout=subprocess.PIPE).stdout
        tokens = int(counted.split()[0])
        if tokens > int(self.budget.replace('k', '000')):
            return f'{tokens} tokens'
        verified = subprocess.run([BALE, 'verify', out], cwd=self.tree,
                                  stdout=subprocess.DEVNULL,
                                  stderr=subprocess.PIPE)
        return f'verify: {verified.stderr.decode(errors="replace")[:400]}' \
            if verified.returncode != 0 else None


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('--rounds', type=int, default=200)
    parser.add_argument('--seconds', type=float, default=float('inf'))
    parser.add_argument('--seed', type=int, default=1)
    parser.add_argument('--spoilt', type=int, default=300)
    parser.add_argument('trees', nargs='*', default=['.'])
    args = parser.parse_args()
    rng = random.Random(args.seed)
    end = time.monotonic() + args.seconds
    failed = refused = nr = 0
    with tempfile.TemporaryDirectory() as place:
        trees = [os.path.realpath(tree) for tree in args.trees]
        files = {tree: files_of(tree) for tree in trees}
        if args.spoilt > 0:
            spoilt = os.path.join(place, 'spoilt')
            os.mkdir(spoilt)
            make_spoilt(rng, sum(files.values(), []), spoilt, args.spoilt)
            trees.append(spoilt)
            files[spoilt] = files_of(spoilt)
        while nr < args.rounds and time.monotonic() < end:
            nr += 1
            tree = rng.choice(trees)
            it = Round(rng, tree, files[tree], place)
            wrong = it.complaint()
            refused += wrong == ''
            if wrong:
                failed += 1
                print(f'# {tree}: bale {shlex.join(it.command)}\n# {wrong}',
                      flush=True)
    print(f'# {nr} rounds, {refused} of them refused')
    print('not ok' if failed > 0 else 'ok',
          f'1 - {failed} of {nr} commands break a promise')
    print('1..1')
    return failed > 0


if __name__ == '__main__':
    sys.exit(main())
