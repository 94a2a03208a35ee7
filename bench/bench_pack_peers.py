#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Packs the same tree with bale and with its peers, in turns.

usage: bench/bench_pack_peers.py DIR

Peers are the programs repomix (npm), yek and code2prompt (crates), gitingest
and files-to-prompt (PyPI), found by PATH; what is not installed is left out, and
so is what PEERS does not name, if it is set. BALE is the program that is measured
(build/release/bale). All pack the whole tree into one file, in turns, ROUNDS (3)
times, after one that fills the page cache.

Of each: the best wall time and how often bale's goes into it, processor time,
the most memory that all processes of a run shared out among them (Pss, looked
at every 20 ms), whether the program counts tokens, and what it packed: `whole`
is the number of the tree's text files that stand in its output byte for byte
(but for white space at both ends), of how many there are. A program that packs
fewer has had less to do. Duplicates, which bale writes as a reference to an
earlier file, count as whole.
"""
import os
import resource
import shutil
import subprocess
import sys
import tempfile
import threading
import time

ROUNDS = int(os.environ.get("ROUNDS", "3"))
PEERS = os.environ.get("PEERS", "").split()
BALE = os.path.abspath(os.environ.get("BALE", "build/release/bale"))
TIME_LIMIT = float(os.environ.get("TIME_LIMIT", "900"))

# name, whether it counts tokens, command: {dir} and {out} are filled in, and
# where there is no {out} it is what the program writes to stdout
PROGRAMS = [
    ("bale", "yes", [BALE, "pack", "{dir}", "--budget", "all", "-q", "-o",
                       "{out}"]),
    ("repomix", "yes", ["repomix", "{dir}", "--quiet", "--style", "markdown",
                          "--no-security-check", "-o", "{out}"]),
    ("repomix with its secret check", "yes",
     ["repomix", "{dir}", "--quiet", "--style", "markdown", "-o", "{out}"]),
    ("yek", "no", ["yek", "{dir}", "--max-size", "100000MB"]),
    ("yek by tokens", "yes", ["yek", "{dir}", "--tokens", "1000000k"]),
    ("code2prompt", "yes", ["code2prompt", "{dir}", "-O", "{out}",
                              "--no-clipboard", "-e", "o200k", "--quiet"]),
    ("gitingest", "no", ["gitingest", "{dir}", "-o", "{out}"]),
    ("files-to-prompt", "no", ["files-to-prompt", "{dir}", "-o", "{out}"]),
]


def session_pss(session):
    """The proportional memory of all processes of a session, in bytes."""
    total = 0
    for name in os.listdir("/proc"):
        if not name.isdigit():
            continue
        try:
            with open(f"/proc/{name}/stat") as stat:
                fields = stat.read().rpartition(")")[2].split()
            if int(fields[3]) != session:
                continue
            with open(f"/proc/{name}/smaps_rollup") as rollup:
                for line in rollup:
                    if line.startswith("Pss:"):
                        total += int(line.split()[1]) * 1024
        except (OSError, ValueError, IndexError):
            continue  # it has just ended
    return total


class Watch(threading.Thread):
    """The most memory that a session has had."""

    def __init__(self, session):
        super().__init__(daemon=True)
        self.session = session
        self.peak = 0
        self.is_over = threading.Event()

    def run(self):
        while not self.is_over.wait(0.02):
            self.peak = max(self.peak, session_pss(self.session))


def run(command, out, watched):
    """(wall and processor seconds, peak bytes), or None; and why it failed."""
    to_file = any("{out}" in part for part in command)
    command = [part.replace("{out}", out) for part in command]
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    began = time.monotonic()
    with open(os.devnull if to_file else out, "wb") as stdout:
        child = subprocess.Popen(command, stdin=subprocess.DEVNULL,
                                 stdout=stdout, stderr=subprocess.PIPE,
                                 start_new_session=True)
    watch = Watch(child.pid)
    if watched:
        watch.start()
    try:
        complaint = child.communicate(timeout=TIME_LIMIT)[1]
    except subprocess.TimeoutExpired:
        os.killpg(child.pid, 9)
        child.communicate()
        return None, f"more than {TIME_LIMIT:.0f} s"
    wall = time.monotonic() - began
    watch.is_over.set()
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if child.returncode not in (0, 3):  # 3: bale, something was left out
        last = complaint.decode(errors="replace").strip().splitlines()
        return None, f"exit {child.returncode}: {last[-1] if last else ''}"
    return (wall, after.ru_utime + after.ru_stime - before.ru_utime
            - before.ru_stime, watch.peak), None


def text_files(tree):
    """The contents of all files that are text, by path."""
    found = {}
    for folder, folders, names in os.walk(tree):
        folders[:] = [name for name in folders if name != ".git"]
        for name in names:
            path = os.path.join(folder, name)
            if os.path.islink(path):
                continue
            with open(path, "rb") as file:
                content = file.read().strip()
            if content and b"\0" not in content:
                found[path] = content
    return found


def count_whole(files, output):
    """How many contents stand in the output."""
    at, whole = 0, 0
    for path in sorted(files):
        found = output.find(files[path], at)
        if found < 0:
            found = output.find(files[path], 0, at + len(files[path]))
        else:
            at = found
        whole += found >= 0
    return whole


def main():
    if len(sys.argv) != 2 or not os.path.isdir(sys.argv[1]):
        sys.exit(__doc__.split("\n\n")[1])
    tree = os.path.abspath(sys.argv[1])
    files = text_files(tree)
    programs = [(name, counts, command) for name, counts, command in PROGRAMS
                if shutil.which(command[0])
                and (name == "bale" or not PEERS or command[0] in PEERS)]
    best, why, whole, size = {}, {}, {}, {}
    with tempfile.TemporaryDirectory(prefix="bale-peers.") as scratch:
        for turn in range(ROUNDS + 1):
            for name, _, command in programs:
                if name in why:
                    continue
                out = os.path.join(scratch, "out")
                command = [part.replace("{dir}", tree) for part in command]
                # memory is looked at in the first run, time in the others
                got, reason = run(command, out, turn == 0)
                if got is None:
                    why[name] = reason
                elif turn == 0:
                    with open(out, "rb") as file:
                        output = file.read()
                    whole[name] = count_whole(files, output)
                    size[name] = len(output)
                    best[name] = (float("inf"), float("inf"), got[2])
                else:
                    best[name] = (min(best[name][0], got[0]),
                                  min(best[name][1], got[1]), best[name][2])
                if os.path.exists(out):
                    os.unlink(out)
    total = sum(len(content) for content in files.values())
    print(f"{tree}: {len(files)} text files, {total / 1e6:.1f} MB; "
          f"{os.cpu_count()} processors, best of {ROUNDS}")
    print(f"{'':30} {'wall':>9} {'of bale':>8} {'cpu':>9} {'peak':>10} "
          f"{'tokens':>7} {'whole':>7} {'output':>9}")
    for name, counts, _ in programs:
        if name in why:
            print(f"{name:30} failed: {why[name]}")
            continue
        wall, cpu, peak = best[name]
        print(f"{name:30} {wall:7.2f} s {wall / best['bale'][0]:7.1f}x "
              f"{cpu:7.2f} s {peak / 2**20:6.0f} MiB {counts:>7} "
              f"{whole[name]:7} {size[name] / 1e6:6.1f} MB")


if __name__ == "__main__":
    main()
