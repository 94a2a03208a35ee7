# SPDX-License-Identifier: MIT
"""How much of a context stays in front while a repository goes on.

bench_pack_prefix.py BALE REPOSITORY COMMITS [REPOMIX]

Checks out the last COMMITS commits of REPOSITORY (a clone of its own: it is
changed), the oldest first, and makes a context of each: by bale pack, by
bale window add --pack from one to the next, and by repomix. Prints for each
what share of the tokens of a context is, on average, the same beginning as that
of the context before.
"""
import os
import subprocess
import sys
import tempfile

QUERY = "a middleware recovers from panics and reports errors"


def run(*words, **options):
    return subprocess.run(words, check=True, stdout=subprocess.PIPE,
                          stderr=subprocess.DEVNULL, **options).stdout


def shared(one, other):
    nr = min(len(one), len(other))
    if one[:nr] == other[:nr]:
        return nr
    low, high = 0, nr
    while low < high:
        middle = (low + high + 1) // 2
        if one[:middle] == other[:middle]:
            low = middle
        else:
            high = middle - 1
    return low


def tokens(bale, text):
    said = run(bale, "count", "-", input=text)
    return int(said.split()[0].replace(b",", b""))


def main():
    bale, repository, commits = sys.argv[1:4]
    bale = os.path.abspath(bale)
    repomix = sys.argv[4] if len(sys.argv) > 4 else None
    os.chdir(repository)
    scratch = tempfile.mkdtemp()
    log = run("git", "rev-list", "--first-parent", "-n", commits, "HEAD")
    head = run("git", "rev-parse", "HEAD").decode().strip()
    last, sums, nr = {}, {}, 0

    def pack(*options):
        return run(bale, "pack", "--quiet", "--no-last", "--no-config",
                   *options, ".")

    def window(name, text):
        path = os.path.join(scratch, name)
        run(bale, "window", path, "add", "--pack", "--max-tokens", "2000000",
            input=text)
        return run(bale, "window", path, "build", "--reserve-response", "1")

    for commit in reversed(log.decode().split()):
        run("git", "checkout", "-q", "-f", commit)
        some = pack("--budget=20000", "--query=" + QUERY)
        everything = pack("--budget=all")
        texts = {
            "20,000 tokens, bale pack": some,
            "20,000 tokens, bale window add --pack": window("some", some),
            "all, bale pack": everything,
            "all, bale window add --pack": window("all", everything),
        }
        if repomix:
            out = os.path.join(scratch, "repomix")
            run(repomix, "--quiet", "-o", out)
            with open(out, "rb") as file:
                texts["all, repomix"] = file.read()
        for name, text in texts.items():
            if name in last:
                same = text[:shared(text, last[name])]
                same = same.decode(errors="ignore").encode()
                sums.setdefault(name, [0, 0, 0])
                sums[name][0] += tokens(bale, same)
                sums[name][1] += tokens(bale, text)
                sums[name][2] += text == last[name]
            last[name] = text
        nr += 1
    run("git", "checkout", "-q", "-f", head)
    print(f"{nr} commits")
    for name, (same, whole, equal) in sums.items():
        print(f"{name}: {100 * same / whole:.1f} % of {whole // (nr - 1):,} "
              f"tokens; {equal} times the same")


main()
