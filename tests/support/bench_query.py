#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What bale bench --query says, found out again with git and bale pack alone.

  bench_query.py make DIR      a repository with a past
  bench_query.py check DIR BALE RESULT.json BUDGET
                               prints what differs: tasks by git log and git
                               diff -U0, figures by the reports of bale pack
"""
import json, os, random, re, subprocess, sys

ENV = dict(os.environ, GIT_CONFIG_NOSYSTEM="1", HOME="/nonexistent",
           GIT_AUTHOR_NAME="a", GIT_AUTHOR_EMAIL="a@b",
           GIT_COMMITTER_NAME="a", GIT_COMMITTER_EMAIL="a@b")
WORDS = ("parse emit cache ring slab token budget query stem path walk lane "
         "commit index filter merge split count rank chunk").split()


def git(top, *args):
    return subprocess.run(("git", "-C", top) + args, env=ENV, check=True,
                          stdout=subprocess.PIPE).stdout


def write(top, path, lines):
    os.makedirs(os.path.dirname(os.path.join(top, path)), exist_ok=True)
    with open(os.path.join(top, path), "w") as f:
        f.write("\n".join(lines) + "\n")


def make(top):
    rng = random.Random(7)
    subprocess.run(("git", "init", "-q", "-b", "main", top), check=True)
    files = {}
    for i in range(40):
        a, b = rng.choice(WORDS), rng.choice(WORDS)
        lines = []
        for k in range(12):
            lines += [f"int {a}_{b}_{i}_{k}(int {rng.choice(WORDS)})", "{"]
            lines += [f"\treturn {rng.choice(WORDS)}({n}) + {rng.choice(WORDS)};"
                      for n in range(rng.randint(2, 9))]
            lines += ["}", ""]
        files[f"src/{a}/{b}_{i}.c"] = lines
    for path, lines in files.items():
        write(top, path, lines)
    write(top, "README.md", ["what it is"])
    git(top, "add", "-A")
    git(top, "commit", "-qm", "all the files there are, so that there is a start")
    for i in range(30):
        touched = rng.sample(sorted(files), rng.choice((1, 1, 2, 3, 7)))
        said = []
        for path in touched:
            lines = files[path]
            at = rng.randrange(len(lines))
            name = next((re.split(r"[ (]", x)[1] for x in lines[at::-1]
                         if x.startswith("int ")), "the file")
            said.append(name.replace("_", " "))
            if rng.random() < 0.3:
                del lines[at:at + 2]
            elif rng.random() < 0.5:
                lines.insert(at, f"\t/* {rng.choice(WORDS)} {i} */")
            else:
                lines[at] += f" /* {i} */"
            write(top, path, lines)
        if i % 6 == 5:
            write(top, f"src/new_{i}.c", [f"int new_{i};"])
        if i % 7 == 3:
            write(top, "README.md", [f"what it was {i}"])
        git(top, "add", "-A")
        git(top, "commit", "-qm",
            "fix" if i % 9 == 8 else f"fix what {' and '.join(said)} does, "
            "since it was wrong before")


def changed_lines(top, commit, path):
    ranges = []
    with_size = subprocess.run(
        ("git", "-C", top, "show", f"{commit}~1:{path}"), env=ENV, check=True,
        stdout=subprocess.PIPE).stdout.count(b"\n")
    text = git(top, "diff", "-U0", "--no-renames", f"{commit}~1", commit, "--",
               path).decode()
    for a, n in re.findall(r"^@@ -(\d+)(?:,(\d+))? ", text, re.M):
        a, n = int(a), int(n or 1)
        first, last = (a, a + n - 1) if n else (a, a + 1)
        if max(first, 1) <= min(last, with_size):
            ranges.append([max(first, 1), min(last, with_size)])
    return ranges


def tasks_of(top):
    for commit in git(top, "log", "--no-merges", "--format=%H").decode().split():
        message = git(top, "log", "-1", "--format=%B", commit).decode()
        parents = git(top, "log", "-1", "--format=%P", commit).decode().split()
        status = git(top, "diff-tree", "-r", "--no-renames", "--name-status",
                     commit).decode().split("\n")[1:]
        files = [x.split("\t")[1] for x in status
                 if x.startswith("M\t") and x.endswith(".c")]
        if not parents or len(message.strip()) < 40 or \
                len(message.split()) < 5 or not 1 <= len(files) <= 6:
            continue
        yield commit, message, {p: changed_lines(top, commit, p) for p in files}


def packed(top, bale, commit, message, budget):
    with open("query", "w") as f:
        f.write(message)
    subprocess.run((bale, "pack", top, "-q", "--no-config", "--paths",
                    "root", "--rev",
                    f"{commit}~1", "--query", "@query", "--budget", budget,
                    "-o", "/dev/null", "--report", "r.json"), check=True,
                   env=dict(os.environ, XDG_STATE_HOME=os.getcwd()))
    lines = {}
    for it in json.load(open("r.json"))["selected"]:
        lines.setdefault(it["path"], set()).update(
            range(it["start_line"], it["end_line"] + 1))
    return lines


def check(top, bale, result, budget):
    result = json.load(open(result))
    got = {t["commit"]: t for t in result["tasks"]}
    sums = [0, 0, 0]
    nr = 0
    for commit, message, gold in tasks_of(top):
        nr += 1
        task = got.pop(commit, None)
        if task is None:
            print("no task:", commit, message)
            continue
        if {f["path"]: f["ranges"] for f in task["files"]} != gold:
            print("other lines:", commit, task["files"], gold)
        have = packed(top, bale, commit, message, budget)
        wanted = {p: {n for a, b in r for n in range(a, b + 1)}
                  for p, r in gold.items()}
        hit = {p: len(w & have.get(p, set())) for p, w in wanted.items()}
        sums[0] += sum(p in have for p in gold) / len(gold)
        sums[1] += sum(n > 0 for n in hit.values()) / len(gold)
        sums[2] += sum(hit.values()) / sum(map(len, wanted.values()))
    for commit in got:
        print("more tasks:", commit)
    for key, n in zip(("file", "spot", "line"), sums):
        if abs(result["budgets"][0][key] - n / nr) > 1e-6:
            print(key, result["budgets"][0][key], n / nr)
    print(f"{nr} tasks")


if sys.argv[1] == "make":
    make(sys.argv[2])
else:
    check(*sys.argv[2:])
