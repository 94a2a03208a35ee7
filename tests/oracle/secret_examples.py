#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""How many of the secrets that gitleaks tests its rules with bale finds.

usage: GITLEAKS=CLONE secret_examples.py [BALE]

CLONE is a clone of gitleaks. Its rules are built by a program that tries each
on examples of secrets, and of what is none; here a copy of that program writes
the examples to files instead, and bale looks for secrets in them. Nothing of
gitleaks becomes part of this project. Needs go, and the modules that gitleaks
needs. Prints what is missed by rule; fails below 95 % of the secrets, or above
18 % of the others.
"""
import collections
import json
import os
import shutil
import subprocess
import sys
import tempfile

VALIDATE = """package utils

import (
	"encoding/json"
	"os"

	"github.com/zricethezav/gitleaks/v8/config"
)

func put(id string, isSecret bool, text string) {
	f, err := os.OpenFile(os.Getenv("CASES"),
		os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0644)
	if err != nil { panic(err) }
	b, _ := json.Marshal([]any{id, isSecret, text})
	f.Write(append(b, 10))
	f.Close()
}

func Validate(r config.Rule, yes []string, no []string) *config.Rule {
	for _, text := range yes { put(r.RuleID, true, text) }
	for _, text := range no { put(r.RuleID, false, text) }
	return &r
}

// of rules that depend on the name of a file
func ValidateWithPaths(r config.Rule, _ map[string]string,
	_ map[string]string) *config.Rule {
	return &r
}
"""


def cases_of(clone, scratch):
    """(rule, whether it is a secret, text) of each example."""
    copy, out = f"{scratch}/copy", f"{scratch}/cases"
    subprocess.run(["git", "clone", "-q", clone, copy], check=True)
    with open(f"{copy}/cmd/generate/config/utils/validate.go", "w") as file:
        file.write(VALIDATE)
    # it writes a configuration at its end, where it is told to
    subprocess.run(["go", "run", "main.go", f"{scratch}/config.toml"],
                   cwd=f"{copy}/cmd/generate/config",
                   env=dict(os.environ, CASES=out), check=True,
                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    with open(out, encoding="utf-8") as file:
        return [json.loads(line) for line in file]


def found_in(bale, folder, scratch):
    """The names of files that have a secret."""
    subprocess.run([bale, "pack", "--secrets", "warn", "--budget", "all",
                    "--no-config", "--no-last", "-o", f"{scratch}/out",
                    "--report", f"{scratch}/report", folder], check=True,
                   stderr=subprocess.DEVNULL)
    with open(f"{scratch}/report", encoding="utf-8") as file:
        return {os.path.basename(finding["path"])
                for finding in json.load(file)["secrets"]}


def main():
    clone = os.environ.get("GITLEAKS")
    bale = sys.argv[1] if len(sys.argv) > 1 else "build/release/bale"
    if clone is None or shutil.which("go") is None:
        print("# GITLEAKS names no clone, or there is no go")
        return 77
    with tempfile.TemporaryDirectory() as scratch:
        cases = cases_of(clone, scratch)
        os.mkdir(f"{scratch}/in")
        for i, (_, _, text) in enumerate(cases):
            with open(f"{scratch}/in/{i}.txt", "w", encoding="utf-8",
                      errors="replace", newline="") as file:
                file.write(text + "\n")
        found = found_in(bale, f"{scratch}/in", scratch)
    hits, missed = collections.Counter(), collections.Counter()
    for i, (rule, is_secret, _) in enumerate(cases):
        is_found = f"{i}.txt" in found
        hits[is_secret, is_found] += 1
        if is_secret and not is_found:
            missed[rule] += 1
    secrets = hits[True, True] + hits[True, False]
    others = hits[False, True] + hits[False, False]
    print(f"{hits[True, True]} of {secrets} secrets are found, and "
          f"{hits[False, True]} of {others} of what is none")
    print("missed:", ", ".join(f"{nr} {rule}"
                               for rule, nr in missed.most_common()))
    return not (secrets > 1000 and hits[True, True] >= 0.95 * secrets and
                hits[False, True] <= 0.18 * others)


if __name__ == "__main__":
    sys.exit(main())
