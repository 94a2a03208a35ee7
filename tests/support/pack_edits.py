"""Random edits of a tree, each followed by packs with the cache and without.

    BALE=... python3 pack_edits.py ROUNDS SEED [REPOSITORY [DIRECTORY]]

Works in the current directory, on `tree`: a generated repository with another
one and a submodule inside, or a clone of REPOSITORY, of DIRECTORY alone if one
is named. Prints the number of rounds in which an output with the cache differs
from the one without; the tree of such a round stays as `failedN`.

What a round does, besides edits: packs a commit, writes to files while a run
reads them, runs whose clock is wrong (CLOCK, a library to preload), two to
eight at once, some of which are killed.
"""
import os, random, shutil, signal, subprocess, sys, threading, time

rounds, seed = int(sys.argv[1]), int(sys.argv[2])
bale = os.environ['BALE']
clock = os.environ.get('CLOCK')  # a library that adds CLOCK_OFFSET_NS
rng = random.Random(seed)
words = ('open close read write queue ring slab chunk token budget select '
         'lane plan heat score file line size next last').split()
suffixes = ('.c', '.h', '.py', '.md', '.txt', '')


def text(lines):
    out = []
    for i in range(lines):
        a, b = rng.choice(words), rng.choice(words)
        out.append(rng.choice((
            f'int {a}_{b}_{i}(int {a})\n{{\n\tif ({a} > {i})\n'
            f'\t\treturn {b}({a});\n\treturn {i};\n}}\n',
            f'/* {a} before {b}. TODO: {a} */\n',
            f'#include "{a}.h"\n', f'#define {a.upper()} {i}\n')))
    return ''.join(out).encode()


def read(path):
    with open(path, 'rb') as f:
        return f.read()


def write(path, data):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, 'wb') as f:
        f.write(data)


def walk(top):
    """What lies below a directory, but for what is git's."""
    for where, dirs, names in os.walk(top):
        dirs[:] = sorted(d for d in dirs if d != '.git')
        yield where, dirs, [n for n in names if n != '.git']


def files():
    return sorted(os.path.join(where, n) for where, _, names in walk('tree')
                  for n in names if not os.path.islink(f'{where}/{n}'))


def new_name():
    return (f'tree/d{rng.randrange(6)}/{rng.choice(words)}{rng.randrange(40)}'
            f'{rng.choice(suffixes)}')


def free_name():
    """A name that nothing has; None."""
    target = new_name()
    above = os.path.dirname(target)
    if os.path.lexists(target) or os.path.lexists(above) and \
            not os.path.isdir(above):
        return None
    os.makedirs(above, exist_ok=True)
    return target


# ------------------------------------------------------------- repositories --

def git(top, *args):
    return subprocess.run(
        ['git', '-C', top, '-c', 'user.name=a', '-c', 'user.email=a@b',
         '-c', 'protocol.file.allow=always', '-c', 'gc.auto=0',
         '-c', 'advice.detachedHead=false', *args],
        capture_output=True, text=True)


def commit(top):
    git(top, 'add', '-A')
    git(top, 'commit', '-q', '--allow-empty', '-m', ' '.join(
        rng.sample(words, 3)))


def work_trees():
    return sorted(where for where, _, _ in walk('tree')
                  if os.path.lexists(os.path.join(where, '.git')))


def commits(top):
    return git(top, 'rev-list', '--all', '-n', '400').stdout.split()


def make_tree():
    for _ in range(60):
        write(new_name(), text(rng.randrange(1, 80)))
    git('.', 'init', '-q', 'tree')
    commit('tree')
    for name in ('d2/nested', 'd3/module'):
        write(f'tree/{name}/read.c', text(30))
        git('.', 'init', '-q', f'tree/{name}')
        commit(f'tree/{name}')
    os.rename('tree/d3/module', 'origin')
    git('tree', 'submodule', 'add', '-q', os.path.abspath('origin'),
        'd3/module')
    for _ in range(4):
        for _ in range(6):
            write(new_name(), text(rng.randrange(1, 80)))
        commit('tree')


def clone_tree(repository, directory):
    git('.', 'clone', '-q', '--depth', '300', '--no-checkout',
        'file://' + os.path.abspath(repository), 'tree')
    if directory:
        git('tree', 'sparse-checkout', 'set', directory)
    git('tree', 'checkout', '-q')


# -------------------------------------------------------------------- edits --

contents = {}
ways = (
    'edit append truncate rename swap keep_mtime same_size chmod remove add '
    'copy link case secret invalid times directory blanks touch suffix '
    'restore hard commit checkout stash symlink kind ignore case_directory '
    'nested').split()


def edit():
    """One of the ways in which a tree changes; its name."""
    all_files = files()
    path = rng.choice(all_files)
    other = rng.choice(all_files)
    way = rng.choice(ways)
    stat = os.stat(path)
    if way == 'edit':
        write(path, text(rng.randrange(1, 60)))
    elif way == 'append':
        with open(path, 'ab') as f:
            f.write(text(rng.randrange(1, 8)))
    elif way == 'truncate':
        os.truncate(path, rng.randrange(stat.st_size + 1))
    elif way == 'rename' and (target := free_name()):
        os.rename(path, target)
    elif way == 'swap' and path != other:
        os.rename(path, 'tmp')
        os.rename(other, path)
        os.rename('tmp', other)
    elif way in ('keep_mtime', 'same_size'):
        write(path, next_digits(read(path)))
        if way == 'keep_mtime':
            os.utime(path, ns=(stat.st_atime_ns, stat.st_mtime_ns))
    elif way == 'chmod':
        os.chmod(path, rng.choice((0o600, 0o644, 0o755)))
    elif way == 'remove' and len(all_files) > 20:
        os.remove(path)
    elif way == 'add' and (target := free_name()):
        write(target, text(rng.randrange(1, 200)))
    elif way == 'copy' and (target := free_name()):
        shutil.copy2(path, target)
    elif way == 'link' and (target := free_name()):
        os.link(path, target)
    elif way == 'case':
        name = os.path.basename(path)
        target = os.path.join(os.path.dirname(path), name.swapcase())
        if not os.path.lexists(target):
            os.rename(path, target)
    elif way == 'secret':
        with open(path, 'ab') as f:
            f.write(b'key = "AKIA%s"\n' % bytes(
                rng.choice(b'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567')
                for _ in range(16)))
    elif way == 'invalid':
        with open(path, 'ab') as f:
            f.write(b'caf\xe9 \xff\n')
    elif way == 'times':
        when = rng.choice((0, time.time() + 1e6, stat.st_mtime - 1e5))
        os.utime(path, (when, when))
    elif way == 'blanks':  # all that differs is white space at ends of lines
        blank = rng.choice((b' \n', b'\t\n', b'\r\n', b'\n'))
        data = blank.join(line.rstrip() for line in read(path).split(b'\n'))
        write(path, data[:-1] if rng.random() < 0.3 else data)
    elif way == 'touch':
        for each in all_files:
            os.utime(each)
    elif way == 'suffix':  # the same content as another language
        target = os.path.splitext(path)[0] + \
            rng.choice(('.h', '.c', '.py', '.json', '.md'))
        if not os.path.lexists(target):
            (os.rename if rng.random() < 0.5 else shutil.copy2)(path, target)
    elif way == 'restore':  # an old content, a new time
        before = contents.get(path)
        contents[path] = read(path)
        if before is not None:
            write(path, before)
    elif way == 'hard' and (target := free_name()):
        # one content under two names, written through one
        os.link(path, target)
        with open(target, 'ab') as f:
            f.write(text(1))
    elif way == 'directory':
        target = f'tree/d{rng.randrange(6)}/e{rng.randrange(3)}'
        top = os.path.dirname(path)
        if top != 'tree' and not target.startswith(top + '/') and \
                not os.path.lexists(target) and \
                os.path.isdir(os.path.dirname(target)):
            os.rename(top, target)
    elif way == 'case_directory':
        top = os.path.dirname(path)
        target = os.path.join(os.path.dirname(top),
                              os.path.basename(top).swapcase())
        if top != 'tree' and not os.path.lexists(target):
            os.rename(top, target)
    elif way == 'commit':
        commit(rng.choice(work_trees()))
    elif way == 'checkout':
        top = rng.choice(work_trees())
        git(top, 'checkout', '-q', '-f', rng.choice(commits(top) or ['HEAD']))
    elif way == 'stash':  # there and back: old contents, new times
        git('tree', 'stash', '-q')
        if rng.random() < 0.7:
            git('tree', 'stash', 'pop', '-q')
    elif way == 'symlink' and (target := free_name()):
        os.symlink(os.path.relpath(path, os.path.dirname(target)), target)
    elif way == 'kind':  # a file becomes a link, or a directory
        os.remove(path)
        if rng.random() < 0.5:
            os.symlink(os.path.basename(other), path)
        else:
            write(path + '/' + os.path.basename(path), text(9))
    elif way == 'ignore':
        rules = rng.choice(('tree', os.path.dirname(path))) + '/.gitignore'
        if not os.path.isdir(rules):
            write(rules, f'{rng.choice(words)}*\n'.encode())
    elif way == 'nested':
        top = os.path.dirname(path)
        if os.path.lexists(top + '/.git'):
            if top != 'tree' and os.path.isdir(top + '/.git'):
                shutil.rmtree(top + '/.git')
        elif len(work_trees()) < 6:
            git('.', 'init', '-q', top)
            commit(top)
    return way


def next_digits(data):
    """Of the same length, with other digits."""
    return data.translate(bytes.maketrans(b'0123456789', b'1234567890'))


# --------------------------------------------------------------------- runs --

choices = (
    ['--budget', '3000'], ['--budget', '9000'], ['--budget', '40k'],
    ['--compress'], ['--strip-comments'], ['--format', 'xml'],
    ['--format', 'json'], ['--no-dedup'], ['--chunk', 'lines:30'],
    ['--order', 'path'], ['--report', 'r.json'], ['--secrets', 'exclude'],
    ['--secrets', 'off'], ['--unicode', 'escape'], ['--hashes', 'on'],
    ['--encoding', 'cl100k_base'], ['--query', 'queue of slabs'],
    ['--query', 'TODO: read_line(size) of the next plan'],
    ['--query', 'int open_close in score.c'], ['--query', 'budget tests'],
    ['--exclude', '*.h'], ['--include', '*.c'], ['--pin', 'd1/**'],
    ['--tiers', 'off'], ['--doc', '--compress'], ['--max-file-size', '2000'],
    ['--invalid-utf8', 'keep'], ['--paths', 'absolute'],
    ['--dedup-normalize', 'whitespace'], ['--workers', '1'],
    ['--no-ignore'], ['--hidden'], ['--rev'], ['--git-log', '5'],
)


def random_options():
    options = ['--budget', rng.choice(('6000', '6000', '20k'))]
    if rng.random() < 0.3:
        options += ['--query', ' '.join(rng.sample(words, 3))]
    for extra in rng.sample(choices, rng.choice((0, 0, 0, 1, 2))):
        options += extra
        if extra == ['--rev']:
            options.append(rng.choice(commits('tree') or ['HEAD']))
    return options


def start(out, options, wrong_ns=0):
    if os.path.exists(out):
        os.remove(out)
    env = dict(os.environ)
    if wrong_ns != 0:
        env.update(LD_PRELOAD=clock, CLOCK_OFFSET_NS=str(wrong_ns))
    with open(out + '.err', 'wb') as errors:
        return subprocess.Popen(
            [bale, 'pack', 'tree', '-q', '--no-last', '-o', out, *options],
            env=env, stdout=subprocess.DEVNULL, stderr=errors)


def written(out):
    return read(out) if os.path.exists(out) else None


def pack(out, options, wrong_ns=0):
    code = start(out, options, wrong_ns).wait()
    return code, written(out)


def pack_while_written(options):
    """A run, and writes to files that it reads, which keep their sizes."""
    paths = rng.sample(files(), 3)
    running = start('beside', options + ['--cache=on'])

    def hammer():
        while running.poll() is None:
            for path in paths:
                data = read(path)
                with open(path, 'r+b') as f:
                    f.write(next_digits(data))

    writer = threading.Thread(target=hammer)
    writer.start()
    running.wait()
    writer.join()


def pack_at_once(options, want):
    """Two to eight runs of the same options; some are killed. Whether the rest
    is right."""
    runs = [start(f'beside{i}', options + ['--cache=on'])
            for i in range(rng.randrange(2, 9))]
    killed = rng.sample(runs, rng.randrange(len(runs)))
    began = time.monotonic()
    for run in killed:
        time.sleep(max(0, began + rng.uniform(0, 0.1) * len(runs) / 2 -
                       time.monotonic()))
        run.kill()
    codes = [run.wait() for run in runs]
    return all((code, written(f'beside{i}')) == want
               for i, code in enumerate(codes) if code != -signal.SIGKILL)


def pack_killed(options):
    """Runs that are killed at their ends, where the survey is written."""
    for _ in range(3):
        began = time.monotonic()
        start('beside', options + ['--cache=on']).wait()
        took = time.monotonic() - began
        shutil.rmtree(os.environ['XDG_CACHE_HOME'] + '/bale',
                      ignore_errors=True)
        run = start('beside', options + ['--cache=on'])
        time.sleep(took * rng.uniform(0.5, 1.1))
        run.kill()
        run.wait()


def one_round():
    """What was done and with which options; whether all outputs were right."""
    done = [edit() for _ in range(rng.choice((0, 1, 1, 2, 5)))]
    options = random_options()
    if rng.random() < 0.5:
        time.sleep(0.06)  # what was edited is kept by the next run
    wrong_ns = 0
    what = rng.random()
    if what < 0.06:
        done.append('while_written')
        pack_while_written(options)
    elif what < 0.1 and clock:
        wrong_ns = int(rng.choice((-3600, -0.03, -0.2, 3600)) * 10**9)
        done.append(f'clock {wrong_ns}')
    want = pack('want', options)
    got = pack('got', options + ['--cache=on'], wrong_ns)
    again = pack('again', options + ['--cache=' + rng.choice(('on', 'read'))])
    right = got == want and again == want
    if 0.1 <= what < 0.13:
        done.append('at_once')
        right &= pack_at_once(options, want)
    elif 0.13 <= what < 0.14:
        done.append('killed')
        pack_killed(options)
    if what >= 0.1 and what < 0.14:
        right &= pack('got', options + ['--cache=on']) == want
    return right, f'{done} {options} {want[0]} {got[0]} {again[0]}'


def keep(where):
    """All that a round left, to look into."""
    os.mkdir(where)
    shutil.copytree('tree', where + '/tree', symlinks=True)
    shutil.copytree(os.environ['XDG_CACHE_HOME'], where + '/cache')
    for out in ('want', 'got', 'again'):
        for name in (out, out + '.err'):
            if os.path.exists(name):
                shutil.copy2(name, where)


if len(sys.argv) > 3:
    clone_tree(sys.argv[3], sys.argv[4] if len(sys.argv) > 4 else None)
else:
    make_tree()
time.sleep(0.1)
failed = 0
for i in range(rounds):
    right, about = one_round()
    if not right:
        failed += 1
        print(f'round {i} of seed {seed}: {about}', file=sys.stderr)
        keep(f'failed{i}')
print(failed)
