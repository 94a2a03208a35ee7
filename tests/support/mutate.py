# SPDX-License-Identifier: MIT
"""Small changes of a source that no test notices.

    mutate.py BUILD COMPILER LIBS [--folder NAME]... [--number N] [--seed S]
              [--jobs N] [--again]

BUILD is a folder of objects compiled with -fPIC (`make mutants`); COMPILER
and LIBS are what they are compiled and linked with. A mutant is a source with
one change: another comparison, operator, number, a condition negated, another
value returned, a statement left out. N (75) a folder are chosen, by a hash of
the seed and of what is changed, so that edits elsewhere choose no others.

One that does not compile, or to the same code as before, is none. Each other
becomes a shared object of its own, loaded before the library that the test
programs are linked with, so that nothing is linked again. Tests of its folder
run, those named after its source first, until one fails: the mutant is killed.
A test is ended, which counts as a failure, after ten times the processor time
that it takes with no change.

Not changed: assertions, what only frees (the sanitizers' tests see it), tables
outside of functions, text.

tests/support/mutants.txt names the mutants that do what the program does; they are in
no score. Of the seed 1 it also names those that no test has found yet. Results
go to BUILD/mutants.tsv; --again tries the survivors in it. Prints each survivor
and a table of the folders. Fails below the score (90 %).
"""
import argparse
import concurrent.futures
import glob
import hashlib
import os
import re
import resource
import shutil
import subprocess
import sys
import tempfile
import threading
import time

SCORE = 90  # of 100 mutants, so many at the least
KNOWN = "tests/support/mutants.txt"

# folder: its sources, its test programs, its shell tests; those of a source's
# own name run as well, as test_pack_history for select_history_worker.c
FOLDERS = {
    "select": (
        ["stages/select/*.c", "rank/*.c"],
        ["unit/select/test_*", "unit/rank/test_*"],
        ["test_pack_signature_lines", "test_pack_query", "test_pack_pins",
         "test_pack_importers", "test_pack_parted", "test_pack_ranks"]),
    "dedup": (
        ["stages/dedup/*.c"],
        ["unit/dedup/test_*"],
        ["test_command_dedup", "test_pack_signature_lines", "test_pack_query",
         "test_pack_order", "test_pack_twins"]),
    "window": (
        ["window/*.c"],
        ["unit/window/test_*", "fuzz/fuzz_window_*"],
        ["test_window_config", "test_window_cli"]),
    "markup": (
        ["markup/*.c"],
        ["unit/markup/test_*", "fuzz/fuzz_markup_*",
         "unit/format/test_format_worker",
         "unit/cli/test_unpack"],
        ["test_pack_template"]),
    "report": (
        ["report/report*.c", "cli/cmd_report.c",
         "report/sidecars.c", "report/summary.c"],
        ["unit/report/test_*", "unit/cli/test_cmd_report"],
        ["test_command_report", "test_command_report_kinds",
         "test_command_report_parts", "test_command_schema",
         "test_pack_contract", "test_pack_metrics", "test_pack_ranks",
         "test_pack_signature_lines", "test_pack_sources"]),
}

NOT_AKIN = {"test_pack_limits"}  # those of the machine, not of a plan

# ---- what can be changed --------------------------------------------------

SWAPS = {
    "<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "==",
    "+": "-", "-": "+", "*": "+", "/": "*", "%": "/", "<<": ">>", ">>": "<<",
    "&": "|", "|": "&", "^": "&", "&&": "||", "||": "&&",
    "+=": "-=", "-=": "+=", "|=": "&=", "&=": "|=", "*=": "+=", "/=": "*=",
}
# clang-format puts blanks around those of two operands, and only there
OPERATOR = re.compile(r"(?<=\s)(%s)(?=\s)" % "|".join(
    re.escape(o) for o in sorted(SWAPS, key=len, reverse=True)))
STEP = re.compile(r"(?<=\w)(\+\+|--)|(\+\+|--)(?=\w)")
NOT = re.compile(r"(?<=[\s(])!(?=[\w(])")
NUMBER = re.compile(r"(?<![\w.])(\d+)([uUlL]*)(?![\w.])")
CONDITION = re.compile(r"\b(?:if|while) (?=\()")
RETURN = re.compile(r"\breturn\b *([^;]*);")
STATEMENT = re.compile(
    r"(?:(?<=[;{})])|(?<=\belse))\n[\t ]+"
    r"((?:break|continue|return|goto \w+|[*\w][\w.>\[\]*+-]*(?:\([^;{}]*\)|"
    r"(?:\+\+|--)| [-+|&*/]?= [^;{}]*));)")
ASSERTION = re.compile(r"\b(?:_Static_assert|D?ASSERT)\([^;]*;")
ARRAY = re.compile(r"^\s*(?:\w+ )+\**\w+(?:\[[^\]]*\])+;", re.M)
FREEING = re.compile(r"[\w>.-]*(?:free|fini|close|decref|munmap)\w*\(")
QUIET = re.compile(r'/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"|'
                   r"'(?:\\.|[^'\\\n])*'|^#(?:[^\n]*\\\n)*[^\n]*",
                   re.S | re.M)


def blank(match):
    """As many blanks; lines stay lines, and a string stays a string."""
    text = re.sub(r"[^\n]", " ", match.group(0))
    if match.group(0)[0] in "\"'" and len(text) > 1:
        return match.group(0)[0] + text[1:-1] + match.group(0)[0]
    return text


class Mutant:
    def __init__(self, folder, path, text, begin, end, new):
        self.folder, self.path = folder, path
        self.begin, self.end, self.new = begin, end, new
        self.line = text.count("\n", 0, begin) + 1
        start = text.rfind("\n", 0, begin) + 1
        stop = text.find("\n", end)
        self.before = " ".join(text[start:stop].split())
        self.after = " ".join((text[start:begin] + new + text[end:stop])
                              .split())
        # the function, so that the same line of another is another
        heads = re.findall(r"^(\w+)\(", text[:begin], re.M)
        self.function = heads[-1] if heads else ""
        self.fate, self.by = None, ""

    def name(self):
        return "%s %s: %s => %s" % (self.path, self.function, self.before,
                                    self.after)

    def place(self):
        return "%s:%d" % (self.path, self.line)


def changes_in(text):
    """(begin, end, new text) for all that can be changed in functions."""
    code = QUIET.sub(blank, text)
    code = ASSERTION.sub(blank, code)
    code = ARRAY.sub(blank, code)
    for body in re.finditer(r"^\{\n.*?^\}", code, re.S | re.M):
        yield from changes_of(code, text, body.start(), body.end())


def changes_of(code, text, first, last):
    for m in OPERATOR.finditer(code, first, last):
        yield m.start(), m.end(), SWAPS[m.group(1)]
    for m in STEP.finditer(code, first, last):
        yield m.start(), m.end(), "--" if m.group(0) == "++" else "++"
    for m in NOT.finditer(code, first, last):
        yield m.start(), m.end(), ""
    for m in NUMBER.finditer(code, first, last):
        value = int(m.group(1), 8 if m.group(1).startswith("0") else 10)
        yield m.start(), m.end(), "%d%s" % (value + 1, m.group(2))
        if value > 0:
            yield m.start(), m.end(), "%d%s" % (value - 1, m.group(2))
    for m in CONDITION.finditer(code, first, last):
        end = closing(code, m.end())
        yield m.end(), end, "(!%s)" % text[m.end():end]
    for m in RETURN.finditer(code, first, last):
        value = text[m.start(1):m.end(1)]
        if value in ("true", "false"):
            yield m.start(1), m.end(1), \
                "false" if value == "true" else "true"
        elif value.startswith("-E"):
            yield m.start(1), m.end(1), "0"
        elif value and not value.isdigit() and value != "NULL":
            yield m.start(1), m.end(1), "!(%s)" % value
    for m in STATEMENT.finditer(code, first, last):
        if not FREEING.match(m.group(1)):
            yield m.start(1), m.end(1), ";" + "\n" * m.group(1).count("\n")


def closing(code, at):
    depth = 0
    for i in range(at, len(code)):
        depth += {"(": 1, ")": -1}.get(code[i], 0)
        if depth == 0:
            return i + 1
    raise ValueError("a parenthesis that nothing closes")


def mutants_of(folder, seed):
    """All of a folder, each only once, in the order of the seed."""
    found = {}
    for pattern in FOLDERS[folder][0]:
        for path in sorted(glob.glob(pattern)):
            text = open(path).read()
            for begin, end, new in changes_in(text):
                mutant = Mutant(folder, path, text, begin, end, new)
                key = "%s %s" % (seed, mutant.name())
                found.setdefault(hashlib.sha256(key.encode()).digest(),
                                 mutant)
    return [found[k] for k in sorted(found)]


# ---- building and running --------------------------------------------------

class Test:
    def __init__(self, name, program, is_akin=False):
        self.name, self.program, self.is_akin = name, program, is_akin
        self.cpu_s = self.clock_s = 0


def run_limited(argv, env, cwd, cpu_s, clock_s):
    """Whether all went well: ends it at the first `not ok`."""
    def limit():
        resource.setrlimit(resource.RLIMIT_CPU, (cpu_s, cpu_s))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        resource.setrlimit(resource.RLIMIT_DATA, (4 << 30, 4 << 30))
        os.nice(10)
    child = subprocess.Popen([env["within"], str(clock_s)] + argv, env=env,
                             cwd=cwd, stdin=subprocess.DEVNULL,
                             stdout=subprocess.PIPE,
                             stderr=subprocess.DEVNULL, preexec_fn=limit)
    good = True
    for line in child.stdout:
        if line.startswith(b"not ok") and b"# SKIP" not in line:
            good = False
            child.terminate()  # tool_within ends its whole group
            break
    child.stdout.close()
    return child.wait() in (0, 77) and good


class Place:
    """A copy of the tree and programs of its own, for one mutant at a time."""

    def __init__(self, bench, nr):
        self.root = os.path.join(bench.scratch, str(nr))
        self.tree = os.path.join(self.root, "tree")
        self.obj = os.path.join(self.root, "build", "release")
        self.bench = bench
        files = subprocess.run(["git", "ls-files", "-z"], check=True,
                               stdout=subprocess.PIPE).stdout
        for name in files.decode().split("\0")[:-1]:
            target = os.path.join(self.tree, name)
            os.makedirs(os.path.dirname(target), exist_ok=True)
            shutil.copy2(name, target, follow_symlinks=False)
        shutil.copytree(bench.programs, self.obj, copy_function=os.link)
        self.load(bench.nothing)

    def load(self, library):
        target = os.path.join(self.obj, "libmutant.so")
        shutil.copy(library, target + ".new")
        os.replace(target + ".new", target)

    def passes(self, test, cpu_s=600, clock_s=600):
        scratch = os.path.join(self.root, "tmp")
        os.makedirs(scratch)
        env = dict(os.environ, TMPDIR=scratch, MODE="release",
                   XDG_STATE_HOME=os.path.join(scratch, "state"),
                   BUILD=os.path.dirname(self.obj), LC_ALL="C.UTF-8",
                   BALE=os.path.join(self.obj, "bale"),
                   within=os.path.join(self.obj, "tests", "support",
                                       "tool_within"),
                   CMOCKA_MESSAGE_OUTPUT="TAP", PYTHONDONTWRITEBYTECODE="1",
                   TIME_LIMIT=str(clock_s))
        program = test.program if test.program.endswith(".sh") else \
            os.path.join(self.obj, "tests", test.program)
        try:
            return run_limited([program], env, self.tree, cpu_s, clock_s)
        finally:
            subprocess.run(["chmod", "-R", "u+rwX", scratch], check=False)
            shutil.rmtree(scratch, ignore_errors=True)

    def kills(self, test):
        """A test of whole runs has to say so twice."""
        limits = int(test.cpu_s * 10) + 2, int(test.clock_s * 10) + 5
        times = 2 if test.program.endswith(".sh") else 1
        return not any(self.passes(test, *limits) for _ in range(times))


class Bench:
    def __init__(self, build, compiler, libs, scratch):
        self.build, self.scratch = build, scratch
        self.compiler, self.libs = compiler.split(), libs.split()
        self.programs = os.path.join(scratch, "programs")
        self.nothing = os.path.join(scratch, "nothing.so")
        self.plain = {}
        self.lock = threading.Lock()
        self.killers = {}

    def cc(self, *args):
        return subprocess.run([self.compiler[0], *args],
                              stdout=subprocess.DEVNULL,
                              stderr=subprocess.DEVNULL).returncode == 0

    def link(self, names):
        """The library, and programs that look in libmutant.so before it."""
        os.makedirs(os.path.join(self.programs, "tests/support"))
        for tool in glob.glob(self.build + "/tests/support/tool_*"):
            if "." not in os.path.basename(tool):
                shutil.copy(tool, os.path.join(self.programs,
                                               "tests/support"))
        assert self.cc("-shared", "-o", self.programs + "/libbale.so",
                       "-Wl,--whole-archive", self.build + "/libbale.a",
                       "-Wl,--no-whole-archive", *self.libs)
        assert self.cc("-shared", "-o", self.nothing, "-x", "c", "/dev/null")
        shutil.copy(self.nothing, self.programs + "/libmutant.so")
        support = glob.glob(self.build + "/tests/support/support_*.o")
        self.link_one("bale", [self.build + "/cli/main.o"])
        for name in names:
            objects = [self.build + "/tests/%s.o" % name]
            if name.startswith("fuzz/"):
                objects.append(self.build + "/tests/fuzz/fuzz_replay.o")
            os.makedirs(os.path.dirname(
                os.path.join(self.programs, "tests", name)), exist_ok=True)
            self.link_one("tests/" + name, objects + support)

    def link_one(self, name, objects):
        assert self.cc("-o", os.path.join(self.programs, name), *objects,
                       "-L" + self.programs, "-Wl,--no-as-needed", "-lmutant",
                       "-lbale", "-Wl,--as-needed", "-lcmocka", *self.libs,
                       "-Wl,-rpath,$ORIGIN:$ORIGIN/../..:$ORIGIN/../../.."), name

    def compile(self, source, out):
        """An object with no mark of where its source lies."""
        return self.cc(*self.compiler[1:], "-g0", "-w",
                       "-ftrivial-auto-var-init=pattern", "-c", "-o", out,
                       source)

    def plain_code(self, path):
        with self.lock:
            if path not in self.plain:
                out = os.path.join(self.scratch, "plain.o")
                copy = os.path.join(self.scratch, "plain.c")
                write_marked(copy, path, open(path).read())
                assert self.compile(copy, out), path
                self.plain[path] = code_of(out)
            return self.plain[path]

    def make(self, mutant, place):
        """The mutant's library, or None if it is none."""
        text = open(mutant.path).read()
        source = os.path.join(place.root, "plain.c")
        out = os.path.join(place.root, "mutant.o")
        library = os.path.join(place.root, "mutant.so")
        write_marked(source, mutant.path, text[:mutant.begin] + mutant.new +
                     text[mutant.end:])
        if not self.compile(source, out):
            return None
        if code_of(out) == self.plain_code(mutant.path):
            return None
        return library if self.cc("-shared", "-o", library, out) else None

    def order(self, mutant, tests):
        """Likely killers first."""
        stem = os.path.basename(mutant.path)[:-2].replace("_worker", "")
        last = self.killers.get(mutant.path, [])
        akin = words_of(stem)
        return sorted((t for t in tests
                       if not t.is_akin or words_of(t.name[5:]) & akin),
                      key=lambda t: (
                          last.index(t.name) if t.name in last
                          else len(last), stem not in t.name, t.clock_s))

    def attempt(self, mutant, place, tests):
        library = self.make(mutant, place)
        if library is None:
            mutant.fate = "none"
            return mutant
        place.load(library)
        mutant.fate = "survived"
        for test in self.order(mutant, tests):
            if place.kills(test):
                mutant.fate, mutant.by = "killed", test.name
                with self.lock:
                    last = self.killers.setdefault(mutant.path, [])
                    if test.name in last:
                        last.remove(test.name)
                    last.insert(0, test.name)
                break
        return mutant


def write_marked(target, path, text):
    """Under the name that the source has, for __FILE__ and __LINE__."""
    with open(target, "w") as f:
        f.write('#line 1 "%s"\n%s' % (path, text))


def code_of(path):
    with open(path, "rb") as f:
        return hashlib.sha256(f.read()).digest()


def tests_of(folder, build):
    programs, shell = FOLDERS[folder][1:]
    names = sorted(os.path.relpath(p[:-2], build + "/tests")
                   for pattern in programs
                   for p in glob.glob("%s/tests/%s.o" % (build, pattern)))
    return [Test(os.path.basename(n), n) for n in names] + \
        [Test(n, "tests/system/%s.sh" % n) for n in shell] + \
        [Test(n, "tests/system/%s.sh" % n, True) for n in akin_tests(folder)]


def words_of(name):
    """What a name is about, as far as two names of it agree: all but the
    stage or command in front, of a name of one word that word."""
    words = name.split("_")
    return {w[:4] for w in words[1:] or words if len(w) > 3} - {"work"}


def akin_tests(folder):
    """Tests of whole runs that are named after some source of a folder."""
    of = {w for pattern in FOLDERS[folder][0] for path in glob.glob(pattern)
          for w in words_of(os.path.basename(path)[:-2])}
    names = [os.path.basename(p)[:-3] for p in glob.glob("tests/system/test_pack_*")]
    return [n for n in sorted(names)
            if n not in FOLDERS[folder][2] and n not in NOT_AKIN and
            words_of(n[5:]) & of]


def measure(place, tests):
    """Those that pass with no change, and what they take."""
    good = []
    for test in tests:
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        start = time.monotonic()
        passed = place.passes(test)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        test.clock_s = time.monotonic() - start
        test.cpu_s = after.ru_utime + after.ru_stime - before.ru_utime - \
            before.ru_stime
        if passed:
            good.append(test)
        else:
            print("fails with no change, left out: " + test.name, flush=True)
    return good


# ---- the whole ---------------------------------------------------------------

def known_ones():
    """Mutants that do the same, by their names."""
    with open(KNOWN) as f:
        return {line.rstrip("\n") for line in f
                if " => " in line and line[0] not in "#?"}


def read_results(path):
    results = {}
    if os.path.exists(path):
        with open(path) as f:
            for line in f:
                fate, by, _, name = line.rstrip("\n").split("\t")
                results[name] = (fate, by)
    return results


def write_results(path, mutants):
    with open(path, "w") as f:
        for m in mutants:
            f.write("%s\t%s\t%s\t%s\n" % (m.fate, m.by, m.place(), m.name()))


def try_folder(folder, bench, places, args, earlier, known):
    """So many mutants of a folder, with their fates."""
    tests = measure(places.queue[0], tests_of(folder, args.build))
    candidates = iter(mutants_of(folder, args.seed))
    done = []

    def attempt(mutant):
        place = places.take()
        try:
            return bench.attempt(mutant, place, tests)
        finally:
            places.give(place)

    with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
        while len(done) < args.number:
            some = []
            for mutant in candidates:
                fate, by = earlier.get(mutant.name(), (None, ""))
                if mutant.name() in known:
                    mutant.fate = "equal"
                elif args.again and fate not in (None, "survived"):
                    mutant.fate, mutant.by = fate, by
                some.append(mutant)
                if len(done) + len(some) == args.number:
                    break
            if not some:
                break
            new = [m for m in some if m.fate is None]
            for mutant in pool.map(attempt, new):
                if mutant.fate == "survived":
                    print("%s: %s => %s" % (mutant.place(), mutant.before,
                                            mutant.after), flush=True)
            done += [m for m in some if m.fate != "none"]
    return done


class Places:
    def __init__(self, bench, nr):
        self.queue = [Place(bench, i) for i in range(nr)]
        self.lock = threading.Lock()

    def take(self):
        with self.lock:
            return self.queue.pop()

    def give(self, place):
        with self.lock:
            self.queue.append(place)


def print_table(results):
    print("%-8s %8s %8s %8s %9s %8s" % ("folder", "mutants", "killed",
                                        "equal", "survived", "score"))
    worst = 100
    for folder, mutants in results.items():
        nr = {fate: sum(m.fate == fate for m in mutants)
              for fate in ("killed", "equal", "survived")}
        score = 100 * nr["killed"] / max(1, nr["killed"] + nr["survived"])
        worst = min(worst, score)
        print("%-8s %8d %8d %8d %9d %6.1f %%" % (
            folder, len(mutants), nr["killed"], nr["equal"], nr["survived"],
            score))
    return worst >= SCORE


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("build")
    parser.add_argument("compiler")
    parser.add_argument("libs")
    parser.add_argument("--folder", action="append", choices=FOLDERS)
    parser.add_argument("--number", type=int, default=75)
    parser.add_argument("--seed", default="1")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--again", action="store_true")
    args = parser.parse_args()
    folders = args.folder or list(FOLDERS)
    table = os.path.join(args.build, "mutants.tsv")
    earlier, known = read_results(table), known_ones()
    results = {}

    with tempfile.TemporaryDirectory(prefix="bale-mutants.") as scratch:
        bench = Bench(args.build, args.compiler, args.libs, scratch)
        bench.link(sorted({t.program for f in folders
                           for t in tests_of(f, args.build)
                           if not t.program.endswith(".sh")}))
        places = Places(bench, args.jobs)
        for folder in folders:
            results[folder] = try_folder(folder, bench, places, args, earlier,
                                         known)
            write_results(table, [m for r in results.values() for m in r])
    return 0 if print_table(results) else 1


if __name__ == "__main__":
    sys.exit(main())
