#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# bale mcp and the clients of others: the official ones of Python and of
# TypeScript in both eras of the protocol, the inspector, a tester of
# conformance; and random calls, the tokens of whose answers tiktoken counts.
#
# Environment: MODE BUILD  what is tested
#              MCP_CALLS   random calls (10000)

set -u
cd "$(dirname "$0")/../.." || exit 1
top=$PWD
modules=$top/${BUILD:-build}/oracle-mcp
bale=$top/${BUILD:-build}/${MODE:-release}/bale
root=$top/cli
code=0
if ! command -v npm >/dev/null || ! python3 -c 'import venv' 2>/dev/null; then
	echo 'SKIP: npm or venv of Python is not there'
	exit 77
fi

mkdir -p "$modules"
cp tests/oracle/mcp/package*.json "$modules/"
cp tests/oracle/mcp_client.mjs "$modules/"
if ! (cd "$modules" && npm ci --silent --no-audit --no-fund >/dev/null &&
	python3 -m venv venv &&
	venv/bin/pip install -q --disable-pip-version-check mcp==2.3.0 \
		mcp-conform==0.1.0); then
	echo 'SKIP: the clients cannot be installed'
	exit 77
fi

# what NAME COMMAND...: its lines that say "not ok", and how many say "ok"
what() {
	local name=$1 out
	shift
	out=$("$@" 2>&1) || code=1
	printf '%s\n' "$out" | grep -v '^ok' | head -n 40
	printf '%s: %s of %s\n' "$name" "$(grep -c '^ok' <<<"$out")" \
		"$(grep -c '^\(not \)\?ok' <<<"$out")"
}

# inspect WORD ARGUMENT...: whether the inspector prints the word
inspect() {
	local word=$1
	shift
	if "$modules/node_modules/.bin/mcp-inspector" --cli "$bale" mcp \
		--root "$root" --method "$@" 2>&1 | grep -qF -- "$word"; then
		echo "ok - $*"
	else
		echo "not ok - $*"
		return 1
	fi
}

inspector() {
	local failed=0
	inspect '"name": "count"' tools/list || failed=1
	inspect '"structuredContent"' tools/call --tool-name find \
		--tool-arg 'query=read a line' || failed=1
	inspect 'mcp_read.c lines 1-9 of' tools/call --tool-name read \
		--tool-arg path=mcp_read.c --tool-arg lines=1-9 || failed=1
	inspect 'All of pack' tools/call --tool-name pack || failed=1
	inspect 'no such pack' tools/call --tool-name page \
		--tool-arg pack=00000000 || failed=1
	inspect '"tokens"' tools/call --tool-name count || failed=1
	inspect '"name": "task"' prompts/list || failed=1
	inspect 'a bug' prompts/get --prompt-name task \
		--prompt-args 'task=a bug' || failed=1
	inspect '"resources": []' resources/list || failed=1
	inspect 'bale://pack/{pack}' resources/templates/list || failed=1
	return $failed
}

conform() {
	"$modules/venv/bin/mcp-conform" server --command \
		"$bale mcp --root $root" | sed -n 's/^ *✓ */ok - /p; s/^ *✗ */not ok - /p'
}

random_calls() {
	local dir result
	dir=$(mktemp -d)
	mkdir -p "$dir/tree/src" "$dir/tree/docs"
	cp "$root"/*.[ch] "$dir/tree"
	cp "$root/mcp_call.c" "$dir/tree/src/a.c"
	cp "$root/mcp_read.c" "$dir/tree/src/b.c"
	cp docs/ranking.md "$dir/tree/docs/guide.md"
	cp README.md "$dir/tree"
	# one line
	for i in $(seq 500); do printf '%s \303\274ber \346\227\245 ' "$i"; done \
		>"$dir/tree/wide.txt"
	result=$(cd "$dir" && COUNTER="node $top/tests/oracle/mcp_count.cjs $modules" \
		python3 "$top/tests/support/mcp_client.py" "$bale" within \
		"${MCP_CALLS:-10000}" 2>&1)
	rm -rf "$dir"
	[ "$result" = ok ] || { echo "not ok - $result"; return 1; }
	echo "ok - ${MCP_CALLS:-10000} calls, 0 over"
}

what 'Python client 2.3.0' "$modules/venv/bin/python" \
	tests/oracle/mcp_client.py "$bale" "$root"
what 'TypeScript SDK 1.32.2 and client 2.4.0' node \
	"$modules/mcp_client.mjs" "$bale" "$root"
what 'inspector 2.12.0 --cli' inspector
what 'mcp-conform 0.1.0' conform
what 'random calls, counted by tiktoken 1.0.22' random_calls
exit $code
