#!/bin/bash
# SPDX-License-Identifier: MIT
#
# Sources form no circle by what they call: a file stands above those that it
# uses, so that each can be read after them. Reads the objects of $BUILD/$MODE;
# needs them built. What is allowed is said below, with its reason, and goes from
# the list when it is undone.

set -u

find "${BUILD:-build}/${MODE:-release}" -name '*.o' -not -path '*/tests/*' \
	-not -path '*/bench/*' | sort | nice python3 -S -c '
import re, subprocess, sys

ALLOWED = {
    "lang/": "a declaration has declarations in it",
    r"stages/(stage|stage_table|worker|\w+/\w+_worker)$":
        "the table of stages names their workers, who are run by it",
    "stages/select/": "rounds of a plan offer to windows that ask for more",
    "cli/(mcp_|cmd_mcp|command_run)": "a server of commands is one",
}
root = sys.argv[1] + "/"
objects = sys.stdin.read().split()
defined, used = {}, {}
for line in subprocess.run(["nm", "-A", "-g"] + objects, capture_output=True,
                           text=True).stdout.splitlines():
    path, rest = line.split(":", 1)
    name = path[len(root):-2]
    kind, symbol = rest.split()[-2:]
    used.setdefault(name, set())
    if symbol.startswith("_"):
        continue  # of the C library, for which one may stand in
    if kind == "U":
        used[name].add(symbol)
    elif kind in "TDBRCVW":
        defined.setdefault(symbol, name)
calls = {name: {defined[s] for s in symbols if defined.get(s, name) != name}
         for name, symbols in used.items()}

# Tarjan: what can be come back to.
at, low, stack, circles = {}, {}, [], []
def visit(name):
    at[name] = low[name] = len(at)
    stack.append(name)
    for other in sorted(calls[name]):
        if other not in at:
            visit(other)
        if other in stack:
            low[name] = min(low[name], low[other])
    if low[name] == at[name]:
        circle = []
        while not circle or circle[-1] != name:
            circle.append(stack.pop())
        if len(circle) > 1:
            circles.append(sorted(circle))
sys.setrecursionlimit(10000)
for name in sorted(calls):
    if name not in at:
        visit(name)
met = set()
bad = False
for circle in circles:
    why = [a for a in ALLOWED if all(re.match(a, name) for name in circle)]
    met.update(why)
    if not why:
        bad = True
        print("sources that call each other in a circle:", " ".join(circle))
if any(name.startswith("cli/") for name in calls):  # all of the program
    for a in ALLOWED.keys() - met:
        bad = True
        print("no circle any more, so take it from the list:", a)
sys.exit(bad)
' "${BUILD:-build}/${MODE:-release}"
