#!/bin/bash
# SPDX-License-Identifier: MIT
#
# What the workers of a run have mapped, and how: nobody can write what only
# others write. /proc/PID/maps of a run that is held up is what is looked at.

# shellcheck source=tests/support/lib.sh
. tests/support/lib.sh

[ -r /proc/self/maps ] || skip_all 'there is no /proc'
mkdir "$dir/in"
"${BALE%/*}/tests/support/tool_tree" text "$dir/in/a.txt" 120000000
"${BALE%/*}/tests/support/tool_tree" text "$dir/in/b.txt" 3000000

# Of each worker: its name, and what it has wrong; then how many there were.
look() {
	python3 - "$BALE" "$dir/in" "$@" <<'EOF'
import subprocess, sys, time

WRITES = {"collect": 3, "chunk": 1, "count": 0, "dedup": 5, "select": 5,
          "format": 4}
HAS_SLABS = {"collect": "rw", "chunk": "half", "count": "r", "dedup": "-",
             "select": "-", "format": "r"}


def maps(pid):
    areas = []
    with open(f"/proc/{pid}/maps") as file:
        for line in file:
            field = line.split()
            first, end = (int(x, 16) for x in field[0].split("-"))
            if field[1][3] == "s":
                areas.append((first, end, field[1][:3], " ".join(field[5:])))
    return areas


def is_arena(area):
    return "/dev/zero" in area[3]  # shared, and of no file


def workers(pid):
    with open(f"/proc/{pid}/task/{pid}/children") as file:
        for child in file.read().split():
            with open(f"/proc/{child}/comm") as comm:
                yield child, comm.read().strip().partition(":")[2]


def complaints(run):
    arena = [a for a in maps(run.pid) if is_arena(a)]
    found = {name: maps(pid) for pid, name in workers(run.pid)}
    if len(arena) != 1 or len(found) != 8:
        return [f"{len(arena)} arenas, {len(found)} workers"]
    end = arena[0][1]
    slabs = min(first for first, last, how, _ in found["collect"]
                if how == "rw-" and arena[0][0] <= first and last == end)
    wrong = []
    halves = {}
    for name, areas in found.items():
        stage = name.split(".")[0]
        tables = [a for a in areas if not is_arena(a) and
                  ("bale." in a[3] or "/#" in a[3])]
        nr = sum(how == "rw-" for _, _, how, _ in tables)
        if len(tables) != 17 or nr != WRITES[stage]:
            wrong.append(f"{name} writes {nr} of {len(tables)} tables")
        there = [(max(f, slabs), e, how) for f, e, how, where in areas
                 if e > slabs and f < end and is_arena((0, 0, 0, where))]
        hows = {how for _, _, how in there}
        halves[name] = sum(e - f for f, e, how in there if how == "rw-")
        want = {"rw": {"rw-"}, "half": {"rw-", "r--"}, "r": {"r--"},
                "-": {"---"}}[HAS_SLABS[stage]]
        if hows != want:
            wrong.append(f"{name} has slabs as {hows}")
        if stage in ("dedup", "select", "format"):
            size = sum(e - f for f, e, how, where in areas
                       if how == "rw-" and is_arena((0, 0, 0, where)) and
                       e <= slabs)
            # its block, its rings, what wakes others; format its cache, too
            if size > (2 << 20) + (11 << 20) * (stage == "format"):
                wrong.append(f"{name} writes {size} bytes of the arena")
    if halves["chunk.0"] + halves["chunk.1"] != halves["collect"]:
        wrong.append("lanes share slabs")
    return wrong


run = subprocess.Popen([sys.argv[1], "pack", "--workers", "2", *sys.argv[2:]],
                       stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
# what is written ahead of a reader who takes nothing is bounded: they wait
run.stdout.read(1)
for _ in range(600):
    wrong = complaints(run)
    if not wrong:
        break
    time.sleep(0.1)
run.kill()
run.wait()
print("; ".join(wrong) or "as it should be")
EOF
}

is "$(look --budget all)" 'as it should be' \
	'workers that pack everything write what is theirs, and no more'
is "$(look --budget all --no-sandbox)" 'as it should be' \
	'without a sandbox as well'
done_testing
