#!/bin/bash
# SPDX-License-Identifier: MIT
#
# Lets Spin look at every interleaving of the step protocol (step.pml), with
# every place for a death in it, and at broken versions, which have to fail.
#
#   tests/model/run.sh [-v]     -v: with the figures of each search
#
# TAP; skips where spin is missing. MODEL_LONG=1: larger searches, too.

set -u

model=$(cd "$(dirname "$0")" && pwd)/step.pml
verbose=${1:-}
if ! command -v spin >/dev/null || ! command -v gcc >/dev/null; then
	echo 'ok 1 - step protocol # SKIP spin is not installed'
	exit 0
fi
scratch=$(mktemp -d "${TMPDIR:-/tmp}/bale-model.XXXXXX") || exit 1
trap 'rm -rf "$scratch"' EXIT
cd "$scratch" || exit 1
n=0 failed=0

# search FLAGS LIVE...: runs pan; its words are in pan.out.
search() {
	local flags=$1 live=$2
	rm -f ./*.trail pan pan.*
	# shellcheck disable=SC2086  # words are wanted
	spin -a $flags "$model" >spin.out 2>&1 || {
		cat spin.out >pan.out
		return 1
	}
	if [ "$live" = yes ]; then
		gcc -O2 -w -DNFAIR=3 -o pan pan.c &&
			./pan -a -f -m1000000 -N all_arrives >pan.out 2>&1
	else
		gcc -O2 -w -DNOCLAIM -DSAFETY -DCOLLAPSE -o pan pan.c &&
			./pan -m1000000 >pan.out 2>&1
	fi
}

# ends LINE GOOD: one line of TAP.
ends() {
	n=$((n + 1))
	if [ "$2" = yes ]; then
		echo "ok $n - $1"
	else
		echo "not ok $n - $1"
		sed 's/^/# /' pan.out | head -n 40
		failed=1
	fi
	if [ "$verbose" = -v ]; then
		grep -E 'states, stored|errors:|total actual|elapsed|depth' \
			pan.out | sed 's/^ */# /'
	fi
}

# holds NAME FLAGS LIVE: the search ends, whole, without an error.
holds() {
	local good=no
	search "$2" "$3" && grep -q 'errors: 0$' pan.out &&
		! grep -q 'max search depth too small' pan.out && good=yes
	ends "$1" "$good"
}

# fails NAME FLAGS LIVE: the search finds an error.
fails() {
	local good=no
	search "$2" "$3"
	grep -qE 'errors: [1-9]' pan.out && good=yes
	ends "$1" "$good"
}

holds 'three entries, two deaths anywhere' '-DN=3 -DKILLS=2' no
holds 'two entries, three deaths anywhere' '-DN=2 -DKILLS=3' no
if [ -n "${MODEL_LONG:-}" ]; then
	holds 'three entries, three deaths anywhere' '-DN=3 -DKILLS=3' no
	holds 'four entries, two deaths anywhere' '-DN=4 -DKILLS=2' no
fi
holds 'all arrives, two deaths, fair' '-DN=2 -DKILLS=2' yes
fails 'mutant: positions are not looked at' '-DN=2 -DKILLS=1 -DNO_POSITIONS' no
fails 'mutant: nothing is published again' '-DN=2 -DKILLS=1 -DNO_REPLAY' yes
fails 'mutant: inputs go before the commit' '-DN=2 -DKILLS=1 -DPOP_FIRST' yes
fails 'mutant: the commit word before the block' \
	'-DN=2 -DKILLS=1 -DCOMMIT_FIRST' no
fails 'mutant: one block for all steps' '-DN=2 -DKILLS=1 -DONE_BLOCK' no
fails 'mutant: the tail before the slot' '-DN=2 -DKILLS=0 -DTAIL_FIRST' no
fails 'mutant: replaced without proof of death' \
	'-DN=2 -DKILLS=1 -DNO_PROOF' no
echo "1..$n"
exit $failed
