#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# Random repositories, budgets and formats: never over by one token, and full
# where there is enough; counted by the reference tokenizer (node and npm).
#
# verifies: FR-016-89, FR-016-111, FR-016-112, FR-016c-16, FR-016c-29,
# verifies: FR-016c-32, AC-016c-038, AC-016c-044, NFR-016-23, NFR-016-24
#
# Environment: MODE BUILD    what is tested
#              FILL_ROUNDS   outputs (3000)
#              FILL_SEED     another one makes other repositories (1)
#              FILL_FORMATS  names for --format; the default alone if not set
#              FILL_MOST     budgets of 200 tokens to so many more
#              FILL_ALONE=1  logs alone, no repositories
#              FILL_LEAST    those above it are to be full (4000)

set -eu
cd "$(dirname "$0")/../.."
build=${BUILD:-build} mode=${MODE:-release}
modules=$build/oracle
command -v npm >/dev/null || { echo 'SKIP: npm is not there'; exit 77; }

mkdir -p "$modules"
cp tests/oracle/package*.json "$modules/"
(cd "$modules" && npm install --silent --no-audit --no-fund >/dev/null)
bale=$(realpath "$build/$mode/bale")
node tests/oracle/fill.cjs "$modules" "$bale" "${FILL_ROUNDS:-3000}" \
	"${FILL_SEED:-1}"
