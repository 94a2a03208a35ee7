#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# localize.sh - the plan for a task, as a benchmark of localisation reads it.
#
# A line PATH:FIRST-LAST for each piece, the most relevant first. Such a
# benchmark cuts what is over its own budget, in other units than ours, so the
# plan is made a fifth larger.
#
# Usage: localize.sh DIR QUERY_FILE BUDGET_TOKENS     BALE=build/release/bale
set -euo pipefail

bale=${BALE:-$(cd "$(dirname "$0")/.." && pwd)/build/release/bale}
query=$(realpath "$2")
budget=$(($3 * 6 / 5))

cd "$1"
"$bale" preview -q --order rank --query "@$query" --budget "$budget" \
	--reserve-response 0 --reserve-system 0 . |
	awk -F '\t' '$2 == "packed" { print $3 }'
