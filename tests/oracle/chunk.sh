#!/bin/bash
# SPDX-License-Identifier: MIT
#
# Compares the definitions that are found in source trees with those that
# tree-sitter finds (needs node and npm): a row of a table for each language.
#
# Fails where less than 99 % of the definitions start at the same line, less
# than 98 % end at the same line, or more than 1 % of ours are not there, in
# files that tree-sitter parses without an error. Compares the signatures, too,
# with what it says that files offer to others (outline.mjs), and with
# ORACLE_TREES fails where less than 99.5 % of the names are there, or where the
# signatures have more than a third of the tokens of the text.
#
# Environment: MODE BUILD      what is tested
#              ORACLE_TREES    a folder with a folder for each language, named
#                              as in lang.def (c, python, csharp ...);
#                              not set: this tree, and what Go and Python have
#                              of their own on this machine
#              ORACLE_TREE_MB  how much of each, in megabytes (1)
#              ORACLE_SHOW     how many files that differ are shown (0)

set -eu
cd "$(dirname "$0")/../.."
build=${BUILD:-build} mode=${MODE:-release}
modules=$build/oracle_chunk
dumper=$build/$mode/bench/bench_chunk_scan
command -v npm >/dev/null || { echo 'SKIP: npm is not there'; exit 77; }

mkdir -p "$modules"
cp tests/oracle/chunk_package.json "$modules/package.json"
cp tests/oracle/chunk_package-lock.json "$modules/package-lock.json"
(cd "$modules" && npm install --silent --no-audit --no-fund \
	--ignore-scripts --legacy-peer-deps >/dev/null)
env -u MAKEFLAGS -u MAKELEVEL make BUILD="$build" MODE="$mode" "$dumper" \
	"$build/$mode/bale" >/dev/null

echo '| language | files | parsed | definitions | start % | end % | extra % | start, all | end, all | extra, all |'
echo '|---|---|---|---|---|---|---|---|---|---|'
code=0
: >"$modules/signatures"

# compare LANGUAGE SUFFIXES [FOLDER...]
compare() {
	local language=$1 suffixes=$2
	shift 2
	if [ -n "${ORACLE_TREES:-}" ]; then
		set -- "$ORACLE_TREES/$language"
	fi
	[ -d "${1:-}" ] || return 0
	node tests/oracle/outline.mjs "$modules" "$dumper" \
		"$build/$mode/bale" "$language" "$suffixes" "$@" \
		${ORACLE_TREES:+--require} --show "${ORACLE_SHOW:-0}" \
		>>"$modules/signatures" || code=1
	# modules given to functors are not looked into: no promise
	[ "$language" = ocaml ] || set -- "$@" --require
	node tests/oracle/chunk.mjs "$modules" "$dumper" "$language" \
		"$suffixes" "$@" \
		--max-bytes "$((${ORACLE_TREE_MB:-1} * 1000000))" \
		--show "${ORACLE_SHOW:-0}" || code=1
}

goroot=$(go env GOROOT 2>/dev/null || true)
compare c c,h base shm catalogue lang git rank stages supervisor tokenizer \
	report window cli
compare cpp cc,cpp,h,hpp
compare python py /usr/lib/python3*/
compare go go ${goroot:+"$goroot/src"}
compare rust rs
compare javascript js,mjs,cjs
compare typescript ts
compare java java
compare ruby rb
compare php php
compare csharp cs
compare bash sh,bash,zsh tests tools
compare scala scala
compare elixir ex,exs
compare kotlin kt
compare swift swift
compare objectivec m
compare lua lua
compare julia jl
compare r R
compare haskell hs
compare ocaml ml

echo
echo '| language | files | names | named % | found % | tokens | signatures % |'
echo '|---|---|---|---|---|---|---|'
cat "$modules/signatures"
exit $code
