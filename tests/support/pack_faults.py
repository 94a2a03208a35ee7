# SPDX-License-Identifier: MIT
"""One system call of the supervisor fails, each in its turn, by strace.

    pack_faults.py PROGRAM STEP DIR COMMAND...

Counts what calls `PROGRAM COMMAND...` makes, from its main() on; then runs it
again for every STEP-th of them (and the first and the last of each kind), with
that call failing as it may fail in the world. It runs in a folder of its own
below DIR, made anew each time, where a file stands already for each that it
makes. It either comes through, with the same files, or fails with a code that
docs/exit-codes.md has, the error's own words, and all as it was.

Prints what is wrong; what it came to, on stderr.
"""
import errno
import os
import re
import shutil
import subprocess
import sys

# What may happen to whom. The others only ever fail for our own bugs, or tell
# of what has happened already (close); brk(2) tells of no error at all.
ERRORS = {
    "access": "EACCES", "clone": "EAGAIN", "clone3": "EAGAIN",
    "copy_file_range": "EIO", "dup": "EMFILE", "epoll_create1": "EMFILE",
    "epoll_ctl": "ENOSPC", "epoll_wait": "EBADF", "fallocate": "ENOSPC",
    "fchmod": "EPERM", "fcntl": "ENOLCK", "flock": "ENOLCK", "fstat": "EIO",
    "ftruncate": "EFBIG", "getcwd": "ENOENT", "getrandom": "ENOSYS",
    "ioctl": "ENOTTY", "linkat": "EDQUOT", "lseek": "EIO", "madvise": "EINVAL",
    "memfd_create": "EMFILE", "mkdir": "EROFS", "mmap": "ENOMEM",
    "munmap": "ENOMEM", "newfstatat": "EIO", "open": "EMFILE",
    "openat": "EMFILE", "openat2": "EMFILE", "pidfd_open": "EMFILE",
    "pread64": "EIO", "prlimit64": "EPERM", "pwrite64": "ENOSPC",
    "read": "EIO", "readlink": "EIO", "rename": "EBUSY",
    "sched_getaffinity": "ENOSYS", "signalfd4": "EMFILE", "statx": "EIO",
    "uname": "EPERM", "unlink": "EBUSY", "unlinkat": "EBUSY",
    "write": "ENOSPC",
}
CODES = {2, 3, 4, 5, 6}


def calls_of(log):
    """Kinds in their order, and how many of them the loader made."""
    names = []
    before = None
    for line in open(log, errors="replace"):
        match = re.match(r"(\w+)\(", line)
        if match is None:
            continue
        # the first thing that main() does
        if before is None and line.startswith("fcntl(0, F_GETFD"):
            before = len(names)
        names.append(match.group(1))
    return names, before


def chosen(names, before, step):
    """(kind, which one of its kind)"""
    nr = {}
    numbered = []
    for i, name in enumerate(names):
        nr[name] = nr.get(name, 0) + 1
        if i >= before and name in ERRORS:
            numbered.append((name, nr[name]))
    seen = set()
    result = []
    for i, (name, which) in enumerate(numbered):
        if name not in seen or which == nr[name] or i % step == 0:
            result.append((name, which))
        seen.add(name)
    return result


class Runs:
    def __init__(self, program, folder, command):
        self.program = program
        self.folder = os.path.join(folder, "run")
        self.tmp = os.path.join(folder, "tmp")
        self.command = command
        self.env = dict(os.environ, TMPDIR=self.tmp,
                        XDG_STATE_HOME=os.path.join(folder, "state"))
        self.before = {}

    def start(self, options):
        """The run: its code, what it says, and what files there are."""
        for folder in (self.folder, self.tmp):
            shutil.rmtree(folder, ignore_errors=True)
            os.mkdir(folder)
        for name, content in self.before.items():
            with open(os.path.join(self.folder, name), "wb") as file:
                file.write(content)
        result = subprocess.run(
            ["timeout", "-k", "5", "60", "strace", "-qq"] + options +
            [self.program] + self.command, cwd=self.folder, env=self.env,
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=subprocess.PIPE)
        files = {}
        for name in os.listdir(self.folder):
            with open(os.path.join(self.folder, name), "rb") as file:
                files[name] = file.read()
        return result.returncode, result.stderr.decode(errors="replace"), files


def is_of_run(name):
    """Not the same each time: times, and the run's own name."""
    return name.startswith(("report", "metrics", "audit"))


def judge(runs, call, error, outcome, want):
    code, text, files = outcome
    words = os.strerror(getattr(errno, error))
    wrong = []
    if os.listdir(runs.tmp):
        wrong.append("left in TMPDIR: %s" % os.listdir(runs.tmp))
    if set(files) != set(want):
        wrong.append("files: %s" % sorted(set(files) ^ set(want)))
    if code in (0, 3):
        wrong += ["%s is another" % name for name in want
                  if code == 0 and not is_of_run(name) and
                  files.get(name) != want[name]]
        wrong += ["%s is as it was" % name for name in want
                  if files.get(name) == runs.before[name]]
    elif code not in CODES:
        wrong.append("exit %d: %s" % (code, text))
    else:
        wrong += ["%s is new" % name for name in want
                  # by the last steps of all, in their order
                  if not (call == "rename" and is_of_run(name)) and
                  files.get(name) != runs.before[name]]
    if code != 0 and words not in text and not (
            error == "ENOMEM" and "out of memory" in text):
        wrong.append("exit %d, and the cause is not %s: %s" %
                     (code, words, text or "not a word"))
    return wrong


def main():
    program, step, folder = sys.argv[1], int(sys.argv[2]), sys.argv[3]
    runs = Runs(program, folder, sys.argv[4:])
    code, text, files = runs.start([])
    runs.before = {name: b"old " + name.encode() for name in files}
    log = os.path.join(folder, "calls")
    code, text, want = runs.start(["-o", log])
    if code != 0 or not want:
        print("undisturbed: exit %d: %s" % (code, text))
        return
    codes = {}
    picked = chosen(*calls_of(log), step)
    for name, which in picked:
        error = ERRORS[name]
        outcome = runs.start(["-e", "trace=" + name, "-o", "/dev/null", "-e",
                              "inject=%s:error=%s:when=%d" %
                              (name, error, which)])
        codes[outcome[0]] = codes.get(outcome[0], 0) + 1
        for why in judge(runs, name, error, outcome, want):
            print("%s %d fails with %s: %s" % (name, which, error, why.strip()))
        if os.environ.get("VERBOSE"):
            print(outcome[0], name, error, outcome[1].strip())
    print("%d calls: exit %s" % (len(picked), ", ".join(
        "%d %d times" % pair for pair in sorted(codes.items()))),
        file=sys.stderr)


main()
