#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
#
# Compares the walk with `git ls-files -co --exclude-standard`, and what it says
# is ignored with `git check-ignore`.
#
#   tests/oracle/collect.py [--trees N] [--seed S] [REPOSITORY...]
#
# Without repositories: N generated work trees (default 400) with nested ignore
# files, info/exclude, core.excludesFile, tracked files that are ignored,
# nested repositories, submodules and worktrees; each is looked at from its top
# and from folders in it. With repositories: these, as they are.
#
# Prints TAP. Takes the walk from bench_collect_walk --list.
import argparse
import os
import random
import shutil
import subprocess
import sys
import tempfile

WALK = os.path.join(os.getcwd(), os.environ.get('BUILD', 'build'),
                    os.environ.get('MODE', 'release'),
                    'bench/bench_collect_walk')

NAMES = [b'a', b'b', b'c', b'foo', b'bar', b'baz', b'Foo', b'a.o', b'b.o',
         b'x.c', b'lib.a', b'.hid', b'foo bar', b'foo ', b'#x', b'!y',
         b'a*b', b'a[b]', b'a?b', b'a\\b', b'ab', b'abc', b'a-b', b'\xff\xfe',
         b'\xc3\xa9', b'build', b'doc', b'frotz', b'q\nr', b'-', b'tab\t']
stats = {'entries': 0, 'ignored': 0, 'split': 0, 'sparse': 0}
CHARS = b'abcox./*?[]!-\\ #^:\xc3'
SPECIAL = [b'*', b'**', b'**/', b'/**', b'/**/', b'?', b'[a-c]', b'[!a]',
           b'[^a]', b'[[:alpha:]]', b'[]a]', b'[a\\-c]', b'\\', b'/', b'!',
           b'#', b'*.o', b'a**', b'**b', b'[', b'[[:foo:]]', b'\\ ', b' ',
           b'[[:space:]]', b'[[:punct:]]', b'[a-', b'\\*', b'***', b'*/*']


def git(cwd, *args, **kwargs):
    return subprocess.run(['git', *args], cwd=cwd, check=True,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          **kwargs).stdout


def pattern(rng):
    kind = rng.random()
    if kind < 0.35:
        parts = [rng.choice(NAMES) for _ in range(rng.randint(1, 3))]
        text = b'/'.join(p.replace(b'\n', b'') for p in parts)
    elif kind < 0.75:
        text = b''.join(rng.choice([rng.choice(SPECIAL), rng.choice(NAMES),
                                    b'/'])
                        for _ in range(rng.randint(1, 4)))
        text = text.replace(b'\n', b'')
    else:
        text = bytes(rng.choice(CHARS) for _ in range(rng.randint(1, 7)))
    if rng.random() < 0.2:
        text = b'/' + text
    if rng.random() < 0.2:
        text += b'/'
    if rng.random() < 0.25:
        text = b'!' + text
    if rng.random() < 0.05:
        text += rng.choice([b' ', b'  ', b'\t', b'\\ ', b' \\', b'\0x'])
    return text


def rules(rng):
    end = b'\r\n' if rng.random() < 0.15 else b'\n'
    lines = [pattern(rng) for _ in range(rng.randint(1, 6))]
    if rng.random() < 0.1:
        lines.insert(rng.randrange(len(lines)), b'')
    text = end.join(lines)
    if rng.random() < 0.7:
        text += end
    if rng.random() < 0.1:
        text = b'\xef\xbb\xbf' + text
    return text


def write(path, data=b'x\n'):
    with open(path, 'wb') as out:
        out.write(data)


def fill(rng, top, depth, folders):
    for name in rng.sample(NAMES, rng.randint(1, 6)):
        path = os.path.join(top, name)
        if os.path.lexists(path):
            continue
        if depth > 0 and rng.random() < 0.45:
            os.mkdir(path)
            folders.append(path)
            fill(rng, path, depth - 1, folders)
        elif rng.random() < 0.05:
            os.symlink(b'nowhere', path)
        else:
            write(path)
    if rng.random() < 0.35:
        ignore = os.path.join(top, b'.gitignore')
        if rng.random() < 0.04:
            write(os.path.join(top, b'rules'), rules(rng))
            os.symlink(b'rules', ignore)
        else:
            write(ignore, rules(rng))


def make_repository(rng, top):
    args = ['init', '-q', '-b', 'main']
    if rng.random() < 0.1:
        args.append('--object-format=sha256')
    git(top, *args)
    if rng.random() < 0.15:
        git(top, 'config', 'core.ignorecase', 'true')
    if rng.random() < 0.3:
        git(top, 'config', 'index.version', rng.choice(['2', '3', '4']))
    folders = [top]
    fill(rng, top, rng.randint(1, 4), folders)
    if rng.random() < 0.4:
        write(os.path.join(top, b'.git/info/exclude'), rules(rng))
    return folders


def nest(rng, folders):
    """Repositories within the repository, tracked or not."""
    for folder in folders[1:]:
        if rng.random() > 0.06 or not os.path.isdir(folder):
            continue
        git(folder, 'init', '-q', '-b', 'main')
        if rng.random() < 0.7:
            git(folder, 'commit', '-q', '--allow-empty', '-m', 'x')


def track(rng, top):
    listed = git(top, 'ls-files', '-zo').split(b'\0')
    chosen = [p for p in listed if p and rng.random() < 0.3]
    for path in chosen:
        subprocess.run([b'git', b'--literal-pathspecs', b'add', b'-f', b'--',
                        path], cwd=top, check=False,
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def split(rng, top):
    """A split index, with entries deleted, replaced and added since."""
    if rng.random() > 0.3:
        return
    git(top, 'config', 'splitIndex.maxPercentChange', '100')
    git(top, 'update-index', '--split-index')
    tracked = [p for p in git(top, 'ls-files', '-z').split(b'\0') if p]
    for path in tracked:
        kind = rng.random()
        full = os.path.join(top, path)
        if kind < 0.25:
            subprocess.run([b'git', b'--literal-pathspecs', b'rm', b'-q',
                            b'--cached', b'--', path], cwd=top, check=False,
                           stderr=subprocess.DEVNULL)
        elif kind < 0.5 and os.path.isfile(full) and \
                not os.path.islink(full):
            write(full, b'changed\n')
            subprocess.run([b'git', b'--literal-pathspecs', b'add', b'-f',
                            b'--', path], cwd=top, check=False,
                           stderr=subprocess.DEVNULL)
    track(rng, top)
    stats['split'] += 1


def sparse(rng, top):
    """A sparse checkout, in half of the cases with a sparse index."""
    folders = [f for f in os.listdir(top)
               if os.path.isdir(os.path.join(top, f)) and
               not os.path.islink(os.path.join(top, f)) and f != b'.git' and
               not os.path.lexists(os.path.join(top, f, b'.git')) and
               not set(f) & set(b'*?[]\\#! \n"\t') and f.isascii()]
    if rng.random() > 0.15 or not folders:
        return
    subprocess.run(['git', 'commit', '-q', '-m', 'x'], cwd=top, check=False,
                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    args = [b'git', b'sparse-checkout', b'set', b'--cone']
    if rng.random() < 0.5:
        args.append(b'--sparse-index')
    done = subprocess.run(args + [b'./' + rng.choice(folders)], cwd=top,
                          check=False, stdout=subprocess.DEVNULL,
                          stderr=subprocess.DEVNULL)
    if done.returncode != 0:
        return
    # Rules that are not checked out git reads from its objects, bale does not
    # (docs/files.md): they matter where what is not tracked was left behind.
    tracked = git(top, 'ls-files', '-zt').split(b'\0')
    if any(entry.startswith(b'S ') and entry.endswith(b'.gitignore') and
           os.path.isdir(os.path.join(top, os.path.dirname(entry[2:])))
           for entry in tracked):
        git(top, 'sparse-checkout', 'disable')
    else:
        stats['sparse'] += 1


def from_git(folder):
    out = set()
    staged = git(folder, 'ls-files', '-zs').split(b'\0')
    links = {p.split(b'\t', 1)[1] for p in staged if p.startswith(b'160000')}
    for path in git(folder, 'ls-files', '-zco',
                    '--exclude-standard').split(b'\0'):
        if not path or path.endswith(b'/') or path in links:
            continue
        if not os.path.lexists(os.path.join(folder, path)):
            continue
        if os.path.isdir(os.path.join(folder, path)) and \
           not os.path.islink(os.path.join(folder, path)):
            continue
        # git lists what is behind a link that took a folder's place
        parent = os.path.dirname(path)
        linked = False
        while parent:
            linked |= os.path.islink(os.path.join(folder, parent))
            parent = os.path.dirname(parent)
        if not linked:
            out.add(path)
    return out


def from_walk(folder, *options):
    got = subprocess.run([WALK, '--list', *options, '.'], cwd=folder,
                         check=True, stdout=subprocess.PIPE).stdout
    out = []
    stats['entries'] += got.count(b'\0')
    for entry in got.split(b'\0'):
        reason, tab, path = entry.partition(b'\t')
        known = (b'symlink', b'special', b'repository', b'secret',
                 b'lock-file', b'unreadable')
        if not tab or reason not in known:
            reason, path = b'', entry
        if path and reason not in (b'special', b'repository'):
            out.append(path)
    if out != sorted(out):
        raise AssertionError('not in canonical order')
    return set(out)


def check_ignored(folder):
    """Whether git agrees about all that the walk calls ignored."""
    got = subprocess.run([WALK, '--all', '.'], cwd=folder, check=True,
                         stdout=subprocess.PIPE).stdout.split(b'\0')
    said = [e[8:] for e in got if e.startswith(b'ignored\t')]
    if not said:
        return None
    asked = subprocess.run(['git', 'check-ignore', '-z', '--stdin',
                            '--no-index'], cwd=folder, check=False,
                           input=b''.join(p + b'\0' for p in said),
                           stdout=subprocess.PIPE,
                           stderr=subprocess.PIPE)
    wrong = set(said) - set(asked.stdout.split(b'\0'))
    stats['ignored'] += len(said)
    if not wrong:
        return None
    return '%r\n# not ignored: %r' % (folder, sorted(wrong)[:5])


def is_ignored(folder):
    """Whether the folder or one above is, as far as rules go."""
    return subprocess.run(['git', 'check-ignore', '-q', '--no-index', '.'],
                          cwd=folder, check=False,
                          stderr=subprocess.DEVNULL).returncode != 1


def compare(folder, *options):
    want = from_git(folder)
    got = from_walk(folder, *options)
    if want == got:
        return None
    return ('%r\n# missing: %r\n# too many: %r' %
            (folder, sorted(want - got)[:5], sorted(got - want)[:5]))


def generated(seed, scratch):
    rng = random.Random(seed)
    top = os.path.join(scratch, b'%d' % seed)
    home = os.path.join(top, b'home')
    work = os.path.join(top, b'work')
    os.makedirs(home)
    os.makedirs(work)
    os.environ['HOME'] = os.fsdecode(home)
    os.environ.pop('XDG_CONFIG_HOME', None)
    write(os.path.join(home, b'.gitconfig'),
          b'[user]\n name = x\n email = x\n')
    kind = rng.random()
    if kind < 0.15:
        os.makedirs(os.path.join(home, b'.config/git'))
        write(os.path.join(home, b'.config/git/ignore'), rules(rng))
    elif kind < 0.3:
        write(os.path.join(home, b'globals'), rules(rng))
        git(work, 'config', '--global', 'core.excludesFile', '~/globals')
    elif kind < 0.35:
        write(os.path.join(home, b'globals'), rules(rng))
        write(os.path.join(home, b'more'),
              b'[core]\n\texcludesFile = ~/globals\n')
        git(work, 'config', '--global',
            'includeIf.gitdir:%s/.path' % os.fsdecode(top), 'more')
    folders = make_repository(rng, work)
    nest(rng, folders)
    # With core.ignorecase git takes "foo" for a tracked "Foo".
    if b'ignorecase' not in open(os.path.join(work, b'.git/config'),
                                 'rb').read():
        track(rng, work)
        split(rng, work)
        sparse(rng, work)
    looked = [work]
    if rng.random() < 0.1:
        git(work, 'commit', '-q', '--allow-empty', '-m', 'x')
        other = os.path.join(top, b'other')
        git(work, 'worktree', 'add', '-q', '-f', '--detach', other)
        fill(rng, other, 2, [])
        looked.append(other)
    # One that is named is looked at although a rule may ignore it.
    below = [f for f in folders[1:] if os.path.isdir(f) and not is_ignored(f)]
    looked += rng.sample(below, min(len(below), 3))
    errors = []
    for folder in looked:
        for options in ([], ['--window', '1', '--fds', '2']):
            error = compare(folder, *options)
            if error:
                errors.append(error)
        error = check_ignored(folder)
        if error:
            errors.append(error)
    return errors


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('--trees', type=int, default=400)
    parser.add_argument('--seed', type=int, default=1)
    parser.add_argument('--keep', action='store_true')
    parser.add_argument('repositories', nargs='*')
    args = parser.parse_args()
    if shutil.which('git') is None:
        print('ok 1 - collect # SKIP there is no git')
        return 0
    os.environ['GIT_CONFIG_NOSYSTEM'] = '1'
    failed = 0
    nr = 0
    for repository in args.repositories:
        nr += 1
        error = compare(os.fsencode(repository))
        failed += error is not None
        print('%s %d - %s, %d files' %
              ('ok' if error is None else 'not ok', nr, repository,
               len(from_git(os.fsencode(repository)))))
        if error:
            print('# ' + error)
    if args.repositories:
        return failed != 0
    scratch = os.fsencode(tempfile.mkdtemp(prefix='collect'))
    for seed in range(args.seed, args.seed + args.trees):
        errors = generated(seed, scratch)
        if not args.keep:
            shutil.rmtree(os.path.join(scratch, b'%d' % seed))
        for error in errors:
            failed += 1
            print('# seed %d: %s' % (seed, error))
    print('%s 1 - the walk lists what git lists in %d generated trees, '
          '%d entries, %d ignored, %d split and %d sparse' %
          ('not ok' if failed else 'ok', args.trees, stats['entries'],
           stats['ignored'], stats['split'], stats['sparse']))
    if not args.keep:
        shutil.rmtree(scratch)
    else:
        print('# kept in %s' % os.fsdecode(scratch))
    return failed != 0


if __name__ == '__main__':
    sys.exit(main())
