#!/bin/bash
# SPDX-License-Identifier: MIT
#
# What the workers of a run have mapped, and how: nobody can write what only
# others write. /proc/PID/maps of a run that is held up is what is looked at.

# shellcheck source=tests/support/lib.sh
. tests/support/lib.sh

[ -r /proc/self/maps ] || skip_all 'there is no /proc'
mkdir "$dir/in"
# enough for the second lane to be asked for
for i in $(seq 40); do
	"${BALE%/*}/tests/support/tool_tree" text "$dir/in/0$i.txt" 100000
done
"${BALE%/*}/tests/support/tool_tree" text "$dir/in/a.txt" 120000000
"${BALE%/*}/tests/support/tool_tree" text "$dir/in/b.txt" 3000000

# Of each worker: its name, and what it has wrong; then how many there were.
look() {
	python3 - "$BALE" "$dir/in" "$@" <<'EOF'
import os, subprocess, sys, time

WRITES = {"collect": 6, "chunk": 1, "count": 0, "dedup": 7, "select": 6,
          "format": 4}
HAS_SLABS = {"collect": "rw", "chunk": "half", "count": "r", "dedup": "-",
             "select": "-", "format": "r"}


# Of a table: shared memory, one piece for all of them, and behind it a file. The
# piece is small in builds with BALE_DEBUG.
HEAD = 4096 if os.environ.get("MODE") in (
    "debug", "asan", "cover", "fuzz") else 128 << 10
TABLES = 23


class Area:
    def __init__(self, line):
        field = line.split()
        self.first, self.end = (int(x, 16) for x in field[0].split("-"))
        self.how, self.inode = field[1][:3], field[4]
        self.off = int(field[2], 16)
        self.is_shared = field[1][3] == "s"
        where = " ".join(field[5:])
        self.is_memory = "/dev/zero" in where  # of no file
        self.is_file = "bale." in where or "/#" in where


def maps(pid):
    with open(f"/proc/{pid}/maps") as file:
        return [a for a in map(Area, file) if a.is_shared]


def table_rights(areas, heads):
    """How each table is mapped, and what is mapped in two ways."""
    hows, wrong = {}, []
    for a in areas:
        if a.inode == heads:
            end = a.off + a.end - a.first
            for table in range(a.off // HEAD, (end + HEAD - 1) // HEAD):
                hows.setdefault(table, set()).add(a.how)
    for a in areas:
        if a.is_file:
            before = [b for b in areas if b.end == a.first]
            if not before or before[0].inode != heads:
                wrong.append("a file that no head stands before")
            elif before[0].how != a.how:
                wrong.append(f"a head is {before[0].how}, its file {a.how}")
    return hows, wrong


def workers(pid):
    with open(f"/proc/{pid}/task/{pid}/children") as file:
        for child in file.read().split():
            with open(f"/proc/{child}/comm") as comm:
                yield child, comm.read().strip().partition(":")[2]


def complaints(run):
    memory = [a for a in maps(run.pid) if a.is_memory]
    found = {name: maps(pid) for pid, name in workers(run.pid)}
    if not memory or len(found) != 8:
        return [f"{len(found)} workers"]
    arena = max(memory, key=lambda a: a.end - a.first)
    heads = {a.inode for a in memory
             if a.off == 0 and a.end - a.first == TABLES * HEAD}
    if len(heads) != 1:
        return [f"{len(heads)} sets of tables"]
    heads = heads.pop()
    in_arena = {name: [a for a in areas if a.inode == arena.inode]
                for name, areas in found.items()}
    slabs = min(a.first for a in in_arena["collect"]
                if a.how == "rw-" and a.end == arena.end)
    wrong = []
    halves = {}
    for name, areas in found.items():
        stage = name.split(".")[0]
        hows, mixed = table_rights(areas, heads)
        wrong += [f"{name}: {what}" for what in mixed]
        nr = sum("rw-" in how for how in hows.values())
        if len(hows) != TABLES or nr != WRITES[stage] or \
                any(len(how) > 1 for how in hows.values()):
            wrong.append(f"{name} writes {nr} of {len(hows)} tables")
        there = [(max(a.first, slabs), a.end, a.how) for a in in_arena[name]
                 if a.end > slabs]
        rights = {how for _, _, how in there}
        halves[name] = sum(e - f for f, e, how in there if how == "rw-")
        want = {"rw": {"rw-"}, "half": {"rw-", "r--"}, "r": {"r--"},
                "-": {"---"}}[HAS_SLABS[stage]]
        if rights != want:
            wrong.append(f"{name} has slabs as {rights}")
        if stage in ("dedup", "select", "format"):
            size = sum(a.end - a.first for a in in_arena[name]
                       if a.how == "rw-" and a.end <= slabs)
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
