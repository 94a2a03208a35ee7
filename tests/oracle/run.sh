#!/bin/bash
# SPDX-License-Identifier: MIT
#
# All comparisons with others: tokens with the reference tokenizers, files
# with git, definitions with tree-sitter, exports with parsers, secrets with the
# examples of gitleaks, bale mcp with clients; and outputs of random options with
# what is promised of all. Settings are those of the scripts themselves;
# TIME_LIMIT of make has to be high for long ones.

set -u
cd "$(dirname "$0")/../.." || exit 1
code=0

# run COMMAND...: goes on after a failure, passes over what is not there.
run() {
	"$@"
	case $? in
	0) echo "ok - $*" ;;
	77) echo "ok - $* # SKIP" ;;
	*) echo "not ok - $*"; code=1 ;;
	esac
}

run tests/oracle/tokenizer.sh
run python3 tests/oracle/collect.py
if git rev-parse -q --verify HEAD >/dev/null 2>&1; then
	run python3 tests/oracle/rev.py .
fi
run python3 tests/oracle/options.py .
run tests/oracle/chunk.sh
run python3 tests/oracle/exports.py \
	"${BUILD:-build}/${MODE:-release}/bench/bench_chunk_scan"
run tests/oracle/fill.sh
run tests/oracle/template.sh
run python3 tests/oracle/secret_examples.py \
	"${BUILD:-build}/${MODE:-release}/bale"
run python3 tests/oracle/documents.py
run tests/oracle/kubernetes.sh
run tests/oracle/mcp.sh
exit $code
